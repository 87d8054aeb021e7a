"""Products of operators: one after another, and Kronecker's."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from itertools import pairwise
from operator import mul
from typing import Any, ClassVar

from symtape.errors import InvalidArgumentError
from symtape.ops.arguments import tensor
from symtape.ops.elementwise.arithmetic import add, divide, multiply
from symtape.ops.elementwise.arithmetic import pow as power
from symtape.ops.elementwise.functions import sign
from symtape.ops.linalg.contraction import einsum
from symtape.ops.linalg.operators.base import LinearOperator, given
from symtape.ops.linalg.operators.hints import (
    Hint,
    Hints,
    always,
    hints_of,
    is_square_of_one,
    of_all,
    of_parts,
)
from symtape.ops.linalg.operators.matrices import LinearOperatorLowerTriangular
from symtape.ops.linalg.products import adjoint as adjoint_of
from symtape.ops.linalg.products import matmul, matrix_transpose
from symtape.ops.shapes.known import broadcast_static_shape
from symtape.ops.shapes.shaping import expand_dims, reshape
from symtape.tensor.convert import convert
from symtape.tensor.shape import TensorShape
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of


def operators_of(given_operators: Any, none: str, unlike: str) -> list[LinearOperator]:
    """List operators; raises `ValueError` for none, and `TypeError` for unlike dtypes."""
    if not isinstance(given_operators, Iterable):
        raise TypeError("Expected argument to be iterable. Received: " + str(given_operators))
    found: list[LinearOperator] = list(given_operators)
    if not found:
        raise ValueError(none)
    if any(op.dtype != found[0].dtype for op in found):
        listed = [str((op.name, op.dtype)) for op in found]
        raise TypeError(unlike.format(list=listed, text="   ".join(listed)))
    return found


def common_batch(operators: Sequence[LinearOperator]) -> TensorShape:
    """Give the batch axes that several operators broadcast to."""
    return reduce(broadcast_static_shape, [op.batch_shape for op in operators], TensorShape([]))


class Several(LinearOperator):
    """What is made of several operators."""

    matrix_axes: ClassVar = {"operators": 0}
    joined: ClassVar[str] = "_"
    """What stands between their names in the name that it has unless one is given."""

    def _begin(self, operators: list[LinearOperator], hints: Hints, own: dict[str, Any]) -> None:
        name = own["name"] or self.joined.join(op.name for op in operators)
        self._operators = operators
        LinearOperator.__init__(
            self, operators[0].dtype, name=name, parameters=own, **hints._asdict()
        )

    @property
    def operators(self) -> list[LinearOperator]:
        """What it is made of."""
        return self._operators

    def _again(self, parts: Sequence[Any], hints: Hints) -> LinearOperator:
        kind: Any = type(self)  # which takes hints one by one
        made: LinearOperator = kind(parts, **hints._asdict())
        return made


class PartByPart(Several):
    """What is turned round, inverted or factored as each of its parts is."""

    def _linop_adjoint(self) -> LinearOperator:
        hints = hints_of(self)._replace(is_square=True)
        return self._again([op.adjoint() for op in self._operators], hints)

    def _linop_inverse(self) -> LinearOperator:
        hints = hints_of(self)._replace(is_square=True)
        return self._again([op.inverse() for op in self._operators], hints)

    def _linop_cholesky(self) -> LinearOperator:
        parts = [op.cholesky() for op in self._operators]
        return self._again(parts, Hints(is_non_singular=True, is_square=True))


class LinearOperatorComposition(Several):
    """A product of operators (`tf.linalg.LinearOperatorComposition`)."""

    joined = "_o_"

    def __init__(
        self,
        operators: Any,
        is_non_singular: Hint = None,
        is_self_adjoint: Hint = None,
        is_positive_definite: Hint = None,
        is_square: Hint = None,
        name: str | None = None,
    ) -> None:
        own = given(locals())
        parts = operators_of(
            operators,
            "Expected a non-empty list of operators. Found: []",
            "Expected all operators to have the same dtype.  Found {text}",
        )
        hints = Hints(is_non_singular, is_self_adjoint, is_positive_definite, is_square)
        self._begin(parts, _composed(parts, hints), own)
        for left, right in pairwise(parts):
            left.domain_dimension.assert_is_compatible_with(right.range_dimension)

    def _shape(self) -> TensorShape:
        ends = [self._operators[0].range_dimension, self._operators[-1].domain_dimension]
        return common_batch(self._operators).concatenate(ends)

    def _to_dense(self) -> Tensor:
        return reduce(matmul, [op.to_dense() for op in self._operators])

    def _matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        found = adjoint_of(x) if adjoint_arg else x
        for op in self._operators if adjoint else reversed(self._operators):
            found = op.matmul(found, adjoint=adjoint)
        return found

    def _solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        found = adjoint_of(rhs) if adjoint_arg else rhs
        for op in reversed(self._operators) if adjoint else self._operators:
            found = op.solve(found, adjoint=adjoint)
        return found

    def _determinant(self) -> Tensor:
        return reduce(multiply, [op.determinant() for op in self._operators])

    def _log_abs_determinant(self) -> Tensor:
        return reduce(add, [op.log_abs_determinant() for op in self._operators])

    def _assert_non_singular(self) -> None:
        if not all(op.is_square for op in self._operators):
            super()._assert_non_singular()
            return
        for op in self._operators:
            op.assert_non_singular()

    def _linop_cholesky(self) -> LinearOperator:
        first = self._operators[0]
        is_form = len(self._operators) == 2 and is_square_of_one(self._operators)
        if not (isinstance(first, LinearOperatorLowerTriangular) and is_form):
            return super()._linop_cholesky()
        if first.is_positive_definite:
            return first
        signs = expand_dims(sign(first.diag_part()), -2)  # L D with D = sign(diag L) has LLᴴ, too
        hints = Hints(first.is_non_singular, first.is_self_adjoint, None, True)
        return LinearOperatorLowerTriangular(divide(tensor(first.tril), signs), **hints._asdict())


def _composed(parts: Sequence[LinearOperator], hints: Hints) -> Hints:
    """Say what follows for a product; raises `ValueError` for hints that contradict it."""
    regular, symmetric, definite, square = hints
    words = "The composition of non-singular operators is always non-singular."
    regular = of_all(parts, "is_non_singular", regular, words)
    is_form = is_square_of_one(parts)
    if is_form or (len(parts) == 1 and parts[0].is_self_adjoint):
        symmetric = always(
            symmetric,
            "The composition was determined to be self-adjoint but user provided incorrect `False` "
            "hint.",
        )
    ending = "The user provided an incorrect `False` hint."
    if is_form:
        words = "The composition was determined have the form A @ A.H, hence it must be square. "
        square = always(square, words + ending)
    if is_form and regular:
        words = (
            "The composition was determined to be non-singular and have the form A @ A.H, hence it "
            "must be positive-definite. "
        )
        definite = always(definite, words + ending)
    return Hints(regular, symmetric, definite, square)


class LinearOperatorKronecker(PartByPart):
    """A Kronecker product of operators (`tf.linalg.LinearOperatorKronecker`)."""

    joined = "_x_"

    def __init__(
        self,
        operators: Any,
        is_non_singular: Hint = None,
        is_self_adjoint: Hint = None,
        is_positive_definite: Hint = None,
        is_square: Hint = None,
        name: str | None = None,
    ) -> None:
        own = given(locals())
        parts = operators_of(
            operators,
            "Argument `operators` must be a list of >=1 operators. Received: [].",
            "Expected every operation in argument `operators` to have the same dtype. Received "
            "{list}.",
        )
        hints = Hints(is_non_singular, is_self_adjoint, is_positive_definite, is_square)
        self._begin(parts, of_parts(parts, hints, _KRONECKER), own)

    def _shape(self) -> TensorShape:
        rows = reduce(mul, [op.range_dimension for op in self._operators])
        columns = reduce(mul, [op.domain_dimension for op in self._operators])
        return common_batch(self._operators).concatenate([rows, columns])

    def _to_dense(self) -> Tensor:
        return reduce(_kronecker, [op.to_dense() for op in self._operators])

    def _matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        taken = "range_dimension" if adjoint else "domain_dimension"
        operand = adjoint_of(x) if adjoint_arg else x
        return self._one_by_one(operand, taken, lambda op, part: op.matmul(part, adjoint=adjoint))

    def _solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        taken = "domain_dimension" if adjoint else "range_dimension"
        operand = adjoint_of(rhs) if adjoint_arg else rhs
        return self._one_by_one(operand, taken, lambda op, part: op.solve(part, adjoint=adjoint))

    def _one_by_one(self, x: Tensor, taken: str, apply: Callable[[Any, Tensor], Tensor]) -> Tensor:
        """Apply each operator along the part of the rows that is its own.

        The rows are a product of parts. The first part is in front, and goes behind all others,
        columns included, when its operator is through.
        """
        columns, found = shape_of(x)[-1], x
        for op in self._operators:
            *batch, n, m = shape_of(found)
            size = int(getattr(op, taken))
            parts = reshape(found, [*batch, size, n * m // max(size, 1)])
            found = matrix_transpose(apply(op, parts))
        *batch, n, m = shape_of(found)
        return matrix_transpose(reshape(found, [*batch, columns, n * m // max(columns, 1)]))

    def _determinant(self) -> Tensor:
        powers = [power(op.determinant(), self._times(op)) for op in self._operators]
        return reduce(multiply, powers)

    def _log_abs_determinant(self) -> Tensor:
        parts = [multiply(op.log_abs_determinant(), self._times(op)) for op in self._operators]
        return reduce(add, parts)

    def _times(self, op: Any) -> Tensor:
        """Say how often an operator stands along the diagonal."""
        return convert(float(int(self.domain_dimension) // int(op.domain_dimension)), self.dtype)

    def _trace(self) -> Tensor:
        return reduce(multiply, [op.trace() for op in self._operators])

    def _diag_part(self) -> Tensor:
        return reduce(_outer, [op.diag_part() for op in self._operators])

    def _eigvals(self) -> Tensor:
        return reduce(_outer, [op.eigvals() for op in self._operators])

    def _check_each(self, check: str) -> None:
        if not all(op.is_square for op in self._operators):
            raise InvalidArgumentError(
                message="All Kronecker factors must be square for the product to be invertible. "
                "Expected hint `is_square` to be True for every operator in argument `operators`."
            )
        for op in self._operators:
            getattr(op, check)()

    def _assert_non_singular(self) -> None:
        self._check_each("assert_non_singular")

    def _assert_self_adjoint(self) -> None:
        self._check_each("assert_self_adjoint")


_KRONECKER = {
    hint: f"The Kronecker product of {word} operators is always {word}. Expected argument `{hint}` "
    "to be True. Received: False."
    for hint, word in (
        ("is_non_singular", "non-singular"),
        ("is_self_adjoint", "self-adjoint"),
        ("is_positive_definite", "positive-definite"),
    )
}


def _kronecker(a: Tensor, b: Tensor) -> Tensor:
    found = einsum("...ij,...kl->...ikjl", a, b)
    *batch, i, k, j, m = shape_of(found)
    return reshape(found, [*batch, i * k, j * m])


def _outer(a: Tensor, b: Tensor) -> Tensor:
    """Give all products of the entries of two vectors, in one vector."""
    found = multiply(expand_dims(a, -1), expand_dims(b, -2))
    *batch, n, m = shape_of(found)
    return reshape(found, [*batch, n * m])
