"""Running sums, recurrences that are such, and Fourier transforms in matrix notation."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from symtape.errors import NoMatrixFormError
from symtape.forms.matrix.nodes import SCALAR, Matrix, Named
from symtape.forms.matrix.reading.asking import Reader, wide
from symtape.program import kinds
from symtape.program.functions.scalar import ordinary
from symtape.program.kinds.placement import Placement
from symtape.program.operations import Map, Operation
from symtape.program.program import Program


def _cumsum(r: Reader, p: int, operation: kinds.Cumsum, operands: Sequence[int]) -> Matrix:
    """Write running sums as a product with a triangle of ones."""
    kept = wide(r.b.shapes[p])
    axis = len(r.b.shapes[p]) + operation.axis
    x = r.read(operands[0])
    if axis not in kept:
        return r.algebra.times(r.algebra.number(int(not operation.exclusive)), x)
    n = r.b.shapes[p][axis]
    if x.entry.is_number and not x.is_scalar and len(kept) == 1 and not operation.reverse:
        counted = r.algebra.counting(n).entry + int(not operation.exclusive)
        return r.algebra.times(x._replace(shape=SCALAR), Matrix(counted, (n, 1)))
    ones = r.algebra.number(1, (n, n))
    name = "triu" if operation.reverse else "tril"
    triangle = r.algebra.of(Named(name, (ones,), (n, n)))
    if operation.exclusive:
        minus = r.algebra.times(r.algebra.number(-1), r.algebra.identity(n))
        triangle = r.algebra.plus(triangle, minus)
    return _multiplied(r, triangle, x, is_rows=axis == kept[0])


def _fourier(r: Reader, p: int, operation: kinds.Fourier, operands: Sequence[int]) -> Matrix:
    """Write a transform as a product with the symmetric matrix F of powers of a root of unity."""
    kept = wide(r.b.shapes[p])
    axis = len(r.b.shapes[p]) + operation.axis
    x = r.read(operands[0])
    if axis not in kept:
        return x
    n = r.b.shapes[p][axis]
    matrix = r.algebra.of(Named("dft", (), (n, n)))
    if operation.sign > 0:
        matrix = r.algebra.times(r.algebra.number(n), r.algebra.inverse(matrix))
    return _multiplied(r, matrix, x, is_rows=axis == kept[0])


def _multiplied(r: Reader, matrix: Matrix, x: Matrix, *, is_rows: bool) -> Matrix:
    """Multiply the rows of what is read by a matrix, or its columns."""
    if is_rows:
        return r.algebra.product(matrix, x)
    return r.algebra.product(x, r.algebra.transpose(matrix))


def _recurrence(r: Reader, p: int, operation: kinds.Recurrence, operands: Sequence[int]) -> Matrix:
    """Add up what goes on as it is: sums that are kept in another scale at each place."""
    factors, x = operands
    if r.b.shapes[x] != r.b.shapes[p] or not _goes_on(r.b, factors, operation):
        raise NoMatrixFormError("a recurrence has no matrix notation")
    return _cumsum(r, p, kinds.Cumsum(operation.axis, False, operation.reverse), [x])


def _goes_on(program: Program, p: int, operation: kinds.Recurrence) -> bool:
    """Say whether all factors are one, but for the first, which is never looked at."""
    step, *operands = program.steps[p]
    if isinstance(step, kinds.Assembly) and len(operands) == 1:
        shape = program.shapes[p]
        (placement,) = step.placed([program.shapes[q] for q in operands])
        own = shape[len(shape) - len(placement.forms) :]
        first, count = [0] * len(own), [*own]
        first[operation.axis] = 0 if operation.reverse else 1
        count[operation.axis] -= 1
        return _fills(placement, first, count) and _is_one(program, operands[0])
    return _is_one(program, p)


def _fills(placement: Placement, first: Sequence[int], count: Sequence[int]) -> bool:
    """Say whether a block fills a rectangle: from which element on, and of how many, an axis each.

    A single element may have an index of its own, or none.
    """
    used = [k for form in placement.forms for _, k in form.parts]
    if sorted(used) != [*range(len(placement.counts))]:
        return False
    for form, start, n in zip(placement.forms, first, count, strict=True):
        runs = [(step, placement.counts[k]) for step, k in form.parts]
        if form.offset != start or not (runs == [(1, n)] or (n == 1 and not runs)):
            return False
    return True


def _is_one(program: Program, p: int) -> bool:
    """Say whether elements are one as they are written."""
    step, *operands = program.steps[p]
    while isinstance(step, (kinds.View, kinds.Reshape)):
        step, *operands = program.steps[operands[0]]
    return isinstance(step, Map) and ordinary(step.body) == 1


RULES: dict[type[Operation], Callable[..., Matrix]] = {
    kinds.Cumsum: _cumsum,
    kinds.Fourier: _fourier,
    kinds.Recurrence: _recurrence,
}
