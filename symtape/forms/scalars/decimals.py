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

_ROUNDING = 4e-16
"""How far a quotient of floats is from what it is of, at most."""

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
    written = {f: _written(f) for f in e.atoms(sp.Float)}
    found = {f: pair for f, pair in written.items() if pair is not None}
    floats = sorted({number for number, _ in found.values()}, key=float)
    numbers = {sp.Dummy(f"{float(f)}", positive=True): f for f in floats}
    symbols = {f: s for s, f in numbers.items()}
    swap = {f: sp.sign(f) * symbols[number] ** k for f, (number, k) in found.items()}
    return e.xreplace(swap), numbers


def _written(number: Any) -> tuple[Any, int] | None:
    """Give what an author wrote, and whether it was divided by: 8.314 and -1 for 1 / 8.314."""
    size = abs(float(number))
    if is_short(number):
        return abs(number), 1
    below = float(f"{1 / size:.10g}") if size else size
    is_near = bool(below) and abs(1 / below - size) <= size * _ROUNDING
    return (sp.Float(repr(below), 15), -1) if is_near and is_short(below) else None


def valued(e: Any, numbers: Numbers) -> Any:
    """Put decimals in the place of symbols; what is divided by one is multiplied by a fraction."""
    if not numbers:
        return e
    powers = [p for p in e.atoms(sp.Pow) if p.base in numbers and is_below(p)]
    below = {p: sp.Rational(repr(float(numbers[p.base]))) ** p.exp for p in powers}
    return e.xreplace(below).xreplace(numbers)


def with_divisors(e: Any, numbers: Numbers) -> tuple[Any, Numbers]:
    """Put decimals in the place of symbols but where they divide; give those that stay, too."""
    powers = {p for p in e.atoms(sp.Pow) if p.base in numbers and is_below(p)}
    stays = {p: sp.Dummy(positive=True) for p in powers}
    meant = {stand: p for p, stand in stays.items()}
    made = e.xreplace(stays).xreplace(numbers).xreplace(meant)
    return made, {p.base: numbers[p.base] for p in powers}


def is_below(e: Any) -> bool:
    """Say whether something is divided by: a power of a whole number below zero."""
    return bool(e.is_Pow and e.exp.is_Integer and e.exp.is_negative)
