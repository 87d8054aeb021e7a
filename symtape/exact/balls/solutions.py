"""Linear systems over balls: Arb's own solutions, which are certain.

What a bound does not decide, whether a matrix is singular for instance, makes entries of which
nothing is known, so that it is computed again with more digits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from symtape.errors import UnsupportedError
from symtape.exact.balls import arithmetic
from symtape.exact.balls.numbers import (
    Ball,
    complexified,
    flint,
    lifted,
    parts_of,
    unknown,
)
from symtape.program.evaluation.elimination import Field, Matrix
from symtape.program.evaluation.exact_matrices import pseudo_inverse, qr, squares
from symtape.program.kinds.matrices import QR, LogDeterminant, PseudoInverse

Rule = Callable[..., Matrix]

# --- to and from Arb ------------------------------------------------------------------------------


def matrix_of(field: Field, a: Matrix) -> Any:
    """Make a matrix of Arb's."""
    is_complex = field.dtype.kind == "c"
    entries = [complexified(x) if is_complex else lifted(x) for x in a.flat]
    kind = flint().acb_mat if is_complex else flint().arb_mat
    return kind(*a.shape, entries)


def array_of(m: Any) -> Matrix:
    """Take the entries of a matrix of Arb's."""
    out = np.empty((m.nrows(), m.ncols()), object)
    for i, j in np.ndindex(*out.shape):
        out[i, j] = m[i, j]
    return out


def unknown_matrix(field: Field, shape: tuple[int, ...]) -> Matrix:
    """Make a matrix of which nothing is known."""
    out = np.empty(shape, object)
    for place in np.ndindex(*shape):
        out[place] = unknown(of_complex=field.dtype.kind == "c")
    return out


# --- solutions ------------------------------------------------------------------------------------


def solution(field: Field, a: Matrix, b: Matrix) -> Matrix:
    """Solve A X = B; where A may be singular, nothing is known of X."""
    if not a.size or not b.size:
        return b
    try:
        return array_of(matrix_of(field, a).solve(matrix_of(field, b)))
    except ZeroDivisionError:
        return unknown_matrix(field, b.shape)


def determinant(field: Field, a: Matrix) -> Ball:
    """Compute the determinant."""
    return matrix_of(field, a).det() if a.size else field.numbers.integer(1)


def _log_determinant(field: Field, _: LogDeterminant, a: Matrix) -> Ball:
    """Add up the logarithms of the pivots."""
    total = field.numbers.integer(0)
    for pivot in squares(field, a)[1]:
        total = total + arithmetic.logarithm(pivot)
    return total


def _qr(field: Field, operation: QR, a: Matrix) -> Matrix:
    """Take the signs that LAPACK gives at the point."""
    if a.shape[1] > len(a):
        raise lacking("the QR decomposition of a matrix with more columns than rows")
    check_point(a, "the signs of a QR decomposition")
    return qr(field, operation, a)


def _pseudo_inverse(field: Field, operation: PseudoInverse, a: Matrix, bound: Matrix) -> Matrix:
    """Invert where floats show that the matrix is of full rank."""
    rows, columns = a.shape
    if not a.size:
        return np.empty((columns, rows), object)
    check_point(a, "the rank of a matrix")
    s = np.linalg.svd(field.rounded(a), compute_uv=False)
    if s.min() <= (float(bound[()]) + _ROUNDING) * s.max():
        raise lacking("the pseudoinverse of a matrix that is not of full rank")
    return pseudo_inverse(field, operation, a, bound)


_ROUNDING = 1e-12
"""Singular values of this size, beside the largest, may be what rounding leaves of zero."""


def check_point(a: Matrix, what: str) -> None:
    """Refuse intervals where floats at one point decide something."""
    if any(arithmetic.is_wide(part) for x in a.flat for part in parts_of(lifted(x))):
        raise UnsupportedError(
            f"{what} over a box: floats decide it at the point, and for no other; enclose() at "
            "the point has it"
        )


def lacking(what: str) -> UnsupportedError:
    """Say that something has no enclosure, and what does it."""
    return UnsupportedError(f"{what} has no enclosure; evalf(digits) gives digits of it")


SOLUTIONS: Mapping[Any, Rule] = {
    LogDeterminant: _log_determinant,
    PseudoInverse: _pseudo_inverse,
    QR: _qr,
}
