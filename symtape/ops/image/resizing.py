"""Images of another size: each row and each column is resampled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from symtape.ops.arguments import allowed, check, listed, tensor
from symtape.ops.elementwise.arithmetic import multiply_no_nan
from symtape.ops.elementwise.conversion import cast
from symtape.ops.image.arguments import batched, check_image, target_size, unbatched
from symtape.ops.image.cropping import pad_to_bounding_box
from symtape.ops.image.sampling import METHODS, nearest, shares
from symtape.ops.indexing.gathering import gather
from symtape.ops.reductions.reduction import reduce_sum
from symtape.ops.shapes.shaping import expand_dims
from symtape.ops.signal.fourier import along
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.decided import decided
from symtape.tensor.dispatch import invalid
from symtape.tensor.recording.looking import sized
from symtape.tensor.requirements import finite
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import passes, shape_of

_TAKEN = allowed("int8, uint8, int16, uint16, int32, int64, half, float, double, bfloat16")
_OF_KERNELS = {
    "ResizeBilinear": allowed(
        "int8, uint8, int16, uint16, int32, int64, bfloat16, half, float, double, bfloat16"
    ),
    "ScaleAndTranslate": allowed(
        "int8, uint8, int16, uint16, int32, int64, bfloat16, half, float, double"
    ),
}
KERNELS = {
    "bilinear": "ResizeBilinear",
    "nearest": "ResizeNearestNeighbor",
    "bicubic": "ResizeBicubic",
    "area": "ResizeArea",
}
"""TensorFlow's kernels of the methods that have one of their own."""


class ResizeMethod:
    """The names of the methods of `resize`."""

    BILINEAR = "bilinear"
    NEAREST_NEIGHBOR = "nearest"
    BICUBIC = "bicubic"
    AREA = "area"
    LANCZOS3 = "lanczos3"
    LANCZOS5 = "lanczos5"
    GAUSSIAN = "gaussian"
    MITCHELLCUBIC = "mitchellcubic"


def resize(
    images: Any,
    size: Any,
    method: str = ResizeMethod.BILINEAR,
    preserve_aspect_ratio: bool = False,
    antialias: bool = False,
    name: str | None = None,
) -> Tensor:
    """Resample images [height, width, channels] or a batch of them to `size`, (height, width).

    `method` is one of `ResizeMethod`. The result is float32, but for "nearest", which keeps the
    dtype. With `preserve_aspect_ratio` the images are as large as fits into `size`. With
    `antialias` the kernel is wider where images get smaller; "nearest" and "area" have none.
    Raises `ValueError` for other ranks, sizes and methods, and `InvalidArgumentError` for sizes
    that are not positive, images without elements, and dtypes that are no real numbers.

    >>> resize([[[1.0], [3.0]]], [1, 4]).numpy()[0, :, 0]
    array([1. , 1.5, 2.5, 3. ], dtype=float32)
    """
    x, was_batch, new = read(images, size, preserve_aspect_ratio=preserve_aspect_ratio)
    return unbatched(_resampled(x, new, method, antialias), was_batch)


def read(
    images: Any, size: Any, *, preserve_aspect_ratio: bool
) -> tuple[Tensor, bool, tuple[int, int]]:
    """Give images as a batch, whether they were one, and the height and width they are to have."""
    x = tensor(images)
    if x.ndim not in {3, 4}:
        raise ValueError("'images' must have either 3 or 4 dimensions.")
    batch = x if x.ndim == 4 else expand_dims(x, 0)
    new = size_of(size)
    return batch, x.ndim == 4, _fitting(shape_of(batch)[1:3], new) if preserve_aspect_ratio else new


def size_of(size: Any) -> tuple[int, int]:
    """Read a height and a width; `ValueError` for what is none."""
    try:
        found = convert(size, dtypes.int32)
    except (TypeError, ValueError):
        raise ValueError("'size' must be a 1-D int32 Tensor") from None
    if shape_of(found) != (2,):
        raise ValueError("'size' must be a 1-D Tensor of 2 elements: new_height, new_width")
    height, width = sized(found, decided(found)).tolist()
    return height, width


