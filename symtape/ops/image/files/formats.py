"""Formats of images: what a file has, as libpng and libjpeg give it, and what is refused of it."""

from __future__ import annotations

import io
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from symtape.errors import InvalidArgumentError, UnsupportedError
from symtape.extras import imported
from symtape.ops.image.conversion import convert_image_dtype
from symtape.ops.strings.arguments import text_of
from symtape.tensor import dtypes
from symtape.tensor.tensor import Tensor

_STARTS = {b"\x89PNG\r\n\x1a\n": "PNG", b"\xff\xd8\xff": "JPEG", b"GIF8": "GIF", b"BM": "BMP"}
"""How files of each format begin."""

_WORDS = {"DecodePng": "decode_png", "DecodeJpeg": "decode_jpeg", "DecodeGif": "decode_gif",
          "DecodeBmp": "decode_bmp", "DecodeImage": "decode_image",
          "DecodeAndCropJpeg": "decode_and_crop_jpeg"}  # fmt: skip

_GREY = 9798, 19235, 3735
"""How much red, green and blue weigh in grey, of 32768, as libpng computes."""

_HEADER_OF_BMP = 32

_WIDE = dtypes.uint16


class Asked(NamedTuple):
    """What an operation is asked for: its name, channels, and how a JPEG is read."""

    op: str
    channels: int = 0
    ratio: int = 1


# --- what is asked --------------------------------------------------------------------------------


class Data(NamedTuple):
    """A file, its format, and what is asked of it."""

    content: bytes
    format: str
    asked: Asked


def bytes_of(op: str, contents: Any) -> bytes:
    """Read one text that is not empty."""
    texts = text_of(op, contents)
    if texts.ndim:
        raise invalid(op, f"`contents` must be scalar but got shape{[*texts.shape]}")
    data: bytes = texts[()]
    if not data:
        raise invalid(op, "Input is empty.")
    return data


def format_of(data: bytes) -> str:
    """Tell the format of a file by its first bytes; "" for an unknown one."""
    return next((kind for start, kind in _STARTS.items() if data.startswith(start)), "")


def checked(asked: Asked, contents: Any) -> Data:
    """Check channels, format, and whether an operation reads it, in TensorFlow's order."""
    op, channels = asked.op, asked.channels
    data = bytes_of(op, contents)
    if channels not in {0, 1, 3, 4}:
        raise invalid(op, f"`channels` must be 0, 1, 3 or 4 but got {channels}")
    kind = format_of(data)
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        raise UnsupportedError(
            f"tf.io.{_WORDS[op]} reads no WebP: take the array of PIL.Image.open"
        )
    if not kind:
        known = "JPEG, JPEG XL, PNG, GIF, BMP, WebP"
        raise invalid(op, f"Unknown image file format. One of {known} required.")
    if kind == "JPEG" and channels == 4:
        raise invalid(op, "JPEG does not support 4 channels")
    if kind == "GIF" and channels not in {0, 3}:
        raise invalid(op, f"channels must be 0 or 3 for GIF, got {channels}")
    if kind == "BMP" and channels == 1:
        raise invalid(op, "`channels` must be 0, 3 or 4 for BMP, but got 1")
    _check_format(op, kind)
    return Data(data, kind, asked)


def _check_format(op: str, kind: str) -> None:
    use = f"Use `decode_{kind.lower()}` or `decode_image` instead."
    if op == "DecodeAndCropJpeg" and kind != "JPEG":
        raise invalid(op, f"{op} operation can run on JPEG only, but detected {kind}.")
    if op == "DecodeBmp" and kind != "BMP":
        raise invalid(op, f"Trying to decode {kind} format using DecodeBmp op. {use}")
    if kind == "BMP" and op not in {"DecodeBmp", "DecodeImage"}:
        raise invalid(op, f"Trying to decode BMP format using a wrong op. {use} Op used: {op}")


def asked_of_jpeg(
    op: str, channels: int, ratio: int, fancy: bool, recovers: bool, fraction: float, dct: str
) -> Asked:
    """Check how a JPEG is to be read."""
    if ratio not in {1, 2, 4, 8}:
        raise invalid(op, f"ratio must be 1, 2, 4, or 8, got {ratio}")
    if dct not in {"", "INTEGER_FAST", "INTEGER_ACCURATE"}:
        raise invalid(op, "dct_method must be one of {'', 'INTEGER_FAST', 'INTEGER_ACCURATE'}")
    given = {
        "fancy_upscaling=False": not fancy,
        "try_recover_truncated=True": recovers,
        "acceptable_fraction": fraction != 1,
        "dct_method='INTEGER_FAST'": dct == "INTEGER_FAST",
    }
    for what in [what for what, is_given in given.items() if is_given]:
        raise UnsupportedError(
            f"tf.io.{_WORDS[op]}({what}) cannot be had from Pillow: leave it out; images are read "
            "whole and with the accurate transform"
        )
    return Asked(op, channels, ratio)


