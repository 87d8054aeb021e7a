"""Mixtures, copulas, regressions and losses, as papers and textbooks derive them."""

from __future__ import annotations

import symtape as tf
from tests.references.room import Reference, T, det, dot, exp, inv, log, mv, qf, total, tr, unit
from tests.references.sciences import normal_cdf

norm, softmax = tf.norm, tf.nn.softmax
log_det = tf.linalg.logdet

INFERENCE: dict[str, Reference] = {
    "means of a mixture of Gaussians (Bishop 9.17)": Reference(
        lambda q: tf.reduce_logsumexp(log(softmax(q.y)) - 0.5 * total((q.M - q.x) ** 2, 1)),
        "M",
        "diag(softmax(y - (M - 𝟏 xᵀ)^⊙2 𝟏 / 2)) (𝟏 xᵀ - M)",
    ),
    "weights of a mixture of Gaussians": Reference(
        lambda q: tf.reduce_logsumexp(log(softmax(q.y)) - 0.5 * total((q.M - q.x) ** 2, 1)),
        "y",
        "softmax(y - (M - 𝟏 xᵀ)^⊙2 𝟏 / 2) - softmax(y)",
    ),
    "contrast of texts and images (Radford 2021)": Reference(
        lambda q: (
            -tf.reduce_mean(tf.linalg.diag_part(tf.nn.log_softmax(q.A @ T(q.B) / q.t)))
            - tf.reduce_mean(tf.linalg.diag_part(tf.nn.log_softmax(q.B @ T(q.A) / q.t)))
        ),
        "A",
        "(softmax(A Bᵀ / t) + softmax(B Aᵀ / t)ᵀ - 2 I) B / (3 t)",
        is_of_any_size=False,
    ),
    "neighbourhood components (Goldberger 2005)": Reference(
        lambda q: softmax(-total((q.M - q.x) ** 2, 1))[0],
        "x",
        "2 (Mᵀ - x 𝟏ᵀ) (softmax(-(M - 𝟏 xᵀ)^⊙2 𝟏) ⊙ (I[0]ᵀ - softmax(-(M - 𝟏 xᵀ)^⊙2 𝟏)[0] 𝟏))",
    ),
    "extreme values (Coles 3.2)": Reference(
        lambda q: -(1 + 1 / q.s) * log(1 + q.s * q.t) - (1 + q.s * q.t) ** (-1 / q.s),
        "t",
        "(1 / (1 + s t)^(1/s) - 1 - s) / (1 + s t)",
    ),
    "contrast at a temperature of 0.07 (Oord 2018)": Reference(
        lambda q: tf.reduce_logsumexp(mv(q.A, q.x) / 0.07) - mv(q.A, q.x)[0] / 0.07,
        "x",
        "(Aᵀ softmax(A x / 0.07) - A[0]ᵀ) / 0.07",
    ),
    "softmax at a temperature of 0.3 (Hinton 2015)": Reference(
        lambda q: tf.nn.softmax(q.x / 0.3),
        "x",
        "(diag(softmax(x / 0.3)) - softmax(x / 0.3) softmax(x / 0.3)ᵀ) / 0.3",
    ),
    "ridge with a penalty of 0.1 (Hoerl 1970)": Reference(
        lambda q: total((mv(q.A, q.x) - q.a) ** 2) / 4 + 0.1 * total(q.x**2),
        "x",
        "Aᵀ (A x - a) / 2 + 0.2 x",
    ),
    "residuals of a t distribution, twice (Lange 1989)": Reference(
        lambda q: 2.5 * total(log(1 + (mv(q.A, q.x) - q.a) ** 2 / 4)),
        "x",
        "5 Aᵀ diag((4 𝟏 - (A x - a)^⊙2) ⊘ (4 𝟏 + (A x - a)^⊙2)^⊙2) A",
        order=2,
    ),
    "logistic regression by two logarithms, twice": Reference(
        lambda q: (
            -total(
                q.a * tf.math.log_sigmoid(mv(q.A, q.x))
                + (1 - q.a) * tf.math.log_sigmoid(-mv(q.A, q.x))
            )
            / 4
        ),
        "x",
        "Aᵀ diag(σ(A x) ⊙ (𝟏 - σ(A x))) A / 4",
        order=2,
    ),
    "penalty on a slope, twice (Gulrajani 2017)": Reference(
        lambda q: (tf.norm(q.x) - 1) ** 2, "x", "2 (x xᵀ / ‖x‖² + (‖x‖ - 1) I) / ‖x‖", order=2
    ),
    "Frank's copula (Nelsen 4.2)": Reference(
        lambda q: -log(1 + (exp(-q.s * q.t) - 1) * (exp(-q.s * q.r) - 1) / (exp(-q.s) - 1)) / q.s,
        "t",
        "(1 - exp(s r)) / (1 + exp(s t) (exp(s (r - 1)) - 1) - exp(s r))",
        book="exp(-s t) (exp(-s r) - 1) / (exp(-s) - 1 + (exp(-s t) - 1) (exp(-s r) - 1))",
    ),
    "Gumbel's copula (Nelsen 4.2)": Reference(
        lambda q: exp(-(((-log(q.t)) ** q.s + (-log(q.r)) ** q.s) ** (1 / q.s))),
        "t",
        "(-log(t))^(s - 1) exp(-((-log(t))^s + (-log(r))^s)^(1/s))"
        " ((-log(t))^s + (-log(r))^s)^(1/s - 1) / t",
    ),
    "Farlie, Gumbel and Morgenstern (Nelsen 3.2)": Reference(
        lambda q: q.t * q.r * (1 + q.s * (1 - q.t) * (1 - q.r)), "t", "r (1 + s (1 - 2 t) (1 - r))"
    ),
    "probit regression, twice (Amemiya 9.2)": Reference(
        lambda q: -total(log(normal_cdf(mv(q.M, q.x)))),
        "x",
        "Mᵀ diag((φ(M x) ⊙ (M x + φ(M x) ⊘ Φ(M x))) ⊘ Φ(M x)) M",
        order=2,
    ),
    "negative binomial regression (Hilbe)": Reference(
        lambda q: dot(q.y, mv(q.M, q.x)) - total((q.y + q.s) * log(q.s + exp(mv(q.M, q.x)))),
        "x",
        "s Mᵀ ((y - exp(M x)) ⊘ (exp(M x) + s 𝟏))",
    ),
    "accelerated failure times (Kalbfleisch and Prentice)": Reference(
        lambda q: total((log(q.y) - mv(q.M, q.x)) / q.s - exp((log(q.y) - mv(q.M, q.x)) / q.s)),
        "x",
        "Mᵀ (exp((log(y) - M x) / s) - 𝟏) / s",
    ),
    "factor analysis by its loadings (Jöreskog 1967)": Reference(
        lambda q: (
            log_det(q.X @ T(q.X) + tf.linalg.diag(q.a))
            + tr(inv(q.X @ T(q.X) + tf.linalg.diag(q.a)) @ q.S)
        ),
        "X",
        "2 (I - (X Xᵀ + diag(a))⁻¹ S) (X Xᵀ + diag(a))⁻¹ X",
        symmetric="S",
    ),
    "components by their noise (Tipping and Bishop 1999)": Reference(
        lambda q: (
            log_det(q.X @ T(q.X) + q.s * unit(q.X, 0))
            + tr(inv(q.X @ T(q.X) + q.s * unit(q.X, 0)) @ q.S)
        ),
        "s",
        "tr((X Xᵀ + s I)⁻¹) - tr(S (X Xᵀ + s I)⁻²)",
        symmetric="S",
    ),
    "sparse precision (Friedman 2008)": Reference(
        lambda q: -log_det(q.X) + tr(q.S @ q.X) + q.s * total(tf.abs(q.X)),
        "X",
        "s sign(X) + S - X⁻¹",
        symmetric="SX",
    ),
    "matrix normal (Dawid 1981)": Reference(
        lambda q: -0.5 * tr(inv(q.A) @ T(q.X - q.C) @ inv(q.B) @ (q.X - q.C)),
        "X",
        "B⁻¹ (C - X) A⁻¹",
        symmetric="AB",
    ),
    "innovations by a covariance (Harvey 3.4)": Reference(
        lambda q: (
            0.5 * log_det(q.M @ q.S @ T(q.M) + tf.linalg.diag(q.z))
            + 0.5 * dot(q.y, mv(inv(q.M @ q.S @ T(q.M) + tf.linalg.diag(q.z)), q.y))
        ),
        "S",
        "Mᵀ (I - (M S Mᵀ + diag(z))⁻¹ y yᵀ) (M S Mᵀ + diag(z))⁻¹ M / 2",
        symmetric="S",
    ),
    "autoregression by its coefficient (Hamilton 5.2)": Reference(
        lambda q: -total((q.x[1:] - q.s * q.x[:-1]) ** 2) / (2 * q.t**2),
        "s",
        "x[0:2]ᵀ (x[1:3] - s x[0:2]) / t²",
        is_of_any_size=False,
    ),
    "heteroscedastic errors by their weight (Engle 1982)": Reference(
        lambda q: -0.5 * (log(q.s + q.t * q.r**2) + q.g**2 / (q.s + q.t * q.r**2)),
        "t",
        "r² (g² - s - t r²) / (2 (s + t r²)²)",
    ),
    "fitted values by least squares": Reference(
        lambda q: dot(q.y, mv(q.M, mv(tf.linalg.pinv(q.M), q.y))), "y", "2 M M⁺ y"
    ),
    "smallest eigenvalue of a lower triangle": Reference(
        lambda q: tf.linalg.eigvalsh(q.A)[0], "A", "tril(U(A)[:, 0] U(A)[:, 0]ᵀ) ⊙ (2 𝟏 𝟏ᵀ - I)"
    ),
    "preferences (Rafailov 2023)": Reference(
        lambda q: -log(tf.sigmoid(q.s * (dot(q.x, q.a) - dot(q.x, q.b) - q.t))),
        "x",
        "s σ(s (t - xᵀ (a - b))) (b - a)",
    ),
    "squashed actions (Haarnoja 2018)": Reference(
        lambda q: q.s * (-(q.t**2) / 2 - log(1 - tf.tanh(q.t) ** 2)), "t", "s (2 tanh(t) - t)"
    ),
    "redundancy reduction (Zbontar 2021)": Reference(
        lambda q: total((T(q.A) @ q.B / q.s - unit(q.A, 0)) ** 2), "A", "2 B (Bᵀ A / s - I) / s"
    ),
    "overlap (Tversky; Salehi 2017)": Reference(
        lambda q: (
            1
            - dot(q.x, q.a)
            / (dot(q.x, q.a) + q.s * total(q.x * (1 - q.a)) + q.t * total(q.a * (1 - q.x)))
        ),
        "x",
        "((xᵀ a) s 𝟏 - (𝟏ᵀ (s x + t a)) a) / (xᵀ a + s xᵀ (𝟏 - a) + t (𝟏 - x)ᵀ a)²",
    ),
    "free energy of a Boltzmann machine by its weights (Hinton 2002)": Reference(
        lambda q: -dot(q.a, q.x) - total(tf.math.softplus(mv(q.M, q.x) + q.y)),
        "M",
        "-σ(M x + y) xᵀ",
    ),
    "factorization machine (Rendle 2010)": Reference(
        lambda q: 0.5 * (total(mv(q.M, q.x) ** 2) - total(mv(q.M**2, q.x**2))),
        "M",
        "M (x xᵀ - diag(x^⊙2))",
    ),
    "learned metric (Weinberger and Saul 2009)": Reference(
        lambda q: qf(T(q.A) @ q.A, q.x - q.a), "A", "2 A (x - a) (x - a)ᵀ"
    ),
    "score matching of a linear field (Hyvärinen 2005)": Reference(
        lambda q: 0.5 * total((mv(q.A, q.x) + q.b) ** 2) + tr(q.A), "A", "(A x + b) xᵀ + I"
    ),
    "attention by a sigmoid (Ramapuram 2024)": Reference(
        lambda q: total(q.W * (tf.sigmoid(q.M @ T(q.X)) @ q.A)),
        "M",
        "((W Aᵀ) ⊙ σ(M Xᵀ) ⊙ (𝟏 𝟏ᵀ - σ(M Xᵀ))) X",
    ),
    "negative samples (Mikolov 2013)": Reference(
        lambda q: -tf.math.log_sigmoid(dot(q.x, q.a)) - tf.math.log_sigmoid(-dot(q.x, q.b)),
        "x",
        "σ(bᵀ x) b - σ(-xᵀ a) a",
    ),
    "Stein's loss (James and Stein 1961)": Reference(
        lambda q: tr(q.X @ inv(q.A)) - log(det(q.X @ inv(q.A))), "X", "(A⁻¹ - X⁻¹)ᵀ"
    ),
}
