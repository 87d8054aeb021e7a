"""Derivatives of statistics, physics and finance, as textbooks write them."""

from __future__ import annotations

from typing import Any

import numpy as np

import symtape as tf
from tests.references.room import Reference, T, dot, exp, inv, log, mv, sin, total, tr


def normal_cdf(z: Any) -> Any:
    """Give the distribution function of a standard normal variable."""
    return 0.5 * (1 + tf.math.erf(z / np.sqrt(2.0)))


def black_scholes(q: Any, strike: Any = None, rate: Any = None) -> Any:
    """Price a call at s with strike t, by the rate r, the volatility g and the time k."""
    strike = q.t if strike is None else strike
    rate = q.r if rate is None else rate
    d1 = (log(q.s / strike) + (rate + q.g**2 / 2) * q.k) / (q.g * tf.sqrt(q.k))
    d2 = d1 - q.g * tf.sqrt(q.k)
    return q.s * normal_cdf(d1) - strike * exp(-rate * q.k) * normal_cdf(d2)


STATISTICS: dict[str, Reference] = {
    "normal loglik by mean": Reference(
        lambda q: -total((q.x - q.s) ** 2) / (2 * q.t**2),
        "s",
        "𝟏ᵀ (x - s 𝟏) / t²",
        book="(𝟏ᵀ x - 3 s) / t²",
    ),
    "normal loglik by sigma": Reference(
        lambda q: -3 * log(q.t) - total((q.x - q.s) ** 2) / (2 * q.t**2),
        "t",
        "‖x - s 𝟏‖² / t³ - 3/t",
        book="‖x - s 𝟏‖² / t³ - 3 / t",
    ),
    "Poisson loglik": Reference(lambda q: dot(q.a, log(q.x)) - total(q.x), "x", "a ⊘ x - 𝟏"),
    "Bernoulli loglik": Reference(
        lambda q: dot(q.a, log(q.x)) + dot(1 - q.a, log(1 - q.x)),
        "x",
        "(a - x) ⊘ (x ⊙ (𝟏 - x))",
        book="a ⊘ x - (𝟏 - a) ⊘ (𝟏 - x)",
    ),
    "binary cross entropy": Reference(
        lambda q: -dot(q.a, log(q.x)) - dot(1 - q.a, log(1 - q.x)),
        "x",
        "(x - a) ⊘ (x ⊙ (𝟏 - x))",
        book="(x - a) ⊘ (x ⊙ (𝟏 - x))",
    ),
    "mean binary cross entropy": Reference(
        lambda q: -(dot(q.a, log(q.x)) + dot(1 - q.a, log(1 - q.x))) / 3,
        "x",
        "((x - a) ⊘ (x ⊙ (𝟏 - x))) / 3",
        book="(x - a) ⊘ (3 x ⊙ (𝟏 - x))",
    ),
    "exponential loglik": Reference(
        lambda q: 3 * log(q.s) - q.s * total(q.x), "s", "3/s - 𝟏ᵀ x", book="3 / s - 𝟏ᵀ x"
    ),
    "Gamma shape": Reference(
        lambda q: q.s * log(q.t) - tf.math.lgamma(q.s) + (q.s - 1) * log(q.s * 0 + q.t),
        "s",
        "2 log(t) - ψ(s)",
    ),
    "Dirichlet": Reference(
        lambda q: tf.math.lgamma(total(q.x)) - total(tf.math.lgamma(q.x)) + dot(q.x - 1, log(q.a)),
        "x",
        "ψ(𝟏ᵀ x) 𝟏 + log(a) - ψ(x)",
        book="ψ(𝟏ᵀ x) 𝟏 - ψ(x) + log(a)",
    ),
    "Beta": Reference(lambda q: tf.math.lbeta(tf.stack([q.s, q.t])), "s", "ψ(s) - ψ(s + t)"),
    "KL discrete": Reference(
        lambda q: total(q.x * log(q.x / q.a)), "x", "𝟏 + log(x ⊘ a)", book="log(x ⊘ a) + 𝟏"
    ),
    "KL of normals by mu": Reference(
        lambda q: 0.5 * (tr(inv(q.S) @ q.A) + dot(q.x - q.a, mv(inv(q.S), q.x - q.a))),
        "a",
        "S⁻¹ (a - x)",
        symmetric="S",
    ),
    "mahalanobis": Reference(
        lambda q: tf.sqrt(dot(q.x - q.a, mv(inv(q.S), q.x - q.a))),
        "x",
        "S⁻¹ (x - a) / √((x - a)ᵀ S⁻¹ (x - a))",
        symmetric="S",
    ),
    "correlation (Anderson 4.2), without means": Reference(
        lambda q: dot(q.x, q.a) / tf.sqrt(dot(q.x, q.x) * dot(q.a, q.a)),
        "x",
        "(a - (xᵀ a) x / ‖x‖²) / (‖x‖ ‖a‖)",
    ),
    "check loss (Koenker and Bassett 1978)": Reference(
        lambda q: total(tf.maximum(0.9 * (q.y - mv(q.M, q.x)), -0.1 * (q.y - mv(q.M, q.x)))),
        "x",
        "Mᵀ (0.1 [y < M x] - 0.9 [y ≥ M x])",
    ),
    "Gaussian by precision": Reference(
        lambda q: 0.5 * (dot(q.x, mv(q.S, q.x)) - tf.linalg.slogdet(q.S)[1]),
        "S",
        "(x xᵀ - S⁻¹) / 2",
        symmetric="S",
    ),
    "weighted least squares": Reference(
        lambda q: dot(q.z * (mv(q.M, q.x) - q.y), mv(q.M, q.x) - q.y), "x", "2 Mᵀ (z ⊙ (M x - y))"
    ),
    "wls Hessian": Reference(
        lambda q: dot(q.z * (mv(q.M, q.x) - q.y), mv(q.M, q.x) - q.y),
        "x",
        "2 Mᵀ diag(z) M",
        order=2,
    ),
    "hat matrix": Reference(
        lambda q: mv(T(q.M) @ inv(q.M @ T(q.M)), q.y * 0 + mv(q.M, q.x)), "x", "Mᵀ (M Mᵀ)⁻¹ M"
    ),
    "Student t": Reference(lambda q: 2 * log(1 + q.t**2 / 3), "t", "4 t / (3 + t²)"),
    "Cauchy": Reference(lambda q: log(1 + q.t**2), "t", "2 t / (1 + t²)"),
    "probit": Reference(
        lambda q: log(0.5 * (1 + tf.math.erf(q.t / np.sqrt(2.0)))),
        "t",
        "φ(t)/Φ(t)",
        book="φ(t) / Φ(t)",
    ),
    "logit": Reference(lambda q: log(q.t / (1 - q.t)), "t", "1 / (t (1 - t))"),
    "Cox partial": Reference(lambda q: dot(q.a, q.x) - log(total(exp(q.x))), "x", "a - softmax(x)"),
    "Cox partial of all": Reference(
        lambda q: total(tf.math.cumulative_logsumexp(mv(q.M, q.x), reverse=True) - mv(q.M, q.x)),
        "x",
        "Mᵀ ((tril(𝟏 𝟏ᵀ) (𝟏 ⊘ (triu(𝟏 𝟏ᵀ) exp(M x)))) ⊙ exp(M x) - 𝟏)",
    ),
    "covariance": Reference(
        lambda q: dot(q.x - tf.reduce_mean(q.x), q.a - tf.reduce_mean(q.a)) / 3,
        "x",
        "(a - (𝟏ᵀ a) 𝟏 / 3) / 3",
        is_of_any_size=False,
        book="a / 3 - (𝟏ᵀ a) 𝟏 / 9",
    ),
    "ridge Hessian": Reference(
        lambda q: total((mv(q.M, q.x) - q.y) ** 2) + q.s * dot(q.x, q.x),
        "x",
        "2 (Mᵀ M + s I)",
        order=2,
    ),
    "lasso smooth part": Reference(
        lambda q: 0.5 * total((mv(q.M, q.x) - q.y) ** 2) + q.s * total(tf.abs(q.x)),
        "x",
        "Mᵀ (M x - y) + s sign(x)",
    ),
}


