"""A linear operator: what can be asked of a matrix, by default of the dense one that it is.

A class says its shape (`_shape`), and which matrix it is (`_to_dense`) or how it multiplies
(`_matmul`), and what it computes in a shorter way, by the names that TensorFlow has for it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, ClassVar

from symtape.ops.arguments import tensor
from symtape.ops.control.flow import name_scope
from symtape.ops.linalg import solving
from symtape.ops.linalg.operators import hints
from symtape.ops.linalg.operators.described import dimension
from symtape.ops.linalg.operators.hints import Hint, Hints
from symtape.ops.linalg.operators.measured import Measured
from symtape.ops.linalg.products import adjoint as adjoint_of
from symtape.ops.linalg.products import matmul
from symtape.ops.module import Module
from symtape.ops.shapes.creation import eye
from symtape.ops.shapes.known import broadcast_static_shape
from symtape.ops.shapes.repetition import broadcast_to
from symtape.ops.shapes.shaping import expand_dims, squeeze
from symtape.tensor.convert import convert
from symtape.tensor.dtypes import as_dtype
from symtape.tensor.shape import TensorShape
from symtape.tensor.tensor import Tensor
from symtape.tensor.variables.variable import Variable


def given(local: dict[str, Any]) -> dict[str, Any]:
    """Give the arguments of an `__init__`, of the names that it has at its beginning."""
    return {name: v for name, v in local.items() if name not in ("self", "__class__")}


def held(value: Any, dtype: Any = None) -> Any:
    """Give a tensor of what is given, once; what may change later stays as it is, to be read anew.

    What may change is a variable, or a module with a dtype and a shape.
    """
    has_both = isinstance(value, Module) and hasattr(value, "dtype") and hasattr(value, "shape")
    return value if has_both or isinstance(value, Variable) else convert(value, dtype)


class LinearOperator(Measured):
    """A matrix, or a batch of them, that is not written out (`tf.linalg.LinearOperator`).

    Who extends this gives TensorFlow's `_shape`, and `_matmul` or `_to_dense`; all other methods
    are computed of these, unless `_solve`, `_determinant`, `_linop_inverse` and the like are
    given. Tapes see what is computed, so that gradients reach what an operator is made of. Raises
    `ValueError` for hints that contradict one another.

    >>> from symtape.ops.linalg.operators.diagonal import LinearOperatorDiag
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
        LinearOperator.made.setdefault(cls.__name__, cls)

    def __init__(
        self,
        dtype: Any,
        graph_parents: Any = None,
        is_non_singular: Hint = None,
        is_self_adjoint: Hint = None,
        is_positive_definite: Hint = None,
        is_square: Hint = None,
        name: str | None = None,
        parameters: Any = None,
    ) -> None:
        said = Hints(is_non_singular, is_self_adjoint, is_positive_definite, is_square)
        self._hints = said.completed()
        self._dtype = as_dtype(dtype) if dtype else dtype
        self._graph_parents = [] if graph_parents is None else graph_parents
        self._parameters = {} if parameters is None else parameters
        self._name = name or type(self).__name__

    @contextmanager
    def _name_scope(self, name: str | None = None) -> Iterator[str]:  # type: ignore[override]  # TensorFlow's hides a module's, too
        with name_scope(self.name if name is None else f"{self.name}/{name}") as scope:
            yield scope

    # --- products and equations -------------------------------------------------------------------

    def matmul(
        self, x: Any, adjoint: bool = False, adjoint_arg: bool = False, name: str = "matmul"
    ) -> Any:
        """Multiply by a matrix, or by another operator, which gives an operator.

        Raises `TypeError` for another dtype, and `ValueError` where sizes do not fit.
        """
        if isinstance(x, LinearOperator):
            left, right = self._meeting(x, "x", adjoint, adjoint_arg)
            return left._linop_matmul(left, right)  # noqa: SLF001 - of this class
        operand = self._fitting(x, -2 if adjoint else -1, -1 if adjoint_arg else -2)
        return self._matmul(operand, adjoint=adjoint, adjoint_arg=adjoint_arg)

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

    def matvec(self, x: Any, adjoint: bool = False, name: str = "matvec") -> Any:
        """Multiply by a vector; raises what `matmul` raises."""
        return self._matvec(self._fitting(x, -2 if adjoint else -1, -1), adjoint=adjoint)

    def _matvec(self, x: Any, adjoint: bool = False) -> Any:
        return squeeze(self.matmul(expand_dims(x, -1), adjoint=adjoint), -1)

    def solve(
        self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False, name: str = "solve"
    ) -> Any:
        """Solve equations with these right sides, or with an operator, which gives an operator.

        Raises `NotImplementedError` for what is said to be singular or not square, and what
        `matmul` raises.
        """
        self._check_solvable()
        if isinstance(rhs, LinearOperator):
            left, right = self._meeting(rhs, "rhs", adjoint, adjoint_arg)
            return left._linop_solve(left, right)  # noqa: SLF001 - of this class
        operand = self._fitting(rhs, -1 if adjoint else -2, -1 if adjoint_arg else -2)
        return self._solve(operand, adjoint=adjoint, adjoint_arg=adjoint_arg)

    def _check_solvable(self) -> None:
        said = (self.is_non_singular, "be singular"), (self.is_square, "not be square")
        for hint, words in said:
            if hint is False:
                raise NotImplementedError(
                    f"Exact solve not implemented for an operator that is expected to {words}."
                )

    def solvevec(self, rhs: Any, adjoint: bool = False, name: str = "solve") -> Any:
        """Solve equations with one right side; raises what `solve` raises."""
        return self._solvevec(self._fitting(rhs, -1 if adjoint else -2, -1), adjoint=adjoint)

    def _solvevec(self, rhs: Any, adjoint: bool = False) -> Any:
        return squeeze(self.solve(expand_dims(rhs, -1), adjoint=adjoint), -1)

    def _fitting(self, x: Any, own: int, other: int) -> Tensor:
        """Give an operand as a tensor, checked to have the dtype, and the size of an axis."""
        operand = tensor(x)
        self._check_input_dtype(operand)
        dimension(self.shape, own).assert_is_compatible_with(operand.shape[other])
        return operand

    def _matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        if type(self)._to_dense is LinearOperator._to_dense:  # noqa: SLF001 - of this class
            raise NotImplementedError("_matmul is not implemented.")
        return matmul(self.to_dense(), x, adjoint_a=adjoint, adjoint_b=adjoint_arg)

    def _solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        return self._dense_solve(rhs, adjoint=adjoint, adjoint_arg=adjoint_arg)

    def _dense_solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        if self.is_square is False:
            raise NotImplementedError("Solve is not yet implemented for non-square operators.")
        right = adjoint_of(rhs) if adjoint_arg else rhs
        if self._can_use_cholesky():
            factor, right = together(solving.cholesky(self.to_dense()), right)
            return solving.cholesky_solve(factor, right)
        dense, right = together(self.to_dense(), right)
        return solving.solve(dense, right, adjoint=adjoint)

    # --- products and equations of operators ------------------------------------------------------

    def _linop_matmul(self, left_operator: Any, right_operator: Any) -> LinearOperator:
        found: LinearOperator | None = right_operator._product_as_right(left_operator)  # noqa: SLF001 - of this class
        if found is None:
            said = hints.product(left_operator, right_operator)
            factors = [left_operator, right_operator]
            found = self.made["LinearOperatorComposition"](factors, **said._asdict())
        return found

    def _product_as_right(self, left: Any) -> LinearOperator | None:
        """Give the product with what stands to the left, where this one decides what it is."""
        return None

    def _linop_solve(self, left_operator: Any, right_operator: Any) -> LinearOperator:
        if isinstance(right_operator, self.made["LinearOperatorIdentity"]):
            found: LinearOperator = left_operator.inverse()
            return found
        said = hints.product(left_operator, right_operator)
        factors = [self.made["LinearOperatorInversion"](left_operator), right_operator]
        made: LinearOperator = self.made["LinearOperatorComposition"](factors, **said._asdict())
        return made

    def _to_dense(self) -> Tensor:
        batch = [int(n) for n in self.batch_shape_tensor().numpy()]
        identity = eye(self.domain_dimension_tensor(), batch_shape=batch, dtype=self.dtype)
        found: Tensor = self.matmul(identity)
        return found

    # --- other operators --------------------------------------------------------------------------

    def adjoint(self, name: str = "adjoint") -> LinearOperator:
        """Give the adjoint, as an operator."""
        return self if self.is_self_adjoint is True else self._linop_adjoint()

    H = property(adjoint)

    def _linop_adjoint(self) -> LinearOperator:
        kind = self.made["LinearOperatorAdjoint"]
        found: LinearOperator = kind(self, **hints.hints_of(self)._asdict())
        return found

    def inverse(self, name: str = "inverse") -> LinearOperator:
        """Give the inverse, as an operator; raises `ValueError` if it is said to have none."""
        for hint, word in ((self.is_square, "non square"), (self.is_non_singular, "singular")):
            if hint is False:
                raise ValueError(
                    f"Cannot take the Inverse: This operator represents a {word} matrix."
                )
        return self._linop_inverse()

    def _linop_inverse(self) -> LinearOperator:
        kind = self.made["LinearOperatorInversion"]
        found: LinearOperator = kind(self, **hints.hints_of(self)._asdict())
        return found

    def cholesky(self, name: str = "cholesky") -> LinearOperator:
        """Give the factor of Cholesky, as an operator.

        Raises `ValueError` unless it is said to be positive definite, and its own adjoint.
        """
        if not self._can_use_cholesky():
            raise ValueError(
                "Cannot take the Cholesky decomposition: Not a positive definite self adjoint "
                "matrix."
            )
        return self._linop_cholesky()

    def _linop_cholesky(self) -> LinearOperator:
        found: LinearOperator = self.made["LinearOperatorLowerTriangular"](
            solving.cholesky(self.to_dense()),
            **Hints(True, is_self_adjoint=False, is_square=True)._asdict(),
        )
        return found

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name!r} shape={self.shape} dtype={self.dtype.name}>"


def together(*matrices: Tensor) -> list[Tensor]:
    """Give each of some batches of matrices the batch axes of all."""
    batch = TensorShape([])
    for x in matrices:
        batch = broadcast_static_shape(batch, x.shape[:-2])
    sizes = list(batch)
    return [
        x if list(x.shape[:-2]) == sizes else broadcast_to(x, [*sizes, *x.shape[-2:]])
        for x in matrices
    ]
