"""Spectra and functions of matrices over balls: eigenvalues that Arb isolates."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from symtape.errors import NoExactFormError
from symtape.exact.balls.arithmetic import interval, is_wide, logarithm, root, total, whole_power
from symtape.exact.balls.numbers import Ball, complexified, flint, is_finite, parts_of, unknown
from symtape.exact.balls.solutions import (
    Rule,
    array_of,
    check_point,
    matrix_of,
    solution,
    unknown_matrix,
)
from symtape.program.evaluation.elimination import (
    Field,
    Matrix,
    completed,
    each,
    folded,
    line_of,
    matched,
)
from symtape.program.kinds.matrices import (
    SVD,
    Eig,
    Eigh,
    MatrixFunction,
)


def _eigenvalues(field: Field, a: Matrix) -> list[Ball]:
    """Enclose all eigenvalues, each as often as it occurs."""
    try:
        found = list(flint().acb_mat(matrix_of(field, a)).eig(multiple=True))
    except ValueError:
        return [unknown(of_complex=True)] * len(a)
    return found if field.dtype.kind == "c" else _without_partners(found)


def _without_partners(values: Sequence[Ball]) -> list[Ball]:
    """Make those real that are no other's conjugate: the spectrum of a real matrix is symmetric."""
    out = []
    for k, x in enumerate(values):
        turned = x.conjugate()
        partners = [j for j, y in enumerate(values) if y.overlaps(turned)]
        out.append(flint().acb(x.real) if partners == [k] else x)
    return out


def _eigenpairs(field: Field, a: Matrix, what: str) -> tuple[list[Ball], Matrix]:
    """Enclose eigenvalues and eigenvectors of any length, where all values are apart."""
    try:
        values, vectors = flint().acb_mat(matrix_of(field, a)).eig(right=True)
    except ValueError:
        raise NoExactFormError(
            f"{what} of a matrix of shape {a.shape} whose eigenvalues are equal, or nearer to each "
            "other than bounds tell, have no enclosure; evalf(digits) and numpy() may have values"
        ) from None
    return list(values), array_of(vectors)


def _ascending(values: Sequence[Ball]) -> list[Ball]:
    """Order real numbers: the k-th is between the k-th of the lower and of the upper bounds.

    Nothing needs to be decided for that.
    """
    if not all(map(is_finite, values)):
        return list(values)
    one = _sorted([x.lower() for x in values])
    other = _sorted([x.upper() for x in values])
    return [interval(low, high) for low, high in zip(one, other, strict=True)]


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
    towards = [complexified(x) for x in field.exactly(np.asarray(goal))]
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
        return line_of(_near(a, lambda m: _ascending([x.real for x in _eigenvalues(field, m)])))
    check_point(a, "the signs of eigenvectors")
    return _eigenvectors(field, a, np.linalg.eigh(field.rounded(a))[1])


def _near(a: Matrix, values: Callable[[Matrix], list[Ball]]) -> list[Ball]:
    """Enclose the eigenvalues or singular values of all matrices in a box: those of its middle.

    By Weyl and Mirsky none is farther from its own than the norm of what is between the matrices.
    """
    if not any(is_wide(part) for x in a.flat for part in parts_of(x)):
        return values(a)
    middle = each(lambda x: x.mid(), a)
    square = total([whole_power(abs(x - m), 2) for x, m in zip(a.flat, middle.flat, strict=True)])
    norm = root(square).upper()
    return [interval(x - norm, x + norm) for x in values(middle)]


def _eigenvectors(field: Field, a: Matrix, floats: Any) -> Matrix:
    """Enclose the eigenvectors of a self-adjoint matrix, in the order of their values."""
    values, vectors = _eigenpairs(field, a, "the vectors")
    order = _apart([x.real for x in values])
    if order is None:
        return unknown_matrix(field, a.shape)
    out = np.empty(a.shape, object)
    for place, k in enumerate(order):
        out[:, place] = _turned(field, list(vectors[:, k]), floats[:, place])
    return out


def _svd(field: Field, operation: SVD, a: Matrix) -> Matrix:
    """Take it from the spectrum of AᴴA or A Aᴴ, whichever is smaller."""
    if operation.part == "values":
        return line_of([_nonnegative(s) for s in _near(a, lambda m: _singular(field, m)[1])])
    check_point(a, "the signs of singular vectors")
    square, roots = _singular(field, a)
    float_left, _, float_right = np.linalg.svd(field.rounded(a))
    u, v = _singular_vectors(field, a, square, roots, float_left)
    own, floats = (u, float_left) if operation.part == "left" else (v, np.conjugate(float_right.T))
    return completed(field, own, floats) if operation.full else own


def _singular(field: Field, a: Matrix) -> tuple[Matrix, list[Ball]]:
    """Give AᴴA or A Aᴴ, and the roots of its eigenvalues, descending."""
    turned = field.adjoint(a)
    wide = a.shape[0] < a.shape[1]
    square = folded(field, field.product(a, turned) if wide else field.product(turned, a))
    values = _ascending([x.real for x in _eigenvalues(field, square)])[::-1]
    return square, [root(_nonnegative(x)) for x in values]


def _nonnegative(x: Ball) -> Ball:
    return x.nonnegative_part() if is_finite(x) and not x >= 0 else x


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
    check_point(a, "the order of eigenvalues")
    floats, columns = np.linalg.eig(field.rounded(a))
    is_values = operation.part == "values"
    values, vectors = (
        (_eigenvalues(field, a), None) if is_values else _eigenpairs(field, a, "the vectors")
    )
    order = matched(floats, [complex(x.mid()) for x in values])
    if vectors is None:
        return line_of([values[k] for k in order])
    out = np.empty(a.shape, object)
    complexes = Field(field.numbers, np.dtype("complex128"))
    for place, k in enumerate(order):
        out[:, place] = _turned(complexes, list(vectors[:, k]), columns[:, place])
    return out


# --- functions of matrices ------------------------------------------------------------------------


def _function(field: Field, operation: MatrixFunction, a: Matrix) -> Matrix:
    """Ask Arb for the exponential; others are V f(D) V⁻¹, where all eigenvalues are apart."""
    if operation.name == "exp":
        return array_of(matrix_of(field, a).exp())
    values, vectors = _eigenpairs(field, a, f"the entries of {operation.function}")
    function = {"log": logarithm, "sqrt": root}[operation.name]
    complexes = Field(field.numbers, np.dtype("complex128"))
    scaled = vectors * line_of([function(x) for x in values])[None, :]
    turned = solution(complexes, complexes.adjoint(vectors), complexes.adjoint(scaled))
    found = complexes.adjoint(turned)
    return found if field.dtype.kind == "c" else each(lambda x: x.real, found)


WHOLE: Mapping[type, Rule] = {Eigh: _eigh, SVD: _svd, Eig: _eig, MatrixFunction: _function}
