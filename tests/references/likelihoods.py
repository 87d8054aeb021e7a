"""Log-likelihoods, whose own divisors and logarithms say where their derivatives are asked for."""

from __future__ import annotations

import symtape as tf
from tests.references.room import Reference, log

LIKELIHOODS: dict[str, Reference] = {
    "first passage by its mean (Tweedie 1957)": Reference(
        lambda q: (log(q.s) - log(q.t**3)) / 2 - q.s * (q.t - q.r) ** 2 / (2 * q.r**2 * q.t),
        "r",
        "s (t - r) / r³",
    ),
    "first passage by its mean, twice": Reference(
        lambda q: (log(q.s) - log(q.t**3)) / 2 - q.s * (q.t - q.r) ** 2 / (2 * q.r**2 * q.t),
        "r",
        "s (2 r - 3 t) / r⁴",
        order=2,
    ),
    "lifetime by its scale (Weibull 1951)": Reference(
        lambda q: log(q.k / q.s) + (q.k - 1) * log(q.t / q.s) - (q.t / q.s) ** q.k,
        "s",
        "k ((t/s)^k - 1) / s",
    ),
    "lifetime by its scale, twice": Reference(
        lambda q: log(q.k / q.s) + (q.k - 1) * log(q.t / q.s) - (q.t / q.s) ** q.k,
        "s",
        "k (1 - (t/s)^k (1 + k)) / s²",
        order=2,
    ),
    "income by its median (Fisk 1961)": Reference(
        lambda q: log(q.k / q.s) + (q.k - 1) * log(q.t / q.s) - 2 * log(1 + (q.t / q.s) ** q.k),
        "s",
        "k ((t/s)^k - 1) / (s (1 + (t/s)^k))",
    ),
    "largest by its scale (Fréchet 1927)": Reference(
        lambda q: log(q.k / q.s) - (1 + q.k) * log(q.t / q.s) - (q.t / q.s) ** -q.k,
        "s",
        "k (1 - 1/(t/s)^k) / s",
    ),
    "wealth above a point (Lomax 1954)": Reference(
        lambda q: log(q.k / q.s) - (q.k + 1) * log(1 + q.t / q.s), "t", "-(1 + k) / (s + t)"
    ),
    "t distribution by its place (Lange 1989)": Reference(
        lambda q: -log(q.s) - (q.k + 1) / 2 * log(1 + ((q.t - q.r) / q.s) ** 2 / q.k),
        "r",
        "(1 + k) (t - r) / (k s² + (t - r)²)",
    ),
    "t distribution by its scale": Reference(
        lambda q: -log(q.s) - (q.k + 1) / 2 * log(1 + ((q.t - q.r) / q.s) ** 2 / q.k),
        "s",
        "k ((t - r)² - s²) / (s (k s² + (t - r)²))",
    ),
    "errors of any tail by their scale (Subbotin 1923)": Reference(
        lambda q: log(q.k / q.s) - (tf.abs(q.t - q.r) / q.s) ** q.k,
        "s",
        "(k (|t - r| / s)^k - 1) / s",
    ),
    "errors of any tail by their scale, twice": Reference(
        lambda q: log(q.k / q.s) - (tf.abs(q.t - q.r) / q.s) ** q.k,
        "s",
        "(1 - (|t - r| / s)^k (k + k²)) / s²",
        order=2,
    ),
    "lifetimes that are over, by their scale (Pearson 1922)": Reference(
        lambda q: tf.math.igamma(q.k, q.t / q.s), "s", "-exp(-t/s) (t/s)^k / (s Γ(k))"
    ),
    "Cauchy by its place, twice": Reference(
        lambda q: -log(q.s) - log(1 + ((q.t - q.r) / q.s) ** 2),
        "r",
        "2 ((t - r)² - s²) / (s² + (t - r)²)²",
        order=2,
    ),
}
