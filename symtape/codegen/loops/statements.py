"""The statements that fill the memory of a step: loops, what is computed, and where it goes."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import Any, NamedTuple

import numpy as np

from symtape.codegen.loops.elements import RULES, chosen, factors
from symtape.codegen.loops.places import Places, broadcast, moved
from symtape.codegen.loops.values import Step, Values, Wish
from symtape.errors import UnsupportedError
from symtape.kernels.nodes import Node
from symtape.program import kinds
from symtape.program.operations import DType, Operation, Shape

Filling = Generator[Wish, Node, tuple[Sequence[Node], Places]]
"""Computes what is stored, or the operands of a running value, and gives the place."""


class Axis(NamedTuple):
    """One loop: how often, whether it is summed over or run along, and from where on."""

    times: int
    reduced: bool = False
    first: int = 0


class Statement(NamedTuple):
    """Fills the memory of a step, for all places of the axes."""

    position: int
    axes: Sequence[Axis]
    fill: Callable[[Places], Filling]
    combine: str = ""
    """How elements that meet at one place are joined: add, multiply, maximum or minimum."""
    scattered: bool = False
    """Elements are added wherever they belong; the result is complete after all loops."""
    settled: bool = True
    """Nothing changes later what this one stores."""
    running: Running | None = None
    neutral: Node | None = None
    which: str = ""
    """For "argmax" and "argmin", that the place is wanted."""


class Running(NamedTuple):
    """What a running total or a recurrence does from an iteration to the next."""

    update: Callable[[Node, Sequence[Node]], Node] | None = None
    """None where it joins elements."""
    exclusive: bool = False


Maker = Callable[[Step, Values], list[Statement]]


def _axes(shape: Shape, reduced: Sequence[int] = ()) -> list[Axis]:
    return [Axis(n, a in reduced) for a, n in enumerate(shape)]


def elementwise(step: Step, context: Values) -> list[Statement]:
    """Compute each element by its rule."""
    rule = RULES[type(step.operation)]

    def fill(places: Places) -> Filling:
        return [(yield from rule(step._replace(places=places), context))], places

    return [Statement(step.position, _axes(context.shape(step.position)), fill)]


def _einsum(step: Step, context: Values) -> list[Statement]:
    operation: kinds.Einsum = step.operation
    sizes = operation.index_sizes([context.shape(i) for i in step.operands])
    output = tuple(dict.fromkeys(operation.output))
    inner = sorted(set().union(*operation.inputs) - set(output))
    order = (*output, *inner)
    is_diagonal = len(output) < len(operation.output)
    if not inner and not is_diagonal:
        return elementwise(step, context)

    def fill(places: Places) -> Filling:
        where = dict(zip(order, places, strict=True))
        node = yield from factors(operation, step.operands, where)
        return [node], tuple([where[i] for i in operation.output])

    axes = [Axis(sizes[i], reduced=i in inner) for i in order]
    return [Statement(step.position, axes, fill, "add", scattered=is_diagonal)]


def neutral(context: Values, combine: str, dtype: DType) -> Node:
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


def _reduced(how: Callable[[Any], str]) -> Maker:
    """Combine the elements along some axes."""

    def make(step: Step, context: Values) -> list[Statement]:
        shape = context.shape(step.operands[0])
        gone = [a + len(shape) for a in step.operation.axes]

        def fill(places: Places) -> Filling:
            node = yield step.of(0, places)
            return [node], tuple([p for a, p in enumerate(places) if a not in gone])

        which = step.operation.which if type(step.operation) is kinds.Position else ""
        return [
            Statement(step.position, _axes(shape, gone), fill, how(step.operation), which=which)
        ]

    return make


def _running(
    how: Callable[[Any], str], update: Callable[[Node, Sequence[Node]], Node] | None = None
) -> Maker:
    """Run along one axis."""

    def make(step: Step, context: Values) -> list[Statement]:
        shape, operation = context.shape(step.position), step.operation
        axis = len(shape) + operation.axis

        def fill(places: Places) -> Filling:
            own = list(places)
            if operation.reverse:
                own[axis] = own[axis].scaled(-1, shape[axis] - 1)
            nodes = []
            for k, i in enumerate(step.operands):
                nodes.append((yield step.of(k, broadcast(tuple(own), context.shape(i)))))
            return nodes, tuple(own)

        running = Running(update, getattr(operation, "exclusive", False))
        axes = _axes(shape, [axis])
        return [Statement(step.position, axes, fill, how(operation), running=running)]

    return make


def _assembled(step: Step, context: Values) -> list[Statement]:
    """Add up what is put at places of zeros; what covers all of them takes their place."""
    operation: kinds.Assembly = step.operation
    if type(operation) is kinds.Embed and all(
        [abs(stride) == 1 for _, stride, _ in operation.ranges]
    ):
        return elementwise(step, context)
    shape = context.shape(step.position)
    lead = len(shape) - operation.depth
    placed = operation.placed([context.shape(i) for i in step.operands])
    covers, tiles = placed[0].covers(shape[lead:]), type(operation) is kinds.Concat
    made = []
    for k, (i, (counts, forms)) in enumerate(zip(step.operands, placed, strict=True)):

        def fill(places: Places, k: int = k, i: int = i, forms: Any = forms) -> Filling:
            node = yield step.of(k, broadcast(places, context.shape(i)))
            return [node], (*places[:lead], *moved(forms, places[lead:]))

        adds = not tiles and (k > 0 or not covers)
        combine, settled = "add" if adds else "", tiles or len(placed) == 1
        axes = _axes(shape[:lead] + counts)
        made.append(Statement(step.position, axes, fill, combine, adds, settled))
    return made


def _indirect(step: Step, context: Values, axis: int, own: int, batch: int, how: str) -> Statement:
    """Combine elements at an index that is read from the second operand."""
    size = context.shape(step.position)[axis]
    first = axis - getattr(step.operation, "between", 0) - batch

    def fill(places: Places) -> Filling:
        where = chosen(places, first, batch, axis, own)
        place = context.checked((yield step.of(1, where)), size)
        return [(yield step.of(0, places))], (*places[:axis], place, *places[axis + own :])

    axes = _axes(context.shape(step.operands[0]))
    return Statement(step.position, axes, fill, how, scattered=True)


def _scatter(step: Step, context: Values) -> list[Statement]:
    operation: kinds.Scatter = step.operation
    rank, ranks = (len(context.shape(i)) for i in step.operands)
    own = ranks - operation.batch
    axis = rank - operation.after - own
    return [_indirect(step, context, axis, own, operation.batch, "add")]


def _segments(step: Step, context: Values) -> list[Statement]:
    operation: kinds.SegmentExtremum = step.operation
    axis = len(context.shape(step.operands[0])) - 1 - operation.after
    return [_indirect(step, context, axis, 1, 0, f"{operation.which}imum")]


MAKERS: dict[type[Operation], Maker] = {
    **dict.fromkeys(RULES, elementwise),
    kinds.Einsum: _einsum,
    kinds.Extremum: _reduced(lambda operation: f"{operation.which}imum"),
    kinds.Product: _reduced(lambda _: "multiply"),
    kinds.Position: _reduced(
        lambda operation: "maximum" if operation.which == "argmax" else "minimum"
    ),
    kinds.Cumsum: _running(lambda _: "add"),
    kinds.Cumprod: _running(lambda _: "multiply"),
    kinds.Cumextremum: _running(lambda operation: f"{operation.which}imum"),
    kinds.Recurrence: _running(lambda _: "add", lambda old, xs: xs[1] + xs[0] * old),
    **dict.fromkeys((kinds.Embed, kinds.Concat, kinds.Overlap, kinds.Assemble), _assembled),
    kinds.Scatter: _scatter,
    kinds.SegmentExtremum: _segments,
}
"""The statements of each kind that loops can compute."""
