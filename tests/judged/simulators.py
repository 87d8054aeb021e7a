# ruff: noqa: D103 - a candidate is described by its name
"""Backward passes of simulators, filters, likelihoods and transforms."""

from __future__ import annotations

import numpy as np
import scipy.special

import symtape as tf
from tests.judged import causes as by
from tests.judged.case import Case

# --- a step of leapfrog ---------------------------------------------------------------------------


def leapfrog(q, p):
    for _ in range(3):
        p = p - 0.05 * tf.sin(q)
        q = q + 0.1 * p
        p = p - 0.05 * tf.sin(q)
    return q, p


pendulum = Case("leapfrog", leapfrog, lambda rng: [rng.normal(size=3), rng.normal(size=3)])


@pendulum.right
def pendulum_reversed(q, p, gq, gp):
    qs = [q]
    for _ in range(3):
        p = p - 0.05 * np.sin(q)
        q = q + 0.1 * p
        p = p - 0.05 * np.sin(q)
        qs.append(q)
    for k in (2, 1, 0):
        gq = gq - 0.05 * np.cos(qs[k + 1]) * gp
        gp = gp + 0.1 * gq
        gq = gq - 0.05 * np.cos(qs[k]) * gp
    return gq, gp


pendulum.but(
    pendulum_reversed, by.any_of(by.SHIFT, by.STALE), ("np.cos(qs[k + 1])", "np.cos(qs[k])")
)
pendulum.but(
    pendulum_reversed,
    by.any_of(by.SIGN),
    ("gq - 0.05 * np.cos(qs[k]) * gp", "gq + 0.05 * np.cos(qs[k]) * gp"),
)
pendulum.but(pendulum_reversed, by.any_of(by.ORDER, by.SHIFT, "loop"), ("(2, 1, 0)", "(0, 1, 2)"))
pendulum.but(pendulum_reversed, by.any_of(by.OTHER, by.MISSING), ("np.cos(qs[k])", "np.sin(qs[k])"))
pendulum.but(pendulum_reversed, by.any_of(by.FACTOR), ("gp + 0.1 * gq", "gp + 0.05 * gq"))
pendulum.but(pendulum_reversed, by.any_of(by.MISSING), ("        gp = gp + 0.1 * gq\n", ""))

# --- an update of a filter ------------------------------------------------------------------------


def updated(m, P, h):
    s = tf.tensordot(h, tf.linalg.matvec(P, h), 1) + 0.5
    k = tf.linalg.matvec(P, h) / s
    return m + k * (1.0 - tf.tensordot(h, m, 1))


def beliefs(rng):
    a = rng.normal(size=(3, 3))
    return [rng.normal(size=3), a @ a.T + np.eye(3), rng.normal(size=3)]


kalman = Case("update of a filter", updated, beliefs, symmetric=(1,))


@kalman.right
def kalman_by_parts(m, P, h, g):
    Ph = P @ h
    s = h @ Ph + 0.5
    k = Ph / s
    r = 1.0 - h @ m
    dr = g @ k
    dk = g * r
    ds = -(dk @ k) / s
    dPh = dk / s + ds * h
    dP = np.outer(dPh, h)
    return g - dr * h, (dP + dP.T) / 2, P @ dPh + ds * Ph - dr * m


kalman.but(kalman_by_parts, by.any_of(by.MISSING), ("dPh = dk / s + ds * h", "dPh = dk / s"))
kalman.but(kalman_by_parts, by.any_of(by.SIGN), ("ds = -(dk", "ds = (dk"))
kalman.but(
    kalman_by_parts, by.any_of(by.MISSING), ("P @ dPh + ds * Ph - dr * m", "P @ dPh - dr * m")
)
kalman.but(
    kalman_by_parts, by.any_of(by.MISSING, by.FACTOR, "/|divi"), ("-(dk @ k) / s", "-(dk @ k)")
)
kalman.but(kalman_by_parts, by.any_of(by.SIGN), ("g - dr * h", "g + dr * h"))
kalman.but(kalman_by_parts, by.any_of(by.STALE, by.MISSING), ("dr = g @ k", "dr = g @ Ph"))

# --- likelihoods ----------------------------------------------------------------------------------


def dirichlet_of(a, p):
    norm = tf.math.lgamma(tf.reduce_sum(a)) - tf.reduce_sum(tf.math.lgamma(a))
    return norm + tf.reduce_sum((a - 1) * tf.math.log(p))


dirichlet = Case(
    "density of shares",
    dirichlet_of,
    lambda rng: [rng.uniform(0.5, 3, size=4), rng.uniform(0.1, 1, size=4)],
    "gradient",
    {"domain": {"a": "positive", "p": "positive"}},
)


