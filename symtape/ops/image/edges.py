"""How images change from place to place: differences, Sobel's edges, the total variation."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtape.ops.elementwise.arithmetic import add, subtract
from symtape.ops.elementwise.functions import abs
from symtape.ops.nn.windows.depthwise import depthwise_conv2d
from symtape.ops.reductions.reduction import reduce_sum
from symtape.ops.shapes.joining import pad
from symtape.ops.shapes.repetition import part_of
from symtape.ops.shapes.shaping import with_shape
from symtape.tensor.convert import convert
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import dtype_of, shape_of


def total_variation(images: Any, name: str | None = None) -> Tensor:
    """The sum of |differences| of neighbours of an image, or of each image of a batch.

    Raises `ValueError` for other ranks than three and four.

    >>> total_variation(convert([[[1.0], [3.0]]])).numpy()
    np.float32(2.0)
    """
    x = convert(images)
    if x.ndim not in {3, 4}:
        raise ValueError("'images' must be either 3 or 4-dimensional.")
    axes = None if x.ndim == 3 else [1, 2, 3]
    down, right = (reduce_sum(abs(_steps(x, x.ndim - k)), axes) for k in (3, 2))
    return add(down, right)


def image_gradients(image: Any) -> tuple[Tensor, Tensor]:
    """The differences of neighbours of images [batch, height, width, channels]: down, and right.

    The last row and the last column have zeros. Raises `ValueError` for other ranks.

    >>> down, right = image_gradients(convert([[[[1.0], [3.0]]]]))
    >>> right.numpy().ravel()
    array([2., 0.], dtype=float32)
    """
    x = convert(image)
    if x.ndim != 4:
        raise ValueError(
            f"image_gradients expects a 4D tensor [batch_size, h, w, d], not {x.shape}."
        )
    down, right = (_before_a_zero(_steps(x, axis), axis) for axis in (1, 2))
    return down, right


def _steps(x: Tensor, axis: int) -> Tensor:
    """Subtract each element along an axis from the next one."""
    n = max(shape_of(x)[axis] - 1, 0)
    first = min(1, shape_of(x)[axis])
    return subtract(part_of(x, axis, first, n), part_of(x, axis, 0, n))


def _before_a_zero(x: Tensor, axis: int) -> Tensor:
    return pad(x, [(0, 1 if k == axis else 0) for k in range(x.ndim)])


_SOBEL = np.array(
    [[[-1, -1], [-2, 0], [-1, 1]], [[0, -2], [0, 0], [0, 2]], [[1, -1], [2, 0], [1, 1]]]
)
"""The weights of three rows of three neighbours, for the slope downwards and that to the right."""


def sobel_edges(image: Any) -> Tensor:
    """Sobel's slopes, down and right, of images [batch, height, width, channels].

    They are a new last axis. At the border an image is mirrored.

    >>> sobel_edges(convert(np.arange(4.0).reshape(1, 2, 2, 1))).shape
    TensorShape([1, 2, 2, 1, 2])
    """
    x = convert(image)
    channels = shape_of(x)[-1]
    filters = np.tile(_SOBEL[:, :, None], (1, 1, channels, 1)).astype(dtype_of(x))
    wide = pad(x, [(0, 0), (1, 1), (1, 1), (0, 0)], "REFLECT")
    found = depthwise_conv2d(wide, filters, [1, 1, 1, 1], "VALID")
    return with_shape(found, (*shape_of(x), 2))
