# ruff: noqa: D103 - a candidate is described by its name
"""Passes back through steps in time: a filter, alignments, a causal convolution."""

from __future__ import annotations

import numpy as np

import symtape as tf
from tests.judged import causes as by
from tests.judged.case import Case

# --- a filter -------------------------------------------------------------------------------------


def kalman(y, q, r):
    m, P, total = tf.constant(0.0, tf.float64), tf.constant(1.0, tf.float64), 0.0
    for t in range(4):
        P = P + q
        S = P + r
        e = y[t] - m
        total = total - 0.5 * (tf.math.log(2 * np.pi * S) + e * e / S)
        K = P / S
        m = m + K * e
        P = (1 - K) * P
    return total


filtered = Case(
    "likelihood of a filter",
    kalman,
    lambda rng: [rng.normal(size=4), np.array(rng.uniform(0.2, 2)), np.array(rng.uniform(0.2, 2))],
    "gradient",
)


@filtered.right
def kalman_back(y, q, r):
    m, P = 0.0, 1.0
    tape = []
    for t in range(len(y)):
        Pp = P + q
        S = Pp + r
        e = y[t] - m
        K = Pp / S
        tape.append((Pp, S, e, K))
        m = m + K * e
        P = (1 - K) * Pp
    gm = gP = gq = gr = 0.0
    gy = np.zeros_like(y)
    for t in reversed(range(len(y))):
        Pp, S, e, K = tape[t]
        gK = gm * e - gP * Pp
        ge = gm * K - e / S
        gS = -0.5 / S + 0.5 * e * e / S**2 - gK * Pp / S**2
        gPp = gP * (1 - K) + gK / S + gS
        gr += gS
        gq += gPp
        gy[t] = ge
        gm = gm - ge
        gP = gPp
    return gy, gq, gr


filtered.but(kalman_back, by.MISSING, ("- gK * Pp / S**2", ""))
filtered.but(kalman_back, by.any_of(by.MISSING), ("gm = gm - ge", "gm = -ge"))
filtered.but(
    kalman_back,
    by.any_of(by.MISSING, by.STALE),
    ("gP * (1 - K) + gK / S + gS", "gP * (1 - K) + gS"),
)
filtered.but(kalman_back, by.SIGN, ("gK = gm * e - gP * Pp", "gK = gm * e + gP * Pp"))
filtered.but(kalman_back, by.any_of(by.FACTOR), ("0.5 * e * e / S**2", "e * e / S**2"))
filtered.but(kalman_back, by.any_of(by.STALE, by.ORDER, by.MISSING), ("gq += gPp", "gq += gP"))

# --- alignments -----------------------------------------------------------------------------------


def rnnt(lp):
    # lp: (T, U+1, 2) logs of blank, label
    T, U = 3, 2
    alpha = {}
    for t in range(T):
        for u in range(U + 1):
            terms = []
            if t:
                terms.append(alpha[t - 1, u] + lp[t - 1, u, 0])
            if u:
                terms.append(alpha[t, u - 1] + lp[t, u - 1, 1])
            alpha[t, u] = (
                tf.reduce_logsumexp(tf.stack(terms)) if terms else tf.constant(0.0, tf.float64)
            )
    return -(alpha[T - 1, U] + lp[T - 1, U, 0])


aligned = Case("cost of a transducer", rnnt, lambda rng: [rng.normal(size=(3, 3, 2))], "gradient")


def both_ways(lp):
    T, U1, _ = lp.shape
    a = np.full((T, U1), -np.inf)
    b = np.full((T, U1), -np.inf)
    a[0, 0] = 0
    for t in range(T):
        for u in range(U1):
            if t > 0:
                a[t, u] = np.logaddexp(a[t, u], a[t - 1, u] + lp[t - 1, u, 0])
            if u > 0:
                a[t, u] = np.logaddexp(a[t, u], a[t, u - 1] + lp[t, u - 1, 1])
    b[T - 1, U1 - 1] = lp[T - 1, U1 - 1, 0]
    for t in reversed(range(T)):
        for u in reversed(range(U1)):
            if t < T - 1:
                b[t, u] = np.logaddexp(b[t, u], b[t + 1, u] + lp[t, u, 0])
            if u < U1 - 1:
                b[t, u] = np.logaddexp(b[t, u], b[t, u + 1] + lp[t, u, 1])
    return a, b


@aligned.right
def rnnt_back(lp):
    T, U1, _ = lp.shape
    a, b = both_ways(lp)
    total = b[0, 0]
    g = np.zeros_like(lp)
    for t in range(T):
        for u in range(U1):
            if t < T - 1:
                g[t, u, 0] = -np.exp(a[t, u] + lp[t, u, 0] + b[t + 1, u] - total)
            elif u == U1 - 1:
                g[t, u, 0] = -np.exp(a[t, u] + lp[t, u, 0] - total)
            if u < U1 - 1:
                g[t, u, 1] = -np.exp(a[t, u] + lp[t, u, 1] + b[t, u + 1] - total)
    return g


