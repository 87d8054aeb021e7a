"""Elements that are lines of files, or records of tables in files, read when they are asked for."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from symtape.data.stages.base import UNKNOWN, Failed, Stage
from symtape.errors import InvalidArgumentError
from symtape.ops.files.failures import kind_of
from symtape.ops.files.fields import Column, Dialect, FieldError, records_of, row_of
from symtape.ops.spec import TensorSpec
from symtape.tensor import dtypes
from symtape.tensor.tensor import Tensor

Names = Callable[[], Iterator[bytes]]
"""What begins anew to list the names of files."""

READERS: dict[str, Callable[[bytes], bytes]] = {
    "": bytes,
    "GZIP": gzip.decompress,
    "ZLIB": zlib.decompress,
}
"""How the bytes of a file are unpacked, by TensorFlow's names for compressions."""


def contents(name: bytes, compression: str) -> bytes:
    """Read a file; raises `Failed` if it is not there, or not compressed in this way."""
    path = name.decode()
    try:
        return READERS[compression](Path(path).read_bytes())
    except (OSError, zlib.error, EOFError) as error:
        said = error.strerror if isinstance(error, OSError) and error.strerror else error
        raise Failed(kind_of(error), f"{path}; {said}") from error


class Lines(Stage):
    """The lines of files, one file after another, without what ends them."""

    spec = TensorSpec([], dtypes.string)

    def __init__(self, names: Names, compression: str) -> None:
        self._names = names
        self._compression = compression

    @property
    def cardinality(self) -> int:
        """Unknown."""
        return UNKNOWN

    def run(self) -> Iterator[Any]:
        """Read a file when its first line is asked for."""
        if self._compression not in READERS:
            raise Failed(InvalidArgumentError, "Unsupported compression_type.")
        for name in self._names():
            lines = contents(name, self._compression).split(b"\n")
            if not lines[-1]:
                lines.pop()
            for line in lines:
                yield Tensor(np.array(line.removesuffix(b"\r"), object))


class Records(Stage):
    """The records of tables in files, a tuple of the columns that are chosen."""

    def __init__(
        self,
        names: Names,
        columns: list[Column],
        dialect: Dialect,
        compression: str,
        header: bool,
        chosen: Callable[[int], bool] | None,
    ) -> None:
        self._names = names
        self._columns = columns
        self._dialect = dialect
        self._compression = compression
        self._header = header
        self._chosen = chosen
        self.spec = tuple([TensorSpec([], column.dtype) for column in columns])

    @property
    def cardinality(self) -> int:
        """Unknown."""
        return UNKNOWN

    def run(self) -> Iterator[Any]:
        """Read a file when its first record is asked for."""
        for name in self._names():
            records = records_of(contents(name, self._compression), self._dialect)
            try:
                if self._header:
                    next(records, None)
                for record in records:
                    yield self._element(record)
            except FieldError as error:
                raise Failed(InvalidArgumentError, str(error)) from None

    def _element(self, fields: list[bytes]) -> tuple[Tensor, ...]:
        if self._chosen is not None:
            fields = [field for k, field in enumerate(fields) if self._chosen(k)]
        values = row_of(fields, self._columns, self._dialect.none, "record")
        return tuple(
            [
                Tensor(np.array(v, object) if column.dtype is dtypes.string else v)
                for v, column in zip(values, self._columns, strict=True)
            ]
        )
