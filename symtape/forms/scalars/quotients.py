"""Quotients of polynomials, cancelled.

What a quotient is made of, symbols and everything that is no sum, product or whole power, is stood
for by symbols that are always the same. So quotients of one shape, whatever stands in them, are
cancelled and factored once.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Any, NamedTuple

import sympy as sp

from symtape.forms.scalars.factoring import (
    FEW_TERMS,
    KEPT,
    collected,
    factor_list,
    factored,
    products,
    with_factors_collected,
    without_sign,
)
from symtape.forms.scalars.ratios import in_lowest_terms

_MOST_GENERATORS = 14
_MOST_POWERS = 1000
"""The number of generators times the degree, at most."""
_MOST_TERMS = 200
"""What has more terms is not factored."""
_SEVERAL_SYMBOLS = 6

_FACTS = ("real", "positive", "negative", "nonnegative", "zero")


class Quotient(NamedTuple):
    """A quotient without common factors, and what the symbols in it stand for."""

    value: Any
    known: Mapping[Any, Any]


class Nonzero:
    """What is zero nowhere; `is_short` once something would have cancelled if it were more."""

    def __init__(self, parts: Sequence[Any] = ()) -> None:
        self.parts = tuple(parts)
        self.is_short = False


def ways(e: Any, nonzero: Nonzero | None = None, *, collects: bool = False) -> Iterator[Any]:
    """Write an expression as a quotient without common factors, in all ways.

    What `collects` has sums among factors by the powers of a symbol, too; some are zero nowhere.
    """
    opened = cancelled(e, nonzero=nonzero)
    if opened is not None and _is_factored(opened.value, apart=collects):
        for way in _ways(opened.value):
            yield way.xreplace(opened.known)
        for way in with_factors_collected(factored(opened.value)) if collects else ():
            yield way.xreplace(opened.known)
        yield from _with_own_divisors(e, opened)


def _with_own_divisors(e: Any, opened: Quotient) -> Iterator[Any]:
    """Write what is divided by as it stands in an expression: (1 - s (1 - t) (1 - r))²."""
    stands = {meant: symbol for symbol, meant in opened.known.items()}
    own = {b: sp.expand(b.xreplace(stands)).primitive() for b in divisors(e) if b.is_Add}
    nested = {way: b / number for b, (number, way) in own.items() if _is_multiplied_out(b)}
    nested |= {-way: -b for way, b in nested.items()}
    number, powers = factored(opened.value)
    if nested and any(k < 0 and f in nested for f, k in powers):
        made = [(nested.get(f, f) if k < 0 else f) ** k for f, k in powers]
        yield without_sign(sp.Mul(number, *made)).xreplace(opened.known)


def _is_multiplied_out(e: Any) -> bool:
    """Say whether a sum has products with sums; a square of one is read as that of a variable."""
    return any(f.is_Add for t in e.args for f in sp.Mul.make_args(t))


def _is_factored(e: Any, *, apart: bool) -> bool:
    """Say whether a quotient is short enough to be factored; of many symbols, which is slow.

    Those that all terms have in one power are out at once, and may be set `apart`.
    """
    terms, symbols = _terms(e), len(_symbols_apart(e) if apart else e.free_symbols)
    return terms <= _MOST_TERMS and (symbols <= _SEVERAL_SYMBOLS or symbols * terms <= FEW_TERMS)


def _symbols_apart(e: Any) -> set[Any]:
    """List the symbols that do not stand in all terms, above or below, in one power."""
    found: set[Any] = set()
    for part in e.as_numer_denom():
        terms = [t.as_powers_dict() for t in sp.Add.make_args(part)]
        found |= {s for s in part.free_symbols if len({powers[s] for powers in terms}) > 1}
    return found


def _terms(e: Any) -> int:
    """Count the terms above and below."""
    return sum(len(sp.Add.make_args(part)) for part in e.as_numer_denom())


@lru_cache(KEPT)
def _ways(e: Any) -> list[Any]:
    return [*products(factored(e)), e, *collected(e)]


# --- cancelling -----------------------------------------------------------------------------------


def cancelled(
    e: Any, known: Mapping[Any, Any] = MappingProxyType({}), nonzero: Nonzero | None = None
) -> Quotient | None:
    """Cancel common factors; `known` says which parts are quotients of polynomials of `VARIABLE`.

    What is `nonzero` need not be divided by any more.

    None where the expression is no such quotient, is too long, or would be defined at more points.
    """
    roots = _roots(e)
    parts = [f for f in _generators(e) if f not in known and f not in roots]
    below = _roots_below(parts)
    parts = [f for f in parts if f not in below]
    if len(parts) + len(roots) > _MOST_GENERATORS:
        return None
    stands = {f: _stand_in(k, _facts(f)) for k, f in enumerate(parts)}
    own = {b: _stand_in(len(parts) + k, _facts_of_root(b)) for k, b in enumerate(roots)}
    powers = {p: own[b] ** int(p.exp * q) for b, (q, found) in roots.items() for p in found}
    bases = {b: own[b] ** q for b, (q, _) in roots.items()}
    inverses = {f: 1 / stands[root] for f, root in below.items()}
    swap = {**stands, **known, **bases, **powers, **inverses}
    needs = [(d, x.xreplace(swap)) for f, d in stands.items() for x in _needed_by(f)]
    nonzero = nonzero or Nonzero()
    own_parts = tuple([n.xreplace(swap) for n in nonzero.parts])
    found, is_defined = _cancelled(e.xreplace(swap), tuple(needs), own_parts)
    nonzero.is_short |= not is_defined
    if found is None or not is_defined:
        return None
    meant = {own[b]: b ** sp.Rational(1, q) for b, (q, _) in roots.items()}
    return Quotient(found, {**meant, **{d: f for f, d in stands.items()}})


def _needed_by(f: Any) -> list[Any]:
    """List what may not be zero where a function is defined: of logarithms, and divisors in it."""
    hides = f.has(sp.Max, sp.Min, sp.Piecewise)  # they may choose what is defined
    logs = {log.args[0] for log in ([f] if hides else f.atoms(sp.log)) if isinstance(log, sp.log)}
    divisors = {p.base for a in f.args for p in a.atoms(sp.Pow) if p.exp.is_negative}
    return [part for e in logs for part in (e, *sp.fraction(e))] + [*divisors]


@lru_cache(KEPT)
def _cancelled(
    e: Any, needs: tuple[tuple[Any, Any], ...], nonzero: tuple[Any, ...]
) -> tuple[Any | None, bool]:
    """Give a quotient in lowest terms, if there is one, and whether it is one wherever e is."""
    if not e.is_rational_function() or e.has(sp.Float):
        return None, True
    if len(e.free_symbols) * _degree(e) > _MOST_POWERS:
        return None, True
    found = in_lowest_terms(e, _in_order(e.free_symbols))
    if found is None:
        return None, True
    left = [x for d, x in needs if found.has(d)]
    left += [sp.together(x).as_numer_denom()[0] for x in nonzero if x.is_rational_function()]
    return found, _is_defined_where(e, found, left)


def _roots(e: Any) -> dict[Any, tuple[int, list[Any]]]:
    """List the symbols that have roots, with the powers that are whole ones of one root."""
    powers = [p for p in e.atoms(sp.Pow) if p.base.is_Symbol and p.exp.is_Rational]
    found: dict[Any, int] = {}
    for p in powers:
        if p.exp.q > 1:
            found[p.base] = math.lcm(found.get(p.base, 1), p.exp.q)
    return {b: (found[b], [p for p in powers if p.base == b]) for b in sorted(found, key=str)}


def _roots_below(parts: Sequence[Any]) -> dict[Any, Any]:
    """Give the root of which each part is the inverse: of 1/√(x + y) that is √(x + y).

    Those of symbols are powers of one root already.
    """
    powers = [f for f in parts if f.is_Pow and not f.base.is_Symbol and f.exp.is_Rational]
    found = {f: 1 / f for f in powers if f.exp.is_negative}
    return {f: root for f, root in found.items() if root in parts}


@lru_cache(KEPT)
def _stand_in(k: int, facts: tuple[tuple[str, bool], ...]) -> Any:
    return sp.Dummy(f"f{k}", **dict(facts))


def _facts(f: Any) -> tuple[tuple[str, bool], ...]:
    """Say what is known of the value of a part."""
    facts = [(name, getattr(f, f"is_{name}")) for name in _FACTS]
    return tuple((name, fact) for name, fact in facts if fact is not None)


def _facts_of_root(base: Any) -> tuple[tuple[str, bool], ...]:
    """Say what is known of a root; that of a square is a length.

    Lengths cancel, as they do in products: r² / r is r. What has a slope around a point, where
    lengths are zero, and a limit of it, has it at that point, too, where it is continuous.
    """
    is_square = base.is_Symbol and base.is_nonnegative and not base.is_positive
    return (("real", True), ("nonzero", True)) if is_square else (("real", True),)


def _is_defined_where(e: Any, found: Any, needs: Sequence[Any]) -> bool:
    """Say whether a quotient is undefined wherever an expression is: (x² - 1)/(x - 1) is not x + 1.

    What no longer is divided by may not be zero anywhere, as 1 + exp(x) is not, or where there
    still is its logarithm, or a function of a quotient by it.
    """
    divided = {p.base for p in e.atoms(sp.Pow) if p.exp.is_negative}
    left = _factors_of(found.as_numer_denom()[1]).union(*map(_factors_of, needs))
    lost = [f for base in divided for f in _factors_of(sp.together(base).as_numer_denom()[0])]
    return all(f in left or -f in left or f.is_nonzero for f in lost)


def divisors(e: Any, *, surely: bool = False) -> set[Any]:
    """List what an expression divides by: there it stays undefined where that is zero.

    A power with letters may divide, but not `surely`: xʸ is 0 at zero, and 1/x has no value.
    """
    powers = e.atoms(sp.Pow)
    return {p.base for p in powers if (p.exp.is_negative if surely else not p.exp.is_nonnegative)}


def keeps_divisors(e: Any, made: Any) -> bool:
    """Say whether what an expression divides by, and may be zero, is divided by in another, too.

    >>> x, y = sp.symbols("x y")
    >>> keeps_divisors(x / y + 1, (x + y) / y), keeps_divisors(x / y + 1, x)
    (True, False)
    """
    return all(b in divisors(made) for b in divisors(e, surely=True) if not b.is_nonzero)


@lru_cache(KEPT)
def _factors_of(e: Any) -> set[Any]:
    """List what a polynomial is zero with."""
    if e.is_number or not e.is_polynomial():
        return set()
    return {f for f, _ in factor_list(e)[1]}


def _generators(e: Any) -> list[Any]:
    """List what an expression is made of by sums, products and whole powers.

    In SymPy's order, by which x - m comes before m - x.
    """
    found: dict[Any, None] = {}
    stack = [e]
    while stack:
        top = stack.pop()
        if isinstance(top, (sp.Add, sp.Mul)):
            stack.extend(top.args)
        elif isinstance(top, sp.Pow) and top.exp.is_Integer:
            stack.append(top.base)
        elif not top.is_Rational:
            found[top] = None
    parts = sorted([f for f in found if not f.is_Symbol], key=sp.default_sort_key)
    symbols = [f for f in found if f.is_Symbol]
    return [*_in_order(symbols), *parts]


def _in_order(symbols: Collection[Any]) -> Sequence[Any]:
    """Sort symbols as SymPy sorts the generators of a polynomial."""
    return sp.Poly(sp.Add(*symbols)).gens if symbols else ()


def _degree(e: Any) -> int:
    """Bound the degree of the polynomials above and below."""
    if isinstance(e, sp.Add):
        degrees = [*map(_degree, e.args)]
        if any(p.exp.is_negative and p.base.is_Add for p in e.atoms(sp.Pow)):
            return sum(degrees)
        return max(degrees) * (2 if e.has(sp.Pow) else 1)  # what terms are divided by is shared
    if isinstance(e, sp.Mul):
        return sum(map(_degree, e.args))
    if isinstance(e, sp.Pow):
        return abs(int(e.exp)) * _degree(e.base)
    return int(not e.is_number)


def is_quotient(e: Any, *, joins: bool) -> bool:
    """Say whether something is divided by a sum, or a sum divided."""
    below = [p.base for p in e.atoms(sp.Pow) if p.exp.is_negative]
    return bool(below) and e.has(sp.Add) if joins else any(base.is_Add for base in below)
