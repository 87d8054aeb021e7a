"""ATen operations that take elements at places, or put them there, where places are tensors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

import numpy as np

from symtape.frontends.scattering import put as put_rows
from symtape.frontends.scattering import summed
from symtape.frontends.torch_functions.memory.views import as_dtype, placed, taken_at
from symtape.frontends.torch_functions.rules import reductions
from symtape.frontends.torch_functions.rules.coinciding import EXTREMES, extremes, joined
from symtape.frontends.torch_functions.rules.creation import filled
from symtape.frontends.torch_functions.rules.promotion import as_operand, truth
from symtape.frontends.torch_functions.rules.reductions import INT, chosen
from symtape.frontends.torch_functions.rules.rules import Step, rule
from symtape.ops.elementwise import arithmetic, comparison
from symtape.ops.elementwise.conversion import stop_gradient
from symtape.ops.indexing import scattering
from symtape.ops.indexing.gathering import gather
from symtape.ops.reductions import reduction
from symtape.ops.shapes.repetition import broadcast_to
from symtape.ops.shapes.shaping import permuted, with_shape
from symtape.tensor.decided import decided, decided_truth, nowhere
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import dtype_of, shape_of


def inside(places: Tensor, n: int) -> Tensor:
    """Count negative places from the end."""
    places = as_dtype(places, INT)
    from_end = comparison.less(places, as_operand(0, INT))
    if nowhere(from_end):
        return places
    return arithmetic.where(from_end, places + as_operand(n, INT), places)


def as_places(step: Step, indices: Sequence[Any], shape: Sequence[int]) -> list[Any]:
    """Read the indices of torch's brackets: None is a whole axis, truth values are their places."""
    found: list[Any] = []
    for index in indices:
        if index is None:
            found.append(None)
        elif dtype_of(index).kind == "b" or (dtype_of(index).itemsize == 1 and index.ndim > 1):
            found += [Tensor(at) for at in np.nonzero(decided(index, "a mask in brackets"))]
        else:
            found.append(index)
    found += [None] * (len(shape) - len(found))
    return [p if p is None else inside(p, n) for p, n in zip(found, shape, strict=True)]


def _ordered(x_rank: int, places: Sequence[Any]) -> tuple[list[int], list[int], int]:
    """List the axes with places and those without, and say where the new axes come in."""
    own = [k for k, p in enumerate(places) if p is not None]
    rest = [k for k in range(x_rank) if k not in own]
    together = own == list(range(own[0], own[0] + len(own)))
    return own, rest, own[0] if together else 0


def _line(places: Sequence[Tensor], sizes: Sequence[int]) -> Tensor:
    """Number places along several axes row by row."""
    total: Any = None
    for k, at in enumerate(places):
        stride = prod(sizes[k + 1 :])
        term = at if stride == 1 else at * as_operand(stride, INT)
        total = term if total is None else total + term
    wide = np.broadcast_shapes(*[shape_of(p) for p in places])
    return total if shape_of(total) == wide else broadcast_to(total, wide)


@rule("index")
def index(step: Step, x: Tensor, indices: Sequence[Any]) -> Tensor:
    """x[i, j, …]: elements at places along axes."""
    places = as_places(step, indices, shape_of(x))
    own, rest, at = _ordered(x.ndim, places)
    if len(own) == 1:
        return gather(x, places[own[0]], axis=own[0])
    shape = shape_of(x)
    for axis, other in (own, own[::-1]) if len(own) == 2 else ():
        if _counts(step, places[axis], shape[axis]) and places[other].ndim == 1:
            rows = permuted(x, [axis, other, *rest])
            return _new_axes_at(gather(rows, places[other], axis=1, batch_dims=1), 1, at)
    line = _line([places[k] for k in own], [shape[k] for k in own])
    front = with_shape(
        permuted(x, own + rest), (prod([shape[k] for k in own]), *[shape[k] for k in rest])
    )
    return _new_axes_at(gather(front, line, axis=0), line.ndim, at)


def _counts(step: Step, places: Tensor, n: int) -> bool:
    """Say whether fixed places are 0, 1, … up to a size: then elements of each row are taken."""
    return step.fixed(places) and np.array_equal(places.raw, np.arange(n))


def _new_axes_at(x: Tensor, count: int, at: int) -> Tensor:
    """Move the first axes behind some others."""
    if not at:
        return x
    others = list(range(count, x.ndim))
    return permuted(x, others[:at] + list(range(count)) + others[at:])


