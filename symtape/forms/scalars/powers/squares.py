"""Squares that were multiplied out: (x - y)² for x² - 2 x y + y²."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import sympy as sp


def with_squares(e: Any) -> Iterator[Any]:
    """Write squares of sums and differences for three terms of sums, one sum at a time.

    >>> x, y = sp.symbols("x y")
    >>> [*with_squares(1 / (4 + x**2 - 2 * x * y + y**2) ** 2)]
    [((x - y)**2 + 4)**(-2)]
    """
    for total in sorted(filter(_has_squares, e.atoms(sp.Add)), key=sp.default_sort_key):
        for made in _completed(total):
            yield e.xreplace({total: made})


def _has_squares(total: Any) -> bool:
    return len(total.args) > 2 and sum(map(_is_square, total.args)) > 1


def _is_square(term: Any) -> bool:
    rest = term.as_coeff_Mul()[1]
    return bool(rest.is_Pow and rest.exp == 2)


def _completed(total: Any) -> Iterator[Any]:
    """Find two squares, and twice the product of what they are of."""
    terms = {rest: number for number, rest in (t.as_coeff_Mul() for t in total.args)}
    squares = sorted((m for m in terms if _is_square(m)), key=sp.default_sort_key)
    for p, q in combinations(squares, 2):
        x, y, scale = p.base, q.base, terms[p]
        number = terms.get(x * y)
        if number is not None and scale == terms[q] and abs(number) == 2 * abs(scale):
            rest = {m: c for m, c in terms.items() if m not in (p, q, x * y)}
            other = y if number == 2 * scale else -y
            yield sp.Add(scale * (x + other) ** 2, *[c * m for m, c in rest.items()])


__all__ = ["with_squares"]
