"""Logistic functions by their name, and their slopes as σ(z) (1 - σ(z))."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Any

import sympy as sp

from symtape.forms.named import sigmoid


def with_sigmoids(e: Any) -> Any:
    """Write σ(z) for 1/(1 + exp(-z)), wherever it stands, and within each other.

    >>> z = sp.Symbol("z", real=True)
    >>> with_sigmoids(1 / (1 + sp.exp(1 / (1 + sp.exp(z)))))
    sigmoid(-sigmoid(-z))
    """
    return e.replace(sp.Pow, _sigmoid) if e.has(sp.exp) else e


def with_shares_of_two(e: Any) -> Any:
    """Write σ(x - y) for exp(x)/(exp(x) + exp(y)), wherever it stands.

    >>> x, y, s = sp.symbols("x y s", real=True)
    >>> with_shares_of_two(s * sp.exp(2 * x + s) / (sp.exp(x) + sp.exp(y)) ** 2)
    s*exp(s)*sigmoid(x - y)**2
    """
    return e.replace(sp.Mul, _share_of_two) if e.has(sp.exp) else e


def _share_of_two(*factors: Any) -> Any:
    outer = next((f for f in factors if isinstance(f, sp.exp)), sp.S.One)
    for f in factors if outer.args else ():
        base, k = f.as_base_exp()
        exponents = [g.args[0] for g in base.args if isinstance(g, sp.exp)] if base.is_Add else []
        if len(exponents) != len(base.args) or len(exponents) != 2 or not k.is_Integer or k > 0:
            continue
        for x, y in (exponents, exponents[::-1]):
            left = outer.args[0] + k * x
            if len(sp.Add.make_args(left)) < len(sp.Add.make_args(outer.args[0])) or left == 0:
                others = [g for g in factors if g not in (f, outer)]
                return sp.Mul(*others, sp.exp(left), sigmoid(x - y) ** -k)
    return sp.Mul(*factors)


def _sigmoid(base: Any, exponent: Any) -> Any:
    """Write σ(z) for a power of 1 + exp(-z), also with a letter below: σ(z)ᵏ."""
    rest = base - 1 if base.is_Add and 1 in base.args else sp.S.Zero
    powers = sp.Mul.make_args(rest)
    is_below = exponent.is_Integer or not exponent.is_number
    is_below = is_below and exponent.could_extract_minus_sign()
    if not is_below or not all(isinstance(f, sp.exp) for f in powers):
        return sp.Pow(base, exponent)
    return sigmoid(-sp.Add(*[f.args[0] for f in powers])) ** -exponent


def with_slopes(e: Any) -> Iterator[Any]:
    """Write σ(z) (1 - σ(z)) for exp(-z) σ(z)² and for σ(z) - σ(z)², wherever they stand.

    And σ(-z) for exp(-z) σ(z).
    """

    def written(*factors: Any) -> Any:
        found = list(factors)
        for f in factors:
            share, k = f.as_base_exp() if isinstance(f, sp.Pow) else (f, sp.S.One)
            other = _inverse(share, found) if isinstance(share, sigmoid) and k in (1, 2) else None
            if other is not None:
                made = [share, 1 - share] if k == 2 else [sigmoid(-share.args[0])]
                found = [g for g in found if g not in (f, other)] + made
        return sp.Mul(*found)

    def joined(*terms: Any) -> Any:
        found = list(terms)
        for term, square in slopes(terms):
            share = next(f for f in sp.Mul.make_args(term) if -term * f == square)
            found = [t for t in found if t not in (term, square)] + [term * (1 - share)]
        return sp.Add(*found)

    if e.has(sigmoid):
        yield e.replace(sp.Mul, written).replace(sp.Add, joined)


def _inverse(share: Any, factors: Collection[Any]) -> Any | None:
    """Find exp(-z) beside σ(z)."""
    (z,) = share.args
    powers = [p for p in factors if isinstance(p, sp.exp)]
    return next((p for p in powers if p.exp == -z or p.exp == sp.expand(-z)), None)


def slopes(terms: Iterable[Any]) -> list[tuple[Any, Any]]:
    """List the pairs of terms that are a share and, taken away, its square."""
    known = {*terms}
    shares = {t: [f for f in sp.Mul.make_args(t) if isinstance(f, sigmoid)] for t in known}
    return [(t, -t * own[0]) for t, own in shares.items() if len(own) == 1 and -t * own[0] in known]
