"""Exponentials whose exponents differ by logarithms, as multiples of each other."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

import sympy as sp

from symtape.forms.limits import Size
from symtape.forms.named import normal_cdf, normal_pdf
from symtape.forms.scalars.quotients import divisors, ways

_MOST_EXPONENTS = 6
_MOST_NODES = 1500
"""How long an expression may be that is multiplied out."""


def aligned(e: Any, length: Callable[[Any], Any]) -> Iterator[Any]:
    """Write exponentials as multiples of each other: exp(u + log(b)) is b exp(u).

    Exponents are vectors of rational numbers, of which the monomials are the axes, but for
    logarithms. Each that is a whole combination of others is written so, where a form is undefined,
    too, wherever the argument of such a logarithm is not positive. What has
    distribution functions and is no short quotient is multiplied out, so that densities add up.
    """
    plain = e.replace(normal_pdf, lambda u: normal_pdf(u).doit())
    atoms = sorted(plain.atoms(sp.exp), key=lambda f: (length(f), sp.default_sort_key(f)))
    if not 2 <= len(atoms) <= _MOST_EXPONENTS:
        return
    axes = {f: dict(sp.expand(f.args[0], log=False).as_coefficients_dict()) for f in atoms}
    quotients, sums = [], []
    for order in (atoms, [*atoms[:-2], atoms[-1], atoms[-2]]):
        swap, positive = _combined(order, axes)
        if swap:
            made = plain.xreplace(swap)
            out = _multiplied_out(made)
            quotients += [
                w
                for w in [*ways(made, collects=True)] or ways(out, collects=True)
                if _holds(w, positive)
            ]
            sums += [out] if _holds(out, positive) else []
    yield from quotients or (sums if e.has(sp.erf, normal_cdf) else ())


def with_one_exponential(e: Any) -> Any:
    """Write one exponential for a product of several: exp(x y - x) for exp(-x) exp(x y).

    >>> x, y = sp.symbols("x y")
    >>> with_one_exponential(1 + sp.exp(-x) * sp.exp(x * y))
    exp(x*y - x) + 1
    """
    return e.replace(sp.Mul, _with_one_exponential) if e.has(sp.exp) else e


def _with_one_exponential(*factors: Any) -> Any:
    exponents = [f.args[0] for f in factors if isinstance(f, sp.exp)]
    if len(exponents) < 2:
        return sp.Mul(*factors)
    return sp.exp(sp.Add(*exponents)) * sp.Mul(*[f for f in factors if not isinstance(f, sp.exp)])


def _multiplied_out(e: Any) -> Any:
    """Multiply sums out, but for those within functions, so that what is alike adds up.

    What is nested has divisors of many powers, before it is seen that they are few. Nothing is
    multiplied out where it would be defined at more places.
    """
    if Size().of(e)[0] > _MOST_NODES:
        return e
    stands = {f: sp.Dummy(positive=f.is_positive) for f in e.atoms(sp.Function)}
    made = sp.expand(e.xreplace(stands)).xreplace({d: f for f, d in stands.items()})
    logs = {f.args[0] for f in made.atoms(sp.log)}
    for surely in (True, False):
        left = divisors(made, surely=surely) | logs
        if not all(f.is_nonzero or _is_left(f, left) for f in divisors(e, surely=surely)):
            return e
    return made


def _is_left(divisor: Any, left: Collection[Any]) -> bool:
    """Say whether something is divided by, still: alone, or within a product that was multiplied.

    Products are divided and not factored, which takes minutes where numbers are complex.
    """
    return divisor in left or -divisor in left or any(_divides(divisor, f) for f in left)


def _divides(divisor: Any, product: Any) -> bool:
    if not divisor.free_symbols <= product.free_symbols:
        return False
    try:
        return bool(sp.div(product, divisor)[1] == 0)
    except sp.PolynomialError:
        return False


def _holds(e: Any, positive: set[Any]) -> bool:
    """Say whether a form is undefined, too, where one of these is not positive."""
    logs = {f.args[0] for f in e.atoms(sp.log)}
    return all(b in logs or b.is_positive for b in positive)


def _combined(
    order: Sequence[Any], axes: Mapping[Any, Mapping[Any, Any]]
) -> tuple[dict[Any, Any], set[Any]]:
    """Write the later ones of some exponentials by the earlier ones."""
    basis: list[Any] = []
    swap: dict[Any, Any] = {}
    positive: set[Any] = set()
    for f in order:
        powers = _whole_solution(f, basis, axes) if basis else None
        if powers is None:
            basis.append(f)
            continue
        rest = dict(axes[f])
        for g, k in zip(basis, powers, strict=True):
            for key, number in axes[g].items():
                rest[key] = rest.get(key, 0) - k * number
        logs = {key: number for key, number in rest.items() if number != 0}
        positive |= {key.args[0] for key in logs}
        factors = [key.args[0] ** number for key, number in logs.items()]
        swap[f] = sp.Mul(*[g**k for g, k in zip(basis, powers, strict=True)], *factors)
    return swap, positive


def _whole_solution(
    f: Any, basis: Sequence[Any], axes: Mapping[Any, Mapping[Any, Any]]
) -> list[int] | None:
    """Write an exponent as a whole combination of others, but for logarithms."""
    keys = {key for g in (f, *basis) for key in axes[g] if not isinstance(key, sp.log)}
    if not any(key in axes[f] for key in keys):
        return None
    rows = [[axes[g].get(key, sp.S.Zero) for g in basis] for key in keys]
    symbols = sp.symbols(f"k:{len(basis)}")
    wanted = [axes[f].get(key, sp.S.Zero) for key in keys]
    found = sp.linsolve((sp.Matrix(rows), sp.Matrix(wanted)), *symbols)
    for solution in found:
        if all(k.is_Integer for k in solution):
            return [int(k) for k in solution]
    return None
