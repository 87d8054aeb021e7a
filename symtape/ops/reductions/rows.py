"""Rows and the numbers of their segments, read and checked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from symtape.ops.arguments import (
    PLACES,
    Allowed,
    allowed,
    called,
    check,
    element,
    listed,
    plain,
    tensor,
)
from symtape.ops.elementwise.arithmetic import where
from symtape.ops.elementwise.comparison import equal
from symtape.ops.shapes.creation import ones
from symtape.ops.shapes.shaping import with_shape
from symtape.program.kinds.structural import Gather, Scatter
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.decided import decided
from symtape.tensor.dispatch import apply, invalid
from symtape.tensor.indexing.slices import Places
from symtape.tensor.requirements import Inside, Requirement, Segments, served, serves
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of, size_of


class Rows(NamedTuple):
    """Rows, the number of the segment of each, and how many segments there are.

    Where what is recorded serves other numbers, too, they are an `operand`, and none is less than
    0; else `ids` has them.
    """

    x: Tensor
    ids: Any
    total: int
    operand: Tensor | None = None

    @property
    def sizes(self) -> Any:
        """Count the rows of each segment."""
        if self.operand is not None:
            counted = ones(shape_of(self.operand), dtypes.int32)
            return apply(Scatter(0, 0, 0, self.total), counted, self.operand)
        return np.bincount(self.ids[self.ids >= 0], minlength=self.total)

    def along(self, values: Any) -> Any:
        """Give an array of one number a row, or a segment, the rank of the rows."""
        shape = (len(values), *(1,) * (self.x.ndim - 1))
        return with_shape(values, shape) if isinstance(values, Tensor) else values.reshape(shape)

    def without(self, value: Any, made: Tensor) -> Tensor:
        """Put a value where segments are empty."""
        if self.operand is not None:
            return where(self.along(equal(self.sizes, 0)), value, made)
        empty = self.sizes == 0
        return where(self.along(empty), value, made) if np.any(empty) else made


def rows_at(x: Tensor, places: Any) -> Tensor:
    """Gather rows by a vector of integers that NumPy knows."""
    return apply(Gather(x.ndim - 1, 0, 0), x, Places(places))


_SORTED = "data:T, segment_ids:Tindices -> output:T"
_UNSORTED = "data:T, segment_ids:Tindices, num_segments:Tnumsegments -> output:T"


def in_order(op: str, data: Any, segment_ids: Any, kinds: Allowed, *, fixed: bool = False) -> Rows:
    """Read rows whose numbers do not decrease; the last one says how many segments there are.

    `fixed` says that the numbers choose what is computed, so that it serves no others.
    """
    x, places = tensor(data), tensor(segment_ids)
    check(op, x, kinds, _SORTED)
    check(op, places, PLACES, _SORTED, "Tindices")
    if x.ndim == 0:
        raise invalid(op, "input must be at least rank 1")
    if places.ndim != 1:
        raise invalid(op, "segment_ids should be a vector.")
    if size_of(places) != shape_of(x)[0]:
        raise invalid(op, "segment_ids should be the same size as dimension 0 of input.")
    segments = None if fixed else served(places, Segments.of)
    if segments is not None:
        return Rows(x, None, segments.total, places)
    ids = decided(places)
    if np.count_nonzero(ids[1:] < ids[:-1]):
        raise invalid(called(op, "", segment_ids), "segment ids are not increasing")
    if ids.size and ids[0] < 0:
        raise invalid(
            op,
            f"Segment id {ids[0]} out of range [0, {ids[-1] + 1}), possibly because 'segment_ids' "
            "input is not sorted.",
        )
    return Rows(x, ids, int(ids[-1]) + 1 if ids.size else 0)


_MOST = 2**31
"""Numbers of segments below are int32."""
_OF_SUMS = allowed("int16, int32, int64")


def in_any_order(
    op: str,
    data: Any,
    segment_ids: Any,
    num_segments: Any,
    kinds: Allowed,
    *,
    is_operand: Callable[[Tensor, Requirement], bool] = serves,
) -> Rows:
    """Read the elements of the first axes as rows, with numbers in any order.

    `is_operand` says whether the numbers, which have to be inside, are an operand.
    """
    x, places = tensor(data), tensor(segment_ids)
    check(op, x, kinds, _UNSORTED)
    check(op, places, _OF_SUMS if op == "UnsortedSegmentSum" else PLACES, _UNSORTED, "Tindices")
    count, own = _count(op, num_segments), shape_of(places)
    if shape_of(x)[: len(own)] != own:
        raise invalid(
            op,
            f"data.shape = {listed(shape_of(x))} does not start with segment_ids.shape = "
            f"{listed(own)}",
        )
    if count < 0:
        raise invalid(op, f"Input num_segments == {count} must not be negative.")
    flat = with_shape(x, (size_of(places), *shape_of(x)[len(own) :]))
    if is_operand(places, Inside(count)):
        return Rows(flat, None, count, with_shape(places, (size_of(places),)))
    ids = decided(places)
    beyond = np.argwhere(ids >= count)
    if len(beyond):
        at = tuple(beyond[0])
        shown = element("segment_ids", at)
        call = called(op, "", segment_ids, num_segments)
        raise invalid(call, f"{shown} = {ids[at]} is out of range [0, {count})")
    return Rows(flat, np.ravel(ids), count)


def _count(op: str, num_segments: Any) -> int:
    if type(num_segments) is int and 0 <= num_segments < _MOST:
        return num_segments
    found = convert(plain(num_segments))
    check(op, found, PLACES, _UNSORTED, "Tnumsegments")
    if found.ndim:
        raise invalid(op, f"num_segments should be a scalar, not shape {listed(shape_of(found))}")
    return int(decided(found))
