"""Which diagonals of a matrix an operation means, and where they stand in their rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from symtape.errors import InvalidArgumentError
from symtape.ops.arguments import integers, listed, plain
from symtape.tensor.dispatch import invalid

_ALIGNMENTS = ("LEFT_RIGHT", "RIGHT_LEFT", "LEFT_LEFT", "RIGHT_RIGHT")


class Lines(NamedTuple):
    """The diagonals from `low` to `high`, and to which side shorter ones stand in their rows."""

    low: int
    high: int
    align: str

    @classmethod
    def read(cls, op: str, k: Any, align: str) -> Lines:
        """Read `k`, a number or the lowest and the highest, and `align`."""
        if align not in _ALIGNMENTS:
            listed_ = ", ".join(f'"{name}"' for name in _ALIGNMENTS)
            raise InvalidArgumentError(
                message=f"Value for attr 'align' of \"{align}\" is not in the list of allowed "
                f"values: {listed_}\n\t; NodeDef: {{{{node {op}}}}} [Op:{op}] name: "
            )
        bounds = integers(k)
        if len(axes := np.shape(plain(k))) > 1:
            text = f"diag_index must be a scalar or vector, received shape: {listed(axes)}"
            raise invalid(op, text)
        if not bounds:
            raise invalid(op, "Expected diag_index to have at least 1 element")
        if len(bounds) > 2:
            raise invalid(
                op,
                f"diag_index must have only one or two elements, received {len(bounds)} elements.",
            )
        low, high = bounds[0], bounds[-1]
        if low > high:
            raise invalid(
                op, f"lower_diag_index must not be larger than upper_diag_index: {low} > {high}"
            )
        return cls(low, high, align)

    @property
    def number(self) -> int:
        """Count the diagonals."""
        return self.high - self.low + 1

    def check(self, op: str, rows: int, columns: int, dot: str) -> None:
        """Raise unless a matrix has these diagonals."""
        for name, n, end in (("lower", self.low, dot), ("upper", self.high, "")):
            if not -rows < n < columns and n != 0:
                raise invalid(
                    op,
                    f"{name}_diag_index is out of bound: {n}{end} It must be between {-rows} and "
                    f"{columns}",
                )

    def longest(self, rows: int, columns: int) -> int:
        """Count the elements of the longest diagonal of a matrix."""
        return max(min(rows + min(self.high, 0), columns - max(self.low, 0)), 0)

    def places(self, rows: int, columns: int) -> Iterator[tuple[int, int, int]]:
        """Give the number, the first place in its row and the length of each, from the highest."""
        above, below = self.align.split("_")
        whole = self.longest(rows, columns)
        for k in range(self.high, self.low - 1, -1):
            n = max(min(rows + min(k, 0), columns - max(k, 0)), 0)
            left = (k >= 0 and above == "LEFT") or (k <= 0 and below == "LEFT")
            yield k, 0 if left else whole - n, n

    def mask(self, rows: int, columns: int) -> Any:
        """Say which elements of a matrix lie on the diagonals."""
        i, j = np.indices((rows, columns), sparse=True)
        return (j - i >= self.low) & (j - i <= self.high)
