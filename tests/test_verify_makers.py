# ruff: noqa: D102, D103 - a function is described by its name
"""The judge on functions that make arrays by NumPy and floats by math, as most people's do."""

from __future__ import annotations

import math
from math import cos, sin

import numpy as np
import pytest
from scipy import fft, linalg, signal, special

import symtape as tf
from symtape import verify
from symtape.verify.frameworks.makers import followable

RNG = np.random.default_rng(7)


def oscillator(y, mu):
    return np.array([y[1], mu * (1 - y[0] ** 2) * y[1] - y[0]])


def oscillator_rows(y, mu):
    return np.array([[0, 1], [-2 * mu * y[0] * y[1] - 1, mu * (1 - y[0] ** 2)]])


def arm(q):
    return np.array([cos(q[0]) + cos(q[0] + q[1]), sin(q[0]) + sin(q[0] + q[1])])


def arm_columns(q):
    J = np.zeros((2, 2))
    J[0, 0] = -math.sin(q[0]) - math.sin(q[0] + q[1])
    J[0, 1] = -math.sin(q[0] + q[1])
    J[1] = [math.cos(q[0]) + math.cos(q[0] + q[1]), math.cos(q[0] + q[1])]
    return J


class Pool:
    """A layer as courses have it, which keeps what its backward needs."""

    def forward(self, x):
        self.x = x
        out = np.empty((len(x) // 2, 2))
        for i in range(len(out)):
            out[i] = x[2 * i : 2 * i + 2].max(axis=0)
        return out

    def backward(self, g):
        dx = np.zeros(self.x.shape)
        for i in range(len(g)):
            window = self.x[2 * i : 2 * i + 2]
            dx[2 * i : 2 * i + 2] = self.share(window == window.max(axis=0)) * g[i]
        return dx

    @staticmethod
    def share(mask):
        return mask / mask.sum(axis=0)


class Whole(Pool):
    """One that gives all of the slope to each entry of a tie."""

    @staticmethod
    def share(mask):
        return mask * np.ones(mask.shape)


def pooled(x):
    return Pool().forward(x)


def pooled_back(x, g):
    layer = Pool()
    layer.forward(x)
    return layer.backward(g)


def pooled_whole(x, g):
    layer = Whole()
    layer.forward(x)
    return layer.backward(g)


def rows_of(W, ids):
    return W[ids]


def rows_back(W, ids, g):
    dW = np.zeros(W.shape)
    np.add.at(dW, ids, g)
    return dW


def likelihood(w, X, y):
    z = X @ w
    return np.sum(z[np.arange(len(y)), y] - special.logsumexp(z, axis=1))


def score(w, X, y):
    p = special.softmax(X @ w, axis=1)
    return np.c_[tuple([X.T @ ((y == k) - p[:, k]) for k in range(w.shape[1])])]


def turned(t):
    T = np.eye(3)
    T[:2, :2] = [[cos(t), -sin(t)], [sin(t), cos(t)]]
    return T


def turned_slope(t):
    T = np.zeros((3, 3))
    T[:2, :2] = np.array([[-sin(t), -cos(t)], [cos(t), -sin(t)]])
    return T


def largest_back(x, ids, g):
    top = np.full(2, -np.inf)
    np.maximum.at(top, ids, x)
    is_top = x == top[ids]
    return is_top * g[ids] / np.bincount(ids, weights=is_top, minlength=2)[ids]


def squared_length(A, b):
    return tf.reduce_sum(tf.linalg.solve(A, b[:, None]) ** 2)


def by_factors(A, b):
    factor = linalg.cho_factor(A, lower=True)
    return linalg.cho_solve(factor, 2 * linalg.cho_solve(factor, b))


def by_triangles(A, b):
    L = linalg.cholesky(A, lower=True)
    for _ in range(2):
        b = linalg.solve_triangular(L.T, linalg.solve_triangular(L, b, lower=True))
    return 2 * b


def by_lu(A, b):
    factors = linalg.lu_factor(A)
    return linalg.lu_solve(factors, 2 * linalg.lu_solve(factors, b), trans=1)


def by_one_triangle(A, b):
    x = linalg.solve(np.triu(A), b, assume_a="pos")
    U, lower = linalg.cho_factor(np.triu(A))
    return linalg.cho_solve((U, lower), 2 * x)


def by_exchanges(A):
    factors, exchanges = linalg.lu_factor(A)
    sign = (-1.0) ** np.sum(exchanges != np.arange(len(A)))
    return sign * np.prod(np.diag(factors)) * linalg.inv(A).T


def test_exchanges_of_rows_are_measured():
    """SciPy's order of rows is another than ours, and is nothing that is followed."""
    A = np.array([[0.1, 2.0, 1.0], [1.0, 0.2, 3.0], [2.0, 1.5, 0.3]])
    assert verify.gradient(tf.linalg.det, by_exchanges, A).verdict == "measured"
    wrong = lambda A: by_exchanges(A).T  # noqa: E731 - it is one line
    assert verify.gradient(tf.linalg.det, wrong, A).verdict == "refuted"


def energy_of_waves(x):
    waves = tf.signal.fft(tf.cast(x, tf.complex128))
    return tf.reduce_sum(tf.math.real(waves * tf.math.conj(waves)) * np.arange(6))


def by_waves(x):
    return 12 * np.real(fft.ifft(np.arange(6) * fft.fft(x)))


def distance(p, q):
    return math.sqrt((p[0] - q[0]) ** 2 + (p[1] - q[1]) ** 2)


def distance_slope(p, q):
    r = np.linalg.norm([p[0] - q[0], p[1] - q[1]])
    return np.r_[(p - q) / r], np.r_[(q[0] - p[0]) / r, (q[1] - p[1]) / r]


PAIR = RNG.normal(size=2), RNG.normal(size=2)
SYSTEM = np.diag([3.0, 4.0, 5.0]) + 0.5, RNG.normal(size=3)
CASES = {
    "np.array of entries": (verify.jacobian, oscillator, oscillator_rows, PAIR[0], 3.0),
    "functions of math": (verify.jacobian, arm, arm_columns, PAIR[0]),
    "a class": (verify.vjp, pooled, pooled_back, RNG.normal(size=(4, 2))),
    "np.add.at": (verify.vjp, rows_of, rows_back, RNG.normal(size=(4, 2)), np.array([1, 0, 1])),
    "functions of SciPy": (
        verify.gradient,
        likelihood,
        score,
        RNG.normal(size=(2, 3)),
        RNG.normal(size=(4, 2)),
        np.array([0, 2, 1, 2]),
    ),
    "an identity that is written into": (verify.jacobian, turned, turned_slope, np.array(0.3)),
    "np.maximum.at": (
        verify.vjp,
        lambda x, ids: tf.math.unsorted_segment_max(x, ids, 2),
        largest_back,
        RNG.normal(size=4),
        np.array([1, 0, 1, 0]),
    ),
    "Cholesky factors of SciPy": (verify.gradient, squared_length, by_factors, *SYSTEM),
    "one triangle": (verify.gradient, squared_length, by_one_triangle, *SYSTEM),
    "triangles of SciPy": (verify.gradient, squared_length, by_triangles, *SYSTEM),
    "LU factors of SciPy": (verify.gradient, squared_length, by_lu, *SYSTEM),
    "transforms of SciPy": (verify.gradient, energy_of_waves, by_waves, RNG.normal(size=6)),
    "lists of entries": (verify.gradient, distance, distance_slope, *PAIR),
}
WRT = {
    "np.maximum.at": "x",
    "Cholesky factors of SciPy": "b",
    "one triangle": "b",
    "triangles of SciPy": "b",
    "LU factors of SciPy": "b",
    "np.array of entries": "y",
    "np.add.at": "W",
    "functions of SciPy": "w",
}


@pytest.mark.parametrize("name", CASES)
def test_what_numpy_does_not_hand_over_is_followed(name):
    """It is compared as a formula, and what differs by a percent is refuted."""
    judge, f, candidate, *inputs = CASES[name]
    report = judge(f, candidate, *inputs, wrt=WRT.get(name))
    assert report.ok, report
    told = " ".join(report.notes)
    assert "cannot be followed" not in told, told
    assert report.verdict != "measured" or "there is no proof" in told, report

    def off(*args):
        found = candidate(*args)
        return [1.01 * x for x in found] if isinstance(found, tuple) else 1.01 * found

    assert judge(f, off, *inputs, wrt=WRT.get(name)).verdict == "refuted"


def test_numpy_itself_stays_as_it_is():
    """Only a copy has other things under its names; the function gives arrays as before."""
    copy = followable(oscillator)
    assert copy is not None
    assert copy is not oscillator
    assert type(oscillator(PAIR[0], 3.0)) is np.ndarray
    assert followable(rows_of) is None


def test_slopes_at_ties_are_shares():
    """Each entry of a tie alone may have all of the slope, and not all of them together."""
    report = verify.vjp(pooled, pooled_whole, RNG.normal(size=(4, 2)))
    assert report.verdict == "refuted"
    assert "(ties" in report.cause


def filtered(x, a):
    return signal.lfilter([1.0, 0.5], np.concatenate([[1.0], a]), x)


def banded(d, b):
    bands = np.zeros((3, 4))
    bands[0, 1:], bands[1], bands[2, :-1] = 1.0, 4 + d**2, 0.5
    return linalg.solve_banded((1, 1), bands, b)


OF_SCIPY = {
    "least squares": (lambda a, b: linalg.lstsq(a, b)[0], (4, 2), (4,)),
    "least squares of few": (lambda a, b: np.linalg.lstsq(a, b, rcond=None)[0], (2, 3), (2,)),
    "filter": (filtered, (5,), (2,)),
    "bands": (banded, (4,), (4,)),
    "convolution": (lambda a, b: signal.convolve(a, b), (5,), (3,)),
    "convolution, same": (lambda a, b: signal.convolve(a, b, "same"), (5,), (2,)),
    "convolution, valid": (lambda a, b: signal.fftconvolve(a, b, "valid"), (5,), (3,)),
    "correlation": (lambda a, b: signal.correlate(a, b, "same"), (5,), (3,)),
    "exponential": (lambda a, b: linalg.expm(a) @ b, (2, 2), (2,)),
    "change of one": (lambda a, b: linalg.expm_frechet(a, b)[1], (2, 2), (2, 2)),
    "blocks": (lambda a, b: linalg.block_diag(a, b, a), (2, 3), (2,)),
    "factors": (lambda a, b: linalg.qr(a, mode="economic")[1] ** 2 @ b, (3, 2), (2,)),
    "singular values": (lambda a, b: linalg.svdvals(a) * linalg.svd(a, False)[1] @ b, (3, 2), (2,)),
    "rows along an axis": (
        lambda a, b: np.apply_along_axis(lambda r: r / (1 + np.sum(r**2)), 0, a) @ b, (3, 2), (2,)
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", OF_SCIPY)
def test_what_scipy_computes_is_followed(name):
    """The numbers of our functions are SciPy's at all points, and nothing is measured."""
    f, *shapes = OF_SCIPY[name]
    report = verify.value(f, f, *[RNG.normal(size=s) for s in shapes])
    assert report.ok, report
    assert not any("followed" in note or "differences" in note for note in report.notes), report
