"""Decimal numbers stay what their authors wrote while an expression is shortened.

SymPy computes with them: z / 0.3 is 3.33333333333333 z there, and 0.3 / 0.3 is 1.0. So a decimal
of a few digits is a positive symbol until the expression is done.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sympy as sp

from symtape.program.numbers import written_number

MOST_DIGITS = 11
"""A decimal of no more digits is what its author wrote."""

_DECIDING = (sp.core.relational.Relational, sp.Max, sp.Min, sp.Piecewise, sp.floor, sp.ceiling)

Numbers = Mapping[Any, Any]
"""The decimal numbers of symbols."""


def is_short(number: Any) -> bool:
    """Say whether somebody may have written a decimal number.

    >>> is_short(sp.Float("0.05")), is_short(1 / sp.Float("0.3"))
    (True, False)
    """
    digits = repr(abs(float(number))).partition("e")[0].replace(".", "").strip("0")
    return len(digits) <= MOST_DIGITS


def decides(e: Any) -> bool:
    """Say whether something depends on how large numbers are."""
    return bool(e.has(*_DECIDING))


def without_long(e: Any) -> Any:
    """Write fractions for the decimals that they became: 10 z / 3 for 3.33333333333333 z."""
    found = {f: written_number(float(f)) for f in e.atoms(sp.Float) if f.is_finite}
    swap = {f: number for f, number in found.items() if not number.is_Float}
    return e.xreplace(swap) if swap else e


def apart(e: Any) -> tuple[Any, Numbers]:
    """Put symbols in the place of decimals, which may be put back by `valued`."""
    e = without_long(e)
    if decides(e):
        return e, {}
    floats = sorted({abs(f) for f in e.atoms(sp.Float) if is_short(f)}, key=float)
    numbers = {sp.Dummy(f"{float(f)}", positive=True): f for f in floats}
    swap = {sign * f: sign * s for s, f in numbers.items() for sign in (1, -1)}
    return e.xreplace(swap), numbers


def valued(e: Any, numbers: Numbers) -> Any:
    """Put decimals in the place of symbols; what is divided by one is multiplied by a fraction."""
    if not numbers:
        return e
    powers = [p for p in e.atoms(sp.Pow) if p.base in numbers and is_below(p)]
    below = {p: sp.Rational(repr(float(numbers[p.base]))) ** p.exp for p in powers}
    return e.xreplace(below).xreplace(numbers)


def is_below(e: Any) -> bool:
    """Say whether something is divided by: a power of a whole number below zero."""
    return bool(e.is_Pow and e.exp.is_Integer and e.exp.is_negative)


__all__ = ["apart", "decides", "is_below", "is_short", "valued", "without_long"]
