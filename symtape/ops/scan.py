"""Running sums and products, and the order of elements along an axis."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtape.ops.arguments import (
    ORDERED,
    SUMMABLE,
    Allowed,
    allowed,
    check,
    listed,
    refusal,
    scalar,
    tensor,
)
from symtape.ops.repetition import flipped
from symtape.ops.shaping import permuted
from symtape.program import operations as ops
from symtape.program.operations import Operation
from symtape.program.structural import Cumprod, Cumsum, Gather, Position
from symtape.tensor import dtypes
from symtape.tensor.door import apply, apply1, apply2, invalid
from symtape.tensor.tensor import Tensor

_PLACED = allowed("int16, uint16, int32, int64")


def cumsum(
    x: Any, axis: Any = 0, exclusive: bool = False, reverse: bool = False, name: str | None = None
) -> Tensor:
    """The sums of the elements up to each one along an axis.

    `exclusive` leaves the element itself out, `reverse` begins at the end.

    >>> cumsum([1, 2, 3]).numpy()
    array([1, 3, 6], dtype=int32)
    """
    return _scan(Cumsum, "Cumsum", x, axis, exclusive, reverse)


def cumprod(
    x: Any, axis: Any = 0, exclusive: bool = False, reverse: bool = False, name: str | None = None
) -> Tensor:
    """The products of the elements up to each one along an axis; see `cumsum`.

    The gradient is right through zeros, too.

    >>> cumprod([1, 2, 3]).numpy()
    array([1, 2, 6], dtype=int32)
    """
    return _scan(Cumprod, "Cumprod", x, axis, exclusive, reverse)


def _scan(kind: Any, kernel: str, x: Any, axis: Any, exclusive: bool, reverse: bool) -> Tensor:
    x = tensor(x)
    check(kernel, x, SUMMABLE, "x:T, axis:Tidx -> out:T")
    rank = x.value.ndim
    place = scalar(axis)
    if not -rank <= place < rank:
        raise invalid(
            kernel, f"ScanOp: Expected scan axis in the range [{-rank}, {rank}), but got {place}"
        )
    place = place if place < 0 else place - rank
    operation: Operation = kind(place, bool(exclusive), bool(reverse))
    return apply1(operation, x)


# --- places ---------------------------------------------------------------------------------------


def argmax(
    input: Any, axis: Any = None, output_type: Any = dtypes.int64, name: str | None = None
) -> Tensor:
    """The place of the largest element along an axis (default 0), the first if several are equal.

    >>> argmax([[1, 5], [3, 2]]).numpy()
    array([1, 0])
    """
    return _place_of("argmax", "ArgMax", input, axis, output_type)


def argmin(
    input: Any, axis: Any = None, output_type: Any = dtypes.int64, name: str | None = None
) -> Tensor:
    """The place of the smallest element along an axis (default 0), the first if several are equal.

    >>> argmin([[1, 5], [3, 2]]).numpy()
    array([0, 1])
    """
    return _place_of("argmin", "ArgMin", input, axis, output_type)


_ARG_TYPES = allowed(ORDERED.text + ", bool")


def _place_of(which: str, kernel: str, value: Any, axis: Any, output_type: Any) -> Tensor:
    x = tensor(value)
    check(kernel, x, _ARG_TYPES, "input:T, dimension:Tidx -> output:output_type")
    wanted = dtypes.as_dtype(output_type)
    rank = x.value.ndim
    place = 0 if axis is None else scalar(axis)
    places = _PLACED if which == "argmax" else _PLACES
    if wanted.numpy.char not in places.letters:
        raise refusal(
            kernel, Tensor(wanted.numpy.type(0)), places,
            "input:T, dimension:Tidx -> output:output_type", "output_type",
        )  # fmt: skip
    if not -rank <= place < rank:
        raise invalid(kernel, f"Expected dimension in the range [{-rank}, {rank}), but got {place}")
    place = place if place < 0 else place - rank
    if x.value.shape[place] == 0 and all(
        n for k, n in enumerate(x.value.shape) if k != place + rank
    ):
        raise invalid(
            kernel, f"Reduction axis {place + rank} is empty in shape {listed(x.value.shape)}"
        )
    return apply1(Position(which, place, wanted.name), x)


_PLACES: Allowed = allowed("int32, int64")


def argsort(
    values: Any,
    axis: Any = -1,
    direction: str = "ASCENDING",
    stable: bool = False,
    name: str | None = None,
) -> Tensor:
    """The places of the elements along an axis in order, equal ones in the order that they have.

    >>> argsort([3.0, 1.0, 2.0]).numpy()
    array([1, 2, 0], dtype=int32)
    """
    x, place = _sortable(values, axis)
    return _order(x, place, _is_descending(direction))


def sort(
    values: Any, axis: Any = -1, direction: str = "ASCENDING", name: str | None = None
) -> Tensor:
    """The elements along an axis in order, "ASCENDING" or "DESCENDING".

    >>> sort([3.0, 1.0, 2.0], direction="DESCENDING").numpy()
    array([3., 2., 1.], dtype=float32)
    """
    x, place = _sortable(values, axis)
    if x.value.dtype.kind == "b":
        raise refusal("Neg", x, _SORTED)
    rank = x.value.ndim
    to_end = [k for k in range(rank) if k != place + rank] + [place + rank]
    line = permuted(x, to_end)
    order = _order(line, -1, _is_descending(direction))
    made = apply(Gather(0, 0, rank - 1), line, order)
    return permuted(made, sorted(range(rank), key=lambda k: to_end[k]))


_SORTED = allowed("bfloat16, half, float, double, int8, int16, int32, int64, complex64, complex128")


def _is_descending(direction: str) -> bool:
    if direction not in ("ASCENDING", "DESCENDING"):
        raise ValueError(
            "Argument `direction` should be one of ASCENDING, DESCENDING. "
            f"Received: direction={direction}"
        )
    return direction == "DESCENDING"


def _sortable(values: Any, axis: Any) -> tuple[Tensor, int]:
    x = tensor(values)
    rank = x.value.ndim
    place = scalar(axis)
    if not -rank <= place < rank:
        raise invalid("StridedSlice", f"slice index {place} of dimension 0 out of bounds.")
    return x, place if place < 0 else place - rank


def _order(x: Tensor, axis: int, descending: bool) -> Tensor:
    """Sort places; descending, the order of equal ones is kept by sorting from the end."""
    if not descending:
        return apply1(Position("argsort", axis, "int32"), x)
    back = apply1(Position("argsort", axis, "int32"), flipped(x, [axis + x.value.ndim]))
    last = Tensor(np.int32(x.value.shape[axis] - 1))
    return apply2(ops.subtract, last, flipped(back, [axis + x.value.ndim]))
