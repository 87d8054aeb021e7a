"""Tensors of texts in operations that are not of `tf.strings`: what moves and compares them.

The rest refuses them, with the name of what it takes.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from tests.answers.answer import Table

TABLE = Table("texts")

Run = Callable[[Any], Any]


def texts(tf: Any) -> Any:
    """Give a matrix of texts."""
    return tf.constant([["a", "b", "c"], ["d", "ü", ""]])


SUMS: list[Run] = [
    lambda tf: tf.constant("a") + tf.constant("a"),
    lambda tf: tf.constant(["a", "b"]) + tf.constant("c"),
    lambda tf: tf.constant(["a", "b"]) + "c",
    lambda tf: "x" + tf.constant(["a", "b"]),
    lambda tf: b"x" + tf.constant("b"),
    lambda tf: tf.constant("b") + b"\xff",
    lambda tf: operator.add(["x", "y"], tf.constant(["a", "b"])),
    lambda tf: operator.add(tf.constant(["a", "b"]), ["x", "y"]),
    lambda tf: operator.add(tf.constant(["a", "b"]), [["x"], ["y"]]),
    lambda tf: tf.constant(["a", "b"]) + tf.constant(["x", "y", "z"]),
    lambda tf: tf.constant("a") + 1,
    lambda tf: 1 + tf.constant("a"),
    lambda tf: tf.constant("a") + 1.5,
    lambda tf: tf.constant("a") + True,
    lambda tf: tf.constant("a") + tf.constant(1),
    lambda tf: tf.constant(1) + tf.constant("a"),
    lambda tf: tf.constant(1) + "a",
    lambda tf: "a" + tf.constant(1.0),
    lambda tf: tf.add("a", "b"),
    lambda tf: tf.math.add(["a"], tf.constant("b")),
    lambda tf: tf.add_n([tf.constant("a"), tf.constant("b")]),
    lambda tf: tf.add_n([tf.constant("a")]),
    lambda tf: tf.Variable("a") + "b",
    lambda tf: "b" + tf.Variable(["a"]),
    lambda tf: tf.reduce_sum(["a", "b"]),
    lambda tf: sum([tf.constant("a"), tf.constant("b")], tf.constant("")),
]
TABLE.rows("sum", SUMS)

BINARY = (
    *("sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and_", "xor"),
    *("eq", "ne", "lt", "le", "gt", "ge"),
)
for _name in BINARY:
    _run = getattr(operator, _name)
    TABLE.add(f"{_name} of tensors", lambda tf, run=_run: run(texts(tf), texts(tf)))
    TABLE.add(f"{_name} and text", lambda tf, run=_run: run(texts(tf), "b"))
    TABLE.add(f"{_name} behind a text", lambda tf, run=_run: run("b", texts(tf)))
    TABLE.add(f"{_name} and bytes", lambda tf, run=_run: run(texts(tf), b"b"))
    TABLE.add(f"{_name} and number", lambda tf, run=_run: run(texts(tf), 1))
    if _name != "mul":  # an accident of TensorFlow's
        TABLE.add(
            f"{_name} of a number and a text", lambda tf, run=_run: run(tf.constant(1.0), "a")
        )
for _name in ("neg", "abs", "invert"):
    _run = getattr(operator, _name)
    TABLE.add(f"{_name} of texts", lambda tf, run=_run: run(texts(tf)))

EQUALITY: list[Run] = [
    lambda tf: tf.constant("b") == "b",
    lambda tf: tf.constant("b") == b"b",
    lambda tf: tf.constant("b") != "b",
    lambda tf: operator.eq("b", tf.constant("b")),
    lambda tf: tf.constant(["a", "b"]) == ["a", "x"],
    lambda tf: tf.constant(["a", "b"]) == tf.constant(["a", "b", "c"]),
    lambda tf: tf.constant("b") == 1,
    lambda tf: tf.constant("b") == tf.constant(1),
    lambda tf: tf.constant("b") == None,  # noqa: E711 - what scripts write
    lambda tf: tf.constant(1) == "b",
    lambda tf: tf.constant([1.0]) != "b",
    lambda tf: tf.Variable("b") == "b",
    lambda tf: tf.equal(["a", "b"], "b"),
    lambda tf: tf.not_equal(texts(tf), "b"),
    lambda tf: tf.equal("a", 1),
    lambda tf: tf.equal(tf.constant("a"), tf.constant(1)),
    lambda tf: bool(tf.constant("b") == "b"),
]
TABLE.rows("equality", EQUALITY)

PLACES: list[Run] = [
    lambda tf: tf.constant(["b"])[0],
    lambda tf: tf.constant(["b", "c"])[-1],
    lambda tf: tf.constant(["b", "c"])[5],
    lambda tf: texts(tf)[1],
    lambda tf: texts(tf)[:, 1],
    lambda tf: texts(tf)[::-1, ::2],
    lambda tf: texts(tf)[0, 1],
    lambda tf: texts(tf)[tf.newaxis, ..., 0],
    lambda tf: texts(tf)[tf.constant([True, False])],
    lambda tf: texts(tf)[texts(tf) == "b"],
    lambda tf: tf.constant("abc")[0],
    lambda tf: tf.constant(["b"])["b"],
    lambda tf: list(tf.constant(["a", "b"])),
    lambda tf: list(texts(tf)),
    lambda tf: list(tf.constant("ab")),
    lambda tf: len(tf.constant(["a", "b"])),
    lambda tf: len(tf.constant("ab")),
    lambda tf: tf.Variable(["a", "b"])[1],
    lambda tf: tf.gather(texts(tf), [1, 0]),
    lambda tf: tf.gather(texts(tf), [2, 0], axis=1),
    lambda tf: tf.gather(texts(tf), 7),
    lambda tf: tf.gather_nd(texts(tf), [[0, 1], [1, 1]]),
    lambda tf: tf.boolean_mask(texts(tf), [[True, False, True], [False, True, False]]),
    lambda tf: tf.slice(texts(tf), [0, 1], [2, 2]),
    lambda tf: tf.strided_slice(texts(tf), [0, 0], [2, 3], [1, 2]),
    lambda tf: tf.dynamic_partition(["a", "b", "c"], [0, 1, 0], 2),
    lambda tf: tf.dynamic_stitch([[0, 2], [1]], [["a", "c"], ["b"]]),
    lambda tf: tf.scatter_nd([[1], [3]], ["a", "b"], [4]),
    lambda tf: tf.scatter_nd([[1], [1]], ["a", "b"], [4]),
    lambda tf: tf.tensor_scatter_nd_update(["a", "b", "c"], [[1]], ["x"]),
]
TABLE.rows("place", PLACES)

SHAPES: list[Run] = [
    lambda tf: tf.reshape([["a"]], (1,)),
    lambda tf: tf.reshape(texts(tf), [-1]),
    lambda tf: tf.reshape(texts(tf), [4, 2]),
    lambda tf: tf.reshape(texts(tf), [3, 2]),
    lambda tf: tf.reshape(texts(tf), (tf.constant(3.5), 2)),
    lambda tf: tf.reshape("a", [1, 1]),
    lambda tf: tf.reshape(["a"], []),
    lambda tf: tf.transpose(texts(tf)),
    lambda tf: tf.transpose(tf.reshape(texts(tf), [1, 2, 3]), [2, 0, 1]),
    lambda tf: tf.expand_dims(["a", "b"], 0),
    lambda tf: tf.expand_dims("a", -1),
    lambda tf: tf.squeeze([["a"]]),
    lambda tf: tf.squeeze([["a", "b"]], axis=0),
    lambda tf: tf.stack(["a", "b"]),
    lambda tf: tf.stack([tf.constant("a"), tf.constant("b")]),
    lambda tf: tf.stack([texts(tf), texts(tf)], axis=-1),
    lambda tf: tf.stack([tf.constant("a"), tf.constant(1)]),
    lambda tf: tf.unstack(texts(tf)),
    lambda tf: tf.unstack(texts(tf), axis=1),
    lambda tf: tf.concat([["a"], ["b", "c"]], 0),
    lambda tf: tf.concat([texts(tf), texts(tf)], 1),
    lambda tf: tf.concat([tf.constant(["a"]), tf.constant([1])], 0),
    lambda tf: tf.concat([["a"]], 0),
    lambda tf: tf.split(texts(tf), 3, axis=1),
    lambda tf: tf.split(texts(tf), [1, 2], axis=1),
    lambda tf: tf.tile(["a", "b"], [2]),
    lambda tf: tf.tile(texts(tf), [2, 1]),
    lambda tf: tf.repeat(["a", "b"], 2),
    lambda tf: tf.repeat(["a", "b"], [1, 2]),
    lambda tf: tf.repeat(texts(tf), 2, axis=0),
    lambda tf: tf.reverse(texts(tf), [1]),
    lambda tf: tf.roll(["a", "b", "c"], 1, 0),
    lambda tf: tf.pad(["a"], [[1, 2]]),
    lambda tf: tf.pad(["a"], [[1, 2]], constant_values="x"),
    lambda tf: tf.broadcast_to("a", [2, 2]),
    lambda tf: tf.broadcast_to(["a", "b"], [2, 2]),
    lambda tf: tf.meshgrid(["a", "b"], ["c"]),
    lambda tf: tf.fill([2], "a"),
    lambda tf: tf.zeros([2], tf.string),
    lambda tf: tf.zeros_like(["a", "b"]),
    lambda tf: tf.ones([2], tf.string),
    lambda tf: tf.ones_like(["a", "b"]),
    lambda tf: tf.linalg.diag(["a", "b"]),
    lambda tf: tf.linalg.diag_part(texts(tf)),
    lambda tf: tf.linalg.matrix_transpose(texts(tf)),
    lambda tf: tf.eye(2, dtype=tf.string),
    lambda tf: tf.one_hot([0, 1], 2, on_value="y", off_value="n"),
    lambda tf: tf.one_hot([0, 1], 2, on_value="y", off_value="n", dtype=tf.string),
    lambda tf: tf.sequence_mask([1, 2], dtype=tf.string),
    lambda tf: tf.shape(texts(tf)),
    lambda tf: tf.rank(texts(tf)),
    lambda tf: tf.size(texts(tf)),
    lambda tf: tf.identity(texts(tf)),
    lambda tf: tf.stop_gradient(texts(tf)),
    lambda tf: tf.ensure_shape(texts(tf), [2, None]),
    lambda tf: tf.convert_to_tensor([tf.constant("a"), "b"]),
    lambda tf: tf.convert_to_tensor("a", tf.float32),
    lambda tf: tf.convert_to_tensor(1, tf.string),
    lambda tf: tf.constant(["a", 1]),
    lambda tf: tf.constant([["a"], ["b", "c"]]),
    lambda tf: tf.constant(["a", None]),
    lambda tf: tf.constant("a", shape=[2, 2]),
    lambda tf: tf.constant(["a"], tf.int32),
    lambda tf: tf.reverse_sequence(texts(tf), [1, 2], seq_axis=1),
    lambda tf: tf.image.flip_left_right(tf.reshape(texts(tf), [1, 2, 3])),
]
TABLE.rows("shape", SHAPES)

CHOICES: list[Run] = [
    lambda tf: tf.where([True, False], ["a", "b"], ["c", "d"]),
    lambda tf: tf.where([True, False], "a", "b"),
    lambda tf: tf.where(texts(tf) == "a", "A", texts(tf)),
    lambda tf: tf.where(True, "a", 1),
    lambda tf: tf.where(tf.constant([True]), tf.constant("a"), tf.constant(1)),
    lambda tf: tf.where(["a", "", "b"]),
    lambda tf: tf.where("a", 1, 2),
    lambda tf: tf.cond(tf.constant(True), lambda: tf.constant("a"), lambda: tf.constant("b")),
    lambda tf: tf.unique(["a", "b", "a"]),
    lambda tf: tf.unique_with_counts(["a", "b", "a"]),
    lambda tf: tf.sort(["b", "a"]),
    lambda tf: tf.argsort(["b", "a"]),
    lambda tf: tf.argmax(["b", "a"]),
    lambda tf: tf.math.top_k(["b", "a"]),
    lambda tf: tf.reduce_max(["b", "a"]),
    lambda tf: tf.reduce_min(["b", "a"]),
    lambda tf: tf.reduce_mean(["b", "a"]),
    lambda tf: tf.reduce_prod(["b", "a"]),
    lambda tf: tf.reduce_any(["b", "a"]),
    lambda tf: tf.reduce_all(["b", "a"]),
    lambda tf: tf.reduce_logsumexp(["b", "a"]),
    lambda tf: tf.cumsum(["b", "a"]),
    lambda tf: tf.math.count_nonzero(["a", ""]),
    lambda tf: tf.math.bincount(["a", "b"]),
    lambda tf: tf.math.segment_sum(["a", "b"], [0, 0]),
    lambda tf: tf.debugging.assert_equal(tf.constant("a"), tf.constant("a")),
    lambda tf: tf.cast(texts(tf), tf.string),
    lambda tf: tf.cast("1", tf.int32),
    lambda tf: tf.cast(1, tf.string),
    lambda tf: tf.bitcast("a", tf.int32),
    lambda tf: tf.map_fn(lambda t: t + "x", tf.constant(["a", "b"])),
    lambda tf: tf.map_fn(tf.strings.length, tf.constant(["a", "bb"]), fn_output_signature=tf.int32),
    lambda tf: tf.foldl(lambda a, b: a + b, tf.constant(["a", "b"])),
    lambda tf: tf.scan(lambda a, b: a + b, tf.constant(["a", "b"])),
    lambda tf: tf.while_loop(
        lambda s: tf.strings.length(s) < 3, lambda s: (s + "x",), (tf.constant("a"),)
    ),
    lambda tf: tf.random.shuffle(tf.constant(["a", "a"])),
    lambda tf: tf.nest.map_structure(lambda t: t + "!", {"k": tf.constant("a")}),
    lambda tf: tf.py_function(lambda t: t, [tf.constant("a")], tf.string),
    lambda tf: tf.numpy_function(lambda t: t, [tf.constant("a")], tf.string),
    lambda tf: tf.TensorSpec([None], tf.string).is_compatible_with(tf.constant(["a"])),
    lambda tf: tf.get_static_value(tf.constant(["a"])),
    lambda tf: tf.nn.relu("a"),
    lambda tf: tf.nn.embedding_lookup(tf.constant(["a", "b"]), [1, 0]),
    lambda tf: tf.matmul(texts(tf), texts(tf)),
    lambda tf: tf.tensordot(["a"], ["b"], 1),
    lambda tf: tf.linalg.norm(["a"]),
    lambda tf: tf.clip_by_value(["a"], "a", "b"),
    lambda tf: tf.math.is_nan("a"),
]
TABLE.rows("choice", CHOICES)

PRINTED: list[Run] = [
    lambda tf: repr(tf.constant("a")),
    lambda tf: repr(texts(tf)),
    lambda tf: str(tf.constant("a")),
    lambda tf: str(texts(tf)),
    lambda tf: f"{tf.constant('a')}",
    lambda tf: f"{texts(tf)}",
    lambda tf: f"{tf.constant('a'):>9}",
    lambda tf: repr(tf.Variable("a")),
    lambda tf: repr(tf.Variable(["a", "b"], name="v")),
    lambda tf: [type(tf.constant("a").numpy()).__name__, repr(tf.constant("a").numpy())],
    lambda tf: [str(texts(tf).numpy().dtype), repr(texts(tf).numpy())],
    lambda tf: texts(tf).numpy().tolist()[1][1].decode(),
    lambda tf: repr(tf.constant(["b"])[0]),
    lambda tf: [len(x) for x in tf.constant([b"a\0", b"\0\0"]).numpy()],
    lambda tf: len(tf.constant("a\0").numpy()),
    lambda tf: repr(tf.constant("a") + "b"),
    lambda tf: [texts(tf).dtype.name, str(texts(tf).shape), texts(tf).ndim],
    lambda tf: bool(tf.constant("a")),
    lambda tf: bool(tf.constant("")),
    lambda tf: int(tf.constant("3")),
    lambda tf: float(tf.constant("3.5")),
    lambda tf: float(tf.constant("x")),
    lambda tf: hash(tf.constant("a")),
    lambda tf: tf.Variable("a").assign("b"),
    lambda tf: tf.Variable(["a", "b"])[1].assign("c"),
    lambda tf: tf.Variable("a").assign(1),
    lambda tf: tf.Variable(1).assign("a"),
]
TABLE.rows("printed", PRINTED)

WITHOUT: list[Run] = [
    lambda tf: tf.tensor_scatter_nd_add(["a", "b", "c"], [[1]], ["x"]),
    lambda tf: tf.tensor_scatter_nd_max(["a", "b", "c"], [[1]], ["x"]),
    lambda tf: tf.space_to_batch(texts(tf), [2], [[0, 0]]),
    lambda tf: tf.searchsorted(["a", "b"], ["a"]),
    lambda tf: tf.einsum("ij->ji", texts(tf)),
    lambda tf: tf.Variable("a").assign_add("b"),
]
TABLE.rows("without", WITHOUT, says="type")

UNARY = (
    *("abs", "acos", "asinh", "cos", "exp", "floor", "negative", "round", "sigmoid", "sign"),
    *("sin", "sqrt", "square", "tanh", "math.log", "math.log1p", "math.erf", "math.lgamma"),
    *("math.rsqrt", "math.is_finite", "math.real", "math.conj", "math.softplus"),
    *("math.ceil", "math.rint", "math.expm1", "math.digamma", "logical_not", "nn.softmax"),
    *("nn.relu6", "nn.elu", "nn.selu", "nn.leaky_relu", "nn.gelu", "linalg.inv"),
    *("linalg.det", "linalg.trace", "linalg.cholesky"),
)
for _name in UNARY:
    TABLE.add(
        f"{_name} of a text", lambda tf, name=_name: operator.attrgetter(name)(tf)(tf.constant("a"))
    )
PAIRS = (
    *("subtract", "multiply", "divide", "pow", "maximum", "minimum", "less", "greater_equal"),
    *("math.floordiv", "math.floormod", "math.squared_difference", "math.divide_no_nan"),
    *("math.atan2", "math.xlogy", "logical_and", "truediv", "math.multiply_no_nan"),
    *("bitwise.bitwise_and", "truncatediv", "truncatemod"),
)
for _name in PAIRS:
    TABLE.add(
        f"{_name} of texts",
        lambda tf, name=_name: operator.attrgetter(name)(tf)(tf.constant("a"), tf.constant("b")),
    )


TRUTH: list[Run] = [
    lambda tf: tf.constant(True) + tf.constant(True),
    lambda tf: tf.constant(True) - tf.constant(True),
    lambda tf: tf.constant(True) * tf.constant(False),
    lambda tf: tf.constant(True) / tf.constant(True),
    lambda tf: tf.constant(True) // tf.constant(True),
    lambda tf: tf.constant(True) % tf.constant(True),
    lambda tf: tf.constant(True) ** tf.constant(True),
    lambda tf: tf.constant(True) < tf.constant(True),
    lambda tf: tf.constant(True) >= tf.constant(True),
    lambda tf: -tf.constant(True),
    lambda tf: abs(tf.constant(True)),
    lambda tf: tf.maximum(True, False),
    lambda tf: tf.minimum(True, False),
    lambda tf: tf.multiply(True, False),
    lambda tf: tf.add(True, False),
    lambda tf: tf.math.divide_no_nan(True, False),
    lambda tf: tf.math.squared_difference(True, False),
    lambda tf: tf.add_n([True, False]),
    lambda tf: tf.norm([True]),
    lambda tf: tf.math.real(True),
    lambda tf: tf.constant(1.0) & 2.0,
    lambda tf: ~tf.constant(1.0),
    lambda tf: tf.constant(1) + 1.5,
    lambda tf: operator.add(tf.constant(1), [1.5]),
    lambda tf: tf.constant(1) / 1.5,
    lambda tf: tf.constant(1) - 1.5,
    lambda tf: tf.constant(1) // 1.5,
    lambda tf: 1.5 + tf.constant(1),
    lambda tf: 1.5 / tf.constant(1),
    lambda tf: tf.constant(1.0)[0],
    lambda tf: tf.constant([1])[0, 0],
    lambda tf: tf.math.xdivy(1, 1),
]
TABLE.rows("truth", TRUTH)


@TABLE.program
def texts_under_a_tape(tf: Any) -> Any:
    """A tape lets texts pass, and goes on with the numbers beside them."""
    v = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        chosen = tf.where(tf.constant(["a", "b"]) + "x" == "ax", v * v, v)
        y = tf.reduce_sum(chosen)
    return tape.gradient(y, v)


@TABLE.program
def texts_that_are_watched(tf: Any) -> Any:
    """A text that is watched has no gradient."""
    x = tf.constant(["a", "b"])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reshape(x + "c", [2, 1])[0]
    return [y, tape.gradient(y, x)]


@TABLE.program
def texts_in_a_function(tf: Any) -> Any:
    """A function takes texts and gives them."""

    @tf.function
    def greet(name):
        return tf.strings.join(["hello ", name]) + "!"

    return [greet(tf.constant("a")), greet(tf.constant(["b", "c"]))]


# --- arrays of Python's objects -------------------------------------------------------------------

NUMBERS = np.array([1.0, 2.0], dtype=object)
ROWS = np.array([[1, 0], [0, 2]], dtype=object)
OBJECTS: list[Callable[[Any], Any]] = [
    lambda tf: tf.constant(NUMBERS),
    lambda tf: tf.constant(ROWS),
    lambda tf: tf.constant(np.array([np.float64(2.0), None], dtype=object)),
    lambda tf: tf.constant(NUMBERS, tf.float64),
    lambda tf: tf.stack([NUMBERS, NUMBERS]),
    lambda tf: tf.stack(list(ROWS)),
    lambda tf: tf.stack(list(ROWS[:, 0])),
    lambda tf: tf.constant(np.array(["a", "b"], dtype=object)),
    lambda tf: tf.stack(np.array(["a", "b"], dtype=object)),
    lambda tf: [tf.TensorShape([4]) == 4, tf.TensorShape([4]) != 4, tf.TensorShape([4, 2]) == 4],
]
TABLE.rows("objects", OBJECTS)


# --- texts whose order of bytes a mark says -------------------------------------------------------
MARKED: list[list[bytes]] = [
    [text.encode(code) for text in ("hé😀", "", "a\0b", "日本")]
    for code in ("utf-16", "utf-32", "utf-16-be", "utf-32-le")
]
MARKED += [
    [b"", b"\xff\xfea\0", b"\xff\xfeb\0"],
    [b"\0a", b"\xff\xfea\0"],
    [b"\xfe\xff\0a", b"\xff\xfea\0", b"\0"],
    [b"\xff\xfe\0\xd8", b"\0\xd8a\0", b"\0\0\xd8\0"],
]
for _k, _texts in enumerate(MARKED):
    for _code in ("UTF-16", "utf32", "UTF-16-LE"):
        TABLE.rows(
            f"marked texts {_k} in {_code}",
            [
                lambda tf, t=_texts, c=_code: tf.strings.unicode_transcode(t, c, "UTF-8"),
                lambda tf, t=_texts, c=_code: tf.strings.unicode_transcode(
                    t, c, "UTF-16-BE", "ignore"
                ),
                lambda tf, t=_texts, c=_code: tf.strings.unicode_transcode(t, c, "UTF-8", "strict"),
                lambda tf, t=_texts, c=_code: tf.strings.unicode_decode(t, c).to_list(),
                lambda tf, t=_texts, c=_code: [
                    rows.to_list() for rows in tf.strings.unicode_decode_with_offsets(t, c)
                ],
                lambda tf, t=_texts, c=_code: tf.strings.unicode_split(t, c).to_list(),
            ],
            says="type",
        )
