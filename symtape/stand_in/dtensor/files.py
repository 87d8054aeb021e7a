"""Tensors with layouts in the files of a checkpoint, which have the whole of each."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Any

from symtape.errors import InvalidArgumentError
from symtape.ops.control.flow import executing_eagerly
from symtape.stand_in.dtensor.meshes import Mesh
from symtape.stand_in.dtensor.moving import fetch_layout, relayout
from symtape.tensor.convert import convert
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import look_at
from symtape.tensor.variables.variable import Variable
from symtape.training.checkpoint import Checkpoint
from symtape.training.reading import load_checkpoint

_KEY = "tensors/{}/.ATTRIBUTES/VARIABLE_VALUE"


class DTensorCheckpoint(Checkpoint):
    """A checkpoint of objects whose variables have layouts; `mesh` is not looked at."""

    def __init__(self, mesh: Mesh, root: Any = None, **kwargs: Any) -> None:
        super().__init__(root, **kwargs)


def name_based_save(
    mesh: Mesh, checkpoint_prefix: Any, name_tensor_dict: Mapping[str, Any]
) -> None:
    """Write tensors by name; raises `ValueError` in a `tf.function`."""
    if not executing_eagerly():
        raise ValueError("name based save must run eagerly.")
    names, tensors = list(name_tensor_dict), list(name_tensor_dict.values())
    sharded_save(mesh, checkpoint_prefix, names, [""] * len(names), tensors)


def sharded_save(
    mesh: Mesh,
    file_prefix: Any,
    tensor_names: Any,
    shape_and_slices: Any,
    tensors: Sequence[Any],
) -> None:
    """Write tensors by name, each of them whole."""
    values = [look_at(convert(t)) for t in tensors]
    held = {_text(n): Variable(Tensor(v)) for n, v in zip(tensor_names, values, strict=True)}
    Checkpoint(tensors=held).write(_text(file_prefix))


def _text(name: Any) -> str:
    found = name.numpy() if isinstance(name, Tensor) else name
    return found.decode() if isinstance(found, bytes) else str(found)


def name_based_restore(
    mesh: Mesh, checkpoint_prefix: Any, name_tensor_dict: Mapping[str, Any]
) -> OrderedDict[str, Tensor]:
    """Read tensors by name, each with the layout and the shape of one that is given.

    Raises `ValueError` in a `tf.function` and for a tensor without a layout.
    """
    if not executing_eagerly():
        raise ValueError("name based restore must run eagerly.")
    try:
        layouts = {name: fetch_layout(tensor) for name, tensor in name_tensor_dict.items()}
    except InvalidArgumentError as error:
        raise ValueError("Saving/Restoring tensor must be a DTensor") from error
    reader = load_checkpoint(_text(checkpoint_prefix))
    return OrderedDict(
        (name, relayout(convert(reader.get_tensor(_KEY.format(name.replace("/", ".S")))), layout))
        for name, layout in layouts.items()
        if layout is not None
    )
