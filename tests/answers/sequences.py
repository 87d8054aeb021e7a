"""Python sequences of numbers of unlike types: which dtype they have, and which have none."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

from tests.answers.answer import Table

TABLE = Table("sequences")
PARTS: dict[str, Any] = {
    "int": 1,
    "float": 1.5,
    "bool": True,
    "complex": 1j,
    "text": "a",
    "long": 2**40,
    **{n: getattr(np, n)(1) for n in ("int8", "int32", "int64", "uint8", "uint64", "bool_")},
    **{n: getattr(np, n)(1) for n in ("float16", "float32", "float64", "complex64", "str_")},
    "a long int64": np.int64(2**40),
    "an array of none": np.array(3.0),
}
ROWS: dict[str, Any] = {
    **{n: np.ones(2, n) for n in ("int64", "uint8", "float32", "float64", "bool", "complex64")},
    "objects": np.array([1, 2.5], object),
    "texts": np.array(["a", "b"]),
    "ints": [1, 2],
    "floats": (1.5, 2.0),
    "mixed": [1, np.float64(2)],
    "unlike": [1, 2j],
}


def _constants(first: Any, second: Any, dtype: str | None) -> Any:
    """Convert two elements, and a second time as rows of a matrix."""

    def run(tf: Any) -> Any:
        kind = dtype and getattr(tf, dtype)
        made = tf.constant([first, second], kind)
        return [made, tf.convert_to_tensor(((first,), (second,)), kind).dtype.name]

    return run


for (_a, _first), (_b, _second) in product(PARTS.items(), PARTS.items()):
    TABLE.add(f"{_a} and {_b}", _constants(_first, _second, None))
for (_a, _first), (_b, _second) in product(ROWS.items(), ROWS.items()):
    TABLE.add(f"rows of {_a} and {_b}", _constants(_first, _second, None))
for _dtype in ("int32", "float32", "float16", "bool", "complex64", "uint8"):
    for _a, _b in (
        *(("int", "int64"), ("float64", "int"), ("bool", "float64"), ("bool", "int")),
        *(("bool", "bool_"), ("int", "bool_"), ("int", "complex"), ("int", "float32")),
    ):
        TABLE.add(f"{_a} and {_b} as {_dtype}", _constants(PARTS[_a], PARTS[_b], _dtype))
TABLE.rows(
    "elsewhere",
    [
        lambda tf: tf.stack([np.array([3]), [1]]),
        lambda tf: tf.concat([[1.5], [np.float64(2.0)]], 0),
        lambda tf: tf.add(tf.constant(1, tf.int64), [np.int64(2)]),
        lambda tf: tf.Variable([np.int64(2), np.int64(3)]).dtype.name,
        lambda tf: tf.data.Dataset.from_tensor_slices([np.int64(2), np.int64(3)]).element_spec,
        lambda tf: tf.one_hot([np.int64(2)], 3),
        lambda tf: tf.constant([2**70, 1], tf.float32),
        lambda tf: tf.reduce_sum([np.float32(1.0), 2]),
        lambda tf: tf.gather([np.float64(1.0), 2], [np.uint8(1)]),
    ],
)
