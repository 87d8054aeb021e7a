"""The checksum of records: CRC-32C (Castagnoli), and how TensorFlow masks it.

A checksum is linear over bits: that of a block is the exclusive or of what each of its bytes adds,
which a table says for each byte and the number of bytes behind it.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

_POLYNOMIAL = 0x82F63B78
_BLOCK = 1024
"""The bytes of a block: as many rows has the table, of a kilobyte each."""
_TOGETHER = 256
"""Blocks that are looked up at once, so that memory stays small."""
_ALL = 0xFFFFFFFF


@cache
def _table() -> Any:
    """Give what each byte adds to the checksum of a block, by its place in the block."""
    row: Any = np.arange(256, dtype=np.uint32)
    for _ in range(8):
        row = row >> 1 ^ np.where(row & 1, np.uint32(_POLYNOMIAL), np.uint32(0))
    rows = [row]
    for _ in range(1, _BLOCK):
        rows.append(rows[0][rows[-1] & 255] ^ rows[-1] >> 8)
    return np.array(rows[::-1])


def crc32c(data: bytes) -> int:
    """Compute the checksum of bytes.

    >>> hex(crc32c(b"123456789"))
    '0xe3069283'
    """
    table, given = _table(), np.frombuffer(data, np.uint8)
    whole = len(given) - len(given) % _BLOCK
    state = _ALL
    for start in range(0, whole, _BLOCK * _TOGETHER):
        blocks = given[start : min(start + _BLOCK * _TOGETHER, whole)].reshape(-1, _BLOCK)
        for added in _added(table, blocks).tolist():
            state = _after(table[:4], state) ^ added
    rest = given[whole:]
    if len(rest) < 4:
        for byte in rest.tolist():
            state = int(table[-1][(state ^ byte) & 255]) ^ state >> 8
        return state ^ _ALL
    rows = table[_BLOCK - len(rest) :]
    return _after(rows[:4], state) ^ int(_added(rows, rest)) ^ _ALL


def _added(rows: Any, blocks: Any) -> Any:
    """Give what the bytes of blocks add, each looked up in the row of its place."""
    return np.bitwise_xor.reduce(rows[np.arange(len(rows)), blocks], axis=-1)


def _after(rows: Any, state: int) -> int:
    """Move a state behind a block: it adds to that what its four bytes would add in front."""
    found = 0
    for place in range(4):
        found ^= int(rows[place, state >> 8 * place & 255])
    return found


def masked(data: bytes) -> int:
    """Compute the checksum as it stands in a record: turned, and a number added.

    >>> hex(masked(b""))
    '0xa282ead8'
    """
    found = crc32c(data)
    return ((found >> 15 | found << 17) + 0xA282EAD8) & _ALL
