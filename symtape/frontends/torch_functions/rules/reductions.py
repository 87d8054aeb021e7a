"""ATen operations that leave axes out: sums, products, extremes, moments, norms, running sums."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from symtape.frontends.functions import flat_power, root, with_slope_of
from symtape.frontends.torch_functions.memory.views import as_dtype
from symtape.frontends.torch_functions.rules.elementwise import size_of
from symtape.frontends.torch_functions.rules.promotion import as_operand, inexact, truth
from symtape.frontends.torch_functions.rules.rules import Rule, Step, rule
from symtape.ops.elementwise import arithmetic, comparison
from symtape.ops.elementwise import functions as maps
from symtape.ops.elementwise.conversion import stop_gradient
from symtape.ops.indexing.gathering import gather
from symtape.ops.reductions import reduction, scan
from symtape.ops.reductions.ordering import argmax, argmin
from symtape.ops.shapes.shaping import permuted, squeeze, with_shape
from symtape.program.authors import written
from symtape.tensor.decided import decided_as_it_is
from symtape.tensor.dispatch import apply2
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import dtype_of, shape_of

Axes = Any
INT = np.dtype(np.int64)


def axes_of(x: Tensor, dim: Any) -> list[int]:
    """List the axes that are left out: those given, or all."""
    rank = x.ndim
    if dim is None or (isinstance(dim, (list, tuple)) and not dim):
        return list(range(rank))
    given = dim if isinstance(dim, (list, tuple)) else [dim]
    return [axis % rank for axis in given] if rank else []


@rule("sum", "nansum")
def sum_(
    step: Step, x: Tensor, dim: Axes = None, keepdim: bool = False, *, dtype: Any = None, **_: Any
) -> Tensor:
    """The sum along axes."""
    x = as_dtype(x, step.dtype)
    if step.name.startswith("nansum"):
        x = arithmetic.where(maps.is_nan(x), as_operand(0, dtype_of(x)), x)
    return reduction.reduce_sum(x, axes_of(x, dim), keepdim)


def _over(function: Callable[..., Tensor], prepared: Callable[[Step, Tensor], Tensor]) -> Rule:
    """Leave axes out of an operand that is made ready."""

    def rule_of(
        step: Step, x: Tensor, dim: Axes = None, keepdim: bool = False, *, dtype: Any = None,
        **_: Any,
    ) -> Tensor:  # fmt: skip
        return function(prepared(step, x), axes_of(x, dim), keepdim)

    return rule_of


def _of_result(step: Step, x: Tensor) -> Tensor:
    return as_dtype(x, step.dtype)


rule("mean")(_over(reduction.reduce_mean, _of_result))
rule("prod")(_over(reduction.reduce_prod, _of_result))
rule("any", "any.dim", "any.dims")(_over(reduction.reduce_any, lambda _, x: truth(x)))
rule("all", "all.dim", "all.dims")(_over(reduction.reduce_all, lambda _, x: truth(x)))


def _logsumexp(x: Tensor, axes: list[int], keepdim: bool) -> Tensor:
    """log Σ exp(x); of complex numbers the largest real part is what is taken out."""
    if x.raw.dtype.kind != "c":
        return reduction.reduce_logsumexp(x, axes, keepdim)
    largest = stop_gradient(reduction.reduce_max(maps.real(x), axes, True))
    largest = as_dtype(arithmetic.where(maps.is_finite(largest), largest, 0.0), dtype_of(x))
    found = maps.log(reduction.reduce_sum(maps.exp(x - largest), axes, True)) + largest
    return found if keepdim else squeeze(found, axes)


rule("logsumexp")(_over(_logsumexp, inexact))

# --- extremes -------------------------------------------------------------------------------------


# equal ones share the gradient
rule("amax", "max.default")(_over(reduction.reduce_max, lambda _, x: x))
rule("amin", "min.default")(_over(reduction.reduce_min, lambda _, x: x))


@rule("aminmax")
def aminmax(step: Step, x: Tensor, *, dim: Any = None, keepdim: bool = False) -> Any:
    """The smallest and the largest element along an axis."""
    axes = axes_of(x, dim)
    return reduction.reduce_min(x, axes, keepdim), reduction.reduce_max(x, axes, keepdim)


@rule("max.dim", "max.dim_max", "min.dim", "min.dim_min")
def extreme(step: Step, x: Tensor, dim: int, keepdim: bool = False, **_: Any) -> Any:
    """The extreme element along an axis, and its place, which alone has the gradient."""
    if not x.ndim:
        return x, None
    axis, which = dim % x.ndim, step.name[:3]
    place = argmax(x, axis) if which == "max" else argmin(x, axis)
    theirs = np.asarray(step.result(1))
    theirs = np.squeeze(theirs, axis) if keepdim else theirs
    if not np.array_equal(place.raw, theirs):
        place = as_they_are(x, theirs)
    values = _first(x, which, place, axis)
    return with_shape(values, step.shape), with_shape(place, step.shape)


def _first(x: Tensor, which: str, place: Tensor, axis: int) -> Tensor:
    """An extreme with the gradient at one place, though formulas write that equal ones share it."""
    if dtype_of(x).kind not in "fV":
        return along(x, place, axis)
    best = (reduction.reduce_max if which == "max" else reduction.reduce_min)(x, [axis], True)
    line = Tensor(np.arange(shape_of(x)[axis]).reshape(-1, *(1,) * (x.ndim - 1 - axis)))
    at = with_shape(place, shape_of(best))
    chosen = as_dtype(comparison.equal(as_dtype(at, INT), line), dtype_of(x))
    equal = as_dtype(comparison.equal(x, best), dtype_of(x))
    share = arithmetic.divide(equal, reduction.reduce_sum(equal, [axis], True))
    own = stop_gradient(apply2(written, chosen, share))
    return with_slope_of(best, reduction.reduce_sum(x * own, [axis], True))


def as_they_are(x: Tensor, places: Any) -> Tensor:
    """Take places as torch has them, which hold as long as the elements are as they are."""
    decided_as_it_is(x)
    return Tensor(np.asarray(places))


def along(x: Tensor, places: Tensor, axis: int) -> Tensor:
    """Take one element along an axis for each place along the others."""
    rank = x.ndim
    order = [k for k in range(rank) if k != axis] + [axis]
    line = turned(x, order)
    return gather(line, places, axis=rank - 1, batch_dims=rank - 1)


def turned(x: Tensor, order: Sequence[int]) -> Tensor:
    """Give the axes another order, where it is another one."""
    return x if list(order) == list(range(x.ndim)) else permuted(x, order)


@rule("count_nonzero")
def count_nonzero(step: Step, x: Tensor, dim: Axes = None) -> Tensor:
    """How many elements along axes are not zero."""
    return reduction.reduce_sum(as_dtype(truth(x), INT), axes_of(x, dim))


@rule("argmax", "argmin")
def place(step: Step, x: Tensor, dim: int | None = None, keepdim: bool = False) -> Tensor | None:
    """The place of the extreme element; of several, torch's."""
    if not x.ndim:
        return None
    find = argmax if step.name.startswith("argmax") else argmin
    if dtype_of(x).kind == "b":
        x = as_dtype(x, np.dtype(np.int32))
    flat = with_shape(x, (int(np.prod(shape_of(x))),)) if dim is None else x
    found = with_shape(find(flat, 0 if dim is None else dim % x.ndim), step.shape)
    return found if np.array_equal(found.raw, step.result()) else None


