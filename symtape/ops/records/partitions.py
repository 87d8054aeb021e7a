"""Rows of unlike lengths in records: values under one key, and what tells rows under others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from symtape.ops.arguments import plain
from symtape.ops.elementwise.conversion import cast
from symtape.ops.ragged.tensor import RaggedTensor
from symtape.ops.records.features import (
    RaggedFeature,
    RowLengths,
    RowLimits,
    RowSplits,
    RowStarts,
    UniformRowLength,
)
from symtape.ops.shapes.shaping import reshape
from symtape.tensor.values import shape_of


def in_rows(key: str, feature: RaggedFeature, found: Mapping[str, Any]) -> Any:
    """Cut the values of a feature into the rows that its partitions tell, from the inside.

    Raises `InvalidArgumentError` for rows that do not fit; TensorFlow looks at them only with
    `validate`.
    """
    made = found[feature.value_key or key]
    if not isinstance(made, RaggedTensor):
        for part in reversed(feature.partitions):
            made = _cut(made, part, found, feature)
        return made
    around = made.row_splits if made.ragged_rank > 1 else None
    made = made if around is None else made.values
    for part in reversed(feature.partitions):
        made = _cut_each(made, part, found, around is not None)
    return made if around is None else RaggedTensor.from_row_splits(made, around)


def _cut(values: Any, part: Any, found: Mapping[str, Any], feature: RaggedFeature) -> Any:
    """Cut the values of one record."""
    if isinstance(part, UniformRowLength):
        if isinstance(values, RaggedTensor):
            length = np.asarray(part.length, feature.row_splits_dtype.numpy)
            made = RaggedTensor.from_uniform_row_length(values, length)
            return made.with_row_splits_dtype(feature.row_splits_dtype)
        return reshape(values, [-1, part.length, *shape_of(values)[1:]])
    dtype = feature.row_splits_dtype
    return _from(part, values, cast(found[part.key], dtype)).with_row_splits_dtype(dtype)


def _from(part: Any, values: Any, told: Any) -> RaggedTensor:
    if isinstance(part, RowSplits):
        return RaggedTensor.from_row_splits(values, told)
    if isinstance(part, RowLengths):
        return RaggedTensor.from_row_lengths(values, told)
    if isinstance(part, RowStarts):
        return RaggedTensor.from_row_starts(values, told)
    if isinstance(part, RowLimits):
        return RaggedTensor.from_row_limits(values, told)
    return RaggedTensor.from_value_rowids(values, told)


def _cut_each(rows: RaggedTensor, part: Any, found: Mapping[str, Any], nested: bool) -> Any:
    """Cut the values of each of several records, and keep which are whose."""
    ends = np.asarray(plain(rows.row_splits))
    if isinstance(part, UniformRowLength):
        inner = rows.values
        if isinstance(inner, RaggedTensor):
            cut: Any = RaggedTensor.from_uniform_row_length(inner, np.asarray(part.length))
            cut = cut.with_row_splits_dtype(rows.row_splits.dtype)
        else:
            cut = reshape(inner, [-1, part.length, *shape_of(inner)[1:]])
        return RaggedTensor.from_row_splits(cut, ends // part.length)
    told = found[part.key].values if nested else found[part.key]
    numbers = np.asarray(plain(told.values)).astype(ends.dtype)
    splits = np.asarray(plain(told.row_splits)).astype(ends.dtype)
    lengths = [
        _lengths(part, numbers[a:b], int(last - first))
        for a, b, first, last in zip(splits[:-1], splits[1:], ends[:-1], ends[1:], strict=True)
    ]
    joined = np.concatenate([ends[:0], *lengths]).astype(ends.dtype)
    cut = RaggedTensor.from_row_lengths(rows.values, joined)
    counts = np.array([len(part) for part in lengths], ends.dtype)
    return RaggedTensor.from_row_lengths(cut, counts)


def _lengths(part: Any, told: Any, count: int) -> Any:
    """Give the lengths of the rows of one record, whose values are `count`."""
    if isinstance(part, RowLengths):
        return told
    if isinstance(part, RowSplits):
        return np.diff(told)
    if isinstance(part, RowStarts):
        return np.diff(told, append=count)
    if isinstance(part, RowLimits):
        return np.diff(told, prepend=0)
    return np.bincount(told) if len(told) else told
