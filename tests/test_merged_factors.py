"""Factors of products that are one: projections that meet what they project, and rows of parts."""

from __future__ import annotations

import numpy as np
import pytest

import symtape as tf
from tests.matrix_numbers import assert_holds
from tests.references.room import Leaves, T, inv, mv, outer, total, unit


def hat(x):
    """Project on the columns of a matrix, as least squares do."""
    return x @ inv(T(x) @ x) @ T(x)


def residual(x):
    """Give what a projection leaves of each vector."""
    return unit(x, 0) - hat(x)


def centred(x):
    """Take the mean of each column off."""
    return x - tf.reduce_mean(x, axis=0)


PRODUCTS = {
    "(Mᵀ M)⁻¹ Mᵀ M": (lambda q: inv(T(q.M) @ q.M) @ T(q.M) @ q.M, "I"),
    "Mᵀ M (Mᵀ M)⁻¹": (lambda q: T(q.M) @ q.M @ inv(T(q.M) @ q.M), "I"),
    "Mᵀ M (Wᵀ W)⁻¹": (lambda q: T(q.M) @ q.M @ inv(T(q.W) @ q.W), "Mᵀ M (Wᵀ W)⁻¹"),
    "Mᵀ W (Mᵀ M)⁻¹": (lambda q: T(q.M) @ q.W @ inv(T(q.M) @ q.M), "Mᵀ W (Mᵀ M)⁻¹"),
    "weighed": (
        lambda q: q.M @ inv(T(q.M) @ (q.y[:, None] * q.M)) @ T(q.M) @ (q.y[:, None] * q.M),
        "M",
    ),
    "H M": (lambda q: hat(q.M) @ q.M, "M"),
    "(I - H) M": (lambda q: q.M - hat(q.M) @ q.M, "0"),
    "(I - H) W": (lambda q: residual(q.M) @ q.W, "(I - M (Mᵀ M)⁻¹ Mᵀ) W"),
    "(I - H)²": (lambda q: residual(q.M) @ residual(q.M), "I - M (Mᵀ M)⁻¹ Mᵀ"),
    "(I - H) (I + H)": (
        lambda q: residual(q.M) @ (unit(q.M, 0) + hat(q.M)),
        "I - M (Mᵀ M)⁻¹ Mᵀ",
    ),
    "centred, twice": (lambda q: centred(centred(q.M)), "M - 𝟏 𝟏ᵀ M / 3"),
    "centred, weighed": (
        lambda q: T(centred(q.M)) @ (q.y[:, None] * centred(q.W)),
        "Mᵀ (diag(y) - 𝟏 yᵀ / 3) (W - 𝟏 𝟏ᵀ W / 3)",
    ),
    "scatter": (lambda q: T(centred(q.M)) @ centred(q.W), "Mᵀ (W - 𝟏 𝟏ᵀ W / 3)"),
    "no projection": (
        lambda q: q.W - outer(q.y, q.y) @ (q.W - outer(q.y, q.y) @ q.W),
        "W - y yᵀ (I - y yᵀ) W",
    ),
}
"""Products with what is its own square, or nothing of a matrix: its terms cancel, or add up."""


@pytest.mark.parametrize("name", PRODUCTS)
def test_what_is_projected_twice_is_projected_once(name):
    """And nothing else: the printed form has the value of the program."""
    function, text = PRODUCTS[name]
    leaves = Leaves(2, 3)
    with tf.GradientTape():
        y = function(leaves)
    assert y.text() == text
    assert_holds(y, np.random.default_rng(2))


def fitted(q):
    """Give what least squares leave of y, squared."""
    return total((residual(q.M) @ q.y[:, None]) ** 2)


def weighed(q):
    """Give what least squares with weights leave of y, squared and weighed."""
    x, w = q.M, q.z
    left = q.y - mv(x, mv(inv(T(x) @ (w[:, None] * x)), mv(T(x), w * q.y)))
    return total(w * left**2)


def constrained(q):
    """Give the square of how far x is from A x = b, for A of fewer rows than columns."""
    a = T(q.M)
    return total((q.y - mv(T(a), mv(inv(a @ T(a)), mv(a, q.y) - q.x))) ** 2)


