"""Linear algebra in matrix notation: what is done with the matrices in the last two axes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import sympy as sp

from symtape.errors import NoMatrixFormError
from symtape.forms.matrix.algebra import Algebra
from symtape.forms.matrix.blocks import blocks
from symtape.forms.matrix.nodes import (
    SCALAR,
    Identity,
    Matrix,
    Named,
    Product,
    Turned,
    turned_shape,
)
from symtape.forms.matrix.reading.asking import Reader, operand, two, wide
from symtape.forms.matrix.reading.triangles import offset_triangle, triangle
from symtape.program import kinds
from symtape.program.operations import Operation

_TINY = 1e-4
"""Singular values that are smaller, relative to the largest, count as zero in any case."""


_PLAIN = {"exp": sp.exp, "log": sp.log, "sqrt": sp.sqrt}
_PARTS: dict[str, Callable[[Any], Any]] = {
    "value": lambda e: e,
    "sign": sp.sign,
    "log": lambda e: sp.log(sp.Abs(e)),
}
"""What is done with a number: of a determinant, by its part."""


def _inverse(r: Reader, _: int, _operation: kinds.Inverse, operands: Sequence[int]) -> Matrix:
    return r.algebra.inverse(r.read(operands[0]))


def _solve(r: Reader, p: int, operation: kinds.Solve, operands: Sequence[int]) -> Matrix:
    if r.b.dtypes[p].kind == "c":
        raise NoMatrixFormError("the solution with a complex matrix has no matrix notation")
    x = r.read(operands[0])
    if operation.form != "full":
        x = triangle(r.algebra, x, "tril" if operation.form == "lower" else "triu")
    left = r.algebra.inverse(x)
    left = r.algebra.transpose(left) if operation.adjoint else left
    return r.algebra.product(left, r.read(operands[1]))


def _log_determinant(
    r: Reader, _: int, _operation: kinds.LogDeterminant, operands: Sequence[int]
) -> Matrix:
    return r.algebra.apply(sp.log, _det(r, operands[0]))


def _determinant(
    r: Reader, _: int, operation: kinds.Determinant, operands: Sequence[int]
) -> Matrix:
    return r.algebra.apply(_PARTS[operation.part], _det(r, operands[0]))


def _det(r: Reader, p: int) -> Matrix:
    x = r.read(p)
    return r.algebra.of(Named("det", (x,), SCALAR))


def _cholesky(r: Reader, _: int, _operation: kinds.Cholesky, operands: Sequence[int]) -> Matrix:
    x = r.read(operands[0])
    return r.algebra.of(Named("chol", (x,), x.shape))


def _function(
    r: Reader, _: int, operation: kinds.MatrixFunction, operands: Sequence[int]
) -> Matrix:
    x = r.read(operands[0])
    whole = _function_of_step(r.algebra, operation, x)
    return _function_of(r.algebra, operation, x) if whole is None else whole


def _function_of(algebra: Algebra, operation: kinds.MatrixFunction, x: Matrix) -> Matrix:
    if x.is_scalar:  # a block of a matrix
        return algebra.apply(_PLAIN[operation.name], x)
    return algebra.of(Named(operation.function, (x,), x.shape))


def _function_of_step(
    algebra: Algebra, operation: kinds.MatrixFunction, x: Matrix
) -> Matrix | None:
    """Write f([A, G; 0, A]) by its blocks, of which f'(A) in the direction G is one.

    That is `L_f(A, G)` in Higham, *Functions of Matrices* (2008), theorem 3.6.
    """
    rows = blocks(algebra, x.entry, x.shape)
    if rows is None and x.shape[0] % 2 == 0:
        rows = _quarters(algebra, x)  # A stands beside itself in [A, A], which is A [I, I]
    if rows is None or [len(row) for row in rows] != [2, 2]:
        return None
    (a, step), (zero, same) = rows
    if a != same or zero.entry != 0 or a.shape != step.shape:
        return None
    n = a.shape[0]
    first, last = (algebra.selection(2 * n, at, 1, n) for at in (0, n))
    own = _function_of(algebra, operation, a)
    slope = _slope(algebra, operation, a, step)
    return algebra.plus(
        algebra.product(algebra.transpose(first), own, first),
        algebra.product(algebra.transpose(first), slope, last),
        algebra.product(algebra.transpose(last), own, last),
    )


def _quarters(algebra: Algebra, x: Matrix) -> list[list[Matrix]]:
    """Cut a sum of products into four blocks, by what chooses half of the rows and columns."""
    n = x.shape[0] // 2
    halves = [algebra.selection(2 * n, at, 1, n) for at in (0, n)]
    return [[algebra.product(up, x, algebra.transpose(left)) for left in halves] for up in halves]


def _slope(algebra: Algebra, operation: kinds.MatrixFunction, a: Matrix, step: Matrix) -> Matrix:
    """Differentiate a function of a matrix in a direction: by the slope, if the two commute."""
    number, entry = algebra.split(step)
    is_unit = isinstance(algebra.nodes.get(entry), Identity)
    if a.is_scalar:
        number, entry = step.entry, sp.S.One
    elif not is_unit and not _is_power(algebra, entry, a):
        return algebra.of(Named(f"{operation.function}_frechet", (a, step), a.shape))
    own = _function_of(algebra, operation, a)
    slopes: dict[str, Callable[[], Matrix]] = {
        "exp": lambda: own,
        "log": lambda: algebra.inverse(a),
        "sqrt": lambda: algebra.times(algebra.number(sp.S.Half), algebra.inverse(own)),
    }
    slope = algebra.times(algebra.number(number), slopes[operation.name]())
    return slope if a.is_scalar or is_unit else algebra.product(Matrix(entry, a.shape), slope)


def _is_power(algebra: Algebra, entry: Any, a: Matrix) -> bool:
    """Say whether an entry is that of a whole power of a matrix, but for numbers."""
    base = algebra.split(a)[1]
    node = algebra.nodes.get(entry)
    factors = [f.entry for f in node.parts] if isinstance(node, Product) else [entry]
    return all(f == base for f in factors)


def _pseudo_inverse(r: Reader, p: int, _: kinds.PseudoInverse, operands: Sequence[int]) -> Matrix:
    bound = r.b.steps[operands[1]][0]
    if not isinstance(bound, kinds.Constant) or not abs(bound.number) <= _TINY:
        raise NoMatrixFormError(
            "a pseudo-inverse without the singular values below a bound has no matrix notation"
        )
    node = r.algebra.node(r.read(operands[0]))
    made = _named(r, p, "pinv", operands[0])
    if not isinstance(node, Turned):
        return made
    inner = Named("pinv", (r.algebra.of(node.of),), turned_shape(made.shape))
    return r.algebra.transpose(r.algebra.of(inner))


def _eigh(r: Reader, p: int, operation: kinds.Eigh, operands: Sequence[int]) -> Matrix:
    return _named(r, p, "eigvals" if operation.part == "values" else "eigvecs", operands[0])


def _svd(r: Reader, p: int, operation: kinds.SVD, operands: Sequence[int]) -> Matrix:
    if operation.full:
        raise NoMatrixFormError("a full singular value decomposition has no matrix notation")
    return _named(r, p, f"svd_{operation.part}", operands[0])


def _qr(r: Reader, p: int, operation: kinds.QR, operands: Sequence[int]) -> Matrix:
    if operation.full:
        raise NoMatrixFormError("a full QR decomposition has no matrix notation")
    return _named(r, p, f"qr_{operation.part}", operands[0])


def _named(r: Reader, p: int, name: str, q: int) -> Matrix:
    """Write a function of a matrix by its name."""
    x = r.read(q)
    if 1 in x.shape or r.b.dtypes[q].kind == "c":
        raise NoMatrixFormError(f"{name} of {r.b.dtypes[q]} {x.shape} has no matrix notation")
    shape = r.b.shapes[p]
    return r.algebra.of(Named(name, (x,), two([shape[k] for k in wide(shape)])))


def _band(r: Reader, _: int, operation: kinds.Band, operands: Sequence[int]) -> Matrix:
    x = r.read(operands[0])
    low, high = operation.low, operation.high
    if x.is_column or x.shape[0] == 1:
        raise NoMatrixFormError("a band of a single row or column has no matrix notation")
    if (low, high) == (None, 0) or (low, high) == (0, None):
        return triangle(r.algebra, x, "tril" if low is None else "triu")
    if (low, high) == (0, 0) and x.shape[0] == x.shape[1]:
        return r.algebra.diagonal(r.algebra.of_diagonal(x))
    made = x if low is None else offset_triangle(r.algebra, x, "triu", low)
    return made if high is None else offset_triangle(r.algebra, made, "tril", high)


def _has_diagonal(operation: kinds.Band) -> bool:
    return (operation.low is None or operation.low <= 0) and (
        operation.high is None or operation.high >= 0
    )


# --- one matrix, or one number in each ------------------------------------------------------------

Rule = Callable[..., Matrix]


def _of_one(rule: Rule, function: Callable[[Any], Callable[..., Any]] | None = None) -> Rule:
    """Read a matrix by its rule, and matrices of one element by what is done to each element.

    Of several matrices that have more there is no notation: their other axis is none of a matrix.
    """

    def read(r: Reader, p: int, operation: Any, operands: Sequence[int]) -> Matrix:
        shape = r.b.shapes[operands[0]]
        if function is not None and shape[-2:] == SCALAR:
            own = [operand(r, q, r.b.shapes[p]) for q in operands]
            if getattr(operation, "adjoint", False) and r.b.dtypes[operands[0]].kind == "c":
                own[0] = r.algebra.apply(sp.conjugate, own[0])
            return r.algebra.apply(function(operation), *own)
        if any(n != 1 for n in shape[:-2]):
            name = type(operation).__name__
            raise NoMatrixFormError(f"{name} of several matrices has no matrix notation")
        return rule(r, p, operation, operands)

    return read


RULES: dict[type[Operation], Rule] = {
    kinds.Inverse: _of_one(_inverse, lambda _: lambda e: 1 / e),
    kinds.Solve: _of_one(_solve, lambda _: lambda a, b: b / a),
    kinds.LogDeterminant: _of_one(_log_determinant, lambda _: sp.log),
    kinds.Determinant: _of_one(_determinant, lambda operation: _PARTS[operation.part]),
    kinds.Cholesky: _of_one(_cholesky, lambda _: sp.sqrt),
    kinds.MatrixFunction: _of_one(_function, lambda operation: _PLAIN[operation.name]),
    kinds.Band: _of_one(
        _band, lambda operation: lambda e: e if _has_diagonal(operation) else 0 * e
    ),
    kinds.PseudoInverse: _of_one(_pseudo_inverse),
    kinds.Eigh: _of_one(_eigh),
    kinds.SVD: _of_one(_svd),
    kinds.QR: _of_one(_qr),
}
