"""Tensors with named axes: the last axes of each belong to the indices of a formula.

Axes before those are the arguments' own: a formula of scalars is computed entry by entry.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import sympy as sp

from symtape.ops.shapes.shaping import permuted, with_shape
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of


class Named(NamedTuple):
    """A tensor whose last axes are those of some indices."""

    tensor: Tensor
    indices: tuple[sp.Symbol, ...] = ()


def in_order(part: Named, indices: tuple[sp.Symbol, ...]) -> Tensor:
    """Give the tensor with its axes in another order."""
    return _widened(part, indices)


class Grid(NamedTuple):
    """An array of integers, or of truth, that depends on indices alone: an axis for each."""

    array: Any
    indices: tuple[sp.Symbol, ...] = ()


def union(parts: Sequence[Named] | Sequence[Grid]) -> tuple[sp.Symbol, ...]:
    """List the indices of some parts, in the order in which they appear."""
    return tuple(dict.fromkeys(i for part in parts for i in part.indices))


def applied(function: Callable[..., Tensor], *parts: Named) -> Named:
    """Apply a function that broadcasts to tensors whose axes are matched by name."""
    indices = union(parts)
    return Named(function(*[_widened(part, indices) for part in parts]), indices)


def _widened(part: Named, indices: tuple[sp.Symbol, ...]) -> Tensor:
    """Put the axes of a part in an order, with axes of one for what it does not have."""
    if part.indices == indices:
        return part.tensor
    own, shape = part.indices, shape_of(part.tensor)
    lead = len(shape) - len(own)
    kept = [lead + own.index(i) for i in indices if i in own]
    turned = permuted(part.tensor, [*range(lead), *kept])
    sizes = [shape[lead + own.index(i)] if i in own else 1 for i in indices]
    return with_shape(turned, (*shape[:lead], *sizes))


def on_grid(function: Callable[..., Any], *parts: Grid) -> Grid:
    """Apply a function of NumPy's to grids whose axes are matched by name."""
    indices = union(parts)
    return Grid(function(*[spread(part, indices) for part in parts]), indices)


def spread(part: Grid, indices: Sequence[sp.Symbol]) -> Any:
    """Put the axes of a grid in an order, with axes of one for what it does not have."""
    kept = [part.indices.index(i) for i in indices if i in part.indices]
    turned = np.transpose(part.array, kept)
    sizes = [part.array.shape[part.indices.index(i)] if i in part.indices else 1 for i in indices]
    return turned.reshape(sizes)
