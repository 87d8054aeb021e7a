"""Index notation of linear algebra: entries of SymPy's inverses and determinants."""

from __future__ import annotations

from typing import Any

import sympy as sp
from sympy.matrices.expressions.matexpr import MatrixElement

from symtape.errors import UnsupportedError
from symtape.program.matrices import Band, Determinant, Inverse, Solve
from symtape.program.operations import Operation

Indices = tuple[Any, ...]

_WRITTEN = 16
"""The most entries of a matrix that is not a leaf, and is written out in place."""


def matrix(w: Any, p: int, batch: Indices, form: str = "full") -> Any:
    """Write a matrix of a batch: the symbol of a leaf, or its entries."""
    shape = w.shape(p)
    rows, columns = shape[-2:]
    if p in w.names and len(shape) == 2 and form == "full":
        return sp.MatrixSymbol(w.names[p], rows, columns)
    if rows * columns > _WRITTEN:
        raise UnsupportedError(
            f"linear algebra of a {rows}x{columns} matrix that is not a leaf has no index "
            "notation; see latex('steps')"
        )

    def entry(i: Any, j: Any) -> Any:
        left_out = (form == "lower" and j > i) or (form == "upper" and j < i)
        return sp.S.Zero if left_out else w.entry(p, (*batch, sp.Integer(i), sp.Integer(j)))

    return sp.ImmutableDenseMatrix(rows, columns, entry)


def inverse(w: Any, _: Inverse, operands: list[int], _p: int, at: Indices) -> Any:
    """Write an entry of the inverse."""
    return _of_inverse(matrix(w, operands[0], at[:-2]), at[-2], at[-1])


def _of_inverse(m: Any, i: Any, j: Any) -> Any:
    """Name an entry of the inverse; by indexing, SymPy would compute the inverse."""
    return MatrixElement(sp.Inverse(m), i, j)


def solve(w: Any, operation: Solve, operands: list[int], _: int, at: Indices) -> Any:
    """Sum over a row of the inverse."""
    a, b = operands
    m = matrix(w, a, at[:-2], operation.form)
    if operation.adjoint:
        m = sp.Adjoint(m) if w.program.dtypes[a].kind == "c" else sp.Transpose(m)
    n = w.shape(a)[-1]
    if n == 0:
        return sp.S.Zero
    k = w.dummy() if n != 1 else sp.S.Zero
    body = _of_inverse(m, at[-2], k) * w.entry(b, (*at[:-2], k, at[-1]))
    return w.sum(body, [(k, 0, n - 1)] if n != 1 else [])


def determinant(w: Any, operation: Determinant, operands: list[int], _: int, at: Indices) -> Any:
    """Write the determinant, or what is asked of it."""
    value = sp.Determinant(matrix(w, operands[0], at))
    if operation.part == "value":
        return value
    return sp.log(sp.Abs(value)) if operation.part == "log" else sp.sign(value)


def band(w: Any, operation: Band, operands: list[int], _: int, at: Indices) -> Any:
    """Write two cases."""
    i, j = at[-2:]
    kept = []
    if operation.low is not None:
        kept.append(j - i >= operation.low)
    if operation.high is not None:
        kept.append(j - i <= operation.high)
    return sp.Piecewise((w.entry(operands[0], at), sp.And(*kept)), (0, True))


RULES: dict[type[Operation], Any] = {
    Inverse: inverse,
    Solve: solve,
    Determinant: determinant,
    Band: band,
}
