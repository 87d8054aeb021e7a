"""Logistic functions by their name, and their slopes as σ(z) (1 - σ(z))."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import sympy as sp

from symtape.forms.named import sigmoid


def with_sigmoids(e: Any) -> Any:
    """Write σ(z) for 1/(1 + exp(-z)), wherever it stands."""
    swap = {}
    for p in e.atoms(sp.Pow):
        rest = p.base - 1 if p.base.is_Add and 1 in p.base.args else sp.S.Zero
        if (
            p.exp.is_Integer
            and p.exp < 0
            and all(isinstance(f, sp.exp) for f in sp.Mul.make_args(rest))
        ):
            swap[p] = sigmoid(-sp.Add(*[f.args[0] for f in sp.Mul.make_args(rest)])) ** -p.exp
    return e.xreplace(swap) if swap else e


def with_slopes(e: Any) -> Iterator[Any]:
    """Write σ(z) (1 - σ(z)) for exp(-z) σ(z)² and for σ(z) - σ(z)², wherever they stand."""

    def written(*factors: Any) -> Any:
        found = list(factors)
        for f in factors:
            share, k = f.as_base_exp() if isinstance(f, sp.Pow) else (f, sp.S.One)
            other = sp.exp(sp.expand(-share.args[0])) if isinstance(share, sigmoid) else None
            if k == 2 and other in found:
                found = [g for g in found if g not in (f, other)] + [share, 1 - share]
        return sp.Mul(*found)

    def joined(*terms: Any) -> Any:
        found = list(terms)
        for term, square in slopes(terms):
            share = next(f for f in sp.Mul.make_args(term) if -term * f == square)
            found = [t for t in found if t not in (term, square)] + [term * (1 - share)]
        return sp.Add(*found)

    if e.has(sigmoid):
        yield e.replace(sp.Mul, written).replace(sp.Add, joined)


def slopes(terms: Iterable[Any]) -> list[tuple[Any, Any]]:
    """List the pairs of terms that are a share and, taken away, its square."""
    known = {*terms}
    shares = {t: [f for f in sp.Mul.make_args(t) if isinstance(f, sigmoid)] for t in known}
    return [(t, -t * own[0]) for t, own in shares.items() if len(own) == 1 and -t * own[0] in known]
