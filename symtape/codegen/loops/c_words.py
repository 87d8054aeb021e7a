"""What C99 calls functions and types; ``@`` is the suffix of a type, ``$T`` its name."""

from __future__ import annotations

import math
import re
from functools import cache
from typing import Any

import numpy as np

from symtape.codegen.loops.scalars import Language
from symtape.codegen.scope import Grammar, words_in
from symtape.errors import UnsupportedError
from symtape.program.operations import DType, partner

TYPES = {
    "float64": "double",
    "float32": "float",
    "complex128": "double complex",
    "complex64": "float complex",
    "bool": "bool",
    **{f"{u}int{n}": f"{u}int{n}_t" for u in ("", "u") for n in (8, 16, 32, 64)},
}


def type_name(dtype: DType) -> str:
    """Name the type of C; raises `UnsupportedError` for one that C99 lacks."""
    found = TYPES.get(dtype.name)
    if found is None:
        raise UnsupportedError(
            f"c has no type for {dtype}; cast to float32, or compile with backend='numpy'"
        )
    return found


def _same(*names: str) -> dict[str, dict[str, str]]:
    """List functions that C has for real and complex numbers, with a c in front."""
    return {n: {"f": f"{n}@({{0}})", "c": f"c{n}@({{0}})"} for n in names}


WORDS: dict[str, dict[str, str]] = {
    **_same("exp", "log", "sin", "cos", "tan", "atan", "asin", "acos", "sinh", "cosh", "tanh"),
    **_same("asinh", "acosh", "atanh", "sqrt"),
    **{n: {"f": f"{n}@({{0}})"} for n in ("log1p", "expm1", "erf", "floor", "ceil", "rint")},
    "trunc": {"f": "trunc@({0})"},
    "erfc": {"f": "erfc@({0})"},
    "lgamma": {"f": "lgamma@({0})"},
    "hypot": {"f": "hypot@({0}, {1})"},
    "atan2": {"f": "atan2@({0}, {1})"},
    "nextafter": {"f": "nextafter@({0}, {1})"},
    "gaussian": {"f": "($T)st_gaussian({0}, {1})"},
    "normal_cdf": {"f": "($T)st_normal_cdf({0})"},
    "power": {"f": "pow@({0}, {1})", "c": "cpow@({0}, {1})", "i": "st_power({0}, {1})"},
    "absolute": {"f": "fabs@({0})", "c": "cabs@({0})", "i": "st_abs({0})"},
    "sign": {"f": "st_sign@({0})", "i": "st_sign_of_int({0})", "c": "st_csign@({0})"},
    "maximum": {"f": "st_max@({0}, {1})", "i": "st_imax({0}, {1})", "b": "({0} || {1})"},
    "minimum": {"f": "st_min@({0}, {1})", "i": "st_imin({0}, {1})", "b": "({0} && {1})"},
    "floor_divide": {"f": "st_floor_divide@({0}, {1})", "i": "st_div({0}, {1})"},
    "floor_mod": {"f": "st_floor_mod@({0}, {1})", "i": "st_mod({0}, {1})"},
    "conj": {"f": "{0}", "c": "conj@({0})", "i": "{0}"},
    "real": {"f": "{0}", "c": "creal@({0})", "i": "{0}"},
    "imag": {"f": "({0} - {0})", "c": "cimag@({0})"},
    "angle": {"f": "atan2@(0, {0})", "c": "carg@({0})"},
    "to_complex": {"f": "st_complex@({0}, {1})"},
    "both": {"b": "({0} && {1})", "i": "({0} & {1})"},
    "either": {"b": "({0} || {1})", "i": "({0} | {1})"},
    "one_of": {"b": "({0} != {1})", "i": "({0} ^ {1})"},
    "negation": {"b": "(!{0})", "i": "(~{0})"},
    "is_nan": {"f": "(isnan({0}) != 0)", "c": "(isnan(creal({0})) || isnan(cimag({0})))"},
    "is_inf": {"f": "(isinf({0}) != 0)", "c": "(isinf(creal({0})) || isinf(cimag({0})))"},
    "is_finite": {
        "f": "(isfinite({0}) != 0)",
        "c": "(isfinite(creal({0})) && isfinite(cimag({0})))",
        "i": "true",
    },
    "index": {"i": "st_index({0}, {1}, &status)"},
}

