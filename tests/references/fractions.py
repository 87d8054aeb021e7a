"""Kernels, flows, demand and regressions, where fractions are to be put together."""

from __future__ import annotations

import numpy as np

import symtape as tf
from tests.references.room import Reference, dot, exp, log, mv, total
from tests.references.sciences import normal_cdf

norm, tanh = tf.norm, tf.tanh

FRACTIONS: dict[str, Reference] = {
    "kernel of a rough process (Matérn; Rasmussen and Williams 4.17)": Reference(
        lambda q: (
            (1 + np.sqrt(3) * norm(q.x - q.a) / q.s) * exp(-np.sqrt(3) * norm(q.x - q.a) / q.s)
        ),
        "x",
        "3 exp(-√3 ‖x - a‖ / s) (a - x) / s²",
    ),
    "biweight, twice (Beaton and Tukey 1974)": Reference(
        lambda q: q.s**2 / 6 * total(1 - (1 - (q.x / q.s) ** 2) ** 3),
        "x",
        "diag((𝟏 - 5 x^⊙2 / s²) ⊙ (𝟏 - x^⊙2 / s²))",
        order=2,
    ),
    "inverse of Mills' ratio (Heckman 1979)": Reference(
        lambda q: exp(-(q.t**2) / 2) / np.sqrt(2 * np.pi) / normal_cdf(q.t),
        "t",
        "-φ(t) (t + φ(t)/Φ(t)) / Φ(t)",
    ),
    "planar flow by its shift (Rezende and Mohamed 2015)": Reference(
        lambda q: log(tf.abs(1 + dot(q.u, q.w) * (1 - tanh(dot(q.w, q.x) + q.s) ** 2))),
        "u",
        "(1 - tanh(wᵀ x + s)²) w / (1 + wᵀ u (1 - tanh(wᵀ x + s)²))",
    ),
    "coupling layer (Dinh 2017)": Reference(
        lambda q: total((q.a * exp(tanh(mv(q.A, q.x))) + q.b) ** 2) / 2 - total(tanh(mv(q.A, q.x))),
        "A",
        "((𝟏 - a ⊙ exp(tanh(A x)) ⊙ (a ⊙ exp(tanh(A x)) + b)) ⊙ (tanh(A x)^⊙2 - 𝟏)) xᵀ",
    ),
    "sales of a new product (Bass 1969)": Reference(
        lambda q: (1 - exp(-(q.r + q.s) * q.t)) / (1 + q.s / q.r * exp(-(q.r + q.s) * q.t)),
        "t",
        "exp(-t (s + r)) (s + r) (1 + s/r) / (1 + s exp(-t (s + r)) / r)²",
    ),
    "bundle of goods (Dixon and Stiglitz 1977)": Reference(
        lambda q: total(q.a ** (1 / q.s) * q.x ** ((q.s - 1) / q.s)) ** (q.s / (q.s - 1)),
        "x",
        "((a^⊙(1/s))ᵀ x^⊙((s - 1) / s))^(1 / (s - 1)) (a^⊙(1/s) ⊘ x^⊙(1/s))",
    ),
    "growth to a capacity by its start (Verhulst 1838)": Reference(
        lambda q: q.k / (1 + (q.k - q.s) / q.s * exp(-q.r * q.t)),
        "s",
        "k² exp(-r t) / (s² (1 + exp(-r t) (k - s) / s)²)",
    ),
    "stereographic projection": Reference(
        lambda q: tf.stack([q.x[0] / (1 - q.x[2]), q.x[1] / (1 - q.x[2])]),
        "x",
        "[1, 0, x[0] / (1 - x[2]); 0, 1, x[1] / (1 - x[2])] / (1 - x[2])",
        is_of_any_size=False,
    ),
}
