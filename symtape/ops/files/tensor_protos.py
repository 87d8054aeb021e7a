"""Tensors as messages `TensorProto`, and back: make_tensor_proto, make_ndarray."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from symtape.nest import flatten
from symtape.ops.arguments import is_tensor
from symtape.ops.files.protos import read_array
from symtape.ops.records.tensor_messages import FIELDS, tensor_message
from symtape.tensor import dtypes
from symtape.tensor.dimension import Dimension
from symtape.tensor.dtypes import DType


def make_tensor_proto(
    values: Any,
    dtype: Any = None,
    shape: Any = None,
    verify_shape: bool = False,
    allow_broadcast: bool = False,
) -> Any:
    """The message `TensorProto` of numbers or texts, byte by byte as TensorFlow's.

    Fewer elements than `shape` has room for stand for all: the last is repeated. A message is given
    back as it is. Raises `TypeError` for values of another dtype, or with `verify_shape` of another
    shape, and `ValueError` for too many values, None, and lists of unlike lengths; needs the extra
    `records`.

    >>> make_tensor_proto([1.5, 2.0]).tensor_shape.dim[0].size
    2
    """
    if allow_broadcast and verify_shape:
        raise ValueError("allow_broadcast and verify_shape are not both allowed.")
    kind = tensor_message()
    if isinstance(values, kind):
        return values
    wanted = dtypes.as_dtype(dtype) if dtype else None
    array = _array_of(values, wanted, shape)
    own = dtypes.of(array)
    if wanted not in (None, own):
        raise TypeError(f"`dtype` {wanted} is not compatible with {values} of dtype {array.dtype}.")
    sizes = list(array.shape) if shape is None else [int(n) for n in shape]
    if shape is not None:
        _check_shape(array, tuple(sizes), verify_shape, allow_broadcast)
    made = kind(dtype=own.as_datatype_enum)
    made.tensor_shape.SetInParent()
    for size in sizes:
        made.tensor_shape.dim.add(size=size)
    if array.size == prod(sizes) > 1 and own.name not in _SINGLY:
        made.tensor_content = array.tobytes()
    else:
        getattr(made, FIELDS[own.name]).extend(_single(array.ravel(), own, values))
    return made


_SINGLY = {"bool", "string", "uint16", "complex64", "complex128"}
"""Dtypes whose elements are never written as one piece."""


def make_ndarray(tensor: Any) -> Any:
    """The array of a message `TensorProto`.

    Raises `TypeError` for a message of a dtype that is none, and needs the extra `records`.

    >>> make_ndarray(make_tensor_proto([1, 2]))
    array([1, 2], dtype=int32)
    """
    sizes = [size.size for size in tensor.tensor_shape.dim]
    if tensor.dtype not in dtypes.NUMBERS.values():
        raise TypeError(
            f"Unsupported tensor type: {tensor.dtype}. See "
            "https://www.tensorflow.org/api_docs/python/tf/dtypes for supported TF dtypes."
        )
    found = read_array(tensor.SerializeToString())
    if found is None:
        raise ValueError(f"the elements of this message have not the shape {tuple(sizes)}")
    return found


def _array_of(values: Any, wanted: DType | None, shape: Any) -> Any:
    """Make an array of values, whose dtype is narrow where they are Python's and none is wanted."""
    kind = None if wanted is None else wanted.numpy
    if hasattr(values, "__array__"):
        array = np.asarray(values)
        return array if kind is None else array.astype(kind)
    if values is None:
        raise ValueError("None values not supported.")
    if shape is not None and prod(int(n) for n in shape) == 0:
        array = np.empty([int(n) for n in shape], kind)
    else:
        _check_fit(values, wanted)
        array = np.array(values, kind)
        if list(array.shape) != _sizes(values):
            raise ValueError(
                f"Expected values {values} to be a dense tensor with shape {_sizes(values)}, but "
                f"got shape {list(array.shape)}."
            )
    if wanted is not None:
        return array
    if array.dtype == np.float64:
        return array.astype(np.float32)
    if array.dtype == np.int64 and np.array_equal(array.astype(np.int32), array):
        return array.astype(np.int32)
    return array


def _sizes(values: Any) -> list[int]:
    if not isinstance(values, (list, tuple)):
        return []
    return [len(values), *_sizes(values[0])] if values else [0]


_INTEGERS = (int, np.integer, Dimension)
_REALS = (int, float, np.integer, np.floating)
_COMPLEX = (*_REALS, complex, np.complexfloating)


def _check_fit(values: Any, wanted: DType | None) -> None:
    """Raise `TypeError` for a value that a dtype does not take, and for tensors in lists."""
    parts = flatten(values)
    if wanted is None:
        if any(is_tensor(value) for value in parts):
            raise TypeError("Expected any non-tensor type, but got a tensor instead.")
        return
    kinds: tuple[type, ...] = (str, bytes)
    if wanted.is_bool:
        kinds = (bool,)
    elif wanted.is_integer:
        kinds = _INTEGERS
    elif wanted.is_floating or wanted.is_complex:
        kinds = _REALS if wanted.is_floating else _COMPLEX
    for value in parts:
        if isinstance(value, np.ndarray) and issubclass(value.dtype.type, kinds):
            continue
        if not isinstance(value, kinds):
            raise TypeError(
                f"Expected {wanted.name}, but got {value} of type '{type(value).__name__}'."
            )


def _check_shape(array: Any, shape: tuple[int, ...], verify: bool, broadcast: bool) -> None:
    count = prod(shape)
    if broadcast:
        if array.shape not in {(), (1,)} and array.size != count:
            raise TypeError(f"Expected Tensor's shape: {shape}, but got {array.shape}.")
        return
    if verify and array.shape != shape:
        raise TypeError(f"Expected Tensor's shape: {shape}, but got {array.shape}.")
    if array.size > count:
        raise ValueError(
            f"Too many elements provided. Takes at most {count:d}, but got {array.size:d}."
        )


def _single(line: Any, dtype: DType, values: Any) -> list[Any]:
    """List elements as the message has them singly: a complex number is two, a half its bits."""
    if dtype is dtypes.string:
        texts = line if isinstance(values, np.ndarray) else flatten(values)
        return [_bytes(text, values) for text in texts]
    if dtype.is_complex:
        line = line.view(line.real.dtype)
    elif dtype.is_floating and dtype.size == 2:
        line = line.view(np.uint16)
    listed: list[Any] = line.tolist()
    return listed


def _bytes(text: Any, values: Any) -> bytes:
    if isinstance(text, bytes):
        return text
    if isinstance(text, str):
        return text.encode()
    raise TypeError(
        f"Failed to convert elements of {values} to Tensor. Consider casting elements to a "
        "supported type. See https://www.tensorflow.org/api_docs/python/tf/dtypes for supported "
        "TF dtypes."
    )
