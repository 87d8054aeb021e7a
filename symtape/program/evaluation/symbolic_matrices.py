"""Linear algebra over SymPy's expressions: symbols while they have a formula, exact numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import sympy as sp

from symtape.errors import ExpansionError, NoExactFormError
from symtape.program.evaluation.elimination import (
    Eliminating,
    Field,
    Matrix,
    completed,
    each,
    folded,
    identity,
    line_of,
    matched,
)
from symtape.program.evaluation.exact_matrices import RULES as MATRICES
from symtape.program.kinds.matrices import SVD, Eig, Eigh, MatrixFunction

_WRITTEN_OUT = 4
"""The most rows of a matrix of symbols whose inverse is written out."""
_VECTORS = 3
_FUNCTIONS = 6


class SymbolicMatrices(Eliminating):
    """What linear algebra asks of SymPy's expressions."""

    matrices = MATRICES

    def integer(self, n: int) -> Any:
        """Give a small number."""
        return sp.Integer(n)

    def conjugate(self, x: Any) -> Any:
        """Conjugate."""
        return sp.conjugate(x)

    def real(self, x: Any) -> Any:
        """Take the real part."""
        return sp.re(x)

    def root(self, x: Any) -> Any:
        """Take the square root."""
        return sp.sqrt(x)

    def size(self, x: Any) -> Any:
        """Give the square of the size of a number, 0 for nothing else but 0; None for symbols."""
        x = sp.sympify(x)
        if x.free_symbols:
            return None
        if x.is_Rational:
            return x * x
        if x in (sp.nan, sp.zoo) or x.is_infinite:
            raise NoExactFormError(
                "linear algebra has no exact form where values are undefined or infinite; numpy() "
                "has what floats make of it"
            )
        real, imaginary = x.as_real_imag()
        if real.is_Rational and imaginary.is_Rational:
            return real**2 + imaginary**2
        size = abs(sp.N(x, 30)) ** 2
        return sp.Integer(0) if size < sp.Float("1e-40") and x.equals(0) else size

    def tidy(self, x: Any) -> Any:
        """Write a number with its real and imaginary part apart; symbols stay as they are."""
        x = sp.sympify(x)
        if x.is_Rational or x.free_symbols:
            return x
        real, imaginary = x.as_real_imag()
        return real + sp.I * imaginary

    def solution(self, field: Field, a: Matrix, b: Matrix) -> Matrix:
        """Solve A X = B: Cramer's rule for symbols, elimination for numbers."""
        return _by_cramer(field, a, b) if field.is_written(a) else super().solution(field, a, b)

    def determinant(self, field: Field, a: Matrix) -> Any:
        """Expand for symbols, eliminate for numbers."""
        if not field.is_written(a):
            return super().determinant(field, a)
        return _expanded(field, a, {}, 0, tuple(range(len(a))))

    def log_size(self, value: Any) -> Any:
        """Give the logarithm of the size of a determinant."""
        return sp.log(sp.Abs(value))

    def sign(self, value: Any, *, is_complex: bool) -> Any:
        """Give the sign of a determinant."""
        return value / sp.Abs(value) if is_complex and value != 0 else sp.sign(value)

    def whole(self, operation: Any, field: Field, a: Matrix) -> Matrix:
        """Give a spectrum or a function of a matrix."""
        return _WHOLE[type(operation)](field, operation, a)


def _refuse(what: str) -> NoExactFormError:
    return NoExactFormError(
        f"{what} have no closed form: evalf(digits) has any number of digits, numpy() has floats"
    )


# --- symbols --------------------------------------------------------------------------------------


def _expanded(
    field: Field, a: Matrix, known: dict[Any, Any], row: int, columns: tuple[int, ...]
) -> Any:
    """Expand along rows; minors are shared."""
    _check_size(len(a), "determinant", _WRITTEN_OUT + 1)
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


