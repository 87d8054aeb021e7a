"""`tf.experimental.RowPartition`: where the rows of a ragged tensor begin and end, without it."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from symtape.errors import InvalidArgumentError
from symtape.ops.arguments import plain
from symtape.ops.ragged.splits import checked, from_lengths, from_rowids, read, uniform
from symtape.tensor import dtypes
from symtape.tensor.dtypes import DType
from symtape.tensor.tensor import Tensor


class RowPartition:
    """Places that cut values into rows; made by `from_…`.

    >>> rows = RowPartition.from_value_rowids([0, 0, 2], nrows=3)
    >>> rows.row_lengths().numpy().tolist(), rows.offsets_in_rows().numpy().tolist()
    ([2, 0, 1], [0, 1, 0])
    """

    def __init__(self, splits: Any, length: int | None = None) -> None:
        self._splits = splits
        self._uniform = length

    # --- ways to make one -------------------------------------------------------------------------

    @classmethod
    def from_row_splits(
        cls, row_splits: Any, validate: bool = True, dtype: Any = None, dtype_hint: Any = None
    ) -> Self:
        """Say where rows begin and end; raises `InvalidArgumentError` for places out of order."""
        return cls(
            checked(
                _given(row_splits, "row_splits", validate, dtype, dtype_hint), "from_row_splits"
            )
        )

    @classmethod
    def from_row_lengths(
        cls, row_lengths: Any, validate: bool = True, dtype: Any = None, dtype_hint: Any = None
    ) -> Self:
        """Say how long each row is; raises `InvalidArgumentError` for lengths below zero."""
        lengths = _given(row_lengths, "row_lengths", validate, dtype, dtype_hint)
        _check_signs("from_row_lengths", lengths)
        return cls(from_lengths(lengths))

    @classmethod
    def from_value_rowids(
        cls,
        value_rowids: Any,
        nrows: Any = None,
        validate: bool = True,
        dtype: Any = None,
        dtype_hint: Any = None,
    ) -> Self:
        """Say of each value in which row it is; raises `InvalidArgumentError` for falling ones."""
        rows = _given(value_rowids, "value_rowids", validate, dtype, dtype_hint)
        _check_signs("from_value_rowids", np.diff(rows))
        return cls(from_rowids(rows, None if nrows is None else plain(nrows)).astype(rows.dtype))

    @classmethod
    def from_row_starts(
        cls,
        row_starts: Any,
        nvals: Any,
        validate: bool = True,
        dtype: Any = None,
        dtype_hint: Any = None,
    ) -> Self:
        """Say where each row begins, and how many values there are."""
        starts = _given(row_starts, "row_starts", validate, dtype, dtype_hint)
        splits = np.append(starts, int(plain(nvals))).astype(starts.dtype)
        return cls(checked(splits, "from_row_starts"))

    @classmethod
    def from_row_limits(
        cls, row_limits: Any, validate: bool = True, dtype: Any = None, dtype_hint: Any = None
    ) -> Self:
        """Say where each row ends."""
        return cls(
            checked(
                np.insert(_given(row_limits, "row_limits", validate, dtype, dtype_hint), 0, 0),
                "from_row_limits",
            )
        )

    @classmethod
    def from_uniform_row_length(
        cls,
        uniform_row_length: Any,
        nvals: Any = None,
        nrows: Any = None,
        validate: bool = True,
        dtype: Any = None,
        dtype_hint: Any = None,
    ) -> Self:
        """Make rows of one length; raises `ValueError` unless one number is given, and they fit."""
        if nvals is None and nrows is None:
            raise ValueError("Either (or both) of nvals and nrows must be specified")
        length = _given(
            uniform_row_length, "uniform_row_length", validate, dtype, dtype_hint, rank=0
        )
        wanted = None if nrows is None else int(plain(nrows))
        values = int(length) * (wanted or 0) if nvals is None else int(plain(nvals))
        return cls(uniform(length, values, wanted), int(length))

    # --- what is asked ----------------------------------------------------------------------------

    @property
    def dtype(self) -> DType:
        """The dtype of places: int32 or int64."""
        return dtypes.as_dtype(self._splits.dtype)

    @property
    def static_nrows(self) -> int:
        """How many rows there are."""
        return len(self._splits) - 1

    def row_splits(self) -> Tensor:
        """Say where rows begin and end."""
        return Tensor(self._splits)

    def row_lengths(self) -> Tensor:
        """Give the length of each row."""
        return Tensor(np.diff(self._splits))

    def row_starts(self) -> Tensor:
        """Say where each row begins."""
        return Tensor(self._splits[:-1])

    def row_limits(self) -> Tensor:
        """Say where each row ends."""
        return Tensor(self._splits[1:])

    def value_rowids(self) -> Tensor:
        """Say of each value in which row it is."""
        return Tensor(self._rowids())

    def offsets_in_rows(self) -> Tensor:
        """Say of each value at which place of its row it is."""
        places = np.arange(self._splits[-1], dtype=self._splits.dtype)
        return Tensor(places - self._splits[self._rowids()])

    def _rowids(self) -> Any:
        rows = np.arange(self.static_nrows, dtype=self._splits.dtype)
        return np.repeat(rows, np.diff(self._splits))

    def nrows(self) -> Tensor:
        """Count the rows."""
        return Tensor(self._splits.dtype.type(self.static_nrows))

    def nvals(self) -> Tensor:
        """Count the values."""
        return Tensor(self._splits[-1])

    def uniform_row_length(self) -> Tensor | None:
        """Give the length of every row, where it is made so."""
        return None if self._uniform is None else Tensor(self._splits.dtype.type(self._uniform))

    def is_uniform(self) -> bool:
        """Say whether rows are made of one length."""
        return self._uniform is not None

    def with_dtype(self, dtype: Any) -> Self:
        """Give the same rows, whose places are int32 or int64; raises `ValueError` for others."""
        return type(self)(self._splits.astype(_kind(dtype)), self._uniform)

    def __repr__(self) -> str:
        if self._uniform is not None:
            return f"tf.RowPartition(nrows={self.static_nrows}, uniform_row_length={self._uniform})"
        return f"tf.RowPartition(row_splits={self._splits})"


def _check_signs(call: str, numbers: Any) -> None:
    if np.any(numbers < 0):
        raise InvalidArgumentError(
            message=f"Arguments to {call} do not form a valid RowPartition.  \nCondition x >= 0 "
            f"did not hold element-wise:\nx (shape={numbers.shape} dtype={numbers.dtype}) = \n"
            f"{[str(n) for n in numbers.tolist()]}"
        )


def _given(
    places: Any, name: str, validate: Any, dtype: Any, hint: Any = None, rank: int = 1
) -> Any:
    """Read places, or lengths; raises `TypeError` where `validate` is no truth value."""
    if not isinstance(validate, bool):
        raise TypeError("validate must have type bool")
    return read(places, name, hint, dtype=dtype, rank=rank)


def _kind(dtype: Any) -> Any:
    kind = dtypes.as_dtype(dtype)
    if kind not in {dtypes.int32, dtypes.int64}:
        raise ValueError("dtype must be int32 or int64")
    return kind.numpy
