"""`tf.strings`: texts joined, cut, replaced, and numbers written in them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.answers.answer import Table
from tests.answers.numpy_names import outcome

TABLE = Table("strings")

Run = Callable[[Any], Any]

LENGTHS: list[Run] = [
    lambda tf: tf.strings.length(["ab", "ü", ""]),
    lambda tf: tf.strings.length([["ab"], ["ü"]], unit="UTF8_CHAR"),
    lambda tf: tf.strings.length("ab", None),
    lambda tf: tf.strings.length(3),
    lambda tf: tf.strings.length(tf.constant(1.0)),
]
TABLE.rows("length", LENGTHS)
TABLE.add("length unit", lambda tf: tf.strings.length("a", unit="X"), says="start")

FORMATS: list[Run] = [
    lambda tf: tf.strings.format("0{}", tf.constant(7.0)),
    lambda tf: tf.strings.format("{}:{}", (tf.constant(1), tf.constant([1.5, 2.0]))),
    lambda tf: tf.strings.format("{}{}", [tf.constant(1), tf.constant(2)]),
    lambda tf: tf.strings.format("{}", tf.constant(["abc", "d"])),
    lambda tf: tf.strings.format("{}", tf.constant("abc")),
    lambda tf: tf.strings.format("{} {}", (tf.constant(1),)),
    lambda tf: tf.strings.format("{}", tf.range(10)),
    lambda tf: tf.strings.format("{}", tf.range(10), summarize=-1),
    lambda tf: tf.strings.format("{}", tf.range(10), summarize=1),
    lambda tf: tf.strings.format("{}", tf.constant([1 / 3, 1e10, 1e-5])),
    lambda tf: tf.strings.format("{}", tf.constant(1 / 3, tf.float64)),
    lambda tf: tf.strings.format("x", ()),
    lambda tf: tf.strings.format("{}", tf.constant(True)),
    lambda tf: tf.strings.format("{}", tf.constant(2 + 3j)),
    lambda tf: tf.strings.format("a {} b", tf.reshape(tf.range(12.0), (3, 4))),
    lambda tf: tf.strings.format("{}", 3.5),
    lambda tf: tf.strings.format("{}", tf.Variable(2.0)),
    lambda tf: tf.strings.format("%s", tf.constant(1), placeholder="%s"),
    lambda tf: tf.strings.format("{} {}", ([1, 2], [3, 4])),
]
TABLE.rows("format", FORMATS)

JOINS: list[Run] = [
    lambda tf: tf.strings.join(["a", "b"]),
    lambda tf: tf.strings.join([tf.constant(["a", "b"]), "x"], separator="-"),
    lambda tf: tf.strings.join([["a"], ["b", "c"]]),
    lambda tf: tf.strings.join([]),
    lambda tf: tf.strings.join([tf.constant(1), tf.constant("a")]),
    lambda tf: tf.strings.reduce_join([["a", "b"], ["c", "d"]]),
    lambda tf: tf.strings.reduce_join([["a", "b"], ["c", "d"]], axis=0, separator="-"),
    lambda tf: tf.strings.reduce_join([["a", "b"], ["c", "d"]], axis=-1, keepdims=True),
    lambda tf: tf.strings.reduce_join([["a", "b"], ["c", "d"]], axis=[0, 1]),
    lambda tf: tf.strings.reduce_join([["a", "b"], ["c", "d"]], axis=[1, 0]),
    lambda tf: tf.strings.reduce_join("a"),
    lambda tf: tf.strings.reduce_join(["a"], axis=3),
]
TABLE.rows("join", JOINS)

PARTS: list[Run] = [
    lambda tf: tf.strings.split("a b c"),
    lambda tf: tf.strings.split("  a  b "),
    lambda tf: tf.strings.split("a,,b", ","),
    lambda tf: tf.strings.split("a,b,c", ",", maxsplit=1),
    lambda tf: tf.strings.split("a--b", "--"),
    lambda tf: tf.strings.split(""),
    lambda tf: tf.strings.split("", ","),
    lambda tf: tf.strings.bytes_split("ü"),
    lambda tf: tf.strings.substr("hello", 1, 3),
    lambda tf: tf.strings.substr("hello", -3, 2),
    lambda tf: tf.strings.substr(["hello", "abcd"], [1, 2], [3, 1]),
    lambda tf: tf.strings.substr("üb", 1, 1, unit="UTF8_CHAR"),
    lambda tf: tf.strings.substr("abc", 5, 1),
]
TABLE.rows("part", PARTS)

LETTERS: list[Run] = [
    lambda tf: tf.strings.lower(["AÜ"]),
    lambda tf: tf.strings.lower("AÜ", encoding="utf-8"),
    lambda tf: tf.strings.upper("aü"),
    lambda tf: tf.strings.upper("ß", encoding="utf-8"),
    lambda tf: tf.strings.lower("a", encoding="x"),
    lambda tf: tf.strings.strip([" a\n", "\t ü \v"]),
    lambda tf: tf.strings.lower(tf.constant(1)),
]
TABLE.rows("letter", LETTERS)

PATTERNS: list[Run] = [
    lambda tf: tf.strings.regex_replace("a.b.c", r"\.", "-"),
    lambda tf: tf.strings.regex_replace("a.b.c", r"\.", "-", replace_global=False),
    lambda tf: tf.strings.regex_replace("abc", "(b)", r"<\1>"),
    lambda tf: tf.strings.regex_replace("abc", "(b)", r"\2"),
    lambda tf: tf.strings.regex_replace("abc", "(?P<x>b)", r"[\0]"),
    lambda tf: tf.strings.regex_replace(["aaa", "b"], "a*", "x"),
    lambda tf: tf.strings.regex_full_match(["ab", "b"], "a.*"),
]
TABLE.rows("pattern", PATTERNS)
RE2 = (
    *(".", "[é]", r"\pL+", r"\PN", r"\p{Lu}", r"\p{^L}", "[[:alpha:]]+", "[[:^digit:]]"),
    *("[[:word:]x]", r"\Qa.b\E", r"a\z", r"a\Z", "a$", "(?m)^a$", "(?m)b$", "(?s).", "(?i)É"),
    *("(?i)k", "(?i)[j-l]", "(?i:a)B", "(?-i)a", "a|(?i)B", "a(?i)B", "(?U)a+", "(?U)a+?"),
    *("(?P<n>a)b", "(?<n>a)b", r"\x{e9}", r"\x61", r"\141", r"\8", r"(a)\1", r"\s", r"[\s]", r"\v"),
    *(r"\_", r"\é", r"\u0041", "a++", "(?>a)b", "a{,2}", "a{2,}", "a**", "a{1001}", "(?#c)a"),
    *("(?:a{100}){11}", "(?x) a b", "(?a)a", "(?=a)", "(?<=a)b", "(?(1)a|b)", "(?P=n)"),
    *("(?P<-n>a)", "(a", "a)", "[a", "*a", "a|+?", "a\\", "[]a]", "[^]a]", "[a-]", "[z-a]"),
    *("[[:foo:]]", r"[\W]", "[^\n]", r"\p{Lu", r"\pY", "[a&&b]", "^*", r"\b", "a*?", "a??"),
    *("(a|ab)(c|bcd)(d*)", "(a*)(b*)", "{", "a{b}", "é*", "[é-ü]"),
)
"""Expressions that Python reads otherwise, or not at all, or as TensorFlow."""
AMONG = [
    *("a.b", "abcd aB\n", "É ü😀x", "", "aa aaa", "1 _-x", "a\vb\tc", "k\u212a s", "b\na\n"),
    b"a\xff",
]


def read_as(tf: Any, pattern: str) -> Any:
    """Match and replace in texts, everywhere and once."""
    found = tf.strings.regex_replace(AMONG, pattern, r"<\0>")
    once = tf.strings.regex_replace(AMONG, pattern, "x", replace_global=False)
    return tf.strings.regex_full_match(AMONG, pattern), found, once


for _pattern in RE2:
    TABLE.add(f"pattern {_pattern}", lambda tf, _pattern=_pattern: read_as(tf, _pattern))

MISREAD: list[Run] = [
    *[
        lambda tf, rewrite=rewrite, every=every: tf.strings.regex_replace(
            ["cab", "b"], "(a)|b", rewrite, replace_global=every
        )
        for rewrite in (r"x\a", "x\\", r"\\\1", r"\10", "é")
        for every in (True, False, None)
    ],
    lambda tf: tf.strings.regex_replace("a", ["a"], "b"),
    lambda tf: tf.strings.regex_replace("a", "a", ["b"]),
    lambda tf: tf.strings.regex_replace("a", "a", "b", replace_global=1),
    lambda tf: tf.strings.regex_full_match("a", ["a"]),
    lambda tf: tf.strings.split("a-b", ["-"]),
    lambda tf: tf.strings.split("a b c", maxsplit=1.5),
    lambda tf: tf.strings.split("a b c", maxsplit=None),
    lambda tf: tf.strings.join("ab"),
    lambda tf: tf.strings.join(["a", "b"], None),
    lambda tf: tf.strings.join(["a", "b"], b"-"),
    lambda tf: tf.strings.lower("AÉ", None),
    lambda tf: tf.strings.length("a", unit=3),
    lambda tf: tf.strings.substr("abc", tf.constant(1, tf.uint8), 1),
    lambda tf: tf.strings.reduce_join([["a", "b"]], tf.constant(0, tf.int64)),
    lambda tf: tf.strings.reduce_join([]),
    lambda tf: tf.strings.format("{}", np.array([1.0, 2.0])),
    lambda tf: tf.strings.format("{} {}", np.array([1.0, 2.0])),
    lambda tf: tf.strings.format("{}", np.float64(1.0)),
    lambda tf: tf.strings.format("{}", tf.range(9), summarize=None),
    lambda tf: tf.strings.format("{}", tf.range(9), summarize=1.5),
    lambda tf: tf.strings.to_hash_bucket_strong("a", 5, np.array([1, 2])),
    lambda tf: tf.strings.ngrams(["a", "b"], tf.constant(2)),
    lambda tf: tf.strings.ngrams(["a", "b"], [1.0, 2]),
    lambda tf: tf.strings.ngrams(["a"], 2, b"-", pad_values=[b"<", ">", "!"]),
    lambda tf: tf.strings.unicode_decode([], "UTF-8"),
    lambda tf: tf.strings.unicode_decode("a", "UTF-8", replacement_char=-1),
    lambda tf: tf.strings.unicode_decode("a", "UTF-8", replace_control_characters=1),
    lambda tf: tf.strings.unicode_split("a", "UTF-8", replacement_char=1 << 21),
    lambda tf: tf.strings.unicode_encode([97], "UTF-8", replacement_char=-1),
    lambda tf: tf.strings.unicode_transcode("a", "UTF-8", "UTF-8", replacement_char=-1),
]
for _number, _run in enumerate(MISREAD):
    TABLE.add(f"misread {_number}", lambda tf, _run=_run: outcome(_run, tf))

TABLE.add("no pattern", lambda tf: tf.strings.regex_replace("abc", "(", ""), says="type")
TABLE.add("lookahead", lambda tf: tf.strings.regex_replace("abc", "(?=b)", ""), says="type")

NUMBERS: list[Run] = [
    lambda tf: tf.strings.to_number(["1.5", "2", "1e3", "nan", "-inf", " 7 ", "0x10"]),
    lambda tf: tf.strings.to_number("3", tf.int32),
    lambda tf: tf.strings.to_number(["3", "-4"], tf.int64),
    lambda tf: tf.strings.to_number("1_0"),
    lambda tf: tf.strings.to_number("1.5", tf.int32),
    lambda tf: tf.strings.to_number("99999999999", tf.int32),
    lambda tf: tf.strings.to_number("", tf.float64),
    lambda tf: tf.as_string([1.5, 2.0]),
    lambda tf: tf.as_string(3),
    lambda tf: tf.as_string(1 / 3, precision=2),
    lambda tf: tf.as_string(7, width=4, fill="0"),
    lambda tf: tf.as_string(7, width=4, fill="-"),
    lambda tf: tf.as_string(-1.5, width=10, fill=" "),
    lambda tf: tf.as_string(1e10, scientific=True),
    lambda tf: tf.as_string(12345.678, shortest=True),
    lambda tf: tf.as_string([True, False]),
    lambda tf: tf.as_string("a", width=5),
    lambda tf: tf.as_string(1 + 2j, precision=1),
    lambda tf: tf.as_string([float("nan"), float("inf"), -0.0]),
    lambda tf: tf.as_string(tf.constant(0.1, tf.float64), precision=3, width=8),
    lambda tf: tf.as_string(1, fill="00"),
    lambda tf: tf.as_string(1.5, width=10, fill="x"),
    lambda tf: tf.as_string(1, precision=2),
    lambda tf: tf.as_string(7, scientific=True),
    lambda tf: tf.as_string(1.5, scientific=True, shortest=True),
    lambda tf: tf.constant(3, tf.string),
]
TABLE.rows("number", NUMBERS)
_SQUARE = [["a", "b"], ["c", "d"]]
SEGMENTS: list[Any] = [
    *((["a", "b", "c"], [0, 1, 0], 3, ":"), (_SQUARE, [1, 0], 2), (_SQUARE, [[0, 1], [1, 0]], 2)),
    *((["a", "b"], [0, -1], 1), (["a", "b"], [0, 5], 1), (["a"], [0, 1], 2), ("a", 0, 1)),
    *((["a"], [0], -1), (["a"], [0], [2]), ([1], [0], 1), (["a"], [0.0], 1), (["a"], [[0]], 1)),
    *((["a"], [0], 1, 5), ([["a"]], [[0, 1]], 2), (np.zeros((0, 2), "S"), np.zeros(0, int), 1)),
]
TABLE.rows(
    "segments",
    [lambda tf, given=given: tf.strings.unsorted_segment_join(*given) for given in SEGMENTS],
)
TABLE.add("out type", lambda tf: tf.strings.to_number("1", tf.int8), says="start")


@TABLE.program
def gradient_of_what_was_written(tf: Any) -> Any:
    """What is read from a text has no gradient."""
    v = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = tf.strings.to_number(tf.as_string(v)) * 3.0
    return [y, tape.gradient(y, v)]


_WORDS = ["a b c ", "a ", " a", "a b", "a  b  c", ""]
TABLE.rows(
    "so many words",
    [lambda tf, n=n: tf.strings.split(_WORDS, maxsplit=n) for n in (-1, 0, 1, 2)]
    + [lambda tf, n=n: tf.strings.split("a,b,", ",", maxsplit=n) for n in (0, 1, 2)],
)
TABLE.rows(
    "joined without what is before",
    [
        lambda tf, texts=texts: tf.strings.unsorted_segment_join(texts, [0] * len(texts), 1, "-")
        for texts in (["", "a", "", "b", ""], ["", "", "b"], ["", ""])
    ],
)
TABLE.rows(
    "signs",
    [
        lambda tf, given=given, fill=fill, how=how: tf.strings.as_string(given, fill=fill, **how)
        for fill in (" ", "+", "-", "0")
        for given, how in (
            ([1.5, -2.5], {}),
            ([1.5, -2.5], {"precision": 1}),
            ([1.5, -2.5], {"width": 10}),
            ([1, -2], {}),
        )
    ],
)
TABLE.rows(
    "buckets of a NumPy number",
    [
        lambda tf: tf.strings.to_hash_bucket_strong(["a"], np.int32(5), [1, 2]),
        lambda tf: tf.strings.to_hash_bucket_fast(["a"], np.int32(5)),
    ],
)
TABLE.rows(
    "at the edges",
    [
        *[
            lambda tf, n=n, unit=unit: tf.strings.substr("h\u00e9\u00e9", 1, n, unit)
            for n in (-1, -9)
            for unit in ("BYTE", "UTF8_CHAR")
        ],
        lambda tf: tf.strings.ngrams(tf.zeros([0, 3], tf.string), 2),
        lambda tf: tf.strings.ngrams(tf.zeros([0, 2, 3], tf.string), 2),
        lambda tf: tf.strings.ngrams(["a"], 2, padding_width=1),
        lambda tf: tf.strings.ngrams("a", 2),
        lambda tf: tf.strings.ngrams(tf.constant([], tf.string), 2, preserve_short_sequences=True),
        *[
            lambda tf, axis=axis: tf.strings.reduce_join(tf.zeros([0, 2], tf.string), axis)
            for axis in (None, 0, 1, -1, [0, 1], [])
        ],
        *[
            lambda tf, fill=fill: tf.strings.as_string(
                [np.inf, -np.inf, np.nan], width=8, fill=fill
            )
            for fill in ("0", " ", "-", "+")
        ],
        lambda tf: tf.strings.to_number("1", tf.bool),
        lambda tf: tf.strings.to_number("1", tf.int8),
        *[
            lambda tf, write=write: getattr(tf.strings, write)([b"\xffA\xc3b", b"\xe6Q"], "utf-8")
            for write in ("lower", "upper")
        ],
    ],
)


def _controls(errors: str, name: str) -> Run:
    """Read control characters as what is no letter."""

    def run(tf: Any) -> Any:
        codes = ("UTF-8",) * (1 + (name == "unicode_transcode"))
        told = {"errors": errors, "replacement_char": 63, "replace_control_characters": True}
        return [getattr(tf.strings, name)(t, *codes, **told) for t in (b"\x07a\x1f\x7f\n", b"ab")]

    return run


TABLE.rows(
    "control characters",
    [
        _controls(errors, name)
        for errors in ("ignore", "strict", "replace")
        for name in ("unicode_transcode", "unicode_decode", "unicode_decode_with_offsets")
    ],
)
