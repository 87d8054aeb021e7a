"""Shapes that do not fit, within a function that TensorFlow traces: which errors are caught."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.answers.answer import Table

TABLE = Table("misfits")

MISFITS: dict[str, Callable[[Any, Any], Any]] = {
    "add": lambda tf, x: x + tf.ones([4, 3]),
    "multiply": lambda tf, x: tf.maximum(x * tf.ones([4]), 0.0),
    "matmul": lambda tf, x: x @ x,
    "matmul of a vector": lambda tf, x: tf.matmul(x, tf.ones([3])),
    "concat": lambda tf, x: tf.concat([x, tf.ones([2, 4])], 0),
    "stack": lambda tf, x: tf.stack([x, tf.ones([2])]),
    "reshape": lambda tf, x: tf.reshape(x, [4, -1]),
    "transpose": lambda tf, x: tf.transpose(x, [0]),
    "reduce_sum": lambda tf, x: tf.reduce_sum(x, 2),
    "squeeze": lambda tf, x: tf.squeeze(x, 0),
    "expand_dims": lambda tf, x: tf.expand_dims(x, 4),
    "an index": lambda tf, x: x[5],
    "too many indices": lambda tf, x: x[0, 0, 0],
    "tile": lambda tf, x: tf.tile(x, [1]),
    "pad": lambda tf, x: tf.pad(x, [[1, 1]]),
    "where": lambda tf, x: tf.where(x > 0.0, tf.ones([4]), x),
    "broadcast_to": lambda tf, x: tf.broadcast_to(x, [2, 4]),
    "einsum": lambda tf, x: tf.einsum("ij,jk->ik", x, x),
    "inv": lambda tf, x: tf.linalg.inv(x),
    "cross": lambda tf, x: tf.linalg.cross(x, tf.ones([3, 3])),
    "matmul of stacks with a hint": lambda tf, x: tf.matmul(x[None], x[None], a_is_sparse=True),
    "trace": lambda tf, x: tf.linalg.trace(x[0]),
    "split": lambda tf, x: tf.split(x, 2, axis=1),
    "add_n": lambda tf, x: tf.add_n([x, tf.ones([2])]),
    "bias_add": lambda tf, x: tf.nn.bias_add(x, tf.ones([2])),
    "top_k": lambda tf, x: tf.math.top_k(x, 4),
    "gather_nd": lambda tf, x: tf.gather_nd(x, [[0, 0, 0]]),
}


def _misfit(tf: Any, run: Any) -> Any:
    """Say which errors are caught, within a function that is traced and outside of it."""
    found = []
    for function in (tf.function(lambda x: run(tf, x)), lambda x: run(tf, x)):
        try:
            function(tf.ones([2, 3]))
        except ValueError:
            found.append("ValueError")
        except tf.errors.InvalidArgumentError:
            found.append("InvalidArgumentError")
    return found


for called, run in MISFITS.items():
    TABLE.add(f"shapes that do not fit in {called}", lambda tf, run=run: _misfit(tf, run))


@TABLE.program
def sizes_that_a_function_does_not_know(tf: Any) -> Any:
    @tf.function(input_signature=[tf.TensorSpec([None])])
    def added(x: Any) -> Any:
        return x + tf.ones([3])

    try:
        added(tf.ones([2]))
    except tf.errors.InvalidArgumentError:
        return "caught"
