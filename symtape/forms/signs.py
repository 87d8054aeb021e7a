"""Absolute values and signs of real numbers beside each other: x sign(x) is |x|."""

from __future__ import annotations

from typing import Any

import sympy as sp


def with_joined_signs(e: Any, *, is_real: bool = False) -> Any:
    """Join signs with absolute values, and with what they are the sign of, in every product.

    Of what is real alone, if not all is: z sign(z) is not |z| where z is complex.

    >>> x = sp.Symbol("x", real=True)
    >>> with_joined_signs(x * sp.sign(x) + sp.Abs(x)), with_joined_signs(sp.sign(x) / sp.Abs(x))
    (2*Abs(x), 1/x)
    """
    if not e.has(sp.sign):
        return e
    return e.replace(sp.Mul, lambda *factors: _joined(factors, is_real))


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
