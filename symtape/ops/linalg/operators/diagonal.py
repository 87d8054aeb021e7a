"""Operators that are diagonals, or one number along a diagonal."""

from __future__ import annotations

from typing import Any, ClassVar

from symtape.ops.arguments import tensor
from symtape.ops.checks.values import assert_positive
from symtape.ops.elementwise.arithmetic import divide, multiply, where
from symtape.ops.elementwise.arithmetic import pow as power
from symtape.ops.elementwise.comparison import equal
from symtape.ops.elementwise.conversion import cast
from symtape.ops.elementwise.functions import abs as absolute
from symtape.ops.elementwise.functions import conj, log, real, sqrt
from symtape.ops.linalg.diagonals import diag
from symtape.ops.linalg.operators.base import LinearOperator, given, held
from symtape.ops.linalg.operators.checks import assert_no_zeros, assert_real
from symtape.ops.linalg.operators.hints import Hint, Hints, always, commuting_product, hints_of
from symtape.ops.linalg.operators.identities import count_of
from symtape.ops.linalg.operators.matrices import LinearOperatorLowerTriangular, triangle
from symtape.ops.linalg.products import adjoint as adjoint_of
from symtape.ops.reductions.reduction import reduce_prod, reduce_sum
from symtape.ops.shapes.creation import eye
from symtape.ops.shapes.repetition import broadcast_to
from symtape.ops.shapes.shaping import expand_dims
from symtape.tensor.convert import convert
from symtape.tensor.shape import TensorShape
from symtape.tensor.tensor import Tensor

_REAL = "A real diagonal operator is always self adjoint."


class LinearOperatorDiag(LinearOperator):
    """The operator of a diagonal (`tf.linalg.LinearOperatorDiag`)."""

    matrix_axes: ClassVar = {"diag": 1}

    def __init__(
        self,
        diag: Any,
        is_non_singular: Hint = None,
        is_self_adjoint: Hint = None,
        is_positive_definite: Hint = None,
        is_square: Hint = None,
        name: str = "LinearOperatorDiag",
    ) -> None:
        own = given(locals())
        self._diag = held(diag)
        if self._diag.shape.rank == 0:
            raise ValueError(f"Argument diag must have at least 1 dimension.  Found: {diag}")
        if not self._diag.dtype.is_complex:
            is_self_adjoint = always(is_self_adjoint, _REAL)
        square = always(is_square, "Only square diagonal operators currently supported.")
        hints = Hints(is_non_singular, is_self_adjoint, is_positive_definite, square)
        super().__init__(self._diag.dtype, name=name, parameters=own, **hints._asdict())

    @property
    def diag(self) -> Any:
        """The diagonal."""
        return self._diag

    def _shape(self) -> TensorShape:
        shape = TensorShape(self._diag.shape)
        return shape.concatenate(shape[-1:])

    def _line(self) -> Tensor:
        return tensor(self._diag)

    def _column(self, adjoint: bool = False) -> Tensor:
        return expand_dims(conj(self._line()) if adjoint else self._line(), -1)

    def _to_dense(self) -> Tensor:
        return diag(self._line())

    def _matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        return multiply(self._column(adjoint), adjoint_of(x) if adjoint_arg else x)

    def _solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        right = adjoint_of(rhs) if adjoint_arg else rhs
        line = conj(self._line()) if adjoint else self._line()
        return multiply(right, expand_dims(divide(1.0, line), -1))

    def _determinant(self) -> Tensor:
        return reduce_prod(self._line(), -1)

    def _log_abs_determinant(self) -> Tensor:
        return cast(reduce_sum(log(absolute(self._line())), -1), self.dtype)

    def _diag_part(self) -> Tensor:
        return self._line()

    def _eigvals(self) -> Tensor:
        return self._line()

    def _assert_non_singular(self) -> None:
        assert_no_zeros(self._diag, "Singular operator:  Diagonal contained zero values.")

    def _assert_positive_definite(self) -> None:
        words = "Real diagonal operator had non-positive diagonal entries"
        if self.dtype.is_complex:
            words = "Diagonal operator had diagonal entries with non-positive real part"
        assert_positive(real(self._line()), message=f"{words}, thus was not positive definite.")

    def _assert_self_adjoint(self) -> None:
        words = "This diagonal operator contained non-zero imaginary values. "
        assert_real(self._diag, f"{words}  Thus it was not self-adjoint.")

    def _again(self, line: Tensor, hints: Hints) -> LinearOperator:
        return LinearOperatorDiag(line, **hints._asdict())

    def _linop_adjoint(self) -> LinearOperator:
        return self._again(conj(self._line()), hints_of(self))

    def _linop_inverse(self) -> LinearOperator:
        return self._again(divide(1.0, self._line()), hints_of(self))

    def _linop_cholesky(self) -> LinearOperator:
        return self._again(sqrt(self._line()), Hints(True, True, True, True))

    def _linop_matmul(self, left_operator: Any, right_operator: Any) -> LinearOperator:
        line, hints = self._line(), commuting_product(self, right_operator)
        if isinstance(right_operator, LinearOperatorDiag):
            return self._again(multiply(line, right_operator.diag), hints)
        if isinstance(right_operator, LinearOperatorScaledIdentity):
            return self._again(multiply(line, right_operator.along_diagonal()), hints)
        if isinstance(right_operator, LinearOperatorLowerTriangular):
            return triangle(
                multiply(self._column(), right_operator.to_dense()), self, right_operator
            )
        return super()._linop_matmul(left_operator, right_operator)

    def _linop_solve(self, left_operator: Any, right_operator: Any) -> LinearOperator:
        line, hints = self._line(), commuting_product(self, right_operator)
        if isinstance(right_operator, LinearOperatorDiag):
            return self._again(divide(right_operator.diag, line), hints)
        if isinstance(right_operator, LinearOperatorScaledIdentity):
            return self._again(divide(right_operator.along_diagonal(), line), hints)
        if isinstance(right_operator, LinearOperatorLowerTriangular):
            return triangle(divide(right_operator.to_dense(), self._column()), self, right_operator)
        return super()._linop_solve(left_operator, right_operator)


