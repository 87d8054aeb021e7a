# ruff: noqa: D103 - a candidate is described by its name
"""Backward passes of attention and convolutions."""

from __future__ import annotations

import numpy as np

import symtape as tf
from tests.judged import causes as by
from tests.judged.case import Case


def qkv(rng):
    return [rng.normal(size=(3, 2)) for _ in range(3)]


def attend(q, k, v):
    return tf.matmul(tf.nn.softmax(tf.matmul(q, k, transpose_b=True) / np.sqrt(2.0)), v)


attention = Case("attention", attend, qkv)


@attention.right
def attention_by_matrices(q, k, v, g):
    s = q @ k.T * 0.7071067811865476
    p = np.exp(s - s.max(-1, keepdims=True))
    p = p / p.sum(-1, keepdims=True)
    dv = p.T @ g
    dp = g @ v.T
    ds = p * (dp - np.sum(dp * p, axis=-1, keepdims=True))
    ds *= 0.7071067811865476
    return ds @ k, ds.T @ q, dv


@attention.right
def attention_flash(q, k, v, g):
    scale = 1 / np.sqrt(q.shape[1])
    dq, dk, dv = np.zeros_like(q), np.zeros_like(k), np.zeros_like(v)
    for i in range(len(q)):
        m, total, out = -np.inf, 0.0, np.zeros(v.shape[1])
        for j in range(len(k)):
            s = scale * (q[i] @ k[j])
            new = np.maximum(m, s)
            out = out * np.exp(m - new) + np.exp(s - new) * v[j]
            total = total * np.exp(m - new) + np.exp(s - new)
            m = new
        lse = m + np.log(total)
        delta = g[i] @ (out / total)
        for j in range(len(k)):
            p = np.exp(scale * (q[i] @ k[j]) - lse)
            dv[j] += p * g[i]
            ds = p * (g[i] @ v[j] - delta) * scale
            dq[i] += ds * k[j]
            dk[j] += ds * q[i]
    return dq, dk, dv


attention.but(attention_by_matrices, by.MISSING, (" - np.sum(dp * p, axis=-1, keepdims=True)", ""))
attention.but(
    attention_by_matrices,
    by.any_of(by.FACTOR, by.MISSING, "scal"),
    ("    ds *= 0.7071067811865476\n", ""),
)
attention.but(attention_by_matrices, by.TRANSPOSED, ("ds.T @ q", "ds @ q"))
attention.but(attention_by_matrices, by.TRANSPOSED, ("p.T @ g", "p @ g"))
attention.but(attention_by_matrices, by.SWAPPED, ("ds @ k, ds.T @ q", "ds.T @ q, ds @ k"))
attention.but(
    attention_by_matrices,
    by.any_of("axis", by.OTHER),
    ("np.sum(dp * p, axis=-1, keepdims=True)", "np.sum(dp * p, axis=0, keepdims=True)"),
)
attention.but(
    attention_flash,
    by.any_of("rescal|online|maxim", by.STALE, by.MISSING, by.FACTOR),
    ("total = total * np.exp(m - new) + np", "total = total + np"),
)
attention.but(
    attention_flash, by.any_of("last|accumulat|sum", by.MISSING), ("dk[j] += ds", "dk[j] = ds")
)
attention.but(
    attention_flash,
    by.any_of(by.STALE, by.FACTOR, by.MISSING, "normal"),
    ("g[i] @ (out / total)", "g[i] @ out"),
)


def attend_causally(q, k, v):
    s = tf.matmul(q, k, transpose_b=True)
    s = tf.where(np.tril(np.ones((3, 3), bool)), s, -1e30)
    return tf.matmul(tf.nn.softmax(s), v)


causal = Case("causal attention", attend_causally, qkv)


@causal.right
def causal_by_prefixes(q, k, v, g):
    dq, dk, dv = (np.zeros(a.shape) for a in (q, k, v))
    for i in range(len(q)):
        seen = slice(0, i + 1)
        e = np.exp(k[seen] @ q[i])
        p = e / e.sum()
        dp = v[seen] @ g[i]
        ds = p * (dp - p @ dp)
        dq[i] = ds @ k[seen]
        dk[seen] += np.outer(ds, q[i])
        dv[seen] += np.outer(p, g[i])
    return dq, dk, dv


causal.but(
    causal_by_prefixes,
    by.any_of(by.MASK, "causal", by.SHIFT),
    ("slice(0, i + 1)", "slice(0, len(q))"),
)
causal.but(
    causal_by_prefixes,
    by.any_of(by.SHIFT, by.MASK, "mask"),
    ("slice(0, i + 1)", "slice(0, i or 1)"),
)
causal.but(
    causal_by_prefixes,
    by.any_of("last|accumulat|sum", by.MASK),
    ("dv[seen] += np", "dv[seen] = np"),
)
causal.but(causal_by_prefixes, by.MISSING, ("(dp - p @ dp)", "dp"))

# --- convolutions and pooling ---------------------------------------------------------------------


def convolve(x, w):
    windows = tf.stack([x[0:4], x[1:5], x[2:6]], axis=1)
    return tf.linalg.matvec(windows, w)


conv = Case(
    "convolution of a signal", convolve, lambda rng: [rng.normal(size=6), rng.normal(size=3)]
)


