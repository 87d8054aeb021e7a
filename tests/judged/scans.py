# ruff: noqa: D103 - a candidate is described by its name
"""Backward passes of scans and recurrences."""

from __future__ import annotations

import numpy as np

import symtape as tf
from tests.judged import causes as by
from tests.judged.case import Case

cumsum = Case("cumulative sum", lambda x: tf.cumsum(x), lambda rng: [rng.normal(size=5)])


@cumsum.right
def cumsum_reversed(x, g):
    return np.cumsum(g[::-1])[::-1]


@cumsum.right
def cumsum_running(x, g):
    out = np.zeros_like(g)
    total = 0.0
    for t in reversed(range(len(g))):
        total += g[t]
        out[t] = total
    return out


cumsum.but(cumsum_reversed, by.any_of(by.ORDER, by.TRANSPOSED), ("(g[::-1])[::-1]", "(g)"))
cumsum.but(cumsum_reversed, by.any_of(by.ORDER), (")[::-1]", ")"))
cumsum.but(
    cumsum_running,
    by.any_of(by.SHIFT, by.MISSING, "exclusive"),
    (
        "        total += g[t]\n        out[t] = total\n",
        "        out[t] = total\n        total += g[t]\n",
    ),
)
cumsum.but(cumsum_running, by.any_of(by.SHIFT, by.ENTRIES), ("range(len(g))", "range(1, len(g))"))
cumsum.but(
    cumsum_running,
    by.any_of("sum|accumul", by.MISSING, by.OTHER),
    ("total += g[t]", "total = g[t]"),
)

cumprod = Case("cumulative product", tf.math.cumprod, lambda rng: [rng.normal(size=4) + 0.3])


@cumprod.right
def cumprod_reverse(x, g):
    y = np.cumprod(x)
    out = np.zeros(4)
    carry = 0.0
    for t in range(3, -1, -1):
        carry = g[t] + (x[t + 1] * carry if t < 3 else 0.0)
        out[t] = carry * (y[t - 1] if t else 1.0)
    return out


cumprod.but(cumprod_reverse, by.any_of(by.SHIFT, by.MISSING), ("x[t + 1] * carry", "x[t] * carry"))
cumprod.but(cumprod_reverse, by.any_of(by.SHIFT), ("y[t - 1]", "y[t]"))
cumprod.but(cumprod_reverse, by.any_of(by.MISSING, by.FACTOR), ("x[t + 1] * carry", "carry"))


@cumprod.wrong(
    by.any_of(by.ZERO, by.SATURATED, "divi"), witness=lambda rng: [np.array([1.5, 0.0, 2.0, -1.0])]
)
def cumprod_divided(x, g):
    y = np.cumprod(x)
    return np.cumsum((g * y)[::-1])[::-1] / x


def linear_scan(a, b):
    h = 0.0
    out = []
    for t in range(4):
        h = a[t] * h + b[t]
        out.append(h)
    return tf.stack(out)


linear = Case(
    "linear recurrence", linear_scan, lambda rng: [rng.normal(size=4), rng.normal(size=4)]
)


@linear.right
def linear_reverse(a, b, g):
    h = np.zeros(5)
    for t in range(4):
        h[t + 1] = a[t] * h[t] + b[t]
    da, db, dh = np.zeros(4), np.zeros(4), 0.0
    for t in reversed(range(4)):
        dh = dh + g[t]
        db[t] = dh
        da[t] = dh * h[t]
        dh = dh * a[t]
    return da, db


@linear.right
def linear_by_matrix(a, b, g):
    M = np.eye(4)
    for t in range(1, 4):
        M[t, t - 1] = -a[t]
    h = np.linalg.solve(M, b)
    lam = np.linalg.solve(M.T, g)
    return lam * np.append(0.0, h[:-1]), lam


linear.but(linear_reverse, by.any_of(by.SHIFT, by.STALE), ("dh * h[t]", "dh * h[t + 1]"))
linear.but(linear_reverse, by.any_of(by.SHIFT), ("dh = dh * a[t]", "dh = dh * a[t - 1]"))
linear.but(linear_reverse, by.any_of(by.MISSING, by.FACTOR), ("        dh = dh * a[t]\n", ""))
linear.but(
    linear_reverse,
    by.any_of(by.MISSING, "carr|accumulat", by.OTHER),
    ("dh = dh + g[t]", "dh = g[t]"),
)
linear.but(
    linear_reverse,
    by.any_of(by.SHIFT, by.ORDER, by.STALE, by.MISSING),
    (
        "        dh = dh + g[t]\n        db[t] = dh\n",
        "        db[t] = dh\n        dh = dh + g[t]\n",
    ),
)
linear.but(linear_by_matrix, by.TRANSPOSED, ("solve(M.T, g)", "solve(M, g)"))
linear.but(linear_by_matrix, by.any_of(by.SHIFT), ("np.append(0.0, h[:-1])", "h"))


