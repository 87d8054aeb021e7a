"""Windows of one size cut out of images, around a point of each."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtape.errors import UnsupportedError
from symtape.ops.arguments import is_tensor, listed, tensor
from symtape.ops.elementwise.arithmetic import where
from symtape.ops.indexing.gathering import gather_nd
from symtape.ops.shapes.creation import zeros
from symtape.ops.shapes.shaping import expand_dims
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.decided import decided, decided_by_look
from symtape.tensor.dispatch import invalid, mismatch
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of

_OP = "ExtractGlimpseV2"
_F = np.float32


def extract_glimpse(
    input: Any,
    size: Any,
    offsets: Any,
    centered: bool = True,
    normalized: bool = True,
    noise: str = "uniform",
    name: str | None = None,
) -> Tensor:
    """Cut a window of `size` (height, width) out of each image [batch, height, width, channels].

    A row of `offsets` says (y, x) where the window of an image is. With `normalized` and `centered`
    that is its middle, where -1 and 1 are the edges of the image; with `normalized` alone its
    corner, where 0 and 1 are the edges; with neither its corner in pixels; with `centered` alone
    its corner, in pixels from the middle. Places are rounded towards zero. What is outside of the
    image is zero with `noise="zero"`. A tape differentiates in the images. Raises
    `InvalidArgumentError` for shapes, dtypes and a word for noise that do not fit, and
    `UnsupportedError` for noise "uniform" or "gaussian" where a window reaches outside: TensorFlow
    draws such numbers by a generator that no seed sets.

    >>> image = np.arange(9, dtype=np.float32).reshape(1, 3, 3, 1)
    >>> extract_glimpse(image, [2, 2], [[1.0, 0.0]], noise="zero").numpy()[0, :, :, 0]
    array([[6., 7.],
           [0., 0.]], dtype=float32)
    """
    for what, value in (("centered", centered), ("normalized", normalized)):
        if not isinstance(value, bool):
            raise TypeError(f"Expected bool for argument '{what}' not {value!r}.")
    x, where_to = (
        tensor(v) if is_tensor(v) else convert(v, dtypes.float32) for v in (input, offsets)
    )
    extent = decided(convert(size, dtypes.int32))
    _check(x, extent, where_to, noise)
    starts = _starts(decided_by_look(where_to), shape_of(x)[1:3], extent, centered, normalized)
    return _cut(x, starts, [int(n) for n in extent], noise)


def _check(x: Tensor, size: Any, offsets: Tensor, noise: Any) -> None:
    for number, given in ((0, x), (2, offsets)):
        if given.dtype is not dtypes.float32:
            raise mismatch(_OP, convert(0.0), given, number)
    if noise not in {"uniform", "gaussian", "zero"}:
        raise invalid(_OP, f"The noise could only be uniform, gaussian, or zero, got{noise}")
    if x.ndim != 4:
        text = "input must be 4-dimensional (batch_size, height, width, depth)"
        raise invalid(_OP, f"{text}{listed(shape_of(x))}")
    if size.shape != (2,):
        text = "input must be a vector of size 2 (height, width)"
        raise invalid(_OP, f"{text}{listed(size.shape)}")
    if min(size) < 0:
        raise invalid(_OP, f"Expected a non-negative size, got {min(size)}")
    if offsets.ndim != 2:
        raise invalid(_OP, f"input must be a matrix{listed(shape_of(offsets))}")
    if shape_of(offsets)[0] != shape_of(x)[0]:
        raise invalid(_OP, f"first dimension should be batch{listed(shape_of(offsets))}")
    if shape_of(offsets)[1] != 2:
        raise invalid(_OP, f"second dimension should be of size 2 (y,x){listed(shape_of(offsets))}")


def _starts(places: Any, image: Any, size: Any, centered: bool, normalized: bool) -> Any:
    """Place the first pixel of each window, in single precision as TensorFlow does."""
    whole = np.array(image, _F)
    middle = whole / _F(2)
    if normalized:
        places = places * whole
        if centered:
            places = places / _F(2) + middle - np.array(size, _F) / _F(2)
    elif centered:
        places = places + middle
    far = _F(2**40)  # outside of any image
    return np.where(np.isnan(places), -far, np.clip(places, -far, far)).astype(np.int64)


def _cut(x: Tensor, starts: Any, size: list[int], noise: str) -> Tensor:
    """Take the pixels of windows, and zeros for what is outside."""
    at, inside = [], []
    for axis, (n, count) in enumerate(zip(shape_of(x)[1:3], size, strict=True)):
        places = starts[:, axis, None] + np.arange(count)
        inside.append((places >= 0) & (places < n))
        at.append(np.clip(places, 0, max(n - 1, 0)))
    is_there = inside[0][:, :, None] & inside[1][:, None, :]
    if noise != "zero" and not is_there.all():
        raise UnsupportedError(
            f'extract_glimpse(noise="{noise}") of a window that reaches outside of its image; '
            'give noise="zero"'
        )
    if not is_there.any():
        return zeros((*is_there.shape, shape_of(x)[3]), x.dtype)
    batch = np.arange(len(starts))[:, None, None]
    rows, columns = at[0][:, :, None], at[1][:, None, :]
    index = np.stack(np.broadcast_arrays(batch, rows, columns), -1)
    found = gather_nd(x, index)
    return found if is_there.all() else where(expand_dims(Tensor(is_there), -1), found, _F(0))
