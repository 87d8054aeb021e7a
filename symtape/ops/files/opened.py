"""`tf.io.gfile.GFile`: a file of this machine, read and written as TensorFlow does."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any, Self

from symtape.errors import InvalidArgumentError, PermissionDeniedError
from symtape.ops.files.failures import kind_of

_READS = ("r", "r+", "a+", "w+")
_WRITES = ("a", "w", "r+", "a+", "w+")


def path_of(value: Any) -> str:
    """Give the name of a file as a text.

    >>> path_of(b"a/b")
    'a/b'
    """
    found = os.fspath(value)
    return found.decode() if isinstance(found, bytes) else str(found)


@contextmanager
def naming(path: Any) -> Iterator[None]:
    """Raise the error of TensorFlow's for one of the system's, with the name of the file."""
    try:
        yield
    except OSError as error:
        raise kind_of(error)(message=f"{path_of(path)}; {error.strerror}") from None


def bytes_of(value: Any, encoding: str = "utf-8") -> bytes:
    """Give bytes for a text; bytes are what they are. Raises `TypeError` for anything else.

    >>> bytes_of("a"), [*bytes_of(bytes([255]))]
    (b'a', [255])
    """
    if isinstance(value, str):
        return value.encode(encoding)
    if isinstance(value, (bytes, bytearray)):
        return bytes(value)
    raise TypeError(f"Expected binary or unicode string, got {value!r}")


class GFile:
    """A file, which is opened when it is first read or written.

    What is read is a text, or bytes where the mode has a `b`, and places are numbers of bytes;
    lines have no carriage returns. Texts and bytes can be written in each mode. Raises
    `NotFoundError` if it is read and not there, `PermissionDeniedError` for what the mode does not
    allow, and `InvalidArgumentError` for another mode and for places before the beginning.

    >>> GFile("/no/such/file").read()
    Traceback (most recent call last):
    symtape.errors.NotFoundError: /no/such/file; No such file or directory
    """

    def __init__(self, name: Any, mode: str = "r") -> None:
        self.name = name
        self.mode = mode
        self._is_binary = "b" in mode
        self._plain = mode.replace("b", "")
        if self._plain not in {*_READS, *_WRITES}:
            raise InvalidArgumentError(
                message="mode is not 'r' or 'w' or 'a' or 'r+' or 'w+' or 'a+'"
            )
        self._read: IO[bytes] | None = None
        self._written: IO[bytes] | None = None

    def _reader(self) -> IO[bytes]:
        if self._read is None:
            if self._plain not in _READS:
                raise PermissionDeniedError(message="File isn't open for reading")
            with naming(self.name):
                self._read = open(path_of(self.name), "rb")  # noqa: PTH123, SIM115 - it is kept
        return self._read

    def _writer(self) -> IO[bytes]:
        if self._written is None:
            if self._plain not in _WRITES:
                raise PermissionDeniedError(message="File isn't open for writing")
            mode = "ab" if "a" in self._plain else "wb"
            with naming(self.name):
                self._written = open(path_of(self.name), mode)  # noqa: PTH123, SIM115 - it is kept
        return self._written

    def _prepared(self, found: bytes) -> Any:
        return found if self._is_binary else found.decode()

    def size(self) -> int:
        """Count the bytes of the file."""
        with naming(self.name):
            return os.stat(path_of(self.name)).st_size  # noqa: PTH116 - the name is a text

    def read(self, n: int = -1) -> Any:
        """Read a number of bytes, or all that are left."""
        file = self._reader()
        if n < -1:
            raise InvalidArgumentError(message=f"Can't read a negative number of bytes: {n}")
        with naming(self.name):
            return self._prepared(file.read(n))

    def readline(self) -> Any:
        """Read a line with its end; nothing is left where it is empty."""
        file = self._reader()
        with naming(self.name):
            return self._prepared(file.readline().replace(b"\r", b""))  # as TensorFlow's reader

    def readlines(self) -> list[Any]:
        """Read all lines that are left."""
        self._reader()
        return list(self)

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Any:
        found = self.readline()
        if not found:
            raise StopIteration
        return found

    def next(self) -> Any:
        """Read the next line; raises `StopIteration` if none is left."""
        return next(self)

    def write(self, file_content: Any) -> None:
        """Write a text or bytes; raises `TypeError` for anything else."""
        file = self._writer()
        with naming(self.name):
            file.write(bytes_of(file_content))

    def seek(self, offset: int | None = None, whence: int = 0, position: int | None = None) -> None:
        """Go on reading somewhere else: from the start, from here (1), or from the end (2)."""
        file = self._reader()
        if offset is None and position is None:
            raise TypeError("seek(): offset argument required")
        if offset is not None and position is not None:
            raise TypeError("seek(): offset and position may not be set simultaneously.")
        given = position if offset is None else offset
        if whence not in {0, 1, 2}:
            raise InvalidArgumentError(
                message=f"Invalid whence argument: {whence}. Valid values are 0, 1, or 2."
            )
        place = int(given or 0) + (0, file.tell(), self.size())[whence]
        if place < 0:
            raise InvalidArgumentError(message=f"Seeking to a negative position: {place}")
        file.seek(place)

    def tell(self) -> int:
        """Give the place of the next byte that is read, or, of what is only written, the end."""
        return (self._reader() if self._plain in _READS else self._writer()).tell()

    def seekable(self) -> bool:
        """Say that `seek` can be used."""
        return True

    def flush(self) -> None:
        """Write out what was written so far."""
        if self._written is not None:
            self._written.flush()

    def close(self) -> None:
        """Close the file, which the next reading or writing opens again."""
        for file in (self._read, self._written):
            if file is not None:
                file.close()
        self._read = self._written = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *reason: object) -> None:
        self.close()
