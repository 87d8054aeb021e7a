"""Running sums and products: cumsum, cumprod, cumulative_logsumexp."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from symtape.ops.arguments import (
    FLOATS,
    PLACES,
    SUMMABLE,
    check,
    flag,
    is_tensor,
    listed,
    plain,
    scalar,
    tensor,
)
from symtape.ops.attributes import attributes, boolean
from symtape.ops.elementwise.arithmetic import maximum
from symtape.ops.elementwise.conversion import stop_gradient
from symtape.ops.elementwise.functions import log
from symtape.ops.shapes.repetition import flipped, joined, part_of
from symtape.program import operations as ops
from symtape.program import scalar as scalars
from symtape.program.kinds.structural import Cumprod, Cumsum, Recurrence
from symtape.program.operations import Operation, elementwise
from symtape.tensor.convert import convert
from symtape.tensor.dispatch import apply1, apply2, invalid
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import dtype_of, shape_of


def cumsum(
    x: Any, axis: Any = 0, exclusive: bool = False, reverse: bool = False, name: str | None = None
) -> Tensor:
    """The sums of the elements up to each one along an axis.

    `exclusive` leaves the element itself out, `reverse` begins at the end; a number stands for
    neither, and raises `TypeError`.

    >>> cumsum([1, 2, 3]).numpy()
    array([1, 3, 6], dtype=int32)
    """
    return _scan(Cumsum, "Cumsum", x, axis, exclusive, reverse)


def cumprod(
    x: Any, axis: Any = 0, exclusive: bool = False, reverse: bool = False, name: str | None = None
) -> Tensor:
    """The products of the elements up to each one along an axis; see `cumsum`.

    The gradient is right through zeros, too.

    >>> cumprod([1, 2, 3]).numpy()
    array([1, 2, 6], dtype=int32)
    """
    return _scan(Cumprod, "Cumprod", x, axis, exclusive, reverse)


def _scan(kind: Any, kernel: str, x: Any, axis: Any, exclusive: bool, reverse: bool) -> Tensor:
    x = tensor(x)
    check(kernel, x, SUMMABLE, "x:T, axis:Tidx -> out:T")
    flags = flag("exclusive", exclusive), flag("reverse", reverse)
    operation: Operation = kind(_place(kernel, axis, x.ndim), *flags)
    return apply1(operation, x)


def _place(kernel: str, axis: Any, rank: int) -> int:
    """Read an axis, and count it from the last one."""
    if is_tensor(axis):
        check(kernel, convert(axis), PLACES, "x:T, axis:Tidx -> out:T", "Tidx")
    if np.ndim(plain(axis)):
        shown = listed(np.shape(plain(axis)))
        raise invalid(kernel, f"ScanOp: axis must be a scalar, not {shown}")
    place = scalar(axis)
    if not -rank <= place < rank:
        shown = str(place if place >= 0 else place + rank)
        raise invalid(
            kernel, f"ScanOp: Expected scan axis in the range [{-rank}, {rank}), but got {shown}"
        )
    return place if place < 0 else place - rank


_scaled_exp = elementwise("scaled_exp", scalars.scaled_exp, 2)
_rescaling = elementwise("rescaling", scalars.rescaling, 2)
_unshifted = elementwise("unshifted", scalars.unshifted, 2)


def running(function: Callable[[Tensor, Tensor], Tensor], x: Tensor, axis: int) -> Tensor:
    """Join each element along an axis with all before it, where joining one twice is joining it.

    So are maxima: they are taken of 1, 2, 4, … neighbours (Hillis and Steele 1986).
    """
    n, by = shape_of(x)[axis], 1
    while by < n:
        later, earlier = part_of(x, axis, by, n - by), part_of(x, axis, 0, n - by)
        x = joined([part_of(x, axis, 0, by), function(later, earlier)], axis)
        by *= 2
    return x


@attributes(exclusive=boolean(False), reverse=boolean(False))
def cumulative_logsumexp(
    x: Any, axis: Any = 0, exclusive: bool = False, reverse: bool = False, name: str | None = None
) -> Tensor:
    """The logarithms of the sums of exp(x) up to each element along an axis; see `cumsum`.

    Nothing overflows: sums are kept relative to the largest number so far. `exclusive` begins with
    -inf, the logarithm of no sum.

    >>> cumulative_logsumexp([1000.0, 1000.0]).numpy()
    array([1000.    , 1000.6932], dtype=float32)
    """
    x = tensor(x)
    check("CumulativeLogsumexp", x, FLOATS, "x:T, axis:Tidx -> out:T")
    rank = x.ndim
    axis = _place("CumulativeLogsumexp", axis, rank) + rank
    n = shape_of(x)[axis]
    y = flipped(x, [axis]) if reverse else apply1(ops.identity, x)
    if n > 1:
        m = stop_gradient(running(maximum, y, axis))
        before = joined([part_of(m, axis, 0, 1), part_of(m, axis, 0, n - 1)], axis)
        relative = apply2(
            Recurrence(axis - rank, False),
            apply2(_rescaling, before, m),
            apply2(_scaled_exp, y, m),
        )
        y = apply2(_unshifted, log(relative), m)
    if exclusive and n:
        start = np.full(shape_of(part_of(y, axis, 0, 1)), -np.inf, dtype_of(y))
        y = joined([Tensor(start), part_of(y, axis, 0, n - 1)], axis)
    return flipped(y, [axis]) if reverse else y
