"""Numbers that are not finite, and counts at their ends: how far they reach, and what is told."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.answers.answer import Table

TABLE = Table("extremes")

Run = Callable[[Any], Any]
INF, NAN = float("inf"), float("nan")
ROWS = [[0.0, 1.0, INF], [0.0, 1.0, -INF], [-INF] * 3, [NAN, 0.0, 1.0], [0.5, 1.0, 2.0]]
IMAGE = np.arange(36, dtype=np.float32).reshape(1, 6, 6, 1)
HOLE = np.where(IMAGE == 14, NAN, IMAGE).astype(np.float32)


def _with_gradient(run: Callable[..., Any], value: Any) -> Run:
    """Ask for a result, and the gradient of its elements with weights."""

    def both(tf: Any) -> Any:
        x = tf.constant(value)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = run(tf, x)
        weights = tf.reshape(tf.range(1.0, 1.0 + int(np.prod(y.shape))), y.shape)
        return [y, tape.gradient(y, x, output_gradients=weights)]

    return both


TENTHS = [-3.0, -1.0, -0.3, 0.0, 0.3, 1.0, 3.0, 7.0]


def _quotients(dtype: str) -> Run:
    """Divide all of some numbers by all of others, rounded down."""

    def run(tf: Any) -> Any:
        above = tf.constant([*TENTHS, INF, NAN], dtype)[:, tf.newaxis]
        below = tf.constant([0.1, -0.1, 0.3, 2.0, 0.0, INF, -INF], dtype)
        return [tf.math.floordiv(above, below), above // below]

    return run


def _remainders(dtype: str) -> Run:
    """What is left of those quotients, its gradient, and the signs of its zeros."""

    def run(tf: Any) -> Any:
        above = tf.constant([*TENTHS, -0.0, 5.2, -7.5, 8.1, INF, NAN], dtype)[:, tf.newaxis]
        below = tf.constant([0.1, -0.1, 0.3, 0.4, 2.0, -1.0, 0.0, INF, -INF], dtype)
        below = below + tf.zeros_like(above)
        with tf.GradientTape() as tape:
            tape.watch(below)
            left = tf.math.floormod(above, below)
        return [left, 1 / left, above % below, tape.gradient(left, below)]

    return run


def _of_shapes_at_the_ends(dtype: str) -> Run:
    """Slopes of the incomplete gamma functions in x, where the shape is 0 or infinite."""

    def run(tf: Any) -> Any:
        found = []
        for shape, at in ((0.0, [0.0, 1e-5, 0.3, 1.0, 2.0, 50.0, INF, NAN]), (INF, [0.0, 0.3])):
            x = tf.constant(at, dtype)
            for f in (tf.math.igamma, tf.math.igammac):
                with tf.GradientTape() as tape:
                    tape.watch(x)
                    y = f(tf.constant(shape, dtype), x)
                found.append(tape.gradient(y, x))
        return found

    return run


TABLE.rows("igamma", [_of_shapes_at_the_ends(dtype) for dtype in ("float32", "float64")])
TABLE.rows("floormod", [_remainders(dtype) for dtype in ("float16", "float32", "float64")])
TABLE.rows("floordiv", [_quotients(dtype) for dtype in ("float16", "float32", "float64")])
TABLE.rows(
    "softmax",
    [
        *[_with_gradient(lambda tf, x, k=k: tf.nn.softmax(x, k), ROWS) for k in (0, 1)],
        *[_with_gradient(lambda tf, x, k=k: tf.nn.log_softmax(x, k), ROWS) for k in (0, 1)],
        _with_gradient(lambda tf, x: tf.nn.softmax(x), ROWS[0]),
        _with_gradient(lambda tf, x: tf.reduce_logsumexp(x, 1), ROWS),
        _with_gradient(
            lambda tf, x: tf.nn.sparse_softmax_cross_entropy_with_logits([0, 1, 2, 2, 0], x), ROWS
        ),
        _with_gradient(
            lambda tf, x: tf.nn.softmax_cross_entropy_with_logits([[1.0, 0.0, 0.0]] * 5, x), ROWS
        ),
    ],
)
TABLE.rows(
    "pixels",
    [
        *[
            _with_gradient(lambda tf, x, n=n, how=how: tf.image.resize(x, n, how), HOLE)
            for n in ([12, 12], [3, 3], [5, 9])
            for how in ("bilinear", "bicubic", "nearest")
        ],
        lambda tf: tf.image.resize(HOLE, [5, 9], "area"),
    ],
)
TABLE.rows(
    "among the largest",
    [
        lambda tf: tf.math.in_top_k([0, 1, 2], [[1, INF, 3], [1, 2, NAN], [INF, 1, 5]], 2),
        lambda tf: tf.math.in_top_k(
            [0, 1, 2, 1], [[5, -INF, 3], [1, 2, -INF], *[[3.0, 1, 2]] * 2], 1
        ),
    ],
)
TABLE.rows(
    "events",
    [
        lambda tf: tf.random.poisson([2], [-1.0, 2.0], seed=3),
        lambda tf: tf.random.poisson([2], [-1.0, 2.0], tf.int32, seed=3),
        lambda tf: tf.random.stateless_poisson([2], [1, 2], [-1.0, 2.0]),
        lambda tf: tf.random.stateless_poisson([2], [1, 2], [-1.0, 2.0], tf.float32),
    ],
)
TABLE.rows(
    "evenly spaced",
    [
        lambda tf: tf.range(1.0, 3.5, 0.5, dtype=tf.bfloat16),
        lambda tf: tf.range(5.0, 1.0, -1.5, dtype=tf.bfloat16),
        lambda tf: tf.range(0.0, 1.0, 0.1, dtype=tf.bfloat16),
        lambda tf: tf.range(tf.constant(1, tf.bfloat16), 4),
        lambda tf: tf.range(tf.constant(1, tf.float16), 4.0),
        lambda tf: tf.range(tf.constant(1, tf.float16), tf.constant(3, tf.bfloat16)),
    ],
)


def _quotients(tf: Any) -> Any:
    """Derive quotients up to the third order where powers of the divisor are out of range."""
    x = tf.constant([1e25, 1e20, 1e-20, -1e-25])
    y = tf.constant([1e14, 1e12, 1e-14, 1e-13])
    found = [x / y]
    with tf.GradientTape() as third:
        third.watch(y)
        with tf.GradientTape() as second:
            second.watch(y)
            with tf.GradientTape() as first:
                first.watch(y)
                z = x / y
            found.append(first.gradient(z, y))
        found.append(second.gradient(found[-1], y))
    return [*found, third.gradient(found[-1], y)]


TABLE.add("quotients of three orders", _quotients)
