"""Values that leave the recording of a function: an error or the right derivative."""

from __future__ import annotations

import numpy as np
import pytest

import symtape as tf
from tests.exits import NUMBERS, PLACES

X, N = np.array([0.7, 1.3, -0.4]), np.array([0.4, 1.6, 0.9])

WANTED = {"x": (0,), "n": (1,), "x and n": (0, 1)}


def differences(plain, by):
    """Differentiate f(x, n, base of x) by x or n, at (X, N, X)."""

    def at(step):
        args = [X.astype(complex), N.astype(complex)]
        args[by] = args[by] + step
        return plain(*args, X)

    return np.array([at(1e-200j * row).imag / 1e-200 for row in np.eye(3)])


@pytest.mark.parametrize("where", PLACES)
@pytest.mark.parametrize("way", NUMBERS)
@pytest.mark.parametrize("by", WANTED)
def test_no_derivative_is_lost(way, where, by):
    """What leaves and depends on what is differentiated by raises; all else has its gradient."""
    place, numbers = PLACES[where], WANTED[by]
    slope = tf.grad(lambda x, n: place.run(x, n, NUMBERS[way]), argnums=numbers)
    is_lost = any("xn"[k] in place.leaves for k in numbers)
    for _ in range(2):
        if is_lost:
            with pytest.raises(tf.EscapedValueError, match=r"exits\.py, line \d+ .*numpy\(\)"):
                slope(X, N)
        else:
            found = slope(X, N)
            for k, own in zip(numbers, found, strict=True):
                np.testing.assert_allclose(own, differences(place.plain, k), rtol=1e-7, atol=1e-9)
    kept = tf.grad(lambda x, n: place.run(x, n, lambda t: t), argnums=numbers)
    for k, own in zip(numbers, kept(X, N), strict=True):
        np.testing.assert_allclose(own, differences(place.plain, k), rtol=1e-7, atol=1e-9)
