"""Sound in WAV files: 16-bit samples, as numbers from -1 to 1.

Source: Multimedia Programming Interface and Data Specifications 1.0 (IBM and Microsoft, 1991),
"Waveform Audio File Format"; which files are taken, and the words of errors, are TensorFlow's.
"""

from __future__ import annotations

import struct
from typing import Any, NamedTuple

import numpy as np

from symtape.ops.arguments import of_dtype, scalar
from symtape.ops.attributes import attributes, integer
from symtape.ops.strings.arguments import text_of
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.dispatch import invalid, listed
from symtape.tensor.recording.looking import forgotten
from symtape.tensor.tensor import Tensor
from symtape.tensor.unknown_sizes import announced
from symtape.tensor.values import look_at, shape_of

_READ, _WRITE = "DecodeWav", "EncodeWav"
_LARGEST = 2**31 - 1
_SCALE = np.float32(1 << 15)
_SHORT = "Data too short when trying to read string"
_FORMAT = "<HHIIHH"
_BEFORE_FORMAT = {b"JUNK", b"bext", b"iXML", b"qlty", b"mext", b"levl", b"link", b"axml"}


class DecodeWav(NamedTuple):
    """What a WAV file holds."""

    audio: Tensor
    sample_rate: Tensor


@attributes(desired_channels=integer(-1), desired_samples=integer(-1))
def decode_wav(
    contents: Any, desired_channels: int = -1, desired_samples: int = -1, name: str | None = None
) -> DecodeWav:
    """The samples of a WAV file, float32 of the shape (samples, channels), and how many a second.

    `desired_channels` leaves the first ones out of more, and repeats the last one of fewer;
    `desired_samples` cuts, or adds zeros. Raises `InvalidArgumentError` for what is no file of
    16-bit samples.

    >>> decode_wav(encode_wav([[0.5], [-1.0]], 8000)).audio.numpy().tolist()
    [[0.5], [-1.0]]
    """
    channels, count = scalar(desired_channels), scalar(desired_samples)
    for what, wanted in (("channels", channels), ("samples", count)):
        if wanted < -1:
            raise invalid(_READ, f"desired_{what} must be >= -1, got {wanted}")
    text = text_of(_READ, contents)
    if text.ndim:
        raise invalid(_READ, f"contents must be scalar, got shape {listed(text.shape)}")
    known = [None if n == -1 else n for n in (count, channels)]
    if (audio := announced(dtypes.float32, known)) is not None:
        return DecodeWav(audio, forgotten(convert(0, dtypes.int32)))
    samples, rate = _read(text[()])
    if channels >= 0:
        samples = samples[:, np.minimum(np.arange(channels), samples.shape[1] - 1)]
    if count >= 0:
        missing = max(0, count - len(samples))
        samples = np.pad(samples[:count], [(0, missing), (0, 0)])
    made = samples.astype(np.float32) / _SCALE
    return DecodeWav(Tensor(made), convert(rate, dtypes.int32))


def _read(data: bytes) -> tuple[Any, int]:
    """Read the samples of each channel, and their rate."""
    _expect(data, 0, b"RIFF")
    _expect(data, 8, b"WAVE")
    kind, at, size = _chunk(data, 12)
    while kind != b"fmt ":
        if kind not in _BEFORE_FORMAT:
            raise invalid(_READ, f"Unexpected field {kind.decode('latin-1')}")
        kind, at, size = _chunk(data, at + size)
    channels, rate = _described(data, at, size)
    samples = None
    while (at := at + size) < len(data):
        kind, at, size = _chunk(data, at)
        if kind != b"data":
            continue
        if samples is not None:
            raise invalid(_READ, "More than one data chunk found in WAV")
        count = size // (2 * channels) * channels
        samples = np.frombuffer(data, "<i2", count, at).reshape(-1, channels)
        size = samples.nbytes  # what is left over is read as a chunk
    if samples is None:
        raise invalid(_READ, "No data chunk found in WAV")
    return samples, rate


def _expect(data: bytes, start: int, word: bytes) -> None:
    found = data[start : start + 4]
    if len(found) < 4:
        raise invalid(_READ, _SHORT)
    if found != word:
        text = f"Header mismatch: Expected {word.decode()} but found {found.decode('latin-1')}"
        raise invalid(_READ, text)


