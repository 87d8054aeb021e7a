"""Products by entry with what has scaled rows and columns: A ⊘ (u vᵀ), and A² ⊘ (A diag(d)).

Such a scale multiplies what stands beside it, too: (A ⊘ (u vᵀ)) v is (A 𝟏) ⊘ u.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import sympy as sp

from symtape.forms.matrix.merging import Merging
from symtape.forms.matrix.nodes import Diagonal, Matrix, Node, Product


class Scaled(NamedTuple):
    """A matrix, and by which columns its rows and its columns are multiplied: diag(u) X diag(v)."""

    rows: Matrix
    inner: Matrix
    columns: Matrix


class Unscaling(Merging):
    """Takes the scales of rows and of columns out of products by entry."""

    def _by_arrays(self, e: Any) -> Iterator[Any]:
        """Write A diag(𝟏 ⊘ d) for A² ⊘ (A diag(d)), too."""
        yield from super()._by_arrays(e)
        terms = sp.Add.make_args(e)
        made = [self._without_scales(t) for t in terms]
        if any(a != b for a, b in zip(terms, made, strict=True)):
            yield sp.Add(*made)

    def _without_scales(self, term: Any) -> Any:
        """Take what scales a factor out of a term, where the factor cancels without it."""
        for scaled, rest in self._scaled_factors(term):
            whole = self.times(Matrix(rest, scaled.inner.shape), scaled.inner)
            if self.arrays(whole.entry) and self.length(whole) >= self.length_of(rest):
                continue
            sides = self.diagonal(scaled.rows), self.diagonal(scaled.columns)
            made = self.product(sides[0], whole, sides[1]).entry
            if self.length_of(made) < self.length_of(term):
                return made
        return term

    def _scaled_factors(self, term: Any) -> Iterator[tuple[Scaled, Any]]:
        """Give the factors of a term that have scales, to their whole powers, each with the rest.

        A factor that stands there alone is a product already.
        """
        for f in sp.Mul.make_args(term):
            base, power = f.as_base_exp()
            node = self.nodes.get(base)
            scaled = self._scales(node) if power.is_Integer and term != base else None
            if scaled is not None:
                raised = [self.apply(lambda e, k=power: e**k, x) for x in scaled]
                yield Scaled(*raised), term / f

    def _scales(self, node: Node | None) -> Scaled | None:
        """Take a product apart that is an outer one, or begins or ends with a diagonal."""
        if not isinstance(node, Product) or 1 in node.shape:
            return None
        parts = [*node.parts]
        ones = [self.ones(n) for n in node.shape]
        cut = next((k + 1 for k, x in enumerate(parts) if x.is_column), 0)
        if cut:
            row = self.transpose(self.product(*parts[cut:]))
            return Scaled(self.product(*parts[:cut]), self.number(1, node.shape), row)
        first, last = self.node(parts[0]), self.node(parts[-1])
        if isinstance(first, Diagonal):
            ones[0], parts = first.of, parts[1:]
        if isinstance(last, Diagonal) and len(parts) > 1:
            ones[1], parts = last.of, parts[:-1]
        whole = self.product(*parts)
        return None if len(parts) == len(node.parts) else Scaled(ones[0], whole, ones[1])

    def unscaled(self, chain: list[Matrix], scalars: list[Any]) -> list[Matrix]:
        """Write (A 𝟏) ⊘ u for (A ⊘ (u vᵀ)) v, where the scale cancels what it meets."""
        for k, x in enumerate(chain):
            stop = next((m + 1 for m in range(k + 1, len(chain)) if chain[m].is_column), 0)
            made = self._meeting(x, chain[k + 1 : stop]) if stop else None
            if made is not None:
                return self.unscaled(
                    [*chain[:k], *self._factors(made, scalars), *chain[stop:]], scalars
                )
            start = next((m for m in range(k - 1, -1, -1) if chain[m].shape[0] == 1), k)
            before = [self.transpose(y) for y in reversed(chain[start:k])]
            made = self._meeting(self.transpose(x), before) if before else None
            if made is not None:
                own = self._factors(self.transpose(made), scalars)
                return self.unscaled([*chain[:start], *own, *chain[k + 1 :]], scalars)
        return chain

    def _meeting(self, x: Matrix, column: list[Matrix]) -> Matrix | None:
        """Multiply by a column that cancels the scales of columns; None where none does."""
        if 1 in x.shape or not isinstance(x.entry, (sp.Mul, sp.Pow)):
            return None
        for scaled, rest in self._scaled_factors(x.entry):
            whole = self.product(*column)
            met = self.normal(self.times(scaled.columns, whole))
            is_plain = scaled.columns.entry.is_number or not self.arrays(met.entry)
            if is_plain or self.length(met) < self.length(whole):
                inner = self.times(Matrix(rest, x.shape), scaled.inner)
                return self.times(scaled.rows, self.product(inner, met))
        return None
