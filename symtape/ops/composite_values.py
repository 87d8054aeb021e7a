"""Values of sparse and ragged tensors in NumPy's arrays, as sessions of TensorFlow 1 gave them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np


class IndexedSlicesValue(NamedTuple):
    """The parts of rows of a tensor (`tf.compat.v1.IndexedSlicesValue`).

    >>> IndexedSlicesValue([1.0], [0], None)
    IndexedSlicesValue(values=[1.0], indices=[0], dense_shape=None)
    """

    values: Any
    indices: Any
    dense_shape: Any


class SparseTensorValue(NamedTuple):
    """The parts of a sparse tensor (`tf.compat.v1.SparseTensorValue`).

    >>> SparseTensorValue([[0]], [1.0], [3])
    SparseTensorValue(indices=[[0]], values=[1.0], dense_shape=[3])
    """

    indices: Any
    values: Any
    dense_shape: Any


class RaggedTensorValue:
    """The values of a ragged tensor, and where its rows end (`tf.compat.v1.ragged.…`).

    `values` is an array or another of these, `row_splits` an array of int32 or int64 with one axis.
    Raises `TypeError` for other arguments, and `ValueError` for `row_splits` of two dtypes.

    >>> print(RaggedTensorValue(np.array([1, 2, 3]), np.array([0, 2, 3])))
    <tf.RaggedTensorValue [[1, 2], [3]]>
    """

    def __init__(self, values: Any, row_splits: Any) -> None:
        is_array = isinstance(row_splits, (np.ndarray, np.generic))
        if not (is_array and row_splits.dtype in (np.int64, np.int32) and row_splits.ndim == 1):
            raise TypeError("row_splits must be a 1D int32 or int64 numpy array")
        if not isinstance(values, (np.ndarray, np.generic, RaggedTensorValue)):
            raise TypeError("values must be a numpy array or a RaggedTensorValue")
        if isinstance(values, RaggedTensorValue) and row_splits.dtype != values.row_splits.dtype:
            raise ValueError("row_splits and values.row_splits must have the same dtype")
        self._values, self._row_splits = values, row_splits

    @property
    def row_splits(self) -> Any:
        """Where rows begin and end."""
        return self._row_splits

    @property
    def values(self) -> Any:
        """The rows, one behind the other: an array, or rows again."""
        return self._values

    @property
    def dtype(self) -> Any:
        """NumPy's dtype of the values."""
        return self._values.dtype

    @property
    def flat_values(self) -> Any:
        """The innermost values."""
        inner = self._values
        return inner.flat_values if isinstance(inner, RaggedTensorValue) else inner

    @property
    def nested_row_splits(self) -> tuple[Any, ...]:
        """Where rows begin and end, at each level, the outermost first."""
        inner = self._values
        more = inner.nested_row_splits if isinstance(inner, RaggedTensorValue) else ()
        return (self._row_splits, *more)

    @property
    def ragged_rank(self) -> int:
        """How many levels of rows there are."""
        return len(self.nested_row_splits)

    @property
    def shape(self) -> tuple[int | None, ...]:
        """The shape; the lengths of rows are None."""
        return (len(self._row_splits) - 1, None, *self._values.shape[1:])

    def to_list(self) -> list[Any]:
        """Give the rows as lists."""
        inner = self._values
        listed = inner.to_list() if isinstance(inner, RaggedTensorValue) else inner.tolist()
        ends = self._row_splits
        return [listed[ends[k] : ends[k + 1]] for k in range(len(ends) - 1)]

    def __str__(self) -> str:
        return f"<tf.RaggedTensorValue {self.to_list()}>"

    def __repr__(self) -> str:
        return f"tf.RaggedTensorValue(values={self._values!r}, row_splits={self._row_splits!r})"
