"""Lines and records of files: `TextLineDataset`, `CsvDataset`, `make_csv_dataset`, `decode_csv`."""

from __future__ import annotations

import contextlib
import gzip
import os
import tempfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.answers.answer import Table

TABLE = Table("tables_in_files")

FILES = {
    "a.txt": b"one\ntwo\r\n\nthree",
    "b.txt": b"x\n",
    "empty": b"",
    "z.gz": gzip.compress(b"p\nq\n"),
    "ends.gz": gzip.compress(b"p\nq") + b"more",
    "sum.gz": gzip.compress(b"p\nq")[:-8] + bytes(8),
    "two.gz": gzip.compress(b"p\n") + gzip.compress(b"q"),
    "z.zlib": zlib.compress(b"r\n"),
    "a.csv": b'n,x,s\n1,2.5,a\n2,,"b,c"\r\n3,4,"d ""e"""',
    "b.csv": b"n,x,s\n7,8,q\n",
    "t.csv": b"n,x,s,l\n1,2.5,a,0\n2,3,b,1\n3,4,c,0\n4,5.5,d,1\n5,6,e,1\n",
    "kinds.csv": b"a,b,c,d,e\n1,99999999999,1e50,,x\n2,3,1.5,,\n",
    "long.csv": b'1,"a\nb"\n\n2,c\n',
    "quote.csv": b'1,a"b\n',
    "open.csv": b'1,"ab\n',
    "inner.csv": b'1,"a"b"\n',
    "last.csv": b"1,\n",
    "short.csv": b"1,\n2",
    "word.csv": b"x,a\n",
    "none.csv": b",a\n",
    "other.csv": b"NA;a\n5;NA",
    "bare.csv": b'"1",a\n',
    "zip.csv": gzip.compress(b"1,q\n"),
}
Run = Callable[[Any, Callable[[str], str]], Any]
"""A function of a module with TensorFlow's names, and of what gives a file's path."""


def within(run: Run) -> Callable[[Any], Any]:
    """Run where the files are, which have names without folders there."""

    def program(tf: Any) -> Any:
        before = Path.cwd()
        with tempfile.TemporaryDirectory() as folder:
            for name, text in FILES.items():
                Path(folder, name).write_bytes(text)
            os.chdir(folder)
            try:
                return run(tf, tf.data.experimental.CsvDataset)
            finally:
                os.chdir(before)

    return program


def L(dataset: Any, count: int = 9) -> list[Any]:  # noqa: N802 - stands in every line
    """List the first elements, dicts as pairs in their order."""
    return [_listed(element) for element in dataset.take(count)]


def _listed(element: Any) -> Any:
    if isinstance(element, dict):
        return list(element.items())
    if isinstance(element, tuple):
        return [_listed(part) for part in element]
    return element


