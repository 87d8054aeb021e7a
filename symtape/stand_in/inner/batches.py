"""Batches of inputs, targets and weights, as the `data_adapter` of Keras 2 has them.

Steps of training that were written for Keras 2 take them from there.
"""

from __future__ import annotations

from typing import Any

from symtape import nest
from symtape.ops.shapes.shaping import expand_dims
from symtape.tensor.tensor import Tensor


def expand_1d(data: Any) -> Any:
    """Give tensors of one axis a second one, and leave everything else in a structure.

    >>> from symtape.tensor.convert import convert
    >>> expand_1d((convert([1.0, 2.0]), convert(3.0), [4]))[0].shape
    TensorShape([2, 1])
    """
    return nest.map_structure(
        lambda x: expand_dims(x, -1) if isinstance(x, Tensor) and x.shape.rank == 1 else x, data
    )


def unpack_x_y_sample_weight(data: Any) -> tuple[Any, Any, Any]:
    """Take a batch apart, None standing for what it lacks; what is no tuple is the inputs.

    Raises `ValueError` for a tuple of more than three.

    >>> unpack_x_y_sample_weight((1, 2)), unpack_x_y_sample_weight([1, 2])
    ((1, 2, None), ([1, 2], None, None))
    """
    parts = data if isinstance(data, tuple) else (data,)
    if not 1 <= len(parts) <= 3:
        raise ValueError(
            "Data is expected to be in format `x`, `(x,)`, `(x, y)`, or `(x, y, sample_weight)`, "
            f"found: {data}"
        )
    x, y, sample_weight = (*parts, None, None)[:3]
    return x, y, sample_weight


def pack_x_y_sample_weight(x: Any, y: Any = None, sample_weight: Any = None) -> Any:
    """Put a batch together, without what is None; inputs alone are a tuple if they are nested.

    >>> pack_x_y_sample_weight(1), pack_x_y_sample_weight([1]), pack_x_y_sample_weight(1, 2)
    (1, ([1],), (1, 2))
    """
    if y is None:
        return (x,) if nest.is_nested(x) else x
    return (x, y) if sample_weight is None else (x, y, sample_weight)
