"""Steps that move elements, in matrix notation: products with zeros and ones, and vec."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from symtape.errors import NoMatrixFormError
from symtape.forms.matrix.algebra import Algebra
from symtape.forms.matrix.nodes import (
    Matrix,
    Named,
    Rows,
    inner,
)
from symtape.forms.matrix.reading.asking import Reader, two, wide
from symtape.program import kinds
from symtape.program.operations import Operation


def _slice(r: Reader, _: int, operation: kinds.Slice, operands: Sequence[int]) -> Matrix:
    """Take rows and columns by selections: x[1:3] is I[1:3] x."""
    (q,) = operands
    shape = r.b.shapes[q]
    whole = [(0, 1, n) for n in shape[: len(shape) - len(operation.ranges)]]
    ranges = [*whole, *operation.ranges]
    kept = wide(shape)
    if len(kept) > 2:
        raise NoMatrixFormError(f"a part of an array of shape {shape} has no matrix notation")
    made = r.read(q)
    choose = [r.algebra.selection(shape[k], *ranges[k]) for k in kept]
    if choose:
        made = r.algebra.product(choose[0], made)
    if len(choose) == 2:
        made = r.algebra.product(made, r.algebra.transpose(choose[1]))
    return r.algebra.transpose(made) if made.shape[0] == 1 else made


def _gather(r: Reader, p: int, operation: kinds.Gather, operands: Sequence[int]) -> Matrix:
    """Take the rows or columns of some numbers: x[p] is I[p] x, one entry a row (X ⊙ I[p]) 𝟏."""
    x, places = operands
    axis = len(r.b.shapes[x]) - 1 - operation.after
    rows = _rows(r, operation.batch, places, r.b.shapes[x][axis])
    if operation.batch and r.read(x).shape == rows.shape:
        chosen = r.algebra.times(r.read(x), rows)
        return r.algebra.product(chosen, r.algebra.ones(rows.shape[1]))
    kept = wide(r.b.shapes[x])
    if axis not in kept or len(kept) > 2:
        raise NoMatrixFormError(f"a choice along axis {axis} of {r.b.shapes[x]} is no product")
    made = r.read(x)
    if axis == kept[0]:
        made = r.algebra.product(rows, made)
    else:
        made = r.algebra.product(made, r.algebra.transpose(rows))
    return r.algebra.transpose(made) if made.shape[0] == 1 else made


def _scatter(r: Reader, p: int, operation: kinds.Scatter, operands: Sequence[int]) -> Matrix:
    """Add at the rows or columns of some numbers: I[p]ᵀ x, one entry a row diag(x) I[p]."""
    x, places = operands
    shape = r.b.shapes[p]
    axis = len(shape) - 1 - operation.after
    rows = _rows(r, operation.batch, places, operation.size)
    if operation.batch and two([shape[k] for k in wide(shape)]) == rows.shape:
        return r.algebra.product(r.algebra.diagonal(r.read(x)), rows)
    into = r.algebra.transpose(rows)
    kept = wide(shape)
    if axis not in kept or len(kept) > 2:
        raise NoMatrixFormError(f"adding along axis {axis} of {shape} is no product")
    made = r.read(x)
    count = into.shape[1]
    if axis == kept[0]:
        is_row = count == 1 and len(kept) == 2
        return r.algebra.product(into, r.algebra.transpose(made) if is_row else made)
    return r.algebra.product(made, r.algebra.transpose(into))


def _reshape(r: Reader, p: int, _: kinds.Reshape, operands: Sequence[int]) -> Matrix:
    """Write the rows of a matrix in turn as vec(Xᵀ), and make that a matrix again."""
    old, new = ([n for n in r.b.shapes[q] if n != 1] for q in (operands[0], p))
    x = r.read(operands[0])
    if len(old) == 2 and len(new) == 1:
        return r.algebra.vec(r.algebra.transpose(x))
    if (len(old), len(new)) != (1, 2):
        raise NoMatrixFormError(f"an array of shape {new} made of one of {old} has no notation")
    return r.algebra.transpose(r.algebra.of_vec(x, (new[1], new[0])))


def _rows(r: Reader, batch: int, places: int, n: int) -> Matrix:
    """Give the rows of the unit matrix of some numbers; a batch has one for each of its rows."""
    shape = r.b.shapes[places]
    if len(wide(shape)) > 1 or n == 1 or (batch and wide(shape) != [batch - 1]):
        raise NoMatrixFormError(f"places of shape {shape} choose no rows")
    found = r.read(places)
    if found.is_scalar and found.entry.is_Integer:
        return r.algebra.selection(n, int(found.entry), 1, 1)
    if found.entry not in r.algebra.nodes and _is_of_a_sort(r.algebra, found):
        raise NoMatrixFormError("what is computed from the places of a sort chooses no rows")
    first, step = _spaced(r.algebra, found)
    if step:
        return r.algebra.selection(n, first, step, found.shape[0])
    return r.algebra.of(Rows(found, (found.shape[0], n)))


def _is_of_a_sort(algebra: Algebra, x: Matrix) -> bool:
    """Say whether places are computed from those that a sort or an extremum gave."""
    waiting = [x]
    while waiting:
        for node in [algebra.nodes[s] for s in waiting.pop().entry.free_symbols]:
            if isinstance(node, Named) and node.name.startswith("arg"):
                return True
            waiting += inner(node)
    return False


def _spaced(algebra: Algebra, x: Matrix) -> tuple[int, int]:
    """Read a column of numbers that are evenly spaced: the first, and the step, else 0."""
    first, rest = x.entry.as_coeff_Add()
    step, counted = rest.as_coeff_Mul()
    node = algebra.nodes.get(counted)
    is_range = isinstance(node, Named) and node.name == "range"
    return (int(first), int(step)) if is_range else (0, 0)


RULES: dict[type[Operation], Callable[..., Matrix]] = {
    kinds.Slice: _slice,
    kinds.Gather: _gather,
    kinds.Scatter: _scatter,
    kinds.Reshape: _reshape,
}
