"""Sums in which some terms share a factor, with it taken out of them: xˣ log x + xˣ."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

import sympy as sp

from symtape.forms.scalars.factoring import without_sign
from symtape.forms.scalars.quotients import divisors

_MOST_TERMS = 12
"""So many terms a sum has at most that is looked through."""


def with_shared_factors(e: Any, *, partly: bool = True) -> Iterator[Any]:
    """Write an expression with one factor taken out of the terms that share it, in all ways.

    Numbers come out of the sums in a product, and so does a sign that all terms have. A sum that is
    divided by stays, but for its root and where it divides all terms: fractions become one
    elsewhere. If not `partly`, a symbol comes out of all terms or of none, so that what is a sum of
    arrays can be collected by these.

    >>> x = sp.Symbol("x", positive=True)
    >>> list(with_shared_factors(x**x * sp.log(x) + x**x))[0]
    x**x*(log(x) + 1)
    """
    sums = dict.fromkeys(f for f in sp.preorder_traversal(e) if isinstance(f, sp.Add))
    if not sums:
        return
    divided, surely = divisors(e), divisors(e, surely=True)
    for s in sums:
        for bases, way in _ways(s) if len(s.args) <= _MOST_TERMS else ():
            if not partly and way.is_Add and any(b.is_Symbol for b in bases):
                continue
            made = e.xreplace({s: way})
            kept = {b for b in divided if b.is_Add and not (partly and _is_shared(b, s))}
            is_within = way.is_Add and _has_one_of(way, sums)  # where it meets nothing outside
            apart = () if is_within else bases
            held = [b for b in apart if not b.is_nonzero and not divided.isdisjoint({s, b})]
            left = divisors(made, surely=s in divided or not surely.isdisjoint(held))
            if kept.isdisjoint(bases) and left.issuperset(held):  # x/x is not 1
                yield made
    terms = [_with_content(with_numbers_outside(t)) for t in sp.Add.make_args(e)]
    made = sp.Add(*terms) if e.is_Add else without_sign(*terms)
    if {_plain(b) for b in divided if not b.is_nonzero} <= set(map(_plain, divisors(made))):
        yield made


def _has_one_of(way: Any, sums: Collection[Any]) -> bool:
    """Say whether a term of a sum has a factor that is one of some sums."""
    return any(f in sums for t in way.args for f in sp.Mul.make_args(t) if f.is_Add)


def _is_shared(base: Any, whole: Any) -> bool:
    """Say whether a sum divides all terms of another equally often, or is in roots alone."""
    factors = [[f.as_base_exp() for f in sp.Mul.make_args(t)] for t in whole.args]
    powers = [[k for b, k in own if b == base] for own in factors]
    in_all = len({*map(tuple, powers)}) == 1 and bool(powers[0])
    return in_all or all(not k.is_Integer for own in powers for k in own)


def _plain(base: Any) -> Any:
    """Leave out the number and the sign that all terms of a sum have."""
    rest = base.primitive()[1]
    return -rest if rest.could_extract_minus_sign() else rest


def _ways(e: Any) -> Iterator[tuple[list[Any], Any]]:
    """Take factors out of the terms that share them, one by one and all; give their bases, too."""
    terms = [*map(_powers, e.args)]
    bases = [b for powers in terms for b in powers if not b.is_Rational]
    found: dict[tuple[Any, ...], list[tuple[Any, Any]]] = {}
    for base in sorted({b for b in bases if bases.count(b) > 1}, key=sp.default_sort_key):
        pairs = zip(e.args, terms, strict=True)
        exponents = {t: powers[base] for t, powers in pairs if base in powers}
        common = _common([*exponents.values()])
        if common is not None:
            found.setdefault(tuple(exponents), []).append((base, common))
    for own, factors in found.items():
        rest = [t for t in e.args if t not in own]
        ways = [[pair] for pair in factors]
        for chosen in [factors, *ways] if len(factors) > 1 else ways:
            whole = sp.Mul(*[b**k for b, k in chosen])
            inner = sp.Add(*[_divided(t, dict(chosen)) for t in own])
            yield [b for b, _ in chosen], sp.Add(whole * inner, *rest)


def _divided(term: Any, shared: Mapping[Any, Any]) -> Any:
    """Leave powers out of a product, for SymPy does not cancel b**(1 - s) by b**(s - 1).

    Powers of other bases stay apart: x**s/x is not defined where x is 0, and x**(s - 1) may be.
    """
    others = [f for f in sp.Mul.make_args(term) if power(f)[0] not in shared]
    left = [b ** (k - shared[b]) for b, k in _powers(term).items() if b in shared]
    return sp.Mul(*others, *left)


def _common(exponents: Sequence[Any]) -> Any | None:
    """Give the power that all powers of one base are multiples of; None for x and 1/x."""
    first, *rest = exponents
    if all(k == first for k in rest):
        return first
    if all(k.is_Rational and k > 0 for k in exponents):
        return min(exponents)
    return max(exponents) if all(k.is_Rational and k < 0 for k in exponents) else None


def _powers(term: Any) -> dict[Any, Any]:
    """Give the exponent of each base of a product; SymPy may keep abs(x)**s / abs(x) apart."""
    found: dict[Any, Any] = {}
    for base, exponent in map(power, sp.Mul.make_args(term)):
        found[base] = found.get(base, sp.S.Zero) + exponent
    return found


def power(factor: Any) -> tuple[Any, Any]:
    """Give base and exponent, but take an exponential and a number as they are."""
    is_whole = isinstance(factor, sp.exp) or factor.is_number
    return (factor, sp.S.One) if is_whole else factor.as_base_exp()


def with_numbers_outside(e: Any) -> Any:
    """Take whole numbers and signs out of sums within sums, so that they come out of those.

    >>> x, y, z = sp.symbols("x y z")
    >>> with_numbers_outside((2 + (2 * x - 2 * y) / z) / z)
    2*(1 + (x - y)/z)/z
    """
    if isinstance(e, sp.Add):
        return sp.Add(*map(with_numbers_outside, e.args))
    if not isinstance(e, sp.Mul):
        return e
    factors = []
    for f in map(with_numbers_outside, e.args):
        number, rest = f.primitive() if f.is_Add and not f.has(sp.Float) else (sp.S.One, f)
        if f.is_Add and all(t.could_extract_minus_sign() for t in rest.args):
            number, rest = -number, sp.Add(*[-t for t in rest.args])
        factors += [number, rest] if number.is_Integer else [f]
    return sp.Mul(*factors)


def _with_content(e: Any) -> Any:
    """Take numbers and common signs out of the sums in a product."""
    found = []
    for factor in sp.Mul.make_args(e):
        base, power = factor.as_base_exp()
        if not isinstance(base, sp.Add) or not power.is_Integer or base.has(sp.Float):
            found.append(factor)
            continue
        number, rest = base.primitive()
        number, rest = (number, rest) if number.is_Integer else (sp.S.One, base)
        if all(t.could_extract_minus_sign() for t in rest.args):
            number, rest = -number, sp.Add(*[-t for t in rest.args])
        found += [number**power, rest**power]
    return sp.Mul(*found)
