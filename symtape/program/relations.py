"""Relations of sums that share terms, written with these terms on one side."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

import sympy as sp
from sympy.core.relational import Relational


def substituted(body: Any, own: dict[Any, Any]) -> Any:
    """Put expressions into a body for its symbols; a relation has what it shares on one side.

    SymPy's `Piecewise` turns relations of sums that share terms over and over, without an end. And
    r ≥ 0 says what 9r/10 ≥ -r/10 does.

    >>> a, b, r, y = sp.symbols("a b r y")
    >>> substituted(sp.Piecewise((1, a >= b), (0, True)), {a: 9 * (r - y) / 10, b: (y - r) / 10})
    Piecewise((1, r - y >= 0), (0, True))
    """
    relations = body.atoms(Relational) if body.has(Relational) else ()
    return body.xreplace(own | {r: _on_one_side(r.func, *_sides(r, own)) for r in relations})


def check_deciding(body: Any, own: Mapping[Any, Any], check: Callable[..., None]) -> None:
    """Count what is compared in a body and has cases itself, before SymPy takes it apart.

    It writes a relation of cases as a relation for each case, and compares all of them, whenever
    one is made: what is long is refused before.
    """
    for r in body.atoms(Relational) if body.has(Relational) else ():
        for side in [own[s] for s in r.atoms(sp.Symbol) if s in own]:
            if has_cases(side):
                check(side, _TIMES)


_TIMES = 30
"""How many times what is compared is written, about."""


@lru_cache(maxsize=65536)
def has_cases(e: Any) -> bool:
    """Say whether there are cases in an expression; of shared parts it is asked once."""
    return isinstance(e, sp.Piecewise) or any(map(has_cases, getattr(e, "args", ())))


def _sides(relation: Any, own: dict[Any, Any]) -> tuple[Any, Any]:
    lhs, rhs = (side.xreplace(own) for side in relation.args)
    return lhs, rhs


def _on_one_side(kind: Any, lhs: Any, rhs: Any) -> Any:
    """Give the relation, of the difference where both sides have a term that is not a number."""
    if not (isinstance(lhs, sp.Expr) and isinstance(rhs, sp.Expr)) or lhs == rhs:
        return kind(lhs, rhs)
    shared = _terms(lhs) & _terms(rhs)
    if not shared or lhs.is_extended_real is False or rhs.is_extended_real is False:
        return kind(lhs, rhs)
    return kind(_without_scale(sp.expand_mul(lhs - rhs)), 0)


def _without_scale(e: Any) -> Any:
    """Divide a sum by what all of its terms are multiplied by, but for signs."""
    terms = e.as_coefficients_dict()
    if len({abs(c) for c in terms.values()}) == 1 and not e.is_number:
        return sp.Add(*[sp.sign(c) * t for t, c in terms.items()])
    return e.primitive()[1] if e.free_symbols else e


def _terms(e: Any) -> set[Any]:
    """Give the terms of a sum, without the numbers in front of them."""
    return {t for t in e.as_coefficients_dict() if not t.is_number}
