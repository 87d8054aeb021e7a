"""How a ball is written: digits with what they may be off by, or the ends of an interval."""

from __future__ import annotations

from decimal import Context, Decimal

from symtape.exact.balls.numbers import Ball, is_complex, is_exact, is_finite

_NARROW = 10
"""A ball of so many certain bits is a number that is known, and else an interval."""
_MOST = 60
"""Digits that are written."""
_SHOWN = 30
"""Digits of a number of radius zero that has more than that."""
_ENDS = 6
"""Digits of the ends of an interval."""


def text(x: Ball) -> str:
    """Write a ball, so that what is written contains it.

    >>> from flint import arb
    >>> text(arb(0.375)), text(arb(2, 0.001)), text(arb(1.5, 0.5))
    ('0.375', '2.0000 ± 0.0011', '0.999999 .. 2.00001')
    """
    if is_complex(x):
        return text(x.real) if x.imag == 0 else f"{text(x.real)} + ({text(x.imag)})i"
    if is_exact(x) and not is_finite(x):
        return "oo" if x > 0 else "-oo"
    if not is_finite(x):
        return "-oo .. oo"
    if x.is_exact():
        mantissa, radius, exponent = map(int, x.mid_rad_10exp(_MOST))
        return _decimal(mantissa, exponent, short=True) if not radius else _with_radius(x, _SHOWN)
    if x.rel_accuracy_bits() >= _NARROW:
        return _with_radius(x, _MOST)
    return f"{_end(x.lower(), -1)} .. {_end(x.upper(), 1)}"


def _with_radius(x: Ball, most: int) -> str:
    """Write the middle as far as the second digit of the radius."""
    middle, radius, exponent = map(int, x.mid_rad_10exp(most))
    cut = 10 ** max(len(str(radius)) - 2, 0)
    shown = _nearest(middle, cut)
    off = -(-(radius + abs(middle - shown * cut)) // cut)
    if off > 99:
        off, extra = -(-off // 10), 1
    else:
        extra = 0
    places = exponent + len(str(cut)) - 1
    near = _decimal(shown, places)
    return f"{near} ± {_decimal(off, places + extra, scientific='e' in near)}"


def _nearest(number: int, unit: int) -> int:
    return (2 * number + unit) // (2 * unit)


def _end(x: Ball, side: int) -> str:
    """Write an end, rounded outwards."""
    middle, radius, exponent = map(int, x.mid_rad_10exp(_MOST))
    number = middle + side * radius
    unit = 10 ** max(len(str(abs(number))) - _ENDS, 0)
    rounded = number // unit if side < 0 else -(-number // unit)
    return _decimal(rounded, exponent + len(str(unit)) - 1, short=True)


def _decimal(number: int, exponent: int, *, short: bool = False, scientific: bool = False) -> str:
    """Write number·10^exponent; a short one has no zeros behind."""
    digits = Decimal(number).as_tuple()
    made = Decimal((digits.sign, digits.digits, exponent))
    made = made.normalize(Context(prec=10_000)) if short or exponent > 0 else made
    plain = not scientific and -7 < made.adjusted() < 21
    return f"{made:f}" if plain else f"{made:E}".lower()
