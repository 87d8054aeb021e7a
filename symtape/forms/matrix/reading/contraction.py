"""A product of factors with indices, as matrices: indices are nodes of a graph, matrices its edges.

Vectors are weights of nodes. An index that is summed over is taken out: with no edge it leaves a
scalar, uᵀv; with one, a matrix times a vector; with two, a product with a diagonal between them.
Parallel edges are multiplied by element, and a loop is a diagonal, or a trace. The array ε ties
three indices; a vector at one of them makes it a matrix, [u]×.
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

    def __init__(self, algebra: Algebra, sizes: dict[int, int], *, is_rough: bool = False) -> None:
        self.algebra, self.sizes, self.is_rough = algebra, sizes, is_rough
        self.scalars: list[Matrix] = []
        self._weights: dict[int, list[Matrix]] = {}
        self.edges: list[Edge] = []
        self.turns: list[Sequence[int]] = []

    def turn(self, indices: Sequence[int]) -> None:
        """Multiply by ε with three indices."""
        self.turns.append(indices)

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
        found = {i for a, b, _ in self.edges for i in (a, b)}.union(self._weights, *self.turns)
        pending = sorted(found.difference(kept))
        while pending or self.turns:
            self._join_parallel(pending)
            if self._takes_a_turn(pending, 2):
                continue
            tied = {i for turn in self.turns for i in turn}
            degrees = {i: len(self._at(i)) for i in pending if i not in tied}
            index = min(degrees, key=lambda i: degrees[i], default=None)
            is_end = index is not None and degrees[index] < 2
            if not is_end and self._takes_a_turn(pending, 1):
                continue
            if index is None or degrees[index] > 2:
                raise NoMatrixFormError(
                    "a sum over an index that three matrices have is no product of matrices"
                )
            pending.remove(index)
            self._take_out(index)
        self._join_parallel([])
        self._weigh_by_loops()
        made = self._result(list(kept))
        return self.algebra.times(*self.scalars, made)

    def _takes_a_turn(self, pending: list[int], count: int) -> bool:
        """Write u × v for ε and two vectors at its indices, or [u]× for ε and one."""
        for turn in self.turns:
            own = [k for k in range(3) if turn[k] in pending and self._is_alone(turn[k], turn)]
            if len(own) >= count:
                self.turns.remove(turn)
                first = self._begins(turn) if len(own) == 3 else own[own == [0, 2]]
                u, v, w = (turn[(first + k) % 3] for k in range(3))
                turning = self._vector(u, pending)
                if count == 2:
                    self._weigh(w, self.algebra.cross(turning, self._vector(v, pending)))
                else:
                    self.multiply(self.algebra.skew(turning), (w, v))
                return True
        return False

    def _begins(self, turn: Sequence[int]) -> int:
        """Say which two of three vectors are multiplied: those that have been already."""
        vectors = [self._weight(i) or self.algebra.ones(3) for i in turn]
        ways = [self.algebra.is_cross(vectors[k], vectors[k - 2]) for k in range(3)]
        return ways.index(True) if True in ways else 0

    def _vector(self, i: int, pending: list[int]) -> Matrix:
        """Take the vector at an index out, which is summed over then."""
        found = self._weight(i) or self.algebra.ones(3)
        pending.remove(i)
        self._weights.pop(i, None)
        return found

    def _is_alone(self, i: int, turn: Sequence[int]) -> bool:
        """Say whether vectors alone have an index of ε, too."""
        others = [j for own in self.turns if own is not turn for j in own]
        return turn.count(i) == 1 and i not in others and not self._at(i)

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
        middle = [] if weight is None else [algebra.diagonal(weight, is_rough=self.is_rough)]
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