def _fitting(old: tuple[int, ...], size: tuple[int, int]) -> tuple[int, int]:
    """Make a size smaller along one axis, so that both axes are scaled alike."""
    single = np.float32
    scale = min(single(n) / single(m) for n, m in zip(size, old, strict=True))
    height, width = (int(np.rint(scale * single(m))) for m in old)
    return height, width


def check_batch(x: Tensor, new: tuple[int, int], method: str, *, smooth: bool) -> None:
    """Raise TensorFlow's errors for dtypes, ranks, and sizes without elements."""
    kernel = "ScaleAndTranslate" if smooth else KERNELS.get(method, "ScaleAndTranslate")
    check(kernel, x, _OF_KERNELS.get(kernel, _TAKEN), "images:T, size:int32")
    if x.ndim != 4:
        raise invalid(kernel, f"input must be 4-dimensional{listed(shape_of(x))}")
    old = shape_of(x)[1:3]
    if min(new) <= 0:
        raise invalid(kernel, "output dimensions must be positive")
    if min(old) <= 0:
        raise invalid(kernel, "input image must be of non-zero size")
    if shape_of(x)[3] == 0:
        raise invalid(kernel, "image must have at least one channel")


def _resampled(x: Tensor, new: tuple[int, int], method: Any, antialias: bool) -> Tensor:
    if method not in METHODS:
        raise ValueError(f"Resize method is not implemented: {method}")
    smooth = antialias and method not in {"nearest", "area"}
    check_batch(x, new, method, smooth=smooth)
    if method == "nearest":
        return chosen(x, new, nearest)
    return shared_out(x, new, lambda old, own: shares(method, old, own, smooth))


def chosen(x: Tensor, new: tuple[int, int], places: Callable[[int, int], Any]) -> Tensor:
    """Choose rows and columns: `places` lists them for an old and a new size."""
    for axis, own in enumerate(new, 1):
        x = gather(x, places(shape_of(x)[axis], own), axis=axis)
    return x


def shared_out(x: Tensor, new: tuple[int, int], matrix: Callable[[int, int], Any]) -> Tensor:
    """Resample rows and columns in float32: `matrix` is made for an old and a new size."""
    x = cast(x, dtypes.float32)
    for axis, own in enumerate(new, 1):
        weights = matrix(shape_of(x)[axis], own)
        x = along(x, weights, axis) if passes(x, finite) else _near(x, weights, axis)
    return x


def _near(x: Tensor, matrix: Any, axis: int) -> Tensor:
    """Multiply one axis by a matrix; what is not finite reaches only what has a share of it."""
    places = np.argsort(matrix == 0, axis=1, kind="stable")
    places = places[:, : max(1, int(np.max(np.count_nonzero(matrix, axis=1))))]
    weights = np.take_along_axis(matrix, places, axis=1)
    taken = gather(x, places, axis=axis)
    shared = weights.reshape(*weights.shape, *(1,) * (x.ndim - axis - 1))
    return reduce_sum(multiply_no_nan(taken, shared), axis + 1)


def resize_with_pad(
    image: Any,
    target_height: Any,
    target_width: Any,
    method: str = ResizeMethod.BILINEAR,
    antialias: bool = False,
) -> Tensor:
    """Resample images so that they fit into a size, and put them into its middle, among zeros.

    The other arguments and the errors are those of `resize`.

    >>> resize_with_pad([[[1.0], [3.0]]], 2, 2).numpy()[:, :, 0]
    array([[1., 3.],
           [0., 0.]], dtype=float32)
    """
    x, was_batch = batched(image)
    check_image(x)
    rows, columns = target_size(target_height, target_width)
    single = np.float32
    height, width = (single(n) for n in shape_of(x)[1:3])
    ratio = max(width / single(columns), height / single(rows))
    fitted = [height / ratio, width / ratio]
    made = resize(x, [int(np.floor(n)) for n in fitted], method, antialias=antialias)
    top, left = [
        max(0, int(np.floor((single(n) - m) / 2)))
        for n, m in zip((rows, columns), fitted, strict=True)
    ]
    return unbatched(pad_to_bounding_box(made, top, left, rows, columns), was_batch)
