"""What functions of TensorFlow's do with sparse tensors."""

from __future__ import annotations

from typing import Any

from symtape.ops.elementwise.conversion import cast
from symtape.ops.reductions.reduction import reduce_prod
from symtape.ops.sparse.tensor import SparseTensor
from symtape.tensor import dtypes
from symtape.tensor.tensor import Tensor

_BY_VALUES = set(
    "abs cast negative sign square sqrt exp tanh sin cos identity stop_gradient".split()
)
"""Functions of TensorFlow's that take such a tensor and compute with its values."""


def applied(name: str, function: Any, whole: Any, args: Any, kwargs: Any) -> Any:
    """Apply a function of TensorFlow's to what is given by some elements or rows."""
    if name in _BY_VALUES:
        return whole.with_values(function(whole.values, *args, **kwargs))
    if name in {"shape", "size"} and isinstance(whole, SparseTensor):
        return _measured(whole.dense_shape if name == "shape" else _count(whole), *args, **kwargs)
    if name == "shape":
        return cast(whole.dense_shape, dtypes.int32)
    return function(whole, *args, **kwargs)


def _count(whole: SparseTensor) -> Tensor:
    """Count all elements, those that are zero included."""
    return reduce_prod(whole.dense_shape)


def _measured(found: Tensor, out_type: Any = None, name: str | None = None) -> Tensor:
    return cast(found, dtypes.int32 if out_type is None else out_type)
