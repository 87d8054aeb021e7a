"""The functions that generated NumPy code calls where NumPy has no single word for what it does.

All of them take and give arrays or NumPy scalars, keep the dtype, and treat first axes as a batch.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np

from symtape.kernels.assembly import add_blocks, add_diagonal, assemble, diagonal_matrix
from symtape.kernels.choosing import select
from symtape.kernels.evaluated import evaluated
from symtape.kernels.linalg import linear_algebra, matrix_functions
from symtape.kernels.ordering import stable_order
from symtape.kernels.products import contract, product
from symtape.kernels.recurrences import recurrence
from symtape.kernels.special import functions as special
from symtape.program.evaluation.arrays import (
    diagonal,
    embed,
    gather,
    inside,
    overlap,
    reshape,
    scatter,
    spread,
    windows,
)

Array = Any
"""A NumPy array or scalar."""


def masked_product(x: Array, y: Array) -> Array:
    """Multiply, where zero times anything is zero."""
    zeros = x == 0
    product = x * y
    return select(zeros, x, product) if np.count_nonzero(zeros) else product


def power(x: Array, y: Array) -> Array:
    """Take a power; where y is a whole number, of sizes, with the sign given back.

    NumPy's vector code takes numbers one by one if one beside them is below zero, which for x³ is
    fifty times as long.
    """
    if np.ndim(y) == 0 and np.size(x) >= _SEVERAL and x.dtype.char in "fd" and y % 1 == 0:
        sizes = np.abs(x)
        np.power(sizes, y, out=sizes)
        return np.copysign(sizes, x, out=sizes) if y % 2 else sizes
    return np.power(x, y)


_SEVERAL = 16
"""Numbers of which a power takes longer than a function that looks at it first."""


def step(x: Array) -> Array:
    """Give 1 where x > 0, else 0, in the dtype of x."""
    return (x > 0).astype(x.dtype)


def nonzero(x: Array) -> Array:
    """Give integers by which others are divided; NumPy would divide by 0, too."""
    if not np.all(x):
        raise ZeroDivisionError("integers are divided by 0")
    return x


def pivot(x: Array) -> Array:
    """Give x where it is finite, else 0."""
    if x.ndim == 0:
        return x if math.isfinite(x) else x.dtype.type(0)
    return select(np.isfinite(x), x, x.dtype.type(0))


def sigmoid_slope(x: Array) -> Array:
    """Give sigmoid(x)·sigmoid(-x) with one exponential, which cannot overflow."""
    e = np.exp(-x if x.dtype.kind == "c" else -np.abs(x))
    return e / np.square(1 + e)


def asinh_slope(x: Array) -> Array:
    """Give 1/√(1 + x²), without overflow of x² where x is real."""
    return 1 / (np.sqrt(1 + x * x) if x.dtype.kind == "c" else np.hypot(1, x))


def floored_remainder(x: Array, y: Array) -> Array:
    """Give what is left of a division that is rounded down; a zero has the sign of x."""
    left = np.mod(x, y)
    zeros = left == 0
    return select(zeros, 0 * x, left) if np.count_nonzero(zeros) else left


def to_complex(x: Array, y: Array) -> Array:
    """Join real and imaginary parts."""
    x, y = np.broadcast_arrays(x, y)
    out = np.empty(x.shape, np.result_type(x.dtype, np.complex64))
    out.real, out.imag = x, y
    return out[()]


def add_n(*terms: Array) -> Array:
    """Add up, from left to right."""
    total = terms[0]
    for term in terms[1:]:
        total = total + term
    return total


def total(x: Array, axes: tuple[int, ...]) -> Array:
    """Sum over axes in the dtype of the operand."""
    if x.dtype.char in "fdilq":
        if is_short(x, axes):
            return _by_columns(x)
        if is_thin(x, axes):
            kept = x.shape[len(axes) :]
            columns = x.reshape(-1, math.prod(kept)).T
            return np.array([np.add.reduce(column) for column in columns], x.dtype).reshape(kept)
    return np.add.reduce(x, axis=axes, dtype=x.dtype)


def is_short(x: Array, axes: tuple[int, ...]) -> bool:
    """Say whether the last axis is reduced, and has so few elements that rows take the time.

    NumPy begins anew for each row, so that it is faster to combine columns.
    """
    return (
        x.ndim > 1
        and axes in ((-1,), (x.ndim - 1,))
        and 1 < x.shape[-1] <= _SHORT
        and x.size > _FEW * x.shape[-1]
        and x.strides[-1] == x.itemsize
    )


def is_thin(x: Array, axes: tuple[int, ...]) -> bool:
    """Say whether all axes but the last ones are reduced, which have but a few elements."""
    return (
        axes == tuple(range(len(axes)))
        and 0 < math.prod(x.shape[len(axes) :]) <= _THIN
        and x.size > _MANY
        and x.flags.c_contiguous
    )


_SHORT = 16
"""Elements of a row that are combined column by column."""
_THIN = 16
"""Columns of which each is added up by itself."""
_FEW = 256
"""Rows of which each can begin anew in no time."""
_MANY = 16384
"""Elements that take a while."""


def _by_columns(x: Array) -> Array:
    """Add up the elements of short rows in the order of NumPy, which has eight sums at a time."""
    columns = [x[..., k] for k in range(x.shape[-1])]
    if len(columns) < _LANES:
        return add_n(*columns)
    lanes, rest = columns[:_LANES], columns[_LANES:]
    if len(rest) == _LANES:
        lanes, rest = [a + b for a, b in zip(lanes, rest, strict=True)], []
    while len(lanes) > 1:
        lanes = [a + b for a, b in zip(lanes[::2], lanes[1::2], strict=True)]
    return add_n(*lanes, *rest)


_LANES = 8


@lru_cache(maxsize=256)
def blocks(size: int, rows: int) -> tuple[slice, ...]:
    """Cut an axis into slices of some rows each."""
    return tuple([slice(i, i + rows) for i in range(0, size, rows)])


def inner(a: Array, b: Array) -> Array:
    """Sum the products of the elements of two arrays of one shape."""
    return np.dot(np.ravel(a), np.ravel(b))


def cumulative(x: Array, ufunc: Any, axis: int, exclusive: bool, reverse: bool) -> Array:
    """Accumulate along an axis in the dtype of x."""
    flip: Any = (..., slice(None, None, -1), *[slice(None)] * (-axis - 1))
    x = x[flip] if reverse else x
    out = ufunc.accumulate(x, axis=axis, dtype=x.dtype)
    if exclusive:
        rest = (..., slice(1, None), *flip[2:])
        most = (..., slice(None, -1), *flip[2:])
        moved = np.full_like(out, ufunc.identity)
        moved[rest] = out[most]
        out = moved
    return out[flip] if reverse else out


def extremum(x: Array, which: str, axes: tuple[int, ...]) -> Array:
    """Take the largest or smallest; of nothing, the infinity that loses every comparison."""
    ufunc = np.maximum if which == "max" else np.minimum
    low = -np.inf if which == "max" else np.inf
    if x.dtype.kind in "iub":
        info = np.iinfo(x.dtype) if x.dtype.kind != "b" else None
        low = (which == "min") if info is None else (info.min if which == "max" else info.max)
    if is_short(x, axes):
        found = ufunc(x[..., 0], x[..., 1])
        for k in range(2, x.shape[-1]):
            ufunc(found, x[..., k], out=found)
        return found
    return ufunc.reduce(x, axis=axes, initial=low) if x.size == 0 else ufunc.reduce(x, axis=axes)


def segment_extremum(x: Array, numbers: Array, which: str, after: int, count: int) -> Array:
    """Take the largest or smallest of the rows of each number; see `SegmentExtremum`."""
    inside(numbers, count)
    axis = x.ndim - 1 - after
    nothing = extremum(np.empty(0, x.dtype), which, (0,))
    out = np.full((*x.shape[:axis], count, *x.shape[axis + 1 :]), nothing, x.dtype)
    if not numbers.size:
        return out
    order = np.argsort(numbers, kind="stable")
    line = numbers[order]
    first = np.flatnonzero(np.diff(line, prepend=line[0] - 1))
    ufunc = np.maximum if which == "max" else np.minimum
    found = ufunc.reduceat(np.take(x, order, axis), first, axis=axis)
    out[(*[slice(None)] * axis, line[first])] = found
    return out


def position(x: Array, which: str, axis: int, dtype: Any) -> Array:
    """Find where along an axis; `argsort` is stable."""
    if which == "argsort":
        return stable_order(x, axis).astype(dtype)
    return getattr(np, which)(x, axis=axis).astype(dtype)


NAMESPACE: dict[str, Any] = {
    "np": np,
    "special": special.NAMESPACE,
    **linear_algebra.FUNCTIONS,
    **matrix_functions.FUNCTIONS,
    **{
        function.__name__: function
        for function in (
            assemble,
            add_blocks,
            add_diagonal,
            diagonal_matrix,
            select,
            masked_product,
            power,
            step,
            pivot,
            nonzero,
            sigmoid_slope,
            asinh_slope,
            floored_remainder,
            to_complex,
            add_n,
            evaluated,
            total,
            spread,
            diagonal,
            blocks,
            inner,
            product,
            contract,
            reshape,
            embed,
            gather,
            scatter,
            windows,
            overlap,
            cumulative,
            recurrence,
            extremum,
            segment_extremum,
            position,
        )
    },
}
"""The only names that generated code may use."""
