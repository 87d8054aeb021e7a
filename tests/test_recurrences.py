"""Long lines of y[i] = b[i] + a[i] y[i-1] are solved by rows, as exactly as step by step."""

from __future__ import annotations

import math
import tracemalloc

import mpmath
import numpy as np
import pytest

import symtape as tf
from symtape.kernels import recurrences

RNG = np.random.default_rng(5)
N = 4001
FACTORS = {
    "near one": 1 + RNG.normal(size=N) / N,
    "of both signs": RNG.normal(size=N),
    "small": RNG.random(N) * 1e-3,
    "with zeros": RNG.normal(size=N) * (RNG.random(N) < 0.9),
    "alternating": -RNG.random(N),
    "so small that rows underflow": np.full(N, 1e-12),
}


def precisely(a: np.ndarray, b: np.ndarray) -> list[mpmath.mpf]:
    """Solve a step at a time, with 40 digits."""
    with mpmath.workdps(40):
        found = [mpmath.mpf(b[0])]
        for factor, term in zip(a[1:].tolist(), b[1:].tolist(), strict=True):
            found.append(term + factor * found[-1])
        return found


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("name", FACTORS)
def test_a_long_line_is_what_40_digits_give(name: str, reverse: bool) -> None:
    """The error is a few roundings of the sum of the sizes of all terms."""
    a, b = FACTORS[name], RNG.normal(size=N)
    order = slice(None, None, -1 if reverse else 1)
    found = recurrences.recurrence(a[order], b[order], -1, reverse)[order]
    sizes = precisely(np.abs(a), np.abs(b))
    for y, wanted, size in zip(found.tolist(), precisely(a, b), sizes, strict=True):
        assert abs(y - wanted) <= 1e-15 * size


def test_what_underflows_in_a_row_is_there_in_the_line() -> None:
    """A large beginning is made small step by step, and no product of factors alone is used."""
    b = np.zeros(20_000)
    b[0], a = 1e300, np.full(20_000, 1e-10)
    found = recurrences.recurrence(a, b, -1, False)
    np.testing.assert_allclose(
        found[:58], [float(f"1e{300 - 10 * k}") for k in range(58)], rtol=1e-12
    )
    assert not found[70:].any()


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_lines_of_several_pieces(dtype: str) -> None:
    """Pieces follow one another, and infinities and nan go on as they do step by step."""
    a, b = RNG.random(150_000).astype(dtype), RNG.normal(size=150_000).astype(dtype)
    b[100_000], b[140_000] = np.inf, np.nan
    y, steps = 0.0, []
    for factor, term in zip(a.tolist(), b.tolist(), strict=True):
        steps.append(y := term + factor * y)
    found = recurrences.recurrence(a, b, -1, False)
    assert found.dtype == dtype
    np.testing.assert_allclose(found, np.array(steps, dtype), rtol=1e-6, atol=1e-6)


def test_the_gradient_of_a_long_running_product() -> None:
    """It is right through a zero: of what comes after, only one factor's slope is left."""
    x = 1 + RNG.normal(size=2000) / 2000
    x[700] = 0
    found = tf.grad(lambda x: tf.reduce_sum(tf.math.cumprod(x)))(x)
    assert found[700] == pytest.approx(
        math.fsum(np.cumprod(np.delete(x, 700))[699:].tolist()), rel=1e-12
    )
    assert not found[701:].any()


def test_a_view_keeps_no_large_array_alive() -> None:
    """Fifty steps over a line need the memory of a few lines, though the ends of each are read."""
    n = 100_000

    def heat(u: tf.Tensor) -> tf.Tensor:
        for _ in range(50):
            u = u + 0.1 * (tf.roll(u, 1, 0) - 2 * u + tf.roll(u, -1, 0))
        return tf.reduce_sum(u * u)

    slope, u = tf.grad(heat), RNG.normal(size=n)
    for _ in range(3):
        slope(u)
    tracemalloc.start()
    slope(u)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 20 * u.nbytes
