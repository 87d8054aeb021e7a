"""Digits that are certain: those of a ball so small that all numbers in it round to one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import mpmath
import numpy as np
import sympy as sp
from mpmath.libmp import dps_to_prec, from_man_exp

from symtape.errors import ExtraNotInstalledError, SymtapeError
from symtape.exact.balls.numbers import Ball, flint, is_finite, parts_of
from symtape.exact.enclosing import Question, at_point, precision
from symtape.program.program import Program

_DOUBLINGS = 6
"""How often more bits are tried, before digits are asked of mpmath."""


def certain_digits(
    program: Program, position: int, values: Mapping[int, Any], wanted: int
) -> Any | None:
    """Compute a position to some significant digits, each rounded rightly: SymPy floats.

    None where that is not known: without python-flint, for what Arb lacks, and where a number is a
    sum that cancels, or lies on an edge, so that no ball around it is small enough.
    """
    try:
        flint()
    except ExtraNotInstalledError:
        return None
    bits = dps_to_prec(wanted)
    if program.dtypes[position].kind == "b":
        return None  # a truth has no digits
    try:
        run, working = at_point(
            Question(program, position),
            values,
            lambda x: rounded(x, wanted) is not None,
            bits,
            _DOUBLINGS,
        )
    except SymtapeError:
        return None
    out = np.empty(run.value.shape, object)
    with precision(working):
        for at in np.ndindex(*out.shape):
            out[at] = rounded(run.value[at], wanted)
    return None if any(x is None for x in out.flat) else out


def rounded(x: Ball, wanted: int) -> Any | None:
    """Round a ball to some digits; None where its numbers do not all round to the same.

    >>> from flint import arb
    >>> rounded(arb(1, 1e-10), 5), rounded(arb(1, 1e-3), 5)
    (1.0000, None)
    """
    found = [_rounded(part, wanted) for part in parts_of(x)]
    if any(part is None for part in found):
        return None
    return found[0] if len(found) == 1 or not found[1] else found[0] + sp.I * found[1]


def _rounded(x: Ball, wanted: int) -> Any | None:
    if not is_finite(x):
        return None
    bits = dps_to_prec(wanted)
    if x.is_exact():
        return _float(x, wanted)
    if x.rel_accuracy_bits() <= bits:
        return None
    low, high = _float(x.lower(), wanted), _float(x.upper(), wanted)
    return low if low == high else None


def _float(x: Ball, wanted: int) -> Any:
    """Round an exact ball to the nearest float of some digits."""
    mantissa, exponent = x.man_exp()
    whole = mpmath.mp.make_mpf(from_man_exp(int(mantissa), int(exponent)))
    return sp.Float(whole, wanted)
