"""Structural operations on NumPy arrays of any element type, SymPy objects included.

First axes that an operation does not touch are a batch.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided

Array = Any
"""A NumPy array or scalar."""


def alone(element: Any) -> Array:
    """Make an array without axes of one object, also where NumPy would see several in it."""
    out = np.empty((), object)
    out[()] = element
    return out


def with_axes(found: Any) -> Array:
    """Make an array of an object that NumPy gave in place of an array without axes."""
    return found if isinstance(found, np.ndarray) else alone(found)


def spread(x: Array, axes: tuple[tuple[int, int], ...]) -> Array:
    """Insert axes, pairs of place and size, along which the operand is repeated."""
    shape = list(x.shape)
    for axis, _ in axes:
        shape.insert(axis, 1)
    wide = x.reshape(shape)
    if all([size == 1 for _, size in axes]):
        return wide
    for axis, size in axes:
        shape[axis] = size
    return np.broadcast_to(wide, shape)


def diagonal(core: Array, term: tuple[int, ...], output: tuple[int, ...]) -> Array:
    """Put a core with axes `term` on the diagonals that `output` has by naming an axis twice."""
    sizes = dict(zip(term, np.shape(core), strict=True))
    out = np.zeros([sizes[i] for i in output], core.dtype)
    np.einsum(out, list(output), list(term))[...] = core
    return out


def reshape(x: Array, old: int, new: tuple[int, ...]) -> Array:
    """Give the last `old` axes another shape; a scalar result is a NumPy scalar."""
    return np.reshape(x, (*x.shape[: x.ndim - old], *new))[()]


def embed(x: Array, slices: tuple[Any, ...], sizes: tuple[int, ...]) -> Array:
    """Put x at some slices of zeros."""
    out = np.zeros(x.shape[: x.ndim - len(sizes)] + sizes, x.dtype)
    out[(..., *slices)] = x
    return out


def are_inside(places: Array, size: Any) -> bool:
    """Say whether integers are at least 0 and less than a size, or than a size each."""
    if not places.size:
        return True
    unsigned = places.view(_UNSIGNED[places.itemsize])  # where negative ones are large
    if isinstance(size, int):
        largest: int = unsigned.item(unsigned.argmax())  # `max` costs twice as much
        return largest < size
    return bool(np.all(unsigned < size))


_UNSIGNED = {n: np.dtype(f"u{n}") for n in (1, 2, 4, 8)}


def inside(indices: Array, size: int) -> None:
    """Raise `IndexError` for what is no place of an axis; NumPy would count back from the end."""
    places = np.asarray(indices)
    if not are_inside(places, size):
        bad = places[(places < 0) | (places >= size)].flat[0]
        raise IndexError(f"index {bad} is out of bounds for an axis of size {size}")


def gather(x: Array, indices: Array, after: int, between: int, batch: int) -> Array:
    """Choose along one axis; see `Gather`. Raises `IndexError` for places that are none."""
    inside(indices, x.shape[x.ndim - 1 - after])
    if batch == 0:
        return x.take(indices, x.ndim - 1 - after, None, "clip")  # no place is looked at again
    return x[_index_grid(x.shape, indices, after, between, batch)]


def scatter(x: Array, indices: Array, after: int, between: int, batch: int, size: int) -> Array:
    """Add along one axis; see `Scatter`. Raises `IndexError` for places that are none."""
    inside(indices, size)
    own = np.ndim(indices) - batch
    end = x.ndim - after
    shape = (*x.shape[: end - own], size, *x.shape[end:])
    lines = np.asarray(indices)
    if not x.size:
        return np.zeros(shape, x.dtype)
    if batch:
        lines = _in_line(_index_grid(shape, indices, after, between, batch), shape)
    elif len(shape) > 1:
        lines = _of_rows(
            lines.ravel(), math.prod(shape[: end - own]), size, math.prod(x.shape[end:])
        )
    if x.dtype == np.float64 and lines.dtype.kind == "i":
        return np.bincount(lines.ravel(), x.ravel(), math.prod(shape)).reshape(shape)
    out = np.zeros(math.prod(shape), x.dtype)
    np.add.at(out, lines.ravel(), x.ravel())  # along one axis, NumPy is fast
    return out.reshape(shape)


def _of_rows(places: Array, before: int, size: int, width: int) -> Array:
    """Number the elements of rows at places along an axis, line by line."""
    lines = np.multiply(places[:, None], width, dtype=np.intp)
    if width > 1:
        lines = lines + np.arange(width)
    return (
        lines
        if before == 1
        else lines + np.arange(0, before * size * width, size * width)[:, None, None]
    )


def _in_line(grid: Sequence[Array], shape: Sequence[int]) -> Array:
    """Number places that are inside row by row; NumPy would look at each whether it is."""
    lines, stride = grid[-1], shape[-1]
    for places, size in zip(grid[-2::-1], shape[-2::-1], strict=True):
        lines = lines + np.multiply(places, stride, dtype=np.intp)
        stride *= size
    return lines


def _index_grid(
    shape: tuple[int, ...], indices: Array, after: int, between: int, batch: int
) -> tuple[Array, ...]:
    """Index every axis of [… B P n R] so that the result is [… B P I R]."""
    axis = len(shape) - 1 - after
    own = np.ndim(indices) - batch
    rank = len(shape) - 1 + own
    grid = []
    for k in range(len(shape)):
        if k != axis:
            place = k if k < axis else k - 1 + own
            line = np.arange(shape[k])
            grid.append(line.reshape([-1 if i == place else 1 for i in range(rank)]))
    first = axis - between - batch
    wide = np.shape(indices)
    spaced = [1] * first + list(wide[:batch]) + [1] * between + list(wide[batch:]) + [1] * after
    grid.insert(axis, np.reshape(indices, spaced))
    return tuple(grid)


Sliding = tuple[int, int, int]
"""The size, stride and dilation of a window; see `Window`."""


def windows(x: Array, sliding: Sequence[Sliding], after: int) -> Array:
    """Look at an array through windows, without a copy; see `Windows`."""
    end = x.ndim - after
    first = end - len(sliding)
    counts = [
        max((n - (size - 1) * dilation - 1) // stride + 1, 0)
        for (size, stride, dilation), n in zip(sliding, x.shape[first:end], strict=True)
    ]
    sizes = [size for size, _, _ in sliding]
    shape = (*x.shape[:first], *counts, *sizes, *x.shape[end:])
    if 0 in shape:
        return np.empty(shape, x.dtype)
    widths = x.strides[first:end]
    steps = [stride * width for (_, stride, _), width in zip(sliding, widths, strict=True)]
    inner = [dilation * width for (_, _, dilation), width in zip(sliding, widths, strict=True)]
    strides = (*x.strides[:first], *steps, *inner, *x.strides[end:])
    if x.flags.c_contiguous and type(x) is np.ndarray and not x.dtype.hasobject:
        seen = np.ndarray(shape, x.dtype, x, 0, strides)
        seen.flags.writeable = False
        return seen
    return as_strided(x, shape, strides, writeable=False)  # is general, and six times as slow


def overlap(x: Array, sliding: Sequence[Sliding], sizes: tuple[int, ...], after: int) -> Array:
    """Add windows up where they overlap, a place of all windows at a time; see `Overlap`."""
    end = x.ndim - after
    first = end - 2 * len(sliding)
    counts = x.shape[first : first + len(sliding)]
    out = np.zeros((*x.shape[:first], *sizes, *x.shape[end:]), x.dtype)
    if 0 in x.shape:
        return out
    if after and 1 < x.shape[-1] <= _THIN and counts[-1] >= _LONG:
        for k in range(x.shape[-1]):
            _add_windows(out[..., k], x[..., k], sliding, first)
    else:
        _add_windows(out, x, sliding, first)
    return out


_THIN = 3
"""So few elements NumPy adds at a time, where it could add as many as a line has windows."""
_LONG = 16
"""Windows of a line that are worth a channel at a time."""


def _add_windows(out: Array, x: Array, sliding: Sequence[Sliding], first: int) -> None:
    """Add windows to an array in place, a place of all windows at a time."""
    counts = x.shape[first : first + len(sliding)]
    lead, rest = (slice(None),) * (first + len(sliding)), (slice(None),) * first
    for places in product(*[range(size) for size, _, _ in sliding]):
        at = tuple(
            [
                slice(dilation * k, dilation * k + stride * (count - 1) + 1, stride)
                for k, count, (_, stride, dilation) in zip(places, counts, sliding, strict=True)
            ]
        )
        out[(*rest, *at)] += x[(*lead, *places)]


def numbered(shape: tuple[int, ...]) -> Array:
    """Number the elements of an array row by row."""
    return np.arange(math.prod(shape)).reshape(shape)
