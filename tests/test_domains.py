"""Where a function is defined decides what is cancelled in its derivatives."""

from __future__ import annotations

from typing import Any

import pytest

import symtape as tf
from tests.references import Leaves

log, total = tf.math.log, tf.reduce_sum

NONZERO: dict[str, tuple[Any, str]] = {
    "divisors": (lambda q: q.t / (q.r * q.s**2), "r s"),
    "logarithms of products": (lambda q: log(q.r * q.t / q.s), "r s t"),
    "negative powers": (lambda q: q.t * q.r**-1.5 + q.s**q.k, "r"),
    "all elements": (lambda q: q.t * total(log(q.x)), "x"),
    "no sum": (lambda q: q.t * log(total(q.x)) / (q.s + q.r), ""),
    "no part of an array": (lambda q: q.t * total(log(q.x[1:])), ""),
    "no diagonal": (lambda q: q.t * tf.linalg.trace(1 / q.A), ""),
    "no case": (lambda q: q.t * tf.where(q.s > 0, log(q.s), q.s), ""),
    "no maximum": (lambda q: q.t * tf.maximum(1 / q.s, q.s), ""),
    "no convention": (lambda q: tf.math.divide_no_nan(q.t, q.s) + tf.math.xlogy(q.t, q.r), ""),
}


@pytest.mark.parametrize("name", NONZERO)
def test_what_a_function_divides_by_is_not_zero(name: str) -> None:
    """Leaves are found that may not be zero, and no others."""
    function, wanted = NONZERO[name]
    q = Leaves(3, 2)
    with tf.GradientTape() as tape:
        y = function(q)
    assert tape.gradient(y, q.t).formula.never_zero == {*wanted.split()}


def test_a_common_factor_of_a_derivative_is_cancelled_and_of_a_function_is_not() -> None:
    """Where the function has no value, it has no derivative; its own formula says where it has."""
    q = Leaves(3, 2)
    with tf.GradientTape(persistent=True) as tape:
        y = q.s * (q.t**2 / q.r - q.t) / q.t
        z = q.s * tf.where(q.s > 0, q.s, (q.t**2 / q.r - q.t) / q.t)
    slope = tape.gradient(y, q.s)
    assert y.text() == "s (t²/r - t) / t"
    assert slope.text() == slope.text(sizes="symbolic") == "t/r - 1"
    assert slope.latex() == r"\frac{t}{r} - 1"
    assert "(t²/r - t) / t" in tape.gradient(z, q.s).text()
