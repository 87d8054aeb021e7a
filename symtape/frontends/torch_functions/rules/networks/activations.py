"""ATen operations that are activations of neural networks, and their backward operations."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtape.frontends.torch_functions.dtypes import to_numpy
from symtape.frontends.torch_functions.memory.views import as_dtype
from symtape.frontends.torch_functions.rules.promotion import as_operand
from symtape.frontends.torch_functions.rules.rules import Step, rule
from symtape.ops.elementwise import activation, arithmetic, comparison
from symtape.ops.elementwise import functions as maps
from symtape.ops.reductions import reduction
from symtape.program.functions import frameworks
from symtape.tensor.decided import decided, nowhere
from symtape.tensor.dispatch import apply, apply1
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import dtype_of


def number(x: Tensor, value: Any) -> Tensor:
    """Write a number in the dtype of a tensor."""
    return as_operand(value, dtype_of(x))


def chosen(condition: Tensor, x: Any, y: Any, like: Tensor) -> Tensor:
    """x where a condition holds, y elsewhere."""
    dtype = dtype_of(like)
    return arithmetic.where(condition, as_operand(x, dtype), as_operand(y, dtype))


def compare(function: Any, x: Tensor, bound: Any) -> Tensor:
    """Compare with a number."""
    made: Tensor = function(x, number(x, bound))
    return made


# --- functions of one number ----------------------------------------------------------------------


@rule("relu")
def relu(step: Step, x: Tensor) -> Tensor:
    """max(x, 0)."""
    return apply1(frameworks.relu_or_nan, x)


@rule("threshold")
def threshold(step: Step, x: Tensor, bound: Any, value: Any) -> Tensor:
    """x above a bound, and a value below."""
    if bound == 0 and value == 0:
        return apply1(frameworks.relu_or_nan, x)
    return chosen(compare(comparison.less_equal, x, bound), value, x, x)


@rule("leaky_relu")
def leaky_relu(step: Step, x: Tensor, slope: Any = 0.01) -> Tensor:
    """x, and a multiple of it where it is negative."""
    return activation.leaky_relu(x, slope)


@rule("rrelu_with_noise")
def rrelu(
    step: Step, x: Tensor, noise: Tensor, lower: float = 0.125, upper: float = 1 / 3,
    training: bool = False, generator: Any = None,
) -> Tensor:  # fmt: skip
    """x, and a multiple of it where it is not positive: a drawn one, or the mean of two bounds."""
    if not training:
        return activation.leaky_relu(x, (lower + upper) / 2)
    decided(comparison.greater(x, number(x, 0)), "rrelu()")
    drawn = Tensor(to_numpy(step.arguments[1]).copy())
    step.write(step.arguments[1], drawn)
    return x * drawn


@rule("elu")
def elu(step: Step, x: Tensor, alpha: Any = 1, scale: Any = 1, input_scale: Any = 1) -> Tensor:
    """s·x, and s·α(exp(c·x) - 1) where it is negative."""
    if alpha == scale == input_scale == 1:
        return activation.elu(x)
    below = maps.expm1(arithmetic.minimum(x, number(x, 0)) * number(x, input_scale))
    bent = chosen(compare(comparison.less_equal, x, 0), below * number(x, alpha), x, x)
    return bent * number(x, scale)


@rule("celu")
def celu(step: Step, x: Tensor, alpha: Any = 1.0) -> Tensor:
    """x, and α(exp(x/α) - 1) where it is negative."""
    return elu(step, x, alpha, 1, 1.0 / alpha)


@rule("gelu")
def gelu(step: Step, x: Tensor, *, approximate: str = "none") -> Tensor:
    """x·Φ(x)."""
    return activation.gelu(x, approximate != "none")


@rule("silu")
def silu(step: Step, x: Tensor) -> Tensor:
    """x·σ(x)."""
    return x * maps.sigmoid(x)


@rule("mish")
def mish(step: Step, x: Tensor) -> Tensor:
    """x·tanh(log(1 + exp(x)))."""
    return x * maps.tanh(maps.softplus(x))


_FAR = 20
"""Torch's own threshold, from which on the softplus is its argument but for rounding."""


@rule("softplus")
def softplus(step: Step, x: Tensor, beta: Any = 1, threshold: Any = 20) -> Tensor:
    """log(1 + exp(βx))/β, and x where βx is above a threshold."""
    scaled = x if beta == 1 else x * number(x, beta)
    bent = maps.softplus(scaled)
    bent = bent if beta == 1 else bent / number(x, beta)
    if threshold >= _FAR and not np.any(scaled.raw > threshold):
        return bent
    return arithmetic.where(compare(comparison.greater, scaled, threshold), x, bent)


@rule("hardtanh")
def hardtanh(step: Step, x: Tensor, low: Any = -1, high: Any = 1) -> Tensor:
    """x between bounds; at the bounds it is flat."""
    return apply(frameworks.clip, x, number(x, low), number(x, high))


