"""Quotients of polynomials in factors, what is written of these, and another variable in them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

import sympy as sp

from symtape.forms.scalars.powers.roots import LARGE, short_decimal

FEW_TERMS = 40
"""Of what has more terms none are collected."""
_FEW_SYMBOLS = 3
_PLAIN_SYMBOLS, _PLAIN_TERMS = 2, 3
"""A polynomial of so many is read with ease as it is: r³ - 6 r t² + 4 t³."""
KEPT = 2000
"""So many quotients are remembered."""

VARIABLE = sp.Dummy("t", positive=True)
"""What a quotient is a function of that is moved to another variable."""


class Factors(NamedTuple):
    """A number, and irreducible polynomials with their powers."""

    number: Any
    powers: tuple[tuple[Any, int], ...]


@lru_cache(KEPT)
def factored(e: Any) -> Factors:
    """Give the irreducible factors of a quotient; those below have negative powers."""
    (number, above), (divisor, below) = map(factor_list, e.as_numer_denom())
    return Factors(number / divisor, (*above, *[(f, -k) for f, k in below]))


_MANY_SYMBOLS = 4
"""From so many symbols on, a random choice of SymPy's may make its algorithm take minutes."""


def factor_list(e: Any) -> tuple[Any, list[tuple[Any, int]]]:
    """Give a number and the irreducible factors of a polynomial with their powers.

    One that is linear in a symbol, A v + B, needs no search: it is the greatest common divisor of A
    and B times what is irreducible, since it is primitive and of degree 1.
    """
    number = sp.S.One
    found: dict[Any, int] = {}
    for part in sp.Mul.make_args(e):
        base, power = part.as_base_exp()
        times, powers = (part, {}) if part.is_number else _irreducible(base)
        number *= times if part.is_number else times**power
        for f, k in powers.items():
            found[f] = found.get(f, 0) + k * int(power)
    return number, list(found.items())


def _irreducible(e: Any) -> tuple[Any, dict[Any, int]]:
    """Factor a polynomial that is no product."""
    linear = _linear_in(e) if len(e.free_symbols) >= _MANY_SYMBOLS else None
    if linear is None:
        number, found = sp.factor_list(e)
        return number, dict(found)
    poly, symbol = linear
    slope = poly.diff(symbol)
    shared = sp.gcd(slope, poly - slope * sp.Poly(symbol, *poly.gens))
    number, rest = sp.quo(poly, shared).primitive()
    if rest.LC() < 0:
        number, rest = -number, -rest
    times, found = factor_list(shared.as_expr())
    powers = dict(found)
    powers[rest.as_expr()] = powers.get(rest.as_expr(), 0) + 1
    return number * times, powers


def _linear_in(e: Any) -> tuple[Any, Any] | None:
    """Find a symbol in which a polynomial with whole coefficients is linear."""
    poly = sp.Poly(e)
    linear = [v for v, degree in zip(poly.gens, poly.degree_list(), strict=True) if degree == 1]
    return (poly, linear[-1]) if linear and poly.domain.is_ZZ else None


def products(factors: Factors) -> Iterator[Any]:
    """Write factors as a product, and with what is a power below as one: (s³ + t³)².

    And with sums above as one, 4 - x² for (2 - x) (2 + x), if it is short, and with what the terms
    above share with what is below divided out of each: (x/s² + y/t²)/r.
    """
    number, powers = factors
    above = sp.Mul(*[f**k for f, k in powers if k > 0])
    yield without_sign(number * above * sp.Mul(*[f**k for f, k in powers if k < 0]))
    if any(k < -1 for _, k in powers):
        alike: dict[int, list[Any]] = {}
        for f, k in powers:
            alike.setdefault(k, []).append(f)
        below = [
            sp.Mul(*[f for f in own if not f.is_Add]) ** k
            * sp.expand(sp.Mul(*[f for f in own if f.is_Add])) ** k
            for k, own in alike.items()
            if k < 0
        ]
        yield without_sign(number * above * sp.Mul(*below))
    sums = [f for f, k in powers if k > 0 and f.is_Add]
    whole = sp.expand(sp.Mul(*[f**k for f, k in powers if k > 0 and f.is_Add]))
    is_short = len(whole.free_symbols) <= _PLAIN_SYMBOLS and len(whole.args) <= _PLAIN_TERMS
    if len(sums) > 1 and (is_short or len(whole.args) == len(sums)):
        rest = [f**k for f, k in powers if f not in sums]
        sign = -1 if number.is_negative else 1
        yield without_sign(sp.Mul(sign * number, sp.expand(sign * whole), *rest))
    shared = {f: max(k, -sp.degree(whole, f)) for f, k in powers if f in whole.free_symbols}
    within = sp.Mul(*[f**k for f, k in shared.items() if k < 0])
    if len(within.free_symbols) > 1:
        others = sp.Mul(*[f**k for f, k in powers if not (k > 0 and f.is_Add)]) / within
        yield without_sign(sp.expand(number * whole * within) * others)


