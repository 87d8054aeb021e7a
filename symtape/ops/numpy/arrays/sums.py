"""NumPy's functions that are sums and differences of elements: filters, slopes, medians."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from symtape.ops.elementwise.arithmetic import add, divide, multiply, subtract
from symtape.ops.elementwise.conversion import cast
from symtape.ops.elementwise.functions import conj
from symtape.ops.linalg.products import tensordot
from symtape.ops.numpy.arrays.axes import axes_among
from symtape.ops.numpy.arrays.between import lines_of
from symtape.ops.numpy.dtypes import inexact, pair, taken
from symtape.ops.reductions import ordering
from symtape.ops.reductions.reduction import reduce_mean
from symtape.ops.shapes import shaping
from symtape.ops.shapes.repetition import joined, part_of
from symtape.program.kinds.structural import WHOLE, Scatter
from symtape.tensor.convert import convert
from symtape.tensor.dispatch import apply
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import dtype_of, shape_of, size_of


def convolve(a: Any, v: Any, mode: str = "full") -> Tensor:
    """Add up products along the lines where the places of both have one sum, as `np.convolve`."""
    x, y = pair(taken(a), taken(v))
    if max(x.ndim, y.ndim) > 1:
        raise ValueError("object too deep for desired array")
    x, y = (shaping.reshape(part, [-1]) for part in (x, y))
    m, n = size_of(x), size_of(y)
    if not m or not n:
        raise ValueError("a and v cannot be empty")
    places = np.add.outer(np.arange(m), np.arange(n)).ravel()
    terms = shaping.reshape(tensordot(x, y, 0), [-1])
    whole = apply(Scatter(0, 0, 0, m + n - 1), terms, Tensor(places))
    short = min(m, n)
    cut = {"full": 0, "same": (short - 1) // 2, "valid": short - 1}
    if mode not in cut:
        raise ValueError(f"mode must be 'full', 'same' or 'valid', not {mode!r}")
    count = {"full": m + n - 1, "same": max(m, n), "valid": max(m, n) - short + 1}[mode]
    return part_of(whole, 0, cut[mode], count)


def _gradient(f: Any, *spacings: Any, axis: Any = None, edge_order: int = 1) -> Any:
    x = inexact(f)
    axes = range(x.ndim) if axis is None else axes_among(x.ndim, axis)
    steps = list(spacings) * (len(axes) if len(spacings) == 1 else 1) or [1.0] * len(axes)
    if len(steps) != len(axes):
        raise TypeError(f"np.gradient of {len(axes)} axes with {len(steps)} spacings")
    if edge_order not in {1, 2}:
        raise ValueError(f"np.gradient has the edge_order 1 or 2, not {edge_order}")
    found = [_slopes(x, n, h, edge_order) for n, h in zip(axes, steps, strict=True)]
    one = len(found) == 1 and (x.ndim == 1 or axis is not None)
    return found[0] if one and (axis is None or np.ndim(axis) == 0) else tuple(found)


def _slopes(x: Tensor, axis: int, spacing: Any, edge_order: int) -> Tensor:
    """Differentiate the parabola through three neighbours, or at the ends the line through two."""
    n = shape_of(x)[axis]
    if n < edge_order + 1:
        raise ValueError(
            f"np.gradient with edge_order={edge_order} needs at least {edge_order + 1} elements "
            f"along each axis, not {n}"
        )
    if np.ndim(spacing) == 0:
        return _even_slopes(x, axis, spacing, edge_order)
    places = cast(taken(spacing), dtype_of(x))
    if shape_of(places) != (n,):
        raise ValueError("when 1d, distances must match the length of the corresponding dimension")
    wide = shaping.reshape(places, [n if k == axis else 1 for k in range(x.ndim)])
    steps = subtract(part_of(wide, axis, 1, n - 1), part_of(wide, axis, 0, n - 1))
    rises = subtract(part_of(x, axis, 1, n - 1), part_of(x, axis, 0, n - 1))
    slopes = divide(rises, steps)  # of the lines between neighbours
    before, after = [[part_of(s, axis, k, n - 2) for s in (slopes, steps)] for k in (0, 1)]
    inner = _between(*before, *after)
    ends = [part_of(slopes, axis, k, 1) for k in (0, n - 2)]
    if edge_order == 2:
        ends = [_at_end(slopes, steps, axis, *near) for near in ((0, 1), (n - 2, n - 3))]
    return joined([ends[0], inner, ends[1]], axis)


def _between(first: Tensor, before: Tensor, second: Tensor, after: Tensor) -> Tensor:
    """Weight the slope of each side by the step of the other side."""
    return divide(add(multiply(first, after), multiply(second, before)), add(before, after))


def _at_end(slopes: Tensor, steps: Tensor, axis: int, end: int, inside: int) -> Tensor:
    """Go on from the two lines at an end to the end itself."""
    (s, h), (t, k) = [[part_of(v, axis, n, 1) for v in (slopes, steps)] for n in (end, inside)]
    return add(s, multiply(subtract(s, t), divide(h, add(h, k))))


def _even_slopes(x: Tensor, axis: int, step: Any, edge_order: int) -> Tensor:
    """Take half the difference of the neighbours."""
    n, step = shape_of(x)[axis], cast(taken(step), dtype_of(x))
    inner = subtract(part_of(x, axis, 2, n - 2, WHOLE), part_of(x, axis, 0, n - 2, WHOLE))
    first, last = [
        subtract(part_of(x, axis, a, 1, (end, end)), part_of(x, axis, b, 1, (end, end)))
        for a, b, end in ((1, 0, False), (n - 1, n - 2, True))
    ]
    if edge_order == 2:
        low, high = [
            subtract(part_of(x, axis, a, 1), part_of(x, axis, b, 1))
            for a, b in ((2, 1), (n - 2, n - 3))
        ]
        first, last = [
            divide(subtract(multiply(near, 3.0), far), 2.0)
            for near, far in ((first, low), (last, high))
        ]
    return joined(
        [divide(d, h) for d, h in ((first, step), (inner, add(step, step)), (last, step))], axis
    )


def median(a: Any, axis: Any = None, *, keepdims: bool = False) -> Tensor:
    """Sort, and take the mean of the one or two in the middle, as `np.median` does."""
    line, sizes = lines_of(convert(a), axis)
    count = shape_of(line)[-1]
    first = (count - 1) // 2
    middle = part_of(ordering.sort(line), line.ndim - 1, first, 1 + (count % 2 == 0))
    made = reduce_mean(middle, -1)
    return shaping.reshape(made, sizes) if keepdims else made


def _correlate(a: Any, v: Any, mode: str = "valid") -> Tensor:
    """Convolve with the other one turned round; it is conjugated, too.

    The longer one stays: with both exchanged the result is turned round and conjugated.
    """
    x, y = taken(a), taken(v)
    if np.size(x) < np.size(y):
        return _conjugate(_correlate(y, x, mode)[::-1])
    return convolve(x, _conjugate(y)[::-1], mode)


def _conjugate(x: Tensor) -> Tensor:
    return conj(x) if dtype_of(x).kind == "c" else x


FUNCTIONS: dict[Any, Callable[..., Any]] = {
    np.convolve: convolve,
    np.correlate: _correlate,
    np.gradient: _gradient,
    np.median: median,
}
