"""Cases of scalars in LaTeX, whose values and conditions stand as they do in matrix notation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import sympy as sp

from symtape.forms.index.brackets import Iverson

Write = Callable[[Any], str]
"""Writes an expression without cases."""

_LINE = r" \\"


def terms_with_cases(e: Any, write: Write) -> list[str] | None:
    r"""Write the terms of a sum with a block of cases; None where there are several, or in others.

    What multiplies cases multiplies each of their values; cases of 1 and 0 are brackets.

    >>> x, y = sp.symbols("x y")
    >>> print(*terms_with_cases(y * sp.Piecewise((2, x > 0), (x, True)) + x, str))
    x + \begin{cases} 2*y & \text{for}\: x > 0 \\x*y & \text{otherwise} \end{cases}
    """
    e = e.replace(_is_bracket, lambda cases: Iverson(cases.args[0].cond))
    if not e.has(sp.Piecewise):
        return [write(e)]
    terms = sp.Add.make_args(e)
    (whole, *others) = [t for t in terms if t.has(sp.Piecewise)]
    cases, rest = _apart(whole)
    if others or cases is None or rest.has(sp.Piecewise):
        return None
    if any(part.has(sp.Piecewise) for pair in cases.args for part in pair):
        return None
    pairs = [(rest * value, condition) for value, condition in cases.args]
    if any(value.has(sp.nan, sp.oo, sp.zoo) for value, _ in pairs):
        return None
    block = _block(pairs, write)
    plain = e - whole
    return [block] if plain == 0 else [write(plain), f"+ {block}"]


def _apart(e: Any) -> tuple[Any | None, Any]:
    """Give the cases among the factors of a term, if there are such, and the other factors."""
    factors = sp.Mul.make_args(e)
    found = [f for f in factors if isinstance(f, sp.Piecewise)]
    if len(found) != 1:
        return None, e
    return found[0], sp.Mul(*[f for f in factors if f != found[0]])


def _is_bracket(e: Any) -> bool:
    is_cases = isinstance(e, sp.Piecewise) and e.args[-1].cond == sp.true
    return is_cases and [value for value, _ in e.args] == [1, 0]


def _block(pairs: Sequence[tuple[Any, Any]], write: Write) -> str:
    rows = []
    for value, condition in pairs:
        is_last = condition == sp.true
        when = r"\text{otherwise}" if is_last else rf"\text{{for}}\: {write(condition)}"
        rows.append(f"{write(value)} & {when}")
    return rf"\begin{{cases}} {_LINE.join(rows)} \end{{cases}}"
