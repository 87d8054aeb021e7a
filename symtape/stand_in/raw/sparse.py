"""Kernels of sparse tensors, which take and give their places, values and sizes apart."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from symtape.ops.sparse.tensor import SparseTensor
from symtape.stand_in.sparse import checks, functions
from symtape.tensor.tensor import Tensor


class SparseReorder(NamedTuple):
    """Elements in the order of rows."""

    output_indices: Tensor
    output_values: Tensor


def reordered(places: Any, values: Any, sizes: Any) -> SparseReorder:
    """Give the elements in the order of rows: int64 `[n, rank]`, and the values `[n]`.

    >>> reordered([[1], [0]], [5.0, 7.0], [2]).output_values.numpy()
    array([7., 5.], dtype=float32)
    """
    checks.elements(places, values, sizes)
    made = functions.reorder(SparseTensor(places, values, sizes))
    return SparseReorder(made.indices, made.values)


def times(places: Any, values: Any, sizes: Any, b: Any, adjoint_a: bool, adjoint_b: bool) -> Tensor:
    """Multiply a sparse matrix by a whole one.

    >>> times([[0, 1]], [2.0], [2, 2], [[1.0], [3.0]], False, False).numpy()
    array([[6.],
           [0.]], dtype=float32)
    """
    made: Tensor = functions.sparse_dense_matmul(
        SparseTensor(places, values, sizes), b, adjoint_a, adjoint_b
    )
    return made


SPARSE: dict[str, tuple[Callable[..., Any], str]] = {
    "SparseReorder": (reordered, "input_indices input_values input_shape"),
    "SparseTensorDenseMatMul": (
        times,
        "a_indices a_values a_shape b adjoint_a=False adjoint_b=False",
    ),
}
