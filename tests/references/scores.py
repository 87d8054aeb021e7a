"""Scores of distributions, divergences, and distances of curved spaces."""

from __future__ import annotations

import symtape as tf
from tests.references.room import Reference, dot, exp, log

SCORES: dict[str, Reference] = {
    "a count that is zero, by its rate (Lambert 1992)": Reference(
        lambda q: log(q.t + (1 - q.t) * exp(-q.s)), "s", "(t - 1) / (1 + t exp(s) - t)"
    ),
    "divergence of two coins by the first": Reference(
        lambda q: q.s * log(q.s / q.t) + (1 - q.s) * log((1 - q.s) / (1 - q.t)),
        "s",
        "log(s/t) - log((1 - s) / (1 - t))",
    ),
    "divergence of two coins by the second": Reference(
        lambda q: q.s * log(q.s / q.t) + (1 - q.s) * log((1 - q.s) / (1 - q.t)),
        "t",
        "(t - s) / (t (1 - t))",
    ),
    "chains in a solvent, twice (Flory 1942; Huggins 1941)": Reference(
        lambda q: q.s / q.k * log(q.s) + (1 - q.s) * log(1 - q.s) + q.t * q.s * (1 - q.s),
        "s",
        "1 / (1 - s) + 1 / (s k) - 2 t",
        order=2,
    ),
    "smile of a forward by its correlation (Hagan 2002)": Reference(
        lambda q: log((tf.sqrt(1 - 2 * q.s * q.t + q.t**2) + q.t - q.s) / (1 - q.s)),
        "s",
        "1 / (1 - s) - (1 + t / √(1 + t² - 2 t s)) / (t + √(1 + t² - 2 t s) - s)",
    ),
    "scale of a ball (Nickel and Kiela 2017)": Reference(
        lambda q: 2 / (1 - dot(q.x, q.x)), "x", "4 x / (1 - ‖x‖²)²"
    ),
    "distance in a ball (Nickel and Kiela 2017)": Reference(
        lambda q: tf.acosh(
            1 + 2 * dot(q.x - q.a, q.x - q.a) / ((1 - dot(q.x, q.x)) * (1 - dot(q.a, q.a)))
        ),
        "x",
        "2 ((x - a) / ‖x - a‖ + ‖x - a‖ x / (1 - ‖x‖²)) / (√(1 / ((1 - ‖a‖²) (1 - ‖x‖²)))"
        " √(1 + ‖x - a‖² / ((1 - ‖a‖²) (1 - ‖x‖²))) (1 - ‖a‖²) (1 - ‖x‖²))",
    ),
}
