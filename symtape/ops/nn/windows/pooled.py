"""What pools compute of the windows of an image: the first largest element, the mean."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from symtape.errors import UnsupportedError
from symtape.ops.arguments import Allowed, allowed, check, tensor
from symtape.ops.elementwise.arithmetic import divide
from symtape.ops.nn.windows.convolution import FLOATS
from symtape.ops.nn.windows.sliding import (
    Slide,
    channels_first,
    channels_last,
    is_channels_first,
    looked_at,
    of_image,
    padded,
    per_axis,
    slide,
    unimplemented,
    volume,
)
from symtape.ops.shapes.repetition import joined, part_of
from symtape.ops.shapes.shaping import with_shape
from symtape.program.kinds.structural import Gather, Position
from symtape.program.kinds.windows import Window
from symtape.program.operations import Einsum
from symtape.tensor.dispatch import apply, apply1, invalid, misfit
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import dtype_of, shape_of


class Kind(NamedTuple):
    """One of TensorFlow's pools: what it computes, its name in messages, what it takes."""

    is_max: bool
    op: str
    dtypes: Allowed
    options: tuple[str, ...]


_WITH_LISTS = ("SAME", "VALID", "EXPLICIT")
_COMPARED = allowed(
    "half, bfloat16, float, double, int32, int64, uint8, int16, int8, uint16, qint8"
)
MAX = Kind(True, "MaxPool", _COMPARED, _WITH_LISTS)
AVG = Kind(False, "AvgPool", FLOATS, ("SAME", "VALID"))
MAX3D = Kind(True, "MaxPool3D", FLOATS, ("SAME", "VALID"))
AVG3D = Kind(False, "AvgPool3D", FLOATS, ("SAME", "VALID"))


def pooled(
    kind: Kind,
    axes: int,
    input: Any,
    ksize: Any,
    strides: Any,
    padding: Any,
    data_format: Any,
    rates: Sequence[int] = (1, 1, 1),
) -> Tensor:
    """Compute a pool of [batch, image, channels], or with the channels before the image."""
    first = is_channels_first(kind.op, data_format, axes)
    x = tensor(input)
    check(kind.op, x, kind.dtypes, "input:T -> output:T")
    if x.ndim == axes + 2 and first:
        x = channels_last(x, axes)
    depth = _depth(kind, axes, x, ksize, strides, first)
    if depth:
        return _over_channels(x, depth)
    how = read(kind, axes, x, ksize, strides, padding, first, rates[:axes])
    made = largest(x, how)[0] if kind.is_max else _mean(x, how)
    return channels_first(made, axes) if first else made


def _depth(kind: Kind, axes: int, x: Tensor, ksize: Any, strides: Any, first: bool) -> int:
    """Say how many channels a window has, if it is one over channels."""
    sizes = per_axis(ksize, axes, first, "ksize")
    steps = per_axis(strides, axes, first, "strides")
    place = 1 if first else -1
    if sizes[0] != 1 or steps[0] != 1:
        raise unimplemented(kind.op, "Pooling is not yet supported on the batch dimension.")
    if (sizes[place], steps[place]) == (1, 1):
        return 0
    if axes == 3:
        raise unimplemented(kind.op, "Pooling is not yet supported on the depth dimension.")
    if {*of_image(sizes, first)} != {1}:
        raise unimplemented(
            kind.op,
            "MaxPooling supports exactly one of pooling across depth or pooling across "
            "width/height.",
        )
    if not kind.is_max:
        raise unimplemented(kind.op, "Non-spatial pooling is not yet supported. Volunteers? :)")
    if shape_of(x)[-1] % sizes[place]:
        raise unimplemented(
            kind.op,
            "Depthwise max pooling requires the depth window to evenly divide the input depth",
        )
    if sizes[place] != steps[place]:
        raise unimplemented(
            kind.op, "Depthwise max pooling requires the depth window to equal the depth stride"
        )
    return sizes[place]


