"""`tf.sparse.mask`: the rows of a gradient whose places are not named."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtape.ops.indexing.gathering import gather
from symtape.tensor.convert import convert
from symtape.tensor.decided import decided_by_look
from symtape.tensor.dispatch import invalid
from symtape.tensor.indexing.slices import IndexedSlices


def mask(a: IndexedSlices, mask_indices: Any, name: str | None = None) -> IndexedSlices:
    """The same rows without those at `mask_indices`, a vector of the dtype of its places.

    Raises `InvalidArgumentError` for indices that are no vector, and `TypeError` for another dtype.

    >>> rows = IndexedSlices(convert([[1.0], [2.0]]), convert([4, 1]), convert([5, 1]))
    >>> mask(rows, [1]).indices.numpy()
    array([4], dtype=int32)
    """
    if a.indices.ndim != 1:  # it is a sparse tensor
        raise invalid("ListDiff", "x should be a 1D vector.")
    left_out = convert(mask_indices, a.indices.dtype)
    if left_out.ndim != 1:
        raise invalid("ListDiff", "y should be a 1D vector.")
    named = np.isin(decided_by_look(a.indices), decided_by_look(left_out))
    kept = np.flatnonzero(~named)
    return IndexedSlices(gather(a.values, kept), gather(a.indices, kept), a.dense_shape)
