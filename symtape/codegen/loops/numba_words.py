"""What numba's Python calls the functions and types of loops; ``$T`` is the name of a type."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from symtape.codegen.loops.scalars import Language
from symtape.errors import UnsupportedError
from symtape.program.operations import DType, partner

TYPES = frozenset(
    "float64 float32 complex128 complex64 bool int8 int16 int32 int64 uint8 uint16 uint32 "
    "uint64".split()
)


def _same(*names: str, real: str = "math.{}", wide: str = "np.{}") -> dict[str, dict[str, str]]:
    """List functions of one argument that `math` has for real and NumPy for complex numbers."""
    return {n: {"f": f"{real.format(n)}({{0}})", "c": f"{wide.format(n)}({{0}})"} for n in names}


def _inverse(*names: str) -> dict[str, dict[str, str]]:
    return {
        n: {"f": f"math.{n}({{0}})", "c": f"np.{n.replace('a', 'arc', 1)}({{0}})"} for n in names
    }


WORDS: dict[str, dict[str, str]] = {
    **_same("exp", "log", "sin", "cos", "tan", "sinh", "cosh", "tanh", "sqrt"),
    **_inverse("atan", "asin", "acos", "asinh", "acosh", "atanh"),
    **{n: {"f": f"math.{n}({{0}})"} for n in ("log1p", "expm1", "erfc", "lgamma")},
    "erf": {"f": "$T(table_erf({0}))"},
    **{n: {"f": f"np.{n}({{0}})"} for n in ("floor", "ceil", "rint", "trunc")},
    "hypot": {"f": "math.hypot({0}, {1})"},
    "atan2": {"f": "math.atan2({0}, {1})"},
    "nextafter": {"f": "np.nextafter({0}, {1})"},
    "gaussian": {"f": "$T(gaussian({0}, {1}))"},
    "normal_cdf": {"f": "$T(normal_cdf({0}))"},
    "power": {"f": "math.pow({0}, {1})", "c": "({0})**({1})", "i": "({0})**({1})"},
    "absolute": dict.fromkeys("fci", "abs({0})"),
    "sign": {"f": "sign({0})", "i": "sign({0})", "c": "complex_sign({0})"},
    "maximum": {"f": "maximum({0}, {1})", "i": "max({0}, {1})", "b": "({0} or {1})"},
    "minimum": {"f": "minimum({0}, {1})", "i": "min({0}, {1})", "b": "({0} and {1})"},
    "floor_divide": {"f": "floor_divide({0}, {1})", "i": "({0})//({1})"},
    "floor_mod": {"f": "floor_mod({0}, {1})", "i": "({0})%({1})"},
    "conj": {"f": "{0}", "c": "({0}).conjugate()", "i": "{0}"},
    "real": {"f": "{0}", "c": "({0}).real", "i": "{0}"},
    "imag": {"f": "({0} - {0})", "c": "({0}).imag"},
    "angle": {"f": "math.atan2($T(0), {0})", "c": "$T(np.angle({0}))"},
    "to_complex": {"f": "$C(complex({0}, {1}))"},
    "both": {"b": "({0} and {1})", "i": "({0} & {1})"},
    "either": {"b": "({0} or {1})", "i": "({0} | {1})"},
    "one_of": {"b": "({0} != {1})", "i": "({0} ^ {1})"},
    "negation": {"b": "(not {0})", "i": "(~{0})"},
    "is_nan": {"f": "math.isnan({0})", "c": "np.isnan({0})"},
    "is_inf": {"f": "math.isinf({0})", "c": "np.isinf({0})"},
    "is_finite": {"f": "math.isfinite({0})", "c": "np.isfinite({0})", "i": "True"},
    "index": {"i": "checked({0}, {1})"},
}


# --- what numba lacks, or has with another nan ----------------------------------------------------


def checked(k: int, n: int) -> int:
    """Give an index that lies among n elements."""
    if k < 0 or k >= n:
        raise IndexError("an index is out of range")
    return k


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


def gaussian(c: float, x: float) -> float:
    """Give exp(c x²), with the rounding of x² taken out exactly (Dekker 1971)."""
    y = float(x) if abs(x) < 64 or x != x else 64.0  # noqa: PLR0124 - nan
    square = y * y
    wide = 134217729.0 * y
    high = wide - (wide - y)
    low = y - high
    rest = (high * high - square) + 2.0 * high * low + low * low
    found = math.exp(c * square)
    return found + found * (c * rest)


def normal_cdf(x: float) -> float:
    """Give erfc(-x/√2)/2, with the slope of erfc times what the product was rounded by."""
    z = float(x)
    y = -(0.7071067811865476 * z)
    if not 0.5 < y < 28.0:
        return 0.5 * math.erfc(y)
    wide = 134217729.0 * z
    high = wide - (wide - z)
    low = z - high
    near = (0.70710676908493042 * high + y) + 0.70710676908493042 * low
    far = 1.2101617152815436e-08 * high + 1.2101617152815436e-08 * low
    error = -(near + far - 4.8336466567264567e-17 * z)
    return 0.5 * (math.erfc(y) - 1.1283791670955126 * math.exp(-y * y) * error)


def floor_mod(x: Any, y: Any) -> Any:
    """Give what is left of a division that is rounded down; it has the sign of y."""
    r = np.fmod(x, y)
    if r == 0:
        return math.copysign(type(x)(0), y)
    return r + y if (r < 0) != (y < 0) else r


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
    checked, maximum, minimum, sign, complex_sign, gaussian, normal_cdf, floor_mod, floor_divide,
)  # fmt: skip


# --- numbers and types ----------------------------------------------------------------------------


def type_name(dtype: DType) -> str:
    """Name a type; raises `UnsupportedError` for one that numba lacks."""
    if dtype.name not in TYPES:
        raise UnsupportedError(f"numba has no type for {dtype}; compile with backend='numpy'")
    return "np.bool_" if dtype.kind == "b" else f"np.{dtype.name}"


def number(value: Any, dtype: DType) -> str:
    """Write a number of a type.

    >>> number(0.1, np.dtype("float32"))
    'np.float32(0.1)'
    """
    if dtype.kind == "b":
        return str(bool(value))
    if dtype.kind == "c":
        whole = complex(value)
        parts = f"{_plain(whole.real)}, {_plain(whole.imag)}"
        return f"{type_name(dtype)}(complex({parts}))"
    if dtype.kind in "iu":
        return str(int(value)) if dtype == np.int64 else f"{type_name(dtype)}({int(value)})"
    text = _plain(float(value))
    return text if dtype == np.float64 else f"{type_name(dtype)}({text})"


def _plain(value: float) -> str:
    return repr(value).replace("nan", "math.nan").replace("inf", "math.inf")


def convert(text: str, old: DType, new: DType) -> str:
    """Write a number as one of another type."""
    if new.kind == "b":
        return text if old.kind == "b" else f"({text} != 0)"
    if old.kind == "c" and new.kind != "c":
        text = f"({text}).real"
    return f"{type_name(new)}({text})"


def spell(template: str, dtype: DType) -> str:
    """Put the name of a real type, and of its complex partner, into a template."""
    real = partner(dtype, "real")
    return template.replace("$T", f"np.{real.name}").replace(
        "$C", f"np.{partner(dtype, 'complex').name}"
    )


NUMBA = Language(
    name="numba",
    file="codegen/loops/numba_words.py",
    words=WORDS,
    number=number,
    choose=lambda condition, x, y: f"({x} if {condition} else {y})",
    conjunction=" and ",
    disjunction=" or ",
    negation="not ",
    divide="//",
    convert=convert,
    spell=spell,
)
