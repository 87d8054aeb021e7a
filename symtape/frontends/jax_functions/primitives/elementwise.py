"""Primitives that act element by element, on floating and complex numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import sympy as sp

from symtape.frontends.functions import OF_ONE, OF_TWO, largest, smallest
from symtape.frontends.jax_functions.steps import Rule, Step
from symtape.frontends.jax_functions.triangles import is_cut_off
from symtape.frontends.jax_functions.values import is_fixed, literal, number_of
from symtape.ops.elementwise import arithmetic, comparison, special
from symtape.ops.elementwise import functions as elementwise
from symtape.ops.elementwise.conversion import cast, stop_gradient
from symtape.ops.elementwise.truncation import truncated_remainder
from symtape.ops.shapes.creation import ones_like
from symtape.ops.shapes.repetition import broadcast_to
from symtape.program import operations as ops
from symtape.program.functions import frameworks
from symtape.program.operations import Map, parameters
from symtape.tensor.dispatch import apply, apply1, apply2
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import dtype_of, shape_of

# --- operands -------------------------------------------------------------------------------------


def _light(step: Step, tensors: tuple[Tensor, ...]) -> list[Tensor]:
    """Take an array that has one number everywhere as that number, if the shape stays."""
    wide = [x for x, v in zip(tensors, step.operands, strict=True) if number_of(v) is None]
    if not wide or np.broadcast_shapes(*[shape_of(x) for x in wide]) != step.shape:
        return list(tensors)
    numbers = [number_of(v) for v in step.operands]
    return [
        x if n is None else literal(n, dtype_of(x)) for x, n in zip(tensors, numbers, strict=True)
    ]


def _of(function: Callable[..., Any]) -> Rule:
    """Make a rule of a function of as many tensors as the primitive has operands."""

    def rule(step: Step, *tensors: Tensor) -> Any:
        return function(*_light(step, tensors))

    return rule


# --- functions that the library has under no name -------------------------------------------------

(_A,) = parameters(1)
_log2 = Map.of(sp.log(_A) / sp.log(2), 1)
_one_minus_square = Map.of(1 - _A**2, 1)


def _remainder(step: Step, x: Tensor, y: Tensor) -> Tensor:
    """x - y·trunc(x/y), with the sign of x."""
    x, y = _light(step, (x, y))
    if dtype_of(x).kind == "u":
        return arithmetic.floormod(x, y)
    return truncated_remainder(x, y)


def _quotient(step: Step, x: Tensor, y: Tensor) -> Tensor:
    """x/y; of integers it is cut towards zero."""
    x, y = _light(step, (x, y))
    kind = dtype_of(x).kind
    if kind == "u":
        return arithmetic.floordiv(x, y)
    if kind != "i":
        return apply2(ops.divide, x, y)
    size = arithmetic.floordiv(elementwise.abs(x), elementwise.abs(y))
    return arithmetic.multiply(arithmetic.multiply(elementwise.sign(x), elementwise.sign(y)), size)


def _largest(step: Step, x: Tensor, y: Tensor) -> Tensor:
    """max(x, y), which of equal ones has half of each slope; with -inf it is the other one."""
    for one, value in ((x, step.operands[1]), (y, step.operands[0])):
        if shape_of(one) == step.shape and number_of(value) == -np.inf:
            return one
    return largest(*_light(step, (x, y)))


_BEFORE, _AFTER = 12, 10
"""So many terms of the sum are added, and of the rest by Euler and Maclaurin."""


def _zeta(step: Step, x: Tensor, q: Tensor) -> Tensor:
    """Hurwitz's function: JAX has its derivative by the exponent, too, which TensorFlow lacks.

    Where the exponent is no constant it is Euler's and Maclaurin's sum, with the function's value.
    """
    if is_fixed(step.operands[0]):
        x, q = _light(step, (x, q))
        return special.zeta(x, q)
    value, found = special.zeta(stop_gradient(x), stop_gradient(q)), _euler_maclaurin(x, q)
    made = found + (value - stop_gradient(found))
    return arithmetic.where(elementwise.is_finite(value), made, value)


def _euler_maclaurin(x: Tensor, q: Tensor) -> Tensor:
    def number(value: float) -> Tensor:
        return literal(value, dtype_of(x))

    found = arithmetic.pow(q, -x)
    for k in range(1, _BEFORE):
        found = found + arithmetic.pow(q + number(float(k)), -x)
    last = q + number(float(_BEFORE))
    own = arithmetic.pow(last, -x)
    found = found + last * own / (x - number(1.0)) + own / number(2.0)
    rising = x
    for j in range(1, _AFTER):
        own = own / last if j == 1 else own / (last * last)
        found = found + number(float(sp.bernoulli(2 * j) / sp.factorial(2 * j))) * rising * own
        rising = rising * (x + number(2.0 * j - 1)) * (x + number(2.0 * j))
    return found


def _power(step: Step, x: Tensor, y: Tensor) -> Tensor:
    x, y = _light(step, (x, y))
    if dtype_of(y) != dtype_of(x):
        number = number_of(step.operands[1])
        y = cast(y, dtype_of(x)) if number is None else literal(number, dtype_of(x))
    if dtype_of(x).kind == "c" or number_of(step.operands[1]) is not None:
        return arithmetic.pow(x, y)
    return apply2(frameworks.power_of_any, x, y)


def _integer_power(step: Step, x: Tensor) -> Tensor:
    exponent = step["y"]
    if exponent == 0:  # a constant, at 0 and at nan, too
        return ones_like(x)
    if exponent == 2:
        return elementwise.square(x)
    if exponent == -1:
        return arithmetic.divide(literal(1, dtype_of(x)), x)
    if dtype_of(x).kind in "iu" and exponent < 0:
        raise step.refused("a negative power of integers")
    return arithmetic.pow(x, literal(exponent, dtype_of(x)))


def _polynomial(step: Step, x: Tensor, *coefficients: Tensor) -> Tensor:
    """c₀ + x(c₁ + x(c₂ + …)), as Horner has it."""
    x, *light = _light(step, (x, *coefficients))
    found = light.pop()
    while light:
        found = arithmetic.add(light.pop(), arithmetic.multiply(x, found))
    return found


def _rounded(step: Step, x: Tensor) -> Tensor:
    """Round halves to even, or away from zero: JAX's `rounding_method` 1 or 0."""
    if int(step["rounding_method"]):
        return elementwise.rint(x)
    half = literal(0.5, dtype_of(x))
    size = elementwise.floor(arithmetic.add(elementwise.abs(x), half))
    return stop_gradient(arithmetic.multiply(elementwise.sign(x), size))


