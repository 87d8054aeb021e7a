"""What functions of TensorFlow's do with sparse tensors."""

from __future__ import annotations

from typing import Any

from symtape.ops.elementwise.conversion import cast
from symtape.ops.shapes.creation import size
from symtape.ops.sparse.tensor import SparseTensor
from symtape.tensor import dtypes

_BY_VALUES = set(
    "abs cast negative sign square sqrt exp tanh sin cos identity stop_gradient".split()
)
"""Functions of TensorFlow's that take such a tensor and compute with its values."""


def applied(name: str, function: Any, whole: Any, args: Any, kwargs: Any) -> Any:
    """Apply a function of TensorFlow's to what is given by some elements or rows."""
    if name in _BY_VALUES:
        return whole.with_values(function(whole.values, *args, **kwargs))
    if name == "size" and isinstance(whole, SparseTensor):
        return size(whole.values)
    if name == "shape":
        return cast(whole.dense_shape, dtypes.int32)
    return function(whole, *args, **kwargs)
