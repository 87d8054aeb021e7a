# ruff: noqa: D103 - a candidate is described by its name
"""Backward passes by what a result satisfies: factors of matrices, equations, projections."""

from __future__ import annotations

import numpy as np
import scipy.linalg
import scipy.special

import symtape as tf
from tests.judged import causes as by
from tests.judged.case import Case

# --- singular values and vectors ------------------------------------------------------------------


def shrunk(a):
    s, u, v = tf.linalg.svd(a)
    return tf.matmul(u * (s / (1 + s)), v, transpose_b=True)


svd = Case("shrunk singular values", shrunk, lambda rng: [rng.normal(size=(4, 3))])


@svd.right
def svd_by_differences(a, g):
    U, s, Vt = np.linalg.svd(a, full_matrices=False)
    f, d = s / (1 + s), 1 / (1 + s) ** 2
    M = U.T @ g @ Vt.T
    sym, skew = (M + M.T) / 2, (M - M.T) / 2
    top = np.subtract.outer(f, f) + np.diag(d)
    E = top / (np.subtract.outer(s, s) + np.eye(3))
    F = np.add.outer(f, f) / np.add.outer(s, s)
    inner = U @ (E * sym + F * skew) @ Vt
    right = Vt.T @ np.diag(f / s) @ Vt
    outside = (np.eye(4) - U @ U.T) @ g @ right
    return inner + outside


@svd.right
def svd_by_gram(a, g):
    w, V = np.linalg.eigh(a.T @ a)
    h = 1 / (1 + np.sqrt(w))
    slope = -0.5 * h**2 / np.sqrt(w)
    L = np.empty((3, 3))
    for i in range(3):
        for j in range(3):
            L[i, j] = slope[i] if i == j else (h[i] - h[j]) / (w[i] - w[j])
    P = V.T @ (a.T @ g) @ V
    dB = V @ (L * (P + P.T) / 2) @ V.T
    return g @ (V * h) @ V.T + 2 * a @ dB


svd.but(svd_by_differences, by.any_of(by.MISSING), ("inner + outside", "inner"))
svd.but(
    svd_by_differences, by.any_of(by.DIAGONAL, by.FACTOR, by.MISSING), ("np.diag(d)", "np.diag(f)")
)
svd.but(svd_by_differences, by.any_of(by.SIGN), ("(M - M.T) / 2", "(M.T - M) / 2"))
svd.but(svd_by_differences, by.any_of(by.MISSING, by.TRANSPOSED), ("E * sym + F * skew", "E * sym"))
svd.but(svd_by_gram, by.TWICE, ("2 * a @ dB", "a @ dB"))
svd.but(svd_by_gram, by.any_of(by.HALF, by.FACTOR, by.DIAGONAL), ("-0.5 * h**2", "-(h**2)"))
svd.but(svd_by_gram, by.any_of(by.TRANSPOSED, by.SWAPPED), ("(P + P.T) / 2", "P"))

# --- projections on eigenvectors ------------------------------------------------------------------


def leading(a):
    s = (a + tf.transpose(a)) / 2
    _, v = tf.linalg.eigh(s)
    return tf.matmul(v[:, 1:], v[:, 1:], transpose_b=True)


projector = Case("projector on eigenvectors", leading, lambda rng: [rng.normal(size=(3, 3))])


@projector.right
def projector_of_pairs(a, g):
    w, V = np.linalg.eigh((a + a.T) / 2)
    G = (g + g.T) / 2
    out = np.zeros_like(a)
    low = V[:, 0]
    for k in (1, 2):
        high = V[:, k]
        share = 2 * (low @ G @ high) / (w[k] - w[0])
        out += share * (np.outer(low, high) + np.outer(high, low)) / 2
    return out


@projector.right
def projector_by_resolvent(a, g):
    w, V = np.linalg.eigh((a + a.T) / 2)
    v = V[:, :1]
    pinv = (V[:, 1:] / (w[1:] - w[0])) @ V[:, 1:].T
    G = (g + g.T) / 2
    half = pinv @ G @ v @ v.T
    return half + half.T


