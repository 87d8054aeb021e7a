"""Sums of rows that a sparse tensor names, and products of two sparse matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtape.ops.elementwise.arithmetic import divide_no_nan, multiply, where
from symtape.ops.elementwise.conversion import cast
from symtape.ops.elementwise.functions import sqrt
from symtape.ops.indexing.gathering import gather_nd
from symtape.ops.linalg.products import matmul
from symtape.ops.nn.normalization import embedding_lookup
from symtape.ops.reductions.segments import unsorted_segment_sum
from symtape.ops.shapes.creation import ones_like, zeros_like
from symtape.ops.shapes.shaping import reshape
from symtape.ops.sparse.tensor import SparseTensor
from symtape.stand_in.sparse import checks
from symtape.stand_in.sparse.functions import fill_empty_rows, retain
from symtape.stand_in.sparse.functions import reshape as reshape_sparse
from symtape.tensor.decided import decided_by_look
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of


def embedding_lookup_sparse(
    params: Any,
    sp_ids: SparseTensor,
    sp_weights: SparseTensor | None,
    combiner: str | None = None,
    max_norm: Any = None,
    name: str | None = None,
    allow_fast_lookup: bool = False,
) -> Tensor:
    """For each row of `sp_ids` the sum of the rows of `params` that it names, or their mean.

    `sp_weights` are factors; with the combiner "sqrtn" the sum is divided by their norm.

    >>> ids = SparseTensor([[0, 0], [0, 1]], [1, 0], (1, 2))
    >>> rows = np.array([[1.0], [2.0]], np.float32)
    >>> embedding_lookup_sparse(rows, ids, None, combiner="mean").numpy()
    array([[1.5]], dtype=float32)
    """
    if not isinstance(sp_ids, SparseTensor):
        raise TypeError(f"sp_ids must be SparseTensor, got {type(sp_ids)}")
    if not isinstance(sp_weights, SparseTensor | None):
        raise TypeError(f"sp_weights must be either None or SparseTensor,got {type(sp_weights)}")
    combiner = combiner or "mean"
    if combiner not in {"mean", "sqrtn", "sum"}:
        raise ValueError(f"combiner must be one of 'mean', 'sqrtn' or 'sum', got {combiner}")
    rows = sp_ids.places[:, 0]
    count = int(rows.max(initial=-1)) + 1
    named = embedding_lookup(params, sp_ids.values, max_norm=max_norm)
    if sp_weights is None:
        factors = cast(ones_like(sp_ids.values), named.dtype)
    else:
        both = len(sp_ids.places), len(sp_weights.places)
        checks.as_many(*both, words="Shapes ({},) and ({},) are incompatible")
        factors = cast(sp_weights.values, named.dtype)
    total = unsorted_segment_sum(multiply(named, _column(factors, named)), rows, count)
    if combiner == "sum":
        return total
    norm = factors if combiner == "mean" else multiply(factors, factors)
    whole = unsorted_segment_sum(norm, rows, count)
    if combiner == "sqrtn":  # the slope of a root at zero, which an empty row has, is infinite
        empty = np.isin(np.arange(count), rows, invert=True)
        whole = sqrt(whole + Tensor(empty.astype(whole.dtype.numpy)))
    return divide_no_nan(total, _column(whole, named))


def _column(line: Tensor, beside: Tensor) -> Tensor:
    return reshape(line, [-1, *[1] * (beside.ndim - 1)])


def safe_embedding_lookup_sparse(
    embedding_weights: Any,
    sparse_ids: SparseTensor,
    sparse_weights: SparseTensor | None = None,
    combiner: str = "mean",
    default_id: Any = None,
    max_norm: Any = None,
    name: str | None = None,
    allow_fast_lookup: bool = False,
) -> Tensor:
    """The same for ids of more axes.

    Negative ids are left out, and if it is no sum, factors that are not positive. Rows without ids
    are what `default_id` names, else zero.
    """
    outer = sparse_ids.sizes[:-1]
    ids = reshape_sparse(sparse_ids, [int(np.prod(outer)), sparse_ids.sizes[-1]])
    kept = decided_by_look(ids.values >= 0)
    factors = None if sparse_weights is None else ids.with_values(sparse_weights.values)
    if factors is not None and combiner != "sum":
        kept = kept & decided_by_look(factors.values > 0)
    ids, empty = fill_empty_rows(retain(ids, kept), default_id or 0)
    if factors is not None:
        factors, _ = fill_empty_rows(retain(factors, kept), 1)
    found = embedding_lookup_sparse(embedding_weights, ids, factors, combiner, max_norm)
    if default_id is None:
        found = where(_column(empty, found), zeros_like(found), found)
    return reshape(found, [*outer, *shape_of(found)[1:]])


def sparse_tensor_to_csr_sparse_matrix(
    indices: Any, values: Any, dense_shape: Any, name: str | None = None
) -> SparseTensor:
    """Keep a matrix as it is: by the places of its elements."""
    return SparseTensor(indices, values, dense_shape)


def csr_sparse_matrix_to_sparse_tensor(
    sparse_matrix: SparseTensor, type: Any, name: str | None = None
) -> SparseTensor:
    """Give the matrix back."""
    return sparse_matrix


def sparse_matrix_sparse_mat_mul(
    a: SparseTensor,
    b: SparseTensor,
    type: Any,
    transpose_a: bool = False,
    transpose_b: bool = False,
    adjoint_a: bool = False,
    adjoint_b: bool = False,
    name: str | None = None,
) -> SparseTensor:
    """The product of two sparse matrices; its elements are where a product of elements is."""
    left, right = _pattern(a), _pattern(b)
    left, right = (
        left.swapaxes(-1, -2) if transpose_a or adjoint_a else left,
        right.swapaxes(-1, -2) if transpose_b or adjoint_b else right,
    )
    whole = matmul(a.to_dense(), b.to_dense(), transpose_a, transpose_b, adjoint_a, adjoint_b)
    places = np.argwhere(left @ right > 0)
    return SparseTensor(places, gather_nd(whole, places), shape_of(whole))


def _pattern(x: SparseTensor) -> Any:
    found = np.zeros(x.sizes, np.int64)
    found[tuple(x.places.T)] = 1
    return found
