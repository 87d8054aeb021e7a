# ruff: noqa: D103 - a candidate is described by its name
"""Right backward passes in unusual forms: the corners of NumPy, SciPy, plain Python."""

from __future__ import annotations

import math
from functools import reduce

import numpy as np
import scipy.linalg
import scipy.special

import symtape as tf
from tests.judged import causes as by
from tests.judged.case import Case

# --- sums of shares: many ways to write one thing -------------------------------------------------

ways = Case("softmax in many ways", tf.nn.softmax, lambda rng: [rng.normal(size=(3, 4))])


@ways.right
def ways_along_axis(x, g):
    def backward(both):
        e = np.exp(both[:4] - both[:4].max())
        p = e / e.sum()
        return p * (both[4:] - p @ both[4:])

    return np.apply_along_axis(backward, 1, np.concatenate([x, g], axis=1))


@ways.right
def ways_by_scipy(x, g):
    p = scipy.special.softmax(x, axis=1)
    return p * (g - np.vecdot(p, g)[:, np.newaxis])


@ways.right
def ways_of_lists(x, g):
    out = []
    for row, up in zip(x.tolist(), g.tolist(), strict=True):
        e = [math.exp(v - max(row)) for v in row]
        p = [v / math.fsum(e) for v in e]
        s = math.fsum(a * b for a, b in zip(p, up, strict=True))
        out.append([a * (b - s) for a, b in zip(p, up, strict=True)])
    return out


@ways.right
def ways_with_out(x, g):
    p = np.empty_like(x)
    np.subtract(x, x.max(axis=1, keepdims=True), out=p)
    np.exp(p, out=p)
    np.divide(p, p.sum(axis=1, keepdims=True), out=p)
    dots = np.matmul(p[:, None, :], g[:, :, None])[:, 0]
    return np.multiply(p, g - dots, out=p)


@ways.right
def ways_of_blocks(x, g):
    e = np.exp(x)
    p = (e.T / e.sum(1)).T
    J = scipy.linalg.block_diag(*[np.diag(q) - np.outer(q, q) for q in p])
    return (J @ g.ravel()).reshape(x.shape)


@ways.right
def ways_by_ndenumerate(x, g):
    p = np.exp(x) / np.sum(np.exp(x), 1, keepdims=True)
    out = np.zeros(x.shape)
    for (i, j), share in np.ndenumerate(p):
        for k in range(x.shape[1]):
            out[i, k] += g[i, j] * share * (float(j == k) - p[i, k])
    return out


@ways.right
def ways_by_sigmoids(x, g):
    p = np.stack([1 / np.exp(x - x[:, [k]]).sum(axis=1) for k in range(4)], axis=1)
    return p * g - p * np.sum(p * g, axis=1, keepdims=True)


ways.but(ways_by_scipy, by.any_of(by.MISSING), ("(g - np.vecdot(p, g)[:, np.newaxis])", "g"))
ways.but(ways_of_lists, by.any_of(by.MISSING, by.MEAN), ("math.fsum(a * b for", "sum(b for"))
ways.but(ways_by_ndenumerate, by.any_of(by.TRANSPOSED, by.OTHER), ("g[i, j]", "g[i, k]"))
ways.but(ways_of_blocks, by.SIGN, ("np.diag(q) - np.outer(q, q)", "np.outer(q, q) - np.diag(q)"))

# --- rectifiers -----------------------------------------------------------------------------------

kinked = Case("rectifier in many ways", tf.nn.relu, lambda rng: [rng.normal(size=(2, 3))])


@kinked.right
def kinked_by_heaviside(x, g):
    return g * np.heaviside(x, 0.0)


@kinked.right
def kinked_halfway(x, g):
    return g * 0.5 * (1 + np.sign(x))


@kinked.right
def kinked_by_piecewise(x, g):
    return np.piecewise(x, [x > 0, x <= 0], [1.0, 0.0]) * g


@kinked.right
def kinked_by_select(x, g):
    return np.select([x > 0], [g], default=0.0)


@kinked.right
def kinked_by_putmask(x, g):
    out = g.copy()
    np.putmask(out, x <= 0, 0.0)
    return out


@kinked.right
def kinked_by_ufunc_where(x, g):
    return np.multiply(g, 1.0, out=np.zeros_like(g), where=x > 0)


