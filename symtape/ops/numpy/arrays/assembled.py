"""NumPy's functions that are made of others: differences, parts, triangles, products.

Each has the arguments of NumPy that it honours, and no others.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from symtape.errors import UnsupportedError
from symtape.ops.elementwise.arithmetic import add, divide, multiply, subtract, where
from symtape.ops.elementwise.comparison import equal, greater, less, logical_and
from symtape.ops.elementwise.conversion import cast
from symtape.ops.elementwise.functions import abs
from symtape.ops.linalg import diagonals, products
from symtape.ops.numpy.arrays.axes import axes_among, moveaxis
from symtape.ops.numpy.dtypes import inexact, pair, promoted, taken
from symtape.ops.numpy.ufuncs import UFUNCS
from symtape.ops.reductions.reduction import reduce_max, reduce_min, reduce_sum
from symtape.ops.reductions.scan import cumsum
from symtape.ops.shapes import creation, grids, joining, shaping
from symtape.ops.shapes.repetition import broadcast_to
from symtape.program.functions import frameworks
from symtape.tensor.convert import convert
from symtape.tensor.dispatch import apply1
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import dtype_of, shape_of


def _between(x: Tensor, axis: int, start: int | None, stop: int | None) -> Tensor:
    """Take a range along one axis."""
    (axis,) = axes_among(x.ndim, axis)
    return x[(*[slice(None)] * axis, slice(start, stop))]


def _diff(a: Any, n: int = 1, axis: int = -1, prepend: Any = None, append: Any = None) -> Tensor:
    x = convert(a)
    if n < 0:
        raise ValueError(f"order must be non-negative but got {n}")
    if not x.ndim:
        raise ValueError("diff requires input that is at least one dimensional")
    if n and not (prepend is None and append is None):
        x = _between_ends(x, axis, prepend, append)
    for _ in range(n):
        x = subtract(_between(x, axis, 1, None), _between(x, axis, None, -1))
    return x


def _between_ends(x: Tensor, axis: int, before: Any, after: Any) -> Tensor:
    """Put more elements in front and behind; a number stands for one in each line."""
    (place,) = axes_among(x.ndim, axis)
    one = [1 if n == place else size for n, size in enumerate(shape_of(x))]
    given = [before, x, after]
    parts = promoted([taken(part) for part in given if part is not None])
    return joining.concat([part if part.ndim else broadcast_to(part, one) for part in parts], place)


def _ediff1d(ary: Any, to_end: Any = None, to_begin: Any = None) -> Tensor:
    x = _diff(shaping.reshape(ary, [-1]))
    ends = [None if e is None else shaping.reshape(taken(e), [-1]) for e in (to_begin, to_end)]
    parts = [cast(part, dtype_of(x)) for part in (ends[0], x, ends[1]) if part is not None]
    return joining.concat(parts, 0) if len(parts) > 1 else x


def _unwrap(
    p: Any, discont: float | None = None, axis: int = -1, *, period: float = 2 * np.pi
) -> Tensor:
    """Add to each element the periods that bring it nearest to the one before; they are steps."""
    x = inexact(p)
    jumps = _diff(x, axis=axis)
    near = subtract(UFUNCS[np.remainder](add(jumps, period / 2), period), period / 2)
    is_half = logical_and(equal(near, -period / 2), greater(jumps, 0.0))
    near = where(is_half, period / 2, near)
    is_small = less(abs(jumps), period / 2 if discont is None else discont)
    turns = cumsum(where(is_small, 0.0, subtract(near, jumps)), axis)
    first = _between(x, axis, None, 1)
    return joining.concat([first, add(_between(x, axis, 1, None), turns)], axis)


def _trapezoid(y: Any, x: Any = None, dx: float = 1.0, axis: int = -1) -> Tensor:
    if x is None:
        height = convert(y)
        width: Any = dx
    else:
        height, places = pair(y, x)
        if places.ndim == 1 and height.ndim > 1:
            shape = [1] * height.ndim
            shape[axis] = -1
            places = shaping.reshape(places, shape)
        width = _diff(places, axis=axis)
    sums = add(_between(height, axis, 1, None), _between(height, axis, None, -1))
    return reduce_sum(multiply(divide(sums, 2.0), width), axis)


def _append(arr: Any, values: Any, axis: int | None = None) -> Tensor:
    x, y = pair(taken(arr), taken(values))
    if axis is None:
        return joining.concat([shaping.reshape(x, [-1]), shaping.reshape(y, [-1])], 0)
    return joining.concat([x, y], axis)


def _array_split(ary: Any, indices_or_sections: Any, axis: int = 0) -> list[Tensor]:
    x = convert(ary)
    size = shape_of(x)[axis]
    if isinstance(indices_or_sections, (int, np.integer)):
        each, more = divmod(size, int(indices_or_sections))
        sizes = [each + (k < more) for k in range(int(indices_or_sections))]
        stops = np.cumsum([0, *sizes]).tolist()
    else:
        stops = [0, *[int(k) for k in indices_or_sections], size]
    return [_between(x, axis, a, b) for a, b in pairwise(stops)]


def _split(ary: Any, indices_or_sections: Any, axis: int = 0) -> list[Tensor]:
    is_count = isinstance(indices_or_sections, (int, np.integer))
    if is_count and np.shape(ary)[axis] % indices_or_sections:
        raise ValueError("array split does not result in an equal division")
    return _array_split(ary, indices_or_sections, axis)


def _triangle(*, lower: bool) -> Callable[..., Tensor]:
    def apply(m: Any, k: int = 0) -> Tensor:
        x = convert(m)
        rows, columns = np.indices(shape_of(x)[-2:], sparse=True)
        kept = columns - rows <= k if lower else columns - rows >= k
        return where(convert(kept), x, creation.zeros_like(x))

    return apply


def _cross(
    a: Any, b: Any, axisa: int = -1, axisb: int = -1, axisc: int = -1, axis: int | None = None
) -> Tensor:
    x, y = pair(a, b)
    first, second, last = (axisa, axisb, axisc) if axis is None else (axis, axis, axis)
    x, y = moveaxis(x, first, -1), moveaxis(y, second, -1)
    if shape_of(x)[-1:] != (3,) or shape_of(y)[-1:] != (3,):
        raise UnsupportedError(
            f"np.cross of shapes {shape_of(x)} and {shape_of(y)} is not recorded: vectors have "
            "three elements along their axis"
        )
    shape = np.broadcast_shapes(shape_of(x), shape_of(y))
    one, other = [multiply(v, creation.ones(shape, v.dtype)) for v in (x, y)]
    return moveaxis(products.cross(one, other), -1, last)


def kronecker(x: Tensor, y: Tensor) -> Tensor:
    """Give each element of the first array times the second; both have one dtype, bool too."""
    product = logical_and if dtype_of(x).kind == "b" else multiply
    rank = max(x.ndim, y.ndim)
    one, other = [[1] * (rank - v.ndim) + list(shape_of(v)) for v in (x, y)]
    first = shaping.reshape(x, [n for size in one for n in (size, 1)])
    second = shaping.reshape(y, [n for size in other for n in (1, size)])
    return shaping.reshape(product(first, second), [m * n for m, n in zip(one, other, strict=True)])


def _meshgrid(
    *xi: Any,
    copy: bool = True,
    sparse: bool = False,
    indexing: Any = "xy",
) -> tuple[Tensor, ...]:
    """Repeat each line along an axis of its own, of which "xy" exchanges the first two."""
    lines = [shaping.reshape(x, [-1]) for x in promoted(xi)]
    if not sparse:
        return tuple(grids.meshgrid(*lines, indexing=indexing))
    places = np.meshgrid(*[np.arange(np.size(x)) for x in lines], sparse=True, indexing=indexing)
    return tuple(shaping.reshape(x, p.shape) for x, p in zip(lines, places, strict=True))


def _column_stack(tup: Sequence[Any]) -> Tensor:
    columns = [shaping.expand_dims(a, 1) if a.ndim == 1 else a for a in promoted(tup)]
    return joining.concat(columns, 1)


def _at_least(rank: int) -> Callable[..., Any]:
    def one(ary: Any) -> Tensor:
        x = taken(ary)
        lead = [1] * (rank - x.ndim)
        return shaping.reshape(x, [*lead, *shape_of(x)]) if lead else x

    def apply(*arys: Any) -> Any:
        return one(arys[0]) if len(arys) == 1 else tuple(map(one, arys))

    return apply


def _ptp(a: Any, axis: Any = None, *, keepdims: bool = False) -> Tensor:
    return subtract(reduce_max(a, axis, keepdims), reduce_min(a, axis, keepdims))


FUNCTIONS: dict[Any, Callable[..., Any]] = {
    np.diff: _diff,
    np.trapezoid: _trapezoid,
    np.unwrap: _unwrap,
    np.append: _append,
    np.split: _split,
    np.array_split: _array_split,
    np.triu: _triangle(lower=False),
    np.tril: _triangle(lower=True),
    np.cross: _cross,
    np.linalg.cross: lambda x1, x2, /, *, axis=-1: _cross(x1, x2, axis=axis),
    np.kron: lambda a, b: kronecker(*pair(a, b)),
    np.meshgrid: _meshgrid,
    np.column_stack: _column_stack,
    np.atleast_1d: _at_least(1),
    np.atleast_2d: _at_least(2),
    np.ptp: _ptp,
    np.sinc: lambda x: apply1(frameworks.sinc, inexact(x)),
    np.ediff1d: _ediff1d,
    np.fliplr: lambda m: _between_reversed(m, 1),
    np.flipud: lambda m: _between_reversed(m, 0),
    np.diagflat: lambda v: diagonals.diag(shaping.reshape(v, [-1])),
}


def _between_reversed(m: Any, axis: int) -> Tensor:
    """Turn an axis round."""
    x = convert(m)
    return x[(*[slice(None)] * axis, slice(None, None, -1))]
