"""Convolutions: sums over sliding windows of what stands there times what the filter has there.

Machine learning's convolution is the correlation of signal processing: filters are not turned
round. With windows W of an image, y[i, m] = Σ_{k, c} W[i, k, c] F[k, c, m], one contraction; its
derivatives are those of windows and contractions. Where large images have many more channels than
filters make of them, the filters are multiplied with each element and laid along the image, which
is the same sum in another order, and leaves BLAS nothing large to copy.
"""

from __future__ import annotations

from math import prod
from typing import Any

from symtape.ops.arguments import allowed, check, like, listed, pair, same_dtype, tensor
from symtape.ops.nn.windows.sliding import (
    Slide,
    channels_first,
    channels_last,
    check_rates,
    full_list,
    is_channels_first,
    looked_at,
    of_image,
    padded,
    paddings_of,
    per_axis,
    read_windows,
    slide,
    volume,
)
from symtape.ops.shapes.repetition import part_of
from symtape.ops.shapes.shaping import with_shape
from symtape.program.kinds.structural import Slice
from symtape.program.kinds.windows import Overlap
from symtape.program.operations import Einsum
from symtape.tensor.dispatch import apply, apply1, invalid, misfit
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of

FLOATS = allowed("half, bfloat16, float, double")
_NUMBERS = allowed("half, bfloat16, float, double, int32")
_SIGNATURE = "input:T, filter:T -> output:T"


def conv1d(
    input: Any,
    filters: Any,
    stride: Any,
    padding: Any,
    data_format: str = "NWC",
    dilations: Any = None,
    name: str | None = None,
) -> Tensor:
    """Slide filters [width, channels, outputs] along sequences [batch, length, channels].

    `padding` is "VALID", "SAME" or pairs of numbers for every axis; see `conv2d`.

    >>> conv1d([[[1.0], [2.0], [4.0]]], [[[1.0]], [[-1.0]]], 1, "VALID").numpy()
    array([[[-1.],
            [-2.]]], dtype=float32)
    """
    return _convolved(1, input, filters, stride, padding, data_format, dilations)


def conv2d(
    input: Any,
    filters: Any,
    strides: Any,
    padding: Any,
    data_format: str = "NHWC",
    dilations: Any = None,
    name: str | None = None,
) -> Tensor:
    """Slide filters [height, width, channels, outputs] over images.

    Images are of shape [batch, height, width, channels].

    `strides` and `dilations` are one number, two, or four with those of batch and channels, which
    are 1. `padding` is "VALID" (none), "SAME" (zeros, so that a stride of 1 keeps the size) or
    pairs of numbers for every axis. With `data_format="NCHW"` the channels of images come second.
    Filters with g times fewer channels than the images work on g groups of channels. More axes in
    front are a batch, too. Raises `InvalidArgumentError` where sizes do not fit.

    >>> import numpy as np
    >>> image, edge = np.eye(3, dtype="f")[None, ..., None], [[[[1.0]], [[-1.0]]]]
    >>> conv2d(image, edge, 1, "VALID").numpy()[0, ..., 0]
    array([[ 1.,  0.],
           [-1.,  1.],
           [ 0., -1.]], dtype=float32)
    """
    return _convolved(2, *pair(input, filters), strides, padding, data_format, dilations)


def conv3d(
    input: Any,
    filters: Any,
    strides: Any,
    padding: Any,
    data_format: str = "NDHWC",
    dilations: Any = None,
    name: str | None = None,
) -> Tensor:
    """Slide filters [depth, height, width, channels, outputs] over volumes; see `conv2d`.

    `strides` and `dilations` have five numbers, the first and the last of which are 1.

    >>> import numpy as np
    >>> volume = np.arange(8.0).reshape(1, 2, 2, 2, 1)
    >>> conv3d(volume, np.ones((2, 2, 2, 1, 1)), [1, 1, 1, 1, 1], "VALID").numpy().ravel()
    array([28.])
    """
    strides = _five(strides, "strides")
    dilations = [1] * 5 if dilations is None else _five(dilations, "dilations")
    return _convolved(3, *pair(input, filters), strides, padding, data_format, dilations)


