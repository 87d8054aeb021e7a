"""A signal cut into frames that overlap, and frames added up to a signal."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtape.ops.arguments import same_dtype, tensor
from symtape.ops.shapes.joining import pad
from symtape.ops.shapes.repetition import part_of
from symtape.ops.shapes.shaping import with_shape
from symtape.ops.signal.arguments import at_least, count, number
from symtape.program.kinds.windows import Overlap, Window, Windows
from symtape.tensor.convert import convert
from symtape.tensor.dispatch import apply1, invalid
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of


def frame(
    signal: Any,
    frame_length: Any,
    frame_step: Any,
    pad_end: bool = False,
    pad_value: Any = 0,
    axis: Any = -1,
    name: str | None = None,
) -> Tensor:
    """Cut an axis into frames of `frame_length` elements, which begin `frame_step` apart.

    The axis becomes two: the frames, and the places within them. With `pad_end` the frames that
    reach beyond the end are there, too, filled up with `pad_value`; a tape differentiates in it.
    Raises `ValueError` for lengths, steps and axes that are no single numbers, `IndexError` for an
    axis that is not there, `InvalidArgumentError` for a step of 0 and a negative length.

    >>> frame([1, 2, 3, 4, 5], 3, 2).numpy()
    array([[1, 2, 3],
           [3, 4, 5]], dtype=int32)
    """
    x = at_least(tensor(signal), 1)
    length, step = _steps(frame_length, frame_step)
    place = range(x.ndim)[_index(axis)] if -x.ndim <= _index(axis) < x.ndim else None
    if place is None:
        raise IndexError("list index out of range")
    if step == 0:
        raise invalid("FloorDiv", "Integer division by zero")
    if length < 0:
        raise invalid("Range", f"Requires start <= limit when delta > 0: 0/{length}")
    n = shape_of(x)[place]
    frames = max(0, -(-n // step) if pad_end else 1 + (n - length) // step)
    if pad_end:
        x = _filled(x, place, length + step * (frames - 1) - n, pad_value)
    return _cut(x, place, frames, Window(length, step))


def _steps(length: Any, step: Any) -> tuple[int, int]:
    """Read the length and the step of frames, which are integers of one dtype."""
    first, second = convert(length), convert(step)
    for given in (first, second):
        given.shape.assert_has_rank(0)
    same_dtype("FloorDiv", first, second)
    return count(first), count(second)


def _index(axis: Any) -> int:
    found = number(axis)
    if found.dtype.kind not in "iu":
        raise TypeError(f"list indices must be integers or slices, not numpy.{found.dtype}")
    return int(found)


def _filled(x: Tensor, axis: int, missing: int, value: Any) -> Tensor:
    """Put a value behind the elements of an axis."""
    filler = convert(value, x.dtype)
    filler.shape.assert_has_rank(0)
    if missing <= 0:
        return x
    pairs = [(0, missing if k == axis else 0) for k in range(x.ndim)]
    return pad(x, pairs, constant_values=value if type(value) is int else filler)


def _cut(x: Tensor, axis: int, frames: int, window: Window) -> Tensor:
    shape = shape_of(x)
    if frames == 0 or window.size == 0:
        none = part_of(x, axis, 0, 0)
        return with_shape(none, (*shape[:axis], frames, window.size, *shape[axis + 1 :]))
    reach = (frames - 1) * window.stride + window.size
    return apply1(Windows((window,), x.ndim - axis - 1), part_of(x, axis, 0, reach))


def overlap_and_add(signal: Any, frame_step: Any, name: str | None = None) -> Tensor:
    """Add up the frames in the last two axes, each of which begins `frame_step` after the last.

    Raises `ValueError` for fewer than two axes and a step that is no integer, and
    `InvalidArgumentError` for one that is not positive.

    >>> overlap_and_add([[1, 1, 1], [2, 2, 2]], 2).numpy()
    array([1, 1, 3, 2, 2], dtype=int32)
    """
    x = at_least(tensor(signal), 2)
    given = convert(frame_step)
    given.shape.assert_has_rank(0)
    if not given.dtype.is_integer:
        raise ValueError(f"frame_step must be an integer. Got {given.dtype}")
    step = count(given)
    *lead, frames, length = shape_of(x)
    if step == length:
        return with_shape(x, (*lead, frames * length))
    if step <= 0:
        raise invalid("Pad", f"Paddings must be non-negative: 0 {-length}")
    total = max(length + step * (frames - 1), 0)
    if 0 in (frames, length):
        return _nothing(x, (*lead, total))
    return apply1(Overlap((Window(length, step),), (total,), 0), x)


def _nothing(x: Tensor, shape: tuple[int, ...]) -> Tensor:
    """Add up no elements: zeros that depend on them all the same."""
    flat = with_shape(x, (*shape[:-1], 0))
    return pad(flat, np.array([(0, 0)] * (len(shape) - 1) + [(0, shape[-1])]))
