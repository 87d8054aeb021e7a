"""Operators that are made of another one: its adjoint, its inverse, an update of low rank."""

from __future__ import annotations

from typing import Any, ClassVar

from symtape.ops.arguments import tensor
from symtape.ops.elementwise.arithmetic import add, divide, multiply, subtract
from symtape.ops.elementwise.conversion import cast
from symtape.ops.elementwise.functions import abs as absolute
from symtape.ops.elementwise.functions import conj, exp, log
from symtape.ops.linalg import solving
from symtape.ops.linalg.operators.base import LinearOperator, given, held, together
from symtape.ops.linalg.operators.diagonal import LinearOperatorDiag
from symtape.ops.linalg.operators.hints import Hint, Hints, always, same_of
from symtape.ops.linalg.operators.identities import LinearOperatorIdentity
from symtape.ops.linalg.products import adjoint as adjoint_of
from symtape.ops.linalg.products import matmul
from symtape.ops.reductions.reduction import reduce_sum
from symtape.ops.shapes.creation import eye
from symtape.ops.shapes.known import broadcast_static_shape
from symtape.ops.shapes.shaping import expand_dims
from symtape.tensor.dimension import Dimension
from symtape.tensor.shape import TensorShape
from symtape.tensor.tensor import Tensor


class OfAnother(LinearOperator):
    """What is made of another operator, and is checked by checking that one."""

    matrix_axes: ClassVar = {"operator": 0}
    _operator: Any

    def _begin(self, operator: Any, said: Hints, words: str, ending: str, own: Any) -> None:
        """Hold an operator, of which the same is known; raises `ValueError` for who denies it."""
        self._operator = operator
        name = own["name"] or f"{operator.name}_{ending}"
        hints = same_of(operator, said, words)
        LinearOperator.__init__(self, operator.dtype, name=name, parameters=own, **hints._asdict())

    @property
    def operator(self) -> Any:
        """The operator that it is made of."""
        return self._operator

    def _assert_non_singular(self) -> None:
        self._operator.assert_non_singular()

    def _assert_positive_definite(self) -> None:
        self._operator.assert_positive_definite()

    def _assert_self_adjoint(self) -> None:
        self._operator.assert_self_adjoint()

    def _cond(self) -> Tensor:
        found: Tensor = self._operator.cond()
        return found


class LinearOperatorAdjoint(OfAnother):
    """The adjoint of an operator (`tf.linalg.LinearOperatorAdjoint`)."""

    def __init__(
        self,
        operator: Any,
        is_non_singular: Hint = None,
        is_self_adjoint: Hint = None,
        is_positive_definite: Hint = None,
        is_square: Hint = None,
        name: str | None = None,
    ) -> None:
        own = given(locals())
        said = Hints(is_non_singular, is_self_adjoint, is_positive_definite, is_square)
        words = "An operator is {word} if and only if its adjoint is {word}."
        self._begin(operator, said, words, "adjoint", own)

    def _shape(self) -> TensorShape:
        shape = self._operator.shape
        batch: TensorShape = shape[:-2]
        return batch.concatenate([shape[-1], shape[-2]])

    def _to_dense(self) -> Tensor:
        dense = self._operator.to_dense()
        return dense if self.is_self_adjoint else adjoint_of(dense)

    def _matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        return self._operator.matmul(x, adjoint=not adjoint, adjoint_arg=adjoint_arg)

    def _solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        return self._operator.solve(rhs, adjoint=not adjoint, adjoint_arg=adjoint_arg)

    def _determinant(self) -> Tensor:
        return self._turned(self._operator.determinant())

    def _log_abs_determinant(self) -> Tensor:
        found: Tensor = self._operator.log_abs_determinant()
        return found

    def _trace(self) -> Tensor:
        return self._turned(self._operator.trace())

    def _eigvals(self) -> Tensor:
        return self._turned(self._operator.eigvals())

    def _turned(self, found: Tensor) -> Tensor:
        return found if self.is_self_adjoint else conj(found)

    def _linop_adjoint(self) -> LinearOperator:
        found: LinearOperator = self._operator
        return found


