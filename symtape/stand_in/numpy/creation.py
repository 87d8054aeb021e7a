"""Arrays that `tf.experimental.numpy` makes: of one number, of diagonals, of ranges."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtape.ops.shapes import creation, grids, repetition
from symtape.stand_in.numpy.dtypes import (
    array,
    asarray,
    default_float,
    float_dtype,
    of_value,
    operand,
    result_type,
    wanted,
)
from symtape.stand_in.numpy.parts import atleast_1d
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of


def zeros(shape: Any, dtype: Any = float) -> Tensor:
    """Zeros; float64 by default.

    >>> zeros(2).numpy()
    array([0., 0.])
    """
    return creation.zeros(shape, wanted(dtype) or default_float())


def ones(shape: Any, dtype: Any = float) -> Tensor:
    """Ones; float64 by default.

    >>> ones(2).numpy()
    array([1., 1.])
    """
    return creation.ones(shape, dtypes.as_dtype(wanted(dtype)))


def empty(shape: Any, dtype: Any = float) -> Tensor:
    """Do what `zeros` does: there are no numbers that nobody chose.

    >>> empty(2).numpy()
    array([0., 0.])
    """
    return zeros(shape, dtype)


def zeros_like(a: Any, dtype: Any = None) -> Tensor:
    """Zeros of the shape of an array.

    >>> zeros_like([1, 2]).numpy()
    array([0, 0])
    """
    return creation.zeros_like(a, wanted(dtype) or of_value(a))


def ones_like(a: Any, dtype: Any = None) -> Tensor:
    """Ones of the shape of an array.

    >>> ones_like([1.0, 2.0]).numpy()
    array([1., 1.])
    """
    return creation.ones_like(a, wanted(dtype) or of_value(a))


def empty_like(a: Any, dtype: Any = None) -> Tensor:
    """Do what `zeros_like` does.

    >>> empty_like([1, 2]).numpy()
    array([0, 0])
    """
    return zeros_like(a, dtype)


def full(shape: Any, fill_value: Any, dtype: Any = None) -> Tensor:
    """A value repeated to a shape.

    >>> full([2], 3).numpy()
    array([3, 3])
    """
    sizes = atleast_1d(convert(shape, hint=dtypes.int32))
    return repetition.broadcast_to(operand(fill_value, wanted(dtype)), sizes)


def full_like(
    a: Any,
    fill_value: Any,
    dtype: Any = None,
    order: str = "K",
    subok: bool = True,
    shape: Any = None,
) -> Tensor:
    """A value repeated to the shape of an array, in its dtype.

    Raises `ValueError` for an `order`, a `subok` or a `shape` of one's own.

    >>> full_like([1, 2], 3).numpy()
    array([3, 3])
    """
    if order != "K":
        raise ValueError("Non-standard orders are not supported.")
    if not subok:
        raise ValueError("subok being False is not supported.")
    if shape:
        raise ValueError("Overriding the shape is not supported.")
    x = asarray(a)
    return repetition.broadcast_to(operand(fill_value, wanted(dtype) or x.dtype), shape_of(x))


def broadcast_to(array: Any, shape: Any) -> Tensor:
    """An array repeated to a shape.

    >>> broadcast_to([1, 2], [2, 2]).numpy()
    array([[1, 2],
           [1, 2]])
    """
    return full(shape, array)


def identity(n: Any, dtype: Any = float) -> Tensor:
    """Ones on the diagonal of a matrix.

    >>> identity(2).numpy()
    array([[1., 0.],
           [0., 1.]])
    """
    return eye(N=n, M=n, dtype=dtype)


def eye(N: Any, M: Any = None, k: Any = 0, dtype: Any = float) -> Tensor:  # noqa: N803 - NumPy's names
    """Ones on the k-th diagonal of a matrix.

    >>> eye(2, 3, 1).numpy()
    array([[0., 1., 0.],
           [0., 0., 1.]])
    """
    kind = dtypes.as_dtype(wanted(dtype))
    return array(np.eye(int(N), int(M or N), int(k)), kind)


def tri(N: int, M: int | None = None, k: int = 0, dtype: Any = None) -> Tensor:  # noqa: N803 - NumPy's names
    """Ones on and below the k-th diagonal of a matrix.

    >>> tri(2).numpy()
    array([[1., 0.],
           [1., 1.]])
    """
    kind = float_dtype() if dtype is None else result_type(dtype)
    return array(np.tri(N, M, k), kind)


def diag_indices(n: Any, ndim: int = 2) -> tuple[Tensor, ...]:
    """The places of a diagonal, an array for each axis; raises `ValueError` for negative numbers.

    >>> [x.numpy() for x in diag_indices(2)]
    [array([0, 1], dtype=int32), array([0, 1], dtype=int32)]
    """
    for name, value in (("n", n), ("ndim", ndim)):
        if value < 0:
            raise ValueError(f"{name} argument to diag_indices must be nonnegative, got {value}")
    return (grids.range(n),) * ndim
