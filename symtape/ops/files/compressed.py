"""Texts that were compressed: decode_compressed."""

from __future__ import annotations

import zlib
from typing import Any

from symtape.errors import DataLossError, UnsupportedError
from symtape.ops.strings.arguments import each, text_of
from symtape.tensor.dispatch import invalid
from symtape.tensor.tensor import Tensor

_OP = "DecodeCompressed"
_WINDOWS = {"ZLIB": zlib.MAX_WBITS, "GZIP": zlib.MAX_WBITS | 16}
"""How the head of a text is written, as zlib is told."""


def decode_compressed(bytes: Any, compression_type: Any = "", name: str | None = None) -> Tensor:
    """The texts that were compressed by "ZLIB" or "GZIP"; without a type they are as they are.

    As in TensorFlow, a text that is cut off gives what it has. Raises `DataLossError` for texts
    that were not compressed so, `InvalidArgumentError` for other types, and `UnsupportedError` for
    "ZSTD".

    >>> decode_compressed(zlib.compress(b"hello"), "ZLIB").numpy()
    b'hello'
    """
    texts = text_of(_OP, bytes)
    kind = compression_type.decode() if hasattr(compression_type, "decode") else compression_type
    if kind == "":
        return each(lambda text: text, texts)
    if kind == "ZSTD":
        raise UnsupportedError(
            "tf.io.decode_compressed(compression_type='ZSTD'): compress by ZLIB or GZIP"
        )
    if kind not in _WINDOWS:
        raise invalid(_OP, "Only ZLIB, ZSTD, GZIP or NONE are supported compressions")
    return each(lambda text: _inflated(text, kind), texts)


def _inflated(text: bytes, kind: str) -> bytes:
    """Decompress a text; of several that follow each other all where they are files of gzip."""
    parts = []
    while text:
        reader = zlib.decompressobj(_WINDOWS[kind])
        try:
            parts.append(reader.decompress(text))
        except zlib.error as error:
            why = str(error).rpartition(": ")[2]
            raise DataLossError.of(_OP, f"inflate() failed with error -3: {why}") from None
        text = reader.unused_data if kind == "GZIP" else b""
    return b"".join(parts)
