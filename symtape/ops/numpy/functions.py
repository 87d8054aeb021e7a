"""NumPy's functions of whole arrays, as operations that a tape can record.

Each has the arguments of NumPy that it honours, and no others.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from symtape.errors import UnsupportedError
from symtape.ops.arguments import integers, plain
from symtape.ops.elementwise import functions as elementwise
from symtape.ops.elementwise.arithmetic import divide, maximum, minimum, multiply, where
from symtape.ops.elementwise.conversion import cast
from symtape.ops.indexing import gathering, picking
from symtape.ops.linalg import contraction, diagonals, products
from symtape.ops.numpy import assembled as numpy_assembled
from symtape.ops.numpy import between as numpy_between
from symtape.ops.numpy import creation as numpy_creation
from symtape.ops.numpy import fourier as numpy_fourier
from symtape.ops.numpy import matrices as numpy_matrices
from symtape.ops.numpy import moves as numpy_moves
from symtape.ops.numpy import statistics as numpy_statistics
from symtape.ops.numpy import sums as numpy_sums
from symtape.ops.numpy import writing as numpy_writing
from symtape.ops.numpy.dtypes import pair, promoted
from symtape.ops.reductions import norms, ordering, reduction, scan
from symtape.ops.shapes import repetition, shaping
from symtape.ops.shapes.joining import concat, stack
from symtape.tensor.convert import convert
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import dtype_of, shape_of, size_of

Implementation = Callable[..., Tensor]


def _average(a: Any, axis: Any = None, weights: Any = None, *, keepdims: bool = False) -> Tensor:
    if weights is None:
        return reduction.reduce_mean(a, axis, keepdims)
    x, w = pair(a, weights)
    if w.ndim == 1 and x.ndim > 1:
        w = shaping.reshape(w, [-1 if n == axis % x.ndim else 1 for n in range(x.ndim)])
    weighted = reduction.reduce_sum(multiply(x, w), axis, keepdims)
    wide = repetition.broadcast_to(w, shape_of(x))
    return divide(weighted, reduction.reduce_sum(wide, axis, keepdims))


def _var(a: Any, axis: Any = None, *, ddof: float = 0, keepdims: bool = False) -> Tensor:
    x = convert(a)
    made = reduction.reduce_variance(x, axis, keepdims)
    if ddof == 0:
        return made
    n = size_of(x) / max(size_of(made), 1)
    return multiply(made, n / (n - ddof))


def _std(a: Any, axis: Any = None, *, ddof: float = 0, keepdims: bool = False) -> Tensor:
    return elementwise.sqrt(_var(a, axis, ddof=ddof, keepdims=keepdims))


def _dot(a: Any, b: Any) -> Tensor:
    x, y = pair(a, b)
    if x.ndim == 0 or y.ndim == 0:
        return multiply(x, y)
    return products.tensordot(x, y, [[x.ndim - 1], [max(y.ndim - 2, 0)]])


def _inner(a: Any, b: Any) -> Tensor:
    x, y = pair(a, b)
    if x.ndim == 0 or y.ndim == 0:
        return multiply(x, y)
    return products.tensordot(x, y, [[x.ndim - 1], [y.ndim - 1]])


def _outer(a: Any, b: Any) -> Tensor:
    x, y = pair(a, b)
    return products.tensordot(shaping.reshape(x, [-1]), shaping.reshape(y, [-1]), 0)


def _vdot(a: Any, b: Any) -> Tensor:
    x, y = pair(a, b)
    return products.tensordot(
        elementwise.conj(shaping.reshape(x, [-1])), shaping.reshape(y, [-1]), 1
    )


def _norm(x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Tensor:
    x = convert(x)
    if ord is None:
        return norms.norm(x, "euclidean", axis, keepdims)
    if axis is None and x.ndim == 2:
        axis = (0, 1)
    return norms.norm(x, ord, axis, keepdims)


def _vector_norm(x: Any, *, axis: Any = None, keepdims: bool = False, ord: Any = 2) -> Tensor:
    return norms.norm(convert(x), ord, axis, keepdims)


def _matrix_norm(x: Any, *, keepdims: bool = False, ord: Any = "fro") -> Tensor:
    return norms.norm(convert(x), ord, (-2, -1), keepdims)


def _concatenate(arrays: Any, axis: int | None = 0) -> Tensor:
    if axis is None:
        arrays, axis = [shaping.reshape(a, [-1]) for a in arrays], 0
    return concat(promoted(arrays), axis)


def _vstack(tup: Any) -> Tensor:
    return concat([_at_least_2d(a) for a in promoted(tup)], 0)


def _hstack(tup: Any) -> Tensor:
    parts = [shaping.reshape(a, [-1]) if a.ndim == 0 else a for a in promoted(tup)]
    return concat(parts, 0 if parts[0].ndim == 1 else 1)


def _at_least_2d(a: Any) -> Tensor:
    x = convert(a)
    return x if x.ndim > 1 else shaping.reshape(x, [1, -1])


def _reshape(a: Any, shape: Any) -> Tensor:
    return shaping.reshape(a, shape)


def _swapaxes(a: Any, axis1: int, axis2: int) -> Tensor:
    order = list(range(np.ndim(a)))
    order[axis1], order[axis2] = order[axis2], order[axis1]
    return shaping.transpose(a, order)


def _moveaxis(a: Any, source: Any, destination: Any) -> Tensor:
    rank = np.ndim(a)
    old = [n % rank for n in integers(source)]
    new = [n % rank for n in integers(destination)]
    order = [n for n in range(rank) if n not in old]
    for place, axis in sorted(zip(new, old, strict=True)):
        order.insert(place, axis)
    return shaping.transpose(a, order)


def _expand_dims(a: Any, axis: Any) -> Tensor:
    x = convert(a)
    wanted = integers(axis)
    for n in sorted(n % (x.ndim + len(wanted)) for n in wanted):
        x = shaping.expand_dims(x, n)
    return x


def _flip(m: Any, axis: Any = None) -> Tensor:
    return repetition.reverse(m, list(range(np.ndim(m))) if axis is None else integers(axis))


def _roll(a: Any, shift: Any, axis: Any = None) -> Tensor:
    if axis is None:
        return shaping.reshape(repetition.roll(shaping.reshape(a, [-1]), shift, 0), np.shape(a))
    axes = integers(axis)
    return repetition.roll(a, np.broadcast_to(shift, len(axes)), axes)


def _tile(A: Any, reps: Any) -> Tensor:  # noqa: N803 - NumPy's name
    times = integers(reps)
    x = convert(A)
    lead = max(len(times) - x.ndim, 0)
    times = [1] * (x.ndim - len(times)) + times
    return repetition.tile(shaping.reshape(x, [1] * lead + list(shape_of(x))), times)


def _cumulative(run: Callable[..., Tensor]) -> Implementation:
    def apply(a: Any, axis: int | None = None) -> Tensor:
        return run(shaping.reshape(a, [-1])) if axis is None else run(a, axis)

    return apply


def _clip(
    a: Any, a_min: Any = None, a_max: Any = None, *, min: Any = None, max: Any = None
) -> Tensor:
    low, high = (a_min if min is None else min), (a_max if max is None else max)
    x = convert(a)
    x = x if low is None else maximum(x, low)
    return x if high is None else minimum(x, high)


def _diag(v: Any, k: int = 0) -> Tensor:
    return diagonals.diag(v, k=k) if np.ndim(v) == 1 else diagonals.diag_part(v, k=k)


def _diagonal(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Tensor:
    return diagonals.diag_part(_moveaxis(a, [axis1, axis2], [-2, -1]), k=offset)


def _trace(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Tensor:
    return reduction.reduce_sum(_diagonal(a, offset, axis1, axis2), -1)


def _sort(a: Any, axis: int | None = -1) -> Tensor:
    return ordering.sort(shaping.reshape(a, [-1])) if axis is None else ordering.sort(a, axis)


def _take(a: Any, indices: Any, axis: int | None = None) -> Tensor:
    x = shaping.reshape(a, [-1]) if axis is None else convert(a)
    place = 0 if axis is None else axis
    n = shape_of(x)[place]
    chosen = np.asarray(plain(indices))
    return gathering.gather(x, np.where(chosen < 0, chosen + n, chosen), axis=place)


def _repeat(a: Any, repeats: Any, axis: int | None = None) -> Tensor:
    return picking.repeat(a, np.asarray(plain(repeats)), axis)


def _round(a: Any, decimals: int = 0) -> Tensor:
    if decimals:
        raise UnsupportedError(
            "np.round with decimals is not recorded: use np.rint(x * 10**n) / 10**n"
        )
    return elementwise.round(a)


def _einsum(subscripts: Any, *operands: Any, optimize: Any = False) -> Tensor:
    if not isinstance(subscripts, str):
        raise UnsupportedError(
            "np.einsum with lists of indices is not recorded: write them as text"
        )
    return contraction.stretching_einsum(subscripts, promoted(operands))


def _where(condition: Any, x: Any, y: Any) -> Tensor:
    return where(convert(condition), *pair(x, y))


def _tensordot(a: Any, b: Any, axes: Any = 2) -> Tensor:
    return products.tensordot(*pair(a, b), axes)


def _argument(run: Callable[..., Tensor]) -> Implementation:
    def apply(a: Any, axis: int | None = None) -> Tensor:
        return run(shaping.reshape(a, [-1]), 0) if axis is None else run(a, axis)

    return apply


def _reduced(run: Callable[..., Tensor]) -> Implementation:
    def apply(a: Any, axis: Any = None, *, keepdims: bool = False) -> Tensor:
        return run(a, axis, keepdims)

    return apply


def _counted(run: Callable[..., Tensor], counts: Any) -> Implementation:
    """Add up numbers; truth values are 0 and 1, as in NumPy."""

    def apply(a: Any, axis: Any = None, *, keepdims: bool = False) -> Tensor:
        x = convert(a)
        return run(cast(x, counts) if dtype_of(x).kind == "b" else x, axis, keepdims)

    return apply


FUNCTIONS: dict[Any, Implementation] = {
    np.sum: _counted(reduction.reduce_sum, np.int64),
    np.mean: _counted(reduction.reduce_mean, np.float64),
    np.prod: _counted(reduction.reduce_prod, np.int64),
    np.max: _reduced(reduction.reduce_max),
    np.min: _reduced(reduction.reduce_min),
    np.amax: _reduced(reduction.reduce_max),
    np.amin: _reduced(reduction.reduce_min),
    np.average: _average,
    np.var: _var,
    np.std: _std,
    np.argmax: _argument(ordering.argmax),
    np.argmin: _argument(ordering.argmin),
    np.cumsum: _cumulative(scan.cumsum),
    np.cumprod: _cumulative(scan.cumprod),
    np.dot: _dot,
    np.inner: _inner,
    np.outer: _outer,
    np.vdot: _vdot,
    np.tensordot: _tensordot,
    np.einsum: _einsum,
    **numpy_matrices.FUNCTIONS,
    **numpy_assembled.FUNCTIONS,
    **numpy_between.FUNCTIONS,
    **numpy_creation.FUNCTIONS,
    **numpy_fourier.FUNCTIONS,
    **numpy_moves.FUNCTIONS,
    **numpy_statistics.FUNCTIONS,
    **numpy_sums.FUNCTIONS,
    **numpy_writing.FUNCTIONS,
    np.linalg.norm: _norm,
    np.linalg.vector_norm: _vector_norm,
    np.linalg.matrix_norm: _matrix_norm,
    np.trace: _trace,
    np.diag: _diag,
    np.diagonal: _diagonal,
    np.concatenate: _concatenate,
    np.stack: lambda arrays, axis=0: stack(promoted(arrays), axis),
    np.vstack: _vstack,
    np.hstack: _hstack,
    np.reshape: _reshape,
    np.ravel: lambda a: shaping.reshape(a, [-1]),
    np.transpose: lambda a, axes=None: shaping.transpose(a, axes),
    np.swapaxes: _swapaxes,
    np.moveaxis: _moveaxis,
    np.squeeze: lambda a, axis=None: shaping.squeeze(a, axis),
    np.expand_dims: _expand_dims,
    np.broadcast_to: lambda array, shape: repetition.broadcast_to(array, shape),  # noqa: PLW0108 - NumPy's keyword
    np.flip: _flip,
    np.roll: _roll,
    np.tile: _tile,
    np.repeat: _repeat,
    np.take: _take,
    np.sort: _sort,
    np.clip: _clip,
    np.where: _where,
    np.real: lambda val: elementwise.real(val),  # noqa: PLW0108 - NumPy's keyword
    np.imag: lambda val: elementwise.imag(val),  # noqa: PLW0108 - NumPy's keyword
    np.angle: lambda z: elementwise.angle(z),  # noqa: PLW0108 - NumPy's keyword
    np.round: _round,
    np.around: _round,
    np.copy: lambda a: shaping.reshape(a, np.shape(a)),
}

_VIEWS = """
diff array_split atleast_1d atleast_2d atleast_3d broadcast_arrays broadcast_to diag diagonal dsplit
expand_dims flip fliplr flipud hsplit imag moveaxis ravel real reshape rollaxis rot90 split squeeze
swapaxes transpose unstack vsplit
"""
VIEWS = {
    **{getattr(np, name): 0 for name in _VIEWS.split()},
    sliding_window_view: 0,
    np.einsum: 1,
}
"""What may give a view and not an array of its own, and of which of its arguments."""
