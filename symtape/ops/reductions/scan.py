"""Running sums and products: cumsum, cumprod, cumulative_logsumexp."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtape.ops.arguments import (
    FLOATS,
    ORDERED,
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
from symtape.ops.elementwise.conversion import stop_gradient
from symtape.ops.elementwise.functions import log
from symtape.ops.shapes.repetition import joined
from symtape.program import operations as ops
from symtape.program.functions import scalar as scalars
from symtape.program.kinds.structural import Cumextremum, Cumprod, Cumsum, Recurrence
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


def running_extremum(which: str, x: Any, axis: int = 0) -> Tensor:
    """The largest ("max") or smallest ("min") of the elements up to each one along an axis.

    Of equal ones the last has the gradient.

    >>> running_extremum("max", [1, 3, 2]).numpy()
    array([1, 3, 3], dtype=int32)
    """
    x = tensor(x)
    kernel = f"{which.capitalize()}imum"
    check(kernel, x, ORDERED, "x:T, y:T -> z:T")
    return apply1(Cumextremum(which, _place(kernel, axis, x.ndim), False), x)


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
    axis = _place("CumulativeLogsumexp", axis, rank)
    n = shape_of(x)[axis]
    y = _logsumexps(x, axis, reverse) if n > 1 else apply1(ops.identity, x)
    return _moved_on(y, axis, -np.inf, reverse) if exclusive and n else y


def _logsumexps(x: Tensor, axis: int, reverse: bool) -> Tensor:
    """Add up exponentials, each sum relative to the largest number so far."""
    m = stop_gradient(apply1(Cumextremum("max", axis, reverse), x))
    scaled = apply2(_scaled_exp, x, m)
    factors = apply2(_rescaling, _moved_on(m, axis, None, reverse), m)
    return apply2(_unshifted, log(apply2(Recurrence(axis, reverse), factors, scaled)), m)


def _moved_on(x: Tensor, axis: int, start: Any, reverse: bool) -> Tensor:
    """Move elements by one place along an axis, behind a number, or the first of them for None."""
    tail = (slice(None),) * (-axis - 1)
    ends = (slice(-1, None), slice(1, None)) if reverse else (slice(1), slice(-1))
    first, rest = [x[(..., end, *tail)] for end in ends]
    if start is not None:
        first = Tensor(np.full(shape_of(first), start, dtype_of(x)))
    return joined([rest, first] if reverse else [first, rest], axis + x.ndim)
