"""Tensors as bytes, in TensorFlow's form `TensorProto`: serialize_tensor, parse_tensor."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from math import prod
from typing import Any

import numpy as np

from symtape.errors import UnsupportedError
from symtape.ops.arguments import tensor
from symtape.ops.files.reading import scalar_text
from symtape.ops.records.wire import WireError, field, fields, numeric
from symtape.tensor import dtypes
from symtape.tensor.dispatch import invalid
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import look_at

_DTYPE, _SHAPE, _CONTENT, _STRINGS = 1, 2, 4, 8
_NUMBERS = {
    name: number
    for number, name in {
        1: "float32",
        2: "float64",
        3: "int32",
        4: "uint8",
        5: "int16",
        6: "int8",
        7: "string",
        8: "complex64",
        9: "int64",
        10: "bool",
        14: "bfloat16",
        17: "uint16",
        18: "complex128",
        19: "float16",
        22: "uint32",
        23: "uint64",
    }.items()
}
"""TensorFlow's number of each dtype."""
_NAMES = {number: name for name, number in _NUMBERS.items()}


def serialize_tensor(tensor: Any, name: str | None = None) -> Tensor:
    r"""The bytes of a tensor, as TensorFlow writes it.

    >>> serialize_tensor([1, 2]).numpy()
    b'\x08\x03\x12\x04\x12\x02\x08\x02"\x08\x01\x00\x00\x00\x02\x00\x00\x00'
    """
    made = np.empty((), object)
    made[()] = written(_tensor(tensor))
    return Tensor(made)


_tensor = tensor


def written(x: Tensor) -> bytes:
    """Write the message of a tensor."""
    array = np.asarray(look_at(x))
    sizes = b"".join(field(2, b"" if n == 0 else numeric(1, n)) for n in array.shape)
    head = numeric(_DTYPE, _NUMBERS[x.dtype.name]) + field(_SHAPE, sizes)
    if x.dtype is dtypes.string:
        body = b"".join(field(_STRINGS, text) for text in array.ravel())
    else:
        body = field(_CONTENT, array.tobytes()) if array.size else b""
    return head + body


def parse_tensor(serialized: Any, out_type: Any, name: str | None = None) -> Tensor:
    """The tensor that bytes stand for, which must be of a dtype.

    Raises `InvalidArgumentError` for other bytes and dtypes, and `UnsupportedError` where the
    numbers are written one by one, as `tf.make_tensor_proto` of TensorFlow does for some.

    >>> parse_tensor(serialize_tensor([1.5, 2.0]), "float32").numpy()
    array([1.5, 2. ], dtype=float32)
    """
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
    """Read the message of a tensor; None for bytes that are none.

    Raises `UnsupportedError` where the numbers are written one by one.
    """
    try:
        found = list(_pairs(data))
        dtype = dtypes.as_dtype(_NAMES[dict(found)[_DTYPE]])
        sizes = [n for name, part in found if name == _SHAPE for n in _sizes(part)]
    except (WireError, KeyError, TypeError):
        return None
    return Tensor(_array(found, dtype, sizes))


def _pairs(data: bytes) -> Iterator[tuple[int, Any]]:
    return ((found.number, found.content) for found in fields(data))


def _sizes(part: bytes) -> Iterator[int]:
    for name, size in _pairs(part):
        if name == 2:
            yield dict(_pairs(size)).get(1, 0)


def _array(found: list[tuple[int, Any]], dtype: dtypes.DType, sizes: list[int]) -> Any:
    if dtype is dtypes.string:
        texts = [value for name, value in found if name == _STRINGS]
        array = np.empty(len(texts), object)
        array[:] = texts
    else:
        content = dict(found).get(_CONTENT, b"")
        array = np.frombuffer(content, dtype.numpy).copy()
    if array.size != prod(sizes):
        raise UnsupportedError(
            "parse_tensor of numbers that are written one by one; write them by "
            "tf.io.serialize_tensor"
        )
    shaped = array.reshape(sizes)
    return shaped if sizes or dtype is dtypes.string else shaped[()]
