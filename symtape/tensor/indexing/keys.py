"""What stands between the brackets of ``x[...]``, read into operations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from symtape.calls import Call
from symtape.errors import InvalidArgumentError
from symtape.program.kinds.structural import Ends, Range, Slice
from symtape.program.operations import Einsum, Operation
from symtape.tensor.dimension import Dimension
from symtape.tensor.dispatch import misfit
from symtape.tensor.dtypes import DType

_CALL = Call("StridedSlice", name="strided_slice/")


class Parts(NamedTuple):
    """One item of the key for each axis of the operand, and where new axes come in."""

    ranges: list[Range]
    ends: list[Ends | None]
    dropped: list[int]
    added: list[int]


def operations(key: Any, shape: tuple[int, ...]) -> list[Operation]:
    """Read a basic key (integers, slices, `None`, `...`) into the operations that apply it.

    Raises TensorFlow's `TypeError` for other items, `InvalidArgumentError` out of bounds.

    >>> operations((0, slice(None, None, -1)), (2, 3))
    [slice[((0, 1, 1), (2, -1, 3))], einsum[ij->j]]
    """
    if isinstance(key, (bool, np.bool_)):
        raise ValueError("mask cannot be scalar.")
    parts = _parts(key if isinstance(key, tuple) else (key,), shape)
    made: list[Operation] = []
    taken = Slice.of(parts.ranges, shape, parts.ends)
    if taken.ranges:
        made.append(taken)
    if parts.dropped or parts.added:
        made.append(_new_axes(len(shape), parts.dropped, parts.added))
    return made


def _new_axes(rank: int, dropped: Sequence[int], added: Sequence[int]) -> Einsum:
    """Drop axes of size one, and put new ones before the given places of those that are left."""
    kept = [axis for axis in range(rank) if axis not in dropped]
    output: list[int] = []
    sizes: dict[int, int] = {}
    for place in range(len(kept) + 1):
        for _ in range(added.count(place)):
            new = rank + len(sizes)
            sizes[new] = 1
            output.append(new)
        output += kept[place : place + 1]
    return Einsum.of([range(rank)], output, sizes)


def _parts(key: Sequence[Any], shape: tuple[int, ...]) -> Parts:
    items = _without_ellipsis(key, len(shape))
    parts = Parts([], [], [], [])
    for item in items:
        axis = len(parts.ranges)
        if item is None:
            parts.added.append(axis - len(parts.dropped))
        elif isinstance(item, slice):
            parts.ranges.append(_range(item, shape[axis]))
            parts.ends.append(_ends(item, parts.ranges[-1], shape[axis]))
        else:
            parts.ranges.append((_inside(item, shape[axis], axis), 1, 1))
            parts.ends.append((item < 0, item < 0))
            parts.dropped.append(axis)
    return parts


def _without_ellipsis(key: Sequence[Any], rank: int) -> list[Any]:
    items = [_plain(item) for item in key]
    axes = sum(item is not None and item is not Ellipsis for item in items)
    if sum(item is Ellipsis for item in items) > 1:
        raise InvalidArgumentError.of(_CALL, "Multiple ellipses in slice spec not allowed")
    if axes > rank:
        text = f"Index out of range using input dim {rank}; input has only {rank} dims"
        raise misfit(_CALL, text if rank else "Attempting to slice scalar input.")
    fill = [slice(None)] * (rank - axes)
    if Ellipsis not in items:
        return [*items, *fill]
    at = items.index(Ellipsis)
    return [*items[:at], *fill, *items[at + 1 :]]


def _plain(item: Any) -> Any:
    """Turn an item into an int, a slice of ints, None or Ellipsis."""
    if item is None or item is Ellipsis:
        return item
    if isinstance(item, slice):
        start, stop, step = (_whole(v) for v in (item.start, item.stop, item.step))
        return slice(start, stop, step)
    return _whole(item)


_INDICES = {"int16", "int32", "int64"}
"""The dtypes of tensors that are indices."""


def _whole(item: Any) -> int | None:
    item = item.value if type(item) is Dimension else item
    if item is None:
        return None
    dtype = getattr(item, "dtype", None)
    integral = (
        isinstance(item, int)
        if dtype is None
        else dtype.name in _INDICES
        if isinstance(dtype, DType)
        else np.dtype(dtype).kind in "iu"
    )
    if isinstance(item, (bool, np.bool_)) or not integral or np.ndim(item):
        shown = repr(item)
        raise TypeError(
            "Only integers, slices (`:`), ellipsis (`...`), tf.newaxis (`None`) and scalar "
            f"tf.int32/tf.int64 tensors are valid indices, got {shown}"
        )
    return int(item)


def _range(item: slice, size: int) -> Range:
    if item.step == 0:
        raise InvalidArgumentError(
            message="strides[0] must be non-zero [Op:StridedSlice] name: strided_slice/"
        )
    chosen = range(*item.indices(size))
    return (chosen.start if chosen else 0, chosen.step, len(chosen))


def _ends(item: slice, taken: Range, size: int) -> Ends | None:
    """Say which ends are counted from the end of the axis; None where the range is cut there.

    >>> _ends(slice(1, None), (1, 1, 2), 3), _ends(slice(0, 2), (0, 1, 2), 3)
    ((False, True), (False, False))
    """
    start, stop, step = item.start, item.stop, item.step or 1
    if start is None:
        start = 0 if step > 0 else -1
    is_cut = not -size <= start < size or (stop is not None and not -size <= stop <= size)
    if is_cut or not taken[2]:
        return None
    ends = (start < 0, step > 0 if stop is None else stop < 0)
    is_even = abs(step) == 1 or (ends[0] == ends[1] and stop is not None)
    return ends if is_even else None


def _inside(index: int, size: int, axis: int) -> int:
    if not -size <= index < size:
        shown = index + size if index < 0 else index
        raise misfit(_CALL, f"slice index {shown} of dimension {axis} out of bounds.")
    return index % size