def _over_channels(x: Tensor, depth: int) -> Tensor:
    *lead, channels = shape_of(x)
    line = with_shape(x, (*lead, channels // depth, depth))
    return chosen(line, apply1(Position("argmax", -1, "int64"), line))


def read(
    kind: Kind,
    axes: int,
    x: Tensor,
    ksize: Any,
    strides: Any,
    padding: Any,
    first: bool,
    rates: Sequence[int],
) -> Slide:
    """Read and check the windows of a pool."""
    _check_rank(kind, axes, x.ndim)
    whole = per_axis(ksize, axes, first, "ksize")
    sizes = of_image(whole, first)
    steps = of_image(per_axis(strides, axes, first, "strides"), first)
    if min(sizes) <= 0:
        shown = ",".join(map(str, whole[:1] + [1] * (axes == 1) + whole[1:]))
        raise invalid(
            kind.op,
            f"Sliding window ksize must be positive. The specified or inferred ksize is: {shown}"
            if kind.is_max
            else f"ksize must be a positive int32 value, got:{min(sizes)}",
        )
    if min(steps) <= 0:
        raise invalid(kind.op, f"Stride must be > 0, but got {min(steps)}")
    windows = [Window(*part) for part in zip(sizes, steps, rates, strict=True)]
    image = shape_of(x)[1:-1]
    how = slide(kind.op, image, windows, padding, first=first, options=kind.options)
    if padding != "SAME":
        _check_padding(kind, how, sizes)
    if kind.is_max and how.is_padded and max(rates) > 1:
        raise UnsupportedError(
            "pool(pooling_type='MAX') with both padding and dilations: pad the input with tf.pad"
        )
    return how


def _check_rank(kind: Kind, axes: int, rank: int) -> None:
    if rank != axes + 2:
        if axes == 3:
            raise invalid(kind.op, "tensor_in must be 5-dimensional")
        shown = rank + (1 if axes == 1 else 0)
        raise misfit(kind.op, f"tensor_in_shape must have 2 spatial dimensions. {shown} 0")


def _check_padding(kind: Kind, how: Slide, sizes: Sequence[int]) -> None:
    """Refuse windows that lie in what was put around the image."""
    for k, (pads, size) in enumerate(zip(how.pads, sizes, strict=True)):
        for side, n in enumerate(pads):
            if n >= size:
                place = min(k, 1) if len(sizes) > 1 else 1
                name = (("Top", "Bottom"), ("Left", "Right"))[place][side]
                raise invalid(
                    kind.op, f"{name} padding {n} needs to be smaller than the window size {size}"
                )


def largest(x: Tensor, how: Slide) -> tuple[Tensor, Tensor]:
    """Give the first largest element of each window, and its place within the window."""
    line = in_windows(edged(x, how), how)
    places = apply1(Position("argmax", -1, "int64"), line)
    return chosen(line, places), places


def chosen(line: Tensor, places: Tensor) -> Tensor:
    """Take the element at a place of each line, the last axis."""
    return apply(Gather(0, 0, line.ndim - 1), line, places)


def edged(x: Tensor, how: Slide) -> Tensor:
    """Repeat the elements at the edges: every window that has the copy has the element, too."""
    for axis, (before, after) in enumerate(how.pads, 1):
        n = shape_of(x)[axis]
        if n and (before or after):
            start, end = part_of(x, axis, 0, 1), part_of(x, axis, n - 1, 1)
            x = joined([*[start] * before, x, *[end] * after], axis)
    return x


def in_windows(x: Tensor, how: Slide) -> Tensor:
    """Put the elements of each window one after another in the last axis."""
    looked = looked_at(channels_first(x, len(how.windows)), how, 0)
    shape = shape_of(looked)
    line = with_shape(looked, (*shape[: len(shape) - len(how.windows)], volume(how.windows)))
    rank = line.ndim
    return apply1(Einsum.of([range(rank)], [0, *range(2, rank - 1), 1, rank - 1]), line)


def _mean(x: Tensor, how: Slide) -> Tensor:
    """Divide the sum of each window by the number of elements of the image in it."""
    axes = len(how.windows)
    looked = looked_at(padded(x, how.pads, 1), how, 1)
    counts, places = range(1, 1 + axes), range(1 + axes, 1 + 2 * axes)
    channels = 1 + 2 * axes
    total = apply1(Einsum.of([[0, *counts, *places, channels]], [0, *counts, channels]), looked)
    if not how.is_padded:
        return divide(total, volume(how.windows))
    return divide(total, Tensor(_elements(shape_of(x)[1:-1], how).astype(dtype_of(x))))


def _elements(image: Sequence[int], how: Slide) -> Any:
    """Count the elements of the image in each window."""
    found = np.ones((1,))
    for n, window, (before, _), count in zip(image, how.windows, how.pads, how.counts, strict=True):
        at = window.stride * np.arange(count)[:, None] + window.dilation * np.arange(window.size)
        inside = (at >= before) & (at < before + n)
        found = np.multiply.outer(found[..., 0], inside.sum(axis=1))[..., None]
    return found
