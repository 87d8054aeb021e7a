"""Formulas whose numbers have letters for the sizes that they come from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sympy as sp

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
        numbers = {r: self._lettered(r) for r in x.entry.atoms(sp.Rational)}
        swap = {r: e for r, e in numbers.items() if r != e}
        return super().of(Matrix(x.entry.xreplace(swap), x.shape))

    def _lettered(self, number: Any) -> Any:
        above, below = self._factors(abs(number.p)), self._factors(number.q)
        return sp.sign(number) * above / below if number else number

    def _factors(self, number: int) -> Any:
        found: Any = sp.S.One
        for prime, letter in self.letters.items():
            while number and number % prime == 0:
                number //= prime
                found *= letter
        return number * found
