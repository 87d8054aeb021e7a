"""Records: files of them, the messages that are in them, and the tensors that are made of these."""

from __future__ import annotations

import gzip
import hashlib
import os
import tempfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from tests.answers.answer import Table
from tests.answers.stand_ins import told, wide

TABLE = Table("records")
Run = Callable[[Any], Any]


def _within(run: Run) -> Run:
    """Run in an empty folder."""

    def program(tf: Any) -> Any:
        before = Path.cwd()
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            try:
                return run(tf)
            finally:
                os.chdir(before)

    return program


# --- files ----------------------------------------------------------------------------------------

PARTS = [b"one", b"", b"three" * 3, b"x" * 5000]


def _write(tf: Any, path: str = "a", options: Any = None, parts: Any = None) -> bytes:
    with tf.io.TFRecordWriter(path, options) as writer:
        for part in PARTS if parts is None else parts:
            writer.write(part)
    return Path(path).read_bytes()


def _digest(data: bytes) -> list[Any]:
    return [len(data), hashlib.sha256(data).hexdigest()]


def _list(dataset: Any) -> list[Any]:
    return [element.numpy() for element in dataset]


def _read(tf: Any, data: bytes, *args: Any) -> Any:
    """Write bytes, and read records until something is wrong; tell what was read before."""
    Path("c").write_bytes(data)
    iterator, found = iter(tf.data.TFRecordDataset(["c"], *args)), []
    while True:
        try:
            found.append(str(next(iterator).numpy()[:5]))
        except StopIteration:
            return found
        except tf.errors.OpError as error:
            text = str(error).partition("}} ")[2].partition(" [Op")[0]
            found.append([type(error).__name__, text])


def _numbered(tf: Any, **how: Any) -> Any:
    return tf.io.TFRecordOptions("ZLIB", **how)


TABLE.rows(
    "written",
    [
        _within(lambda tf, c=c: _digest(_write(tf, options=c)))
        for c in (None, "", "GZIP", "ZLIB", 0, 1, 2)
    ]
    + [
        _within(lambda tf, how=how: _digest(_write(tf, options=_numbered(tf, **how))))
        for how in (
            {"compression_level": 9},
            {"compression_level": 0},
            {"window_bits": 9},
            {"mem_level": 1},
            {"compression_strategy": 2},
            {"input_buffer_size": 4, "output_buffer_size": 8},
        )
    ],
)
FILES = {"": bytes, "GZIP": gzip.compress, "ZLIB": zlib.compress}
_GOOD = b"\x03\0\0\0\0\0\0\0\xb0\x99I\x0eone\x01@U\x08\0\0\0\0\0\0\0\0)\x03\x98\x07\xd8\xea\x82\xa2"
_WRONG: list[bytes] = [
    *[_GOOD[:n] for n in (0, 5, 12, 14, 17, 19, 25, 33)],
    *[_GOOD[:n] + b"\x55" + _GOOD[n + 1 :] for n in (0, 9, 12, 16, 20, 30, 33)],
    _GOOD + b"zz",
    b"hello world, this is a text\n",
]
TABLE.rows(
    "read",
    [
        *[_within(lambda tf, data=data: _read(tf, data)) for data in _WRONG],
        *[
            _within(lambda tf, data=data, n=n: _read(tf, FILES[n](data), n))
            for n in ("GZIP", "ZLIB")
            for data in _WRONG
        ],
        *[
            _within(lambda tf, a=a, b=b: _read(tf, FILES[a](_GOOD), b))
            for a in FILES
            for b in FILES
            if a != b
        ],
        *[_within(lambda tf, n=n: _read(tf, FILES[n](_GOOD) * 2, n)) for n in FILES],
        _within(lambda tf: _read(tf, gzip.compress(_GOOD)[:-10], "GZIP")),
        _within(lambda tf: _read(tf, b"", "GZIP")),
    ],
)


