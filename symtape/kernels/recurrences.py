"""Solves y[i] = b[i] + a[i] y[i-1] along an axis: many lines at once, or one line by its rows."""

from __future__ import annotations

from itertools import accumulate, pairwise
from math import isqrt
from typing import Any

import numpy as np

Array = Any
"""A NumPy array or scalar."""

_SEGMENT = 16
"""Elements that are solved one by one in the time of a running sum."""
_PIECE = 2**16
"""Elements of a line whose rows stay in the cache."""
_MANY = 400
"""Elements that are solved one by one in the time that a few rows take."""
_TINY = np.finfo(np.float64).tiny
_WIDEST = 64
"""Elements of a row: more would let products underflow, fewer leave more rows to join."""


def recurrence(a: Array, b: Array, axis: int, reverse: bool) -> Array:
    """Solve y[i] = b[i] + a[i] y[i-1]; see `Recurrence`. The first a is never looked at."""
    a, b = np.broadcast_arrays(a, b)
    out = np.empty(b.shape, b.dtype)
    n = b.shape[axis]
    if n == b.size > 1:
        order = slice(None, None, -1 if reverse else 1)
        out.reshape(-1)[order] = _of_line(a.ravel()[order], b.ravel()[order])
        return out
    tail = (slice(None),) * (-axis - 1)
    previous: Any = None
    for i in reversed(range(n)) if reverse else range(n):
        at: Any = (..., i, *tail)
        previous = b[at] if previous is None else b[at] + a[at] * previous
        out[at] = previous
    return out


def _of_line(a: Array, b: Array) -> Array:
    """Solve a line of numbers, real ones in float64."""
    if a.dtype.kind != "f":
        return _one_by_one(a, b)
    places = np.flatnonzero(a[1:] != 1) + 1
    if len(places) * _SEGMENT < len(a):
        return _by_sums(a, b, places)
    out = b.astype(np.float64)
    for start in range(0, len(a), _PIECE):
        piece = slice(start, start + _PIECE)
        if start:
            out[start] += float(a[start]) * out[start - 1]
        found = _by_rows(a[piece], out[piece]) if len(a) >= _MANY else None
        out[piece] = _one_by_one(a[piece], out[piece]) if found is None else found
    return out


def _one_by_one(a: Array, b: Array) -> Array:
    """Solve a line with Python's numbers, which are faster than NumPy's."""
    pairs = zip(a.tolist(), b.tolist(), strict=True)
    _, first = next(pairs)
    return np.array(list(accumulate(pairs, lambda y, ab: ab[1] + ab[0] * y, initial=first)))


def _by_sums(a: Array, b: Array, places: Array) -> Array:
    """Between places where a is not 1, a line is a running sum, with the same digits."""
    out = b.astype(np.float64)
    for start, end in pairwise([0, *places.tolist(), len(a)]):
        if start:
            out[start] += float(a[start]) * out[start - 1]
        np.add.accumulate(out[start:end], out=out[start:end])
    return out


def _by_rows(a: Array, b: Array) -> Array | None:
    """Solve all rows of a line at once, each from zero, and add what comes from the row before.

    It counts by the product of the row up to an element. None where a product underflows, which the
    line itself may not, or something is not finite.
    """
    width = min(isqrt(len(a)) // 2, _WIDEST)
    factors, y = _columns(a, width), _columns(b, width)
    factors[0, 0] = 1
    ended = None if factors.all() else np.logical_or.accumulate(factors == 0)
    with np.errstate(all="ignore"):
        for i in range(1, width):
            y[i] += factors[i] * y[i - 1]
            factors[i] *= factors[i - 1]
        last = _of_line(factors[-1], y[-1])
        y[:, 1:] += factors[:, 1:] * last[:-1]
    is_small = np.abs(factors) < _TINY
    is_lost = np.any(is_small if ended is None else is_small & ~ended)
    return None if is_lost or not np.all(np.isfinite(y)) else y.T.reshape(-1)[: len(a)]


def _columns(x: Array, width: int) -> Array:
    """Cut a line into rows, filled up with zeros, and turn them, so that columns lie in memory."""
    padded = np.zeros(-(-len(x) // width) * width)
    padded[: len(x)] = x
    return np.array(padded.reshape(-1, width).T, order="C")
