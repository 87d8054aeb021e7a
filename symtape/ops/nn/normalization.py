"""Moments, normalization, biases and embeddings, as networks use them."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtape.ops.arguments import NUMBERS, axes_of, check, is_tensor, listed, pair, tensor
from symtape.ops.elementwise.activation import relu
from symtape.ops.elementwise.arithmetic import add, multiply, squared_difference, subtract
from symtape.ops.elementwise.conversion import cast
from symtape.ops.elementwise.functions import negative, rsqrt
from symtape.ops.indexing.gathering import (
    gather,
)
from symtape.ops.reductions.norms import clip_by_norm
from symtape.ops.reductions.reduction import reduce_mean
from symtape.ops.shapes.joining import concat
from symtape.ops.shapes.shaping import squeeze, with_shape
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.dispatch import follow, invalid, misfit
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of


def moments(
    x: Any, axes: Any, shift: Any = None, keepdims: bool = False, name: str | None = None
) -> tuple[Tensor, Tensor]:
    """The mean and the variance along some axes; `shift` changes nothing, as in TensorFlow.

    Of no axes, axes of size 1 are left out, as TensorFlow does.

    >>> [m.numpy().item() for m in moments([1.0, 3.0], 0)]
    [2.0, 1.0]
    """
    x = tensor(x)
    axes = axes_of("Mean", axes, x.ndim)
    wide = cast(x, dtypes.float32) if x.dtype is dtypes.half else x
    middle = reduce_mean(wide, axes, keepdims=True)
    variance = reduce_mean(squared_difference(wide, middle), axes, keepdims=keepdims)
    mean = middle if keepdims else reduce_mean(wide, axes)
    made = cast(mean, x.dtype), cast(variance, x.dtype)
    return made if axes or keepdims else (squeeze(made[0]), squeeze(made[1]))


def batch_normalization(
    x: Any,
    mean: Any,
    variance: Any,
    offset: Any,
    scale: Any,
    variance_epsilon: Any,
    name: str | None = None,
) -> Tensor:
    """scale (x - mean) / sqrt(variance + epsilon) + offset; None for no scale or offset.

    What `x` is multiplied by and moved by is computed in the dtype of the variance.

    >>> batch_normalization([3.0], 1.0, 4.0, None, 2.0, 0.0).numpy()
    array([2.], dtype=float32)
    """
    x = tensor(x)
    inverse = rsqrt(add(pair(x, variance)[1], variance_epsilon))
    if scale is not None:
        inverse = multiply(inverse, scale)
    shifted = multiply(pair(inverse, mean)[1], inverse)
    moved = negative(shifted) if offset is None else subtract(pair(inverse, offset)[1], shifted)
    return add(multiply(x, cast(inverse, x.dtype)), cast(moved, x.dtype))


def batch_norm_with_global_normalization(
    input: Any,
    mean: Any,
    variance: Any,
    beta: Any,
    gamma: Any,
    variance_epsilon: Any,
    scale_after_normalization: bool,
    name: str | None = None,
) -> Tensor:
    """`batch_normalization` with `beta`, and with `gamma` if `scale_after_normalization`.

    >>> batch_norm_with_global_normalization([3.0], 1.0, 4.0, 5.0, 2.0, 0.0, False).numpy()
    array([6.], dtype=float32)
    """
    scale = gamma if scale_after_normalization else None
    return batch_normalization(input, mean, variance, beta, scale, variance_epsilon)


def bias_add(value: Any, bias: Any, data_format: Any = None, name: str | None = None) -> Tensor:
    """A tensor with a vector added along its last axis, or its second one ("NC…").

    Raises `InvalidArgumentError` where sizes differ.

    >>> bias_add([[1.0, 2.0]], [10.0, 20.0]).numpy()
    array([[11., 22.]], dtype=float32)
    """
    x, b = pair(value, bias)
    first = data_format is not None and data_format.startswith("NC")
    if (
        data_format is not None
        and not first
        and not (data_format.startswith("N") and data_format.endswith("C"))
    ):
        raise ValueError(
            "`data_format` must be of the form `N...C` or `NC...`. Received: "
            f"data_format={data_format}"
        )
    check("BiasAdd", x, NUMBERS, "value:T, bias:T -> output:T")
    shape = shape_of(x)
    if len(shape) < 2:
        raise invalid("BiasAdd", f"Input tensor must be at least 2D: {listed(shape)}")
    axis = 1 if first else len(shape) - 1
    if shape_of(b) != (shape[axis],):
        raise misfit(
            "BiasAdd",
            "Must provide as many biases as the last dimension of the input tensor: "
            f"{listed(shape_of(b))} vs. {listed(shape)}",
        )
    made = add(x, with_shape(b, (shape[axis], *(1,) * (len(shape) - 1 - axis))))
    return follow("BiasAdd" if axis == len(shape) - 1 else "BiasAdd of NC...", (x, b), made)


def embedding_lookup(
    params: Any, ids: Any, max_norm: Any = None, name: str | None = None
) -> Tensor:
    """The rows of a matrix at `ids`, each shortened to `max_norm` if that is given.

    The parts of a list are one matrix, one below another. The gradient is dense.

    >>> embedding_lookup(tensor([[1.0, 2.0], [3.0, 4.0]]), [1, 1]).numpy()
    array([[3., 4.],
           [3., 4.]], dtype=float32)
    """
    parts = params if isinstance(params, (list, tuple)) else ()
    kinds = (np.ndarray, list, tuple)
    if parts and all(isinstance(part, kinds) or is_tensor(part) for part in parts):
        params = params[0] if len(params) == 1 else concat(params, 0)
    places = convert(ids)
    rows = gather(params, places)
    if max_norm is None:
        return rows
    return clip_by_norm(rows, max_norm, axes=list(range(places.ndim, rows.ndim)))


def crelu(features: Any, axis: int = -1, name: str | None = None) -> Tensor:
    """relu of a tensor and of its opposite, one after the other along an axis.

    >>> crelu([1.0, -2.0]).numpy()
    array([1., 0., 0., 2.], dtype=float32)
    """
    x = tensor(features)
    return relu(concat([x, negative(x)], axis))
