"""Balls: numbers of Arb with a radius, made exactly, and what is certain of them.

An object is a quantity: what is the same object is the same number at every point of a box. Arb's
numbers are `arb` where they are real and `acb` where they are complex; python-flint is imported
when somebody asks for an enclosure.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import sympy as sp

from symtape.exact.truth import UNDECIDED, Truth
from symtape.extras import imported

Ball = Any
"""An `arb`, or an `acb`."""


@cache
def flint() -> Any:
    """Import python-flint; raises `ExtraNotInstalledError` where it is missing."""
    return imported("flint", "arithmetic with error bounds", "flint")


def is_complex(x: Any) -> bool:
    """Say whether a ball is one of complex numbers."""
    return isinstance(x, flint().acb)


def is_ball(x: Any) -> bool:
    """Say whether something is a ball."""
    return isinstance(x, (flint().arb, flint().acb))


def of_number(value: Any) -> Ball:
    """Make a ball of radius zero of a NumPy scalar or a Python number."""
    kind = np.asarray(value).dtype.kind
    if kind in "biu":
        return flint().arb(int(value))
    if kind == "c":
        return flint().acb(of_number(value.real), of_number(value.imag))
    return flint().arb(float(value))


def of_atom(e: Any) -> Ball | None:
    """Make a ball of a SymPy number; None of what is no number."""
    module = flint()
    if e.is_Rational:
        return module.arb(module.fmpq(int(e.p), int(e.q)))
    if e.is_Float:
        return of_binary(e._mpf_)
    made = _CONSTANTS.get(e)
    return made(module) if made else None


def of_binary(parts: tuple[int, int, int, int]) -> Ball:
    """Make a ball of radius zero of the sign, mantissa, exponent and length of a float of mpmath.

    A working precision that is too small for the mantissa does not cut it.
    """
    sign, mantissa, exponent, length = parts
    module = flint()
    if not mantissa:
        if not exponent:
            return module.arb(0)
        special = {-456: "inf", -789: "-inf"}.get(exponent)
        return module.arb(special) if special else module.arb.nan()
    with module.ctx.workprec(max(int(length), module.ctx.prec)):
        return module.arb((-int(mantissa) if sign else int(mantissa), int(exponent)))


_CONSTANTS: dict[Any, Callable[[Any], Ball]] = {
    sp.pi: lambda module: module.arb.pi(),
    sp.E: lambda module: module.arb.const_e(),
    sp.EulerGamma: lambda module: module.arb.const_euler(),
    sp.Catalan: lambda module: module.arb.const_catalan(),
    sp.GoldenRatio: lambda module: (1 + module.arb(5).sqrt()) / 2,
    sp.I: lambda module: module.acb(0, 1),
    sp.oo: lambda module: module.arb("inf"),
    -sp.oo: lambda module: module.arb("-inf"),
    sp.nan: lambda module: module.arb.nan(),
    sp.zoo: lambda module: module.arb.nan(),
}


def lifted(x: Any) -> Ball:
    """Make a ball of what may be a Python number, as zeros beside the entries of a matrix are."""
    return x if is_ball(x) else of_number(x)


def complexified(x: Any) -> Ball:
    """Make a complex ball."""
    found = lifted(x)
    return found if is_complex(found) else flint().acb(found)


def is_finite(x: Ball) -> bool:
    """Say whether a ball has a bound."""
    return bool(x.is_finite())


def is_exact(x: Ball) -> bool:
    """Say whether a ball is one number, or an infinity."""
    return bool(x.is_exact()) and not any(part.is_nan() for part in parts_of(x))


def is_unknown(x: Ball) -> bool:
    """Say whether nothing is known of a number, not even whether it exists."""
    return not is_finite(x) and not is_exact(x)


def parts_of(x: Ball) -> tuple[Ball, ...]:
    """Give the real and the imaginary part, or the number itself if it is real."""
    return (x.real, x.imag) if is_complex(x) else (x,)


def unknown(*, of_complex: bool = False) -> Ball:
    """Give the ball that says nothing."""
    nan = flint().arb.nan()
    return flint().acb(nan, nan) if of_complex else nan


# --- questions ------------------------------------------------------------------------------------


def is_less(x: Any, y: Any) -> Truth:
    """Say whether x < y."""
    if x is y:
        return UNDECIDED if is_unknown(lifted(x)) else False
    x, y = lifted(x), lifted(y)
    if is_complex(x) or is_complex(y):
        return UNDECIDED
    if x < y:
        return True
    return False if x >= y else UNDECIDED


def are_equal(x: Any, y: Any) -> Truth:
    """Say whether x = y: what is the same quantity is equal, whatever its radius."""
    x, y = lifted(x), lifted(y)
    if is_unknown(x) or is_unknown(y):
        return UNDECIDED
    if x is y:
        return True
    if is_complex(x) or is_complex(y):
        x, y = complexified(x), complexified(y)
    if is_exact(x) and is_exact(y):
        return bool(x == y)
    return UNDECIDED if x.overlaps(y) else False
