"""Methods and properties that are given arguments of many forms, and what they refuse.

The rows are texts of Python, which are their names as well.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.answers.answer import Table
from tests.answers.stand_ins import wide

TABLE = Table("method_forms")
PLAIN = (
    "tf.Variable(2.0).scatter_add(S([5.0], [0]))",
    "tf.Variable(2.0).batch_scatter_update(S([5.0], [0]))",
    "tf.Variable([1.0, 2.0]).scatter_add(S([5.0], [2]))",
    "tf.Variable([1.0, 2.0]).scatter_add(S([5.0], [1])).value()",
    "tf.constant([1.0]).consumers()",
    "tf.constant([1.0, 2.0])[tf.constant(1, tf.int16)]",
    "tf.constant([1.0, 2.0])[np.uint8(1)]",
    "tf.constant([1.0])[tf.constant(0, tf.uint8)]",
    "tf.random.stateless_poisson([3], [1, 2], 2.0, dtype=tf.uint8)",
    "tf.random.stateless_poisson([3], [1, 2], 2.0, dtype=tf.bfloat16)",
    "tf.random.stateless_poisson([3], [1, 2], 2.0, dtype=tf.float16)",
    "tf.random.stateless_categorical([[0.0, 1.0]], 3, [1, 2], dtype=tf.float64)",
    "tf.random.stateless_categorical([[0.0, 1.0]], 3, [1, 2], dtype=tf.int32)",
    "tf.data.Dataset.range(3).cache(3)",
    "tf.data.Dataset.range(3).cache(None)",
    "tf.data.Dataset.range(3).shuffle(3, seed=2.0)",
    "tf.data.Dataset.range(3).shuffle(3, seed=tf.constant(2))",
    "tf.data.Dataset.random(seed=2.0)",
    "list(tf.data.Dataset.range(3).shuffle(3, seed=tf.constant(2, tf.int64)))",
    "tf.float32.is_quantized, tf.string.is_numpy_compatible",
)
TYPES = (
    "tf.Variable([1.0, 2.0]).scatter_add(S([5.0, 6.0], [0]))",
    "tf.Variable([[1.0, 2.0], [3.0, 4.0]]).scatter_nd_add([[1, 0, 0]], [9.0])",
    "tf.Variable([1.0, 2.0]).batch_scatter_update(S([5.0], [1.0]))",
    "tf.Variable([1.0, 2.0]).gather_nd(tf.constant([[0]], tf.int16))",
    "tf.Variable([1.0, 2.0]).sparse_read(tf.constant([0], tf.int16))",
)
"""Refused with a text that has the signature of an operation, or places of the memory."""

SHAPES = ("None", "[]", "[2, 3]", "[None, 3]", "[2]")


def _run(text: str, tf: Any) -> Any:
    def slices(values: Any, indices: Any) -> Any:
        return tf.IndexedSlices(tf.constant(values), tf.constant(indices))

    return eval(text, {"tf": wide(tf), "np": np, "S": slices})  # noqa: S307 - of this table


def _add(text: str, says: str) -> None:
    TABLE.add(text, lambda tf: _run(text, tf), says=says)


for _text in PLAIN:
    _add(_text, "plain")
for _text in TYPES:
    _add(_text, "type")


@TABLE.program
def _texts_that_nothing_depends_on(tf: Any) -> Any:
    x = tf.constant(["a"])
    with tf.GradientTape() as tape:
        y = tf.constant(1.0)
    return tape.gradient(y, x, unconnected_gradients="zero")


for _one in SHAPES:
    for _other in SHAPES:
        _shape, _that = f"tf.TensorShape({_one})", f"tf.TensorShape({_other})"
        _add(f"{_shape}.is_subtype_of({_that})", "plain")
        _add(f"str({_shape}.most_specific_compatible_shape({_that}))", "plain")
        _add(f"str({_shape}.most_specific_common_supertype([{_that}]))", "plain")
