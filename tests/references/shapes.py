"""Forces, prices, filters, curves and angles, as textbooks and papers derive them."""

from __future__ import annotations

import symtape as tf
from tests.references.room import Reference, T, dot, exp, inv, log, mv, total, tr, unit
from tests.references.sciences import black_scholes

norm = tf.norm

SHAPES: dict[str, Reference] = {
    "Yukawa": Reference(
        lambda q: q.s * exp(-norm(q.x) / q.t) / norm(q.x),
        "x",
        "-s exp(-‖x‖/t) (1/‖x‖ + 1/t) x / ‖x‖²",
        book="-s exp(-‖x‖ / t) (1 / ‖x‖ + 1 / t) x / ‖x‖²",
    ),
    "tides": Reference(lambda q: -q.s / norm(q.x), "x", "s (I - 3 x xᵀ / ‖x‖²) / ‖x‖³", order=2),
    "dipole (Jackson 4.13)": Reference(
        lambda q: dot(q.a, q.x) / norm(q.x) ** 3,
        "x",
        "(a - 3 (xᵀ a) x / ‖x‖²) / ‖x‖³",
        book="a / ‖x‖³ - 3 (xᵀ a) x / ‖x‖⁵",
    ),
    "a bond that stretches": Reference(
        lambda q: q.s * (norm(q.x - q.a) - q.t) ** 2 / 2, "x", "s (1 - t / ‖x - a‖) (x - a)"
    ),
    "a bond that stretches, twice": Reference(
        lambda q: q.s * (norm(q.x - q.a) - q.t) ** 2 / 2,
        "x",
        "s (t (x - a) (x - a)ᵀ / ‖x - a‖² + (‖x - a‖ - t) I) / ‖x - a‖",
        order=2,
        book=(
            "s ((I - (x - a) (x - a)ᵀ / ‖x - a‖²) (1 - t / ‖x - a‖) + (x - a) (x - a)ᵀ / ‖x - a‖²)"
        ),
    ),
    "Bose": Reference(
        lambda q: 1 / (exp(q.s / q.t) - 1),
        "t",
        "s exp(s/t) / (t² (exp(s/t) - 1)²)",
        book="s exp(s / t) / (t² (exp(s / t) - 1)²)",
    ),
    "free energy of an oscillator": Reference(
        lambda q: q.t * log(1 - exp(-q.s / q.t)),
        "t",
        "log(1 - exp(-s/t)) - s / (t (exp(s/t) - 1))",
        book="log(1 - exp(-s / t)) - s / (t (exp(s / t) - 1))",
    ),
    "Lorentz factor, twice": Reference(
        lambda q: 1 / tf.sqrt(1 - dot(q.x, q.x)),
        "x",
        "(3 x xᵀ / (1 - ‖x‖²) + I) / (1 - ‖x‖²)^(3/2)",
        order=2,
        book="I / (1 - ‖x‖²)^(3 / 2) + 3 x xᵀ / (1 - ‖x‖²)^(5 / 2)",
    ),
    "relativistic momentum (Goldstein)": Reference(
        lambda q: q.x / tf.sqrt(1 - dot(q.x, q.x)),
        "x",
        "(x xᵀ / (1 - ‖x‖²) + I) / √(1 - ‖x‖²)",
        book="I / √(1 - ‖x‖²) + x xᵀ / (1 - ‖x‖²)^(3 / 2)",
    ),
    "gamma (Hull)": Reference(
        lambda q: black_scholes(q), "s", "φ((log(s/t) + k (g²/2 + r)) / (g √k)) / (g s √k)", order=2
    ),
    "rho (Hull)": Reference(
        lambda q: black_scholes(q),
        "r",
        "t k Φ((k (r - g²/2) + log(s/t)) / (g √k)) exp(-k r)",
        book="t k exp(-r k) Φ((log(s / t) + (r - g² / 2) k) / (g √(k)))",
    ),
    "vega (Hull)": Reference(
        lambda q: black_scholes(q),
        "g",
        "s √k φ((k (g²/2 + r) + log(s/t)) / (g √k))",
        book="s √(k) φ((log(s / t) + (r + g² / 2) k) / (g √(k)))",
    ),
    "mean and variance (Markowitz)": Reference(
        lambda q: dot(q.a, q.x) - q.s / 2 * dot(q.x, mv(q.S, q.x)), "x", "a - s S x", symmetric="S"
    ),
    "power utility": Reference(
        lambda q: dot(q.x, q.a) ** (1 - q.s) / (1 - q.s), "x", "a / (aᵀ x)^s"
    ),
    "convexity of a bond": Reference(
        lambda q: total(q.a * exp(-q.s * q.x)), "s", "aᵀ (x^⊙2 ⊙ exp(-s x))", order=2
    ),
    "entropic risk": Reference(
        lambda q: log(total(exp(-q.s * mv(q.M, q.x)))) / q.s, "x", "-Mᵀ softmax(-s M x)"
    ),
    "Kalman gain by its noise": Reference(
        lambda q: total(q.X * (q.A @ T(q.B) @ inv(q.B @ q.A @ T(q.B) + q.C))),
        "C",
        "-(B A Bᵀ + C)⁻ᵀ B Aᵀ X (B A Bᵀ + C)⁻ᵀ",
    ),
    "innovations (Särkkä)": Reference(
        lambda q: (
            0.5
            * dot(
                q.y - mv(q.M, q.x),
                mv(inv(q.M @ q.S @ T(q.M) + tf.linalg.diag(q.z)), q.y - mv(q.M, q.x)),
            )
        ),
        "x",
        "Mᵀ (M S Mᵀ + diag(z))⁻¹ (M x - y)",
        symmetric="S",
    ),
    "Joseph's form": Reference(
        lambda q: tr(
            (unit(q.A, 0) - q.X @ q.B) @ q.S @ T(unit(q.A, 0) - q.X @ q.B) + q.X @ q.A @ T(q.X)
        ),
        "X",
        "2 (X A - (I - X B) S Bᵀ)",
        is_of_any_size=False,
        symmetric="SA",
    ),
    "geometric motion by its volatility (Shreve)": Reference(
        lambda q: q.s * exp((q.r - q.g**2 / 2) * q.k + q.g * tf.sqrt(q.k) * q.t),
        "g",
        "s exp(g t √k + k (r - g²/2)) (t √k - g k)",
    ),
    "cubic of Bézier (Farin)": Reference(
        lambda q: (
            (1 - q.t) ** 3 * q.a
            + 3 * q.t * (1 - q.t) ** 2 * q.b
            + 3 * q.t**2 * (1 - q.t) * q.c
            + q.t**3 * q.x
        ),
        "t",
        "3 (t² (x - c) + (1 - t) (2 t (c - b) + (1 - t) (b - a)))",
        book="3 (1 - t)² (b - a) + 6 t (1 - t) (c - b) + 3 t² (x - c)",
    ),
    "distance to a line": Reference(
        lambda q: dot(q.x, q.x) - dot(q.a, q.x) ** 2 / dot(q.a, q.a), "x", "2 (I - a aᵀ / ‖a‖²) x"
    ),
    "projection by its direction": Reference(
        lambda q: q.a * dot(q.a, q.x) / dot(q.a, q.a),
        "a",
        "(a xᵀ + (aᵀ x) (I - 2 a aᵀ / ‖a‖²)) / ‖a‖²",
    ),
    "reflection (Householder)": Reference(
        lambda q: q.x - 2 * q.a * dot(q.a, q.x) / dot(q.a, q.a), "x", "I - 2 a aᵀ / ‖a‖²"
    ),
    "area of a parallelogram": Reference(
        lambda q: tf.sqrt(dot(q.x, q.x) * dot(q.a, q.a) - dot(q.x, q.a) ** 2),
        "x",
        "(x aᵀ - a xᵀ) a / √(‖x‖² ‖a‖² - (xᵀ a)²)",
        book="(‖a‖² x - (xᵀ a) a) / √(‖x‖² ‖a‖² - (xᵀ a)²)",
    ),
    "ellipse": Reference(
        lambda q: tf.sqrt(q.y[0] ** 2 / q.s**2 + q.y[1] ** 2 / q.t**2),
        "y",
        "[y[0]/s²; y[1]/t²] / √(y[0]²/s² + y[1]²/t²)",
        is_of_any_size=False,
        book="[y[0] / s²; y[1] / t²] / √(y[0]² / s² + y[1]² / t²)",
    ),
    "Rayleigh quotient (Absil)": Reference(
        lambda q: dot(q.x, mv(q.S, q.x)) / dot(q.x, q.x),
        "x",
        "2 (I - x xᵀ / ‖x‖²) S x / ‖x‖²",
        symmetric="S",
    ),
    "Rayleigh quotient, twice": Reference(
        lambda q: dot(q.x, mv(q.S, q.x)) / dot(q.x, q.x),
        "x",
        "2 ((I - 2 x xᵀ / ‖x‖²) S (I - 2 x xᵀ / ‖x‖²) - (xᵀ S x) I / ‖x‖²) / ‖x‖²",
        order=2,
        symmetric="S",
    ),
    "barrier of a linear program, twice (Boyd and Vandenberghe 11.2)": Reference(
        lambda q: q.s * dot(q.a, q.x) - total(log(q.x)), "x", "diag(𝟏 ⊘ x^⊙2)", order=2
    ),
    "geometric mean, twice (Boyd and Vandenberghe 3.1.5)": Reference(
        lambda q: exp(tf.reduce_mean(log(q.x))),
        "x",
        "exp(𝟏ᵀ log(x) / 3) ((𝟏 ⊘ x) (𝟏 ⊘ x)ᵀ - 3 diag(𝟏 ⊘ x^⊙2)) / 9",
        order=2,
        is_of_any_size=False,
    ),
    "norm of order s": Reference(
        lambda q: total(tf.abs(q.x) ** q.s) ** (1 / q.s),
        "x",
        "(𝟏ᵀ |x|^⊙s)^(1/s - 1) (sign(x) ⊙ |x|^⊙(s - 1))",
    ),
    "harmonic mean": Reference(lambda q: 1 / total(1 / q.x), "x", "(𝟏 ⊘ x^⊙2) / (𝟏ᵀ (𝟏 ⊘ x))²"),
}
