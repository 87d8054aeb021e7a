"""Linear algebra over balls: Arb's own solutions and spectra, which are certain.

What a bound does not decide, whether a matrix is singular for instance, makes entries of which
nothing is known, so that it is computed again with more digits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from symtape.errors import NoExactFormError, UnsupportedError
from symtape.numeric import ball_arithmetic as arithmetic
from symtape.numeric.ball_arithmetic import Ball, flint, lifted
from symtape.program.elimination import Field, Matrix, completed, each, identity, substituted
from symtape.program.exact_matrices import RULES as GENERIC
from symtape.program.exact_matrices import asked
from symtape.program.matrices import (
    QR,
    SVD,
    Cholesky,
    Determinant,
    Eig,
    Eigh,
    Inverse,
    LogDeterminant,
    MatrixFunction,
    PseudoInverse,
    Solve,
)
from symtape.program.symbolic_matrices import folded

Rule = Callable[..., Matrix]


class BallMatrices:
    """What linear algebra asks of balls."""

    @property
    def matrices(self) -> Mapping[Any, Rule]:
        """Give the rules of linear algebra."""
        return _RULES

    def integer(self, n: int) -> Ball:
        """Give a small number."""
        return flint().arb(n)

    def conjugate(self, x: Any) -> Ball:
        """Conjugate."""
        return x.conjugate() if arithmetic.is_complex(x) else x

    def real(self, x: Any) -> Ball:
        """Take the real part."""
        return lifted(x).real

    def root(self, x: Any) -> Ball:
        """Take the square root."""
        return arithmetic.root(lifted(x))

    def size(self, x: Any) -> Any:
        """Give a number that is zero for nothing but zero."""
        found = lifted(x)
        return 0 if found == 0 else abs(found)

    def tidy(self, x: Any) -> Ball:
        """Make a ball."""
        return lifted(x)

    def negligible(self, _sizes: Sequence[Any], _a: Matrix) -> Any:
        """Say which sizes count as zero."""
        return 0

    def polar(self, value: Any, part: str, _is_complex: bool) -> Ball:
        """Give the sign of a determinant, or the logarithm of its size."""
        if part == "log":
            return arithmetic.logarithm(abs(value))
        return value.sgn()

    def whole(self, operation: Any, field: Field, a: Matrix) -> Matrix:
        """Give a spectrum or a function of a matrix."""
        return _WHOLE[type(operation)](field, operation, a)


# --- to and from Arb ------------------------------------------------------------------------------


def _matrix(field: Field, a: Matrix) -> Any:
    """Make a matrix of Arb's."""
    is_complex = field.dtype.kind == "c"
    entries = [arithmetic.complexified(x) if is_complex else lifted(x) for x in a.flat]
    kind = flint().acb_mat if is_complex else flint().arb_mat
    return kind(*a.shape, entries)


def _array(m: Any) -> Matrix:
    out = np.empty((m.nrows(), m.ncols()), object)
    for i, j in np.ndindex(*out.shape):
        out[i, j] = m[i, j]
    return out


def _unknown(field: Field, shape: tuple[int, ...]) -> Matrix:
    out = np.empty(shape, object)
    for place in np.ndindex(*shape):
        out[place] = arithmetic.unknown(of_complex=field.dtype.kind == "c")
    return out


def _line(elements: Sequence[Any]) -> Matrix:
    out = np.empty(len(elements), object)
    out[:] = list(elements)
    return out


# --- solutions and triangles ----------------------------------------------------------------------


def _solution(field: Field, a: Matrix, b: Matrix) -> Matrix:
    """Solve A X = B; where A may be singular, nothing is known of X."""
    if not a.size or not b.size:
        return b
    try:
        return _array(_matrix(field, a).solve(_matrix(field, b)))
    except ZeroDivisionError:
        return _unknown(field, b.shape)


def _inverse(field: Field, _: Inverse, a: Matrix) -> Matrix:
    return _solution(field, a, identity(field, len(a)))


def _solve(field: Field, operation: Solve, a: Matrix, b: Matrix) -> Matrix:
    form = operation.form
    if operation.adjoint:
        a, form = field.adjoint(a), {"lower": "upper", "upper": "lower"}.get(form, form)
    return _solution(field, a, b) if form == "full" else substituted(field, a, b, form)


