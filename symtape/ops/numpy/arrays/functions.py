"""NumPy's functions of whole arrays, as operations that a tape can record.

Each has the arguments of NumPy that it honours, and no others.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import index
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from symtape.ops.arguments import integers, plain
from symtape.ops.elementwise import functions as elementwise
from symtape.ops.elementwise import special
from symtape.ops.elementwise.arithmetic import divide, maximum, minimum, multiply, where
from symtape.ops.elementwise.conversion import cast
from symtape.ops.indexing import gathering, picking
from symtape.ops.numpy import writing as numpy_writing
from symtape.ops.numpy.arrays import assembled as numpy_assembled
from symtape.ops.numpy.arrays import axes as numpy_axes
from symtape.ops.numpy.arrays import between as numpy_between
from symtape.ops.numpy.arrays import creation as numpy_creation
from symtape.ops.numpy.arrays import fourier as numpy_fourier
from symtape.ops.numpy.arrays import matrices as numpy_matrices
from symtape.ops.numpy.arrays import moves as numpy_moves
from symtape.ops.numpy.arrays import nans as numpy_nans
from symtape.ops.numpy.arrays import norms as numpy_norms
from symtape.ops.numpy.arrays import pads as numpy_pads
from symtape.ops.numpy.arrays import polynomials as numpy_polynomials
from symtape.ops.numpy.arrays import products as numpy_products
from symtape.ops.numpy.arrays import reduced as numpy_reduced
from symtape.ops.numpy.arrays import sets as numpy_sets
from symtape.ops.numpy.arrays import statistics as numpy_statistics
from symtape.ops.numpy.arrays import sums as numpy_sums
from symtape.ops.numpy.arrays.axes import along
from symtape.ops.numpy.dtypes import pair, promoted
from symtape.ops.numpy.ufuncs import UFUNCS
from symtape.ops.reductions import ordering, scan
from symtape.ops.shapes import repetition, shaping
from symtape.ops.shapes.joining import concat, stack
from symtape.tensor.convert import convert
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import dtype_of, shape_of

Implementation = Callable[..., Tensor]


def _joined(run: Callable[[list[Tensor]], Tensor], arrays: Any, dtype: Any) -> Tensor:
    """Join arrays in the dtype that NumPy gives them, or in one that is named."""
    parts = promoted(list(arrays))
    return run(parts if dtype is None else [cast(part, np.dtype(dtype)) for part in parts])


def _concatenate(arrays: Any, axis: int | None = 0, *, dtype: Any = None) -> Tensor:
    if axis is None:
        arrays, axis = [shaping.reshape(a, [-1]) for a in arrays], 0
    return _joined(lambda parts: concat(parts, axis), arrays, dtype)


def _stack(arrays: Any, axis: int = 0, *, dtype: Any = None) -> Tensor:
    return _joined(lambda parts: stack(parts, axis), arrays, dtype)


def _vstack(tup: Any, *, dtype: Any = None) -> Tensor:
    return _joined(lambda parts: concat([_at_least_2d(a) for a in parts], 0), tup, dtype)


def _hstack(tup: Any, *, dtype: Any = None) -> Tensor:
    def run(parts: list[Tensor]) -> Tensor:
        parts = [shaping.reshape(a, [-1]) if a.ndim == 0 else a for a in parts]
        return concat(parts, 0 if parts[0].ndim == 1 else 1)

    return _joined(run, tup, dtype)


def _at_least_2d(a: Any) -> Tensor:
    x = convert(a)
    return x if x.ndim > 1 else shaping.reshape(x, [1, -1])


def _reshape(a: Any, shape: Any, order: str = "C", *, copy: Any = None) -> Tensor:
    """Read and write elements by rows, or by columns: tensors lie in memory by rows."""
    x = convert(a)
    if order not in {"C", "F", "A"}:
        raise ValueError(f"order must be one of 'C', 'F', 'A', or 'K' (got {order!r})")
    if order != "F":
        return shaping.reshape(x, shape)
    return shaping.transpose(shaping.reshape(shaping.transpose(x), integers(shape)[::-1]))


def _flip(m: Any, axis: Any = None) -> Tensor:
    return repetition.reverse(m, list(range(np.ndim(m))) if axis is None else integers(axis))


def _roll(a: Any, shift: Any, axis: Any = None) -> Tensor:
    if axis is None:
        return shaping.reshape(repetition.roll(shaping.reshape(a, [-1]), shift, 0), np.shape(a))
    shifts, axes = np.broadcast_arrays(np.atleast_1d(plain(shift)), integers(axis))
    return repetition.roll(a, shifts, axes)


def _tile(A: Any, reps: Any) -> Tensor:  # noqa: N803 - NumPy's name
    times = integers(reps)
    x = convert(A)
    lead = max(len(times) - x.ndim, 0)
    times = [1] * (x.ndim - len(times)) + times
    return repetition.tile(shaping.reshape(x, [1] * lead + list(shape_of(x))), times)


def _with_initial(run: Callable[..., Tensor], initial: float) -> Implementation:
    def apply(x: Any, /, *, axis: int | None = None, include_initial: bool = False) -> Tensor:
        values = convert(x)
        if axis is None and values.ndim != 1:
            raise ValueError(
                "For arrays which have more than one dimension ``axis`` argument is required."
            )
        place = 0 if axis is None else axis
        made = run(values, place)
        if not include_initial:
            return made
        first = [1 if n == place % values.ndim else size for n, size in enumerate(shape_of(values))]
        return concat([Tensor(np.full(first, initial, dtype_of(made))), made], place)

    return apply


def _clip(
    a: Any, a_min: Any = None, a_max: Any = None, *, min: Any = None, max: Any = None
) -> Tensor:
    low, high = (a_min if min is None else min), (a_max if max is None else max)
    x = convert(a)
    x = x if low is None else maximum(x, low)
    return x if high is None else minimum(x, high)


def _sort(a: Any, axis: int | None = -1, kind: Any = None, *, stable: bool | None = None) -> Tensor:
    return ordering.sort(shaping.reshape(a, [-1])) if axis is None else ordering.sort(a, axis)


def _take(a: Any, indices: Any, axis: int | None = None, *, mode: Any = "raise") -> Tensor:
    x = shaping.reshape(a, [-1]) if axis is None else convert(a)
    place = 0 if axis is None else axis
    n = shape_of(x)[place]
    chosen = np.asarray(plain(indices))
    if mode != "raise":
        chosen = np.take(np.arange(n), chosen, mode=mode)
    return gathering.gather(x, np.where(chosen < 0, chosen + n, chosen), axis=place)


def _round(a: Any, decimals: int = 0) -> Tensor:
    decimals = index(decimals)
    if not decimals:
        return elementwise.round(a)
    scale = 10.0 ** abs(decimals)
    before, after = (multiply, divide) if decimals > 0 else (divide, multiply)
    return after(elementwise.round(before(convert(a), scale)), scale)


FUNCTIONS: dict[Any, Implementation] = {
    np.argmax: along(ordering.argmax),
    np.argmin: along(ordering.argmin),
    np.cumsum: along(scan.cumsum),
    np.cumprod: along(scan.cumprod),
    np.cumulative_sum: _with_initial(scan.cumsum, 0),
    np.cumulative_prod: _with_initial(scan.cumprod, 1),
    **numpy_matrices.FUNCTIONS,
    **numpy_assembled.FUNCTIONS,
    **numpy_axes.FUNCTIONS,
    **numpy_between.FUNCTIONS,
    **numpy_creation.FUNCTIONS,
    **numpy_fourier.FUNCTIONS,
    **numpy_moves.FUNCTIONS,
    **numpy_nans.FUNCTIONS,
    **numpy_norms.FUNCTIONS,
    **numpy_pads.FUNCTIONS,
    **numpy_polynomials.FUNCTIONS,
    **numpy_products.FUNCTIONS,
    **numpy_reduced.FUNCTIONS,
    **numpy_sets.FUNCTIONS,
    **numpy_statistics.FUNCTIONS,
    **numpy_sums.FUNCTIONS,
    **numpy_writing.FUNCTIONS,
    np.concatenate: _concatenate,
    np.stack: _stack,
    np.vstack: _vstack,
    np.hstack: _hstack,
    np.reshape: _reshape,
    np.ravel: lambda a, order="C": _reshape(a, [-1], "C" if order == "K" else order),
    np.broadcast_to: lambda array, shape: repetition.broadcast_to(array, shape),  # noqa: PLW0108 - NumPy's keyword
    np.flip: _flip,
    np.roll: _roll,
    np.tile: _tile,
    np.repeat: lambda a, repeats, axis=None: picking.repeat(a, np.asarray(plain(repeats)), axis),
    np.take: _take,
    np.sort: _sort,
    np.clip: _clip,
    np.where: lambda condition, x, y: where(convert(condition), *pair(x, y)),
    np.real: lambda val: elementwise.real(val),  # noqa: PLW0108 - NumPy's keyword
    np.imag: lambda val: elementwise.imag(val),  # noqa: PLW0108 - NumPy's keyword
    np.angle: lambda z: elementwise.angle(z),  # noqa: PLW0108 - NumPy's keyword
    np.round: _round,
    np.around: _round,
    np.fix: lambda x: UFUNCS[np.trunc](convert(x)),
    np.i0: lambda x: special.bessel_i0(convert(x)),
    np.copy: lambda a, order="K": shaping.reshape(a, np.shape(a)),  # noqa: ARG005 - tensors lie by rows
    np.astype: lambda x, dtype, /, *, copy=True: cast(x, np.dtype(dtype)),  # noqa: ARG005 - tensors are not written into
}

_VIEWS = """
diff array_split atleast_1d atleast_2d atleast_3d broadcast_arrays broadcast_to diag diagonal dsplit
expand_dims flip fliplr flipud hsplit imag matrix_transpose moveaxis polyder polyint ravel real
reshape rollaxis rot90 split squeeze swapaxes transpose trim_zeros unstack vsplit
"""
VIEWS = {
    **{getattr(np, name): 0 for name in _VIEWS.split()},
    np.linalg.diagonal: 0,
    np.linalg.matrix_transpose: 0,
    sliding_window_view: 0,
    np.einsum: 1,
}
"""What may give a view and not an array of its own, and of which of its arguments."""