def _held(step: Step, low: Tensor, x: Tensor, high: Tensor) -> Tensor:
    low, high = (
        end if number_of(v) is None else literal(number_of(v), dtype_of(x))
        for end, v in ((low, step.operands[0]), (high, step.operands[2]))
    )
    if dtype_of(x).kind in "fV":
        return apply(frameworks.clip, x, low, high)
    return arithmetic.minimum(arithmetic.maximum(x, low), high)


def _size(x: Tensor) -> Tensor:
    """|x|, whose slope at 0 is 1."""
    return apply1(frameworks.absolute, x) if dtype_of(x).kind in "fV" else elementwise.abs(x)


def _chosen(step: Step, which: Tensor, *cases: Tensor) -> Tensor:
    """The case whose number `which` is; of two cases it is a truth value."""
    number = number_of(step.operands[0])
    if number is not None:
        return broadcast_to(cases[int(number)], step.shape)
    if len(cases) == 2 and is_cut_off(step.operands[0], step.operands[1], cases[1]):
        return cases[1]
    which, *light = _light(step, (which, *cases))
    if dtype_of(which).kind == "b":
        return arithmetic.where(which, light[1], light[0])
    found = light[-1]
    for k in range(len(light) - 2, -1, -1):
        found = arithmetic.where(comparison.equal(which, k), light[k], found)
    return found


