"""Functions of one tensor, element by element: one line each."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, wraps
from typing import Any

import numpy as np
import sympy as sp

from symtape.ops.arguments import (
    FEATURES,
    FLOATS,
    INEXACT,
    NUMBERS,
    SIGNED,
    SIGNED_REAL,
    Allowed,
    refusal,
    tensor,
)
from symtape.ops.elementwise.logits import remember_in_functions
from symtape.program import operations as ops
from symtape.program import scalar, special
from symtape.program.operations import Map, dtype_name, elementwise
from symtape.tensor import dtypes, operators
from symtape.tensor.convert import convert
from symtape.tensor.dispatch import OP_NAMES, apply1, apply2, not_taken
from symtape.tensor.tensor import Literal, Tensor
from symtape.tensor.values import dtype_of, shape_of

Unary = Callable[..., Tensor]


def unary(
    name: str, kernel: str, operation: Map, allowed: Allowed, summary: str, at: str, gives: str
) -> Unary:
    """Make a function of TensorFlow's that applies an elementwise operation."""
    OP_NAMES.setdefault(operation, kernel)
    letters = allowed.letters

    def function(x: Any, name: str | None = None) -> Tensor:
        if x.__class__ is not Tensor:
            x = convert(x)
        if dtype_of(x).char not in letters:
            raise refusal(kernel, x, allowed)
        return apply1(operation, x)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = (
        f"{summary}, element by element; the result has the shape of `x`.\n\n"
        f"    Raises `InvalidArgumentError` for dtypes other than {allowed.text}.\n\n"
        f"    >>> {name}({at}).numpy()\n    {gives}\n    "
    )
    return function


def _one(name: str, body: Callable[..., Any], result: str = "same") -> Map:
    return elementwise(name, body, 1, result)


def _with_logits(function: Unary) -> Unary:
    @wraps(function)
    def found(x: Any, name: str | None = None) -> Tensor:
        if x.__class__ is not Tensor:
            x = convert(x)
        return remember_in_functions(function(x), x)

    return found


# fmt: off
# --- powers and exponentials ----------------------------------------------------------------------
square = unary("square", "Square", _one("square", lambda x: x**2), NUMBERS,
               "The square", "[3, -2]", "array([9, 4], dtype=int32)")
sqrt = unary("sqrt", "Sqrt", ops.sqrt, INEXACT,
             "The square root", "[4.0, 2.25]", "array([2. , 1.5], dtype=float32)")
rsqrt = unary("rsqrt", "Rsqrt", ops.rsqrt, INEXACT,
              "One over the square root", "[4.0]", "array([0.5], dtype=float32)")
exp = unary("exp", "Exp", _one("exp", sp.exp), INEXACT,
            "The exponential", "[0.0]", "array([1.], dtype=float32)")
expm1 = unary("expm1", "Expm1", _one("expm1", scalar.expm1), INEXACT,
              "exp(x) - 1, exact near 0", "[0.0]", "array([0.], dtype=float32)")
log = unary("log", "Log", _one("log", sp.log), INEXACT,
            "The natural logarithm", "[1.0]", "array([0.], dtype=float32)")
log1p = unary("log1p", "Log1p", _one("log1p", scalar.log1p), INEXACT,
              "log(1 + x), exact near 0", "[0.0]", "array([0.], dtype=float32)")

# --- trigonometric and hyperbolic functions -------------------------------------------------------
sin = unary("sin", "Sin", _one("sin", sp.sin), INEXACT,
            "The sine", "[0.0]", "array([0.], dtype=float32)")
cos = unary("cos", "Cos", _one("cos", sp.cos), INEXACT,
            "The cosine", "[0.0]", "array([1.], dtype=float32)")
tan = unary("tan", "Tan", _one("tan", sp.tan), INEXACT,
            "The tangent", "[0.0]", "array([0.], dtype=float32)")
asin = unary("asin", "Asin", _one("asin", scalar.asin), INEXACT,
             "The inverse sine", "[0.0]", "array([0.], dtype=float32)")
acos = unary("acos", "Acos", _one("acos", scalar.acos), INEXACT,
             "The inverse cosine", "[1.0]", "array([0.], dtype=float32)")
atan = unary("atan", "Atan", _one("atan", sp.atan), INEXACT,
             "The inverse tangent", "[0.0]", "array([0.], dtype=float32)")
sinh = unary("sinh", "Sinh", _one("sinh", sp.sinh), INEXACT,
             "The hyperbolic sine", "[0.0]", "array([0.], dtype=float32)")
