"""Images of another size as TensorFlow 1 resamples them: places lie elsewhere than in `tf.image`.

A new element n lies at n times the scale among the old ones, not in its middle; with
`align_corners` the first and the last one lie at the first and the last. `half_pixel_centers` has
the places of TensorFlow 2.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from symtape.ops.arguments import listed, of_dtype, plain, tensor
from symtape.ops.image import resizing
from symtape.ops.image.arguments import unbatched
from symtape.ops.image.sampling import TABLE, by_area, placed
from symtape.tensor import dtypes
from symtape.tensor.decided import decided
from symtape.tensor.dispatch import invalid
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of

_F = np.float32
_METHODS = ("bilinear", "nearest", "bicubic", "area")


class ResizeMethod:
    """The numbers of the methods of `resize`."""

    BILINEAR, NEAREST_NEIGHBOR, BICUBIC, AREA = range(4)


def _scale(old: int, new: int, align: bool) -> Any:
    return _F(old - 1) / _F(new - 1) if align and new > 1 else _F(old) / _F(new)


@lru_cache(maxsize=256)
def _shares(method: str, old: int, new: int, align: bool) -> Any:
    """Give the matrix [new, old] of a method, of float32."""
    if method == "area":
        return by_area(old, new, _scale(old, new, align and old > 1))  # one has an extent, too
    places = np.arange(new, dtype=_F) * _scale(old, new, align)
    first = np.floor(places)
    t = places - first
    if method == "bilinear":
        columns = np.stack([first, np.minimum(first + 1, old - 1)], 1)
        return placed(old, new, columns.astype(int), np.stack([1 - t, t], 1))
    t = np.rint(t * TABLE) / TABLE
    weights = np.stack([_far(1 + t), _near(t), _near(1 - t), _far(2 - t)], 1).astype(_F)
    columns = first[:, None].astype(int) + np.arange(-1, 3)
    return placed(old, new, np.clip(columns, 0, old - 1), weights)


def _near(x: Any) -> Any:
    """Weigh what is nearer than 1, as cubic convolution with a = -3/4 does."""
    return (1.25 * x - 2.25) * x * x + 1


def _far(x: Any) -> Any:
    return ((-0.75 * x + 3.75) * x - 6) * x + 3


def _nearest(old: int, new: int, align: bool) -> Any:
    places = np.arange(new, dtype=_F) * _scale(old, new, align)
    rounded = np.floor(places + _F(0.5)) if align else np.floor(places)
    return np.minimum(rounded.astype(np.int64), old - 1)


def _size_of(size: Any, method: str) -> tuple[int, int]:
    """Read a height and a width as the kernel of a method does."""
    kernel = resizing.KERNELS[method]
    found = of_dtype(kernel, size, dtypes.int32, 1)
    if found.ndim != 1:
        raise invalid(kernel, f"shape_t must be 1-dimensional{listed(shape_of(found))}")
    if shape_of(found) != (2,):
        raise invalid(kernel, f"shape_t must have two elements{listed(shape_of(found))}")
    height, width = decided(found).tolist()
    return height, width


def _resampled(
    images: Any, size: Any, method: str, align_corners: bool, half_pixel_centers: bool = False
) -> Tensor:
    """Resample a batch by one of the methods; see `tf.image.resize` for what is refused."""
    if align_corners and half_pixel_centers:
        raise ValueError("If half_pixel_centers is True, align_corners must be False.")
    x, new, align = tensor(images), _size_of(size, method), bool(align_corners)
    resizing.check_batch(x, new, method, smooth=False)
    if half_pixel_centers:
        return resizing.resize(x, new, method)
    if method == "nearest":
        return resizing.chosen(x, new, lambda old, own: _nearest(old, own, align))
    return resizing.shared_out(x, new, lambda old, own: _shares(method, old, own, align))


def _resize(
    images: Any,
    size: Any,
    method: Any = ResizeMethod.BILINEAR,
    align_corners: bool = False,
    preserve_aspect_ratio: bool = False,
    name: str | None = None,
) -> Tensor:
    """Resample images or one; what keeps its size stays as it is."""
    x, was_batch, new = resizing.read(images, size, preserve_aspect_ratio=preserve_aspect_ratio)
    if shape_of(x)[1:3] == new:
        return unbatched(x, was_batch)
    known = dict(enumerate(_METHODS)) | {m: m for m in _METHODS}
    word = known.get(plain(method))
    if word is None:
        raise ValueError("Resize method is not implemented.")
    return unbatched(_resampled(x, new, word, align_corners), was_batch)


def _at(method: str) -> Callable[..., Tensor]:
    def function(
        images: Any,
        size: Any,
        align_corners: bool = False,
        name: str | None = None,
        half_pixel_centers: bool = False,
    ) -> Tensor:
        return _resampled(images, size, method, align_corners, half_pixel_centers)

    return function


def _by_areas(
    images: Any, size: Any, align_corners: bool = False, name: str | None = None
) -> Tensor:
    return _resampled(images, size, "area", align_corners)


IMAGES: dict[str, Callable[..., Any]] = {
    "image.resize": _resize,
    "image.resize_images": _resize,
    "image.ResizeMethod": ResizeMethod,
    "image.resize_bilinear": _at("bilinear"),
    "image.resize_nearest_neighbor": _at("nearest"),
    "image.resize_bicubic": _at("bicubic"),
    "image.resize_area": _by_areas,
}
