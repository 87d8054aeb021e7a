"""Series over places in time or on a grid: payments, decays, polynomials, kernels of distances."""

from __future__ import annotations

from typing import Any

import numpy as np

import symtape as tf
from tests.references.room import Reference, dot, exp, log, mv, qf, sin, total


def places(x: Any, first: int = 0) -> Any:
    """Number the entries."""
    return tf.cast(tf.range(first, first + x.shape[0]), tf.float64)


def grid(x: Any, low: float, high: float) -> Any:
    """Give as many places as there are entries, from one end to the other."""
    return tf.linspace(np.float64(low), np.float64(high), x.shape[0])


def apart(x: Any) -> Any:
    """Say how far entries are from each other."""
    return tf.abs(places(x)[:, None] - places(x))


def bumps(q: Any) -> Any:
    """Give functions of y around places of a grid."""
    return exp(-((q.y[:, None] - grid(q.x, 0, 1)) ** 2) / (2 * q.s**2))


def trapezia(y: Any, x: Any) -> Any:
    """Add up what is under a line through points."""
    return total((y[1:] + y[:-1]) * (x[1:] - x[:-1])) / 2


SERIES: dict[str, Reference] = {
    "present value of payments, by the rate": Reference(
        lambda q: total(q.x / (1 + q.r) ** places(q.x, 1)),
        "r",
        "-xᵀ ((𝟏 + range(3)) ⊘ ((1 + r) 𝟏)^⊙(2 𝟏 + range(3)))",
        is_of_any_size=False,
    ),
    "present value of payments, by the payments": Reference(
        lambda q: total(q.x / (1 + q.r) ** places(q.x, 1)),
        "x",
        "𝟏 ⊘ ((1 + r) 𝟏)^⊙(𝟏 + range(3))",
        is_of_any_size=False,
    ),
    "price of a bond, by its yield: duration (Macaulay 1938)": Reference(
        lambda q: total(q.x * exp(-q.r * places(q.x, 1))),
        "r",
        "-xᵀ (exp(-r (𝟏 + range(3))) ⊙ (𝟏 + range(3)))",
        is_of_any_size=False,
    ),
    "price of a bond, by its yield twice: convexity": Reference(
        lambda q: total(q.x * exp(-q.r * places(q.x, 1))),
        "r",
        "xᵀ (exp(-r (𝟏 + range(3))) ⊙ (𝟏 + range(3))^⊙2)",
        order=2,
        is_of_any_size=False,
    ),
    "discounted rewards, by the discount": Reference(
        lambda q: total(q.g ** places(q.x) * q.x),
        "g",
        "xᵀ (range(3) ⊙ (g 𝟏)^⊙(range(3) - 𝟏))",
        is_of_any_size=False,
    ),
    "a line through points in time, by its slope": Reference(
        lambda q: total((q.s + q.t * places(q.x) - q.x) ** 2) / 2,
        "t",
        "range(3)ᵀ (s 𝟏 + t range(3) - x)",
        is_of_any_size=False,
    ),
    "a line through points in time, by where it begins": Reference(
        lambda q: total((q.s + q.t * places(q.x) - q.x) ** 2) / 2,
        "s",
        "3 s + 3 t - 𝟏ᵀ x",
        is_of_any_size=False,
    ),
    "a decay that is fitted, by its rate": Reference(
        lambda q: total((q.s * exp(-q.k * grid(q.x, 0, 1)) - q.x) ** 2) / 2,
        "k",
        "s range(3)ᵀ (x ⊙ exp(-k range(3) / 2) - s exp(-k range(3))) / 2",
        is_of_any_size=False,
    ),
    "a wave that is fitted, by its phase": Reference(
        lambda q: total((q.s * sin(q.k * grid(q.x, 0, 2 * np.pi) + q.t) - q.x) ** 2) / 2,
        "t",
        "s cos(π k range(3) + t 𝟏)ᵀ (s sin(π k range(3) + t 𝟏) - x)",
        is_of_any_size=False,
    ),
    "mean place of weights (center of mass)": Reference(
        lambda q: dot(places(q.x), q.x) / total(q.x),
        "x",
        "(range(3) - (xᵀ range(3)) 𝟏 / (𝟏ᵀ x)) / (𝟏ᵀ x)",
        is_of_any_size=False,
    ),
    "a soft place of the largest (Levine 2016)": Reference(
        lambda q: dot(tf.nn.softmax(q.x), places(q.x)),
        "x",
        "softmax(x) ⊙ (range(3) - (range(3)ᵀ softmax(x)) 𝟏)",
        is_of_any_size=False,
    ),
    "a polynomial by its argument": Reference(
        lambda q: total(q.x * q.t ** places(q.x)),
        "t",
        "xᵀ (range(3) ⊙ (t 𝟏)^⊙(range(3) - 𝟏))",
        is_of_any_size=False,
    ),
    "a polynomial through points, by its coefficients (Vandermonde)": Reference(
        lambda q: total((mv(q.y[:, None] ** places(q.x), q.x) - q.z) ** 2) / 2,
        "x",
        "(𝟏 yᵀ)^⊙(range(3) 𝟏ᵀ) ((y 𝟏ᵀ)^⊙(𝟏 range(3)ᵀ) x - z)",
        is_of_any_size=False,
    ),
    "a cosine series through points, by its coefficients": Reference(
        lambda q: total((mv(tf.cos(q.y[:, None] * places(q.x)), q.x) - q.z) ** 2) / 2,
        "x",
        "cos(range(3) yᵀ) (cos(y range(3)ᵀ) x - z)",
        is_of_any_size=False,
    ),
    "bumps on a grid, by their heights": Reference(
        lambda q: total((mv(bumps(q), q.x) - q.z) ** 2) / 2,
        "x",
        "exp(-(range(3) 𝟏ᵀ / 2 - 𝟏 yᵀ)^⊙2 / (2 s²)) (exp(-(𝟏 range(3)ᵀ / 2 - y 𝟏ᵀ)^⊙2 / (2 "
        "s²)) x - z)",
        is_of_any_size=False,
    ),
    "bumps on a grid, by their width": Reference(
        lambda q: total((mv(bumps(q), q.x) - q.z) ** 2) / 2,
        "s",
        "xᵀ (exp(-(range(3) 𝟏ᵀ / 2 - 𝟏 yᵀ)^⊙2 / (2 s²)) ⊙ (range(3) 𝟏ᵀ / 2 - 𝟏 yᵀ)^⊙2) "
        "(exp(-(𝟏 range(3)ᵀ / 2 - y 𝟏ᵀ)^⊙2 / (2 s²)) x - z) / s³",
        is_of_any_size=False,
    ),
    "a sum by trapezia, by the heights": Reference(
        lambda q: trapezia(q.x * exp(-q.k * grid(q.x, 0, 1)), grid(q.x, 0, 1)),
        "x",
        "(((I[1:3] + I[0:2])ᵀ 𝟏) ⊙ exp(-k range(3) / 2)) / 4",
        is_of_any_size=False,
    ),
    "a chain of correlations, by the values": Reference(
        lambda q: qf(q.s ** apart(q.x), q.x),
        "x",
        "2 (s 𝟏 𝟏ᵀ)^⊙|range(3) 𝟏ᵀ - 𝟏 range(3)ᵀ| x",
        is_of_any_size=False,
    ),
    "a chain of correlations, by the correlation": Reference(
        lambda q: qf(q.s ** apart(q.x), q.x),
        "s",
        "xᵀ ((s 𝟏 𝟏ᵀ)^⊙(|range(3) 𝟏ᵀ - 𝟏 range(3)ᵀ| - 𝟏 𝟏ᵀ) ⊙ |range(3) 𝟏ᵀ - 𝟏 range(3)ᵀ|) x",
        is_of_any_size=False,
    ),
    "attention that fades with distance (Press 2022)": Reference(
        lambda q: dot(q.x, mv(tf.nn.softmax(q.X - q.s * apart(q.x)), q.a)),
        "X",
        "softmax(X - s |range(3) 𝟏ᵀ - 𝟏 range(3)ᵀ|) ⊙ (x aᵀ - (x ⊙ (softmax(X - s |range(3) "
        "𝟏ᵀ - 𝟏 range(3)ᵀ|) a)) 𝟏ᵀ)",
        is_of_any_size=False,
    ),
    "likelihood of counts, by the mean": Reference(
        lambda q: total(q.x * (places(q.x) * log(q.s) - q.s)),
        "s",
        "xᵀ (range(3) / s - 𝟏)",
        is_of_any_size=False,
    ),
    "likelihood of waiting, by the chance": Reference(
        lambda q: total(q.x * (places(q.x) * log(1 - q.s) + log(q.s))),
        "s",
        "xᵀ (𝟏 / s - range(3) / (1 - s))",
        is_of_any_size=False,
    ),
    "gain of a ranking (Järvelin 2002)": Reference(
        lambda q: total(q.x / log(places(q.x, 2))),
        "x",
        "𝟏 ⊘ log(2 𝟏 + range(3))",
        is_of_any_size=False,
    ),
}
