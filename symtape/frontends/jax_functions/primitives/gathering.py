"""Gather along axes whose places are computed: what is taken follows the places in the formula."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from symtape.frontends.jax_functions.columns import columns_of
from symtape.frontends.jax_functions.steps import Step
from symtape.frontends.jax_functions.values import Value, is_fixed, lifted, raw
from symtape.frontends.places import evenly_spaced
from symtape.ops.elementwise import arithmetic, comparison
from symtape.ops.elementwise.conversion import cast
from symtape.ops.indexing import gathering
from symtape.ops.reductions.reduction import reduce_all
from symtape.ops.shapes.shaping import permuted, with_shape
from symtape.tensor.tensor import Literal, Tensor
from symtape.tensor.values import dtype_of, shape_of


@dataclass(frozen=True, slots=True)
class Places:
    """Which axes are indexed, by what, and which are common with an axis of the indices."""

    axes: Sequence[int]
    columns: Sequence[Value]
    common: Sequence[tuple[int, int]]
    """Axes of the array that go along with axes of the indices, in pairs."""


def taken(step: Step, x: Tensor, indices: Tensor) -> Tensor | None:
    """Take elements or slices by indices that lie inside; None for other forms."""
    shape, numbers = shape_of(x), step["dimension_numbers"]
    axes = [int(k) for k in numbers.start_index_map]
    along = zip(numbers.operand_batching_dims, numbers.start_indices_batching_dims, strict=True)
    common = [(int(a), int(b)) for a, b in along]
    thin = {*axes, *[k for k, _ in common]}
    sizes = [int(n) for n in step["slice_sizes"]]
    if not axes or any([n != (1 if k in thin else shape[k]) for k, n in enumerate(sizes)]):
        return None
    columns = columns_in(step, indices)
    if not all([is_inside(raw(c), shape[k]) for c, k in zip(columns, axes, strict=True)]):
        return None
    if all(map(is_fixed, columns)) and _needs_no_gather(columns, axes, common, shape):
        return None
    places = paired(Places(axes, columns, common), shape)
    found, labels = _gathered(x, places)
    return _in_order(step, found, labels, x.ndim, np.ndim(raw(columns[0])))


def columns_in(step: Step, indices: Tensor) -> list[Value]:
    """Give the indices along each axis; JAX's own stay its own."""
    given = step.operands[1]
    if is_fixed(given):
        array = np.asarray(given)
        return [array[..., k] for k in range(array.shape[-1])]
    return columns_of(indices)


def is_inside(places: Any, size: int) -> bool:
    """Say whether all places are at least 0 and less than a size."""
    values = np.asarray(places)
    return not values.size or bool(values.min() >= 0 and values.max() < size)


def _needs_no_gather(columns: Any, axes: Any, common: Any, shape: Sequence[int]) -> bool:
    """Say whether fixed places are better told one by one: of several axes, or evenly spaced."""
    if len(axes) > 1:
        return True
    return not common and evenly_spaced(np.asarray(columns[0]), (shape[axes[0]],)) is not None


def paired(places: Places, shape: Sequence[int]) -> Places:
    """Find axes whose indices count along an axis of the indices: of x[range(n), t] the first."""
    common = list(places.common)
    own, columns = [], []
    for axis, column in zip(places.axes, places.columns, strict=True):
        along = _counts_along(column, shape[axis], [b for _, b in common])
        if along is None:
            own.append(axis)
            columns.append(column)
        else:
            common.append((axis, along))
    return Places(own, columns, common) if own else places


def _counts_along(column: Value, size: int, used: Sequence[int]) -> int | None:
    """Say along which axis fixed indices are 0, 1, … up to the size of what they index."""
    if not is_fixed(column):
        return None
    array = np.asarray(column)
    for k, n in enumerate(array.shape):
        line = np.arange(n).reshape([n if i == k else 1 for i in range(array.ndim)])
        if n == size and k not in used and (array == line).all():
            return k
    return None


def _gathered(x: Tensor, places: Places) -> tuple[Tensor, list[tuple[str, int]]]:
    """Gather, and say what the axes of the result are: of the array, or of the indices."""
    axes, batch = list(places.axes), [a for a, _ in places.common]
    rest = [k for k in range(x.ndim) if k not in axes and k not in batch]
    line = line_of(places, [shape_of(x)[k] for k in axes])
    first = [b for _, b in places.common]
    inner = [k for k in range(line.ndim) if k not in first]
    of_indices = [("index", k) for k in [*first, *inner]]
    if len(axes) == 1 and not batch:
        (axis,) = axes
        found = gathering.gather(x, line, axis=axis)
        of_array = [("array", k) for k in rest]
        return found, [*of_array[:axis], *of_indices, *of_array[axis:]]
    shape = shape_of(x)
    moved = permuted(x, [*batch, *axes, *rest])
    flat = (*[shape[k] for k in batch], prod([shape[k] for k in axes]), *[shape[k] for k in rest])
    own, at = with_shape(moved, flat), permuted(line, [*first, *inner])
    found = gathering.gather(own, at, axis=len(batch), batch_dims=len(batch))
    return found, [*of_indices, *[("array", k) for k in rest]]


def line_of(places: Places, sizes: Sequence[int]) -> Tensor:
    """Count places of several axes as one number; that each lies inside is a condition."""
    columns = [_counted(lifted(c)) for c in places.columns]
    if len(columns) == 1:
        return columns[0]
    for column, size in zip(columns, sizes, strict=True):
        end, start = Literal.of(size, dtype_of(column)), Literal.of(0, dtype_of(column))
        below, above = comparison.less(column, end), comparison.greater_equal(column, start)
        bool(reduce_all(comparison.logical_and(above, below)))
    found = columns[0]
    for column, size in zip(columns[1:], sizes[1:], strict=True):
        scale = Literal.of(size, dtype_of(found))
        found = arithmetic.add(arithmetic.multiply(found, scale), column)
    return found


def _counted(x: Tensor) -> Tensor:
    """Have integers in a dtype that counts the elements of an array."""
    return x if dtype_of(x).name in {"int32", "int64"} else cast(x, "int64")


def _in_order(
    step: Step, found: Tensor, labels: Sequence[tuple[str, int]], rank: int, depth: int
) -> Tensor:
    """Put axes of slices and of indices where the result has them; slices of one are new axes."""
    numbers = step["dimension_numbers"]
    gone = {int(k) for k in (*numbers.collapsed_slice_dims, *numbers.operand_batching_dims)}
    slices = iter([("array", k) for k in range(rank) if k not in gone])
    indices = iter([("index", k) for k in range(depth)])
    offsets = {int(k) for k in numbers.offset_dims}
    wanted = [next(slices if k in offsets else indices) for k in range(len(step.shape))]
    order = [labels.index(label) for label in wanted if label in labels]
    return with_shape(permuted(found, order), step.shape)
