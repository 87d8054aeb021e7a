"""What is printed of products, traces and diagonals, in each notation."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

import symtape as tf
from tests.references.room import Leaves


def _places(n: int, dtype: Any = tf.float64) -> Any:
    return tf.cast(tf.range(n), dtype)


def _one() -> Any:
    return tf.eye(2, dtype=tf.float64)


RULES: dict[str, Any] = {
    "trace of a multiple of one": lambda q: tf.linalg.trace(q.s * _one()),
    "trace of a diagonal": lambda q: tf.linalg.trace(tf.linalg.diag(q.x * q.s)),
    "trace of a transpose": lambda q: tf.linalg.trace(tf.transpose(q.A) * 2.0),
    "trace of a product with a diagonal": lambda q: tf.linalg.trace(
        q.A @ tf.linalg.diag(q.x) @ q.B
    ),
    "trace of an outer product": lambda q: tf.linalg.trace(q.x[:, None] * q.a),
    "trace of a part": lambda q: tf.linalg.trace((q.A @ q.B)[:2, :2]),
    "trace of an inverse and itself": lambda q: tf.linalg.trace(
        tf.linalg.inv(q.A) @ q.B @ q.A
    ),
    "diagonal of one": lambda q: tf.linalg.diag_part(q.s * _one()) * q.x,
    "diagonal of a diagonal": lambda q: tf.linalg.diag_part(tf.linalg.diag(q.x * q.a)),
    "diagonal of an outer product": lambda q: tf.linalg.diag_part(q.x[:, None] * q.a),
    "diagonal of a product with a diagonal": lambda q: tf.linalg.diag_part(
        q.A @ tf.linalg.diag(q.x)
    ),
    "diagonal of a product after a diagonal": lambda q: tf.linalg.diag_part(
        tf.linalg.diag(q.x) @ q.A @ q.B
    ),
    "diagonal of a transpose": lambda q: tf.linalg.diag_part(tf.transpose(q.A @ q.B)),
    "diagonal of a part": lambda q: tf.linalg.diag_part((q.A @ q.B)[:2, :2]),
    "a row times a diagonal": lambda q: (q.a[None] @ q.A @ tf.linalg.diag(q.x)) * q.s,
    "an inverse of a multiple of one": lambda q: tf.linalg.inv(q.s * _one()) @ q.A,
    "an inverse of a diagonal": lambda q: tf.linalg.inv(tf.linalg.diag(q.x) * 2.0) @ q.A,
    "an inverse of an inverse": lambda q: tf.linalg.inv(3.0 * tf.linalg.inv(q.A)),
    "a determinant of a diagonal": lambda q: tf.linalg.det(tf.linalg.diag(q.x)),
    "a determinant of one": lambda q: tf.linalg.det(q.s * _one()),
    "a factor of one number": lambda q: tf.linalg.cholesky(q.s[None, None]),
    "an exponential of one number": lambda q: tf.linalg.expm(q.s[None, None]),
    "an exponential of a sum with one": lambda q: tf.reduce_sum(
        tf.linalg.expm(q.A / 9.0 + q.s * _one() / 9.0)
    ),
    "a diagonal band": lambda q: tf.linalg.band_part(q.A @ q.B, 0, 0),
    "a lower triangle twice": lambda q: tf.linalg.band_part(
        tf.linalg.band_part(q.A, -1, 0), -1, 0
    ),
    "an upper triangle of a multiple": lambda q: tf.linalg.band_part(2.0 * q.A * q.s, 0, -1),
    "rows in turn": lambda q: tf.reshape(q.A @ q.B, [-1]) * q.s,
    "rows in turn and back": lambda q: tf.reshape(tf.reshape(q.A, [-1]) * q.s, [2, 2]),
    "a cross product by itself": lambda q: tf.linalg.matvec(q.A, q.x) * tf.reduce_sum(q.a),
    "rows and columns that lists choose": lambda q: tf.sin(
        tf.gather(tf.gather(q.A, [1, 0]), [1, 0, 1], axis=1)
    ),
    "one of each row": lambda q: tf.gather(q.A * q.s, [1, 0], batch_dims=1),
    "a sum of rows by their numbers": lambda q: tf.math.unsorted_segment_sum(q.A, [1, 1], 2),
    "a pseudo inverse": lambda q: tf.linalg.pinv(q.M),
    "a pseudo inverse of a transpose": lambda q: tf.linalg.pinv(tf.transpose(q.W)),
    "the sign of a difference": lambda q: (q.a - q.x) * (q.x - q.a) * q.s,
    "a product of negatives": lambda q: (-q.A) @ (-q.B) @ tf.transpose(q.A - q.B),
    "a softmax of some": lambda q: tf.nn.softmax(tf.where(q.B > 0.5, q.A, -1e9)) @ q.C,
    "a softmax of some, and of no other": lambda q: tf.nn.softmax(
        tf.where(q.B > 0.5, q.A, -np.inf)
    ) ** 2,
    "a softmax of some entries": lambda q: tf.nn.softmax(tf.where(q.a > 0.5, q.x, -1e9)) ** 2,
    "a softmax of some entries, and of no other": lambda q: tf.nn.softmax(
        tf.where(q.a > 0.5, q.x, -np.inf)
    ) ** 2,
    "a softmax of functions of some": lambda q: tf.nn.softmax(
        tf.where(q.B > 0.5, tf.nn.leaky_relu(q.x[:, None] + q.a), -1e9)
    ) @ q.C,
    "a softmax of some of some": lambda q: tf.nn.softmax(
        tf.where(q.B > 0.5, tf.where(q.C > 0.5, q.A, -1e9), -np.inf)
    ) @ q.C,
    "a mean of some by their exponentials": lambda q: tf.reduce_sum(
        tf.cast(q.a > 0.5, tf.float64) * tf.exp(q.x) * q.b
    ) / tf.reduce_sum(tf.cast(q.a > 0.5, tf.float64) * tf.exp(q.x)),
    "a logarithm of a sum of some": lambda q: tf.reduce_logsumexp(
        tf.where(q.B > 0.5, q.A, -np.inf), axis=1
    ) ** 2,
    "one over exponentials of some": lambda q: tf.cast(q.a > 0.5, tf.float64) / tf.exp(q.x)
    / tf.reduce_sum(tf.exp(tf.where(q.a > 0.5, q.x, -np.inf))),
    "logarithms of sums in exponents": lambda q: tf.reduce_logsumexp(
        (q.x + tf.reduce_logsumexp(q.A, axis=1))[:, None] + q.B - q.a, axis=0
    ),
    "logarithms of sums in exponents, to be divided by": lambda q: tf.exp(
        (q.x - tf.reduce_logsumexp(q.A + q.x, axis=1))[:, None] + q.A
    ),
    "weights by their logarithms": lambda q: tf.reduce_logsumexp(
        tf.math.log(q.a) - (q.x - q.b) ** 2
    ),
    "a diagonal that is set": lambda q: tf.linalg.set_diag(q.A, q.x) ** 2,
    "a diagonal of zeros": lambda q: tf.linalg.set_diag(q.A @ q.B, tf.zeros(2, tf.float64)) ** 3,
    "a diagonal below that is set": lambda q: tf.linalg.set_diag(q.A, q.x[1:], k=-1) ** 2,
    "diagonals that are set": lambda q: tf.linalg.set_diag(q.A, q.A[:, ::-1], k=(0, 1)) * q.B,
    "a diagonal beside others": lambda q: tf.linalg.diag(q.x, padding_value=2.0) @ q.C,
    "one where it is not": lambda q: tf.where(
        tf.eye(2, dtype=tf.bool), q.s, 1.0 / (q.A - tf.transpose(q.A) + _one())
    ),
    "numbers as truth values": lambda q: tf.where(tf.cast(q.a - q.b, tf.bool), q.x, q.x**2),
    "a unit matrix as truth values": lambda q: tf.where(tf.cast(_one(), tf.bool), q.A, q.x) ** 2,
    "logarithms of shares that are weighed": lambda q: -tf.reduce_sum(
        q.B * tf.math.log(tf.nn.softmax(q.A))
    ),
    "a mean of logarithms of shares": lambda q: -tf.reduce_mean(
        tf.reduce_sum(q.B * tf.math.log(tf.nn.softmax(q.A @ q.C)), axis=1)
    ),
    "logarithms of shares of columns": lambda q: -tf.reduce_sum(
        q.B * tf.math.log(tf.nn.softmax(q.A, axis=0))
    ),
    "logarithms of shares of some, as before": lambda q: -tf.reduce_sum(
        q.B * tf.math.log(tf.nn.softmax(tf.where(q.C > 0.5, q.A, -np.inf)))
    ),
    "entropies of rows": lambda q: -tf.reduce_sum(
        tf.nn.softmax(q.A) * tf.math.log(tf.nn.softmax(q.A))
    ),
    "divergences of rows": lambda q: tf.reduce_sum(
        tf.nn.softmax(q.A) * (tf.math.log(tf.nn.softmax(q.A)) - tf.math.log(q.B))
    ),
    "a variance by shares": lambda q: tf.reduce_sum(
        (q.a - tf.reduce_sum(q.a * tf.nn.softmax(q.x))) ** 2 * tf.nn.softmax(q.x)
    ),
    "a row by itself times another": lambda q: tf.reduce_sum(
        (q.x - q.s) * tf.sin(q.a) * (q.x - q.s)
    ),
    "ones at places": lambda q: -tf.reduce_sum(
        tf.one_hot([1, 0], 2, dtype=tf.float64) * tf.nn.log_softmax(q.A)
    ),
    "ones and others at places": lambda q: -tf.reduce_sum(
        tf.one_hot([1, 0], 2, 0.9, 0.1, dtype=tf.float64) * tf.math.log(tf.nn.softmax(q.A))
    ),
    "ones at places of columns": lambda q: q.A * tf.one_hot([1, 1], 2, axis=0, dtype=tf.float64),
    "a one at a place": lambda q: q.x * tf.one_hot(1, 2, dtype=tf.float64),
    "ones at places in turn": lambda q: q.A * tf.one_hot(tf.range(2), 2, dtype=tf.float64),
    "ones at places that are not there": lambda q: q.A
    * tf.one_hot([0, 5], 2, dtype=tf.float64),
    "numbers of entries": lambda q: tf.reduce_sum(q.s * _places(6)) ** 2,
    "numbers of entries, and their squares": lambda q: tf.reduce_sum(
        (q.s * _places(6) - q.t) ** 2
    ),
    "numbers of some entries": lambda q: tf.exp(q.s * _places(8)[1:]) * _places(7)[::-1] ** 2,
    "numbers of each second entry": lambda q: tf.exp(q.s * _places(8)[1::2]) * q.t,
    "differences of numbers": lambda q: q.s * (_places(6)[1:] - _places(6)[:-1]),
    "a number of an entry": lambda q: tf.exp(q.s * _places(6)[3]),
    "places between numbers": lambda q: q.x * tf.linspace(np.float64(-1), np.float64(1), 2),
    "places from a number": lambda q: tf.sin(tf.linspace(q.s, q.t, 4) * np.pi),
    "places between entries": lambda q: tf.linspace(q.x, q.a, 3, axis=1) ** 2,
    "powers by numbers of entries": lambda q: q.x / (1 + q.s) ** _places(2),
    "powers by numbers from the end": lambda q: q.x * (1 - q.s) ** _places(2)[::-1],
    "powers of a unit matrix": lambda q: ((1.0 - _one()) ** 2 * q.A + _one() ** 3) ** 2,
}  # fmt: skip
"""Products, traces and diagonals that the algebra writes in another way."""


def with_gradient(function: Any) -> tuple[Any, list[Any]]:
    """Give leaves, a result, and its gradient by the first leaf that it depends on."""
    leaves = Leaves(2, 2)
    with tf.GradientTape() as tape:
        y = function(leaves)
    found = tape.gradient(y, [leaves.A, leaves.x, leaves.s, leaves.M, leaves.W])
    return leaves, [y, next(g for g in found if g is not None)]


NOT_BY_INDICES = [
    RULES[f"a{name}"]
    for name in (
        " pseudo inverse",
        " pseudo inverse of a transpose",
        "n exponential of a sum with one",
    )
]
"""What is long in indices."""


def _printed(function: Any) -> list[str]:
    """Print a result and its gradient in matrix notation, in LaTeX, and with indices."""
    found: list[str] = []
    _leaves, derived = with_gradient(function)
    for tensor in derived:
        ways = [tensor.text, tensor.latex, lambda x=tensor: str(x.index_expr())]
        for write in ways[: 2 if function in NOT_BY_INDICES else 3]:
            try:
                found.append(write())
            except tf.errors.SymtapeError as error:
                found.append(f"{type(error).__name__}: {error}")
    return found


TOLD: dict[str, Callable[[], Any]] = {
    name: partial(_printed, function) for name, function in RULES.items()
}
