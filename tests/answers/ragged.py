"""Rows of unlike lengths: how they are made, read, printed, and what functions do with them."""

from __future__ import annotations

from collections.abc import Callable
from pkgutil import resolve_name
from types import ModuleType
from typing import Any

import numpy as np

from tests.answers.answer import Table

TABLE = Table("ragged")

Run = Callable[[Any], Any]


class Whole:
    """The names with which functions take rows: those that answer `import tensorflow`."""

    def __init__(self, tf: Any) -> None:
        self.plain = tf
        self.answer = resolve_name("symtape.stand_in.finder:Answer")("tensorflow", tf)

    def __getattr__(self, name: str) -> Any:
        found = getattr(self.plain, name)
        if isinstance(found, ModuleType) and name in {"math", "nn", "strings"}:
            return resolve_name("symtape.stand_in.finder:Answer")(f"tensorflow.{name}", found)
        return found if isinstance(found, ModuleType) else getattr(self.answer, name)


def whole(tf: Any) -> Any:
    """Give TensorFlow's own names, or those that answer for them."""
    return Whole(tf) if tf.__name__ == "symtape" else tf


def told(run: Run) -> Run:
    """Tell rows by their text, and tensors as usual."""

    def program(tf: Any) -> Any:
        found = run(tf)
        return str(found) if isinstance(found, tf.RaggedTensor) else found

    return program


def _r(tf: Any) -> Any:
    return tf.ragged.constant([[1, 2], [3], [], [4, 5, 6]])


def _f(tf: Any) -> Any:
    return tf.ragged.constant([[1.5, 2.0], [3.0]])


def _n(tf: Any) -> Any:
    return tf.ragged.constant([[[1], [2, 3]], [[4]]])


def _s(tf: Any) -> Any:
    return tf.ragged.constant([["a", "b"], ["c"]])


MADE: list[Run] = [
    _r,
    _f,
    _n,
    _s,
    lambda tf: tf.ragged.constant([[[1, 2], [3, 4]], [[5, 6]]], ragged_rank=1),
    lambda tf: tf.ragged.constant([[[1, 2]], [[3, 4], [5, 6]]], inner_shape=(2,)),
    lambda tf: tf.ragged.constant([[1, 2], [3]], dtype=tf.float64),
    lambda tf: tf.ragged.constant([[1, 2], [3]], row_splits_dtype=tf.int32).row_splits,
    lambda tf: tf.ragged.constant([[1, 2], [3, 4]]),
    lambda tf: tf.ragged.constant([1, 2]),
    lambda tf: tf.ragged.constant([]),
    lambda tf: tf.ragged.constant([[]]),
    lambda tf: tf.ragged.constant([[1, 2], 3]),
    lambda tf: tf.RaggedTensor.from_row_splits([1, 2, 3], [0, 1, 3]),
    lambda tf: tf.RaggedTensor.from_row_splits([1, 2, 3], [0, 1, 2]),
    lambda tf: tf.RaggedTensor.from_row_splits([1, 2, 3], [1, 3]),
    lambda tf: tf.RaggedTensor.from_row_splits([1, 2, 3], [0, 2, 1, 3]),
    lambda tf: tf.RaggedTensor.from_row_lengths([1, 2, 3], [1, 2]),
    lambda tf: tf.RaggedTensor.from_row_lengths([1, 2, 3], [1, 1]),
    lambda tf: tf.RaggedTensor.from_value_rowids([1, 2, 3], [0, 0, 2]),
    lambda tf: tf.RaggedTensor.from_value_rowids([1, 2, 3], [0, 0, 2], nrows=5),
    lambda tf: tf.RaggedTensor.from_row_starts([1, 2, 3], [0, 2]),
    lambda tf: tf.RaggedTensor.from_row_limits([1, 2, 3], [1, 3]),
    lambda tf: tf.RaggedTensor.from_uniform_row_length([1, 2, 3, 4], 2),
    lambda tf: tf.RaggedTensor.from_uniform_row_length([1, 2, 3, 4], 2).shape,
    lambda tf: tf.RaggedTensor.from_nested_row_splits([1, 2, 3], [[0, 1, 2], [0, 2, 3]]),
    lambda tf: tf.RaggedTensor.from_nested_row_lengths([1, 2, 3], [[1, 1], [2, 1]]),
    lambda tf: tf.RaggedTensor.from_tensor([[1, 2], [3, 0]]),
    lambda tf: tf.RaggedTensor.from_tensor([[1, 2], [3, 0]], lengths=[2, 1]),
    lambda tf: tf.RaggedTensor.from_tensor([[1, 2], [3, 0]], padding=0),
    lambda tf: tf.ragged.range([3, 0, 2]),
    lambda tf: tf.ragged.range([0, 5], [6, 9], 2),
    lambda tf: tf.ragged.stack([tf.constant([1, 2]), tf.constant([3])]),
    lambda tf: tf.ragged.stack([_r(tf), _r(tf)]),
    lambda tf: tf.ragged.boolean_mask([[1, 2], [3, 4]], [[True, False], [True, True]]),
    lambda tf: tf.ragged.boolean_mask(_r(tf), _r(tf) > 2),
    lambda tf: tf.ragged.row_splits_to_segment_ids([0, 2, 3]),
    lambda tf: tf.ragged.segment_ids_to_row_splits([0, 0, 1, 3]),
    lambda tf: tf.ragged.map_flat_values(tf.square, _n(tf)),
    lambda tf: tf.ragged.map_flat_values(tf.add, _r(tf), _r(tf)),
]
TABLE.rows("made", [told(run) for run in MADE])

