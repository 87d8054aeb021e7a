"""Sums from which moments follow, and moments of weighted numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from symtape.ops.arguments import axes_of, tensor
from symtape.ops.elementwise.arithmetic import (
    add,
    divide_no_nan,
    multiply,
    squared_difference,
    subtract,
)
from symtape.ops.elementwise.conversion import cast
from symtape.ops.elementwise.functions import reciprocal, square
from symtape.ops.reductions.reduction import reduce_sum
from symtape.ops.shapes.creation import zeros_like
from symtape.ops.shapes.shaping import squeeze
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of


def sufficient_statistics(
    x: Any,
    axes: Sequence[int],
    shift: Any = None,
    keepdims: bool = False,
    name: str | None = None,
) -> tuple[Tensor, Tensor, Tensor, Tensor | None]:
    """How many numbers there are along axes, their sum, the sum of their squares, and `shift`.

    With a shift, it is taken from the numbers first. `normalize_moments` makes moments of these.

    >>> [None if t is None else t.numpy().item() for t in sufficient_statistics([1.0, 3.0], [0])]
    [2.0, 4.0, 10.0, None]
    """
    x = tensor(x)
    along = axes_of("Sum", list(set(axes)), x.ndim)
    count = convert(np.prod([shape_of(x)[k] for k in along]), x.dtype)
    if shift is None:
        first, second = x, square(x)
    else:
        shift = tensor(shift)
        first, second = subtract(x, shift), squared_difference(x, shift)
    sums = [reduce_sum(t, along, keepdims=keepdims) for t in (first, second)]
    return count, sums[0], sums[1], shift


def normalize_moments(
    counts: Any, mean_ss: Any, variance_ss: Any, shift: Any, name: str | None = None
) -> tuple[Tensor, Tensor]:
    """The mean and the variance, from what `sufficient_statistics` gives.

    >>> [m.numpy().item() for m in normalize_moments(2.0, 4.0, 10.0, None)]
    [2.0, 1.0]
    """
    share = reciprocal(counts)
    shifted = multiply(mean_ss, share)
    mean = shifted if shift is None else add(shifted, shift)
    return mean, subtract(multiply(variance_ss, share), square(shifted))


def weighted_moments(
    x: Any, axes: Any, frequency_weights: Any, keepdims: bool = False, name: str | None = None
) -> tuple[Tensor, Tensor]:
    """The mean and the variance along some axes, where each number counts its weight.

    Where all weights are 0 both are 0.

    >>> [m.numpy().item() for m in weighted_moments([1.0, 3.0], [0], [3.0, 1.0])]
    [1.5, 0.75]
    """
    x, weights = tensor(x), tensor(frequency_weights)
    wide = cast(x, dtypes.float32) if x.dtype is dtypes.half else x
    weights = cast(weights, wide.dtype)
    total = reduce_sum(add(weights, zeros_like(wide)), axes, keepdims=True)
    mean = divide_no_nan(reduce_sum(multiply(weights, wide), axes, keepdims=True), total)
    spread = multiply(weights, squared_difference(wide, mean))
    variance = divide_no_nan(reduce_sum(spread, axes, keepdims=True), total)
    if not keepdims:
        mean, variance = squeeze(mean, axes), squeeze(variance, axes)
    return cast(mean, x.dtype), cast(variance, x.dtype)
