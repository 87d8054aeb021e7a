"""Operators that are made of other ones: products, blocks, adjoints, inverses, updates."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any

from symtape.ops.arguments import tensor
from symtape.ops.elementwise.arithmetic import add, multiply
from symtape.ops.linalg.contraction import einsum
from symtape.ops.linalg.operators.base import (
    Hint,
    Hints,
    LinearOperator,
    adjoint_of,
    agreed,
    together,
)
from symtape.ops.linalg.operators.plain import LinearOperatorDiag, LinearOperatorIdentity
from symtape.ops.linalg.products import matmul
from symtape.ops.linalg.solving import inv
from symtape.ops.shapes.creation import zeros
from symtape.ops.shapes.joining import concat
from symtape.ops.shapes.shaping import expand_dims, reshape
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of


def _all(operators: Sequence[LinearOperator], hint: str, given: Hint, words: str) -> Hint:
    """Say what holds if it holds for all; raises `ValueError` with words for who denies it."""
    if not all(getattr(op, hint) for op in operators):
        return given
    if given is False:
        raise ValueError(words)
    return True


def _checked(operators: Any, none: str, unlike: str) -> list[LinearOperator]:
    found = list(operators)
    if not found:
        raise ValueError(none)
    if any(op.dtype != found[0].dtype for op in found):
        listed = [str((op.name, op.dtype)) for op in found]
        raise TypeError(unlike.format(list=listed, text="   ".join(listed)))
    return found


class _Several(LinearOperator):
    """What is made of several operators."""

    joined = "_"
    none = "Expected a non-empty list of operators. Found: []"
    unlike = "Expected all operators to have the same dtype.  Found {text}"

    def __init__(self, operators: Any, hints: Callable[[Any], Hints], name: str | None) -> None:
        self._operators = _checked(operators, self.none, self.unlike)
        own = name or self.joined.join(op.name for op in self._operators)
        super().__init__(
            self._operators[0].dtype, hints(self._operators), own, {"operators": operators}
        )

    @property
    def operators(self) -> list[LinearOperator]:
        """What it is made of."""
        return self._operators


class LinearOperatorComposition(_Several):
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
        def hints(parts: Sequence[LinearOperator]) -> Hints:
            words = "The composition of non-singular operators is always non-singular."
            regular = _all(parts, "is_non_singular", is_non_singular, words)
            return Hints(regular, is_self_adjoint, is_positive_definite, is_square)

        super().__init__(operators, hints, name)
        for left, right in zip(self._operators, self._operators[1:], strict=False):
            if left.domain_dimension != right.range_dimension:
                raise ValueError(
                    f"Dimensions {left.domain_dimension} and {right.range_dimension} are not "
                    "compatible"
                )

    def _dense(self) -> Tensor:
        return reduce(matmul, [op.to_dense() for op in self._operators])

    def _matmul(self, x: Tensor, *, adjoint: bool, adjoint_arg: bool) -> Tensor:
        found = adjoint_of(x) if adjoint_arg else x
        for op in self._operators if adjoint else reversed(self._operators):
            found = op.matmul(found, adjoint=adjoint)
        return found

    def _solve(self, rhs: Tensor, *, adjoint: bool) -> Tensor:
        for op in reversed(self._operators) if adjoint else self._operators:
            rhs = op.solve(rhs, adjoint=adjoint)
        return rhs

    def _determinant(self) -> Tensor:
        return reduce(multiply, [op.determinant() for op in self._operators])

    def _log_abs_determinant(self) -> Tensor:
        return reduce(add, [op.log_abs_determinant() for op in self._operators])


class _PartByPart(_Several):
    """What is turned round or inverted by turning round or inverting each of its parts."""

    def _again(self, parts: Sequence[LinearOperator]) -> LinearOperator:
        h = self._hints
        own = h.is_non_singular, h.is_self_adjoint, h.is_positive_definite, h.is_square
        kind: Any = type(self)  # which takes hints one by one
        made: LinearOperator = kind(parts, *own)
        return made

    def _adjoint(self) -> LinearOperator:
        return self._again([op.adjoint() for op in self._operators])

    def _inverse(self) -> LinearOperator:
        return self._again([op.inverse() for op in self._operators])


class LinearOperatorKronecker(_PartByPart):
    """A Kronecker product of operators (`tf.linalg.LinearOperatorKronecker`)."""

    joined = "_x_"
    none = "Argument `operators` must be a list of >=1 operators. Received: []."
    unlike = (
        "Expected every operation in argument `operators` to have the same dtype. Received {list}."
    )

    def __init__(
        self,
        operators: Any,
        is_non_singular: Hint = None,
        is_self_adjoint: Hint = None,
        is_positive_definite: Hint = None,
        is_square: Hint = None,
        name: str | None = None,
    ) -> None:
        def hints(parts: Sequence[LinearOperator]) -> Hints:
            own = {
                "non-singular": ("is_non_singular", is_non_singular),
                "self-adjoint": ("is_self_adjoint", is_self_adjoint),
                "positive-definite": ("is_positive_definite", is_positive_definite),
            }
            regular, symmetric, definite = [
                _all(
                    parts,
                    hint,
                    given,
                    f"The Kronecker product of {word} operators is always {word}. Expected "
                    f"argument `{hint}` to be True. Received: {given}.",
                )
                for word, (hint, given) in own.items()
            ]
            return Hints(regular, symmetric, definite, is_square)

        super().__init__(operators, hints, name)

    def _dense(self) -> Tensor:
        return reduce(_kronecker, [op.to_dense() for op in self._operators])

    def _cholesky(self) -> LinearOperator:
        return LinearOperatorKronecker([op.cholesky() for op in self._operators])


def _kronecker(a: Tensor, b: Tensor) -> Tensor:
    found = einsum("...ij,...kl->...ikjl", a, b)
    *batch, i, k, j, m = shape_of(found)
    return reshape(found, [*batch, i * k, j * m])


class LinearOperatorBlockDiag(_PartByPart):
    """Operators along a diagonal (`tf.linalg.LinearOperatorBlockDiag`)."""

    joined = "_ds_"

    def __init__(
        self,
        operators: Any,
        is_non_singular: Hint = None,
        is_self_adjoint: Hint = None,
        is_positive_definite: Hint = None,
        is_square: Hint = True,
        name: str | None = None,
    ) -> None:
        def hints(parts: Sequence[LinearOperator]) -> Hints:
            own = {
                "non-singular": ("is_non_singular", is_non_singular),
                "self-adjoint": ("is_self_adjoint", is_self_adjoint),
                "positive definite": ("is_positive_definite", is_positive_definite),
            }
            regular, symmetric, definite = [
                _all(parts, hint, given, f"The direct sum of {word} operators is always {word}.")
                for word, (hint, given) in own.items()
            ]
            return Hints(regular, symmetric, definite, is_square)

        super().__init__(operators, hints, name)

    def _dense(self) -> Tensor:
        blocks = [op.to_dense() for op in self._operators]
        widths = [block.shape[-1] for block in blocks]
        first = blocks[0]
        for block in blocks[1:]:
            first, _ = together(first, block)
        rows = []
        for k, block in enumerate(blocks):
            own, _ = together(block, first)
            left, right = (
                zeros([*own.shape[:-1], sum(w)], self.dtype) for w in (widths[:k], widths[k + 1 :])
            )
            rows.append(concat([left, own, right], -1))
        return concat(rows, -2)

    def _determinant(self) -> Tensor:
        return reduce(multiply, [op.determinant() for op in self._operators])

    def _log_abs_determinant(self) -> Tensor:
        return reduce(add, [op.log_abs_determinant() for op in self._operators])

    def _eigvals(self) -> Tensor:
        return concat([op.eigvals() for op in self._operators], -1)

    def _cholesky(self) -> LinearOperator:
        parts = [op.cholesky() for op in self._operators]
        return LinearOperatorBlockDiag(parts, is_non_singular=True, is_square=True)


def _of_both(operator: LinearOperator, given: Sequence[Hint], words: str) -> Hints:
    """Give what holds of an operator and of what is made of it alike."""
    known = "square", "non-singular", "self-adjoint", "positive-definite"
    own = [getattr(operator, f"is_{word.replace('-', '_')}") for word in known]
    texts = [words.format(word=word) for word in known]
    square, regular, symmetric, definite = agreed(list(zip(given, own, texts, strict=True)))
    return Hints(regular, symmetric, definite, square)


class LinearOperatorAdjoint(LinearOperator):
    """The adjoint of an operator (`tf.linalg.LinearOperatorAdjoint`)."""

    ending = "_adjoint"

    def __init__(
        self,
        operator: LinearOperator,
        is_non_singular: Hint = None,
        is_self_adjoint: Hint = None,
        is_positive_definite: Hint = None,
        is_square: Hint = None,
        name: str | None = None,
    ) -> None:
        self._operator = operator
        words = "An operator is {word} if and only if its adjoint is {word}."
        given = is_square, is_non_singular, is_self_adjoint, is_positive_definite
        hints = _of_both(operator, given, words)
        super().__init__(
            operator.dtype, hints, name or operator.name + self.ending, {"operator": operator}
        )

    @property
    def operator(self) -> LinearOperator:
        """The operator that it is the adjoint of."""
        return self._operator

    def _dense(self) -> Tensor:
        return adjoint_of(self._operator.to_dense())

    def _matmul(self, x: Tensor, *, adjoint: bool, adjoint_arg: bool) -> Tensor:
        return self._operator.matmul(x, adjoint=not adjoint, adjoint_arg=adjoint_arg)  # type: ignore[no-any-return]  # a tensor's

    def _solve(self, rhs: Tensor, *, adjoint: bool) -> Tensor:
        return self._operator.solve(rhs, adjoint=not adjoint)  # type: ignore[no-any-return]  # likewise

    def _adjoint(self) -> LinearOperator:
        return self._operator


class LinearOperatorInversion(LinearOperator):
    """The inverse of an operator (`tf.linalg.LinearOperatorInversion`)."""

    def __init__(
        self,
        operator: LinearOperator,
        is_non_singular: Hint = None,
        is_self_adjoint: Hint = None,
        is_positive_definite: Hint = None,
        is_square: Hint = None,
        name: str | None = None,
    ) -> None:
        self._operator = operator
        given = is_square, is_non_singular, is_self_adjoint, is_positive_definite
        for hint, own in (("is_non_singular", is_non_singular), ("is_square", is_square)):
            known = getattr(operator, hint)
            if False in {known, own}:
                raise ValueError(
                    f"Argument `{hint}` or argument `operator` must have supplied hint `{hint}` "
                    f"equal to `True` or `None`. Found `operator.{hint}`: {known}, `{hint}`: {own}."
                )
        words = "An operator is {word} if and only if its inverse is {word}."
        hints = _of_both(operator, given, words)
        super().__init__(
            operator.dtype, hints, name or f"{operator.name}_inv", {"operator": operator}
        )

    @property
    def operator(self) -> LinearOperator:
        """The operator that it is the inverse of."""
        return self._operator

    def _dense(self) -> Tensor:
        return inv(self._operator.to_dense())

    def _sizes(self) -> Sequence[int]:
        return self._operator._sizes()  # noqa: SLF001 - of this class

    def _matmul(self, x: Tensor, *, adjoint: bool, adjoint_arg: bool) -> Tensor:
        return self._operator.solve(x, adjoint=adjoint, adjoint_arg=adjoint_arg)  # type: ignore[no-any-return]  # a tensor's

    def _solve(self, rhs: Tensor, *, adjoint: bool) -> Tensor:
        return self._operator.matmul(rhs, adjoint=adjoint)  # type: ignore[no-any-return]  # likewise

    def _determinant(self) -> Tensor:
        return 1.0 / self._operator.determinant()

    def _log_abs_determinant(self) -> Tensor:
        return -self._operator.log_abs_determinant()

    def _inverse(self) -> LinearOperator:
        return self._operator


class LinearOperatorLowRankUpdate(LinearOperator):
    """L + U D Vᴴ (`tf.linalg.LinearOperatorLowRankUpdate`)."""

    def __init__(
        self,
        base_operator: LinearOperator,
        u: Any,
        diag_update: Any = None,
        v: Any = None,
        is_diag_update_positive: Hint = None,
        is_non_singular: Hint = None,
        is_self_adjoint: Hint = None,
        is_positive_definite: Hint = None,
        is_square: Hint = None,
        name: str = "LinearOperatorLowRankUpdate",
    ) -> None:
        if diag_update is None:
            if is_diag_update_positive is False:
                raise ValueError(
                    "Default diagonal is the identity, which is positive.  However, user set "
                    "'is_diag_update_positive' to False."
                )
            is_diag_update_positive = True
        base = base_operator
        symmetric = bool(base.is_self_adjoint) and v is None
        if symmetric and not base.dtype.is_complex:
            if is_self_adjoint is False:
                raise ValueError(
                    "A = L + UDU^H, with L self-adjoint and D real diagonal.  Since UDU^H is "
                    "self-adjoint, this must be a self-adjoint operator."
                )
            is_self_adjoint = True
        if symmetric and base.is_positive_definite and is_diag_update_positive:
            if False in (is_positive_definite, is_self_adjoint, is_non_singular):
                raise ValueError("Arguments imply this is self-adjoint positive-definite operator.")
            is_positive_definite = is_self_adjoint = True
        self._base, self._u, self._v = base, tensor(u), tensor(u if v is None else v)
        self._update = None if diag_update is None else tensor(diag_update)
        self._is_positive = is_diag_update_positive
        own = {"base_operator": base, "u": u, "diag_update": diag_update, "v": v}
        hints = Hints(is_non_singular, is_self_adjoint, is_positive_definite, is_square)
        super().__init__(base.dtype, hints, name, own)

    @property
    def base_operator(self) -> LinearOperator:
        """L."""
        return self._base

    @property
    def u(self) -> Tensor:
        """U."""
        return self._u

    @property
    def v(self) -> Tensor:
        """V."""
        return self._v

    @property
    def diag_update(self) -> Tensor | None:
        """The diagonal of D, or None for the identity."""
        return self._update

    @property
    def is_diag_update_positive(self) -> Hint:
        """Whether D is positive, if that was said, or follows."""
        return self._is_positive

    @property
    def diag_operator(self) -> LinearOperator:
        """D."""
        if self._update is None:
            return LinearOperatorIdentity(self._u.shape[-1], dtype=self.dtype)
        return LinearOperatorDiag(self._update, is_positive_definite=self._is_positive)

    def _dense(self) -> Tensor:
        u = self._u
        if self._update is not None:
            u = multiply(u, expand_dims(self._update, -2))
        return add(self._base.to_dense(), matmul(u, self._v, adjoint_b=True))


__all__ = [
    "LinearOperatorAdjoint",
    "LinearOperatorBlockDiag",
    "LinearOperatorComposition",
    "LinearOperatorInversion",
    "LinearOperatorKronecker",
    "LinearOperatorLowRankUpdate",
]
