"""Primitives that move elements: shapes, slices, padding, joining."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from symtape.frontends.jax_functions.columns import remember
from symtape.frontends.jax_functions.steps import Rule, Step
from symtape.frontends.jax_functions.values import literal, number_of
from symtape.ops.elementwise import arithmetic
from symtape.ops.shapes import joining, repetition
from symtape.ops.shapes.shaping import permuted, with_shape
from symtape.program.kinds.structural import Embed, Slice
from symtape.tensor.dispatch import apply1
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import dtype_of, shape_of

Pads = Sequence[tuple[int, int, int]]
"""For each axis: how many elements before, after, and between two."""


def reshaped(step: Step, x: Tensor) -> Tensor:
    """The same elements in the shape of the result."""
    return with_shape(x, step.shape)


def _reshaped(step: Step, x: Tensor) -> Tensor:
    """The same, of axes in another order if JAX says one."""
    order = step.parameters.get("dimensions")
    return reshaped(step, x if order is None else permuted(x, [int(k) for k in order]))


def _broadcast(step: Step, x: Tensor) -> Tensor:
    """Put the axes at their places among axes of one, and repeat."""
    places = [int(k) for k in step["broadcast_dimensions"]]
    if not shape_of(x) and step.shape:
        return repetition.broadcast_to(x, step.shape)
    thin = [1] * len(step.shape)
    for k, n in zip(places, shape_of(x), strict=True):
        thin[k] = n
    return repetition.broadcast_to(with_shape(x, tuple(thin)), step.shape)


def _joined(step: Step, *parts: Tensor) -> Tensor:
    axis = int(step["dimension"])
    return remember(joining.concat(list(parts), axis), step.operands, axis)


def sliced(x: Tensor, starts: Sequence[int], limits: Sequence[int], steps: Sequence[int]) -> Tensor:
    """Take evenly spaced elements of each axis."""
    ranges = [
        (int(a), int(s), max(-(-(int(b) - int(a)) // int(s)), 0))
        for a, b, s in zip(starts, limits, steps, strict=True)
    ]
    return apply1(Slice.of(ranges, shape_of(x)), x) if ranges else x


def _sliced(step: Step, x: Tensor) -> Tensor:
    steps = step["strides"] or [1] * x.ndim
    return sliced(x, step["start_indices"], step["limit_indices"], steps)


def padded(x: Tensor, pads: Pads, fill: Tensor | None = None) -> Tensor:
    """Put elements around and between those of an array; negative numbers take some away."""
    wide = [max(a, 0) for a, _, _ in pads], [max(b, 0) for _, b, _ in pads]
    counts = shape_of(x)
    sizes = [
        a + b + n + max(n - 1, 0) * between
        for a, b, n, (_, _, between) in zip(*wide, counts, pads, strict=True)
    ]
    ranges = [
        (a if n else 0, between + 1, n)
        for a, n, (_, _, between) in zip(wide[0], counts, pads, strict=True)
    ]
    if tuple(sizes) != counts:
        made = apply1(Embed(tuple(ranges), tuple(sizes)), x)
        if fill is not None:
            inside = np.zeros(sizes, bool)
            inside[tuple([slice(a, a + s * n, s) for a, s, n in ranges])] = True
            made = arithmetic.where(inside, made, fill)
        x = made
    starts = [max(-a, 0) for a, _, _ in pads]
    limits = [n - max(-b, 0) for (_, b, _), n in zip(pads, shape_of(x), strict=True)]
    if starts == [0] * x.ndim and limits == list(shape_of(x)):
        return x
    return sliced(x, starts, limits, [1] * x.ndim)


def _padded(step: Step, x: Tensor, value: Tensor) -> Tensor:
    number = number_of(step.operands[1])
    fill = value if number is None else literal(number, dtype_of(x))
    pads = [(int(a), int(b), int(c)) for a, b, c in step["padding_config"]]
    return padded(x, pads, None if number == 0 else fill)


def _split(step: Step, x: Tensor) -> list[Tensor]:
    axis, first, found = int(step["axis"]), 0, []
    for size in step["sizes"]:
        found.append(repetition.part_of(x, axis, first, int(size)))
        first += int(size)
    return found


def _stacked(step: Step, *parts: Tensor) -> Tensor:
    return joining.stack(list(parts), int(step["axis"]))


RULES: dict[str, Rule] = {
    "reshape": _reshaped,
    "squeeze": reshaped,
    "broadcast_in_dim": _broadcast,
    "transpose": lambda step, x: permuted(x, [int(k) for k in step["permutation"]]),
    "concatenate": _joined,
    "rev": lambda step, x: repetition.flipped(x, [int(k) for k in step["dimensions"]]),
    "slice": _sliced,
    "pad": _padded,
    "split": _split,
    "stack": _stacked,
    "tile": lambda step, x: repetition.tile(x, [int(n) for n in step["reps"]]),
    "unstack": lambda step, x: joining.unstack(x, axis=int(step["axis"])),
}
