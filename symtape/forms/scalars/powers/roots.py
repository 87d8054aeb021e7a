"""Numbers as a person writes them: 1/√2 for √2/2, √(2/3) for √6/3, and √(2π) for √2 √π."""

from __future__ import annotations

from typing import Any

import sympy as sp

Factors = list[Any]


def quotient(number: Any) -> tuple[Factors, Factors]:
    """Give the factors above and below the line of a positive number, of which roots are such.

    >>> quotient(sp.sqrt(2) / 4), quotient(sp.sqrt(6) / 3), quotient(1 / sp.sqrt(2 * sp.pi))
    (([], [2, sqrt(2)]), ([sqrt(2/3)], []), ([], [sqrt(2*pi)]))
    """
    square, halves = sp.S.One, 0  # the square of what is rational, and how often √π is there
    above: Factors = []
    below: Factors = []
    for factor in sp.Mul.make_args(number):
        if short_decimal(factor) is not None:
            above.append(factor)
            continue
        base, exponent = factor.as_base_exp()
        twice = 2 * exponent
        if base == sp.pi and twice.is_Integer:
            halves += int(twice)
        elif base.is_Rational and twice.is_Integer:
            square *= base**twice
        elif stands_below(factor):
            below.append(1 / factor)
        else:
            above.append(factor)
    if not square.is_positive:  # of complex numbers, whose roots have other rules
        return [number], []
    (up, root), (down, under) = (_root(sp.Integer(n)) for n in (square.p, square.q))
    if halves % 2:
        root, under = (root * sp.pi, under) if halves > 0 else (root, under * sp.pi)
    if root != 1 != under:
        root, under = root / under, sp.S.One
    power = sp.pi ** (abs(halves) // 2)
    first = [up, power if halves > 0 else 1, _of(root)]
    last = [down, power if halves < 0 else 1, _of(under)]
    return [f for f in (*first, *above) if f != 1], [f for f in (*last, *below) if f != 1]


def stands_below(factor: Any) -> bool:
    """Say whether a factor is a power that is written below a line: 1/b^(s + 1), but b^(2 - s).

    Nothing stands below whose exponent has a symbol without a minus sign, as bⁿ⁻¹⁻ⁱ has.

    >>> b, s, t = sp.symbols("b s t")
    >>> [stands_below(b**k) for k in (-1, -s, -s - 1, 1 - s - t, 2 - s, s - 2, t - s - 1, s)]
    [True, True, True, True, False, False, False, False]
    """
    if not factor.is_Pow:
        return False
    terms = sp.Add.make_args(factor.exp)
    plus = [t for t in terms if not t.could_extract_minus_sign()]
    return 2 * len(plus) < len(terms) and all(t.is_number for t in plus)


LARGE = 1000
"""A fraction of two larger numbers may be a decimal; a count divides by smaller ones."""
_MOST_PLACES = 12


def short_decimal(number: Any) -> str | None:
    """Write a fraction of large numbers that is a short decimal; a count divides by small ones.

    >>> short_decimal(sp.Rational("0.044715")), short_decimal(sp.Rational(2, 5000))
    ('0.044715', None)
    """
    if not isinstance(number, sp.Rational) or number.p <= LARGE or number.q <= LARGE:
        return None
    places = next((k for k in range(_MOST_PLACES) if 10**k % number.q == 0), None)
    if places is None:
        return None
    digits = str(number.p * (10**places // number.q)).rjust(places + 1, "0")
    return f"{digits[:-places]}.{digits[-places:]}"


def has_roots(number: Any) -> bool:
    """Say whether a number has roots of rational numbers or of π."""
    return any(
        (p.base.is_Rational or p.base == sp.pi) and p.exp.is_Rational and p.exp.q == 2
        for p in number.atoms(sp.Pow)
    )


def _root(n: Any) -> tuple[Any, Any]:
    """Write √n as a multiple of a root."""
    number, root = sp.sqrt(n).as_coeff_Mul()
    return number, root**2


def _of(square: Any) -> Any:
    return square if square == 1 else sp.Pow(square, sp.S.Half, evaluate=False)
