"""NumPy's functions that are sums and differences of elements: filters, slopes, medians."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from symtape.errors import UnsupportedError
from symtape.ops.arguments import axes_of
from symtape.ops.elementwise.arithmetic import divide, subtract
from symtape.ops.elementwise.functions import conj
from symtape.ops.linalg.products import tensordot
from symtape.ops.numpy.arrays.between import lines_of
from symtape.ops.numpy.dtypes import pair, taken
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
    x, y = pair(a, v)
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
    x = convert(f)
    axes = axes_of("Gradient", axis, x.ndim)
    steps = list(spacings) * (len(axes) if len(spacings) == 1 else 1) or [1.0] * len(axes)
    if edge_order != 1 or len(steps) != len(axes) or any(np.ndim(h) for h in steps):
        raise UnsupportedError(
            "np.gradient is recorded with one number for the spacing of each axis and edge_order=1"
        )
    found = [_slopes(x, n + x.ndim, h) for n, h in zip(axes, steps, strict=True)]
    one = len(found) == 1 and (x.ndim == 1 or axis is not None)
    return found[0] if one and (axis is None or np.ndim(axis) == 0) else tuple(found)


def _slopes(x: Tensor, axis: int, step: Any) -> Tensor:
    """Take half the difference of the neighbours, at the ends the whole one."""
    n = shape_of(x)[axis]
    if n < 2:
        raise ValueError("np.gradient needs at least 2 elements along each axis")
    inner = subtract(part_of(x, axis, 2, n - 2, WHOLE), part_of(x, axis, 0, n - 2, WHOLE))
    first, last = [
        subtract(part_of(x, axis, a, 1, (end, end)), part_of(x, axis, b, 1, (end, end)))
        for a, b, end in ((1, 0, False), (n - 1, n - 2, True))
    ]
    return joined([divide(d, h) for d, h in ((first, step), (inner, 2 * step), (last, step))], axis)


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
