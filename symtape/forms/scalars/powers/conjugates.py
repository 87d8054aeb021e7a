"""Roots of sums and of their conjugates: √(1 - √h) √(1 + √h) is √(1 - h)."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import sympy as sp


def with_joined_conjugates(e: Any) -> Any:
    """Write one root for those of a - b and of a + b, where b is a root and a + b above zero.

    So both are defined where the one is. The slope of an arcsine of a root has both.

    >>> h = sp.Symbol("h", positive=True)
    >>> with_joined_conjugates(sp.sqrt(1 - sp.sqrt(h)) * sp.sqrt(1 + sp.sqrt(h)))
    sqrt(1 - h)
    """
    return e.replace(sp.Mul, _joined) if any(map(_conjugate, e.atoms(sp.Pow))) else e


def _joined(*factors: Any) -> Any:
    for f, g in combinations(factors, 2):
        pairs = [p.as_base_exp() for p in (f, g)]
        (a, k), (b, m) = pairs
        is_pair = k == m and b in (turned := _conjugate(f), -turned if turned else None)
        if is_pair and (a.is_positive or b.is_positive):
            others = [x for x in factors if x not in (f, g)]
            return _joined(*others, sp.expand_mul(a * b) ** k)
    return sp.Mul(*factors)


def _conjugate(power: Any) -> Any | None:
    """Give a + b for a root of a - b, where b is a multiple of a root of a sum or of a name."""
    base, k = power.as_base_exp()
    if not (k.is_Rational and k.q == 2 and base.is_Add and len(base.args) == 2):
        return None
    roots = [t for t in base.args if _is_root(t)]
    return base - 2 * roots[0] if len(roots) == 1 else None


def _is_root(term: Any) -> bool:
    """Say whether a term is a number times a square root of what is no number."""
    base, k = term.as_coeff_Mul()[1].as_base_exp()
    return k == sp.S.Half and not base.is_number
