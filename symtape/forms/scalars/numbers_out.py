"""Numbers taken out of the sums in products: SymPy writes x/2 + y/2 for half of a sum."""

from __future__ import annotations

from typing import Any

import sympy as sp


def with_numbers_out(e: Any) -> Any:
    """Take out of the sums among the factors what all of their terms are divided by.

    >>> x, y, z = sp.symbols("x y z")
    >>> with_numbers_out(4 * x * (y / 2 - z / 2) ** 2)
    x*(y - z)**2
    """
    return e.replace(sp.Mul, _of_product) if e.has(sp.Add) else e


def _of_product(*factors: Any) -> Any:
    return sp.Mul(*[part for f in factors for part in _of_factor(f)])


def _of_factor(f: Any) -> tuple[Any, ...]:
    """Give a number and the rest of a whole power of a sum."""
    base, power = f.as_base_exp()
    if not (base.is_Add and power.is_Integer):
        return (f,)
    number, rest = base.primitive()
    return (f,) if number.is_Integer else (number**power, rest**power)
