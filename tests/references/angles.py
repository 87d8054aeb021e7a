"""Angles, resonances and kernels, whose derivatives divide by differences of squares."""

from __future__ import annotations

import numpy as np

import symtape as tf
from tests.references.room import Reference, dot, exp, log, total

cos, norm, sqrt = tf.cos, tf.norm, tf.sqrt

ANGLES: dict[str, Reference] = {
    "an angle of a triangle by a side beside it (Euclid, II.13)": Reference(
        lambda q: tf.acos((q.r**2 + q.s**2 - q.t**2) / (2 * q.r * q.s)),
        "r",
        "|s| |r| (s² - r² - t²) / (s r² √(((s - t)² - r²) (r² - (s + t)²)))",
    ),
    "distance on a sphere by the longitude (Vincenty 1975)": Reference(
        lambda q: tf.acos(tf.sin(q.s) * tf.sin(q.t) + cos(q.s) * cos(q.t) * cos(q.r)),
        "r",
        "cos(t) cos(s) sin(r) / √(1 - (sin(t) sin(s) + cos(t) cos(s) cos(r))²)",
    ),
    "angle of two vectors by the first": Reference(
        lambda q: tf.acos(dot(q.x, q.a) / (norm(q.x) * norm(q.a))),
        "x",
        "(x aᵀ - a xᵀ) x / (‖a‖ ‖x‖³ √(1 - (aᵀ x)² / (‖a‖² ‖x‖²)))",
    ),
    "two masses that turn (Jacobi 1836)": Reference(
        lambda q: (
            (q.s**2 + q.t**2) / 2
            + (1 - q.k) / sqrt((q.s + q.k) ** 2 + q.t**2)
            + q.k / sqrt((q.s - 1 + q.k) ** 2 + q.t**2)
        ),
        "s",
        "s - (1 - k) (k + s) / ((k + s)² + t²)^(3/2) - k (k + s - 1) / ((k + s - 1)² + t²)^(3/2)",
    ),
    "halo of a galaxy (Navarro, Frenk and White 1996)": Reference(
        lambda q: -q.k * log(1 + q.r / q.s) / q.r, "r", "k (log(1 + r/s) / r - 1 / (r + s)) / r"
    ),
    "fugacity by the compressibility (Redlich and Kwong 1949)": Reference(
        lambda q: q.s - 1 - log(q.s - q.t) - q.k / q.t * log(1 + q.t / q.s),
        "s",
        "1 + k / (s (t + s)) - 1 / (s - t)",
    ),
    "resonator by its reflection (Fabry and Perot 1899)": Reference(
        lambda q: (1 - q.r) ** 2 / (1 + q.r**2 - 2 * q.r * cos(q.t)),
        "r",
        "2 (r² - 1) (1 - cos(t)) / (1 + r² - 2 r cos(t))²",
    ),
    "dispersion of an oscillator (Lorentz 1909)": Reference(
        lambda q: (q.s**2 - q.t**2) / ((q.s**2 - q.t**2) ** 2 + q.g**2 * q.t**2),
        "t",
        "2 t ((t² - s²)² - g² s²) / (t² g² + (t² - s²)²)²",
    ),
    "divergence by its order (Amari 1985)": Reference(
        lambda q: total(q.x**q.s * q.a ** (1 - q.s)),
        "s",
        "(x^⊙s)ᵀ (a^⊙(1 - s) ⊙ (log(x) - log(a)))",
    ),
    "kernel of order 3/2 by its length (Rasmussen and Williams 4.17)": Reference(
        lambda q: total(
            q.A
            * (1 + np.sqrt(3) * tf.abs(q.x[:, None] - q.x) / q.g)
            * exp(-np.sqrt(3) * tf.abs(q.x[:, None] - q.x) / q.g)
        ),
        "g",
        "3 𝟏ᵀ (A ⊙ exp(-√3 |x 𝟏ᵀ - 𝟏 xᵀ| / g) ⊙ (x 𝟏ᵀ - 𝟏 xᵀ)^⊙2) 𝟏 / g³",
    ),
    "squashed capsule (Sabour 2017)": Reference(
        lambda q: dot(q.x, q.x) / (1 + dot(q.x, q.x)) * q.x / norm(q.x),
        "x",
        "‖x‖ ((1 - ‖x‖²) x xᵀ / (‖x‖² (1 + ‖x‖²)) + I) / (1 + ‖x‖²)",
    ),
}
