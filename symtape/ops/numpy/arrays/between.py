"""NumPy's functions that take what lies between elements: quantiles, and linear interpolation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from symtape.errors import UnsupportedError
from symtape.ops.arguments import is_tensor, like
from symtape.ops.elementwise.arithmetic import (
    add,
    divide,
    maximum,
    minimum,
    multiply,
    subtract,
    where,
)
from symtape.ops.elementwise.comparison import greater, less
from symtape.ops.elementwise.conversion import cast
from symtape.ops.indexing.gathering import gather
from symtape.ops.numpy.arrays.axes import axes_among
from symtape.ops.numpy.dtypes import taken
from symtape.ops.numpy.ufuncs import UFUNCS
from symtape.ops.reductions import ordering
from symtape.ops.shapes import shaping
from symtape.ops.shapes.creation import ones_like
from symtape.tensor.convert import convert
from symtape.tensor.decided import decided_by_look
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import dtype_of, shape_of

_METHODS = """
linear lower higher midpoint nearest inverted_cdf averaged_inverted_cdf closest_observation
interpolated_inverted_cdf hazen weibull median_unbiased normal_unbiased
""".split()
_CHOOSING = {"lower", "higher", "nearest", "inverted_cdf", "closest_observation"}
"""The methods that take an element as it is."""


def lines_of(x: Tensor, axis: Any) -> tuple[Tensor, list[int]]:
    """Put some axes in one behind the others; give the sizes of the result that keeps them, too."""
    chosen = range(x.ndim) if axis is None else sorted(axes_among(x.ndim, axis))
    others = [n for n in range(x.ndim) if n not in chosen]
    rows = shaping.transpose(x, [*others, *chosen])
    sizes = [1 if n in chosen else size for n, size in enumerate(shape_of(x))]
    return shaping.reshape(rows, [*(shape_of(x)[n] for n in others), -1]), sizes


def quantile(
    a: Any, q: Any, axis: Any = None, *, method: str = "linear", keepdims: bool = False
) -> Tensor:
    """Sort, and take so much of each neighbour as the place between them says.

    The methods are those of Hyndman and Fan (The American Statistician 50, 1996), and more.
    """
    if is_tensor(q) or method not in _METHODS:
        raise UnsupportedError(
            f"np.quantile is recorded for shares that are numbers, by the methods "
            f"{', '.join(_METHODS)}: not {q!r} by {method!r}"
        )
    x = convert(a)
    shares = np.asarray(q, float)
    if not np.all((shares >= 0) & (shares <= 1)):
        raise ValueError("Quantiles must be in the range [0, 1]")
    is_wide = not isinstance(q, (int, float)) and method not in _CHOOSING
    x = cast(x, np.float64) if is_wide or dtype_of(x).kind in "iub" else x
    line, sizes = lines_of(x, axis)
    found = _between(ordering.sort(line), shares.ravel(), method)
    rest = sizes if keepdims else list(shape_of(line)[:-1])
    found = shaping.transpose(found, [found.ndim - 1, *range(found.ndim - 1)])
    return shaping.reshape(found, [*shares.shape, *rest])


def _between(ordered: Tensor, shares: Any, method: Any) -> Tensor:
    """Take shares of the last axis: places are quantiles of places, by NumPy's own methods."""
    last = shape_of(ordered)[-1] - 1
    places = np.quantile(np.arange(last + 1.0), shares, method=method)
    low = np.minimum(np.floor(places).astype(int), last)
    part = Tensor((places - low).astype(dtype_of(ordered)))
    below = gather(ordered, low, axis=-1)
    above = gather(ordered, np.minimum(low + 1, last), axis=-1)
    return add(below, multiply(subtract(above, below), part))


def percentile(
    a: Any, q: Any, axis: Any = None, *, method: str = "linear", keepdims: bool = False
) -> Tensor:
    """Take quantiles of shares in percent, as `np.percentile` does."""
    shares = q if is_tensor(q) else np.asarray(q) / 100
    return quantile(a, shares, axis, method=method, keepdims=keepdims)


def _interp(
    x: Any, xp: Any, fp: Any, left: Any = None, right: Any = None, period: Any = None
) -> Tensor:
    """Follow the line between the two points around each place; ends go on as they are."""
    at, points, values = _wide(x), _wide(xp), _wide(fp)
    kind = dtype_of(values)
    if shape_of(points) != shape_of(values):
        raise ValueError("fp and xp are not of the same length.")
    if shape_of(points) == (0,):
        raise ValueError("array of sample points is empty")
    if period is not None:
        at, points, values = _periodic(at, points, values, abs(period))
        left = right = None
    last = shape_of(points)[0] - 1
    if not last:
        found = multiply(gather(values, 0), cast(ones_like(at), kind))
    else:
        found = _on_lines(at, points, values)
    for is_out, value, end in (
        (less(at, gather(points, 0)), left, 0),
        (greater(at, gather(points, last)), right, last),
    ):
        own = gather(values, end) if value is None else cast(taken(value), dtype_of(values))
        found = where(is_out, own, found)
    return found


def _periodic(at: Tensor, points: Tensor, values: Tensor, period: Any) -> tuple[Tensor, ...]:
    """Bring all into one period, in order, with the last point in front and the first behind."""
    if period == 0:
        raise ValueError("period must be a non-zero value")
    at, points = [UFUNCS[np.remainder](x, like(period, x)) for x in (at, points)]
    order = np.argsort(decided_by_look(points))
    around = np.concatenate([order[-1:], order, order[:1]])
    turns = np.zeros(len(around))
    turns[[0, -1]] = -1.0, 1.0
    return at, add(gather(points, around), multiply(turns, period)), gather(values, around)


def _wide(x: Any) -> Tensor:
    """Take an array of double precision; lists have all of their digits."""
    value = taken(x)
    return cast(value, np.complex128 if dtype_of(value).kind == "c" else np.float64)


def _on_lines(at: Tensor, points: Tensor, values: Tensor) -> Tensor:
    flat = shaping.reshape(at, [-1])
    after = ordering.searchsorted(points, flat, side="right")
    low = maximum(minimum(subtract(after, 1), shape_of(points)[0] - 2), 0)
    high = add(low, 1)
    x, y = gather(points, low), gather(values, low)
    run = cast(subtract(gather(points, high), x), dtype_of(values))
    slope = divide(subtract(gather(values, high), y), run)
    found = add(y, multiply(slope, cast(subtract(flat, x), dtype_of(values))))
    return shaping.reshape(found, shape_of(at))


FUNCTIONS: dict[Any, Callable[..., Any]] = {
    np.quantile: quantile,
    np.percentile: percentile,
    np.interp: _interp,
}
