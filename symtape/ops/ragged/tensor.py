"""`RaggedTensor`, and the ways to make one of values and rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Self

import numpy as np

from symtape.ops.arguments import plain
from symtape.ops.ragged.dense import padded, trimmed
from symtape.ops.ragged.elementwise import METHODS
from symtape.ops.ragged.picking import item
from symtape.ops.ragged.rows import Rows, held, len_of
from symtape.ops.ragged.spec import RaggedTensorSpec
from symtape.ops.ragged.splits import checked, from_lengths, from_rowids
from symtape.tensor.tensor import Tensor


class RaggedTensor(Rows):
    """Rows of unlike lengths (`tf.RaggedTensor`); made by `tf.ragged.constant` and `from_…`.

    `values` has the elements of all rows one after another, and may be ragged itself; row k are
    those from `row_splits[k]` to `row_splits[k + 1]`. Derivatives flow to the values; where rows
    end is no variable. Operators compute with the values.

    >>> rows = RaggedTensor.from_row_splits([1.0, 2.0, 3.0], [0, 2, 3])
    >>> 2.0 * rows
    <tf.RaggedTensor [[2.0, 4.0], [6.0]]>
    >>> rows.to_tensor().numpy()
    array([[1., 2.],
           [3., 0.]], dtype=float32)
    """

    # --- ways to make one -------------------------------------------------------------------------

    @classmethod
    def from_row_splits(
        cls, values: Any, row_splits: Any, name: str | None = None, validate: bool = True
    ) -> Self:
        """Cut values into rows at places, of which the first is 0 and the last their number.

        Raises `InvalidArgumentError` for other places.
        """
        splits = checked(np.asarray(plain(row_splits)), "from_row_splits")
        return cls._of(values, splits)

    @classmethod
    def from_row_lengths(
        cls, values: Any, row_lengths: Any, name: str | None = None, validate: bool = True
    ) -> Self:
        """Cut values into rows of some lengths; raises `InvalidArgumentError` for a wrong sum."""
        return cls._of(values, from_lengths(plain(row_lengths)))

    @classmethod
    def from_value_rowids(
        cls,
        values: Any,
        value_rowids: Any,
        nrows: Any = None,
        name: str | None = None,
        validate: bool = True,
    ) -> Self:
        """Say of each value in which row it is; the rows are in order, and may be empty.

        Raises `InvalidArgumentError` for rows that are not in order.
        """
        return cls._of(values, from_rowids(plain(value_rowids), nrows))

    @classmethod
    def from_row_starts(
        cls, values: Any, row_starts: Any, name: str | None = None, validate: bool = True
    ) -> Self:
        """Say where each row begins; raises `InvalidArgumentError` for places out of order."""
        found = held(values)
        splits = np.append(np.asarray(plain(row_starts)), len_of(found))
        return cls._of(found, checked(splits, "from_row_starts"))

    @classmethod
    def from_row_limits(
        cls, values: Any, row_limits: Any, name: str | None = None, validate: bool = True
    ) -> Self:
        """Say where each row ends; raises `InvalidArgumentError` for places out of order."""
        ends = np.asarray(plain(row_limits))
        return cls._of(values, checked(np.insert(ends, 0, 0), "from_row_limits"))

    @classmethod
    def from_uniform_row_length(
        cls,
        values: Any,
        uniform_row_length: Any,
        nrows: Any = None,
        validate: bool = True,
        name: str | None = None,
    ) -> Self:
        """Cut values into rows of one length.

        Raises `InvalidArgumentError` where the values do not fill the rows.
        """
        found, size = held(values), int(plain(uniform_row_length))
        count = len_of(found) // max(size, 1) if nrows is None else int(plain(nrows))
        return cls._of(found, from_lengths([size] * count), uniform=size)

    @classmethod
    def from_nested_row_splits(
        cls,
        flat_values: Any,
        nested_row_splits: Sequence[Any],
        name: str | None = None,
        validate: bool = True,
    ) -> Any:
        """Cut values into rows, and these into rows again, the innermost last in the list."""
        made = flat_values
        for splits in reversed(nested_row_splits):
            made = cls.from_row_splits(made, splits)
        return made

    @classmethod
    def from_nested_row_lengths(
        cls,
        flat_values: Any,
        nested_row_lengths: Sequence[Any],
        name: str | None = None,
        validate: bool = True,
    ) -> Any:
        """Cut values into rows of some lengths, and these again, the innermost last in the list."""
        made = flat_values
        for lengths in reversed(nested_row_lengths):
            made = cls.from_row_lengths(made, lengths)
        return made

    @classmethod
    def _of(cls, values: Any, splits: Any, uniform: int | None = None) -> Self:
        found = held(values)
        checked(splits, "_from_row_partition", len_of(found))
        return cls(found, splits, uniform=uniform)

    @classmethod
    def from_tensor(
        cls,
        tensor: Any,
        lengths: Any = None,
        padding: Any = None,
        ragged_rank: int = 1,
        name: str | None = None,
        row_splits_dtype: Any = "int64",
    ) -> Any:
        """Make rows of those of a tensor; shorter ones by `lengths`, or without `padding` behind.

        Raises `ValueError` for both.
        """
        found = trimmed(cls, tensor, lengths, padding, ragged_rank)
        return found.with_row_splits_dtype(row_splits_dtype)

    # --- elements ---------------------------------------------------------------------------------

    def to_tensor(
        self, default_value: Any = None, name: str | None = None, shape: Any = None
    ) -> Tensor:
        """Give a tensor in which shorter rows go on with zeros, or with `default_value`.

        Rows that are longer than `shape` are cut off.
        """
        return padded(self, default_value, shape)

    def __iter__(self) -> Iterator[Any]:
        return (self[k] for k in range(len(self.splits) - 1))

    def __getitem__(self, key: Any) -> Any:
        return item(self, key if isinstance(key, (tuple, list)) else (key,))


for _name, _method in METHODS.items():
    setattr(RaggedTensor, _name, _method)
RaggedTensor.__hash__ = Rows.__hash__  # type: ignore[method-assign]  # __eq__ took it away
RaggedTensorSpec.kind = RaggedTensor
