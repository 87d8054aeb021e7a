"""Bodies of elementwise operations as JSON: trees over a closed set of names.

A body is an integer, a text that names an operand (`"a0"`) or a constant (`"pi"`), or a list of a
head and its parts: `["Mul", 2, ["symtape.sigmoid", "a0"]]`. Nothing is evaluated when it is read:
each head of the table is a constructor that keeps its parts as they are.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from math import gcd
from typing import Any, NamedTuple

import sympy as sp
from sympy.logic.boolalg import Boolean

from symtape.errors import UnsupportedError
from symtape.exchange.reader import Entry
from symtape.program.functions import families, frameworks, scalar, special
from symtape.program.functions.scalar import Kind, Scalar
from symtape.program.operations import parameters

DEEPEST = 64
"""How deeply a body may be nested: what SymPy does with it is recursive."""

LONGEST = 4096
"""How many parts a body may have."""

KINDS: dict[str, Kind] = {
    f"symtape.{name}": kind
    for module in (scalar, special, families, frameworks)
    for name, kind in vars(module).items()
    if isinstance(kind, Kind)
}
"""The functions of the modules of `program/functions/`."""

FUNCTIONS: dict[str, tuple[Any, int]] = {
    made.__name__: (made, arity)
    for arity, made in [
        *[(1, f) for f in (sp.exp, sp.log, sp.sin, sp.cos, sp.tan, sp.asin, sp.acos, sp.atan)],
        *[(1, f) for f in (sp.sinh, sp.cosh, sp.tanh, sp.asinh, sp.acosh, sp.atanh)],
        *[(1, f) for f in (sp.Abs, sp.sign, sp.floor, sp.ceiling, sp.erf, sp.erfc, sp.gamma)],
        *[(1, f) for f in (sp.re, sp.im, sp.arg, sp.conjugate, sp.loggamma)],
        (2, sp.atan2),
    ]
}
"""SymPy's own functions, and how many arguments each has."""

CONSTANTS: dict[str, Any] = {
    "pi": sp.pi,
    "E": sp.E,
    "I": sp.I,
    "oo": sp.oo,
    "-oo": -sp.oo,
    "nan": sp.nan,
}
TRUTHS: dict[bool, Any] = {True: sp.true, False: sp.false}

RELATIONS = {
    "Eq": sp.Eq,
    "Ne": sp.Ne,
    "Gt": sp.StrictGreaterThan,
    "Ge": sp.GreaterThan,
    "Lt": sp.StrictLessThan,
    "Le": sp.LessThan,
}
SUMS = {"Add": sp.Add, "Mul": sp.Mul, "Max": sp.Max, "Min": sp.Min}

_TRUTH_KINDS = {"both", "either", "one_of", "negation", "is_nan", "is_inf", "is_finite"}


def is_truth(e: Any) -> bool:
    """Say whether an expression may be a condition; an operand may be one."""
    if isinstance(e, Scalar):
        return e.kind.name in _TRUTH_KINDS
    return isinstance(e, (Boolean, sp.Symbol))


def is_number(e: Any) -> bool:
    """Say whether an expression may be computed with."""
    return isinstance(e, sp.Expr)


# --- writing --------------------------------------------------------------------------------------

_HEADS: dict[Any, str] = {
    **{made: name for name, (made, _) in FUNCTIONS.items()},
    **{made: name for table in (RELATIONS, SUMS) for name, made in table.items()},
    **{kind: name for name, kind in KINDS.items()},
    sp.Pow: "Pow",
}
_LEAVES: dict[Any, Any] = {
    **{value: name for name, value in CONSTANTS.items()},
    **{value: name for name, value in TRUTHS.items()},
}


def written(body: Any, arity: int) -> Any:
    """Write a body as JSON; raises `UnsupportedError` for what is in no table."""
    return _Writing(arity).write(body, 0)


class _Writing:
    def __init__(self, arity: int) -> None:
        self.names: dict[Any, str] = {s: s.name for s in parameters(arity)}

    def write(self, e: Any, depth: int) -> Any:
        if depth > DEEPEST:
            raise UnsupportedError("a body is nested too deeply to be saved; pickle it instead")
        if e in self.names:
            return self.names[e]
        if e in _LEAVES and not e.is_Rational:
            return _LEAVES[e]
        if e.is_Rational:
            return _written_rational(e)
        if e.is_Float:
            sign, mantissa, exponent, _ = e._mpf_
            return ["Float", sign, str(int(mantissa)), exponent, e._prec]  # noqa: SLF001 - likewise
        if isinstance(e, sp.Piecewise):
            pairs = [(pair.expr, pair.cond) for pair in e.args]
            return ["Piecewise", *[[self.write(x, depth + 2) for x in pair] for pair in pairs]]
        head = _HEADS.get(scalar.kind_of(e))
        if head is None:
            raise UnsupportedError(
                f"the elementwise body {e} cannot be saved as JSON: {type(e).__name__} is in no "
                "table of exchange/expressions.py; pickle it instead"
            )
        return [head, *[self.write(part, depth + 1) for part in e.args]]


