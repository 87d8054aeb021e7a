"""Two terms of a sum as one, with what they share outside of the sum of what they do not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, product
from typing import Any

import sympy as sp

from symtape.forms.matrix.algebra import Algebra
from symtape.forms.matrix.nodes import Kronecker, Matrix, Named, Product
from symtape.forms.matrix.products import SLOPES

Multiple = tuple[Any, list[Matrix]]
"""A scalar, and the factors of a product that it multiplies."""

Pair = tuple[int, int]


def joined_pairs(algebra: Algebra, terms: Sequence[Matrix]) -> Iterator[tuple[Pair, Matrix]]:
    """Join two terms that begin or end with the same factors."""
    apart = [[_bared(algebra, way) for way in _ways(algebra, t)] for t in terms]
    for pair in [(a, b) for a in range(len(terms)) for b in range(a)]:
        for first, second in product(*[apart[k] for k in pair]):
            yield from [(pair, y) for y in _joined(algebra, first, second)]
        for joins in (_beside, _by_scalars, _by_entries, _by_directions, _by_crosses):
            yield from [(pair, y) for y in joins(algebra, *[terms[k] for k in pair])]


def _by_scalars(algebra: Algebra, a: Matrix, b: Matrix) -> Iterator[Matrix]:
    """Write 3 s² (A + 2 B) for 3 s² A + 6 s² B, and (A - B / s) / s for A / s - B / s²."""
    (p, x), (q, y) = algebra.split(a), algebra.split(b)
    if not p.is_number and p + q == 0:  # sums whose signs are turned are no common factors
        inner = algebra.plus(Matrix(x, a.shape), Matrix(-y, b.shape))
        yield algebra.times(algebra.number(p), algebra.normal(inner))
        return
    ours, theirs = p.as_powers_dict(), q.as_powers_dict()
    both = [
        (b, _common(algebra, b, k, sp.S(theirs[b]))) for b, k in ours.items() if not b.is_number
    ]
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


def _by_entries(algebra: Algebra, a: Matrix, b: Matrix) -> Iterator[Matrix]:
    """Write x ⊙ ((A + Aᵀ) 𝟏) for x ⊙ (A 𝟏) + x ⊙ (Aᵀ 𝟏)."""
    (p, x), (q, y) = algebra.split(a), algebra.split(b)
    ours, theirs = (sp.Mul.make_args(e) for e in (x, y))
    both = [f for f in ours if f in theirs and algebra.arrays(f)]
    rests = [sp.Mul(*[f for f in own if f not in both]) for own in (ours, theirs)]
    shared = sp.Mul(*both)
    if both and all(map(algebra.arrays, rests)):
        pairs = [(c, Matrix(e, a.shape)) for c, e in zip((p, q), rests, strict=True)]
        yield algebra.times(Matrix(shared, a.shape), _weighed(algebra, *pairs))


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


_LONG = 12
"""What is longer is divided by once, where both terms are."""


def _common(algebra: Algebra, base: Any, k: Any, n: Any) -> Any | None:
    """Give the power that two powers have in common: a positive one, or one that both divide by.

    A mean, as the variance of a layer norm, stays whole to be named.
    """
    if k == n and (k.is_positive or (k.is_Integer and algebra.length_of(base) > _LONG)):
        return k
    is_divided = k.is_Rational and n.is_Rational and k < 0 and n < 0
    numbers = [t.as_coeff_Mul()[0] for t in sp.Add.make_args(base)]
    is_divided = is_divided and all(c.is_Integer for c in numbers)
    return max(k, n) if is_divided and k != n else None


def as_product(algebra: Algebra, term: Matrix) -> Multiple | None:
    """Give the only product of matrices in a scalar, and what else it is a multiple of."""
    factors = sp.Mul.make_args(term.entry)
    found = [f for f in factors if isinstance(algebra.nodes.get(f), Product)]
    if len(found) != 1:
        return None
    node = algebra.nodes[found[0]]
    return term.entry / found[0], list(node.parts)  # type: ignore[union-attr]  # it is a product


def dotted(algebra: Algebra, a: Multiple | None, b: Multiple | None) -> Iterator[Matrix]:
    """Join two scalars that have a factor in common, either of which may be turned around."""
    if a is None or b is None:
        return
    scale, parts = b
    turned = [algebra.transpose(p) for p in reversed(parts)]
    for way in (parts, turned):
        yield from _joined(algebra, a, (scale, way))


def squared(algebra: Algebra, terms: Sequence[Matrix]) -> Iterator[tuple[Sequence[int], Matrix]]:
    """Join three scalars that are a square: ‖u - v‖² for ‖u‖² - 2 uᵀ v + ‖v‖²."""
    found = [(k, own) for k, t in enumerate(terms) if (own := _square(algebra, t)) is not None]
    for (first, (p, u)), (second, (q, v)) in combinations(found, 2):
        ratio = sp.sqrt(q / p)
        if u.shape != v.shape or not ratio.is_Rational:
            continue
        both = algebra.product(algebra.transpose(u), v).entry
        for number in (ratio, -ratio):
            third = [k for k, t in enumerate(terms) if t.entry == 2 * p * number * both]
            for k in third[:1]:
                w = _weighed(algebra, (sp.S.One, u), (number, v))
                square = algebra.product(algebra.transpose(w), w)
                yield (first, second, k), algebra.times(algebra.number(p), square)


def _square(algebra: Algebra, term: Matrix) -> tuple[Any, Matrix] | None:
    """Give by what a term multiplies the square of the length of which column."""
    found = as_product(algebra, term)
    if found is None:
        return None
    scale, parts = found
    half, is_odd = divmod(len(parts), 2)
    left = [algebra.transpose(x) for x in reversed(parts[:half])]
    is_square = not is_odd and left == parts[half:] and parts[-1].is_column
    return (scale, algebra.product(*parts[half:])) if is_square else None


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
    for way in _with_weights_apart(algebra, parts) if 1 not in x.shape else ():
        yield _scaled(number, way)
    for scalar in sp.Mul.make_args(number) if x.is_column else ():
        own = algebra.nodes.get(scalar)
        if isinstance(own, Product):
            for row in (own.parts, [algebra.transpose(p) for p in reversed(own.parts)]):
                yield _scaled(number / scalar, (*parts, *row))


def _with_weights_apart(algebra: Algebra, parts: Sequence[Matrix]) -> Iterator[list[Matrix]]:
    """Give u, vᵀ A and diag(w) for u ((vᵀ A) ⊙ wᵀ), of which vᵀ A may be in another product."""
    last = parts[-1]
    if last.shape[0] != 1 or not isinstance(last.entry, sp.Mul):
        return
    for f in last.entry.args:
        node = algebra.nodes.get(f)
        if isinstance(node, Product):
            rest = algebra.transpose(Matrix(last.entry / f, last.shape))
            yield [*parts[:-1], *node.parts, algebra.diagonal(rest)]


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
