"""`tf.ragged.stack_dynamic_partitions`: elements dealt out to rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtape.ops.arguments import plain, tensor
from symtape.ops.checks.values import assert_equal, assert_less, assert_non_negative
from symtape.ops.indexing.gathering import gather
from symtape.ops.ragged.picking import rows_of
from symtape.ops.ragged.rows import Rows, rank_of
from symtape.ops.ragged.tensor import RaggedTensor
from symtape.ops.reductions.ordering import argsort
from symtape.ops.shapes.shaping import expand_dims
from symtape.tensor.decided import decided_by_look
from symtape.tensor.shape import TensorShape
from symtape.tensor.tensor import Tensor


def stack_dynamic_partitions(
    data: Any, partitions: Any, num_partitions: Any, name: str | None = None
) -> RaggedTensor:
    """The elements of each partition, a row for each of `num_partitions`, in the order they have.

    `partitions` has a number for each element, or each row of the first axes, of `data`; both may
    be ragged. The dtype of the places of rows is that of `partitions`, int32 or int64. Derivatives
    flow to the data. Raises `ValueError` for shapes and dtypes that do not fit, and
    `InvalidArgumentError` for numbers that are negative or not below `num_partitions`.

    >>> stack_dynamic_partitions(["a", "b", "c"], [1, 0, 1], 3)
    <tf.RaggedTensor [[b'b'], [b'a', b'c'], []]>
    """
    values = data if isinstance(data, Rows) else tensor(data)
    places = partitions if isinstance(partitions, Rows) else tensor(partitions)
    count = np.asarray(plain(num_partitions))
    TensorShape(count.shape).assert_has_rank(0)
    rank = rank_of(places)
    places.shape.assert_is_compatible_with(values.shape[:rank])
    splits = values.row_splits if isinstance(values, Rows) else places
    if splits.dtype.name not in {"int32", "int64"}:
        raise ValueError("value_rowids must have dtype int32 or int64")
    made: RaggedTensor = _dealt(values, places, count).with_row_splits_dtype(splits.dtype)
    return made


def _dealt(values: Any, places: Any, count: Any) -> Any:
    rank = rank_of(places)
    if rank == 0:
        return RaggedTensor.from_value_rowids(
            expand_dims(values, 0), [int(decided_by_look(places))], count
        )
    if rank == 1:
        return _in_order(values, places, count)
    ragged = _as_rows(values, 1)
    known = _as_rows(places, max(ragged.ragged_rank, rank - 1))
    assert_equal(
        ragged.row_splits,
        known.row_splits,
        message="data and partitions have incompatible ragged shapes",
    )
    return _dealt(ragged.values, known.values, count)


def _as_rows(x: Any, levels: int) -> Any:
    return x if isinstance(x, Rows) else RaggedTensor.from_tensor(x, ragged_rank=levels)


def _in_order(values: Any, places: Tensor, count: Any) -> Any:
    order = argsort(places, stable=True)
    rows = gather(places, order)
    assert_less(
        rows[-1:],
        np.asarray(count, rows.dtype.numpy),
        message="partitions must be less than num_partitions",
    )
    assert_non_negative(places, message="partitions must be non-negative.")
    chosen = decided_by_look(order)
    found = rows_of(values, chosen) if isinstance(values, Rows) else gather(values, order)
    return RaggedTensor.from_value_rowids(found, decided_by_look(rows), count)
