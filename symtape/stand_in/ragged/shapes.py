"""The shape of rows of unlike lengths, and how often numbers are in each of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtape.ops.ragged.rows import Rows, len_of
from symtape.ops.ragged.tensor import RaggedTensor
from symtape.ops.shapes.shaping import reshape
from symtape.ops.sparse.tensor import SparseTensor
from symtape.stand_in.ragged.mapping import to_sparse
from symtape.stand_in.sparse.reducing import bincount as counted_by_rows
from symtape.stand_in.sparse.rows import counting
from symtape.tensor import dtypes
from symtape.tensor.dtypes import DType
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of


class DynamicRaggedShape:
    """What `tf.shape` gives of rows: sizes, and of axes that are not uniform all lengths.

    >>> from symtape.ops.ragged.tensor import RaggedTensor
    >>> found = DynamicRaggedShape(RaggedTensor.from_row_lengths([1, 2, 3], [1, 2]))
    >>> found, found[0].numpy()
    (<DynamicRaggedShape lengths=[2, (1, 2)] num_row_partitions=1>, np.int32(2))
    """

    def __init__(self, rows: Any, out_type: Any = dtypes.int32) -> None:
        self.dtype: DType = dtypes.as_dtype(out_type)
        self._lengths: list[Any] = [len_of(rows)]
        self._splits: list[Any] = []
        while isinstance(rows, Rows):
            self._splits.append(np.asarray(rows.row_splits, self.dtype.numpy))
            lengths = np.diff(np.asarray(rows.row_splits)).tolist()
            fixed = rows.uniform_row_length
            self._lengths.append(tuple(lengths) if fixed is None else int(fixed))
            rows = rows.values
        self.num_row_partitions = len(self._lengths) - 1
        self._inner = shape_of(rows)
        self._lengths += self._inner[1:]

    @property
    def rank(self) -> int:
        """The number of axes."""
        return len(self._lengths)

    @property
    def inner_shape(self) -> Tensor:
        """The shape of all innermost values one after another."""
        return Tensor(np.array(self._inner, self.dtype.numpy))

    def static_lengths(self, ragged_lengths: bool = True) -> list[Any]:
        """Give the size of each axis, or its lengths, or None for these."""
        return [n if isinstance(n, int) or ragged_lengths else None for n in self._lengths]

    def is_uniform(self, axis: int) -> bool:
        """Say whether an axis has one size."""
        return isinstance(self._lengths[axis], int)

    def __getitem__(self, index: int) -> Tensor:
        size = self._lengths[index]
        if not isinstance(size, int):
            raise ValueError(f"Index {index} is not uniform")
        return Tensor(np.asarray(size, self.dtype.numpy))

    def filled(self, values: Any) -> Any:
        """Give rows of this shape with values one after another.

        >>> from symtape.ops.ragged.tensor import RaggedTensor
        >>> found = DynamicRaggedShape(RaggedTensor.from_row_lengths([1, 2, 3], [1, 2]))
        >>> found.filled([4, 5, 6]).to_list()
        [[4], [5, 6]]
        """
        return RaggedTensor.from_nested_row_splits(reshape(values, self._inner), self._splits)

    def __repr__(self) -> str:
        lengths = ", ".join(map(str, self._lengths))
        return (
            f"<DynamicRaggedShape lengths=[{lengths}] num_row_partitions={self.num_row_partitions}>"
        )


def shape(input: Any, out_type: Any = dtypes.int32, name: str | None = None) -> DynamicRaggedShape:
    """Give the shape of rows."""
    return DynamicRaggedShape(input, out_type)


def bincount(arr: Any, weights: Any = None, *args: Any, **kwargs: Any) -> Tensor:
    """How often whole numbers are there: in each row with axis -1, else in all."""
    places = to_sparse(arr)
    return counting.bincount(places, _beside(weights, places), *args, **kwargs)


def sparse_bincount(values: Any, weights: Any = None, *args: Any, **kwargs: Any) -> SparseTensor:
    """How often whole numbers are there, in each row with axis -1: as a sparse tensor."""
    places = to_sparse(values)
    return counted_by_rows(places, _beside(weights, places), *args, **kwargs)


def _beside(weights: Any, places: SparseTensor) -> Any:
    return places.with_values(weights.flat_values) if isinstance(weights, Rows) else weights
