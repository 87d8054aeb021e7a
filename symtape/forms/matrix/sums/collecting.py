"""Sums of products, with the factors that they share taken out, while that makes them shorter."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

import sympy as sp

from symtape.forms.matrix.algebra import Algebra
from symtape.forms.matrix.nodes import (
    Diagonal,
    Matrix,
    Product,
    Selection,
    Turned,
)
from symtape.forms.matrix.reading.entries import MOST, by_entries, entry_by_entry, takes_elements
from symtape.forms.matrix.reading.triangles import by_triangles, joined_triangles, turned_beside
from symtape.forms.matrix.sums.pairs import as_product, dotted, joined_pairs, squared
from symtape.forms.matrix.sums.spreading import (
    beside_diagonals,
    spread,
    spread_until_equal,
    terms_of,
)
from symtape.forms.matrix.unscaling import Unscaling
from symtape.forms.matrix.writing.shortening import scalars_out


class Collecting(Unscaling):
    """Takes out of sums what their terms begin or end with."""

    def __init__(self, symmetric: Collection[str] = (), nonzero: Collection[str] = ()) -> None:
        self._collected: dict[Any, Any] = {}
        self._tables: dict[Any, Any] = {}
        super().__init__(symmetric, nonzero)

    def begin_anew(self, divisors: Sequence[Any] = ()) -> None:
        """Let what follows be written as if nothing had been; `divisors` are zero nowhere."""
        super().begin_anew(divisors)
        if divisors:
            self._collected.clear()
            self._tables.clear()

    def normal(self, x: Matrix) -> Matrix:
        """Write (A + B) x for A x + B x, and likewise from the left, while it gets shorter."""
        if x.entry not in self._tables and _is_long_table(self, x):
            self._tables[x.entry] = entry_by_entry(self, x).entry
        if x.entry in self._tables:
            return Matrix(self._tables[x.entry], x.shape)
        x = super().normal(x)
        if x.entry in self._collected:
            return Matrix(self._collected[x.entry], x.shape)
        self._collected[x.entry] = x.entry  # for what meets it again while this goes on
        made = self._spread(self._within(joined_triangles(self, x)))
        if _are_entries(self, made):
            made = by_entries(self, made)
        while isinstance(made.entry, sp.Add) and not made.is_scalar and not _is_table(self, made):
            found = self._joined(made)
            if self.length(found) >= self.length(made):
                break
            made = self._within(found)
        made = self._in_one(made) if made.is_scalar else self._spread(made)
        self._collected[x.entry] = self._collected[made.entry] = made.entry
        return made

    def _by_arrays(self, e: Any) -> Iterator[Any]:
        """Write triu(A) for A ⊙ triu(𝟏 𝟏ᵀ), too."""
        yield from super()._by_arrays(e)
        made = by_triangles(self, e)
        if made != e:
            yield made

    def _trace_of_product(self, parts: list[Matrix]) -> Matrix:
        """Turn triangles beside what is symmetric, where that leaves fewer."""
        turned = turned_beside(self, parts) if len(parts) > 1 else None
        made = super()._trace_of_product
        return made(parts) if turned is None else self.trace(self.product(*turned))

    def _in_one(self, x: Matrix) -> Matrix:
        """Write uᵀ (v + w) for uᵀ v + uᵀ w, in scalars of a few terms, while that is shorter."""
        x = self._in_sums(x)
        terms = terms_of(x)
        if not 1 < len(terms) <= _FEW_TERMS:
            return x
        for own, square in squared(self, terms):
            return self._in_one(super().normal(self.plus(*_but(terms, own), square)))
        products = [as_product(self, t) for t in terms]
        pairs = [(a, b) for a in range(len(terms)) for b in range(a)]
        ways = [
            super(Collecting, self).normal(self.plus(*_but(terms, (a, b)), y))
            for a, b in pairs
            for y in dotted(self, products[a], products[b])
        ]
        found = min(ways, key=self.length, default=x)
        return self._in_one(found) if self.length(found) < self.length(x) else x

    def _in_sums(self, x: Matrix) -> Matrix:
        """Do so in the factors of terms; in functions and below a line what is equal stays so."""
        inner = [*_sums_within(x.entry)]
        sums = [a for a in inner if self._has_products(a)]
        swap = {a: self._in_one(Matrix(a, x.shape)).entry for a in sums}
        if all(a == made for a, made in swap.items()):
            return x
        return min(x, super().normal(Matrix(x.entry.xreplace(swap), x.shape)), key=self.length)

    def _has_products(self, total: Any) -> bool:
        """Say whether several terms of a sum have products of matrices."""
        return sum(bool(self._products_in(t)) for t in total.args) > 1

    def _products_in(self, term: Any) -> list[Any]:
        """List the products of matrices among the factors of a term."""
        factors = sp.Mul.make_args(term)
        return [f for f in factors if isinstance(self.nodes.get(f), Product)]

    def _joined(self, x: Matrix) -> Matrix:
        """Join the two terms of a sum that are shortest together; of many terms, several pairs."""
        terms = terms_of(x)
        if self.length(x) > _LONGEST:
            return x
        if len(terms) > _MANY:
            return self._in_pairs(terms)
        whole = [self.plus(*_but(terms, pair), y) for pair, y in joined_pairs(self, terms)]
        return min(map(super().normal, whole), key=self.length, default=x)

    def total_of_terms(self, terms: Sequence[Matrix]) -> Matrix:
        """Write Xᵀ diag(u + v + w) X for terms that differ in diagonals alone.

        Diagonals stay as they are, since the sum is shortened once, and not each of its terms.
        """
        groups: dict[Any, list[Matrix]] = {}
        for term in terms:
            groups.setdefault(_around_a_diagonal(self, term), []).append(term)
        made = groups.pop(None, [])
        for (left, right, scale), own in groups.items():
            pairs = [self.split(t) for t in own]
            parts = [self.times(self.number(c / scale), _diagonal_of(self, e)) for c, e in pairs]
            whole = self.product(*left, self.diagonal(self.plus(*parts)), *right)
            made.append(self.times(self.number(scale), whole))
        return self.plus(*made)

    def _in_pairs(self, terms: Sequence[Matrix]) -> Matrix:
        """Join what gets shorter most first, and each term once."""
        ways = [(pair, super(Collecting, self).normal(y)) for pair, y in joined_pairs(self, terms)]
        gains = [
            (self.length(terms[a]) + self.length(terms[b]) - self.length(y), (a, b), y)
            for (a, b), y in ways
        ]
        made, left = [], {*range(len(terms))}
        for gain, pair, y in sorted(gains, key=lambda way: way[0], reverse=True):
            if gain > 0 and left >= {*pair}:
                left -= {*pair}
                made.append(y)
        return super().normal(self.plus(*[terms[k] for k in sorted(left)], *made))

    def _spread(self, x: Matrix) -> Matrix:
        """Write diag(p) - p pᵀ for (I - p 𝟏ᵀ) diag(p), where it is no longer."""
        ways = [super(Collecting, self).normal(y) for y in beside_diagonals(self, x)]
        made = min(ways, key=self.length, default=x)
        return made if self.length(made) <= self.length(x) else x

    def _within(self, x: Matrix) -> Matrix:
        """Take common factors out of the sums in products: by a scalar, and by entry."""
        if isinstance(x.entry, sp.Add) and not x.is_scalar:
            return self.plus(*[self._within(Matrix(t, x.shape)) for t in x.entry.args])
        if not isinstance(x.entry, sp.Mul) or x.is_scalar:
            return x
        inner = [f for f in x.entry.args if self.arrays(f)]
        sums = [f for f in inner if f.is_Add and (len(inner) == 1 or self._has_products(f))]
        made = x.entry
        for f in sums:
            whole = self.normal(Matrix(f, x.shape))
            made = scalars_out(made / f * whole.entry, self)
        return min(x, Matrix(made, x.shape), key=self.length)


def _sums_within(e: Any) -> Iterator[Any]:
    """List the sums among the factors of terms, and in these, from the outermost on."""
    for term in sp.Add.make_args(e):
        for f in sp.Mul.make_args(term):
            if f.is_Add and f != e:
                yield f
                yield from _sums_within(f)


def _around_a_diagonal(algebra: Algebra, term: Matrix) -> Any:
    """Give what stands before and behind the only diagonal in a product, and its scalars."""
    scale, parts = algebra.factors(term)
    places = [k for k, part in enumerate(parts) if isinstance(algebra.node(part), Diagonal)]
    if len(places) != 1:
        return None
    (k,) = places
    return parts[:k], parts[k + 1 :], scale.as_coeff_Mul()[1]


def _diagonal_of(algebra: Algebra, entry: Any) -> Matrix:
    """Give the vector on the only diagonal in a product."""
    nodes = [algebra.node(part) for part in algebra.nodes[entry].parts]  # type: ignore[union-attr]  # it is a product
    (found,) = [node.of for node in nodes if isinstance(node, Diagonal)]
    return found


_FEW_TERMS = 5
"""A scalar of so many terms is collected as a whole."""

_FEW_ENTRIES = 6
"""So many entries at their places are collected by rows and columns."""


_LONG_ENTRIES = 60
"""So long is a sum of entries at their places that is not collected, however few there are."""


def _is_long_table(algebra: Algebra, x: Matrix) -> bool:
    """Say whether each term is an entry of a small array, some at one place, and they are long."""
    is_sum = isinstance(x.entry, sp.Add) and not x.is_scalar and max(x.shape) <= MOST
    if not is_sum or algebra.length(x) <= _LONG_ENTRIES or not all(_entries(algebra, x)):
        return False
    return len({s for t in x.entry.args for s in algebra.arrays(t)}) < len(x.entry.args)


def _is_table(algebra: Algebra, x: Matrix) -> bool:
    """Say whether each term is an entry at its place, and there are more than a few."""
    return _are_entries(algebra, x) and all(_entries(algebra, x))


def _are_entries(algebra: Algebra, x: Matrix) -> bool:
    """Say whether more than a few terms, and most of them, are entries at their places."""
    if x.is_scalar or not isinstance(x.entry, sp.Add) or len(x.entry.args) <= _FEW_ENTRIES:
        return False
    found = _entries(algebra, x)
    return sum(found) > max(_FEW_ENTRIES, len(found) / 2)


def _entries(algebra: Algebra, x: Matrix) -> list[bool]:
    """Say of each term whether it is an entry at its place."""
    return [_is_entry(algebra, algebra.arrays(t), t) for t in x.entry.args]


def _is_entry(algebra: Algebra, arrays: Sequence[Any], term: Any) -> bool:
    if len(arrays) != 1 or arrays[0] not in sp.Mul.make_args(term):
        return False
    node = algebra.nodes[arrays[0]]
    parts = (
        [algebra.nodes.get(p.entry) for p in node.parts] if isinstance(node, Product) else [node]
    )
    own = [n.of if isinstance(n, Turned) else n for n in parts]
    is_whole = len(own) == 1 and 1 in node.shape
    return (is_whole or len(own) == 2) and all(
        isinstance(n, Selection) and n.shape[0] == 1 for n in own
    )


def collected_anew(algebra: Algebra, x: Matrix) -> Matrix:
    """Multiply the products of a sum out and collect anew, while that makes it shorter.

    What was collected step by step may share more with what came later.
    """
    if x.is_scalar or not isinstance(x.entry, sp.Expr):
        return x
    scale, rest = algebra.split(x)
    whole = algebra.opened(Matrix(rest, x.shape))
    if algebra.length(whole) > _MOST_ANEW:
        return x
    if 1 not in x.shape and _is_written_by_entries(algebra, whole):
        return x
    ways = [*spread(algebra, whole), *spread_until_equal(algebra, whole)]
    found = min(map(algebra.normal, ways), key=algebra.length, default=whole)
    made = algebra.normal(algebra.times(algebra.number(scale), found))
    least = 0 if whole.entry.is_Add else _LEAST_GAIN
    is_shorter = algebra.length(made) < algebra.length(x) - least
    return collected_anew(algebra, made) if is_shorter else x


def _is_written_by_entries(algebra: Algebra, x: Matrix) -> bool:
    """Say whether a small array is long and made of single rows: its entries are shorter."""
    return algebra.length(x) > _LONG_ENTRIES and takes_elements(algebra, x)


_LEAST_GAIN = 2
"""A product with a sum is multiplied out where that spares more: (A - x 𝟏ᵀ) softmax(y)."""


_MOST_ANEW = 150
"""How long a sum may be that is collected anew."""


_LONGEST = 10_000
"""What is longer nobody reads: its terms stay as they are."""

_MANY = 10
"""Of more terms than these several pairs are joined at a time."""


def _but(terms: Sequence[Matrix], own: Sequence[int]) -> list[Matrix]:
    """Leave some terms out."""
    return [t for k, t in enumerate(terms) if k not in own]