READ: list[Run] = [
    lambda tf: [_r(tf).shape, _n(tf).shape, _r(tf).ragged_rank, _n(tf).ragged_rank],
    lambda tf: [_r(tf).row_splits, _r(tf).row_lengths(), _r(tf).value_rowids(), _r(tf).nrows()],
    lambda tf: [_r(tf).row_starts(), _r(tf).row_limits(), _r(tf).values, _n(tf).flat_values],
    lambda tf: [*_n(tf).nested_row_splits, *_n(tf).nested_row_lengths()],
    lambda tf: [_r(tf).bounding_shape(), _n(tf).bounding_shape()],
    lambda tf: [_r(tf).to_tensor(), _r(tf).to_tensor(-1, shape=(5, 2)), _n(tf).to_tensor()],
    lambda tf: [_s(tf).to_tensor(), _s(tf).to_list(), _n(tf).to_list()],
    lambda tf: [_r(tf)[0], _r(tf)[-1], _r(tf)[3, 1], _n(tf)[0, 1]],
    lambda tf: _r(tf)[1:3],
    lambda tf: _r(tf)[:, :-1],
    lambda tf: _r(tf)[..., -1:],
    lambda tf: _r(tf)[::-2, ::-1],
    lambda tf: _r(tf)[:, tf.newaxis],
    lambda tf: _r(tf)[:, 0],
    lambda tf: _r(tf)[10],
    lambda tf: _r(tf)["a"],
    lambda tf: list(_f(tf)),
    lambda tf: bool(_r(tf)),
    lambda tf: len(_r(tf)),
    lambda tf: hash(_r(tf)),
    lambda tf: _r(tf).with_values([9, 9, 9, 9, 9, 9]),
    lambda tf: _r(tf).with_values([1]),
    lambda tf: _n(tf).with_flat_values([9.0, 9.0, 9.0, 9.0]),
    lambda tf: _n(tf).merge_dims(0, 1),
    lambda tf: _n(tf).merge_dims(1, 2),
    lambda tf: _r(tf).merge_dims(0, 1),
    lambda tf: 1 + _r(tf) * _r(tf),
    lambda tf: _r(tf) / 2,
    lambda tf: -(abs(_f(tf)) ** 2.0) // 1.5,
    lambda tf: (_r(tf) > 2) & ~(_r(tf) == 5),
    lambda tf: tf.constant([[1], [2], [3], [4]]) * _r(tf),
]
TABLE.rows("read", [told(run) for run in READ])
TABLE.add("other rows", lambda tf: _r(tf) + _f(tf), says="type")
TABLE.add("no tensor", lambda tf: tf.convert_to_tensor(_r(tf)), says="type")


@TABLE.program
def gradient_by_rows(tf: Any) -> Any:
    """Watch rows as a whole, and differentiate by them."""
    rows = _f(tf)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(rows)
        y = rows * rows
    found = tape.gradient(y, [rows, rows.flat_values])
    return [found[0].to_list(), found[1], tape.gradient(y.flat_values, rows).to_list()]


