"""Where rows begin and end: read, made from lengths and from numbers of rows, and checked."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from symtape.errors import InvalidArgumentError
from symtape.ops.arguments import plain, valued
from symtape.tensor.convert import convert
from symtape.tensor.shape import TensorShape

_FORM = "Arguments to {} do not form a valid RaggedTensor"


def read(partition: Any, name: str, hint: Any = None, *, dtype: Any = None, rank: int = 1) -> Any:
    """Read what says where rows are: int32 or int64, of Python's numbers `hint`, or int64.

    Raises `ValueError` for numbers of other kinds, and another number of axes.

    >>> read([0, 2, 3], "row_splits")
    array([0, 2, 3])
    """
    if isinstance(partition, np.ndarray) and partition.dtype == np.int32 and dtype is None:
        found = partition
    else:
        found = valued(convert(partition, dtype, hint=np.int64 if hint is None else hint))
    if found.dtype not in {np.dtype(np.int32), np.dtype(np.int64)}:
        raise ValueError(f"{name} must have dtype int32 or int64")
    TensorShape(np.shape(found)).assert_has_rank(rank)
    return np.asarray(found)


def check_flag(validate: Any) -> None:
    """Raise `TypeError` unless `validate` is True or False; places are checked in any case."""
    if not isinstance(validate, bool):
        raise TypeError(f"Argument `validate` must have type bool. Received {validate}.")


def positive(axis: Any, rank: int, name: str = "axis", beyond: int = 0) -> int:
    """Count an axis from the first; a tensor is none, nor is a number of NumPy's.

    Raises `TypeError` for what is no whole number of Python's, and `ValueError` for an axis that is
    not there.

    >>> positive(-1, 3)
    2
    """
    if not isinstance(axis, int):
        raise TypeError(f"{name} must be an int; got {type(axis).__name__}")
    end = rank + beyond
    if not -rank <= axis < end:
        raise ValueError(f"{name}={axis} out of bounds: expected {-rank}<={name}<{end}")
    return axis + rank if axis < 0 else axis


def from_lengths(lengths: Any) -> Any:
    """Add lengths up.

    >>> from_lengths([2, 0, 1]).tolist()
    [0, 2, 2, 3]
    """
    sizes = np.asarray(lengths)
    kind = sizes.dtype if sizes.dtype == np.int32 and not isinstance(lengths, list) else np.int64
    if np.any(sizes < 0):
        raise _wrong("from_row_lengths", f":\nrow_lengths are negative: {sizes.tolist()}")
    return np.concatenate([[0], np.cumsum(sizes)]).astype(kind)


def from_rowids(rowids: Any, nrows: Any = None) -> Any:
    """Count the values of each row; the numbers of rows do not fall.

    >>> from_rowids([0, 0, 2]).tolist()
    [0, 2, 2, 3]
    """
    rows = np.asarray(rowids)
    if rows.size and (np.any(np.diff(rows) < 0) or rows[0] < 0):
        raise _wrong("from_value_rowids", f":\nvalue_rowids fall: {rows.tolist()}")
    count = int(rows[-1]) + 1 if rows.size else 0
    wanted = count if nrows is None else _rows_wanted(nrows, rows.dtype, count)
    return from_lengths(np.bincount(rows, minlength=wanted).astype(rows.dtype))


def _rows_wanted(nrows: Any, kind: Any, count: int) -> int:
    try:
        wanted = np.asarray(plain(convert(nrows, kind)))
    except ValueError as error:
        raise ValueError(f"nrows: {error}") from None
    TensorShape(wanted.shape).assert_has_rank(0)
    if wanted < 0:
        raise ValueError(f"Expected nrows >= 0; got {wanted}")
    if count and wanted < count:
        raise ValueError(
            f"Expected nrows >= value_rowids[-1] + 1; got nrows={wanted}, "
            f"value_rowids[-1]={count - 1}"
        )
    return int(wanted)


def uniform(length: Any, values: int, nrows: Any = None) -> Any:
    """Say where rows of one length begin and end; raises `ValueError` where they are not filled.

    >>> uniform(np.asarray(2), 4).tolist()
    [0, 2, 4]
    """
    size = int(length)
    if nrows is None:
        count = values // size if size else 0
    else:
        count = int(read(nrows, "nrows", length.dtype, rank=0))
    if count * size != values:
        raise ValueError(f"uniform_row_length={size} times nrows={count} must equal nvals={values}")
    if size < 0:
        raise ValueError("uniform_row_length must be >= 0.")
    return np.arange(count + 1, dtype=length.dtype) * length.dtype.type(size)


def checked(splits: Any, call: str, end: int | None = None) -> Any:
    """Check that places begin at 0, do not fall, and end with the number of values.

    Raises `InvalidArgumentError` where they do not.
    """
    places = splits if splits.dtype in {np.dtype(np.int32), np.dtype(np.int64)} else None
    if places is None or places.ndim != 1 or not places.size:
        raise ValueError(f"Row-partitioning tensors must be int32 or int64 of rank 1, got {splits}")
    if end is not None:
        if places[-1] != end:
            raise _wrong(call, _unequal(places[-1], end))
        return places
    if places[0]:
        raise _wrong(call, ":zero" + _unequal(places[0], 0))
    steps = np.diff(places)
    if np.any(steps < 0):
        listed = [str(n) for n in steps.tolist()]
        kind = f"x (shape=({steps.size},) dtype={steps.dtype})"
        text = f"Condition x >= 0 did not hold element-wise:\n{kind} = \n{listed}"
        raise _wrong(call, ":monotonic.  \n" + text)
    return places


def _wrong(call: str, text: str) -> InvalidArgumentError:
    return InvalidArgumentError(message=_FORM.format(call) + text)


def _unequal(x: Any, y: Any) -> str:
    return (
        f"\nCondition x == y did not hold.\nFirst 1 elements of x:\n[{x}]\n"
        f"First 1 elements of y:\n[{y}]"
    )


def rows_between(splits: Any) -> list[tuple[int, int]]:
    """List where each row begins and ends.

    >>> rows_between(np.array([0, 2, 3]))
    [(0, 2), (2, 3)]
    """
    return list(pairwise(splits.tolist()))
