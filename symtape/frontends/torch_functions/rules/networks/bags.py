"""ATen operations that join rows: those that bags list, and segments that follow one another."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from symtape.frontends.torch_functions.memory.views import as_dtype, taken_at
from symtape.frontends.torch_functions.rules.coinciding import JOINS, put, turns
from symtape.frontends.torch_functions.rules.creation import filled
from symtape.frontends.torch_functions.rules.indexing import scaled_slope
from symtape.frontends.torch_functions.rules.promotion import as_operand
from symtape.frontends.torch_functions.rules.rules import Step, rule
from symtape.ops.elementwise import arithmetic
from symtape.ops.elementwise.comparison import equal
from symtape.ops.indexing import scattering
from symtape.ops.indexing.gathering import gather
from symtape.ops.reductions.reduction import (
    reduce_max,
    reduce_mean,
    reduce_min,
    reduce_prod,
    reduce_sum,
)
from symtape.ops.shapes.repetition import broadcast_to, part_of
from symtape.ops.shapes.repetition import joined as in_a_row
from symtape.ops.shapes.shaping import with_shape
from symtape.tensor.decided import decided
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import dtype_of, shape_of

_SUM, _MEAN, _MAX = range(3)
"""What torch calls modes of bags."""


@rule("_embedding_bag")
def embedding_bag(
    step: Step, weight: Tensor, places: Tensor, offsets: Tensor, by_frequency: bool = False,
    mode: int = _SUM, sparse: bool = False, shares: Tensor | None = None,
    include_last: bool = False, padding: int = -1,
) -> list[Tensor]:  # fmt: skip
    """Sums, means or largest elements of bags of rows; rows of the padding do not count."""
    at, bags = _listed(places, offsets)
    kept = np.flatnonzero(at != padding)
    further = [Tensor(step.result(k)) for k in (1, 2, 3)]
    if mode == _MAX:
        largest, where_from = _largest(step, weight, at[kept], bags[kept])
        return [largest, *further[:2], where_from]
    rows = gather(weight, Tensor(at[kept]))
    if by_frequency:
        rows = scaled_slope(rows, _column(1 / np.bincount(at)[at[kept]], rows))
    if shares is not None:
        rows = rows * with_shape(taken_at(shares, kept), (kept.size, 1))
    total = scattering.tensor_scatter_nd_add(filled(step, 0), Tensor(bags[kept][:, None]), rows)
    if mode == _MEAN:
        counts = np.bincount(bags[kept], minlength=step.shape[0])
        total = arithmetic.divide(total, _column(np.maximum(counts, 1), total))
    return [total, *further]


def _largest(step: Step, weight: Tensor, at: Any, bags: Any) -> tuple[Tensor, Tensor]:
    """The largest elements of bags, and the row in which the first of them stands."""
    largest, where_from = filled(step, 0), Tensor(np.zeros(step.shape, np.int64))
    for turn, own in enumerate(turns(bags)):
        taken, bag = at[own], bags[own]
        new = gather(weight, Tensor(taken))
        rows = Tensor(np.broadcast_to(taken[:, None], shape_of(new)))
        if turn:
            old = gather(largest, Tensor(bag))
            is_larger = new > old
            new = arithmetic.where(is_larger, new, old)
            rows = arithmetic.where(is_larger, rows, gather(where_from, Tensor(bag)))
        largest = put(largest, bag, new)
        where_from = put(where_from, bag, rows)
    return largest, where_from


def _column(numbers: Any, like: Tensor) -> Tensor:
    return as_dtype(Tensor(np.asarray(numbers)[:, None]), dtype_of(like))


@rule("_embedding_bag_backward")
def embedding_bag_backward(
    step: Step, g: Tensor, places: Tensor, offsets: Tensor, bags: Tensor, sizes: Tensor,
    largest: Tensor, count: int, by_frequency: bool, mode: int, sparse: bool,
    shares: Tensor | None = None, padding: int = -1,
) -> Tensor:  # fmt: skip
    """What comes back to the rows of a table from bags of them."""
    if by_frequency:
        raise NotImplementedError("bags with scale_grad_by_freq=True")
    rows, bag = _listed(places, offsets)
    kept = np.flatnonzero(rows != padding)
    if mode == _MAX:
        at = decided(largest, "embedding_bag()")
        is_full = np.bincount(bag[kept], minlength=shape_of(g)[0]) > 0
        bag, column = np.nonzero(np.broadcast_to(is_full[:, None], at.shape))
        put = Tensor(np.stack([at[bag, column], column], axis=-1))
        own = taken_at(g, bag * shape_of(g)[1] + column)
        return scattering.tensor_scatter_nd_add(filled(step, 0), put, own)
    up = gather(g, Tensor(bag[kept]))
    if shares is not None:
        up = up * with_shape(taken_at(shares, kept), (kept.size, 1))
    if mode == _MEAN:
        up = arithmetic.divide(up, _column(np.bincount(bag[kept])[bag[kept]], up))
    return scattering.tensor_scatter_nd_add(filled(step, 0), Tensor(rows[kept][:, None]), up)


@rule("_embedding_bag_per_sample_weights_backward")
def embedding_bag_shares_backward(
    step: Step, g: Tensor, weight: Tensor, places: Tensor, offsets: Tensor, bags: Tensor,
    mode: int, padding: int = -1,
) -> Tensor:  # fmt: skip
    """What comes back to the factors of rows: products with the rows themselves."""
    at, bag = _listed(places, offsets)
    found = reduce_sum(gather(g, Tensor(bag)) * gather(weight, Tensor(at)), -1)
    return arithmetic.where(Tensor(at != padding), found, as_operand(0, dtype_of(g)))


def _listed(places: Tensor, offsets: Tensor) -> tuple[Any, Any]:
    """List the rows that are taken, and the bag of each."""
    at, begins = (np.ravel(decided(x, "embedding_bag()")) for x in (places, offsets))
    return at, np.searchsorted(begins, np.arange(at.size), side="right") - 1


_REDUCTIONS = {
    "sum": (reduce_sum, 0),
    "mean": (reduce_mean, np.nan),
    "prod": (reduce_prod, 1),
    "max": (reduce_max, -np.inf),
    "min": (reduce_min, np.inf),
}
"""What segments become, and what one has that has no rows and no number to begin with."""


@rule("segment_reduce")
def segment_reduce(
    step: Step, x: Tensor, reduce: str, *, lengths: Tensor | None = None,
    indices: Tensor | None = None, offsets: Tensor | None = None, axis: int = 0,
    unsafe: bool = False, initial: float | None = None,
) -> Tensor:  # fmt: skip
    """Rows that follow one another, joined: their sum, mean, product, largest or smallest."""
    ends = _ends(lengths, offsets, axis)
    join, empty = _REDUCTIONS[reduce]
    shape = (1, *shape_of(x)[1:])
    start = broadcast_to(as_operand(empty if initial is None else initial, dtype_of(x)), shape)
    parts = [
        join(part_of(x, 0, int(a), int(b - a)), axis=0, keepdims=True) if b > a else start
        for a, b in pairwise(ends)
    ]
    if initial is not None:
        parts = [
            _begun(reduce, start, part, int(b - a))
            for part, (a, b) in zip(parts, pairwise(ends), strict=True)
        ]
    return in_a_row(parts, 0)


def _begun(reduce: str, start: Tensor, part: Tensor, count: int) -> Tensor:
    """What a segment becomes that begins with a number."""
    if not count:
        return start
    if reduce == "mean":
        return part + start / float(count)
    return JOINS[reduce](part, start)


def _ends(lengths: Tensor | None, offsets: Tensor | None, axis: int) -> Any:
    """Say where segments begin and end."""
    given = offsets if lengths is None else lengths
    if axis != 0 or given is None or given.ndim != 1:
        raise NotImplementedError("segment_reduce() of other axes")
    numbers = decided(given, "segment_reduce()")
    return numbers if lengths is None else np.cumsum([0, *numbers])


@rule("_segment_reduce_backward")
def segment_reduce_backward(
    step: Step, g: Tensor, joined_rows: Tensor, x: Tensor, reduce: str, *,
    lengths: Tensor | None = None, offsets: Tensor | None = None, axis: int = 0,
    initial: float | None = None,
) -> Tensor:  # fmt: skip
    """What comes back to rows from what they were joined to; equal ones share."""
    counts = np.diff(_ends(lengths, offsets, axis))
    segment = np.repeat(np.arange(counts.size), counts)
    back, whole = gather(g, Tensor(segment)), gather(joined_rows, Tensor(segment))
    if reduce == "sum":
        return back
    if reduce == "mean":
        own = counts[segment].reshape(-1, *(1,) * (x.ndim - 1))
        return arithmetic.divide(back, as_dtype(Tensor(own), dtype_of(x)))
    if reduce == "prod":
        if not np.all(x.raw):
            raise NotImplementedError("the backward of a product of a segment that has a zero")
        return arithmetic.divide(back * whole, x)
    chosen = as_dtype(equal(x, whole), dtype_of(x))
    total = scattering.tensor_scatter_nd_add(
        as_dtype(Tensor(np.zeros(shape_of(g))), dtype_of(x)), Tensor(segment[:, None]), chosen
    )
    one = as_operand(1, dtype_of(x))
    total = arithmetic.where(equal(total, 0), one, total)  # where the number to begin with is it
    return arithmetic.divide(back * chosen, gather(total, Tensor(segment)))
