"""Images in files, read with Pillow: PNG, JPEG, GIF and BMP as arrays of rows, columns, channels.

The bytes of PNG, GIF and BMP files are TensorFlow's to the last bit. A JPEG file is what
TensorFlow reads with `dct_method="INTEGER_ACCURATE"`; by default it takes a faster transform, which
differs from it by a few of 255 levels.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from symtape.ops.arguments import integers, of_places
from symtape.ops.attributes import attributes, integer, string
from symtape.ops.image.files.formats import (
    Asked,
    asked_of_jpeg,
    broken,
    bytes_of,
    checked,
    format_of,
    frames,
    in_dtype,
    invalid,
    narrow,
    one_image,
    opened,
    refused_dtype,
    still,
)
from symtape.ops.strings.arguments import text_of
from symtape.tensor import dtypes
from symtape.tensor.tensor import Tensor
from symtape.tensor.unknown_sizes import announced


@attributes(channels=integer(0))
def decode_image(
    contents: Any,
    channels: int | None = None,
    dtype: Any = dtypes.uint8,
    name: str | None = None,
    expand_animations: bool = True,
) -> Tensor:
    """The image in a file of PNG, JPEG, GIF or BMP: (height, width, channels).

    `channels` is 1, 3, 4, or 0 or None for those of the file. A GIF has the shape (frames, height,
    width, 3), but for one that is not to `expand_animations`, which is the first frame. Floats are
    numbers from 0 to 1. Raises `InvalidArgumentError` for other files and channels,
    `UnsupportedError` for WebP, four inks and several channels of sixteen bits, and
    `ExtraNotInstalledError` without Pillow, which `symtape[images]` installs.

    >>> from symtape.ops.image.files.encoding import encode_png
    >>> decode_image(encode_png(np.array([[[0], [128]]], np.uint8))).numpy().tolist()
    [[[0], [128]]]
    """
    wanted = dtypes.as_dtype(dtype)
    sizes = None if expand_animations else [None, None, channels or None]
    if (made := announced(wanted, sizes)) is not None:
        return made
    data = checked(Asked("DecodeImage", channels or 0), contents)
    image = frames(data) if data.format == "GIF" else still(data)
    if data.format == "GIF" and not expand_animations:
        image = image[0]
    return in_dtype(image, data.format, wanted)


def decode_png(
    contents: Any, channels: int = 0, dtype: Any = dtypes.uint8, name: str | None = None
) -> Tensor:
    """The image in a PNG file, as `uint8` or `uint16`; also that of a JPEG, or a GIF of one frame.

    Raises what `decode_image` raises, `UnsupportedError` too.

    >>> from symtape.ops.image.files.encoding import encode_png
    >>> decode_png(encode_png(np.array([[[7], [9]]], np.uint8)), channels=3).shape
    TensorShape([1, 2, 3])
    """
    wanted = dtypes.of_kernel(dtype, dtypes.uint8)
    if wanted not in {dtypes.uint8, dtypes.uint16}:
        raise refused_dtype("DecodePng", "dtype", wanted)
    if (made := announced(wanted, [None, None, channels or None])) is not None:
        return made
    data = checked(Asked("DecodePng", channels), contents)
    return in_dtype(one_image(data), data.format, wanted)


@attributes(channels=integer(0), ratio=integer(1), dct_method=string(""))
def decode_jpeg(
    contents: Any,
    channels: int = 0,
    ratio: int = 1,
    fancy_upscaling: bool = True,
    try_recover_truncated: bool = False,
    acceptable_fraction: float = 1,
    dct_method: str = "",
    name: str | None = None,
) -> Tensor:
    """The image in a JPEG file, `uint8`; `ratio` 2, 4 or 8 reads a smaller one.

    Also that of a PNG, or a GIF of one frame. The accurate transform is used whatever the default
    is; `INTEGER_FAST`, rough upscaling and files that are cut off raise `UnsupportedError`. Raises
    what `decode_image` raises.

    >>> from symtape.ops.image.files.encoding import encode_jpeg
    >>> decode_jpeg(encode_jpeg(np.full((8, 8, 1), 7, np.uint8))).numpy().max()
    np.uint8(7)
    """
    how = fancy_upscaling, try_recover_truncated, acceptable_fraction, dct_method
    asked = asked_of_jpeg("DecodeJpeg", channels, ratio, *how)
    if (made := announced(dtypes.uint8, [None, None, channels or None])) is not None:
        return made
    return Tensor(one_image(checked(asked, contents)))


def decode_and_crop_jpeg(
    contents: Any,
    crop_window: Any,
    channels: int = 0,
    ratio: int = 1,
    fancy_upscaling: bool = True,
    try_recover_truncated: bool = False,
    acceptable_fraction: float = 1,
    dct_method: str = "",
    name: str | None = None,
) -> Tensor:
    """A part of the image in a JPEG file: first row and column, height and width.

    It is that of the whole image, whose colours at the border know their neighbours. Raises what
    `decode_jpeg` raises, `UnsupportedError` too, and `InvalidArgumentError` for a window that is
    not within the image.

    >>> from symtape.ops.image.files.encoding import encode_jpeg
    >>> decode_and_crop_jpeg(encode_jpeg(np.zeros((8, 9, 3), np.uint8)), [2, 3, 4, 5]).shape
    TensorShape([4, 5, 3])
    """
    op = "DecodeAndCropJpeg"
    window = integers(crop_window)
    how = fancy_upscaling, try_recover_truncated, acceptable_fraction, dct_method
    asked = asked_of_jpeg(op, channels, ratio, *how)
    if len(window) != 4:
        raise invalid(op, f"crop_size must have four elements [{len(window)}]")
    if (made := announced(dtypes.uint8, [*window[2:], channels or None])) is not None:
        return made
    data = checked(asked, contents)
    image = one_image(data)
    row, column, height, width = window
    is_within = row + height <= image.shape[0] and column + width <= image.shape[1]
    if min(row, column) < 0 or min(height, width) < 1 or not is_within:
        raise broken(op, "JPEG", len(data.content), is_begun=True)
    return Tensor(image[row : row + height, column : column + width])


def decode_bmp(contents: Any, channels: int = 0, name: str | None = None) -> Tensor:
    """The image in a BMP file, `uint8`.

    Raises what `decode_image` raises, `UnsupportedError` too.

    >>> decode_bmp(b"BM")
    Traceback (most recent call last):
    symtape.errors.InvalidArgumentError: ...Incomplete bmp content...
    """
    if (made := announced(dtypes.uint8, [None, None, channels or None])) is not None:
        return made
    return Tensor(one_image(checked(Asked("DecodeBmp", channels), contents)))


def decode_gif(contents: Any, name: str | None = None) -> Tensor:
    """The images in a GIF file, `uint8`: (frames, height, width, 3); a still one is one frame.

    Raises what `decode_image` raises, `UnsupportedError` too.

    >>> from symtape.ops.image.files.encoding import encode_png
    >>> decode_gif(encode_png(np.zeros((4, 5, 1), np.uint8))).shape
    TensorShape([1, 4, 5, 3])
    """
    if (made := announced(dtypes.uint8, [None, None, None, 3])) is not None:
        return made
    data = checked(Asked("DecodeGif"), contents)
    if data.format == "GIF":
        return Tensor(frames(data))
    return Tensor(narrow(still(data._replace(asked=Asked("DecodeGif", 3))))[None])


def extract_jpeg_shape(
    contents: Any, output_type: Any = dtypes.int32, name: str | None = None
) -> Tensor:
    """Height, width and channels of a JPEG file; raises `InvalidArgumentError` for another.

    >>> from symtape.ops.image.files.encoding import encode_jpeg
    >>> extract_jpeg_shape(encode_jpeg(np.zeros((4, 5, 3), np.uint8))).numpy()
    array([4, 5, 3], dtype=int32)
    """
    op = "ExtractJpegShape"
    kind = of_places(op, output_type, dtypes.int32, "output_type")
    if (made := announced(kind, [3])) is not None:
        return made
    data = bytes_of(op, contents)
    if format_of(data) != "JPEG":
        raise invalid(op, f"Invalid JPEG data, size {len(data)}")
    image = opened(op, data, "JPEG")
    shape = [image.height, image.width, len(image.getbands())]
    return Tensor(np.array(shape, kind.numpy))


def is_jpeg(contents: Any, name: str | None = None) -> Tensor:
    """Whether texts begin as JPEG files do.

    >>> is_jpeg([bytes([255, 216, 255, 0]), b"abc"]).numpy()
    array([ True, False])
    """
    texts = text_of("Substr", contents)
    starts = np.vectorize(lambda text: text.startswith(b"\xff\xd8\xff"), otypes=[bool])
    return Tensor(starts(texts) if texts.size else np.zeros(texts.shape, bool))
