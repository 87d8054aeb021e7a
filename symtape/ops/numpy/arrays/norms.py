"""NumPy's norms, of all orders, and the condition numbers that are quotients of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from symtape.errors import UnsupportedError
from symtape.ops.elementwise.arithmetic import divide, multiply, pow
from symtape.ops.elementwise.comparison import not_equal
from symtape.ops.elementwise.conversion import cast
from symtape.ops.elementwise.functions import abs
from symtape.ops.linalg import solving, spectra
from symtape.ops.numpy.arrays.axes import axes_among, moveaxis
from symtape.ops.numpy.arrays.between import lines_of
from symtape.ops.numpy.dtypes import inexact
from symtape.ops.reductions import norms
from symtape.ops.reductions.reduction import reduce_max, reduce_min, reduce_sum
from symtape.ops.shapes import shaping
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import dtype_of, shape_of


def _norm(x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Tensor:
    """Take the norm of matrices for two axes, of vectors for one; of all elements for none."""
    value = inexact(x)
    if ord is None:
        return norms.norm(value, "euclidean", axis, keepdims)
    axes = tuple(range(value.ndim)) if axis is None else axes_among(value.ndim, axis)
    if len(axes) == 1:
        return _of_lines(value, ord, axes, keepdims)
    if len(axes) != 2:
        raise ValueError("Improper number of dimensions to norm.")
    return _of_matrices(value, ord, axes, keepdims)


def _vector_norm(x: Any, *, axis: Any = None, keepdims: bool = False, ord: Any = 2) -> Tensor:
    value = inexact(x)
    axes = range(value.ndim) if axis is None else axes_among(value.ndim, axis)
    return _of_lines(value, ord, tuple(axes), keepdims)


def _of_lines(x: Tensor, ord: Any, axes: tuple[int, ...], keepdims: bool) -> Tensor:
    """Take the elements of some axes as one vector."""
    if isinstance(ord, str):
        raise ValueError(f"Invalid norm order '{ord}' for vectors")
    if ord in {1, 2, np.inf}:
        return _plain(x, ord, axes, keepdims)
    size = abs(x)
    if ord == 0:
        return reduce_sum(cast(not_equal(size, 0), dtype_of(size)), axes, keepdims)
    if ord == -np.inf:
        return reduce_min(size, axes, keepdims)
    if ord < 0:
        return pow(reduce_sum(pow(size, ord), axes, keepdims), 1.0 / ord)
    line, sizes = lines_of(x, axes)
    found = norms.norm(line, ord, -1)
    return shaping.reshape(found, sizes) if keepdims else found


def _plain(x: Tensor, ord: Any, axes: tuple[int, ...], keepdims: bool) -> Tensor:
    if ord == 2:
        return norms.norm(x, "euclidean", axes, keepdims)
    return (reduce_sum if ord == 1 else reduce_max)(abs(x), axes, keepdims)


_OF_SUMS: dict[Any, tuple[Callable[..., Tensor], int]] = {
    1: (reduce_max, -2),
    -1: (reduce_min, -2),
    np.inf: (reduce_max, -1),
    -np.inf: (reduce_min, -1),
}
"""The largest or smallest sum, and along which of both axes it is taken."""

_OF_SINGULAR: dict[Any, Callable[..., Tensor]] = {
    2: reduce_max,
    -2: reduce_min,
    "nuc": reduce_sum,
}
"""What is taken of singular values."""


def _of_matrices(x: Tensor, ord: Any, axes: tuple[int, int], keepdims: bool) -> Tensor:
    """Take the norm of matrices in two axes."""
    if ord in {"fro", "f"}:
        return norms.norm(x, "euclidean", axes, keepdims)
    matrices = moveaxis(x, axes, (-2, -1))
    if ord in _OF_SINGULAR:
        found = _OF_SINGULAR[ord](spectra.svd(matrices, compute_uv=False), -1)
    elif ord in _OF_SUMS:
        take, along = _OF_SUMS[ord]
        found = take(reduce_sum(abs(matrices), along), -1)
    else:
        raise ValueError(f"Invalid norm order {ord!r} for matrices.")
    kept = [1 if n in axes else size for n, size in enumerate(shape_of(x))]
    return shaping.reshape(found, kept) if keepdims else found


def _matrix_norm(x: Any, *, keepdims: bool = False, ord: Any = "fro") -> Tensor:
    value = inexact(x)
    return _of_matrices(value, ord, (value.ndim - 2, value.ndim - 1), keepdims)


def _cond(x: Any, p: Any = None) -> Tensor:
    """Divide the largest singular value by the smallest one, or multiply norms of A and A⁻¹."""
    value = inexact(x)
    if value.ndim < 2:
        raise np.linalg.LinAlgError(
            f"{value.ndim}-dimensional array given. Array must be at least two-dimensional"
        )
    if p in {None, 2, -2}:
        sizes = spectra.svd(value, compute_uv=False)
        first, last = reduce_max(sizes, -1), reduce_min(sizes, -1)
        return divide(last, first) if p == -2 else divide(first, last)
    if shape_of(value)[-1] != shape_of(value)[-2]:
        raise UnsupportedError(f"np.linalg.cond of shape {shape_of(value)} is recorded for p=2, -2")
    return multiply(*[_matrix_norm(a, ord=p) for a in (value, solving.inv(value))])


FUNCTIONS: dict[Any, Callable[..., Any]] = {
    np.linalg.cond: _cond,
    np.linalg.norm: _norm,
    np.linalg.vector_norm: _vector_norm,
    np.linalg.matrix_norm: _matrix_norm,
}
