"""JAX and PyTorch differentiate the same functions of matrices to the same numbers, twice.

JAX has the conjugate of TensorFlow's gradient of complex numbers; PyTorch has the same.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import symtape as tf
from tests.sampling import some

RNG_SEED = 3


def _weights(shape: tuple[int, ...]) -> Any:
    return np.cos(np.arange(np.prod(shape)) + 1.0).reshape(shape)


class Ours:
    """Words that the losses below are written in."""

    eye = staticmethod(lambda n, dtype: tf.eye(n, dtype=dtype))
    conj = staticmethod(tf.math.conj)
    real = staticmethod(tf.math.real)
    imag = staticmethod(tf.math.imag)
    log = staticmethod(tf.math.log)
    inv = staticmethod(tf.linalg.inv)
    det = staticmethod(tf.linalg.det)
    slogdet = staticmethod(tf.linalg.slogdet)
    cholesky = staticmethod(tf.linalg.cholesky)
    eigh = staticmethod(tf.linalg.eigh)
    eig = staticmethod(tf.linalg.eig)
    expm = staticmethod(tf.linalg.expm)
    qr = staticmethod(lambda x: tuple(tf.linalg.qr(x)))
    svdvals = staticmethod(lambda x: tf.linalg.svd(x, compute_uv=False))
    solve = staticmethod(tf.linalg.solve)
    pinv = staticmethod(tf.linalg.pinv)

    @staticmethod
    def turn(x: Any) -> Any:
        """Exchange the last two axes."""
        return tf.linalg.matrix_transpose(x)

    @staticmethod
    def svd(x: Any) -> Any:
        """Give U, s and Vᴴ."""
        s, u, v = tf.linalg.svd(x)
        return u, s, tf.linalg.adjoint(v)

    @staticmethod
    def weigh(x: Any) -> Any:
        """Add up with weights."""
        x = tf.math.real(x)
        return tf.reduce_sum(x * _weights(tuple(x.shape)))


class Jax:
    """JAX's words."""

    def __init__(self, jax: Any) -> None:
        n = jax.numpy
        linalg = n.linalg
        self.np = n
        self.conj, self.real, self.imag, self.log = n.conj, n.real, n.imag, n.log
        self.inv, self.det, self.slogdet = linalg.inv, linalg.det, linalg.slogdet
        self.cholesky, self.eigh = linalg.cholesky, linalg.eigh
        self.qr, self.pinv, self.solve = linalg.qr, linalg.pinv, linalg.solve
        self.expm = jax.scipy.linalg.expm
        self.svd = lambda x: linalg.svd(x, full_matrices=False)
        self.svdvals = lambda x: linalg.svd(x, compute_uv=False)

    def eye(self, n: int, dtype: Any) -> Any:
        """Make the identity."""
        return self.np.eye(n, dtype=dtype)

    def turn(self, x: Any) -> Any:
        """Exchange the last two axes."""
        return self.np.swapaxes(x, -1, -2)

    def weigh(self, x: Any) -> Any:
        """Add up with weights."""
        return self.np.sum(self.np.real(x) * _weights(x.shape))


class Torch:
    """PyTorch's words."""

    def __init__(self, torch: Any) -> None:
        self.torch = torch
        linalg = torch.linalg
        self.conj, self.log = torch.conj, torch.log
        self.inv, self.det, self.slogdet = linalg.inv, linalg.det, linalg.slogdet
        self.cholesky, self.eigh, self.eig = linalg.cholesky, linalg.eigh, linalg.eig
        self.qr, self.pinv, self.solve = linalg.qr, linalg.pinv, linalg.solve
        self.expm, self.svdvals = linalg.matrix_exp, linalg.svdvals
        self.svd = lambda x: linalg.svd(x, full_matrices=False)

    def real(self, x: Any) -> Any:
        """Take the real part."""
        return x.real if x.is_complex() else x

    def imag(self, x: Any) -> Any:
        """Take the imaginary part."""
        return x.imag

    def eye(self, n: int, dtype: Any) -> Any:
        """Make the identity."""
        return self.torch.eye(n, dtype=dtype)

    def turn(self, x: Any) -> Any:
        """Exchange the last two axes."""
        return x.mT

    def weigh(self, x: Any) -> Any:
        """Add up with weights."""
        return (self.real(x) * self.torch.tensor(_weights(tuple(x.shape)))).sum()


def positive(w: Any, x: Any) -> Any:
    """Make a positive definite matrix."""
    return x @ w.turn(w.conj(x)) + 2 * w.eye(x.shape[-2], x.dtype)


