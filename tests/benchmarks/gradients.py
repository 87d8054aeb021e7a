"""Compiled gradients that a scientist writes by hand, beside that hand's NumPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import symtape as st
from tests.benchmarks.harness import compare

RNG = np.random.default_rng(0)
Row = tuple[Callable[..., Any], tuple[Any, ...], Callable[..., Any]]
"""A function, its arguments, and its gradient by the first as it is written by hand."""


def _convolution(n: int, width: int) -> Row:
    """Fit the kernel of a convolution."""

    def loss(kernel: Any, x: Any, y: Any) -> Any:
        found = st.nn.conv1d(x[None, :, None], kernel[:, None, None], 1, "VALID")[0, :, 0]
        return st.reduce_sum((found - y) ** 2)

    def by_hand(kernel: Any, x: Any, y: Any) -> Any:
        return 2 * np.correlate(x, np.correlate(x, kernel) - y)

    return (
        loss,
        (RNG.normal(size=width), RNG.normal(size=n), RNG.normal(size=n - width + 1)),
        by_hand,
    )


def _smoothing(n: int) -> Row:
    """Fit a smooth surface to data."""

    def loss(u: Any, y: Any) -> Any:
        rough = st.reduce_sum((u[1:] - u[:-1]) ** 2) + st.reduce_sum((u[:, 1:] - u[:, :-1]) ** 2)
        return st.reduce_sum((u - y) ** 2) + 0.1 * rough

    def by_hand(u: Any, y: Any) -> Any:
        found = 2 * (u - y)
        rows, columns = 0.2 * (u[1:] - u[:-1]), 0.2 * (u[:, 1:] - u[:, :-1])
        found[1:] += rows
        found[:-1] -= rows
        found[:, 1:] += columns
        found[:, :-1] -= columns
        return found

    return loss, (RNG.normal(size=(n, n)), RNG.normal(size=(n, n))), by_hand


def _laplacian(n: int) -> Row:
    """Take the square of a Laplacian on a grid."""

    def residual(u: Any) -> Any:
        return 4 * u[1:-1, 1:-1] - u[:-2, 1:-1] - u[2:, 1:-1] - u[1:-1, :-2] - u[1:-1, 2:]

    def by_hand(u: Any) -> Any:
        r = 2 * residual(u)
        found = np.zeros_like(u)
        found[1:-1, 1:-1] = 4 * r
        for place in (np.s_[:-2, 1:-1], np.s_[2:, 1:-1], np.s_[1:-1, :-2], np.s_[1:-1, 2:]):
            found[place] -= r
        return found

    return lambda u: st.reduce_sum(residual(u) ** 2), (RNG.normal(size=(n, n)),), by_hand


def _huber(n: int, width: int) -> Row:
    """Fit a line so that outliers count little."""

    def loss(b: Any, x: Any, y: Any) -> Any:
        r = st.linalg.matvec(x, b) - y
        size = st.abs(r)
        return st.reduce_mean(st.where(size <= 1.0, 0.5 * r * r, size - 0.5))

    def by_hand(b: Any, x: Any, y: Any) -> Any:
        return x.T @ np.clip(x @ b - y, -1, 1) / n

    x, b = RNG.normal(size=(n, width)), RNG.normal(size=width)
    return loss, (b, x, 3 * RNG.normal(size=n)), by_hand


def _spectrum(n: int) -> Row:
    """Fit a signal to the sizes of its Fourier transform."""

    def loss(x: Any, y: Any) -> Any:
        z = st.signal.fft(st.cast(x, st.complex128))
        return st.reduce_sum((st.math.real(z) ** 2 + st.math.imag(z) ** 2 - y) ** 2)

    def by_hand(x: Any, y: Any) -> Any:
        z = np.fft.fft(x)
        return 4 * n * np.fft.ifft(z * (z.real**2 + z.imag**2 - y)).real

    return loss, (RNG.normal(size=n), RNG.random(n)), by_hand


def _determinant(n: int) -> Row:
    """Take the logarithm of a determinant by a Cholesky factor."""

    def loss(a: Any) -> Any:
        return 2 * st.reduce_sum(st.math.log(st.linalg.diag_part(st.linalg.cholesky(a))))

    a = RNG.normal(size=(n, n))
    return loss, (a @ a.T + n * np.eye(n),), np.linalg.inv


def _attention(*shape: int) -> Row:
    """Pay attention to values by keys."""

    def loss(q: Any, k: Any, v: Any, y: Any) -> Any:
        z = q @ st.linalg.matrix_transpose(k) / np.sqrt(shape[-1])
        return st.reduce_sum((st.nn.softmax(z) @ v - y) ** 2)

    def by_hand(q: Any, k: Any, v: Any, y: Any) -> Any:
        p = _shares(q @ k.mT / np.sqrt(shape[-1]))
        g = 2 * (p @ v - y) @ v.mT
        return p * (g - (g * p).sum(-1, keepdims=True)) @ k / np.sqrt(shape[-1])

    return loss, tuple(RNG.normal(size=(4, *shape))), by_hand


def _causal(*shape: int) -> Row:
    """Pay attention to what came before, by a mask that the program makes."""

    def loss(x: Any, y: Any) -> Any:
        seen = st.linalg.band_part(st.ones((shape[0], shape[0]), st.float64), -1, 0)
        return st.reduce_sum((st.nn.softmax(x + (1 - seen) * -1e9) @ y) ** 2)

    hidden = -1e9 * (1 - np.tril(np.ones((shape[0], shape[0]))))

    def by_hand(x: Any, y: Any) -> Any:
        p = _shares(x + hidden)
        g = 2 * (p @ y) @ y.T
        return p * (g - (g * p).sum(-1, keepdims=True))

    return loss, (RNG.normal(size=(shape[0], shape[0])), RNG.normal(size=shape)), by_hand


def _decay(n: int) -> Row:
    """Fit a decay at places of a grid."""

    def loss(k: Any, y: Any) -> Any:
        return st.reduce_sum((st.exp(-k * st.linspace(np.float64(0), np.float64(1), n)) - y) ** 2)

    t = np.linspace(0, 1, n)

    def by_hand(k: Any, y: Any) -> Any:
        e = np.exp(-k * t)
        return -2 * (t * e) @ (e - y)

    return loss, (np.float64(1.5), RNG.random(n)), by_hand


def _classes(n: int, width: int, count: int) -> Row:
    """Fit the weights of classes to labels."""

    def loss(w: Any, x: Any, labels: Any) -> Any:
        return st.reduce_mean(st.nn.sparse_softmax_cross_entropy_with_logits(labels, x @ w))

    def by_hand(w: Any, x: Any, labels: Any) -> Any:
        p = _shares(x @ w)
        p[np.arange(n), labels] -= 1
        return x.T @ p / n

    x, labels = RNG.normal(size=(n, width)), RNG.integers(0, count, n)
    return loss, (RNG.normal(size=(width, count)), x, labels), by_hand


def _shares(z: Any) -> Any:
    e = np.exp(z - z.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


ROWS: dict[str, tuple[Row, float]] = {
    "attention, 4 by 16 by 8": (_attention(4, 16, 8), 2),
    "attention, 8 by 64 by 32": (_attention(8, 64, 32), 1.2),
    "attention to what came before, 64 by 8": (_causal(64, 8), 1.5),
    "a decay on a grid, 200": (_decay(200), 2),
    "classes of rows, 256 by 20": (_classes(256, 20, 10), 3.5),
    "classes of rows, 4096 by 64": (_classes(4096, 64, 100), 1.5),
    "a convolution's kernel, 1000 by 5": (_convolution(1000, 5), 6),
    "a convolution's kernel, 10000 by 9": (_convolution(10000, 9), 2.5),
    "a smooth surface, 32 by 32": (_smoothing(32), 2),
    "a smooth surface, 512 by 512": (_smoothing(512), 1.2),
    "a Laplacian, 32 by 32": (_laplacian(32), 2),
    "a Laplacian, 512 by 512": (_laplacian(512), 1),
    "Huber's loss, 100 by 5": (_huber(100, 5), 2.5),
    "sizes of a spectrum, 256": (_spectrum(256), 5),
    "a determinant by Cholesky, 5": (_determinant(5), 15),
    "a determinant by Cholesky, 100": (_determinant(100), 1.5),
}
"""What is fitted, and how many times as long as by hand a gradient may take."""


def gradients() -> None:
    """Time the gradient of each row."""
    for title, ((loss, args, by_hand), limit) in ROWS.items():
        slope = st.grad(loss)
        compare(
            f"gradient of {title}",
            {
                "symtape": lambda slope=slope, args=args: slope(*args),
                "by hand": lambda by_hand=by_hand, args=args: by_hand(*args),
            },
            limits={"by hand": limit},
            tolerance=1e-9,
        )


TABLES = (gradients,)
