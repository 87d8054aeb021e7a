"""Formulas whose numbers have letters for the sizes that they come from."""

from __future__ import annotations

from collections.abc import Mapping

import sympy as sp

from symtape.forms.lettered import decimal, factored
from symtape.forms.matrix.algebra import Algebra
from symtape.forms.matrix.nodes import SCALAR, Leaf, Matrix
from symtape.forms.matrix.rebuilt import Rebuilt


class Lettered(Rebuilt):
    """Writes the letter of a size for each prime that the size is, in all numbers of a formula."""

    def __init__(self, algebra: Algebra, letters: Mapping[int, str]) -> None:
        super().__init__(algebra, set())
        self.letters = {
            prime: algebra.symbol(Leaf(letter, SCALAR), is_positive=True)
            for prime, letter in letters.items()
        }

    def of(self, x: Matrix) -> Matrix:
        """Make a matrix anew."""
        numbers = {r: factored(r, self.letters) for r in x.entry.atoms(sp.Rational)}
        numbers |= {f: decimal(f, self.letters) for f in x.entry.atoms(sp.Float)}
        swap = {r: e for r, e in numbers.items() if r != e}
        return super().of(Matrix(x.entry.xreplace(swap), x.shape))
