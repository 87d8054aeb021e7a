"""Numbers as they are after they were whole numbers of few bits: quantize_and_dequantize."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtape.ops.arguments import allowed, check, like, tensor
from symtape.ops.attributes import attributes, boolean, integer
from symtape.ops.elementwise.arithmetic import divide, maximum, minimum, multiply, where
from symtape.ops.elementwise.comparison import greater, greater_equal, less, less_equal, logical_and
from symtape.ops.elementwise.conversion import stop_gradient
from symtape.ops.elementwise.functions import floor, round
from symtape.ops.reductions.reduction import reduce_max, reduce_min
from symtape.tensor import dtypes
from symtape.tensor.decided import decided_by_look
from symtape.tensor.dispatch import invalid, no_kernel
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import size_of

_KINDS = allowed("bfloat16, half, float, double")
_ROUNDING = ("HALF_TO_EVEN", "HALF_UP")
_MOST_BITS = 63


@attributes(range_given=boolean(False), num_bits=integer(8))
def quantize_and_dequantize_v2(
    input: Any,
    input_min: Any,
    input_max: Any,
    signed_input: bool = True,
    num_bits: int = 8,
    range_given: bool = False,
    round_mode: str = "HALF_TO_EVEN",
    name: str | None = None,
    narrow_range: bool = False,
    axis: int | None = None,
) -> Tensor:
    """Round numbers to multiples of a step, of which whole numbers of `num_bits` count the most.

    The step is the least with which the numbers from the smallest to the largest have room, along
    all axes or for each place of `axis`; with `range_given`, those from `input_min` to `input_max`,
    and others are clipped. Half a step is rounded to even, or up. With `narrow_range` there is one
    negative number less. The gradient is passed on by what is not outside of `input_min` and
    `input_max`, also where these are not used. Raises `InvalidArgumentError` for ends in no order
    or with axes, for bits that are too few or many, and for an axis beside a given range, and
    `NotFoundError` for other dtypes than float32 and float64.

    >>> quantize_and_dequantize_v2([-1.0, 0.3, 0.4], -1.0, 1.0, num_bits=3).numpy()
    array([-1.  ,  0.25,  0.5 ], dtype=float32)
    """
    op = "QuantizeAndDequantizeV4"
    x, low, high, place = _read(
        op, input, input_min, input_max, num_bits, range_given, round_mode, axis,
        signed=signed_input,
    )  # fmt: skip
    rounded = _rounded(
        x, (low, high) if range_given else None, place, signed_input, num_bits, round_mode,
        narrow=narrow_range,
    )  # fmt: skip
    fixed = stop_gradient(x)
    inside = logical_and(greater_equal(fixed, low), less_equal(fixed, high))
    slope = where(inside, x, like(0, x))
    nothing = where(less(low, low), low, like(0, x)) + where(less(high, high), high, like(0, x))
    return rounded + (slope - stop_gradient(slope)) + nothing


@attributes(range_given=boolean(False), num_bits=integer(8))
def quantize_and_dequantize(
    input: Any,
    input_min: Any,
    input_max: Any,
    signed_input: bool = True,
    num_bits: int = 8,
    range_given: bool = False,
    round_mode: str = "HALF_TO_EVEN",
    name: str | None = None,
    narrow_range: bool = False,
    axis: int | None = None,
) -> Tensor:
    """Round numbers as `quantize_and_dequantize_v2`, with a gradient that passes as it is.

    Raises `InvalidArgumentError` and `NotFoundError` as that does.

    >>> quantize_and_dequantize([-1.0, 0.3, 0.4], -1.0, 1.0, num_bits=3).numpy()
    array([-1.  ,  0.25,  0.5 ], dtype=float32)
    """
    op = "QuantizeAndDequantizeV2"
    x, low, high, place = _read(
        op, input, input_min, input_max, num_bits, range_given, round_mode, axis,
        signed=signed_input,
    )  # fmt: skip
    ends = (stop_gradient(low), stop_gradient(high)) if range_given else None
    rounded = _rounded(x, ends, place, signed_input, num_bits, round_mode, narrow=narrow_range)
    return rounded + (x - stop_gradient(x))


def _read(
    op: str,
    input: Any,
    low: Any,
    high: Any,
    bits: int,
    given: bool,
    rounding: str,
    axis: int | None,
    *,
    signed: bool,
) -> tuple[Tensor, Tensor, Tensor, int | None]:
    x = tensor(input)
    ends = [like(end, x) for end in (low, high)]
    check(op, x, _KINDS, "input:T, input_min:T, input_max:T -> output:T")
    if x.dtype not in (dtypes.float32, dtypes.float64):
        raise no_kernel(op, x)
    if rounding not in _ROUNDING:
        raise invalid(
            op,
            f"Value for attr 'round_mode' of \"{rounding}\" is not in the list of allowed values: "
            '"HALF_TO_EVEN", "HALF_UP"',
        )
    place = axis % x.ndim if axis is not None and axis < 0 else axis
    if place is not None and place >= x.ndim:
        raise invalid(op, f"Shape must be at least rank {place + 1} but is rank {x.ndim}")
    if not 0 < bits < _MOST_BITS - int(signed):
        raise invalid(op, f"num_bits is out of range: {bits} with signed_input_ {int(signed)}")
    if given:
        _check_ends(op, ends[0], ends[1], place)
    return x, ends[0], ends[1], place


def _check_ends(op: str, low: Tensor, high: Tensor, place: int | None) -> None:
    for what, end in (("input_min", low), ("input_max", high)):
        if end.ndim:
            raise invalid(op, f"{what} must be a scalar.")
    if place is not None:
        raise invalid(op, "Shape must be rank 1 for input_min_tensor when the axis is specified")
    first, last = (float(decided_by_look(end)) for end in (low, high))
    if first > last:
        raise invalid(op, f"Invalid range: input_min {first:g} > input_max {last:g}")


def _rounded(
    x: Tensor,
    ends: tuple[Tensor, Tensor] | None,
    place: int | None,
    signed: bool,
    bits: int,
    rounding: str,
    *,
    narrow: bool,
) -> Tensor:
    """Round numbers, which have no slope then; those beyond given ends are clipped."""
    fixed = stop_gradient(x)
    if not size_of(x):
        return fixed
    axes = [k for k in range(x.ndim) if k != place]
    found = ends or tuple(
        [reduced(fixed, axes, keepdims=True) for reduced in (reduce_min, reduce_max)]
    )
    first = -(2 ** (bits - 1)) + int(narrow) if signed else 0
    last = 2 ** (bits - int(signed)) - 1
    scale, step, low, high = _steps(found[0], found[1], float(first), float(last))
    held = fixed if ends is None else maximum(minimum(fixed, high), low)
    scaled = multiply(held, scale)
    whole = round(scaled) if rounding == _ROUNDING[0] else floor(scaled + like(0.5, x))
    return stop_gradient(multiply(whole, step))


def _steps(low: Tensor, high: Tensor, first: float, last: float) -> tuple[Tensor, ...]:
    """Give how many steps one is, the step, and between which numbers they count."""
    most = like(float(np.finfo(low.dtype.numpy).max), low)
    zero, start, end = (like(number, low) for number in (0.0, first, last))
    of_low = where(greater(start * low, zero), divide(start, low), most)
    of_high = where(greater(end * high, zero), divide(end, high), most)
    by_low = less(of_low, of_high)
    step = where(by_low, divide(low, start), divide(high, end))
    ends = where(by_low, low, start * step), where(by_low, end * step, high)
    return where(by_low, of_low, of_high), step, *ends
