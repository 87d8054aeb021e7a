"""Index notation of linear algebra: entries of SymPy's inverses and determinants, and of tables."""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy as sp
from sympy.matrices.expressions.matexpr import MatrixElement

from symtape.errors import UnsupportedError
from symtape.forms.factors import Factor, name_of
from symtape.program.evaluation import exact_matrices
from symtape.program.evaluation.elimination import Field
from symtape.program.evaluation.symbolic import Symbolic
from symtape.program.kinds.matrices import (
    QR,
    SVD,
    Band,
    Cholesky,
    Determinant,
    Eigh,
    Inverse,
    LogDeterminant,
    Solve,
)
from symtape.program.operations import Operation
from symtape.program.tridiagonal import is_tridiagonal

Indices = tuple[Any, ...]

_TRIANGLES = {"chol": "lower", "qr_triangular": "upper"}
"""What triangle a factor is."""

_WRITTEN = 16
"""The most entries of a matrix that is not a leaf, and is written out in place."""


def matrix(w: Any, p: int, batch: Indices, form: str = "full") -> Any:
    """Write a matrix of a batch: the symbol of a leaf, a formula of SymPy's, or its entries."""
    shape = w.shape(p)
    rows, columns = shape[-2:]
    if p in w.names and len(shape) == 2 and form == "full":
        return sp.MatrixSymbol(w.names[p], rows, columns)
    if (part := _part(w, p, form)) is not None:
        return part
    if (factor := _factor(w, p, batch, form)) is not None:
        return factor
    if not batch and form == "full" and (composed := w.composed(p)) is not None:
        return composed
    if rows * columns > _WRITTEN:
        raise UnsupportedError(
            f"linear algebra of a {rows}x{columns} matrix that is not a leaf has no index "
            "notation; see latex('steps')"
        )

    def entry(i: Any, j: Any) -> Any:
        left_out = (form == "lower" and j > i) or (form == "upper" and j < i)
        return sp.S.Zero if left_out else w.entry(p, (*batch, sp.Integer(i), sp.Integer(j)))

    return sp.ImmutableDenseMatrix(rows, columns, entry)


def _part(w: Any, p: int, form: str) -> Any | None:
    """Call a matrix by its name, of which a triangle is one that is asked for."""
    shape = w.shape(p)
    if p not in w.parts or len(shape) != 2 or 1 in shape:
        return None
    is_whole = form in ("full", _TRIANGLES.get(name_of(w.program.steps[p][0]) or ""))
    return sp.MatrixSymbol(w.parts[p], *shape) if is_whole else None


def _factor(w: Any, p: int, batch: Indices, form: str) -> Any | None:
    """Name a factor of a matrix, of which a triangle is one that is asked for."""
    operation, *operands = w.program.steps[p]
    name = name_of(operation) if p not in w.names and p not in w.parts else None
    if name is None or form not in ("full", _TRIANGLES.get(name)):
        return None
    if w.program.dtypes[operands[0]].kind == "c":
        return None
    shape = w.shape(p)[len(batch) :]
    return Factor(name, matrix(w, operands[0], batch), *shape, *(1,) * (2 - len(shape)))


def factor(w: Any, operation: Any, operands: list[int], p: int, at: Indices) -> Any:
    """Write an entry of a factor, or of a spectrum, by its name."""
    depth = operation.depth
    found = _factor(w, p, at[: len(at) - depth], "full")
    if found is None:
        return written(w, operation, operands, p, at)
    return MatrixElement(found, at[-depth], at[-1] if depth == 2 else sp.S.Zero)


def inverse(w: Any, _: Inverse, operands: list[int], _p: int, at: Indices) -> Any:
    """Write an entry of the inverse."""
    return _of_inverse(matrix(w, operands[0], at[:-2]), at[-2], at[-1])


def _of_inverse(m: Any, i: Any, j: Any) -> Any:
    """Name an entry of the inverse; by indexing, SymPy would compute the inverse.

    That of a single entry is one over it.
    """
    if isinstance(m, sp.MatrixBase) and m.shape == (1, 1):
        return 1 / m[0, 0]
    return MatrixElement(sp.Inverse(m), i, j)


def solve(w: Any, operation: Solve, operands: list[int], _: int, at: Indices) -> Any:
    """Sum over a row of the inverse."""
    a, b = operands
    if is_tridiagonal(operation):
        operation, a = w.with_full_matrix(operation, a)
    m = matrix(w, a, at[:-2], operation.form)
    is_turned = operation.adjoint and w.program.dtypes[a].kind != "c"
    if operation.adjoint and not is_turned:
        m = sp.Adjoint(m)
    n = w.shape(a)[-1]
    if n == 0:
        return sp.S.Zero
    k = w.dummy(n) if n != 1 else sp.S.Zero
    place = (k, at[-2]) if is_turned else (at[-2], k)
    body = _of_inverse(m, *place) * w.entry(b, (*at[:-2], k, at[-1]))
    return w.sum(body, [(k, 0, n - 1)] if n != 1 else [])


def determinant(w: Any, operation: Determinant, operands: list[int], _: int, at: Indices) -> Any:
    """Write the determinant, or what is asked of it."""
    value = sp.Determinant(matrix(w, operands[0], at))
    if operation.part == "value":
        return value
    return sp.log(sp.Abs(value)) if operation.part == "log" else sp.sign(value)


def log_determinant(w: Any, _: LogDeterminant, operands: list[int], _p: int, at: Indices) -> Any:
    """Write the logarithm of the determinant, which is positive."""
    return sp.log(sp.Determinant(matrix(w, operands[0], at)))


def band(w: Any, operation: Band, operands: list[int], _: int, at: Indices) -> Any:
    """Write two cases."""
    i, j = at[-2:]
    kept = []
    if operation.low is not None:
        kept.append(j - i >= operation.low)
    if operation.high is not None:
        kept.append(j - i <= operation.high)
    return sp.Piecewise((w.entry(operands[0], at), sp.And(*kept)), (0, True))


def written(w: Any, operation: Any, operands: list[int], _: int, at: Indices) -> Any:
    """Compute a small result in symbols, and take an entry of it."""
    depth = operation.depth
    batch = at[: len(at) - depth]
    field = Field(Symbolic(exact=False), w.program.dtypes[operands[0]])
    matrices = []
    for p in operands:
        if len(w.shape(p)) < len(batch) + 2:  # the bound of a pseudo inverse
            matrices.append(np.array(w.broadcast(p, batch), dtype=object))
        else:
            matrices.append(np.array(matrix(w, p, batch, "written").tolist(), dtype=object))
    found = exact_matrices.RULES[type(operation)](field, operation, *matrices)
    table = sp.ImmutableDenseMatrix(found.tolist())
    return MatrixElement(table, at[-depth], at[-1] if depth == 2 else sp.S.Zero)


OF_MATRICES = (Cholesky, Eigh, SVD, QR, Inverse, Solve, Determinant, LogDeterminant)
"""What is written of a matrix as a whole, which is its first operand."""

RULES: dict[type[Operation], Any] = {
    **dict.fromkeys(exact_matrices.RULES, written),
    **dict.fromkeys((Cholesky, Eigh, SVD, QR), factor),
    Inverse: inverse,
    Solve: solve,
    Determinant: determinant,
    LogDeterminant: log_determinant,
    Band: band,
}
