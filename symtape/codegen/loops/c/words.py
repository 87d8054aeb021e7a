"""What C99 calls functions and types; ``{}`` is the suffix of a type."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

from symtape.codegen.expressions import (
    Spelling,
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
from symtape.codegen.loops.scalars import Language
from symtape.codegen.loops.scalars import Word as Written
from symtape.codegen.scope import Grammar
from symtape.errors import UnsupportedError
from symtape.kernels.nodes import POWER, RELATION, Node
from symtape.program.operations import DType, dtype_name, partner

TYPES = {
    "float64": "double",
    "float32": "float",
    "complex128": "double _Complex",
    "complex64": "float _Complex",
    "bool": "bool",
    **{f"{u}int{n}": f"{u}int{n}_t" for u in ("", "u") for n in (8, 16, 32, 64)},
}


def type_name(dtype: DType) -> str:
    """Name the type of C; raises `UnsupportedError` for one that C99 lacks."""
    found = TYPES.get(dtype_name(dtype))
    if found is None:
        raise UnsupportedError(
            f"c has no type for {dtype}; cast to float32, or compile with backend='numpy'"
        )
    return found


def _same(*names: str) -> dict[str, dict[str, Written]]:
    """List functions that C has for real and complex numbers, with a c in front."""
    return {n: {"f": n + "{}", "c": "c" + n + "{}"} for n in names}


def _cast(name: str, x: Node) -> Node:
    return call(f"({name})", x)


def _typed(function: str) -> Callable[..., Node]:
    """Call a function of double precision, and give its result the type of its operands."""
    return lambda dtype, *xs: _cast(type_name(partner(dtype, "real")), call(function, *xs))


def _sign(sign: str) -> Callable[..., Node]:
    return lambda _, *xs: operator(sign, xs, RELATION)


def _told(function: str) -> Callable[..., Node]:
    """Call a function that can say what is wrong."""
    return lambda _, *xs: call(function, *xs, word("&status"))


def _asked(question: str) -> Callable[..., Node]:
    """Ask a macro that gives any number but zero for what is true."""
    return lambda _, x: related("!=", call(question, x), literal("0"))


def _of_parts(question: str, join: Callable[[Sequence[Node]], Node]) -> Callable[..., Node]:
    return lambda _, z: join([call(question, call(part, z)) for part in ("creal", "cimag")])


WORDS: dict[str, dict[str, Written]] = {
    **_same("exp", "log", "sin", "cos", "tan", "atan", "asin", "acos", "sinh", "cosh", "tanh"),
    **_same("asinh", "acosh", "atanh", "sqrt"),
    **{
        n: {"f": n + "{}"}
        for n in "log1p expm1 erf erfc floor ceil rint trunc lgamma hypot atan2 nextafter".split()
    },
    "gaussian": {"f": _typed("st_gaussian")},
    "normal_cdf": {"f": _typed("st_normal_cdf")},
    "sine_quotient": {"f": _typed("st_sine_quotient")},
    "power": {"f": "pow{}", "c": "cpow{}", "i": _told("st_power")},
    "absolute": {"f": "fabs{}", "c": "cabs{}", "i": "st_abs"},
    "sign": {"f": "st_sign{}", "i": "st_sign_of_int", "c": "st_csign{}"},
    "maximum": {"f": "st_max{}", "i": "st_imax", "b": lambda _, *xs: either(xs)},
    "minimum": {"f": "st_min{}", "i": "st_imin", "b": lambda _, *xs: both(xs)},
    "floor_divide": {"f": "st_floor_divide{}", "i": _told("st_div")},
    "floor_mod": {"f": "st_floor_mod{}", "i": _told("st_mod")},
    "floored_remainder": {"f": "st_remainder{}"},
    "conj": {"f": lambda _, x: x, "c": "conj{}", "i": lambda _, x: x},
    "real": {"f": lambda _, x: x, "c": "creal{}", "i": lambda _, x: x},
    "imag": {"f": lambda _, x: x - x, "c": "cimag{}"},
    "angle": {
        "f": lambda dtype, x: call(spell("atan2{}", dtype), literal("0"), x),
        "c": "carg{}",
    },
    "to_complex": {"f": "st_complex{}"},
    "both": {"b": lambda _, *xs: both(xs), "i": _sign("&")},
    "either": {"b": lambda _, *xs: either(xs), "i": _sign("|")},
    "one_of": {"b": lambda _, *xs: related("!=", *xs), "i": _sign("^")},
    "negation": {"b": lambda _, x: negated(x), "i": lambda _, x: operator("~", (x,), POWER)},
    "is_nan": {"f": _asked("isnan"), "c": _of_parts("isnan", either)},
    "is_inf": {"f": _asked("isinf"), "c": _of_parts("isinf", either)},
    "is_finite": {
        "f": _asked("isfinite"), "c": _of_parts("isfinite", both), "i": lambda *_: word("true"),
    },
    "index": {"i": _told("st_index")},
}  # fmt: skip

_LANGUAGE = frozenset(
    "auto bool break case char complex const constexpr continue default do double else enum extern "
    "false float for goto if imaginary inline int linux long math_errhandling nullptr register "
    "restrict return short signed sizeof static struct switch thread_local true typedef typeof "
    "union unix unsigned void volatile while free malloc creal".split()
)
"""Keywords, what headers and compilers define in small letters, and what every function calls."""


@cache
def _called() -> frozenset[str]:
    """List the functions and types that a function may name."""
    own = {word for table in WORDS.values() for word in table.values() if isinstance(word, str)}
    spelled = {spell(word, np.dtype(d)) for word in own for d in ("float32", "float64")}
    parts = {"isnan", "isinf", "isfinite", "creal", "cimag"}
    return frozenset({*spelled, *parts, *[w for name in TYPES.values() for w in name.split()]})


_MACRO = re.compile(r"I|(?=.*[A-Z].*[A-Z])[A-Z][A-Z0-9]*(_[A-Z0-9]+)*")


def _is_word(text: str) -> bool:
    """Say whether a name is one of C's, or looks like a macro."""
    return text in _LANGUAGE or text in _called() or _MACRO.fullmatch(text) is not None


