"""SymPy's functions of numbers, and what they are on tensors: one line each."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any

import sympy as sp
from sympy.codegen.cfunctions import exp2, expm1, log1p, log2, log10

from symtape.ops.arguments import pair
from symtape.ops.elementwise import arithmetic, special
from symtape.ops.elementwise import functions as elementwise
from symtape.ops.elementwise.arithmetic import add, divide, multiply, subtract, where
from symtape.ops.elementwise.comparison import less
from symtape.ops.elementwise.functions import reciprocal
from symtape.program.functions import families
from symtape.program.functions.scalar import Kind
from symtape.program.operations import Map, parameter
from symtape.tensor.dispatch import apply1, apply2
from symtape.tensor.tensor import Literal, Tensor
from symtape.tensor.values import dtype_of

Function = Callable[..., Tensor]


def number(value: Any, like: Tensor) -> Tensor:
    """Make a number of the dtype of a tensor; it stands in formulas as it is here."""
    return Literal.of(value, dtype_of(like))


def constant(value: Any, dtype: Any) -> Tensor:
    """Make an irrational number, such as π, which formulas show as that."""
    return apply1(Map.of(value * parameter(0), 1), Literal.of(1, dtype))


def _inverted(function: Function) -> Function:
    """1/f(x)."""
    return lambda x: reciprocal(function(x))


def _of_inverse(function: Function) -> Function:
    """f(1/x)."""
    return lambda x: function(reciprocal(x))


def _heaviside(x: Tensor, at_zero: Tensor) -> Tensor:
    one, zero = number(1, x), number(0, x)
    return where(less(zero, x), one, where(less(x, zero), zero, at_zero))


def _argument(x: Tensor) -> Tensor:
    if dtype_of(x).kind == "c":
        return elementwise.angle(x)
    return where(less(x, 0), constant(sp.pi, dtype_of(x)), number(0, x))


def folded(function: Function) -> Function:
    """Make a function of two one of any number."""
    return lambda *parts: reduce(function, parts)


def _of_one(kind: Kind) -> Function:
    operation = Map.of(kind(parameter(0)), 1)
    return lambda x: apply1(operation, x)


def _of_two(kind: Kind) -> Function:
    operation = Map.of(kind(parameter(0), parameter(1)), 2)
    return lambda x, y: apply2(operation, *pair(x, y))


gamma = _of_one(families.gamma)
"""The gamma function."""


_ALIKE = """
    exp log sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh sign floor erf erfc erfinv
    erfcinv
"""
"""Functions that have the same name here."""

SCALARS: dict[Any, Function] = {
    **{getattr(sp, name): getattr(elementwise, name) for name in _ALIKE.split()},
    log1p: elementwise.log1p,
    expm1: elementwise.expm1,
    exp2: lambda x: arithmetic.pow(number(2, x), x),
    log2: lambda x: divide(elementwise.log(x), constant(sp.log(2), dtype_of(x))),
    log10: lambda x: divide(elementwise.log(x), constant(sp.log(10), dtype_of(x))),
    sp.cot: _inverted(elementwise.tan),
    sp.sec: _inverted(elementwise.cos),
    sp.csc: _inverted(elementwise.sin),
    sp.acot: _of_inverse(elementwise.atan),
    sp.asec: _of_inverse(elementwise.acos),
    sp.acsc: _of_inverse(elementwise.asin),
    sp.atan2: arithmetic.atan2,
    sp.coth: _inverted(elementwise.tanh),
    sp.sech: _inverted(elementwise.cosh),
    sp.csch: _inverted(elementwise.sinh),
    sp.acoth: _of_inverse(elementwise.atanh),
    sp.asech: _of_inverse(elementwise.acosh),
    sp.acsch: _of_inverse(elementwise.asinh),
    sp.Abs: elementwise.abs,
    sp.ceiling: elementwise.ceil,
    sp.frac: lambda x: subtract(x, elementwise.floor(x)),
    sp.Mod: arithmetic.floormod,
    sp.Max: folded(arithmetic.maximum),
    sp.Min: folded(arithmetic.minimum),
    sp.Heaviside: _heaviside,
    sp.erfi: _of_one(families.erfi),
    sp.gamma: gamma,
    sp.factorial: lambda x: gamma(add(x, number(1, x))),
    sp.beta: _of_two(families.beta),
    sp.binomial: _of_two(families.binomial),
    sp.RisingFactorial: _of_two(families.rising),
    sp.lowergamma: lambda a, x: multiply(special.igamma(a, x), gamma(a)),
    sp.uppergamma: lambda a, x: multiply(special.igammac(a, x), gamma(a)),
    sp.Ei: special.expint,
    sp.Si: _of_one(families.sine_integral),
    sp.Ci: _of_one(families.cosine_integral),
    sp.airyai: _of_one(families.airy_ai),
    sp.airyaiprime: _of_one(families.airy_ai_slope),
    sp.airybi: _of_one(families.airy_bi),
    sp.airybiprime: _of_one(families.airy_bi_slope),
    sp.fresnelc: special.fresnel_cos,
    sp.fresnels: special.fresnel_sin,
    sp.re: elementwise.real,
    sp.im: lambda x: elementwise.imag(x) if dtype_of(x).kind == "c" else multiply(x, number(0, x)),
    sp.conjugate: elementwise.conj,
    sp.arg: _argument,
}
"""What a function of SymPy is on tensors of one dtype."""