def refused_dtype(op: str, attr: str, dtype: Any) -> Exception:
    """Make the error for a dtype of more than sixteen bits, or of no whole numbers."""
    return InvalidArgumentError(
        message=f"Value for attr '{attr}' of {dtype.enum_name} is not in the list of allowed "
        f"values: uint8, uint16\n\t; NodeDef: {{{{node {op}}}}} [Op:{op}] name: "
    )


def invalid(op: str, text: str) -> Exception:
    """Make the error of an operation that TensorFlow calls without a name."""
    frame = f"function_node __wrapped__{op}_device_/job:localhost/replica:0/task:0/device:CPU:0"
    return InvalidArgumentError(message=f"{{{{{frame}}}}} {text} [Op:{op}]")


def broken(op: str, kind: str, size: int, *, is_begun: bool) -> Exception:
    """Make the error for a file that ends, or is wrong, before or after its pixels have begun."""
    if kind == "PNG" and not is_begun:
        return invalid(op, "Invalid PNG. Failed to initialize decoder.")
    if kind == "JPEG":
        return invalid(op, "jpeg::Uncompress failed. Invalid JPEG data or crop window.")
    return invalid(op, f"Invalid {kind} data, size {size}")


def _check_size_of_bmp(op: str, data: bytes) -> None:
    """Compare the size of a BMP file with what its header says."""
    if len(data) < _HEADER_OF_BMP:
        raise invalid(
            op,
            f"Incomplete bmp content, requires at least {_HEADER_OF_BMP} bytes to find the header "
            f"size, width, height, and bpp, got {len(data)} bytes",
        )
    start, width, height = (
        int.from_bytes(data[k : k + 4], "little", signed=True) for k in (10, 18, 22)
    )
    bits = int.from_bytes(data[28:30], "little")
    rest = len(data) - start - (bits * width + 31) // 32 * 4 * abs(height)
    if rest:
        raise invalid(
            op,
            "Input size should match (header_size + row_size * abs_height) but they differ by "
            f"{rest}",
        )


# --- what is read ---------------------------------------------------------------------------------


def opened(op: str, data: bytes, kind: str) -> Any:
    """Open a file; what is not to be understood is refused in TensorFlow's words."""
    pillow = imported("PIL.Image", f"tf.io.{_WORDS.get(op, 'extract_jpeg_shape')}", "images")
    try:
        return pillow.open(io.BytesIO(data), formats=[kind])
    except (OSError, SyntaxError, ValueError):
        raise broken(op, kind, len(data), is_begun=False) from None


def _array(data: Data, make: Callable[[], Any]) -> np.ndarray:
    try:
        made = np.asarray(make())
    except (OSError, SyntaxError, ValueError, EOFError):
        size = len(data.content)
        raise broken(data.asked.op, data.format, size, is_begun=True) from None
    return made if made.ndim > 2 else made[..., None]


def one_image(data: Data) -> np.ndarray:
    """Read one image: of an animation there is none."""
    if data.format != "GIF":
        return narrow(still(data)) if data.asked.op != "DecodePng" else still(data)
    found = frames(data)
    if len(found) > 1:
        raise invalid(
            data.asked.op,
            f"Got {len(found)} frames, but animated gifs can only be decoded by tf.io.decode_gif "
            "or tf.io.decode_image",
        )
    first: np.ndarray = found[0]
    return first


def still(data: Data) -> np.ndarray:
    """Read the image of a file that has one, of eight or sixteen bits a channel."""
    return {"PNG": _png, "JPEG": _jpeg, "BMP": _bmp}[data.format](data)


def frames(data: Data) -> np.ndarray:
    """Read the images of a GIF: (frames, height, width, 3)."""
    image = opened(data.asked.op, data.content, "GIF")

    def frame(k: int) -> Any:
        image.seek(k)
        return image.convert("RGB")

    count = getattr(image, "n_frames", 1)
    return np.stack([_array(data, partial(frame, k)) for k in range(count)])


