"""Isotonic regression: the nearest sequence that never rises, pooled from what does."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from symtape.errors import InvalidArgumentError
from symtape.ops.arguments import REALS, check, plain, tensor
from symtape.ops.elementwise.conversion import cast
from symtape.ops.elementwise.functions import negative
from symtape.ops.indexing.gathering import gather
from symtape.ops.reductions.segments import unsorted_segment_mean
from symtape.ops.shapes.shaping import permuted, with_shape
from symtape.tensor import dtypes
from symtape.tensor.decided import decided_by_look
from symtape.tensor.dispatch import not_taken
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import dtype_of, shape_of

_OP = "IsotonicRegression"
_KEPT = {"float32", "float16", "bfloat16"}


class IsotonicRegression(NamedTuple):
    """What `isotonic_regression` gives."""

    output: Tensor
    segments: Tensor


def isotonic_regression(
    inputs: Any, decreasing: bool = True, axis: Any = -1
) -> tuple[Tensor, Tensor]:
    """Give the sequence y₁ ≥ y₂ ≥ … whose sum of squared distances to the inputs is the least.

    Without `decreasing` it never falls. It is taken along `axis`, for each place along the others.
    The first result has the dtype of the inputs, float32 for integers of one and two bytes, and
    float64 for others; the second, int32, numbers the pieces on which the sequence is constant, and
    is the mean. Inputs that are equal, in order, are pieces of their own. A tape differentiates the
    means: each piece spreads what comes back over its places. Raises `InvalidArgumentError` for
    dtypes and an axis that do not fit, and `NotFoundError` for integers without a sign.

    >>> output, segments = isotonic_regression([3.0, 1.0, 2.0, 0.0])
    >>> output.numpy(), segments.numpy()
    (array([3. , 1.5, 1.5, 0. ], dtype=float32), array([0, 1, 1, 2], dtype=int32))
    """
    x = tensor(inputs)
    rank, place = x.ndim, int(plain(axis))
    if place in {-1, rank - 1}:
        return _regressed(x, decreasing)
    if not -rank <= place < rank:
        raise InvalidArgumentError(
            message=f"`dim` must be in the range [{-rank}, {rank}) where {rank} is the number of "
            f"dimensions in the input. Received: dim={place}"
        )
    order = list(range(rank))
    order[place], order[-1] = order[-1], order[place]
    output, segments = _regressed(permuted(x, order), decreasing)
    return permuted(output, order), permuted(segments, order)


def _regressed(x: Tensor, decreasing: bool) -> tuple[Tensor, Tensor]:
    if not decreasing:
        output, segments = _regressed(negative(x), decreasing=True)
        return negative(output), segments
    check(_OP, x, REALS, "input:T -> output:output_dtype, segments:int32")
    if dtype_of(x).kind == "u":
        raise not_taken(_OP, x)
    if x.dtype.name not in _KEPT:
        small = x.dtype.is_integer and x.dtype.size < 4
        x = cast(x, dtypes.float32 if small else dtypes.float64)
    shape = shape_of(x)
    if 0 in shape:
        return IsotonicRegression(x, Tensor(np.zeros(shape, np.int32)))
    length = shape[-1] if shape else 1
    rows = np.asarray(decided_by_look(x)).reshape(-1, length)
    pieces = np.array([_pooled(row) for row in rows.astype(np.float64)], np.int32)
    segments = Tensor(pieces.reshape(shape))
    apart = (pieces + length * np.arange(len(rows))[:, None]).ravel()
    means = unsorted_segment_mean(with_shape(x, (apart.size,)), apart, apart.size)
    return IsotonicRegression(with_shape(gather(means, apart), shape), segments)


def _pooled(row: Any) -> list[int]:
    """Number the pieces of a sequence: neighbours that rise are pooled until none does."""
    totals: list[float] = []
    counts: list[int] = []
    for value in row:
        totals.append(value)
        counts.append(1)
        while len(totals) > 1 and totals[-2] / counts[-2] < totals[-1] / counts[-1]:
            total, count = totals.pop(), counts.pop()
            totals[-1] += total
            counts[-1] += count
    return [k for k, count in enumerate(counts) for _ in range(count)]