HELPERS: dict[str, str] = {
    "st_index": """
static inline int64_t st_index(int64_t k, int64_t n, int *status)
{
    if (k < 0 || k >= n) {
        *status = 2;
        return 0;
    }
    return k;
}""",
    "st_gaussian": """
/* exp(c*x*x); the rounding of x*x is taken out exactly (Dekker 1971) */
static inline double st_gaussian(double c, double x)
{
    double y = fabs(x) < 64 ? x : (x != x ? x : 64);
    double square = y*y, wide = 134217729.0*y;
    double high = wide - (wide - y), low = y - high;
    double rest = (high*high - square) + 2*high*low + low*low;
    double found = exp(c*square);
    return found + found*(c*rest);
}""",
    "st_normal_cdf": """
/* erfc(-x/sqrt(2))/2, with the slope of erfc times what the product was rounded by */
static inline double st_normal_cdf(double x)
{
    const double a = 0.70710678118654757, a_rest = -4.8336466567264567e-17;
    double y = -(a*x), wide, high, low, error, slope;
    if (!(y > 0.5 && y < 28))
        return 0.5*erfc(y);
    wide = 134217729.0*x;
    high = wide - (wide - x);
    low = x - high;
    error = -((0.70710676908493042*high + y) + 0.70710676908493042*low
              + 1.2101617152815436e-08*high + 1.2101617152815436e-08*low + a_rest*x);
    slope = -1.1283791670955126*exp(-y*y);
    return 0.5*(erfc(y) + slope*error);
}""",
    "st_power": """
static inline int64_t st_power(int64_t x, int64_t n)
{
    int64_t found = 1;
    for (; n > 0; n /= 2) {
        if (n % 2)
            found *= x;
        if (n > 1)
            x *= x;
    }
    return found;
}""",
    "st_abs": "\nstatic inline int64_t st_abs(int64_t x) { return x < 0 ? -x : x; }",
    "st_sign_of_int": (
        "\nstatic inline int64_t st_sign_of_int(int64_t x) { return (x > 0) - (x < 0); }"
    ),
    "st_imax": "\nstatic inline int64_t st_imax(int64_t x, int64_t y) { return x > y ? x : y; }",
    "st_imin": "\nstatic inline int64_t st_imin(int64_t x, int64_t y) { return x < y ? x : y; }",
    "st_div": """
static inline int64_t st_div(int64_t x, int64_t y)
{
    if (y == 0)
        return 0;
    return x/y - (x%y != 0 && (x < 0) != (y < 0));
}""",
    "st_mod": """
static inline int64_t st_mod(int64_t x, int64_t y)
{
    int64_t r = y == 0 ? 0 : x%y;
    return r != 0 && (r < 0) != (y < 0) ? r + y : r;
}""",
}
"""Functions that C lacks; a file has those that it calls."""

_OF_FLOATS: dict[str, str] = {
    "st_sign@": "\nstatic inline $T st_sign@($T x) { return x > 0 ? 1 : x < 0 ? -1 : x; }",
    "st_csign@": """
static inline $T complex st_csign@($T complex x)
{
    return x == 0 ? x : x/cabs@(x);
}""",
    "st_max@": ("\nstatic inline $T st_max@($T x, $T y) { return x > y || x != x ? x : y; }"),
    "st_min@": ("\nstatic inline $T st_min@($T x, $T y) { return x < y || x != x ? x : y; }"),
    "st_complex@": """
static inline $T complex st_complex@($T x, $T y)
{
    union { $T parts[2]; $T complex whole; } found;
    found.parts[0] = x;
    found.parts[1] = y;
    return found.whole;
}""",
    "st_floor_mod@": """
static inline $T st_floor_mod@($T x, $T y)
{
    $T r = fmod@(x, y);
    if (r == 0)
        return copysign@(0, y);
    return (r < 0) != (y < 0) ? r + y : r;
}""",
    "st_floor_divide@": """
static inline $T st_floor_divide@($T x, $T y)
{
    $T r = fmod@(x, y), q, whole;
    if (y == 0)
        return x/y;
    q = (x - r)/y;
    if (r != 0 && (r < 0) != (y < 0))
        q -= 1;
    whole = floor@(q);
    return q == 0 ? copysign@(0, x/y) : q - whole > ($T)0.5 ? whole + 1 : whole;
}""",
}
for _name, _text in _OF_FLOATS.items():
    for _suffix, _type in (("", "double"), ("f", "float")):
        HELPERS[_name.replace("@", _suffix)] = _text.replace("@", _suffix).replace("$T", _type)


