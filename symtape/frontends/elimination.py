"""L and U of matrices of any shape, whose rows stand in an order that another framework took."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtape.ops.elementwise.arithmetic import where
from symtape.ops.indexing.gathering import gather
from symtape.ops.linalg import solving
from symtape.ops.linalg.lower_upper import lu
from symtape.ops.shapes.creation import eye
from symtape.ops.shapes.repetition import joined
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of


def eliminated(a: Tensor, order: Any) -> Tensor:
    """L and U in one matrix, whose rows stand in an order: of more rows, or columns, than others.

    Rows without a column get one in which they are pivots already; columns beyond the square have
    what the square's elimination makes of them.
    """
    m, n = shape_of(a)[-2:]
    if m > n:
        own = np.swapaxes(np.eye(m, dtype=a.raw.dtype)[order[..., n:]], -1, -2)
        return lu(joined([a, Tensor(own)], a.ndim - 1))[0][..., :n]
    packed = lu(a[..., :m])[0]
    if m == n:
        return packed
    rest = solving.triangular_solve(unit_lower(packed), rows_in(a[..., m:], order), lower=True)
    return joined([packed, rest], a.ndim - 1)


def unit_lower(packed: Tensor) -> Tensor:
    """What stands below the diagonal, with ones on it: of as many columns as there are pivots."""
    m, n = shape_of(packed)[-2:]
    k = min(m, n)
    below = np.broadcast_to(np.tril(np.ones((m, k), bool), -1), (*shape_of(packed)[:-1], k))
    unit = eye(m, k, batch_shape=shape_of(packed)[:-2], dtype=packed.dtype)
    return where(Tensor(below), packed[..., :k], unit)


def rows_in(x: Tensor, order: Any) -> Tensor:
    """Put the rows of matrices in an order, of each its own."""
    lead = order.ndim - 1
    return gather(x, Tensor(np.ascontiguousarray(order)), axis=lead, batch_dims=lead)
