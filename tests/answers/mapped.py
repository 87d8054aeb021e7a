"""Functions that call functions: the dtypes and specs they take, and ragged and sparse results."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import numpy as np

from tests.answers.answer import Table
from tests.answers.stand_ins import wide

TABLE = Table("mapped")
Two = namedtuple("Two", "a b")  # noqa: PYI024 - as people write them


def _rows(name: str, runs: Any, **how: Any) -> None:
    TABLE.rows(name, [lambda tf, run=run: _told(tf, run(_Things(wide(tf)))) for run in runs], **how)


class _Things:
    """What the programs take: a module, and tensors, ragged, sparse and plain."""

    def __init__(self, tf: Any) -> None:
        self.tf = tf
        self.x, self.none = tf.constant([1.0, 2.0]), tf.zeros([0])
        self.ragged = tf.ragged.constant([[1.0, 2.0], [3.0]])
        self.sparse = tf.sparse.from_dense([[1.0, 0.0], [0.0, 2.0]])
        self.operator = tf.linalg.LinearOperatorDiag([1.0, 2.0])
        self.of_ragged, self.spec = tf.RaggedTensorSpec, tf.TensorSpec

    def map(self, fn: Any, elems: Any = None, **given: Any) -> Any:
        """Map a function over two numbers, or what is given."""
        return self.tf.map_fn(fn, self.x if elems is None else elems, **given)

    def loop(self, state: Any, body: Any, within: bool = False) -> Any:
        """Change a state three times, in a loop of TensorFlow's, within a function if asked."""

        def run() -> Any:
            return self.tf.while_loop(
                lambda k, _: k < 3, lambda k, s: (k + 1, body(s)), (0, state)
            )[1]

        return self.tf.function(run)() if within else run()

    def slope(self, function: Any) -> Any:
        """Give the gradient of a function of two numbers."""
        with self.tf.GradientTape() as tape:
            tape.watch(self.x)
            y = function(self.x)
        return tape.gradient(y, self.x)


def _told(tf: Any, found: Any) -> Any:
    """Say what is ragged and sparse in a result by its rows and elements."""
    if isinstance(found, (list, tuple)) and not hasattr(found, "as_list"):
        return [type(found).__name__, *[_told(tf, part) for part in found]]
    if hasattr(found, "diag_part"):
        return ["operator", found.diag_part()]
    if hasattr(found, "indices"):
        return ["sparse", found.indices, found.values, found.dense_shape]
    return ["ragged", str(found.to_list())] if hasattr(found, "row_splits") else found


