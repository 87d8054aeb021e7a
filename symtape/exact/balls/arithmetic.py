"""Arithmetic of balls, and of intervals, whose ends are looked at one by one.

Arb bounds every result, but of a wide ball not closely: 1/x² of [1, 2] would reach below zero.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from symtape.exact.balls.numbers import (
    Ball,
    complexified,
    flint,
    is_complex,
    is_finite,
    is_unknown,
    lifted,
    parts_of,
    unknown,
)
from symtape.exact.truth import Truth, Undecided

_WIDE = 20
"""A ball of fewer certain bits is an interval, whose ends are looked at one by one."""
_RADIUS = 30
"""Bits of a radius."""


def is_wide(x: Ball) -> bool:
    """Say whether a real ball is an interval rather than a rounded number."""
    return not x.is_exact() and is_finite(x) and x.rel_accuracy_bits() < _WIDE


def interval(lower: Ball, upper: Ball) -> Ball:
    """Make a ball around all that lies between two real balls, as small as radii allow.

    Arb makes radii a little larger than they are given, so that [0, 1] would reach below zero.
    """
    if not is_finite(lower) or not is_finite(upper):
        return unknown()
    low, high = lower.lower(), upper.upper()
    middle = ((low + high) / 2).mid()
    least = (high - middle).upper().max((middle - low).upper()).upper()
    asked = _before(least)
    if flint().arb(0, asked).rad() < least:
        asked = least
    return _moved(flint().arb(0, asked), low, high) or flint().arb(middle, asked)


def _moved(around: Ball, low: Ball, high: Ball) -> Ball | None:
    """Put an interval so that an end is exact, zero before others; None where it has no room."""
    radius = around.rad()
    middle = high - radius if high == 0 else low + radius
    if not middle.is_exact():
        return None
    made = around + middle
    return made if made.mid() == middle and made.rad() == radius else None


def _before(radius: Ball) -> Ball:
    """Give the radius that Arb makes the least one of at least this size of."""
    if radius == 0:
        return radius
    mantissa, exponent = radius.man_exp()
    excess = int(mantissa).bit_length() - _RADIUS
    if excess > 0:
        return flint().arb((int(mantissa) >> excess, int(exponent) + excess))
    below = (int(mantissa) << 1 - excess) - 1
    return flint().arb((below, int(exponent) + excess - 1))


def hull(balls: Sequence[Any]) -> Ball:
    """Make a ball around several: that of the first, if it is the only one."""
    found = [lifted(x) for x in balls]
    if len(found) == 1 or all(x is found[0] for x in found):
        return found[0]
    if any(map(is_complex, found)):
        pairs = [parts_of(complexified(x)) for x in found]
        return flint().acb(hull([re for re, _ in pairs]), hull([im for _, im in pairs]))
    if not all(map(is_finite, found)):
        return unknown()
    low = _joined([x.lower() for x in found], lambda x, y: x.min(y))
    return interval(low, _joined([x.upper() for x in found], lambda x, y: x.max(y)))


def greatest(balls: Sequence[Ball]) -> Ball:
    """Give the largest of some real balls, around all that may be it."""
    return _extreme(balls, lambda x, y: x.max(y))


def least(balls: Sequence[Ball]) -> Ball:
    """Give the smallest of some real balls, likewise."""
    return _extreme(balls, lambda x, y: x.min(y))


def _extreme(balls: Sequence[Ball], choose: Callable[[Ball, Ball], Ball]) -> Ball:
    if any(is_unknown(x) or not is_finite(x) for x in balls):
        return _joined(balls, choose)
    return interval(
        _joined([x.lower() for x in balls], choose), _joined([x.upper() for x in balls], choose)
    )


def _joined(balls: Sequence[Ball], choose: Callable[[Ball, Ball], Ball]) -> Ball:
    total = balls[0]
    for x in balls[1:]:
        total = choose(total, x)
    return total


def monotone(function: Callable[[Ball], Ball], x: Ball) -> Ball:
    """Apply a function that rises, or falls, wherever an interval lies."""
    if is_complex(x) or not is_wide(x):
        return function(x)
    return hull([function(x.lower()), function(x.upper())])


# --- arithmetic -----------------------------------------------------------------------------------


def times(x: Ball, y: Ball) -> Ball:
    """Multiply; of intervals, the ends."""
    if is_complex(x) or is_complex(y) or not (is_wide(x) or is_wide(y)):
        return x * y
    return hull([a * b for a in (x.lower(), x.upper()) for b in (y.lower(), y.upper())])


def total(terms: Sequence[Any]) -> Ball:
    """Add up; of intervals, the ends."""
    found = [lifted(x) for x in terms] or [flint().arb(0)]
    if any(map(is_complex, found)) or not any(map(is_wide, found)):
        return _added(found)
    return interval(_added([x.lower() for x in found]), _added([x.upper() for x in found]))


def _added(balls: Sequence[Ball]) -> Ball:
    made = balls[0]
    for x in balls[1:]:
        made = made + x
    return made


def product(factors: Sequence[Any]) -> Ball:
    """Multiply; what stands twice is squared, which is not negative."""
    if not factors:
        return flint().arb(1)
    counts: dict[int, list[Any]] = {}
    for factor in factors:
        counts.setdefault(id(factor), []).append(factor)
    total: Any = None
    for alike in counts.values():
        one = lifted(alike[0])
        raised = one if len(alike) == 1 else whole_power(one, len(alike))
        total = raised if total is None else times(total, raised)
    return total


def reciprocal(x: Ball) -> Ball:
    """1/x, of which nothing is known where x may be zero."""
    return whole_power(x, -1)


def whole_power(x: Ball, n: int) -> Ball:
    """xⁿ; an even power is not negative."""
    if is_complex(x) or not is_wide(x):
        found = x**n
        return found.nonnegative_part() if n % 2 == 0 and _may_be_negative(found) else found
    if x >= 0 or x <= 0:
        return monotone(lambda e: e**n, x)
    if n < 0:
        return unknown()
    ends = [x.lower() ** n, x.upper() ** n]
    return interval(flint().arb(0), greatest(ends)) if n % 2 == 0 else hull(ends)


def _may_be_negative(x: Ball) -> bool:
    return not is_complex(x) and is_finite(x) and not x >= 0


def power(x: Ball, y: Ball) -> Ball:
    """xʸ, for a positive x or a whole y."""
    if is_complex(x) or is_complex(y):
        return complexified(x) ** complexified(y)
    whole = y.unique_fmpz() if y.is_exact() and is_finite(y) else None
    if whole is not None and abs(whole) < 1 << 31:
        return whole_power(x, int(whole))
    if y == 0.5:
        return root(x)
    if y.is_exact() and x >= 0:
        return monotone(lambda e: e**y, x)
    if is_wide(x) or is_wide(y):
        return exponential(times(y, logarithm(x)))
    return x**y


def root(x: Ball) -> Ball:
    """√x."""
    return monotone(lambda e: e.sqrt(), x)


def exponential(x: Ball) -> Ball:
    """exp(x)."""
    return monotone(lambda e: e.exp(), x)


def logarithm(x: Ball) -> Ball:
    """log(x), which is -∞ at zero."""
    if not is_complex(x) and x.is_exact() and x == 0:
        return flint().arb("-inf")
    return monotone(lambda e: e.log(), x)


def of_truth(truth: Truth) -> Ball:
    """Make 1 of what holds, 0 of what does not, and [0, 1] of what is not decided."""
    arb = flint().arb
    return interval(arb(0), arb(1)) if isinstance(truth, Undecided) else arb(int(truth))
