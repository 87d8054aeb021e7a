"""Arrays as JSON: dtype, shape, and the bytes of the elements, little-endian, in base64."""

from __future__ import annotations

import base64
import binascii
import sys
from math import prod
from typing import Any

import numpy as np

from symtape.exchange import fields as f
from symtape.exchange.reader import Entry
from symtape.program.operations import DType, Shape, dtype_name

Array = Any
"""A NumPy array."""


def written(array: Array) -> dict[str, Any]:
    """Write an array, row by row.

    >>> written(np.array([1.0, 2.0]))["data"]
    'AAAAAAAA8D8AAAAAAAAAQA=='
    """
    array = np.asarray(array)
    small = array.byteswap() if sys.byteorder == "big" else array
    data = base64.b64encode(small.tobytes()).decode("ascii")
    return {"dtype": dtype_name(array.dtype), "shape": list(array.shape), "data": data}


def read(entry: Entry, shape: Shape, dtype: DType) -> Array:
    """Read an array that must have some shape and dtype; its data must have that many bytes."""
    fields = entry.fields(("dtype", "shape", "data"))
    if f.dtype_of(fields["dtype"]) != dtype_name(dtype):
        fields["dtype"].refuse(f"the leaf is of dtype {dtype_name(dtype)}")
    if f.shape_of(fields["shape"]) != shape:
        fields["shape"].refuse(f"the leaf is of shape {shape}")
    size = prod(shape) * dtype.itemsize
    text = fields["data"].text(longest=4 * -(-size // 3))
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        fields["data"].refuse(f"not base64: {error}")
    if len(data) != size:
        fields["data"].refuse(f"{len(data)} bytes, not the {size} of {dtype_name(dtype)} {shape}")
    if base64.b64encode(data).decode("ascii") != text:
        fields["data"].refuse("not base64 as it is written: bits are left over")
    if dtype.kind == "b" and not set(data) <= {0, 1}:
        fields["data"].refuse("a byte of a bool is 0 or 1")
    array: Array = np.ndarray(shape, dtype, bytearray(data))
    return array.byteswap() if sys.byteorder == "big" else array
