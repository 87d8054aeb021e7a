"""The sweeps: from a program to a longer program that also computes a derivative."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from symtape.calculus.pullback import RULES
from symtape.calculus.slopes import Pull, Pulled
from symtape.errors import DerivativeError
from symtape.program.authors import aside
from symtape.program.operations import DType, Map, Shape
from symtape.program.program import Builder, Program


class Derived(NamedTuple):
    """A program that continues another, and where its results are; None where nothing connects."""

    program: Program
    outputs: tuple[int | None, ...]


def is_differentiable(dtype: DType) -> bool:
    """Say whether tensors of a dtype have derivatives: floats, bfloat16 too, and complex ones."""
    return dtype.kind in "fcV"


def connected(program: Program, targets: Iterable[int], sources: Iterable[int]) -> list[bool]:
    """Say for each position whether it lies on a path from a source to a target.

    This looks at what is connected, never at what the values are: `x - x` is connected to `x`.
    """
    steps, reached = program.steps, reachable(program, sources)
    needed = [False] * len(steps)
    for p in targets:
        needed[p] = reached[p]
    for p in range(len(steps) - 1, -1, -1):
        if needed[p]:
            step = steps[p]
            for k in range(1, len(step)):
                if reached[step[k]] and step[0].connects(k - 1):
                    needed[step[k]] = True
    return needed


def reachable(program: Program, sources: Iterable[int]) -> list[bool]:
    """Say for each position whether a derivative by some source can flow from it."""
    steps, dtypes = program.steps, program.dtypes
    reached = [False] * len(steps)
    for p in sources:
        reached[p] = is_differentiable(dtypes[p])
    for p, step in enumerate(steps):
        for k in range(1, len(step)):
            if reached[step[k]] and step[0].connects(k - 1):
                reached[p] = reached[p] or is_differentiable(dtypes[p])
                break
    return reached


def leads(program: Program, sources: Sequence[int], targets: Iterable[int]) -> bool:
    """Say whether a derivative can flow from some source to some target."""
    needed = connected(program, targets, sources)
    return any(needed[s] for s in sources)


def lacking_slope(program: Program, targets: Iterable[int], sources: Sequence[int]) -> str:
    """Name an order or a shape that depends on sources, by which nobody wrote a slope; "" for none.

    For TensorFlow it is not connected, and its gradient is None.
    """
    for p, (operation, *operands) in enumerate(program.steps):
        if type(operation) is Map and operation.fixed:
            by = [k for k in operation.fixed if leads(program, sources, [operands[k]])]
            if by and leads(program, [p], targets):
                return f"{operation.name} has no derivative by its argument {by[0]}"
    return ""


def check_slopes(program: Program, targets: Iterable[int], sources: Sequence[int]) -> None:
    """Refuse an order or a shape that depends on sources, since nobody wrote a slope by it.

    Who gives zero where nothing connects has to ask here first. Raises `DerivativeError`.
    """
    lacking = lacking_slope(program, targets, sources)
    if lacking:
        raise DerivativeError(
            f"{lacking}, which depends on what is differentiated by: a part of the gradient is not "
            "known. Where it is not wanted, tf.stop_gradient says so"
        )


def gradient(
    program: Program,
    targets: Sequence[int],
    sources: Sequence[Sequence[int]],
    seeds: Sequence[int] = (),
) -> Derived:
    """Derive the gradient of the sum of all targets with respect to each source.

    A source is a group of positions, the versions of one variable, whose parts are added up.
    `seeds` are positions of weights for the first targets; the others have the weight one. A source
    that no target depends on has the output None. Every result has the shape of its source.
    """
    b = Builder(program)
    wanted = {p for group in sources for p in group}
    needed = connected(program, targets, wanted)
    received: dict[int, list[int]] = {}
    for n, target in enumerate(targets):
        if needed[target]:
            one = seeds[n] if n < len(seeds) else b.constant(1, b.dtypes[target])
            received.setdefault(target, []).append(one)
    totals: dict[int, int] = {}
    for p in range(max(received, default=-1), -1, -1):
        terms = received.pop(p, None)
        if terms is None:
            continue
        g = b.total(terms)
        if p in wanted:
            totals[p] = g
        operation, *operands = program.steps[p]
        through = [k for k, i in enumerate(operands) if needed[i] and operation.connects(k)]
        if through:
            for k, part in pullback(b, Pull(operation, operands, p, g, through)):
                received.setdefault(operands[k], []).append(part)
    outputs = [_joined(b, [p for p in group if p in totals], totals) for group in sources]
    return Derived(*reconnected(b.finish(), len(program), outputs))


def pullback(b: Builder, s: Pull[Any]) -> Pulled:
    """Pass the cotangent of a step to the operands that are wanted."""
    rule = RULES.get(type(s.operation))
    if rule is None:
        raise DerivativeError(
            f"{s.operation!r} has no reverse rule; give it one in calculus/pullback.py, "
            "or stop the gradient before it with stop_gradient"
        )
    return rule(b, s)


def _joined(b: Builder, group: Sequence[int], totals: dict[int, int]) -> int | None:
    """Add up what the versions of a source received, in the shape of the source."""
    if not group:
        return None
    return b.broadcast(b.total([totals[p] for p in group]), b.shapes[group[0]])


def reconnected(
    program: Program, count: int, outputs: Sequence[int | None]
) -> tuple[Program, tuple[int | None, ...]]:
    """Let steps after the first `count`, and outputs among them, take what is behind `aside`."""
    behind = {p: step[1] for p, step in enumerate(program.steps[:count]) if step[0] is aside}
    if not behind:
        return program, tuple(outputs)
    steps = [
        step if p < count else (step[0], *[behind.get(i, i) for i in step[1:]])
        for p, step in enumerate(program.steps)
    ]
    made = Program(steps, program.shapes, program.dtypes, program.guards, program.recorded)
    return made, tuple([None if p is None else behind.get(p, p) for p in outputs])


# --- zero where nothing connects ------------------------------------------------------------------

Blocks = tuple[Program, list[int]]
"""A program, and the position of one result for each source."""


def gradients(
    program: Program, targets: Sequence[int], sources: Sequence[int], seeds: Sequence[int] = ()
) -> Blocks:
    """Derive the gradient of the sum of targets, zero where nothing connects."""
    check_slopes(program, targets, sources)
    derived = gradient(program, targets, [[s] for s in sources], seeds)
    shapes = [program.shapes[s] for s in sources]
    return filled(derived.program, derived.outputs, shapes, [program.dtypes[s] for s in sources])


def filled(
    program: Program,
    outputs: Sequence[int | None],
    shapes: Sequence[Shape],
    dtypes: Sequence[DType],
) -> Blocks:
    """Put zeros where nothing connects."""
    if None not in outputs:
        return program, [p for p in outputs if p is not None]
    b = Builder(program)
    blocks = [
        b.broadcast(b.constant(0, dtype), shape) if p is None else p
        for p, shape, dtype in zip(outputs, shapes, dtypes, strict=True)
    ]
    return b.finish(), blocks
