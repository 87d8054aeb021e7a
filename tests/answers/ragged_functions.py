"""Functions of tensors, of ragged ones: products, segments, choices, parts, elements, counts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.answers.answer import Table
from tests.answers.stand_ins import wide

TABLE = Table("ragged_functions")

Run = Callable[[Any, Any], Any]


class Rows:
    """Rows of several kinds: of numbers, of vectors, of rows, of whole numbers, of truth values."""

    def __init__(self, tf: Any) -> None:
        make = tf.ragged.constant
        self.f = make([[0.3, 0.2], [], [0.5]])
        self.v = make([[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0]]], ragged_rank=1)
        self.n = make([[[1.0, 2.0], [3.0]], [[4.0]]])
        self.d = make([[[[1.0, 2.0]], [[3.0, 4.0]]], [[[5.0, 6.0], [7.0, 8.0]]]], ragged_rank=2)
        self.i = make([[1, 2], [3]])
        self.b = make([[True, False], [True]])
        self.s = make([["YQ", "Yg"], []])
        self.one = make([[[7.0]], [[8.0]]])


def told(tf: Any, found: Any) -> Any:
    """Take ragged and sparse tensors apart."""
    if isinstance(found, (list, tuple)):
        return [told(tf, x) for x in found]
    if isinstance(found, tf.RaggedTensor):
        return ["rows", found.flat_values, *found.nested_row_splits, found.shape.as_list()]
    if isinstance(found, tf.SparseTensor):
        return ["sparse", found.indices, found.values, found.dense_shape]
    return found


def add(name: str, runs: list[Run], **how: Any) -> None:
    """Add functions of a module and of rows."""

    def program(run: Run) -> Any:
        def of(tf: Any) -> Any:
            tf = wide(tf)
            return told(tf, run(tf, Rows(tf)))

        return of

    TABLE.rows(name, [program(run) for run in runs], **how)


M = np.array([[[1.0, 0.5, 2.0], [3.0, 4.0, 1.0]], [[0.0, 1.0, 5.0], [2.0, 2.0, 7.0]]], np.float32)

add(
    "product",
    [
        lambda tf, r: tf.matmul(r.v, M),
        lambda tf, r: tf.matmul(r.v, r.v, transpose_b=True),
        lambda tf, r: tf.matmul(r.v, r.v, transpose_a=True),
        lambda tf, r: tf.matmul(r.v, r.v, adjoint_b=True),
        lambda tf, r: tf.matmul(tf.ones([2, 3, 2]), r.v, transpose_b=True),
        lambda tf, r: tf.linalg.matmul(r.v[:1], r.v[:1], transpose_a=True),
        lambda tf, r: tf.matmul(tf.expand_dims(r.v, 0), tf.expand_dims(r.v, 0), transpose_b=True),
    ],
)
add(
    "no product",
    [
        lambda tf, r: tf.matmul(r.f, tf.ones([2, 2])),
        lambda tf, r: tf.matmul(r.v, tf.ones([2, 2])),
        lambda tf, r: tf.matmul(r.v, M, transpose_a=True, adjoint_a=True),
        lambda tf, r: tf.matmul(r.n, M),
        lambda tf, r: tf.matmul(r.v, tf.ones([3, 2, 2])),
        lambda tf, r: tf.matmul(r.v, tf.ones([2, 5, 2])),
    ],
    says="type",
)
REDUCED = ["sum", "prod", "max", "min", "mean", "sqrt_n"]
add(
    "segments",
    [
        lambda tf, r, n=n, run=run: run(tf, r, getattr(tf.math, f"unsorted_segment_{n}"))
        for n in REDUCED
        for run in (
            lambda tf, r, f: f(r.f, [1, 0, 1], 2),
            lambda tf, r, f: f(r.v, [0, 0], 1),
            lambda tf, r, f: f(r.n, tf.constant([1, 1]), 3),
            lambda tf, r, f: f(r.n, tf.ragged.constant([[0, 1], [0]]), 2),
            lambda tf, r, f: f(r.f, tf.ragged.constant([[0, 1], [], [1]]), 3),
        )
    ],
)
add(
    "no segments",
    [
        lambda tf, r: tf.math.unsorted_segment_sum(tf.ones([2]), tf.ragged.constant([[0], [1]]), 2),
        lambda tf, r: tf.math.unsorted_segment_sum(r.i, tf.ragged.constant([[0], [1]]), 2),
        lambda tf, r: tf.math.unsorted_segment_sum(r.i, [0, 5], 2),
        lambda tf, r: tf.dynamic_partition(r.i, [0, 1], 2.5),
        lambda tf, r: tf.dynamic_partition(r.i, [0, 7], 2),
    ],
    says="type",
)
add(
    "dealt out",
    [
        lambda tf, r: tf.dynamic_partition(r.f, [1, 0, 1], 3),
        lambda tf, r: tf.dynamic_partition(r.i, tf.ragged.constant([[0, 1], [1]]), 2),
        lambda tf, r: tf.dynamic_partition(r.n, [1, 0], 2),
        lambda tf, r: tf.ragged.segment_ids_to_row_splits([2, 2, 0, 0, 1, 3]),
        lambda tf, r: tf.ragged.segment_ids_to_row_splits([0, 0, 3], num_segments=5),
        lambda tf, r: tf.ragged.segment_ids_to_row_splits([0, 0, 3], num_segments=2),
        lambda tf, r: tf.ragged.segment_ids_to_row_splits([1, 0], out_type=tf.int32),
        lambda tf, r: tf.ragged.segment_ids_to_row_splits([]),
    ],
)
add(
    "chosen",
    [
        lambda tf, r: tf.gather(r.i, [[1], [0]], batch_dims=1),
        lambda tf, r: tf.gather(r.i, tf.ragged.constant([[1, 0, 1], [0]]), batch_dims=1),
        lambda tf, r: tf.gather(r.i, [1, 0], batch_dims=1),
        lambda tf, r: tf.gather(r.i, [0, 0], axis=1),
        lambda tf, r: tf.gather(r.i, [[0], [0]], axis=1),
        lambda tf, r: tf.gather(r.v, [1, 0, 1], axis=2),
        lambda tf, r: tf.gather(r.v, [1], axis=-1),
        lambda tf, r: tf.gather(r.n, [0], axis=1),
        lambda tf, r: tf.gather(r.n, [0], axis=2),
        lambda tf, r: tf.gather(r.n, tf.ragged.constant([[[0], [0]], [[0]]]), batch_dims=2),
        lambda tf, r: tf.gather(r.n, [[0], [0]], axis=2, batch_dims=1),
        lambda tf, r: tf.gather(
            tf.constant([[1, 2, 9], [3, 4, 5]]), tf.ragged.constant([[2], [0, 1]]), batch_dims=1
        ),
        lambda tf, r: tf.gather(
            tf.constant([[1, 2], [3, 4]]), tf.ragged.constant([[1], [0, 0]]), axis=1
        ),
        lambda tf, r: tf.gather(r.f, [2, 0]),
        lambda tf, r: tf.gather_nd(r.i, [[0, 1], [1, 0]]),
        lambda tf, r: tf.gather_nd(r.i, [[1], [0]]),
        lambda tf, r: tf.gather_nd(r.i, [0, 1]),
        lambda tf, r: tf.gather_nd(r.n, [[0, 0], [0, 1]]),
        lambda tf, r: tf.gather_nd(r.n, [[0, 0, 1], [1, 0, 0]]),
        lambda tf, r: tf.gather_nd(r.v, [[0, 1, 0]]),
        lambda tf, r: tf.gather_nd(r.v, [[0, 1]]),
        lambda tf, r: tf.gather_nd(r.i, [[[0, 1]], [[1, 0]]]),
        lambda tf, r: tf.gather_nd(r.i, [[[1]], [[0]]]),
        lambda tf, r: tf.gather_nd(r.n, [[[0, 0]], [[1, 0]]]),
        lambda tf, r: tf.gather_nd(
            r.n, tf.ragged.constant([[[0, 0]], []], ragged_rank=1, inner_shape=(2,))
        ),
    ],
)
add(
    "not chosen",
    [
        lambda tf, r: tf.gather(r.i, [[0], [0]], batch_dims=2),
        lambda tf, r: tf.gather(r.i, [0], axis=5),
        lambda tf, r: tf.gather(r.i, [[0], [0]], batch_dims=1, axis=0),
        lambda tf, r: tf.gather(r.i, [[0], [0], [0]], batch_dims=1),
        lambda tf, r: tf.gather_nd(r.i, 1),
        lambda tf, r: tf.gather_nd(r.i, [[0, 1]], batch_dims=1),
        lambda tf, r: tf.gather_nd(r.i, tf.ragged.constant([[0], [0, 1]])),
        lambda tf, r: tf.gather_nd(r.i, [[5]]),
    ],
    says="type",
)
add(
    "cut",
    [
        lambda tf, r: tf.split(r.f, 3),
        lambda tf, r: tf.split(r.f, 1),
        lambda tf, r: tf.split(r.f, [1, 2]),
        lambda tf, r: tf.split(r.v, 2, axis=2),
        lambda tf, r: tf.split(r.v, [2, 0], axis=-1),
        lambda tf, r: tf.split(r.d, 2, axis=3),
        lambda tf, r: tf.squeeze(r.one, 1),
        lambda tf, r: tf.squeeze(r.one, [1, 2]),
        lambda tf, r: tf.squeeze(r.one, [-1]),
        lambda tf, r: tf.squeeze(r.one[:1], [0]),
        lambda tf, r: tf.squeeze(r.one[:1], [0, 1, 2]),
        lambda tf, r: tf.squeeze(tf.expand_dims(r.v, 3), 3),
        lambda tf, r: tf.squeeze(tf.expand_dims(r.n, 1), 1),
        lambda tf, r: tf.stack([r.i]),
        lambda tf, r: tf.stack(r.one[:, 0]),
    ],
)
add(
    "not cut",
    [
        lambda tf, r: tf.split(r.f, 2),
        lambda tf, r: tf.split(r.f, 1, axis=1),
        lambda tf, r: tf.split(r.f, 0),
        lambda tf, r: tf.split(r.f, [1, 1]),
        lambda tf, r: tf.split(r.f, [4, -1]),
        lambda tf, r: tf.split(r.f, [1, 2], num=3),
        lambda tf, r: tf.split(r.f, [[1, 2]]),
        lambda tf, r: tf.split(r.f, 2, axis=1),
        lambda tf, r: tf.split(r.f, 3, axis=7),
        lambda tf, r: tf.squeeze(r.one),
        lambda tf, r: tf.squeeze(r.one, tf.constant(1)),
        lambda tf, r: tf.squeeze(r.f, 1),
        lambda tf, r: tf.squeeze(r.f, 0),
        lambda tf, r: tf.squeeze(r.f, 4),
        lambda tf, r: tf.stack(r.i),
    ],
    says="type",
)
add(
    "along",
    [
        lambda tf, r: tf.cumsum(r.f, 1),
        lambda tf, r: tf.cumsum(r.i, 0),
        lambda tf, r: tf.cumsum(r.i, 1, exclusive=True),
        lambda tf, r: tf.cumsum(r.i, -1, reverse=True),
        lambda tf, r: tf.cumsum(r.v, 2),
        lambda tf, r: tf.cumsum(r.v, 1, reverse=True, exclusive=True),
        lambda tf, r: tf.cumsum(r.n, 2),
        lambda tf, r: tf.cumsum(r.n, 1),
        lambda tf, r: tf.nn.softmax(r.f),
        lambda tf, r: tf.nn.softmax(r.v),
        lambda tf, r: tf.nn.softmax(r.v, 1),
        lambda tf, r: tf.nn.softmax(r.n),
        lambda tf, r: tf.bitcast(r.i, tf.uint32),
        lambda tf, r: tf.bitcast(r.i, tf.int16),
        lambda tf, r: tf.image.resize(
            tf.ragged.stack([tf.ones([2, 3, 1]), tf.ones([3, 2, 1])]), [2, 2]
        ),
        lambda tf, r: tf.image.resize(
            tf.ragged.stack([tf.range(6.0)[:, None, None], tf.range(2.0)[:, None, None]]),
            [3, 1],
            "nearest",
        ),
    ],
)
ELEMENTS = (
    "math.angle math.bessel_i0 math.bessel_i1e math.erfcinv math.erfinv math.ndtri math.rint "
    "math.reciprocal_no_nan math.special.bessel_j0 math.special.bessel_k1 math.special.dawsn "
    "math.special.expint math.special.fresnel_cos math.special.spence image.adjust_gamma"
)
PAIRS = (
    "truncatediv truncatemod math.xdivy math.xlog1py math.zeta realdiv "
    "nn.sigmoid_cross_entropy_with_logits debugging.assert_less_equal debugging.assert_near"
)


def _named(tf: Any, name: str) -> Any:
    for part in name.split("."):
        tf = getattr(tf, part)
    return tf


add("element", [lambda tf, r, n=n: _named(tf, n)(r.f) for n in ELEMENTS.split()])
add("pair", [lambda tf, r, n=n: _named(tf, n)(r.f, r.f) for n in PAIRS.split()])
add(
    "beside",
    [
        lambda tf, r: tf.bitwise.left_shift(r.i, r.i),
        lambda tf, r: tf.bitwise.invert(r.i),
        lambda tf, r: tf.math.scalar_mul(2.0, r.f),
        lambda tf, r: tf.realdiv(r.f, [[1.0], [2.0], [4.0]]),
        lambda tf, r: tf.debugging.assert_equal(r.i, r.i),
        lambda tf, r: tf.debugging.assert_greater(r.i, 0),
        lambda tf, r: tf.debugging.assert_less(0, r.i),
        lambda tf, r: tf.image.adjust_brightness(r.f, 0.25),
        lambda tf, r: tf.image.convert_image_dtype(r.f, tf.uint8),
        lambda tf, r: tf.io.decode_base64(r.s),
        lambda tf, r: tf.io.encode_base64(r.s),
    ],
)
add(
    "not beside",
    [
        lambda tf, r: tf.debugging.assert_equal(r.i, r.i + 1),
        lambda tf, r: tf.debugging.assert_less(r.i, 2),
        lambda tf, r: tf.bitwise.invert(r.f),
        lambda tf, r: tf.realdiv(r.i, r.i),
    ],
    says="type",
)
WAYS: list[dict[str, Any]] = [
    {},
    {"axis": -1},
    {"axis": 0, "minlength": 5},
    {"axis": -1, "maxlength": 2},
    {"axis": -1, "binary_output": True},
    {"binary_output": True},
]


def _sparse(tf: Any, dtype: Any = None) -> Any:
    return tf.sparse.from_dense(np.array([[1, 0, 2], [0, 2, 2]], dtype or "int32"))


for _k, _way in enumerate(WAYS):
    add(
        f"counted {_k}",
        [
            lambda tf, r, w=_way: tf.math.bincount(r.i, **w),
            lambda tf, r, w=_way: tf.math.bincount(_sparse(tf), **w),
            lambda tf, r, w=_way: tf.sparse.bincount(r.i, **w),
            lambda tf, r, w=_way: tf.sparse.bincount(_sparse(tf), **w),
        ],
    )
add(
    "counted with weights",
    [
        lambda tf, r: tf.math.bincount(r.i, weights=r.i + 1),
        lambda tf, r: tf.math.bincount(r.i, weights=tf.cast(r.i, tf.float32), axis=-1),
        lambda tf, r: tf.math.bincount(_sparse(tf), weights=_sparse(tf, "float32"), axis=-1),
        lambda tf, r: tf.sparse.bincount(r.i, weights=tf.cast(r.i, tf.float32), axis=-1),
        lambda tf, r: tf.math.bincount(_sparse(tf), dtype=tf.float64, minlength=4, axis=-1),
    ],
)


def _slope(run: Run) -> Run:
    """Make the gradient of a sum of sines, by the values of rows."""

    def of(tf: Any, r: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(r.v.flat_values)
            tape.watch(r.f.flat_values)
            tape.watch(r.n.flat_values)
            found = run(tf, r)
            parts = found if isinstance(found, list) else [found]
            flat = [p.flat_values if isinstance(p, tf.RaggedTensor) else p for p in parts]
            total = sum(tf.reduce_sum(tf.sin(x)) for x in flat)
        slopes = tape.gradient(total, [r.v.flat_values, r.f.flat_values, r.n.flat_values])
        return [None if g is None else tf.convert_to_tensor(g) for g in slopes]

    return of


add(
    "slope",
    [
        _slope(run)
        for run in (
            lambda tf, r: tf.matmul(r.v, M),
            lambda tf, r: tf.matmul(r.v, r.v, transpose_b=True),
            lambda tf, r: tf.math.unsorted_segment_sum(r.n, [1, 1], 3),
            lambda tf, r: tf.math.unsorted_segment_mean(r.v, [0, 0], 1),
            lambda tf, r: tf.math.unsorted_segment_max(r.f, [0, 0, 0], 1),
            lambda tf, r: tf.gather(r.n, [[0], [0]], batch_dims=1),
            lambda tf, r: tf.gather_nd(r.v, [[0, 1], [0, 0]]),
            lambda tf, r: tf.split(r.v, 2, axis=2),
            lambda tf, r: tf.cumsum(r.f, 1),
            lambda tf, r: tf.cumsum(r.v, 1, reverse=True),
            lambda tf, r: tf.nn.softmax(r.n),
            lambda tf, r: tf.dynamic_partition(r.v, [1, 0], 2)[0],
        )
    ],
)


def _joined(*args: Any, **how: Any) -> Run:
    """Join texts, of which some are empty."""
    texts = [[["", "a", "", "b"], []], [["c"]]]
    return lambda tf, r: [
        tf.strings.reduce_join(tf.ragged.constant(x), *args, **how) for x in (texts[0], texts)
    ]


add(
    "over rows of rows",
    [
        *[
            lambda tf, r, name=name, axis=axis, keep=keep: getattr(tf, name)(r.n, axis, keep)
            for name in ("reduce_sum", "reduce_mean", "reduce_max")
            for axis, keep in ((0, False), (0, True), (1, True), ([0, 1], True), (None, True))
        ],
        lambda tf, r: tf.math.reduce_std(r.n, 0, True),
        lambda tf, r: tf.math.reduce_variance(r.f, None, True),
        lambda tf, r: tf.reduce_logsumexp(r.f, 1),
        lambda tf, r: tf.reduce_logsumexp(r.f * 1e4, 1),
        lambda tf, r: tf.tile(r.n, [1, 0, 1]),
        _joined(),
        _joined(0),
        _joined(1, separator=","),
        _joined(-1, True, "-"),
        _joined([0, 1], separator="-"),
        lambda tf, r: tf.strings.unicode_transcode(r.s, "UTF-8", "UTF-16-BE"),
        lambda tf, r: tf.strings.to_hash_bucket_strong(r.s, 10, [1, 2]),
        _slope(lambda tf, r: tf.reduce_logsumexp(r.f, 1)),
        _slope(lambda tf, r: tf.reduce_sum(r.n, 0)),
    ],
)
add(
    "rows for which a list is asked",
    [
        lambda tf, r: tf.strings.join(tf.RaggedTensor.from_tensor([["a", "b"], ["c", "d"]]), "-"),
        lambda tf, r: tf.strings.join(tf.ragged.constant([[["a"], []], [["b"], []]])),
        lambda tf, r: tf.strings.join(r.s),
        lambda tf, r: tf.add_n(tf.RaggedTensor.from_tensor([[1.0, 2.0], [3.0, 4.0]])),
        lambda tf, r: tf.add_n(r.f),
        lambda tf, r: tf.add_n(tf.ragged.constant([[[1.0], []], [[2.0], []]])),
    ],
)


def _value(tf: Any) -> Any:
    """Make what a session of TensorFlow 1 gave for a sparse tensor."""
    kind = tf.compat.v1.SparseTensorValue
    return kind(np.array([[0, 0], [1, 2]]), np.array([1.0, 2.0], np.float32), np.array([2, 3]))


def _rows_of_value(tf: Any) -> Any:
    return tf.compat.v1.ragged.RaggedTensorValue(np.array([1, 2, 3]), np.array([0, 2, 3]))


add(
    "a session's value in a dataset",
    [
        lambda tf, r: [*tf.data.Dataset.from_tensors(_value(tf))],
        lambda tf, r: [*tf.data.Dataset.from_tensor_slices(_value(tf)).batch(2)],
        lambda tf, r: repr(tf.data.Dataset.from_tensor_slices((_value(tf), [1, 2])).element_spec),
        lambda tf, r: [
            *tf.data.Dataset.range(3)
            .map(lambda i: tf.compat.v1.SparseTensorValue([[0]], i * [1], [1]))
            .batch(2)
        ],
        lambda tf, r: [*tf.data.Dataset.from_tensors(_rows_of_value(tf))],
        lambda tf, r: [*tf.data.Dataset.from_tensor_slices(_rows_of_value(tf))],
    ],
)


def _named_rows(name: str, combiner: str, weighted: bool) -> Run:
    """Rows that ragged ids name, joined, and the gradient of what they are taken from."""

    def run(tf: Any, r: Any) -> Any:
        ids = tf.ragged.constant([[0, 1], [], [2, 2]], dtype=tf.int64)
        weights = tf.ragged.constant([[0.5, 2.0], [], [1.0, 3.0]]) if weighted else None
        table = tf.reshape(tf.range(6.0), [3, 2])
        with tf.GradientTape() as tape:
            tape.watch(table)
            found = getattr(tf.nn, name)(table, ids, weights, combiner=combiner)
        return [found, tf.convert_to_tensor(tape.gradient(found, table))]

    return run


add(
    "named by rows",
    [
        *[
            _named_rows("embedding_lookup_sparse", combiner, weighted)
            for combiner in ("sum", "mean", "sqrtn", "max")
            for weighted in (True, False)
        ],
        _named_rows("safe_embedding_lookup_sparse", "sum", weighted=False),
        lambda tf, r: tf.nn.embedding_lookup_sparse(tf.ones([4, 2]), sp_ids=r.i, sp_weights=None),
    ],
)
add(
    "shaped as rows",
    [
        lambda tf, r: tf.reshape(r.f * 2.0, tf.shape(r.f)),
        lambda tf, r: tf.reshape(r.n, tf.shape(r.n)),
    ],
)
