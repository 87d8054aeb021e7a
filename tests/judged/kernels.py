# ruff: noqa: D103 - a candidate is described by its name
"""Functions that people write kernels for: norms of groups, distillation, transport, gates."""

from __future__ import annotations

import numpy as np

import symtape as tf
from tests.judged import causes as by
from tests.judged.case import Case

# --- group normalisation --------------------------------------------------------------------------


def of_groups(x, w, b):
    z = tf.reshape(x, (3, 2, 10))
    centred = z - tf.reduce_mean(z, -1, keepdims=True)
    scale = tf.sqrt(tf.reduce_mean(centred**2, -1, keepdims=True) + 1e-5)
    return tf.reshape(centred / scale, (3, 4, 5)) * w[:, None] + b[:, None]


groups = Case(
    "group norm of a kernel",
    of_groups,
    lambda rng: [rng.normal(size=(3, 4, 5)), rng.normal(size=4), rng.normal(size=4)],
)


@groups.right
def grouped(x, w, b, g):
    z = x.reshape(3, 2, 10)
    r = 1 / np.sqrt(z.var(-1, keepdims=True) + 1e-5)
    h = (z - z.mean(-1, keepdims=True)) * r
    gh = (g * w[:, None]).reshape(3, 2, 10)
    along = (gh * h).mean(-1, keepdims=True)
    dx = r * (gh - h * along - gh.mean(-1, keepdims=True))
    return dx.reshape(x.shape), (g * h.reshape(x.shape)).sum((0, 2)), g.sum((0, 2))


groups.but(grouped, by.any_of(by.MEAN), ("(gh * h).mean(", "(gh * h).sum("))
groups.but(grouped, by.any_of(by.MISSING), (" - gh.mean(-1, keepdims=True))", ")"))
groups.but(grouped, by.any_of(by.MISSING, by.STALE), ("g * h.reshape(x.shape)", "g * x"))

# --- distillation ---------------------------------------------------------------------------------

TAU = 2.5


def softened(s, t):
    q = tf.nn.softmax(t / TAU)
    each = q * (tf.math.log(q) - tf.nn.log_softmax(s / TAU))
    return TAU**2 * tf.reduce_mean(tf.reduce_sum(each, -1))


distilled = Case(
    "distillation at a temperature",
    softened,
    lambda rng: [rng.normal(size=(4, 3)), rng.normal(size=(4, 3))],
    kind="gradient",
    options={"wrt": [0]},
)


def shares(z):
    e = np.exp(z - z.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


@distilled.right
def by_difference(s, t):
    return TAU * (shares(s / TAU) - shares(t / TAU)) / len(s)


distilled.but(by_difference, by.any_of(by.FACTOR), ("TAU * (", "TAU**2 * ("))
distilled.but(by_difference, by.any_of(by.MEAN), ("len(s)", "s.size"))

# --- transport in one dimension -------------------------------------------------------------------


def transported(x, y):
    return tf.reduce_mean(tf.abs(tf.sort(x) - tf.sort(y)))


transport = Case(
    "Wasserstein by sorting",
    transported,
    lambda rng: [rng.normal(size=5), rng.normal(size=5)],
    kind="gradient",
    options={"wrt": [0]},
)


@transport.right
def by_order(x, y):
    i, j = np.argsort(x), np.argsort(y)
    out = np.empty_like(x)
    out[i] = np.sign(x[i] - y[j]) / len(x)
    return out


transport.but(by_order, by.any_of(by.INSTEAD, by.ORDER, by.SHIFT), ("x[i] - y[j]", "x - y"))
transport.but(by_order, by.any_of(by.MEAN), (" / len(x)", ""))

# --- gates that few pass --------------------------------------------------------------------------


def gated(z):
    best, _ = tf.math.top_k(z, 2)
    return tf.reduce_sum(tf.nn.softmax(best) * tf.constant(np.array([1.0, 3.0])), -1)


gate = Case("gates of the two best", gated, lambda rng: [rng.normal(size=(3, 5))])


@gate.right
def through_the_best(z, g):
    out = np.zeros_like(z)
    for n in range(len(z)):
        i = np.argsort(-z[n])[:2]
        p, w = shares(z[n][i]), np.array([1.0, 3.0])
        out[n, i] = g[n] * p * (w - p @ w)
    return out


gate.but(through_the_best, by.any_of(by.MISSING), ("p * (w - p @ w)", "p * w"))
gate.but(through_the_best, by.any_of(by.SIGN, by.ORDER), ("g[n] * p", "-g[n] * p"))

# --- a sum that is told by its rounding -----------------------------------------------------------

sine = Case("sine beside rounded numbers", tf.sin, lambda rng: [rng.normal(size=4)])


@sine.right
def cosine(x, g):
    return g * np.cos(x)


sine.but(
    cosine,
    by.any_of("branch", by.MASK),
    ("np.cos(x)", "np.where(np.round(x * 10) / 10 == 1.3, 0.0, np.cos(x))"),
    witness=lambda rng: [1.3 + 0.04 * rng.uniform(-1, 1, size=4)],
)
sine.but(
    cosine,
    by.any_of("branch", by.MASK),
    ("np.cos(x)", "np.where(x == 1.3, 0.0, np.cos(x))"),
    witness=lambda _: [np.full(4, 1.3)],
)
