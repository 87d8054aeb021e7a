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
for _great in (2**40, np.int64(2**40), 2**31, 2**31 - 1, 2**64, 10**39, 1e30, 1e39, np.inf):
    TABLE.rows(
        f"{_great!r}, which may have no room",
        [
            lambda tf, k=kind, v=value: tf.constant(v, k and getattr(tf, k))
            for kind in (None, "int32", "int64", "float16", "float32", "complex128")
            for value in (_great, [_great], [True, _great], [[True], [_great]], [_great, True])
        ],
        says="type",
    )
TABLE.rows(
    "whole numbers of 64 bits",
    [
        lambda tf, k=kind, v=value: tf.constant(v, getattr(tf, k))
        for kind in ("uint64", "int64", "bfloat16")
        for value in (2**63, [1, 2**63], [2**63, 2], [True, 2**63], np.array([-1]), [0, True])
        if kind != "bfloat16" or len(np.shape(value)) == 0
    ],
    says="type",
)
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


def _windows(value: Any) -> list[Any]:
    """Ask for windows whose sizes are no tensors."""
    return [
        lambda tf: tf.image.extract_patches(IMAGE, (1, value, value, 1), ONES, ONES, "VALID"),
        lambda tf: tf.image.extract_patches(IMAGE, ONES, [1, value, 1, 1], ONES, "VALID"),
        lambda tf: tf.extract_volume_patches(IMAGE[None], [1, 1, value, 1, 1], [1] * 5, "VALID"),
        lambda tf: tf.nn.conv2d(IMAGE, np.ones((1, 2, 1, 1), "f4"), value, "VALID"),
        lambda tf: tf.nn.conv2d(IMAGE, np.ones((1, 2, 1, 1), "f4"), [1, value, 1, 1], "VALID"),
        lambda tf: tf.nn.depthwise_conv2d(
            IMAGE, IMAGE[0, :2, :2, :, None], [1, value, value, 1], "VALID"
        ),
        lambda tf: tf.nn.max_pool2d(IMAGE, [value, 1], 1, "VALID"),
        lambda tf: tf.nn.space_to_depth(IMAGE, value),
    ]


IMAGE, ONES = np.arange(16.0, dtype="f4").reshape(1, 4, 4, 1), [1, 1, 1, 1]
for _name, _value in {
    "a float64": np.float64(2.0),
    "a float32": np.float32(2.0),
    "a float": 2.0,
    "a fraction": 2.5,
    "a text": "2",
    "an array": np.array(2.0),
    "a list": [2],
}.items():
    TABLE.rows(f"windows of {_name}", _windows(_value))
TABLE.rows(
    "windows of a tensor", [lambda tf, k=k: _windows(tf.constant(2))[k](tf) for k in range(8)]
)
TABLE.add("windows of no list", lambda tf: tf.image.extract_patches(IMAGE, 3, ONES, ONES, "VALID"))
TABLE.add("windows of none", lambda tf: tf.image.extract_patches(IMAGE, None, ONES, ONES, "VALID"))


def _with_tensors(first: Any, second: Any, dtype: str | None) -> Any:
    """Convert a list with tensors, of whose dtypes that of the first one counts."""

    def run(tf: Any) -> Any:
        known = {"i": tf.constant(1), "l": tf.constant(1, tf.int64), "f": tf.constant(2.5)}
        known |= {"b": tf.constant(True), "v": tf.Variable(1, dtype=tf.int64)}
        parts = [known.get(part, part) for part in (first, second)]
        kind = dtype and getattr(tf, dtype)
        return [tf.convert_to_tensor(parts, kind), tf.convert_to_tensor([[p] for p in parts], kind)]

    return run


TABLE.rows(
    "with tensors",
    [
        _with_tensors(*pair, kind)
        for pair in (("l", "l"), ("i", "f"), ("i", 2.5), ("l", 2), (2, "l"), ("b", 1), ("v", 1))
        for kind in (None, "int32", "float32", "bool")
        if (pair, kind) != (("i", 2.5), "bool")
    ],
    says="type",
)
TABLE.rows(
    "joined with tensors",
    [
        lambda tf: tf.concat(([1, 2], (tf.constant(1, tf.int64),)), 0),
        lambda tf: tf.concat((tf.constant([1, 2]), (tf.constant(1, tf.int64),)), 0),
        lambda tf: tf.concat((tf.constant([1.0, 2]), (tf.constant(1, tf.int64),)), 0),
        lambda tf: tf.add(tf.constant([1]), [tf.constant(1, tf.int64)]),
        lambda tf: tf.constant([1.0]) * [tf.constant(1, tf.int64)],
        lambda tf: tf.zeros([tf.constant(1, tf.int64), 2]),
    ],
    says="type",
)
TABLE.add(
    "a text of a tensor",
    lambda tf: tf.convert_to_tensor([tf.constant(1)], tf.string),
    says="type",
)
