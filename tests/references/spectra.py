"""Functions of discrete Fourier transforms: F is the matrix of powers of a root of unity."""

from __future__ import annotations

from typing import Any

import symtape as tf
from tests.references.room import Reference, log, total

fft, ifft, real = tf.signal.fft, tf.signal.ifft, tf.math.real


def as_complex(x: Any) -> Any:
    """Make an array complex."""
    return tf.cast(x, tf.complex128)


def power(z: Any) -> Any:
    """Give the squared sizes of complex numbers."""
    return tf.abs(z) ** 2


SPECTRA: dict[str, Reference] = {
    "energy of a spectrum (Parseval 1806)": Reference(
        lambda q: total(power(fft(as_complex(q.x)))), "x", "6 x", is_of_any_size=False
    ),
    "a spectrum is fitted": Reference(
        lambda q: total(power(fft(as_complex(q.x)) - as_complex(q.a))) / 2,
        "x",
        "3 re(F⁻¹ (F x - a))",
        is_of_any_size=False,
    ),
    "an image is sharpened (Wiener 1949)": Reference(
        lambda q: total((real(ifft(as_complex(q.a) * fft(as_complex(q.x)))) - q.b) ** 2) / 2,
        "x",
        "re(F⁻¹ (a ⊙ (F (re(F⁻¹ (a ⊙ (F x))) - b))))",
        is_of_any_size=False,
    ),
    "what correlates with itself": Reference(
        lambda q: total(real(ifft(as_complex(power(fft(as_complex(q.x)))))) * q.a),
        "x",
        "2 re(F⁻¹ ((F x) ⊙ re(F a)))",
    ),
    "a phase is retrieved (Fienup 1982)": Reference(
        lambda q: total((tf.abs(fft(as_complex(q.x))) - q.a) ** 2) / 2,
        "x",
        "3 re(F⁻¹ (sign(F x) ⊙ (|F x| - a)))",
        is_of_any_size=False,
    ),
    "a cepstrum": Reference(
        lambda q: total(q.a * log(power(fft(as_complex(q.x)))) / 2),
        "x",
        "3 re(F⁻¹ ((a ⊙ sign(F x)) ⊘ |F x|))",
        is_of_any_size=False,
    ),
    "a plane of waves": Reference(
        lambda q: total(power(tf.signal.fft2d(as_complex(q.X)))), "X", "18 X", is_of_any_size=False
    ),
}