def _files(tf: Any) -> Any:
    _write(tf, "a", parts=[b"1", b"2", b"3"])
    _write(tf, "b", parts=[b"4"])
    Path("f").write_bytes(b"HEADER012345FOOTER")
    Path("g").write_bytes(gzip.compress(b"HEADER012345FOOTER"))
    return tf.data.TFRecordDataset


def _fixed(tf: Any, *args: Any, **how: Any) -> Any:
    _files(tf)
    return _list(tf.data.FixedLengthRecordDataset(*args, **how))


def _saved(tf: Any, *args: Any) -> Any:
    slices = tf.data.Dataset.from_tensor_slices(["a", "b"])
    tf.data.experimental.TFRecordWriter("e", *args).write(slices)
    return _list(tf.data.TFRecordDataset("e", *args))


DATASETS: list[Run] = [
    lambda tf: _list(_files(tf)("a")),
    lambda tf: _list(_files(tf)(["a", "b"])),
    lambda tf: _list(_files(tf)([["a"], ["b"]])),
    lambda tf: _list(_files(tf)(Path("a"))),
    lambda tf: _list(_files(tf)([Path("a"), Path("b")])),
    lambda tf: _list(_files(tf)(tf.data.Dataset.from_tensor_slices(["a", "b"]))),
    *[
        lambda tf, n=n: _list(_files(tf)(["a", "b"], num_parallel_reads=n))
        for n in (None, 1, 2, 3, -1, 0)
    ],
    lambda tf: _list(_files(tf)([])),
    lambda tf: _list(_files(tf)("none")),
    lambda tf: _list(_files(tf)(["none", "a"])),
    lambda tf: _files(tf)(3),
    lambda tf: _files(tf)(tf.data.Dataset.range(2)),
    lambda tf: _files(tf)(tf.data.Dataset.from_tensors(["a"])),
    lambda tf: _files(tf)("a", 3),
    lambda tf: _files(tf)("a", buffer_size="q"),
    lambda tf: _list(_files(tf)("a", buffer_size=1)),
    lambda tf: str(_files(tf)("a", name="q")),
    lambda tf: _files(tf)("a").cardinality(),
    lambda tf: isinstance(_files(tf)("a"), tf.data.Dataset),
    lambda tf: _list(_files(tf)("a").map(tf.strings.length).batch(2)),
    lambda tf: _list(
        _files(tf)(["a", "b"]).shuffle(9, seed=3).repeat(2).take(5).map(tf.strings.length)
    ),
    lambda tf: _fixed(tf, "f", 2, 6, 6),
    lambda tf: _fixed(tf, ["f", "f"], 3, 6, 6),
    lambda tf: _fixed(tf, "f", 4, 6, 6),
    lambda tf: _fixed(tf, "f", 5),
    lambda tf: _fixed(tf, "f", 18),
    lambda tf: _fixed(tf, "f", 19),
    lambda tf: _fixed(tf, "f", 2, 10, 10),
    lambda tf: _fixed(tf, "g", 2, 6, 6, None, "GZIP"),
    lambda tf: _fixed(tf, "g", 4, 6, 6, None, "GZIP"),
    lambda tf: _fixed(tf, ["f", "f"], 2, 6, 6, num_parallel_reads=2),
    lambda tf: _fixed(tf, "none", 2),
    lambda tf: _fixed(tf, "f", 2.5),
    lambda tf: str(tf.data.FixedLengthRecordDataset("f", 2)),
    lambda tf: _saved(tf),
    lambda tf: _saved(tf, "GZIP"),
    lambda tf: tf.data.experimental.TFRecordWriter("e").write(tf.data.Dataset.range(3)),
    lambda tf: tf.data.experimental.TFRecordWriter("e").write([b"a"]),
    lambda tf: tf.data.experimental.TFRecordWriter("no/such").write(
        tf.data.Dataset.from_tensor_slices(["a", "b"])
    ),
    lambda tf: tf.io.TFRecordWriter("no/such"),
    lambda tf: tf.io.TFRecordWriter("q", "X"),
    lambda tf: tf.io.TFRecordOptions("gzip"),
    lambda tf: tf.io.TFRecordWriter(Path("p").name, tf.io.TFRecordOptions("ZLIB")).close(),
    lambda tf: tf.io.TFRecordWriter(3),
    lambda tf: tf.io.TFRecordOptions.get_compression_type_string(tf.io.TFRecordOptions("ZLIB")),
]
TABLE.rows("datasets", [_within(run) for run in DATASETS])
TABLE.rows(
    "another size",
    [
        _within(run)
        for run in (
            lambda tf: _list(_files(tf)("a", buffer_size=-5)),
            lambda tf: _fixed(tf, "f", 0),
            lambda tf: _fixed(tf, "f", 2, -1),
            lambda tf: _fixed(tf, "f", 2, 0, -1),
            lambda tf: _fixed(tf, "f", 2, 20),
            lambda tf: _fixed(tf, "f", 2, compression_type="X"),
        )
    ],
    says="type",
)


