"""In which order the terms of a sum, the factors of a product and the bounds of sums stand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import sympy as sp
from sympy.matrices.expressions.matexpr import MatrixElement

from symtape.forms.index.brackets import Iverson

Limits = tuple[Any, Any, Any]
"""An index, its first and its last value."""


def plus_first(terms: Sequence[Any]) -> list[Any]:
    """Put a term that is added in front, where there is one: m - j for -j + m.

    >>> j, m = sp.symbols("j m")
    >>> plus_first([-j, m, -1])
    [m, -j, -1]
    """
    first = next((k for k, t in enumerate(terms) if not t.could_extract_minus_sign()), 0)
    return [*terms[first : first + 1], *terms[:first], *terms[first + 1 :]]


def factors(e: Any) -> list[Any]:
    """Order the factors: numbers, symbols and entries, functions, deltas and brackets, sums.

    What binds no further than it stands comes first, so that few factors need parentheses.

    >>> i, k = sp.symbols("i k", integer=True)
    >>> a, x = sp.IndexedBase("a"), sp.IndexedBase("x")
    >>> factors(sp.Sum(x[k], (k, 0, 2)) * sp.KroneckerDelta(i, k) * sp.sin(x[i]) * a[i])
    [a[i], sin(x[i]), KroneckerDelta(i, k), Sum(x[k], (k, 0, 2))]
    """
    found = e.as_ordered_factors() if isinstance(e, sp.Mul) else [e]
    own = [base for f in found if isinstance(base := _base(f), sp.Function)]
    return sorted(found, key=lambda f: _rank(f, own))


_BRACKETS = (sp.KroneckerDelta, Iverson)
_ENTRIES = (sp.Indexed, MatrixElement)


def _rank(factor: Any, functions: Sequence[Any]) -> int:
    base = _base(factor)
    if base.is_number or (base.is_Symbol and base.name[:1].isdigit()):
        return 0
    if base.is_Symbol or isinstance(base, _ENTRIES) or _is_of_entries(base):
        return 1
    if isinstance(base, (*_BRACKETS, sp.Piecewise)):
        return 4
    if isinstance(factor, (sp.Sum, sp.Product)):
        return 5
    is_long = base.is_Add and base.has(sp.Sum, *_ENTRIES)
    is_slope = base.is_Add and functions and base.has(*functions)  # σ(x) (1 - σ(x))
    return 3 if is_long or is_slope else 2


def _is_of_entries(e: Any) -> bool:
    """Say whether a sum is of entries alone, as that of a matrix and its transpose."""
    return bool(e.is_Add) and all(isinstance(t.as_coeff_Mul()[1], _ENTRIES) for t in e.args)


def _base(factor: Any) -> Any:
    """Give what a power is one of; an exponential is a function of its own."""
    return factor.base if isinstance(factor, sp.Pow) else factor


def ranges(limits: Sequence[Limits]) -> Iterator[tuple[list[Any], Any, Any]]:
    """List the indices of a sum of sums, from the outermost on; those of one range together.

    >>> i, j, k = sp.symbols("i j k", integer=True)
    >>> list(ranges([(k, 0, 2), (j, 0, 2)])), list(ranges([(k, 0, j), (j, 0, 2)]))
    ([([j, k], 0, 2)], [([j], 0, 2), ([k], 0, j)])
    """
    indices = {k for k, *_ in limits}
    is_free = all(
        (sp.sympify(first).free_symbols | sp.sympify(last).free_symbols).isdisjoint(indices)
        for _, first, last in limits
    )
    if not is_free:
        yield from (([k], first, last) for k, first, last in reversed(limits))
        return
    found: dict[tuple[Any, Any], list[Any]] = {}
    for k, first, last in sorted(limits, key=lambda limit: str(limit[0])):
        found.setdefault((first, last), []).append(k)
    yield from ((own, first, last) for (first, last), own in found.items())
