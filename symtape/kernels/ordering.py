"""The order of elements along an axis, equal ones in the order that they have."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = Any
"""A NumPy array."""

_LONG = 4096
"""Of so many numbers, the fastest order is made stable; fewer are sorted in a stable way."""
_QUICK = "ifu"
"""Kinds of numbers that NumPy sorts many at a time, if they have four bytes or eight."""


def stable_order(x: Array, axis: int) -> Array:
    """Sort places along an axis, those of equal elements in their order.

    What is sorted in any order takes a tenth of the time of what is sorted in a stable way, so
    that the places of equal elements alone are sorted after that.
    """
    if not _is_quick(x) or x.size < _LONG or x.shape[axis] < 2:
        return np.argsort(x, axis=axis, kind="stable")
    lines = np.ascontiguousarray(np.moveaxis(x, axis, -1))
    order = np.argsort(lines, axis=-1)
    ties = _ties(np.take_along_axis(lines, order, -1))
    _in_place_order(order, ties)
    return np.moveaxis(order, -1, axis)


def _is_quick(x: Array) -> bool:
    return x.dtype.kind in _QUICK and x.dtype.itemsize in (4, 8)


def _ties(line: Array) -> Array:
    """Say which elements of sorted lines are equal to the one before, of which nan is to nan."""
    ties = np.zeros(line.shape, bool)
    np.equal(line[..., 1:], line[..., :-1], out=ties[..., 1:])
    if line.dtype.kind == "f" and np.isnan(line[..., -1]).any():
        ties[..., 1:] |= np.isnan(line[..., :-1])
    return ties


def _in_place_order(order: Array, ties: Array) -> None:
    """Sort the places in each run of equal elements."""
    flat, later = order.reshape(-1), ties.reshape(-1)
    if later.any():
        beside = later.copy()
        beside[:-1] |= later[1:]
        at = np.flatnonzero(beside)
        first = np.cumsum(~later[at]) * order.shape[-1]
        places = first + flat[at]
        places.sort()
        flat[at] = places - first


# --- the largest ----------------------------------------------------------------------------------

_FEW = 4
"""The largest are selected where they are fewer than this part of a line; else all are sorted."""


def largest(x: Array, count: int) -> Array:
    """Give the places of the largest along the last axis, from the largest on.

    Equal ones are in their order, and nan is larger than all numbers: as all of them are sorted.
    """
    size = x.shape[-1]
    if not _is_quick(x) or x.size < _LONG or not 0 < count <= size // _FEW:
        return _descending(x)[..., :count].astype(np.int32)
    lines = x.reshape(-1, size)
    kept = _kept(lines, count)
    places = np.flatnonzero(kept).reshape(-1, count) % size
    order = _descending(np.take_along_axis(lines, places, -1))
    found = np.take_along_axis(places, order, -1)
    return found.astype(np.int32).reshape(*x.shape[:-1], count)


def _descending(x: Array) -> Array:
    back = stable_order(x[..., ::-1], -1)
    return x.shape[-1] - 1 - back[..., ::-1]


def _kept(lines: Array, count: int) -> Array:
    """Say which are among the largest; of those that are equal to the least, the first ones are."""
    least = np.partition(lines, lines.shape[-1] - count, axis=-1)[:, -count, None]
    kept = ~(lines < least)  # so nan is, whatever it is compared with
    is_nan = np.isnan(least[:, 0]) if lines.dtype.kind == "f" else np.zeros(len(lines), bool)
    kept[is_nan] = np.isnan(lines[is_nan])
    many = np.flatnonzero(np.count_nonzero(kept, axis=-1) > count)
    if many.size:
        equal = kept[many] & ((lines[many] == least[many]) | is_nan[many, None])
        above = kept[many] & ~equal
        room = count - np.count_nonzero(above, axis=-1)
        kept[many] = above | (equal & (np.cumsum(equal, axis=-1) <= room[:, None]))
    return kept