def with_factors_collected(factors: Factors) -> Iterator[Any]:
    """Write a sum among other factors by the powers of a symbol: k (1 - u (1 + k))."""
    number, powers = factors
    for f, k in powers:
        if k > 0 and len(powers) > 1 and f.is_Add and 2 < len(f.args) <= FEW_TERMS:
            rest = sp.Mul(*[g**n for g, n in powers if g != f])
            for symbol in sorted(f.free_symbols, key=sp.default_sort_key):
                if sum(t.has(symbol) for t in f.args) > 1:
                    for sign, made in _collected_by(f, symbol):
                        yield without_sign(sp.Mul(number * sign**k, made**k, rest))


def _collected_by(total: Any, symbol: Any) -> list[tuple[int, Any]]:
    """Collect the powers of a symbol in a sum and in its negative; less taken away comes first."""
    sums = []
    for sign in (1, -1):
        terms = [_added(sign * t) for t in sp.Add.make_args(sp.collect(total, symbol))]
        taken = sum(bool(t.as_coeff_Mul()[0].is_negative) for t in terms)
        sums.append((taken, sign, sp.Add(*terms)))
    return [(sign, made) for _, sign, made in sorted(sums, key=lambda own: own[0])]


def _added(term: Any) -> Any:
    """Write t (2 r - v²) for -t (v² - 2 r)."""
    turned = [f for f in sp.Mul.make_args(term) if f.is_Add and _has_both_signs(f)]
    if not turned or not term.as_coeff_Mul()[0].is_negative:
        return term
    return -term / turned[0] * sp.Add(*[-t for t in turned[0].args])


def _has_both_signs(total: Any) -> bool:
    return len({t.could_extract_minus_sign() for t in total.args}) > 1


def moved(factors: Factors, up: Any, down: Any) -> Factors:
    """Write up/down for `VARIABLE`, linear functions of another: what is irreducible stays so."""
    number, powers = factors
    made = []
    shift = 0
    for f, k in powers:
        poly = sp.Poly(f, VARIABLE)
        d = poly.degree()
        turned = sp.expand(sp.Add(*[c * up**i * down ** (d - i) for (i,), c in poly.terms()]))
        content, rest = turned.as_content_primitive()
        number *= content**k
        shift -= d * k
        made += [] if rest == 1 else [(rest, k)]
    made += [(down, shift)] if shift and down != 1 else []
    return Factors(number, tuple(made))


def whole(factors: Factors) -> Any:
    """Multiply out above and below."""
    number, powers = factors
    above = sp.expand(number.p * sp.Mul(*[f**k for f, k in powers if k > 0]))
    return above / sp.expand(number.q * sp.Mul(*[f**-k for f, k in powers if k < 0]))


def without_sign(e: Any) -> Any:
    """Write s(1 - s) for -s(s - 1)."""
    number, factors = _with_decimals(e)
    turned = [f for f in factors if f.is_Add and f.as_coeff_Add()[0].is_negative]
    if len(turned) % 2 != bool(number.is_negative):
        turned = turned[1:]
    swap = {f: sp.Add(*[-t for t in f.args]) for f in turned}
    sign = -1 if len(turned) % 2 else 1
    return sign * number * sp.Mul(*[swap.get(f, f) for f in factors])


def _with_decimals(e: Any) -> tuple[Any, list[Any]]:
    """Give number and factors, with 0.044715 x + 1 for 8943 x + 200000, divided by 200000."""
    number, rest = e.as_coeff_Mul()
    factors = [*sp.Mul.make_args(rest)]
    if number.is_Rational and number.q > LARGE:
        for k, f in enumerate(factors):
            numbers = [t.as_coeff_Mul()[0] for t in f.args] if f.is_Add else []
            for scale in map(abs, numbers):
                if scale > 1 and all(_is_written(c / scale) for c in numbers):
                    factors[k] = sp.Add(*[t / scale for t in f.args])
                    return number * scale, factors
    return number, factors


def _is_written(number: Any) -> bool:
    """Say whether a number is a whole one, or a decimal of a few digits."""
    return bool(number.is_Integer) or short_decimal(abs(number)) is not None


def collected_in_factors(e: Any) -> Iterator[Any]:
    """Write the sum above by the powers of a symbol, each times its factors: 6 (p - 1)² - t p.

    Of what has few symbols, for this takes long.
    """
    above, below = e.as_numer_denom()
    above = sp.expand(above)
    if above.is_Add and 1 < len(above.free_symbols) <= _FEW_SYMBOLS:
        for symbol in sorted(above.free_symbols, key=sp.default_sort_key):
            yield sp.collect(above, symbol, sp.factor) / below


def collected(e: Any) -> Iterator[Any]:
    """Write a quotient without a number below, and the sum above by the powers of a symbol."""
    above, below = e.as_numer_denom()
    number, below = below.as_coeff_Mul()
    above = sp.expand(above / number)
    if not above.is_Add or len(above.args) > FEW_TERMS:
        return
    yield above / below
    if not below.has(sp.Add):
        yield sp.Add(*[t / below for t in above.args])
    for symbol in sorted(above.free_symbols, key=sp.default_sort_key):
        if sum(t.has(symbol) for t in above.args) > 1:
            yield sp.collect(above, symbol) / below