class LinearOperatorScaledIdentity(LinearOperator):
    """A multiple of the identity (`tf.linalg.LinearOperatorScaledIdentity`)."""

    matrix_axes: ClassVar = {"multiplier": 0}

    def __init__(
        self,
        num_rows: Any,
        multiplier: Any,
        is_non_singular: Hint = None,
        is_self_adjoint: Hint = None,
        is_positive_definite: Hint = None,
        is_square: Hint = True,
        assert_proper_shapes: bool = False,
        name: str = "LinearOperatorScaledIdentity",
    ) -> None:
        own = given(locals())
        self._multiplier = held(multiplier)
        if not self._multiplier.dtype.is_complex:
            is_self_adjoint = always(is_self_adjoint, _REAL)
        square = always(bool(is_square), "A ScaledIdentity operator is always square.")
        hints = Hints(is_non_singular, is_self_adjoint, is_positive_definite, square)
        super().__init__(self._multiplier.dtype, name=name, parameters=own, **hints._asdict())
        self._num_rows = count_of("num_rows", num_rows)

    @property
    def multiplier(self) -> Any:
        """What the identity is multiplied by."""
        return self._multiplier

    def _shape(self) -> TensorShape:
        return TensorShape(self._multiplier.shape).concatenate([self._num_rows] * 2)

    def along_diagonal(self) -> Tensor:
        """Give the number with an axis more, along which it is repeated where it is an operand."""
        return expand_dims(tensor(self._multiplier), -1)

    def _factor(self, adjoint: bool = False) -> Tensor:
        found = expand_dims(self.along_diagonal(), -1)
        return conj(found) if adjoint else found

    def _to_dense(self) -> Tensor:
        return multiply(self._factor(), eye(self._num_rows, dtype=self.dtype))

    def _matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        return multiply(adjoint_of(x) if adjoint_arg else x, self._factor(adjoint))

    def _solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        return divide(adjoint_of(rhs) if adjoint_arg else rhs, self._factor(adjoint))

    def _determinant(self) -> Tensor:
        return power(tensor(self._multiplier), convert(float(self._num_rows), self.dtype))

    def _log_abs_determinant(self) -> Tensor:
        return multiply(float(self._num_rows), log(absolute(tensor(self._multiplier))))

    def _diag_part(self) -> Tensor:
        return self._eigvals()

    def _trace(self) -> Tensor:
        return multiply(tensor(self._multiplier), convert(self._num_rows, self.dtype))

    def _eigvals(self) -> Tensor:
        line = self.along_diagonal()
        return broadcast_to(line, [*line.shape[:-1], self._num_rows])

    def _cond(self) -> Tensor:
        is_zero = equal(tensor(self._multiplier), convert(0.0, self.dtype))
        return where(is_zero, convert(float("nan"), self.dtype), convert(1.0, self.dtype))

    def _assert_non_singular(self) -> None:
        words = "LinearOperator was singular"
        assert_positive(absolute(tensor(self._multiplier)), message=words)

    def _assert_positive_definite(self) -> None:
        words = "LinearOperator was not positive definite."
        assert_positive(real(tensor(self._multiplier)), message=words)

    def _assert_self_adjoint(self) -> None:
        assert_real(self._multiplier, "LinearOperator was not self-adjoint")

    def _again(self, multiplier: Tensor, hints: Hints) -> LinearOperator:
        return LinearOperatorScaledIdentity(self._num_rows, multiplier, **hints._asdict())

    def _linop_adjoint(self) -> LinearOperator:
        return self._again(conj(tensor(self._multiplier)), hints_of(self))

    def _linop_inverse(self) -> LinearOperator:
        hints = hints_of(self)._replace(is_self_adjoint=True)
        return self._again(divide(1.0, tensor(self._multiplier)), hints)

    def _linop_cholesky(self) -> LinearOperator:
        return self._again(sqrt(tensor(self._multiplier)), Hints(True, True, True, True))

    def _linop_matmul(self, left_operator: Any, right_operator: Any) -> LinearOperator:
        hints = commuting_product(self, right_operator)
        if isinstance(right_operator, LinearOperatorScaledIdentity):
            return self._again(multiply(self._multiplier, right_operator.multiplier), hints)
        if isinstance(right_operator, LinearOperatorDiag):
            line = multiply(right_operator.diag, self.along_diagonal())
            return LinearOperatorDiag(line, **hints._asdict())
        return super()._linop_matmul(left_operator, right_operator)

    def _linop_solve(self, left_operator: Any, right_operator: Any) -> LinearOperator:
        hints = commuting_product(self, right_operator)
        if isinstance(right_operator, LinearOperatorScaledIdentity):
            return self._again(divide(right_operator.multiplier, self._multiplier), hints)
        if isinstance(right_operator, LinearOperatorDiag):
            line = divide(right_operator.diag, self.along_diagonal())
            return LinearOperatorDiag(line, **hints._asdict())
        return super()._linop_solve(left_operator, right_operator)
