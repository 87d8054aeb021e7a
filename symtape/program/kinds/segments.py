"""The largest or smallest element of each segment, where the segments are named by integers."""

from __future__ import annotations

from collections.abc import Sequence

from symtape.program.kinds.placement import Structural
from symtape.program.operations import DType, Shape


class SegmentExtremum(Structural):
    """The extremum of the rows that share a number: `SegmentExtremum(which, after, count)`.

    Operands: `x` of shape [… n R] and integers [n]; result [… count R], with the largest ("max") or
    smallest ("min") of the rows whose integer is k at place k, and an infinity where there is none.
    R are `after` axes. The integers are 0, …, count - 1.
    """

    __slots__ = ("after", "count", "which")
    arity = 2

    def prepare(self, which: str, after: int, count: int) -> None:
        """Read which one, the number of axes after the rows, and the number of segments."""
        self.which, self.after, self.count = which, after, count

    @property
    def depth(self) -> int:
        """Touch the rows and the axes after them."""
        return self.after + 1

    def infer(self, shapes: Sequence[Shape], dtypes: Sequence[DType]) -> tuple[Shape, DType]:
        """Put the segments in place of the rows."""
        shape = shapes[0]
        axis = len(shape) - 1 - self.after
        return (*shape[:axis], self.count, *shape[axis + 1 :]), dtypes[0]

    def connects(self, k: int) -> bool:
        """The integers have no derivative."""
        return k == 0
