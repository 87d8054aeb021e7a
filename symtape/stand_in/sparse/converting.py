"""What makes tensors of TensorFlow 1's arguments, sparse ones among them."""

from __future__ import annotations

from typing import Any

from symtape.ops.sparse.tensor import SparseTensor
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.tensor import Tensor


def convert_to_tensor_or_sparse_tensor(
    value: Any, dtype: Any = None, name: str | None = None
) -> Tensor | SparseTensor:
    """Give a sparse tensor as it is, and a tensor of anything else.

    Raises `RuntimeError` for a sparse tensor of another dtype, else as `convert_to_tensor` does.

    >>> convert_to_tensor_or_sparse_tensor([1, 2], "float32").numpy()
    array([1., 2.], dtype=float32)
    """
    if not isinstance(value, SparseTensor):
        return convert(value, dtype)
    if dtype is not None and dtypes.as_dtype(dtype) is not value.dtype:
        raise RuntimeError(
            f"Sparse dtype mismatch. Requested: {dtypes.as_dtype(dtype).name},  "
            f"Actual: {value.dtype.name}"
        )
    return value
