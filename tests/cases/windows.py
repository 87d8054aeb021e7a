"""Operations on sliding windows: convolutions, their transposes, pools."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.cases.case import Case, points, reals

_DILATED = "TensorFlow has no gradients of dilated convolutions on a CPU"
_LAST = {1: "NWC", 2: "NHWC", 3: "NDHWC"}
"""TensorFlow's `convolution` has a gradient only where the data format is given."""
_GROUPED = "TensorFlow has no gradients of grouped convolutions on a CPU"


def convolutions() -> Iterator[Case]:
    """Strides, paddings and dilations over sequences, images and volumes."""
    line, kernel = reals(2, 6, 2), reals(3, 2, 3)
    for stride, padding in ((1, "VALID"), (2, "SAME"), (3, "VALID"), (1, "SAME")):
        yield Case(
            f"conv1d of stride {stride}, {padding}",
            lambda tf, x, f, s=stride, p=padding: tf.nn.conv1d(x, f, s, p),
            (line, kernel),
        )
    image, filters = reals(2, 4, 5, 2), reals(3, 2, 2, 3)
    for strides, padding in (
        (1, "VALID"),
        (2, "SAME"),
        ([1, 3], "SAME"),
        ([1, 2, 1, 1], "VALID"),
        (1, [[0, 0], [1, 2], [0, 3], [0, 0]]),
        (2, [[0, 0], [0, 1], [2, 0], [0, 0]]),
    ):
        yield Case(
            f"conv2d of strides {strides}, {padding}",
            lambda tf, x, f, s=strides, p=padding: tf.nn.conv2d(x, f, s, p),
            (image, filters),
        )
    for rates, padding in ((2, "SAME"), ([1, 3], "VALID"), (2, [[0, 0], [2, 2], [1, 0], [0, 0]])):
        yield Case(
            f"conv2d of dilations {rates}, {padding}",
            lambda tf, x, f, d=rates, p=padding: tf.nn.conv2d(x, f, 1, p, dilations=d),
            (reals(1, 6, 5, 2), filters),
            tensorflow=0,
            because=_DILATED,
        )
    yield Case(
        "conv2d of strides and dilations",
        lambda tf, x, f: tf.nn.conv2d(x, f, 2, "SAME", dilations=2),
        (reals(1, 6, 5, 2), filters),
        tensorflow=0,
        because=_DILATED,
    )
    yield Case(
        "conv2d of groups of channels",
        lambda tf, x, f: tf.nn.conv2d(x, f, 1, "SAME"),
        (reals(1, 3, 3, 4), reals(2, 2, 2, 6)),
        tensorflow=0,
        because=_GROUPED,
    )
    yield Case(
        "conv2d of batches of batches",
        lambda tf, x, f: tf.nn.conv2d(x, f, 1, "VALID"),
        (reals(2, 1, 3, 3, 1), reals(2, 2, 1, 2)),
    )
    yield Case(
        "conv2d of no images",
        lambda tf, x, f: tf.nn.conv2d(x, f, 1, "VALID"),
        (reals(0, 3, 3, 1), reals(2, 2, 1, 2)),
    )
    yield Case(
        "conv2d to no rows",
        lambda tf, x, f: tf.nn.conv2d(x, f, 1, "VALID"),
        (reals(1, 2, 3, 1), reals(3, 2, 1, 2)),
        tensorflow=0,
        because="TensorFlow leaves the gradient of the filters as its memory was",
    )
    yield Case(
        "conv2d of one place",
        lambda tf, x, f: tf.nn.conv2d(x, f, 1, "SAME"),
        (reals(1, 2, 3, 2), reals(1, 1, 2, 2)),
    )
    for strides, padding in (([1] * 5, "VALID"), ([1, 2, 1, 2, 1], "SAME")):
        yield Case(
            f"conv3d of strides {strides}, {padding}",
            lambda tf, x, f, s=strides, p=padding: tf.nn.conv3d(x, f, s, p),
            (reals(1, 3, 3, 4, 2), reals(2, 1, 2, 2, 2)),
        )


