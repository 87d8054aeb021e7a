"""Operators that are a matrix, its triangle or its diagonal, or a multiple of the identity."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from symtape.errors import InvalidArgumentError
from symtape.ops.arguments import tensor
from symtape.ops.elementwise.arithmetic import add, divide, multiply
from symtape.ops.elementwise.arithmetic import pow as power
from symtape.ops.elementwise.conversion import cast
from symtape.ops.elementwise.functions import abs as absolute
from symtape.ops.elementwise.functions import conj, log, sqrt
from symtape.ops.linalg.diagonals import band_part, diag, diag_part
from symtape.ops.linalg.operators.base import Hint, Hints, LinearOperator, adjoint_of, together
from symtape.ops.linalg.solving import triangular_solve
from symtape.ops.reductions.reduction import reduce_prod, reduce_sum
from symtape.ops.shapes.creation import eye, fill, zeros
from symtape.ops.shapes.repetition import broadcast_to
from symtape.ops.shapes.shaping import expand_dims
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.requirements import all_true, meets
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of


class LinearOperatorFullMatrix(LinearOperator):
    """The operator of a matrix that is given whole (`tf.linalg.LinearOperatorFullMatrix`)."""

    def __init__(
        self,
        matrix: Any,
        is_non_singular: Hint = None,
        is_self_adjoint: Hint = None,
        is_positive_definite: Hint = None,
        is_square: Hint = None,
        name: str = "LinearOperatorFullMatrix",
    ) -> None:
        own = {"matrix": matrix}
        self._given = matrix
        matrix = tensor(matrix)
        if matrix.ndim < 2:
            raise ValueError(
                f"Argument `matrix` must have at least 2 dimensions. Received: {matrix}."
            )
        hints = Hints(is_non_singular, is_self_adjoint, is_positive_definite, is_square)
        super().__init__(matrix.dtype, hints, name, own)

    @property
    def matrix(self) -> Any:
        """The matrix."""
        return self._given

    def _dense(self) -> Tensor:
        return tensor(self._given)

    def _adjoint(self) -> LinearOperator:
        h = self._hints
        return LinearOperatorFullMatrix(
            adjoint_of(self._dense()),
            *(h.is_non_singular, h.is_self_adjoint, h.is_positive_definite, True),
        ) if self.is_square else super()._adjoint()  # fmt: skip


def _square(given: Hint, text: str) -> bool:
    if given is False:
        raise ValueError(text)
    return True


def _check_whole(diagonal: Any) -> None:
    """Raise `InvalidArgumentError` where a diagonal has a zero."""
    if not meets(tensor(diagonal), all_true):
        raise InvalidArgumentError(message="Singular operator:  Diagonal contained zero values.")


class LinearOperatorLowerTriangular(LinearOperator):
    """The operator of a lower triangle (`tf.linalg.LinearOperatorLowerTriangular`)."""

    def __init__(
        self,
        tril: Any,
        is_non_singular: Hint = None,
        is_self_adjoint: Hint = None,
        is_positive_definite: Hint = None,
        is_square: Hint = None,
        name: str = "LinearOperatorLowerTriangular",
    ) -> None:
        square = _square(
            is_square, "Only square lower triangular operators supported at this time."
        )
        self._given = tril
        hints = Hints(is_non_singular, is_self_adjoint, is_positive_definite, square)
        super().__init__(tensor(tril).dtype, hints, name, {"tril": tril})

    @property
    def tril(self) -> Any:
        """The matrix, of which the lower triangle counts."""
        return self._given

    def _get_diag(self) -> Tensor:
        """Give the diagonal; who extends this calls it by TensorFlow's name."""
        return diag_part(tensor(self._given))

    def _dense(self) -> Tensor:
        return band_part(tensor(self._given), -1, 0)

    def _determinant(self) -> Tensor:
        return reduce_prod(self._get_diag(), -1)

    def _log_abs_determinant(self) -> Tensor:
        return reduce_sum(log(absolute(self._get_diag())), -1)

    def _solve(self, rhs: Tensor, *, adjoint: bool) -> Tensor:
        return triangular_solve(*together(self._dense(), rhs), lower=True, adjoint=adjoint)

    def _eigvals(self) -> Tensor:
        return self._get_diag()

    def assert_non_singular(self, name: str = "assert_non_singular") -> None:
        """Raise `InvalidArgumentError` where the diagonal has a zero."""
        _check_whole(self._get_diag())

    def _composed(self, right: LinearOperator) -> LinearOperator:
        if isinstance(right, LinearOperatorLowerTriangular):
            product = self._matmul(right.to_dense(), adjoint=False, adjoint_arg=False)
            hint = True if self.is_non_singular and right.is_non_singular else None
            return LinearOperatorLowerTriangular(product, is_non_singular=hint)
        return super()._composed(right)


