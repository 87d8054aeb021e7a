"""Elements added up, or put, at places: scatter_nd, tensor_scatter_nd, segment sums."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from symtape.ops.arguments import PLACES, check, integers, listed, pair, scalar, tensor
from symtape.ops.arithmetic import add, divide_no_nan, subtract, where
from symtape.ops.shaping import with_shape
from symtape.program.structural import Scatter
from symtape.tensor.door import apply, invalid
from symtape.tensor.tensor import Tensor

_SCATTER = "indices:Tindices, updates:T, shape:Tindices -> output:T"


def scatter_nd(
    indices: Any, updates: Any, shape: Any, bad_indices_policy: str = "", name: str | None = None
) -> Tensor:
    """Zeros of a shape, with `updates` added at the places that the last axis of `indices` names.

    >>> scatter_nd([[1], [1], [2]], [1.0, 2.0, 5.0], [4]).numpy()
    array([0., 3., 5., 0.], dtype=float32)
    """
    return _scattered("ScatterNd", tensor(indices), tensor(updates), tuple(integers(shape)))


def _scattered(op: str, places: Tensor, updates: Tensor, shape: tuple[int, ...]) -> Tensor:
    check(op, places, PLACES, _SCATTER, "Tindices")
    lines, depth = _lines(op, places.value, updates.value.shape, shape)
    rest = shape[depth:]
    flat = with_shape(updates, (lines.size, *rest))
    made = apply(Scatter(len(rest), 0, 0, prod(shape[:depth])), flat, Tensor(lines))
    return with_shape(made, shape)


def _lines(op: str, places: Any, given: tuple[int, ...], shape: tuple[int, ...]) -> tuple[Any, int]:
    """Number the places row by row, and say how many axes they name."""
    depth = places.shape[-1] if places.ndim else 0
    outer = places.shape[:-1]
    if given != (*outer, *shape[depth:]):
        raise invalid(
            op,
            f"Dimensions [0,{len(outer)}) of indices[shape={listed(places.shape)}] must match "
            f"dimensions [0,{len(outer)}) of updates[shape={listed(given)}]",
        )
    bad = np.any((places < 0) | (places >= np.array(shape[:depth], places.dtype)), axis=-1)
    if np.any(bad):
        at = tuple(np.argwhere(bad)[0])
        where_text = f"[{','.join(map(str, at))}]" if at else ""
        raise invalid(
            op,
            f"indices{where_text} = {list(map(int, places[at]))} does not index into shape "
            f"{listed(shape)}",
        )
    strides = [prod(shape[k + 1 : depth]) for k in range(depth)]
    numbered = (places * np.array(strides, places.dtype)).sum(axis=-1, dtype=places.dtype)
    return np.ravel(numbered), depth


def tensor_scatter_nd_add(
    tensor: Any,
    indices: Any,
    updates: Any,
    bad_indices_policy: str = "",
    name: str | None = None,
) -> Tensor:
    """A tensor with `updates` added at the places that the last axis of `indices` names.

    >>> tensor_scatter_nd_add([1.0, 1.0], [[1], [1]], [2.0, 3.0]).numpy()
    array([1., 6.], dtype=float32)
    """
    x, given = pair(tensor, updates)
    return add(x, _scattered("TensorScatterAdd", _places(indices), given, x.value.shape))


def tensor_scatter_nd_sub(
    tensor: Any,
    indices: Any,
    updates: Any,
    bad_indices_policy: str = "",
    name: str | None = None,
) -> Tensor:
    """A tensor with `updates` subtracted at the places that the last axis of `indices` names.

    >>> tensor_scatter_nd_sub([1.0, 1.0], [[1], [1]], [2.0, 3.0]).numpy()
    array([ 1., -4.], dtype=float32)
    """
    x, given = pair(tensor, updates)
    return subtract(x, _scattered("TensorScatterSub", _places(indices), given, x.value.shape))


def tensor_scatter_nd_update(
    tensor: Any, indices: Any, updates: Any, name: str | None = None
) -> Tensor:
    """A tensor with `updates` put at the places that the last axis of `indices` names.

    The last of several updates of one place counts.

    >>> tensor_scatter_nd_update([1.0, 1.0], [[1], [1]], [2.0, 3.0]).numpy()
    array([1., 3.], dtype=float32)
    """
    x, given = pair(tensor, updates)
    places = _places(indices)
    shape = x.value.shape
    lines, depth = _lines("TensorScatterUpdate", places.value, given.value.shape, shape)
    last = np.zeros(lines.size, bool)
    last[[np.flatnonzero(lines == line)[-1] for line in np.unique(lines)]] = True
    outer = (*places.value.shape[:-1], *(1,) * (len(shape) - depth))
    counted = where(last.reshape(outer), given, 0)
    touched = np.zeros(prod(shape[:depth]), bool)
    touched[lines] = True
    wide = touched.reshape(*shape[:depth], *(1,) * (len(shape) - depth))
    return where(wide, _scattered("TensorScatterUpdate", places, counted, shape), x)


def _places(indices: Any) -> Tensor:
    return tensor(indices)


# --- segments -------------------------------------------------------------------------------------


def segment_sum(data: Any, segment_ids: Any, name: str | None = None) -> Tensor:
    """The sums of the rows of each segment; the ids of segments do not decrease.

    >>> segment_sum([1.0, 2.0, 3.0], [0, 0, 2]).numpy()
    array([3., 0., 3.], dtype=float32)
    """
    x, ids = _segments("SegmentSum", data, segment_ids)
    return _summed(x, ids, int(ids[-1]) + 1 if ids.size else 0)


def segment_mean(data: Any, segment_ids: Any, name: str | None = None) -> Tensor:
    """The means of the rows of each segment, 0 of none; the ids of segments do not decrease.

    >>> segment_mean([1.0, 2.0, 3.0], [0, 0, 2]).numpy()
    array([1.5, 0. , 3. ], dtype=float32)
    """
    x, ids = _segments("SegmentMean", data, segment_ids)
    return _averaged(x, ids, int(ids[-1]) + 1 if ids.size else 0)


def _segments(op: str, data: Any, segment_ids: Any) -> tuple[Tensor, Any]:
    x, places = tensor(data), tensor(segment_ids)
    check(op, places, PLACES, "data:T, segment_ids:Tindices -> output:T", "Tindices")
    ids = places.value
    if ids.ndim != 1 or x.value.ndim == 0 or ids.size != x.value.shape[0]:
        raise invalid(op, "segment_ids should be the same size as dimension 0 of input.")
    if np.any(np.diff(ids) < 0):
        raise invalid(op, "segment ids are not increasing")
    if ids.size and ids[0] < 0:
        raise invalid(
            op,
            f"Segment id {ids[0]} out of range [0, {ids[-1] + 1}), possibly because 'segment_ids' "
            "input is not sorted.",
        )
    return x, ids


def unsorted_segment_sum(
    data: Any, segment_ids: Any, num_segments: Any, name: str | None = None
) -> Tensor:
    """The sums of the elements of each segment; what has a negative id is left out.

    >>> unsorted_segment_sum([1.0, 2.0, 3.0], [1, -1, 1], 2).numpy()
    array([0., 4.], dtype=float32)
    """
    x, ids, count = _unsorted("UnsortedSegmentSum", data, segment_ids, num_segments)
    return _summed(x, ids, count)


def unsorted_segment_mean(
    data: Any, segment_ids: Any, num_segments: Any, name: str | None = None
) -> Tensor:
    """The means of the elements of each segment, 0 of none; negative ids are left out.

    >>> unsorted_segment_mean([1.0, 2.0, 3.0], [1, -1, 1], 2).numpy()
    array([0., 2.], dtype=float32)
    """
    x, ids, count = _unsorted("UnsortedSegmentSum", data, segment_ids, num_segments)
    return _averaged(x, ids, count)


def _unsorted(op: str, data: Any, segment_ids: Any, num_segments: Any) -> tuple[Tensor, Any, int]:
    x, places = tensor(data), tensor(segment_ids)
    check(op, places, PLACES, "data:T, segment_ids:Tindices -> output:T", "Tindices")
    ids, count = places.value, scalar(num_segments)
    if x.value.shape[: ids.ndim] != ids.shape:
        raise invalid(
            op,
            f"data.shape = {listed(x.value.shape)} does not start with segment_ids.shape = "
            f"{listed(ids.shape)}",
        )
    beyond = np.argwhere(ids >= count)
    if len(beyond):
        at = tuple(beyond[0])
        raise invalid(
            op, f"segment_ids[{','.join(map(str, at))}] = {ids[at]} is out of range [0, {count})"
        )
    flat = with_shape(x, (ids.size, *x.value.shape[ids.ndim :]))
    return flat, np.ravel(ids), count


def _summed(x: Tensor, ids: Any, count: int) -> Tensor:
    """Scatter rows; those with a negative id go to a place that is cut off."""
    lines = Tensor(np.where(ids < 0, count, ids))
    made = apply(Scatter(x.value.ndim - 1, 0, 0, count + 1), x, lines)
    return made[:count]


def _averaged(x: Tensor, ids: Any, count: int) -> Tensor:
    sizes = np.bincount(ids[ids >= 0], minlength=count).astype(x.value.dtype)
    wide = sizes.reshape(-1, *(1,) * (x.value.ndim - 1))
    return divide_no_nan(_summed(x, ids, count), Tensor(wide))
