"""Images as files, written with Pillow: PNG without loss, and JPEG by a quality."""

from __future__ import annotations

import io
import math
from functools import partial
from typing import Any

import numpy as np

from symtape.errors import InternalError, UnsupportedError
from symtape.extras import imported
from symtape.ops.arguments import is_tensor, plain, tensor
from symtape.ops.attributes import attributes, integer
from symtape.ops.image.conversion import convert_image_dtype
from symtape.ops.image.files.decoding import decode_jpeg
from symtape.ops.image.files.formats import refused_dtype
from symtape.ops.nn.windows.sliding import refuse_attribute
from symtape.ops.random.drawn import uniform
from symtape.ops.random.stateless import stateless_uniform
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.decided import decided
from symtape.tensor.dispatch import invalid, not_of
from symtape.tensor.tensor import Tensor


@attributes(compression=integer(-1))
def encode_png(image: Any, compression: int = -1, name: str | None = None) -> Tensor:
    r"""The bytes of a PNG file of an image: (..., height, width, channels) of `uint8` or `uint16`.

    There are 1, 2, 3 or 4 channels, of `uint16` one; several images give as many files.
    `compression` is from 0 to 9, or -1 for what zlib does. Raises `InvalidArgumentError` for other
    shapes and dtypes, `InternalError` for images without pixels, `UnsupportedError` for several
    channels of `uint16`, and `ExtraNotInstalledError` without Pillow.

    >>> encode_png(np.zeros((1, 1, 1), np.uint8)).numpy()[:8]
    b'\x89PNG\r\n\x1a\n'
    """
    op = "EncodePng"
    x = tensor(image)
    if x.dtype not in {dtypes.uint8, dtypes.uint16}:
        raise refused_dtype(op, "T", x.dtype)
    shape = [*x.shape]
    if len(shape) < 3:
        raise invalid(op, f"images must be at least rank 3{_listed(shape)}")
    if not 1 <= shape[-1] <= 4:
        raise invalid(op, f"image must have 1, 2, 3, or 4 channels, got {shape[-1]}")
    if not -1 <= compression <= 9:
        raise invalid(op, f"compression should be in [-1,9], got {compression}")
    if x.dtype.size == 2 and shape[-1] > 1:
        raise UnsupportedError("tf.io.encode_png writes one channel of uint16; convert to uint8")
    images = np.asarray(decided(x)).reshape(math.prod(shape[:-3]), *shape[-3:])
    out = np.empty(len(images), object)
    for k, one in enumerate(images):
        if not one.size:
            raise InternalError.of(
                op, f"PNG encoding failed at the following flattened batch indices: {k}"
            )
        out[k] = _file(one, "encode_png", "PNG", compress_level=compression)
    return convert(out.reshape(shape[:-3]), dtypes.string)


@attributes(quality=integer(95))
def encode_jpeg(
    image: Any,
    format: str = "",
    quality: int = 95,
    progressive: bool = False,
    optimize_size: bool = False,
    chroma_downsampling: bool = True,
    density_unit: str = "in",
    x_density: int = 300,
    y_density: int = 300,
    xmp_metadata: str = "",
    name: str | None = None,
) -> Tensor:
    r"""The bytes of a JPEG file of an image of `uint8`: (height, width, channels), 1 or 3.

    `quality` is from 0 to 100. Metadata raise `UnsupportedError`; other shapes, dtypes and
    qualities `InvalidArgumentError`, no pixels `InternalError`, and a missing Pillow
    `ExtraNotInstalledError`.

    >>> encode_jpeg(np.zeros((1, 1, 3), np.uint8)).numpy()[:3]
    b'\xff\xd8\xff'
    """
    op = "EncodeJpeg"
    if format not in {"", "grayscale", "rgb"}:
        raise refuse_attribute(op, "format", format, ("", "grayscale", "rgb"))
    if density_unit not in {"in", "cm"}:
        raise refuse_attribute(op, "density_unit", density_unit, ("in", "cm"))
    if xmp_metadata:
        raise UnsupportedError("tf.io.encode_jpeg writes no metadata: leave xmp_metadata out")
    scale = 1.0 if density_unit == "in" else 2.54
    how: dict[str, Any] = {
        "progressive": progressive,
        "optimize": optimize_size,
        "subsampling": 2 if chroma_downsampling else 0,
        "dpi": (round(x_density * scale), round(y_density * scale)),
    }
    return _jpeg(op, _of_bytes(op, image), format, quality, how)


