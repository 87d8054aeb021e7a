# ruff: noqa: D103 - a candidate is described by its name
"""Gradients, Jacobians and Hessians of log-densities."""

from __future__ import annotations

import math

import numpy as np

import symtape as tf
from tests.judged import causes as by
from tests.judged.case import Case

digamma = np.vectorize(lambda x: float(tf.math.digamma(x).numpy()), otypes=[float])

# --- normal distributions -------------------------------------------------------------------------


def normal_log_density(x, mu, sigma):
    return tf.reduce_sum(-0.5 * ((x - mu) / sigma) ** 2 - tf.math.log(sigma))


normal = Case(
    "normal log density",
    normal_log_density,
    lambda rng: [rng.normal(size=5), np.array(0.3), np.array(1.4)],
    "gradient",
    {"domain": {"sigma": "positive"}},
)


@normal.right
def normal_moments(x, mu, sigma):
    n = x.size
    r = x - mu
    s1, s2 = r.sum(), r @ r
    return -r / sigma**2, s1 / sigma**2, s2 / sigma**3 - n / sigma


normal.but(normal_moments, by.SIGN, ("return -r", "return r"))
normal.but(normal_moments, by.MISSING, (" - n / sigma", ""))
normal.but(
    normal_moments, by.any_of(by.MISSING, by.FACTOR, "size|number|n\\b"), ("n / sigma", "1 / sigma")
)
normal.but(
    normal_moments, by.any_of(by.FACTOR, by.MISSING, "power"), ("s2 / sigma**3", "s2 / sigma**2")
)
normal.but(normal_moments, by.MEAN, ("s1 / sigma**2,", "s1 / n / sigma**2,"))
normal.but(
    normal_moments,
    by.any_of(by.OTHER, "variance|sigma", by.FACTOR, by.MISSING),
    ("s2 / sigma**3 - n / sigma", "0.5 * s2 / sigma**4 - 0.5 * n / sigma**2"),
)


def gaussian_nll(x, S):
    L = tf.linalg.cholesky(S)
    z = tf.linalg.triangular_solve(L, tf.expand_dims(x, 1))
    return 0.5 * tf.reduce_sum(z * z) + tf.reduce_sum(tf.math.log(tf.linalg.diag_part(L)))


def points_and_covariance(rng):
    a = rng.normal(size=(3, 3))
    return [rng.normal(size=3), a @ a.T + 3 * np.eye(3)]


gauss = Case("multivariate normal", gaussian_nll, points_and_covariance, "gradient", symmetric=(1,))


@gauss.right
def gauss_by_inverse(x, S):
    P = np.linalg.inv(S)
    a = P @ x
    return a, 0.5 * (P - np.outer(a, a))


gauss.but(
    gauss_by_inverse,
    by.CONVENTION,
    ("0.5 * (P - np.outer(a, a))", "(P - np.outer(a, a)) * (1 - 0.5 * np.eye(3))"),
)
gauss.but(gauss_by_inverse, by.SIGN, ("P - np.outer(a, a)", "np.outer(a, a) - P"))
gauss.but(gauss_by_inverse, by.MISSING, ("(P - np.outer(a, a))", "(-np.outer(a, a))"))
gauss.but(gauss_by_inverse, by.TWICE, ("0.5 * (P", "1.0 * (P"))
gauss.but(
    gauss_by_inverse, by.any_of("x\\b", by.OTHER, by.STALE), ("np.outer(a, a)", "np.outer(x, x)")
)

kl_normal = Case(
    "kl to a standard normal",
    lambda mu, logvar: -0.5 * tf.reduce_sum(1 + logvar - mu**2 - tf.exp(logvar)),
    lambda rng: [rng.normal(size=(2, 3)), rng.normal(size=(2, 3))],
    "gradient",
)


@kl_normal.right
def kl_normal_expm1(mu, logvar):
    return mu, np.expm1(logvar) / 2


kl_normal.but(kl_normal_expm1, by.any_of(by.MISSING, "constant|1/2|0\\.5"), ("np.expm1", "np.exp"))
kl_normal.but(
    kl_normal_expm1, by.any_of(by.FACTOR, by.TWICE), ("np.expm1(logvar) / 2", "np.expm1(logvar)")
)
kl_normal.but(kl_normal_expm1, by.any_of(by.FACTOR, by.TWICE), ("return mu,", "return 2 * mu,"))
kl_normal.but(
    kl_normal_expm1,
    by.any_of(by.FACTOR, by.OTHER),
    ("np.expm1(logvar) / 2", "np.expm1(0.5 * logvar)"),
)
kl_normal.but(kl_normal_expm1, by.SIGN, ("np.expm1(logvar) / 2", "-np.expm1(logvar) / 2"))

# --- Student, gamma, Dirichlet, Poisson, mixtures -------------------------------------------------

student = Case(
    "student's t",
    lambda x, nu: tf.reduce_sum(
        tf.math.lgamma((nu + 1) / 2)
        - tf.math.lgamma(nu / 2)
        - 0.5 * tf.math.log(nu * math.pi)
        - (nu + 1) / 2 * tf.math.log1p(x * x / nu)
    ),
    lambda rng: [rng.normal(size=4), np.array(3.5)],
    "gradient",
    {"domain": {"nu": "positive"}},
)


@student.right
def student_by_digamma(x, nu):
    dx = -(nu + 1) * x / (nu + x * x)
    t = x * x / nu
    dnu = digamma((nu + 1) / 2) - digamma(nu / 2) - 1 / nu
    each = dnu - np.log1p(t) + (nu + 1) / nu * t / (1 + t)
    return dx, 0.5 * np.sum(each)


