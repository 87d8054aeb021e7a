"""Elements chosen by masks and ranges: boolean_mask, slice, strided_slice, repeat."""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np

from symtape.errors import UnsupportedError
from symtape.ops.arguments import (
    called,
    counted,
    integers,
    listed,
    scalar,
    tensor,
    truths,
    whole,
)
from symtape.ops.shapes.repetition import tile
from symtape.ops.shapes.shaping import reshape, with_shape
from symtape.program import operations as ops
from symtape.program.kinds.structural import Gather, Range, Slice
from symtape.tensor.convert import convert
from symtape.tensor.decided import decided
from symtape.tensor.dispatch import apply, apply1, follow, invalid
from symtape.tensor.indexing import brackets
from symtape.tensor.indexing.slices import Places
from symtape.tensor.indexing.unknown_places import cut_looked_at, hidden
from symtape.tensor.recording.looking import looking, sized
from symtape.tensor.tensor import Tensor
from symtape.tensor.unknown_sizes import unsized
from symtape.tensor.values import shape_of


def boolean_mask(tensor: Any, mask: Any, axis: Any = None, name: str = "boolean_mask") -> Tensor:
    """The elements where a mask is true; the mask is over the first axes, or those from `axis` on.

    Raises `ValueError` for a scalar mask or one of another shape.

    >>> boolean_mask([1, 2, 3], [True, False, True]).numpy()
    array([1, 3], dtype=int32)
    """
    x = convert(tensor)
    chosen = truths(convert(mask)).astype(bool)
    if chosen.ndim == 0:
        raise ValueError("mask cannot be scalar.")
    place = 0 if axis is None else scalar(axis)
    place = place if place >= 0 else place + x.ndim
    shape = shape_of(x)
    covered = shape[place : place + chosen.ndim]
    if covered != chosen.shape:
        raise ValueError(f"Shapes {covered} and {chosen.shape} are incompatible")
    if place == 0:
        return brackets.boolean_mask(x, chosen)
    flat = with_shape(x, (*shape[:place], chosen.size, *shape[place + chosen.ndim :]))
    places = Places(np.flatnonzero(chosen))
    return unsized(apply(Gather(len(shape) - place - chosen.ndim, 0, 0), flat, places), place)


def slice(input_: Any, begin: Any, size: Any, name: str | None = None) -> Tensor:
    """`size` elements from `begin` on along each axis; -1 is all that is left.

    Raises `InvalidArgumentError` out of range.

    >>> slice([1, 2, 3, 4], [1], [2]).numpy()
    array([2, 3], dtype=int32)
    """
    asked = "Slice", name, begin, size
    x = tensor(input_)
    if (run := looking()) is not None:
        x, begin, size = cut_looked_at(run, x, begin, size)
    shape = shape_of(x)
    starts, sizes = (np.asarray(whole("Slice", counted(n), "Index")) for n in (begin, size))
    if not starts.shape == sizes.shape == (len(shape),):
        raise invalid(
            called(*asked),
            f"Expected begin and size arguments to be 1-D tensors of size {len(shape)}, but got "
            f"shapes {listed(starts.shape)} and {listed(sizes.shape)} instead.",
        )
    first, counts = starts.tolist(), sizes.tolist()
    ranges: list[Range] = []
    ends = [(False, count == -1) for count in counts]
    for k, (start, count, n) in enumerate(zip(first, counts, shape, strict=True)):
        taken = n - start if count == -1 else count
        if not 0 <= start <= n:
            raise invalid(called(*asked), f"Expected begin[{k}] in [0, {n}], but got {start}")
        if not 0 <= taken <= n - start:
            text = f"Expected size[{k}] in [0, {n - start}], but got {count}"
            raise invalid(called(*asked), text)
        ranges.append((start if taken else 0, 1, taken))
    taken = Slice.of(
        ranges, shape, [e if r[2] else None for e, r in zip(ends, ranges, strict=True)]
    )
    return apply1(taken if taken.ranges else ops.identity, x)


