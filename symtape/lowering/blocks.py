"""Which steps run block by block: large arrays are worked on in pieces that stay in the cache.

A step can run in blocks along an axis if rows of its result depend on the same rows of its operands
alone: whatever is elementwise there, sums and products of the other axes. Such steps make one loop,
as many as can. What leaves a loop is stored row by row, added up (a sum over the axis of the
blocks), or added into its place in an array of zeros (the transpose of a slice).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Any, NamedTuple

from symtape.program import operations as ops
from symtape.program.kinds.structural import Embed, Extremum, Product, Slice
from symtape.program.operations import AddN, Cast, Einsum, Map, Operation, Shape
from symtape.program.program import Program

LARGE = 2**16
"""The number of elements from which on an elementwise step is worth a loop."""
BLOCK = 2**14
"""The number of elements of a block: a few of them stay in the cache of a core."""
_SMALL = 2**12
_FEWEST = 3
"""The number of elementwise steps from which on a loop saves more than it costs."""
_ELEMENTWISE = (Map, AddN, Cast)


class Flow(NamedTuple):
    """How a step takes part: the axis of its rows, None where it sums rows; what it reads by rows.

    `sliced` are the operands from outside that are read block by block, and along which axis.
    """

    axis: int | None
    sliced: dict[int, int]


@dataclass
class Loop:
    """Steps that run block by block along axes of one size."""

    size: int
    members: list[int] = field(default_factory=list)
    axis: dict[int, int] = field(default_factory=dict)
    sliced: dict[int, int] = field(default_factory=dict)
    summed: list[int] = field(default_factory=list)
    stored: list[int] = field(default_factory=list)
    embedded: dict[int, list[int]] = field(default_factory=dict)
    """Sums of embedded rows: for each, the steps that it adds up, embedded ones and members."""
    rows: int = 1


class Rows(NamedTuple):
    """The rows of a step: which loop, and along which axis."""

    level: int
    size: int
    axis: int


class _Arranger:
    def __init__(self, program: Program, order: Sequence[int], outputs: Iterable[int]) -> None:
        self.program = program
        self.order = order
        self.outputs = frozenset(outputs)
        self.level: dict[int, int] = {}
        self.rows: dict[int, Rows] = {}
        self.loops: dict[tuple[int, int], Loop] = defaultdict(lambda: Loop(0))
        self.readers: defaultdict[int, list[int]] = defaultdict(list)
        for p in order:
            for i in dict.fromkeys(program.steps[p][1:]):
                self.readers[i].append(p)

    def arrange(self) -> list[int | Loop]:
        """Put the steps in order, those of a loop together."""
        for p in self.order:
            if not self._joins(p):
                self.level[p] = max([self._after(i) for i in self.program.steps[p][1:]], default=0)
        kept = {key: loop for key, loop in self.loops.items() if self._is_worth_it(loop)}
        self._find_exits(list(kept.values()))
        inside = {p for loop in kept.values() for p in loop.members}
        inside |= {p for loop in kept.values() for p in _embeds(loop)}
        items: list[tuple[int, int, int | Loop]] = [
            (self.level[p], p, p) for p in self.order if p not in inside
        ]
        items += [(level, loop.members[0], loop) for (level, _), loop in kept.items()]
        return [item for _, _, item in sorted(items, key=lambda found: found[:2])]

    def _after(self, p: int) -> int:
        """Give the level of plain steps that read a result."""
        level = self.level.get(p, 0)
        return level + level % 2

    def _joins(self, p: int) -> bool:
        """Let a step take part in the loop of what it reads, or begin one."""
        operation, *operands = self.program.steps[p]
        rule = FLOWS.get(type(operation))
        if rule is None or self.program.dtypes[p].kind not in "fcbiu":
            return False
        reading = [self.rows[i] for i in operands if i in self.rows]
        newest = max(reading, key=lambda r: r.level, default=None)
        if newest is not None and self._joins_at(p, newest.size, newest.level, rule):
            return True
        if type(operation) not in _ELEMENTWISE or prod(self.program.shapes[p]) < LARGE:
            return False
        if is_sum(operation) and any([type(self.program.steps[i][0]) is Embed for i in operands]):
            return False  # a sum of embedded rows is where they leave their loop
        level = max([self.level.get(i, 0) for i in operands], default=0)
        size = _rows_of(self.program.shapes[p])
        return self._joins_at(p, size, level + 1 + level % 2, rule)

    def _joins_at(self, p: int, size: int, level: int, rule: Callable[..., Flow | None]) -> bool:
        operation, *operands = self.program.steps[p]
        own = {
            i: self.rows[i].axis
            for i in operands
            if i in self.rows and self.rows[i][:2] == (level, size)
        }
        if any([self.level.get(i, 0) >= level for i in operands if i not in own]):
            return False
        shapes = [self.program.shapes[i] for i in operands]
        flow = rule(operation, operands, shapes, self.program.shapes[p], own, size)
        loop = self.loops[level, size]
        if flow is None or any([loop.sliced.get(i, k) != k for i, k in flow.sliced.items()]):
            return False  # what is read by rows is not read by columns, too
        loop.size = size
        loop.members.append(p)
        loop.sliced |= flow.sliced
        if flow.axis is None:
            loop.summed.append(p)
            self.level[p] = level
        else:
            loop.axis[p] = flow.axis
            self.level[p] = level
            self.rows[p] = Rows(level, size, flow.axis)
        return True

    def _is_worth_it(self, loop: Loop) -> bool:
        sizes = Counter(
            prod(self.program.shapes[p])
            for p in loop.members
            if type(self.program.steps[p][0]) in _ELEMENTWISE
        )
        large = {size: n for size, n in sizes.items() if size >= LARGE}
        if sum(large.values()) < _FEWEST:
            return False
        usual = max(large, key=lambda size: (large[size], size))
        loop.rows = max(1, BLOCK * loop.size // usual)
        return 2 * loop.rows <= loop.size

    def _find_exits(self, loops: Sequence[Loop]) -> None:
        """Find what is read outside of loops; some may add to one sum, one after another."""
        home, outside = dict[int, Loop](), dict[int, list[int]]()
        for loop in loops:
            inside = set(loop.members)
            home.update(dict.fromkeys(loop.axis, loop))
            outside |= {p: [q for q in self.readers[p] if q not in inside] for p in loop.axis}
        embedded: set[int] = set()
        for p, readers in outside.items():
            if p not in self.outputs and all([self._is_embedded(q) for q in readers]):
                embedded.update(readers)
        totals = dict([self._total_of(q, embedded, outside) for q in sorted(embedded)])
        for total, terms in totals.items():
            for i in terms:
                loop = home[i if i in home else self.program.steps[i][1]]
                loop.embedded.setdefault(total, []).append(i)
        left = set().union(*map(_embeds, loops))
        for p, readers in outside.items():
            is_added = p in left or (readers and left.issuperset(readers))
            if p in self.outputs or (readers and not is_added):
                home[p].stored.append(p)

    def _is_embedded(self, q: int) -> bool:
        return type(self.program.steps[q][0]) is Embed

    def _total_of(
        self, q: int, embedded: Collection[int], outside: Mapping[int, list[int]]
    ) -> tuple[int, list[int]]:
        """Find the sum that an embedded step is a term of, and its terms if the loop makes them.

        A part of any other sum has no zeros of its own: it is stored, and added to its place.
        """
        (total, *others) = self.readers[q] or [q]
        operation, *terms = self.program.steps[total]
        if others or q in self.outputs or not is_sum(operation) or total in self.rows:
            return q, [q]
        shape = self.program.shapes[total]
        is_made = [
            self.program.shapes[i] == shape
            and (outside[i] == [total] if i in outside else self._is_alone(i, embedded))
            for i in terms
        ]
        return total, terms if all(is_made) and len(set(terms)) == len(terms) else []

    def _is_alone(self, p: int, embedded: Collection[int]) -> bool:
        return p in embedded and len(self.readers[p]) == 1 and p not in self.outputs


def _rows_of(shape: Shape) -> int:
    """Choose the axis that is cut into blocks: the first, unless its rows are too long for one."""
    return shape[0] if prod(shape[1:]) <= BLOCK else max(shape)


def is_sum(operation: Operation) -> bool:
    """Say whether a step adds up its operands."""
    return type(operation) is AddN or operation is ops.add


def _embeds(loop: Loop) -> set[int]:
    """List the steps that the exits of a loop stand for."""
    return set(loop.embedded) | {q for terms in loop.embedded.values() for q in terms}


def arrange(program: Program, order: Sequence[int], outputs: Iterable[int]) -> Sequence[int | Loop]:
    """Put steps in order, those that run in blocks as one loop; no loops where nothing is large."""
    if not is_large(program, order):
        return order
    return _Arranger(program, order, outputs).arrange()


def is_large(program: Program, order: Iterable[int]) -> bool:
    """Say whether some elementwise step is worth a loop."""
    shapes, steps = program.shapes, program.steps
    large = {shape for shape in {shapes[p] for p in order} if prod(shape) >= LARGE}
    if not large:
        return False
    return any([shapes[p] in large and type(steps[p][0]) in _ELEMENTWISE for p in order])


# --- how rows flow through a step ---------------------------------------------------------------


def _elementwise(
    operation: Any,
    operands: Sequence[int],
    shapes: Sequence[Shape],
    shape: Shape,
    own: dict[int, int],
    size: int,
) -> Flow | None:
    """Rows stay where they are, counted from the last axis."""
    if own:
        (axis, *others) = {axis - len(shapes[operands.index(i)]) for i, axis in own.items()}
        if others:
            return None
    else:
        axis = shape.index(size) - len(shape)
    if -axis > len(shape) or shape[axis] != size:
        return None
    sliced = {}
    for i, wide in zip(operands, shapes, strict=True):
        if i not in own and -axis <= len(wide) and wide[axis] != 1:
            sliced[i] = len(wide) + axis
    return Flow(len(shape) + axis, sliced)


def _contraction(
    operation: Einsum,
    operands: Sequence[int],
    shapes: Sequence[Shape],
    shape: Shape,
    own: dict[int, int],
    size: int,
) -> Flow | None:
    """Rows are one index of a contraction: it stays, or it is summed."""
    names = {operation.inputs[operands.index(i)][axis] for i, axis in own.items()}
    if len(names) != 1 or len(set(operands)) < len(operands):
        return None
    (row,) = names
    if any([term.count(row) > 1 for term in (*operation.inputs, operation.output)]):
        return None
    if operation.sizes or len(set(operation.output)) < len(operation.output):
        return None
    sliced = {}
    for i, term, wide in zip(operands, operation.inputs, shapes, strict=True):
        if i not in own and row in term:
            sliced[i] = term.index(row)
        elif (i in own and row not in term) or (row not in term and prod(wide) > _SMALL):
            return None
    if row in operation.output:
        return Flow(operation.output.index(row), sliced)
    return Flow(None, sliced) if prod(shape) <= _SMALL else None


def _reach(operation: Any) -> int:
    """Count the last axes of its operand that a step touches."""
    if type(operation) is Slice:
        return len(operation.ranges)
    return -int(min(operation.axes))


def _touching(
    operation: Any,
    operands: Sequence[int],
    shapes: Sequence[Shape],
    shape: Shape,
    own: dict[int, int],
    size: int,
) -> Flow | None:
    axis = own[operands[0]]
    return Flow(axis, {}) if axis < len(shapes[0]) - _reach(operation) else None


FLOWS: dict[type, Callable[..., Flow | None]] = {
    **dict.fromkeys(_ELEMENTWISE, _elementwise),
    Einsum: _contraction,
    Slice: _touching,
    Extremum: _touching,
    Product: _touching,
}
