"""Products of matrices and tensors: matmul, tensordot."""

from __future__ import annotations

from functools import lru_cache
from math import prod
from typing import Any

import numpy as np

from symtape.errors import FailedPreconditionError, UnsupportedError
from symtape.ops.arguments import (
    PRODUCTS,
    REALS,
    STACKED_PRODUCTS,
    check,
    in_turn,
    integers,
    listed,
    pair,
    plain,
    same_dtype,
    scalar,
    tensor,
)
from symtape.ops.attributes import boolean
from symtape.ops.elementwise.arithmetic import multiply, subtract
from symtape.ops.elementwise.conversion import cast
from symtape.ops.elementwise.functions import conj
from symtape.ops.shapes.repetition import roll
from symtape.ops.shapes.shaping import expand_dims, permuted, squeeze
from symtape.program.operations import Einsum
from symtape.tensor import dtypes, products
from symtape.tensor.dispatch import apply2, follow, invalid, misfit, no_kernel
from symtape.tensor.dtypes import DType
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import dtype_of, look_at, shape_of
from symtape.tensor.within import WITHIN

_MATMUL = "a:T, b:T -> product:T"


def matmul(
    a: Any,
    b: Any,
    transpose_a: bool = False,
    transpose_b: bool = False,
    adjoint_a: bool = False,
    adjoint_b: bool = False,
    a_is_sparse: bool = False,
    b_is_sparse: bool = False,
    output_type: Any = None,
    grad_a: bool = False,
    grad_b: bool = False,
    name: str | None = None,
) -> Tensor:
    """The product of matrices, of shapes [..., n, k] and [..., k, m]; first axes broadcast.

    `transpose_` and `adjoint_` turn a factor round first. `a_is_sparse` and the like are hints
    for two matrices, and change nothing. Raises `InvalidArgumentError` where shapes or dtypes do
    not fit, `TypeError` for 1 where True is meant, and `UnsupportedError` for an `output_type`
    that is not the dtype of the factors.

    >>> matmul([[1, 2]], [[3], [4]]).numpy()
    array([[11]], dtype=int32)
    """
    for which, plainly, adjoint in (("a", transpose_a, adjoint_a), ("b", transpose_b, adjoint_b)):
        if plainly and adjoint:
            raise ValueError(
                f"Only one of `transpose_{which}` and `adjoint_{which}` can be True. Received "
                f"`transpose_{which}`={plainly}, `adjoint_{which}`={adjoint}."
            )
    x, y = in_turn(a, b)
    is_plain = max(x.ndim, y.ndim) <= 2 or bool(a_is_sparse or b_is_sparse)
    turned = (
        _is_turned("transpose_a" if is_plain else "adj_x", transpose_a, adjoint_a),
        _is_turned("transpose_b" if is_plain else "adj_y", transpose_b, adjoint_b),
    )
    if a_is_sparse or b_is_sparse:
        _check_hints(x, y, a_is_sparse=a_is_sparse, b_is_sparse=b_is_sparse)
    else:
        _FLAG.of("grad_a" if is_plain else "grad_x", grad_a)
        _FLAG.of("grad_b" if is_plain else "grad_y", grad_b)
    if x.dtype is not y.dtype and max(x.ndim, y.ndim) <= 2:
        x, y = products.widened(x, y)
    if output_type is not None and dtypes.as_dtype(output_type) is not x.dtype:
        x, y = _widened(x, y, dtypes.as_dtype(output_type))
    _check_factors(x, y)
    x, y = conj(x) if adjoint_a else x, conj(y) if adjoint_b else y
    return products.matmul(x, y, turned)


_FLAG = boolean(False)


def _is_turned(word: str, plainly: Any, adjoint: Any) -> bool:
    """Say whether a factor is turned: a kernel has one of the two words, and reads that as bool."""
    read, other = (plainly, adjoint) if word.startswith("transpose") else (adjoint, plainly)
    return True if other else bool(_FLAG.of(word, read))


def _check_hints(x: Tensor, y: Tensor, **hints: Any) -> None:
    """Refuse what the kernel of sparse matrices refuses, which takes these dtypes alone."""
    if not {x.dtype.name, y.dtype.name} <= {"bfloat16", "float32"}:
        return
    for word, hint in hints.items():
        _FLAG.of(word, hint)
    for name, factor in (("a", x), ("b", y)):
        if factor.ndim != 2:
            raise misfit("SparseMatMul", f"{name} is not a matrix")


