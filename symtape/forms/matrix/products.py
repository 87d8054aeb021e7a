"""Products of matrices, and what they are made of, each made in one way."""

from __future__ import annotations

from functools import reduce
from typing import Any

import sympy as sp

from symtape.forms.matrix.nodes import (
    SCALAR,
    Commutation,
    Cycle,
    Diagonal,
    Identity,
    Inverse,
    Kronecker,
    Leaf,
    Matrix,
    Named,
    Node,
    Part,
    Product,
    Shape,
    Trace,
    Turned,
    turned_shape,
)
from symtape.forms.matrix.sums.content import content
from symtape.forms.matrix.symbols import Symbols

SLOPES = {"expm_frechet", "logm_frechet", "sqrtm_frechet"}
"""Derivatives of functions of matrices in a direction, which is their second part."""

_OF_TRANSPOSES = {"expm", "logm", "sqrtm"} | SLOPES
"""Functions of matrices whose transpose is that of the transposes."""


_FEW_FACTORS = 8
"""A product of so many scalars stays one, so that others can share factors with it."""

_LONG = 100
"""A longer formula is taken as a whole by the steps that follow, as a factor of it is."""


class Products(Symbols):
    """Makes products of matrices, their transposes and their inverses."""

    def transpose(self, x: Matrix) -> Matrix:
        """Exchange rows and columns: of what there are names for, and of nothing else."""
        if x.is_scalar:
            return x
        made = self.swapped(x.entry, self._turned, "turned")
        if x.shape[0] == x.shape[1]:
            made = self._as_differences_of(x.entry, made)
        return Matrix(made, turned_shape(x.shape))

    def _as_differences_of(self, e: Any, made: Any) -> Any:
        """Write what a matrix has for its negative: (𝟏 xᵀ - x 𝟏ᵀ)², where it has (x 𝟏ᵀ - 𝟏 xᵀ)².

        So a matrix of functions of differences is its own transpose, or the negative of it.
        """
        if e not in self._oriented:
            own = {-a: a for a in e.atoms(sp.Add)} if made != e else {}
            found = {b: sp.Dummy(real=b.is_real) for b in made.atoms(sp.Add) if b in own}
            turned = made.xreplace({b: -d for b, d in found.items()})
            self._oriented[e] = turned.xreplace({d: own[b] for b, d in found.items()})
        return self._oriented[e]

    def _turned(self, symbol: sp.Symbol) -> Any:
        if symbol not in self._transposes:
            self._transposes[symbol] = self._transpose_of(self.nodes[symbol])
        return self._transposes[symbol]

    def _transpose_of(self, node: Node) -> Any:
        if self._is_symmetric(node):
            return self.symbol(node)
        match node:
            case Product(parts):
                return self.product(*[self.transpose(x) for x in reversed(parts)]).entry
            case Inverse(of):
                return self.inverse(self.transpose(of)).entry
            case Turned(of):
                return self.symbol(of)
            case Kronecker(parts):
                return self.kronecker(*[self.transpose(x) for x in parts]).entry
            case Commutation((m, n)):
                return self.commutation(n, m).entry
            case Cycle(by, (n, _)):
                return self.cycle(n, -by).entry
            case Part(of):
                return self.part(self.transpose(of)).entry
            case Named("skew"):
                return -self.symbol(node)
            case Named("tril" | "triu" as name, (of,)) if of.entry.is_number:
                other = "triu" if name == "tril" else "tril"
                return self.symbol(Named(other, (self.transpose(of),), turned_shape(node.shape)))
            case Named(name, of) if name in _OF_TRANSPOSES:
                return self.of(Named(name, tuple(map(self.transpose, of)), node.shape)).entry
        return self.symbol(Turned(node, turned_shape(node.shape)))

    def _is_symmetric(self, node: Node) -> bool:
        """Say whether something is its own transpose by what it is."""
        match node:
            case Product((a, b)):
                return self._is_pinv(a, b) or self._is_pinv(b, a)
            case Leaf(name):
                return name in self.symmetric
            case Named("dft"):
                return True
        return isinstance(node, (Identity, Diagonal))

    def _is_pinv(self, a: Matrix, b: Matrix) -> bool:
        """Say whether one matrix is the pseudo-inverse of another: A A⁺ is its own transpose."""
        node = self.node(a)
        return isinstance(node, Named) and node.name == "pinv" and node.of == (b,)

    def row(self, v: Matrix) -> Matrix:
        """Give a vector as a row."""
        return self.transpose(v)

    def product(self, *parts: Matrix) -> Matrix:
        """Multiply matrices; numbers and scalars come out in front."""
        scalars: list[Any] = []
        chain: list[Matrix] = []
        shapes = [part.shape for part in parts if not part.is_scalar] or [SCALAR]
        shape = (shapes[0][0], shapes[-1][1])
        for part in parts:
            for factor in self._factors(part, scalars):
                self._append(chain, factor, scalars)
        chain = self.unscaled(self._crossed(chain, scalars), scalars)
        scalars += self._scalars_within(chain)
        if not chain:
            return self.times(self.number(sp.Mul(*scalars)), self.identity(shape[0]))
        if len(chain) == 1:
            return Matrix(sp.Mul(*scalars, chain[0].entry), shape)
        if shape == SCALAR:
            if self._is_orthogonal(chain):
                return self.number(0)
            chain = self._oriented_alike(self._turned_least(chain), scalars)
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

    def normal(self, x: Matrix) -> Matrix:
        """Give a formula as it is to be written; see `Shortening`."""
        return x

    def unscaled(self, chain: list[Matrix], scalars: list[Any]) -> list[Matrix]:  # noqa: ARG002 - see `Unscaling`
        """Take out what cancels between factors that are no neighbours; see `Unscaling`."""
        return chain

    def split(self, x: Matrix) -> tuple[Any, Any]:
        """Give what multiplies all entries, numbers and scalars, and the rest."""
        entry = self.normal(x).entry
        if entry not in self._split:
            self._split[entry] = self._apart(entry)
        return self._split[entry]

    def factors(self, x: Matrix) -> tuple[Any, tuple[Matrix, ...]]:
        """Give what multiplies all entries, and the matrices of a product; of others none."""
        number, entry = self.split(x)
        node = self.nodes.get(entry)
        return number, node.parts if isinstance(node, Product) else ()

    def _apart(self, entry: Any) -> tuple[Any, Any]:
        number = sp.S.One
        if isinstance(entry, sp.Add):
            number, entry = content(entry, self)
        outer = [e for e in sp.Mul.make_args(entry) if not self.arrays(e)]
        inner = [e for e in sp.Mul.make_args(entry) if self.arrays(e)]
        return number * sp.Mul(*outer), sp.Mul(*inner)

    def is_total(self, e: Any) -> bool:
        """Say whether a term is a multiple of a sum of entries, or of a trace."""
        nodes = [self.nodes.get(f) for f in sp.Mul.make_args(e)]
        return any(
            isinstance(n, Trace)
            or (isinstance(n, Product) and any(x.entry.is_number for x in n.parts))
            for n in nodes
        )

    def _append(self, chain: list[Matrix], x: Matrix, scalars: list[Any]) -> None:
        """Add a factor to a product; neighbours that are one factor become one."""
        merged = self.merged(chain[-1], x) if chain else None
        if merged is None:
            chain.append(x)
            self._cancel_inverses(chain)
            return
        chain.pop()
        for factor in self._factors(merged, scalars):
            self._append(chain, factor, scalars)

    def _cancel_inverses(self, chain: list[Matrix]) -> None:
        """Leave out an inverse beside what it is the inverse of, at the end: Xᵀ X (Xᵀ X)⁻¹."""
        for k in range(len(chain) - 2):
            before, behind = self._inverted(chain[k]), self._inverted(chain[-1])
            if chain[k + 1 :] == before or chain[k:-1] == behind:
                del chain[k:]
                return

    def _inverted(self, x: Matrix) -> list[Matrix]:
        """List the factors of what a matrix is the inverse of."""
        node = self.node(x)
        of = self.node(node.of) if isinstance(node, Inverse) else None
        return [*of.parts] if isinstance(of, Product) else []

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

    def _turns(self, parts: list[Matrix]) -> tuple[int, bool, list[int]]:
        """Count transposes; squares of sums are rather of columns."""
        places = [self.place(s) for x in parts for s in self.arrays(x.entry)]
        is_raised = parts[0].entry.is_Pow and parts[0].entry.base.is_Add
        is_raised = bool(is_raised and parts[0].entry.exp.is_positive)
        return sum(self.turns(x.entry) for x in parts), is_raised, places

    def _oriented_alike(self, chain: list[Matrix], scalars: list[Any]) -> list[Matrix]:
        """Write -vᵀv for (-v)ᵀv, where v is a sum: which of both it is, its first term says."""
        half = len(chain) // 2
        pairs = zip(chain[:half], reversed(chain[-half:]), strict=True)
        turned = [self.transpose(b) if a.entry.is_Add else a for a, b in pairs]
        for k, x in enumerate(turned):
            if x.entry == -chain[k].entry:
                chain = [*chain[:k], x, *chain[k + 1 :]]
                scalars.append(sp.S.NegativeOne)
        return chain

    def _is_orthogonal(self, chain: list[Matrix]) -> bool:
        """Say whether an inner product is that of a cross product and a factor of it."""
        for own in (chain, [self.transpose(x) for x in reversed(chain)]):
            node = self.node(own[-1])
            if isinstance(node, Named) and node.name == "cross":
                u = self.split(self.transpose(self.product(*own[:-1])))[1]
                if any(x.entry == u for x in node.of):
                    return True
        return False

    def identity(self, n: int) -> Matrix:
        """Give the unit matrix."""
        return self.of(Identity((n, n))) if n != 1 else self.number(1)

    def ones(self, n: int) -> Matrix:
        """Give a column of ones."""
        return self.number(1, (n, 1))

    def counting(self, n: int) -> Matrix:
        """Give the numbers of n entries, from 0 on."""
        return self.of(Named("range", (), (n, 1))) if n > 1 else self.number(0, (n, 1))

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

    def commutation(self, m: int, n: int) -> Matrix:
        """Give the matrix that makes vec(Xᵀ) of vec(X), for X of m rows and n columns."""
        if 1 in (m, n):
            return self.identity(m * n)
        return self.of(Commutation((m, n), (m * n, m * n)))

    def cycle(self, n: int, by: int) -> Matrix:
        """Give Πᵏ, by the shorter of two ways around."""
        by = by % n if 2 * (by % n) <= n else by % n - n
        if by < 0:  # which stands behind
            self.of(Cycle(-by, (n, n)))
        return self.of(Cycle(by, (n, n))) if by else self.identity(n)

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
        if isinstance(node, Cycle):
            return self.times(self.number(1 / number), self.cycle(n, -node.by))
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

    def is_cross(self, u: Matrix, v: Matrix) -> bool:
        """Say whether u × v is there already, or its opposite."""
        pair = tuple([Matrix(self.split(x)[1], x.shape) for x in (u, v)])
        return any(Named("cross", way, (3, 1)) in self.symbols for way in (pair, pair[::-1]))

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


def _beside(a: Shape, b: Shape) -> Shape:
    """Give the shape of a Kronecker product."""
    return a[0] * b[0], a[1] * b[1]
