"""Where rows begin and end: made from lengths and from numbers of rows, and checked."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from symtape.errors import InvalidArgumentError

_FORM = "Arguments to {} do not form a valid RaggedTensor"


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
    rows = np.asarray(rowids, np.int64)
    if rows.size and (np.any(np.diff(rows) < 0) or rows[0] < 0):
        raise _wrong("from_value_rowids", f":\nvalue_rowids fall: {rows.tolist()}")
    count = int(rows[-1]) + 1 if rows.size else 0
    if nrows is not None and int(nrows) < count:
        raise ValueError(
            f"Expected nrows >= value_rowids[-1] + 1; got nrows={int(nrows)}, "
            f"value_rowids[-1]={count - 1}"
        )
    return from_lengths(np.bincount(rows, minlength=count if nrows is None else int(nrows)))


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
