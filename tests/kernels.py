"""Functions that people write kernels for: normalizations, losses, gates, attention, densities."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import symtape as tf
from tests.references.room import T, dot, exp, inv, log, mv, total, tr

Kernel = tuple[Callable[[Any], Any], str]
"""A function of `Leaves`, and the leaf by which it is derived."""

softmax, mean = tf.nn.softmax, tf.reduce_mean


def normalized(x, axis=-1):
    """Subtract the mean, and divide by the standard deviation."""
    c = x - mean(x, axis, keepdims=True)
    return c / tf.sqrt(mean(c**2, axis, keepdims=True) + 1e-5)


def Phi(x):  # noqa: N802 - its name in books
    """Give the distribution function of a standard normal variable."""
    return 0.5 * (1 + tf.math.erf(x / np.sqrt(2.0)))


def rotated(q):
    """Turn a vector about an axis, by Rodrigues' formula."""
    angle = tf.norm(q.x)
    k = q.x / angle
    across = tf.linalg.cross(k, q.a) * tf.sin(angle)
    return dot(q.b, q.a * tf.cos(angle) + across + k * dot(k, q.a) * (1 - tf.cos(angle)))


def causal(q):
    """Weigh the rows of B by those of A and X that are not later."""
    is_seen = tf.linalg.band_part(tf.ones_like(q.A), -1, 0) > 0
    return total(q.A * (softmax(tf.where(is_seen, q.A @ T(q.X), -1e9)) @ q.B))


def gated(q):
    """A step of a long short-term memory."""
    state = tf.sigmoid(mv(q.B, q.x)) * q.b + tf.sigmoid(mv(q.C, q.x)) * tf.tanh(mv(q.D, q.x))
    return dot(q.a, tf.sigmoid(mv(q.A, q.x)) * tf.tanh(state))


def call(q):
    """Black and Scholes' price."""
    d, e = (
        (log(q.s / q.k) + (q.r + sign * q.g**2 / 2) * q.t) / (q.g * tf.sqrt(q.t))
        for sign in (1, -1)
    )
    return q.s * Phi(d) - q.k * exp(-q.r * q.t) * Phi(e)


def evidence(q):
    """Minus the logarithm of a Gaussian process' likelihood."""
    kernel = q.A @ T(q.A) + q.s * tf.eye(3, dtype=tf.float64)
    return 0.5 * dot(q.a, mv(inv(kernel), q.a)) + 0.5 * tf.linalg.slogdet(kernel)[1]


def splats(q):
    """Colours of Gaussians from the nearest on, each seen through what is before it."""
    opacities = q.x * exp(-(q.b**2) / 2)
    seen = exp(tf.cumsum(log(1 - opacities), exclusive=True))
    return dot(q.a, opacities * seen)


def _shares(x):
    return x / total(x, 1, keepdims=True)