projector.but(projector_of_pairs, by.SIGN, ("(w[k] - w[0])", "(w[0] - w[k])"))
projector.but(projector_of_pairs, by.any_of(by.MISSING, by.FACTOR), (" / (w[k] - w[0])", ""))
projector.but(
    projector_of_pairs,
    by.any_of(by.ENTRIES, by.MISSING, by.SHIFT, "loop"),
    ("in (1, 2)", "in (1,)"),
)
projector.but(
    projector_by_resolvent,
    by.any_of(by.TRANSPOSED, by.MISSING, by.TWICE),
    ("half + half.T", "2 * half"),
)
projector.but(
    projector_by_resolvent,
    by.any_of(by.TWICE, by.HALF, by.FACTOR),
    ("half + half.T", "(half + half.T) / 2"),
)

# --- equations of matrices ------------------------------------------------------------------------


def sylvester(a, b, c):
    eye2, eye3 = tf.eye(2, dtype=a.dtype), tf.eye(3, dtype=a.dtype)
    whole = tf.einsum("ij,kl->ikjl", a, eye3) + tf.einsum("ij,kl->ikjl", eye2, tf.transpose(b))
    x = tf.linalg.solve(tf.reshape(whole, (6, 6)), tf.reshape(c, (6, 1)))
    return tf.reshape(x, (2, 3))


def drawn_sylvester(rng):
    return [
        rng.normal(size=(2, 2)) * 0.3 + 2 * np.eye(2),
        rng.normal(size=(3, 3)) * 0.3 + np.eye(3),
        rng.normal(size=(2, 3)),
    ]


equation = Case("equation of Sylvester", sylvester, drawn_sylvester)


@equation.right
def equation_by_adjoint(a, b, c, g):
    x = scipy.linalg.solve_sylvester(a, b, c)
    y = scipy.linalg.solve_sylvester(a.T, b.T, g)
    return -y @ x.T, -x.T @ y, y


equation.but(equation_by_adjoint, by.SIGN, ("-y @ x.T", "y @ x.T"))
equation.but(equation_by_adjoint, by.any_of(by.TRANSPOSED), ("(a.T, b.T, g)", "(a, b, g)"))
equation.but(equation_by_adjoint, by.any_of(by.TRANSPOSED, by.ORDER), ("-x.T @ y,", "-y.T @ x,"))
equation.but(equation_by_adjoint, by.any_of(by.TRANSPOSED), ("(a.T, b.T, g)", "(a.T, b, g)"))

# --- the largest singular value by powers ---------------------------------------------------------


def normalised(w):
    s = tf.linalg.svd(w, compute_uv=False)
    return w / s[0]


spectral = Case("spectral norm", normalised, lambda rng: [rng.normal(size=(3, 4))])


@spectral.right
def spectral_by_powers(w, g):
    m = w @ w.T
    for _ in range(40):  # the 2⁴⁰th power: singular values may be near each other
        m = m @ m
        m /= np.sqrt(np.sum(m * m))
    u = m @ np.ones(3)
    u /= np.sqrt(u @ u)
    s = np.sqrt(np.sum((w.T @ u) ** 2))
    v = w.T @ u / s
    return g / s - np.sum(g * w) / s**2 * np.outer(u, v)


@spectral.right
def spectral_by_svd(w, g):
    U, s, Vt = np.linalg.svd(w)
    return (g - np.vdot(g, w) / s[0] * U[:, [0]] * Vt[0]) / s[0]


spectral.but(
    spectral_by_svd, by.any_of(by.MISSING), (" - np.vdot(g, w) / s[0] * U[:, [0]] * Vt[0]", "")
)
spectral.but(spectral_by_svd, by.any_of(by.SHIFT, by.OTHER, by.SWAPPED), ("* Vt[0])", "* Vt[1])"))
spectral.but(
    spectral_by_svd,
    by.any_of(by.FACTOR, by.MISSING),
    ("np.vdot(g, w) / s[0] * U", "np.vdot(g, w) * U"),
)
spectral.but(spectral_by_powers, by.any_of(by.SIGN), ("g / s - np", "g / s + np"))
spectral.but(spectral_by_powers, by.any_of(by.FACTOR, by.OTHER, "power"), ("/ s**2", "/ s"))

