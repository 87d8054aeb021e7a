"""Rows and the numbers of their segments, read and checked."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from symtape.ops.arguments import PLACES, Allowed, allowed, check, element, listed, plain, tensor
from symtape.ops.elementwise.arithmetic import where
from symtape.ops.shapes.shaping import with_shape
from symtape.program.kinds.structural import Gather
from symtape.tensor.convert import convert
from symtape.tensor.decided import decided
from symtape.tensor.dispatch import apply, invalid
from symtape.tensor.slices import Places
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of


class Rows(NamedTuple):
    """Rows, the number of the segment of each, and how many segments there are."""

    x: Tensor
    ids: Any
    total: int

    @property
    def sizes(self) -> Any:
        """Count the rows of each segment."""
        return np.bincount(self.ids[self.ids >= 0], minlength=self.total)

    def along(self, values: Any) -> Any:
        """Give an array of one number a row, or a segment, the rank of the rows."""
        return np.reshape(values, (-1, *(1,) * (self.x.ndim - 1)))

    def without(self, value: Any, made: Tensor) -> Tensor:
        """Put a value where segments are empty."""
        empty = self.sizes == 0
        return where(self.along(empty), value, made) if np.any(empty) else made


def rows_at(x: Tensor, places: Any) -> Tensor:
    """Gather rows by a vector of integers that NumPy knows."""
    return apply(Gather(x.ndim - 1, 0, 0), x, Places(places))


_SORTED = "data:T, segment_ids:Tindices -> output:T"
_UNSORTED = "data:T, segment_ids:Tindices, num_segments:Tnumsegments -> output:T"


def in_order(op: str, data: Any, segment_ids: Any, kinds: Allowed) -> Rows:
    """Read rows whose numbers do not decrease; the last one says how many segments there are."""
    x, places = tensor(data), tensor(segment_ids)
    check(op, x, kinds, _SORTED)
    check(op, places, PLACES, _SORTED, "Tindices")
    ids = decided(places)
    if x.ndim == 0:
        raise invalid(op, "input must be at least rank 1")
    if ids.ndim != 1:
        raise invalid(op, "segment_ids should be a vector.")
    if ids.size != shape_of(x)[0]:
        raise invalid(op, "segment_ids should be the same size as dimension 0 of input.")
    if np.any(np.diff(ids) < 0):
        raise invalid(op, "segment ids are not increasing")
    if ids.size and ids[0] < 0:
        raise invalid(
            op,
            f"Segment id {ids[0]} out of range [0, {ids[-1] + 1}), possibly because 'segment_ids' "
            "input is not sorted.",
        )
    return Rows(x, ids, int(ids[-1]) + 1 if ids.size else 0)


_OF_SUMS = allowed("int16, int32, int64")


def in_any_order(op: str, data: Any, segment_ids: Any, num_segments: Any, kinds: Allowed) -> Rows:
    """Read the elements of the first axes as rows, with numbers in any order."""
    x, places = tensor(data), tensor(segment_ids)
    check(op, x, kinds, _UNSORTED)
    check(op, places, _OF_SUMS if op == "UnsortedSegmentSum" else PLACES, _UNSORTED, "Tindices")
    ids, count = decided(places), _count(op, num_segments)
    if shape_of(x)[: ids.ndim] != ids.shape:
        raise invalid(
            op,
            f"data.shape = {listed(shape_of(x))} does not start with segment_ids.shape = "
            f"{listed(ids.shape)}",
        )
    if count < 0:
        raise invalid(op, f"Input num_segments == {count} must not be negative.")
    beyond = np.argwhere(ids >= count)
    if len(beyond):
        at = tuple(beyond[0])
        shown = element("segment_ids", at)
        raise invalid(op, f"{shown} = {ids[at]} is out of range [0, {count})")
    flat = with_shape(x, (ids.size, *shape_of(x)[ids.ndim :]))
    return Rows(flat, np.ravel(ids), count)


def _count(op: str, num_segments: Any) -> int:
    found = convert(plain(num_segments))
    check(op, found, PLACES, _UNSORTED, "Tnumsegments")
    if found.ndim:
        raise invalid(op, f"num_segments should be a scalar, not shape {listed(shape_of(found))}")
    return int(decided(found))
