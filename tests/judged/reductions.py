# ruff: noqa: D103 - a candidate is described by its name
"""Backward passes of sums, means, products, norms and broadcasting."""

from __future__ import annotations

import numpy as np

import symtape as tf
from tests.judged import causes as by
from tests.judged.case import Case

dense = Case(
    "dense layer",
    lambda x, W, b: tf.tanh(x @ W + b),
    lambda rng: [rng.normal(size=(4, 3)), rng.normal(size=(3, 2)), rng.normal(size=2)],
)


@dense.right
def dense_reusing(x, W, b, g):
    y = np.tanh(x @ W + b)
    dz = g * (1 - y) * (1 + y)
    return dz @ W.T, x.T @ dz, np.ones(len(x)) @ dz


@dense.right
def dense_by_samples(x, W, b, g):
    dx, dW, db = np.zeros_like(x), np.zeros_like(W), np.zeros_like(b)
    for n in range(len(x)):
        dz = g[n] / np.cosh(x[n] @ W + b) ** 2
        dx[n] = W @ dz
        dW += x[n][:, None] * dz
        db += dz
    return dx, dW, db


dense.but(dense_reusing, by.any_of(by.BROADCAST, by.SHAPE), ("np.ones(len(x)) @ dz", "dz"))
dense.but(dense_reusing, by.MEAN, ("np.ones(len(x)) @ dz", "dz.mean(axis=0)"))
dense.but(dense_reusing, by.MEAN, ("x.T @ dz", "x.T @ dz / len(x)"))
dense.but(dense_reusing, by.any_of(by.MISSING, by.FACTOR, by.OTHER), (" * (1 - y) * (1 + y)", ""))
dense.but(
    dense_reusing, by.any_of(by.MISSING, by.OTHER, by.FACTOR), ("(1 - y) * (1 + y)", "(1 - y)")
)
dense.but(dense_reusing, by.any_of(by.MISSING, "b\\b"), ("np.tanh(x @ W + b)", "np.tanh(x @ W)"))
dense.but(dense_reusing, by.any_of(by.ZERO, by.MISSING), ("return dz @ W.T", "return 0 * x"))
dense.but(
    dense_reusing,
    by.any_of(by.OTHER, by.STALE, "tanh"),
    ("y = np.tanh(x @ W + b)", "y = x @ W + b"),
)
dense.but(dense_by_samples, by.any_of("last|accumulat|sum", by.MISSING), ("dW += x", "dW = x"))
dense.but(
    dense_by_samples,
    by.any_of(by.MISSING, by.FACTOR, "power|square"),
    ("np.cosh(x[n] @ W + b) ** 2", "np.cosh(x[n] @ W + b)"),
)

product = Case(
    "product of all", lambda x: tf.reduce_prod(x), lambda rng: [rng.normal(size=4) + 0.5]
)


@product.right
def product_both_sides(x, g):
    left = np.ones(4)
    right = np.ones(4)
    for k in range(1, 4):
        left[k] = left[k - 1] * x[k - 1]
        right[3 - k] = right[4 - k] * x[4 - k]
    return g * left * right


product.but(product_both_sides, by.any_of(by.MISSING, by.FACTOR), ("g * left * right", "g * left"))
product.but(
    product_both_sides,
    by.any_of(by.MISSING, by.FACTOR, "x\\b"),
    ("g * left * right", "g * left * right * x"),
)


@product.wrong(
    by.any_of(by.ZERO, by.SATURATED, "divi"), witness=lambda rng: [np.array([1.0, 0.0, 2.0, 3.0])]
)
def product_divided(x, g):
    return g * np.prod(x) / x


variance = Case(
    "variance", lambda x: tf.math.reduce_variance(x, axis=0), lambda rng: [rng.normal(size=(5, 2))]
)


@variance.right
def variance_centred(x, g):
    return np.einsum("j,ij->ij", 2 * g / len(x), x - np.mean(x, axis=0))


