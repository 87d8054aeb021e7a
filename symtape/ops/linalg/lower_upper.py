"""Triangular factors of a square matrix whose rows are interchanged: P A = L U."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from symtape.kernels.linalg.linear_algebra import pivots
from symtape.ops.arguments import allowed, check, pair, refusal, tensor
from symtape.ops.elementwise.functions import abs as absolute
from symtape.ops.indexing.gathering import gather
from symtape.ops.linalg.diagonals import band_part, set_diag
from symtape.ops.linalg.products import matmul
from symtape.ops.linalg.solving import LAPACK, triangular_solve
from symtape.ops.reductions.ordering import check_permutation
from symtape.ops.shapes.creation import eye
from symtape.ops.shapes.repetition import broadcast_to
from symtape.ops.shapes.shaping import with_shape
from symtape.program.kinds.matrices import Elimination
from symtape.program.kinds.structural import Gather
from symtape.tensor import dtypes
from symtape.tensor.decided import decided, stated
from symtape.tensor.dispatch import apply, apply1, invalid
from symtape.tensor.indexing.slices import Places
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import dtype_of, look_at, shape_of

_ELIMINATION = Elimination()
_SIGNATURE = "input:T -> lu:T, p:output_idx_type"
_PLACES = allowed("int32, int64")


class Lu(NamedTuple):
    """What `lu` gives."""

    lu: Tensor
    p: Tensor


def lu(input: Any, output_idx_type: Any = dtypes.int32, name: str | None = None) -> Lu:
    """The triangular factors of square matrices [..., n, n] after their rows were interchanged.

    `lu` is U with L below its diagonal, and L has ones on its own; `p` [..., n] says which row
    stands where, so that A[p] = L U. Each pivot is the first of the largest elements of its column.
    Raises `InvalidArgumentError` for a matrix that has no inverse. The derivative takes the order
    of the rows as given; TensorFlow has none.

    >>> factors, order = lu([[1.0, 2.0], [2.0, 2.0]])
    >>> factors.numpy(), order.numpy()
    (array([[2. , 2. ],
           [0.5, 1. ]], dtype=float32), array([1, 0], dtype=int32))
    """
    x = tensor(input)
    check("Lu", x, LAPACK, _SIGNATURE)
    if x.ndim < 2:
        raise invalid("Lu", f"Input tensor must have rank >= 2, got {x.ndim}")
    if shape_of(x)[-1] != shape_of(x)[-2]:
        raise invalid("Lu", "Input matrix must be square.")
    places = dtypes.as_dtype(output_idx_type)
    if places not in (dtypes.int32, dtypes.int64):
        wrong = tensor(np.zeros((), places.as_numpy_dtype))
        raise refusal("Lu", wrong, _PLACES, _SIGNATURE, "output_idx_type")
    order = tensor(pivots(np.asarray(look_at(x))).astype(places.as_numpy_dtype))
    factors = apply1(_ELIMINATION, _ordered(x, order))
    stated(x, lambda: absolute(_below(factors)) <= 1)  # so it is for the pivots that were chosen
    return Lu(factors, order)


def _below(factors: Tensor) -> Tensor:
    """Give a line of the entries below the diagonal."""
    *batch, n, _ = shape_of(factors)
    rows, columns = np.tril_indices(n, -1)
    lines = with_shape(factors, (*batch, n * n))
    return apply(Gather(0, 0, 0), lines, Places(rows * n + columns))


def _ordered(x: Tensor, order: Tensor) -> Tensor:
    batch = order.ndim - 1
    return gather(x, order, axis=batch, batch_dims=batch)


def lu_solve(
    lower_upper: Any, perm: Any, rhs: Any, validate_args: bool = False, name: str | None = None
) -> Tensor:
    """The solution X of A X = B, given the factors of A that `lu` gives.

    Shapes [..., n, n], [..., n] and [..., n, k]; first axes broadcast.

    >>> lu_solve(*lu([[1.0, 2.0], [2.0, 2.0]]), [[3.0], [4.0]]).numpy()
    array([[1.],
           [1.]], dtype=float32)
    """
    factors, order = _read(lower_upper, perm)
    b = pair(rhs, factors)[0]
    if b.ndim < 2:
        raise ValueError("Input `rhs` must have at least 2 dimensions.")
    if shape_of(factors)[-1] != shape_of(b)[-2]:
        raise ValueError("`lower_upper.shape[-1]` must equal `rhs.shape[-1]`.")
    if validate_args:
        _check_order(order)
    wide = np.broadcast_shapes(shape_of(order)[:-1], shape_of(b)[:-2])
    order = broadcast_to(order, (*wide, shape_of(order)[-1]))
    b = broadcast_to(b, (*wide, *shape_of(b)[-2:]))
    inner = triangular_solve(_unit_lower(factors), _ordered(b, order))
    return triangular_solve(factors, inner, lower=False)


def lu_reconstruct(
    lower_upper: Any, perm: Any, validate_args: bool = False, name: str | None = None
) -> Tensor:
    """The matrix whose factors `lu` gives.

    >>> lu_reconstruct(*lu([[1.0, 2.0], [2.0, 2.0]])).numpy()
    array([[1., 2.],
           [2., 2.]], dtype=float32)
    """
    factors, order = _read(lower_upper, perm)
    _check_order(order)
    product = matmul(_unit_lower(factors), band_part(factors, 0, -1))
    return _ordered(product, tensor(np.argsort(decided(order), axis=-1).astype(dtype_of(order))))


def lu_matrix_inverse(
    lower_upper: Any, perm: Any, validate_args: bool = False, name: str | None = None
) -> Tensor:
    """The inverse of the matrix whose factors `lu` gives.

    >>> lu_matrix_inverse(*lu([[1.0, 2.0], [2.0, 2.0]])).numpy()
    array([[-1. ,  1. ],
           [ 1. , -0.5]], dtype=float32)
    """
    factors, order = _read(lower_upper, perm)
    n = shape_of(factors)[-1]
    return lu_solve(factors, order, eye(n, dtype=factors.dtype), validate_args)


def _read(lower_upper: Any, perm: Any) -> tuple[Tensor, Tensor]:
    factors, order = tensor(lower_upper), tensor(perm)
    if factors.ndim < 2:
        raise ValueError("Input `lower_upper` must have at least 2 dimensions.")
    if shape_of(factors)[-1] != shape_of(factors)[-2]:
        raise ValueError("`lower_upper` must be square.")
    return factors, order


def _unit_lower(factors: Tensor) -> Tensor:
    ones = np.ones(shape_of(factors)[:-1], dtype_of(factors))
    return set_diag(band_part(factors, -1, 0), tensor(ones))


def _check_order(order: Tensor) -> None:
    """Raise TensorFlow's error for what is no order of rows."""
    n = shape_of(order)[-1]
    for line in look_at(order).reshape(-1, n) if n else ():
        check_permutation(line)
