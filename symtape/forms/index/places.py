"""Arithmetic of indices, each of which counts to the size of its axis."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import prod
from typing import Any

import sympy as sp

Sizes = Mapping[Any, int]
"""How many values an index has, from zero on."""


def bounds(e: Any, sizes: Sizes) -> tuple[Any, Any] | None:
    """Give what a sum of multiples of indices, quotients and remainders lies between, if it is one.

    >>> i, j = sp.symbols("i j")
    >>> bounds(3 * i - j + 1, {i: 2, j: 4}), bounds(2 * sp.floor(i / 3) + sp.Mod(i, 3), {i: 6})
    ((-2, 4), (0, 4))
    """
    low = high = sp.S.Zero
    for index, number in e.as_coefficients_dict().items():
        ends = _ends(index, sizes)
        if ends is None or not number.is_Rational:
            return None
        both = [number * end for end in ends]
        low, high = low + min(both), high + max(both)
    return low, high


def _ends(index: Any, sizes: Sizes) -> tuple[Any, Any] | None:
    if index == 1:
        return sp.S.One, sp.S.One
    if index in sizes:
        return sp.S.Zero, sp.Integer(sizes[index] - 1)
    if isinstance(index, sp.Mod) and index.args[1].is_Integer and index.args[1] > 0:
        return sp.S.Zero, index.args[1] - 1
    if isinstance(index, sp.floor):
        inner = bounds(index.args[0], sizes)
        return None if inner is None else (sp.floor(inner[0]), sp.floor(inner[1]))
    return None


def divided(e: Any, n: int, sizes: Sizes) -> tuple[Any, Any]:
    """Divide an index by a number: the quotient, rounded down, and the remainder.

    >>> i, j = sp.symbols("i j")
    >>> divided(6 * i + j + 7, 3, {i: 2, j: 2})
    (2*i + 2, j + 1)
    >>> divided(2 * j, 3, {j: 3})
    (floor(2*j/3), Mod(2*j, 3))
    """
    if n == 1:
        return e, sp.S.Zero
    quotient = rest = sp.S.Zero
    for index, number in e.as_coefficients_dict().items():
        if number.is_Integer and number % n == 0:
            quotient += number // n * index
        elif index == 1 and number.is_Integer:
            quotient, rest = quotient + number // n, rest + number % n
        else:
            rest += number * index
    ends = bounds(rest, sizes)
    if ends is not None and ends[0] >= 0 and ends[1] < n:
        return quotient, rest
    return quotient + sp.floor(rest / n), sp.Mod(rest, n)


def digits(e: Any, counts: Sequence[int], sizes: Sizes) -> list[Any]:
    """Read the places on axes off a place among all of their elements, row after row.

    >>> i, j = sp.symbols("i j")
    >>> digits(3 * i + j, (2, 3), {i: 2, j: 3})
    [i, j]
    """
    found = []
    for n in reversed(counts[1:]):
        e, place = divided(e, n, sizes)
        found.append(place)
    return [e, *reversed(found)] if counts else []


def aligned(
    old: Sequence[int], new: Sequence[int]
) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Group axes before and after a change of shape where as many elements are behind each group.

    An index of one group tells nothing of the others, whatever it is a sum of.

    >>> list(aligned((2, 3, 4), (6, 2, 2)))
    [((2, 3), (6,)), ((4,), (2, 2))]
    >>> list(aligned((1, 5), (5,)))
    [((1,), ()), ((5,), (5,))]
    """
    rows, columns = list(old), list(new)
    while rows or columns:
        first: list[int] = []
        second: list[int] = []
        while not (first or second) or prod(first) != prod(second):
            is_behind = bool(rows) and (not columns or prod(first) <= prod(second))
            (first if is_behind else second).append((rows if is_behind else columns).pop(0))
            if prod(first) == prod(second) == 1:
                break
        yield tuple(first), tuple(second)


def reaches(e: Any, n: int, sizes: Sizes) -> Any:
    """Say that an index is a place on an axis of some size: true, or a condition."""
    ends = bounds(e, sizes)
    low = sp.true if ends is not None and ends[0] >= 0 else sp.Ge(e, 0)
    high = sp.true if ends is not None and ends[1] < n else sp.Lt(e, n)
    return sp.And(low, high)


def signed(e: Any) -> Any:
    """Write (i - 1) mod n for (i + n - 1) mod n, which SymPy makes of it.

    >>> i = sp.Symbol("i", integer=True)
    >>> signed(sp.IndexedBase("x")[sp.Mod(i - 1, 6)])
    x[Mod(i - 1, 6)]
    """
    if not isinstance(e, sp.Basic):
        return e
    swap = {m: _signed(*m.args) for m in e.atoms(sp.Mod)}
    return e.xreplace({m: made for m, made in swap.items() if made.args != m.args})


def _signed(place: Any, n: Any) -> Any:
    more = place.as_coeff_Add()[0] if n.is_Integer else n * place.coeff(n)
    return sp.Mod(place - n, n, evaluate=False) if 2 * more > n else sp.Mod(place, n)
