"""Derivatives of what is made of cross products: in matrix notation, and entry by entry."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sympy as sp

import symtape as tf
from symtape.forms.matrix.reading.covariants import Solver, monomials, moves
from tests.index_numbers import number
from tests.matrix_numbers import assert_holds
from tests.sampling import ALL

cross, norm, total = tf.linalg.cross, tf.norm, tf.reduce_sum


def corner(X: Any) -> Any:
    """Give the area of the triangle of three rows."""
    return norm(cross(X[1] - X[0], X[2] - X[0])) / 2


def angle(X: Any) -> Any:
    """Give the angle between the planes of three rows, one after the other."""
    first, last = cross(X[0], X[1]), cross(X[1], X[2])
    return tf.acos(total(first * last) / (norm(first) * norm(last)))


def turned(x: Any, u: Any) -> Any:
    """Turn a vector by one that has the angle for its length (Rodrigues)."""
    t = norm(x)
    around = cross(x, u)
    return u + tf.sin(t) / t * around + (1 - tf.cos(t)) / t**2 * cross(x, around)


def planes(a: Any, b: Any, c: Any, d: Any) -> Any:
    """Give the angle between the planes of four points along a chain."""
    first, last = cross(b - a, c - b), cross(c - b, d - c)
    return tf.atan2(norm(c - b) * total((b - a) * last), total(first * last))


def by_quaternion(q: Any, v: Any) -> Any:
    """Turn a vector."""
    around = 2 * cross(q[1:], v)
    return v + q[0] * around + cross(q[1:], around)


CASES = {
    "area of rows": (corner, "X", 190),
    "angle of planes": (angle, "X", 600),
    "length of a product": (lambda x, u: norm(cross(x, u)), "xu", 30),
    "a turn by its vector": (turned, "xu", 200),
    "a sum of cubes": (lambda x, u: total(cross(x, u) ** 3), "xu", 250),
    "what the axes matter to": (lambda x, u: total(cross(x * u, x)), "xu", 150),
    "a product of sums": (lambda x, u, v: total(cross(x - u, x - v) ** 2), "xuv", 40),
    "another sign": (lambda x, u, v: total(v * cross(u, v - x)), "xuv", 10),
}
"""Functions of leaves by their letters, and how many characters the derivative may have."""


TWICE = {
    "area by a corner": (lambda x, u, v: norm(cross(x - u, x - v)) / 2, "xuv", 110),
    "angle of chains": (planes, "abcd", 1500),
    "a triple product": (lambda x, u, v: total(x * cross(u, v)) * total(x * u), "xuv", 40),
    "a turn by a quaternion": (by_quaternion, "qv", 60),
}
"""Functions that are derived twice, or by what has four elements."""


LONG = ["angle of planes"]
"""Entries of these take many seconds to be compared."""


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in CASES if ALL or name not in LONG])
def test_a_derivative_of_cross_products_is_short_and_holds(name):
    """Also where they are of rows, of differences, or in the norm that is divided by."""
    function, letters, most = CASES[name]
    judged(function, letters, most, order=1)


@pytest.mark.slow
@pytest.mark.parametrize("name", TWICE)
def test_a_second_derivative_of_cross_products_is_short_and_holds(name):
    """It is made of vectors as wholes, and not of their elements."""
    function, letters, most = TWICE[name]
    judged(function, letters, most, order=2)


def judged(function: Any, letters: str, most: int, *, order: int) -> None:
    """Compare a derivative with its text, and with its entries.

    SymPy takes conditions out of a sum with the index that they are on: no entry has one that is
    free.
    """
    rng = np.random.default_rng(7)
    sizes = [(3, 3) if k.isupper() else (4,) if k == "q" else (3,) for k in letters]
    values = {k: rng.uniform(0.4, 1.6, s) for k, s in zip(letters, sizes, strict=True)}
    leaves = [tf.Variable(value, name=k) for k, value in values.items()]
    with tf.GradientTape() as tape:
        y = function(*leaves)
    scalar = tape.gradient if order == 1 else tape.hessian
    found = (tape.jacobian if y.shape else scalar)(y, leaves[0])
    assert len(found.text()) <= most
    assert_holds(found, rng)
    at = sp.symbols("i j", integer=True)[: len(found.shape)]
    entry = found.index_expr(*at)
    for place in np.ndindex(*found.shape):
        made = number(entry, values, dict(zip(at, place, strict=True)))
        assert abs(made - found.numpy()[place]) < 1e-9 * (1 + abs(found.numpy()[place]))


x, u = sp.symbols("x:3"), sp.symbols("u:3")
DOUBLE = {(k, 0): x[k] * sum(e**2 for e in u) - u[k] * sum(map(sp.Mul, x, u)) for k in range(3)}


@pytest.mark.parametrize(
    ("change", "count"), [(lambda e, _: e, 2), (lambda e, k: e + int(k == 1), None)]
)
def test_entries_are_those_of_invariant_terms_or_of_none(change, count):
    """One entry that is another is enough for none to be found."""
    table = {at: sp.expand(change(e, at[0])) for at, e in DOUBLE.items()}
    found = monomials(table, [*x, *u])
    assert found is not None
    terms = Solver([x, u], is_matrix=False).terms(found)
    assert (terms and len(terms)) == count


def test_what_depends_on_a_difference_moves_with_both():
    """And what depends on a sum does not."""
    for sign, wanted in ((-1, True), (1, False)):
        table = {(k, 0): (x[k] + sign * u[k]) ** 2 for k in range(3)}
        assert moves(monomials(table, [*x, *u]), (0, 1)) is wanted
