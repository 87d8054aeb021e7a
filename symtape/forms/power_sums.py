"""Sums of a polynomial of its index alone, in closed form (Faulhaber's formula)."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import sympy as sp

from symtape.forms.limits import marks

_HIGHEST = 6
"""A polynomial of a higher degree stays a sum."""


@lru_cache(maxsize=4096)
def summed_powers(degree: int, count: Any) -> Any:
    """Add up kᵈ for k from 0 to one less than a number: (Bᵈ⁺¹(n) - Bᵈ⁺¹(0)) / (d + 1).

    >>> n = sp.Symbol("n", integer=True)
    >>> summed_powers(1, n), summed_powers(2, n), summed_powers(2, sp.Integer(4))
    (n*(n - 1)/2, n*(n - 1)*(2*n - 1)/6, 14)
    """
    x = sp.Dummy(integer=True)
    whole = sp.bernoulli(degree + 1, x) - sp.bernoulli(degree + 1, 0)
    made = sp.factor(sp.expand_func(whole) / (degree + 1))
    return made.subs(x, count)


def summed_polynomial(body: Any, k: Any, first: Any, last: Any) -> Any | None:
    """Write the sum of a polynomial of an index; None of what is none, or longer than its sum.

    >>> k, n = sp.symbols("k n", integer=True)
    >>> x = sp.IndexedBase("x")
    >>> summed_polynomial(k + 1, k, 0, 3), summed_polynomial(k * x[n], k, 0, 3)
    (10, 6*x[n])
    >>> summed_polynomial(k * x[k], k, 0, 3)
    """
    if not body.is_polynomial(k) or k in sp.sympify(last).free_symbols:
        return None
    powers = sp.Poly(body, k).as_dict()
    if max(powers)[0] > _HIGHEST:
        return None
    first, after = sp.sympify(first), sp.sympify(last) + 1
    terms = [
        number * (summed_powers(d, after) - (summed_powers(d, first) if first else 0))
        for (d,), number in powers.items()
    ]
    found = sp.Add(*terms)
    is_of_numbers = all(number.is_number for number in powers.values())
    is_short = is_of_numbers and first.is_Integer and after.is_Integer
    return found if is_short or marks(found) <= marks(sp.Sum(body, (k, first, last))) else None
