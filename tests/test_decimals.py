"""Decimal numbers in formulas: they stay what their authors wrote, and hide nothing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sympy as sp

import symtape as tf
from tests.index_numbers import number
from tests.matrix_numbers import assert_holds

total = tf.reduce_sum
WRITTEN = {
    "a divisor": (lambda x: total(x**2) / 0.3, "x", "2 x / 0.3"),
    "a product of numbers": (lambda x: 0.05 * total(x**2), "x", "0.1 x"),
    "a mean": (lambda x: tf.reduce_mean(x / 0.3), "x", "𝟏 / 0.9"),
    "a divisor of a divisor": (lambda x: total(x**2) / 0.1, "x", "20 x"),
    "a divisor that cancels": (lambda x: 0.3 * total(tf.exp(x / 0.3)), "x", "exp(x / 0.3)"),
    "a temperature": (
        lambda x: 0.3 * tf.reduce_logsumexp(x / 0.3),
        "x",
        "softmax(x / 0.3)",
    ),
    "an exponent": (lambda x: total(x**0.3), "x", "0.3 x^⊙(-0.7)"),
    "what is added": (lambda x: tf.norm(x) + 0.3 * total(x), "x", "0.3 𝟏 + x / ‖x‖"),
    "a guard": (lambda x: tf.sqrt(total(x**2) + 1e-5), "x", "x / √(1e-05 + ‖x‖²)"),
    "a bound": (lambda x: total(tf.minimum(x, 0.3) ** 2), "x", None),
    "bounds": (lambda x: total(tf.clip_by_value(x, 0.1, 0.9) ** 2), "x", None),
    "a threshold": (lambda x: total(tf.where(x > 0.3, x**2, 0.3 * x)), "x", None),
    "slopes of both sides": (lambda x: total(tf.nn.leaky_relu(x, 0.01) ** 2), "x", None),
    "two decimals": (lambda x: total(0.9 * x**3 - (1 - 0.3 * x) ** 2 / 0.7), "x", None),
    "a decimal that is taken away": (lambda x: total(tf.exp(-0.05 * x) * x), "x", None),
}
"""Functions of a vector, and how their gradients are written, where the letter matters."""


@pytest.mark.parametrize("name", WRITTEN)
def test_a_decimal_stays_as_it_was_written(name):
    """What is printed has the author's digits, and its value to thirty digits."""
    function, letter, text = WRITTEN[name]
    x = tf.Variable([0.31, 0.95, 1.7], name=letter, dtype=tf.float64)
    with tf.GradientTape() as tape:
        y = function(x)
    found = tape.gradient(y, x)
    assert text is None or found.text() == text
    assert "00000" not in found.text()
    assert_holds(found, np.random.default_rng(1))
    i = sp.Symbol("i", integer=True)
    for k, value in enumerate(found.numpy()):
        made = number(found.index_expr(i), {letter: x.numpy()}, {i: k})
        assert abs(made - value) < 1e-9 * (1 + abs(value))


def price(s: Any, k: Any, g: Any, t: Any) -> Any:
    """Price a call at a rate of 5 % (Black and Scholes)."""
    d = (tf.math.log(s / k) + (0.05 + g**2 / 2) * t) / (g * tf.sqrt(t))
    first, last = (0.5 * (1 + tf.math.erf(u / np.sqrt(2.0))) for u in (d, d - g * tf.sqrt(t)))
    return s * first - k * tf.exp(-0.05 * t) * last


@pytest.mark.slow
def test_a_rate_that_is_a_number_hides_nothing():
    """The greeks are those of books, in each form."""
    leaves = [
        tf.Variable(v, dtype=tf.float64, name=n)
        for v, n in zip((9, 8, 0.2, 1), "SKgT", strict=True)
    ]
    with tf.GradientTape(persistent=True) as tape:
        y = price(*leaves)
    delta, gamma = tape.gradient(y, leaves[0]), tape.hessian(y, leaves[0])
    assert delta.text() == "Φ((T (0.05 + g²/2) + log(S/K)) / (g √T))"
    assert delta.latex().startswith(r"\Phi\left(\frac{T \left(0.05 + \frac{g^{2}}{2}\right)")
    assert delta.expr.count(sp.erf) == 1
    assert gamma.text().startswith("φ(")
    assert gamma.latex().startswith(r"\frac{\varphi\left(")


def test_what_is_divided_by_is_written_in_latex():
    """A gas constant stays below the line (Arrhenius)."""
    t, e = (tf.Variable(v, dtype=tf.float64, name=n) for v, n in zip((300, 5), "TE", strict=True))
    with tf.GradientTape() as tape:
        y = tf.exp(-e / (8.314 * t))
    found = tape.gradient(y, t)
    assert found.latex() == r"\frac{E \exp\left(-\frac{E}{8.314 T}\right)}{8.314 T^{2}}"
    assert found.text() == "E_ exp(-E_ / (8.314 T)) / (8.314 T²)"


def test_an_expression_divides_by_fractions():
    """SymPy's expressions have 10/3 for 1 / 0.3, and 1/2 for 0.5."""
    z = tf.Variable([0.1, 0.4], name="z", dtype=tf.float64)
    with tf.GradientTape() as tape:
        y = tf.nn.softmax(z / 0.3)
    found = tape.jacobian(y, z)
    assert not found.index_expr().has(sp.Float)
    assert not found.expr.has(sp.Float)