@TABLE.program
def a_writer_that_is_closed(tf: Any) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder, "a"))
        writer = tf.io.TFRecordWriter(path.encode())
        for record in ("é", bytearray(b"x"), np.bytes_(b"y")):
            writer.write(record)
        writer.flush()
        found = [_list(tf.data.TFRecordDataset(path)), writer.close(), writer.close()]
        for run in (writer.flush, lambda: writer.write(b"z")):
            try:
                run()
            except tf.errors.FailedPreconditionError as error:
                found.append(str(error))
        return found


TABLE.add(
    "no record",
    _within(lambda tf: tf.io.TFRecordWriter("a").write(3)),
    says="type",
)

# --- messages -------------------------------------------------------------------------------------


def _list_of(tf: Any, values: Any) -> Any:
    """Make a feature of integers, floats or bytes, whichever the first value is."""
    if values is None:
        return tf.train.Feature()
    first = values[0] if values else b""
    if isinstance(first, int):
        return tf.train.Feature(int64_list=tf.train.Int64List(value=values))
    if isinstance(first, float):
        return tf.train.Feature(float_list=tf.train.FloatList(value=values))
    return tf.train.Feature(bytes_list=tf.train.BytesList(value=values))


def _features(tf: Any, values: dict[str, Any]) -> Any:
    return tf.train.Features(feature={k: _list_of(tf, v) for k, v in values.items()})


def _bytes(message: Any) -> bytes:
    return message.SerializeToString(deterministic=True)


def _message(tf: Any, **values: Any) -> bytes:
    return _bytes(tf.train.Example(features=_features(tf, values)))


def _sequences(tf: Any, context: dict[str, Any], lists: dict[str, list[Any]]) -> bytes:
    steps = {
        k: tf.train.FeatureList(feature=[_list_of(tf, v) for v in values])
        for k, values in lists.items()
    }
    return _bytes(
        tf.train.SequenceExample(
            context=_features(tf, context),
            feature_lists=tf.train.FeatureLists(feature_list=steps),
        )
    )


def _all(tf: Any) -> Any:
    return _features(
        tf,
        {
            "b": [1, -2, 300, 2**63 - 1, -(2**63)],
            "a": [1.5, 0.1, float("nan"), float("inf"), 1e20, 1e-7, 123456789.0, -0.0, 1e39],
            "c": [b"x\0\xff\"'\n\t\\abc", "é".encode(), b""],
            "é": None,
        },
    )


def _read_anew(tf: Any, kind: str, data: bytes) -> Any:
    message = getattr(tf.train, kind).FromString(data)
    return [str(message), str(message.SerializeToString()), message.ByteSize()]