# --- projections on the simplex -------------------------------------------------------------------


def sparsemax(z):
    ordered = tf.sort(z, direction="DESCENDING")
    sums = tf.cumsum(ordered) - 1
    k = tf.range(1, 5, dtype=z.dtype)
    count = tf.reduce_sum(tf.cast(ordered * k > sums, tf.int32))
    tau = sums[count - 1] / tf.cast(count, z.dtype)
    return tf.maximum(z - tau, 0.0)


simplex = Case("projection on a simplex", sparsemax, lambda rng: [rng.normal(size=4)])


@simplex.right
def simplex_on_support(z, g):
    low, high = z.min() - 1, z.max()
    for _ in range(80):
        tau = (low + high) / 2
        if np.maximum(z - tau, 0).sum() > 1:
            low = tau
        else:
            high = tau
    on = z > tau
    return np.where(on, g - g[on].mean(), 0.0)


@simplex.right
def simplex_sorted(z, g):
    u = np.sort(z)[::-1]
    c = np.cumsum(u) - 1
    n = np.count_nonzero(u * np.arange(1, 5) > c)
    s = (z > c[n - 1] / n).astype(float)
    return s * (g - (s @ g) / n)


simplex.but(simplex_sorted, by.any_of(by.MISSING), ("g - (s @ g) / n", "g"))
simplex.but(simplex_sorted, by.any_of(by.MEAN, by.FACTOR, by.OTHER), ("(s @ g) / n", "(s @ g) / 4"))
simplex.but(simplex_sorted, by.any_of(by.MASK, by.MISSING, by.ENTRIES), ("s * (g", "(g"))
simplex.but(simplex_on_support, by.any_of(by.MASK, by.OTHER, by.MEAN), ("g[on].mean()", "g.mean()"))

# --- counts ---------------------------------------------------------------------------------------


def dirichlet(x, a):
    p = x / tf.reduce_sum(x)
    return (
        tf.math.lgamma(tf.reduce_sum(a))
        - tf.reduce_sum(tf.math.lgamma(a))
        + tf.reduce_sum((a - 1) * tf.math.log(p))
    )


counts = Case(
    "density of Dirichlet",
    dirichlet,
    lambda rng: [rng.uniform(0.2, 2, 4), rng.uniform(0.5, 3, 4)],
    "gradient",
)


@counts.right
def counts_by_digamma(x, a):
    psi = scipy.special.digamma
    da = psi(a.sum()) - psi(a) + np.log(x / x.sum())
    return (a - 1) / x - (a - 1).sum() / x.sum(), da


counts.but(counts_by_digamma, by.any_of(by.MISSING), ("psi(a.sum()) - psi(a)", "-psi(a)"))
counts.but(counts_by_digamma, by.any_of(by.MISSING), (" - (a - 1).sum() / x.sum()", ""))
counts.but(counts_by_digamma, by.any_of(by.OTHER, by.MISSING), ("np.log(x / x.sum())", "np.log(x)"))
counts.but(
    counts_by_digamma, by.any_of(by.MISSING, "term", by.CONSTANT), ("(a - 1).sum()", "a.sum()")
)
counts.but(
    counts_by_digamma,
    by.any_of(by.SHIFT, by.OTHER, by.MISSING, "term"),
    ("- psi(a) +", "- psi(a + 1) +"),
)


def negative_binomial(k, r, m):
    return tf.reduce_sum(
        tf.math.lgamma(k + r)
        - tf.math.lgamma(r)
        + r * tf.math.log(r / (r + m))
        + k * tf.math.log(m / (r + m))
    )


