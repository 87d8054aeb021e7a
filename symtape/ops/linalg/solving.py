"""Inverses, determinants, and systems of linear equations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from symtape.ops.arguments import (
    allowed,
    check,
    is_tensor,
    like,
    listed,
    pair,
    same_dtype,
    tensor,
)
from symtape.ops.attributes import attributes, boolean
from symtape.ops.elementwise.arithmetic import multiply
from symtape.ops.elementwise.conversion import cast
from symtape.ops.elementwise.functions import log, real
from symtape.ops.linalg.diagonals import diag_part
from symtape.ops.linalg.products import adjoint
from symtape.ops.reductions.reduction import reduce_sum
from symtape.ops.shapes.repetition import broadcast_to
from symtape.program.kinds.matrices import Cholesky, Determinant, Inverse, LogDeterminant, Solve
from symtape.tensor.dispatch import apply1, apply2, apply_parts, invalid, misfit
from symtape.tensor.requirements import meets, no_nan, self_adjoint
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of

LAPACK = allowed("double, float, half, complex64, complex128")
_DETERMINANTS = allowed("half, float, double, complex64, complex128")
_TRIANGLES = allowed("bfloat16, double, float, half, complex64, complex128")
_ONE = "input:T -> output:T"
_TWO = "matrix:T, rhs:T -> output:T"


def square(op: str, value: Any, kinds: Any = LAPACK, signature: str = _ONE) -> Tensor:
    """Read a tensor of square matrices."""
    x = matrices(op, value, kinds, signature)
    if shape_of(x)[-1] != shape_of(x)[-2]:
        raise misfit(op, "Input matrix must be square.")
    return x


def matrices(op: str, value: Any, kinds: Any = LAPACK, signature: str = _ONE) -> Tensor:
    """Read a tensor of matrices."""
    x = tensor(value)
    check(op, x, kinds, signature)
    if x.ndim < 2:
        raise invalid(op, f"Input tensor 0 must have rank >= 2, got {x.ndim}")
    return x


def inv(input: Any, adjoint: bool = False, name: str | None = None) -> Tensor:
    """The inverse of each square matrix in the last two axes, or of its adjoint.

    Shape [..., n, n], of floats or complex numbers. Raises `InvalidArgumentError` for a matrix that
    has no inverse. The derivative of X = A⁻¹ is -Xᴴ X̄ Xᴴ (Giles 2008, 2.2.3).

    >>> inv([[2.0, 1.0], [0.0, 1.0]]).numpy()
    array([[ 0.5, -0.5],
           [ 0. ,  1. ]], dtype=float32)
    """
    made = apply1(_INVERSE, square("MatrixInverse", input))
    return _adjoint(made) if adjoint else made


_INVERSE = Inverse()
_adjoint = adjoint


def det(input: Any, name: str | None = None) -> Tensor:
    """The determinant of each square matrix in the last two axes.

    Shape [..., n, n] to [...]. The derivative divides by the matrix: of a singular one, taking it
    raises `InvalidArgumentError`, as in TensorFlow.

    >>> det([[1.0, 2.0], [3.0, 5.0]]).numpy()
    np.float32(-1.0)
    """
    return apply1(_VALUE, square("MatrixDeterminant", input, _DETERMINANTS))


_VALUE = Determinant("value")
_SIGN_AND_LOG = (Determinant("sign"), Determinant("log"))


class LogMatrixDeterminant(NamedTuple):
    """What `slogdet` gives."""

    sign: Tensor
    log_abs_determinant: Tensor


def slogdet(input: Any, name: str | None = None) -> LogMatrixDeterminant:
    """The sign of each determinant, and the logarithm of its size, which does not overflow.

    Shape [..., n, n] to two tensors of shape [...]. The sign of a complex determinant has size one,
    and a derivative.

    >>> [x.numpy() for x in slogdet([[0.0, 1.0], [1.0, 0.0]])]
    [np.float32(-1.0), np.float32(0.0)]
    """
    signature = "input:T -> sign:T, log_abs_determinant:T"
    x = square("LogMatrixDeterminant", input, _DETERMINANTS, signature)
    sign, size = apply_parts(_SIGN_AND_LOG, x)
    return LogMatrixDeterminant(sign, cast(size, x.dtype))


def logdet(matrix: Any, name: str | None = None) -> Tensor:
    """The logarithm of the determinant of each positive definite matrix; it is real.

    Shape [..., n, n] to [...]. It is nan for a matrix that is not positive definite. The matrix is
    to be self-adjoint; of one that is not, the lower triangle counts, as in TensorFlow.

    >>> logdet([[4.0, 0.0], [0.0, 0.25]]).numpy()
    np.float32(0.0)
    """
    x = square("Cholesky", matrix)
    if meets(x, self_adjoint):
        made = apply1(_LOG_DETERMINANT, x)
        if meets(made, no_nan):
            return made
    roots = real(diag_part(cholesky(x)))
    return multiply(2.0, reduce_sum(log(roots), axis=[-1]))


_LOG_DETERMINANT = LogDeterminant()


def cholesky(input: Any, name: str | None = None) -> Tensor:
    """The lower triangle L of A = L Lᴴ, for each positive definite matrix A.

    Shape [..., n, n]. Of A, only the lower triangle is looked at; the derivative is spread over
    both, as in TensorFlow (Murray 2016). L is nan where A is not positive definite.

    >>> cholesky([[4.0, 2.0], [2.0, 2.0]]).numpy()
    array([[2., 0.],
           [1., 1.]], dtype=float32)
    """
    return apply1(_CHOLESKY, square("Cholesky", input))


_CHOLESKY = Cholesky()


# --- systems of equations -------------------------------------------------------------------------


def _both(x: Any, y: Any) -> tuple[Tensor, Tensor]:
    """Convert two operands: the dtype is that of a tensor among them."""
    if is_tensor(y) and not is_tensor(x):
        other = tensor(y)
        return like(x, other), other
    return pair(x, y)


def alike(op: str, operands: Sequence[Tensor]) -> None:
    """Raise TensorFlow's error unless tensors of matrices have the same first axes."""
    a, b = (shape_of(x) for x in operands)
    if len(a) < 2:
        raise invalid(op, f"Input tensor 0 must have rank >= 2, got {len(a)}")
    if len(a) != len(b):
        raise invalid(op, "All input tensors must have the same rank.")
    if a[:-2] != b[:-2]:
        raise invalid(op, "All input tensors must have the same outer dimensions.")


