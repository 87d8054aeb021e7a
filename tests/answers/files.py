"""`tf.io`: files by their names, and bytes that stand for tensors."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from tests.answers.answer import Table

TABLE = Table("files")

Run = Callable[[Any], Any]

TENSORS: list[Any] = [
    *(1.5, [[1, 2]], ["ab", "ü", ""], "x", [True, False], [1 + 2j], np.zeros([0, 3], np.float32)),
    *(np.array([1, -2], kind) for kind in ("float16", "float64", "int8", "int16", "int64")),
    *(np.arange(200, dtype=kind) for kind in ("uint8", "uint16", "uint32", "uint64")),
]
for _k, _value in enumerate(TENSORS):
    TABLE.add(f"bytes {_k}", lambda tf, value=_value: tf.io.serialize_tensor(value).numpy().hex())
    TABLE.add(
        f"read again {_k}",
        lambda tf, value=_value: tf.io.parse_tensor(
            tf.io.serialize_tensor(value), tf.convert_to_tensor(value).dtype
        ),
    )

CODES: list[Run] = [
    lambda tf: tf.io.parse_tensor(tf.io.serialize_tensor([1.0]), tf.int32),
    lambda tf: tf.io.parse_tensor("nonsense", tf.int32),
    lambda tf: tf.io.parse_tensor(tf.constant(1), tf.int32),
    lambda tf: tf.io.decode_raw(tf.constant(b"\x01\x00\x02\x00"), tf.int16),
    lambda tf: tf.io.decode_raw(tf.constant([b"abc", b"abd"]), tf.uint8),
    lambda tf: tf.io.decode_raw(tf.constant(b"abc"), tf.int16),
    lambda tf: tf.io.decode_raw(tf.constant(b"ab\0\1"), tf.int16, little_endian=False),
    lambda tf: tf.io.decode_raw(tf.constant([b"abc", b"a"]), tf.uint8),
    lambda tf: tf.io.decode_raw(tf.constant([b"abc", b"a"]), tf.uint8, fixed_length=2),
    lambda tf: tf.io.encode_base64(["hello", "a", "\xff\xfe?"]),
    lambda tf: tf.io.encode_base64([["hello"], ["a"]], pad=True),
    lambda tf: tf.io.decode_base64(["aGVsbG8", "YQ==", "w7_Dvj8"]),
    lambda tf: tf.io.decode_base64("a*"),
    lambda tf: tf.io.read_file("/no/such/file"),
    lambda tf: tf.io.read_file("/"),
    lambda tf: tf.io.read_file(["a"]),
    lambda tf: tf.io.read_file(1),
    lambda tf: tf.io.matching_files("/no/such/*"),
    lambda tf: tf.io.gfile.exists("/no/such/file"),
    lambda tf: tf.io.gfile.glob("/no/such/*"),
    lambda tf: tf.io.gfile.join("a", "b"),
]
TABLE.rows("code", CODES)
TABLE.add("not one text", lambda tf: tf.io.parse_tensor(["a"], tf.int32), says="type")


@TABLE.program
def files_in_a_folder(tf: Any) -> Any:
    """Files are written, found, copied, moved, read and deleted."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        files = tf.io.gfile
        tf.io.write_file(f"{folder}/a/b.txt", "hi")
        files.makedirs(f"{folder}/c/d")
        files.copy(f"{folder}/a/b.txt", f"{folder}/c/e.txt")
        with files.GFile(f"{folder}/c/f.txt", "w") as file:
            file.write("one\ntwo\n")
        with files.GFile(f"{folder}/c/f.txt") as file:
            lines = list(file)
        files.rename(f"{folder}/c/e.txt", f"{folder}/c/g.txt")
        paths = files.glob(f"{folder}/*/*.txt")  # in the order of the disk
        found = sorted(Path(p).relative_to(root).as_posix() for p in paths)
        text = tf.io.read_file(f"{folder}/c/g.txt")
        matching = [
            Path(p.decode()).relative_to(root).as_posix()
            for p in tf.io.matching_files(f"{folder}/*/*.txt").numpy()
        ]
        files.remove(f"{folder}/c/g.txt")
        left = sorted(files.listdir(f"{folder}/c"))
        files.rmtree(f"{folder}/c")
        there = [files.isdir(f"{folder}/c"), files.exists(f"{folder}/a")]
        return [found, matching, text, lines, [name.rstrip("/") for name in left], there]


def _opened(tf: Any, mode: str, *calls: Callable[[Any], Any]) -> list[Any]:
    """Open a file that is there, and tell what each call gives or raises, and what is in it."""
    found: list[Any] = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "f"
        path.write_bytes("é1\r\ntwo\n\nlast".encode())
        file = tf.io.gfile.GFile(str(path), mode)
        for call in calls:
            try:
                found.append(call(file))
            except (tf.errors.OpError, TypeError) as error:
                found.append([type(error).__name__, str(error)])
        file.close()
        return [*found, path.read_bytes()]


