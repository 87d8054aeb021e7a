"""The error function of many numbers at once, from a table and a short series.

Around a place g of the table, with d = x - g and φ(g) = 2/√π·exp(-g²), Taylor's series is
erf(x) = erf(g) + φ(g)·(d - g d² + (2g² - 1)/3·d³ + g (3 - 2g²)/6·d⁴ + …), by DLMF 7.10.1. Places
are so close that the rest is below the last digit. No step branches on the numbers, so that random
ones take no longer than sorted ones.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any

import mpmath
import numpy as np

Array = Any
"""A NumPy array."""

_PLACES = 1024
"""The number of places in the table from one whole number to the next."""
_LAST = 6
"""From here on, erf is 1 in double precision."""
_BLOCK = 2**14


@cache
def _tables() -> tuple[Array, Array]:
    """Give erf and its slope at the places."""
    end = _LAST * _PLACES
    slopes = 2 / math.sqrt(math.pi) * np.exp(-np.square(np.arange(-end, end + 1) / _PLACES))
    with mpmath.workprec(80):
        half = [float(mpmath.erf(mpmath.mpf(k) / _PLACES)) for k in range(end + 1)]
    values = np.array([*(-v for v in half[:0:-1]), *half])
    values[end] = -0.0  # so that the sign of a zero is kept
    return values, slopes


def erf(x: Array) -> Array:
    """Give erf of a float64 array of any shape, within two units of the last place.

    >>> erf(np.array([0.0, 0.5, -7.0]))
    array([ 0.        ,  0.52049988, -1.        ])
    """
    if x.size <= _BLOCK:
        return _erf(x)
    out = np.empty(x.shape)
    flat, given = out.reshape(-1), x.reshape(-1)
    for i in range(0, x.size, _BLOCK):
        flat[i : i + _BLOCK] = _erf(given[i : i + _BLOCK])
    return out


def erf_of_one() -> Callable[[float], float]:
    """Make erf of one number, in words that numba compiles: it takes the tables in.

    >>> round(float(erf_of_one()(0.5)), 15)
    0.520499877813047
    """
    values, slopes = _tables()
    last, places = float(_LAST), float(_PLACES)
    middle = _LAST * _PLACES

    def table_erf(x: float) -> float:
        if not abs(x) < last:
            return x if x != x else math.copysign(1.0, x)  # noqa: PLR0124 - nan
        g = np.rint(x * places)
        place = int(g) + middle
        g = g * (1 / places) + 0.0
        d = x - g
        square = g * g
        found = (0.5 - square * (1 / 3)) * g + 0.1 * d
        found = (found * d + (square * (2 / 3) - 1 / 3)) * d - g
        result: float = values[place] + slopes[place] * (d * (found * d + 1.0))
        return result

    return table_erf


def _erf(x: Array) -> Array:
    values, slopes = _tables()
    x = np.clip(x, -_LAST, _LAST)
    g = np.multiply(x, _PLACES)
    np.rint(g, g)
    place = (g + _LAST * _PLACES).astype(np.intp)
    g *= 1 / _PLACES
    g += 0.0  # no zero is negative, so that x keeps its sign there
    x -= g
    return _series(x, g, slopes.take(place, mode="clip"), values.take(place, mode="clip"))


def _series(d: Array, g: Array, slope: Array, value: Array) -> Array:
    """Add the series up from its end; d⁵ counts beside small numbers alone, where it has 1/10."""
    square = g * g
    found = square * (-1 / 3)
    found += 0.5
    found *= g
    found += 0.1 * d
    found *= d
    square *= 2 / 3
    square -= 1 / 3
    found += square
    found *= d
    found -= g
    found *= d
    found += 1
    found *= d
    found *= slope
    found += value
    return found
