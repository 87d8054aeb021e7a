"""In whose sight operations run that take no tensor with a layout."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from symtape import nest
from symtape.ops.control.flow import executing_eagerly
from symtape.ops.control.function import Function
from symtape.stand_in.dtensor import drawing
from symtape.stand_in.dtensor.following import SCOPE
from symtape.stand_in.dtensor.layouts import Layout
from symtape.stand_in.dtensor.meshes import Mesh
from symtape.stand_in.dtensor.placed import DEVICE, check_fit, place, placement
from symtape.stand_in.dtensor.registering import registered
from symtape.stand_in.dtensor.variables import made_in_scope
from symtape.tensor.variables.creators import variable_creator_scope


@contextmanager
def default_mesh(mesh: Mesh) -> Iterator[None]:
    """A context in which what is made of nothing, as a variable, is whole on each device of a mesh.

    Raises `ValueError` for what is no mesh.
    """
    if not isinstance(mesh, Mesh):
        raise ValueError(f"Expect `mesh` to be `Mesh`, got {type(mesh)}")
    before, SCOPE.mesh = SCOPE.mesh, registered(mesh)
    try:
        with variable_creator_scope(partial(made_in_scope, mesh)):
            yield
    finally:
        SCOPE.mesh = before


run_on = default_mesh


def get_default_mesh() -> Mesh | None:
    """Give the mesh of the innermost `default_mesh`, or None."""
    return SCOPE.mesh


def device_name() -> str:
    """Give the name that TensorFlow has for all meshes together."""
    return DEVICE


def call_with_layout(
    fn: Callable[..., Any], layout: Layout | None, *args: Any, **kwargs: Any
) -> Any:
    """Call a function whose result has a layout; of several results of a `tf.function`, the first.

    Random numbers of the stateless functions are drawn by part, as TensorFlow does. Raises
    `UnknownError` where the result does not fit the layout.
    """
    if layout is None:
        return fn(*args, **kwargs)
    if not executing_eagerly():
        found = fn(*args, **kwargs)
        check_fit(layout, found.raw.shape)
        return place(found, layout)
    with default_mesh(layout.mesh), drawing.by_parts(fn, layout):
        found = fn(*args, **kwargs)
    flat = nest.flatten(found)
    for k, one in enumerate(flat[:1] if isinstance(fn, Function) else flat):
        if placement(one) is not None:
            check_fit(layout, one.raw.shape)
            flat[k] = place(one, layout)
    return nest.pack_sequence_as(found, flat)
