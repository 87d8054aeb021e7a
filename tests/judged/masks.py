# ruff: noqa: D103 - a candidate is described by its name
"""Backward passes with masks: padded keys, entries that are left out, weights of classes."""

from __future__ import annotations

import math

import numpy as np
import scipy.special

import symtape as tf
from tests.judged import causes as by
from tests.judged.case import Case

# --- a mean over what is labelled -----------------------------------------------------------------


def loss_of_positives(z, y):
    return tf.reduce_sum(tf.nn.sigmoid_cross_entropy_with_logits(y, z)) / tf.reduce_sum(y)


positives = Case(
    "a mean over positives",
    loss_of_positives,
    lambda rng: [rng.normal(size=4), rng.permutation([0.0, 1.0, 1.0, 0.0])],
    "gradient",
    {"wrt": [0]},
)


def draw_three(rng):
    return [rng.normal(size=4), np.array([1.0, 1.0, 0.0, 1.0])]


@positives.right
def counted(z, y):
    return (scipy.special.expit(z) - y) / y.sum()


@positives.wrong(by.INSTEAD, witness=draw_three)
def of_two_positives(z, y):
    return (scipy.special.expit(z) - y) / 2


@positives.wrong(by.INSTEAD)
def over_all_labels(z, y):
    return (scipy.special.expit(z) - y) / y.size


# --- places up to a length ------------------------------------------------------------------------


def pooled_by_lengths(x, n):
    kept = tf.cast(tf.range(tf.shape(x)[1])[None] < n[:, None], x.dtype)
    return tf.reduce_sum(x * x * kept) / tf.cast(tf.reduce_sum(n), x.dtype)


pooled = Case(
    "squares up to a length",
    pooled_by_lengths,
    lambda rng: [rng.normal(size=(3, 4)), np.array([2, 4, 3], "int32")],
    "gradient",
    {"wrt": [0]},
)


@pooled.right
def up_to_a_length(x, n):
    return 2 * x * (np.arange(x.shape[1]) < n[:, None]) / n.sum()


pooled.but(up_to_a_length, r"the factor \[n", (" * (np.arange(x.shape[1]) < n[:, None])", ""))
pooled.but(up_to_a_length, by.MASK, ("<", "<="))


# --- keys that are padding ------------------------------------------------------------------------


def padded_attention(q, k, v, keep):
    s = tf.einsum("bhid,bhjd->bhij", q, k) / math.sqrt(3.0)
    s = tf.where(keep[:, None, None, :], s, -1e9)
    return tf.einsum("bhij,bhjd->bhid", tf.nn.softmax(s), v)


def draw_pad(r):
    keep = r.random((2, 4)) < 0.7
    keep[:, 0] = True
    keep[0, 3] = False
    return [
        r.normal(size=(2, 1, 3, 3)),
        r.normal(size=(2, 1, 4, 3)),
        r.normal(size=(2, 1, 4, 3)),
        keep,
    ]


padded = Case("attention of padded keys", padded_attention, draw_pad)


@padded.right
def padded_recomputed(q, k, v, keep, g):
    scale = q.dtype.type(1 / np.sqrt(3))
    s = (q @ k.swapaxes(-1, -2)) * scale
    s = np.where(keep[:, None, None], s, -np.inf)
    m = s.max(-1, keepdims=True)
    p = np.exp(s - m)
    p /= p.sum(-1, keepdims=True)
    o = p @ v
    delta = (o * g).sum(-1, keepdims=True)
    dp = g @ v.swapaxes(-1, -2)
    ds = p * (dp - delta)
    return ds @ k * scale, ds.swapaxes(-1, -2) @ q * scale, p.swapaxes(-1, -2) @ g


padded.but(
    padded_recomputed,
    by.any_of(by.MASK, by.MISSING),
    ("s = np.where(keep[:, None, None], s, -np.inf)", "s = s"),
)
padded.but(
    padded_recomputed,
    by.any_of(by.MASK, by.MISSING, by.OTHER),
    ("s = np.where(keep[:, None, None], s, -np.inf)", "s = np.where(keep[:, None, None], s, 0)"),
)
padded.but(
    padded_recomputed, by.FACTOR, ("ds.swapaxes(-1, -2) @ q * scale", "ds.swapaxes(-1, -2) @ q")
)
padded.but(
    padded_recomputed,
    by.any_of(
        by.MISSING,
    ),
    ("ds = p * (dp - delta)", "ds = p * dp"),
)
padded.but(
    padded_recomputed,
    by.any_of(by.OTHER, by.MISSING, by.STALE, "axis"),
    ("delta = (o * g).sum(-1", "delta = (o * g).mean(-1"),
)
padded.but(
    padded_recomputed,
    by.any_of(by.TRANSPOSED, by.OTHER, by.STALE, by.SHIFT),
    ("(q @ k.swapaxes(-1, -2)) * scale", "(q @ k.swapaxes(-1, -2)) / 3"),
)

