"""What tensors are as messages, byte by byte, and what messages are as arrays."""

from __future__ import annotations

import gzip
import zlib
from typing import Any

import numpy as np

from tests.answers.answer import Table
from tests.answers.stand_ins import told, wide

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


def _compressed(data: Any, *kind: Any) -> Any:
    return lambda tf: tf.io.decode_compressed(data, *kind)


_Z, _G = zlib.compress(b"hello"), gzip.compress(b"hello", mtime=0)
TABLE.rows(
    "compressed",
    [
        _compressed(*given)
        for given in (
            *((_Z, "ZLIB"), ([_Z, _Z], "ZLIB"), (_G, "GZIP"), ("abc",), ("abc", ""), ("abc", "X")),
            *(("abc", "ZLIB"), ("abc", "GZIP"), (_G, "ZLIB"), (_Z[:5], "ZLIB"), (_G[:-3], "GZIP")),
            *(("", "ZLIB"), ("", "GZIP"), (_G + _G, "GZIP"), (_Z + b"xx", "ZLIB"), (_Z, b"ZLIB")),
            *((_Z + _Z, "ZLIB"), (zlib.compress(b"x" * 100000), "ZLIB"), (_Z, "GZIP")),
        )
    ],
)


def _sparse(tf: Any) -> Any:
    return tf.SparseTensor([[0, 1], [2, 0]], [1.5, 2.5], [3, 4])


def _again(dtype: str = "float32", make: Any = None, **how: Any) -> Any:
    """Read what was written of a sparse tensor."""

    def ask(plain: Any) -> Any:
        tf = wide(plain)
        texts = tf.io.serialize_many_sparse(_sparse(tf)) if make is None else make(tf)
        return told(tf.io.deserialize_many_sparse(texts, dtype, **how))

    return ask


def _one(tf: Any, *given: Any) -> Any:
    return tf.io.serialize_sparse(tf.SparseTensor(*given))


TABLE.rows(
    "sparse",
    [
        *[
            lambda tf, name=name, given=given: getattr(wide(tf).io, name)(
                wide(tf).SparseTensor(*given)
            )
            for name in ("serialize_sparse", "serialize_many_sparse")
            for given in (
                *(([[0, 1], [2, 0]], [1.5, 2.5], [3, 4]), ([[0]], [1], [2])),
                *(([[0, 1]], ["ab"], [3, 4]), ([[1, 0], [1, 2]], [1, 2], [3, 4])),
                *(([[2, 0], [1, 2]], [1, 2], [3, 4]), ([[2, 0], [5, 2]], [1, 2], [3, 4])),
                *((np.zeros((0, 2), np.int64), [], [2, 3]), ([[0, 1, 0]], [True], [1, 2, 2])),
            )
        ],
        lambda tf: wide(tf).io.serialize_sparse(3),
        lambda tf: wide(tf).io.serialize_many_sparse([[1]]),
        lambda tf: wide(tf).io.serialize_sparse(_sparse(wide(tf)), out_type=tf.int32),
        lambda tf: wide(tf).io.serialize_sparse(
            wide(tf).compat.v1.SparseTensorValue([[0]], [1.0], [2])
        ),
        _again(),
        _again(rank=1),
        _again(rank=2),
        _again("int32"),
        _again(make=lambda tf: _one(tf, [[0]], [1.0], [2])),
        _again(
            make=lambda tf: tf.stack([_one(tf, [[0]], [1.0], [2]), _one(tf, [[3]], [2.0], [5])])
        ),
        _again(
            make=lambda tf: tf.stack(
                [_one(tf, [[0]], [1.0], [2]), tf.io.serialize_sparse(_sparse(tf))]
            )
        ),
        _again(make=lambda tf: tf.zeros([0, 3], tf.string)),
        _again(make=lambda tf: ["a", "b", "c"]),
        _again(make=lambda tf: [["a", "b"]]),
        _again(make=lambda tf: "a"),
        _again("string", lambda tf: _one(tf, [[0], [1]], ["ab", ""], [2])),
    ],
)