_rows(
    "dtype of a map",
    [
        lambda o, signature=signature: o.map(lambda v: v, fn_output_signature=signature)
        for signature in (np.float32, "float32", float, np.dtype("float32"), 1, np.float64, int, 0)
    ]
    + [
        lambda o: o.map(lambda v: v, dtype=np.float32),
        lambda o: o.map(lambda v: v, fn_output_signature=o.spec([], np.float32)),
        lambda o: o.map(lambda v: v, fn_output_signature=o.spec([2], np.float32)),
        lambda o: o.map(lambda v: v, fn_output_signature=o.spec([], np.float64)),
        lambda o: o.map(lambda v: np.float64(1), fn_output_signature=np.float32),
        lambda o: o.map(lambda v: v, fn_output_signature=1.5),
        lambda o: o.map(lambda v: v, fn_output_signature=o.tf.zeros([])),
        lambda o: o.map(lambda v: Two(v, v), fn_output_signature=Two(np.float32, "float32")),
        lambda o: o.map(lambda v: v[0], (o.x, o.x), fn_output_signature=np.float32),
        lambda o: o.map(o.tf.reduce_sum, o.ragged, fn_output_signature=np.float32),
        lambda o: o.map(o.tf.range, [1, 2], fn_output_signature=o.of_ragged([None], np.int32)),
        lambda o: o.map(o.tf.range, [1, 2]),
        lambda o: o.map(lambda v: v, o.none),
        lambda o: o.map(lambda v: v, o.none, fn_output_signature=np.int32),
        lambda o: o.map(lambda v: v, o.none, fn_output_signature=o.spec([3], np.int32)),
        lambda o: o.map(lambda v: v, fn_output_signature=[]),
        lambda o: o.map(lambda v: v, []),
        lambda o: o.map(lambda v: v[0], (o.x, o.tf.ones([3]))),
        lambda o: o.slope(lambda x: o.map(lambda v: v * v, x, fn_output_signature=np.float32)),
    ],
)
_rows(
    "another structure than a map has",
    [
        lambda o: o.map(lambda v: [v], fn_output_signature=(np.float32,)),
        lambda o: o.map(lambda v: {"b": v}, fn_output_signature={"a": "float32"}),
        lambda o: o.map(lambda v: (v, v), fn_output_signature=Two(np.float32, np.float32)),
        lambda o: o.map(lambda v: (v, v)),
        lambda o: o.tf.scan(lambda a, v: [a[0], v], o.x, initializer=(1.0, 2.0)),
        lambda o: o.tf.scan(lambda a, v: {"b": v}, o.x, initializer={"a": 1.0}),
        lambda o: o.tf.foldl(lambda a, v: [a[0], v], o.x, initializer=(1.0, 2.0)),
    ],
    says="type",
)
_rows(
    "scan and fold",
    [
        lambda o: o.tf.scan(lambda a, v: 1, o.x, initializer=1.0),
        lambda o: o.tf.scan(lambda a, v: o.tf.cast(v, o.tf.float64), o.x, initializer=1.0),
        lambda o: o.tf.scan(lambda a, v: a + v, o.none, initializer=1.0),
        lambda o: o.tf.scan(
            lambda a, v: o.tf.concat([a, [v]], 0), o.x, initializer=o.tf.zeros([0])
        ),
        lambda o: o.tf.scan(lambda a, v: (a[0] + v[0], a[1] * v[1]), (o.x, o.x), reverse=True),
        lambda o: o.tf.scan(lambda a, v: a + v, o.x, reverse=True, initializer=2.0),
        lambda o: o.slope(lambda x: o.tf.scan(lambda a, v: a * v, x, initializer=x[0])),
        lambda o: o.tf.foldl(lambda a, v: a + v, o.x, initializer=1),
        lambda o: o.tf.foldl(lambda a, v: a + v, o.x, initializer=np.float64(1)),
        lambda o: o.tf.foldl(lambda a, v: a + v, o.none, initializer=1),
        lambda o: o.tf.foldr(lambda a, v: a + v, o.x, initializer=1),
        lambda o: o.tf.function(lambda: o.tf.foldl(lambda a, v: a + v, o.x, initializer=1.0))(),
    ],
)
_rows(
    "vectorized map",
    [
        lambda o: o.tf.vectorized_map(lambda v: v[0] + v[1], (o.x, o.tf.constant([1.0]))),
        lambda o: o.tf.vectorized_map(lambda v: v[0] + v[1], (o.tf.constant([1.0]), o.x)),
        lambda o: o.tf.vectorized_map(o.tf.linalg.LinearOperatorDiag, o.tf.ones([3, 2])),
        lambda o: o.map(
            o.tf.linalg.LinearOperatorDiag,
            o.tf.ones([3, 2]),
            fn_output_signature=o.operator._type_spec,
        ),
    ],
)


# --- what loops keep ------------------------------------------------------------------------------

LOOPS = [
    lambda o, **k: o.loop(o.ragged, lambda s: s * 2.0, **k),
    lambda o, **k: o.loop(o.sparse, lambda s: s * 2.0, **k),
    lambda o, **k: o.loop(
        o.operator, lambda s: o.tf.linalg.LinearOperatorDiag(s.diag_part() * 2.0), **k
    ),
    lambda o, **k: o.loop((o.ragged, o.sparse), lambda s: (s[0] + 1.0, s[1]), **k),
    lambda o, **k: o.loop({"a": o.ragged}, lambda s: {"a": s["a"] + 1.0}, **k)["a"],
    lambda o, **k: o.loop(1.0, lambda s: s + 1.0, **k),
]
_rows("loop over composites", LOOPS)
_rows(
    "loop over composites in a function", [lambda o, run=run: run(o, within=True) for run in LOOPS]
)
_rows(
    "composites as state",
    [
        lambda o: o.tf.while_loop(
            lambda s: o.tf.reduce_sum(s) < 50.0,
            lambda s: [o.tf.concat([s, s], 1)],
            [o.ragged],
            shape_invariants=[o.of_ragged([2, None], np.float32)],
        ),
        lambda o: o.tf.foldl(lambda a, v: a * v, o.x, initializer=o.ragged),
        lambda o: o.tf.foldr(lambda a, v: a, o.x, initializer=o.sparse),
        lambda o: o.tf.foldl(lambda a, v: a, o.x, initializer=o.operator),
        lambda o: o.tf.cond(o.x[0] > 0, lambda: (o.ragged, o.sparse), lambda: (o.ragged, o.sparse)),
        lambda o: o.tf.function(
            lambda: o.tf.switch_case(o.tf.constant(1), [lambda: o.ragged, lambda: o.ragged * 2.0])
        )(),
        lambda o: o.tf.function(
            lambda: o.tf.foldl(lambda a, v: a * v, o.x, initializer=o.ragged)
        )(),
        lambda o: o.slope(
            lambda x: o.tf.reduce_sum(
                o.loop(o.tf.RaggedTensor.from_row_splits(x, [0, 1, 2]), lambda s: s * s)
            )
        ),
        lambda o: o.slope(
            lambda x: o.tf.reduce_sum(
                o.tf.foldl(
                    lambda a, w: a * w,
                    o.x,
                    initializer=o.tf.RaggedTensor.from_row_splits(x, [0, 1, 2]),
                )
            )
        ),
    ],
)