def correlation(q):
    """Give Pearson's correlation of y and z."""
    y, z = (v - tf.reduce_mean(v) for v in (q.y, q.z))
    return total(y * z) / tf.sqrt(total(y**2) * total(z**2))


def laplacian(x):
    """Take four times what lies between off its neighbours."""
    inner = x[:-2, 1:-1] + x[2:, 1:-1] + x[1:-1, :-2] + x[1:-1, 2:]
    return inner - 4 * x[1:-1, 1:-1]


Y, Z = ("y - (𝟏ᵀ y) 𝟏 / 6", "z - (𝟏ᵀ z) 𝟏 / 6")
SLOPES = {
    "least squares (Golub and Pereyra 1973)": (
        fitted,
        "M",
        "2 (M (Mᵀ M)⁻¹ Mᵀ - I) y yᵀ M (Mᵀ M)⁻¹",
    ),
    "least squares, by what is fitted": (fitted, "y", "2 (I - M (Mᵀ M)⁻¹ Mᵀ) y"),
    "least squares, weighed (Aitken 1935)": (
        weighed,
        "M",
        "2 (z ⊙ (M (Mᵀ diag(z) M)⁻¹ Mᵀ (z ⊙ y) - y)) (z ⊙ y)ᵀ M (Mᵀ diag(z) M)⁻¹",
    ),
    "least squares, by their weights": (
        weighed,
        "z",
        "(y - M (Mᵀ diag(z) M)⁻¹ Mᵀ (y ⊙ z))^⊙2",
    ),
    "a step to a plane": (constrained, "y", "2 (I - M (Mᵀ M)⁻¹ Mᵀ) y"),
    "correlation (Pearson 1895)": (
        correlation,
        "y",
        f"({Z} - (({Z})ᵀ ({Y})) ({Y}) / ‖{Y}‖²) / (‖{Z}‖ ‖{Y}‖)",
    ),
    "determinant of a covariance": (
        lambda q: tf.linalg.logdet(T(centred(q.M)) @ centred(q.M) / 5),
        "M",
        "2 (I - 𝟏 𝟏ᵀ / 6) M (Mᵀ (I - 𝟏 𝟏ᵀ / 6) M)⁻¹",
    ),
    "mean of squared differences": (
        lambda q: tf.reduce_mean((q.y[1:] - q.y[:-1]) ** 2),
        "y",
        "2 (I[1:6] - I[0:5])ᵀ (y[1:6] - y[0:5]) / 5",
    ),
    "second differences": (
        lambda q: total((q.y[2:] - 2 * q.y[1:-1] + q.y[:-2]) ** 2),
        "y",
        "2 (I[2:6] + I[0:4] - 2 I[1:5])ᵀ (y[0:4] + y[2:6] - 2 y[1:5])",
    ),
    "differences of rows and columns": (
        lambda q: total((q.M[1:] - q.M[:-1]) ** 2) + total((q.M[:, 1:] - q.M[:, :-1]) ** 2),
        "M",
        "2 ((M[:, 1:5] - M[:, 0:4]) (I[1:5] - I[0:4]) + (I[0:5] - I[1:6])ᵀ (M[0:5] - M[1:6]))",
    ),
    "mixed differences": (
        lambda q: total((q.M[1:, 1:] - q.M[1:, :-1]) ** 2),
        "M",
        "2 I[1:6]ᵀ (M[1:6, 1:5] - M[1:6, 0:4]) (I[1:5] - I[0:4])",
    ),
    "a sum and its reverse": (
        lambda q: total((q.x + q.x[::-1]) ** 3) / 3,
        "x",
        "2 (x[::-1] + x)^⊙2",
    ),
    "a Laplacian of parts": (lambda q: total(laplacian(q.M) ** 2), "M", None),
}
"""Slopes that books print with projections, and with the parts of arrays that were subtracted."""


@pytest.mark.parametrize("name", SLOPES)
def test_a_slope_has_no_more_factors_than_it_needs(name):
    """And the value of the program."""
    function, by, text = SLOPES[name]
    leaves = Leaves(5, 6) if text is None or "[" in text else Leaves(2, 6)
    x = getattr(leaves, by)
    with tf.GradientTape() as tape:
        y = function(leaves)
    found = tape.gradient(y, x)
    assert text in (None, found.text())
    assert_holds(found, np.random.default_rng(3))
