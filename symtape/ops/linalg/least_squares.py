"""Least squares and pseudo inverses."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtape.ops.arguments import check, is_tensor, like, pair, same_dtype, tensor
from symtape.ops.elementwise.arithmetic import multiply
from symtape.ops.linalg.products import matmul
from symtape.ops.linalg.solving import LAPACK, alike, cholesky, cholesky_solve
from symtape.ops.shapes.creation import eye
from symtape.ops.shapes.repetition import broadcast_to
from symtape.program.kinds.matrices import PseudoInverse
from symtape.tensor.dispatch import apply2, invalid
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import dtype_of, shape_of


def lstsq(
    matrix: Any, rhs: Any, l2_regularizer: Any = 0.0, fast: bool = True, name: str | None = None
) -> Tensor:
    """The X of shape [..., n, k] for which A X is nearest to B, the shortest if there are several.

    `matrix`, A, has shape [..., m, n] and `rhs`, B, [..., m, k]. A `fast` solution is that of the
    normal equations with `l2_regularizer` on their diagonal, and is nan where A is not of full
    rank. The other one takes any A, takes no notice of `l2_regularizer`, and has derivatives while
    the rank does not change. That rank is the number of pivots, of a QR decomposition that takes
    the longest column first, above min(m, n) times the precision of the dtype times the first.

    >>> lstsq([[1.0], [1.0]], [[1.0], [3.0]]).numpy()
    array([[2.]], dtype=float32)
    """
    a, b = pair(matrix, rhs)
    check("MatrixSolveLs" if not fast else "Cholesky", a, LAPACK)
    if not fast:
        return _shortest(a, b)
    if a.ndim < 2:
        raise invalid("MatrixSolveLs", f"Input tensor 0 must have rank >= 2, got {a.ndim}")
    rows, columns = shape_of(a)[-2:]
    tall = rows >= columns
    gramian = matmul(a, a, adjoint_a=tall, adjoint_b=not tall)
    if is_tensor(l2_regularizer) or l2_regularizer != 0:
        one = eye(min(rows, columns), dtype=a.dtype)
        gramian = gramian + multiply(l2_regularizer, one)
    triangle = cholesky(gramian)
    if tall:
        return cholesky_solve(triangle, matmul(a, b, adjoint_a=True))
    return matmul(a, cholesky_solve(triangle, b), adjoint_a=True)


def _shortest(a: Tensor, b: Tensor) -> Tensor:
    same_dtype("MatrixSolveLs", a, b)
    alike("MatrixSolveLs", (a, b))
    if shape_of(a)[-2] != shape_of(b)[-2]:
        raise invalid("MatrixSolveLs", "Input matrix and rhs are incompatible.")
    smallest = min(shape_of(a)[-2:])
    return matmul(apply2(_OF_EIGEN, a, rounding(a, smallest)), b)


def pinv(a: Any, rcond: Any = None, validate_args: bool = False, name: str | None = None) -> Tensor:
    """The pseudo inverse of Moore and Penrose of each matrix of real numbers.

    Shape [..., m, n] to [..., n, m]. Singular values up to `rcond` times the largest count as zero;
    that is 10 max(m, n) times the precision of the dtype, unless it is given, for all matrices or
    for each. The derivative is that at fixed rank (Golub and Pereyra 1973), and needs no singular
    values that differ; where a bound is given above roundings, what it cuts has its part.

    >>> pinv([[2.0, 0.0], [0.0, 0.0]]).numpy()
    array([[0.5, 0. ],
           [0. , 0. ]], dtype=float32)
    """
    x = real_matrices(a)
    if rcond is None:
        return apply2(_PSEUDO, x, rounding(x, 10.0 * max(shape_of(x)[-2:])))
    bound = tensor(rcond) if is_tensor(rcond) else like(rcond, x)
    *batch, rows, columns = shape_of(x)
    wide = np.broadcast_shapes(tuple(batch), shape_of(bound))
    if wide != tuple(batch):
        raise ValueError(
            f"Tensor's shape {(*wide, columns, rows)} is not compatible with supplied shape "
            f"{(*batch, columns, rows)}."
        )
    if shape_of(bound) not in ((), wide):
        bound = broadcast_to(bound, wide)
    return apply2(_PSEUDO, x, bound)


_PSEUDO = PseudoInverse()
_OF_EIGEN = PseudoInverse("pivots")


def rounding(x: Tensor, times: float) -> Tensor:
    """Give some times the precision of a dtype, as a number of that dtype."""
    info = np.finfo(dtype_of(x))
    return like(float(info.dtype.type(times * info.eps)), x)


def real_matrices(a: Any) -> Tensor:
    """Read a tensor of matrices of real numbers."""
    x = tensor(a)
    if dtype_of(x).kind not in "fV":
        raise TypeError(f"Input `a` must have `float`-like `dtype` (saw {x.dtype.name}).")
    if x.ndim < 2:
        raise ValueError(f"Input `a` must have at least 2 dimensions (saw: {x.ndim}).")
    return x
