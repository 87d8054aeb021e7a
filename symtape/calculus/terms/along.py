"""Maps along one axis in a Jacobian: a small matrix, beside deltas for all other axes.

A term whose places along the axis are a delta would be multiplied out to an array with all axes of
the step. The map of an identity matrix says the same: the Jacobian of rows that are gathered is
δ times a matrix that selects.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from symtape.calculus.terms.places import Places
from symtape.calculus.terms.terms import Term
from symtape.program.kinds.matrices import Band
from symtape.program.kinds.structural import Cumsum, Fourier, Gather, Scatter
from symtape.program.operations import Einsum, Operation, Shape


class Along(NamedTuple):
    """A matrix, its axes of the result and of the operand, and the first axis that they replace.

    `turned` says that the axes of the operand come first.
    """

    at: int
    axis: int
    result: int
    operand: Shape
    turned: bool = False


def through_axis(
    places: Places, operation: Operation, operands: Sequence[int], term: Term, shape: Shape
) -> Term | None:
    """Multiply by the matrix of a map along one axis; None where the term is no delta there."""
    found = MATRICES[type(operation)](places, operation, operands)
    if found is None or 0 in shape:
        return None
    forms = term.axes[found.axis : found.axis + found.result]
    rest = term.axes[: found.axis] + term.axes[found.axis + found.result :]
    busy = term.used.union(i for form in rest for i in form.indices)
    own = []
    for form, n in zip(forms, shape[found.axis :], strict=False):
        if not places.is_plain(form, n) or busy & set(form.indices):
            return None
        busy |= set(form.indices)
        own.append(form.indices[0] if form.parts else places.fresh(1))
    new = places.fresh_forms(found.operand)
    inner = [form.indices[0] if form.parts else places.fresh(1) for form in new]
    indices = (*inner, *own) if found.turned else (*own, *inner)
    axes = term.axes[: found.axis] + new + term.axes[found.axis + found.result :]
    return term._replace(axes=axes, factors=(*term.factors, (found.at, indices)))


def _identity(places: Places, shape: Shape, like: int) -> int:
    """Make the identity matrix of an array's elements: its axes twice."""
    one = places.b.constant(1, places.b.dtypes[like])
    axes = range(len(shape))
    sizes = dict(zip(axes, shape, strict=True))
    return places.b.append(Einsum.of([()], [*axes, *axes], sizes), one)


def _gathered(places: Places, operation: Gather, operands: Sequence[int]) -> Along | None:
    x, indices = operands
    if operation.batch:
        return None
    shape, own = places.b.shapes[x], places.b.shapes[indices]
    axis = len(shape) - 1 - operation.after
    n = shape[axis]
    at = places.b.append(Gather(1, 0, 0), _identity(places, (n,), x), indices)
    return Along(at, axis, len(own), (n,))


def _scattered(places: Places, operation: Scatter, operands: Sequence[int]) -> Along | None:
    updates, indices = operands
    if operation.batch:
        return None
    own = places.b.shapes[indices]
    axis = len(places.b.shapes[updates]) - operation.after - len(own)
    identity = _identity(places, own, updates)
    at = places.b.append(Scatter(len(own), 0, 0, operation.size), identity, indices)
    return Along(at, axis, 1, own)


def _of_identity(places: Places, operation: Operation, operands: Sequence[int], axis: int) -> Along:
    """Give what a map along the last axis makes of the rows of an identity matrix."""
    (x,) = operands
    shape = places.b.shapes[x]
    at = places.b.append(operation, _identity(places, (shape[axis],), x))
    return Along(at, len(shape) + axis, 1, (shape[axis],), turned=True)


def _summed(places: Places, operation: Cumsum, operands: Sequence[int]) -> Along:
    own = Cumsum(-1, operation.exclusive, operation.reverse)
    return _of_identity(places, own, operands, operation.axis)


def _transformed(places: Places, operation: Fourier, operands: Sequence[int]) -> Along:
    """Give the adjoint, which a cotangent is multiplied by; its matrix is symmetric."""
    return _of_identity(places, Fourier(-1, -operation.sign), operands, operation.axis)


def band_of_ones(places: Places, operation: Band, shape: Shape, like: int) -> int:
    """Make the zeros and ones that the band of a matrix is multiplied by."""
    one = places.b.constant(1, places.b.dtypes[like])
    wide = places.b.append(Einsum.of([()], [0, 1], {0: shape[-2], 1: shape[-1]}), one)
    return places.b.append(operation, wide)


Rule = Callable[..., Along | None]

MATRICES: dict[type[Operation], Rule] = {
    Gather: _gathered,
    Scatter: _scattered,
    Cumsum: _summed,
    Fourier: _transformed,
}