def _jpeg(data: Data) -> np.ndarray:
    """Read a JPEG as libjpeg does: grey is its luminance, and a smaller image its first waves."""
    _, channels, ratio = data.asked
    image = opened(data.asked.op, data.content, "JPEG")
    if image.mode not in {"L", "RGB"}:
        raise UnsupportedError(
            f"tf.io.{_WORDS[data.asked.op]}: a JPEG with the channels {image.mode} is not read; "
            "convert it with PIL.Image.open(path).convert('RGB')"
        )
    mode = {0: image.mode, 1: "L", 3: "RGB"}[channels]
    size = image.size
    wanted = None if ratio == 1 else tuple(max(1, n // ratio) for n in size)
    image.draft("L" if mode == "L" else image.mode, wanted)
    found = _array(data, lambda: image.convert(mode))
    if found.shape[1::-1] != tuple(-(-n // ratio) for n in size):
        raise UnsupportedError(f"ratio={ratio} of a JPEG of {size[1]} rows, {size[0]} columns")
    return found


def _bmp(data: Data) -> np.ndarray:
    """Read a BMP; what has one channel in the file are numbers, also of a palette."""
    _check_size_of_bmp(data.asked.op, data.content)
    image = opened(data.asked.op, data.content, "BMP")
    mode = {0: None, 3: "RGB", 4: "RGBA"}[data.asked.channels]
    if image.mode in {"L", "P"}:
        found = _array(data, lambda: image)
        found = found if mode is None else found.repeat(3, -1)
        return _with_alpha(found, 255) if mode == "RGBA" else found
    return _array(data, lambda: image if mode is None else image.convert(mode))


def _png(data: Data) -> np.ndarray:
    """Read a PNG as libpng does: grey by whole weights, alpha in the depth of the file."""
    image = opened(data.asked.op, data.content, "PNG")
    if b"IEND" not in data.content:  # which Pillow does not miss
        raise broken(data.asked.op, "PNG", len(data.content), is_begun=True)
    depth = data.content[24]
    is_wide = depth == 16
    if is_wide and len(image.getbands()) > 1:
        raise UnsupportedError(
            f"tf.io.{_WORDS[data.asked.op]}: a PNG of several channels of sixteen bits is not read"
        )
    of_palette = image.mode == "P"
    is_clear = "transparency" in image.info
    own = len(image.getbands()) + (2 + is_clear if of_palette else 0)
    channels = data.asked.channels or own
    wants_alpha = channels % 2 == 0
    if is_clear and wants_alpha and image.mode not in {"LA", "RGBA"}:
        colours = _array(data, lambda: image.convert("RGBA"))
    elif image.mode in {"1", "P"}:
        colours = _array(data, lambda: image.convert("RGB" if of_palette else "L"))
    else:
        colours = _array(data, lambda: image)
    colours = colours.astype(np.uint16 if is_wide else np.uint8)
    if wants_alpha and colours.shape[-1] % 2:
        colours = _with_alpha(colours, 2**depth - 1)
    if not wants_alpha and colours.shape[-1] % 2 == 0:
        colours = colours[..., :-1]
    return _in_channels(colours, channels)


def _in_channels(colours: np.ndarray, channels: int) -> np.ndarray:
    """Make grey of colours, or colours of grey; alpha stays as it is."""
    size = colours.shape[-1]
    alpha = colours[..., size - 1 + size % 2 :]
    plain = colours[..., : size - alpha.shape[-1]]
    if channels < 3 <= plain.shape[-1]:
        weighed = (plain.astype(np.int64) * _GREY).sum(-1, keepdims=True) >> 15
        plain = weighed.astype(colours.dtype)
    elif channels > 2 and plain.shape[-1] == 1:
        plain = plain.repeat(3, -1)
    return np.concatenate([plain, alpha], -1)


def _with_alpha(colours: np.ndarray, value: int) -> np.ndarray:
    full = np.full((*colours.shape[:-1], 1), value, colours.dtype)
    return np.concatenate([colours, full], -1)


def narrow(image: np.ndarray) -> np.ndarray:
    """Keep the upper eight bits."""
    return image if image.dtype == np.uint8 else (image >> 8).astype(np.uint8)


def in_dtype(image: np.ndarray, kind: str, wanted: Any) -> Tensor:
    """Convert the numbers of a file: those of a PNG may have sixteen bits."""
    if wanted == _WIDE:
        wide = image.astype(np.uint16)
        return Tensor(wide if image.dtype == np.uint16 else wide * (257 if kind == "PNG" else 256))
    if wanted == dtypes.float32 and kind == "PNG":
        most = np.float32(np.iinfo(image.dtype).max)
        return Tensor(image.astype(np.float32) / most)
    if wanted in {dtypes.uint8, dtypes.float32}:
        return convert_image_dtype(Tensor(narrow(image)), wanted)
    return convert_image_dtype(in_dtype(image, kind, _WIDE), wanted)
