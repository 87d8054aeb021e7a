"""The same elements in another shape or order: reshape, transpose, broadcast, tile, reverse."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import prod
from typing import Any

import numpy as np

from symtape.ops.arguments import (
    PLACES,
    check,
    integers,
    is_tensor,
    listed,
    plain,
    scalar,
    tensor,
)
from symtape.program import operations as ops
from symtape.program import structural
from symtape.program.operations import Einsum, Operation, Shape
from symtape.program.structural import Reshape, Slice
from symtape.tensor.convert import convert
from symtape.tensor.door import apply, apply1, invalid
from symtape.tensor.tensor import Tensor

# --- axes of size one, new shapes -----------------------------------------------------------------


def with_shape(x: Tensor, new: Shape) -> Tensor:
    """Give a tensor another shape that has as many elements."""
    return apply1(_reshaping(x.value.shape, new), x)


@lru_cache(maxsize=4096)
def _reshaping(old: Shape, new: Shape) -> Operation:
    """Only axes of size one come and go: an Einsum, which derivatives pass more easily."""
    if old == new:
        return ops.identity
    kept = [axis for axis, n in enumerate(old) if n != 1]
    if [old[axis] for axis in kept] != [n for n in new if n != 1]:
        return Reshape.between(old, new)
    supply = iter(kept)
    spare = iter(range(len(old), len(old) + len(new)))
    output = [next(supply) if n != 1 else next(spare) for n in new]
    return Einsum.of([range(len(old))], output, dict.fromkeys(output, 1))


def reshape(tensor: Any, shape: Any, name: str | None = None) -> Tensor:
    """The same elements, row by row, in another shape; one size may be -1, which is what is left.

    Raises `InvalidArgumentError` where the elements do not fit.

    >>> reshape([[1, 2], [3, 4]], [-1]).numpy()
    array([1, 2, 3, 4], dtype=int32)
    """
    x = convert(tensor)
    return with_shape(x, _new_shape(x.value.shape, _sizes(shape)))


def _sizes(shape: Any) -> tuple[int, ...]:
    if is_tensor(shape):
        check("Reshape", convert(shape), PLACES, "tensor:T, shape:Tshape -> output:T", "Tshape")
    if isinstance(shape, (tuple, list)) and all([type(n) is int for n in shape]):
        return tuple(shape)
    found = np.asarray(plain(shape))
    if found.size and found.dtype.kind not in "iu":
        check("Reshape", convert(shape), PLACES, "tensor:T, shape:Tshape -> output:T", "Tshape")
    return tuple([int(n) for n in found.ravel()])


def _new_shape(old: Shape, wanted: tuple[int, ...]) -> Shape:
    count = prod(old)
    free = [k for k, n in enumerate(wanted) if n == -1]
    if len(free) > 1:
        raise invalid("Reshape", f"Only one input size may be -1, not both {free[0]} and {free[1]}")
    for k, n in enumerate(wanted):
        if n < -1:
            raise invalid("Reshape", f"Size {k} must be non-negative, not {n}")
    rest = prod([n for n in wanted if n != -1])
    if free and (count % rest if rest else count):
        raise invalid(
            "Reshape",
            f"Input to reshape is a tensor with {count} values, but the requested shape requires a "
            f"multiple of {rest}",
        )
    if free:
        return tuple([n if n != -1 else (count // rest if rest else 0) for n in wanted])
    if rest != count:
        raise invalid(
            "Reshape",
            f"Input to reshape is a tensor with {count} values, but the requested shape has {rest}",
        )
    return wanted


def squeeze(input: Any, axis: Any = None, name: str | None = None) -> Tensor:
    """Leave out axes of size one: all of them, or those in `axis`.

    Raises `InvalidArgumentError` for an axis of another size.

    >>> squeeze([[[1], [2]]]).numpy()
    array([1, 2], dtype=int32)
    """
    x = tensor(input)
    shape = x.value.shape
    given = [] if axis is None else integers(axis)
    chosen = set()
    for n in given:
        if not -len(shape) <= n < len(shape):
            raise invalid(
                "Squeeze",
                f"Tried to squeeze dim index {n} for tensor with {len(shape)} dimensions.",
            )
        chosen.add(n % len(shape))
        if shape[n] != 1:
            raise invalid(
                "Squeeze",
                f"Can not squeeze dim[{n % len(shape)}], expected a dimension of 1, got {shape[n]}",
            )
    if not given:
        chosen = {k for k, n in enumerate(shape) if n == 1}
    return with_shape(x, tuple([n for k, n in enumerate(shape) if k not in chosen]))


def expand_dims(input: Any, axis: Any, name: str | None = None) -> Tensor:
    """Put an axis of size one at a place, -1 being the end.

    >>> expand_dims([1, 2], -1).numpy()
    array([[1],
           [2]], dtype=int32)
    """
    x = tensor(input)
    place = plain(convert(axis) if axis is None else axis)
    if np.size(place) != 1:
        raise invalid("ExpandDims", "'dim' must be a tensor with a single value")
    n = scalar(np.ravel(place)[0].item())
    rank = x.value.ndim
    if not -rank - 1 <= n <= rank:
        raise invalid(
            "ExpandDims", f"Tried to expand dim index {n} for tensor with {rank} dimensions."
        )
    n = n if n >= 0 else n + rank + 1
    shape = x.value.shape
    return with_shape(x, (*shape[:n], 1, *shape[n:]))


# --- order ----------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def _permuting(perm: tuple[int, ...]) -> Operation:
    if perm == tuple(range(len(perm))):
        return ops.identity
    return Einsum.of([range(len(perm))], perm)


def permuted(x: Tensor, perm: Sequence[int]) -> Tensor:
    """Give the axes another order."""
    return apply1(_permuting(tuple(perm)), x)


def transpose(a: Any, perm: Any = None, conjugate: bool = False, name: str = "transpose") -> Tensor:
    """Give the axes another order, `perm`, or the opposite one.

    Raises `InvalidArgumentError` unless `perm` names each axis once.

    >>> transpose([[1, 2], [3, 4]]).numpy()
    array([[1, 3],
           [2, 4]], dtype=int32)
    """
    x = tensor(a)
    rank = x.value.ndim
    order = tuple(range(rank))[::-1] if perm is None else _order(integers(perm), rank)
    made = permuted(x, order)
    return apply1(ops.conj, made) if conjugate and x.dtype.is_complex else made


def _order(perm: list[int], rank: int) -> tuple[int, ...]:
    if len(perm) != rank:
        raise invalid(
            "Transpose",
            f"transpose expects a vector of size {rank}. "
            f"But input(1) is a vector of size {len(perm)}",
        )
    for n in perm:
        if not -rank <= n < rank:
            raise invalid("Transpose", f"{n} is out of range [0 .. {rank})")
    order = tuple([n % rank for n in perm])
    for axis in range(rank):
        if axis not in order:
            raise invalid("Transpose", f"{axis} is missing from {{{','.join(map(str, order))}}}.")
    return order


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


# --- repetition -----------------------------------------------------------------------------------


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
