"""Elements chosen by their places: gather, gather_nd."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from symtape.ops.arguments import (
    GATHERED,
    called,
    check,
    check_policy,
    element,
    listed,
    scalar,
    tensor,
    whole,
)
from symtape.ops.elementwise.arithmetic import add_n, multiply, where
from symtape.ops.elementwise.conversion import cast
from symtape.ops.shapes.creation import zeros_like
from symtape.ops.shapes.repetition import part_of
from symtape.ops.shapes.shaping import with_shape
from symtape.program.kinds.structural import Gather
from symtape.tensor import dtypes
from symtape.tensor.decided import decided
from symtape.tensor.dispatch import apply, follow, invalid, misfit
from symtape.tensor.requirements import Inside, meets, serves
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import dtype_of, look_at, shape_of

_GATHER = "params:Tparams, indices:Tindices, axis:Taxis -> output:Tparams"


def gather(
    params: Any,
    indices: Any,
    validate_indices: Any = None,
    axis: Any = None,
    batch_dims: int = 0,
    name: str | None = None,
) -> Tensor:
    """The elements of `params` at `indices` along an axis, whose place the axes of `indices` take.

    The first `batch_dims` axes are common to both. The gradient along the first axis is dense, and
    also `IndexedSlices`.
    Raises `InvalidArgumentError` for indices out of range; negative ones are.

    >>> gather([10, 20, 30], [2, 0]).numpy()
    array([30, 10], dtype=int32)
    """
    x, places = tensor(params), tensor(indices)
    check("GatherV2", places, GATHERED, _GATHER, "Tindices")
    rank, wide = x.ndim, places.ndim
    batch_dims = scalar(batch_dims)
    batch = batch_dims if batch_dims >= 0 else batch_dims + wide
    place = batch_dims if axis is None else int(whole("GatherV2", axis, "Taxis"))
    _check_gather(x, places, place, batch, batch_dims)
    place = place if place >= 0 else place + rank
    n = shape_of(x)[place]
    check_inside(places, n, ("GatherV2", name, indices))
    between = place - batch if batch else 0
    return apply(Gather(rank - 1 - place, between, batch), x, places)


def _check_gather(x: Tensor, places: Tensor, axis: int, batch: int, given: int) -> None:
    rank, wide = x.ndim, places.ndim
    if rank == 0:
        raise invalid("GatherV2", "params must be at least 1 dimensional")
    if not 0 <= batch <= wide:
        raise invalid(
            "GatherV2", f"Expected batch_dims in the range [{-wide}, {wide}], but got {given}"
        )
    if not -rank <= axis < rank:
        least = axis + 1 if axis >= 0 else -axis
        raise misfit("GatherV2", f"Shape must be at least rank {least} but is rank {rank}")
    if batch >= rank:
        raise invalid("GatherV2", f"batch_dims ({batch}) must be less than rank(params) ({rank}).")
    place = axis if axis >= 0 else axis + rank
    if batch > place:
        raise invalid(
            "GatherV2", f"batch_dims ({batch}) must be less than or equal to axis ({place})."
        )
    for k in range(batch):
        a, b = shape_of(x)[k], shape_of(places)[k]
        if a != b:
            raise invalid(
                "GatherV2", f"params.shape[{k}]: {a} should be equal to indices.shape[{k}]: {b}"
            )


def check_inside(places: Tensor, n: int, asked: Sequence[Any] = ("GatherV2", "")) -> None:
    """Raise `InvalidArgumentError` where a place is not one of an axis of n elements."""
    if not meets(places, Inside(n)):
        value = look_at(places)
        at = tuple(np.argwhere((value < 0) | (value >= n))[0]) if value.ndim else ()
        raise invalid(called(*asked), f"{element('indices', at)} = {value[at]} is not in [0, {n})")


def gather_nd(
    params: Any,
    indices: Any,
    batch_dims: int = 0,
    name: str | None = None,
    bad_indices_policy: str = "",
) -> Tensor:
    """The elements or slices of `params` at the places that the last axis of `indices` names.

    The first `batch_dims` axes are common to both. Raises `InvalidArgumentError` for places out of
    range, unless `bad_indices_policy="IGNORE"` puts zeros there.

    >>> gather_nd([[1, 2], [3, 4]], [[0, 1], [1, 0]]).numpy()
    array([2, 3], dtype=int32)
    """
    x, places = tensor(params), tensor(indices)
    check(
        "GatherNd",
        places,
        GATHERED,
        "params:Tparams, indices:Tindices -> output:Tparams",
        "Tindices",
    )
    check_policy("GatherNd", bad_indices_policy)
    batch, shape = scalar(batch_dims), shape_of(x)
    sizes = _sizes_of(batch, shape, shape_of(places))
    if 0 in shape and 0 not in shape_of(places)[:-1]:
        told = f"Requested more than 0 entries, but params is empty.  Params shape: {listed(shape)}"
        raise invalid("GatherNd", told)
    if serves(places, Inside(sizes)):
        made = _along(x, numbered(places, sizes), batch, len(sizes))
        return follow("gather_nd of batches", (x, places), made) if batch else made
    bad = _out_of_range(look_at(places), sizes)
    if bad_indices_policy != "IGNORE":
        _check_places(called("GatherNd", name, indices), look_at(places), bad, shape)
    made = _elements(x, decided(places), bad, batch, sizes)
    return follow("gather_nd of batches", (x, places), made) if batch else made


def _sizes_of(batch: int, shape: tuple[int, ...], places: tuple[int, ...]) -> tuple[int, ...]:
    """Give the sizes of the axes that the places name; refuse what does not fit together."""
    if not places:
        raise invalid("GatherNd", "indices must be at least a vector")
    _check_batch(batch, shape, places)
    depth = places[-1]
    if depth > len(shape) - batch:
        raise misfit(
            "GatherNd",
            "index innermost dimension length must be <= params rank; saw: "
            f"{depth} vs. {len(shape)}",
        )
    return shape[batch : batch + depth]


def _elements(x: Tensor, places: Any, bad: Any, batch: int, sizes: tuple[int, ...]) -> Tensor:
    """Gather along the named axes as one; zeros stand at bad places."""
    line = (places * strides(sizes, places.dtype)).sum(axis=-1, dtype=places.dtype)
    depth = len(sizes)
    if not np.any(bad):
        return _along(x, Tensor(line), batch, depth)
    found = _along(x, Tensor(np.where(bad, 0, line)), batch, depth)
    rest = (1,) * (x.ndim - batch - depth)
    return where(bad.reshape(*bad.shape, *rest), zeros_like(found), found)


def _along(x: Tensor, line: Tensor, batch: int, depth: int) -> Tensor:
    """Gather along axes as one, by numbers of places."""
    shape = shape_of(x)
    size = int(np.prod(shape[batch : batch + depth]))
    flat = with_shape(x, (*shape[:batch], size, *shape[batch + depth :]))
    return apply(Gather(len(shape) - batch - depth, 0, batch), flat, line)


def strides(sizes: tuple[int, ...], dtype: Any) -> Any:
    """Give what each axis counts for where places are numbered row by row."""
    return np.array([int(np.prod(sizes[k + 1 :])) for k in range(len(sizes))], dtype)


def numbered(places: Tensor, sizes: tuple[int, ...]) -> Tensor:
    """Number the places that the last axis names, row by row, by steps that are recorded."""
    fits = math.prod(sizes) <= np.iinfo(dtype_of(places)).max
    wide, axis = places if fits else cast(places, dtypes.int64), places.ndim - 1
    if not sizes:
        return Tensor(np.zeros(shape_of(places)[:-1], np.int64))
    parts = [with_shape(part_of(wide, axis, k, 1), shape_of(wide)[:-1]) for k in range(len(sizes))]
    steps = strides(sizes, np.int64).tolist()
    return add_n([p if n == 1 else multiply(p, n) for p, n in zip(parts, steps, strict=True)])


def _check_batch(batch: int, shape: tuple[int, ...], places: tuple[int, ...]) -> None:
    if batch < 0:
        raise ValueError("tf.gather_nd does not allow negative batch_dims.")
    for name, rank in (("indices", len(places)), ("params", len(shape))):
        if batch and batch >= rank:
            raise ValueError(
                f"Argument `batch_dims` = {batch} must be less than rank(`{name}`) = {rank}"
            )
    if shape[:batch] != places[:batch]:
        raise invalid(
            "GatherNd",
            f"the first {batch} sizes of params {listed(shape)} and of indices {listed(places)} "
            "must be equal",
        )


def _out_of_range(places: Any, sizes: tuple[int, ...]) -> Any:
    return np.any((places < 0) | (places >= np.array(sizes, np.int64)), axis=-1)


def _check_places(call: str, places: Any, bad: Any, shape: tuple[int, ...]) -> None:
    if np.any(bad):
        at = tuple(np.argwhere(bad)[0])
        shown = f"{element('indices', at)} = {list(map(int, places[at]))}"
        raise invalid(
            call,
            f"{shown} does not index into param shape {listed(shape)}, node name: GatherNd",
        )