LINES: list[Run] = [
    lambda tf, C: L(tf.data.TextLineDataset("a.txt")),
    lambda tf, C: L(tf.data.TextLineDataset(["a.txt", "b.txt", "empty"])),
    lambda tf, C: L(tf.data.TextLineDataset([["a.txt"], ["b.txt"]])),
    lambda tf, C: L(tf.data.TextLineDataset(tf.data.Dataset.from_tensor_slices(["b.txt"]))),
    lambda tf, C: L(tf.data.TextLineDataset("z.gz", "GZIP")),
    lambda tf, C: L(tf.data.TextLineDataset("z.zlib", compression_type="ZLIB")),
    lambda tf, C: L(tf.data.TextLineDataset("two.gz", "GZIP")),
    lambda tf, C: L(tf.data.TextLineDataset("empty", "GZIP")),
    lambda tf, C: L(tf.data.TextLineDataset("a.txt", "GZIP")),
    lambda tf, C: L(tf.data.TextLineDataset("a.txt", "ZLIB")),
    lambda tf, C: L(tf.data.TextLineDataset("sum.gz", "GZIP")),
    lambda tf, C: L(tf.data.TextLineDataset("ends.gz", "GZIP")),
    lambda tf, C: L(tf.data.TextLineDataset(["a.txt", "b.txt"], num_parallel_reads=2)),
    lambda tf, C: L(tf.data.TextLineDataset("none")),
    lambda tf, C: L(tf.data.TextLineDataset([])),
    lambda tf, C: str(tf.data.TextLineDataset("a.txt")),
    lambda tf, C: tf.data.TextLineDataset("a.txt").cardinality(),
    lambda tf, C: tf.data.TextLineDataset(3),
    lambda tf, C: isinstance(tf.data.TextLineDataset("a.txt"), tf.data.Dataset),
    lambda tf, C: L(
        tf.data.Dataset.from_tensor_slices(["a.txt", "b.txt"]).flat_map(tf.data.TextLineDataset)
    ),
    lambda tf, C: L(
        tf.data.Dataset.from_tensor_slices(["a.txt", "b.txt"]).interleave(
            tf.data.TextLineDataset, cycle_length=2
        )
    ),
    lambda tf, C: L(tf.data.TextLineDataset("a.txt").map(tf.strings.length).batch(2)),
]
LISTS: list[Run] = [
    lambda tf, C: L(tf.data.Dataset.list_files("*.txt", shuffle=False)),
    lambda tf, C: [str(tf.data.Dataset.list_files("*.txt")), len(tf.data.Dataset.list_files("*"))],
    lambda tf, C: str(tf.data.Dataset.list_files("*.txt", shuffle=False)),
    lambda tf, C: L(tf.data.Dataset.list_files(["z.*", "a.*"], False)),
    lambda tf, C: L(tf.data.Dataset.list_files([["z.*"], ["a.*"]], False)),
    lambda tf, C: L(tf.data.Dataset.list_files(tf.constant(["*.csv"]), seed=3), 30),
    lambda tf, C: L(tf.data.Dataset.list_files("*.csv", seed=3).repeat(2), 30),
    lambda tf, C: L(tf.data.Dataset.list_files("*.csv", shuffle=tf.constant(True), seed=1), 30),
    lambda tf, C: L(tf.data.Dataset.list_files("*.txt", shuffle=False).map(tf.io.read_file), 30),
    lambda tf, C: L(
        tf.data.Dataset.list_files("[ab].txt", shuffle=False).interleave(
            tf.data.TextLineDataset, cycle_length=2
        ),
        30,
    ),
    lambda tf, C: L(tf.data.Dataset.list_files("a.tx?", shuffle=False)),
    lambda tf, C: L(tf.data.Dataset.list_files("./a.txt", shuffle=False)),
    lambda tf, C: L(tf.data.Dataset.list_files("nothing*")),
    lambda tf, C: L(tf.data.Dataset.list_files(["no*", "none"])),
    lambda tf, C: L(tf.data.Dataset.list_files([])),
    lambda tf, C: L(tf.data.Dataset.list_files(3)),
    lambda tf, C: [
        len(tf.data.Dataset.list_files(["*.txt", "a.*"])),
        tf.data.Dataset.list_files("*").element_spec,
    ],
]
RECORDS: list[Run] = [
    lambda tf, C: L(C("a.csv", [0, 0.0, ""], header=True)),
    lambda tf, C: L(C(["a.csv", "b.csv"], [0, 0.0, ""], header=True)),
    lambda tf, C: L(C("a.csv", [tf.int32, tf.float32, tf.string], header=True)),
    lambda tf, C: L(C("a.csv", [tf.int32, 0.0, tf.string])),
    lambda tf, C: L(C("a.csv", [tf.int32, 0.0], header=True)),
    lambda tf, C: L(C("a.csv", [tf.int32, tf.string], header=True, select_cols=[0, 2])),
    lambda tf, C: L(C("a.csv", [tf.int32, tf.string], header=True, exclude_cols=[1])),
    lambda tf, C: L(C("a.csv", [tf.int32], header=True, select_cols=[5])),
    lambda tf, C: L(C("a.csv", [tf.int32, tf.int32], select_cols=[1, 0])),
    lambda tf, C: L(C("a.csv", [tf.int32, tf.int32], select_cols=[1])),
    lambda tf, C: L(C("a.csv", [tf.int32], select_cols=[1], exclude_cols=[0])),
    lambda tf, C: str(C("a.csv", [0, 0.0, ""], header=True)),
    lambda tf, C: C("a.csv", [0, 0.0, ""]).cardinality(),
    lambda tf, C: L(C("none", [0])),
    lambda tf, C: L(C("long.csv", [0, ""])),
    lambda tf, C: L(C("quote.csv", [0, ""])),
    lambda tf, C: L(C("open.csv", [0, ""])),
    lambda tf, C: L(C("inner.csv", [0, ""])),
    lambda tf, C: L(C("last.csv", [0, "k"])),
    lambda tf, C: L(C("short.csv", [0, "k"])),
    lambda tf, C: L(C("word.csv", [0, "k"])),
    lambda tf, C: L(C("none.csv", [tf.int64, "k"])),
    lambda tf, C: L(C("other.csv", [tf.constant(9), "k"], field_delim=";", na_value="NA")),
    lambda tf, C: L(C("bare.csv", [tf.float64, "k"], use_quote_delim=False)),
    lambda tf, C: L(C("a.csv", [0], compression_type="X")),
    lambda tf, C: L(C("zip.csv", [0, "k"], compression_type="GZIP")),
    lambda tf, C: L(C("a.csv", [0, "k"], compression_type="GZIP")),
]


