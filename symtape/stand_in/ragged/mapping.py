"""`map_fn` over rows, and rows that are made of the elements of sparse tensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from symtape import nest
from symtape.errors import InvalidArgumentError, UnsupportedError
from symtape.ops.ragged.dense import coordinates
from symtape.ops.ragged.joining import stacked
from symtape.ops.ragged.rows import Rows
from symtape.ops.ragged.tensor import RaggedTensor
from symtape.ops.shapes.joining import stack, unstack
from symtape.ops.sparse.tensor import SparseTensor
from symtape.stand_in.sparse.functions import reorder
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.values import shape_of


def map_fn(
    fn: Callable[..., Any],
    elems: Any,
    dtype: Any = None,
    parallel_iterations: int | None = None,
    back_prop: bool = True,
    swap_memory: bool = False,
    infer_shape: bool = True,
    name: str | None = None,
    fn_output_signature: Any = None,
) -> Any:
    """Call a function with each row, and stack what it gives: as rows where it names no dtype.

    Raises `ValueError` for results of a dtype that is named if their shapes differ.

    >>> map_fn(lambda row: row[:1], RaggedTensor.from_row_splits([1, 2, 3], [0, 2, 3])).to_list()
    [[1], [3]]
    """
    signature = dtype if fn_output_signature is None else fn_output_signature
    leaves = nest.flatten(elems)
    columns = [[*x] if isinstance(x, RaggedTensor) else unstack(convert(x)) for x in leaves]
    found = [fn(nest.pack_sequence_as(elems, row)) for row in zip(*columns, strict=True)]
    if not found:
        raise UnsupportedError(
            "map_fn of no elements: the shape of its result is not known; test for it beforehand"
        )
    wanted = leaves if signature is None else nest.flatten(signature)
    results = zip(*[nest.flatten(row) for row in found], strict=True)
    made = [_together(list(c), kind) for c, kind in zip(results, wanted, strict=True)]
    return nest.pack_sequence_as(found[0], made)


def _together(results: list[Any], wanted: Any) -> Any:
    """Stack results that are of a dtype, or rows."""
    if isinstance(wanted, Rows) or any(isinstance(x, Rows) for x in results):
        rows = [x if isinstance(x, Rows) else convert(x) for x in results]
        return stacked(RaggedTensor, rows, 0)
    kind = dtypes.as_dtype(getattr(wanted, "dtype", wanted))
    tensors = [convert(x, hint=kind) for x in results]
    for x in tensors:
        if x.dtype is not kind:
            raise InvalidArgumentError(
                message=f"TensorArray dtype is {kind.name} but Op is trying to write dtype "
                f"{x.dtype.name} "
            )
        if shape_of(x) != shape_of(tensors[0]):
            raise ValueError(
                f"Incompatible shape for value ({shape_of(x)}), expected ({shape_of(tensors[0])})"
            )
    return stack(tensors)


def to_sparse(self: RaggedTensor, name: str | None = None) -> SparseTensor:
    """Give the values at their places of a sparse tensor.

    >>> to_sparse(RaggedTensor.from_row_splits([1, 2, 3], [0, 2, 3])).indices.numpy().tolist()
    [[0, 0], [0, 1], [1, 0]]
    """
    return SparseTensor(coordinates(self), self.flat_values, self.bounds)


def from_sparse(
    st_input: SparseTensor, name: str | None = None, row_splits_dtype: Any = None
) -> Any:
    """Make rows of a sparse matrix whose elements stand at the beginning of each of its rows.

    Raises `InvalidArgumentError` for another one.

    >>> from_sparse(SparseTensor([[0, 0], [0, 1], [2, 0]], [1, 2, 3], (3, 2))).to_list()
    [[1, 2], [], [3]]
    """
    if not isinstance(st_input, SparseTensor):
        raise TypeError(f"Expected SparseTensor, got {type(st_input).__name__}.")
    if len(st_input.sizes) != 2:
        raise ValueError("rank(st_input) must be 2.")
    ordered = reorder(st_input)
    lengths = np.bincount(ordered.places[:, 0], minlength=ordered.sizes[0])
    if not np.array_equal(ordered.places[:, 1], np.concatenate([*map(np.arange, lengths), []])):
        raise InvalidArgumentError(
            message="Expected 'tf.Tensor(False, shape=(), dtype=bool)' to be true. Summarized "
            "data: b'SparseTensor is not right-ragged'"
        )
    return RaggedTensor.from_row_lengths(ordered.values, lengths)


RaggedTensor.to_sparse = to_sparse  # type: ignore[attr-defined]  # sparse tensors are here alone
RaggedTensor.from_sparse = staticmethod(from_sparse)  # type: ignore[attr-defined]  # likewise
