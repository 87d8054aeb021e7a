"""Axes, counts and flags that are given as numbers, tensors, arrays, lists, or wrongly."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.answers.answer import Table

TABLE = Table("places")
GIVEN: dict[str, Callable[[Any], Any]] = {
    "a tensor": lambda tf: tf.constant(1),
    "a long tensor": lambda tf: tf.constant(1, tf.int64),
    "a short tensor": lambda tf: tf.constant(1, tf.int16),
    "a variable": lambda tf: tf.Variable(1),
    "an int64": lambda tf: np.int64(1),
    "a number": lambda tf: 1,
    "below zero": lambda tf: -1,
    "beyond": lambda tf: 7,
    "a fraction": lambda tf: 0.5,
    "none": lambda tf: None,
    "a list": lambda tf: [1],
    "an empty list": lambda tf: [],
    "a text": lambda tf: "a",
}
Run = Callable[[Any, Any, Any], Any]
FUNCTIONS: dict[str, tuple[Run, tuple[str, ...]]] = {
    "stack": (lambda tf, x, v: tf.stack([x, x], axis=v), ("a fraction",)),
    "unstack": (lambda tf, x, v: tf.unstack(x, axis=v), ("a variable",)),
    "batch_dims": (
        lambda tf, x, v: tf.gather(x, [0, 1], batch_dims=v),
        ("a short tensor", "a fraction", "none", "a text"),
    ),
    "cross entropy": (
        lambda tf, x, v: tf.nn.softmax_cross_entropy_with_logits(x, x, axis=v),
        ("a short tensor", "a fraction", "a list", "an empty list", "a text", "beyond"),
    ),
    "cumsum": (lambda tf, x, v: tf.cumsum(x, v), ("none", "a text")),
    "exclusive": (lambda tf, x, v: tf.cumsum(x, 0, exclusive=v), ()),
    "reverse": (lambda tf, x, v: tf.math.cumprod(x, 0, False, v), ()),
    "exclusive logarithms": (lambda tf, x, v: tf.math.cumulative_logsumexp(x, 0, v), ()),
    "reduce_sum": (lambda tf, x, v: tf.reduce_sum(x, v), ("a text",)),
    "reduce_max": (lambda tf, x, v: tf.reduce_max(x, v), ("a text",)),
    "clip_by_norm": (lambda tf, x, v: tf.clip_by_norm(x, v), ("none", "an empty list", "a text")),
    "parts": (lambda tf, x, v: tf.split(x, v), ("a fraction", "none", "an empty list", "a text")),
    "one_hot": (lambda tf, x, v: tf.one_hot([0], v), ("none", "a list", "an empty list", "a text")),
    "segments": (
        lambda tf, x, v: tf.math.unsorted_segment_sum(x, tf.constant([0, 1], tf.int16), v),
        ("none", "a list", "an empty list", "a text", "a fraction", "a short tensor"),
    ),
    "ragged stack": (lambda tf, x, v: tf.ragged.stack([x, x], v), ("beyond",)),
    "fftshift": (
        lambda tf, x, v: tf.signal.fftshift(x, v),
        ("a long tensor", "a short tensor", "a fraction", "a text"),
    ),
}
"""Each with what TensorFlow tells by an accident, which is left out."""

for _name, (_run, _without) in FUNCTIONS.items():
    for _called, _given in GIVEN.items():
        if _called not in _without:
            TABLE.add(
                f"{_name}: {_called}",
                lambda tf, run=_run, given=_given: run(
                    tf, tf.constant([[3.0, 1.0, 2.0], [5.0, 4.0, 6.0]]), given(tf)
                ),
                says="type",
            )
TABLE.rows(
    "flags",
    [
        lambda tf, v=v: tf.cumsum([1.0, 2.0], exclusive=v, reverse=v)
        for v in (0, 1, None, True, np.True_, "no", [True])
    ],
)
TABLE.rows(
    "norms below zero",
    [lambda tf, v=v: tf.clip_by_norm([3.0, 4.0], v) for v in (-1, -0.5, np.float32(-2), 0, 2)],
)
TABLE.add("very many steps", lambda tf: tf.linspace(0.0, 1.0, 2**31))
TABLE.rows(
    "ragged masks",
    [
        lambda tf, v=v: tf.ragged.boolean_mask([[1, 2], [3, 4]], v)
        for v in ([0, 1], [[1, 0], [0, 1]], [True, False], np.array([[True, False]] * 2), True)
    ],
)
TABLE.rows(
    "the middle of an image",
    [
        lambda tf, v=v: tf.image.central_crop(np.arange(45).reshape(3, 5, 3), v)
        for v in (0.6, np.float32(0.6), np.float64(0.6), 0.2, 1, np.float32(1.0), 1.5, 0.0)
    ],
)
TABLE.rows(
    "the middle of an image by a tensor",
    [
        lambda tf, v=v: tf.image.central_crop(
            np.arange(45).reshape(3, 5, 3), tf.constant(v, tf.float32)
        )
        for v in (0.6, 0.2, 1.0)
    ],
)
TABLE.rows(
    "counts without weights",
    [lambda tf, v=v: tf.math.bincount([1, 1, 3], v, dtype=tf.float32) for v in (None, [])],
)
