# ruff: noqa: D103 - a candidate is described by its name
"""Backward passes of linear algebra."""

from __future__ import annotations

import numpy as np

import symtape as tf
from tests.judged import causes as by
from tests.judged.case import Case


def square(rng, n=3):
    return rng.normal(size=(n, n)) + 2 * np.eye(n)


def definite(rng, n=3):
    a = rng.normal(size=(n, n))
    return a @ a.T + n * np.eye(n)


# --- products -------------------------------------------------------------------------------------

matmul = Case("matmul", tf.matmul, lambda rng: [rng.normal(size=(2, 3)), rng.normal(size=(3, 4))])


@matmul.right
def matmul_by_loops(a, b, g):
    da, db = np.zeros_like(a), np.zeros_like(b)
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            for k in range(a.shape[1]):
                da[i, k] += g[i, j] * b[k, j]
                db[k, j] += g[i, j] * a[i, k]
    return da, db


@matmul.right
def matmul_by_letters(a, b, g):
    return np.einsum("ij,kj->ik", g, b), np.einsum("ik,ij->kj", a, g)


matmul.but(matmul_by_letters, by.any_of(by.TRANSPOSED, by.SHAPE), ("ij,kj->ik", "ij,kj->ki"))
matmul.but(matmul_by_letters, by.any_of(by.CONSTANT, by.TWICE), ("return np", "return 1.01 * np"))
matmul.but(
    matmul_by_loops, by.any_of("last|accumulat|sum", by.MISSING), ("da[i, k] += g", "da[i, k] = g")
)
matmul.but(
    matmul_by_loops,
    by.any_of("last|off by|index|sum|missing", by.ENTRIES),
    ("range(b.shape[1])", "range(b.shape[1] - 1)"),
)

quadratic = Case(
    "quadratic form",
    lambda x, A: tf.tensordot(x, tf.linalg.matvec(A, x), 1),
    lambda rng: [rng.normal(size=3), square(rng)],
    "gradient",
)


@quadratic.right
def quadratic_both_sides(x, A):
    return A @ x + x @ A, np.outer(x, x)


quadratic.but(
    quadratic_both_sides,
    by.any_of(by.MISSING, "symmetric", by.TRANSPOSED),
    ("A @ x + x @ A", "2 * A @ x"),
)
quadratic.but(
    quadratic_both_sides, by.any_of(by.MISSING, by.TRANSPOSED), ("A @ x + x @ A", "A @ x")
)
quadratic.but(quadratic_both_sides, by.any_of(by.DIAGONAL), ("np.outer(x, x)", "np.diag(x * x)"))
quadratic.but(quadratic_both_sides, by.TWICE, ("np.outer(x, x)", "2 * np.outer(x, x)"))
quadratic.but(
    quadratic_both_sides,
    by.any_of(by.ENTRIES, by.MASK, "triang|symmetric|off-diagonal"),
    ("np.outer(x, x)", "np.triu(np.outer(x, x))"),
)

frobenius = Case(
    "frobenius norm of a residual",
    lambda A, X, B: 0.5 * tf.reduce_sum((tf.matmul(A, X) - B) ** 2),
    lambda rng: [rng.normal(size=(4, 3)), rng.normal(size=(3, 2)), rng.normal(size=(4, 2))],
    "gradient",
    {"wrt": [0, 1]},
)


@frobenius.right
def frobenius_blocks(A, X, B):
    dA, dX = np.zeros(A.shape), np.zeros(X.shape)
    for j in range(B.shape[1]):
        r = A @ X[:, j] - B[:, j]
        dA += np.outer(r, X[:, j])
        dX[:, j] = r @ A
    return dA, dX


frobenius.but(frobenius_blocks, by.MISSING, (" - B[:, j]", ""))
frobenius.but(frobenius_blocks, by.TWICE, ("dA += np", "dA += 2 * np"))
frobenius.but(
    frobenius_blocks,
    by.any_of("shift|index|column|off by|order", by.ENTRIES),
    ("dX[:, j] = r", "dX[:, j - 1] = r"),
)
frobenius.but(frobenius_blocks, by.any_of("last|sum|accumulat"), ("dA += np", "dA = np"))

