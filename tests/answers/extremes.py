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


def _at_no_time(tf: Any) -> Any:
    """P(a, 0) is 0 for any a; zeta of one and of infinity is infinite, also at poles."""
    shapes = tf.constant([0.0, 2.0, -1.0, NAN, INF, -INF], tf.float64)
    orders = tf.constant([1.0, 1.0, INF, INF, 3.0], tf.float64)
    at = tf.constant([0.0, -1.0, 0.0, -2.0, -1.0], tf.float64)
    return tf.math.igamma(shapes, tf.zeros_like(shapes)), tf.math.zeta(orders, at)


def _guarded(seed: float, dtype: str) -> Run:
    """Gradients of what is 0 where one operand is, with cotangents that are 0 or infinite."""

    def run(tf: Any) -> Any:
        x = tf.constant([1.0, INF, NAN, 0.0, 3.0, -INF], dtype)
        y = tf.constant([2.0, 0.0, 0.0, 0.0, 4.0, 2.0], dtype)
        found = []
        for f in (tf.math.multiply_no_nan, tf.math.divide_no_nan):
            with tf.GradientTape() as tape:
                tape.watch([x, y])
                z = f(x, y)
            found.append(tape.gradient(z, [x, y], output_gradients=tf.fill([6], x[0] * seed)))
        return found

    return run


def _on_cuts(tf: Any) -> Any:
    """Slopes of inverse functions on their cuts are those of the side that their values are on."""
    found = []
    for name, at in (
        ("asin", [2.0, 2.0 + 1e-3j]),
        ("acos", [2.0, 2.0 + 1e-3j]),
        ("asinh", [2.0j, -2.0j, 1e-3 - 2.0j]),
        ("acosh", [-2.0, -0.5, 0.5, -2.0 + 1e-3j]),
        ("atanh", [2.0, -2.0]),
    ):
        z = tf.constant(at, tf.complex128)
        with tf.GradientTape() as outer:
            outer.watch(z)
            with tf.GradientTape() as inner:
                inner.watch(z)
                w = getattr(tf.math, name)(z)
            first = inner.gradient(w, z)
        found += [first, outer.gradient(first, z)]
    return found


TABLE.add("inverse functions on their cuts", _on_cuts)
TABLE.add("functions at their edges", _at_no_time)
TABLE.rows(
    "guarded",
    [_guarded(s, d) for s in (0.0, 1.0, INF) for d in ("float16", "float32", "float64")],
)
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
