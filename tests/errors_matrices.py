"""Mistakes with linear algebra: calls that raise, with any module that has TensorFlow's names."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from operator import attrgetter
from typing import Any

import numpy as np

from tests.errors import Misuse


def _a(tf: Any) -> Any:
    return tf.constant([[2.0, 1.0], [1.0, 3.0]])


def _b(tf: Any, *shape: int, dtype: Any = None) -> Any:
    return tf.ones(shape or (2, 1), dtype or tf.float32)


def _gradient(tf: Any, f: Callable[[Any], Any], x: Any) -> Any:
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    return tape.gradient(y, x)


_PRODUCTS: dict[str, Callable[[Any, Any], Any]] = {
    "product": lambda tf, x: tf.matmul(x, x),
    "product of stacks": lambda tf, x: tf.matmul(x[None], x[None]),
    "product with a vector": lambda tf, x: tf.linalg.matvec(x, x[0]),
    "contraction": lambda tf, x: tf.tensordot(x, x, 1),
    "einsum": lambda tf, x: tf.einsum("ij,jk->ik", x, x),
}


def _multiplied(tf: Any, run: Callable[[Any, Any], Any], dtype: str) -> Any:
    return run(tf, tf.cast(_b(tf, 2, 2), dtype))


_S = [[1.0, 2.0], [2.0, 4.0]]
_NAN = [[np.nan, 1.0], [1.0, 1.0]]


def _on(name: str, value: Any) -> Callable[[Any], Any]:
    return lambda tf: attrgetter(name)(tf.linalg)(tf.constant(value))


_ONE = "inv det slogdet logdet cholesky qr svd eigh eigvalsh sqrtm".split()
_SQUARE = [name for name in _ONE if name not in {"qr", "svd"}]
_REAL = ["pinv", "matrix_rank"]

ERRORS: list[Misuse] = [
    *[Misuse(f"{n} of a scalar", _on(n, 1.0)) for n in [*_ONE, *_REAL, "eig", "eigvals"]],
    *[Misuse(f"{n} of a vector", _on(n, [1.0, 2.0])) for n in [*_ONE, *_REAL, "eig", "eigvals"]],
    *[Misuse(f"{n} of integers", _on(n, [[2, 1], [1, 3]])) for n in [*_ONE, *_REAL]],
    *[Misuse(f"{n} of bool", _on(n, [[True]])) for n in [*_ONE, *_REAL]],
    *[Misuse(f"{n} of text", _on(n, "a"), same_text=False) for n in [*_ONE, *_REAL]],
    *[
        Misuse(f"{n} of None", lambda tf, n=n: attrgetter(n)(tf.linalg)(None))
        for n in [*_ONE, *_REAL]
    ],
    *[
        Misuse(f"{n} of a matrix that is not square", _on(n, [[1.0, 2.0, 3.0]]))
        for n in [*_SQUARE, "eig", "eigvals"]
    ],
    Misuse("expm of a matrix that is not square", _on("expm", np.ones((2, 3))), same_text=False),
    *[Misuse(f"{n} of nan", _on(n, _NAN)) for n in "inv eigh eigvalsh eig eigvals".split()],
    Misuse("inv of a singular matrix", _on("inv", _S)),
    Misuse("inv of zeros in a batch", _on("inv", [[[1.0]], [[0.0]]])),
    Misuse(
        "gradient of det of a singular matrix",
        lambda tf: _gradient(tf, tf.linalg.det, tf.constant(_S)),
    ),
    Misuse(
        "gradient of slogdet of a singular matrix",
        lambda tf: _gradient(tf, lambda x: tf.linalg.slogdet(x)[1], tf.constant(_S)),
    ),
    Misuse("expm of integers", _on("expm", [[1]])),
    Misuse("expm of a vector", _on("expm", [1.0, 2.0]), same_text=False),
    Misuse("logm of real numbers", _on("logm", [[1.0]])),
    Misuse("logm of a vector", lambda tf: tf.linalg.logm(_b(tf, 2, dtype=tf.complex64))),
    Misuse("pinv of complex numbers", lambda tf: tf.linalg.pinv(_b(tf, 2, 2, dtype=tf.complex64))),
    Misuse("pinv with too many bounds", lambda tf: tf.linalg.pinv(_a(tf), rcond=[0.1, 0.2])),
    # --- equations ---
    Misuse("solve of a singular matrix", lambda tf: tf.linalg.solve(tf.constant(_S), _b(tf))),
    Misuse("solve for a vector", lambda tf: tf.linalg.solve(_a(tf), _b(tf, 2))),
    Misuse("solve with a vector", lambda tf: tf.linalg.solve(_b(tf, 2), _b(tf))),
    Misuse("solve for other rows", lambda tf: tf.linalg.solve(_a(tf), _b(tf, 3, 1))),
    Misuse(
        "solve with a matrix that is not square",
        lambda tf: tf.linalg.solve(_b(tf, 2, 3), _b(tf)),
    ),
    Misuse("solve for a batch", lambda tf: tf.linalg.solve(_a(tf), _b(tf, 3, 2, 1))),
    Misuse(
        "solve with other batches",
        lambda tf: tf.linalg.solve(tf.eye(2, batch_shape=[2]), _b(tf, 3, 2, 1)),
    ),
    Misuse("solve of two dtypes", lambda tf: tf.linalg.solve(_a(tf), _b(tf, dtype=tf.float64))),
    Misuse(
        "solve of integers",
        lambda tf: tf.linalg.solve(tf.constant([[1]]), tf.constant([[1]])),
    ),
    Misuse("solve with None", lambda tf: tf.linalg.solve(None, _b(tf))),
    *[
        misuse
        for name in ("triangular_solve", "cholesky_solve")
        for misuse in (
            Misuse(
                f"{name} for a vector", lambda tf, n=name: getattr(tf.linalg, n)(_a(tf), _b(tf, 2))
            ),
            Misuse(
                f"{name} with a vector", lambda tf, n=name: getattr(tf.linalg, n)(_b(tf, 2), _b(tf))
            ),
            Misuse(
                f"{name} for other rows",
                lambda tf, n=name: getattr(tf.linalg, n)(_a(tf), _b(tf, 3, 1)),
            ),
            Misuse(
                f"{name} of a matrix that is not square",
                lambda tf, n=name: getattr(tf.linalg, n)(_b(tf, 2, 3), _b(tf)),
            ),
            Misuse(
                f"{name} with other batches",
                lambda tf, n=name: getattr(tf.linalg, n)(
                    tf.eye(2, batch_shape=[2]), _b(tf, 3, 2, 1)
                ),
            ),
            Misuse(
                f"{name} of two dtypes",
                lambda tf, n=name: getattr(tf.linalg, n)(_a(tf), _b(tf, dtype=tf.float64)),
            ),
            Misuse(
                f"{name} of integers",
                lambda tf, n=name: getattr(tf.linalg, n)(tf.constant([[1]]), tf.constant([[1]])),
            ),
        )
    ],
    Misuse(
        "lstsq, not fast, for a batch",
        lambda tf: tf.linalg.lstsq(_a(tf), _b(tf, 3, 2, 1), fast=False),
    ),
    Misuse(
        "lstsq, not fast, for other rows",
        lambda tf: tf.linalg.lstsq(_a(tf), _b(tf, 3, 1), fast=False),
    ),
    Misuse(
        "lstsq, not fast, of two dtypes",
        lambda tf: tf.linalg.lstsq(_a(tf), _b(tf, dtype=tf.float64), fast=False),
    ),
    Misuse("lstsq of integers", lambda tf: tf.linalg.lstsq(tf.constant([[1]]), tf.constant([[1]]))),
    Misuse(
        "lstsq for other rows", lambda tf: tf.linalg.lstsq(_a(tf), _b(tf, 3, 1)), same_text=False
    ),
    Misuse(
        "lstsq with other batches", lambda tf: tf.linalg.lstsq(_b(tf, 2, 2, 2), _b(tf, 3, 2, 1))
    ),
    Misuse(
        "lstsq with a regularizer of another dtype",
        lambda tf: tf.linalg.lstsq(_a(tf), _b(tf), l2_regularizer=tf.constant(0.5, tf.float64)),
    ),
    # --- diagonals ---
    Misuse("diag_part, aligned elsewhere", lambda tf: tf.linalg.diag_part(_a(tf), align="UP")),
    Misuse("diag_part from high to low", lambda tf: tf.linalg.diag_part(_a(tf), k=(1, -1))),
    Misuse("diag_part of three bounds", lambda tf: tf.linalg.diag_part(_a(tf), k=(0, 1, 2))),
    Misuse("diag_part of no bounds", lambda tf: tf.linalg.diag_part(_a(tf), k=[])),
    Misuse("diag_part of a fraction", lambda tf: tf.linalg.diag_part(_a(tf), k=1.5)),
    Misuse("diag_part too low", lambda tf: tf.linalg.diag_part(_a(tf), k=(-2, 1))),
    Misuse("diag_part too high", lambda tf: tf.linalg.diag_part(_a(tf), k=(0, 2))),
    Misuse("diag of other counts", lambda tf: tf.linalg.diag(_b(tf, 2, 3), k=(-1, 1))),
    Misuse("diag from high to low", lambda tf: tf.linalg.diag(_b(tf, 3, 3), k=(1, -1))),
    Misuse(
        "diag, aligned elsewhere", lambda tf: tf.linalg.diag(_b(tf, 2, 3), k=(1, 2), align="UP")
    ),
    Misuse(
        "diag of several in too few rows",
        lambda tf: tf.linalg.diag(_b(tf, 3, 3), k=(-1, 1), num_rows=2, num_cols=9),
    ),
    Misuse(
        "diag of several in another shape",
        lambda tf: tf.linalg.diag(_b(tf, 3, 3), k=(-1, 1), num_rows=7, num_cols=9),
    ),
    Misuse(
        "set_diag of other counts",
        lambda tf: tf.linalg.set_diag(_b(tf, 3, 4), _b(tf, 2, 3), k=(-1, 1)),
    ),
    Misuse(
        "set_diag too low", lambda tf: tf.linalg.set_diag(_b(tf, 3, 4), _b(tf, 2, 3), k=(-4, 1))
    ),
    Misuse(
        "set_diag from high to low",
        lambda tf: tf.linalg.set_diag(_b(tf, 3, 4), _b(tf, 2, 3), k=(2, 1)),
    ),
    Misuse(
        "set_diag of other lengths",
        lambda tf: tf.linalg.set_diag(_b(tf, 3, 4), _b(tf, 3, 2), k=(-1, 1)),
    ),
    Misuse("tensor_diag of a scalar", lambda tf: tf.linalg.tensor_diag(tf.constant(1.0))),
    Misuse(
        "tensor_diag_part of three axes", lambda tf: tf.linalg.tensor_diag_part(_b(tf, 2, 2, 2))
    ),
    Misuse("tensor_diag_part of other axes", lambda tf: tf.linalg.tensor_diag_part(_b(tf, 2, 3))),
    Misuse("trace of a vector", lambda tf: tf.linalg.trace(_b(tf, 3))),
    Misuse("cross of a batch and one", lambda tf: tf.linalg.cross(_b(tf, 2, 3), _b(tf, 3))),
    # --- norms ---
    Misuse("norm of a list of one axis", lambda tf: tf.norm(_a(tf), axis=[0])),
    Misuse("norm of an axis that is a tensor", lambda tf: tf.norm(_a(tf), axis=tf.constant(0))),
    Misuse("matrix norm of order 3", lambda tf: tf.norm(_a(tf), 3, axis=(0, 1))),
    Misuse("nuclear norm", lambda tf: tf.norm(_a(tf), "nuc", axis=(0, 1))),
    Misuse("norm of a complex order", lambda tf: tf.norm(_a(tf), 1j)),
    Misuse(
        "matrix norm of an axis that is not there",
        lambda tf: tf.norm(_a(tf), 2, axis=(0, 2)),
        same_text=False,
    ),
    # --- products ---
    *[
        Misuse(f"{name} of {dtype}", partial(_multiplied, run=run, dtype=dtype), same_text=False)
        for dtype in ("uint8", "uint64", "bool", "int8", "int16")
        for name, run in _PRODUCTS.items()
        if (name, dtype) != ("product of stacks", "int16")
    ],
    Misuse(
        "product of images and floats",
        lambda tf: _b(tf, 2, 3, dtype=tf.uint8) @ _b(tf, 3, 2),
        same_text=False,
    ),
    Misuse(
        "product of stacks of two dtypes",
        lambda tf: tf.matmul(_b(tf, 1, 2, 2, dtype=tf.float64), _b(tf, 1, 2, 2)),
    ),
]
