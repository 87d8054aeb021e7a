"""What assertions of `tf.test` compare: values of tensors, as arrays or as lists."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from symtape import nest
from symtape.ops.composite_values import (
    IndexedSlicesValue,
    RaggedTensorValue,
    SparseTensorValue,
)
from symtape.ops.ragged.rows import Rows
from symtape.ops.sparse.tensor import SparseTensor
from symtape.tensor.indexing.slices import IndexedSlices
from symtape.tensor.tensor import Tensor
from symtape.tensor.variables.variable import Variable


def value_of(x: Any) -> Any:
    """Give the value of a tensor, of what is made of tensors, or of what a function gives."""
    if x is None:
        return None
    if callable(x):
        return nest.map_structure(value_of, x())
    if isinstance(x, IndexedSlices):
        size = None if x.dense_shape is None else x.dense_shape.numpy()
        return IndexedSlicesValue(x.values.numpy(), x.indices.numpy(), size)
    if isinstance(x, SparseTensor):
        return SparseTensorValue(*[part.numpy() for part in x.components()])
    if isinstance(x, Rows):
        return RaggedTensorValue(value_of(x.values), x.row_splits.numpy())
    if callable(getattr(x, "numpy", None)):
        return x.numpy()
    if hasattr(x, "_type_spec"):  # as linear operators and distributions have
        return nest.map_structure(value_of, x, expand_composites=True)
    raise ValueError(f"Unsupported type {type(x).__name__!r}.")


def is_ragged(x: Any) -> bool:
    """Say whether something is a ragged tensor, or the value of one."""
    return isinstance(x, (Rows, RaggedTensorValue))


def listed(x: Any) -> Any:
    """Give the rows of what is compared with a ragged tensor, as lists."""
    if is_ragged(x):
        return value_of(x).to_list() if isinstance(x, Rows) else x.to_list()
    if isinstance(x, (Tensor, np.ndarray)):
        return np.asarray(x).tolist()
    return np.array(x, dtype=object).tolist()


def array_of(x: Any) -> Any:
    """Give the array of whatever is compared; bfloat16 is compared in float32."""
    if isinstance(x, SparseTensor):
        raise ValueError("a SparseTensor is no array: compare to_dense, or what evaluate gives")
    if isinstance(x, (Tensor, Variable)):
        value = np.asarray(x.numpy())
    else:
        value = np.asarray(plain(x))
    return value.astype(np.float32) if value.dtype.kind == "V" else value


def encoded(array: Any) -> Any:
    """Make bytes of texts, which an array of texts and the value of a tensor have in common."""
    if array.dtype.kind not in "USO":
        return array
    made = np.array([x.encode() if isinstance(x, str) else x for x in array.flat], dtype=object)
    return made.reshape(array.shape)


def plain(x: Any) -> Any:
    """Put values in the place of tensors in lists."""
    if isinstance(x, (list, tuple)):
        return [plain(part) for part in x]
    return x.numpy() if isinstance(x, (Tensor, Variable)) else x


def is_even(x: Any) -> bool:
    """Say whether something is one array, and no structure of several."""
    if not isinstance(x, (list, tuple)):
        return not isinstance(x, Mapping) and not is_ragged(x)
    if any(map(is_ragged, nest.flatten(x))):
        return False
    try:
        return np.asarray(plain(x)).dtype != object
    except ValueError:
        return False


def dtype_name(x: Any) -> str:
    """Name the dtype of whatever is compared."""
    if isinstance(x, (Tensor, Variable)):
        return x.dtype.name
    return str(np.asarray(plain(x)).dtype.name)
