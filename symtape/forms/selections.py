"""Matrices of numbers that select, add up or stand in a band, in a few words: `I[[0, 2]]`."""

from __future__ import annotations

from typing import Any

import numpy as np

MINUS = "\N{MINUS SIGN}"
DIGITS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def unit_vector(value: Any) -> str | None:
    """Describe a vector that has a single one: e₂."""
    if value is None:
        return None
    flat = np.ravel(value)
    places = np.flatnonzero(flat)
    return f"e{places[0]}".translate(DIGITS) if len(places) == 1 and flat[places[0]] == 1 else None


def selection(value: Any) -> str | None:
    """Describe a matrix of numbers that only selects or adds up elements.

    >>> selection(np.tri(3)), selection(np.eye(3)[::-1]), selection(np.eye(4)[[0, 2]])
    ('lower triangular of ones', 'I[::-1]', 'I[::2]')
    """
    if value is None or value.ndim != 2 or not value.any():
        return None
    if not np.isin(value, (0, 1)).all():
        return _band(value)
    rows, columns = value.sum(axis=1), value.sum(axis=0)
    if (rows == 1).all():
        return f"I[{_places(np.argmax(value, axis=1), value.shape[1])}]"
    if (columns == 1).all():
        return f"I[:, {_places(np.argmax(value, axis=0), value.shape[0])}]"
    n, m = value.shape
    if n == m and n > 1:
        for lower, k in (("lower", 0), ("strictly lower", -1)):
            if (value == np.tri(n, m, k)).all():
                return f"{lower} triangular of ones"
            if (value == np.tri(n, m, k).T).all():
                return f"{lower.replace('lower', 'upper')} triangular of ones"
    return _band(value)


def _band(value: Any) -> str | None:
    n, m = value.shape
    rows, columns = np.nonzero(value)
    low, high = (columns - rows).min(), (columns - rows).max()
    return banded(int(low), int(high)) if 0 < high - low < min(n, m) - 1 else None


def banded(low: int, high: int) -> str:
    """Name a band by its diagonals."""
    named = {(-1, 1): "tridiagonal", (0, 1): "bidiagonal", (-1, 0): "bidiagonal"}
    return named.get((low, high), f"banded, diagonals {low} to {high}".replace("-", MINUS))


def _places(places: Any, n: int) -> str:
    step = int(places[1] - places[0]) if len(places) > 1 else 1
    if step and (np.diff(places) == step).all():
        return slice_text(int(places[0]), step, len(places), n)
    if len(places) > 12:
        return f"[{', '.join(map(str, places[:4]))}, …]"
    return f"[{', '.join(map(str, places))}]"


def slice_text(first: int, step: int, count: int, n: int) -> str:
    """Write evenly spaced places of an axis of n elements as a slice.

    >>> slice_text(1, 2, 3, 9), slice_text(4, -1, 5, 5), slice_text(0, 2, 3, 5)
    ('1:6:2', '::-1', '::2')
    """
    last = first + step * (count - 1)
    begin = "" if first == (0 if step > 0 else n - 1) else str(first)
    end = "" if not 0 <= last + step < n else str(last + (1 if step > 0 else -1))
    return f"{begin}:{end}" + (f":{step}" if step != 1 else "")
