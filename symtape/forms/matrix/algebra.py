"""Makes matrices of matrices, each in one way: on top of products, diagonals and traces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import sympy as sp

from symtape.forms.matrix.nodes import (
    SCALAR,
    Cycle,
    Diagonal,
    Identity,
    Kronecker,
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
    negated,
)
from symtape.forms.matrix.products import Products

_WITH_TWO = 3
"""So many factors a product has of a diagonal and two others."""

_FEW_TERMS = 3
"""Of a sum of so many matrices each trace is looked at."""


class Algebra(Products):
    """Makes matrices of matrices, each in one way; equal nodes have one symbol."""

    def is_fourier(self, x: Matrix) -> bool:
        """Say whether a matrix is that of a discrete Fourier transform."""
        node = self.node(x)
        return isinstance(node, Named) and node.name == "dft"

    def flipped(self, rest: Any) -> Any | None:
        """Turn the sign of a product around where a sum in it has a minus sign: -A (x - b).

        But -(x - a) (x - a)ᵀ, whose factors are alike, stays.
        """
        if isinstance(rest, (sp.re, sp.im, sp.conjugate)):
            (inner,) = rest.args
            return None if (turned := self.flipped(inner)) is None else rest.func(turned)
        node = self.nodes.get(rest)
        k = flippable(node)
        if k is None and (k := flippable_diagonal(node, self.nodes)) is not None:
            return self._with_diagonal_flipped(node, k)
        if isinstance(node, Named):
            return None if k is None else self.symbol(node._replace(of=node.of[::-1]))
        if k is not None and isinstance(node, Diagonal):
            return self.symbol(Diagonal(Matrix(negated(node.of.entry), node.of.shape), node.shape))
        if k is None and isinstance(node, Product):
            return self._with_inner_flipped(node)
        if k is None or not isinstance(node, (Product, Kronecker)):
            return None
        k = self._without_unit(node, k)
        if self.transpose(node.parts[k]) in (*node.parts[:k], *node.parts[k + 1 :]):
            return None
        parts = list(node.parts)
        parts[k] = Matrix(negated(parts[k].entry), parts[k].shape)
        return self.symbol(node._replace(parts=tuple(parts)))

    def _with_inner_flipped(self, node: Product) -> Any | None:
        """Turn a sum around that stands further inside: in B of A (y ⊙ (B (x - b)))."""
        for k, part in enumerate(node.parts):
            ways = ((f, self.flipped(f)) for f in sp.Mul.make_args(part.entry))
            found = next(((f, turned) for f, turned in ways if turned is not None), None)
            if found is not None:
                inner = part._replace(entry=part.entry / found[0] * found[1])
                parts = (*node.parts[:k], inner, *node.parts[k + 1 :])
                return self.symbol(node._replace(parts=parts))
        return None

    def _without_unit(self, node: Product | Kronecker, k: int) -> int:
        """Give the first factor that takes a minus sign in and is no I - P, or that at a place."""
        taking = [m for m, part in enumerate(node.parts) if negated(part.entry) is not None]
        plain = [m for m in taking if not self._has_unit(node.parts[m])]
        return plain[0] if plain else k

    def _has_unit(self, x: Matrix) -> bool:
        return any(isinstance(self.nodes[s], Identity) for s in self.arrays(x.entry))

    def _with_diagonal_flipped(self, node: Any, k: int) -> Any:
        """Turn the sign of the diagonal at a place of a product around."""
        whole = self.flipped(node.parts[k].entry)
        parts = [*node.parts[:k], Matrix(whole, node.parts[k].shape), *node.parts[k + 1 :]]
        return self.symbol(node._replace(parts=tuple(parts)))

    def selection(self, n: int, first: int, step: int, count: int) -> Matrix:
        """Give some rows of the unit matrix."""
        if (first, step, count) == (0, 1, n):
            return self.identity(n)
        return self.of(Selection(first, step, (count, n)))

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
            case Product(parts) if (k := _end_of_column(parts)) is not None:
                u, v = self.product(*parts[:k]), self.product(*parts[k:])
                return self.times(u, self.transpose(v)).entry
            case Product((*rest, last)) if isinstance(by := self.node(last), Diagonal):
                return self.times(self.of_diagonal(self.product(*rest)), by.of).entry
            case Product((first, *rest)) if isinstance(by := self.node(first), Diagonal):
                return self.times(by.of, self.of_diagonal(self.product(*rest))).entry
            case Turned(of):
                return self._of_diagonal(of)
            case Named("skew") | Cycle():
                return sp.S.Zero
            case Part(of) | Named("tril" | "triu", (of,)):
                return self.of_diagonal(of).entry
        return self.symbol(OfDiagonal(self.of(node), (node.shape[0], 1)))

    def trace(self, x: Matrix) -> Matrix:
        """Add up the diagonal, term by term."""
        terms = [self._trace(Matrix(e, x.shape)) for e in sp.Add.make_args(x.entry)]
        return self.plus(*terms)

    def _trace(self, x: Matrix) -> Matrix:
        number, entry = self.split(x)
        node = self.nodes.get(entry)
        if isinstance(node, Identity):
            return self.number(number * self.count(x.shape[0]))
        if isinstance(node, Diagonal):
            return self.times(self.number(number), self.total(node.of))
        if isinstance(node, Product):
            return self.times(self.number(number), self._trace_of_product(list(node.parts)))
        if isinstance(node, Cycle) or (isinstance(node, Named) and node.name == "skew"):
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
        apart = self._term_by_term(parts)
        if apart is not None and not apart.entry.is_Add:
            return apart
        made = min([self._trace_at_best(parts), *self._weighed_rows(parts)], key=self.length)
        return made if apart is None else min(made, apart, key=self.length)

    def _weighed_rows(self, parts: list[Matrix]) -> Iterator[Matrix]:
        """Write vᵀ ((A ⊙ B) 𝟏) for tr(diag(v) A Bᵀ), as a sum of weighed squares of rows is."""
        for k, x in enumerate(parts if len(parts) == _WITH_TWO else ()):
            if isinstance(by := self.node(x), Diagonal):
                a, b = parts[k - 2], parts[k - 1]
                rows = self.product(self.times(a, self.transpose(b)), self.ones(a.shape[1]))
                yield self.product(self.row(by.of), rows)

    def _trace_at_best(self, parts: list[Matrix]) -> Matrix:
        """Give the trace of the order that has the fewest transposes."""
        turned = [self.transpose(x) for x in reversed(parts)]
        ways = [own[k:] + own[:k] for own in (parts, turned) for k in range(len(parts))]
        best = min(ways, key=self._turns)
        whole = self.product(*best)
        node = self.node(whole)
        if not isinstance(node, Product):
            return self.trace(whole)
        return self._of_a_square(node) or self.of(Trace(whole))

    def _term_by_term(self, parts: list[Matrix]) -> Matrix | None:
        """Write 2 tr(A B) for tr((A + Bᵀ Aᵀ B⁻ᵀ) B), whose terms have one trace.

        And tr(A) - ‖A u‖² for tr((I - u uᵀ) A), where the terms of one factor have short ones.
        """
        ways = []
        for k, x in enumerate(parts):
            e = x.entry
            terms = e.args if e.is_Add and len(e.args) <= _FEW_TERMS else ()
            each = [Matrix(t, x.shape) for t in terms]
            made = [self.trace(self.product(*parts[:k], y, *parts[k + 1 :])) for y in each]
            ways += [self.plus(*made)] if made else []
        return min(ways, key=self.length, default=None)

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
        if first == last or self.transpose(first) != minus:
            return None
        square = self.of(Product((first, minus), node.shape))
        return self.times(self.number(-1), self.of(Trace(square)))

    def total(self, v: Matrix) -> Matrix:
        """Add up a vector."""
        return self.product(self.row(self.ones(v.shape[0])), v)


def _end_of_column(parts: Sequence[Matrix]) -> int | None:
    """Say how many factors of a product give a column, which the others as a row multiply."""
    return next((k + 1 for k, x in enumerate(parts) if x.shape[1] == 1), None)
