"""The normal distribution: its density, its distribution function and quantiles, by their names."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import Any

import sympy as sp

from symtape.forms.named import normal_cdf, normal_pdf, normal_quantile


def with_normal(e: Any, shorten: Callable[[Any], Any]) -> Iterator[Any]:
    """Write erf(u/√2) and exp(-u²/2) as functions of a standard normal variable."""
    swap: dict[Any, Any] = dict(_as_quantiles(e, shorten))
    for f in e.atoms(sp.erf, sp.erfc):
        u = shorten(sp.expand(sp.sqrt(2) * f.args[0], log=False))
        swap[f] = 2 * normal_cdf(u) - 1 if isinstance(f, sp.erf) else 2 * normal_cdf(-u)
    roots = {p.base for p in e.atoms(sp.Pow) if p.exp.is_Rational and p.exp.q == 2}
    swap |= dict(_as_powers(e))
    for f in e.atoms(sp.exp) - swap.keys():
        u = _root(-2 * f.args[0], roots)
        if u is not None:
            swap[f] = sp.sqrt(2 * sp.pi) * normal_pdf(shorten(u))
    made = _with_even_densities(e.xreplace(swap))
    if swap:
        yield sp.expand(made, deep=False)
        yield sp.factor_terms(made)
    if made.has(normal_cdf):
        other = {f: 1 - normal_cdf(shorten(-f.args[0])) for f in made.atoms(normal_cdf)}
        turned = sp.expand(made.xreplace(other), deep=False)
        yield turned
        yield sp.factor_terms(turned)


def _as_quantiles(e: Any, shorten: Callable[[Any], Any]) -> Iterator[tuple[Any, Any]]:
    """Write Φ⁻¹(p) for √2 erfinv(2 p - 1), and 1 / φ(Φ⁻¹(p)) for its slope.

    >>> p = sp.Symbol("p")
    >>> list(_as_quantiles(sp.sqrt(2) * sp.erfinv(2 * p - 1), sp.expand))
    [(erfinv(2*p - 1), sqrt(2)*normal_quantile(p)/2)]
    """
    for f in sorted(e.atoms(sp.erfinv, sp.erfcinv), key=sp.default_sort_key):
        (x,) = f.args
        is_inverse = isinstance(f, sp.erfinv)
        p = shorten(sp.expand((1 + x) / 2 if is_inverse else x / 2))
        if sp.count_ops(p) < sp.count_ops(x) or not is_inverse:
            quantile = normal_quantile(p)
            yield f, (quantile if is_inverse else -quantile) / sp.sqrt(2)
            yield from _bells(e, sp.sqrt(2) * f, quantile)
    for quantile in sorted(e.atoms(normal_quantile), key=sp.default_sort_key):
        yield from _bells(e, quantile, quantile)


def _bells(e: Any, u: Any, named: Any) -> Iterator[tuple[Any, Any]]:
    """Write exp(u²) as a power of φ(u), where u has a name."""
    for power in e.atoms(sp.exp):
        k = -2 * power.args[0] / u**2
        if k.is_Integer:
            yield power, (sp.sqrt(2 * sp.pi) * normal_pdf(named)) ** k


def _with_even_densities(e: Any) -> Any:
    """Write φ(z) for φ(-z), and φ of a difference as it stands in Φ.

    >>> x, y = sp.symbols("x y")
    >>> _with_even_densities(normal_pdf(-x) * normal_pdf(x - y) / normal_cdf(y - x))
    normal_pdf(x)*normal_pdf(-x + y)/normal_cdf(-x + y)
    """
    known = {f.args[0] for f in e.atoms(normal_cdf)}
    swap = {}
    for f in e.atoms(normal_pdf):
        u = f.args[0]
        is_other = -u in known and u not in known if u.is_Add else u.could_extract_minus_sign()
        if is_other:
            swap[f] = normal_pdf(-u)
    return e.xreplace(swap)


def with_complements(e: Any) -> Iterator[Any]:
    """Write erfc(u) for 1 - erf(u).

    >>> x, y = sp.symbols("x y")
    >>> list(with_complements(1 / (y - y * sp.erf(x))))
    [1/(y*erfc(x))]
    """
    swap = {}
    for total in e.atoms(sp.Add) if e.has(sp.erf) else ():
        for term in total.args:
            (f, *others) = [*(f for f in sp.Mul.make_args(term) if isinstance(f, sp.erf)), None]
            if f is not None and others == [None] and -term / f in total.args:
                swap[total] = total - term + term / f - term / f * sp.erfc(*f.args)
                break
    if swap:
        yield e.xreplace(swap)


def _as_powers(e: Any) -> Iterator[tuple[Any, Any]]:
    """Write exp(-u²) as a power of φ(u) where there is φ(u), as in the slope of φ(u) / Φ(u)."""
    known = [f.args[0] for f in e.atoms(normal_pdf, normal_cdf)]
    for f in e.atoms(sp.exp) if known else ():
        for u in sorted(known, key=sp.default_sort_key):
            k = -2 * f.args[0] / u**2
            if k.is_Integer and k > 1:
                yield f, (2 * sp.pi) ** (k / 2) * normal_pdf(u) ** k
                break


def _root(square: Any, roots: Collection[Any] = ()) -> Any | None:
    """Give what a product is the square of, if it is one by its looks; of some there are roots."""
    number, rest = sp.factor_terms(square).as_coeff_Mul()
    root = sp.sqrt(number)
    parts = [f.as_base_exp() for f in sp.Mul.make_args(rest)]
    whole = all(k.is_Integer and (k % 2 == 0 or b in roots) for b, k in parts)
    if not root.is_Rational or not whole:
        return None
    return root * sp.Mul(*[b ** (k / 2) for b, k in parts])
