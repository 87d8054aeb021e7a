"""`tensorflow.python.ops.linalg.sparse`: matrices, or batches, held by their elements."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtape.ops.arguments import listed, valued
from symtape.ops.elementwise.conversion import convert_to_tensor
from symtape.ops.indexing.gathering import gather_nd
from symtape.ops.linalg import products
from symtape.ops.sparse.tensor import SparseTensor
from symtape.stand_in.sparse import checks, functions
from symtape.stand_in.sparse.rows import lookups
from symtape.tensor.decided import decided_by_look
from symtape.tensor.dtypes import DType
from symtape.tensor.shape import TensorShape
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of


class SparseMatrix:
    """The base of what `matmul` takes for a sparse matrix."""

    def to_sparse_tensor(self) -> SparseTensor:
        """The elements as a `SparseTensor`."""
        raise NotImplementedError

    def to_dense(self) -> Tensor:
        """The whole matrix."""
        raise NotImplementedError


class CSRSparseMatrix(SparseMatrix):
    """A sparse matrix `[rows, columns]`, or a batch of them, of a `SparseTensor` or a tensor.

    Raises `ValueError` for a `SparseTensor` beside `indices`, which say where a tensor is not zero.

    >>> CSRSparseMatrix([[0.0, 2.0], [3.0, 0.0]]).to_sparse_tensor().indices.numpy()
    array([[0, 1],
           [1, 0]])
    """

    def __init__(self, value: Any, indices: Any = None, name: str | None = None) -> None:
        if isinstance(value, SparseTensor):
            if indices is not None:
                raise ValueError("indices must be None if value is a SparseTensor.")
            self._held = value
            return
        whole = convert_to_tensor(value)
        if len(shape_of(whole)) not in {2, 3}:
            raise checks.refused(
                f"params must have rank == 2 or 3; but saw shape: {listed(shape_of(whole))}"
            )
        places = np.argwhere(decided_by_look(whole)) if indices is None else valued(indices)
        self._held = SparseTensor(places, gather_nd(whole, places), shape_of(whole))

    def to_sparse_tensor(self) -> SparseTensor:
        """The elements as a `SparseTensor`."""
        return self._held

    def to_dense(self) -> Tensor:
        """The whole matrix."""
        made: Tensor = self._held.to_dense()
        return made

    @property
    def shape(self) -> TensorShape:
        """The sizes, of a batch first."""
        return self._held.shape

    @property
    def dtype(self) -> DType:
        """The dtype of the elements."""
        return self._held.dtype

    def nnz(self) -> Tensor:
        """The number of elements: int32, of each matrix of a batch."""
        matrices = self._held.places[:, 0] if len(self.shape) == 3 else None
        count = len(self._held.places)
        if matrices is None:
            return Tensor(np.int32(count))
        return Tensor(np.bincount(matrices, minlength=self._held.sizes[0]).astype(np.int32))

    def transpose(self) -> CSRSparseMatrix:
        """The matrix, or each of a batch, with rows and columns exchanged."""
        order = [*range(len(self.shape))]
        return CSRSparseMatrix(functions.transpose(self._held, [*order[:-2], *order[:-3:-1]]))


def matmul(
    a: Any,
    b: Any,
    transpose_a: bool = False,
    transpose_b: bool = False,
    adjoint_a: bool = False,
    adjoint_b: bool = False,
    name: str | None = None,
) -> Any:
    """Multiply two matrices, or each of two batches: a sparse matrix if both are sparse.

    Raises `InvalidArgumentError` for two dtypes and for lengths that differ.

    >>> matmul(CSRSparseMatrix([[0.0, 2.0], [3.0, 0.0]]), [[1.0], [5.0]]).numpy()
    array([[10.],
           [ 3.]], dtype=float32)
    """
    ways = (transpose_a, transpose_b, adjoint_a, adjoint_b)
    if isinstance(a, SparseMatrix) and isinstance(b, SparseMatrix):
        left, right = a.to_sparse_tensor(), b.to_sparse_tensor()
        if left.dtype is not right.dtype:
            raise checks.refused(
                f"dtype of b is not equal to 'type': {right.dtype.enum_name} vs. "
                f"{left.dtype.enum_name}"
            )
        return CSRSparseMatrix(lookups.sparse_matrix_sparse_mat_mul(left, right, left.dtype, *ways))
    whole = (x.to_dense() if isinstance(x, SparseMatrix) else x for x in (a, b))
    return products.matmul(next(whole), next(whole), *ways)
