"""`RaggedTensor`, and the ways to make one of values and rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Self

import numpy as np

from symtape.ops.arguments import is_tensor
from symtape.ops.ragged import splits as places
from symtape.ops.ragged.dense import padded, trimmed
from symtape.ops.ragged.elementwise import METHODS
from symtape.ops.ragged.merging import merged
from symtape.ops.ragged.picking import item
from symtape.ops.ragged.rows import Rows, held, len_of
from symtape.ops.ragged.spec import RaggedTensorSpec
from symtape.tensor.shape import TensorShape
from symtape.tensor.tensor import Tensor
from symtape.tensor.unknown_sizes import unsized


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
        places.check_flag(validate)
        if isinstance(row_splits, (list, tuple)) and not row_splits:
            raise ValueError("row_splits tensor may not be empty.")
        found = held(values)
        given = places.read(row_splits, "row_splits", _hint(found))
        return cls._of(found, places.checked(given, "from_row_splits"))

    @classmethod
    def from_row_lengths(
        cls, values: Any, row_lengths: Any, name: str | None = None, validate: bool = True
    ) -> Self:
        """Cut values into rows of some lengths; raises `InvalidArgumentError` for a wrong sum."""
        places.check_flag(validate)
        found = held(values)
        lengths = places.read(row_lengths, "row_lengths", _hint(found))
        return cls._of(found, places.from_lengths(lengths))

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
        places.check_flag(validate)
        found = held(values)
        rows = places.read(value_rowids, "value_rowids", _hint(found))
        splits = places.from_rowids(rows, nrows)
        TensorShape([len_of(found)]).assert_is_compatible_with(TensorShape([len(rows)]))
        return cls._of(found, splits)

    @classmethod
    def from_row_starts(
        cls, values: Any, row_starts: Any, name: str | None = None, validate: bool = True
    ) -> Self:
        """Say where each row begins; raises `InvalidArgumentError` for places out of order."""
        places.check_flag(validate)
        found = held(values)
        starts = places.read(row_starts, "row_starts", _hint(found))
        splits = np.append(starts, starts.dtype.type(len_of(found)))
        return cls._of(found, places.checked(splits, "from_row_starts"))

    @classmethod
    def from_row_limits(
        cls, values: Any, row_limits: Any, name: str | None = None, validate: bool = True
    ) -> Self:
        """Say where each row ends; raises `InvalidArgumentError` for places out of order."""
        places.check_flag(validate)
        found = held(values)
        ends = places.read(row_limits, "row_limits", _hint(found))
        return cls._of(found, places.checked(np.insert(ends, 0, 0), "from_row_limits"))

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

        Raises `ValueError` where the values do not fill the rows.
        """
        places.check_flag(validate)
        found = held(values)
        length = places.read(uniform_row_length, "UniformRowLength", _hint(found), rank=0)
        splits = places.uniform(length, len_of(found), nrows)
        return cls._of(found, splits, uniform=int(length))

    @classmethod
    def from_nested_row_splits(
        cls,
        flat_values: Any,
        nested_row_splits: Sequence[Any],
        name: str | None = None,
        validate: bool = True,
    ) -> Any:
        """Cut values into rows, and these into rows again, the innermost last in the list."""
        places.check_flag(validate)
        _check_list(nested_row_splits, "nested_row_splits")
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
        places.check_flag(validate)
        _check_list(nested_row_lengths, "nested_row_lengths")
        made = flat_values
        for lengths in reversed(nested_row_lengths):
            made = cls.from_row_lengths(made, lengths)
        return made

    @classmethod
    def from_nested_value_rowids(
        cls,
        flat_values: Any,
        nested_value_rowids: Sequence[Any],
        nested_nrows: Sequence[Any] | None = None,
        name: str | None = None,
        validate: bool = True,
    ) -> Any:
        """Say of each value in which row it is, and of each row again, the innermost last.

        Raises `ValueError` for another number of `nested_nrows`, and as `from_value_rowids` does.
        """
        places.check_flag(validate)
        _check_list(nested_value_rowids, "nested_value_rowids")
        counts = [None] * len(nested_value_rowids) if nested_nrows is None else nested_nrows
        _check_list(counts, "nested_nrows")
        if len(counts) != len(nested_value_rowids):
            raise ValueError(
                "Argument `nested_nrows` must have the same length as argument "
                f"`nested_value_rowids`. len(nested_nrows) = {len(counts)} vs. "
                f"len(nested_values_rowids) = {len(nested_value_rowids)}."
            )
        made = flat_values
        for rows, count in reversed(list(zip(nested_value_rowids, counts, strict=True))):
            made = cls.from_value_rowids(made, rows, count)
        return made

    @classmethod
    def _of(cls, values: Any, splits: Any, uniform: int | None = None) -> Self:
        found = held(values)
        places.checked(splits, "_from_row_partition", len_of(found))
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
        return _loosened(self, padded(self, default_value, shape), shape)

    def merge_dims(self, outer_axis: int, inner_axis: int) -> Any:
        """Make one axis of those between two axes; raises `ValueError` for axes out of order."""
        return merged(self, outer_axis, inner_axis)

    def __iter__(self) -> Iterator[Any]:
        return (self[k] for k in range(len(self.splits) - 1))

    def __getitem__(self, key: Any) -> Any:
        return item(self, key if isinstance(key, (tuple, list)) else (key,))


def _loosened(rows: Rows, made: Tensor, shape: Any) -> Tensor:
    """Give a tensor of rows, of which nobody knows how long they are unless it is said."""
    said = TensorShape(None if shape is None else shape)
    sizes = rows.shape if said.rank is None else said
    axes = [k for k, n in enumerate(rows.shape) if n is None and sizes[k] is None]
    return unsized(made, *axes) if axes else made


def _hint(values: Any) -> Any:
    """Give the dtype of places beside which new ones stand; None where there are none."""
    return values.splits.dtype if isinstance(values, Rows) else None


def _check_list(given: Any, name: str) -> None:
    if is_tensor(given):
        raise TypeError(f"Argument `{name}` must be a list of Tensors. Received {given.numpy()}.")


for _name, _method in METHODS.items():
    setattr(RaggedTensor, _name, _method)
RaggedTensor.__hash__ = Rows.__hash__  # type: ignore[method-assign]  # __eq__ took it away
RaggedTensorSpec.kind = RaggedTensor
