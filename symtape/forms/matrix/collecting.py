"""Sums of products, with the factors that they share taken out, while that makes them shorter."""

from __future__ import annotations

from collections.abc import Iterator

import sympy as sp

from symtape.forms.matrix.algebra import Algebra
from symtape.forms.matrix.nodes import Matrix, Product


class Collecting(Algebra):
    """Takes out of sums what their terms begin or end with."""

    def normal(self, x: Matrix) -> Matrix:
        """Write (A + B) x for A x + B x, and likewise from the left, while it gets shorter."""
        x = super().normal(x)
        if x.entry in self._collected:
            return Matrix(self._collected[x.entry], x.shape)
        made = x
        while isinstance(made.entry, sp.Add) and not made.is_scalar:
            ways = [super(Collecting, self).normal(y) for y in _shorter(self, made)]
            found = min(ways, key=self.length, default=made)
            if self.length(found) >= self.length(made):
                break
            made = found
        self._collected[x.entry] = self._collected[made.entry] = made.entry
        return made


def _shorter(algebra: Algebra, x: Matrix) -> Iterator[Matrix]:
    """Join two terms that begin or end with the same factors."""
    terms = [Matrix(e, x.shape) for e in sp.Add.make_args(x.entry)]
    apart = [_parts(algebra, t) for t in terms]
    for a in range(len(terms)):
        for b in range(a):
            rest = [t for k, t in enumerate(terms) if k not in (a, b)]
            for joined in _joined(algebra, apart[a], apart[b]):
                yield algebra.plus(*rest, joined)


def _parts(algebra: Algebra, x: Matrix) -> list[Matrix]:
    """Give the factors of a product, the first of which has its number."""
    number, entry = algebra.split(x)
    node = algebra.nodes.get(entry)
    if not isinstance(node, Product):
        return [x]
    first, *rest = node.parts
    return [Matrix(number * first.entry, first.shape), *rest]


def _joined(algebra: Algebra, a: list[Matrix], b: list[Matrix]) -> Iterator[Matrix]:
    """Write two products as one, with the sum of what differs between what they share."""
    scale_a, scale_b = (algebra.split(x[0])[0] for x in (a, b))
    bare_a, bare_b = ([_bare(algebra, x[0]), *x[1:]] for x in (a, b))
    last = _shared(bare_a[::-1], bare_b[::-1])
    if last:
        left = [_rest(algebra, x[: len(x) - last], x) for x in (a, b)]
        yield (
            algebra.product(algebra.plus(*left), *a[len(a) - last :])
            if last < len(a) and last < len(b)
            else _with_identity(algebra, a, b, last, at_end=True)
        )
    first = _shared(bare_a, bare_b)
    if first:
        right = [
            algebra.times(algebra.number(s), _rest(algebra, x[first:], x))
            for s, x in ((scale_a, a), (scale_b, b))
        ]
        if first < len(a) and first < len(b):
            yield algebra.product(*bare_a[:first], algebra.plus(*right))
        else:
            yield _with_identity(algebra, a, b, first, at_end=False)


def _bare(algebra: Algebra, x: Matrix) -> Matrix:
    return Matrix(algebra.split(x)[1], x.shape)


def _rest(algebra: Algebra, parts: list[Matrix], whole: list[Matrix]) -> Matrix:
    return algebra.product(*parts) if parts else algebra.identity(whole[0].shape[0])


def _with_identity(
    algebra: Algebra, a: list[Matrix], b: list[Matrix], count: int, *, at_end: bool
) -> Matrix:
    """Join where one product is the shared factors alone: (A + I) x."""
    scales = [algebra.split(x[0])[0] for x in (a, b)]
    bares = [[_bare(algebra, x[0]), *x[1:]] for x in (a, b)]
    rests = [x[: len(x) - count] if at_end else x[count:] for x in bares]
    shared = bares[0][len(bares[0]) - count :] if at_end else bares[0][:count]
    if not rests[0] and not rests[1]:
        return algebra.times(algebra.number(sp.Add(*scales)), algebra.product(*shared))
    n = shared[0].shape[0] if at_end else shared[-1].shape[1]
    sums = [
        algebra.times(algebra.number(s), algebra.product(*r) if r else algebra.identity(n))
        for s, r in zip(scales, rests, strict=True)
    ]
    inner = algebra.plus(*sums)
    return algebra.product(inner, *shared) if at_end else algebra.product(*shared, inner)


def _shared(a: list[Matrix], b: list[Matrix]) -> int:
    """Count the factors that two products have in common at the start."""
    count = 0
    for x, y in zip(a, b, strict=False):
        if x != y:
            break
        count += 1
    return count
