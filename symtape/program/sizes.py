"""Which axes of a program must be of one size, and the same program at other sizes.

A union of equal ones over (step, axis): operations say which axes are one. An axis keeps its number
where the program tells it: a size of 1, a number of a slice, what is put together or taken apart.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from itertools import chain, count, islice
from math import prod
from typing import Any

import sympy as sp

from symtape.errors import UnsupportedError
from symtape.program import matrices as m
from symtape.program.operations import (
    AddN,
    Cast,
    Constant,
    Count,
    Einsum,
    Input,
    Map,
    Operation,
    Shape,
)
from symtape.program.placement import Assemble, Form, Placement
from symtape.program.program import Builder, Program
from symtape.program.structural import (
    Concat,
    Cumprod,
    Cumsum,
    Embed,
    Extremum,
    Gather,
    Product,
    Recurrence,
    Reshape,
    Scatter,
    Slice,
)

SMALL = "it is 0 or 1"

_LETTERS = "mnpqrstkl"

Axis = tuple[int, int]
"""A step, and one of its axes, counted from the first."""


def letters(taken: Container[str], number: int) -> Iterator[str]:
    """Give letters for a number of sizes: one alone is called n.

    >>> [*letters("n", 1)], [*letters("x", 3)]
    (['m'], ['m', 'n', 'p'])
    """
    order = dict.fromkeys(("n" if number == 1 else "") + _LETTERS)
    numbered = (f"{c}{k}" for k in count(1) for c in _LETTERS)
    yield from islice((name for name in chain(order, numbered) if name not in taken), number)


class Sizes:
    """The sizes of what positions are computed from; a size is the first axis that has it."""

    def __init__(self, program: Program, *positions: int) -> None:
        self.program = program
        self.steps = program.ancestors(positions)
        self.parents: dict[Axis, Axis] = {}
        self.kept: dict[Axis, str] = {}
        for p in self.steps:
            for k, n in enumerate(self.shape(p)):
                self.parents[p, k] = p, k
                if n <= 1:
                    self.kept[p, k] = SMALL
        self._check_numbers()
        for p in self.steps:
            operation, *operands = program.steps[p]
            RULES.get(type(operation), _keep_all)(self, p, operation, operands)

    def _check_numbers(self) -> None:
        """Refuse numbers that may come from sizes: none says from which."""
        for p in self.steps:
            operation = self.program.steps[p][0]
            if type(operation) is Constant and _may_count(operation, p >= self.program.recorded):
                raise UnsupportedError(
                    f"the formula has the number {operation.number}, which may come from a size; "
                    "it holds for the recorded ones"
                )

    def shape(self, p: int) -> Shape:
        """Give the shape of a step; several results have none."""
        found = self.program.shapes[p]
        return found if all(isinstance(n, int) for n in found) else ()

    def root(self, axis: Axis) -> Axis:
        """Give the axis that stands for all that are of one size."""
        parents = self.parents
        while parents[axis] != axis:
            parents[axis] = parents[parents[axis]]
            axis = parents[axis]
        return axis

    def same(self, a: Axis, b: Axis) -> None:
        """Say that two axes are of one size."""
        first, second = sorted((self.root(a), self.root(b)))
        if self.number(a) != self.number(b):
            raise UnsupportedError(f"v{a[0]} and v{b[0]} have axes that are one and differ")
        if first != second:
            self.parents[second] = first
            if second in self.kept:
                self.kept.setdefault(first, self.kept.pop(second))

    def number(self, axis: Axis) -> int:
        """Give the size as it was recorded."""
        return self.shape(axis[0])[axis[1]]

    def keep(self, p: int, why: str) -> None:
        """Say that the axes of a step have the sizes that they have."""
        for k in range(len(self.shape(p))):
            self.keep_axis((p, k), why)

    def keep_axis(self, axis: Axis, why: str) -> None:
        """Say that an axis has the size that it has."""
        self.kept.setdefault(self.root(axis), why)

    def aligned(self, p: int, q: int, *, leave: int = 0) -> None:
        """Say that axes are one that stand in one place from the last, but for the last few."""
        ranks = len(self.shape(p)), len(self.shape(q))
        for back in range(1 + leave, min(ranks) + 1):
            a, b = (p, ranks[0] - back), (q, ranks[1] - back)
            if self.shape(p)[a[1]] == self.shape(q)[b[1]]:
                self.same(a, b)

    # --- what is free -----------------------------------------------------------------------------

    def free(self) -> dict[Axis, int]:
        """Give the sizes that may be other numbers, with their numbers, as leaves have them."""
        found = {}
        for p in self.steps:
            if type(self.program.steps[p][0]) is Input:
                for k, n in enumerate(self.shape(p)):
                    if self.root((p, k)) not in self.kept:
                        found[self.root((p, k))] = n
        return found

    def loose(self) -> list[Axis]:
        """List the sizes that nobody tells: those of no leaf, such as those of ones."""
        own = {self.root(axis) for axis in self.parents}
        return sorted(own - self.free().keys() - self.kept.keys())

    def sizes(self, p: int) -> list[Axis]:
        """Give the size of each axis of a step."""
        return [self.root((p, k)) for k in range(len(self.shape(p)))]

    def at(
        self, numbers: Mapping[Axis, int], letters: Mapping[Axis, str] | None = None
    ) -> tuple[Program, dict[int, int], dict[str, int]]:
        """Make the program for other sizes; what counts elements is a leaf of the letter's name.

        Gives the program, the place of each step in it, and those of the letters.
        """
        b = Builder()
        place: dict[int, int] = {}
        counts: dict[str, int] = {}
        for p in self.steps:
            operation, *operands = self.program.steps[p]
            shape = self._shape_at(p, numbers)
            own = [place[i] for i in operands]
            factors = self._counted(operation, operands, letters) if letters is not None else None
            if factors is not None:
                place[p] = _product(b, *factors, counts, self.program.dtypes[p])
            elif type(operation) is Input:
                place[p] = b.enter(Input(operation.dtype.name, shape, operation.watched))
            else:
                place[p] = b.append(self._operation_at(p, operation, operands, numbers), *own)
            if self.program.shapes[p] == self.shape(p) and b.shapes[place[p]] != shape:
                raise UnsupportedError(f"{operation!r} is not the same for other sizes")
        return b.finish(), place, counts

    def _shape_at(self, p: int, numbers: Mapping[Axis, int]) -> Shape:
        own = zip(self.sizes(p), self.shape(p), strict=True)
        return tuple([numbers.get(size, n) for size, n in own])

    def _counted(
        self, operation: Operation, operands: Sequence[int], letters: Mapping[Axis, str]
    ) -> tuple[int, list[str]] | None:
        """Give the number and the letters whose product is counted, if there is a letter."""
        if type(operation) is not Count:
            return None
        sizes, shape = self.sizes(operands[0]), self.shape(operands[0])
        found = [letters.get(sizes[k], shape[k]) for k in operation.axes]
        number = prod(n for n in found if isinstance(n, int))
        names = [n for n in found if isinstance(n, str)]
        return (number, names) if names else None

    def _operation_at(
        self, p: int, operation: Operation, operands: Sequence[int], numbers: Mapping[Axis, int]
    ) -> Operation:
        make = AGAIN.get(type(operation))
        if make is None:
            return operation
        old = self._shape_at(operands[0], numbers) if operands else ()
        return make(operation, self._shape_at(p, numbers), old)


def _product(
    b: Builder, number: int, names: Sequence[str], counts: dict[str, int], dtype: Any
) -> int:
    """Multiply a number by leaves that are called so."""
    found = b.constant(number, dtype)
    for name in names:
        if name not in counts:
            counts[name] = b.enter(Input(dtype.name, (), False))
        found = b.multiply(found, counts[name])
    return found


def _may_count(operation: Constant, is_derived: bool) -> bool:
    """Say whether a size may be a factor of a number.

    A rule of derivatives multiplies by sizes as whole numbers or fractions, and `tf.size` gives an
    integer; what the author multiplies by has the dtype of the other factor.
    """
    number = operation.number
    is_whole = operation.dtype.kind in "iu" or (
        is_derived and isinstance(number, (int, sp.Rational))
    )
    return is_whole and abs(number) not in (0, 1)


# --- rules ----------------------------------------------------------------------------------------

Rule = Callable[[Sizes, int, Any, Sequence[int]], None]


def _keep_all(s: Sizes, p: int, operation: Operation, operands: Sequence[int]) -> None:
    why = f"{type(operation).__name__.lower()} has it"
    for q in (p, *operands):
        s.keep(q, why)


def _nothing(*_: Any) -> None:
    pass


def _broadcast(s: Sizes, p: int, _: Operation, operands: Sequence[int]) -> None:
    for q in operands:
        s.aligned(p, q)


def _einsum(s: Sizes, p: int, operation: Einsum, operands: Sequence[int]) -> None:
    met: dict[int, Axis] = {}
    terms = [*zip(operation.inputs, operands, strict=True), (operation.output, p)]
    for indices, q in terms:
        for k, i in enumerate(indices):
            s.same(met.setdefault(i, (q, k)), (q, k))


def _reshape(s: Sizes, p: int, operation: Reshape, operands: Sequence[int]) -> None:
    """Pass axes of size 1 over, and keep what is joined or taken apart."""
    (q,) = operands
    old = [(q, k) for k, n in enumerate(s.shape(q)) if n != 1]
    new = [(p, k) for k, n in enumerate(s.shape(p)) if n != 1]
    if [s.shape(q)[k] for _, k in old] == [s.shape(p)[k] for _, k in new]:
        for a, b in zip(old, new, strict=True):
            s.same(a, b)
    else:
        _keep_all(s, p, operation, operands)


def _reduction(s: Sizes, p: int, operation: Any, operands: Sequence[int]) -> None:
    rank = len(s.shape(operands[0]))
    gone = {axis % rank for axis in operation.axes}
    for k, own in enumerate([k for k in range(rank) if k not in gone]):
        s.same((operands[0], own), (p, k))


def _ranges(s: Sizes, p: int, operation: Slice | Embed, operands: Sequence[int]) -> None:
    """Pass axes over that are taken whole, and keep those of which there is a part."""
    (q,) = operands
    lead = len(s.shape(p)) - len(operation.ranges)
    whole = q if type(operation) is Slice else p
    for k in range(len(s.shape(p))):
        if k < lead or _is_whole(operation.ranges[k - lead], s.shape(whole)[k]):
            s.same((p, k), (q, k))
        else:
            for axis in ((p, k), (q, k)):
                s.keep_axis(axis, f"{type(operation).__name__.lower()} has it")


def _is_whole(taken: tuple[int, int, int], n: int) -> bool:
    return taken == (0, 1, n)


def _gather(s: Sizes, p: int, operation: Gather, operands: Sequence[int]) -> None:
    """Let elements be chosen from an axis of any size: which, is a matter of data."""
    x, indices = operands
    axis = len(s.shape(x)) - 1 - operation.after
    _chosen(s, (x, axis, 1), (p, axis, len(s.shape(indices)) - operation.batch), indices, operation)


def _scatter(s: Sizes, p: int, operation: Scatter, operands: Sequence[int]) -> None:
    updates, indices = operands
    axis = len(s.shape(p)) - 1 - operation.after
    own = len(s.shape(indices)) - operation.batch
    _chosen(s, (p, axis, 1), (updates, axis, own), indices, operation)


def _chosen(
    s: Sizes,
    whole: tuple[int, int, int],
    part: tuple[int, int, int],
    indices: int,
    operation: Gather | Scatter,
) -> None:
    """Say which axes are one, of an array with an axis and of one with those of the indices."""
    (x, axis, _), (y, _, own) = whole, part
    for k in range(axis):
        s.same((x, k), (y, k))
    for k in range(axis + 1, len(s.shape(x))):
        s.same((x, k), (y, k - 1 + own))
    for k in range(own):
        s.same((indices, operation.batch + k), (y, axis + k))
    first = axis - operation.between - operation.batch
    for k in range(operation.batch):
        s.same((indices, k), (y, first + k))


def _concat(s: Sizes, p: int, operation: Concat, operands: Sequence[int]) -> None:
    axis = len(s.shape(p)) + operation.axis
    for q in operands:
        for k in range(len(s.shape(p))):
            if k != axis:
                s.same((p, k), (q, k))
        s.keep_axis((q, axis), "concat has it")
    s.keep_axis((p, axis), "concat has it")


def _assemble(s: Sizes, p: int, operation: Assemble, operands: Sequence[int]) -> None:
    """Let a block and a diagonal be as long as the axes that they are on as a whole."""
    for q, (counts, forms) in zip(operands, operation.placements, strict=True):
        missing = len(counts) - len(s.shape(q))
        own = {k: [(q, k - missing)] for k in range(len(counts)) if k >= missing}
        own = {k: axes for k, axes in own.items() if s.number(axes[0]) == counts[k]}
        for k, form in enumerate(forms):
            index = _whole_index(form, counts, operation.shape[k])
            if index is not None:
                own.setdefault(index, []).append((p, k))
                continue
            for axis in [(p, k), *[axis for i in form.indices for axis in own.get(i, ())]]:
                s.keep_axis(axis, "assemble has it")
        for axes in own.values():
            for axis in axes[1:]:
                s.same(axes[0], axis)


def _whole_index(form: Form, counts: Shape, n: int) -> int | None:
    """Give the index that an axis is as a whole."""
    if len(form.parts) != 1 or form != Form.of(form.indices[0]) or counts[form.indices[0]] != n:
        return None
    return form.indices[0]


def _square(s: Sizes, q: int) -> None:
    rank = len(s.shape(q))
    s.same((q, rank - 2), (q, rank - 1))


def _on_squares(s: Sizes, p: int, _: Operation, operands: Sequence[int]) -> None:
    _square(s, operands[0])
    s.aligned(p, operands[0])


def _solve(s: Sizes, p: int, _: Operation, operands: Sequence[int]) -> None:
    a, b = operands
    _square(s, a)
    rows = len(s.shape(a)) - 2, len(s.shape(b)) - 2
    s.same((a, rows[0]), (b, rows[1]))
    s.aligned(p, b)
    s.aligned(b, a, leave=2)


def _of_squares(s: Sizes, p: int, _: Operation, operands: Sequence[int]) -> None:
    (q,) = operands
    _square(s, q)
    for k in range(len(s.shape(p))):
        s.same((p, k), (q, k))


RULES: dict[type[Operation], Rule] = {
    Input: _nothing,
    Constant: lambda s, p, *_: s.keep(p, "it is written"),
    Map: _broadcast,
    AddN: _broadcast,
    Cast: _broadcast,
    Cumsum: _broadcast,
    Cumprod: _broadcast,
    Recurrence: _broadcast,
    Einsum: _einsum,
    Count: _nothing,
    Reshape: _reshape,
    Slice: _ranges,
    Embed: _ranges,
    Gather: _gather,
    Scatter: _scatter,
    Concat: _concat,
    Assemble: _assemble,
    Extremum: _reduction,
    Product: _reduction,
    m.Inverse: _on_squares,
    m.Cholesky: _on_squares,
    m.Band: _broadcast,
    m.Solve: _solve,
    m.Determinant: _of_squares,
}
"""What is one, by kind; of every other kind the sizes stay as they are."""


# --- operations at other sizes --------------------------------------------------------------------

Again = Callable[[Any, Shape, Shape], Operation]
"""Makes an operation whose result, and whose first operand, have other shapes."""


def _einsum_again(operation: Einsum, new: Shape, _: Shape) -> Operation:
    sizes = dict(zip(operation.output, new, strict=True))
    lone = tuple([(i, sizes[i]) for i, _ in operation.sizes])
    return Einsum(operation.inputs, operation.output, lone)


def _reshape_again(operation: Reshape, new: Shape, old: Shape) -> Operation:
    first = len(old) - len(operation.old)
    return Reshape(old[first:], new[len(new) - len(operation.new) :])


def _slice_again(operation: Slice, new: Shape, old: Shape) -> Operation:
    return Slice(_ranges_again(operation.ranges, new, old))


def _embed_again(operation: Embed, new: Shape, old: Shape) -> Operation:
    lead = len(new) - len(operation.ranges)
    return Embed(_ranges_again(operation.ranges, old, new), new[lead:])


def _ranges_again(ranges: Sequence[Any], part: Shape, whole: Shape) -> tuple[Any, ...]:
    lead = len(part) - len(ranges)
    taken = zip(ranges, part[lead:], whole[lead:], strict=True)
    return tuple([(0, 1, n) if count == n else own for own, count, n in taken])


def _scatter_again(operation: Scatter, new: Shape, _: Shape) -> Operation:
    size = new[len(new) - 1 - operation.after]
    return Scatter(operation.after, operation.between, operation.batch, size)


def _assemble_again(operation: Assemble, new: Shape, _: Shape) -> Operation:
    """Give whole axes, and the indices that they are, their sizes."""
    placements = []
    for counts, forms in operation.placements:
        own = list(counts)
        for k, form in enumerate(forms):
            index = _whole_index(form, counts, operation.shape[k])
            if index is not None:
                own[index] = new[k]
        placements.append(Placement(tuple(own), forms))
    return Assemble(new, tuple(placements))


AGAIN: dict[type[Operation], Again] = {
    Einsum: _einsum_again,
    Reshape: _reshape_again,
    Slice: _slice_again,
    Embed: _embed_again,
    Scatter: _scatter_again,
    Assemble: _assemble_again,
}
