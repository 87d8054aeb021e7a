"""NumPy's products of arrays, and diagonals, also by the names of the array API standard."""

from __future__ import annotations

import string
from collections.abc import Callable
from typing import Any

import numpy as np

from symtape.ops.elementwise import functions as elementwise
from symtape.ops.elementwise.arithmetic import multiply
from symtape.ops.linalg import contraction, diagonals, products
from symtape.ops.numpy.arrays.axes import moveaxis
from symtape.ops.numpy.dtypes import pair, promoted
from symtape.ops.numpy.ufuncs import UFUNCS
from symtape.ops.reductions import reduction
from symtape.ops.shapes import shaping
from symtape.tensor.tensor import Tensor


def _dot(a: Any, b: Any) -> Tensor:
    x, y = pair(a, b)
    if x.ndim == 0 or y.ndim == 0:
        return multiply(x, y)
    return products.tensordot(x, y, [[x.ndim - 1], [max(y.ndim - 2, 0)]])


def _inner(a: Any, b: Any) -> Tensor:
    x, y = pair(a, b)
    if x.ndim == 0 or y.ndim == 0:
        return multiply(x, y)
    return products.tensordot(x, y, [[x.ndim - 1], [y.ndim - 1]])


def _outer(a: Any, b: Any) -> Tensor:
    x, y = pair(a, b)
    return products.tensordot(shaping.reshape(x, [-1]), shaping.reshape(y, [-1]), 0)


def _vdot(a: Any, b: Any) -> Tensor:
    x, y = pair(a, b)
    return products.tensordot(
        elementwise.conj(shaping.reshape(x, [-1])), shaping.reshape(y, [-1]), 1
    )


def _tensordot(a: Any, b: Any, axes: Any = 2) -> Tensor:
    return products.tensordot(*pair(a, b), axes)


def _einsum(*given: Any, optimize: Any = False) -> Tensor:
    text, *operands = given if isinstance(given[0], str) else _written([*given])
    return contraction.stretching_einsum(text, promoted(operands))


def _written(given: list[Any]) -> list[Any]:
    """Write lists of indices, each behind its operand, as letters."""
    count = len(given) // 2
    terms = ["".join(map(_letter, indices)) for indices in given[1::2]]
    text = ",".join(terms[:count])
    result = f"->{''.join(map(_letter, given[-1]))}" if len(given) % 2 else ""
    return [text + result, *given[: 2 * count : 2]]


def _letter(index: Any) -> str:
    return "..." if index is Ellipsis else string.ascii_letters[index]


def _diag(v: Any, k: int = 0) -> Tensor:
    if np.ndim(v) not in {1, 2}:
        raise ValueError("Input must be 1- or 2-d.")
    return diagonals.diag(v, k=k) if np.ndim(v) == 1 else diagonals.diag_part(v, k=k)


def _diagonal(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Tensor:
    return diagonals.diag_part(moveaxis(a, [axis1, axis2], [-2, -1]), k=offset)


def _trace(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Tensor:
    return reduction.reduce_sum(_diagonal(a, offset, axis1, axis2), -1)


def _matrix_diagonal(x: Any, *, offset: int = 0) -> Tensor:
    return _diagonal(x, offset, -2, -1)


def _matrix_trace(x: Any, *, offset: int = 0) -> Tensor:
    return _trace(x, offset, -2, -1)


def _vecdot(x1: Any, x2: Any, *, axis: int = -1) -> Tensor:
    return UFUNCS[np.vecdot](*[moveaxis(x, axis, -1) for x in pair(x1, x2)])


def _matmul(x1: Any, x2: Any) -> Tensor:
    return UFUNCS[np.matmul](*pair(x1, x2))


def _outer_of_vectors(x1: Any, x2: Any) -> Tensor:
    if np.ndim(x1) != 1 or np.ndim(x2) != 1:
        raise ValueError(
            "Input arrays must be one-dimensional, but they are "
            f"x1.ndim={np.ndim(x1)} and x2.ndim={np.ndim(x2)}."
        )
    return _outer(x1, x2)


FUNCTIONS: dict[Any, Callable[..., Any]] = {
    np.dot: _dot,
    np.inner: _inner,
    np.outer: _outer,
    np.vdot: _vdot,
    np.tensordot: _tensordot,
    np.einsum: _einsum,
    np.trace: _trace,
    np.diag: _diag,
    np.diagonal: _diagonal,
    np.linalg.diagonal: _matrix_diagonal,
    np.linalg.matmul: _matmul,
    np.linalg.outer: _outer_of_vectors,
    np.linalg.tensordot: lambda x1, x2, /, *, axes=2: _tensordot(x1, x2, axes),
    np.linalg.trace: _matrix_trace,
    np.linalg.vecdot: _vecdot,
}
