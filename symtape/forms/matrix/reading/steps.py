"""Steps that are no products, in matrix notation: a rule for each kind of operation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import sympy as sp

from symtape.errors import NoMatrixFormError
from symtape.forms.index.brackets import Iverson, with_brackets
from symtape.forms.matrix.algebra import Algebra
from symtape.forms.matrix.blocks import blocks
from symtape.forms.matrix.nodes import (
    SCALAR,
    Identity,
    Leaf,
    Matrix,
    Named,
    Product,
    Turned,
    turned_shape,
)
from symtape.forms.matrix.reading import moves, running
from symtape.forms.matrix.reading.asking import Reader, two, wide
from symtape.forms.matrix.reading.triangles import triangle
from symtape.forms.scalars.decimals import decides
from symtape.program import kinds
from symtape.program.numbers import written_number
from symtape.program.operations import Operation
from symtape.program.rolls import roll_of_name

_TINY = 1e-4
"""Singular values that are smaller, relative to the largest, count as zero in any case."""


def _input(r: Reader, p: int, _operation: kinds.Input, _operands: Sequence[int]) -> Matrix:
    shape = r.b.shapes[p]
    if (roll := roll_of_name(r.names[p])) is not None:
        return r.algebra.cycle(roll[1], roll[0])
    if len(shape) > 2:
        raise NoMatrixFormError(f"the leaf {r.names[p]} of shape {shape} is no matrix")
    own = two(shape)
    is_real = r.b.dtypes[p].kind != "c"
    node = Leaf(r.names[p], own)
    made = Matrix(r.algebra.symbol(node, is_real=is_real), own)
    return r.algebra.transpose(made) if own[0] == 1 else made


def _constant(r: Reader, _: int, operation: kinds.Constant, _operands: Sequence[int]) -> Matrix:
    number = written_number(operation.number)
    if not number.is_finite:
        raise NoMatrixFormError("an infinity has no matrix notation")
    return r.algebra.written(number)


def _map(r: Reader, p: int, operation: kinds.Map, operands: Sequence[int]) -> Matrix:
    shape = r.b.shapes[p]
    own = [
        _operand(r, q, shape) if operation.writes(k) else r.algebra.number(0)
        for k, q in enumerate(operands)
    ]
    if decides(operation.body):
        own = [Matrix(x.entry.xreplace(r.algebra.decimals(x.entry)), x.shape) for x in own]
    made = r.algebra.apply(lambda *entries: operation.applied(entries), *own)
    entry = _without_angles(made.entry)
    if entry.has(sp.Piecewise):
        entry = with_brackets(entry)
        r.algebra.ends |= {e for e in entry.atoms(sp.log) if isinstance(e.args[0], Iverson)}
    if entry.has(sp.nan):
        raise NoMatrixFormError("what is no number somewhere has no matrix notation")
    if entry.has(sp.oo, sp.zoo):
        raise NoMatrixFormError("an infinity has no matrix notation")
    return Matrix(entry, two([shape[k] for k in wide(shape)]))


def _operand(r: Reader, q: int, shape: Sequence[int]) -> Matrix:
    """Read an operand of a map; an infinity may be one of its cases."""
    operation, *_ = r.b.steps[q]
    if isinstance(operation, kinds.Constant) and not written_number(operation.number).is_finite:
        return Matrix(written_number(operation.number), SCALAR)
    return _broadcast(r, q, shape)


def _without_angles(e: Any) -> Any:
    """Take out the angles of what is not negative, which SymPy finds in its roots' real parts."""
    found = [f for f in e.atoms(sp.atan2) if f.args[0] == 0 and f.args[1].is_nonnegative]
    return e.xreplace(dict.fromkeys(found, sp.S.Zero)) if found else e


def _broadcast(r: Reader, q: int, shape: Sequence[int]) -> Matrix:
    """Repeat a vector along the other axis of a matrix."""
    have = r.b.shapes[q]
    kept, own = wide(shape), [k + len(shape) - len(have) for k in wide(have)]
    if len(own) == len(kept) or not own:
        return r.raw(q)
    x = r.read(q)
    rows, columns = (shape[k] for k in kept)
    if own == [kept[0]]:
        return r.algebra.product(x, r.algebra.row(r.algebra.ones(columns)))
    return r.algebra.product(r.algebra.ones(rows), r.algebra.row(x))


def _cast(r: Reader, p: int, _: kinds.Cast, operands: Sequence[int]) -> Matrix:
    x = r.read(operands[0])
    source, target = r.b.dtypes[operands[0]].kind, r.b.dtypes[p].kind
    if source == "b" and target in "fc":
        return r.algebra.apply(Iverson, x)
    numbers = "iufc" if source in "iu" else "fc"
    if source not in "iufc" or target not in numbers or (source, target) == ("c", "f"):
        raise NoMatrixFormError(f"a cast to {r.b.dtypes[p]} has no matrix notation")
    return x


