"""Linear algebra over balls: what elimination, spectra and functions of matrices ask of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from symtape.exact.balls import arithmetic
from symtape.exact.balls.numbers import Ball, flint, is_complex, lifted
from symtape.exact.balls.solutions import SOLUTIONS, Rule, determinant, solution
from symtape.exact.balls.spectra import WHOLE
from symtape.program.evaluation.elimination import Eliminating, Field, Matrix
from symtape.program.evaluation.exact_matrices import RULES as GENERIC

_RULES: Mapping[Any, Rule] = {**GENERIC, **SOLUTIONS}


class BallMatrices(Eliminating):
    """What linear algebra asks of balls."""

    @property
    def matrices(self) -> Mapping[Any, Rule]:
        """Give the rules of linear algebra."""
        return _RULES

    solution = staticmethod(solution)
    determinant = staticmethod(determinant)

    def integer(self, n: int) -> Ball:
        """Give a small number."""
        return flint().arb(n)

    def conjugate(self, x: Any) -> Ball:
        """Conjugate."""
        return x.conjugate() if is_complex(x) else x

    def real(self, x: Any) -> Ball:
        """Take the real part."""
        return lifted(x).real

    def root(self, x: Any) -> Ball:
        """Take the square root."""
        return arithmetic.root(lifted(x))

    def size(self, x: Any) -> Any:
        """Give a number that is zero for nothing but zero."""
        found = lifted(x)
        return 0 if found == 0 else abs(found)

    def tidy(self, x: Any) -> Ball:
        """Make a ball."""
        return lifted(x)

    def log_size(self, value: Any) -> Ball:
        """Give the logarithm of the size of a determinant."""
        return arithmetic.logarithm(abs(value))

    def sign(self, value: Any, *, is_complex: bool) -> Ball:  # noqa: ARG002 - one rule for both
        """Give the sign of a determinant."""
        return value.sgn()

    def whole(self, operation: Any, field: Field, a: Matrix) -> Matrix:
        """Give a spectrum or a function of a matrix."""
        return WHOLE[type(operation)](field, operation, a)
