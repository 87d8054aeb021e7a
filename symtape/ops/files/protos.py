"""Tensors as bytes, in TensorFlow's form `TensorProto`: serialize_tensor, parse_tensor."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from itertools import pairwise
from math import prod
from typing import Any

import numpy as np

from symtape.ops.arguments import tensor
from symtape.ops.files.reading import scalar_text
from symtape.ops.records.tensor_messages import field_of
from symtape.ops.records.wire import (
    VARINT,
    Found,
    WireError,
    field,
    fields,
    numeric,
    read_varint,
    unpacked,
    varint,
)
from symtape.tensor import dtypes
from symtape.tensor.dispatch import invalid
from symtape.tensor.tensor import Tensor
from symtape.tensor.unknown_sizes import announced
from symtape.tensor.values import look_at

_DTYPE, _SHAPE, _CONTENT, _STRINGS = 1, 2, 4, 8


def serialize_tensor(tensor: Any, name: str | None = None) -> Tensor:
    r"""The bytes of a tensor, as TensorFlow writes it.

    >>> serialize_tensor([1, 2]).numpy()
    b'\x08\x03\x12\x04\x12\x02\x08\x02"\x08\x01\x00\x00\x00\x02\x00\x00\x00'
    """
    return Tensor(np.array(written(_tensor(tensor)), object))


_tensor = tensor


def written(x: Tensor) -> bytes:
    """Write the message of a tensor."""
    array = np.asarray(look_at(x))
    if x.dtype is dtypes.string:
        return _head(array) + b"".join(field(_STRINGS, text) for text in array.ravel())
    return written_whole(array)


def written_whole(array: Any) -> bytes:
    r"""Write the message of an array with its elements as one piece, texts behind their lengths.

    >>> texts = np.array([b"ab", b"c"], object)
    >>> written_whole(texts)
    b'\x08\x07\x12\x04\x12\x02\x08\x02"\x05\x02\x01abc'
    """
    if array.dtype == object:
        lengths = b"".join(varint(len(text)) for text in array.ravel())
        content = lengths + b"".join(array.ravel())
    else:
        content = array.tobytes()
    return _head(array) + (field(_CONTENT, content) if content else b"")


def _head(array: Any) -> bytes:
    sizes = b"".join(field(2, b"" if n == 0 else numeric(1, n)) for n in array.shape)
    return numeric(_DTYPE, dtypes.of(array).as_datatype_enum) + field(_SHAPE, sizes)


def parse_tensor(serialized: Any, out_type: Any, name: str | None = None) -> Tensor:
    """The tensor that bytes stand for, which must be of a dtype.

    Raises `InvalidArgumentError` for other bytes and dtypes.

    >>> parse_tensor(serialize_tensor([1.5, 2.0]), "float32").numpy()
    array([1.5, 2. ], dtype=float32)
    """
    if (made := announced(dtypes.as_dtype(out_type), None)) is not None:
        return made
    op = "ParseTensor"
    data = scalar_text(op, serialized, "Expected `serialized` to be a scalar: the")
    found = read(data)
    if found is None:
        shown = base64.b64encode(data).decode()
        raise invalid(op, f"Could not parse `serialized` as TensorProto, base64: {shown}")
    wanted = dtypes.as_dtype(out_type)
    if found.dtype is not wanted:
        text = f"({found.dtype.enum_name}) and dtype ({wanted.enum_name})"
        raise invalid(op, f"Type mismatch between parsed tensor {text}")
    return found


def read(data: bytes) -> Tensor | None:
    """Read the message of a tensor; None for bytes that are none."""
    array = read_array(data)
    if array is None:
        return None
    return Tensor(array if array.ndim or array.dtype == object else array[()])


def read_array(data: bytes) -> Any:
    """Read the message of a tensor as an array; None for bytes that are none.

    >>> read_array(serialize_tensor([1, 2]).numpy())
    array([1, 2], dtype=int32)
    """
    try:
        found = list(_pairs(data))
        dtype = dtypes.as_dtype(dtypes.BY_NUMBER[dict(found)[_DTYPE]])
        sizes = [n for name, part in found if name == _SHAPE for n in _sizes(part)]
        return _elements(data, dtype, prod(sizes)).reshape(sizes)
    except (WireError, KeyError, TypeError, ValueError):
        return None


def _pairs(data: bytes) -> Iterator[tuple[int, Any]]:
    return ((found.number, found.content) for found in fields(data))


def _sizes(part: bytes) -> Iterator[int]:
    for name, size in _pairs(part):
        if name == 2:
            yield dict(_pairs(size)).get(1, 0)


def _elements(data: bytes, dtype: dtypes.DType, count: int) -> Any:
    """Read elements: all as one piece, or the first of them singly, whose last is all the rest."""
    kind: Any = dtype.numpy
    content = dict(_pairs(data)).get(_CONTENT)
    if content and dtype is dtypes.string:
        return _cut(content, count)
    if content:
        return np.frombuffer(content, kind).copy()
    array = _texts(data) if dtype is dtypes.string else _numbers(data, dtype)
    if not array.size:
        return np.full(count, b"" if dtype is dtypes.string else 0, kind)
    return array[np.minimum(np.arange(count), array.size - 1)]


def _cut(content: bytes, count: int) -> Any:
    """Cut texts out of one piece, in front of which their lengths stand."""
    lengths, at = [], 0
    for _ in range(count):
        length, at = read_varint(content, at)
        lengths.append(length)
    ends = np.cumsum([at, *lengths]).tolist()
    if ends[-1] != len(content):
        raise WireError("texts are cut off")
    array = np.empty(count, object)
    array[:] = [content[start:end] for start, end in pairwise(ends)]
    return array


def _texts(data: bytes) -> Any:
    texts = [value for name, value in _pairs(data) if name == _STRINGS]
    array = np.empty(len(texts), object)
    array[:] = texts
    return array


_FIXED: dict[str, Any] = {"float": np.dtype("<f4"), "double": np.dtype("<f8")}


def _numbers(data: bytes, dtype: dtypes.DType) -> Any:
    """Read numbers that are written singly, one to a field or many to one."""
    number, written = field_of(dtype.name)
    fixed = _FIXED.get(written)
    own = [found for found in fields(data) if found.number == number]
    if fixed is not None:
        parts = [np.frombuffer(found.content, fixed) for found in own]
    else:
        parts = [_whole(found) for found in own]
    line = np.concatenate([np.zeros(0, fixed or np.int64), *parts])
    if dtype.is_complex:
        return line[: line.size // 2 * 2].view(dtype.numpy)
    if fixed is None and dtype.is_floating:  # the bits of half a number
        return line.astype(np.uint16).view(dtype.numpy)
    return line.astype(dtype.numpy)


def _whole(found: Found) -> Any:
    if found.kind == VARINT:
        return np.array([found.content], np.uint64).view(np.int64)
    return unpacked(found.content) if found.content else np.zeros(0, np.int64)
