"""The statements that fill the memory of a step: loops, what is computed, and where it goes."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from symtape.codegen.loops.elements import RULES, Context, Rule, Step, Wish, factors
from symtape.codegen.loops.places import Place, Places, Var, broadcast, flat, moved
from symtape.errors import UnsupportedError
from symtape.program.operations import DType, Einsum, Operation, Shape
from symtape.program.placement import Assemble, Assembly
from symtape.program.segments import SegmentExtremum
from symtape.program.structural import (
    Concat,
    Cumprod,
    Cumsum,
    Embed,
    Extremum,
    Position,
    Product,
    Recurrence,
    Scatter,
)
from symtape.program.windows import Overlap

Target = Generator[Wish, str, Places]


@dataclass(slots=True)
class Axis:
    """One loop: how often, from where on, and whether it is summed over."""

    count: int
    reduced: bool = False
    first: int = 0


@dataclass(slots=True)
class Statement:
    """Computes `element` for all places of the axes, and stores it at `target`."""

    position: int
    axes: list[Axis]
    element: Callable[[Places], Rule]
    target: Callable[[Places], Target]
    combine: str = ""
    """How elements that meet at one place are joined: a key of `NEUTRAL`, or nothing."""
    scattered: bool = False
    """Elements are stored wherever `target` says; the result is complete after all loops."""
    follows: bool = False
    """Earlier statements have stored what this one changes."""
    settled: bool = True
    """Nothing changes later what this one stores."""
    running: Running | None = None
    which: str = ""
    """For "argmax" and "argmin", that the place is wanted."""
    neutral: str = ""
    touched: set[str] = field(default_factory=set)

    def part(self, pieces: Sequence[tuple[int, int]]) -> Statement:
        """Restrict the axes to a first value and a count each."""
        axes = [
            Axis(count, axis.reduced, first)
            for axis, (first, count) in zip(self.axes, pieces, strict=True)
        ]
        return replace(self, axes=axes, touched=set())


@dataclass(slots=True)
class Running:
    """What a running sum, product or recurrence does along the last axis of its loops."""

    update: Callable[[str, list[str]], str]
    initial: str
    exclusive: bool
    operands: Callable[[Places], list[Wish]]


Maker = Callable[[Step, Context], list[Statement]]


def _here(places: Places) -> Target:
    yield from ()
    return places


def _axes(shape: Shape) -> list[Axis]:
    return [Axis(n) for n in shape]


def elementwise(step: Step, context: Context) -> list[Statement]:
    """Compute each element by its rule."""
    rule = RULES[type(step.operation)]

    def element(places: Places) -> Rule:
        return rule(step._replace(places=places), context)

    return [Statement(step.position, _axes(context.shape(step.position)), element, _here)]


def _einsum(step: Step, context: Context) -> list[Statement]:
    operation: Einsum = step.operation
    sizes = operation.index_sizes([context.shape(i) for i in step.operands])
    output = tuple(dict.fromkeys(operation.output))
    inner = sorted(set().union(*operation.inputs) - set(output))
    order = (*output, *inner)
    is_diagonal = len(output) < len(operation.output)
    if not inner and not is_diagonal:
        return elementwise(step, context)

    def element(places: Places) -> Rule:
        return factors(operation, step.operands, dict(zip(order, places, strict=True)), "")

    def target(places: Places) -> Target:
        where = dict(zip(order, places, strict=True))
        return _here(tuple([where[i] for i in operation.output]))

    axes = [Axis(sizes[i], reduced=i in inner) for i in order]
    made = Statement(step.position, axes, element, target, "add" if inner else "")
    if is_diagonal:
        made.combine, made.scattered = "add", True
    return [made]


def neutral(context: Context, combine: str, dtype: DType) -> str:
    """Write the number that changes nothing when it is combined."""
    if combine in {"add", "multiply"}:
        return context.language.number(combine == "multiply", dtype)
    is_largest = combine == "maximum"
    if dtype.kind == "f":
        return context.language.number(-np.inf if is_largest else np.inf, dtype)
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        return context.language.number(info.min if is_largest else info.max, dtype)
    if dtype.kind == "b":
        return context.language.number(not is_largest, dtype)
    raise UnsupportedError(
        f"{context.language.name} has no order of numbers of {dtype}; compile with backend='numpy'"
    )


def _reduced(step: Step, context: Context, combine: str) -> Statement:
    """Combine the elements along some axes."""
    shape = context.shape(step.operands[0])
    gone = [a + len(shape) for a in step.operation.axes]
    kept = [a for a in range(len(shape)) if a not in gone]
    order = [*kept, *sorted(gone)]

    def element(places: Places) -> Rule:
        where = dict(zip(order, places, strict=True))
        return (yield step.of(0, tuple([where[a] for a in range(len(shape))])))

    axes = [Axis(shape[a], reduced=a in gone) for a in order]
    return Statement(
        step.position, axes, element, lambda places: _here(places[: len(kept)]), combine
    )


def _extremum(step: Step, context: Context) -> list[Statement]:
    return [_reduced(step, context, f"{step.operation.which}imum")]


def _product(step: Step, context: Context) -> list[Statement]:
    return [_reduced(step, context, "multiply")]


def _position(step: Step, context: Context) -> list[Statement]:
    made = _reduced(step, context, "maximum" if step.operation.which == "argmax" else "minimum")
    made.which = step.operation.which
    return [made]


def _nothing(places: Places) -> Rule:
    yield from ()
    return ""


def _along(step: Step, context: Context, update: Any, initial: int, *, exclusive: bool) -> Any:
    """Run along one axis, which is the last of the loops."""
    shape = context.shape(step.position)
    axis = len(shape) + step.operation.axis
    others = [a for a in range(len(shape)) if a != axis]
    backwards = step.operation.reverse

    def turned(places: Places) -> Places:
        where = dict(zip([*others, axis], places, strict=True))
        if backwards:
            where[axis] = where[axis].scaled(-1, shape[axis] - 1)
        return tuple([where[a] for a in range(len(shape))])

    def operands(places: Places) -> list[Wish]:
        own = turned(places)
        return [step.of(k, broadcast(own, context.shape(i))) for k, i in enumerate(step.operands)]

    made = Statement(
        step.position,
        [Axis(shape[a], reduced=a == axis) for a in [*others, axis]],
        _nothing,
        lambda places: _here(turned(places)),
    )
    dtype = context.dtype(step.position)
    number = context.language.number(initial, dtype)
    made.running = Running(update, number, exclusive, operands)
    return [made]


def _cumsum(step: Step, context: Context) -> list[Statement]:
    def update(before: str, xs: list[str]) -> str:
        return f"{before} + {xs[0]}"

    return _along(step, context, update, 0, exclusive=step.operation.exclusive)  # type: ignore[no-any-return]


def _cumprod(step: Step, context: Context) -> list[Statement]:
    def update(before: str, xs: list[str]) -> str:
        return f"{before}*{xs[0]}"

    return _along(step, context, update, 1, exclusive=step.operation.exclusive)  # type: ignore[no-any-return]


def _recurrence(step: Step, context: Context) -> list[Statement]:
    def update(before: str, xs: list[str]) -> str:
        return f"{xs[1]} + {xs[0]}*{before}"

    return _along(step, context, update, 0, exclusive=False)  # type: ignore[no-any-return]


def _whole(step: Step, k: int, context: Context) -> tuple[list[Axis], Callable[[Places], Rule]]:
    """Loop over all elements of an operand."""

    def element(places: Places) -> Rule:
        return (yield step.of(k, places))

    return _axes(context.shape(step.operands[k])), element


def _assembled(step: Step, context: Context) -> list[Statement]:
    """Add up what is put at places of zeros; what covers all of them takes their place."""
    operation: Assembly = step.operation
    if type(operation) is Embed and all([abs(stride) == 1 for _, stride, _ in operation.ranges]):
        return elementwise(step, context)
    shape = context.shape(step.position)
    lead = len(shape) - operation.depth
    placed = operation.placed([context.shape(i) for i in step.operands])
    covers, tiles = placed[0].covers(shape[lead:]), type(operation) is Concat
    made = []
    for k, (i, (counts, forms)) in enumerate(zip(step.operands, placed, strict=True)):

        def element(places: Places, k: int = k, i: int = i) -> Rule:
            return (yield step.of(k, broadcast(places, context.shape(i))))

        def target(places: Places, forms: Any = forms) -> Target:
            return _here((*places[:lead], *moved(forms, places[lead:])))

        one = Statement(step.position, _axes(shape[:lead] + counts), element, target)
        one.settled = tiles or len(placed) == 1
        if not tiles and (k or not covers):
            one.combine, one.scattered, one.follows = "add", True, covers
        made.append(one)
    return made


def _indirect(
    step: Step, context: Context, chosen: Callable[[Places], Places], axis: int, own: int
) -> Callable[[Places], Target]:
    """Store at an index that is read from the second operand."""
    size = context.shape(step.position)[axis]

    def target(places: Places) -> Target:
        number = yield step.of(1, chosen(places))
        place = Place.of(Var(context.checked(number, size), 0, max(size - 1, 1)))
        return (*places[:axis], place, *places[axis + own :])

    return target


def _scatter(step: Step, context: Context) -> list[Statement]:
    operation: Scatter = step.operation
    axes, element = _whole(step, 0, context)
    own = len(context.shape(step.operands[1])) - operation.batch
    axis = len(axes) - operation.after - own
    first = axis - operation.between - operation.batch

    def chosen(places: Places) -> Places:
        return places[first : first + operation.batch] + places[axis : axis + own]

    target = _indirect(step, context, chosen, axis, own)
    return [Statement(step.position, axes, element, target, "add", scattered=True)]


def _segments(step: Step, context: Context) -> list[Statement]:
    operation: SegmentExtremum = step.operation
    axes, element = _whole(step, 0, context)
    axis = len(axes) - 1 - operation.after
    target = _indirect(step, context, lambda places: (places[axis],), axis, 1)
    return [
        Statement(step.position, axes, element, target, f"{operation.which}imum", scattered=True)
    ]


MAKERS: dict[type[Operation], Maker] = {
    **dict.fromkeys(RULES, elementwise),
    Einsum: _einsum,
    Extremum: _extremum,
    Product: _product,
    Position: _position,
    Cumsum: _cumsum,
    Cumprod: _cumprod,
    Recurrence: _recurrence,
    **dict.fromkeys((Embed, Concat, Overlap, Assemble), _assembled),
    Scatter: _scatter,
    SegmentExtremum: _segments,
}
"""The statements of each kind that loops can compute."""

__all__ = ["MAKERS", "Axis", "Running", "Statement", "flat", "neutral"]
