"""Dtypes that nobody says: of numbers beside tensors, of large and small integers, of counts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.answers.answer import Table

TABLE = Table("decided_dtypes")


def _wide(tf: Any) -> Any:
    return tf.constant(1.5, tf.float64)


_BESIDE: list[Callable[[Any, Any], Any]] = [
    lambda tf, wide: tf.stack([wide, 2.0]),
    lambda tf, wide: tf.stack([2.0, wide]),
    lambda tf, wide: tf.stack([wide, 2]),
    lambda tf, wide: tf.convert_to_tensor([wide, 2.0]),
    lambda tf, wide: tf.convert_to_tensor([[wide, 1.0], [2.0, 3.0]]),
    lambda tf, wide: tf.reduce_sum([wide, 2.0]),
    lambda tf, wide: tf.reduce_sum([2.0, wide]),
    lambda tf, wide: tf.concat([[wide], [2.0]], 0),
    lambda tf, wide: wide * [wide, 2.0],
    lambda tf, wide: tf.add_n([wide, 2.0]),
    lambda tf, wide: tf.stack([wide, tf.constant(1.0)]),
    lambda tf, wide: tf.convert_to_tensor([wide, tf.constant(1.0)]),
    lambda tf, wide: tf.stack([tf.constant(2), 2.5]),
]
TABLE.rows("beside a tensor", [lambda tf, f=f: f(tf, _wide(tf)) for f in _BESIDE])

TABLE.add("a constant of a tensor", lambda tf: tf.constant([_wide(tf), 2.0]), says="type")

_INTEGERS = (
    *(-3_000_000_000, -(2**31) - 1, -(2**31), 2**31 - 1, 2**31, 2**63 - 1, [1, 2**31]),
    *([1.5, 3_000_000_000], 2**63, 2**64 - 1, [1, 2**63], -(2**63) - 1),
)
TABLE.rows("a number", [lambda tf, n=n: tf.constant(n) for n in _INTEGERS])
TABLE.add("large, of uint64", lambda tf: tf.constant(2**63, tf.uint64))
TABLE.rows(
    "a count",
    [
        lambda tf: tf.math.count_nonzero([[1.0, 0.0], [2.0, 0.0]], 0),
        lambda tf: tf.math.count_nonzero(tf.constant(["a", ""])),
        lambda tf: tf.math.count_nonzero([True, False]),
        *[
            lambda tf, name=name: tf.math.count_nonzero([1, 0, 2], dtype=name)
            for name in ("int8", "uint8", "int32", "int64", "float32", "float64")
        ],
    ],
)
TABLE.rows(
    "small numbers",
    [
        lambda tf: tf.reduce_mean(tf.constant([127, 100, 98], tf.int8)),
        lambda tf: tf.reduce_mean([2**31 - 1, 2**31 - 6]),
        lambda tf: tf.reduce_mean(tf.constant([-7, 2], tf.int16)),
        lambda tf: tf.reduce_mean(tf.constant([255] * 3, tf.uint8)),
        lambda tf: tf.one_hot(1, 2, 5, 2, dtype=tf.int8),
        lambda tf: tf.one_hot(1, 2, 5, dtype=tf.float32),
        lambda tf: tf.linspace(tf.constant(0, tf.uint8), tf.constant(3, tf.uint8), 3),
        lambda tf: tf.math.imag([np.nan, np.inf]),
    ],
)
