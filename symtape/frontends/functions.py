"""Elementwise functions that other frameworks call by the same names."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

from symtape.ops.elementwise import arithmetic, comparison, special
from symtape.ops.elementwise import functions as maps
from symtape.program.authors import authored, passed
from symtape.program.functions import frameworks
from symtape.program.operations import Map
from symtape.tensor.decided import nowhere
from symtape.tensor.dispatch import apply, apply1, apply2
from symtape.tensor.tensor import Literal, Tensor
from symtape.tensor.values import dtype_of


def of_floats(operation: Map, plain: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """Give an operation on real numbers, and a function of all others."""

    def of(*operands: Tensor) -> Tensor:
        if dtype_of(operands[0]).kind in "fV":
            return apply(operation, *operands)
        return plain(*operands)

    return of


_ALIKE = """
    abs sign floor ceil exp expm1 log log1p sin cos tan asin acos atan sinh cosh tanh asinh
    atanh erf erfc lgamma
"""
"""Functions that have the same name in all frameworks."""

OF_ONE: dict[str, Callable[[Tensor], Tensor]] = {
    **{name: getattr(maps, name) for name in _ALIKE.split()},
    "neg": maps.negative,
    "sqrt": partial(apply1, frameworks.square_root),
    "rsqrt": partial(apply1, frameworks.inverse_root),
    "acosh": of_floats(frameworks.acosh, maps.acosh),
    "digamma": maps.digamma,
}

OF_TRUTH: dict[str, Callable[..., Tensor]] = {
    name: getattr(comparison, f"logical_{name}") for name in ("and", "or", "xor", "not")
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


def times_log(
    x: Tensor, y: Tensor, log: Callable[[Tensor], Tensor], end: int, *, is_flat: bool
) -> Tensor:
    """x·log(y), which is 0 for x = 0 where the logarithm is infinite; its slopes are the product's.

    Where it `is_flat`, x = 0 has no slope where the logarithm ends. TensorFlow's has none anywhere.
    """
    none = Literal.of(0, dtype_of(x))
    ended = comparison.less_equal(y, Literal.of(end, dtype_of(y)))
    is_none, far = comparison.equal(x, none), comparison.equal(y, Literal.of(math.inf, dtype_of(y)))
    nothing = comparison.logical_and(is_none, comparison.logical_or(ended, far))
    product = arithmetic.multiply(x, log(y))
    if nowhere(nothing):
        return product
    at_end = comparison.logical_and(is_none, ended)
    weight = arithmetic.where(at_end, none, x) if is_flat else x
    value = arithmetic.where(nothing, none, product)
    return with_slope_of(value, arithmetic.multiply(weight, log(y)))


largest = of_floats(frameworks.maximum, arithmetic.maximum)
"""The larger one of two; of equal ones each has half of the gradient."""

smallest = of_floats(frameworks.minimum, arithmetic.minimum)
"""The smaller one of two; of equal ones each has half of the gradient."""

power = of_floats(frameworks.power, arithmetic.pow)
"""x to the y, whose slope by x is 0 where y is, at x = 0 too."""


def with_slope_of(value: Tensor, other: Tensor) -> Tensor:
    """A value that has the derivative of another tensor, and none of its own."""
    return apply2(authored, apply1(passed, value), other)


def root(x: Tensor) -> Tensor:
    """The root of a sum of squares, whose gradient is 0 where all of them are 0."""
    return apply1(frameworks.root, x)


def flat_power(x: Tensor, p: float) -> Tensor:
    """x to the p for x from 0 on, which is flat at 0."""
    return apply2(frameworks.power_flat_at_zero, x, Literal.of(p, dtype_of(x)))
