"""Exponentials of squares with what the rounding of a square takes, and tails that have them."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtape.kernels.special.scipy_functions import special

Array = Any
"""A NumPy array."""


def square_and_rest(x: Array) -> tuple[Array, Array]:
    """Give x² rounded, and what the rounding took, exactly (Dekker 1971)."""
    square = x * x
    high = (4097 if x.dtype == np.float32 else 134217729) * x
    high -= high - x
    low = x - high
    rest = high * high
    rest -= square
    high *= 2
    high += low
    high *= low
    rest += high
    return square, rest


def exp_of_square(c: Array, x: Array) -> Array:
    """Give exp(c x²); the rounding of x² would cost x² units of the last place."""
    square, rest = square_and_rest(np.clip(x, -64, 64))
    square *= c
    found = np.exp(square)
    rest *= c
    rest += 1
    found *= rest  # which lets the infinite stay so
    return found


def upper_tail(c: Array, x: Array, scaled: Array) -> Array:
    """Give erfc(scaled), whose tail is exp(c x²) times a function that varies slowly."""
    is_far = scaled > 0.5
    if not np.any(is_far):
        return special.erfc(scaled)
    rows, values = np.ravel(x), np.ravel(scaled)
    far, near = np.flatnonzero(is_far), np.flatnonzero(~is_far)  # faster than masks
    found = np.empty(values.shape, values.dtype)
    found[far] = exp_of_square(c, rows[far]) * special.erfcx(values[far])
    found[near] = special.erfc(values[near])
    return found.reshape(scaled.shape)
