"""Pools: the largest element or the mean of every window of an image."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from symtape.errors import UnsupportedError
from symtape.ops.arguments import Allowed, allowed, check, tensor
from symtape.ops.arithmetic import divide
from symtape.ops.conversion import cast
from symtape.ops.convolution import FLOATS, check_rates, is_sequence_first
from symtape.ops.repetition import joined, part_of
from symtape.ops.shaping import with_shape
from symtape.ops.sliding import (
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
from symtape.program import arrays
from symtape.program.operations import Einsum
from symtape.program.structural import Gather, Position
from symtape.program.windows import Window
from symtape.tensor import dtypes
from symtape.tensor.door import apply, apply1, invalid
from symtape.tensor.tensor import Tensor


class _Kind(NamedTuple):
    """One of TensorFlow's pools: what it computes, its name in messages, what it takes."""

    is_max: bool
    op: str
    dtypes: Allowed
    options: tuple[str, ...]


_WITH_LISTS = ("SAME", "VALID", "EXPLICIT")
_COMPARED = allowed(
    "half, bfloat16, float, double, int32, int64, uint8, int16, int8, uint16, qint8"
)
_MAX = _Kind(True, "MaxPool", _COMPARED, _WITH_LISTS)
_AVG = _Kind(False, "AvgPool", FLOATS, ("SAME", "VALID"))
_MAX3D = _Kind(True, "MaxPool3D", FLOATS, ("SAME", "VALID"))
_AVG3D = _Kind(False, "AvgPool3D", FLOATS, ("SAME", "VALID"))


def max_pool1d(
    input: Any,
    ksize: Any,
    strides: Any,
    padding: Any,
    data_format: str = "NWC",
    name: str | None = None,
) -> Tensor:
    """The largest element of every window of sequences [batch, length, channels].

    >>> max_pool1d([[[1.0], [3.0], [2.0]]], 2, 1, "VALID").numpy().ravel()
    array([3., 3.], dtype=float32)
    """
    return _pooled(_MAX, 1, input, ksize, strides, padding, is_sequence_first(data_format))


def max_pool2d(
    input: Any,
    ksize: Any,
    strides: Any,
    padding: Any,
    data_format: str = "NHWC",
    name: str | None = None,
) -> Tensor:
    """The largest element of every window of images [batch, height, width, channels].

    `ksize` and `strides` are one number, two or four; `padding` is "VALID", "SAME" or pairs of
    numbers for every axis, and padding is never the largest. Of equal elements the first one of the
    window receives the gradient. A nan is the largest.

    >>> import numpy as np
    >>> max_pool2d(np.arange(4.0).reshape(1, 2, 2, 1), 2, 2, "VALID").numpy().ravel()
    array([3.])
    """
    return _pooled(
        _MAX, 2, input, ksize, strides, padding, is_channels_first("MaxPool", data_format, 2)
    )


def max_pool3d(
    input: Any,
    ksize: Any,
    strides: Any,
    padding: Any,
    data_format: str = "NDHWC",
    name: str | None = None,
) -> Tensor:
    """The largest element of every window of volumes; see `max_pool2d`."""
    return _pooled(
        _MAX3D, 3, input, ksize, strides, padding, is_channels_first("MaxPool3D", data_format, 3)
    )


def avg_pool1d(
    input: Any,
    ksize: Any,
    strides: Any,
    padding: Any,
    data_format: str = "NWC",
    name: str | None = None,
) -> Tensor:
    """The mean of every window of sequences [batch, length, channels]; see `avg_pool2d`.

    >>> avg_pool1d([[[1.0], [3.0], [2.0]]], 2, 1, "SAME").numpy().ravel()
    array([2. , 2.5, 2. ], dtype=float32)
    """
    return _pooled(_AVG, 1, input, ksize, strides, padding, is_sequence_first(data_format))


def avg_pool2d(
    input: Any,
    ksize: Any,
    strides: Any,
    padding: Any,
    data_format: str = "NHWC",
    name: str | None = None,
) -> Tensor:
    """The mean of every window of images [batch, height, width, channels].

    The mean is that of the elements of the image: padding does not count. The arguments are those
    of `max_pool2d`.

    >>> import numpy as np
    >>> avg_pool2d(np.arange(4.0).reshape(1, 2, 2, 1), 2, 2, "VALID").numpy().ravel()
    array([1.5])
    """
    return _pooled(
        _AVG, 2, input, ksize, strides, padding, is_channels_first("AvgPool", data_format, 2)
    )