def solve(matrix: Any, rhs: Any, adjoint: bool = False, name: str | None = None) -> Tensor:
    """The solution X of A X = B, or of Aᴴ X = B, for matrices A of shape [..., n, n].

    `rhs`, B, has shape [..., n, k] with the same first axes. Raises `InvalidArgumentError` for
    shapes that do not fit and for a matrix that has no inverse.

    >>> solve([[2.0, 0.0], [0.0, 4.0]], [[2.0], [2.0]]).numpy()
    array([[1. ],
           [0.5]], dtype=float32)
    """
    a, b = _both(matrix, rhs)
    check("MatrixSolve", a, LAPACK, _TWO)
    same_dtype("MatrixSolve", a, b)
    alike("MatrixSolve", (a, b))
    if shape_of(a)[-1] != shape_of(a)[-2]:
        raise invalid("MatrixSolve", "First input (lhs) must be a square matrix.")
    if shape_of(a)[-2] != shape_of(b)[-2]:
        raise misfit("MatrixSolve", "Input matrix and rhs are incompatible.")
    return apply2(Solve("full", bool(adjoint)), a, b)


@attributes(lower=boolean(True), adjoint=boolean(False))
def triangular_solve(
    matrix: Any, rhs: Any, lower: bool = True, adjoint: bool = False, name: str | None = None
) -> Tensor:
    """The solution X of A X = B, or of Aᴴ X = B, where A is a lower or upper triangle.

    Shapes [..., n, n] and [..., n, k]; first axes broadcast. What is beyond the triangle is not
    looked at. A zero on the diagonal gives infinities.

    >>> triangular_solve([[2.0, 9.0], [1.0, 1.0]], [[2.0], [2.0]]).numpy()
    array([[1.],
           [1.]], dtype=float32)
    """
    op = "MatrixTriangularSolve"
    a, b = _both(matrix, rhs)
    check(op, a, _TRIANGLES, _TWO)
    same_dtype(op, a, b)
    for k, x in enumerate((a, b)):
        if x.ndim < 2:
            raise invalid(op, f"In[{k}] ndims must be >= 2: {x.ndim}")
    (*batch, n, columns), (*other, rows, _) = shape_of(a), shape_of(b)
    if n != columns:
        text = f"In[0] matrices in the last dimensions must be square ({columns} =/= {n})"
        raise invalid(op, text)
    a, b = _broadcast(op, a, b, batch, other)
    if columns != rows:
        raise invalid(
            op,
            f"In[0] mismatch In[1] shape: {columns} vs. {rows}: {listed(shape_of(a))} "
            f"{listed(shape_of(b))} {int(lower)} {int(adjoint)}",
        )
    return apply2(Solve("lower" if lower else "upper", bool(adjoint)), a, b)


def _broadcast(
    op: str, a: Tensor, b: Tensor, batch: Sequence[int], other: Sequence[int]
) -> tuple[Tensor, Tensor]:
    """Give matrices the same first axes."""
    if batch == other:
        return a, b
    try:
        wide = np.broadcast_shapes(tuple(batch), tuple(other))
    except ValueError:
        raise invalid(
            op,
            "In[0] and In[1] must have compatible batch dimensions: "
            f"{listed(shape_of(a))} vs. {listed(shape_of(b))}",
        ) from None
    a, b = (
        x if shape_of(x)[:-2] == wide else broadcast_to(x, (*wide, *shape_of(x)[-2:]))
        for x in (a, b)
    )
    return a, b


def cholesky_solve(chol: Any, rhs: Any, name: str | None = None) -> Tensor:
    """The solution X of A X = B, given the triangle L of A = L Lᴴ.

    Shapes [..., n, n] and [..., n, k]; first axes broadcast.

    >>> cholesky_solve([[2.0, 0.0], [0.0, 1.0]], [[4.0], [3.0]]).numpy()
    array([[1.],
           [3.]], dtype=float32)
    """
    return triangular_solve(chol, triangular_solve(chol, rhs), adjoint=True)
