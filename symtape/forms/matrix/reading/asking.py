"""What a rule for a step reads its operands with, and how it takes their axes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from symtape.forms.matrix.algebra import Algebra
from symtape.forms.matrix.nodes import (
    Matrix,
)
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
