"""One block of cases for a sum of brackets that guard what has no value elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, pairwise
from typing import Any, NamedTuple

import sympy as sp

from symtape.forms.index.brackets import Iverson, with_cases
from symtape.forms.index.ranges import LARGE, Scope, condition, gaps, holds_when_small, least
from symtape.forms.index.sums import free

_MOST = 8
"""How many cases a block may have."""

_SHORT = 2
"""Formulas for any size hold for axes of so many elements and more."""

Case = tuple[Any, Any]
"""A value, and the condition under which it is the entry."""


class Term(NamedTuple):
    """A term of a sum: what it is, where its brackets hold."""

    value: Any
    held: tuple[Any, ...]


def in_cases(e: Any, scope: Scope) -> Any:
    """Write brackets as cases where they guard places that may not be there.

    An element behind the last one has no value, and SymPy gives a product that runs backwards the
    inverse of what lies between. Other brackets stay, and so do those within sums.

    >>> i = sp.Symbol("i", integer=True)
    >>> x = sp.IndexedBase("x")
    >>> e = x[i + 1] * Iverson(i <= 2) + x[i] * Iverson(i >= 1)
    >>> in_cases(e, ((i, 0, 3),))
    Piecewise((x[i + 1], Eq(i, 0)), (x[i + 1] + x[i], (i >= 1) & (i < 3)), (x[i], Eq(i, 3)))
    """
    if not _guards(e, scope):
        return e
    number, rest = e.as_coeff_Mul()
    terms = [_term(number * t) for t in sp.Add.make_args(rest)]
    if any(t.value.has(Iverson) and _guards(t.value, scope) for t in terms):
        return _each(e, scope)
    cases = _bands(terms, scope) or _pieces(terms, scope, ()) or _apart(terms, scope)
    return _each(e, scope) if not cases or len(cases) > _MOST else sp.Piecewise(*cases)


def runs_back(e: Any, scope: Scope) -> bool:
    """Say whether a sum or product in an expression may have its last place before its first."""
    return any(
        (low := least(last - first, scope)) is None or low < -1
        for p in e.atoms(sp.Product, sp.Sum)
        for _, first, last in p.limits
    )


def may_be_missing(e: Any) -> bool:
    """Say whether there are places that are sums of indices, which an axis need not have."""
    return any(isinstance(place, sp.Add) for x in e.atoms(sp.Indexed) for place in x.indices)


def _guards(e: Any, scope: Scope) -> bool:
    """Say whether there are brackets outside of sums that guard something."""
    if not isinstance(e, sp.Basic) or isinstance(e, (sp.Sum, sp.Product)) or not e.has(Iverson):
        return False
    if isinstance(e, sp.Mul) and any(isinstance(f, Iverson) for f in e.args):
        return may_be_missing(e) or runs_back(e, scope)
    return any(_guards(a, scope) for a in e.args)


def _each(e: Any, scope: Scope) -> Any:
    """Write each product on its own."""
    if not _guards(e, scope):
        return e
    return with_cases(e) if isinstance(e, sp.Mul) else e.func(*[_each(a, scope) for a in e.args])


def _term(e: Any) -> Term:
    factors = sp.Mul.make_args(e)
    brackets = [f for f in factors if isinstance(f, Iverson) or _is_place(f)]
    held = [c for f in brackets for c in sp.And.make_args(_held(f))]
    return Term(sp.Mul(*[f for f in factors if f not in brackets]), tuple(held))


def _is_place(e: Any) -> bool:
    """Say whether an expression is a delta that picks one place of an index."""
    return isinstance(e, sp.KroneckerDelta) and any(a.is_Integer for a in e.args)


def _held(e: Any) -> Any:
    """Give the condition of a bracket, or of a delta that picks a place."""
    if isinstance(e, Iverson):
        return e.args[0]
    number, i = sorted(e.args, key=lambda a: not a.is_Integer)
    return sp.Eq(i, number)


# --- ranges of one index --------------------------------------------------------------------------


def _pieces(terms: Sequence[Term], scope: Scope, given: Sequence[Any]) -> list[Case] | None:
    """Cut the range of the one index that all brackets are of, where one of them changes."""
    tied = {k for t in terms for c in t.held for k in free(c)}
    ranges = [r for r in scope if r[0] in tied]
    if len(tied) != 1 or len(ranges) != 1:
        return None
    ((i, first, last),) = ranges
    own = [_interval(t.held, i, first, last) for t in terms]
    if any(interval is None for interval in own):
        return None
    known = [interval for interval in own if interval is not None]
    cuts = sorted({first, last + 1, *[low for low, _ in known], *[high + 1 for _, high in known]})
    if not _are_in_order(cuts):
        return None
    found: list[Case] = []
    for low, above in pairwise(cuts):
        here = [
            t.value for t, (a, b) in zip(terms, known, strict=True) if a <= low and above <= b + 1
        ]
        value = sp.Add(*here)
        found.append((value, sp.And(*given, _within(i, low, above, first, last))))
    kept = [case for case in found if case[0] != 0]
    return kept if len(kept) == len(found) and not given else [*kept, (sp.S.Zero, sp.true)]


def _are_in_order(cuts: Sequence[Any]) -> bool:
    """Say whether those from the first place are before those from the last of a short axis, too.

    i < 2 is no case before n - 2 <= i where n is 3: there, both hold.
    """
    size = cuts[-1]
    first = max([cut for cut in cuts if cut < LARGE], default=0)
    last = max([size - cut for cut in cuts if cut >= LARGE], default=0)
    return size < LARGE or not first or not last or first + last <= _SHORT


def _interval(held: Sequence[Any], i: Any, first: Any, last: Any) -> tuple[int, int] | None:
    """Give the first and the last place at which some conditions on an index hold."""
    low, high = int(first), int(last)
    for c in held:
        if isinstance(c, sp.Eq) and c.lhs == i and c.rhs.is_Integer:
            low, high = max(low, int(c.rhs)), min(high, int(c.rhs))
        elif c.func in _BOUNDS and c.lhs == i and c.rhs.is_Integer:
            is_low, late = _BOUNDS[c.func]
            low = max(low, int(c.rhs) + late) if is_low else low
            high = high if is_low else min(high, int(c.rhs) + late)
        else:
            return None
    return (low, high) if low <= high else None


_BOUNDS = {sp.Ge: (True, 0), sp.Gt: (True, 1), sp.Le: (False, 0), sp.Lt: (False, -1)}
"""Whether a relation is one from below, and how far behind the number the range begins or ends."""


def _within(i: Any, low: int, above: int, first: Any, last: Any) -> Any:
    if above - low == 1:
        return sp.Eq(i, low)
    return sp.And(i >= low if low > first else sp.true, i < above if above <= last else sp.true)


# --- bands ----------------------------------------------------------------------------------------


def _bands(terms: Sequence[Term], scope: Scope) -> list[Case] | None:
    """Write the terms of a band, which have deltas of the same two indices, one band at a time."""
    ranges = {k: (k, first, last) for k, first, last in scope}
    found: dict[Any, list[Term]] = {}
    pairs = set()
    for t in terms:
        deltas = [f for f in sp.Mul.make_args(t.value) if isinstance(f, sp.KroneckerDelta)]
        if len(deltas) != 1:
            return None
        i, j = sorted(free(deltas[0]), key=str) if len(free(deltas[0])) == 2 else (None, None)
        far = sp.expand(deltas[0].args[0] - deltas[0].args[1])
        far = -far if far.coeff(j) == 1 else far  # i - j + far = 0
        shift = far - i + j if i is not None else None
        if i not in ranges or j not in ranges or shift is None or not shift.is_Integer:
            return None
        pairs.add((i, j))
        held = [condition(c.xreplace({j: i + shift}), scope) for c in t.held]
        kept = tuple([c for c in held if c is not sp.true])
        found.setdefault(shift, []).append(Term(t.value / deltas[0], kept))
    if len(pairs) != 1:
        return None
    ((i, j),) = pairs
    cases: list[Case] = []
    for shift in sorted(found, key=lambda n: (abs(n), -n)):
        own = _band(found[shift], i, j, shift, ranges)
        if own is None:
            return None
        cases += own
    return [*cases, (sp.S.Zero, sp.true)]


def _band(
    terms: Sequence[Term], i: Any, j: Any, shift: Any, ranges: dict[Any, Any]
) -> list[Case] | None:
    """Write the entries where j = i + shift."""
    low, high = max(ranges[i][1], ranges[j][1] - shift), min(ranges[i][2], ranges[j][2] - shift)
    tie = sp.Eq(i, j - shift) if shift < 0 else sp.Eq(j, i + shift) if shift else sp.Eq(i, j)
    if any(t.held for t in terms):
        cases = _pieces(terms, ((i, low, high),), (tie,))
        return None if cases is None else _by_column(cases[:-1], i, j, shift)
    return _by_column([(sp.Add(*[t.value for t in terms]), tie)], i, j, shift)


def _by_column(cases: Sequence[Case], i: Any, j: Any, shift: Any) -> list[Case]:
    """Write x[j] for x[i - 1] where j is i - 1."""
    if shift >= 0:
        return [*cases]
    return [(value.xreplace({i + shift: j}), c) for value, c in cases]


# --- what holds apart -----------------------------------------------------------------------------


def _apart(terms: Sequence[Term], scope: Scope) -> list[Case] | None:
    """Write terms of which no two hold at once."""
    if any(not t.held for t in terms):
        return None
    if not all(_exclude(a.held, b.held, scope) for a, b in combinations(terms, 2)):
        return None
    return [*[(t.value, sp.And(*t.held)) for t in terms], (sp.S.Zero, sp.true)]


def _exclude(some: Sequence[Any], others: Sequence[Any], scope: Scope) -> bool:
    first, second = ([g for c in held for g in gaps(c)] for held in (some, others))
    lows = [least(-a - b, scope) for a in first for b in second]
    return any(low is not None and low > 0 and holds_when_small(low, scope) for low in lows)