def _check_factors(x: Tensor, y: Tensor) -> None:
    """Raise TensorFlow's error for a dtype of matrices, or of stacks of them, without a product."""
    name = "MatMul" if max(x.ndim, y.ndim) <= 2 else "BatchMatMulV2"
    if name == "MatMul":
        check(name, x, PRODUCTS, _MATMUL)
    else:
        check(name, x, STACKED_PRODUCTS, "x:T, y:T -> output:T")
    if dtype_of(x).kind == "u":
        raise no_kernel(name, x)


_WIDENED = {"int8": "int32", "uint8": "int32", "bfloat16": "float32", "float16": "float32"}
"""Narrow dtypes, and those in which TensorFlow can add up their products."""


def _widened(x: Tensor, y: Tensor, wanted: DType) -> tuple[Tensor, Tensor]:
    """Cast factors to the dtype of the product; casting first loses nothing."""
    if _WIDENED.get(x.dtype.name) != wanted.name or y.dtype is not x.dtype:
        raise UnsupportedError(
            f"matmul of {x.dtype.name} with output_type={wanted.name}: cast the factors instead"
        )
    return cast(x, wanted), cast(y, wanted)


def _turned(x: Tensor, plainly: bool, adjoint: bool) -> Tensor:
    if not (plainly or adjoint) or x.ndim < 2:
        return x
    rank = x.ndim
    made = permuted(x, [*range(rank - 2), rank - 1, rank - 2])
    return conj(made) if adjoint else made


def matvec(
    a: Any,
    b: Any,
    transpose_a: bool = False,
    adjoint_a: bool = False,
    a_is_sparse: bool = False,
    b_is_sparse: bool = False,
    name: str | None = None,
) -> Tensor:
    """The product of matrices [..., n, k] and vectors [..., k].

    Raises what `matmul` raises: `InvalidArgumentError` and `UnsupportedError`.

    >>> matvec([[1, 2], [3, 4]], [1, 1]).numpy()
    array([3, 7], dtype=int32)
    """
    x, y = in_turn(a, b)
    is_hinted = a_is_sparse or b_is_sparse
    is_short = not (is_hinted or (adjoint_a and (transpose_a or x.dtype.is_complex)))
    if is_short and x.dtype is y.dtype and _is_plain_product(x, y):
        turned = _is_turned("transpose_a" if x.ndim == 2 else "adj_x", transpose_a, adjoint_a)
        _check_factors(x, y)
        if shape_of(y)[-1] == shape_of(x)[-2 if turned else -1]:
            return apply2(_matrix_times_vector(x.ndim - 2, turned), x, y)
    column = expand_dims(y, -1)
    product = matmul(x, column, transpose_a, False, adjoint_a, False, a_is_sparse, b_is_sparse)
    return squeeze(product, axis=-1)


def _is_plain_product(x: Tensor, y: Tensor) -> bool:
    """Say whether matrices and vectors have the same first axes."""
    a, b = shape_of(x), shape_of(y)
    return len(a) >= 2 and len(b) == len(a) - 1 and a[:-2] == b[:-1]


@lru_cache(maxsize=256)
def _matrix_times_vector(batch: int, turned: bool) -> Einsum:
    first = range(batch)
    rows, columns = (-1, -2) if turned else (-2, -1)
    return Einsum.of([(*first, -2, -1), (*first, columns)], (*first, rows))


def tensordot(a: Any, b: Any, axes: Any, name: str | None = None) -> Tensor:
    """Multiply tensors and add up over pairs of axes.

    `axes` is a number n (the last n axes of `a` with the first n of `b`), or the axes of `a` and
    those of `b`. Raises `ValueError` where they do not fit.

    >>> tensordot([1, 2], [3, 4], axes=1).numpy()
    np.int32(11)
    """
    x, y = products.widened(tensor(a), tensor(b))
    check("MatMul", x, PRODUCTS, _MATMUL)
    if dtype_of(x).kind == "u":
        raise no_kernel("MatMul", x)
    same_dtype("MatMul", x, y)
    own, other = _contracted(axes, x, y)
    sizes = [[shape[k] for k in axes] for shape, axes in ((shape_of(x), own), (shape_of(y), other))]
    if sizes[0] != sizes[1]:
        rows, columns = (
            [prod(n for k, n in enumerate(shape_of(z)) if k not in axes), prod(shared)]
            for z, axes, shared in zip((x, y), (own, other), sizes, strict=True)
        )
        shapes = f"In[0]: {listed(rows)}, In[1]: {listed(columns[::-1])}"
        raise misfit("MatMul", f"Matrix size-incompatible: {shapes}")
    made = apply2(_tensordot(x.ndim, y.ndim, tuple(own), tuple(other)), x, y)
    return follow("tensordot", (x, y), made)


