# ruff: noqa: D103 - a candidate is described by its name
"""Adjoints of computations in steps: scans, recurrences, sums over paths."""

from __future__ import annotations

import numpy as np
import scipy.linalg
import scipy.special

import symtape as tf
from tests.judged import causes as by
from tests.judged.case import Case

# --- a selective scan -----------------------------------------------------------------------------


def ssm(a, b, c, x):
    h, out = tf.zeros_like(a[0]), []
    for t in range(5):
        h = tf.exp(a[t]) * h + b[t] * x[t]
        out.append(tf.reduce_sum(c[t] * h))
    return tf.stack(out)


scan = Case(
    "selective scan",
    ssm,
    lambda r: [-r.random((5, 2)), r.normal(size=(5, 2)), r.normal(size=(5, 2)), r.normal(size=5)],
)


@scan.right
def ssm_backward(a, b, c, x, g):
    T = len(x)
    hs = np.zeros((T + 1, a.shape[1]))
    for t in range(T):
        hs[t + 1] = np.exp(a[t]) * hs[t] + b[t] * x[t]
    da, db, dc, dx = np.zeros_like(a), np.zeros_like(b), np.zeros_like(c), np.zeros_like(x)
    lam = np.zeros(a.shape[1])
    for t in reversed(range(T)):
        lam = lam + g[t] * c[t]
        dc[t] = g[t] * hs[t + 1]
        da[t] = lam * hs[t] * np.exp(a[t])
        db[t] = lam * x[t]
        dx[t] = lam @ b[t]
        lam = lam * np.exp(a[t])
    return da, db, dc, dx


scan.but(ssm_backward, by.any_of(by.SHIFT), ("dc[t] = g[t] * hs[t + 1]", "dc[t] = g[t] * hs[t]"))
scan.but(ssm_backward, by.any_of(by.SHIFT), ("da[t] = lam * hs[t] *", "da[t] = lam * hs[t + 1] *"))
scan.but(
    ssm_backward, by.any_of(by.SHIFT), ("lam = lam * np.exp(a[t])", "lam = lam * np.exp(a[t - 1])")
)
scan.but(
    ssm_backward, by.any_of(by.MISSING, by.FACTOR), ("lam * hs[t] * np.exp(a[t])", "lam * hs[t]")
)
scan.but(
    ssm_backward,
    by.any_of(by.MISSING, by.SHIFT, by.ENTRIES),
    ("lam = lam + g[t] * c[t]", "lam = g[t] * c[t]"),
)

# --- a gated recurrent unit -----------------------------------------------------------------------


def gru(x, h, W, U):
    for t in range(3):
        z = tf.sigmoid(W[0] @ x[t][:, None] + U[0] @ h)
        r = tf.sigmoid(W[1] @ x[t][:, None] + U[1] @ h)
        n = tf.tanh(W[2] @ x[t][:, None] + r * (U[2] @ h))
        h = (1 - z) * n + z * h
    return h


units = Case(
    "gru",
    gru,
    lambda r: [
        r.normal(size=(3, 2)),
        r.normal(size=(2, 1)),
        r.normal(size=(3, 2, 2)),
        r.normal(size=(3, 2, 2)),
    ],
)


@units.right
def gru_bptt(x, h, W, U, g):
    sig = scipy.special.expit
    tape = []
    for t in range(3):
        xt = x[t][:, None]
        z = sig(W[0] @ xt + U[0] @ h)
        r = sig(W[1] @ xt + U[1] @ h)
        u = U[2] @ h
        n = np.tanh(W[2] @ xt + r * u)
        tape.append((xt, h, z, r, u, n))
        h = (1 - z) * n + z * h
    dx, dW, dU = np.zeros_like(x), np.zeros_like(W), np.zeros_like(U)
    dh = g
    while tape:
        xt, h, z, r, u, n = tape.pop()
        dn = dh * (1 - z) * (1 - n * n)
        dz = dh * (h - n) * z * (1 - z)
        dr = dn * u * r * (1 - r)
        dW += np.stack([dz @ xt.T, dr @ xt.T, dn @ xt.T])
        dU += np.stack([dz @ h.T, dr @ h.T, (dn * r) @ h.T])
        dx[len(tape)] = (W[0].T @ dz + W[1].T @ dr + W[2].T @ dn)[:, 0]
        dh = dh * z + U[0].T @ dz + U[1].T @ dr + U[2].T @ (dn * r)
    return dx, dh, dW, dU


