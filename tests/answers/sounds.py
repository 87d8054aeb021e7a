"""`tf.audio`: which WAV files are read, and what is written."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable
from typing import Any

import numpy as np

from tests.answers.answer import Table

TABLE = Table("sounds")

SAMPLES = np.array([0, 1, -1, 32767, -32768, 100], np.int16).tobytes()


def chunk(kind: bytes, content: bytes) -> bytes:
    """Write a part of a file."""
    return kind + struct.pack("<I", len(content)) + content


def described(
    channels: int = 1, rate: int = 8000, bits: int = 16, kind: int = 1, **wrong: int
) -> bytes:
    """Write what a file says of its samples; what is `wrong` takes the place of what is right."""
    size = channels * bits // 8
    per_second, per_sample = wrong.get("per_second", rate * size), wrong.get("per_sample", size)
    return struct.pack("<HHIIHH", kind, channels, rate, per_second, per_sample, bits)


def file(form: bytes, *parts: bytes, before: bytes = b"") -> bytes:
    """Write a file of its format and other parts."""
    body = b"WAVE" + before + chunk(b"fmt ", form) + b"".join(parts)
    return b"RIFF" + struct.pack("<I", len(body)) + body


def wave(content: bytes = SAMPLES, **how: int) -> bytes:
    """Write a file of samples."""
    return file(described(**how), chunk(b"data", content))


LIST = chunk(b"LIST", b"abcd")
MONO = wave()
WAVES: list[bytes] = [
    *(MONO, wave(channels=2), wave(channels=3), wave(rate=44100), wave(rate=0), wave(b"")),
    file(described(), LIST, chunk(b"data", SAMPLES)),
    file(described(), chunk(b"data", SAMPLES), LIST),
    file(described(), chunk(b"LIST", b"abc"), chunk(b"data", SAMPLES)),
    file(described(), chunk(b"LIST", b"abc"), b"\0", chunk(b"data", SAMPLES)),
    file(described() + b"\0\0", chunk(b"data", SAMPLES)),
    file(described(), chunk(b"data", SAMPLES), chunk(b"fmt ", described(channels=2))),
    file(described(), chunk(b"data", SAMPLES), chunk(b"data", SAMPLES)),
    *(file(described(), chunk(b"data", SAMPLES), tail) for tail in (b"a", b"LIST\xff\xff\0\0ab")),
    *(file(described(), LIST[:k], chunk(b"data", SAMPLES)) for k in (3, 8)),
    *(wave(SAMPLES + b"\1"), wave(SAMPLES + b"\1", channels=3), wave(SAMPLES[:4], channels=7)),
    file(described(channels=7), chunk(b"data", SAMPLES + LIST)),
    *(wave(bits=bits) for bits in (8, 24, 32)),
    *(wave(kind=kind) for kind in (0, 3, 7)),
    *(wave(channels=0), wave(per_second=1), wave(per_sample=3), wave(rate=2**31 - 1)),
    file(described(kind=0xFFFE) + bytes(24), chunk(b"data", SAMPLES)),
    *(file(described()[:k], chunk(b"data", SAMPLES)) for k in (14, 15)),
    file(described() + b"\0", chunk(b"data", SAMPLES)),
    file(described(), LIST),
    *(MONO[:k] for k in (0, 3, 8, 11, 12, 15, 20, 36, 43, 44, 50)),
    *(b"RIFX" + MONO[4:], MONO[:8] + b"AVI " + MONO[12:], MONO[:4] + bytes(4) + MONO[8:]),
    *(MONO[:40] + size + MONO[44:] for size in (b"\xff\xff\xff\x7f", b"\xff\xff\xff\xff")),
    *(
        file(described(), chunk(b"data", SAMPLES), before=chunk(kind, b"1234"))
        for kind in b"JUNK bext iXML qlty mext levl link axml junk LIST fact data".split()
    ),
]
TABLE.rows("read", [lambda tf, w=w: tf.audio.decode_wav(w) for w in WAVES])

Run = Callable[[Any], Any]
READ: list[Run] = [
    *(
        lambda tf, c=c, n=n, w=w: tf.audio.decode_wav(w, c, desired_samples=n)
        for w in (MONO, wave(channels=3))
        for c, n in ((1, -1), (2, 2), (4, 9), (0, 3), (-1, 0), (-2, 1), (1, -2), (3, 5))
    ),
    lambda tf: tf.audio.decode_wav([MONO]),
    lambda tf: tf.audio.decode_wav(3),
    lambda tf: tf.function(lambda w: tf.audio.decode_wav(w).audio * 2.0)(tf.constant(MONO)),
    lambda tf: list(
        tf.data.Dataset.from_tensors(MONO).map(
            lambda w: tf.squeeze(tf.audio.decode_wav(w, 1, 4).audio, -1)
        )
    ),
]
TABLE.rows("read as", READ)

HALVES = (np.arange(-300, 300, dtype=np.float32) + np.float32(0.5)) / np.float32(2**15)
BEYOND = np.float32([0, 1, -1, 0.5, 2, -2, 1e-5, 2e-5, 0.99999, np.inf, -np.inf])[:, None]
WRITTEN: list[tuple[Any, ...]] = [
    *((BEYOND, 8000), ([[1]], 44100), (np.ones((1, 1)), 1), (np.zeros((0, 1), np.float32), 1)),
    *((np.zeros((2, 3), np.float32), 96000), (np.zeros((2, 0), np.float32), 1)),
    *(([1.0, 2.0], 8000), ([[[1.0]]], 8000), (1.0, 8000), ([[1.0]], 0), ([[1.0]], -1)),
    (np.nextafter(HALVES, np.float32(0))[:, None], 8000),
    *(([[1.0]], [8000]), ([[1.0]], 8000.5), ([[1.0]], np.int64(8000)), (HALVES[:, None], 16000)),
]
TABLE.rows(
    "written",
    [lambda tf, a=a, r=r: tf.audio.encode_wav(a, r).numpy().hex() for a, r in WRITTEN],
)
TABLE.rows(
    "written of tensors",
    [
        lambda tf: tf.audio.encode_wav(tf.constant([[1]]), 8000),
        lambda tf: tf.audio.encode_wav([[1.0]], tf.constant(8000, tf.int64)),
        lambda tf: tf.audio.encode_wav([[1.0]], tf.constant(8000)),
    ],
)


def _through(tf: Any) -> Any:
    x = tf.constant([[0.5]])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.audio.decode_wav(tf.audio.encode_wav(x, 8000)).audio
    return tape.gradient(y, x) is None


def _noise(tf: Any) -> Any:
    noise = np.random.default_rng(0).uniform(-1.1, 1.1, (1200, 2)).astype(np.float32)
    text = tf.audio.encode_wav(noise, 22050)
    return [zlib.crc32(text.numpy()), tf.reduce_sum(tf.audio.decode_wav(text).audio, 0)]


TABLE.rows("there and back", [_through, _noise])
