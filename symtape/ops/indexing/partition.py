"""Elements dealt out to several tensors, and put together from several: dynamic_partition, …"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from symtape.calls import Call
from symtape.ops.arguments import (
    alike,
    allowed,
    check,
    element,
    is_tensor,
    listed,
    scalar,
    tensor,
)
from symtape.ops.elementwise.arithmetic import where
from symtape.ops.reductions.rows import rows_at
from symtape.ops.shapes.creation import zeros_like
from symtape.ops.shapes.repetition import joined
from symtape.ops.shapes.shaping import with_shape
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.decided import decided
from symtape.tensor.dispatch import invalid, mismatch
from symtape.tensor.requirements import meets, not_negative
from symtape.tensor.tensor import Tensor
from symtape.tensor.unknown_sizes import unsized
from symtape.tensor.values import dtype_of, look_at, shape_of, size_of

_INT32 = allowed("int32")


def dynamic_partition(
    data: Any, partitions: Any, num_partitions: Any, name: str | None = None
) -> list[Tensor]:
    """The rows of each partition, one tensor for each of `num_partitions`.

    `partitions` has a number for each element, or each row of the first axes, of the data.

    >>> [x.numpy().tolist() for x in dynamic_partition([1, 2, 3], [0, 1, 0], 2)]
    [[1, 3], [2]]
    """
    op = "DynamicPartition"
    x, places = tensor(data), _of_places(partitions)
    count = scalar(num_partitions)
    if count < 1:
        raise invalid(op, f"Value for attr 'num_partitions' of {count} must be at least minimum 1")
    if dtype_of(places) != np.int32:
        raise mismatch(op, Tensor(np.int32(0)), places)
    shape, own = shape_of(x), shape_of(places)
    if shape[: len(own)] != own:
        raise invalid(
            op,
            f"data.shape must start with partitions.shape, got data.shape = {listed(shape)}, "
            f"partitions.shape = {listed(own)}",
        )
    outside = np.argwhere((look_at(places) < 0) | (look_at(places) >= count))
    if len(outside):
        at = tuple(outside[0])
        shown = element("partitions", at)
        raise invalid(op, f"{shown} = {look_at(places)[at]} is not in [0, {count})")
    rows = with_shape(x, (prod(own), *shape[len(own) :]))
    line = np.ravel(decided(places))
    return [unsized(rows_at(rows, np.flatnonzero(line == k)), 0) for k in range(count)]


def dynamic_stitch(indices: Any, data: Any, name: str | None = None) -> Tensor:
    """One tensor with the rows of several at the places that `indices` names.

    The last of several rows for one place counts, and receives the gradient; places that no row is
    for have zeros.

    >>> dynamic_stitch([[0, 2], [1]], [[1, 3], [2]]).numpy()
    array([1, 2, 3], dtype=int32)
    """
    op = "DynamicStitch"
    places = [_of_places(p) for p in indices]
    parts = alike(data)
    if len(places) != len(parts):
        raise ValueError(
            f"List argument 'data' to 'dynamic_stitch' Op with length {len(parts)} must match "
            f"length {len(places)} of argument 'indices'."
        )
    if not parts:
        raise invalid(op, "dynamic_stitch needs at least one tensor")
    _check_stitch(op, places, parts)
    rest = shape_of(parts[0])[places[0].ndim :]
    rows = [with_shape(x, (size_of(p), *rest)) for p, x in zip(places, parts, strict=True)]
    line = np.concatenate([np.ravel(decided(p)) for p in places])
    chosen = np.full(int(line.max()) + 1 if line.size else 0, -1)
    chosen[line] = np.arange(line.size)
    joint = joined(rows, 0) if len(rows) > 1 else rows[0]
    made = rows_at(joint, np.maximum(chosen, 0))
    if np.all(chosen >= 0):
        return made
    return where((chosen >= 0).reshape(-1, *(1,) * len(rest)), made, zeros_like(made))


def _of_places(value: Any) -> Tensor:
    """Convert places to int32; a tensor stays what it is."""
    return tensor(value) if is_tensor(value) else convert(value, dtypes.int32)


def _check_stitch(op: str, places: Sequence[Tensor], parts: Sequence[Tensor]) -> None:
    first, own = shape_of(parts[0]), shape_of(places[0])
    for k, (p, x) in enumerate(zip(places, parts, strict=True)):
        check(op, p, _INT32, "indices:N*int32, data:N*T -> merged:T", "indices")
        if dtype_of(x) != dtype_of(parts[0]):
            raise mismatch(op, parts[0], x, len(places) + k)
        shape, at = shape_of(x), shape_of(p)
        if shape[: len(at)] != at:
            raise invalid(
                Call(op, many=f"N_{len(parts)}", name=None),
                f"data[{k}].shape = {listed(shape)} does not start with indices[{k}].shape = "
                f"{listed(at)}",
            )
        if shape[len(at) :] != first[len(own) :]:
            raise invalid(
                op,
                f"Need data[0].shape[{len(own)}:] = data[{k}].shape[{len(at)}:], got data[0].shape "
                f"= {listed(first)}, data[{k}].shape = {listed(shape)}, indices[0].shape = "
                f"{listed(own)}, indices[{k}].shape = {listed(at)}",
            )
        if not meets(p, not_negative):
            raise invalid(op, f"indices[{k}] is out of range")