def _determinant(field: Field, operation: Determinant, a: Matrix) -> Ball:
    value = _matrix(field, a).det() if a.size else field.numbers.integer(1)
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
        raise _lacking("the QR decomposition of a matrix with more columns than rows")
    _check_point(a, "the signs of a QR decomposition")
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
    _check_point(a, "the rank of a matrix")
    s = np.linalg.svd(field.rounded(a), compute_uv=False)
    if s.min() <= (float(bound[()]) + _ROUNDING) * s.max():
        raise _lacking("the pseudoinverse of a matrix that is not of full rank")
    turned = field.adjoint(a)
    if columns <= rows:
        return _solution(field, field.product(turned, a), turned)
    return field.adjoint(_solution(field, field.product(a, turned), a))


_ROUNDING = 1e-12
"""Singular values of this size, beside the largest, may be what rounding leaves of zero."""


def _check_point(a: Matrix, what: str) -> None:
    """Refuse intervals where floats at one point decide something."""
    if any(arithmetic.is_wide(part) for x in a.flat for part in arithmetic.parts(lifted(x))):
        raise UnsupportedError(
            f"{what} over a box: floats decide it at a point, not for all points"
        )


def _lacking(what: str) -> UnsupportedError:
    return UnsupportedError(f"{what} has no enclosure; evalf(digits) gives digits of it")


# --- spectra --------------------------------------------------------------------------------------


def _eigenvalues(field: Field, a: Matrix) -> list[Ball]:
    """Enclose all eigenvalues, each as often as it occurs."""
    try:
        return list(flint().acb_mat(_matrix(field, a)).eig(multiple=True))
    except ValueError:
        return [arithmetic.unknown(of_complex=True)] * len(a)


def _eigenpairs(field: Field, a: Matrix, what: str) -> tuple[list[Ball], Matrix]:
    """Enclose eigenvalues and eigenvectors of any length, where all values are apart."""
    try:
        values, vectors = flint().acb_mat(_matrix(field, a)).eig(right=True)
    except ValueError:
        raise NoExactFormError(
            f"{what} of a matrix of shape {a.shape} whose eigenvalues are equal, or nearer to each "
            "other than bounds tell, have no enclosure; evalf(digits) and numpy() may have values"
        ) from None
    return list(values), _array(vectors)


def _ascending(values: Sequence[Ball]) -> list[Ball]:
    """Order real numbers: the k-th is between the k-th of the lower and of the upper bounds.

    Nothing needs to be decided for that.
    """
    if not all(map(arithmetic.is_finite, values)):
        return list(values)
    one = _sorted([x.lower() for x in values])
    other = _sorted([x.upper() for x in values])
    return [arithmetic.interval(low, high) for low, high in zip(one, other, strict=True)]


def _sorted(exact: Sequence[Ball]) -> list[Ball]:
    left, out = list(exact), []
    while left:
        best = 0
        for k, x in enumerate(left):
            best = k if x < left[best] else best
        out.append(left.pop(best))
    return out


def _apart(values: Sequence[Ball]) -> list[int] | None:
    """Give the places of real numbers in ascending order, or None where it is not decided."""
    order: list[int] = []
    for k, x in enumerate(values):
        below = [j for j, y in enumerate(values) if j != k and y < x]
        above = [j for j, y in enumerate(values) if j != k and y > x]
        if len(below) + len(above) + 1 != len(values):
            return None
        order.append(len(below))
    return [order.index(place) for place in range(len(values))]


def _turned(field: Field, vector: Sequence[Ball], goal: Any) -> list[Ball]:
    """Give a vector the length 1, and the phase in which it is nearest to that of floats."""
    towards = [arithmetic.complexified(x) for x in field.exactly(np.asarray(goal))]
    along, square = flint().acb(0), flint().arb(0)
    for x, g in zip(vector, towards, strict=True):
        along = along + x.conjugate() * g
        square = square + abs(x) ** 2
    turn = along / (abs(along) * square.sqrt())
    made = [x * turn for x in vector]
    return made if field.dtype.kind == "c" else [x.real for x in made]


def _eigh(field: Field, operation: Eigh, a: Matrix) -> Matrix:
    a = folded(field, a)
    if operation.part == "values":
        return _line(_ascending([x.real for x in _eigenvalues(field, a)]))
    _check_point(a, "the signs of eigenvectors")
    return _eigenvectors(field, a, np.linalg.eigh(field.rounded(a))[1])


def _eigenvectors(field: Field, a: Matrix, floats: Any) -> Matrix:
    """Enclose the eigenvectors of a self-adjoint matrix, in the order of their values."""
    values, vectors = _eigenpairs(field, a, "the vectors")
    order = _apart([x.real for x in values])
    if order is None:
        return _unknown(field, a.shape)
    out = np.empty(a.shape, object)
    for place, k in enumerate(order):
        out[:, place] = _turned(field, list(vectors[:, k]), floats[:, place])
    return out


