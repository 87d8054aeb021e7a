"""Equations with a linear operator, solved by its products alone."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from symtape.ops.arguments import tensor
from symtape.ops.elementwise.arithmetic import add, divide, multiply, subtract
from symtape.ops.elementwise.functions import conj
from symtape.ops.linalg.operators.base import LinearOperator
from symtape.ops.reductions.norms import norm
from symtape.ops.reductions.reduction import reduce_sum
from symtape.ops.shapes.creation import zeros_like
from symtape.ops.shapes.repetition import broadcast_to
from symtape.ops.shapes.shaping import expand_dims
from symtape.tensor.decided import decided
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of


class CGState(NamedTuple):
    """Where a solution by conjugate gradients is: steps, solution, residual, direction, norm."""

    i: Tensor
    x: Tensor
    r: Tensor
    p: Tensor
    gamma: Tensor


def conjugate_gradient(
    operator: LinearOperator,
    rhs: Any,
    preconditioner: LinearOperator | None = None,
    x: Any = None,
    tol: Any = 1e-5,
    max_iter: Any = 20,
    name: str | None = "conjugate_gradient",
) -> CGState:
    """Solve `operator` x = `rhs` until the residual is `tol` times as long as `rhs`.

    `preconditioner` is nearly the inverse, and `x` where it begins. Derivatives are those of the
    steps that were made. Raises `ValueError` unless the operator is told to be self-adjoint and
    positive definite.

    >>> from symtape.ops.linalg.operators.diagonal import LinearOperatorDiag
    >>> a = LinearOperatorDiag([2.0, 4.0], is_self_adjoint=True, is_positive_definite=True)
    >>> conjugate_gradient(a, tensor([2.0, 8.0])).x.numpy().round(3).tolist()
    [1.0, 2.0]
    """
    if not (operator.is_self_adjoint and operator.is_positive_definite):
        raise ValueError("Expected a self-adjoint, positive definite operator.")
    b = tensor(rhs)
    batches: list[Any] = [shape_of(b)[:-1], tuple(operator.batch_shape)]
    batches += [tuple(preconditioner.batch_shape)] if preconditioner is not None else []
    r = broadcast_to(b, [*np.broadcast_shapes(*batches), shape_of(b)[-1]])
    least = decided(multiply(norm(r, axis=-1), tol))
    if x is None:
        start = zeros_like(r)
    else:
        start = tensor(x)
        r = subtract(b, operator.matvec(start))
    p = r if preconditioner is None else preconditioner.matvec(r)
    state = CGState(Tensor(np.int32(0)), start, r, p, _dot(r, p))
    for k in range(int(decided(tensor(max_iter)))):
        if not np.any(decided(norm(state.r, axis=-1)) > least):
            break
        state = _step(operator, preconditioner, state, k)
    return state


def _step(
    operator: LinearOperator, preconditioner: LinearOperator | None, state: CGState, k: int
) -> CGState:
    z = operator.matvec(state.p)
    alpha = expand_dims(divide(state.gamma, _dot(state.p, z)), -1)
    x = add(state.x, multiply(alpha, state.p))
    r = subtract(state.r, multiply(alpha, z))
    q = r if preconditioner is None else preconditioner.matvec(r)
    gamma = _dot(r, q)
    beta = expand_dims(divide(gamma, state.gamma), -1)
    return CGState(Tensor(np.int32(k + 1)), x, r, add(q, multiply(beta, state.p)), gamma)


def _dot(a: Tensor, b: Tensor) -> Tensor:
    return reduce_sum(multiply(conj(a), b), axis=-1)
