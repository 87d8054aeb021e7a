# ruff: noqa: D103 - a candidate is described by its name
"""Backward passes of losses."""

from __future__ import annotations

import numpy as np

import symtape as tf
from tests.judged import causes as by
from tests.judged.case import Case

# --- softmax cross entropy ------------------------------------------------------------------------


def shares(rng, *shape):
    e = np.exp(rng.normal(size=shape))
    return e / e.sum(-1, keepdims=True)


def logits_and_targets(rng):
    return [rng.normal(size=(4, 3)), shares(rng, 4, 3)]


soft = Case(
    "softmax cross entropy",
    lambda z, p: tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels=p, logits=z)),
    logits_and_targets,
    "gradient",
    {"wrt": [0]},
)


@soft.right
def soft_by_rows(z, p):
    out = np.zeros(z.shape)
    for n in range(z.shape[0]):
        row = z[n] - z[n].max()
        e = np.exp(row)
        q = e / e.sum()
        out[n] += q
        out[n] -= p[n]
    return out / z.shape[0]


@soft.right
def soft_by_logsumexp(z, p):
    m = np.max(z, axis=1, keepdims=True)
    lse = m + np.log(np.sum(np.exp(z - m), axis=1, keepdims=True))
    return (np.exp(z - lse) - p) / len(z)


soft.but(soft_by_rows, by.any_of(by.MEAN), ("out / z.shape[0]", "out"))
soft.but(soft_by_rows, by.any_of(by.MEAN), ("out / z.shape[0]", "out / z.size"))
soft.but(soft_by_rows, by.SIGN, ("+= q", "+= p[n]"), ("-= p[n]", "-= q"))
soft.but(soft_by_rows, by.MISSING, ("-= p[n]", "-= 0"))
soft.but(
    soft_by_logsumexp,
    by.any_of("axis", by.ORDER, by.OTHER, "sum"),
    ("np.max(z, axis=1", "np.max(z, axis=0"),
    ("- m), axis=1", "- m), axis=0"),
)
soft.but(soft_by_logsumexp, by.any_of("axis", "sum", by.OTHER), ("- m), axis=1", "- m), axis=None"))
soft.but(
    soft_by_rows,
    by.any_of("shift", "max", by.FACTOR, by.MISSING, "e\\b|exp"),
    ("q = e / e.sum()", "q = np.exp(z[n]) / e.sum()"),
)
soft.but(soft_by_rows, by.any_of(by.MISSING, by.OTHER), ("q = e / e.sum()", "q = e"))
soft.but(
    soft_by_rows,
    by.any_of("last|row|loop|index|off by", by.ENTRIES, by.ZERO),
    ("range(z.shape[0])", "range(z.shape[0] - 1)"),
)

# --- cross entropy with labels and ignore_index ---------------------------------------------------


def labelled(rng):
    labels = rng.integers(0, 3, size=6)
    labels[[1, 4]] = -100
    return [rng.normal(size=(6, 3)), labels]


def cross_entropy(z, labels):
    kept = tf.cast(labels != -100, z.dtype)
    safe = tf.where(labels == -100, 0, labels)
    each = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=safe, logits=z)
    return tf.reduce_sum(each * kept) / tf.reduce_sum(kept)


ignoring = Case("cross entropy with ignore_index", cross_entropy, labelled, "gradient")


@ignoring.right
def ignoring_by_loop(z, labels):
    dz = np.zeros_like(z)
    count = 0
    for n, label in enumerate(labels):
        if label == -100:
            continue
        count += 1
        e = np.exp(z[n] - z[n].max())
        dz[n] = e / e.sum()
        dz[n, label] -= 1.0
    return dz / count


@ignoring.right
def ignoring_by_mask(z, labels):
    kept = np.asarray(labels) != -100
    p = np.exp(z - z.max(axis=1, keepdims=True))
    p /= p.sum(axis=1, keepdims=True)
    np.add.at(p, (np.flatnonzero(kept), np.asarray(labels)[kept]), -1.0)
    p[~kept] = 0.0
    return p / kept.sum()