@dirichlet.right
def dirichlet_digamma(a, p):
    da = scipy.special.digamma(a.sum()) - scipy.special.digamma(a) + np.log(p)
    return da, (a - 1) / p


dirichlet.but(dirichlet_digamma, by.any_of(by.MISSING, "1"), ("(a - 1) / p", "a / p"))
dirichlet.but(
    dirichlet_digamma, by.any_of(by.MISSING, "term"), ("scipy.special.digamma(a.sum()) - ", "-")
)
dirichlet.but(
    dirichlet_digamma,
    by.any_of(by.OTHER, by.MISSING),
    ("- scipy.special.digamma(a)", "- np.log(a)"),
)
dirichlet.but(dirichlet_digamma, by.any_of(by.SIGN), ("+ np.log(p)", "- np.log(p)"))
dirichlet.but(dirichlet_digamma, by.any_of(by.MEAN), ("a.sum()", "a.mean()"))


def evidence(x, y, scale):
    """Give the log likelihood of values of a Gaussian process."""
    d = x[:, None] - x
    K = tf.exp(-0.5 * (d / scale) ** 2) + 0.1 * np.eye(4)
    L = tf.linalg.cholesky(K)
    z = tf.linalg.triangular_solve(L, y[:, None])
    return -0.5 * tf.reduce_sum(z**2) - tf.reduce_sum(tf.math.log(tf.linalg.diag_part(L)))


process = Case(
    "evidence of a process",
    evidence,
    lambda rng: [rng.normal(size=4), rng.normal(size=4), np.array(0.8)],
    "gradient",
    {"domain": {"scale": "positive", "x": "real", "y": "real"}},
)


@process.right
def process_by_inverse(x, y, scale):
    d = x[:, None] - x
    E = np.exp(-0.5 * d**2 / scale**2)
    inverse = np.linalg.inv(E + 0.1 * np.eye(4))
    alpha = inverse @ y
    W = 0.5 * (np.outer(alpha, alpha) - inverse) * E
    dd = -W * d / scale**2
    return dd.sum(1) - dd.sum(0), -alpha, np.sum(W * d**2) / scale**3


process.but(
    process_by_inverse,
    by.any_of(by.MISSING),
    ("(np.outer(alpha, alpha) - inverse)", "np.outer(alpha, alpha)"),
)
process.but(process_by_inverse, by.any_of(by.MISSING), ("dd.sum(1) - dd.sum(0)", "dd.sum(1)"))
process.but(
    process_by_inverse,
    by.any_of("power", by.FACTOR, by.MISSING, "number"),
    ("/ scale**3", "/ scale**2"),
)
process.but(process_by_inverse, by.any_of(by.SIGN), (" -alpha,", " alpha,"))
process.but(process_by_inverse, by.any_of(by.HALF, by.TWICE, by.FACTOR), ("W = 0.5 * (", "W = ("))
process.but(
    process_by_inverse, by.any_of(by.MISSING, by.FACTOR), (" - inverse) * E\n", " - inverse)\n")
)

# --- splats ---------------------------------------------------------------------------------------


def spread(q, s):
    w, x, y, z = tf.unstack(q / tf.norm(q))
    R = tf.reshape(
        tf.stack(
            [
                1 - 2 * (y * y + z * z),
                2 * (x * y - w * z),
                2 * (x * z + w * y),
                2 * (x * y + w * z),
                1 - 2 * (x * x + z * z),
                2 * (y * z - w * x),
                2 * (x * z - w * y),
                2 * (y * z + w * x),
                1 - 2 * (x * x + y * y),
            ]
        ),
        (3, 3),
    )
    M = R * tf.exp(s)
    return tf.matmul(M, M, transpose_b=True)


splat = Case(
    "covariance of scales and a turn", spread, lambda rng: [rng.normal(size=4), rng.normal(size=3)]
)


@splat.right
def splat_by_parts(q, s, g):
    n = np.linalg.norm(q)
    w, x, y, z = u = q / n
    R = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )
    S = np.exp(s)
    dM = (g + g.T) @ (R * S)
    ds = (dM * R).sum(0) * S
    dR = dM * S
    dw = x * (dR[2, 1] - dR[1, 2]) + y * (dR[0, 2] - dR[2, 0]) + z * (dR[1, 0] - dR[0, 1])
    both = dR + dR.T
    dx = w * (dR[2, 1] - dR[1, 2]) + y * both[0, 1] + z * both[0, 2] - x * (both[1, 1] + both[2, 2])
    dy = w * (dR[0, 2] - dR[2, 0]) + x * both[0, 1] + z * both[1, 2] - y * (both[0, 0] + both[2, 2])
    dz = w * (dR[1, 0] - dR[0, 1]) + x * both[0, 2] + y * both[1, 2] - z * (both[0, 0] + both[1, 1])
    du = 2 * np.array([dw, dx, dy, dz])
    return (du - u * (u @ du)) / n, ds


