"""Reductions and running totals along axes."""

from __future__ import annotations

from typing import Any

from symtape.codegen.libraries.arrays import Arrays
from symtape.codegen.libraries.rows import lowest

Array = Any


class Scans(Arrays):
    """What adds, multiplies and compares along axes."""

    def extremum(self, x: Array, which: str, axes: tuple[int, ...]) -> Array:
        """Take the largest or smallest; of nothing, the infinity that loses every comparison."""
        if 0 in x.shape:
            rank = len(x.shape)
            shape = tuple([n for k, n in enumerate(x.shape) if k - rank not in axes])
            return self._full(shape, lowest(self.dtype_of(x), which), x)
        return getattr(self.xp, which)(x, axis=axes)

    def product(self, x: Array, axes: tuple[int, ...]) -> Array:
        """Multiply along axes, in the dtype of x."""
        return self._as(self.xp.prod(x, axis=axes), x.dtype)

    def cumulative(self, x: Array, which: str, axis: int, exclusive: bool, reverse: bool) -> Array:
        """Add up or multiply along an axis, in the dtype of x."""
        x = self.xp.flip(x, axis=axis) if reverse else x
        out = self._as(getattr(self.xp, which)(x, axis=axis), x.dtype)
        if exclusive and x.shape[axis]:
            tail = (slice(None),) * (-axis - 1)
            first = out[(..., slice(0, 1), *tail)]
            start = self._full(first.shape, 0 if which == "cumsum" else 1, x)
            out = self.xp.concatenate((start, out[(..., slice(0, -1), *tail)]), axis=axis)
        return self.xp.flip(out, axis=axis) if reverse else out

    def cumextremum(self, x: Array, which: str, axis: int, reverse: bool) -> Array:
        """Take the largest or smallest so far by doubling; see `recurrence`."""
        join = getattr(self.xp, f"{which}imum")
        x = self.xp.flip(x, axis=axis) if reverse else x
        tail = (slice(None),) * (-axis - 1)
        n, k = x.shape[axis], 1
        while k < n:
            low, high = (..., slice(0, k), *tail), (..., slice(k, None), *tail)
            before = (..., slice(0, n - k), *tail)
            x = self.xp.concatenate((x[low], join(x[high], x[before])), axis=axis)
            k *= 2
        return self.xp.flip(x, axis=axis) if reverse else x

    def recurrence(self, a: Array, b: Array, axis: int, reverse: bool) -> Array:
        """Solve y[i] = b[i] + a[i] y[i-1] by doubling (Hillis and Steele 1986); see `Recurrence`.

        After k steps an element knows those up to 2ᵏ before it. The first a is never looked at.
        """
        if reverse:
            a, b = self.xp.flip(a, axis=axis), self.xp.flip(b, axis=axis)
        tail = (slice(None),) * (-axis - 1)
        n, k = b.shape[axis], 1
        while k < n:
            low, high = (..., slice(0, k), *tail), (..., slice(k, None), *tail)
            before = (..., slice(0, n - k), *tail)
            b, a = (
                self.xp.concatenate((b[low], b[high] + a[high] * b[before]), axis=axis),
                self.xp.concatenate((a[low], a[high] * a[before]), axis=axis),
            )
            k *= 2
        return self.xp.flip(b, axis=axis) if reverse else b