def _five(value: Any, name: str) -> list[int]:
    found = full_list(value, 3, "conv3d", name)
    if len(found) < 5:
        raise invalid(
            "Conv3D", f"Length for attr '{name}' of {len(found)} must be at least minimum 5"
        )
    return found


def convolution(
    input: Any,
    filters: Any,
    strides: Any = None,
    padding: Any = "VALID",
    data_format: str | None = None,
    dilations: Any = None,
    name: str | None = None,
) -> Tensor:
    """Slide filters over sequences, images or volumes, as many axes as the filters have.

    Strides and dilations exclude each other, as in TensorFlow; `conv2d` takes both.

    >>> convolution([[[1.0], [2.0], [4.0]]], [[[1.0]], [[-1.0]]]).numpy().ravel()
    array([-1., -2.], dtype=float32)
    """
    x = tensor(input)
    f = like(filters, x)
    axes = f.ndim - 2
    if axes not in {1, 2, 3}:
        raise ValueError(
            f"`num_spatial_dims` must be 1, 2, or 3. Received: num_spatial_dims={axes}."
        )
    first = is_channels_first("Conv3D" if axes == 3 else "Conv2D", data_format, axes)
    steps = of_image(per_axis(strides, axes, first, "strides"), first)
    rates = of_image(per_axis(dilations, axes, first, "dilations"), first)
    check_rates(steps, rates)
    return _convolved(axes, x, f, strides, padding, data_format, dilations)


def atrous_conv2d(
    value: Any, filters: Any, rate: Any, padding: Any, name: str | None = None
) -> Tensor:
    """Slide filters with holes: `rate` is the distance between the places of a window.

    >>> import numpy as np
    >>> atrous_conv2d(np.ones((1, 3, 3, 1)), np.ones((2, 2, 1, 1)), 2, "VALID").numpy().ravel()
    array([4.])
    """
    return convolution(value, filters, None, padding, None, [rate, rate])


# --- one for all ----------------------------------------------------------------------------------


def _convolved(
    axes: int,
    input: Any,
    filters: Any,
    strides: Any,
    padding: Any,
    data_format: Any,
    dilations: Any,
) -> Tensor:
    op, kinds = ("Conv3D", FLOATS) if axes == 3 else ("Conv2D", _NUMBERS)
    first = is_channels_first(op, data_format, axes)
    x = tensor(input)
    f = like(filters, x)
    check(op, x, kinds, _SIGNATURE)
    same_dtype(op, x, f)
    _check_ranks(op, x, f, axes)
    if first:
        x = channels_last(x, axes)
    shape = shape_of(x)
    *sizes, depth, outputs = shape_of(f)
    groups = _groups(op, shape[-1], depth, outputs)
    windows = read_windows(op, sizes, strides, dilations, first)
    if 0 in sizes:
        raise invalid(
            op, "filter must not have zero elements (i.e. all dimensions must be non-zero)"
        )
    how = slide(op, shape[-axes - 1 : -1], windows, padding, first=first, options=paddings_of(op))
    y = _summed(x, f, how, groups)
    return channels_first(y, axes) if first else y


def _check_ranks(op: str, x: Tensor, f: Tensor, axes: int) -> None:
    """Raise TensorFlow's errors, which speak of a sequence as of an image of one row."""
    rank = max(axes, 2) + 2
    row = [1] if axes == 1 else []
    if x.ndim < axes + 2:
        shape = shape_of(x)
        shown = listed([*shape[: len(shape) - 2], *row, *shape[len(shape) - 2 :]])
        text = f"convolution input must be {rank}-dimensional: {shown}"
        raise invalid(op, "input must be 5-dimensional" if axes == 3 else text)
    if f.ndim != axes + 2:
        shown = listed([*row, *shape_of(f)])
        text = f"convolution filter must be {rank}-dimensional: {shown}"
        raise invalid(op, "filter must be 5-dimensional" if axes == 3 else text)


def _groups(op: str, channels: int, depth: int, outputs: int) -> int:
    start = "Input" if op == "Conv3D" else "input"
    if depth == 0:
        raise invalid(op, "filter depth must be stricly positive, got 0")
    if channels % depth:
        raise misfit(
            op, f"{start} depth must be evenly divisible by filter depth: {channels} vs {depth}"
        )
    groups = channels // depth
    if groups and outputs % groups:
        raise invalid(
            op, f"output depth must be evenly divisible by number of groups: {outputs} vs {groups}"
        )
    return groups


