"""Products over all places but one: of f(j) for j < i and for j > i, with f(i) they are whole.

So the slope of a product of exponentials is that of their sum times the product, and the slope of
its logarithm is a sum: what divides by a product divides by each of its factors.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from typing import Any, NamedTuple

import sympy as sp

from symtape.forms.index.ranges import Scope
from symtape.forms.index.sums import restarted, with_constants_outside
from symtape.forms.scalars.quotients import divisors

_LETTERS = tuple([f" {k}" for k in range(10)])
"""Letters that no variable has: entries are lettered anew in the end."""


class Gap(NamedTuple):
    """A product before a place, the same one behind it, and the whole."""

    before: Any
    behind: Any
    place: Any
    whole: Any


def with_whole_products(e: Any, scope: Scope) -> Any:
    """Write products over all places where there are two, before a place and behind it.

    >>> i, j, n = sp.symbols("i j n", integer=True)
    >>> x, k, at = sp.IndexedBase("x"), sp.Symbol("k"), ((i, 0, n - 1),)
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
        body = with_whole_products(e.function, _within(e, scope))
        return with_constants_outside(body, e.limits)
    if isinstance(e, sp.Mul):
        divided = _divided(e, scope)
        if divided is not None:
            return with_whole_products(divided, scope)
    made = e.func(*[with_whole_products(a, scope) for a in e.args])
    found = _gap(made, scope)
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


def _gap(e: Any, scope: Scope) -> Gap | None:
    """Find a product over all places of an index but one."""
    found = gap(sp.Mul.make_args(e))
    is_all = found is not None and (found.place, *found.whole.limits[0][1:]) in scope
    return found if is_all else None


def _within(total: Any, scope: Scope) -> Scope:
    """Give the ranges of indices in a sum."""
    own = {k for k, *_ in total.limits}
    return (*[r for r in scope if r[0] not in own], *map(tuple, total.limits))


def _rest(e: Any, gap: Gap) -> Any:
    """Give the other factors of a product."""
    return _lettered(e / (gap.before * gap.behind))


def _ratio(rest: Any, gap: Gap) -> Any:
    """Divide the other factors by that at the place."""
    j = gap.whole.limits[0][0]
    own = _lettered(gap.whole.function.xreplace({j: gap.place}))
    return sp.powsimp(rest / own, combine="exp")


def _filled(e: Any, gap: Gap) -> Any:
    """Write the whole product, if its factor at the place is there without a division."""
    rest = _rest(e, gap)
    ratio = _ratio(rest, gap)
    return ratio * gap.whole if divisors(ratio) <= divisors(rest, surely=True) else e


def _divided(e: Any, scope: Scope) -> Any | None:
    """Divide by a product what is a sum over its places, or has one that it lacks."""
    for below in e.args:
        whole, power = below.as_base_exp()
        if isinstance(whole, sp.Product) and power.is_negative:
            found = _over(e / below, whole, scope)
            if found is not None:
                return found * whole ** (power + 1)
    return None


def _over(e: Any, whole: Any, scope: Scope) -> Any | None:
    """Divide an expression by a product that it has all factors of but one; None without them."""
    if isinstance(e, sp.Add):
        terms = [_over(t, whole, scope) for t in e.args]
        return None if None in terms else sp.Add(*terms)
    if isinstance(e, sp.Sum):
        body = _over(e.function, whole, _within(e, scope))
        return None if body is None else with_constants_outside(body, e.limits)
    found = _gap(e, scope)
    if found is not None and _alike(found.whole, whole):
        return _ratio(_rest(e, found), found)
    for factor in e.args if isinstance(e, sp.Mul) else ():
        divided = _over(factor, whole, scope)
        if divided is not None:
            return e / factor * divided
    return None


def _alike(a: Any, b: Any) -> bool:
    """Say whether two products are the same but for the letters of their indices."""
    return bool(_lettered(a) == _lettered(b))


def _lettered(e: Any) -> Any:
    """Let the indices of sums and products have letters of their own, in one order."""
    return restarted(e, _LETTERS)
