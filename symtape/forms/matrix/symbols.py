"""Symbols that stand for arrays: one for each node, with what is known of its entries."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from fractions import Fraction
from typing import Any

import sympy as sp

from symtape.errors import NoMatrixFormError
from symtape.forms.lettered import factored
from symtape.forms.matrix.nodes import (
    SCALAR,
    Cycle,
    Decimal,
    Inverse,
    Leaf,
    Matrix,
    Named,
    Node,
    OfDiagonal,
    Part,
    Product,
    Shape,
    Turned,
    inner,
)
from symtape.forms.matrix.writing.size import Length
from symtape.forms.scalars.decimals import is_short


class Symbols:
    """Makes matrices by element; equal nodes have one symbol.

    The leaves that are called `symmetric` are their own transposes, and those that are `nonzero`
    have no zeros.
    """

    def __init__(self, symmetric: Collection[str] = (), nonzero: Collection[str] = ()) -> None:
        self.symmetric, self.nonzero = symmetric, nonzero
        self.is_multiplied_out = False
        self.symbols: dict[Node, sp.Symbol] = {}
        self.nodes: dict[sp.Symbol, Node] = {}
        self.places: dict[sp.Symbol, int] = {}
        self._length = Length(self.nodes)
        self._turnings: dict[sp.Symbol, int] = {}
        self._turned_in: dict[Any, int] = {}
        self._applies: dict[Any, bool] = {}
        self._leaves: dict[sp.Symbol, tuple[int, ...]] = {}
        self._transposes: dict[sp.Symbol, Any] = {}
        self._swapped: dict[Any, dict[Any, Any]] = {}
        self._arrays: dict[Any, list[sp.Symbol]] = {}
        self._decimals: dict[Any, Any] = {}
        self._split: dict[Any, tuple[Any, Any]] = {}
        self._oriented: dict[Any, Any] = {}
        self.sizes: Mapping[int, str] = {}
        """The letters of sizes, by the primes that they are read at, where counts have letters."""
        self.ends: set[Any] = set()
        """Logarithms of brackets: of one, a difference is no number where it is -∞."""

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
        if isinstance(node, Named) and node.name in _OF_REAL_COMPLEX:
            return False
        return not any(_is_complex(x.entry) for x in inner(node))

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

    def number(self, value: Any, shape: Shape = SCALAR) -> Matrix:
        """Give an array of one number."""
        return Matrix(sp.sympify(value), shape)

    def count(self, n: int) -> Any:
        """Give a number of elements, by the letter of its size where that is known.

        So n ones are as many as what a mean divides by, and leave nothing of x - (𝟏ᵀ x) 𝟏 / n.
        """
        return factored(sp.Integer(n), {p: self.size(letter) for p, letter in self.sizes.items()})

    def size(self, letter: str) -> sp.Symbol:
        """Give the symbol of a letter for a size."""
        return self.symbol(Leaf(letter, SCALAR), is_positive=True)

    def is_size(self, symbol: sp.Symbol) -> bool:
        """Say whether a symbol is a letter that counts elements."""
        node = self.nodes[symbol]
        return isinstance(node, Leaf) and node.name in self.sizes.values()

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
        """Add up; infinities that would cancel are refused."""
        for end in self.ends:
            factors = [c for x in operands if (c := sp.expand(x.entry).coeff(end)) != 0]
            if len({c.could_extract_minus_sign() for c in factors}) > 1:
                raise NoMatrixFormError("a difference of infinities has no matrix notation")
        return self.apply(sp.Add, *operands)

    def total_of_terms(self, terms: Sequence[Matrix]) -> Matrix:
        """Add up terms that may have rough diagonals; see `Collecting`."""
        return self.plus(*terms)

    def swapped(self, e: Any, swap: Callable[[sp.Symbol], Any], what: Any) -> Any:
        """Put entries in the place of the symbols of arrays, once for all swapped as `what`.

        SymPy compares the parts of a maximum each time that it is made: so each is made once.
        """
        known = self._swapped.setdefault(what, {})
        if e not in known:
            own = {s: swap(s) for s in self.arrays(e)}
            has_some = isinstance(e, sp.Basic) and e.has(sp.Max, sp.Min)
            extrema = e.atoms(sp.Max, sp.Min) if has_some else ()
            known |= {m: m.xreplace(own) for m in extrema if m not in known}
            known[e] = e.xreplace({**own, **{m: known[m] for m in extrema}})
        return known[e]

    def length(self, x: Matrix) -> Fraction:
        """Say how long a formula is."""
        return self.length_of(x.entry)

    def length_of(self, entry: Any) -> Fraction:
        """Say how long an entry is."""
        return self._length.of(entry)

    def turns(self, e: Any) -> int:
        """Count the transposes in an entry."""
        if e not in self._turned_in:
            self._turned_in[e] = sum(self._turnings[s] for s in e.free_symbols)
        return self._turned_in[e]

    def applies(self, e: Any) -> bool:
        """Say whether a function stands in an entry: of entries, or of a whole matrix."""
        if e not in self._applies:
            nodes = [self.nodes[s] for s in e.free_symbols]
            self._applies[e] = e.has(sp.core.function.Application) or any(
                isinstance(n, Named) or any(self.applies(x.entry) for x in inner(n)) for n in nodes
            )
        return self._applies[e]

    def meets_its_transpose(self, row: Any, column: Any) -> bool:
        """Say whether scalars in a row are of the columns that it has the transposes of.

        So [Aᵀ x = max(Aᵀ x)]ᵀ is not [xᵀ A = max(Aᵀ x)].
        """
        own, turned = ({*self.arrays(e)} for e in (row, column))
        nodes = [self.nodes[s] for s in row.free_symbols - own]
        met = {s for node in nodes for x in inner(node) for s in self.arrays(x.entry)}
        return not met.isdisjoint(turned - own) and met.isdisjoint(own - turned)

    def _turns_in(self, node: Node) -> int:
        if isinstance(node, Cycle):
            return int(node.by < 0)
        if isinstance(node, (Product, Inverse, OfDiagonal, Part)):
            return sum(self.turns(x.entry) + _is_row_of_ones(x) for x in inner(node))
        of = node.of if isinstance(node, Turned) else node
        if isinstance(of, Named) and of.name == "cross" and all(map(self.lies, of.of)):
            return int(node is of)  # (u × v)ᵀ for rows u and v
        return int(isinstance(node, Turned))

    def transpose(self, x: Matrix) -> Matrix:
        """Exchange rows and columns; see `Products`."""
        raise NotImplementedError

    def lies(self, x: Matrix) -> bool:
        """Say whether a column has transposes, and none as a row."""
        return self.turns(x.entry) > 0 == self.turns(self.transpose(x).entry)


_OF_REAL_COMPLEX = {"dft", "logm", "sqrtm", "logm_frechet", "sqrtm_frechet"}
"""Functions of matrices that are complex where a real one has a negative eigenvalue."""


def _is_complex(e: Any) -> bool:
    """Say whether an entry may be complex: of real A and B that of A + i B is."""
    return e.has(sp.I) or not all(s.is_real for s in e.free_symbols)


def _is_row_of_ones(x: Matrix) -> bool:
    """Say whether a matrix is 𝟏ᵀ."""
    return x.shape[0] == 1 != x.shape[1] and bool(x.entry.is_number)