@TABLE.program
def gradient_through_rows(tf):
    x = tf.constant([1.0, 2.0, 3.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        rows = tf.RaggedTensor.from_row_lengths(x, [2, 0, 1])
        y = tf.reduce_sum((rows * rows * rows).to_tensor(5.0)[:, ::-1] ** 2)
    return tape.gradient(y, x)


FUNCTIONS: list[Run] = [
    lambda tf: tf.square(_n(tf)),
    lambda tf: tf.cast(_r(tf), tf.float64),
    lambda tf: tf.maximum(_r(tf), 2),
    lambda tf: tf.clip_by_value(_r(tf), 1, 3),
    lambda tf: tf.add_n([_r(tf), _r(tf)]),
    lambda tf: tf.one_hot(_r(tf), 2),
    lambda tf: tf.where(_r(tf) > 2, _r(tf), -_r(tf)),
    lambda tf: tf.where(_r(tf) > 2),
    *(
        lambda tf, axis=axis, name=name: getattr(tf, name)(_r(tf), axis=axis)
        for name in ("reduce_sum", "reduce_prod", "reduce_max", "reduce_min", "reduce_mean")
        for axis in (None, 0, 1)
    ),
    lambda tf: tf.reduce_sum(_r(tf), axis=1, keepdims=True),
    lambda tf: tf.reduce_sum(_r(tf), axis=2),
    lambda tf: tf.reduce_sum(_n(tf), axis=1),
    lambda tf: tf.reduce_sum(_n(tf), axis=2),
    lambda tf: tf.reduce_sum(_n(tf), axis=[1, 2]),
    lambda tf: tf.reduce_mean(_n(tf), axis=-1),
    lambda tf: [tf.reduce_any(_r(tf) > 2, axis=1), tf.reduce_all(_r(tf) > 2, axis=1)],
    lambda tf: tf.concat([_r(tf), _r(tf)], axis=0),
    lambda tf: tf.concat([_r(tf), [[0], [0], [0], [0]]], axis=1),
    lambda tf: tf.concat([_n(tf), _n(tf)], axis=2),
    lambda tf: tf.stack([_r(tf), _r(tf)]),
    lambda tf: tf.stack([_r(tf), _r(tf)], axis=1),
    lambda tf: tf.stack([_r(tf), _r(tf)], axis=2),
    lambda tf: tf.expand_dims(_r(tf), 0),
    lambda tf: tf.expand_dims(_r(tf), -1),
    lambda tf: tf.gather(_r(tf), [0, 3]),
    lambda tf: tf.gather(_r(tf), [[0], [1]]),
    lambda tf: tf.gather([10, 20, 30, 40, 50, 60, 70], _r(tf)),
    lambda tf: [tf.size(_r(tf)), tf.rank(_n(tf)), tf.reshape(_r(tf), [-1])],
    lambda tf: tf.tile(_r(tf), [2, 1]),
    lambda tf: tf.tile(_r(tf), [1, 2]),
    lambda tf: tf.reverse(_r(tf), [0]),
    lambda tf: tf.squeeze(tf.expand_dims(_r(tf), 0), 0),
    lambda tf: tf.identity(_f(tf)),
    lambda tf: tf.is_tensor(_r(tf)),
]
TABLE.rows("function", [told(lambda tf, run=run: run(whole(tf))) for run in FUNCTIONS])

TEXTS: list[Run] = [
    lambda tf: tf.strings.split(["", " a  b "]),
    lambda tf: tf.strings.split([["a b", "c"]]),
    lambda tf: tf.strings.split(["a,b,c", "d"], ",", maxsplit=1),
    lambda tf: tf.strings.split(_s(tf)),
    lambda tf: tf.strings.bytes_split(["ab", "c"]),
    lambda tf: tf.strings.unicode_split(["héy", "a"], "UTF-8"),
    lambda tf: tf.strings.unicode_split(b"a\xffb", "UTF-8"),
    lambda tf: tf.strings.unicode_decode(["hé", "a"], "UTF-8"),
    lambda tf: tf.strings.unicode_decode(b"a\xffb\xe2\x82c", "UTF-8"),
    lambda tf: tf.strings.unicode_decode(b"a\xffb", "UTF-8", errors="ignore"),
    lambda tf: tf.strings.unicode_decode(b"a\xffb", "UTF-8", errors="strict"),
    lambda tf: tf.strings.unicode_decode("a\x01b\x7f", "UTF-8", "replace", 33, True),
    lambda tf: tf.strings.unicode_decode("ab", "UTF-99"),
    lambda tf: list(tf.strings.unicode_decode_with_offsets(b"\xffh\xc3\xa9y\xe2\x82z", "UTF-8")),
    lambda tf: list(tf.strings.unicode_split_with_offsets("héy", "UTF-8")),
    lambda tf: tf.strings.unicode_encode([[104, 233], [97, 98]], "UTF-16-BE"),
    lambda tf: tf.strings.unicode_encode(tf.ragged.constant([[104, 233], [97]]), "UTF-8"),
    lambda tf: tf.strings.unicode_encode([104, -1, 0x110000], "UTF-8"),
    lambda tf: tf.strings.unicode_encode([104, 0xD800], "UTF-8", errors="strict"),
    lambda tf: tf.strings.unicode_encode(104, "UTF-8"),
    lambda tf: tf.strings.unicode_transcode(["hé", "a"], "UTF-8", "UTF-16-BE"),
    lambda tf: tf.constant(["é", b"\xff"]),
    lambda tf: tf.constant([["é"], [b"\xff", "c"]]),
    lambda tf: tf.constant(["é", b"\xff", 1]),
    lambda tf: list(tf.strings.unicode_decode_with_offsets(["é\0a", b"\xffb\xc3"], "UTF-8")),
    lambda tf: tf.strings.ngrams(["a", "b", "c"], [2, 3]),
    lambda tf: tf.strings.ngrams(["a", "b"], 3, pad_values=("<", ">")),
    lambda tf: tf.strings.ngrams(["a", "b"], 3, pad_values="_", padding_width=1),
    lambda tf: tf.strings.ngrams(["a", "b"], 3, preserve_short_sequences=True),
    lambda tf: tf.strings.ngrams([["a", "b"], ["c", "d"]], 2),
    lambda tf: tf.strings.ngrams(_s(tf), 2),
    lambda tf: tf.strings.ngrams(["a", "b"], 0),
    lambda tf: tf.strings.ngrams(["a", "b"], 2, pad_values=3),
    lambda tf: tf.strings.ngrams(["a", "b"], 2, padding_width=0),
]
TABLE.rows("text", [told(run) for run in TEXTS])


def _softly(run: Run) -> Run:
    """Tell rows by their numbers, which may be off by a rounding."""

    def program(tf: Any) -> Any:
        found = run(whole(tf))
        return [found.values, found.row_lengths()] if hasattr(found, "row_lengths") else found

    return program


def _of_rows(tf: Any, path: str, *args: Any, **how: Any) -> Any:
    return getattr(tf.RaggedTensor, path)(*args, **how)


SELDOM: list[Run] = [
    lambda tf: tf.reduce_sum(_f(tf), axis=[0, 1]),
    lambda tf: tf.math.reduce_variance(_f(tf), axis=1),
    lambda tf: tf.math.reduce_std(_f(tf), axis=1),
    lambda tf: tf.math.reduce_variance(_f(tf)),
    lambda tf: tf.math.reduce_std(_f(tf), axis=1, keepdims=True),
    lambda tf: (
        tf.math.reduce_variance(_n(tf) * 1.5, axis=2)
        if _n(tf).dtype.is_floating
        else tf.math.reduce_variance(tf.cast(_n(tf), tf.float32), axis=2)
    ),
    lambda tf: tf.reduce_max(_r(tf)[:2], axis=0),
    lambda tf: tf.reduce_sum(_r(tf), axis=0),
    lambda tf: tf.reduce_mean(tf.cast(_r(tf), tf.float32), axis=0),
    lambda tf: tf.reduce_prod(_r(tf), axis=0, keepdims=True),
    lambda tf: tf.nn.softmax(_f(tf)),
    lambda tf: tf.nn.softmax(_f(tf), axis=-1),
]
TABLE.rows("seldom", [_softly(run) for run in SELDOM])
TABLE.rows(
    "part",
    [
        told(run)
        for run in (
            lambda tf: _of_rows(tf, "from_tensor", [[1, 2], [3, 0]], lengths=[1, 2], padding=0),
            lambda tf: _of_rows(tf, "from_tensor", [1, 2]),
            lambda tf: _of_rows(tf, "from_tensor", [[[1], [2]], [[3], [4]]], ragged_rank=2),
            lambda tf: _of_rows(tf, "from_tensor", [[1, 2], [3, 0]], padding=0),
            lambda tf: _of_rows(tf, "from_tensor", [[1, 2], [3, 0]], lengths=[1, 2]),
            lambda tf: _of_rows(tf, "from_row_splits", [1, 2, 3], [0, 2, 2, 3]),
            lambda tf: _of_rows(tf, "from_row_lengths", [1, 2, 3], [2, 0, 1]),
            lambda tf: _of_rows(tf, "from_value_rowids", [1, 2, 3], [0, 0, 2]),
            lambda tf: _of_rows(tf, "from_value_rowids", [1, 2, 3], [0, 1, 1], nrows=4),
            lambda tf: _of_rows(tf, "from_value_rowids", [1, 2], [0, 0], nrows=1),
            lambda tf: _n(tf).row_lengths(axis=2),
            lambda tf: _n(tf).row_lengths(axis=1),
            lambda tf: repr(_r(tf).get_shape()),
            lambda tf: repr(_r(tf).dtype),
            lambda tf: _r(tf).with_row_splits_dtype(tf.float32),
            lambda tf: _n(tf).merge_dims(1, 1),
            lambda tf: _n(tf).merge_dims(0, 1),
            lambda tf: _n(tf).merge_dims(1, 2),
            lambda tf: tf.ragged.constant([]).numpy(),
            lambda tf: _r(tf)[None],
            lambda tf: _r(tf)[1:, None],
            lambda tf: _n(tf)[0],
            lambda tf: _n(tf)[:, :1],
            lambda tf: _n(tf)[..., :1],
            lambda tf: _r(tf) + np.array([[1], [2], [3], [4]], "i"),
            lambda tf: _r(tf) + np.array([[10]], "i"),
            lambda tf: _r(tf) + tf.constant([1]),
            lambda tf: 2 - _r(tf),
            lambda tf: _r(tf) // 2,
            lambda tf: -_r(tf),
            lambda tf: tf.ragged.boolean_mask(_r(tf), _r(tf) > 2),
            lambda tf: tf.ragged.boolean_mask([[1, 2], [3, 4]], [[True, False], [True, True]]),
            lambda tf: tf.ragged.boolean_mask(_n(tf), _n(tf) > 2),
            lambda tf: tf.ragged.boolean_mask([1, 2], True),
            lambda tf: tf.ragged.map_flat_values(tf.square, _r(tf)),
            lambda tf: tf.ragged.map_flat_values(tf.square, [1.0, 2.0]),
            lambda tf: tf.ragged.stack([1, 2]),
            lambda tf: tf.ragged.stack([[1, 2], [3]]),
            lambda tf: tf.strings.ngrams(tf.ragged.constant([[["a", "b"]], [["c"]]]), 2),
        )
    ],
)
TABLE.add("code", lambda tf: tf.strings.unicode_encode([104], "UTF-99"), says="plain")

TAKEN: list[Run] = [
    lambda tf: tf.gather(_r(tf), [3, 0]),
    lambda tf: tf.gather(_r(tf), 1),
    lambda tf: tf.gather(_r(tf), [[0, 3], [1, 1]]),
    lambda tf: tf.gather(_n(tf), [1]),
    lambda tf: tf.gather([10, 20, 30], tf.ragged.constant([[0, 2], [1]])),
    lambda tf: tf.gather(_r(tf), tf.ragged.constant([[0, 3], [1]])),
    lambda tf: tf.gather(_r(tf), tf.constant([], tf.int32)),
    lambda tf: tf.nn.embedding_lookup(
        tf.constant([[1.0], [2.0], [4.0]]), tf.ragged.constant([[2, 0], [1]])
    ),
    lambda tf: tf.reverse(_r(tf), [0]),
    lambda tf: tf.reshape(_r(tf), [-1]),
    lambda tf: tf.squeeze(_r(tf)[:1], 0),
    lambda tf: tf.size(_r(tf)),
    lambda tf: tf.size(_r(tf), out_type=tf.int64),
    lambda tf: tf.rank(_n(tf)),
    lambda tf: tf.where(_r(tf) > 2, _r(tf), -_r(tf)),
    lambda tf: tf.where(_r(tf) > 2),
    lambda tf: tf.expand_dims(_r(tf), -1),
    lambda tf: tf.expand_dims(_r(tf), 0),
    lambda tf: tf.expand_dims(_r(tf), 1),
    lambda tf: tf.tile(_r(tf), [2, 1]),
    lambda tf: tf.tile(_r(tf), [1, 2]),
    lambda tf: tf.strings.reduce_join(_s(tf), axis=-1, separator="-"),
    lambda tf: tf.strings.reduce_join(_s(tf), axis=1),
    lambda tf: tf.add_n([_r(tf), _r(tf)]),
    lambda tf: tf.cast(_r(tf), tf.float32),
    lambda tf: tf.zeros_like(_r(tf)),
    lambda tf: tf.one_hot(_r(tf), 3),
]
TABLE.rows("taken", [told(lambda tf, run=run: run(whole(tf))) for run in TAKEN])
TABLE.rows(
    "not there",
    [
        lambda tf: whole(tf).concat([_r(tf), _r(tf)[:2]], 1),
        lambda tf: whole(tf).gather(_r(tf), [4]),
        lambda tf: whole(tf).gather(_r(tf), [0, -1]),
        lambda tf: whole(tf).gather(_r(tf), [[0, 1], [2, 7]]),
        lambda tf: whole(tf).gather(_r(tf), -1),
        lambda tf: whole(tf).gather(_r(tf), 4),
        lambda tf: whole(tf).gather(_r(tf), tf.ragged.constant([[0], [9]])),
        lambda tf: tf.RaggedTensor.from_value_rowids([1, 2], [0, 3], nrows=2),
    ],
)
TABLE.rows(
    "outside",
    [
        lambda tf: tf.RaggedTensor.from_row_lengths([1, 2], [3, -1]),
        lambda tf: tf.RaggedTensor.from_value_rowids([1, 2], [1, 0]),
        lambda tf: tf.RaggedTensor.from_row_splits([1, 2], [[0, 2]]),
        lambda tf: tf.RaggedTensor.from_row_splits([1, 2], [0.0, 2.0]),
        lambda tf: _n(tf).row_lengths(axis=3),
        lambda tf: _r(tf).merge_dims(1, 0),
        lambda tf: (
            tf.concat([_r(tf), _n(tf)], 0)
            if tf.__name__ != "symtape"
            else whole(tf).concat([_r(tf), _n(tf)], 0)
        ),
        lambda tf: tf.ragged.map_flat_values(tf.reduce_sum, _r(tf)),
        lambda tf: tf.ragged.constant([[1, 2]], ragged_rank=3),
        lambda tf: tf.RaggedTensor.from_tensor([[1, 2]], ragged_rank=2),
        lambda tf: tf.RaggedTensor.from_tensor([[1, 2]], lengths=[1], ragged_rank=2),
        lambda tf: tf.RaggedTensor.from_tensor([[1, 2]], lengths=[1], padding=0),
        lambda tf: tf.strings.unicode_encode(tf.constant([1.0, 2.0]), "UTF-8"),
    ],
    says="type",
)


MAPPED = [
    lambda tf: tf.map_fn(lambda r: r * 2, _f(tf)),
    lambda tf: tf.map_fn(tf.reduce_sum, _f(tf), fn_output_signature=tf.float32),
    lambda tf: tf.map_fn(lambda r: tf.size(r), _r(tf), dtype=tf.int32),
    lambda tf: tf.map_fn(lambda r: r[:2], _r(tf)),
    lambda tf: tf.map_fn(lambda r: r, _n(tf)),
    lambda tf: tf.map_fn(lambda r: tf.reduce_sum(r, 1), _n(tf), fn_output_signature=tf.int32),
    lambda tf: tf.map_fn(
        lambda p: tf.reduce_sum(p[0]) * p[1], (_f(tf), tf.constant([2.0, 3.0])), tf.float32
    ),
    lambda tf: tf.map_fn(lambda r: r.to_tensor(shape=[2, 2]), _n(tf), tf.int32),
    lambda tf: tf.map_fn(
        lambda r: tf.strings.length(r), tf.ragged.constant([["a", "bb"], ["c"]]), tf.int32
    ),
    lambda tf: tf.map_fn(tf.reduce_sum, _f(tf), fn_output_signature=tf.int32),
]


def _sparsely(run: Run) -> Run:
    def program(tf: Any) -> Any:
        whole(tf)  # which brings sparse tensors
        found = run(tf)
        return (
            found
            if hasattr(found, "row_splits")
            else [
                found.indices,
                found.values,
                found.dense_shape,
            ]
        )

    return program


def _sparse(tf: Any, *parts: Any) -> Any:
    kind = resolve_name("symtape.ops.sparse.tensor:SparseTensor")
    return (kind if tf.__name__ == "symtape" else tf.SparseTensor)(*parts)


SPARSE = [
    lambda tf: _f(tf).to_sparse(),
    lambda tf: _n(tf).to_sparse(),
    lambda tf: tf.RaggedTensor.from_sparse(_r(tf).to_sparse()),
    lambda tf: tf.RaggedTensor.from_sparse(_sparse(tf, [[2, 0]], [1.0], [4, 2])),
    lambda tf: tf.RaggedTensor.from_sparse(_n(tf).to_sparse()),
]
TABLE.rows("map_fn", [lambda tf, run=run: told(lambda m: run(whole(m)))(tf) for run in MAPPED])
TABLE.rows("sparse", [told(_sparsely(run)) for run in SPARSE])
TABLE.add(
    "gather of rows of one length",
    lambda tf: str(whole(tf).gather(tf.RaggedTensor.from_tensor([[1, 2], [3, 4]]), [1, 0]).shape),
)
TABLE.add(
    "sparse, with a hole",
    lambda tf: tf.RaggedTensor.from_sparse(_sparse(tf, [[0, 1]], [1], [1, 2])),
    says="type",
)


COUNTED = [
    lambda tf: tf.math.bincount(_r(tf), axis=-1),
    lambda tf: tf.math.bincount(_r(tf)),
    lambda tf: tf.math.bincount(_r(tf), axis=-1, binary_output=True, minlength=9),
    lambda tf: tf.math.bincount(_r(tf), axis=-1, maxlength=3, dtype=tf.float32),
    lambda tf: tf.math.bincount(
        tf.cast(_f(tf), tf.int32), axis=-1, weights=_f(tf), minlength=2, maxlength=5
    ),
    lambda tf: str(tf.shape(_r(tf))),
    lambda tf: str(tf.shape(_n(tf))),
    lambda tf: [tf.shape(_r(tf))[0], tf.shape(_r(tf), out_type=tf.int64)[0], tf.shape(_r(tf)).rank],
    lambda tf: tf.shape(_r(tf))[1],
    lambda tf: [tf.shape(_n(tf)).inner_shape, tf.shape(_n(tf)).static_lengths()],
    lambda tf: [tf.shape(_n(tf)).is_uniform(k) for k in range(3)],
    lambda tf: tf.ragged.range([2, 3]).dtype.name,
    lambda tf: tf.ragged.range([2.5]).dtype.name,
    lambda tf: tf.ragged.range(tf.constant([2], tf.int64)).dtype.name,
    lambda tf: tf.ragged.range([0, 1], [2.5, 3.0]).dtype.name,
]
TABLE.rows("counts", [lambda tf, run=run: run(whole(tf)) for run in COUNTED])

CUBE = np.arange(24.0, dtype=np.float32).reshape(2, 3, 4)
GATHERED: list[tuple[Any, Any, int]] = [
    *((CUBE, [[1], [0, 1]], 0), (CUBE, [[1], [0, 2, 1]], 1), (CUBE, [[1], [0, 1], []], -1)),
    *((CUBE, [[1], [0, 3, 1]], 2), (CUBE, [[[1]], [[0, 2], []]], 1), (CUBE, [[]], 1)),
    *((CUBE[0, 0], [[1], [0, 3]], 0), (CUBE[0, 0], [[1], [0, 3]], -1), (CUBE[:0], [[1]], 1)),
    *((CUBE, [[1]], 3), (CUBE, [[1]], -4)),
]


def _gathered(tf: Any, case: tuple[Any, Any, int]) -> Any:
    params, indices, axis = case
    return tf.gather(params, tf.ragged.constant(indices, dtype=tf.int32), axis=axis)


def _gathered_with_a_gradient(tf: Any) -> Any:
    x = tf.constant(CUBE)
    with tf.GradientTape() as tape:
        tape.watch(x)
        rows = tf.gather(x, tf.ragged.constant([[1], [0, 2, 1]]), axis=1)
        y = tf.reduce_sum(rows.flat_values**2)
    return tape.gradient(y, x)


TABLE.rows(
    "gathered along",
    [told(lambda tf, case=case: _gathered(whole(tf), case)) for case in GATHERED],
)
TABLE.add("gathered with a gradient", lambda tf: _gathered_with_a_gradient(whole(tf)))
TABLE.add("gathered beyond", lambda tf: _gathered(whole(tf), (CUBE, [[1], [0, 5]], 1)), says="type")
