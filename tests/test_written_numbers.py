"""Numbers that Python counts with are numbers in formulas, wherever they are computed with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import sympy as sp

import symtape as tf

x = sp.Symbol("x")

FACTORS: dict[str, tuple[Callable[[], Any], Any]] = {
    "a root": (lambda: tf.sqrt(2.0), sp.sqrt(2)),
    "a multiple of pi": (lambda: tf.sqrt(2 * np.pi), sp.sqrt(2 * sp.pi)),
    "an exponential": (lambda: tf.exp(-1.0), sp.exp(-1)),
    "a power": (lambda: tf.pow(2.0, 0.5), sp.sqrt(2)),
    "a larger one": (lambda: tf.maximum(0.0, 3.0), 3),
    "a negative one": (lambda: tf.negative(2.0), -2),
    "a function of a function": (lambda: tf.math.log(tf.square(3.0)), sp.log(9)),
    "a cast": (lambda: tf.cast(3, tf.float32), 3),
    "a cast to its own kind": (lambda: tf.cast(0.25, tf.float32), sp.Rational(1, 4)),
    "a special function": (lambda: tf.math.lgamma(5.0), sp.log(24)),
    "a complex one": (lambda: tf.abs(3 + 4j), 5),
}
"""What a value is multiplied by, and what that is."""


@pytest.mark.parametrize("name", FACTORS)
def test_a_number_is_a_number(name: str) -> None:
    """The formula of a product has it, and no letter."""
    make, expected = FACTORS[name]
    value = tf.Variable(1.5, name="x", dtype=tf.float64 if "complex" in name else tf.float32)
    with tf.GradientTape() as tape:
        y = value * make()
    assert sp.simplify(tape.gradient(y, value).expr - expected) == 0
    np.testing.assert_allclose(y.numpy(), 1.5 * float(expected), rtol=1e-6)


def test_black_and_scholes_as_people_write_them() -> None:
    """The greeks have no letter for the two below the root (Hull, Options, chapter 19)."""
    s, k, v, t = (
        tf.Variable(n, name=name) for n, name in [(100.0, "S"), (95.0, "K"), (0.2, "v"), (1.0, "T")]
    )
    with tf.GradientTape(persistent=True) as tape:
        d = (tf.math.log(s / k) + v**2 / 2 * t) / (v * tf.sqrt(t))
        price = s * _normal(d) - k * _normal(d - v * tf.sqrt(t))
    assert tape.gradient(price, s).text(parts=[d]).startswith("Φ(d)\nwhere d = ")
    assert tape.gradient(price, v).text(parts=[d]).startswith("S √T φ(d)\nwhere d = ")


def _normal(d: Any) -> Any:
    return 0.5 * (1 + tf.math.erf(d / tf.sqrt(2.0)))


@pytest.mark.parametrize("make", [lambda: tf.cast(2.0, tf.float32), lambda: tf.sqrt(4.0)])
def test_what_is_watched_is_a_symbol(make: Callable[[], Any]) -> None:
    """It has a gradient, and nobody else who writes the same number is watched with it."""
    with tf.GradientTape() as tape:
        w, other = make(), make()
        tape.watch(w)
        y = w * w * other
    assert w is not other
    w_gradient = tape.gradient(y, w)
    assert w_gradient.text() == "4 w"
    assert w_gradient.numpy() == 8


@pytest.mark.parametrize("number", [float("nan"), float("inf"), -0.0])
def test_numbers_that_are_none(number: float) -> None:
    """They are counted with as everywhere."""
    value = tf.Variable(1.5)
    with tf.GradientTape() as tape:
        y = value * tf.negative(number)
    np.testing.assert_equal(y.numpy(), np.float32(-number * 1.5))
    np.testing.assert_equal(tape.gradient(y, value).numpy(), np.float32(-number))