MESSAGES: list[Run] = [
    lambda tf: str(_bytes(_all(tf))),
    lambda tf: [_all(tf).ByteSize(), str(_list_of(tf, [b"a"])), repr(_list_of(tf, [1, 2]))],
    lambda tf: str(_features(tf, {'"é\n': [1]})),
    lambda tf: str(_sequences(tf, {"a": [1]}, {"s": [[1, 2], None, [b"q"]]})),
    lambda tf: str(
        tf.train.SequenceExample.FromString(
            _sequences(tf, {"a": [1]}, {"s": [[1, 2], None, [b"q"]]})
        )
    ),
    lambda tf: str(tf.train.FloatList(value=[tf.constant(1.5), tf.constant(2.0)])),
    lambda tf: tf.train.Feature(foo=3),
    lambda tf: tf.train.Feature().WhichOneof("foo"),
    lambda tf: [tf.train.Example().HasField("features"), tf.train.Feature().HasField("kind")],
    *[
        lambda tf, kind=kind, data=data: _read_anew(tf, kind, data)
        for kind, data in (
            ("Int64List", b"\x08\x01\x08\x02\x0a\x02\x03\x04"),
            ("Int64List", b"\x10\x01\x1a\x02ab"),
            ("FloatList", b"\x0d\0\0\x80\x3f"),
            ("Feature", b"\x1a\x02\x08\x01\x1a\x02\x08\x02"),
            ("Feature", b"\x1a\x02\x08\x01\x12\x05\x0d\0\0\x80\x3f"),
            ("Features", b"\x0a\x03\x0a\x01a\x0a\x07\x0a\x01a\x12\x02\x1a\x00"),
        )
    ],
]
TABLE.rows("messages", MESSAGES)


@TABLE.program
def a_message_that_is_built(tf: Any) -> Any:
    example = tf.train.Example()
    feature = example.features.feature
    feature["a"].float_list.value.extend([1, 2.5])
    feature["b"].int64_list.value.append(3)
    found: list[Any] = [example.HasField("features"), sorted(feature), "c" in feature]
    found += [feature["b"].WhichOneof("kind"), str(feature["b"]), feature.get("q", 3)]
    feature["b"].bytes_list.value.append(b"x")
    found += [str(feature["b"]), len(feature["b"].int64_list.value), str(feature["c"])]
    for run in (
        lambda: feature.__setitem__("a", tf.train.Feature()),
        lambda: feature.__delitem__("zz"),
        lambda: feature[3],
        lambda: feature.update({}),
        lambda: feature.update(a=3),
        lambda: 3 in feature,
    ):
        try:
            run()
        except Exception as error:
            found.append([type(error).__name__, str(error)])
    del feature["c"]
    feature["d"].CopyFrom(feature["b"])
    return [*found, str(_bytes(example)), example.ByteSize()]


@TABLE.program
def parts_that_exclude_each_other(tf: Any) -> Any:
    feature = tf.train.Feature()
    numbers, floats = feature.int64_list, feature.float_list
    found: list[Any] = [feature.WhichOneof("kind")]
    numbers.value.append(1)
    found.append(feature.WhichOneof("kind"))
    floats.value.append(2)
    found += [str(feature), str(numbers), feature.float_list is floats]
    feature.bytes_list.SetInParent()
    found += [str(feature), feature.HasField("bytes_list")]
    feature.ClearField("kind")
    found += [str(feature), str(floats)]
    feature.int64_list.value.extend([])
    found.append(feature.WhichOneof("kind"))
    feature.MergeFrom(_list_of(tf, [4]))
    feature.MergeFrom(_list_of(tf, [5]))
    found.append(str(feature))
    feature.Clear()
    return [*found, str(feature), str(feature.int64_list is feature.int64_list)]


@TABLE.program
def parts_are_copies(tf: Any) -> Any:
    feature, numbers = tf.train.Feature(), tf.train.Int64List(value=[1])
    made = [
        tf.train.Features(feature={"a": feature}),
        tf.train.FeatureList(feature=[feature]),
        tf.train.Feature(int64_list=numbers),
    ]
    feature.int64_list.value.append(2)
    numbers.value.append(3)
    other = tf.train.Feature()
    other.CopyFrom(feature)
    other.int64_list.value.append(4)
    other.MergeFrom(other)
    return [*map(str, made), str(feature), str(other)]


