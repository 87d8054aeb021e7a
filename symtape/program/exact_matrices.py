"""Linear algebra over any kind of number: symbols, exact numbers, many digits.

What elimination and square roots give is here, once for all kinds of numbers; spectra and functions
of matrices are asked of the numbers themselves (`Numbers.whole`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from symtape.errors import ExpansionError, NoExactFormError
from symtape.program.matrices import (
    QR,
    SVD,
    Band,
    Cholesky,
    Determinant,
    Eig,
    Eigh,
    Inverse,
    MatrixFunction,
    PseudoInverse,
    Solve,
)
from symtape.program.operations import DType, Operation

Matrix = Any
"""A NumPy array of dtype object with two axes."""

WRITTEN_OUT = 4
"""The most rows of a matrix of symbols whose inverse is written out."""


class Field:
    """Numbers of one kind, and whether the program computes with complex ones."""

    __slots__ = ("dtype", "numbers")

    def __init__(self, numbers: Any, dtype: DType) -> None:
        self.numbers, self.dtype = numbers, dtype

    def conjugate(self, x: Any) -> Any:
        """Conjugate; what is computed with real numbers is its own conjugate."""
        return self.numbers.conjugate(x) if self.dtype.kind == "c" else x

    def adjoint(self, a: Matrix) -> Matrix:
        """Turn a matrix round and conjugate it."""
        out = np.empty(a.shape[::-1], object)
        for i, j in np.ndindex(*a.shape):
            out[j, i] = self.conjugate(a[i, j])
        return out

    def tidy(self, x: Any) -> Any:
        """Write a complex number with its parts apart; elimination would nest its quotients."""
        return self.numbers.tidy(x) if self.dtype.kind == "c" else x

    def dot(self, xs: Iterable[Any], ys: Iterable[Any]) -> Any:
        """Add products up."""
        multiply = self.numbers.multiply
        return self.tidy(self.numbers.add([multiply([x, y]) for x, y in zip(xs, ys, strict=True)]))

    def product(self, a: Matrix, b: Matrix) -> Matrix:
        """Multiply matrices."""
        out = np.empty((a.shape[0], b.shape[1]), object)
        for i, j in np.ndindex(*out.shape):
            out[i, j] = self.dot(a[i], b[:, j])
        return out

    def is_written(self, *matrices: Matrix) -> bool:
        """Say whether there are symbols, whose sizes nobody knows."""
        return any(self.numbers.size(x) is None for a in matrices for x in a.flat)

    def exactly(self, floats: Any) -> Matrix:
        """Take floats for the numbers that they are."""
        out = np.empty(floats.shape, object)
        for place in np.ndindex(*floats.shape):
            out[place] = self.numbers.number(floats[place])
        return out

    def rounded(self, a: Matrix) -> Any:
        """Round to the numbers that the program computes with."""
        out = np.empty(a.shape, complex)
        for place in np.ndindex(*a.shape):
            out[place] = complex(a[place])
        return (out if self.dtype.kind == "c" else out.real).astype(self.dtype)


# --- elimination ----------------------------------------------------------------------------------


def identity(field: Field, n: int) -> Matrix:
    """Make the identity matrix."""
    zero, one = field.numbers.integer(0), field.numbers.integer(1)
    out = np.full((n, n), zero, object)
    for i in range(n):
        out[i, i] = one
    return out


def determinant(field: Field, a: Matrix) -> Any:
    """Expand for symbols, eliminate for numbers."""
    if field.is_written(a):
        return _expanded(field, a, {}, 0, tuple(range(len(a))))
    return _eliminated(field, a, a[:, :0])[1]


def _expanded(
    field: Field, a: Matrix, known: dict[Any, Any], row: int, columns: tuple[int, ...]
) -> Any:
    """Expand along rows; minors are shared."""
    _check_size(len(a), "determinant", WRITTEN_OUT + 1)
    if not columns:
        return field.numbers.integer(1)
    if columns not in known:
        terms = []
        for k, j in enumerate(columns):
            minor = _expanded(field, a, known, row + 1, columns[:k] + columns[k + 1 :])
            sign = field.numbers.integer(-1 if k % 2 else 1)
            terms.append(field.numbers.multiply([sign, a[row, j], minor]))
        known[columns] = field.numbers.add(terms)
    return known[columns]


def _check_size(n: int, what: str, most: int) -> None:
    if n > most:
        raise ExpansionError(
            f"the {what} of a {n}x{n} matrix of symbols is too long to be written out; "
            'index_expr() and latex("steps") name it, numpy(), exact() and evalf() give its value'
        )


def solution(field: Field, a: Matrix, b: Matrix) -> Matrix:
    """Solve A X = B: Cramer's rule for symbols, elimination for numbers."""
    if not field.is_written(a):
        found, value = _eliminated(field, a, b)
        if found is None:
            raise NoExactFormError(
                f"a {len(a)}x{len(a)} matrix that is to be inverted is singular, computed exactly"
            )
        return found
    n = len(a)
    _check_size(n, "inverse", WRITTEN_OUT)
    value = determinant(field, a)
    adjugate = np.empty((n, n), object)
    for i, j in np.ndindex(n, n):
        minor = np.delete(np.delete(a, j, 0), i, 1)
        sign = field.numbers.integer(-1 if (i + j) % 2 else 1)
        inner = _expanded(field, minor, {}, 0, tuple(range(n - 1)))
        adjugate[i, j] = field.numbers.multiply([sign, inner])
    whole = field.product(adjugate, b)
    return _each(lambda x: x / value, whole)


