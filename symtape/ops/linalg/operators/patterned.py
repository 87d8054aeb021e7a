"""Operators whose entries follow a pattern, as reflections and permutations do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from symtape.errors import InvalidArgumentError
from symtape.ops.arguments import tensor
from symtape.ops.checks.values import assert_equal
from symtape.ops.elementwise.activation import l2_normalize
from symtape.ops.elementwise.arithmetic import add, multiply, subtract
from symtape.ops.elementwise.functions import conj
from symtape.ops.indexing.gathering import gather
from symtape.ops.linalg.banded import three_diagonals, tridiagonal_matmul, tridiagonal_solve
from symtape.ops.linalg.diagonals import diag
from symtape.ops.linalg.operators.base import LinearOperator, given, held, together
from symtape.ops.linalg.operators.checks import assert_real
from symtape.ops.linalg.operators.hints import Hint, Hints, always
from symtape.ops.linalg.products import adjoint as adjoint_of
from symtape.ops.linalg.products import matmul
from symtape.ops.reductions.ordering import argsort
from symtape.ops.shapes.creation import eye, ones, zeros
from symtape.ops.shapes.joining import concat, stack
from symtape.ops.shapes.known import broadcast_static_shape
from symtape.ops.shapes.marking import one_hot
from symtape.ops.shapes.repetition import broadcast_to, reverse, roll
from symtape.ops.shapes.shaping import expand_dims, squeeze
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.shape import TensorShape
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import look_at, shape_of


class LinearOperatorToeplitz(LinearOperator):
    """A matrix that is constant along diagonals (`tf.linalg.LinearOperatorToeplitz`)."""

    matrix_axes: ClassVar = {"col": 1, "row": 1}

    def __init__(
        self,
        col: Any,
        row: Any,
        is_non_singular: Hint = None,
        is_self_adjoint: Hint = None,
        is_positive_definite: Hint = None,
        is_square: Hint = None,
        name: str = "LinearOperatorToeplitz",
    ) -> None:
        own = given(locals())
        self._row, self._col = held(row), held(col)
        for word, line in (("row", self._row), ("col", self._col)):
            at_least_one_axis(f"Argument {word}", line, "  Found")
        if self._row.shape[-1] != self._col.shape[-1]:
            raise ValueError("Expected square matrix, got row and col with mismatched dimensions.")
        square = always(is_square, "Only square Toeplitz operators currently supported.")
        hints = Hints(is_non_singular, is_self_adjoint, is_positive_definite, square)
        super().__init__(self._row.dtype, name=name, parameters=own, **hints._asdict())

    @property
    def col(self) -> Any:
        """The first column."""
        return self._col

    @property
    def row(self) -> Any:
        """The first row."""
        return self._row

    def _shape(self) -> TensorShape:
        shape = broadcast_static_shape(self._row.shape, self._col.shape)
        return shape.concatenate(shape[-1:])

    def _to_dense(self) -> Tensor:
        col, row = tensor(self._col), tensor(self._row)
        n = shape_of(col)[-1]
        zero = multiply(0.0, col), multiply(0.0, row)
        col, row = add(col, zero[1]), add(row, zero[0])  # one batch for both
        line = concat([reverse(row, [-1])[..., : n - 1], col], -1)
        places = np.arange(n)[:, None] - np.arange(n) + n - 1
        return gather(line, tensor(places), axis=-1)

    def _diag_part(self) -> Tensor:
        return broadcast_to(tensor(self._col)[..., :1], self.shape_tensor()[:-1])

    def _assert_self_adjoint(self) -> None:
        words = "row and col are not the same, and so this operator is not self-adjoint."
        assert_equal(self._row, self._col, message=words)


class LinearOperatorHouseholder(LinearOperator):
    """A reflection, I - 2 v vᴴ / (vᴴ v) (`tf.linalg.LinearOperatorHouseholder`)."""

    matrix_axes: ClassVar = {"reflection_axis": 1}

    def __init__(
        self,
        reflection_axis: Any,
        is_non_singular: Hint = None,
        is_self_adjoint: Hint = None,
        is_positive_definite: Hint = None,
        is_square: Hint = None,
        name: str = "LinearOperatorHouseholder",
    ) -> None:
        own = given(locals())
        self._reflection_axis = held(reflection_axis)
        at_least_one_axis("Argument reflection_axis", self._reflection_axis, "  Found")
        for hint, text in (
            (is_self_adjoint is False, "self adjoint"),
            (bool(is_positive_definite), "non-positive definite"),
            (is_square is False, "square"),
        ):
            if hint:
                raise ValueError(f"A Householder operator is always {text}.")
        hints = Hints(is_non_singular, True, False, True)
        super().__init__(self._reflection_axis.dtype, name=name, parameters=own, **hints._asdict())

    @property
    def reflection_axis(self) -> Any:
        """The normal of the plane."""
        return self._reflection_axis

    def _shape(self) -> TensorShape:
        shape = TensorShape(self._reflection_axis.shape)
        return shape.concatenate(shape[-1:])

    def _ones(self) -> Tensor:
        return ones(shape_of(tensor(self._reflection_axis))[:-1], self.dtype)

    def _normal(self) -> Tensor:
        """Give the normal of length one, as a column."""
        return expand_dims(l2_normalize(tensor(self._reflection_axis), axis=-1), -1)

    def _to_dense(self) -> Tensor:
        v = self._normal()
        identity = eye(shape_of(v)[-2], dtype=self.dtype)
        return subtract(identity, multiply(2.0, matmul(v, v, adjoint_b=True)))

    def _matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        operand, v = adjoint_of(x) if adjoint_arg else x, self._normal()
        along = matmul(v, operand, adjoint_a=True)
        return subtract(operand, multiply(2.0, matmul(v, along)))

    def _solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        return self._matmul(rhs, adjoint_arg=adjoint_arg)

    def _eigvals(self) -> Tensor:
        last = shape_of(tensor(self._reflection_axis))[-1]
        values = np.where(np.arange(last) == 0, -1.0, 1.0)
        return multiply(convert(values, self.dtype), expand_dims(self._ones(), -1))

    def _cond(self) -> Tensor:
        return self._ones()

    def _trace(self) -> Tensor:
        return multiply(shape_of(tensor(self._reflection_axis))[-1] - 2.0, self._ones())

    def _determinant(self) -> Tensor:
        return multiply(-1.0, self._ones())

    def _log_abs_determinant(self) -> Tensor:
        return multiply(0.0, self._ones())

    def _assert_non_singular(self) -> None:
        """Hold always."""

    _assert_self_adjoint = _assert_non_singular

    def _assert_positive_definite(self) -> None:
        words = "Householder operators are always non-positive definite."
        raise InvalidArgumentError(message=words)

    def _linop_adjoint(self) -> LinearOperator:
        return self

    _linop_inverse = _linop_adjoint


class LinearOperatorPermutation(LinearOperator):
    """A permutation of rows (`tf.linalg.LinearOperatorPermutation`)."""

    matrix_axes: ClassVar = {"perm": 1}

    def __init__(
        self,
        perm: Any,
        dtype: Any = dtypes.float32,
        is_non_singular: Hint = None,
        is_self_adjoint: Hint = None,
        is_positive_definite: Hint = None,
        is_square: Hint = None,
        name: str = "LinearOperatorPermutation",
    ) -> None:
        own = given(locals())
        self._perm = held(perm)
        at_least_one_axis("Argument `perm`", self._perm, " Received")
        if not self._perm.dtype.is_integer:
            raise TypeError(f"Argument `perm` must be integer dtype. Received: {self._perm}.")
        _check_permutation(self._perm)
        said = {"is_non_singular": is_non_singular, "is_square": is_square}
        for hint, value in said.items():
            word = hint.removeprefix("is_").replace("_", "-")
            always(
                value,
                f"A Permutation operator is always {word}. Expected argument `{hint}` to be True. "
                "Received: False.",
            )
        hints = Hints(is_non_singular, is_self_adjoint, is_positive_definite, True)
        super().__init__(dtype, name=name, parameters=own, **hints._asdict())

    @property
    def perm(self) -> Any:
        """Which row comes to each place."""
        return self._perm

    def _shape(self) -> TensorShape:
        shape = TensorShape(self._perm.shape)
        return shape.concatenate(shape[-1:])

    def _places(self) -> Tensor:
        return tensor(self._perm)

    def _to_dense(self) -> Tensor:
        places = self._places()
        return one_hot(places, shape_of(places)[-1], dtype=self.dtype)

    def _matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        places = argsort(self._places(), axis=-1) if adjoint else self._places()
        operand = adjoint_of(x) if adjoint_arg else x
        column, rows = together(expand_dims(places, -1), operand)
        return gather(rows, squeeze(column, -1), axis=-2, batch_dims=rows.ndim - 2)

    def _solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        return self._matmul(rhs, adjoint=not adjoint, adjoint_arg=adjoint_arg)

    def _log_abs_determinant(self) -> Tensor:
        return zeros(shape_of(self._places())[:-1], self.dtype)

    def _cond(self) -> Tensor:
        return ones(shape_of(self._places())[:-1], self.dtype)

    def _assert_non_singular(self) -> None:
        """Hold always."""


def _check_permutation(perm: Any) -> None:
    """Raise TensorFlow's `ValueError` unless each row has every place once."""
    if isinstance(perm, Tensor):
        places = look_at(perm)
        n = places.shape[-1]
        if (np.sort(places, axis=-1) != np.arange(n)).any():
            raise ValueError(
                f"Argument `perm` must be a vector of unique integers from 0 to {n - 1}."
            )


