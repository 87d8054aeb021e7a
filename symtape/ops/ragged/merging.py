"""Axes of ragged rows that become one."""

from __future__ import annotations

from typing import Any

from symtape.ops.ragged.rows import Rows
from symtape.ops.ragged.splits import positive
from symtape.ops.shapes.shaping import reshape
from symtape.tensor.values import shape_of


def merged(rows: Rows, outer_axis: int, inner_axis: int) -> Any:
    """Make one axis of those between two axes.

    Raises `ValueError` for axes that are not there, or in the other order.
    """
    outer = positive(outer_axis, rows.rank, "outer_axis")
    inner = positive(inner_axis, rows.rank, "inner_axis")
    if outer > inner:
        raise ValueError(
            f"Expected outer_axis ({outer}) to be less than or equal to inner_axis ({inner})."
        )
    return _merged(rows, outer, inner)


def _merged(value: Any, outer: int, inner: int) -> Any:
    if outer == inner:
        return value
    if not isinstance(value, Rows):
        sizes = shape_of(value)
        return reshape(value, [*sizes[:outer], -1, *sizes[inner + 1 :]])
    if outer == 0:
        return _merged(value.values, 0, inner - 1)
    if outer > 1:
        return value.with_values(_merged(value.values, outer - 1, inner - 1))
    splits, values = value.splits, value.values
    if isinstance(values, Rows):
        joined: Any = type(value)(values.values, values.splits[splits])
        return _merged(joined, 1, inner - 1)
    for n in shape_of(values)[1:inner]:
        splits = splits * n
    return type(value)(_merged(values, 0, inner - 1), splits)
