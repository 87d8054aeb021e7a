"""Operators that are blocks on and below a diagonal."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Any, ClassVar

from symtape.ops.elementwise.arithmetic import add, multiply, subtract
from symtape.ops.linalg.operators.base import LinearOperator, given
from symtape.ops.linalg.operators.blocks import Blocks, Blockwise, written
from symtape.ops.linalg.operators.hints import (
    Hint,
    Hints,
    always,
    hints_of,
)
from symtape.ops.linalg.operators.matrices import LinearOperatorFullMatrix
from symtape.ops.linalg.operators.products import operators_of
from symtape.ops.linalg.products import adjoint as adjoint_of
from symtape.tensor.tensor import Tensor


class LinearOperatorBlockLowerTriangular(Blockwise):
    """Operators in rows, each one longer than the last (`tf.linalg.…BlockLowerTriangular`).

    The last of each row is square. What is above the diagonal is zero. Raises `ValueError` for rows
    of other lengths, for operators that do not fit, and for hints that contradict, and `TypeError`
    for unlike dtypes.

    >>> from symtape.ops.linalg.operators.matrices import LinearOperatorFullMatrix as Full
    >>> LinearOperatorBlockLowerTriangular([[Full([[2.0]])], [Full([[1.0]]), Full([[4.0]])]]).solve(
    ...     [[2.0], [9.0]]
    ... ).numpy().tolist()
    [[1.0], [2.0]]
    """

    matrix_axes: ClassVar = {"operators": 0}

    def __init__(
        self,
        operators: Any,
        is_non_singular: Hint = None,
        is_self_adjoint: Hint = None,
        is_positive_definite: Hint = None,
        is_square: Hint = None,
        name: str = "LinearOperatorBlockLowerTriangular",
    ) -> None:
        own = given(locals())
        rows = [list(row) for row in operators]
        none = f"Argument `operators` must be a list of >=1 operators. Received: {rows}."
        operators_of(
            [op for row in rows for op in row],
            none,
            "Expected every operation in argument `operators` to have the same dtype. Received "
            "{list}.",
        )
        self._operators, self._diagonal_operators = rows, [row[-1] for row in rows]
        regular = self._regular(is_non_singular)
        _check_rows(rows)
        self._check_all_square(is_square)
        hints = Hints(regular, is_self_adjoint, is_positive_definite, True)
        super().__init__(rows[0][0].dtype, name=name, parameters=own, **hints._asdict())

    @property
    def operators(self) -> list[list[LinearOperator]]:
        """What it is made of, row by row."""
        return self._operators

    def _parts(self) -> Sequence[LinearOperator]:
        return [op for row in self._operators for op in row]

    def _regular(self, given_hint: Hint) -> Hint:
        """Say whether it has an inverse: it has if all on the diagonal have."""
        known = [op.is_non_singular for op in self._diagonal_operators]
        if all(known):
            return always(
                given_hint,
                "A blockwise lower-triangular operator with non-singular operators on the main "
                "diagonal is always non-singular. Expected argument `is_non_singular` to be True. "
                f"Received: {given_hint}.",
            )
        if False not in known:
            return None
        if given_hint:
            raise ValueError(
                "A blockwise lower-triangular operator with a singular operator on the main "
                "diagonal is always singular. Expected argument `is_non_singular` to be True. "
                f"Received: {given_hint}."
            )
        return False

    def _check_all_square(self, given_hint: Hint) -> None:
        always(
            given_hint,
            "`LinearOperatorBlockLowerTriangular` must be square. Expected argument `is_square` to "
            f"be True. Received: {given_hint}.",
        )
        for k, op in enumerate(self._diagonal_operators):
            if op.is_square is False:
                raise ValueError(
                    "Matrices on the diagonal (the final elements of each row-partition in the "
                    "`operators` list) must be square. Expected argument "
                    f"`operators[{k}][-1].is_square` to be True. Received: {op.is_square}."
                )

    def _to_dense(self) -> Tensor:
        return written([[op.to_dense() for op in row] for row in self._operators], self.dtype)

    def _row(self, k: int, adjoint: bool) -> list[tuple[int, Any]]:
        """Give the operators of a row, or of one of the adjoint, with the places of the blocks."""
        if not adjoint:
            return list(enumerate(self._operators[k]))
        return [(j, self._operators[j][k]) for j in range(k, len(self._operators))]

    def _times(self, blocks: Blocks, adjoint: bool, adjoint_arg: bool) -> Blocks:
        def row(k: int) -> Any:
            parts = self._row(k, adjoint)
            own = [
                op.matmul(blocks[j], adjoint=adjoint, adjoint_arg=adjoint_arg) for j, op in parts
            ]
            return reduce(add, own) if len(own) > 1 else own[0]

        return [row(k) for k in range(len(blocks))]

    def _solved(self, blocks: Blocks, adjoint: bool, adjoint_arg: bool) -> Blocks:
        rest = [adjoint_of(x) if adjoint_arg else x for x in blocks]
        places = range(len(rest))
        for k in reversed(places) if adjoint else places:
            for j, op in self._row(k, adjoint):
                if j != k:
                    rest[k] = subtract(rest[k], op.matmul(rest[j], adjoint=adjoint))
            rest[k] = self._operators[k][-1].solve(rest[k], adjoint=adjoint)
        return rest

    def _linop_inverse(self) -> LinearOperator:
        inverses: list[list[Any]] = []
        for k, row in enumerate(self._operators):
            own = [self._below(row, [r[j] for r in inverses[j:]], j) for j in range(k)]
            inverses.append([*own, row[-1].inverse()])
        hints = hints_of(self)._replace(is_square=True)
        return LinearOperatorBlockLowerTriangular(inverses, **hints._asdict())

    def _below(self, row: Sequence[Any], column: Sequence[Any], j: int) -> LinearOperator:
        """Give a block of the inverse: -C⁻¹ times the sum of the row's products with a column."""
        parts = [op.matmul(x.to_dense()) for op, x in zip(row[j:-1], column, strict=True)]
        whole = reduce(add, parts) if len(parts) > 1 else parts[0]
        return LinearOperatorFullMatrix(multiply(-1.0, row[-1].solve(whole)))


def _check_rows(rows: Sequence[Sequence[Any]]) -> None:
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
