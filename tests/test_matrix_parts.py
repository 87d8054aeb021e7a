"""Parts of arrays in matrix notation: rows, columns and blocks are read as such, and hold."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import symtape as tf
from tests.matrix_numbers import assert_holds

linalg = tf.linalg
SHAPES = {"a": (2,), "b": (5,), "u": (3,), "x": (3,), "y": (3,), "B": (4, 4), "X": (3, 3)}


def of_inverse(B: Any) -> Any:
    """Take a block of the inverse of a symmetric matrix."""
    return linalg.inv(B @ tf.transpose(B))[0:2, 0:2]


CASES: dict[str, tuple[Callable[..., Any], str, str]] = {
    "blocks with one sign": (
        lambda b, a, y: tf.reduce_sum(b * b / 2.0 - b * tf.concat([a, y], 0)),
        "b a y", "b - [a; y]",
    ),
    "blocks with one number": (
        lambda b, a, y: tf.reduce_sum((b - tf.concat([a, y], 0)) ** 2),
        "b a y", "2 (b - [a; y])",
    ),
    "blocks of both signs": (
        lambda b, a, y: tf.reduce_sum(b * tf.concat([-a, y], 0)),
        "b a y", "[-a; y]",
    ),
    "singular vectors": (
        lambda X: linalg.svd(X)[0][1],
        "X", "U(X)[:, 1] V(X)[:, 1]ᵀ",
    ),
    "an eigenvalue": (
        lambda X: linalg.eigh(X + tf.transpose(X))[0][1],
        "X", "2 U(X + Xᵀ)[:, 1] U(X + Xᵀ)[:, 1]ᵀ",
    ),
    "an eigenvector": (
        lambda X, u: tf.tensordot(u, linalg.eigh(X + tf.transpose(X))[1][:, 2], 1),
        "X u",
        (
            "-U(X + Xᵀ) (r I[2] + I[2]ᵀ rᵀ) U(X + Xᵀ)ᵀ\n"
            "where q = λ(X + Xᵀ) - λ(X + Xᵀ)[2] 𝟏\n"
            "      r = ((U(X + Xᵀ)ᵀ u) ⊙ [q ≠ 0]) ⊘ q"
        ),
    ),
    "a block of an inverse": (
        lambda B: linalg.logdet(linalg.inv(B @ tf.transpose(B))[0:3, 0:3]),
        "B", "-2 (B Bᵀ)⁻¹[:, 0:3] (B Bᵀ)⁻¹[0:3, 0:3]⁻¹ B⁻ᵀ[0:3]",
    ),
    "a power of a block": (
        lambda a, B: linalg.matvec(B[0:2, 0:2] @ B[0:2, 0:2] @ B[0:2, 0:2], a)[0],
        "a B", "(B[0:2, 0:2]ᵀ)² B[0, 0:2]ᵀ",
    ),
    "a power of a block that is turned": (
        lambda a, B: tf.reduce_sum(linalg.matvec(B[1:3, 0:2] @ B[1:3, 0:2], a)),
        "a B", "(B[1:3, 0:2]ᵀ)² 𝟏",
    ),
    "a power of a block of an inverse": (
        lambda a, B: tf.tensordot(a, linalg.matvec(of_inverse(B) @ of_inverse(B), a), 1),
        "a B", "2 (B Bᵀ)⁻¹[0:2, 0:2]² a",
    ),
    "an entropy of a matrix's product": (
        lambda x, X: -tf.reduce_sum(
            tf.nn.softmax(linalg.matvec(X, x)) * tf.nn.log_softmax(linalg.matvec(X, x))
        ),
        "x X", "Xᵀ (softmax(X x) ⊙ ((softmax(X x)ᵀ X x) 𝟏 - X x))",
    ),
    "a logarithm that no share is beside": (
        lambda x: tf.reduce_sum(tf.nn.log_softmax(x) ** 2),
        "x", "2 x - 2 (𝟏ᵀ x - 3 logsumexp(x)) softmax(x) - 2 logsumexp(x) 𝟏",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_parts_are_read_as_such(name: str) -> None:
    """The formula with its parts is the shorter one, and the whole holds to 30 digits."""
    function, names, wanted = CASES[name]
    rng = np.random.default_rng(7)
    leaves = [tf.Variable(rng.uniform(0.3, 1.3, SHAPES[n]), name=n) for n in names.split()]
    with tf.GradientTape() as tape:
        value = function(*leaves)
    found = tape.gradient(value, leaves[0])
    assert found.text(parts="auto") == wanted
    assert_holds(found, rng)
