"""What numba's Python calls the functions and types of loops."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from symtape.codegen.expressions import (
    PYTHON,
    both,
    call,
    either,
    literal,
    negated,
    operator,
    related,
    whole,
    word,
)
from symtape.codegen.loops.scalars import Language, Word
from symtape.codegen.python_math import gaussian, normal_cdf, sine_quotient
from symtape.errors import UnsupportedError
from symtape.kernels.nodes import POWER, RELATION, SUM, Node
from symtape.program.operations import DType, dtype_name, partner

TYPES = frozenset(
    "float64 float32 complex128 complex64 bool int8 int16 int32 int64 uint8 uint16 uint32 "
    "uint64".split()
)


def _same(*names: str) -> dict[str, dict[str, Word]]:
    """List functions of one argument that `math` has for real and NumPy for complex numbers."""
    return {n: {"f": f"math.{n}", "c": f"np.{n}"} for n in names}


def _inverse(*names: str) -> dict[str, dict[str, Word]]:
    return {n: {"f": f"math.{n}", "c": f"np.arc{n[1:]}"} for n in names}


def _cast(dtype: DType, x: Node) -> Node:
    return call(type_name(dtype), x)


def _typed(function: str) -> Callable[..., Node]:
    """Call a function of float64, and give its result the type of its operands."""
    return lambda dtype, *xs: _cast(partner(dtype, "real"), call(function, *xs))


def _sign(sign: str) -> Callable[..., Node]:
    return lambda _, *xs: operator(sign, xs, RELATION)


def _whole(sign: str) -> Callable[..., Node]:
    """Divide integers."""
    return lambda _, x, y: operator(sign, (x, call("nonzero", y)), SUM)


def _power(dtype: DType, x: Node, y: Node) -> Node:
    return operator("**", (x, y), POWER)


WORDS: dict[str, dict[str, Word]] = {
    **_same("exp", "log", "sin", "cos", "tan", "sinh", "cosh", "tanh", "sqrt"),
    **_inverse("atan", "asin", "acos", "asinh", "acosh", "atanh"),
    **{n: {"f": f"math.{n}"} for n in ("log1p", "expm1", "erfc", "lgamma", "hypot", "atan2")},
    **{n: {"f": f"np.{n}"} for n in ("floor", "ceil", "rint", "trunc", "nextafter")},
    "erf": {"f": _typed("table_erf")},
    "gaussian": {"f": _typed("gaussian")},
    "normal_cdf": {"f": _typed("normal_cdf")},
    "sine_quotient": {"f": _typed("sine_quotient")},
    "power": {
        "f": "math.pow", "c": _power, "i": lambda d, x, y: _power(d, x, call("natural", y)),
    },
    "absolute": dict.fromkeys("fci", "abs"),
    "sign": {"f": "sign", "i": "sign", "c": "complex_sign"},
    "maximum": {"f": "maximum", "i": "max", "b": lambda _, *xs: either(xs)},
    "minimum": {"f": "minimum", "i": "min", "b": lambda _, *xs: both(xs)},
    "floor_divide": {"f": "floor_divide", "i": _whole("//")},
    "floor_mod": {"f": "floor_mod", "i": _whole("%")},
    "floored_remainder": {"f": "floored_remainder"},
    "conj": {"f": lambda _, x: x, "c": "np.conj", "i": lambda _, x: x},
    "real": {"f": lambda _, x: x, "c": "np.real", "i": lambda _, x: x},
    "imag": {"f": lambda _, x: x - x, "c": "np.imag"},
    "angle": {
        "f": lambda dtype, x: call("math.atan2", _cast(dtype, literal("0")), x),
        "c": _typed("np.angle"),
    },
    "to_complex": {"f": lambda dtype, *xs: _cast(partner(dtype, "complex"), call("complex", *xs))},
    "both": {"b": lambda _, *xs: both(xs), "i": _sign("&")},
    "either": {"b": lambda _, *xs: either(xs), "i": _sign("|")},
    "one_of": {"b": lambda _, *xs: related("!=", *xs), "i": _sign("^")},
    "negation": {"b": lambda _, x: negated(x), "i": lambda _, x: operator("~", (x,), POWER)},
    "is_nan": {"f": "math.isnan", "c": "np.isnan"},
    "is_inf": {"f": "math.isinf", "c": "np.isinf"},
    "is_finite": {
        "f": "math.isfinite", "c": "np.isfinite", "i": lambda *_: literal("True"),
    },
    "index": {"i": "checked"},
}  # fmt: skip


# --- what numba lacks, or has with another nan ----------------------------------------------------


def checked(k: int, n: int) -> int:
    """Give an index that lies among n elements."""
    if k < 0 or k >= n:
        raise IndexError("an index is out of range")
    return k


def nonzero(n: Any) -> Any:
    """Give an integer by which others are divided."""
    if n == 0:
        raise ZeroDivisionError("integers are divided by 0")
    return n


def natural(n: Any) -> Any:
    """Give an exponent of integers."""
    if n < 0:
        raise ValueError("Integers to negative integer powers are not allowed.")
    return n


def maximum(x: Any, y: Any) -> Any:
    """Give the larger one, or nan if one is."""
    return x if x > y or x != x else y  # noqa: PLR0124 - nan


def minimum(x: Any, y: Any) -> Any:
    """Give the smaller one, or nan if one is."""
    return x if x < y or x != x else y  # noqa: PLR0124 - nan


def sign(x: Any) -> Any:
    """Give 1, -1, 0 or nan."""
    return type(x)(1) if x > 0 else type(x)(-1) if x < 0 else x


def complex_sign(x: Any) -> Any:
    """Give x/|x|, or 0."""
    return x if x == 0 else x / abs(x)


def floor_mod(x: Any, y: Any) -> Any:
    """Give what is left of a division that is rounded down; it has the sign of y."""
    r = np.fmod(x, y)  # not by `floored_remainder`: numba compiles each word by itself
    r = r + y if r != 0 and (r < 0) != (y < 0) else r
    return math.copysign(r, y) if r == 0 else r


def floored_remainder(x: Any, y: Any) -> Any:
    """Give what is left of a division that is rounded down; a zero has the sign of x."""
    r = np.fmod(x, y)
    return r + y if r != 0 and (r < 0) != (y < 0) else r


def floor_divide(x: Any, y: Any) -> Any:
    """Divide and round down."""
    if y == 0:
        return x / y
    r = np.fmod(x, y)
    q = (x - r) / y
    if r != 0 and (r < 0) != (y < 0):
        q -= type(x)(1)
    whole = np.floor(q)
    return whole + type(x)(1) if q - whole > 0.5 else whole


HELPERS: tuple[Callable[..., Any], ...] = (
    checked, nonzero, natural, maximum, minimum, sign, complex_sign, gaussian, normal_cdf,
    sine_quotient, floored_remainder, floor_mod, floor_divide,
)  # fmt: skip


# --- numbers and types ----------------------------------------------------------------------------


def type_name(dtype: DType) -> str:
    """Name a type; raises `UnsupportedError` for one that numba lacks."""
    if dtype_name(dtype) not in TYPES:
        raise UnsupportedError(f"numba has no type for {dtype}; compile with backend='numpy'")
    return "np.bool_" if dtype.kind == "b" else f"np.{dtype_name(dtype)}"


def number(value: Any, dtype: DType) -> Node:
    """Write a number of a type.

    >>> number(0.1, np.dtype("float32")).write(str)
    'np.float32(0.1)'
    """
    if dtype.kind == "b":
        return literal(str(bool(value)))
    if dtype.kind == "c":
        value = complex(value)
        return _cast(dtype, call("complex", _plain(value.real), _plain(value.imag)))
    if dtype.kind in "iu":
        return whole(value) if dtype == np.int64 else _cast(dtype, whole(value))
    plain = _plain(float(value))
    return plain if dtype == np.float64 else _cast(dtype, plain)


def _plain(value: float) -> Node:
    if math.isfinite(value):
        return literal(repr(value), negative=math.copysign(1, value) < 0)
    if math.isnan(value):
        return word("math.nan")
    return word("math.inf") if value > 0 else -word("math.inf")


NUMBA = Language(
    name="numba",
    file="codegen/loops/numba_words.py",
    words=WORDS,
    number=number,
    cast=_cast,
    real="np.real",
    spell=lambda function, _: function,
    spelling=PYTHON,
)
