"""Differences as their author wrote them: (1 - p)² where the rules of quotients make it (p - 1)².

A polynomial is factored with a leading coefficient that is positive, by which (1 - p)/(1 - q) is
(p - 1)/(q - 1).
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import sympy as sp


def as_written(e: Any, before: Any) -> Any:
    """Turn the sums with a number that had all other signs before: p - 1 where it was 1 - p.

    >>> p, q = sp.symbols("p q")
    >>> as_written((p - 1) / (q - 1) + 2 / (p - 1) ** 2, p / (1 - p) + sp.log(1 - q))
    (1 - p)/(1 - q) + 2/(1 - p)**2
    """
    own = before.atoms(sp.Add)
    turned = {a for a in e.atoms(sp.Add) - own if a.as_coeff_Add()[0] and -a in own}
    if not turned:
        return e
    return e.replace(
        lambda x: isinstance(x, (sp.Mul, sp.Pow)), lambda x: _with_sums_turned(x, turned)
    )


def _with_sums_turned(e: Any, turned: Collection[Any]) -> Any:
    """Turn sums in a product, but for one where there would be a minus sign in front then."""
    number, rest = e.as_coeff_Mul()
    pairs = [f.as_base_exp() for f in sp.Mul.make_args(rest)]
    found = [(b, k) for b, k in pairs if b in turned and k.is_Integer]
    odd = [pair for pair in found if pair[1].is_odd]
    if len(odd) % 2 and not number.is_negative:
        found.remove(odd.pop())
    made = [(-b if (b, k) in found else b) ** k for b, k in pairs]
    return (-1) ** len(odd) * number * sp.Mul(*made) if found else e


__all__ = ["as_written"]
