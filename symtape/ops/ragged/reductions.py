"""Sums, products, extrema and means of ragged rows, over one or several axes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from symtape.ops.elementwise.arithmetic import subtract, where
from symtape.ops.elementwise.conversion import cast, stop_gradient
from symtape.ops.elementwise.functions import exp, is_finite, log, sqrt, square
from symtape.ops.indexing.gathering import gather
from symtape.ops.ragged.picking import expand_dims, unsized
from symtape.ops.ragged.rows import Rows
from symtape.ops.ragged.splits import from_lengths, positive
from symtape.ops.reductions import reduction as dense
from symtape.ops.reductions import segments
from symtape.ops.shapes.creation import ones_like, zeros_like
from symtape.tensor import dtypes

Reduce = Callable[..., Any]


def _any(data: Any, ids: Any, count: int) -> Any:
    return segments.unsorted_segment_sum(cast(data, dtypes.int32), ids, count) > 0


def _all(data: Any, ids: Any, count: int) -> Any:
    return segments.unsorted_segment_sum(cast(~data, dtypes.int32), ids, count) <= 0


def _logsumexp(data: Any, ids: Any, count: int) -> Any:
    """Add up powers of each row below its largest number, so that none is too large."""
    most = stop_gradient(segments.unsorted_segment_max(data, ids, count))
    most = where(is_finite(most), most, zeros_like(most))
    powers = exp(subtract(data, gather(most, ids)))
    return log(segments.unsorted_segment_sum(powers, ids, count)) + most


Ways = tuple[Reduce, Reduce]
"""How all values are reduced, and how those of each row are."""

_WAYS: dict[str, Ways] = {
    "reduce_sum": (dense.reduce_sum, segments.unsorted_segment_sum),
    "reduce_prod": (dense.reduce_prod, segments.unsorted_segment_prod),
    "reduce_max": (dense.reduce_max, segments.unsorted_segment_max),
    "reduce_min": (dense.reduce_min, segments.unsorted_segment_min),
    "reduce_any": (dense.reduce_any, _any),
    "reduce_all": (dense.reduce_all, _all),
    "reduce_logsumexp": (dense.reduce_logsumexp, _logsumexp),
}

REDUCTIONS = {*_WAYS, "reduce_mean", "reduce_std", "reduce_variance"}
"""What `reduced` knows by name."""


def reduced(name: str, rows: Rows, axis: Any = None, keepdims: bool = False) -> Any:
    """Reduce as the function of `tf` with this name does.

    Raises `ValueError` for an axis that is not there.

    >>> import symtape as tf
    >>> rows = Rows(tf.constant(np.array([1.0, 2.0, 3.0])), np.array([0, 2, 3]))
    >>> reduced("reduce_sum", rows, 1).numpy(), reduced("reduce_mean", rows).numpy()
    (array([3., 3.]), np.float64(2.0))
    """
    axes = _axes(rows, axis)
    if name == "reduce_mean":
        return _mean(rows, axes, keepdims)
    if name in {"reduce_variance", "reduce_std"}:
        return _spread(name, rows, axes, keepdims)
    return _reduced(_WAYS[name], rows, axes, keepdims)


def reduced_by(ways: Ways, rows: Rows, axis: Any, keepdims: bool) -> Any:
    """Reduce by functions that are given: of all values, and of segments of them."""
    return _reduced(ways, rows, _axes(rows, axis), keepdims)


def _axes(rows: Rows, axis: Any) -> list[int] | None:
    if axis is None:
        return None
    if not isinstance(axis, (list, tuple)):
        return [positive(axis, rows.rank)]
    names = [f"axis[{k}]" for k in range(len(axis))] if len(axis) > 1 else ["axis"]
    found = {positive(a, rows.rank, name) for a, name in zip(axis, names, strict=False)}
    return sorted(found, reverse=True)


def _reduced(ways: Ways, rows: Any, axes: Sequence[int] | None, keepdims: bool) -> Any:
    if axes is None:
        whole = ways[0](rows.flat_values)
        return whole[(None,) * rows.rank] if keepdims else whole
    for axis in axes:
        rows = _over(ways, rows, axis)
        rows = expand_dims(rows, axis) if keepdims else rows
    return rows


def _over(ways: Ways, rows: Any, axis: int) -> Any:
    """Reduce over one axis; over the first, place by place."""
    whole, by_rows = ways
    if not isinstance(rows, Rows):
        return whole(rows, axis)
    if axis > 1:
        return rows.with_values(_over(ways, rows.values, axis - 1))
    if axis:
        return aggregated(by_rows, rows.values, rows.rowids, len(rows.splits) - 1)
    longest = int(np.max(np.diff(rows.splits), initial=0))
    return aggregated(by_rows, rows.values, rows.within, longest)


def aggregated(by_rows: Reduce, data: Any, ids: Any, count: int) -> Any:
    """Reduce what has one number of `count`; of rows, what stands at one place of them.

    >>> import symtape as tf
    >>> rows = Rows(tf.constant(np.array([1.0, 2.0, 3.0])), np.array([0, 2, 3]))
    >>> found = aggregated(segments.unsorted_segment_sum, rows, np.array([1, 1]), 2)
    >>> found.values.numpy(), found.splits.tolist()
    (array([4., 2.]), [0, 0, 2])
    """
    if not isinstance(data, Rows):
        return by_rows(data, ids, count)
    longest = np.zeros(count, data.splits.dtype)
    np.maximum.at(longest, ids, np.diff(data.splits))
    splits = from_lengths(longest)
    places = splits[ids][data.rowids] + data.within
    return type(data)(aggregated(by_rows, data.values, places, int(splits[-1])), splits)


def _mean(rows: Any, axes: Sequence[int] | None, keepdims: bool) -> Any:
    """Divide sums by counts; the mean of no numbers is nan."""
    if axes is None:
        flat = rows.flat_values
        flat = cast(flat, dtypes.float64) if flat.dtype.is_integer else flat
        return _reduced(
            (dense.reduce_mean, dense.reduce_mean), rows.with_flat_values(flat), axes, keepdims
        )
    sums = _WAYS["reduce_sum"]
    total = _reduced(sums, rows, axes, keepdims)
    count = _reduced(sums, rows.with_flat_values(ones_like(rows.flat_values)), axes, keepdims)
    if isinstance(total, Rows):
        return unsized(total).with_flat_values(total.flat_values / count.flat_values)
    return total / count


def _spread(name: str, rows: Any, axes: Sequence[int] | None, keepdims: bool) -> Any:
    """Subtract the square of the mean from the mean of squares."""
    mean = _mean(rows, axes, keepdims)
    squares = _mean(rows.with_flat_values(square(rows.flat_values)), axes, keepdims)

    def spread(x: Any, y: Any) -> Any:
        variance = subtract(x, square(y))
        return sqrt(variance) if name == "reduce_std" else variance

    if isinstance(mean, Rows):
        return mean.with_flat_values(spread(squares.flat_values, mean.flat_values))
    return spread(squares, mean)
