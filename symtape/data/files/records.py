"""`tf.data.TFRecordDataset`, `FixedLengthRecordDataset`, and a writer of what a dataset gives."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtape.data.dataset import Dataset
from symtape.data.elements.specs import compatible
from symtape.data.elements.structures import array_of, mapped
from symtape.data.files.lines import names_of
from symtape.data.held import Held, text_in, whole
from symtape.data.options import Options
from symtape.data.stages.base import Failed, Stage
from symtape.data.stages.files.lines import Names
from symtape.data.stages.files.records import Files, Reading, of_one_length, with_lengths
from symtape.errors import InvalidArgumentError, OpError
from symtape.ops.arguments import is_tensor, plain
from symtape.ops.files.sources import WINDOWS
from symtape.ops.records.writing import TFRecordWriter
from symtape.ops.spec import TensorSpec
from symtape.tensor import dtypes
from symtape.tensor.convert import convert


class TFRecordDatasetV2(Dataset):
    """The records of one or several files, as texts (`tf.data.TFRecordDataset`).

    `filenames` are a text, texts or a dataset of them; `compression_type` is "", "GZIP" or "ZLIB".
    With `num_parallel_reads` records come from as many files in turn. A file is read piece by
    piece. Raises `TypeError` for names that are no texts; and, where records are asked for,
    `NotFoundError` for a file that is not there, and `DataLossError` for one that is corrupted.

    >>> TFRecordDatasetV2("a.tfrecord").element_spec
    TensorSpec(shape=(), dtype=tf.string, name=None)
    """

    def __init__(
        self,
        filenames: Any,
        compression_type: Any = None,
        buffer_size: Any = None,
        num_parallel_reads: Any = None,
        name: str | None = None,
    ) -> None:
        names, compression = names_of(filenames), _compression(compression_type)
        buffer = 0 if buffer_size is None else _count(buffer_size)
        trouble = _first(
            (_NO_FILE, _is_unknown(compression)),
            ("`buffer_size` must be >= 0 (0 == no buffering)", buffer < -1),
        )
        self.stage = _stage(names, with_lengths(compression), trouble, num_parallel_reads)
        self.settings = Options()


class FixedLengthRecordDatasetV2(Dataset):
    """Records of `record_bytes` bytes of one or several files (`tf.data.FixedLengthRecordDataset`).

    The first `header_bytes` and the last `footer_bytes` of each file are left out; other arguments
    are those of `TFRecordDataset`. Raises `TypeError` for numbers that are not whole; and, where
    records are asked for, `NotFoundError` for a file that is not there, and `InvalidArgumentError`
    for one that records do not fill, which is a `DataLossError` if it is compressed.

    >>> FixedLengthRecordDatasetV2("a.bin", 4).element_spec
    TensorSpec(shape=(), dtype=tf.string, name=None)
    """

    def __init__(
        self,
        filenames: Any,
        record_bytes: Any,
        header_bytes: Any = None,
        footer_bytes: Any = None,
        buffer_size: Any = None,
        compression_type: Any = None,
        num_parallel_reads: Any = None,
        name: str | None = None,
    ) -> None:
        names, compression = names_of(filenames), _compression(compression_type)
        record = _count(record_bytes)
        header, footer, buffer = [
            0 if n is None else _count(n) for n in (header_bytes, footer_bytes, buffer_size)
        ]
        trouble = _first(
            (_NO_FILE, _is_unknown(compression)),
            ("`header_bytes` must be >= 0", header < 0),
            ("`record_bytes` must be > 0", record <= 0),
            ("`footer_bytes` must be >= 0", footer < 0),
            ("`buffer_size` must be >= 0", buffer < 0),
        )
        reading = of_one_length(compression, record, header, footer)
        self.stage = _stage(names, reading, trouble, num_parallel_reads)
        self.settings = Options()


_NO_FILE = "Unsupported compression_type."


def _is_unknown(compression: str) -> bool:
    return bool(compression) and compression not in WINDOWS


def _first(*checks: tuple[str, bool]) -> str | None:
    """Give the text of the first check that found something wrong."""
    return next((text for text, is_wrong in checks if is_wrong), None)


def _count(value: Any) -> int:
    """Read a whole number; raises `TypeError` for others."""
    found = plain(value) if is_tensor(value) else value
    if isinstance(found, (bool, float, str)):
        raise TypeError(f"Expected int64, but got {found} of type '{type(found).__name__}'.")
    return whole(found)


def _compression(value: Any) -> str:
    if value is not None and not is_tensor(value) and not isinstance(value, (str, bytes)):
        raise TypeError(f"Expected string, but got {value} of type '{type(value).__name__}'.")
    return text_in(value)


def _stage(names: Names, reading: Reading, trouble: str | None, together: Any) -> Stage:
    """Read file after file, or several in turn."""
    count = 1 if together is None else int(plain(together))
    if count in {1, -1}:
        return Files(names, reading, trouble)
    if count < 1:
        wrong = Failed(InvalidArgumentError, "`cycle_length` must be > 0")
        raise wrong.framed("LegacyParallelInterleaveDatasetV2", "_Targuments_0")
    files = Dataset.from_tensor_slices(np.array([*names()], object))

    def one(name: Any) -> Any:
        path = bytes(array_of(name)[()])
        return files._inner(Files(lambda: iter([path]), reading, trouble))  # noqa: SLF001 - of datasets

    return files.interleave(one, count).stage


class DatasetWriter:
    """Writes the records that a dataset gives (`tf.data.experimental.TFRecordWriter`).

    `filename` is a text, `compression_type` "", "GZIP" or "ZLIB"; `write` raises
    `ValueError` for any other.

    >>> DatasetWriter("/dev/null").write(Dataset.from_tensor_slices(["a", "b"]))
    """

    def __init__(self, filename: Any, compression_type: Any = None) -> None:
        self._path = text_in(convert(filename, dtypes.string))
        self._compression = _compression(compression_type)

    def write(self, dataset: Any) -> None:
        """Write all elements; raises `TypeError` for a dataset of anything but texts.

        Raises `NotFoundError` where the folder of the file is not there.
        """
        if not isinstance(dataset, Held):
            raise TypeError(
                f"Invalid `dataset.` Expected a `tf.data.Dataset` object but got {type(dataset)}."
            )
        spec = dataset.element_spec
        if not compatible(spec, TensorSpec([], dtypes.string)):
            shapes = mapped(lambda one: one.shape, spec)
            kinds = mapped(lambda one: one.dtype, spec)
            raise TypeError(
                "Invalid `dataset`. Expected a`dataset` that produces scalar `tf.string` elements, "
                f"but got a dataset which produces elements with shapes {shapes} and types {kinds}."
            )
        try:
            writer = TFRecordWriter(self._path, self._compression)
        except OpError as error:
            raise type(error).of("DatasetToTFRecord", error.message) from None
        with writer:
            for element in dataset:
                writer.write(array_of(element)[()])


Held._kinds.update(  # noqa: SLF001 - as all types of datasets are
    TFRecordDatasetV2=TFRecordDatasetV2, FixedLengthRecordDatasetV2=FixedLengthRecordDatasetV2
)
