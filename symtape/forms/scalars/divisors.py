"""Sums of quotients by powers of one sum, as one quotient in which like terms have met."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sympy as sp

_MOST_TERMS = 4
"""So many quotients are added up at most, by a sum of so many terms."""
_MOST_POWERS = 3
"""So often a term is multiplied by what is divided by, at most."""


def over_one_divisor(e: Any) -> Iterator[Any]:
    """Write (1 - x/s) / (1 + x/s)² for 1/(1 + x/s) - 2 x / (s (1 + x/s)²).

    What is divided by stays as it is, so that nothing is defined at more points; and only where
    terms above become fewer.

    >>> x, s = sp.symbols("x s")
    >>> list(over_one_divisor(1 / (1 + x / s) - 2 * x / (s * (1 + x / s) ** 2)))
    [(1 - x/s)/(1 + x/s)**2]
    """
    sums = dict.fromkeys(f for f in sp.preorder_traversal(e) if isinstance(f, sp.Add))
    for whole in sums:
        if len(whole.args) > _MOST_TERMS:
            continue
        terms = [t.as_powers_dict() for t in whole.args]
        divisors = dict.fromkeys(b for t in terms for b, k in t.items() if b.is_Add and k < 0)
        for base in divisors:
            powers = [sp.S(t.get(base, 0)) for t in terms]
            made = _over(whole, base, powers)
            if made is not None:
                yield e.xreplace({whole: made})


def _over(whole: Any, base: Any, powers: list[Any]) -> Any | None:
    """Write a sum over the largest power of what some of its terms are divided by."""
    most = min(powers)
    above = [k - most for k in powers]
    if len(base.args) > _MOST_TERMS or not all(k.is_Integer and k <= _MOST_POWERS for k in above):
        return None
    rests = [t / base**k for t, k in zip(whole.args, powers, strict=True)]
    multiplied = [
        sp.expand_mul(r * sp.expand(base**k, deep=False)) for r, k in zip(rests, above, strict=True)
    ]
    count = sum(len(sp.Add.make_args(m)) for m in multiplied)
    made = sp.Add(*multiplied)
    if len(sp.Add.make_args(made)) >= count:
        return None
    return made * base**most


__all__ = ["over_one_divisor"]