_SMALL = 10**17


def _written_rational(e: Any) -> Any:
    p, q = int(e.p), int(e.q)
    return p if q == 1 and abs(p) < _SMALL else ["Rational", str(p), str(q)]


# --- reading --------------------------------------------------------------------------------------


def read(entry: Entry, arity: int) -> Any:
    """Read a body of so many operands; raises `FormatError` for everything that is in no table."""
    return _Reading(arity).read(entry, 0)


class _Reading:
    def __init__(self, arity: int) -> None:
        self.symbols = {s.name: s for s in parameters(arity)}
        self.count = 0

    def read(self, entry: Entry, depth: int) -> Any:
        self.count += 1
        if depth > DEEPEST or self.count > LONGEST:
            entry.refuse("the body is nested too deeply or too long")
        value = entry.value
        if type(value) is bool:
            return TRUTHS[value]
        if type(value) is int:
            return sp.Integer(value)
        if type(value) is str:
            named = self.symbols.get(value)
            return CONSTANTS[entry.choice([*self.symbols, *CONSTANTS])] if named is None else named
        if type(value) is not list or not value:
            entry.refuse("a body is an integer, a text, true, false, or a list of a head and parts")
        head, *parts = entry.items()
        name = head.text()
        literal = _LITERALS.get(name)
        if literal is not None:
            return literal(entry, parts)
        rule = _RULES.get(name) or head.refuse(f"unknown function {name!r:.40}")
        if rule.arity is not None and len(parts) != rule.arity:
            entry.refuse(f"{name} takes {rule.arity} parts, not {len(parts)}")
        if name == "Piecewise":
            return rule.build(*[self._case(part, depth + 1) for part in parts])
        inner = [self.read(part, depth + 1) for part in parts]
        for part, e in zip(parts, inner, strict=True):
            if not (is_truth(e) if rule.takes_truth else is_number(e)):
                part.refuse(f"{name} does not take this")
        return rule.build(*inner)

    def _case(self, entry: Entry, depth: int) -> tuple[Any, Any]:
        parts = list(entry.items())
        if len(parts) != 2:
            entry.refuse("a case has a value and a condition")
        value, condition = [self.read(part, depth + 1) for part in parts]
        if not is_number(value) or not is_truth(condition) or condition.has(sp.Piecewise):
            entry.refuse("a case has a value, and a condition without cases")
        return value, condition


class _Rule(NamedTuple):
    """How a head is built: its constructor, how many parts it has, and whether they are truths."""

    build: Callable[..., Any]
    arity: int | None
    takes_truth: bool = False


def _kept(made: Any) -> Callable[..., Any]:
    return lambda *parts: made(*parts, evaluate=False)


def _kept_kind(kind: Kind) -> Callable[..., Any]:
    return lambda *parts: kind(*parts, evaluate=False)


_TAKES_TRUTH = {"both", "either", "one_of", "negation"}

_RULES: dict[str, _Rule] = {
    **{name: _Rule(_kept(made), arity) for name, (made, arity) in FUNCTIONS.items()},
    **{name: _Rule(_kept(made), None) for name, made in SUMS.items()},
    **{name: _Rule(_kept(made), 2) for name, made in RELATIONS.items()},
    **{
        name: _Rule(
            _kept_kind(kind),
            kind.definition.__code__.co_argcount,
            takes_truth=kind.name in _TAKES_TRUTH,
        )
        for name, kind in KINDS.items()
    },
    "Pow": _Rule(_kept(sp.Pow), 2),
    "Piecewise": _Rule(_kept(sp.Piecewise), None),
}

_DIGITS = re.compile(r"-?(0|[1-9][0-9]{0,1999})", re.ASCII)


def whole(entry: Entry) -> int:
    """Read an integer that is written as a text, of at most 2000 digits."""
    text = entry.text()
    if not _DIGITS.fullmatch(text):
        entry.refuse(f"{text!r:.40} is no integer")
    return int(text)


def _rational(entry: Entry, parts: list[Entry]) -> Any:
    if len(parts) != 2:
        entry.refuse("a Rational has two parts")
    p, q = whole(parts[0]), whole(parts[1])
    if q < 1 or gcd(p, q) != 1:
        entry.refuse(f"{p}/{q} is not in lowest terms")
    return sp.Rational(p, q)


def _float(entry: Entry, parts: list[Entry]) -> Any:
    if len(parts) != 4:
        entry.refuse("a Float has four parts: sign, mantissa, exponent, bits")
    sign, mantissa = parts[0].integer(0, 1), whole(parts[1])
    exponent, bits = parts[2].integer(-100_000, 100_000), parts[3].integer(1, 10_000)
    if mantissa < 0 or mantissa.bit_length() > bits:
        parts[1].refuse(f"the mantissa does not fit {bits} bits")
    return sp.Float((sign, mantissa, exponent, mantissa.bit_length()), precision=bits)


_LITERALS: dict[str, Callable[[Entry, list[Entry]], Any]] = {
    "Rational": _rational,
    "Float": _float,
}
