"""What tensors are as messages, byte by byte, and what messages are as arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.answers.answer import Table
from tests.answers.stand_ins import wide

TABLE = Table("tensor_messages")


def _written(*given: Any, **how: Any) -> Any:
    """Write a message, show it, and read it again as an array and as a tensor."""

    def run(plain: Any) -> Any:
        tf = wide(plain)
        dtype = how.get("dtype")
        words = how | {"dtype": dtype and tf.as_dtype(dtype)}
        made = tf.make_tensor_proto(*given, **words)
        array = tf.make_ndarray(made)
        again = tf.io.parse_tensor(made.SerializeToString(), tf.as_dtype(array.dtype))
        shown = [made.SerializeToString().hex(), str(made), str(array.dtype), array.tolist()]
        return [*map(str, shown), again]

    return run


TABLE.rows(
    "written",
    [
        *[
            _written(x)
            for x in (
                *([1, 2, 3], 1.5, [[1, 2], [3, 4.0]], "a", ["a", "bc"], [["a"], ["b"]], b"\xff"),
                *([True, False], True, np.float16(2), np.float16([2, -1]), [1j, 2], 1j, []),
                *(np.ones(5), np.arange(5), np.zeros((2, 0)), np.complex64(1 + 2j), 2**40, -3),
                *(np.array(["a", "bc"]), np.array([b"a", "x"], object), np.uint64(2**63), (1, 2)),
                *([np.int8(3)], np.int8(-3), [2**40, 1], None, [[1], [2, 3]], ["a", 1], [1, "a"]),
                *([1, None], {"a": 1}, np.uint32(7), float("nan"), [[]], [np.ones(2), np.ones(2)]),
            )
        ],
        *[
            _written([1, 2], dtype=kind)
            for kind in (
                *("float16", "float32", "float64", "complex64", "complex128", "bfloat16"),
                *("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
                *("bool", "string"),
            )
        ],
        *[
            _written(7, dtype=kind)
            for kind in (
                *("float16", "float32", "float64", "complex64", "complex128", "bfloat16"),
                *("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
            )
        ],
        *[
            _written(x, dtype=kind)
            for x, kind in (
                *((3.5, "int32"), ("a", "int32"), (np.array([1.5, 2]), "int32"), (True, "bool")),
                *((1j, "float32"), ("a", "string"), (True, "int32"), (1, "string")),
            )
        ],
        *[
            _written(x, shape=shape, **how)
            for x, shape, how in (
                *(([], [0], {}), (0, [2, 3], {}), ([1, 2], [2, 2], {}), (["a"], [3], {})),
                *(([1, 2], [2, 2], {"verify_shape": True}), ([1, 2, 3], [5], {}), (0, [], {})),
                *(([1, 2, 3], [2], {}), ([[1, 2]], [2], {}), ([1.5], [4], {"dtype": "float64"})),
                *(([1], [2], {"allow_broadcast": True}), ([1, 2], [3], {"allow_broadcast": True})),
                ([1], [1], {"allow_broadcast": True, "verify_shape": True}),
                *(([True], [3], {}), ([1j], [2], {}), ([1.5], [2], {"dtype": "float16"})),
                *(([-1], [2], {"dtype": "int64"}), ([-1.5], [2], {"dtype": "bfloat16"})),
                *((np.ones((2, 2)), [4], {"verify_shape": True}), (np.ones((2, 2)), [4], {})),
            )
        ],
        lambda tf: wide(tf).make_ndarray(3),
        lambda tf: str(wide(tf).make_tensor_proto(tf.constant([1, 2]))),
        lambda tf: str(wide(tf).make_tensor_proto([tf.constant(1)])),
        lambda tf: str(wide(tf).make_tensor_proto(wide(tf).make_tensor_proto(3), dtype="int8")),
    ],
)


def _read(text: str, kind: str) -> Any:
    return lambda tf: tf.io.parse_tensor(bytes.fromhex(text), kind)


TABLE.rows(
    "read",
    [
        _read("08033a020102", "int32"),  # a scalar, and two numbers
        _read("0803120412020803", "int32"),  # none of three numbers
        _read("0807120412020803", "string"),
        _read("0803120412020803380138023803", "int32"),  # three, each in its field
        _read("08011204120208022d0000803f", "float32"),
        _read("0803", "int32"),
        _read("08033a01", "int32"),
        _read("08121204120208016210000000000000f03f0000000000000040", "complex128"),
    ],
)
TABLE.add("fewer bytes than numbers", _read("080112041202080222040000803f", "float32"), says="type")