def _inverse(r: Reader, _: int, _operation: kinds.Inverse, operands: Sequence[int]) -> Matrix:
    return r.algebra.inverse(r.read(operands[0]))


def _solve(r: Reader, p: int, operation: kinds.Solve, operands: Sequence[int]) -> Matrix:
    if r.b.dtypes[p].kind == "c":
        raise NoMatrixFormError("the solution with a complex matrix has no matrix notation")
    x = r.read(operands[0])
    if operation.form != "full" and not x.is_scalar:
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
    value = _det(r, operands[0])
    if operation.part == "value":
        return value
    sized: Callable[[Any], Any] = (
        sp.sign if operation.part == "sign" else lambda e: sp.log(sp.Abs(e))
    )
    return r.algebra.apply(sized, value)


def _det(r: Reader, p: int) -> Matrix:
    x = r.read(p)
    return x if x.is_scalar else r.algebra.of(Named("det", (x,), (1, 1)))


def _cholesky(r: Reader, _: int, _operation: kinds.Cholesky, operands: Sequence[int]) -> Matrix:
    x = r.read(operands[0])
    if x.is_scalar:
        return r.algebra.apply(sp.sqrt, x)
    return r.algebra.of(Named("chol", (x,), x.shape))


def _function(
    r: Reader, _: int, operation: kinds.MatrixFunction, operands: Sequence[int]
) -> Matrix:
    x = r.read(operands[0])
    whole = _function_of_step(r.algebra, operation, x)
    return _function_of(r.algebra, operation, x) if whole is None else whole


def _function_of(algebra: Algebra, operation: kinds.MatrixFunction, x: Matrix) -> Matrix:
    if x.is_scalar:
        plain = {"exp": sp.exp, "log": sp.log, "sqrt": sp.sqrt}[operation.name]
        return algebra.apply(plain, x)
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


def _extremum(r: Reader, p: int, operation: kinds.Extremum, operands: Sequence[int]) -> Matrix:
    """Take the largest entry of all, or of each row."""
    (q,) = operands
    kept, own = wide(r.b.shapes[q]), wide(r.b.shapes[p])
    left = {k - len(r.b.shapes[q]) for k in kept} - {*operation.axes}
    if len(kept) != 2 or len(own) != 1 or len(left) != 1:
        return _of_all(r, p, operation.which, q)
    x = r.read(q)
    rows = x if left == {kept[0] - len(r.b.shapes[q])} else r.algebra.transpose(x)
    return r.algebra.of(Named(f"row{operation.which}", (rows,), (rows.shape[0], 1)))


def _position(r: Reader, p: int, operation: kinds.Position, operands: Sequence[int]) -> Matrix:
    """Write the places of a sort, of the largest or of the smallest entry of a vector by name."""
    x = r.read(operands[0])
    shape = x.shape if operation.which == "argsort" else SCALAR
    if (
        x.is_scalar
        or not x.is_column
        or two([r.b.shapes[p][k] for k in wide(r.b.shapes[p])]) != shape
    ):
        raise NoMatrixFormError(f"{operation.which} along an axis has no matrix notation")
    return r.algebra.of(Named(operation.which, (x,), shape))


def _product(r: Reader, p: int, _: kinds.Product, operands: Sequence[int]) -> Matrix:
    return _of_all(r, p, "prod", operands[0])


def _of_all(r: Reader, p: int, name: str, q: int) -> Matrix:
    """Apply a function to all entries of an array together."""
    x = r.read(q)
    if wide(r.b.shapes[p]) != [] and wide(r.b.shapes[p]) != wide(r.b.shapes[q]):
        raise NoMatrixFormError(f"{name} along an axis has no matrix notation")
    if x.is_scalar or wide(r.b.shapes[p]):
        return x
    return r.algebra.of(Named(name, (x,), SCALAR))


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
    return r.algebra.of(Named(name, (x,), two(r.b.shapes[p])))


RULES: dict[type[Operation], Callable[..., Matrix]] = {
    kinds.Input: _input,
    kinds.Constant: _constant,
    kinds.Map: _map,
    kinds.Cast: _cast,
    kinds.Inverse: _inverse,
    kinds.Solve: _solve,
    kinds.LogDeterminant: _log_determinant,
    kinds.Determinant: _determinant,
    kinds.Cholesky: _cholesky,
    kinds.MatrixFunction: _function,
    kinds.Extremum: _extremum,
    kinds.Position: _position,
    kinds.Product: _product,
    kinds.PseudoInverse: _pseudo_inverse,
    kinds.Eigh: _eigh,
    kinds.SVD: _svd,
    kinds.QR: _qr,
    **moves.RULES,
    **running.RULES,
}
