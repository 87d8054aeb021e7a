"""Elements and rows of ragged tensors, by their numbers along any axis."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from symtape.ops.arguments import tensor, valued
from symtape.ops.indexing.gathering import check_inside, gather, gather_nd
from symtape.ops.ragged.elementwise import same_outer_rows
from symtape.ops.ragged.joining import stacked, tiled
from symtape.ops.ragged.picking import expand_dims, rows_of, unsized
from symtape.ops.ragged.rows import Rows, held, len_of, rank_of
from symtape.ops.ragged.splits import positive
from symtape.ops.ragged.tensor import RaggedTensor
from symtape.ops.shapes.shaping import reshape
from symtape.tensor.dispatch import invalid, listed
from symtape.tensor.shape import TensorShape
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of


def gathered(
    params: Any,
    indices: Any,
    validate_indices: Any = None,
    axis: Any = None,
    batch_dims: int = 0,
    name: str | None = None,
) -> Any:
    """Choose along an axis, where the elements or their numbers are ragged rows.

    The first `batch_dims` axes are common to both. Raises `ValueError` for axes that are not there,
    and `InvalidArgumentError` for numbers of elements that are not.

    >>> rows = RaggedTensor.from_row_lengths([1, 2, 3], [2, 1])
    >>> gathered(rows, [[1], [0]], batch_dims=1).numpy()
    array([[2],
           [3]], dtype=int32)
    """
    x, places = held(params), held(indices)
    rank = rank_of(x)
    batch = positive(batch_dims, rank_of(places), "batch_dims", 1)
    if batch >= rank:
        raise ValueError("batch_dims must be less than rank(params)")
    along = batch if axis is None else positive(axis, rank, "axis")
    if along < batch:
        raise ValueError("axis must be greater than or equal to batch_dims")
    return _gathered(x, places, along, batch)


def _gathered(params: Any, places: Any, axis: int, batch: int) -> Any:
    if not isinstance(params, Rows) and not isinstance(places, Rows):
        return gather(params, places, axis=axis, batch_dims=batch)
    if not batch and axis == 0:
        return _outermost(params, places)
    if not batch:
        return _along(params, places, axis)
    if batch == 1 and axis == 1:
        return _outermost(*_flattened(params, places))
    x = _level(params)
    if batch == 1:  # each inner row takes what its outer row takes
        places = x.with_values(rows_of(places, x.rowids))
        return _gathered(x, places, axis, 2)
    inner = _level(places)
    same_outer_rows(x, inner)
    return x.with_values(_gathered(x.values, inner.values, axis - 1, batch - 1))


def _along(params: Any, places: Any, axis: int) -> Any:
    """Choose within each row the same elements."""
    if not isinstance(params, Rows):
        return _of_whole(params, places, axis)
    if axis > 1:
        return params.with_values(_gathered(params.values, places, axis - 1, 0))
    count = len_of(params)
    if isinstance(places, Rows):
        repeated = stacked(RaggedTensor, [places] * count, 0)
    else:
        array = np.asarray(valued(places))
        repeated = tensor(np.broadcast_to(array, (count, *array.shape)))
    return _gathered(params, repeated, 1, 1)


def _outermost(params: Any, places: Any) -> Any:
    """Choose rows, of ragged ones or of a tensor."""
    if isinstance(places, Rows):
        return places.with_flat_values(_outermost(params, places.flat_values))
    if not isinstance(params, Rows):
        return gather(params, places)
    chosen = np.asarray(valued(places))
    check_inside(tensor(chosen), len_of(params), ("RaggedGather", ""))
    if chosen.ndim == 0:
        return params[int(chosen)]  # type: ignore[index]  # all rows are ragged tensors
    return unsized(_within(rows_of(params, chosen.ravel()), chosen.shape))


def _of_whole(params: Tensor, places: Any, axis: int) -> Any:
    """Choose of a whole tensor by ragged rows, which stand where the axis did."""
    found = gather(params, places.flat_values, axis=axis)
    outer, rest = shape_of(params)[:axis], shape_of(found)[axis + 1 :]
    count = int(np.prod(outer))
    lengths = [np.tile(np.asarray(valued(n)), count) for n in places.nested_row_lengths()]
    flat = reshape(found, [count * shape_of(places.flat_values)[0], *rest])
    rows = RaggedTensor.from_nested_row_lengths(flat, lengths)
    return _within(rows, (*outer, len_of(places)))


def _within(rows: Any, sizes: Sequence[int]) -> Any:
    """Put rows that stand one after another into axes of some sizes."""
    for k in range(len(sizes) - 1, 0, -1):
        rows = RaggedTensor.from_uniform_row_length(rows, sizes[k], int(np.prod(sizes[:k])))
    return rows


def _level(x: Any) -> Any:
    """Make the first two axes ragged rows."""
    return x if isinstance(x, Rows) else RaggedTensor.from_tensor(x, ragged_rank=1)


def _flattened(params: Any, places: Any) -> tuple[Any, Any]:
    """Give all rows one after another, and numbers that count from the first of them."""
    if len_of(params) != len_of(places):
        raise ValueError(
            f"batch shape from indices {TensorShape([len_of(places)])} does not match params shape "
            f"{TensorShape([len_of(params)])}"
        )
    x = _level(params)
    flat = places.flat_values if isinstance(places, Rows) else places
    chosen = np.asarray(valued(flat))
    owner = np.arange(len_of(places))
    part = places
    while isinstance(part, Rows):
        owner, part = owner[part.rowids], part.values
    shaped = owner.reshape(owner.shape + (1,) * (chosen.ndim - 1))
    outside = (chosen < 0) | (chosen >= np.diff(x.splits)[shaped])
    if outside.any():
        at = tuple(np.argwhere(outside)[0])
        length = int(np.diff(x.splits)[owner[at[0]]])
        raise invalid("RaggedGather", f"indices[{at[0]}] = {chosen[at]} is not in [0, {length})")
    moved = tensor(chosen + x.splits[shaped])
    return x.values, places.with_flat_values(moved) if isinstance(places, Rows) else moved


def gathered_nd(
    params: Any,
    indices: Any,
    batch_dims: int = 0,
    name: str | None = None,
    bad_indices_policy: str = "",
) -> Any:
    """Choose by several numbers at once, one for each axis from the first on.

    >>> rows = RaggedTensor.from_row_lengths([1, 2, 3], [2, 1])
    >>> gathered_nd(rows, [[0, 1], [1, 0]]).numpy()
    array([2, 3], dtype=int32)
    """
    if batch_dims != 0:
        raise ValueError("batch_dims != 0 is not supported for ragged gather yet.")
    if bad_indices_policy not in {"", "DEFAULT"}:
        raise ValueError("non-default bad_indices_policy not supported for ragged gather")
    x, places = held(params), held(indices)
    rank = rank_of(places)
    if rank == 0:
        raise ValueError("indices.rank must be at least 1.")
    if isinstance(places, Rows):
        if rank == places.ragged_rank + 1:
            raise ValueError("The innermost dimension of indices may not be ragged")
        return places.with_flat_values(gathered_nd(x, places.flat_values))
    if rank <= 2:
        return _by_tuples(x, places)
    found = gathered_nd(x, reshape(places, [-1, shape_of(places)[-1]]))
    outer = shape_of(places)[:-1]
    if not isinstance(found, Rows):
        return reshape(found, [*outer, *shape_of(found)[1:]])
    return _within(found, outer)


def _by_tuples(params: Any, places: Tensor) -> Any:
    chosen = np.asarray(valued(places))
    if chosen.shape[-1] == 0:
        whole = params if chosen.ndim == 1 else expand_dims(params, 0)
        return tiled(whole, [*chosen.shape[:-1], *[1] * rank_of(params)])
    tuples = chosen.reshape(-1, chosen.shape[-1]).astype(np.int64)
    at, part, used = tuples[:, 0], params, 1
    _check(at, np.full(len(at), len_of(params)), chosen)
    while used < tuples.shape[1] and isinstance(part, Rows):
        _check(tuples[:, used], np.diff(part.splits)[at], chosen)
        at = part.splits[at] + tuples[:, used]
        part, used = part.values, used + 1
    if isinstance(part, Rows):
        found = rows_of(part, at)
    else:
        found = gather_nd(part, np.column_stack([at, tuples[:, used:]]))
    return found if chosen.ndim > 1 else found[0]


def _check(numbers: Any, lengths: Any, all_of: Any) -> None:
    outside = (numbers < 0) | (numbers >= lengths)
    if outside.any():
        at = int(np.argmax(outside))
        told = listed(all_of.reshape(-1, all_of.shape[-1])[at])
        raise invalid("RaggedGather", f"indices[{at}] = {told} is not in the rows")
