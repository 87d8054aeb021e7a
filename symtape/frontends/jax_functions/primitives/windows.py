"""Primitives that reduce windows of an array, and what takes their derivatives apart."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from symtape.frontends.jax_functions.primitives.moving import padded
from symtape.frontends.jax_functions.steps import Rule, Step
from symtape.frontends.jax_functions.values import literal
from symtape.ops.nn.windows.pooled import chosen
from symtape.ops.reductions import reduction
from symtape.ops.shapes.shaping import permuted, with_shape
from symtape.program.kinds.structural import Position
from symtape.program.kinds.windows import Window, Windows
from symtape.tape import GradientTape
from symtape.tensor.dispatch import apply1
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import dtype_of, shape_of


def _sliding(step: Step) -> tuple[list[Window], list[tuple[int, int, int]]]:
    """Read the window and the padding of each axis."""
    sizes = [int(n) for n in step["window_dimensions"]]
    ones = [1] * len(sizes)
    rates = step.parameters.get("window_dilation") or ones
    between = step.parameters.get("base_dilation") or ones
    parts = zip(sizes, step["window_strides"], rates, strict=True)
    pads = zip(step["padding"], between, strict=True)
    return (
        [Window(int(n), int(stride), int(rate)) for n, stride, rate in parts],
        [(int(a), int(b), int(c) - 1) for (a, b), c in pads],
    )


def _lines(x: Tensor, windows: Sequence[Window], pads: Any, fill: float | None) -> tuple[Any, Any]:
    """Put the elements of each window in the last axis; give the order back to the axes' own."""
    edge = None if fill is None else literal(fill, dtype_of(x))
    x = padded(x, pads, edge)
    axes = [k for k, w in enumerate(windows) if (w.size, w.stride) != (1, 1)]
    rest = [k for k in range(x.ndim) if k not in axes]
    looked = apply1(Windows(tuple([windows[k] for k in axes]), 0), permuted(x, [*rest, *axes]))
    shape = shape_of(looked)
    volume = prod([windows[k].size for k in axes])
    line = with_shape(looked, (*shape[: len(shape) - len(axes)], volume))
    back = [[*rest, *axes].index(k) for k in range(x.ndim)]
    return line, back


def _summed(step: Step, x: Tensor) -> Tensor:
    windows, pads = _sliding(step)
    line, back = _lines(x, windows, pads, None)
    return permuted(reduction.reduce_sum(line, -1), back)


def _extreme(which: str, step: Step, x: Tensor) -> Tensor:
    """The first largest or smallest element of each window."""
    windows, pads = _sliding(step)
    if dtype_of(x).kind not in "fV":
        raise step.refused("windows of integers; convert them to floats first")
    line, back = _lines(x, windows, pads, -np.inf if which == "argmax" else np.inf)
    return permuted(chosen(line, apply1(Position(which, -1, "int64"), line)), back)


def _which(step: Step) -> str:
    return "argmax" if step["select_prim"].name == "ge" else "argmin"


def _spread_to_chosen(step: Step, source: Tensor, x: Tensor) -> Tensor:
    """What a maximum of windows passes on: its own derivative, taken by a tape."""
    with GradientTape(watch_accessed_variables=False) as tape:
        tape.watch(x)
        made = _extreme(_which(step), step, x)
    found: Tensor = tape.gradient(made, x, output_gradients=source)
    return found


def _taken_where_chosen(step: Step, other: Tensor, x: Tensor) -> Tensor:
    """The elements of another array that stand where those of windows of x are chosen."""
    windows, pads = _sliding(step)
    which = _which(step)
    line, back = _lines(x, windows, pads, -np.inf if which == "argmax" else np.inf)
    others, _ = _lines(other, windows, pads, None)
    return permuted(chosen(others, apply1(Position(which, -1, "int64"), line)), back)


RULES: dict[str, Rule] = {
    "reduce_window_sum": _summed,
    "reduce_window_max": lambda step, x: _extreme("argmax", step, x),
    "reduce_window_min": lambda step, x: _extreme("argmin", step, x),
    "select_and_scatter_add": _spread_to_chosen,
    "select_and_gather_add": _taken_where_chosen,
}
