"""All entries of a generic one: indices are numbers, and sums and products are written out."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np
import sympy as sp

from symtape.forms.limits import marks

_MOST = 20_000
"""How long all entries together are, at most, of which shorter ones are looked for."""


def shorter_entries(found: Any, generic: Any, at: Sequence[Any]) -> Any:
    """Give an array of entries as a generic entry has them, where all of them are shorter so.

    `at` are the indices of the axes. The entries are given back that came where the generic one has
    parts that are no entries, such as those of an inverse.
    """
    written = sum(marks(e) for e in np.ravel(found))
    if written > _MOST or _terms(generic) * found.size > written or _inner(generic):
        return found
    made = np.empty(found.shape, object)
    for place in np.ndindex(found.shape):
        made[place] = _unrolled(
            generic.xreplace(dict(zip(at, map(sp.Integer, place), strict=True)))
        )
    return made if sum(marks(e) for e in np.ravel(made)) < written else found


def _terms(e: Any) -> int:
    """Bound from below how many terms there are when sums are written out."""
    if isinstance(e, (sp.Sum, sp.Product)):
        return _terms(e.function) * prod(int(last - first + 1) for _, first, last in e.limits)
    return max(map(_terms, e.args), default=1)


def _inner(e: Any) -> bool:
    """Say whether there are parts whose entries are not written, or not here."""
    places = [i for entry in e.atoms(sp.Indexed) for i in entry.indices]
    is_chosen = any([i.has(sp.Indexed) for i in places])  # by numbers that are known
    return bool(e.atoms(sp.MatrixExpr)) or e.has(sp.Subs, sp.Integral) or is_chosen


def _unrolled(e: Any) -> Any:
    if not e.has(sp.Sum, sp.Product):
        return e
    if not isinstance(e, (sp.Sum, sp.Product)):
        return e.func(*map(_unrolled, e.args))
    (k, first, last), *outer = e.limits
    join = sp.Add if isinstance(e, sp.Sum) else sp.Mul
    terms = [e.function.xreplace({k: sp.Integer(n)}) for n in range(int(first), int(last) + 1)]
    if outer:
        terms = [e.func(term, *outer) for term in terms]
    return join(*map(_unrolled, terms))
