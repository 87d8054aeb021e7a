"""TensorFlow's kernels of batch normalization, and what they pass back."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from symtape.ops.arguments import FEATURES, Allowed, allowed, check, like, listed, tensor
from symtape.ops.elementwise.conversion import cast
from symtape.ops.elementwise.functions import rsqrt
from symtape.ops.nn.windows.sliding import channels_first, channels_last, refuse_attribute
from symtape.ops.reductions.reduction import reduce_mean, reduce_sum
from symtape.tensor import dtypes
from symtape.tensor.dispatch import invalid
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of, size_of

_OP, _OLDER, _BACK = "FusedBatchNormV3", "FusedBatchNormV2", "FusedBatchNormGradV3"
_KINDS: Allowed = allowed("half, bfloat16, float")
_FORMS = {_OLDER: ("NHWC", "NCHW"), _OP: ("NHWC", "NCHW", "NDHWC", "NCDHW")}


class FusedBatchNormV3(NamedTuple):
    """What was normalized, the moments to go on with, and those that the gradient takes."""

    y: Tensor
    batch_mean: Tensor
    batch_variance: Tensor
    reserve_space_1: Tensor
    reserve_space_2: Tensor
    reserve_space_3: Tensor


class FusedBatchNormV2(NamedTuple):
    """What was normalized, the moments to go on with, and those that the gradient takes."""

    y: Tensor
    batch_mean: Tensor
    batch_variance: Tensor
    reserve_space_1: Tensor
    reserve_space_2: Tensor


class FusedBatchNormGradV3(NamedTuple):
    """What is passed back to the numbers, the scale and the offset, and two empty tensors."""

    x_backprop: Tensor
    scale_backprop: Tensor
    offset_backprop: Tensor
    reserve_space_4: Tensor
    reserve_space_5: Tensor


def normalized(
    x: Any,
    scale: Any,
    offset: Any,
    mean: Any,
    variance: Any,
    epsilon: float,
    factor: float,
    form: str,
    is_training: bool,
) -> FusedBatchNormV3:
    """Normalize channels by their own moments, or with `is_training=False` by given ones.

    A running mean goes on by `factor` of the new one. Where the moments are given, those for the
    gradient are these; TensorFlow has whatever is in memory there. Raises `InvalidArgumentError`
    for other ranks, dtypes and sizes.

    >>> made = normalized([[[[1.0], [3.0]]]], [1.0], [0.0], [], [], 0.0, 1.0, "NHWC", True)
    >>> made.y.numpy().ravel(), made.batch_variance.numpy()
    (array([-1.,  1.], dtype=float32), array([2.], dtype=float32))
    """
    made = _normalized(_OP, x, (scale, offset, mean, variance), epsilon, factor, form, is_training)
    return FusedBatchNormV3(*made, Tensor(np.float32(0)))


def normalized_before(
    x: Any,
    scale: Any,
    offset: Any,
    mean: Any,
    variance: Any,
    epsilon: float,
    factor: float,
    form: str,
    is_training: bool,
) -> FusedBatchNormV2:
    """Normalize as `normalized` does, of which TensorFlow's kernel before gives one tensor less.

    >>> made = normalized_before([[[[1.0], [3.0]]]], [1.0], [0.0], [], [], 0.0, 1.0, "NHWC", True)
    >>> len(made), made.batch_mean.numpy()
    (5, array([2.], dtype=float32))
    """
    own = (scale, offset, mean, variance)
    return _normalized(_OLDER, x, own, epsilon, factor, form, is_training)


def _normalized(
    op: str,
    x: Any,
    vectors: tuple[Any, ...],
    epsilon: float,
    factor: float,
    form: str,
    is_training: bool,
) -> FusedBatchNormV2:
    """Give what is normalized, and two pairs of moments; errors name the kernel."""
    if form not in _FORMS[op]:
        raise refuse_attribute(op, "data_format", form, _FORMS[op])
    given, first = _image(op, x, form)
    wide = cast(given, dtypes.float32)
    own = [_vector(op, value, wide) for value in vectors]
    _check(op, wide, own, is_training, factor)
    axes = list(range(wide.ndim - 1))
    found, spread = own[2], own[3]
    if is_training:
        found = reduce_mean(wide, axes)
        spread = reduce_mean((wide - found) * (wide - found), axes)
    made = (wide - found) * (rsqrt(spread + np.float32(epsilon)) * own[0]) + own[1]
    y = cast(made, given.dtype)
    running = _running(own, found, spread, wide, factor) if is_training else (found, spread)
    y = channels_first(y, wide.ndim - 2) if first else y
    return FusedBatchNormV2(y, *running, found, spread)


def _running(
    own: list[Tensor], found: Tensor, spread: Tensor, x: Tensor, factor: float
) -> tuple[Tensor, Tensor]:
    """Give the moments to go on with, of which the variance is that of a sample."""
    count = size_of(x) // shape_of(x)[-1]
    wide = spread * np.float32(count / max(count - 1, 1))
    if factor == 1:
        return found, wide
    new = np.float32(factor)
    return found * new + own[2] * (1 - new), wide * new + own[3] * (1 - new)


def passed_back(
    back: Any,
    x: Any,
    scale: Any,
    mean: Any,
    variance: Any,
    rest: Any,
    epsilon: float,
    form: str,
    is_training: bool,
) -> FusedBatchNormGradV3:
    """Pass the gradient of `normalized` back, by the moments that it gave for that.

    >>> made = passed_back([[[[1.0], [0.0]]]], [[[[1.0], [3.0]]]], [2.0], [2.0], [1.0], 0.0, 0.0,
    ...                    "NHWC", True)
    >>> made.scale_backprop.numpy(), made.offset_backprop.numpy()
    (array([-1.], dtype=float32), array([1.], dtype=float32))
    """
    given, first = _image(_BACK, x, form)
    wide, y = cast(given, dtypes.float32), cast(_image(_BACK, back, form)[0], dtypes.float32)
    own, middle, spread = (_vector(_BACK, value, wide) for value in (scale, mean, variance))
    for name, vector in (("scale", own), ("mean", middle), ("variance", spread)):
        _check_size(_BACK, name, vector, wide)
    axes = list(range(wide.ndim - 1))
    inverse = rsqrt(spread + np.float32(epsilon))
    centred = (wide - middle) * inverse
    to_scale, to_offset = reduce_sum(y * centred, axes), reduce_sum(y, axes)
    if is_training:
        y = y - reduce_mean(y, axes) - centred * reduce_mean(y * centred, axes)
    made = cast(y * (own * inverse), given.dtype)
    made = channels_first(made, wide.ndim - 2) if first else made
    nothing = Tensor(np.zeros(0, np.float32))
    return FusedBatchNormGradV3(made, to_scale, to_offset, nothing, nothing)


def _image(op: str, value: Any, form: str) -> tuple[Tensor, bool]:
    """Read numbers with their channels last, and say whether these came first."""
    x = tensor(value)
    check(op, x, _KINDS, "x:T, scale:U, offset:U, mean:U, variance:U -> y:T")
    if x.ndim not in {4, 5}:
        raise invalid(op, f"input must be 4 or 5-dimensional{listed(shape_of(x))}")
    first = form.startswith("NC")
    return (channels_last(x, x.ndim - 2) if first else x), first


def _vector(op: str, value: Any, beside: Tensor) -> Tensor:
    x = like(value, beside)
    check(op, x, FEATURES, "scale:U", "U")
    return x


def _check(op: str, x: Tensor, own: list[Tensor], is_training: bool, factor: float) -> None:
    names = ("scale", "offset", "mean", "variance")
    for name, vector in zip(names, own, strict=True):
        is_moment = name in {"mean", "variance"}
        if not (is_moment and is_training and factor == 1):
            begin = "When is_training=false, " if is_moment and not is_training else ""
            _check_size(op, begin + name, vector, x)


def _check_size(op: str, name: str, vector: Tensor, x: Tensor) -> None:
    channels = shape_of(x)[-1]
    if size_of(vector) != channels:
        raise invalid(
            op,
            f"{name} must have the same number of elements as the channels of x, got "
            f"{size_of(vector)} and {channels}",
        )


_WORDS = "epsilon=0.0001"
_FORM = "data_format=NHWC is_training=True"
_FORWARD = f"x scale offset mean variance {_WORDS} exponential_avg_factor=1.0 {_FORM}"
BATCH_NORM = {
    _OP: (normalized, _FORWARD),
    _OLDER: (normalized_before, _FORWARD),
    _BACK: (
        passed_back,
        f"y_backprop x scale reserve_space_1 reserve_space_2 reserve_space_3 {_WORDS} {_FORM}",
    ),
}
"""Kernels, as `KERNELS` has them."""
