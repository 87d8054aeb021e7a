"""Roots of one over a product: x y √(1/(x y)) is √(x y)."""

from __future__ import annotations

from typing import Any

import sympy as sp


def with_plain_reciprocals(e: Any) -> Any:
    """Write roots of one over something real as one over roots, joined with what they are of.

    Both are defined where it is above zero.

    >>> x, y = sp.symbols("x y", real=True)
    >>> with_plain_reciprocals(x * y * sp.sqrt(1 / (x * y)))
    sqrt(x*y)
    """
    swap = {p: (1 / p.base) ** -p.exp for p in e.atoms(sp.Pow) if _is_root_of_reciprocal(p)}
    return e.xreplace(swap).replace(sp.Mul, _joined) if swap else e


def _is_root_of_reciprocal(p: Any) -> bool:
    is_root = p.exp.is_Rational and not p.exp.is_Integer and (1 / p.base).is_real
    powers = [f.as_base_exp()[1] for f in sp.Mul.make_args(p.base) if not f.is_Rational]
    return bool(is_root and powers) and all(k.is_Integer and k.is_negative for k in powers)


def _joined(*factors: Any) -> Any:
    """Add one to the exponent of a root of a product, if all that is in it stands beside it."""
    product = sp.Mul(*factors)
    for root in [f for f in factors if f.is_Pow and f.base.is_Mul and not f.exp.is_Integer]:
        step = 1 if root.exp.is_negative else -1
        exponents = (product / root).as_powers_dict()
        powers = [f.as_base_exp() for f in root.base.args]
        if all((exponents[b] - step * k) * step >= 0 for b, k in powers):
            return product / root / root.base**step * root.base ** (root.exp + step)
    return product
