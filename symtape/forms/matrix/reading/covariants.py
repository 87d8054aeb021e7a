"""What polynomials of the elements of columns of three do not depend on how the axes are turned.

Such a column is a sum of u × v and of columns, and such a matrix one of [u]×, u vᵀ and I, each
times inner products. Which sums have the given entries says a linear equation in whole numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any, NamedTuple

import sympy as sp

Table = Mapping[tuple[int, int], Any]
"""Entries by row and column."""

_AROUND = ((0, 1, 2), (1, 2, 0), (2, 0, 1))
"""The places of an entry of u × v, and of the two of u and v that it is made of."""

MOST_FACTORS = 4
"""How many columns a term may have as factors."""


class Invariant(NamedTuple):
    """A kind of term, the columns in it by their numbers, and the pairs of its inner products."""

    kind: str
    own: tuple[int, ...]
    pairs: tuple[tuple[int, int], ...]


Terms = list[tuple[Any, Invariant]]
"""Terms with what they are multiplied by."""

Monomials = dict[tuple[tuple[int, int], tuple[int, ...]], Any]
"""What monomials are multiplied by, by the entry that they are in and their powers of elements."""


def monomials(table: Table, elements: Sequence[Any]) -> Monomials | None:
    """Take polynomials apart; give nothing for what is none."""
    try:
        found = {at: sp.Poly(e, *elements).terms() for at, e in table.items()}
    except sp.PolynomialError:
        return None
    return {(at, powers): c for at, own in found.items() for powers, c in own if c != 0}


def moves(found: Monomials, columns: Sequence[int]) -> bool:
    """Say whether entries stay as they are where the same is added to some columns."""
    slopes: dict[Any, list[Any]] = {}
    for (at, powers), c in found.items():
        for place in (3 * column + k for column in columns for k in range(3)):
            if powers[place]:
                less = (*powers[:place], powers[place] - 1, *powers[place + 1 :])
                slopes.setdefault((at, less, place % 3), []).append(powers[place] * c)
    return all(sp.expand(sp.Add(*own)) == 0 for own in slopes.values())


@dataclass
class Solver:
    """Writes polynomials in some elements, three for each column, as sums of invariant terms."""

    columns: Sequence[Sequence[Any]]
    is_matrix: bool

    @cached_property
    def _elements(self) -> list[Any]:
        return [e for column in self.columns for e in column]

    def terms(self, found: Monomials) -> Terms | None:
        """Give the terms whose sum has these entries, if there are such."""
        groups: dict[tuple[int, ...], Monomials] = {}
        for (at, powers), c in found.items():
            degree = tuple([sum(powers[k : k + 3]) for k in range(0, len(powers), 3)])
            groups.setdefault(degree, {})[at, powers] = c
        if any(sum(degree) > MOST_FACTORS for degree in groups):
            return None
        own = [self._of_degree(degree, wanted) for degree, wanted in groups.items()]
        return None if None in own else [t for terms in own for t in terms or ()]

    def _of_degree(self, degree: tuple[int, ...], wanted: Monomials) -> Terms | None:
        """Solve for the terms that have each column as often as a degree says."""
        factors = [k for k, n in enumerate(degree) for _ in range(n)]
        ways = list(dict.fromkeys(self._ways(factors)))
        made = [self._expanded(way) for way in ways]
        places = list(dict.fromkeys([*wanted, *[at for way in made for at in way]]))
        matrix = sp.Matrix([[way.get(at, 0) for way in made] for at in places])
        if not ways:
            return None
        _, chosen = matrix.rref()
        _, rows = matrix.extract([*range(len(places))], [*chosen]).T.rref()
        square = matrix.extract([*rows], [*chosen])
        right = sp.Matrix([wanted.get(places[k], 0) for k in rows])
        scales = square.inv() * right
        left = matrix.extract([*range(len(places))], [*chosen]) * scales
        if any(sp.expand(left[k] - wanted.get(at, 0)) != 0 for k, at in enumerate(places)):
            return None
        return [(c, ways[k]) for c, k in zip(scales, chosen, strict=True) if c != 0]

    def _ways(self, factors: list[int]) -> Iterator[Invariant]:
        """List the terms that have these columns as factors."""
        n = len(factors)
        own: dict[str, list[tuple[int, ...]]] = {
            "cross": [(a, b) for a, b in product(range(n), repeat=2) if factors[a] < factors[b]],
            "column": [(a,) for a in range(n)],
        }
        if self.is_matrix:
            own = {
                "skew": [(a,) for a in range(n)],
                "identity": [()],
                "outer": [(a, b) for a, b in product(range(n), repeat=2) if a != b],
            }
        for kind, chosen in own.items():
            for places in chosen:
                rest = [f for k, f in enumerate(factors) if k not in places]
                for pairs in _pairings(rest):
                    yield Invariant(kind, tuple([factors[k] for k in places]), pairs)

    def _expanded(self, way: Invariant) -> Monomials:
        """Give the numbers of a term by entry and monomial."""
        scale = sp.Integer(1)
        for a, b in way.pairs:
            scale *= sum(x * y for x, y in zip(self.columns[a], self.columns[b], strict=True))
        table = self._table(way.kind, [self.columns[k] for k in way.own])
        return monomials({at: scale * e for at, e in table.items()}, self._elements) or {}

    @staticmethod
    def _table(kind: str, u: Sequence[Any]) -> dict[tuple[int, int], Any]:
        """Give the entries of a term without its inner products."""
        places = range(3)
        match kind:
            case "cross":
                return {(k, 0): u[0][i] * u[1][j] - u[0][j] * u[1][i] for k, i, j in _AROUND}
            case "column":
                return {(k, 0): u[0][k] for k in places}
            case "skew":
                above = {(j, i): u[0][k] for k, i, j in _AROUND}
                return above | {(i, j): -e for (j, i), e in above.items()}
            case "identity":
                return {(k, k): sp.Integer(1) for k in places}
        return {(i, j): u[0][i] * u[1][j] for i in places for j in places}


def _pairings(factors: Sequence[int]) -> Iterator[tuple[tuple[int, int], ...]]:
    """List the ways to put all of some columns into inner products.

    >>> list(_pairings([0, 0, 1, 1]))
    [((0, 0), (1, 1)), ((0, 1), (0, 1)), ((0, 1), (0, 1))]
    """
    if not factors:
        yield ()
    for k in range(1, len(factors)):
        rest = [*factors[1:k], *factors[k + 1 :]]
        for pairs in _pairings(rest):
            yield tuple(sorted([(factors[0], factors[k]), *pairs]))
