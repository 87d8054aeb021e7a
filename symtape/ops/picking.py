"""Elements chosen by their places: gather, boolean_mask, slice, repeat."""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np

from symtape.errors import UnsupportedError
from symtape.ops.arguments import (
    GATHERED,
    check,
    integers,
    listed,
    scalar,
    tensor,
)
from symtape.ops.repetition import tile
from symtape.ops.shaping import reshape, with_shape
from symtape.program import operations as ops
from symtape.program.structural import Gather, Slice
from symtape.tensor import operators
from symtape.tensor.convert import convert
from symtape.tensor.door import apply, apply1, invalid
from symtape.tensor.tensor import Tensor

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

    The first `batch_dims` axes are common to both. The gradient is dense.
    Raises `InvalidArgumentError` for indices out of range; negative ones are.

    >>> gather([10, 20, 30], [2, 0]).numpy()
    array([30, 10], dtype=int32)
    """
    x, places = tensor(params), tensor(indices)
    check("GatherV2", places, GATHERED, _GATHER, "Tindices")
    rank, wide = x.value.ndim, places.value.ndim
    batch = batch_dims if batch_dims >= 0 else batch_dims + wide
    place = batch if axis is None else scalar(axis)
    _check_gather(x, places, place, batch, batch_dims)
    place = place if place >= 0 else place + rank
    n = x.value.shape[place]
    _check_inside(places.value, n)
    between = place - batch if batch else 0
    return apply(Gather(rank - 1 - place, between, batch), x, places)


def _check_gather(x: Tensor, places: Tensor, axis: int, batch: int, given: int) -> None:
    rank, wide = x.value.ndim, places.value.ndim
    if rank == 0:
        raise invalid("GatherV2", "params must be at least 1 dimensional")
    if not 0 <= batch <= wide:
        raise invalid(
            "GatherV2", f"Expected batch_dims in the range [{-wide}, {wide}], but got {given}"
        )
    if not -rank <= axis < rank:
        least = axis + 1 if axis >= 0 else -axis
        raise invalid("GatherV2", f"Shape must be at least rank {least} but is rank {rank}")
    if batch > (axis if axis >= 0 else axis + rank):
        raise invalid(
            "GatherV2", f"batch_dims ({batch}) must be less than or equal to axis ({axis})."
        )
    for k in range(batch):
        a, b = x.value.shape[k], places.value.shape[k]
        if a != b:
            raise invalid(
                "GatherV2", f"params.shape[{k}]: {a} should be equal to indices.shape[{k}]: {b}"
            )


def _check_inside(places: Any, n: int) -> None:
    if places.size and (places.min() < 0 or places.max() >= n):
        at = tuple(np.argwhere((places < 0) | (places >= n))[0]) if places.ndim else ()
        where = f"[{','.join(map(str, at))}]" if at else ""
        raise invalid("GatherV2", f"indices{where} = {places[at]} is not in [0, {n})")


def gather_nd(
    params: Any,
    indices: Any,
    batch_dims: int = 0,
    name: str | None = None,
    bad_indices_policy: str = "",
) -> Tensor:
    """The elements or slices of `params` at the places that the last axis of `indices` names.

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
    batch = scalar(batch_dims)
    shape = x.value.shape
    depth = places.value.shape[-1] if places.value.ndim else 0
    if places.value.ndim == 0:
        raise invalid("GatherNd", "indices must be at least a vector")
    if depth > len(shape) - batch:
        raise invalid(
            "GatherNd",
            "index innermost dimension length must be <= params rank; saw: "
            f"{depth} vs. {len(shape)}",
        )
    sizes = shape[batch : batch + depth]
    _check_places(places.value, shape, batch, depth)
    flat = with_shape(x, (*shape[:batch], int(np.prod(sizes)), *shape[batch + depth :]))
    strides = [int(np.prod(sizes[k + 1 :])) for k in range(depth)]
    line = (places.value * np.array(strides, places.value.dtype)).sum(
        axis=-1, dtype=places.value.dtype
    )
    return apply(Gather(len(shape) - batch - depth, 0, batch), flat, Tensor(line))


def _check_places(places: Any, shape: tuple[int, ...], batch: int, depth: int) -> None:
    limits = np.array(shape[batch : batch + depth])
    bad = np.any((places < 0) | (places >= limits), axis=-1)
    if np.any(bad):
        at = tuple(np.argwhere(bad)[0])
        where = f"[{','.join(map(str, at))}]" if at else ""
        raise invalid(
            "GatherNd",
            f"indices{where} = {list(map(int, places[at]))} does not index into param shape "
            f"{listed(shape)}, node name: GatherNd",
        )


