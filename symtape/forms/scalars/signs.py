"""Absolute values, signs and brackets beside each other: x sign(x) is |x|."""

from __future__ import annotations

from typing import Any

import sympy as sp

from symtape.forms.index.brackets import Iverson
from symtape.forms.index.ranges import chains
from symtape.forms.scalars.conditions import ORDERED


def with_joined_signs(e: Any, *, is_real: bool = False) -> Any:
    """Join signs with absolute values, and with what they are the sign of, in every product.

    Of what is real alone, if not all is: z sign(z) is not |z| where z is complex. What is zero
    where a bracket is needs no bracket: [x > 0] max(0, x) is max(0, x).

    >>> x = sp.Symbol("x", real=True)
    >>> with_joined_signs(x * sp.sign(x) + sp.Abs(x)), with_joined_signs(sp.sign(x) / sp.Abs(x))
    (2*Abs(x), 1/x)
    """
    if e.has(Iverson):
        e = e.replace(sp.Mul, lambda *factors: _with_joined_brackets(_without_brackets(factors)))
    if not e.has(sp.sign):
        return e
    return e.replace(sp.Mul, lambda *factors: _joined(factors, is_real))


def _without_brackets(factors: tuple[Any, ...]) -> tuple[Any, ...]:
    powers = dict(f.as_base_exp() for f in factors)
    sizes = [base for base, k in powers.items() if isinstance(base, sp.Max) and k.is_positive]
    above = [a for m in sizes if 0 in m.args and len(m.args) == 2 for a in m.args if a != 0]
    idle = {Iverson(c) for x in above for c in (x > 0, x >= 0)}
    return tuple([f for f in factors if f not in idle])


def _with_joined_brackets(factors: tuple[Any, ...]) -> Any:
    """Write one bracket for two that bound one value: [0 ≤ x ≤ 1] for [x ≥ 0] [x ≤ 1]."""
    own = [f for f in factors if isinstance(f, Iverson) and isinstance(f.args[0], ORDERED)]
    if len(own) == 2 and chains(both := [f.args[0] for f in own]) is not None:
        return sp.Mul(*[f for f in factors if f not in own], Iverson(sp.And(*both)))
    return sp.Mul(*factors)


def _joined(factors: tuple[Any, ...], is_real: bool) -> Any:
    powers = dict(f.as_base_exp() for f in factors)
    for base in [b for b in powers if isinstance(b, sp.sign) and powers[b] == 1]:
        (x,) = base.args
        if not is_real and not x.is_extended_real:
            continue
        size, own = powers.get(sp.Abs(x), sp.S.Zero), powers.get(x, sp.S.Zero)
        if size.is_Integer and size != 0:  # sign(x) |x|ᵏ is x |x|ᵏ⁻¹
            powers |= {base: sp.S.Zero, sp.Abs(x): size - 1, x: own + 1}
        elif own.is_Integer and own > 0:  # and x sign(x) is |x|
            powers |= {base: sp.S.Zero, sp.Abs(x): sp.S.One, x: own - 1}
    return sp.Mul(*[base**exponent for base, exponent in powers.items()])


__all__ = ["with_joined_signs"]
