"""Beta functions, and what gamma functions differ by, by sums of one sign.

Stirling's series and its derivatives are 5.11 and 5.15 of the NIST Digital Library of Mathematical
Functions.
"""

from __future__ import annotations

from math import factorial
from typing import Any

import numpy as np

from symtape.kernels.special.scipy_functions import special

Array = Any
"""A NumPy array."""


_SHIFTED = 14.0
"""From here on Stirling's series has all digits."""


def polygamma_less(n: Array, a: Array, b: Array) -> Array:
    """Give ψ⁽ⁿ⁾(a) - ψ⁽ⁿ⁾(a + b): terms of one sign where b, and what is differed, are above 0."""
    order = int(n)
    a, b = np.broadcast_arrays(a, b)
    inside = (a > 0) & (a + b > 0) & np.isfinite(a) & np.isfinite(b)
    x, y = np.where(inside, a, 1), np.where(inside, b, 0)
    first = np.minimum(x, x + y)  # from the lower to the higher of both
    found = np.where(y < 0, -1, 1) * _polygamma_less(order, first, np.abs(y))
    if np.all(inside):
        return found
    direct = special.polygamma(order, a) - special.polygamma(order, a + b)
    return np.where(inside, found, direct)


def _polygamma_less(n: int, a: Array, b: Array) -> Array:
    """Add up n!/(a + k)ⁿ⁺¹ less the same of a + b, for a few k, and then Stirling's series."""
    total = np.zeros_like(a)
    while np.any(a < _SHIFTED):
        near = a < _SHIFTED
        total = total + np.where(near, factorial(n) * _power_less(n + 1, a, b), 0)
        a = np.where(near, a + 1, a)
    total = total + (factorial(n - 1) * _power_less(n, a, b) if n else np.log1p(b / a))
    total = total + factorial(n) / 2 * _power_less(n + 1, a, b)
    for k, bernoulli in enumerate(_BERNOULLI, 1):
        scale = bernoulli * factorial(2 * k + n - 1) / factorial(2 * k)
        total = total + scale * _power_less(2 * k + n, a, b)
    return (-1) ** (n + 1) * total


def _power_less(m: int, a: Array, b: Array) -> Array:
    """Give 1/aᵐ - 1/(a + b)ᵐ."""
    return -np.expm1(-m * np.log1p(b / a)) / a**m


_BERNOULLI = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510)
"""The second of Bernoulli's numbers, the fourth, and so on."""


def log_beta(a: Array, b: Array) -> Array:
    """Give log |B(a, b)|, where one is large by what log Γ grows from it by the other."""
    a, b = np.broadcast_arrays(a, b)
    small, large = np.minimum(a, b), np.maximum(a, b)
    far, found = (large >= _LARGE) & (small > 0) & np.isfinite(large), special.betaln(a, b)
    if not np.any(far):
        return found
    x, y = np.where(far, large, _LARGE), np.where(far, small, 1)
    return np.where(far, special.gammaln(y) - _log_gamma_growth(x, y), found)


_LARGE = 1000.0
"""From here on SciPy takes the logarithms of two large numbers from each other."""


def _log_gamma_growth(x: Array, y: Array) -> Array:
    """Give log Γ(x + y) - log Γ(x) for large x, by Stirling's series."""
    total = (x - 0.5) * np.log1p(y / x) + y * (np.log(x + y) - 1)
    for k, bernoulli in enumerate(_BERNOULLI[:3], 1):
        total = total - bernoulli / (2 * k * (2 * k - 1)) * _power_less(2 * k - 1, x, y)
    return total


def beta(a: Array, b: Array) -> Array:
    """Give Γ(a) Γ(b)/Γ(a + b)."""
    far, found = (np.maximum(a, b) >= _LARGE) & (np.minimum(a, b) > 0), special.beta(a, b)
    return np.where(far, np.exp(log_beta(a, b)), found) if np.any(far) else found


FUNCTIONS = (polygamma_less, log_beta, beta)
