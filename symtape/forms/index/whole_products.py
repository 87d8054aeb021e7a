"""Products over all places but one: of f(j) for j < i and for j > i, with f(i) they are whole.

So the slope of a product of exponentials is that of their sum times the product, and the slope of
its logarithm is a sum: what divides by a product divides by each of its factors.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations
from typing import Any, NamedTuple

import sympy as sp

from symtape.forms.index.sums import restarted
from symtape.forms.scalars.quotients import divisors

_LETTERS = tuple([f" {k}" for k in range(10)])
"""Letters that no variable has: entries are lettered anew in the end."""

Ranges = Mapping[Any, tuple[Any, Any]]
"""From where to where each index goes."""


class Gap(NamedTuple):
    """A product before a place, the same one behind it, and the whole."""

    before: Any
    behind: Any
    place: Any
    whole: Any


def with_whole_products(e: Any, ranges: Ranges) -> Any:
    """Write products over all places where there are two, before a place and behind it.

    >>> i, j, n = sp.symbols("i j n", integer=True)
    >>> x, k, at = sp.IndexedBase("x"), sp.Symbol("k"), {i: (0, n - 1)}
    >>> before, behind = (sp.Product(x[j], (j, *ends)) for ends in ((0, i - 1), (i + 1, n - 1)))
    >>> with_whole_products(k * x[i] * before * behind, at)
    k*Product(x[j], (j, 0, n - 1))
    >>> with_whole_products(before * behind / sp.Product(x[j], (j, 0, n - 1)), at)
    1/x[i]
    >>> with_whole_products(before * behind, at) == before * behind
    True
    """
    if not isinstance(e, sp.Basic) or not e.has(sp.Product):
        return e
    if isinstance(e, sp.Sum):
        inner = {**ranges, **{k: (first, last) for k, first, last in e.limits}}
        return _with_constants_outside(e.func(with_whole_products(e.function, inner), *e.limits))
    if isinstance(e, sp.Mul):
        divided = _divided(e, ranges)
        if divided is not None:
            return with_whole_products(divided, ranges)
    made = e.func(*[with_whole_products(a, ranges) for a in e.args])
    found = _gap(made, ranges)
    return made if found is None else _filled(made, found)


def gap(factors: Sequence[Any]) -> Gap | None:
    """Find a product that ends before a place, and the same one that begins behind it."""
    products = [f for f in factors if isinstance(f, sp.Product) and len(f.limits) == 1]
    for before, behind in permutations(products, 2):
        j, first, end = before.limits[0]
        k, start, last = behind.limits[0]
        if start == end + 2:
            whole = sp.Product(before.function, (j, first, last))
            if _alike(whole, sp.Product(behind.function, (k, first, last))):
                return Gap(before, behind, end + 1, whole)
    return None


def _gap(e: Any, ranges: Ranges) -> Gap | None:
    """Find a product over all places of an index but one."""
    found = gap(sp.Mul.make_args(e))
    is_all = found is not None and ranges.get(found.place) == found.whole.limits[0][1:]
    return found if is_all else None


def _rest(e: Any, gap: Gap) -> Any:
    """Give the other factors of a product, with letters that are those of `_ratio`."""
    return _lettered(e / (gap.before * gap.behind))


def _ratio(e: Any, gap: Gap) -> Any:
    """Divide the other factors by that at the place."""
    j = gap.whole.limits[0][0]
    own = _lettered(gap.whole.function.xreplace({j: gap.place}))
    return sp.powsimp(_rest(e, gap) / own, combine="exp")


def _filled(e: Any, gap: Gap) -> Any:
    """Write the whole product, if its factor at the place is there without a division."""
    ratio = _ratio(e, gap)
    is_there = divisors(ratio) <= divisors(_rest(e, gap), surely=True)
    return ratio * gap.whole if is_there else e


def _with_constants_outside(e: Any) -> Any:
    """Take out of a sum what does not depend on its indices."""
    indices = {k for k, *_ in e.limits}
    factors = sp.Mul.make_args(e.function)
    outer = [f for f in factors if not indices & f.free_symbols]
    return sp.Mul(*outer, e.func(e.function / sp.Mul(*outer), *e.limits)) if outer else e


def _divided(e: Any, ranges: Ranges) -> Any | None:
    """Divide by a product what is a sum over its places, or has one that it lacks."""
    for below in e.args:
        whole, power = below.as_base_exp()
        if isinstance(whole, sp.Product) and power.is_negative:
            found = _over(e / below, whole, ranges)
            if found is not None:
                return found * whole ** (power + 1)
    return None


def _over(e: Any, whole: Any, ranges: Ranges) -> Any | None:
    """Divide an expression by a product that it has all factors of but one; None without them."""
    if isinstance(e, sp.Add):
        terms = [_over(t, whole, ranges) for t in e.args]
        return None if None in terms else sp.Add(*terms)
    if isinstance(e, sp.Sum):
        inner = {**ranges, **{k: (first, last) for k, first, last in e.limits}}
        body = _over(e.function, whole, inner)
        return None if body is None else _with_constants_outside(e.func(body, *e.limits))
    found = _gap(e, ranges)
    if found is not None and _alike(found.whole, whole):
        return _ratio(e, found)
    for factor in e.args if isinstance(e, sp.Mul) else ():
        divided = _over(factor, whole, ranges)
        if divided is not None:
            return e / factor * divided
    return None


def _alike(a: Any, b: Any) -> bool:
    """Say whether two products are the same but for the letters of their indices."""
    return bool(_lettered(a) == _lettered(b))


def _lettered(e: Any) -> Any:
    """Let the indices of sums and products have letters of their own, in one order."""
    return restarted(e, _LETTERS)
