"""Numbers as they are when few bits are kept of them, with the slopes of what was not rounded."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from symtape.ops.arguments import listed, of_dtype, tensor
from symtape.ops.attributes import attributes, boolean, floating, integer
from symtape.ops.elementwise.arithmetic import maximum, minimum, where
from symtape.ops.elementwise.comparison import (
    equal,
    greater,
    greater_equal,
    less,
    less_equal,
    logical_and,
    logical_or,
)
from symtape.ops.elementwise.conversion import cast, stop_gradient
from symtape.ops.elementwise.functions import floor, is_finite
from symtape.ops.reductions.reduction import reduce_any, reduce_sum
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.decided import decided_truth
from symtape.tensor.dispatch import invalid
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of

_F = np.float32


@attributes(min=floating(-6.0), max=floating(6.0), num_bits=integer(8), narrow_range=boolean(False))
def fake_quant_with_min_max_args(
    inputs: Any,
    min: Any = -6,
    max: Any = 6,
    num_bits: Any = 8,
    narrow_range: bool = False,
    name: str | None = None,
) -> Tensor:
    """Round numbers to the nearest of 2^`num_bits` from `min` to `max`, of which zero is one.

    The ends are moved a little, so that zero is there; with `narrow_range` there is one number
    less. All is float32. The gradient is passed on by what lies between the ends. Raises
    `InvalidArgumentError` for ends that are in no order, and for bits that are not 2 to 16.

    >>> fake_quant_with_min_max_args([-2.0, 0.3, 0.4], -1.5, 1.5, num_bits=2).numpy()
    array([-2.,  0.,  0.], dtype=float32)
    """
    op = "FakeQuantWithMinMaxArgs"
    x = convert(inputs, dtypes.float32)
    levels = _levels(op, num_bits, narrow_range)
    if not min < max:
        raise invalid(op, f"min has to be smaller than max, was: {min:g} >= {max:g}")
    return _rounded(x, tensor(_F(min)), tensor(_F(max)), levels)


@attributes(num_bits=integer(8), narrow_range=boolean(False))
def fake_quant_with_min_max_vars(
    inputs: Any,
    min: Any,
    max: Any,
    num_bits: Any = 8,
    narrow_range: bool = False,
    name: str | None = None,
) -> Tensor:
    """Round numbers as `fake_quant_with_min_max_args` does, between ends that are tensors.

    The ends receive the gradient of what lies beyond them. Where both are zero all becomes zero,
    and the gradient of finite numbers is passed on. Raises `InvalidArgumentError` for ends with
    axes, other dtypes than float32, and bits that are not 2 to 16.

    >>> fake_quant_with_min_max_vars([-2.0, 0.3, 0.4], -1.0, 1.0, num_bits=4).numpy()
    array([-0.9333334 ,  0.26666668,  0.40000004], dtype=float32)
    """
    op = "FakeQuantWithMinMaxVars"
    x, low, high = _read(op, inputs, min, max)
    levels = _levels(op, num_bits, narrow_range)
    _check_rank(op, low, high, 0)
    return _between(x, low, high, levels)


@attributes(num_bits=integer(8), narrow_range=boolean(False))
def fake_quant_with_min_max_vars_per_channel(
    inputs: Any,
    min: Any,
    max: Any,
    num_bits: Any = 8,
    narrow_range: bool = False,
    name: str | None = None,
) -> Tensor:
    """Round numbers as `fake_quant_with_min_max_vars` does, with ends for each channel.

    Channels are the last axis. Raises `InvalidArgumentError` for ends that are no vectors of its
    length, other dtypes than float32, and bits that are not 2 to 16.

    >>> x = [[0.6, 0.6]]
    >>> fake_quant_with_min_max_vars_per_channel(x, [-1.0, 0.0], [1.0, 3.0], num_bits=2).numpy()
    array([[0.6666667, 1.       ]], dtype=float32)
    """
    op = "FakeQuantWithMinMaxVarsPerChannel"
    x, low, high = _read(op, inputs, min, max)
    levels = _levels(op, num_bits, narrow_range)
    _check_rank(op, low, high, 1)
    _check_channels(op, x, low, high)
    return _between(x, low, high, levels)


class FakeQuantWithMinMaxVarsGradient(NamedTuple):
    """What is passed back to numbers that were rounded, and to the ends."""

    backprops_wrt_input: Tensor
    backprop_wrt_min: Tensor
    backprop_wrt_max: Tensor


class FakeQuantWithMinMaxVarsPerChannelGradient(NamedTuple):
    """See `FakeQuantWithMinMaxVarsGradient`."""

    backprops_wrt_input: Tensor
    backprop_wrt_min: Tensor
    backprop_wrt_max: Tensor


@attributes(min=floating(-6.0), max=floating(6.0), num_bits=integer(8), narrow_range=boolean(False))
def fake_quant_with_min_max_args_gradient(
    gradients: Any,
    inputs: Any,
    min: Any = -6,
    max: Any = 6,
    num_bits: Any = 8,
    narrow_range: bool = False,
    name: str | None = None,
) -> Tensor:
    """What `fake_quant_with_min_max_args` passes back: the gradient of what is between the ends.

    Raises `InvalidArgumentError` for other shapes, and for what that refuses.

    >>> fake_quant_with_min_max_args_gradient([1.0, 1.0], [0.3, 9.0], -1.5, 1.5).numpy()
    array([1., 0.], dtype=float32)
    """
    op = "FakeQuantWithMinMaxArgsGradient"
    g, x = _read(op, gradients, inputs)
    levels = _levels(op, num_bits, narrow_range)
    if not min < max:
        raise invalid(op, f"min has to be smaller than max, was: {min:g} >= {max:g}")
    if shape_of(g) != shape_of(x):
        shapes = f"Input 0: {listed(shape_of(g))} != input 1: {listed(shape_of(x))}"
        text = f"Inputs to operation {op} of type {op} must have the same size and shape.  {shapes}"
        raise invalid(op, text)
    return _passed(g, x, tensor(_F(min)), tensor(_F(max)), levels)[0]


@attributes(num_bits=integer(8), narrow_range=boolean(False))
def fake_quant_with_min_max_vars_gradient(
    gradients: Any,
    inputs: Any,
    min: Any,
    max: Any,
    num_bits: Any = 8,
    narrow_range: bool = False,
    name: str | None = None,
) -> FakeQuantWithMinMaxVarsGradient:
    """What `fake_quant_with_min_max_vars` passes back to the numbers and to the ends.

    Raises `InvalidArgumentError` for other shapes, and for what that refuses.

    >>> found = fake_quant_with_min_max_vars_gradient([1.0, 2.0], [0.3, 9.0], -1.0, 1.0)
    >>> [float(x) for x in found.backprops_wrt_input], float(found.backprop_wrt_max)
    ([1.0, 0.0], 2.0)
    """
    op = "FakeQuantWithMinMaxVarsGradient"
    g, x, low, high = _read(op, gradients, inputs, min, max)
    levels = _levels(op, num_bits, narrow_range)
    _check_rank(op, low, high, 0)
    _check_sizes(op, g, x)
    own, below, above = _passed(g, x, low, high, levels)
    return FakeQuantWithMinMaxVarsGradient(own, reduce_sum(below), reduce_sum(above))


@attributes(num_bits=integer(8), narrow_range=boolean(False))
def fake_quant_with_min_max_vars_per_channel_gradient(
    gradients: Any,
    inputs: Any,
    min: Any,
    max: Any,
    num_bits: Any = 8,
    narrow_range: bool = False,
    name: str | None = None,
) -> FakeQuantWithMinMaxVarsPerChannelGradient:
    """What `fake_quant_with_min_max_vars_per_channel` passes back to numbers and ends.

    Raises `InvalidArgumentError` for other shapes, and for what that refuses.

    >>> g, x, ends = [[1.0, 2.0]], [[0.3, 9.0]], ([-1.0, -1.0], [1.0, 1.0])
    >>> fake_quant_with_min_max_vars_per_channel_gradient(g, x, *ends).backprop_wrt_max.numpy()
    array([0., 2.], dtype=float32)
    """
    op = "FakeQuantWithMinMaxVarsPerChannelGradient"
    g, x, low, high = _read(op, gradients, inputs, min, max)
    levels = _levels(op, num_bits, narrow_range)
    _check_rank(op, low, high, 1)
    _check_sizes(op, g, x)
    _check_channels(op, x, low, high)
    own, below, above = _passed(g, x, low, high, levels)
    axes = list(range(x.ndim - 1))
    return FakeQuantWithMinMaxVarsPerChannelGradient(
        own, reduce_sum(below, axes), reduce_sum(above, axes)
    )


def _check_sizes(op: str, g: Tensor, x: Tensor) -> None:
    if shape_of(g) != shape_of(x):
        raise invalid(op, "gradient and input must be the same size")


def _check_rank(op: str, low: Tensor, high: Tensor, rank: int) -> None:
    for what, end in (("min", low), ("max", high)):
        if end.ndim != rank:
            raise invalid(op, f"`{what}` must be rank {rank} but is rank {end.ndim}")


def _check_channels(op: str, x: Tensor, low: Tensor, high: Tensor) -> None:
    if not x.ndim:
        raise invalid(op, f"inputs have no channels{listed(shape_of(x))}")
    for what, end in (("min", low), ("max", high)):
        if shape_of(end)[0] != shape_of(x)[-1]:
            text = f"expected {shape_of(x)[-1]} was {shape_of(end)[0]}"
            raise invalid(op, f"{what} has incorrect size, {text}")


def _passed(
    g: Tensor, x: Tensor, low: Tensor, high: Tensor, levels: _Levels
) -> tuple[Tensor, Tensor, Tensor]:
    """Give what a gradient has for numbers between the ends, below and above them."""
    start, end, _ = _nudged(low, high, levels)
    empty = logical_and(equal(low, _F(0)), equal(high, _F(0)))
    inside = logical_or(empty, logical_and(greater_equal(x, start), less_equal(x, end)))
    beyond = [
        where(logical_or(empty, inside), _F(0), g * cast(c, g.dtype))
        for c in (less(x, start), greater(x, end))
    ]
    return g * cast(inside, g.dtype), beyond[0], beyond[1]


class _Levels(NamedTuple):
    """The first and the last of the whole numbers that are kept."""

    first: Any
    last: Any


def _levels(op: str, num_bits: Any, narrow_range: Any) -> _Levels:
    if not 2 <= num_bits <= 16:
        raise invalid(op, "num_bits must be between 2 and 16, inclusive")
    return _Levels(_F(narrow_range), _F(2**num_bits - 1))


def _read(op: str, *given: Any) -> list[Tensor]:
    return [of_dtype(op, v, dtypes.float32, number) for number, v in enumerate(given)]


def _between(x: Tensor, low: Tensor, high: Tensor, levels: _Levels) -> Tensor:
    """Round between ends, and to zero where both ends are."""
    made = _rounded(x, low, high, levels)
    empty = logical_and(equal(low, _F(0)), equal(high, _F(0)))
    if not decided_truth(reduce_any(empty)):
        return made
    own = where(is_finite(x), x, _F(0))
    return where(empty, own - stop_gradient(own), made)


def _rounded(x: Tensor, low: Tensor, high: Tensor, levels: _Levels) -> Tensor:
    """Add to what was rounded, which has no slope, a zero with the slopes of what was clipped."""
    ends = stop_gradient(low), stop_gradient(high)
    start, end, step = _nudged(*ends, levels)
    # TensorFlow's kernel for channels does not round the step before it divides by it
    density = (levels.last - levels.first) / (ends[1] - ends[0]) if low.ndim else _F(1) / step
    fixed = stop_gradient(x)
    zero = floor(-start * density + _F(0.5))
    shifted = maximum(minimum(fixed, end), start) - start
    rounded = floor(shifted * density - zero + _F(0.5)) * step
    beyond = where(less(fixed, start), low, where(greater(fixed, end), high, _F(0)))
    inside = logical_and(greater_equal(fixed, start), less_equal(fixed, end))
    clipped = where(inside, x, beyond)
    return stop_gradient(rounded) + (clipped - stop_gradient(clipped))


def _nudged(low: Tensor, high: Tensor, levels: _Levels) -> tuple[Tensor, Tensor, Tensor]:
    """Move the ends so that zero is a whole number of steps away, and give the step."""
    step = (high - low) / (levels.last - levels.first)
    exact = levels.first - low / step
    whole = minimum(maximum(floor(exact + _F(0.5)), levels.first), levels.last)
    return (levels.first - whole) * step, (levels.last - whole) * step, step
