"""Elementwise bodies over residues: expressions as functions, by a table of SymPy's nodes."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import mpmath
import sympy as sp

from symtape.errors import UnsupportedError
from symtape.exact.residues import LOST, Arithmetic, Residue, quietly
from symtape.program.numbers import written_number
from symtape.program.operations import Constant, Map

Body = Callable[..., Any]
"""Computes a body: `body(field, *elements)`."""


class Residues(Arithmetic):
    """Residues as a kind of number for `evaluate`."""

    def constant(self, operation: Constant) -> Any:
        """Read a number as its author meant it: 1/3, π and √2 for their floats."""
        number = operation.number
        if isinstance(number, (bool, complex)):
            return bool(number) if isinstance(number, bool) else self.number(number)
        return _body(written_number(number), ())(self)

    def function(self, operation: Map) -> Callable[..., Any]:
        """Compute an elementwise body, as its formula is written."""
        symbols, body = operation.formula
        compiled = _body(body, tuple(symbols))
        return lambda *elements: compiled(self, *elements)


@lru_cache(maxsize=4096)
def _body(e: Any, symbols: tuple[Any, ...]) -> Body:
    """Make a function of a body; raises `UnsupportedError` for what has no rule."""
    if e in symbols:
        place = symbols.index(e)
        return lambda _, *elements: elements[place]
    if isinstance(e, (sp.Rational, sp.Float)):
        number = sp.Rational(str(e)) if e.is_Float else e
        return lambda field, *_: field.fraction(int(number.p), int(number.q))
    if e in _CONSTANTS:
        return _constant(e)
    inner = [_body(x, symbols) for x in e.args] if not isinstance(e, sp.Piecewise) else []
    if isinstance(e, sp.Piecewise):
        return _piecewise(e, symbols)
    if isinstance(e, sp.Pow):
        return _power(e, inner)
    rule = _RULES.get(type(e)) or _without_laws(e)
    return lambda field, *elements: rule(field, *[f(field, *elements) for f in inner])


_CONSTANTS = {
    sp.pi,
    sp.E,
    sp.EulerGamma,
    sp.Catalan,
    sp.GoldenRatio,
    sp.oo,
    -sp.oo,
    sp.true,
    sp.false,
    sp.nan,
    sp.I,
}


def _constant(e: Any) -> Body:
    if e in (sp.true, sp.false):
        return lambda *_: bool(e)
    if e is sp.nan:
        return lambda field, *_: Residue(field, 0, 0, math.nan, level=LOST)
    if e is sp.I:
        return lambda field, *_: field.number(1j)
    value = float(e)
    if e is sp.E:
        return lambda field, *_: field.exp(field.integer(1))
    if math.isinf(value):
        return lambda field, *_: Residue(field, None, None, value)
    return lambda field, *_: field.positive(str(e), value)


def _piecewise(e: Any, symbols: tuple[Any, ...]) -> Body:
    """Take the branch that the real numbers take."""
    branches = [(_body(b.cond, symbols), _body(b.expr, symbols)) for b in e.args]

    def choose(field: Residues, *elements: Any) -> Any:
        for condition, value in branches:
            if condition(field, *elements):
                return value(field, *elements)
        return Residue(field, 0, 0, math.nan, level=LOST)

    return choose


def _power(e: Any, inner: Sequence[Body]) -> Body:
    """Raise to whole numbers, fractions, or by logarithms; the base e has an exponential."""
    base, exponent = e.args
    first, second = inner
    if base is sp.E:
        return lambda field, *elements: field.exp(second(field, *elements))
    if isinstance(exponent, sp.Integer):
        n = int(exponent)
        return lambda field, *elements: field.powered(first(field, *elements), n)
    if isinstance(exponent, sp.Rational):
        above, below = int(exponent.p), int(exponent.q)
        return lambda field, *elements: field.rational_power(first(field, *elements), above, below)
    return lambda field, *elements: _general_power(
        field, first(field, *elements), second(field, *elements)
    )


def _general_power(field: Any, x: Any, y: Any) -> Any:
    """Raise to a power that is computed: a whole one as such, others by the logarithm."""
    if float(y.real).is_integer() and y.p == int(y.real) % field.fields.p:
        return field.powered(x, int(y.real))
    found = field.exp(field.multiply([y, field.log(x)]))
    return found.beside(quietly(lambda v: v**y.real, x.real))


# --- exponentials and circles ---------------------------------------------------------------------


def _tanh(field: Any, x: Any) -> Any:
    twice = field.exp(field.multiply([field.integer(2), x]))
    if twice.p is None:
        return field.integer(1)
    one = field.integer(1)
    found = (twice - one) / (twice + one)
    return found.beside(math.tanh(x.real))


def _half_sum(sign: int) -> Body:
    def compute(field: Any, x: Any) -> Any:
        up, down = field.exp(x), field.exp(-x)
        both = field.add([up, field.multiply([field.integer(sign), down])])
        return field.multiply([field.fraction(1, 2), both])

    return compute


def circle(field: Any, x: Any) -> tuple[Any, Any]:
    """Give a point of the unit circle for an angle: (1 - t², 2 t) / (1 + t²)."""
    if x.p is None:
        lost = Residue(field, 0, 0, math.nan, level=LOST)
        return lost, lost
    t = field.odd("circle", x, 0.0)
    one = field.integer(1)
    square = t * t
    below = one + square
    cosine, sine = (one - square) / below, (t + t) / below
    return (
        cosine.beside(math.cos(x.real)),
        sine.beside(math.sin(x.real)),
    )


# --- choices --------------------------------------------------------------------------------------


def _relation(holds: Callable[[float, float], bool]) -> Body:
    return lambda _, x, y: holds(float(x), float(y))


_RULES: dict[Any, Body] = {
    sp.Add: lambda f, *xs: f.add(xs),
    sp.Mul: lambda f, *xs: f.multiply(xs),
    sp.exp: lambda f, x: f.exp(x),
    sp.log: lambda f, x: f.log(x),
    sp.tanh: _tanh,
    sp.coth: lambda f, x: f.integer(1) / _tanh(f, x),
    sp.sinh: _half_sum(-1),
    sp.cosh: _half_sum(1),
    sp.cos: lambda f, x: circle(f, x)[0],
    sp.sin: lambda f, x: circle(f, x)[1],
    sp.tan: lambda f, x: circle(f, x)[1] / circle(f, x)[0],
    sp.erfc: lambda f, x: f.integer(1) - f.odd("erf", x, math.erf(x.real)),
    sp.Abs: lambda f, x: f.absolute(x),
    sp.sign: lambda f, x: f.sign(x),
    sp.Max: lambda f, *xs: f.extremum("max", xs),
    sp.Min: lambda f, *xs: f.extremum("min", xs),
    sp.floor: lambda f, x: f.chosen(math.floor, x),
    sp.ceiling: lambda f, x: f.chosen(math.ceil, x),
    sp.Eq: _relation(lambda x, y: x == y),
    sp.Ne: _relation(lambda x, y: x != y),
    sp.Gt: _relation(lambda x, y: x > y),
    sp.Ge: _relation(lambda x, y: x >= y),
    sp.Lt: _relation(lambda x, y: x < y),
    sp.Le: _relation(lambda x, y: x <= y),
    sp.And: lambda _, *xs: all(xs),
    sp.Or: lambda _, *xs: any(xs),
    sp.Xor: lambda _, *xs: sum(map(bool, xs)) % 2 == 1,
    sp.Not: lambda _, x: not x,
    sp.re: lambda f, x: f.real(x),
    sp.conjugate: lambda f, x: f.conjugate(x),
    sp.im: lambda f, x: f.imaginary(x),
}

_ODD = {sp.erf, sp.asin, sp.atan, sp.asinh, sp.atanh, sp.Si, sp.erfi, sp.erfinv}


def _without_laws(e: Any) -> Body:
    """Draw a number for a function and its arguments; the real one is computed, if it can be."""
    kind = type(e)
    if not isinstance(e, sp.Function):
        raise UnsupportedError(f"{kind.__name__} has no residues; compare digits")
    name = kind.__name__

    def compute(field: Any, *xs: Any) -> Any:
        real = _real(kind, xs)
        return field.odd(name, xs[0], real) if kind in _ODD else field.drawn(name, xs, real)

    return compute


def _real(kind: Any, xs: Sequence[Any]) -> float:
    """Compute a function of floats by mpmath; nan where it cannot be, which decides nothing."""
    try:
        found = sp.N(kind(*[sp.Float(x.real) for x in xs]), 15)
        return float(found)
    except (TypeError, ValueError, ArithmeticError, mpmath.libmp.NoConvergence):
        return math.nan
