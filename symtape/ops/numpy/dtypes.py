"""The dtype that NumPy would compute with, so that a tape changes no number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from symtape.nest.trees import take_apart
from symtape.ops.arguments import is_tensor
from symtape.ops.elementwise.conversion import cast
from symtape.tensor.convert import convert, holds_tensor, packed
from symtape.tensor.tensor import Literal, Tensor
from symtape.tensor.values import dtype_of


def promoted(values: Sequence[Any]) -> list[Tensor]:
    """Convert operands to tensors of the dtype that NumPy's promotion gives all of them.

    >>> [x.dtype for x in promoted([convert(1.0), np.ones(2), 3])]
    [tf.float64, tf.float64, tf.float64]
    """
    values = [*map(stacked, values)]
    arrays = [v.dtype.numpy if is_tensor(v) else _weak(v) for v in values]
    wanted = np.result_type(*arrays)
    return [_of(v, wanted) for v in values]


def stacked(value: Any) -> Any:
    """Let a nested list that holds tensors be one: as an array it would lose their derivatives."""
    if isinstance(value, (list, tuple)) and holds_tensor(value):
        return packed(_even(value))
    return value


def _even(values: Any) -> Any:
    """Give all numbers of a nested list one dtype."""
    leaves, tree = take_apart(values)
    return tree.build(promoted(leaves))


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


def taken(x: Any) -> Tensor:
    """Make a tensor of what NumPy would take as an array: lists of numbers have all their digits.

    >>> taken([0.1, 0.2]).dtype
    tf.float64
    """
    if type(x) in _NUMBERS:
        return Literal.of(x, np.asarray(x).dtype)  # in a formula it is that number
    made = stacked(x)
    return convert(made if is_tensor(made) else np.asarray(made))


_NUMBERS = (bool, int, float, complex)


def inexact(x: Any) -> Tensor:
    """Make a tensor of floats or complex numbers, whole numbers in double precision.

    >>> inexact([1, 2]).dtype
    tf.float64
    """
    value = taken(x)
    return cast(value, np.float64) if dtype_of(value).kind in "iub" else value


def pair(a: Any, b: Any) -> tuple[Tensor, Tensor]:
    """Promote two operands."""
    x, y = promoted([a, b])
    return x, y
