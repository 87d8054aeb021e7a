"""Reductions in `tf.experimental.numpy`: sums, means and extrema, in the dtype that NumPy takes."""

from __future__ import annotations

from typing import Any

from symtape.errors import InvalidArgumentError
from symtape.ops.arguments import is_tensor
from symtape.ops.elementwise import arithmetic, functions
from symtape.ops.elementwise.conversion import cast
from symtape.ops.linalg.products import tensordot
from symtape.ops.reductions import reduction
from symtape.ops.shapes.repetition import broadcast_to
from symtape.stand_in.numpy.comparing import logical_not
from symtape.stand_in.numpy.dtypes import (
    Run,
    array,
    asarray,
    float_dtype,
    is_inexact,
    named,
    operand,
    result_type,
    wanted,
    whole_dtype,
)
from symtape.stand_in.numpy.elementwise import isnan
from symtape.tensor import dtypes
from symtape.tensor.dtypes import DType
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of, size_of

_TO_INT, _TO_FLOAT, _AS_IT_IS = "int", "float", ""


def _reduced(run: Run, of_truths: Run | None, way: str, given: Any, **how: Any) -> Tensor:
    """Reduce an array of a dtype; integers become whole words, or floats, as `way` says."""
    kind = wanted(how.pop("dtype", None))
    x = asarray(given, kind)
    axis: Any = how.get("axis")
    keepdims = bool(how.get("keepdims"))
    asked = kind is dtypes.bool_ or (way == _AS_IT_IS and x.dtype is dtypes.bool_)
    if asked and of_truths is not None:
        made: Tensor = of_truths(x, axis, keepdims)
        return made
    if kind is None:
        x = cast(x, _wide(x.dtype, way))
    if is_tensor(axis) and axis.dtype not in (dtypes.int32, dtypes.int64):
        axis = cast(axis, dtypes.int64)
    found: Tensor = run(x, axis, keepdims)
    return found


def _wide(kind: DType, way: str) -> DType:
    """Give the dtype in which NumPy adds up numbers of another."""
    if way == _AS_IT_IS or not (kind.is_integer or kind is dtypes.bool_):
        return kind
    if way == _TO_FLOAT:
        return float_dtype()
    wide = whole_dtype(is_signed=not kind.is_unsigned)
    return wide if kind.size < wide.size else kind


def _of_dtype(name: str, run: Run, of_truths: Run | None, way: str, summary: str) -> Run:
    def function(a: Any, axis: Any = None, dtype: Any = None, keepdims: Any = None) -> Tensor:
        return _reduced(run, of_truths, way, a, axis=axis, dtype=dtype, keepdims=keepdims)

    return named(function, name, summary)


def _without_out(name: str, run: Run, of_truths: Run | None, way: str, summary: str) -> Run:
    def function(a: Any, axis: Any = None, out: Any = None, keepdims: Any = None) -> Tensor:
        _refuse_out(out)
        return _reduced(run, of_truths, way, a, axis=axis, keepdims=keepdims)

    return named(function, name, summary)


def _plain(name: str, run: Run, of_truths: Run | None, way: str, summary: str) -> Run:
    def function(a: Any, axis: Any = None, keepdims: Any = None) -> Tensor:
        return _reduced(run, of_truths, way, a, axis=axis, keepdims=keepdims)

    return named(function, name, summary)


def _refuse_out(out: Any) -> None:
    if out is not None:
        raise ValueError("Setting out is not supported.")


_any, _all = reduction.reduce_any, reduction.reduce_all
_largest, _smallest = reduction.reduce_max, reduction.reduce_min
sum = _of_dtype("sum", reduction.reduce_sum, _any, _TO_INT, "The sum")
prod = _of_dtype("prod", reduction.reduce_prod, _all, _TO_INT, "The product")
amax = _without_out("amax", _largest, _any, _AS_IT_IS, "The largest element")
amin = _without_out("amin", _smallest, _all, _AS_IT_IS, "The smallest element")
max = _plain("max", _largest, _any, _AS_IT_IS, "The largest element")
min = _plain("min", _smallest, _all, _AS_IT_IS, "The smallest element")
std = _plain("std", reduction.reduce_std, None, _TO_FLOAT, "The standard deviation")


def _truths(name: str, run: Run, summary: str) -> Run:
    def function(a: Any, axis: Any = None, keepdims: Any = None) -> Tensor:
        found: Tensor = run(asarray(a, bool), axis, bool(keepdims))
        return found

    return named(function, name, summary)


all = _truths("all", _all, "Whether all are true")
any = _truths("any", _any, "Whether one is true")


def mean(
    a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = None
) -> Tensor:
    """The mean; that of integers is a float. Raises `ValueError` for `out`.

    >>> mean([1, 2]).numpy()
    np.float64(1.5)
    """
    _refuse_out(out)
    how = {"axis": axis, "dtype": dtype, "keepdims": keepdims}
    return _reduced(reduction.reduce_mean, None, _TO_FLOAT, a, **how)