def convolutions_of_any_rank() -> Iterator[Case]:
    """`convolution`, which differentiates dilations in TensorFlow, too."""
    inputs = {
        1: (reals(1, 6, 2), reals(2, 2, 2)),
        2: (reals(1, 5, 4, 2), reals(2, 2, 2, 2)),
        3: (reals(1, 3, 3, 3, 1), reals(2, 2, 2, 1, 2)),
    }
    for axes, pair in inputs.items():
        for how in ({}, {"strides": 2, "padding": "SAME"}, {"dilations": 2}):
            yield Case(
                f"convolution of {axes} axes, {how}",
                lambda tf, x, f, how=how, n=axes: tf.nn.convolution(
                    x, f, data_format=_LAST[n], **how
                ),
                pair,
            )
    yield Case(
        "convolution with holes, SAME",
        lambda tf, x, f: tf.nn.convolution(
            x, f, padding="SAME", dilations=[2, 1], data_format="NHWC"
        ),
        inputs[2],
    )
    for rate, padding in ((1, "VALID"), (2, "SAME")):
        yield Case(
            f"atrous_conv2d of rate {rate}, {padding}",
            lambda tf, x, f, r=rate, p=padding: tf.nn.atrous_conv2d(x, f, r, p),
            inputs[2],
        )
    yield Case(
        "atrous_conv2d_transpose",
        lambda tf, x, f: tf.nn.atrous_conv2d_transpose(x, f, [1, 5, 4, 3], 2, "SAME"),
        (reals(1, 5, 4, 2), reals(2, 2, 3, 2)),
    )


def depthwise() -> Iterator[Case]:
    """Convolutions that keep channels apart."""
    image, filters, point = reals(2, 4, 5, 2), reals(3, 2, 2, 2), reals(1, 1, 4, 3)
    for strides, padding in (
        ([1, 1, 1, 1], "VALID"),
        ([1, 2, 2, 1], "SAME"),
        ([1, 1, 1, 1], [[0, 0], [1, 0], [0, 2], [0, 0]]),
    ):
        yield Case(
            f"depthwise_conv2d of strides {strides}, {padding}",
            lambda tf, x, f, s=strides, p=padding: tf.nn.depthwise_conv2d(x, f, s, p),
            (image, filters),
        )
        if isinstance(padding, str):
            yield Case(
                f"separable_conv2d of strides {strides}, {padding}",
                lambda tf, x, f, g, s=strides, p=padding: tf.nn.separable_conv2d(x, f, g, s, p),
                (image, filters, point),
            )
    for padding in ("SAME", "VALID"):
        yield Case(
            f"depthwise_conv2d with holes, {padding}",
            lambda tf, x, f, p=padding: tf.nn.depthwise_conv2d(
                x, f, [1, 1, 1, 1], p, dilations=[1, 2]
            ),
            (image, filters),
        )


def depthwise_backwards() -> Iterator[Case]:
    """What depthwise convolutions pass back, as functions of their own."""
    for step, padding in ((1, "VALID"), (2, "SAME")):
        counts = (2, 2, 4) if step == 2 else (2, 3, 4)
        how = ([1, step, step, 1], padding)
        yield Case(
            f"depthwise_conv2d_backprop_input of stride {step}",
            lambda tf, f, y, how=how: tf.nn.depthwise_conv2d_backprop_input(
                [1, 3, 4, 2], f, y, *how
            ),
            (reals(2, 2, 2, 2), reals(1, *counts)),
        )
        yield Case(
            f"depthwise_conv2d_backprop_filter of stride {step}",
            lambda tf, x, y, how=how: tf.nn.depthwise_conv2d_backprop_filter(
                x, [2, 2, 2, 2], y, *how
            ),
            (reals(1, 3, 4, 2), reals(1, *counts)),
        )


