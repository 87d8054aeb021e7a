"""Grayscale morphology: the largest sum, or the least difference, of each window and a filter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from symtape.errors import UnsupportedError
from symtape.ops.arguments import REALS, check, like, listed, pair, same_dtype, tensor
from symtape.ops.elementwise.arithmetic import add, where
from symtape.ops.elementwise.comparison import greater
from symtape.ops.elementwise.functions import is_nan, negative
from symtape.ops.nn.windows.pooled import chosen, in_windows
from symtape.ops.nn.windows.sliding import (
    Slide,
    full_list,
    padded,
    slide,
    unimplemented,
    volume,
    word,
)
from symtape.ops.reductions.reduction import reduce_all, reduce_any
from symtape.ops.shapes.repetition import flipped
from symtape.ops.shapes.shaping import permuted, with_shape
from symtape.program.kinds.structural import Position
from symtape.program.kinds.windows import Window
from symtape.tensor.decided import decided_truth
from symtape.tensor.dispatch import apply1, invalid
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import dtype_of, shape_of

_OP = "Dilation2D"


def dilation2d(
    input: Any,
    filters: Any,
    strides: Any,
    padding: Any,
    data_format: Any,
    dilations: Any,
    name: str | None = None,
) -> Tensor:
    """Give for every window of images the largest sum of an element and the filter's at its place.

    The images are [batch, height, width, depth], the filters [height, width, depth], one for each
    channel, both of one real dtype. `strides` and `dilations` have four numbers, the first and last
    of which are 1; `padding` is "SAME" or "VALID", and what lies outside of an image is never the
    largest; `data_format` is "NHWC". Of equal sums the first one of the window receives the
    gradient. As in TensorFlow a nan is never the largest, and a window without numbers has the
    least number of the dtype, which has no gradient. Raises `InvalidArgumentError` and
    `UnimplementedError` for shapes, strides and dilations that do not fit, `ValueError` for another
    format, and `UnsupportedError` for dilations that are not positive.

    >>> image, filters = np.array([[0.0, 2.0, 1.0]])[None, ..., None], np.zeros((1, 2, 1))
    >>> dilation2d(image, filters, [1] * 4, "VALID", "NHWC", [1] * 4).numpy().ravel()
    array([2., 2.])
    """
    _check_format(data_format)
    return _dilated(*pair(input, filters), strides, padding, dilations)


def erosion2d(
    value: Any,
    filters: Any,
    strides: Any,
    padding: Any,
    data_format: Any,
    dilations: Any,
    name: str | None = None,
) -> Tensor:
    """Give for every window of images the least difference of an element and the filter's.

    The filter is turned by half a turn first: an erosion of x is a dilation of -x by that filter,
    with the other sign. The arguments are those of `dilation2d`, and so is what raises
    `InvalidArgumentError`, `UnimplementedError`, `ValueError` and `UnsupportedError`; numbers
    without a sign are refused, too.

    >>> image, filters = np.array([[0.0, 2.0, 1.0]])[None, ..., None], np.zeros((1, 2, 1))
    >>> erosion2d(image, filters, [1] * 4, "VALID", "NHWC", [1] * 4).numpy().ravel()
    array([-0.,  1.])
    """
    _check_format(data_format)
    x = negative(tensor(value))
    f = like(filters, x)
    if f.ndim >= 2:
        f = flipped(f, [0, 1])
    return negative(_dilated(x, f, strides, padding, dilations))


def _check_format(data_format: Any) -> None:
    if data_format != "NHWC":
        raise ValueError(
            "`data_format` values other  than 'NHWC' are not supported. "
            f"Received: data_format={data_format}"
        )


def _dilated(x: Tensor, filters: Any, strides: Any, padding: Any, dilations: Any) -> Tensor:
    steps = _four(strides, "strides")
    rates = _four(dilations, "rates")
    f = like(filters, x)
    how = _read(x, f, steps, rates, word(padding))
    lines = in_windows(padded(x, how.pads, 1), how)
    lines = add(lines, _beside(f, lines))
    compared = _compared(lines, _outside(shape_of(x)[1:3], how))
    if not volume(how.windows):
        return Tensor(np.full(shape_of(lines)[:-1], _least(lines)))
    places = apply1(Position("argmax", -1, "int64"), compared)
    found, best = chosen(lines, places), chosen(compared, places)
    counts = greater(best, _least(lines))
    return found if decided_truth(reduce_all(counts)) else where(counts, found, _least(lines))


def _beside(f: Tensor, lines: Tensor) -> Tensor:
    """Put the places of a filter into the last axis, as those of windows are."""
    height, width, depth = shape_of(f)
    line = permuted(with_shape(f, (height * width, depth)), [1, 0])
    return with_shape(line, (*[1] * (lines.ndim - 2), depth, height * width))


def _compared(lines: Tensor, outside: Any) -> Tensor:
    """Let what can never be the largest be the least number of the dtype."""
    if dtype_of(lines).kind == "f" and decided_truth(reduce_any(is_nan(lines))):
        lines = where(greater(lines, _least(lines)), lines, _least(lines))
    return where(Tensor(outside), _least(lines), lines) if outside.any() else lines


def _least(x: Tensor) -> Any:
    dtype = dtype_of(x)
    return dtype.type(np.iinfo(dtype).min if dtype.kind in "iu" else x.dtype.min)


def _outside(image: Sequence[int], how: Slide) -> Any:
    """Say for every window, and no channel, which of its places are outside of the image."""
    axes = []
    for n, window, (before, _), count in zip(image, how.windows, how.pads, how.counts, strict=True):
        at = window.stride * np.arange(count)[:, None] + window.dilation * np.arange(window.size)
        axes.append((at < before) | (at >= before + n))
    rows, columns = axes
    both = rows[:, None, :, None] | columns[None, :, None, :]
    return both.reshape(*how.counts, 1, volume(how.windows))


# --- arguments ------------------------------------------------------------------------------------


def _four(value: Any, what: str) -> list[int]:
    found = [] if value is None else full_list(value, 2, "dilation2d", what)
    if len(found) < 4:
        raise invalid(_OP, f"Length for attr '{what}' of {len(found)} must be at least minimum 4")
    return found


def _read(
    x: Tensor, f: Tensor, strides: Sequence[int], rates: Sequence[int], padding: Any
) -> Slide:
    check(_OP, x, REALS, "input:T, filter:T -> output:T")
    same_dtype(_OP, x, f)
    for text, found in (("stride", strides), ("rate", rates)):
        if len(found) != 4:
            raise invalid(_OP, f"Sliding window {text} field must specify 4 dimensions")
    for text, found in (("Stride", strides), ("Rate", rates)):
        if (found[0], found[3]) != (1, 1):
            raise unimplemented(_OP, f"{text} is only supported across spatial dimensions.")
    if x.ndim != 4:
        raise invalid(_OP, f"input must be 4-dimensional{listed(shape_of(x))}")
    if f.ndim != 3:
        raise invalid(_OP, f"filter must be 3-dimensional: {listed(shape_of(f))}")
    if shape_of(x)[3] != shape_of(f)[2]:
        raise invalid(
            _OP, f"input and filter must have the same depth: {shape_of(x)[3]} vs {shape_of(f)[2]}"
        )
    if min(strides) <= 0:
        raise invalid(_OP, f"Stride must be > 0, but got {min(strides[1:3])}")
    if min(rates) <= 0:
        raise UnsupportedError(f"dilations={list(rates)}; dilations are positive")
    parts = zip(shape_of(f)[:2], strides[1:3], rates[1:3], strict=True)
    windows = [Window(*part) for part in parts]
    return slide(_OP, shape_of(x)[1:3], windows, padding, first=False, options=("SAME", "VALID"))
