"""Functions of one array in `tf.experimental.numpy`: a line for each, over TensorFlow's own."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from symtape.ops.arguments import like
from symtape.ops.elementwise import arithmetic, bits, comparison, functions
from symtape.ops.elementwise.conversion import cast
from symtape.ops.shapes.creation import fill
from symtape.stand_in.numpy.dtypes import Run, float_dtype, floating, is_inexact, named, operand
from symtape.tensor import dtypes
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of


def _of_one(name: str, run: Run, summary: str) -> Run:
    """Make a function that keeps the dtype."""

    def function(x: Any) -> Any:
        return run(operand(x))

    return named(function, name, summary)


def _of_floats(name: str, run: Run, summary: str) -> Run:
    """Make a function that takes integers and truth values for floats."""

    def function(x: Any) -> Any:
        return run(floating(x))

    return named(function, name, summary)


abs = _of_one("abs", functions.abs, "The absolute value")
absolute = _of_one("absolute", functions.abs, "The absolute value")
fabs = _of_one("fabs", functions.abs, "The absolute value")
conj = _of_one("conj", functions.conj, "The complex conjugate")
conjugate = _of_one("conjugate", functions.conj, "The complex conjugate")
negative = _of_one("negative", functions.negative, "Minus x")
positive = _of_one("positive", lambda x: x, "x itself")
reciprocal = _of_one("reciprocal", functions.reciprocal, "1/x")
square = _of_one("square", functions.square, "x²")


def real(val: Any) -> Any:
    """The real part.

    >>> real([1 + 2j]).numpy()
    array([1.])
    """
    return functions.real(operand(val))


def imag(val: Any) -> Any:
    """The imaginary part.

    >>> imag([1 + 2j]).numpy()
    array([2.])
    """
    return functions.imag(operand(val))


exp = _of_floats("exp", functions.exp, "The exponential")
expm1 = _of_floats("expm1", functions.expm1, "The exponential less one")
exp2 = _of_floats("exp2", lambda x: 2**x, "Two to the power x")
log = _of_floats("log", functions.log, "The natural logarithm")
log1p = _of_floats("log1p", functions.log1p, "The natural logarithm of 1 + x")
sqrt = _of_floats("sqrt", functions.sqrt, "The square root")
ceil = _of_floats("ceil", functions.ceil, "The next whole number above")
floor = _of_floats("floor", functions.floor, "The next whole number below")
sin = _of_floats("sin", functions.sin, "The sine")
cos = _of_floats("cos", functions.cos, "The cosine")
tan = _of_floats("tan", functions.tan, "The tangent")
sinh = _of_floats("sinh", functions.sinh, "The hyperbolic sine")
cosh = _of_floats("cosh", functions.cosh, "The hyperbolic cosine")
tanh = _of_floats("tanh", functions.tanh, "The hyperbolic tangent")
arcsin = _of_floats("arcsin", functions.asin, "The angle of a sine")
arccos = _of_floats("arccos", functions.acos, "The angle of a cosine")
arctan = _of_floats("arctan", functions.atan, "The angle of a tangent")
arcsinh = _of_floats("arcsinh", functions.asinh, "The inverse of sinh")
arccosh = _of_floats("arccosh", functions.acosh, "The inverse of cosh")
arctanh = _of_floats("arctanh", functions.atanh, "The inverse of tanh")
isnan = _of_floats("isnan", functions.is_nan, "Whether it is no number")
isfinite = _of_floats("isfinite", functions.is_finite, "Whether it is a finite number")
deg2rad = _of_floats("deg2rad", lambda x: x * (math.pi / 180.0), "Degrees as radians")


def _cbrt(x: Tensor) -> Tensor:
    root = functions.abs(x) ** (1.0 / 3)
    return arithmetic.where(x < 0, -root, root)


def _fix(x: Tensor) -> Tensor:
    return arithmetic.where(x < 0, functions.ceil(x), functions.floor(x))


def _sinc(x: Tensor) -> Tensor:
    angle = x * math.pi
    return arithmetic.where(x == 0, like(1, x), functions.sin(angle) / angle)


def _sign_bit(x: Tensor) -> Tensor:
    return fill(shape_of(x), False) if x.dtype is dtypes.bool_ else x < 0


def _bitwise_not(x: Tensor) -> Tensor:
    return comparison.logical_not(x) if x.dtype is dtypes.bool_ else bits.invert(x)


cbrt = _of_floats("cbrt", _cbrt, "The cube root")
fix = _of_floats("fix", _fix, "The next whole number towards zero")
sinc = _of_floats("sinc", _sinc, "sin(πx)/(πx)")
signbit = _of_one("signbit", _sign_bit, "Whether it is negative")
bitwise_not = _of_one("bitwise_not", _bitwise_not, "All bits turned round")


def rad2deg(x: Any) -> Any:
    """Radians as degrees.

    >>> rad2deg(operand(math.pi)).numpy()
    np.float64(180.0)
    """
    return x * (180.0 / math.pi)


def log2(x: Any) -> Any:
    """The logarithm to the base 2.

    >>> log2(8.0).numpy()
    np.float64(3.0)
    """
    return log(x) / np.log(2)


def log10(x: Any) -> Any:
    """The logarithm to the base 10.

    >>> log10(100.0).numpy()
    np.float64(2.0)
    """
    return log(x) / np.log(10)


def angle(z: Any, deg: bool = False) -> Any:
    """The angle of complex numbers; of real ones it is 0 or π.

    >>> angle(1j).numpy()
    np.float64(1.5707963267948966)
    """
    x = floating(z)
    found = functions.angle(x) if x.dtype.is_complex else arithmetic.where(x < 0, math.pi, 0.0)
    return rad2deg(found) if deg else found


def sign(x: Any, out: Any = None, where: Any = None, **kwargs: Any) -> Tensor:
    """-1, 0 or 1; of a complex number that of length one with the same angle.

    Raises `ValueError` for what is not supported.

    >>> sign([-2, 0, 3]).numpy()
    array([-1,  0,  1])
    """
    for name, value in (("out", out), ("where", where)):
        if value:
            raise ValueError(f"tf.numpy doesnt support setting {name}.")
    if kwargs:
        raise ValueError(f"tf.numpy doesnt support setting {kwargs.keys()}")
    return functions.sign(operand(x))


def around(a: Any, decimals: int = 0) -> Tensor:
    """Round to some decimals; a half is rounded to the even neighbour.

    >>> around([1.25, -2.5], 1).numpy()
    array([ 1.2, -2.5])
    """
    x = operand(a)
    is_exact = not is_inexact(x)
    wide = cast(x, float_dtype()) if is_exact else x
    factor = like(math.pow(10, decimals), wide)
    rounded = functions.round(arithmetic.multiply(wide, factor))
    return cast(arithmetic.divide(rounded, factor), x.dtype)


def round(a: Any, decimals: int = 0) -> Tensor:
    """Do what `around` does.

    >>> round(2.5).numpy()
    np.float64(2.0)
    """
    return around(a, decimals)