class LinearOperatorDiag(LinearOperator):
    """The operator of a diagonal (`tf.linalg.LinearOperatorDiag`)."""

    def __init__(
        self,
        diag: Any,
        is_non_singular: Hint = None,
        is_self_adjoint: Hint = None,
        is_positive_definite: Hint = None,
        is_square: Hint = None,
        name: str = "LinearOperatorDiag",
    ) -> None:
        self._given = diag
        dtype = tensor(diag).dtype
        if not dtype.is_complex:
            if is_self_adjoint is False:
                raise ValueError("A real diagonal operator is always self adjoint.")
            is_self_adjoint = True
        square = _square(is_square, "Only square diagonal operators currently supported.")
        hints = Hints(is_non_singular, is_self_adjoint, is_positive_definite, square)
        super().__init__(dtype, hints, name, {"diag": diag})

    @property
    def diag(self) -> Any:
        """The diagonal."""
        return self._given

    def _dense(self) -> Tensor:
        return diag(self._line())

    def _line(self) -> Tensor:
        return tensor(self._given)

    def _sizes(self) -> Sequence[int]:
        shape = shape_of(self._line())
        return [*shape, shape[-1]]

    def assert_non_singular(self, name: str = "assert_non_singular") -> None:
        """Raise `InvalidArgumentError` where the diagonal has a zero."""
        _check_whole(self.diag)

    def _matmul(self, x: Tensor, *, adjoint: bool, adjoint_arg: bool) -> Tensor:
        line = conj(self._line()) if adjoint else self._line()
        return multiply(expand_dims(line, -1), adjoint_of(x) if adjoint_arg else x)

    def _solve(self, rhs: Tensor, *, adjoint: bool) -> Tensor:
        line = conj(self._line()) if adjoint else self._line()
        return multiply(rhs, expand_dims(divide(1.0, line), -1))

    def _determinant(self) -> Tensor:
        return reduce_prod(self._line(), -1)

    def _log_abs_determinant(self) -> Tensor:
        return cast(reduce_sum(log(absolute(self._line())), -1), self.dtype)

    def diag_part(self, name: str = "diag_part") -> Tensor:
        """Give the diagonal."""
        return self._line()

    def _eigvals(self) -> Tensor:
        return self._line()

    def _again(self, line: Tensor, hints: Hints) -> LinearOperator:
        own = hints.is_non_singular, hints.is_self_adjoint, hints.is_positive_definite, True
        return LinearOperatorDiag(line, *own)

    def _adjoint(self) -> LinearOperator:
        return self._again(conj(self._line()), self._hints)

    def _inverse(self) -> LinearOperator:
        return self._again(divide(1.0, self._line()), self._hints)

    def _cholesky(self) -> LinearOperator:
        return LinearOperatorDiag(sqrt(self._line()), is_square=True)

    def _composed(self, right: LinearOperator) -> LinearOperator:
        if isinstance(right, LinearOperatorDiag):
            line = multiply(self._line(), right.diag_part())
            hint = True if self.is_non_singular and right.is_non_singular else None
            return LinearOperatorDiag(line, is_non_singular=hint)
        return super()._composed(right)


class LinearOperatorIdentity(LinearOperator):
    """The identity (`tf.linalg.LinearOperatorIdentity`)."""

    def __init__(
        self,
        num_rows: Any,
        batch_shape: Any = None,
        dtype: Any = None,
        is_non_singular: Hint = True,
        is_self_adjoint: Hint = True,
        is_positive_definite: Hint = True,
        is_square: Hint = True,
        assert_proper_shapes: bool = False,
        name: str = "LinearOperatorIdentity",
    ) -> None:
        for word, hint in (
            ("self adjoint", is_self_adjoint),
            ("non-singular", is_non_singular),
            ("positive-definite", is_positive_definite),
            ("square", is_square),
        ):
            if hint is False:
                raise ValueError(f"An identity operator is always {word}.")
        hints = Hints(is_non_singular, is_self_adjoint, is_positive_definite, is_square)
        self._rows, self._batch = _rows(num_rows, batch_shape)
        own = {"num_rows": num_rows, "batch_shape": batch_shape}
        super().__init__(dtype or dtypes.float32, hints, name, own)

    def _sizes(self) -> Sequence[int]:
        return [*self._batch, self._rows, self._rows]

    def _dense(self) -> Tensor:
        return eye(self._rows, batch_shape=self._batch, dtype=self.dtype)

    def _matmul(self, x: Tensor, *, adjoint: bool, adjoint_arg: bool) -> Tensor:
        return _over(self._batch, adjoint_of(x) if adjoint_arg else x)

    def _solve(self, rhs: Tensor, *, adjoint: bool) -> Tensor:
        return _over(self._batch, rhs)

    def _determinant(self) -> Tensor:
        return fill(self._batch, convert(1.0, self.dtype))

    def _log_abs_determinant(self) -> Tensor:
        return zeros(self._batch, self.dtype)

    def _inverse(self) -> LinearOperator:
        return self

    def _cholesky(self) -> LinearOperator:
        return self

    def _composed(self, right: LinearOperator) -> LinearOperator:
        return right


