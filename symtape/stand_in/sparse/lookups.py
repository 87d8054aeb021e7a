"""Sums of rows that a sparse tensor names, products of two sparse matrices, and common elements."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtape.ops.elementwise.arithmetic import divide, multiply
from symtape.ops.elementwise.functions import sqrt
from symtape.ops.indexing.gathering import gather, gather_nd
from symtape.ops.linalg.products import matmul
from symtape.ops.reductions.segments import unsorted_segment_sum
from symtape.ops.shapes.creation import ones_like
from symtape.ops.shapes.shaping import reshape
from symtape.stand_in.sparse.functions import reshape as reshape_sparse
from symtape.stand_in.sparse.functions import retain
from symtape.stand_in.sparse.tensors import SparseTensor
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
    >>> embedding_lookup_sparse([[1.0], [2.0]], ids, None, combiner="mean").numpy()
    array([[1.5]], dtype=float32)
    """
    rows = sp_ids.places[:, 0]
    return _summed(
        params, sp_ids, sp_weights, combiner or "mean", rows, int(rows.max(initial=-1)) + 1
    )


def _summed(
    params: Any, ids: SparseTensor, weights: Any, combiner: str, rows: Any, count: int
) -> Tensor:
    named = gather(params, ids.values)
    factors = ones_like(named[:, 0]) if weights is None else weights.values
    column = reshape(factors, [-1, *[1] * (named.ndim - 1)])
    total = unsorted_segment_sum(multiply(named, column), rows, count)
    if combiner == "sum":
        return total
    norm = factors if combiner == "mean" else multiply(factors, factors)
    whole = unsorted_segment_sum(norm, rows, count)
    whole = whole if combiner == "mean" else sqrt(whole)
    return divide(total, reshape(whole, [-1, *[1] * (named.ndim - 1)]))


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
    """The same for ids of more axes; negative ids are left out, and empty rows are zero."""
    outer = sparse_ids.sizes[:-1]
    count = int(np.prod(outer))
    flat = reshape_sparse(sparse_ids, [count, sparse_ids.shape[-1]])
    kept = decided_by_look(flat.values >= 0)
    factors = (
        None
        if sparse_weights is None
        else retain(sparse_weights.with_values(sparse_weights.values), kept)
    )
    ids = retain(flat, kept)
    found = _summed(embedding_weights, ids, factors, "sum", ids.places[:, 0], count)
    if combiner != "sum":
        found = _mean(found, ids, factors, combiner, count)
    return reshape(found, [*outer, *shape_of(found)[1:]])


def _mean(total: Tensor, ids: SparseTensor, weights: Any, combiner: str, count: int) -> Tensor:
    """Divide by the sums of factors, of which those of empty rows count as one."""
    factors = (
        ones_like(total[:1, 0]) * np.ones(len(ids.places), "float32")
        if weights is None
        else weights.values
    )
    norm = factors if combiner == "mean" else multiply(factors, factors)
    whole = unsorted_segment_sum(norm, ids.places[:, 0], count)
    empty = Tensor(np.isin(np.arange(count), ids.places[:, 0], invert=True).astype("float32"))
    whole = whole + empty
    whole = whole if combiner == "mean" else sqrt(whole)
    return divide(total, reshape(whole, [-1, *[1] * (total.ndim - 1)]))


def intersection(a: SparseTensor, b: SparseTensor, validate_indices: bool = True) -> SparseTensor:
    """The values that two tensors have in common in each of their last axes, in order.

    >>> one = SparseTensor([[0, 0], [1, 0]], [1, 1], (2, 1))
    >>> intersection(one, SparseTensor([[1, 0]], [1], (2, 1))).indices.numpy()
    array([[1, 0]])
    """
    sets = []
    for x in (a, b):
        found: dict[tuple[int, ...], set[Any]] = {}
        known = decided_by_look(x.values).tolist()
        for place, value in zip(x.places[:, :-1].tolist(), known, strict=True):
            found.setdefault(tuple(place), set()).add(value)
        sets.append(found)
    places, values, longest = [], [], 0
    for row in sorted(sets[0].keys() & sets[1].keys()):
        common = sorted(sets[0][row] & sets[1][row])
        longest = max(longest, len(common))
        places += [(*row, k) for k in range(len(common))]
        values += common
    shape = [*a.sizes[:-1], longest]
    kind = a.dtype.numpy
    return SparseTensor(
        np.array(places, np.int64).reshape(-1, len(shape)), np.array(values, kind), shape
    )


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
    a: SparseTensor, b: SparseTensor, type: Any, **turned: bool
) -> SparseTensor:
    """The product of two sparse matrices; its elements are where a product of elements is."""
    pattern = [_pattern(x) for x in (a, b)]
    places = np.argwhere(np.matmul(*pattern) > 0)
    whole = matmul(a.to_dense(), b.to_dense())
    return SparseTensor(places, gather_nd(whole, places), shape_of(whole))


def _pattern(x: SparseTensor) -> Any:
    found = np.zeros(x.sizes, np.int64)
    found[tuple(x.places.T)] = 1
    return found
