"""Roots of sums: what has powers of one radicand beside each other is a multiple of one of them.

A root of a sum cannot be written by a symbol, as that of a symbol can, for there is more than the
root that it is a power of. So the least power is taken out, and what is left is a polynomial:
1/√b - x²/b^(3/2) is (b - x²)/b^(3/2), which is b^(-3/2) where b is 1 + x².
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from typing import Any

import sympy as sp

from symtape.forms.named import expanded
from symtape.forms.scalars.powers.conjugates import with_joined_conjugates
from symtape.forms.scalars.powers.reciprocals import with_plain_reciprocals

_MOST_TERMS = 12
"""So many terms a sum has at most that is looked through."""


def with_one_power(e: Any) -> Iterator[Any]:
    """Write a sum, or the sums in a product, with one power of each root that terms share.

    >>> x = sp.Symbol("x", real=True)
    >>> list(with_one_power(1 / sp.sqrt(1 + x**2) - x**2 / (1 + x**2) ** sp.Rational(3, 2)))
    [(x**2 + 1)**(-3/2)]
    """
    joined = with_plain_reciprocals(with_joined_conjugates(e))
    plain = _with_plain_radicands(joined)
    yield from {joined, plain} - {e}
    made = plain.replace(_is_short_sum, _joined) if plain.has(sp.Add) else plain
    if made not in (e, plain):
        yield made
    for found in {e, plain, made}:
        yield from _without_content(found)


def _without_content(e: Any) -> Iterator[Any]:
    """Take numbers out of radicands: 2√(1 - x²/4) is √(4 - x²), and √2/√(2 + 2x) is 1/√(1 + x).

    A positive number comes out of a root wherever the root is defined; √3 does not appear for it
    where there was none.
    """
    swap = {}
    for p in e.atoms(sp.Pow):
        if p.exp.is_Rational and not p.exp.is_Integer and p.base.has(sp.Add):
            number, rest = _content(p.base)
            if number != 1:
                swap[p] = number**p.exp * rest**p.exp
    made = e.xreplace(swap) if swap else e
    if made != e and _roots_of_numbers(made) <= _roots_of_numbers(e):
        yield made


def _roots_of_numbers(e: Any) -> int:
    return sum(p.base.is_number and not p.exp.is_Integer for p in e.atoms(sp.Pow))


def _content(base: Any) -> tuple[Any, Any]:
    """Give the positive number that all terms have, and the rest."""
    number, rest = base.as_coeff_Mul()
    if rest.is_Add:
        more, rest = rest.primitive()
        number *= more
    if not number.is_Rational:
        return sp.S.One, base
    return (-number, -rest) if number.is_negative else (number, rest)


def _is_short_sum(e: Any) -> bool:
    return isinstance(e, sp.Add) and len(e.args) <= _MOST_TERMS


def _radicand(e: Any) -> tuple[Any, Any]:
    """Give base and exponent of a power of a sum that is no whole one; else nothing."""
    base, exponent = e.as_base_exp() if isinstance(e, sp.Pow) else (None, sp.S.Zero)
    is_root = isinstance(base, sp.Add) and exponent.is_Rational and not exponent.is_Integer
    return (base, exponent) if is_root else (None, sp.S.Zero)


def _joined(e: Any) -> Any:
    """Take the least power of each radicand out of the terms that have it."""
    bases = {b for t in e.args for f in sp.Mul.make_args(t) for b, _ in [_radicand(f)] if b}
    for base in sorted(bases, key=sp.default_sort_key):
        e = _without(e, base)
    return e


def _without(e: Any, base: Any) -> Any:
    """Take the least power of one radicand out of the terms that differ by whole powers of it.

    If then some of what is multiplied out cancels or adds up.
    """
    alike: dict[Any, list[tuple[Any, Any]]] = {}
    rest: list[Any] = []
    for term in sp.Add.make_args(e):
        power = sum((k for b, k in map(_radicand, sp.Mul.make_args(term)) if b == base), sp.S.Zero)
        if power == 0:
            rest.append(term)
        else:
            alike.setdefault(power % 1, []).append((power, term / base**power))
    for found in alike.values():
        least = min(power for power, _ in found)
        apart = [sp.expand(t * base ** (power - least)) for power, t in found]
        inner = sp.Add(*apart)
        if _terms(inner) < sum(map(_terms, apart)):
            rest.append(inner * base**least)
        else:
            rest += [t * base**power for power, t in found]
    return sp.Add(*rest)


def _terms(e: Any) -> int:
    return len(sp.Add.make_args(e))


def _with_plain_radicands(e: Any) -> Any:
    """Multiply radicands out, (1 - x)(1 + x) to 1 - x², and join with them what they are."""
    roots = [p for p in e.atoms(sp.Pow) if p.exp.is_Rational and not p.exp.is_Integer]
    swap = {p: sp.expand(p.base) ** p.exp for p in roots if _is_product_of_sums(p.base)}
    made = e.xreplace(swap)
    bases = {base for p in made.atoms(sp.Pow) for base, _ in [_radicand(p)] if base}
    return made.replace(sp.Mul, lambda *f: _met(bases, f)) if bases else e


def _is_product_of_sums(base: Any) -> bool:
    factors = sp.Mul.make_args(base)
    return len(factors) == 2 and all(f.is_Add and len(f.args) == 2 for f in factors)


def _met(bases: set[Any], factors: tuple[Any, ...]) -> Any:
    """Write (x² - 1) √(1 - x²) as a power of one radicand."""
    own = {b for f in factors for b, _ in [_radicand(f)] if b in bases}
    turned = {-b: b for b in own}
    pairs = [f.as_base_exp() for f in factors]
    signs = [k for b, k in pairs if b in turned and k.is_Integer]
    made = [turned[b] ** k if b in turned and k.is_Integer else b**k for b, k in pairs]
    return sp.Mul(*[sp.S.NegativeOne**k for k in signs], *made)


def with_joined_exponents(e: Any) -> Any:
    """Add the exponents of powers of one base, which SymPy leaves where one is a number.

    But not of what is divided by, and would not be then: x**(s - 1) / x is undefined at 0, unless
    its logarithm is there, too.

    >>> x, s = sp.symbols("x s", positive=True)
    >>> with_joined_exponents(1 + x * x ** (-1 - 1 / s))
    1 + x**(-1/s)
    """
    if all(p.exp.is_number for p in e.atoms(sp.Pow)):
        return e
    logs = {f.args[0] for f in e.atoms(sp.log)}
    return e.replace(sp.Mul, lambda *factors: _with_added_exponents(factors, logs))


def _with_added_exponents(factors: tuple[Any, ...], logs: Collection[Any]) -> Any:
    pairs = [f.as_base_exp() for f in factors]
    apart = {b: [k for base, k in pairs if base == b] for b, _ in pairs if not b.is_number}
    joined = {b: ks for b, ks in apart.items() if len(ks) > 1 and (b in logs or _stays(b, ks))}
    rest = [f for f, (b, _) in zip(factors, pairs, strict=True) if b not in joined]
    return sp.Mul(*rest, *[b ** sp.Add(*ks) for b, ks in joined.items()])


def _stays(base: Any, exponents: Sequence[Any]) -> bool:
    """Say whether powers are undefined at the same places when they are one."""
    is_divided = any(k.is_negative for k in exponents)
    return bool(not is_divided or sp.Add(*exponents).is_negative or expanded(base).is_nonzero)


# --- what is divided by ---------------------------------------------------------------------------


def roots_below(e: Any) -> set[Any]:
    """List the factors that may be zero of sums by a root of which something is divided."""
    joined = with_joined_conjugates(e)
    powers = [p for p in joined.atoms(sp.Pow) if p.exp.is_Rational and not p.exp.is_Integer]
    roots = [p.base for p in powers if p.exp.is_negative and not p.base.is_nonzero]
    under = [base for base in roots if not (base.is_Symbol and base.is_nonnegative)]
    return {f for base in under for f in _factors(base) if not _is_nonzero(f)}


def divisors(e: Any) -> set[Any]:
    """List the factors of what an expression divides by."""
    powers = with_joined_conjugates(e).atoms(sp.Pow)
    return {f for p in powers if p.exp.is_negative for f in _factors(p.base)}


@lru_cache(2000)
def _factors(base: Any) -> frozenset[Any]:
    """List irreducible factors; SymPy cannot sort those of symbolic powers, which stand apart."""
    parts = sp.Mul.make_args(sp.together(base).as_numer_denom()[0])
    own = [p if isinstance(p, sp.exp) else p.as_base_exp()[0] for p in parts]
    try:
        return frozenset(f for p in own for f, _ in sp.factor_list(p)[1])
    except sp.PolynomialError:
        return frozenset({base})


@lru_cache(2000)
def _is_nonzero(e: Any) -> bool:
    """Say whether something is zero nowhere, as 1 - tanh(z) is."""
    if e.has(sp.tanh):
        e = sp.cancel(e.rewrite(sp.exp))
    return bool(e.is_nonzero)
