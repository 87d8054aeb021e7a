"""The pivots of a QR decomposition that takes the longest column first, which tell the rank."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = Any
"""An array of NumPy's, or of another library with its names."""


def column_pivots(a: Array, places: Array, xp: Any = np) -> Array:
    """Give |R_kk| of A P = Q R, as parts of the largest element, for the matrices in the last axes.

    P brings the longest column that is left to the front, and Householder's reflection turns it
    into the first axis. `places` are the numbers of the columns, and `xp` has NumPy's functions.

    >>> column_pivots(np.array([[3.0, 0.0], [4.0, 0.0]]), np.arange(2)).tolist()
    [1.25, 0.0]
    """
    largest = xp.max(xp.abs(a), axis=(-2, -1))[..., None, None]
    rest = a / xp.where(largest == 0, 1.0, largest)
    found = []
    for _ in range(min(a.shape[-2:])):
        length, rest = _reflected(rest, places, xp)
        found.append(length)
    return xp.stack(found, axis=-1)


def _reflected(a: Array, places: Array, xp: Any) -> tuple[Array, Array]:
    """Give the length of the longest column, and what is left of the others below the first row."""
    lengths = xp.sqrt(xp.sum(xp.abs(a) ** 2, axis=-2))
    is_longest = (places == xp.argmax(lengths, axis=-1)[..., None])[..., None, :]
    column = xp.sum(xp.where(is_longest, a, 0.0), axis=-1)
    length = xp.max(lengths, axis=-1)
    head = column[..., :1]
    size = xp.abs(head)
    sign = xp.where(size == 0, 1.0, head / xp.where(size == 0, 1.0, size))
    normal = xp.concatenate((head + sign * length[..., None], column[..., 1:]), axis=-1)
    square = xp.sum(xp.abs(normal) ** 2, axis=-1)[..., None, None]
    normal = normal[..., None]
    along = xp.sum(xp.conjugate(normal) * a, axis=-2)[..., None, :]
    rest = a - 2 * normal * along / xp.where(square == 0, 1.0, square)
    return length, xp.where(is_longest, 0.0, rest)[..., 1:, :]
