"""Ragged tensors of ranges, of conditions, and of tensors that are stacked."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtape.ops.arguments import allowed, check, is_tensor, of_places, valued
from symtape.ops.elementwise.conversion import cast
from symtape.ops.ragged.joining import stacked
from symtape.ops.ragged.picking import rows_of
from symtape.ops.ragged.rows import Rows, held, len_of, rank_of
from symtape.ops.ragged.splits import from_lengths, read
from symtape.ops.ragged.tensor import RaggedTensor
from symtape.ops.reductions.counting import bincount
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.dispatch import invalid, no_kernel
from symtape.tensor.recording.looking import looking, resized
from symtape.tensor.shape import TensorShape
from symtape.tensor.tensor import Tensor

_RANGED = allowed("bfloat16, float, double, int32, int64")
_KINDS = (dtypes.int32, dtypes.int64, dtypes.float32, dtypes.float64)
"""Dtypes of ranges, from the one that gives way to the others."""


def ranges(
    starts: Any,
    limits: Any = None,
    deltas: Any = 1,
    dtype: Any = None,
    name: str | None = None,
    row_splits_dtype: Any = "int64",
) -> RaggedTensor:
    """Make a row of each range (`tf.ragged.range`): from 0 to each number, or between two.

    Raises `InvalidArgumentError` for a step of zero, for unlike numbers of ranges, and for another
    `dtype` than int32, int64, float32 and float64; `AssertionError` for numbers of others.

    >>> ranges([3, 0, 2])
    <tf.RaggedTensor [[0, 1, 2], [], [0, 1]]>
    """
    given = (0, starts, deltas) if limits is None else (starts, limits, deltas)
    kind = None if dtype is None else dtypes.as_dtype(dtype)
    parts = [convert(x, kind) for x in given]
    common = _kind_of(parts, kind)
    of_places("RaggedRange", row_splits_dtype, dtypes.int64, "Tsplits")
    numbers = [np.asarray(valued(part)) for part in parts]
    _check_steps(numbers)
    triples = np.broadcast_arrays(*(np.atleast_1d(n).astype(common) for n in numbers))
    rows = [np.arange(*t, dtype=common) for t in zip(*triples, strict=True)]
    if (run := looking()) is not None:
        rows = [resized(row, [run.number]) for row in rows]
    made = RaggedTensor.from_row_lengths(
        Tensor(np.concatenate([*rows, np.zeros(0, common)])),
        [len(row) for row in rows],
    )
    return made.with_row_splits_dtype(row_splits_dtype)


def _kind_of(parts: list[Tensor], asked: dtypes.DType | None) -> Any:
    """Find the dtype of ranges: the one that is asked for, or the largest of their numbers."""
    if asked is None:
        if any(part.dtype not in _KINDS for part in parts):
            raise AssertionError
        return max((part.dtype for part in parts), key=_KINDS.index).numpy
    check("RaggedRange", parts[0], _RANGED)
    if asked.name == "bfloat16":
        raise no_kernel("RaggedRange", parts[0])
    return asked.numpy


def _check_steps(numbers: list[Any]) -> None:
    """Refuse lists of unlike lengths, and steps of zero; one number stands beside any."""
    if len({n.shape for n in numbers if n.ndim}) > 1:
        raise invalid("RaggedRange", "starts, limits, and deltas must have the same shape")
    if not np.all(numbers[2]):
        raise invalid("RaggedRange", "Requires delta != 0")


def boolean_mask(data: Any, mask: Any, name: str | None = None) -> Tensor | RaggedTensor:
    """Keep the elements of each row where a mask is true (`tf.ragged.boolean_mask`).

    Raises `ValueError` for a mask without axes, `TypeError` for one of numbers.

    >>> boolean_mask([[1, 2], [3, 4]], [[True, False], [True, True]])
    <tf.RaggedTensor [[1], [3, 4]]>
    """
    chosen = mask if isinstance(mask, Rows) else convert(mask, dtypes.bool_)
    if not chosen.shape.rank:
        raise ValueError("mask cannot be scalar.")
    if chosen.shape.rank == 1:
        whole = held(data)
        _check_rows((len_of(whole),), chosen.shape)
        found: Tensor | RaggedTensor = rows_of(whole, np.flatnonzero(valued(chosen)))
        return found
    rank = chosen.shape.rank - 1
    if not isinstance(chosen, Rows) and not isinstance(data, Rows):
        data = convert(data)
        _check_rows(data.shape[: rank + 1], chosen.shape)
    mask_rows = (
        chosen if isinstance(chosen, Rows) else RaggedTensor.from_tensor(chosen, None, None, rank)
    )
    rows: Any = data if isinstance(data, Rows) else RaggedTensor.from_tensor(data, None, None, rank)
    kept = boolean_mask(rows.values, mask_rows.values)
    inner = mask_rows.values
    if isinstance(inner, Rows) or rank_of(inner) > 1:
        return RaggedTensor(kept, rows.splits)
    counts = np.bincount(mask_rows.rowids[valued(inner)], minlength=len_of(rows))
    return RaggedTensor(kept, from_lengths(counts.astype(mask_rows.splits.dtype)))


def _check_rows(sizes: Any, mask: Any) -> None:
    """Raise `ValueError` unless a mask has the sizes of what it is for."""
    if tuple(sizes) != tuple(mask):
        raise ValueError(f"Shapes {TensorShape(sizes)} and {mask} are incompatible")


def stack(values: Any, axis: int = 0, name: str | None = None) -> Tensor | RaggedTensor:
    """Stack tensors of which the sizes may differ (`tf.ragged.stack`).

    What is no list is one tensor. Raises `ValueError` where they have unlike numbers of axes.

    >>> stack([[1, 2], [3]])
    <tf.RaggedTensor [[1, 2], [3]]>
    """
    if not isinstance(axis, int):
        raise TypeError(f"axis must be an int; got {type(axis).__name__}")
    parts = values if isinstance(values, (list, tuple)) else [values]
    found: Tensor | RaggedTensor = stacked(RaggedTensor, parts, axis)
    return found


def row_splits_to_segment_ids(splits: Any, name: str | None = None, out_type: Any = None) -> Tensor:
    """Say of each value in which row it is, by where rows begin and end.

    >>> row_splits_to_segment_ids([0, 2, 3]).numpy()
    array([0, 0, 1])
    """
    places = read(splits, "splits")
    if not len(places):
        raise ValueError("Invalid row_splits: []")
    kind = of_places("Shape", out_type, dtypes.as_dtype(places.dtype), "out_type")
    rows = np.diff(places)
    return Tensor(np.repeat(np.arange(len(rows)), rows).astype(kind.numpy))


def segment_ids_to_row_splits(
    segment_ids: Any,
    num_segments: Any = None,
    out_type: Any = None,
    name: str | None = None,
) -> Tensor:
    """Say where rows begin and end, by the row of each value, in any order.

    With `num_segments` there are so many rows. Raises `InvalidArgumentError` for negative ones,
    `TypeError` for numbers that are not whole, and `ValueError` for another rank than one.

    >>> segment_ids_to_row_splits([0, 2, 0]).numpy()
    array([0, 2, 2, 3])
    """
    own = next((x.dtype for x in (segment_ids, num_segments) if is_tensor(x)), dtypes.int64)
    kind = own if out_type is None else dtypes.as_dtype(out_type)
    rows = _whole(segment_ids, "segment_ids")
    rows.shape.assert_has_rank(1)
    if num_segments is not None:
        num_segments = _whole(num_segments, "num_segments")
        num_segments.shape.assert_has_rank(0)
    counts = bincount(rows, None, num_segments, num_segments, dtype=kind)
    return Tensor(from_lengths(np.asarray(valued(counts))).astype(kind.numpy))


def _whole(value: Any, name: str) -> Tensor:
    """Convert to int32; raises `TypeError` for what is no whole number."""
    found = convert(value, hint=dtypes.int32)
    if not found.dtype.is_integer:
        raise TypeError(
            f"Argument `tensor` (name: {name}) must be of type integer. Received `tensor` = "
            f"{found.numpy()} of dtype: {found.dtype}"
        )
    return cast(found, dtypes.int32)
