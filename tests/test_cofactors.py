"""Small matrices of scalars by cofactors: formulas have the value of what was recorded."""

from __future__ import annotations

import numpy as np
import pytest

import symtape as tf
from symtape.program.cofactors import with_cofactors
from tests.matrix_numbers import assert_holds
from tests.references import Leaves
from tests.references.cofactors import rows, spread
from tests.sampling import ALL

solve, triangular = tf.linalg.solve, tf.linalg.triangular_solve


def upper(q):
    """Give a triangle with something below it, which nobody looks at."""
    return rows((q.s, q.t), (q.r, q.k))


CASES = {
    "inverse of three rows": lambda q: tf.linalg.inv(
        rows((q.s, q.t, q.r), (q.g, q.k, q.s), (q.r, q.r, q.t))
    )[0, 2],
    "solution": lambda q: solve(upper(q), rows((q.g,), (q.s,)))[1, 0],
    "solution, turned": lambda q: solve(upper(q), rows((q.g,), (q.s,)), adjoint=True)[1, 0],
    "upper triangle": lambda q: triangular(upper(q), rows((q.g,), (q.s,)), lower=False)[0, 0],
    "lower triangle": lambda q: triangular(upper(q), rows((q.g,), (q.s,)))[1, 0],
    "lower triangle, turned": lambda q: triangular(upper(q), rows((q.g,), (q.s,)), adjoint=True)[
        0, 0
    ],
    "Cholesky factor": lambda q: tf.linalg.cholesky(spread(q.s, q.t, q.r / 2))[1, 1],
    "below its diagonal": lambda q: tf.linalg.cholesky(spread(q.s, q.t, q.r / 2))[1, 0],
    "logarithms of its diagonal": lambda q: tf.linalg.logdet(spread(q.s, q.t, q.r / 2)),
    "whitened": lambda q: tf.norm(
        triangular(tf.linalg.cholesky(spread(q.s, q.t, q.r / 2)), rows((q.s,), (q.k,)))
    ),
    "size of a determinant": lambda q: tf.linalg.slogdet(upper(q))[1],
    "determinant of a product": lambda q: tf.linalg.det(upper(q) @ rows((q.g, q.s), (q.s, q.r))),
    "of rows that are not square": lambda q: tf.linalg.det(
        rows((q.s, q.t, q.r), (q.g, q.k, q.s)) @ rows((q.s, q.t), (q.r, q.g), (q.k, q.s))
    ),
    "zeros that are joined": lambda q: tf.linalg.det(tf.pad(upper(q), [[0, 1], [1, 0]]) + q.r),
    "a vector beside": lambda q: tf.reduce_sum(
        tf.linalg.matvec(tf.linalg.inv(upper(q)), q.x[:2]) * q.y
    ),
    "by what it is joined of": lambda q: tf.linalg.det(tf.linalg.diag(tf.stack([q.s, q.t, q.s]))),
}


LONG = {"whitened"}
"""What takes as long as all others together."""


@pytest.mark.parametrize("case", [c for c in CASES if ALL or c not in LONG])
def test_a_formula_by_cofactors_holds(case):
    """Gradients have the values of the program that was recorded, at a fresh point."""
    q = Leaves(3, 2)
    with tf.GradientTape() as tape:
        y = CASES[case](q)
    found = tape.gradient(y, q.s)
    assert with_cofactors(found.formula.program, found.formula.recipe.positions) is not None
    assert "⁻¹" not in found.text()
    assert "det" not in found.text()
    assert_holds(found, np.random.default_rng(2))


def test_what_is_looked_at_by_half_has_no_cofactors():
    """A Cholesky factor looks at the lower triangle; elements that differ are not one element."""
    q = Leaves(3, 2)
    with tf.GradientTape() as tape:
        y = tf.linalg.cholesky(rows((q.s, q.t), (q.t + 0.0, q.s + 1)))[1, 1]
    formula = tape.gradient(y, q.s).formula
    assert with_cofactors(formula.program, formula.recipe.positions) is None


def test_the_elements_of_a_leaf_are_not_written_one_by_one():
    """A matrix that somebody gave is a matrix."""
    q = Leaves(2, 2)
    with tf.GradientTape() as tape:
        y = tf.linalg.det(q.s * q.A)
    assert tape.gradient(y, q.A).text() == "det(s A) A⁻ᵀ"
