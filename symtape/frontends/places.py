"""Elements of an array by their numbers, row by row: a slice of each axis where they are one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from symtape.ops.linalg.diagonals import diag_part
from symtape.ops.shapes.shaping import with_shape
from symtape.program.kinds.structural import Gather, Slice
from symtape.tensor.dispatch import apply, apply1
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of, size_of


def elements(x: Tensor, places: Any) -> Tensor:
    """Take the elements with some numbers; the result has the shape of the numbers."""
    ranges = evenly_spaced(places, shape_of(x))
    if ranges is not None:
        operation = Slice.of([(first, step, count) for first, count, step in ranges], shape_of(x))
        return with_shape(apply1(operation, x), np.shape(places))
    if _is_diagonal(places, shape_of(x)):
        return diag_part(x)
    flat = with_shape(x, (size_of(x),))
    return apply(Gather(0, 0, 0), flat, Tensor(np.asarray(places)))


def _is_diagonal(places: Any, shape: Sequence[int]) -> bool:
    if len(shape) != 2 or shape[0] != shape[1]:
        return False
    return np.array_equal(places, np.arange(shape[0]) * (shape[0] + 1))


def evenly_spaced(places: Any, shape: Sequence[int]) -> list[tuple[int, int, int]] | None:
    """Say which places of each axis an array of places has, as first, count and step, or None.

    >>> evenly_spaced([1, 3, 5, 7], (4, 2))
    [(0, 4, 1), (1, 1, 1)]
    """
    if not shape or not np.size(places):
        return None
    found = []
    for line in np.unravel_index(np.ravel(places), shape):
        own = np.unique(line)
        step = int(own[1] - own[0]) if len(own) > 1 else 1
        if len(own) > 2 and not (np.diff(own) == step).all():
            return None
        found.append((int(own[0]), len(own), step))
    grid = np.ix_(*[first + step * np.arange(count) for first, count, step in found])
    numbers = np.ravel_multi_index(np.broadcast_arrays(*grid), shape)
    return found if np.array_equal(numbers.ravel(), np.ravel(places)) else None
