"""Stresses, potentials, cameras and second greeks, as textbooks derive them."""

from __future__ import annotations

import numpy as np

import symtape as tf
from tests.references.room import (
    Reference,
    T,
    chain,
    det,
    dot,
    exp,
    inv,
    log,
    mv,
    sin,
    total,
    tr,
    unit,
)
from tests.references.sciences import black_scholes, normal_cdf

norm, sqrt = tf.norm, tf.sqrt

MECHANICS: dict[str, Reference] = {
    "decay of a price (Hull)": Reference(
        lambda q: black_scholes(q),
        "k",
        "t r Φ((k (r - g²/2) + log(s/t)) / (g √k)) exp(-k r)"
        " + g s φ((k (g²/2 + r) + log(s/t)) / (g √k)) / (2 √k)",
    ),
    "dual gamma (Hull)": Reference(
        lambda q: black_scholes(q),
        "t",
        "s φ((log(s/t) + k (g²/2 + r)) / (g √k)) / (g t² √k)",
        order=2,
    ),
    "volatility of vega (Hull)": Reference(
        lambda q: black_scholes(q),
        "g",
        "s φ((k (g²/2 + r) + log(s/t)) / (g √k)) (k (2 r - g²) + 2 log(s/t)) (k (g² + 2 r)"
        " + 2 log(s/t)) / (4 g³ √k)",
        order=2,
    ),
    "a normal model's delta (Bachelier 1900)": Reference(
        lambda q: (
            (q.s - q.t) * normal_cdf((q.s - q.t) / (q.g * sqrt(q.k)))
            + q.g
            * sqrt(q.k)
            * exp(-(((q.s - q.t) / (q.g * sqrt(q.k))) ** 2) / 2)
            / np.sqrt(2 * np.pi)
        ),
        "s",
        "Φ((s - t) / (g √k))",
    ),
    "a normal model's vega": Reference(
        lambda q: (
            (q.s - q.t) * normal_cdf((q.s - q.t) / (q.g * sqrt(q.k)))
            + q.g
            * sqrt(q.k)
            * exp(-(((q.s - q.t) / (q.g * sqrt(q.k))) ** 2) / 2)
            / np.sqrt(2 * np.pi)
        ),
        "g",
        "√k φ((s - t) / (g √k))",
    ),
    "risk parity (Maillard 2010)": Reference(
        lambda q: q.x * mv(q.S, q.x) / sqrt(dot(q.x, mv(q.S, q.x))),
        "x",
        "((diag(x) - (x ⊙ (S x)) xᵀ / (xᵀ S x)) S + diag(S x)) / √(xᵀ S x)",
        symmetric="S",
    ),
    "views on returns (Black and Litterman 1992)": Reference(
        lambda q: mv(inv(inv(q.S) + T(q.M) @ q.M), mv(inv(q.S), q.a) + mv(T(q.M), q.y)),
        "a",
        "(Mᵀ M + S⁻¹)⁻¹ S⁻¹",
        symmetric="S",
    ),
    "growth of wealth, twice (Kelly 1956)": Reference(
        lambda q: total(q.y * log(1 + mv(q.M, q.x))), "x", "-Mᵀ diag(y ⊘ (𝟏 + M x)^⊙2) M", order=2
    ),
    "equation of state (Redlich and Kwong 1949)": Reference(
        lambda q: q.r * q.t / (q.s - q.g) - q.k / (sqrt(q.t) * q.s * (q.s + q.g)),
        "s",
        "k (2 s + g) / (s² √t (s + g)²) - t r / (s - g)²",
    ),
    "two levels (Schottky)": Reference(
        lambda q: q.s / (1 + exp(q.s / q.t)), "t", "s² σ(s/t) (1 - σ(s/t)) / t²"
    ),
    "Morse, twice": Reference(
        lambda q: q.s * (1 - exp(-q.t * (q.r - q.g))) ** 2,
        "r",
        "2 s t² exp(t (g - r)) (2 exp(t (g - r)) - 1)",
        order=2,
    ),
    "Lennard-Jones in space": Reference(
        lambda q: 4 * q.s * ((q.t / norm(q.x - q.a)) ** 12 - (q.t / norm(q.x - q.a)) ** 6),
        "x",
        "24 s t⁶ (2 t⁶ - ‖x - a‖⁶) (a - x) / ‖x - a‖¹⁴",
    ),
    "compressible neo-Hookean (Bonet and Wood 6.4)": Reference(
        lambda q: (
            q.s / 2 * (tr(T(q.X) @ q.X) - 3) - q.s * log(det(q.X)) + q.t / 2 * log(det(q.X)) ** 2
        ),
        "X",
        "s X + (t log(det(X)) - s) X⁻ᵀ",
    ),
    "isochoric neo-Hookean (Holzapfel 6.5)": Reference(
        lambda q: det(q.X) ** (-2 / 3) * tr(T(q.X) @ q.X),
        "X",
        "2 (X - ‖X‖_F² X⁻ᵀ / 3) / det(X)^(2/3)",
    ),
    "Green's strain (Holzapfel 6.4)": Reference(
        lambda q: 0.5 * total((T(q.X) @ q.X - unit(q.X, 0)) ** 2), "X", "2 X (Xᵀ X - I)"
    ),
    "second invariant (Mooney 1940)": Reference(
        lambda q: tr(T(q.X) @ q.X) ** 2 - tr(T(q.X) @ q.X @ T(q.X) @ q.X),
        "X",
        "4 (‖X‖_F² I - X Xᵀ) X",
    ),
    "equivalent stress (von Mises 1913)": Reference(
        lambda q: sqrt(1.5 * total((q.X - tr(q.X) / 3 * unit(q.X, 0)) ** 2)),
        "X",
        "√(3/2) (X - tr(X) I / 3) / ‖X - tr(X) I / 3‖_F",
        is_of_any_size=False,
    ),
    "oblateness (Vallado 8.6)": Reference(
        lambda q: q.s / norm(q.x) ** 3 * (1 - 3 * dot(q.a, q.x) ** 2 / norm(q.x) ** 2),
        "x",
        "-3 s (2 (xᵀ a) a + (1 - 5 (xᵀ a)² / ‖x‖²) x) / ‖x‖⁵",
    ),
    "predators and prey (Rosenzweig and MacArthur 1963)": Reference(
        lambda q: tf.stack(
            [
                q.y[0] * (1 - q.y[0]) - q.s * q.y[0] * q.y[1] / (1 + q.t * q.y[0]),
                q.g * q.y[0] * q.y[1] / (1 + q.t * q.y[0]) - q.k * q.y[1],
            ]
        ),
        "y",
        "[1 - 2 y[0] - s y[1] / (1 + t y[0])², -s y[0] / (1 + t y[0]); y[1] g / (1 + t"
        " y[0])², y[0] g / (1 + t y[0]) - k]",
        is_of_any_size=False,
    ),
    "nerve (FitzHugh 1961)": Reference(
        lambda q: tf.stack(
            [q.y[0] - q.y[0] ** 3 / 3 - q.y[1] + q.s, q.t * (q.y[0] + q.g - q.r * q.y[1])]
        ),
        "y",
        "[1 - y[0]², -1; t, -t r]",
        is_of_any_size=False,
    ),
    "oscillating reaction (Prigogine and Lefever 1968)": Reference(
        lambda q: tf.stack(
            [q.s + q.y[0] ** 2 * q.y[1] - (q.t + 1) * q.y[0], q.t * q.y[0] - q.y[0] ** 2 * q.y[1]]
        ),
        "y",
        "[2 y[0] y[1] - 1 - t, y[0]²; t - 2 y[0] y[1], -y[0]²]",
        is_of_any_size=False,
    ),
    "camera (Hartley and Zisserman 6.1)": Reference(
        lambda q: tf.stack([q.s * q.x[0] / q.x[2], q.s * q.x[1] / q.x[2]]),
        "x",
        "s [1, 0, -x[0]/x[2]; 0, 1, -x[1]/x[2]] / x[2]",
        is_of_any_size=False,
    ),
    "homography (Hartley and Zisserman 4.1)": Reference(
        lambda q: mv(q.A, q.x)[:2] / mv(q.A, q.x)[2],
        "x",
        "A[0:2] (I - x A[2] / (A[2] x)) / (A[2] x)",
        is_of_any_size=False,
    ),
    "robust residual (Geman and McClure 1987)": Reference(
        lambda q: dot(q.x - q.a, q.x - q.a) / (q.s + dot(q.x - q.a, q.x - q.a)),
        "x",
        "2 s (x - a) / (‖x - a‖² + s)²",
    ),
    "robust residual, twice (Dennis and Welsch 1978)": Reference(
        lambda q: q.s**2 / 2 * (1 - exp(-dot(q.x - q.a, q.x - q.a) / q.s**2)),
        "x",
        "exp(-‖x - a‖² / s²) (I - 2 (x - a) (x - a)ᵀ / s²)",
        order=2,
    ),
    "unicycle (Thrun 5.3)": Reference(
        lambda q: tf.stack(
            [
                q.x[0] + q.s * tf.cos(q.x[2]) * q.t,
                q.x[1] + q.s * sin(q.x[2]) * q.t,
                q.x[2] + q.r * q.t,
            ]
        ),
        "x",
        "[1, 0, -t s sin(x[2]); 0, 1, t s cos(x[2]); 0, 0, 1]",
        is_of_any_size=False,
    ),
    "a power of a determinant": Reference(lambda q: det(q.X) ** q.s, "X", "s det(X)^s X⁻ᵀ"),
    "a turn by Cayley's transform": Reference(
        lambda q: tr(q.A @ inv(unit(q.X, 0) - q.X) @ (unit(q.X, 0) + q.X)),
        "X",
        "(I - X)⁻ᵀ Aᵀ ((I - X)⁻¹ (X + I) + I)ᵀ",
    ),
    "a commutator": Reference(
        lambda q: total((q.A @ q.X - q.X @ q.A) ** 2), "X", "2 (Aᵀ (A X - X A) - (A X - X A) Aᵀ)"
    ),
    "an update of rank one in an inverse": Reference(
        lambda q: dot(q.a, mv(inv(q.S + q.x[:, None] * q.x), q.a)),
        "x",
        "-2 (xᵀ (x xᵀ + S)⁻¹ a) (x xᵀ + S)⁻¹ a",
        symmetric="S",
    ),
    "an inverse that is squared (MC 2.2)": Reference(
        lambda q: tr(inv(q.X) @ inv(q.X)), "X", "-2 (X⁻³)ᵀ"
    ),
    "a cube of a product (MC 2.5)": Reference(
        lambda q: tr(chain(q.X, q.A, q.X, q.A, q.X, q.A)), "X", "3 Aᵀ Xᵀ Aᵀ Xᵀ Aᵀ"
    ),
    "a resonance, twice (Breit and Wigner 1936)": Reference(
        lambda q: q.g**2 / 4 / ((q.r - q.s) ** 2 + q.g**2 / 4),
        "r",
        "8 g² (12 (r - s)² - g²) / (g² + 4 (r - s)²)³",
        order=2,
    ),
    "current of an electrode, twice (Butler 1924)": Reference(
        lambda q: q.s * (exp(0.5 * q.r / q.t) - exp(-0.5 * q.r / q.t)),
        "r",
        "s sinh(r / (2 t)) / (2 t²)",
        order=2,
    ),
    "refraction by a wavelength (Sellmeier 1871)": Reference(
        lambda q: 1 + q.s * q.r**2 / (q.r**2 - q.t) + q.k * q.r**2 / (q.r**2 - q.g),
        "r",
        "-2 r (k g / (r² - g)² + s t / (r² - t)²)",
    ),
    "a factorial (Stirling 1730)": Reference(
        lambda q: (q.r - 0.5) * log(q.r) - q.r, "r", "log(r) - 1 / (2 r)"
    ),
    "excess energy of a mixture, twice (Margules 1895)": Reference(
        lambda q: q.r * (1 - q.r) * (q.s * q.r + q.t * (1 - q.r)),
        "r",
        "s (2 - 6 r) + t (6 r - 4)",
        order=2,
    ),
    "focal loss by a logit, twice (Lin 2017)": Reference(
        lambda q: -((1 - tf.sigmoid(q.s)) ** q.g) * log(tf.sigmoid(q.s)),
        "s",
        "exp(s) σ(-s)^(2 + g) (1 + g (2 + log(σ(s)) (1 - g exp(s))))",
        order=2,
    ),
    "reward of a portfolio by what it holds (Sharpe 1966)": Reference(
        lambda q: tf.reduce_mean(mv(q.M, q.w)) / tf.math.reduce_std(mv(q.M, q.w)),
        "w",
        "Mᵀ (𝟏 - (𝟏ᵀ M w) (M w - (𝟏ᵀ M w) 𝟏 / 2) / ‖M w - (𝟏ᵀ M w) 𝟏 / 2‖²)"
        " / (√2 ‖M w - (𝟏ᵀ M w) 𝟏 / 2‖)",
        is_of_any_size=False,
    ),
    "angle between two turns (Huynh 2009)": Reference(
        lambda q: 2 * tf.acos(tf.abs(dot(q.x, q.a)) / (norm(q.x) * norm(q.a))),
        "x",
        "2 (|aᵀ x| x - ‖x‖² sign(aᵀ x) a) / (‖a‖ ‖x‖³ √(1 - (aᵀ x)² / (‖a‖² ‖x‖²)))",
    ),
    "angle from an axis by a direction's shares": Reference(
        lambda q: tf.asin(sqrt(q.s**2 + q.t**2)), "s", "s / (√(1 - s² - t²) √(s² + t²))"
    ),
    "distance in a half plane (Poincaré 1882)": Reference(
        lambda q: 2 * tf.asinh(sqrt(((q.s - q.t) ** 2 + (q.r - q.g) ** 2) / (q.r * q.g)) / 2),
        "s",
        "2 (s - t) / (√(r g) √((r - g)² + (s - t)²) √(4 + ((r - g)² + (s - t)²) / (r g)))",
    ),
    "price of payments at any time, twice": Reference(
        lambda q: total(q.a / (1 + q.r) ** q.b),
        "r",
        "aᵀ ((b ⊙ (𝟏 + b)) ⊘ ((1 + r) 𝟏)^⊙(2 𝟏 + b))",
        order=2,
    ),
    "logarithm of a sine, twice": Reference(lambda q: log(sin(q.s)), "s", "-1/sin(s)²", order=2),
    "tangent of half an angle": Reference(
        lambda q: sin(q.s) / (1 + tf.cos(q.s)), "s", "1 / (1 + cos(s))"
    ),
    "turn of a car by its steering (Rajamani 2.2)": Reference(
        lambda q: q.r * tf.tan(q.s) / q.t, "s", "r / (t cos(s)²)"
    ),
    "camera that is turned and shifted (Hartley and Zisserman 6.8)": Reference(
        lambda q: q.s * (mv(q.A, q.x) + q.a)[:2] / (mv(q.A, q.x) + q.a)[2],
        "x",
        "s (A[0:2] - (a[0:2] + A[0:2] x) A[2] / (A[2] x + a[2])) / (A[2] x + a[2])",
        is_of_any_size=False,
    ),
}
