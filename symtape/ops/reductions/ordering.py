"""The order of elements along an axis: the largest, the places of all, what is where."""

from __future__ import annotations

from functools import partial
from math import prod
from typing import Any, NamedTuple

import numpy as np

from symtape.kernels.ordering import largest
from symtape.ops.arguments import (
    GATHERED,
    ORDERED,
    PLACES,
    REALS,
    SIGNED,
    Allowed,
    allowed,
    check,
    is_tensor,
    listed,
    of_kernel,
    of_places,
    pair,
    plain,
    refusal,
    same_dtype,
    sample,
    scalar,
    tensor,
)
from symtape.ops.attributes import attributes, boolean
from symtape.ops.elementwise.comparison import greater, greater_equal
from symtape.ops.elementwise.conversion import cast
from symtape.ops.reductions.reduction import reduce_all
from symtape.ops.shapes.repetition import flipped, part, turn
from symtape.ops.shapes.shaping import permuted, reshape
from symtape.program import operations as ops
from symtape.program.kinds.structural import Gather, Position
from symtape.program.operations import dtype_name
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.decided import decided_by_look
from symtape.tensor.dispatch import (
    apply,
    apply1,
    apply2,
    follow,
    invalid,
    misfit,
    no_kernel,
    not_taken,
)
from symtape.tensor.indexing.unknown_places import unknown_in
from symtape.tensor.lazy.late import by_kernel, late
from symtape.tensor.requirements import permutation, serves
from symtape.tensor.tensor import Tensor
from symtape.tensor.unknown_sizes import made_up
from symtape.tensor.values import dtype_of, shape_of

_PLACED = allowed("int16, uint16, int32, int64")
_PLACES: Allowed = allowed("int32, int64")


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
    wanted = dtypes.of_kernel(output_type, dtypes.int64)
    rank = x.ndim
    place = 0 if axis is None else scalar(axis)
    places = _PLACED if which == "argmax" else _PLACES
    if wanted.numpy.char not in places.letters:
        raise refusal(
            kernel, sample(wanted), places,
            "input:T, dimension:Tidx -> output:output_type", "output_type",
        )  # fmt: skip
    if not -rank <= place < rank:
        raise invalid(kernel, f"Expected dimension in the range [{-rank}, {rank}), but got {place}")
    place = place if place < 0 else place - rank
    if shape_of(x)[place] == 0 and all(n for k, n in enumerate(shape_of(x)) if k != place + rank):
        raise invalid(
            kernel, f"Reduction axis {place + rank} is empty in shape {listed(shape_of(x))}"
        )
    return apply1(Position(which, place, wanted.name), x)


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
    if dtype_of(x).kind in "bO":
        raise refusal("Neg", x, SIGNED)
    return _order(x, place, _is_descending(direction))


def sort(
    values: Any, axis: Any = -1, direction: str = "ASCENDING", name: str | None = None
) -> Tensor:
    """The elements along an axis in order, "ASCENDING" or "DESCENDING".

    >>> sort([3.0, 1.0, 2.0], direction="DESCENDING").numpy()
    array([3., 2., 1.], dtype=float32)
    """
    x, place = _sortable(values, axis)
    if dtype_of(x).kind in "bO":
        raise refusal("Neg", x, SIGNED)
    rank = x.ndim
    to_end = [k for k in range(rank) if k != place + rank] + [place + rank]
    line = permuted(x, to_end)
    order = _order(line, -1, _is_descending(direction))
    made = apply(Gather(0, 0, rank - 1), line, order)
    return permuted(made, sorted(range(rank), key=lambda k: to_end[k]))


def _is_descending(direction: str) -> bool:
    if direction not in ("ASCENDING", "DESCENDING"):
        raise ValueError(
            "Argument `direction` should be one of ASCENDING, DESCENDING. "
            f"Received: direction={direction}"
        )
    return direction == "DESCENDING"


def _sortable(values: Any, axis: Any) -> tuple[Tensor, int]:
    x = tensor(values)
    rank = x.ndim
    place = scalar(convert(axis) if axis is None else axis)
    if not -rank <= place < rank:
        shown = place if place >= 0 else place + rank
        raise invalid("StridedSlice", f"slice index {shown} of dimension 0 out of bounds.")
    if dtype_of(x).kind == "c":
        raise refusal("TopKV2", x, REALS)
    return x, place if place < 0 else place - rank