def _rows(num_rows: Any, batch_shape: Any) -> tuple[int, list[int]]:
    rows = int(tensor(num_rows).numpy())
    if rows < 0:
        raise ValueError(f"Argument num_rows must be non-negative.  Found: {rows}")
    batch = [] if batch_shape is None else [int(n) for n in convert(batch_shape, "int32").numpy()]
    return rows, batch


def _over(batch: Sequence[int], x: Tensor) -> Tensor:
    """Repeat matrices over batch axes."""
    if not batch:
        return x
    return add(x, zeros([*batch, 1, 1], x.dtype))


class LinearOperatorScaledIdentity(LinearOperator):
    """A multiple of the identity (`tf.linalg.LinearOperatorScaledIdentity`)."""

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
        square = _square(is_square, "A ScaledIdentity operator is always square.")
        self._given = multiplier
        dtype = tensor(multiplier).dtype
        if not dtype.is_complex:
            if is_self_adjoint is False:
                raise ValueError("A real diagonal operator is always self adjoint.")
            is_self_adjoint = True
        self._rows, _ = _rows(num_rows, None)
        hints = Hints(is_non_singular, is_self_adjoint, is_positive_definite, square)
        super().__init__(dtype, hints, name, {"num_rows": num_rows, "multiplier": multiplier})

    @property
    def multiplier(self) -> Any:
        """What the identity is multiplied by."""
        return self._given

    def _factor(self, axes: int) -> Tensor:
        found = tensor(self._given)
        for _ in range(axes):
            found = expand_dims(found, -1)
        return found

    def _sizes(self) -> Sequence[int]:
        return [*shape_of(tensor(self._given)), self._rows, self._rows]

    def _dense(self) -> Tensor:
        return multiply(self._factor(2), eye(self._rows, dtype=self.dtype))

    def _matmul(self, x: Tensor, *, adjoint: bool, adjoint_arg: bool) -> Tensor:
        factor = conj(self._factor(2)) if adjoint else self._factor(2)
        return multiply(adjoint_of(x) if adjoint_arg else x, factor)

    def _solve(self, rhs: Tensor, *, adjoint: bool) -> Tensor:
        return divide(rhs, conj(self._factor(2)) if adjoint else self._factor(2))

    def _determinant(self) -> Tensor:
        return power(self._factor(0), convert(float(self._rows), self.dtype))

    def _log_abs_determinant(self) -> Tensor:
        return multiply(float(self._rows), log(absolute(self._factor(0))))

    def diag_part(self, name: str = "diag_part") -> Tensor:
        """Give the diagonal."""
        return self._eigvals()

    def _eigvals(self) -> Tensor:
        line = self._factor(1)
        return broadcast_to(line, [*line.shape[:-1], self._rows])

    def _inverse(self) -> LinearOperator:
        h = self._hints
        own = h.is_non_singular, h.is_self_adjoint, h.is_positive_definite, True
        return LinearOperatorScaledIdentity(self._rows, divide(1.0, self._factor(0)), *own)

    def _cholesky(self) -> LinearOperator:
        return LinearOperatorScaledIdentity(self._rows, sqrt(self._factor(0)))


class LinearOperatorZeros(LinearOperator):
    """The operator of zeros (`tf.linalg.LinearOperatorZeros`)."""

    def __init__(
        self,
        num_rows: Any,
        num_columns: Any = None,
        batch_shape: Any = None,
        dtype: Any = None,
        is_non_singular: Hint = False,
        is_self_adjoint: Hint = True,
        is_positive_definite: Hint = False,
        is_square: Hint = True,
        assert_proper_shapes: bool = False,
        name: str = "LinearOperatorZeros",
    ) -> None:
        self._rows, self._batch = _rows(num_rows, batch_shape)
        self._columns = self._rows if num_columns is None else _rows(num_columns, None)[0]
        if is_square and self._rows != self._columns:
            raise ValueError(
                f"LinearOperatorZeros initialized as is_square=True, but got num_rows({num_rows}) "
                f"!= num_columns({num_columns})"
            )
        for word, denied in (
            ("self adjoint", is_self_adjoint is False),
            ("singular", is_non_singular),
            ("not positive-definite", is_positive_definite),
        ):
            if denied:
                raise ValueError(f"A zero operator is always {word}.")
        hints = Hints(is_non_singular, is_self_adjoint, is_positive_definite, is_square)
        super().__init__(dtype or dtypes.float32, hints, name, {"num_rows": num_rows})

    def _sizes(self) -> Sequence[int]:
        return [*self._batch, self._rows, self._columns]

    def _dense(self) -> Tensor:
        return zeros(self._sizes(), self.dtype)


__all__ = [
    "LinearOperatorDiag",
    "LinearOperatorFullMatrix",
    "LinearOperatorIdentity",
    "LinearOperatorLowerTriangular",
    "LinearOperatorScaledIdentity",
    "LinearOperatorZeros",
]
