"""Transposed convolutions: the images that a convolution would have been slid over.

They are the transposes of convolutions as linear maps: every window receives its number times the
filter, and overlapping windows are added up.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from symtape.ops.arguments import allowed, check, integers, like, pair, plain, same_dtype, tensor
from symtape.ops.nn.windows.convolution import FLOATS
from symtape.ops.nn.windows.sliding import (
    channels_first,
    channels_last,
    cropped,
    is_channels_first,
    paddings_of,
    read_windows,
    slide,
)
from symtape.program.kinds.windows import Overlap
from symtape.program.operations import Einsum
from symtape.tensor.convert import convert
from symtape.tensor.dispatch import apply, apply1, invalid
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of

_NUMBERS = allowed("half, bfloat16, float, double, int32")
_KERNELS = {2: "Conv2DBackpropInput", 3: "Conv3DBackpropInputV2"}
_NAMES = {2: "Conv2DCustomBackpropInput", 3: "Conv3DBackpropInputOp"}


def conv1d_transpose(
    input: Any,
    filters: Any,
    output_shape: Any,
    strides: Any,
    padding: Any = "SAME",
    data_format: str = "NWC",
    dilations: Any = None,
    name: str | None = None,
) -> Tensor:
    """The transpose of `conv1d`: filters [width, outputs, channels] laid along a sequence.

    `output_shape` is that of the result, which `conv1d` would take to the shape of `input`.

    >>> conv1d_transpose([[[1.0], [2.0]]], [[[1.0]], [[10.0]]], [1, 3, 1], 1, "VALID").numpy()[0]
    array([[ 1.],
           [12.],
           [20.]], dtype=float32)
    """
    return _transposed(1, input, filters, output_shape, strides, padding, data_format, dilations)


def conv2d_transpose(
    input: Any,
    filters: Any,
    output_shape: Any,
    strides: Any,
    padding: Any = "SAME",
    data_format: str = "NHWC",
    dilations: Any = None,
    name: str | None = None,
) -> Tensor:
    """The transpose of `conv2d`: filters [height, width, outputs, channels] laid over an image.

    `output_shape` is that of the result, or its height and width; `conv2d` would take it to the
    shape of `input`. Raises `InvalidArgumentError` where it would not.

    >>> import numpy as np
    >>> image, filters = np.eye(2)[None, ..., None], np.ones((2, 2, 1, 1))
    >>> conv2d_transpose(image, filters, [1, 3, 3, 1], 1, "VALID").numpy()[0, ..., 0]
    array([[1., 1., 0.],
           [1., 2., 1.],
           [0., 1., 1.]])
    """
    f, y = pair(filters, input)
    return _transposed(2, y, f, output_shape, strides, padding, data_format, dilations)


def conv3d_transpose(
    input: Any,
    filters: Any,
    output_shape: Any,
    strides: Any,
    padding: Any = "SAME",
    data_format: str = "NDHWC",
    dilations: Any = None,
    name: str | None = None,
) -> Tensor:
    """The transpose of `conv3d`; see `conv2d_transpose`.

    >>> import numpy as np
    >>> volume, filters = np.ones((1, 1, 1, 1, 1)), np.ones((2, 1, 1, 1, 1))
    >>> conv3d_transpose(volume, filters, [1, 2, 1, 1, 1], 1, "VALID").numpy().ravel()
    array([1., 1.])
    """
    f, y = pair(filters, input)
    return _transposed(3, y, f, output_shape, strides, padding, data_format, dilations)


def conv_transpose(
    input: Any,
    filters: Any,
    output_shape: Any,
    strides: Any,
    padding: Any = "SAME",
    data_format: str | None = None,
    dilations: Any = None,
    name: str | None = None,
) -> Tensor:
    """The transpose of a convolution over as many axes as `output_shape` has, less two.

    >>> conv_transpose([[[1.0]]], [[[1.0]], [[10.0]]], [1, 2, 1], 2).numpy().ravel()
    array([ 1., 10.], dtype=float32)
    """
    if output_shape is None:
        raise ValueError(
            "`output_shape` must be a tensor or sized collection. Received: output_shape=None"
        )
    shape = integers(output_shape)
    if len(shape) not in {3, 4, 5}:
        raise ValueError(
            "`output_shape` must be of length 3, 4 or 5. Received: "
            f"output_shape={output_shape} of length {len(shape)}."
        )
    run = {3: conv1d_transpose, 4: conv2d_transpose, 5: conv3d_transpose}[len(shape)]
    default = {3: "NWC", 4: "NHWC", 5: "NDHWC"}[len(shape)]
    return run(input, filters, shape, strides, padding, data_format or default, dilations)


def atrous_conv2d_transpose(
    value: Any,
    filters: Any,
    output_shape: Any,
    rate: Any,
    padding: Any,
    name: str | None = None,
) -> Tensor:
    """The transpose of `atrous_conv2d`.

    >>> import numpy as np
    >>> image, filters = np.ones((1, 1, 1, 1)), np.ones((2, 2, 1, 1))
    >>> atrous_conv2d_transpose(image, filters, [1, 3, 3, 1], 2, "VALID").numpy()[0, ..., 0]
    array([[1., 0., 1.],
           [0., 0., 0.],
           [1., 0., 1.]])
    """
    return conv2d_transpose(value, filters, output_shape, 1, padding, "NHWC", [rate, rate])


def _transposed(
    axes: int,
    input: Any,
    filters: Any,
    output_shape: Any,
    strides: Any,
    padding: Any,
    data_format: Any,
    dilations: Any,
) -> Tensor:
    op = _KERNELS[max(axes, 2)]
    first = is_channels_first(op, data_format, axes)
    y = tensor(input)
    f = like(filters, y)
    check(op, y, _NUMBERS if axes < 3 else FLOATS, "out_backprop:T, filter:T -> output:T")
    same_dtype(op, f, y, 2)
    shape = _output_shape(axes, y, f, output_shape, first)
    _check_ranks(axes, y, f, shape)
    if first:
        y = channels_last(y, axes)
        shape = (shape[0], *shape[2:], shape[1])
    windows = read_windows(op, shape_of(f)[:axes], strides, dilations, first)
    how = slide(op, shape[1:-1], windows, padding, first=first, options=paddings_of(op))
    _check_sizes(axes, y, f, shape, how.counts, windows)
    counts = range(10, 10 + axes)
    places = range(20, 20 + axes)
    terms = [[0, *counts, 1], [*places, 2, 1]]
    made = apply(Einsum.of(terms, [0, *counts, *places, 2]), y, f)
    sizes = tuple([a + n + b for (a, b), n in zip(how.pads, shape[1:-1], strict=True)])
    made = cropped(apply1(Overlap(how.windows, sizes, 1), made), how.pads, 1)
    return channels_first(made, axes) if first else made


def _output_shape(axes: int, y: Tensor, f: Tensor, given: Any, first: bool) -> tuple[int, ...]:
    """Read the shape of the result; the sizes of the image alone will do."""
    op = _KERNELS[max(axes, 2)]
    if given is None:
        convert(given)
    shape = tuple(integers(plain(given)))
    for n in shape:
        if n < 0:
            raise invalid(op, f"Dimension {n} must be >= 0")
    if len(shape) == axes and axes == 2 and y.ndim and f.ndim == axes + 2:
        channels = shape_of(f)[-2]
        lead = shape_of(y)[0]
        return (lead, channels, *shape) if first else (lead, *shape, channels)
    if len(shape) != axes + 2:
        if axes == 3:
            raise invalid(op, "input tensor must have 5 dimensions")
        seen = len(shape) + (1 if axes == 1 else 0)
        raise invalid(
            op, f"Conv2DBackpropInput requires input_sizes to contain 4 values or 2 values, but "
            f"got: {seen}"
        )  # fmt: skip
    return shape


def _check_ranks(axes: int, y: Tensor, f: Tensor, shape: Sequence[int]) -> None:
    op = _KERNELS[max(axes, 2)]
    row = 1 if axes == 1 else 0
    if y.ndim != axes + 2:
        if axes == 3:
            raise invalid(op, "out_backprop tensor must have 5 dimensions")
        raise invalid(op, f"input_sizes must be 4-dimensional, got: {y.ndim + row}")
    if f.ndim != axes + 2:
        rank = max(axes, 2) + 2
        raise invalid(op, f"{_NAMES[max(axes, 2)]}: filter must be {rank}-dimensional")


def _check_sizes(
    axes: int,
    y: Tensor,
    f: Tensor,
    shape: Sequence[int],
    counts: Sequence[int],
    windows: Sequence[Any],
) -> None:
    """Raise unless the convolution of the result would have the shape of the input."""
    op, name = _KERNELS[max(axes, 2)], _NAMES[max(axes, 2)]
    have = shape_of(y)
    _check_channels(axes, have, shape_of(f), shape)
    for k, (n, count) in enumerate(zip(have[1:-1], counts, strict=True)):
        if n != count:
            window = windows[k]
            raise invalid(
                op,
                f"{name}: Size of out_backprop doesn't match computed: actual = {n}, computed = "
                f"{count} spatial_dim: {k + 1 + (axes == 1)} input: {shape[k + 1]} filter: "
                f"{window.size} output: {n} stride: {window.stride} dilation: {window.dilation}",
            )


def _check_channels(
    axes: int, have: Sequence[int], filters: Sequence[int], shape: Sequence[int]
) -> None:
    op, name = _KERNELS[max(axes, 2)], _NAMES[max(axes, 2)]
    *_, outputs, channels = filters
    if have[0] != shape[0]:
        raise invalid(
            op,
            f"{name}: input and out_backprop must have the same batch size. Input batch: "
            f"{shape[0]}, outbackprop batch: {have[0]}, batch_dim: 0",
        )
    if axes == 3 and shape[-1] != outputs:
        raise invalid(op, _unequal("input", shape[-1], outputs))
    if axes == 3 and have[-1] != channels:
        raise invalid(op, _unequal("out_backprop", have[-1], channels))
    if not outputs or shape[-1] % outputs:
        raise invalid(op, f"{name}: input depth must be evenly divisible by filter depth")
    if have[-1] != channels:
        raise invalid(op, f"{name}: filter and out_backprop must have the same out_depth")
    if shape[-1] != outputs:
        raise invalid(
            op,
            "Gradients for grouped convolutions are not supported on CPU. Please file a feature "
            "request if you run into this issue. Computed input depth "
            f"{shape[-1]} doesn't match filter input depth {outputs}",
        )


def _unequal(what: str, have: int, wanted: int) -> str:
    return (
        f"{what} and filter_sizes must have the same number of channels. "
        f"Got {have} for {what} and {wanted} for filter_sizes"
    )
