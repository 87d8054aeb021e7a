"""What every exported module calls: how arguments are taken, and special functions computed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np


def _taken(name: str, value: Any, dtype: str, shape: tuple[int, ...]) -> Any:
    """Take an argument; a number takes on the dtype, an array must have the shape."""
    array = np.asarray(value)
    if array.shape != shape:
        raise ValueError(f"{name} has shape {array.shape}, the formula is for {shape}")
    if not np.can_cast(array.dtype, dtype, "same_kind"):
        raise TypeError(f"{name} has dtype {array.dtype}, the formula is for {dtype}")
    return array.astype(dtype, copy=False)[()]


def _in_double(function: Callable[..., Any], *operands: Any) -> Any:
    """Compute in float64, and give back the dtype of the last operand that has one."""
    dtypes = [x.dtype for x in operands if hasattr(x, "dtype")]
    found = function(*[np.asarray(x, np.float64) for x in operands])
    return np.asarray(found).astype(dtypes[-1] if dtypes else np.float64)[()]