# --- inverses, solves, determinants ---------------------------------------------------------------

inverse = Case("inverse", tf.linalg.inv, lambda rng: [square(rng)])


@inverse.right
def inverse_by_solves(a, g):
    return -np.linalg.solve(a.T, np.linalg.solve(a, g.T).T)


@inverse.right
def inverse_of_output(a, g):
    y = np.linalg.inv(a)
    out = np.zeros_like(a)
    for i in range(3):
        for j in range(3):
            out[i, j] = -sum(y[k, i] * g[k, m] * y[j, m] for k in range(3) for m in range(3))
    return out


inverse.but(inverse_by_solves, by.SIGN, ("return -np", "return np"))
inverse.but(
    inverse_of_output, by.TRANSPOSED, ("y[k, i] * g[k, m] * y[j, m]", "y[i, k] * g[k, m] * y[m, j]")
)
inverse.but(inverse_of_output, by.any_of(by.TRANSPOSED), ("out[i, j]", "out[j, i]"))
inverse.but(inverse_of_output, by.any_of(by.TRANSPOSED, by.ORDER), ("* y[j, m]", "* y[m, j]"))

solve = Case("solve", tf.linalg.solve, lambda rng: [square(rng), rng.normal(size=(3, 2))])


@solve.right
def solve_adjoint(A, B, g):
    X = np.linalg.solve(A, B)
    lam = np.linalg.solve(np.swapaxes(A, 0, 1), g)
    return -lam.dot(X.T), lam


@solve.right
def solve_with_inverse(A, B, g):
    Ai = np.linalg.inv(A)
    lam = np.transpose(Ai) @ g
    return -np.einsum("ik,jk->ij", lam, Ai @ B), lam


solve.but(solve_adjoint, by.TRANSPOSED, ("np.swapaxes(A, 0, 1)", "A"))
solve.but(solve_adjoint, by.SIGN, ("-lam.dot", "lam.dot"))
solve.but(
    solve_adjoint, by.any_of(by.STALE, by.OTHER, "B\\b"), ("X = np.linalg.solve(A, B)", "X = B")
)
solve.but(solve_with_inverse, by.TRANSPOSED, ('"ik,jk->ij"', '"ik,jk->ji"'))
solve.but(solve_adjoint, by.any_of(by.SIGN), ("-lam.dot(X.T), lam", "-lam.dot(X.T), -lam"))

logdet = Case(
    "log determinant",
    lambda S: tf.linalg.logdet(S),
    lambda rng: [definite(rng)],
    "gradient",
    symmetric=(0,),
)


@logdet.right
def logdet_symmetric(S):
    return np.linalg.inv(S)


@logdet.right
def logdet_by_solve(S):
    return np.linalg.solve(S, np.identity(3)).T


logdet.but(
    logdet_by_solve,
    by.CONVENTION,
    (
        "return np.linalg.solve(S, np.identity(3)).T",
        "Y = np.linalg.inv(S)\n    return 2 * Y - np.diag(np.diag(Y))",
    ),
)
logdet.but(logdet_by_solve, by.any_of(by.TWICE), ("return np", "return 2 * np"))
logdet.but(
    logdet_by_solve,
    by.any_of(by.DIAGONAL, by.MISSING),
    ("return np.linalg.solve(S, np.identity(3)).T", "return np.diag(1 / np.diag(S))"),
)
logdet.but(
    logdet_by_solve,
    by.any_of(by.CONVENTION, by.ENTRIES),
    ("return np.linalg.solve(S, np.identity(3)).T", "return np.tril(np.linalg.inv(S))"),
)
logdet.but(
    logdet_by_solve,
    by.any_of("inverse|S\\b", by.OTHER, by.MISSING),
    ("return np.linalg.solve(S, np.identity(3)).T", "return S"),
)

det = Case("determinant", tf.linalg.det, lambda rng: [square(rng)])


@det.right
def det_by_cofactors(A, g):
    out = np.empty((3, 3))
    for i in range(3):
        for j in range(3):
            m = np.delete(np.delete(A, i, 0), j, 1)
            out[i, j] = (-1) ** (i + j) * (m[0, 0] * m[1, 1] - m[0, 1] * m[1, 0]) * g
    return out