def rnn_loss(W, U, x):
    h = tf.zeros(2, dtype=tf.float64)
    for t in range(3):
        h = tf.tanh(tf.linalg.matvec(W, h) + tf.linalg.matvec(U, x[t]))
    return h


rnn = Case(
    "recurrent network",
    rnn_loss,
    lambda rng: [rng.normal(size=(2, 2)), rng.normal(size=(2, 2)), rng.normal(size=(3, 2))],
)


@rnn.right
def rnn_through_time(W, U, x, g):
    hs = [np.zeros(2)]
    for t in range(3):
        hs.append(np.tanh(W @ hs[-1] + U @ x[t]))
    dW, dU, dx = np.zeros_like(W), np.zeros_like(U), np.zeros_like(x)
    dh = g.copy()
    for t in (2, 1, 0):
        da = dh * (1 - hs[t + 1] ** 2)
        dW += np.outer(da, hs[t])
        dU += np.outer(da, x[t])
        dx[t] = U.T @ da
        dh = W.T @ da
    return dW, dU, dx


rnn.but(
    rnn_through_time,
    by.any_of(by.SHIFT, by.STALE),
    ("np.outer(da, hs[t])", "np.outer(da, hs[t + 1])"),
)
rnn.but(rnn_through_time, by.any_of(by.SHIFT, by.STALE), ("1 - hs[t + 1] ** 2", "1 - hs[t] ** 2"))
rnn.but(rnn_through_time, by.TRANSPOSED, ("dh = W.T @ da", "dh = W @ da"))
rnn.but(rnn_through_time, by.any_of(by.TRANSPOSED, by.ORDER), ("U.T @ da", "U @ da"))
rnn.but(
    rnn_through_time,
    by.any_of(by.TRANSPOSED, by.ORDER),
    ("np.outer(da, x[t])", "np.outer(x[t], da)"),
)
rnn.but(
    rnn_through_time,
    by.any_of("last|accumulat|sum", by.MISSING, by.ZERO, "trunc"),
    ("dW += np", "dW = np"),
)
rnn.but(
    rnn_through_time,
    by.any_of("trunc|step|last", by.MISSING, by.ENTRIES),
    ("in (2, 1, 0)", "in (2, 1)"),
)
rnn.but(rnn_through_time, by.any_of(by.MISSING, by.FACTOR), (" * (1 - hs[t + 1] ** 2)", ""))


def lstm_cell(z, c):
    i, f, o = tf.sigmoid(z[0]), tf.sigmoid(z[1]), tf.sigmoid(z[2])
    new = f * c + i * tf.tanh(z[3])
    return o * tf.tanh(new), new


lstm = Case("lstm cell", lstm_cell, lambda rng: [rng.normal(size=(4, 2)), rng.normal(size=2)])


@lstm.right
def lstm_gates(z, c, gh, gc):
    i, f, o = 1 / (1 + np.exp(-z[:3]))
    a = np.tanh(z[3])
    t = np.tanh(f * c + i * a)
    dc = gc + gh * o * (1 - t**2)
    dz = np.empty_like(z)
    dz[0] = dc * a * i * (1 - i)
    dz[1] = dc * c * f * (1 - f)
    dz[2] = gh * t * o * (1 - o)
    dz[3] = dc * i * (1 - a * a)
    return dz, dc * f


lstm.but(lstm_gates, by.any_of(by.MISSING, "gc|upstream1"), ("dc = gc + gh", "dc = gh"))
lstm.but(lstm_gates, by.any_of(by.MISSING, by.FACTOR), ("gh * o * (1 - t**2)", "gh * o"))
lstm.but(
    lstm_gates,
    by.any_of(by.OTHER, by.FACTOR, by.MISSING, by.ENTRIES),
    ("dc * i * (1 - a * a)", "dc * i * a * (1 - a)"),
)
lstm.but(
    lstm_gates,
    by.any_of(by.SWAPPED, by.ENTRIES),
    ("dz[0] = dc * a * i * (1 - i)", "dz[1] = dc * a * i * (1 - i)"),
    ("dz[1] = dc * c", "dz[0] = dc * c"),
)
lstm.but(lstm_gates, by.any_of(by.MISSING, by.FACTOR, by.OTHER), ("dc * f\n", "dc\n"))