@lru_cache(maxsize=4096)
def _tensordot(rank: int, other_rank: int, own: tuple[int, ...], other: tuple[int, ...]) -> Einsum:
    left = list(range(rank))
    right = [own[other.index(k)] if k in other else rank + k for k in range(other_rank)]
    free = [k for k in left if k not in own]
    free += [rank + k for k in range(other_rank) if k not in other]
    return Einsum.of([left, right], free)


def _contracted(axes: Any, x: Tensor, y: Tensor) -> tuple[list[int], list[int]]:
    ranks = (x.ndim, y.ndim)
    if not isinstance(axes, (list, tuple)) and np.ndim(plain(axes)) == 0:
        n = scalar(axes)
        if n < 0:
            raise ValueError(f"`axes` must be at least 0. Received: {axes}.")
        if n > min(ranks):
            bad = x if n > ranks[0] else y
            raise ValueError(
                "`axes` must not be larger than the number of dimensions of tensor "
                f"{look_at(bad)}.  Received {n}, vs tensor dimensions {bad.ndim}."
            )
        return list(range(ranks[0] - n, ranks[0])), list(range(n))
    if len(axes) != 2:
        raise ValueError(f"`axes` must be an integer or have length 2. Received {axes}.")
    own, other = integers(axes[0]), integers(axes[1])
    if len(own) != len(other):
        raise ValueError(
            f"Different number of contraction axes `a` and `b`, {len(own)} != {len(other)}."
        )
    for chosen, rank in ((own, ranks[0]), (other, ranks[1])):
        for n in chosen:
            if not -rank <= n < rank:
                raise IndexError(f"tensordot: axis {n} is out of range for a tensor of rank {rank}")
    return [n % ranks[0] for n in own], [n % ranks[1] for n in other]


def matrix_transpose(a: Any, name: str = "matrix_transpose", conjugate: bool = False) -> Tensor:
    """Exchange the last two axes.

    Raises `ValueError` for fewer than two axes.

    >>> matrix_transpose([[1, 2], [3, 4]]).numpy()
    array([[1, 3],
           [2, 4]], dtype=int32)
    """
    x = tensor(a)
    if x.ndim < 2:
        raise ValueError(
            "Argument `a` should be a (batch) matrix with rank >= 2.  Received `a` = "
            f"{look_at(x)} with shape: {x.shape}"
        )
    return _turned(x, True, conjugate and x.dtype.is_complex)


def adjoint(matrix: Any, name: str | None = None) -> Tensor:
    """Exchange the last two axes and take complex conjugates.

    >>> adjoint([[1, 2], [3, 4]]).numpy()
    array([[1, 3],
           [2, 4]], dtype=int32)
    """
    return matrix_transpose(matrix, conjugate=True)


def cross(a: Any, b: Any, name: str | None = None) -> Tensor:
    """The cross products of vectors of three elements along the last axis.

    >>> cross([1.0, 0.0, 0.0], [0.0, 1.0, 0.0]).numpy()
    array([0., 0., 1.], dtype=float32)
    """
    x, y = pair(a, b)
    check("Cross", x, REALS, "a:T, b:T -> product:T")
    if shape_of(x) != shape_of(y):
        raise misfit(
            "Cross",
            f"Both inputs must be of same shape: {listed(shape_of(x))} vs. {listed(shape_of(y))}",
        )
    if x.ndim == 0:
        raise invalid("Cross", "Input must be at least 1D[]")
    if shape_of(x)[-1] != 3:
        text = "Cross-products are only defined for 3-element vectors."
        if WITHIN.find is not None:
            raise misfit("Cross", text)
        raise FailedPreconditionError(message=invalid("Cross", text).message)
    first = multiply(roll(x, -1, -1), roll(y, -2, -1))
    return subtract(first, multiply(roll(x, -2, -1), roll(y, -1, -1)))
