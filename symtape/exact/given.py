"""Numbers that somebody gives, of whatever kind, as balls; and whether they lie in others."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import sympy as sp

from symtape.errors import NoExactFormError
from symtape.exact.balls.bodies import Body
from symtape.exact.balls.numbers import (
    Ball,
    complexified,
    flint,
    is_exact,
    is_finite,
    of_binary,
    of_number,
)
from symtape.exact.enclosing import precision
from symtape.program.evaluation.arrays import alone

_BITS = 128
_DOUBLINGS = 7


def objects_of(value: Any) -> Any:
    """Make an array of the elements of a value."""
    if isinstance(value, sp.NDimArray):
        return np.array(value.tolist(), object)
    if (
        isinstance(value, (sp.Basic, Fraction))
        or hasattr(value, "_mpf_")
        or hasattr(value, "_mpc_")
    ):
        return alone(value)
    if isinstance(value, (list, tuple)):
        return np.array([objects_of(v).tolist() for v in value], object)
    return np.asarray(value)


def is_inside(ball: Ball, value: Any) -> bool:
    """Compute a value with more and more bits until it is inside or outside."""
    bits = _BITS
    for _ in range(_DOUBLINGS):
        with precision(bits):
            other = exact_ball(value)
            one, other = complexified(ball), complexified(other)
            if not is_finite(ball):
                return _contains_infinity(ball, other)
            if one.contains(other):
                return True
            if not one.overlaps(other) or is_exact(other):
                return False
        bits *= 2
    raise NoExactFormError(
        f"it is not decided whether {value!s:.60} is inside: it lies on a bound, or near to one"
    )


def _contains_infinity(ball: Ball, other: Ball) -> bool:
    """Say whether a ball without bounds, which is all numbers or an infinity, has a number."""
    return bool(ball == other.real) if is_exact(ball) else True


def exact_ball(value: Any) -> Ball:
    """Make a ball of a number of Python's, NumPy's, SymPy's or mpmath's, as it is.

    Raises `TypeError` for what is none.
    """
    if isinstance(value, Fraction):
        value = sp.Rational(value.numerator, value.denominator)
    if isinstance(value, sp.Basic):
        return Body({}, lambda _: None).ball(value)
    if hasattr(value, "_mpc_"):
        return flint().acb(*map(of_binary, value._mpc_))
    if hasattr(value, "_mpf_"):
        return of_binary(value._mpf_)
    if np.asarray(value).dtype.kind in "OSUMm":
        raise TypeError(f"{str(value)!r:.60} is no number")
    return of_number(value)
