"""The different elements of a vector, and where each is: unique, unique_with_counts."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from symtape.ops.arguments import of_places, tensor
from symtape.program.kinds.structural import Gather
from symtape.tensor import dtypes
from symtape.tensor.decided import decided_order
from symtape.tensor.dispatch import apply, invalid, no_kernel
from symtape.tensor.indexing.slices import Places
from symtape.tensor.recording.looking import forgotten
from symtape.tensor.tensor import Tensor
from symtape.tensor.unknown_sizes import unsized
from symtape.tensor.values import dtype_of, look_at


class Unique(NamedTuple):
    """What `unique` gives."""

    y: Tensor
    idx: Tensor


def unique(x: Any, out_idx: Any = dtypes.int32, name: str | None = None) -> Unique:
    """The different elements of a vector as they first come, and which of them each one is.

    >>> unique([3, 1, 3]).y.numpy()
    array([3, 1], dtype=int32)
    """
    y, idx, _ = _distinct("Unique", tensor(x), out_idx)
    return Unique(y, idx)


class UniqueWithCounts(NamedTuple):
    """What `unique_with_counts` gives."""

    y: Tensor
    idx: Tensor
    count: Tensor  # type: ignore[assignment]  # TensorFlow's name, which tuples have for another


def unique_with_counts(
    x: Any, out_idx: Any = dtypes.int32, name: str | None = None
) -> UniqueWithCounts:
    """What `unique` gives, and how often each of the elements is there.

    >>> unique_with_counts([3, 1, 3]).count.numpy()
    array([2, 1], dtype=int32)
    """
    return UniqueWithCounts(*_distinct("UniqueWithCounts", tensor(x), out_idx))


def _distinct(op: str, x: Tensor, out_idx: Any) -> tuple[Tensor, Tensor, Tensor]:
    """Take the elements where they first come; a gradient goes there."""
    if x.ndim != 1:
        raise invalid(op, "unique expects a 1D vector.")
    wanted = of_places(op, out_idx, dtypes.int32, "out_idx")
    if dtype_of(x).kind == "c":
        raise no_kernel(op, x)
    _, first, inverse, counts = np.unique(
        look_at(x), return_index=True, return_inverse=True, return_counts=True, equal_nan=False
    )
    order = np.argsort(first, kind="stable")
    rank = np.argsort(order, kind="stable")
    decided_order(x, first[order], rank[inverse])
    y = apply(Gather(0, 0, 0), x, Places(first[order]))
    index, count = rank[inverse].astype(wanted.numpy), counts[order].astype(wanted.numpy)
    return unsized(y, 0), forgotten(Tensor(index)), unsized(Tensor(count), 0)
