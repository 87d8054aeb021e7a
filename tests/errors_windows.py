"""Mistakes with convolutions and pools: calls that raise, with TensorFlow's names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.errors import Misuse

_X = np.ones((2, 5, 6, 3), np.float32)
_F = np.ones((3, 2, 3, 4), np.float32)
_Y = np.ones((2, 3, 3, 4), np.float32)
_X3 = np.ones((2, 4, 5, 6, 3), np.float32)
_F3 = np.ones((2, 3, 2, 3, 4), np.float32)
_D = np.ones((3, 2, 3, 2), np.float32)
_ONES = [1, 1, 1, 1, 1]
_HOW = (_ONES[:4], "SAME", "NHWC", _ONES[:4])


def _conv(x: Any = _X, f: Any = _F, strides: Any = 1, padding: Any = "SAME", **how: Any) -> Any:
    return lambda tf: tf.nn.conv2d(tf.constant(x), tf.constant(f), strides, padding, **how)


def _dilated(
    x: Any = _X, f: Any = _F[..., 0], steps: Any = _ONES[:4], pads: Any = "SAME", **how: Any
) -> Any:
    format_, rates = how.get("data_format", "NHWC"), how.get("dilations", _ONES[:4])
    name = how.get("name", "dilation2d")
    return lambda tf: getattr(tf.nn, name)(tf.constant(x), f, steps, pads, format_, rates)


_D4 = np.ones((3, 2, 3, 2), np.float32)
_BACK = np.ones((2, 5, 6, 6), np.float32)


def _to_images(
    sizes: Any = (2, 5, 6, 3), f: Any = _D4, y: Any = _BACK, steps: Any = _ONES[:4], **how: Any
) -> Any:
    sizes = list(sizes) if isinstance(sizes, tuple) else sizes
    pads = how.get("padding", "SAME")
    return lambda tf: tf.nn.depthwise_conv2d_backprop_input(
        sizes, tf.constant(f), tf.constant(y), steps, pads
    )


def _to_filters(x: Any = _X, sizes: Any = (3, 2, 3, 2), y: Any = _BACK, **how: Any) -> Any:
    steps, pads = how.get("steps", _ONES[:4]), how.get("padding", "SAME")
    return lambda tf: tf.nn.depthwise_conv2d_backprop_filter(
        tf.constant(x), list(sizes), tf.constant(y), steps, pads
    )


BACKWARDS: dict[str, Callable[[Any], Any]] = {
    "to images of an unknown padding": _to_images(padding="FOO"),
    "to images of rank 3": _to_images((2, 5, 6)),
    "to images of other channels": _to_images((2, 5, 6, 4)),
    "to images of other rows": _to_images((2, 9, 6, 3)),
    "to more images": _to_images((3, 5, 6, 3)),
    "to images by filters of rank 3": _to_images(f=_D4[0]),
    "to images from rank 3": _to_images(y=_BACK[0]),
    "to images from fewer channels": _to_images(y=_BACK[..., :1]),
    "to images of two strides": _to_images(steps=[1, 1]),
    "to images of one stride": _to_images(steps=1),
    "to images of strides over the batch": _to_images(steps=[2, 1, 1, 1]),
    "to images of unequal strides": _to_images(steps=[1, 2, 1, 1]),
    "to images of stride zero": _to_images(steps=[1, 0, 0, 1]),
    "to images of integers": _to_images(f=_D4.astype("i4"), y=_BACK.astype("i4")),
    "to filters of rank 3": _to_filters(sizes=(3, 2, 3)),
    "to filters of other channels": _to_filters(sizes=(3, 2, 1, 2)),
    "to filters of fewer results": _to_filters(sizes=(3, 2, 3, 1)),
    "to filters from one image": _to_filters(_X[0]),
    "to filters from rank 3": _to_filters(y=_BACK[0]),
    "to filters from fewer rows": _to_filters(y=_BACK[:, :2]),
    "to filters of unequal strides": _to_filters(steps=[1, 2, 1, 1]),
    "to filters of an unknown padding": _to_filters(padding="FOO"),
}

MORPHOLOGY: dict[str, Callable[[Any], Any]] = {
    "with the channels first": _dilated(data_format="NCHW"),
    "of an unknown padding": _dilated(pads="FULL"),
    "of a list for a padding": _dilated(pads=[[0, 0]] * 4),
    "of two strides": _dilated(steps=[1, 1]),
    "of one stride": _dilated(steps=1),
    "of no strides": _dilated(steps=None),
    "of five strides": _dilated(steps=_ONES),
    "of strides over the batch": _dilated(steps=[2, 1, 1, 1]),
    "of strides over channels": _dilated(steps=[1, 1, 1, 2]),
    "of stride zero": _dilated(steps=[1, 0, 1, 1]),
    "of two dilations": _dilated(dilations=[1, 1]),
    "of one dilation": _dilated(dilations=1),
    "of dilations over the batch": _dilated(dilations=[2, 1, 1, 1]),
    "of one image": _dilated(_X[0]),
    "with filters of rank 4": _dilated(f=_F),
    "with filters of other channels": _dilated(f=_F[..., :2, 0]),
    "with filters of another dtype": lambda tf: tf.nn.dilation2d(
        tf.constant(_X), tf.constant(_F[..., 0], tf.float64), *_HOW
    ),
    "of an image that is too small": _dilated(_X[:, :1], pads="VALID"),
    "of complex numbers": _dilated(_X.astype("c8")),
    "of truth": _dilated(_X > 0, _F[..., 0] > 0),
    "turned, with the channels first": _dilated(data_format="NCHW", name="erosion2d"),
    "turned, of one image": _dilated(_X[0], name="erosion2d"),
    "turned, of a filter of rank 2": _dilated(f=_F[..., 0, 0], name="erosion2d"),
    "turned, of one stride": _dilated(steps=1, name="erosion2d"),
    "turned, of numbers without a sign": _dilated(_X.astype("u1"), name="erosion2d"),
}

CONVOLUTIONS: dict[str, Callable[[Any], Any]] = {
    "of a word for a padding in small letters": _conv(padding="same"),
    "of no padding": _conv(padding=None),
    "of strides over the batch": _conv(strides=[2, 1, 1, 1]),
    "of strides over channels": _conv(strides=[1, 1, 1, 2]),
    "of three strides": _conv(strides=[1, 2, 1]),
    "of stride zero": _conv(strides=0),
    "of a negative stride": _conv(strides=-1),
    "of dilation zero": _conv(dilations=0),
    "of dilations over the batch": _conv(dilations=[2, 1, 1, 1]),
    "of padding of the batch": _conv(padding=[[1, 0], [1, 2], [0, 3], [0, 0]]),
    "of negative padding": _conv(padding=[[0, 0], [-1, 2], [0, 3], [0, 0]]),
    "of two pairs for a padding": _conv(padding=[[1, 2], [0, 3]]),
    "of a pair of one": _conv(padding=[[0, 0], [1], [0, 3], [0, 0]]),
    "of an unknown data format": _conv(data_format="FOO"),
    "of one image": _conv(_X[0]),
    "of a line": _conv(_X[0, 0]),
    "with a filter of rank 3": _conv(f=_F[0]),
    "with a filter of other channels": _conv(f=_F[:, :, :2]),
    "to outputs that are no groups": _conv(np.concatenate([_X] * 3, -1)),
    "of an image that is too small": _conv(_X[:, :1], padding="VALID"),
    "of an image of nothing": _conv(_X[:, :0], padding="VALID"),
    "with an empty filter": _conv(f=_F[:0]),
    "of no channels": _conv(_X[..., :0], _F[:, :, :0]),
    "of int64": _conv(_X.astype("i8"), _F.astype("i8")),
    "of complex numbers": _conv(_X.astype("c8"), _F.astype("c8")),
    "of two dtypes": _conv(f=_F.astype("f8")),
    "of sequences with a bad format": lambda tf: tf.nn.conv1d(
        _X[0], _F[0], 1, "SAME", data_format="FOO"
    ),
    "of one sequence": lambda tf: tf.nn.conv1d(_X[0, 0], _F[0], 1, "SAME"),
    "of sequences with a filter of rank 4": lambda tf: tf.nn.conv1d(_X[0], _F, 1, "SAME"),
    "of sequences that are too short": lambda tf: tf.nn.conv1d(_X[0][:, :0], _F[0], 1, "VALID"),
    "of sequences, causal": lambda tf: tf.nn.conv1d(_X[0], _F[0], 1, "CAUSAL"),
    "of volumes with one stride": lambda tf: tf.nn.conv3d(_X3, _F3, 1, "VALID"),
    "of volumes with three strides": lambda tf: tf.nn.conv3d(_X3, _F3, [1, 2, 1], "VALID"),
    "of volumes over the batch": lambda tf: tf.nn.conv3d(_X3, _F3, [2, 1, 1, 1, 1], "VALID"),
    "of volumes with stride zero": lambda tf: tf.nn.conv3d(_X3, _F3, [1, 0, 1, 1, 1], "VALID"),
    "of volumes with a bad padding": lambda tf: tf.nn.conv3d(_X3, _F3, _ONES, "FOO"),
    "of volumes with a bad format": lambda tf: tf.nn.conv3d(
        _X3, _F3, _ONES, "SAME", data_format="FOO"
    ),
    "of integer volumes": lambda tf: tf.nn.conv3d(
        tf.constant(_X3.astype("i4")), tf.constant(_F3.astype("i4")), _ONES, "SAME"
    ),
    "of one volume": lambda tf: tf.nn.conv3d(_X3[0], _F3, _ONES, "SAME"),
    "of volumes with one dilation": lambda tf: tf.nn.conv3d(_X3, _F3, _ONES, "SAME", dilations=2),
    "of any rank with strides and dilations": lambda tf: tf.nn.convolution(
        _X, _F, strides=2, dilations=2
    ),
    "of any rank with a filter of rank 1": lambda tf: tf.nn.convolution(_X, _F[0, 0, 0]),
    "of any rank with three dilations": lambda tf: tf.nn.convolution(_X, _F, dilations=[1, 2, 3]),
    "with holes of rate zero": lambda tf: tf.nn.atrous_conv2d(_X, _F, 0, "VALID"),
}


def _back(shape: Any, strides: Any = 2, y: Any = _Y, f: Any = _F, **how: Any) -> Any:
    return lambda tf: tf.nn.conv2d_transpose(tf.constant(y), tf.constant(f), shape, strides, **how)


TRANSPOSES: dict[str, Callable[[Any], Any]] = {
    "to rows that do not fit": _back([2, 9, 6, 3]),
    "to other channels": _back([2, 5, 6, 2]),
    "to another batch": _back([3, 5, 6, 3]),
    "to three sizes": _back([5, 6, 3]),
    "of other channels": _back([2, 5, 6, 3], y=_Y[..., :2]),
    "of one image": _back([2, 5, 6, 3], y=_Y[0]),
    "of stride zero": _back([2, 5, 6, 3], 0),
    "of an unknown padding": _back([2, 5, 6, 3], padding="FOO"),
    "to no shape": _back(None),
    "with a filter of rank 3": _back([2, 5, 6, 3], f=_F[0]),
    "to a negative batch": _back([-1, 5, 6, 3]),
    "to floats": _back([2.0, 5.0, 6.0, 3.0]),
    "to groups": _back([2, 5, 6, 6]),
    "of two dtypes": _back([2, 5, 6, 3], f=_F.astype("f8")),
    "of sequences that do not fit": lambda tf: tf.nn.conv1d_transpose(
        _Y[:, 0], _F[0], [2, 9, 3], 2
    ),
    "of one sequence": lambda tf: tf.nn.conv1d_transpose(_Y[0, 0], _F[0], [2, 5, 3], 2),
    "of one volume": lambda tf: tf.nn.conv3d_transpose(_Y, _F3, [2, 9, 6, 6, 3], 2),
    "of volumes to three sizes": lambda tf: tf.nn.conv3d_transpose(_Y[:, None], _F3, [6, 6, 3], 2),
    "of volumes that do not fit": lambda tf: tf.nn.conv3d_transpose(
        _Y[:, None], _F3, [2, 9, 6, 6, 3], 2
    ),
    "of any rank to two sizes": lambda tf: tf.nn.conv_transpose(_Y, _F, [5, 6], 2),
    "of any rank to no shape": lambda tf: tf.nn.conv_transpose(_Y, _F, None, 2),
}


def _depth(
    x: Any = _X, f: Any = _D, strides: Any = (1, 1, 1, 1), padding: Any = "SAME", **how: Any
) -> Any:
    strides = list(strides) if isinstance(strides, tuple) else strides
    return lambda tf: tf.nn.depthwise_conv2d(
        tf.constant(x), tf.constant(f), strides, padding, **how
    )


DEPTHWISE: dict[str, Callable[[Any], Any]] = {
    "of one stride": _depth(strides=1),
    "of two strides": _depth(strides=(1, 1)),
    "of stride zero": _depth(strides=(1, 0, 0, 1)),
    "of strides over the batch": _depth(strides=(2, 1, 1, 1)),
    "of other channels": _depth(f=_D[:, :, :2]),
    "of one image": _depth(_X[0]),
    "with a filter of rank 3": _depth(f=_D[0]),
    "of an unknown padding": _depth(padding="FOO"),
    "of an unknown data format": _depth(data_format="FOO"),
    "of integers": _depth(_X.astype("i4"), _D.astype("i4")),
    "of an image that is too small": _depth(_X[:, :1], padding="VALID"),
}


def _pool(kind: str, x: Any, *how: Any, **more: Any) -> Callable[[Any], Any]:
    return lambda tf: getattr(tf.nn, kind)(tf.constant(x), *how, **more)


def _pools() -> dict[str, Callable[[Any], Any]]:
    found = {}
    for kind in ("max", "avg"):
        name = f"{kind}_pool2d"
        found |= {
            f"{name} of a padding in small letters": _pool(name, _X, 2, 2, "valid"),
            f"{name} of one image": _pool(name, _X[0], 2, 2, "VALID"),
            f"{name} over the batch": _pool(name, _X, [2, 1, 1, 1], 1, "VALID"),
            f"{name} with strides over the batch": _pool(name, _X, 2, [2, 1, 1, 1], "VALID"),
            f"{name} over space and channels": _pool(name, _X, [1, 2, 1, 3], [1, 1, 1, 3], "SAME"),
            f"{name} of nothing": _pool(name, _X, 0, 1, "VALID"),
            f"{name} of stride zero": _pool(name, _X, 1, 0, "VALID"),
            f"{name} larger than the image": _pool(name, _X, 9, 1, "VALID"),
            f"{name} of three sizes": _pool(name, _X, [1, 2, 1], 1, "VALID"),
            f"{kind}_pool1d of one sequence": _pool(f"{kind}_pool1d", _X[0, 0], 2, 2, "SAME"),
            f"{kind}_pool3d of images": _pool(f"{kind}_pool3d", _X, 2, 2, "SAME"),
            f"{kind}_pool3d over channels": _pool(
                f"{kind}_pool3d", _X3, [1, 1, 1, 1, 3], 1, "SAME"
            ),
            f"{kind}_pool3d of an unknown padding": _pool(f"{kind}_pool3d", _X3, 2, 2, "FOO"),
            f"{kind}_pool of rank 2": _pool(f"{kind}_pool", _X[0, 0], 2, 2, "SAME"),
            f"{kind}_pool of sizes that do not fit": _pool(
                f"{kind}_pool", _X[0], [2, 2], 2, "SAME"
            ),
            f"pool {kind} of one size": lambda tf, k=kind: tf.nn.pool(_X, 2, k.upper()),
            f"pool {kind} with holes, SAME": lambda tf, k=kind: tf.nn.pool(
                _X, [2, 2], k.upper(), dilations=[2, 1], padding="SAME"
            ),
            f"pool {kind} with holes and strides": lambda tf, k=kind: tf.nn.pool(
                _X, [2, 2], k.upper(), dilations=[2, 1], strides=[2, 2]
            ),
            f"pool {kind} in small letters": lambda tf, k=kind: tf.nn.pool(_X, [2, 2], k),
            f"pool {kind} of another rank": lambda tf, k=kind: tf.nn.pool(_X, [2, 2, 2], k.upper()),
        }
    return found | {
        "avg_pool2d over channels": _pool("avg_pool2d", _X, [1, 1, 1, 3], [1, 1, 1, 3], "SAME"),
        "avg_pool2d of integers": _pool("avg_pool2d", _X.astype("i4"), 2, 2, "SAME"),
        "max_pool2d of complex numbers": _pool("max_pool2d", _X.astype("c8"), 2, 2, "SAME"),
        "max_pool2d over channels that do not divide": _pool(
            "max_pool2d", _X, [1, 1, 1, 2], [1, 1, 1, 2], "SAME"
        ),
        "max_pool2d over channels with another stride": _pool(
            "max_pool2d", _X, [1, 1, 1, 3], [1, 1, 1, 1], "SAME"
        ),
        "max_pool2d with more around than windows": _pool(
            "max_pool2d", _X, 2, 2, [[0, 0], [2, 1], [0, 1], [0, 0]]
        ),
        "max_pool2d with numbers around the batch": _pool(
            "max_pool2d", _X, 2, 2, [[1, 0], [1, 1], [0, 1], [0, 0]]
        ),
        "max_pool_with_argmax, channels first": _pool(
            "max_pool_with_argmax", _X, 2, 2, "SAME", data_format="NCHW"
        ),
        "pool of five axes": lambda tf: tf.nn.pool(_X3[None], [2] * 4, "MAX"),
        "pool of an unknown type": lambda tf: tf.nn.pool(_X, [2, 2], "FOO"),
    }


_PADDED = [[0, 0], [1, 1], [1, 1], [0, 0]]
_IMAGE, _VOLUME = (np.ones((1, *[4] * n, 1), np.float32) for n in (2, 3))
_SQUARE = np.ones((2, 2, 1, 1), np.float32)
_PADDINGS: dict[str, Any] = {
    "of four pairs": _PADDED,
    "of five pairs": [*_PADDED, [0, 0]],
    "of three pairs": _PADDED[:3],
    "of a word in a list": ["SAME"],
    "of a word in a pair's place": [[1, 1], "ab"],
    "of three numbers": [[1, 1, 1], *_PADDED[1:]],
    "of numbers": [1, 1, 1, 1],
    "of nothing": [],
}
_WITH_PADDING: dict[str, Callable[[Any, Any], Any]] = {
    "extract_patches": lambda tf, p: tf.image.extract_patches(
        _IMAGE, [1, 2, 2, 1], _ONES[:4], _ONES[:4], p
    ),
    "extract_volume_patches": lambda tf, p: tf.extract_volume_patches(
        _VOLUME, [1, 2, 2, 2, 1], _ONES, p
    ),
    "max_pool_with_argmax": lambda tf, p: tf.nn.max_pool_with_argmax(_IMAGE, 2, 1, p),
}
_WITH_LISTS: dict[str, Callable[[Any, Any], Any]] = {
    "max_pool2d": lambda tf, p: tf.nn.max_pool2d(_IMAGE, 2, 1, p),
    "conv2d": lambda tf, p: tf.nn.conv2d(_IMAGE, _SQUARE, 1, p),
    "depthwise_conv2d": lambda tf, p: tf.nn.depthwise_conv2d(_IMAGE, _SQUARE, _ONES[:4], p),
    "conv2d_transpose": lambda tf, p: tf.nn.conv2d_transpose(_IMAGE, _SQUARE, [1, 4, 4, 1], 1, p),
}


def _paddings() -> list[Misuse]:
    """Lists in the place of a word, and lists that are none of pairs."""
    found = []
    for name, run in (_WITH_PADDING | _WITH_LISTS).items():
        for what, p in _PADDINGS.items():
            if name in _WITH_PADDING or what != "of four pairs":
                found.append(Misuse(f"{name} with padding {what}", lambda tf, r=run, p=p: r(tf, p)))
    found += [
        Misuse(f"{name} with explicit padding as a word", lambda tf, r=run: r(tf, "EXPLICIT"))
        for name, run in _WITH_LISTS.items()
    ]
    return found


ERRORS: list[Misuse] = [
    *_paddings(),
    *[Misuse(f"convolution {name}", run) for name, run in CONVOLUTIONS.items()],
    *[Misuse(f"conv_transpose {name}", run) for name, run in TRANSPOSES.items()],
    *[Misuse(f"depthwise_conv2d {name}", run) for name, run in DEPTHWISE.items()],
    *[Misuse(name, run) for name, run in _pools().items()],
    *[Misuse(f"depthwise_conv2d {name}", run) for name, run in BACKWARDS.items()],
    *[Misuse(f"dilation2d {name}", run) for name, run in MORPHOLOGY.items()],
]
