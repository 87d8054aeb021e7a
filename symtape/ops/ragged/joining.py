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
from symtape.ops.ragged.splits import from_lengths
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
        _same_outer(parts)
        for other in parts[1:]:
            same_outer_rows(parts[0], other)
        return parts[0].with_values(_along([p.values for p in parts], axis - 1))
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
    """Stack tensors, ragged or not, along a new axis."""
    known = [v if isinstance(v, Rows) else tensor(v) for v in values]
    rank = rank_of(known[0])
    place = axis + rank + 1 if axis < 0 else axis
    if not rank:
        if not -1 <= axis < 1:
            raise ValueError(f"axis={axis} out of bounds: expected -1<=axis<1")
        return dense_stack(known, 0)
    if place and not any(isinstance(v, Rows) for v in known):
        return dense_stack(known, place)
    if place or any(isinstance(v, Rows) for v in known):
        return concatenated(kind, [expand_dims(_rows(kind, v), place) for v in known], place)
    parts = known if rank == 1 else [trimmed(kind, v, None, None, rank - 1) for v in known]
    lengths = [len_of(p) if isinstance(p, Rows) else shape_of(p)[0] for p in parts]
    narrow = np.int32 if rank == 1 else np.int64
    return kind(_along(parts, 0), from_lengths(np.array(lengths, narrow)))


def _rows(kind: Any, value: Any) -> Any:
    if isinstance(value, Rows) or rank_of(value) < 2:
        return value
    return trimmed(kind, value, None, None, rank_of(value) - 1)


def tiled(rows: Any, multiples: Sequence[int]) -> Any:
    """Repeat along each axis (`tf.tile`)."""
    for axis, count in enumerate(multiples):
        if count == 0:
            rows = rows[(*[slice(None)] * axis, slice(0))]
        elif count != 1:
            rows = _along([rows] * count, axis)
    return rows
