"""`tf.linalg.LinearOperatorBlockLowerTriangular`: operators on and below a diagonal."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Any

from symtape.ops.elementwise.arithmetic import add, multiply
from symtape.ops.linalg.operators.base import Hint, Hints, LinearOperator, together
from symtape.ops.shapes.creation import zeros
from symtape.ops.shapes.joining import concat
from symtape.ops.shapes.repetition import broadcast_to
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of

Rows = Sequence[Sequence[LinearOperator]]


class LinearOperatorBlockLowerTriangular(LinearOperator):
    """Operators in rows, each one longer than the last (`tf.linalg.…BlockLowerTriangular`).

    The last of each row is square. What is above the diagonal is zero. Raises `ValueError` for rows
    of other lengths, for operators that do not fit, and for hints that contradict, and `TypeError`
    for unlike dtypes.

    >>> from symtape.ops.linalg.operators.plain import LinearOperatorFullMatrix as Full
    >>> LinearOperatorBlockLowerTriangular([[Full([[2.0]])], [Full([[1.0]]), Full([[4.0]])]]).solve(
    ...     [[2.0], [9.0]]
    ... ).numpy().tolist()
    [[1.0], [2.0]]
    """

    def __init__(
        self,
        operators: Any,
        is_non_singular: Hint = None,
        is_self_adjoint: Hint = None,
        is_positive_definite: Hint = None,
        is_square: Hint = None,
        name: str = "LinearOperatorBlockLowerTriangular",
    ) -> None:
        rows = [list(row) for row in operators]
        if not rows:
            raise ValueError(
                f"Argument `operators` must be a list of >=1 operators. Received: {rows}."
            )
        self._rows = rows
        dtype = rows[0][0].dtype
        for row in rows:
            for part in row:
                if part.dtype != dtype:
                    raise TypeError(
                        "Expected every operation in argument `operators` to have the same dtype. "
                        f"Received {[str((o.name, o.dtype)) for r in rows for o in r]}."
                    )
        regular = self._regular(is_non_singular)
        _check_rows(rows)
        self._check_square(is_square)
        hints = Hints(regular, is_self_adjoint, is_positive_definite, True)
        super().__init__(dtype, hints, name, {"operators": operators})

    @property
    def operators(self) -> list[list[LinearOperator]]:
        """What it is made of, row by row."""
        return self._rows

    def _diagonal(self) -> list[LinearOperator]:
        return [row[-1] for row in self._rows]

    def _regular(self, given: Hint) -> Hint:
        """Say whether it has an inverse: it has if all on the diagonal have."""
        known = [op.is_non_singular for op in self._diagonal()]
        if all(known):
            if given is False:
                raise ValueError(
                    "A blockwise lower-triangular operator with non-singular operators on the main "
                    "diagonal is always non-singular. Expected argument `is_non_singular` to be "
                    "True. Received: False."
                )
            return True
        if False not in known:
            return None
        if given:
            raise ValueError(
                "A blockwise lower-triangular operator with a singular operator on the main "
                "diagonal is always singular. Expected argument `is_non_singular` to be True. "
                "Received: True."
            )
        return False

    def _check_square(self, given: Hint) -> None:
        if given is False:
            raise ValueError(
                "`LinearOperatorBlockLowerTriangular` must be square. Expected argument "
                "`is_square` to be True. Received: False."
            )
        for k, op in enumerate(self._diagonal()):
            if op.is_square is False:
                raise ValueError(
                    "Matrices on the diagonal (the final elements of each row-partition in the "
                    "`operators` list) must be square. Expected argument "
                    f"`operators[{k}][-1].is_square` to be True. Received: False."
                )

    def _dense(self) -> Tensor:
        rows = [[op.to_dense() for op in row] for row in self._rows]
        widths = [shape_of(row[-1])[-1] for row in rows]
        first = rows[0][0]
        for row in rows:
            for block in row:
                first, _ = together(first, block)
        batch = shape_of(first)[:-2]
        made = []
        for k, row in enumerate(rows):
            blocks = [*row, zeros([widths[k], sum(widths[k + 1 :])], self.dtype)]
            whole = [broadcast_to(b, [*batch, *shape_of(b)[-2:]]) for b in blocks]
            made.append(concat(whole, -1))
        return concat(made, -2)

    def _determinant(self) -> Tensor:
        return reduce(multiply, [op.determinant() for op in self._diagonal()])

    def _log_abs_determinant(self) -> Tensor:
        return reduce(add, [op.log_abs_determinant() for op in self._diagonal()])

    def _eigvals(self) -> Tensor:
        return concat([op.eigvals() for op in self._diagonal()], -1)


def _check_rows(rows: Rows) -> None:
    """Raise `ValueError` for rows of other lengths, and operators of sizes that do not fit."""
    for i, row in enumerate(rows):
        if len(row) != i + 1:
            raise ValueError(
                f"Argument `operators[{i}]` must contain `{i + 1}` blocks. Received: {len(row)} "
                "blocks."
            )
    for i, row in enumerate(rows):
        for j, op in enumerate(row[:-1]):
            for what, other, at in (
                ("domain_dimension", rows[i - 1][j], f"{i - 1}][{j}"),
                ("range_dimension", row[j + 1], f"{i}][{j + 1}"),
            ):
                own, its = getattr(op, what), getattr(other, what)
                if own != its:
                    raise ValueError(
                        f"Argument `operators[{i}][{j}].{what}` ({own}) must be the same as "
                        f"`operators[{at}].{what}` ({its})."
                    )
