"""Quotients of polynomials in lowest terms, within a bound of terms that are made on the way.

SymPy's `cancel` multiplies out what stands above and below before it looks for a common factor,
as expressions, and cannot be told to stop. Here they are polynomials of a ring from the start, what
is divided by is kept in factors, and what gets too long is given up, on every machine alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any, NamedTuple

import sympy as sp
from sympy.polys.rings import PolyRing

_MOST_TERMS = 600
"""So many terms a polynomial has at most."""
_MOST_PRODUCTS = 40_000
"""So many products of two terms make a polynomial at most."""


class TooLongError(Exception):
    """A polynomial that has more terms than anybody reads."""


class Ratio(NamedTuple):
    """A polynomial, and the factors by which it is divided, with their powers."""

    above: Any
    below: dict[Any, int]


def in_lowest_terms(e: Any, symbols: Sequence[Any]) -> Any | None:
    """Cancel common factors of a rational function of some symbols; None where it is too long.

    >>> x, y = sp.symbols("x y")
    >>> in_lowest_terms((x**2 - y**2) / (x - y) / x, [x, y])
    (x + y)/x
    """
    if not symbols:
        return e
    ring = PolyRing(symbols, sp.QQ, sp.polys.orderings.lex)
    try:
        found = _Reading(ring, symbols).of(e)
        below = _product([b for b, k in found.below.items() for _ in range(k)], ring.one)
    except TooLongError:
        return None
    above, below = found.above.cancel(below)
    return above.as_expr() / below.as_expr()


class _Reading:
    """Reads expressions as ratios of polynomials of a ring."""

    def __init__(self, ring: Any, symbols: Sequence[Any]) -> None:
        self.ring = ring
        self.known: dict[Any, Ratio] = {
            symbol: Ratio(gen, {}) for symbol, gen in zip(symbols, ring.gens, strict=True)
        }

    def of(self, e: Any) -> Ratio:
        """Read an expression; of shared parts once."""
        if e not in self.known:
            self.known[e] = self._read(e)
        return self.known[e]

    def _read(self, e: Any) -> Ratio:
        if e.is_Rational:
            return Ratio(self.ring(sp.QQ(e.p, e.q)), {})
        if isinstance(e, sp.Add):
            return self._sum([self.of(a) for a in e.args])
        if isinstance(e, sp.Mul):
            parts = [self.of(a) for a in e.args]
            return Ratio(_product([p.above for p in parts], self.ring.one), _joined(parts))
        if isinstance(e, sp.Pow) and e.exp.is_Integer:
            return self._power(self.of(e.base), int(e.exp))
        raise TypeError(f"{e} is no rational function")

    def _sum(self, parts: Sequence[Ratio]) -> Ratio:
        """Bring terms to one divisor, with each factor in its largest power."""
        below: dict[Any, int] = {}
        for part in parts:
            for b, k in part.below.items():
                below[b] = max(k, below.get(b, 0))
        above = self.ring.zero
        for part in parts:
            missing = [b for b, k in below.items() for _ in range(k - part.below.get(b, 0))]
            above += _product([part.above, *missing], self.ring.one)
        return Ratio(_bounded(above), below)

    def _power(self, base: Ratio, k: int) -> Ratio:
        if k >= 0:
            above = _product([base.above] * k, self.ring.one)
            return Ratio(above, {b: n * k for b, n in base.below.items()})
        above = _product([b for b, n in base.below.items() for _ in range(-n * k)], self.ring.one)
        if base.above.is_ground:
            return Ratio(above * self.ring(base.above.LC**k), {})
        return Ratio(above, {base.above: -k})


def _joined(parts: Sequence[Ratio]) -> dict[Any, int]:
    found: dict[Any, int] = {}
    for part in parts:
        for b, k in part.below.items():
            found[b] = found.get(b, 0) + k
    return found


def _product(factors: Sequence[Any], one: Any) -> Any:
    """Multiply, the shortest first."""
    if prod(map(len, factors)) == 0:
        return one.ring.zero
    found = one
    for factor in sorted(factors, key=len):
        if len(found) * len(factor) > _MOST_PRODUCTS:
            raise TooLongError
        found = _bounded(found * factor)
    return found


def _bounded(p: Any) -> Any:
    if len(p) > _MOST_TERMS:
        raise TooLongError
    return p
