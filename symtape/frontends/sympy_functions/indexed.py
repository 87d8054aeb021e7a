"""Entries of arrays and matrices, sums and products over indices."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import sympy as sp

from symtape.frontends.places import elements
from symtape.frontends.sympy_functions.axes import Grid, Named, applied, on_grid, spread, union
from symtape.frontends.sympy_functions.conditions import grid, truth
from symtape.frontends.sympy_functions.reader import Reader, Rule, unreadable
from symtape.ops.elementwise.arithmetic import multiply, where
from symtape.ops.reductions.reduction import reduce_prod, reduce_sum
from symtape.ops.shapes.creation import ones
from symtape.tensor.tensor import Literal, Tensor
from symtape.tensor.values import shape_of


def entry(reader: Reader, e: Any, base: Any, subscripts: Sequence[Any]) -> Named:
    """Take the entries of an array at subscripts, each of them made of indices."""
    x = reader.values[base]
    shape = shape_of(x)
    if len(shape) != len(subscripts):
        raise unreadable(e, f"{base} has {len(shape)} axes: {shape}")
    places = [grid(reader, s) for s in subscripts]
    whole = [
        p.indices == (s,) and np.array_equal(p.array, np.arange(n))
        for p, s, n in zip(places, subscripts, shape, strict=True)
    ]
    if all(whole) and len({*subscripts}) == len(subscripts):
        return Named(x, tuple(subscripts))
    indices = union(places)
    lines = [spread(p, indices) for p in places]
    outside = [(a < 0) | (a >= n) for a, n in zip(lines, shape, strict=True)]
    _check_inside(reader, e, Grid(np.any(np.broadcast_arrays(*outside), axis=0), indices), shape)
    held = [np.clip(a, 0, n - 1) for a, n in zip(lines, shape, strict=True)]
    numbers = np.ravel_multi_index(np.broadcast_arrays(*held), shape)
    return Named(elements(x, numbers), indices)


def _check_inside(reader: Reader, e: Any, outside: Grid, shape: Sequence[int]) -> None:
    if reader.inside is not None:
        outside = on_grid(np.logical_and, outside, reader.inside)
    if np.any(outside.array):
        raise unreadable(e, f"a subscript is outside of the shape {tuple(shape)}")


def _indexed(reader: Reader, e: Any) -> Named:
    return entry(reader, e, e.base, e.indices)


def _matrix_element(reader: Reader, e: Any) -> Named:
    matrix, *subscripts = e.args
    if not isinstance(matrix, sp.MatrixSymbol):
        raise unreadable(e, "write the entry of a product of matrices as a sum")
    return entry(reader, e, matrix, subscripts)


def _over_indices(reduced: Callable[..., Tensor], neutral: int) -> Callable[[Reader, Any], Named]:
    """Make a rule that reduces the axes of indices."""

    def rule(reader: Reader, e: Any) -> Named:
        inner, conditions = reader, []
        for index, low, high in reversed(e.limits):
            inner, condition = _with_index(inner, e, index, low, high)
            conditions.append(condition)
        body = inner.read(e.function)
        own = [limit[0] for limit in e.limits]
        for index in own:
            body = along(inner, body, index)
        if inner.inside is not reader.inside:
            mask = truth(inner, sp.And(*conditions))
            body = applied(where, mask, body, Named(Literal.of(neutral, reader.dtype)))
        axes = [body.indices.index(i) - len(body.indices) for i in own]
        kept = tuple([i for i in body.indices if i not in own])
        return Named(reduced(body.tensor, axis=axes), kept)

    return rule


def along(reader: Reader, part: Named, index: Any) -> Named:
    """Give a part the axis of an index on which it does not depend."""
    if index in part.indices:
        return part
    line = Named(ones([len(reader.ranges[index])], reader.dtype), (index,))
    return applied(multiply, part, line)


def _with_index(reader: Reader, e: Any, index: Any, low: Any, high: Any) -> tuple[Reader, Any]:
    """Enter an index between bounds; where they depend on indices outside, give the condition."""
    if low.is_infinite or high.is_infinite:
        raise unreadable(e, "the bounds have to be finite")
    first, last = grid(reader, low), grid(reader, high)
    numbers = np.arange(first.array.min(), last.array.max() + 1)
    if not first.indices and not last.indices:
        return reader.within({index: numbers}, None), sp.true
    line = Grid(numbers, (index,))
    above = on_grid(np.greater_equal, line, first)
    below = on_grid(np.less_equal, line, last)
    inner = reader.within({index: numbers}, on_grid(np.logical_and, above, below))
    sides = (low <= index if first.indices else sp.true, index <= high if last.indices else sp.true)
    return inner, sp.And(*sides)


RULES: dict[Any, Rule] = {
    sp.Indexed: _indexed,
    sp.matrices.expressions.matexpr.MatrixElement: _matrix_element,
    sp.Sum: _over_indices(reduce_sum, 0),
    sp.Product: _over_indices(reduce_prod, 1),
}