def _chunk(data: bytes, at: int) -> tuple[bytes, int, int]:
    """Read what a part of a file is, where it starts, and how many bytes it has."""
    if at + 8 > len(data):
        raise invalid(_READ, _SHORT)
    kind, (size,) = data[at : at + 4], struct.unpack_from("<I", data, at + 4)
    if size > _LARGEST:
        name = kind.decode("latin-1")
        raise invalid(
            _READ,
            f"WAV data chunk '{name}' is too large: {size} bytes, but the limit is {_LARGEST}",
        )
    if kind in {b"fmt ", b"data"} and at + 8 + size > len(data):
        raise invalid(_READ, _SHORT)
    return kind, at + 8, size


def _described(data: bytes, start: int, size: int) -> tuple[int, int]:
    """Read how many channels there are, and the rate; nothing but 16-bit samples is taken."""
    if size not in {16, 18}:
        text = f"Bad format chunk size for WAV: Expected 16 or 18, but got{size}"
        raise invalid(_READ, text)
    kind, channels, rate, per_second, per_sample, bits = struct.unpack_from(_FORMAT, data, start)
    wanted = bits * channels // 8
    problem = ""
    if kind != 1:
        problem = f"Bad audio format for WAV: Expected 1 (PCM), but got{kind}"
    elif channels < 1:
        problem = f"Bad number of channels for WAV: Expected at least 1, but got {channels}"
    elif bits != 16:
        problem = f"Can only read 16-bit WAV files, but received {bits}"
    elif per_sample != wanted:
        problem = f"Bad bytes per sample in WAV header: Expected {wanted} but got {per_sample}"
    elif per_second != per_sample * rate:
        problem = (
            f"Bad bytes per second in WAV header: Expected {per_sample * rate} but got "
            f"{per_second} (sample_rate={rate}, bytes_per_sample={per_sample})"
        )
    if problem:
        raise invalid(_READ, problem)
    return channels, rate


def encode_wav(audio: Any, sample_rate: Any, name: str | None = None) -> Tensor:
    """The bytes of a WAV file for samples of the shape (samples, channels), from -1 to 1.

    What is beyond is cut off. Raises `InvalidArgumentError` for other shapes, and for a rate that
    is not above zero.

    >>> len(encode_wav([[0.0], [1.0]], 44100).numpy())
    48
    """
    x = of_dtype(_WRITE, audio, dtypes.float32)
    rates = np.asarray(look_at(convert(sample_rate, dtypes.int32)))
    if rates.ndim:
        shape = listed(rates.shape)
        text = f"Input sample_rate should be a scalar tensor, got {shape} instead."
        raise invalid(_WRITE, text)
    if len(shape_of(x)) != 2:
        raise invalid(_WRITE, f"audio must be 2-dimensional{listed(shape_of(x))}")
    rate = int(rates)
    count, channels = shape_of(x)
    if not 0 < channels < 1 << 16:
        raise invalid(_WRITE, f"num_channels must be in (0, 2^16), got: {channels}")
    if rate < 1:
        raise invalid(_WRITE, f"sample_rate must be in (0, 2^32), got: {rate % (1 << 64)}")
    size = 2 * count * channels
    head = struct.pack(_FORMAT, 1, channels, rate, 2 * channels * rate, 2 * channels, 16)
    wave = (
        struct.pack("<4sI4s4sI", b"RIFF", 36 + size, b"WAVE", b"fmt ", 16)
        + head
        + struct.pack("<4sI", b"data", size)
        + _whole(np.asarray(look_at(x))).tobytes()
    )
    return Tensor(np.array(wave, object))


def _whole(samples: Any) -> Any:
    """Round to 16 bits, halves away from zero; what is no number is 0."""
    scaled = np.clip(samples * _SCALE, -_SCALE, _SCALE - 1)
    whole = np.trunc(scaled)
    rounded = whole + np.sign(scaled) * (np.abs(scaled - whole) >= 0.5)
    return np.where(np.isnan(rounded), 0, rounded).astype("<i2")
