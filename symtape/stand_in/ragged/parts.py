"""Ragged rows that are cut along an axis, and axes that are taken out."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from symtape.errors import InvalidArgumentError
from symtape.ops.arguments import tensor, valued
from symtape.ops.ragged.rows import Rows, len_of
from symtape.ops.ragged.splits import positive
from symtape.ops.shapes.shaping import squeeze
from symtape.tensor.values import shape_of


def split(
    value: Any, num_or_size_splits: Any, axis: Any = 0, num: Any = None, name: str | None = None
) -> list[Any]:
    """Cut ragged rows along an axis that is not ragged, into equal parts or parts of some sizes.

    >>> from symtape.ops.ragged.tensor import RaggedTensor
    >>> rows = RaggedTensor.from_row_lengths([1, 2, 3], [2, 1])
    >>> [part.to_list() for part in split(rows, 2)]
    [[[1, 2]], [[3]]]
    """
    if isinstance(num_or_size_splits, int) and num_or_size_splits == 1:
        return [value]
    place = positive(axis, value.rank, "axis")
    size_of = _size_along(value, place)
    is_count = isinstance(num_or_size_splits, int)
    if is_count and num_or_size_splits < 1:
        raise ValueError(
            f"`num_or_size_splits` must be >=1 if it is an `int`.Received {num_or_size_splits}."
        )
    count = num_or_size_splits
    sizes = [size_of // count] * count if is_count else _sizes(num_or_size_splits, num)
    if sum(sizes) != size_of or min(sizes, default=0) < 0:
        raise InvalidArgumentError(
            message="Cannot exactly split the `axis` dimension of `value` with the given "
            f"`num_or_size_split`: {size_of} into {sizes}"
        )
    ends = np.cumsum([0, *sizes]).tolist()
    whole = (slice(None),) * place
    return [value[(*whole, slice(a, b))] for a, b in itertools.pairwise(ends)]


def _sizes(given: Any, num: Any) -> list[int]:
    array = np.asarray(valued(tensor(given)))
    if array.ndim != 1:
        raise TypeError(
            f"`num_or_size_splits` must be an `int` or 1-D list or `Tensor`. Received {given}."
        )
    if num is not None and num != len(array):
        raise ValueError(
            "`num` does not match the size of `num_or_size_split`. Received `num`: "
            f"{num} and size of `num_or_size_split`: {len(array)}."
        )
    return [int(n) for n in array]


def _size_along(value: Any, place: int) -> int:
    part = value
    for _ in range(place - 1):
        if not isinstance(part, Rows):
            break
        part = part.values
        place -= 1
    if not isinstance(part, Rows):
        return shape_of(part)[place]
    if place == 0:
        return len_of(part)
    length = part.uniform_row_length
    if length is None:
        raise ValueError(
            f"Cannot split a ragged dimension. Got `value` with shape {value.shape} and `axis` "
            f"{place}."
        )
    return int(length)


def squeezed(input: Any, axis: Any = None, name: str | None = None) -> Any:
    """Take out axes of ragged rows that have one element.

    >>> from symtape.ops.ragged.tensor import RaggedTensor
    >>> squeezed(RaggedTensor.from_row_lengths([1, 2], [1, 1]), [1]).numpy()
    array([1, 2], dtype=int32)
    """
    if axis is None:
        raise ValueError("Ragged.squeeze must have an axis argument.")
    axes = [axis] if isinstance(axis, int) else axis
    if not isinstance(axes, (list, tuple)) or not all(isinstance(n, int) for n in axes):
        raise TypeError("Axis must be a list or tuple of integers.")
    rank = input.rank
    places = {positive(n, rank, f"axis[{k}]") for k, n in enumerate(axes)}
    return _squeezed(input, places)


def _squeezed(x: Any, places: set[int]) -> Any:
    if not isinstance(x, Rows):
        return squeeze(x, sorted(places)) if places else x
    inner = {n - 1 for n in places if n > 1}
    values = _squeezed(x.values, inner) if inner else x.values
    if 1 in places and (np.diff(x.splits) != 1).any():
        raise _not_squeezable(1)
    if 0 in places and len_of(x) != 1:
        raise _not_squeezable(0)
    if 0 in places and 1 in places:
        return values[0]
    return values if places & {0, 1} else x.with_values(values)


def _not_squeezable(axis: int) -> InvalidArgumentError:
    return InvalidArgumentError(message=f"the given axis (axis = {axis}) is not squeezable!")
