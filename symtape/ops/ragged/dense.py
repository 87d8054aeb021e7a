"""Between ragged rows and tensors: rows that are filled up, and rows that are cut."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from symtape.errors import InvalidArgumentError
from symtape.ops.arguments import like, tensor, valued
from symtape.ops.elementwise.comparison import not_equal
from symtape.ops.elementwise.conversion import constant
from symtape.ops.indexing.gathering import gather
from symtape.ops.indexing.scattering import scatter_nd, tensor_scatter_nd_update
from symtape.ops.ragged.picking import rows_of
from symtape.ops.ragged.rows import Rows, len_of
from symtape.ops.ragged.splits import from_lengths
from symtape.ops.shapes.creation import fill
from symtape.ops.shapes.repetition import broadcast_to
from symtape.ops.shapes.shaping import reshape
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.decided import decided_by_look
from symtape.tensor.dispatch import listed
from symtape.tensor.shape import TensorShape
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import look_at, shape_of


def padded(rows: Rows, default_value: Any, shape: Any) -> Tensor:
    """Put the values of rows at their places of a tensor that is zero, or `default_value`."""
    places = coordinates(rows)
    levels = places.shape[1]
    sizes = list(rows.bounds)
    for k, n in enumerate(_wanted(shape, sizes, levels)):
        sizes[k] = sizes[k] if n is None else n
    values = rows.flat_values
    inside = np.all(places < np.array(sizes[:levels]), axis=1)
    if not np.all(inside):
        places, values = places[inside], gather(values, np.flatnonzero(inside))
    if values.dtype is dtypes.string:
        return _texts(values, places, sizes, default_value)
    if default_value is None:
        return scatter_nd(places, values, sizes)
    default = like(default_value, values)
    _check_default(shape_of(default), shape_of(values))
    whole = broadcast_to(default, sizes) if shape_of(default) else fill(sizes, default)
    return tensor_scatter_nd_update(whole, places, values)


def _wanted(shape: Any, sizes: list[int], levels: int) -> list[int | None]:
    """Read the sizes that are asked for; raises `InvalidArgumentError` for other axes."""
    given = None if shape is None else TensorShape(shape)
    if given is None or given.rank is None:
        return []
    if given.rank != len(sizes):
        raise _unfit(given, f"rt_input.rank = {len(sizes)} but shape.rank = {given.rank}")
    for k in range(levels, len(sizes)):  # only sizes of rows may be others
        if given[k] not in {None, sizes[k]}:
            raise _unfit(given, f"rt_input.shape[{k}] = {sizes[k]} but shape[{k}] = {given[k]}")
    return given.as_list()


def _check_default(default: tuple[int, ...], values: tuple[int, ...]) -> None:
    if len(default) >= len(values):
        raise _refused(
            f"default_value.shape={listed(default)} and rt_input.flat_values.shape="
            f"{listed(values)} are incompatible: default_value.rank = {len(default)}  must be less "
            f"than rt_input.flat_values.rank = {len(values)}"
        )


def _unfit(given: TensorShape, text: str) -> InvalidArgumentError:
    sizes = ",".join("?" if n is None else str(n) for n in given)
    return _refused(f"rt_input.shape and shape=[{sizes}] are incompatible: {text}")


def _refused(text: str) -> InvalidArgumentError:
    found = InvalidArgumentError.of("RaggedTensorToTensor", text)
    counted = "RaggedTensorToTensor_num_row_partition_tensors_1_device"
    return InvalidArgumentError(
        message=found.message.replace("RaggedTensorToTensor_device", counted, 1)
    )


def _texts(values: Tensor, places: Any, sizes: list[int], default: Any) -> Tensor:
    whole = np.empty(sizes, object)
    whole[...] = look_at(constant("" if default is None else default))
    whole[tuple(places.T)] = look_at(values)
    return constant(whole, dtypes.string)


def coordinates(rows: Any) -> Any:
    """Say where each of the innermost values stands: a row of numbers, one for each level.

    >>> from symtape.ops.ragged.rows import Rows
    >>> coordinates(Rows(tensor([5, 6, 7]), np.array([0, 2, 3]))).tolist()
    [[0, 0], [0, 1], [1, 0]]
    """
    chain = [np.arange(len_of(rows))]
    while isinstance(rows, Rows):
        rowids = rows.rowids
        chain = [*(c[rowids] for c in chain), rows.within]
        rows = rows.values
    return np.stack(chain, axis=-1).astype(np.int64)


def places_of(rows: Any) -> Any:
    """Say where each number stands: a row of numbers, one for each axis."""
    outer, inner = coordinates(rows), shape_of(rows.flat_values)[1:]
    within = np.array(list(np.ndindex(*inner)), np.int64).reshape(prod(inner), len(inner))
    places = [np.repeat(outer, len(within), 0), np.tile(within, (len(outer), 1))]
    return np.hstack(places).astype(np.int64)


def trimmed(kind: Any, whole: Any, lengths: Any, padding: Any, ragged_rank: int) -> Any:
    """Make rows of those of a tensor."""
    dense = tensor(whole)
    sizes = shape_of(dense)
    if lengths is not None and padding is not None:
        raise ValueError("Specify argument `lengths` or `padding`, but not both.")
    if len(sizes) < 2:
        raise ValueError(
            "The rank of a RaggedTensor must be greater than 1, i.e., a list of scalars won't have "
            f"ragged dimensions. Received argument `tensor` with rank {len(sizes)}."
        )
    if len(sizes) <= ragged_rank:
        raise ValueError(f"ragged_rank={ragged_rank} must be less than the rank of {sizes}")
    if lengths is None and padding is None:
        return _whole(kind, dense, sizes, ragged_rank)
    flat = _whole(kind, dense, sizes, ragged_rank)
    inner = flat if ragged_rank == 1 else None
    if inner is None:
        raise ValueError("`lengths` and `padding` are of rows of one level: ragged_rank=1")
    ends = _filled(dense, padding) if lengths is None else _ends(lengths, sizes)
    ends = np.minimum(ends, sizes[1])
    places = [k * sizes[1] + np.arange(n) for k, n in enumerate(ends.tolist())]
    chosen = np.concatenate([*places, np.zeros(0, int)]).astype(int)
    return kind(rows_of(inner.values, chosen), from_lengths(ends.astype(np.int64)))


def _ends(lengths: Any, sizes: tuple[int, ...]) -> Any:
    """Read the lengths of rows; raises `TypeError` and `ValueError` for what is none."""
    found = convert(lengths, hint=dtypes.int64)
    given = np.asarray(valued(found))
    if given.dtype.kind not in "iu":
        raise TypeError(
            "Argument `tensor` (name: lengths) must be of type integer. Received `tensor` = "
            f"{given} of dtype: {found.dtype}"
        )
    TensorShape(sizes[:2]).assert_is_compatible_with(TensorShape([*given.shape, sizes[1]]))
    return np.maximum(given, 0)


def _whole(kind: Any, dense: Tensor, sizes: tuple[int, ...], ragged_rank: int) -> Any:
    count = int(np.prod(sizes[: ragged_rank + 1]))
    made: Any = reshape(dense, [count, *sizes[ragged_rank + 1 :]])
    for level in range(ragged_rank, 0, -1):
        rows = int(np.prod(sizes[:level]))
        made = kind(made, np.arange(rows + 1) * sizes[level], uniform=sizes[level])
    return made


def _filled(dense: Tensor, padding: Any) -> Any:
    """Count what stands before the padding at the end of each row."""
    sizes = shape_of(dense)
    blank = like(padding, dense)
    TensorShape(shape_of(blank)).assert_is_compatible_with(TensorShape(sizes[2:]))
    other = np.asarray(decided_by_look(not_equal(dense, blank)))
    other = np.any(other.reshape(*sizes[:2], -1), axis=-1)
    places = np.arange(1, sizes[1] + 1)
    return np.max(np.where(other, places, 0), axis=1, initial=0)