def _each(function: Callable[[Any], Any], a: Matrix) -> Matrix:
    out = np.empty(a.shape, object)
    for place in np.ndindex(*a.shape):
        out[place] = function(a[place])
    return out


def _eliminated(field: Field, a: Matrix, b: Matrix) -> tuple[Matrix | None, Any]:
    """Eliminate with the largest pivots; give the solution and the determinant.

    There is no solution where a whole column of candidates is zero.
    """
    n, numbers = len(a), field.numbers
    rows = np.concatenate([a, b], axis=1)
    value = numbers.integer(1)
    for k in range(n):
        sizes = [numbers.size(rows[i, k]) for i in range(k, n)]
        best = max(range(n - k), key=sizes.__getitem__)
        if sizes[best] == 0:
            return None, numbers.integer(0)
        if best:
            rows[[k, k + best]] = rows[[k + best, k]]
            value = -value
        value = field.tidy(value * rows[k, k])
        rows[k, k:] = _each(field.tidy, rows[k, k:] / rows[k, k])
        for i in range(n):
            if i != k and numbers.size(rows[i, k]) != 0:
                rows[i, k:] = _each(field.tidy, rows[i, k:] - rows[i, k] * rows[k, k:])
    return rows[:, n:], value


def substituted(field: Field, a: Matrix, b: Matrix, form: str) -> Matrix:
    """Solve a triangle row by row."""
    n = len(a)
    out = np.empty(b.shape, object)
    order = list(range(n)) if form == "lower" else list(reversed(range(n)))
    for place, i in enumerate(order):
        known = order[:place]
        for j in range(b.shape[1]):
            inner = [b[i, j], -field.dot(a[i, known], out[known, j])] if known else [b[i, j]]
            out[i, j] = field.tidy(field.numbers.add(inner) / a[i, i])
    return out


# --- one rule for each kind -----------------------------------------------------------------------


def inverse(field: Field, _: Inverse, a: Matrix) -> Matrix:
    """Solve for the identity."""
    return solution(field, a, identity(field, len(a)))


def solve(field: Field, operation: Solve, a: Matrix, b: Matrix) -> Matrix:
    """Solve in the way that the form allows."""
    form = operation.form
    if operation.adjoint:
        a, form = field.adjoint(a), {"lower": "upper", "upper": "lower"}.get(form, form)
    return solution(field, a, b) if form == "full" else substituted(field, a, b, form)


