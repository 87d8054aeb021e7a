# ruff: noqa: D103 - a candidate is described by its name
"""Adjoints of systems of equations and of functions of matrices."""

from __future__ import annotations

import numpy as np
import scipy.linalg
import scipy.special

import symtape as tf
from tests.judged import causes as by
from tests.judged.case import Case

# --- two implicit steps ---------------------------------------------------------------------------


def heat(u, k):
    n = 5
    L = (
        tf.linalg.diag(tf.fill([n], tf.constant(1.0, u.dtype)) + 2 * k)
        - tf.linalg.diag(k[1:], k=-1)
        - tf.linalg.diag(k[:-1], k=1)
    )
    for _ in range(2):
        u = tf.linalg.solve(L, u[:, None])[:, 0]
    return tf.reduce_sum(u * u)


implicit = Case(
    "implicit heat", heat, lambda r: [r.normal(size=5), r.uniform(0.1, 1, 5)], kind="gradient"
)


@implicit.right
def heat_adjoint(u, k):
    L = np.diag(1 + 2 * k) - np.diag(k[1:], -1) - np.diag(k[:-1], 1)
    u1 = np.linalg.solve(L, u)
    u2 = np.linalg.solve(L, u1)
    l2 = np.linalg.solve(L.T, 2 * u2)
    l1 = np.linalg.solve(L.T, l2)
    dL = -np.outer(l2, u2) - np.outer(l1, u1)
    dk = 2 * np.diag(dL)
    dk[1:] -= np.diag(dL, -1)
    dk[:-1] -= np.diag(dL, 1)
    return l1, dk


implicit.but(
    heat_adjoint,
    by.any_of(by.TRANSPOSED),
    ("l1 = np.linalg.solve(L.T, l2)", "l1 = np.linalg.solve(L, l2)"),
)
implicit.but(
    heat_adjoint,
    by.any_of(by.STALE, by.OTHER, by.SHIFT),
    ("np.outer(l2, u2) - np.outer(l1, u1)", "np.outer(l2, u1) - np.outer(l1, u)"),
)
implicit.but(heat_adjoint, by.any_of(by.MISSING), (" - np.outer(l1, u1)", ""))
implicit.but(
    heat_adjoint, by.any_of(by.MISSING, by.ENTRIES), ("    dk[:-1] -= np.diag(dL, 1)\n", "")
)

# --- a triangular system --------------------------------------------------------------------------


def tri(L, b):
    return tf.linalg.triangular_solve(L, b, lower=True)


triangular = Case(
    "triangular solve",
    tri,
    lambda r: [np.tril(r.normal(size=(3, 3))) + 3 * np.eye(3), r.normal(size=(3, 2))],
)


@triangular.right
def tri_backward(L, b, g):
    x = scipy.linalg.solve_triangular(L, b, lower=True)
    db = scipy.linalg.solve_triangular(L, g, lower=True, trans="T")
    return -np.tril(db @ x.T), db


@triangular.right
def tri_substitution(L, b, g):
    n = len(L)
    x, d = np.zeros_like(b), np.zeros_like(b)
    for i in range(n):
        x[i] = (b[i] - L[i, :i] @ x[:i]) / L[i, i]
    for i in range(n - 1, -1, -1):
        d[i] = (g[i] - L[i + 1 :, i] @ d[i + 1 :]) / L[i, i]
    dL = np.zeros_like(L)
    for i in range(n):
        for j in range(i + 1):
            dL[i, j] = -d[i] @ x[j]
    return dL, d


triangular.but(
    tri_backward,
    by.any_of(by.CONVENTION, by.ENTRIES, by.MISSING, by.ZERO),
    ("-np.tril(db @ x.T)", "-db @ x.T"),
)
triangular.but(tri_backward, by.any_of(by.TRANSPOSED), ('trans="T"', 'trans="N"'))
triangular.but(
    tri_backward,
    by.any_of(by.TRANSPOSED, by.OTHER, by.SWAPPED, by.CONVENTION),
    ("np.tril(db @ x.T)", "np.tril(x @ db.T)"),
)
triangular.but(
    tri_substitution,
    by.any_of(by.DIAGONAL, by.MISSING, by.SHIFT, by.ENTRIES),
    ("range(i + 1)", "range(i)"),
)
triangular.but(
    tri_substitution,
    by.any_of(by.SHIFT, by.TRANSPOSED, by.MISSING, by.ENTRIES),
    ("L[i + 1 :, i] @ d[i + 1 :]", "L[i, i + 1 :] @ d[i + 1 :]"),
)

# --- a function of a symmetric matrix -------------------------------------------------------------


def spectral_exp(A, B):
    w, V = tf.linalg.eigh((A + tf.transpose(A)) / 2)
    return tf.reduce_sum(B * tf.linalg.matmul(V * tf.exp(w), V, transpose_b=True))


exponential = Case(
    "exponential of a symmetric matrix",
    spectral_exp,
    lambda r: [r.normal(size=(3, 3)), r.normal(size=(3, 3))],
    kind="gradient",
    options={"wrt": 0},
)


@exponential.right
def daleckii_krein(A, B):
    S = (A + A.T) / 2
    w, V = np.linalg.eigh(S)
    e = np.exp(w)
    d = w[:, None] - w
    L = np.where(np.abs(d) > 1e-9, (e[:, None] - e) / np.where(np.abs(d) > 1e-9, d, 1), e[:, None])
    M = V @ (L * (V.T @ B @ V)) @ V.T
    return (M + M.T) / 2


@exponential.right
def by_block(A, B):
    S = (A + A.T) / 2
    n = len(A)
    big = np.block([[S, (B + B.T) / 2], [np.zeros((n, n)), S]])
    return scipy.linalg.expm(big)[:n, n:]


exponential.but(
    daleckii_krein,
    by.any_of(by.DIAGONAL, by.MISSING, by.ZERO, by.OTHER),
    ("1), e[:, None])", "1), 0)"),
)
exponential.but(
    daleckii_krein,
    by.any_of(by.OTHER, by.MISSING, by.DIAGONAL),
    ("M = V @ (L * (V.T @ B @ V)) @ V.T", "M = V @ (np.diag(e) * (V.T @ B @ V)) @ V.T"),
)
exponential.but(daleckii_krein, by.any_of(by.CONVENTION), ("return (M + M.T) / 2", "return M"))
exponential.but(by_block, by.any_of(by.OTHER, by.TRANSPOSED, by.CONVENTION), ("(B + B.T) / 2", "B"))
