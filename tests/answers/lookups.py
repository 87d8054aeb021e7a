"""`tf.lookup` and the hashes of `tf.strings`: tables, what is not in them, and what they refuse."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.answers.answer import Table
from tests.answers.stand_ins import wide

TABLE = Table("lookups")

Run = Callable[[Any], Any]


def table(tf: Any, keys: Any = ("a", "b"), values: Any = (1, 2), default: Any = -1) -> Any:
    """Make a table of keys and values."""
    pairs = tf.lookup.KeyValueTensorInitializer(tf.constant(keys), tf.constant(values))
    return tf.lookup.StaticHashTable(pairs, default)


def of_file(tf: Any, text: str, *columns: Any, default: Any = -1, **more: Any) -> Any:
    """Make a table of a file: the dtype and the column of the keys, then of the values."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "words.txt"
        path.write_text(text, "utf-8")
        pairs = tf.lookup.TextFileInitializer(str(path), *columns, **more)
        return tf.lookup.StaticHashTable(pairs, default)


def words(tf: Any, text: str, **more: Any) -> Any:
    """Make a table of the lines of a file, and their numbers."""
    index = tf.lookup.TextFileIndex
    columns = (tf.string, index.WHOLE_LINE, tf.int64, index.LINE_NUMBER)
    return of_file(tf, text, *columns, **more)


def vocabulary(tf: Any, more: int = 2, keys: Any = ("a", "b")) -> Any:
    """Make a table that has numbers for words that are not there."""
    dtype = tf.string if isinstance(keys[0], str) else tf.int64
    pairs = tf.lookup.KeyValueTensorInitializer(keys, range(len(keys)), dtype, tf.int64)
    return tf.lookup.StaticVocabularyTable(pairs, more)


STATIC: list[Run] = [
    lambda tf: table(tf).lookup(tf.constant(["a", "z"])),
    lambda tf: table(tf)[tf.constant("b")],
    lambda tf: table(tf).lookup(tf.constant(1)),
    lambda tf: table(tf).size(),
    lambda tf: sorted(table(tf).export()[1].numpy().tolist()),
    lambda tf: [str(table(tf).key_dtype), str(table(tf).value_dtype), table(tf).default_value],
    lambda tf: table(tf, [1, 2], ["x", "y"], "?").lookup(tf.constant([2, 7])),
    lambda tf: table(tf, [1, 2], ["x", "y"], "?").lookup(tf.constant([2, 7], tf.int64)),
    lambda tf: table(tf, [1, 2], ["x", "y"], "?")[tf.constant(2)],
    lambda tf: table(tf, [1, 2], [1.5, 2.5], 0).lookup(tf.constant([[2], [7]])),
    lambda tf: table(tf, ["a", "a"], [1, 2]),
    lambda tf: table(tf, ["a", "a"], [1, 1]).size(),
    lambda tf: table(tf, ["a", "b"], [1]),
    lambda tf: table(tf, ["a"], [[1, 2]]),
    lambda tf: table(tf, ["a"], [1], "x"),
    lambda tf: table(tf, ["a"], [True], False).lookup(tf.constant(["a", "b"])),
    lambda tf: words(tf, "a\nb\nc\n").lookup(tf.constant(["b", "c", "d"])),
    lambda tf: words(tf, "a\nb\nc\n", vocab_size=2).size(),
    lambda tf: words(tf, "a\nb\nc", value_index_offset=2).lookup(tf.constant(["a", "c"])),
    lambda tf: words(tf, "a\nb\na\n"),
    lambda tf: of_file(tf, "a 10\nb 20\n", tf.string, 0, tf.int64, 1, delimiter=" ").lookup(
        tf.constant(["b", "c"])
    ),
    lambda tf: of_file(tf, "a\t1.5\n", tf.string, 0, tf.float32, 1).lookup(tf.constant(["a"])),
    lambda tf: of_file(
        tf,
        "a\nb\n",
        *(tf.int64, tf.lookup.TextFileIndex.LINE_NUMBER),
        *(tf.string, tf.lookup.TextFileIndex.WHOLE_LINE),
        default="?",
    ).lookup(tf.constant([0, 5], tf.int64)),
    lambda tf: tf.lookup.TextFileInitializer("x", tf.string, -2, tf.int32, -1),
    lambda tf: tf.lookup.TextFileInitializer("x", tf.float32, -2, tf.int64, -1),
    lambda tf: tf.lookup.TextFileInitializer("x", tf.string, -3, tf.int64, -1),
]
TABLE.rows("static", STATIC)
TABLE.add(
    "no file",
    lambda tf: tf.lookup.StaticHashTable(
        tf.lookup.TextFileInitializer("/no/file", tf.string, -2, tf.int64, -1), -1
    ),
)
TABLE.add(
    "no column",
    lambda tf: of_file(tf, "a 1\n", tf.string, 0, tf.int64, 5, delimiter=" "),
    says="type",
)
TABLE.add("a default with axes", lambda tf: table(tf, ["a"], [1], [1, 2]))
TABLE.add("float keys", lambda tf: table(tf, [1.5], [1]), says="type")

