"""Elements that are lines of files, or records of tables in files, read when they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from symtape.data.stages.base import UNKNOWN, Failed, Stage
from symtape.data.stages.files.failures import failed
from symtape.errors import InvalidArgumentError
from symtape.ops.files.fields import Column, Dialect, FieldError, records_of, row_of
from symtape.ops.files.sources import WINDOWS, LostError, pieces
from symtape.ops.spec import TensorSpec
from symtape.tensor import dtypes
from symtape.tensor.tensor import Tensor

Names = Callable[[], Iterator[bytes]]
"""What begins anew to list the names of files."""


def _pieces(name: bytes, compression: str) -> Iterator[bytes]:
    """Read a file piece by piece; raises `Failed` if it is not there, or not compressed so."""
    path = name.decode()
    try:
        yield from pieces(path, compression, whole=True)
    except (OSError, LostError) as error:
        raise failed(path, error) from None


def contents(name: bytes, compression: str) -> bytes:
    """Read the whole of a file; raises what reading it piece by piece does."""
    return b"".join(_pieces(name, compression))


def lines_of(pieces: Iterable[bytes]) -> Iterator[bytes]:
    r"""Give the lines of what comes in pieces, without what ends them.

    >>> list(lines_of([b"a\nb", b"c", b"\r\n\nd"]))
    [b'a', b'bc', b'', b'd']
    """
    begun = list[bytes]()
    for piece in pieces:
        first, *others = piece.split(b"\n")
        begun.append(first)
        for line in others:
            yield b"".join(begun).removesuffix(b"\r")
            begun = [line]
    if last := b"".join(begun):
        yield last.removesuffix(b"\r")


class Lines(Stage):
    """The lines of files, one file after another, without what ends them."""

    spec = TensorSpec([], dtypes.string)

    def __init__(self, names: Names, compression: str) -> None:
        self._names = names
        self._compression = compression

    cardinality = UNKNOWN

    def run(self) -> Iterator[Any]:
        """Read a file when its first line is asked for."""
        if self._compression not in ("", *WINDOWS):
            raise Failed(InvalidArgumentError, "Unsupported compression_type.")
        for name in self._names():
            for line in lines_of(_pieces(name, self._compression)):
                yield Tensor(np.array(line, object))


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

    cardinality = UNKNOWN

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
