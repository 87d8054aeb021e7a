"""Derivatives as they stand in books: functions, the reference, and what is printed.

MC is The Matrix Cookbook (Petersen and Pedersen, 2012), with its numbers of equations; "calculus"
is what matrixcalculus.org prints (Laue, Mitterreiter, Giesen). Layout is the Cookbook's. Where the
printed form is written in another way than the reference, it is no longer.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

import symtape as tf

inv, mv, T, tr = tf.linalg.inv, tf.linalg.matvec, tf.transpose, tf.linalg.trace
exp, log, sin = tf.exp, tf.math.log, tf.sin
total = tf.reduce_sum


def dot(u: Any, v: Any) -> Any:
    """Give uᵀv."""
    return tf.reduce_sum(u * v)


def outer(u: Any, v: Any) -> Any:
    """Give u vᵀ."""
    return u[:, None] * v


class Leaves:
    """Tensors by name: capitals are square matrices, M and W have m rows, small letters one axis.

    x, a, b, c, u, v, w have n entries, y and z have m; s and t are scalars.
    """

    def __init__(self, n: int, m: int) -> None:
        rng = np.random.default_rng(n)
        shapes: dict[str, tuple[int, ...]] = dict.fromkeys("ABCDSX", (n, n))
        shapes |= dict.fromkeys("MW", (m, n)) | dict.fromkeys("xabcuvw", (n,))
        shapes |= dict.fromkeys("yz", (m,)) | dict.fromkeys("st", ())
        for name, shape in shapes.items():
            array = rng.uniform(0.3, 1.5, shape) + (np.eye(n) * n if shape == (n, n) else 0)
            setattr(self, name, tf.Variable(array, name=name))


class Reference(NamedTuple):
    """A function, by which leaf it is derived and how often, and what is printed of that."""

    function: Callable[[Any], Any]
    by: str
    text: str
    order: int = 1
    is_of_any_size: bool = True


def derived(reference: Reference, leaves: Leaves) -> Any:
    """Derive, once or twice."""
    x = getattr(leaves, reference.by)
    with tf.GradientTape() as tape:
        y = reference.function(leaves)
    if y.shape.rank:
        return tape.jacobian(y, x)
    return tape.gradient(y, x) if reference.order == 1 else tape.hessian(y, x)


COOKBOOK: dict[str, Reference] = {
    "MC 49, det X": Reference(lambda q: tf.linalg.det(q.X), "X", "det(X) X⁻ᵀ"),
    "MC 51, det AXB": Reference(lambda q: tf.linalg.det(q.A @ q.X @ q.B), "X", "det(A X B) X⁻ᵀ"),
    "MC 57, log det X": Reference(lambda q: tf.linalg.slogdet(q.X)[1], "X", "X⁻ᵀ"),
    "MC 61, aᵀX⁻¹b": Reference(lambda q: dot(q.a, mv(inv(q.X), q.b)), "X", "-X⁻ᵀ a bᵀ X⁻ᵀ"),
    "MC 63, tr AX⁻¹B": Reference(lambda q: tr(q.A @ inv(q.X) @ q.B), "X", "-X⁻ᵀ Aᵀ Bᵀ X⁻ᵀ"),
    "MC 64, tr (X+A)⁻¹": Reference(lambda q: tr(inv(q.X + q.A)), "X", "-((X + A)⁻²)ᵀ"),
    "MC 69, xᵀa": Reference(lambda q: dot(q.x, q.a), "x", "a"),
    "MC 70, aᵀXb": Reference(lambda q: dot(q.a, mv(q.X, q.b)), "X", "a bᵀ"),
    "MC 71, aᵀXᵀb": Reference(lambda q: dot(q.a, mv(T(q.X), q.b)), "X", "b aᵀ"),
    "MC 72, aᵀXa": Reference(lambda q: dot(q.a, mv(q.X, q.a)), "X", "a aᵀ"),
    "MC 77, bᵀXᵀXc": Reference(lambda q: dot(q.b, mv(T(q.X) @ q.X, q.c)), "X", "X (b cᵀ + c bᵀ)"),
    "MC 78, (Bx+b)ᵀC(Dx+c)": Reference(
        lambda q: dot(mv(q.B, q.x) + q.b, mv(q.C, mv(q.D, q.x) + q.c)),
        "x",
        "Bᵀ C (D x + c) + Dᵀ Cᵀ (B x + b)",
    ),
    "MC 81, xᵀBx": Reference(lambda q: dot(q.x, mv(q.B, q.x)), "x", "(B + Bᵀ) x"),
    "MC 82, bᵀXᵀDXc": Reference(
        lambda q: dot(mv(q.X, q.b), mv(q.D, mv(q.X, q.c))), "X", "D X c bᵀ + Dᵀ X b cᵀ"
    ),
    "MC 83, (Xb+c)ᵀD(Xb+c)": Reference(
        lambda q: dot(mv(q.X, q.b) + q.c, mv(q.D, mv(q.X, q.b) + q.c)),
        "X",
        "(D + Dᵀ) (X b + c) bᵀ",
    ),
    "MC 84, (x-As)ᵀW(x-As) by x": Reference(
        lambda q: dot(q.x - mv(q.A, q.a), mv(q.B, q.x - mv(q.A, q.a))),
        "x",
        "(B + Bᵀ) (x - A a)",
    ),
    "MC 85, by s": Reference(
        lambda q: dot(q.x - mv(q.A, q.a), mv(q.B, q.x - mv(q.A, q.a))), "a", "Aᵀ (B + Bᵀ) (A a - x)"
    ),
    "MC 88, by A": Reference(
        lambda q: dot(q.x - mv(q.A, q.a), mv(q.B, q.x - mv(q.A, q.a))), "A", "(B + Bᵀ) (A a - x) aᵀ"
    ),
    "MC 99, tr X": Reference(lambda q: tr(q.X), "X", "I"),
    "MC 100, tr XA": Reference(lambda q: tr(q.X @ q.A), "X", "Aᵀ"),
    "MC 101, tr AXB": Reference(lambda q: tr(q.A @ q.X @ q.B), "X", "Aᵀ Bᵀ"),
    "MC 102, tr AXᵀB": Reference(lambda q: tr(q.A @ T(q.X) @ q.B), "X", "B A"),
    "MC 103, tr XᵀA": Reference(lambda q: tr(T(q.X) @ q.A), "X", "A"),
    "MC 106, tr X²": Reference(lambda q: tr(q.X @ q.X), "X", "2 Xᵀ"),
    "MC 107, tr X²B": Reference(lambda q: tr(q.X @ q.X @ q.B), "X", "(B X + X B)ᵀ"),
    "MC 108, tr XᵀBX": Reference(lambda q: tr(T(q.X) @ q.B @ q.X), "X", "(B + Bᵀ) X"),
    "MC 111, tr XBXᵀ": Reference(lambda q: tr(q.X @ q.B @ T(q.X)), "X", "X (B + Bᵀ)"),
    "MC 115, tr XᵀX": Reference(lambda q: tr(T(q.X) @ q.X), "X", "2 X"),
    "MC 116, tr BXXᵀ": Reference(lambda q: tr(q.B @ q.X @ T(q.X)), "X", "(B + Bᵀ) X"),
    "MC 117, tr BᵀXᵀCXB": Reference(
        lambda q: tr(T(q.B) @ T(q.X) @ q.C @ q.X @ q.B), "X", "(C + Cᵀ) X B Bᵀ"
    ),
    "MC 118, tr XᵀBXC": Reference(lambda q: tr(T(q.X) @ q.B @ q.X @ q.C), "X", "Bᵀ X Cᵀ + B X C"),
    "MC 119, tr AXBXᵀC": Reference(
        lambda q: tr(q.A @ q.X @ q.B @ T(q.X) @ q.C), "X", "C A X B + Aᵀ Cᵀ X Bᵀ"
    ),
    "MC 121, tr X³": Reference(lambda q: tr(q.X @ q.X @ q.X), "X", "3 (X²)ᵀ"),
    "MC 124, tr AX⁻¹B": Reference(lambda q: tr(q.A @ inv(q.X) @ q.B), "X", "-X⁻ᵀ Aᵀ Bᵀ X⁻ᵀ"),
    "MC 129, ‖x-a‖": Reference(lambda q: tf.norm(q.x - q.a), "x", "(x - a) / ‖x - a‖"),
    "MC 130, (x-a)/‖x-a‖": Reference(
        lambda q: (q.x - q.a) / tf.norm(q.x - q.a),
        "x",
        "I / ‖x - a‖ - (x - a) (x - a)ᵀ / ‖x - a‖³",
    ),
    "MC 131, ‖x‖²": Reference(lambda q: tf.norm(q.x) ** 2, "x", "2 x"),
    "MC 132, ‖X‖²": Reference(lambda q: tf.norm(q.X) ** 2, "X", "2 X"),
    "log det XXᵀ": Reference(lambda q: tf.linalg.slogdet(q.M @ T(q.M))[1], "M", "2 (M Mᵀ)⁻¹ M"),
}

CALCULUS: dict[str, Reference] = {
    "xᵀAx + cᵀx": Reference(
        lambda q: dot(q.x, mv(q.A, q.x)) + dot(q.c, q.x), "x", "(A + Aᵀ) x + c"
    ),
    "its Hessian": Reference(lambda q: dot(q.x, mv(q.A, q.x)) + dot(q.c, q.x), "x", "A + Aᵀ", 2),
    "‖Mx-y‖²": Reference(lambda q: tf.norm(mv(q.M, q.x) - q.y) ** 2, "x", "2 Mᵀ (M x - y)"),
    "Hessian of ‖Mx-y‖²": Reference(lambda q: total((mv(q.M, q.x) - q.y) ** 2), "x", "2 Mᵀ M", 2),
    "‖Mx-y‖": Reference(lambda q: tf.norm(mv(q.M, q.x) - q.y), "x", "Mᵀ (M x - y) / ‖M x - y‖"),
    "sum log(1 + exp(-y ⊙ Mx))": Reference(
        lambda q: total(log(1 + exp(-q.y * mv(q.M, q.x)))), "x", "-Mᵀ (y ⊙ σ(-y ⊙ (M x)))"
    ),
    "exp(xᵀx)": Reference(lambda q: exp(dot(q.x, q.x)), "x", "2 exp(‖x‖²) x"),
    "sin(aᵀx) b": Reference(lambda q: sin(dot(q.a, q.x)) * q.b, "x", "cos(aᵀ x) b aᵀ"),
    "log sum exp": Reference(lambda q: tf.reduce_logsumexp(q.x), "x", "softmax(x)"),
    "Hessian of log sum exp": Reference(
        lambda q: tf.reduce_logsumexp(q.x), "x", "diag(softmax(x)) - softmax(x) softmax(x)ᵀ", 2
    ),
    "softmax": Reference(
        lambda q: tf.nn.softmax(q.x), "x", "diag(softmax(x)) - softmax(x) softmax(x)ᵀ"
    ),
    "elementwise product": Reference(lambda q: q.x * mv(q.A, q.x), "x", "diag(x) A + diag(A x)"),
    "quotient": Reference(lambda q: q.x / q.a, "x", "diag(𝟏 ⊘ a)"),
    "cubes": Reference(lambda q: q.x**3, "x", "3 diag(x^⊙2)"),
    "matrix factorization": Reference(
        lambda q: tf.norm(q.M - q.W @ q.X) ** 2, "X", "2 Wᵀ (W X - M)"
    ),
    "ones": Reference(lambda q: total(q.M), "M", "𝟏 𝟏ᵀ"),
}

LEARNING: dict[str, Reference] = {
    "mean squared error": Reference(
        lambda q: tf.reduce_mean((mv(q.M, q.x) - q.y) ** 2),
        "x",
        "Mᵀ (M x - y) / 2",
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
        "S⁻ᵀ (I - (x - a) (x - a)ᵀ S⁻ᵀ) / 2",
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
        lambda q: tf.math.reduce_variance(q.x), "x", "2 (3 x - (𝟏ᵀ x) 𝟏) / 9", is_of_any_size=False
    ),
    "cosine": Reference(
        lambda q: dot(q.x, q.a) / (tf.norm(q.x) * tf.norm(q.a)),
        "x",
        "(a / ‖x‖ - (aᵀ x) x / ‖x‖³) / ‖a‖",
    ),
    "silu": Reference(lambda q: tf.nn.silu(q.x), "x", "diag(σ(x) ⊙ (𝟏 + x - x ⊙ σ(x)))"),
    "gelu": Reference(lambda q: tf.nn.gelu(q.x), "x", "diag(x ⊙ φ(x) + Φ(x))"),
}

REFERENCES = COOKBOOK | CALCULUS | LEARNING
