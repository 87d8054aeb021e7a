"""Derivatives of what is moved around an axis: Π in matrix notation, and places modulo n."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import symtape as tf
from tests.matrix_numbers import assert_holds

roll, total = tf.roll, tf.reduce_sum


def weather(x: Any) -> Any:
    """Change as weather does around a circle of latitude (Lorenz 1996)."""
    return (roll(x, -1, 0) - roll(x, 2, 0)) * roll(x, 1, 0) - x


def ring(x: Any) -> Any:
    """Multiply neighbours by hand."""
    return total(tf.concat([x[-1:], x[:-1]], 0) * tf.sin(x))


WEATHER = "diag((Πᵀ - Π²) {0}) Π + diag(Π {0}) (Πᵀ - Π²) - I"
CASES: dict[str, tuple[Callable[[Any], Any], str, str]] = {
    "weather": (weather, "u", WEATHER.format("u")),
    "of one's own": (ring, "u", "(Π u) ⊙ cos(u) + Πᵀ sin(u)"),
    "a chosen element": (lambda x: roll(x, 2, 0)[1] * x[0], "u", "[u[5]; 0; u[0]]"),
    "there and back": (lambda x: total(roll(roll(x, 2, 0), -2, 0) ** 2), "u", "2 u"),
    "a mean of neighbours": (lambda x: total(roll(x, 1, 0) + roll(x, -1, 0)), "u", "2 𝟏"),
    "another letter": (lambda x: total(roll(x, 1, 0) * x), "Π", "(ℿ + ℿᵀ) Π"),
}
"""What is derived, by whom, and what is printed."""


@pytest.mark.parametrize("name", CASES)
def test_what_is_moved_around_is_a_product_with_a_permutation(name: str) -> None:
    """The formula is that of each size, and holds."""
    function, leaf, wanted = CASES[name]
    for n in (6, 9):
        x = tf.Variable(np.linspace(0.2, 1.3, n), name=leaf)
        with tf.GradientTape() as tape:
            y = function(x)
        found = tape.jacobian(y, x) if y.shape.rank else tape.gradient(y, x)
        assert_holds(found, np.random.default_rng(n))
        if n == 6:
            assert found.text() == wanted


def test_a_formula_for_any_size_moves_places_around_it() -> None:
    """The gradient of the squares of second differences with periodic ends, of n numbers."""
    u = tf.Variable(np.linspace(0.2, 1.3, 6), name="u")
    with tf.GradientTape() as tape:
        y = total((roll(u, 1, 0) - 2 * u + roll(u, -1, 0)) ** 2)
    found = tape.gradient(y, u)
    assert str(found.index_expr(sizes="symbolic")) == (
        "-8*u[Mod(i + 1, n)] + 2*u[Mod(i + 2, n)] - 8*u[Mod(i - 1, n)] + 2*u[Mod(i - 2, n)]"
        " + 12*u[i]"
    )
    assert r"{u}_{\left(i - 2\right) \bmod 6}" in found.latex("index")
    assert found.text(sizes="symbolic") == found.text()


def test_a_derivative_of_a_derivative_is_moved_around_as_well() -> None:
    """What is derived adds the parts up among zeros, where it was recorded that they are joined."""
    u = tf.Variable(np.linspace(0.2, 1.3, 5), name="u")
    with tf.GradientTape() as outer:
        with tf.GradientTape() as tape:
            y = total(tf.exp(u - roll(u, -1, 0)))
        slope = tape.gradient(y, u)
    assert slope.text() == "(I - Π) exp(u - Πᵀ u)"
    found = outer.jacobian(slope, u)
    assert found.text() == "(I - Π) diag(exp(u - Πᵀ u)) (I - Π)ᵀ"
    assert_holds(found, np.random.default_rng(5))


def test_matrices_are_moved_around_along_both_axes() -> None:
    """Rows are moved by a product from the left, columns by one from the right."""
    x = tf.Variable(np.arange(12.0).reshape(3, 4) / 10, name="X")
    with tf.GradientTape() as tape:
        y = total(tf.sin(roll(x, [1, -1], [0, 1])) * x)
    found = tape.gradient(y, x)
    assert found.text() == "Πᵀ (X ⊙ cos(Π X Π)) Πᵀ + sin(Π X Π)"
    assert_holds(found, np.random.default_rng(7))
