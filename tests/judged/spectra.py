# ruff: noqa: D103 - a candidate is described by its name
"""Passes back through real Fourier transforms, cosine transforms and correlations in time."""

from __future__ import annotations

import numpy as np

import symtape as tf
from tests.judged import causes as by
from tests.judged.case import Case
from tests.judged.draws import normal, together

# --- a power spectrum -----------------------------------------------------------------------------


def power(x):
    s = np.fft.rfft(x)
    return s.real**2 + s.imag**2


spectrum = Case("power spectrum", power, together(normal(8)))


@spectrum.right
def power_back(x, g):
    n = len(x)
    weighted = g * np.fft.rfft(x)
    weighted[1 : n // 2] /= 2
    return 2 * n * np.fft.irfft(weighted, n)


@spectrum.right
def power_by_the_whole_transform(x, g):
    n = len(x)
    s = np.fft.fft(x)
    both = np.zeros(n, dtype=complex)
    both[: len(g)] = g * s[: len(g)]
    return 2 * n * np.fft.ifft(both).real


ENDS = by.any_of("frequenc", "Nyquist", r"weight", r"\bends?\b", "first", "last")

spectrum.but(power_back, ENDS, ("[1 : n // 2] /= 2", "[1:] /= 2"))
spectrum.but(power_back, ENDS, ("[1 : n // 2] /= 2", "[: n // 2] /= 2"))
spectrum.but(power_back, by.any_of(ENDS, by.MISSING), ("    weighted[1 : n // 2] /= 2\n", ""))
spectrum.but(power_back, by.MEAN, ("2 * n * np.fft.irfft", "2 * np.fft.irfft"))
spectrum.but(
    power_by_the_whole_transform,
    by.any_of("conjugate", "inverse", "ifft", by.ORDER),
    ("np.fft.ifft(both)", "1 / n * np.fft.fft(both)"),
)

# --- the loss of a spectrum -----------------------------------------------------------------------


def spectral_loss(x, target):
    s = np.fft.rfft(x, axis=1)
    return np.sum((np.abs(s) - target) ** 2)


def drawn_spectra(rng):
    return [rng.normal(size=(2, 6)), rng.uniform(0.5, 2, size=(2, 4))]


compared = Case(
    "distance of magnitudes", spectral_loss, drawn_spectra, "gradient", options={"wrt": [0]}
)


@compared.right
def magnitudes_back(x, target):
    n = x.shape[1]
    s = np.fft.rfft(x, axis=1)
    size = np.abs(s)
    gs = 2 * (size - target) * s / np.where(size == 0, 1.0, size)
    weight = np.full(s.shape[1], 0.5)
    weight[0] = 1.0
    if n % 2 == 0:
        weight[-1] = 1.0
    return n * np.fft.irfft(gs * weight, n, axis=1)


compared.but(magnitudes_back, ENDS, ("        weight[-1] = 1.0\n", "        weight[-1] = 0.5\n"))
compared.but(magnitudes_back, ENDS, ("    weight[0] = 1.0\n", ""))
compared.but(
    magnitudes_back, by.any_of(by.MISSING), (" * s / np.where(size == 0, 1.0, size)", " * s")
)
compared.but(magnitudes_back, by.any_of(by.MEAN), ("return n * np", "return np"))
compared.but(magnitudes_back, by.any_of(by.TWICE, by.HALF, by.FACTOR), ("gs = 2 * (", "gs = ("))

# --- parts of a transform -------------------------------------------------------------------------


def parts_of(x):
    s = np.fft.rfft(x)
    return s.real, s.imag


halves = Case("parts of a transform", parts_of, together(normal(6)))


@halves.right
def parts_back(x, gr, gi):
    n = len(x)
    k = np.arange(len(gr))[:, None]
    t = np.arange(n)[None, :]
    angle = 2 * np.pi * k * t / n
    return gr @ np.cos(angle) - gi @ np.sin(angle)


@halves.right
def parts_by_the_adjoint(x, gr, gi):
    n = len(x)
    full = np.zeros(n, complex)
    full[: len(gr)] = gr - 1j * gi
    return np.fft.fft(full).real


halves.but(parts_back, by.SIGN, ("np.cos(angle) - gi", "np.cos(angle) + gi"))
halves.but(parts_by_the_adjoint, by.any_of(by.SIGN, "conjugate"), ("gr - 1j * gi", "gr + 1j * gi"))
halves.but(
    parts_by_the_adjoint,
    by.any_of(ENDS, by.MEAN),
    ("    return np.fft.fft(full).real", "    return n * np.fft.irfft(gr + 1j * gi, n)"),
)

# --- a cosine transform ---------------------------------------------------------------------------


def cosines(x):
    n = x.shape[0]
    k = np.arange(n)[:, None]
    basis = np.cos(np.pi * k * (2 * np.arange(n)[None, :] + 1) / (2 * n))
    return basis @ x


dct = Case("cosine transform", cosines, together(normal(4, 2)))


@dct.right
def cosines_back(x, g):
    n = x.shape[0]
    t = np.arange(n)[:, None]
    basis = np.cos(np.pi * (2 * t + 1) * np.arange(n)[None, :] / (2 * n))
    return basis @ g


dct.but(
    cosines_back, by.any_of(by.TRANSPOSED, by.SWAPPED), ("return basis @ g", "return basis.T @ g")
)
dct.but(cosines_back, by.any_of("constant", by.FACTOR, by.MISSING), ("(2 * t + 1)", "(2 * t)"))

# --- a correlation with a delay -------------------------------------------------------------------


def autocorrelation(x):
    n = x.shape[0]
    return tf.stack([tf.reduce_sum(x[: n - k] * x[k:]) / (n - k) for k in range(3)])


delays = Case("correlations with delays", autocorrelation, together(normal(6)))


@delays.right
def autocorrelation_back(x, g):
    n = len(x)
    out = np.zeros(n)
    for k in range(3):
        out[: n - k] += g[k] * x[k:] / (n - k)
        out[k:] += g[k] * x[: n - k] / (n - k)
    return out


delays.but(
    autocorrelation_back,
    by.any_of(by.MISSING),
    ("        out[k:] += g[k] * x[: n - k] / (n - k)\n", ""),
)
delays.but(
    autocorrelation_back,
    by.any_of(by.SHIFT, by.MISSING, by.FACTOR, by.MEAN),
    ("x[: n - k] / (n - k)", "x[: n - k] / n"),
)
delays.but(
    autocorrelation_back,
    by.any_of(by.SHIFT, by.STALE, by.ORDER, "exchanged"),
    ("out[: n - k] += g[k] * x[k:]", "out[: n - k] += g[k] * x[: n - k]"),
)

# --- mean of a windowed frame ---------------------------------------------------------------------


def frames(x, w):
    made = tf.stack([x[2 * k : 2 * k + 4] * w for k in range(3)])
    return tf.reduce_mean(tf.square(made), axis=1)


framed = Case("energies of frames", frames, together(normal(8), normal(4)))


@framed.right
def frames_back(x, w, g):
    gx, gw = np.zeros_like(x), np.zeros_like(w)
    for k in range(3):
        part = x[2 * k : 2 * k + 4]
        gx[2 * k : 2 * k + 4] += g[k] * part * w**2 / 2
        gw += g[k] * part**2 * w / 2
    return gx, gw


framed.but(frames_back, by.any_of(by.MISSING, "overwritten"), ("+ 4] += g[k]", "+ 4] = g[k]"))
framed.but(frames_back, by.any_of(by.MISSING, "overwritten"), ("gw += g[k]", "gw = g[k]"))
framed.but(
    frames_back, by.any_of("power", by.FACTOR, by.MISSING), ("part * w**2 / 2", "part * w / 2")
)
framed.but(
    frames_back,
    by.any_of(by.SHIFT, by.MISSING, by.FACTOR),
    ("gx[2 * k : 2 * k + 4]", "gx[k : k + 4]"),
)
