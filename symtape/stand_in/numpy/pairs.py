"""Functions of two arrays in `tf.experimental.numpy`: NumPy's dtype, and TensorFlow's function."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtape.ops.arguments import FLOATS, check, like
from symtape.ops.elementwise import arithmetic, bits, comparison, special
from symtape.ops.elementwise.activation import relu
from symtape.ops.elementwise.conversion import cast
from symtape.stand_in.numpy.dtypes import Run, array, float_dtype, floating, named, pair, promoted
from symtape.stand_in.numpy.elementwise import abs as absolute
from symtape.stand_in.numpy.elementwise import exp, exp2, isnan, log1p, sqrt, square
from symtape.tensor import dtypes
from symtape.tensor.decided import decided_by_look
from symtape.tensor.tensor import Tensor


def _of_two(name: str, run: Run, summary: str, of_truths: Run | None = None) -> Run:
    """Make a function of two arrays of NumPy's common dtype, with another for truth values."""

    def function(x1: Any, x2: Any) -> Any:
        x, y = pair(x1, x2)
        return (of_truths if of_truths and x.dtype is dtypes.bool_ else run)(x, y)

    return named(function, name, summary)


def _by(run: Run, dtype: Any, *, back: bool = False) -> Run:
    """Apply a function to truth values as numbers, of a dtype or of what a function gives."""

    def function(x: Tensor, y: Tensor) -> Any:
        kind = dtype() if callable(dtype) else dtype
        made = run(cast(x, kind), cast(y, kind))
        return cast(made, dtypes.bool_) if back else made

    return function


_AND, _OR = comparison.logical_and, comparison.logical_or
_small = dtypes.int8
add = _of_two("add", arithmetic.add, "x + y", _OR)
subtract = _of_two("subtract", arithmetic.subtract, "x - y")
multiply = _of_two("multiply", arithmetic.multiply, "x y", _AND)
_QUOTIENT = _by(arithmetic.divide, float_dtype)
true_divide = _of_two("true_divide", arithmetic.divide, "x / y", _QUOTIENT)
divide = _of_two("divide", arithmetic.divide, "x / y", _QUOTIENT)
floor_divide = _of_two(
    "floor_divide", arithmetic.floordiv, "x // y", _by(arithmetic.floordiv, _small)
)
mod = _of_two("mod", arithmetic.floormod, "x % y", _by(arithmetic.floormod, _small))
remainder = _of_two("remainder", arithmetic.floormod, "x % y", _by(arithmetic.floormod, _small))
minimum = _of_two("minimum", arithmetic.minimum, "The smaller one", _AND)
power = _of_two("power", arithmetic.pow, "x to the power y")
float_power = _of_two("float_power", arithmetic.pow, "x to the power y")


def _angle(y: Tensor, x: Tensor) -> Tensor:
    check("Atan2", y, FLOATS, "y:T, x:T -> z:T")
    return arithmetic.atan2(y, x)


arctan2 = _of_two("arctan2", _angle, "The angle of the point (y, x)")
nextafter = _of_two("nextafter", special.nextafter, "The next float towards y")
bitwise_and = _of_two(
    "bitwise_and", bits.bitwise_and, "Bits of both", _by(bits.bitwise_and, _small, back=True)
)
bitwise_or = _of_two(
    "bitwise_or", bits.bitwise_or, "Bits of either", _by(bits.bitwise_or, _small, back=True)
)
bitwise_xor = _of_two(
    "bitwise_xor", bits.bitwise_xor, "Bits of one", _by(bits.bitwise_xor, _small, back=True)
)
_maximum = _of_two("maximum", arithmetic.maximum, "The larger one", _OR)


def maximum(x1: Any, x2: Any) -> Tensor:
    """The larger one; beside the number 0 it is a relu, whose slope at zero is zero.

    >>> maximum([1.0, -2.0], 0).numpy()
    array([1., 0.])
    """
    is_zero = isinstance(x2, (int, float)) and not isinstance(x2, bool) and x2 == 0
    if is_zero and isinstance(x1, Tensor) and x1.dtype is not dtypes.bool_:
        return relu(x1)
    found: Tensor = _maximum(x1, x2)
    return found


def divmod(x1: Any, x2: Any) -> tuple[Tensor, Tensor]:
    """The whole quotient, and what is left.

    >>> [x.numpy() for x in divmod(7, 2)]
    [np.int64(3), np.int64(1)]
    """
    return floor_divide(x1, x2), mod(x1, x2)


def hypot(x1: Any, x2: Any) -> Any:
    """The square root of x² + y².

    >>> hypot(3.0, 4.0).numpy()
    np.float64(5.0)
    """
    return sqrt(square(x1) + square(x2))


def heaviside(x1: Any, x2: Any) -> Tensor:
    """0 below zero, 1 above, and `x2` at zero.

    >>> heaviside([-1.0, 0.0, 2.0], 0.5).numpy()
    array([0. , 0.5, 1. ])
    """
    x, y = pair(x1, x2)
    is_below, zero = x < 0, like(0, y)
    above = arithmetic.where(x > 0, like(1, y), y)
    return floating(arithmetic.where(is_below, zero, above))


def logaddexp(x1: Any, x2: Any) -> Any:
    """The logarithm of the sum of two exponentials.

    >>> logaddexp(0.0, 0.0).numpy()
    np.float64(0.6931471805599453)
    """
    return _log_of_sum(x1, x2, lambda gap: log1p(exp(-absolute(gap))))


def logaddexp2(x1: Any, x2: Any) -> Any:
    """The logarithm to the base 2 of the sum of two powers of 2.

    >>> logaddexp2(0.0, 0.0).numpy()
    np.float64(1.0)
    """
    return _log_of_sum(x1, x2, lambda gap: log1p(exp2(-absolute(gap))) / np.log(2))


def _log_of_sum(x1: Any, x2: Any, rest: Run) -> Any:
    larger = maximum(x1, x2)
    gap = x1 - x2  # which is nan for infinities of one sign
    whole, parted = promoted(x1 + x2, larger + rest(gap))
    return arithmetic.where(isnan(gap), whole, parted)


def gcd(x1: Any, x2: Any) -> Tensor:
    """The greatest common divisor of integers; raises `ValueError` for others.

    >>> gcd([12, 7], 8).numpy()
    array([4, 1])
    """
    return _of_integers(np.gcd, x1, x2)


def lcm(x1: Any, x2: Any) -> Tensor:
    """The least common multiple of integers; raises `ValueError` for others.

    >>> lcm([12, 7], 8).numpy()
    array([24, 56])
    """
    return _of_integers(np.lcm, x1, x2)


def _of_integers(run: Any, x1: Any, x2: Any) -> Tensor:
    x, y = pair(x1, x2)
    if not x.dtype.is_integer:
        raise ValueError("Arguments to gcd must be integers.")
    return array(run(decided_by_look(x), decided_by_look(y)))
