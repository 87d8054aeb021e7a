"""Which numbers formulas write for floats: those that their authors meant."""

from __future__ import annotations

import math

import numpy as np
import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

import symtape as tf
from symtape.program.numbers import recognized, written_number

pi, e, sqrt, Rational = sp.pi, sp.E, sp.sqrt, sp.Rational

MEANT = {
    "pi": (math.pi, pi),
    "half of it": (math.pi / 2, pi / 2),
    "a third of it, negative": (-math.pi / 3, -pi / 3),
    "twice": (2 * math.pi, 2 * pi),
    "its square": (math.pi**2, pi**2),
    "its reciprocal": (1 / (2 * math.pi), 1 / (2 * pi)),
    "e": (math.e, e),
    "third": (1 / 3, Rational(1, 3)),
    "two thirds": (-2 / 3, Rational(-2, 3)),
    "a pixel": (1 / 255, Rational(1, 255)),
    "root": (math.sqrt(2), sqrt(2)),
    "half a root": (math.sqrt(2) / 2, sqrt(2) / 2),
    "root of three": (-math.sqrt(3) / 2, -sqrt(3) / 2),
    "density": (1 / math.sqrt(2 * math.pi), 1 / sqrt(2 * pi)),
    "error function": (2 / math.sqrt(math.pi), 2 / sqrt(pi)),
    "gelu": (math.sqrt(2 / math.pi), sqrt(2 / pi)),
}


@pytest.mark.parametrize("name", MEANT)
def test_known_numbers_are_written_as_such(name):
    """A float that is a known number but for its rounding is that number in a formula."""
    number, meant = MEANT[name]
    assert sp.simplify(written_number(number) - meant) == 0
    assert sp.simplify(written_number(complex(0, number)) - sp.I * meant) == 0


@pytest.mark.parametrize(
    "number", [0.1, 0.7, 3.14, 3.14159, 1e-12, 0.044715, 6.02214076e23, 123.456789, 1e300, 5e-324]
)
def test_decimals_stay(number):
    """What an author wrote with a few digits is written with these digits."""
    assert recognized(number) is None
    assert float(written_number(number)) == number
    assert written_number(number).is_Float


@pytest.mark.parametrize("number", [0.25, -1.5, 3.0, 2.0**40, 1 / 1024, 0.0])
def test_short_binary_fractions_are_exact(number):
    """They are rational numbers."""
    assert written_number(number) == sp.Rational(*number.as_integer_ratio())


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_what_is_written_is_the_float_but_for_its_rounding(number):
    """No float is written as a number that is another float."""
    close = abs(float(sp.N(written_number(number), 40)) - number)
    assert close <= math.ulp(number) or close <= abs(number) * 1e-14


def test_floats_by_chance_are_no_known_numbers():
    """Of numbers that mean nothing, none is recognized."""
    numbers = np.random.default_rng(11).uniform(0, 4, 300)
    assert [x for x in numbers if recognized(float(x)) is not None] == []


def test_formulas_have_them_and_exact_has_the_float():
    """Each form writes what is meant; exact arithmetic is that of the float."""
    x = tf.Variable(2.0, dtype=tf.float64, name="x")
    with tf.GradientTape(persistent=True) as tape:
        root = x ** (1 / 3)
        turn = tf.sin(np.pi * x)
    assert str(tape.gradient(root, x).expr) == "1/(3*x**(2/3))"
    assert tape.gradient(turn, x).latex() == r"\pi \cos(\pi x)"
    with tf.GradientTape() as tape:
        y = np.pi * x
    assert y.exact() == 2 * sp.Rational(*math.pi.as_integer_ratio())
    assert str(y.expr) == "pi*x"
