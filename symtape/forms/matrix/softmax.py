"""Exponentials that are divided by their sum, and logarithms of that sum, by their names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import sympy as sp

from symtape.forms.matrix.algebra import Algebra
from symtape.forms.matrix.degrees import without_scale
from symtape.forms.matrix.nodes import (
    SCALAR,
    Diagonal,
    Matrix,
    Named,
    Product,
    Selection,
    Shape,
    inner,
)
from symtape.forms.matrix.rebuilt import Rebuilt, divided, multiple
from symtape.forms.matrix.sums.collecting import collected_anew

Sum = tuple[sp.Symbol, Matrix, Matrix | None]
"""The symbol of a sum of exponentials, their exponents, and the logarithms of their weights."""


def with_softmax(algebra: Algebra, x: Matrix) -> Matrix:
    """Write softmax(z) for exp(z)/(1ᵀ exp(z)), and logsumexp(z), where it gets shorter.

    The softmax of a column is that of all its entries; that of a matrix is one of each row. Where
    there are sums of rows and of columns, exponentials are also replaced beside their sums alone.
    """
    sums = sorted(_sums(algebra, x), key=lambda found: found[2] is None)
    has_both = sum(not z.is_column for _, z, _ in sums) > 1
    ways = [_with_shares(algebra, x, sums)]
    ways += [_with_shares(algebra, x, sums, are_beside=True)] if has_both else []
    if any(z.is_column for _, z, _ in sums):
        ways.append(_with_shares(algebra, x, sums, takes_scalars=True))
    found = min(ways, key=algebra.length)
    if x == found:
        return x
    made = collected_anew(algebra, found)
    is_further = {s for s, *_ in _sums(algebra, made)} - {s for s, *_ in sums}
    return with_softmax(algebra, made) if is_further else made  # sums of what are shares now


def _with_shares(
    algebra: Algebra,
    x: Matrix,
    sums: Sequence[Sum],
    *,
    are_beside: bool = False,
    takes_scalars: bool = False,
) -> Matrix:
    """Write shares in the place of exponentials, one sum after another, where that is shorter."""
    for total, exponents, weight in sums:
        own = _without_shifts(algebra, exponents)
        p = algebra.of(Named("softmax", (own,), own.shape))
        if exponents.is_column:
            found = total, exponents, weight
            ways: list[Rebuilt] = [
                _of_column(algebra, x, found, own, p, takes_scalars=takes_scalars)
            ]
        else:
            ways = [_Rows(algebra, total, exponents, p)]
            ways += [] if are_beside else [_of_rows(algebra, total, exponents, p)]
        x = min(x, *[algebra.normal(way.of(x)) for way in ways], key=algebra.length)
        if exponents.is_column:
            x = min(x, algebra.normal(without_scale(algebra, x, total)), key=algebra.length)
        if exponents.is_column and weight is None:
            by_logs = algebra.normal(_ByLogarithms(algebra, total, own, p).of(x))
            x = min(x, by_logs, key=algebra.length)
    return x


def _without_shifts(algebra: Algebra, z: Matrix) -> Matrix:
    """Leave out what is added to all exponents of a sum alike, as a maximum that is taken off."""
    is_sum = isinstance(z.entry, sp.Add)
    kept = [t for t in z.entry.args if not _is_shift(algebra, t)] if is_sum else []
    return Matrix(sp.Add(*kept), z.shape) if kept else z


def _is_shift(algebra: Algebra, term: Any) -> bool:
    """Say whether all entries of a row are alike: of a scalar, or a multiple of u 𝟏ᵀ."""
    for symbol in algebra.arrays(term):
        node = algebra.nodes[symbol]
        if not isinstance(node, Product) or not node.parts[-1].entry.is_number:
            return False
        if node.parts[-1].shape[0] != 1:
            return False
    return True


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


def _of_column(
    algebra: Algebra, x: Matrix, found: Sum, unshifted: Matrix, p: Matrix, *, takes_scalars: bool
) -> Rebuilt:
    """Write exp(z) as s p, where s is its sum, and its powers alike, and exp(z[k]) as s p[k].

    Where z is u + v, exp(v) is s p ⊙ exp(-u), which meets exp(u); u is the `weight`.
    """
    total, z, weight = found
    log = algebra.of(Named("logsumexp", (unshifted,), SCALAR))
    swap = {sp.log(total): log.entry + z.entry - unshifted.entry}
    own = algebra.number(0, z.shape) if weight is None else weight
    bare = algebra.plus(z, algebra.times(algebra.number(-1), own))
    powers = {f for e in _entries(algebra, x) for f in e.atoms(sp.exp)}
    turned = [tuple(map(algebra.transpose, (p, bare, own))), (p, bare, own)]
    for share, exponent, less in turned:
        ratios = {f: multiple(f.args[0], exponent.entry) for f in powers}
        one = total * share.entry * sp.exp(-less.entry)
        swap |= {f: one**n for f, n in ratios.items() if n is not None}
    if weight is None:
        swap |= dict(_chosen(algebra, powers, total, z, p))
    shares = {p.entry, algebra.transpose(p).entry}
    return Rebuilt(algebra, {total}, swap=swap, shares=shares, takes_scalars=takes_scalars)


def _entries(algebra: Algebra, x: Matrix) -> list[Any]:
    """List the entries of a formula and of all that it is made of."""
    return [x.entry, *[m.entry for s in _symbols(algebra, x) for m in inner(algebra.nodes[s])]]


def _chosen(
    algebra: Algebra, powers: set[Any], total: sp.Symbol, z: Matrix, p: Matrix
) -> Iterator[tuple[Any, Any]]:
    """Write exp(z[k]) as a multiple of p[k]."""
    scalars = {f for f in powers if not algebra.arrays(f)}
    rows = [n for n in algebra.symbols if isinstance(n, Selection) and n.shape == (1, z.shape[0])]
    for row in rows if scalars else ():
        first = algebra.of(row)
        own = sp.exp(algebra.product(first, z).entry)
        if own in scalars:
            yield own, total * algebra.product(first, p).entry


def _of_rows(algebra: Algebra, total: sp.Symbol, exponents: Matrix, p: Matrix) -> Rebuilt:
    """Write exp(Z) as diag(s) P, where s are the sums of its rows."""
    sums = algebra.diagonal(Matrix(total, (exponents.shape[0], 1)))
    row, turned = algebra.transpose(p), algebra.transpose(exponents)
    products = {
        sp.exp(exponents.entry): (sums, p.entry, algebra.identity(exponents.shape[1])),
        sp.exp(turned.entry): (algebra.identity(exponents.shape[1]), row.entry, sums),
    }
    return Rebuilt(algebra, {total}, products=products)


class _Rows(Rebuilt):
    """Writes P for diag(𝟏 ⊘ s) exp(Z), where s are the sums of its rows, and leaves exp(Z) else."""

    def __init__(self, algebra: Algebra, total: sp.Symbol, exponents: Matrix, p: Matrix) -> None:
        super().__init__(algebra, {total})
        self.total = total
        turned = algebra.transpose(exponents)
        self.ways = (
            (sp.exp(exponents.entry), p, 0),
            (sp.exp(turned.entry), algebra.transpose(p), 1),
        )

    def _product(self, parts: list[Matrix], shape: Shape) -> Matrix:
        """Put shares in the place of exponentials beside the diagonal that divides by their sum."""
        made = [*parts]
        for k in range(len(parts) - 1):
            for power, share, place in self.ways:
                pair = made[k + place], made[k + 1 - place]
                made[k + place], made[k + 1 - place] = self._shared(*pair, power, share)
        return super()._product(made, shape)

    def _shared(self, by: Matrix, x: Matrix, power: Any, share: Matrix) -> tuple[Matrix, Matrix]:
        """Write what a diagonal multiplies, u ⊙ exp(Z), by shares, if it divides by their sums."""
        node = self.algebra.node(by)
        rest, count = divided(x.entry, power)
        if count != 1 or not isinstance(node, Diagonal):
            return by, x
        whole = self.algebra.apply(lambda e: e * self.total, node.of)
        if self.total in whole.entry.free_symbols:
            return by, x
        return self.algebra.diagonal(whole), self.algebra.times(Matrix(rest, x.shape), share)


def _sums(algebra: Algebra, x: Matrix) -> Iterator[Sum]:
    """Find what is a sum of exponentials: of a column, or of each row of a matrix.

    Two columns of exponentials that are multiplied, exp(u)ᵀ exp(v), are a sum of exp(u + v).
    """
    for symbol in _symbols(algebra, x):
        node = algebra.nodes[symbol]
        if not isinstance(node, Product) or len(node.parts) != 2 or _is_outer(node):
            continue
        if node.shape == SCALAR and all(isinstance(m.entry, sp.exp) for m in node.parts):
            u, v = (Matrix(m.entry.args[0], m.shape) for m in node.parts)
            u = algebra.transpose(u)
            yield symbol, algebra.plus(u, v), u
        for ones, powers in (node.parts, node.parts[::-1]):
            if ones.entry != 1 or not isinstance(powers.entry, sp.exp):
                continue
            z = Matrix(powers.entry.args[0], powers.shape)
            if node.shape == SCALAR:
                yield symbol, z if z.is_column else algebra.transpose(z), None
            elif ones.is_column:
                yield symbol, z, None
            else:
                column = algebra.transpose(algebra.of(node))
                yield column.entry, algebra.transpose(z), None


def _is_outer(node: Product) -> bool:
    """Say whether a column is multiplied by a row: 𝟏 exp(x)ᵀ adds nothing up."""
    return node.parts[0].is_column


def _symbols(algebra: Algebra, x: Matrix) -> list[sp.Symbol]:
    """List all symbols of a formula, within its parts, too."""
    found: dict[sp.Symbol, None] = {}
    stack = [x]
    while stack:
        for symbol in sorted(stack.pop().entry.free_symbols, key=algebra.place):
            if symbol not in found:
                found[symbol] = None
                stack.extend(inner(algebra.nodes[symbol]))
    return list(found)
