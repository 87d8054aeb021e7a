# ruff: noqa: D103 - a candidate is described by its name
"""Hessians, products with them, Jacobians, and tangents that are pushed forward."""

from __future__ import annotations

import numpy as np

import symtape as tf
from tests.judged import causes as by
from tests.judged.case import Case
from tests.judged.draws import normal, positive, together

# --- curvature of least squares by a curve --------------------------------------------------------


def fit(p, t, y):
    return 0.5 * tf.reduce_sum((p[0] * tf.exp(-p[1] * t) - y) ** 2)


def drawn_curve(rng):
    return [rng.uniform(0.5, 1.5, size=2), rng.uniform(0, 2, size=4), rng.normal(size=4)]


decay = Case("fit of a decay", fit, drawn_curve, "hessian", {"wrt": [0]})


@decay.right
def fit_hessian(p, t, y):
    e = np.exp(-p[1] * t)
    r = p[0] * e - y
    J = np.stack([e, -p[0] * t * e], axis=1)
    H = J.T @ J
    H[0, 1] += r @ (-t * e)
    H[1, 0] += r @ (-t * e)
    H[1, 1] += r @ (p[0] * t**2 * e)
    return H


@decay.wrong(by.any_of("Gauss|residual|second", by.MISSING))
def fit_gauss_newton(p, t, y):
    e = np.exp(-p[1] * t)
    J = np.stack([e, -p[0] * t * e], axis=1)
    return J.T @ J


decay.but(
    fit_hessian,
    by.any_of(by.MISSING, by.ENTRIES, "symmetric"),
    ("    H[1, 0] += r @ (-t * e)\n", ""),
)
decay.but(fit_hessian, by.any_of(by.SIGN), ("H[1, 1] += r", "H[1, 1] -= r"))
decay.but(fit_hessian, by.any_of(by.MISSING, "power"), ("p[0] * t**2 * e", "p[0] * t * e"))

# --- product with the Hessian of logistic regression ----------------------------------------------


def logistic_gradient(w, X, y, lam):
    p = tf.sigmoid(tf.linalg.matvec(X, w))
    return tf.linalg.matvec(X, p - y, transpose_a=True) / 4 + lam * w


hvp = Case(
    "product with the hessian of logistic regression",
    logistic_gradient,
    together(normal(3), normal(4, 3), lambda r: (r.uniform(size=4) > 0.5) * 1.0, positive()),
    "jvp",
    {"wrt": [0]},
)


@hvp.right
def logistic_hvp(w, X, y, lam, v):
    p = 1 / (1 + np.exp(-X @ w))
    return X.T @ (p * (1 - p) * (X @ v)) / 4 + lam * v


hvp.but(logistic_hvp, by.any_of(by.MISSING), (" + lam * v", ""))
hvp.but(logistic_hvp, by.any_of(by.MISSING, by.STALE), ("p * (1 - p) * (X", "p * (X"))
hvp.but(logistic_hvp, by.any_of(by.STALE, by.SWAPPED), ("lam * v", "lam * w"))
hvp.but(logistic_hvp, by.MEAN, (" / 4", ""))

# --- a barrier ------------------------------------------------------------------------------------


def barrier(x, A, b):
    return -tf.reduce_sum(tf.math.log(b - tf.linalg.matvec(A, x)))


def inside(rng):
    A = rng.normal(size=(4, 2))
    x = rng.normal(size=2)
    return [x, A, A @ x + rng.uniform(0.5, 2, size=4)]


log_barrier = Case("logarithmic barrier", barrier, inside, "hessian", {"wrt": [0]})


@log_barrier.right
def barrier_hessian(x, A, b):
    s = b - A @ x
    return A.T @ (A / s[:, None] ** 2)


log_barrier.but(barrier_hessian, by.any_of("power", by.MISSING), ("s[:, None] ** 2", "s[:, None]"))
log_barrier.but(barrier_hessian, by.SIGN, ("return A.T", "return -A.T"))
log_barrier.but(barrier_hessian, by.any_of(by.SIGN, by.INSTEAD), ("b - A @ x", "b + A @ x"))

# --- curvature of logistic losses of classes ------------------------------------------------------


def multinomial(w, x, y):
    return tf.reduce_logsumexp(w @ x) - tf.reduce_sum(y * (w @ x)) + tf.reduce_sum(w**2) / 2


def one_example(rng):
    return [rng.normal(size=(3, 2)), rng.normal(size=(2, 1)), np.eye(3)[:, :1]]


classes = Case("hessian of weights of classes", multinomial, one_example, "hessian", {"wrt": [0]})


@classes.right
def multinomial_hessian(w, x, y):
    z = w @ x
    p = np.exp(z - z.max())[:, 0]
    p /= p.sum()
    block = np.diag(p) - np.outer(p, p)
    H = np.einsum("ij,k,l->ikjl", block, x[:, 0], x[:, 0])
    H += np.einsum("ij,kl->ikjl", np.eye(3), np.eye(2))
    return H


classes.but(multinomial_hessian, by.any_of(by.MISSING, by.DIAGONAL), (" - np.outer(p, p)", ""))
classes.but(
    multinomial_hessian,
    by.SHAPE,
    ('"ij,k,l->ikjl"', '"ij,k,l->iklj"'),
)
classes.but(
    multinomial_hessian,
    by.any_of(by.MISSING, by.DIAGONAL),
    ('    H += np.einsum("ij,kl->ikjl", np.eye(3), np.eye(2))\n', ""),
)