# --- moments --------------------------------------------------------------------------------------


def variance(x: Tensor, axes: Sequence[int], correction: Any, keepdim: bool) -> Tensor:
    """The squared distances from the mean, over their number less the correction."""
    count = int(np.prod([shape_of(x)[axis] for axis in axes]))
    rest = max(count - correction, 0)
    if correction == 0 and count:
        return reduction.reduce_variance(x, axes, keepdim)
    off = x - reduction.reduce_mean(x, axes, True)
    total = reduction.reduce_sum(_squared(off), axes, keepdim)
    if not rest:
        return total / as_operand(0, dtype_of(total))
    return total / as_operand(rest, dtype_of(total))


def _squared(x: Tensor) -> Tensor:
    return maps.real(x * maps.conj(x)) if dtype_of(x).kind == "c" else maps.square(x)


def _correction(given: Any, correction: Any) -> Any:
    if isinstance(given, bool):  # unbiased
        return int(given)
    return 1 if correction is None else correction


@rule("var", "std")
def var(
    step: Step, x: Tensor, dim: Axes = None, unbiased: Any = None, keepdim: bool = False,
    *, correction: Any = None, **_: Any,
) -> Tensor:  # fmt: skip
    """The variance along axes, or its root."""
    if isinstance(dim, bool):
        dim, unbiased = None, dim
    made = variance(x, axes_of(x, dim), _correction(unbiased, correction), keepdim)
    return root(made) if step.name.startswith("std") else made


