"""The values of a traced function: tensors, or arrays that do not depend on its arguments.

What depends on no argument JAX computes alone: random bits, masks, counters. Such an array is
*fixed*. Where it meets a tensor it becomes one, a number where it has one number everywhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import ContextVar
from typing import Any

import numpy as np

from symtape.ops.elementwise.comparison import equal
from symtape.ops.reductions.reduction import reduce_all
from symtape.ops.shapes.creation import spread
from symtape.ops.shapes.grids import range as evenly_spaced
from symtape.tensor import dtypes
from symtape.tensor.tensor import Literal, Tensor
from symtape.tensor.values import look_at, shape_of

Value = Any
"""A tensor, or a fixed array: NumPy's or JAX's."""

_MOST_DECISIONS = 4096
"""So many integers have a guard each, which a person can read, at most."""


def is_fixed(value: Value) -> bool:
    """Say whether a value depends on no argument."""
    return not isinstance(value, Tensor)


def raw(value: Value) -> Any:
    """Give the array behind a value, as JAX takes it."""
    return value if is_fixed(value) else value.raw


def shape_of_value(value: Value) -> tuple[int, ...]:
    """Give the shape of a tensor or a fixed array."""
    return tuple(value.shape) if is_fixed(value) else shape_of(value)


def number_of(value: Value) -> Any:
    """Give the one number that a fixed array has everywhere, or None.

    A float of fewer bits is the shortest decimal that it is nearest to: 0.1 and not 0.10000000149.
    """
    if not is_fixed(value) or not isinstance(value.dtype, np.dtype):
        return None
    array = np.asarray(value)
    if not array.size or array.dtype.kind not in "biufcV":
        return None
    first = array.reshape(-1)[0]
    if not (array == first).all() and not (array != array).all():  # noqa: PLR0124 - all are nan
        return None
    if array.dtype.kind in "fV" and array.dtype.itemsize < 8:
        return float(str(first))
    return first.item()


def literal(number: Any, dtype: Any) -> Tensor:
    """Make a number of a dtype a tensor that formulas show as that number."""
    return Literal.of(number, np.dtype(dtype))


class Leaves:
    """The tensors that fixed arrays have become in one run: one array is one leaf."""

    def __init__(self, names: Mapping[int, str]) -> None:
        self._names = names
        self._made: dict[int, tuple[Any, Tensor]] = {}

    def of(self, value: Any) -> Tensor:
        """Give the tensor of an array, which is kept, so that no other has its identity."""
        found = self._made.get(id(value))
        if found is None:
            made = _lifted(np.asarray(value), id(value) in self._names)
            if type(made) is Tensor and id(value) in self._names:
                made.label = self._names[id(value)]
            found = self._made[id(value)] = value, made
        return found[1]


LEAVES: ContextVar[Leaves | None] = ContextVar("LEAVES", default=None)
"""What the run has that is going on."""


def lifted(value: Value) -> Tensor:
    """Make a fixed array a tensor: a number, a unit matrix or a range where it is one."""
    if not is_fixed(value) or not isinstance(value.dtype, np.dtype):  # random keys stay JAX's
        return value  # type: ignore[no-any-return]  # a tensor, or a key
    leaves = LEAVES.get()
    if leaves is None or np.ndim(value) == 0:
        return _lifted(np.asarray(value), is_named=False)
    return leaves.of(value)


def _lifted(array: Any, is_named: bool) -> Tensor:
    number = number_of(array)
    if number is not None and not (is_named and array.size > 1):
        return spread(array, number) if array.ndim else literal(number, array.dtype)
    found = None if is_named else _unit_matrix(array)
    found = _range(array) if found is None and not is_named else found
    return Tensor(array) if found is None else found


def _unit_matrix(array: Any) -> Tensor | None:
    if array.ndim != 2 or array.shape[0] != array.shape[1] or array.dtype.kind == "b":
        return None
    is_unit = np.array_equal(array, np.eye(len(array), dtype=array.dtype))
    return spread(array, 1, (0, 0)) if is_unit else None


_RANGED = (dtypes.int32, dtypes.int64, dtypes.float32, dtypes.float64)


def _range(array: Any) -> Tensor | None:
    if array.ndim != 1 or dtypes.as_dtype(array.dtype) not in _RANGED:
        return None
    if not np.array_equal(array, np.arange(len(array), dtype=array.dtype)):
        return None
    return evenly_spaced(0, len(array), dtype=array.dtype)


def decided(value: Value) -> Any:
    """Read integers or truths on which a choice depends that cannot be made again, by guards.

    Each leaves its own, or many one for all: that they are these.
    """
    if is_fixed(value):
        return np.asarray(value)
    if value.origin is None or not value.raw.size:
        return look_at(value)
    if value.raw.size > _MOST_DECISIONS:
        found = np.array(value.raw)
        bool(reduce_all(equal(value, Tensor(found))))
        return found
    read = bool if value.raw.dtype.kind == "b" else int
    each = [read(value[place]) for place in np.ndindex(value.raw.shape)]
    return np.reshape(each, value.raw.shape)
