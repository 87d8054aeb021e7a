"""What `depthwise_conv2d` passes back to its images and its filters, as functions of their own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from symtape.errors import UnsupportedError
from symtape.ops.arguments import FEATURES, check, integers, like, plain, same_dtype, tensor
from symtape.ops.nn.windows.sliding import (
    Slide,
    channels_first,
    channels_last,
    cropped,
    full_list,
    is_channels_first,
    looked_at,
    of_image,
    padded,
    slide,
)
from symtape.ops.shapes.shaping import with_shape
from symtape.program.kinds.windows import Overlap, Window
from symtape.program.operations import Einsum
from symtape.tensor.dispatch import apply, apply1, invalid
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of

_ONES = [1, 1, 1, 1]
_BATCH, _ROWS, _COLUMNS, _HEIGHT, _WIDTH, _DEPTH, _MANY = range(7)


class _Words(NamedTuple):
    """How TensorFlow calls one of the two, in messages."""

    op: str
    kernel: str
    text: str


_INPUT = _Words(
    "DepthwiseConv2dNativeBackpropInput",
    "depthwise_conv2d_native_backprop_input",
    "DepthwiseConv2DBackpropInput",
)
_FILTER = _Words(
    "DepthwiseConv2dNativeBackpropFilter",
    "depthwise_conv2d_native_backprop_filter",
    "DepthwiseConv2DBackpropFilter",
)


def depthwise_conv2d_backprop_input(
    input_sizes: Any,
    filter: Any,
    out_backprop: Any,
    strides: Any,
    padding: Any,
    data_format: str | None = "NHWC",
    dilations: Any = _ONES,
    name: str | None = None,
) -> Tensor:
    """Give the gradient of a `depthwise_conv2d` in images of `input_sizes`, linear in what comes.

    `out_backprop` has the shape of the result of the convolution with the same filters, strides,
    one number for rows and columns, and padding. Raises `InvalidArgumentError` for what does not
    fit, and `UnsupportedError` for dilations, which TensorFlow does not look at.

    >>> import numpy as np
    >>> filters, back = np.reshape([1.0, 10.0], (1, 2, 1, 1)), np.ones((1, 1, 2, 1))
    >>> depthwise_conv2d_backprop_input([1, 1, 3, 1], filters, back, [1] * 4, "VALID").numpy()[0, 0]
    array([[ 1.],
           [11.],
           [10.]])
    """
    f = tensor(filter)
    y = like(out_backprop, f)
    check(_INPUT.op, f, FEATURES, "input_sizes:int32, filter:T, out_backprop:T -> output:T")
    same_dtype(_INPUT.op, f, y, 2)
    first = is_channels_first(_INPUT.op, data_format, 2)
    shape = _sizes(input_sizes)
    _check_ranks(_INPUT, shape, shape_of(f), shape_of(y))
    how = _read(_INPUT, shape, f, y, first, strides, padding, dilations)
    y = channels_last(y, 2) if first else y
    terms = [
        [_BATCH, _ROWS, _COLUMNS, _DEPTH, _MANY],
        [_HEIGHT, _WIDTH, _DEPTH, _MANY],
    ]
    out = [_BATCH, _ROWS, _COLUMNS, _HEIGHT, _WIDTH, _DEPTH]
    made = apply(Einsum.of(terms, out), _apart(y, shape_of(f)), f)
    image = shape[2:] if first else shape[1:3]
    sizes = tuple([a + n + b for (a, b), n in zip(how.pads, image, strict=True)])
    made = cropped(apply1(Overlap(how.windows, sizes, 1), made), how.pads, 1)
    return channels_first(made, 2) if first else made


def depthwise_conv2d_backprop_filter(
    input: Any,
    filter_sizes: Any,
    out_backprop: Any,
    strides: Any,
    padding: Any,
    data_format: str | None = "NHWC",
    dilations: Any = _ONES,
    name: str | None = None,
) -> Tensor:
    """Give the gradient of a `depthwise_conv2d` in filters of `filter_sizes`.

    The arguments and what is refused are those of `depthwise_conv2d_backprop_input`: that raises
    `InvalidArgumentError` and `UnsupportedError`.

    >>> import numpy as np
    >>> images, back = np.reshape([1.0, 2.0, 3.0], (1, 1, 3, 1)), np.ones((1, 1, 2, 1))
    >>> shape = [1, 2, 1, 1]
    >>> depthwise_conv2d_backprop_filter(images, shape, back, [1] * 4, "VALID").numpy().ravel()
    array([3., 5.])
    """
    x = tensor(input)
    y = like(out_backprop, x)
    check(_FILTER.op, x, FEATURES, "input:T, filter_sizes:int32, out_backprop:T -> output:T")
    same_dtype(_FILTER.op, x, y, 2)
    first = is_channels_first(_FILTER.op, data_format, 2)
    shape = _sizes(filter_sizes)
    _check_ranks(_FILTER, shape_of(x), shape, shape_of(y))
    how = _read(_FILTER, shape_of(x), shape, y, first, strides, padding, dilations)
    x, y = (channels_last(v, 2) if first else v for v in (x, y))
    terms = [
        [_BATCH, _ROWS, _COLUMNS, _HEIGHT, _WIDTH, _DEPTH],
        [_BATCH, _ROWS, _COLUMNS, _DEPTH, _MANY],
    ]
    operation = Einsum.of(terms, [_HEIGHT, _WIDTH, _DEPTH, _MANY])
    return apply(operation, looked_at(padded(x, how.pads, 1), how, 1), _apart(y, shape))


def _sizes(value: Any) -> tuple[int, ...]:
    return tuple(integers(plain(value)))


def _apart(y: Tensor, filters: Sequence[int]) -> Tensor:
    """Give the results of each channel an axis of their own."""
    return with_shape(y, (*shape_of(y)[:3], *filters[2:]))


def _check_ranks(words: _Words, *shapes: Sequence[int]) -> None:
    for what, shape in zip(("input", "filter", "out_backprop"), shapes, strict=True):
        if len(shape) != 4:
            raise invalid(words.op, f"{words.text}: {what} must be 4-dimensional")
        for k, n in enumerate(shape):
            if n < 0:
                raise invalid(words.op, f"Dimension {k} of {what}_sizes must be >= 0")


def _read(
    words: _Words,
    image: Sequence[int],
    filters: Any,
    back: Tensor,
    first: bool,
    strides: Any,
    padding: Any,
    dilations: Any,
) -> Slide:
    """Read the windows, and check that what comes back is what they give."""
    kernel = filters if isinstance(filters, tuple) else shape_of(filters)
    steps = _steps(words.op, full_list(strides, 2, words.kernel, "strides"), first)
    if dilations is not None and {*integers(plain(dilations))} != {1}:
        raise UnsupportedError(f"{words.kernel} of dilations; take the gradient by a tape")
    have = shape_of(back)
    place = 1 if first else 3
    if image[0] != have[0]:
        text = "input and out_backprop must have the same batch size"
        raise invalid(words.op, f"{words.text}: {text}")
    if image[place] != kernel[2]:
        text = "input and filter must have the same in_depth"
        raise invalid(words.op, f"{words.text}: {text}")
    if kernel[2] * kernel[3] != have[place]:
        text = "depth_multiplier * in_depth not equal to out_depth"
        raise invalid(words.op, f"{words.text}: {text}")
    windows = [Window(n, step) for n, step in zip(kernel[:2], steps, strict=True)]
    how = slide(words.op, of_image(image, first), windows, padding, first=first)
    named = zip(("rows", "cols"), of_image(have, first), how.counts, strict=True)
    for name, actual, computed in named:
        if actual != computed:
            raise invalid(
                words.op,
                f"{words.text}: Number of {name} of out_backprop doesn't match computed: "
                f"actual = {actual}, computed = {computed}",
            )
    return how


def _steps(op: str, strides: Sequence[int], first: bool) -> list[int]:
    if len(strides) != 4:
        raise invalid(op, "Sliding window strides field must specify 4 dimensions")
    inner = of_image(strides, first)
    if (strides[0], strides[1 if first else 3]) != (1, 1):
        text = (
            "Current implementation does not yet support strides in the batch and depth dimensions."
        )
        raise invalid(op, text)
    if inner[0] != inner[1]:
        text = (
            "Current implementation only supports equal length strides in the row and column "
            "dimensions."
        )
        raise invalid(op, text)
    if inner[0] <= 0:
        raise invalid(op, f"Stride must be > 0, but got {inner[0]}")
    return inner
