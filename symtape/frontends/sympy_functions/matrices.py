"""SymPy's matrix expressions, as operations on tensors of two axes."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any

import numpy as np
import sympy as sp
from sympy.matrices.expressions import (
    DiagMatrix,
    HadamardPower,
    HadamardProduct,
    KroneckerProduct,
)

from symtape.frontends.sympy_functions.axes import Named
from symtape.frontends.sympy_functions.conditions import grid
from symtape.frontends.sympy_functions.reader import Reader, Rule, unreadable
from symtape.ops.elementwise import arithmetic
from symtape.ops.elementwise import functions as elementwise
from symtape.ops.linalg import diagonals, products, solving
from symtape.ops.shapes.creation import eye, ones, zeros
from symtape.ops.shapes.joining import stack
from symtape.ops.shapes.repetition import broadcast_to
from symtape.ops.shapes.shaping import with_shape
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of

MatrixRule = Callable[[Reader, Any], Tensor]


def matrix(reader: Reader, e: Any) -> Tensor:
    """Read a matrix expression: a tensor of two axes."""
    if e in reader.values:
        return reader.values[e]
    if isinstance(e, sp.MatrixBase):
        return entries(reader, e, e.shape)
    for kind in type(e).__mro__:
        if kind in MATRICES:
            return MATRICES[kind](reader, e)
    raise unreadable(e, "there is no operation for this matrix")


def entries(reader: Reader, e: Any, shape: tuple[int, ...]) -> Tensor:
    """Read an array of expressions; where the arguments have axes, those come first."""
    parts = [reader.read(x).tensor for x in sp.flatten(e.tolist())]
    lead = _joint(parts)
    wide = [broadcast_to(x, lead) for x in parts]
    return with_shape(stack(wide, axis=len(lead)), (*lead, *shape))


def _joint(parts: list[Tensor]) -> tuple[int, ...]:
    return tuple(np.broadcast_shapes(*[shape_of(x) for x in parts]))


def _sizes(reader: Reader, e: Any) -> tuple[int, int]:
    rows, columns = (int(grid(reader, n).array) for n in e.shape)
    return rows, columns


def _added(reader: Reader, e: Any) -> Tensor:
    return reduce(arithmetic.add, [matrix(reader, x) for x in e.args])


def _multiplied(reader: Reader, e: Any) -> Tensor:
    """Multiply matrices, and with them the numbers that stand in front."""
    coefficient, factors = e.as_coeff_matrices()
    made = reduce(products.matmul, [matrix(reader, x) for x in factors])
    if coefficient == 1:
        return made
    if coefficient == -1:
        return elementwise.negative(made)
    return arithmetic.multiply(reader.read(coefficient).tensor, made)


def _powered(reader: Reader, e: Any) -> Tensor:
    base, exponent = e.args
    if not exponent.is_Integer:
        raise unreadable(e, "the exponent has to be a whole number")
    count = int(exponent)
    if count == 0:
        return eye(_sizes(reader, e)[0], dtype=reader.dtype)
    x = matrix(reader, base)
    x = solving.inv(x) if count < 0 else x
    return reduce(products.matmul, [x] * abs(count))


def _by_entry(reader: Reader, e: Any) -> Tensor:
    return reduce(arithmetic.multiply, [matrix(reader, x) for x in e.args])


def _power_by_entry(reader: Reader, e: Any) -> Tensor:
    base, exponent = e.args
    return arithmetic.pow(matrix(reader, base), reader.read(exponent).tensor)


def _diagonal_matrix(reader: Reader, e: Any) -> Tensor:
    x = matrix(reader, e.args[0])
    return diagonals.diag(with_shape(x, (max(shape_of(x)),)))


def _kronecker(reader: Reader, e: Any) -> Tensor:
    return reduce(_kronecker_of_two, [matrix(reader, x) for x in e.args])


def _kronecker_of_two(a: Tensor, b: Tensor) -> Tensor:
    (m, n), (p, q) = shape_of(a), shape_of(b)
    wide = arithmetic.multiply(with_shape(a, (m, 1, n, 1)), with_shape(b, (1, p, 1, q)))
    return with_shape(wide, (m * p, n * q))


MATRICES: dict[Any, MatrixRule] = {
    sp.MatAdd: _added,
    sp.MatMul: _multiplied,
    sp.MatPow: _powered,
    sp.Transpose: lambda reader, e: products.matrix_transpose(matrix(reader, e.args[0])),
    sp.Adjoint: lambda reader, e: products.adjoint(matrix(reader, e.args[0])),
    sp.Inverse: lambda reader, e: solving.inv(matrix(reader, e.args[0])),
    HadamardProduct: _by_entry,
    HadamardPower: _power_by_entry,
    DiagMatrix: _diagonal_matrix,
    KroneckerProduct: _kronecker,
    sp.Identity: lambda reader, e: eye(_sizes(reader, e)[0], dtype=reader.dtype),
    sp.ZeroMatrix: lambda reader, e: zeros(_sizes(reader, e), reader.dtype),
    sp.matrices.expressions.special.OneMatrix: lambda reader, e: ones(
        _sizes(reader, e), reader.dtype
    ),
}
"""How each kind of matrix expression is read."""


def _trace(reader: Reader, e: Any) -> Named:
    return Named(diagonals.trace(matrix(reader, e.args[0])))


def _determinant(reader: Reader, e: Any) -> Named:
    return Named(solving.det(matrix(reader, e.args[0])))


RULES: dict[Any, Rule] = {sp.Trace: _trace, sp.Determinant: _determinant}
