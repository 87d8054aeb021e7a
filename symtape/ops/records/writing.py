"""`tf.io.TFRecordWriter` and `TFRecordOptions`: files of records are written."""

from __future__ import annotations

import zlib
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, ClassVar, Self

from symtape.errors import FailedPreconditionError
from symtape.ops.files.failures import kind_of
from symtape.ops.files.sources import WINDOWS
from symtape.ops.records.framing import framed


class TFRecordOptions:
    """How a file of records is compressed (`tf.io.TFRecordOptions`).

    `compression_type` is "", "GZIP" or "ZLIB"; `window_bits`, `compression_level`,
    `compression_method`, `mem_level` and `compression_strategy` are zlib's. `flush_mode` and sizes
    of buffers say when bytes are passed on, and change no record. Raises `ValueError` for another
    compression.

    >>> TFRecordOptions("GZIP").compression_type
    'GZIP'
    """

    compression_type_map: ClassVar[dict[int, str]] = {1: "ZLIB", 2: "GZIP", 0: ""}

    def __init__(
        self,
        compression_type: Any = None,
        flush_mode: int | None = None,
        input_buffer_size: int | None = None,
        output_buffer_size: int | None = None,
        window_bits: int | None = None,
        compression_level: int | None = None,
        compression_method: int | None = None,
        mem_level: int | None = None,
        compression_strategy: int | None = None,
    ) -> None:
        self.get_compression_type_string(compression_type)
        self.compression_type = compression_type
        self.flush_mode = flush_mode
        self.input_buffer_size = input_buffer_size
        self.output_buffer_size = output_buffer_size
        self.window_bits = window_bits
        self.compression_level = compression_level
        self.compression_method = compression_method
        self.mem_level = mem_level
        self.compression_strategy = compression_strategy

    @classmethod
    def get_compression_type_string(cls, options: Any) -> str:
        """Name the compression of options, of a name or of a number; raises `ValueError`.

        >>> TFRecordOptions.get_compression_type_string(2)
        'GZIP'
        """
        if not options:
            return ""
        if isinstance(options, TFRecordOptions):
            return cls.get_compression_type_string(options.compression_type)
        if options in cls.compression_type_map:
            return cls.compression_type_map[options]
        if options in cls.compression_type_map.values():
            return str(options)
        raise ValueError(f'Not a valid compression_type: "{options}"')

    def packing(self) -> Any:
        """Give what compresses, or None; raises `ValueError` for what zlib does not take."""
        kind = self.get_compression_type_string(self.compression_type)
        if not kind:
            return None

        def of(given: int | None, usual: int) -> int:
            return usual if given is None else given

        return zlib.compressobj(
            of(self.compression_level, zlib.Z_DEFAULT_COMPRESSION),
            of(self.compression_method, zlib.DEFLATED),
            of(self.window_bits, WINDOWS[kind]),
            of(self.mem_level, 9),
            of(self.compression_strategy, zlib.Z_DEFAULT_STRATEGY),
        )


class TFRecordWriter:
    """Writes records to a file, one after the other (`tf.io.TFRecordWriter`).

    `path` is a text or bytes, `options` a `TFRecordOptions` or the name of a compression. Raises
    `NotFoundError` for a folder that is not there, `FailedPreconditionError` for one in the place
    of the file, and `ValueError` for an unknown compression. A context manager closes it.

    >>> with TFRecordWriter("/dev/null") as writer:
    ...     writer.write(b"a record")
    """

    _file: BinaryIO | None = None

    def __init__(self, path: Any, options: Any = None) -> None:
        if not isinstance(options, TFRecordOptions):
            options = TFRecordOptions(options)
        if not isinstance(path, (str, bytes)):
            raise TypeError(f"Expected binary or unicode string, got {path!r}")
        name = path.decode() if isinstance(path, bytes) else path
        self._packing = options.packing()
        try:
            self._file = Path(name).open("wb")  # noqa: SIM115 - `close` closes it
        except OSError as error:
            raise kind_of(error)(message=f"{name}; {error.strerror}") from None

    def write(self, record: Any) -> None:
        """Write a record: bytes, or a text in UTF-8.

        Raises `TypeError` for anything else, and `FailedPreconditionError` after `close`.
        """
        if not isinstance(record, (str, bytes, bytearray)):
            raise TypeError(
                "write(): incompatible function arguments. The following argument types are "
                "supported:\n    1. (self: tensorflow.python.lib.io._pywrap_record_io."
                f"RecordWriter, record: str) -> None\n\nInvoked with: {self!r}, {record!r}"
            )
        found = record.encode() if isinstance(record, str) else bytes(record)
        self._put(framed(found))

    def _put(self, data: bytes) -> None:
        self._opened().write(data if self._packing is None else self._packing.compress(data))

    def _opened(self) -> BinaryIO:
        if self._file is None:
            raise FailedPreconditionError(message="Writer is closed.")
        return self._file

    def flush(self) -> None:
        """Have all records that are written in the file; raises after `close`, as `write` does."""
        file = self._opened()
        if self._packing is not None:
            file.write(self._packing.flush(zlib.Z_PARTIAL_FLUSH))
        file.flush()

    def close(self) -> None:
        """Close the file; nothing happens if it is closed."""
        if self._file is None:
            return
        file, self._file = self._file, None
        with file:
            if self._packing is not None:
                file.write(self._packing.flush())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()