@det.right
def det_by_inverse(A, g):
    return g * np.linalg.det(A) * np.linalg.inv(A).T


det.but(det_by_inverse, by.TRANSPOSED, (".inv(A).T", ".inv(A)"))
det.but(det_by_inverse, by.any_of(by.MISSING, by.FACTOR), ("np.linalg.det(A) * ", ""))
det.but(
    det_by_cofactors,
    by.any_of(by.SIGN, by.MISSING, by.ENTRIES, by.DIAGONAL),
    ("(-1) ** (i + j) * ", ""),
)
det.but(det_by_cofactors, by.any_of(by.UPSTREAM, by.MISSING), (" * g\n", "\n"))

cholesky = Case("cholesky", tf.linalg.cholesky, lambda rng: [definite(rng)], symmetric=(0,))


@cholesky.right
def cholesky_by_phi(S, g):
    L = np.linalg.cholesky(S)
    P = np.tril(L.T @ np.tril(g))
    P[np.diag_indices(3)] *= 0.5
    Li = np.linalg.inv(L)
    M = Li.T @ P @ Li
    return 0.5 * (M + M.T)


cholesky.but(
    cholesky_by_phi,
    by.any_of(by.DIAGONAL, by.FACTOR, by.HALF),
    ("    P[np.diag_indices(3)] *= 0.5\n", ""),
)
cholesky.but(cholesky_by_phi, by.any_of(by.TWICE), ("0.5 * (M + M.T)", "M + M.T"))
cholesky.but(
    cholesky_by_phi,
    by.any_of(by.MASK, "triang|tril", by.MISSING),
    ("np.tril(L.T @ np.tril(g))", "L.T @ np.tril(g)"),
)
cholesky.but(cholesky_by_phi, by.any_of(by.TRANSPOSED), ("L.T @ np.tril", "L @ np.tril"))

spectral = Case(
    "sum of cubes of eigenvalues",
    lambda A: tf.reduce_sum(tf.linalg.eigvalsh(A) ** 3),
    lambda rng: [definite(rng)],
    "gradient",
    symmetric=(0,),
)


@spectral.right
def spectral_by_vectors(A):
    w, V = np.linalg.eigh(A)
    out = np.zeros_like(A)
    for k in range(3):
        out += 3 * w[k] ** 2 * np.outer(V[:, k], V[:, k])
    return out


@spectral.right
def spectral_by_square(A):
    return 3 * A @ A


spectral.but(
    spectral_by_vectors,
    by.any_of(by.TRANSPOSED, "rows|columns|vectors"),
    ("np.outer(V[:, k], V[:, k])", "np.outer(V[k], V[k])"),
)
spectral.but(
    spectral_by_vectors,
    by.any_of(by.DIAGONAL),
    ("np.outer(V[:, k], V[:, k])", "np.diag(V[:, k] ** 2)"),
)
spectral.but(spectral_by_vectors, by.any_of(by.FACTOR, "3"), ("3 * w[k]", "w[k]"))
spectral.but(spectral_by_square, by.any_of(by.OTHER, by.FACTOR, by.MISSING), ("3 * A @ A", "3 * A"))

trace = Case(
    "trace of a product",
    lambda A, B: tf.linalg.trace(A @ tf.transpose(A) @ B),
    lambda rng: [rng.normal(size=(3, 2)), rng.normal(size=(3, 3))],
    "gradient",
)


@trace.right
def trace_both(A, B):
    return np.add(B @ A, B.T @ A), np.tensordot(A, A, axes=([1], [1]))


trace.but(
    trace_both,
    by.any_of(by.MISSING, "symmetric", by.TRANSPOSED),
    ("np.add(B @ A, B.T @ A)", "2 * (B @ A)"),
)
trace.but(trace_both, by.any_of(by.MISSING, by.TRANSPOSED), ("np.add(B @ A, B.T @ A)", "B.T @ A"))
trace.but(
    trace_both,
    by.any_of(by.DIAGONAL, "trace", by.MASK),
    ("np.tensordot(A, A, axes=([1], [1]))", "np.eye(3) * np.tensordot(A, A, axes=([1], [1]))"),
)
