"""Updates put at places of a tensor: scatter_nd, and tensor_scatter_nd with a way to join them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import prod
from typing import Any, NamedTuple

import numpy as np

from symtape.ops.arguments import (
    PLACES,
    allowed,
    called,
    check,
    check_policy,
    element,
    integers,
    is_tensor,
    listed,
    pair,
    plain,
    same_dtype,
    tensor,
)
from symtape.ops.elementwise.arithmetic import add, subtract, where
from symtape.ops.elementwise.comparison import greater
from symtape.ops.indexing.gathering import numbered, strides
from symtape.ops.reductions.rows import rows_at
from symtape.ops.shapes.creation import ones, zeros_like
from symtape.ops.shapes.repetition import joined
from symtape.ops.shapes.shaping import with_shape
from symtape.program.kinds.segments import SegmentExtremum
from symtape.program.kinds.structural import Scatter
from symtape.tensor import dtypes
from symtape.tensor.decided import decided
from symtape.tensor.dispatch import apply, follow, invalid, misfit, mismatch, no_kernel
from symtape.tensor.requirements import Inside, distinct, serves
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import dtype_of, look_at, shape_of

_SCATTER = "indices:Tindices, updates:T, shape:Tindices -> output:T"
_UPDATED = "tensor:T, indices:Tindices, updates:T -> output:T"
_UPDATE_PLACES = allowed("int16, int32, int64, uint16")
_WITHOUT_KERNEL = {
    "TensorScatterUpdate": "",
    "TensorScatterMax": "bcO",
    "TensorScatterMin": "bcO",
}
"""Kinds of dtypes that an operation has no kernel for; others add up no truth values and texts."""


class Updates(NamedTuple):
    """Updates one after another, the line of the flattened tensor that each is for, its shape."""

    rows: Tensor
    lines: Tensor
    shape: tuple[int, ...]
    depth: int

    @property
    def flat(self) -> tuple[int, ...]:
        """The shape of the tensor with the axes that the places name made one."""
        return (prod(self.shape[: self.depth]), *self.shape[self.depth :])


def scatter_nd(
    indices: Any, updates: Any, shape: Any, bad_indices_policy: str = "", name: str | None = None
) -> Tensor:
    """Zeros of a shape, with `updates` added at the places that the last axis of `indices` names.

    Several updates of one place are added up. Raises `InvalidArgumentError` for places outside,
    unless `bad_indices_policy="IGNORE"` leaves them out.

    >>> scatter_nd([[1], [1], [2]], [1.0, 2.0, 5.0], [4]).numpy()
    array([0., 3., 5., 0.], dtype=float32)
    """
    places, given = tensor(indices), tensor(updates)
    check("ScatterNd", places, PLACES, _SCATTER, "Tindices")
    if is_tensor(shape):
        wide = tensor(shape)
        if dtype_of(wide) != dtype_of(places):
            raise mismatch("ScatterNd", places, wide, 2)
    if np.ndim(plain(shape)) != 1:
        raise invalid("ScatterNd", "Shape must be a vector")
    sizes = tuple(integers(shape))
    for n in sizes:
        if n < 0:
            raise invalid("ScatterNd", f"Dimension {n} must be >= 0")
    _check_zeros(shape_of(places), shape_of(given), sizes)
    call = called("ScatterNd", name, indices, shape)
    return _sum(_read(call, places, given, sizes, bad_indices_policy))


def _check_zeros(places: tuple[int, ...], given: tuple[int, ...], shape: tuple[int, ...]) -> None:
    op = "ScatterNd"
    _check_ranks(op, places, given)
    if not shape or (0 in places) != (0 in given):
        raise invalid(op, "Indices and updates specified for empty output shape")
    if 0 in shape and (0 not in places or 0 not in given):
        raise invalid(
            op,
            f"Indices and updates specified for empty output.  indices shape: {listed(places)}",
        )
    outer, depth = len(places) - 1, places[-1]
    if tuple(places[:-1]) != given[:outer]:
        raise misfit(
            op,
            f"Dimensions [0,{outer}) of indices[shape={listed(places)}] must match "
            f"dimensions [0,{outer}) of updates[shape={listed(given)}]",
        )
    if shape[depth:] != given[outer:] or depth > len(shape):
        raise invalid(
            op,
            f"Dimensions [{depth},{len(shape)}) of input[shape={listed(shape)}] must match "
            f"dimensions [{outer},{len(given)}) of updates[shape={listed(given)}]",
        )


def _extremum(which: str, x: Tensor, found: Updates) -> Tensor:
    """Let every line of the tensor be a segment, of itself and its updates."""
    size, *rest = found.flat
    rows = joined([with_shape(x, found.flat), found.rows], 0)
    lines = joined([Tensor(np.arange(size)), found.lines], 0)
    return with_shape(apply(SegmentExtremum(which, len(rest), size), rows, lines), found.shape)


def _scattered(
    name: str, kernel: str, join: Callable[[Tensor, Any], Tensor], what: str, gives: str
) -> Callable[..., Tensor]:
    """Make a function that joins a tensor with updates at places."""

    def function(
        tensor: Any,
        indices: Any,
        updates: Any,
        bad_indices_policy: str = "",
        name: str | None = None,
    ) -> Tensor:
        x, found = _both(kernel, tensor, indices, updates, bad_indices_policy)
        return follow(kernel, (x, found.rows), join(x, found))

    function.__name__ = function.__qualname__ = name
    function.__doc__ = (
        f"A tensor with {what}.\n\n"
        f"    >>> {name}([1.0, 1.0], [[1], [1]], [2.0, 0.0]).numpy()\n"
        f"    array({gives}, dtype=float32)\n    "
    )
    return function


_NAMED = "at the places that the last axis of `indices` names"
tensor_scatter_nd_add = _scattered(
    "tensor_scatter_nd_add", "TensorScatterAdd", lambda x, found: add(x, _sum(found)),
    f"`updates` added {_NAMED}", "[1., 3.]",
)  # fmt: skip
tensor_scatter_nd_sub = _scattered(
    "tensor_scatter_nd_sub", "TensorScatterSub", lambda x, found: subtract(x, _sum(found)),
    f"`updates` subtracted {_NAMED}", "[ 1., -1.]",
)  # fmt: skip
tensor_scatter_nd_max = _scattered(
    "tensor_scatter_nd_max", "TensorScatterMax", partial(_extremum, "max"),
    "the larger one of its element and `updates` at the places of `indices`; equal ones share\n"
    "    the gradient", "[1., 2.]",
)  # fmt: skip
tensor_scatter_nd_min = _scattered(
    "tensor_scatter_nd_min", "TensorScatterMin", partial(_extremum, "min"),
    "the smaller one of its element and `updates` at the places of `indices`", "[1., 0.]",
)  # fmt: skip


def tensor_scatter_nd_update(
    tensor: Any, indices: Any, updates: Any, name: str | None = None
) -> Tensor:
    """A tensor with `updates` put at the places that the last axis of `indices` names.

    The last of several updates of one place counts, and receives the gradient.

    >>> tensor_scatter_nd_update([1.0, 1.0], [[1], [1]], [2.0, 3.0]).numpy()
    array([1., 3.], dtype=float32)
    """
    return update(tensor, indices, updates, "")


def update(tensor: Any, indices: Any, updates: Any, bad_indices_policy: str) -> Tensor:
    """Do what `tensor_scatter_nd_update` does; "IGNORE" leaves out what is for places outside.

    >>> update([1.0, 1.0], [[1], [5]], [2.0, 3.0], "IGNORE").numpy()
    array([1., 2.], dtype=float32)
    """
    x, found = _both("TensorScatterUpdate", tensor, indices, updates, bad_indices_policy)
    if serves(found.lines, distinct):
        return follow(
            "TensorScatterUpdate", (x, found.rows), where(_touched(found), _sum(found), x)
        )
    lines, rest = look_at(found.lines), (1,) * (len(found.shape) - found.depth)
    last = np.zeros(lines.size, bool)
    _, from_end = np.unique(lines[::-1], return_index=True)
    last[lines.size - 1 - from_end] = True
    rows = found.rows
    if not last.all():
        rows = where(last.reshape(-1, *rest), rows, zeros_like(rows))
    touched = np.zeros(prod(found.shape[: found.depth]), bool)
    touched[lines] = True
    wide = touched.reshape(*found.shape[: found.depth], *rest)
    made = where(wide, _sum(found._replace(rows=rows)), x)
    return follow("TensorScatterUpdate", (x, found.rows), made)


# --- arguments ------------------------------------------------------------------------------------


def _both(op: str, target: Any, indices: Any, updates: Any, policy: str) -> tuple[Tensor, Updates]:
    """Read a tensor and its updates."""
    x, given = pair(target, updates)
    places = tensor(indices)
    kinds = _UPDATE_PLACES if op == "TensorScatterUpdate" else PLACES
    check(op, places, kinds, _UPDATED, "Tindices")
    same_dtype(op, x, given, 2)
    if dtype_of(x).kind in _WITHOUT_KERNEL.get(op, "bO"):
        raise no_kernel(op, x)
    shape = shape_of(x)
    _check_ranks(op, shape_of(places), shape_of(given))
    _check_fit(op, shape_of(places), shape_of(given), shape)
    return x, _read(called(op, "", indices), places, given, shape, policy)


def _check_ranks(op: str, places: tuple[int, ...], given: tuple[int, ...]) -> None:
    if not places:
        raise invalid(op, "Indices shape must have rank at least one. Found:[]")
    if not given:
        raise invalid(op, "Updates shape must have rank at least one. Found:[]")


def _check_fit(
    op: str, places: tuple[int, ...], given: tuple[int, ...], shape: tuple[int, ...]
) -> None:
    if (0 in shape or 0 in places) and (0 not in places or 0 not in given):
        raise invalid(op, "Indices and updates specified for empty output shape")
    outer, depth = len(places) - 1, places[-1]
    if tuple(places[:-1]) != given[:outer]:
        raise invalid(
            op,
            "Outer dimensions of indices and update must match. Indices shape: "
            f"{listed(places)}, updates shape:{listed(given)}",
        )
    if depth > len(shape) or shape[depth:] != given[outer:]:
        raise invalid(
            op,
            "Inner dimensions of output shape must match inner dimensions of updates shape. "
            f"Output: {listed(shape)} updates: {listed(given)}",
        )


def _read(op: str, places: Tensor, given: Tensor, shape: tuple[int, ...], policy: str) -> Updates:
    """Number the places row by row, and leave out bad ones where the policy says so."""
    check_policy(op, policy)
    *wide, depth = shape_of(places)
    rows = with_shape(given, (prod(wide), *shape[depth:]))
    if serves(places, Inside(shape[:depth])):
        lines = numbered(with_shape(places, (prod(wide), depth)), shape[:depth])
        return Updates(rows, lines, shape, depth)
    at = decided(places).reshape(prod(wide), depth).astype(np.int64)
    bad = np.any((at < 0) | (at >= np.array(shape[:depth], np.int64)), axis=-1)
    if np.any(bad) and policy == "IGNORE":
        kept = np.flatnonzero(~bad)
        rows = rows_at(rows, kept)
        at = at[kept]
    elif np.any(bad):
        k = int(np.argmax(bad))
        shown = element("indices", np.unravel_index(k, shape_of(places)[:-1]))
        raise invalid(op, f"{shown} = {at[k].tolist()} does not index into shape {listed(shape)}")
    return Updates(rows, Tensor(at @ strides(shape[:depth], np.int64)), shape, depth)


# --- what is computed -----------------------------------------------------------------------------


def _sum(found: Updates) -> Tensor:
    size, *rest = found.flat
    made = apply(Scatter(len(rest), 0, 0, size), found.rows, found.lines)
    return with_shape(made, found.shape)


def _touched(found: Updates) -> Tensor:
    """Say which places there is an update for."""
    counted = ones(shape_of(found.rows)[:1], dtypes.int32)
    counts = _sum(Updates(counted, found.lines, found.shape[: found.depth], found.depth))
    rest = (1,) * (len(found.shape) - found.depth)
    return with_shape(greater(counts, 0), (*found.shape[: found.depth], *rest))
