"""Conditions of bounded values, and cases within cases: min(1, x) ≥ 0 where x ≥ 0."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy as sp
from sympy.core.relational import GreaterThan, LessThan, StrictGreaterThan, StrictLessThan

from symtape.forms.index.brackets import Iverson
from symtape.forms.limits import Size, most_terms

_MOST_TERMS = 60
"""Sides of more terms are not taken apart."""

ORDERED = (LessThan, StrictLessThan, GreaterThan, StrictGreaterThan)
"""The relations that bound a value."""


def with_plain_conditions(e: Any) -> Any:
    """Compare what bounds hold with the bounds themselves: min(1, x) ≥ 0 where x ≥ 0.

    >>> x = sp.Symbol("x", real=True)
    >>> with_plain_conditions(sp.And(sp.Min(1, x) >= 0, sp.Max(0, x) <= 6))
    (x >= 0) & (x <= 6)
    """
    if not e.has(sp.Min, sp.Max):
        return e
    found = e.atoms(*ORDERED)
    swap = {c: plain for c in found if (plain := _plain(c)) is not c}
    return e.xreplace(swap) if swap else e


def with_solved_conditions(e: Any) -> Any:
    """Compare what is left of two sides, where that is shorter: t x ≥ (t - 1) x where x ≥ 0.

    What may be undefined stays, wherever it stands.

    >>> t, x = sp.symbols("t x", real=True)
    >>> with_solved_conditions(Iverson(t * x >= (t - 1) * x) * t)
    t*Iverson(x >= 0)
    >>> with_solved_conditions(Iverson(t + 1 / x >= 1 / x))
    Iverson(t + 1/x >= 1/x)
    """
    if not e.has(*ORDERED):
        return e
    swap = {c: solved for c in e.atoms(*ORDERED) if (solved := _solved(c)) is not c}
    return e.xreplace(swap) if swap else e


def _solved(condition: Any) -> Any:
    """Take what both sides have from each, and compare what is added with what is taken away."""
    if max(most_terms(side)[side] for side in condition.args) > _MOST_TERMS:
        return condition
    rest = sp.expand(condition.lhs - condition.rhs).primitive()[1]
    minus = [t for t in sp.Add.make_args(rest) if t.could_extract_minus_sign()]
    below = sp.Add(*[-t for t in minus])
    made = condition.func(rest + below, below)
    is_shorter = Size().of(made)[0] < Size().of(condition)[0]
    return made if is_shorter and _partial(condition) <= _partial(made) else condition


def _partial(e: Any) -> set[Any]:
    """List what is not defined everywhere: functions, and powers that are not whole."""
    powers = {p for p in e.atoms(sp.Pow) if not (p.exp.is_Integer and p.exp.is_positive)}
    return powers | {f for f in e.atoms(sp.Function) if not isinstance(f, (sp.exp, Iverson))}


def _plain(condition: Any) -> Any:
    """Compare each of what an extremum is of, where numbers among them decide or say nothing."""
    turned = condition if condition.rhs.is_number else condition.reversed
    extremum, bound = turned.args
    if not isinstance(extremum, (sp.Min, sp.Max)) or not bound.is_number:
        return condition
    is_above = isinstance(turned, (GreaterThan, StrictGreaterThan))
    each = [turned.func(x, bound) for x in extremum.args]
    decided = [c for c in each if c in (sp.true, sp.false)]
    if not decided:
        return condition
    made = (sp.And if is_above == isinstance(extremum, sp.Min) else sp.Or)(*each)
    return made if not made.has(sp.Min, sp.Max) else condition


def with_joined_cases(e: Any) -> Any:
    """Write one case for a case of a case that bound one value from both sides.

    And one for terms with the same two cases. Others stay within each other: who puts numbers in
    finds no condition that is not defined.

    >>> x = sp.Symbol("x", real=True)
    >>> inner = sp.Piecewise((x**2, sp.Min(1, x) >= 0), (0, True))
    >>> with_joined_cases(sp.Piecewise((inner, x <= 1), (0, True)))
    Piecewise((x**2, (x >= 0) & (x <= 1)), (0, True))
    """
    if not isinstance(e, sp.Basic) or not e.has(sp.Piecewise):
        return e
    joined = with_plain_conditions(e).replace(_has_one_case, _joined_case)
    return joined.replace(sp.Add, _joined_terms)


def _has_one_case(e: Any) -> bool:
    return isinstance(e, sp.Piecewise) and len(e.args) == 2 and e.args[1].cond == sp.true


def _joined_case(e: Any) -> Any:
    (value, condition), (other, _) = e.args
    if not _has_one_case(value) or value.args[1].expr != other:
        return e
    inner = value.args[0]
    bounded = [_bounded(c) for c in (condition, inner.cond)]
    if None in bounded or bounded[0] != bounded[1]:
        return e
    return sp.Piecewise((inner.expr, sp.And(condition, inner.cond)), (other, True))


def _joined_terms(*terms: Any) -> Any:
    """Write one case for the terms of a sum that have the same two."""
    found: dict[Any, list[Any]] = {}
    for term in terms:
        cases = [f for f in sp.Mul.make_args(term) if _has_one_case(f)]
        found.setdefault(cases[0].args[0].cond if len(cases) == 1 else None, []).append(term)
    rest = found.pop(None, [])
    for condition, own in found.items():
        rest.append(_of_two_cases(own, condition) if len(own) > 1 else own[0])
    return sp.Add(*rest)


def _of_two_cases(terms: Sequence[Any], condition: Any) -> Any:
    """Add up terms, each a case of a condition times something, in each of the cases."""
    first, second = (sp.Add(*[_in_case(t, k) for t in terms]) for k in (0, 1))
    return sp.Piecewise((first, condition), (second, True))


def _in_case(term: Any, k: int) -> Any:
    factors = sp.Mul.make_args(term)
    return sp.Mul(*[f.args[k].expr if _has_one_case(f) else f for f in factors])


def bounds(condition: Any) -> dict[Any, tuple[Any, Any]]:
    """Give between which numbers a condition says that values are.

    >>> r = sp.Symbol("r", real=True)
    >>> bounds((r >= 0) & (r < 1))
    {r: (0, 1)}
    """
    found: dict[Any, tuple[Any, Any]] = {}
    for c in sp.And.make_args(condition):
        value = _bounded(c)
        if value is not None:
            low, high = found.get(value, (-sp.oo, sp.oo))
            is_least = isinstance(c, (GreaterThan, StrictGreaterThan)) == (c.lhs == value)
            number = c.rhs if c.lhs == value else c.lhs
            found[value] = (sp.Max(low, number), high) if is_least else (low, sp.Min(high, number))
    return found


def _bounded(condition: Any) -> Any | None:
    """Give what a number bounds."""
    sides = condition.args if isinstance(condition, ORDERED) else ()
    values = [side for side in sides if not side.is_number]
    return values[0] if len(values) == 1 else None