def _order(x: Tensor, axis: int, descending: bool) -> Tensor:
    """Sort places; descending, the order of equal ones is kept by sorting from the end."""
    if not descending:
        return apply1(Position("argsort", axis, "int32"), x)
    back = apply1(Position("argsort", axis, "int32"), flipped(x, [axis + x.ndim]))
    last = Tensor(np.int32(shape_of(x)[axis] - 1))
    return apply2(ops.subtract, last, flipped(back, [axis + x.ndim]))


class TopKV2(NamedTuple):
    """What `top_k` gives."""

    values: Tensor
    indices: Tensor


@attributes(sorted=boolean(True))
def top_k(
    input: Any,
    k: Any = 1,
    sorted: bool = True,
    index_type: Any = dtypes.int32,
    name: str | None = None,
) -> TopKV2:
    """The largest k elements along the last axis, from the largest on, and their places.

    Of equal ones the first is taken. They are sorted in any case.

    >>> top_k([1.0, 5.0, 3.0], k=2).values.numpy()
    array([5., 3.], dtype=float32)
    """
    x = tensor(input)
    check("TopKV2", x, REALS, "input:T, k:Tk -> values:T, indices:index_type")
    shape = shape_of(x)
    if not shape:
        raise invalid("TopKV2", "input must be >= 1-D, got shape []")
    if is_tensor(k) or isinstance(k, str):
        check("TopKV2", convert(k), GATHERED, "input:T, k:Tk -> values:T, indices:index_type", "Tk")
    given = decided_by_look(convert(plain(k))) if is_tensor(k) or np.ndim(k) else scalar(k)
    if np.ndim(given):
        raise invalid("TopKV2", f"k must be scalar, got shape {listed(np.shape(given))}")
    count = int(given)
    if count < 0:
        raise invalid("TopKV2", f"Need k >= 0, got {count}")
    wanted = dtypes.of_kernel(index_type, dtypes.int32)
    if wanted.name not in {"int16", "int32", "int64"}:
        raise refusal("TopKV2", sample(wanted), allowed("int16, int32, int64"), attr="index_type")
    if any(unknown_in(k)):
        x = made_up(x, (*shape[:-1], count), [-1])
        shape = shape_of(x)
    if count > shape[-1]:
        raise misfit(
            "TopKV2", f"input must have at least k columns. Had {shape[-1]}, needed {count}"
        )
    order = _largest(x, count)
    values = apply(Gather(0, 0, len(shape) - 1), x, order)
    places = cast(order, wanted)
    return TopKV2(follow("TopKV2", (x,), values), follow("TopKV2", (x,), places))


def _largest(x: Tensor, count: int) -> Tensor:
    """Select places; a program has all of them in order, and then the first ones.

    So tapes hear of an order that nobody computes.
    """
    shape, axis = shape_of(x), x.ndim - 1
    turned = turn(shape, [axis])
    back = late(Position("argsort", -1, "int32"), late(turned, x))
    order = late(ops.subtract, Tensor(np.int32(shape[axis] - 1)), late(turned, back))
    return by_kernel(partial(largest, count=count), x, part(shape, axis, 0, count), order)


def in_top_k(targets: Any, predictions: Any, k: Any, name: str | None = None) -> Tensor:
    """Whether the prediction of each row at its target is among the largest k, equals included.

    In a row with a number that is not finite none is.

    >>> in_top_k([1], [[0.1, 0.9]], 1).numpy()
    array([ True])
    """
    op, x = "InTopKV2", convert(predictions, dtypes.float32)
    named, count = pair(targets, k)
    check(op, named, PLACES, "predictions:float, targets:T, k:T -> precision:bool")
    same_dtype(op, named, count, 2)
    found, places = decided_by_look(x), decided_by_look(named)
    if count.ndim:
        raise invalid(op, f"k must be 0-D, got shape {listed(shape_of(count))}")
    if found.ndim != 2:
        raise invalid(op, "predictions must be 2-dimensional")
    if places.ndim != 1:
        raise invalid(op, "targets must be 1-dimensional")
    if len(found) != len(places):
        raise invalid(
            op,
            f"First dimension of predictions {len(found)} must match length of targets "
            f"{len(places)}",
        )
    inside = (places >= 0) & (places < found.shape[1])
    if not inside.any():
        return Tensor(inside)
    chosen = np.take_along_axis(found, np.where(inside, places, 0)[:, None], axis=1)
    finite = np.all(np.isfinite(found), axis=1)
    return Tensor(inside & (np.sum(found > chosen, axis=1) < decided_by_look(count)) & finite)