def _svd(field: Field, operation: SVD, a: Matrix) -> Matrix:
    """Take it from the spectrum of AᴴA or A Aᴴ, whichever is smaller."""
    turned = field.adjoint(a)
    wide = a.shape[0] < a.shape[1]
    square = folded(field, field.product(a, turned) if wide else field.product(turned, a))
    values = _ascending([x.real for x in _eigenvalues(field, square)])[::-1]
    roots = [arithmetic.root(_nonnegative(x)) for x in values]
    if operation.part == "values":
        return _line(roots)
    _check_point(a, "the signs of singular vectors")
    float_left, _, float_right = np.linalg.svd(field.rounded(a), full_matrices=True)
    u, v = _singular_vectors(field, a, square, roots, float_left)
    own, floats = (u, float_left) if operation.part == "left" else (v, np.conjugate(float_right.T))
    return completed(field, own, floats) if operation.full else own


def _nonnegative(x: Ball) -> Ball:
    return x.nonnegative_part() if arithmetic.is_finite(x) and not x >= 0 else x


def _singular_vectors(
    field: Field, a: Matrix, square: Matrix, roots: Sequence[Ball], float_left: Any
) -> tuple[Matrix, Matrix]:
    """Enclose U and V: those of the smaller side, and A or Aᴴ times them, over the values."""
    count, adjoint = len(roots), field.adjoint(a)
    wide = a.shape[0] < a.shape[1]
    goal = float_left[:, :count]
    if not wide:
        goal = np.conjugate(field.rounded(a).T) @ goal
    vectors = _eigenvectors(field, square, goal[:, ::-1])[:, ::-1]
    other = field.product(adjoint if wide else a, vectors)
    for k, s in enumerate(roots):
        other[:, k] = each(partial(_divided, s), other[:, k])
    return (vectors, other) if wide else (other, vectors)


def _divided(divisor: Ball, x: Ball) -> Ball:
    return x / divisor


def _eig(field: Field, operation: Eig, a: Matrix) -> Matrix:
    """Put the eigenvalues into the order of floats."""
    _check_point(a, "the order of eigenvalues")
    floats, columns = np.linalg.eig(field.rounded(a))
    is_values = operation.part == "values"
    values, vectors = (
        (_eigenvalues(field, a), None) if is_values else _eigenpairs(field, a, "the vectors")
    )
    left, order = list(range(len(a))), []
    for value in floats:
        best = min(left, key=lambda k: abs(complex(values[k].mid()) - complex(value)))
        left.remove(best)
        order.append(best)
    if vectors is None:
        return _line([values[k] for k in order])
    out = np.empty(a.shape, object)
    complexes = Field(field.numbers, np.dtype("complex128"))
    for place, k in enumerate(order):
        out[:, place] = _turned(complexes, list(vectors[:, k]), columns[:, place])
    return out


# --- functions of matrices ------------------------------------------------------------------------


def _function(field: Field, operation: MatrixFunction, a: Matrix) -> Matrix:
    """Ask Arb for the exponential; others are V f(D) V⁻¹, where all eigenvalues are apart."""
    if operation.name == "exp":
        return _array(_matrix(field, a).exp())
    values, vectors = _eigenpairs(field, a, f"the entries of {operation.function}")
    function = {"log": arithmetic.logarithm, "sqrt": arithmetic.root}[operation.name]
    complexes = Field(field.numbers, np.dtype("complex128"))
    scaled = vectors * _line([function(x) for x in values])[None, :]
    turned = _solution(complexes, complexes.adjoint(vectors), complexes.adjoint(scaled))
    found = complexes.adjoint(turned)
    return found if field.dtype.kind == "c" else each(lambda x: x.real, found)


_WHOLE: dict[type, Rule] = {Eigh: _eigh, SVD: _svd, Eig: _eig, MatrixFunction: _function}

_RULES: Mapping[Any, Rule] = {
    **GENERIC,
    Inverse: _inverse,
    Solve: _solve,
    Determinant: _determinant,
    LogDeterminant: _log_determinant,
    Cholesky: _cholesky,
    PseudoInverse: _pseudo_inverse,
    QR: _qr,
    **dict.fromkeys(_WHOLE, asked),
}
"""Of the general rules, those of `Elimination` and `Band` hold for balls as they are."""
