"""Images turned round: flips, quarter turns, rows for columns."""

from __future__ import annotations

from typing import Any

from symtape.ops.arguments import tensor
from symtape.ops.image.arguments import check_image, check_rank
from symtape.ops.shapes.repetition import flipped
from symtape.ops.shapes.shaping import permuted
from symtape.program import operations as ops
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.decided import decided
from symtape.tensor.dispatch import apply1
from symtape.tensor.recording.looking import is_unknown
from symtape.tensor.tensor import Tensor
from symtape.tensor.unknown_sizes import unsized


def flip_left_right(image: Any) -> Tensor:
    """Turn the columns of images [height, width, channels] or a batch of them round.

    Raises `ValueError` for other ranks and for images without elements.

    >>> flip_left_right([[[1], [2]]]).numpy()[0, :, 0]
    array([2, 1], dtype=int32)
    """
    return flip(image, -2)


def flip_up_down(image: Any) -> Tensor:
    """Turn the rows of images [height, width, channels] or a batch of them round.

    Raises `ValueError` for other ranks and for images without elements.

    >>> flip_up_down([[[1]], [[2]]]).numpy()[:, 0, 0]
    array([2, 1], dtype=int32)
    """
    return flip(image, -3)


def flip(image: Any, axis: int) -> Tensor:
    """Turn an axis of an image round, counted from the end."""
    x = tensor(image)
    check_image(x)
    if x.ndim > 4:
        raise ValueError(f"'image' (shape {x.shape})must have either 3 or 4 dimensions.")
    return flipped(x, [x.ndim + axis])


def rot90(image: Any, k: Any = 1, name: str | None = None) -> Tensor:
    """Turn images [height, width, channels] or a batch of them by `k` quarters, to the left.

    Raises `ValueError` for other ranks, for images without elements, and for a `k` with axes.

    >>> rot90([[[1], [2]]]).numpy()[:, :, 0]
    array([[2],
           [1]], dtype=int32)
    """
    x = tensor(image)
    check_image(x)
    turns = convert(k, dtypes.int32)
    turns.shape.assert_has_rank(0)
    check_rank(x)
    height, width = x.ndim - 3, x.ndim - 2
    if is_unknown(turns):
        return unsized(x, height, width)
    quarters = int(decided(turns)) % 4
    if quarters == 1:
        return _exchanged(flipped(x, [width]))
    if quarters == 2:
        return flipped(x, [height, width])
    return flipped(_exchanged(x), [width]) if quarters == 3 else apply1(ops.identity, x)


def transpose(image: Any, name: str | None = None) -> Tensor:
    """Exchange the rows and columns of images [height, width, channels] or a batch of them.

    Raises `ValueError` for other ranks and for images without elements.

    >>> transpose([[[1], [2]]]).numpy()[:, :, 0]
    array([[1],
           [2]], dtype=int32)
    """
    x = tensor(image)
    check_image(x)
    check_rank(x)
    return _exchanged(x)


def _exchanged(x: Tensor) -> Tensor:
    lead = x.ndim - 3
    return permuted(x, [*range(lead), lead + 1, lead, lead + 2])
