"""Linear systems and triangles over balls: Arb's own solutions, which are certain.

What a bound does not decide, whether a matrix is singular for instance, makes entries of which
nothing is known, so that it is computed again with more digits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from symtape.errors import NoExactFormError, UnsupportedError
from symtape.exact.balls import arithmetic
from symtape.exact.balls.numbers import (
    Ball,
    complexified,
    flint,
    lifted,
    parts_of,
    unknown,
)
from symtape.program.evaluation.elimination import Field, Matrix, completed, identity, substituted
from symtape.program.matrices import (
    QR,
    Cholesky,
    Determinant,
    Inverse,
    LogDeterminant,
    PseudoInverse,
    Solve,
)

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


def line_of(elements: Sequence[Any]) -> Matrix:
    """Make an array of one axis."""
    out = np.empty(len(elements), object)
    out[:] = list(elements)
    return out


# --- solutions and triangles ----------------------------------------------------------------------


def solution(field: Field, a: Matrix, b: Matrix) -> Matrix:
    """Solve A X = B; where A may be singular, nothing is known of X."""
    if not a.size or not b.size:
        return b
    try:
        return array_of(matrix_of(field, a).solve(matrix_of(field, b)))
    except ZeroDivisionError:
        return unknown_matrix(field, b.shape)


def _inverse(field: Field, _: Inverse, a: Matrix) -> Matrix:
    return solution(field, a, identity(field, len(a)))


def _solve(field: Field, operation: Solve, a: Matrix, b: Matrix) -> Matrix:
    form = operation.form
    if operation.adjoint:
        a, form = field.adjoint(a), {"lower": "upper", "upper": "lower"}.get(form, form)
    return solution(field, a, b) if form == "full" else substituted(field, a, b, form)


def _determinant(field: Field, operation: Determinant, a: Matrix) -> Ball:
    value = matrix_of(field, a).det() if a.size else field.numbers.integer(1)
    part = operation.part
    return value if part == "value" else field.numbers.polar(value, part, field.dtype.kind == "c")


def _squares(field: Field, a: Matrix) -> tuple[Matrix, list[Ball]]:
    """Write the lower triangle of a positive matrix as L D Lᴴ with ones on the diagonal of L."""
    n = len(a)
    lower = identity(field, n)
    diagonal: list[Any] = []
    for j in range(n):
        back = [field.conjugate(x) for x in lower[j, :j]]
        scaled = [field.numbers.multiply([x, d]) for x, d in zip(back, diagonal, strict=True)]
        pivot = a[j, j] - field.dot(lower[j, :j], scaled) if j else a[j, j]
        diagonal.append(field.numbers.real(pivot))
        for i in range(j + 1, n):
            rest = a[i, j] - field.dot(lower[i, :j], scaled) if j else a[i, j]
            lower[i, j] = rest / diagonal[j]
    _check_positive(diagonal, n)
    return lower, diagonal


def _check_positive(diagonal: Sequence[Ball], n: int) -> None:
    if any(d <= 0 for d in diagonal):
        raise NoExactFormError(
            f"a {n}x{n} matrix that is to be positive definite is not; numpy() has what floats "
            "make of it"
        )


def _log_determinant(field: Field, _: LogDeterminant, a: Matrix) -> Ball:
    """Add up the logarithms of the pivots."""
    total = field.numbers.integer(0)
    for pivot in _squares(field, a)[1]:
        total = total + arithmetic.logarithm(pivot)
    return total


def _cholesky(field: Field, _: Cholesky, a: Matrix) -> Matrix:
    """Take the roots of the diagonal last."""
    lower, diagonal = _squares(field, a)
    roots = [arithmetic.root(d) for d in diagonal]
    for i, j in np.ndindex(*a.shape):
        if j <= i:
            lower[i, j] = lower[i, j] * roots[j]
    return lower


def _qr(field: Field, operation: QR, a: Matrix) -> Matrix:
    """Take R from AᴴA = RᴴR, with the signs that LAPACK gives at the point, and then Q = A R⁻¹."""
    rows, columns = a.shape
    if columns > rows:
        raise lacking("the QR decomposition of a matrix with more columns than rows")
    check_point(a, "the signs of a QR decomposition")
    floats, float_triangle = np.linalg.qr(field.rounded(a), "complete")
    lower, diagonal = _squares(field, field.product(field.adjoint(a), a))
    triangle = field.adjoint(lower)
    for i, sign in enumerate(np.real(np.diagonal(float_triangle))):
        factor = arithmetic.root(diagonal[i])
        triangle[i, i:] = triangle[i, i:] * (factor if sign >= 0 else -factor)
    if operation.part == "triangular":
        zeros = np.full((rows - columns, columns), field.numbers.integer(0), object)
        return np.concatenate([triangle, zeros]) if operation.full else triangle
    turned = substituted(field, field.adjoint(triangle), field.adjoint(a), "lower")
    q = field.adjoint(turned)
    return completed(field, q, floats) if operation.full else q


def _pseudo_inverse(field: Field, _: PseudoInverse, a: Matrix, bound: Matrix) -> Matrix:
    """Invert AᴴA or A Aᴴ, whichever is smaller, of a matrix of full rank."""
    rows, columns = a.shape
    if not a.size:
        return np.empty((columns, rows), object)
    check_point(a, "the rank of a matrix")
    s = np.linalg.svd(field.rounded(a), compute_uv=False)
    if s.min() <= (float(bound[()]) + _ROUNDING) * s.max():
        raise lacking("the pseudoinverse of a matrix that is not of full rank")
    turned = field.adjoint(a)
    if columns <= rows:
        return solution(field, field.product(turned, a), turned)
    return field.adjoint(solution(field, field.product(a, turned), a))


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
    Inverse: _inverse,
    Solve: _solve,
    Determinant: _determinant,
    LogDeterminant: _log_determinant,
    Cholesky: _cholesky,
    PseudoInverse: _pseudo_inverse,
    QR: _qr,
}
