"""Slopes of products and of their logarithms: the entries that books have, and their numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mpmath as mp
import numpy as np
import pytest

import symtape as tf
from tests.index_numbers import number as entry_number

X = [0.5, 1.5, 2.0]
P = 0.3
VALUES = {"x": np.array(X), "p": np.array(P)}

SLOPES: dict[str, tuple[Callable[..., Any], Callable[..., Any], str, str]] = {
    "a product": (
        lambda x, p: tf.reduce_prod(x), lambda x, p: mp.fprod(x), "x",
        "Product(x[j], (j, 0, i - 1))*Product(x[j], (j, i + 1, 2))",
    ),
    "a logarithm of a product": (
        lambda x, p: tf.math.log(tf.reduce_prod(x)), lambda x, p: mp.log(mp.fprod(x)), "x", "1/x[i]"
    ),
    "a logarithm of multiples": (
        lambda x, p: tf.math.log(tf.reduce_prod(p * x)),
        lambda x, p: mp.log(mp.fprod(p * v for v in x)), "p", "3/p",
    ),
    "a geometric mean": (
        lambda x, p: tf.reduce_prod(x) ** (1 / 3), lambda x, p: mp.cbrt(mp.fprod(x)), "x",
        "Product(x[j], (j, 0, 2))**(1/3)/(3*x[i])",
    ),
    "one over a product": (
        lambda x, p: 1 / tf.reduce_prod(x), lambda x, p: 1 / mp.fprod(x), "x",
        "-1/(x[i]*Product(x[j], (j, 0, 2)))",
    ),
    "a likelihood of truths": (
        lambda x, p: tf.math.log(tf.reduce_prod(p**x * (1 - p) ** (1 - x))),
        lambda x, p: mp.log(mp.fprod(p**v * (1 - p) ** (1 - v) for v in x)), "p",
        "-Sum(1 - x[i], (i, 0, 2))/(1 - p) + Sum(x[i], (i, 0, 2))/p",
    ),
    "a likelihood of numbers": (
        lambda x, p: tf.reduce_prod(tf.exp(-((x - p) ** 2) / 2)),
        lambda x, p: mp.fprod(mp.exp(-((v - p) ** 2) / 2) for v in x), "p",
        "Product(exp(-(-p + x[i])**2/2), (i, 0, 2))*Sum(-p + x[i], (i, 0, 2))",
    ),
    "a likelihood of waiting": (
        lambda x, p: tf.reduce_prod(tf.exp(-p * x)),
        lambda x, p: mp.fprod(mp.exp(-p * v) for v in x), "p",
        "-Product(exp(-p*x[i]), (i, 0, 2))*Sum(x[i], (i, 0, 2))",
    ),
    "what survives": (
        lambda x, p: tf.reduce_prod(1 - p * x), lambda x, p: mp.fprod(1 - p * v for v in x), "p",
        "-Sum(x[i]*Product(-p*x[j] + 1, (j, 0, i - 1))*Product(-p*x[j] + 1, (j, i + 1, 2)), (i, 0, 2))",  # noqa: E501 - one entry
    ),
    "a power with a factor that may be 0": (
        lambda x, p: tf.reduce_prod(x**2), lambda x, p: mp.fprod(x) ** 2, "x",
        "2*x[i]*Product(x[j]**2, (j, 0, i - 1))*Product(x[j]**2, (j, i + 1, 2))",
    ),
    "a quotient of products": (
        lambda x, p: tf.reduce_prod(p + x) / tf.reduce_prod(x),
        lambda x, p: mp.fprod(p + v for v in x) / mp.fprod(x), "p",
        "Sum(Product(p + x[j], (j, 0, i - 1))*Product(p + x[j], (j, i + 1, 2)), (i, 0, 2))/Product(x[i], (i, 0, 2))",  # noqa: E501 - one entry
    ),
}  # fmt: skip
"""A function of numbers x and a number p, the same of mpmath's, by what, and its slope's entry."""


@pytest.mark.parametrize("name", SLOPES)
def test_slopes_of_products(name: str) -> None:
    """Entries are those of books, and are at each place the number that a difference gives."""
    function, same, wrt, entry = SLOPES[name]
    given = {"x": tf.constant(X, tf.float64, name="x"), "p": tf.constant(P, tf.float64, name="p")}
    with tf.GradientTape() as tape:
        tape.watch(list(given.values()))
        y = function(**given)
    slope = tape.gradient(y, given[wrt])
    assert str(slope.index_expr()) == entry
    for place, number in enumerate(slope.numpy().reshape(-1)):
        with mp.workdps(30):
            step = lambda v, k=place: _moved(same, wrt, k, v)  # noqa: E731
            truth = mp.diff(step, (X if wrt == "x" else [P])[place])
        assert number == pytest.approx(float(truth), rel=1e-10)
        e = slope.index_expr()
        at = {s: place for s in e.free_symbols if s.name == "i"}
        assert float(entry_number(e, VALUES, at)) == pytest.approx(float(truth), rel=1e-10)


def _moved(function: Callable[..., Any], wrt: str, place: int, value: Any) -> Any:
    x = [value if wrt == "x" and k == place else mp.mpf(v) for k, v in enumerate(X)]
    return function(x, value if wrt == "p" else mp.mpf(P))


def test_a_product_with_a_factor_of_zero_has_slopes() -> None:
    """No factor is divided by that may be 0."""
    x = tf.constant([0.0, 2.0, 3.0], tf.float64, name="x")
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_prod(x)
    assert tape.gradient(y, x).exact().tolist() == [6, 0, 0]


def test_a_product_over_all_places_but_one_is_written_as_one() -> None:
    """It has one sign in LaTeX, which says what place it lacks."""
    x = tf.constant(X, tf.float64, name="x")
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_prod(1 - x)
    text = tape.gradient(y, x).latex("index")
    assert text == r"- \prod_{j=0,\, j \neq i}^{2} \left(1 - {x}_{j}\right)"
