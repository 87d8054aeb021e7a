"""Colours in other spaces: grey, YIQ, YUV, HSV."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtape.errors import FailedPreconditionError
from symtape.ops.arguments import FEATURES, check, is_tensor, like, listed, tensor
from symtape.ops.elementwise.arithmetic import (
    add,
    clip_by_value,
    divide_no_nan,
    floormod,
    maximum,
    minimum,
    multiply,
    subtract,
    where,
)
from symtape.ops.elementwise.comparison import equal, greater
from symtape.ops.elementwise.functions import abs
from symtape.ops.image.conversion import as_float, convert_image_dtype
from symtape.ops.linalg.products import tensordot
from symtape.ops.shapes.creation import zeros_like
from symtape.ops.shapes.joining import stack, unstack
from symtape.ops.shapes.repetition import tile
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.dispatch import invalid
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of

_GREY = [0.2989, 0.587, 0.114]
_TO_YIQ = [
    [0.299, 0.59590059, 0.2115],
    [0.587, -0.27455667, -0.52273617],
    [0.114, -0.32134392, 0.31119955],
]
_FROM_YIQ = [
    [1, 1, 1],
    [0.95598634, -0.27201283, -1.10674021],
    [0.6208248, -0.64720424, 1.70423049],
]
_TO_YUV = [
    [0.299, -0.14714119, 0.61497538],
    [0.587, -0.28886916, -0.51496512],
    [0.114, 0.43601035, -0.10001026],
]
_FROM_YUV = [[1, 1, 1], [0, -0.394642334, 2.03206185], [1.13988303, -0.58062185, 0]]


# --- linear maps of the channels ------------------------------------------------------------------


def rgb_to_grayscale(images: Any, name: str | None = None) -> Tensor:
    """0.2989 R + 0.587 G + 0.114 B, in a last axis of one channel, of the dtype of the images.

    >>> rgb_to_grayscale([[[1.0, 0.0, 0.0]]]).numpy()
    array([[[0.2989]]], dtype=float32)
    """
    x = tensor(images)
    plain = as_float(x)
    _check_product(plain, len(_GREY), 1)
    grey = tensordot(plain, convert(np.array(_GREY)[:, None], plain.dtype), 1)
    return convert_image_dtype(grey, x.dtype)


def grayscale_to_rgb(images: Any, name: str | None = None) -> Tensor:
    """Repeat the one channel of grey images three times.

    Raises `ValueError` for fewer than two axes, and for more than one channel.

    >>> grayscale_to_rgb([[[0.5]]]).numpy()
    array([[[0.5, 0.5, 0.5]]], dtype=float32)
    """
    x = tensor(images)
    if x.ndim < 2:
        raise ValueError(f"A grayscale image (shape {x.shape}) must be at least two-dimensional.")
    if shape_of(x)[-1] != 1:
        raise ValueError("Last dimension of a grayscale image should be size 1.")
    return tile(x, [*[1] * (x.ndim - 1), 3])


def rgb_to_yiq(images: Any) -> Tensor:
    """Convert colours in the last axis from RGB to YIQ.

    >>> rgb_to_yiq([1.0, 1.0, 1.0]).numpy()[0]
    np.float32(1.0)
    """
    return _product(images, _TO_YIQ)


def yiq_to_rgb(images: Any) -> Tensor:
    """Convert colours in the last axis from YIQ to RGB.

    >>> yiq_to_rgb([1.0, 0.0, 0.0]).numpy()
    array([1., 1., 1.], dtype=float32)
    """
    return _product(images, _FROM_YIQ)


def rgb_to_yuv(images: Any) -> Tensor:
    """Convert colours in the last axis from RGB to YUV.

    >>> rgb_to_yuv([1.0, 1.0, 1.0]).numpy()[0]
    np.float32(1.0)
    """
    return _product(images, _TO_YUV)


def yuv_to_rgb(images: Any) -> Tensor:
    """Convert colours in the last axis from YUV to RGB.

    >>> yuv_to_rgb([1.0, 0.0, 0.0]).numpy()
    array([1., 1., 1.], dtype=float32)
    """
    return _product(images, _FROM_YUV)


def _product(images: Any, matrix: Any) -> Tensor:
    x = tensor(images)
    if not (x.dtype.is_floating or x.dtype.is_complex):
        raise TypeError(f"Cannot convert {matrix} to EagerTensor of dtype {x.dtype.name}")
    _check_product(x, 3, 3)
    return tensordot(x, convert(matrix, x.dtype), 1)


def _check_product(x: Tensor, rows: int, columns: int) -> None:
    shape = shape_of(x)
    if not shape or shape[-1] != rows:
        own = [int(np.prod(shape[:-1])), *shape[-1:]]
        raise invalid(
            "MatMul",
            f"Matrix size-incompatible: In[0]: {listed(own)}, In[1]: {listed([rows, columns])}",
        )


# --- hue, saturation, value -----------------------------------------------------------------------


def rgb_to_hsv(images: Any, name: str | None = None) -> Tensor:
    """Convert colours in the last axis from RGB to hue, saturation and value.

    The value V is the largest channel, the saturation its distance to the smallest over V. Where
    channels are equal, the first one counts as the largest and the last one as the smallest.
    Raises `InvalidArgumentError` for scalars, `FailedPreconditionError` for other counts of
    channels.

    >>> rgb_to_hsv([0.0, 0.5, 0.5]).numpy()
    array([0.5, 1. , 0.5], dtype=float32)
    """
    hue, range_, value = parted(_three("RGBToHSV", images))
    positive = greater(value, like(0, value))
    saturation = where(positive, divide_no_nan(range_, value), zeros_like(value))
    return stack([hue, saturation, value], -1)


def hsv_to_rgb(images: Any, name: str | None = None) -> Tensor:
    """Convert colours in the last axis from hue, saturation and value to RGB.

    Raises `InvalidArgumentError` for scalars, `FailedPreconditionError` for other counts of
    channels.

    >>> hsv_to_rgb([0.5, 1.0, 0.5]).numpy()
    array([0. , 0.5, 0.5], dtype=float32)
    """
    hue, saturation, value = unstack(_three("HSVToRGB", images), 3, -1)
    one = like(1, value)
    faded = [add(subtract(one, saturation), multiply(saturation, w)) for w in weights(hue)]
    return stack([multiply(part, value) for part in faded], -1)


def parted(x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Give the hue of colours, from 0 to 1, the range of their channels, and the largest."""
    red, green, blue = unstack(x, 3, -1)
    value = maximum(red, maximum(green, blue))
    range_ = subtract(value, minimum(blue, minimum(green, red)))
    sixth = multiply(range_, like(6, range_))
    at_red = divide_no_nan(subtract(green, blue), sixth)
    at_green = add(divide_no_nan(subtract(blue, red), sixth), like(2 / 6, value))
    at_blue = add(divide_no_nan(subtract(red, green), sixth), like(4 / 6, value))
    hue = where(equal(value, red), at_red, where(equal(value, green), at_green, at_blue))
    return floormod(hue, like(1, hue)), range_, value


def weights(hue: Tensor) -> list[Tensor]:
    """Say how much of red, green and blue a hue has, from 0 to 1."""
    six = multiply(hue, like(6, hue))

    def away(middle: int) -> Tensor:
        return abs(subtract(six, like(middle, six)))

    raw = [subtract(away(3), like(1, six)), *[subtract(like(2, six), away(k)) for k in (2, 4)]]
    return [clip_by_value(w, 0, 1) for w in raw]


def _three(kernel: str, images: Any) -> Tensor:
    x = tensor(images) if is_tensor(images) else convert(images, dtypes.float32)
    check(kernel, x, FEATURES, "images:T -> output:T")
    if x.ndim < 1:
        raise invalid(kernel, "input must be at least 1D[]")
    if shape_of(x)[-1] != 3:
        text = f"input must have 3 channels but input only has {shape_of(x)[-1]} channels."
        raise FailedPreconditionError(message=invalid(kernel, text).message)
    return x