PHYSICS: dict[str, Reference] = {
    "kinetic": Reference(lambda q: 0.5 * q.s * dot(q.x, q.x), "x", "s x"),
    "Lennard-Jones force": Reference(
        lambda q: 4 * q.s * ((1 / q.t) ** 12 - (1 / q.t) ** 6),
        "t",
        "24 s (t⁶ - 2) / t¹³",
        book="4 s (6 / t⁷ - 12 / t¹³)",
    ),
    "Coulomb": Reference(lambda q: q.s / tf.norm(q.x - q.a), "x", "s (a - x) / ‖x - a‖³"),
    "pendulum": Reference(lambda q: q.s * (1 - tf.cos(q.t)), "t", "s sin(t)"),
    "relativistic energy": Reference(
        lambda q: q.s / tf.sqrt(1 - q.t**2),
        "t",
        "t s / (1 - t²)^(3/2)",
        book="s t / (1 - t²)^(3 / 2)",
    ),
    "Planck": Reference(
        lambda q: q.t**3 / (exp(q.t) - 1),
        "t",
        "-t² (3 + exp(t) (t - 3)) / (exp(t) - 1)²",
        book="t² (3 (exp(t) - 1) - t exp(t)) / (exp(t) - 1)²",
    ),
    "Morse": Reference(
        lambda q: q.s * (1 - exp(-q.t)) ** 2,
        "t",
        "2 s exp(-t) (1 - exp(-t))",
        book="2 s (1 - exp(-t)) exp(-t)",
    ),
    "harmonic": Reference(lambda q: 0.5 * dot(q.x, mv(q.S, q.x)), "x", "S x", symmetric="S"),
    "partition function": Reference(
        lambda q: log(total(exp(-q.s * q.x))), "s", "-xᵀ softmax(-s x)"
    ),
    "van der Waals": Reference(
        lambda q: q.s / (q.t - 1) - 1 / q.t**2,
        "t",
        "2/t³ - s / (t - 1)²",
        book="2 / t³ - s / (t - 1)²",
    ),
    "Hill": Reference(
        lambda q: q.t**3 / (q.s**3 + q.t**3),
        "t",
        "3 t² s³ / (t³ + s³)²",
        book="3 s³ t² / (s³ + t³)²",
    ),
    "Arrhenius": Reference(
        lambda q: exp(-q.s / q.t), "t", "s exp(-s/t) / t²", book="s exp(-s / t) / t²"
    ),
    "Fermi": Reference(
        lambda q: 1 / (exp(q.t - q.s) + 1),
        "t",
        "σ(t - s) (σ(t - s) - 1)",
        book="-σ(t - s) (1 - σ(t - s))",
    ),
    "Kepler": Reference(lambda q: q.t - q.s * sin(q.t), "t", "1 - s cos(t)"),
}


