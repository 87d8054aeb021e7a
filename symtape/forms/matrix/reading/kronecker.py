"""Derivatives with three or four axes as matrices, of which vec makes the rows and the columns.

vec puts the columns of a matrix below each other: vec(A X B) = (Bᵀ ⊗ A) vec(X), and K vec(X) is
vec(Xᵀ), as in Magnus and Neudecker, *Matrix differential calculus* (2019), chapters 2 and 3. Axes
that no factor ties together are the factors of a Kronecker product, from the last to the first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import NamedTuple, Protocol

import sympy as sp

from symtape.calculus.terms.association import Factor
from symtape.calculus.terms.expansion import Expander
from symtape.calculus.terms.terms import Term
from symtape.errors import NoMatrixFormError
from symtape.forms.matrix.nodes import Matrix
from symtape.forms.matrix.reading.contraction import Contraction
from symtape.forms.matrix.writing.shortening import Shortening
from symtape.program.kinds.placement import Form
from symtape.program.program import Builder

_MOST_PARTS = 5


class Reader(Protocol):
    """What factors are read with."""

    b: Builder
    algebra: Shortening
    expander: Expander

    def read(self, p: int) -> Matrix:
        """Give a position in its shortest form."""


class Slot(NamedTuple):
    """An axis, or a part of one: the index along it, if any, and the places that it selects."""

    along: int | None
    choice: Matrix | None = None


class Part(NamedTuple):
    """A matrix, and which slots of the rows and of the columns it has."""

    rows: tuple[int, ...]
    columns: tuple[int, ...]
    matrix: Matrix


def vectorized(reader: Reader, p: int, rows: int) -> Matrix:
    """Read a position whose first axes are rows; raises `NoMatrixFormError` where it is none."""
    terms = reader.expander.expand(p)
    if any(q == p for term in terms for q, _ in term.factors):
        shape = reader.b.shapes[p]
        raise NoMatrixFormError(f"an array of shape {shape} is no Kronecker product of matrices")
    return reader.algebra.plus(*[_Term(reader, t, p, rows).matrix(t.factors) for t in terms])


class _Term:
    """Writes one product of factors."""

    def __init__(self, reader: Reader, term: Term, p: int, rows: int) -> None:
        self.reader, self.algebra = reader, reader.algebra
        self.sizes = reader.expander.sizes
        self.number = sp.Rational(*term.number.as_integer_ratio())
        axes = [*zip(term.axes, reader.b.shapes[p], strict=True)]
        self.left, self.right = self._slots(axes[:rows]), self._slots(axes[rows:])

    def matrix(self, factors: Sequence[Factor]) -> Matrix:
        """Write some of the factors, with the number."""
        weights = [f for f in factors if self._is_weight(f)]
        if weights:
            places = [self._places(slot) for slot in self.left]
            self.left = [slot._replace(choice=None) for slot in self.left]
            rest = self.matrix([f for f in factors if f not in weights])
            by = self.algebra.diagonal(self._vector(weights))
            return self.algebra.product(self.algebra.kronecker(*places), by, rest)
        ends = {s.along for s in (*self.left, *self.right) if s.along is not None}
        reached = self._tied(ends, factors)
        graph = self._graph([f for f in factors if not reached & {*f[1]}])
        scalar = self.algebra.times(self.algebra.number(self.number), graph.contracted([]))
        return self.algebra.times(scalar, self._joined([*self._parts(factors)]))

    def _places(self, slot: Slot) -> Matrix:
        """Give the matrix that puts the entries along an index at their places."""
        if slot.choice is not None:
            return self.algebra.transpose(slot.choice)
        return self.algebra.identity(1 if slot.along is None else self.sizes[slot.along])

    # --- axes -------------------------------------------------------------------------------------

    def _slots(self, axes: Sequence[tuple[Form, int]]) -> list[Slot]:
        """List the axes from the last to the first; one that counts two indices is two."""
        return [slot for form, n in reversed(axes) if n != 1 for slot in self._slot(form, n)]

    def _slot(self, form: Form, n: int) -> list[Slot]:
        parts = sorted(form.parts, reverse=True)
        if not parts:
            return [Slot(None, self.algebra.selection(n, form.offset, 1, 1))]
        if len(parts) == 1:
            ((step, i),) = parts
            whole = (form.offset, step, self.sizes[i]) == (0, 1, n)
            choice = self.algebra.selection(n, form.offset, step, self.sizes[i])
            return [Slot(i, None if whole else choice)]
        after = n
        for step, i in parts:
            is_next = step * self.sizes[i] == after
            after = step if is_next else 0
        if (after, form.offset) != (1, 0):
            raise NoMatrixFormError("places that two indices interlock have no matrix notation")
        return [Slot(i) for _, i in parts]

    # --- factors ----------------------------------------------------------------------------------

    def _wide(self, factor: Factor) -> tuple[int, ...]:
        shape = self.reader.b.shapes[factor[0]]
        return tuple([i for i, n in zip(factor[1], shape, strict=True) if n != 1])

    def _is_weight(self, factor: Factor) -> bool:
        """Say whether a factor goes with both axes of a matrix of rows."""
        rows = [slot.along for slot in self.left]
        is_pair = len({*rows}) == len(rows) == 2
        return is_pair and None not in rows and {*self._wide(factor)} == {*rows}

    def _vector(self, factors: Sequence[Factor]) -> Matrix:
        axes = [slot.along for slot in self.left[::-1] if slot.along is not None]
        return self.algebra.vec(self._graph(factors).contracted(axes))

    def _tied(self, indices: set[int], factors: Sequence[Factor]) -> set[int]:
        """List the indices that factors tie to some."""
        found, before = {*indices}, -1
        while before != len(found):
            before = len(found)
            found |= {i for f in factors if found & {*f[1]} for i in self._wide(f)}
        return found

    def _graph(self, factors: Sequence[Factor]) -> Contraction:
        graph = Contraction(self.algebra, self.sizes)
        for factor in factors:
            graph.multiply(self.reader.read(factor[0]), self._wide(factor))
        return graph

    # --- parts ------------------------------------------------------------------------------------

    def _parts(self, factors: Sequence[Factor]) -> Iterator[Part]:
        """Give what factors tie together, and axes that stand alone."""
        for k, slot in enumerate(self.left):
            if slot.along is None and slot.choice is not None:
                yield Part((k,), (), self.algebra.transpose(slot.choice))
        for k, slot in enumerate(self.right):
            if slot.along is None and slot.choice is not None:
                yield Part((), (k,), slot.choice)
        waiting = [s.along for s in (*self.left, *self.right) if s.along is not None]
        while waiting:
            group = self._tied({waiting[0]}, factors)
            waiting = [i for i in waiting if i not in group]
            yield self._part(group, [f for f in factors if group & {*f[1]}])

    def _part(self, group: set[int], factors: Sequence[Factor]) -> Part:
        rows = [k for k, slot in enumerate(self.left) if slot.along in group]
        columns = [k for k, slot in enumerate(self.right) if slot.along in group]
        own = [self.left[k] for k in rows], [self.right[k] for k in columns]
        made = self._core(*own, factors)
        for slots, at in ((own[0], 0), (own[1], 1)):
            for slot in slots:
                if slot.choice is not None and len(slots) > 1:
                    raise NoMatrixFormError("selections of a vec have no Kronecker product")
                if slot.choice is not None:
                    into = self.algebra.transpose(slot.choice)
                    made = (
                        self.algebra.product(made, slot.choice)
                        if at
                        else self.algebra.product(into, made)
                    )
        return Part(tuple(rows), tuple(columns), made)

    def _core(
        self, rows: Sequence[Slot], columns: Sequence[Slot], factors: Sequence[Factor]
    ) -> Matrix:
        graph = self._graph(factors)
        kept = [s.along for s in (*rows[::-1], *columns) if s.along is not None]
        if (len(rows), len(columns)) == (1, 1):
            return graph.contracted(kept)
        if not columns and len(rows) <= 2:
            return self.algebra.vec(graph.contracted(kept))
        if not rows and len(columns) <= 2:
            return self.algebra.transpose(self.algebra.vec(graph.contracted(kept[::-1])))
        if len({*kept}) == 1 and len(rows) == len(columns) == 2:
            return self.algebra.diagonal(self.algebra.vec(graph.contracted(kept[:2])))
        if any(len({*own}) < len(own) for own in (kept[: len(rows)], kept[len(rows) :])):
            raise NoMatrixFormError("two axes that are one have no Kronecker product with others")
        raise NoMatrixFormError("axes that one factor ties together have no Kronecker product")

    # --- joining ----------------------------------------------------------------------------------

    def _joined(self, parts: list[Part]) -> Matrix:
        """Join the parts in the order of both rows and columns, or with the two exchanged."""
        for order in permutations(parts) if len(parts) <= _MOST_PARTS else ():
            if _is_sorted(order):
                return self._kronecker(order)
        if len(parts) == 2 and all(len(x.rows) == len(x.columns) == 1 for x in parts):
            first, second = sorted(parts, key=lambda part: part.columns)
            swap = self.algebra.commutation(second.matrix.shape[0], first.matrix.shape[0])
            return self.algebra.product(swap, self.algebra.kronecker(first.matrix, second.matrix))
        raise NoMatrixFormError("axes in such an order have no Kronecker product")

    def _kronecker(self, parts: Sequence[Part]) -> Matrix:
        """Multiply columns by rows, and join everything else by Kronecker products."""
        if any(part.rows and part.columns for part in parts):
            return self.algebra.kronecker(*[part.matrix for part in parts])
        columns = [part.matrix for part in parts if part.rows]
        rows = [part.matrix for part in parts if part.columns]
        return self.algebra.product(self.algebra.kronecker(*columns), self.algebra.kronecker(*rows))


def _is_sorted(parts: Sequence[Part]) -> bool:
    rows = [k for part in parts for k in part.rows]
    columns = [k for part in parts for k in part.columns]
    return rows == sorted(rows) and columns == sorted(columns)
