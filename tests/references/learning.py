"""Losses, layers and kernels, as papers write their derivatives."""

from __future__ import annotations

import symtape as tf
from tests.references.room import Reference, T, dot, exp, inv, log, mv, total, unit

soft = tf.nn.softmax

LEARNING: dict[str, Reference] = {
    "mean squared error": Reference(
        lambda q: tf.reduce_mean((mv(q.M, q.x) - q.y) ** 2),
        "x",
        "Mᵀ (M x - y)",
        is_of_any_size=False,
    ),
    "ridge": Reference(
        lambda q: total((mv(q.M, q.x) - q.y) ** 2) + q.s * dot(q.x, q.x),
        "x",
        "2 (Mᵀ (M x - y) + s x)",
    ),
    "logistic by softplus": Reference(
        lambda q: total(tf.math.softplus(mv(q.M, q.x)) - q.y * mv(q.M, q.x)),
        "x",
        "Mᵀ (σ(M x) - y)",
    ),
    "logistic by logarithms": Reference(
        lambda q: (
            -total(
                q.y * log(tf.sigmoid(mv(q.M, q.x))) + (1 - q.y) * log(1 - tf.sigmoid(mv(q.M, q.x)))
            )
        ),
        "x",
        "Mᵀ (σ(M x) - y)",
    ),
    "logistic by the built-in loss": Reference(
        lambda q: total(tf.nn.sigmoid_cross_entropy_with_logits(labels=q.y, logits=mv(q.M, q.x))),
        "x",
        "Mᵀ (σ(M x) - y)",
    ),
    "Hessian by softplus": Reference(
        lambda q: total(tf.math.softplus(mv(q.M, q.x)) - q.y * mv(q.M, q.x)),
        "x",
        "Mᵀ diag(σ(M x) ⊙ (𝟏 - σ(M x))) M",
        2,
    ),
    "Hessian by logarithms": Reference(
        lambda q: (
            -total(
                q.y * log(tf.sigmoid(mv(q.M, q.x))) + (1 - q.y) * log(1 - tf.sigmoid(mv(q.M, q.x)))
            )
        ),
        "x",
        "Mᵀ diag(σ(M x) ⊙ (𝟏 - σ(M x))) M",
        2,
    ),
    "Hessian by the built-in loss": Reference(
        lambda q: total(tf.nn.sigmoid_cross_entropy_with_logits(labels=q.y, logits=mv(q.M, q.x))),
        "x",
        "Mᵀ diag(σ(M x) ⊙ (𝟏 - σ(M x))) M",
        2,
    ),
    "Poisson regression": Reference(
        lambda q: total(exp(mv(q.M, q.x)) - q.y * mv(q.M, q.x)), "x", "Mᵀ (exp(M x) - y)"
    ),
    "Gaussian by its mean": Reference(
        lambda q: 0.5 * dot(q.x - q.a, mv(inv(q.S), q.x - q.a)), "a", "(S⁻¹ + S⁻ᵀ) (a - x) / 2"
    ),
    "Gaussian by its covariance": Reference(
        lambda q: 0.5 * (tf.linalg.slogdet(q.S)[1] + dot(q.x - q.a, mv(inv(q.S), q.x - q.a))),
        "S",
        "(I - S⁻ᵀ (x - a) (x - a)ᵀ) S⁻ᵀ / 2",
    ),
    "a layer by its weights": Reference(
        lambda q: total(tf.tanh(mv(q.W, q.x))), "W", "(𝟏 - tanh(W x)^⊙2) xᵀ"
    ),
    "a layer by its input": Reference(
        lambda q: tf.tanh(mv(q.W, q.x)), "x", "diag(𝟏 - tanh(W x)^⊙2) W"
    ),
    "a Kalman update": Reference(
        lambda q: mv(q.A @ T(q.M) @ inv(q.M @ q.A @ T(q.M) + tf.linalg.diag(q.z)), q.y),
        "y",
        "A Mᵀ (M A Mᵀ + diag(z))⁻¹",
    ),
    "entropy": Reference(lambda q: -total(q.x * log(q.x)), "x", "-(𝟏 + log(x))"),
    "variance": Reference(
        lambda q: tf.math.reduce_variance(q.x),
        "x",
        "2 (x - (𝟏ᵀ x) 𝟏 / 3) / 3",
        is_of_any_size=False,
    ),
    "cosine": Reference(
        lambda q: dot(q.x, q.a) / (tf.norm(q.x) * tf.norm(q.a)),
        "x",
        "(a - (aᵀ x) x / ‖x‖²) / (‖a‖ ‖x‖)",
        book="(I / ‖x‖ - x xᵀ / ‖x‖³) a / ‖a‖",
    ),
    "silu": Reference(lambda q: tf.nn.silu(q.x), "x", "diag(σ(x) ⊙ (𝟏 + x - x ⊙ σ(x)))"),
    "gelu": Reference(lambda q: tf.nn.gelu(q.x), "x", "diag(x ⊙ φ(x) + Φ(x))"),
    "entropy of a softmax": Reference(
        lambda q: -dot(tf.nn.softmax(q.x), log(tf.nn.softmax(q.x))),
        "x",
        "softmax(x) ⊙ ((softmax(x)ᵀ log(softmax(x))) 𝟏 - log(softmax(x)))",
    ),
    "entropy of logits": Reference(
        lambda q: -dot(tf.nn.softmax(q.x), tf.nn.log_softmax(q.x)),
        "x",
        "softmax(x) ⊙ ((xᵀ softmax(x)) 𝟏 - x)",
    ),
    "divergence of two softmaxes": Reference(
        lambda q: dot(tf.nn.softmax(q.x), tf.nn.log_softmax(q.x) - tf.nn.log_softmax(q.a)),
        "x",
        "softmax(x) ⊙ (x - (softmax(x)ᵀ (x - a)) 𝟏 - a)",
    ),
    "softmax cross entropy": Reference(
        lambda q: tf.nn.softmax_cross_entropy_with_logits(labels=q.a / total(q.a), logits=q.x),
        "x",
        "softmax(x) - a / (𝟏ᵀ a)",
    ),
    "cross entropy one hot": Reference(
        lambda q: -dot(q.a, tf.nn.log_softmax(q.x)), "x", "(𝟏ᵀ a) softmax(x) - a"
    ),
    "cross entropy of rows, by their scores": Reference(
        lambda q: -total(q.B * log(tf.nn.softmax(q.X))), "X", "diag(B 𝟏) softmax(X) - B"
    ),
    "cross entropy of labels, by their scores": Reference(
        lambda q: -total(tf.one_hot([1] * 2, q.W.shape[1], dtype=tf.float64) * log(soft(q.W))),
        "W",
        "softmax(W) - I[[1, 1]]",
        is_of_any_size=False,
    ),
    "cross entropy of labels that are smoothed (Szegedy 2016)": Reference(
        lambda q: (
            -total(tf.one_hot([1] * 2, q.W.shape[1], 0.9, 0.1, dtype=tf.float64) * log(soft(q.W)))
        ),
        "W",
        "1.1 softmax(W) - 0.1 𝟏 𝟏ᵀ - 0.8 I[[1, 1]]",
        is_of_any_size=False,
    ),
    "entropy of rows, by their scores": Reference(
        lambda q: -total(tf.nn.softmax(q.X) * log(tf.nn.softmax(q.X))),
        "X",
        "softmax(X) ⊙ ((softmax(X) ⊙ log(softmax(X))) 𝟏 𝟏ᵀ - log(softmax(X)))",
    ),
    "variance by shares, by their scores": Reference(
        lambda q: dot(tf.nn.softmax(q.x), (q.a - dot(q.a, tf.nn.softmax(q.x))) ** 2),
        "x",
        "softmax(x) ⊙ ((I - 𝟏 softmax(x)ᵀ) ((aᵀ softmax(x)) 𝟏 - a)^⊙2)",
    ),
    "two layers by inner": Reference(
        lambda q: total((mv(q.M, tf.tanh(mv(q.A, q.x))) - q.y) ** 2),
        "A",
        "2 ((Mᵀ (M tanh(A x) - y)) ⊙ (𝟏 - tanh(A x)^⊙2)) xᵀ",
        book="2 (Mᵀ (M tanh(A x) - y) ⊙ (𝟏 - tanh(A x)^⊙2)) xᵀ",
    ),
    "two layers by outer": Reference(
        lambda q: total((mv(q.M, tf.tanh(mv(q.A, q.x))) - q.y) ** 2),
        "M",
        "2 (M tanh(A x) - y) tanh(A x)ᵀ",
    ),
    "relu layer": Reference(lambda q: total(tf.nn.relu(mv(q.W, q.x))), "x", "Wᵀ [W x > 0]"),
    "hinge": Reference(
        lambda q: total(tf.nn.relu(1 - q.y * mv(q.M, q.x))),
        "x",
        "-Mᵀ (y ⊙ [y ⊙ (M x) < 1])",
        book="-Mᵀ (y ⊙ [1 - y ⊙ (M x) > 0])",
    ),
    "huber-like pseudo": Reference(
        lambda q: total(tf.sqrt(1 + q.x**2) - 1), "x", "x ⊘ √(𝟏 + x^⊙2)"
    ),
    "swish": Reference(
        lambda q: total(q.x * tf.sigmoid(q.x)),
        "x",
        "σ(x) ⊙ (𝟏 + x - x ⊙ σ(x))",
        book="σ(x) ⊙ (𝟏 + x ⊙ (𝟏 - σ(x)))",
    ),
    "softplus": Reference(lambda q: total(tf.math.softplus(q.x)), "x", "σ(x)"),
    "tanh": Reference(lambda q: total(tf.tanh(q.x)), "x", "𝟏 - tanh(x)^⊙2"),
    "normalise": Reference(
        lambda q: q.x / tf.norm(q.x), "x", "(I - x xᵀ / ‖x‖²) / ‖x‖", book="I / ‖x‖ - x xᵀ / ‖x‖³"
    ),
    "layer centring": Reference(
        lambda q: q.x - tf.reduce_mean(q.x), "x", "I - 𝟏 𝟏ᵀ / 3", is_of_any_size=False
    ),
    "matrix factorisation by W": Reference(
        lambda q: total((q.M - q.W @ q.X) ** 2), "W", "2 (W X - M) Xᵀ"
    ),
    "autoencoder tied": Reference(
        lambda q: total((T(q.M) @ q.M - q.X) ** 2), "M", "2 M (2 Mᵀ M - X - Xᵀ)"
    ),
    "attention scores": Reference(
        lambda q: tf.nn.softmax(mv(q.M, q.x)),
        "x",
        "(diag(softmax(M x)) - softmax(M x) softmax(M x)ᵀ) M",
    ),
    "triplet": Reference(
        lambda q: dot(q.x - q.a, q.x - q.a) - dot(q.x - q.b, q.x - q.b), "x", "2 (b - a)"
    ),
    "gelu'": Reference(
        lambda q: total(tf.nn.gelu(q.x)), "x", "x ⊙ φ(x) + Φ(x)", book="Φ(x) + x ⊙ φ(x)"
    ),
    "log-barrier": Reference(lambda q: -total(log(q.b - mv(q.A, q.x))), "x", "Aᵀ (𝟏 ⊘ (b - A x))"),
    "log-barrier Hessian": Reference(
        lambda q: -total(log(q.b - mv(q.A, q.x))), "x", "Aᵀ diag(𝟏 ⊘ (b - A x)^⊙2) A", order=2
    ),
    "rbf kernel": Reference(
        lambda q: exp(-dot(q.x - q.a, q.x - q.a) / (2 * q.s**2)),
        "x",
        "exp(-‖x - a‖² / (2 s²)) (a - x) / s²",
        book="exp(-‖x - a‖² / (2 s²)) (a - x) / s²",
    ),
    "bridge regression by residuals to the power 3/2": Reference(
        lambda q: total(tf.abs(q.y - mv(q.M, q.x)) ** 1.5),
        "x",
        "3 Mᵀ (sign(M x - y) ⊙ √(|M x - y|)) / 2",
    ),
    "observations over a root": Reference(
        lambda q: total((q.y - mv(q.M, q.x) / 3**0.5) ** 2), "x", "2 Mᵀ (M x - √3 y) / 3"
    ),
    "factors beside noise (Tipping and Bishop 1999)": Reference(
        lambda q: tf.linalg.slogdet(q.M @ T(q.M) / q.s**2 + unit(q.M, 0))[1],
        "M",
        "2 (M Mᵀ + s² I)⁻¹ M",
    ),
    "a determinant by its noise": Reference(
        lambda q: tf.linalg.slogdet(q.A / q.s + unit(q.A, 0))[1], "s", "-tr(A (A + s I)⁻¹) / s"
    ),
    "contrastive dot": Reference(lambda q: -log(tf.sigmoid(dot(q.x, q.a))), "x", "-σ(-aᵀ x) a"),
    "gaussian process": Reference(
        lambda q: 0.5 * dot(q.a, mv(inv(q.A @ T(q.A) + q.s * tf.eye(3, dtype=tf.float64)), q.a)),
        "a",
        "(A Aᵀ + s I)⁻¹ a",
        is_of_any_size=False,
    ),
}