class LinearOperatorTridiag(LinearOperator):
    """Three diagonals (`tf.linalg.LinearOperatorTridiag`)."""

    def __init__(
        self,
        diagonals: Any,
        diagonals_format: str = "compact",
        is_non_singular: Hint = None,
        is_self_adjoint: Hint = None,
        is_positive_definite: Hint = None,
        is_square: Hint = None,
        name: str = "LinearOperatorTridiag",
    ) -> None:
        own = given(locals())
        if diagonals_format not in _AXES_OF_DIAGONALS:
            raise ValueError(
                "Argument `diagonals_format` must be one of compact, matrix, or sequence. Received "
                f": {diagonals_format}."
            )
        self._diagonals_format = diagonals_format
        is_listed = diagonals_format == "sequence"
        lines = [held(line) for line in (diagonals if is_listed else [diagonals])]
        self._diagonals: Any = lines if is_listed else lines[0]
        hints = Hints(is_non_singular, is_self_adjoint, is_positive_definite, is_square)
        super().__init__(lines[0].dtype, name=name, parameters=own, **hints._asdict())

    @property
    def matrix_axes(self) -> dict[str, int]:  # type: ignore[override]  # it depends on the form
        """How many of the last axes of what was given belong to the matrix."""
        return {"diagonals": _AXES_OF_DIAGONALS[self._diagonals_format]}

    @property
    def diagonals(self) -> Any:
        """The diagonals, as they were given."""
        return self._diagonals

    @property
    def diagonals_format(self) -> str:
        """How they were given."""
        return self._diagonals_format

    def _shape(self) -> TensorShape:
        if self._diagonals_format == "matrix":
            return TensorShape(self._diagonals.shape)
        if self._diagonals_format == "compact":
            shape = TensorShape(self._diagonals.shape)
            batch: TensorShape = shape[:-2]
            size = shape[-1]
        else:
            batch, size = TensorShape([]), self._diagonals[1].shape[-1]
            for line in self._diagonals:
                batch = broadcast_static_shape(batch, line.shape[:-1])
        return batch.concatenate([size, size])

    def _to_dense(self) -> Tensor:
        if self._diagonals_format == "matrix":
            return tensor(self._diagonals)
        above, middle, below = self._lines()
        found = diag(middle)
        if shape_of(middle)[-1] > 1:
            found = add(add(found, diag(above[..., :-1], k=1)), diag(below[..., 1:], k=-1))
        return found

    def _lines(self, adjoint: bool = False) -> Sequence[Tensor]:
        """Give three diagonals of one length: the upper one ends, the lower one begins with any."""
        given_lines = three_diagonals(self._diagonals, self._diagonals_format)
        lines = [squeeze(x, -1) for x in together(*[expand_dims(x, -1) for x in given_lines])]
        if not adjoint:
            return lines
        above, middle, below = [conj(line) for line in lines]
        return [roll(below, -1, -1), middle, roll(above, 1, -1)]

    def _with_rows(self, x: Tensor, adjoint: bool, adjoint_arg: bool) -> tuple[Tensor, Tensor]:
        """Give the diagonals in rows, and an operand, with the same batch axes."""
        operand = adjoint_of(x) if adjoint_arg else x
        rows, operand = together(stack(self._lines(adjoint), -2), operand)
        return rows, operand

    def _matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        rows, operand = self._with_rows(x, adjoint, adjoint_arg)
        return tridiagonal_matmul(rows, operand)

    def _solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        rows, operand = self._with_rows(rhs, adjoint, adjoint_arg)
        return tridiagonal_solve(rows, operand)

    def _diag_part(self) -> Tensor:
        return self._lines()[1]

    def _assert_self_adjoint(self) -> None:
        if self._diagonals_format == "matrix":
            super()._assert_self_adjoint()
            return
        above, middle, below = self._lines()
        words = "This tridiagonal operator contained non-zero imaginary values on the diagonal."
        assert_real(middle, words)
        words = "This tridiagonal operator has non-conjugate subdiagonal and superdiagonal."
        assert_equal(conj(below[..., 1:]), above[..., :-1], message=words)


_AXES_OF_DIAGONALS = {"compact": 2, "matrix": 2, "sequence": 1}
"""How the diagonals may be given, and how many axes each tensor then has beside batch axes."""


def at_least_one_axis(words: str, x: Any, ending: str) -> None:
    """Raise TensorFlow's `ValueError` for what has no axis."""
    if x.shape.rank == 0:
        raise ValueError(f"{words} must have at least 1 dimension.{ending}: {x}")
