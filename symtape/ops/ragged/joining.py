"""Ragged rows that are joined, stacked and repeated."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from symtape.errors import InvalidArgumentError
from symtape.ops.arguments import tensor
from symtape.ops.ragged.dense import trimmed
from symtape.ops.ragged.elementwise import same_outer_rows
from symtape.ops.ragged.picking import expand_dims, rows_of
from symtape.ops.ragged.rows import Rows, len_of, rank_of
from symtape.ops.ragged.splits import from_lengths, positive
from symtape.ops.shapes.joining import concat as dense_concat
from symtape.ops.shapes.joining import stack as dense_stack
from symtape.tensor.values import shape_of


def concatenated(kind: Any, values: Sequence[Any], axis: int) -> Any:
    """Join along an axis tensors of which one at least is ragged.

    Raises `ValueError` for unlike numbers of axes.
    """
    parts = alike(kind, values)
    rank = rank_of(parts[0])
    return _along(parts, axis + rank if axis < 0 else axis)


def alike(kind: Any, values: Sequence[Any]) -> list[Any]:
    """Make all of them ragged, with as many levels as the one that has most."""
    known = [v if isinstance(v, Rows) else tensor(v) for v in values]
    ranks = {rank_of(v) for v in known}
    if len(ranks) > 1:
        raise ValueError(f"ranks of ragged tensors differ: {sorted(ranks)}")
    levels = max((v.ragged_rank for v in known if isinstance(v, Rows)), default=0)
    return [_deepened(kind, v, levels) for v in known]


def _deepened(kind: Any, value: Any, levels: int) -> Any:
    if not levels:
        return value
    if not isinstance(value, Rows):
        return trimmed(kind, value, None, None, levels)
    return value.with_values(_deepened(kind, value.values, levels - 1))


def _along(parts: Sequence[Any], axis: int) -> Any:
    if not isinstance(parts[0], Rows):
        return dense_concat(parts, axis)
    if axis > 1:
        _same_rows(parts)
        return type(parts[0])(_along([p.values for p in parts], axis - 1), parts[0].splits)
    joined = _behind(parts)
    if axis == 0:
        return joined
    _same_outer(parts)
    count = len_of(parts[0])
    turns = np.arange(count * len(parts)).reshape(len(parts), count).T.ravel()
    mixed = rows_of(joined, turns)
    lengths = np.diff(mixed.splits).reshape(count, len(parts)).sum(axis=1, dtype=mixed.splits.dtype)
    return type(mixed)(mixed.values, from_lengths(lengths))


def _behind(parts: Sequence[Any]) -> Any:
    lengths = np.concatenate([np.diff(p.splits) for p in parts])
    values = _along([p.values for p in parts], 0)
    return type(parts[0])(values, from_lengths(lengths))


def _same_rows(parts: Sequence[Any]) -> None:
    _same_outer(parts)
    for other in parts[1:]:
        same_outer_rows(parts[0], other)


def _same_outer(parts: Sequence[Any]) -> None:
    counts = [len_of(p) for p in parts]
    for k, count in enumerate(counts):
        if count != counts[0]:
            raise InvalidArgumentError(
                message=f"Input tensors at index 0 (=x) and {k} (=y) have incompatible shapes.\n"
                f"Condition x == y did not hold.\nFirst 1 elements of x:\n[{counts[0]}]\n"
                f"First 1 elements of y:\n[{count}]"
            )


def stacked(kind: Any, values: Sequence[Any], axis: int) -> Any:
    """Stack tensors, ragged or not, along a new axis.

    Only rows along the second axis may differ in length, unless a tensor is ragged further in; new
    axes within the last one of tensors that are not ragged leave them so.
    """
    known = [v if isinstance(v, Rows) else tensor(v) for v in values]
    rank = rank_of(known[0])
    place = positive(axis, rank + 1)
    has_rows = any(isinstance(v, Rows) for v in known)
    if not rank or (place and place >= rank - 1 and not has_rows):
        return dense_stack(known, place)
    parts = alike(kind, [_rows(kind, v) for v in known])
    if place > 1:
        _same_rows(parts)
        return kind(stacked(kind, [p.values for p in parts], place - 1), parts[0].splits)
    if place or has_rows:
        return concatenated(kind, [expand_dims(p, place) for p in parts], place)
    lengths = [len_of(p) if isinstance(p, Rows) else shape_of(p)[0] for p in parts]
    narrow = np.int32 if rank == 1 else np.int64
    return kind(_along(parts, 0), from_lengths(np.array(lengths, narrow)))


def _rows(kind: Any, value: Any) -> Any:
    """Let the second axis of a tensor vary, and no further one."""
    if isinstance(value, Rows) or rank_of(value) < 2:
        return value
    return trimmed(kind, value, None, None, 1)


def tiled(rows: Any, multiples: Sequence[int]) -> Any:
    """Repeat along each axis (`tf.tile`)."""
    for axis, count in enumerate(multiples):
        if count == 0:
            rows = rows[(*[slice(None)] * axis, slice(0))]
        elif count != 1:
            rows = _along([rows] * count, axis)
    return rows
