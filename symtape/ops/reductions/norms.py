"""Norms of vectors and matrices, and tensors shortened to a norm."""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy as sp

from symtape.ops.arguments import (
    INEXACT,
    check,
    pair,
)
from symtape.ops.elementwise.arithmetic import divide, maximum, minimum, multiply, pow, where
from symtape.ops.elementwise.comparison import greater
from symtape.ops.elementwise.conversion import cast
from symtape.ops.elementwise.functions import abs, conj, sqrt
from symtape.ops.linalg.spectra import svd
from symtape.ops.reductions.reduction import extremum, reduce_max, reduce_sum
from symtape.ops.shapes.creation import ones_like
from symtape.ops.shapes.shaping import expand_dims, permuted, squeeze
from symtape.program import operations as ops
from symtape.tensor.convert import convert
from symtape.tensor.dispatch import apply, invalid, mismatch
from symtape.tensor.indexing.slices import by_rows, rows_of
from symtape.tensor.tensor import Literal, Tensor
from symtape.tensor.values import dtype_of


def norm(
    tensor: Any,
    ord: Any = "euclidean",
    axis: Any = None,
    keepdims: bool | None = None,
    name: str | None = None,
) -> Tensor:
    """The norm of vectors (`axis` None or one axis) or of matrices (two axes).

    `ord` is "euclidean", a positive number or infinity; of matrices "euclidean", "fro", 1, infinity
    and 2, which is the largest singular value. At 0 the Euclidean norm has no gradient: it is nan.

    >>> norm([3.0, 4.0]).numpy()
    np.float32(5.0)
    """
    x = convert(tensor)
    axes = _norm_axes(axis)
    is_matrix = axes is not None and len(axes) == 2
    _check_order(ord, is_matrix)
    keep = bool(keepdims)
    if isinstance(ord, str) or (ord == 2 and not is_matrix):
        turned = conj(x)
        check("Sqrt", x, INEXACT)
        return sqrt(reduce_sum(multiply(x, turned), axes, keep))
    if axes is not None and is_matrix:
        return _matrix_norm(x, ord, axes, keep)
    size = abs(x)
    if ord == 1:
        return reduce_sum(size, axes, keep)
    if ord == np.inf:
        return reduce_max(size, axes, keep)
    return pow(reduce_sum(pow(size, ord), axes, keep), _reciprocal(ord, size))


def _reciprocal(order: Any, size: Tensor) -> Any:
    """Give 1/p, exactly where p is a short fraction: the root of order 3 is a third, no float."""
    if not isinstance(order, (int, float)) or order * 64 != int(order * 64):
        return 1.0 / order
    return Literal.of(1 / sp.Rational(order), dtype_of(size))


def _matrix_norm(x: Tensor, ord: Any, axes: tuple[int, ...], keep: bool) -> Tensor:
    """The largest singular value, or the largest sum over a column or row."""
    rank = x.ndim
    for n in axes:
        if not -rank <= n < rank:
            raise invalid(
                "Transpose", f"norm with axis={axes} of a tensor of {rank} axes has no axis {n}"
            )
    rows, columns = (n if n < 0 else n - rank for n in axes)
    if ord == 2:
        order = [n for n in range(rank) if n - rank not in (rows, columns)]
        turned = permuted(x, [*order, rows + rank, columns + rank])
        largest = reduce_max(abs(svd(turned, compute_uv=False)), -1)
        if not keep:
            return largest
        for n in sorted((rows + rank, columns + rank)):
            largest = expand_dims(largest, n)
        return largest
    inner, outer = (rows, columns) if ord == 1 else (columns, rows)
    sums = reduce_sum(abs(x), inner, keepdims=True)
    made = extremum(sums, "max", (outer,), keepdims=True)
    return made if keep else squeeze(made, [inner, outer])


def _norm_axes(axis: Any) -> tuple[int, ...] | None:
    """Read the axes: none, one, or a list of two."""
    if axis is None:
        return None
    if isinstance(axis, int):
        return (axis,)
    given = tuple(axis) if isinstance(axis, (tuple, list)) else axis
    two = isinstance(given, tuple) and len(given) == 2
    if not two or not all(isinstance(n, int) for n in given) or given[0] == given[1]:
        raise ValueError(
            "'axis' must be None, an integer, or a tuple of 2 unique integers, got "
            f"{given if two else axis}"
        )
    return tuple(given)


