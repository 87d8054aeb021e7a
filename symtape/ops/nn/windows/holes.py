"""Windows with holes, by an operation without: on an image whose places are moved to the batch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from symtape.ops.arguments import integers, plain, tensor
from symtape.ops.nn.blocks import (
    batch_to_space,
    required_space_to_batch_paddings,
    space_to_batch,
)
from symtape.ops.nn.windows.sliding import explicit_pads
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of


def with_space_to_batch(
    input: Any,
    dilation_rate: Any,
    padding: Any,
    op: Callable[[Tensor, int, Any], Tensor],
    filter_shape: Any = None,
    spatial_dims: Any = None,
    data_format: str | None = None,
) -> Tensor:
    """Call `op(input, axes, padding)` on an image of which every nth row and column is one image.

    `dilation_rate` has a number for each of the axes `spatial_dims`, which are the first ones after
    the batch, or after the channels with a `data_format` that begins with "NC". Where all of them
    are one, `op` is called as it is; else its padding is "VALID". `padding` is "VALID", a list of
    pairs, or "SAME", which needs `filter_shape`. Raises `ValueError` for what does not fit.

    >>> x = np.arange(6.0).reshape(1, 6, 1)
    >>> with_space_to_batch(x, [2], "VALID", lambda y, n, p: y[:, 1:] - y[:, :-1]).numpy().ravel()
    array([2., 2., 2., 2.])
    """
    x = tensor(input)
    rates = convert(dilation_rate, dtypes.int32)
    if rates.ndim != 1:
        raise ValueError(
            "`dilation_rate.shape.rank` must be 1. Received: "
            f"dilation_rate={rates} of rank {rates.ndim}"
        )
    rate = integers(plain(rates))
    first = data_format is not None and data_format.startswith("NC")
    axes = _axes(x, len(rate), spatial_dims, first)
    if min(rate) < 1:
        raise ValueError(
            f"`dilation_rate` must be positive. Received: dilation_rate={np.array(rate)}"
        )
    if {*rate} == {1}:
        return op(x, len(rate), padding)
    base = _base(padding, filter_shape, rate, first)
    image = [shape_of(x)[k] for k in axes]
    paddings, crops = required_space_to_batch_paddings(image, rate, base)
    blocks = _spread(rate, axes, 1)
    made = op(space_to_batch(x, blocks, _spread(plain(paddings), axes, [0, 0])), len(rate), "VALID")
    return batch_to_space(made, blocks, _spread(plain(crops), axes, [0, 0]))


def _axes(x: Tensor, count: int, given: Any, first: bool) -> list[int]:
    """Read the axes that have dilations, and check that the image has them."""
    start = 2 if first else 1
    listed = list(range(start, count + start)) if given is None else list(given)
    axes = sorted({int(k) for k in listed})
    if axes != listed or min(axes, default=1) < 1:
        raise ValueError(
            "`spatial_dims` must be a monotonically increasing sequence of positive integers. "
            f"Received: spatial_dims={listed}"
        )
    needed = axes[-1] + (0 if first else 1)
    if x.ndim < needed:
        raise ValueError(
            f"`input.shape.rank` must be at least {needed}. Received: input.shape={x.shape} with "
            f"rank {x.ndim}"
        )
    return axes


def _base(padding: Any, filter_shape: Any, rate: Sequence[int], first: bool) -> Any:
    """Say what `padding` puts around the image."""
    if padding == "SAME":
        if filter_shape is None:
            raise ValueError(
                "`filter_shape` must be specified for `padding='SAME'`. "
                f"Received: filter_shape={filter_shape} and padding={padding}"
            )
        sizes = integers(plain(filter_shape))[: len(rate)]
        extra = [(n - 1) * r for n, r in zip(sizes, rate, strict=True)]
        return [[n // 2, n - n // 2] for n in extra]
    if padding == "VALID":
        return [[0, 0]] * len(rate)
    if isinstance(padding, (list, tuple)):
        return [list(pair) for pair in explicit_pads("SpaceToBatchND", padding, len(rate), first)]
    if padding == "EXPLICIT":
        raise ValueError(
            "'EXPLICIT' is not a valid value for `padding`. To use explicit padding, `padding` "
            "must be a list."
        )
    raise ValueError(f"`padding` must be one of 'SAME' or 'VALID'. Received: padding={padding}")


def _spread(values: Any, axes: Sequence[int], rest: Any) -> list[Any]:
    """Give each axis from the batch to the last one its value, and `rest` to those between."""
    known = dict(zip(axes, np.asarray(values).tolist(), strict=True))
    return [known.get(k, rest) for k in range(1, axes[-1] + 1)]
