"""Operators that are a matrix that is given, or its lower triangle."""

from __future__ import annotations

from typing import Any, ClassVar

from symtape.ops.arguments import tensor
from symtape.ops.elementwise.arithmetic import multiply
from symtape.ops.elementwise.functions import abs as absolute
from symtape.ops.elementwise.functions import log
from symtape.ops.linalg.diagonals import band_part, diag_part
from symtape.ops.linalg.operators.base import LinearOperator, given, held, together
from symtape.ops.linalg.operators.checks import assert_no_zeros
from symtape.ops.linalg.operators.hints import Hint, Hints, always, commuting_product
from symtape.ops.linalg.products import adjoint as adjoint_of
from symtape.ops.linalg.solving import triangular_solve
from symtape.ops.reductions.reduction import reduce_prod, reduce_sum
from symtape.ops.shapes.shaping import expand_dims
from symtape.tensor.shape import TensorShape
from symtape.tensor.tensor import Tensor


def at_least_two_axes(name: str, matrix: Any) -> None:
    """Raise TensorFlow's `ValueError` for what has fewer axes than a matrix."""
    if matrix.shape.rank is not None and matrix.shape.rank < 2:
        raise ValueError(f"Argument `{name}` must have at least 2 dimensions. Received: {matrix}.")


class LinearOperatorFullMatrix(LinearOperator):
    """The operator of a matrix that is given whole (`tf.linalg.LinearOperatorFullMatrix`)."""

    matrix_axes: ClassVar = {"matrix": 2}

    def __init__(
        self,
        matrix: Any,
        is_non_singular: Hint = None,
        is_self_adjoint: Hint = None,
        is_positive_definite: Hint = None,
        is_square: Hint = None,
        name: str = "LinearOperatorFullMatrix",
    ) -> None:
        own = given(locals())
        self._matrix = held(matrix)
        at_least_two_axes("matrix", self._matrix)
        hints = Hints(is_non_singular, is_self_adjoint, is_positive_definite, is_square)
        super().__init__(self._matrix.dtype, name=name, parameters=own, **hints._asdict())

    @property
    def matrix(self) -> Any:
        """The matrix."""
        return self._matrix

    def _shape(self) -> TensorShape:
        return TensorShape(self._matrix.shape)

    def _to_dense(self) -> Tensor:
        return tensor(self._matrix)


class LinearOperatorLowerTriangular(LinearOperator):
    """The operator of a lower triangle (`tf.linalg.LinearOperatorLowerTriangular`)."""

    matrix_axes: ClassVar = {"tril": 2}

    def __init__(
        self,
        tril: Any,
        is_non_singular: Hint = None,
        is_self_adjoint: Hint = None,
        is_positive_definite: Hint = None,
        is_square: Hint = None,
        name: str = "LinearOperatorLowerTriangular",
    ) -> None:
        own = given(locals())
        words = "Only square lower triangular operators supported at this time."
        square = always(is_square, words)
        self._tril = held(tril)
        at_least_two_axes("tril", self._tril)
        hints = Hints(is_non_singular, is_self_adjoint, is_positive_definite, square)
        super().__init__(self._tril.dtype, name=name, parameters=own, **hints._asdict())

    @property
    def tril(self) -> Any:
        """The matrix, of which the lower triangle counts."""
        return self._tril

    def _shape(self) -> TensorShape:
        return TensorShape(self._tril.shape)

    def _get_diag(self) -> Tensor:
        """Give the diagonal; who extends this calls it by TensorFlow's name."""
        return diag_part(tensor(self._tril))

    def _get_tril(self) -> Tensor:
        """Give the lower triangle, likewise."""
        return band_part(tensor(self._tril), -1, 0)

    def _to_dense(self) -> Tensor:
        return self._get_tril()

    def _determinant(self) -> Tensor:
        return reduce_prod(self._get_diag(), -1)

    def _log_abs_determinant(self) -> Tensor:
        return reduce_sum(log(absolute(self._get_diag())), -1)

    def _solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        right = adjoint_of(rhs) if adjoint_arg else rhs
        tril, right = together(self._get_tril(), right)
        return triangular_solve(tril, right, lower=True, adjoint=adjoint)

    def _eigvals(self) -> Tensor:
        return self._get_diag()

    def _assert_non_singular(self) -> None:
        words = "Singular operator:  Diagonal contained zero values."
        assert_no_zeros(self._get_diag(), words)

    def _linop_matmul(self, left_operator: Any, right_operator: Any) -> LinearOperator:
        if isinstance(right_operator, self.made["LinearOperatorDiag"]):
            scaled = multiply(self.to_dense(), expand_dims(tensor(right_operator.diag), -2))
            return triangle(scaled, self, right_operator)
        return super()._linop_matmul(left_operator, right_operator)


def triangle(product: Tensor, a: LinearOperator, b: LinearOperator) -> LinearOperator:
    """Give a product of a triangle and a diagonal as an operator.

    A triangle that is its own adjoint is a diagonal, so that both commute where it matters.
    """
    hints = commuting_product(a, b)._replace(is_positive_definite=None)
    return LinearOperatorLowerTriangular(product, **hints._asdict())
