"""Cases of a whole: [c] log(x) + [not c] log(y) for log([c] x + [not c] y)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy as sp

from symtape.forms.index.brackets import Iverson

Shorten = Callable[[Any], Any]


def with_cases_apart(e: Any, shorten: Shorten) -> Any | None:
    """Write what is made of two cases as two cases of all that is made of them; None for others.

    What a bracket multiplies need not be defined where it is zero, as for `brackets.guarded`.

    >>> x, y = sp.symbols("x y", positive=True)
    >>> on, off = Iverson(x > y), Iverson(x <= y)
    >>> with_cases_apart(sp.log(x * on + y * off) * on, lambda e: e)
    log(x)*Iverson(x > y)
    >>> with_cases_apart(1 + (x - 1) * on + (y - 1) * off, lambda e: e)
    x*Iverson(x > y) + y*Iverson(x <= y)
    >>> with_cases_apart(x * on + y * off, lambda e: e)
    """
    known = e.atoms(Iverson)
    for bracket in sorted(known, key=sp.default_sort_key):
        other = Iverson(sp.Not(bracket.args[0]))
        if other not in known or _is_of_cases(e, bracket, other):
            continue
        on, off = (e.xreplace({bracket: sp.Integer(k), other: sp.Integer(1 - k)}) for k in (1, 0))
        if not (on.has(sp.nan, sp.oo, sp.zoo) or off.has(sp.nan, sp.oo, sp.zoo)):
            return bracket * shorten(on) + other * shorten(off)
    return None


def _is_of_cases(e: Any, *brackets: Any) -> bool:
    """Say whether each term has one of two brackets as a factor, and nothing else of both."""
    terms = [sp.Mul.make_args(t) for t in sp.Add.make_args(e)]
    return all(
        sum(f in brackets for f in factors) == 1
        and not any(f.has(*brackets) for f in factors if f not in brackets)
        for factors in terms
    )
