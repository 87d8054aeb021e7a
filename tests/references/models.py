"""Densities, regressions, losses and layers, as textbooks and papers derive them."""

from __future__ import annotations

import symtape as tf
from tests.references.room import Reference, T, dot, exp, inv, log, mv, total, tr, unit
from tests.references.sciences import normal_cdf

norm, softmax = tf.norm, tf.nn.softmax

MODELS: dict[str, Reference] = {
    "multivariate t (Kotz and Nadarajah)": Reference(
        lambda q: 2 * log(1 + dot(q.x - q.a, mv(inv(q.S), q.x - q.a)) / q.s),
        "x",
        "4 S⁻¹ (x - a) / ((x - a)ᵀ S⁻¹ (x - a) + s)",
        symmetric="S",
    ),
    "spherical t, twice": Reference(
        lambda q: log(1 + dot(q.x - q.a, q.x - q.a) / q.s),
        "x",
        "2 (I - 2 (x - a) (x - a)ᵀ / (‖x - a‖² + s)) / (‖x - a‖² + s)",
        order=2,
    ),
    "mixture of Gaussians (Bishop 9.16)": Reference(
        lambda q: tf.reduce_logsumexp(-0.5 * tf.reduce_sum((q.M - q.x) ** 2, axis=1)),
        "x",
        "Mᵀ softmax(-(M - 𝟏 xᵀ)^⊙2 𝟏 / 2) - x",
    ),
    "von Mises and Fisher (Mardia)": Reference(
        lambda q: q.s * dot(q.a, q.x) / norm(q.x),
        "x",
        "s (a - (xᵀ a) x / ‖x‖²) / ‖x‖",
        book="s (I / ‖x‖ - x xᵀ / ‖x‖³) a",
    ),
    "divergence of normals by S (Kullback)": Reference(
        lambda q: 0.5 * (tr(inv(q.A) @ q.S) - tf.linalg.logdet(q.S)),
        "S",
        "(A⁻ᵀ - S⁻¹) / 2",
        symmetric="S",
    ),
    "Weibull by its shape": Reference(
        lambda q: log(q.s) + (q.s - 1) * log(q.t) - q.t**q.s,
        "s",
        "1/s + log(t) (1 - t^s)",
        book="1 / s + log(t) - t^s log(t)",
    ),
    "Weibull by its shape, twice": Reference(
        lambda q: log(q.s) + (q.s - 1) * log(q.t) - q.t**q.s,
        "s",
        "-(1/s² + log(t)² t^s)",
        order=2,
        book="-(1 / s² + t^s log(t)²)",
    ),
    "negative binomial by its number": Reference(
        lambda q: tf.math.lgamma(q.s + q.t) - tf.math.lgamma(q.s) + q.s * log(q.r),
        "s",
        "ψ(s + t) + log(r) - ψ(s)",
    ),
    "Cauchy by its place": Reference(
        lambda q: total(log(1 + (q.x - q.s) ** 2)), "s", "2 (𝟏 ⊘ (𝟏 + (x - s 𝟏)^⊙2))ᵀ (s 𝟏 - x)"
    ),
    "logistic regression with a prior, twice (Bishop 4.97)": Reference(
        lambda q: total(tf.math.softplus(mv(q.M, q.x))) + q.s * dot(q.x, q.x) / 2,
        "x",
        "Mᵀ diag(σ(M x) ⊙ (𝟏 - σ(M x))) M + s I",
        order=2,
    ),
    "multinomial logit, twice (Boyd and Vandenberghe 3.1.5)": Reference(
        lambda q: tf.reduce_logsumexp(mv(q.M, q.x)) - dot(q.y, mv(q.M, q.x)),
        "x",
        "Mᵀ (diag(softmax(M x)) - softmax(M x) softmax(M x)ᵀ) M",
        order=2,
    ),
    "Poisson regression, twice": Reference(
        lambda q: total(exp(mv(q.M, q.x))) - dot(q.y, mv(q.M, q.x)),
        "x",
        "Mᵀ diag(exp(M x)) M",
        order=2,
    ),
    "probit regression (Albert and Chib)": Reference(
        lambda q: -total(log(normal_cdf(mv(q.M, q.x)))), "x", "-Mᵀ (φ(M x) ⊘ Φ(M x))"
    ),
    "gamma regression (McCullagh and Nelder)": Reference(
        lambda q: total(q.y * exp(-mv(q.M, q.x)) + mv(q.M, q.x)), "x", "Mᵀ (𝟏 - y ⊙ exp(-M x))"
    ),
    "shrinkage of James and Stein": Reference(
        lambda q: (1 - q.s / dot(q.x, q.x)) * q.x,
        "x",
        "I + s (2 x xᵀ / ‖x‖² - I) / ‖x‖²",
        book="I - s (I / ‖x‖² - 2 x xᵀ / ‖x‖⁴)",
    ),
    "ridge estimate by its weight": Reference(
        lambda q: mv(inv(T(q.M) @ q.M + q.s * unit(q.x, 0)), mv(T(q.M), q.y)),
        "s",
        "-(Mᵀ M + s I)⁻² Mᵀ y",
    ),
    "evidence by its noise (Rasmussen and Williams 5.9)": Reference(
        lambda q: (
            0.5 * dot(q.a, mv(inv(q.S + q.s * unit(q.a, 0)), q.a))
            + 0.5 * tf.linalg.logdet(q.S + q.s * unit(q.a, 0))
        ),
        "s",
        "(tr((S + s I)⁻¹) - ‖(S + s I)⁻¹ a‖²) / 2",
        is_of_any_size=False,
        book="(tr((S + s I)⁻¹) - aᵀ (S + s I)⁻¹ (S + s I)⁻¹ a) / 2",
        symmetric="S",
    ),
    "logistic weights": Reference(lambda q: -total(log(tf.sigmoid(q.M @ q.X))), "X", "-Mᵀ σ(-M X)"),
    "pairs in order, twice (Burges 2005)": Reference(
        lambda q: tf.math.softplus(-dot(q.a - q.b, q.x)),
        "x",
        "σ(xᵀ (a - b)) (1 - σ(xᵀ (a - b))) (a - b) (a - b)ᵀ",
        order=2,
    ),
    "columns apart": Reference(
        lambda q: total((T(q.M) @ q.M - unit(q.M, 1)) ** 2),
        "M",
        "4 M (Mᵀ M - I)",
        is_of_any_size=False,
    ),
    "low rank": Reference(lambda q: total((q.A - q.X @ T(q.X)) ** 2), "X", "2 (2 X Xᵀ - A - Aᵀ) X"),
    "sum of squares of a softmax, twice": Reference(
        lambda q: total(softmax(q.x) ** 2),
        "x",
        "2 (diag(softmax(x) ⊙ (2 softmax(x) - ‖softmax(x)‖² 𝟏)) - (2"
        " softmax(x)^⊙2 𝟏ᵀ + softmax(x) (2 softmax(x) - 3 ‖softmax(x)‖² 𝟏)ᵀ) diag(softmax(x)))",
        order=2,
    ),
    "focal loss (Lin 2017)": Reference(
        lambda q: -((1 - tf.sigmoid(q.t)) ** 2) * log(tf.sigmoid(q.t)),
        "t",
        "(1 - σ(t))² (σ(t) (1 + 2 log(σ(t))) - 1)",
        book="(1 - σ(t))² (2 σ(t) log(σ(t)) + σ(t) - 1)",
    ),
    "bilinear score": Reference(
        lambda q: tf.sigmoid(dot(q.x, mv(q.A, q.b))),
        "A",
        "σ(xᵀ A b) (1 - σ(xᵀ A b)) x bᵀ",
        book="σ(xᵀ A b) (1 - σ(xᵀ A b)) x bᵀ",
    ),
    "highway gate (Srivastava 2015)": Reference(
        lambda q: tf.sigmoid(q.a) * q.x + (1 - tf.sigmoid(q.a)) * q.b,
        "a",
        "diag(σ(a) ⊙ (x - b) ⊙ (𝟏 - σ(a)))",
    ),
    "residual layer (He 2016)": Reference(
        lambda q: q.x + tf.tanh(mv(q.A, q.x)),
        "x",
        "diag(𝟏 - tanh(A x)^⊙2) A + I",
        book="I + diag(𝟏 - tanh(A x)^⊙2) A",
    ),
    "relaxed choice (Jang 2017)": Reference(
        lambda q: softmax((log(q.x) + q.a) / q.t),
        "x",
        "(diag(softmax((a + log(x)) / t) ⊘ x) - softmax((a + log(x)) / t)"
        " (softmax((a + log(x)) / t) ⊘ x)ᵀ) / t",
    ),
}
