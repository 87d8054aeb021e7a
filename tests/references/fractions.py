"""Kernels, flows, demand and regressions, where fractions are to be put together."""

from __future__ import annotations

import numpy as np

import symtape as tf
from tests.references.room import Reference, T, dot, exp, inv, log, mv, total, tr
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
        "r exp(t (s + r)) (s + r)² / (s + r exp(t (s + r)))²",
    ),
    "translog production (Christensen, Jorgenson and Lau 1973)": Reference(
        lambda q: dot(q.a, log(q.x)) + dot(log(q.x), mv(q.B, log(q.x))),
        "x",
        "((B + Bᵀ) log(x) + a) ⊘ x",
    ),
    "place of an arm's hand by its joints (Siciliano 3.2)": Reference(
        lambda q: tf.stack([dot(q.a, tf.cos(tf.cumsum(q.x))), dot(q.a, tf.sin(tf.cumsum(q.x)))]),
        "x",
        "[-(a ⊙ sin(tril(𝟏 𝟏ᵀ) x))ᵀ; (a ⊙ cos(tril(𝟏 𝟏ᵀ) x))ᵀ] tril(𝟏 𝟏ᵀ)",
    ),
    "divergence of two normals of order k, by a deviation (Gil 2013)": Reference(
        lambda q: (
            log(q.g / q.s)
            + log(q.g**2 / ((1 - q.k) * q.s**2 + q.k * q.g**2)) / (2 * (q.k - 1))
            + q.k * (q.r - q.t) ** 2 / (2 * ((1 - q.k) * q.s**2 + q.k * q.g**2))
        ),
        "s",
        "s (k g² + (s² - k (r - t)²) (1 - k)) / (k g² + s² (1 - k))² - 1/s",
        book="k s (r - t)² (k - 1) / (k g² + s² (1 - k))² + s / (k g² + s² (1 - k)) - 1/s",
    ),
    "divergence of normals by the first's covariance (Kullback 1959)": Reference(
        lambda q: (tr(inv(q.B) @ q.A) - tf.linalg.slogdet(q.A)[1]) / 2, "A", "(B⁻¹ - A⁻¹)ᵀ / 2"
    ),
    "bundle of goods (Dixon and Stiglitz 1977)": Reference(
        lambda q: total(q.a ** (1 / q.s) * q.x ** ((q.s - 1) / q.s)) ** (q.s / (q.s - 1)),
        "x",
        "((a^⊙(1/s))ᵀ x^⊙((s - 1) / s))^(1 / (s - 1)) (a^⊙(1/s) ⊘ x^⊙(1/s))",
    ),
    "growth to a capacity by its start (Verhulst 1838)": Reference(
        lambda q: q.k / (1 + (q.k - q.s) / q.s * exp(-q.r * q.t)),
        "s",
        "k² exp(r t) / (k + s exp(r t) - s)²",
    ),
    "orbit by its eccentricity (Kepler 1609)": Reference(
        lambda q: q.r * (1 - q.s**2) / (1 + q.s * tf.cos(q.t)),
        "s",
        "-r (2 s + cos(t) (1 + s²)) / (1 + s cos(t))²",
    ),
    "capacity of a channel by its width (Shannon 1948)": Reference(
        lambda q: q.r * log(1 + q.s / (q.t * q.r)) / np.log(2.0),
        "r",
        "(log(1 + s / (t r)) - s / (s + t r)) / log(2)",
    ),
    "ratio of powers in decibels": Reference(
        lambda q: 10 * log(dot(q.x, q.x) / dot(q.a, q.a)) / np.log(10.0),
        "x",
        "20 x / (log(10) ‖x‖²)",
    ),
    "charges within a shell (Ewald 1921)": Reference(
        lambda q: tf.math.erfc(q.s * q.r) / q.r,
        "r",
        "-(2 s exp(-s² r²) / √π + erfc(s r) / r) / r",
    ),
    "free energy of spins, twice (Weiss 1907)": Reference(
        lambda q: (
            -q.s * q.r**2 / 2
            + q.t * ((1 + q.r) / 2 * log((1 + q.r) / 2) + (1 - q.r) / 2 * log((1 - q.r) / 2))
        ),
        "r",
        "t / (1 - r²) - s",
        order=2,
    ),
    "waves that decay, by their weights": Reference(
        lambda q: tf.sin(mv(q.M, q.x)) * exp(-mv(q.M, q.x)),
        "x",
        "diag(exp(-M x) ⊙ (cos(M x) - sin(M x))) M",
    ),
    "learning from differences (Sutton 1988)": Reference(
        lambda q: (q.r + q.g * tf.stop_gradient(dot(q.x, q.b)) - dot(q.x, q.a)) ** 2 / 2,
        "x",
        "(xᵀ a - g xᵀ b - r) a",
    ),
    "inverse Wishart (Muirhead 3.2)": Reference(
        lambda q: (q.s + 4) / 2 * tf.linalg.logdet(q.X) + tr(q.S @ inv(q.X)) / 2,
        "X",
        "((4 + s) I - X⁻¹ S) X⁻¹ / 2",
        symmetric="XS",
    ),
    "attention by a product of its values (Vaswani 2017)": Reference(
        lambda q: total(q.M * (tf.nn.softmax(q.W @ q.A @ T(q.W @ q.B)) @ (q.W @ q.C))),
        "A",
        "Wᵀ (softmax(W A Bᵀ Wᵀ) ⊙ (M Cᵀ Wᵀ - (M ⊙ (softmax(W A Bᵀ Wᵀ) W C)) 𝟏 𝟏ᵀ)) W B",
    ),
    "attention of rows to each other by its queries (Vaswani 2017)": Reference(
        lambda q: total(q.M * (tf.nn.softmax(q.W @ q.A @ T(q.W @ q.B)) @ q.W @ q.C)),
        "A",
        "Wᵀ (softmax(W A Bᵀ Wᵀ) ⊙ (M Cᵀ Wᵀ - (M ⊙ (softmax(W A Bᵀ Wᵀ) W C)) 𝟏 𝟏ᵀ)) W B",
    ),
    "regression of shares by their precision (Ferrari and Cribari-Neto 2004)": Reference(
        lambda q: total(
            tf.math.lgamma(tf.sigmoid(mv(q.M, q.x)) * q.s)
            + tf.math.lgamma((1 - tf.sigmoid(mv(q.M, q.x))) * q.s)
            - (tf.sigmoid(mv(q.M, q.x)) * q.s - 1) * log(q.y)
            - ((1 - tf.sigmoid(mv(q.M, q.x))) * q.s - 1) * log(q.z)
        ),
        "s",
        "σ(-M x)ᵀ (ψ(s σ(-M x)) - log(z)) + σ(M x)ᵀ (ψ(s σ(M x)) - log(y))",
    ),
    "stereographic projection": Reference(
        lambda q: tf.stack([q.x[0] / (1 - q.x[2]), q.x[1] / (1 - q.x[2])]),
        "x",
        "[1, 0, x[0] / (1 - x[2]); 0, 1, x[1] / (1 - x[2])] / (1 - x[2])",
        is_of_any_size=False,
    ),
    "response to a dose (Hill 1910)": Reference(
        lambda q: q.r * q.s**q.k / (q.t**q.k + q.s**q.k),
        "s",
        "r k s^(k - 1) t^k / (s^k + t^k)²",
    ),
    "response to a dose by its power": Reference(
        lambda q: q.r * q.s**q.k / (q.t**q.k + q.s**q.k),
        "k",
        "r s^k t^k (log(s) - log(t)) / (s^k + t^k)²",
    ),
    "growth that is inhibited (Haldane 1930)": Reference(
        lambda q: q.k * q.s / (q.r + q.s + q.s**2 / q.g),
        "s",
        "k g (g r - s²) / (s² + g (s + r))²",
    ),
}
