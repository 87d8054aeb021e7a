"""Formulas made anew, with other expressions in the place of some."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import Any

import sympy as sp

from symtape.forms.matrix.algebra import Algebra
from symtape.forms.matrix.exponents import divided
from symtape.forms.matrix.nodes import (
    SCALAR,
    Diagonal,
    Inverse,
    Kronecker,
    Matrix,
    Named,
    Node,
    OfDiagonal,
    Part,
    Product,
    Rows,
    Shape,
    Trace,
    Turned,
    inner,
)


class Rebuilt:
    """Makes a formula anew, with other expressions in the place of some.

    Entries that are `swap`ped go wherever they stand; `products` are what a matrix is multiplied
    by, from the left and from the right, if exp(z) goes, of which they tell the entry z. Those of
    `shares` add up to one, which brings numbers out of their products, or scalars if it
    `takes_scalars`.
    """

    def __init__(
        self,
        algebra: Algebra,
        kept: set[sp.Symbol],
        *,
        swap: Mapping[Any, Any] = MappingProxyType({}),
        products: Mapping[Any, tuple[Matrix, Any, Matrix]] = MappingProxyType({}),
        shares: Collection[Any] = (),
        takes_scalars: bool = False,
    ) -> None:
        self.algebra, self.kept, self.swap, self.products = algebra, kept, swap, products
        self.shares, self.takes_scalars = shares, takes_scalars
        self.known: dict[sp.Symbol, Any] = {}

    def of(self, x: Matrix) -> Matrix:
        """Make a matrix anew."""
        for z, (left, share, right) in self.products.items():
            rest, count = divided(x.entry, z)
            if count:
                made = self._product_within(left, rest, share**count, right, x.shape)
                return self._scaled(left, right, made, count - 1)
        if self.products and isinstance(x.entry, (sp.Add, sp.Mul)):
            joined = self.algebra.plus if x.entry.is_Add else self._times
            return joined(*[self.of(self._alone(e, x.shape)) for e in x.entry.args])
        entry = x.entry.xreplace(self.swap)
        known = [s for s in entry.free_symbols if s in self.algebra.nodes]
        fresh = {s: self._symbol(s) for s in sorted(known, key=self.algebra.place)}
        return Matrix(entry.xreplace(fresh), x.shape)

    def _times(self, *factors: Matrix) -> Matrix:
        """Multiply by entry; A ⊙ (diag(s) B) is diag(s) (A ⊙ B), and likewise from the right."""
        algebra = self.algebra
        before: list[Matrix] = []
        made: list[Matrix] = []
        behind: list[Matrix] = []
        for x in factors:
            scale, bare = algebra.split(x)
            node = algebra.nodes.get(bare)
            parts = [*node.parts] if isinstance(node, Product) and 1 not in x.shape else []
            whole = len(parts)
            for ends, at in ((before, 0), (behind, -1)):
                if len(parts) > 1 and isinstance(algebra.node(parts[at]), Diagonal):
                    ends.append(parts.pop(at))
            is_apart = len(parts) < whole
            made.append(
                algebra.times(algebra.number(scale), algebra.product(*parts)) if is_apart else x
            )
        return algebra.product(*before, algebra.times(*made), *behind)

    def _alone(self, e: Any, shape: Shape) -> Matrix:
        return Matrix(e, shape if self.algebra.arrays(e) else SCALAR)

    def _scaled(self, left: Matrix, right: Matrix, x: Matrix, count: int) -> Matrix:
        return self.algebra.product(*[left] * count, x, *[right] * count)

    def _product_within(
        self, left: Matrix, e: Any, share: Any, right: Matrix, shape: Shape
    ) -> Matrix:
        """Multiply what is multiplied by a share, or a sum in it, whichever is shorter."""
        algebra = self.algebra
        factors = [self.of(Matrix(f, shape)) for f in sp.Mul.make_args(e)]
        ways = [algebra.product(left, algebra.times(Matrix(share, shape), *factors), right)]
        for k, factor in enumerate(factors):
            if algebra.arrays(factor.entry):
                scale, bare = algebra.split(factor)  # -(A + B), too
                whole = algebra.opened(Matrix(bare, shape))
                terms = [Matrix(t, shape) for t in sp.Add.make_args(whole.entry)]
                scaled = algebra.plus(*[algebra.product(left, t, right) for t in terms])
                rest = (algebra.number(scale), *factors[:k], *factors[k + 1 :])
                ways.append(algebra.times(Matrix(share, shape), scaled, *rest))
        return min(map(algebra.normal, ways), key=algebra.length)

    def _symbol(self, symbol: sp.Symbol) -> Any:
        if symbol not in self.known:
            node = self.algebra.nodes[symbol]
            of = node.of if isinstance(node, Turned) else node
            skip = symbol in self.kept or not inner(of)
            self.known[symbol] = symbol
            self.known[symbol] = symbol if skip else self._node(node).entry
        return self.known[symbol]

    def _product(self, parts: list[Matrix], shape: Shape) -> Matrix:
        """Multiply; (c 𝟏 + x)ᵀ p is c + xᵀ p where the entries of p add up to one."""
        algebra = self.algebra
        if shape == SCALAR and len(parts) == 2:
            for other, share in ((0, 1), (1, 0)):
                terms = sp.Add.make_args(parts[other].entry)
                scalars = [t for t in terms if t.is_number or self._comes_out(t)]
                scale, bare = algebra.split(parts[share])
                if 0 < len(scalars) < len(terms) and bare in self.shares:
                    rest = sp.Add(*[t for t in terms if t not in scalars])
                    parts[other] = Matrix(rest, parts[other].shape)
                    parts[share] = Matrix(bare, parts[share].shape)
                    c = algebra.number(sp.Add(*scalars))
                    return algebra.times(
                        algebra.number(scale), algebra.plus(c, algebra.product(*parts))
                    )
        return algebra.product(*parts)

    def _comes_out(self, term: Any) -> bool:
        """Say whether a scalar comes out of a sum: logarithms of sums may cancel then."""
        return self.takes_scalars and not self.algebra.arrays(term)

    def _node(self, node: Node) -> Matrix:
        algebra = self.algebra
        match node:
            case Turned(of):
                return algebra.transpose(self._node(of))
            case Product(parts):
                return self._product([self.of(part) for part in parts], node.shape)
            case Kronecker(parts):
                return algebra.kronecker(*map(self.of, parts))
            case Inverse(of):
                return algebra.inverse(self.of(of))
            case Diagonal(of):
                return algebra.diagonal(self.of(of))
            case OfDiagonal(of):
                return algebra.of_diagonal(self.of(of))
            case Trace(of):
                return algebra.trace(self.of(of))
            case Part(of):
                return algebra.part_if_long(self.of(of))
            case Rows(places, shape):
                return algebra.of(Rows(self.of(places), shape))
            case Named(name, of, shape):
                return algebra.of(Named(name, tuple(map(self.of, of)), shape))
        return algebra.of(node)


def symbols_in(algebra: Algebra, x: Matrix) -> list[sp.Symbol]:
    """List all symbols of a formula, within its parts, too."""
    found: dict[sp.Symbol, None] = {}
    stack = [x]
    while stack:
        for symbol in sorted(stack.pop().entry.free_symbols, key=algebra.place):
            if symbol not in found:
                found[symbol] = None
                stack.extend(inner(algebra.nodes[symbol]))
    return list(found)


def matrices_in(algebra: Algebra, x: Matrix) -> list[Matrix]:
    """List a formula, and all that it is made of."""
    return [x, *[m for s in symbols_in(algebra, x) for m in inner(algebra.nodes[s])]]
