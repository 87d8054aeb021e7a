"""Elements repeated, turned round and moved: broadcast_to, tile, reverse, roll."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from symtape.ops.arguments import (
    PLACES,
    check,
    integers,
    is_tensor,
    listed,
    plain,
    tensor,
)
from symtape.ops.shaping import with_shape
from symtape.program import operations as ops
from symtape.program import structural
from symtape.program.operations import Einsum, Operation, Shape
from symtape.program.structural import Slice
from symtape.tensor.convert import convert
from symtape.tensor.door import apply, apply1, invalid
from symtape.tensor.tensor import Tensor


@lru_cache(maxsize=4096)
def _broadcasting(old: Shape, new: Shape) -> Operation:
    lead = len(new) - len(old)
    names = [k + lead if n == new[k + lead] else 1000 + k for k, n in enumerate(old)]
    return Einsum.of([names], range(len(new)), dict(enumerate(new)))


def broadcast_to(input: Any, shape: Any, name: str | None = None) -> Tensor:
    """Repeat a tensor so that it has a shape that its own broadcasts to.

    Raises `InvalidArgumentError` where it does not.

    >>> broadcast_to([1, 2], [2, 2]).numpy()
    array([[1, 2],
           [1, 2]], dtype=int32)
    """
    x = tensor(input)
    old, new = x.value.shape, tuple(integers(shape))
    for n in new:
        if n < 0:
            raise invalid("BroadcastTo", f"Dimension {n} must be >= 0")
    if len(old) > len(new):
        raise invalid(
            "BroadcastTo",
            f"Rank of input ({len(old)}) must be no greater than rank of output shape "
            f"({len(new)}).",
        )
    if any([a not in (1, b) for a, b in zip(old[::-1], new[::-1], strict=False)]):
        raise invalid("BroadcastTo", f"Incompatible shapes: {listed(old)} vs. {listed(new)}")
    return apply1(ops.identity if old == new else _broadcasting(old, new), x)


@lru_cache(maxsize=4096)
def _tiling(old: Shape, multiples: tuple[int, ...]) -> Operation:
    """Repeat along a new axis before each axis that is tiled."""
    output: list[int] = []
    sizes = {}
    for axis, times in enumerate(multiples):
        if times != 1:
            sizes[1000 + axis] = times
            output.append(1000 + axis)
        output.append(axis)
    return Einsum.of([range(len(old))], output, sizes)


def tile(input: Any, multiples: Any, name: str | None = None) -> Tensor:
    """A tensor repeated as a whole, `multiples` times along each axis.

    >>> tile([1, 2], [2]).numpy()
    array([1, 2, 1, 2], dtype=int32)
    """
    x = tensor(input)
    if is_tensor(multiples) or np.asarray(multiples).dtype.kind == "f":
        check(
            "Tile",
            convert(multiples),
            PLACES,
            "input:T, multiples:Tmultiples -> output:T",
            "Tmultiples",
        )
    if np.ndim(plain(multiples)) != 1:
        raise invalid(
            "Tile",
            f"Expected multiples to be 1-D, but got shape {listed(np.shape(plain(multiples)))}",
        )
    times = integers(multiples)
    shape = x.value.shape
    if len(times) != len(shape):
        raise invalid(
            "Tile",
            f"Expected multiples argument to be a vector of length {len(shape)} but got length "
            f"{len(times)}",
        )
    for k, n in enumerate(times):
        if n < 0:
            raise invalid("Tile", f"Expected multiples[{k}] >= 0, but got {n}")
    if all([n == 1 for n in times]):
        return apply1(ops.identity, x)
    wide = apply1(_tiling(shape, tuple(times)), x)
    return with_shape(wide, tuple([n * m for n, m in zip(shape, times, strict=True)]))


def reverse(tensor: Any, axis: Any, name: str | None = None) -> Tensor:
    """The elements in opposite order along some axes.

    >>> reverse([1, 2, 3], [0]).numpy()
    array([3, 2, 1], dtype=int32)
    """
    x = convert(tensor)
    if np.ndim(plain(axis)) == 0:
        raise invalid("ReverseV2", "'dims' must be 1-dimension, not 0")
    rank = x.value.ndim
    chosen: list[int] = []
    for k, n in enumerate(integers(axis)):
        if not -rank <= n < rank:
            raise invalid("ReverseV2", f"'axis'[{k}] = {n} is out of valid range [0, {rank - 1}")
        if n % rank in chosen:
            raise invalid("ReverseV2", f"axis {n % rank} specified more than once.")
        chosen.append(n % rank)
    return flipped(x, chosen)


def flipped(x: Tensor, axes: Sequence[int]) -> Tensor:
    """Turn some axes round."""
    shape = x.value.shape
    if not any([shape[axis] > 1 for axis in axes]):
        return apply1(ops.identity, x)
    ranges = [(n - 1, -1, n) if axis in axes and n else (0, 1, n) for axis, n in enumerate(shape)]
    return apply1(Slice.of(ranges, shape), x)


def roll(input: Any, shift: Any, axis: Any, name: str | None = None) -> Tensor:
    """Move elements along axes, those that fall off the end coming back at the start.

    >>> roll([1, 2, 3], 1, 0).numpy()
    array([3, 1, 2], dtype=int32)
    """
    x = tensor(input)
    shifts, axes = integers(shift), integers(axis)
    rank = x.value.ndim
    if rank == 0:
        raise invalid("Roll", "input must be 1-D or higher")
    if len(shifts) != len(axes):
        raise invalid("Roll", "shift and axis must have the same size")
    for by, n in zip(shifts, axes, strict=True):
        if not -rank <= n < rank:
            raise invalid("Roll", f"axis {n} is out of range")
        x = _rolled(x, by, n % rank)
    return apply1(ops.identity, x)


def _rolled(x: Tensor, by: int, axis: int) -> Tensor:
    n = x.value.shape[axis]
    by = by % n if n else 0
    if not by:
        return x
    return joined([part_of(x, axis, n - by, by), part_of(x, axis, 0, n - by)], axis)


def part_of(x: Tensor, axis: int, first: int, count: int) -> Tensor:
    """Take some elements one after another along an axis."""
    return apply1(_part(x.value.shape, axis, first, count), x)


@lru_cache(maxsize=4096)
def _part(shape: Shape, axis: int, first: int, count: int) -> Operation:
    ranges = [
        (first if count else 0, 1, count) if k == axis else (0, 1, n) for k, n in enumerate(shape)
    ]
    return Slice.of(ranges, shape) if count != shape[axis] else ops.identity


def joined(parts: Sequence[Tensor], axis: int) -> Tensor:
    """Put tensors one after another along an axis."""
    return apply(structural.Concat(axis - parts[0].value.ndim), *parts)