@TABLE.program
def lists_of_messages(tf: Any) -> Any:
    steps = tf.train.FeatureList()
    steps.feature.add().int64_list.value.append(1)
    steps.feature.append(_list_of(tf, [2.0]))
    steps.feature.extend([_list_of(tf, [3]), tf.train.Feature()])
    found: list[Any] = [str(steps), len(steps.feature), str(steps.feature[1])]
    for run in (
        lambda: steps.feature.append(3),
        lambda: steps.feature.__setitem__(0, tf.train.Feature()),
    ):
        try:
            run()
        except Exception as error:
            found.append([type(error).__name__, str(error)])
    del steps.feature[0]
    return [*found, [str(step) for step in steps.feature]]


# --- tensors --------------------------------------------------------------------------------------


def _given(tf: Any) -> list[bytes]:
    return [
        _message(tf, a=[1, 2], b=[1.5], c=[b"x"], z=None),
        _message(tf, a=[3, 4], b=[2.5], c=[b"y", b"z"], z=[7]),
    ]


def _parsed(kind: str, *args: Any, **how: Any) -> Run:
    """Parse one message with one feature, which is told by the name of its type."""
    key, *rest = args

    def run(tf: Any) -> Any:
        feature = getattr(tf.io, kind)(*rest)
        return tf.io.parse_single_example(_given(tf)[0], {key: feature}, **how)

    return run


def _batch(kind: str, *args: Any, **how: Any) -> Run:
    """Parse two messages."""
    key, *rest = args

    def run(tf: Any) -> Any:
        feature = getattr(tf.io, kind)(*rest)
        return tf.io.parse_example(_given(tf), {key: feature}, **how)

    return run


FIXED: list[tuple[Any, ...]] = [
    ("a", [2], "int64"),
    ("a", 2, np.int64),
    ("a", [2, 1], "int64"),
    ("b", [], "float32"),
    ("c", (), "string"),
    ("q", [], "int64"),
    ("z", [], "int64"),
    ("z", [], "int64", 5),
    ("z", [0], "int64"),
    ("q", [2], "float32", [1, 2]),
    ("q", [], "string", "d"),
    ("q", [2], "float32", 1.0),
    ("q", [], "int64", 1.5),
    ("q", [], "string", 3),
    ("a", [2], "float32"),
    ("c", [], "int64"),
    ("a", [3], "int64"),
    ("a", [], "int64"),
    ("b", [2], "float32"),
    ("c", [2], "string"),
    ("b", [], "foo"),
    ("b", [], None),
    ("b", None, "float32"),
    ("b", [None], "float32"),
    ("b", [2, None], "float32"),
]
SEQUENCES: list[tuple[Any, ...]] = [
    ("a", [], "int64", True),
    ("c", [], "string", True),
    ("z", [], "int64", True, -1),
    ("q", [], "int64", True, 7),
    ("a", [2], "int64", True),
    ("a", [3], "int64", True),
    ("a", [], "float32", True),
    ("a", [], "int64"),
    ("q", [], "int64", True, [1, 2]),
]
TABLE.rows("one of fixed length", [_parsed("FixedLenFeature", *f) for f in FIXED])
TABLE.rows("some of fixed length", [_batch("FixedLenFeature", *f) for f in FIXED])
TABLE.rows("one of any length", [_parsed("FixedLenSequenceFeature", *f) for f in SEQUENCES])
TABLE.rows("some of any length", [_batch("FixedLenSequenceFeature", *f) for f in SEQUENCES])
TABLE.rows(
    "other dtypes",
    [
        _parsed("FixedLenFeature", "a", [2], "int32"),
        _batch("FixedLenFeature", "b", [], "float64"),
        _parsed("FixedLenSequenceFeature", "b", [], "bool", True),
    ],
    says="type",
)