@rule("hardsigmoid", wide=True)
def hardsigmoid(step: Step, x: Tensor) -> Tensor:
    """(x + 3)/6 between 0 and 1."""
    return hardtanh(step, x + number(x, 3), 0, 6) / number(x, 6)


@rule("hardswish", wide=True)
def hardswish(step: Step, x: Tensor) -> Tensor:
    """x·(x + 3)/6, with the factor between 0 and 1."""
    return x * hardtanh(step, x + number(x, 3), 0, 6) / number(x, 6)


@rule("log_sigmoid_forward")
def log_sigmoid(step: Step, x: Tensor) -> Any:
    """log σ(x), and what torch keeps for its backward operation."""
    buffer = maps.exp(maps.negative(maps.abs(x)))
    return maps.negative(maps.softplus(maps.negative(x))), (
        buffer if step.results[1].numel() else None
    )


@rule("log_sigmoid_backward")
def log_sigmoid_backward(step: Step, g: Tensor, x: Tensor, buffer: Tensor) -> Tensor:
    """g·σ(-x)."""
    return g * maps.sigmoid(maps.negative(x))


@rule("_prelu_kernel")
def prelu(step: Step, x: Tensor, weight: Tensor) -> Tensor:
    """x, and w·x where it is negative."""
    return arithmetic.where(compare(comparison.greater, x, 0), x, x * weight)


# --- backward operations --------------------------------------------------------------------------


@rule("sigmoid_backward")
def sigmoid_backward(step: Step, g: Tensor, y: Tensor) -> Tensor:
    """g·y(1 - y)."""
    return g * y * (number(y, 1) - y)


@rule("tanh_backward")
def tanh_backward(step: Step, g: Tensor, y: Tensor) -> Tensor:
    """g(1 - y²)."""
    return g * (number(y, 1) - maps.square(y))


@rule("threshold_backward")
def threshold_backward(step: Step, g: Tensor, x: Tensor, bound: Any) -> Tensor:
    """g where x is above a bound."""
    return chosen(compare(comparison.greater, x, bound), g, 0, g)


@rule("hardshrink_backward", "softshrink_backward")
def shrink_backward(step: Step, g: Tensor, x: Tensor, bound: Any) -> Tensor:
    """G where |x| > λ."""
    return arithmetic.where(comparison.greater(maps.abs(x), number(x, bound)), g, number(g, 0))


@rule("hardsigmoid_backward", wide=True)
def hardsigmoid_backward(step: Step, g: Tensor, x: Tensor) -> Tensor:
    """G/6 where |x| < 3; torch's own sixth has single precision."""
    inside = comparison.less(maps.abs(x), number(x, 3))
    return arithmetic.where(inside, g * number(g, float(np.float32(1 / 6))), number(g, 0))


@rule("softplus_backward")
def softplus_backward(step: Step, g: Tensor, x: Tensor, beta: Any, threshold: Any) -> Tensor:
    """g·σ(βx)."""
    scaled = x if beta == 1 else x * number(x, beta)
    bent = g * maps.sigmoid(scaled)
    if threshold >= _FAR and not np.any(scaled.raw > threshold):
        return bent
    return arithmetic.where(compare(comparison.greater, scaled, threshold), g, bent)


# --- softmax --------------------------------------------------------------------------------------


@rule("_softmax", "_safe_softmax")
def softmax(step: Step, x: Tensor, dim: int, *_: Any, **__: Any) -> Tensor:
    """exp(x)/Σ exp(x) along an axis; of nothing but -∞, the safe one is 0."""
    x = as_dtype(x, step.dtype)
    if not x.ndim:
        return x - x + number(x, 1)
    if not step.name.startswith("_safe"):
        return activation.softmax(x, dim)
    none = reduction.reduce_all(comparison.equal(x, number(x, -np.inf)), [dim], True)
    if nowhere(none):
        return activation.softmax(x, dim)
    zero = number(x, 0)
    return arithmetic.where(none, zero, activation.softmax(arithmetic.where(none, zero, x), dim))


@rule("_log_softmax")
def log_softmax(step: Step, x: Tensor, dim: int, *_: Any, **__: Any) -> Tensor:
    """x - log Σ exp(x) along an axis."""
    x = as_dtype(x, step.dtype)
    return activation.log_softmax(x, dim) if x.ndim else x - x


@rule("_softmax_backward_data")
def softmax_backward(step: Step, g: Tensor, y: Tensor, dim: int, _: Any) -> Tensor:
    """y(g - Σ gy)."""
    if not y.ndim:
        return g - g
    return y * (g - reduction.reduce_sum(g * y, [dim], True))


@rule("_log_softmax_backward_data")
def log_softmax_backward(step: Step, g: Tensor, y: Tensor, dim: int, _: Any) -> Tensor:
    """g - exp(y)·Σ g."""
    if not y.ndim:
        return g - g
    return g - maps.exp(y) * reduction.reduce_sum(g, [dim], True)
