"""A linear operator: what can be asked of a matrix, by default of the dense one that it is.

A class says which matrix it is (`_dense`), and what it computes in a shorter way.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from symtape import nest
from symtape.errors import InvalidArgumentError
from symtape.ops.arguments import tensor
from symtape.ops.composite import Composite
from symtape.ops.control.flow import name_scope
from symtape.ops.control.function_types import VariableSpec
from symtape.ops.elementwise.arithmetic import add, divide
from symtape.ops.elementwise.functions import abs as absolute
from symtape.ops.linalg import solving
from symtape.ops.linalg.diagonals import diag_part
from symtape.ops.linalg.products import adjoint, matmul
from symtape.ops.linalg.spectra import eigvalsh, svd
from symtape.ops.module import Module
from symtape.ops.reductions.reduction import reduce_max, reduce_min, reduce_sum
from symtape.ops.shapes.known import broadcast_static_shape
from symtape.ops.shapes.repetition import broadcast_to
from symtape.ops.shapes.shaping import expand_dims, squeeze
from symtape.ops.spec import BatchableTypeSpec, TensorSpec
from symtape.tensor.convert import convert
from symtape.tensor.dtypes import DType, as_dtype
from symtape.tensor.shape import TensorShape
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import look_at, shape_of
from symtape.tensor.variables.scopes import SCOPES
from symtape.tensor.variables.variable import Variable

Hint = bool | None


class Hints:
    """What is said of a matrix, and what follows: a hint that is None says nothing.

    Raises `ValueError` for hints that contradict one another.
    """

    def __init__(
        self,
        is_non_singular: Hint = None,
        is_self_adjoint: Hint = None,
        is_positive_definite: Hint = None,
        is_square: Hint = None,
    ) -> None:
        if is_positive_definite and is_non_singular is False:
            raise ValueError("A positive definite matrix is always non-singular.")
        is_non_singular = True if is_positive_definite else is_non_singular
        for hint, word in ((is_non_singular, "non-singular"), (is_self_adjoint, "self-adjoint")):
            if hint and is_square is False:
                raise ValueError(f"A {word} matrix is always square.")
            is_square = True if hint else is_square
        self.is_non_singular, self.is_self_adjoint = is_non_singular, is_self_adjoint
        self.is_positive_definite, self.is_square = is_positive_definite, is_square


def agreed(hints: Sequence[tuple[Hint, Hint, str]]) -> list[Hint]:
    """Give what is so by either of two hints; raises `ValueError` where they contradict."""
    for one, other, words in hints:
        if {one, other} == {True, False}:
            raise ValueError(words)
    return [other if one is None else one for one, other, _ in hints]


_SAID = ("is_non_singular", "is_positive_definite", "is_self_adjoint", "is_square", "name")


class OperatorSpec(BatchableTypeSpec):
    """The spec of a linear operator: its class, the specs of what it is made of, and the rest."""

    def __init__(self, kind: type[LinearOperator], parts: dict[str, Any], rest: Any) -> None:
        self._kind, self._parts, self._rest = kind, parts, rest

    @property
    def value_type(self) -> type[LinearOperator]:
        """The class of the operator."""
        return self._kind

    def _serialize(self) -> Any:
        return self._kind, self._parts, self._rest

    @property
    def _component_specs(self) -> dict[str, Any]:
        return self._parts

    def _to_components(self, value: LinearOperator) -> dict[str, Any]:
        return {name: value.parts[name] for name in self._parts}

    def _from_components(self, components: dict[str, Any]) -> LinearOperator:
        kind: Any = self._kind
        made: LinearOperator = kind(**components, **self._rest)
        return made


def _part(value: Any) -> Any:
    """Give a tensor of what becomes one; what holds composites, and variables, as they are."""
    leaves = nest.flatten(value)
    if any(isinstance(leaf, (Composite, Variable)) for leaf in leaves):
        return value
    is_one = isinstance(value, (Tensor, np.ndarray, list, tuple, float, complex))
    return tensor(value) if is_one and leaves and not isinstance(value, str) else None


def _spec_of(part: Any) -> Any:
    if isinstance(part, Composite):
        return part._type_spec  # noqa: SLF001 - TensorFlow's name
    if isinstance(part, Variable):
        return VariableSpec.from_value(part)
    return TensorSpec(part.shape, part.dtype)


class LinearOperator(Module, Composite):
    """A matrix, or a batch of them, that is not written out (`tf.linalg.LinearOperator`).

    Tapes see what it computes, so that gradients reach what it is made of. Raises `ValueError` for
    hints that contradict one another.

    >>> from symtape.ops.linalg.operators.plain import LinearOperatorDiag
    >>> operator = LinearOperatorDiag([2.0, 4.0])
    >>> operator.solvevec([1.0, 1.0]).numpy().tolist(), operator.determinant().numpy().item()
    ([0.5, 0.25], 8.0)
    >>> operator
    <LinearOperatorDiag 'LinearOperatorDiag' shape=(2, 2) dtype=float32>
    """

    made: ClassVar[dict[str, Any]] = {}
    """The classes by their names: what an operator makes of others."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        LinearOperator.made[cls.__name__] = cls

    def __init__(
        self, dtype: Any, hints: Hints, name: str | None, parameters: dict[str, Any]
    ) -> None:
        self._dtype, self._hints = as_dtype(dtype), hints
        self._name = name or type(self).__name__
        self._name_scope = name_scope(SCOPES.within(self._name))
        self.parameters = parameters

    @cached_property
    def parts(self) -> dict[str, Any]:
        """What the operator is made of: tensors, variables and other operators, by their names."""
        given = {k: v for k, v in self.parameters.items() if k not in _SAID}
        return {name: found for name, v in given.items() if (found := _part(v)) is not None}

    @property
    def _type_spec(self) -> OperatorSpec:
        rest = {k: v for k, v in self.parameters.items() if k not in {*self.parts, "name"}}
        return OperatorSpec(type(self), nest.map_structure(_spec_of, self.parts), rest)

    def _dense(self) -> Tensor:
        raise NotImplementedError("_matmul is not implemented.")

    def _sizes(self) -> Sequence[int]:
        """Give the shape of the dense matrix."""
        return shape_of(self._dense())

    # --- what it is -------------------------------------------------------------------------------

    @property
    def dtype(self) -> DType:
        """The dtype."""
        return self._dtype

    @property
    def is_non_singular(self) -> Hint:
        """Whether it has an inverse, if that was said, or follows."""
        return self._hints.is_non_singular

    @property
    def is_self_adjoint(self) -> Hint:
        """Whether it is its own adjoint, if that was said, or follows."""
        return self._hints.is_self_adjoint

    @property
    def is_positive_definite(self) -> Hint:
        """Whether it is positive definite, if that was said, or follows."""
        return self._hints.is_positive_definite

    @property
    def is_square(self) -> bool:
        """Whether it has as many rows as columns."""
        same: bool = self.domain_dimension == self.range_dimension
        if self._hints.is_square is False and same:
            raise ValueError("User set is_square hint to False, but the operator was square.")
        return same if self._hints.is_square is None else self._hints.is_square

    @property
    def shape(self) -> TensorShape:
        """The shape, batch axes first."""
        return TensorShape(self._sizes())

    @property
    def batch_shape(self) -> TensorShape:
        """The batch axes."""
        return TensorShape(self._sizes()[:-2])

    @property
    def tensor_rank(self) -> int:
        """The number of axes."""
        return len(self.shape)

    @property
    def domain_dimension(self) -> Any:
        """The number of columns."""
        return self.shape[-1]

    @property
    def range_dimension(self) -> Any:
        """The number of rows."""
        return self.shape[-2]

    def shape_tensor(self, name: str = "shape_tensor") -> Tensor:
        """Give the shape as a tensor."""
        return convert(list(self.shape), "int32")

    def batch_shape_tensor(self, name: str = "batch_shape_tensor") -> Tensor:
        """Give the batch axes as a tensor."""
        return convert(list(self.batch_shape), "int32")

    def tensor_rank_tensor(self, name: str = "tensor_rank_tensor") -> Tensor:
        """Give the number of axes as a tensor."""
        return convert(self.tensor_rank, "int32")

    def domain_dimension_tensor(self, name: str = "domain_dimension_tensor") -> Tensor:
        """Give the number of columns as a tensor."""
        return convert(self.domain_dimension, "int32")

    def range_dimension_tensor(self, name: str = "range_dimension_tensor") -> Tensor:
        """Give the number of rows as a tensor."""
        return convert(self.range_dimension, "int32")

    # --- products and equations -------------------------------------------------------------------

    def matmul(
        self, x: Any, adjoint: bool = False, adjoint_arg: bool = False, name: str = "matmul"
    ) -> Any:
        """Multiply by a matrix, or by another operator, which gives an operator.

        Raises `TypeError` for another dtype, and `ValueError` where sizes do not fit.
        """
        if isinstance(x, LinearOperator):
            left, right = self._meeting(x, "x", adjoint, adjoint_arg)
            return left._composed(right)  # noqa: SLF001 - of this class
        return self._matmul(self._fitting(x, -2 if adjoint else -1, -1 if adjoint_arg else -2),
                            adjoint=adjoint, adjoint_arg=adjoint_arg)  # fmt: skip

    def _meeting(
        self, other: LinearOperator, word: str, adjoint: bool, adjoint_arg: bool
    ) -> tuple[LinearOperator, LinearOperator]:
        """Give two operators as they are multiplied, checked to fit."""
        left = self.adjoint() if adjoint else self
        right = other.adjoint() if adjoint_arg else other
        if right.range_dimension != left.domain_dimension:
            raise ValueError(
                f"Operators are incompatible. Expected `{word}` to have dimension "
                f"{left.domain_dimension} but got {right.range_dimension}."
            )
        return left, right

    def __matmul__(self, other: Any) -> Any:
        return self.matmul(other)

    def matvec(self, x: Any, adjoint: bool = False, name: str = "matvec") -> Tensor:
        """Multiply by a vector; raises what `matmul` raises."""
        column = expand_dims(self._fitting(x, -2 if adjoint else -1, -1), -1)
        return squeeze(self._matmul(column, adjoint=adjoint, adjoint_arg=False), -1)

    def solve(
        self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False, name: str = "solve"
    ) -> Any:
        """Solve equations with these right sides, or with an operator, which gives an operator.

        Raises `NotImplementedError` for what is said to be singular or not square, and what
        `matmul` raises.
        """
        for hint, word in (
            (self.is_non_singular, "be singular"),
            (self.is_square, "not be square"),
        ):
            if hint is False:
                raise NotImplementedError(
                    f"Exact solve not implemented for an operator that is expected to {word}."
                )
        if isinstance(rhs, LinearOperator):
            left, right = self._meeting(rhs, "rhs", adjoint, adjoint_arg)
            return left.inverse()._composed(right)  # noqa: SLF001 - of this class
        given = self._fitting(rhs, -1 if adjoint else -2, -1 if adjoint_arg else -2)
        return self._solve(adjoint_of(given) if adjoint_arg else given, adjoint=adjoint)

    def solvevec(self, rhs: Any, adjoint: bool = False, name: str = "solve") -> Tensor:
        """Solve equations with one right side; raises what `solve` raises."""
        column = expand_dims(self._fitting(rhs, -1 if adjoint else -2, -1), -1)
        found: Tensor = self.solve(column, adjoint=adjoint)
        return squeeze(found, -1)

    def _fitting(self, x: Any, own: int, other: int) -> Tensor:
        given = tensor(x)
        if given.dtype != self.dtype:
            raise TypeError(
                f"Expected argument to have dtype {self.dtype}.  Found: {given.dtype} in tensor "
                f"{given!s}"
            )
        if self.shape[own] != given.shape[other]:
            raise ValueError(
                f"Dimensions {self.shape[own]} and {given.shape[other]} are not compatible"
            )
        return given

    def _matmul(self, x: Tensor, *, adjoint: bool, adjoint_arg: bool) -> Tensor:
        return matmul(self._dense(), x, adjoint_a=adjoint, adjoint_b=adjoint_arg)

    def _solve(self, rhs: Tensor, *, adjoint: bool) -> Tensor:
        if self._can_use_cholesky:
            factor, right = together(solving.cholesky(self._dense()), rhs)
            return solving.cholesky_solve(factor, right)
        return solving.solve(*together(self._dense(), rhs), adjoint=adjoint)

    def _composed(self, right: LinearOperator) -> LinearOperator:
        made = LinearOperator.made
        if isinstance(right, made["LinearOperatorIdentity"]):
            return self
        found: LinearOperator = made["LinearOperatorComposition"]([self, right])
        return found

    # --- numbers ----------------------------------------------------------------------------------

    def determinant(self, name: str = "det") -> Tensor:
        """Give the determinant; raises `NotImplementedError` for what is not square."""
        if self.is_square is False:
            raise NotImplementedError(
                "Determinant not implemented for an operator that is expected to not be square."
            )
        return self._determinant()

    def log_abs_determinant(self, name: str = "log_abs_det") -> Tensor:
        """Give log |det|; raises `NotImplementedError` for what is not square."""
        if self.is_square is False:
            raise NotImplementedError(
                "Determinant not implemented for an operator that is expected to not be square."
            )
        return self._log_abs_determinant()

    def _determinant(self) -> Tensor:
        return solving.det(self._dense())

    def _log_abs_determinant(self) -> Tensor:
        if self._can_use_cholesky:
            return solving.logdet(self._dense())
        return solving.slogdet(self._dense())[1]

    def to_dense(self, name: str = "to_dense") -> Tensor:
        """Give the matrix."""
        return self._dense()

    def diag_part(self, name: str = "diag_part") -> Tensor:
        """Give the diagonal."""
        return diag_part(self._dense())

    def trace(self, name: str = "trace") -> Tensor:
        """Give the sum of the diagonal."""
        return reduce_sum(self.diag_part(), -1)

    def add_to_tensor(self, x: Any, name: str = "add_to_tensor") -> Tensor:
        """Add it to a matrix; raises `TypeError` for another dtype."""
        return add(self._dense(), self._fitting(x, -1, -1))

    def eigvals(self, name: str = "eigvals") -> Tensor:
        """Give the eigenvalues; raises `NotImplementedError` unless it is its own adjoint."""
        if not self.is_self_adjoint:
            raise NotImplementedError("Only self-adjoint matrices are supported.")
        return self._eigvals()

    def _eigvals(self) -> Tensor:
        return eigvalsh(self._dense())

    def cond(self, name: str = "cond") -> Tensor:
        """Give the greatest singular value over the least."""
        if self.is_self_adjoint:
            values = absolute(self.eigvals())
        else:
            values = svd(self._dense(), compute_uv=False)
        return divide(reduce_max(values, -1), reduce_min(values, -1))

    # --- other operators --------------------------------------------------------------------------

    def adjoint(self, name: str = "adjoint") -> LinearOperator:
        """Give the adjoint, as an operator."""
        return self if self.is_self_adjoint is True else self._adjoint()

    H = property(adjoint)

    def _adjoint(self) -> LinearOperator:
        found: LinearOperator = LinearOperator.made["LinearOperatorAdjoint"](self)
        return found

    def inverse(self, name: str = "inverse") -> LinearOperator:
        """Give the inverse, as an operator; raises `ValueError` if it is said to have none."""
        for hint, word in ((self.is_square, "non square"), (self.is_non_singular, "singular")):
            if hint is False:
                raise ValueError(
                    f"Cannot take the Inverse: This operator represents a {word} matrix."
                )
        return self._inverse()

    def _inverse(self) -> LinearOperator:
        found: LinearOperator = LinearOperator.made["LinearOperatorInversion"](self)
        return found

    @property
    def _can_use_cholesky(self) -> bool:
        return bool(self.is_self_adjoint and self.is_positive_definite)

    def cholesky(self, name: str = "cholesky") -> LinearOperator:
        """Give the factor of Cholesky, as an operator.

        Raises `ValueError` unless it is said to be positive definite, and its own adjoint.
        """
        if not self._can_use_cholesky:
            raise ValueError(
                "Cannot take the Cholesky decomposition: Not a positive definite self adjoint "
                "matrix."
            )
        return self._cholesky()

    def _cholesky(self) -> LinearOperator:
        found: LinearOperator = LinearOperator.made["LinearOperatorLowerTriangular"](
            solving.cholesky(self._dense()), is_non_singular=True, is_self_adjoint=False
        )
        return found

    # --- checks -----------------------------------------------------------------------------------

    def assert_non_singular(self, name: str = "assert_non_singular") -> None:
        """Raise `InvalidArgumentError` where it has no inverse, up to the digits of its dtype."""
        least = 1 / (max(self.shape[-2:]) * _EPSILON[self.dtype.real_dtype.name])
        if not (look_at(self.cond()).real < least).all():
            raise InvalidArgumentError(message="Singular matrix up to precision epsilon.")

    def assert_positive_definite(self, name: str = "assert_positive_definite") -> None:
        """Raise `InvalidArgumentError` where it is not positive definite.

        Raises `NotImplementedError` unless it is its own adjoint.
        """
        if not self.is_self_adjoint:
            raise NotImplementedError("assert_positive_definite is not implemented.")
        dense = self._dense()
        if not (np.linalg.eigvalsh(look_at(dense).astype(_WIDE[self.dtype.is_complex])) > 0).all():
            raise InvalidArgumentError(message="Cholesky decomposition was not successful.")

    def assert_self_adjoint(self, name: str = "assert_self_adjoint") -> None:
        """Raise `InvalidArgumentError` where it is not its own adjoint."""
        dense = self._dense()
        same = self.is_square and look_at(dense) == look_at(adjoint_of(dense))
        if not np.all(same):
            raise InvalidArgumentError(message="Matrix was not equal to its adjoint.")

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name!r} shape={self.shape} dtype={self.dtype.name}>"


_WIDE = {False: np.float64, True: np.complex128}
_EPSILON = {"float16": 2.0**-10, "float32": 2.0**-23, "float64": 2.0**-52, "bfloat16": 2.0**-7}


def adjoint_of(x: Tensor) -> Tensor:
    """Give the conjugate transpose of matrices."""
    return adjoint(x)


def together(a: Tensor, b: Tensor) -> tuple[Tensor, Tensor]:
    """Give both of two batches of matrices the batch axes of the other one."""
    batch = list(broadcast_static_shape(a.shape[:-2], b.shape[:-2]))
    return tuple(
        x if list(x.shape[:-2]) == batch else broadcast_to(x, [*batch, *x.shape[-2:]])
        for x in (a, b)
    )  # type: ignore[return-value]  # of two


__all__ = ["Hint", "Hints", "LinearOperator", "adjoint_of", "together"]
