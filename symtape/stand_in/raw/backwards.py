"""TensorFlow's kernels that pass a gradient back, by a tape of the kernel that they belong to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from symtape.ops.arguments import like, listed, plain, tensor
from symtape.ops.elementwise import activation
from symtape.ops.nn import loss
from symtape.ops.nn.windows import convolution, depthwise, pooling
from symtape.ops.nn.windows.depthwise_backwards import (
    depthwise_conv2d_backprop_filter,
    depthwise_conv2d_backprop_input,
)
from symtape.ops.nn.windows.sliding import refuse_attribute
from symtape.ops.reductions.reduction import reduce_sum
from symtape.ops.shapes.creation import zeros
from symtape.stand_in.raw.slopes import elements_of, gradient
from symtape.tape import GradientTape
from symtape.tensor.dispatch import invalid
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of

Run = Callable[..., Any]


def backwards(name: str, function: Callable[[Tensor], Tensor], at: Any, cotangent: Any) -> Tensor:
    """Pass a cotangent of a function's result back to its argument.

    Raises `InvalidArgumentError`, of the kernel `name`, where it is none of that result.

    >>> backwards("SoftsignGrad", activation.softsign, [1.0], [2.0]).numpy()
    array([0.5], dtype=float32)
    """
    x = tensor(at)
    seed = like(cotangent, x)
    with GradientTape() as tape:
        tape.watch(x)
        y = function(x)
    own, wanted = shape_of(seed), shape_of(y)
    if own != wanted:
        raise invalid(name, f"Expected a gradient of shape {listed(wanted)}, but got {listed(own)}")
    made: Tensor = tape.gradient(y, x, seed)
    return made


def padding_of(padding: Any, explicit: Any) -> Any:
    """Give pairs of numbers, where there are such, as the functions take them.

    >>> padding_of("SAME", []), padding_of("EXPLICIT", [0, 1])
    ('SAME', [[0, 1]])
    """
    return np.reshape(explicit, (-1, 2)).tolist() if padding == "EXPLICIT" else padding


# --- convolutions ---------------------------------------------------------------------------------


def _check_size(name: str, y: Tensor, made: Tensor, sizes: Sequence[Any]) -> None:
    """Raise `InvalidArgumentError` for a gradient of another size than the result has."""
    have, wanted = shape_of(y), shape_of(made)
    for k, (own, right) in enumerate(zip(have[1:-1], wanted[1:-1], strict=True), 1):
        if own != right:
            image, window, step, rate = (part[k - 1] for part in sizes)
            raise invalid(
                name.replace("Custom", ""),
                f"{name}: Size of out_backprop doesn't match computed: actual = {own}, computed = "
                f"{right} spatial_dim: {k} input: {image} filter: {window} output: {own} stride: "
                f"{step} dilation: {rate}",
            )


def convolved(
    x: Any, filters: Any, strides: Any, padding: Any, explicit: Any, form: str, rates: Any
) -> Tensor:
    """Convolve images, with pads as the kernel takes them.

    >>> convolved([[[[2.0]]]], [[[[3.0]]]], [1] * 4, "SAME", [], "NHWC", [1] * 4).numpy().item()
    6.0
    """
    pads = padding_of(padding, explicit)
    return convolution.conv2d(x, filters, strides, pads, form, rates)


def convolution_back(axes: int, *, to_filters: bool) -> Run:
    """Make the kernel that passes the gradient of a convolution back to images or filters.

    It raises `InvalidArgumentError` for gradients of another size, and in two axes for dilations,
    as TensorFlow does: a tape passes the gradient of these back.

    >>> run = convolution_back(2, to_filters=False)
    >>> run([1, 1, 2, 1], [[[[3.0]]]], np.ones((1, 1, 2, 1)), [1] * 4, "SAME", [], "NHWC", [1] * 4)
    <tf.Tensor: shape=(1, 1, 2, 1), dtype=float32, numpy=
    array([[[[3.],
             [3.]]]], dtype=float32)>
    """
    name = (
        f"Conv{axes}D{'Custom' if axes == 2 else ''}Backprop{'Filter' if to_filters else 'Input'}"
    )

    def run(
        first: Any, second: Any, back: Any, strides: Any, padding: Any, explicit: Any,
        form: str, rates: Any,
    ) -> Tensor:  # fmt: skip
        if axes == 2 and {*rates} != {1}:
            text = "Current CPU implementations do not yet support dilation rates larger than 1."
            raise invalid(name.replace("Custom", ""), text)
        known = tensor(first if to_filters else second)
        sizes = [int(n) for n in plain(second if to_filters else first)]
        other, y = zeros(sizes, known.dtype), like(back, known)

        def forward(x: Tensor) -> Tensor:
            images, filters = (known, x) if to_filters else (x, known)
            if axes == 3:
                return convolution.conv3d(images, filters, strides, padding, form, rates)
            return convolved(images, filters, strides, padding, explicit, form, rates)

        made = forward(other)
        if form.endswith("C") and made.ndim == y.ndim:
            images, filters = (known, other) if to_filters else (other, known)
            parts = shape_of(images)[1:-1], shape_of(filters), list(strides)[1:-1], rates[1:-1]
            _check_size(name, y, made, parts)
        return backwards(name, forward, other, y)

    return run


def _in_depth(
    x: Any, filters: Any, strides: Any, padding: Any, explicit: Any, form: str, rates: Any
) -> Tensor:
    pads = padding_of(padding, explicit)
    inner = slice(1, 3) if form.endswith("C") else slice(2, 4)
    return depthwise.depthwise_conv2d(x, filters, strides, pads, form, list(rates)[inner])


def _depthwise_back(run: Run) -> Run:
    """Have the kernel called with pads of its own."""
    return lambda first, second, back, strides, padding, explicit, form, rates: run(
        first, second, back, strides, padding_of(padding, explicit), form, rates
    )


# --- pools ----------------------------------------------------------------------------------------


def _largest(axes: int) -> Run:
    pool: Any = pooling.max_pool2d if axes == 2 else pooling.max_pool3d
    op = "MaxPoolGrad" if axes == 2 else "MaxPool3DGrad"

    def run(
        x: Any, found: Any, back: Any, size: Any, strides: Any, padding: Any, explicit: Any,
        form: str,
    ) -> Tensor:  # fmt: skip
        def forward(images: Tensor) -> Tensor:
            made: Tensor = pool(images, size, strides, padding_of(padding, explicit), form)
            return made

        images = tensor(x)
        wanted = shape_of(forward(images))
        for what, given in (("orig_output", found), ("grad", back)):
            shape = shape_of(tensor(given))
            if shape != wanted:
                text = f"Expected {what} shape to be {listed(wanted)}, but got {listed(shape)}"
                raise invalid(op, text)
        return backwards(op, forward, images, back)

    return run


def _mean(axes: int) -> Run:
    pool: Any = pooling.avg_pool2d if axes == 2 else pooling.avg_pool3d
    op = "AvgPoolGrad" if axes == 2 else "AvgPool3DGrad"

    def run(sizes: Any, back: Any, size: Any, strides: Any, padding: Any, form: str) -> Tensor:
        y = tensor(back)
        at = zeros([int(n) for n in plain(sizes)], y.dtype)
        return backwards(op, lambda x: pool(x, size, strides, padding, form), at, y)

    return run


# --- losses, biases, activations ------------------------------------------------------------------


class SoftmaxCrossEntropyWithLogits(NamedTuple):
    """The loss of each row, and what is passed back to its logits."""

    loss: Tensor
    backprop: Tensor


class SparseSoftmaxCrossEntropyWithLogits(NamedTuple):
    """See `SoftmaxCrossEntropyWithLogits`."""

    loss: Tensor
    backprop: Tensor


def _of_labels(features: Any, labels: Any) -> SoftmaxCrossEntropyWithLogits:
    z = tensor(features)
    losses = loss.softmax_cross_entropy_with_logits(like(labels, z), z)
    return SoftmaxCrossEntropyWithLogits(losses, activation.softmax(z) - like(labels, z))


def _of_classes(features: Any, labels: Any) -> SparseSoftmaxCrossEntropyWithLogits:
    z = tensor(features)

    def losses(x: Tensor) -> Tensor:
        return loss.sparse_softmax_cross_entropy_with_logits(labels, x)

    made = losses(z)
    ones = np.ones(shape_of(made), z.dtype.numpy)
    name = SparseSoftmaxCrossEntropyWithLogits.__name__
    return SparseSoftmaxCrossEntropyWithLogits(made, backwards(name, losses, z, ones))


def _bias_back(back: Any, form: str) -> Tensor:
    y = tensor(back)
    if y.ndim < 2:
        raise invalid("BiasAddGrad", f"Input tensor must be at least 2D: {listed(shape_of(y))}")
    if form not in {"NHWC", "NCHW"}:
        raise refuse_attribute("BiasAddGrad", "data_format", form, ("NHWC", "NCHW"))
    kept = 1 if form == "NCHW" else y.ndim - 1
    return reduce_sum(y, [k for k in range(y.ndim) if k != kept])


def _leaky_back(back: Any, x: Any, alpha: float) -> Tensor:
    y, at = elements_of("LeakyReluGrad", back, x)
    return backwards("LeakyReluGrad", lambda v: activation.leaky_relu(v, alpha), at, y)


def _softsign_back(back: Any, x: Any) -> Tensor:
    y, at = elements_of("SoftsignGrad", back, x)
    return backwards("SoftsignGrad", activation.softsign, at, y)


STEPS = "strides:list padding:str"
WINDOW = f"ksize:list {STEPS}"
_PADS = "explicit_paddings=[] data_format=NHWC"
_RATES, _RATES3 = "dilations=[1,1,1,1]", "data_format=NDHWC dilations=[1,1,1,1,1]"
_BACK2 = f"out_backprop {STEPS} use_cudnn_on_gpu=True~ {_PADS} {_RATES}"
_BACK3 = f"out_backprop {STEPS} {_RATES3}"


def _without_pads(run: Run) -> Run:
    """Have a kernel of three axes, which has no pads, called as one of two."""
    return lambda *given: run(*given[:5], [], *given[5:])


BACKWARDS: dict[str, tuple[Run, str]] = {
    "Conv2DBackpropInput": (
        convolution_back(2, to_filters=False), f"input_sizes filter {_BACK2}",
    ),
    "Conv2DBackpropFilter": (
        convolution_back(2, to_filters=True), f"input filter_sizes {_BACK2}",
    ),
    "Conv3D": (convolution.conv3d, f"input filter {STEPS} {_RATES3}"),
    "Conv3DBackpropInputV2": (
        _without_pads(convolution_back(3, to_filters=False)), f"input_sizes filter {_BACK3}",
    ),
    "Conv3DBackpropFilterV2": (
        _without_pads(convolution_back(3, to_filters=True)), f"input filter_sizes {_BACK3}",
    ),
    "DepthwiseConv2dNative": (_in_depth, f"input filter {STEPS} {_PADS} {_RATES}"),
    "DepthwiseConv2dNativeBackpropInput": (
        _depthwise_back(depthwise_conv2d_backprop_input),
        f"input_sizes filter out_backprop {STEPS} {_PADS} {_RATES}",
    ),
    "DepthwiseConv2dNativeBackpropFilter": (
        _depthwise_back(depthwise_conv2d_backprop_filter),
        f"input filter_sizes out_backprop {STEPS} {_PADS} {_RATES}",
    ),
    "MaxPool3D": (pooling.max_pool3d, f"input {WINDOW} data_format=NDHWC"),
    "AvgPool3D": (pooling.avg_pool3d, f"input {WINDOW} data_format=NDHWC"),
    "MaxPoolGrad": (_largest(2), f"orig_input orig_output grad {WINDOW} {_PADS}"),
    "MaxPool3DGrad": (
        lambda *given: _largest(3)(*given[:6], [], *given[6:]),
        f"orig_input orig_output grad {WINDOW} data_format=NDHWC",
    ),
    "AvgPoolGrad": (
        _mean(2), f"orig_input_shape grad {WINDOW} data_format=NHWC",
    ),
    "AvgPool3DGrad": (
        _mean(3), f"orig_input_shape grad {WINDOW} data_format=NDHWC",
    ),
    "SoftmaxCrossEntropyWithLogits": (_of_labels, "features labels"),
    "SparseSoftmaxCrossEntropyWithLogits": (_of_classes, "features labels"),
    "BiasAddGrad": (_bias_back, "out_backprop data_format=NHWC"),
    "LeakyReluGrad": (_leaky_back, "gradients features alpha=0.2"),
    "SoftsignGrad": (_softsign_back, "gradients features"),
    "InvGrad": (lambda y, back: gradient("ReciprocalGrad")(back, y), "y dy"),
}  # fmt: skip
"""Kernels, as `KERNELS` has them."""
