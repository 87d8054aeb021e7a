"""Derivatives by differences, with no step size to choose.

Central differences at many steps are extrapolated (Ridders, Advances in Engineering Software 4,
1982), and the most stable entry of each tableau is taken, with its error.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

_STEPS = 12
"""So many steps are tried, each half of the one before."""

_KNOWN = 1e-10
"""What is known so well needs no smaller steps."""


class Rate(NamedTuple):
    """What an extrapolation gave: a derivative, and how far off it may be."""

    value: Any
    error: Any


def extrapolated(
    differences: Callable[[float], Any], start: float, rounding: Callable[[float], Any]
) -> Rate:
    """Extrapolate differences, whose errors are even powers of the step, to the step 0.

    `rounding` says how far off floats make a difference at a step.

    >>> differences = lambda h: (np.exp(h) - np.exp(-h)) / (2 * h)
    >>> rate = extrapolated(differences, 0.5, lambda h: 2e-16 / h)
    >>> bool(abs(rate.value - 1) < 1e-12), bool(rate.error < 1e-10)
    (True, True)
    """
    with np.errstate(all="ignore"):
        return _tableau(differences, start, rounding)


def _tableau(
    differences: Callable[[float], Any], start: float, rounding: Callable[[float], Any]
) -> Rate:
    above: list[Any] = []
    best: Any = np.nan
    least: Any = np.inf
    for k in range(_STEPS):
        row = [np.asarray(differences(start / 2**k))]
        for j, coarse in enumerate(above):
            power = 4.0 ** (j + 1)
            row.append((power * row[j] - coarse) / (power - 1))
        for j in range(1, len(row)):
            error = np.maximum(np.abs(row[j] - row[j - 1]), np.abs(row[j] - above[j - 1]))
            error = np.where(np.isfinite(error), error, np.inf) + rounding(start / 2**k)
            is_better = error < least
            best, least = np.where(is_better, row[j], best), np.where(is_better, error, least)
        above = row
        if np.all(least <= _KNOWN * np.abs(best)):
            break
    return Rate(best, least)


EPS = float(np.finfo(float).eps)


def directional(at: Callable[[float], Any], start: float, eps: float = EPS) -> Rate:
    """Differentiate an array-valued function of one number at 0, where kinks make it uncertain.

    `start` is the largest step, `eps` the relative roundings of the function.
    """
    middle = np.asarray(at(0.0))
    size = np.max(np.abs(middle), initial=0.0)
    found = extrapolated(lambda h: (at(h) - at(-h)) / (2 * h), start, lambda h: eps * size / h)
    error = found.error
    noise = _NOISE * eps * size
    for doubt in (_jump(at, middle, start, noise), _misfit(at, found.value, start, size, noise)):
        error = np.maximum(error, doubt)
    return found._replace(error=error)


_NOISE = 1e2
"""So many roundings of a function may its differences have."""


def _misfit(at: Callable[[float], Any], value: Any, start: float, size: Any, noise: Any) -> Any:
    """Give how far a derivative is from differences at tiny steps, which are on one side of kinks.

    What rounding makes of them is no misfit.
    """
    found = np.zeros(np.shape(value))
    for k in (14, 17):
        h = start / 2**k
        with np.errstate(all="ignore"):
            far = np.abs((at(h) - at(-h)) / (2 * h) - value)
        least = 1e-6 * (np.abs(value) + size) + noise / h
        found = np.where(far <= least, found, np.where(np.isfinite(far), far, np.inf))
    return found


def _jump(at: Callable[[float], Any], middle: Any, start: float, noise: Any) -> Any:
    """Give how far the slopes of both sides are apart, where that does not fall with the step."""
    with np.errstate(all="ignore"):
        far, near = (
            np.abs(at(h) - 2 * middle + at(-h)) / h for h in (start / 2**10, start / 2**12)
        )
    size = np.max(np.abs(middle), initial=0.0) + start
    least = np.maximum(1e-6 * size, noise / (start / 2**12))
    is_kink = (near > 0.5 * far) & (near > least)
    return np.where(is_kink, near, 0.0)
