"""What names answer for which few ask: fingerprints, shuffles by number, rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.answers.answer import Table
from tests.answers.stand_ins import wide

TABLE = Table("further_names")


def _rows(name: str, runs: Any, **how: Any) -> None:
    TABLE.rows(name, [lambda tf, run=run: run(wide(tf)) for run in runs], **how)


_KINDS = ("f2", "f4", "f8", "c8", "i1", "i4", "i8", "u2", "?")
_rows(
    "fingerprint",
    [
        *[
            lambda tf, x=x: tf.fingerprint(x)
            for x in (
                *(["a", "b"], [[1, 2], [3, 4]], "a", 3, [1.5], [], [["a", "b"], ["c", "d"]]),
                *(["a" * k for k in (0, 8, 20, 40, 70, 200)], np.arange(6.0).reshape(1, 2, 3)),
                *(np.zeros((2, 0)), [[["a"]], [["b"]]], *(np.arange(3).astype(k) for k in _KINDS)),
            )
        ],
        lambda tf: tf.fingerprint(["a"], method="x"),
        lambda tf: tf.fingerprint(["a"], "farmhash64"),
        lambda tf: tf.fingerprint(tf.cast([1.0], tf.bfloat16)),
    ],
)


def _slope(run: Any, x: Any) -> Any:
    def ask(tf: Any) -> Any:
        at = tf.constant(x)
        with tf.GradientTape() as tape:
            tape.watch(at)
            made = run(tf, at)
        return [made, tf.convert_to_tensor(tape.gradient(made, at))]

    return ask


_rows(
    "kept and stacked",
    [
        lambda tf: tf.guarantee_const([1.0]),
        lambda tf: tf.guarantee_const(tf.Variable("a")),
        _slope(lambda tf, x: tf.guarantee_const(x) * x, 2.0),
        lambda tf: tf.parallel_stack([1, 2]),
        lambda tf: tf.function(lambda: tf.parallel_stack([tf.constant(1.0), 2.0]))(),
        lambda tf: tf.matrix_square_root([[4.0, 1], [0, 9]]),
        lambda tf: tf.matrix_square_root([4.0, 1]),
        lambda tf: tf.matrix_square_root([[4.0, 1]]),
        lambda tf: tf.matrix_square_root([[4, 1], [0, 9]]),
    ],
)


def _shuffled(index: Any, seed: Any, last: Any) -> Any:
    return lambda tf: tf.random.experimental.index_shuffle(index, seed, last)


_rows(
    "index shuffle",
    [
        lambda tf: [int(tf.random.experimental.index_shuffle(k, [5, 6], 20)) for k in range(21)],
        _shuffled([0, 1, 2], [5, 6], 20),
        *[
            _shuffled(np.int64(3), seed, np.int64(last))
            for seed in ([1, 2], np.array([-1, 2**40]), np.array([7, 8], np.uint32))
            for last in (3, 1000, 65536, 10**6, 2**31, 2**40 + 3, 2**62)
        ],
        _shuffled(np.uint64(3), [1, 2], np.uint64(2**63 + 5)),
        _shuffled(np.uint32(3), [5, 6], np.uint32(20)),
        _shuffled([0, 1, 2], [[5, 6], [1, 2], [3, 4]], 20),
        _shuffled([0, 1], [[5, 6], [1, 2]], [20, 5]),
        _shuffled([0, 1], [5, 6], [20, 5]),
        *[
            _shuffled(*given)
            for given in (
                *((21, [5, 6], 20), (-1, [5, 6], 20), (3, [5, 6, 7], 20), (3, 5, 20)),
                *((1.0, [5, 6], 20), (0, [5, 6], 0), (1, [5.0, 6.0], 3), ([[1]], [5, 6], 3)),
                *((0, [1, 2], -1), (0, [1, 2], [[3]]), ([0, 1], [1, 2], [3, 4, 5])),
            )
        ],
        *[
            lambda tf, given=given: tf.random_index_shuffle(*given)
            for given in (
                *((3, [1, 2, 3], 9), ([3], [[1, 2, 3], [1, 3, 4]], 9), (3, [1, 2], 9)),
                *((3, [1, 2, 3], 9, 4), (3, [1, 2, 3], 9, 8)),
                *(([3, 4], [[1, 2, 3], [1, 3, 4]], 9), ([3], [[1, 2, 3]], 9)),
            )
        ],
    ],
)


def _dealt(data: Any, places: Any, count: Any) -> Any:
    def ask(tf: Any) -> Any:
        given = [tf.ragged.constant(x[0]) if isinstance(x, tuple) else x for x in (data, places)]
        made = tf.ragged.stack_dynamic_partitions(*given, count)
        return [repr(made), made.row_splits]

    return ask


_rows(
    "partitions in rows",
    [
        _dealt(*given)
        for given in (
            *((["a", "b", "c", "d"], [3, 1, 2, 3], 4), (5, 1, 3), ([[1, 2], [3, 4]], [1, 0], 2)),
            *(([[1, 2], [3, 4]], [[1, 0], [0, 1]], 2), (([[1, 2], [3]],), [1, 0], 2)),
            *((([[1, 2], [3]],), ([[1, 0], [1]],), 3), ([1, 2], [0, 5], 2), ([1, 2], [0, -1], 2)),
            *(([1, 2], [0], 2), ([1, 2], [0, 1], [2]), (([[1, 2], [3]],), ([[1], [1, 0]],), 3)),
            *(([1.0, 2], [0, 1], np.int64(2)), ([], np.zeros(0, np.int32), 2), (5, 4, 3)),
            *(([1, 2], np.array([0, 1]), 3), ([1, 2], [0.0, 1.0], 3), ([[[1, 2]]], [[1]], 2)),
        )
    ],
)
_rows(
    "slopes of partitions in rows",
    [
        _slope(
            lambda tf, x: (
                tf.ragged.stack_dynamic_partitions(x, [1, 0, 1], 2).flat_values ** 2 * [1.0, 2, 3]
            ),
            [1.0, 2.0, 3.0],
        )
    ],
)


def _crossed(name: str, *inputs: Any, **how: Any) -> Any:
    """Cross columns; a tuple is a ragged column, and a set of a list a sparse one."""

    def ask(tf: Any) -> Any:
        made = []
        for kind, x in inputs:
            made.append(
                tf.ragged.constant(x)
                if kind == "R"
                else tf.sparse.from_dense(x)
                if kind == "S"
                else x
            )
        found = getattr(tf.ragged, name)(made, **how)
        return [repr(found), found.row_splits]

    return ask


_A = ("R", [["a"], ["b", "c"]])
_N = ("R", [[1], [2, 3]])
_D = ("D", np.array([["x", "y"], ["z", "w"]], object))
_S = ("S", [["a"], ["b"]])
_ONE = ("R", [["a"]])
_COLUMNS = (
    *((_A, _N), (_A,), (_N,), (_A, _D), (_S, _N, _D), (_D, _S, _A), (), (("R", [[1], []]), _A)),
    *((("D", [[1.0]]),), (("D", ["a"]),), (_ONE, _A), (_ONE, ("D", [["a"], ["b"]])), (_S, _ONE)),
    *((("R", [[["a"]]]),), (_S, ("S", [["a"]])), (("S", ["a"]),), (("D", [["a"]]), _D)),
)
_rows(
    "crossed in rows",
    [
        *[_crossed("cross", *columns) for columns in _COLUMNS],
        *[_crossed("cross_hashed", *columns, num_buckets=100) for columns in _COLUMNS[:7]],
        *[_crossed("cross_hashed", *columns) for columns in _COLUMNS[:4]],
        _crossed("cross_hashed", _A, num_buckets=10, hash_key=2**63 + 5),
        _crossed("cross_hashed", _N, hash_key=5),
        lambda tf: tf.ragged.cross(3),
        lambda tf: (
            tf.ragged.cross([tf.ragged.constant([["a"]], row_splits_dtype="int32")]).row_splits
        ),
    ],
)
_rows("crossed into less than nothing", [_crossed("cross_hashed", _A, num_buckets=-1)])


def _sizes(tf: Any) -> Any:
    """Make sizes as TensorFlow 1 has them, a vector and a matrix."""
    return (
        tf.compat.v1.Dimension,
        tf.constant([1.0, 2.0, 3.0, 4.0]),
        tf.reshape(tf.range(12), [3, 4]),
    )


_rows(
    "places that are sizes",
    [
        lambda tf, run=run: run(*_sizes(tf))
        for run in (
            *(lambda d, x, y: x[: d(2)], lambda d, x, y: x[d(1) :], lambda d, x, y: x[d(1)]),
            *(lambda d, x, y: y[d(1) : d(3), :: d(2)], lambda d, x, y: x[: d(None)]),
            *(lambda d, x, y: y[d(1), d(2)], lambda d, x, y: x[d(9)], lambda d, x, y: x[:: d(-1)]),
        )
    ],
)
_rows("places of a variable", [lambda tf: tf.Variable([1.0, 2.0])[: tf.compat.v1.Dimension(1)]])


def _mixed(run: Any) -> Any:
    """Multiply matrices of two dtypes, and give the slopes of both."""

    def ask(tf: Any) -> Any:
        narrow, wide_one = tf.cast([[1.0, 2.0]], tf.bfloat16), tf.constant([[1.5], [2.0]])
        with tf.GradientTape() as tape:
            tape.watch([narrow, wide_one])
            made = run(tf, narrow, wide_one)
            total = tf.reduce_sum(tf.cast(made, tf.float32))
        slopes = tape.gradient(total, [narrow, wide_one])
        return [made, *(tf.cast(s, tf.float32) for s in slopes), [s.dtype.name for s in slopes]]

    return ask


_rows(
    "products of two dtypes",
    [
        _mixed(run)
        for run in (
            *(lambda tf, b, f: b @ f, lambda tf, b, f: f @ b, lambda tf, b, f: tf.matmul(b, f)),
            lambda tf, b, f: tf.matmul(f, b, True, True),
            lambda tf, b, f: tf.matmul(b, f, output_type=tf.float32),
            lambda tf, b, f: tf.linalg.matvec(b, f[:, 0]),
            lambda tf, b, f: b @ tf.cast(f, tf.float16),
            lambda tf, b, f: tf.matmul(tf.cast(f, tf.float64), b),
            lambda tf, b, f: b[None] @ f[None],
        )
    ],
    says="start",
)


def _narrow(run: Any) -> Any:
    """Add up products of two bytes a number, of which no sum has to be rounded within."""

    def ask(tf: Any) -> Any:
        told = []
        for dtype in (tf.float16, tf.bfloat16):
            a, b = (
                tf.cast([[1, 2, 3], [4, 5, 6]], dtype),
                tf.cast([[1, -2], [3, 4], [-5, 7]], dtype),
            )
            made = run(tf, a, b)
            told.append([made.dtype.name, tf.cast(made, tf.float32)])
        return told

    return ask


_rows(
    "products of narrow dtypes",
    [
        _narrow(run)
        for run in (
            *(lambda tf, a, b: a @ b, lambda tf, a, b: tf.matmul(a, b, True, True)),
            *(lambda tf, a, b: tf.tensordot(a, b, 1), lambda tf, a, b: tf.tensordot(a[0], a[1], 1)),
            *(lambda tf, a, b: tf.linalg.matvec(a, b[:, 0]), lambda tf, a, b: a[None] @ b[None]),
            lambda tf, a, b: tf.einsum("ij,ij->i", a, a),
            lambda tf, a, b: tf.einsum("ij,jk,kl->il", a, b, a),
            lambda tf, a, b: tf.nn.conv1d(a[None], tf.reshape(b, [1, 3, 2]), 1, "SAME"),
        )
    ],
)
_TRUE = [[True, False]]
_rows(
    "products of truth values",
    [
        lambda tf: tf.constant(_TRUE) @ tf.transpose(tf.constant(_TRUE)),
        lambda tf: tf.tensordot(tf.constant(_TRUE), tf.constant(_TRUE), 0),
        lambda tf: tf.linalg.matvec(_TRUE, [True, False]),
        lambda tf: tf.constant([_TRUE]) @ tf.constant([[[True], [False]]]),
    ],
)