VOCABULARIES: list[Run] = [
    lambda tf: vocabulary(tf).lookup(tf.constant(["a", "z", "y", "w", "b"])),
    lambda tf: vocabulary(tf).size(),
    lambda tf: vocabulary(tf, 0),
    lambda tf: vocabulary(tf, 3)[tf.constant(["hello world", "", "abcdefghijklmnopqrstuvwxyz"])],
    lambda tf: vocabulary(tf, 100)[tf.constant(["x" * n for n in (1, 5, 9, 17, 40, 70, 200)])],
    lambda tf: vocabulary(tf).lookup(tf.constant([1])),
    lambda tf: tf.lookup.StaticVocabularyTable(None, 5).lookup(tf.constant(["z", "a"])),
    lambda tf: vocabulary(tf, 3, (5, 6)).lookup(tf.constant([5, 9, 10], tf.int64)),
    lambda tf: tf.lookup.StaticVocabularyTable(
        tf.lookup.KeyValueTensorInitializer(["a"], [0], tf.string, tf.int32), 3
    ),
]
TABLE.rows("vocabulary", VOCABULARIES)


def changing(tf: Any) -> Any:
    """Make a table that changes."""
    return tf.lookup.experimental.MutableHashTable(tf.string, tf.int64, -1)


@TABLE.program
def what_changes(tf: Any) -> Any:
    """Keys come, get other values, and go."""
    x = changing(tf)
    x.insert(tf.constant(["b", "a"]), tf.constant([1, 2], tf.int64))
    x.insert(["b"], [7])
    found = [x.lookup(tf.constant(["a", "b", "c"])), x.size()]
    x.remove(tf.constant(["a"]))
    return [*found, x.size(), x.export()[0], x.export()[1], x[tf.constant("b")]]


@TABLE.program
def rows_of_numbers(tf: Any) -> Any:
    """A value may be a tensor."""
    x = tf.lookup.experimental.MutableHashTable(tf.string, tf.float32, [0.0, 0.0])
    x.insert(["a"], [[1.0, 2.0]])
    return x.lookup(["a", "q"])


@TABLE.program
def a_dense_table(tf: Any) -> Any:
    """A dense table answers as the other."""
    x = dense(tf)
    x.insert([3, 4], [30, 40])
    return [x.lookup(tf.constant([3, 9], tf.int64)), x.size()]


def dense(tf: Any) -> Any:
    """Make a dense table, of which two keys are never used."""
    return tf.lookup.experimental.DenseHashTable(tf.int64, tf.int64, -1, 0, -2)


MISTAKES: list[Run] = [
    lambda tf: dense(tf).insert(tf.constant([3, 0], tf.int64), tf.constant([1, 1], tf.int64)),
    lambda tf: dense(tf).insert(tf.constant([-2], tf.int64), tf.constant([1], tf.int64)),
    *[
        lambda tf, way=way, key=key: getattr(dense(tf), way)(tf.constant([5, key], tf.int64))
        for way in ("lookup", "remove")
        for key in (0, -2)
    ],
    lambda tf: tf.lookup.experimental.DenseHashTable(tf.int64, tf.int64, -1, 3, 3),
    lambda tf: changing(tf).insert([1], [2]),
    lambda tf: changing(tf).insert(["a"], [2, 3]),
    lambda tf: changing(tf).lookup(1),
    lambda tf: changing(tf).insert(tf.constant(["a"]), tf.constant([2])),
    lambda tf: changing(tf).lookup(
        tf.constant(["a"]), dynamic_default_values=tf.constant([5], tf.int64)
    ),
]
TABLE.rows("changing", MISTAKES)

TEXTS = ["x" * n + "ü" for n in (0, 1, 3, 4, 7, 8, 15, 16, 31, 32, 62, 63, 64, 126, 127, 128, 300)]
HASHES: list[Run] = [
    lambda tf: tf.strings.to_hash_bucket_fast(TEXTS, 2**62),
    lambda tf: tf.strings.to_hash_bucket_strong(TEXTS, 2**62, [5, 2**62]),
    lambda tf: tf.strings.to_hash_bucket(TEXTS, 2**62),
    lambda tf: tf.strings.to_hash_bucket_fast([["a"], ["b"]], 3),
    lambda tf: tf.strings.to_hash_bucket_fast("a", 0),
    lambda tf: tf.strings.to_hash_bucket_fast([1], 5),
    lambda tf: tf.strings.to_hash_bucket_fast(tf.constant([1]), 5),
    lambda tf: tf.strings.to_hash_bucket_strong("a", 5, [1]),
]
TABLE.rows("hash", HASHES)

SPARSE_KEYS: list[Run] = [
    lambda tf: table(tf).lookup(wide(tf).ragged.constant([["a"], ["z", "b"], []])).to_list(),
    lambda tf: vocabulary(tf).lookup(wide(tf).ragged.constant([["a"], ["z", "b"]])).to_list(),
    lambda tf: wide(tf).sparse.to_dense(table(tf).lookup(few(tf))),
    lambda tf: few(tf).indices,
    lambda tf: wide(tf).sparse.to_dense(vocabulary(tf)[few(tf)]),
    lambda tf: tf.lookup.StaticVocabularyTable(
        tf.lookup.KeyValueTensorInitializer(
            tf.constant([10, 20], tf.int64), tf.constant([0, 1], tf.int64)
        ),
        2,
        lookup_key_dtype=tf.int32,
    ).lookup(tf.constant([10, 11, 12, 20])),
]


def few(tf: Any) -> Any:
    """Make keys that stand at few places."""
    return wide(tf).sparse.from_dense([["a", "", "z"], ["", "b", ""]])


TABLE.rows("keys in rows and at few places", SPARSE_KEYS)
