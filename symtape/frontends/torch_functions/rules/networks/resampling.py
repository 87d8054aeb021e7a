"""Resampled images and their backward operations: torch's own matrix of each plane."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from symtape.errors import UnsupportedError
from symtape.frontends.torch_functions.dtypes import to_numpy, torch_module
from symtape.frontends.torch_functions.rules.rules import Step, rule
from symtape.ops.linalg.products import matmul
from symtape.ops.shapes.shaping import with_shape
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import dtype_of, shape_of

_LARGEST = 2**22
"""So many entries has a matrix, at most."""


def _plane(
    name: str, outputs: Sequence[int], inputs: Sequence[int], dtype: Any, more: Sequence[Any]
) -> Any:
    """Ask torch for the gradient by a plane of each of its elements: a matrix."""
    torch = torch_module()
    count, size = int(np.prod(outputs)), int(np.prod(inputs))
    if count * size > _LARGEST:
        raise UnsupportedError(
            f"the gradient of a plane of {size} elements by {count} would be a matrix of more than "
            f"{_LARGEST} entries: resample smaller planes"
        )
    units = torch.from_numpy(np.eye(count, dtype=dtype)).reshape(count, 1, *outputs)
    operation = getattr(torch.ops.aten, name)
    found = operation(units, list(outputs), [count, 1, *inputs], *more)
    return to_numpy(found).reshape(count, size)


def _backward(
    name: str, step: Step, g: Tensor, outputs: Any, sizes: Sequence[int], *more: Any
) -> Tensor:
    """gᵀM for each plane, of the matrix M with which it was resampled."""
    planes, axes = list(shape_of(g)[:2]), [int(n) for n in sizes[2:]]
    matrix = _plane(name, shape_of(g)[2:], axes, dtype_of(g), more)
    rows = with_shape(g, (planes[0] * planes[1], len(matrix)))
    return with_shape(matmul(rows, Tensor(matrix)), (*planes, *axes))


def _forward(name: str, step: Step, x: Tensor, outputs: Sequence[int], *more: Any) -> Tensor:
    """xM of each plane, of the matrix M with which torch resamples."""
    planes, axes = list(shape_of(x)[:2]), [int(n) for n in shape_of(x)[2:]]
    matrix = _plane(f"{name}_backward", [int(n) for n in outputs], axes, dtype_of(x), more)
    rows = with_shape(x, (planes[0] * planes[1], matrix.shape[1]))
    return with_shape(matmul(rows, Tensor(matrix.T)), step.shape)


_SMOOTHED = ("_upsample_bilinear2d_aa", "_upsample_bicubic2d_aa")
"""What is smoothed before it is made smaller, which torch has no parts of."""


def _entered(name: str) -> Callable[..., Tensor]:
    return rule(name)(partial(_backward, name))


ENTERED = [
    _entered(f"{name}_backward")
    for name in (
        *("upsample_nearest1d", "upsample_nearest2d", "upsample_nearest3d"),
        *("upsample_linear1d", "upsample_bilinear2d", "upsample_trilinear3d"),
        "upsample_bicubic2d",
        *_SMOOTHED,
    )
] + [rule(name)(partial(_forward, name)) for name in _SMOOTHED]
