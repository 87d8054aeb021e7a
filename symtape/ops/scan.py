"""Running sums and products: cumsum, cumprod."""

from __future__ import annotations

from typing import Any

from symtape.ops.arguments import (
    SUMMABLE,
    check,
    scalar,
    tensor,
)
from symtape.program.operations import Operation
from symtape.program.structural import Cumprod, Cumsum
from symtape.tensor.door import apply1, invalid
from symtape.tensor.tensor import Tensor


def cumsum(
    x: Any, axis: Any = 0, exclusive: bool = False, reverse: bool = False, name: str | None = None
) -> Tensor:
    """The sums of the elements up to each one along an axis.

    `exclusive` leaves the element itself out, `reverse` begins at the end.

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
    rank = x.value.ndim
    place = scalar(axis)
    if not -rank <= place < rank:
        raise invalid(
            kernel, f"ScanOp: Expected scan axis in the range [{-rank}, {rank}), but got {place}"
        )
    place = place if place < 0 else place - rank
    operation: Operation = kind(place, bool(exclusive), bool(reverse))
    return apply1(operation, x)
