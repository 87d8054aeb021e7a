# ruff: noqa: D103, E731 - a candidate is described by its name, and some are written with lambdas
"""Backward passes of states that are carried: a rule of memory, a filter, an integrator."""

from __future__ import annotations

import numpy as np

import symtape as tf
from tests.judged import causes as by
from tests.judged.case import Case
from tests.judged.draws import normal, positive, together


# --- gated delta rule
def delta_rule(q, k, v, b):
    S = tf.zeros((2, 2), tf.float64)
    out = []
    for t in range(3):
        S = S + b[t] * tf.einsum(
            "i,j->ij", k[t], v[t] - tf.linalg.matvec(S, k[t], transpose_a=True)
        )
        out.append(tf.linalg.matvec(S, q[t], transpose_a=True))
    return tf.stack(out)


memory = Case(
    "delta rule", delta_rule, together(normal(3, 2), normal(3, 2), normal(3, 2), positive(3))
)


@memory.right
def delta_bwd(q, k, v, b, g):
    S = [np.zeros((2, 2))]
    for t in range(3):
        S.append(S[-1] + b[t] * np.outer(k[t], v[t] - S[-1].T @ k[t]))
    dq, dk, dv, db = (np.zeros_like(a) for a in (q, k, v, b))
    dS = np.zeros((2, 2))
    for t in reversed(range(3)):
        dq[t] = S[t + 1] @ g[t]
        dS = dS + np.outer(q[t], g[t])
        e = v[t] - S[t].T @ k[t]
        de = b[t] * dS.T @ k[t]
        db[t] = k[t] @ dS @ e
        dv[t] = de
        dk[t] = b[t] * dS @ e - S[t] @ de
        dS = dS - np.outer(k[t], de)
    return dq, dk, dv, db


memory.but(delta_bwd, by.MISSING, ("b[t] * dS @ e - S[t] @ de", "b[t] * dS @ e"))
memory.but(delta_bwd, by.any_of(by.SHIFT, by.STALE), ("dq[t] = S[t + 1]", "dq[t] = S[t]"))
memory.but(delta_bwd, by.MISSING, ("        dS = dS - np.outer(k[t], de)\n", ""))
memory.but(
    delta_bwd, by.any_of(by.TRANSPOSED, by.ORDER), ("np.outer(q[t], g[t])", "np.outer(g[t], q[t])")
)
memory.but(delta_bwd, by.any_of(by.MISSING, by.FACTOR), ("de = b[t] * dS.T", "de = dS.T"))


# --- Kalman predict/update (scalar obs), NLL
def kal(m, L, h):
    S = L @ tf.transpose(L)
    z = np.array([0.7, -0.2])
    nll = 0.0
    R = 0.5
    A = np.array([[1.0, 0.1], [0.0, 1.0]])
    for y in z:
        m = tf.linalg.matvec(A, m)
        S = A @ S @ A.T + 0.1 * np.eye(2)
        s = tf.tensordot(h, tf.linalg.matvec(S, h), 1) + R
        e = y - tf.tensordot(h, m, 1)
        K = tf.linalg.matvec(S, h) / s
        nll += 0.5 * (tf.math.log(s) + e * e / s)
        m = m + K * e
        S = S - tf.einsum("i,j->ij", K, K) * s
    return nll


filtered = Case(
    "kalman two steps",
    kal,
    together(normal(2), lambda r: np.tril(r.normal(size=(2, 2))), normal(2)),
    kind="gradient",
)


@filtered.right
def kal_adjoint(m, L, h):
    z = np.array([0.7, -0.2])
    R = 0.5
    A = np.array([[1.0, 0.1], [0.0, 1.0]])
    S = L @ L.T
    tape = []
    for y in z:
        mp = A @ m
        Sp = A @ S @ A.T + 0.1 * np.eye(2)
        u = Sp @ h
        s = h @ u + R
        e = y - h @ mp
        tape.append((mp, Sp, u, s, e))
        m = mp + u * e / s
        S = Sp - np.outer(u, u) / s
    dm, dS, dh = np.zeros(2), np.zeros((2, 2)), np.zeros_like(h)
    while tape:
        mp, Sp, u, s, e = tape.pop()
        du = dm * e / s - (dS + dS.T) @ u / s
        de = dm @ u / s + e / s
        ds = -(dm @ u) * e / s**2 + u @ dS @ u / s**2 + 0.5 / s - 0.5 * e * e / s**2
        dmp = dm - de * h
        du = du + ds * h
        dh += ds * u - de * mp + Sp @ du
        dSp = dS + np.outer(du, h)
        dm, dS = A.T @ dmp, A.T @ dSp @ A
    return dm, (dS + dS.T) @ L, dh


filtered.but(kal_adjoint, by.MISSING, ("ds * u - de * mp + Sp @ du", "ds * u + Sp @ du"))
filtered.but(kal_adjoint, by.TRANSPOSED, ("A.T @ dSp @ A", "A @ dSp @ A.T"))
filtered.but(
    kal_adjoint, by.any_of(by.FACTOR, by.MISSING, by.CONVENTION), ("(dS + dS.T) @ L", "dS @ L")
)
filtered.but(kal_adjoint, by.MISSING, (" + 0.5 / s - 0.5 * e", " - 0.5 * e"))
filtered.but(kal_adjoint, by.any_of(by.STALE, by.MISSING), ("dmp = dm - de * h", "dmp = dm"))


def rk4(y, th):
    f = lambda y: tf.stack([y[1], -th * tf.sin(y[0])])
    h = 0.1
    for _ in range(2):
        k1 = f(y)
        k2 = f(y + h / 2 * k1)
        k3 = f(y + h / 2 * k2)
        k4 = f(y + h * k3)
        y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return y


pendulum = Case("pendulum by runge kutta", rk4, together(normal(2), positive()))


@pendulum.right
def rk4_adj(y, th, g):
    h = 0.1
    f = lambda y: np.stack([y[1], -th * np.sin(y[0])])
    J = lambda y, m: np.stack([-th * np.cos(y[0]) * m[1], m[0]])
    p = lambda y, m: -np.sin(y[0]) * m[1]
    path = []
    for _ in range(2):
        k1 = f(y)
        y2 = y + h / 2 * k1
        k2 = f(y2)
        y3 = y + h / 2 * k2
        k3 = f(y3)
        y4 = y + h * k3
        path.append((y, y2, y3, y4))
        y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + f(y4))
    dth = 0.0
    for y1, y2, y3, y4 in path[::-1]:
        l4 = h / 6 * g
        a4 = J(y4, l4)
        l3 = h / 3 * g + h * a4
        a3 = J(y3, l3)
        l2 = h / 3 * g + h / 2 * a3
        a2 = J(y2, l2)
        l1 = h / 6 * g + h / 2 * a2
        a1 = J(y1, l1)
        dth = dth + p(y4, l4) + p(y3, l3) + p(y2, l2) + p(y1, l1)
        g = g + a1 + a2 + a3 + a4
    return g, dth


pendulum.but(rk4_adj, by.MISSING, ("h / 3 * g + h * a4", "h / 3 * g"))
pendulum.but(rk4_adj, by.FACTOR, ("h / 3 * g + h / 2 * a3", "h / 6 * g + h / 2 * a3"))
pendulum.but(rk4_adj, by.ORDER, ("path[::-1]", "path"))
pendulum.but(rk4_adj, by.MISSING, (" + p(y1, l1)", ""))
pendulum.but(rk4_adj, by.any_of(by.SHIFT, by.STALE), ("a3 = J(y3, l3)", "a3 = J(y4, l3)"))
