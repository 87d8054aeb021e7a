"""What TensorFlow answers of signals: transforms, windows, frames, and what it refuses."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.answers.answer import Table
from tests.answers.custom import first

TABLE = Table("signals")

_LINE = [1.0, 2.0, 3.0, 4.0, 5.0]
_SQUARE = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]


def _call(name: str, *args: Any, **how: Any) -> Any:
    return lambda tf: getattr(tf.signal, name)(*args, **how)


def _typed(name: str, value: Any, dtype: str, *args: Any, **how: Any) -> Any:
    """Call a function with a tensor of some dtype."""
    return lambda tf: getattr(tf.signal, name)(tf.constant(value, dtype), *args, **how)


def _empty(name: str, shape: Any, dtype: str, *args: Any, **how: Any) -> Any:
    return lambda tf: getattr(tf.signal, name)(tf.zeros(shape, dtype), *args, **how)


_WAVE = np.sin(np.arange(8.0))

TABLE.rows(
    "transforms",
    [
        _call("fft", _LINE),
        _call("fft", [1, 2, 3]),
        _call("fft", np.array(_LINE)),
        _typed("fft", _SQUARE, "complex128"),
        _typed("ifft", _SQUARE, "complex128"),
        _typed("fft2d", _SQUARE, "complex64"),
        _typed("ifft2d", [_SQUARE, _SQUARE], "complex64"),
        _typed("fft3d", [_SQUARE], "complex64"),
        _typed("ifft3d", [_SQUARE], "complex64"),
        _empty("fft", (2, 0), "complex64"),
        _empty("ifft", (0, 2), "complex64"),
        lambda tf: tf.signal.fft(tf.constant(np.cos(np.arange(600.0)), "complex128"))[7:12],
        lambda tf: tf.signal.ifft(tf.constant(np.cos(np.arange(521.0)), "complex64"))[7:12],
    ],
)
TABLE.rows(
    "half spectra",
    [
        _call("rfft", [1, 2, 3, 4]),
        _call("rfft", np.array(_LINE), [3]),
        _call("rfft", _LINE, [8]),
        _call("rfft", _LINE, np.array([2.5])),
        _call("rfft2d", _SQUARE, [3, 4]),
        _call("rfft3d", [_SQUARE]),
        _call("irfft", [1.0, 2.0, 3.0]),
        _typed("irfft", [1 + 2j, 2 + 1j, 3 + 5j], "complex128"),
        *[_typed("irfft", [1 + 2j, 2 + 1j, 3 + 5j], "complex128", [n]) for n in (1, 2, 5, 8)],
        _typed("irfft2d", _SQUARE, "complex64", [3, 4]),
        _typed("irfft2d", _SQUARE, "complex64", [1, 2]),
        _typed("irfft3d", [_SQUARE], "complex64"),
        _empty("rfft", (2, 0), "float32"),
        _empty("rfft", (0, 3), "float32"),
        _empty("irfft", (2, 0), "complex64"),
        _empty("irfft", (0, 3), "complex64"),
        lambda tf: tf.signal.rfft(tf.constant(np.cos(np.arange(600.0))))[7:12],
        lambda tf: tf.signal.irfft(tf.constant(np.cos(np.arange(400.0)) + 0j))[7:12],
    ],
)
TABLE.rows(
    "refused transforms",
    [
        _typed("fft", [1.0, 2.0], "float32"),
        _typed("fft", 1.0, "complex64"),
        _call("fft2d", [1.0, 2.0]),
        _call("ifft3d", [[1.0, 2.0]]),
        _typed("rfft", [1, 2], "int32"),
        _typed("rfft", [1.0, 2.0], "float16"),
        _typed("rfft", [1j], "complex64"),
        _call("rfft", 1.0),
        _call("rfft2d", [1.0]),
        _call("rfft", _LINE, 3),
        _call("rfft", _LINE, [2, 2]),
        _call("rfft", _LINE, [-1]),
        _call("rfft2d", _SQUARE, [3]),
        _typed("irfft", [1.0, 2.0], "float32"),
        _call("irfft", [1.0, 2.0], [-1]),
        _empty("rfft", (0, 3), "float32", [4]),
    ],
)
TABLE.rows(
    "shifts",
    [
        _call("fftshift", _LINE),
        _call("fftshift", _SQUARE, axes=1),
        _call("fftshift", _SQUARE, axes=[0, -1]),
        _call("fftshift", _SQUARE, axes=(0,)),
        _call("ifftshift", _SQUARE),
        _call("ifftshift", _SQUARE, axes=-1),
        _call("ifftshift", _SQUARE, axes=2),
        _call("fftshift", _SQUARE, axes=[2]),
    ],
)
TABLE.rows(
    "cosine transforms",
    [
        *[_typed("dct", _LINE, "float64", type=kind) for kind in (1, 2, 3, 4)],
        *[_typed("idct", _LINE, "float64", type=kind) for kind in (1, 2, 3, 4)],
        *[_typed("dct", _LINE, "float32", type=kind, norm="ortho") for kind in (2, 3, 4)],
        *[_typed("dct", _LINE, "float32", type=kind, n=3) for kind in (1, 2, 3, 4)],
        _typed("dct", _LINE, "float32", n=6),
        _typed("dct", _LINE, "float32", type=1, n=1),
        _typed("idct", _LINE, "float32", n=2, norm="ortho"),
        _empty("dct", (2, 0), "float32"),
        *[
            lambda tf, how=how: tf.signal.dct(tf.constant(np.cos(np.arange(300.0))), **how)[7:12]
            for how in ({"type": 1}, {"norm": "ortho"}, {"type": 3, "norm": "ortho"}, {"type": 4})
        ],
    ],
)
TABLE.rows(
    "refused cosine transforms",
    [
        _typed("dct", _LINE, "float32", type=5),
        _typed("dct", _LINE, "float32", axis=0),
        _typed("dct", _LINE, "float32", n=0),
        _typed("dct", _LINE, "float32", norm="x"),
        _typed("dct", _LINE, "float32", type=1, norm="ortho"),
        _typed("idct", [1.0], "float32", type=1),
        _typed("dct", [1, 2], "int32"),
        _typed("dct", [1.0, 2.0], "float16"),
    ],
)
TABLE.rows(
    "windows",
    [
        *[_call(f"{name}_window", n) for name in ("hann", "hamming") for n in (0, 1, 4, 5)],
        _call("hann_window", 5, periodic=False),
        _call("hamming_window", 4, periodic=False),
        *[
            lambda tf, name=name: getattr(tf.signal, f"{name}_window")(6, dtype=tf.float64)
            for name in ("hann", "hamming", "kaiser", "kaiser_bessel_derived", "vorbis")
        ],
        *[
            lambda tf, name=name: getattr(tf.signal, f"{name}_window")(6, dtype=tf.float16)
            for name in ("hann", "vorbis", "kaiser")
        ],
        *[_call("kaiser_window", n) for n in (0, 1, 2, 4)],
        *[_call("kaiser_bessel_derived_window", n) for n in (0, 1, 4, 5)],
        *[_call("vorbis_window", n) for n in (-3, 0, 4)],
        lambda tf: first(tf, lambda b: tf.signal.kaiser_window(4, b), tf.constant(2.0)),
        lambda tf: tf.signal.hann_window(tf.constant(3)),
        _call("hann_window", -1),
        _call("hann_window", 2.0),
        _call("hann_window", [2, 3]),
        _call("hann_window", 4, periodic=2),
        _call("hann_window", 4, dtype="float32"),
        lambda tf: tf.signal.hann_window(4, dtype=tf.int32),
        lambda tf: tf.signal.vorbis_window(4, dtype=tf.int32),
        lambda tf: tf.signal.kaiser_window(4, dtype=tf.int32),
        _call("kaiser_window", 4, [1.0, 2.0]),
    ],
)
TABLE.rows(
    "frames",
    [
        *[_call("frame", _LINE, *how) for how in ((2, 1), (2, 3), (7, 2), (0, 1), (2, -1))],
        *[_call("frame", _LINE, *how, pad_end=True) for how in ((2, 2), (2, 3), (7, 2))],
        _call("frame", _LINE, 2, 2, pad_end=True, pad_value=9),
        _call("frame", [True, False, True], 2, 1),
        _call("frame", ["a", "b", "c"], 2, 1),
        _call("frame", _SQUARE, 2, 1, axis=0),
        _call("frame", _SQUARE, 2, 2, axis=-2, pad_end=True, pad_value=-1),
        _empty("frame", (0,), "float32", 2, 1),
        _empty("frame", (0,), "float32", 2, 1, pad_end=True),
        _empty("frame", (2, 0), "float32", 2, 1, axis=0),
        *[_call("overlap_and_add", _SQUARE, step) for step in (1, 2, 3, 5)],
        _call("overlap_and_add", [[1, 2], [3, 4]], 1),
        _empty("overlap_and_add", (0, 3), "float32", 1),
        _empty("overlap_and_add", (2, 0), "float32", 1),
        _empty("overlap_and_add", (0, 2, 3), "float32", 1),
    ],
)
TABLE.rows(
    "refused frames",
    [
        *[_call("frame", _LINE, *how) for how in ((2, 0), (-1, 1), (2.0, 1), (2, 1.0))],
        *[_call("frame", _LINE, *how) for how in (([2], 1), (2, [1]))],
        *[_call("frame", _LINE, 2, 1, axis=axis) for axis in (1, [0], 0.0)],
        _call("frame", 1.0, 2, 1),
        _call("frame", _LINE, 2, 1, pad_end=True, pad_value=[1.0]),
        _call("frame", [1, 2, 3], 2, 2, pad_end=True, pad_value=1.5),
        *[_call("overlap_and_add", _SQUARE, step) for step in (0, -1, 1.0, [1])],
        _call("overlap_and_add", _LINE, 1),
    ],
)
TABLE.rows(
    "spectra of frames",
    [
        _call("stft", _WAVE, 4, 2),
        _call("stft", _WAVE, 5, 2, window_fn=None, pad_end=True),
        _call("stft", _WAVE, 5, 2, fft_length=3),
        _call("stft", _LINE, 0, 1),
        _call("stft", [1, 2, 3, 4], 2, 1),
        _call("stft", _LINE, 2, 1, fft_length=[4]),
        _call("stft", 1.0, 2, 1),
        _call("stft", _LINE, [2], 1),
        _call("stft", _LINE, 9, 1),
        lambda tf: tf.signal.inverse_stft(tf.signal.stft(_WAVE, 4, 2), 4, 2),
        lambda tf: tf.signal.inverse_stft(
            tf.signal.stft(_WAVE, 4, 2), 4, 2, window_fn=tf.signal.inverse_stft_window_fn(2)
        ),
        lambda tf: tf.signal.inverse_stft(
            tf.signal.stft(_WAVE, 4, 2), 6, 2, fft_length=4, window_fn=None
        ),
        lambda tf: tf.signal.inverse_stft(tf.signal.stft(_WAVE, 4, 2), 3, 2, fft_length=6),
        _call("inverse_stft", [1.0, 2.0], 4, 2),
        _call("inverse_stft", [[1.0, 2.0]], 4, 2),
        lambda tf: tf.signal.inverse_stft_window_fn(2)(5, dtype=tf.float32),
        lambda tf: tf.signal.inverse_stft_window_fn(3, tf.signal.hamming_window)(
            5, dtype=tf.float64
        ),
        lambda tf: tf.signal.inverse_stft_window_fn([3])(5, dtype=tf.float64),
    ],
)
TABLE.rows(
    "modified cosine transforms",
    [
        _call("mdct", _WAVE, 4),
        _call("mdct", _WAVE, 8, norm="ortho", pad_end=True, window_fn=None),
        _call("mdct", _WAVE, 6),
        _call("mdct", _WAVE, [8]),
        _call("mdct", _WAVE, 8, norm="x"),
        _call("mdct", 1.0, 8),
        _call("mdct", [1, 2, 3, 4], 4),
        _call("inverse_mdct", _WAVE.reshape(2, 4)),
        lambda tf: tf.signal.inverse_mdct(
            _WAVE.reshape(2, 4), tf.signal.kaiser_bessel_derived_window, "ortho"
        ),
        _call("inverse_mdct", _SQUARE),
        _call("inverse_mdct", _LINE),
        _call("inverse_mdct", [[1, 2]]),
    ],
)
TABLE.rows(
    "mel bands",
    [
        _call("linear_to_mel_weight_matrix", 3, 8),
        lambda tf: tf.signal.linear_to_mel_weight_matrix(3, 8, dtype=tf.float64),
        lambda tf: tf.signal.linear_to_mel_weight_matrix(3, 8, tf.constant(8000.0), 100, 2000),
        *[_call("linear_to_mel_weight_matrix", 3, n) for n in (0, 1)],
        _call("linear_to_mel_weight_matrix", 0),
        _call("linear_to_mel_weight_matrix", 3, 8, -1),
        _call("linear_to_mel_weight_matrix", 3, 8, 8000, -1.0),
        _call("linear_to_mel_weight_matrix", 3, 8, 8000, 200, 100),
        _call("linear_to_mel_weight_matrix", 3, 8, 8000, 200, 5000),
        lambda tf: tf.signal.linear_to_mel_weight_matrix(3, 8, dtype=tf.int32),
        _call("mfccs_from_log_mel_spectrograms", _SQUARE),
        _empty("mfccs_from_log_mel_spectrograms", (2, 0), "float32"),
        _call("mfccs_from_log_mel_spectrograms", 1.0),
        _call("mfccs_from_log_mel_spectrograms", [1, 2]),
    ],
)
