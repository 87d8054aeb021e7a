"""Jacobians entry by entry: the weights that pick out an entry, and the rows put together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from symtape.program.kinds.structural import Embed, Reshape
from symtape.program.operations import Einsum
from symtape.program.program import Builder
from symtape.tensor.convert import stack
from symtape.tensor.derivatives.fixed import filled, fixed
from symtape.tensor.dispatch import apply1
from symtape.tensor.tensor import Tensor


def units(like: Tensor, *, batch: bool) -> Iterator[Tensor]:
    """Give arrays of zeros with a one at each place; with `batch`, a one in each row."""
    shape, dtype = like.raw.shape, like.raw.dtype
    for index in np.ndindex(shape[batch:]):
        yield _unit(shape, shape[:batch], index, dtype)


def _unit(
    shape: tuple[int, ...], lead: tuple[int, ...], index: tuple[int, ...], dtype: Any
) -> Tensor:
    value = np.zeros(shape, dtype)
    at: Any = (..., *index)
    value[at] = 1
    b = Builder()
    one = b.broadcast(b.constant(1, value.dtype), lead + (1,) * len(index))
    ranges = tuple([(i, 1, 1) for i in index])
    made = b.append(Embed(ranges, shape[len(lead) :]), one) if index else one
    return fixed(b.finish(), made, value[()])


def stacked(
    column: Sequence[Tensor | None], shape: tuple[int, ...], *, batch: bool
) -> Tensor | None:
    """Put the gradients of all entries together, in the order of axes of a Jacobian."""
    like = next((g for g in column if g is not None), None)
    if like is None:
        return None
    own, dtype = like.raw.shape, like.raw.dtype
    found = stack([filled(0, own, dtype) if g is None else g for g in column])
    wide = shape[batch:] + own
    if found.raw.shape != wide:
        found = apply1(Reshape(found.raw.shape, wide), found)
    if batch and len(shape) > 1:
        axes, k = range(len(wide)), len(shape) - 1
        found = apply1(Einsum.of([axes], [k, *axes[:k], *axes[k + 1 :]]), found)
    return found