variance.but(variance_centred, by.MEAN, ("2 * g / len(x)", "2 * g / (len(x) - 1)"))
variance.but(variance_centred, by.MISSING, ("x - np.mean(x, axis=0)", "x"))
variance.but(
    variance_centred, by.any_of("axis|all", by.OTHER), ("np.mean(x, axis=0)", "np.mean(x)")
)
variance.but(variance_centred, by.any_of(by.HALF, by.FACTOR), ("2 * g", "g"))

deviation = Case(
    "standard deviation",
    lambda x: tf.math.reduce_std(x),
    lambda rng: [rng.normal(size=5)],
    "gradient",
)


@deviation.right
def deviation_standardized(x):
    return (x - x.mean()) / (len(x) * x.std())


deviation.but(
    deviation_standardized, by.any_of(by.FACTOR, by.MISSING, "std|sqrt"), (" * x.std())", ")")
)
deviation.but(deviation_standardized, by.any_of(by.MISSING, "mean"), ("(x - x.mean())", "x"))
deviation.but(deviation_standardized, by.any_of(by.FACTOR, by.MEAN), ("x.std()", "x.std(ddof=1)"))
deviation.but(deviation_standardized, by.any_of(by.TWICE), ("return (x", "return 2 * (x"))

outer = Case(
    "sum of an outer sum",
    lambda a, b: tf.reduce_sum(tf.exp(tf.expand_dims(a, 1) + b), axis=1),
    lambda rng: [rng.normal(size=3), rng.normal(size=4)],
)


@outer.right
def outer_factored(a, b, g):
    ea, eb = np.exp(a), np.exp(b)
    return g * ea * eb.sum(), (g @ ea) * eb


outer.but(outer_factored, by.any_of(by.MISSING, by.FACTOR, "sum"), ("g * ea * eb.sum()", "g * ea"))
outer.but(
    outer_factored,
    by.any_of("sum|upstream", by.MISSING, by.OTHER),
    ("(g @ ea) * eb", "ea.sum() * eb"),
)
outer.but(outer_factored, by.MEAN, ("eb.sum()", "eb.mean()"))

scaled = Case(
    "scaled residual",
    lambda x, y, s: tf.reduce_sum(((x - y) * s) ** 2),
    lambda rng: [rng.normal(size=(3, 2)), rng.normal(size=(3, 1)), rng.normal(size=2)],
    "gradient",
)


@scaled.right
def scaled_with_keepdims(x, y, s):
    r = x - y
    dx = 2 * r * s**2
    return dx, -dx.sum(axis=1, keepdims=True), 2 * (r**2).sum(axis=0) * s


scaled.but(scaled_with_keepdims, by.SHAPE, ("axis=1, keepdims=True", "axis=1"))
scaled.but(
    scaled_with_keepdims,
    by.any_of(by.BROADCAST, by.SHAPE),
    ("-dx.sum(axis=1, keepdims=True)", "-dx"),
)
scaled.but(scaled_with_keepdims, by.any_of(by.SIGN), ("-dx.sum", "dx.sum"))
scaled.but(
    scaled_with_keepdims,
    by.any_of(by.FACTOR, by.MISSING, "power|square"),
    ("2 * r * s**2", "2 * r * s"),
)
scaled.but(scaled_with_keepdims, by.any_of(by.MEAN), ("(r**2).sum(axis=0)", "(r**2).mean(axis=0)"))
scaled.but(
    scaled_with_keepdims,
    by.any_of("axis", by.SHAPE),
    ("(r**2).sum(axis=0)", "(r**2).sum(axis=1)[:2]"),
)

cosine = Case(
    "cosine similarity",
    lambda u, v: tf.reduce_sum(u * v) / (tf.norm(u) * tf.norm(v)),
    lambda rng: [rng.normal(size=3), rng.normal(size=3)],
    "gradient",
)


@cosine.right
def cosine_projected(u, v):
    a, b = np.linalg.norm(u), np.sqrt(np.vdot(v, v))
    c = np.inner(u, v) / (a * b)
    return (v / b - c * u / a) / a, (u / a - c * v / b) / b


