"""Scatter along axes whose places are arguments: what is put, or added, follows the places."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import NamedTuple

from symtape.frontends.jax_functions.primitives.gathering import (
    Places,
    columns_in,
    is_inside,
    line_of,
    paired,
)
from symtape.frontends.jax_functions.steps import Step
from symtape.frontends.jax_functions.values import is_fixed, raw
from symtape.frontends.scattering import put, summed
from symtape.ops.elementwise import arithmetic
from symtape.ops.shapes.shaping import permuted, with_shape
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of


class _Layout(NamedTuple):
    """What the axes of the updates are, ("array", k) or ("index", k), and which are indexed."""

    labels: Sequence[tuple[str, int]]
    places: Places


def placed(step: Step, x: Tensor, indices: Tensor, update: Tensor) -> Tensor | None:
    """Put or add updates by indices that lie inside; None for other forms."""
    layout = None if is_fixed(step.operands[1]) else _layout(step, x, indices, update)
    if layout is None:
        return None
    places, shape = layout.places, shape_of(x)
    batch, axes = [a for a, _ in places.common], list(places.axes)
    rest = [k for k in range(x.ndim) if k not in axes and k not in batch]
    order = [*batch, *axes, *rest]
    flat = (*[shape[k] for k in batch], prod([shape[k] for k in axes]), *[shape[k] for k in rest])
    whole = with_shape(permuted(x, order), flat)
    line = line_of(places, [shape[k] for k in axes])
    first = [b for _, b in places.common]
    inner = [k for k in range(line.ndim) if k not in first]
    own = permuted(line, [*first, *inner])
    rows = _rows(layout, update, [*[("index", k) for k in (*first, *inner)]], rest)
    made = _joined(step.name, whole, rows, own, len(batch))
    if made is None:
        return None
    back = with_shape(made, tuple([shape[k] for k in order]))
    return permuted(back, sorted(range(x.ndim), key=lambda k: order[k]))


def _joined(name: str, x: Tensor, rows: Tensor, line: Tensor, batch: int) -> Tensor | None:
    if name == "scatter":
        return put(x, rows, line, batch)
    join = arithmetic.add if name == "scatter-add" else arithmetic.subtract
    return join(x, summed(x, rows, line, batch))


def _rows(
    layout: _Layout, update: Tensor, first: Sequence[tuple[str, int]], rest: Sequence[int]
) -> Tensor:
    """Bring updates into the order of the places, then of the array; windows of one are no axes."""
    wanted = [*first, *[("array", k) for k in rest]]
    thin = [k for k, label in enumerate(layout.labels) if label not in wanted]
    order = [layout.labels.index(label) for label in wanted]
    sizes = tuple([shape_of(update)[k] for k in order])
    return with_shape(permuted(update, [*order, *thin]), sizes)


def _layout(step: Step, x: Tensor, indices: Tensor, update: Tensor) -> _Layout | None:
    """Read which axes of an array are indexed, if windows are whole along all others."""
    shape, numbers = shape_of(x), step["dimension_numbers"]
    axes = [int(k) for k in numbers.scatter_dims_to_operand_dims]
    along = zip(numbers.operand_batching_dims, numbers.scatter_indices_batching_dims, strict=True)
    common = [(int(a), int(b)) for a, b in along]
    labels = _labels(step, x.ndim, update.ndim)
    thin = {*axes, *[a for a, _ in common]}
    sizes = {k: shape_of(update)[at] for at, (kind, k) in enumerate(labels) if kind == "array"}
    if not axes or any([sizes.get(k, 1) != (1 if k in thin else shape[k]) for k in range(x.ndim)]):
        return None
    columns = columns_in(step, indices)
    if not all([is_inside(raw(c), shape[k]) for c, k in zip(columns, axes, strict=True)]):
        return None
    return _Layout(labels, paired(Places(axes, columns, common), shape))


def _labels(step: Step, rank: int, depth: int) -> list[tuple[str, int]]:
    numbers = step["dimension_numbers"]
    gone = {int(k) for k in (*numbers.inserted_window_dims, *numbers.operand_batching_dims)}
    windows = iter([("array", k) for k in range(rank) if k not in gone])
    indices = iter([("index", k) for k in range(depth)])
    own = {int(k) for k in numbers.update_window_dims}
    return [next(windows if k in own else indices) for k in range(depth)]
