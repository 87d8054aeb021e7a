"""Values that are bounded where a condition says that they are within the bounds: r for min(1, r).

So the slope of a function of a clipped value is written without it: [0 ≤ r ≤ 1] r (1 - r).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sympy as sp

from symtape.forms.index.brackets import Iverson, case_of
from symtape.forms.scalars.cases.conditions import bounds, with_joined_cases
from symtape.forms.scalars.cases.signs import without_idle_brackets
from symtape.forms.scalars.factoring import without_sign


def without_clips(e: Any) -> Any:
    """Write r for max(0, min(1, r)) in a case where 0 ≤ r ≤ 1, and in what that multiplies.

    What a bracket multiplies is a polynomial in r then, for it is to be defined elsewhere, too.

    >>> r = sp.Symbol("r", real=True)
    >>> without_clips(Iverson(r > 0) * (1 - sp.Max(0, r)))
    (1 - r)*Iverson(r > 0)
    >>> without_clips(sp.Piecewise((sp.log(sp.Min(1, r)), r < 1), (0, True)))
    Piecewise((log(r), r < 1), (0, True))
    >>> without_clips(Iverson(r > 0) * sp.exp(r * Iverson(r > 0)))
    exp(r)*Iverson(r > 0)
    """
    if e.has(Iverson) and any(z.has(Iverson) for z in e.atoms(sp.exp)):
        e = e.replace(sp.Mul, _with_powers_of_the_case)
    if not e.has(sp.Max, sp.Min):
        return e
    if e.has(sp.Piecewise):
        e = e.replace(sp.Piecewise, _in_cases)
    return e.replace(sp.Mul, _in_product) if e.has(Iverson) else e


def _with_powers_of_the_case(*factors: Any) -> Any:
    """Write the exponents of exponentials as they are where the brackets beside them hold."""
    holding = [f for f in factors if isinstance(f, Iverson)]
    case = case_of(holding)
    made = {f: f.xreplace(case) for f in factors if isinstance(f, sp.exp) and holding}
    is_fit = {f for f, power in made.items() if is_polynomial_in_cases(sp.log(power))}
    return sp.Mul(*[made[f] if f in is_fit else f for f in factors])


def is_polynomial_in_cases(z: Any) -> bool:
    """Say whether something is a polynomial in symbols and brackets, and so defined everywhere.

    >>> r = sp.Symbol("r", real=True)
    >>> is_polynomial_in_cases(r**2 * Iverson(r > 0)), is_polynomial_in_cases(Iverson(r > 0) / r)
    (True, False)
    """
    bare = z.replace(Iverson, lambda _: sp.Dummy())
    return bool(bare.is_polynomial(*bare.free_symbols))


def with_plain_cases(e: Any) -> Any:
    """Join cases, and write them without the bounds that hold in them; see `conditions.py`."""
    return without_clips(with_joined_cases(e)) if isinstance(e, sp.Basic) else e


def _in_cases(*pairs: Any) -> Any:
    found = []
    for value, condition in pairs:
        made = _within(value, condition)
        found.append((value if made == value else _as_product(made), condition))
    return sp.Piecewise(*found)


def _as_product(e: Any) -> Any:
    """Write a polynomial in factors, which are seen where bounds are gone: 6 r (1 - r)."""
    return without_sign(sp.factor(e)) if e.is_polynomial(*e.free_symbols) else e


def _in_product(*factors: Any) -> Any:
    conditions = [f.args[0] for f in without_idle_brackets(factors) if isinstance(f, Iverson)]
    whole = sp.Mul(*factors)
    if not conditions or not whole.has(sp.Max, sp.Min):
        return whole
    made = [
        f if isinstance(f, Iverson) else _within(f, sp.And(*conditions), defined=True)
        for f in factors
    ]
    return sp.Mul(*made)


def _within(e: Any, condition: Any, *, defined: bool = False) -> Any:
    """Write values without bounds; what is to be `defined` elsewhere only if it is a polynomial."""
    extrema = e.atoms(sp.Max, sp.Min)
    known = bounds(condition) if extrema else {}
    swap = {m: v for m in extrema if (v := _value(m, known)) is not m}
    if not swap:
        return e
    made = e.xreplace(swap)
    return made if not defined or made.is_polynomial(*made.free_symbols) else e


def _value(extremum: Any, known: Mapping[Any, tuple[Any, Any]]) -> Any:
    """Give what an extremum of numbers and one value is, where the value is within its bounds."""
    numbers = [x for x in extremum.args if x.is_number]
    others = [x for x in extremum.args if not x.is_number]
    if len(others) != 1 or len(numbers) != 1:
        return extremum
    inner = _value(others[0], known) if isinstance(others[0], (sp.Max, sp.Min)) else others[0]
    low, high = known.get(inner, (-sp.oo, sp.oo))
    is_idle = low >= numbers[0] if isinstance(extremum, sp.Max) else high <= numbers[0]
    return inner if is_idle == True else extremum  # noqa: E712 - SymPy's truth
