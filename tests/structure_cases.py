"""Jacobians and Hessians that people write, and what their structure is called."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

import symtape as tf

RNG = np.random.default_rng(11)
N = 5


class StructureCase(NamedTuple):
    """A derivative of a function at a point, and its text; `loose` patterns have more entries."""

    derive: Callable[..., Any]
    f: Callable[[Any], Any]
    at: Any
    text: str
    loose: bool = False


def jacobian_of(f: Callable[[Any], Any], x: Any) -> Any:
    """Take the Jacobian of a function at a point."""
    with tf.GradientTape() as tape:
        tape.watch(x)
        made = [f(x)]  # a variable would name it
    return tape.jacobian(made[0], x)


def hessian_of(f: Callable[[Any], Any], x: Any) -> Any:
    """Take the Hessian of a function at a point."""
    with tf.GradientTape() as tape:
        tape.watch(x)
        made = [f(x)]
    return tape.hessian(made[0], x)


def nested_hessian_of(f: Callable[[Any], Any], x: Any) -> Any:
    """Take the Jacobian of the gradient, each by a tape of its own."""
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            made = [f(x)]
        made = [inner.gradient(made[0], x)]  # a variable would name it
    return outer.jacobian(made[0], x)


def _named(name: str, *shape: int) -> Any:
    return tf.constant(RNG.normal(size=shape), name=name)


A, B, C, X = _named("A", N, N), _named("B", 3, 4), _named("C", 3, 3), _named("X", 7, N)
c, d = _named("c"), _named("d")
b, u, y = _named("b", 4), _named("u", N), _named("y", 7)
LABELS = tf.constant(np.eye(3)[[0, 1, 2, 1, 0]], name="labels")
_V, _M, _Q = RNG.normal(size=N), RNG.normal(size=(N, 3)), RNG.normal(size=(N, N))
_P = _Q @ _Q.T + np.eye(N)

STRUCTURES: dict[str, StructureCase] = {}


def _add(derive: Callable[..., Any], at: Any, *rows: tuple[Any, ...]) -> None:
    for name, f, *rest in rows:
        STRUCTURES[name] = StructureCase(derive, f, at, *rest)


_add(
    jacobian_of,
    _V,
    ("outer product with itself", lambda x: tf.tensordot(x, x, 0), "x ⊗ I + I ⊗ x"),
    ("outer product", lambda x: tf.tensordot(x, u, 0), "u ⊗ I"),
    ("gather", lambda x: tf.gather(x, [0, 2, 2]), "I[[0, 2, 2]]"),
    ("boolean_mask", lambda x: tf.boolean_mask(x, np.arange(N) != 1), "I[[0, 2, 3, 4]]"),
    (
        "scatter_nd",
        lambda x: tf.scatter_nd([[1], [3], [0], [6], [2]], x, [8]),
        "I[[1, 3, 0, 6, 2]]ᵀ",
    ),
    ("an element replaced", lambda x: tf.tensor_scatter_nd_update(x, [[1]], [3.0]), "diagonal"),
    ("segment_sum", lambda x: tf.math.segment_sum(x, [0, 0, 1, 1, 1]), "I[[0, 0, 1, 1, 1]]ᵀ"),
    (
        "segment_mean",
        lambda x: tf.math.segment_mean(x, [0, 0, 1, 1, 1]),
        "diag(p) I[[0, 0, 1, 1, 1]]ᵀ",
    ),
    ("sort", tf.sort, "I[[" + ", ".join(map(str, np.argsort(_V))) + "]]", True),
    ("reduce_max", tf.reduce_max, "pᵀ / (𝟏ᵀ p)", True),
    ("elementwise of matvec", lambda x: tf.tanh(tf.linalg.matvec(A, x)), "diag(p) A"),
    ("matvec of elementwise", lambda x: tf.linalg.matvec(A, tf.tanh(x)), "A diag(p)"),
    (
        "conv1d",
        lambda x: tf.nn.conv1d(x[None, :, None], [[[1.0]], [[2.0]], [[3.0]]], 1, "SAME")[0, :, 0],
        "tridiagonal",
    ),
    ("cumsum", tf.cumsum, "tril(𝟏 𝟏ᵀ)"),
    (
        "exclusive cumsum",
        lambda x: tf.cumsum(x, exclusive=True),
        "tril(𝟏 𝟏ᵀ) - I",
    ),
    ("cumsum from the end", lambda x: tf.cumsum(x, reverse=True), "triu(𝟏 𝟏ᵀ)"),
    ("second differences", lambda x: x[:-2] - 2.0 * x[1:-1] + x[2:], "banded, diagonals 0 to 2"),
    (
        "periodic Laplacian",
        lambda x: tf.roll(x, 1, 0) + tf.roll(x, -1, 0) - 2.0 * x,
        "diagonals -4, -1, 0, 1, 4",
    ),
    (
        "padded Laplacian",
        lambda x: tf.pad(x, [[1, 1]])[:-2] - 2.0 * x + tf.pad(x, [[1, 1]])[2:],
        "tridiagonal",
    ),
    ("norm", lambda x: tf.norm(x), "xᵀ / ‖x‖"),
    ("normalised", lambda x: x / tf.norm(x), "(I - x xᵀ / ‖x‖²) / ‖x‖"),
    ("log_softmax", tf.nn.log_softmax, "I - 𝟏 softmax(x)ᵀ"),
    ("repeat", lambda x: tf.repeat(x, 2), "I ⊗ 𝟏"),
    ("tile", lambda x: tf.tile(x, [2]), "𝟏 ⊗ I"),
    ("stack", lambda x: tf.stack([x, x * x]), "I ⊗ I[0]ᵀ + 2 diag(x) ⊗ I[1]ᵀ"),
    ("concat", lambda x: tf.concat([x, x * x], 0), "[I; 2 diag(x)]"),
    ("diag", tf.linalg.diag, "selection"),
    ("reversed", lambda x: x[::-1], "I[::-1]"),
    ("every other", lambda x: x[::2], "I[::2]"),
    ("a bias", lambda x: _M + x[:3], "I[0:3] ⊗ 𝟏"),
    ("differences of all", lambda x: x[:, None] - x[None, :], "𝟏 ⊗ I - I ⊗ 𝟏", True),
    ("two layers", lambda x: tf.linalg.matvec(X, tf.tanh(tf.linalg.matvec(A, x))), "X diag(p) A"),
    ("an integral of the past", lambda x: tf.math.cumprod(x), "dense", True),
)
_add(
    hessian_of,
    _V[:3],
    ("elements one by one", lambda x: tf.exp(x[0] * x[1]) + tf.sin(x[0] * x[2] + x[1]), "dense"),
)
_add(
    jacobian_of,
    np.array(1.5),
    ("of a number", tf.sin, "cos(x)"),
    ("a number times others", lambda x: c * x * x * d, "2 d c x"),
)
_add(
    jacobian_of,
    _M,
    ("transposed squares", lambda x: tf.transpose(x) ** 2, "2 diag(vec(xᵀ)) K"),
    ("gathered rows", lambda x: tf.gather(x, [3, 1, 4]), "I ⊗ I[[3, 1, 4]]"),
    ("gathered columns", lambda x: tf.gather(x, [2, 0, 1], axis=1), "I[[2, 0, 1]] ⊗ I"),
    ("cumsum of rows", lambda x: tf.cumsum(x, axis=1), "tril(𝟏 𝟏ᵀ) ⊗ I"),
    ("batched linear layer", lambda x: x @ B + b, "Bᵀ ⊗ I"),
    ("dense layer", lambda x: tf.tanh(x @ B + b), "diag(p) (Bᵀ ⊗ I)"),
    ("attention scores", lambda x: x @ tf.transpose(x), "(I + K) (x ⊗ I)"),
    ("Gram matrix", lambda x: tf.transpose(x) @ x, "(I + K) (I ⊗ xᵀ)"),
    ("between two matrices", lambda x: A @ x @ B, "Bᵀ ⊗ A"),
    ("quadratic in a matrix", lambda x: tf.transpose(x) @ A @ x, "K (I ⊗ (xᵀ Aᵀ)) + I ⊗ (xᵀ A)"),
    ("means of columns", lambda x: tf.reduce_mean(x, 0), "I ⊗ 𝟏ᵀ / 5"),
    ("sums of rows", lambda x: tf.reduce_sum(x, 1), "𝟏ᵀ ⊗ I"),
    ("transposed", tf.transpose, "K"),
    ("flattened", lambda x: tf.reshape(x, [-1]), "K"),
    ("attention", lambda x: tf.nn.softmax(x @ tf.transpose(x)), "dense"),
)
_add(
    jacobian_of,
    _Q,
    ("inverse", tf.linalg.inv, "-x⁻ᵀ ⊗ x⁻¹"),
    ("det", tf.linalg.det, "det(x) vec(x⁻ᵀ)ᵀ"),
    ("symmetric part", lambda x: (x + tf.transpose(x)) / 2.0, "(I + K) / 2"),
    ("diag_part", tf.linalg.diag_part, "selection"),
    ("lower triangle", lambda x: tf.linalg.band_part(x, -1, 0), "diagonal"),
    ("matvec by its matrix", lambda x: tf.linalg.matvec(x, u), "uᵀ ⊗ I"),
    ("layer by its matrix", lambda x: tf.tanh(tf.linalg.matvec(x, u)), "uᵀ ⊗ diag(p)"),
    ("solve by its matrix", lambda x: tf.linalg.solve(x, u[:, None])[:, 0], "-(uᵀ x⁻ᵀ) ⊗ x⁻¹"),
)
_add(
    jacobian_of,
    RNG.normal(size=(2, 3, 4)),
    ("axes permuted", lambda x: tf.transpose(x, [2, 0, 1]), "permutation"),
)
_add(
    hessian_of,
    _V,
    ("quadratic form", lambda x: tf.tensordot(x, tf.linalg.matvec(A, x), 1), "A + Aᵀ"),
    (
        "ridge",
        lambda x: tf.reduce_sum((tf.linalg.matvec(X, x) - y) ** 2.0) + 0.5 * tf.reduce_sum(x * x),
        "2 Xᵀ X + I",
    ),
    (
        "Huber",
        lambda x: tf.reduce_sum(tf.where(tf.abs(x) < 1.0, 0.5 * x * x, tf.abs(x))),
        "diagonal",
    ),
    ("Hessian of the norm", lambda x: tf.norm(x), "(I - x xᵀ / ‖x‖²) / ‖x‖"),
    ("square of a square", lambda x: tf.reduce_sum(x * x) ** 2.0, "4 (2 x xᵀ + ‖x‖² I)"),
    ("exponential of a sum", lambda x: tf.exp(tf.reduce_sum(x)), "c 𝟏 𝟏ᵀ"),
    ("all pairs", lambda x: tf.reduce_sum((x[:, None] - x[None, :]) ** 2.0), "4 (5 I - 𝟏 𝟏ᵀ)"),
    ("Gaussian", lambda x: tf.exp(-tf.reduce_sum(x * x) / 2.0), "c (x xᵀ - I)"),
    (
        "logsumexp of matvec",
        lambda x: tf.reduce_logsumexp(tf.linalg.matvec(A, x)),
        "Aᵀ (diag(p) - p pᵀ) A",
    ),
    ("a chain", lambda x: tf.reduce_sum((x[1:] - x[:-1] ** 2.0) ** 2.0), "tridiagonal"),
)
_add(
    nested_hessian_of,
    _V,
    ("logsumexp by two tapes", tf.reduce_logsumexp, "diag(p) - p pᵀ"),
    ("norm by two tapes", lambda x: tf.norm(x), "(I - x xᵀ / ‖x‖²) / ‖x‖"),
    (
        "logistic loss by two tapes",
        lambda x: tf.reduce_sum(tf.nn.softplus(tf.linalg.matvec(X, x))),
        "Xᵀ diag(p) X",
    ),
)
_add(
    hessian_of,
    _M,
    ("quadratic forms of rows", lambda x: tf.reduce_sum(x * (x @ C)), "(C + Cᵀ) ⊗ I"),
    (
        "cross entropy of rows",
        lambda x: tf.reduce_sum(tf.nn.softmax_cross_entropy_with_logits(LABELS, x)),
        "block diagonal",
    ),
    ("least squares from the left", lambda x: tf.reduce_sum((A @ x) ** 2.0), "2 I ⊗ (Aᵀ A)"),
    ("least squares from the right", lambda x: tf.reduce_sum((x @ B) ** 2.0), "2 (B Bᵀ) ⊗ I"),
)
_add(
    hessian_of,
    _P,
    ("slogdet", lambda x: tf.linalg.slogdet(x)[1], "-K (x⁻ᵀ ⊗ x⁻¹)"),
)
