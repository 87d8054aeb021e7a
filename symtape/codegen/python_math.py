"""How Python writes a scalar body on floats: the words of `math` and `cmath` for NumPy's."""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from symtape.kernels.nodes import (
    ATOM,
    CHOICE,
    RELATION,
    SUM,
    TERM,
    Attribute,
    Call,
    Group,
    Node,
    Number,
    Operator,
    Slot,
    Word,
    dotted,
    number,
    rebuilt,
)
from symtape.kernels.scalar_code import body
from symtape.program.operations import Map

# --- Python's words for NumPy's -------------------------------------------------------------------


def _words(home: str, same: str, **others: str) -> dict[str, Node]:
    """Name the functions of a module: those that NumPy calls alike, and others."""
    names = {**{name: name for name in same.split()}, **others}
    return {name: Attribute(Word(home), own) for name, own in names.items()}


REAL = _words(
    "math",
    "exp log sin cos tan sinh tanh log1p expm1 sqrt hypot nextafter isnan isinf isfinite",
    arctan="atan", arcsinh="asinh", arctan2="atan2", arcsin="asin", arccos="acos",
    arccosh="acosh", arctanh="atanh", power="pow",
) | {"abs": Word("abs"), "cosh": Word("cosh")}  # fmt: skip
COMPLEX = _words(
    "cmath",
    "exp log sin cos tan sinh cosh tanh sqrt isnan isinf isfinite",
    arctan="atan", arcsinh="asinh", arcsin="asin", arccos="acos", arccosh="acosh",
    arctanh="atanh", angle="phase",
) | {"abs": Word("abs"), "power": Word("pow")}  # fmt: skip
SPECIAL = _words("math", "erf erfc lgamma")


def maximum(x: float, y: float) -> float:
    """Give the larger number; nan if there is one."""
    return x if x >= y or x != x else y  # noqa: PLR0124 - nan


def minimum(x: float, y: float) -> float:
    """Give the smaller number; nan if there is one."""
    return x if x <= y or x != x else y  # noqa: PLR0124 - nan


def sign(x: float) -> float:
    """Give -1, 0 or 1, or nan."""
    return math.copysign(1.0, x) if x > 0 or x < 0 else x


def logaddexp(x: float, y: float) -> float:
    """Give log(exp(x) + exp(y))."""
    if x == y:
        return x + math.log(2)
    return max(x, y) + math.log1p(math.exp(-abs(x - y)))


def square(x: float) -> float:
    """Give x², an infinity where `x ** 2` raises."""
    return x * x


def cosh(x: float) -> float:
    """Give the hyperbolic cosine, an infinity where `math.cosh` raises."""
    try:
        return math.cosh(x)
    except OverflowError:
        return math.inf


def sigmoid_slope(x: float) -> float:
    """Give sigmoid(x)·sigmoid(-x)."""
    e = math.exp(-abs(x))
    return e / (1 + e) ** 2


def asinh_slope(x: float) -> float:
    """Give 1/√(1 + x²)."""
    return 1 / math.hypot(1, x)


def floored_remainder(x: float, y: float) -> float:
    """Give what is left of a division that is rounded down; a zero has the sign of x."""
    return (x % y or 0.0 * x) if y else math.nan


def masked_product(g: float, slope: float) -> float:
    """Give the product, 0 where g is 0."""
    return g * slope if g else g


def pivot(x: float) -> float:
    """Give x where it is finite, else 0."""
    return x if math.isfinite(x) else 0.0


def step(x: float) -> float:
    """Give 1 where x > 0, else 0."""
    return 1.0 if x > 0 else 0.0


def gaussian(c: float, x: float) -> float:
    """Give exp(c x²), with the rounding of x² taken out exactly (Dekker 1971)."""
    y = float(x) if abs(x) < 64 or x != x else 64.0  # noqa: PLR0124 - nan
    square = y * y
    wide = 134217729.0 * y
    high = wide - (wide - y)
    low = y - high
    rest = (high * high - square) + 2.0 * high * low + low * low
    found = math.exp(c * square)
    return found * (1.0 + c * rest)


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


def sine_quotient(k: float, x: float) -> float:
    """Give the k-th derivative of sin(x)/x; see `kernels/special/integrals.py`."""
    order = int(k)
    if abs(x) <= (1 + order / 2 if order else 0):
        first = (order + 1) // 2
        term, series = float((-1) ** first) * (x if order % 2 else 1.0), 0.0
        for m in range(first, first + 2 * order + 14):
            series += term / (2 * m + 1)
            term *= -x / (2 * m - order + 1) * (x / (2 * m - order + 2))
        return series
    if math.isinf(x):
        return math.nan
    wave, turned = math.sin(x), math.cos(x)
    found = wave / x
    for j in range(1, order + 1):
        wave, turned = turned, -wave
        found = (wave - j * found) / x
    return found


