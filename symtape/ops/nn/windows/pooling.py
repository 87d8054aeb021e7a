"""Pools: the largest element or the mean of every window of an image."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from symtape.ops.arguments import REALS, check, of_kernel, of_places, tensor
from symtape.ops.elementwise.conversion import cast
from symtape.ops.nn.windows.pooled import (
    AVG,
    AVG3D,
    MAX,
    MAX3D,
    chosen,
    edged,
    in_windows,
    largest,
    pooled,
    read,
)
from symtape.ops.nn.windows.sliding import (
    check_rates,
    is_channels_first,
    of_image,
    per_axis,
    word,
)
from symtape.program.evaluation import arrays
from symtape.tensor import dtypes
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of


def _pooling(
    name: str, kind: Any, axes: int, form: str, summary: str, at: str, gives: str
) -> Callable[..., Tensor]:
    """Make a function that pools windows over some axes; `form` is the default data format."""

    def function(
        input: Any,
        ksize: Any,
        strides: Any,
        padding: Any,
        data_format: str = form,
        name: str | None = None,
    ) -> Tensor:
        return pooled(kind, axes, input, ksize, strides, padding, data_format)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = (
        f"{summary}.\n\n    >>> import numpy as np\n    >>> {name}({at}).numpy().ravel()\n"
        f"    {gives}\n    "
    )
    return function


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
    array([3.], dtype=float32)
    """
    x = of_kernel(input, dtypes.float32, MAX.dtypes)
    return pooled(MAX, 2, x, ksize, strides, padding, data_format)


# fmt: off
max_pool1d = _pooling("max_pool1d", MAX, 1, "NWC",
                      "The largest element of every window of sequences [batch, length, channels]",
                      "[[[1.0], [3.0], [2.0]]], 2, 1, 'VALID'", "array([3., 3.], dtype=float32)")
max_pool3d = _pooling("max_pool3d", MAX3D, 3, "NDHWC",
                      "The largest element of every window of volumes; see `max_pool2d`",
                      "np.arange(8.0).reshape(1, 2, 2, 2, 1), 2, 2, 'VALID'", "array([7.])")
avg_pool1d = _pooling("avg_pool1d", AVG, 1, "NWC", "The mean of every window of sequences "
                      "[batch, length, channels]; see `avg_pool2d`",
                      "[[[1.0], [3.0], [2.0]]], 2, 1, 'SAME'",
                      "array([2. , 2.5, 2. ], dtype=float32)")
avg_pool2d = _pooling("avg_pool2d", AVG, 2, "NHWC",
                      "The mean of every window of images [batch, height, width, channels].\n\n"
                      "    The mean is that of the elements of the image: padding does not count. "
                      "The arguments\n    are those of `max_pool2d`",
                      "np.arange(4.0).reshape(1, 2, 2, 1), 2, 2, 'VALID'", "array([1.5])")
avg_pool3d = _pooling("avg_pool3d", AVG3D, 3, "NDHWC",
                      "The mean of every window of volumes; see `avg_pool2d`",
                      "np.ones((1, 2, 2, 2, 1)), 2, 2, 'VALID'", "array([1.])")
# fmt: on


def max_pool(
    input: Any,
    ksize: Any,
    strides: Any,
    padding: Any,
    data_format: str | None = None,
    name: str | None = None,
) -> Tensor:
    """`max_pool1d`, `max_pool2d` or `max_pool3d`, as the rank of the input says.

    >>> import numpy as np
    >>> max_pool(np.ones((1, 4, 1)), 2, 2, "VALID").shape
    TensorShape([1, 2, 1])
    """
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
    """`avg_pool1d`, `avg_pool2d` or `avg_pool3d`, as the rank of the input says.

    >>> import numpy as np
    >>> avg_pool(np.ones((1, 4, 1)), 2, 2, "VALID").shape
    TensorShape([1, 2, 1])
    """
    run, default = _for_rank(input, (avg_pool1d, avg_pool2d, avg_pool3d))
    return run(input, ksize, strides, padding, data_format or default)  # type: ignore[no-any-return]  # likewise


def _for_rank(input: Any, functions: Sequence[Any]) -> tuple[Any, str]:
    shape = shape_of(tensor(input))
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
    if x.ndim != axes + 2:
        raise ValueError(f"Shape {shape_of(x)} must have rank {axes + 2}")
    kinds = {"MAX": (MAX, MAX3D), "AVG": (AVG, AVG3D)}.get(pooling_type)
    if kinds is None:
        raise ValueError(f"{axes}-D {pooling_type} pooling is not supported.")
    kind = kinds[axes == 3]
    first = is_channels_first(kind.op, data_format, axes)
    rates = of_image(per_axis(dilations, axes, first, "dilations"), first)
    check_rates(of_image(per_axis(strides, axes, first, "strides"), first), rates)
    if padding == "SAME" and max(rates) > 1:
        raise ValueError(
            "pooling with 'SAME' padding is not implemented for `dilation_rate` > 1. "
            f"Received: padding=SAME and dilation_rate={np.array(rates)}"
        )
    return pooled(kind, axes, x, window_shape, strides, padding, data_format, rates)


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
    check("MaxPoolWithArgmax", x, REALS, "input:T -> output:T, argmax:Targmax")
    wanted = of_places("MaxPoolWithArgmax", output_dtype, dtypes.int64, "Targmax")
    how = read(MAX, 2, x, ksize, strides, word(padding), False, [1, 1])
    found, places = largest(x, how)
    numbers = arrays.numbered(shape_of(x) if include_batch_in_index else shape_of(x)[1:])
    if not include_batch_in_index:
        numbers = np.broadcast_to(numbers, shape_of(x))
    at = chosen(in_windows(edged(Tensor(np.ascontiguousarray(numbers)), how), how), places)
    return MaxPoolWithArgmax(found, cast(at, wanted))