cosh = unary("cosh", "Cosh", _one("cosh", sp.cosh), INEXACT,
             "The hyperbolic cosine", "[0.0]", "array([1.], dtype=float32)")
tanh = unary("tanh", "Tanh", _one("tanh", scalar.tanh), INEXACT,
             "The hyperbolic tangent", "[0.0]", "array([0.], dtype=float32)")
asinh = unary("asinh", "Asinh", _one("asinh", scalar.asinh), INEXACT,
              "The inverse hyperbolic sine", "[0.0]", "array([0.], dtype=float32)")
acosh = unary("acosh", "Acosh", _one("acosh", scalar.acosh), INEXACT,
              "The inverse hyperbolic cosine", "[1.0]", "array([0.], dtype=float32)")
atanh = unary("atanh", "Atanh", _one("atanh", scalar.atanh), INEXACT,
              "The inverse hyperbolic tangent", "[0.0]", "array([0.], dtype=float32)")

# --- sigmoids -------------------------------------------------------------------------------------
sigmoid = _with_logits(
    unary("sigmoid", "Sigmoid", _one("sigmoid", scalar.sigmoid), INEXACT,
          "1 / (1 + exp(-x))", "[0.0]", "array([0.5], dtype=float32)"))
erf = unary("erf", "Erf", _one("erf", special.erf), FLOATS,
            "The error function", "[0.0]", "array([0.], dtype=float32)")
erfc = unary("erfc", "Erfc", _one("erfc", special.erfc), FLOATS,
             "1 - erf(x), exact where erf(x) is near 1", "[0.0]",
             "array([1.], dtype=float32)")
lgamma = unary("lgamma", "Lgamma", _one("lgamma", special.lgamma), FLOATS,
               "The logarithm of |gamma(x)|", "[1.0]", "array([0.], dtype=float32)")
digamma = unary("digamma", "Digamma", _one("digamma", partial(special.polygamma, 0)), FLOATS,
                "The slope of `lgamma`", "[1.0]", "array([-0.5772157], dtype=float32)")
erfinv = unary("erfinv", "Erfinv", _one("erfinv", special.erfinv), FLOATS,
               "The inverse of `erf`", "[0.0]", "array([0.], dtype=float32)")
erfcinv = unary("erfcinv", "Erfinv", _one("erfcinv", special.erfcinv), FLOATS,
                "The inverse of `erfc`", "[0.5]", "array([0.47693628], dtype=float32)")
ndtri = unary("ndtri", "Ndtri", _one("ndtri", special.normal_quantile), FLOATS,
              "The inverse of the distribution function of the standard normal", "[0.5]",
              "array([0.], dtype=float32)")
log_sigmoid = unary(
    "log_sigmoid", "Softplus", _one("log_sigmoid", lambda x: -scalar.softplus(-x)), FEATURES,
    "The logarithm of `sigmoid`", "[0.0]", "array([-0.6931472], dtype=float32)")

# --- signs and steps ------------------------------------------------------------------------------
negative = unary("negative", "Neg", ops.negative, SIGNED,
                 "-x", "[1, -2]", "array([-1,  2], dtype=int32)")
reciprocal = unary("reciprocal", "Reciprocal", ops.reciprocal, INEXACT,
                   "1 / x", "[4.0]", "array([0.25], dtype=float32)")
sign = unary("sign", "Sign", ops.sign, SIGNED,
             "-1, 0 or 1, or z/|z| for complex numbers", "[-3.0, 0.0]",
             "array([-1.,  0.], dtype=float32)")
floor = unary("floor", "Floor", _one("floor", scalar.floor), FLOATS,
              "The largest integer not above", "[1.5]", "array([1.], dtype=float32)")
ceil = unary("ceil", "Ceil", _one("ceil", scalar.ceil), FLOATS,
             "The smallest integer not below", "[1.5]", "array([2.], dtype=float32)")
rint = unary("rint", "Rint", _one("rint", scalar.rint), FLOATS,
             "The nearest integer, halves to even", "[0.5, 1.5]",
             "array([0., 2.], dtype=float32)")

# --- questions ------------------------------------------------------------------------------------
is_nan = unary("is_nan", "IsNan", _one("is_nan", scalar.is_nan, "bool"), FLOATS,
               "Whether x is not a number", "[float('nan')]", "array([ True])")
is_inf = unary("is_inf", "IsInf", _one("is_inf", scalar.is_inf, "bool"), FLOATS,
               "Whether x is infinite", "[float('inf')]", "array([ True])")