_OURS: dict[str, Callable[..., Any]] = {
    f.__name__: f
    for f in (
        maximum, minimum, sign, logaddexp, square, cosh, sigmoid_slope, asinh_slope,
        floored_remainder, masked_product, pivot, step, gaussian, normal_cdf,
        sine_quotient,
    )
}  # fmt: skip

NAMESPACE: dict[str, Any] = {"math": math, "cmath": cmath, **_OURS}
"""The only names that generated code may use."""


_MATH = Word("math")
_SIGNS = {"*": " * ", "/": " / ", "**": " ** ", " & ": " and ", " | ": " or ", "~": "not "}


class _Python:
    """Turns NumPy's nodes of a scalar body into Python's; raises KeyError for what it lacks."""

    def __init__(self, *, is_complex: bool) -> None:
        self.is_complex = is_complex
        self.words = COMPLEX if is_complex else REAL

    def __call__(self, node: Node) -> Node:
        """Turn a node whose parts are Python's."""
        if isinstance(node, Operator):
            return self._operator(node)
        if isinstance(node, Call):
            return self._call(*dotted(node.parts[0]), node.parts[1:])
        if isinstance(node, Group):
            return node.parts[0]
        home, name = dotted(node)
        return Attribute(_MATH, name) if home and name in {"pi", "inf", "nan"} else node

    def _call(self, home: str, name: str, args: Sequence[Node]) -> Node:
        """Rename a function, or write what it does."""
        if home == "special":
            return SPECIAL[name](*args) if name in SPECIAL else self._own(name, args)
        if name == "select":
            return _choice(args[0], _as_float(args[1]), _as_float(args[2]))
        if name == "to_complex":
            return Word("complex")(*args)
        if not home:
            return self._own(name, args)
        if name in _SPELLED:
            return _SPELLED[name](*args)
        if name in {"conjugate", "real", "imag"}:
            return _part(name, args[0], is_complex=self.is_complex)
        if name in self.words:
            return self.words[name](*args)
        return self._own(name, [*map(_as_float, args)])

    def _own(self, name: str, args: Sequence[Node]) -> Node:
        if name not in _OURS or (self.is_complex and name != "masked_product"):
            raise KeyError(name)
        return Word(name)(*args)

    def _operator(self, node: Operator) -> Node:
        """Write logic with words, and powers so that a negative base raises."""
        (*_, sign), limits = node.data
        if sign == "**" and not self.is_complex and not _is_whole(node.parts[1]):
            return _MATH.pow(*node.parts)
        signs, binding = [_SIGNS.get(sign, sign) for sign in node.data[0]], node.binding
        if sign in {" & ", " | ", "~"}:
            limits, binding = [RELATION] * len(signs), RELATION if sign == "~" else CHOICE
        limits = [
            ATOM if isinstance(x, Slot) else limit
            for x, limit in zip(node.parts, limits, strict=True)
        ]
        return Operator(signs, node.parts, limits, binding)


def _choice(condition: Node, x: Node, y: Node) -> Node:
    limits = [ATOM if isinstance(e, Slot) else RELATION for e in (x, condition)]
    last = ATOM if isinstance(y, Slot) else CHOICE
    return Operator(("", " if ", " else "), (x, condition, y), [*limits, last], CHOICE)


def _as_float(e: Node) -> Node:
    return number(float(e.value)) if isinstance(e, Number) else e


def _is_whole(e: Node) -> bool:
    return isinstance(e, Number) and isinstance(e.value, int)


def _spaced(x: Node, sign: str, y: Node) -> Node:
    return Operator(("", sign), (x, y), (ATOM, ATOM), TERM)


def _square(x: Node) -> Node:
    return _spaced(x, " * ", x) if isinstance(x, Slot) else Word("square")(x)


def _part(name: str, x: Node, *, is_complex: bool) -> Node:
    if is_complex:
        found = Attribute(x, name)
        return found() if name == "conjugate" else found
    return _spaced(number(0.0), " * ", x) if name == "imag" else x


def _whole(function: Node) -> Callable[[Node], Node]:
    return lambda x: Word("float")(function(x))


_SPELLED: dict[str, Callable[..., Node]] = {
    "square": _square,
    "floor": _whole(_MATH.floor),
    "ceil": _whole(_MATH.ceil),
    "trunc": _whole(_MATH.trunc),
    "rint": _whole(Word("round")),
    "floor_divide": lambda x, y: _spaced(x, " // ", y),
    "mod": lambda x, y: _spaced(x, " % ", y),
}


@lru_cache(maxsize=4096)
def python_form(operation: Map, *, is_complex: bool) -> Node:
    """Write a scalar body in Python, of slots."""
    form = rebuilt(body(operation), _Python(is_complex=is_complex))
    if [form.binding, *map(type, form.parts)] == [SUM, Slot, Slot]:
        return Operator(form.data[0], form.parts, (TERM, TERM), SUM)
    return form
