"""The number that an author meant by a float: 1/3, π and √2 are written as that in formulas.

A float is what it is in exact arithmetic. In a formula that a person reads, a decimal of a few
digits stays the decimal, and a float that is a fraction, a multiple of π, e, √π, log 2 or log 10,
or a root, but for one rounding, is written as that. Few floats are that by accident: from 0 to 1,
one in 10⁹.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
import sympy as sp

_LARGEST = 1000
"""The largest numerator and denominator that are looked for, where there is a root or π."""

_LOGARITHMS = (sp.log(2), 1 / sp.log(2), sp.log(10), 1 / sp.log(10))
"""What bits and decibels are counted by."""

_SHORT = 12
"""A decimal of fewer digits is what its author wrote."""


def written_number(number: Any) -> sp.Expr:
    """Give the number that an author meant by a number of Python's or SymPy's.

    >>> written_number(0.25), 2 * written_number(0.1) * sp.Symbol("x")
    (1/4, 0.2*x)
    >>> written_number(1 / 3), written_number(np.pi / 2), written_number(1 / np.sqrt(2 * np.pi))
    (1/3, pi/2, sqrt(2)/(2*sqrt(pi)))
    >>> written_number(10 / np.log(10)), written_number(1 / np.log(2))
    (10/log(10), 1/log(2))
    """
    if isinstance(number, sp.Basic):
        return number
    if isinstance(number, complex):
        return written_number(number.real) + sp.I * written_number(number.imag)
    plain = decimal_number(number)
    return plain if not plain.is_Float else recognized(float(number)) or plain


def decimal_number(number: Any) -> sp.Expr:
    """Give a real number as a person would write it: short binary fractions exactly, else decimals.

    >>> decimal_number(0.25), decimal_number(1 / 3)
    (1/4, 0.333333333333333)
    """
    if isinstance(number, (bool, int, sp.Basic)):
        return sp.sympify(number)
    if not np.isfinite(number):
        return sp.nan if np.isnan(number) else sp.oo * (1 if number > 0 else -1)
    above, below = number.as_integer_ratio()
    if below <= 1024 and abs(above) < 1 << 53:
        return sp.Rational(above, below)
    return sp.Float(repr(float(number)), 15)


@lru_cache(maxsize=4096)
def recognized(number: float) -> sp.Expr | None:
    """Give the number that a float is but for a rounding, if it is one of those that are known."""
    digits = repr(abs(number)).partition("e")[0].replace(".", "").strip("0")
    if len(digits) < _SHORT:
        return None
    close = math.ulp(number)
    return next((e for e in _candidates(number) if abs(sp.N(e, 40) - number) <= close), None)


def _candidates(number: float) -> Iterator[sp.Expr]:
    fraction = _fraction(number)
    if fraction is not None and fraction.q <= _LARGEST:
        yield fraction
    for unit in (sp.pi, 1 / sp.pi, sp.pi**2, sp.E, *_LOGARITHMS):
        found = _fraction(number / float(unit))
        if found is not None:
            yield found * unit
    sign = 1 if number > 0 else -1
    for unit in (sp.S.One, sp.pi, 1 / sp.pi):
        found = _fraction(number * number / float(unit))
        if found is not None:
            yield sign * sp.sqrt(found * unit)


def _fraction(value: float) -> Any | None:
    """Give a fraction of small numbers that is near a value."""
    if not np.isfinite(value):
        return None
    found = Fraction(value).limit_denominator(_LARGEST)
    small = 0 < abs(found.numerator) <= _LARGEST * _LARGEST
    near = abs(float(found) - value) <= abs(value) * 1e-15
    return sp.Rational(found.numerator, found.denominator) if small and near else None
