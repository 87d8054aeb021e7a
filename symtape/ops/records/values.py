"""The values of records, read off their bytes: an array for each feature that is wanted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from symtape.ops.records import wire
from symtape.tensor import dtypes
from symtape.tensor.dtypes import DType

_LISTS = {1: dtypes.string, 2: dtypes.float32, 3: dtypes.int64}
"""What the lists of a `tf.train.Feature` hold, by the numbers of their fields."""
_VALUE = 1
"""The number of the field that holds the values of a list."""


class Values(NamedTuple):
    """The values of a feature: their dtype, and an array of one axis."""

    dtype: DType
    array: Any


def inner(data: bytes, number: int) -> Iterator[bytes]:
    """Give the messages in a field; raises `WireError`."""
    for found in wire.fields(data):
        if found.number == number and found.kind == wire.BYTES:
            yield found.content


def entries(data: bytes, number: int) -> dict[str, bytes]:
    """Read the map in a field of a message in a field; of equal keys the last counts.

    Raises `WireError`, and `UnicodeDecodeError` for a key that is no text.
    """
    pairs: dict[str, bytes] = {}
    for part in inner(data, number):
        for entry in inner(part, 1):
            content = {
                found.number: found.content
                for found in wire.fields(entry)
                if found.kind == wire.BYTES
            }
            pairs[content.get(1, b"").decode()] = content.get(2, b"")
    return pairs


def name_of(key: str | bytes) -> str:
    """Give the text that a key is."""
    return key.decode() if isinstance(key, bytes) else key


def values_in(feature: bytes) -> Values | None:
    """Read the values of a feature; None if it says not even of what type they are.

    Raises `WireError`.
    """
    dtype: DType | None = None
    parts: list[Any] = []
    for field in wire.fields(feature):
        if field.number not in _LISTS or field.kind != wire.BYTES:
            continue
        if _LISTS[field.number] is not dtype:
            dtype, parts = _LISTS[field.number], []
        parts += _arrays(dtype, field.content)
    if dtype is None:
        return None
    array = parts[0] if len(parts) == 1 else np.concatenate([nothing(dtype), *parts])
    return Values(dtype, array)


def _arrays(dtype: DType, data: bytes) -> Iterator[Any]:
    for field in wire.fields(data):
        if field.number == _VALUE:
            values = _read(dtype, field)
            if values is not None:
                yield values


def _read(dtype: DType, field: wire.Found) -> Any:
    """Read values, which may be packed; None where they are written in another way."""
    if dtype is dtypes.string:
        return _text(field.content) if field.kind == wire.BYTES else None
    if dtype is dtypes.int64:
        if field.kind == wire.VARINT:
            return np.array([field.content], np.uint64).view(np.int64)
        return wire.unpacked(field.content) if field.kind == wire.BYTES else None
    if field.kind not in {wire.BYTES, wire.FOUR}:
        return None
    if len(field.content) % 4:
        raise wire.WireError("numbers are cut off")
    return np.frombuffer(field.content, "<f4")


def _text(content: bytes) -> Any:
    made = np.empty(1, object)
    made[0] = content
    return made


def nothing(dtype: DType, count: int = 0) -> Any:
    """Make values that say nothing: zeros, or texts without letters."""
    made = np.empty(count, dtype.numpy)
    made[...] = b"" if dtype is dtypes.string else 0
    return made
