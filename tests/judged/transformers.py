# ruff: noqa: D103 - a candidate is described by its name
"""Backward passes of the parts of transformers: rotations, shared heads, biases, gates."""

from __future__ import annotations

import numpy as np

import symtape as tf
from tests.judged import causes as by
from tests.judged.case import Case

# --- rotary embeddings ----------------------------------------------------------------------------

ANGLES = np.outer(np.arange(3), [1.0, 0.1])


def rotated(x):
    a, b = x[:, :2], x[:, 2:]
    c, s = np.cos(ANGLES), np.sin(ANGLES)
    return tf.concat([a * c - b * s, b * c + a * s], 1)


rotary = Case("rotary embedding", rotated, lambda rng: [rng.normal(size=(3, 4))])


@rotary.right
def rotary_turned_back(x, g):
    c, s = np.tile(np.cos(ANGLES), 2), np.tile(np.sin(ANGLES), 2)
    half = np.concatenate([g[:, 2:], -g[:, :2]], axis=1)
    return g * c + half * s


@rotary.right
def rotary_complex(x, g):
    z = (g[:, :2] + 1j * g[:, 2:]) * np.exp(-1j * ANGLES)
    return np.concatenate([z.real, z.imag], axis=1)


rotary.but(rotary_turned_back, by.any_of(by.SIGN, by.SHIFT), ("g * c + half", "g * c - half"))
rotary.but(rotary_complex, by.any_of(by.SIGN, "divid"), ("np.exp(-1j", "np.exp(1j"))
rotary.but(rotary_turned_back, by.any_of(by.SIGN, by.ENTRIES), ("[g[:, 2:], -g", "[g[:, 2:], g"))
rotary.but(
    rotary_turned_back,
    by.any_of(by.SWAPPED, by.OTHER, by.SHIFT),
    (
        "np.concatenate([g[:, 2:], -g[:, :2]], axis=1)",
        "np.stack([g[:, 1::2], -g[:, ::2]], -1).reshape(3, 4)",
    ),
)
rotary.but(
    rotary_complex, by.any_of(by.SWAPPED, by.ORDER), ("[z.real, z.imag]", "[z.imag, z.real]")
)
rotary.but(
    rotary_complex, by.any_of(by.SHIFT, by.STALE, by.FACTOR), ("ANGLES)", "np.roll(ANGLES, 1, 0))")
)

# --- heads that share keys and values -------------------------------------------------------------


def grouped_heads(q, k, v):
    s = tf.einsum("ghid,gjd->ghij", q, k) / np.sqrt(2.0)
    return tf.einsum("ghij,gjd->ghid", tf.nn.softmax(s), v)


grouped = Case(
    "attention of shared heads",
    grouped_heads,
    lambda rng: [
        rng.normal(size=(2, 2, 3, 2)),
        rng.normal(size=(2, 3, 2)),
        rng.normal(size=(2, 3, 2)),
    ],
)


@grouped.right
def grouped_by_heads(q, k, v, g):
    dq, dk, dv = np.zeros_like(q), np.zeros_like(k), np.zeros_like(v)
    scale = 2**-0.5
    for h in range(q.shape[1]):
        for n in range(q.shape[0]):
            s = scale * q[n, h] @ k[n].T
            p = np.exp(s - s.max(-1, keepdims=True))
            p /= p.sum(-1, keepdims=True)
            dp = g[n, h] @ v[n].T
            ds = p * (dp - (p * dp).sum(-1, keepdims=True)) * scale
            dv[n] += p.T @ g[n, h]
            dk[n] += ds.T @ q[n, h]
            dq[n, h] = ds @ k[n]
    return dq, dk, dv


grouped.but(
    grouped_by_heads, by.any_of(by.MISSING, "overwritten|last"), ("dk[n] += ds", "dk[n] = ds")
)
grouped.but(
    grouped_by_heads, by.any_of(by.MEAN), ("dv[n] += p.T @ g[n, h]", "dv[n] += p.T @ g[n, h] / 2")
)
grouped.but(
    grouped_by_heads,
    by.any_of(by.FACTOR, by.MISSING),
    ("keepdims=True)) * scale\n", "keepdims=True))\n"),
)
grouped.but(
    grouped_by_heads,
    by.any_of(by.OTHER, by.STALE, "axis"),
    ("(p * dp).sum(-1,", "(p * dp).sum(0,"),
)
grouped.but(
    grouped_by_heads, by.any_of(by.ENTRIES, by.SHIFT, by.ZERO), ("range(q.shape[0])", "range(1)")
)
grouped.but(
    grouped_by_heads,
    by.any_of(by.SHIFT, by.STALE, by.OTHER),
    ("p.T @ g[n, h]", "p.T @ g[n, h - 1]"),
)

