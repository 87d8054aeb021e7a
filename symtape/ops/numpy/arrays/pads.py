"""NumPy's pads: modes that repeat elements are asked where each comes from, others are computed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from symtape.errors import UnsupportedError
from symtape.ops.arguments import plain
from symtape.ops.elementwise.arithmetic import add, multiply, subtract
from symtape.ops.elementwise.conversion import cast
from symtape.ops.numpy.arrays.moves import at_places
from symtape.ops.numpy.arrays.sums import median
from symtape.ops.numpy.dtypes import taken
from symtape.ops.reductions.reduction import reduce_max, reduce_mean, reduce_min
from symtape.ops.shapes import joining
from symtape.ops.shapes.repetition import broadcast_to, flipped, joined, part_of
from symtape.tensor.convert import convert
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import dtype_of, shape_of, size_of

_OF_SOME: dict[str, Callable[..., Tensor]] = {
    "maximum": reduce_max,
    "minimum": reduce_min,
    "mean": reduce_mean,
    "median": median,
}
"""What is taken of the elements at an end, or of all in a line."""


Piece = Callable[[Tensor, int, int, int, Any], Tensor]
"""Makes what stands at one end of an axis: of an array, the axis, the width, the end, and more."""


def _pad(
    array: Any,
    pad_width: Any,
    mode: str = "constant",
    *,
    constant_values: Any = 0,
    end_values: Any = 0,
    stat_length: Any = None,
    reflect_type: str = "even",
) -> Tensor:
    x = convert(array)
    widths = _widths(x, pad_width)
    if mode in _OF_SOME:
        return _by_axes(x, widths, stat_length, _statistic(_OF_SOME[mode]))
    if mode == "linear_ramp":
        return _by_axes(x, widths, _each(end_values, x), _ramp)
    if mode in _OVERLAPS and reflect_type == "odd":
        return _by_axes(x, widths, _OVERLAPS[mode], _turned)
    if mode == "constant":
        if np.ndim(constant_values):
            return _by_axes(x, widths, _each(constant_values, x), _repeated)
        return joining.pad(x, widths, mode, constant_values)
    if mode in _OVERLAPS and all(map(_fits(_OVERLAPS[mode]), shape_of(x), widths)):
        return joining.pad(x, widths, mode)
    if mode == "empty":
        raise UnsupportedError("np.pad with mode='empty' has no values: take mode='constant'")
    places = np.arange(size_of(x)).reshape(shape_of(x))
    made: Tensor = at_places([x], np.pad(places, widths, mode))  # type: ignore[call-overload]  # a text
    return made


_OVERLAPS = {"reflect": 1, "symmetric": 0}
"""How many elements of an end the mirror leaves out."""


def _fits(left_out: int) -> Callable[[int, Any], bool]:
    return lambda size, widths: max(widths) <= size - left_out


def _widths(x: Tensor, given: Any) -> list[tuple[int, int]]:
    """Give both widths of each axis; a dict has those of some axes."""
    pairs = np.zeros((x.ndim, 2), int)
    if isinstance(given, dict):
        for axis, width in given.items():
            pairs[axis] = width
    else:
        pairs[...] = plain(given)
    if (pairs < 0).any():
        raise ValueError("index can't contain negative values")
    return [(before, after) for before, after in pairs.tolist()]


def _each(values: Any, x: Tensor) -> Tensor:
    """Give a number for each end of each axis."""
    return broadcast_to(cast(taken(values), dtype_of(x)), [x.ndim, 2])


def _by_axes(x: Tensor, widths: list[tuple[int, int]], more: Any, piece: Piece) -> Tensor:
    """Pad one axis after the other, each with what the ones before it became."""
    for axis, pair in enumerate(widths):
        ends = [
            piece(x, axis, width, end, _of_end(more, x.ndim, axis, end))
            for end, width in enumerate(pair)
            if width
        ]
        parts = [*ends[: bool(pair[0])], x, *ends[bool(pair[0]) :]]
        x = joined(parts, axis) if ends else x
    return x


def _of_end(more: Any, rank: int, axis: int, end: int) -> Any:
    if isinstance(more, Tensor):
        return more[axis, end]
    return more if np.ndim(more) == 0 else np.broadcast_to(more, (rank, 2))[axis, end]


def _edge(x: Tensor, axis: int, count: int, end: int) -> Tensor:
    """Take elements at an end."""
    return part_of(x, axis, (shape_of(x)[axis] - count) * end, count)


def _over(value: Tensor, x: Tensor, axis: int, width: int) -> Tensor:
    """Repeat what has one element along an axis."""
    return broadcast_to(value, [width if n == axis else m for n, m in enumerate(shape_of(x))])


def _repeated(x: Tensor, axis: int, width: int, end: int, value: Tensor) -> Tensor:
    return _over(value, x, axis, width)


def _statistic(run: Callable[..., Tensor]) -> Piece:
    def piece(x: Tensor, axis: int, width: int, end: int, length: Any) -> Tensor:
        count = shape_of(x)[axis] if length is None else min(int(length), shape_of(x)[axis])
        found = run(_edge(x, axis, count, end), axis, keepdims=True)
        return _over(cast(found, dtype_of(x)), x, axis, width)

    return piece


def _ramp(x: Tensor, axis: int, width: int, end: int, value: Tensor) -> Tensor:
    """Go in equal steps from a number to the last element."""
    shares = np.arange(width)[:: -1 if end else 1].astype(dtype_of(x)) / width
    shares = shares.reshape([-1 if n == axis else 1 for n in range(x.ndim)])
    edge = _edge(x, axis, 1, end)
    return add(multiply(edge, shares), multiply(value, 1 - shares))


def _turned(x: Tensor, axis: int, width: int, end: int, left_out: int) -> Tensor:
    """Turn the elements round the one at an end: twice that one, less the mirrored ones."""
    size = shape_of(x)[axis]
    if not _fits(left_out)(size, (width,)):
        raise UnsupportedError(
            f"np.pad with reflect_type='odd' and a width of {width} is recorded for widths up to "
            f"{size - left_out}: pad twice"
        )
    first = (size - left_out - width) * end + left_out * (1 - end)
    mirrored = flipped(part_of(x, axis, first, width), (axis,))
    return subtract(multiply(_edge(x, axis, 1, end), cast(taken(2), dtype_of(x))), mirrored)


FUNCTIONS: dict[Any, Callable[..., Any]] = {np.pad: _pad}
