"""Convolutions and pools with channels first against PyTorch: what TensorFlow refuses on a CPU."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
import pytest

import symtape as tf

FORMATS = {1: "NCW", 2: "NCHW", 3: "NCDHW"}


class Call(NamedTuple):
    """One call here and there, of arrays of some shapes; filters are laid out as PyTorch's."""

    name: str
    ours: Callable[..., Any]
    theirs: Callable[..., Any]
    shapes: tuple[tuple[int, ...], ...]


def filters_last(f: Any, axes: int) -> Any:
    """Bring PyTorch's filters [outputs, channels, …] into TensorFlow's order."""
    return tf.transpose(f, [*range(2, axes + 2), 1, 0])


def convolution(axes: int, groups: int, stride: int, rate: int, pad: int) -> Call:
    """Convolve with numbers around, strides, dilations and groups."""
    pads = [[0, 0], [0, 0], *[[pad, pad]] * axes]
    one = [1, 1]

    def ours(x: Any, f: Any) -> Any:
        run = getattr(tf.nn, f"conv{axes}d")
        steps, rates = [*one, *[stride] * axes], [*one, *[rate] * axes]
        return run(x, filters_last(f, axes), steps, pads, FORMATS[axes], rates)

    def theirs(torch: Any, x: Any, f: Any) -> Any:
        run = getattr(torch.nn.functional, f"conv{axes}d")
        return run(x, f, None, stride, pad, rate, groups)

    shapes = ((2, 2 * groups, *(5, 4, 6)[:axes]), (3 * groups, 2, *(2, 3, 2)[:axes]))
    name = f"conv{axes}d of {groups} groups, stride {stride}, dilation {rate}, padding {pad}"
    return Call(name, ours, theirs, shapes)


def transposed(axes: int, stride: int, rate: int, pad: int) -> Call:
    """Convolve back, to the smallest shape that there is."""
    image, sizes = (3, 2, 3)[:axes], (2, 3, 2)[:axes]
    out = [
        (n - 1) * stride + (k - 1) * rate + 1 - 2 * pad for n, k in zip(image, sizes, strict=True)
    ]
    pads = [[0, 0], [0, 0], *[[pad, pad]] * axes]

    def ours(y: Any, f: Any) -> Any:
        run = getattr(tf.nn, f"conv{axes}d_transpose")
        shape = [2, 2, *out]
        back = tf.transpose(f, [*range(2, axes + 2), 1, 0])
        return run(y, back, shape, stride, pads, FORMATS[axes], rate)

    def theirs(torch: Any, y: Any, f: Any) -> Any:
        run = getattr(torch.nn.functional, f"conv_transpose{axes}d")
        return run(y, f, None, stride, pad, 0, 1, rate)

    name = f"conv{axes}d_transpose, stride {stride}, dilation {rate}, padding {pad}"
    return Call(name, ours, theirs, ((2, 3, *image), (3, 2, *sizes)))


def pool(kind: str, axes: int, size: int, stride: int) -> Call:
    """Pool squares, so that there is a second derivative."""

    def ours(x: Any) -> Any:
        run = getattr(tf.nn, f"{kind}_pool{axes}d")
        return run(x * x * x, size, stride, "VALID", FORMATS[axes])

    def theirs(torch: Any, x: Any) -> Any:
        run = getattr(torch.nn.functional, f"{kind}_pool{axes}d")
        return run(x * x * x, size, stride)

    shapes = ((2, 3, *(5, 4, 6)[:axes]),)
    return Call(f"{kind}_pool{axes}d of {size}, stride {stride}", ours, theirs, shapes)


def depthwise(stride: int, rate: int) -> Call:
    """Convolve each channel with two filters of its own, strides and dilations at once."""
    n = stride

    def ours(x: Any, f: Any) -> Any:
        own = tf.transpose(tf.reshape(f, (3, 2, 2, 2)), [2, 3, 0, 1])
        return tf.nn.depthwise_conv2d(x, own, [1, 1, n, n], "VALID", "NCHW", [rate, rate])

    def theirs(torch: Any, x: Any, f: Any) -> Any:
        return torch.nn.functional.conv2d(x, f, None, stride, 0, rate, 3)

    shapes = ((2, 3, 5, 6), (6, 1, 2, 2))
    return Call(f"depthwise_conv2d, stride {stride}, dilation {rate}", ours, theirs, shapes)


CALLS = [
    *[convolution(axes, 1, 2, 1, 1) for axes in (1, 2, 3)],
    *[convolution(axes, 2, 1, 1, 0) for axes in (1, 2, 3)],
    *[convolution(axes, 1, 2, 2, 2) for axes in (1, 2, 3)],
    *[transposed(axes, 2, 1, 0) for axes in (1, 2, 3)],
    *[transposed(axes, 1, 2, 1) for axes in (1, 2, 3)],
    *[pool(kind, axes, 2, 2) for kind in ("max", "avg") for axes in (1, 2, 3)],
    *[pool(kind, axes, 3, 1) for kind in ("max", "avg") for axes in (1, 2, 3)],
    depthwise(1, 1),
    depthwise(2, 2),
]


def ours(call: Call, arrays: list[Any], seeds: list[Any]) -> list[Any]:
    """Give the value, the gradients, and the gradients of their weighted sum."""
    xs = [tf.constant(a) for a in arrays]
    with tf.GradientTape() as outer:
        outer.watch(xs)
        with tf.GradientTape() as inner:
            inner.watch(xs)
            y = call.ours(*xs)
            total = tf.reduce_sum(y * y * weights(y.shape))
        first = inner.gradient(total, xs)
        weighed = sum(tf.reduce_sum(g * s) for g, s in zip(first, seeds, strict=True))
    return [y, *first, *outer.gradient(weighed, xs)]


def theirs(call: Call, arrays: list[Any], seeds: list[Any], torch: Any) -> list[Any]:
    """Give PyTorch's."""
    xs = [torch.tensor(a, requires_grad=True) for a in arrays]
    y = call.theirs(torch, *xs)
    total = (y * y * torch.tensor(weights(tuple(y.shape)))).sum()
    first = torch.autograd.grad(total, xs, create_graph=True)
    weighed = sum((g * torch.tensor(s)).sum() for g, s in zip(first, seeds, strict=True))
    return [y, *first, *torch.autograd.grad(weighed, xs)]


def weights(shape: Any) -> Any:
    """Make numbers to weigh elements with, the same for both sides."""
    return np.cos(np.arange(int(np.prod(tuple(shape))))).reshape(tuple(shape))


@pytest.mark.parametrize("call", CALLS, ids=lambda c: c.name)
def test_windows_agree_with_pytorch(call: Call, torch: ModuleType) -> None:
    """Values, gradients and second derivatives are PyTorch's, with channels first."""
    rng = np.random.default_rng(zlib.crc32(call.name.encode()))
    arrays = [rng.standard_normal(shape) for shape in call.shapes]
    seeds = [rng.standard_normal(shape) for shape in call.shapes]
    pairs = zip(ours(call, arrays, seeds), theirs(call, arrays, seeds, torch), strict=True)
    for found, expected in pairs:
        np.testing.assert_allclose(found.numpy(), expected.detach().numpy(), rtol=1e-10, atol=1e-10)