_LANGUAGE = frozenset(
    "auto bool break case char complex const constexpr continue default do double else enum extern "
    "false float for goto if imaginary inline int linux long math_errhandling nullptr register "
    "restrict return short signed sizeof static struct switch thread_local true typedef typeof "
    "union unix unsigned void volatile while free malloc creal".split()
)
"""Keywords, what headers and compilers define in small letters, and what every function calls."""


@cache
def _called() -> frozenset[str]:
    """List the functions and types that a function may name; the status is a variable of ours."""
    templates = [t for table in WORDS.values() for t in table.values()]
    spelled = [spell(t, np.dtype(d)) for t in templates for d in ("float32", "float64")]
    return frozenset().union(*map(words_in, [*spelled, *TYPES.values()])) - {"status"}


_MACRO = re.compile(r"I|(?=.*[A-Z].*[A-Z])[A-Z][A-Z0-9]*(_[A-Z0-9]+)*")


def _is_word(text: str) -> bool:
    """Say whether a name is one of C's, or looks like a macro."""
    return text in _LANGUAGE or text in _called() or _MACRO.fullmatch(text) is not None


def _is_name(text: str) -> bool:
    """Leave to C what begins with `_`, and to helpers of ours what begins with `st_`."""
    return text.isascii() and text.isidentifier() and not text.startswith(("_", "st_"))


GRAMMAR = Grammar(_is_name, _is_word)
"""What C takes for the name of an argument, in a file that includes headers."""


def number(value: Any, dtype: DType) -> str:
    """Write a number of a type.

    >>> number(0.1, np.dtype("float32"))
    '0.1f'
    """
    kind, name = dtype.kind, type_name(dtype)
    if kind == "b":
        return "true" if value else "false"
    if kind in "iu":
        text = str(int(value))
        if int(value) == np.iinfo(np.int64).min:
            return "INT64_MIN"
        return text if abs(int(value)) < 2**31 else f"{'U' if kind == 'u' else ''}INT64_C({text})"
    if kind == "c":
        value = complex(value)
        real = partner(dtype, "real")
        suffix = "f" if real.itemsize == 4 else ""
        return f"st_complex{suffix}({number(value.real, real)}, {number(value.imag, real)})"
    value = dtype.type(value)
    if math.isnan(value):
        return "NAN"
    if math.isinf(value):
        return "INFINITY" if value > 0 else "-INFINITY"
    return str(value) + ("f" if name == "float" else "")


def convert(text: str, old: DType, new: DType) -> str:
    """Write a number as one of another type."""
    if new.kind == "b":
        return text if old.kind == "b" else f"({text} != 0)"
    if old.kind == "c" and new.kind != "c":
        text = f"creal({text})"
    return f"({type_name(new)})({text})"


def spell(template: str, dtype: DType) -> str:
    """Put the suffix and the name of a type into a template."""
    real = partner(dtype, "real")
    return template.replace("@", "f" if real == np.float32 else "").replace(
        "$T", TYPES.get(real.name, "double")
    )


C = Language(
    name="c",
    file="codegen/loops/c_words.py",
    words=WORDS,
    number=number,
    choose=lambda condition, x, y: f"({condition} ? {x} : {y})",
    conjunction=" && ",
    disjunction=" || ",
    negation="!",
    divide="/",
    convert=convert,
    spell=spell,
)
