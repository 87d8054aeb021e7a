"""Absolute values, signs and brackets beside each other: x sign(x) is |x|."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import sympy as sp

from symtape.forms.index.brackets import Iverson
from symtape.forms.index.ranges import chains
from symtape.forms.limits import most_terms
from symtape.forms.scalars.cases.conditions import ORDERED

_MOST_TERMS = 20
"""What has more terms is not multiplied out to be compared."""


def with_joined_signs(e: Any, *, is_real: bool = False) -> Any:
    """Join signs with absolute values, and with what they are the sign of, in every product.

    Of what is real alone, if not all is: z sign(z) is not |z| where z is complex. What is zero
    where a bracket is needs no bracket: [x > 0] max(0, x) is max(0, x). Parts of a number and of
    its conjugate are those of one, and signs of a difference and of what it is turned around.

    What a sign's argument is divided by under a root or a square has none of its own.

    >>> x, y = sp.symbols("x y", real=True)
    >>> with_joined_signs(sp.sign(x - y) - sp.sign(y - x)), with_joined_signs(sp.sign(x / y**2))
    (2*sign(x - y), sign(x))
    >>> with_joined_signs(x * sp.sign(x) + sp.Abs(x)), with_joined_signs(sp.sign(x) / sp.Abs(x))
    (2*Abs(x), 1/x)
    >>> with_joined_signs(sp.sign(x / y) / sp.Abs(x / y))
    y/x
    """
    if e.has(sp.re, sp.im):
        e = _with_joined_conjugates(e)
    if e.has(Iverson):
        e = e.replace(sp.Mul, _with_joined_brackets)
    if not e.has(sp.sign):
        return e
    e = _with_joined_orientations(e.replace(sp.sign, _of_what_has_signs))
    return e.replace(sp.Mul, lambda *factors: _joined(factors, is_real))


def _of_what_has_signs(x: Any) -> Any:
    """Take the sign of the factors that may be below zero: that of x / √y is x's."""
    return sp.sign(sp.Mul(*[f for f in sp.Mul.make_args(x) if not _is_divided_by_a_size(f)]))


def _is_divided_by_a_size(factor: Any) -> bool:
    """Say whether a factor is one over a root, or over a square, of what is real."""
    base, k = factor.as_base_exp()
    is_below = k.is_Rational and k.is_negative and base.is_extended_real
    return bool(is_below) and (k.p % 2 == 0 or k.q % 2 == 0)


def _with_joined_conjugates(e: Any) -> Any:
    """Write re(z) for the real part of the conjugate of z, where both are there, and -im(z)."""
    known: set[Any] = set()
    swap = {}
    for part in sorted(e.atoms(sp.re, sp.im), key=lambda f: (_minuses(f), sp.default_sort_key(f))):
        (z,) = part.args
        other = sp.conjugate(z)
        if other in known and other != z:
            swap[part] = sp.re(other) if isinstance(part, sp.re) else -sp.im(other)
        known.add(z)
    return e.xreplace(swap) if swap else e


def _with_joined_orientations(e: Any) -> Any:
    """Write -sign(x - y) for sign(y - x), where both are there."""
    signs = e.atoms(sp.sign)
    turned = [f for f in signs if f.args[0].is_Add and f.args[0].could_extract_minus_sign()]
    return e.xreplace({f: -sp.sign(-f.args[0]) for f in turned if sp.sign(-f.args[0]) in signs})


def with_one_bracket(e: Any) -> Iterator[Any]:
    """Write [c] for 1 - [not c], where what they multiply differs by a number, and is no quotient.

    >>> s, t, x = sp.symbols("s t x", real=True)
    >>> [*with_one_bracket(s * Iverson(x < t) + (s - 1) * Iverson(x >= t))]
    [s - Iverson(x >= t), s + Iverson(x < t) - 1]
    """
    known = e.atoms(Iverson)
    pairs = ((b, Iverson(sp.Not(b.args[0]))) for b in sorted(known, key=sp.default_sort_key))
    for bracket, other in pairs:
        if other not in known:
            continue
        known -= {bracket}  # the pair comes once
        on, off = (e.xreplace({bracket: sp.Integer(k), other: sp.Integer(1 - k)}) for k in (1, 0))
        slope = sp.expand_mul(on - off)
        if slope.is_Rational and (slope == 0 or off.is_polynomial(*e.free_symbols)):
            yield off + slope * bracket
            yield on - slope * other