# --- entries that are left out --------------------------------------------------------------------


def masked_lse(x, keep):
    return tf.reduce_logsumexp(tf.where(keep, x, -np.inf), axis=-1)


kept = Case(
    "log sum exp of what is kept",
    masked_lse,
    lambda r: [
        r.normal(size=(2, 4)),
        np.array([[True, False, True, True], [True, True, False, False]]),
    ],
)


@kept.right
def kept_shares(x, keep, g):
    e = keep * np.exp(x - np.max(x, axis=-1, keepdims=True, where=keep, initial=-np.inf))
    return g[:, None] * e / e.sum(-1, keepdims=True)


kept.but(kept_shares, by.any_of(by.MASK, by.MISSING), ("e = keep * np.exp", "e = np.exp"))
kept.but(
    kept_shares,
    by.any_of(by.MASK, by.OTHER, by.STALE),
    ("e / e.sum(-1, keepdims=True)", "e / e.sum()"),
)

# --- classes with weights, labels that do not count -----------------------------------------------


def weighted_ce(z, w, y):
    eps = 0.1
    keep = tf.cast(y >= 0, z.dtype)
    yy = tf.maximum(y, 0)
    lp = tf.nn.log_softmax(z)
    wy = tf.gather(w, yy) * keep
    nll = -tf.gather(lp, yy, axis=1, batch_dims=1)
    smooth = -tf.reduce_sum(lp * w, axis=1) / 4.0
    return tf.reduce_sum((1 - eps) * nll * wy + eps * smooth * keep) / tf.reduce_sum(wy)


def draw_ce(r):
    return [r.normal(size=(5, 4)), r.uniform(0.5, 2, size=4), np.array([1, -1, 3, 0, -1])]


weighted = Case(
    "weighted smoothed cross entropy",
    weighted_ce,
    draw_ce,
    kind="gradient",
    options={"wrt": 0},
)


@weighted.right
def weighted_ce_rows(z, w, y):
    eps, dz = 0.1, np.zeros_like(z)
    total = w[y[y >= 0]].sum()
    for i, t in enumerate(y):
        if t < 0:
            continue
        p = scipy.special.softmax(z[i])
        hot = np.eye(4)[t]
        dz[i] = (1 - eps) * w[t] * (p - hot) + eps / 4 * (w.sum() * p - w)
    return dz / total


weighted.but(
    weighted_ce_rows,
    by.any_of(by.MASK, by.MISSING, by.ENTRIES),
    ("        if t < 0:\n            continue\n", ""),
)
weighted.but(weighted_ce_rows, by.MEAN, ("w[y[y >= 0]].sum()", "(y >= 0).sum()"))
weighted.but(
    weighted_ce_rows, by.any_of(by.MEAN, by.OTHER, by.MASK), ("w[y[y >= 0]].sum()", "w[y].sum()")
)
weighted.but(
    weighted_ce_rows, by.any_of(by.MISSING, by.FACTOR, by.OTHER), ("(w.sum() * p - w)", "(p - w)")
)
weighted.but(weighted_ce_rows, by.any_of(by.FACTOR, by.MISSING), ("(1 - eps) * w[t]", "w[t]"))
weighted.but(
    weighted_ce_rows, by.any_of(by.FACTOR, by.CONSTANT, by.MISSING), ("eps / 4", "eps / 3")
)

# --- shares of the edges of a graph ---------------------------------------------------------------


def graph_attention(s, x, dst):
    m = tf.gather(tf.math.segment_max(s, dst), dst)
    e = tf.exp(s - tf.stop_gradient(m))
    p = e / tf.gather(tf.math.segment_sum(e, dst), dst)
    return tf.math.segment_sum(p[:, None] * x, dst)


edges = Case(
    "attention over edges",
    graph_attention,
    lambda r: [r.normal(size=6), r.normal(size=(6, 2)), np.array([0, 0, 0, 1, 1, 2])],
    options={"wrt": (0, 1)},
)


@edges.right
def edges_backward(s, x, dst, g):
    n = dst.max() + 1
    e = np.exp(s)
    p = e / np.bincount(dst, e, n)[dst]
    dp = np.einsum("ed,ed->e", g[dst], x)
    back = np.zeros(n)
    np.add.at(back, dst, p * dp)
    return p * (dp - back[dst]), p[:, None] * g[dst]


edges.but(edges_backward, by.any_of(by.MISSING), ("(dp - back[dst])", "dp"))
edges.but(
    edges_backward,
    by.any_of(by.MISSING, by.OTHER, "overwritten|last"),
    ("np.add.at(back, dst, p * dp)", "back[dst] += p * dp"),
)
edges.but(
    edges_backward, by.any_of(by.OTHER, by.MISSING, by.STALE), ("back[dst])", "np.sum(p * dp))")
)
edges.but(edges_backward, by.any_of(by.MISSING, by.FACTOR), ("p[:, None] * g[dst]", "g[dst]"))
