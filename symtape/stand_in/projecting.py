"""Images seen through a projective transform, as `raw_ops.ImageProjectiveTransformV3` computes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from symtape.ops.arguments import plain, tensor
from symtape.ops.elementwise.arithmetic import multiply, where
from symtape.ops.elementwise.conversion import cast
from symtape.ops.indexing.gathering import gather_nd
from symtape.tensor import dtypes
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import dtype_of, shape_of


def project(
    images: Any,
    transforms: Any,
    output_shape: Any,
    fill_value: Any,
    interpolation: Any,
    fill_mode: Any = "CONSTANT",
    name: str | None = None,
) -> Tensor:
    """Each place of the output shows the place of the image that its eight numbers send it to.

    `images` have shape (batch, height, width, channels), `transforms` (batch or 1, 8);
    `interpolation` is "NEAREST" or "BILINEAR", `fill_mode` says what lies outside: "CONSTANT",
    "REFLECT", "WRAP" or "NEAREST". Gradients flow to the images.

    >>> moved = [[1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0]]
    >>> image = np.arange(3.0, dtype="float32").reshape(1, 1, 3, 1)
    >>> project(image, moved, [1, 3], 9.0, "NEAREST").numpy().ravel()
    array([1., 2., 9.], dtype=float32)
    """
    x = tensor(images)
    numbers = np.asarray(plain(transforms), np.float32).reshape(-1, 8)
    height, width = np.ravel(plain(output_shape)).tolist()
    batch, rows, columns, _ = shape_of(x)
    numbers = np.broadcast_to(numbers, (batch, 8))[:, :, None, None]
    across, down = np.meshgrid(np.arange(width, dtype="f4"), np.arange(height, dtype="f4"))
    with np.errstate(all="ignore"):
        scale = numbers[:, 6] * across + numbers[:, 7] * down + 1
        seen_x = (numbers[:, 0] * across + numbers[:, 1] * down + numbers[:, 2]) / scale
        seen_y = (numbers[:, 3] * across + numbers[:, 4] * down + numbers[:, 5]) / scale
    moved = _MODES[str(fill_mode).upper()]
    at_x, at_y = moved(seen_x, columns), moved(seen_y, rows)
    at_x = np.where(scale == 0, -10.0, at_x)
    fill = np.asarray(plain(fill_value), dtype_of(x))
    if str(interpolation).upper() == "NEAREST":
        return _read(x, _rounded(at_y), _rounded(at_x), fill)
    return _between(x, at_y, at_x, fill)


def _rounded(places: Any) -> Any:
    return np.copysign(np.floor(np.abs(places) + 0.5), places)


def _between(x: Tensor, y: Any, across: Any, fill: Any) -> Tensor:
    """Weigh the four pixels around a place."""
    top, left = np.floor(y), np.floor(across)
    low, right = (y - top)[..., None], (across - left)[..., None]
    kind = x.dtype
    corners = [
        _weighed(x, top, left, fill, (1 - low) * (1 - right)),
        _weighed(x, top, left + 1, fill, (1 - low) * right),
        _weighed(x, top + 1, left, fill, low * (1 - right)),
        _weighed(x, top + 1, left + 1, fill, low * right),
    ]
    return cast(corners[0] + corners[1] + corners[2] + corners[3], kind)


def _weighed(x: Tensor, y: Any, across: Any, fill: Any, weight: Any) -> Tensor:
    found = _read(x, y, across, fill)
    wide = found if found.dtype.is_floating else cast(found, dtypes.float32)
    return multiply(wide, weight.astype(dtype_of(wide)))


def _read(x: Tensor, y: Any, across: Any, fill: Any) -> Tensor:
    """Read pixels; outside of an image there is what fills."""
    batch, rows, columns, _ = shape_of(x)
    inside = (y >= 0) & (y < rows) & (across >= 0) & (across < columns)
    which = np.broadcast_to(np.arange(batch)[:, None, None], y.shape)
    places = np.stack([which, np.where(inside, y, 0), np.where(inside, across, 0)], -1)
    return where(inside[..., None], gather_nd(x, places.astype(np.int32)), fill)


def _reflected(places: Any, size: int) -> Any:
    """Continue abcd as dcba|abcd|dcba."""
    if size <= 1:
        return np.clip(places, 0, size - 1)
    turn = 2.0 * size
    low = np.where(places < turn, turn * np.trunc(-places / turn) + places, places)
    low = np.where(low < -size, low + turn, -low - 1)
    high = places - turn * np.trunc(places / turn)
    high = np.where(high >= size, turn - high - 1, high)
    found = np.where(places < 0, low, np.where(places > size - 1, high, places))
    return np.clip(found, 0, size - 1)


def _wrapped(places: Any, size: int) -> Any:
    """Continue abcd as abcd|abcd|abcd."""
    if size <= 1:
        return np.clip(places, 0, size - 1)
    low = places + size * (np.trunc(-places / (size - 1)) + 1)
    high = places - size * np.trunc(places / (size - 1))
    found = np.where(places < 0, low, np.where(places > size - 1, high, places))
    return np.clip(found, 0, size - 1)


_MODES: dict[str, Callable[[Any, int], Any]] = {
    "CONSTANT": lambda places, _: places,
    "NEAREST": lambda places, size: np.clip(places, 0, size - 1),
    "REFLECT": _reflected,
    "WRAP": _wrapped,
}
"""Where a place outside of an image is taken from."""