def _by_cramer(field: Field, a: Matrix, b: Matrix) -> Matrix:
    n = len(a)
    _check_size(n, "inverse", _WRITTEN_OUT)
    value = field.determinant(a)
    adjugate = np.empty((n, n), object)
    for i, j in np.ndindex(n, n):
        minor = np.delete(np.delete(a, j, 0), i, 1)
        sign = field.numbers.integer(-1 if (i + j) % 2 else 1)
        inner = _expanded(field, minor, {}, 0, tuple(range(n - 1)))
        adjugate[i, j] = field.numbers.multiply([sign, inner])
    whole = field.product(adjugate, b)
    return each(lambda x: x / value, whole)


# --- spectra --------------------------------------------------------------------------------------


def _coefficients(a: Matrix) -> list[Any]:
    """Give the characteristic polynomial, from the highest power.

    It is not taken apart by blocks: SymPy compares those of symbols by size, which raises.
    """
    matrix = sp.Matrix(a.tolist()).to_DM()
    return [sp.expand(matrix.domain.to_sympy(c)) for c in matrix.charpoly_berk()]


def _values(field: Field, a: Matrix) -> list[Any]:
    """Give the eigenvalues of a self-adjoint matrix, ascending."""
    n = len(a)
    if n == 1:
        return [a[0, 0]]
    if n == 2:
        middle, apart = (a[0, 0] + a[1, 1]) / 2, (a[0, 0] - a[1, 1]) / 2
        root = sp.sqrt(apart**2 + a[1, 0] * field.conjugate(a[1, 0]))
        return [middle - root, middle + root]
    coefficients = _coefficients(a) if not field.is_written(a) else [None]
    if not all(isinstance(c, sp.Rational) for c in coefficients):
        raise _refuse(f"the eigenvalues of a {n}x{n} matrix that is not of rational numbers")
    return list(sp.Poly(coefficients, sp.Dummy("x")).real_roots())


def _vectors(field: Field, a: Matrix, values: Sequence[Any]) -> Matrix:
    """Give the eigenvectors of a self-adjoint matrix, of any sign, as columns of projectors."""
    n = len(a)
    if field.is_written(a):
        raise _refuse("the eigenvectors or singular vectors of a matrix of symbols")
    if n > _VECTORS or (field.dtype.kind == "c" and n > 1):
        what = "complex" if field.dtype.kind == "c" else f"{n}x{n}"
        raise _refuse(f"the eigenvectors or singular vectors of a {what} matrix")
    out = np.empty((n, n), object)
    for k, value in enumerate(values):
        projector = identity(field, n)
        for j, other in enumerate(values):
            gap = value - other
            if j != k and field.numbers.size(gap) == 0:
                raise NoExactFormError(
                    "vectors that belong to equal eigenvalues or singular values are not "
                    "determined; numpy() has those that floats give"
                )
            if j != k:
                step = (a - other * identity(field, n)) / gap
                projector = field.product(projector, step)
        best = int(np.argmax([float(sp.N(sp.re(projector[i, i]))) for i in range(n)]))
        out[:, k] = projector[:, best] / sp.sqrt(projector[best, best])
    return out


def _signed(vectors: Matrix, floats: Any) -> Matrix:
    """Choose the signs that floats gave."""
    out = vectors.copy()
    for k in range(out.shape[1]):
        along = sum(float(sp.N(x)) * y for x, y in zip(out[:, k], floats[:, k], strict=True))
        if along < 0:
            out[:, k] = -out[:, k]
    return out


def _eigh(field: Field, operation: Eigh, a: Matrix) -> Matrix:
    a = folded(field, a)
    if operation.part == "vectors" and not field.is_written(a):
        floats = np.linalg.eigh(field.rounded(a))[1]
        if all(a[i, j] == 0 for i, j in np.ndindex(*a.shape) if i != j) and np.all(
            np.isin(floats, [-1, 0, 1])
        ):
            out = np.empty(a.shape, object)
            for place in np.ndindex(*a.shape):
                out[place] = sp.Integer(int(floats[place].real))
            return out
        return _signed(_vectors(field, a, _values(field, a)), floats)
    values = _values(field, a)
    return line_of(values) if operation.part == "values" else _vectors(field, a, values)


