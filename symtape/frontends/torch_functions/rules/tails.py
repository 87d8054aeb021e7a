"""ATen operations on the tails of the normal distribution."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtape.frontends.torch_functions.rules.promotion import as_operand, inexact
from symtape.frontends.torch_functions.rules.rules import Step, rule
from symtape.ops.elementwise import arithmetic, comparison
from symtape.ops.elementwise import functions as maps
from symtape.tensor.decided import nowhere
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import dtype_of

_NEAR, _TERMS = 4.0, 30
"""From here on the continued fraction has all digits with so many terms."""


def _reach(dtype: Any) -> float:
    """Where exp(-x²) is so small that its digits go."""
    return float(np.sqrt(-np.log(np.finfo(dtype).tiny))) - 1.0


def _scaled(x: Tensor) -> Tensor:
    """exp(x²)·erfc(x) = 1/(√π(x + (1/2)/(x + (2/2)/(x + …)))) of large numbers."""
    found = x
    for k in range(_TERMS, 0, -1):
        found = x + as_operand(k / 2, dtype_of(x)) / found
    return as_operand(float(1 / np.sqrt(np.pi)), dtype_of(x)) / found


def _split(x: Tensor, bound: float) -> tuple[Tensor, Tensor, Tensor]:
    """Say which numbers are beyond a bound, with those there and those before, or the bound."""
    edge = as_operand(bound, dtype_of(x))
    beyond = comparison.greater(x, edge)
    return beyond, arithmetic.where(beyond, x, edge), arithmetic.where(beyond, edge, x)


@rule("special_erfcx")
def erfcx(step: Step, x: Tensor) -> Tensor:
    """exp(x²)·erfc(x)."""
    x = inexact(step, x)
    if nowhere(comparison.greater(x, as_operand(_reach(dtype_of(x)), dtype_of(x)))):
        return maps.exp(maps.square(x)) * maps.erfc(x)
    beyond, far, near = _split(x, _NEAR)
    return arithmetic.where(beyond, _scaled(far), maps.exp(maps.square(near)) * maps.erfc(near))


@rule("special_log_ndtr")
def log_ndtr(step: Step, x: Tensor) -> Tensor:
    """log Φ(x), which is log(erfcx(y)/2) - y² for y = -x/√2."""
    x = inexact(step, x)
    y = x * as_operand(-float(np.sqrt(0.5)), dtype_of(x))
    half = as_operand(0.5, dtype_of(x))
    if nowhere(comparison.greater(y, as_operand(_reach(dtype_of(x)), dtype_of(x)))):
        return _log_of_most(y)
    beyond, far, near = _split(y, _NEAR)
    tail = maps.log(_scaled(far) * half) - maps.square(far)
    return arithmetic.where(beyond, tail, _log_of_most(near))


def _log_of_most(y: Tensor) -> Tensor:
    """log(erfc(y)/2); where that is near to 0, of the other tail."""
    half = as_operand(0.5, dtype_of(y))
    high, other, low = _split(maps.negative(y), 1.0)
    if nowhere(high):
        return maps.log(maps.erfc(y) * half)
    upper = maps.log1p(maps.negative(maps.erfc(other) * half))
    return arithmetic.where(high, upper, maps.log(maps.erfc(maps.negative(low)) * half))