# --- dtypes ---------------------------------------------------------------------------------------


def _converted(step: Step, x: Tensor) -> Tensor:
    target = step.dtype
    if dtype_of(x).kind == "c" and target.kind not in "cb":
        x = elementwise.real(x)
    return cast(x, target)


_FORMATS = {(5, 10): np.float16, (8, 23): np.float32, (11, 52): np.float64}


def _reduced(step: Step, x: Tensor) -> Tensor:
    """Round to fewer bits: there and back through the dtype that has them."""
    bits = (step["exponent_bits"], step["mantissa_bits"])
    own = dtype_of(x)
    narrow = "bfloat16" if bits == (8, 7) else _FORMATS.get(bits)
    if narrow is None:
        raise step.refused(f"no dtype has {bits[0]} bits of exponent and {bits[1]} of mantissa")
    return cast(cast(x, narrow), own)


def _stopped(step: Step, x: Tensor) -> Tensor:
    return stop_gradient(x)


def _same(step: Step, *tensors: Tensor) -> list[Tensor]:
    """Be what was given."""
    return list(tensors)


def _told(step: Step, *tensors: Tensor) -> list[Tensor]:
    """Nothing: what JAX was to print or to call it has printed and called, with the values."""
    return []


def _direction(x: Tensor) -> Tensor:
    """The sign, which is flat for JAX where it turns with a complex number, too."""
    return stop_gradient(elementwise.sign(x)) if dtype_of(x).kind == "c" else elementwise.sign(x)


PLAIN = ("copy", "device_put", "name", "optimization_barrier")
"""What changes where arrays lie and how they are compiled, and no value."""

_FUNCTIONS: dict[str, Callable[..., Any]] = {
    **OF_ONE,
    **OF_TWO,
    "add": arithmetic.add,
    "add_any": arithmetic.add,
    "sub": arithmetic.subtract,
    "mul": arithmetic.multiply,
    "square": elementwise.square,
    "abs": _size,
    "sign": _direction,
    "cbrt": lambda x: apply1(frameworks.cbrt, x),
    "logistic": elementwise.sigmoid,
    "log2": lambda x: apply1(_log2, x),
    "one_minus_square": lambda x: apply1(_one_minus_square, x),
    "erf_inv": elementwise.erfinv,
    "polygamma": special.polygamma,
    "igamma_grad_a": special.igamma_slope,
    "regularized_incomplete_beta": special.betainc,
    "bessel_i0e": special.bessel_i0e,
    "bessel_i1e": special.bessel_i1e,
    "nextafter": special.nextafter,
    "real": elementwise.real,
    "imag": elementwise.imag,
    "conj": elementwise.conj,
    "complex": elementwise.complex,
    "is_finite": elementwise.is_finite,
    "eq_to": comparison.equal,
    "lt_to": comparison.less,
    "le_to": comparison.less_equal,
}

RULES: dict[str, Rule] = {
    **{name: _of(function) for name, function in _FUNCTIONS.items()},
    **dict.fromkeys(PLAIN, _same),
    **dict.fromkeys(("debug_print", "debug_callback"), _told),
    "div": _quotient,
    "rem": _remainder,
    "max": _largest,
    "min": _of(smallest),
    "pow": _power,
    "zeta": _zeta,
    "integer_pow": _integer_power,
    "exp2": lambda _, x: arithmetic.pow(literal(2, dtype_of(x)), x),
    "polynomial": _polynomial,
    "round": _rounded,
    "clamp": _held,
    "select_n": _chosen,
    "convert_element_type": _converted,
    "reduce_precision": _reduced,
    "stop_gradient": _stopped,
}