def _is_name(text: str) -> bool:
    """Leave to C what begins with `_`, and to helpers of ours what begins with `st_`."""
    return text.isascii() and text.isidentifier() and not text.startswith(("_", "st_"))


GRAMMAR = Grammar(_is_name, _is_word)
"""What C takes for the name of an argument, in a file that includes headers."""


def number(value: Any, dtype: DType) -> Node:
    """Write a number of a type.

    >>> number(0.1, np.dtype("float32")).write(str)
    '0.1f'
    """
    kind, name = dtype.kind, type_name(dtype)
    if kind == "b":
        return word("true" if value else "false")
    if kind in "iu":
        return _whole(int(value), "U" if kind == "u" else "")
    if kind == "c":
        value, real = complex(value), partner(dtype, "real")
        parts = [number(part, real) for part in (value.real, value.imag)]
        return call(spell("st_complex{}", dtype), *parts)
    value = dtype.type(value)
    if math.isnan(value):
        return word("NAN")
    if math.isinf(value):
        return word("INFINITY") if value > 0 else -word("INFINITY")
    return literal(str(value) + ("f" if name == "float" else ""), negative=bool(np.signbit(value)))


def _whole(value: int, sign: str) -> Node:
    """Write a whole number; the least one of C has no literal."""
    if value == np.iinfo(np.int64).min:
        return word("INT64_MIN")
    plain = whole(value)
    return plain if abs(value) < 2**31 else call(f"{sign}INT64_C", plain)


def spell(function: str, dtype: DType) -> str:
    """Put the suffix of a type behind the name of a function."""
    return function.format("f" if partner(dtype, "real") == np.float32 else "")


C = Language(
    name="c",
    file="codegen/loops/c/words.py",
    words=WORDS,
    number=number,
    cast=lambda dtype, x: _cast(type_name(dtype), x),
    real="creal",
    spell=spell,
    spelling=Spelling({"and": " && ", "or": " || ", "not": "!"}, "({0} ? {1} : {2})", "/"),
)
