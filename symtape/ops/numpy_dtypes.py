"""The dtype that NumPy would compute with, so that a tape changes no number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from symtape.ops.arguments import is_tensor
from symtape.ops.conversion import cast
from symtape.tensor.convert import convert
from symtape.tensor.tensor import Tensor


def promoted(values: Sequence[Any]) -> list[Tensor]:
    """Convert operands to tensors of the dtype that NumPy's promotion gives all of them.

    >>> [x.dtype for x in promoted([convert(1.0), np.ones(2), 3])]
    [tf.float64, tf.float64, tf.float64]
    """
    arrays = [v.dtype.numpy if is_tensor(v) else _weak(v) for v in values]
    wanted = np.result_type(*arrays)
    return [cast(v, wanted) if is_tensor(v) else convert(np.asarray(v, wanted)) for v in values]


def _weak(value: Any) -> Any:
    """Leave Python numbers as they are: they take the dtype of what is beside them."""
    return value if isinstance(value, (bool, int, float, complex)) else np.asarray(value)


def pair(a: Any, b: Any) -> tuple[Tensor, Tensor]:
    """Promote two operands."""
    x, y = promoted([a, b])
    return x, y
