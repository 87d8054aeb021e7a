"""The same program where its axes have other sizes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from symtape.errors import UnsupportedError
from symtape.program.kinds.placement import Assemble, Form, Placement
from symtape.program.kinds.structural import Embed, Range, Reshape, Scatter, Slice
from symtape.program.kinds.windows import Overlap
from symtape.program.operations import Count, Einsum, Input, Operation, Shape, dtype_name, subtract
from symtape.program.program import Builder, Program
from symtape.program.sizes.axes import Alike, Size, Sizes
from symtape.program.sizes.rules import block_axes, growth_of, whole_index
from symtape.program.sizes.unions import Axis


class Resized(NamedTuple):
    """A program, the place of each step of the old one in it, and the places of letters."""

    program: Program
    place: dict[int, int]
    counts: dict[tuple[str, str], int]
    """By the letter and the dtype."""


class Recipe(Protocol):
    """How a formula is made of a program that has other sizes."""

    @property
    def positions(self) -> Sequence[int]:
        """What is made again."""

    @property
    def alike(self) -> Sequence[Alike]:
        """What is known of the axes of what is made again."""

    def axes(self, program: Program) -> list[Axis]:
        """Give axes that are as long as those of the result."""

    def steps(self, program: Program) -> list[int]:
        """List the steps that the result follows from, whose sizes have to be known."""

    def result(self, made: Resized) -> tuple[Program, int]:
        """Give the program with the result, and its position."""


class StepByStep(NamedTuple):
    """Makes each step again."""

    position: int
    alike: Sequence[Alike] = ()

    @property
    def positions(self) -> Sequence[int]:
        """The formula itself."""
        return (self.position,)

    def axes(self, program: Program) -> list[Axis]:
        """Give the axes of the formula."""
        return [(self.position, k) for k in range(len(program.shapes[self.position]))]

    def steps(self, program: Program) -> list[int]:
        """List the steps of the formula."""
        return program.ancestors([self.position])

    def result(self, made: Resized) -> tuple[Program, int]:
        """Find the formula."""
        return made.program, made.place[self.position]


def resized(
    sizes: Sizes, numbers: Mapping[Axis, int], letters: Mapping[Axis, str] | None = None
) -> Resized:
    """Make a program for other sizes; what counts elements is a leaf of the letter's name.

    Equal steps stay apart, as a derivative may be taken of what is made. Raises `UnsupportedError`
    where an axis would have less than no elements, or a place that is taken is not there.
    """
    b = Builder()
    place: dict[int, int] = {}
    counts: dict[tuple[str, str], int] = {}
    for p in sizes.steps:
        operation, *operands = sizes.program.steps[p]
        own = [place[i] for i in operands]
        shape = _shape(sizes, p, numbers)
        factors = _counted(sizes, operation, operands, letters) if letters is not None else None
        if factors is not None:
            place[p] = _product(b, factors, counts, sizes.program.dtypes[p])
        elif type(operation) is Input:
            place[p] = b.enter(Input(dtype_name(operation.dtype), shape, operation.watched))
        else:
            place[p] = b.apart(_again(sizes, p, operation, operands, numbers), *own)
        if sizes.program.shapes[p] == sizes.shape(p) and b.shapes[place[p]] != shape:
            raise UnsupportedError(f"{operation!r} is not the same for other sizes")
    b.recorded = len(b)
    return Resized(b.finish(), place, counts)


def _shape(sizes: Sizes, p: int, numbers: Mapping[Axis, int]) -> Shape:
    shape = sizes.shape_at(p, numbers)
    if min(shape, default=0) < 0:
        raise UnsupportedError(f"{sizes.program.steps[p][0]!r} takes more elements than there are")
    return shape


def _counted(
    sizes: Sizes, operation: Operation, operands: Sequence[int], letters: Mapping[Axis, str]
) -> list[tuple[str | None, int]] | None:
    """Give what is multiplied, letters and how many more, if there is a letter."""
    if type(operation) is not Count:
        return None
    own, shape = sizes.sizes(operands[0]), sizes.shape(operands[0])
    found = [_factor(own[k], shape[k], letters) for k in operation.axes]
    return found if any([letter is not None for letter, _ in found]) else None


def _factor(size: Size, n: int, letters: Mapping[Axis, str]) -> tuple[str | None, int]:
    letter = letters.get(size.root)
    return (None, n) if letter is None else (letter, size.more)


def _product(
    b: Builder,
    factors: Sequence[tuple[str | None, int]],
    counts: dict[tuple[str, str], int],
    dtype: Any,
) -> int:
    """Multiply numbers and leaves that are called as letters."""
    found = b.constant(1, dtype)
    for letter, number in factors:
        if letter is None:
            factor = b.constant(number, dtype)
        else:
            key = letter, dtype_name(dtype)
            if key not in counts:
                counts[key] = b.enter(Input(dtype_name(dtype), (), False))
            factor = counts[key]
            if number:
                factor = b.append(subtract, factor, b.constant(-number, dtype))
        found = b.multiply(found, factor)
    return found


def _again(
    sizes: Sizes,
    p: int,
    operation: Operation,
    operands: Sequence[int],
    numbers: Mapping[Axis, int],
) -> Operation:
    make = AGAIN.get(type(operation))
    if make is None:
        return operation
    shapes = [Change(sizes.shape(q), sizes.shape_at(q, numbers)) for q in (p, *operands)]
    return make(operation, *shapes)


class Change(NamedTuple):
    """The shape that was recorded, and the one that is wanted."""

    old: Shape
    new: Shape

    def last(self, number: int) -> list[tuple[int, int]]:
        """Pair the old and new sizes of the last axes."""
        return [*zip(self.old, self.new, strict=True)][len(self.old) - number :]


Again = Callable[..., Operation]
"""Makes an operation whose result, and whose operands, have other shapes."""


def _einsum(operation: Einsum, result: Change, *_: Change) -> Operation:
    sizes = dict(zip(operation.output, result.new, strict=True))
    lone = tuple([(i, sizes[i]) for i, _ in operation.sizes])
    return Einsum(operation.inputs, operation.output, lone)


def _reshape(operation: Reshape, result: Change, x: Change) -> Operation:
    first = len(x.new) - len(operation.old)
    return Reshape(x.new[first:], result.new[len(result.new) - len(operation.new) :])


def _slice(operation: Slice, _: Change, x: Change) -> Operation:
    return Slice(_ranges(operation, x), operation.ends)


def _embed(operation: Embed, result: Change, _: Change) -> Operation:
    sizes = tuple([new for _, new in result.last(operation.depth)])
    return Embed(_ranges(operation, result), sizes, operation.ends)


def _ranges(operation: Slice | Embed, whole: Change) -> tuple[Range, ...]:
    """Give ranges that take more or less where their ends say so."""
    sizes = whole.last(operation.depth)
    return tuple([_range(operation, k, old, new) for k, (old, new) in enumerate(sizes)])


def _range(operation: Slice | Embed, k: int, old: int, new: int) -> Range:
    first, step, count = operation.ranges[k]
    growth = growth_of(operation, k, old)
    if growth is None:  # the axis is as long as it was
        return first, step, count
    ends = operation.ends[k] if operation.ends else None
    more = new - old
    first += more if ends is not None and ends[0] else 0
    count += growth * more
    last = first + step * (count - 1)
    if count == 0:
        return 0, step, 0
    if count < 0 or not (0 <= first < new and 0 <= last < new):
        raise UnsupportedError(f"an axis of {new} has no places from {first} to {last}")
    return first, step, count


def _scatter(operation: Scatter, result: Change, *_: Change) -> Operation:
    size = result.new[len(result.new) - 1 - operation.after]
    return Scatter(operation.after, operation.between, operation.batch, size)


def _overlap(operation: Overlap, result: Change, *_: Change) -> Operation:
    first = len(result.new) - operation.after - len(operation.windows)
    sizes = result.new[first : first + len(operation.windows)]
    return Overlap(operation.windows, sizes, operation.after)


def _assemble(operation: Assemble, result: Change, *blocks: Change) -> Operation:
    """Give indices the sizes of the axes of their block, or of the axes that they are."""
    placements = []
    for block, (counts, forms) in zip(blocks, operation.placements, strict=True):
        own = list(counts)
        for k, form in enumerate(forms):
            index = whole_index(form, counts, operation.shape[k])
            if index is not None:
                own[index] = result.new[k]
        for index, k in block_axes(block.old, counts).items():
            own[index] = block.new[k]
        more = [new - old for new, old in zip(own, counts, strict=True)]
        placements.append(Placement(tuple(own), tuple([_placed(form, more) for form in forms])))
    return Assemble(result.new, tuple(placements))


def _placed(form: Form, more: Sequence[int]) -> Form:
    """Let places that are counted downwards start where the axis ends."""
    return Form(form.offset + sum(more[i] for stride, i in form.parts if stride < 0), form.parts)


AGAIN: dict[type[Operation], Again] = {
    Einsum: _einsum,
    Reshape: _reshape,
    Slice: _slice,
    Embed: _embed,
    Scatter: _scatter,
    Overlap: _overlap,
    Assemble: _assemble,
}
