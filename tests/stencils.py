"""Random functions that cut, pad, turn, join and sum the rows and columns of a matrix."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import symtape as tf
from tests.loop_tasks import Work, of_formula

STEPS: dict[str, Callable[[Any], Any]] = {
    "relu": tf.nn.relu,
    "square": tf.square,
    "tanh": tf.tanh,
    "where": lambda a: tf.where(a > 0, a, 0.5 * a),
    "maximum": lambda a: tf.maximum(a, 0.1),
    "turn rows": lambda a: tf.concat([a[1:], a[:1]], 0),
    "turn columns": lambda a: tf.concat([a[:, 1:], a[:, :1]], 1),
    "pad": lambda a: tf.pad(a, [[1, 1], [0, 1]]),
    "pad after": lambda a: tf.pad(a, [[0, 2], [1, 0]]),
    "pad by its own": lambda a: tf.pad(a, [[1, 1], [0, 0]], "SYMMETRIC"),
    "every second row": lambda a: a[::2],
    "every second column": lambda a: a[:, ::2],
    "reverse": lambda a: a[::-1, ::-1],
    "transpose": tf.transpose,
    "interleave": lambda a: tf.reshape(tf.stack([a, 2 * a], 1), (-1, a.shape[1])),
    "tile": lambda a: tf.tile(a, [2, 1]),
    "differences": lambda a: a[1:] - a[:-1] if a.shape[0] > 1 else a,
    "three rows": lambda a: a[2:] * a[1:-1] - a[:-2] if a.shape[0] > 2 else a,
    "pairs": lambda a: tf.reshape(a, (-1, 2)) if tf.size(a) % 2 == 0 else a,
    "some rows": lambda a: tf.gather(a, [0, a.shape[0] - 1, 0]),
    "band": lambda a: tf.linalg.band_part(a, 1, 0),
    "running sum": tf.cumsum,
    "sums of rows": lambda a: a * tf.reduce_sum(a, 1, keepdims=True),
    "means of columns": lambda a: a - tf.reduce_mean(a, 0, keepdims=True),
}
ENDS = (
    lambda a: tf.reduce_sum(a * a),
    lambda a: tf.reduce_mean(tf.reduce_sum(a, -1) ** 2),
    lambda a: tf.reduce_mean(tf.reduce_sum(a, -1) ** 3),
    lambda a: tf.reduce_sum(tf.sin(tf.reduce_sum(a, 0))),
)


def stencil(seed: int) -> Iterator[Work]:
    """Give the gradient of a random function of a matrix, unless it is not connected."""
    rng = random.Random(seed)
    shape = rng.choice([2, 3, 4, 5, 8, 17]), rng.choice([1, 2, 2, 2, 3, 4, 7])
    dtype = rng.choice(["float64", "float64", "float32"])
    x = tf.constant(np.random.default_rng(seed).normal(size=shape).astype(dtype), name="x")
    names = rng.choices(list(STEPS), k=rng.randint(1, 3))
    with tf.GradientTape() as tape:
        tape.watch(x)
        a = x
        for name in names:
            a = STEPS[name](a)
        y = rng.choice(ENDS)(a)
    found = tape.gradient(y, x)
    if found is not None:
        yield of_formula(f"{seed}: {', '.join(names)}, {shape}", found.formula)
