"""Parts of images, and images put into larger ones."""

from __future__ import annotations

from typing import Any

from symtape.ops.arguments import plain, tensor
from symtape.ops.image.arguments import (
    batched,
    check_image,
    check_that,
    target_size,
    unbatched,
    whole_number,
)
from symtape.ops.shapes.joining import pad
from symtape.ops.shapes.repetition import part_of
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of


def central_crop(image: Any, central_fraction: Any) -> Tensor:
    """Take the middle of images [height, width, channels] or a batch: that fraction of each side.

    Raises `ValueError` for a fraction that is not above 0 and up to 1, and for other ranks.

    >>> central_crop([[[1], [2], [3], [4]]], 0.5).numpy()[:, :, 0]
    array([[2, 3]], dtype=int32)
    """
    x = tensor(image)
    fraction = plain(central_fraction)  # of float32, sizes are counted with its roundings
    if not 0 < fraction <= 1:
        raise ValueError("central_fraction must be within (0, 1]")
    if fraction == 1:
        return x
    check_image(x)
    if x.ndim > 4:
        raise ValueError(
            f"`image` should either be a Tensor with rank = 3 or rank = 4. Had rank = {x.ndim}."
        )
    for axis in (x.ndim - 3, x.ndim - 2):
        n = shape_of(x)[axis]
        first = int((n - n * fraction) / 2)
        x = part_of(x, axis, first, n - 2 * first)
    return x


def crop_to_bounding_box(
    image: Any, offset_height: Any, offset_width: Any, target_height: Any, target_width: Any
) -> Tensor:
    """Take a part of images [height, width, channels] or a batch of them.

    Raises `ValueError` for other ranks, and where the part does not lie within the image.

    >>> crop_to_bounding_box([[[1], [2], [3]]], 0, 1, 1, 2).numpy()[:, :, 0]
    array([[2, 3]], dtype=int32)
    """
    x, was_batch = batched(image)
    check_image(x)
    given = (offset_height, offset_width, target_height, target_width)
    top, left, rows, columns = (whole_number(number) for number in given)
    height, width = shape_of(x)[1:3]
    check_that(left >= 0, "offset_width must be >= 0.", offset_width)
    check_that(top >= 0, "offset_height must be >= 0.", offset_height)
    check_that(columns > 0, "target_width must be > 0.", target_width)
    check_that(rows > 0, "target_height must be > 0.", target_height)
    both = (target_width, offset_width)
    check_that(width >= columns + left, "width must be >= target + offset.", *both)
    both = (target_height, offset_height)
    check_that(height >= rows + top, "height must be >= target + offset.", *both)
    return unbatched(part_of(part_of(x, 1, top, rows), 2, left, columns), was_batch)


def pad_to_bounding_box(
    image: Any, offset_height: Any, offset_width: Any, target_height: Any, target_width: Any
) -> Tensor:
    """Put images [height, width, channels] or a batch of them into larger ones, among zeros.

    Raises `ValueError` for other ranks, and where the image does not fit.

    >>> pad_to_bounding_box([[[1]]], 0, 1, 1, 3).numpy()[:, :, 0]
    array([[0, 1, 0]], dtype=int32)
    """
    x, was_batch = batched(image)
    check_image(x)
    given = (offset_height, offset_width, target_height, target_width)
    top, left, rows, columns = (whole_number(number) for number in given)
    height, width = shape_of(x)[1:3]
    right, bottom = columns - left - width, rows - top - height
    check_that(top >= 0, "offset_height must be >= 0", offset_height)
    check_that(left >= 0, "offset_width must be >= 0", offset_width)
    both = (target_width, offset_width)
    check_that(right >= 0, "width must be <= target - offset", *both)
    both = (target_height, offset_height)
    check_that(bottom >= 0, "height must be <= target - offset", *both)
    return unbatched(pad(x, [(0, 0), (top, bottom), (left, right), (0, 0)]), was_batch)


def resize_with_crop_or_pad(image: Any, target_height: Any, target_width: Any) -> Tensor:
    """Give images [height, width, channels] or a batch a size: cut evenly, or put among zeros.

    Raises `ValueError` for other ranks and for sizes that are not positive.

    >>> resize_with_crop_or_pad([[[1], [2], [3]]], 1, 1).numpy()[:, :, 0]
    array([[2]], dtype=int32)
    """
    x, was_batch = batched(image)
    check_image(x)
    rows, columns = target_size(target_height, target_width)
    height, width = shape_of(x)[1:3]
    missing = (rows - height, columns - width)
    top, left = [max(-n // 2, 0) for n in missing]
    cropped = crop_to_bounding_box(x, top, left, min(rows, height), min(columns, width))
    top, left = [max(n // 2, 0) for n in missing]
    return unbatched(pad_to_bounding_box(cropped, top, left, rows, columns), was_batch)
