"""Functions of several tensors: of lists, arrays, one tensor, and what can be gone through."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.answers.answer import Table

TABLE = Table("several")
GIVEN: dict[str, Any] = {
    "a matrix": lambda tf: tf.constant([[1.0, 2.0], [3.0, 4.0]]),
    "a list of one": lambda tf: [tf.constant([[1.0, 2.0], [3.0, 4.0]])],
    "unlike ones": lambda tf: [tf.ones([2, 2]), tf.ones([2])],
    "a variable": lambda tf: tf.Variable([1.0, 2.0]),
    "truth values": lambda tf: tf.constant([True, False]),
    "a generator": lambda tf: (tf.ones([2]) * k for k in range(3)),
    "an array": lambda tf: np.ones((2, 2)),
    "an empty tensor": lambda tf: tf.zeros([0, 3]),
    "an empty array": lambda tf: np.zeros((0, 3)),
    "a number": lambda tf: 2.5,
    "nothing": lambda tf: None,
    "an empty list": lambda tf: [],
    "numbers": lambda tf: [1.0, 2.0],
    "texts": lambda tf: ["a", "b"],
    "a range": lambda tf: range(3),
}


def rows(name: str, function: Any, without: tuple[str, ...] = ()) -> None:
    """Apply a function to what is given; what TensorFlow tells by an accident is left out."""
    for called, given in GIVEN.items():
        if called not in without:
            TABLE.add(
                f"{name} of {called}",
                lambda tf, given=given: function(tf, given(tf)),
                says="type",
            )


_ACCIDENTS = ("a generator", "an empty array", "nothing")
rows("add_n", lambda tf, v: tf.add_n(v))
rows("accumulate_n", lambda tf, v: tf.math.accumulate_n(v), ("unlike ones",))
rows("stack", lambda tf, v: tf.stack(v), ("a generator",))
rows("stack at the end", lambda tf, v: tf.stack(v, axis=-1), (*_ACCIDENTS, "an array"))
rows("static value", lambda tf, v: tf.get_static_value(v), ("a generator",))
TABLE.rows(
    "the gradient of a sum of rows",
    [lambda tf: _gradient(tf, tf.add_n), lambda tf: _gradient(tf, tf.stack)],
)


def _gradient(tf: Any, function: Any) -> Any:
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = function(x) ** 2
    return tape.gradient(y, x)


for _name, _value in {
    "a fraction": 2.5,
    "a number": 3,
    "fractions": [1.0, 2.7],
    "below zero": [-1, 2],
    "a truth value": [True],
    "a matrix": [[1, 3], [2, 0]],
    "of uint8": np.array([1], "u1"),
    "none": [],
}.items():
    TABLE.rows(
        f"a mask, {_name}",
        [
            lambda tf, v=_value: tf.sequence_mask(v),
            lambda tf, v=_value: tf.sequence_mask(v, 2),
            lambda tf, v=_value: tf.sequence_mask([1, 2], v),
            lambda tf, v=_value: tf.sequence_mask(v, dtype=tf.float32),
        ],
        says="type",
    )
TABLE.rows(
    "a unit matrix",
    [
        lambda tf, rows=rows, columns=columns: tf.eye(rows, columns)
        for rows, columns in ((2.0, None), ([2], None), (2, [2]), (2, 1.5), (np.int64(2), 3))
    ],
)
TABLE.rows(
    "dtypes",
    [
        lambda tf, v=v: tf.as_dtype(v).name
        for v in (1, 2, 3, 9, 10, 14, 23, 0, -1, 999, np.ones(2, "f2"), np.int8(1), "x", None)
    ],
)
TABLE.add(
    "the numbers of dtypes",
    lambda tf: [
        getattr(tf, n).as_datatype_enum for n in ("float32", "string", "uint64", "bfloat16")
    ],
)
TABLE.rows(
    "refused dtypes",
    [
        lambda tf, v=v, f=f: f(tf)(v)
        for v in (np.array([True]), np.array([1, 2], "u1"), ["a"], np.ones(1, "i1"), [1j], [2.0])
        for f in (
            lambda tf: tf.linalg.tensor_diag,
            lambda tf: tf.math.reciprocal_no_nan,
            lambda tf: tf.math.l2_normalize,
        )
    ],
)
TABLE.rows(
    "texts of none",
    [lambda tf, k=k: tf.as_string(np.zeros((0, 3), k)) for k in ("f4", "i4", "?", "c8")],
)
TABLE.rows(
    "vectors of length one",
    [
        lambda tf, k=k: tf.linalg.normalize([[3j, 4.0], [1.0, 1j]], k, axis=0)
        for k in ("euclidean", 1, 2, np.inf)
    ],
)
TABLE.add(
    "a complex vector of length one", lambda tf: tf.math.l2_normalize([3j, 4.0], epsilon=30.0)
)
