"""Decimal numbers in formulas that are done: what needs no more digits is computed."""

from __future__ import annotations

from typing import Any

import sympy as sp

from symtape.forms.matrix.algebra import Algebra
from symtape.forms.scalars.decimals import Numbers, is_below

_MOST_PLACES = 12
"""A decimal of more places is not what somebody would write."""


def folded(algebra: Algebra, e: Any) -> Any:
    """Compute the numbers in a sum or a product with decimals: 0.1 for 2 · 0.05, x / 0.9."""
    known = algebra.decimals(e)
    if not known or not isinstance(e, (sp.Add, sp.Mul)):
        return e
    numbers = [t for t in e.args if t.is_number or t.free_symbols <= known.keys()]
    exact = {t: value for t in numbers if (value := _exact(t, known)) is not None}
    own, values = [*exact], [*exact.values()]
    if not (len(own) > 1 or any(t.is_Add for t in own)):
        return e
    rest = e.func(*[t for t in e.args if t not in own])
    if isinstance(e, sp.Add):
        total = _symbol(algebra, sp.Add(*values))
        return e if total is None else rest + total
    pairs: list[tuple[Any, Any]] = [*zip(own, values, strict=True)]
    above = sp.Mul(*[v.p if t.is_Rational else v for t, v in pairs if not is_below(t)])
    below = sp.Mul(*[v.q if t.is_Rational else 1 / v for t, v in pairs if _has_divisor(t)])
    divides = any(map(is_below, own))  # by a decimal, which stays
    whole = _symbol(algebra, above / below)
    if whole is not None and (not divides or whole.is_Integer):
        return whole * rest
    top, bottom = _symbol(algebra, above), _symbol(algebra, below)
    return e if top is None or bottom is None else top * rest / bottom


def _has_divisor(e: Any) -> bool:
    return bool(e.is_Rational) or is_below(e)


def _exact(e: Any, known: Numbers) -> Any | None:
    """Give the fraction that a number is: one, a decimal, or a small power of one."""
    if e.is_Rational:
        return e
    sign, rest = (-1, -e) if e.could_extract_minus_sign() else (1, e)
    if isinstance(rest, (sp.Add, sp.Mul)):
        parts = [_exact(f, known) for f in rest.args]
        return None if None in parts else sign * rest.func(*parts)
    base, exponent = rest.as_base_exp()
    if base not in known or not exponent.is_Integer or abs(exponent) > 2:
        return None
    return sign * sp.Rational(repr(float(known[base]))) ** exponent


def _symbol(algebra: Algebra, number: Any) -> Any | None:
    """Give a number as it is written: a whole one, or a decimal; None for a fraction."""
    if number.is_Integer:
        return number
    places = next((k for k in range(_MOST_PLACES) if (10**k) % number.q == 0), None)
    return None if places is None else algebra.written(sp.Float(str(number.n(15)), 15)).entry
