"""Elementwise functions that other frameworks call by the same names."""

from __future__ import annotations

from collections.abc import Callable

from symtape.ops.elementwise import arithmetic, comparison, special
from symtape.ops.elementwise import functions as maps
from symtape.tensor.tensor import Tensor

OF_ONE: dict[str, Callable[[Tensor], Tensor]] = {
    "abs": maps.abs,
    "neg": maps.negative,
    "sign": maps.sign,
    "floor": maps.floor,
    "ceil": maps.ceil,
    "exp": maps.exp,
    "expm1": maps.expm1,
    "log": maps.log,
    "log1p": maps.log1p,
    "sqrt": maps.sqrt,
    "rsqrt": maps.rsqrt,
    "sin": maps.sin,
    "cos": maps.cos,
    "tan": maps.tan,
    "asin": maps.asin,
    "acos": maps.acos,
    "atan": maps.atan,
    "sinh": maps.sinh,
    "cosh": maps.cosh,
    "tanh": maps.tanh,
    "asinh": maps.asinh,
    "acosh": maps.acosh,
    "atanh": maps.atanh,
    "erf": maps.erf,
    "erfc": maps.erfc,
    "lgamma": maps.lgamma,
    "digamma": maps.digamma,
}

OF_TWO: dict[str, Callable[[Tensor, Tensor], Tensor]] = {
    "atan2": arithmetic.atan2,
    "igamma": special.igamma,
    "igammac": special.igammac,
    "eq": comparison.equal,
    "ne": comparison.not_equal,
    "lt": comparison.less,
    "le": comparison.less_equal,
    "gt": comparison.greater,
    "ge": comparison.greater_equal,
}