def _one(tf: Any) -> Any:
    return tf.io.FixedLenFeature([2], tf.int64)


PARSED: list[Run] = [
    lambda tf: tf.io.parse_example(_given(tf)[0], {"a": _one(tf)}),
    lambda tf: tf.io.parse_example([_given(tf)], {"a": _one(tf)}),
    lambda tf: tf.io.parse_single_example(_given(tf), {"a": _one(tf)}),
    lambda tf: tf.io.parse_single_example(b"hello", {"a": _one(tf)}),
    lambda tf: tf.io.parse_example([*_given(tf), b"hello"], {"a": _one(tf)}),
    lambda tf: tf.io.parse_single_example(b"", {"a": tf.io.FixedLenFeature([], tf.int64, 9)}),
    lambda tf: tf.io.parse_example(tf.constant([], tf.string), {"a": _one(tf)}),
    lambda tf: tf.io.parse_single_example(3, {"a": _one(tf)}),
    lambda tf: tf.io.parse_single_example(None, {"a": _one(tf)}),
    *[lambda tf, k=k: tf.io.parse_single_example(_given(tf)[0], {k: _one(tf)}) for k in (b"a", 3)],
    *[lambda tf, f=f: tf.io.parse_single_example(b"", f) for f in (None, {}, {"a": 3})],
    *[lambda tf, f=f: tf.io.parse_example([b""], f) for f in (None, {}, {"a": "int64"})],
    lambda tf: tf.io.parse_example(_given(tf), {"q": _one(tf)}, ["one", "two"]),
    lambda tf: tf.io.parse_example(_given(tf), {"a": _one(tf)}, ["one"]),
    lambda tf: tf.io.parse_example(_given(tf), {"a": _one(tf)}, example_names=["one", "two"]),
    lambda tf: list(
        tf.io.parse_single_example(
            _given(tf)[0],
            {
                "c": tf.io.RaggedFeature(tf.string),
                "b": tf.io.FixedLenFeature([], tf.float32),
                "a": _one(tf),
            },
        )
    ),
    lambda tf: tf.io.parse_single_example(
        b"".join(_given(tf)), {"a": _one(tf), "c": tf.io.RaggedFeature(tf.string)}
    ),
    lambda tf: tf.io.parse_single_example(
        b"\x0a\x0d\x0a\x0b\x0a\x01a\x12\x06\x1a\x04\x08\x01\x08\x02", {"a": _one(tf)}
    ),
    lambda tf: tf.function(lambda x: tf.io.parse_single_example(x, {"a": _one(tf)})["a"] + 1)(
        tf.constant(_given(tf)[0])
    ),
    lambda tf: [
        repr(getattr(tf.io, f"{name}Feature")(*args))
        for name, *args in (
            ("FixedLen", [2], "float32", [1, 2]),
            ("FixedLenSequence", [], tf.string),
            ("VarLen", tf.int64),
            ("Sparse", ["i"], "v", tf.float32, [3]),
            ("Ragged", "string", "v", [tf.io.RaggedFeature.RowSplits("s")]),
        )
    ],
    *[
        lambda tf, args=args, how=how: tf.io.RaggedFeature(*args, **how)
        for args, how in (
            (("int32",), {}),
            (("int64", 3), {}),
            (("int64", ""), {}),
            (("int64", None, "x"), {}),
            (("int64", None, [], "float32"), {}),
            (("int64",), {"validate": 1}),
        )
    ],
]
TABLE.rows("parsed", PARSED)


def _mapped(tf: Any, features: Any, size: int = 0) -> Any:
    dataset = tf.data.Dataset.from_tensor_slices(_given(tf))
    if size:
        return dataset.batch(size).map(lambda x: tf.io.parse_example(x, features(tf)))
    return dataset.map(lambda x: tf.io.parse_single_example(x, features(tf)))


def _several(tf: Any) -> Any:
    return {
        "a": _one(tf),
        "c": tf.io.FixedLenSequenceFeature([], tf.string, True),
        "q": tf.io.FixedLenFeature([], tf.float32, 1.0),
    }


