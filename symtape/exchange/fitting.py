"""Which operands an operation takes: checked before anything is inferred from a file.

A recorded program has been computed, so `infer` need not ask whether operands fit. A file has to be
asked everything: that ranges lie inside of arrays, that sizes agree, that indices are integers.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from symtape.program import kinds
from symtape.program.kinds.placement import Form
from symtape.program.kinds.structural import Range
from symtape.program.operations import DType, Operation, Shape, broadcast_shapes

Shapes = Sequence[Shape]
DTypes = Sequence[DType]


class MisfitError(ValueError):
    """An operation that does not take its operands."""


def require(condition: bool, reason: str) -> None:
    """Raise unless a condition holds."""
    if not condition:
        raise MisfitError(reason)


def anything(operation: Operation, shapes: Shapes, dtypes: DTypes) -> None:
    """Leave the rest to `infer`."""


def _something(operation: Operation, shapes: Shapes, dtypes: DTypes) -> None:
    require(len(shapes) > 0, "it has no operands, and its result the dtype of one")


def broadcast(operation: Operation, shapes: Shapes, dtypes: DTypes) -> None:
    """Ask that shapes broadcast."""
    _something(operation, shapes, dtypes)
    try:
        broadcast_shapes(shapes)
    except ValueError:
        raise MisfitError(f"shapes {', '.join(map(str, shapes))} do not broadcast") from None


def contraction(operation: kinds.Einsum, shapes: Shapes, dtypes: DTypes) -> None:
    """Ask that each index has one size, given where no operand has it."""
    _something(operation, shapes, dtypes)
    sizes: dict[int, int] = {}
    for term, shape in zip(operation.inputs, shapes, strict=True):
        require(len(term) == len(shape), f"{len(term)} indices are not for shape {shape}")
        for i, n in zip(term, shape, strict=True):
            require(sizes.setdefault(i, n) == n, f"index {i} has the sizes {sizes[i]} and {n}")
    own = [i for i, _ in operation.sizes]
    require(all(n >= 0 for _, n in operation.sizes), "the size of an index is negative")
    lone = sorted(set(operation.output) - set(sizes))
    require(sorted(own) == lone, f"sizes are given for indices {own}, and needed for {lone}")


def _axis(axis: int, rank: int) -> None:
    require(-rank <= axis, f"an operand of rank {rank} has no axis {axis}")


def axes(operation: Any, shapes: Shapes, dtypes: DTypes) -> None:
    """Ask that axes are there, each once."""
    for axis in operation.axes:
        _axis(axis, len(shapes[0]))
    require(len(set(operation.axes)) == len(operation.axes), "an axis is there twice")


def along_axis(operation: Any, shapes: Shapes, dtypes: DTypes) -> None:
    """Ask that the axis is there in every operand."""
    for shape in shapes:
        _axis(operation.axis, len(shape))


def transformed(operation: kinds.Fourier, shapes: Shapes, dtypes: DTypes) -> None:
    """Ask that the axis is there and has elements, which are complex."""
    along_axis(operation, shapes, dtypes)
    require(shapes[0][operation.axis] > 0, "an axis without elements is transformed")
    require(dtypes[0].kind == "c", f"{dtypes[0]} is no complex dtype")


def recurrence(operation: kinds.Recurrence, shapes: Shapes, dtypes: DTypes) -> None:
    """Ask that the axis is there, and that shapes broadcast."""
    along_axis(operation, shapes, dtypes)
    broadcast(operation, shapes, dtypes)


def _last(shape: Shape, own: Shape, what: str) -> None:
    start = len(shape) - len(own)
    require(start >= 0 and shape[start:] == own, f"{what} {own}, and the operand has shape {shape}")


def reshaped(operation: kinds.Reshape, shapes: Shapes, dtypes: DTypes) -> None:
    """Ask that the old shape is there and has as many elements as the new one."""
    _last(shapes[0], operation.old, "the last axes should be")
    require(
        prod(operation.old) == prod(operation.new),
        f"the number of elements changes from {operation.old} to {operation.new}",
    )


def _inside(ranges: Sequence[Range], sizes: Shape) -> None:
    for (first, step, count), n in zip(ranges, sizes, strict=True):
        ends = (first, first + step * (count - 1))
        inside = count == 0 or (min(ends) >= 0 and max(ends) < n)
        require(inside, f"places {first}, {step}, {count} of an axis of {n} reach outside")


def _as_many_ends(operation: kinds.Slice | kinds.Embed) -> None:
    many = operation.ends and len(operation.ends) != len(operation.ranges)
    require(not many, "there are not as many pairs of ends as ranges")


def sliced(operation: kinds.Slice, shapes: Shapes, dtypes: DTypes) -> None:
    """Ask that the ranges lie inside of the last axes."""
    _as_many_ends(operation)
    start = len(shapes[0]) - len(operation.ranges)
    require(start >= 0, f"{len(operation.ranges)} ranges are too many for shape {shapes[0]}")
    _inside(operation.ranges, shapes[0][start:])


def embedded(operation: kinds.Embed, shapes: Shapes, dtypes: DTypes) -> None:
    """Ask that the ranges lie inside of the sizes, and have as many places as the operand."""
    require(len(operation.ranges) == len(operation.sizes), "there are not as many ranges as sizes")
    _as_many_ends(operation)
    _last(shapes[0], tuple([count for _, _, count in operation.ranges]), "the last axes should be")
    _inside(operation.ranges, operation.sizes)


def _are_places(dtype: DType) -> None:
    require(dtype.kind in "iu", f"places are integers, not {dtype}")


def gathered(operation: kinds.Gather, shapes: Shapes, dtypes: DTypes) -> None:
    """Ask for places, and for the axes that they are in."""
    x, indices = shapes
    _are_places(dtypes[1])
    end = len(x) - 1 - operation.after - operation.between
    require(end >= operation.batch, f"an operand of shape {x} has too few axes")
    _shared(x[end - operation.batch : end], indices, operation.batch)


def _shared(own: Shape, indices: Shape, batch: int) -> None:
    require(indices[:batch] == own, f"the batch is {own}, and the places have shape {indices}")


def scattered(operation: kinds.Scatter, shapes: Shapes, dtypes: DTypes) -> None:
    """Ask for places, one for each update."""
    updates, indices = shapes
    _are_places(dtypes[1])
    end = len(updates) - operation.after
    start = end - (len(indices) - operation.batch)
    first = start - operation.between - operation.batch
    require(first >= 0 and start <= end, f"an operand of shape {updates} has too few axes")
    _shared(updates[first : first + operation.batch], indices, operation.batch)
    fits = updates[start:end] == indices[operation.batch :]
    require(fits, f"updates of shape {updates} are not for places of shape {indices}")


def joined(operation: kinds.Concat, shapes: Shapes, dtypes: DTypes) -> None:
    """Ask that shapes differ along the axis alone."""
    along_axis(operation, shapes, dtypes)
    axis = operation.axis
    rest = {(len(s), *s[: len(s) + axis], *s[len(s) + axis + 1 :]) for s in shapes}
    require(len(rest) == 1, f"shapes {', '.join(map(str, shapes))} differ beside axis {axis}")


def segments(operation: kinds.SegmentExtremum, shapes: Shapes, dtypes: DTypes) -> None:
    """Ask for the number of a segment for each row."""
    x, numbers = shapes
    _are_places(dtypes[1])
    axis = len(x) - 1 - operation.after
    require(axis >= 0, f"an operand of shape {x} has too few axes")
    require(numbers == (x[axis],), f"{x[axis]} rows are not for numbers of shape {numbers}")


def windows(operation: kinds.Windows, shapes: Shapes, dtypes: DTypes) -> None:
    """Ask for the axes that windows slide along."""
    enough = len(shapes[0]) >= operation.depth - len(operation.windows)
    require(enough, f"an operand of shape {shapes[0]} has too few axes")


def overlap(operation: kinds.Overlap, shapes: Shapes, dtypes: DTypes) -> None:
    """Ask that the operand has what the windows of such sizes have."""
    windows, sizes = operation.windows, operation.sizes
    require(len(windows) == len(sizes), "there are not as many windows as sizes")
    end = len(shapes[0]) - operation.after
    own = (*[w.count(n) for w, n in zip(windows, sizes, strict=True)], *[w.size for w in windows])
    require(end >= 0, f"an operand of shape {shapes[0]} has too few axes")
    _last(shapes[0][:end], own, "counts and places should be")


def assembled(operation: kinds.Assemble, shapes: Shapes, dtypes: DTypes) -> None:
    """Ask that each operand is a block whose places lie inside."""
    count = len(operation.placements)
    require(count == len(shapes), f"it has {count} placements for {len(shapes)} operands")
    axes = len(operation.shape)
    for (counts, forms), shape in zip(operation.placements, shapes, strict=True):
        require(len(forms) == axes, f"a placement has {len(forms)} forms for {axes} axes")
        used = {i for form in forms for i in form.indices}
        require(
            used == set(range(len(counts))), f"forms of indices {sorted(used)} are not for {counts}"
        )
        start = len(counts) - len(shape)
        wide = start >= 0 and all(
            m in {1, n} for m, n in zip(shape, counts[max(start, 0) :], strict=True)
        )
        require(wide, f"an operand of shape {shape} is no block of {counts}")
        if 0 not in counts:
            for form, n in zip(forms, operation.shape, strict=True):
                _form_inside(form, counts, n)


def _form_inside(form: Form, counts: Shape, n: int) -> None:
    ends = [stride * (counts[i] - 1) for stride, i in form.parts]
    low = form.offset + sum(min(end, 0) for end in ends)
    high = form.offset + sum(max(end, 0) for end in ends)
    require(low >= 0 and high < n, f"places from {low} to {high} of an axis of {n} reach outside")


def rows_and_columns(operation: Operation, shapes: Shapes, dtypes: DTypes) -> None:
    """Ask for matrices."""
    require(len(shapes[0]) >= 2, f"an operand of shape {shapes[0]} is no matrix")


def matrices(operation: Operation, shapes: Shapes, dtypes: DTypes) -> None:
    """Ask for matrices of floating or complex numbers."""
    rows_and_columns(operation, shapes, dtypes)
    require(dtypes[0].kind in "fcV", f"matrices are not of dtype {dtypes[0]}")


def square(operation: Operation, shapes: Shapes, dtypes: DTypes) -> None:
    """Ask for square matrices."""
    matrices(operation, shapes, dtypes)
    require(shapes[0][-1] == shapes[0][-2], f"a matrix of shape {shapes[0]} is not square")


def equations(operation: kinds.Solve, shapes: Shapes, dtypes: DTypes) -> None:
    """Ask for a square matrix, or for three diagonals, and right sides for its rows."""
    a, b = shapes
    if operation.form != "tridiagonal":
        square(operation, shapes, dtypes)
    else:
        require(len(a) >= 2 and a[-2] == 3, f"diagonals of shape {a} are not three")
    require(len(b) >= 2 and a[-1] == b[-2], f"shapes {a} and {b} are of no system of equations")


def pseudo_inverse(operation: kinds.PseudoInverse, shapes: Shapes, dtypes: DTypes) -> None:
    """Ask for matrices, and for a bound for each of them."""
    matrices(operation, shapes, dtypes)
    bound, batch = shapes[1], shapes[0][:-2]
    pairs = zip(bound[::-1], batch[::-1], strict=False)
    fits = len(bound) <= len(batch) and all(m in {1, n} for m, n in pairs)
    require(fits, f"a bound of shape {bound} is not for a batch of shape {batch}")