# --- Jacobians ------------------------------------------------------------------------------------


def spherical(r, a, b):
    return tf.stack([r * tf.sin(a) * tf.cos(b), r * tf.sin(a) * tf.sin(b), r * tf.cos(a)])


sphere = Case(
    "coordinates on a sphere",
    lambda s: spherical(s[0], s[1], s[2]),
    lambda rng: [np.array([1.3, *rng.uniform(0.3, 1.2, size=2)])],
    "jacobian",
)


@sphere.right
def spherical_jacobian(s):
    r, a, b = s
    return np.array(
        [
            [np.sin(a) * np.cos(b), r * np.cos(a) * np.cos(b), -r * np.sin(a) * np.sin(b)],
            [np.sin(a) * np.sin(b), r * np.cos(a) * np.sin(b), r * np.sin(a) * np.cos(b)],
            [np.cos(a), -r * np.sin(a), 0.0],
        ]
    )


sphere.but(spherical_jacobian, by.any_of(by.SIGN), ("-r * np.sin(a), 0.0", "r * np.sin(a), 0.0"))
sphere.but(
    spherical_jacobian,
    by.any_of(by.TRANSPOSED),
    ("    return np.array(\n        [", "    return np.transpose(\n        ["),
)
sphere.but(
    spherical_jacobian,
    by.any_of("sin|cos", by.OTHER),
    (
        "[np.sin(a) * np.sin(b), r * np.cos(a) * np.sin(b)",
        "[np.sin(a) * np.sin(b), r * np.cos(a) * np.cos(b)",
    ),
)

row_softmax = Case(
    "jacobian of softmax of rows",
    lambda z: tf.nn.softmax(z, axis=1),
    together(normal(2, 3)),
    "jacobian",
)


@row_softmax.right
def row_softmax_jacobian(z):
    p = np.exp(z) / np.exp(z).sum(1, keepdims=True)
    n, c = z.shape
    J = np.zeros((n, c, n, c))
    for i in range(n):
        J[i, :, i, :] = np.diag(p[i]) - np.outer(p[i], p[i])
    return J


@row_softmax.wrong(by.SHAPE)
def row_softmax_blocks(z):
    p = np.exp(z) / np.exp(z).sum(1, keepdims=True)
    return p[:, :, None] * (np.eye(3) - p[:, None, :])


row_softmax.but(
    row_softmax_jacobian, by.any_of("axis|axes"), ("np.exp(z).sum(1, ", "np.exp(z).sum(0, ")
)
row_softmax.but(row_softmax_jacobian, by.any_of(by.SIGN), ("- np.outer", "+ np.outer"))

# --- tangents -------------------------------------------------------------------------------------


def whitened(x):
    m = tf.reduce_mean(x, axis=0)
    return (x - m) / tf.math.reduce_std(x, axis=0)


standard = Case("tangent of standard scores", whitened, together(normal(4, 2)), "jvp")


@standard.right
def standard_tangent(x, v):
    c = x - x.mean(0)
    s = x.std(0)
    dc = v - v.mean(0)
    ds = (c * dc).mean(0) / s
    return dc / s - c * ds / s**2


standard.but(standard_tangent, by.any_of(by.MISSING), ("dc = v - v.mean(0)", "dc = v"))
standard.but(standard_tangent, by.any_of(by.MISSING), (" - c * ds / s**2", ""))
standard.but(standard_tangent, by.any_of("power", by.MISSING), ("s**2", "s"))
standard.but(standard_tangent, by.any_of(by.MEAN), ("(c * dc).mean(0)", "(c * dc).sum(0)"))
standard.but(standard_tangent, by.any_of("axis|axes"), ("v.mean(0)", "v.mean()"))


def definite(rng):
    a = rng.normal(size=(3, 3))
    return a @ a.T + 3 * np.eye(3)


factor = Case(
    "tangent of a factor",
    tf.linalg.cholesky,
    lambda rng: [definite(rng)],
    "jvp",
    symmetric=(0,),
)


@factor.right
def cholesky_tangent(S, V):
    L = np.linalg.cholesky(S)
    V = (V + V.T) / 2
    P = np.linalg.solve(L, np.linalg.solve(L, V).T)
    return L @ (np.tril(P, -1) + np.diag(np.diag(P)) / 2)


factor.but(
    cholesky_tangent,
    by.any_of(by.HALF, by.DIAGONAL, by.FACTOR),
    ("np.diag(np.diag(P)) / 2", "np.diag(np.diag(P))"),
)
factor.but(
    cholesky_tangent,
    by.any_of("tril|triu|triang", by.TRANSPOSED),
    ("np.tril(P, -1)", "np.triu(P, 1)"),
)

weighted = Case(
    "tangent of a weighted mean",
    lambda x, w: tf.reduce_sum(w * x, axis=1) / tf.reduce_sum(w, axis=1),
    together(normal(2, 3), positive(2, 3)),
    "jvp",
)


@weighted.right
def weighted_tangent(x, w, dx, dw):
    total = w.sum(1)
    mean = (w * x).sum(1) / total
    return ((w * dx).sum(1) + (dw * x).sum(1) - mean * dw.sum(1)) / total


weighted.but(weighted_tangent, by.any_of(by.MISSING), (" - mean * dw.sum(1)", ""))
weighted.but(weighted_tangent, by.any_of(by.SWAPPED, by.INSTEAD), ("(dw * x)", "(w * x)"))
weighted.but(weighted_tangent, by.any_of(by.MISSING, by.FACTOR), (" - mean * dw", " - dw"))