TABLE.rows(
    "mapped",
    [
        lambda tf: [str(s) for s in _mapped(tf, _several).element_spec.values()],
        lambda tf: [str(s) for s in _mapped(tf, _several, 2).element_spec.values()],
        lambda tf: list(_mapped(tf, _several)),
        lambda tf: list(_mapped(tf, _several, 2)),
        _within(
            lambda tf: [
                str(s)
                for s in tf.data.TFRecordDataset("none")
                .map(lambda x: tf.io.parse_single_example(x, _several(tf)))
                .element_spec.values()
            ]
        ),
    ],
)

ROWS = {
    "v": [3, 1, 4, 1, 5, 9],
    "splits": [0, 2, 3, 3, 6],
    "outer": [0, 2, 3, 4],
    "lengths": [2, 1, 3],
    "starts": [0, 2, 3],
    "limits": [2, 3, 6],
    "ids": [0, 0, 1, 3, 3, 3],
}
MORE = {
    "v": [2, 7, 1, 8, 2, 8, 1],
    "splits": [0, 3, 4, 5, 7],
    "outer": [0, 1, 1, 4],
    "lengths": [3, 4],
    "starts": [0, 5],
    "limits": [1, 7],
    "ids": [1, 1, 1, 2, 2, 2, 2],
}
CUTS: list[list[tuple[str, Any]]] = [
    [],
    [("RowSplits", "splits")],
    [("RowSplits", "outer"), ("RowSplits", "splits")],
    [("RowLengths", "lengths")],
    [("RowStarts", "starts")],
    [("RowLimits", "limits")],
    [("ValueRowIds", "ids")],
    [("RowSplits", "splits"), ("UniformRowLength", 1)],
    [("UniformRowLength", 2), ("RowSplits", "splits")],
]


def _rows(tf: Any, cuts: list[tuple[str, Any]], splits: str) -> Any:
    made = [getattr(tf.io.RaggedFeature, name)(key) for name, key in cuts]
    return {"f": tf.io.RaggedFeature(tf.int64, "v", made, splits)}


def _cut(cuts: list[tuple[str, Any]], batched: bool, splits: str = "int32") -> Run:
    def run(tf: Any) -> Any:
        features = _rows(tf, cuts, splits)
        if batched:
            given = [_message(tf, **ROWS), _message(tf, **MORE)]
            found = tf.io.parse_example(given, features)["f"]
        else:
            found = tf.io.parse_single_example(_message(tf, **ROWS), features)["f"]
        if not cuts and not batched:
            return found
        return [str(found.to_list()), found.shape.as_list(), str(found.row_splits.dtype)]

    return run


TABLE.rows("ragged", [_cut(cuts, batched) for cuts in CUTS for batched in (False, True)])
TABLE.add("ragged with long places", _cut([("RowSplits", "splits")], True, "int64"))
TABLE.add("ragged of equal lengths", _cut([("UniformRowLength", 2)], False), says="type")


def _sequence(tf: Any) -> list[bytes]:
    return [
        _sequences(
            tf,
            {"n": [3], "w": [b"a", b"b"]},
            {"x": [[1, 2], [3, 4]], "y": [[1.0], None, [2.0, 3.0]], "z": [[b"q"]]},
        ),
        _sequences(tf, {"n": [4]}, {"x": [[5, 6]], "y": [], "z": [[b"r"], [b"s"]]}),
    ]


def _steps(batched: bool, context: Any, sequences: Any) -> Run:
    """Parse sequences; features are lists of the name of a type and its arguments."""

    def made(tf: Any, features: Any) -> Any:
        return features and {
            key: getattr(tf.io, f"{name}Feature")(*args) for key, (name, *args) in features.items()
        }

    def run(tf: Any) -> Any:
        given = made(tf, context), made(tf, sequences)
        if batched:
            found = tf.io.parse_sequence_example(_sequence(tf), *given)
        else:
            found = tf.io.parse_single_sequence_example(_sequence(tf)[0], *given)
        return [{k: _ragged(v) for k, v in part.items()} for part in found]

    return run