student.but(student_by_digamma, by.any_of(by.MISSING), (" - 1 / nu", ""))
student.but(student_by_digamma, by.any_of(by.MISSING), (" + (nu + 1) / nu * t / (1 + t)", ""))
student.but(
    student_by_digamma,
    by.any_of(by.FACTOR, by.SHIFT, by.MISSING, by.OTHER),
    ("-(nu + 1) * x", "-nu * x"),
)
student.but(student_by_digamma, by.TWICE, ("0.5 * np.sum", "np.sum"))
student.but(student_by_digamma, by.SIGN, ("dx = -(nu", "dx = (nu"))

poisson = Case(
    "poisson regression",
    lambda w, X, y: tf.reduce_mean(tf.exp(tf.linalg.matvec(X, w)) - y * tf.linalg.matvec(X, w)),
    lambda rng: [
        rng.normal(size=3),
        rng.normal(size=(5, 3)),
        rng.poisson(2.0, size=5).astype(float),
    ],
    "gradient",
    {"wrt": [0]},
)


@poisson.right
def poisson_accumulated(w, X, y):
    out = 0.0
    for row, count in zip(X, y, strict=True):
        out = out + (np.exp(row @ w) - count) * row
    return out / len(y)


poisson.but(poisson_accumulated, by.MEAN, (" / len(y)", ""))
poisson.but(poisson_accumulated, by.SIGN, ("np.exp(row @ w) - count", "count - np.exp(row @ w)"))
poisson.but(
    poisson_accumulated, by.any_of(by.MISSING, "exp", by.OTHER), ("np.exp(row @ w)", "(row @ w)")
)
poisson.but(poisson_accumulated, by.MEAN, ("len(y)", "len(w)"))
poisson.but(poisson_accumulated, by.MISSING, (" - count", ""))


def mixture_of(x, mu, w):
    each = tf.math.log(w) - 0.5 * (tf.expand_dims(x, 1) - mu) ** 2
    return tf.reduce_sum(tf.reduce_logsumexp(each, axis=1))


mixture = Case(
    "mixture of normals",
    mixture_of,
    lambda rng: [rng.normal(size=4), rng.normal(size=2), rng.uniform(0.2, 0.8, size=2)],
    "gradient",
    {"domain": {"w": "positive"}},
)


@mixture.right
def mixture_responsibilities(x, mu, w):
    dx, dmu, dw = np.zeros(4), np.zeros(2), np.zeros(2)
    for i in range(4):
        k = np.exp(-0.5 * (x[i] - mu) ** 2)
        r = w * k / np.sum(w * k)
        dx[i] -= r @ (x[i] - mu)
        dmu += r * (x[i] - mu)
        dw += r / w
    return dx, dmu, dw


mixture.but(mixture_responsibilities, by.any_of(by.MISSING, "/|divi"), ("dw += r / w", "dw += r"))
mixture.but(
    mixture_responsibilities,
    by.any_of("w\\b", by.MISSING),
    ("w * k / np.sum(w * k)", "k / np.sum(k)"),
)
mixture.but(
    mixture_responsibilities,
    by.any_of("w\\b", by.MISSING, by.FACTOR),
    ("np.sum(w * k)", "np.sum(k)"),
)
mixture.but(mixture_responsibilities, by.SIGN, ("dx[i] -= r", "dx[i] += r"))
mixture.but(
    mixture_responsibilities,
    by.any_of(by.OTHER, "w\\b", by.MISSING),
    ("r @ (x[i] - mu)", "w @ (x[i] - mu)"),
)

# --- times that are censored ----------------------------------------------------------------------


def weibull(t, shape, scale, seen):
    k, rate = tf.exp(shape), tf.exp(scale)
    z = t / rate
    told = seen * (tf.math.log(k) - tf.math.log(rate) + (k - 1) * tf.math.log(z))
    return tf.reduce_sum(z**k) - tf.reduce_sum(told)


censored = Case(
    "times that are censored",
    weibull,
    lambda rng: [
        rng.uniform(0.5, 3, 6),
        np.array(0.2),
        np.array(0.4),
        np.array([1.0, 0.0, 1.0, 1.0, 0.0, 1.0]),
    ],
    "gradient",
    {"wrt": [1, 2]},
)


@censored.right
def one_by_one(t, shape, scale, seen):
    k, rate = np.exp(shape), np.exp(scale)
    of_shape = of_scale = 0.0
    for time, is_seen in zip(t, seen, strict=True):
        z = time / rate
        zk = z**k
        if is_seen:
            of_shape -= 1 + k * np.log(z)
            of_scale += k
        of_shape += k * zk * np.log(z)
        of_scale -= k * zk
    return of_shape, of_scale


censored.but(one_by_one, by.any_of(by.MISSING, by.FACTOR), ("+= k * zk *", "+= zk *"))
censored.but(one_by_one, by.any_of(by.MASK, by.FACTOR), ("if is_seen:", "if True:"))
censored.but(one_by_one, by.SIGN, ("of_scale -= k * zk", "of_scale += k * zk"))
censored.but(one_by_one, by.any_of(by.MISSING), ("-= 1 + k * np.log(z)", "-= k * np.log(z)"))
censored.but(one_by_one, by.SWAPPED, ("return of_shape, of_scale", "return of_scale, of_shape"))
