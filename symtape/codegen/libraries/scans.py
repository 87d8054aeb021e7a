"""Reductions and running totals along axes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
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

    def fourier(self, x: Array, axis: int, sign: int) -> Array:
        """Transform along an axis; nothing is divided by its size."""
        along = {self.along: axis}
        if sign < 0:
            return self.xp.fft.fft(x, **along)
        return self.xp.fft.ifft(x, norm="forward", **along)

    def cumextremum(self, x: Array, which: str, axis: int, reverse: bool) -> Array:
        """Take the largest or smallest so far."""
        join = getattr(self.xp, f"{which}imum")
        return self._doubled([x], lambda later, before: [join(*later, *before)], axis, reverse)[0]

    def recurrence(self, a: Array, b: Array, axis: int, reverse: bool) -> Array:
        """Solve y[i] = b[i] + a[i] y[i-1]; see `Recurrence`. The first a is never looked at."""

        def join(later: Sequence[Array], before: Sequence[Array]) -> list[Array]:
            return [later[0] + later[1] * before[0], later[1] * before[1]]

        return self._doubled([b, a], join, axis, reverse)[0]

    def _doubled(
        self,
        xs: Sequence[Array],
        join: Callable[[Sequence[Array], Sequence[Array]], Sequence[Array]],
        axis: int,
        reverse: bool,
    ) -> Sequence[Array]:
        """Join each element with all before it by doubling (Hillis and Steele 1986).

        After k steps an element knows those up to 2ᵏ before it.
        """
        if reverse:
            xs = [self.xp.flip(x, axis=axis) for x in xs]
        tail = (slice(None),) * (-axis - 1)
        n, k = xs[0].shape[axis], 1
        while k < n:
            first, later, before = [
                [x[(..., part, *tail)] for x in xs]
                for part in (slice(0, k), slice(k, None), slice(0, n - k))
            ]
            pairs = zip(first, join(later, before), strict=True)
            xs = [self.xp.concatenate(pair, axis=axis) for pair in pairs]
            k *= 2
        return [self.xp.flip(x, axis=axis) for x in xs] if reverse else xs
