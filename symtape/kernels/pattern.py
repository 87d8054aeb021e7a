"""Where the arrays of a program can differ from zero, whatever the watched leaves are.

What no watched leaf enters has its value, and is zero where that is zero. Everything else is
looked at step by step: a product is zero where a factor is, a sum where all of its terms are. Which
element a sort or a maximum takes depends on the leaves, so there it can be any.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import sympy as sp

from symtape.calculus.pullback import ADJOINTS
from symtape.kernels.interpret import KERNELS, QUIET, interpret
from symtape.program import kinds
from symtape.program import operations as ops
from symtape.program.operations import Operation, Shape, parameters
from symtape.program.program import Program

Mask = Any
"""An array of booleans, or a broadcast True."""


def masks(program: Program, values: Mapping[int, Any], positions: Sequence[int]) -> dict[int, Mask]:
    """Say for each element of some positions whether it can differ from zero.

    `values` are those of the leaves that are not watched.
    """
    order = program.ancestors(positions)
    moving = _moving(program, order)
    still = [p for p in order if p not in moving]
    wanted = [p for p in still if p in positions or _is_read(program, p, moving)]
    known = dict(zip(wanted, QUIET.run(interpret, program, dict(values), wanted), strict=True))
    found: dict[int, Mask] = {p: np.asarray(value) != 0 for p, value in known.items()}
    for p in order:
        if p in moving:
            operation, *operands = program.steps[p]
            rule = RULES.get(type(operation))
            free = [k for k, i in enumerate(operands) if i in moving]
            own = [found[i] if i in moving or i in found else None for i in operands]
            given = [known.get(i) for i in operands]
            made = rule(operation, own, given, free, program.shapes[p]) if rule else None
            found[p] = _all(program.shapes[p]) if made is None else made
    return {p: found[p] for p in positions}


def _moving(program: Program, order: Sequence[int]) -> set[int]:
    """List the positions that some watched leaf enters."""
    found: set[int] = set()
    for p in order:
        operation, *operands = program.steps[p]
        watched = type(operation) is kinds.Input and operation.watched
        if watched or any(i in found for i in operands):
            found.add(p)
    return found


def _is_read(program: Program, p: int, moving: set[int]) -> bool:
    return any(p in program.steps[q][1:] for q in moving)


def _all(shape: Shape) -> Mask:
    return np.broadcast_to(np.True_, shape)


def _is_full(mask: Mask) -> bool:
    return not any(mask.strides) and bool(mask.all())


def _mapped(
    operation: kinds.Map, own: Sequence[Mask], _: Sequence[Any], _free: Sequence[int], shape: Shape
) -> Mask:
    """A function is zero where an operand is that makes it zero, a sum where all terms are."""
    if operation in (ops.add, ops.subtract):
        return _added(operation, own, _, _free, shape)
    kept = [own[k] for k in vanishing(operation)]
    mask = _all(shape)
    for other in kept:
        mask = mask if _is_full(other) else np.broadcast_to(other, shape) & mask
    return mask


@lru_cache(maxsize=4096)
def vanishing(operation: kinds.Map) -> tuple[int, ...]:
    """List the operands that make a function zero by being zero.

    >>> from symtape.program.operations import elementwise
    >>> vanishing(elementwise("damped", lambda x, y: sp.sin(x) * sp.exp(-y), 2))
    (0,)
    """
    symbols = parameters(operation.arity)
    return tuple([k for k, s in enumerate(symbols) if operation.body.xreplace({s: sp.S.Zero}) == 0])


def _added(
    _operation: Operation, own: Sequence[Mask], _: Sequence[Any], _free: Sequence[int], shape: Shape
) -> Mask:
    mask: Mask = np.broadcast_to(np.False_, shape)
    for other in own:
        if _is_full(other):
            return _all(shape)
        mask = np.broadcast_to(other, shape) | mask
    return mask


def _linear(
    operation: Operation, own: Sequence[Mask], _: Sequence[Any], _free: Sequence[int], shape: Shape
) -> Mask:
    """Follow ones and zeros through an operation that adds and moves."""
    return KERNELS[operation](*[mask.astype(np.float64) for mask in own]) != 0


def _transformed(
    operation: kinds.Fourier, own: Sequence[Mask], _: Sequence[Any], _free: Sequence[int], s: Shape
) -> Mask:
    """Each element may depend on all of its axis: transformed ones and zeros would cancel."""
    return np.broadcast_to(np.any(own[0], axis=operation.axis, keepdims=True), s)


def _contracted(
    operation: kinds.Einsum,
    own: Sequence[Mask],
    given: Sequence[Any],
    free: Sequence[int],
    shape: Shape,
) -> Mask:
    if all(map(_is_full, own)) and len(set(operation.output)) == len(operation.output):
        return _all(shape)
    return _linear(operation, own, given, free, shape)


def _chosen(
    operation: Operation, own: Sequence[Mask], given: Sequence[Any], free: Sequence[int], _: Shape
) -> Mask | None:
    """Move along an axis by indices, if they stay as they are."""
    if given[1] is None or free != [0]:
        return None
    return KERNELS[operation](own[0].astype(np.float64), given[1]) != 0


def _triangle(
    _operation: Operation, own: Sequence[Mask], _: Sequence[Any], _free: Sequence[int], shape: Shape
) -> Mask:
    return np.broadcast_to(np.tri(shape[-2], shape[-1]) != 0, shape)


Rule = Callable[..., Mask | None]

RULES: dict[type[Operation], Rule] = {
    kinds.Map: _mapped,
    kinds.AddN: _added,
    kinds.Einsum: _contracted,
    **dict.fromkeys((kinds.Cast, kinds.Concat, kinds.Assemble, *ADJOINTS), _linear),
    kinds.Fourier: _transformed,
    kinds.Gather: _chosen,
    kinds.Scatter: _chosen,
    kinds.Cholesky: _triangle,
}
"""What passes zeros on, by the kind of operation; an element of any other can be nonzero."""
