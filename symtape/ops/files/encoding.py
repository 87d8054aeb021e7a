"""Bytes that stand for numbers, and texts that stand for bytes: decode_raw, base64."""

from __future__ import annotations

import base64
import binascii
from typing import Any

import numpy as np

from symtape.ops.arguments import allowed, check, sample, scalar
from symtape.ops.attributes import attributes, boolean
from symtape.ops.strings.arguments import each, text_of
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.dispatch import invalid
from symtape.tensor.tensor import Tensor
from symtape.tensor.unknown_sizes import unsized

_RAW = allowed(
    "half, float, double, int32, uint16, uint8, int16, int8, int64, complex64, complex128, bool, "
    "bfloat16"
)
"""What bytes can be read as."""


@attributes(little_endian=boolean(True))
def decode_raw(
    input_bytes: Any,
    out_type: Any,
    little_endian: bool = True,
    fixed_length: int | None = None,
    name: str | None = None,
) -> Tensor:
    """Bytes as numbers of a dtype, along a new last axis.

    With `fixed_length`, texts are cut, or filled up with zeros. Raises `InvalidArgumentError` for
    texts of several lengths, and of such that no numbers fill, for another dtype than a number's of
    TensorFlow's kernel, and for a `fixed_length` that is not greater than zero.

    >>> decode_raw([b"abc", b"abd"], "uint8").numpy()
    array([[ 97,  98,  99],
           [ 97,  98, 100]], dtype=uint8)
    """
    op = "DecodeRaw"
    texts = text_of(op, input_bytes)
    dtype = dtypes.as_dtype(out_type)
    check(op, sample(dtype), _RAW, attr="out_type")
    if fixed_length is not None:
        fixed_length = scalar(convert(fixed_length, dtypes.int32))
        if fixed_length < 1:
            text = f"fixed_length ({fixed_length}) must be greater than zero."
            raise invalid("DecodePaddedRaw", text)
    parts = [text[:fixed_length].ljust(fixed_length or 0, b"\0") for text in texts.ravel()]
    size = len(parts[0]) if parts else 0
    for k, part in enumerate(parts):
        if len(part) != size:
            raise invalid(
                op,
                "DecodeRaw requires input strings to all be the same size, but element "
                f"{k} has size {size} != {len(part)}",
            )
    if size % dtype.size:
        raise invalid(
            op,
            f"Input to DecodeRaw has length {size} that is not a multiple of {dtype.size}, the "
            f"size of {dtype.enum_name}",
        )
    order = dtype.numpy.newbyteorder("<" if little_endian else ">")
    numbers = np.frombuffer(b"".join(parts), order).astype(dtype.numpy)
    made = Tensor(numbers.reshape(*texts.shape, size // dtype.size))
    return made if fixed_length else unsized(made, -1)


@attributes(pad=boolean(False))
def encode_base64(input: Any, pad: bool = False, name: str | None = None) -> Tensor:
    """Texts written with 64 letters that fit into addresses; `pad` fills them up with "=".

    >>> encode_base64("hello").numpy()
    b'aGVsbG8'
    """

    def encoded(text: bytes) -> bytes:
        found = base64.urlsafe_b64encode(text)
        return found if pad else found.rstrip(b"=")

    return each(encoded, text_of("EncodeBase64", input))


def decode_base64(input: Any, name: str | None = None) -> Tensor:
    """The texts that were written with 64 letters; raises `InvalidArgumentError` for others.

    >>> decode_base64("aGVsbG8").numpy()
    b'hello'
    """

    def decoded(text: bytes) -> bytes:
        try:
            filled = text.rstrip(b"=") + b"=" * (-len(text.rstrip(b"=")) % 4)
            return base64.b64decode(filled, b"-_", validate=True)
        except binascii.Error:
            raise invalid("DecodeBase64", "Invalid character found in base64.") from None

    return each(decoded, text_of("DecodeBase64", input))
