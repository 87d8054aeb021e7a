"""Masks of zeros and ones by their names: 𝟏 𝟏ᵀ - I for [I = 0], and tril(A) for A ⊙ [i ≥ j]."""

from __future__ import annotations

import sympy as sp

from symtape.forms.index.brackets import Iverson
from symtape.forms.matrix.algebra import Algebra
from symtape.forms.matrix.nodes import Matrix, Named, Node
from symtape.forms.matrix.rebuilt import Rebuilt, matrices_in, symbols_in
from symtape.forms.matrix.scales import without_shifts
from symtape.forms.matrix.writing.binary import has_zeros_and_ones, of_numbers


def with_named_masks(algebra: Algebra, x: Matrix) -> Matrix:
    """Write the brackets of what is made of zeros and ones as that, once all else is written.

    Until then they say, as those of other conditions, where what stands beside them is meant.
    """
    brackets = {b for m in matrices_in(algebra, x) for b in m.entry.atoms(Iverson)}
    own = [b for b in brackets if any(has_zeros_and_ones(algebra, s) for s in b.free_symbols)]
    swap = {b: of_numbers(b, b.free_symbols) for b in own}
    return _Written(algebra, set(), swap=swap).of(x) if swap else x


def with_masks_as_brackets(algebra: Algebra, x: Matrix) -> Matrix:
    """Write [I = 0] for 𝟏 𝟏ᵀ - I, so that it says which exponentials a sum has."""
    if not any(m.entry.has(sp.exp) for m in matrices_in(algebra, x)):
        return x
    symbols = [s for s in symbols_in(algebra, x) if has_zeros_and_ones(algebra, s)]
    swap = {1 - s: Iverson(sp.Eq(s, 0)) for s in symbols}
    swap |= {-total: -bracket for total, bracket in swap.items()}
    return Rebuilt(algebra, set(), swap=swap).of(x) if swap else x


class _Written(Rebuilt):
    """Writes all that has such a mask anew, in the shortest way."""

    def of(self, x: Matrix) -> Matrix:
        """Make a matrix anew."""
        made = super().of(x)
        return x if made == x else self.algebra.normal(made)

    def _node(self, node: Node) -> Matrix:
        """Leave out of a softmax what is added to all exponents of a row alike."""
        if not isinstance(node, Named) or node.name != "softmax":
            return super()._node(node)
        z = without_shifts(self.algebra, self.of(*node.of))
        return self.algebra.of(node._replace(of=(z,)))