def _svd(field: Field, operation: SVD, a: Matrix) -> Matrix:
    rows, columns = a.shape
    turned = field.adjoint(a)
    small = field.product(a, turned) if rows <= columns else field.product(turned, a)
    squares = _values(field, small)[::-1]
    values = [sp.sqrt(s) for s in squares]
    if operation.part == "values":
        return line_of(values)
    vectors = _vectors(field, small, squares)
    u, _, vh = np.linalg.svd(field.rounded(a))
    vectors = _signed(vectors, u if rows <= columns else np.conjugate(vh.T))
    if (operation.part == "left") == (rows <= columns):
        return vectors
    if any(field.numbers.size(s) == 0 for s in values):
        raise NoExactFormError(
            "singular vectors that belong to zero are not determined; numpy() has those that "
            "floats give"
        )
    other = field.product(turned if rows <= columns else a, vectors)
    other = other / line_of(values)
    floats = u if operation.part == "left" else np.conjugate(vh.T)
    return completed(field, other, floats) if operation.full else other


def _eig(field: Field, operation: Eig, a: Matrix) -> Matrix:
    if operation.part == "vectors":
        raise _refuse("the eigenvectors of a matrix that is not self-adjoint")
    if field.is_written(a) and len(a) > 1:
        raise _refuse("the eigenvalues, in the order of floats, of a matrix of symbols")
    roots = [root for root, count in _roots(field, a) for _ in range(count)]
    floats = np.linalg.eigvals(field.rounded(a))
    return line_of([roots[k] for k in matched(floats, [complex(sp.N(root)) for root in roots])])


def _roots(field: Field, a: Matrix) -> list[tuple[Any, int]]:
    """Give the eigenvalues of a matrix, and how often each of them counts."""
    if len(a) == 1:
        return [(a[0, 0], 1)]
    trace = sp.expand(sp.Add(*np.diag(a)))  # long before all of the polynomial is written out
    if field.numbers.size(trace) is None:
        raise _refuse("the eigenvalues of a matrix of symbols")
    coefficients = _coefficients(a)
    if any(field.numbers.size(c) is None for c in coefficients):
        raise _refuse("the eigenvalues of a matrix of symbols")
    polynomial = sp.Poly(coefficients, sp.Dummy("x"), extension=True)
    if not all(isinstance(c, sp.Rational) for c in coefficients):
        found = sp.roots(polynomial)
        if sum(found.values()) < len(a):
            raise _refuse("the eigenvalues of a matrix that is not of rational numbers")
        return list(found.items())
    return [
        (root, count) for factor, count in polynomial.sqf_list()[1] for root in factor.all_roots()
    ]


# --- functions of matrices ------------------------------------------------------------------------

_TAYLOR: dict[str, Callable[[Any, int], Any]] = {
    "exp": lambda x, k: sp.exp(x) / sp.factorial(k),
    "log": lambda x, k: sp.log(x) if k == 0 else -sp.Rational((-1) ** k, k) / x**k,
    "sqrt": lambda x, k: sp.binomial(sp.Rational(1, 2), k) * sp.sqrt(x) / x**k,
}
"""The coefficients of the Taylor series of each function about a point."""


def _function(field: Field, operation: MatrixFunction, a: Matrix) -> Matrix:
    """Interpolate in the eigenvalues: Higham, Functions of Matrices (2008), definition 1.4."""
    n = len(a)
    if n > _FUNCTIONS:
        raise _refuse(f"functions of a {n}x{n} matrix")
    taylor = _TAYLOR[operation.name]
    nodes = [root for root, count in _roots(field, a) for _ in range(count)]
    table = [taylor(x, 0) for x in nodes]
    one = identity(field, n)
    total, factor = table[0] * one, one
    for k in range(1, n):
        table = [
            taylor(nodes[i], k)
            if nodes[i] == nodes[i + k]
            else (table[i + 1] - table[i]) / (nodes[i + k] - nodes[i])
            for i in range(n - k)
        ]
        factor = field.product(factor, a - nodes[k - 1] * one)
        total = total + table[0] * factor
    return total


_WHOLE: dict[type, Callable[..., Matrix]] = {
    Eigh: _eigh,
    SVD: _svd,
    Eig: _eig,
    MatrixFunction: _function,
}
