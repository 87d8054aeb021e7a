"""NumPy's brackets on tensors: arrays of places, and of truth values, beside numbers and slices."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from numbers import Integral
from typing import Any, NamedTuple

import numpy as np

from symtape.errors import InvalidArgumentError
from symtape.ops.elementwise import arithmetic, comparison
from symtape.ops.elementwise.conversion import cast
from symtape.ops.indexing import gathering, picking
from symtape.ops.shapes import joining, shaping
from symtape.stand_in.numpy.dtypes import array, asarray, promoted
from symtape.stand_in.numpy.parts import spread
from symtape.stand_in.numpy.shapes import moveaxis
from symtape.tensor import dtypes
from symtape.tensor.dtypes import DType
from symtape.tensor.indexing import brackets
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of


class Key(NamedTuple):
    """What stands between brackets: what takes slices, and arrays of places for some axes."""

    basic: tuple[Any, ...]
    places: dict[int, Tensor]


def getitem(self: Tensor, key: Any) -> Tensor:
    """Index as NumPy does, but that a number beside arrays of places drops its axis first.

    Raises `IndexError` for what is no index, and `NotImplementedError` for an array of truth values
    of several axes beside other indices.

    >>> getitem(array([[1, 2, 3], [4, 5, 6]]), (slice(None), [0, -1])).numpy()
    array([[1, 3],
           [4, 6]])
    """
    if _is_mask(key):
        return picking.boolean_mask(self, key)
    basic, places = _read(key if isinstance(key, tuple) else _as_tuple(key))
    part = brackets.getitem(self, basic)
    return _gathered(part, places) if places else part


def _is_mask(key: Any) -> bool:
    dtype = getattr(key, "dtype", None)
    return (
        isinstance(key, bool)
        or dtype is dtypes.bool_
        or (isinstance(key, np.ndarray) and key.dtype == bool)
    )


def _as_tuple(key: Any) -> tuple[Any, ...]:
    """Take a list for several indices where one of its items cannot be a place."""
    if isinstance(key, list) and any(map(_is_index, key)):
        return tuple(key)
    return (key,)


def _is_index(item: Any) -> bool:
    if item is None or item is Ellipsis or isinstance(item, (list, tuple, slice)):
        return True
    return isinstance(item, (Tensor, np.ndarray)) and item.ndim != 0


def _read(items: Sequence[Any]) -> Key:
    """Part numbers and slices from arrays of places; an axis with these is whole at first."""
    basic: list[Any] = []
    found: list[tuple[int, Tensor]] = []
    dropped: list[int] = []
    for at, item in enumerate(items):
        if item is None or item is Ellipsis:
            basic.append(item)
        elif isinstance(item, slice):
            ends = (item.start, item.stop, item.step)
            basic.append(slice(*[end if end is None else _place(end, is_one=True) for end in ends]))
        else:
            place = _place(item)
            is_one = isinstance(place, int) or not place.ndim
            basic.append(place if is_one else slice(None))
            if is_one:
                dropped.append(at)
            else:
                found.append((at, place))
    return Key(tuple(basic), {_axis(items, at, dropped): place for at, place in found})


def _axis(items: Sequence[Any], at: int, dropped: Sequence[int]) -> int:
    """Give the axis of an item once numbers have dropped theirs; behind `...` from the end."""
    if any(item is Ellipsis for item in items[:at]):
        return at - len(items) + sum(k > at for k in dropped)
    return at - sum(k < at for k in dropped)


_REFUSAL = (
    "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or boolean "
    "arrays are valid indices"
)


def _place(item: Any, *, is_one: bool = False) -> Any:
    """Read a number, or an array of places."""
    if isinstance(item, bool):
        raise InvalidArgumentError(
            message="Value for attr 'Index' of bool is not in the list of allowed values: int16, "
            "int32, int64"
        )
    if isinstance(item, Integral):
        return int(item)
    places = asarray(item)
    if places.dtype is dtypes.bool_:
        if places.ndim != 1:
            raise NotImplementedError(f"Need rank 1 for bool index {item!s}")
        places = shaping.reshape(arithmetic.where(places), [-1])
    if (is_one and places.ndim) or not places.dtype.is_integer:
        raise IndexError(f"{_REFUSAL}, got {item!r}")
    if places.dtype in (dtypes.int32, dtypes.int64):
        return places
    return cast(places, _of_places(places.dtype, item))


def _of_places(kind: DType, item: Any) -> DType:
    wide = dtypes.as_dtype(np.promote_types(np.int32, kind.numpy))
    if wide not in (dtypes.int32, dtypes.int64):
        raise IndexError(f"{_REFUSAL}, got {item!r}")
    return wide


def _gathered(x: Tensor, places: dict[int, Tensor]) -> Tensor:
    """Take elements by arrays of places; what they give stands where their axes were, or first."""
    axes = sorted(places)
    shapes = spread(*promoted(*[places[axis] for axis in axes]))
    sizes = shape_of(x)
    found = [_from_start(part, sizes[axis]) for part, axis in zip(shapes, axes, strict=True)]
    if len(axes) == 1:
        return gathering.gather(x, found[0], axis=axes[0] % x.ndim)
    front = moveaxis(x, axes, range(len(axes)))
    taken = gathering.gather_nd(front, joining.stack(found, -1))
    are_together = all(b - a == 1 for a, b in pairwise(axes))
    if not are_together or not found[0].ndim or (axes[0] < 0 <= axes[-1]):
        return taken
    first = axes[0] % x.ndim
    batch = range(found[0].ndim)
    made: Tensor = moveaxis(taken, [*batch], [first + k for k in batch])
    return made


def _from_start(places: Tensor, size: int) -> Tensor:
    """Count places below zero from the end."""
    behind = places + array(size, places.dtype)
    return arithmetic.where(comparison.less(places, 0), behind, places)
