"""Images changed at random, by the numbers of `tf.random`."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from symtape.ops.arguments import tensor
from symtape.ops.elementwise.arithmetic import add, multiply, subtract
from symtape.ops.image.adjusting import (
    adjust_brightness,
    adjust_contrast,
    adjust_hue,
    adjust_saturation,
)
from symtape.ops.image.arguments import asserted, check_image, check_rank
from symtape.ops.image.turning import flip
from symtape.ops.random.drawn import uniform
from symtape.ops.random.stateless import stateless_uniform
from symtape.ops.shapes.repetition import part_of
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.decided import decided
from symtape.tensor.dispatch import invalid
from symtape.tensor.recording.looking import is_loose, is_unknown, sized
from symtape.tensor.tensor import Tensor
from symtape.tensor.unknown_sizes import made_up
from symtape.tensor.values import dtype_of, shape_of

Draw = Callable[..., Tensor]


def random_flip_left_right(image: Any, seed: Any = None) -> Tensor:
    """`flip_left_right` of each image with probability ½; the errors are those of that.

    >>> random_flip_left_right([[[1], [2]]]).shape
    TensorShape([1, 2, 1])
    """
    return _flipped(image, -2, partial(uniform, seed=seed))


def random_flip_up_down(image: Any, seed: Any = None) -> Tensor:
    """`flip_up_down` of each image with probability ½; the errors are those of that.

    >>> random_flip_up_down([[[1], [2]]]).numpy()[0, :, 0]
    array([1, 2], dtype=int32)
    """
    return _flipped(image, -3, partial(uniform, seed=seed))


def stateless_random_flip_left_right(image: Any, seed: Any) -> Tensor:
    """`random_flip_left_right` as a function of a seed, two integers.

    >>> stateless_random_flip_left_right([[[1], [2]]], seed=(1, 2)).numpy()[0, :, 0]
    array([1, 2], dtype=int32)
    """
    return _flipped(image, -2, partial(stateless_uniform, seed=seed))


def stateless_random_flip_up_down(image: Any, seed: Any) -> Tensor:
    """`random_flip_up_down` as a function of a seed, two integers.

    >>> stateless_random_flip_up_down([[[1]], [[2]]], seed=(1, 2)).numpy()[:, 0, 0]
    array([1, 2], dtype=int32)
    """
    return _flipped(image, -3, partial(stateless_uniform, seed=seed))


def _flipped(image: Any, axis: int, draw: Draw) -> Tensor:
    x = tensor(image)
    check_image(x)
    check_rank(x)
    if x.ndim == 3:
        drawn = decided(draw(shape=[], minval=0, maxval=1.0))
        return flip(x, axis) if drawn < 0.5 else x
    drawn = decided(draw(shape=[shape_of(x)[0]], minval=0, maxval=1.0))
    chosen = convert(np.rint(drawn).astype(dtype_of(x)).reshape(-1, 1, 1, 1))
    one = convert(np.ones((), dtype_of(x)))
    return add(multiply(chosen, flip(x, axis)), multiply(subtract(one, chosen), x))


def random_brightness(image: Any, max_delta: float, seed: Any = None) -> Tensor:
    """`adjust_brightness` by a number between -max_delta and max_delta.

    Raises `ValueError` for a negative `max_delta`.

    >>> random_brightness([[[0.5]]], 0.0).numpy()
    array([[[0.5]]], dtype=float32)
    """
    return adjust_brightness(image, _delta(max_delta, partial(uniform, seed=seed)))


def stateless_random_brightness(image: Any, max_delta: float, seed: Any) -> Tensor:
    """`random_brightness` as a function of a seed, two integers.

    >>> stateless_random_brightness([[[0.5]]], 0.2, (1, 2)).numpy().round(4)
    array([[[0.6376]]], dtype=float32)
    """
    return adjust_brightness(image, _delta(max_delta, partial(stateless_uniform, seed=seed)))


def random_contrast(image: Any, lower: float, upper: float, seed: Any = None) -> Tensor:
    """`adjust_contrast` by a factor from `lower` to `upper`.

    Raises `ValueError` unless 0 ≤ lower < upper.

    >>> random_contrast([[[0.5]]], 0.2, 0.5).numpy()
    array([[[0.5]]], dtype=float32)
    """
    return adjust_contrast(image, _factor(lower, upper, partial(uniform, seed=seed)))


def stateless_random_contrast(image: Any, lower: float, upper: float, seed: Any) -> Tensor:
    """`random_contrast` as a function of a seed, two integers.

    >>> stateless_random_contrast([[[0.5]]], 0.2, 0.5, (1, 2)).numpy()
    array([[[0.5]]], dtype=float32)
    """
    return adjust_contrast(image, _factor(lower, upper, partial(stateless_uniform, seed=seed)))


def random_hue(image: Any, max_delta: float, seed: Any = None) -> Tensor:
    """`adjust_hue` by a number between -max_delta and max_delta.

    Raises `ValueError` unless 0 ≤ max_delta ≤ ½.

    >>> random_hue([[[0.5, 0.5, 0.5]]], 0.2).numpy()
    array([[[0.5, 0.5, 0.5]]], dtype=float32)
    """
    return adjust_hue(image, _delta(max_delta, partial(uniform, seed=seed), 0.5))


def stateless_random_hue(image: Any, max_delta: float, seed: Any) -> Tensor:
    """`random_hue` as a function of a seed, two integers.

    >>> stateless_random_hue([[[0.5, 0.5, 0.5]]], 0.2, (1, 2)).numpy()
    array([[[0.5, 0.5, 0.5]]], dtype=float32)
    """
    return adjust_hue(image, _delta(max_delta, partial(stateless_uniform, seed=seed), 0.5))


def random_saturation(image: Any, lower: float, upper: float, seed: Any = None) -> Tensor:
    """`adjust_saturation` by a factor from `lower` to `upper`.

    Raises `ValueError` unless 0 ≤ lower < upper.

    >>> random_saturation([[[0.5, 0.5, 0.5]]], 0.2, 0.5).numpy()
    array([[[0.5, 0.5, 0.5]]], dtype=float32)
    """
    return adjust_saturation(image, _factor(lower, upper, partial(uniform, seed=seed)))


def stateless_random_saturation(image: Any, lower: float, upper: float, seed: Any = None) -> Tensor:
    """`random_saturation` as a function of a seed, two integers.

    >>> stateless_random_saturation([[[0.5, 0.5, 0.5]]], 0.2, 0.5, (1, 2)).numpy()
    array([[[0.5, 0.5, 0.5]]], dtype=float32)
    """
    return adjust_saturation(image, _factor(lower, upper, partial(stateless_uniform, seed=seed)))


def _delta(most: float, draw: Draw, limit: float | None = None) -> Tensor:
    if limit is not None and most > limit:
        raise ValueError(f"max_delta must be <= {limit}.")
    if most < 0:
        raise ValueError("max_delta must be non-negative.")
    return draw(shape=[], minval=-most, maxval=most)


def _factor(lower: float, upper: float, draw: Draw) -> Tensor:
    if upper <= lower:
        raise ValueError("upper must be > lower.")
    if lower < 0:
        raise ValueError("lower must be non-negative.")
    return draw(shape=[], minval=lower, maxval=upper)


def random_crop(value: Any, size: Any, seed: Any = None, name: str | None = None) -> Tensor:
    """A part of a tensor, of a shape, at a place that is drawn.

    Raises `InvalidArgumentError` for a shape that does not fit into that of the tensor.

    >>> random_crop([[1, 2, 3]], [1, 3]).numpy()
    array([[1, 2, 3]], dtype=int32)
    """
    return _cropped(value, size, partial(uniform, seed=seed))


def stateless_random_crop(value: Any, size: Any, seed: Any, name: str | None = None) -> Tensor:
    """`random_crop` as a function of a seed, two integers.

    >>> stateless_random_crop([[1, 2, 3], [4, 5, 6]], (1, 2), (1, 2)).numpy()
    array([[2, 3]], dtype=int32)
    """
    return _cropped(value, size, partial(stateless_uniform, seed=seed))


def _cropped(value: Any, size: Any, draw: Draw) -> Tensor:
    x, asked = tensor(value), convert(size, dtypes.int32)
    shape = shape_of(x)
    if is_unknown(asked) or is_loose(x):
        return made_up(x, sized(asked, decided(asked)).tolist())
    wanted = tuple(decided(asked).tolist())
    if len(shape) != len(wanted):
        raise invalid("GreaterEqual", f"Incompatible shapes: [{len(shape)}] vs. [{len(wanted)}]")
    if any(n < m for n, m in zip(shape, wanted, strict=True)):
        raise asserted("b'Need value.shape >= size, got '", shape, wanted)
    drawn = decided(draw(shape=[len(shape)], dtype=dtypes.int32, maxval=2**31 - 1, minval=0))
    for axis, (n, m) in enumerate(zip(shape, wanted, strict=True)):
        x = part_of(x, axis, int(drawn[axis]) % (n - m + 1), m)
    return x
