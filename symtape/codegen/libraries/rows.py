"""Choosing and adding rows by integers that are operands."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from symtape.codegen.libraries.arrays import Arrays

Array = Any


class Rows(Arrays):
    """Gather, scatter and what is done by segment; each is done to the rows of a matrix."""

    def gather(self, x: Array, indices: Array, after: int, between: int, batch: int) -> Array:
        """Choose along one axis; see `Gather`."""
        shape, own = tuple(x.shape), tuple(indices.shape)
        axis = len(shape) - 1 - after
        lead = axis - between - batch
        order = (*range(lead, lead + batch), axis, *range(lead), *_after(axis, lead + batch, shape))
        stack, rest = shape[lead : lead + batch], [shape[k] for k in order[batch + 1 :]]
        rows = self.xp.reshape(
            self.xp.transpose(x, order), (math.prod(stack) * shape[axis], math.prod(rest))
        )
        found = self._take(rows, self._numbers(indices, stack, shape[axis]))
        found = self.xp.reshape(found, (*own, *rest))
        return self.xp.transpose(found, _back(lead, batch, len(own) - batch, between, after))

    def scatter(
        self, x: Array, indices: Array, after: int, between: int, batch: int, size: int
    ) -> Array:
        """Add along one axis; see `Scatter`."""
        shape, own = tuple(x.shape), tuple(indices.shape)
        count = len(own) - batch
        end = len(shape) - after
        lead = end - count - between - batch
        order = (
            *range(lead, lead + batch),
            *range(end - count, end),
            *range(lead),
            *range(lead + batch, end - count),
            *range(end, len(shape)),
        )
        stack, rest = shape[lead : lead + batch], [shape[k] for k in order[batch + count :]]
        rows = self.xp.reshape(self.xp.transpose(x, order), (math.prod(own), math.prod(rest)))
        found = self._add(rows, self._numbers(indices, stack, size), math.prod(stack) * size)
        found = self.xp.reshape(found, (*stack, size, *rest))
        return self.xp.transpose(found, _back(lead, batch, 1, between, after))

    def _numbers(self, indices: Array, stack: tuple[int, ...], n: int) -> Array:
        """Number the rows of all of a batch; what is no row of its own is none of any."""
        total = math.prod(stack) * n
        wide = self._as(indices, self._dtype("int64"))
        own = wide
        if stack:
            shape = (*stack, *[1] * (len(indices.shape) - len(stack)))
            own = wide + self.xp.reshape(self._arange(math.prod(stack), indices) * n, shape)
        wide = self.xp.where((wide >= 0) & (wide < n), own, total)
        return self.xp.reshape(wide, (math.prod(indices.shape),))

    def segment_extremum(
        self, x: Array, numbers: Array, which: str, after: int, count: int
    ) -> Array:
        """Take the largest or smallest of the rows of each number; see `SegmentExtremum`."""
        shape = tuple(x.shape)
        axis = len(shape) - 1 - after
        order = (axis, *[k for k in range(len(shape)) if k != axis])
        rest = [shape[k] for k in order[1:]]
        rows = self.xp.reshape(self.xp.transpose(x, order), (shape[axis], math.prod(rest)))
        found = self._extreme(rows, self._numbers(numbers, (), count), which, count)
        found = self.xp.reshape(found, (count, *rest))
        return self.xp.transpose(found, (*range(1, axis + 1), 0, *range(axis + 1, len(shape))))

    def position(self, x: Array, which: str, axis: int, dtype: str) -> Array:
        """Find where along an axis; `argsort` is stable."""
        return self._as(getattr(self.xp, which)(x, axis=axis), self._dtype(dtype))

    # --- what a library may have a better word for --------------------------------------------

    def _take(self, rows: Array, places: Array) -> Array:
        return self.xp.take(rows, places, axis=0)

    def _add(self, rows: Array, places: Array, count: int) -> Array:
        """Add rows at places of zeros: here as a product with a matrix of zeros and ones."""
        self._check(places, count)
        one = places[None, :] == self._arange(count, places)[:, None]
        return self._as(one, rows.dtype) @ rows

    def _extreme(self, rows: Array, places: Array, which: str, count: int) -> Array:
        """Take the extremum of the rows at each place: here of all rows, the others hidden."""
        self._check(places, count)
        nothing = lowest(self.dtype_of(rows), which)
        own = places[None, :, None] == self._arange(count, places)[:, None, None]
        hidden = self.xp.where(own, rows[None, :, :], nothing)
        return self.extremum(hidden, which, (-2,))  # type: ignore[attr-defined]  # of `Scans`

    def _check(self, places: Array, count: int) -> None:
        """Refuse places that are none, as the library itself would."""
        if not bool(self.xp.all((places >= 0) & (places < count))):
            raise IndexError(f"an index is out of bounds for an axis of size {count}")


def lowest(dtype: np.dtype[Any], which: str) -> Any:
    """Give the number that loses every comparison."""
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        return info.min if which == "max" else info.max
    if dtype.kind == "b":
        return which == "min"
    return -np.inf if which == "max" else np.inf


def _after(axis: int, start: int, shape: tuple[int, ...]) -> tuple[int, ...]:
    return tuple([k for k in range(start, len(shape)) if k != axis])


def _back(lead: int, batch: int, own: int, between: int, after: int) -> tuple[int, ...]:
    """Bring [B I … P R] back to [… B P I R]."""
    first = batch + own
    return (
        *range(first, first + lead),
        *range(batch),
        *range(first + lead, first + lead + between),
        *range(batch, first),
        *range(first + lead + between, first + lead + between + after),
    )
