"""Chains of states, whose sums of exponentials are products of matrices, and masks."""

from __future__ import annotations

from typing import Any

import numpy as np

import symtape as tf
from tests.references.room import Reference, T, mv, total

lse, softmax = tf.reduce_logsumexp, tf.nn.softmax


def step(x: Any, a: Any) -> Any:
    """Add the logarithms of weights of steps, and those of all paths that end in one state."""
    return lse(x[:, None] + a, axis=0)


def similar(q: Any, value: float) -> Any:
    """Give products of rows, with another value for those of a row with itself."""
    return tf.linalg.set_diag(q.X @ T(q.X), value * tf.ones(q.X.shape[0], tf.float64))


def without_diagonal(x: Any) -> Any:
    """Put zeros on a diagonal."""
    return tf.linalg.set_diag(x, tf.zeros(x.shape[0], x.dtype))


def centered(x: Any) -> Any:
    """Take the means of columns off."""
    return x - tf.reduce_mean(x, axis=0)


CHAINS: dict[str, Reference] = {
    "paths through states, by the first (Baum 1970)": Reference(
        lambda q: lse(step(step(q.x, q.A) + q.a, q.A) + q.b),
        "x",
        "((exp(A) ((exp(A) exp(b)) ⊙ exp(a))) ⊙ exp(x)) / (((exp(x)ᵀ exp(A)) ⊙ exp(a)ᵀ) "
        "exp(A) exp(b))",
    ),
    "paths through states, by the last": Reference(
        lambda q: lse(step(step(q.x, q.A) + q.a, q.A) + q.b),
        "b",
        "((exp(A)ᵀ ((exp(A)ᵀ exp(x)) ⊙ exp(a))) ⊙ exp(b)) / (((exp(x)ᵀ exp(A)) ⊙ exp(a)ᵀ) "
        "exp(A) exp(b))",
    ),
    "paths through states, by the steps (Lafferty 2001)": Reference(
        lambda q: lse(step(step(q.x, q.A) + q.a, q.A) + q.b),
        "A",
        "(diag((exp(A)ᵀ exp(x)) ⊙ exp(a)) exp(A) diag(exp(b)) + diag(exp(x)) exp(A) "
        "diag((exp(A) exp(b)) ⊙ exp(a))) / (((exp(x)ᵀ exp(A)) ⊙ exp(a)ᵀ) exp(A) exp(b))",
    ),
    "attention to some (Vaswani 2017)": Reference(
        lambda q: total((softmax(tf.where(q.B > 1.0, q.X, -1e9)) @ q.C - q.D) ** 2) / 2,
        "X",
        "softmax(X ⊙ [B > 1] - 1000000000 [B ≤ 1]) ⊙ [B > 1] ⊙ ((softmax(X ⊙ [B > 1] - "
        "1000000000 [B ≤ 1]) C - D) Cᵀ - ((softmax(X ⊙ [B > 1] - 1000000000 [B ≤ 1]) C) ⊙ "
        "(softmax(X ⊙ [B > 1] - 1000000000 [B ≤ 1]) C - D)) 𝟏 𝟏ᵀ)",
    ),
    "attention to some, and to no other": Reference(
        lambda q: total((softmax(tf.where(q.B > 1.0, q.X, -np.inf)) @ q.C - q.D) ** 2) / 2,
        "X",
        "softmax(log([B > 1]) + X) ⊙ ((softmax(log([B > 1]) + X) C - D) Cᵀ - ((softmax(log([B"
        " > 1]) + X) C) ⊙ (softmax(log([B > 1]) + X) C - D)) 𝟏 𝟏ᵀ)",
    ),
    "a choice of some, and to no other": Reference(
        lambda q: lse(tf.where(q.a > 1.0, q.x, -np.inf)), "x", "softmax(log([a > 1]) + x)"
    ),
    "attention along edges (Veličković 2018)": Reference(
        lambda q: total(
            q.D * (softmax(tf.where(q.B > 1.0, mv(q.X, q.a)[:, None] + mv(q.X, q.b), -1e9)) @ q.X)
        ),
        "a",
        "Xᵀ (softmax([B > 1] ⊙ (X a 𝟏ᵀ + 𝟏 bᵀ Xᵀ) - 1000000000 [B ≤ 1]) ⊙ [B > 1] ⊙ (D Xᵀ - "
        "(D ⊙ (softmax([B > 1] ⊙ (X a 𝟏ᵀ + 𝟏 bᵀ Xᵀ) - 1000000000 [B ≤ 1]) X)) 𝟏 𝟏ᵀ)) 𝟏",
    ),
    "views that are told apart (Chen 2020)": Reference(
        lambda q: total(lse(similar(q, -1e9), axis=1)),
        "X",
        "((𝟏 𝟏ᵀ - I) ⊙ (softmax((X Xᵀ) ⊙ (𝟏 𝟏ᵀ - I) - 1000000000 I) + softmax((X Xᵀ) ⊙ (𝟏 𝟏ᵀ "
        "- I) - 1000000000 I)ᵀ)) X",
    ),
    "features that are not to be correlated (Bardes 2022)": Reference(
        lambda q: total(without_diagonal(T(centered(q.X)) @ centered(q.X)) ** 2),
        "X",
        "4 (𝟏 𝟏ᵀ / 3 - I) X ((Xᵀ (I - 𝟏 𝟏ᵀ / 3) X) ⊙ (I - 𝟏 𝟏ᵀ))",
        is_of_any_size=False,
    ),
    "all but another diagonal": Reference(
        lambda q: total(tf.linalg.set_diag(q.X, q.a) ** 2) / 2, "X", "X ⊙ (𝟏 𝟏ᵀ - I)"
    ),
    "another diagonal above the first": Reference(
        lambda q: total(tf.linalg.set_diag(q.X, q.a[1:], k=1) ** 2) / 2,
        "X",
        "X ⊙ (𝟏 𝟏ᵀ - tril(triu(𝟏 𝟏ᵀ, 1), 1))",
    ),
    "forces between all but a body and itself": Reference(
        lambda q: total(without_diagonal(1 / (1 + tf.reduce_sum((q.X[:, None] - q.X) ** 2, -1)))),
        "X",
        "4 ((𝟏 𝟏ᵀ - I) ⊘ (𝟏 𝟏ᵀ + X^⊙2 𝟏 𝟏ᵀ + 𝟏 𝟏ᵀ (X^⊙2)ᵀ - 2 X Xᵀ)^⊙2 + diag(((I - 𝟏 𝟏ᵀ) ⊘ "
        "(𝟏 𝟏ᵀ + X^⊙2 𝟏 𝟏ᵀ + 𝟏 𝟏ᵀ (X^⊙2)ᵀ - 2 X Xᵀ)^⊙2) 𝟏)) X",
    ),
}
