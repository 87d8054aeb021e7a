"""`FuncGraph` and placeholders: how Keras asks for the shape of a function's result."""

from __future__ import annotations

from contextlib import AbstractContextManager
from math import prod
from typing import Any, NoReturn

import numpy as np

from symtape.errors import UnsupportedError
from symtape.ops.control.probing import blank
from symtape.stand_in.symbolic import tapes
from symtape.stand_in.symbolic.tensors import STATE, Symbolic, building
from symtape.tensor import dtypes
from symtape.tensor.dtypes import DType
from symtape.tensor.shape import TensorShape
from symtape.tensor.tensor import Tensor

tapes.install()

_SIZES = ((4, 64), (12, 192))
"""For each example, the size of an unknown first axis, and of another unknown axis.

Batches are small, since every function computes with them; other axes are long enough to be
divided by the strides of a network, and then still differ.
"""


class FuncGraph:
    """A graph that is built to learn what shapes its tensors have."""

    def __init__(self, name: str, **kwargs: Any) -> None:
        self.name = name

    def as_default(self) -> AbstractContextManager[None]:
        """Build this graph: tensors in it may have no value."""
        return building()


def placeholder(dtype: Any, shape: Any = None, name: str | None = None) -> Symbolic:
    """Make a tensor of a graph that has no value; None in its shape is a size that is not known.

    Raises `RuntimeError` outside of a graph, and `UnsupportedError` for an unknown rank.
    """
    if not STATE.graphs:
        raise RuntimeError("tf.placeholder() is not compatible with eager execution.")
    sizes = TensorShape(shape)
    if sizes.rank is None:
        raise UnsupportedError("placeholder: a tensor of unknown rank; give its number of axes")
    kind = dtypes.as_dtype(dtype)
    first, second = (
        [n if n is not None else unknown[k > 0] for k, n in enumerate(sizes)] for unknown in _SIZES
    )
    unknown = [axis for axis, n in enumerate(sizes) if n is None]
    halves = blank(first, kind), _varied(second, kind)
    for half in halves:
        if STATE.run is not None:
            STATE.run.forget(half, unknown)
    return Symbolic(*halves)


def _varied(shape: list[int], kind: DType) -> Tensor:
    """Make the second example: what counts its numbers counts others than in the first, of zeros.

    They are fractions below 1, so that whole numbers that are made of them, as places, are 0.
    """
    if not shape or not (kind.is_floating or kind.is_bool):
        return blank(shape, kind)
    count = prod(shape)
    numbers = np.arange(1, count + 1) / (count + 1)
    return Tensor(numbers.reshape(shape).astype(kind.numpy)[()])


def sparse_placeholder(*args: Any, **kwargs: Any) -> NoReturn:
    """Refuse: what has no value has no places of elements."""
    raise UnsupportedError(
        "tf.compat.v1.sparse_placeholder: a sparse tensor without a value is not there; give the "
        "shape of the function's result, or a dense tensor"
    )


def reset_default_graph() -> None:
    """Forget the graph: none is kept."""
