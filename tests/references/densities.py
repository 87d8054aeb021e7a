"""Densities, losses and energies whose derivatives ask for a rule of their own."""

from __future__ import annotations

import symtape as tf
from tests.references.room import Reference, T, exp, inv, log, mv, total, tr

DENSITIES: dict[str, Reference] = {
    "multivariate t by its degrees of freedom": Reference(
        lambda q: (
            tf.math.lgamma((q.s + 3) / 2)
            - tf.math.lgamma(q.s / 2)
            - 1.5 * log(q.s)
            - (q.s + 3) / 2 * log(1 + q.t / q.s)
        ),
        "s",
        "(ψ((3 + s) / 2) + (t - 3) / (t + s) - ψ(s/2) - log(1 + t/s)) / 2",
        book="(ψ((s + 3) / 2) - ψ(s/2) - 3/s - log(1 + t/s) + (s + 3) t / (s (s + t))) / 2",
    ),
    "yields by their decay (Nelson and Siegel 1987)": Reference(
        lambda q: (
            q.r
            + q.g * (1 - exp(-q.t / q.s)) / (q.t / q.s)
            + q.k * ((1 - exp(-q.t / q.s)) / (q.t / q.s) - exp(-q.t / q.s))
        ),
        "s",
        "(k + g) (1 - exp(-t/s)) / t - exp(-t/s) (k + k t / s + g) / s",
        book="(g + k) ((1 - exp(-t/s)) / t - exp(-t/s) / s) - k t exp(-t/s) / s²",
    ),
    "Wishart by X (Muirhead 3.2)": Reference(
        lambda q: (q.s - 4) / 2 * tf.linalg.logdet(q.X) - tr(inv(q.S) @ q.X) / 2,
        "X",
        "((s - 4) X⁻¹ - S⁻¹) / 2",
        symmetric="SX",
    ),
    "sum of singular values by a root": Reference(
        lambda q: tr(tf.linalg.sqrtm(T(q.X) @ q.X)), "X", "X sqrtm(Xᵀ X)⁻¹"
    ),
    "cross entropy of a label": Reference(
        lambda q: -tf.nn.log_softmax(mv(q.A, q.x))[1], "x", "Aᵀ (softmax(A x) - I[1]ᵀ)"
    ),
    "expected shortfall (Rockafellar and Uryasev 2000)": Reference(
        lambda q: q.s + total(tf.nn.relu(mv(q.M, q.x) - q.s)) / q.t,
        "x",
        "Mᵀ [M x > s] / t",
    ),
    "smooth absolute value of residuals, twice (Charbonnier 1994)": Reference(
        lambda q: q.s**2 * total(tf.sqrt(1 + ((q.y - mv(q.M, q.x)) / q.s) ** 2)),
        "x",
        "Mᵀ diag(𝟏 ⊘ (𝟏 + (M x - y)^⊙2 / s²)^⊙(3/2)) M",
        order=2,
    ),
    "swish (Ramachandran 2017)": Reference(
        lambda q: q.x * tf.sigmoid(q.s * q.x),
        "x",
        "diag(σ(s x) ⊙ (𝟏 + s (x ⊙ (𝟏 - σ(s x)))))",
    ),
    "layer norm with a guard (Ba 2016)": Reference(
        lambda q: (
            q.a * (q.x - tf.reduce_mean(q.x)) / tf.sqrt(tf.math.reduce_variance(q.x) + q.s) + q.b
        ),
        "x",
        "(diag(a) - a 𝟏ᵀ / 3) / √(‖x - (𝟏ᵀ x) 𝟏 / 3‖² / 3 + s)"
        " - (a ⊙ (x - (𝟏ᵀ x) 𝟏 / 3)) (x - (𝟏ᵀ x) 𝟏 / 3)ᵀ"
        " / (3 (‖x - (𝟏ᵀ x) 𝟏 / 3‖² / 3 + s)^(3/2))",
        is_of_any_size=False,
    ),
    "evidence bound by means (Kingma and Welling 2014)": Reference(
        lambda q: (
            -total((q.y - mv(q.M, q.a + exp(q.b / 2) * q.u)) ** 2) / 2
            - total(exp(q.b) + q.a**2 - 1 - q.b) / 2
        ),
        "a",
        "Mᵀ (y - M (a + u ⊙ exp(b / 2))) - a",
    ),
    "evidence bound by log variances": Reference(
        lambda q: (
            -total((q.y - mv(q.M, q.a + exp(q.b / 2) * q.u)) ** 2) / 2
            - total(exp(q.b) + q.a**2 - 1 - q.b) / 2
        ),
        "b",
        "(𝟏 - u ⊙ (Mᵀ (M (u ⊙ exp(b / 2) + a) - y)) ⊙ exp(b / 2) - exp(b)) / 2",
    ),
    "Fresnel's integral, twice": Reference(
        lambda q: tf.math.special.fresnel_cos(q.s * q.t), "s", "-π s t³ sin(π t² s² / 2)", order=2
    ),
    "Langevin's function": Reference(
        lambda q: 1 / tf.tanh(q.t) - 1 / q.t, "t", "1/t² - 1/sinh(t)²"
    ),
    "Planck, twice": Reference(
        lambda q: q.t**3 / (exp(q.t) - 1),
        "t",
        "t (6 (exp(t) - 1)² + t exp(t) (6 + t (1 + exp(t)) - 6 exp(t))) / (exp(t) - 1)³",
        order=2,
        book="t (6 (exp(t) - 1)² - 6 t exp(t) (exp(t) - 1) + t² exp(t) (exp(t) + 1))"
        " / (exp(t) - 1)³",
    ),
}