ignoring.but(ignoring_by_loop, by.any_of(by.MEAN, "ignore|mask"), ("dz / count", "dz / len(z)"))
ignoring.but(
    ignoring_by_mask, by.any_of(by.MASK, by.ENTRIES, "rows?"), ("    p[~kept] = 0.0\n", "")
)
ignoring.but(
    ignoring_by_loop,
    by.any_of(by.MASK, by.ENTRIES, by.RAISES),
    ("        if label == -100:\n            continue\n", ""),
)
ignoring.but(
    ignoring_by_loop, by.any_of(by.MISSING, "label"), ("        dz[n, label] -= 1.0\n", "")
)
ignoring.but(
    ignoring_by_loop, by.any_of(by.SHIFT, "label"), ("dz[n, label]", "dz[n, (label + 1) % 3]")
)
ignoring.but(ignoring_by_mask, by.any_of(by.SIGN), (", -1.0)", ", 1.0)"))

# --- label smoothing and focal loss ---------------------------------------------------------------


def smoothed(z, labels):
    target = 0.9 * tf.one_hot(labels, 4, dtype=z.dtype) + 0.1 / 4
    return -tf.reduce_sum(target * tf.nn.log_softmax(z))


smoothing = Case(
    "label smoothing",
    smoothed,
    lambda rng: [rng.normal(size=(3, 4)), np.array([2, 0, 3])],
    "gradient",
)


@smoothing.right
def smoothing_by_places(z, labels):
    e = np.exp(z - z.max(1, keepdims=True))
    dz = e / e.sum(1, keepdims=True) - 0.025
    dz[np.arange(3), labels] -= 0.9
    return dz


smoothing.but(
    smoothing_by_places, by.any_of(by.MISSING, "constant|smooth|0\\.025"), (" - 0.025", "")
)
smoothing.but(
    smoothing_by_places, by.any_of("label|constant|0\\.1|smooth", by.ENTRIES), ("-= 0.9", "-= 1.0")
)
smoothing.but(
    smoothing_by_places, by.any_of("constant|smooth|0\\.\\d", by.FACTOR), ("0.025", "0.1 / 3")
)


def focal_loss(z, y):
    p = tf.sigmoid(z)
    pt = tf.where(y > 0.5, p, 1 - p)
    return tf.reduce_sum(-((1 - pt) ** 2) * tf.math.log(pt))


focal = Case(
    "focal loss",
    focal_loss,
    lambda rng: [rng.normal(size=(5,)), np.array([1.0, 0.0, 0.0, 1.0, 1.0])],
    "gradient",
    {"wrt": [0]},
)


@focal.right
def focal_signed(z, y):
    s = 2 * y - 1
    pt = 1 / (1 + np.exp(-s * z))
    return s * (1 - pt) ** 2 * (2 * pt * np.log(pt) + pt - 1)


focal.but(focal_signed, by.any_of(by.MISSING), ("2 * pt * np.log(pt) + pt - 1", "pt - 1"))
focal.but(
    focal_signed,
    by.any_of(by.POSITIVE, by.SIGN, by.MISSING, by.ENTRIES),
    ("return s * ", "return "),
)
focal.but(
    focal_signed, by.any_of(by.FACTOR, by.MISSING, "term"), ("2 * pt * np.log", "pt * np.log")
)
focal.but(focal_signed, by.any_of(by.MISSING, by.OTHER), ("(1 - pt) ** 2", "(1 - pt)"))

# --- binary cross entropy with logits and weights -------------------------------------------------

bce = Case(
    "weighted binary cross entropy",
    lambda z, y, w: tf.reduce_sum(
        tf.nn.weighted_cross_entropy_with_logits(labels=y, logits=z, pos_weight=w)
    ),
    lambda rng: [rng.normal(size=(4, 2)), rng.uniform(size=(4, 2)), rng.uniform(0.5, 3, size=(2,))],
    "gradient",
    {"wrt": [0, 2], "domain": {"y": "unit", "w": "positive"}},
)


@bce.right
def bce_stable(z, y, w):
    s = 0.5 * (1 + np.tanh(z / 2))
    dz = (1 - y) * s - w * y * (1 - s)
    dw = np.add.reduce(y * np.logaddexp(0, -z), axis=0)
    return dz, dw