@rule("index_put", "_unsafe_index_put")
def index_put(
    step: Step, x: Tensor, indices: Sequence[Any], values: Tensor, accumulate: bool = False, *_: Any
) -> Tensor:
    """x with values put, or added, at places along axes."""
    masks = [i for i in indices if i is not None]
    if len(masks) == 1 and dtype_of(masks[0]).kind == "b" and not values.ndim:
        return _masked(step, x, indices, values, accumulate)
    places = as_places(step, indices, shape_of(x))
    own, rest, at = _ordered(x.ndim, places)
    shape = shape_of(x)
    line = _line([places[k] for k in own], [shape[k] for k in own])
    wide = (*shape_of(line), *[shape[k] for k in rest])
    order = list(range(len(wide)))
    if at:  # values have the new axes where the places were
        count = line.ndim
        order = list(range(at, at + count)) + list(range(at)) + list(range(at + count, len(wide)))
    target = [0] * len(wide)
    for k, source in enumerate(order):
        target[source] = wide[k]
    spread = permuted(_wide(as_dtype(values, dtype_of(x)), target), order)
    front_shape = (prod([shape[k] for k in own]), *[shape[k] for k in rest])
    front = with_shape(permuted(x, own + rest), front_shape)
    is_fixed = all([step.fixed(i) or dtype_of(i).kind == "b" for i in masks])
    made = _scattered(front, line, spread, accumulate, is_fixed)
    whole = with_shape(made, tuple([shape[k] for k in own + rest]))
    return permuted(whole, sorted(range(x.ndim), key=lambda k: (own + rest)[k]))


def _wide(x: Tensor, shape: Sequence[int]) -> Tensor:
    return x if shape_of(x) == tuple(shape) else broadcast_to(x, tuple(shape))


def _scattered(x: Tensor, line: Tensor, values: Tensor, accumulate: bool, is_fixed: bool) -> Tensor:
    """Put rows at places along the first axis, or add them; what is not fixed is followed."""
    count = int(np.size(line.raw))
    rows, line = with_shape(values, (count, *shape_of(x)[1:])), with_shape(line, (count,))
    if not is_fixed and count:
        made = arithmetic.add(x, summed(x, rows, line)) if accumulate else put_rows(x, rows, line)
        if made is not None:
            return made
    put = scattering.tensor_scatter_nd_add if accumulate else scattering.tensor_scatter_nd_update
    return put(x, with_shape(line, (count, 1)), rows)


def _masked(step: Step, x: Tensor, indices: Any, value: Tensor, accumulate: bool) -> Tensor:
    """Put one number where a mask holds, along the axes that it is for."""
    k = next(n for n, i in enumerate(indices) if i is not None)
    mask, rank = indices[k], x.ndim
    wide = with_shape(mask, (1,) * k + shape_of(mask) + (1,) * (rank - k - mask.ndim))
    value = as_dtype(value, dtype_of(x))
    return arithmetic.where(wide, x + value if accumulate else _wide(value, shape_of(x)), x)


# --- one axis -------------------------------------------------------------------------------------


@rule("index_select")
def index_select(step: Step, x: Tensor, dim: int, places: Tensor) -> Tensor:
    """Rows at places along an axis."""
    if not x.ndim:
        return x
    at = places if places.ndim else with_shape(places, (1,))
    return gather(x, inside(at, shape_of(x)[dim]), axis=dim % x.ndim)


@rule("gather")
def gather_(
    step: Step, x: Tensor, dim: int, places: Tensor, *, sparse_grad: bool = False
) -> Tensor:
    """One element along an axis for each place."""
    if not x.ndim:
        return x if not places.ndim else with_shape(x, shape_of(places))
    return chosen(x, as_dtype(places, INT), dim % x.ndim)


@rule("take")
def take(step: Step, x: Tensor, places: Tensor) -> Tensor:
    """Elements by their places in the flattened tensor."""
    count = int(np.size(x.raw))
    return gather(with_shape(x, (count,)), inside(places, count))


@rule("put")
def put(step: Step, x: Tensor, places: Tensor, values: Tensor, accumulate: bool = False) -> Tensor:
    """x with elements put, or added, at places in the flattened tensor."""
    shape, count = shape_of(x), int(np.size(x.raw))
    line = inside(with_shape(places, (int(np.size(places.raw)),)), count)
    flat, own = with_shape(x, (count,)), as_dtype(values, dtype_of(x))
    return with_shape(_scattered(flat, line, own, accumulate, step.fixed(places)), shape)


def _full_places(shape: Sequence[int], places: Tensor, dim: int) -> Tensor:
    """Number, row by row, where each element is put that has a place along one axis."""
    stride, total = prod(shape[dim + 1 :]), None
    grid = np.indices(shape_of(places))
    others = sum(
        [grid[k] * prod(shape[k + 1 :]) for k in range(len(shape)) if k != dim],
        np.zeros(shape_of(places), np.int64),
    )
    total = places if stride == 1 else places * as_operand(stride, INT)
    return total + Tensor(np.asarray(others, np.int64)) if np.any(others) else total


