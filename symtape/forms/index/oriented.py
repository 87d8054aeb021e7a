"""Differences with one sign each: (y - x)² is (x - y)², and what is odd in them shows its sign."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import sympy as sp


def with_one_sign(e: Any) -> Any:
    """Write each sum with one of its two signs, which comes out of products and sums over indices.

    So a force on one of two bodies and that on the other are one, but for the sign.

    >>> i, k = sp.symbols("i k", integer=True)
    >>> x = sp.IndexedBase("x")
    >>> there, back = x[i] - x[k], x[k] - x[i]
    >>> with_one_sign(sp.Sum(there / there**4, (k, 0, 1)) - sp.Sum(back / back**4, (k, 0, 1)))
    2*Sum((x[i] - x[k])**(-3), (k, 0, 1))
    """
    known: dict[Any, Any] = {}
    return _walked(e, known)


def _walked(e: Any, known: dict[Any, Any]) -> Any:
    if not isinstance(e, sp.Basic) or not e.args or not e.has(sp.Add):
        return e
    if e not in known:
        known[e] = _turned(e, [_walked(a, known) for a in e.args])
    return known[e]


def _turned(e: Any, inner: list[Any]) -> Any:
    """Make an expression of its parts, with the sign of each sum that is multiplied in front."""
    if isinstance(e, (sp.Mul, sp.Pow)):
        factors = sp.Mul.make_args(e.func(*inner))
        bases = {f.as_base_exp()[0] for f in factors}
        pairs = [_unsigned(f, bases) for f in factors]
        return sp.Mul(*[sign for sign, _ in pairs], *[f for _, f in pairs])
    if isinstance(e, sp.Sum):
        sign, rest = _sign_of(inner[0])
        return sign * e.func(rest, *e.limits)
    return e.func(*inner) if inner != [*e.args] else e


def _unsigned(factor: Any, others: Collection[Any] = ()) -> tuple[Any, Any]:
    """Give the sign of a power of a sum, and the power of that sum which has no such sign.

    `others` are bases beside it, of which it may be the negative.
    """
    base, power = factor.as_base_exp()
    if not base.is_Add or not power.is_Integer or not base.could_extract_minus_sign():
        return sp.S.One, factor
    turned = sp.Add(*[-t for t in base.args])
    is_said = any(t.is_number for t in base.args)  # 1 - y, and y - 1 if the program says so
    if is_said and turned not in others and not all(map(_is_minus, base.args)):
        return sp.S.One, factor
    return (-sp.S.One) ** power, turned**power


def _is_minus(term: Any) -> bool:
    return bool(term.as_coeff_Mul()[0].is_negative)


def _sign_of(e: Any) -> tuple[Any, Any]:
    number, rest = e.as_coeff_Mul()
    sign = -sp.S.One if number.is_negative else sp.S.One
    (turn, rest) = _unsigned(rest) if rest.is_Add else (sp.S.One, rest)
    return sign * turn, sign * number * rest
