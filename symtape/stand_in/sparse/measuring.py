"""`tf.shape`, `tf.size` and `tf.rank`, which take sparse tensors and the parts of one, too."""

from __future__ import annotations

from typing import Any

from symtape.ops.composite_values import SparseTensorValue
from symtape.ops.elementwise.conversion import cast
from symtape.ops.reductions.reduction import reduce_prod
from symtape.ops.shapes import creation
from symtape.ops.sparse.tensor import SparseTensor
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.tensor import Tensor


def shape(input: Any, out_type: Any = None, name: str | None = None) -> Tensor:
    """The shape as a tensor of int32, or of `out_type`.

    >>> shape(SparseTensor([[0, 1]], [5.0], (2, 3))).numpy()
    array([2, 3], dtype=int32)
    """
    sizes = _sizes(input)
    return creation.shape(input, out_type) if sizes is None else _typed(sizes, out_type)


def size(input: Any, out_type: Any = None, name: str | None = None) -> Tensor:
    """The number of elements as a tensor of int32, or of `out_type`; zeros count.

    >>> size(SparseTensor([[0, 1]], [5.0], (2, 3))).numpy()
    np.int32(6)
    """
    sizes = _sizes(input)
    if sizes is None:
        return creation.size(input, out_type)
    return reduce_prod(_typed(sizes, out_type))


def rank(input: Any, name: str | None = None) -> Tensor:
    """The number of axes as a tensor of int32.

    >>> rank(SparseTensor([[0, 1]], [5.0], (2, 3))).numpy()
    np.int32(2)
    """
    sizes = _sizes(input)
    return creation.rank(input) if sizes is None else creation.size(sizes)


def _sizes(x: Any) -> Tensor | None:
    """Give the sizes that a sparse tensor comes with; None for all else."""
    if isinstance(x, (SparseTensor, SparseTensorValue)):
        return convert(x.dense_shape)
    return None


def _typed(sizes: Tensor, out_type: Any) -> Tensor:
    return cast(sizes, dtypes.int32 if out_type is None else out_type)
