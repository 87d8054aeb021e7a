"""Scores of distributions, divergences, and distances of curved spaces."""

from __future__ import annotations

from typing import Any

import numpy as np

import symtape as tf
from tests.references.room import Reference, T, dot, exp, inv, log, mv, qf, total, unit
from tests.references.sciences import normal_cdf


def lbeta(a: Any, b: Any) -> Any:
    """Give the logarithm of Euler's beta function."""
    return tf.math.lgamma(a) + tf.math.lgamma(b) - tf.math.lgamma(a + b)


def normal_pdf(z: Any) -> Any:
    """Give the density of a standard normal variable."""
    return exp(-(z**2) / 2) / np.sqrt(2 * np.pi)


def currency_call(q: Any) -> Any:
    """Price a call at s with strike 1 where the currency bears the rate t."""
    d1 = (log(q.s) + (q.r - q.t + q.g**2 / 2) * q.k) / (q.g * tf.sqrt(q.k))
    d2 = d1 - q.g * tf.sqrt(q.k)
    return q.s * exp(-q.t * q.k) * normal_cdf(d1) - exp(-q.r * q.k) * normal_cdf(d2)


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
        "2 (x (x - a)ᵀ + (1 - ‖x‖²) I) (x - a) / (‖x - a‖ √((1 - ‖a‖²) (1 - ‖x‖²))"
        " √(1 + ‖x - a‖² / ((1 - ‖a‖²) (1 - ‖x‖²))) (1 - ‖x‖²))",
    ),
    "counts that were expected (Pearson 1900)": Reference(
        lambda q: total((q.x - q.a) ** 2 / q.a), "a", "𝟏 - x^⊙2 ⊘ a^⊙2"
    ),
    "loss beyond a quantile by that (Rockafellar and Uryasev 2000)": Reference(
        lambda q: q.s * exp(-(q.t**2) / 2) / np.sqrt(2 * np.pi) / (1 - normal_cdf(q.t)),
        "t",
        "s φ(t) (φ(t)/Φ(-t) - t) / Φ(-t)",
    ),
    "a grade between two cuts (McKelvey and Zavoina 1975)": Reference(
        lambda q: log(normal_cdf(q.t - q.s) - normal_cdf(q.r - q.s)),
        "s",
        "(φ(t - s) - φ(r - s)) / (Φ(r - s) - Φ(t - s))",
    ),
    "decay of a price of a currency (Garman and Kohlhagen 1983)": Reference(
        lambda q: currency_call(q),
        "k",
        "r exp(-r k) Φ((k (r - g²/2 - t) + log(s)) / (g √k))"
        " + s exp(-k t) (g φ((k (r + g²/2 - t) + log(s)) / (g √k)) / (2 √k)"
        " - t Φ((k (r + g²/2 - t) + log(s)) / (g √k)))",
    ),
    "clip with soft edges, twice (Klimek and Perelstein 2020)": Reference(
        lambda q: log((1 + exp(q.s * q.t)) / (1 + exp(q.s * (q.t - 1)))) / q.s,
        "t",
        "s (σ(s (t - 1)) - σ(s t)) (σ(s (t - 1)) + σ(s t) - 1)",
        order=2,
    ),
    "volga of a price of a currency (Garman and Kohlhagen 1983)": Reference(
        lambda q: currency_call(q),
        "g",
        "s φ((k (g²/2 + r - t) + log(s)) / (g √k)) exp(-k t) (k (2 r - g² - 2 t) + 2 log(s))"
        " (k (g² + 2 r - 2 t) + 2 log(s)) / (4 √k g³)",
        order=2,
    ),
    "excess over a threshold by its scale (Pickands 1975)": Reference(
        lambda q: -log(q.s) - (1 + 1 / q.k) * log(1 + q.k * q.t / q.s),
        "s",
        "(t - s) / (s (k t + s))",
    ),
    "claims by their mean (Tweedie 1984)": Reference(
        lambda q: (q.t * q.s ** (1 - q.r) / (1 - q.r) - q.s ** (2 - q.r) / (2 - q.r)) / q.k,
        "s",
        "(t - s) / (k s^r)",
    ),
    "first passage by its shape (Tweedie 1957)": Reference(
        lambda q: log(q.s) / 2 - q.s * (q.t - q.r) ** 2 / (2 * q.r**2 * q.t),
        "s",
        "(1/s - (r - t)² / (t r²)) / 2",
    ),
    "counts by their mean (Greenwood and Yule 1920)": Reference(
        lambda q: q.r * log(q.r / (q.r + q.s)) + q.k * log(q.s / (q.r + q.s)),
        "s",
        "r (k - s) / (s (s + r))",
    ),
    "share of successes by a weight (Skellam 1948)": Reference(
        lambda q: lbeta(q.k + q.s, q.r - q.k + q.t) - lbeta(q.s, q.t),
        "s",
        "ψ(s + t) + ψ(s + k) - ψ(s) - ψ(s + t + r)",
    ),
    "slant of a normal distribution (Azzalini 1985)": Reference(
        lambda q: log(normal_cdf(q.s * q.t)) - q.t**2 / 2, "t", "s φ(t s) / Φ(t s) - t"
    ),
    "signal in noise by its strength (Rice 1945)": Reference(
        lambda q: (
            log(q.t) - (q.t**2 + q.s**2) / (2 * q.k) + log(tf.math.bessel_i0(q.t * q.s / q.k))
        ),
        "s",
        "(t I₁(t s / k) / I₀(t s / k) - s) / k",
    ),
    "direction on a circle (Kent and Tyler 1988)": Reference(
        lambda q: log((1 - q.r**2) / (1 + q.r**2 - 2 * q.r * tf.cos(q.t - q.s))),
        "s",
        "2 r sin(t - s) / (1 + r² - 2 r cos(t - s))",
    ),
    "order of three (Plackett 1975)": Reference(
        lambda q: q.x[0] - tf.reduce_logsumexp(q.x) + q.x[1] - tf.reduce_logsumexp(q.x[1:]),
        "x",
        "I[0]ᵀ + I[1]ᵀ - I[1:3]ᵀ softmax(x[1:3]) - softmax(x)",
        is_of_any_size=False,
    ),
    "moments and their weights (Hansen 1982)": Reference(
        lambda q: qf(q.S, mv(T(q.A), q.a - mv(q.X, q.x))),
        "x",
        "2 Xᵀ A S Aᵀ (X x - a)",
        symmetric="S",
    ),
    "variance that persists (Bollerslev 1986)": Reference(
        lambda q: -(log(q.s + q.t * q.r) + q.k**2 / (q.s + q.t * q.r)) / 2,
        "t",
        "r (k² - s - r t) / (2 (s + r t)²)",
    ),
    "product of two factors (Arrow 1961)": Reference(
        lambda q: (q.k * q.s**q.r + (1 - q.k) * q.t**q.r) ** (1 / q.r),
        "s",
        "k s^(r - 1) (k s^r + t^r (1 - k))^(1/r - 1)",
    ),
    "exchange of one asset for another (Margrabe 1978)": Reference(
        lambda q: (
            q.s * normal_cdf((log(q.s / q.t) + q.g**2 * q.k / 2) / (q.g * tf.sqrt(q.k)))
            - q.t * normal_cdf((log(q.s / q.t) - q.g**2 * q.k / 2) / (q.g * tf.sqrt(q.k)))
        ),
        "s",
        "Φ((k g² / 2 + log(s/t)) / (g √k))",
    ),
    "variance by the strike, twice (Gatheral 2004)": Reference(
        lambda q: q.r * (q.t * (q.k - q.s) + tf.sqrt((q.k - q.s) ** 2 + q.g**2)),
        "k",
        "r g² / (g² + (k - s)²)^(3/2)",
        order=2,
    ),
    "bond by a short rate (Vasicek 1977)": Reference(
        lambda q: exp(-(1 - exp(-q.k * q.t)) / q.k * q.r),
        "r",
        "exp(r (exp(-k t) - 1) / k) (exp(-k t) - 1) / k",
    ),
    "improvement that is expected, by the mean (Jones 1998)": Reference(
        lambda q: (q.s - q.t) * normal_cdf((q.s - q.t) / q.g) + q.g * normal_pdf((q.s - q.t) / q.g),
        "s",
        "Φ((s - t) / g)",
    ),
    "improvement that is expected, by the deviation (Jones 1998)": Reference(
        lambda q: (q.s - q.t) * normal_cdf((q.s - q.t) / q.g) + q.g * normal_pdf((q.s - q.t) / q.g),
        "g",
        "φ((s - t) / g)",
    ),
    "momentum of a fast particle (Goldstein 7.9)": Reference(
        lambda q: -q.s * q.t**2 * tf.sqrt(1 - dot(q.v, q.v) / q.t**2), "v", "s v / √(1 - ‖v‖²/t²)"
    ),
    "velocity of a charge in a field (Goldstein 8.2)": Reference(
        lambda q: total((q.u - q.s * q.a) ** 2) / (2 * q.t), "u", "(u - s a) / t"
    ),
    "pendulum of two masses by an angle (Goldstein 1.6)": Reference(
        lambda q: q.s * tf.cos(q.r - q.t) + q.k * tf.cos(q.r), "r", "-(k sin(r) + s sin(r - t))"
    ),
    "evidence of a scale (Rasmussen and Williams 5.9)": Reference(
        lambda q: (
            (
                qf(inv(q.s**2 * q.S + q.t * unit(q.S, 0)), q.a)
                + tf.linalg.logdet(q.s**2 * q.S + q.t * unit(q.S, 0))
            )
            / 2
        ),
        "s",
        "s (tr(S (s² S + t I)⁻¹) - aᵀ (s² S + t I)⁻¹ S (s² S + t I)⁻¹ a)",
        symmetric="S",
    ),
    "smooth process of order 5/2 (Rasmussen and Williams 4.17)": Reference(
        lambda q: (
            (1 + np.sqrt(5) * q.r / q.s + 5 * q.r**2 / (3 * q.s**2)) * exp(-np.sqrt(5) * q.r / q.s)
        ),
        "r",
        "-5 r exp(-√5 r / s) (s + √5 r) / (3 s³)",
    ),
    "kernel between two points (Rasmussen and Williams 9.4)": Reference(
        lambda q: exp(-dot(q.x - q.a, q.x - q.a) / (2 * q.s**2)),
        "x",
        "exp(-‖x - a‖² / (2 s²)) ((x - a) (x - a)ᵀ - s² I) / s⁴",
        order=2,
    ),
    "divergence of mean and half (Lin 1991)": Reference(
        lambda q: (
            total(q.x * log(2 * q.x / (q.x + q.a))) / 2
            + total(q.a * log(2 * q.a / (q.x + q.a))) / 2
        ),
        "x",
        "diag(a ⊘ (x ⊙ (a + x))) / 2",
        order=2,
    ),
    "capacity of several antennas (Telatar 1999)": Reference(
        lambda q: tf.linalg.logdet(unit(q.X, 0) + q.X @ q.S @ T(q.X) / q.s),
        "X",
        "2 (X S Xᵀ + s I)⁻¹ X S",
        symmetric="S",
    ),
    "a wave by the time, twice (d'Alembert 1747)": Reference(
        lambda q: tf.sin(q.k * (q.s - q.r * q.t)), "t", "-r² k² sin(k (s - r t))", order=2
    ),
    "claims by their power (Tweedie 1984)": Reference(
        lambda q: q.t * q.s ** (1 - q.r) / (1 - q.r) - q.s ** (2 - q.r) / (2 - q.r),
        "r",
        "s^(1 - r) (s (log(s) / (2 - r) - 1 / (2 - r)²) + t (1 / (1 - r)² - log(s) / (1 - r)))",
    ),
    "largest of a year by its place (Coles 3.2)": Reference(
        lambda q: (
            -(1 + 1 / q.k) * log(1 + q.k * (q.t - q.s) / q.r)
            - (1 + q.k * (q.t - q.s) / q.r) ** (-1 / q.k)
        ),
        "s",
        "((1 + k) / (1 + k (t - s) / r) - 1 / (1 + k (t - s) / r)^(1 + 1/k)) / r",
    ),
}
