"""Operations on images: turned, cut, resampled, coloured, compared.

What TensorFlow computes in single precision whatever comes is compared in that alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from tests.cases.case import Case, Input, points, reals

_ONCE = "TensorFlow's gradient of a resampled image has no gradient"
_NONE = "TensorFlow has no gradient of it"


def _colours(*shape: int) -> Input:
    """Describe the channels of colours, apart from ties."""
    return Input((*shape, 3), 0.1, 1.0)


def turned() -> Iterator[Case]:
    """Flips, quarter turns, rows for columns."""
    for name in ("flip_left_right", "flip_up_down", "transpose"):
        yield Case(name, lambda tf, x, name=name: getattr(tf.image, name)(x), (reals(2, 3, 2),))
    for k in (-1, 2):
        yield Case(f"rot90 by {k}", lambda tf, x, k=k: tf.image.rot90(x, k), (reals(1, 2, 3, 1),))


def cut() -> Iterator[Case]:
    """Parts of images, and images among zeros."""
    calls = {
        "central_crop": (0.5,),
        "crop_to_bounding_box": (1, 0, 2, 1),
        "pad_to_bounding_box": (1, 0, 5, 3),
        "resize_with_crop_or_pad": (3, 4),
    }
    for name, given in calls.items():
        yield Case(
            name,
            lambda tf, x, name=name, given=given: getattr(tf.image, name)(x, *given),
            (reals(4, 3, 2),),
        )
    yield Case(
        "stateless_random_crop",
        lambda tf, x: tf.image.stateless_random_crop(x, (1, 2, 1), (1, 2)),
        (reals(2, 3, 1),),
    )


def _single(name: str, run: Callable[..., Any], *inputs: Input, order: int = 2) -> Case:
    """Describe what is computed in single precision, whatever comes."""
    why = {0: _NONE, 1: _ONCE}.get(order, "")
    single = ("float32",)
    return Case(name, run, inputs, tensorflow=order, because=why, dtypes=single, half=False)


def drawn() -> Iterator[Case]:
    """Frames in images, windows around points, boxes that were chosen."""
    frames = [[[0.0, 0.2, 0.7, 1.3], [0.4, 0.0, 0.4, 0.6]]]
    yield _single(
        "draw_bounding_boxes",
        lambda tf, x, c: tf.square(tf.image.draw_bounding_boxes(x, frames, c)),
        reals(1, 3, 4, 3),
        reals(2, 3),
        order=0,
    )
    yield _single(
        "extract_glimpse",
        lambda tf, x: tf.square(tf.image.extract_glimpse(x, [2, 3], [[0.6, -0.9]], noise="zero")),
        reals(1, 4, 3, 2),
        order=0,
    )
    yield _single(
        "combined_non_max_suppression",
        lambda tf, x, s: tuple(
            tf.square(part) for part in tf.image.combined_non_max_suppression(x, s, 2, 4)[:2]
        ),
        Input((1, 3, 1, 4), 0.1, 0.9),
        points([[0.1, 0.9], [0.5, 0.3], [0.7, 0.2]]),
        order=0,
    )


def resampled() -> Iterator[Case]:
    """Each method, to more and to fewer rows and columns, and boxes."""
    for method in ("bilinear", "bicubic", "lanczos3", "gaussian", "mitchellcubic", "area"):
        yield _single(
            f"resize by {method}",
            lambda tf, x, method=method: tf.image.resize(x, [2, 5], method),
            reals(1, 3, 4, 1),
            order=0 if method == "area" else 1,
        )
    for method in ("bilinear", "bicubic", "lanczos5"):
        yield _single(
            f"resize by {method} with a wider kernel",
            lambda tf, x, method=method: tf.image.resize(x, [2, 2], method, antialias=True),
            reals(3, 4, 1),
            order=1,
        )
    yield _single(
        "resize_with_pad",
        lambda tf, x: tf.image.resize_with_pad(x, 3, 3),
        reals(2, 4, 1),
        order=1,
    )
    yield _single(
        "crop_and_resize of images",
        lambda tf, x: tf.image.crop_and_resize(
            x, [[0.1, 0.2, 0.8, 0.9], [0.0, 0.4, 1.3, 0.6]], [1, 0], [2, 3], "bilinear", 7.0
        ),
        reals(2, 3, 3, 1),
        order=1,
    )
    yield _single(
        "crop_and_resize of boxes",
        lambda tf, x, boxes: tf.image.crop_and_resize(x, boxes, [0, 0], [2, 1]),
        reals(1, 3, 3, 2),
        points([0.1, 0.2, 0.8, 0.9], [0.3, 0.4, 0.7, 0.8]),
        order=1,
    )


def compared() -> Iterator[Case]:
    """How alike images are, and images with mean zero."""
    pair = (_colours(3, 3), _colours(3, 3))
    yield _single("psnr", lambda tf, a, b: tf.image.psnr(a, b, 1.0), *pair)
    yield _single("ssim", lambda tf, a, b: tf.image.ssim(a, b, 1.0, filter_size=2), *pair)
    yield _single(
        "ssim_multiscale",
        lambda tf, a, b: tf.image.ssim_multiscale(a, a + 0.1 * b, 1.0, (0.4, 0.6), 2),
        *pair,
    )
    yield _single(
        "per_image_standardization",
        lambda tf, x: tf.image.per_image_standardization(x),
        reals(2, 2, 1),
    )


def coloured() -> Iterator[Case]:
    """Spaces of colours."""
    for name in ("rgb_to_yiq", "yiq_to_rgb", "rgb_to_yuv", "yuv_to_rgb"):
        yield Case(
            name, lambda tf, x, name=name: getattr(tf.image, name)(x), (reals(2, 3),), half=False
        )
    yield Case(
        "rgb_to_grayscale",
        lambda tf, x: tf.image.rgb_to_grayscale(x),
        (_colours(1, 2),),
        dtypes=("float32",),
        half=False,
    )
    yield Case("grayscale_to_rgb", lambda tf, x: tf.image.grayscale_to_rgb(x), (reals(2, 1, 1),))
    yield Case("rgb_to_hsv", lambda tf, x: tf.image.rgb_to_hsv(x), (_colours(2),), half=False)
    yield Case(
        "hsv_to_rgb",
        lambda tf, x: tf.image.hsv_to_rgb(x),
        (_colours(2),),
        tensorflow=0,
        because=_NONE,
        half=False,
    )


def adjusted() -> Iterator[Case]:
    """Brightness, contrast, gamma, hue, saturation."""
    amounts = {"brightness": -0.3, "gamma": 1.5, "contrast": 1.5, "hue": 0.15, "saturation": 0.7}
    for name, by in amounts.items():
        known = name in {"brightness", "gamma"}
        yield Case(
            f"adjust_{name}",
            lambda tf, x, by, name=name: getattr(tf.image, f"adjust_{name}")(x, by),
            (_colours(1, 1), Input(points=by)),
            tensorflow=2 if known else 0,
            because="" if known else _NONE,
            dtypes=("float32",),
            half=False,
        )


def edges() -> Iterator[Case]:
    """How images change from place to place."""
    yield Case("total_variation", lambda tf, x: tf.image.total_variation(x), (reals(2, 2, 3, 1),))
    yield Case("image_gradients", lambda tf, x: tf.image.image_gradients(x), (reals(1, 2, 3, 1),))
    yield Case("sobel_edges", lambda tf, x: tf.image.sobel_edges(x), (reals(1, 2, 3, 1),))
    yield Case(
        "resize by nearest",
        lambda tf, x: tf.image.resize(x, [2, 5], "nearest"),
        (reals(3, 4, 1),),
        tensorflow=1,
        because=_ONCE,
    )


CASES: list[Case] = [*turned(), *cut(), *coloured(), *adjusted(), *edges()]
SINGLE: list[Case] = [*drawn(), *resampled(), *compared()]
"""What is computed in single precision, of doubles, too: no use to judges of digits."""
