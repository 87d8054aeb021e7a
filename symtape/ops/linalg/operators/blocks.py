"""Operators that are blocks: along a diagonal, or on and below it.

Each block has rows and columns of its own, so that an operand may be a list with a part for each.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any, ClassVar

from symtape import nest
from symtape.ops.arguments import tensor
from symtape.ops.elementwise.arithmetic import add, multiply
from symtape.ops.linalg.operators.base import LinearOperator, given, together
from symtape.ops.linalg.operators.hints import (
    Hint,
    Hints,
    of_parts,
    regular_product,
)
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
        return _by_columns(self.matmul, blocks, adjoint)

    def solvevec(self, rhs: Any, adjoint: bool = False, name: str = "solve") -> Any:
        """Solve equations with what `matvec` takes on the right side; raises as `solve`."""
        blocks = self._listed(rhs, self._widths(not adjoint), -1)
        if blocks is None:
            return super().solvevec(rhs, adjoint, name)
        return _by_columns(self.solve, blocks, adjoint)

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


def _by_columns(function: Callable[..., Any], blocks: Blocks, adjoint: bool) -> list[Tensor]:
    """Compute of vectors what a function computes of matrices."""
    columns = [expand_dims(block, -1) for block in blocks]
    return [squeeze(y, -1) for y in function(columns, adjoint=adjoint)]


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
        return written([[op.to_dense()] for op in self._operators], self.dtype)

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
        return self._block_by_block(lambda a, b: a.matmul(b), left_operator, right_operator)

    def _linop_solve(self, left_operator: Any, right_operator: Any) -> LinearOperator:
        if not isinstance(right_operator, LinearOperatorBlockDiag):
            return super()._linop_solve(left_operator, right_operator)
        return self._block_by_block(lambda a, b: a.solve(b), left_operator, right_operator)

    def _block_by_block(
        self, compute: Callable[[Any, Any], Any], left: Any, right: Any
    ) -> LinearOperator:
        pairs = zip(left.operators, right.operators, strict=True)
        hints = Hints(regular_product(left, right), is_square=True)
        return self._again([compute(a, b) for a, b in pairs], hints)


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


def written(rows: Sequence[Sequence[Tensor]], dtype: Any) -> Tensor:
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
