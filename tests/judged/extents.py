# ruff: noqa: D103 - a candidate is described by its name
"""Candidates that are right up to a size, a count or a length, and wrong beyond it."""

from __future__ import annotations

import numpy as np

import symtape as tf
from tests.judged import causes as by
from tests.judged.case import Case

_BEYOND = "beyond a size that it has a number for"

# --- blocks of a kernel ---------------------------------------------------------------------------

blocks = Case("cubes in blocks", lambda x: x**3, lambda rng: [rng.normal(size=5)])


@blocks.right
def by_blocks(x, g):
    out = np.zeros_like(x)
    for start in range(0, len(x), 16):
        own = slice(start, start + 16)
        out[own] = 3 * x[own] ** 2 * g[own]
    return out


def first_block(rng):
    return [rng.normal(size=20)]


@blocks.wrong(_BEYOND, witness=first_block)
def of_the_first_block(x, g):
    out, block = np.zeros_like(x), 16
    out[:block] = 3 * x[:block] ** 2 * g[:block]
    return out


@blocks.wrong(_BEYOND, witness=first_block)
def of_whole_blocks(x, g):
    out = 3 * x**2 * g
    if len(x) >= 8:
        out[len(x) // 8 * 8 :] = 0
    return out


# --- one number -----------------------------------------------------------------------------------

squares = Case("squares of numbers", tf.square, lambda rng: [rng.normal(size=5)])


@squares.right
def of_each(x, g):
    return 2 * x * g


@squares.wrong("wrong for a size of one", witness=lambda rng: [rng.normal(size=1)])
def of_several(x, g):
    return 2 * x * g if len(x) > 1 else x * x * g


# --- steps back in time ---------------------------------------------------------------------------


def recurrent(x, w):
    h = tf.zeros((), x.dtype)
    for t in range(x.shape[0]):
        h = tf.tanh(w * h + x[t])
    return h


back = Case(
    "steps back in time", recurrent, lambda rng: [rng.normal(size=3) / 2, np.array(0.9)], "vjp"
)


@back.right
def all_steps(x, w, g):
    states = [0.0]
    for v in x:
        states.append(np.tanh(w * states[-1] + v))
    dx, dw = np.zeros(len(x)), 0.0
    for t in range(len(x) - 1, -1, -1):
        g = g * (1 - states[t + 1] ** 2)
        dx[t], dw = g, dw + g * states[t]
        g = g * w
    return dx, dw


@back.wrong(_BEYOND, witness=lambda rng: [rng.normal(size=7) / 2, np.array(0.9)])
def four_steps(x, w, g):
    states = [0.0]
    for v in x:
        states.append(np.tanh(w * states[-1] + v))
    dx, dw = np.zeros(len(x)), 0.0
    for t in range(len(x) - 1, max(-1, len(x) - 5), -1):
        g = g * (1 - states[t + 1] ** 2)
        dx[t], dw = g, dw + g * states[t]
        g = g * w
    return dx, dw


back.but(all_steps, by.any_of(by.SHIFT, by.STALE, by.OTHER), ("g * states[t]", "g * states[t + 1]"))
back.but(all_steps, by.any_of(by.MISSING, by.FACTOR), ("        g = g * w\n", ""))
back.but(all_steps, by.any_of(by.MISSING, "power", by.SIGN), ("(1 - states[t + 1] ** 2)", "1.0"))

# --- counts ---------------------------------------------------------------------------------------


def counted(z, n, t):
    return tf.reduce_sum(t * tf.exp(z) - tf.cast(n, z.dtype) * z)


counts = Case(
    "counts in a time",
    counted,
    lambda rng: [rng.normal(size=4), rng.integers(0, 4, 4), rng.uniform(1, 2, 4)],
    "gradient",
    {"wrt": 0},
)


@counts.right
def beside_a_rate(z, n, t):
    return t * np.exp(z) - n


@counts.wrong(
    by.any_of("n has", "branch", "number"),
    witness=lambda rng: [rng.normal(size=4), np.array([5, 7, 1, 0]), rng.uniform(1, 2, 4)],
)
def of_few(z, n, t):
    return t * np.exp(z) - np.minimum(n, 4)


counts.but(beside_a_rate, by.any_of(by.MISSING, by.FACTOR), ("t * np.exp(z)", "np.exp(z)"))
counts.but(beside_a_rate, by.any_of(by.SIGN), ("- n", "+ n"))

# --- lengths of sequences -------------------------------------------------------------------------


def entropy(z, labels, lengths):
    kept = tf.sequence_mask(lengths, z.shape[1], dtype=z.dtype)
    chosen = tf.one_hot(labels, z.shape[2], dtype=z.dtype)
    each = tf.reduce_sum(chosen * tf.nn.log_softmax(z), axis=-1)
    return -tf.reduce_sum(each * kept) / tf.reduce_sum(kept)


lengths = Case(
    "cross entropy up to a length",
    entropy,
    lambda rng: [rng.normal(size=(2, 4, 3)), rng.integers(0, 3, (2, 4)), np.array([4, 2])],
    "gradient",
    {"wrt": 0},
)


@lengths.right
def up_to_a_length(z, labels, lengths):
    e = np.exp(z - z.max(-1, keepdims=True))
    p = e / e.sum(-1, keepdims=True)
    out, total = np.zeros_like(p), 0
    for b in range(len(p)):
        for t in range(lengths[b]):
            out[b, t] = p[b, t]
            out[b, t, labels[b, t]] -= 1
            total += 1
    return out / total


lengths.but(
    up_to_a_length,
    by.any_of(by.MASK, by.ENTRIES),
    ("range(lengths[b])", "range(p.shape[1])"),
)
lengths.but(up_to_a_length, by.any_of(by.SHIFT), ("range(lengths[b])", "range(lengths[b] - 1)"))
lengths.but(up_to_a_length, by.any_of(by.MEAN), ("out / total", "out / len(p)"))
lengths.but(
    up_to_a_length,
    by.any_of(by.SHIFT, "belong", by.OTHER),
    ("labels[b, t]] -= 1", "labels[b, t - 1]] -= 1"),
)
