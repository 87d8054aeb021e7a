"""What `x[...]` and loops over `x` take of a tensor."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache, partial
from typing import Any

import numpy as np

from symtape.program import operations as ops
from symtape.program.kinds.structural import Gather, Reshape, Slice
from symtape.program.operations import Operation
from symtape.tensor.convert import convert
from symtape.tensor.decided import decided
from symtape.tensor.dispatch import (
    apply,
    apply1,
)
from symtape.tensor.indexing import keys
from symtape.tensor.indexing.rows import Rows
from symtape.tensor.indexing.slices import Places
from symtape.tensor.indexing.unknown_places import looked_at
from symtape.tensor.recording.looking import looking
from symtape.tensor.tensor import Tensor
from symtape.tensor.unknown_sizes import unsized


def boolean_mask(x: Tensor, chosen: Any) -> Tensor:
    """Choose the elements where an array over the first axes is true."""
    shape = x.raw.shape
    if chosen.shape != shape[: chosen.ndim]:
        raise ValueError(f"Shapes {shape[: chosen.ndim]} and {chosen.shape} are incompatible")
    flat = (chosen.size, *shape[chosen.ndim :])
    line = apply1(Reshape(shape, flat), x) if chosen.ndim > 1 else x
    places = Places(np.flatnonzero(chosen))
    return unsized(apply(Gather(len(flat) - 1, 0, 0), line, places), 0)


@lru_cache(maxsize=1024)
def _row(key: int, shape: tuple[int, ...]) -> list[Operation]:
    """Read the commonest key."""
    return keys.operations(key, shape)


def getitem(self: Tensor, key: Any) -> Tensor:
    """Index as TensorFlow does: integers, slices, `None`, `...`, and boolean masks."""
    mask = key if hasattr(key, "dtype") and np.ndim(key) else None
    if mask is not None and np.dtype(mask.dtype.name).kind == "b":
        return boolean_mask(self, decided(convert(mask)))
    if isinstance(key, list):
        key = tuple(key)
    if (run := looking()) is not None:
        self, key = looked_at(run, self, key)
    result = self
    steps = _row if key.__class__ is int else keys.operations
    for operation in steps(key, self.raw.shape):
        result = apply1(operation, result)
    return result if result is not self else apply1(ops.identity, self)


def iterate(self: Tensor) -> Iterator[Tensor]:
    """Give one tensor for each element of the first axis, when it is asked for.

    A tape that is entered between two elements records those that come after it.
    """
    if not self.raw.ndim:
        raise TypeError("Cannot iterate over a scalar tensor.")
    return Rows(partial(_element, self), len(self.raw))


def _element(x: Tensor, k: int) -> Tensor:
    """Give an element; how many there are was Python's to know, so its place is no number."""
    for operation in _row(k, x.raw.shape):
        x = apply1(operation.plain if type(operation) is Slice else operation, x)
    return x