def avg_pool3d(
    input: Any,
    ksize: Any,
    strides: Any,
    padding: Any,
    data_format: str = "NDHWC",
    name: str | None = None,
) -> Tensor:
    """The mean of every window of volumes; see `avg_pool2d`."""
    return _pooled(
        _AVG3D, 3, input, ksize, strides, padding, is_channels_first("AvgPool3D", data_format, 3)
    )


def max_pool(
    input: Any,
    ksize: Any,
    strides: Any,
    padding: Any,
    data_format: str | None = None,
    name: str | None = None,
) -> Tensor:
    """`max_pool1d`, `max_pool2d` or `max_pool3d`, as the rank of the input says."""
    run, default = _for_rank(input, (max_pool1d, max_pool2d, max_pool3d))
    return run(input, ksize, strides, padding, data_format or default)  # type: ignore[no-any-return]  # one of three


def avg_pool(
    input: Any,
    ksize: Any,
    strides: Any,
    padding: Any,
    data_format: str | None = None,
    name: str | None = None,
) -> Tensor:
    """`avg_pool1d`, `avg_pool2d` or `avg_pool3d`, as the rank of the input says."""
    run, default = _for_rank(input, (avg_pool1d, avg_pool2d, avg_pool3d))
    return run(input, ksize, strides, padding, data_format or default)  # type: ignore[no-any-return]  # likewise


def _for_rank(input: Any, functions: Sequence[Any]) -> tuple[Any, str]:
    shape = tensor(input).value.shape
    rank = len(shape)
    if rank not in {3, 4, 5}:
        raise ValueError(
            f"`input.shape.rank` must be 3, 4 or 5. Received: input.shape={shape} of rank {rank}."
        )
    return functions[rank - 3], ("NWC", "NHWC", "NDHWC")[rank - 3]


def pool(
    input: Any,
    window_shape: Any,
    pooling_type: str,
    strides: Any = None,
    padding: Any = "VALID",
    data_format: str | None = None,
    dilations: Any = None,
    name: str | None = None,
) -> Tensor:
    """The "MAX" or "AVG" of windows over as many axes as `window_shape` has, maybe with holes.

    >>> pool([[[1.0], [3.0], [2.0]]], [2], "MAX", dilations=[2]).numpy().ravel()
    array([2.], dtype=float32)
    """
    x = tensor(input)
    axes = len(window_shape)
    if axes not in {1, 2, 3}:
        raise ValueError(
            "`len(window_shape)` must be 1, 2, or 3. "
            f"Received: window_shape={window_shape} of length {axes}"
        )
    if x.value.ndim != axes + 2:
        raise ValueError(f"Shape {x.value.shape} must have rank {axes + 2}")
    kinds = {"MAX": (_MAX, _MAX3D), "AVG": (_AVG, _AVG3D)}.get(pooling_type)
    if kinds is None:
        raise ValueError(f"{axes}-D {pooling_type} pooling is not supported.")
    kind = kinds[axes == 3]
    first = (
        is_sequence_first(data_format)
        if axes == 1
        else is_channels_first(kind.op, data_format, axes)
    )
    rates = of_image(per_axis(dilations, axes, first, "dilations"), first)
    check_rates(of_image(per_axis(strides, axes, first, "strides"), first), rates)
    if padding == "SAME" and max(rates) > 1:
        raise ValueError(
            "pooling with 'SAME' padding is not implemented for `dilation_rate` > 1. "
            f"Received: padding=SAME and dilation_rate={np.array(rates)}"
        )
    return _pooled(kind, axes, x, window_shape, strides, padding, first, rates)


class MaxPoolWithArgmax(NamedTuple):
    """What `max_pool_with_argmax` gives."""

    output: Tensor
    argmax: Tensor


def max_pool_with_argmax(
    input: Any,
    ksize: Any,
    strides: Any,
    padding: Any,
    data_format: str = "NHWC",
    output_dtype: Any = dtypes.int64,
    include_batch_in_index: bool = False,
    name: str | None = None,
) -> MaxPoolWithArgmax:
    """`max_pool2d`, and where in the image each element comes from, counted row by row.

    >>> import numpy as np
    >>> image = np.array([[1.0, 3.0], [2.0, 0.0]])[None, ..., None]
    >>> max_pool_with_argmax(image, 2, 2, "VALID").argmax.numpy().ravel()
    array([1])
    """
    if data_format != "NHWC":
        raise ValueError(
            "`data_format` values other  than 'NHWC' are not supported. "
            f"Received: data_format={data_format}"
        )
    x = tensor(input)
    how = _read(_MAX, 2, x, ksize, strides, padding, False, [1, 1])
    chosen, places = _largest(x, how)
    numbers = arrays.numbered(x.value.shape if include_batch_in_index else x.value.shape[1:])
    if not include_batch_in_index:
        numbers = np.broadcast_to(numbers, x.value.shape)
    at = _largest_of(_windows(_edged(Tensor(np.ascontiguousarray(numbers)), how), how), places)
    return MaxPoolWithArgmax(chosen, cast(at, output_dtype))


