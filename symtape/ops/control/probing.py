"""A function is called once, so that it is known of which types its results are; nothing stays."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from symtape.ops.random.seeds import SEEDS
from symtape.ops.random.traced.scopes import Scope, traced
from symtape.ops.spec import TensorSpec
from symtape.tensor import dtypes
from symtape.tensor.recording.active import recorded_by
from symtape.tensor.recording.looking import forgotten
from symtape.tensor.tensor import Tensor
from symtape.tensor.variables.versions import unassigned


@contextmanager
def leaving_nothing() -> Iterator[None]:
    """Have what is done in the block be done for nobody.

    No tape records, variables have their values again afterwards, and random numbers are drawn in a
    scope of its own. What is printed, and what Python keeps, stays.
    """
    own = Scope(SEEDS.seed)
    with recorded_by([]), traced(lambda: own), unassigned():
        yield


def example(spec: TensorSpec, number: int) -> Tensor:
    """Make a tensor of a spec, whose unknown sizes are a number, and whose value nobody knows.

    >>> example(TensorSpec([None, 2], "int32"), 3).shape
    TensorShape([3, 2])
    """
    sizes = [number if n is None else n for n in spec.shape]
    loose = [axis for axis, n in enumerate(spec.shape) if n is None]
    made: Tensor = forgotten(blank(sizes, spec.dtype), loose)
    return made


def blank(shape: Any, kind: dtypes.DType) -> Tensor:
    """Make a tensor of zeros, or of empty texts.

    >>> blank([2], dtypes.int32).numpy()
    array([0, 0], dtype=int32)
    """
    if kind is dtypes.string:
        return Tensor(np.full(shape, b"", np.dtype(object)))
    return Tensor(np.zeros(shape, kind.numpy)[()])