@conv.right
def conv_scattered(x, w, g):
    dx = np.zeros_like(x)
    dw = np.zeros_like(w)
    for t in range(len(g)):
        dx[t : t + 3] += g[t] * w
        dw += g[t] * x[t : t + 3]
    return dx, dw


@conv.right
def conv_full(x, w, g):
    padded = np.concatenate([np.zeros(2), g, np.zeros(2)])
    dx = np.array([padded[t : t + 3] @ w[::-1] for t in range(6)])
    dw = np.array([x[k : k + 4] @ g for k in range(3)])
    return dx, dw


conv.but(conv_full, by.any_of(by.ORDER, "mirror", by.TRANSPOSED), ("w[::-1]", "w"))
conv.but(conv_full, by.SHIFT, ("np.zeros(2), g, np.zeros(2)", "np.zeros(1), g, np.zeros(3)"))
conv.but(
    conv_scattered,
    by.any_of("overlap|accumulat|sum|last", by.MISSING),
    ("dx[t : t + 3] += g", "dx[t : t + 3] = g"),
)
conv.but(conv_scattered, by.any_of(by.SHIFT), ("range(len(g))", "range(1, len(g))"))
conv.but(
    conv_scattered,
    by.any_of(by.SHIFT),
    ("g[t] * x[t : t + 3]", "g[t] * x[t + 1 : t + 4] if t < 3 else 0"),
)

conv2 = Case(
    "convolution of images",
    lambda x, w: tf.nn.conv2d(x, w, strides=2, padding="VALID"),
    lambda rng: [rng.normal(size=(1, 5, 5, 2)), rng.normal(size=(3, 3, 2, 2))],
)


@conv2.right
def conv2_by_windows(x, w, g):
    dx, dw = np.zeros_like(x), np.zeros_like(w)
    for i in range(2):
        for j in range(2):
            a, b = slice(2 * i, 2 * i + 3), slice(2 * j, 2 * j + 3)
            dx[:, a, b] += np.einsum("no,hwco->nhwc", g[:, i, j], w)
            dw += np.einsum("nhwc,no->hwco", x[:, a, b], g[:, i, j])
    return dx, dw


conv2.but(
    conv2_by_windows,
    by.any_of("stride", by.SHIFT, by.ENTRIES),
    ("slice(2 * j, 2 * j + 3)", "slice(j, j + 3)"),
)
conv2.but(
    conv2_by_windows,
    by.any_of("flip|revers|mirror|order", by.TRANSPOSED),
    ("g[:, i, j], w)", "g[:, i, j], w[::-1, ::-1])"),
)
conv2.but(
    conv2_by_windows,
    by.any_of("accumulat|overlap|sum|last", by.MISSING),
    ("dx[:, a, b] += np", "dx[:, a, b] = np"),
)
conv2.but(
    conv2_by_windows,
    by.TRANSPOSED,
    ('"no,hwco->nhwc", g[:, i, j], w', '"no,hwco->nhwc", g[:, i, j], w.swapaxes(2, 3)'),
)

pool = Case(
    "max pooling",
    lambda x: tf.reduce_max(tf.reshape(x, (3, 2)), axis=1),
    lambda rng: [rng.normal(size=6)],
)


@pool.right
def pool_by_argmax(x, g):
    dx = np.zeros(6)
    for k in range(3):
        best = 2 * k + np.argmax(x[2 * k : 2 * k + 2])
        dx[best] = g[k]
    return dx


@pool.right
def pool_even(x, g):
    pairs = x.reshape(3, 2)
    hit = pairs == pairs.max(axis=1, keepdims=True)
    return (hit / hit.sum(axis=1, keepdims=True) * g[:, None]).reshape(6)


pool.but(
    pool_even,
    by.TIES,
    (" / hit.sum(axis=1, keepdims=True)", ""),
    witness=lambda rng: [np.array([1.0, 1.0, 2.0, 3.0, 5.0, 5.0])],
)
pool.but(
    pool_by_argmax,
    by.any_of("min|max|other", by.SIGN, by.ENTRIES, by.MASK, by.OTHER),
    ("np.argmax", "np.argmin"),
)
pool.but(pool_by_argmax, by.any_of(by.SHIFT, by.ENTRIES, by.MISSING), ("2 * k + np", "np"))

avg = Case(
    "average pooling with overlap",
    lambda x: tf.stack([tf.reduce_mean(x[t : t + 3]) for t in range(4)]),
    lambda rng: [rng.normal(size=6)],
)


@avg.right
def avg_by_cumsum(x, g):
    total = np.concatenate([[0.0], np.cumsum(g)])
    ends = np.minimum(np.arange(6) + 1, 4)
    starts = np.maximum(np.arange(6) - 2, 0)
    return (total[ends] - total[starts]) / 3


avg.but(avg_by_cumsum, by.MEAN, (" / 3", ""))
avg.but(avg_by_cumsum, by.any_of(by.SHIFT, by.ENTRIES), ("np.arange(6) - 2", "np.arange(6) - 1"))
avg.but(avg_by_cumsum, by.any_of(by.MEAN, by.ENTRIES), (" / 3", " / (ends - starts)"))
