# ruff: noqa: D103 - a candidate is described by its name
"""Pieces of programs: places that repeat, windows with a side, loops over numbers, sorts."""

from __future__ import annotations

import math

import numpy as np

import symtape as tf
from tests.judged import causes as by
from tests.judged.case import Case

# --- a signal of twice the length -----------------------------------------------------------------


def lengthened(x):
    n = x.shape[-1]
    found = []
    for o in range(2 * n):
        at = max((o + 0.5) / 2 - 0.5, 0.0)
        i = int(at)
        j = min(i + 1, n - 1)
        found.append(x[..., i] * (1 - (at - i)) + x[..., j] * (at - i))
    return tf.stack(found, -1)


longer = Case("signal of twice the length", lengthened, lambda rng: [rng.normal(size=(2, 4))])


@longer.right
def spread(x, g):
    n = x.shape[-1]
    at = np.maximum((np.arange(2 * n) + 0.5) / 2 - 0.5, 0)
    i = np.floor(at).astype(int)
    j = np.minimum(i + 1, n - 1)
    part = at - i
    dx = np.zeros_like(x)
    np.add.at(dx, (..., i), g * (1 - part))
    np.add.at(dx, (..., j), g * part)
    return dx


longer.but(
    spread,
    by.any_of(by.OTHER, by.SHIFT),
    ("(np.arange(2 * n) + 0.5) / 2 - 0.5", "np.arange(2 * n) / 2"),
)
longer.but(spread, by.any_of(by.SHIFT, by.CONSTANT), ("(..., j), g * part", "(..., i), g * part"))

# --- windows that are padded at one side ----------------------------------------------------------


def of_groups(x, w):
    halves = [
        tf.nn.conv2d(x[..., 2 * k : 2 * k + 2], w[..., k : k + 1], strides=2, padding="SAME")
        for k in range(2)
    ]
    return tf.concat(halves, -1)


windows = Case(
    "strided windows of two groups",
    of_groups,
    lambda rng: [rng.normal(size=(2, 5, 4, 4)), rng.normal(size=(3, 3, 2, 2))],
)


@windows.right
def by_window(x, w, g):
    (_, H, W, _), (kh, kw, own, _) = x.shape, w.shape
    h, v = g.shape[1:3]
    top, left = max((h - 1) * 2 + kh - H, 0), max((v - 1) * 2 + kw - W, 0)
    a, b = top // 2, left // 2
    padded = np.pad(x, ((0, 0), (a, top - a), (b, left - b), (0, 0)))
    dx, dw = np.zeros_like(padded), np.zeros_like(w)
    for k in range(2):
        part = slice(k * own, (k + 1) * own)
        for i in range(kh):
            for j in range(kw):
                at = slice(None), slice(i, i + 2 * h, 2), slice(j, j + 2 * v, 2), part
                dw[i, j, :, k] += np.einsum("nhwc,nhw->c", padded[at], g[..., k])
                dx[at] += g[..., k, None] * w[i, j, :, k]
    return dx[:, a : a + H, b : b + W], dw


windows.but(
    by_window,
    by.SHIFT,
    ("dx[:, a : a + H", "dx[:, top - a : top - a + H"),
    witness=lambda rng: [rng.normal(size=(2, 6, 4, 4)), rng.normal(size=(3, 3, 2, 2))],
)
windows.but(by_window, by.SHIFT, ("b : b + W], dw", "left - b : left - b + W], dw"))

# --- numbers of Python ----------------------------------------------------------------------------


def squares(w, x):
    return sum((w[2] * math.tanh(w[0] * a + w[1]) - 1.0) ** 2 for a in x) / len(x)


numbers = Case(
    "network of Python's numbers",
    squares,
    lambda rng: [rng.normal(size=3), rng.normal(size=4)],
    kind="gradient",
    options={"wrt": [0]},
)


@numbers.right
def turn_by_turn(w, x):
    g0 = g1 = g2 = 0.0
    for a in x:
        h = math.tanh(w[0] * a + w[1])
        e = 2 * (w[2] * h - 1.0) / len(x)
        g2 += e * h
        d = e * w[2] * (1 - h * h)
        g0 += d * a
        g1 += d
    return [g0, g1, g2]


numbers.but(turn_by_turn, "overwritten", ("g1 += d", "g1 = d"))
numbers.but(turn_by_turn, by.FACTOR, ("(1 - h * h)", "(1 - h)"))

# --- a rate that is learned -----------------------------------------------------------------------


def after_steps(rate, w, A):
    v = tf.zeros_like(w)
    for _ in range(4):
        v = 0.9 * v + tf.linalg.matvec(A, w)
        w = w - rate * v
    return tf.reduce_sum(w * tf.linalg.matvec(A, w)) / 2


learned = Case(
    "rate of steps with momentum",
    after_steps,
    lambda rng: [np.array(0.1), rng.normal(size=3), rng.normal(size=(3, 3))],
    kind="gradient",
    options={"wrt": [0]},
)


@learned.right
def backwards(rate, w, A):
    v, steps = np.zeros_like(w), []
    for _ in range(4):
        v = 0.9 * v + A @ w
        w = w - rate * v
        steps.append(v)
    dw, dv, found = (A + A.T) @ w / 2, np.zeros_like(w), 0.0
    for v in reversed(steps):
        found -= dw @ v
        dv = dv - rate * dw
        dw = dw + A.T @ dv
        dv = 0.9 * dv
    return found


learned.but(backwards, "0.9|is missing", ("        dv = 0.9 * dv\n", ""))
learned.but(backwards, by.SIGN, ("found -= dw", "found += dw"))

# --- a mean without the ends ----------------------------------------------------------------------


def between(x):
    return tf.reduce_mean(tf.sort(x, axis=-1)[:, 1:-1], axis=-1)


trimmed = Case("mean without the ends", between, lambda rng: [rng.normal(size=(3, 5))])


@trimmed.right
def at_their_places(x, g):
    places = np.argsort(x, axis=-1)[:, 1:-1]
    dx = np.zeros_like(x)
    np.put_along_axis(dx, places, g[:, None] / places.shape[1], axis=-1)
    return dx


trimmed.but(
    at_their_places,
    by.ORDER,
    (
        "np.put_along_axis(dx, places, g[:, None] / places.shape[1], axis=-1)",
        "dx[:, 1:-1] = g[:, None] / places.shape[1]",
    ),
)
trimmed.but(at_their_places, by.ORDER, ("[:, 1:-1]", "[:, :-2]"))

# --- a gate by tanh -------------------------------------------------------------------------------


def gated(a, b):
    return tf.nn.gelu(a, approximate=True) * b


gate = Case("gate of gelu", gated, lambda rng: [rng.normal(size=(3, 2)), rng.normal(size=(3, 2))])


@gate.right
def by_tanh(a, b, g):
    c = np.sqrt(2 / np.pi)
    t = np.tanh(c * (a + 0.044715 * a**3))
    slope = 0.5 * (1 + t) + 0.5 * a * (1 - t**2) * c * (1 + 3 * 0.044715 * a**2)
    return g * b * slope, g * 0.5 * a * (1 + t)


gate.but(by_tanh, "parentheses", ("(1 - t**2)", "(1 - t)**2"))
gate.but(
    by_tanh, "0.044175 is wrong, and 0.044715 is right", ("0.044715 * a**3", "0.044175 * a**3")
)
