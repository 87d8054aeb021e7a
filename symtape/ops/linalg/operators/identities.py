"""Operators without numbers of their own: the identity, and zeros."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from symtape.errors import InvalidArgumentError
from symtape.ops.elementwise.arithmetic import add
from symtape.ops.linalg.operators.base import LinearOperator, given
from symtape.ops.linalg.operators.hints import Hint, Hints
from symtape.ops.linalg.operators.slicing import batch_at
from symtape.ops.linalg.products import adjoint as adjoint_of
from symtape.ops.shapes.creation import eye, ones, zeros
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.shape import TensorShape
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import look_at
from symtape.tensor.variables.variable import Variable


def _whole(name: str, value: Any, axes: int) -> Any:
    """Read sizes; raises TensorFlow's errors for a variable, and for what are no sizes."""
    if isinstance(value, Variable):
        raise TypeError(f"Argument {name} cannot be reference type. Found: {type(value)}.")
    found = convert(value, None if isinstance(value, Tensor) or np.size(value) else "int32")
    if not found.dtype.is_integer:
        raise TypeError(f"Argument {name} must be integer type.  Found: {found}")
    sizes = look_at(found)
    if sizes.ndim != axes:
        raise ValueError(f"Argument {name} must be a {axes}-D Tensor.  Found: {sizes}")
    if (sizes < 0).any():
        raise ValueError(f"Argument {name} must be non-negative.  Found:{' ' * (1 - axes)}{sizes}")
    return sizes


def count_of(name: str, value: Any) -> int:
    """Read a number of rows; raises `TypeError` and `ValueError` for what is none."""
    return int(_whole(name, value, 0))


def batch_of(value: Any) -> list[int]:
    """Read the sizes of batch axes; raises `TypeError` and `ValueError` for what are none."""
    if value is None:
        return []
    sizes = list(value) if isinstance(value, TensorShape) else value
    return [int(n) for n in _whole("batch_shape", sizes, 1)]


def _over(batch: Sequence[int], x: Tensor) -> Tensor:
    """Repeat matrices over batch axes."""
    if not batch:
        return x
    return add(x, zeros([*batch, 1, 1], x.dtype))


class _WithoutNumbers(LinearOperator):
    """An operator of which only the batch shape can be sliced."""

    _batch: list[int]

    def __getitem__(self, slices: Any) -> LinearOperator:
        """Slice the batch shape, as there are no numbers to slice."""
        batch = batch_at(self._batch, tuple(slices) if isinstance(slices, list) else slices)
        return type(self)(**{**self.parameters, "batch_shape": batch})


class LinearOperatorIdentity(_WithoutNumbers):
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
        own = given(locals())
        for word, hint in (
            ("self adjoint", is_self_adjoint),
            ("non-singular", is_non_singular),
            ("positive-definite", is_positive_definite),
            ("square", is_square),
        ):
            if not hint:
                raise ValueError(f"An identity operator is always {word}.")
        hints = Hints(True, True, True, True)
        super().__init__(dtype or dtypes.float32, name=name, parameters=own, **hints._asdict())
        self._num_rows = count_of("num_rows", num_rows)
        self._batch = batch_of(batch_shape)

    def _shape(self) -> TensorShape:
        return TensorShape([*self._batch, self._num_rows, self._num_rows])

    def _to_dense(self) -> Tensor:
        return eye(self._num_rows, batch_shape=self._batch, dtype=self.dtype)

    def _matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        return _over(self._batch, adjoint_of(x) if adjoint_arg else x)

    def _solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        return self._matmul(rhs, adjoint_arg=adjoint_arg)

    def _determinant(self) -> Tensor:
        return ones(self._batch, self.dtype)

    def _log_abs_determinant(self) -> Tensor:
        return zeros(self._batch, self.dtype)

    def _diag_part(self) -> Tensor:
        return ones([*self._batch, self._num_rows], self.dtype)

    _eigvals = _diag_part

    def _cond(self) -> Tensor:
        return ones(self._batch, self.dtype)

    def _assert_non_singular(self) -> None:
        """Hold always."""

    _assert_positive_definite = _assert_self_adjoint = _assert_non_singular

    def _linop_adjoint(self) -> LinearOperator:
        return self

    _linop_inverse = _linop_adjoint

    def _linop_cholesky(self) -> LinearOperator:
        return LinearOperatorIdentity(self._num_rows, self._batch or None, self.dtype)

    def _linop_matmul(self, left_operator: Any, right_operator: Any) -> Any:
        return right_operator

    _linop_solve = _linop_matmul

    def _product_as_right(self, left: Any) -> LinearOperator | None:
        found: LinearOperator = left
        return found


class LinearOperatorZeros(_WithoutNumbers):
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
        own = given(locals())
        for word, denied in (
            ("self adjoint", not is_self_adjoint and is_square),
            ("singular", is_non_singular),
            ("not positive-definite", is_positive_definite),
        ):
            if denied:
                raise ValueError(f"A zero operator is always {word}.")
        hints = Hints(is_non_singular, is_self_adjoint, is_positive_definite, is_square)
        super().__init__(dtype or dtypes.float32, name=name, parameters=own, **hints._asdict())
        columns = num_rows if num_columns is None else num_columns
        self._num_rows = count_of("num_rows", num_rows)
        self._num_columns = count_of("num_columns", columns)
        if is_square and self._num_rows != self._num_columns:
            raise ValueError(
                "LinearOperatorZeros initialized as is_square=True, but got num_rows("
                f"{self._num_rows}) != num_columns({self._num_columns})"
            )
        self._batch = batch_of(batch_shape)

    def _shape(self) -> TensorShape:
        return TensorShape([*self._batch, self._num_rows, self._num_columns])

    def _to_dense(self) -> Tensor:
        return zeros([*self._batch, self._num_rows, self._num_columns], self.dtype)

    def _determinant(self) -> Tensor:
        return zeros(self._batch, self.dtype)

    _trace = _determinant

    def _assert_non_singular(self) -> None:
        raise InvalidArgumentError(message="Zero operators are always non-invertible.")

    def _assert_positive_definite(self) -> None:
        raise InvalidArgumentError(message="Zero operators are always non-positive definite.")

    def _assert_self_adjoint(self) -> None:
        """Hold always."""

    def _linop_matmul(self, left_operator: Any, right_operator: Any) -> LinearOperator:
        return _square_zeros(self, right_operator)

    def _product_as_right(self, left: Any) -> LinearOperator | None:
        return _square_zeros(self, left)


def _square_zeros(zero: LinearOperatorZeros, other: Any) -> LinearOperator:
    if not zero.is_square or not other.is_square:
        raise ValueError(
            "Matmul with non-square `LinearOperator`s or non-square `LinearOperatorZeros` not "
            "supported at this time."
        )
    return zero
