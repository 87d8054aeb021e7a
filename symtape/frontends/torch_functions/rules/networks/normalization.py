"""ATen operations that normalize by moments, batch by batch, layer by layer, group by group."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from symtape.frontends.torch_functions.memory.views import as_dtype
from symtape.frontends.torch_functions.rules.networks.activations import number
from symtape.frontends.torch_functions.rules.rules import Step, rule
from symtape.ops.elementwise import functions as maps
from symtape.ops.reductions import reduction
from symtape.ops.shapes.shaping import with_shape
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import dtype_of, shape_of


def _moments(x: Tensor, axes: Sequence[int], eps: float) -> tuple[Tensor, Tensor, Tensor]:
    """The distances from the mean, the mean, and 1 over the root of the variance."""
    mean = reduction.reduce_mean(x, axes, True)
    variance = reduction.reduce_variance(x, axes, True)
    return x - mean, mean, number(x, 1) / maps.sqrt(variance + number(x, eps))


def _affine(x: Tensor, weight: Tensor | None, bias: Tensor | None, shape: Sequence[int]) -> Tensor:
    if weight is not None:
        x = x * with_shape(as_dtype(weight, dtype_of(x)), tuple(shape))
    return x if bias is None else x + with_shape(as_dtype(bias, dtype_of(x)), tuple(shape))


@rule("native_layer_norm")
def layer_norm(
    step: Step, x: Tensor, sizes: Sequence[int], weight: Tensor | None, bias: Tensor | None,
    eps: float,
) -> Any:  # fmt: skip
    """(x - μ)/√(σ² + ε) over the last axes, and the moments."""
    axes = list(range(x.ndim - len(sizes), x.ndim))
    off, mean, scale = _moments(x, axes, eps)
    return _affine(off * scale, weight, bias, sizes), mean, scale


@rule("native_group_norm")
def group_norm(
    step: Step, x: Tensor, weight: Tensor | None, bias: Tensor | None, n: int, c: int, area: int,
    groups: int, eps: float,
) -> Any:  # fmt: skip
    """(x - μ)/√(σ² + ε) over groups of channels, and the moments."""
    shape = shape_of(x)
    grouped = with_shape(x, (n, groups, prod(shape[1:]) // groups))
    off, mean, scale = _moments(grouped, [2], eps)
    made = with_shape(off * scale, shape)
    wide = (c, *(1,) * (len(shape) - 2))
    out = _affine(made, weight, bias, wide)
    return out, with_shape(mean, (n, groups)), with_shape(scale, (n, groups))


@rule("native_batch_norm")
def batch_norm(
    step: Step, x: Tensor, weight: Tensor | None, bias: Tensor | None, mean: Tensor | None,
    variance: Tensor | None, *settings: Any,
) -> Any:  # fmt: skip
    """(x - μ)/√(σ² + ε) over all axes but the channels; training moves the running moments."""
    training, momentum, eps = settings if len(settings) == 3 else (False, settings[0], settings[1])
    wide = (1, shape_of(x)[1], *(1,) * (x.ndim - 2))
    axes = [k for k in range(x.ndim) if k != 1]
    if not training and mean is not None and variance is not None:
        scale = number(x, 1) / maps.sqrt(with_shape(variance, wide) + number(x, eps))
        made = (x - with_shape(mean, wide)) * scale
        out, channels = _affine(made, weight, bias, wide), (shape_of(x)[1],)
        if not step.result(1).size:
            return out, None, None
        return out, mean, with_shape(scale, channels)  # as torch has them on a device
    off, middle, scale = _moments(x, axes, eps)
    channels = (shape_of(x)[1],)
    if mean is not None and variance is not None:
        count = prod([shape_of(x)[k] for k in axes])
        spread = reduction.reduce_variance(x, axes) * number(x, count / max(count - 1, 1))
        _move(step, 3, mean, with_shape(middle, channels), momentum)
        _move(step, 4, variance, spread, momentum)
    out = _affine(off * scale, weight, bias, wide)
    return out, with_shape(middle, channels), with_shape(scale, channels)


def _move(step: Step, k: int, old: Tensor, new: Tensor, momentum: float) -> None:
    """Tell that torch moved a running moment in place."""
    moved = old * number(old, 1 - momentum) + as_dtype(new, dtype_of(old)) * number(old, momentum)
    step.write(step.arguments[k], moved)
