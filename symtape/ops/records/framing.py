"""Files of records: before each its length with a checksum, behind it a checksum of its own."""

from __future__ import annotations

import struct
from collections.abc import Iterator

from symtape.ops.files.sources import LostError, Source
from symtape.ops.records.checksums import masked

_HEAD = struct.Struct("<QI")
_NO_RECORDS = " (Is this even a TFRecord file?)"
_CHECKSUM = struct.Struct("<I")


def framed(record: bytes) -> bytes:
    r"""Write a record as it stands in a file.

    >>> framed(b"")
    b'\x00\x00\x00\x00\x00\x00\x00\x00)\x03\x98\x07\xd8\xea\x82\xa2'
    """
    length = struct.pack("<Q", len(record))
    head = length + _CHECKSUM.pack(masked(length))
    return head + record + _CHECKSUM.pack(masked(record))


def records_in(source: Source) -> Iterator[bytes]:
    """Read records; raises `LostError` where a checksum differs, or a record does not end.

    Less than the head of a record at the end is passed over, as by TensorFlow.
    """
    at = 0
    while True:
        head = source.take(_HEAD.size)
        if len(head) < _HEAD.size:
            return
        length, checksum = _HEAD.unpack(head)
        if masked(head[:8]) != checksum:
            raise LostError(f"corrupted record at {at}{_NO_RECORDS if at == 0 else ''}")
        found = source.take(length + _CHECKSUM.size)
        if len(found) < length + _CHECKSUM.size:
            raise LostError(f"truncated record at {at}' failed with {source.ending}")
        record = found[:length]
        if _CHECKSUM.unpack(found[length:])[0] != masked(record):
            raise LostError(f"corrupted record at {at + _HEAD.size}")
        yield record
        at += _HEAD.size + len(found)
