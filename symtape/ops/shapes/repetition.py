"""Elements repeated, turned round and moved: broadcast_to, tile, reverse, roll."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from symtape.ops.arguments import (
    PLACES,
    called,
    check,
    counted,
    integers,
    is_tensor,
    listed,
    of_kernel,
    plain,
    refusal,
    tensor,
    whole,
)
from symtape.ops.shapes.shaping import permuted, with_shape
from symtape.program import operations as ops
from symtape.program.kinds import structural
from symtape.program.kinds.structural import WHOLE, Ends, Slice
from symtape.program.operations import Einsum, Operation, Shape
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.decided import decided
from symtape.tensor.dispatch import apply, apply1, invalid, misfit
from symtape.tensor.indexing.unknown_places import loosened
from symtape.tensor.recording.looking import is_loose
from symtape.tensor.tensor import Tensor
from symtape.tensor.unknown_sizes import made_up
from symtape.tensor.values import look_at, shape_of


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
    asked = "BroadcastTo", name, shape
    x = tensor(input)
    old, new = shape_of(x), _new_sizes(asked, shape)
    if len(old) > len(new):
        raise invalid(
            called(*asked),
            f"Rank of input ({len(old)}) must be no greater than rank of output shape "
            f"({len(new)}).",
        )
    if is_loose(x):
        return loosened(made_up(x, new), shape)
    if any([a not in (1, b) for a, b in zip(old[::-1], new[::-1], strict=False)]):
        raise misfit(called(*asked), f"Incompatible shapes: {listed(old)} vs. {listed(new)}")
    return loosened(apply1(ops.identity if old == new else _broadcasting(old, new), x), shape)


def _new_sizes(asked: Sequence[Any], shape: Any) -> Shape:
    given = counted(shape)
    found = tuple(integers(given))
    if (axes := np.shape(plain(given))) != (len(found),):
        text = f"shape must be a vector of {{int32,int64}}, got shape {listed(axes)}"
        raise invalid(called(*asked), text)
    for n in found:
        if n < 0:
            raise invalid(called(*asked), f"Dimension {n} must be >= 0")
    return found


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
    asked = "Tile", name, multiples
    x, multiples = tensor(input), counted(multiples)
    if is_tensor(multiples) or (np.size(multiples) and np.asarray(multiples).dtype.kind == "f"):
        check(
            "Tile",
            convert(multiples),
            PLACES,
            "input:T, multiples:Tmultiples -> output:T",
            "Tmultiples",
        )
    if np.ndim(plain(multiples)) != 1:
        raise invalid(
            called(*asked),
            f"Expected multiples to be 1-D, but got shape {listed(np.shape(plain(multiples)))}",
        )
    times = integers(multiples)
    shape = shape_of(x)
    if len(times) != len(shape):
        raise misfit(
            called(*asked),
            f"Expected multiples argument to be a vector of length {len(shape)} but got length "
            f"{len(times)}",
        )
    for k, n in enumerate(times):
        if n < 0:
            raise invalid(called(*asked), f"Expected multiples[{k}] >= 0, but got {n}")
    if all([n == 1 for n in times]):
        return apply1(ops.identity, x)
    wide = apply1(_tiling(shape, tuple(times)), x)
    return with_shape(wide, tuple([n * m for n, m in zip(shape, times, strict=True)]))


def reverse(tensor: Any, axis: Any, name: str | None = None) -> Tensor:
    """The elements in opposite order along some axes.

    >>> reverse([1, 2, 3], [0]).numpy()
    array([3, 2, 1], dtype=int32)
    """
    call, x = ("ReverseV2", name, axis), convert(tensor)
    if np.ndim(plain(axis)) == 0:
        raise invalid(called(*call), "'dims' must be 1-dimension, not 0")
    rank = x.ndim
    chosen: list[int] = []
    some = np.size(plain(axis)) > 0
    asked = of_kernel(counted(axis), dtypes.int32, PLACES) if some else np.zeros(0, np.int32)
    given = whole("ReverseV2", asked, "Tidx")
    for k, n in enumerate(given.tolist()):
        if not -rank <= n < rank:
            raise misfit(called(*call), f"'axis'[{k}] = {n} is out of valid range [0, {rank - 1}")
        if n % rank in chosen:
            raise invalid(called(*call), f"axis {n % rank} specified more than once.")
        chosen.append(n % rank)
    return flipped(x, chosen)


def flipped(x: Tensor, axes: Sequence[int]) -> Tensor:
    """Turn some axes round."""
    return apply1(turn(shape_of(x), axes), x)


def turn(shape: Shape, axes: Sequence[int]) -> Operation:
    """Give the operation that turns some axes round."""
    if not any([shape[axis] > 1 for axis in axes]):
        return ops.identity
    ranges = [(n - 1, -1, n) if axis in axes and n else (0, 1, n) for axis, n in enumerate(shape)]
    ends = [WHOLE if step == 1 else (True, False) for _, step, _ in ranges]
    return Slice.of(ranges, shape, ends)


def reverse_sequence(
    input: Any,
    seq_lengths: Any,
    seq_axis: int | None = None,
    batch_axis: int | None = None,
    name: str | None = None,
) -> Tensor:
    """The first elements of each sequence in opposite order, the others as they are.

    `seq_lengths` says how many of the elements along `seq_axis` are turned round, for each place
    along `batch_axis`, which is 0 if it is not given.

    >>> reverse_sequence([[1, 2, 3], [4, 5, 6]], [2, 3], seq_axis=1).numpy()
    array([[2, 1, 3],
           [6, 5, 4]], dtype=int32)
    """
    op = "ReverseSequence"
    x, lengths = tensor(input), of_kernel(seq_lengths, dtypes.int64, PLACES)
    check(op, lengths, PLACES, "input:T, seq_lengths:Tlen -> output:T", "Tlen")
    if not isinstance(seq_axis, (int, np.integer)):
        raise TypeError(f"Expected int for argument 'seq_dim' not {seq_axis}.")
    batch = 0 if batch_axis is None else batch_axis
    _check_sequence(op, shape_of(x), look_at(lengths), int(seq_axis), batch)
    n = shape_of(x)[seq_axis]
    order = [batch, seq_axis, *[k for k in range(x.ndim) if k not in (batch, seq_axis)]]
    place = np.arange(n)
    count = decided(lengths)[:, None]
    turned = Tensor(np.where(place < count, count - 1 - place, place))
    gathered = apply(structural.Gather(x.ndim - 2, 0, 1), permuted(x, order), turned)
    return permuted(gathered, np.argsort(order).tolist())


def _check_sequence(op: str, shape: Shape, lengths: Any, along: int, batch: int) -> None:
    if lengths.ndim != 1:
        raise invalid(op, f"seq_lengths must be 1-dim, not {lengths.ndim}")
    if batch == along:
        raise invalid(op, f"batch_dim == seq_dim == {along}")
    for name, axis in (("seq", along), ("batch", batch)):
        if axis >= len(shape):
            raise invalid(op, f"{name}_dim must be < input rank ( {axis} vs. {len(shape)})")
    for name, axis in (("seq", along), ("batch", batch)):
        if axis < 0:
            raise invalid(op, f"Invalid {name}_dim {axis}")
    if len(lengths) != shape[batch]:
        raise invalid(
            op,
            f"Length of seq_lengths != input.dims({batch}), ({len(lengths)} vs. {shape[batch]})",
        )
    for k, n in enumerate(lengths):
        if n < 0:
            raise invalid(op, f"seq_lens({k}) < 0")
        if n > shape[along]:
            raise invalid(op, f"seq_lens({k}) > input.dims({along})")


def roll(input: Any, shift: Any, axis: Any, name: str | None = None) -> Tensor:
    """Move elements along axes, those that fall off the end coming back at the start.

    >>> roll([1, 2, 3], 1, 0).numpy()
    array([3, 1, 2], dtype=int32)
    """
    x = tensor(input)
    for attr, value in (("Tshift", shift), ("Taxis", axis)):
        if isinstance(value, bool):
            raise refusal("Roll", tensor(value), PLACES, "", attr)
    given, along = whole("Roll", shift, "Tshift"), whole("Roll", axis, "Taxis")
    rank = x.ndim
    if rank == 0:
        raise invalid("Roll", "input must be 1-D or higher")
    for what, value in (("shift", given), ("axis", along)):
        if np.ndim(value) > 1:
            shown = listed(np.shape(value))
            raise invalid("Roll", f"{what} must be a scalar or a 1-D vector. Found: {shown}")
    if np.shape(given) != np.shape(along):
        raise invalid("Roll", "shift and axis must have the same size")
    shifts, axes = np.ravel(given).tolist(), np.ravel(along).tolist()
    for by, n in zip(shifts, axes, strict=True):
        if not -rank <= n < rank:
            raise invalid("Roll", f"axis {n if n >= 0 else n + rank} is out of range")
        x = _rolled(x, by, n % rank)
    return apply1(ops.identity, x)


def _rolled(x: Tensor, by: int, axis: int) -> Tensor:
    n = shape_of(x)[axis]
    given, by = by, by % n if n else 0
    if not by:
        return x
    ends = [None, None] if abs(given) > n else [(given > 0, True), (False, given > 0)]
    last = part_of(x, axis, n - by, by, ends[0])
    return joined([last, part_of(x, axis, 0, n - by, ends[1])], axis)


def part_of(x: Tensor, axis: int, first: int, count: int, ends: Ends | None = None) -> Tensor:
    """Take some elements one after another along an axis; see `Slice` for the `ends`."""
    return apply1(part(shape_of(x), axis, first, count, ends), x)


@lru_cache(maxsize=4096)
def part(shape: Shape, axis: int, first: int, count: int, ends: Ends | None = None) -> Operation:
    """Give the operation that takes some elements one after another along an axis."""
    ranges = [
        (first if count else 0, 1, count) if k == axis else (0, 1, n) for k, n in enumerate(shape)
    ]
    if count == shape[axis]:
        return ops.identity
    known = ends if count else None
    return Slice.of(ranges, shape, [known if k == axis else WHOLE for k in range(len(shape))])


def joined(parts: Sequence[Tensor], axis: int) -> Tensor:
    """Put tensors one after another along an axis."""
    return apply(structural.Concat(axis - parts[0].ndim), *parts)