def determinants(field: Field, operation: Determinant, a: Matrix) -> Any:
    """Compute the determinant, and take it apart."""
    value = determinant(field, a)
    if operation.part == "value":
        return value
    return field.numbers.polar(value, operation.part, field.dtype.kind == "c")


def squares(field: Field, a: Matrix) -> tuple[Matrix, list[Any]]:
    """Write a positive matrix as L D Lᴴ with ones on the diagonal of L.

    Only the lower triangle is looked at. There are no square roots: what is rational stays so.
    """
    n = len(a)
    lower = identity(field, n)
    diagonal: list[Any] = []
    for j in range(n):
        back = [field.conjugate(x) for x in lower[j, :j]]
        scaled = [field.numbers.multiply([x, d]) for x, d in zip(back, diagonal, strict=True)]
        pivot = field.numbers.add([a[j, j], -field.dot(lower[j, :j], scaled)]) if j else a[j, j]
        pivot = field.numbers.real(pivot) if field.dtype.kind == "c" else pivot
        if field.numbers.size(pivot) is not None and not pivot > 0:
            raise NoExactFormError(
                f"a {n}x{n} matrix that is to be positive definite is not, computed exactly"
            )
        diagonal.append(pivot)
        for i in range(j + 1, n):
            rest = [a[i, j], -field.dot(lower[i, :j], scaled)] if j else [a[i, j]]
            lower[i, j] = field.tidy(field.numbers.add(rest) / pivot)
    return lower, diagonal


def cholesky(field: Field, _: Cholesky, a: Matrix) -> Matrix:
    """Take the roots of the diagonal last."""
    lower, diagonal = squares(field, a)
    roots = [field.numbers.root(d) for d in diagonal]
    for i, j in np.ndindex(*a.shape):
        if j <= i:
            lower[i, j] = field.numbers.multiply([lower[i, j], roots[j]])
    return lower


def band(field: Field, operation: Band, a: Matrix) -> Matrix:
    """Keep some diagonals."""
    out = a.copy()
    for i, j in np.ndindex(*a.shape):
        low = operation.low is not None and j - i < operation.low
        high = operation.high is not None and j - i > operation.high
        if low or high:
            out[i, j] = field.numbers.integer(0)
    return out


def pseudo_inverse(field: Field, _: PseudoInverse, a: Matrix, bound: Matrix) -> Matrix:
    """Invert AᴴA or A Aᴴ, whichever is smaller, and of lower rank, a product of full rank."""
    rows, columns = a.shape
    turned = field.adjoint(a)
    if field.is_written(a):
        rank = min(rows, columns)
    else:
        rank = _rank(field, a, bound)
    if rank == columns:
        return solution(field, field.product(turned, a), turned)
    if rank == rows:
        return field.adjoint(solution(field, field.product(a, turned), a))
    left, right = _full_rank(field, a)
    if left.shape[1] != rank:  # the bound counts as zero what is not
        values, u, v = (asked(field, SVD(part, False), a) for part in SVD.parts)
        return field.product(v[:, :rank] / values[:rank], field.adjoint(u[:, :rank]))
    first = solution(field, field.product(field.adjoint(left), left), field.adjoint(left))
    last = solution(field, field.product(right, field.adjoint(right)), right)
    return field.product(field.adjoint(last), first)


def _rank(field: Field, a: Matrix, bound: Matrix) -> int:
    """Count the singular values that the program does not take for zero."""
    if not a.size:
        return 0
    s = np.linalg.svd(field.rounded(a), compute_uv=False)
    return int(np.sum(s > float(bound[()]) * s.max()))


def _full_rank(field: Field, a: Matrix) -> tuple[Matrix, Matrix]:
    """Write A = C F with the independent columns of A, and the rows that are left of it."""
    rows = a.copy()
    pivots: list[int] = []
    numbers = field.numbers
    for j in range(a.shape[1]):
        k = len(pivots)
        sizes = [numbers.size(x) for x in rows[k:, j]]
        best = max(range(len(sizes)), key=sizes.__getitem__, default=None)
        if best is None or sizes[best] <= numbers.negligible(sizes, a):
            continue
        rows[[k, k + best]] = rows[[k + best, k]]
        rows[k] = rows[k] / rows[k, j]
        for i in range(len(rows)):
            if i != k:
                rows[i] = rows[i] - rows[i, j] * rows[k]
        pivots.append(j)
    return a[:, pivots], rows[: len(pivots)]


