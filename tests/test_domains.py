"""Where a function is defined decides what is cancelled in its derivatives."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtape as tf
from symtape.forms.matrix.reading.reader import Reader
from tests.matrix_numbers import assert_form_holds, assert_holds
from tests.references import REFERENCES, Leaves, derived

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
    "no kink": (lambda q: q.t * tf.abs(q.s) / q.r + log(q.s), "r"),
    "what a function is bounded by": (lambda q: q.t * tf.atan(q.r / q.s), "s"),
    "no element": (lambda q: q.t * total(tf.zeros(0, tf.float64) / q.s), ""),
    "a letter over a logarithm": (lambda q: q.t * q.r**q.k * log(q.r / q.s), "r s"),
    "no letter where a bound may be": (lambda q: q.t * q.s**q.k + tf.atan(1 / q.s), ""),
    "no letter under a quotient": (lambda q: q.s**q.k + q.t / (1 / (q.r * q.s)), "r"),
    "the size of a logarithm": (lambda q: q.t * tf.math.lgamma(q.s) / q.s, "s"),
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


READ_AGAIN = {
    "largest of a year by its place (Coles 3.2)": 0,
    "a grade between two cuts by the score (McCullagh 1980)": 1,
    "Frank's copula (Nelsen 4.2)": 1,
}


@pytest.mark.parametrize("name", READ_AGAIN)
def test_what_cancels_by_divisors_is_read_again(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """And not what only has divisors, of which none would make it shorter."""
    read_again, calls = Reader.with_divisors, []
    monkeypatch.setattr(
        Reader, "with_divisors", lambda *given: (calls.append(1), read_again(*given))[1]
    )
    assert derived(REFERENCES[name], Leaves(3, 2)).text() == REFERENCES[name].text
    assert len(calls) == READ_AGAIN[name]


BOUNDED: dict[str, Any] = {
    "an angle": lambda q: tf.atan(1 / q.s),
    "a reciprocal of one": lambda q: 1 / (1 + 1 / q.s),
    "a sigmoid of a logarithm": lambda q: tf.sigmoid(tf.math.log(q.s)),
    "a sign": lambda q: tf.sign(1 / q.s),
    "a sum of nothing": lambda q: total(q.x[:0] / q.s),
}
CASES: dict[str, Any] = {
    "a case": lambda q: tf.where(tf.equal(q.s, 0.0), 5 * q.t, q.t * q.s),
    "a sign": lambda q: q.t * tf.sign(q.s) ** 2,
    "a convention": lambda q: tf.math.divide_no_nan(q.t**2, q.s),
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("bounded", BOUNDED)
def test_what_a_function_is_bounded_by_decides_no_case(bounded: str, case: str) -> None:
    """Where it divides by zero, and has a value nevertheless, its derivatives have theirs."""
    q = Leaves(3, 2)
    q.s.assign(0.0)
    with tf.GradientTape() as tape:
        y = BOUNDED[bounded](q) + CASES[case](q)
    found = tape.gradient(y, q.t).formula
    values = {p: getattr(q, name).numpy() for p, name in found.names.items()}
    assert_form_holds(found.matrix_form(), found.program, found.position, found.names, values)


def test_an_entry_of_a_jacobian_asks_for_its_own_entries() -> None:
    """Where another entry has no value, it still has a derivative."""
    x = tf.Variable([0.0, 0.8], name="x", dtype=tf.float64)
    k = tf.Variable(2.0, name="k", dtype=tf.float64)
    with tf.GradientTape() as tape:
        y = 1 / x + total(x**k + x ** (k + 1))
    assert not tape.jacobian(y, x).formula.never_zero


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


STEPS: dict[str, tuple[Any, str, str]] = {
    "a difference under a logarithm": (
        lambda q: log(q.s**2 - q.t**2) - log(q.s - q.t),
        "s",
        "1 / (s + t)",
    ),
    "and of entries": (
        lambda q: total(log(q.x**2 - q.t**2) - log(q.x - q.t)),
        "x",
        "𝟏 ⊘ (x + t 𝟏)",
    ),
    "a difference of functions": (
        lambda q: log(tf.sigmoid(q.s) - tf.sigmoid(q.t)),
        "s",
        "σ(s) (1 - σ(s)) / (σ(s) - σ(t))",
    ),
    "a case": (
        lambda q: tf.where(q.r > 0, log(q.s**2 - q.t**2) - log(q.s - q.t), q.r),
        "s",
        "[r > 0] (2 s / (s² - t²) - 1 / (s - t))",
    ),
    "a root": (
        lambda q: log(q.t + tf.sqrt(q.s + q.t**2)),
        "t",
        "1 / √(t² + s)",
    ),
}


@pytest.mark.parametrize("name", STEPS)
def test_a_step_that_is_divided_by_is_not_zero(name: str) -> None:
    """What a function divides by cancels in its derivative, whatever it is made of."""
    function, by, wanted = STEPS[name]
    q = Leaves(3, 2)
    q.t.assign(0.2)
    q.s.assign(1.3)
    with tf.GradientTape() as tape:
        y = function(q)
    slope = tape.gradient(y, getattr(q, by))
    assert slope.text() == wanted
    assert slope.text(sizes="symbolic") == wanted
    assert_holds(slope, np.random.default_rng(2))
