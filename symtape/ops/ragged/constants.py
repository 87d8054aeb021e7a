"""`tf.ragged.constant`: ragged tensors of lists of lists."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtape.ops.elementwise.conversion import constant as dense_constant
from symtape.ops.ragged.rows import Rows
from symtape.ops.ragged.tensor import RaggedTensor
from symtape.tensor.dtypes import int32, of_kernel
from symtape.tensor.tensor import Tensor


def constant(
    pylist: Any,
    dtype: Any = None,
    ragged_rank: int | None = None,
    inner_shape: Any = None,
    name: str | None = None,
    row_splits_dtype: Any = "int64",
) -> Tensor | RaggedTensor:
    """Make a ragged tensor of lists of lists (`tf.ragged.constant`); of one list, a tensor.

    `ragged_rank` is how many levels may differ in length, and `inner_shape` the shape of what they
    hold. Raises `ValueError` where numbers stand at several depths, and for levels and a shape
    that the lists have not.

    >>> constant([[1, 2], [3]])
    <tf.RaggedTensor [[1, 2], [3]]>
    """
    if isinstance(pylist, Rows):
        raise TypeError("pylist may not be a RaggedTensor or RaggedTensorValue.")
    if not _nested(pylist):
        _check_scalar(pylist, ragged_rank, inner_shape)
        return dense_constant(pylist, dtype)
    depths = _depths(pylist)
    _check_levels(pylist, depths, ragged_rank, inner_shape)
    inner = None if inner_shape is None else tuple(inner_shape)
    levels = _levels(depths, len(inner or ())) if ragged_rank is None else ragged_rank
    if not levels:
        return dense_constant(pylist, dtype, inner)
    if inner is None:
        inner = () if ragged_rank is None else _inner_shape(pylist, levels)
    found: RaggedTensor = _rows(pylist, dtype, levels, inner).with_row_splits_dtype(
        of_kernel(row_splits_dtype, int32)
    )
    return found


def _rows(pylist: Any, dtype: Any, levels: int, inner: tuple[int, ...]) -> Any:
    lengths, items = [], pylist
    for _ in range(levels):
        lengths.append([len(row) for row in items])
        items = [x for row in items for x in row]
    made: Any = dense_constant(items, dtype, (len(items), *inner))
    for sizes in reversed(lengths):
        made = RaggedTensor.from_row_lengths(made, sizes)
    return made


def _levels(depths: tuple[int | None, int], inner: int) -> int:
    """Count the levels of rows above what has `inner` axes; none where one list is left."""
    scalars, deepest = depths
    if deepest < 2 or deepest - inner < 2:
        return 0
    return max(1, deepest - 1 if scalars is None else scalars - 1 - inner)


def _check_scalar(value: Any, ragged_rank: int | None, inner_shape: Any) -> None:
    if ragged_rank:
        raise ValueError(f"Invalid pylist={value!r}: incompatible with ragged_rank={ragged_rank}")
    if inner_shape:
        raise ValueError(
            f"Invalid pylist={value!r}: incompatible with dim(inner_shape)={len(inner_shape)}"
        )


def _check_levels(
    pylist: Any, depths: tuple[int | None, int], ragged_rank: int | None, inner_shape: Any
) -> None:
    scalars, deepest = depths
    if ragged_rank is not None and ragged_rank < 0:
        raise ValueError(f"Invalid ragged_rank={ragged_rank!r}: must be nonnegative")
    if scalars is not None and deepest > scalars:
        raise ValueError(
            f"Invalid pylist={pylist!r}: empty list nesting is greater than scalar value nesting"
        )
    if ragged_rank is None:
        return
    if scalars is not None and deepest < ragged_rank:
        raise ValueError(
            f"Invalid pylist={pylist}, max depth smaller than ragged_rank={ragged_rank}"
        )
    if inner_shape is None:
        return
    expected = ragged_rank + len(inner_shape) + 1
    if (expected < deepest) if scalars is None else (expected != scalars):
        raise ValueError(
            f"Invalid pylist={pylist!r}: incompatible with ragged_rank={ragged_rank} "
            f"and dim(inner_shape)={len(inner_shape)}"
        )


def _nested(value: Any) -> bool:
    return isinstance(value, (list, tuple)) or np.ndim(value) != 0


def _depths(value: Any) -> tuple[int | None, int]:
    """Count the levels above numbers, None where there are none, and above the deepest list.

    Raises `ValueError` where numbers stand at several depths.
    """
    if not _nested(value):
        return 0, 0
    scalars, deepest = None, 1
    for child in value:
        below, deep = _depths(child)
        if below is not None:
            if scalars not in {None, below + 1}:
                raise ValueError("all scalar values must have the same nesting depth")
            scalars = below + 1
        deepest = max(deepest, deep + 1)
    return scalars, deepest


def _inner_shape(pylist: Any, levels: int) -> tuple[int, ...]:
    """Give the shape of what the levels of rows hold; raises `ValueError` for several shapes."""
    items = pylist
    for level in range(levels):
        if not all(map(_nested, items)):
            raise ValueError(
                f"pylist has scalar values depth {level + 1}, but ragged_rank={levels} "
                f"requires scalar value depth greater than {levels}"
            )
        items = [x for row in items for x in row]
    shape = _leftmost(items)
    _check_shape(items, shape)
    return shape[1:]


def _leftmost(item: Any) -> tuple[int, ...]:
    if not _nested(item):
        return ()
    return (len(item), *_leftmost(item[0])) if len(item) else (0,)


def _check_shape(item: Any, shape: tuple[int, ...]) -> None:
    is_nested = _nested(item)
    if is_nested != bool(shape) or (is_nested and shape[0] != len(item)):
        raise ValueError("inner values have inconsistent shape")
    if is_nested:
        for child in item:
            _check_shape(child, shape[1:])