units.but(gru_bptt, by.any_of(by.MISSING), ("dh = dh * z + U[0]", "dh = U[0]"))
units.but(gru_bptt, by.any_of(by.MISSING, by.FACTOR), ("(dn * r) @ h.T", "dn @ h.T"))
units.but(gru_bptt, by.SIGN, ("dh * (h - n)", "dh * (n - h)"))
units.but(
    gru_bptt,
    by.any_of(by.MISSING, by.STALE, by.OTHER, by.SHIFT),
    (
        "        tape.append((xt, h, z, r, u, n))\n        h = (1 - z) * n + z * h\n",
        "        h = (1 - z) * n + z * h\n        tape.append((xt, h, z, r, u, n))\n",
    ),
)
units.but(gru_bptt, by.any_of(by.TRANSPOSED, by.MISSING), ("U[1].T @ dr", "U[1] @ dr"))
units.but(gru_bptt, by.any_of(by.MISSING, by.OTHER, "overwritten|last"), ("dW += np", "dW[:] = np"))

# --- variances that follow each other -------------------------------------------------------------


def garch(e, p):
    s, total = e[0] ** 2, 0.0
    for t in range(1, 5):
        s = p[0] + p[1] * e[t - 1] ** 2 + p[2] * s
        total = total + tf.math.log(s) + e[t] ** 2 / s
    return 0.5 * total


variances = Case(
    "likelihood of garch",
    garch,
    lambda r: [r.normal(size=5), r.uniform(0.1, 0.5, 3)],
    kind="gradient",
    options={"wrt": 1},
)


@variances.right
def garch_score(e, p):
    s, ds, out = e[0] ** 2, np.zeros(3), np.zeros(3)
    for t in range(1, 5):
        ds = np.array([1.0, e[t - 1] ** 2, s]) + p[2] * ds
        s = p[0] + p[1] * e[t - 1] ** 2 + p[2] * s
        out += 0.5 * ds * (1 / s - e[t] ** 2 / s**2)
    return out


NEXT = "p[0] + p[1] * e[t - 1] ** 2 + p[2] * s"

variances.but(garch_score, by.MISSING, (" + p[2] * ds", ""))
variances.but(
    garch_score,
    by.any_of(by.SHIFT, by.STALE, by.OTHER),
    (
        f"ds = np.array([1.0, e[t - 1] ** 2, s]) + p[2] * ds\n        s = {NEXT}",
        f"s = {NEXT}\n        ds = np.array([1.0, e[t - 1] ** 2, s]) + p[2] * ds",
    ),
)
variances.but(
    garch_score, by.any_of(by.SHIFT, by.OTHER), ("e[t] ** 2 / s**2", "e[t - 1] ** 2 / s**2")
)
variances.but(garch_score, by.any_of(by.FACTOR, by.TWICE, by.HALF), ("0.5 * ds", "ds"))
variances.but(garch_score, by.any_of(by.FACTOR, by.MISSING, by.OTHER), ("/ s**2)", "/ s)"))

# --- sums over all paths of a chain ---------------------------------------------------------------


def crf(u, tr):
    a = u[0]
    for t in range(1, 4):
        a = u[t] + tf.reduce_logsumexp(a[:, None] + tr, axis=0)
    return tf.reduce_logsumexp(a)


chain = Case(
    "partition function of a chain",
    crf,
    lambda r: [r.normal(size=(4, 3)), r.normal(size=(3, 3))],
    kind="gradient",
)


@chain.right
def forward_backward(u, tr):
    T, K = u.shape
    al, be = np.zeros((T, K)), np.zeros((T, K))
    al[0] = u[0]
    for t in range(1, T):
        al[t] = u[t] + scipy.special.logsumexp(al[t - 1][:, None] + tr, axis=0)
    for t in range(T - 2, -1, -1):
        be[t] = scipy.special.logsumexp(tr + u[t + 1] + be[t + 1], axis=1)
    Z = scipy.special.logsumexp(al[-1])
    du = np.exp(al + be - Z)
    dtr = np.zeros_like(tr)
    for t in range(T - 1):
        dtr += np.exp(al[t][:, None] + tr + u[t + 1] + be[t + 1] - Z)
    return du, dtr


chain.but(
    forward_backward,
    by.any_of(by.SHIFT, by.OTHER),
    ("+ u[t + 1] + be[t + 1] - Z", "+ u[t] + be[t + 1] - Z"),
)
chain.but(
    forward_backward,
    by.any_of(by.OTHER, by.TRANSPOSED, "axis"),
    ("be[t + 1], axis=1)", "be[t + 1], axis=0)"),
)
chain.but(
    forward_backward, by.any_of(by.SHIFT, by.MISSING, by.ENTRIES), ("range(T - 1)", "range(T - 2)")
)
chain.but(
    forward_backward,
    by.any_of(by.MISSING, by.OTHER),
    ("scipy.special.logsumexp(tr + u[t + 1] + be[t + 1]", "scipy.special.logsumexp(tr + be[t + 1]"),
)
chain.but(
    forward_backward,
    by.any_of(by.MISSING, by.OTHER, by.MASK, by.STALE),
    ("np.exp(al + be - Z)", "np.exp(al - Z)"),
)