# --- one for all ----------------------------------------------------------------------------------


def _pooled(
    kind: _Kind,
    axes: int,
    input: Any,
    ksize: Any,
    strides: Any,
    padding: Any,
    first: bool,
    rates: Sequence[int] = (1, 1, 1),
) -> Tensor:
    x = tensor(input)
    check(kind.op, x, kind.dtypes, "input:T -> output:T")
    if x.value.ndim == axes + 2 and first:
        x = channels_last(x, axes)
    depth = _depth(kind, axes, x, ksize, strides, first)
    if depth:
        return _over_channels(x, depth)
    how = _read(kind, axes, x, ksize, strides, padding, first, rates[:axes])
    made = _largest(x, how)[0] if kind.is_max else _mean(x, how)
    return channels_first(made, axes) if first else made


def _depth(kind: _Kind, axes: int, x: Tensor, ksize: Any, strides: Any, first: bool) -> int:
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
    if x.value.shape[-1] % sizes[place]:
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
    *lead, channels = x.value.shape
    line = with_shape(x, (*lead, channels // depth, depth))
    return _largest_of(line, apply1(Position("argmax", -1, "int64"), line))


def _read(
    kind: _Kind,
    axes: int,
    x: Tensor,
    ksize: Any,
    strides: Any,
    padding: Any,
    first: bool,
    rates: Sequence[int],
) -> Slide:
    if x.value.ndim != axes + 2:
        if axes == 3:
            raise invalid(kind.op, "tensor_in must be 5-dimensional")
        rank = x.value.ndim + (1 if axes == 1 else 0)
        raise invalid(kind.op, f"tensor_in_shape must have 2 spatial dimensions. {rank} 0")
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
    image = x.value.shape[1:-1]
    how = slide(kind.op, image, windows, padding, first=first, options=kind.options)
    for side, k in ((s, k) for k in range(axes) for s in (0, 1)):
        if how.pads[k][side] >= sizes[k] and padding != "SAME":
            name = (("Top", "Bottom"), ("Left", "Right"))[min(k, 1) if axes > 1 else 1][side]
            raise invalid(
                kind.op,
                f"{name} padding {how.pads[k][side]} needs to be smaller than the window size "
                f"{sizes[k]}",
            )
    if kind.is_max and how.is_padded and max(rates) > 1:
        raise UnsupportedError(
            "pool(pooling_type='MAX') with both padding and dilations: pad the input with tf.pad"
        )
    return how


def _largest(x: Tensor, how: Slide) -> tuple[Tensor, Tensor]:
    """Give the first largest element of each window, and its place within the window."""
    line = _windows(_edged(x, how), how)
    places = apply1(Position("argmax", -1, "int64"), line)
    return _largest_of(line, places), places


def _largest_of(line: Tensor, places: Tensor) -> Tensor:
    return apply(Gather(0, 0, line.value.ndim - 1), line, places)


def _edged(x: Tensor, how: Slide) -> Tensor:
    """Repeat the elements at the edges: every window that has the copy has the element, too."""
    for axis, (before, after) in enumerate(how.pads, 1):
        n = x.value.shape[axis]
        if n and (before or after):
            start, end = part_of(x, axis, 0, 1), part_of(x, axis, n - 1, 1)
            x = joined([*[start] * before, x, *[end] * after], axis)
    return x


def _windows(x: Tensor, how: Slide) -> Tensor:
    """Put the elements of each window one after another in the last axis."""
    looked = looked_at(channels_first(x, len(how.windows)), how, 0)
    shape = looked.value.shape
    line = with_shape(looked, (*shape[: len(shape) - len(how.windows)], volume(how.windows)))
    rank = line.value.ndim
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
    return divide(total, Tensor(_elements(x.value.shape[1:-1], how).astype(x.value.dtype)))


def _elements(image: Sequence[int], how: Slide) -> Any:
    """Count the elements of the image in each window."""
    found = np.ones((1,))
    for n, window, (before, _), count in zip(image, how.windows, how.pads, how.counts, strict=True):
        at = window.stride * np.arange(count)[:, None] + window.dilation * np.arange(window.size)
        inside = (at >= before) & (at < before + n)
        found = np.multiply.outer(found[..., 0], inside.sum(axis=1))[..., None]
    return found