def repeat(input: Any, repeats: Any, axis: Any = None, name: str | None = None) -> Tensor:
    """Each element several times in a row, along an axis or of the flattened tensor.

    `repeats` is one number, or one for each element along the axis.

    >>> repeat([1, 2], [3, 1]).numpy()
    array([1, 1, 1, 2], dtype=int32)
    """
    x = tensor(input)
    if axis is None or x.ndim == 0:
        x, place = reshape(x, [-1]), 0 if axis is None else scalar(axis)
    else:
        place = scalar(axis)
    rank = x.ndim
    if not -rank <= place < rank:
        raise ValueError(f"axis={place} out of bounds: expected {-rank}<=axis<{rank}")
    place = place % rank
    times = _repeats(repeats)
    shape = shape_of(x)
    if len(times) not in (1, shape[place]):
        raise ValueError(f"Dimensions {shape[place]} and {len(times)} are not compatible")
    if len(times) == 1:
        if times[0] < 0:
            raise invalid("Tile", f"Expected multiples[1] >= 0, but got {times[0]}")
        return _repeated(x, place, times[0])
    times = [max(n, 0) for n in times]
    places = Places(np.repeat(np.arange(shape[place]), times))
    made = follow("repeat", (x,), apply(Gather(rank - 1 - place, 0, 0), x, places))
    return unsized(made, place)


def _repeats(value: Any) -> list[int]:
    given = convert(value)
    found = sized(given, decided(given))
    if found.dtype.kind not in "iu":
        shown = convert(found).dtype
        raise TypeError(
            "Argument `tensor` (name: repeats) must be of type integer. "
            f"Received `tensor` = {found} of dtype: {shown}"
        )
    if found.ndim > 1:
        raise ValueError(f"Shape {found.shape} must have rank at most 1")
    return [int(n) for n in np.ravel(found)]


def _repeated(x: Tensor, axis: int, times: int) -> Tensor:
    shape = shape_of(x)
    split = with_shape(x, (*shape[: axis + 1], 1, *shape[axis + 1 :]))
    wide = tile(split, [times if k == axis + 1 else 1 for k in range(len(shape) + 1)])
    return with_shape(wide, (*shape[:axis], shape[axis] * times, *shape[axis + 1 :]))


def strided_slice(
    input_: Any,
    begin: Any,
    end: Any,
    strides: Any = None,
    begin_mask: int = 0,
    end_mask: int = 0,
    ellipsis_mask: int = 0,
    new_axis_mask: int = 0,
    shrink_axis_mask: int = 0,
    var: Any = None,
    name: str | None = None,
) -> Tensor:
    """What `x[begin:end:strides, …]` is; bit k of a mask says how item k of the lists is meant.

    A bit of `begin_mask` or `end_mask` leaves the bound out, of `ellipsis_mask` stands for `...`,
    of `new_axis_mask` for a new axis, and of `shrink_axis_mask` for an index alone. Raises
    `UnsupportedError` for `var`: a slice of a variable is assigned to by itself.

    >>> strided_slice([1, 2, 3, 4], [0], [4], [2]).numpy()
    array([1, 3], dtype=int32)
    """
    if var is not None:
        raise UnsupportedError("strided_slice with var: assign to a slice of the variable instead")
    first, last = integers(begin), integers(end)
    steps = [1] * len(first) if strides is None else integers(strides)
    if not len(first) == len(last) == len(steps):
        raise invalid(
            "StridedSlice",
            "Expected begin, end, and strides to be 1D equal size tensors, but got shapes "
            f"[{len(first)}], [{len(last)}], and [{len(steps)}] instead.",
        )
    first, last = hidden(begin, first), hidden(end, last)
    key: list[Any] = []
    for k, (start, stop, step) in enumerate(zip(first, last, steps, strict=True)):
        bit = 1 << k
        if ellipsis_mask & bit:
            key.append(Ellipsis)
        elif new_axis_mask & bit:
            key.append(None)
        elif shrink_axis_mask & bit:
            key.append(start)
        else:
            low, high = None if begin_mask & bit else start, None if end_mask & bit else stop
            key.append(builtins.slice(low, high, step))
    return tensor(input_)[tuple(key)]
