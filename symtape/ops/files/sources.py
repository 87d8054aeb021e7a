"""The bytes of a file, unpacked, piece by piece: no more of it is held than what is asked for."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from pathlib import Path

_PIECE = 1 << 18
WINDOWS = {"GZIP": 31, "ZLIB": 15}
"""What zlib takes for the size of its window, and for the form of the file beside."""


class LostError(ValueError):
    """A file is not what it has to be; the text is that of TensorFlow's `DataLossError`."""


def pieces(path: str, compression: str, *, whole: bool = False) -> Iterator[bytes]:
    """Read a file piece by piece; raises `OSError`, and `LostError` where it cannot be unpacked.

    A file that is `whole` has to end where what is packed ends; who reads records with their
    lengths sees for himself what is cut off.
    """
    with Path(path).open("rb") as file:
        packed = iter(lambda: file.read(_PIECE), b"")
        yield from _unpacked(packed, WINDOWS[compression], whole) if compression else packed


def _unpacked(packed: Iterator[bytes], window: int, whole: bool) -> Iterator[bytes]:
    """Unpack pieces; behind the end of what is packed by gzip comes the next part.

    Behind what zlib packed nothing is read, as by TensorFlow.
    """
    unpacking = zlib.decompressobj(window)
    started = False
    for piece in packed:
        left, started = piece, True
        while left or not unpacking.eof:
            if unpacking.eof and window == WINDOWS["ZLIB"]:
                return
            unpacking = zlib.decompressobj(window) if unpacking.eof else unpacking
            try:
                found = unpacking.decompress(left, _PIECE)
            except zlib.error as error:
                raise LostError(_inflating(error)) from None
            left = unpacking.unused_data if unpacking.eof else unpacking.unconsumed_tail
            if found:
                yield found
            elif not left:
                break
    if whole and started and not unpacking.eof:
        raise LostError("the file ends before what is packed in it ends")


def _inflating(error: zlib.error) -> str:
    """Say in TensorFlow's words why bytes cannot be unpacked.

    >>> _inflating(zlib.error("Error -3 while decompressing data: incorrect header check"))
    'inflate() failed with error -3: incorrect header check'
    """
    number, _, why = str(error).removeprefix("Error ").partition(" while decompressing data: ")
    return f"inflate() failed with error {number}: {why}"


class Source:
    """The bytes of a file, from which somebody takes as many as are wanted."""

    def __init__(self, path: str, compression: str) -> None:
        self._pieces = pieces(path, compression)
        self._held = bytearray()
        self.ending = "EOF reached" if compression else "Read less bytes than requested"
        """What TensorFlow says where fewer bytes are there."""

    def take(self, count: int) -> bytes:
        """Take bytes, fewer where the file ends; raises what `pieces` raises."""
        while len(self._held) < count:
            piece = next(self._pieces, None)
            if piece is None:
                break
            self._held += piece
        found = bytes(self._held[:count])
        del self._held[:count]
        return found
