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
    operand,
    refusal,
    tensor,
)
from symtape.ops.elementwise.logits import remember_in_functions
from symtape.program import operations as ops
from symtape.program.functions import scalar, special
from symtape.program.operations import Map, dtype_name, elementwise
from symtape.tensor import dtypes, operators
from symtape.tensor.dispatch import OP_NAMES, apply1, apply2, not_taken
from symtape.tensor.tensor import Literal, Tensor
from symtape.tensor.values import dtype_of, shape_of

Unary = Callable[..., Tensor]


def unary(
    name: str, body: Map | Callable[..., Any], allowed: Allowed, summary: str, at: str, gives: str,
    kernel: str = "",
) -> Unary:  # fmt: skip
    """Make a function of TensorFlow's that applies an operation, or a body, to each element."""
    operation = body if isinstance(body, Map) else elementwise(name, body)
    kernel = kernel or "".join([word.capitalize() for word in name.split("_")])
    OP_NAMES.setdefault(operation, kernel)
    letters = allowed.letters

    def function(x: Any, name: str | None = None) -> Tensor:
        if x.__class__ is not Tensor:
            x = operand(x)
        if dtype_of(x).char not in letters:
            raise refusal(kernel, x, allowed)
        return apply1(operation, x)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = (
        f"{summary}, element by element; the result has the shape of `x`.\n\n"
        f"    Raises `InvalidArgumentError` for dtypes other than {allowed.text}.\n\n"
        f"    >>> {name}({at}).numpy()\n    {printed(gives)}\n    "
    )
    return function


def _one(name: str, body: Callable[..., Any], result: str = "same") -> Map:
    return elementwise(name, body, 1, result)


def printed(gives: str) -> str:
    """Write an array as NumPy prints it; of float32 its elements are given alone."""
    return f"array({gives}, dtype=float32)" if gives.startswith("[") else gives


def _with_logits(function: Unary) -> Unary:
    @wraps(function)
    def found(x: Any, name: str | None = None) -> Tensor:
        if x.__class__ is not Tensor:
            x = operand(x)
        return remember_in_functions(function(x), x)

    return found


# fmt: off
# --- powers and exponentials ----------------------------------------------------------------------
square = unary("square", lambda x: x**2, NUMBERS, "The square", "[3, -2]",
               "array([9, 4], dtype=int32)")
sqrt = unary("sqrt", ops.sqrt, INEXACT, "The square root", "[4.0, 2.25]", "[2. , 1.5]")
rsqrt = unary("rsqrt", ops.rsqrt, INEXACT, "One over the square root", "[4.0]", "[0.5]")
exp = unary("exp", sp.exp, INEXACT, "The exponential", "[0.0]", "[1.]")
expm1 = unary("expm1", scalar.expm1, INEXACT, "exp(x) - 1, exact near 0", "[0.0]", "[0.]")
log = unary("log", sp.log, INEXACT, "The natural logarithm", "[1.0]", "[0.]")
log1p = unary("log1p", scalar.log1p, INEXACT, "log(1 + x), exact near 0", "[0.0]", "[0.]")

# --- trigonometric and hyperbolic functions -------------------------------------------------------
sin = unary("sin", sp.sin, INEXACT, "The sine", "[0.0]", "[0.]")
cos = unary("cos", sp.cos, INEXACT, "The cosine", "[0.0]", "[1.]")
tan = unary("tan", sp.tan, INEXACT, "The tangent", "[0.0]", "[0.]")
asin = unary("asin", scalar.asin, INEXACT, "The inverse sine", "[0.0]", "[0.]")
acos = unary("acos", scalar.acos, INEXACT, "The inverse cosine", "[1.0]", "[0.]")
atan = unary("atan", sp.atan, INEXACT, "The inverse tangent", "[0.0]", "[0.]")
sinh = unary("sinh", sp.sinh, INEXACT, "The hyperbolic sine", "[0.0]", "[0.]")
cosh = unary("cosh", sp.cosh, INEXACT, "The hyperbolic cosine", "[0.0]", "[1.]")
tanh = unary("tanh", scalar.tanh, INEXACT, "The hyperbolic tangent", "[0.0]", "[0.]")
asinh = unary("asinh", scalar.asinh, INEXACT, "The inverse hyperbolic sine", "[0.0]", "[0.]")
acosh = unary("acosh", scalar.acosh, INEXACT, "The inverse hyperbolic cosine", "[1.0]", "[0.]")
atanh = unary("atanh", scalar.atanh, INEXACT, "The inverse hyperbolic tangent", "[0.0]", "[0.]")

# --- sigmoids -------------------------------------------------------------------------------------
sigmoid = _with_logits(unary("sigmoid", scalar.sigmoid, INEXACT, "1 / (1 + exp(-x))", "[0.0]",
                             "[0.5]"))
erf = unary("erf", special.erf, FLOATS, "The error function", "[0.0]", "[0.]")
erfc = unary("erfc", special.erfc, FLOATS, "1 - erf(x), exact where erf(x) is near 1", "[0.0]",
             "[1.]")
lgamma = unary("lgamma", special.lgamma, FLOATS, "The logarithm of |gamma(x)|", "[1.0]", "[0.]")
digamma = unary("digamma", partial(special.polygamma, 0), FLOATS, "The slope of `lgamma`", "[1.0]",
                "[-0.5772157]")
erfinv = unary("erfinv", special.erfinv, FLOATS, "The inverse of `erf`", "[0.0]", "[0.]")
erfcinv = unary("erfcinv", special.erfcinv, FLOATS, "The inverse of `erfc`", "[0.5]",
                "[0.47693628]", kernel="Erfinv")
ndtri = unary("ndtri", special.normal_quantile, FLOATS,
              "The inverse of the distribution function of the standard normal", "[0.5]", "[0.]")
log_sigmoid = unary("log_sigmoid", lambda x: -scalar.softplus(-x), FEATURES,
                    "The logarithm of `sigmoid`", "[0.0]", "[-0.6931472]", kernel="Softplus")

# --- signs and steps ------------------------------------------------------------------------------
negative = unary("negative", ops.negative, SIGNED, "-x", "[1, -2]", "array([-1,  2], dtype=int32)",
                 kernel="Neg")
reciprocal = unary("reciprocal", ops.reciprocal, INEXACT, "1 / x", "[4.0]", "[0.25]")
sign = unary("sign", ops.sign, SIGNED, "-1, 0 or 1, or z/|z| for complex numbers", "[-3.0, 0.0]",
             "[-1.,  0.]")
floor = unary("floor", scalar.floor, FLOATS, "The largest integer not above", "[1.5]", "[1.]")
ceil = unary("ceil", scalar.ceil, FLOATS, "The smallest integer not below", "[1.5]", "[2.]")
rint = unary("rint", scalar.rint, FLOATS, "The nearest integer, halves to even", "[0.5, 1.5]",
             "[0., 2.]")

# --- questions ------------------------------------------------------------------------------------
is_nan = unary("is_nan", _one("is_nan", scalar.is_nan, "bool"), FLOATS, "Whether x is not a number",
               "[float('nan')]", "array([ True])")
is_inf = unary("is_inf", _one("is_inf", scalar.is_inf, "bool"), FLOATS, "Whether x is infinite",
               "[float('inf')]", "array([ True])")
is_finite = unary("is_finite", _one("is_finite", scalar.is_finite, "bool"), FLOATS,
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
    x = operand(x)
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
    if dtype_of(x).kind == "O":
        return Tensor(np.full(shape_of(x), b"", object))
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
    x = operand(input)
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
