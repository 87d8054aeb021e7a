"""Squares that were multiplied out, (x - y)² for x² - 2 x y + y², and their differences."""

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
    >>> [*with_squares(x**4 - 2 * x**2 * y**2 + y**4 + 1)]
    [(x**2 - y**2)**2 + 1]
    """
    for total in sorted(filter(_has_squares, e.atoms(sp.Add)), key=sp.default_sort_key):
        for made in _completed(total):
            yield e.xreplace({total: made})


def _has_squares(total: Any) -> bool:
    return len(total.args) > 2 and sum(map(_is_square, total.args)) > 1


def _is_square(term: Any) -> bool:
    return _root(term.as_coeff_Mul()[1]) is not None


def _root(monomial: Any) -> Any:
    """Give what a product of even powers is the square of; None of others."""
    pairs = [f.as_base_exp() for f in sp.Mul.make_args(monomial)]
    is_square = all(k.is_Integer and k.is_even and k.is_positive for _, k in pairs)
    return sp.Mul(*[b ** (k / 2) for b, k in pairs]) if is_square else None


def _completed(total: Any) -> Iterator[Any]:
    """Find two squares, and twice the product of what they are of."""
    terms = {rest: number for number, rest in (t.as_coeff_Mul() for t in total.args)}
    squares = sorted((m for m in terms if _is_square(m)), key=sp.default_sort_key)
    for p, q in combinations(squares, 2):
        x, y, scale = _root(p), _root(q), terms[p]
        number = terms.get(x * y)
        if number is not None and scale == terms[q] and abs(number) == 2 * abs(scale):
            rest = {m: c for m, c in terms.items() if m not in (p, q, x * y)}
            other = y if number == 2 * scale else -y
            yield sp.Add(scale * (x + other) ** 2, *[c * m for m, c in rest.items()])


def with_differences_of_squares(e: Any) -> Any:
    """Write 1 - x² for (1 - x) (1 + x), whatever x is, also where both have one power.

    The one is zero where the other is; and what has a root that may have none keeps it: √x.

    >>> x = sp.Symbol("x")
    >>> with_differences_of_squares((1 - x) * (1 + x) / ((x - 3) * (x + 3)) ** 2)
    (1 - x**2)/(x**2 - 9)**2
    >>> with_differences_of_squares((1 - sp.sqrt(x)) * (1 + sp.sqrt(x)))
    (1 - sqrt(x))*(sqrt(x) + 1)
    """
    swap = {m: made for m in e.atoms(sp.Mul) if (made := _with_differences(m)) != m}
    found = e.xreplace(swap)
    lost = {b for m, made in swap.items() for b in _roots(m) - _roots(made)}
    return with_differences_of_squares(found) if swap and lost <= _roots(found) else e


def _roots(e: Any) -> set[Any]:
    """List what has roots and may have none."""
    powers = [p for p in e.atoms(sp.Pow) if not p.exp.is_Integer]
    return {p.base for p in powers if not p.base.is_nonnegative}


def _with_differences(product: Any) -> Any:
    """Take the first two factors that are the sum and the difference of the same together."""
    pairs = [f.as_base_exp() for f in product.args]
    for (a, k), (b, n) in combinations(pairs, 2):
        if a.is_Add and b.is_Add and k == n and k.is_Integer:
            half, other = ((a + b) / 2, (a - b) / 2)
            terms = [len(sp.Add.make_args(part)) for part in (half, other)]
            if half and other and sum(terms) == len(a.args) == len(b.args):
                return product / (a * b) ** k * (half**2 - other**2) ** k
    return product
