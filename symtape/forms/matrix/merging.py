"""Neighbours in a product that are one factor: what cancels, selects, adds up or is by element."""

from __future__ import annotations

import sympy as sp

from symtape.forms.matrix.adding import Adding
from symtape.forms.matrix.nodes import (
    Cycle,
    Diagonal,
    Identity,
    Inverse,
    Kronecker,
    Matrix,
    Named,
    Node,
    Product,
    Rows,
    Selection,
    Turned,
)
from symtape.forms.matrix.sums.spreading import terms_of
from symtape.forms.matrix.writing.size import has_parts

ORTHONORMAL = {"eigvecs", "svd_left", "svd_right", "qr_orthogonal"}
"""Functions of matrices whose columns are orthonormal."""


_FEW_PAIRS = 6
"""Of so many terms a product of two sums is made to see whether they cancel."""

_SHORT = 12
"""Of a column that is longer, an entry is taken of the whole."""


class Merging(Adding):
    """Multiplies neighbours that are one factor."""

    def merged(self, a: Matrix, b: Matrix) -> Matrix | None:
        """Try each rule; None where none fits."""
        rules = (
            self._diagonals, self._cycles, self._inverses, self._of_shares, self._counted,
            self._of_factors, self._dotted, self._squared, self._of_outer_products,
            self._added_up, self._row_sums, self._unrolled, self._selected,
            self._selected_by_terms, self._krons, self._projected, self._cancelled_by_terms,
        )  # fmt: skip
        for rule in rules:
            found = rule(a, b)
            if found is not None:
                return found
        return None

    def _diagonals(self, a: Matrix, b: Matrix) -> Matrix | None:
        """Multiply by a diagonal by element."""
        left, right = self.node(a), self.node(b)
        if isinstance(left, Diagonal) and b.is_column:
            return self.times(left.of, b)
        if isinstance(left, Diagonal) and isinstance(right, Diagonal):
            return self.diagonal(self.times(left.of, right.of))
        if isinstance(right, Diagonal) and a.shape[0] == 1:
            return self.times(a, self.row(right.of))
        return None

    def _cycles(self, a: Matrix, b: Matrix) -> Matrix | None:
        """Add up how far rows are moved; a row that is chosen comes from another place."""
        left, right, n = self.node(a), self.node(b), a.shape[1]
        if isinstance(left, Cycle) and isinstance(right, Cycle):
            return self.cycle(n, left.by + right.by)
        if isinstance(left, Selection) and isinstance(right, Cycle) and a.shape[0] == 1:
            return self.selection(n, (left.first - right.by) % n, 1, 1)
        if isinstance(left, Cycle) and isinstance(right, Turned) and b.is_column:
            found = self._cycles(self.transpose(b), self.transpose(a))
            return None if found is None else self.transpose(found)
        return None

    def _inverses(self, a: Matrix, b: Matrix) -> Matrix | None:
        """Cancel a matrix and its inverse, which a transpose is of orthonormal columns."""
        left, right = self.node(a), self.node(b)
        if (isinstance(left, Inverse) and left.of == b) or (
            isinstance(right, Inverse) and right.of == a
        ):
            return self.identity(a.shape[0])
        if self._are_orthonormal(left, right):
            return self.identity(a.shape[0])
        if isinstance(left, Inverse):
            return self._cancelled(left, b, at_end=False)
        if isinstance(right, Inverse):
            return self._cancelled(right, a, at_end=True)
        return None

    def _cancelled(self, inverse: Inverse, x: Matrix, *, at_end: bool) -> Matrix | None:
        """Cancel a factor of a product of square matrices: (A B)⁻¹ A is B⁻¹."""
        node = self.node(inverse.of)
        if not isinstance(node, Product) or any(p.shape != inverse.shape for p in node.parts):
            return None
        if node.parts[-1 if at_end else 0] != x:
            return None
        return self.inverse(self.product(*(node.parts[:-1] if at_end else node.parts[1:])))

    @staticmethod
    def _are_orthonormal(left: Node | None, right: Node | None) -> bool:
        """Say whether a matrix of orthonormal columns meets its transpose."""
        if isinstance(left, Turned) and left.of == right:
            return isinstance(right, Named) and right.name in ORTHONORMAL
        is_square = left is not None and left.shape[0] == left.shape[1]
        is_named = isinstance(left, Named) and left.name in ORTHONORMAL
        return is_square and is_named and isinstance(right, Turned) and right.of == left

    def _projected(self, a: Matrix, b: Matrix) -> Matrix | None:
        """Write A A⁺ for (A⁺)ᵀ Aᵀ, and A⁺ A for Aᵀ (A⁺)ᵀ: they are their own transposes."""
        inner = [n.of for n in (self.node(a), self.node(b)) if isinstance(n, Turned)]
        if not any(isinstance(n, Named) and n.name == "pinv" for n in inner):
            return None
        rows, columns = self.transpose(b), self.transpose(a)
        if not self._is_pinv(rows, columns) and not self._is_pinv(columns, rows):
            return None
        return self.of(Product((rows, columns), (a.shape[0], b.shape[1])))

    def _of_factors(self, a: Matrix, b: Matrix) -> Matrix | None:
        """Write A for L Lᵀ, A⁻¹ for L⁻ᵀ L⁻¹, and L⁻¹ for Lᵀ A⁻¹: L is A's Cholesky factor."""
        left, right = self.node(a), self.node(b)
        if isinstance(left, Turned) and isinstance(right, Inverse):
            return self.inverse(self.of(left.of)) if self._is_factor(left.of, right.of) else None
        if isinstance(left, Inverse) and self._is_factor(right, left.of):
            return self.inverse(self.transpose(b))
        if isinstance(right, Turned) and right.of == left:
            is_factor = isinstance(left, Named) and left.name == "chol"
            if not is_factor or not isinstance(left, Named):
                return None
            (whole,) = left.of  # of which the lower triangle alone is looked at
            return whole if self.transpose(whole) == whole else None
        if isinstance(left, Inverse) and isinstance(right, Inverse):
            inner = self._of_factors(right.of, left.of)
            return None if inner is None else self.inverse(inner)
        return None

    def _is_factor(self, factor: Node | None, whole: Matrix) -> bool:
        """Say whether something is the Cholesky factor of a matrix that is its own transpose."""
        is_factor = isinstance(factor, Named) and factor.name == "chol" and factor.of == (whole,)
        return is_factor and self.transpose(whole) == whole

    def _unrolled(self, a: Matrix, b: Matrix) -> Matrix | None:
        """Write vec(A)ᵀ vec(B) as tr(Aᵀ B), and the sum of vec(A) as that of A."""
        if a.shape[0] != 1 or not b.is_column:
            return None
        turned = self.transpose(a)
        shapes = {self.shape_of_vec(x) for x in (turned, b) if not x.entry.is_number}
        shape = shapes.pop() if len(shapes) == 1 else None
        if shape is None:
            return None
        row, column = self.of_vec(turned, shape), self.of_vec(b, shape)
        for number, x in ((row, column), (column, row)):
            if number.entry.is_number:
                sums = self.product(x, self.ones(x.shape[1]))
                return self.times(self.number(number.entry), self.total(sums))
        return self.trace(self.product(self.transpose(row), column))

    def _krons(self, a: Matrix, b: Matrix) -> Matrix | None:
        """Write (A C) ⊗ (B D) for (A ⊗ B) (C ⊗ D), where the factors fit."""
        left, right = self.node(a), self.node(b)
        if not isinstance(left, Kronecker) or not isinstance(right, Kronecker):
            return None
        if [x.shape[1] for x in left.parts] != [y.shape[0] for y in right.parts]:
            return None
        pairs = zip(left.parts, right.parts, strict=True)
        return self.kronecker(*[self.product(x, y) for x, y in pairs])

    def _selected(self, a: Matrix, b: Matrix) -> Matrix | None:
        """Take rows or columns."""
        left, right = self.node(a), self.node(b)
        if isinstance(left, Selection):
            return self._chosen(left, b)
        if isinstance(right, Turned) and isinstance(right.of, Selection):
            found = self._chosen(right.of, self.transpose(a))
            return None if found is None else self.transpose(found)
        return None

    def _cancelled_by_terms(self, a: Matrix, b: Matrix) -> Matrix | None:
        """Write I - P for (I - P)², and 0 for (I - P) X, if P X is X: terms cancel, or add up.

        Of a column they may be weighed: Xᵀ (w ⊙ (y - X (Xᵀ diag(w) X)⁻¹ Xᵀ (w ⊙ y))) is 0. The mean
        of what differs from its mean is 0, too: pᵀ (x - (pᵀ x) 𝟏), where p are shares.
        """
        is_mean = self._is_share_across(a) or self._is_share(b)
        if not is_mean and not any(self._has_unit(x) or self._has_inverse(x) for x in (a, b)):
            return None
        pairs = [(x, y) for x in self._weighed_terms(a) for y in self._weighed_terms(b)]
        if not 1 < len(pairs) <= _FEW_PAIRS:
            return None
        made = self.plus(*[self.product(*x, *y) for x, y in pairs])
        count = len(terms_of(made)) if made.entry else 0
        return made if count < len(pairs) and self._is_shorter(made, a, b) else None

    def _of_outer_products(self, a: Matrix, b: Matrix) -> Matrix | None:
        """Write (vᵀ x) u + (zᵀ x) w for (u vᵀ + w zᵀ) x, where that is shorter.

        Of a name it is not: its products are as many as those of the sum.
        """
        if a.entry.is_Symbol or b.entry.is_Symbol:
            return None
        if b.is_column and self._are_outer(a):
            made = self.plus(*[self.product(t, b) for t in terms_of(a)])
        elif a.shape[0] == 1 and self._are_outer(b):
            made = self.plus(*[self.product(a, t) for t in terms_of(b)])
        else:
            return None
        return made if self._is_shorter(made, a, b) else None

    def _are_outer(self, x: Matrix) -> bool:
        """Say whether the terms of a sum are columns times rows."""
        if not x.entry.is_Add or 1 in x.shape:
            return False
        found = [self.nodes.get(self.split(t)[1]) for t in terms_of(x)]
        return all(n is not None and self._is_outer(n) for n in found)

    def _has_inverse(self, x: Matrix) -> bool:
        """Say whether an inverse is a factor in a sum."""
        nodes = [self.nodes[s] for s in self.arrays(x.entry)] if x.entry.has(sp.Add) else []
        parts = [p for n in nodes if isinstance(n, Product) for p in n.parts]
        return any(isinstance(self.node(p), Inverse) for p in parts)

    def _weighed_terms(self, x: Matrix) -> list[tuple[Matrix, ...]]:
        """List the terms of a sum; of a column with weights w ⊙ (A v) as diag(w) and A v."""
        if x.shape[0] == 1 != x.shape[1]:
            turned = self._weighed_terms(self.transpose(x))
            return [tuple(self.transpose(p) for p in reversed(own)) for own in turned]
        if not x.is_column or not isinstance(x.entry, sp.Expr):
            return [(t,) for t in terms_of(x)]
        whole = Matrix(sp.expand_mul(x.entry, deep=False), x.shape)
        return [self._weight_apart(t) for t in terms_of(whole)]

    def _weight_apart(self, x: Matrix) -> tuple[Matrix, ...]:
        products = [f for f, _ in self._products_by_entry(x)]
        rest = Matrix(x.entry / products[0], x.shape) if len(products) == 1 else x
        if rest is x or not self.arrays(rest.entry):
            return (x,)
        return self.diagonal(rest), Matrix(products[0], x.shape)

    def _is_shorter(self, x: Matrix, a: Matrix, b: Matrix) -> bool:
        """Say whether a formula is shorter than a product of two sums."""
        return self.length(x) < self.length(a) + self.length(b)

    def _selected_by_terms(self, a: Matrix, b: Matrix) -> Matrix | None:
        """Write x[1:n] - x[0:n-1] for (I[1:n] - I[0:n-1]) x, and likewise for columns.

        And A[1:n, k:n] + B[1:n, k:n] for rows of a sum of such parts.
        """
        if not a.entry.is_Add and not b.entry.is_Add:
            return None
        if not self._select(a, b) and not self._select(self.transpose(b), self.transpose(a)):
            return None
        return self.plus(*[self.product(x, y) for x in terms_of(a) for y in terms_of(b)])

    def _select(self, rows: Matrix, x: Matrix) -> bool:
        """Say whether sums of rows of unit matrices select from what has its parts written."""
        if not rows.entry.is_Add:
            is_sum = isinstance(self.node(rows), Selection) and x.entry.is_Add
            return is_sum and all(map(self._is_part, terms_of(x)))
        nodes = [self.nodes.get(self.split(t)[1]) for t in terms_of(rows)]
        is_any = any(isinstance(node, Selection) for node in nodes)
        are_rows = all(isinstance(node, (Selection, Identity)) for node in nodes)
        return is_any and are_rows and has_parts(self.node(x))

    def _is_part(self, term: Matrix) -> bool:
        """Say whether a term is a multiple of what has parts, of rows of it, or of columns."""
        _, parts = self.factors(term)
        nodes = [self.node(x) for x in parts] or [self.nodes.get(self.split(term)[1])]
        own = [n.of if isinstance(n, Turned) else n for n in nodes]
        rest = [n for n in own if not isinstance(n, Selection)]
        return len(rest) == 1 and has_parts(rest[0])

    def _chosen(self, rows: Selection, x: Matrix) -> Matrix | None:
        """Take rows of what has its own at places among zeros: I[0] f(s I[0]ᵀ) is f(s).

        Or one of what is made of outer products: I[0] f(u vᵀ) is f(u[0] vᵀ). An entry of a column
        that is short is a function of entries: I[0] (a ⊘ b) is a[0] / b[0].
        """
        node = self.node(x)
        if isinstance(node, Named) and node.name == "range":
            return self._places_chosen(rows)
        if isinstance(node, Rows):
            places = self.product(self.of(rows), node.places)
            return self.of(Rows(places, (rows.shape[0], x.shape[1])))
        if isinstance(node, Turned) and isinstance(node.of, Selection):
            own, placed = range(node.of.shape[1]), node.of.range
            shape = rows.shape[0], node.of.shape[0]
            if rows.range == placed:
                return self.identity(shape[0])
            is_apart = set(own[rows.range]).isdisjoint(own[placed])
            return self.number(0, shape) if is_apart else None
        arrays = self.arrays(x.entry)
        if node is not None:
            return None
        is_one = rows.shape[0] == 1
        is_row_of_outer = is_one and all(self._is_outer(self.nodes[s]) for s in arrays)
        is_entry = is_one and x.is_column and self.length(x) <= _SHORT
        is_placed = all(self._is_placed(self.nodes[s]) for s in arrays)
        if not (is_row_of_outer or is_entry or is_placed):
            return None
        left = self.of(rows)
        swap = {s: self.product(left, self.of(self.nodes[s])).entry for s in arrays}
        return Matrix(x.entry.xreplace(swap), (rows.shape[0], x.shape[1]))

    def _places_chosen(self, rows: Selection) -> Matrix | None:
        """Count the rows that are chosen: range(n)[1:n] is 𝟏 + range(n - 1)."""
        count, n = rows.shape
        is_turned = (rows.first, rows.step, count) == (n - 1, -1, n)
        if self.sizes and rows.first and not is_turned:
            return None  # whether a place moves with the end of its axis is not known
        first = self.count(n) - 1 if is_turned else sp.Integer(rows.first)
        return Matrix(first + rows.step * self.counting(count).entry, (count, 1))

    @staticmethod
    def _is_outer(node: Node) -> bool:
        """Say whether something is a column times a row: each of its rows is a multiple."""
        return isinstance(node, Product) and node.parts[0].is_column

    def _is_placed(self, node: Node) -> bool:
        """Say whether something stands at places among zeros."""
        first = self.node(node.parts[0]) if isinstance(node, Product) else node
        return isinstance(first, Turned) and isinstance(first.of, Selection)
