"""Squares of a sine and a cosine in sums: 1 + cos(z)²/sin(z)² is 1/sin(z)²."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from typing import Any

import sympy as sp

from symtape.forms.scalars.quotients import keeps_divisors

_MOST_TERMS = 12
"""So many terms a sum has at most that is looked through."""


def with_squares_of_sines(e: Any) -> Iterator[Any]:
    """Write one term for two that differ by cos(z)²/sin(z)², or by what stands for such a square.

    The same is divided by. Where a tangent stands elsewhere, too, it is one of sines as well.

    >>> x, y = sp.symbols("x y", real=True)
    >>> [*with_squares_of_sines(y + x + x * sp.cos(y) ** 2 / sp.sin(y) ** 2)]
    [x/sin(y)**2 + y]
    >>> [next(with_squares_of_sines(1 + e)) for e in (sp.tan(y) ** 2, -(sp.sin(y) ** 2))]
    [cos(y)**(-2), cos(y)**2]
    >>> [*with_squares_of_sines(-x - x / sp.tan(y) ** 2)]
    [-x/sin(y)**2]
    >>> [*with_squares_of_sines(1 / sp.tan(y) + 1 / sp.tan(y) ** 3)]
    [cos(y)/sin(y)**3]
    >>> [*with_squares_of_sines(2 * sp.cos(y) ** 2 + sp.sin(y) ** 2)]
    [cos(y)**2 + 1]
    """
    if not e.has(sp.sin, sp.cos, sp.tan):
        return
    known = {e}
    for total in sorted(e.atoms(sp.Add), key=sp.default_sort_key):
        for made in _joined(total):
            found = e.xreplace({total: made})
            is_less = not total.has(sp.tan) or len(found.atoms(sp.tan)) < len(e.atoms(sp.tan))
            found = found if is_less else _in_sines(found)
            if found not in known and keeps_divisors(_in_sines(e), _in_sines(found)):
                yield found
            known.add(found)


def _in_sines(e: Any) -> Any:
    """Write tangents as what they are of sines, so that 1/tan(z) divides by sin(z)."""
    return e.xreplace({f: sp.sin(*f.args) / sp.cos(*f.args) for f in e.atoms(sp.tan)})


def _joined(total: Any) -> Iterator[Any]:
    angles = {f.args for f in total.atoms(sp.sin, sp.cos, sp.tan)}
    ratios = {ratio: factor for z in angles for ratio, factor in _sums(*z).items()}
    for a, b in permutations(total.args, 2) if len(total.args) <= _MOST_TERMS else ():
        if b / a in ratios:
            yield total - a - b + a * ratios[b / a]
        for z in angles if (a / b).has(sp.sin) else ():
            sine, cosine = sp.sin(*z) ** 2, sp.cos(*z) ** 2
            if (times := a * sine / (b * cosine)).is_Rational and times != 1:
                yield total - a - b + b / sine + (times - 1) * b * cosine / sine


def _sums(z: Any) -> dict[Any, Any]:
    """Give what 1 + r is, by r."""
    sine, cosine = sp.sin(z) ** 2, sp.cos(z) ** 2
    ratios = {cosine / sine: 1 / sine, sp.tan(z) ** 2: 1 / cosine, sp.tan(z) ** -2: 1 / sine}
    return ratios | {-sine: cosine, -cosine: sine}
