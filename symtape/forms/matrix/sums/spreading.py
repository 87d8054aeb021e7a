"""Products with sums, multiplied out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import sympy as sp

from symtape.forms.matrix.algebra import Algebra
from symtape.forms.matrix.nodes import Diagonal, Matrix

_MOST_SPREAD = 16
"""So many terms are looked at for equal ones."""


def spread(algebra: Algebra, x: Matrix) -> Iterator[Matrix]:
    """Multiply sums out, one product at a time."""
    terms = terms_of(x)
    for a, term in enumerate(terms):
        number, parts = algebra.factors(term)
        for k, part in enumerate(parts):
            if part.entry.is_Add:
                sums = [Matrix(t, part.shape) for t in part.entry.args]
                made = [algebra.product(*parts[:k], t, *parts[k + 1 :]) for t in sums]
                scaled = [algebra.times(algebra.number(number), y) for y in made]
                yield algebra.plus(*terms[:a], *terms[a + 1 :], *scaled)


def spread_until_equal(algebra: Algebra, x: Matrix) -> Iterator[Matrix]:
    """Multiply all sums out, if terms are equal then: (I - A S) A and A (I - S A) are.

    Or if scalars of one array add up then, as those of x do in (r + s) x and s (y - x).
    """
    found, is_equal = x, False
    while (made := next(spread(algebra, found), None)) is not None:
        before, after = len(terms_of(found)), len(terms_of(made))
        if after > _MOST_SPREAD:
            return
        is_equal = is_equal or after <= before
        found = made
    if is_equal:
        yield found
    multiples = [*_multiples(algebra, found)]
    scales: dict[Any, list[Any]] = {}
    for k, entry in multiples:
        scales.setdefault(entry, []).append(k)
    if len(multiples) <= _MOST_SPREAD and any(map(_add_up, scales.values())):
        sums = [algebra.normal(algebra.number(sp.Add(*own))) for own in scales.values()]
        whole = [algebra.times(k, Matrix(e, x.shape)) for k, e in zip(sums, scales, strict=True)]
        yield algebra.plus(*whole)


def _add_up(scales: Sequence[Any]) -> bool:
    """Say whether some scalars have terms that cancel each other, or add up."""
    total = sp.expand_mul(sp.Add(*scales))
    own = [sp.Add.make_args(sp.expand_mul(k)) for k in scales]
    return len(sp.Add.make_args(total)) < sum(map(len, own))


def _multiples(algebra: Algebra, x: Matrix) -> Iterator[tuple[Any, Any]]:
    """Give the terms of a sum, and of sums that scalars multiply, each with its scalar."""
    for term in terms_of(x):
        number, entry = algebra.split(term)
        if entry.is_Add:
            inner = _multiples(algebra, Matrix(entry, x.shape))
            yield from ((number * scale, own) for scale, own in inner)
        else:
            yield number, entry


def beside_diagonals(algebra: Algebra, x: Matrix) -> Iterator[Matrix]:
    """Multiply sums by the diagonals beside them, one at a time."""
    terms = terms_of(x)
    for a, term in enumerate(terms):
        number, parts = algebra.factors(term)
        for k, pair in enumerate(pairwise(parts)):
            kinds = [isinstance(algebra.node(part), Diagonal) for part in pair]
            if kinds.count(True) == 1 and pair[kinds.index(False)].entry.is_Add:
                whole = pair[kinds.index(False)]
                sums = [Matrix(t, whole.shape) for t in whole.entry.args]
                made = [
                    algebra.product(*((t, pair[1]) if kinds[1] else (pair[0], t))) for t in sums
                ]
                joined = algebra.product(*parts[:k], algebra.plus(*made), *parts[k + 2 :])
                scaled = algebra.times(algebra.number(number), joined)
                yield algebra.plus(*terms[:a], *terms[a + 1 :], scaled)


def terms_of(x: Matrix) -> list[Matrix]:
    """List the terms of a sum; of what is no expression, none."""
    is_sum = isinstance(x.entry, sp.Expr)
    return [Matrix(e, x.shape) for e in sp.Add.make_args(x.entry)] if is_sum else []