binomial = Case(
    "negative binomial",
    negative_binomial,
    lambda rng: [rng.integers(0, 6, 4).astype(float), rng.uniform(0.5, 3), rng.uniform(0.5, 4, 4)],
    "gradient",
    {"wrt": [1, 2], "domain": {"k": "fixed"}},
)


@binomial.right
def binomial_by_sums(k, r, m):
    dr = np.log(r / (r + m)) + 1 - (r + k) / (r + m)
    for i, n in enumerate(k):
        dr[i] += sum(1 / (r + j) for j in range(int(n)))
    return dr.sum(), k / m - (r + k) / (r + m)


binomial.but(binomial_by_sums, by.any_of(by.MISSING, "term"), (" + 1 - (r", " - (r"))
binomial.but(
    binomial_by_sums, by.any_of(by.SHIFT, "term", by.CONSTANT), ("(r + j) for", "(r + j + 1) for")
)
binomial.but(binomial_by_sums, by.any_of(by.MISSING, "term"), ("k / m - (r + k)", "k / m - r"))
binomial.but(binomial_by_sums, by.any_of(by.MEAN, by.BROADCAST), ("dr.sum()", "dr.mean()"))

# --- soft alignments of series --------------------------------------------------------------------


def soft_dtw(d):
    far = 1e9
    r = {(0, 0): 0.0 * d[0, 0]}
    for i in range(4):
        for j in range(4):
            if (i == 0) != (j == 0):
                r[i, j] = far + 0.0 * d[0, 0]
            elif i:
                near = tf.stack([r[i - 1, j - 1], r[i - 1, j], r[i, j - 1]])
                r[i, j] = d[i - 1, j - 1] - tf.reduce_logsumexp(-near)
    return r[3, 3]


warping = Case(
    "soft alignment of series", soft_dtw, lambda rng: [rng.uniform(size=(3, 3))], "gradient"
)


@warping.right
def warping_backwards(d):
    n, m = d.shape
    R = np.full((n + 2, m + 2), np.inf)
    R[0, 0] = 0.0
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            near = -np.array([R[i - 1, j - 1], R[i - 1, j], R[i, j - 1]])
            top = near.max()
            R[i, j] = d[i - 1, j - 1] - top - np.log(np.exp(near - top).sum())
    D = np.zeros((n + 2, m + 2))
    D[1 : n + 1, 1 : m + 1] = d
    E = np.zeros((n + 2, m + 2))
    E[n + 1, m + 1] = 1.0
    R[:, m + 1] = R[n + 1, :] = -np.inf
    R[n + 1, m + 1] = R[n, m]
    for j in range(m, 0, -1):
        for i in range(n, 0, -1):
            a = np.exp(R[i + 1, j] - R[i, j] - D[i + 1, j])
            b = np.exp(R[i, j + 1] - R[i, j] - D[i, j + 1])
            c = np.exp(R[i + 1, j + 1] - R[i, j] - D[i + 1, j + 1])
            E[i, j] = E[i + 1, j] * a + E[i, j + 1] * b + E[i + 1, j + 1] * c
    return E[1 : n + 1, 1 : m + 1]


warping.but(warping_backwards, by.any_of(by.MISSING), (" + E[i + 1, j + 1] * c", ""))
warping.but(warping_backwards, by.any_of(by.MISSING, "term"), (" - D[i, j + 1])", ")"))
warping.but(
    warping_backwards,
    by.any_of(by.SWAPPED, by.SHIFT),
    ("E[i + 1, j] * a + E[i, j + 1] * b", "E[i, j + 1] * a + E[i + 1, j] * b"),
)
warping.but(
    warping_backwards, by.any_of(by.SHIFT), ("return E[1 : n + 1, 1 : m + 1]", "return E[:n, :m]")
)
warping.but(
    warping_backwards,
    by.any_of(by.SIGN),
    ("R[i + 1, j] - R[i, j] - D", "R[i, j] - R[i + 1, j] - D"),
)
