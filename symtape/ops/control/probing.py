"""A function is called once, so that it is known of which types its results are; nothing stays."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from symtape.errors import UnsupportedError
from symtape.ops.random.scopes import Scope, traced
from symtape.ops.random.seeds import SEEDS
from symtape.ops.spec import TensorSpec
from symtape.tensor import dtypes
from symtape.tensor.recording.recorder import recorded_by
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


def example(spec: Any) -> Any:
    """Make a tensor of zeros, or of empty texts, of a spec.

    Raises `UnsupportedError` for a spec that is none of a tensor, or has a size that is not known.

    >>> example(TensorSpec([2], "int32")).numpy()
    array([0, 0], dtype=int32)
    """
    if not isinstance(spec, TensorSpec) or not spec.shape.is_fully_defined():
        raise UnsupportedError(f"an example of {spec}: call the function with one first")
    return blank(spec.shape.as_list(), spec.dtype)


def blank(shape: Any, kind: dtypes.DType) -> Tensor:
    """Make a tensor of zeros, or of empty texts.

    >>> blank([2], dtypes.int32).numpy()
    array([0, 0], dtype=int32)
    """
    if kind is dtypes.string:
        return Tensor(np.full(shape, b"", np.dtype(object))[()])
    return Tensor(np.zeros(shape, kind.numpy)[()])
