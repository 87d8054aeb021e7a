"""Images with another brightness, contrast, gamma, hue or saturation."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtape.ops.arguments import is_tensor, like, listed, tensor
from symtape.ops.elementwise.arithmetic import (
    add,
    clip_by_value,
    divide,
    divide_no_nan,
    floormod,
    maximum,
    multiply,
    subtract,
    where,
)
from symtape.ops.elementwise.arithmetic import pow as power
from symtape.ops.elementwise.comparison import greater
from symtape.ops.elementwise.conversion import cast
from symtape.ops.image.arguments import asserted, check_image
from symtape.ops.image.colours import parted, weights
from symtape.ops.image.conversion import as_float, convert_image_dtype
from symtape.ops.reductions.reduction import reduce_mean, reduce_std
from symtape.ops.shapes.creation import zeros_like
from symtape.ops.shapes.joining import stack
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.dispatch import invalid
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of


def adjust_brightness(image: Any, delta: Any) -> Tensor:
    """Add a number to every channel; integers stand for numbers from 0 to 1.

    Raises `AttributeError` for images that are no real numbers.

    >>> adjust_brightness([[[0.25]]], 0.5).numpy()
    array([[[0.75]]], dtype=float32)
    """
    x = tensor(image)
    plain = as_float(x)
    return convert_image_dtype(add(plain, cast(delta, plain.dtype)), x.dtype, saturate=True)


def adjust_contrast(images: Any, contrast_factor: Any) -> Tensor:
    """(x - mean)·factor + mean, with the mean of each channel of each image.

    Raises `InvalidArgumentError` for fewer than three axes and for a factor with axes.

    >>> adjust_contrast([[[1.0], [3.0]]], 2.0).numpy()[0, :, 0]
    array([0., 4.], dtype=float32)
    """
    x = tensor(images)
    plain = as_float(x)
    _check_axes("AdjustContrastv2", plain)
    factor = cast(_single("AdjustContrastv2", contrast_factor, "contrast_factor"), plain.dtype)
    mean = reduce_mean(plain, [-3, -2], keepdims=True)
    made = add(multiply(subtract(plain, mean), factor), mean)
    return convert_image_dtype(made, x.dtype, saturate=True)


def adjust_gamma(image: Any, gamma: Any = 1, gain: Any = 1) -> Tensor:
    """gain·xᵞ; integers stand for numbers from 0 to 1.

    Raises `ValueError` for a negative number `gamma`, `InvalidArgumentError` for a negative tensor.

    >>> adjust_gamma([[[0.5]]], 2.0).numpy()
    array([[[0.25]]], dtype=float32)
    """
    x = tensor(image)
    values = as_float(x)
    if not gamma >= 0:
        text = "Gamma should be a non-negative real number."
        raise asserted(f"b'{text}'") if is_tensor(gamma) else ValueError(text)
    made = power(values, like(gamma, values))
    return convert_image_dtype(multiply(like(gain, made), made), x.dtype, saturate=True)


def adjust_hue(image: Any, delta: Any, name: str | None = None) -> Tensor:
    """Turn the hues of RGB images by a part of the circle of colours.

    Raises `ValueError` unless `delta` is between -1 and 1, and `InvalidArgumentError` for fewer
    than three axes and for other counts of channels than three.

    >>> adjust_hue([[[1.0, 0.0, 0.0]]], 1 / 3).numpy().round(6)
    array([[[0., 1., 0.]]], dtype=float32)
    """
    if delta < -1 or delta > 1:
        raise ValueError("delta must be in the interval [-1, 1]")
    x = tensor(image)
    values = _colours("AdjustHue", x)
    by = cast(_single("AdjustHue", delta, "delta"), values.dtype)
    hue, range_, largest = parted(values)
    turned = weights(floormod(add(hue, by), like(1, hue)))
    least = subtract(largest, range_)
    return convert_image_dtype(
        stack([add(least, multiply(range_, w)) for w in turned], -1), x.dtype
    )


def adjust_saturation(image: Any, saturation_factor: Any, name: str | None = None) -> Tensor:
    """Multiply the saturation of RGB images by a number, and hold it between 0 and 1.

    Raises `InvalidArgumentError` for fewer than three axes and for other counts of channels.

    >>> adjust_saturation([[[1.0, 0.5, 0.5]]], 2.0).numpy()
    array([[[1., 0., 0.]]], dtype=float32)
    """
    x = tensor(image)
    values = _colours("AdjustSaturation", x)
    factor = cast(_single("AdjustSaturation", saturation_factor, "scale"), values.dtype)
    hue, range_, largest = parted(values)
    positive = greater(largest, like(0, largest))
    saturation = where(positive, divide_no_nan(range_, largest), zeros_like(largest))
    saturation = clip_by_value(multiply(saturation, factor), 0, 1)
    range_ = multiply(saturation, largest)
    least = subtract(largest, range_)
    made = stack([add(least, multiply(range_, w)) for w in weights(hue)], -1)
    return convert_image_dtype(made, x.dtype)


def per_image_standardization(image: Any) -> Tensor:
    """(x - mean)/deviation of each image, as float32; the deviation is at least 1/√elements.

    Raises `ValueError` for fewer than three axes and for images without elements.

    >>> per_image_standardization([[[1.0], [3.0]]]).numpy()[0, :, 0]
    array([-1.,  1.], dtype=float32)
    """
    x = tensor(image)
    check_image(x)
    x = cast(x, dtypes.float32)
    axes = [-1, -2, -3]
    least = np.float32(np.prod(shape_of(x)[-3:])) ** np.float32(-0.5)
    deviation = maximum(reduce_std(x, axes, keepdims=True), least)
    return divide(subtract(x, reduce_mean(x, axes, keepdims=True)), deviation)


def _single(kernel: str, value: Any, what: str) -> Tensor:
    found = convert(value)
    if found.ndim:
        raise invalid(kernel, f"{what} must be scalar: {listed(shape_of(found))}")
    return found


def _check_axes(kernel: str, x: Tensor) -> None:
    if x.ndim < 3:
        raise invalid(kernel, f"input must be at least 3-D, got shape{listed(shape_of(x))}")


def _colours(kernel: str, x: Tensor) -> Tensor:
    values = as_float(x)
    _check_axes(kernel, values)
    if shape_of(values)[-1] != 3:
        raise invalid(
            kernel, f"input must have 3 channels but instead has {shape_of(values)[-1]} channels."
        )
    return values
