"""Operators whose entries follow a pattern, as reflections and permutations do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from symtape.ops.arguments import tensor
from symtape.ops.elementwise.arithmetic import add, divide, multiply, subtract
from symtape.ops.elementwise.functions import conj
from symtape.ops.indexing.gathering import gather
from symtape.ops.linalg.diagonals import diag
from symtape.ops.linalg.operators.base import Hint, Hints, LinearOperator
from symtape.ops.reductions.reduction import reduce_sum
from symtape.ops.shapes.creation import eye, ones, zeros
from symtape.ops.shapes.grids import one_hot
from symtape.ops.shapes.joining import concat, stack
from symtape.ops.shapes.repetition import reverse
from symtape.ops.shapes.shaping import expand_dims
from symtape.tensor import dtypes
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of


class LinearOperatorToeplitz(LinearOperator):
    """A matrix that is constant along diagonals (`tf.linalg.LinearOperatorToeplitz`)."""

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
        if is_square is False:
            raise ValueError("Only square Toeplitz operators currently supported.")
        self._col, self._row = tensor(col), tensor(row)
        hints = Hints(is_non_singular, is_self_adjoint, is_positive_definite, True)
        super().__init__(self._col.dtype, hints, name, {"col": col, "row": row})

    @property
    def col(self) -> Tensor:
        """The first column."""
        return self._col

    @property
    def row(self) -> Tensor:
        """The first row."""
        return self._row

    def _dense(self) -> Tensor:
        n = shape_of(self._col)[-1]
        zero = multiply(0.0, self._col), multiply(0.0, self._row)
        col, row = add(self._col, zero[1]), add(self._row, zero[0])  # one batch for both
        line = concat([reverse(row, [-1])[..., : n - 1], col], -1)
        places = np.arange(n)[:, None] - np.arange(n) + n - 1
        return gather(line, tensor(places), axis=-1)


class LinearOperatorHouseholder(LinearOperator):
    """A reflection, I - 2 v vᴴ / (vᴴ v) (`tf.linalg.LinearOperatorHouseholder`)."""

    def __init__(
        self,
        reflection_axis: Any,
        is_non_singular: Hint = None,
        is_self_adjoint: Hint = None,
        is_positive_definite: Hint = None,
        is_square: Hint = None,
        name: str = "LinearOperatorHouseholder",
    ) -> None:
        for hint, text in (
            (is_self_adjoint is False, "self adjoint"),
            (bool(is_positive_definite), "non-positive definite"),
            (is_square is False, "square"),
        ):
            if hint:
                raise ValueError(f"A Householder operator is always {text}.")
        self._axis = tensor(reflection_axis)
        hints = Hints(is_non_singular, True, False, True)
        super().__init__(self._axis.dtype, hints, name, {"reflection_axis": reflection_axis})

    @property
    def reflection_axis(self) -> Tensor:
        """The normal of the plane."""
        return self._axis

    def _sizes(self) -> Sequence[int]:
        shape = shape_of(self._axis)
        return [*shape, shape[-1]]

    def _dense(self) -> Tensor:
        v = self._axis
        outer = multiply(expand_dims(v, -1), expand_dims(conj(v), -2))
        length = expand_dims(reduce_sum(multiply(v, conj(v)), -1, keepdims=True), -1)
        identity = eye(shape_of(v)[-1], dtype=self.dtype)
        return subtract(identity, divide(multiply(2.0, outer), length))

    def _determinant(self) -> Tensor:
        return multiply(-1.0, ones(shape_of(self._axis)[:-1], self.dtype))

    def _log_abs_determinant(self) -> Tensor:
        return zeros(shape_of(self._axis)[:-1], self.dtype)


class LinearOperatorPermutation(LinearOperator):
    """A permutation of rows (`tf.linalg.LinearOperatorPermutation`)."""

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
        self._perm = tensor(perm)
        if not self._perm.dtype.is_integer:
            raise TypeError(f"Argument `perm` must be integer dtype. Received: {self._perm}.")
        for hint, word, given in (
            ("is_non_singular", "non-singular", is_non_singular),
            ("is_square", "square", is_square),
        ):
            if given is False:
                raise ValueError(
                    f"A Permutation operator is always {word}. Expected argument `{hint}` to be "
                    "True. Received: False."
                )
        hints = Hints(is_non_singular, is_self_adjoint, is_positive_definite, True)
        super().__init__(dtype, hints, name, {"perm": perm})

    @property
    def perm(self) -> Tensor:
        """Which row comes to each place."""
        return self._perm

    def _dense(self) -> Tensor:
        return one_hot(self._perm, shape_of(self._perm)[-1], dtype=self.dtype)


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
        if diagonals_format not in ("compact", "matrix", "sequence"):
            raise ValueError(
                "Argument `diagonals_format` must be one of compact, matrix, or sequence. Received "
                f": {diagonals_format}."
            )
        self._format = diagonals_format
        is_listed = diagonals_format == "sequence"
        lines = [tensor(d) for d in (diagonals if is_listed else [diagonals])]
        self._given: Any = lines if is_listed else lines[0]
        dtype = lines[0].dtype
        hints = Hints(is_non_singular, is_self_adjoint, is_positive_definite, is_square)
        super().__init__(dtype, hints, name, {"diagonals": diagonals})

    @property
    def diagonals(self) -> Any:
        """The diagonals, as they were given."""
        return self._given

    @property
    def diagonals_format(self) -> str:
        """How they were given."""
        return self._format

    def _dense(self) -> Tensor:
        if self._format == "matrix":
            found: Tensor = self._given
            return found
        lines: Tensor = stack(self._given, -2) if self._format == "sequence" else self._given
        above, middle, below = (lines[..., k, :] for k in range(3))
        found = diag(middle)
        if shape_of(middle)[-1] > 1:
            found = add(add(found, diag(above[..., :-1], k=1)), diag(below[..., 1:], k=-1))
        return found


__all__ = [
    "LinearOperatorHouseholder",
    "LinearOperatorPermutation",
    "LinearOperatorToeplitz",
    "LinearOperatorTridiag",
]
