"""NumPy's sets of elements, and what it counts in bins: which elements there are is decided."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from symtape.ops.elementwise.arithmetic import add, divide, subtract
from symtape.ops.elementwise.conversion import cast
from symtape.ops.numpy.arrays.creation import FUNCTIONS as CREATED
from symtape.ops.numpy.arrays.moves import at_places, known
from symtape.ops.numpy.dtypes import promoted, taken
from symtape.ops.reductions.reduction import reduce_max, reduce_min, reduce_sum
from symtape.ops.shapes.shaping import reshape
from symtape.program.kinds.structural import Scatter
from symtape.tensor.dispatch import apply
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of, size_of


def _unique(
    ar: Any,
    return_index: bool = False,
    return_inverse: bool = False,
    return_counts: bool = False,
    axis: int | None = None,
    *,
    equal_nan: bool = True,
) -> Any:
    """Take each element, or each part along an axis, where it is first."""
    x = taken(ar)
    values, places = np.asarray(known(x)), np.arange(size_of(x)).reshape(shape_of(x))
    _, *others = np.unique(values, True, True, True, axis, equal_nan=equal_nan)
    first = places.ravel()[others[0]] if axis is None else np.take(places, others[0], axis)
    wanted = (return_index, return_inverse, return_counts)
    kept = [other for other, is_kept in zip(others, wanted, strict=True) if is_kept]
    return (at_places([x], first), *kept) if kept else at_places([x], first)


def _by_field(function: Callable[..., Any]) -> Callable[[Any], Any]:
    """Give the result that a function gives, whose values are elements."""

    def run(x: Any, /) -> Any:
        whole = taken(x)
        made, first = function(known(whole)), np.unique_all(known(whole)).indices
        values = at_places([whole], first)
        return type(made)(values, *made[1:]) if isinstance(made, tuple) else values

    return run


def _of_two(function: Callable[..., Any]) -> Callable[..., Tensor]:
    """Ask for the set, and where each of its elements is first."""

    def run(ar1: Any, ar2: Any, assume_unique: bool = False) -> Tensor:
        parts = promoted([ar1, ar2])
        lines = [np.ravel(known(part)) for part in parts]
        kept = function(*lines, **({"assume_unique": True} if assume_unique else {}))
        values, first = np.unique(np.concatenate(lines), return_index=True)
        made: Tensor = at_places(parts, first[np.searchsorted(values, kept)])
        return made

    return run


def _edges(a: Any, bins: Any, limits: Any) -> tuple[Any, Tensor]:
    """Give the ends of bins as numbers and as a tensor: they follow the elements at both ends."""
    x, own = taken(a), known(bins)
    numbers = np.histogram_bin_edges(known(x), own, limits)
    if np.ndim(own):
        return numbers, taken(bins)
    if limits is not None or not size_of(x):
        return numbers, Tensor(numbers)
    low, high = reduce_min(x), reduce_max(x)
    if known(low) == known(high):
        low, high = subtract(low, 0.5), add(high, 0.5)
    return numbers, CREATED[np.linspace](low, high, len(numbers))


def _bin_edges(a: Any, bins: Any = 10, range: Any = None) -> Tensor:
    return _edges(a, bins, range)[1]


def _histogram(
    a: Any, bins: Any = 10, range: Any = None, density: bool = False, weights: Any = None
) -> tuple[Any, Tensor]:
    """Add up the weights in each bin, whose first end belongs to it; the last bin has both."""
    numbers, edges = _edges(a, bins, range)
    values, count = np.ravel(known(taken(a))), len(numbers) - 1
    places = np.searchsorted(numbers, values, "right") - 1
    places[values == numbers[-1]] = count - 1
    inside = np.flatnonzero((places >= 0) & (places < count))
    terms = reshape(taken(np.ones(len(values), int) if weights is None else weights), [-1])
    if size_of(terms) != len(values):
        raise ValueError("weights should have the same shape as a.")
    sums = apply(Scatter(0, 0, 0, count), at_places([terms], inside), Tensor(places[inside]))
    if not density:
        return sums, edges
    shares, widths = cast(sums, np.float64), cast(subtract(edges[1:], edges[:-1]), np.float64)
    return divide(divide(shares, widths), reduce_sum(shares)), edges


FUNCTIONS: dict[Any, Callable[..., Any]] = {
    np.histogram: _histogram,
    np.histogram_bin_edges: _bin_edges,
    np.intersect1d: _of_two(np.intersect1d),
    np.setdiff1d: _of_two(np.setdiff1d),
    np.setxor1d: _of_two(np.setxor1d),
    np.union1d: _of_two(np.union1d),
    np.unique: _unique,
    np.unique_all: _by_field(np.unique_all),
    np.unique_counts: _by_field(np.unique_counts),
    np.unique_inverse: _by_field(np.unique_inverse),
    np.unique_values: _by_field(np.unique_values),
}
