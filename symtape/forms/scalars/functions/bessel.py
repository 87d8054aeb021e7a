"""Bessel functions of one argument, of which three neighbours are two, and those of sizes.

See the Digital Library of Mathematical Functions, 10.6.1, 10.29.1 and 10.11.1.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sympy as sp

from symtape.forms.scalars.quotients import divisors

_SIGNS = {sp.besselj: (1, 1), sp.bessely: (1, 1), sp.besseli: (1, -1), sp.besselk: (-1, 1)}
"""By which a C(n - 1) + b C(n + 1) is 2 n C(n) / z."""

_SINGULAR = (sp.bessely, sp.besselk)
"""Functions that have no value at zero, so that what has them may be divided by its argument."""

_MOST_ORDERS = 6


def with_recurrences(e: Any) -> Iterator[Any]:
    """Write functions of two orders for those of three, in each way.

    Nothing is divided by an argument then that may be zero, and was not divided by.

    >>> z = sp.Symbol("z", positive=True)
    >>> list(with_recurrences(z * sp.besselk(0, z) + sp.besselk(1, z) - z * sp.besselk(2, z) / 2))
    [z*besselk(0, z)/2, z*besselk(2, z)/2 - besselk(1, z), z*besselk(0, z)/2]
    """
    for (kind, z), orders in sorted(_families(e).items(), key=str):
        for n in sorted(orders, key=sp.default_sort_key) if len(orders) <= _MOST_ORDERS else ():
            if {n - 1, n + 1} <= orders and n != 0:
                for f, made in _solved(kind, n, z, may_divide=_may_divide(e, kind, z)):
                    yield sp.factor_terms(sp.expand_mul(e.xreplace({f: made})))


def _families(e: Any) -> dict[tuple[Any, Any], set[Any]]:
    found: dict[tuple[Any, Any], set[Any]] = {}
    for f in e.atoms(*_SIGNS):
        found.setdefault((f.func, f.args[1]), set()).add(f.args[0])
    return found


def _solved(kind: Any, n: Any, z: Any, *, may_divide: bool) -> Iterator[tuple[Any, Any]]:
    """Solve a recurrence for each of its functions."""
    a, b = _SIGNS[kind]
    below, own, above = (kind(n + k, z) for k in (-1, 0, 1))
    yield own, z * (a * below + b * above) / (2 * n)
    if may_divide:
        yield below, a * (2 * n * own / z - b * above)
        yield above, b * (2 * n * own / z - a * below)


def _may_divide(e: Any, kind: Any, z: Any) -> bool:
    """Say whether an argument is zero nowhere, or where it is, the whole has no value anyway."""
    below = {*divisors(e)}
    return kind in _SINGULAR or z.is_nonzero or {*sp.Mul.make_args(z)} <= below


def without_sizes(e: Any) -> Iterator[Any]:
    """Write I(n, z) for I(n, |z|), which are even or odd, as J is.

    >>> z = sp.Symbol("z", real=True)
    >>> list(without_sizes(sp.sign(z) * sp.besseli(1, abs(z)) / sp.besseli(0, abs(z))))
    [besseli(1, z)/besseli(0, z)]
    """
    swap, odd = {}, []
    for f in e.atoms(sp.besseli, sp.besselj):
        n, z = f.args
        if isinstance(z, sp.Abs) and z.args[0].is_real and n.is_Integer:
            (inner,) = z.args
            made = f.func(n, inner)
            swap[f] = made * sp.sign(inner) ** (n % 2)
            odd += [made] if n % 2 else []
    if swap:
        terms = sp.Add.make_args(sp.expand_mul(e.xreplace(swap)))
        yield sp.factor_terms(sp.Add(*[_with_one_sign(t, odd) for t in terms]))


def _with_one_sign(term: Any, odd: list[Any]) -> Any:
    """Leave the square of a sign out beside what is zero where its sign is."""
    for f in odd:
        if f in sp.Mul.make_args(term):
            term = term.subs(sp.sign(f.args[1]) ** 2, 1)
    return term