@kinked.right
def kinked_by_masked_array(x, g):
    return np.ma.masked_array(g, mask=x <= 0).filled(0.0)


@kinked.right
def kinked_vectorized(x, g):
    return np.vectorize(lambda a, b: b if a > 0 else 0.0, otypes=[float])(x, g)


@kinked.right
def kinked_by_nonzero(x, g):
    out = np.zeros(x.size)
    places = np.flatnonzero(x > 0)
    out[places] = g.ravel()[places]
    return out.reshape(x.shape)


@kinked.right
def kinked_by_flat_iterator(x, g):
    out = np.zeros_like(x)
    for k, v in enumerate(x.flat):
        out.flat[k] = g.flat[k] * (v > 0)
    return out


@kinked.wrong(by.CHANGES)
def kinked_in_the_upstream(x, g):
    g[x <= 0] = 0
    return g


kinked.but(kinked_by_heaviside, by.any_of(by.UPSTREAM, by.MISSING, by.OTHER), ("g * np", "x * np"))
kinked.but(kinked_by_putmask, by.any_of(by.POSITIVE, by.SIGN), ("x <= 0", "x > 0"))
kinked.but(kinked_halfway, by.any_of(by.TWICE, by.FACTOR), ("0.5 * ", ""))
kinked.but(kinked_by_select, by.any_of(by.POSITIVE, by.ENTRIES), ("default=0.0", "default=0.01"))

# --- convolutions, factorisations, counts ---------------------------------------------------------


def moving(x, w):
    return tf.stack([tf.tensordot(x[t : t + 3], w, 1) for t in range(5)])


filtered = Case("filter in many ways", moving, lambda rng: [rng.normal(size=7), rng.normal(size=3)])


@filtered.right
def filtered_by_convolve(x, w, g):
    return np.convolve(g, w), np.correlate(x, g, mode="valid")


@filtered.right
def filtered_by_views(x, w, g):
    windows = np.lib.stride_tricks.sliding_window_view(x, 3)
    padded = np.pad(g, 2)
    return np.lib.stride_tricks.sliding_window_view(padded, 3) @ w[::-1], windows.T @ g


@filtered.right
def filtered_by_fft(x, w, g):
    G = np.fft.rfft(g, 16)
    dx = np.fft.irfft(G * np.fft.rfft(w, 16), 16)[:7]
    dw = np.fft.irfft(np.conj(G) * np.fft.rfft(x, 16), 16)[:3]
    return dx, dw


@filtered.right
def filtered_by_toeplitz(x, w, g):
    T = scipy.linalg.toeplitz(np.r_[w[0], np.zeros(4)], np.r_[w, np.zeros(4)])
    H = scipy.linalg.hankel(x[:5], x[4:])
    return T.T @ g, H.T @ g


filtered.but(filtered_by_convolve, by.any_of(by.ORDER, "mirror|conv"), ("(g, w)", "(g, w[::-1])"))
filtered.but(
    filtered_by_convolve,
    by.any_of(by.ORDER, "mirror|conv"),
    ("np.correlate(x, g,", "np.convolve(x, g,"),
)
filtered.but(filtered_by_fft, by.any_of(by.SHIFT), ("16)[:7]", "16)[1:8]"))
filtered.but(
    filtered_by_views,
    by.any_of(by.TRANSPOSED, by.RAISES, by.SHAPE),
    ("windows.T @ g", "windows @ w"),
)


def least_squares(A, b):
    return tf.squeeze(
        tf.linalg.solve(
            tf.transpose(A) @ A, tf.linalg.matmul(tf.transpose(A), tf.expand_dims(b, 1))
        ),
        1,
    )


fitted = Case(
    "least squares in many ways",
    least_squares,
    lambda rng: [rng.normal(size=(5, 2)), rng.normal(size=5)],
)


@fitted.right
def fitted_by_qr(A, b, g):
    Q, R = np.linalg.qr(A)
    x = np.linalg.solve(R, Q.T @ b)
    z = np.linalg.solve(R.T @ R, g)
    r = b - A @ x
    return np.outer(r, z) - np.outer(A @ z, x), A @ z


