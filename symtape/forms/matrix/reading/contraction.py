"""A product of factors with indices, as matrices: indices are nodes of a graph, matrices its edges.

Vectors are weights of nodes. An index that is summed over is taken out: with no edge it leaves a
scalar, uᵀv; with one, a matrix times a vector; with two, a product with a diagonal between them.
Parallel edges are multiplied by element, and a loop is a diagonal, or a trace.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import Any

import sympy as sp

from symtape.errors import NoMatrixFormError
from symtape.forms.matrix.algebra import Algebra
from symtape.forms.matrix.nodes import Matrix

Edge = tuple[int, int, Matrix]


class Contraction:
    """Takes the summed indices of a product out, one by one."""

    def __init__(self, algebra: Algebra, sizes: dict[int, int]) -> None:
        self.algebra, self.sizes = algebra, sizes
        self.scalars: list[Matrix] = []
        self._weights: dict[int, list[Matrix]] = {}
        self.edges: list[Edge] = []

    def multiply(self, x: Matrix, indices: Sequence[int]) -> None:
        """Multiply by a scalar, a vector as a column, or a matrix."""
        if not indices:
            self.scalars.append(x)
        elif len(indices) == 1:
            self._weigh(indices[0], x)
        else:
            self.edges.append((indices[0], indices[1], x))

    def _weigh(self, i: int, x: Matrix) -> None:
        self._weights.setdefault(i, []).append(x)

    def _weight(self, i: int) -> Matrix | None:
        """Multiply the weights of an index, all at once: a product sorts its factors each time."""
        found = self._weights.get(i)
        if found is None or len(found) == 1:
            return found[0] if found else None
        return self.algebra.times(*found)

    def contracted(self, kept: Sequence[int]) -> Matrix:
        """Sum over all indices but some; give the matrix of these, or a column, or a scalar."""
        found = {i for a, b, _ in self.edges for i in (a, b)}.union(self._weights)
        pending = sorted(found.difference(kept))
        while pending:
            self._join_parallel(pending)
            degrees = {i: len(self._at(i)) for i in pending}
            index = min(pending, key=lambda i: degrees[i])
            if degrees[index] > 2:
                raise NoMatrixFormError(
                    "a sum over an index that three matrices have is no product of matrices"
                )
            pending.remove(index)
            self._take_out(index)
        self._join_parallel([])
        self._weigh_by_loops()
        made = self._result(list(kept))
        return self.algebra.times(*self.scalars, made)

    def _at(self, i: int) -> list[Edge]:
        return [edge for edge in self.edges if i in edge[:2]]

    def _join_parallel(self, pending: Sequence[int]) -> None:
        """Multiply edges between the same two indices by element.

        Two edges between summed indices that nothing else has are a trace instead: tr(AᵀB).
        """
        groups: dict[frozenset[int], list[Edge]] = {}
        for edge in self.edges:
            groups.setdefault(frozenset(edge[:2]), []).append(edge)
        made: list[Edge] = []
        for ends, own in groups.items():
            stays = len(ends) == 1 or self._is_trace(ends, own, pending)
            made += own if stays else [self._by_element(own)]
        self.edges = made

    def _is_trace(
        self, ends: AbstractSet[int], own: Sequence[Edge], pending: Sequence[int]
    ) -> bool:
        is_alone = all(len(self._at(i)) == len(own) for i in ends)
        return len(own) == 2 and ends <= set(pending) and is_alone

    def _by_element(self, own: Sequence[Edge]) -> Edge:
        (first, second, made), *rest = own
        for a, _, x in rest:
            made = self.algebra.times(made, x if a == first else self.algebra.transpose(x))
        return first, second, made

    def _weigh_by_loops(self) -> None:
        """Let a matrix on both sides of one index be its diagonal."""
        loops = [edge for edge in self.edges if edge[0] == edge[1]]
        self.edges = [edge for edge in self.edges if edge[0] != edge[1]]
        for i, _, x in loops:
            self._weigh(i, self.algebra.of_diagonal(x))

    def _take_out(self, k: int) -> None:
        """Sum over one index."""
        algebra = self.algebra
        own = self._at(k)
        self.edges = [edge for edge in self.edges if k not in edge[:2]]
        weight = self._weight(k)
        self._weights.pop(k, None)
        loops = [x for a, b, x in own if a == b]
        own = [edge for edge in own if edge[0] != edge[1]]
        if loops and not own and len(loops) == 1:
            front = [algebra.diagonal(weight)] if weight is not None else []
            self.scalars.append(algebra.trace(algebra.product(*front, *loops)))
            return
        for x in loops:
            diagonal = algebra.of_diagonal(x)
            weight = diagonal if weight is None else algebra.times(weight, diagonal)
        if not own:
            ones = algebra.ones(self.sizes[k])
            self.scalars.append(self._dot(ones if weight is None else weight))
            return
        towards = [(a if b == k else b, x if b == k else algebra.transpose(x)) for a, b, x in own]
        if len(own) == 1:
            ((i, x),) = towards
            self._weigh(i, algebra.product(x, weight or algebra.ones(self.sizes[k])))
            return
        (i, x), (j, y) = towards
        middle = [algebra.diagonal(weight)] if weight is not None else []
        made = algebra.product(x, *middle, algebra.transpose(y))
        self.multiply(made, (i, j))

    def _dot(self, v: Matrix) -> Matrix:
        """Add up a vector: of a product of two, by the product of a row and a column."""
        algebra = self.algebra
        number, entry = algebra.split(v)
        factors = [Matrix(e, v.shape) for e in _factors(entry)]
        if len(factors) == 1:
            return algebra.times(Matrix(number, (1, 1)), algebra.total(Matrix(entry, v.shape)))
        first, *rest = factors
        dotted = algebra.product(algebra.row(first), algebra.times(*rest))
        return algebra.times(Matrix(number, (1, 1)), dotted)

    def _result(self, kept: list[int]) -> Matrix:
        algebra = self.algebra
        if not kept:
            return algebra.number(1)
        if len(kept) == 1:
            (i,) = kept
            return self._weight(i) or algebra.ones(self.sizes[i])
        i, j = kept
        if i == j:
            v = self._weight(i)
            return algebra.identity(self.sizes[i]) if v is None else algebra.diagonal(v)
        u, v = self._weight(i), self._weight(j)
        if not self.edges:
            column, row = u or algebra.ones(self.sizes[i]), v or algebra.ones(self.sizes[j])
            return algebra.product(column, algebra.row(row))
        ((a, _, x),) = self.edges
        x = x if a == i else algebra.transpose(x)
        left = [algebra.diagonal(u)] if u is not None else []
        right = [algebra.diagonal(v)] if v is not None else []
        return algebra.product(*left, x, *right)


def _factors(entry: Any) -> list[Any]:
    """List the factors of a product by element, powers as often as they are."""
    found: list[Any] = []
    for e in sp.Mul.make_args(entry):
        base, exponent = e.as_base_exp()
        whole = exponent.is_Integer and 1 < exponent <= 4
        found += [base] * int(exponent) if whole else [e]
    return found
