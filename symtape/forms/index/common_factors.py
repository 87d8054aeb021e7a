"""A sum with the factors of all of its terms in front: p (δ - q) for p δ - p q."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Any

import sympy as sp

from symtape.forms.scalars.shared_factors import power


def with_common_factors(e: Any) -> Any:
    """Take what all terms of a sum, or of one in a product, share out; divisors stay divisors.

    >>> i, j = sp.symbols("i j", integer=True)
    >>> p, s = sp.IndexedBase("p"), sp.Symbol("s")
    >>> with_common_factors(sp.KroneckerDelta(i, j) * p[i] / s - p[i] * p[j] / s**2)
    (KroneckerDelta(i, j) - p[j]/s)*p[i]/s
    """
    if isinstance(e, sp.Mul):
        return e.func(*map(with_common_factors, e.args))
    if not isinstance(e, sp.Add):
        return e
    terms = [dict(map(power, sp.Mul.make_args(t))) for t in e.args]
    shared = reduce(lambda some, own: some & own.keys(), terms, set(terms[0]))
    taken = {}
    for base in sorted(shared, key=sp.default_sort_key):
        common = None if base.is_number else _common([powers[base] for powers in terms])
        if common is not None:
            taken[base] = common
    whole = sp.Mul(*[base**k for base, k in taken.items()])
    if whole == 1:
        return e
    rest = [_without(t, own, taken) for t, own in zip(e.args, terms, strict=True)]
    return whole * with_common_factors(sp.Add(*rest))


def _without(term: Any, powers: Mapping[Any, Any], taken: Mapping[Any, Any]) -> Any:
    """Take factors out of a term.

    A quotient of equal exponentials is not always 1 for SymPy: exp(x - Max(x, y)) is divided by as
    exp(Max(x, y) - x).
    """
    if len(powers) != len(sp.Mul.make_args(term)):
        return term / sp.Mul(*[base**k for base, k in taken.items()])
    return sp.Mul(*[base ** (k - taken.get(base, 0)) for base, k in powers.items()])


def _common(exponents: Sequence[Any]) -> Any | None:
    """Give the power from which all differ by whole ones of the same direction, if there is one."""
    first = exponents[0]
    if all(k == first for k in exponents):
        return first
    if not all(k.is_Rational and (k - first).is_Integer for k in exponents):
        return None
    if all(k > 0 for k in exponents):
        return min(exponents)
    return max(exponents) if all(k < 0 for k in exponents) else None
