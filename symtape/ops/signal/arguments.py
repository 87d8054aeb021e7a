"""How arguments of signals are read: numbers without axes, tensors of enough axes."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtape.ops.arguments import allowed, check
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.decided import decided
from symtape.tensor.tensor import Tensor

_INTEGERS = allowed("int8, int16, int32, int64, uint8, uint16, uint32, uint64")


def at_least(x: Tensor, rank: int) -> Tensor:
    """Raise `ValueError` unless a tensor has so many axes.

    >>> at_least(Tensor(np.zeros(2)), 2)
    Traceback (most recent call last):
    ValueError: Shape (2,) must have rank at least 2
    """
    if x.ndim < rank:
        raise ValueError(f"Shape {x.shape} must have rank at least {rank}")
    return x


def number(value: Any, dtype: Any = None) -> Any:
    """Read a number without axes; raises `ValueError` for one with axes."""
    x = convert(value, dtype)
    x.shape.assert_has_rank(0)
    return decided(x)[()]


def count(value: Any, op: str = "FloorDiv") -> int:
    """Read an integer without axes."""
    found = number(value)
    if found.dtype.kind not in "iu":
        check(op, Tensor(np.asarray(found)), _INTEGERS)
    return int(found)


def floating(dtype: Any) -> Any:
    """Read the dtype of a window; raises `ValueError` for one that is not floating."""
    if not dtype.is_floating:
        raise ValueError(f"dtype must be a floating point type. Found {dtype}")
    return dtypes.as_dtype(dtype).numpy
