"""Primitives that reduce axes or run along one, and those that sort."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from symtape.frontends.jax_functions.primitives.bits import computed
from symtape.frontends.jax_functions.steps import Rule, Step
from symtape.ops.elementwise.conversion import cast
from symtape.ops.reductions import ordering, reduction, scan
from symtape.ops.shapes.shaping import permuted
from symtape.program.kinds.structural import Gather, Position
from symtape.tensor.dispatch import apply, apply1
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import dtype_of


def _over(function: Callable[..., Tensor]) -> Rule:
    """Make a rule of a function that reduces some axes, of each operand."""

    def rule(step: Step, *operands: Tensor) -> list[Tensor]:
        axes = [int(k) for k in step["axes"]]
        return [function(x, axes) for x in operands] if axes else [*operands]

    return rule


def _truth(step: Step, x: Tensor) -> Any:
    if dtype_of(x).kind != "b":
        return computed(step, x)
    function = reduction.reduce_all if step.name == "reduce_and" else reduction.reduce_any
    return function(x, [int(k) for k in step["axes"]])


def _place(step: Step, x: Tensor) -> Tensor:
    """Where the first largest or smallest element is; nan is both."""
    (axis,) = step["axes"]
    return cast(apply1(Position(step.name, int(axis) - x.ndim, "int64"), x), step.dtype)


# --- along an axis --------------------------------------------------------------------------------


def _running(function: Callable[..., Tensor]) -> Rule:
    def rule(step: Step, x: Tensor) -> Tensor:
        return function(x, axis=int(step["axis"]), reverse=bool(step["reverse"]))

    return rule


# --- order ----------------------------------------------------------------------------------------


def _along_the_last(x: Tensor, axis: int) -> Tensor:
    """Exchange an axis with the last one."""
    order = list(range(x.ndim))
    order[axis], order[-1] = order[-1], order[axis]
    return permuted(x, order)


def _taken(x: Tensor, order: Tensor) -> Tensor:
    return apply(Gather(0, 0, x.ndim - 1), x, order)


def _sorted(step: Step, *tensors: Tensor) -> list[Tensor]:
    """Sort by the first operands, the last of them first, and take all in that order."""
    axis, keys = int(step["dimension"]), int(step["num_keys"])
    lines = [_along_the_last(x, axis) for x in tensors]
    order: Tensor | None = None
    for key in reversed(lines[:keys]):
        line = key if order is None else _taken(key, order)
        found = apply1(Position("argsort", -1, "int64"), line)
        order = found if order is None else _taken(order, found)
    if order is None:
        raise step.refused("there is no key to sort by")
    return [_along_the_last(_taken(line, order), axis) for line in lines]


def _top(step: Step, x: Tensor) -> list[Tensor]:
    axis = int(step.parameters.get("axis", step.parameters.get("operand_rank", x.ndim) - 1))
    values, places = ordering.top_k(_along_the_last(x, axis), int(step["k"]))
    return [_along_the_last(values, axis), _along_the_last(places, axis)]


RULES: dict[str, Rule] = {
    "reduce_sum": _over(reduction.reduce_sum),
    "reduce_max": _over(reduction.reduce_max),
    "reduce_min": _over(reduction.reduce_min),
    "reduce_prod": _over(reduction.reduce_prod),
    "psum": _over(reduction.reduce_sum),  # of an axis that vmap has, by its name
    "pmax": _over(reduction.reduce_max),
    "pmin": _over(reduction.reduce_min),
    "reduce_and": _truth,
    "reduce_or": _truth,
    "argmax": _place,
    "argmin": _place,
    "cumsum": _running(scan.cumsum),
    "cumprod": _running(scan.cumprod),
    "cumlogsumexp": _running(scan.cumulative_logsumexp),
    "sort": _sorted,
    "top_k": _top,
}
