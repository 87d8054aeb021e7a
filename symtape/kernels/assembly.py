"""How NumPy adds up blocks at places of one array: `Assemble`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import prod
from typing import Any

import numpy as np

from symtape.program.operations import Shape

Array = Any
Places = tuple[tuple[int, ...], tuple[tuple[int, tuple[tuple[int, int], ...]], ...]]
"""The counts of a block's indices, and for each axis of the result an offset and its strides."""
View = tuple[tuple[int, ...], int, tuple[int, ...]]
"""The sizes of a block, and in bytes where it begins and its strides."""


def assemble(shape: Shape, placements: Sequence[Places], *blocks: Array) -> Array:
    """Add blocks up in zeros; a first block that is the whole array takes the place of the zeros.

    A block is written through a view whose strides are those of its places, so each costs its own
    size and not that of the result.
    """
    counts, forms = placements[0]
    if counts == shape and forms == tuple([(0, ((1, k),)) for k in range(len(shape))]):
        first, *rest = blocks
        wide = np.broadcast_to(first, shape) if np.shape(first) != shape else first
        return add_blocks(np.array(wide, order="C"), placements[1:], *rest)
    return add_blocks(np.zeros(shape, blocks[0].dtype), placements, *blocks)


def add_blocks(out: Array, placements: Sequence[Places], *blocks: Array) -> Array:
    """Add blocks to an array in place; it is copied only if its rows are not one after another."""
    out = np.ascontiguousarray(out)
    data = out.data if out.dtype.kind != "V" else out.view(f"u{out.itemsize}").data  # bfloat16
    views = _views(out.shape, out.itemsize, tuple(placements))
    for view, block in zip(views, blocks, strict=True):
        if view is not None:
            counts, start, strides = view
            places = np.ndarray(counts, out.dtype, data, start, strides)
            places += block
    return out


@lru_cache(maxsize=1024)
def _views(shape: Shape, width: int, placements: tuple[Places, ...]) -> list[View | None]:
    """Say how blocks lie in the memory of an array with rows one after another, if they are any."""
    steps = [width * prod(shape[k + 1 :]) for k in range(len(shape))]
    found: list[View | None] = []
    for counts, forms in placements:
        start, strides = 0, [0] * len(counts)
        for (offset, parts), step in zip(forms, steps, strict=True):
            start += offset * step
            for stride, k in parts:
                strides[k] += stride * step
        found.append(None if 0 in counts else (counts, start, tuple(strides)))
    return found


def add_diagonal(out: Array, diagonal: Array) -> Array:
    """Add to the diagonal of a square matrix in place."""
    out = np.ascontiguousarray(out)
    places = out.reshape(-1)[:: len(out) + 1]
    places += diagonal
    return out


def diagonal_matrix(diagonal: Array) -> Array:
    """Make a square matrix of its diagonal."""
    n = len(diagonal)
    out = np.zeros((n, n), diagonal.dtype)
    out.reshape(-1)[:: n + 1] = diagonal
    return out
