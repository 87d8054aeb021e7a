"""Conditions of bounded values, and cases within cases: min(1, x) ≥ 0 where x ≥ 0."""

from __future__ import annotations

from typing import Any

import sympy as sp
from sympy.core.relational import GreaterThan, LessThan, StrictGreaterThan, StrictLessThan

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

    Others stay within each other: who puts numbers in finds no condition that is not defined.

    >>> x = sp.Symbol("x", real=True)
    >>> inner = sp.Piecewise((x**2, sp.Min(1, x) >= 0), (0, True))
    >>> with_joined_cases(sp.Piecewise((inner, x <= 1), (0, True)))
    Piecewise((x**2, (x >= 0) & (x <= 1)), (0, True))
    """
    if not isinstance(e, sp.Basic) or not e.has(sp.Piecewise):
        return e
    return with_plain_conditions(e).replace(_has_one_case, _joined_case)


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


def _bounded(condition: Any) -> Any | None:
    """Give what a number bounds."""
    sides = condition.args if isinstance(condition, ORDERED) else ()
    values = [side for side in sides if not side.is_number]
    return values[0] if len(values) == 1 else None


__all__ = ["ORDERED", "with_joined_cases", "with_plain_conditions"]
