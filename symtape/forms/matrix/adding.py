"""Products that add entries up: of shares, places and squares, and sums of rows and columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import sympy as sp

from symtape.forms.matrix.nodes import (
    SCALAR,
    Cycle,
    Diagonal,
    Matrix,
    Named,
    Product,
    Rows,
    Selection,
    Turned,
)
from symtape.forms.matrix.writing.shortening import Shortening
from symtape.forms.power_sums import summed_polynomial


class Adding(Shortening):
    """Adds entries up: what is multiplied by a row or a column of ones, or by itself."""

    def _of_shares(self, a: Matrix, b: Matrix) -> Matrix | None:
        """Add up ones, and the rows of what has shares in its rows."""
        ones = a.entry.is_number and a.shape[0] == 1, b.entry.is_number and b.is_column
        if all(ones):
            return self.number(a.entry * b.entry * self.count(a.shape[1]))
        if ones[0] and (self._is_share(b) or self._are_shares(self.transpose(b))):
            return Matrix(a.entry, (1, b.shape[1]))
        if ones[1] and (self._is_share(self.transpose(a)) or self._are_shares(a)):
            return Matrix(b.entry, (a.shape[0], 1))
        return None

    def _is_share(self, x: Matrix) -> bool:
        """Say whether a column adds up to one."""
        node = self.node(x)
        return isinstance(node, Named) and node.name == "softmax" and x.is_column

    def _is_share_across(self, x: Matrix) -> bool:
        """Say whether a row adds up to one."""
        node = self.node(x)
        return isinstance(node, Turned) and self._is_share(self.of(node.of))

    def _are_shares(self, x: Matrix) -> bool:
        """Say whether each row of a matrix adds up to one."""
        node = self.node(x)
        is_share = isinstance(node, Named) and node.name == "softmax" and not x.is_column
        return is_share or isinstance(node, (Selection, Rows, Cycle))

    def _counted(self, a: Matrix, b: Matrix) -> Matrix | None:
        """Add up a polynomial of the numbers of the entries: 𝟏ᵀ range(n) is n (n - 1) / 2."""
        if a.shape[0] != 1 or not b.is_column or 1 in (a.shape[1], b.shape[0]):
            return None
        pair = [x for x in (a, b) if not x.entry.is_number]
        if not pair or not all(map(self._is_of_places, pair)):
            return None
        column, places = self.transpose(a), self.counting(b.shape[0]).entry
        k = sp.Dummy(integer=True)
        body = (column.entry * b.entry).xreplace({places: k})
        whole = summed_polynomial(body, k, 0, self.count(b.shape[0]) - 1)
        return None if whole is None else self.number(whole)

    def _is_of_places(self, x: Matrix) -> bool:
        """Say whether a column, or a row, is made of the numbers of its entries and of scalars."""
        nodes = [self.nodes[s] for s in self.arrays(x.entry)]
        own = [n.of if isinstance(n, Turned) else n for n in nodes]
        return bool(own) and all(isinstance(n, Named) and n.name == "range" for n in own)

    def _dotted(self, a: Matrix, b: Matrix) -> Matrix | None:
        """Write uᵀu for the sum of u ⊙ u."""
        base, exponent = b.entry.as_base_exp() if isinstance(b.entry, sp.Pow) else (None, 0)
        if not a.entry.is_number or a.shape[0] != 1 or not b.is_column or exponent != 2:
            return None
        u = Matrix(base, b.shape)
        return self.times(self.number(a.entry), self.product(self.row(u), u))

    def _squared(self, a: Matrix, b: Matrix) -> Matrix | None:
        """Write vᵀ u^⊙2 for uᵀ (u ⊙ v)."""
        if a.shape[0] != 1 or not b.is_column or not b.entry.is_Mul:
            return None
        scale, u = self.split(self.transpose(a))
        for own, sign in ((u, 1), (-u, -1)):
            rest = b.entry / own
            if own in b.entry.args and self.arrays(rest) and not u.is_Mul:
                square = Matrix(sign * scale * u**2, b.shape)
                return self.product(self.row(Matrix(rest, b.shape)), square)
        return None

    def _added_up(self, a: Matrix, b: Matrix) -> Matrix | None:
        """Add up the rows of a sum, or its columns, term by term where that is shorter."""
        ones, x = (a, b) if a.entry.is_number else (b, a)
        if not ones.entry.is_number or 1 not in ones.shape:
            return None
        terms = [Matrix(e, x.shape) for e in self._terms_by_entry(x.entry)]
        if len(terms) < 2:
            return None
        made = [self.product(*((t, b) if x is a else (a, t))) for t in terms]
        whole = self.plus(*made)
        return whole if self.length(whole) < self.length(x) else None

    def _terms_by_entry(self, e: Any) -> Sequence[Any]:
        """List the terms of a sum, or of a product by entry with one sum of arrays."""
        whole = {f: self.opened(Matrix(f, SCALAR)).entry for f in sp.Mul.make_args(e)}
        sums = [f for f, inner in whole.items() if inner.is_Add and self.arrays(inner)]
        return [e / sums[0] * t for t in whole[sums[0]].args] if len(sums) == 1 else ()

    def _row_sums(self, a: Matrix, b: Matrix) -> Matrix | None:
        """Write u ⊙ (X v) for (X ⊙ u vᵀ) 𝟏, and ((X Cᵀ) ⊙ B) 𝟏 for (X ⊙ (B C)) 𝟏 if shorter."""
        if 1 in a.shape:
            is_row = a.entry.is_number and a.shape[0] == 1 and 1 not in b.shape
            found = self._row_sums(self.transpose(b), self.transpose(a)) if is_row else None
            return None if found is None else self.transpose(found)
        if not b.entry.is_number or not b.is_column or not isinstance(a.entry, sp.Mul):
            return None
        for f, parts in self._products_by_entry(a):
            if isinstance(by := self.node(parts[0]), Diagonal):  # (diag(u) X ⊙ Y) 𝟏 is u ⊙ …
                rest = self.times(Matrix(a.entry / f, a.shape), self.product(*parts[1:]))
                return self.times(by.of, self.product(rest, b))
        found = min([a, *self._moved(a)], key=self._order)
        ones = Matrix(b.entry, (found.shape[1], 1))
        return None if found is a else self.product(found, ones)

    def _moved(self, x: Matrix) -> Iterator[Matrix]:
        """Give arrays that have the same sums of rows: X Cᵀ ⊙ B for X ⊙ (B C)."""
        for f, parts in self._products_by_entry(x):
            rest = Matrix(x.entry / f, x.shape)
            for k in range(1, len(parts)):
                left, right = self.product(*parts[:k]), self.product(*parts[k:])
                yield self.times(self.product(rest, self.transpose(right)), left)

    def _products_by_entry(self, x: Matrix) -> Iterator[tuple[Any, Sequence[Matrix]]]:
        """Give the products of matrices that are multiplied by entry, and what they are of."""
        for f in sp.Mul.make_args(x.entry):
            if isinstance(node := self.nodes.get(f), Product):
                yield f, node.parts

    def _order(self, x: Matrix) -> tuple[Any, int, list[int]]:
        """Say what is written rather than what is equal."""
        return self.length(x), self.turns(x.entry), [*map(self.place, self.arrays(x.entry))]