FINANCE: dict[str, Reference] = {
    "delta at a rate of 5 %": Reference(
        lambda q: black_scholes(q, rate=0.05),
        "s",
        "Φ((k (0.05 + g²/2) + log(s/t)) / (g √k))",
        book="Φ((log(s / t) + (0.05 + g² / 2) k) / (g √(k)))",
    ),
    "vega at a rate of 5 %": Reference(
        lambda q: black_scholes(q, rate=0.05),
        "g",
        "s √k φ((k (0.05 + g²/2) + log(s/t)) / (g √k))",
        book="s φ((log(s / t) + (0.05 + g² / 2) k) / (g √(k))) √(k)",
    ),
    "Black-Scholes delta": Reference(
        lambda q: black_scholes(q),
        "s",
        "Φ((k (r + g²/2) + log(s/t)) / (g √k))",
        book="Φ((log(s / t) + (r + g² / 2) k) / (g √(k)))",
    ),
    "delta at a strike of 100": Reference(
        lambda q: black_scholes(q, 100.0),
        "s",
        "Φ((log(s/100) + k (g²/2 + r)) / (g √k))",
        book="Φ((log(s / 100) + (r + g² / 2) k) / (g √(k)))",
    ),
    "gamma at a strike of 100": Reference(
        lambda q: black_scholes(q, 100.0),
        "s",
        "φ((log(s/100) + k (g²/2 + r)) / (g √k)) / (g s √k)",
        2,
        book="φ((log(s / 100) + (r + g² / 2) k) / (g √(k))) / (s g √(k))",
    ),
    "direction by its concentration (von Mises)": Reference(
        lambda q: total(q.s * tf.cos(q.x) - log(tf.math.bessel_i0(q.s))),
        "s",
        "𝟏ᵀ cos(x) - 3 I₁(s) / I₀(s)",
        is_of_any_size=False,
    ),
    "portfolio variance": Reference(lambda q: dot(q.x, mv(q.S, q.x)), "x", "2 S x", symmetric="S"),
    "portfolio volatility": Reference(
        lambda q: tf.sqrt(dot(q.x, mv(q.S, q.x))), "x", "S x / √(xᵀ S x)", symmetric="S"
    ),
    "Sharpe": Reference(
        lambda q: dot(q.a, q.x) / tf.sqrt(dot(q.x, mv(q.S, q.x))),
        "x",
        "(a - (xᵀ a) S x / (xᵀ S x)) / √(xᵀ S x)",
        book="a / √(xᵀ S x) - (aᵀ x) S x / (xᵀ S x)^(3 / 2)",
        symmetric="S",
    ),
    "log utility": Reference(lambda q: log(dot(q.a, q.x)), "x", "a / (aᵀ x)"),
    "bond price": Reference(
        lambda q: total(q.a * exp(-q.s * q.x)),
        "s",
        "-aᵀ (x ⊙ exp(-s x))",
        book="-(a ⊙ x)ᵀ exp(-s x)",
    ),
}
