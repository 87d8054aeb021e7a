"""ATen operations that put elements in order, or choose by order."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtape.frontends.torch_functions.rules.reductions import chosen
from symtape.frontends.torch_functions.rules.rules import Step, rule
from symtape.frontends.torch_functions.views import as_dtype
from symtape.ops.reductions.ordering import argsort
from symtape.ops.shapes.shaping import with_shape
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import dtype_of, shape_of


def _places(step: Step, x: Tensor, axis: int, count: int | None, descending: bool) -> Tensor:
    """The places of the elements in order; of equal ones, torch's."""
    theirs = np.asarray(step.result(1))
    if dtype_of(x).kind == "b":
        return Tensor(theirs)
    order = argsort(x, axis, "DESCENDING" if descending else "ASCENDING")
    if count is not None:
        order = order[tuple([slice(None)] * axis + [slice(0, count)])]
    same = np.array_equal(order.raw, theirs)
    return as_dtype(order, np.dtype(np.int64)) if same else Tensor(theirs)


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


@rule("kthvalue", "median.dim", "nanmedian.dim", "mode")
def selected(step: Step, x: Tensor, *arguments: Any, **named: Any) -> Any:
    """One element along an axis that its order chooses, at torch's place."""
    if not x.ndim:
        return x, None
    kth = step.name.startswith("kthvalue")
    given = arguments[1:] if kth else arguments
    axis = (given[0] if given else named.get("dim", -1)) % x.ndim
    shape = (*shape_of(x)[:axis], 1, *shape_of(x)[axis + 1 :])
    places = Tensor(np.reshape(step.result(1), shape))
    return with_shape(chosen(x, places, axis), step.shape), None


@rule("median", "nanmedian")
def median(step: Step, x: Tensor) -> Tensor:
    """The element in the middle of all."""
    line = np.ravel(x.raw)
    place = int(np.argmax(line == step.result()))
    flat = with_shape(x, (line.size,))
    return flat[place]


__all__: list[str] = []
