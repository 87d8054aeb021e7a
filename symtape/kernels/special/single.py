"""The error function and its kin with the digits of single precision, for many numbers at once.

Each is an integral of s·exp(-c x²), tabulated. Around a place g of the table, with d = x - g and
φ(g) = s·exp(-c g²), Taylor's series of such an integral F is
F(x) = F(g) + φ(g)·(d - c g d² + c (2c g² - 1)/3·d³ + …), and the rest lies below the last digit.
All steps are in single precision, in which they take less than half the time; results are within
four units of the last place.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from symtape.kernels.special import gaussian

Array = Any
"""A NumPy array."""

_PLACES = 512
"""The number of places in a table from one whole number to the next."""
_BLOCK = 2**14
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(4)


def _in_blocks(run: Callable[[Array], Array], x: Array) -> Array:
    """Compute so many numbers at a time that all steps stay in the cache."""
    if x.size <= _BLOCK:
        return run(x)
    out = np.empty(x.shape, np.float32)
    flat, given = out.reshape(-1), x.reshape(-1)
    for i in range(0, x.size, _BLOCK):
        flat[i : i + _BLOCK] = run(given[i : i + _BLOCK])
    return out


class Integral:
    """The integral of s·exp(-c x²) from a whole number `start` on, between two whole numbers."""

    def __init__(self, s: float, c: float, start: int, low: int, high: int) -> None:
        self._ends, self._c = (np.float32(low), np.float32(high)), c
        places = np.arange(low * _PLACES, high * _PLACES + 1) / _PLACES
        self._slopes = (s * np.exp(-c * places * places)).astype(np.float32)
        nodes = places[:-1, None] + (1 + _NODES) / (2 * _PLACES)
        pieces = s * np.exp(-c * nodes * nodes) @ _WEIGHTS / (2 * _PLACES)
        self._middle, at = -low * _PLACES, (start - low) * _PLACES
        before, after = -np.cumsum(pieces[:at][::-1])[::-1], np.cumsum(pieces[at:])
        zero = -0.0 if low < start < high else 0.0  # so that the sign of a zero is kept
        self._values = np.concatenate([before, [zero], after]).astype(np.float32)

    def __call__(self, x: Array) -> Array:
        """Give it for float32 numbers; beyond the ends it is as at the ends."""
        return _in_blocks(self._block, x)

    def _block(self, x: Array) -> Array:
        d = np.clip(x, *self._ends)
        g = d * np.float32(_PLACES)
        np.rint(g, g)
        place = g.astype(np.intp)
        place += self._middle
        g *= np.float32(1 / _PLACES)
        g += np.float32(0)  # no zero is negative, so that x keeps its sign there
        d -= g
        return self._series(d, g, place)

    def _series(self, d: Array, g: Array, place: Array) -> Array:
        """Add the series up from its end."""
        found = g * g
        found *= np.float32(2 * self._c**2 / 3)
        found -= np.float32(self._c / 3)
        found *= d
        g *= np.float32(self._c)
        found -= g
        found *= d
        found += np.float32(1)
        found *= d
        found *= self._slopes.take(place, mode="clip")
        found += self._values.take(place, mode="clip")
        return found


@cache
def _erf() -> Integral:
    return Integral(2 / math.sqrt(math.pi), 1.0, 0, -5, 5)


@cache
def _erfc() -> Integral:
    return Integral(-2 / math.sqrt(math.pi), 1.0, 12, -5, 12)


@cache
def _normal_cdf() -> Integral:
    return Integral(1 / math.sqrt(2 * math.pi), 0.5, -16, -16, 7)


def erf(x: Array) -> Array:
    """Give erf of a float32 array of any shape.

    >>> erf(np.array([0.0, 0.5, -7.0], np.float32))
    array([ 0.       ,  0.5204999, -1.       ], dtype=float32)
    """
    return _erf()(x)


def erfc(x: Array) -> Array:
    """Give 1 - erf(x) of a float32 array.

    >>> erfc(np.array([0.0, 3.0], np.float32))
    array([1.0000000e+00, 2.2090497e-05], dtype=float32)
    """
    return _erfc()(x)


def normal_cdf(x: Array) -> Array:
    """Give the distribution function of the standard normal of a float32 array.

    >>> normal_cdf(np.array([0.0, -2.0], np.float32))
    array([0.5       , 0.02275013], dtype=float32)
    """
    return _normal_cdf()(x)


def exp_of_square(c: Array, x: Array) -> Array:
    """Give exp(c x²) of a float32 array, with what the rounding of x² takes.

    >>> exp_of_square(np.float32(-1), np.array([0.0, 9.1], np.float32))
    array([1.0000000e+00, 1.0866031e-36], dtype=float32)
    """
    factor = np.float32(c)
    return _in_blocks(lambda block: gaussian.exp_of_square(factor, block), x)
