"""Who follows operations on tensors with layouts, and says which layout a result has."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

import numpy as np

from symtape import nest
from symtape.errors import UnimplementedError, UnknownError
from symtape.ops.control import function as functions
from symtape.ops.control.flow import executing_eagerly
from symtape.program import operations as ops
from symtape.program.operations import Operation
from symtape.stand_in.dtensor.layouts import UNSHARDED, Layout
from symtape.stand_in.dtensor.meshes import Mesh
from symtape.stand_in.dtensor.placed import Placement, Unknown, place, placement
from symtape.stand_in.dtensor.rules import Specs, UncertainError, specs_by_name, specs_of
from symtape.tensor.derivatives import differentiate
from symtape.tensor.dispatch import FOLLOWERS, OP_NAMES, listed
from symtape.tensor.tensor import Tensor

SMALL = 19
"""How many integers or texts without a layout may stand beside tensors that have one."""
_REFUSING = {ops.add, ops.subtract, ops.multiply, ops.divide}


class Scope(threading.local):
    """The mesh on which a thread computes what has no layout, if there is one."""

    def __init__(self) -> None:
        self.mesh: Mesh | None = None


SCOPE = Scope()


def begin() -> None:
    """Follow all operations from now on: somebody has a mesh."""
    if _applied not in FOLLOWERS:
        FOLLOWERS.append(_applied)
        differentiate.FOLLOWERS.append(_derived)
        functions.FOLLOWERS.append(_returned)


def _applied(operation: Operation | str, operands: Sequence[Tensor], out: Tensor) -> None:
    """Lay the result of an operation out, if an operand is, or if the scope of a mesh says so."""
    found = [placement(x) for x in operands]
    mesh = _common_mesh(found)
    if mesh is None:
        if SCOPE.mesh is not None and executing_eagerly():
            for number, x in enumerate(operands):
                _check_spread(operation, x, number)
            place(out, Layout.replicated(SCOPE.mesh, out.raw.ndim))
        return
    if operation == "Fill" and not executing_eagerly():
        return  # what only has the shape of a tensor is laid out by those who take it
    place(out, _laid_out(operation, operands, found, mesh, out))


def _common_mesh(found: Sequence[Placement | None]) -> Mesh | None:
    meshes = [f.mesh for f in found if f is not None]
    for other in meshes[1:]:
        if other != meshes[0]:
            raise UnknownError(
                message="'tf_device.cluster' op failed during mesh propagation. All inputs to "
                f"`tf_device.Cluster` must have same mesh configuration: {meshes[0]} and {other}"
            )
    return meshes[0] if meshes else None


def _laid_out(
    operation: Operation | str,
    operands: Sequence[Tensor],
    found: Sequence[Placement | None],
    mesh: Mesh,
    out: Tensor,
) -> Placement:
    if not out.raw.ndim:
        return Layout.replicated(mesh, 0)  # which is the only one that a scalar has
    for one in found:
        if isinstance(one, Unknown):
            return one
    is_cut = any(isinstance(f, Layout) and not f.is_fully_replicated() for f in found)
    if is_cut and any(x.raw.size == 0 for x in (*operands, out)):
        return Unknown(mesh, "there is nothing to be cut")
    try:
        numbered = enumerate(zip(operands, found, strict=True))
        given = [_specs(operation, x, one, k) for k, (x, one) in numbered]
        if isinstance(operation, str):
            specs = specs_by_name(operation, given, out.raw.ndim)
        else:
            shapes = [x.raw.shape for x in operands]
            specs = specs_of(operation, given, shapes, mesh.dim_size)
    except UncertainError as error:
        return Unknown(mesh, str(error))
    return Layout(specs, mesh)


def _specs(operation: Operation | str, x: Tensor, found: Placement | None, number: int) -> Specs:
    """Read the layout of an operand; one without is whole on each device, if it may be there."""
    if isinstance(found, Layout):
        return tuple(found.sharding_specs)
    if not executing_eagerly() or _is_spread(x):
        return (UNSHARDED,) * int(x.raw.ndim)
    _check_spread(operation, x, number)
    raise UncertainError("a tensor without a layout takes part, which TensorFlow refuses")


def _check_spread(operation: Operation | str, x: Tensor, number: int) -> None:
    """Refuse what TensorFlow refuses for an operator of Python's on a tensor without a layout."""
    if isinstance(operation, Operation) and operation in _REFUSING and not _is_spread(x):
        raise no_layout(OP_NAMES[operation], x, number)


def _is_spread(x: Tensor) -> bool:
    """Say whether TensorFlow gives each device what has no layout: a number, or few integers."""
    few = x.raw.size <= SMALL and x.raw.dtype.kind in "iO"
    return not x.raw.ndim or few


def no_layout(op: str, x: Any, number: int) -> UnimplementedError:
    """Make the error of an operation on a tensor without a layout beside others."""
    return UnimplementedError(
        message=f"The op/function {op} got a regular tensor for input {number} (shape "
        f"{listed(np.shape(x))}) but was expecting a DTensor. Currently only scalars and small "
        "integer/string tensors are auto-broadcast to DTensors. For other tensors, please use "
        "copy_to_mesh to make a DTensor explicitly; note that this may be slow if it happens "
        f"frequently. [Op:{op}] name: "
    )


def _derived(operands: Sequence[Tensor], results: Sequence[Any]) -> list[Any]:
    """Lay derivatives out where what they are computed of is whole on each device."""
    return _told(operands, results, "it is a derivative of tensors that are cut")


def _returned(given: Any, found: Any) -> Any:
    """Lay out what a function gives that has no layout, if it runs where tensors have one."""
    if not executing_eagerly():
        return found
    flat = nest.flatten(found)
    reason = "a function made it, and TensorFlow lays out what it has there by who takes it"
    near = [*nest.flatten(given), *flat]
    return nest.pack_sequence_as(found, _told(near, flat, reason, SCOPE.mesh))


def _told(
    near: Sequence[Any], results: Sequence[Any], reason: str, otherwise: Mesh | None = None
) -> list[Any]:
    """Lay out what has no layout, on the mesh of what is near, or on another one.

    It is whole where all that is near is; else its layout is not known, for a reason.
    """
    found = [placement(x) for x in near]
    mesh = _common_mesh(found) or otherwise
    if mesh is None:
        return list(results)
    layouts = [f for f in found if f is not None]
    whole = all(isinstance(f, Layout) and f.is_fully_replicated() for f in layouts)

    def laid_out(x: Any) -> Any:
        if type(x) is not Tensor or placement(x) is not None:
            return x
        is_known = whole or not x.ndim
        return place(x, Layout.replicated(mesh, x.ndim) if is_known else Unknown(mesh, reason))

    return [laid_out(x) for x in results]
