"""Polynomials of one variable by its powers: 12 x³ - 6 x² + 14 x for x (14 + x (12 x - 6))."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy as sp

from symtape.forms.scalars.quotients import divisors

_MOST_TERMS = 8
"""A polynomial of more terms stays as it is."""
_FEWEST = 3
_MOST_SYMBOLS, _MOST_DEGREE = 4, 8
"""What has more is not multiplied out before anything is known of it."""


def with_plain_polynomials(e: Any) -> Any:
    """Multiply out what Horner's scheme takes together, which is shorter, and nobody writes.

    >>> x, y = sp.symbols("x y")
    >>> with_plain_polynomials(x * (x * (12 * x - 6) + 14) - 1)
    12*x**3 - 6*x**2 + 14*x - 1
    >>> with_plain_polynomials(x * (y - 1) + 3), with_plain_polynomials(x * (1 - x))
    (x*(y - 1) + 3, x*(1 - x))
    """
    if not e.has(sp.Add):
        return e
    sums = sorted(filter(_is_nested, e.atoms(sp.Add)), key=sp.count_ops, reverse=True)
    for nested in sums:
        made = sp.expand(nested)
        whole = e.xreplace({nested: made})
        if len(sp.Add.make_args(made)) <= _MOST_TERMS and _is_divided(e, whole, nested, made):
            e = whole
    return e


def with_polynomials_multiplied(e: Any, length: Callable[[Any], Any]) -> Any:
    """Multiply the sums of products among the factors of what is long out, where that is shorter.

    And so what the terms of a sum have beside factors that all of them share.

    >>> x, y = sp.symbols("x y")
    >>> total = (x - y) * (x + y) ** 2 - (x + y) * (x - y) ** 2
    >>> with_polynomials_multiplied(total * sp.sqrt(x), lambda e: sp.count_ops(e))
    2*sqrt(x)*y*(x - y)*(x + y)
    """
    shared, rest = _shared(e)
    e = shared * rest
    for total in [f for f in sp.Mul.make_args(rest) if f.is_Add and _is_small(f)]:
        made = sp.expand(total)
        if len(sp.Add.make_args(made)) <= _MOST_TERMS and made != 0:
            made = min(made, sp.factor(made), total, key=length)
            whole = e.xreplace({total: made})
            e = whole if _is_divided(e, whole, total, made) else e
    return e


def _shared(e: Any) -> tuple[Any, Any]:
    """Give the factors that all terms of a sum share, and what they multiply."""
    terms = [sp.Mul.make_args(t) for t in sp.Add.make_args(e)]
    found = [f for f in terms[0] if len(terms) > 1 and all(f in own for own in terms)]
    rest = [sp.Mul(*[f for f in own if f not in found]) for own in terms]
    return sp.Mul(*found), sp.Add(*rest) if found else e


def _is_small(total: Any) -> bool:
    """Say whether a sum is a polynomial of low degree, of a few symbols and plain numbers."""
    symbols = total.free_symbols
    if not 0 < len(symbols) <= _MOST_SYMBOLS or not total.is_polynomial(*symbols):
        return False
    return not total.has(sp.Float) and sp.total_degree(total) <= _MOST_DEGREE


def _is_divided(before: Any, after: Any, nested: Any, made: Any) -> bool:
    """Say whether all that was divided by still is: (x (x - 1) + x² + x)/x is not 2 x."""
    divided = divisors(before, surely=True)
    around = {b for b in divided if b.has(nested)}
    return (made.is_Add or not around) and divided - around <= divisors(after, surely=True)


def by_degree(e: Any) -> list[Any]:
    """Order the terms of a polynomial in one symbol so that the first is added: by their powers.

    Of two terms, and of what is no such polynomial, there is no order.

    >>> x = sp.Symbol("x")
    >>> by_degree(14 * x - 6 * x**2 + 12 * x**3 - 1), by_degree(1 - x**2)
    ([12*x**3, -6*x**2, 14*x, -1], [])
    """
    symbols = e.free_symbols
    if len(symbols) != 1 or len(e.args) < _FEWEST or not e.is_polynomial(*symbols):
        return []
    (symbol,) = symbols
    if any(f.is_Add for t in e.args for f in sp.Mul.make_args(t)):
        return []
    terms = sorted(e.args, key=lambda t: sp.degree(t, symbol), reverse=True)
    signs = [t.could_extract_minus_sign() for t in terms]
    return terms if not signs[0] else terms[::-1] if not signs[-1] else []


def _is_nested(total: Any) -> bool:
    """Say whether a term of a polynomial in one symbol is a power of it times such a polynomial."""
    symbols = total.free_symbols
    if len(symbols) != 1 or not total.is_polynomial(*symbols):
        return False
    factors = [sp.Mul.make_args(t) for t in total.args]
    return any(len(own) > 1 and f.is_Add for own in factors for f in own) and not _has_powers(total)


def _has_powers(total: Any) -> bool:
    """Say whether a sum is raised to a power, as in (x² + x)² + x."""
    return any(p.base.is_Add for p in total.atoms(sp.Pow))
