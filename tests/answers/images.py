"""What TensorFlow answers of images: turned, cut, resampled, coloured, compared, refused."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.answers.answer import Table
from tests.answers.custom import first
from tests.cases import SINGLE, Case

TABLE = Table("images")

FLOATS = np.arange(24, dtype=np.float32).reshape(2, 4, 3)
BATCH = FLOATS[None]
BYTES = (FLOATS * 10).astype(np.uint8)
FLAT = np.ones((2, 2), np.float32)
FIVE = np.ones((1, 1, 2, 2, 3), np.float32)
_BOXES = [[0.0, 0.0, 1.0, 1.0], [0.0, 0.1, 1.0, 1.1], [0.0, -0.1, 1.0, 0.9], [0.0, 9.0, 1.0, 10.0]]
_SCORES = [0.9, 0.75, 0.6, 0.95]


def _call(name: str, value: Any, *args: Any, **how: Any) -> Any:
    """Call a function with a tensor and more."""
    return lambda tf: getattr(tf.image, name)(tf.constant(value), *args, **how)


def _flat(name: str, value: Any, *args: Any, **how: Any) -> Any:
    """Call a function, and keep the first channel."""
    return lambda tf: getattr(tf.image, name)(tf.constant(value), *args, **how)[..., 0]


def _plain(name: str, *args: Any, **how: Any) -> Any:
    """Call a function without tensors."""
    return lambda tf: getattr(tf.image, name)(*args, **how)


TABLE.rows(
    "turned",
    [
        *[_flat(f"flip_{way}", x) for way in ("left_right", "up_down") for x in (FLOATS, BATCH)],
        *[_flat("rot90", x, k) for k in (-1, 0, 1, 2, 7) for x in (FLOATS, BATCH)],
        *[_flat("transpose", x) for x in (FLOATS, BATCH)],
        *[_call(n, FLAT) for n in ("flip_left_right", "rot90", "transpose")],
        *[_call(n, FIVE) for n in ("flip_up_down", "rot90", "transpose")],
        lambda tf: tf.image.flip_left_right(tf.zeros((0, 2, 3))),
        _call("rot90", FLOATS, 1.5),
        _call("rot90", FLOATS, [1]),
    ],
)
TABLE.rows(
    "cut",
    [
        *[_flat("central_crop", FLOATS, f) for f in (0.3, 0.5, 1.0)],
        lambda tf: tf.image.central_crop(BATCH, tf.constant(0.5))[..., 0],
        *[_call("central_crop", FLOATS, f) for f in (0, 1.5)],
        *[_call("central_crop", x, 0.5) for x in (FLAT, FIVE)],
        _flat("pad_to_bounding_box", FLOATS, 1, 1, 4, 6),
        *[
            _call("pad_to_bounding_box", FLOATS, *given)
            for given in ((-1, 1, 4, 6), (1, -1, 4, 6), (1, 1, 2, 6), (1, 1, 4, 4))
        ],
        _call("pad_to_bounding_box", FLAT, 1, 1, 4, 4),
        lambda tf: tf.image.pad_to_bounding_box(FLOATS, tf.constant(-1), 1, 4, 6),
        _flat("crop_to_bounding_box", FLOATS, 0, 1, 1, 2),
        *[
            _call("crop_to_bounding_box", FLOATS, *given)
            for given in (
                *((-1, 1, 1, 2), (0, -1, 1, 2), (0, 1, 0, 2)),
                *((0, 1, 1, 0), (0, 1, 3, 2), (0, 1, 1, 9)),
            )
        ],
        *[_flat("resize_with_crop_or_pad", FLOATS, *size) for size in ((1, 6), (5, 1), (2, 3))],
        *[_call("resize_with_crop_or_pad", FLOATS, *size) for size in ((0, 6), (3, 0))],
        _call("resize_with_crop_or_pad", FLAT, 3, 1),
    ],
)
TABLE.rows(
    "resampled",
    [
        *[
            _flat("resize", FLOATS, size, method)
            for method in ("bilinear", "nearest", "bicubic", "area")
            for size in ([3, 7], [1, 3])
        ],
        *[
            _flat("resize", FLOATS, size, method)
            for method in ("lanczos3", "lanczos5", "gaussian", "mitchellcubic")
            for size in ([3, 7], [1, 2])
        ],
        *[
            _flat("resize", FLOATS, size, method, antialias=True)
            for method in ("bilinear", "bicubic", "lanczos3", "gaussian")
            for size in ([5, 7], [1, 2])
        ],
        *[_flat("resize", BYTES, [2, 2], m) for m in ("bilinear", "nearest", "area", "lanczos3")],
        _flat("resize", FLOATS.astype("float16"), [2, 2], "bicubic"),
        _flat("resize", FLOATS.astype("float64"), [2, 2], "gaussian"),
        _flat("resize", FLOATS.astype("float64"), [2, 2], "nearest"),
        _flat("resize", FLOATS, [4, 4], preserve_aspect_ratio=True),
        _flat("resize", FLOATS, [5, 6], preserve_aspect_ratio=True, antialias=True),
        lambda tf: tf.image.resize(tf.zeros((0, 2, 2, 3)), [2, 2]),
        *[_flat("resize_with_pad", FLOATS, *size) for size in ((5, 5), (3, 9), (1, 2))],
        _flat("resize_with_pad", BYTES, 5, 5, method="nearest"),
        *[_call("resize_with_pad", FLOATS, *size) for size in ((0, 9), (9, -1))],
        _call("resize_with_pad", FLAT, 9, 1),
    ],
)
TABLE.rows(
    "not resampled",
    [
        *[
            _call("resize", FLOATS, size)
            for size in ([3], 3, [3.5, 2.0], ["a", 2], [0, 2], [-1, 2])
        ],
        *[_call("resize", FLOATS, [3, 2], method) for method in ("x", 1)],
        _call("resize", FLAT, [2, 2]),
        *[
            lambda tf, shape=shape: tf.image.resize(tf.zeros(shape), [2, 2])
            for shape in ((0, 2, 3), (1, 2, 2, 0))
        ],
        *[_call("resize", FLOATS > 3, [2, 2], method) for method in ("bilinear", "nearest")],
        *[_call("resize", FLOATS.astype("uint32"), [2, 2], m) for m in ("bilinear", "nearest")],
        _call("resize", FLOATS + 1j, [2, 2]),
    ],
)
TABLE.rows(
    "boxes",
    [
        *[
            _flat("crop_and_resize", BATCH, [[0.0, 0.0, 1.0, 1.0], box], [0, 0], [2, 3], **how)
            for box in ([0.2, 0.6, 1.3, 0.9], [1.0, 1.0, 0.0, 0.0])
            for how in ({}, {"method": "nearest", "extrapolation_value": -1})
        ],
        _call("crop_and_resize", BATCH, [[0.0, 0.0, 1.0, 1.0]], [0], [1, 1]),
        _flat("crop_and_resize", BYTES[None], [[0.0, 0.0, 1.0, 1.0]], [0], [2, 2]),
        lambda tf: tf.image.crop_and_resize(
            BATCH, tf.zeros((0, 4)), tf.zeros((0,), tf.int32), [2, 2]
        ),
        _call("crop_and_resize", BATCH, [[0.0, 0.0, 1.0, 1.0]], [1], [2, 3]),
        _call("crop_and_resize", BATCH, [[0.0, 0.0, 1.0]], [0], [1, 1]),
        _call("crop_and_resize", FLOATS, [[0.0, 0.0, 1.0, 1.0]], [0], [1, 1]),
        *[_call("crop_and_resize", BATCH, [[0.0] * 4], [0], size) for size in ([1], [0, 1])],
        _call("crop_and_resize", BATCH, [[0.0] * 4], [0, 0], [2, 1]),
        _call("crop_and_resize", BATCH, [[0.0] * 4], [0], [2, 1], method="x"),
        *[
            _plain("non_max_suppression", _BOXES, _SCORES, 3, **how)
            for how in ({}, {"iou_threshold": 0.9, "score_threshold": 0.7}, {"iou_threshold": 2.0})
        ],
        *[_plain("non_max_suppression", _BOXES, _SCORES, n) for n in (0, 1, -1)],
        _plain("non_max_suppression", _BOXES[:1], _SCORES, 3),
        _plain("non_max_suppression", [[0.0, 0.0, 1.0]], [0.9], 3),
        *[
            _plain("non_max_suppression_with_scores", _BOXES, _SCORES, 4, soft_nms_sigma=s, **how)
            for s in (0.0, 0.5)
            for how in ({}, {"score_threshold": 0.4})
        ],
        _plain("non_max_suppression_overlaps", [[1.0, 0.6], [0.6, 1.0]], [0.2, 0.3], 2),
        _plain("non_max_suppression_overlaps", [[1.0, 0.4], [0.4, 1.0]], [0.2, 0.3], 2),
    ],
)
TABLE.rows(
    "dtypes",
    [
        *[
            _call("convert_image_dtype", x[0], dtype, saturate)
            for x in (FLOATS / 24, BYTES, BYTES.astype("int8"), FLOATS * -2)
            for dtype in ("uint8", "int8", "uint16", "float16", "float32")
            for saturate in (False, True)
            if not (x.min() < 0 and dtype.startswith(("u", "int")) and not saturate)
        ],
        _call("convert_image_dtype", FLOATS[0] / 24, "int32"),
        _call("convert_image_dtype", BYTES[0], "int32"),
        _call("convert_image_dtype", FLOATS > 2, "uint8"),
        *[_call("convert_image_dtype", FLOATS, dtype) for dtype in ("bool", "complex64")],
    ],
)
TABLE.rows(
    "colours",
    [
        *[_call("rgb_to_grayscale", x) for x in (FLOATS, BYTES, FLAT)],
        *[_call("grayscale_to_rgb", x) for x in ([[1]], [[[0.5]]], [1.0], FLOATS)],
        *[
            _call(name, x)
            for name in ("rgb_to_yiq", "yiq_to_rgb", "rgb_to_yuv", "yuv_to_rgb")
            for x in (FLOATS[0], FLOATS[0].astype("float64"), BYTES, FLAT)
        ],
        *[
            _call("rgb_to_hsv", x)
            for x in ([0.1, 0.5, 0.2], [-0.1, -0.5, -0.2], [[0.0] * 3, [0.5, 0.2, 0.5]], FLAT, 1.0)
        ],
        *[
            _call("hsv_to_rgb", x)
            for x in ([0.1, 0.5, 0.2], [1.7, 0.5, 0.2], [[-0.3, 0.5, 0.2], [0.99, 2, 1]], FLAT)
        ],
        _plain("rgb_to_hsv", BYTES[0]),
        _call("rgb_to_hsv", BYTES[0]),
    ],
)
_AMOUNTS = {"brightness": 0.1, "contrast": 2.0, "gamma": 2, "hue": 0.1, "saturation": 0.5}
_DOUBLES = FLOATS.astype("float64") / 24
TABLE.rows(
    "doubles, of which single ones are made",
    [
        _call("rgb_to_grayscale", _DOUBLES),
        *[_call(f"adjust_{name}", _DOUBLES, by) for name, by in _AMOUNTS.items()],
    ],
    ulps=2.0**31,
)
TABLE.rows(
    "adjusted",
    [
        *[_call(f"adjust_{n}", x, by) for n, by in _AMOUNTS.items() for x in (FLOATS / 24, BYTES)],
        *[_call("adjust_hue", FLOATS / 24, by) for by in (-0.7, 1.0, 2, -1.5)],
        *[_call("adjust_saturation", FLOATS / 24, by) for by in (-1.0, 100.0)],
        *[_call(f"adjust_{name}", -FLOATS / 24, 0.3) for name in ("hue", "saturation")],
        *[_call(f"adjust_{name}", FLAT, 0.5) for name in ("contrast", "hue", "saturation")],
        _call("adjust_brightness", BYTES, 10),
        _call("adjust_brightness", FLOATS + 1j, 0.1),
        _call("adjust_contrast", FLOATS, [1.0, 2.0]),
        _call("adjust_gamma", FLOATS, 2, 0.5),
        *[_call("adjust_gamma", FLOATS, by) for by in (-1, 0, 0.5)],
        lambda tf: tf.image.adjust_gamma(FLOATS, tf.constant(0.25)),
        lambda tf: tf.image.adjust_gamma(FLOATS, tf.constant(-1.0)),
        *[_call("per_image_standardization", x) for x in (FLOATS, BYTES, FLAT)],
        _call("per_image_standardization", np.ones((1, 2, 3))),
        lambda tf: first(tf, lambda x: tf.image.rgb_to_hsv(x), tf.constant([[0.5, 0.2, 0.2]])),
    ],
)
_TILED = np.tile(FLOATS, (3, 2, 1))
TABLE.rows(
    "compared",
    [
        *[_call("total_variation", x) for x in (FLOATS, BATCH, FLAT, BYTES)],
        *[_call("psnr", x, x + 3, 255) for x in (FLOATS, BYTES, BATCH, FLAT)],
        _call("psnr", FLOATS, FLOATS, 255),
        _call("psnr", FLOATS, FLOATS[:1], 255),
        *[_call("ssim", x, x + 3, 255, filter_size=2) for x in (FLOATS, BYTES)],
        _call("ssim", FLOATS, BATCH * 2, 24.0, filter_size=2, return_index_map=True),
        _call("ssim", FLOATS, np.concatenate([BATCH, BATCH + 1]), 24.0, filter_size=2),
        _call("ssim", FLOATS, FLOATS + 1, 24.0),
        _call("ssim", FLOATS, FLOATS[:1], 24.0, filter_size=1),
        _call("ssim", FLAT, FLAT, 24.0, filter_size=1),
        _call("ssim_multiscale", FLOATS, FLOATS + 1, 24.0),
        _call("ssim_multiscale", _TILED, _TILED + 1, 24.0, (0.5, 0.5), 3),
        _call(
            "ssim_multiscale", _TILED[None, :5, :7], _TILED[None, :5, :7] * 2, 24.0, (0.3, 0.7), 2
        ),
        *[_call("image_gradients", x) for x in (BATCH, FLOATS)],
        *[_call("sobel_edges", x) for x in (BATCH, FLOATS)],
    ],
)


def _seeded(name: str, *args: Any) -> Any:
    """Call a function that draws, after the global seed is set."""

    def run(tf: Any) -> Any:
        tf.random.set_seed(7)
        return [getattr(tf.image, name)(tf.constant(FLOATS / 24), *args)[0] for _ in range(3)]

    return run


_CHANGES: dict[str, tuple[Any, ...]] = {
    "flip_left_right": (),
    "flip_up_down": (),
    "brightness": (0.2,),
    "contrast": (0.2, 0.5),
    "hue": (0.2,),
    "saturation": (0.2, 0.5),
    "crop": ((1, 2, 3),),
}
TABLE.rows(
    "changed at random",
    [
        *[_seeded(f"random_{name}", *args) for name, args in _CHANGES.items()],
        *[
            _call(f"stateless_random_{name}", FLOATS / 24, *args, seed=(1, 2))
            for name, args in _CHANGES.items()
        ],
        lambda tf: tf.image.stateless_random_flip_left_right(
            np.concatenate([BATCH, BATCH + 1, BATCH + 2, BATCH + 3]), seed=(1, 2)
        )[..., 0],
        _call("random_brightness", FLOATS, -1),
        *[_call(f"random_{n}", FLOATS, 2, 1) for n in ("contrast", "saturation")],
        *[_call(f"random_{n}", FLOATS, -2, 1) for n in ("contrast", "saturation")],
        *[_call("random_hue", FLOATS, d) for d in (0.6, -0.6)],
        _call("random_crop", FLOATS, (1, 2)),
        _call("random_crop", FLOATS, (3, 2, 3)),
        _call("stateless_random_flip_up_down", FLAT, seed=(1, 2)),
    ],
)


def _gradients(case: Case) -> Any:
    """Differentiate what is computed in single precision, once and twice."""

    def run(tf: Any) -> Any:
        xs = [tf.constant(a) for a in case.arrays("float32")]
        with tf.GradientTape(persistent=True) as outer:
            outer.watch(xs)
            with tf.GradientTape() as inner:
                inner.watch(xs)
                y = case.run(tf, *xs)
                weights = np.cos(np.arange(y.shape.num_elements(), dtype=np.float32))
                total = tf.reduce_sum(y * weights.reshape(y.shape))
            found = inner.gradient(total, xs)
            squares = sum(tf.reduce_sum(g * g) for g in found)
        return [found, outer.gradient(squares, xs) if case.tensorflow == 2 else None]

    return run


for _case in SINGLE:
    if _case.tensorflow:
        TABLE.add(f"gradients of {_case.name}", _gradients(_case), ulps=2000)