def searchsorted(
    sorted_sequence: Any,
    values: Any,
    side: Any = "left",
    out_type: Any = dtypes.int32,
    name: str | None = None,
) -> Tensor:
    """Where values would stand in sorted rows, before ("left") or after ("right") equal ones.

    There are as many rows of values, whatever axes these are laid out along.

    >>> searchsorted([1.0, 3.0, 5.0], [3.0, 4.0]).numpy()
    array([1, 2], dtype=int32)
    """
    rows, wanted = tensor(sorted_sequence), tensor(values)
    if dtype_of(rows).kind == "O":
        raise not_taken("LowerBound" if side == "left" else "UpperBound", rows)
    if side not in ("left", "right"):
        raise ValueError(f"Argument `side` must be either 'right' or 'left'. Received: side={side}")
    kernel = "LowerBound" if side == "left" else "UpperBound"
    same_dtype(kernel, rows, wanted)
    if dtype_of(rows).kind in "bc":
        raise no_kernel(kernel, rows)
    places = of_places(kernel, out_type, dtypes.int32, "out_type")
    if not rows.ndim or not wanted.ndim:
        raise invalid("StridedSlice", "slice index -1 of dimension 0 out of bounds.")
    count = prod(shape_of(rows)[:-1])
    if count != prod(shape_of(wanted)[:-1]):
        raise invalid(kernel, "Leading dim_size of both tensors must match.")
    flat = decided_by_look(rows).reshape(count, shape_of(rows)[-1])
    asked = decided_by_look(wanted).reshape(count, shape_of(wanted)[-1])
    found = [np.searchsorted(r, v, side) for r, v in zip(flat, asked, strict=True)]
    shaped = np.array(found).reshape(shape_of(wanted))
    return Tensor(shaped.astype(places.numpy))


def invert_permutation(x: Any, name: str | None = None) -> Tensor:
    """The permutation that undoes one.

    >>> invert_permutation([2, 0, 1]).numpy()
    array([1, 2, 0], dtype=int32)
    """
    x = of_kernel(x, dtypes.int32, PLACES)
    check("InvertPermutation", x, PLACES, "x:T -> y:T")
    if x.ndim == 1 and serves(x, permutation):
        return apply1(Position("argsort", -1, dtype_name(dtype_of(x))), x)
    if x.ndim != 1:
        raise invalid("InvertPermutation", "invert_permutation expects a 1D vector.")
    places = decided_by_look(x)
    check_permutation(places)
    return Tensor(np.argsort(places).astype(dtype_of(x)))


def check_permutation(places: Any) -> None:
    """Raise TensorFlow's error for a vector that is no order of as many things."""
    n, seen = len(places), set[int]()
    for place in places.tolist():
        if not 0 <= place < n:
            raise invalid("InvertPermutation", f"{place} is not between 0 and {n}")
        if place in seen:
            raise invalid("InvertPermutation", f"{place} is duplicated in the input.")
        seen.add(place)


def is_non_decreasing(x: Any, name: str | None = None) -> Tensor:
    """Whether no element, row by row, is smaller than the one before.

    >>> is_non_decreasing([1, 1, 2]).numpy()
    np.True_
    """
    line = reshape(x, [-1])
    return reduce_all(greater_equal(line[1:], line[:-1]))


def is_strictly_increasing(x: Any, name: str | None = None) -> Tensor:
    """Whether each element, row by row, is larger than the one before.

    >>> is_strictly_increasing([1, 1, 2]).numpy()
    np.False_
    """
    line = reshape(x, [-1])
    return reduce_all(greater(line[1:], line[:-1]))
