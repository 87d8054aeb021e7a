"""How triangles are solved: by BLAS, where SciPy lends it and many rows are worth its import.

NumPy has no function for them, and its general one, which solves all others, takes up to forty
times as long as BLAS.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from symtape.kernels.linalg.bands import adjoint, band

Array = Any
"""A NumPy array or scalar."""

_SMALL = 32
"""Rows of triangles that NumPy solves before SciPy, once, is imported."""
_BLOCK = 64
"""Rows that NumPy solves at a time."""


def solve_triangle(a: Array, b: Array, lower: bool, adjointly: bool) -> Array:
    """Solve A X = B or Aᴴ X = B for the triangle of A; see `Solve`.

    A zero on the diagonal gives infinities, not an error.
    """
    n = a.shape[-1]
    if n > _SMALL and b.size and (lent := _lent(a.dtype.char)):
        if a.ndim == 2:
            return _by_blas(a, b, lower, adjointly, lent)
        stacks = zip(a.reshape(-1, n, n), b.reshape(-1, *b.shape[-2:]), strict=True)
        solved = [_by_blas(*pair, lower, adjointly, lent) for pair in stacks]
        return np.array(solved).reshape(b.shape)
    return _by_numpy(a, b, lower, adjointly)


def _by_numpy(a: Array, b: Array, lower: bool, adjointly: bool) -> Array:
    if adjointly:
        a, lower = adjoint(a), not lower
    return _substitute(a, b, lower)


@cache
def _lent(kind: str) -> tuple[Callable[..., Array], Callable[..., Array]] | None:
    """Give BLAS' functions for one right side and for several, of a kind of numbers."""
    try:
        from scipy.linalg import blas  # noqa: PLC0415 - an extra
    except ImportError:
        return None
    prefix = {"f": "s", "d": "d", "F": "c", "D": "z"}[kind]
    return getattr(blas, f"{prefix}trsv"), getattr(blas, f"{prefix}trsm")


def _by_blas(a: Array, b: Array, lower: bool, adjointly: bool, lent: Any) -> Array:
    """Solve one triangle; what BLAS, which has columns, gets is Aᵀ and Bᵀ, without a copy."""
    one, several = lent
    if not np.all(np.diagonal(a)):
        return _by_numpy(a, b, lower, adjointly)
    if b.shape[-1] == 1 and a.dtype.kind == "f":
        solved: Array = one(a.T, b[:, 0], lower=not lower, trans=not adjointly)
        return solved[:, None]
    trans = 2 if adjointly else 0
    return several(1.0, a.T, b.T, side=1, lower=not lower, trans_a=trans).T


def _substitute(a: Array, b: Array, lower: bool) -> Array:
    """Solve a triangle block by block."""
    n = a.shape[-1]
    if n <= 1:
        return b / a if n else b.copy()
    if n <= _BLOCK and np.logical_and.reduce(np.einsum("...ii->...i", a), None):
        return np.linalg.solve(band(a, None, 0) if lower else band(a, 0, None), b)
    half = n // 2
    first, last = a[..., :half, :half], a[..., half:, half:]
    top, bottom = b[..., :half, :], b[..., half:, :]
    if lower:
        top = _substitute(first, top, lower)
        bottom = _substitute(last, bottom - a[..., half:, :half] @ top, lower)
    else:
        bottom = _substitute(last, bottom, lower)
        top = _substitute(first, top - a[..., :half, half:] @ bottom, lower)
    return np.concatenate([top, bottom], axis=-2)
