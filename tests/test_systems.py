"""A system whose right side is a multiple of the identity is an inverse, computed once."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtape as tf


def random(dtype: str, rng: np.random.Generator) -> Any:
    """Draw a matrix that can be inverted."""
    parts = rng.normal(size=(2, 4, 4))
    made = parts[0] + 1j * parts[1] if dtype == "complex128" else parts[0]
    return (made + 4 * np.eye(4)).astype(dtype)


@pytest.mark.parametrize("scale", [1, 3, -2.5])
@pytest.mark.parametrize("adjoint", [False, True])
@pytest.mark.parametrize("dtype", ["float64", "float32", "complex128"])
def test_an_inverse_has_the_numbers_of_the_system(
    dtype: str, adjoint: bool, scale: float, rng: np.random.Generator
) -> None:
    """Whatever number the identity is multiplied by, and whichever way the matrix stands."""
    a, weights = random(dtype, rng), random(dtype, rng)

    def weighed(a: Any) -> Any:
        x = tf.linalg.solve(a, scale * tf.eye(4, dtype=dtype), adjoint=adjoint)
        return tf.reduce_sum(tf.math.real(x * weights))

    variable = tf.Variable(a)
    with tf.GradientTape() as tape:
        y = weighed(variable)
    gradient = tape.gradient(y, variable)
    source = gradient.lambdify().source
    assert "inverse(" in source
    expected = np.sum((np.linalg.inv(a.conj().T if adjoint else a) * scale * weights).real)
    digits = 1e-4 if dtype == "float32" else 1e-10
    value, slope = tf.value_and_grad(weighed)(a)
    np.testing.assert_allclose(value, expected, rtol=digits)
    np.testing.assert_allclose(slope, gradient.numpy(), rtol=digits, atol=digits)


def test_who_needs_the_same_inverse_reads_it() -> None:
    """The slopes of log det A and of tr A⁻¹S invert A once."""

    def likelihood(a: Any, s: Any) -> Any:
        return tf.linalg.trace(tf.linalg.solve(a, s)) + tf.linalg.logdet(a)

    a, s = tf.Variable(3.0 * np.eye(3)), tf.Variable(np.ones((3, 3)))
    with tf.GradientTape() as tape:
        y = likelihood(a, s)
    source = tape.gradient(y, a).lambdify().source
    assert source.count("inverse(") == 1
    assert source.count("solve(") == 1


def test_a_matrix_without_inverse_is_refused() -> None:
    """The error is that of the system."""

    def total(a: Any) -> Any:
        return tf.reduce_sum(tf.linalg.solve(a, tf.eye(3, dtype=tf.float64)))

    slope = tf.grad(total)
    np.testing.assert_allclose(slope(2 * np.eye(3)), np.full((3, 3), -0.25))
    with pytest.raises(tf.errors.InvalidArgumentError, match="not invertible"):
        slope(np.zeros((3, 3)))
