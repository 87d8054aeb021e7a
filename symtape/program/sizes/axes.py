"""Which axes of a program are of one size, or longer and shorter by a number.

A union over (step, axis): operations say which axes are one, and which differ by as much as they
did when they were recorded, as those of `x` and `x[1:]` do. An axis keeps its number where the
program tells it: a size of 1, a number of a slice, what is taken apart.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, count, islice
from typing import Any, NamedTuple

import sympy as sp

from symtape.errors import UnsupportedError
from symtape.program import kinds
from symtape.program.operations import Operation, Shape
from symtape.program.placement import Form
from symtape.program.program import Program
from symtape.program.structural import WHOLE

SMALL = "it is 0 or 1"

WRITTEN = "so many places of an axis are taken"

_LEFT = "a part of it has 0 or 1 elements"

_LETTERS = "mnpqrstkl"

Axis = tuple[int, int]
"""A step, and one of its axes, counted from the first."""

Alike = tuple[int, tuple[int, ...]]
"""A step, and those whose axes, one after another, are its axes, as of a Jacobian."""


def letters(taken: Container[str], number: int) -> Iterator[str]:
    """Give letters for a number of sizes: one alone is called n.

    >>> [*letters("n", 1)], [*letters("x", 3)]
    (['m'], ['m', 'n', 'p'])
    """
    order = dict.fromkeys(("n" if number == 1 else "") + _LETTERS)
    numbered = (f"{c}{k}" for k in count(1) for c in _LETTERS)
    yield from islice((name for name in chain(order, numbered) if name not in taken), number)


class Size(NamedTuple):
    """As long as an axis, and some elements more."""

    root: Axis
    more: int = 0


class Sizes:
    """The sizes of what positions are computed from, by the first axis that has them.

    What derivatives are `alike` says more of their axes than operations do: the steps that it names
    are looked at, too.
    """

    def __init__(self, program: Program, *positions: int, alike: Sequence[Alike] = ()) -> None:
        self.program = program
        self.own = program.ancestors(positions)
        met = {*self.own}
        said = [(p, parts) for p, parts in alike if p in met]
        self.steps = program.ancestors([*positions, *[q for _, parts in said for q in parts]])
        self.parents: dict[Axis, Axis] = {}
        self.kept: dict[Axis, str] = {}
        for p in self.steps:
            for k, n in enumerate(self.shape(p)):
                self.parents[p, k] = p, k
                if n <= 1:
                    self.kept[p, k] = SMALL
        self._check_numbers()
        self.pending: list[Callable[[bool], bool]] = []
        """What ties axes once it is known which others keep their sizes, or has to keep them."""
        for p in self.steps:
            operation, *operands = program.steps[p]
            RULES.get(type(operation), _keep_all)(self, p, operation, operands)
        for p, parts in said:
            axes = [(q, k) for q in parts for k in range(len(self.shape(q)))]
            if len(axes) == len(self.shape(p)):
                for k, axis in enumerate(axes):
                    self.same((p, k), axis)
        self._settle()

    def _settle(self) -> None:
        """Tie what can be tied, and only then keep one axis after the other."""
        is_news = True
        while is_news:
            while any([say(False) for say in self.pending]):
                pass
            is_news = any(say(True) for say in self.pending)

    def _check_numbers(self) -> None:
        """Refuse numbers that may come from sizes: none says from which."""
        for p in self.own:
            operation = self.program.steps[p][0]
            is_derived = p >= self.program.recorded
            if is_derived and type(operation) is kinds.Constant and _may_count(operation):
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
        if self.number(a) != self.number(b):
            raise UnsupportedError(f"v{a[0]} and v{b[0]} have axes that are one and differ")
        self.tied(a, b)

    def tied(self, a: Axis, b: Axis) -> None:
        """Say that two axes differ by as much as they do, whatever their sizes are."""
        first, second = sorted((self.root(a), self.root(b)))
        if first != second:
            self.parents[second] = first
            if second in self.kept:
                self.kept.setdefault(first, self.kept.pop(second))
            if self.kept.get(first) == SMALL and self.number(a) != self.number(b):
                self.kept[first] = _LEFT

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

    def is_kept(self, axis: Axis) -> bool:
        """Say whether an axis has the size that it has."""
        return self.root(axis) in self.kept

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
            if type(self.program.steps[p][0]) is kinds.Input:
                for k, n in enumerate(self.shape(p)):
                    if self.root((p, k)) not in self.kept:
                        found[self.root((p, k))] = n
        return found

    def unknown(self, steps: Iterable[int]) -> Iterator[tuple[Axis, str]]:
        """Give axes of some steps of which nobody knows what they are at other sizes, and why."""
        for p in steps:
            for k in range(len(self.shape(p)) if (p, 0) in self.parents else 0):
                why = self.kept.get(self.root((p, k)), SMALL)
                if why not in (SMALL, WRITTEN):
                    yield (p, k), why

    def loose(self) -> list[Axis]:
        """List the sizes that nobody tells: those of no leaf, such as those of ones."""
        own = {self.root(axis) for axis in self.parents}
        return sorted(own - self.free().keys() - self.kept.keys())

    def sizes(self, p: int) -> list[Size]:
        """Give the size of each axis of a step."""
        return [self.size((p, k)) for k in range(len(self.shape(p)))]

    def size(self, axis: Axis) -> Size:
        """Give the size of an axis."""
        root = self.root(axis)
        return Size(root, self.number(axis) - self.number(root))

    def shape_at(self, p: int, numbers: Mapping[Axis, int]) -> Shape:
        """Give the shape of a step where the axes that stand for sizes have other numbers."""
        known = {root: n - self.number(root) for root, n in numbers.items()}
        own = zip(self.sizes(p), self.shape(p), strict=True)
        return tuple([n + known.get(size.root, 0) for size, n in own])


def _may_count(operation: kinds.Constant) -> bool:
    """Say whether a size may be a factor of a number that a rule of derivatives multiplies by."""
    number = operation.number
    return isinstance(number, (int, sp.Rational)) and abs(number) not in (0, 1)


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


def _einsum(s: Sizes, p: int, operation: kinds.Einsum, operands: Sequence[int]) -> None:
    met: dict[int, Axis] = {}
    terms = [*zip(operation.inputs, operands, strict=True), (operation.output, p)]
    for indices, q in terms:
        for k, i in enumerate(indices):
            s.same(met.setdefault(i, (q, k)), (q, k))


def _reshape(s: Sizes, p: int, operation: kinds.Reshape, operands: Sequence[int]) -> None:
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


def _ranges(
    s: Sizes, p: int, operation: kinds.Slice | kinds.Embed, operands: Sequence[int]
) -> None:
    """Pass axes over that are taken whole, and tie those of which all but a number is taken."""
    (q,) = operands
    lead = len(s.shape(p)) - len(operation.ranges)
    whole, part = (q, p) if type(operation) is kinds.Slice else (p, q)
    why = f"{type(operation).__name__.lower()} has it"
    for k, n in enumerate(s.shape(whole)):
        growth = 1 if k < lead else growth_of(operation, k - lead, n)
        if growth == 1:
            s.tied((whole, k), (part, k))
        elif growth == 0:
            s.keep_axis((part, k), WRITTEN)
        else:
            s.keep_axis((part, k), why)
            s.keep_axis((whole, k), why)


def growth_of(operation: kinds.Slice | kinds.Embed, k: int, n: int) -> int | None:
    """Say how many places more range `k` takes of an axis that is longer than `n` by one.

    None where nobody knows.
    """
    taken = operation.ranges[k]
    if not operation.ends:
        return 1 if taken == (0, 1, n) else None
    ends = operation.ends[k]
    if ends is None:
        return None
    if ends[0] == ends[1]:
        return 0
    return 1 if taken[1] == (1 if ends == WHOLE else -1) else None


def _gather(s: Sizes, p: int, operation: kinds.Gather, operands: Sequence[int]) -> None:
    """Let elements be chosen from an axis of any size: which, is a matter of data."""
    x, indices = operands
    axis = len(s.shape(x)) - 1 - operation.after
    _chosen(s, (x, axis, 1), (p, axis, len(s.shape(indices)) - operation.batch), indices, operation)


def _scatter(s: Sizes, p: int, operation: kinds.Scatter, operands: Sequence[int]) -> None:
    updates, indices = operands
    axis = len(s.shape(p)) - 1 - operation.after
    own = len(s.shape(indices)) - operation.batch
    _chosen(s, (p, axis, 1), (updates, axis, own), indices, operation)


def _chosen(
    s: Sizes,
    whole: tuple[int, int, int],
    part: tuple[int, int, int],
    indices: int,
    operation: kinds.Gather | kinds.Scatter,
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


def _concat(s: Sizes, p: int, operation: kinds.Concat, operands: Sequence[int]) -> None:
    """Let one of the parts be of any size if the others keep theirs."""
    axis = len(s.shape(p)) + operation.axis
    for q in operands:
        for k in range(len(s.shape(p))):
            if k != axis:
                s.same((p, k), (q, k))
    s.pending.append(partial(_joined, s, (p, axis), [(q, axis) for q in operands]))


def _joined(s: Sizes, whole: Axis, parts: Sequence[Axis], keeps: bool) -> bool:
    free = [axis for axis in parts if not s.is_kept(axis)]
    if len(free) == 1:
        is_news = s.root(whole) != s.root(free[0])
        s.tied(whole, free[0])
        return is_news
    is_news = keeps and (bool(free) or not s.is_kept(whole))
    if not is_news:
        return False
    reasons = {s.kept.get(s.root(axis)) for axis in parts}
    why = WRITTEN if reasons <= {SMALL, WRITTEN} else "concat has it"
    for axis in (whole, *free):
        s.keep_axis(axis, why)
    return True


def _assemble(s: Sizes, p: int, operation: kinds.Assemble, operands: Sequence[int]) -> None:
    """Let a block and a diagonal be as long as the axes that they are on, but for a number."""
    for q, (counts, forms) in zip(operands, operation.placements, strict=True):
        own = {i: [axis] for i, axis in block_axes(s.shape(q), counts, q).items()}
        for k, form in enumerate(forms):
            index = whole_index(form, counts, operation.shape[k])
            if index is not None:
                own.setdefault(index, []).append((p, k))
        for axes in own.values():
            for axis in axes[1:]:
                s.same(axes[0], axis)
        for k, form in enumerate(forms):
            if whole_index(form, counts, operation.shape[k]) is None:
                axes = [own[i][0] for i in form.indices if i in own]
                s.pending.append(partial(_placed, s, (p, k), form, counts, axes))


def _placed(
    s: Sizes, whole: Axis, form: Form, counts: Shape, axes: Sequence[Axis], keeps: bool
) -> bool:
    """Keep an axis with a block on it, unless both are tied.

    A block that grows with its axis, and is inside of it whatever its size is, starts at a number
    from the first place; counted downwards, from the last.
    """
    band = len(form.parts) == 1 and abs(form.parts[0][0]) == 1 and len(axes) == 1
    if band and counts[form.indices[0]] > 1 and s.root(whole) == s.root(axes[0]):
        return False
    if not keeps or all([s.is_kept(axis) for axis in (whole, *axes)]):
        return False
    for axis in (whole, *axes):
        s.keep_axis(axis, "assemble has it")
    return True


def block_axes(shape: Shape, counts: Shape, q: int = 0) -> dict[int, Axis]:
    """Give the axis of a block for each index of its placement along which it is not repeated."""
    missing = len(counts) - len(shape)
    return {k + missing: (q, k) for k, n in enumerate(shape) if n == counts[k + missing]}


def whole_index(form: Form, counts: Shape, n: int) -> int | None:
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


def _solve(s: Sizes, p: int, operation: kinds.Solve, operands: Sequence[int]) -> None:
    a, b = operands
    if operation.form != "tridiagonal":
        _square(s, a)
    rows = len(s.shape(a)) - 1, len(s.shape(b)) - 2
    s.same((a, rows[0]), (b, rows[1]))
    s.aligned(p, b)
    s.aligned(b, a, leave=2)


def _of_squares(s: Sizes, p: int, _: Operation, operands: Sequence[int]) -> None:
    (q,) = operands
    _square(s, q)
    for k in range(len(s.shape(p))):
        s.same((p, k), (q, k))


def _turned(s: Sizes, p: int, _: Operation, operands: Sequence[int]) -> None:
    (q, *_rest), rank = operands, len(s.shape(p))
    for k in range(rank):
        s.same((p, k), (q, k if k < rank - 2 else 2 * rank - 3 - k))


def _position(s: Sizes, p: int, operation: kinds.Position, operands: Sequence[int]) -> None:
    rule = _broadcast if operation.which == "argsort" else _reduction
    rule(s, p, operation, operands)


def _windows(
    s: Sizes, p: int, operation: kinds.Windows | kinds.Overlap, operands: Sequence[int]
) -> None:
    """Tie the number of windows to the axis along which they move by one place."""
    (q,) = operands
    wide, narrow = (p, q) if type(operation) is kinds.Windows else (q, p)
    end, number = len(s.shape(narrow)) - operation.after, len(operation.windows)
    first = end - number
    for k in range(first):
        s.same((wide, k), (narrow, k))
    for k in range(operation.after):
        s.same((wide, end + number + k), (narrow, end + k))
    for k, window in enumerate(operation.windows, first):
        s.keep_axis((wide, k + number), WRITTEN)
        if window.stride == 1:
            s.tied((narrow, k), (wide, k))
        else:
            s.keep_axis((narrow, k), "a window moves by more than one place")
            s.keep_axis((wide, k), "a window moves by more than one place")


RULES: dict[type[Operation], Rule] = {
    kinds.Input: _nothing,
    kinds.Constant: lambda s, p, *_: s.keep(p, "it is written"),
    kinds.Map: _broadcast,
    kinds.AddN: _broadcast,
    kinds.Cast: _broadcast,
    kinds.Cumsum: _broadcast,
    kinds.Cumprod: _broadcast,
    kinds.Recurrence: _broadcast,
    kinds.Einsum: _einsum,
    kinds.Count: _nothing,
    kinds.Reshape: _reshape,
    kinds.Slice: _ranges,
    kinds.Embed: _ranges,
    kinds.Gather: _gather,
    kinds.Scatter: _scatter,
    kinds.Concat: _concat,
    kinds.Assemble: _assemble,
    kinds.Extremum: _reduction,
    kinds.Position: _position,
    kinds.Windows: _windows,
    kinds.Overlap: _windows,
    kinds.Product: _reduction,
    kinds.Inverse: _on_squares,
    kinds.Cholesky: _on_squares,
    kinds.Band: _broadcast,
    kinds.Solve: _solve,
    kinds.Determinant: _of_squares,
    kinds.LogDeterminant: _of_squares,
    kinds.MatrixFunction: _on_squares,
    kinds.PseudoInverse: _turned,
    kinds.Eigh: _of_squares,
    kinds.Eig: _of_squares,
}
"""What is one, by kind; of every other kind the sizes stay as they are."""
