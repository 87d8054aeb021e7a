# ruff: noqa: D103 - a candidate is described by its name
"""Passes back through soft and hard maxima, and what runs along an axis."""

from __future__ import annotations

import numpy as np

import symtape as tf
from tests.judged import causes as by
from tests.judged.case import Case
from tests.judged.draws import normal, positive, together

HARD = by.any_of(r"hard", r"maximum|largest|\bmax\b", by.OTHER)
AXIS = r"\baxis\b|\baxes\b|\brows\b|\bcolumns\b"

# --- logsumexp of rows ----------------------------------------------------------------------------

rows = Case("log sum exp of rows", lambda x: tf.reduce_logsumexp(x, axis=1), together(normal(3, 4)))


@rows.right
def by_shares(x, g):
    e = np.exp(x - x.max(axis=1, keepdims=True))
    p = e / e.sum(axis=1, keepdims=True)
    return g[:, None] * p


@rows.wrong(HARD)
def by_the_largest(x, g):
    out = np.zeros_like(x)
    out[np.arange(len(x)), x.argmax(axis=1)] = g
    return out


@rows.wrong(HARD)
def by_a_mask_of_the_largest(x, g):
    return g[:, None] * (x == x.max(axis=1, keepdims=True))


rows.but(
    by_shares,
    AXIS,
    ("e = np.exp(x - x.max(axis=1, keepdims=True))", "e = np.exp(x)"),
    ("e.sum(axis=1, keepdims=True)", "e.sum(axis=0, keepdims=True)"),
)
rows.but(by_shares, AXIS, ("e.sum(axis=1, keepdims=True)", "e.sum()"))

# --- logsumexp with a temperature -----------------------------------------------------------------


def softened(x, t):
    return t * tf.reduce_logsumexp(x / t)


soft = Case("maximum with a temperature", softened, together(normal(5), positive()), "gradient")


@soft.right
def softened_back(x, t):
    z = x / t
    m = z.max()
    e = np.exp(z - m)
    p = e / e.sum()
    return p, m + np.log(e.sum()) - p @ z


soft.but(softened_back, by.any_of(by.MISSING, by.FACTOR), ("return p, m", "return p / t, m"))
soft.but(softened_back, by.any_of(by.MISSING), (" - p @ z", ""))
soft.but(softened_back, by.any_of(by.MISSING, by.FACTOR), ("p @ z", "p @ x"))


@soft.wrong(HARD)
def softened_hard(x, t):
    z = x / t
    e = np.exp(z - z.max())
    p = e / e.sum()
    return (z == z.max()).astype(float), z.max() + np.log(e.sum()) - p @ z


# --- a soft minimum of distances ------------------------------------------------------------------


def chamfer(a, b):
    d = tf.reduce_sum((a[:, None, :] - b[None, :, :]) ** 2, axis=2)
    return tf.reduce_sum(tf.reduce_min(d, axis=1))


nearest = Case("distance to the nearest", chamfer, together(normal(3, 2), normal(4, 2)), "gradient")


@nearest.right
def chamfer_back(a, b):
    d = ((a[:, None] - b[None]) ** 2).sum(-1)
    j = d.argmin(1)
    ga = 2 * (a - b[j])
    gb = np.zeros_like(b)
    np.add.at(gb, j, -ga)
    return ga, gb


nearest.but(
    chamfer_back,
    by.any_of("same place|twice|repeat|duplicate", by.MISSING, by.STALE, "overwritten"),
    ("np.add.at(gb, j, -ga)", "gb[j] -= ga"),
    witness=lambda rng: [rng.normal(size=(3, 2)), 3 + 9 * rng.normal(size=(4, 2))],
)
nearest.but(
    chamfer_back,
    by.any_of("another function|argmax", AXIS, by.OTHER),
    ("d.argmin(1)", "d.argmax(1)"),
)
nearest.but(chamfer_back, by.any_of(by.SIGN), ("gb, j, -ga", "gb, j, ga"))


@nearest.wrong(by.any_of("soft", by.OTHER, by.INSTEAD, by.ENTRIES))
def chamfer_soft(a, b):
    diff = a[:, None] - b[None]
    d = (diff**2).sum(-1)
    e = np.exp(-(d - d.min(1, keepdims=True)))
    p = e / e.sum(1, keepdims=True)
    return 2 * (p[..., None] * diff).sum(1), -2 * (p[..., None] * diff).sum(0)


# --- running maximum ------------------------------------------------------------------------------


def running(x):
    made = [x[0]]
    for t in range(1, 5):
        made.append(tf.maximum(made[-1], x[t]))
    return tf.stack(made)


