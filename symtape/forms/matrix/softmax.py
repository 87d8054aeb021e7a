"""Exponentials that are divided by their sum, and logarithms of that sum, by their names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import sympy as sp

from symtape.forms.index.brackets import Iverson
from symtape.forms.matrix.algebra import Algebra
from symtape.forms.matrix.degrees import without_scale
from symtape.forms.matrix.exponents import divided, exponents, with_base
from symtape.forms.matrix.masks import with_masks_as_brackets
from symtape.forms.matrix.nodes import (
    SCALAR,
    Diagonal,
    Matrix,
    Named,
    Product,
    Selection,
    Shape,
    Turned,
    inner,
)
from symtape.forms.matrix.rebuilt import Rebuilt, matrices_in, symbols_in
from symtape.forms.matrix.scales import with_scales_outside, without_shifts
from symtape.forms.matrix.sums.collecting import collected_anew

Sum = tuple[sp.Symbol, Matrix, Matrix | None]
"""The symbol of a sum of exponentials, their exponents, and the logarithms of their weights."""


def with_softmax(algebra: Algebra, x: Matrix) -> Matrix:
    """Write softmax(z) for exp(z)/(1ᵀ exp(z)), and logsumexp(z), where it gets shorter.

    The softmax of a column is that of all its entries; that of a matrix is one of each row. Where
    there are sums of rows and of columns, exponentials are also replaced beside their sums alone.
    """
    others = with_scales_outside(algebra, x), with_masks_as_brackets(algebra, x)
    ways = dict.fromkeys((x, *others))
    return min([_with_names(algebra, way) for way in ways], key=algebra.length)


def _with_names(algebra: Algebra, x: Matrix) -> Matrix:
    """Write both functions for all sums of exponentials, while others come in sight."""
    sums = sorted(_sums(algebra, x), key=lambda found: found[2] is None)
    has_both = sum(not z.is_column for _, z, _ in sums) > 1
    ways = [_with_shares(algebra, x, sums)]
    ways += [_with_shares(algebra, x, sums, are_beside=True)] if has_both else []
    if any(z.is_column for _, z, _ in sums):
        ways.append(_with_shares(algebra, x, sums, takes_scalars=True))
    found = min(ways, key=algebra.length)
    if x == found:
        return x
    made = collected_anew(algebra, _without_own_divisors(algebra, found))
    is_further = {s for s, *_ in _sums(algebra, made)} - {s for s, *_ in sums}
    return _with_names(algebra, made) if is_further else made  # sums of what are shares now


def _with_shares(
    algebra: Algebra,
    x: Matrix,
    sums: Sequence[Sum],
    *,
    are_beside: bool = False,
    takes_scalars: bool = False,
) -> Matrix:
    """Write shares in the place of exponentials, one sum after another, where that is shorter."""
    for total, z, weight in sums:
        own = without_shifts(algebra, z)
        p = algebra.of(Named("softmax", (own,), own.shape))
        if z.is_column:
            found = total, z, weight
            ways: list[Rebuilt] = [_OfColumn(algebra, x, found, own, p, takes_scalars)]
        else:
            ways = [_Rows(algebra, total, z, p)]
            ways += [] if are_beside else [_of_rows(algebra, total, z, p)]
        x = min(x, *[algebra.normal(way.of(x)) for way in ways], key=algebra.length)
        if z.is_column:
            x = min(x, algebra.normal(without_scale(algebra, x, total)), key=algebra.length)
        if z.is_column and weight is None:
            by_logs = algebra.normal(_ByLogarithms(algebra, total, own, p).of(x))
            x = min(x, by_logs, key=algebra.length)
    return x


class _ByLogarithms(Rebuilt):
    """Writes log(softmax(z)) for z - logsumexp(z) 𝟏, as entropies have it."""

    def __init__(self, algebra: Algebra, total: sp.Symbol, exponents: Matrix, p: Matrix) -> None:
        super().__init__(algebra, {total})
        self.log = algebra.of(Named("logsumexp", (exponents,), SCALAR)).entry
        self.kept |= {self.log, *p.entry.free_symbols}
        apart = algebra.plus(exponents, algebra.apply(lambda e: -sp.log(e), p))
        self.apart = {y.shape: y.entry for y in (apart, algebra.transpose(apart))}

    def of(self, x: Matrix) -> Matrix:
        """Make an array of as many entries anew, in which each has the logarithm of its share."""
        log = self.apart.get(x.shape, self.log)
        return super().of(Matrix(x.entry.xreplace({self.log: log}), x.shape))


class _OfColumn(Rebuilt):
    """Writes exp(z) as s p, where s is its sum, and its powers alike, and exp(z[k]) as s p[k].

    Where z is u + v, exp(v) is s p ⊙ exp(-u), which meets exp(u); u is the `weight`.
    """

    def __init__(
        self,
        algebra: Algebra,
        x: Matrix,
        found: Sum,
        unshifted: Matrix,
        p: Matrix,
        takes_scalars: bool,
    ) -> None:
        total, z, weight = found
        log = algebra.of(Named("logsumexp", (unshifted,), SCALAR))
        swap = {sp.log(total): log.entry + z.entry - unshifted.entry}
        swap |= dict(_chosen(algebra, x, total, z, p)) if weight is None else {}
        shares = {p.entry, algebra.transpose(p).entry}
        super().__init__(algebra, {total}, swap=swap, shares=shares, takes_scalars=takes_scalars)
        own = algebra.number(0, z.shape) if weight is None else weight
        bare = algebra.plus(z, algebra.times(algebra.number(-1), own))
        turned = [tuple(map(algebra.transpose, (p, bare, own))), (p, bare, own)]
        self.ways = {e.entry: total * share.entry * sp.exp(-u.entry) for share, e, u in turned}

    def of(self, x: Matrix) -> Matrix:
        """Make a matrix anew, with shares in the place of exponentials."""
        entry, base = x.entry, sp.Dummy(positive=True)
        for z, one in self.ways.items():
            entry = with_base(entry, z, base).xreplace({base: one})
        return super().of(Matrix(entry, x.shape))


def _chosen(
    algebra: Algebra, x: Matrix, total: sp.Symbol, z: Matrix, p: Matrix
) -> Iterator[tuple[Any, Any]]:
    """Write exp(z[k]) as a multiple of p[k]."""
    powers = {f for m in matrices_in(algebra, x) for f in m.entry.atoms(sp.exp)}
    scalars = {f for f in powers if not algebra.arrays(f)}
    rows = [n for n in algebra.symbols if isinstance(n, Selection) and n.shape == (1, z.shape[0])]
    for row in rows if scalars else ():
        first = algebra.of(row)
        own = sp.exp(algebra.product(first, z).entry)
        if own in scalars:
            yield own, total * algebra.product(first, p).entry


def _of_rows(algebra: Algebra, total: sp.Symbol, z: Matrix, p: Matrix) -> Rebuilt:
    """Write exp(Z) as diag(s) P, where s are the sums of its rows."""
    sums = algebra.diagonal(Matrix(total, (z.shape[0], 1)))
    row, turned = algebra.transpose(p), algebra.transpose(z)
    products = {
        z.entry: (sums, p.entry, algebra.identity(z.shape[1])),
        turned.entry: (algebra.identity(z.shape[1]), row.entry, sums),
    }
    return Rebuilt(algebra, {total}, products=products)


class _Rows(Rebuilt):
    """Writes P for diag(𝟏 ⊘ s) exp(Z), where s are the sums of its rows, and leaves exp(Z) else."""

    def __init__(self, algebra: Algebra, total: sp.Symbol, z: Matrix, p: Matrix) -> None:
        super().__init__(algebra, {total})
        self.total = total
        turned = algebra.transpose(z)
        self.ways = ((z.entry, p, 0), (turned.entry, algebra.transpose(p), 1))

    def _product(self, parts: list[Matrix], shape: Shape) -> Matrix:
        """Put shares in the place of exponentials beside the diagonal that divides by their sum."""
        made = [*parts]
        for k in range(len(parts) - 1):
            for z, share, place in self.ways:
                pair = made[k + place], made[k + 1 - place]
                made[k + place], made[k + 1 - place] = self._shared(*pair, z, share)
        return super()._product(made, shape)

    def _shared(self, by: Matrix, x: Matrix, z: Any, share: Matrix) -> tuple[Matrix, Matrix]:
        """Write what a diagonal multiplies, u ⊙ exp(Z), by shares, if it divides by their sums."""
        node = self.algebra.node(by)
        rest, count = divided(x.entry, z)
        if count != 1 or not isinstance(node, Diagonal):
            return by, x
        whole = self.algebra.apply(lambda e: e * self.total, node.of)
        if self.total in whole.entry.free_symbols:
            return by, x
        return self.algebra.diagonal(whole), self.algebra.times(Matrix(rest, x.shape), share)


class _Cancelled(Rebuilt):
    """Multiplies sums by a share where it is what a term is divided by: p ⊙ (u - v ⊘ p).

    And adds shares up: (P ⊙ (𝟏 𝟏ᵀ + X)) 𝟏 is 𝟏 + (P ⊙ X) 𝟏, where P has them in its rows.
    """

    def __init__(self, algebra: Algebra, p: Matrix) -> None:
        super().__init__(algebra, {*p.entry.free_symbols})
        self.p, self.own = p.entry, {p.entry, algebra.transpose(p).entry}

    def of(self, x: Matrix) -> Matrix:
        """Make a matrix anew; shares are positive, so that nothing is undefined that was."""
        terms = [t for e in sp.Add.make_args(x.entry) for t in self._opened(e)]
        if len(terms) == len(sp.Add.make_args(x.entry)):
            return super().of(x)
        return self.algebra.plus(*[self._weighed(t, x.shape) for t in terms])

    def _product(self, parts: list[Matrix], shape: Shape) -> Matrix:
        """Multiply; numbers come out of what is multiplied by shares, and added up."""
        algebra, (x, *ones) = self.algebra, parts
        if 1 in x.shape or not ones or ones[0].entry != 1 or not ones[0].is_column:
            return super()._product(parts, shape)
        for f in sp.Mul.make_args(x.entry):
            number, rest = f.as_coeff_Add() if f.is_Add else (sp.S.Zero, f)
            if number and x.entry / f == self.p:
                alone = algebra.product(algebra.number(number, (shape[0], 1)), *ones[1:])
                left = Matrix(self.p * rest, x.shape)
                return algebra.plus(alone, super()._product([left, *ones], shape))
        return super()._product(parts, shape)

    def _opened(self, e: Any) -> Sequence[Any]:
        """List the terms of a product of a share and a sum that is divided by it."""
        factors = sp.Mul.make_args(e)
        for p in self.own.intersection(factors):
            if any(f.is_Add and f.has(1 / p) for f in factors):
                return list(sp.Add.make_args(sp.expand_mul(_multiplied(e / p, p), deep=False)))
        return [e]

    def _weighed(self, e: Any, shape: Shape) -> Matrix:
        """Write diag(u) P for P ⊙ (u 𝟏ᵀ), and P diag(u) for P ⊙ (𝟏 uᵀ)."""
        algebra = self.algebra
        for f in sp.Mul.make_args(e):
            node = algebra.nodes.get(f)
            if not isinstance(node, Product) or node.shape != shape or 1 in shape:
                continue
            first, last = node.parts[0], node.parts[-1]
            rest = super().of(Matrix(e / f, shape))
            if last.entry == 1 and last.shape[0] == 1:
                u = algebra.product(*node.parts[:-1])
                return algebra.product(algebra.diagonal(super().of(u)), rest)
            if first.entry == 1 and first.is_column:
                u = algebra.transpose(algebra.product(*node.parts[1:]))
                return algebra.product(rest, algebra.diagonal(super().of(u)))
        return super().of(Matrix(e, shape))


def _multiplied(e: Any, p: Any) -> Any:
    """Multiply by a share, in a sum that is divided by it."""
    factors = sp.Mul.make_args(e)
    if 1 / p in factors:
        return e * p
    for f in factors:
        if f.is_Add and f.has(1 / p):
            return e / f * sp.Add(*[_multiplied(t, p) for t in f.args])
    return e * p


def _without_own_divisors(algebra: Algebra, x: Matrix) -> Matrix:
    """Multiply what is divided by shares by them, where that is hardly longer.

    A share is zero where a logarithm in its exponent is infinite, and nothing is divided by it.
    """
    for symbol in symbols_in(algebra, x):
        node = algebra.nodes[symbol]
        node = node.of if isinstance(node, Turned) else node
        is_share = isinstance(node, Named) and node.name == "softmax"
        if is_share and not inner(node)[0].entry.has(sp.log):
            made = algebra.normal(_Cancelled(algebra, algebra.of(node)).of(x))
            if algebra.length(made) < algebra.length(x) + 1:  # a division is harder to read
                x = made
    return x


def _sums(algebra: Algebra, x: Matrix) -> Iterator[Sum]:
    """Find what is a sum of exponentials: of a column, or of each row of a matrix.

    Two columns of exponentials that are multiplied, exp(u)ᵀ exp(v), are a sum of exp(u + v).
    """
    for symbol in symbols_in(algebra, x):
        node = algebra.nodes[symbol]
        if not isinstance(node, Product) or len(node.parts) != 2 or _is_outer(node):
            continue
        if node.shape == SCALAR and all(p.entry != 1 for p in node.parts):
            yield from _dotted(algebra, symbol, node)
        for ones, powers in (node.parts, node.parts[::-1]):
            found = exponents(powers.entry) if ones.entry == 1 else None
            if found is None:
                continue
            z = Matrix(found, powers.shape)
            if node.shape == SCALAR:
                yield symbol, z if z.is_column else algebra.transpose(z), None
            elif ones.is_column:
                yield symbol, z, None
            else:
                column = algebra.transpose(algebra.of(node))
                yield column.entry, algebra.transpose(z), None


def _dotted(algebra: Algebra, symbol: sp.Symbol, node: Product) -> Iterator[Sum]:
    """Find a sum of exponentials that are multiplied, or of those where a condition holds."""
    u, v = algebra.transpose(node.parts[0]), node.parts[1]
    z = exponents(algebra.times(u, v).entry)
    if z is not None:
        weights = [None if y.entry.has(Iverson) else exponents(y.entry) for y in (u, v)]
        own = Matrix(weights[0], u.shape) if None not in weights else None
        yield symbol, Matrix(z, v.shape), own


def _is_outer(node: Product) -> bool:
    """Say whether a column is multiplied by a row: 𝟏 exp(x)ᵀ adds nothing up."""
    return node.parts[0].is_column
