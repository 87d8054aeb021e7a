"""What the ranges of indices say of sums of their multiples, and of conditions on them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import sympy as sp
from sympy.core.relational import Equality, Relational, Unequality
from sympy.logic.boolalg import And, Not, Or

from symtape.forms.index.sums import free

Range = tuple[Any, Any, Any]
"""An index, its first and its last value."""

LARGE = 5_000
"""Longer axes are read for any size; formulas of shorter ones are those of their sizes."""

Scope = tuple[Range, ...]
"""The indices that are known at a place, from the outermost on."""


def scope(at: Sequence[Any], shape: Sequence[int]) -> Scope:
    """Give the ranges of the indices of an entry; one that stands for two axes has none."""
    pairs = zip(at, shape, strict=True)
    return tuple([(i, 0, n - 1) for i, n in pairs if [*at].count(i) == 1 and i in free(i)])


def least(e: Any, scope: Scope) -> Any | None:
    """Give a number that a sum of multiples of indices never falls below, if it is one.

    >>> i, k = sp.symbols("i k", integer=True)
    >>> least(i - k, ((i, 0, 5), (k, 0, i - 1)))
    1
    """
    e = sp.expand(e)
    for k, first, last in reversed(scope):
        number = e.coeff(k)
        rest = e - number * k
        if not number.is_Rational or k in free(rest):
            return None
        e = sp.expand(rest + number * (first if number > 0 else last)) if number else rest
    return e if e.is_Rational else None


def holds_when_small(low: Any, scope: Scope) -> bool:
    """Say whether what is positive by the length of an axis is so where it has two elements.

    A formula for any size is read where axes are longer than `LARGE`.

    >>> i = sp.Symbol("i", integer=True)
    >>> [holds_when_small(n, ((i, 0, 10006),)) for n in (1, 10006, 10003)]
    [True, True, False]
    """
    sizes = [sp.sympify(last) + 1 for _, _, last in scope]
    return bool(low < LARGE or any(low >= n - 1 for n in sizes if n.is_Integer and n > LARGE))


def is_of_indices(e: Any, scope: Scope) -> bool:
    """Say whether an expression has no symbols but the indices of a scope."""
    return bool(free(e) <= {k for k, *_ in scope})


def is_never_zero(gap: Any, scope: Scope) -> bool:
    """Say whether a difference of places is never zero.

    >>> i, j = sp.symbols("i j", integer=True)
    >>> is_never_zero(i - j - 4, ((i, 0, 3), (j, 0, 3)))
    True
    """
    if not is_of_indices(gap, scope):
        return False
    return any((low := least(side, scope)) is not None and low > 0 for side in (gap, -gap))


def condition(c: Any, scope: Scope) -> Any:
    """Decide a condition, or the parts of it that the ranges decide.

    >>> i, j = sp.symbols("i j", integer=True)
    >>> condition(sp.And(i + j >= 0, i - 2 * j + 1 >= 0), ((i, 0, 3), (j, 0, 3)))
    i >= 2*j - 1
    >>> condition(sp.And(i >= 2, i <= 1), ()), condition(sp.ITE(i < 0, j > 1, i > 1), ((i, 0, 3),))
    (False, i >= 2)
    """
    if isinstance(c, (And, Or, Not, sp.ITE)):
        found = c.func(*[condition(a, scope) for a in c.args])
        return _without_implied(found) if isinstance(found, And) else found
    if not isinstance(c, Relational) or not is_of_indices(c, scope):
        return c
    if isinstance(c, (Equality, Unequality)):
        if is_never_zero(c.lhs - c.rhs, scope):
            return sp.false if isinstance(c, Equality) else sp.true
        return c
    gap = c.gts - c.lts
    low, high = least(gap, scope), least(-gap, scope)
    is_strict = isinstance(c, (sp.StrictGreaterThan, sp.StrictLessThan))
    if low is not None and (low > 0 or (low == 0 and not is_strict)):
        return sp.true
    if high is not None and (high > 0 or (high == 0 and is_strict)):
        return sp.false
    return _solved_for_one(sp.expand(gap - 1 if is_strict else gap), c)


def gaps(c: Any) -> list[Any]:
    """Give what is not negative where a condition on whole numbers holds.

    >>> i, j = sp.symbols("i j", integer=True)
    >>> gaps(i > j)
    [i - j - 1]
    """
    if isinstance(c, Equality):
        return [c.lhs - c.rhs, c.rhs - c.lhs]
    if isinstance(c, (sp.StrictGreaterThan, sp.StrictLessThan)):
        return [c.gts - c.lts - 1]
    return [c.gts - c.lts] if isinstance(c, (sp.GreaterThan, sp.LessThan)) else []


def chains(conditions: Sequence[Any]) -> list[list[Any]] | None:
    """Join conditions on one index: a <= i and i < b are a <= i < b; None if none can be joined.

    >>> i, j = sp.symbols("i j", integer=True)
    >>> chains([i >= 1, i < 5, sp.Eq(i, j)])
    [[i, '==', j], [1, '<=', i, '<', 5]]
    """
    if not all(isinstance(c, Relational) and not isinstance(c, Unequality) for c in conditions):
        return None
    ordered = sorted(
        conditions, key=lambda c: (not isinstance(c, Equality), sp.default_sort_key(c))
    )
    found = [_chain(c) for c in ordered]
    for i in sorted({s for c in conditions for s in c.args if s.is_Symbol}, key=str):
        below = [c for c in found if c[-1] == i and "==" not in c]
        above = [c for c in found if c[0] == i and "==" not in c]
        if len(below) == len(above) == 1 and below != above:
            found[found.index(above[0])] = [*below[0], *above[0][1:]]
            found.remove(below[0])
    equal = [c for c in found if c[1] == "=="]
    if len(equal) == 2 and equal[0][0] == equal[1][0] and equal[0][2].is_Integer:
        found = [[*equal[1], *equal[0][1:]], *[c for c in found if c not in equal]]
    return found if len(found) < len(conditions) else None


def _chain(c: Any) -> list[Any]:
    if isinstance(c, Equality):
        return [c.lhs, "==", c.rhs]
    sign = "<" if isinstance(c, (sp.StrictGreaterThan, sp.StrictLessThan)) else "<="
    return [c.lts, sign, c.gts]


def _without_implied(c: Any) -> Any:
    """Leave out of conditions what others imply; what no place meets, as i > 1 and i < 1, is false.

    >>> i, j = sp.symbols("i j", integer=True)
    >>> _without_implied((i > j) & sp.Ne(i, j)), _without_implied((i <= 1) & (i < 3))
    (i > j, i <= 1)
    """
    kept = list(c.args)
    if any(
        (-a - b).is_positive for x, y in combinations(kept, 2) for a in gaps(x) for b in gaps(y)
    ):
        return sp.false
    for part in c.args:
        others = [gap for other in kept if other != part for gap in gaps(other)]
        if _is_implied(part, others):
            kept.remove(part)
    return sp.And(*kept)


def _is_implied(part: Any, gaps_of_others: Sequence[Any]) -> bool:
    """Say whether a condition holds where some differences are not negative."""
    if isinstance(part, Unequality):
        far = part.lhs - part.rhs
        return any((side - gap).is_positive for side in (far, -far) for gap in gaps_of_others)
    own = [] if isinstance(part, Equality) else gaps(part)
    return any((own[0] - gap).is_nonnegative for gap in gaps_of_others) if own else False


def is_affine(e: Any) -> bool:
    """Say whether an expression is a sum of whole multiples of symbols."""
    parts = sp.expand(e).as_coefficients_dict().items()
    return all(n.is_Integer and (i == 1 or i.is_Symbol) for i, n in parts)


def _solved_for_one(gap: Any, c: Any) -> Any:
    """Write that a sum of multiples of indices is not negative: m >= j + 2 for m - j - 2 >= 0."""
    numbers = gap.as_coefficients_dict()
    if not all(n.is_Rational for n in numbers.values()):
        return c
    common = sp.ilcm(1, *[n.q for n in numbers.values()])
    gap, numbers = gap * common, {i: n * common for i, n in numbers.items()}
    if not is_affine(gap):
        return c
    own = sorted((i for i in numbers if i != 1), key=str)
    for i in reversed(own):
        if abs(numbers[i]) == 1 and all(numbers[j] * numbers[i] < 0 for j in own if j != i):
            other = sp.expand(i - gap / numbers[i])
            far = other - numbers[i]
            if len(own) > 1 and _is_shorter(far, other):
                return sp.Gt(i, far) if numbers[i] > 0 else sp.Lt(i, far)
            return sp.Ge(i, other) if numbers[i] > 0 else sp.Le(i, other)
    constant = numbers.get(sp.S.One, sp.S.Zero)
    if all(numbers[i] < 0 for i in own):
        return sp.Le(constant - gap, constant)
    return sp.Ge(gap - constant, -constant)


def _is_shorter(e: Any, other: Any) -> bool:
    return len(sp.Add.make_args(e)) < len(sp.Add.make_args(other))
