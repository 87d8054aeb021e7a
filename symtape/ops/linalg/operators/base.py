"""A linear operator: what can be asked of a matrix, by default of the dense one that it is.

A class says its shape (`_shape`), and which matrix it is (`_to_dense`) or how it multiplies
(`_matmul`), and what it computes in a shorter way, by the names that TensorFlow has for it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, ClassVar

import numpy as np

from symtape.ops.arguments import tensor
from symtape.ops.checks.values import assert_equal, assert_less, assert_positive
from symtape.ops.control.flow import name_scope
from symtape.ops.elementwise.arithmetic import add, divide
from symtape.ops.elementwise.conversion import cast
from symtape.ops.elementwise.functions import abs as absolute
from symtape.ops.elementwise.functions import exp
from symtape.ops.linalg import solving
from symtape.ops.linalg.diagonals import diag_part
from symtape.ops.linalg.operators import hints
from symtape.ops.linalg.operators.described import Described, dimension
from symtape.ops.linalg.operators.hints import Hint, Hints
from symtape.ops.linalg.products import adjoint, matmul
from symtape.ops.linalg.spectra import eigvalsh, svd
from symtape.ops.module import Module
from symtape.ops.reductions.reduction import reduce_max, reduce_min, reduce_sum
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


class LinearOperator(Described):
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

    def _check_input_dtype(self, arg: Any) -> None:
        if arg.dtype != self.dtype:
            raise TypeError(
                f"Expected argument to have dtype {self.dtype}.  Found: {arg.dtype} in tensor "
                f"{arg!s}"
            )

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

    # --- numbers ----------------------------------------------------------------------------------

    def determinant(self, name: str = "det") -> Tensor:
        """Give the determinant; raises `NotImplementedError` for what is not square."""
        self._check_has_determinant()
        return self._determinant()

    def log_abs_determinant(self, name: str = "log_abs_det") -> Tensor:
        """Give log |det|; raises `NotImplementedError` for what is not square."""
        self._check_has_determinant()
        return self._log_abs_determinant()

    def _check_has_determinant(self) -> None:
        if self.is_square is False:
            raise NotImplementedError(
                "Determinant not implemented for an operator that is expected to not be square."
            )

    def _determinant(self) -> Tensor:
        if self._can_use_cholesky():
            return exp(self.log_abs_determinant())
        return solving.det(self.to_dense())

    def _log_abs_determinant(self) -> Tensor:
        if self._can_use_cholesky():
            return cast(solving.logdet(self.to_dense()), self.dtype)
        return solving.slogdet(self.to_dense())[1]

    def to_dense(self, name: str = "to_dense") -> Tensor:
        """Give the matrix."""
        return self._to_dense()

    def _to_dense(self) -> Tensor:
        batch = [int(n) for n in self.batch_shape_tensor().numpy()]
        identity = eye(self.domain_dimension_tensor(), batch_shape=batch, dtype=self.dtype)
        found: Tensor = self.matmul(identity)
        return found

    def diag_part(self, name: str = "diag_part") -> Tensor:
        """Give the diagonal."""
        return self._diag_part()

    def _diag_part(self) -> Tensor:
        return diag_part(self.to_dense())

    def trace(self, name: str = "trace") -> Tensor:
        """Give the sum of the diagonal."""
        return self._trace()

    def _trace(self) -> Tensor:
        return reduce_sum(self.diag_part(), -1)

    def add_to_tensor(self, x: Any, name: str = "add_to_tensor") -> Tensor:
        """Add it to a matrix; raises `TypeError` for another dtype."""
        operand = tensor(x)
        self._check_input_dtype(operand)
        return self._add_to_tensor(operand)

    def _add_to_tensor(self, x: Any) -> Tensor:
        return add(self.to_dense(), x)

    def eigvals(self, name: str = "eigvals") -> Tensor:
        """Give the eigenvalues; raises `NotImplementedError` unless it is its own adjoint."""
        if not self.is_self_adjoint:
            raise NotImplementedError("Only self-adjoint matrices are supported.")
        return self._eigvals()

    def _eigvals(self) -> Tensor:
        return eigvalsh(self.to_dense())

    def cond(self, name: str = "cond") -> Tensor:
        """Give the greatest singular value over the least."""
        return self._cond()

    def _cond(self) -> Tensor:
        if self.is_self_adjoint:
            values = absolute(self._eigvals())
        else:
            values = svd(self.to_dense(), compute_uv=False)
        return divide(reduce_max(values, -1), reduce_min(values, -1))

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

    def _can_use_cholesky(self) -> bool:
        return bool(self.is_self_adjoint and self.is_positive_definite)

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

    # --- checks -----------------------------------------------------------------------------------

    def assert_non_singular(self, name: str = "assert_non_singular") -> None:
        """Raise `InvalidArgumentError` where it has no inverse, up to the digits of its dtype."""
        self._assert_non_singular()

    def _assert_non_singular(self) -> None:
        if self._can_use_cholesky():
            self.assert_positive_definite()
            return
        values = svd(self.to_dense(), compute_uv=False)
        spread = divide(reduce_max(values, -1), reduce_min(values, -1))
        largest = self._max_condition_number_to_be_non_singular()
        assert_less(spread, largest, message="Singular matrix up to precision epsilon.")

    def _max_condition_number_to_be_non_singular(self) -> Tensor:
        width = float(max(100, *[int(n) for n in self.shape_tensor().numpy()[-2:]]))
        dtype = self.dtype.real_dtype
        return convert(1.0 / (width * float(np.finfo(dtype.numpy).eps)), dtype)

    def assert_positive_definite(self, name: str = "assert_positive_definite") -> None:
        """Raise `InvalidArgumentError` where it is not positive definite.

        Raises `NotImplementedError` unless it is its own adjoint.
        """
        self._assert_positive_definite()

    def _assert_positive_definite(self) -> None:
        if not self.is_self_adjoint:
            raise NotImplementedError("assert_positive_definite is not implemented.")
        line = diag_part(solving.cholesky(self.to_dense()))
        assert_positive(line, message="Matrix was not positive definite.")

    def assert_self_adjoint(self, name: str = "assert_self_adjoint") -> None:
        """Raise `InvalidArgumentError` where it is not its own adjoint."""
        self._assert_self_adjoint()

    def _assert_self_adjoint(self) -> None:
        dense = self.to_dense()
        assert_equal(dense, adjoint_of(dense), message="Matrix was not equal to its adjoint.")

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name!r} shape={self.shape} dtype={self.dtype.name}>"


def adjoint_of(x: Tensor) -> Tensor:
    """Give the conjugate transpose of matrices."""
    return adjoint(x)


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
