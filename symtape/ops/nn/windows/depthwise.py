"""Convolutions that keep channels apart: depthwise, and separable into space and channels."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtape.errors import UnsupportedError
from symtape.ops.arguments import attribute, check, like, listed, plain, same_dtype, tensor
from symtape.ops.nn.windows.convolution import FLOATS, contracted, conv2d
from symtape.ops.nn.windows.sliding import (
    channels_first,
    channels_last,
    full_list,
    is_channels_first,
    looked_at,
    of_image,
    padded,
    slide,
)
from symtape.ops.shapes.shaping import with_shape
from symtape.program.kinds.windows import Window
from symtape.tensor.dispatch import invalid
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of

_OP = "DepthwiseConv2dNative"


def depthwise_conv2d(
    input: Any,
    filter: Any,
    strides: Any,
    padding: Any,
    data_format: str | None = None,
    dilations: Any = None,
    name: str | None = None,
) -> Tensor:
    """Slide filters [height, width, channels, m] over images, each over its own channel.

    Channel c of the images gives the channels c·m, …, c·m + m - 1 of the result. `strides` has four
    numbers, `dilations` two, or that of the height alone; `padding` and `data_format` are those of
    `conv2d`. Raises `UnsupportedError` for one number with padding.

    >>> import numpy as np
    >>> images, filters = np.ones((1, 2, 2, 2)), np.reshape([1.0, 10.0], (1, 1, 2, 1))
    >>> depthwise_conv2d(images, filters, [1, 1, 1, 1], "VALID").numpy()[0, 0]
    array([[ 1., 10.],
           [ 1., 10.]])
    """
    first = is_channels_first(_OP, data_format, 2)
    x = tensor(input)
    f = like(filter, x)
    check(_OP, x, FLOATS, "input:T, filter:T -> output:T")
    same_dtype(_OP, x, f)
    steps = _steps(strides, first)
    rates = _rates(dilations, padding)
    if x.ndim != 4:
        raise invalid(_OP, f"input must be 4-dimensional{listed(shape_of(x))}")
    if f.ndim != 4:
        raise invalid(_OP, f"filter must be 4-dimensional: {listed(shape_of(f))}")
    x = channels_last(x, 2) if first else x
    *sizes, depth, multiplier = shape_of(f)
    if depth != shape_of(x)[-1]:
        raise invalid(
            _OP, f"input and filter must have the same depth: {shape_of(x)[-1]} vs {depth}"
        )
    windows = [Window(*part) for part in zip(sizes, steps, rates, strict=True)]
    how = slide(_OP, shape_of(x)[1:3], windows, padding, first=first)
    y = contracted(looked_at(padded(x, how.pads, 1), how, 1), f, how, "depthwise")
    y = with_shape(y, (*shape_of(y)[:3], depth * multiplier))
    return channels_first(y, 2) if first else y


def _rates(dilations: Any, padding: Any) -> list[int]:
    """Read dilations, of which one is that of the height."""
    if dilations is None:
        return [1, 1]
    if not np.ndim(plain(dilations)):
        raise ValueError(
            f"`dilation_rate.shape.rank` must be 1. Received: dilation_rate={dilations} of rank 0"
        )
    rates = [attribute(n, "dilations") for n in dilations]
    if rates[1:] == [] and rates != [1] and padding != "VALID":
        raise UnsupportedError(
            "depthwise_conv2d of one number as `dilations` and padding: give one for the height "
            "and one for the width"
        )
    rates += [1] * (len(rates) == 1)
    if len(rates) != 2 or min(rates) <= 0:
        raise ValueError(
            f"`dilations` of depthwise_conv2d are two positive numbers. Received: {dilations}"
        )
    return rates


def _steps(strides: Any, first: bool) -> list[int]:
    found = full_list(strides, 2, "depthwise_conv2d_native", "strides")
    if len(found) != 4:
        raise invalid(_OP, "Sliding window strides field must specify 4 dimensions")
    inner = of_image(found, first)
    if (found[0], found[1 if first else -1]) != (1, 1):
        raise invalid(
            _OP,
            "Current implementation does not yet support strides in the batch and depth "
            "dimensions.",
        )
    if min(inner) <= 0:
        raise invalid(_OP, f"Stride must be > 0, but got {min(inner)}")
    return inner


def separable_conv2d(
    input: Any,
    depthwise_filter: Any,
    pointwise_filter: Any,
    strides: Any,
    padding: Any,
    data_format: str | None = None,
    dilations: Any = None,
    name: str | None = None,
) -> Tensor:
    """A `depthwise_conv2d`, and a `conv2d` of one place [1, 1, channels · m, outputs] after it.

    Raises what these raise: `UnsupportedError` for one number as `dilations` with padding.

    >>> import numpy as np
    >>> images, filters = np.ones((1, 2, 2, 2)), np.reshape([1.0, 10.0], (1, 1, 2, 1))
    >>> mixed = np.ones((1, 1, 2, 1))
    >>> separable_conv2d(images, filters, mixed, [1, 1, 1, 1], "VALID").numpy().ravel()
    array([11., 11., 11., 11.])
    """
    x = tensor(input)
    point = like(pointwise_filter, x)
    if point.ndim == 4 and shape_of(point)[:2] != (1, 1):
        wrong = next(n for n in shape_of(point)[:2] if n != 1)
        raise ValueError(f"Dimensions {wrong} and 1 are not compatible")
    between = depthwise_conv2d(x, depthwise_filter, strides, padding, data_format, dilations)
    return conv2d(between, point, 1, "VALID", data_format or "NHWC")
