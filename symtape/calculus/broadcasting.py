"""Cotangents that lack axes, and the sums over axes along which an operand was repeated."""

from __future__ import annotations

from collections.abc import Sequence

from symtape.program.operations import Count, DType, Shape, dtype_name
from symtape.program.program import Builder


def unbroadcast(b: Builder, g: int, out: Shape, shape: Shape, whole: int) -> int:
    """Sum a cotangent of shape `out` over the axes that an operand of `shape` repeats along.

    What the cotangent lacks is counted in a step that has it, `whole`: a program with this
    derivative in it may be made again for other sizes, where a number would stay.
    """
    if out == shape:
        return g
    rank, have = len(shape), b.shapes[g]
    term = list(range(-len(have), 0))  # axes are numbered from the last one, -1
    output, sizes, repeats = [], {}, []
    for axis in range(-max(len(out), len(have)), 0):
        size = have[axis] if -axis <= len(have) else 1
        wide = out[axis] if -axis <= len(out) else size
        if -axis <= len(out) and (-axis > rank or shape[axis] == 1 != wide):
            repeats += [axis] if size == 1 != wide else []
            if -axis <= rank and -axis <= len(have):
                output.append(100 + axis)
                sizes[100 + axis] = 1
        elif -axis <= len(have):
            output.append(axis)
    summed = b.einsum([term], output, [g], sizes)
    return b.multiply(summed, counted(b, whole, repeats, b.dtypes[g])) if repeats else summed


def counted(b: Builder, x: int, axes: Sequence[int], dtype: DType) -> int:
    """Count the elements of x along some axes."""
    return b.append(Count(tuple(axes), dtype_name(dtype)), x)


def full(b: Builder, g: int, shape: Shape) -> int:
    """Repeat a cotangent along the axes that it lacks, so that it has at least this shape."""
    have = b.shapes[g]
    if have[len(have) - len(shape) :] == shape and len(have) >= len(shape):
        return g
    lead = have[: max(len(have) - len(shape), 0)]
    return b.broadcast(g, lead + shape)


def keep_axes(b: Builder, x: int, axes: Sequence[int], rank: int) -> int:
    """Put axes of size one where a reduction of an operand of some rank left them out.

    What has fewer axes than the reduction's result keeps its last ones.
    """
    have = len(b.shapes[x])
    kept = [axis for axis in range(-rank, 0) if axis not in axes]
    extra = have - len(kept)
    lead = list(range(-rank - extra, -rank)) if extra > 0 else []
    term = lead + kept[max(-extra, 0) :]
    first = term[0] if term else 0
    output = list(range(min(first, -rank if lead else first), 0)) if term else []
    sizes = dict.fromkeys(axes, 1)
    return b.einsum([term], output, [x], sizes)