def adjust_jpeg_quality(
    image: Any, jpeg_quality: Any, dct_method: str = "", name: str | None = None
) -> Tensor:
    """An image as it is after it was a JPEG file of a quality from 0 to 100.

    Nothing flows back through it, as in TensorFlow. Raises what `encode_jpeg` raises:
    `InvalidArgumentError`, `InternalError`, `UnsupportedError`, `ExtraNotInstalledError`.

    >>> adjust_jpeg_quality(np.full((2, 2, 1), 128, np.uint8), 90).numpy()[..., 0]
    array([[128, 128],
           [128, 128]], dtype=uint8)
    """
    x = tensor(image)
    quality = int(plain(jpeg_quality))
    small = convert_image_dtype(x, dtypes.uint8, saturate=True)
    written = _jpeg("EncodeJpegVariableQuality", small, "", quality, {"subsampling": 2})
    read = decode_jpeg(written, channels=x.shape[-1], dct_method=dct_method)
    return convert_image_dtype(read, x.dtype, saturate=True)


def random_jpeg_quality(
    image: Any, min_jpeg_quality: int, max_jpeg_quality: int, seed: Any = None
) -> Tensor:
    """`adjust_jpeg_quality` by a quality between two numbers, the second not included.

    Raises `ValueError` for what is no range from 0 to 100, and what `adjust_jpeg_quality` raises.

    >>> random_jpeg_quality(np.full((2, 2, 1), 128, np.uint8), 50, 80).numpy().max()
    np.uint8(128)
    """
    return _at_random(image, min_jpeg_quality, max_jpeg_quality, partial(uniform, seed=seed))


def stateless_random_jpeg_quality(
    image: Any, min_jpeg_quality: int, max_jpeg_quality: int, seed: Any
) -> Tensor:
    """`random_jpeg_quality` as a function of a seed, two integers.

    >>> image = np.full((2, 2, 1), 128, np.uint8)
    >>> stateless_random_jpeg_quality(image, 50, 80, (1, 2)).numpy().max()
    np.uint8(128)
    """
    draw = partial(stateless_uniform, seed=seed)
    return _at_random(image, min_jpeg_quality, max_jpeg_quality, draw)


def _at_random(image: Any, low: int, high: int, draw: Any) -> Tensor:
    if not (0 <= low <= 100 and 0 <= high <= 100):
        raise ValueError("jpeg encoding range must be between 0 and 100.")
    if low >= high:
        raise ValueError("`min_jpeg_quality` must be less than `max_jpeg_quality`.")
    return adjust_jpeg_quality(image, draw([], minval=low, maxval=high, dtype=dtypes.int32))


def _of_bytes(op: str, image: Any) -> Tensor:
    """Read an image of `uint8`, to which what is no tensor is converted."""
    x = tensor(image) if is_tensor(image) else Tensor(np.asarray(image).astype(np.uint8))
    if x.dtype is not dtypes.uint8:
        raise not_of(op, dtypes.uint8, x)
    return x


def _jpeg(op: str, x: Tensor, format: str, quality: int, how: dict[str, Any]) -> Tensor:
    shape = [*x.shape]
    if len(shape) != 3:
        raise invalid(op, f"image must be 3-dimensional{_listed(shape)}")
    wanted = {"": shape[-1], "grayscale": 1, "rgb": 3}[format]
    if shape[-1] != wanted:
        raise invalid(op, f"format {format} expects {wanted} channels, got {_listed(shape)}")
    if shape[-1] not in {1, 3}:
        raise invalid(op, f"image must have 1 or 3 channels, got {_listed(shape)}")
    if not 0 <= quality <= 100:
        raise invalid(op, f"quality must be in [0,100], got {quality}")
    if 0 in shape:
        raise InternalError.of(op, "JPEG encoding failed")
    # Pillow takes 0 for the quality that it has by default; libjpeg takes 0 for 1.
    made = _file(np.asarray(decided(x)), "encode_jpeg", "JPEG", quality=max(quality, 1), **how)
    return convert(np.array(made, object), dtypes.string)


def _file(image: np.ndarray, name: str, format: str, **how: Any) -> bytes:
    pillow = imported("PIL.Image", f"tf.io.{name}", "images")
    file = io.BytesIO()
    pillow.fromarray(image[..., 0] if image.shape[-1] == 1 else image).save(file, format, **how)
    return file.getvalue()


def _listed(shape: list[int]) -> str:
    return f"[{','.join(map(str, shape))}]"
