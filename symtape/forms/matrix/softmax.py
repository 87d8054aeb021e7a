"""Exponentials that are divided by their sum, and logarithms of that sum, by their names."""

from __future__ import annotations

from collections.abc import Iterator

import sympy as sp

from symtape.forms.matrix.algebra import Algebra
from symtape.forms.matrix.collecting import collected_anew
from symtape.forms.matrix.nodes import (
    SCALAR,
    Matrix,
    Named,
    Product,
    inner,
)
from symtape.forms.matrix.rebuilt import Rebuilt, multiple


def with_softmax(algebra: Algebra, x: Matrix) -> Matrix:
    """Write softmax(z) for exp(z)/(1ᵀ exp(z)), and logsumexp(z), where it gets shorter.

    The softmax of a column is that of all its entries; that of a matrix is one of each row.
    """
    given = x
    for total, exponents in list(_sums(algebra, x)):
        p = algebra.of(Named("softmax", (exponents,), exponents.shape))
        of_shares = _of_rows if exponents.shape[1] > 1 else _of_column
        rebuilt = of_shares(algebra, x, total, exponents, p)
        x = min(x, algebra.normal(rebuilt.of(x)), key=algebra.length)
        if exponents.is_column:
            by_logs = algebra.normal(_ByLogarithms(algebra, total, exponents, p).of(x))
            x = min(x, by_logs, key=algebra.length)
    return x if x == given else collected_anew(algebra, x)


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
    algebra: Algebra, x: Matrix, total: sp.Symbol, exponents: Matrix, p: Matrix
) -> Rebuilt:
    """Write exp(z) as s p, where s is its sum, and its powers alike."""
    log = algebra.of(Named("logsumexp", (exponents,), SCALAR))
    row = algebra.transpose(p)
    swap = {sp.log(total): log.entry}
    entries = [x.entry, *[m.entry for s in _symbols(algebra, x) for m in inner(algebra.nodes[s])]]
    powers = {f for e in entries for f in e.atoms(sp.exp)}
    for share, z in ((p, exponents), (row, algebra.transpose(exponents))):
        ratios = {f: multiple(f.args[0], z.entry) for f in powers}
        swap |= {f: (total * share.entry) ** n for f, n in ratios.items() if n is not None}
    return Rebuilt(algebra, {total}, swap=swap, shares={p.entry, row.entry})


def _of_rows(
    algebra: Algebra, _: Matrix, total: sp.Symbol, exponents: Matrix, p: Matrix
) -> Rebuilt:
    """Write exp(Z) as diag(s) P, where s are the sums of its rows."""
    sums = algebra.diagonal(Matrix(total, (exponents.shape[0], 1)))
    row, turned = algebra.transpose(p), algebra.transpose(exponents)
    products = {
        sp.exp(exponents.entry): (sums, p.entry, algebra.identity(exponents.shape[1])),
        sp.exp(turned.entry): (algebra.identity(exponents.shape[1]), row.entry, sums),
    }
    return Rebuilt(algebra, {total}, products=products)


def _sums(algebra: Algebra, x: Matrix) -> Iterator[tuple[sp.Symbol, Matrix]]:
    """Find what is a sum of exponentials: of a column, or of each row of a matrix."""
    for symbol in _symbols(algebra, x):
        node = algebra.nodes[symbol]
        if not isinstance(node, Product) or len(node.parts) != 2:
            continue
        for ones, powers in (node.parts, node.parts[::-1]):
            if ones.entry != 1 or not isinstance(powers.entry, sp.exp):
                continue
            z = Matrix(powers.entry.args[0], powers.shape)
            if node.shape == SCALAR:
                yield symbol, z if z.is_column else algebra.transpose(z)
            elif ones.is_column:
                yield symbol, z
            else:
                column = algebra.transpose(algebra.of(node))
                yield column.entry, algebra.transpose(z)


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
