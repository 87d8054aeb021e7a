"""What functions of matrices give for linear operators: what the operator's own method gives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from symtape.ops.linalg import diagonals, products, solving
from symtape.ops.linalg.operators.base import LinearOperator


def is_among(args: Sequence[Any]) -> bool:
    """Say whether one of the first two arguments is a linear operator."""
    return any([isinstance(x, LinearOperator) for x in args[:2]])


def _matmul(
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
) -> Any:
    if transpose_a or transpose_b:
        raise ValueError("Transposing not supported at this time.")
    if a_is_sparse or b_is_sparse:
        raise ValueError("Sparse methods not supported at this time.")
    if isinstance(a, LinearOperator):
        return a.matmul(b, adjoint=adjoint_a, adjoint_arg=adjoint_b)
    turned = b.matmul(a, adjoint=not adjoint_b, adjoint_arg=not adjoint_a)  # A B = (Bᴴ Aᴴ)ᴴ
    return products.adjoint(turned)


def _solve(matrix: Any, rhs: Any, adjoint: bool = False, name: str | None = None) -> Any:
    if not isinstance(matrix, LinearOperator):
        raise ValueError(
            "Passing in `matrix` as a Tensor and `rhs` as a LinearOperator is not supported."
        )
    return matrix.solve(rhs, adjoint=adjoint)


def _inverse(input: Any, adjoint: bool = False, name: str | None = None) -> Any:
    return input.inverse().adjoint() if adjoint else input.inverse()


def _logdet(matrix: Any, name: str | None = None) -> Any:
    if matrix.is_positive_definite and matrix.is_self_adjoint:
        return matrix.log_abs_determinant()
    raise ValueError("Expected matrix to be self-adjoint positive definite.")


def _diag_part(
    input: Any,
    name: str = "diag_part",
    k: Any = 0,
    padding_value: Any = 0,
    align: str = "RIGHT_LEFT",
) -> Any:
    if k != 0:
        raise ValueError(f"diag_part of a linear operator has the main diagonal alone, not k={k}")
    return input.diag_part()


def _method(method: str) -> Callable[..., Any]:
    """Make what calls a method of the operator, which takes TensorFlow's name for what it does."""

    def of_operator(operator: LinearOperator, name: str | None = None) -> Any:
        return getattr(operator, method)(*[] if name is None else [name])

    return of_operator


OF_OPERATORS: dict[Callable[..., Any], Callable[..., Any]] = {
    products.matmul: _matmul,
    products.adjoint: _method("adjoint"),
    solving.solve: _solve,
    solving.inv: _inverse,
    solving.logdet: _logdet,
    solving.det: _method("determinant"),
    solving.cholesky: _method("cholesky"),
    diagonals.diag_part: _diag_part,
    diagonals.trace: _method("trace"),
}
"""By each function, what it gives where an operator is among its first two arguments."""
