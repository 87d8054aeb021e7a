"""One result for many elements: sums, means, extrema, products, norms of the exponential kind."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from symtape.ops.arguments import FLOATS, ORDERED, SUMMABLE, axes_of, check, refusal, tensor, truth
from symtape.ops.elementwise.functions import conj, log, real, sqrt, square
from symtape.program import operations as ops
from symtape.program.functions import scalar
from symtape.program.kinds.structural import Extremum, Product
from symtape.program.operations import Cast, Count, Einsum, Operation, elementwise
from symtape.tensor import dtypes
from symtape.tensor.decided import decided, decided_by_look
from symtape.tensor.dispatch import apply1, apply2
from symtape.tensor.tensor import Literal, Tensor
from symtape.tensor.values import dtype_of, passes, shape_of

_REDUCED = "input:T, reduction_indices:Tidx -> output:T"

Axes = tuple[int, ...]


@lru_cache(maxsize=4096)
def _summing(rank: int, axes: Axes, keepdims: bool) -> Operation:
    if not axes:
        return ops.identity
    own = range(-rank, 0)
    output = [100 + k if k in axes else k for k in own if keepdims or k not in axes]
    return Einsum.of([own], output, dict.fromkeys(output, 1))


@lru_cache(maxsize=4096)
def _keeping(rank: int, axes: Axes) -> Einsum:
    """Put axes of size one where a reduction left some out."""
    term = [k for k in range(-rank, 0) if k not in axes]
    return Einsum.of([term], range(-rank, 0), dict.fromkeys(axes, 1))


def total(x: Tensor, axes: Axes, keepdims: bool = False) -> Tensor:
    """Add up along axes, which are counted from the last."""
    return apply1(_summing(x.ndim, axes, keepdims), x)


def _kept(x: Tensor, made: Tensor, axes: Axes, keepdims: bool) -> Tensor:
    return apply1(_keeping(x.ndim, axes), made) if keepdims else made


def reduce_sum(
    input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Tensor:
    """The sum along some axes, or of all elements.

    >>> reduce_sum([[1, 2], [3, 4]], axis=0).numpy()
    array([4, 6], dtype=int32)
    """
    x = tensor(input_tensor)
    check("Sum", x, SUMMABLE, _REDUCED)
    return total(x, axes_of("Sum", axis, x.ndim), bool(keepdims))


def reduce_mean(
    input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Tensor:
    """The mean along some axes, or of all elements; of integers it is cut to an integer.

    >>> reduce_mean([[1.0, 2.0], [3.0, 4.0]], axis=1).numpy()
    array([1.5, 3.5], dtype=float32)
    """
    x = tensor(input_tensor)
    check("Mean", x, SUMMABLE, _REDUCED)
    axes = axes_of("Mean", axis, x.ndim)
    if dtype_of(x).kind in "iu":
        return _integer_mean(x, axes, bool(keepdims))
    return mean(x, axes, bool(keepdims))


def mean(x: Tensor, axes: Axes, keepdims: bool = False) -> Tensor:
    """Average along axes, which are counted from the last."""
    if not axes:
        return apply1(ops.identity, x)
    return apply2(ops.divide, total(x, axes, keepdims), apply1(Count(axes), x))


def _integer_mean(x: Tensor, axes: Axes, keepdims: bool) -> Tensor:
    wide = np.uint64 if dtype_of(x).kind == "u" else np.int64  # a sum may be beyond the dtype
    summed = np.sum(decided(x), axis=axes, dtype=wide, keepdims=keepdims)
    count = max(Count(axes).count(shape_of(x)), 1)
    return Tensor((np.sign(summed) * (np.abs(summed) // wide(count))).astype(dtype_of(x))[()])


def extremum(x: Tensor, which: str, axes: Axes, keepdims: bool = False) -> Tensor:
    """Take the largest or smallest along axes, which are counted from the last."""
    if not axes:
        return apply1(ops.identity, x)
    return _kept(x, apply1(Extremum(which, axes), x), axes, keepdims)


def reduce_max(
    input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Tensor:
    """The largest element along some axes, or of all; equal ones share the gradient.

    >>> reduce_max([[1, 2], [3, 4]], axis=0).numpy()
    array([3, 4], dtype=int32)
    """
    x = tensor(input_tensor)
    check("Max", x, ORDERED, _REDUCED)
    return extremum(x, "max", axes_of("Max", axis, x.ndim), bool(keepdims))


def reduce_min(
    input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Tensor:
    """The smallest element along some axes, or of all; equal ones share the gradient.

    >>> reduce_min([[1, 2], [3, 4]], axis=0).numpy()
    array([1, 2], dtype=int32)
    """
    x = tensor(input_tensor)
    check("Min", x, ORDERED, _REDUCED)
    return extremum(x, "min", axes_of("Min", axis, x.ndim), bool(keepdims))


def reduce_prod(
    input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Tensor:
    """The product along some axes, or of all elements.

    >>> reduce_prod([[1, 2], [3, 4]]).numpy()
    np.int32(24)
    """
    x = tensor(input_tensor)
    check("Prod", x, SUMMABLE, _REDUCED)
    axes = axes_of("Prod", axis, x.ndim)
    return _kept(x, apply1(Product(axes), x), axes, bool(keepdims))


def reduce_any(
    input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Tensor:
    """Whether any element along some axes, or of all, is true.

    >>> reduce_any([[True, False], [False, False]], axis=1).numpy()
    array([ True, False])
    """
    x = truth("Any", input_tensor)
    return extremum(x, "max", axes_of("Any", axis, x.ndim), bool(keepdims))


def reduce_all(
    input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Tensor:
    """Whether all elements along some axes, or of all, are true.

    >>> reduce_all([[True, False], [True, True]], axis=1).numpy()
    array([False,  True])
    """
    x = truth("All", input_tensor)
    return extremum(x, "min", axes_of("All", axis, x.ndim), bool(keepdims))


# --- exponentials: the largest element is taken out first, so that nothing overflows --------------
#
# The formula does not show it: what is taken out of the exponential comes back with the logarithm,
# or stands above and below a fraction.

_pivot = elementwise("pivot", scalar.pivot)
_stopped = elementwise("stop_gradient", scalar.stop, result="stopped")
_shifted = elementwise("shifted", scalar.shifted, 2)
_shifted_exp = elementwise("shifted_exp", scalar.shifted_exp, 2)
_unshifted = elementwise("unshifted", scalar.unshifted, 2)


def largest(x: Tensor, axes: Axes) -> Tensor:
    """The largest element along axes, 0 where it is infinite, without a gradient."""
    return apply1(_pivot, extremum(x, "max", axes, keepdims=_leaves_axes(x, axes)))


def _leaves_axes(x: Tensor, axes: Axes) -> bool:
    """Say whether a reduction leaves axes: where it leaves none, a scalar fits beside x."""
    return bool(len(axes) < x.ndim)


def reduce_logsumexp(
    input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Tensor:
    """log(sum(exp(x))) along some axes, or of all elements, without overflow.

    >>> reduce_logsumexp([0.0, 0.0]).numpy()
    np.float32(0.6931472)
    """
    x = tensor(input_tensor)
    if dtype_of(x).kind == "O":
        raise refusal("Max", x, ORDERED)
    if not x.dtype.is_floating:
        raise refusal("IsFinite", x, FLOATS, "x:T -> y:bool")
    axes = axes_of("Max", axis, x.ndim)
    shift = largest(x, axes)
    wide = _leaves_axes(x, axes)
    logs = log(total(apply2(_shifted_exp, x, shift), axes, keepdims=wide))
    made = apply2(_unshifted, logs, shift)
    if wide == bool(keepdims):
        return made
    return total(made, axes) if wide else _kept(x, made, axes, keepdims=True)


def _subtracted(x: Tensor, axis: int) -> Tensor:
    """The largest element along an axis as a softmax subtracts it, which an infinite one makes nan.

    Where all are finite it is written by its pivot, which no formula shows.
    """
    found = extremum(x, "max", (axis,), keepdims=_leaves_axes(x, (axis,)))
    return apply1(_stopped if passes(found, _is_infinite) else _pivot, found)


def _is_infinite(value: Any) -> bool:
    return bool(np.any(value == np.inf))


def softmax_along(x: Tensor, axis: int) -> Tensor:
    """exp(x) / sum(exp(x)) along one axis, counted from the last."""
    powers = apply2(_shifted_exp, x, _subtracted(x, axis))
    return apply2(ops.divide, powers, total(powers, (axis,), _leaves_axes(x, (axis,))))


def log_softmax_along(x: Tensor, axis: int) -> Tensor:
    """x - log(sum(exp(x))) along one axis, counted from the last."""
    shift = _subtracted(x, axis)
    logs = log(total(apply2(_shifted_exp, x, shift), (axis,), _leaves_axes(x, (axis,))))
    return apply2(ops.subtract, apply2(_shifted, x, shift), logs)


# --- moments --------------------------------------------------------------------------------------


def reduce_variance(
    input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Tensor:
    """The mean squared distance from the mean along some axes, or of all elements.

    Raises `TypeError` for integers.

    >>> reduce_variance([1.0, 3.0]).numpy()
    np.float32(1.0)
    """
    x = tensor(input_tensor)
    if not x.dtype.is_floating and not x.dtype.is_complex:
        raise TypeError(f"Input must be either real or complex. Received integer type {x.dtype}.")
    axes = axes_of("Mean", axis, x.ndim)
    off = apply2(ops.subtract, x, mean(x, axes, _leaves_axes(x, axes)))
    squared = real(apply2(ops.multiply, conj(off), off)) if x.dtype.is_complex else square(off)
    return mean(squared, axes, bool(keepdims))


def reduce_std(
    input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Tensor:
    """The square root of `reduce_variance`.

    >>> reduce_std([1.0, 3.0]).numpy()
    np.float32(1.0)
    """
    return sqrt(reduce_variance(input_tensor, axis, keepdims))


def reduce_euclidean_norm(
    input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Tensor:
    """The square root of the sum of squares along some axes, or of all elements.

    >>> reduce_euclidean_norm([3.0, 4.0]).numpy()
    np.float32(5.0)
    """
    x = tensor(input_tensor)
    check("EuclideanNorm", x, SUMMABLE, _REDUCED)
    axes = axes_of("EuclideanNorm", axis, x.ndim)
    if dtype_of(x).kind in "iu":
        squares = np.sum(decided(x).astype(np.float64) ** 2, axis=axes, keepdims=bool(keepdims))
        return Tensor(np.sqrt(squares).astype(dtype_of(x))[()])
    return sqrt(total(apply2(ops.multiply, x, conj(x)), axes, bool(keepdims)))


def count_nonzero(
    input: Any,
    axis: Any = None,
    keepdims: Any = None,
    dtype: Any = dtypes.int64,
    name: str | None = None,
) -> Tensor:
    """How many elements along some axes, or of all, are not zero.

    >>> count_nonzero([0.0, 2.0, 3.0]).numpy()
    np.int64(2)
    """
    x = tensor(input)
    if x.dtype is dtypes.string:
        axes = axes_of("Sum", axis, x.ndim)
        counted = np.sum(decided_by_look(x) != b"", axis=axes, keepdims=bool(keepdims))
        return Tensor(counted.astype(dtypes.as_dtype(dtype).numpy)[()])
    there = apply2(ops.not_equal, x, Literal.of(0, dtype_of(x)))
    return reduce_sum(apply1(Cast(dtypes.as_dtype(dtype).name), there), axis, keepdims)


def zero_fraction(value: Any, name: str | None = None) -> Tensor:
    """The part of all elements that is zero, as float32.

    >>> zero_fraction([0.0, 1.0]).numpy()
    np.float32(0.5)
    """
    x = tensor(value)
    with np.errstate(invalid="ignore"):
        zero = apply2(ops.equal, x, Literal.of(0, dtype_of(x)))
        return reduce_mean(apply1(Cast("float32"), zero))