bce.but(bce_stable, by.any_of(by.MISSING, by.FACTOR), ("w * y * (1 - s)", "y * (1 - s)"))
bce.but(bce_stable, by.any_of(by.SIGN, by.MISSING), (" - w * y", " + w * y"))
bce.but(
    bce_stable,
    by.any_of(by.MEAN),
    ("np.add.reduce(y * np.logaddexp(0, -z), axis=0)", "np.mean(y * np.logaddexp(0, -z), axis=0)"),
)
bce.but(bce_stable, by.any_of(by.SIGN, by.OTHER), ("np.logaddexp(0, -z)", "np.logaddexp(0, z)"))
bce.but(
    bce_stable,
    by.any_of(by.BROADCAST, by.SHAPE),
    ("np.add.reduce(y * np.logaddexp(0, -z), axis=0)", "y * np.logaddexp(0, -z)"),
)

# --- Huber, log-cosh, hinge, quantile, KL, InfoNCE, triplet ---------------------------------------


def residuals(rng):
    return [rng.normal(size=(6,)) * 2, rng.normal(size=(6,)) * 2]


def huber_loss(p, y):
    r = tf.abs(p - y)
    return tf.reduce_mean(tf.where(r <= 1.5, 0.5 * r**2, 1.5 * (r - 0.75)))


huber = Case("huber", huber_loss, residuals, "gradient")


@huber.right
def huber_by_clip(p, y):
    d = np.clip(p - y, -1.5, 1.5) / p.size
    return d, -d


@huber.right
def huber_by_branches(p, y):
    dp, dy = np.zeros(len(p)), np.zeros(len(p))
    for i in range(len(p)):
        r = p[i] - y[i]
        if abs(r) <= 1.5:
            dp[i] = r / len(p)
        else:
            dp[i] = 1.5 * np.sign(r) / len(p)
        dy[i] = -dp[i]
    return dp, dy


huber.but(huber_by_clip, by.SIGN, ("d, -d", "d, d"))
huber.but(huber_by_clip, by.any_of(by.POSITIVE, by.MASK, by.ENTRIES), ("-1.5, 1.5", "-1.0, 1.0"))
huber.but(
    huber_by_clip,
    by.any_of(by.MASK, by.SATURATED, by.POSITIVE, by.ENTRIES),
    ("np.clip(p - y, -1.5, 1.5)", "(p - y)"),
)
huber.but(
    huber_by_branches,
    by.any_of(by.SIGN, by.MISSING, by.POSITIVE, by.ENTRIES),
    ("1.5 * np.sign(r)", "1.5"),
)
huber.but(
    huber_by_branches,
    by.any_of(by.MASK, by.POSITIVE, by.ENTRIES),
    ("1.5 * np.sign(r)", "np.sign(r)"),
)
huber.but(
    huber_by_branches, by.any_of(by.POSITIVE, by.SIGN, by.MASK, by.ENTRIES), ("abs(r) <=", "r <=")
)
huber.but(huber_by_clip, by.MEAN, (" / p.size", ""))

logcosh = Case(
    "log cosh",
    lambda p, y: tf.reduce_sum(tf.math.log(tf.cosh(p - y))),
    residuals,
    "gradient",
    {"wrt": 0},
)


@logcosh.right
def logcosh_by_exponentials(p, y):
    e = np.exp(-2 * np.abs(p - y))
    return np.sign(p - y) * (1 - e) / (1 + e)


logcosh.but(
    logcosh_by_exponentials, by.any_of(by.POSITIVE, by.SIGN, by.MISSING), ("np.sign(p - y) * ", "")
)
logcosh.but(logcosh_by_exponentials, by.any_of(by.OTHER, "argument", by.FACTOR), ("-2 * np", "-np"))
logcosh.but(logcosh_by_exponentials, by.SIGN, ("np.sign(p - y)", "np.sign(y - p)"))

