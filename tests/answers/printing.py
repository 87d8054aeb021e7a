"""`tf.print`, to the letter."""

from __future__ import annotations

import tempfile
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from tests.answers.answer import Table
from tests.answers.stand_ins import wide

TABLE = Table("printing")


def printed(tf: Any, *values: Any, **how: Any) -> str:
    """Give the text that a call prints."""
    with tempfile.TemporaryDirectory() as folder:
        tf.print(*values, output_stream=f"file://{folder}/text", **how)
        return (Path(folder) / "text").read_text(encoding="utf-8")


PRINTED: dict[str, Callable[[Any], Any]] = {
    "float": lambda tf: tf.constant(3.0),
    "fraction": lambda tf: tf.constant(1 / 3),
    "double": lambda tf: tf.constant(1 / 3, tf.float64),
    "half": lambda tf: tf.constant(1 / 3, tf.float16),
    "small": lambda tf: tf.constant(1e-7),
    "large": lambda tf: tf.constant([1e10, 1e7, 123456.0, 1234567.0, 1e20]),
    "edges": lambda tf: tf.constant([1e-4, 1e-5, 1e-6, 9.9e-5, 0.001]),
    "double edges": lambda tf: tf.constant(
        [1e-4, 1e-5, 1e15, 1e16, 1e17, 123456789.123], tf.float64
    ),
    "infinities": lambda tf: tf.constant([np.inf, -np.inf, np.nan]),
    "negative zero": lambda tf: tf.constant([-0.0, 0.0]),
    "integers": lambda tf: tf.constant([1, -2]),
    "bool": lambda tf: tf.constant([True, False]),
    "one bool": lambda tf: tf.constant(True),
    "text": lambda tf: tf.constant("a b"),
    "texts": lambda tf: tf.constant(["a", "b"]),
    "vector": lambda tf: tf.constant([1.0, 2.5]),
    "long": lambda tf: tf.range(10),
    "six": lambda tf: tf.range(6),
    "seven": lambda tf: tf.range(7),
    "matrix": lambda tf: tf.constant([[1.0, 2.0], [3.0, 4.0]]),
    "cube": lambda tf: tf.reshape(tf.range(8), [2, 2, 2]),
    "long matrix": lambda tf: tf.reshape(tf.range(64), [8, 8]),
    "nothing": lambda tf: tf.zeros([0]),
    "variable": lambda tf: tf.Variable([1.0, 2.0]),
    "number": lambda tf: 3.5,
    "string": lambda tf: "loss:",
    "list": lambda tf: [1, tf.constant(2.0), "a"],
    "tuple": lambda tf: (tf.constant([1, 2]),),
    "dict": lambda tf: {"b": tf.constant(1.0), "a": 2},
    "None": lambda tf: None,
    "dtype": lambda tf: tf.float32,
    "shape": lambda tf: tf.constant([1.0]).shape,
}

for _name, _make in PRINTED.items():
    TABLE.add(_name, lambda tf, make=_make: printed(tf, make(tf)))

TABLE.add("several", lambda tf: printed(tf, "step", 1, tf.constant([1.0])))
TABLE.add("separator", lambda tf: printed(tf, "a", "b", sep=" | ", end="!\n"))
TABLE.add("more shown", lambda tf: printed(tf, tf.range(20), summarize=5))
TABLE.add("all shown", lambda tf: printed(tf, tf.range(20), summarize=-1))

TEXTS = ("b", "", "a'b", 'a"b', "a\\b", "a\tb\r\n", "é漢", b"\x01\x7f", "\x00")
"""What has marks within, or is no letter."""
TABLE.rows(
    "texts beside something else",
    [
        lambda tf, how=how: [how(tf, tf.constant(text)) for text in TEXTS]
        for how in (
            lambda tf, x: printed(tf, "s", x),
            lambda tf, x: printed(tf, x, x),
            lambda tf, x: printed(tf, [x, "y"]),
            lambda tf, x: printed(tf, {"a": x}, 1),
            lambda tf, x: printed(tf, x[None, None]),
            lambda tf, x: tf.strings.format("{} {}", (x, x[None])),
        )
    ],
)
TABLE.add("a text of a variable", lambda tf: printed(tf, tf.Variable("v").read_value(), "q"))
TABLE.add("a text that is no text", lambda tf: tf.strings.format("{}", tf.constant(b"\xff'")))

