# ruff: noqa: D103 - a candidate is described by its name
"""Hessians, and backward passes of backward passes."""

from __future__ import annotations

import numpy as np

import symtape as tf
from tests.judged import causes as by
from tests.judged.case import Case

logistic = Case(
    "hessian of logistic regression",
    lambda w, X: tf.reduce_sum(tf.nn.softplus(tf.linalg.matvec(X, w))),
    lambda rng: [rng.normal(size=3), rng.normal(size=(5, 3))],
    "hessian",
    {"wrt": [0]},
)


@logistic.right
def logistic_weighted(w, X):
    p = 1 / (1 + np.exp(-(X @ w)))
    return (X.T * (p * (1 - p))) @ X


logistic.but(logistic_weighted, by.any_of(by.MISSING, by.FACTOR, by.OTHER), ("p * (1 - p)", "p"))
logistic.but(
    logistic_weighted, by.any_of(by.MISSING, by.FACTOR, by.OTHER), (" * (p * (1 - p))", "")
)
logistic.but(
    logistic_weighted,
    by.any_of(by.DIAGONAL),
    ("(X.T * (p * (1 - p))) @ X", "np.diag(((X.T * (p * (1 - p))) @ X).diagonal())"),
)
logistic.but(logistic_weighted, by.MEAN, ("@ X\n", "@ X / len(X)\n"))

rosenbrock = Case(
    "hessian of rosenbrock's function",
    lambda x: tf.reduce_sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2),
    lambda rng: [rng.normal(size=4)],
    "hessian",
)


@rosenbrock.right
def rosenbrock_bands(x):
    H = np.zeros((4, 4))
    for i in range(3):
        H[i, i] += 1200 * x[i] ** 2 - 400 * x[i + 1] + 2
        H[i + 1, i + 1] += 200
        H[i, i + 1] = H[i + 1, i] = -400 * x[i]
    return H


rosenbrock.but(
    rosenbrock_bands,
    by.any_of(by.MISSING, by.DIAGONAL, by.ENTRIES),
    (" - 400 * x[i + 1] + 2", " + 2"),
)
rosenbrock.but(
    rosenbrock_bands,
    by.any_of("gauss|" + by.MISSING, by.DIAGONAL, by.FACTOR),
    ("1200 * x[i] ** 2 - 400 * x[i + 1] + 2", "800 * x[i] ** 2 + 2"),
)
rosenbrock.but(
    rosenbrock_bands,
    by.any_of(by.CONVENTION, by.ENTRIES),
    ("H[i, i + 1] = H[i + 1, i] =", "H[i, i + 1] ="),
)
rosenbrock.but(
    rosenbrock_bands,
    by.any_of(by.DIAGONAL, by.SHIFT, by.ENTRIES),
    ("        H[i + 1, i + 1] += 200\n", ""),
)
rosenbrock.but(
    rosenbrock_bands,
    by.any_of(by.DIAGONAL),
    ("        H[i, i + 1] = H[i + 1, i] = -400 * x[i]\n", ""),
)

softmax_hessian = Case(
    "hessian of log sum exp", tf.reduce_logsumexp, lambda rng: [rng.normal(size=4)], "hessian"
)


@softmax_hessian.right
def softmax_hessian_by_outer(x):
    p = np.exp(x - x.max())
    p /= p.sum()
    H = -np.multiply.outer(p, p)
    H.flat[:: len(p) + 1] += p
    return H


softmax_hessian.but(
    softmax_hessian_by_outer,
    by.any_of(by.MISSING, by.DIAGONAL),
    ("    H.flat[:: len(p) + 1] += p\n", ""),
)
softmax_hessian.but(
    softmax_hessian_by_outer,
    by.any_of(by.MISSING, by.DIAGONAL),
    ("-np.multiply.outer(p, p)", "np.zeros((4, 4))"),
)
softmax_hessian.but(
    softmax_hessian_by_outer, by.any_of(by.SIGN, by.DIAGONAL), ("H = -np", "H = np")
)


def penalty(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(tf.tanh(x) * x)
    return tf.reduce_sum(tape.gradient(y, x) ** 2)


double = Case("gradient penalty", penalty, lambda rng: [rng.normal(size=3)], "gradient")


@double.right
def double_backward(x):
    t = np.tanh(x)
    s = 1 - t * t
    first = t + x * s
    second = 2 * s - 2 * x * t * s
    return 2 * first * second


double.but(double_backward, by.MISSING, (" - 2 * x * t * s", ""))
double.but(
    double_backward, by.any_of(by.HALF, by.FACTOR, by.MISSING), ("return 2 * first", "return first")
)
double.but(
    double_backward, by.any_of(by.MISSING, by.FACTOR), ("second = 2 * s - ", "second = s - ")
)
double.but(
    double_backward, by.any_of(by.MISSING, by.OTHER, by.FACTOR), (" * first * second", " * first")
)


def swish_vjp(x, u):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.nn.silu(x)
    return tape.gradient(y, x, output_gradients=u)


again = Case(
    "backward of silu's backward", swish_vjp, lambda rng: [rng.normal(size=3), rng.normal(size=3)]
)


@again.right
def again_by_hand(x, u, g):
    s = 1 / (1 + np.exp(-x))
    d = s * (1 - s)
    du = g * (s + x * d)
    dx = g * u * d * (2 + x * (1 - 2 * s))
    return dx, du


again.but(again_by_hand, by.any_of(by.MISSING), ("2 + x * (1 - 2 * s)", "2"))
again.but(again_by_hand, by.any_of(by.MISSING), ("2 + x * (1 - 2 * s)", "1 + x * (1 - 2 * s)"))
again.but(again_by_hand, by.any_of(by.MISSING, by.FACTOR), ("g * u * d", "g * d"))
again.but(again_by_hand, by.ZERO, ("dx = g * u", "dx = 0 * u"))
again.but(again_by_hand, by.MISSING, ("(s + x * d)", "s"))