cosine.but(cosine_projected, by.MISSING, ("(v / b - c * u / a) / a", "v / b / a"))
cosine.but(
    cosine_projected,
    by.any_of(by.MISSING, by.FACTOR),
    ("(u / a - c * v / b) / b", "(u / a - c * v / b)"),
)
cosine.but(cosine_projected, by.SIGN, ("v / b - c * u", "v / b + c * u"))
cosine.but(
    cosine_projected,
    by.SWAPPED,
    (
        "return (v / b - c * u / a) / a, (u / a - c * v / b) / b",
        "return (u / a - c * v / b) / b, (v / b - c * u / a) / a",
    ),
)

polynomial = Case(
    "polynomial",
    lambda c, x: ((c[3] * x + c[2]) * x + c[1]) * x + c[0],
    lambda rng: [rng.normal(size=4), rng.normal(size=3)],
)


@polynomial.right
def polynomial_horner(c, x, g):
    dx = np.zeros_like(x)
    powers = np.ones_like(x)
    dc = np.zeros_like(c)
    for k in range(4):
        dc[k] = powers @ g
        if k < 3:
            dx += (k + 1) * c[k + 1] * powers * g
        powers = powers * x
    return dc, dx


polynomial.but(
    polynomial_horner,
    by.any_of(by.SHIFT, by.FACTOR, by.MISSING),
    ("(k + 1) * c[k + 1]", "k * c[k + 1]"),
)
polynomial.but(polynomial_horner, by.any_of(by.SHIFT), ("(k + 1) * c[k + 1]", "(k + 1) * c[k]"))
polynomial.but(
    polynomial_horner, by.any_of(by.UPSTREAM, by.MISSING), ("* powers * g\n", "* powers\n")
)
polynomial.but(polynomial_horner, by.any_of(by.MISSING, by.ENTRIES), ("if k < 3", "if k < 2"))

# --- values, as forwards are rewritten ------------------------------------------------------------

value = Case(
    "log sum exp, its value",
    lambda x: tf.reduce_logsumexp(x, axis=1),
    lambda rng: [rng.normal(size=(2, 3))],
    "value",
)


@value.right
def value_streaming(x):
    m = np.full(len(x), -np.inf)
    s = np.zeros(len(x))
    for column in x.T:
        new = np.maximum(m, column)
        s = s * np.exp(m - new) + np.exp(column - new)
        m = new
    return m + np.log(s)


value.but(
    value_streaming,
    by.any_of(by.MISSING, by.FACTOR, "shift|max|rescal"),
    ("s * np.exp(m - new) + np", "s + np"),
)
value.but(value_streaming, by.any_of(by.MISSING, "max|shift"), ("m + np.log(s)", "np.log(s)"))
value.but(value_streaming, by.any_of(by.MISSING, by.OTHER, "log"), ("m + np.log(s)", "m + s"))

# --- right at the example only --------------------------------------------------------------------


def apart(rng):
    return [rng.normal(size=2), rng.normal(size=2)]


balanced = Case(
    "two errors that cancel",
    lambda a, b: tf.reduce_sum(a * b + tf.sin(a)),
    lambda rng: [np.array([0.5, 1.0]), np.array([0.5, 1.0])],
    "gradient",
)


@balanced.right
def balanced_right(a, b):
    return b + np.cos(a), a + 0


balanced.but(
    balanced_right,
    by.any_of(by.CANCEL, by.SWAPPED, "a\\b.*b\\b"),
    ("b + np.cos(a), a + 0", "a + np.cos(b), b + 0"),
    witness=apart,
)
balanced.but(
    balanced_right,
    by.any_of(by.CANCEL, by.MISSING, "a - b|b - a"),
    ("b + np.cos(a)", "b + 3 * (a - b) + np.cos(a)"),
    witness=apart,
)
balanced.but(
    balanced_right,
    by.any_of(by.CANCEL, by.CONSTANT, by.MISSING),
    ("b + np.cos(a)", "np.array([0.5, 1.0]) + np.cos(a)"),
    witness=apart,
)
balanced.but(
    balanced_right,
    by.any_of(by.CANCEL, by.OTHER, by.SWAPPED),
    ("a + 0", "a * b / a"),
    witness=apart,
)
