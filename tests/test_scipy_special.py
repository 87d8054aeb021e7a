"""SciPy's special functions inside of a traced function: values of its own, and their slopes."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import special

import symtape as tf
from symtape.ops.numpy.scipy_ufuncs import UFUNCS

OPEN = np.array([0.15, 0.4, 0.85])
ABOVE = np.array([1.3, 2.5, 4.0])
TWO = {"xlogy", "xlog1py", "betaln", "gammainc", "gammaincc"}


def points(name):
    """Give arguments inside of the domain."""
    return (ABOVE, ABOVE[::-1]) if name in TWO else (OPEN,)


@pytest.mark.parametrize("name", UFUNCS)
def test_special_functions_are_recorded(name):
    """Values are SciPy's, and derivatives those of differences of SciPy's values."""
    f, args = getattr(special, name), points(name)
    numbers = tuple(range(len(args)))
    both = tf.value_and_grad(lambda *x: tf.reduce_sum(f(*x)), argnums=numbers)
    for _ in range(3):
        value, slopes = both(*args)
        np.testing.assert_allclose(value, np.sum(f(*args)), rtol=1e-12)
        for k, slope in enumerate(slopes):
            h = 1e-4
            step = [(f(*args[:k], args[k] + n * h, *args[k + 1 :])) for n in (-2, -1, 1, 2)]
            expected = (step[0] - 8 * step[1] + 8 * step[2] - step[3]) / (12 * h)
            np.testing.assert_allclose(slope, expected, rtol=1e-8, atol=1e-10)


def test_others_are_refused():
    """A special function that has no recorded form raises, with its name."""
    with pytest.raises(tf.UnsupportedError, match="erfcx"):
        tf.grad(lambda x: special.erfcx(x))(1.0)
    assert tf.grad(lambda x: special.digamma(x))(1.0) == pytest.approx(np.pi**2 / 6)
