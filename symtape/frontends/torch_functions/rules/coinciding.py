"""Values joined where places coincide: sums, products and extremes of all that come to a place."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtape.frontends.torch_functions.memory.views import as_dtype, taken_at
from symtape.frontends.torch_functions.rules.promotion import as_operand
from symtape.ops.elementwise import arithmetic, comparison
from symtape.ops.elementwise.conversion import stop_gradient
from symtape.ops.indexing import scattering
from symtape.tensor.decided import decided
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import dtype_of, shape_of


def joined(x: Tensor, places: Tensor, values: Tensor, reduce: str, *, include_self: bool) -> Tensor:
    """A line with elements joined at places: their product, mean or sum.

    Where the line's own element does not belong to them, it is replaced in the first turn.
    """
    found, at = x, np.ravel(decided(places, "scatter_reduce()"))
    for turn, own in enumerate(turns(at)):
        new = taken_at(values, own)
        if turn or include_self:
            new = JOINS[reduce](taken_at(found, at[own]), new)
        found = put(found, at[own], new)
    if reduce != "mean":
        return found
    counts = np.bincount(at, minlength=shape_of(x)[0]) + (1 if include_self else 0)
    return arithmetic.divide(found, as_dtype(Tensor(np.maximum(counts, 1)), dtype_of(x)))


def turns(at: Any) -> list[Any]:
    """Share what comes to places out to turns, in order, of which each takes every place once."""
    order = np.argsort(at, kind="stable")
    starts = np.flatnonzero(np.diff(at[order], prepend=-1))
    turns = np.empty(at.size, int)
    turns[order] = np.arange(at.size) - np.repeat(starts, np.diff(starts, append=at.size))
    return [np.flatnonzero(turns == turn) for turn in range(turns.max(initial=-1) + 1)]


def put(x: Tensor, rows: Any, values: Tensor) -> Tensor:
    """Put rows at places that are all different."""
    return scattering.tensor_scatter_nd_update(x, Tensor(rows[:, None]), values)


JOINS = {
    "sum": arithmetic.add,
    "mean": arithmetic.add,
    "prod": arithmetic.multiply,
    "max": arithmetic.maximum,
    "min": arithmetic.minimum,
}
EXTREMES = {
    "amax": (scattering.tensor_scatter_nd_max, comparison.greater, "min"),
    "amin": (scattering.tensor_scatter_nd_min, comparison.less, "max"),
}
"""How values are joined, how one is beyond the others, and which number of a dtype never is."""


def extremes(
    line: Tensor, places: Tensor, values: Tensor, reduce: str, *, include_self: bool
) -> Tensor:
    """A line with extremes put at places; equal ones share the gradient.

    An element of the line's own that is left out takes its share all the same where it is equal,
    since torch counts it, but has no gradient.
    """
    join, is_beyond, end = EXTREMES[reduce]
    if include_self:
        return join(line, places, values)
    reached = np.zeros(shape_of(line), bool)
    reached[decided(places, "scatter_reduce()")] = True
    never = as_operand(_last(dtype_of(line), end), dtype_of(line))
    best = join(arithmetic.where(Tensor(reached), never, line), places, values)
    counted = arithmetic.where(is_beyond(line, best), never, stop_gradient(line))
    return join(arithmetic.where(Tensor(reached), counted, line), places, values)


def _last(dtype: Any, end: str) -> Any:
    """Give the least or the greatest number of a dtype."""
    if dtype.kind in "iu":
        return int(getattr(np.iinfo(dtype), end))
    return -np.inf if end == "min" else np.inf
