"""Sums of fractions that are divided by powers of one sum: a/d + b/d² is (a d + b)/d².

What is divided by stays as it is, so that nothing is defined at more points; above, it is written
out, and may cancel what stands beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import sympy as sp

from symtape.forms.scalars.sums_rewritten import with_sums_rewritten

_MOST_NUMERATOR = 40
"""So many terms of what stands above are shortened, at most."""


def with_common_divisors(
    e: Any, shorten: Callable[[Any], Any], *, joins: bool = True
) -> Iterator[Any]:
    """Write the terms of a sum that are divided by one sum over its highest power, one at a time.

    What is above is multiplied out, unless it `joins` what is long: then it is also left as it is.

    >>> p, q, x = sp.symbols("p q x", positive=True)
    >>> d = 1 + q * x / p
    >>> list(with_common_divisors(1 / d + q * (1 - x) / (p * d**2), sp.factor, joins=False))
    [(p + q)/(p*(1 + q*x/p)**2)]
    """
    return with_sums_rewritten(e, lambda s: _ways(s, shorten, joins))


def _ways(s: Any, shorten: Callable[[Any], Any], joins: bool) -> Iterator[Any]:
    powers = [dict(f.as_base_exp() for f in sp.Mul.make_args(t)) for t in s.args]
    bases = {b for own in powers for b, k in own.items() if b.is_Add and k.is_Integer and k < 0}
    for base in sorted(bases, key=sp.default_sort_key):
        times = [-own.get(base, sp.S.Zero) for own in powers]
        own = [t for t, k in zip(s.args, times, strict=True) if k.is_Integer and k > 0]
        most = max(k for k in times if k.is_Integer)
        if len(own) < len(s.args) and len(own) == 1:
            continue  # a + b/d is no shorter as (a d + b)/d, unless it cancels elsewhere
        rest = sp.Add(*[t for t in s.args if t not in own])
        above = sp.Add(*[t * base**most for t in own])
        if joins:
            yield above / base**most + rest
        if len(sp.Add.make_args(above := sp.expand_mul(above))) <= _MOST_NUMERATOR:
            yield shorten(above) / base**most + rest
