"""Formulas whose numbers have letters for the sizes that they come from."""

from __future__ import annotations

from collections.abc import Mapping

import sympy as sp

from symtape.forms.lettered import decimal, factored
from symtape.forms.matrix.algebra import Algebra
from symtape.forms.matrix.nodes import Matrix
from symtape.forms.matrix.rebuilt import Rebuilt
from symtape.forms.matrix.sums.content import content


class Lettered(Rebuilt):
    """Writes the letter of a size for each prime that the size is, in all numbers of a formula."""

    def __init__(self, algebra: Algebra, letters: Mapping[int, str]) -> None:
        super().__init__(algebra, set())
        self.letters = {prime: algebra.size(letter) for prime, letter in letters.items()}

    def of(self, x: Matrix) -> Matrix:
        """Make a matrix anew."""
        numbers = {r: factored(r, self.letters) for r in x.entry.atoms(sp.Rational)}
        numbers |= {f: decimal(f, self.letters) for f in x.entry.atoms(sp.Float)}
        swap = {r: e for r, e in numbers.items() if r != e}
        return super().of(Matrix(x.entry.xreplace(swap), x.shape))

    def shortest(self, x: Matrix) -> Matrix:
        """Make a matrix anew in the shortest way, or with the number of a sum in front of it.

        So 2 (x - (𝟏ᵀ x) 𝟏 / n) / (n - 1) is not written over n (n - 1).
        """
        algebra = self.algebra
        whole = algebra.normal(self.of(x))
        if not isinstance(x.entry, sp.Add):
            return whole
        number, rest = content(x.entry, algebra)
        front = factored(number, self.letters)
        if front == number:
            return whole
        if number.is_negative and any(t.could_extract_minus_sign() for t in rest.args):
            front, rest = -front, sp.Add(*[-t for t in rest.args])
        inner = algebra.normal(self.of(Matrix(rest, x.shape)))
        apart = Matrix(sp.Mul(*sp.Mul.make_args(front), inner.entry), x.shape)
        return min(apart, whole, key=algebra.length)