def _check_order(ord: Any, is_matrix: bool) -> None:
    if is_matrix:
        supported = ("euclidean", "fro", 1, 2, np.inf)
        if ord not in supported:
            raise ValueError(
                f"'ord' must be a supported matrix norm in {list(supported)}, got {ord}"
            )
    elif ord != "euclidean" and (isinstance(ord, (str, complex)) or ord <= 0):
        raise ValueError(f"'ord' must be a supported vector norm, got {ord}")


def normalize(
    tensor: Any, ord: Any = "euclidean", axis: Any = None, name: str | None = None
) -> tuple[Tensor, Tensor]:
    """A tensor divided by its norm, and the norm with axes of size one, in its dtype.

    >>> normalize([3.0, 4.0])[0].numpy()
    array([0.6, 0.8], dtype=float32)
    """
    x = convert(tensor)
    length = cast(norm(x, ord, axis, keepdims=True), x.dtype)
    return divide(x, length), length


def global_norm(t_list: Any, name: str | None = None) -> Tensor:
    """The Euclidean norm of all elements of a list of tensors; None counts for nothing.

    Raises `InvalidArgumentError` for tensors that differ in dtype.

    >>> global_norm([[3.0], [4.0]]).numpy()
    np.float32(5.0)
    """
    if not isinstance(t_list, (list, tuple)):
        raise TypeError(f"`t_list` should be a sequence of tensors. Received {type(t_list)}.")
    parts = [convert(rows_of(t)) for t in t_list if t is not None]
    for k, x in enumerate(parts):
        if x.dtype is not parts[0].dtype:
            raise mismatch("Pack", parts[0], x, k)
    squares = [reduce_sum(multiply(x, conj(x))) for x in parts]
    if not squares:
        return convert(0.0)
    return sqrt(apply(ops.add_n, *squares) if len(squares) > 1 else squares[0])


def clip_by_norm(t: Any, clip_norm: Any, axes: Any = None, name: str | None = None) -> Tensor:
    """A tensor shortened to a norm, if its own is larger; a norm below zero is zero.

    Norms may differ along axes; `ValueError` if they would make the tensor larger.

    >>> clip_by_norm([3.0, 4.0], 1.0).numpy()
    array([0.6, 0.8], dtype=float32)
    """
    if isinstance(clip_norm, (int, float, np.number)):
        least: Any = max(0, clip_norm)
        return by_rows(t, lambda x: _shortened(x, least, axes))
    most = maximum(clip_norm, 0)
    return by_rows(t, lambda x: _shortened(x, cast(most, x.dtype), axes))


def _shortened(x: Tensor, clip_norm: Any, axes: Any) -> Tensor:
    square = reduce_sum(multiply(x, x), axes, keepdims=True)
    positive = greater(square, 0)
    length = where(positive, sqrt(where(positive, square, ones_like(square))), square)
    scaled = multiply(x, clip_norm)
    x.shape.assert_is_compatible_with(scaled.shape)
    return divide(scaled, maximum(length, clip_norm))


def clip_by_global_norm(
    t_list: Any, clip_norm: Any, use_norm: Any = None, name: str | None = None
) -> tuple[list[Tensor | None], Tensor]:
    """Tensors shortened together to a norm of all of them, if it is larger; and that norm.

    With `use_norm` they may differ in dtype.

    >>> clip_by_global_norm([[3.0], [4.0]], 1.0)[1].numpy()
    np.float32(5.0)
    """
    length = global_norm(t_list) if use_norm is None else convert(use_norm)
    scale = multiply(clip_norm, _smaller_inverse(length, clip_norm))
    short = [
        None if t is None else by_rows(t, lambda x: multiply(x, cast(scale, x.dtype)))
        for t in t_list
    ]
    return short, length


def _smaller_inverse(length: Tensor, clip_norm: Any) -> Tensor:
    """min(1/length, 1/clip_norm), and nan for an infinite length, as TensorFlow has it."""
    bound = divide(1.0, pair(clip_norm, length)[0])
    smaller = minimum(divide(1.0, length), bound)
    return smaller + (length - length)
