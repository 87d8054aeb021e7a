"""What is known of the results of functions before they are called: not what hangs on values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.answers.answer import Table
from tests.answers.concrete_functions import traces
from tests.answers.stand_ins import wide

TABLE = Table("sizes_of_results")


def _known_of(function: Callable[..., Any], *specs: Any) -> Callable[[Any], Any]:
    """Ask what is known of the results of a function before it is called, and after a call."""

    def answer(tf: Any) -> Any:
        whole = wide(tf)
        given = [whole.TensorSpec(shape, dtype) for shape, dtype in specs]
        made = whole.function(lambda *args: function(whole, *args)).get_concrete_function(*given)
        return str(made.output_shapes), str([x.shape for x in made.outputs])

    return answer


TABLE.rows(
    "sizes that are not known",
    [
        _known_of(lambda tf, x: x, ([None, 2], "int32")),
        _known_of(lambda tf, x: tf.reduce_sum(x, 0), ([None, 2], "int32")),
        _known_of(lambda tf, x: (tf.boolean_mask(x, x > 0), x[:2]), ([4], "int32")),
        _known_of(lambda tf, n: tf.zeros([n, 2]), ([], "int32")),
        _known_of(lambda tf, n: {"a": tf.range(n), "b": tf.range(3)}, ([], "int32")),
        _known_of(lambda tf, x: tf.unique(x), ([4], "int32")),
        _known_of(lambda tf, x, n: x[:n], ([4, 3], "float32"), ([], "int32")),
        _known_of(lambda tf, x, n: tf.repeat(x, n), ([4], "float32"), ([], "int32")),
        _known_of(lambda tf, x: tf.concat([x, x], 0), ([None], "float32")),
        _known_of(lambda tf, x, y: x + y, ([None], "float32"), ([3], "float32")),
        _known_of(lambda tf, x: tf.cond(x[0] > 0, lambda: x, lambda: x[:1]), ([4], "float32")),
        _known_of(lambda tf, x: tf.strings.split(x), ([], "string")),
    ],
)
TABLE.rows(
    "traces of what is made of several tensors",
    [
        traces(*[lambda tf, rows=rows: ([wide(tf).ragged.constant(rows)], {}) for rows in rows_of])
        for rows_of in (
            ([[1], [2, 3]], [[1, 2], [3]], [[1], [2, 3, 4]]),
            ([[1], [2, 3]], [[1, 2], [3], [4]], [[1.0]]),
        )
    ]
    + [
        traces(
            *[
                lambda tf, x=x: ([wide(tf).sparse.from_dense(x)], {})
                for x in ([1, 0], [1, 2], [1, 2, 3])
            ]
        ),
        traces(
            *[
                lambda tf, x=x: ([wide(tf).linalg.LinearOperatorDiag(x)], {})
                for x in ([1.0, 0.0], [1.0, 2.0], [1.0, 2.0, 3.0])
            ]
        ),
    ],
)
