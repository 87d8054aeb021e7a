"""Exponentials that are divided by their sum, and logarithms of that sum, by their names."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

import sympy as sp

from symtape.forms.matrix.algebra import Algebra
from symtape.forms.matrix.nodes import (
    SCALAR,
    Diagonal,
    Inverse,
    Matrix,
    Named,
    Node,
    OfDiagonal,
    Part,
    Product,
    Rows,
    Shape,
    Trace,
    inner,
)


def with_softmax(algebra: Algebra, x: Matrix) -> Matrix:
    """Write softmax(z) for exp(z)/(1ᵀ exp(z)), and logsumexp(z), where it gets shorter."""
    for total, exponents in list(_sums(algebra, x)):
        p = algebra.of(Named("softmax", (exponents,), exponents.shape))
        log = algebra.of(Named("logsumexp", (exponents,), SCALAR))
        swap = {sp.exp(exponents.entry): total * p.entry, sp.log(total): log.entry}
        turned = algebra.transpose(exponents)
        row = algebra.transpose(p)
        swap[sp.exp(turned.entry)] = total * row.entry
        made = algebra.normal(Rebuilt(algebra, swap, {total}, {p.entry, row.entry}).of(x))
        x = min(x, made, key=algebra.length)
    return x


def _sums(algebra: Algebra, x: Matrix) -> Iterator[tuple[sp.Symbol, Matrix]]:
    """Find the scalars in a formula that are a sum of exponentials."""
    for symbol in _symbols(algebra, x):
        node = algebra.nodes[symbol]
        if isinstance(node, Product) and node.shape == SCALAR and len(node.parts) == 2:
            for ones, powers in (node.parts, node.parts[::-1]):
                if ones.entry == 1 and isinstance(powers.entry, sp.exp):
                    z = Matrix(powers.entry.args[0], powers.shape)
                    yield symbol, z if z.is_column else algebra.transpose(z)


def _symbols(algebra: Algebra, x: Matrix) -> list[sp.Symbol]:
    """List all symbols of a formula, within its parts, too."""
    found: dict[sp.Symbol, None] = {}
    stack = [x]
    while stack:
        for symbol in sorted(stack.pop().entry.free_symbols, key=algebra.place):
            if symbol not in found:
                found[symbol] = None
                stack.extend(inner(algebra.nodes[symbol]))
    return list(found)


class Rebuilt:
    """Makes a formula anew, with other expressions in the place of some.

    The entries of `shares` add up to one.
    """

    def __init__(
        self,
        algebra: Algebra,
        swap: Mapping[Any, Any],
        kept: set[sp.Symbol],
        shares: Collection[Any],
    ) -> None:
        self.algebra, self.swap, self.kept, self.shares = algebra, swap, kept, shares
        self.known: dict[sp.Symbol, Any] = {}

    def of(self, x: Matrix) -> Matrix:
        """Make a matrix anew."""
        entry = x.entry.xreplace(self.swap)
        fresh = {s: self._symbol(s) for s in entry.free_symbols if s in self.algebra.nodes}
        return Matrix(entry.xreplace(fresh), x.shape)

    def _symbol(self, symbol: sp.Symbol) -> Any:
        if symbol not in self.known:
            node = self.algebra.nodes[symbol]
            skip = symbol in self.kept or not inner(node)
            self.known[symbol] = symbol
            self.known[symbol] = symbol if skip else self._node(node).entry
        return self.known[symbol]

    def _product(self, parts: list[Matrix], shape: Shape) -> Matrix:
        """Multiply; (c 𝟏 + x)ᵀ p is c + xᵀ p where the entries of p add up to one."""
        algebra = self.algebra
        if shape == SCALAR and len(parts) == 2:
            for other, share in ((0, 1), (1, 0)):
                number, rest = parts[other].entry.as_coeff_Add()
                scale, bare = algebra.split(parts[share])
                if number != 0 and rest != 0 and bare in self.shares:
                    parts[other] = Matrix(rest, parts[other].shape)
                    parts[share] = Matrix(bare, parts[share].shape)
                    whole = algebra.plus(algebra.number(number), algebra.product(*parts))
                    return algebra.times(algebra.number(scale), whole)
        return algebra.product(*parts)

    def _node(self, node: Node) -> Matrix:
        algebra = self.algebra
        match node:
            case Product(parts):
                return self._product([self.of(part) for part in parts], node.shape)
            case Inverse(of):
                return algebra.inverse(self.of(of))
            case Diagonal(of):
                return algebra.diagonal(self.of(of))
            case OfDiagonal(of):
                return algebra.of_diagonal(self.of(of))
            case Trace(of):
                return algebra.trace(self.of(of))
            case Part(of):
                return algebra.part(self.of(of))
            case Rows(places, shape):
                return algebra.of(Rows(self.of(places), shape))
            case Named(name, of, shape):
                return algebra.of(Named(name, tuple(map(self.of, of)), shape))
        return algebra.of(node)
