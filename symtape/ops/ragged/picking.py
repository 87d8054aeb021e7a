"""Elements, rows and parts of rows of a ragged tensor, as indices in brackets choose them."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from symtape.ops.arguments import GATHERED, check, is_tensor, tensor, valued
from symtape.ops.indexing.gathering import gather
from symtape.ops.ragged.rows import Rows, len_of
from symtape.ops.ragged.splits import from_lengths
from symtape.ops.shapes.shaping import expand_dims as _dense_expand_dims
from symtape.tensor.unknown_sizes import unsized as of_any_size

_ALL = slice(None)


def item(rows: Rows, keys: Any) -> Any:
    """Choose by a tuple of numbers, ranges, `...` and `tf.newaxis`, as TensorFlow does.

    Raises `IndexError` for a row that is not there, and `ValueError` for one element of each row
    where rows differ in length.
    """
    found = _without_dots(rows, [_read(k) for k in keys])
    return _outer(rows, found)


def _read(key: Any) -> Any:
    """Read a key: of a tensor its number."""
    if key is None or key is Ellipsis:
        return key
    if isinstance(key, (bool, np.bool_)):
        raise ValueError("mask cannot be scalar.")
    if isinstance(key, slice):
        return slice(*(None if n is None else _end(n) for n in _ends(key)))
    try:
        return operator.index(valued(key).item() if is_tensor(key) else key)
    except (TypeError, AttributeError):
        raise TypeError(
            "Only integers, slices (`:`), ellipsis (`...`), tf.newaxis (`None`) and scalar "
            f"tf.int32/tf.int64 tensors are valid indices, got {key!r}"
        ) from None


def _end(n: Any) -> Any:
    if isinstance(n, bool):
        check("StridedSlice", tensor(n), GATHERED, "", "Index")
    return _read(n)


def _ends(key: slice) -> tuple[Any, Any, Any]:
    return key.start, key.stop, key.step


def _without_dots(rows: Rows, keys: list[Any]) -> list[Any]:
    if Ellipsis not in keys:
        return keys
    at = keys.index(Ellipsis)
    named = sum(k is not None for k in keys) - 1
    return [*keys[:at], *[_ALL] * (rows.rank - named), *keys[at + 1 :]]


def _outer(rows: Any, keys: list[Any]) -> Any:
    """Choose rows by the first key, and within them by the others."""
    if not keys:
        return rows
    if not isinstance(rows, Rows):
        return rows[tuple(keys)]
    first, rest = keys[0], keys[1:]
    if first is None:
        return expand_dims(_outer(rows, rest), 0)
    if isinstance(first, slice):
        return _inner(rows_of(rows, np.arange(len_of(rows))[first]), rest)
    count = len_of(rows)
    if not -count <= first < count:
        raise IndexError(f"Row key {first} out of bounds")
    begin, end = (int(rows.splits[first % count + k]) for k in (0, 1))
    row = rows_of(rows.values, np.arange(begin, end))
    is_loose = rows.uniform_row_length is None and not isinstance(row, Rows)
    return _outer(of_any_size(row, 0) if is_loose else row, rest)


def _inner(rows: Rows, keys: list[Any]) -> Any:
    """Choose within each row."""
    if not keys:
        return rows
    first, rest = keys[0], keys[1:]
    if first is None:
        return expand_dims(_inner(rows, rest), 1)
    lengths = np.diff(rows.splits)
    if isinstance(first, slice):
        if first != _ALL:
            ranges = [np.arange(n)[first] for n in lengths.tolist()]
            places = np.concatenate([*map(np.add, ranges, rows.splits[:-1]), np.zeros(0, int)])
            splits = from_lengths(np.array([len(r) for r in ranges], rows.splits.dtype))
            length = rows.uniform_row_length
            uniform = None if length is None else len(range(int(length))[first])
            rows = type(rows)(rows_of(rows.values, places.astype(int)), splits, uniform=uniform)
        return rows if not rest else rows.with_values(_within(rows.values, rest))
    if rows.uniform_row_length is None:
        raise ValueError("Cannot index into an inner ragged dimension.")
    return _outer(rows_of(rows.values, rows.splits[:-1] + range(lengths[0])[first]), [_ALL, *rest])


def _within(values: Any, keys: list[Any]) -> Any:
    return _inner(values, keys) if isinstance(values, Rows) else values[(_ALL, *keys)]


def rows_of(values: Any, places: Any) -> Any:
    """Choose rows of a tensor, ragged or not, by their numbers."""
    if not isinstance(values, Rows):
        return gather(values, places)
    lengths = np.diff(values.splits)[places]
    inner = [np.arange(values.splits[k], values.splits[k + 1]) for k in places.tolist()]
    chosen = np.concatenate([*inner, np.zeros(0, int)]).astype(int)
    uniform = values.uniform_row_length
    return type(values)(
        rows_of(values.values, chosen),
        from_lengths(lengths),
        uniform=None if uniform is None else int(uniform),
    )


def unsized(values: Any) -> Any:
    """Forget that rows are of one length, where they are."""
    if not isinstance(values, Rows):
        return values
    return type(values)(unsized(values.values), values.splits)


def expand_dims(rows: Any, axis: int) -> Any:
    """Put an axis of one element into ragged rows."""
    if not isinstance(rows, Rows):
        return _dense_expand_dims(rows, axis)
    if axis > 1:
        return rows.with_values(expand_dims(rows.values, axis - 1))
    count = len_of(rows)
    splits = np.arange(count + 1) if axis else np.array([0, count])
    return type(rows)(rows, splits.astype(rows.splits.dtype), uniform=1 if axis else count)
