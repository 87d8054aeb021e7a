"""Steps that are no products, in matrix notation: a rule for each kind of operation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import sympy as sp

from symtape.errors import NoMatrixFormError
from symtape.forms.index.brackets import Iverson, with_brackets
from symtape.forms.matrix.nodes import (
    SCALAR,
    Leaf,
    Matrix,
    Named,
)
from symtape.forms.matrix.reading import matrices, moves, running
from symtape.forms.matrix.reading.asking import Reader, operand, two, wide
from symtape.forms.scalars.decimals import decides
from symtape.program import kinds
from symtape.program.numbers import written_number
from symtape.program.operations import Operation
from symtape.program.rolls import roll_of_name


def _input(r: Reader, p: int, _operation: kinds.Input, _operands: Sequence[int]) -> Matrix:
    shape = r.b.shapes[p]
    if (roll := roll_of_name(r.names[p])) is not None:
        return r.algebra.cycle(roll[1], roll[0])
    if len(shape) > 2:
        raise NoMatrixFormError(f"the leaf {r.names[p]} of shape {shape} is no matrix")
    own = two(shape)
    is_real = r.b.dtypes[p].kind != "c"
    node = Leaf(r.names[p], own)
    is_size = r.names[p] in r.algebra.sizes.values()
    made = Matrix(r.algebra.symbol(node, is_real=is_real, is_positive=is_size), own)
    return r.algebra.transpose(made) if own[0] == 1 else made


def _constant(r: Reader, _: int, operation: kinds.Constant, _operands: Sequence[int]) -> Matrix:
    number = written_number(operation.number)
    if not number.is_finite:
        raise NoMatrixFormError("an infinity has no matrix notation")
    return r.algebra.written(number)


def _map(r: Reader, p: int, operation: kinds.Map, operands: Sequence[int]) -> Matrix:
    shape = r.b.shapes[p]
    own = [
        operand(r, q, shape) if operation.writes(k) else r.algebra.number(0)
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


def _without_angles(e: Any) -> Any:
    """Take out the angles of what is not negative, which SymPy finds in its roots' real parts."""
    found = [f for f in e.atoms(sp.atan2) if f.args[0] == 0 and f.args[1].is_nonnegative]
    return e.xreplace(dict.fromkeys(found, sp.S.Zero)) if found else e


def _cast(r: Reader, p: int, _: kinds.Cast, operands: Sequence[int]) -> Matrix:
    x = r.read(operands[0])
    source, target = r.b.dtypes[operands[0]].kind, r.b.dtypes[p].kind
    if source == "b" and target in "fc":
        return r.algebra.apply(Iverson, x)
    if source in "iuf" and target == "b":
        return r.algebra.apply(lambda e: sp.Ne(e, 0), x)
    numbers = "iufc" if source in "iu" else "fc"
    if source not in "iufc" or target not in numbers or (source, target) == ("c", "f"):
        raise NoMatrixFormError(f"a cast to {r.b.dtypes[p]} has no matrix notation")
    return x


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


RULES: dict[type[Operation], Callable[..., Matrix]] = {
    kinds.Input: _input,
    kinds.Constant: _constant,
    kinds.Map: _map,
    kinds.Cast: _cast,
    kinds.Extremum: _extremum,
    kinds.Position: _position,
    kinds.Product: _product,
    **matrices.RULES,
    **moves.RULES,
    **running.RULES,
}
