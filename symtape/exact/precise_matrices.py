"""Linear algebra to any number of digits, by mpmath.

Signs, phases and bases that are not determined are those that floats give.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from symtape.errors import NoExactFormError
from symtape.program.evaluation.elimination import (
    Eliminating,
    Field,
    Matrix,
    completed,
    folded,
    line_of,
    matched,
    orthonormal,
)
from symtape.program.evaluation.exact_matrices import RULES as MATRICES
from symtape.program.kinds.matrices import SVD, Eig, Eigh, MatrixFunction


class PreciseMatrices(Eliminating):
    """What linear algebra asks of mpmath's numbers."""

    context: Any

    matrices = MATRICES

    def integer(self, n: int) -> Any:
        """Give a small number."""
        return self.context.mpf(n)

    def conjugate(self, x: Any) -> Any:
        """Conjugate."""
        return self.context.conj(x)

    def real(self, x: Any) -> Any:
        """Take the real part."""
        return self.context.re(x)

    def root(self, x: Any) -> Any:
        """Take the square root."""
        return self.context.sqrt(x)

    def size(self, x: Any) -> Any:
        """Give the size."""
        return abs(x)

    def negligible(self, _sizes: Sequence[Any], a: Matrix) -> Any:
        """Say which sizes are what rounding leaves of zero."""
        largest = max((abs(x) for x in a.flat), default=self.context.mpf(0))
        return largest * self.context.mpf(10) ** (-self.context.dps // 2)

    def log_size(self, value: Any) -> Any:
        """Give the logarithm of the size of a determinant."""
        return self.context.log(abs(value))

    def sign(self, value: Any, *, is_complex: bool) -> Any:  # noqa: ARG002 - one rule for both
        """Give the sign of a determinant."""
        return value / abs(value) if value else value

    def whole(self, operation: Any, field: Field, a: Matrix) -> Matrix:
        """Give a spectrum or a function of a matrix."""
        try:
            return _WHOLE[type(operation)](field, operation, a)
        except (RuntimeError, ZeroDivisionError, self.context.NoConvergence) as error:
            raise NoExactFormError(
                f"{operation!r} of a matrix of shape {a.shape}, to {self.context.dps} digits: "
                f"{error}"
            ) from None


def _matrix(field: Field, a: Matrix) -> Any:
    return field.numbers.context.matrix(a.tolist())


def _array(field: Field, m: Any) -> Matrix:
    """Take the elements of a matrix of mpmath's; what is computed of real numbers is real."""
    out = np.empty((m.rows, m.cols), object)
    for i, j in np.ndindex(*out.shape):
        out[i, j] = m[i, j] if field.dtype.kind == "c" else field.numbers.real(m[i, j])
    return out


def _aligned(field: Field, vectors: Matrix, values: Sequence[Any], floats: Any) -> list[Matrix]:
    """Turn vectors of one value among themselves until they are near those that floats gave.

    Give the turns: one matrix for each run of equal values.
    """
    context = field.numbers.context
    scale = max((abs(v) for v in values), default=context.mpf(0))
    equal = scale * context.mpf(10) ** (-context.dps // 2)
    turns, first = [], 0
    for end in range(1, len(values) + 1):
        if end == len(values) or abs(values[end] - values[first]) > equal:
            goal = field.exactly(floats[:, first:end])
            own = field.product(field.adjoint(vectors[:, first:end]), goal)
            turns.append(orthonormal(field, own))
            first = end
    return turns


def _turned(field: Field, vectors: Matrix, turns: Sequence[Matrix]) -> Matrix:
    out, first = vectors.copy(), 0
    for turn in turns:
        end = first + len(turn)
        out[:, first:end] = field.product(vectors[:, first:end], turn)
        first = end
    return out


def _eigh(field: Field, operation: Eigh, a: Matrix) -> Matrix:
    a = folded(field, a)
    found, vectors = field.numbers.context.eigh(_matrix(field, a))
    values = [field.numbers.real(v) for v in found]
    if operation.part == "values":
        return line_of(values)
    columns = _array(field, vectors)
    turns = _aligned(field, columns, values, np.linalg.eigh(field.rounded(a))[1])
    return _turned(field, columns, turns)


def _svd(field: Field, operation: SVD, a: Matrix) -> Matrix:
    context = field.numbers.context
    rows, columns = a.shape
    if rows < columns:  # mpmath wants as many rows as columns, or more
        v, s, u = _svd_tall(field, field.adjoint(a))
    else:
        u, s, v = _svd_tall(field, a)
    if operation.part == "values":
        return line_of(s)
    float_u, _, float_vh = np.linalg.svd(field.rounded(a))
    float_v = np.conjugate(float_vh.T)
    turns = _aligned(field, u, s, float_u[:, : len(s)])
    if operation.part == "left":
        u = _turned(field, u, turns)
        return completed(field, u, float_u) if operation.full else u
    largest = max(s, default=context.mpf(0))
    zero = largest * context.mpf(10) ** (-context.dps // 2)
    if any(x <= zero for x in s):  # U says nothing of what belongs to zero
        own = _aligned(field, v, s, float_v[:, : len(s)])
        kept, at = [], 0
        for turn, other in zip(turns, own, strict=True):
            kept.append(other if s[at] <= zero else turn)
            at += len(turn)
        turns = kept
    v = _turned(field, v, turns)
    return completed(field, v, float_v) if operation.full else v


def _svd_tall(field: Field, a: Matrix) -> tuple[Matrix, list[Any], Matrix]:
    u, s, vh = field.numbers.context.svd(_matrix(field, a), full_matrices=False)
    return _array(field, u), list(s), field.adjoint(_array(field, vh))


def _eig(field: Field, operation: Eig, a: Matrix) -> Matrix:
    """Put the eigenvalues into the order of floats."""
    context = field.numbers.context
    found, vectors = context.eig(_matrix(field, a))
    floats, columns = np.linalg.eig(field.rounded(a))
    order = matched(floats, [complex(x) for x in found])
    if operation.part == "values":
        return line_of([context.mpc(found[k]) for k in order])
    out = np.empty(a.shape, object)
    for place, k in enumerate(order):
        line = [context.mpc(vectors[i, k]) for i in range(len(a))]
        goal = [context.mpc(complex(x)) for x in columns[:, place]]
        along = context.fdot([context.conj(x) for x in line], goal)
        turn = along / (abs(along) * context.norm(line))
        out[:, place] = [x * turn for x in line]
    return out


def _function(field: Field, operation: MatrixFunction, a: Matrix) -> Matrix:
    function = getattr(field.numbers.context, operation.function)
    return _array(field, function(_matrix(field, a)))


_WHOLE: dict[type, Callable[..., Matrix]] = {
    Eigh: _eigh,
    SVD: _svd,
    Eig: _eig,
    MatrixFunction: _function,
}