# --- a window and a bias by distance --------------------------------------------------------------

FAR = np.abs(np.subtract.outer(np.arange(5), np.arange(5)))


def attend_nearby(q, k, slope):
    s = tf.matmul(q, k, transpose_b=True) - slope * FAR
    return tf.nn.softmax(tf.where(FAR <= 2, s, -np.inf))


nearby = Case(
    "weights of a window",
    attend_nearby,
    lambda rng: [rng.normal(size=(5, 2)), rng.normal(size=(5, 2)), rng.uniform(0.1, 1.0)],
)


@nearby.right
def nearby_by_rows(q, k, slope, g):
    dq, dk, dslope = np.zeros_like(q), np.zeros_like(k), 0.0
    for i in range(5):
        window = np.arange(max(0, i - 2), min(5, i + 3))
        s = k[window] @ q[i] - slope * np.abs(window - i)
        p = np.exp(s - np.max(s))
        p = p / np.sum(p)
        ds = p * (g[i, window] - p @ g[i, window])
        dq[i] = ds @ k[window]
        dk[window] += ds[:, None] * q[i]
        dslope -= ds @ np.abs(window - i)
    return dq, dk, dslope


nearby.but(nearby_by_rows, by.any_of(by.SHIFT, by.MASK), ("min(5, i + 3)", "min(5, i + 2)"))
nearby.but(nearby_by_rows, by.any_of(by.SIGN), ("dslope -= ds", "dslope += ds"))
nearby.but(
    nearby_by_rows,
    by.any_of(by.MASK, by.MISSING),
    ("s = k[window] @ q[i] - slope * np.abs(window - i)", "s = k[window] @ q[i]"),
)
nearby.but(
    nearby_by_rows,
    by.any_of(by.SIGN, by.OTHER, by.MISSING),
    ("ds @ np.abs(window - i)", "ds @ (window - i)"),
)
nearby.but(nearby_by_rows, by.any_of(by.MASK, by.OTHER), ("p @ g[i, window]", "p @ g[i, :len(p)]"))
nearby.but(
    nearby_by_rows,
    by.any_of(by.ZERO, by.ENTRIES, by.MISSING),
    ("dk[window] += ds[:, None] * q[i]", "dk[i] += ds.sum() * q[i]"),
)

# --- a feed-forward block with a packed gate ------------------------------------------------------


def gated_block(x, w, u):
    a, b = tf.split(x @ w, 2, axis=-1)
    return (a * tf.sigmoid(a) * b) @ u


block = Case(
    "gated block",
    gated_block,
    lambda rng: [rng.normal(size=(3, 2)), rng.normal(size=(2, 6)), rng.normal(size=(3, 2))],
)


@block.right
def block_recomputed(x, w, u, g):
    ab = x @ w
    a, b = ab[:, :3], ab[:, 3:]
    s = 1 / (1 + np.exp(-a))
    silu = a * s
    dh = g @ u.T
    dab = np.empty_like(ab)
    dab[:, :3] = dh * b * (s + silu * (1 - s))
    dab[:, 3:] = dh * silu
    return dab @ w.T, x.T @ dab, (silu * b).T @ g


block.but(
    block_recomputed, by.any_of(by.MISSING, by.OTHER), ("(s + silu * (1 - s))", "s * (1 - s)")
)
block.but(
    block_recomputed,
    by.any_of(by.SWAPPED, by.STALE, by.OTHER, by.ORDER),
    ("ab[:, :3], ab[:, 3:]", "ab[:, 3:], ab[:, :3]"),
)
block.but(block_recomputed, by.any_of(by.MISSING, by.FACTOR, by.STALE), ("dh * silu", "dh * a"))
block.but(
    block_recomputed, by.any_of(by.MISSING, by.STALE, by.FACTOR), ("(silu * b).T @ g", "silu.T @ g")
)
block.but(block_recomputed, by.any_of(by.SIGN, by.FACTOR, by.OTHER), ("np.exp(-a)", "np.exp(a)"))
block.but(block_recomputed, by.any_of(by.SIGN, by.FACTOR), ("silu * (1 - s))", "silu * (s - 1))"))