def transposes() -> Iterator[Case]:
    """Transposed convolutions, whose output has several possible sizes."""
    for n, stride, padding in ((6, 2, "SAME"), (5, 2, "SAME"), (8, 2, "VALID"), (7, 2, "VALID")):
        yield Case(
            f"conv1d_transpose to {n}, stride {stride}, {padding}",
            lambda tf, y, f, n=n, s=stride, p=padding: tf.nn.conv1d_transpose(
                y, f, [2, n, 2], s, p
            ),
            (reals(2, 3, 3), reals(3, 2, 3)),
        )
    for shape, strides, padding in (
        ([2, 5, 6, 2], 2, "SAME"),
        ([2, 7, 6, 2], 2, "VALID"),
        ([5, 3], [2, 1], "SAME"),
        ([2, 5, 6, 2], 2, [[0, 0], [1, 1], [0, 0], [0, 0]]),
    ):
        yield Case(
            f"conv2d_transpose to {shape}, {padding}",
            lambda tf, y, f, n=shape, s=strides, p=padding: tf.nn.conv2d_transpose(y, f, n, s, p),
            (reals(2, 3, 3, 3), reals(3, 2, 2, 3)),
        )
    yield Case(
        "conv3d_transpose",
        lambda tf, y, f: tf.nn.conv3d_transpose(y, f, [1, 4, 3, 2, 2], [1, 2, 2, 1, 1]),
        (reals(1, 2, 2, 2, 3), reals(2, 3, 1, 2, 3)),
    )
    yield Case(
        "conv_transpose",
        lambda tf, y, f: tf.nn.conv_transpose(y, f, [1, 4, 2], 2),
        (reals(1, 2, 3), reals(2, 2, 3)),
    )


def pools() -> Iterator[Case]:
    """Largest elements and means of windows, squared so that there is a second derivative."""
    image = reals(2, 4, 5, 2)
    for name in ("max_pool2d", "avg_pool2d", "max_pool", "avg_pool"):
        for sizes, strides, padding in (
            (2, 2, "VALID"),
            ([3, 2], [2, 1], "SAME"),
            ([1, 2, 3, 1], 3, "SAME"),
            (3, 1, "VALID"),
        ):
            yield Case(
                f"{name} of {sizes}, {strides}, {padding}",
                lambda tf, x, name=name, how=(sizes, strides, padding): tf.square(
                    getattr(tf.nn, name)(x, *how)
                ),
                (image,),
            )
        yield Case(
            f"{name} of no images",
            lambda tf, x, name=name: tf.square(getattr(tf.nn, name)(x, 2, 1, "VALID")),
            (reals(0, 3, 3, 1),),
        )
    yield Case(
        "max_pool2d with numbers around",
        lambda tf, x: tf.square(tf.nn.max_pool2d(x, 3, 2, [[0, 0], [1, 2], [0, 1], [0, 0]])),
        (image,),
        tensorflow=1,
        because="TensorFlow has no second derivative with this padding",
    )
    yield Case(
        "max_pool2d over channels",
        lambda tf, x: tf.square(tf.nn.max_pool2d(x, [1, 1, 1, 2], [1, 1, 1, 2], "VALID")),
        (reals(1, 2, 2, 4),),
        tensorflow=0,
        because="TensorFlow has no gradient over channels",
        half=False,
        dtypes=("float32",),
    )
    for name in ("max_pool1d", "avg_pool1d"):
        yield Case(
            name,
            lambda tf, x, name=name: tf.square(getattr(tf.nn, name)(x, 3, 2, "SAME")),
            (reals(2, 6, 2),),
        )
    for name in ("max_pool3d", "avg_pool3d"):
        yield Case(
            name,
            lambda tf, x, name=name: tf.square(getattr(tf.nn, name)(x, 2, [1, 2, 1], "SAME")),
            (reals(1, 3, 3, 2, 2),),
            half=False,
            dtypes=("float32",),
        )
    yield Case(
        "max_pool2d of equal elements",
        lambda tf, x: tf.nn.max_pool2d(x, 2, 1, "SAME"),
        (points([[[1.0], [1.0], [0.0]], [[1.0], [1.0], [0.0]], [[0.0], [0.0], [0.0]]]),),
        order=1,
    )
    yield Case(
        "max_pool_with_argmax",
        lambda tf, x: tuple(tf.nn.max_pool_with_argmax(x, 2, 1, "SAME")),
        (reals(2, 3, 3, 2),),
        tensorflow=1,
        because="TensorFlow has no second derivative of it",
    )