def _lines(file: Any) -> list[Any]:
    return [line for line in file]  # noqa: C416 - not `len`, which a file has not


CALLS: list[tuple[Callable[[Any], Any], ...]] = [
    (lambda f: f.read(),),
    (lambda f: f.read(2), lambda f: f.tell(), lambda f: f.readline(), _lines, lambda f: f.read()),
    (lambda f: f.readlines(), lambda f: f.size(), lambda f: f.seekable(), lambda f: f.mode),
    (lambda f: f.seek(-4, 2), lambda f: f.read(), lambda f: f.seek(0), lambda f: f.next()),
    (lambda f: f.seek(3), lambda f: f.seek(1, 1), lambda f: f.tell(), lambda f: f.readline()),
    (lambda f: f.seek(), lambda f: f.seek(0, 5), lambda f: f.seek(-1), lambda f: f.seek(1, 0, 2)),
    (lambda f: f.write("ü"), lambda f: f.write(b"\n"), lambda f: f.flush(), lambda f: f.size()),
    (lambda f: f.write(3), lambda f: f.tell()),
    (lambda f: f.close(), lambda f: f.read(2), lambda f: f.close(), lambda f: f.read(2)),
]
for _mode in ("r", "rb", "w", "a", "ab", "a+", "w+"):
    _rows: list[Run] = [lambda tf, m=_mode, c=calls: _opened(tf, m, *c) for calls in CALLS]
    TABLE.rows(f"opened to {_mode}", _rows)
TABLE.rows(
    "files that are not there",
    [
        lambda tf: tf.io.gfile.GFile("/no/such/file", "x"),
        lambda tf: tf.io.gfile.GFile("/no/such/file").name,
        lambda tf: tf.io.gfile.GFile("/no/such/file").read(),
        lambda tf: tf.io.gfile.GFile("/no/such/file", "w").write("a"),
        lambda tf: tf.io.gfile.GFile("/no/such/file").size(),
        lambda tf: tf.io.gfile.stat("/no/such/file"),
        lambda tf: tf.io.gfile.stat("/").is_directory,
        lambda tf: [tf.io.gfile.stat(__file__).length > 0, tf.io.gfile.stat(__file__).is_directory],
    ],
)


def _mistake(name: str, *parts: str) -> Run:
    def run(tf: Any) -> Any:
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "there").write_text("x", "utf-8")
            return getattr(tf.io.gfile, name)(*(f"{folder}/{part}" for part in parts))

    return run


for _name, _parts in (
    *(("remove", ("no",)), ("rmtree", ("no",)), ("listdir", ("no",)), ("copy", ("no", "to"))),
    *(("copy", ("there", "there")), ("rename", ("no", "to")), ("mkdir", ("no/more",))),
):
    TABLE.add(f"{_name} {' '.join(_parts)}", _mistake(_name, *_parts), says="type")


# --- patterns -------------------------------------------------------------------------------------

NAMES = [
    *("a.txt", "b.txt", ".hidden.txt", "we[ird", "sub/x.txt", "sub/.y.txt", "sub/deep/z.txt"),
    *(".inner/q.txt", "other/x.txt"),
]
PATTERNS: list[Any] = [
    *("*.txt", "*", "./*.txt", ".*", "sub/*", "*/*.txt", "**/*.txt", "**", "a.txt", "./a.txt"),
    *("no.txt", "no*", "sub/", "sub", "sub/*/", "*/", "sub/../a*", "sub//*.txt", "a.txt/", ""),
    *("we[ird", "we[[]ird", "we\\[ird", "{a,b}.txt", "a.txt/*", "*/deep/*", "s*b/x.txt", "a["),
    *("[ab].txt", "[!a].txt", "[^a].txt", "[a-b].txt", "[b-a].txt", "[[:alpha:]].txt", "[]a].txt"),
    *("[]", "[!]]*", "[a-]*", "[--b]*", "\\a.txt", "a\\", "[\\a].txt", "[[.a.]].txt", "[[=a=]]*"),
    *("[[:no:]]*", "[[:alpha:]-z]*", "[a/b]*", "sub[/]x.txt", "sub?x.txt", "[ab", "*/../a*", "?*"),
    *(["b*", "a*", "b.txt"], ["b*", "b*"], [["b*"]], []),
]


def _fitting(pattern: Any) -> Run:
    def run(tf: Any) -> Any:
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            for name in NAMES:
                Path(name).parent.mkdir(parents=True, exist_ok=True)
                Path(name).touch()
            return tf.io.matching_files(tf.constant(pattern, tf.string))

    return run


TABLE.rows("pattern", [_fitting(pattern) for pattern in PATTERNS])
