"""Several matrices that have a single row, column or element are no matrix of their elements."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import symtape as tf
from tests.matrix_numbers import assert_holds

L = tf.linalg
OF_ONE: dict[str, tuple[Callable[[Any, Any], Any], str]] = {
    "inverse": (lambda x, y: L.inv(x), "-2 (𝟏 ⊘ x^⊙3)"),
    "determinant": (lambda x, y: L.det(x)[:, None], "2 x"),
    "logarithm": (lambda x, y: L.logdet(x)[:, None], "2 (log(x) ⊘ x)"),
    "root": (lambda x, y: L.cholesky(x) ** 2, "2 x"),
    "solution": (L.solve, "-2 (y^⊙2 ⊘ x^⊙3)"),
    "adjoint solution": (lambda x, y: L.solve(x, y, adjoint=True), "-2 (y^⊙2 ⊘ x^⊙3)"),
    "triangle": (lambda x, y: L.triangular_solve(x, y), "-2 (y^⊙2 ⊘ x^⊙3)"),
    "band": (lambda x, y: L.band_part(x, 0, 0), "2 x"),
}
"""Functions of matrices of one element, and the gradient of the sum of their squares by x."""


@pytest.mark.parametrize("name", OF_ONE)
def test_what_is_done_with_one_element_is_done_with_each(name: str) -> None:
    """An inverse of each of several numbers is no inverse of a column."""
    f, text = OF_ONE[name]
    x = tf.Variable([1.5, 2.5, 3.5], dtype=tf.float64, name="x")
    y = tf.Variable([0.5, 0.75, 1.25], dtype=tf.float64, name="y")
    with tf.GradientTape() as tape:
        z = tf.reduce_sum(f(x[:, None, None], y[:, None, None]) ** 2)
    found = tape.gradient(z, x)
    assert found.text() == text
    assert_holds(found, np.random.default_rng(1))


OF_ROWS: dict[str, Callable[[Any], Any]] = {
    "band of rows": lambda m: L.band_part(m[:, None, :], 0, 0),
    "band of columns": lambda m: L.band_part(m[:, :, None], 1, 1),
    "pseudo-inverses": lambda m: L.pinv(m[:, None, :]),
    "singular values": lambda m: L.svd(m[:, :, None], compute_uv=False),
    "factors": lambda m: L.qr(m[:, :, None])[1],
    "singular values of numbers": lambda m: L.svd(m[:, 0, None, None], compute_uv=False),
    "eigenvalues of numbers": lambda m: L.eigvalsh(m[:, 0, None, None]),
}


@pytest.mark.parametrize("name", OF_ROWS)
def test_each_of_several_rows_is_no_matrix(name: str) -> None:
    """What is done with each row is refused, for it would be read as done with all of them."""
    m = tf.Variable(np.random.default_rng(0).random((3, 4)), name="m")
    with tf.GradientTape() as tape:
        z = tf.reduce_sum(OF_ROWS[name](m) ** 2)
    found = tape.gradient(z, m)
    with pytest.raises(tf.NoMatrixFormError, match="of several matrices has no matrix notation"):
        found.text()
