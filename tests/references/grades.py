"""Grades, angles and distances: what cancels by the functions' own divisors, and rows in pairs."""

from __future__ import annotations

from typing import Any

import numpy as np

import symtape as tf
from tests.references.room import Reference, T, dot, exp, inv, log, mv, sin, total, tr

sigmoid, relu = tf.sigmoid, tf.nn.relu


def sure(q: Any) -> Any:
    """Give the probability of the label: σ(x) where a says so, and else that of the other."""
    return tf.where(q.a > 1, sigmoid(q.x), 1 - sigmoid(q.x))


GRADES: dict[str, Reference] = {
    "a grade between two cuts by the score (McCullagh 1980)": Reference(
        lambda q: log(sigmoid(q.s - q.t) - sigmoid(q.r - q.t)),
        "t",
        "σ(s - t) - σ(t - r)",
        book="σ(s - t) + σ(r - t) - 1",
    ),
    "the better of two (Bradley and Terry 1952)": Reference(
        lambda q: q.s - log(exp(q.s) + exp(q.t)), "s", "σ(t - s)"
    ),
    "multipliers of inequalities (Rockafellar 1973)": Reference(
        lambda q: total(relu(q.a + q.s * (mv(q.A, q.x) - q.b)) ** 2) / (2 * q.s),
        "x",
        "Aᵀ max(0, s (A x - b) + a)",
    ),
    "features of attention that are positive, squared (Katharopoulos 2020)": Reference(
        lambda q: total((tf.nn.elu(q.x) + 1) ** 2),
        "x",
        "2 ([x ≥ 0] ⊙ (𝟏 + x) + [x < 0] ⊙ exp(2 x))",
    ),
    "features of attention that are positive, squared, twice": Reference(
        lambda q: total((tf.nn.elu(q.x) + 1) ** 2),
        "x",
        "2 diag(2 ([x < 0] ⊙ exp(2 x)) + [x ≥ 0])",
        order=2,
    ),
    "light behind a polarizer (Malus 1809)": Reference(
        lambda q: q.s * tf.cos(q.t) ** 2, "t", "-s sin(2 t)"
    ),
    "light behind a polarizer, twice": Reference(
        lambda q: q.s * tf.cos(q.t) ** 2, "t", "-2 s cos(2 t)", order=2
    ),
    "light between two mirrors (Airy 1831)": Reference(
        lambda q: 1 / (1 + q.s * sin(q.t / 2) ** 2), "t", "-s sin(t) / (2 (1 + s sin(t/2)²)²)"
    ),
    "periodic kernel by its period (MacKay 1998)": Reference(
        lambda q: exp(-2 * sin(np.pi * q.s / q.t) ** 2 / q.r**2),
        "t",
        "2 π s sin(2 π s / t) exp(-2 sin(π s / t)² / r²) / (t² r²)",
    ),
    "direction in space by its concentration (Fisher 1953)": Reference(
        lambda q: log(q.k) - log(tf.sinh(q.k)) + q.k * dot(q.a, q.x),
        "k",
        "aᵀ x + 1/k - 1/tanh(k)",
    ),
    "factors of a covariance (Lawley 1940)": Reference(
        lambda q: (
            tf.linalg.slogdet(T(q.M) @ q.M + tf.linalg.diag(q.a))[1]
            + tr(inv(T(q.M) @ q.M + tf.linalg.diag(q.a)) @ q.S)
        ),
        "M",
        "2 M (I - (Mᵀ M + diag(a))⁻¹ S) (Mᵀ M + diag(a))⁻¹",
        symmetric="S",
    ),
    "trace of an inverse along a line, twice": Reference(
        lambda q: tr(inv(q.A + q.t * q.B)), "t", "2 tr(B (A + t B)⁻¹ B (A + t B)⁻²)", order=2
    ),
    "reflection by the angle (Fresnel 1823)": Reference(
        lambda q: (
            (tf.cos(q.t) - tf.sqrt(q.s**2 - sin(q.t) ** 2))
            / (tf.cos(q.t) + tf.sqrt(q.s**2 - sin(q.t) ** 2))
        ),
        "t",
        "2 sin(t) (cos(t) - √(s² - sin(t)²)) / (√(s² - sin(t)²) (cos(t) + √(s² - sin(t)²)))",
    ),
    "a valley with ripples (Ackley 1987)": Reference(
        lambda q: -20 * exp(-0.2 * tf.sqrt(dot(q.x, q.x) / 3)),
        "x",
        "4 exp(-0.2 ‖x‖ / √3) x / (√3 ‖x‖)",
        is_of_any_size=False,
    ),
    "two samples apart (Gretton 2012)": Reference(
        lambda q: total(exp(-total((q.X[:, None] - q.M) ** 2, 2))),
        "X",
        "2 diag(exp(2 X Mᵀ - X^⊙2 𝟏 𝟏ᵀ - 𝟏 𝟏ᵀ (M^⊙2)ᵀ) 𝟏) (softmax(2 X Mᵀ - 𝟏 𝟏ᵀ (M^⊙2)ᵀ) M - X)",
    ),
    "distances that are given (Kruskal 1964)": Reference(
        lambda q: total((total((q.X[:, None] - q.X) ** 2, 2) - q.S) ** 2),
        "X",
        "8 (2 X Xᵀ + S - X^⊙2 𝟏 𝟏ᵀ - 𝟏 𝟏ᵀ (X^⊙2)ᵀ"
        " - diag((2 X Xᵀ + S - X^⊙2 𝟏 𝟏ᵀ - 𝟏 𝟏ᵀ (X^⊙2)ᵀ) 𝟏)) X",
        symmetric="S",
    ),
    "a kernel of rows by them": Reference(
        lambda q: dot(q.a, mv(exp(-total((q.X[:, None] - q.X) ** 2, 2)), q.a)),
        "X",
        "4 (diag(a) exp(2 X Xᵀ - X^⊙2 𝟏 𝟏ᵀ - 𝟏 𝟏ᵀ (X^⊙2)ᵀ) diag(a)"
        " - diag(a ⊙ (exp(2 X Xᵀ - X^⊙2 𝟏 𝟏ᵀ - 𝟏 𝟏ᵀ (X^⊙2)ᵀ) a))) X",
    ),
    "a kernel of numbers by them": Reference(
        lambda q: dot(q.a, mv(exp(-2 * sin(q.x[:, None] - q.x) ** 2), q.a)),
        "x",
        "-4 (a ⊙ ((exp(-2 sin(x 𝟏ᵀ - 𝟏 xᵀ)^⊙2) ⊙ sin(2 (x 𝟏ᵀ - 𝟏 xᵀ))) a))",
    ),
    "grades between cuts by the weights (McCullagh 1980)": Reference(
        lambda q: total(log(sigmoid(q.a - mv(q.A, q.x)) - sigmoid(q.b - mv(q.A, q.x)))),
        "x",
        "Aᵀ (σ(a - A x) - σ(A x - b))",
        book="Aᵀ (σ(a - A x) + σ(b - A x) - 𝟏)",
    ),
    "grades between cuts by the scores, twice": Reference(
        lambda q: total(log(sigmoid(q.a - q.x) - sigmoid(q.b - q.x))),
        "x",
        "diag(σ(x - b) ⊙ (σ(x - b) - 𝟏) + σ(x - a) ⊙ (σ(x - a) - 𝟏))",
        order=2,
    ),
    "focal loss of labels (Lin 2017)": Reference(
        lambda q: total((1 - sure(q)) ** q.t * -log(sure(q))),
        "x",
        "[a > 1] ⊙ σ(-x)^⊙t ⊙ (σ(x) ⊙ (𝟏 + t log(σ(x))) - 𝟏)"
        " + [a ≤ 1] ⊙ σ(x)^⊙t ⊙ (𝟏 - σ(-x) ⊙ (𝟏 + t log(σ(-x))))",
    ),
    "kernel of order 5/2 between two points (Rasmussen and Williams 4.17)": Reference(
        lambda q: (
            (1 + np.sqrt(5) * tf.norm(q.x - q.a) / q.t + 5 * tf.norm(q.x - q.a) ** 2 / (3 * q.t**2))
            * exp(-np.sqrt(5) * tf.norm(q.x - q.a) / q.t)
        ),
        "x",
        "5 exp(-√5 ‖x - a‖ / t) (t + √5 ‖x - a‖) (a - x) / (3 t³)",
    ),
    "what is robust of a length, by Fair's function (Rey 1983)": Reference(
        lambda q: tf.norm(q.x) - log(1 + tf.norm(q.x)), "x", "x / (1 + ‖x‖)"
    ),
    "area of a triangle by a side (Heron)": Reference(
        lambda q: tf.sqrt(
            ((q.r + q.s + q.t) / 2)
            * ((q.r + q.s + q.t) / 2 - q.r)
            * ((q.r + q.s + q.t) / 2 - q.s)
            * ((q.r + q.s + q.t) / 2 - q.t)
        ),
        "r",
        "r (s² + t² - r²) / (2 √(((r + s)² - t²) (t² - (r - s)²)))",
    ),
    "what is liked more (Rendle 2009)": Reference(
        lambda q: -log(sigmoid(dot(q.x, q.a) - dot(q.x, q.b))),
        "x",
        "σ(xᵀ (b - a)) (b - a)",
    ),
    "all pairs in order (Burges 2005)": Reference(
        lambda q: total(tf.linalg.band_part(tf.math.softplus(q.x - q.x[:, None]), 0, -1)),
        "x",
        "(tril(σ(x 𝟏ᵀ - 𝟏 xᵀ)) - triu(σ(𝟏 xᵀ - x 𝟏ᵀ))) 𝟏",
    ),
    "kernel by inner products (Schölkopf and Smola 2002)": Reference(
        lambda q: exp((2 * dot(q.x, q.a) - dot(q.x, q.x) - dot(q.a, q.a)) / (2 * q.s**2)),
        "x",
        "exp(-‖x - a‖² / (2 s²)) (a - x) / s²",
    ),
    "a layer of two differences": Reference(
        lambda q: total(sin(mv(q.A, q.x) - mv(q.A, q.a))), "x", "Aᵀ cos(A (x - a))"
    ),
}