def boolean_mask(tensor: Any, mask: Any, axis: Any = None, name: str = "boolean_mask") -> Tensor:
    """The elements where a mask is true; the mask is over the first axes, or those from `axis` on.

    Raises `ValueError` for a scalar mask or one of another shape.

    >>> boolean_mask([1, 2, 3], [True, False, True]).numpy()
    array([1, 3], dtype=int32)
    """
    x = convert(tensor)
    chosen = convert(mask).value.astype(bool)
    if chosen.ndim == 0:
        raise ValueError("mask cannot be scalar.")
    place = 0 if axis is None else scalar(axis)
    place = place if place >= 0 else place + x.value.ndim
    shape = x.value.shape
    covered = shape[place : place + chosen.ndim]
    if covered != chosen.shape:
        raise ValueError(f"Shapes {covered} and {chosen.shape} are incompatible")
    if place == 0:
        return operators.boolean_mask(x, chosen)
    flat = with_shape(x, (*shape[:place], chosen.size, *shape[place + chosen.ndim :]))
    places = Tensor(np.flatnonzero(chosen))
    return apply(Gather(len(shape) - place - chosen.ndim, 0, 0), flat, places)


def slice(input_: Any, begin: Any, size: Any, name: str | None = None) -> Tensor:
    """`size` elements from `begin` on along each axis; -1 is all that is left.

    Raises `InvalidArgumentError` out of range.

    >>> slice([1, 2, 3, 4], [1], [2]).numpy()
    array([2, 3], dtype=int32)
    """
    x = tensor(input_)
    shape = x.value.shape
    first, counts = integers(begin), integers(size)
    if len(first) != len(shape) or len(counts) != len(shape):
        raise invalid(
            "Slice",
            f"Expected begin and size arguments to be 1-D tensors of size {len(shape)}, but got "
            f"shapes [{len(first)}] and [{len(counts)}] instead.",
        )
    ranges = []
    for k, (start, count, n) in enumerate(zip(first, counts, shape, strict=True)):
        taken = n - start if count == -1 else count
        if not 0 <= start <= n:
            raise invalid("Slice", f"Expected begin[{k}] in [0, {n}], but got {start}")
        if not 0 <= taken <= n - start:
            raise invalid("Slice", f"Expected size[{k}] in [0, {n - start}], but got {count}")
        ranges.append((start if taken else 0, 1, taken))
    return apply1(Slice.of(ranges, shape) if ranges else ops.identity, x)


def repeat(input: Any, repeats: Any, axis: Any = None, name: str | None = None) -> Tensor:
    """Each element several times in a row, along an axis or of the flattened tensor.

    `repeats` is one number, or one for each element along the axis.

    >>> repeat([1, 2], [3, 1]).numpy()
    array([1, 1, 1, 2], dtype=int32)
    """
    x = tensor(input)
    if axis is None:
        x, place = reshape(x, [-1]), 0
    else:
        place = scalar(axis)
    rank = x.value.ndim
    if not -rank <= place < rank:
        raise ValueError(f"axis={place} out of bounds: expected {-rank}<=axis<{rank}")
    place = place % rank
    times = integers(repeats)
    shape = x.value.shape
    if len(times) not in (1, shape[place]):
        raise ValueError(f"Dimensions {shape[place]} and {len(times)} are not compatible")
    if min(times, default=0) < 0:
        raise invalid("Tile", f"Expected multiples[1] >= 0, but got {min(times)}")
    if len(times) == 1:
        return _repeated(x, place, times[0])
    places = Tensor(np.repeat(np.arange(shape[place]), times))
    return apply(Gather(rank - 1 - place, 0, 0), x, places)


def _repeated(x: Tensor, axis: int, times: int) -> Tensor:
    shape = x.value.shape
    split = with_shape(x, (*shape[: axis + 1], 1, *shape[axis + 1 :]))
    wide = tile(split, [times if k == axis + 1 else 1 for k in range(len(shape) + 1)])
    return with_shape(wide, (*shape[:axis], shape[axis] * times, *shape[axis + 1 :]))


def strided_slice(
    input_: Any,
    begin: Any,
    end: Any,
    strides: Any = None,
    begin_mask: int = 0,
    end_mask: int = 0,
    ellipsis_mask: int = 0,
    new_axis_mask: int = 0,
    shrink_axis_mask: int = 0,
    var: Any = None,
    name: str | None = None,
) -> Tensor:
    """What `x[begin:end:strides, …]` is; bit k of a mask says how item k of the lists is meant.

    A bit of `begin_mask` or `end_mask` leaves the bound out, of `ellipsis_mask` stands for `...`,
    of `new_axis_mask` for a new axis, and of `shrink_axis_mask` for an index alone.

    >>> strided_slice([1, 2, 3, 4], [0], [4], [2]).numpy()
    array([1, 3], dtype=int32)
    """
    if var is not None:
        raise UnsupportedError("strided_slice with var: assign to a slice of the variable instead")
    first, last = integers(begin), integers(end)
    steps = [1] * len(first) if strides is None else integers(strides)
    key: list[Any] = []
    for k, (start, stop, step) in enumerate(zip(first, last, steps, strict=True)):
        bit = 1 << k
        if ellipsis_mask & bit:
            key.append(Ellipsis)
        elif new_axis_mask & bit:
            key.append(None)
        elif shrink_axis_mask & bit:
            key.append(start)
        else:
            low, high = None if begin_mask & bit else start, None if end_mask & bit else stop
            key.append(builtins.slice(low, high, step))
    return tensor(input_)[tuple(key)]