def pools_with_holes() -> Iterator[Case]:
    """`pool`, with strides or with dilations."""
    inputs = {1: (reals(1, 6, 2),), 2: (reals(1, 5, 4, 2),)}
    for axes, of in inputs.items():
        for kind in ("MAX", "AVG"):
            for how in ({}, {"strides": [2] * axes, "padding": "SAME"}, {"dilations": [2] * axes}):
                yield Case(
                    f"pool {kind} of {axes} axes, {how}",
                    lambda tf, x, n=axes, k=kind, how=how: tf.square(
                        tf.nn.pool(x, [2] * n, k, **how)
                    ),
                    of,
                )


def holes() -> Iterator[Case]:
    """A convolution with holes, by one without."""

    def slid(tf: Any, x: Any, f: Any) -> Any:
        def op(y: Any, axes: int, padding: Any) -> Any:
            return tf.nn.conv2d(y, f, 1, padding)

        return tf.nn.with_space_to_batch(x, [2, 1], "SAME", op, filter_shape=[2, 2])

    yield Case("with_space_to_batch", slid, (reals(1, 4, 3, 2), reals(2, 2, 2, 1)))


def morphology() -> Iterator[Case]:
    """Largest sums and least differences of windows and filters."""
    for name in ("dilation2d", "erosion2d"):
        for steps, padding, rates in (
            ([1, 1, 1, 1], "VALID", [1, 1, 1, 1]),
            ([1, 2, 1, 1], "SAME", [1, 1, 2, 1]),
        ):
            yield Case(
                f"{name} of strides {steps}, {padding}",
                lambda tf, x, f, name=name, how=(steps, padding, "NHWC", rates): tf.square(
                    getattr(tf.nn, name)(x, f, *how)
                ),
                (reals(2, 4, 3, 2), reals(2, 2, 2)),
                tensorflow=1,
                because="TensorFlow has no second derivative of it",
            )
    yield Case(
        "dilation2d of equal sums",
        lambda tf, x, f: tf.nn.dilation2d(x, f, [1] * 4, "SAME", "NHWC", [1] * 4),
        (
            points([[[1.0], [1.0], [0.0]], [[1.0], [1.0], [0.0]], [[0.0], [0.0], [0.0]]]),
            points([[0.0], [0.0]], [[0.0], [1.0]]),
        ),
        order=1,
    )


def composed() -> Iterator[Case]:
    """A convolution, a bend and a pool, one after the other."""

    def network(tf: Any, x: Any, f: Any, g: Any) -> Any:
        y = tf.nn.max_pool2d(tf.tanh(tf.nn.conv2d(x, f, 1, "SAME")), 2, 2, "VALID")
        return tf.reduce_sum(tf.square(tf.nn.conv2d(y, g, 1, "VALID")), axis=[1, 2, 3])

    yield Case(
        "a small convolutional network",
        network,
        (reals(2, 4, 4, 1), reals(3, 3, 1, 2), reals(2, 2, 2, 1)),
    )


CASES: list[Case] = [
    *convolutions(),
    *convolutions_of_any_rank(),
    *depthwise(),
    *depthwise_backwards(),
    *transposes(),
    *pools(),
    *pools_with_holes(),
    *holes(),
    *morphology(),
    *composed(),
]
