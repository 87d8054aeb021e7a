"""The wire format of Protocol Buffers: a message is a list of fields.

A field begins with a number of seven bits a byte, which is eight times the number of the field, and
how it is written: as such a number, in eight or four bytes, as bytes whose count comes first, or as
fields up to an end.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

VARINT, EIGHT, BYTES, GROUP, END, FOUR = range(6)
"""How a field is written, by the number that says so."""
_SIZES = {EIGHT: 8, FOUR: 4}
_ALL = (1 << 64) - 1
_DEPTH = 100
"""How deep groups may lie in each other, as Protocol Buffers have it."""


class WireError(ValueError):
    """Bytes are no message."""


class Found(NamedTuple):
    """A field of a message: its number, how it is written, what it has, and where it lies."""

    number: int
    kind: int
    content: Any
    start: int
    end: int


def varint(value: int) -> bytes:
    r"""Write a number, seven bits a byte; a negative one is that plus two to the power of 64.

    >>> varint(300), len(varint(-1))
    (b'\xac\x02', 10)
    """
    out = bytearray()
    value &= _ALL
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def field(number: int, content: bytes) -> bytes:
    r"""Write a field that is bytes.

    >>> field(1, b"ab")
    b'\n\x02ab'
    """
    return varint(number << 3 | BYTES) + varint(len(content)) + content


def numeric(number: int, value: int) -> bytes:
    r"""Write a field that is a number.

    >>> numeric(1, 3)
    b'\x08\x03'
    """
    return varint(number << 3 | VARINT) + varint(value)


def read_varint(data: bytes, at: int) -> tuple[int, int]:
    r"""Read a number, and where it ends; raises `WireError` if it does not.

    >>> read_varint(b"\xac\x02", 0)
    (300, 2)
    """
    value = 0
    for shift in range(0, 70, 7):
        if at >= len(data):
            raise WireError("a number is cut off")
        value |= (data[at] & 127) << shift
        at += 1
        if data[at - 1] < 128:
            return value & _ALL, at
    raise WireError("a number has more than ten bytes")


def fields(data: bytes) -> Iterator[Found]:
    """Give the fields of a message; raises `WireError` where it is none.

    >>> [(found.number, found.content) for found in fields(numeric(1, 3) + field(2, b"ab"))]
    [(1, 3), (2, b'ab')]
    """
    at = 0
    while at < len(data):
        found = _field(data, at)
        if found.kind == END:
            raise WireError("a group ends that has not begun")
        at = found.end
        yield found


def _field(data: bytes, start: int, depth: int = 0) -> Found:
    key, at = read_varint(data, start)
    number, kind = key >> 3, key & 7
    if not number or key >> 32:
        raise WireError("no field has this number")
    value: Any = None
    if kind == VARINT:
        value, at = read_varint(data, at)
    elif kind == GROUP:
        at = _end(data, at, number, depth + 1)
    elif kind in {BYTES, EIGHT, FOUR}:
        size, at = read_varint(data, at) if kind == BYTES else (_SIZES[kind], at)
        if size > len(data) - at:
            raise WireError("a field is cut off")
        value, at = data[at : at + size], at + size
    elif kind != END:
        raise WireError("no field is written in this way")
    return Found(number, kind, value, start, at)


def _end(data: bytes, at: int, number: int, depth: int) -> int:
    """Find the end of a group of fields."""
    while at < len(data) and depth <= _DEPTH:
        found = _field(data, at, depth)
        if found.kind == END and found.number == number:
            return found.end
        if found.kind == END:
            break
        at = found.end
    raise WireError("a group does not end")


# --- many numbers ---------------------------------------------------------------------------------


def unpacked(data: bytes) -> Any:
    r"""Read numbers that follow each other, as an array of int64; raises `WireError`.

    >>> unpacked(b"\x01\xac\x02")
    array([  1, 300])
    """
    given = np.frombuffer(data, np.uint8)
    if data.isascii():  # a byte for each number
        return given.astype(np.int64)
    last = np.flatnonzero(given < 128)
    if given[-1] > 127:
        raise WireError("a number is cut off")
    first = np.append(0, last[:-1] + 1)
    lengths = last - first + 1
    if lengths.max() > 10:
        raise WireError("a number has more than ten bytes")
    within = np.arange(len(given)) - np.repeat(first, lengths)
    bits = (given & 127).astype(np.uint64) << (7 * within).astype(np.uint64)
    return np.bitwise_or.reduceat(bits, first).view(np.int64)
