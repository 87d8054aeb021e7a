"""Elements that are records of files: with their lengths before them, or all of one length."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from symtape.data.stages.base import UNKNOWN, Failed, Stage
from symtape.data.stages.files.failures import failed
from symtape.data.stages.files.lines import Names
from symtape.errors import (
    DataLossError,
    InternalError,
    InvalidArgumentError,
)
from symtape.ops.files.sources import LostError, Source, pieces
from symtape.ops.records.framing import records_in
from symtape.ops.spec import TensorSpec
from symtape.tensor import dtypes
from symtape.tensor.tensor import Tensor

Reading = Callable[[str], Iterator[bytes]]
"""What begins to read the records of a file."""


class Files(Stage):
    """The records of files, one file after another; after an error comes the next file."""

    spec = TensorSpec([], dtypes.string)

    def __init__(self, names: Names, reading: Reading, trouble: str | None = None) -> None:
        self._names = names
        self._reading = reading
        self._trouble = trouble
        """What is wrong with how files shall be read, and is told when a record is asked for."""

    cardinality = UNKNOWN

    def run(self) -> Iterator[Any]:
        """Read a file when its first record is asked for."""
        return _Elements(self._names(), self._reading, self._trouble)

    def probe(self, number: int) -> Any:
        """Take a record, so that elements differ as the data do; make one up where none is."""
        try:
            return next(islice(self.run(), number, None), None) or next(self.run())
        except (Failed, StopIteration):
            return super().probe(number)


class _Elements(Iterator[Tensor]):
    """Goes on after an error, which a generator does not."""

    def __init__(self, names: Iterator[bytes], reading: Reading, trouble: str | None) -> None:
        self._names = names
        self._reading = reading
        self._trouble = trouble
        self._path = ""
        self._records: Iterator[bytes] = iter(())

    def __next__(self) -> Tensor:
        while True:
            try:
                record = next(self._records, None)
            except (OSError, LostError) as error:
                self._records = iter(())
                raise failed(self._path, error) from None
            if record is not None:
                return Tensor(np.array(record, object))
            self._path = next(self._names).decode()
            if self._trouble is not None:
                raise Failed(InvalidArgumentError, self._trouble)
            self._records = self._reading(self._path)


def with_lengths(compression: str) -> Reading:
    """Give what reads records that have their lengths before them."""
    return lambda path: records_in(Source(path, compression))


def of_one_length(compression: str, record: int, header: int, footer: int) -> Reading:
    """Give what reads records of one length, between the header and the footer of a file."""

    def read(path: str) -> Iterator[bytes]:
        total = sum(map(len, pieces(path, compression))) if compression else _size(path)
        body = total - header - footer
        if math.fmod(body, record):
            raise Failed(
                DataLossError if compression else InvalidArgumentError,
                f"Excluding the header ({header} bytes) and footer ({footer} bytes), input file "
                f'"{path}" has body length {body} bytes, which is not an exact multiple of the '
                f"record length ({record} bytes).",
            )
        source = Source(path, compression)
        if len(source.take(min(header, total + 1))) < header:
            raise Failed(InternalError, f'input file "{path}" has less bytes than its header')
        for _ in range(body // record):
            yield source.take(record)

    return read


def _size(path: str) -> int:
    with Path(path).open("rb") as file:
        return file.seek(0, 2)
