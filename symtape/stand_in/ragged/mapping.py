"""Rows that are made of the elements of sparse tensors, and the other way round."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtape.errors import InvalidArgumentError
from symtape.ops.ragged.dense import places_of
from symtape.ops.ragged.tensor import RaggedTensor
from symtape.ops.shapes.shaping import reshape
from symtape.ops.sparse.tensor import SparseTensor, of_any_shape
from symtape.stand_in.sparse.functions import reorder
from symtape.stand_in.sparse.values import made_of


def to_sparse(self: RaggedTensor, name: str | None = None) -> SparseTensor:
    """Give the values at their places of a sparse tensor.

    >>> to_sparse(RaggedTensor.from_row_splits([1, 2, 3], [0, 2, 3])).indices.numpy().tolist()
    [[0, 0], [0, 1], [1, 0]]
    """
    places = places_of(self)
    return of_any_shape(SparseTensor(places, reshape(self.flat_values, [-1]), self.bounds))


def from_sparse(
    st_input: SparseTensor, name: str | None = None, row_splits_dtype: Any = "int64"
) -> Any:
    """Make rows of a sparse matrix whose elements stand at the beginning of each of its rows.

    Raises `InvalidArgumentError` for another one.

    >>> from_sparse(SparseTensor([[0, 0], [0, 1], [2, 0]], [1, 2, 3], (3, 2))).to_list()
    [[1, 2], [], [3]]
    """
    st_input = made_of(st_input)
    if not isinstance(st_input, SparseTensor):
        raise TypeError(f"Expected SparseTensor, got {type(st_input).__name__}.")
    if len(st_input.sizes) != 2:
        raise ValueError("rank(st_input) must be 2.")
    ordered = reorder(st_input)
    lengths = np.bincount(ordered.places[:, 0], minlength=ordered.sizes[0])
    if not np.array_equal(ordered.places[:, 1], np.concatenate([*map(np.arange, lengths), []])):
        raise InvalidArgumentError(
            message="Expected 'tf.Tensor(False, shape=(), dtype=bool)' to be true. Summarized "
            "data: b'SparseTensor is not right-ragged'"
        )
    made = RaggedTensor.from_row_lengths(ordered.values, lengths)
    return made.with_row_splits_dtype(row_splits_dtype)


RaggedTensor.to_sparse = to_sparse  # type: ignore[attr-defined]  # sparse tensors are here alone
RaggedTensor.from_sparse = staticmethod(from_sparse)  # type: ignore[attr-defined]  # likewise
