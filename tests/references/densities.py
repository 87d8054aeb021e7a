"""Densities, energies and prices whose derivatives have sums with signs of their own."""

from __future__ import annotations

import symtape as tf
from tests.references.room import Reference, exp, log

DENSITIES: dict[str, Reference] = {
    "multivariate t by its degrees of freedom": Reference(
        lambda q: (
            tf.math.lgamma((q.s + 3) / 2)
            - tf.math.lgamma(q.s / 2)
            - 1.5 * log(q.s)
            - (q.s + 3) / 2 * log(1 + q.t / q.s)
        ),
        "s",
        "(t - (t + s) (ψ(s/2) + log(1 + t/s)) + ψ((3 + s) / 2) (t + s) - 3) / (2 (t + s))",
        book="(ψ((s + 3) / 2) - ψ(s/2) - 3/s - log(1 + t/s) + (s + 3) t / (s (s + t))) / 2",
    ),
    "yields by their decay (Nelson and Siegel 1987)": Reference(
        lambda q: (
            q.r
            + q.g * (1 - exp(-q.t / q.s)) / (q.t / q.s)
            + q.k * ((1 - exp(-q.t / q.s)) / (q.t / q.s) - exp(-q.t / q.s))
        ),
        "s",
        "-exp(-t/s) (k + k t / s + g) / s + (k + g) (1 - exp(-t/s)) / t",
        book="(g + k) ((1 - exp(-t/s)) / t - exp(-t/s) / s) - k t exp(-t/s) / s²",
    ),
}
