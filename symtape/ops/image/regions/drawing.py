"""Frames of boxes drawn into images."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtape.ops.arguments import allowed, check, is_tensor, listed, tensor
from symtape.ops.elementwise.arithmetic import where
from symtape.ops.elementwise.conversion import cast
from symtape.ops.indexing.gathering import gather
from symtape.ops.shapes.shaping import expand_dims
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.decided import decided_by_look
from symtape.tensor.dispatch import invalid, mismatch
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of

_KINDS = allowed("float, half")
_PALETTE = (
    *((1, 1, 0, 1), (0, 0, 1, 1), (1, 0, 0, 1), (0, 1, 0, 1), (0.5, 0, 0.5, 1)),
    *((0.5, 0.5, 0, 1), (0.5, 0, 0, 1), (0, 0, 0.5, 1), (0, 1, 1, 1), (1, 0, 1, 1)),
)
"""TensorFlow's colours: yellow, blue, red, lime, purple, olive, maroon, navy, aqua, fuchsia."""


def draw_bounding_boxes(images: Any, boxes: Any, colors: Any, name: str | None = None) -> Tensor:
    """Draw the frame of each box, one pixel wide, into images [batch, height, width, channels].

    The images are float32 or float16, of 1, 3 or 4 channels; `boxes` [batch, count, 4] are rows
    (y₁, x₁, y₂, x₂), where 0 and 1 are the first and the last row or column. `colors` has a row for
    each colour, which boxes take in turns; None is TensorFlow's ten colours. A box that is upside
    down or outside of the image is left out, and of one that reaches outside, the lines within are
    drawn. A tape differentiates in the images and the colours. Raises `InvalidArgumentError` for
    shapes and dtypes that do not fit.

    >>> image = np.zeros((1, 3, 4, 1), np.float32)
    >>> draw_bounding_boxes(image, [[[0.0, 0.0, 1.0, 0.7]]], [[5.0]]).numpy()[0, :, :, 0]
    array([[5., 5., 5., 0.],
           [5., 0., 5., 0.],
           [5., 5., 5., 0.]], dtype=float32)
    """
    op = "DrawBoundingBoxes" if colors is None else "DrawBoundingBoxesV2"
    x = _pictures(op, images, colors is None)
    places = tensor(boxes) if is_tensor(boxes) else convert(boxes, dtypes.float32)
    table = None if colors is None else _table(colors)
    for number, given in ((1, places), (2, table)):
        if given is not None and given.dtype is not dtypes.float32:
            raise mismatch(op, convert(0.0), given, number)
    _check(op, x, places, table)
    depth = shape_of(x)[3]
    if table is None or not shape_of(table)[0]:
        table = _default(depth)
    drawn = _drawn(decided_by_look(places), shape_of(x), shape_of(table)[0])
    paint = gather(cast(table[:, :depth], x.dtype), np.maximum(drawn, 0))
    return where(expand_dims(Tensor(drawn >= 0), -1), paint, x)


def _pictures(op: str, images: Any, plain: bool) -> Tensor:
    """Read images; arrays of other numbers become float32, tensors of them are refused."""
    x = tensor(images)
    if not is_tensor(images) and x.dtype is not dtypes.float16:
        x = convert(images, dtypes.float32)
    given = "images:T, boxes:float" + ("" if plain else ", colors:float")
    check(op, x, _KINDS, f"{given} -> output:T")
    return x


def _table(colors: Any) -> Tensor:
    return tensor(colors) if is_tensor(colors) else convert(colors, dtypes.float32)


def _default(depth: int) -> Tensor:
    table = np.array(_PALETTE, np.float32)
    if depth == 1:
        table[:, 0] = 1
    return Tensor(table)


def _check(op: str, x: Tensor, boxes: Tensor, colors: Tensor | None) -> None:
    if x.ndim != 4:
        raise invalid(op, "The rank of the images should be 4")
    if boxes.ndim != 3:
        raise invalid(op, "The rank of the boxes tensor should be 3")
    if shape_of(x)[0] != shape_of(boxes)[0]:
        raise invalid(op, "The batch sizes should be the same")
    if shape_of(x)[3] not in {1, 3, 4}:
        raise invalid(op, "Channel depth should be either 1 (GRY), 3 (RGB), or 4 (RGBA)")
    if shape_of(boxes)[2] != 4:
        text = "The size of the third dimension of the box must be 4. Received: "
        raise invalid(op, f"{text}{shape_of(boxes)[2]}")
    if colors is not None:
        shape = shape_of(colors)
        if colors.ndim != 2:
            raise invalid(op, f"colors must be a 2-D matrix{listed(shape)}")
        if shape[1] < shape_of(x)[3]:
            text = "colors must have equal or more channels than the image provided: "
            raise invalid(op, f"{text}{listed(shape)}")


def _drawn(boxes: Any, shape: tuple[int, ...], colours: int) -> Any:
    """Say for each pixel the number of the colour that is drawn there last, or -1."""
    batch, height, width, _ = shape
    drawn = np.full((batch, height, width), -1, np.int64)
    scale = np.array([height - 1, width - 1] * 2, np.float32)
    with np.errstate(invalid="ignore"):
        corners = (boxes * scale).astype(np.int64)
    for picture, own in zip(drawn, corners.tolist(), strict=True):
        for k, box in enumerate(own):
            _draw(picture, box, k % colours)
    return drawn


def _draw(picture: Any, box: Any, colour: int) -> None:
    """Draw the four lines of a frame, of those outside the picture none."""
    height, width = picture.shape
    top, left, bottom, right = box
    if top > bottom or left > right:
        return
    if top >= height or bottom < 0 or left >= width or right < 0:
        return
    rows = slice(max(top, 0), min(bottom, height - 1) + 1)
    columns = slice(max(left, 0), min(right, width - 1) + 1)
    for row in (top, bottom):
        if 0 <= row < height:
            picture[row, columns] = colour
    for column in (left, right):
        if 0 <= column < width:
            picture[rows, column] = colour
