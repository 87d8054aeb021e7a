"""Local response normalization: each channel over its neighbours."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtape.ops.arguments import allowed, check, taken
from symtape.ops.attributes import attributes, floating, integer
from symtape.ops.elementwise.arithmetic import add, divide, multiply, pow
from symtape.ops.elementwise.functions import square
from symtape.ops.linalg.products import tensordot
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.dispatch import invalid
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of

_OP = "LRN"
_DTYPES = allowed("half, bfloat16, float")


@attributes(depth_radius=integer(5), bias=floating(1.0), alpha=floating(1.0), beta=floating(0.5))
def local_response_normalization(
    input: Any,
    depth_radius: int = 5,
    bias: float = 1,
    alpha: float = 1,
    beta: float = 0.5,
    name: str | None = None,
) -> Tensor:
    """x / (bias + alpha s)^beta, where s has the squares of up to `depth_radius` neighbours.

    The neighbours are channels, the last of four axes; each counts itself. Raises
    `InvalidArgumentError` for another number of axes, a radius below 0, and for float64, as
    TensorFlow does.

    >>> local_response_normalization([[[[1.0, 2.0, 2.0]]]], depth_radius=1).numpy().round(4)
    array([[[[0.4082, 0.6325, 0.6667]]]], dtype=float32)
    """
    x = taken(input, dtypes.float32, _DTYPES)
    check(_OP, x, _DTYPES)
    if depth_radius < 0:
        raise invalid(_OP, f"depth_radius = {depth_radius} larger than int max")
    if x.ndim != 4:
        raise invalid(_OP, "in must be 4-dimensional")
    place = np.arange(shape_of(x)[-1])
    near = np.abs(place[:, None] - place) <= depth_radius
    sums = tensordot(square(x), convert(near.astype(x.dtype.numpy)), 1)
    scale = add(convert(bias, x.dtype), multiply(convert(alpha, x.dtype), sums))
    return divide(x, pow(scale, convert(beta, x.dtype)))
