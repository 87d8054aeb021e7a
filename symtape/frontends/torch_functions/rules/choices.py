"""ATen operations that choose: one of two numbers, one within bounds, the same in another dtype."""

from __future__ import annotations

from typing import Any

from symtape.frontends.torch_functions.memory.views import as_dtype
from symtape.frontends.torch_functions.rules.promotion import (
    as_operand,
    promoted,
    truth,
)
from symtape.frontends.torch_functions.rules.rules import Step, rule
from symtape.ops.elementwise import arithmetic
from symtape.ops.shapes.repetition import broadcast_to
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import dtype_of, shape_of


@rule("where.self")
def where(step: Step, condition: Tensor, x: Any, y: Any) -> Tensor:
    """x where a condition holds, y elsewhere."""
    x, y = promoted(step, x, y)
    return arithmetic.where(truth(condition), x, y)


@rule("clamp")
def clamp(
    step: Step, x: Tensor, low: Any = None, high: Any = None, *, min: Any = None, max: Any = None
) -> Tensor:
    """x between two bounds, which have the gradient beyond them."""
    low, high = low if low is not None else min, high if high is not None else max
    x = as_dtype(x, step.dtype)
    if low is not None:
        x = arithmetic.maximum(x, as_operand(low, step.dtype))
    if high is not None:
        x = arithmetic.minimum(x, as_operand(high, step.dtype))
    return x


@rule("clamp_min")
def clamp_min(step: Step, x: Tensor, low: Any) -> Tensor:
    """x above a bound."""
    return clamp(step, x, low)


@rule("clamp_max")
def clamp_max(step: Step, x: Tensor, high: Any) -> Tensor:
    """x below a bound."""
    return clamp(step, x, None, high)


@rule("clone", "_to_copy")
def copied(step: Step, x: Tensor, *_: Any, **__: Any) -> Tensor:
    """The same values, as another dtype where that is asked for."""
    if len(step.results) and dtype_of(x) != step.dtype:
        return as_dtype(x, step.dtype)
    return x


@rule("copy")
def copy(step: Step, x: Tensor, source: Tensor, non_blocking: bool = False) -> Tensor:
    """The source, in the shape and dtype of what it is written over."""
    source = as_dtype(source, step.dtype)
    return source if shape_of(source) == step.shape else broadcast_to(source, step.shape)
