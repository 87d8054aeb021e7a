"""Matrices that are turned round, and bands of their diagonals."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

Array = Any
"""A NumPy array or scalar."""


def adjoint(a: Array) -> Array:
    """Turn a matrix round and conjugate it; of real numbers it is a view."""
    turned = np.swapaxes(a, -1, -2)
    return np.conjugate(turned) if a.dtype.kind == "c" else turned


def band(a: Array, low: int | None, high: int | None) -> Array:
    """Keep some diagonals; see `Band`."""
    rows, columns = a.shape[-2:]
    if rows * columns <= _FEW:
        return np.where(_in_band(rows, columns, low, high), a, a.dtype.type(0))
    if low is not None:
        a = np.triu(a, low)
    return a if high is None else np.tril(a, high)


_FEW = 4096
"""Elements of a matrix of which it takes longer to say which are in a band than to choose them."""


@lru_cache(maxsize=64)
def _in_band(rows: int, columns: int, low: int | None, high: int | None) -> Array:
    """Say which elements of a matrix are on some diagonals."""
    return np.tri(rows, columns, columns if high is None else high, bool) & ~np.tri(
        rows, columns, -rows - 1 if low is None else low - 1, bool
    )