Join = Callable[[Tensor, Tensor, Tensor], Tensor]
"""Takes a line, places in it, and a value for each."""


def _joined_along(x: Tensor, dim: int, places: Tensor, values: Tensor, how: Join) -> Tensor:
    """Join values with elements of x that have places along one axis, as elements of a line."""
    if not x.ndim:
        x, places = with_shape(x, (1,)), with_shape(places, (1,))
        return with_shape(_joined_along(x, 0, places, with_shape(values, (1,)), how), ())
    shape, dim = shape_of(x), dim % x.ndim
    line = _full_places(shape, as_dtype(places, INT), dim)
    line = with_shape(line, (int(np.size(line.raw)),))
    cut = (
        values[tuple([slice(0, n) for n in shape_of(places)])]
        if (shape_of(values) != shape_of(places))
        else values
    )
    rows = with_shape(as_dtype(cut, dtype_of(x)), shape_of(line))
    return with_shape(how(with_shape(x, (prod(shape),)), line, rows), shape)


@rule("scatter")
def scatter(
    step: Step, x: Tensor, dim: int, places: Tensor, values: Any = None, *, value: Any = None,
    reduce: str | None = None,
) -> Tensor:  # fmt: skip
    """x with values put at places along an axis."""
    given = values if values is not None else value
    if not isinstance(given, Tensor):
        given = broadcast_to(as_operand(given, dtype_of(x)), shape_of(places))
    if reduce == "multiply":
        return scatter_reduce(step, x, dim, places, given, "prod")
    is_fixed, accumulate = step.fixed(places), reduce == "add"

    def how(line: Tensor, at: Tensor, rows: Tensor) -> Tensor:
        return _scattered(line, at, rows, accumulate, is_fixed)

    return _joined_along(x, dim, places, given, how)


@rule("scatter_add")
def scatter_add(step: Step, x: Tensor, dim: int, places: Tensor, values: Tensor) -> Tensor:
    """x with values added at places along an axis."""
    return scatter(step, x, dim, places, values, reduce="add")


@rule("scatter_reduce")
def scatter_reduce(
    step: Step, x: Tensor, dim: int, places: Tensor, values: Tensor, reduce: str,
    *, include_self: bool = True,
) -> Tensor:  # fmt: skip
    """x with values joined at places along an axis."""
    if reduce == "sum" and include_self:
        return scatter_add(step, x, dim, places, values)

    def how(line: Tensor, at: Tensor, rows: Tensor) -> Tensor:
        join = extremes if reduce in EXTREMES else joined
        return join(
            line, with_shape(at, (*shape_of(at), 1)), rows, reduce, include_self=include_self
        )

    return _joined_along(x, dim, places, values, how)


@rule("index_reduce")
def index_reduce(
    step: Step, x: Tensor, dim: int, places: Tensor, values: Tensor, reduce: str,
    *, include_self: bool = True,
) -> Tensor:  # fmt: skip
    """x with rows joined at places along an axis."""
    axis = dim % max(x.ndim, 1)
    count = int(np.size(places.raw))
    line = with_shape(places, tuple([count if k == axis else 1 for k in range(x.ndim)]))
    wide = broadcast_to(line, shape_of(values))
    return scatter_reduce(step, x, dim, wide, values, reduce, include_self=include_self)


@rule("index_add")
def index_add(
    step: Step, x: Tensor, dim: int, places: Tensor, values: Tensor, *, alpha: Any = 1
) -> Tensor:
    """x with rows added at places along an axis."""
    scaled = values if alpha == 1 else values * as_operand(alpha, dtype_of(values))
    return _rows(step, x, dim, places, scaled, accumulate=True)


@rule("index_copy")
def index_copy(step: Step, x: Tensor, dim: int, places: Tensor, values: Tensor) -> Tensor:
    """x with rows put at places along an axis."""
    return _rows(step, x, dim, places, values, accumulate=False)


@rule("index_fill")
def index_fill(step: Step, x: Tensor, dim: int, places: Tensor, value: Any) -> Tensor:
    """x with a number put at places along an axis."""
    dim = dim % max(x.ndim, 1)
    shape = (*shape_of(x)[:dim], int(np.size(places.raw)), *shape_of(x)[dim + 1 :])
    wide = _wide(as_operand(value, dtype_of(x)), shape)
    return _rows(step, x, dim, places, wide, accumulate=False)


