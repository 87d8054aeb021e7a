"""Exponentials, logistic and hyperbolic functions of one argument, as powers of exp(z)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache, reduce
from typing import Any

import sympy as sp

from symtape.forms.named import sigmoid
from symtape.forms.scalars.factoring import (
    VARIABLE,
    Factors,
    collected_in_factors,
    factored,
    moved,
    products,
    whole,
    without_sign,
)
from symtape.forms.scalars.powers.hyperbolic import has_opposites, hyperbolic
from symtape.forms.scalars.quotients import Nonzero, cancelled
from symtape.forms.scalars.ratios import in_lowest_terms

_BY_EXP: dict[Any, Callable[[Any], Any]] = {
    sp.exp: lambda p: p, sp.tanh: lambda p: (p - 1) / (p + 1), sigmoid: lambda p: p / (1 + p),
    sp.sinh: lambda p: (p - 1 / p) / 2, sp.cosh: lambda p: (p + 1 / p) / 2,
}  # fmt: skip
"""What is a quotient of powers of p = exp(z); of tanh(z), p is exp(2z)."""

FUNCTIONS = tuple(_BY_EXP)


def takes_back(e: Any) -> bool:
    """Say whether an exponential is multiplied by a sum with one of the opposite exponent."""
    factors = sp.Mul.make_args(e)
    outer = [f for f in factors if isinstance(f, sp.exp)]
    inner = {g for s in factors if s.is_Add for g in s.atoms(sp.exp)} if outer else set()
    ratios = [f.args[0] / g.args[0] for f in outer for g in inner]
    return any(r.is_number and r.is_negative for r in ratios)


def mixed_kinds(e: Any) -> int:
    """Count the functions too many: of those that are quotients of powers of exp(z), one does."""
    kinds = {
        (type(f), *sorted(map(str, f.free_symbols))) for f in e.atoms(sp.exp, sp.tanh, sigmoid)
    }
    return len(kinds) - len({tuple(rest) for _, *rest in kinds})


def divides_by(e: Any) -> bool:
    """Say whether something is divided by a sum with an exponential, or with one of its kin."""
    return any(
        p.exp.is_negative and p.base.is_Add and p.base.has(*FUNCTIONS) for p in e.atoms(sp.Pow)
    )


def common_arguments(e: Any) -> list[Any]:
    """List the arguments of which the exponents are whole multiples, one for each such group.

    An exponential that multiplies everything else is left as it is where nothing else is a sum.
    """
    found: list[tuple[Any, list[Any]]] = []
    if _is_product_with_power(e):
        return []
    for f in sorted(e.atoms(*FUNCTIONS), key=sp.default_sort_key):
        number, rest = (f.args[0] * (2 if isinstance(f, sp.tanh) else 1)).as_coeff_Mul()
        if not number.is_Rational or rest.is_number:
            continue
        if isinstance(rest, sp.Add):
            more, rest = rest.primitive()
            number *= more
            if rest.could_extract_minus_sign():
                number, rest = -number, -rest
        for known, numbers in found:
            if known == rest:
                numbers.append(number)
                break
        else:
            found.append((rest, [number]))
    return [rest * abs(reduce(_common, numbers)) for rest, numbers in found]


def _is_product_with_power(e: Any) -> bool:
    """Say whether something is an exponential by what has neither sums nor functions."""
    factors = sp.Mul.make_args(e)
    own = [f for f in factors if f.has(*FUNCTIONS)]
    if len(own) != 1 or not isinstance(own[0], sp.exp) or own[0].exp.has(*FUNCTIONS):
        return False
    return not any(f.has(sp.Add) for f in factors if f is not own[0])


def _common(a: Any, b: Any) -> Any:
    """Give the largest number of which both are whole multiples."""
    return sp.Rational(sp.gcd(a.p * b.q, b.p * a.q), a.q * b.q)


_S = sp.Dummy("s", positive=True)


@cache
def _families() -> list[tuple[Any, Any, Callable[[Any], Any]]]:
    """List what exp(z) is, as a quotient of linear functions of another function of z.

    They are made when somebody asks: with its first sum SymPy imports its tensors, which takes
    as long as all of symtape.
    """
    return [
        (_S, 1 - _S, sigmoid), (1 - _S, _S, lambda z: sigmoid(-z)),
        (1 + _S, 1 - _S, lambda z: sp.tanh(z / 2)),
        (_S, sp.S.One, sp.exp), (sp.S.One, _S, lambda z: sp.exp(-z)),
    ]  # fmt: skip


_TANH = 2
"""The family of tanh(z/2), by which nobody writes the slope of σ, which is σ(z) (1 - σ(z))."""
_EXPONENTIALS = 3
"""The family that is exp(z) itself."""


def _has_square(way: Any) -> bool:
    return any(p.base.has(_S) for p in way.atoms(sp.Pow))


def by_exponential(
    e: Any, z: Any, nonzero: Nonzero | None = None, *, named: bool = True
) -> Iterator[Any]:
    """Write an expression as a rational function of exp(z), of σ(z), of σ(-z), and of tanh."""
    others = nonzero.parts if nonzero else ()
    known = {f: way for own in (*others, e) for f, way in _powers(own, z).items()}
    opened = cancelled(e, known, nonzero)
    if opened is None:
        return
    factors, power = _in_least_power(opened.value)
    has_share = any(f == VARIABLE + 1 for f, _ in factors.powers) or e.has(sp.tanh, sigmoid)
    halves = has_opposites(e) or e.has(sp.sinh, sp.cosh)
    for way in hyperbolic(factors, power * z, halves=halves):
        yield way.xreplace(opened.known)
    first = _EXPONENTIALS if not has_share else 0 if named else 2  # they bring 1 + exp(z) in
    for k, (_, _, function) in list(enumerate(_families()))[first:]:
        name = function(power * z)
        for way in _in_family(factors, k):
            if k != _TANH or e.has(sp.tanh) or not _has_square(way):
                yield way.xreplace({_S: name, **opened.known})


def by_shares(e: Any, arguments: Sequence[Any], nonzero: Nonzero | None = None) -> Iterator[Any]:
    """Write an expression as a rational function of σ of several arguments.

    It is cancelled as one of exponentials, by which is divided where these are positive.

    >>> x, y = sp.symbols("x y", real=True)
    >>> p, q = sp.exp(x) + 1, sp.exp(y) + 1
    >>> next(by_shares((sp.exp(x) * q - sp.exp(y) * p) / (p * q), [x, y]))
    sigmoid(x) - sigmoid(y)
    """
    others = nonzero.parts if nonzero else ()
    powers = {z: sp.Dummy(positive=True) for z in arguments}
    known: dict[Any, Any] = {}
    for z, p in powers.items():
        for own in (e, *others):
            known |= {f: way.xreplace({VARIABLE: p}) for f, way in _powers(own, z).items()}
    opened = cancelled(e, known, nonzero)
    if opened is None or e.atoms(*FUNCTIONS) - known.keys():
        return
    shares = {p: sp.Dummy() for p in powers.values()}
    made = opened.value.xreplace({p: s / (1 - s) for p, s in shares.items()})
    found = in_lowest_terms(made, sorted(made.free_symbols, key=sp.default_sort_key))
    if found is not None:
        meant = {shares[p]: sigmoid(z) for z, p in powers.items()}
        for way in products(factored(found)):
            yield way.xreplace({**meant, **opened.known})


@lru_cache(2000)
def _in_family(factors: Factors, k: int) -> list[Any]:
    up, down, _ = _families()[k]
    made = moved(factors, up, down)
    quotient = whole(made)
    shown = [*products(made), without_sign(quotient), sp.expand(quotient, deep=False)]
    return [*shown, *collected_in_factors(shown[0])] if k == _EXPONENTIALS else shown


@lru_cache(2000)
def _in_least_power(e: Any) -> tuple[Factors, int]:
    """Give the factors, with the variable for its largest power of which all are powers."""
    parts = [sp.Poly(part, VARIABLE) for part in e.as_numer_denom()]
    common = int(sp.gcd([m[0] for part in parts for m in part.monoms()]))
    if common < 2:
        return factored(e), 1
    above, below = (
        sum(c * VARIABLE ** (k // common) for (k,), c in part.terms()) for part in parts
    )
    return factored(above / below), common


def _powers(e: Any, z: Any) -> dict[Any, Any]:
    """Write functions of multiples of z by powers of exp(z)."""
    found = {}
    for f in e.atoms(*FUNCTIONS):
        argument = f.args[0] * (2 if isinstance(f, sp.tanh) else 1)
        number = _ratio(argument, z) if argument.free_symbols == z.free_symbols else sp.S.Half
        if number.is_Integer:
            p = VARIABLE**number
            found[f] = _BY_EXP[f.func](p)
    return found


@lru_cache(2000)
def _ratio(argument: Any, z: Any) -> Any:
    """Divide arguments, which nested functions have in common many times."""
    return sp.cancel(argument / z)


def without_cotangents(e: Any) -> Iterator[Any]:
    """Write -1/sinh(z)² for 1 - 1/tanh(z)²."""
    squares = [p for p in e.atoms(sp.Pow) if p.exp == -2 and isinstance(p.base, sp.tanh)]
    if squares:
        yield sp.expand(e.xreplace({p: 1 + sp.sinh(*p.base.args) ** -2 for p in squares}))
