"""Pieces of formulas, and how numbers are written."""

from __future__ import annotations

from typing import Any, NamedTuple

import sympy as sp

SUM, NEGATIVE, TIMES, POWER, ATOM = range(5)
"""How tightly a text binds: what is looser than its place needs parentheses."""
_MANY_ZEROS = 6
"""From so many on, the zeros at the end of a whole number are a power of ten in LaTeX."""


class Text(NamedTuple):
    """A piece of a formula, and how tightly it binds."""

    words: str
    binding: int


def decimal(number: float) -> str:
    """Write a number by its shortest digits, or by fifteen where the others are rounding."""
    text, short = (t.removesuffix(".0") for t in (repr(number), repr(float(f"{number:.15g}"))))
    return short if len(short) < len(text) - 3 else text


def times_ten_to(digits: str, power: int) -> str:
    """Write digits times a power of ten in LaTeX."""
    raised = f"10^{{{power}}}"
    return raised if digits == "1" else rf"{digits} \cdot {raised}"


def with_power_of_ten(number: str) -> str:
    """Write a whole number in LaTeX so that nobody has to count its zeros."""
    digits = number.rstrip("0")
    zeros = len(number) - len(digits)
    return times_ten_to(digits, zeros) if digits.isdigit() and zeros >= _MANY_ZEROS else number


def _marks(e: Any) -> int:
    """Count what the numbers of a sum's terms take to be written."""
    found = 0
    for number, rest in (t.as_coeff_Mul() for t in sp.Add.make_args(e)):
        if number.is_Rational:  # one that stands alone is always written, without an operator
            found += (1 if rest == 1 else 2 * (abs(number.p) != 1)) + 2 * (number.q != 1)
    return found


def is_longer(number: Any, rest: Any, e: Any) -> bool:
    """Say whether a sum is longer with a number in front: I - A / 3 is (3 I - A) / 3.

    What begins with a number stays as it is where it is as long: 1 + s/2.
    """
    before, after = _marks(e), _marks(number * sp.Symbol("x")) + _marks(rest)
    begins = not number.is_Integer and any(t.is_Integer for t in e.args)
    return before < after or (before == after and begins)
