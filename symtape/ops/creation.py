"""Tensors made of sizes, and the sizes of tensors: zeros, ones, fill, eye, shape, size, rank."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtape.ops.arguments import (
    PLACES,
    listed,
    plain,
    refusal,
    tensor,
)
from symtape.ops.repetition import broadcast_to
from symtape.tensor import dtypes
from symtape.tensor.door import invalid
from symtape.tensor.shape import TensorShape
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of, size_of


def sizes_of(op: str, shape: Any) -> tuple[int, ...]:
    """Read a shape; raises `TypeError` for what is no integer, `InvalidArgumentError` below 0."""
    found = shape.as_list() if isinstance(shape, TensorShape) else plain(shape)
    array = np.asarray(found)
    if array.size and array.dtype.kind not in "iu":
        raise TypeError(f"Cannot convert {shape!r} to EagerTensor of dtype int32")
    wanted = tuple([int(n) for n in array.ravel()])
    for n in wanted:
        if n < 0:
            raise invalid(op, f"Dimension {n} must be >= 0")
    return wanted


def _filled(shape: Any, number: int, dtype: Any) -> Tensor:
    wanted = dtypes.as_dtype(dtype)
    if wanted is dtypes.string:
        if number:
            raise TypeError(f"Cannot convert {number} to EagerTensor of dtype string")
        return Tensor(np.full(sizes_of("Fill", shape), b"", object)[()])
    return Tensor(np.full(sizes_of("Fill", shape), number, wanted.numpy)[()])


def zeros(
    shape: Any, dtype: Any = dtypes.float32, name: str | None = None, layout: Any = None
) -> Tensor:
    """A tensor of zeros.

    >>> zeros([2]).numpy()
    array([0., 0.], dtype=float32)
    """
    return _filled(shape, 0, dtype)


def ones(
    shape: Any, dtype: Any = dtypes.float32, name: str | None = None, layout: Any = None
) -> Tensor:
    """A tensor of ones.

    >>> ones([2]).numpy()
    array([1., 1.], dtype=float32)
    """
    return _filled(shape, 1, dtype)


def zeros_like(
    input: Any, dtype: Any = None, name: str | None = None, layout: Any = None
) -> Tensor:
    """Zeros of the shape and, unless another is given, the dtype of a tensor.

    >>> zeros_like([1, 2]).numpy()
    array([0, 0], dtype=int32)
    """
    x = tensor(input)
    return _filled(shape_of(x), 0, x.dtype if dtype is None else dtype)


def ones_like(input: Any, dtype: Any = None, name: str | None = None, layout: Any = None) -> Tensor:
    """Ones of the shape and, unless another is given, the dtype of a tensor.

    >>> ones_like([1.5, 2.5]).numpy()
    array([1., 1.], dtype=float32)
    """
    x = tensor(input)
    return _filled(shape_of(x), 1, x.dtype if dtype is None else dtype)


def fill(dims: Any, value: Any, name: str | None = None, layout: Any = None) -> Tensor:
    """One value at every place of a shape.

    >>> fill([2], 3).numpy()
    array([3, 3], dtype=int32)
    """
    wanted = sizes_of("Fill", dims)
    x = tensor(value)
    if shape_of(x):
        raise invalid("Fill", f"value must represent a scalar, got shape {listed(shape_of(x))}")
    return broadcast_to(x, wanted)


def eye(
    num_rows: Any,
    num_columns: Any = None,
    batch_shape: Any = None,
    dtype: Any = dtypes.float32,
    name: str | None = None,
) -> Tensor:
    """A unit matrix, or a batch of them.

    >>> eye(2, 3).numpy()
    array([[1., 0., 0.],
           [0., 1., 0.]], dtype=float32)
    """
    columns = num_rows if num_columns is None else num_columns
    before = np.atleast_1d(plain([] if batch_shape is None else batch_shape)).astype(int)
    *batch, rows, columns = sizes_of("Fill", [*before, plain(num_rows), plain(columns)])
    matrix = np.eye(rows, columns, dtype=dtypes.as_dtype(dtype).numpy)
    return Tensor(np.broadcast_to(matrix, (*batch, rows, columns)).copy() if batch else matrix)


def shape(input: Any, out_type: Any = None, name: str | None = None) -> Tensor:
    """The shape as a tensor of int32, or of `out_type`.

    >>> shape([[1, 2, 3]]).numpy()
    array([1, 3], dtype=int32)
    """
    return Tensor(np.array(shape_of(tensor(input)), _place_dtype(out_type, "Shape")))


def size(input: Any, out_type: Any = None, name: str | None = None) -> Tensor:
    """The number of elements as a tensor of int32, or of `out_type`.

    >>> size([[1, 2, 3]]).numpy()
    np.int32(3)
    """
    return Tensor(_place_dtype(out_type, "Size").type(size_of(tensor(input))))


def rank(input: Any, name: str | None = None) -> Tensor:
    """The number of axes as a tensor of int32.

    >>> rank([[1, 2, 3]]).numpy()
    np.int32(2)
    """
    return Tensor(np.int32(tensor(input).ndim))


def _place_dtype(out_type: Any, op: str) -> np.dtype[Any]:
    wanted = dtypes.int32 if out_type is None else dtypes.as_dtype(out_type)
    if wanted not in (dtypes.int32, dtypes.int64):
        raise refusal(
            op, Tensor(wanted.numpy.type(0)), PLACES, "input:T -> output:out_type", "out_type"
        )
    return wanted.numpy


def shape_n(input: Any, out_type: Any = dtypes.int32, name: str | None = None) -> list[Tensor]:
    """The shapes of several tensors.

    >>> [s.numpy().tolist() for s in shape_n([[1, 2], [[3]]])]
    [[2], [1, 1]]
    """
    return [shape(x, out_type) for x in input]