KERNELS: dict[str, Kernel] = {
    "layer norm": (lambda q: dot(q.a, normalized(q.x)), "x"),
    "layer norm rows": (lambda q: total(q.W * normalized(q.M)), "M"),
    "layer norm affine": (lambda q: dot(q.a, normalized(q.x) * q.u + q.v), "x"),
    "rms norm": (lambda q: dot(q.a, q.u * q.x / tf.sqrt(mean(q.x**2) + 1e-6)), "x"),
    "rms rows": (lambda q: total(q.W * q.M / tf.sqrt(mean(q.M**2, -1, keepdims=True) + 1e-6)), "M"),
    "batch norm": (lambda q: total(q.W * normalized(q.M, axis=0)), "M"),
    "l2 normalize": (lambda q: dot(q.a, q.x / tf.norm(q.x)), "x"),
    "cosine sim": (lambda q: dot(q.x, q.a) / (tf.norm(q.x) * tf.norm(q.a)), "x"),
    "weight norm": (lambda q: dot(q.y, mv(q.M / tf.norm(q.M), q.x)), "M"),
    "softmax": (lambda q: dot(q.a, softmax(q.x)), "x"),
    "softmax temp": (lambda q: dot(q.a, softmax(q.x / q.t)), "x"),
    "log softmax": (lambda q: dot(q.a, tf.nn.log_softmax(q.x)), "x"),
    "ce": (lambda q: total(tf.nn.softmax_cross_entropy_with_logits(labels=q.W, logits=q.M)), "M"),
    "sparse ce": (
        lambda q: total(
            tf.nn.sparse_softmax_cross_entropy_with_logits(tf.range(q.M.shape[0]), q.M)
        ),
        "M",
    ),
    "bce": (
        lambda q: total(tf.nn.sigmoid_cross_entropy_with_logits(labels=q.y, logits=mv(q.M, q.x))),
        "x",
    ),
    "focal": (lambda q: -total((1 - tf.sigmoid(q.x)) ** 2 * tf.math.log_sigmoid(q.x)), "x"),
    "label smooth": (lambda q: -total((0.9 * q.W + 0.05) * tf.nn.log_softmax(q.M)), "M"),
    "kl": (lambda q: total(softmax(q.x) * (tf.nn.log_softmax(q.x) - tf.nn.log_softmax(q.a))), "x"),
    "js": (lambda q: total(q.x * log(q.x / (q.x + q.a)) + q.a * log(q.a / (q.x + q.a))), "x"),
    "huber": (
        lambda q: total(
            tf.where(tf.abs(q.x - q.a) < 1.0, 0.5 * (q.x - q.a) ** 2, tf.abs(q.x - q.a) - 0.5)
        ),
        "x",
    ),
    "log cosh": (lambda q: total(log(tf.cosh(q.x - q.a))), "x"),
    "hinge": (lambda q: total(tf.nn.relu(1 - q.y * mv(q.M, q.x))), "x"),
    "triplet": (lambda q: tf.nn.relu(tf.norm(q.x - q.a) - tf.norm(q.x - q.b) + q.s), "x"),
    "infonce": (lambda q: -mean(tf.linalg.diag_part(tf.nn.log_softmax(q.A @ T(q.B) / q.t))), "A"),
    "dice": (lambda q: 1 - 2 * dot(q.x, q.a) / (total(q.x) + total(q.a) + q.s), "x"),
    "gelu": (lambda q: dot(q.a, tf.nn.gelu(q.x)), "x"),
    "gelu tanh": (lambda q: dot(q.a, tf.nn.gelu(q.x, approximate=True)), "x"),
    "silu": (lambda q: dot(q.a, tf.nn.silu(q.x)), "x"),
    "mish": (lambda q: dot(q.a, q.x * tf.tanh(tf.math.softplus(q.x))), "x"),
    "softplus": (lambda q: dot(q.a, tf.math.softplus(q.x)), "x"),
    "elu": (lambda q: dot(q.a, tf.nn.elu(q.x)), "x"),
    "glu": (lambda q: dot(q.y, mv(q.M, q.x) * tf.sigmoid(mv(q.W, q.x))), "x"),
    "swiglu": (lambda q: dot(q.y, mv(q.M, q.x) * tf.nn.silu(mv(q.W, q.x))), "x"),
    "geglu": (lambda q: dot(q.y, mv(q.M, q.x) * tf.nn.gelu(mv(q.W, q.x))), "x"),
    "attention q": (lambda q: total(q.W * (softmax(q.M @ T(q.X) / np.sqrt(2.0)) @ q.A)), "M"),
    "attention k": (lambda q: total(q.W * (softmax(q.M @ T(q.X) / np.sqrt(2.0)) @ q.A)), "X"),
    "causal attention": (causal, "A"),
    "linear attention": (
        lambda q: total(q.W * ((tf.nn.elu(q.M) + 1) @ (T(tf.nn.elu(q.X) + 1) @ q.A))),
        "M",
    ),
    "cumsum": (lambda q: dot(q.a, tf.cumsum(q.x) ** 2), "x"),
    "ema": (lambda q: total((q.x[1:] - q.s * q.x[:-1]) ** 2), "x"),
    "rnn2": (lambda q: total(tf.tanh(mv(q.A, tf.tanh(mv(q.A, q.x))) + q.b)), "A"),
    "lstm": (gated, "x"),
    "gauss2d": (lambda q: exp(-0.5 * dot(q.x - q.a, mv(inv(q.S), q.x - q.a))), "S"),
    "mvn logpdf": (
        lambda q: -0.5 * (tf.linalg.slogdet(q.S)[1] + dot(q.x - q.a, mv(inv(q.S), q.x - q.a))),
        "S",
    ),
    "gmm": (
        lambda q: tf.reduce_logsumexp(log(softmax(q.y)) - 0.5 * total((q.M - q.x) ** 2, -1)),
        "x",
    ),
    "student": (lambda q: -(q.s + 1) / 2 * log(1 + dot(q.x - q.a, q.x - q.a) / q.s), "x"),
    "gamma logpdf": (
        lambda q: total((q.s - 1) * log(q.x) - q.r * q.x) + q.s * log(q.r) - tf.math.lgamma(q.s),
        "s",
    ),
    "beta logpdf": (
        lambda q: (
            tf.math.lgamma(q.s + q.t)
            - tf.math.lgamma(q.s)
            - tf.math.lgamma(q.t)
            + (q.s - 1) * log(q.k)
            + (q.t - 1) * log(1 - q.k)
        ),
        "s",
    ),
    "dirichlet": (
        lambda q: tf.math.lgamma(total(q.x)) - total(tf.math.lgamma(q.x)) + dot(q.x - 1, log(q.a)),
        "x",
    ),
    "poisson": (lambda q: dot(q.y, mv(q.M, q.x)) - total(exp(mv(q.M, q.x))), "x"),
    "wishart": (lambda q: tf.linalg.slogdet(q.X)[1] - 0.5 * tr(inv(q.S) @ q.X), "X"),
    "gp": (evidence, "A"),
    "logdet chol": (
        lambda q: 2 * total(log(tf.linalg.diag_part(tf.linalg.cholesky(q.A @ T(q.A))))),
        "A",
    ),
    "solve": (lambda q: dot(q.a, tf.linalg.solve(q.A, q.x[:, None])[:, 0]), "A"),
    "eig sum": (lambda q: total(tf.linalg.eigvalsh(q.A @ T(q.A)) ** 2), "A"),
    "nuclear": (lambda q: total(tf.linalg.svd(q.M, compute_uv=False)), "M"),
    "expm": (lambda q: total(q.B * tf.linalg.expm(q.A)), "A"),
    "a step of Sinkhorn": (lambda q: total(q.B * _shares(exp(-q.A))), "A"),
    "rotation": (rotated, "x"),
    "quat": (lambda q: total((q.x / tf.norm(q.x)) ** 3), "x"),
    "project": (lambda q: q.a[0] * q.x[0] / q.x[2] + q.a[1] * q.x[1] / q.x[2], "x"),
    "pool max": (lambda q: tf.reduce_max(q.x) * dot(q.a, q.x), "x"),
    "vega": (call, "g"),
    "soft cap": (lambda q: dot(q.a, q.s * tf.tanh(q.x / q.s)), "x"),
    "squared relu": (lambda q: dot(q.y, tf.nn.relu(mv(q.M, q.x)) ** 2), "x"),
    "attention with a bias": (
        lambda q: total(q.W * (softmax(q.M @ T(q.X) / q.t + q.b) @ q.A)),
        "M",
    ),
    "ce with priors": (
        lambda q: total(
            tf.nn.softmax_cross_entropy_with_logits(labels=q.W, logits=q.M + tf.nn.log_softmax(q.x))
        ),
        "M",
    ),
    "kl of a diagonal Gaussian": (lambda q: total(exp(q.x) + q.a**2 - 1 - q.x) / 2, "x"),
    "laplace logpdf": (lambda q: -total(tf.abs(q.x - q.a)) / q.s - 3 * log(2 * q.s), "s"),
    "smooth union": (
        lambda q: (
            -log(exp(-q.s * tf.norm(q.x - q.a)) + exp(-q.s * (tf.norm(q.x - q.b) - q.r))) / q.s
        ),
        "x",
    ),
    "hopfield energy": (
        lambda q: dot(q.x, q.x) / 2 - tf.reduce_logsumexp(q.s * mv(q.M, q.x)) / q.s,
        "x",
    ),
    "ridge trace": (
        lambda q: tr(inv(q.A @ T(q.A) + q.s * tf.eye(3, dtype=tf.float64)) @ q.B),
        "A",
    ),
    "a scan that decays": (lambda q: dot(q.a, tf.cumsum(q.x * exp(q.b)) * exp(-q.b)), "b"),
    "splat compositing": (splats, "x"),
    "low rank adapter": (
        lambda q: total((mv(q.A, q.x) + q.s * mv(T(q.M), mv(q.W, q.x)) - q.b) ** 2),
        "W",
    ),
}
