"""What layers do with the rows of a matrix, and with parts of an array, as papers write it."""

from __future__ import annotations

from typing import Any

import numpy as np

import symtape as tf
from tests.references.room import Reference, T, dot, mv, total, unit

softmax = tf.nn.softmax
cross_entropy = tf.nn.softmax_cross_entropy_with_logits
by_number = tf.nn.sparse_softmax_cross_entropy_with_logits
cholesky = tf.linalg.cholesky
SQRT2 = float(np.sqrt(2.0))


def cholesky_solve(s: Any, b: Any) -> Any:
    """Solve S x = b by a factor of S."""
    return tf.linalg.cholesky_solve(cholesky(s), b[:, None])[:, 0]


def evidence(y: Any, s: Any) -> Any:
    """Give log N(y; 0, S) but for a constant, as it is computed."""
    factor = cholesky(s)
    whitened = tf.linalg.triangular_solve(factor, y[:, None])
    return -total(whitened**2) / 2 - total(tf.math.log(tf.linalg.diag_part(factor)))


def by_hand(z: Any) -> Any:
    """Give the softmax of each row as code writes it that no exponential may overflow in."""
    powers = tf.exp(z - tf.reduce_max(z, axis=1, keepdims=True))
    return powers / tf.reduce_sum(powers, axis=1, keepdims=True)


def shifted_logsumexp(z: Any) -> Any:
    """Give logsumexp of each row in the same way."""
    top = tf.reduce_max(z, axis=1, keepdims=True)
    return top + tf.math.log(tf.reduce_sum(tf.exp(z - top), axis=1, keepdims=True))