hinge = Case(
    "hinge",
    lambda w, X, y: (
        tf.reduce_sum(tf.nn.relu(1 - y * tf.linalg.matvec(X, w))) + 0.5 * tf.reduce_sum(w * w)
    ),
    lambda rng: [rng.normal(size=3), rng.normal(size=(5, 3)), np.sign(rng.normal(size=5))],
    "gradient",
    {"wrt": [0], "domain": {"y": "fixed"}},
)


@hinge.right
def hinge_accumulated(w, X, y):
    grad = w.copy()
    for x, t in zip(X, y, strict=True):
        if t * np.dot(w, x) < 1:
            grad -= t * x
    return grad


hinge.but(
    hinge_accumulated, by.any_of(by.MISSING, "regulari|w\\b"), ("w.copy()", "np.zeros_like(w)")
)
hinge.but(hinge_accumulated, by.any_of(by.TWICE, by.FACTOR, "term"), ("w.copy()", "2 * w"))
hinge.but(
    hinge_accumulated, by.any_of(by.MASK, by.POSITIVE), ("np.dot(w, x) < 1", "np.dot(w, x) < 0")
)
hinge.but(
    hinge_accumulated, by.any_of(by.MISSING, by.SIGN, by.FACTOR), ("grad -= t * x", "grad -= x")
)
hinge.but(
    hinge_accumulated,
    by.any_of(by.MASK, by.MISSING, by.POSITIVE),
    ("        if t * np.dot(w, x) < 1:\n            grad -=", "        grad -="),
)

kl = Case(
    "kl from logits",
    lambda a, b: tf.reduce_sum(tf.nn.softmax(a) * (tf.nn.log_softmax(a) - tf.nn.log_softmax(b))),
    lambda rng: [rng.normal(size=(2, 3)), rng.normal(size=(2, 3))],
    "gradient",
)


@kl.right
def kl_both(a, b):
    p = np.exp(a) / np.exp(a).sum(axis=-1)[:, None]
    q = np.exp(b) / np.exp(b).sum(axis=-1)[:, None]
    ratio = np.log(p / q)
    each = np.einsum("ij,ij->i", p, ratio)
    return p * (ratio - each[:, None]), q - p


kl.but(kl_both, by.MISSING, ("ratio - each[:, None]", "ratio"))
kl.but(
    kl_both,
    by.any_of(by.MISSING, "constant|\\+ ?1|1 is added"),
    ("ratio - each[:, None]", "ratio + 1 - each[:, None]"),
)
kl.but(kl_both, by.SIGN, ("q - p", "p - q"))
kl.but(kl_both, by.any_of(by.ZERO, by.MISSING), ("q - p", "np.zeros_like(b)"))
kl.but(kl_both, by.any_of(by.MISSING, by.OTHER, "/|divi"), ("q - p", "-p / q"))


def info_nce(u, v):
    s = tf.matmul(u, v, transpose_b=True) / 0.5
    return -tf.reduce_mean(tf.linalg.diag_part(tf.nn.log_softmax(s)))


nce = Case(
    "infonce", info_nce, lambda rng: [rng.normal(size=(3, 2)), rng.normal(size=(3, 2))], "gradient"
)


@nce.right
def nce_by_products(u, v):
    s = u @ v.T / 0.5
    s -= s.max(axis=1, keepdims=True)
    p = np.exp(s)
    p /= p.sum(axis=1, keepdims=True)
    p[np.diag_indices(len(u))] -= 1
    p /= len(u) * 0.5
    return p @ v, p.T @ u


nce.but(nce_by_products, by.TRANSPOSED, ("p.T @ u", "p @ u"))
nce.but(nce_by_products, by.any_of(by.FACTOR, by.HALF), ("len(u) * 0.5", "len(u)"))
nce.but(
    nce_by_products,
    by.any_of(by.MISSING, by.DIAGONAL),
    ("    p[np.diag_indices(len(u))] -= 1\n", ""),
)
nce.but(nce_by_products, by.any_of("axis", by.OTHER, by.ORDER), ("p.sum(axis=1", "p.sum(axis=0"))
nce.but(nce_by_products, by.SWAPPED, ("return p @ v, p.T @ u", "return p.T @ u, p @ v"))
