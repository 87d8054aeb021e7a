"""Sparse tensors as elements of datasets: stacked, taken apart by rows, and made of their parts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from symtape.errors import InvalidArgumentError
from symtape.ops.shapes.creation import zeros as dense_zeros
from symtape.ops.shapes.joining import concat
from symtape.ops.sparse.order import in_order
from symtape.ops.sparse.spec import SparseTensorSpec
from symtape.ops.sparse.tensor import SparseTensor
from symtape.tensor.shape import TensorShape
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import look_at

_APART = "SerializeManySparse"
"""TensorFlow's operation that takes a sparse tensor apart."""


def batched(spec: SparseTensorSpec, size: int | None) -> SparseTensorSpec:
    """Give the spec of a batch: one axis more, in front."""
    return SparseTensorSpec(TensorShape([size]).concatenate(spec.shape), spec.dtype)


def unbatched(spec: SparseTensorSpec) -> SparseTensorSpec:
    """Give the spec of a row: one axis less; raises `ValueError` for scalars."""
    if spec.shape.rank == 0:
        raise ValueError("Unbatching a tensor is only supported for rank >= 1")
    return SparseTensorSpec(spec.shape if spec.shape.rank is None else spec.shape[1:], spec.dtype)


def check_rows(value: SparseTensor) -> None:
    """Refuse what cannot be taken apart by rows: of one axis or none, and out of order."""
    rank = len(value.sizes)
    if not rank:
        raise ValueError(
            f"Unbatching a sparse tensor is only supported for rank >= 1. Obtained input: {value}."
        )
    if rank == 1:
        raise InvalidArgumentError.of(
            _APART, "Rank of input SparseTensor should be > 1, but saw rank: 1"
        )
    in_order(_APART, value.places, value.sizes)


def count(value: SparseTensor) -> int:
    """Count the rows."""
    return value.sizes[0]


def row(value: SparseTensor, place: int) -> SparseTensor:
    """Take one row of elements that are in order.

    >>> row(SparseTensor([[0, 1], [1, 2]], [5, 6], (2, 3)), 1).to_dense().numpy()
    array([0, 0, 6], dtype=int32)
    """
    first, end = np.searchsorted(value.places[:, 0], [place, place + 1])
    return SparseTensor(value.places[first:end, 1:], value.values[first:end], value.sizes[1:])


def stacked(spec: SparseTensorSpec, values: Sequence[SparseTensor]) -> SparseTensor:
    """Make one of elements, which are its rows, as large as the largest of them.

    Raises `InvalidArgumentError` for other numbers of axes.

    >>> rows = [SparseTensor([[k]], [7], (k + 1,)) for k in range(2)]
    >>> stacked(SparseTensorSpec([None], "int32"), rows).to_dense().numpy()
    array([[7, 0],
           [0, 7]], dtype=int32)
    """
    ranks = [len(value.sizes) for value in values]
    for k, rank in enumerate(ranks):
        if rank != ranks[0]:
            raise InvalidArgumentError.of(
                "DeserializeSparse",
                f"Inconsistent shape across SparseTensors: rank prior to SparseTensor[{k}] was: "
                f"{ranks[0]} but rank of SparseTensor[{k}] is: {rank}",
            )
    places = [np.insert(value.places, 0, k, axis=1) for k, value in enumerate(values)]
    sizes = np.max([value.sizes for value in values], axis=0).astype(int).tolist()
    elements = concat([value.values for value in values], 0)
    return SparseTensor(np.concatenate(places), elements, (len(values), *sizes))


def built(spec: SparseTensorSpec, components: Sequence[Tensor]) -> SparseTensor:
    """Make one of places, elements and a shape."""
    places, values, shape = components
    return SparseTensor(places, values, look_at(shape))


def zeros(spec: SparseTensorSpec, number: int) -> SparseTensor:
    """Make an element without elements, the sizes that vary being a number, or one."""
    sizes = [number or 1 if n is None else n for n in spec.shape]
    return SparseTensor(np.zeros((0, len(sizes)), int), dense_zeros([0], spec.dtype), sizes)


def probed(spec: SparseTensorSpec, value: SparseTensor, number: int) -> SparseTensor:
    """Be the element: its size is its own."""
    return value
