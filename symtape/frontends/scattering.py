"""Rows that are put, or added, at places that are arguments: what stands where follows them.

An array has shape [B n R], rows [B I R] and their places [B I]: B are common axes, n is the axis
that is chosen along, R are rows.
"""

from __future__ import annotations

from symtape.ops.elementwise import arithmetic, comparison
from symtape.ops.shapes.creation import ones
from symtape.ops.shapes.shaping import with_shape
from symtape.program.kinds.structural import Scatter
from symtape.tensor import dtypes
from symtape.tensor.decided import nowhere
from symtape.tensor.dispatch import apply
from symtape.tensor.tensor import Literal, Tensor
from symtape.tensor.values import dtype_of, shape_of


def summed(x: Tensor, rows: Tensor, line: Tensor, batch: int = 0) -> Tensor:
    """Add up the rows of each place of an array, in zeros of its shape."""
    after = rows.ndim - line.ndim
    return apply(Scatter(after, 0, batch, shape_of(x)[batch]), rows, line)


def put(x: Tensor, rows: Tensor, line: Tensor, batch: int = 0) -> Tensor | None:
    """Put rows in the place of others; that all places are different is a condition.

    Where some are equal the answer is None: which row stays is no matter of sums.
    """
    counts = summed(x, ones(shape_of(line), dtypes.int32), line, batch)
    one = Literal.of(1, dtype_of(counts))
    if not nowhere(comparison.greater(counts, one)):
        return None
    wide = (*shape_of(counts), *(1,) * (x.ndim - counts.ndim))
    touched = with_shape(comparison.equal(counts, one), wide)
    return arithmetic.where(touched, summed(x, rows, line, batch), x)