lse = Case("log sum exp", tf.reduce_logsumexp, lambda rng: [rng.normal(size=5)], "gradient")


@lse.right
def lse_online(x):
    m, s = -np.inf, 0.0
    for v in x:
        if v > m:
            s = s * np.exp(m - v) + 1.0
            m = v
        else:
            s += np.exp(v - m)
    return np.exp(x - m) / s


lse.but(
    lse_online,
    by.any_of("rescal|shift|max", by.FACTOR, by.MASK, by.SATURATED, by.POSITIVE),
    ("s * np.exp(m - v) + 1.0", "s + 1.0"),
)
lse.but(lse_online, by.any_of("shift|max", by.FACTOR), ("np.exp(x - m) / s", "np.exp(x) / s"))
lse.but(
    lse_online,
    by.any_of(by.SIGN, by.FACTOR, "shift|max"),
    ("s += np.exp(v - m)", "s += np.exp(m - v)"),
)

momentum = Case(
    "exponential moving average",
    lambda x, r: tf.stack(
        [x[0], r * x[0] + (1 - r) * x[1], r * (r * x[0] + (1 - r) * x[1]) + (1 - r) * x[2]]
    ),
    lambda rng: [rng.normal(size=3), np.array(0.7)],
)


@momentum.right
def momentum_reverse(x, r, g):
    y = np.array(x)
    for t in (1, 2):
        y[t] = r * y[t - 1] + (1 - r) * x[t]
    dx, dr, carry = np.zeros_like(x), 0.0, 0.0
    for t in (2, 1):
        carry += g[t]
        dx[t] = (1 - r) * carry
        dr += carry * (y[t - 1] - x[t])
        carry *= r
    dx[0] = g[0] + carry
    return dx, np.asarray(dr)


momentum.but(
    momentum_reverse, by.any_of(by.MISSING, by.FACTOR, by.ENTRIES), ("(1 - r) * carry", "carry")
)
momentum.but(
    momentum_reverse, by.any_of(by.SHIFT, by.STALE), ("carry * (y[t - 1]", "carry * (y[t]")
)
momentum.but(
    momentum_reverse,
    by.any_of(by.STALE, by.OTHER, "x\\b", by.SHIFT),
    ("(y[t - 1] - x[t])", "(x[t - 1] - x[t])"),
)
momentum.but(
    momentum_reverse, by.any_of(by.MISSING, by.ENTRIES), ("dx[0] = g[0] + carry", "dx[0] = g[0]")
)

# --- linear attention that fades ------------------------------------------------------------------


def fading(q, k, v, a):
    S, out = tf.zeros((2, 3), dtype=q.dtype), []
    for t in range(4):
        S = a[t] * S + k[t][:, None] * v[t][None, :]
        out.append(tf.linalg.matvec(S, q[t], transpose_a=True))
    return tf.stack(out)


faded = Case(
    "linear attention that fades",
    fading,
    lambda r: [r.normal(size=(4, 2)), r.normal(size=(4, 2)), r.normal(size=(4, 3)), r.random(4)],
)


@faded.right
def fading_back(q, k, v, a, g):
    T, d = q.shape
    S = np.zeros((T + 1, d, v.shape[1]))
    for t in range(T):
        S[t + 1] = a[t] * S[t] + np.outer(k[t], v[t])
    dq, dk, dv, da = np.zeros_like(q), np.zeros_like(k), np.zeros_like(v), np.zeros_like(a)
    dS = np.zeros_like(S[0])
    for t in range(T - 1, -1, -1):
        dq[t] = S[t + 1] @ g[t]
        dS += np.outer(q[t], g[t])
        dk[t], dv[t] = dS @ v[t], k[t] @ dS
        da[t] = np.sum(dS * S[t])
        dS *= a[t]
    return dq, dk, dv, da


faded.but(
    fading_back,
    "too early",
    ("        dS += np.outer", "        dS *= a[t]\n        dS += np.outer"),
    ("S[t])\n        dS *= a[t]\n", "S[t])\n"),
)
faded.but(fading_back, by.MISSING, ("        dS *= a[t]\n", ""))
faded.but(fading_back, by.any_of(by.SHIFT, by.INSTEAD), ("dS *= a[t]", "dS *= a[t - 1]"))
