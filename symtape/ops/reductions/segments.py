"""Rows joined by the segment that they belong to: sums, means, products, extrema.

The numbers of segments are data: a program that was derived for some serves others, too.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from symtape.ops.arguments import (
    REALS,
    SUMMABLE,
    allowed,
    check,
)
from symtape.ops.elementwise.arithmetic import add, divide, maximum, multiply, where
from symtape.ops.elementwise.conversion import cast
from symtape.ops.elementwise.functions import sqrt
from symtape.ops.reductions.rows import Rows, in_any_order, in_order, rows_at
from symtape.program.kinds.segments import SegmentExtremum
from symtape.program.kinds.structural import Scatter
from symtape.tensor.dispatch import apply
from symtape.tensor.requirements import meets
from symtape.tensor.tensor import Tensor
from symtape.tensor.unknown_sizes import unsized
from symtape.tensor.values import dtype_of


def segment_sum(data: Any, segment_ids: Any, name: str | None = None) -> Tensor:
    """The sums of the rows of each segment; the numbers of segments do not decrease.

    Raises `InvalidArgumentError` where they do, or are not as many as the rows.

    >>> segment_sum([1.0, 2.0, 3.0], [0, 0, 2]).numpy()
    array([3., 0., 3.], dtype=float32)
    """
    return unsized(_sum(in_order("SegmentSum", data, segment_ids, SUMMABLE)), 0)


def segment_mean(data: Any, segment_ids: Any, name: str | None = None) -> Tensor:
    """The means of the rows of each segment, 0 of none; see `segment_sum`.

    >>> segment_mean([1.0, 2.0, 3.0], [0, 0, 2]).numpy()
    array([1.5, 0. , 3. ], dtype=float32)
    """
    rows = in_order("SegmentMean", data, segment_ids, SUMMABLE)
    return unsized(cast(_mean(rows), rows.x.dtype), 0)


def segment_prod(data: Any, segment_ids: Any, name: str | None = None) -> Tensor:
    """The products of the rows of each segment, 1 of none; see `segment_sum`.

    Derivatives are right through zeros: nothing is divided.

    >>> segment_prod([1.0, 2.0, 3.0], [0, 0, 2]).numpy()
    array([2., 1., 3.], dtype=float32)
    """
    return unsized(_product(in_order("SegmentProd", data, segment_ids, SUMMABLE, fixed=True)), 0)


def segment_max(data: Any, segment_ids: Any, name: str | None = None) -> Tensor:
    """The largest of the rows of each segment, element by element, 0 of none; see `segment_sum`.

    Equal elements share the gradient.

    >>> segment_max([1.0, 2.0, 3.0], [0, 0, 2]).numpy()
    array([2., 0., 3.], dtype=float32)
    """
    rows = in_order("SegmentMax", data, segment_ids, REALS)
    return unsized(rows.without(0, _extremum("max", rows)), 0)


def segment_min(data: Any, segment_ids: Any, name: str | None = None) -> Tensor:
    """The smallest of the rows of each segment, element by element, 0 of none; see `segment_max`.

    >>> segment_min([1.0, 2.0, 3.0], [0, 0, 2]).numpy()
    array([1., 0., 3.], dtype=float32)
    """
    rows = in_order("SegmentMin", data, segment_ids, REALS)
    return unsized(rows.without(0, _extremum("min", rows)), 0)


def unsorted_segment_sum(
    data: Any, segment_ids: Any, num_segments: Any, name: str | None = None
) -> Tensor:
    """The sums of the elements of each segment; what has a negative number is left out.

    The numbers of segments are in any order and have any rank: they stand for the first axes of
    the data, which the result has one axis of `num_segments` for.

    >>> unsorted_segment_sum([1.0, 2.0, 3.0], [1, -1, 1], 2).numpy()
    array([0., 4.], dtype=float32)
    """
    op = "UnsortedSegmentSum"
    return _sum(in_any_order(op, data, segment_ids, num_segments, SUMMABLE, is_operand=meets))


_COMPARABLE = allowed(
    "bfloat16, half, float, double, int8, uint8, int16, uint16, int32, uint32, int64, uint64"
)


def unsorted_segment_mean(
    data: Any, segment_ids: Any, num_segments: Any, name: str | None = None
) -> Tensor:
    """The means of the elements of each segment, 0 of none; see `unsorted_segment_sum`.

    >>> unsorted_segment_mean([1.0, 2.0, 3.0], [1, -1, 1], 2).numpy()
    array([0., 2.], dtype=float32)
    """
    rows = in_any_order("UnsortedSegmentSum", data, segment_ids, num_segments, SUMMABLE)
    check("Maximum", rows.x, _COMPARABLE, "x:T, y:T -> z:T")
    return _mean(rows)


def unsorted_segment_sqrt_n(
    data: Any, segment_ids: Any, num_segments: Any, name: str | None = None
) -> Tensor:
    """The sums of the elements of each segment by the roots of their numbers.

    >>> unsorted_segment_sqrt_n([1.0, 2.0, 3.0, 6.0], [0, 0, 0, 0], 1).numpy()
    array([6.], dtype=float32)
    """
    rows = in_any_order("UnsortedSegmentSum", data, segment_ids, num_segments, SUMMABLE)
    check("Maximum", rows.x, _COMPARABLE, "x:T, y:T -> z:T")
    return divide(_sum(rows), sqrt(_sizes(rows)))


def unsorted_segment_prod(
    data: Any, segment_ids: Any, num_segments: Any, name: str | None = None
) -> Tensor:
    """The products of the elements of each segment, 1 of none; see `unsorted_segment_sum`.

    >>> unsorted_segment_prod([1.0, 2.0, 3.0], [1, -1, 1], 2).numpy()
    array([1., 3.], dtype=float32)
    """
    rows = in_any_order(
        "UnsortedSegmentProd",
        data,
        segment_ids,
        num_segments,
        SUMMABLE,
        is_operand=lambda *_: False,
    )
    return _product(rows)


def unsorted_segment_max(
    data: Any, segment_ids: Any, num_segments: Any, name: str | None = None
) -> Tensor:
    """The largest element of each segment, the lowest number there is of none.

    Equal elements share the gradient. See `unsorted_segment_sum`.

    >>> unsorted_segment_max([1, 2, 3], [1, -1, 1], 2).numpy()
    array([-2147483648,           3], dtype=int32)
    """
    rows = in_any_order("UnsortedSegmentMax", data, segment_ids, num_segments, REALS)
    return rows.without(Tensor(_limits(rows.x).min), _extremum("max", rows))


def unsorted_segment_min(
    data: Any, segment_ids: Any, num_segments: Any, name: str | None = None
) -> Tensor:
    """The smallest element of each segment, the highest number there is of none.

    >>> unsorted_segment_min([1, 2, 3], [1, -1, 1], 2).numpy()
    array([2147483647,          1], dtype=int32)
    """
    rows = in_any_order("UnsortedSegmentMin", data, segment_ids, num_segments, REALS)
    return rows.without(Tensor(_limits(rows.x).max), _extremum("min", rows))


class _Limits(NamedTuple):
    min: Any
    max: Any


def _limits(x: Tensor) -> _Limits:
    """Give the lowest and the highest finite number of a dtype, as its scalars."""
    kind = dtype_of(x).type
    return _Limits(kind(x.dtype.min), kind(x.dtype.max))


# --- what is computed -----------------------------------------------------------------------------


def _with_bin(rows: Rows) -> tuple[Tensor, int, bool]:
    """Give negative numbers a segment of their own, after the others."""
    if rows.operand is not None:
        return rows.operand, rows.total, False
    away = bool(np.count_nonzero(rows.ids < 0))
    ids = np.where(rows.ids < 0, rows.total, rows.ids) if away else rows.ids
    return Tensor(ids), rows.total + away, away


def _sum(rows: Rows) -> Tensor:
    ids, count, away = _with_bin(rows)
    made = apply(Scatter(rows.x.ndim - 1, 0, 0, count), rows.x, ids)
    return made[: rows.total] if away else made


def _extremum(which: str, rows: Rows) -> Tensor:
    ids, count, away = _with_bin(rows)
    made = apply(SegmentExtremum(which, rows.x.ndim - 1, count), rows.x, ids)
    return made[: rows.total] if away else made


def _sizes(rows: Rows) -> Tensor:
    if rows.operand is not None:
        return cast(rows.along(maximum(rows.sizes, 1)), rows.x.dtype)
    return Tensor(rows.along(np.maximum(rows.sizes, 1)).astype(dtype_of(rows.x)))


def _mean(rows: Rows) -> Tensor:
    return divide(_sum(rows), _sizes(rows))


def _product(rows: Rows) -> Tensor:
    """Multiply neighbours of one segment until each has one row: no segment sees another."""
    kept = np.flatnonzero(rows.ids >= 0)
    if not kept.size:
        return add(_sum(rows), 1)
    order = kept[np.argsort(rows.ids[kept], kind="stable")]
    line, x = rows.ids[order], rows_at(rows.x, order)
    while len(np.unique(line)) < len(line):
        place = np.arange(len(line)) - np.searchsorted(line, line)
        even = np.flatnonzero(place % 2 == 0)
        after = np.minimum(even + 1, len(line) - 1)
        paired = (after > even) & (line[after] == line[even])
        second = where(rows.along(paired), rows_at(x, after), 1)
        line, x = line[even], multiply(rows_at(x, even), second)
    at = np.minimum(np.searchsorted(line, np.arange(rows.total)), len(line) - 1)
    return rows.without(1, rows_at(x, at))
