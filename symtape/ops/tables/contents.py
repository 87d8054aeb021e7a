"""What a table begins with: pairs of a key and a value, of tensors or of the lines of a file."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from symtape.errors import NotFoundError
from symtape.ops.arguments import is_tensor
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.dispatch import invalid, listed
from symtape.tensor.values import look_at

_IMPORT = "LookupTableImportV2"


class TextFileIndex:
    """What of a line of a file is meant: all of it, or its number."""

    WHOLE_LINE = -2
    LINE_NUMBER = -1


class Initializer:
    """What a table begins with: pairs of a key and a value, and their dtypes."""

    op = _IMPORT

    def __init__(self, key_dtype: Any, value_dtype: Any) -> None:
        self.key_dtype = dtypes.as_dtype(key_dtype)
        self.value_dtype = dtypes.as_dtype(value_dtype)

    def pairs(self) -> Iterable[tuple[Any, Any]]:
        """Give the pairs, in order."""
        raise NotImplementedError

    def initialize(self, table: Any) -> None:
        """Fill a table; whoever fills it otherwise overrides this."""
        table.fill(self.pairs(), self.op)


class KeyValueTensorInitializer(Initializer):
    """Keys and values of a table, as tensors of one axis.

    >>> made = KeyValueTensorInitializer(["a", "b"], [1, 2])
    >>> made.key_dtype, made.value_dtype
    (tf.string, tf.int32)
    """

    def __init__(
        self,
        keys: Any,
        values: Any,
        key_dtype: Any = None,
        value_dtype: Any = None,
        name: str | None = None,
    ) -> None:
        self._keys, self._values = convert(keys, key_dtype), convert(values, value_dtype)
        super().__init__(self._keys.dtype, self._values.dtype)

    def pairs(self) -> Iterable[tuple[Any, Any]]:
        """Give the pairs; raises `InvalidArgumentError` where there are not as many values."""
        keys, values = np.asarray(look_at(self._keys)), np.asarray(look_at(self._values))
        if keys.shape != values.shape:
            raise invalid(
                _IMPORT,
                f"Expected shape {listed(keys.shape)} for value, got {listed(values.shape)}",
            )
        return zip(keys.ravel().tolist(), values.ravel().tolist(), strict=True)


class TextFileInitializer(Initializer):
    """Keys and values of a table, in the lines of a file.

    An index is a column, counted from 0, or one of `TextFileIndex`. Raises `ValueError` for dtypes
    that do not fit an index.
    """

    op = "InitializeTableFromTextFileV2"

    def __init__(
        self,
        filename: Any,
        key_dtype: Any,
        key_index: int,
        value_dtype: Any,
        value_index: int,
        vocab_size: int | None = None,
        delimiter: str = "\t",
        name: str | None = None,
        value_index_offset: int = 0,
    ) -> None:
        super().__init__(key_dtype, value_dtype)
        _check("key", key_index, self.key_dtype)
        _check("value", value_index, self.value_dtype)
        name = filename.numpy() if is_tensor(filename) else filename
        self._file = name.decode() if isinstance(name, bytes) else str(name)
        self._indices = key_index, value_index
        self._size, self._delimiter, self._offset = vocab_size, delimiter, value_index_offset

    def pairs(self) -> Iterable[tuple[Any, Any]]:
        """Read the file; raises `NotFoundError` if it is not there."""
        try:
            with open(self._file, "rb") as file:  # noqa: PTH123 - the name is the user's text
                lines = file.read().splitlines()
        except OSError as error:
            text = f"{self._file}; {error.strerror}"
            raise NotFoundError.of(self.op, text) from None
        for number, line in enumerate(lines[: self._size]):
            columns = line.split(self._delimiter.encode())
            key, value = (self._part(index, number, line, columns) for index in self._indices)
            yield _of_dtype(key, self.key_dtype), _of_dtype(value, self.value_dtype)

    def _part(self, index: int, number: int, line: bytes, columns: list[bytes]) -> Any:
        if index == TextFileIndex.WHOLE_LINE:
            return line
        if index == TextFileIndex.LINE_NUMBER:
            return number + self._offset
        if index >= len(columns):
            raise invalid(
                self.op,
                f"Invalid number of columns in {self._file} line {number} ({line.decode()}) : "
                f"expected at least {index + 1} got {len(columns)}",
            )
        return columns[index]


def _of_dtype(value: Any, dtype: dtypes.DType) -> Any:
    return value if dtype is dtypes.string else dtype.as_numpy_dtype(value).item()


def _check(what: str, index: int, dtype: dtypes.DType) -> None:
    """Raise `ValueError` for a column that is not there, or is of another dtype."""
    if index < TextFileIndex.WHOLE_LINE:
        raise ValueError(f"`{what}_index` should be >= -2, received: {index}.")
    told = f"for `{what}_index` {index}, received: {dtype}"
    if index == TextFileIndex.LINE_NUMBER and dtype is not dtypes.int64:
        raise ValueError(f"`{what}_dtype` must be int64 {told}")
    if index == TextFileIndex.WHOLE_LINE and not (dtype.is_integer or dtype is dtypes.string):
        raise ValueError(f"`{what}_dtype` should be either integer or string {told}")