def _minuses(e: Any) -> int:
    """Count the terms that are taken away: s + i t comes before s - i t."""
    return sum(t.could_extract_minus_sign() for a in e.atoms(sp.Add) for t in a.args)


def without_idle_brackets(factors: tuple[Any, ...]) -> tuple[Any, ...]:
    """Leave out the brackets of what is zero without them: max(0, x) for [x > 0] max(0, x)."""
    pairs = [f.as_base_exp() for f in factors]
    sizes = [base for base, k in pairs if isinstance(base, sp.Max) and k.is_positive]
    above = [a for m in sizes if 0 in m.args and len(m.args) == 2 for a in m.args if a != 0]
    return tuple([f for f in factors if not _is_one_of(_above_zero(f), above)])


def _is_one_of(e: Any | None, others: Sequence[Any]) -> bool:
    """Say whether something is there, as it stands or multiplied out: s (x - y), and s x - s y."""
    if e is None or e in others:
        return e is not None
    sums = [e, *others] if e.is_Add else []
    is_short = all(most_terms(a)[a] <= _MOST_TERMS for a in sums)
    return is_short and any(sp.expand_mul(e - other) == 0 for other in others)


def _above_zero(factor: Any) -> Any | None:
    """Give what is above zero where a bracket is not zero: 1 - x of [x < 1]."""
    condition = factor.args[0] if isinstance(factor, Iverson) else None
    if not isinstance(condition, (sp.Gt, sp.Ge, sp.Lt, sp.Le)):
        return None
    return condition.gts - condition.lts


def _with_joined_brackets(*all_factors: Any) -> Any:
    """Write one bracket for two that bound one value: [0 ≤ x ≤ 1] for [x ≥ 0] [x ≤ 1]."""
    factors = without_idle_brackets(all_factors)
    own = [f for f in factors if isinstance(f, Iverson) and isinstance(f.args[0], ORDERED)]
    if len(own) == 2 and chains(both := [f.args[0] for f in own]) is not None:
        return sp.Mul(*[f for f in factors if f not in own], Iverson(sp.And(*both)))
    return sp.Mul(*factors)


def _joined(factors: tuple[Any, ...], is_real: bool) -> Any:
    for sign in [f for f in factors if isinstance(f, sp.sign)]:
        (x,) = sign.args
        own = _exponent(factors, x)
        size = sp.S.Zero if sp.Abs(x) == x else _exponent(factors, sp.Abs(x))  # each factor once
        has_one_axis = is_real or _is_of_reals(x)
        if size.is_Integer and (size > 0 or (has_one_axis and size != 0)):
            of_size = x if has_one_axis and size.is_odd else sp.Abs(x)
            made = of_size ** (size - 1), x ** (own + 1)  # sign(x) |x|ᵏ is x |x|ᵏ⁻¹
        elif not has_one_axis:
            continue
        elif own.is_Integer and own > 0:  # and x sign(x) is |x|
            made = sp.Abs(x) ** (size + 1), x ** (own - 1)
        else:
            continue
        others = [f for f in factors if f.as_base_exp()[0] not in (sign, sp.Abs(x), x)]
        factors = (*others, *made)
    return sp.Mul(*factors)


def _is_of_reals(x: Any) -> bool:
    """Say whether something is real, or a quotient of what is, wherever it has a value."""
    if x.is_extended_real:
        return True
    pairs = [f.as_base_exp() for f in sp.Mul.make_args(x)]
    return all(base.is_extended_real and k.is_integer for base, k in pairs)


def _exponent(factors: tuple[Any, ...], base: Any) -> Any:
    """Give the power of a base in a product: there may be several, as x² xˢ."""
    pairs = [f.as_base_exp() for f in factors]
    return sp.Add(*[k for b, k in pairs if b == base])
