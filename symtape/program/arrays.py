"""Structural operations on NumPy arrays of any element type, SymPy objects included.

First axes that an operation does not touch are a batch.
"""

from __future__ import annotations

from typing import Any

import numpy as np

Array = Any
"""A NumPy array or scalar."""


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


def gather(x: Array, indices: Array, after: int, between: int, batch: int) -> Array:
    """Choose along one axis; see `Gather`."""
    if batch == 0:
        return np.take(x, indices, axis=x.ndim - 1 - after)
    return x[_index_grid(x.shape, indices, after, between, batch)]


def scatter(x: Array, indices: Array, after: int, between: int, batch: int, size: int) -> Array:
    """Add along one axis; see `Scatter`."""
    own = np.ndim(indices) - batch
    end = x.ndim - after
    shape = (*x.shape[: end - own], size, *x.shape[end:])
    out = np.zeros(shape, x.dtype)
    np.add.at(out, _index_grid(shape, indices, after, between, batch), x)
    return out


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