def _ragged(found: Any) -> Any:
    return [str(found.to_list()), str(found.shape)] if hasattr(found, "row_splits") else told(found)


_FIXED, _ANY = "FixedLen", "FixedLenSequence"
STEPS: list[tuple[Any, Any]] = [
    ({"n": (_FIXED, [], "int64")}, {"x": (_ANY, [2], "int64"), "z": (_ANY, [], "string")}),
    ({"n": (_FIXED, [], "int64")}, None),
    (None, {"x": (_ANY, [2], "int64")}),
    (None, None),
    ({"m": (_FIXED, [], "int64")}, None),
    ({"m": (_FIXED, [], "int64", 4)}, None),
    ({"n": (_FIXED, [2], "int64")}, None),
    ({"n": (_FIXED, [], "float32")}, None),
    ({"n": (_ANY, [], "int64", True)}, None),
    (None, {"m": (_ANY, [], "int64")}),
    (None, {"m": (_ANY, [2], "int64", True)}),
    (None, {"x": (_ANY, [3], "int64")}),
    (None, {"x": (_ANY, [2], "float32")}),
    (None, {"x": (_ANY, [2], "int64", True, 3)}),
    (None, {"x": (_FIXED, [], "int64")}),
    (None, {"y": (_ANY, [], "float32")}),
    ({"w": ("Ragged", "string")}, {"y": ("Ragged", "float32"), "m": ("Ragged", "int64")}),
    (None, {"y": ("Ragged", "int64")}),
]
TABLE.rows("steps", [_steps(batched, *given) for given in STEPS for batched in (False, True)])
TABLE.rows(
    "no steps",
    [
        lambda tf: tf.io.parse_single_sequence_example(b"hello", {"n": _one(tf)}),
        lambda tf: tf.io.parse_sequence_example([b"hello"], {"n": _one(tf)}, None, ["ee"]),
        lambda tf: tf.io.parse_single_sequence_example([b""], {"n": _one(tf)}),
    ],
)


def _places(tf: Any) -> list[bytes]:
    return [
        _message(tf, i=[3, 1], v=[1.0, 2.0], j=[0, 2], n=[1]),
        _message(tf, i=[2], v=[5.0], j=[1]),
    ]


SPARSE: list[tuple[Any, ...]] = [
    ("VarLen", "float32"),
    ("VarLen", "int64"),
    ("VarLen", None),
    ("Sparse", "i", "v", "float32", 4),
    ("Sparse", ["i", "j"], "v", "float32", [4, 3]),
    ("Sparse", ["i", "j"], "v", "float32", [4, 3], True),
    ("Sparse", "i", "q", "float32", 4),
    ("Sparse", None, "v", "float32", 4),
    ("Sparse", "i", None, "float32", 4),
    ("Sparse", "i", "v", None, 4),
]


def _sparse(batched: bool, name: str, *args: Any) -> Run:
    def run(tf: Any) -> Any:
        io = wide(tf).io
        features = {"v": getattr(tf.io, f"{name}Feature")(*args)}
        given = _places(tf)
        if batched:
            return told(io.parse_example(given, features)["v"])
        return told(io.parse_single_example(given[0], features)["v"])

    return run


def _sparse_steps(tf: Any) -> Any:
    io, wanted = wide(tf).io, {"y": tf.io.VarLenFeature(tf.float32)}
    one = io.parse_single_sequence_example(_sequence(tf)[0], None, wanted)[1]["y"]
    return told([one, io.parse_sequence_example(_sequence(tf), None, wanted)[1]["y"]])


TABLE.rows("sparse", [_sparse(batched, *given) for given in SPARSE for batched in (False, True)])
TABLE.add("sparse steps", _sparse_steps)
