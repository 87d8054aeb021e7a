"""Makes matrices of matrices, each in one way."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from typing import Any

import sympy as sp

from symtape.forms.matrix.content import content
from symtape.forms.matrix.nodes import (
    SCALAR,
    Commutation,
    Decimal,
    Diagonal,
    Identity,
    Inverse,
    Kronecker,
    Leaf,
    Matrix,
    Named,
    Node,
    OfDiagonal,
    Part,
    Product,
    Selection,
    Shape,
    Trace,
    Turned,
    flippable,
    flippable_diagonal,
    inner,
    negated,
    turned_shape,
)
from symtape.forms.matrix.size import Length
from symtape.forms.scalars.decimals import is_short

SLOPES = {"expm_frechet", "logm_frechet", "sqrtm_frechet"}
"""Derivatives of functions of matrices in a direction, which is their second part."""

_OF_TRANSPOSES = {"expm", "logm", "sqrtm"} | SLOPES
"""Functions of matrices whose transpose is that of the transposes."""


_FEW_FACTORS = 8
"""A product of so many scalars stays one, so that others can share factors with it."""

_LONG = 100
"""A longer formula is taken as a whole by the steps that follow, as a factor of it is."""


class Algebra:
    """Makes matrices of matrices, each in one way; equal nodes have one symbol.

    The leaves that are called `symmetric` are their own transposes, and those that are `nonzero`
    have no zeros.
    """

    def __init__(self, symmetric: Collection[str] = (), nonzero: Collection[str] = ()) -> None:
        self.symmetric, self.nonzero = symmetric, nonzero
        self.symbols: dict[Node, sp.Symbol] = {}
        self.nodes: dict[sp.Symbol, Node] = {}
        self.places: dict[sp.Symbol, int] = {}
        self._length = Length(self.nodes)
        self._turnings: dict[sp.Symbol, int] = {}
        self._leaves: dict[sp.Symbol, tuple[int, ...]] = {}
        self._transposes: dict[sp.Symbol, Any] = {}
        self._swapped: dict[Any, dict[Any, Any]] = {}
        self._arrays: dict[Any, list[sp.Symbol]] = {}
        self._decimals: dict[Any, Any] = {}
        self._split: dict[Any, tuple[Any, Any]] = {}

    def symbol(
        self,
        node: Node,
        *,
        is_real: bool | None = None,
        is_positive: bool = False,
        is_square: bool = False,
    ) -> sp.Symbol:
        """Give the symbol of a node, and what is known of its entries: real, if its parts are."""
        if node not in self.symbols:
            is_real = self._is_real(node) if is_real is None else is_real
            facts = {"positive": True} if is_positive else {"real": True} if is_real else {}
            facts |= {"nonnegative": True} if is_real and is_square else {}
            facts |= {"nonzero": True} if is_real and self._is_nonzero(node) else {}
            made = sp.Symbol(f"{type(node).__name__}{len(self.symbols)}", **facts)
            self.places[made] = len(self.symbols)
            self.symbols[node] = made
            self.nodes[made] = node
            self._length.of(made)  # that of what it is made of is known by now
            self._turnings[made] = self._turns_in(node)
            self._leaves[made] = self._leaves_in(node, self.places[made])
        return self.symbols[node]

    def _is_real(self, node: Node) -> bool:
        if isinstance(node, Turned):
            return bool(self.symbol(node.of).is_real)
        return all(s.is_real for x in inner(node) for s in x.entry.free_symbols)

    def _is_nonzero(self, node: Node) -> bool:
        if isinstance(node, Turned):
            return bool(self.symbol(node.of).is_nonzero)
        return isinstance(node, Leaf) and node.name in self.nonzero

    def of(self, node: Node) -> Matrix:
        """Give the matrix that a node is."""
        return Matrix(self.symbol(node), node.shape)

    def node(self, x: Matrix) -> Node | None:
        """Give the node that a matrix is, if it is nothing else."""
        return self.nodes.get(x.entry)

    def arrays(self, entry: Any) -> list[sp.Symbol]:
        """List the symbols in an entry that stand for more than a scalar."""
        if entry not in self._arrays:
            found = [s for s in entry.free_symbols if self.nodes[s].shape != SCALAR]
            self._arrays[entry] = sorted(found, key=self.place)
        return self._arrays[entry]

    def place(self, symbol: sp.Symbol) -> int:
        """Give the number of a symbol, in the order in which they were made."""
        return self.places[symbol]

    def leaves(self, e: Any) -> list[int]:
        """List the numbers of the leaves in an entry; those of a transpose are the same."""
        return sorted(k for s in e.free_symbols for k in self._leaves[s])

    def _leaves_in(self, node: Node, place: int) -> tuple[int, ...]:
        if isinstance(node, Leaf):
            return (place,)
        if isinstance(node, Turned):
            return self._leaves[self.symbol(node.of)]
        return tuple(k for x in inner(node) for k in self.leaves(x.entry))

    # --- by element -------------------------------------------------------------------------------

    def number(self, value: Any, shape: Shape = SCALAR) -> Matrix:
        """Give an array of one number."""
        return Matrix(sp.sympify(value), shape)

    def written(self, number: Any) -> Matrix:
        """Give a number as its author wrote it: a decimal of a few digits is a symbol.

        So x / 0.3 is not multiplied by a number of many digits, and 0.3 / 0.3 is one.
        """
        if not number.is_Float or not is_short(number):
            return self.number(number)
        made = self.symbol(Decimal(abs(number)), is_real=True, is_positive=True)
        self._decimals[made] = abs(number)
        return Matrix(-made if number < 0 else made, SCALAR)

    def decimals(self, e: Any) -> dict[Any, Any]:
        """Give the decimal numbers in an entry, by their symbols."""
        known = self._decimals
        return {s: known[s] for s in e.free_symbols if s in known} if known else {}

    def apply(self, function: Callable[..., Any], *operands: Matrix) -> Matrix:
        """Apply a scalar function to the entries; scalars go with every entry."""
        shapes = {x.shape for x in operands if not x.is_scalar} or {SCALAR}
        (shape,) = shapes
        return Matrix(function(*[x.entry for x in operands]), shape)

    def times(self, *operands: Matrix) -> Matrix:
        """Multiply by element, or by scalars."""
        return self.apply(sp.Mul, *operands)

    def plus(self, *operands: Matrix) -> Matrix:
        """Add up."""
        return self.apply(sp.Add, *operands)

    def total_of_terms(self, terms: Sequence[Matrix]) -> Matrix:
        """Add up terms that may have rough diagonals; see `Collecting`."""
        return self.plus(*terms)

    # --- transposes -------------------------------------------------------------------------------

    def transpose(self, x: Matrix) -> Matrix:
        """Exchange rows and columns: of what there are names for, and of nothing else."""
        if x.is_scalar:
            return x
        turned = {s: self._turned(s) for s in self.arrays(x.entry)}
        return Matrix(self.swapped(x.entry, turned, "turned"), turned_shape(x.shape))

    def swapped(self, e: Any, swap: Mapping[Any, Any], what: Any) -> Any:
        """Put entries in the place of symbols, the same ones for all that is swapped as `what`.

        SymPy compares the parts of a maximum each time that it is made: so each is made once.
        """
        known = self._swapped.setdefault(what, {})
        if e not in known:
            extrema = e.atoms(sp.Max, sp.Min) if isinstance(e, sp.Basic) else ()
            known |= {m: m.xreplace(swap) for m in extrema if m not in known}
            known[e] = e.xreplace({**swap, **{m: known[m] for m in extrema}})
        return known[e]

    def _turned(self, symbol: sp.Symbol) -> Any:
        if symbol not in self._transposes:
            self._transposes[symbol] = self._transpose_of(self.nodes[symbol])
        return self._transposes[symbol]

    def _transpose_of(self, node: Node) -> Any:
        match node:
            case Product((a, b)) if self._is_pinv(a, b) or self._is_pinv(b, a):
                return self.symbol(node)
            case Product(parts):
                return self.product(*[self.transpose(x) for x in reversed(parts)]).entry
            case Inverse(of):
                return self.inverse(self.transpose(of)).entry
            case Turned(of):
                return self.symbol(of)
            case Identity() | Diagonal():
                return self.symbol(node)
            case Kronecker(parts):
                return self.kronecker(*[self.transpose(x) for x in parts]).entry
            case Commutation((m, n)):
                return self.commutation(n, m).entry
            case Leaf(name) if name in self.symmetric:
                return self.symbol(node)
            case Part(of):
                return self.part(self.transpose(of)).entry
            case Named("skew"):
                return -self.symbol(node)
            case Named(name, of) if name in _OF_TRANSPOSES:
                return self.of(Named(name, tuple(map(self.transpose, of)), node.shape)).entry
        return self.symbol(Turned(node, turned_shape(node.shape)))

    def _is_pinv(self, a: Matrix, b: Matrix) -> bool:
        """Say whether one matrix is the pseudo-inverse of another: A A⁺ is its own transpose."""
        node = self.node(a)
        return isinstance(node, Named) and node.name == "pinv" and node.of == (b,)

    def row(self, v: Matrix) -> Matrix:
        """Give a vector as a row."""
        return self.transpose(v)

    # --- products ---------------------------------------------------------------------------------

    def product(self, *parts: Matrix) -> Matrix:
        """Multiply matrices; numbers and scalars come out in front."""
        scalars: list[Any] = []
        chain: list[Matrix] = []
        shapes = [part.shape for part in parts if not part.is_scalar] or [SCALAR]
        shape = (shapes[0][0], shapes[-1][1])
        for part in parts:
            for factor in self._factors(part, scalars):
                self._append(chain, factor, scalars)
        chain = self._crossed(chain, scalars)
        scalars += self._scalars_within(chain)
        if not chain:
            return self.times(self.number(sp.Mul(*scalars)), self.identity(shape[0]))
        if len(chain) == 1:
            return Matrix(sp.Mul(*scalars, chain[0].entry), shape)
        if shape == SCALAR:
            if self._is_orthogonal(chain):
                return self.number(0)
            chain = self._turned_least(chain)
        else:
            chain = self._weighed(chain, scalars)
        if len(chain) == 1:
            return Matrix(sp.Mul(*scalars, chain[0].entry), shape)
        is_positive = all(x.entry.is_positive for x in chain)
        is_square = shape == SCALAR and len(chain) == 2 and self.transpose(chain[0]) == chain[1]
        node = Product(tuple(chain), shape)
        made = self.symbol(node, is_positive=is_positive, is_square=is_square)
        return Matrix(sp.Mul(*scalars, made), shape)

    def _crossed(self, chain: list[Matrix], scalars: list[Any]) -> list[Matrix]:
        """Write u × v for [u]× v, and (u × v)ᵀ for uᵀ [v]×."""
        turns = [k for k, x in enumerate(chain) if self._is_skew(x)]
        for k in reversed(turns):
            last = next((m for m, x in enumerate(chain) if m > k and x.is_column), None)
            if last is not None:
                made = self.cross(self._turning(chain[k]), self.product(*chain[k + 1 : last + 1]))
                chain = [*chain[:k], *self._factors(made, scalars), *chain[last + 1 :]]
                return self._crossed(chain, scalars)
        for k in turns:
            first = next((m for m in range(k) if chain[m].shape[0] == 1), None)
            if first is not None:
                u = self.transpose(self.product(*chain[first:k]))
                made = self.transpose(self.cross(u, self._turning(chain[k])))
                chain = [*chain[:first], *self._factors(made, scalars), *chain[k + 1 :]]
                return self._crossed(chain, scalars)
        return chain

    def _is_skew(self, x: Matrix) -> bool:
        node = self.node(x)
        return isinstance(node, Named) and node.name == "skew"

    def _turning(self, x: Matrix) -> Matrix:
        """Give u of [u]×."""
        node = self.node(x)
        return node.of[0] if isinstance(node, Named) else x

    def _weighed(self, chain: list[Matrix], scalars: list[Any]) -> list[Matrix]:
        """Write w ⊙ (A x) for diag(w) A x, where there is a column, and likewise for a row."""
        cut = next((k + 1 for k, x in enumerate(chain) if x.is_column), 0)
        if not cut and chain[0].shape[0] != 1:
            return chain
        column, row = chain[:cut], chain[cut:]
        if len(column) > 1 and isinstance(by := self.node(column[0]), Diagonal):
            column = self._factors(self.times(by.of, self.product(*column[1:])), scalars)
        if len(row) > 1 and isinstance(by := self.node(row[-1]), Diagonal):
            row = self._factors(self.times(self.product(*row[:-1]), self.row(by.of)), scalars)
        return [*column, *row]

    def _factors(self, x: Matrix, scalars: list[Any]) -> list[Matrix]:
        """Take a factor apart; what is a scalar is put with the others."""
        if x.is_scalar:
            scalars.append(x.entry)
            return []
        number, entry = self.split(x)
        scalars.append(number)
        node = self.nodes.get(entry)
        if isinstance(node, Product):
            return list(node.parts)
        if isinstance(node, Identity):
            return []
        if entry.is_number and 1 not in x.shape:
            scalars.append(entry)
            return [self.ones(x.shape[0]), self.row(self.ones(x.shape[1]))]
        return [Matrix(entry, x.shape)]

    def length(self, x: Matrix) -> Fraction:
        """Say how long a formula is."""
        return self.length_of(x.entry)

    def length_of(self, entry: Any) -> Fraction:
        """Say how long an entry is."""
        return self._length.of(entry)

    def normal(self, x: Matrix) -> Matrix:
        """Give a formula as it is to be written; see `Shortening`."""
        return x

    def split(self, x: Matrix) -> tuple[Any, Any]:
        """Give what multiplies all entries, numbers and scalars, and the rest."""
        entry = self.normal(x).entry
        if entry not in self._split:
            self._split[entry] = self._apart(entry)
        return self._split[entry]

    def _apart(self, entry: Any) -> tuple[Any, Any]:
        number = sp.S.One
        if isinstance(entry, sp.Add):
            number, entry = content(entry, self)
        outer = [e for e in sp.Mul.make_args(entry) if not self.arrays(e)]
        inner = [e for e in sp.Mul.make_args(entry) if self.arrays(e)]
        return number * sp.Mul(*outer), sp.Mul(*inner)

    def _append(self, chain: list[Matrix], x: Matrix, scalars: list[Any]) -> None:
        """Add a factor to a product; neighbours that are one factor become one."""
        merged = self.merged(chain[-1], x) if chain else None
        if merged is None:
            chain.append(x)
            return
        chain.pop()
        for factor in self._factors(merged, scalars):
            self._append(chain, factor, scalars)

    def merged(self, a: Matrix, b: Matrix) -> Matrix | None:  # noqa: ARG002 - see `Merging`
        """Multiply neighbours that are one factor; None for those that stay two."""
        return None

    def _scalars_within(self, chain: list[Matrix]) -> list[Any]:
        """Take out of a longer product what is a row times a column."""
        for start in range(len(chain)):
            for stop in range(len(chain), start + 1, -1):
                inner = chain[start:stop]
                if len(inner) < len(chain) and inner[0].shape[0] == 1 and inner[-1].is_column:
                    chain[start:stop] = []
                    return [self.product(*inner).entry, *self._scalars_within(chain)]
        return []

    def _turned_least(self, chain: list[Matrix]) -> list[Matrix]:
        """Of a scalar and its transpose, take the one with fewer transposes, else the first."""
        other = [self.transpose(x) for x in reversed(chain)]
        return min(chain, other, key=self._turns)

    def _turns(self, parts: list[Matrix]) -> tuple[int, list[int]]:
        places = [self.place(s) for x in parts for s in self.arrays(x.entry)]
        return sum(self.turns(x.entry) for x in parts), places

    def turns(self, e: Any) -> int:
        """Count the transposes in an entry."""
        return sum(self._turnings[s] for s in e.free_symbols)

    def _turns_in(self, node: Node) -> int:
        if isinstance(node, (Product, Inverse, OfDiagonal, Part)):
            return sum(self.turns(x.entry) + _is_row_of_ones(x) for x in inner(node))
        of = node.of if isinstance(node, Turned) else node
        if isinstance(of, Named) and of.name == "cross" and all(map(self.lies, of.of)):
            return int(node is of)  # (u × v)ᵀ for rows u and v
        return int(isinstance(node, Turned))

    def lies(self, x: Matrix) -> bool:
        """Say whether a column has transposes, and none as a row."""
        return self.turns(x.entry) > 0 == self.turns(self.transpose(x).entry)

    def flipped(self, rest: Any) -> Any | None:
        """Turn the sign of a product around where a sum in it has a minus sign: -A (x - b).

        But -(x - a) (x - a)ᵀ, whose factors are alike, stays.
        """
        node = self.nodes.get(rest)
        k = flippable(node)
        if k is None and (k := flippable_diagonal(node, self.nodes)) is not None:
            return self._with_diagonal_flipped(node, k)
        if isinstance(node, Named):
            return None if k is None else self.symbol(node._replace(of=node.of[::-1]))
        if k is not None and isinstance(node, Diagonal):
            return self.symbol(Diagonal(Matrix(negated(node.of.entry), node.of.shape), node.shape))
        if k is None or not isinstance(node, (Product, Kronecker)):
            return None
        if self.transpose(node.parts[k]) in (*node.parts[:k], *node.parts[k + 1 :]):
            return None
        parts = list(node.parts)
        parts[k] = Matrix(negated(parts[k].entry), parts[k].shape)
        return self.symbol(node._replace(parts=tuple(parts)))

    def _with_diagonal_flipped(self, node: Any, k: int) -> Any:
        """Turn the sign of the diagonal at a place of a product around."""
        whole = self.flipped(node.parts[k].entry)
        parts = [*node.parts[:k], Matrix(whole, node.parts[k].shape), *node.parts[k + 1 :]]
        return self.symbol(node._replace(parts=tuple(parts)))

    # --- other nodes ------------------------------------------------------------------------------

    def identity(self, n: int) -> Matrix:
        """Give the unit matrix."""
        return self.of(Identity((n, n))) if n != 1 else self.number(1)

    def selection(self, n: int, first: int, step: int, count: int) -> Matrix:
        """Give some rows of the unit matrix."""
        if (first, step, count) == (0, 1, n):
            return self.identity(n)
        return self.of(Selection(first, step, (count, n)))

    def kronecker(self, *parts: Matrix) -> Matrix:
        """Give a Kronecker product; numbers and scalars come out, and unit matrices become one."""
        scalars: list[Any] = []
        found: list[Matrix] = []
        for part in parts:
            number, entry = (part.entry, None) if part.is_scalar else self.split(part)
            scalars.append(number)
            node = self.nodes.get(entry)
            inner = node.parts if isinstance(node, Kronecker) else (Matrix(entry, part.shape),)
            for x in inner if entry is not None else ():
                joined = self._beside(found[-1], x) if found else None
                if joined is None:
                    found.append(x)
                    continue
                number, entry = self.split(joined)
                scalars.append(number)
                found[-1] = Matrix(entry, joined.shape)
        scale = self.number(sp.Mul(*scalars))
        if len(found) < 2:
            return self.times(scale, *found)
        whole = reduce(_beside, [x.shape for x in found])
        return self.times(scale, self.of(Kronecker(tuple(found), whole)))

    def _beside(self, a: Matrix, b: Matrix) -> Matrix | None:
        """Give the Kronecker product of what needs no sign for it."""
        shape = _beside(a.shape, b.shape)
        if isinstance(self.node(a), Identity) and isinstance(self.node(b), Identity):
            return self.identity(shape[0])
        if a.entry.is_number and b.entry.is_number:
            return Matrix(a.entry * b.entry, shape)
        if a.is_column and b.shape[0] == 1:
            return self.product(a, b)
        return self.product(b, a) if b.is_column and a.shape[0] == 1 else None

    def skew(self, u: Matrix) -> Matrix:
        """Give [u]×, the matrix that multiplies by u × from the left."""
        number, entry = self.split(u)
        made = self.symbol(Named("skew", (Matrix(entry, u.shape),), (3, 3)))
        return Matrix(number * made, (3, 3))

    def cross(self, u: Matrix, v: Matrix) -> Matrix:
        """Give u × v, numbers in front; -v × u, if that is there, or has no minus."""
        (p, a), (q, b) = self.split(u), self.split(v)
        if a == b:
            return self.number(0, (3, 1))
        pair = (Matrix(a, u.shape), Matrix(b, v.shape))
        own, other = (Named("cross", way, (3, 1)) for way in (pair, pair[::-1]))
        is_known = own in self.symbols or other in self.symbols
        is_turned = other in self.symbols if is_known else (p * q).could_extract_minus_sign()
        made = self.of(other if is_turned else own)
        return self.times(self.number(-p * q if is_turned else p * q), made)

    def _is_orthogonal(self, chain: list[Matrix]) -> bool:
        """Say whether an inner product is that of a cross product and a factor of it."""
        for own in (chain, [self.transpose(x) for x in reversed(chain)]):
            node = self.node(own[-1])
            if isinstance(node, Named) and node.name == "cross":
                u = self.split(self.transpose(self.product(*own[:-1])))[1]
                if any(x.entry == u for x in node.of):
                    return True
        return False

    def is_cross(self, u: Matrix, v: Matrix) -> bool:
        """Say whether u × v is there already, or its opposite."""
        pair = tuple([Matrix(self.split(x)[1], x.shape) for x in (u, v)])
        return any(Named("cross", way, (3, 1)) in self.symbols for way in (pair, pair[::-1]))

    def commutation(self, m: int, n: int) -> Matrix:
        """Give the matrix that makes vec(Xᵀ) of vec(X), for X of m rows and n columns."""
        if 1 in (m, n):
            return self.identity(m * n)
        return self.of(Commutation((m, n), (m * n, m * n)))

    def ones(self, n: int) -> Matrix:
        """Give a column of ones."""
        return self.number(1, (n, 1))

    def part(self, x: Matrix) -> Matrix:
        """Take a formula as a whole, but for the scalars that it is multiplied by."""
        if x.entry in self.nodes:
            return x
        if x.is_scalar and isinstance(x.entry, sp.Mul) and len(x.entry.args) <= _FEW_FACTORS:
            return self.times(*[self._factor_as_part(f) for f in x.entry.args])
        scale, rest = (1, x.entry) if x.is_scalar else self.split(x)
        if scale != 1:
            return self.times(self.number(scale), self.part(Matrix(rest, x.shape)))
        node = Part(x, x.shape)
        facts = {"is_real": bool(x.entry.is_real), "is_positive": bool(x.entry.is_positive)}
        return Matrix(self.symbol(node, **facts), x.shape)

    def part_if_long(self, x: Matrix) -> Matrix:
        """Take a long formula as a whole."""
        is_long = isinstance(x.entry, sp.Expr) and self.length(x) > _LONG
        return self.part(x) if is_long else x

    def _factor_as_part(self, e: Any) -> Matrix:
        """Take a factor as a whole where it is long: of a power, what it is one of."""
        base, exponent = e.as_base_exp()
        whole = self.part_if_long(Matrix(base, SCALAR))
        return Matrix(whole.entry**exponent, SCALAR)

    def opened(self, x: Matrix) -> Matrix:
        """Give what was taken as a whole."""
        node = self.node(x)
        return self.opened(node.of) if isinstance(node, Part) else x

    def inverse(self, x: Matrix) -> Matrix:
        """Invert a matrix; a number in front comes out."""
        if x.is_scalar:
            return self.apply(lambda e: 1 / e, x)
        number, entry = self.split(x)
        node = self.nodes.get(entry)
        n = x.shape[0]
        if isinstance(node, Inverse):
            return self.times(self.number(1 / number), node.of)
        if isinstance(node, Identity):
            return self.times(self.number(1 / number), self.identity(n))
        if isinstance(node, Diagonal):
            return self.diagonal(self.apply(lambda e: 1 / (number * e), node.of))
        made = self.symbol(Inverse(Matrix(entry, x.shape), x.shape))
        return Matrix(made / number, x.shape)

    def diagonal(self, v: Matrix, *, is_rough: bool = False) -> Matrix:
        """Give the matrix with a vector on its diagonal, which stays as it is if it is rough."""
        n = v.shape[0]
        if is_rough and not v.entry.is_number:
            return self.of(Diagonal(v, (n, n)))
        number, entry = self.split(v)
        if entry.is_number:
            return Matrix(number * entry * self.identity(n).entry, (n, n))
        made = self.symbol(Diagonal(Matrix(entry, v.shape), (n, n)))
        return Matrix(number * made, (n, n))

    def vec(self, x: Matrix) -> Matrix:
        """Put the columns of a matrix below each other: those of each array in its entry."""
        if x.is_column:
            return x
        shape = x.shape[0] * x.shape[1], 1
        swap = {s: self._vec(Matrix(s, x.shape)) for s in self.arrays(x.entry)}
        return Matrix(x.entry.xreplace(swap), shape)

    def _vec(self, x: Matrix) -> Any:
        node = self.node(x)
        if isinstance(node, Named) and node.name == "unvec":
            return node.of[0].entry
        return self.symbol(Named("vec", (x,), (x.shape[0] * x.shape[1], 1)))

    def shape_of_vec(self, x: Matrix) -> Shape | None:
        """Give the shape of the matrices whose columns a column has, if it has those of some."""
        nodes = [self.nodes[s] for s in self.arrays(x.entry)]
        found = {n.of[0].shape if isinstance(n, Named) and n.name == "vec" else None for n in nodes}
        return found.pop() if len(found) == 1 else None

    def of_vec(self, x: Matrix, shape: Shape) -> Matrix:
        """Give the matrix of a shape that a column has the columns of."""
        swap = {s: self._of_vec(Matrix(s, x.shape), shape) for s in self.arrays(x.entry)}
        return Matrix(x.entry.xreplace(swap), shape)

    def _of_vec(self, x: Matrix, shape: Shape) -> Any:
        node = self.node(x)
        if isinstance(node, Named) and node.name == "vec" and node.of[0].shape == shape:
            return node.of[0].entry
        return self.symbol(Named("unvec", (x,), shape))

    def of_diagonal(self, x: Matrix) -> Matrix:
        """Give the diagonal of a matrix as a column: that of each array in its entry."""
        swap = {s: self._of_diagonal(self.nodes[s]) for s in self.arrays(x.entry)}
        return Matrix(x.entry.xreplace(swap), (x.shape[0], 1))

    def _of_diagonal(self, node: Node) -> Any:
        match node:
            case Identity():
                return sp.S.One
            case Diagonal(of):
                return of.entry
            case Product((u, v)) if u.is_column:
                return self.times(u, self.transpose(v)).entry
            case Product((*rest, last)) if isinstance(by := self.node(last), Diagonal):
                return self.times(self.of_diagonal(self.product(*rest)), by.of).entry
            case Product((first, *rest)) if isinstance(by := self.node(first), Diagonal):
                return self.times(by.of, self.of_diagonal(self.product(*rest))).entry
            case Turned(of):
                return self._of_diagonal(of)
            case Named("skew"):
                return sp.S.Zero
            case Part(of):
                return self.of_diagonal(of).entry
        return self.symbol(OfDiagonal(self.of(node), (node.shape[0], 1)))

    def trace(self, x: Matrix) -> Matrix:
        """Add up the diagonal, term by term."""
        terms = [self._trace(Matrix(e, x.shape)) for e in sp.Add.make_args(x.entry)]
        return self.plus(*terms)

    def is_total(self, e: Any) -> bool:
        """Say whether a term is a multiple of a sum of entries, or of a trace."""
        nodes = [self.nodes.get(f) for f in sp.Mul.make_args(e)]
        return any(
            isinstance(n, Trace)
            or (isinstance(n, Product) and any(x.entry.is_number for x in n.parts))
            for n in nodes
        )

    def _trace(self, x: Matrix) -> Matrix:
        number, entry = self.split(x)
        node = self.nodes.get(entry)
        if isinstance(node, Identity):
            return self.number(number * x.shape[0])
        if isinstance(node, Diagonal):
            return self.times(self.number(number), self.total(node.of))
        if isinstance(node, Product):
            return self.times(self.number(number), self._trace_of_product(list(node.parts)))
        if isinstance(node, Named) and node.name == "skew":
            return self.number(0)
        if isinstance(node, Turned):
            entry = self.symbol(node.of)
        if isinstance(node, Part):
            return self.times(self.number(number), self.trace(node.of))
        return Matrix(number * self.symbol(Trace(Matrix(entry, x.shape))), SCALAR)

    def _trace_of_product(self, parts: list[Matrix]) -> Matrix:
        """Write the product that begins where a row does, else the one of fewest transposes."""
        if (known := self._along_itself(parts)) is not None:
            return self.trace(self.product(*known))
        for k, x in enumerate(parts):
            if x.shape[0] == 1:
                return self.product(*parts[k:], *parts[:k])
        if len(parts) > 1 and self.merged(parts[-1], parts[0]) is not None:
            return self.trace(self.product(parts[-1], *parts[:-1]))
        turned = [self.transpose(x) for x in reversed(parts)]
        ways = [own[k:] + own[:k] for own in (parts, turned) for k in range(len(parts))]
        best = min(ways, key=self._turns)
        whole = self.product(*best)
        node = self.node(whole)
        if not isinstance(node, Product):
            return self.trace(whole)
        return self._of_a_square(node) or self.of(Trace(whole))

    def _along_itself(self, parts: list[Matrix]) -> list[Matrix] | None:
        """Give A exp(t A) E for A L_exp(t A, E), which has its trace: A and t A commute."""
        for slope, a in (parts, parts[::-1]) if len(parts) == 2 else ():
            node = self.node(slope)
            if isinstance(node, Named) and node.name == "expm_frechet":
                of, step = node.of
                if not self.arrays(of.entry / a.entry):
                    return [a, self.of(Named("expm", (of,), of.shape)), step]
        return None

    def _of_a_square(self, node: Product) -> Matrix | None:
        """Write -tr(A Aᵀ) for tr(A B), where B is -Aᵀ with its sign in a sum."""
        if len(node.parts) != 2:
            return None
        first, last = node.parts
        minus = self.times(self.number(-1), last)
        if self.transpose(first) != minus:
            return None
        square = self.of(Product((first, minus), node.shape))
        return self.times(self.number(-1), self.of(Trace(square)))

    def total(self, v: Matrix) -> Matrix:
        """Add up a vector."""
        return self.product(self.row(self.ones(v.shape[0])), v)


def _beside(a: Shape, b: Shape) -> Shape:
    """Give the shape of a Kronecker product."""
    return a[0] * b[0], a[1] * b[1]


def _is_row_of_ones(x: Matrix) -> bool:
    """Say whether a matrix is 𝟏ᵀ."""
    return x.shape[0] == 1 != x.shape[1] and bool(x.entry.is_number)
