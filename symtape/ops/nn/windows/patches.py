"""The windows of an image, each as one vector."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from symtape.ops.arguments import listed, tensor
from symtape.ops.nn.windows.sliding import (
    full_list,
    looked_at,
    padded,
    slide,
    unimplemented,
    word,
)
from symtape.ops.shapes.shaping import with_shape
from symtape.program.kinds.windows import Window
from symtape.tensor.dispatch import invalid
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of


def extract_patches(
    images: Any, sizes: Any, strides: Any, rates: Any, padding: Any, name: str | None = None
) -> Tensor:
    """Put the elements of each window of images [batch, height, width, channels] into the channels.

    `sizes`, `strides` and `rates` have four numbers, the first and last of which are 1; `padding`
    is "SAME" or "VALID".

    >>> import numpy as np
    >>> image = np.arange(4).reshape(1, 2, 2, 1)
    >>> extract_patches(image, [1, 1, 2, 1], [1] * 4, [1] * 4, "VALID").numpy()[0, :, 0]
    array([[0, 1],
           [2, 3]])
    """
    op = "ExtractImagePatches"
    x, read = _read(op, images, 2, {"ksizes": sizes, "strides": strides, "rates": rates})
    return _patches(op, x, read, padding)


def extract_volume_patches(
    input: Any, ksizes: Any, strides: Any, padding: Any, name: str | None = None
) -> Tensor:
    """Put the elements of each window of volumes into the channels; see `extract_patches`.

    >>> import numpy as np
    >>> volume = np.arange(4).reshape(1, 1, 2, 2, 1)
    >>> extract_volume_patches(volume, [1, 1, 2, 2, 1], [1] * 5, "VALID").numpy().ravel()
    array([0, 1, 2, 3])
    """
    op = "ExtractVolumePatches"
    x, read = _read(op, input, 3, {"ksizes": ksizes, "strides": strides})
    return _patches(op, x, [*read, [1, 1, 1]], padding)


_KERNELS = {
    "ExtractImagePatches": "extract_image_patches",
    "ExtractVolumePatches": "extract_volume_patches",
}


def _read(op: str, images: Any, axes: int, given: dict[str, Any]) -> tuple[Tensor, list[Any]]:
    """Read images with so many axes of places, and the numbers of windows along these."""
    read = [_numbers(op, what, value, axes) for what, value in given.items()]
    x = tensor(images)
    if x.ndim != axes + 2:
        raise invalid(op, f"input must be {axes + 2}-dimensional{listed(shape_of(x))}")
    for what, found in zip(given, read, strict=True):
        if (found[0], found[axes + 1]) != (1, 1):
            raise unimplemented(op, f"Only support {what} across space.")
    return x, [n[1:-1] for n in read]


def _numbers(op: str, what: str, value: Any, axes: int) -> list[int]:
    found = [] if value is None else full_list(value, axes, _KERNELS[op], what)
    if len(found) < axes + 2:
        raise invalid(
            op, f"Length for attr '{what}' of {len(found)} must be at least minimum {axes + 2}"
        )
    return found


def _patches(op: str, x: Tensor, read: Sequence[Sequence[int]], padding: Any) -> Tensor:
    windows = [Window(*part) for part in zip(*read, strict=True)]
    for window in windows:
        if min(window) < 1:
            raise invalid(op, f"sizes, strides and rates must be positive, but are {read}")
    image, words = shape_of(x)[1:-1], ("SAME", "VALID")
    how = slide(op, image, windows, word(padding), first=False, options=words)
    made = looked_at(padded(x, how.pads, 1), how, 1)
    batch, channels = shape_of(x)[0], shape_of(x)[-1]
    return with_shape(made, (batch, *how.counts, prod(w.size for w in windows) * channels))