def _summed(x: Tensor, f: Tensor, how: Slide, groups: int) -> Tensor:
    """Contract the windows of [… S C] with filters [W C M]: [… I M]."""
    if groups == 1:
        if _has_few_outputs(x, f, how):
            return _laid_out(x, f, how)
        return contracted(looked_at(padded(x, how.pads, 1), how, 1), f, how, "")
    if groups == 0:
        f, groups = part_of(f, f.ndim - 2, 0, 0), 1
    *lead, channels = shape_of(x)
    *sizes, depth, outputs = shape_of(f)
    x = with_shape(x, (*lead, groups, channels // groups))
    f = with_shape(f, (*sizes, depth, groups, outputs // groups))
    y = contracted(looked_at(padded(x, how.pads, 2), how, 2), f, how, "grouped")
    return with_shape(y, (*shape_of(y)[:-2], outputs))


_COPIED = 1 << 22
"""Elements of windows from which on it matters that BLAS wants a copy of them."""


def _has_few_outputs(x: Tensor, f: Tensor, how: Slide) -> bool:
    """Say whether large windows have many more channels than filters make of them.

    Then windows are no more than what the filters make of each element, if all steps are one and
    nothing is added that no filter reaches.
    """
    *_, depth, outputs = shape_of(f)
    copied = prod(shape_of(x)[: -len(how.windows) - 1]) * prod(how.counts) * volume(how.windows)
    return (
        copied * depth >= _COPIED
        and 2 * outputs <= depth
        and all([w.stride == 1 for w in how.windows])
        and all([a < w.reach for (a, _), w in zip(how.pads, how.windows, strict=True)])
    )


def _laid_out(x: Tensor, f: Tensor, how: Slide) -> Tensor:
    """Multiply each element by all filters, and add up what comes to one place: [… S M].

    What an element gives to the window that begins k places before it stands k from the end of the
    turned filter, so that windows laid along the image add up to results, from the last place of
    the first window on.
    """
    axes = len(how.windows)
    shape, filters = shape_of(x), shape_of(f)
    lead = [10 + k for k in range(x.ndim - 1)]
    places = [200 + k for k in range(axes)]
    turned = [*[(n - 1, -1, n) for n in filters[:axes]], *_whole(filters[axes:])]
    terms = [[*lead, 0], [*places, 0, 1]]
    made = apply(Einsum.of(terms, [*lead, *places, 1]), x, apply1(Slice.of(turned, filters), f))
    reaches = [w.reach - 1 for w in how.windows]
    sizes = tuple([n + r for n, r in zip(shape[-axes - 1 : -1], reaches, strict=True)])
    added = apply1(Overlap(how.windows, sizes, 1), made)
    kept = zip(reaches, how.pads, how.counts, strict=True)
    of_image = [(reach - before, 1, count) for reach, (before, _), count in kept]
    ranges = [*_whole(shape[: -axes - 1]), *of_image, *_whole(filters[-1:])]
    return apply1(Slice.of(ranges, shape_of(added)), added)


def _whole(sizes: tuple[int, ...]) -> list[tuple[int, int, int]]:
    return [(0, 1, n) for n in sizes]


_KINDS = {
    "": ([0], [0, 1], [1]),
    "grouped": ([2, 0], [0, 2, 1], [2, 1]),
    "depthwise": ([2], [2, 1], [2, 1]),
}
"""The last indices of windows, filters and results: 0 is summed, 1 is of the filters, 2 of both."""


def contracted(x: Tensor, f: Tensor, how: Slide, kind: str) -> Tensor:
    """Sum over the places of windows, and over the channels that the kind says."""
    of_x, of_f, of_y = _KINDS[kind]
    axes = len(how.windows)
    lead = [10 + k for k in range(x.ndim - 2 * axes - len(of_x))]
    counts = [100 + k for k in range(axes)]
    places = [200 + k for k in range(axes)]
    terms = [[*lead, *counts, *places, *of_x], [*places, *of_f]]
    return apply(Einsum.of(terms, [*lead, *counts, *of_y]), x, f)