def var(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    ddof: Any = 0,
    keepdims: Any = None,
) -> Tensor:
    """The mean of squared deviations; their sum is divided by n - `ddof`.

    Raises `ValueError` for `out`.

    >>> var([1.0, 2.0, 3.0], ddof=1).numpy()
    np.float64(1.0)
    """
    _refuse_out(out)
    kind = result_type(a, dtype) if dtype else None
    how = {"axis": axis, "dtype": kind, "keepdims": keepdims}
    run = reduction.reduce_variance if ddof == 0 else _deviations(ddof, dtype)
    found = _reduced(run, None, _TO_FLOAT, a, **how)
    return cast(found, dtype) if dtype else found


def _deviations(ddof: Any, dtype: Any) -> Run:
    """Add up squared deviations, and divide by a number less than that of elements."""

    def run(x: Tensor, axis: Any, keepdims: bool) -> Tensor:
        centred = x - reduction.reduce_mean(x, axis, keepdims=True)
        squares = (
            cast(functions.real(centred * functions.conj(centred)), x.dtype)
            if x.dtype.is_complex
            else functions.square(centred)
        )
        total = reduction.reduce_sum(squares, axis, keepdims)
        count = size_of(x) // (size_of(total) or 1)
        return arithmetic.divide(total, cast(array(count - ddof), x.dtype))

    return run


def ptp(a: Any, axis: Any = None, keepdims: Any = None) -> Any:
    """How far apart the largest and the smallest element are.

    >>> ptp([1.0, 4.0, 2.0]).numpy()
    np.float64(3.0)
    """
    return amax(a, axis=axis, keepdims=keepdims) - amin(a, axis=axis, keepdims=keepdims)


def _past_nan(name: str, run: Run, instead: int, summary: str) -> Run:
    """Make a reduction that takes another number for what is none."""

    def function(a: Any, axis: Any = None, dtype: Any = None, keepdims: Any = False) -> Tensor:
        x = array(a)
        kept = arithmetic.where(isnan(x), operand(instead, x.dtype), x)
        found: Tensor = run(kept, axis=axis, dtype=dtype, keepdims=keepdims)
        return found

    return named(function, name, summary)


nansum = _past_nan("nansum", sum, 0, "The sum of what is a number")
nanprod = _past_nan("nanprod", prod, 1, "The product of what is a number")


def nanmean(a: Any, axis: Any = None, dtype: Any = None, keepdims: Any = None) -> Any:
    """The mean of what is a number.

    >>> nanmean([1.0, float("nan"), 3.0]).numpy()
    np.float64(2.0)
    """
    x = array(a)
    if x.dtype is dtypes.bool_ or x.dtype.is_integer:
        return mean(x, axis=axis, dtype=dtype, keepdims=keepdims)
    kind = x.dtype if dtype is None else dtype
    count = sum(logical_not(isnan(x)), axis=axis, dtype=kind, keepdims=keepdims)
    return nansum(x, axis=axis, dtype=kind, keepdims=keepdims) / count


def count_nonzero(a: Any, axis: Any = None) -> Tensor:
    """How many elements are not zero.

    >>> count_nonzero([0, 2, 3]).numpy()
    np.int64(2)
    """
    return reduction.count_nonzero(array(a), axis)


def average(a: Any, axis: Any = None, weights: Any = None, returned: bool = False) -> Any:
    """The mean of weighted elements, and with `returned` the sum of weights beside it.

    Raises `ValueError` for an `axis` that is no integer.

    >>> average([1.0, 4.0], weights=[2.0, 1.0]).numpy()
    np.float64(2.0)
    """
    if axis is not None and not isinstance(axis, int):
        raise ValueError(
            f"Argument `axis` must be an integer. Received axis={axis} (of type {type(axis)})"
        )
    x = array(a)
    if weights is None:
        x = x if is_inexact(x) else cast(x, result_type(x.dtype, float_dtype()))
        found = reduction.reduce_mean(x, axis)
        count = size_of(x) if axis is None else shape_of(x)[axis]
        total = cast(array(count), x.dtype)
    else:
        further = [] if is_inexact(x) else [float_dtype()]
        kind = result_type(x.dtype, weights, *further)
        found, total = _weighted(array(x, kind), array(weights, kind), axis)
    return (found, broadcast_to(total, shape_of(found))) if returned else found


def _weighted(x: Tensor, weights: Tensor, axis: int | None) -> tuple[Tensor, Tensor]:
    """Give the mean and the sum of weights, which are of the array's shape or of one axis."""
    shapes = shape_of(x), shape_of(weights)
    if axis is None or x.ndim == weights.ndim:
        if shapes[0] != shapes[1]:
            raise _unmet("\n".join(", ".join(map(str, shape)) for shape in shapes))
        total = reduction.reduce_sum(weights, axis)
        return reduction.reduce_sum(x * weights, axis) / total, total
    if weights.ndim != 1:
        raise _unmet(str(weights.ndim))
    total = reduction.reduce_sum(weights)
    return tensordot(x, weights, [[axis], [0]]) / total, total


def _unmet(data: str) -> InvalidArgumentError:
    return InvalidArgumentError(
        message="Expected 'tf.Tensor(False, shape=(), dtype=bool)' to be true. "
        f"Summarized data: {data}"
    )
