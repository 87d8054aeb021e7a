"""Products of sines and cosines in sums: sin(x) cos(y) - cos(x) sin(y) is sin(x - y)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import sympy as sp

_MOST_TERMS = 12
"""So many terms a sum has at most that is looked through."""


def with_added_angles(e: Any) -> Iterator[Any]:
    """Write one term for two that a sum of angles, or a difference, is multiplied out to.

    >>> x, y, z = sp.symbols("x y z", real=True)
    >>> [*with_added_angles(z + z * sp.cos(y) * sp.cos(x) + z * sp.sin(x) * sp.sin(y))]
    [z*cos(x - y) + z]
    >>> [*with_added_angles(sp.sin(x + y) * sp.cos(x) - sp.cos(x + y) * sp.sin(x))]
    [sin(y)]
    """
    if not (e.has(sp.sin) and e.has(sp.cos)):
        return
    for total in sorted(e.atoms(sp.Add), key=sp.default_sort_key):
        for way in dict.fromkeys((total, sp.expand_mul(total))):
            for made in _joined(way):
                yield e.xreplace({total: made})


def _joined(total: Any) -> Iterator[Any]:
    if not total.is_Add:
        return
    known = [(t, *_angles(t)) for t in total.args] if len(total.args) <= _MOST_TERMS else []
    for (a, sines, cosines), (b, others, rest) in combinations(known, 2):
        if len(sines) == len(cosines) == 1 and (sines, cosines) == (rest, others):
            yield from _of_sine(total, a, b, *sines, *cosines)
        if (len(sines), len(cosines)) in ((2, 0), (0, 2)) and (sines, cosines) == (rest, others):
            yield from _of_cosine(total, *((b, a) if sines else (a, b)), *sines, *cosines)


def _angles(term: Any) -> tuple[list[Any], list[Any]]:
    """List the arguments of the sines and of the cosines that are factors of a term."""
    factors = sp.Mul.make_args(term)
    return tuple(  # type: ignore[return-value]  # of two
        sorted((f.args[0] for f in factors if isinstance(f, kind)), key=sp.default_sort_key)
        for kind in (sp.sin, sp.cos)
    )


def _of_sine(total: Any, a: Any, b: Any, x: Any, y: Any) -> Iterator[Any]:
    """Join c sin(x) cos(y) and ±c cos(x) sin(y)."""
    scale = a / (sp.sin(x) * sp.cos(y))
    sign = b / (sp.cos(x) * sp.sin(y)) / scale
    if sign in (1, -1):
        yield total - a - b + scale * sp.sin(x + sign * y)


def _of_cosine(total: Any, a: Any, b: Any, x: Any, y: Any) -> Iterator[Any]:
    """Join c cos(x) cos(y) and ±c sin(x) sin(y)."""
    scale = a / (sp.cos(x) * sp.cos(y))
    sign = b / (sp.sin(x) * sp.sin(y)) / scale
    if sign in (1, -1):
        yield total - a - b + scale * sp.cos(x - sign * y)
