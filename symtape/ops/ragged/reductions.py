"""Sums, products, extrema and means of ragged rows, over one or several axes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from symtape.errors import UnsupportedError
from symtape.ops.elementwise.arithmetic import subtract
from symtape.ops.elementwise.conversion import cast
from symtape.ops.elementwise.functions import sqrt, square
from symtape.ops.ragged.picking import expand_dims
from symtape.ops.ragged.rows import Rows
from symtape.ops.ragged.splits import from_lengths, positive
from symtape.ops.reductions import reduction as dense
from symtape.ops.reductions import segments
from symtape.ops.shapes.creation import ones_like
from symtape.tensor import dtypes

Reduce = Callable[..., Any]


def _any(data: Any, ids: Any, count: int) -> Any:
    return segments.unsorted_segment_sum(cast(data, dtypes.int32), ids, count) > 0


def _all(data: Any, ids: Any, count: int) -> Any:
    return segments.unsorted_segment_sum(cast(~data, dtypes.int32), ids, count) <= 0


_WAYS: dict[str, tuple[Reduce, Reduce]] = {
    "reduce_sum": (dense.reduce_sum, segments.unsorted_segment_sum),
    "reduce_prod": (dense.reduce_prod, segments.unsorted_segment_prod),
    "reduce_max": (dense.reduce_max, segments.unsorted_segment_max),
    "reduce_min": (dense.reduce_min, segments.unsorted_segment_min),
    "reduce_any": (dense.reduce_any, _any),
    "reduce_all": (dense.reduce_all, _all),
}
"""How all values are reduced, and how those of each row are."""


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
    return _reduced(name, rows, axes, keepdims)


def _axes(rows: Rows, axis: Any) -> list[int] | None:
    if axis is None:
        return None
    if not isinstance(axis, (list, tuple)):
        return [positive(axis, rows.rank)]
    names = [f"axis[{k}]" for k in range(len(axis))] if len(axis) > 1 else ["axis"]
    found = {positive(a, rows.rank, name) for a, name in zip(axis, names, strict=False)}
    return sorted(found, reverse=True)


def _reduced(name: str, rows: Any, axes: Sequence[int] | None, keepdims: bool) -> Any:
    if axes is None or len(axes) == rows.rank:
        whole = _WAYS[name][0](rows.flat_values)
        return whole[(None,) * rows.rank] if keepdims else whole
    for axis in axes:
        rows = _over(name, rows, axis)
    for axis in reversed(axes) if keepdims else ():
        rows = expand_dims(rows, axis)
    return rows


def _over(name: str, rows: Any, axis: int) -> Any:
    """Reduce over one axis."""
    whole, by_rows = _WAYS[name]
    if not isinstance(rows, Rows):
        return whole(rows, axis)
    if axis > 1:
        return rows.with_values(_over(name, rows.values, axis - 1))
    if axis == 1 and not isinstance(rows.values, Rows):
        return by_rows(rows.values, rows.rowids, len(rows.splits) - 1)
    return _aligned(by_rows, rows, axis)


def _aligned(by_rows: Reduce, rows: Rows, axis: int) -> Any:
    """Reduce over rows that are unlike in length, place by place."""
    inner: Any = rows.values if axis else rows
    if isinstance(inner.values, Rows):
        raise UnsupportedError(
            f"a reduction of a ragged tensor over axis {axis} of {rows.shape}, below which there "
            "are two levels of rows more; reduce to_tensor()"
        )
    lengths = np.diff(inner.splits)
    within = np.arange(int(inner.splits[-1])) - np.repeat(inner.splits[:-1], lengths)
    if not axis:
        return by_rows(inner.values, within, int(np.max(lengths, initial=0)))
    longest = np.zeros(len(rows.splits) - 1, np.int64)
    np.maximum.at(longest, rows.rowids, lengths)
    splits = from_lengths(longest)
    ids = np.repeat(splits[:-1][rows.rowids], lengths) + within
    return type(rows)(by_rows(inner.values, ids, int(splits[-1])), splits)


def _mean(rows: Any, axes: Sequence[int] | None, keepdims: bool) -> Any:
    """Divide sums by counts; the mean of no numbers is nan."""
    if axes is None:
        flat = rows.flat_values
        return dense.reduce_mean(cast(flat, dtypes.float64) if flat.dtype.is_integer else flat)
    total = _reduced("reduce_sum", rows, axes, keepdims)
    count = _reduced(
        "reduce_sum", rows.with_flat_values(ones_like(rows.flat_values)), axes, keepdims
    )
    if isinstance(total, Rows):
        return total.with_flat_values(total.flat_values / count.flat_values)
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