@fitted.right
def fitted_by_pinv(A, b, g):
    P = np.linalg.pinv(A)
    x = P @ b
    z = P @ P.T @ g
    return np.outer(b - A @ x, z) - np.outer(P.T @ g, x), P.T @ g


@fitted.right
def fitted_by_lstsq(A, b, g):
    x = np.linalg.lstsq(A, b, rcond=None)[0]
    z = scipy.linalg.cho_solve(scipy.linalg.cho_factor(A.T @ A), g)
    return (b - A @ x)[:, None] * z - (A @ z)[:, None] * x, A @ z


fitted.but(fitted_by_qr, by.MISSING, ("np.outer(r, z) - np.outer(A @ z, x)", "-np.outer(A @ z, x)"))
fitted.but(fitted_by_qr, by.MISSING, (" - np.outer(A @ z, x)", ""))
fitted.but(fitted_by_pinv, by.any_of(by.SIGN, by.MISSING), ("z) - np.outer", "z) + np.outer"))
fitted.but(fitted_by_lstsq, by.any_of(by.STALE, by.MISSING), ("(b - A @ x)[:, None]", "b[:, None]"))

counted = Case(
    "segment sums in many ways",
    lambda x, s: tf.math.unsorted_segment_sum(x, s, 3) ** 2,
    lambda rng: [rng.normal(size=6), np.array([2, 0, 2, 1, 0, 2])],
)


@counted.right
def counted_by_bincount(x, s, g):
    total = np.bincount(s, weights=x, minlength=3)
    return (2 * g * total)[s]


@counted.right
def counted_by_one_hot(x, s, g):
    H = np.eye(3)[s]
    return 2 * H @ (g * (H.T @ x))


@counted.right
def counted_by_dictionary(x, s, g):
    total = {}
    for label, v in zip(s, x, strict=True):
        total[int(label)] = total.get(int(label), 0.0) + v
    return np.array([2 * g[label] * total[label] for label in s.tolist()])


def empty(rng):
    return [rng.normal(size=6), np.zeros(6, int)]


@counted.wrong(by.any_of(by.RAISES, "empty"), witness=empty)
def counted_by_reduceat(x, s, g):
    order = np.argsort(s, kind="stable")
    starts = np.searchsorted(s[order], np.arange(3))
    out = np.empty_like(x)
    out[order] = np.repeat(2 * g * np.add.reduceat(x[order], starts), np.bincount(s))
    return out


counted.but(counted_by_bincount, by.any_of(by.OTHER, by.MISSING), ("2 * g * total", "2 * g"))
counted.but(
    counted_by_bincount,
    by.any_of(by.OTHER, "x\\b", by.STALE, "sum"),
    ("(2 * g * total)[s]", "2 * g[s] * x"),
)

composed = Case(
    "composition by reduce",
    lambda x: tf.sin(tf.exp(-(tf.tanh(x) ** 2))),
    lambda rng: [rng.normal(size=3)],
)


@composed.right
def composed_by_reduce(x, g):
    t = np.tanh(x)
    e = np.exp(-(t**2))
    return reduce(np.multiply, [np.cos(e), e, -2 * t, 1 - t**2], g)


@composed.right
def composed_by_dual_numbers(x, g):
    v, d = np.tanh(x), 1 / np.cosh(x) ** 2
    v, d = -(v**2), -2 * v * d
    v, d = np.exp(v), np.exp(v) * d
    return np.cos(v) * d * g


@composed.right
def composed_by_complex_step(x, g):
    h = 1e-30
    return g * np.sin(np.exp(-(np.tanh(x + 1j * h) ** 2))).imag / h


composed.but(composed_by_reduce, by.any_of(by.SIGN), ("-2 * t", "2 * t"))
composed.but(composed_by_reduce, by.any_of(by.MISSING, by.FACTOR), ("e, -2 * t, ", "-2 * t, "))
composed.but(
    composed_by_dual_numbers,
    by.any_of(by.STALE, by.OTHER),
    ("np.exp(v), np.exp(v) * d", "np.exp(v), v * d"),
)


@composed.wrong(by.any_of("digits|differences|rounded|precision", by.FLOAT32))
def composed_by_differences(x, g):
    h = 1e-4

    def f(v):
        return np.sin(np.exp(-(np.tanh(v) ** 2)))

    return g * (f(x + h) - f(x)) / h
