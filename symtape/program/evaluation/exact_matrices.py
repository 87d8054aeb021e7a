"""Linear algebra over any kind of number: symbols, exact numbers, many digits.

What elimination and square roots give is here, once for all kinds of numbers; spectra and functions
of matrices are asked of the numbers themselves (`Numbers.whole`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from symtape.errors import NoExactFormError
from symtape.program import kinds
from symtape.program.evaluation.column_pivots import column_pivots
from symtape.program.evaluation.elimination import (
    Field,
    Matrix,
    completed,
    each,
    identity,
    substituted,
)
from symtape.program.operations import Operation


def inverse(field: Field, _: kinds.Inverse, a: Matrix) -> Matrix:
    """Solve for the identity."""
    return field.solution(a, identity(field, len(a)))


def solve(field: Field, operation: kinds.Solve, a: Matrix, b: Matrix) -> Matrix:
    """Solve in the way that the form allows."""
    form = operation.form
    if form == "tridiagonal":
        a, form = _of_diagonals(field, a), "full"
    if operation.adjoint:
        a, form = field.adjoint(a), {"lower": "upper", "upper": "lower"}.get(form, form)
    return field.solution(a, b) if form == "full" else substituted(field, a, b, form)


def _of_diagonals(field: Field, lines: Matrix) -> Matrix:
    """Write out the matrix of three diagonals."""
    n = lines.shape[1]
    out = np.full((n, n), field.numbers.integer(0), object)
    for i, j in np.ndindex(n, n):
        if abs(i - j) <= 1:
            out[i, j] = lines[1 + i - j, i]
    return out


def determinants(field: Field, operation: kinds.Determinant, a: Matrix) -> Any:
    """Compute the determinant, and take it apart."""
    value = field.determinant(a)
    if operation.part == "value":
        return value
    if operation.part == "log":
        return field.numbers.log_size(value)
    return field.numbers.sign(value, is_complex=field.dtype.kind == "c")


def log_determinant(field: Field, _: kinds.LogDeterminant, a: Matrix) -> Any:
    """Take the logarithm of the determinant; numbers show whether it is one that exists."""
    if not field.is_written(a):
        squares(field, a)
    return field.numbers.log_size(field.determinant(a))


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
        if field.numbers.size(pivot) is not None and pivot <= 0:
            raise NoExactFormError(
                f"a {n}x{n} matrix that is to be positive definite is not, computed exactly; "
                "numpy() has what floats make of it"
            )
        diagonal.append(pivot)
        for i in range(j + 1, n):
            rest = [a[i, j], -field.dot(lower[i, :j], scaled)] if j else [a[i, j]]
            lower[i, j] = field.tidy(field.numbers.add(rest) / pivot)
    return lower, diagonal


def cholesky(field: Field, _: kinds.Cholesky, a: Matrix) -> Matrix:
    """Take the roots of the diagonal last."""
    lower, diagonal = squares(field, a)
    roots = [field.numbers.root(d) for d in diagonal]
    for i, j in np.ndindex(*a.shape):
        if j <= i:
            lower[i, j] = field.numbers.multiply([lower[i, j], roots[j]])
    return lower


def eliminated(field: Field, _: kinds.Elimination, a: Matrix) -> Matrix:
    """Take multiples of each row from those below, as Gauss did."""
    out = a.copy()
    n = len(a)
    for k in range(n):
        for i in range(k + 1, n):
            if field.numbers.size(out[k, k]) == 0:
                raise NoExactFormError(
                    f"a pivot of the {n}x{n} matrix of lu is zero, computed exactly; numpy() has "
                    "what floats make of it"
                )
            out[i, k] = field.tidy(out[i, k] / out[k, k])
            for j in range(k + 1, n):
                step = field.numbers.multiply([out[i, k], out[k, j]])
                out[i, j] = field.tidy(field.numbers.add([out[i, j], -step]))
    return out


def band(field: Field, operation: kinds.Band, a: Matrix) -> Matrix:
    """Keep some diagonals."""
    out = a.copy()
    for i, j in np.ndindex(*a.shape):
        low = operation.low is not None and j - i < operation.low
        high = operation.high is not None and j - i > operation.high
        if low or high:
            out[i, j] = field.numbers.integer(0)
    return out


def pseudo_inverse(
    field: Field, operation: kinds.PseudoInverse, a: Matrix, bound: Matrix
) -> Matrix:
    """Invert AᴴA or A Aᴴ, whichever is smaller, and of lower rank, a product of full rank."""
    rows, columns = a.shape
    turned = field.adjoint(a)
    if field.is_written(a):
        rank = min(rows, columns)
    else:
        rank = _rank(field, operation, a, bound)
    if rank == columns:
        return field.solution(field.product(turned, a), turned)
    if rank == rows:
        return field.adjoint(field.solution(field.product(a, turned), a))
    left, right = _full_rank(field, a)
    if left.shape[1] != rank:  # the bound counts as zero what is not
        values, u, v = (asked(field, kinds.SVD(part, False), a) for part in kinds.SVD.parts)
        return field.product(v[:, :rank] / values[:rank], field.adjoint(u[:, :rank]))
    first = field.solution(field.product(field.adjoint(left), left), field.adjoint(left))
    last = field.solution(field.product(right, field.adjoint(right)), right)
    return field.product(field.adjoint(last), first)


def _rank(field: Field, operation: kinds.PseudoInverse, a: Matrix, bound: Matrix) -> int:
    """Count the singular values that the program does not take for zero."""
    if not a.size:
        return 0
    rounded = field.rounded(a)
    if operation.compares == "pivots":
        sizes = column_pivots(rounded, np.arange(rounded.shape[-1]))
    else:
        sizes = np.linalg.svd(rounded, compute_uv=False)
    return int(np.sum(sizes > float(bound[()]) * sizes.max()))


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


def qr(field: Field, operation: kinds.QR, a: Matrix) -> Matrix:
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


def asked(field: Field, operation: Any, a: Matrix) -> Matrix:
    """Let the numbers say what a spectrum or a function of a matrix is."""
    if not a.size:
        (shape, _) = operation.infer([a.shape], [field.dtype])
        if np.prod(shape):
            raise NoExactFormError(
                "the vectors of an empty matrix are not determined; numpy() has those that floats "
                "give"
            )
        return np.empty(shape, object)
    return field.numbers.whole(operation, field, a)


Rule = Callable[..., Matrix]

RULES: dict[type[Operation], Rule] = {
    kinds.Inverse: inverse,
    kinds.Solve: solve,
    kinds.Determinant: determinants,
    kinds.LogDeterminant: log_determinant,
    kinds.Cholesky: cholesky,
    kinds.Elimination: eliminated,
    kinds.Band: band,
    kinds.PseudoInverse: pseudo_inverse,
    kinds.QR: qr,
    kinds.Eigh: asked,
    kinds.Eig: asked,
    kinds.SVD: asked,
    kinds.MatrixFunction: asked,
}


def on_matrices(operation: Any, context: Any, *operands: Any) -> Any:
    """Apply an operation to each matrix of a batch."""
    rule = context.numbers.matrices[type(operation)]
    field = Field(context.numbers, context.program.dtypes[context.operands[0]])
    own = [0 if type(operation) is kinds.PseudoInverse and k else 2 for k in range(len(operands))]
    out = np.empty(context.shape, object)
    batch = operands[0].shape[:-2]
    for place in np.ndindex(*batch):
        matrices = [
            x[place[len(place) - (x.ndim - n) :]] if x.ndim > n else x
            for x, n in zip(operands, own, strict=True)
        ]
        tidied = [each(field.tidy, np.asarray(x)) for x in matrices]
        out[place] = rule(field, operation, *tidied)
    return out
