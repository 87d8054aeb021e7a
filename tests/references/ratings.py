"""Losses of ranks and labels, inequality, kernels and waves, where numbers and signs come out."""

from __future__ import annotations

import numpy as np

import symtape as tf
from tests.references.room import Reference, T, dot, exp, log, mv, total, tr
from tests.references.sciences import normal_cdf

sqrt, softmax = tf.sqrt, tf.nn.softmax
mean = tf.reduce_mean

RATINGS: dict[str, Reference] = {
    "squared hinge (Chang and Lin 2008)": Reference(
        lambda q: total(tf.nn.relu(1 - q.y * mv(q.M, q.x)) ** 2),
        "x",
        "-2 Mᵀ (y ⊙ max(0, 𝟏 - y ⊙ (M x)))",
    ),
    "polynomial loss of a label (Leng 2022)": Reference(
        lambda q: -log(softmax(q.x)[0]) + q.s * (1 - softmax(q.x)[0]),
        "x",
        "(1 + s softmax(x)[0]) (softmax(x) - I[0]ᵀ)",
    ),
    "calibration by a slope (Platt 1999)": Reference(
        lambda q: total(tf.math.softplus(q.s * q.x + q.t) - q.a * (q.s * q.x + q.t)),
        "s",
        "xᵀ (σ(s x + t 𝟏) - a)",
    ),
    "covariance of features (Bardes 2022)": Reference(
        lambda q: total((T(q.A - mean(q.A, 0)) @ (q.A - mean(q.A, 0))) ** 2),
        "A",
        "4 (I - 𝟏 𝟏ᵀ / 3) A Aᵀ (I - 𝟏 𝟏ᵀ / 3) A",
        is_of_any_size=False,
    ),
    "experts by a gate (Jacobs 1991)": Reference(
        lambda q: dot(softmax(mv(q.A, q.x)), mv(q.B, q.x)),
        "x",
        "Bᵀ softmax(A x) - Aᵀ (softmax(A x) ⊙ ((softmax(A x)ᵀ B x) 𝟏 - B x))",
    ),
    "mean difference (Gini 1912)": Reference(
        lambda q: total(tf.abs(q.x[:, None] - q.x)), "x", "2 sign(x 𝟏ᵀ - 𝟏 xᵀ) 𝟏"
    ),
    "coefficient of variation": Reference(
        lambda q: tf.math.reduce_std(q.x) / mean(q.x),
        "x",
        "√3 ((x - (𝟏ᵀ x) 𝟏 / 3) / ‖x - (𝟏ᵀ x) 𝟏 / 3‖ - ‖x - (𝟏ᵀ x) 𝟏 / 3‖ 𝟏 / (𝟏ᵀ x)) / (𝟏ᵀ x)",
        is_of_any_size=False,
    ),
    "lognormal (Crow and Shimizu 1988)": Reference(
        lambda q: -total(log(q.x)) - 3 * log(q.t) - total((log(q.x) - q.s) ** 2) / (2 * q.t**2),
        "x",
        "-(𝟏 + (log(x) - s 𝟏) / t²) ⊘ x",
    ),
    "power transform (Yeo and Johnson 2000)": Reference(
        lambda q: ((1 + q.t) ** (2 - q.s) - 1) / (2 - q.s),
        "s",
        "((1 + t)^(2 - s) (1 - log(1 + t) (2 - s)) - 1) / (2 - s)²",
    ),
    "divergence of order s (Rényi 1961)": Reference(
        lambda q: log(total(q.x**q.s * q.a ** (1 - q.s))) / (q.s - 1),
        "x",
        "s (a^⊙(1 - s) ⊙ x^⊙(s - 1)) / ((a^⊙(1 - s))ᵀ x^⊙s (s - 1))",
    ),
    "a copula of one parameter (Ali, Mikhail and Haq 1978)": Reference(
        lambda q: q.t * q.r / (1 - q.s * (1 - q.t) * (1 - q.r)),
        "t",
        "r (1 + r s - s) / (1 - s (1 - t) (1 - r))²",
    ),
    "censored regression (Tobin 1958)": Reference(
        lambda q: log(normal_cdf(-dot(q.x, q.a) / q.s)),
        "x",
        "-φ(aᵀ x / s) a / (s Φ(-aᵀ x / s))",
    ),
    "rational quadratic kernel (Rasmussen and Williams 4.19)": Reference(
        lambda q: (1 + dot(q.x - q.a, q.x - q.a) / (2 * q.s * q.t**2)) ** (-q.s),
        "x",
        "(a - x) / (t² (1 + ‖x - a‖² / (2 s t²))^(1 + s))",
    ),
    "equation of Riccati, weighed (Lancaster and Rodman 1995)": Reference(
        lambda q: tr(q.S @ (T(q.A) @ q.X + q.X @ q.A - q.X @ q.B @ q.X)),
        "X",
        "Sᵀ (A - B X)ᵀ + (A - Bᵀ Xᵀ) Sᵀ",
    ),
    "critical load (Euler 1744)": Reference(
        lambda q: np.pi**2 * q.s * q.t / q.r**2, "r", "-2 π² s t / r³"
    ),
    "deflection of a beam (Gere and Timoshenko 9.3)": Reference(
        lambda q: q.s * q.t / (24 * q.g) * (q.r**3 - 2 * q.r * q.t**2 + q.t**3),
        "t",
        "s (r³ + 2 t² (2 t - 3 r)) / (24 g)",
    ),
    "kink of the sine-Gordon equation": Reference(
        lambda q: 4 * tf.atan(exp((q.r - q.s * q.t) / sqrt(1 - q.s**2))),
        "r",
        "2 / (cosh((s t - r) / √(1 - s²)) √(1 - s²))",
    ),
    "free energy in a mean field by the temperature (Weiss 1907)": Reference(
        lambda q: -q.r * log(2 * tf.cosh((q.s * q.t + q.g) / q.r)),
        "r",
        "tanh((s t + g) / r) (s t + g) / r - log(2 cosh((s t + g) / r))",
    ),
    "vapour pressure (Antoine 1888)": Reference(
        lambda q: 10 ** (q.s - q.t / (q.r + q.g)), "r", "log(10) t 10^(s - t / (r + g)) / (r + g)²"
    ),
    "regression of a quantile, of any level (Koenker and Bassett 1978)": Reference(
        lambda q: total(tf.maximum(q.t * (q.y - mv(q.M, q.x)), (q.t - 1) * (q.y - mv(q.M, q.x)))),
        "x",
        "Mᵀ ([y < M x] - t 𝟏)",
    ),
    "loss of a quantile by its level": Reference(
        lambda q: total(tf.maximum(q.t * (q.x - q.a), (q.t - 1) * (q.x - q.a))),
        "t",
        "𝟏ᵀ (x - a)",
    ),
    "robust loss by its threshold (Huber 1964)": Reference(
        lambda q: total(
            tf.where(
                tf.abs(q.x - q.a) <= q.t,
                (q.x - q.a) ** 2 / 2,
                q.t * (tf.abs(q.x - q.a) - q.t / 2),
            )
        ),
        "t",
        "(|x - a| - t 𝟏)ᵀ [|x - a| > t]",
    ),
    "heat capacity of three levels (Schottky 1922)": Reference(
        lambda q: -q.r * log(1 + q.s * exp(-q.t / q.r) + q.k * exp(-q.g / q.r)),
        "r",
        "(s t exp(-t/r) ((s t exp(-t/r) + k g exp(-g/r)) / (1 + s exp(-t/r) + k exp(-g/r)) - t) + "
        "k g exp(-g/r) ((s t exp(-t/r) + k g exp(-g/r)) / (1 + s exp(-t/r) + k exp(-g/r)) - g)) / "
        "(r³ (1 + s exp(-t/r) + k exp(-g/r)))",
        order=2,
    ),
}
