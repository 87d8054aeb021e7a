"""Sums of products, with the factors that they share taken out, while that makes them shorter."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise, product
from typing import Any

import sympy as sp

from symtape.forms.matrix.algebra import Algebra
from symtape.forms.matrix.merging import Merging
from symtape.forms.matrix.nodes import (
    Diagonal,
    Kronecker,
    Matrix,
    Named,
    Product,
    Selection,
    Turned,
)
from symtape.forms.matrix.products import SLOPES
from symtape.forms.matrix.reading.entries import MOST, by_entries, entry_by_entry, takes_elements
from symtape.forms.matrix.reading.triangles import joined_triangles
from symtape.forms.matrix.shortening import scalars_out

Multiple = tuple[Any, list[Matrix]]
"""A scalar, and the factors of a product that it multiplies."""


class Collecting(Merging):
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

    def _in_one(self, x: Matrix) -> Matrix:
        """Write uᵀ (v + w) for uᵀ v + uᵀ w, in scalars of a few terms, while that is shorter."""
        x = self._in_sums(x)
        terms = _terms(x)
        if not 1 < len(terms) <= _FEW_TERMS:
            return x
        products = [_as_product(self, t) for t in terms]
        pairs = [(a, b) for a in range(len(terms)) for b in range(a)]
        ways = [
            super(Collecting, self).normal(self.plus(*_but(terms, (a, b)), y))
            for a, b in pairs
            for y in _dotted(self, products[a], products[b])
        ]
        found = min(ways, key=self.length, default=x)
        return self._in_one(found) if self.length(found) < self.length(x) else x

    def _in_sums(self, x: Matrix) -> Matrix:
        """Do so in the factors of terms; in functions and below a line what is equal stays so."""
        inner = [*_sums_within(x.entry)]
        sums = [a for a in inner if sum(bool(self._products_in(t)) for t in a.args) > 1]
        swap = {a: self._in_one(Matrix(a, x.shape)).entry for a in sums}
        if all(a == made for a, made in swap.items()):
            return x
        return min(x, super().normal(Matrix(x.entry.xreplace(swap), x.shape)), key=self.length)

    def _products_in(self, term: Any) -> list[Any]:
        """List the products of matrices in a scalar."""
        factors = sp.Mul.make_args(term)
        return [f for f in factors if isinstance(self.nodes.get(f), Product)]

    def _joined(self, x: Matrix) -> Matrix:
        """Join the two terms of a sum that are shortest together; of many terms, several pairs."""
        terms = _terms(x)
        if len(terms) > _MANY:
            return self._in_pairs(terms)
        whole = [self.plus(*_but(terms, pair), y) for pair, y in _pairs(self, terms)]
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
        ways = [(pair, super(Collecting, self).normal(y)) for pair, y in _pairs(self, terms)]
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
        ways = [super(Collecting, self).normal(y) for y in _beside_diagonals(self, x)]
        made = min(ways, key=self.length, default=x)
        return made if self.length(made) <= self.length(x) else x

    def _within(self, x: Matrix) -> Matrix:
        """Take common factors out of the sums that are multiplied by a scalar."""
        if isinstance(x.entry, sp.Add) and not x.is_scalar:
            return self.plus(*[self._within(Matrix(t, x.shape)) for t in x.entry.args])
        if not isinstance(x.entry, sp.Mul) or x.is_scalar:
            return x
        inner = [f for f in x.entry.args if self.arrays(f)]
        if len(inner) != 1 or not isinstance(inner[0], sp.Add):
            return x
        whole = self.normal(Matrix(inner[0], x.shape))
        made = Matrix(scalars_out(x.entry / inner[0] * whole.entry, self), x.shape)
        return min(x, made, key=self.length)


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
    ways = [*_spread(algebra, whole), *_spread_until_equal(algebra, whole)]
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


_MOST_SPREAD = 16
"""So many terms are looked at for equal ones."""


_MANY = 10
"""Of more terms than these several pairs are joined at a time."""

Pair = tuple[int, int]


def _pairs(algebra: Algebra, terms: Sequence[Matrix]) -> Iterator[tuple[Pair, Matrix]]:
    """Join two terms that begin or end with the same factors."""
    apart = [[_bared(algebra, way) for way in _ways(algebra, t)] for t in terms]
    for pair in [(a, b) for a in range(len(terms)) for b in range(a)]:
        for first, second in product(*[apart[k] for k in pair]):
            yield from [(pair, y) for y in _joined(algebra, first, second)]
        for joins in (_beside, _by_scalars, _by_directions, _by_crosses):
            yield from [(pair, y) for y in joins(algebra, *[terms[k] for k in pair])]


def _but(terms: Sequence[Matrix], pair: Pair) -> list[Matrix]:
    """Leave two terms out."""
    return [t for k, t in enumerate(terms) if k not in pair]


def _by_scalars(algebra: Algebra, a: Matrix, b: Matrix) -> Iterator[Matrix]:
    """Write 3 s² (A + 2 B) for 3 s² A + 6 s² B, and (A - B / s) / s for A / s - B / s²."""
    (p, x), (q, y) = algebra.split(a), algebra.split(b)
    if not p.is_number and p + q == 0:  # sums whose signs are turned are no common factors
        inner = algebra.plus(Matrix(x, a.shape), Matrix(-y, b.shape))
        yield algebra.times(algebra.number(p), algebra.normal(inner))
        return
    ours, theirs = p.as_powers_dict(), q.as_powers_dict()
    both = [(b, _common(b, k, sp.S(theirs[b]))) for b, k in ours.items() if not b.is_number]
    shared = [b**k for b, k in both if k is not None]
    if shared:
        is_divided = any(f.as_base_exp()[1].is_negative for f in shared)
        number = sp.gcd(p.as_coeff_Mul()[0], q.as_coeff_Mul()[0])
        number = number if number.is_Integer or (number.is_Rational and not is_divided) else 1
        whole = sp.Mul(*shared)  # apart from the number, which SymPy would multiply a sum by
        pairs = ((p, Matrix(x, a.shape)), (q, Matrix(y, b.shape)))
        scaled = [(scale / whole / number, m) for scale, m in pairs]
        inner = algebra.plus(*[algebra.times(algebra.number(c), m) for c, m in scaled])
        yield algebra.times(*map(algebra.number, (number, whole)), algebra.normal(inner))


def _by_directions(algebra: Algebra, a: Matrix, b: Matrix) -> Iterator[Matrix]:
    """Write L(X, A + B) for L(X, A) + L(X, B)."""
    (p, x), (q, y) = algebra.split(a), algebra.split(b)
    left, right = algebra.nodes.get(x), algebra.nodes.get(y)
    if not isinstance(left, Named) or not isinstance(right, Named) or left.name not in SLOPES:
        return
    if (left.name, left.of[0]) == (right.name, right.of[0]):
        scaled = [algebra.times(algebra.number(c), n.of[1]) for c, n in ((p, left), (q, right))]
        whole = algebra.normal(algebra.plus(*scaled))
        yield algebra.of(Named(left.name, (left.of[0], whole), left.shape))


def _by_crosses(algebra: Algebra, a: Matrix, b: Matrix) -> Iterator[Matrix]:
    """Write (u + v) × w for u × w + v × w, and [u + v]× for [u]× + [v]×."""
    (p, x), (q, y) = algebra.split(a), algebra.split(b)
    left, right = algebra.nodes.get(x), algebra.nodes.get(y)
    if not isinstance(left, Named) or not isinstance(right, Named) or left.name != right.name:
        return
    if left.name == "skew":
        yield algebra.skew(_weighed(algebra, (p, *left.of), (q, *right.of)))
    for k, m in product((0, 1), repeat=2) if left.name == "cross" else ():
        if left.of[k] == right.of[m]:
            sign = 1 if k == m else -1
            u = _weighed(algebra, (p, left.of[1 - k]), (sign * q, right.of[1 - m]))
            yield algebra.cross(*((u, left.of[k]) if k else (left.of[k], u)))


def _weighed(algebra: Algebra, *pairs: tuple[Any, Matrix]) -> Matrix:
    """Add up multiples."""
    return algebra.normal(algebra.plus(*[algebra.times(algebra.number(c), x) for c, x in pairs]))


def _common(base: Any, k: Any, n: Any) -> Any | None:
    """Give the power that two powers have in common: a positive one, or one that both divide by.

    A mean, as the variance of a layer norm, stays whole to be named.
    """
    if k == n and k.is_positive:
        return k
    is_divided = k.is_Rational and n.is_Rational and k < 0 and n < 0
    numbers = [t.as_coeff_Mul()[0] for t in sp.Add.make_args(base)]
    is_divided = is_divided and all(c.is_Integer for c in numbers)
    return max(k, n) if is_divided and k != n else None


def _spread(algebra: Algebra, x: Matrix) -> Iterator[Matrix]:
    """Multiply sums out, one product at a time."""
    terms = _terms(x)
    for a, term in enumerate(terms):
        number, parts = algebra.factors(term)
        for k, part in enumerate(parts):
            if part.entry.is_Add:
                sums = [Matrix(t, part.shape) for t in part.entry.args]
                made = [algebra.product(*parts[:k], t, *parts[k + 1 :]) for t in sums]
                scaled = [algebra.times(algebra.number(number), y) for y in made]
                yield algebra.plus(*terms[:a], *terms[a + 1 :], *scaled)


def _spread_until_equal(algebra: Algebra, x: Matrix) -> Iterator[Matrix]:
    """Multiply all sums out, if terms are equal then: (I - A S) A and A (I - S A) are.

    Or if scalars of one array add up then, as those of x do in (r + s) x and s (y - x).
    """
    found, is_equal = x, False
    while (made := next(_spread(algebra, found), None)) is not None:
        before, after = len(_terms(found)), len(_terms(made))
        if after > _MOST_SPREAD:
            return
        is_equal = is_equal or after <= before
        found = made
    if is_equal:
        yield found
    multiples = [*_multiples(algebra, found)]
    scales: dict[Any, list[Any]] = {}
    for k, entry in multiples:
        scales.setdefault(entry, []).append(k)
    if len(multiples) <= _MOST_SPREAD and any(map(_add_up, scales.values())):
        sums = [algebra.normal(algebra.number(sp.Add(*own))) for own in scales.values()]
        whole = [algebra.times(k, Matrix(e, x.shape)) for k, e in zip(sums, scales, strict=True)]
        yield algebra.plus(*whole)


def _add_up(scales: Sequence[Any]) -> bool:
    """Say whether some scalars have terms that cancel each other, or add up."""
    total = sp.expand_mul(sp.Add(*scales))
    own = [sp.Add.make_args(sp.expand_mul(k)) for k in scales]
    return len(sp.Add.make_args(total)) < sum(map(len, own))


def _multiples(algebra: Algebra, x: Matrix) -> Iterator[tuple[Any, Any]]:
    """Give the terms of a sum, and of sums that scalars multiply, each with its scalar."""
    for term in _terms(x):
        number, entry = algebra.split(term)
        if entry.is_Add:
            inner = _multiples(algebra, Matrix(entry, x.shape))
            yield from ((number * scale, own) for scale, own in inner)
        else:
            yield number, entry


def _beside_diagonals(algebra: Algebra, x: Matrix) -> Iterator[Matrix]:
    """Multiply sums by the diagonals beside them, one at a time."""
    terms = _terms(x)
    for a, term in enumerate(terms):
        number, parts = algebra.factors(term)
        for k, pair in enumerate(pairwise(parts)):
            kinds = [isinstance(algebra.node(part), Diagonal) for part in pair]
            if kinds.count(True) == 1 and pair[kinds.index(False)].entry.is_Add:
                whole = pair[kinds.index(False)]
                sums = [Matrix(t, whole.shape) for t in whole.entry.args]
                made = [
                    algebra.product(*((t, pair[1]) if kinds[1] else (pair[0], t))) for t in sums
                ]
                joined = algebra.product(*parts[:k], algebra.plus(*made), *parts[k + 2 :])
                scaled = algebra.times(algebra.number(number), joined)
                yield algebra.plus(*terms[:a], *terms[a + 1 :], scaled)


def _terms(x: Matrix) -> list[Matrix]:
    """List the terms of a sum; of what is no expression, none."""
    is_sum = isinstance(x.entry, sp.Expr)
    return [Matrix(e, x.shape) for e in sp.Add.make_args(x.entry)] if is_sum else []


def _as_product(algebra: Algebra, term: Matrix) -> Multiple | None:
    """Give the only product of matrices in a scalar, and what else it is a multiple of."""
    factors = sp.Mul.make_args(term.entry)
    found = [f for f in factors if isinstance(algebra.nodes.get(f), Product)]
    if len(found) != 1:
        return None
    node = algebra.nodes[found[0]]
    return term.entry / found[0], list(node.parts)  # type: ignore[union-attr]  # it is a product


def _dotted(algebra: Algebra, a: Multiple | None, b: Multiple | None) -> Iterator[Matrix]:
    """Join two scalars that have a factor in common, either of which may be turned around."""
    if a is None or b is None:
        return
    scale, parts = b
    turned = [algebra.transpose(p) for p in reversed(parts)]
    for way in (parts, turned):
        yield from _joined(algebra, a, (scale, way))


def _beside(algebra: Algebra, a: Matrix, b: Matrix) -> Iterator[Matrix]:
    """Write (A + B) ⊗ C for A ⊗ C + B ⊗ C."""
    (p, x), (q, y) = algebra.split(a), algebra.split(b)
    left, right = algebra.nodes.get(x), algebra.nodes.get(y)
    if not isinstance(left, Kronecker) or not isinstance(right, Kronecker):
        return
    both = [*zip(left.parts, right.parts, strict=False)]
    other = [k for k, (first, second) in enumerate(both) if first != second]
    if len(left.parts) == len(right.parts) and len(other) == 1:
        (k,) = other
        first, second = both[k]
        if first.shape == second.shape:
            scaled = [algebra.times(algebra.number(c), m) for c, m in ((p, first), (q, second))]
            whole = algebra.plus(*scaled)
            yield algebra.kronecker(*left.parts[:k], whole, *left.parts[k + 1 :])


def _ways(algebra: Algebra, x: Matrix) -> Iterator[list[Matrix]]:
    """Give the factors of a product, the first of which has its number.

    An inner product in front of a column can be within it, too: (bᵀ x) a is a bᵀ x, and a xᵀ b.
    """
    number, entry = algebra.split(x)
    node = algebra.nodes.get(entry)
    parts = node.parts if isinstance(node, Product) else (Matrix(entry, x.shape),)
    yield _scaled(number, parts)
    for scalar in sp.Mul.make_args(number) if x.is_column else ():
        own = algebra.nodes.get(scalar)
        if isinstance(own, Product):
            for row in (own.parts, [algebra.transpose(p) for p in reversed(own.parts)]):
                yield _scaled(number / scalar, (*parts, *row))


def _scaled(number: Any, parts: Sequence[Matrix]) -> list[Matrix]:
    first, *rest = parts
    return [Matrix(number * first.entry, first.shape), *rest]


def _bared(algebra: Algebra, way: list[Matrix]) -> Multiple:
    """Take the scalar off the first factor of a product, once for all terms that it may join."""
    first, *rest = way
    scale, bare = algebra.split(first)
    return scale, [Matrix(bare, first.shape), *rest]


def _joined(algebra: Algebra, a: Multiple, b: Multiple) -> Iterator[Matrix]:
    """Write two products as one, with the sum of what differs beside what they share.

    Where one product is the shared factors alone, the unit matrix stands for it: (A + I) x.
    """
    scales, bares = [a[0], b[0]], [a[1], b[1]]
    last = _shared(bares[0][::-1], bares[1][::-1])
    if last:
        shared, rests = bares[0][-last:], [x[:-last] for x in bares]
        yield algebra.product(_sum(algebra, scales, rests, shared[0].shape[0]), *shared)
    first = _shared(*bares)
    if first:
        shared, rests = bares[0][:first], [x[first:] for x in bares]
        yield algebra.product(*shared, _sum(algebra, scales, rests, shared[-1].shape[1]))


def _sum(algebra: Algebra, scales: list[Any], rests: list[list[Matrix]], n: int) -> Matrix:
    """Add multiples of products up, of which those of nothing are unit matrices."""
    if not any(rests):
        return algebra.number(sp.Add(*scales))
    made = [algebra.product(*rest) if rest else algebra.identity(n) for rest in rests]
    terms = [algebra.times(algebra.number(s), x) for s, x in zip(scales, made, strict=True)]
    return algebra.normal(algebra.plus(*terms))


def _shared(a: list[Matrix], b: list[Matrix]) -> int:
    """Count the factors that two products have in common at the start."""
    count = 0
    for x, y in zip(a, b, strict=False):
        if x != y:
            break
        count += 1
    return count
