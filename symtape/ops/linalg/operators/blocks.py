"""Operators that are blocks: along a diagonal, or on and below it.

Each block has rows and columns of its own, so that an operand may be a list with a part for each.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from functools import reduce
from typing import Any, ClassVar

from symtape import nest
from symtape.ops.arguments import tensor
from symtape.ops.elementwise.arithmetic import add, multiply, subtract
from symtape.ops.linalg.operators.base import LinearOperator, adjoint_of, given, together
from symtape.ops.linalg.operators.hints import (
    Hint,
    Hints,
    always,
    hints_of,
    of_parts,
    regular_product,
)
from symtape.ops.linalg.operators.matrices import LinearOperatorFullMatrix
from symtape.ops.linalg.operators.products import PartByPart, common_batch, operators_of
from symtape.ops.shapes.creation import zeros
from symtape.ops.shapes.joining import concat, split
from symtape.ops.shapes.shaping import expand_dims, squeeze
from symtape.tensor.dimension import Dimension
from symtape.tensor.shape import TensorShape
from symtape.tensor.tensor import Tensor

Blocks = Sequence[Any]


class Blockwise(LinearOperator):
    """What has blocks along a diagonal, and multiplies block by block."""

    _diagonal_operators: Sequence[LinearOperator]

    def _times(self, blocks: Blocks, adjoint: bool, adjoint_arg: bool) -> Blocks:
        raise NotImplementedError("_times is not implemented.")

    def _solved(self, blocks: Blocks, adjoint: bool, adjoint_arg: bool) -> Blocks:
        raise NotImplementedError("_solved is not implemented.")

    def _widths(self, rows: bool) -> list[Dimension]:
        word = "range_dimension" if rows else "domain_dimension"
        return [getattr(op, word) for op in self._diagonal_operators]

    def _shape(self) -> TensorShape:
        sizes = [reduce(operator.add, self._widths(rows)) for rows in (True, False)]
        return common_batch(self._parts()).concatenate(sizes)

    def _parts(self) -> Sequence[LinearOperator]:
        return self._diagonal_operators

    def _listed(self, x: Any, widths: Sequence[Dimension], axis: int) -> list[Any] | None:
        """Give the parts of an operand, checked to fit, if it is a list of them, else None."""
        if not _are_blocks(x, widths, axis):
            return None
        found = [part if isinstance(part, LinearOperator) else tensor(part) for part in x]
        for part, width in zip(found, widths, strict=True):
            if isinstance(part, Tensor):
                self._check_input_dtype(part)
                width.assert_is_compatible_with(part.shape[axis])
        return found

    def matmul(
        self, x: Any, adjoint: bool = False, adjoint_arg: bool = False, name: str = "matmul"
    ) -> Any:
        """Multiply by a matrix, an operator, or a list of either with a part for each block.

        Raises what the method of `LinearOperator` raises, and `ValueError` for a list that does not
        fit.
        """
        blocks = self._listed(x, self._widths(adjoint), -1 if adjoint_arg else -2)
        if blocks is None:
            return super().matmul(x, adjoint, adjoint_arg, name)
        return self._times(blocks, adjoint, adjoint_arg)

    def solve(
        self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False, name: str = "solve"
    ) -> Any:
        """Solve equations, with what `matmul` takes on the right side; raises what that raises."""
        self._check_solvable()
        blocks = self._listed(rhs, self._widths(not adjoint), -1 if adjoint_arg else -2)
        if blocks is None:
            return super().solve(rhs, adjoint, adjoint_arg, name)
        return self._solved(blocks, adjoint, adjoint_arg)

    def matvec(self, x: Any, adjoint: bool = False, name: str = "matvec") -> Any:
        """Multiply by a vector, or a list of vectors, one for each block; raises as `matmul`."""
        blocks = self._listed(x, self._widths(adjoint), -1)
        if blocks is None:
            return super().matvec(x, adjoint, name)
        columns = [expand_dims(block, -1) for block in blocks]
        return [squeeze(y, -1) for y in self.matmul(columns, adjoint=adjoint)]

    def solvevec(self, rhs: Any, adjoint: bool = False, name: str = "solve") -> Any:
        """Solve equations with what `matvec` takes on the right side; raises as `solve`."""
        blocks = self._listed(rhs, self._widths(not adjoint), -1)
        if blocks is None:
            return super().solvevec(rhs, adjoint, name)
        columns = [expand_dims(block, -1) for block in blocks]
        return [squeeze(y, -1) for y in self.solve(columns, adjoint=adjoint)]

    def _matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        blocks = _apart(x, self._widths(adjoint), -1 if adjoint_arg else -2)
        return concat(together(*self._times(blocks, adjoint, adjoint_arg)), -2)

    def _solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        blocks = _apart(rhs, self._widths(not adjoint), -1 if adjoint_arg else -2)
        return concat(together(*self._solved(blocks, adjoint, adjoint_arg)), -2)

    def _determinant(self) -> Tensor:
        return reduce(multiply, [op.determinant() for op in self._diagonal_operators])

    def _log_abs_determinant(self) -> Tensor:
        return reduce(add, [op.log_abs_determinant() for op in self._diagonal_operators])

    def _diag_part(self) -> Tensor:
        self._check_square("diag_part")
        return _joined([op.diag_part() for op in self._diagonal_operators])

    def _trace(self) -> Tensor:
        self._check_square("trace")
        return reduce(add, [op.trace() for op in self._diagonal_operators])

    def _eigvals(self) -> Tensor:
        self._check_square("eigvals")
        return _joined([op.eigvals() for op in self._diagonal_operators])

    def _check_square(self, method: str) -> None:
        if not all(op.is_square for op in self._diagonal_operators):
            raise NotImplementedError(
                f"`{method}` not implemented for an operator whose blocks are not square."
            )

    def _assert_non_singular(self) -> None:
        for op in self._diagonal_operators:
            op.assert_non_singular()


def _are_blocks(x: Any, widths: Sequence[Dimension], axis: int) -> bool:
    """Say whether an operand is a list with a part for each block; raises `ValueError` for others.

    A list of lists is a matrix if its parts have fewer axes, or are long enough for all blocks.
    """
    if not isinstance(x, (list, tuple)) or len(x) != len(widths):
        return False
    if not any(nest.is_nested(part) for part in x):
        return True
    parts = [tensor(part) for part in x]
    if any([part.ndim < -axis for part in parts]):
        return False
    own = [part.shape[axis] for part in parts]
    sizes = list(TensorShape(widths))
    if all(n is None or n == m for n, m in zip(sizes, own, strict=True)):
        return True
    if len(set(own)) == 1 and own[0] >= sum(n for n in sizes if n is not None):
        return False
    raise ValueError("Input dimension does not match operator dimension.")


def _apart(x: Tensor, widths: Sequence[Dimension], axis: int) -> Blocks:
    found: Blocks = split(x, [int(width) for width in widths], axis=axis)
    return found


def _joined(lines: Sequence[Tensor]) -> Tensor:
    """Join vectors, whose batch axes are broadcast."""
    return squeeze(concat(together(*[expand_dims(line, -1) for line in lines]), -2), -1)


class LinearOperatorBlockDiag(Blockwise, PartByPart):
    """Operators along a diagonal (`tf.linalg.LinearOperatorBlockDiag`)."""

    joined: ClassVar[str] = "_ds_"

    def __init__(
        self,
        operators: Any,
        is_non_singular: Hint = None,
        is_self_adjoint: Hint = None,
        is_positive_definite: Hint = None,
        is_square: Hint = True,
        name: str | None = None,
    ) -> None:
        own = given(locals())
        parts = operators_of(
            operators,
            "Expected a non-empty list of operators. Found: []",
            "Expected all operators to have the same dtype.  Found {text}",
        )
        hints = Hints(is_non_singular, is_self_adjoint, is_positive_definite, is_square)
        self._diagonal_operators = parts
        self._begin(parts, of_parts(parts, hints, _SUMS), own)

    def _times(self, blocks: Blocks, adjoint: bool, adjoint_arg: bool) -> Blocks:
        pairs = zip(self._operators, blocks, strict=True)
        return [op.matmul(x, adjoint=adjoint, adjoint_arg=adjoint_arg) for op, x in pairs]

    def _solved(self, blocks: Blocks, adjoint: bool, adjoint_arg: bool) -> Blocks:
        pairs = zip(self._operators, blocks, strict=True)
        return [op.solve(x, adjoint=adjoint, adjoint_arg=adjoint_arg) for op, x in pairs]

    def _to_dense(self) -> Tensor:
        return _written([[op.to_dense()] for op in self._operators], self.dtype)

    def _assert_self_adjoint(self) -> None:
        for op in self._operators:
            op.assert_self_adjoint()

    def _assert_positive_definite(self) -> None:
        for op in self._operators:
            op.assert_positive_definite()

    def _meeting(
        self, other: LinearOperator, word: str, adjoint: bool, adjoint_arg: bool
    ) -> tuple[LinearOperator, LinearOperator]:
        left, right = super()._meeting(other, "x", adjoint, adjoint_arg)
        if isinstance(right, LinearOperatorBlockDiag) and isinstance(left, LinearOperatorBlockDiag):
            _check_parts(left, right, word)
        return left, right

    def _linop_matmul(self, left_operator: Any, right_operator: Any) -> LinearOperator:
        if not isinstance(right_operator, LinearOperatorBlockDiag):
            return super()._linop_matmul(left_operator, right_operator)
        pairs = zip(left_operator.operators, right_operator.operators, strict=True)
        hints = Hints(regular_product(left_operator, right_operator), is_square=True)
        return self._again([a.matmul(b) for a, b in pairs], hints)

    def _linop_solve(self, left_operator: Any, right_operator: Any) -> LinearOperator:
        if not isinstance(right_operator, LinearOperatorBlockDiag):
            return super()._linop_solve(left_operator, right_operator)
        pairs = zip(left_operator.operators, right_operator.operators, strict=True)
        hints = Hints(regular_product(left_operator, right_operator), is_square=True)
        return self._again([a.solve(b) for a, b in pairs], hints)


_SUMS = {
    "is_non_singular": "The direct sum of non-singular operators is always non-singular.",
    "is_self_adjoint": "The direct sum of self-adjoint operators is always self-adjoint.",
    "is_positive_definite": (
        "The direct sum of positive definite operators is always positive definite."
    ),
}


def _check_parts(left: Any, right: Any, word: str) -> None:
    """Raise `ValueError` unless blocks fit one by one."""
    if len(left.operators) != len(right.operators):
        kind = "multiply two `LinearOperatorBlockDiag`s together"
        if word == "rhs":
            kind = "solve `LinearOperatorBlockDiag`"
        raise ValueError(f"Can not efficiently {kind} when number of blocks differ.")
    for a, b in zip(left.operators, right.operators, strict=True):
        if b.range_dimension != a.domain_dimension:
            raise ValueError(
                f"Blocks are incompatible. Expected `x` to have dimension {a.domain_dimension} but "
                f"got {b.range_dimension}."
            )


def _written(rows: Sequence[Sequence[Tensor]], dtype: Any) -> Tensor:
    """Write blocks as one matrix: the last of each row on the diagonal, zeros elsewhere."""
    counts = [len(row) for row in rows]
    alike = iter(together(*[block for row in rows for block in row]))
    blocks = [[next(alike) for _ in range(count)] for count in counts]
    widths = [row[-1].shape[-1] for row in blocks]
    lines = []
    for k, row in enumerate(blocks):
        sizes = row[-1].shape[:-1]
        left = zeros([*sizes, sum(widths[: k + 1 - len(row)])], dtype)
        right = zeros([*sizes, sum(widths[k + 1 :])], dtype)
        lines.append(concat([left, *row, right], -1))
    return concat(lines, -2)


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
        return _written([[op.to_dense() for op in row] for row in self._operators], self.dtype)

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
