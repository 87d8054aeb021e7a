"""`tf.debugging`: what passes, and the whole text of what does not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.answers.answer import Table
from tests.answers.stand_ins import wide

TABLE = Table("assertions")

_COMPARED: dict[str, tuple[Any, Any]] = {
    "assert_equal": ([1.0, 2.0], [3.0, 1.0]),
    "assert_none_equal": ([1, 2], [1, 3]),
    "assert_less": ([1.0, 2.0], [3.0, 1.0]),
    "assert_less_equal": ([[1, 2], [5, 6]], [[1, 1], [1, 1]]),
    "assert_greater": (2, 2),
    "assert_greater_equal": ([1, 2, 3, 4, 5], 6),
}


def _two(tf: Any, name: str, **how: Any) -> Any:
    return getattr(tf.debugging, name)(*_COMPARED[name], **how)


for _name in _COMPARED:
    TABLE.rows(
        _name,
        [
            lambda tf, n=_name: _two(tf, n),
            lambda tf, n=_name: _two(tf, n, message="some words"),
            lambda tf, n=_name: _two(tf, n, summarize=1),
            lambda tf, n=_name: _two(tf, n, summarize=-1, message=""),
            lambda tf, n=_name: _two(tf, n, summarize=0),
        ],
    )

TABLE.rows(
    "two tensors",
    [
        lambda tf: tf.debugging.assert_equal([np.nan], [np.nan]),
        lambda tf: tf.debugging.assert_equal(x := tf.constant([np.nan]), x),
        lambda tf: tf.debugging.assert_equal(tf.constant(1.0), 1),
        lambda tf: tf.debugging.assert_less(tf.constant(0), 1),
        lambda tf: tf.debugging.assert_equal(["a", "b"], ["a", "c"]),
        lambda tf: tf.debugging.assert_equal([True, False], [True, True]),
        lambda tf: tf.debugging.assert_equal([1, 2], [1, 2, 3]),
        lambda tf: tf.debugging.assert_less(tf.zeros([0]), tf.zeros([0])),
        lambda tf: tf.debugging.assert_equal(tf.zeros([2, 2, 2]), tf.ones([2, 2, 2])),
        lambda tf: tf.assert_equal(1, 2),
        lambda tf: tf.debugging.assert_near(1.0, 1.0000001),
        lambda tf: tf.debugging.assert_near(1.0, 1.1),
        lambda tf: tf.debugging.assert_near([1.0, 2.0], [1.0, 2.5], message="some words"),
        lambda tf: tf.debugging.assert_near([1.0, 2.0], [1.0, 2.5], rtol=0.1, atol=0.1),
        lambda tf: tf.debugging.assert_near([1.0, 2.0], [1.0, 2.5], rtol=1.0),
        lambda tf: tf.debugging.assert_near(tf.constant(1 + 2j), 1 + 2j),
        lambda tf: tf.debugging.assert_near(tf.range(5.0), tf.range(5.0) + 1, summarize=1),
        lambda tf: tf.debugging.assert_near(1.0, 1.5, rtol=0.0, atol=0.5),
    ],
)

_SIGNED = {
    "assert_positive": [0.0, 1.0],
    "assert_negative": [[-1, 2], [3, 4]],
    "assert_non_negative": -1,
    "assert_non_positive": [1.0],
}
for _name in _SIGNED:
    TABLE.rows(
        _name,
        [
            lambda tf, n=_name: getattr(tf.debugging, n)(_SIGNED[n]),
            lambda tf, n=_name: getattr(tf.debugging, n)(_SIGNED[n], message="some words"),
            lambda tf, n=_name: getattr(tf.debugging, n)(_SIGNED[n], summarize=1),
            lambda tf, n=_name: getattr(tf.debugging, n)(tf.zeros([0])),
        ],
    )

_RANKS: dict[str, list[Callable[[Any], Any]]] = {
    "assert_rank": [
        lambda tf: tf.debugging.assert_rank([1.0], 1),
        lambda tf: tf.debugging.assert_rank([1.0], 2),
        lambda tf: tf.debugging.assert_rank([[1.0]], 1, message="some words"),
        lambda tf: tf.debugging.assert_rank([1.0], [1]),
        lambda tf: tf.debugging.assert_rank([1.0], 1.0),
        lambda tf: tf.rank(tf.zeros([2, 2])),
    ],
    "assert_rank_at_least": [
        lambda tf: tf.debugging.assert_rank_at_least([[1.0]], 1),
        lambda tf: tf.debugging.assert_rank_at_least([1.0], 2),
        lambda tf: tf.debugging.assert_rank_at_least(1.0, 2, message="some words"),
    ],
    "assert_rank_in": [
        lambda tf: tf.debugging.assert_rank_in([[1.0]], (1, 2)),
        lambda tf: tf.debugging.assert_rank_in([1.0], (2, 3)),
        lambda tf: tf.debugging.assert_rank_in([1.0], [2], message="some words"),
    ],
    "assert_scalar": [
        lambda tf: tf.debugging.assert_scalar(1.0),
        lambda tf: tf.debugging.assert_scalar([1.0]),
        lambda tf: tf.debugging.assert_scalar([1.0], "some words"),
    ],
    "assert_integer": [
        lambda tf: tf.debugging.assert_integer([1]),
        lambda tf: tf.debugging.assert_integer(1.0),
        lambda tf: tf.debugging.assert_integer(True, "some words"),
    ],
    "assert_type": [
        lambda tf: tf.debugging.assert_type([1], tf.int32),
        lambda tf: tf.debugging.assert_type(1.0, tf.int32, "some words"),
        lambda tf: tf.debugging.assert_type(1.0, "float16"),
    ],
    "assert_proper_iterable": [
        lambda tf: tf.debugging.assert_proper_iterable([1]),
        lambda tf: tf.debugging.assert_proper_iterable({1: 2}),
        lambda tf: tf.debugging.assert_proper_iterable("ab"),
        lambda tf: tf.debugging.assert_proper_iterable(np.ones(2)),
        lambda tf: tf.debugging.assert_proper_iterable(3),
    ],
    "assert_same_float_dtype": [
        lambda tf: str(tf.debugging.assert_same_float_dtype()),
        lambda tf: str(tf.debugging.assert_same_float_dtype([tf.constant(1.0), None])),
        lambda tf: tf.debugging.assert_same_float_dtype([tf.constant(1.0)], tf.float64),
        lambda tf: tf.debugging.assert_same_float_dtype(
            [tf.constant(1.0), tf.constant(1.0, tf.float64)]
        ),
        lambda tf: tf.debugging.assert_same_float_dtype([tf.constant(1)]),
        lambda tf: str(tf.debugging.assert_same_float_dtype(dtype=tf.float16)),
    ],
    "is_numeric_tensor": [
        lambda tf: [
            tf.debugging.is_numeric_tensor(v)
            for v in (tf.constant(1), tf.constant(True), tf.constant("a"), 1.0, tf.constant(1j))
        ],
    ],
    "assert_shapes": [
        lambda tf: tf.debugging.assert_shapes([(tf.ones([2, 3]), ("n", 3)), (1.0, ())]),
        lambda tf: tf.debugging.assert_shapes([(tf.ones([2, 3]), ("n", "n"))]),
        lambda tf: tf.debugging.assert_shapes([(tf.ones([2, 3]), ("n", 4))], message="words"),
        lambda tf: tf.debugging.assert_shapes([(tf.ones([2, 3]), (..., "m")), ([1.0], ("m",))]),
        lambda tf: tf.debugging.assert_shapes([(tf.ones([2, 3]), ("*", 3))]),
        lambda tf: tf.debugging.assert_shapes([(tf.ones([2, 3]), (None, "."))]),
        lambda tf: tf.debugging.assert_shapes([(tf.ones([2, 3]), ("a", "b", "c"))]),
        lambda tf: tf.debugging.assert_shapes([(tf.ones([2, 3]), ("a",))]),
        lambda tf: tf.debugging.assert_shapes([(tf.ones([2, 3]), ("a", ...))]),
        lambda tf: tf.debugging.assert_shapes([(tf.ones([2, 3]), 2)]),
        lambda tf: tf.debugging.assert_shapes([(tf.ones([2]), "n"), (tf.ones([3]), "n")]),
        lambda tf: tf.debugging.assert_shapes([(2.0, ("n",)), ([1.0], ("n",))]),
        lambda tf: tf.debugging.assert_shapes([(2.0, (2,))]),
        lambda tf: tf.debugging.assert_shapes([([1.0], None)]),
        lambda tf: tf.debugging.assert_shapes([(tf.ones([2, 3]), (..., 4, 2, 3))]),
    ],
    "check_numerics": [
        lambda tf: tf.debugging.check_numerics([1.0], "words"),
        lambda tf: tf.debugging.check_numerics([np.nan], "words"),
        lambda tf: tf.debugging.check_numerics([np.inf], "words"),
        lambda tf: tf.debugging.check_numerics([np.inf, np.nan], "words"),
        lambda tf: tf.debugging.check_numerics([-np.inf], "words"),
        lambda tf: tf.debugging.assert_all_finite([np.nan], "words"),
        lambda tf: tf.debugging.assert_all_finite([np.nan], message="words"),
    ],
    "Assert": [
        lambda tf: tf.debugging.Assert(True, [1]),
        lambda tf: tf.debugging.Assert(False, [1, [1.0, 2.0], "a"]),
        lambda tf: tf.debugging.Assert(tf.constant(False), [tf.range(5.0)]),
        lambda tf: tf.debugging.Assert(tf.constant(1) > 2, [tf.range(5)], summarize=2),
        lambda tf: tf.debugging.Assert(False, [tf.range(5), 3], summarize=-1),
    ],
}
for _name, _runs in _RANKS.items():
    TABLE.rows(_name, _runs)

TABLE.rows(
    "close within arrays",
    [
        lambda tf: tf.test.TestCase().assertAllClose([1.0, 2.0], [1.0, 2.1], atol=np.array([0, 1])),
        lambda tf: tf.test.TestCase().assertAllClose([1.0, 2.0], [1.0, 2.1], np.array([1, 0.1])),
    ],
)
TABLE.rows(
    "shapes that do not broadcast",
    [
        lambda tf: _within_shapes(tf, lambda: tf.ones([2]) + tf.ones([3])),
        lambda tf: _within_shapes(tf, lambda: tf.ones([2]) + tf.ones([1])),
    ],
    says="type",
)


def _within_shapes(tf: Any, run: Any) -> str:
    """Run within the context that asks for such shapes."""
    with tf.test.TestCase().assertRaisesIncompatibleShapesError():
        run()
    return "raised"


# --- test cases -----------------------------------------------------------------------------------


class _Things:
    """A test case, and what it evaluates and compares."""

    def __init__(self, plain: Any) -> None:
        tf = wide(plain)
        self.tf, self.case = tf, tf.test.TestCase()
        self.x, self.variable = tf.constant([1.0, 2.0]), tf.Variable([1.0, 2.0])
        self.rows = tf.ragged.constant([[1.0, 2.0], [3.0]])
        self.deep = tf.ragged.constant([[[1], [2, 3]], []])
        self.words = tf.ragged.constant([["a"], ["b", "c"]])
        self.sparse = tf.sparse.from_dense([[1.0, 0.0], [0.0, 2.0]])
        self.slices = tf.IndexedSlices(tf.ones([2, 1]), tf.constant([0, 1]), tf.constant([3, 1]))


TABLE.rows(
    "evaluate",
    [
        lambda tf, get=get: _told((o := _Things(tf)).case.evaluate(get(o)))
        for get in (
            *(lambda o: o.x, lambda o: o.variable, lambda o: o.rows, lambda o: o.deep),
            *(lambda o: o.words, lambda o: o.sparse, lambda o: o.slices, lambda o: None),
            lambda o: [o.x, o.rows, (o.sparse, None)],
            lambda o: {"b": o.x, "a": o.rows},
            lambda o: lambda: {"a": o.sparse},
            lambda o: o.case.evaluate(o.tf.linalg.LinearOperatorDiag(o.x)).to_dense(),
            *(lambda o: 1, lambda o: "a", lambda o: np.ones(2), lambda o: [1, o.x], lambda o: {1}),
            *(lambda o: lambda: 3, lambda o: o.tf.float32, lambda o: object()),
        )
    ],
)
_PAIRS: list[Callable[[Any], tuple[Any, Any]]] = [
    lambda o: (o.rows, o.rows),
    lambda o: (o.rows, [[1.0, 2.0], [3.0]]),
    lambda o: ([[1.0, 2.0], [3.0]], o.rows),
    lambda o: (o.rows, o.rows + 1.0),
    lambda o: (o.rows, [[1.0, 2.0], [3.0, 4.0]]),
    lambda o: (o.rows, [[1.0, 2.0]]),
    lambda o: (o.rows, o.rows + 1e-7),
    lambda o: (o.rows, o.case.evaluate(o.rows)),
    lambda o: (o.rows, o.rows.to_tensor()),
    lambda o: (o.tf.RaggedTensor.from_row_splits(o.x, [0, 1, 2]), [[1.0], [2.0]]),
    lambda o: (o.tf.RaggedTensor.from_row_splits(o.x, [0, 1, 2]), np.array([[1.0], [2.0]])),
    lambda o: (o.deep, [[[1], [2, 3]], []]),
    lambda o: ([o.x, o.rows], [o.x, o.rows]),
    lambda o: ({"a": o.rows}, {"a": o.rows + 1.0}),
    lambda o: (o.rows[0], [1.0, 2.0]),
    lambda o: (o.sparse, o.sparse),
    lambda o: (o.sparse, o.tf.sparse.to_dense(o.sparse)),
    lambda o: (o.words, [[b"a"], [b"b", b"c"]]),
    lambda o: (o.words, [["a"], ["b", "c"]]),
    lambda o: (o.tf.constant(["a", "b"]), ["a", "b"]),
    lambda o: (o.tf.constant("a"), "b"),
    lambda o: (o.x, o.variable),
]
_ASSERTED = ("assertAllEqual", "assertNotAllEqual", "assertAllClose", "assertShapeEqual")


def _compared(tf: Any, pair: Any) -> list[str]:
    """Say what each comparison of two things comes to."""
    o = _Things(tf)
    found = []
    for name in _ASSERTED:
        try:
            getattr(o.case, name)(*pair(o))
        except Exception as error:
            found.append(f"{name}: {type(error).__name__}")
        else:
            found.append(f"{name}: passes")
    return found


TABLE.rows("compared", [lambda tf, pair=pair: _compared(tf, pair) for pair in _PAIRS])
TABLE.rows(
    "sizes of a test case",
    [
        lambda tf: (o := _Things(tf)).case.assertLen(o.rows, 2),
        lambda tf: (o := _Things(tf)).case.assertEmpty(o.sparse),
        lambda tf: (o := _Things(tf)).case.assertNotEmpty(o.rows),
        lambda tf: _Things(tf).case.assertNotEmpty([1]),
        lambda tf: (o := _Things(tf)).case.assertLen(o.x, 2),
    ],
    says="type",
)


def _told(found: Any) -> Any:
    """Say of which types values are, and what is in them."""
    if isinstance(found, (list, tuple)):
        return [type(found).__name__, *map(_told, found)]
    if isinstance(found, dict):
        return {name: _told(part) for name, part in found.items()}
    return [type(found).__name__, str(found), str(getattr(found, "dtype", ""))]