is_finite = unary("is_finite", "IsFinite", _one("is_finite", scalar.is_finite, "bool"), FLOATS,
                  "Whether x is a finite number", "[1.0]", "array([ True])")
# fmt: on


def softplus(features: Any, name: str | None = None) -> Tensor:
    """log(1 + exp(x)), element by element, for floating dtypes.

    >>> softplus([0.0]).numpy()
    array([0.6931472], dtype=float32)
    """
    x = tensor(features)
    if dtype_of(x).char not in FEATURES.letters:
        raise refusal("Softplus", x, FEATURES, "features:T -> activations:T")
    return apply1(_softplus, x)


_softplus = _one("softplus", scalar.softplus)


def abs(x: Any, name: str | None = None) -> Tensor:
    """The absolute value, element by element; of complex numbers it is real.

    Its slope at 0 is 0.

    >>> abs([-1.5, 2.0]).numpy()
    array([1.5, 2. ], dtype=float32)
    """
    x = tensor(x)
    if dtype_of(x).char not in SIGNED.letters:
        raise refusal("Abs", x, SIGNED_REAL)
    return apply1(ops.absolute, x)


def round(x: Any, name: str | None = None) -> Tensor:
    """The nearest integer, halves to even; integers stay as they are.

    Raises `NotFoundError` for complex numbers.

    >>> round([0.5, 1.5, -2.7]).numpy()
    array([ 0.,  2., -3.], dtype=float32)
    """
    made = tensor(x)
    if dtype_of(made).kind in "iu":
        return made
    if dtype_of(made).char not in SIGNED.letters:
        raise refusal("Round", made, SIGNED)
    if made.dtype.is_complex:
        raise not_taken("Round", made)
    return apply1(_round, made)


_round = _one("rint", scalar.rint)


# --- parts of complex numbers ---------------------------------------------------------------------


def real(input: Any, name: str | None = None) -> Tensor:
    """The real part; a real tensor is given back as it is.

    >>> real([1 + 2j]).numpy()
    array([1.])
    """
    x = tensor(input)
    if dtype_of(x).kind in "bO":
        raise TypeError(f"input must be a numeric tensor, but got tensor with dtype {x.dtype}")
    return x if dtype_of(x).kind != "c" else apply1(ops.real, x)


def imag(input: Any, name: str | None = None) -> Tensor:
    """The imaginary part; zeros without a gradient for a real tensor.

    >>> imag([1 + 2j]).numpy()
    array([2.])
    """
    x = tensor(input)
    if dtype_of(x).kind != "c":
        return Tensor(np.zeros(shape_of(x), dtype_of(x))[()])
    return apply1(ops.imag, x)


def conj(x: Any, name: str | None = None) -> Tensor:
    """The complex conjugate; a real tensor is given back as it is.

    Raises `TypeError` for what is no number.

    >>> conj([1 + 2j]).numpy()
    array([1.-2.j])
    """
    x = tensor(x)
    if not x.dtype.is_numeric:
        raise TypeError(f"Expected numeric or variant tensor, got dtype {x.dtype!r}.")
    return x if dtype_of(x).kind != "c" else apply1(ops.conj, x)


def angle(input: Any, name: str | None = None) -> Tensor:
    """The argument of complex numbers; of a real tensor 0 or pi, without a gradient.

    >>> angle([-1.0, 2.0]).numpy()
    array([3.1415927, 0.       ], dtype=float32)
    """
    x = tensor(input)
    if dtype_of(x).kind == "c":
        return apply1(ops.angle, x)
    if not x.dtype.is_floating:
        raise TypeError(
            f"Cannot convert {3.141592653589793} to EagerTensor of dtype {x.dtype.name}"
        )
    below = apply2(operators.less, x, Literal.of(0, dtype_of(x)))
    turned = Literal.of(3.141592653589793, dtype_of(x))
    return apply2(ops.multiply, apply1(ops.Cast(dtype_name(dtype_of(x))), below), turned)


def complex(real: Any, imag: Any, name: str | None = None) -> Tensor:
    """Join real and imaginary parts, both float32 or both float64.

    Raises `TypeError` for other dtypes.

    >>> complex(1.0, 2.0).numpy()
    np.complex64(1+2j)
    """
    x, y = tensor(real), tensor(imag)
    names = (x.dtype.name, y.dtype.name)
    if names[0] != names[1] or names[0] not in ("float32", "float64"):
        raise TypeError(
            f"The `real` and `imag` components have incorrect types: {names[0]} {names[1]}. They "
            f"must be consistent, and one of {[dtypes.float32, dtypes.float64]}"
        )
    return apply2(ops.to_complex, x, y)
