"""What a rule for a step reads its operands with, and how it takes their axes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from symtape.forms.matrix.algebra import Algebra
from symtape.forms.matrix.nodes import SCALAR, Matrix
from symtape.program import kinds
from symtape.program.numbers import written_number
from symtape.program.program import Builder


class Reader(Protocol):
    """What a rule reads its operands with."""

    b: Builder
    algebra: Algebra
    names: Mapping[int, str]

    def read(self, p: int) -> Matrix:
        """Give a position in its shortest form."""

    def raw(self, p: int) -> Matrix:
        """Give a position for a function of its entries, which are shortened together."""


def two(shape: Sequence[int]) -> tuple[int, int]:
    """Give rows and columns: a vector is a column."""
    rows, columns, *_ = (*shape, 1, 1)
    return rows, columns


def wide(shape: Sequence[int]) -> list[int]:
    """List the axes that are longer than one."""
    return [k for k, n in enumerate(shape) if n != 1]


def operand(r: Reader, q: int, shape: Sequence[int]) -> Matrix:
    """Read an operand of a map; an infinity may be one of its cases."""
    operation, *_ = r.b.steps[q]
    if isinstance(operation, kinds.Constant) and not written_number(operation.number).is_finite:
        return Matrix(written_number(operation.number), SCALAR)
    return _broadcast(r, q, shape)


def _broadcast(r: Reader, q: int, shape: Sequence[int]) -> Matrix:
    """Repeat a vector along the other axis of a matrix."""
    have = r.b.shapes[q]
    kept, own = wide(shape), [k + len(shape) - len(have) for k in wide(have)]
    if len(own) == len(kept) or not own:
        return r.raw(q)
    x = r.read(q)
    rows, columns = (shape[k] for k in kept)
    if own == [kept[0]]:
        return r.algebra.product(x, r.algebra.row(r.algebra.ones(columns)))
    return r.algebra.product(r.algebra.ones(rows), r.algebra.row(x))