@rule("var_mean", "std_mean")
def var_mean(
    step: Step, x: Tensor, dim: Axes = None, unbiased: Any = None, keepdim: bool = False,
    *, correction: Any = None,
) -> Any:  # fmt: skip
    """The variance along axes, or its root, and the mean."""
    if isinstance(dim, bool):
        dim, unbiased = None, dim
    axes = axes_of(x, dim)
    made = variance(x, axes, _correction(unbiased, correction), keepdim)
    middle = reduction.reduce_mean(x, axes, keepdim)
    return (root(made) if step.name.startswith("std") else made), middle


# --- norms and logarithms of sums -----------------------------------------------------------------


@rule("linalg_vector_norm", "norm")
def vector_norm(
    step: Step, x: Tensor, ord: Any = 2, dim: Axes = None, keepdim: bool = False, **_: Any
) -> Tensor:
    """The norm along axes; where it is 0, its gradient is."""
    x = as_dtype(x, step.dtype) if dtype_of(x).kind in "biu" else x
    axes, p = axes_of(x, dim), 2 if ord is None else ord
    size = size_of(x)
    if p == 0:
        return as_dtype(
            reduction.reduce_sum(as_dtype(truth(x), step.dtype), axes, keepdim), step.dtype
        )
    if p == 1:
        return reduction.reduce_sum(size, axes, keepdim)
    if p in {float("inf"), -float("inf")}:
        return (reduction.reduce_max if p > 0 else reduction.reduce_min)(size, axes, keepdim)
    if p == 2:
        return root(reduction.reduce_sum(_squared(x), axes, keepdim))
    power = flat_power if p < 1 else _power
    return flat_power(reduction.reduce_sum(power(size, p), axes, keepdim), 1.0 / p)


def _power(x: Tensor, p: float) -> Tensor:
    return arithmetic.pow(x, as_operand(p, dtype_of(x)))


# --- running --------------------------------------------------------------------------------------


@rule("cumsum", "cumprod")
def cumulative(step: Step, x: Tensor, dim: int, **_: Any) -> Tensor:
    """Running sums or products."""
    run = scan.cumsum if step.name.startswith("cumsum") else scan.cumprod
    x = as_dtype(x, step.dtype)
    return run(x, dim) if x.ndim else x


@rule("logcumsumexp")
def logcumsumexp(step: Step, x: Tensor, dim: int, **_: Any) -> Tensor:
    """Running logarithms of sums of exponentials."""
    if x.raw.dtype.kind == "c":
        raise NotImplementedError("of complex numbers write z.exp().cumsum(dim).log()")
    return scan.cumulative_logsumexp(x, dim) if x.ndim else x


@rule("cummax", "cummin")
def running(step: Step, x: Tensor, dim: int) -> Any:
    """Running extremes, which are elements at places."""
    if not x.ndim:
        return x, None
    axis = dim % x.ndim
    made = scan.running_extremum(step.name[3:6], x, axis)
    raw, before = np.moveaxis(x.raw, axis, 0)[1:], np.moveaxis(made.raw, axis, 0)[:-1]
    if np.any(raw == before) or np.any(made.raw != made.raw):
        return chosen(x, as_they_are(x, step.result(1)), axis), None
    return made, None


def chosen(x: Tensor, places: Tensor, axis: int) -> Tensor:
    """Take elements along an axis at places that have all axes, as torch's gather does."""
    rank = x.ndim
    order = [k for k in range(rank) if k != axis] + [axis]
    line, at = turned(x, order), turned(places, order)
    lead = shape_of(at)[:-1]
    if shape_of(line)[:-1] != lead:
        line = line[tuple([slice(0, n) for n in lead])]
    taken = gather(line, at, axis=rank - 1, batch_dims=rank - 1)
    return turned(taken, np.argsort(order).tolist())