class LinearOperatorInversion(OfAnother):
    """The inverse of an operator (`tf.linalg.LinearOperatorInversion`)."""

    def __init__(
        self,
        operator: Any,
        is_non_singular: Hint = None,
        is_self_adjoint: Hint = None,
        is_positive_definite: Hint = None,
        is_square: Hint = None,
        name: str | None = None,
    ) -> None:
        own = given(locals())
        for hint, value in (("is_non_singular", is_non_singular), ("is_square", is_square)):
            known = getattr(operator, hint)
            if False in (known, value):
                raise ValueError(
                    f"Argument `{hint}` or argument `operator` must have supplied hint `{hint}` "
                    f"equal to `True` or `None`. Found `operator.{hint}`: {known}, `{hint}`: "
                    f"{value}."
                )
        said = Hints(is_non_singular, is_self_adjoint, is_positive_definite, is_square)
        words = "An operator is {word} if and only if its inverse is {word}."
        self._begin(operator, said, words, "inv", own)

    def _shape(self) -> TensorShape:
        found: TensorShape = self._operator.shape
        return found

    def _to_dense(self) -> Tensor:
        own = self._operator
        own._check_solvable()  # noqa: SLF001 - of this class
        if not own._can_use_cholesky():  # noqa: SLF001 - likewise
            return solving.inv(own.to_dense())
        ones = eye(own.shape[-1], batch_shape=own.batch_shape.as_list(), dtype=own.dtype)
        found: Tensor = own.solve(ones)
        return found

    def _matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        return self._operator.solve(x, adjoint=adjoint, adjoint_arg=adjoint_arg)

    def _solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        return self._operator.matmul(rhs, adjoint=adjoint, adjoint_arg=adjoint_arg)

    def _determinant(self) -> Tensor:
        return divide(1.0, self._operator.determinant())

    def _log_abs_determinant(self) -> Tensor:
        return multiply(-1.0, self._operator.log_abs_determinant())

    def _eigvals(self) -> Tensor:
        return divide(1.0, self._operator.eigvals())

    def _linop_inverse(self) -> LinearOperator:
        found: LinearOperator = self._operator
        return found

    def _linop_solve(self, left_operator: Any, right_operator: Any) -> LinearOperator:
        found: LinearOperator = self._operator.matmul(right_operator)
        return found