def _told(spec: Any) -> Any:
    """Tell a structure of specs; ordered dicts are printed in their own way by each Python."""
    if isinstance(spec, tuple):
        return [_told(part) for part in spec]
    if isinstance(spec, dict):
        return {"kind": type(spec).__name__, **{k: str(v) for k, v in spec.items()}}
    return str(spec)


def batches(tf: Any, pattern: Any = "t.csv", size: int = 2, **more: Any) -> Any:
    """Read batches, in order and once, unless told otherwise."""
    how = {"shuffle": False, "num_epochs": 1} | more
    return tf.data.experimental.make_csv_dataset(pattern, size, **how)


def after_a_mistake(tf: Any) -> Any:
    """Draw a number after batches were refused, which had taken one to shuffle files."""
    tf.random.set_seed(3)
    with contextlib.suppress(ValueError):
        batches(tf, shuffle=True, label_name="zz")
    return tf.random.uniform([2])


BATCHES: list[Run] = [
    lambda tf, C: L(batches(tf)),
    lambda tf, C: L(batches(tf, num_epochs=None), 4),
    lambda tf, C: L(batches(tf, label_name="l")),
    lambda tf, C: _told(batches(tf, label_name="l").element_spec),
    lambda tf, C: type(batches(tf, label_name="l", num_epochs=None)).__name__,
    lambda tf, C: L(batches(tf, label_name="zz")),
    lambda tf, C: L(batches(tf, label_name="l", select_columns=["n", "l"])),
    lambda tf, C: L(batches(tf, label_name="l", select_columns=["n", "s"])),
    lambda tf, C: L(batches(tf, select_columns=[0, 2])),
    lambda tf, C: L(batches(tf, select_columns=[0, 7])),
    lambda tf, C: L(batches(tf, select_columns=["q"])),
    lambda tf, C: L(batches(tf, column_names=["A", "B", "C", "D"])),
    lambda tf, C: L(batches(tf, column_names=["A", "B", "C", "A"])),
    lambda tf, C: L(batches(tf, column_defaults=[0, 0, "", 0])),
    lambda tf, C: L(batches(tf, column_defaults=[0, 0.0, "", 0.0])),
    lambda tf, C: L(batches(tf, column_defaults=[0.0], select_columns=["x"])),
    lambda tf, C: L(batches(tf, size=3, num_epochs=2)),
    lambda tf, C: L(batches(tf, ["t.csv", "t.csv"], 3)),
    lambda tf, C: L(batches(tf, "t*.csv", 3)),
    lambda tf, C: L(batches(tf, "zz*.csv", 3)),
    lambda tf, C: L(batches(tf, [], 3)),
    lambda tf, C: L(batches(tf, ["a.csv", "t.csv"])),
    lambda tf, C: L(batches(tf, "a.csv", size=3)),
    lambda tf, C: L(batches(tf, size=7, shuffle=True, shuffle_seed=3)),
    lambda tf, C: L(batches(tf, shuffle=True, shuffle_seed=3, shuffle_buffer_size=3)),
    lambda tf, C: batches(tf).cardinality(),
    lambda tf, C: _told(batches(tf, "kinds.csv").element_spec),
    lambda tf, C: L(batches(tf, "kinds.csv")),
    lambda tf, C: L(batches(tf, header=False)),
    lambda tf, C: _told(batches(tf, header=False, column_names=list("abcd")).element_spec),
    lambda tf, C: L(batches(tf, ["word.csv"], header=False, column_names=["a", "b"])),
    lambda tf, C: L(batches(tf, "empty")),
    lambda tf, C: after_a_mistake(tf),
]
for _what, _runs in (
    ("lines", LINES),
    ("records", RECORDS),
    ("batches", BATCHES),
    ("lists", LISTS),
):
    TABLE.rows(_what, [within(run) for run in _runs])

