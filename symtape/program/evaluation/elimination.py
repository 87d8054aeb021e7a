"""Matrices over any kind of number: products, elimination, orthonormal columns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from symtape.errors import NoExactFormError
from symtape.program.operations import DType

Matrix = Any
"""A NumPy array of dtype object with two axes."""


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

    def solution(self, a: Matrix, b: Matrix) -> Matrix:
        """Solve A X = B."""
        return self.numbers.solution(self, a, b)

    def determinant(self, a: Matrix) -> Any:
        """Compute the determinant."""
        return self.numbers.determinant(self, a)

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


def identity(field: Field, n: int) -> Matrix:
    """Make the identity matrix."""
    zero, one = field.numbers.integer(0), field.numbers.integer(1)
    out = np.full((n, n), zero, object)
    for i in range(n):
        out[i, i] = one
    return out


def each(function: Callable[[Any], Any], a: Matrix) -> Matrix:
    """Apply a function to each element."""
    out = np.empty(a.shape, object)
    for place in np.ndindex(*a.shape):
        out[place] = function(a[place])
    return out


def line_of(elements: Sequence[Any]) -> Matrix:
    """Make an array of one axis."""
    out = np.empty(len(elements), object)
    out[:] = list(elements)
    return out


def folded(field: Field, a: Matrix) -> Matrix:
    """Make a matrix self-adjoint by its lower triangle."""
    out = a.copy()
    for i, j in np.ndindex(*a.shape):
        if i < j:
            out[i, j] = field.conjugate(a[j, i])
        elif i == j and field.dtype.kind == "c":
            out[i, i] = field.numbers.real(a[i, i])
    return out


def matched(floats: Any, values: Sequence[complex]) -> list[int]:
    """Give for each float the place of the value that is nearest to it of those that are left."""
    left, order = list(range(len(values))), []
    for x in floats:
        order.append(min(left, key=lambda k: abs(values[k] - complex(x))))
        left.remove(order[-1])
    return order


class Eliminating:
    """What linear algebra asks of numbers whose zeros are known, by elimination.

    It is done here, because others lose what is small or hidden: mpmath's elimination takes a small
    pivot for zero, and SymPy's `DomainMatrix` does not know that sin²(1) + cos²(1) is one.
    """

    def solution(self, field: Field, a: Matrix, b: Matrix) -> Matrix:
        """Solve A X = B."""
        found = _eliminated(field, a, b)[0]
        if found is None:
            raise NoExactFormError(
                f"a {len(a)}x{len(a)} matrix that is to be inverted is singular, computed exactly; "
                "numpy() has what floats make of it"
            )
        return found

    def determinant(self, field: Field, a: Matrix) -> Any:
        """Multiply the pivots."""
        return _eliminated(field, a, a[:, :0])[1]

    def tidy(self, x: Any) -> Any:
        """Leave a number as it is."""
        return x

    def negligible(self, _sizes: Sequence[Any], _a: Matrix) -> Any:
        """Count nothing but zero as zero."""
        return 0


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
        rows[k, k:] = each(field.tidy, rows[k, k:] / rows[k, k])
        for i in range(n):
            if i != k and numbers.size(rows[i, k]) != 0:
                rows[i, k:] = each(field.tidy, rows[i, k:] - rows[i, k] * rows[k, k:])
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
