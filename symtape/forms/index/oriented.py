"""Differences with one sign each: (y - x)² is (x - y)², and what is odd in them shows its sign."""

from __future__ import annotations

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
        made = e.func(*inner)
        pairs = [_unsigned(f) for f in sp.Mul.make_args(made)]
        return sp.Mul(*[sign for sign, _ in pairs], *[f for _, f in pairs])
    if isinstance(e, sp.Sum):
        sign, rest = _sign_of(inner[0])
        return sign * e.func(rest, *e.limits)
    return e.func(*inner) if inner != [*e.args] else e


def _unsigned(factor: Any) -> tuple[Any, Any]:
    """Give the sign of a power of a sum, and the power of that sum which has no such sign."""
    base, power = factor.as_base_exp()
    if not base.is_Add or not power.is_Integer or not base.could_extract_minus_sign():
        return sp.S.One, factor
    if any(t.is_number for t in base.args):  # 1 - y is said so, and y - 1 if the program says so
        return sp.S.One, factor
    return (-sp.S.One) ** power, sp.Add(*[-t for t in base.args]) ** power


def _sign_of(e: Any) -> tuple[Any, Any]:
    number, rest = e.as_coeff_Mul()
    sign = -sp.S.One if number.is_negative else sp.S.One
    (turn, rest) = _unsigned(rest) if rest.is_Add else (sp.S.One, rest)
    return sign * turn, sign * number * rest