DECODED: list[Callable[[Any], Any]] = [
    lambda tf: tf.io.decode_csv("1,2.5,x", [0, 0.0, ""]),
    lambda tf: tf.io.decode_csv(["1,2.5,x", "3,,y"], [0, 0.0, ""]),
    lambda tf: tf.io.decode_csv(["1,2.5", "3,"], [0, tf.constant([], tf.float32)]),
    lambda tf: tf.io.decode_csv(["1,2", "3"], [0, 0]),
    lambda tf: tf.io.decode_csv(["1,a"], [0, 0]),
    lambda tf: tf.io.decode_csv(["1,2.5"], [0, 0]),
    lambda tf: tf.io.decode_csv(["1,a"], [0, 0.0]),
    lambda tf: tf.io.decode_csv(['"a,b","c""d"'], ["", ""]),
    lambda tf: tf.io.decode_csv(['a"b,c'], ["", ""]),
    lambda tf: tf.io.decode_csv(['"a"b,c'], ["", ""]),
    lambda tf: tf.io.decode_csv(['"a,c'], ["", ""]),
    lambda tf: tf.io.decode_csv(['"a",c'], ["", ""], use_quote_delim=False),
    lambda tf: tf.io.decode_csv(["1;2"], [0, 0], field_delim=";"),
    lambda tf: tf.io.decode_csv(["1;2"], [0, 0], field_delim=";;"),
    lambda tf: tf.io.decode_csv(["NA,2"], [7, 0], na_value="NA"),
    lambda tf: tf.io.decode_csv(["1,2,3,4"], [0, 0.0], select_cols=[1, 3]),
    lambda tf: tf.io.decode_csv(["1,2,3,4"], [0, 0.0], select_cols=[3, 1]),
    lambda tf: tf.io.decode_csv(["1,2,3,4"], [0], select_cols=[1, 3]),
    lambda tf: tf.io.decode_csv(["1,2,3,4"], [0], select_cols=[-1]),
    lambda tf: tf.io.decode_csv(["1,2,3,4"], [0, 0, 0]),
    lambda tf: tf.io.decode_csv([" 1 ,2 , x"], [0.0, 0, ""]),
    lambda tf: tf.io.decode_csv(["1e40,nan,inf"], [0.0, 0.0, 0.0]),
    lambda tf: tf.io.decode_csv(["1,2"], [[1, 2], 0]),
    lambda tf: tf.io.decode_csv([[["1,2"]]], [0, 0]),
    lambda tf: tf.io.decode_csv(["a\nb,2"], ["", 0]),
    lambda tf: tf.io.decode_csv(['"a\nb",2'], ["", 0]),
    lambda tf: tf.io.decode_csv(["1,2\r\n"], [0, 0]),
    lambda tf: tf.io.decode_csv([""], [0]),
    lambda tf: tf.io.decode_csv(["0x10"], [0]),
    lambda tf: tf.io.decode_csv(["+5,-7"], [0, 0]),
    lambda tf: tf.io.decode_csv(["99999999999"], [0]),
    lambda tf: tf.io.decode_csv(['"5",""'], [0, "d"]),
    lambda tf: tf.io.decode_csv([","], ["d", "e"]),
    lambda tf: tf.io.decode_csv([], [0]),
]
TABLE.rows("decoded", DECODED)
TABLE.add("a default of truth", lambda tf: tf.io.decode_csv(["1"], [True]), says="type")
TABLE.add("no text", lambda tf: tf.io.decode_csv(3, [0]), says="type")
TABLE.add(
    "another compression",
    within(lambda tf, C: L(tf.data.TextLineDataset("a.txt", "X"))),
    says="type",
)
