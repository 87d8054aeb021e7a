"""From the number of an element to its place."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from symtape.ops.arguments import PLACES, check, is_tensor, like, listed, of_kernel, tensor
from symtape.ops.elementwise.truncation import truncatediv, truncatemod
from symtape.ops.shapes.joining import stack
from symtape.tensor import dtypes
from symtape.tensor.decided import decided_by_look
from symtape.tensor.dispatch import invalid
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of

_OP = "UnravelIndex"
_SIGNATURE = "indices:Tidx, dims:Tidx -> output:Tidx"


def unravel_index(indices: Any, dims: Any, name: str | None = None) -> Tensor:
    """The places in an array of shape `dims` of elements that are numbered row by row.

    The result has a row for each axis. Raises `InvalidArgumentError` for a number that is beyond
    the last element, and for sizes of more elements than their dtype can count.

    >>> unravel_index([5, 3], [2, 4]).numpy().tolist()
    [[1, 0], [1, 3]]
    """
    if isinstance(dims, np.ndarray) and not is_tensor(indices):
        dims, indices = (of_kernel(v, dtypes.int32, PLACES) for v in (dims, indices))
    sizes = tensor(dims)
    numbers = like(indices, sizes) if isinstance(dims, Tensor) else tensor(indices)
    check(_OP, numbers, PLACES, _SIGNATURE, "Tidx")
    axes = _checked(numbers, sizes)
    rows = []
    for k, size in enumerate(axes):
        step = prod(axes[k + 1 :])
        whole = truncatediv(numbers, step)
        rows.append(whole if k == 0 else truncatemod(whole, size))
    return stack(rows)


def _checked(numbers: Tensor, sizes: Tensor) -> list[int]:
    """Give the sizes of an array, of which the numbers may be elements."""
    if numbers.ndim > 1:
        said = f"The indices can only be scalar or vector, got {_shape(numbers)}"
        raise invalid(_OP, said)
    if sizes.ndim != 1:
        raise invalid(_OP, f"The indices can only be 1-D, got {_shape(sizes)}")
    axes = [int(n) for n in decided_by_look(sizes)]
    if 0 in axes:
        said = "Input dims cannot contain a dim of zero, but dims contains zero at index"
        raise invalid(_OP, f"{said} {axes.index(0)}")
    if prod(axes) > np.iinfo(sizes.dtype.numpy).max:
        shown = " ".join([f"{n:>{len(str(max(axes)))}}" for n in axes])
        raise invalid(_OP, f"Input dims product is causing integer overflow: ({shown})")
    if (decided_by_look(numbers) >= prod(axes)).any():
        raise invalid(_OP, "index is out of bound as with dims")
    return axes


def _shape(x: Tensor) -> str:
    return f'"{listed(shape_of(x))}"'
