"""Boxes cut out of images and resampled."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtape.errors import OutOfRangeError
from symtape.ops.arguments import allowed, check, is_tensor, listed, tensor
from symtape.ops.elementwise.arithmetic import add, clip_by_value, multiply, subtract, where
from symtape.ops.elementwise.comparison import greater_equal, less_equal, logical_and
from symtape.ops.elementwise.conversion import cast
from symtape.ops.elementwise.functions import ceil, floor
from symtape.ops.indexing.gathering import gather_nd
from symtape.ops.nn.windows.sliding import refuse_attribute
from symtape.ops.shapes.joining import stack
from symtape.ops.shapes.repetition import broadcast_to
from symtape.ops.shapes.shaping import with_shape
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.decided import decided
from symtape.tensor.dispatch import invalid, mismatch
from symtape.tensor.requirements import Inside, meets
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of

_OP = "CropAndResize"
_KINDS = allowed("uint8, uint16, int8, int16, int32, int64, half, float, double")


def crop_and_resize(
    image: Any,
    boxes: Any,
    box_indices: Any,
    crop_size: Any,
    method: str = "bilinear",
    extrapolation_value: float = 0.0,
    name: str | None = None,
) -> Tensor:
    """Cut boxes out of images [batch, height, width, channels], and give them one size.

    A row of `boxes` is (y₁, x₁, y₂, x₂), where 0 and 1 are the first and the last row or column;
    `box_indices` says which image each is cut from. `method` is "bilinear", which a tape
    differentiates in the images and the boxes, or "nearest". What is outside of an image is
    `extrapolation_value`. The result is float32. Raises `InvalidArgumentError` for shapes that do
    not fit, and `OutOfRangeError` for an image that is not there.

    >>> image = np.arange(4.0).reshape(1, 2, 2, 1)
    >>> crop_and_resize(image, [[0.0, 0.0, 1.0, 1.0]], [0], [2, 3]).numpy()[0, :, :, 0]
    array([[0. , 0.5, 1. ],
           [2. , 2.5, 3. ]], dtype=float32)
    """
    x = tensor(image)
    where_from = tensor(boxes) if is_tensor(boxes) else convert(boxes, dtypes.float32)
    which = convert(box_indices, dtypes.int32)
    size = [int(n) for n in np.ravel(decided(convert(crop_size, dtypes.int32)))]
    _check(x, where_from, which, size, method)
    height, width = shape_of(x)[1:3]
    rows = _places(where_from[:, 0], where_from[:, 2], height, size[0])
    columns = _places(where_from[:, 1], where_from[:, 3], width, size[1])
    shape = (shape_of(which)[0], *size)
    rows = broadcast_to(with_shape(rows, (*shape_of(rows), 1)), shape)
    columns = broadcast_to(with_shape(columns, (shape[0], 1, size[1])), shape)
    batch = broadcast_to(with_shape(which, (shape[0], 1, 1)), shape)
    take = _between if method == "bilinear" else _nearest
    found = take(cast(x, dtypes.float32), batch, rows, columns)
    inside = with_shape(logical_and(_within(rows, height), _within(columns, width)), (*shape, 1))
    return where(inside, found, np.float32(extrapolation_value))


def _places(first: Tensor, last: Tensor, n: int, count: int) -> Tensor:
    """Place `count` elements evenly from the first to the last one of a box, [boxes, count]."""
    if count == 1:
        middle = multiply(add(first, last), np.float32(0.5 * (n - 1)))
        return with_shape(middle, (*shape_of(middle), 1))
    steps = np.arange(count, dtype=np.float32)
    step = multiply(subtract(last, first), np.float32(n - 1) / np.float32(count - 1))
    start = multiply(first, np.float32(n - 1))
    one = (*shape_of(first), 1)
    return add(with_shape(start, one), multiply(with_shape(step, one), convert(steps)))


def _within(places: Tensor, n: int) -> Tensor:
    return logical_and(greater_equal(places, 0.0), less_equal(places, float(n - 1)))


def _taken(x: Tensor, batch: Tensor, rows: Tensor, columns: Tensor) -> Tensor:
    """Take pixels at places that are whole numbers."""
    height, width = shape_of(x)[1:3]
    found = [
        cast(clip_by_value(places, 0.0, float(n - 1)), dtypes.int32)
        for places, n in ((rows, height), (columns, width))
    ]
    return gather_nd(x, stack([batch, *found], -1))


def _between(x: Tensor, batch: Tensor, rows: Tensor, columns: Tensor) -> Tensor:
    """Interpolate between the four pixels around a place."""
    top, left = floor(rows), floor(columns)
    bottom, right = ceil(rows), ceil(columns)
    one = (*shape_of(rows), 1)
    down, across = (with_shape(subtract(a, b), one) for a, b in ((rows, top), (columns, left)))

    def mixed(row: Tensor) -> Tensor:
        first = _taken(x, batch, row, left)
        return add(first, multiply(subtract(_taken(x, batch, row, right), first), across))

    upper = mixed(top)
    return add(upper, multiply(subtract(mixed(bottom), upper), down))


def _nearest(x: Tensor, batch: Tensor, rows: Tensor, columns: Tensor) -> Tensor:
    half = np.float32(0.5)
    return _taken(x, batch, floor(add(rows, half)), floor(add(columns, half)))


def _check(x: Tensor, boxes: Tensor, which: Tensor, size: list[int], method: str) -> None:
    if method not in {"bilinear", "nearest"}:
        raise refuse_attribute(_OP, "method", method, ("bilinear", "nearest"))
    check(_OP, x, _KINDS, "image:T, boxes:float, box_ind:int32, crop_size:int32 -> crops:float")
    if boxes.dtype is not dtypes.float32:
        raise mismatch(_OP, convert(0.0), boxes)
    if x.ndim != 4:
        raise invalid(_OP, f"input image must be 4-D{listed(shape_of(x))}")
    if min(shape_of(x)[1:3]) <= 0:
        raise invalid(_OP, "image dimensions must be positive")
    if boxes.ndim != 2:
        raise invalid(_OP, f"boxes must be 2-D{listed(shape_of(boxes))}")
    if shape_of(boxes)[1] != 4:
        raise invalid(_OP, "boxes must have 4 columns")
    if shape_of(which) != shape_of(boxes)[:1]:
        raise invalid(_OP, "box_index has incompatible shape")
    if len(size) != 2:
        raise invalid(_OP, f"crop_size must have two elements{listed([len(size)])}")
    if min(size) <= 0:
        raise invalid(_OP, "crop dimensions must be positive")
    if not meets(which, Inside(shape_of(x)[0])):
        text = "box_index has values outside [0, batch_size)"
        raise OutOfRangeError(message=invalid(_OP, text).message)