aligned.but(
    rnnt_back, by.any_of(by.SHIFT, by.STALE), ("+ b[t + 1, u] - total", "+ b[t, u] - total")
)
aligned.but(
    rnnt_back,
    by.any_of(by.MISSING, by.FACTOR, by.STALE),
    ("+ lp[t, u, 1] + b[t, u + 1] - total", "+ b[t, u + 1] - total"),
)
aligned.but(rnnt_back, by.SIGN, ("g[t, u, 1] = -np.exp", "g[t, u, 1] = np.exp"))
aligned.but(
    rnnt_back,
    by.any_of(by.ENTRIES, by.ZERO, by.MISSING, "place"),
    (
        "elif u == U1 - 1:",
        "elif u > U1:",
    ),
)
aligned.but(
    rnnt_back, by.any_of(by.STALE, by.MISSING), ("total = b[0, 0]", "total = a[T - 1, U1 - 1]")
)

# --- a causal convolution -------------------------------------------------------------------------


def dconv(x, w, bias):
    xp = tf.concat([tf.zeros((2, 3), tf.float64), x], 0)
    y = bias + sum(xp[k : k + 5] * w[k] for k in range(3))
    return y * tf.sigmoid(y)


gated = Case(
    "causal convolution of channels",
    dconv,
    lambda rng: [rng.normal(size=(5, 3)), rng.normal(size=(3, 3)), rng.normal(size=3)],
)


@gated.right
def dconv_back(x, w, bias, g):
    K, L = len(w), len(x)
    y = np.array(
        [
            bias + sum(w[k] * x[t + k - K + 1] for k in range(K) if t + k - K + 1 >= 0)
            for t in range(L)
        ]
    )
    s = 1 / (1 + np.exp(-y))
    gy = g * s * (1 + y * (1 - s))
    dx, dw = np.zeros_like(x), np.zeros_like(w)
    for t in range(L):
        for k in range(K):
            src = t + k - K + 1
            if src >= 0:
                dx[src] += gy[t] * w[k]
                dw[k] += gy[t] * x[src]
    return dx, dw, gy.sum(0)


gated.but(
    dconv_back,
    by.any_of(by.SHIFT, by.ORDER),
    ("dx[src] += gy[t] * w[k]", "dx[src] += gy[t] * w[K - 1 - k]"),
)
gated.but(
    dconv_back,
    by.any_of(by.STALE, by.MISSING),
    ("gy = g * s * (1 + y * (1 - s))", "gy = g * s * (1 - s)"),
)
gated.but(
    dconv_back,
    by.any_of(by.MISSING, by.STALE),
    ("dw[k] += gy[t] * x[src]", "dw[k] += g[t] * x[src]"),
)
gated.but(dconv_back, by.MEAN, ("gy.sum(0)", "gy.mean(0)"))
gated.but(
    dconv_back,
    by.any_of(by.SHIFT, by.ENTRIES, by.ZERO),
    ("            if src >= 0:", "            if src > 0:"),
)
gated.but(
    dconv_back,
    by.any_of("bias|" + by.MISSING + "|" + by.STALE),
    ("bias + sum(", "0 * bias + sum("),
)

# --- two poles and two zeros ----------------------------------------------------------------------


def two_poles(x, b, a):
    y = []
    for n in range(x.shape[0]):
        v = b[0] * x[n]
        if n > 0:
            v = v + b[1] * x[n - 1] - a[0] * y[n - 1]
        if n > 1:
            v = v + b[2] * x[n - 2] - a[1] * y[n - 2]
        y.append(v)
    return tf.stack(y)


biquad = Case(
    "two poles and two zeros",
    two_poles,
    lambda rng: [rng.normal(size=6), rng.normal(size=3), rng.normal(size=2) * 0.4],
)


@biquad.right
def by_the_adjoint_filter(x, b, a, g):
    n = len(x)
    y, adjoint = np.zeros(n + 2), np.zeros(n + 2)
    late = np.concatenate([[0.0, 0.0], x])
    for t in range(n):
        y[t + 2] = b @ late[t : t + 3][::-1] - a[0] * y[t + 1] - a[1] * y[t]
    for t in reversed(range(n)):
        adjoint[t] = g[t] - a[0] * adjoint[t + 1] - a[1] * adjoint[t + 2]
    dx = b[0] * adjoint[:n] + b[1] * adjoint[1 : n + 1] + b[2] * adjoint[2:]
    dx[-1] = b[0] * adjoint[n - 1]
    own = adjoint[:n]
    db = np.array([own @ x, own @ late[1 : n + 1], own @ late[:n]])
    da = -np.array([own @ y[1 : n + 1], own @ y[:n]])
    return dx, db, da


biquad.but(by_the_adjoint_filter, by.SIGN, ("da = -np", "da = np"))
biquad.but(
    by_the_adjoint_filter,
    by.any_of(by.SHIFT, by.OTHER),
    ("- a[1] * adjoint[t + 2]", "- a[1] * adjoint[t + 1]"),
)
biquad.but(
    by_the_adjoint_filter,
    by.any_of(by.MISSING),
    (" + b[2] * adjoint[2:]", ""),
)
biquad.but(
    by_the_adjoint_filter,
    by.any_of(by.STALE, by.OTHER, by.SHIFT),
    ("own @ y[:n]]", "own @ late[:n]]"),
)
