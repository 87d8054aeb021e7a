"""What TensorFlow answers of images: turned, cut, resampled, coloured, compared, refused."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.answers.answer import Table
from tests.answers.custom import first
from tests.answers.pictures import FILES
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
_FRAMES = [
    [[0.0, 0.0, 1.0, 1.0], [0.3, -0.2, 0.7, 1.3], [0.5, 0.5, 0.2, 0.9], [2.0, 0.0, 3.0, 1.0]]
]
_GREY = np.zeros((1, 4, 5, 1), np.float32)
_TIED = [[[0.5, 0.9], [0.9, 0.9], [0.7, 0.2], [0.7, 0.9]]]
_CLASSES = [[[row] for row in _BOXES]]
_SINGLE = np.array(_CLASSES, np.float32), np.array(_TIED, np.float32)
_MIDDLE = np.zeros((1, 2), np.float32)


def _kept(*given: Any, **how: Any) -> Any:
    """Choose boxes of many images, given as tensors."""

    def run(tf: Any) -> Any:
        boxes, scores, *rest = given
        tensors = tf.constant(boxes), tf.constant(scores)
        return list(tf.image.non_max_suppression_padded(*tensors, *rest, **how))

    return run


TABLE.rows(
    "drawn",
    [
        *[
            _call("draw_bounding_boxes", _GREY[..., :1].repeat(depth, -1), _FRAMES, colours)
            for depth in (1, 3)
            for colours in (None, [[0.5, 2.0, 3.0, 4.0]], np.zeros((0, 4), np.float32))
        ],
        _call("draw_bounding_boxes", _GREY.astype("f2"), _FRAMES, [[0.3], [7.0]]),
        _plain("draw_bounding_boxes", _GREY.astype("f8"), np.array(_FRAMES), None),
        _call("draw_bounding_boxes", _GREY, np.zeros((1, 0, 4), np.float32), None),
        *[_call("draw_bounding_boxes", x, _FRAMES, None) for x in (_GREY[0], _GREY.astype("f8"))],
        *[_call("draw_bounding_boxes", _GREY, x, None) for x in (_FRAMES[0], _FRAMES * 2)],
        _call("draw_bounding_boxes", _GREY, [[[0.0, 0.0, 1.0]]], None),
        _call("draw_bounding_boxes", _GREY.repeat(2, -1), _FRAMES, None),
        *[_call("draw_bounding_boxes", _GREY.repeat(3, -1), _FRAMES, c) for c in ([1.0], [[1.0]])],
        lambda tf: tf.image.draw_bounding_boxes(_GREY, tf.constant(_FRAMES, tf.float64), None),
    ],
)
TABLE.rows(
    "glimpses",
    [
        *[
            _flat("extract_glimpse", BATCH, [2, 2], [[-0.4, 0.7]], middle, scaled, "zero")
            for middle in (True, False)
            for scaled in (True, False)
        ],
        _flat("extract_glimpse", BATCH, [4, 5], [[0.0, 0.0]], noise="zero"),
        _flat("extract_glimpse", BATCH, [1, 2], [[0.0, 0.0]]),
        _flat("extract_glimpse", BATCH, [1, 2], [[0.0, 0.0]], noise="gaussian"),
        _call("extract_glimpse", BATCH, [2, 2], [[np.nan, 9.0]], noise="zero"),
        _call("extract_glimpse", BATCH, [0, 2], [[0.0, 0.0]], noise="zero"),
        _call("extract_glimpse", BATCH, [1, 2], [[0.0, 0.0]], noise="foo"),
        _call("extract_glimpse", FLOATS, [1, 2], [[0.0, 0.0]], noise="zero"),
        _call("extract_glimpse", BATCH, [1], [[0.0, 0.0]], noise="zero"),
        _call("extract_glimpse", BATCH, [1, -2], [[0.0, 0.0]], noise="zero"),
        _call("extract_glimpse", BATCH, [1, 2], [0.0, 0.0], noise="zero"),
        _call("extract_glimpse", BATCH, [1, 2], [[0.0] * 3], noise="zero"),
        _call("extract_glimpse", BATCH, [1, 2], [[0.0] * 2] * 2, noise="zero"),
        _call("extract_glimpse", BATCH, [1, 2], [[0.0] * 2], centered=1),
        _call("extract_glimpse", BATCH.astype("f8"), np.array([1, 2]), _MIDDLE, noise="zero"),
    ],
)
TABLE.rows(
    "boxes of classes",
    [
        *[
            _plain("combined_non_max_suppression", _CLASSES, _TIED, *given)
            for given in (
                *((2, 3), (4, 10), (4, 10, 0.5, float("-inf"), True), (2, 3, 0.1, 0.6)),
                *((2, 3, 0.5, 0.0, False, False), (0, 3), (2, 0), (2, 3, 1.5), ([2], 3), (2, [3])),
                *((2, 3, [0.5]), (2, 3, 0.5, [0.5]), (2, 3, 0.5, 0.0, 1)),
            )
        ],
        _plain("combined_non_max_suppression", _CLASSES, np.array(_TIED, np.float32) - 3, 4, 8),
        _plain("combined_non_max_suppression", np.repeat(_CLASSES, 2, 2), _TIED, 2, 3),
        _plain("combined_non_max_suppression", np.repeat(_CLASSES, 3, 2), _TIED, 2, 3),
        _plain("combined_non_max_suppression", _CLASSES * 2, _TIED, 2, 3),
        _plain("combined_non_max_suppression", [[[row[:3]] for row in _BOXES]], _TIED, 2, 3),
        _plain("combined_non_max_suppression", _CLASSES, [_TIED[0][:2]], 2, 3),
        _plain("combined_non_max_suppression", *_SINGLE, 2, 3.0),
        _call("combined_non_max_suppression", np.array(_CLASSES), _SINGLE[1], 2, 3),
        *[_kept(_BOXES, _SCORES, 3, t, tile_size=size) for t in (0.3, 0.7) for size in (2, 512)],
        _kept(_BOXES, _SCORES, 3, 0.5, 0.8),
        _kept(_BOXES, _SCORES, 6, pad_to_max_output_size=True),
        _kept([_BOXES] * 2, [_SCORES, _SCORES[::-1]], 3, pad_to_max_output_size=True),
        _kept(_BOXES, _SCORES, 3, sorted_input=True, canonicalized_coordinates=True),
        _kept([_BOXES], [_SCORES], 3),
        _plain("non_max_suppression_padded", _BOXES, _SCORES, 3),
        _plain("non_max_suppression_padded", _BOXES, _SCORES, 3, pad_to_max_output_size=True),
    ],
)
TABLE.rows(
    "no boxes of classes",
    [
        _kept(_BOXES, _SCORES, -1),
        _kept(_BOXES, _SCORES[:2], 1),
        _kept(_BOXES, _SCORES, 1, tile_size=0),
    ],
    says="type",
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


def _read(name: str, file: str, **how: Any) -> Any:
    """Read a file, of a JPEG with the accurate transform; dtypes are named."""
    own = {"dct_method": "INTEGER_ACCURATE"} if name == "decode_jpeg" else {}

    def run(tf: Any) -> Any:
        words = {k: getattr(tf, v) if k == "dtype" else v for k, v in how.items()}
        return getattr(tf.io, name)(FILES[file], **own, **words)

    return run


def _written(channels: int, dtype: Any = np.uint8, **how: Any) -> Any:
    """Write a PNG and read it."""
    image = (np.arange(5 * 6 * channels) * 7 % 256).reshape(5, 6, channels).astype(dtype)
    return lambda tf: tf.io.decode_png(
        tf.io.encode_png(image, **how), dtype=tf.dtypes.as_dtype(dtype)
    )


def _as_jpeg(channels: int, **how: Any) -> Any:
    """Write a JPEG and read it with the accurate transform."""
    image = (np.arange(9 * 10 * channels) * 3 % 256).reshape(9, 10, channels).astype(np.uint8)
    return lambda tf: tf.io.decode_jpeg(
        tf.io.encode_jpeg(image, **how), dct_method="INTEGER_ACCURATE"
    )


_STILL = [file for file in FILES if file.endswith("png")]
TABLE.rows(
    "files",
    [
        *[_read("decode_png", file, channels=n) for file in _STILL for n in (0, 1, 3, 4)],
        *[_read("decode_png", file, dtype="uint16") for file in _STILL],
        *[_read("decode_image", file, dtype="float32") for file in (*_STILL[:6], "colours.bmp")],
        *[_read("decode_image", "wide.png", dtype=dtype) for dtype in ("int32", "float64")],
        *[_read("decode_image", "film.gif", expand_animations=b) for b in (True, False)],
        *[_read("decode_image", "film.gif", dtype=dtype) for dtype in ("uint16", "float32")],
        *[_read("decode_gif", file) for file in ("film.gif", "grey.png", "colours.bmp")],
        *[_read("decode_bmp", file) for file in ("colours.bmp", "film.gif", "grey.png")],
        *[_read("decode_image", "colours.bmp", channels=n) for n in (None, 1, 2, 3, 4)],
        *[
            _read("decode_jpeg", f"{x}.jpg", channels=n)
            for x in ("grey", "colours")
            for n in (0, 1, 3, 4)
        ],
        *[_read("decode_jpeg", "colours.jpg", ratio=n) for n in (2, 3, 4, 8)],
        *[_read("decode_jpeg", file) for file in ("film.gif", "colours.bmp", "palette.png")],
        *[_read("extract_jpeg_shape", file) for file in ("grey.jpg", "colours.jpg", "grey.png")],
        _read("extract_jpeg_shape", "grey.jpg", output_type=np.int64),
        lambda tf: tf.io.is_jpeg([FILES["grey.jpg"], FILES["grey.png"], b""]),
        lambda tf: tf.io.decode_and_crop_jpeg(
            FILES["grey.jpg"], [1, 2, 3, 4], dct_method="INTEGER_ACCURATE"
        ),
        *[
            lambda tf, w=w: tf.io.decode_and_crop_jpeg(FILES["grey.jpg"], w)
            for w in ([1, 2, 3], [1, 2, 3, 99], [-1, 2, 3, 4], [1, 2, 0, 4])
        ],
        lambda tf: tf.io.decode_and_crop_jpeg(FILES["grey.png"], [1, 2, 3, 4]),
        *[
            lambda tf, f=f, n=n: tf.io.decode_image(FILES[f][:n])
            for f, n in (
                *(("grey.png", 0), ("grey.png", 30), ("grey.png", 60), ("grey.png", -5)),
                *(("colours.bmp", 8), ("colours.bmp", 60), ("colours.jpg", 100)),
            )
        ],
        lambda tf: tf.io.decode_image(b"abc"),
        lambda tf: tf.io.decode_image([b"abc"]),
        lambda tf: tf.io.decode_png(tf.constant(3)),
        lambda tf: tf.io.decode_png(FILES["grey.png"], channels=2),
        lambda tf: tf.io.decode_jpeg(FILES["grey.jpg"], dct_method="X"),
        *[_written(n, compression=c) for n in (1, 2, 3, 4) for c in (-1, 0, 9)],
        _written(1, np.uint16),
        _written(3, compression=10),
        lambda tf: tf.shape(tf.io.encode_png(np.zeros((2, 3, 4, 5, 1), np.uint8))),
        *[
            lambda tf, shape=shape: tf.io.encode_png(np.zeros(shape, np.uint8))
            for shape in ((3, 4), (3, 4, 5), (0, 3, 1))
        ],
        lambda tf: tf.shape(tf.io.encode_png(np.zeros((0, 2, 3, 1), np.uint8))),
        *[_as_jpeg(n, quality=q) for n in (1, 3) for q in (0, 1, 50, 100)],
        *[
            _as_jpeg(3, **{k: v})
            for k, v in {
                "chroma_downsampling": False,
                "progressive": True,
                "optimize_size": True,
                "format": "rgb",
            }.items()
        ],
        *[_as_jpeg(n, format=f) for n, f in ((3, "grayscale"), (1, "rgb"), (2, ""))],
        *[_as_jpeg(1, quality=q) for q in (-1, 101)],
        lambda tf: tf.io.encode_jpeg(np.zeros((2, 3), np.uint8)),
        lambda tf: tf.io.encode_jpeg(np.zeros((0, 2, 3), np.uint8)),
        lambda tf: tf.io.encode_jpeg(tf.zeros((2, 2, 3))),
        *[
            lambda tf, n=n, q=q: tf.image.adjust_jpeg_quality(
                FLOATS / 30, q, dct_method="INTEGER_ACCURATE"
            )
            for n, q in ((3, 10), (3, 90), (3, 101))
        ],
        lambda tf: tf.image.adjust_jpeg_quality(np.zeros((2, 2, 4), np.uint8), 50),
        *[_call("random_jpeg_quality", BYTES, *given) for given in ((80, 70), (-1, 70), (0, 101))],
        lambda tf: tf.image.stateless_random_jpeg_quality(
            np.full((8, 8, 1), 128, np.uint8), 50, 90, (1, 2)
        ),
    ],
)
TABLE.rows(
    "resize of texts",
    [
        lambda tf, m=m: tf.image.resize(tf.fill([1, 4, 4, 3], "a"), [2, 2], m)
        for m in ("bilinear", "nearest", "bicubic", "area", "lanczos3")
    ],
)