def _rows(
    step: Step, x: Tensor, dim: int, places: Tensor, values: Tensor, *, accumulate: bool
) -> Tensor:
    if not x.ndim:
        line, one = with_shape(values, (int(np.size(places.raw)),)), with_shape(x, (1,))
        return with_shape(_rows(step, one, 0, places, line, accumulate=accumulate), ())
    dim = dim % x.ndim
    order = [dim, *[k for k in range(x.ndim) if k != dim]]
    line = inside(with_shape(places, (int(np.size(places.raw)),)), shape_of(x)[dim])
    rows = permuted(as_dtype(values, dtype_of(x)), order)
    made = _scattered(permuted(x, order), line, rows, accumulate, step.fixed(places))
    return permuted(made, sorted(range(x.ndim), key=lambda k: order[k]))


# --- masks ----------------------------------------------------------------------------------------


@rule("masked_fill")
def masked_fill(step: Step, x: Tensor, mask: Tensor, value: Any) -> Tensor:
    """A number where a mask holds."""
    return arithmetic.where(truth(mask), as_operand(value, dtype_of(x)), x)


@rule("masked_select")
def masked_select(step: Step, x: Tensor, mask: Tensor) -> Tensor:
    """The elements where a mask holds."""
    seen = decided(mask, "masked_select()")
    shape = np.broadcast_shapes(shape_of(x), seen.shape)
    return taken_at(_wide(x, shape), np.flatnonzero(np.broadcast_to(seen, shape)))


@rule("nonzero", "nonzero_static")
def nonzero(step: Step, x: Tensor, **_: Any) -> Tensor:
    """The places of what is not zero."""
    decided_truth(x)
    return Tensor(step.result())


@rule("masked_scatter")
def masked_scatter(step: Step, x: Tensor, mask: Tensor, source: Tensor) -> Tensor:
    """The elements of a source, in order, where a mask holds."""
    x = _wide(x, step.shape)
    at = np.flatnonzero(np.broadcast_to(decided(mask, "masked_scatter()"), shape_of(x)))
    return placed(x, at, taken_at(source, np.arange(at.size)))


# --- tables of rows -------------------------------------------------------------------------------


@rule("embedding")
def embedding(
    step: Step, weight: Tensor, places: Tensor, padding: int = -1,
    by_frequency: bool = False, *_: Any, **__: Any,
) -> Tensor:  # fmt: skip
    """Rows of a table, of which that of the padding has no derivative.

    Those that are asked for more than once may share it: by frequency.
    """
    rows = gather(weight, places)
    if by_frequency:
        rows = scaled_slope(rows, 1 / _times(places, dtype_of(rows)))
    if padding < 0:
        return rows
    return arithmetic.where(_kept(places, padding), rows, stop_gradient(rows))


@rule("embedding_renorm")
def embedding_renorm(
    step: Step, weight: Tensor, places: Tensor, largest: float, p: float
) -> Tensor:
    """A table of which those rows that are asked for have at most a norm."""
    size, own = reductions.vector_norm(step, weight, p, [1], True), dtype_of(weight)
    shrunk = weight * as_operand(largest, own) / (size + as_operand(1e-7, own))
    asked = np.isin(np.arange(shape_of(weight)[0]), decided(places, "max_norm"))[:, None]
    is_long = comparison.logical_and(
        comparison.greater(size, as_operand(largest, own)), Tensor(asked)
    )
    return arithmetic.where(is_long, shrunk, weight)


def _times(places: Tensor, dtype: Any) -> Tensor:
    """How often each place is among them, with an axis for the elements of rows."""
    line = with_shape(places, (int(np.size(places.raw)),))
    same = comparison.equal(with_shape(line, (shape_of(line)[0], 1)), line)
    times = reduction.reduce_sum(as_dtype(same, dtype), [1])
    return with_shape(times, (*shape_of(places), 1))


def scaled_slope(x: Tensor, share: Tensor) -> Tensor:
    """The same value with a share of the derivative."""
    fixed = stop_gradient(x)
    return fixed + share * (x - fixed)


def _kept(places: Tensor, padding: int) -> Tensor:
    """Say of each row whether it is not that of the padding."""
    kept = comparison.not_equal(places, as_operand(padding, dtype_of(places)))
    return with_shape(kept, (*shape_of(places), 1))


@rule("embedding_dense_backward")
def embedding_backward(
    step: Step, g: Tensor, places: Tensor, count: int, padding: int, by_frequency: bool
) -> Tensor:
    """What comes back to the rows of a table; that of the padding gets nothing."""
    width = shape_of(g)[-1]
    g = g / _times(places, dtype_of(g)) if by_frequency else g
    rows = with_shape(g, (int(np.size(places.raw)), width))
    if padding >= 0:
        kept = with_shape(_kept(places, padding), (shape_of(rows)[0], 1))
        rows = arithmetic.where(kept, rows, as_operand(0, dtype_of(g)))
    nothing = filled(step, 0)
    is_fixed = by_frequency or step.fixed(places)  # torch's own slope has not that share
    return _scattered(nothing, as_dtype(places, INT), rows, True, is_fixed)
