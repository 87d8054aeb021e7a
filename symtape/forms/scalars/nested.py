"""Sums in products with what their terms are multiplied by, or divided: A (1 + B/A) is A + B.

Where A is zero the one is undefined; so the other is written where it is undefined there, too.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from typing import Any

import sympy as sp

from symtape.forms.scalars.quotients import divisors, keeps_divisors

_MOST_FACTORS = 12
"""Products of more factors are not looked through."""
_PLAIN = 2
"""What is multiplied out to so many terms is read with ease; of more, factors say more."""


def with_sums_multiplied(
    e: Any, nonzero: Sequence[Any] = (), *, is_real: bool = False
) -> Iterator[Any]:
    """Write A + B for A (1 + B/A), also where both are divided by, one product at a time.

    Some are `nonzero`; `is_real` says that all symbols are.

    >>> s, t = sp.Symbol("s", positive=True), sp.Symbol("t")
    >>> [*with_sums_multiplied(s * (2 + 1 / s) * t)], [*with_sums_multiplied(t * (2 + 1 / t) * s)]
    ([t*(2*s + 1)], [])
    >>> [*with_sums_multiplied((1 - t) * (2 + s / (1 - t)), [t - 1])]
    [s - 2*t + 2]
    >>> [*with_sums_multiplied((1 - t) * (2 + s / (t - 1)), [t - 1])]
    [-s - 2*t + 2]
    """
    known = {own for x in nonzero for own in (x, sp.expand_mul(-x))}
    sums = {s for s in e.atoms(sp.Add) if any(map(_is_quotient, s.args))}
    products = [m for m in (e.atoms(sp.Mul) if sums else ()) if _has_factor(m, sums)]
    for m in sorted(products, key=sp.default_sort_key):
        for made, below in _multiplied(m):
            whole = e.xreplace({m: made})
            if below in known or _is_undefined_where_zero(whole, below, is_real=is_real):
                yield whole


def with_sums_divided(e: Any) -> Iterator[Any]:
    """Write b + c + d/A for (A (b + c) + d)/A, one product at a time.

    >>> s, t = sp.symbols("s t")
    >>> [*with_sums_divided((s * (t + 1) + t) / s)], [*with_sums_divided((s * (t + 1) + s) / s)]
    ([t + 1 + t/s], [])
    """
    for m in sorted(e.atoms(sp.Mul), key=sp.default_sort_key):
        powers = m.as_powers_dict() if len(m.args) <= _MOST_FACTORS else {}
        sums = [f for f in m.args if f.is_Add]
        below = [b for b, k in powers.items() if k.is_Integer and k.is_negative]
        for whole, b in ((s, b) for s in sums for b in below if not b.is_number):
            made = [t / b for t in whole.args]
            times = [sp.S(t.as_powers_dict()[b]) for t in whole.args]
            has = [k.is_Integer and k > 0 for k in times]
            if any(t.is_Add for t in made) and not all(has):
                found = e.xreplace({m: m / whole * b * sp.Add(*made)})
                yield from [found] if keeps_divisors(e, found) else []


def with_quotients_multiplied(e: Any) -> Iterator[Any]:
    """Multiply sums out in which something is divided by, as it may be of arrays: to 1 - x²/a².

    >>> a, x = sp.symbols("a x")
    >>> list(with_quotients_multiplied((a - x) * (2 + (x - a) / a) / a))
    [1 - x**2/a**2]
    """
    sums = [f for f in sp.Mul.make_args(e) if f.is_Add]
    is_short = math.prod(len(f.args) for f in sums) <= _MOST_FACTORS
    if is_short and any(_is_quotient(t) for f in sums for t in f.args):
        found = sp.expand(e)
        lost = divisors(e, surely=True) - divisors(found, surely=True)
        is_plain = len(sp.Add.make_args(found)) <= _PLAIN
        yield from [found] if is_plain and all(b.is_nonzero for b in lost) else []


def _is_quotient(e: Any) -> bool:
    """Say whether a term is divided by something."""
    return any(f.is_Pow and f.exp.is_Integer and f.exp.is_negative for f in sp.Mul.make_args(e))


def _has_factor(m: Any, sums: Collection[Any]) -> bool:
    """Say whether one of some sums is a factor of a product that is not long."""
    return len(m.args) <= _MOST_FACTORS and any(f.as_base_exp()[0] in sums for f in m.args)


def _is_undefined_where_zero(e: Any, below: Any, *, is_real: bool) -> bool:
    """Say whether an expression is undefined, too, where something is zero, if it can be zero."""
    if below.is_nonzero or any(p.base == below and p.exp.is_negative for p in e.atoms(sp.Pow)):
        return True
    zero = _only_zero(below, is_real=is_real)
    if zero is None or e.has(sp.Piecewise, sp.Max, sp.Min):
        return False
    return bool(e.xreplace({zero: sp.S.Zero}).has(sp.nan, sp.zoo, sp.oo))


def _only_zero(e: Any, *, is_real: bool) -> Any | None:
    """Give the symbol that something is zero with, and else nowhere: s of s, and of exp(-s) - 1."""
    exponent = (e + 1).args[0] if isinstance(e + 1, sp.exp) else e
    rest = exponent.as_coeff_Mul()[1]
    return rest if rest.is_Symbol and (is_real or rest.is_real) else None


def _multiplied(m: Any) -> Iterator[tuple[Any, Any]]:
    """Multiply a sum in a product by what one of its terms is divided by; give that, too."""
    powers = m.as_powers_dict()
    for base, k in powers.items():
        if not base.is_Add or not k.is_Integer:
            continue
        for below, n in _divisors(base):
            by = below if below in powers else sp.expand_mul(-below)
            j = powers.get(by, sp.S.Zero)
            if j.is_Integer and j * k > 0 and abs(j) >= n * abs(k):
                sign = 1 if by == below else (-1) ** n
                terms = [sign * (t * below**n) for t in base.args]
                plain = [sp.expand_mul(t, deep=False) for t in terms]
                others = [b**p for b, p in powers.items() if b not in (base, by)]
                for total in dict.fromkeys((sp.Add(*plain), sp.Add(*terms))):
                    yield sp.Mul(total**k, by ** (j - n * k), *others), below


def _divisors(total: Any) -> list[tuple[Any, Any]]:
    """List what terms of a sum are divided by, and how often: numbers do not count."""
    pairs = [f.as_base_exp() for t in total.args for f in sp.Mul.make_args(t)]
    found = {(b, -k) for b, k in pairs if k.is_Integer and k.is_negative and not b.is_number}
    return sorted(found, key=sp.default_sort_key)