class LinearOperatorLowRankUpdate(LinearOperator):
    """L + U D Vᴴ (`tf.linalg.LinearOperatorLowRankUpdate`).

    Equations are solved by Woodbury's formula, and determinants by the lemma of determinants, so
    that only a matrix of the size of D is factored beside L.
    """

    matrix_axes: ClassVar = {"base_operator": 0, "u": 2, "diag_update": 1, "v": 2}

    def __init__(
        self,
        base_operator: Any,
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
        own = given(locals())
        if diag_update is None:
            words = (
                "Default diagonal is the identity, which is positive.  However, user set "
                "'is_diag_update_positive' to False."
            )
            is_diag_update_positive = always(is_diag_update_positive, words)
        said = Hints(is_non_singular, is_self_adjoint, is_positive_definite, is_square)
        is_one = v is None
        self._has_cholesky = bool(
            base_operator.is_positive_definite
            and base_operator.is_self_adjoint
            and is_diag_update_positive
            and is_one
        )
        hints = _updated(base_operator, said, is_one, self._has_cholesky)
        self._base_operator, self._u = base_operator, held(u)
        self._v = self._u if v is None else held(v)
        self._diag_update = None if diag_update is None else held(diag_update)
        self._is_diag_update_positive = is_diag_update_positive
        super().__init__(base_operator.dtype, name=name, parameters=own, **hints._asdict())
        self._check_shapes()

    def _check_shapes(self) -> None:
        """Raise `ValueError` where sizes do not fit."""
        both = broadcast_static_shape(self._u.shape, self._v.shape)
        batch = broadcast_static_shape(self._base_operator.batch_shape, both[:-2])
        self._base_operator.domain_dimension.assert_is_compatible_with(both[-2])
        if self._diag_update is not None:
            line = self._diag_update.shape
            Dimension(both[-1]).assert_is_compatible_with(line[-1])
            broadcast_static_shape(batch, line[:-1])

    @property
    def base_operator(self) -> Any:
        """L."""
        return self._base_operator

    @property
    def u(self) -> Any:
        """U."""
        return self._u

    @property
    def v(self) -> Any:
        """V."""
        return self._v

    @property
    def diag_update(self) -> Any:
        """The diagonal of D, or None for the identity."""
        return self._diag_update

    @property
    def is_diag_update_positive(self) -> Hint:
        """Whether D is positive, if that was said, or follows."""
        return self._is_diag_update_positive

    @property
    def diag_operator(self) -> LinearOperator:
        """D."""
        if self._diag_update is None:
            return LinearOperatorIdentity(self._u.shape[-1], dtype=self.dtype)
        is_positive = self._is_diag_update_positive
        return LinearOperatorDiag(self._diag_update, is_positive_definite=is_positive)

    def _shape(self) -> TensorShape:
        batch: TensorShape = self._base_operator.batch_shape
        for other in (self.diag_operator.batch_shape, self._u.shape[:-2], self._v.shape[:-2]):
            batch = broadcast_static_shape(batch, other)
        return batch.concatenate(self._base_operator.shape[-2:])

    def _both(self) -> tuple[Tensor, Tensor]:
        u = tensor(self._u)
        return u, u if self._v is self._u else tensor(self._v)

    def _to_dense(self) -> Tensor:
        u, v = self._both()
        if self._diag_update is not None:
            u = multiply(u, expand_dims(self._diag_update, -2))
        return add(self._base_operator.to_dense(), matmul(u, v, adjoint_b=True))

    def _diag_part(self) -> Tensor:
        u, v = self._both()
        products = multiply(u, conj(v))
        if self._diag_update is not None:
            products = multiply(products, expand_dims(self._diag_update, -2))
        return add(reduce_sum(products, -1), self._base_operator.diag_part())

    def _matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        left, right = reversed(self._both()) if adjoint else self._both()
        within = matmul(right, x, adjoint_a=True, adjoint_b=adjoint_arg)
        scaled = self.diag_operator.matmul(within, adjoint=adjoint)
        base = self._base_operator.matmul(x, adjoint=adjoint, adjoint_arg=adjoint_arg)
        return add(base, matmul(left, scaled))

    def _capacitance(self) -> Tensor:
        """Give C = D⁻¹ + Vᴴ L⁻¹ U, whose determinant and inverse those of all are made of."""
        u, v = self._both()
        inner = matmul(v, self._base_operator.solve(u), adjoint_a=True)
        return self.diag_operator.inverse().add_to_tensor(inner)

    def _solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        base = self._base_operator
        if base.is_non_singular is False:
            raise ValueError(
                "Solve not implemented unless this is a perturbation of a non-singular "
                "LinearOperator."
            )
        left, right = reversed(self._both()) if adjoint else self._both()
        first = base.solve(rhs, adjoint=adjoint, adjoint_arg=adjoint_arg)
        capacitance, inner = together(self._capacitance(), matmul(right, first, adjoint_a=True))
        if self._has_cholesky:
            within = solving.cholesky_solve(solving.cholesky(capacitance), inner)
        else:
            within = solving.solve(capacitance, inner, adjoint=adjoint)
        return subtract(first, base.solve(matmul(left, within), adjoint=adjoint))

    def _determinant(self) -> Tensor:
        if self.is_positive_definite:
            return exp(self.log_abs_determinant())
        inner = solving.det(self._capacitance())
        rest = multiply(self.diag_operator.determinant(), self._base_operator.determinant())
        return multiply(inner, rest)

    def _log_abs_determinant(self) -> Tensor:
        capacitance = self._capacitance()
        if self._has_cholesky:
            inner = cast(solving.logdet(capacitance), self.dtype)
        else:
            inner = cast(log(absolute(solving.det(capacitance))), self.dtype)
        base = self._base_operator.log_abs_determinant()
        return add(add(inner, self.diag_operator.log_abs_determinant()), base)

    def _assert_self_adjoint(self) -> None:
        if self._u is self._v and self._diag_update is None:
            self._base_operator.assert_self_adjoint()
        else:
            super()._assert_self_adjoint()


def _updated(base: Any, said: Hints, is_one: bool, is_definite: bool) -> Hints:
    """Say what follows for L + U D Vᴴ where U is V; raises `ValueError` for who denies it."""
    if base.is_self_adjoint and is_one and not base.dtype.is_complex:
        symmetric = always(
            said.is_self_adjoint,
            "A = L + UDU^H, with L self-adjoint and D real diagonal.  Since UDU^H is self-adjoint, "
            "this must be a self-adjoint operator.",
        )
        said = said._replace(is_self_adjoint=symmetric)
    if is_definite:
        if False in said[:3]:
            raise ValueError("Arguments imply this is self-adjoint positive-definite operator.")
        said = said._replace(is_positive_definite=True, is_self_adjoint=True)
    return said