def qr(field: Field, operation: QR, a: Matrix) -> Matrix:
    """Take R from AᴴA = RᴴR, with the signs that LAPACK gives, and then Q = A R⁻¹."""
    rows, columns = a.shape
    if field.is_written(a) or columns > rows:
        raise NoExactFormError(
            "the signs of a QR decomposition are those that floats give: it has no formula in "
            "symbols; numpy(), exact() and evalf() have its value"
        )
    floats, float_triangle = np.linalg.qr(field.rounded(a), "complete")
    lower, diagonal = squares(field, field.product(field.adjoint(a), a))
    triangle = field.adjoint(lower)
    signs = np.real(np.diagonal(float_triangle))
    for i in range(columns):
        root = field.numbers.root(diagonal[i])
        factor = root if signs[i] >= 0 else -root
        triangle[i, i:] = [field.numbers.multiply([x, factor]) for x in triangle[i, i:]]
    if operation.part == "triangular":
        zeros = np.full((rows - columns, columns), field.numbers.integer(0), object)
        return np.concatenate([triangle, zeros]) if operation.full else triangle
    turned = substituted(field, field.adjoint(triangle), field.adjoint(a), "lower")
    q = field.adjoint(turned)
    return completed(field, q, floats) if operation.full else q


def completed(field: Field, vectors: Matrix, floats: Any) -> Matrix:
    """Add orthonormal columns to those that there are, as near as can be to those of floats."""
    count = vectors.shape[1]
    goal = field.exactly(floats[:, count:])
    along = field.product(vectors, field.product(field.adjoint(vectors), goal))
    return np.concatenate([vectors, orthonormal(field, goal - along)], axis=1)


def orthonormal(field: Field, a: Matrix) -> Matrix:
    """Make columns orthonormal, one after another."""
    out = a.copy()
    for k in range(a.shape[1]):
        for j in range(k):
            along = field.dot(map(field.conjugate, out[:, j]), out[:, k])
            out[:, k] = out[:, k] - along * out[:, j]
        square = field.dot(map(field.conjugate, out[:, k]), out[:, k])
        size = field.numbers.root(field.numbers.real(square))
        out[:, k] = out[:, k] / size
    return out


def asked(field: Field, operation: Any, a: Matrix) -> Matrix:
    """Let the numbers say what a spectrum or a function of a matrix is."""
    if not a.size:
        (shape, _) = operation.infer([a.shape], [field.dtype])
        if np.prod(shape):
            raise NoExactFormError("the vectors of an empty matrix are not determined")
        return np.empty(shape, object)
    return field.numbers.whole(operation, field, a)


Rule = Callable[..., Matrix]

RULES: dict[type[Operation], Rule] = {
    Inverse: inverse,
    Solve: solve,
    Determinant: determinants,
    Cholesky: cholesky,
    Band: band,
    PseudoInverse: pseudo_inverse,
    QR: qr,
    Eigh: asked,
    Eig: asked,
    SVD: asked,
    MatrixFunction: asked,
}


def on_matrices(operation: Any, context: Any, *operands: Any) -> Any:
    """Apply an operation to each matrix of a batch."""
    rule = RULES[type(operation)]
    field = Field(context.numbers, context.program.dtypes[context.operands[0]])
    own = [0 if type(operation) is PseudoInverse and k else 2 for k in range(len(operands))]
    out = np.empty(context.shape, object)
    batch = operands[0].shape[:-2]
    for place in np.ndindex(*batch):
        matrices = [
            x[place[len(place) - (x.ndim - n) :]] if x.ndim > n else x
            for x, n in zip(operands, own, strict=True)
        ]
        tidied = [_each(field.tidy, np.asarray(x)) for x in matrices]
        out[place] = rule(field, operation, *tidied)
    return out
