"""NumPy's functions that give axes another order, and put or take axes of one element."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_tuple

from symtape.ops.shapes import shaping
from symtape.tensor.convert import convert
from symtape.tensor.tensor import Tensor


def _swapaxes(a: Any, axis1: int, axis2: int) -> Tensor:
    order = list(range(np.ndim(a)))
    order[axis1], order[axis2] = order[axis2], order[axis1]
    return shaping.transpose(a, order)


def axes_among(rank: int, axes: Any) -> tuple[int, ...]:
    """Count axes from the first one; there are so many, and each may be named once."""
    return normalize_axis_tuple(axes, rank)


def moveaxis(a: Any, source: Any, destination: Any) -> Tensor:
    """Put some axes elsewhere, as `np.moveaxis` does."""
    rank = np.ndim(a)
    old, new = axes_among(rank, source), axes_among(rank, destination)
    order = [n for n in range(rank) if n not in old]
    for place, axis in sorted(zip(new, old, strict=True)):
        order.insert(place, axis)
    return shaping.transpose(a, order)


def along(run: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """Have a function of one axis take all elements in a row where no axis is named."""

    def apply(a: Any, axis: int | None = None) -> Tensor:
        return run(shaping.reshape(a, [-1]), 0) if axis is None else run(a, axis)

    return apply


def _matrix_transpose(x: Any) -> Tensor:
    return _swapaxes(x, -1, -2)


def _expand_dims(a: Any, axis: Any) -> Tensor:
    x = convert(a)
    for n in sorted(axes_among(x.ndim + np.size(axis), axis)):
        x = shaping.expand_dims(x, n)
    return x


FUNCTIONS: dict[Any, Callable[..., Any]] = {
    np.transpose: lambda a, axes=None: shaping.transpose(a, axes),
    np.matrix_transpose: _matrix_transpose,
    np.linalg.matrix_transpose: _matrix_transpose,
    np.swapaxes: _swapaxes,
    np.moveaxis: moveaxis,
    np.squeeze: lambda a, axis=None: shaping.squeeze(a, axis),
    np.expand_dims: _expand_dims,
}
