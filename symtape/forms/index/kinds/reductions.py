"""Index notation of running totals, recurrences, extrema and products along axes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import product
from math import prod
from typing import Any

import sympy as sp

from symtape.errors import ExpansionError
from symtape.forms.index.sums import NO_SUM_OF_EXTREMA, bound
from symtape.program.evaluation.symbolic import extremum_of
from symtape.program.evaluation.transforms import root_of_unity
from symtape.program.kinds.segments import SegmentExtremum
from symtape.program.kinds.structural import (
    Cumextremum,
    Cumprod,
    Cumsum,
    Extremum,
    Fourier,
    Product,
    Recurrence,
    Scatter,
)
from symtape.program.operations import BOOL, Einsum, Operation
from symtape.program.program import Program

Indices = tuple[Any, ...]

_EXPANDED = 64
"""How many elements an extremum is written of."""


def _cumulative(
    join: Callable[..., Any],
) -> Callable[[Any, Any, list[int], int, Indices], Any]:
    def write(w: Any, op: Cumsum | Cumprod, operands: list[int], p: int, at: Indices) -> Any:
        axis = len(at) + op.axis
        k = w.dummy(w.shape(p)[axis])
        late = 1 if op.exclusive else 0
        last = w.shape(p)[axis] - 1
        bounds = (k, at[axis] + late, last) if op.reverse else (k, 0, at[axis] - late)
        return bound(join, w.entry(operands[0], (*at[:axis], k, *at[axis + 1 :])), bounds)

    return write


def _fourier(w: Any, op: Fourier, operands: list[int], p: int, at: Indices) -> Any:
    """Add up elements, each turned by a root of unity."""
    axis = len(at) + op.axis
    n = w.shape(p)[axis]
    k = w.dummy(n)
    turn = root_of_unity(op.sign * at[axis] * k, n)
    element = w.entry(operands[0], (*at[:axis], k, *at[axis + 1 :]))
    return bound(sp.Sum, turn * element, (k, 0, n - 1))


def _recurrence(w: Any, op: Recurrence, operands: list[int], p: int, at: Indices) -> Any:
    """Solve it: y[i] = Σ_{k ≤ i} b[k] ∏_{k < m ≤ i} a[m]."""
    axis = len(at) + op.axis
    i, last = at[axis], w.shape(p)[axis] - 1
    k, m = w.dummy(last + 1), w.dummy(last + 1)
    b = w.broadcast(operands[1], (*at[:axis], k, *at[axis + 1 :]))
    a = w.broadcast(operands[0], (*at[:axis], m, *at[axis + 1 :]))
    places = (m, i, k - 1) if op.reverse else (m, k + 1, i)
    factors = sp.S.One if a == 1 else bound(sp.Product, a, places)
    return bound(sp.Sum, b * factors, (k, i, last) if op.reverse else (k, 0, i))


def _cumextremum(w: Any, op: Cumextremum, operands: list[int], p: int, at: Indices) -> Any:
    """Write the extremum of all elements, with an infinity for those that are not met yet."""
    axis = len(at) + op.axis
    count = w.shape(p)[axis]
    _check_length(op.which, count)
    nothing = -sp.oo if op.which == "max" else sp.oo
    elements = []
    for k in map(sp.Integer, range(count)):
        is_met = k >= at[axis] if op.reverse else k <= at[axis]
        value = w.entry(operands[0], (*at[:axis], k, *at[axis + 1 :]))
        elements.append(sp.Piecewise((value, is_met), (nothing, True)))
    return extremum_of(op.which, elements)


def _check_length(which: str, count: int) -> None:
    if count > _EXPANDED:
        raise ExpansionError(
            f"a {which} over {count} elements is too long to be written; see latex('steps')"
        )


def _extremum(w: Any, op: Extremum, operands: list[int], _: int, at: Indices) -> Any:
    shape = w.shape(operands[0])
    rank = len(shape)
    axes = [axis + rank for axis in op.axes]
    places = list(product(*[range(shape[axis]) for axis in axes]))
    _check_length(op.which, len(places))
    kept = [axis for axis in range(rank) if axis not in axes]
    elements = []
    for place in places:
        inner = dict(zip([*kept, *axes], [*at, *map(sp.Integer, place)], strict=True))
        elements.append(w.entry(operands[0], tuple(inner[axis] for axis in range(rank))))
    return extremum_of(op.which, elements)


def _segment_extremum(w: Any, op: SegmentExtremum, operands: list[int], _: int, at: Indices) -> Any:
    """Write the extremum of all rows, with an infinity for those of other segments."""
    x, numbers = operands
    axis = len(at) - 1 - op.after
    count = w.shape(x)[axis]
    _check_length(op.which, count)
    nothing = -sp.oo if op.which == "max" else sp.oo
    elements = [nothing]
    for k in map(sp.Integer, range(count)):
        value = w.entry(x, (*at[:axis], k, *at[axis + 1 :]))
        elements.append(
            sp.Piecewise((value, sp.Eq(w.entry(numbers, (k,)), at[axis])), (nothing, True))
        )
    return extremum_of(op.which, elements)


def check_extrema(program: Program, wanted: Iterable[int]) -> None:
    """Refuse sums over extrema of segments before anything is written; raises `ExpansionError`."""
    infinite: set[int] = set()
    for p in wanted:
        operation, *operands = program.steps[p]
        if not isinstance(operation, SegmentExtremum) and infinite.isdisjoint(operands):
            continue
        if program.dtypes[p] is BOOL:  # what is compared with an extremum is true or false
            continue
        infinite.add(p)
        if isinstance(operation, (Einsum, Scatter)) and _is_sum(program, operation, operands):
            raise ExpansionError(NO_SUM_OF_EXTREMA)


def _is_sum(program: Program, operation: Einsum | Scatter, operands: list[int]) -> bool:
    """Say whether more than one term is added up."""
    shapes = [program.shapes[i] for i in operands]
    if isinstance(operation, Scatter):
        return prod(shapes[1][operation.batch :]) > 1
    sizes = operation.index_sizes(shapes)
    return 0 not in sizes.values() and any(
        n > 1 and i not in operation.output for i, n in sizes.items()
    )


def _product(w: Any, op: Product, operands: list[int], _: int, at: Indices) -> Any:
    shape = w.shape(operands[0])
    rank = len(shape)
    axes = [axis + rank for axis in op.axes]
    kept = [axis for axis in range(rank) if axis not in axes]
    dummies = {axis: w.dummy(shape[axis]) for axis in axes}
    inner = dict(zip(kept, at, strict=True)) | dummies
    body = w.entry(operands[0], tuple(inner[axis] for axis in range(rank)))
    return bound(sp.Product, body, *[(k, 0, shape[axis] - 1) for axis, k in dummies.items()])


RULES: dict[type[Operation], Callable[..., Any]] = {
    Cumsum: _cumulative(sp.Sum),
    Cumprod: _cumulative(sp.Product),
    Cumextremum: _cumextremum,
    Fourier: _fourier,
    Recurrence: _recurrence,
    Extremum: _extremum,
    SegmentExtremum: _segment_extremum,
    Product: _product,
}