def squares(w: Any, v: Any) -> Any:
    """Forget signs and phases."""
    return w.real(v * w.conj(v))


def _both(w: Any, pair: tuple[Any, Any]) -> Any:
    first, second = pair
    return w.weigh(first) + w.weigh(w.real(second))


LOSSES: dict[str, tuple[Callable[[Any, Any], Any], tuple[int, ...]]] = {
    "inv": (lambda w, x: w.weigh(w.inv(x)), (2, 3, 3)),
    "det": (lambda w, x: w.weigh(w.det(x)), (2, 3, 3)),
    "sign of slogdet": (lambda w, x: w.weigh(w.slogdet(x)[0]), (2, 3, 3)),
    "slogdet": (lambda w, x: w.weigh(w.slogdet(x)[1]), (2, 3, 3)),
    "solve": (lambda w, x: w.weigh(w.solve(x, w.turn(x) @ x)), (3, 3)),
    "cholesky": (lambda w, x: w.weigh(w.cholesky(positive(w, x))), (2, 3, 3)),
    "eigh": (
        lambda w, x: _both(w, ((e := w.eigh(positive(w, x)))[0], squares(w, e[1]))),
        (3, 3),
    ),
    "q of qr": (lambda w, x: w.weigh(w.qr(x)[0]), (2, 4, 3)),
    "r of qr": (lambda w, x: w.weigh(w.qr(x)[1]), (2, 4, 3)),
    "singular values": (lambda w, x: w.weigh(w.svdvals(x)), (2, 4, 3)),
    "left vectors": (lambda w, x: w.weigh(squares(w, w.svd(x)[0])), (3, 3)),
    "right vectors of a wide matrix": (lambda w, x: w.weigh(squares(w, w.svd(x)[2])), (2, 4)),
    "product of U and V": (lambda w, x: w.weigh(w.svd(x)[0] @ w.svd(x)[2]), (4, 3)),
    "expm": (lambda w, x: w.weigh(w.expm(x)), (3, 3)),
    "pinv": (lambda w, x: w.weigh(w.pinv(x)), (4, 2)),
}
LACKING = {("pinv", "complex"), ("sign of slogdet", "real")}
"""TensorFlow takes no complex matrix there; the sign of a real determinant is flat."""

PHASES = {("product of U and V", "complex")}
"""PyTorch takes what rounding leaves of a phase for a loss that depends on it."""

CASES = [
    pytest.param(name, kind, id=f"{name}, {kind}")
    for name in LOSSES
    for kind in ("real", "complex")
    if (name, kind) not in LACKING
]


def point(name: str, kind: str) -> Any:
    """Make a matrix that is far from singular."""
    rng = np.random.default_rng(RNG_SEED)
    shape = LOSSES[name][1]
    x = rng.uniform(-1, 1, shape) + 1j * (rng.uniform(-1, 1, shape) if kind == "complex" else 0)
    x = x + 2 * np.eye(*shape[-2:])
    return x if kind == "complex" else x.real


def ours(name: str, kind: str) -> tuple[Any, Any]:
    """Give the gradient, and that of a function of the gradient."""
    f = LOSSES[name][0]
    x = tf.constant(point(name, kind))
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = f(Ours, x)
        g = inner.gradient(y, x)
        total = Ours.weigh(g)
    return g.numpy(), outer.gradient(total, x).numpy()


@pytest.mark.parametrize(("name", "kind"), some(CASES, 4))
def test_jax(name: str, kind: str, jax: Any) -> None:
    """First and second derivatives are JAX's."""
    f = LOSSES[name][0]
    words = Jax(jax)
    slope = jax.grad(lambda x: f(words, x))
    x = jax.numpy.asarray(point(name, kind))
    first = np.conj(slope(x))
    second = np.conj(jax.grad(lambda x: words.weigh(words.conj(slope(x))))(x))
    for a, b in zip(ours(name, kind), (first, second), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize(("name", "kind"), [c for c in CASES if tuple(c.values) not in PHASES])
def test_torch(name: str, kind: str, torch: Any) -> None:
    """First and second derivatives are PyTorch's."""
    f = LOSSES[name][0]
    words = Torch(torch)
    x = torch.tensor(point(name, kind), requires_grad=True)
    (first,) = torch.autograd.grad(f(words, x), x, create_graph=True)
    (second,) = torch.autograd.grad(words.weigh(first), x)
    mine = ours(name, kind)
    np.testing.assert_allclose(mine[0], first.detach().resolve_conj().numpy(), rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(mine[1], second.resolve_conj().numpy(), rtol=1e-9, atol=1e-9)
