"""Some of a batch of operators: what each is made of is sliced alike."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from symtape import nest
from symtape.errors import UnsupportedError
from symtape.ops.arguments import tensor
from symtape.ops.shapes.creation import zeros
from symtape.ops.shapes.repetition import broadcast_to
from symtape.tensor.values import shape_of


def batch_slice(operator: Any, at: Any) -> Any:
    """Give the operators of a batch at some places, as `x[at]` gives entries of its batch axes.

    Raises `UnsupportedError` where an operator that is a part of it has no numbers to slice.
    """
    places = at if isinstance(at, tuple) else tuple(at) if isinstance(at, list) else (at,)
    batch = [int(n) for n in operator.batch_shape]
    found = _with_parts(operator, lambda part, axes: _sliced(part, axes, batch, places))
    wanted = batch_at(batch, places)
    if [int(n) for n in found.batch_shape] != wanted:
        raise UnsupportedError(
            f"a slice of {type(operator).__name__}, whose parts would have batch shape "
            f"{list(found.batch_shape)} and not {wanted}; slice the parts, and put them together"
        )
    return found


def batch_at(batch: Sequence[int], places: Any) -> list[int]:
    """Give the sizes of what is at some places of a batch."""
    return list(shape_of(zeros(batch)[places]))


def _with_parts(operator: Any, change: Any) -> Any:
    """Make an operator again of changed parts: a function is given each, and its matrix axes."""
    changed = {}
    for name, axes in dict(operator._experimental_parameter_ndims_to_matrix_ndims).items():  # noqa: SLF001 - TensorFlow's name
        part = getattr(operator, name)
        if part is not None:
            changed[name] = nest.map_structure(change, part, axes)
    return type(operator)(**{**operator.parameters, **changed})


def _sliced(part: Any, axes: int, batch: Sequence[int], places: tuple[Any, ...]) -> Any:
    whole = _repeated(part, axes, batch)
    within = () if any(place is Ellipsis for place in places) else (Ellipsis,)
    return whole[(*places, *within, *[slice(None)] * axes)]


def _repeated(part: Any, axes: int, batch: Sequence[int]) -> Any:
    """Repeat what an operator is made of over all of its batch axes."""
    if hasattr(part, "batch_shape"):
        if "batch_shape" in part.parameters:  # it has no numbers to repeat
            return type(part)(**{**part.parameters, "batch_shape": batch})
        return _with_parts(part, lambda inner, own: _repeated(inner, own, batch))
    value = tensor(part)
    sizes = shape_of(value)
    return broadcast_to(value, [*batch, *sizes[len(sizes) - axes :]])
