"""Elementwise functions that other frameworks call by the same names."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from symtape.ops.elementwise import arithmetic, comparison, special
from symtape.ops.elementwise import functions as maps
from symtape.tensor.decided import nowhere
from symtape.tensor.tensor import Literal, Tensor
from symtape.tensor.values import dtype_of

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


def times_log(x: Tensor, y: Tensor, log: Callable[[Tensor], Tensor], end: int) -> Tensor:
    """x·log(y), which is 0 for x = 0 where the logarithm ends, too.

    TensorFlow's has a slope of 0 by x wherever x is 0.
    """
    none = Literal.of(0, dtype_of(x))
    at_end = comparison.less_equal(y, Literal.of(end, dtype_of(y)))
    nothing = comparison.logical_and(comparison.equal(x, none), at_end)
    if nowhere(nothing):
        return arithmetic.multiply(x, log(y))
    inside = arithmetic.where(nothing, Literal.of(1, dtype_of(y)), y)
    return arithmetic.where(nothing, none, arithmetic.multiply(x, log(inside)))


def largest(x: Tensor, y: Tensor) -> Tensor:
    """Take the larger one of two; of equal ones each has half of the gradient."""
    return _extreme(x, y, arithmetic.maximum, comparison.greater)


def smallest(x: Tensor, y: Tensor) -> Tensor:
    """Take the smaller one of two; of equal ones each has half of the gradient."""
    return _extreme(x, y, arithmetic.minimum, comparison.less)


Function = Callable[[Tensor, Tensor], Tensor]


def _extreme(x: Tensor, y: Tensor, plain: Function, before: Function) -> Tensor:
    """Take the extreme; as cases where some are equal, since TensorFlow's has another slope there.

    What is made of both extremes, as a hypotenuse, has no kink there.
    """
    if dtype_of(x).kind not in "fV" or not np.any(x.raw == y.raw):
        return plain(x, y)
    mean = arithmetic.multiply(arithmetic.add(x, y), Literal.of(0.5, dtype_of(x)))
    return arithmetic.where(before(x, y), x, arithmetic.where(before(y, x), y, mean))


__all__ = ["OF_ONE", "OF_TWO", "largest", "smallest"]