ROWS: list[tuple[Any, dict[str, Any]]] = [
    ([[1, 2], [3]], {}),
    ([["a", "b'"], ['c"d', "\\", "é"]], {}),
    ([[1.5, 2e-8, 1 / 3, 1e10, np.nan, -np.inf, -0.0]], {}),
    ([[True], [], [False]], {}),
    ([[[1, 2], [3]], [[4]], []], {}),
    ([list(range(10))] * 10, {}),
    ([list(range(10))] * 10, {"summarize": 1}),
    ([list(range(10))] * 2, {"summarize": -1}),
]
"""Rows of unlike lengths, and how they are printed."""
TABLE.rows(
    "rows",
    [lambda tf, x=x, how=how: printed(tf, tf.ragged.constant(x), **how) for x, how in ROWS],
)


def _column(tf: Any, values: Any) -> Any:
    return tf.SparseTensor([[k, 0] for k in range(len(values))], values, [len(values), 2])


TABLE.rows(
    "beside rows",
    [
        lambda tf: printed(tf, {"a": tf.ragged.constant([[1]])}, [tf.ragged.constant([["x"]]), 1]),
        lambda tf: printed(tf, tf.RaggedTensor.from_row_splits(np.ones((3, 2)), [0, 1, 3])),
        lambda tf: printed(tf, _column(wide(tf), [1.5]), tf.ragged.constant([[1]])),
        lambda tf: printed(tf, [_column(wide(tf), ["a'b"] * 9), "x"]),
        lambda tf: printed(tf, _column(wide(tf), ['a"b', "\\"]), "x"),
        lambda tf: printed(tf, _column(wide(tf), [1] * 9), summarize=1),
    ],
)


class _Pair(NamedTuple):
    first: Any
    second: Any


def _bytes(tf: Any, *values: Any) -> str:
    """Give the bytes that a call prints, in hexadecimal digits."""
    with tempfile.TemporaryDirectory() as folder:
        tf.print(*values, output_stream=f"file://{folder}/text")
        return (Path(folder) / "text").read_bytes().hex()


TABLE.rows(
    "structures that say what they are",
    [
        lambda tf: printed(tf, OrderedDict([("b", 1), ("a", tf.constant([1.5, 2.0]))])),
        lambda tf: printed(tf, {"z": OrderedDict(b="x", a=[tf.constant(1)])}),
        lambda tf: printed(tf, _Pair(1, tf.constant([1.5]))),
        lambda tf: printed(tf, [_Pair(None, (tf.constant(2),)), "x"]),
        lambda tf: printed(tf, range(3), [range(2)]),
        lambda tf: _bytes(tf, tf.constant(b"\xff\n")),
        lambda tf: _bytes(tf, tf.constant([b"\xff", b"\xc3\xa9"]), "x"),
        lambda tf: repr(tf.Variable([1.0, 2.0], shape=[None])),
        lambda tf: repr(tf.Variable([1.0, 2.0], shape=tf.TensorShape(None))),
        lambda tf: repr(tf.Variable([1.0, 2.0], shape=[None]).assign([3.0])),
    ],
)
TABLE.rows(
    "tensors without elements",
    [
        lambda tf, shape=shape, most=most: tf.strings.format("{}", tf.zeros(shape), summarize=most)
        for shape in ([2, 0], [0, 2], [0], [2, 0, 3], [1, 0], [2, 3, 0], [2, 2], [3])
        for most in (3, -1, 0)
    ],
)
TABLE.add("lists of nothing", lambda tf: printed(tf, [tf.zeros([2, 0])], tf.zeros([0, 2])))
