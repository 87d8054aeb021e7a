"""The dtype that NumPy would compute with, so that a tape changes no number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from symtape.ops.arguments import is_tensor
from symtape.ops.elementwise.conversion import cast
from symtape.tensor.convert import convert
from symtape.tensor.tensor import Literal, Tensor


def promoted(values: Sequence[Any]) -> list[Tensor]:
    """Convert operands to tensors of the dtype that NumPy's promotion gives all of them.

    >>> [x.dtype for x in promoted([convert(1.0), np.ones(2), 3])]
    [tf.float64, tf.float64, tf.float64]
    """
    arrays = [v.dtype.numpy if is_tensor(v) else _weak(v) for v in values]
    wanted = np.result_type(*arrays)
    return [_of(v, wanted) for v in values]


def _weak(value: Any) -> Any:
    """Leave Python numbers as they are: they take the dtype of what is beside them."""
    if isinstance(value, np.ndarray):
        return value.dtype
    return value if isinstance(value, _NUMBERS) else np.asarray(value)


def _of(value: Any, dtype: np.dtype[Any]) -> Tensor:
    if is_tensor(value):
        return cast(value, dtype)
    if isinstance(value, _NUMBERS) and not isinstance(value, np.generic):
        return Literal.of(value, dtype)  # in a formula it is that number
    if isinstance(value, np.ndarray):
        return convert(value if value.dtype == dtype else value.astype(dtype))
    return convert(np.asarray(value, dtype))


_NUMBERS = (bool, int, float, complex)


def pair(a: Any, b: Any) -> tuple[Tensor, Tensor]:
    """Promote two operands."""
    x, y = promoted([a, b])
    return x, y
