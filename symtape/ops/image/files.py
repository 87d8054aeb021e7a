"""Images in files, which are not read or written here: each name says what does that."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from symtape.errors import UnsupportedError

Refusal = Callable[..., NoReturn]


def _reader(name: str) -> Refusal:
    return _refused(
        name,
        "read the file with another library and take the array, as "
        "tf.constant(np.asarray(PIL.Image.open(path)))",
    )


def _writer(name: str) -> Refusal:
    return _refused(
        name,
        "write the array with another library, as PIL.Image.fromarray(image.numpy()).save(path)",
    )


def _refused(name: str, instead: str) -> Refusal:
    text = f"tf.image.{name}: symtape knows no formats of images: {instead}"

    def function(*args: Any, **kwargs: Any) -> NoReturn:
        raise UnsupportedError(text)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = (
        f"Raise `UnsupportedError`: there are no formats of images here; {instead}.\n\n"
        f"    >>> {name}()\n    Traceback (most recent call last):\n"
        f"    symtape.errors.UnsupportedError: {text}\n    "
    )
    return function


decode_and_crop_jpeg = _reader("decode_and_crop_jpeg")
decode_bmp = _reader("decode_bmp")
decode_gif = _reader("decode_gif")
decode_image = _reader("decode_image")
decode_jpeg = _reader("decode_jpeg")
decode_png = _reader("decode_png")
encode_jpeg = _writer("encode_jpeg")
encode_png = _writer("encode_png")
extract_jpeg_shape = _reader("extract_jpeg_shape")
adjust_jpeg_quality = _refused("adjust_jpeg_quality", "write and read the image with PIL")
random_jpeg_quality = _refused("random_jpeg_quality", "write and read the image with PIL")
stateless_random_jpeg_quality = _refused(
    "stateless_random_jpeg_quality", "write and read the image with PIL"
)