ROWS: dict[str, Reference] = {
    "attention by its queries": Reference(
        lambda q: total(q.W * (softmax(q.M @ T(q.X)) @ q.A)),
        "M",
        "(softmax(M Xᵀ) ⊙ (W Aᵀ - (W ⊙ (softmax(M Xᵀ) A)) 𝟏 𝟏ᵀ)) X",
    ),
    "attention by its keys": Reference(
        lambda q: total(q.W * (softmax(q.M @ T(q.X)) @ q.A)),
        "X",
        "(softmax(M Xᵀ)ᵀ ⊙ (A Wᵀ - 𝟏 𝟏ᵀ (W ⊙ (softmax(M Xᵀ) A))ᵀ)) M",
    ),
    "attention by its values": Reference(
        lambda q: total(q.W * (softmax(q.M @ T(q.X)) @ q.A)),
        "A",
        "softmax(M Xᵀ)ᵀ W",
    ),
    "scaled scores": Reference(
        lambda q: total(q.W * softmax(q.M @ T(q.X) / SQRT2)),
        "M",
        "(softmax(M Xᵀ / √2) ⊙ (W - (W ⊙ softmax(M Xᵀ / √2)) 𝟏 𝟏ᵀ)) X / √2",
    ),
    "softmax regression": Reference(
        lambda q: total(cross_entropy(labels=q.W, logits=q.M @ q.X)),
        "X",
        "Mᵀ (diag(W 𝟏) softmax(M X) - W)",
    ),
    "softmax regression, bias": Reference(
        lambda q: total(cross_entropy(labels=q.W, logits=q.M @ q.X + q.b)),
        "b",
        "softmax(M X + 𝟏 bᵀ)ᵀ W 𝟏 - Wᵀ 𝟏",
    ),
    "softmax regression by labels": Reference(
        lambda q: total(by_number(tf.range(q.M.shape[0]), q.M @ q.X)),
        "X",
        "Mᵀ (softmax(M X) - I[0:2])",
        is_of_any_size=False,
    ),
    "entropy of each row": Reference(
        lambda q: -total(softmax(q.M) * tf.math.log(softmax(q.M))),
        "M",
        "softmax(M) ⊙ ((softmax(M) ⊙ log(softmax(M))) 𝟏 𝟏ᵀ - log(softmax(M)))",
    ),
    "logsumexp of each row": Reference(
        lambda q: total(tf.reduce_logsumexp(q.M @ q.X, axis=1)),
        "X",
        "Mᵀ softmax(M X)",
    ),
    "softmax of each column": Reference(
        lambda q: total(q.W * softmax(q.M, axis=0)),
        "M",
        "softmax(Mᵀ)ᵀ ⊙ (W - 𝟏 𝟏ᵀ (W ⊙ softmax(Mᵀ)ᵀ))",
    ),
    "root mean square norm": Reference(
        lambda q: dot(q.a, q.x / tf.sqrt(tf.reduce_mean(q.x**2) + q.s)),
        "x",
        "a / √(‖x‖²/3 + s) - (xᵀ a) x / (3 (‖x‖²/3 + s)^(3/2))",
        is_of_any_size=False,
    ),
    "standard deviation": Reference(
        lambda q: tf.math.reduce_std(q.x),
        "x",
        "(x - (𝟏ᵀ x) 𝟏 / 3) / (√3 ‖x - (𝟏ᵀ x) 𝟏 / 3‖)",
        is_of_any_size=False,
    ),
    "centred rows": Reference(
        lambda q: total(q.A * (T(q.M - tf.reduce_mean(q.M, axis=0)) @ q.M)),
        "M",
        "(I - 𝟏 𝟏ᵀ / 2) M (A + Aᵀ)",
        is_of_any_size=False,
    ),
    "trace of an exponential": Reference(
        lambda q: tf.linalg.trace(tf.linalg.expm(q.X)),
        "X",
        "expm(Xᵀ)",
    ),
    "trace of an exponential and its matrix": Reference(
        lambda q: tf.linalg.trace(tf.linalg.expm(q.X) @ q.X), "X", "(Xᵀ + I) expm(Xᵀ)"
    ),
    "exponential of a matrix": Reference(
        lambda q: total(q.A * tf.linalg.expm(q.X)),
        "X",
        "L_exp(Xᵀ, A)",
    ),
    "what is seen of a linear system, by time (Kailath 1980)": Reference(
        lambda q: dot(q.a, mv(tf.linalg.expm(q.t * q.A), q.x)), "t", "aᵀ expm(t A) A x"
    ),
    "square root of a matrix": Reference(
        lambda q: total(q.A * tf.linalg.sqrtm(q.X @ T(q.X))),
        "X",
        "L_sqrt(X Xᵀ, A + Aᵀ) X",
    ),
    "solved by a Cholesky factor": Reference(
        lambda q: dot(q.a, cholesky_solve(q.S, q.b)),
        "S",
        "-S⁻¹ (a bᵀ + b aᵀ) S⁻¹ / 2",
        symmetric="S",
    ),
    "whitened by a Cholesky factor": Reference(
        lambda q: total(tf.linalg.triangular_solve(cholesky(q.S), (q.x - q.a)[:, None]) ** 2),
        "S",
        "-S⁻¹ (x - a) (x - a)ᵀ S⁻¹",
        symmetric="S",
    ),
    "evidence by a Cholesky factor (Rasmussen and Williams, algorithm 2.1)": Reference(
        lambda q: evidence(q.x, q.S), "S", "(S⁻¹ x xᵀ - I) S⁻¹ / 2", symmetric="S"
    ),
    "evidence by a Cholesky factor, by its noise": Reference(
        lambda q: evidence(q.x, q.S + q.s * unit(q.S, 0)),
        "s",
        "(‖(S + s I)⁻¹ x‖² - tr((S + s I)⁻¹)) / 2",
        symmetric="S",
    ),
    "Cholesky factor (Murray 2016)": Reference(
        lambda q: total(q.A * cholesky(q.S)),
        "S",
        "chol(S)⁻ᵀ (tril(chol(S)ᵀ A) + tril(chol(S)ᵀ A, -1)ᵀ) chol(S)⁻¹ / 2",
        symmetric="S",
    ),
    "triangle of a QR decomposition": Reference(
        lambda q: total(q.A * tf.linalg.qr(q.X)[1]),
        "X",
        "Q(X) (A - tril(A R(X)ᵀ - R(X) Aᵀ) R(X)⁻ᵀ)",
    ),
    "what is above the diagonal, weighed": Reference(
        lambda q: total(tf.linalg.band_part(q.A * q.X, 0, -1)), "X", "triu(A)"
    ),
    "what is both triangles": Reference(
        lambda q: total(tf.linalg.band_part(tf.linalg.band_part(q.A, 0, -1), -1, 0) ** 2),
        "A",
        "2 diag(diag(A))",
    ),
    "a diagonal of more rows than columns": Reference(
        lambda q: total(tf.linalg.band_part(q.M, 0, 0) ** 2), "M", "2 tril(triu(M))"
    ),
    "differences": Reference(
        lambda q: total((q.x[1:] - q.x[:-1]) ** 2),
        "x",
        "2 (I[1:3] - I[0:2])ᵀ (x[1:3] - x[0:2])",
        is_of_any_size=False,
    ),
    "a turned vector": Reference(
        lambda q: total(tf.roll(q.x, 1, 0) * q.x**2),
        "x",
        "2 (x ⊙ (Π x)) + Πᵀ x^⊙2",
    ),
    "a part of a matrix": Reference(
        lambda q: total(q.A[1:, :2] ** 2),
        "A",
        "2 I[1:3]ᵀ A[1:3, 0:2] I[0:2]",
        is_of_any_size=False,
    ),
    "vec": Reference(
        lambda q: total(tf.sin(tf.reshape(q.M, [-1])) * tf.reshape(q.W, [-1])),
        "M",
        "W ⊙ cos(M)",
    ),
    "repeated": Reference(
        lambda q: total(tf.tile(q.x, [2]) ** 2),
        "x",
        "4 x",
    ),
    "blocks": Reference(
        lambda q: total(
            mv(
                tf.concat([tf.concat([q.A, q.B], 1), tf.concat([q.B, q.C], 1)], 0),
                tf.concat([q.x, q.a], 0),
            )
        ),
        "B",
        "𝟏 (x + a)ᵀ",
    ),
    "one entry of each row": Reference(
        lambda q: total(tf.gather(q.M, tf.range(q.M.shape[0]), batch_dims=1) ** 2),
        "M",
        "2 diag((I[0:2] ⊙ M) 𝟏) I[0:2]",
        is_of_any_size=False,
    ),
    "rows that count": Reference(
        lambda q: total(tf.where((q.y > 0.9)[:, None], q.M, 0.0) ** 2),
        "M",
        "2 diag([y > 0.9]) M",
    ),
    "columns that count, and others": Reference(
        lambda q: total(tf.exp(tf.where(q.x > 0.9, q.M, q.W))),
        "M",
        "exp(W diag([x ≤ 0.9]) + M diag([x > 0.9])) diag([x > 0.9])",
    ),
    "rows and columns that count": Reference(
        lambda q: total(tf.where((q.y > 0.9)[:, None] & (q.x < 0.9), q.M, 0.0) ** 2),
        "M",
        "2 diag([y > 0.9]) M diag([x < 0.9])",
    ),
    "attention to keys that are there": Reference(
        lambda q: total(q.W * tf.nn.softmax(tf.where(q.x > 0.9, q.M, -1e9))),
        "M",
        "(softmax(M diag([x > 0.9]) - 1000000000 𝟏 [x ≤ 0.9]ᵀ) ⊙ (W - (W ⊙ "
        "softmax(M diag([x > 0.9]) - 1000000000 𝟏 [x ≤ 0.9]ᵀ)) 𝟏 𝟏ᵀ)) diag([x > 0.9])",
    ),
    "attention that fits targets, by its queries": Reference(
        lambda q: total((softmax(q.M @ T(q.X) / SQRT2) @ q.A - q.W) ** 2),
        "M",
        "√2 (softmax(M Xᵀ / √2) ⊙ ((softmax(M Xᵀ / √2) A - W) Aᵀ - ((softmax(M Xᵀ / √2) A) ⊙ "
        "(softmax(M Xᵀ / √2) A - W)) 𝟏 𝟏ᵀ)) X",
    ),
    "attention that fits targets, by its keys": Reference(
        lambda q: total((softmax(q.M @ T(q.X) / SQRT2) @ q.A - q.W) ** 2),
        "X",
        "√2 (softmax(M Xᵀ / √2)ᵀ ⊙ (A (softmax(M Xᵀ / √2) A - W)ᵀ - 𝟏 𝟏ᵀ ((softmax(M Xᵀ / √2) "
        "A) ⊙ (softmax(M Xᵀ / √2) A - W))ᵀ)) M",
    ),
    "attention with a maximum taken off (Dao 2022)": Reference(
        lambda q: total(q.W * (by_hand(q.M @ T(q.X)) @ q.A)),
        "M",
        "(softmax(M Xᵀ) ⊙ (W Aᵀ - (W ⊙ (softmax(M Xᵀ) A)) 𝟏 𝟏ᵀ)) X",
    ),
    "attention that fits targets, with a maximum taken off": Reference(
        lambda q: total((by_hand(q.M @ T(q.X)) @ q.A - q.W) ** 2),
        "X",
        "2 (softmax(M Xᵀ)ᵀ ⊙ (A (softmax(M Xᵀ) A - W)ᵀ - 𝟏 𝟏ᵀ ((softmax(M Xᵀ) A) ⊙ (softmax(M "
        "Xᵀ) A - W))ᵀ)) M",
    ),
    "two heads that fit targets": Reference(
        lambda q: total(
            (softmax(q.M @ q.A @ T(q.X)) @ q.B + softmax(q.M @ q.C @ T(q.X)) @ q.D - q.W) ** 2
        ),
        "A",
        "2 Mᵀ (softmax(M A Xᵀ) ⊙ ((softmax(M A Xᵀ) B + softmax(M C Xᵀ) D - W) Bᵀ - ((softmax(M "
        "A Xᵀ) B) ⊙ (softmax(M A Xᵀ) B + softmax(M C Xᵀ) D - W)) 𝟏 𝟏ᵀ)) X",
    ),
    "cross entropy of what attention mixes": Reference(
        lambda q: -total(q.W * tf.math.log(softmax(q.M @ T(q.X)) @ q.A)),
        "M",
        "(softmax(M Xᵀ) ⊙ (W 𝟏 𝟏ᵀ - (W ⊘ (softmax(M Xᵀ) A)) Aᵀ)) X",
    ),
    "cross entropy of the scores of attention": Reference(
        lambda q: total(cross_entropy(labels=q.W, logits=softmax(q.M @ T(q.X)) @ q.A)),
        "A",
        "softmax(M Xᵀ)ᵀ (diag(W 𝟏) softmax(softmax(M Xᵀ) A) - W)",
    ),
    "logsumexp of each row with its maximum taken off": Reference(
        lambda q: total(shifted_logsumexp(q.M @ q.X)),
        "X",
        "Mᵀ softmax(M X)",
    ),
    "softmax of a column with its maximum taken off": Reference(
        lambda q: dot(
            q.a, tf.exp(q.x - tf.reduce_max(q.x)) / total(tf.exp(q.x - tf.reduce_max(q.x)))
        ),
        "x",
        "softmax(x) ⊙ (a - (aᵀ softmax(x)) 𝟏)",
    ),
    "softmax of each column with its maximum taken off": Reference(
        lambda q: total(q.W * T(by_hand(T(q.M)))),
        "M",
        "softmax(Mᵀ)ᵀ ⊙ (W - 𝟏 𝟏ᵀ (W ⊙ softmax(Mᵀ)ᵀ))",
    ),
    "energy of a graph (Belkin and Niyogi 2003)": Reference(
        lambda q: total(q.A * (q.x[:, None] - q.x) ** 2),
        "x",
        "2 (x ⊙ ((A + Aᵀ) 𝟏) - (A + Aᵀ) x)",
    ),
    "all pairs of a sample (Gini 1912)": Reference(
        lambda q: total(tf.abs(q.x - q.x[:, None])), "x", "2 sign(x 𝟏ᵀ - 𝟏 xᵀ) 𝟏"
    ),
    "columns that are normalized (Ioffe and Szegedy 2015)": Reference(
        lambda q: total(
            q.W * (q.M - tf.reduce_mean(q.M, 0)) / tf.sqrt(tf.math.reduce_variance(q.M, 0) + q.s)
        ),
        "M",
        "(I - 𝟏 𝟏ᵀ / 2) (2 W diag(𝟏 ⊘ √((Mᵀ - Mᵀ 𝟏 𝟏ᵀ / 2)^⊙2 𝟏 / 2 + s 𝟏)) - M diag(((Wᵀ ⊙ (Mᵀ - "
        "Mᵀ 𝟏 𝟏ᵀ / 2)) 𝟏) ⊘ ((Mᵀ - Mᵀ 𝟏 𝟏ᵀ / 2)^⊙2 𝟏 / 2 + s 𝟏)^⊙(3/2))) / 2",
        is_of_any_size=False,
    ),
}
