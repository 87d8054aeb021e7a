"""Three diagonals: NumPy's dense solution judges small ones, the equation large ones."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtape as tf
from symtape.errors import InvalidArgumentError
from symtape.kernels.linalg import linear_algebra, tridiagonal

WAYS = ("SciPy", "rows")
SHAPES = (
    ((), 0, 1),
    ((), 1, 2),
    ((), 2, 1),
    ((2,), 7, 3),
    ((3, 2), 4, 1),
    ((40,), 3, 2),
    ((0,), 3, 1),
)
"""Batches, rows, and right sides; more matrices than rows are taken together."""


@pytest.fixture(params=WAYS)
def _way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compute with SciPy, and as without it."""
    if request.param == "rows":
        monkeypatch.setattr(tridiagonal, "_solver", lambda: None)
    else:
        pytest.importorskip("scipy")


def dense(lines: Any) -> Any:
    """Write the matrix out."""
    n = lines.shape[-1]
    out = np.zeros((*lines.shape[:-2], n, n), lines.dtype)
    for i in range(n):
        for j in range(max(i - 1, 0), min(i + 2, n)):
            out[..., i, j] = lines[..., 1 + i - j, i]
    return out


@pytest.mark.usefixtures("_way")
@pytest.mark.parametrize("adjoint", [False, True])
@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128"])
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_the_solution_is_that_with_the_matrix_written_out(
    shape: tuple[tuple[int, ...], int, int], dtype: str, adjoint: bool
) -> None:
    """Also where rows must be interchanged, and where numbers that do not count are nan."""
    batch, n, k = shape
    rng = np.random.default_rng(n)
    lines, b = rng.standard_normal((*batch, 3, n)), rng.standard_normal((*batch, n, k))
    if dtype.startswith("complex"):
        lines = lines + 1j * rng.standard_normal(lines.shape)
    lines, b = lines.astype(dtype), b.astype(dtype)
    lines[..., 1, : n - 1] /= 100
    matrix = dense(lines)
    lines[..., 0, -1:] = lines[..., 2, :1] = np.nan
    turned = np.conjugate(np.swapaxes(matrix, -1, -2)) if adjoint else matrix
    found = linear_algebra.solve(lines, b, "tridiagonal", adjoint)
    assert found.dtype == dtype
    tolerance = 2e-3 if dtype in {"float32", "complex64"} else 1e-10
    np.testing.assert_allclose(found, np.linalg.solve(turned, b), rtol=tolerance, atol=tolerance)


@pytest.mark.usefixtures("_way")
@pytest.mark.parametrize("lines", [np.zeros((3, 1)), np.zeros((3, 4)), np.ones((3, 2))], ids=str)
def test_a_singular_matrix_raises(lines: Any) -> None:
    """Zeros, and two rows that are one."""
    with pytest.raises(InvalidArgumentError, match="Input matrix is not invertible"):
        tf.linalg.tridiagonal_solve(lines, np.ones((lines.shape[1], 1)))


def test_a_hundred_thousand_rows_have_derivatives_of_two_orders() -> None:
    """In memory of O(n): the solution and its slopes are those of the equation, AX = B.

    For s = Σ x w it is A ẋ + Ȧ x = 0, so that ṡ = -yᵀȦx with Aᵀ y = w; of a main diagonal that is
    moved as a whole, the second derivative is 2 zᵀx with Aᵀ z = y.
    """
    n = 100_000
    rng = np.random.default_rng(0)
    lines, b = rng.uniform(1, 2, (3, n)), rng.standard_normal((n, 1))
    lines[1] += 4
    w = rng.standard_normal((n, 1))
    t = tf.constant(0.0, tf.float64)
    with tf.GradientTape() as outer:
        outer.watch(t)
        moved = tf.constant(lines) + t * tf.constant([[0.0], [1.0], [0.0]], tf.float64)
        with tf.GradientTape() as inner:
            inner.watch(moved)
            x = tf.linalg.tridiagonal_solve(moved, b)
            s = tf.reduce_sum(x * w)
        slopes = inner.gradient(s, moved)
        total = tf.reduce_sum(slopes[1])
    second = outer.gradient(total, t)
    np.testing.assert_allclose(tf.linalg.tridiagonal_matmul(lines, x), b, rtol=1e-9, atol=1e-12)
    turned = np.stack([np.roll(lines[2], -1), lines[1], np.roll(lines[0], 1)])
    y = tf.linalg.tridiagonal_solve(turned, w).numpy()[:, 0]
    z = tf.linalg.tridiagonal_solve(turned, y[:, None]).numpy()[:, 0]
    x = x.numpy()[:, 0]
    expected = -np.stack([y * np.append(x[1:], 0), y * x, y * np.append(0, x[:-1])])
    np.testing.assert_allclose(slopes, expected, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(second, 2 * z @ x, rtol=1e-9)