largest = Case("running maximum", running, together(normal(5)))


@largest.right
def running_back(x, g):
    out = np.zeros_like(x)
    at = 0
    for t in range(len(x)):
        if x[t] > x[at]:
            at = t
        out[at] += g[t]
    return out


largest.but(
    running_back, by.any_of(by.MISSING, "overwritten"), ("out[at] += g[t]", "out[at] = g[t]")
)
largest.but(running_back, by.any_of("condition", by.MASK), ("x[t] > x[at]", "x[t] < x[at]"))


@largest.wrong(by.any_of(by.SHIFT, by.MASK, by.MISSING, by.ENTRIES, by.TIES))
def running_local(x, g):
    out = np.zeros_like(x)
    out[0] = g[0]
    for t in range(1, len(x)):
        out[t if x[t] > x[t - 1] else t - 1] += g[t]
    return out


# --- cumulative logsumexp -------------------------------------------------------------------------

cumulative = Case(
    "cumulative log sum exp",
    lambda x: tf.math.cumulative_logsumexp(x),
    together(normal(5)),
)


@cumulative.right
def cumulative_back(x, g):
    y = np.logaddexp.accumulate(x)
    return np.exp(x) * np.cumsum((g * np.exp(-y))[::-1])[::-1]


cumulative.but(
    cumulative_back,
    by.any_of(by.ORDER, "reversed"),
    ("np.cumsum((g * np.exp(-y))[::-1])[::-1]", "np.cumsum(g * np.exp(-y))"),
)
cumulative.but(cumulative_back, by.any_of(by.STALE, by.MISSING), ("np.exp(-y)", "np.exp(-x)"))


@cumulative.wrong(by.any_of(by.MISSING, by.OTHER, by.ENTRIES, by.SHIFT))
def cumulative_alone(x, g):
    y = np.logaddexp.accumulate(x)
    return g * np.exp(x - y)


# --- norm of the largest entry, and of p ----------------------------------------------------------


def p_norm(x, p):
    return tf.reduce_sum(tf.abs(x) ** p, axis=-1) ** (1 / p)


norms = Case(
    "norm of order p",
    p_norm,
    lambda rng: [rng.normal(size=(2, 3)), 3],
    has_numbers=False,
    given=lambda x: x,
)


@norms.right
def p_norm_back(x, p, g):
    n = np.sum(np.abs(x) ** p, axis=-1, keepdims=True) ** (1 / p)
    return g[:, None] * np.sign(x) * (np.abs(x) / n) ** (p - 1)


norms.but(p_norm_back, by.any_of(by.MISSING, by.SIGN, by.POSITIVE), ("np.sign(x) * ", ""))
norms.but(p_norm_back, by.any_of("power", by.FACTOR, by.SHIFT, by.MISSING), ("** (p - 1)", "** p"))
norms.but(p_norm_back, AXIS, ("axis=-1, keepdims=True", "axis=0, keepdims=True"))
norms.but(p_norm_back, AXIS, ("axis=-1, keepdims=True", ""))

# --- soft argmax ----------------------------------------------------------------------------------


def expected_place(h):
    p = tf.nn.softmax(tf.reshape(h, [2, 9]), axis=-1)
    p = tf.reshape(p, [2, 3, 3])
    at = tf.range(3, dtype=tf.float64)
    return tf.reduce_sum(p * at[None, :, None], axis=[1, 2]), tf.reduce_sum(p * at, axis=[1, 2])


places = Case("expected place in a heat map", expected_place, together(normal(2, 3, 3)))


@places.right
def expected_place_back(h, gy, gx):
    e = np.exp(h - h.max(axis=(1, 2), keepdims=True))
    p = e / e.sum(axis=(1, 2), keepdims=True)
    at = np.arange(3.0)
    y = (p * at[:, None]).sum(axis=(1, 2), keepdims=True)
    x = (p * at).sum(axis=(1, 2), keepdims=True)
    return p * (gy[:, None, None] * (at[:, None] - y) + gx[:, None, None] * (at - x))


places.but(expected_place_back, by.any_of(by.MISSING), ("(at - x)", "at"))
places.but(
    expected_place_back,
    by.any_of(by.SWAPPED, AXIS, by.TRANSPOSED),
    ("gy[:, None, None] * (at[:, None] - y)", "gy[:, None, None] * (at - y)"),
)
places.but(expected_place_back, AXIS, ("p = e / e.sum(axis=(1, 2), ", "p = e / e.sum(axis=2, "))
places.but(
    expected_place_back, AXIS, ("x = (p * at).sum(axis=(1, 2), ", "x = (p * at).sum(axis=2, ")
)
