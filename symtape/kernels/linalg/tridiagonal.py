"""How NumPy solves with three diagonals, in as many steps as there are rows."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = Any
"""A NumPy array."""


def framed(lines: Array) -> Array:
    """Put zeros where diagonals [..., 3, n] are not looked at."""
    out = lines.copy()
    out[..., 0, -1:] = 0
    out[..., 2, :1] = 0
    return out


def turned(lines: Array) -> Array:
    """Give the diagonals of the transpose."""
    above, middle, below = np.moveaxis(lines, -2, 0)
    return np.stack([np.roll(below, -1, -1), middle, np.roll(above, 1, -1)], -2)


def tridiagonal_solution(lines: Array, b: Array) -> Array:
    """Solve A X = B for framed diagonals [..., 3, n] and B [..., n, k].

    LAPACK does it through SciPy, one matrix after another. Without SciPy, and where there are more
    matrices than rows, each row is taken for all matrices at once. A singular matrix raises NumPy's
    `LinAlgError`.
    """
    *batch, _, n = lines.shape
    if not b.size:
        return b.copy()
    solver = _solver() if n > 1 and np.prod(batch) <= n else None
    if solver is None:
        found = _by_rows(np.moveaxis(lines, -1, 0), np.moveaxis(b, -2, 0))
        return np.moveaxis(found, 0, -2)
    bands = turned(lines)[..., ::-1, :]
    out = np.empty_like(b)
    for place in np.ndindex(*batch):
        out[place] = solver((1, 1), bands[place], b[place], check_finite=False)
    return out


def _solver() -> Any:
    try:
        from scipy.linalg import solve_banded  # noqa: PLC0415 - an extra, and slow to import
    except ImportError:
        return None
    return solve_banded


def _by_rows(lines: Array, b: Array) -> Array:
    """Eliminate in [n, ..., 3] and [n, ..., k], with the larger of two neighbours as pivot.

    A row is what it has in three columns from that of its pivot on, and its right sides.
    """
    below = np.concatenate([lines[..., ::-1], b], axis=-1)
    upper = np.empty_like(below)
    row = _moved(below[0])
    for i in range(1, len(b)):
        is_larger = np.abs(below[i, ..., :1]) > np.abs(row[..., :1])
        upper[i - 1] = pivot = np.where(is_larger, below[i], row)
        other = np.where(is_larger, row, below[i])
        row = _moved(other - other[..., :1] / pivot[..., :1] * pivot)
    upper[-1] = row
    if not np.all(upper[..., 0]):
        raise np.linalg.LinAlgError
    x = np.zeros((len(b) + 2, *b.shape[1:]), b.dtype)
    for i in reversed(range(len(b))):
        first, second, third = (upper[i, ..., k : k + 1] for k in range(3))
        x[i] = (upper[i, ..., 3:] - second * x[i + 1] - third * x[i + 2]) / first
    return x[: len(b)]


def _moved(row: Array) -> Array:
    """Begin one column later."""
    return np.concatenate([row[..., 1:3], np.zeros_like(row[..., :1]), row[..., 3:]], axis=-1)