splat.but(splat_by_parts, by.any_of(by.MISSING), ("(du - u * (u @ du)) / n", "du / n"))
splat.but(
    splat_by_parts, by.any_of(by.MISSING, by.FACTOR), ("(dM * R).sum(0) * S", "(dM * R).sum(0)")
)
splat.but(
    splat_by_parts,
    by.any_of(by.TRANSPOSED, "axis", by.OTHER),
    ("(dM * R).sum(0)", "(dM * R).sum(1)"),
)
splat.but(
    splat_by_parts,
    by.any_of(by.MISSING, by.TRANSPOSED, by.SWAPPED, by.OTHER),
    ("(g + g.T) @", "2 * g @"),
)
splat.but(splat_by_parts, by.any_of(by.MISSING), ("du = 2 * np.array", "du = np.array"))
splat.but(splat_by_parts, by.any_of(by.MISSING, by.STALE, by.FACTOR), ("dR = dM * S", "dR = dM"))
splat.but(
    splat_by_parts,
    by.any_of(by.SIGN, by.ORDER, by.SWAPPED),
    ("y * (dR[0, 2] - dR[2, 0]) + z * (dR[1", "y * (dR[2, 0] - dR[0, 2]) + z * (dR[1"),
)

# --- spherical harmonics --------------------------------------------------------------------------


def colour(d, c):
    x, y, z = tf.unstack(d / tf.norm(d))
    basis = [0.28, -0.49 * y, 0.49 * z, -0.49 * x, 1.09 * x * y, 0.32 * (2 * z * z - x * x - y * y)]
    return tf.nn.relu(tf.tensordot(tf.stack(basis[1:]), c[1:], 1) + basis[0] * c[0] + 0.5)


harmonics = Case(
    "colour of a direction", colour, lambda rng: [rng.normal(size=3), rng.normal(size=(6, 3))]
)


@harmonics.right
def harmonics_by_basis(d, c, g):
    n = np.sqrt(d @ d)
    u = d / n
    x, y, z = u
    b = np.array(
        [0.28, -0.49 * y, 0.49 * z, -0.49 * x, 1.09 * x * y, 0.32 * (2 * z * z - x * x - y * y)]
    )
    g = g * (b @ c + 0.5 > 0)
    db = c @ g
    dx = -0.49 * db[3] + 1.09 * y * db[4] - 0.64 * x * db[5]
    dy = -0.49 * db[1] + 1.09 * x * db[4] - 0.64 * y * db[5]
    dz = 0.49 * db[2] + 1.28 * z * db[5]
    du = np.array([dx, dy, dz])
    return (du - u * (u @ du)) / n, np.outer(b, g)


harmonics.but(
    harmonics_by_basis,
    by.any_of(by.MASK, by.MISSING, by.POSITIVE),
    ("    g = g * (b @ c + 0.5 > 0)\n", ""),
)
harmonics.but(harmonics_by_basis, by.any_of(by.MISSING), ("(du - u * (u @ du)) / n", "du / n"))
harmonics.but(harmonics_by_basis, by.any_of(by.SIGN), ("dx = -0.49", "dx = 0.49"))
harmonics.but(harmonics_by_basis, by.any_of(by.FACTOR, by.CONSTANT), ("1.28 * z", "0.64 * z"))
harmonics.but(
    harmonics_by_basis,
    by.any_of(by.SHIFT, by.SWAPPED),
    ("dy = -0.49 * db[1]", "dy = -0.49 * db[2]"),
)
harmonics.but(
    harmonics_by_basis,
    by.any_of(by.MASK, by.CONSTANT, by.POSITIVE),
    ("(b @ c + 0.5 > 0)", "(b @ c > 0)"),
)

# --- transforms -----------------------------------------------------------------------------------


FORTH = np.fft.rfft(np.eye(6))
BACK = np.fft.irfft(np.eye(4), 6), np.fft.irfft(1j * np.eye(4), 6)


def filtered(x, w):
    """Multiply a spectrum with weights."""
    parts = tf.matmul(x, FORTH.real) * w, tf.matmul(x, FORTH.imag) * w
    return tf.matmul(parts[0], BACK[0]) + tf.matmul(parts[1], BACK[1])


spectral = Case(
    "filter of a spectrum", filtered, lambda rng: [rng.normal(size=(2, 6)), rng.normal(size=4)]
)