# --- functions of Python --------------------------------------------------------------------------


_rows(
    "py_function of composites",
    [
        lambda o: o.tf.py_function(lambda v: v * 2, [o.ragged], o.of_ragged([2, None])),
        lambda o: o.tf.py_function(o.tf.reduce_sum, [o.ragged], o.tf.float32),
        lambda o: o.tf.py_function(lambda v: v, [o.sparse], [o.tf.SparseTensorSpec([2, 2])]),
        lambda o: o.tf.py_function(lambda v: v.to_dense(), [o.operator], np.float32),
        lambda o: o.tf.py_function(lambda v: (v, v), [o.x], (o.spec([2]), np.float32)),
        lambda o: o.tf.py_function(lambda v: v, [o.x], o.spec([3])),
        lambda o: o.tf.py_function(lambda v: v, [o.x], int),
        lambda o: o.slope(
            lambda x: (
                o.tf.py_function(
                    lambda v: v * v,
                    [o.tf.RaggedTensor.from_row_splits(x, [0, 1, 2])],
                    o.of_ragged([2, None]),
                ).values
            )
        ),
    ],
)
_rows(
    "py_function of what is not announced",
    [
        lambda o: o.tf.py_function(lambda v: v, [o.ragged], o.tf.float32),
        lambda o: o.tf.py_function(lambda v: v.values, [o.ragged], o.of_ragged([2, None])),
        lambda o: o.tf.py_function(lambda v: v, [o.sparse], o.tf.SparseTensorSpec([3, 3])),
        lambda o: o.tf.py_function(lambda v: v, [o.x], [o.tf.float32, o.tf.float32]),
        lambda o: o.tf.py_function(lambda v: None, [o.x], o.tf.float32),
        lambda o: o.tf.py_function(lambda v: v, [o.x], o.spec([2], np.float64)),
    ],
    says="type",
)
WITHIN = [
    *((lambda v: v, np.float32), (lambda v: 2, np.int64), (lambda v: 2.0, np.float64)),
    *((lambda v: [1, 2], [np.int64, np.int64]), (lambda v: v, [np.float32])),
    *((lambda v: "a", "string"), (lambda v: v, np.float64), (lambda v: 2, np.int32)),
    *((lambda v: [1, 2], np.int64), (lambda v: v, [np.float32] * 2), (lambda v: None, np.float32)),
]
_rows(
    "numpy_function in a function",
    [
        lambda o, f=f, tout=tout: o.tf.function(lambda: o.tf.numpy_function(f, [o.x], tout))()
        for f, tout in WITHIN
    ],
    says="type",
)
_rows(
    "what has elements as state",
    [
        lambda o: [*o.loop(o.tf.data.Dataset.range(2), lambda s: s.take(2))],
        lambda o: next(o.loop(iter(o.tf.data.Dataset.range(5)), lambda s: (next(s), s)[1])),
        lambda o: o.loop(o.tf.data.experimental.Optional.from_value(1), lambda s: s).get_value(),
    ],
)
_rows(
    "signature of dtypes",
    [
        lambda o: o.tf.function(lambda v: v, input_signature=[o.tf.float32]),
        lambda o: o.tf.function(lambda v: v, input_signature=[np.float32]),
    ],
    says="type",
)
