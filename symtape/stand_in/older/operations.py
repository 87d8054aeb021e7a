"""Operations of TensorFlow 1 that mean something else in TensorFlow 2, and exist in both."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtape.ops.arguments import pair, plain, same_dtype, tensor
from symtape.ops.elementwise import arithmetic
from symtape.ops.ragged.elementwise import map_flat_values
from symtape.ops.ragged.joining import concatenated
from symtape.ops.ragged.picking import rows_of
from symtape.ops.ragged.rows import Rows, len_of
from symtape.ops.ragged.tensor import RaggedTensor
from symtape.ops.shapes.shaping import reshape
from symtape.stand_in.ragged.functions import where_of_rows
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.dispatch import invalid, listed
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of

_SELECT = "Select"


def where(condition: Any, x: Any = None, y: Any = None, name: str | None = None) -> Any:
    """`x` where `condition` is true, else `y`, of one shape; alone, the places where it is true.

    A condition of that shape chooses elements, a vector chooses rows, which may be ragged, and a
    scalar all. Raises `InvalidArgumentError` for other shapes: nothing is broadcast. Of ragged
    tensors, raises `ValueError` for a condition that is neither a vector nor of the same rows.

    >>> where([True, False], [[1, 2], [3, 4]], [[5, 6], [7, 8]]).numpy().tolist()
    [[1, 2], [7, 8]]
    """
    if any([isinstance(part, Rows) for part in (condition, x, y)]):
        return _of_rows(condition, x, y)
    if x is None or y is None:
        return arithmetic.where(condition, x, y)
    chosen: Tensor = convert(condition, dtypes.bool_)
    x, y = pair(x, y)
    same_dtype(_SELECT, x, y, 2)
    sizes, rows = shape_of(x), shape_of(chosen)
    _same_shape(x, y, 2)
    if len(rows) == 1 and rows != sizes:
        _check_rows(rows[0], sizes)
        chosen = reshape(chosen, [rows[0], *(1 for _ in sizes[1:])])
    elif rows:
        _same_shape(chosen, x, 1)
    return arithmetic.where(chosen, x, y)


def _of_rows(condition: Any, x: Any, y: Any) -> Any:
    """Choose elements of the same rows, or whole rows of two tensors by a vector."""
    if x is None or y is None:
        return where_of_rows(condition, x, y)
    if isinstance(condition, Rows):
        if not (isinstance(x, Rows) and isinstance(y, Rows)):
            raise ValueError("Input shapes do not match.")
        return map_flat_values(where, condition, x, y)
    chosen = tensor(condition)
    if chosen.ndim != 1:
        raise ValueError(f"Shape {chosen.shape} must have rank 1")
    parts = [part if isinstance(part, Rows) else tensor(part) for part in (x, y)]
    joined = concatenated(RaggedTensor, parts, 0)
    places, after = np.arange(len_of(joined)), len_of(parts[0])
    return rows_of(joined, plain(where(chosen, places[:after], places[after:])))


def _same_shape(a: Tensor, b: Tensor, place: int) -> None:
    if shape_of(a) != shape_of(b):
        raise invalid(
            _SELECT,
            f"Inputs to operation {_SELECT} of type {_SELECT} must have the same size and shape.  "
            f"Input 0: {listed(shape_of(a))} != input {place}: {listed(shape_of(b))}",
        )


def _check_rows(count: int, sizes: tuple[int, ...]) -> None:
    if not sizes:
        raise invalid(_SELECT, "'then' must be at least a vector, but saw shape: []")
    if len(sizes) == 1:
        raise invalid(
            _SELECT,
            f"Inputs to operation {_SELECT} of type {_SELECT} must have the same size and shape.  "
            f"Input 0: {listed((count,))} != input 1: {listed(sizes)}",
        )
    if sizes[0] != count:
        raise invalid(
            _SELECT,
            f"Number of batches of 'then' must match size of 'cond', but saw: {sizes[0]} vs. "
            f"{count}",
        )
