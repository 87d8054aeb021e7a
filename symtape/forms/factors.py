"""Factors and spectra of a matrix by name, where index notation writes no entry of them."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
import sympy as sp
from sympy.core.symbol import Str
from sympy.matrices.expressions.matexpr import MatrixElement

from symtape.errors import NoExactFormError, UnsupportedError
from symtape.forms.matrix.printers.words import LATEX_NAMES, PLAIN_NAMES
from symtape.program import kinds
from symtape.program.evaluation import exact_matrices
from symtape.program.evaluation.elimination import Field
from symtape.program.evaluation.symbolic import Symbolic
from symtape.program.operations import Operation

_OPERATIONS: dict[str, Operation] = {
    "chol": kinds.Cholesky(),
    "eigvals": kinds.Eigh("values"),
    "eigvecs": kinds.Eigh("vectors"),
    "svd_values": kinds.SVD("values", False),
    "svd_left": kinds.SVD("left", False),
    "svd_right": kinds.SVD("right", False),
    "qr_orthogonal": kinds.QR("orthogonal", False),
    "qr_triangular": kinds.QR("triangular", False),
}
_NAMES = {operation: name for name, operation in _OPERATIONS.items()}


class Factor(sp.MatrixExpr):
    """A factor of a matrix, or a column of its eigenvalues or singular values.

    `doit` writes it out where its matrix is written out and there is a closed form.

    >>> S = sp.MatrixSymbol("S", 2, 2)
    >>> L = Factor("chol", S, 2, 2)
    >>> L, L.subs(S, sp.ImmutableMatrix([[4, 2], [2, 2]])).doit()
    (chol(S), Matrix([
    [2, 0],
    [1, 1]]))
    """

    def __new__(cls, name: Any, matrix: Any, rows: Any, columns: Any) -> Self:
        """Make one of the factors that have names."""
        made: Self = sp.Basic.__new__(
            cls, Str(str(name)), matrix, sp.sympify(rows), sp.sympify(columns)
        )
        return made

    @property
    def shape(self) -> tuple[Any, Any]:
        """The rows and columns."""
        _, _, rows, columns = self.args
        return rows, columns

    @property
    def name(self) -> str:
        """What factor it is, as matrix notation calls it."""
        return str(self.args[0])

    @property
    def of(self) -> Any:
        """The matrix."""
        return self.args[1]

    def _entry(self, i: Any, j: Any, **_: Any) -> Any:
        return MatrixElement(self, i, j)

    def doit(self, **hints: Any) -> Any:
        """Write the entries out, if those of the matrix are."""
        matrix = self.of.doit(**hints) if hints.get("deep", True) else self.of
        if not isinstance(matrix, sp.MatrixBase):
            return self.func(self.args[0], matrix, *self.shape)
        field = Field(Symbolic(exact=False), np.dtype("float64"))
        operation = _OPERATIONS[self.name]
        try:
            found = exact_matrices.RULES[type(operation)](
                field, operation, np.array(matrix.tolist(), dtype=object)
            )
        except (NoExactFormError, UnsupportedError):
            return self.func(self.args[0], matrix, *self.shape)
        return sp.ImmutableDenseMatrix(*self.shape, np.ravel(found).tolist())

    def _sympystr(self, printer: Any) -> str:
        return f"{PLAIN_NAMES.get(self.name, self.name)}({printer._print(self.of)})"  # noqa: SLF001 - SymPy's protocol

    def _latex(self, printer: Any) -> str:
        name = LATEX_NAMES.get(self.name, rf"\operatorname{{{self.name}}}")
        return rf"{name}\left({printer._print(self.of)}\right)"  # noqa: SLF001 - SymPy's protocol


FACTORS = frozenset(_OPERATIONS)
"""The names of factors."""


def name_of(operation: Operation) -> str | None:
    """Give the name of the factor that an operation computes, if it has one.

    >>> name_of(kinds.Eigh("values")), name_of(kinds.Eig("values"))
    ('eigvals', None)
    """
    return _NAMES.get(operation)
