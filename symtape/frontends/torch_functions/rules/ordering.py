"""ATen operations that put elements in order, or choose by order."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtape.frontends.functions import with_slope_of
from symtape.frontends.torch_functions.memory.views import as_dtype
from symtape.frontends.torch_functions.rules.promotion import as_operand
from symtape.frontends.torch_functions.rules.reductions import INT, as_they_are, chosen
from symtape.frontends.torch_functions.rules.rules import Step, rule
from symtape.ops.elementwise import functions as maps
from symtape.ops.elementwise.arithmetic import divide, where
from symtape.ops.elementwise.comparison import equal, logical_and, logical_or
from symtape.ops.elementwise.conversion import stop_gradient
from symtape.ops.indexing.gathering import gather
from symtape.ops.reductions.ordering import argsort
from symtape.ops.reductions.reduction import reduce_sum
from symtape.ops.shapes.shaping import with_shape
from symtape.tensor.decided import decided_truth, nowhere
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import dtype_of, shape_of


def _places(step: Step, x: Tensor, axis: int, count: int | None, descending: bool) -> Tensor:
    """The places of the elements in order; of equal ones, torch's."""
    theirs = np.asarray(step.result(1))
    if dtype_of(x).kind == "b":
        return as_they_are(x, theirs)
    order = argsort(x, axis, "DESCENDING" if descending else "ASCENDING")
    if count is not None:
        order = order[tuple([slice(None)] * axis + [slice(0, count)])]
    if np.array_equal(order.raw, theirs):
        return as_dtype(order, INT)
    return as_they_are(x, theirs)


def _ordered(step: Step, x: Tensor, dim: int, count: int | None, descending: bool) -> Any:
    if not x.ndim:
        return x, None
    axis = dim % x.ndim
    places = _places(step, x, axis, count, descending)
    return chosen(x, places, axis), places


@rule("sort", "sort.stable")
def sort(step: Step, x: Tensor, *arguments: Any, **named: Any) -> Any:
    """The elements in order along an axis, and their places."""
    given = dict(zip(("dim", "descending"), arguments, strict=False)) | named
    return _ordered(step, x, given.get("dim", -1), None, bool(given.get("descending", False)))


@rule("topk")
def topk(
    step: Step, x: Tensor, k: int, dim: int = -1, largest: bool = True, sorted: bool = True
) -> Any:
    """The largest or smallest elements along an axis, and their places."""
    return _ordered(step, x, dim, k, largest)


@rule("kthvalue", "median.dim", "nanmedian.dim")
def selected(step: Step, x: Tensor, *arguments: Any, **named: Any) -> Any:
    """The element along an axis that stands at a place in their order, and where it is."""
    if not x.ndim:
        return x, None
    kth = step.name.startswith("kthvalue")
    given = arguments[1:] if kth else arguments
    axis = (given[0] if given else named.get("dim", -1)) % x.ndim
    shape = (*shape_of(x)[:axis], 1, *shape_of(x)[axis + 1 :])
    theirs = np.reshape(step.result(1), shape)
    rank = arguments[0] - 1 if kth else (shape_of(x)[axis] - 1) // 2
    places = _ranked(x, axis, rank, theirs)
    return with_shape(chosen(x, places, axis), step.shape), with_shape(places, step.shape)


def _ranked(x: Tensor, axis: int, rank: int, theirs: Any) -> Tensor:
    """The places of the elements of a rank along an axis, if torch takes these.

    Of equal elements it takes others, and beside nan the ranks are others.
    """
    if dtype_of(x).kind in "fV" and np.any(decided_truth(maps.is_nan(x))):
        return as_they_are(x, theirs)
    order = argsort(x, axis)[tuple([slice(None)] * axis + [slice(rank, rank + 1)])]
    return as_dtype(order, INT) if np.array_equal(order.raw, theirs) else as_they_are(x, theirs)


@rule("mode")
def mode(step: Step, x: Tensor, dim: int = -1, keepdim: bool = False) -> Any:
    """The most frequent element along an axis, at torch's place."""
    if not x.ndim:
        return x, None
    axis = dim % x.ndim
    shape = (*shape_of(x)[:axis], 1, *shape_of(x)[axis + 1 :])
    places = as_they_are(x, np.reshape(step.result(1), shape))
    return with_shape(chosen(x, places, axis), step.shape), with_shape(places, step.shape)


@rule("median", "nanmedian")
def median(step: Step, x: Tensor) -> Tensor:
    """The element in the middle of all."""
    count = int(np.size(x.raw))
    flat = with_shape(x, (count,))
    line, found = np.ravel(x.raw), step.result()
    place = np.argmax((line == found) | ((line != line) & (found != found)), keepdims=True)  # noqa: PLR0124 - nan
    best = gather(flat, _ranked(flat, 0, (count - 1) // 2, place))
    return with_shape(with_slope_of(best, _shared(flat, best)), ())


def _shared(x: Tensor, best: Tensor) -> Tensor:
    """The mean of those of a line that are equal to one; those that are no numbers are, too."""
    same = equal(x, best)
    if not nowhere(maps.is_nan(best)):
        same = logical_or(same, logical_and(maps.is_nan(x), maps.is_nan(best)))
    chosen = as_dtype(same, dtype_of(x))
    weights = stop_gradient(divide(chosen, reduce_sum(chosen)))
    return reduce_sum(where(same, x * weights, as_operand(0, dtype_of(x))), keepdims=True)
