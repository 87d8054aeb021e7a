"""ATen operations that work element by element, with torch's promotion of dtypes."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from symtape.frontends.functions import (
    OF_ONE,
    OF_TRUTH,
    OF_TWO,
    of_floats,
    power,
    times_log,
)
from symtape.frontends.torch_functions.memory.views import as_dtype
from symtape.frontends.torch_functions.rules.promotion import (
    as_operand,
    common_dtype,
    inexact,
    promoted,
    truth,
)
from symtape.frontends.torch_functions.rules.rules import WIDE, Rule, Step, rule, table
from symtape.ops.elementwise import arithmetic, comparison, special
from symtape.ops.elementwise import functions as maps
from symtape.ops.elementwise.conversion import cast, stop_gradient
from symtape.ops.numpy.ufuncs import UFUNCS, is_negative
from symtape.ops.reductions import reduction
from symtape.ops.shapes.repetition import broadcast_to
from symtape.ops.shapes.shaping import with_shape
from symtape.program.functions import frameworks
from symtape.tensor.decided import nowhere
from symtape.tensor.dispatch import apply1, apply2
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import dtype_of, shape_of

Function = Callable[[Tensor], Tensor]


size_of = of_floats(frameworks.absolute_or_nan, maps.abs)
sign_of = of_floats(frameworks.sign, maps.sign)
larger_of = of_floats(frameworks.maximum_or_nan, arithmetic.maximum)
smaller_of = of_floats(frameworks.minimum_or_nan, arithmetic.minimum)

# --- one operand ----------------------------------------------------------------------------------


def _spherical(x: Tensor) -> Tensor:
    """sin(x)/x, which ends at 0."""
    far, none = maps.is_inf(x), as_operand(0, dtype_of(x))
    if nowhere(far):
        return apply1(frameworks.sine_over, x)
    return arithmetic.where(far, none, apply1(frameworks.sine_over, arithmetic.where(far, none, x)))


def _angle(x: Tensor) -> Tensor:
    """The angle of a number, and nan of nan."""
    if dtype_of(x).kind != "f" or not np.isnan(x.raw).any():
        return maps.angle(x)
    none = maps.is_nan(x)
    return arithmetic.where(none, stop_gradient(x), maps.angle(x))


_ONE: dict[str, Function] = {
    **OF_ONE,
    "abs": size_of,
    "sign": sign_of,
    "sgn": sign_of,
    "lgamma": partial(apply1, frameworks.lgamma),
    "digamma": partial(apply1, frameworks.digamma),
    "exp2": UFUNCS[np.exp2],
    "log2": lambda x: arithmetic.divide(maps.log(x), np.log(2.0).item()),
    "log10": lambda x: arithmetic.divide(maps.log(x), np.log(10.0).item()),
    "sinc": partial(apply1, frameworks.sinc),
    "reciprocal": lambda x: arithmetic.divide(as_operand(1, dtype_of(x)), x),
    "sigmoid": maps.sigmoid,
    "erfinv": maps.erfinv,
    "i0": special.bessel_i0,
    "special_i0e": special.bessel_i0e,
    "special_i1": special.bessel_i1,
    "special_i1e": special.bessel_i1e,
    "special_bessel_j0": special.bessel_j0,
    "special_bessel_j1": special.bessel_j1,
    "special_entr": partial(apply1, frameworks.entr),
    "special_ndtri": maps.ndtri,
    "special_spherical_bessel_j0": _spherical,
    "special_bessel_y0": special.bessel_y0,
    "special_bessel_y1": special.bessel_y1,
    "special_modified_bessel_i0": special.bessel_i0,
    "special_modified_bessel_i1": special.bessel_i1,
    "special_modified_bessel_k0": special.bessel_k0,
    "special_modified_bessel_k1": special.bessel_k1,
    "special_scaled_modified_bessel_k0": special.bessel_k0e,
    "special_scaled_modified_bessel_k1": special.bessel_k1e,
    "conj_physical": maps.conj,
    "angle": _angle,
    "isnan": lambda x: _any_part(maps.is_nan, x),
    "isinf": lambda x: _any_part(maps.is_inf, x),
}


def _any_part(function: Function, x: Tensor) -> Tensor:
    """Ask of a number, or of both parts of a complex one."""
    if dtype_of(x).kind != "c":
        return function(x)
    return comparison.logical_or(function(maps.real(x)), function(maps.imag(x)))


table(_ONE, lambda step, x: [inexact(step, x)])
WIDE.update([f"special_bessel_{letter}{order}" for letter in "jy" for order in (0, 1)])


@rule("isin")
def isin(
    step: Step, x: Any, among: Any, *, assume_unique: bool = False, invert: bool = False
) -> Tensor:
    """Whether each element is one of some numbers."""
    dtype = common_dtype([v for v in (x, among) if isinstance(v, Tensor)])
    x, among = as_operand(x, dtype), as_operand(among, dtype)
    wide = with_shape(x, (*shape_of(x), 1))
    line = with_shape(among, (int(np.size(among.raw)),))
    found = reduction.reduce_any(comparison.equal(wide, line), [-1])
    return comparison.logical_not(found) if invert else found


@rule("trunc")
def trunc(step: Step, x: Tensor) -> Tensor:
    """The integer part."""
    if dtype_of(x).kind in "iu":
        return x
    return UFUNCS[np.trunc](x)


@rule("frac")
def frac(step: Step, x: Tensor) -> Tensor:
    """What is left of it."""
    return x - trunc(step, x)


@rule("round")
def round_(step: Step, x: Tensor, *, decimals: int = 0) -> Tensor:
    """The nearest number of some decimals; halves go to the even neighbour."""
    scale = 10.0**decimals
    return maps.round(x) if not decimals else maps.round(x * scale) / scale


@rule("logit")
def logit(step: Step, x: Tensor, eps: float | None = None) -> Tensor:
    """log(x/(1 - x)), for x at most so near to the ends; outside, its slope is no number either."""
    x = inexact(step, x)
    if eps is not None:
        x = arithmetic.minimum(arithmetic.maximum(x, eps), 1.0 - eps)
    return apply1(frameworks.logit, x)


@rule("nan_to_num")
def nan_to_num(
    step: Step,
    x: Tensor,
    nan: float | None = None,
    posinf: float | None = None,
    neginf: float | None = None,
) -> Tensor:
    """Numbers in place of those that are none."""
    bound = np.finfo(dtype_of(x)) if dtype_of(x).kind == "f" else None
    if bound is None:
        return x
    high = bound.max.item() if posinf is None else posinf
    low = bound.min.item() if neginf is None else neginf
    x = arithmetic.where(maps.is_nan(x), as_operand(nan or 0.0, dtype_of(x)), x)
    x = arithmetic.where(comparison.equal(x, float("inf")), as_operand(high, dtype_of(x)), x)
    return arithmetic.where(comparison.equal(x, -float("inf")), as_operand(low, dtype_of(x)), x)


# --- two operands ---------------------------------------------------------------------------------


_TWO: dict[str, Callable[[Tensor, Tensor], Tensor]] = {
    **OF_TWO,
    "atan2": partial(apply2, frameworks.atan2),
    "hypot": partial(apply2, frameworks.hypot),
    "floor_divide": UFUNCS[np.floor_divide],
    "remainder": UFUNCS[np.remainder],
    "xlogy": lambda x, y: times_log(x, y, maps.log, 0, is_flat=True),
    "special_xlog1py": lambda x, y: times_log(x, y, maps.log1p, -1, is_flat=True),
    "special_zeta": special.zeta,
    "nextafter": special.nextafter,
    "logaddexp": UFUNCS[np.logaddexp],
}

table(_TWO, promoted)


@rule("add")
def add(step: Step, x: Any, y: Any, alpha: Any = 1) -> Tensor:
    """x + αy."""
    x, y = promoted(step, x, y)
    if step.dtype.kind == "b":
        return comparison.logical_or(x, y)
    return arithmetic.add(
        x, y if alpha == 1 else arithmetic.multiply(y, as_operand(alpha, dtype_of(y)))
    )


@rule("sub")
def subtract(step: Step, x: Any, y: Any, alpha: Any = 1) -> Tensor:
    """x - αy."""
    x, y = promoted(step, x, y)
    return arithmetic.subtract(
        x, y if alpha == 1 else arithmetic.multiply(y, as_operand(alpha, dtype_of(y)))
    )


@rule("rsub")
def rsub(step: Step, x: Any, y: Any, alpha: Any = 1) -> Tensor:
    """y - αx."""
    return subtract(step, y, x, alpha)


@rule("mul")
def multiply(step: Step, x: Any, y: Any) -> Tensor:
    """x·y."""
    x, y = promoted(step, x, y)
    if step.dtype.kind == "b":
        return comparison.logical_and(x, y)
    return arithmetic.multiply(x, y)


@rule("div")
def divide(step: Step, x: Any, y: Any, rounding_mode: str | None = None) -> Tensor:
    """x/y, or what is left of it: the floor, or the integer part."""
    x, y = promoted(step, x, y)
    if rounding_mode == "floor":
        return UFUNCS[np.floor_divide](x, y)
    if rounding_mode == "trunc":
        whole = arithmetic.divide(cast(x, np.float64), cast(y, np.float64))
        return as_dtype(trunc(step, whole), step.dtype)
    return arithmetic.divide(x, y)


@rule("pow")
def pow_(step: Step, x: Any, y: Any) -> Tensor:
    """x to the y; to the 0 it is a constant at 0, too."""
    x, exponent = promoted(step, x, y)
    if isinstance(y, Tensor) or y != 0:
        return power(x, exponent)
    return broadcast_to(as_operand(1, step.dtype), step.shape)


@rule("fmod")
def fmod(step: Step, x: Any, y: Any) -> Tensor:
    """What is left of x after its integer multiples of y, with the sign of x."""
    x, y = promoted(step, x, y)
    turns = stop_gradient(trunc(step, arithmetic.divide(x, y)))
    whole = arithmetic.multiply(y, turns)
    if step.dtype.kind == "f" and np.isinf(y.raw).any():  # of which there is none in x
        none = as_operand(0, step.dtype)
        whole = arithmetic.where(comparison.equal(turns, none), none, whole)
    return arithmetic.subtract(x, whole)


@rule("fmax", "fmin")
def first_extreme(step: Step, x: Any, y: Any) -> Tensor:
    """The larger or smaller one of two numbers, the other one of nan; of equal ones the first."""
    x, y = promoted(step, x, y)
    wins = comparison.greater_equal if step.name.startswith("fmax") else comparison.less_equal
    if step.dtype.kind != "f":
        return arithmetic.where(wins(x, y), x, y)
    join = arithmetic.maximum if step.name.startswith("fmax") else arithmetic.minimum
    if nowhere(maps.is_nan(x)) and nowhere(maps.is_nan(y)):
        return join(x, y)
    first = comparison.logical_or(wins(x, y), maps.is_nan(y))
    return arithmetic.where(first, x, y)


@rule("maximum")
def maximum(step: Step, x: Any, y: Any) -> Tensor:
    """The larger one; equal ones share the gradient."""
    x, y = promoted(step, x, y)
    return comparison.logical_or(x, y) if step.dtype.kind == "b" else larger_of(x, y)


@rule("minimum")
def minimum(step: Step, x: Any, y: Any) -> Tensor:
    """The smaller one; equal ones share the gradient."""
    x, y = promoted(step, x, y)
    return comparison.logical_and(x, y) if step.dtype.kind == "b" else smaller_of(x, y)


@rule("polygamma")
def polygamma(step: Step, n: int, x: Tensor) -> Tensor:
    """The n-th derivative of digamma."""
    if n == 0:
        return apply1(frameworks.digamma, x)
    return special.polygamma(as_operand(float(n), dtype_of(x)), x)


@rule("copysign")
def copysign(step: Step, x: Any, y: Any) -> Tensor:
    """|x| with the sign of y."""
    x, y = promoted(step, x, y)
    sign = Tensor(np.copysign(np.ones_like(y.raw), y.raw)) if step.fixed(y) else None
    if sign is None:
        one = as_operand(1, dtype_of(y))
        sign = arithmetic.where(is_negative(y), maps.negative(one), one)
    return maps.abs(x) * sign


@rule("lerp")
def lerp(step: Step, x: Tensor, y: Tensor, weight: Any) -> Tensor:
    """x + w(y - x)."""
    x, y, w = promoted(step, x, y, weight)
    return x + w * (y - x)


@rule("addcmul")
def addcmul(step: Step, x: Tensor, a: Tensor, b: Tensor, value: Any = 1) -> Tensor:
    """x + v·a·b."""
    x, a, b = promoted(step, x, a, b)
    return x + (a * b if value == 1 else as_operand(value, dtype_of(x)) * a * b)


@rule("addcdiv")
def addcdiv(step: Step, x: Tensor, a: Tensor, b: Tensor, value: Any = 1) -> Tensor:
    """x + v·a/b."""
    x, a, b = promoted(step, x, a, b)
    return x + (a / b if value == 1 else as_operand(value, dtype_of(x)) * a / b)


@rule("complex")
def complex_(step: Step, x: Tensor, y: Tensor) -> Tensor:
    """x + iy."""
    return maps.complex(x, y)


@rule("polar")
def polar(step: Step, size: Tensor, angle: Tensor) -> Tensor:
    """r·exp(iφ)."""
    return maps.complex(size * maps.cos(angle), size * maps.sin(angle))


# --- truth ----------------------------------------------------------------------------------------


def _truths(_: Step, *operands: Tensor) -> list[Tensor]:
    return [truth(x) for x in operands]


def _bitwise(function: Callable[..., Tensor]) -> Rule:
    """Work on the bits of truth; of integers, the value is read."""
    return lambda step, *xs: function(*promoted(step, *xs)) if step.dtype.kind == "b" else None


table({f"logical_{name}": function for name, function in OF_TRUTH.items()}, _truths)
for _name, _function in OF_TRUTH.items():
    rule(f"bitwise_{_name}")(_bitwise(_function))