@spectral.right
def spectral_by_transforms(x, w, g):
    G, X = np.fft.rfft(g), np.fft.rfft(x)
    weight = np.array([1, 2, 2, 1]) / 6
    return np.fft.irfft(G * w, 6), (weight * np.real(np.conj(X) * G)).sum(0)


spectral.but(
    spectral_by_transforms,
    by.any_of(by.TWICE, by.HALF, by.FACTOR, by.ENTRIES, "places?"),
    ("[1, 2, 2, 1]", "[1, 1, 1, 1]"),
)
spectral.but(spectral_by_transforms, by.any_of("conj", by.SIGN, by.MISSING), ("np.conj(X)", "X"))
spectral.but(
    spectral_by_transforms, by.any_of(by.FACTOR, by.MEAN), ("[1, 2, 2, 1]) / 6", "[1, 2, 2, 1])")
)
spectral.but(
    spectral_by_transforms, by.any_of(by.MISSING), ("np.fft.irfft(G * w, 6)", "np.fft.irfft(G, 6)")
)
spectral.but(
    spectral_by_transforms,
    by.any_of("sum|mean|batch", by.BROADCAST),
    ("* G)).sum(0)", "* G)).mean(0)"),
)


def whitened(s):
    """Give the inverse root of a matrix."""
    e, u = tf.linalg.eigh(s)
    return tf.matmul(u / tf.sqrt(e), u, transpose_b=True)


def definite(rng):
    a = rng.normal(size=(3, 3))
    return [a @ a.T + np.diag([1.0, 2.0, 3.0])]


whitening = Case("inverse root of a matrix", whitened, definite, symmetric=(0,))


@whitening.right
def whitening_in_the_basis(s, g):
    e, u = np.linalg.eigh(s)
    r = np.sqrt(e)
    inner = u.T @ (g + g.T) @ u / 2
    return u @ (-inner / (np.outer(r, r) * (r[:, None] + r))) @ u.T


whitening.but(whitening_in_the_basis, by.any_of(by.SIGN), ("(-inner /", "(inner /"))
whitening.but(
    whitening_in_the_basis,
    by.any_of(by.MISSING, by.FACTOR),
    ("(np.outer(r, r) * (r[:, None] + r))", "(r[:, None] + r)"),
)
whitening.but(whitening_in_the_basis, by.any_of(by.TRANSPOSED), ("u.T @ (g", "u @ (g"))
whitening.but(
    whitening_in_the_basis, by.any_of(by.STALE, by.MISSING, by.OTHER), ("r = np.sqrt(e)", "r = e")
)
whitening.but(whitening_in_the_basis, by.any_of(by.HALF, by.TWICE, by.FACTOR), ("@ u / 2", "@ u"))

# --- tables ---------------------------------------------------------------------------------------


def looked_up(table, x):
    """Interpolate between the values of a table; beyond its ends it is constant."""
    at = tf.clip_by_value(x, 0.0, 3.0)
    k = tf.minimum(tf.cast(tf.floor(at), tf.int64), 2)
    part = at - tf.cast(k, tf.float64)
    return (1 - part) * tf.gather(table, k) + part * tf.gather(table, k + 1)


interpolated = Case(
    "interpolation in a table",
    looked_up,
    lambda rng: [rng.normal(size=4), np.array([-0.5, 0.3, 1.7, 2.2, 3.6])],
)


@interpolated.right
def interpolated_at(table, x, g):
    dtable, dx = np.zeros_like(table), np.zeros_like(x)
    for n in range(len(x)):
        k = int(np.clip(np.floor(x[n]), 0, 2))
        part = np.clip(x[n], 0, 3) - k
        dtable[k] += (1 - part) * g[n]
        dtable[k + 1] += part * g[n]
        if 0 <= x[n] <= 3:
            dx[n] = (table[k + 1] - table[k]) * g[n]
    return dtable, dx


interpolated.but(
    interpolated_at, by.any_of(by.MASK, by.POSITIVE), ("if 0 <= x[n] <= 3:", "if 0 <= x[n]:")
)
interpolated.but(
    interpolated_at,
    by.any_of(by.SWAPPED, by.STALE, by.OTHER, by.SIGN),
    ("(1 - part) * g[n]", "part * g[n]"),
)
interpolated.but(
    interpolated_at,
    by.any_of("overwritten|last", by.MISSING),
    ("dtable[k] += (1", "dtable[k] = (1"),
)
interpolated.but(
    interpolated_at,
    by.any_of(by.SHIFT, by.SIGN, by.POSITIVE),
    ("(table[k + 1] - table[k])", "(table[k] - table[k - 1])"),
)
interpolated.but(
    interpolated_at,
    by.any_of(by.MISSING, by.FACTOR),
    ("dtable[k + 1] += part * g[n]", "dtable[k + 1] += g[n]"),
)
