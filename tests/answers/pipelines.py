"""What pipelines answer where few programs ask: options, structures without sizes, mistakes."""

from __future__ import annotations

import tempfile
from typing import Any

import numpy as np

from tests.answers.answer import Table
from tests.answers.datasets import L, Program

TABLE = Table("pipelines")


def _rows(tf: Any, dataset: Any, *rows: Any, dtype: str = "int32") -> Any:
    """Make a dataset of vectors of different lengths."""
    spec = tf.TensorSpec([None], dtype)
    return dataset.from_generator(lambda: iter(rows), output_signature=spec)


def _buckets(tf: Any, dataset: Any, **how: Any) -> Any:
    elements = _rows(tf, dataset, [1], [1, 2, 3], [4], [5, 6, 7, 8], [9, 9])
    return elements.bucket_by_sequence_length(lambda x: tf.shape(x)[0], **how)


RUNS: list[Program] = [
    lambda tf, D: L(
        D.range(6)
        .map(lambda n: tf.fill([2], n))
        .bucket_by_sequence_length(lambda x: 2, [3], [2, 2], no_padding=True)
    ),
    lambda tf, D: L(
        _buckets(tf, D, bucket_boundaries=[3, 5], bucket_batch_sizes=[2, 2, 2])
    ),
    lambda tf, D: L(
        _buckets(tf, D, bucket_boundaries=[3, 5], bucket_batch_sizes=[2, 2, 2],
                 pad_to_bucket_boundary=True)
    ),
    lambda tf, D: [str(D.range(3).map(lambda n: n, num_parallel_calls=2)),
                   *D.range(3).map(lambda n: n * n, num_parallel_calls=2)],
    lambda tf, D: [str(D.range(5).batch(2, num_parallel_calls=2)),
                   *D.range(5).batch(2, num_parallel_calls=2)],
    lambda tf, D: L(D.range(5).batch(2, num_parallel_calls=2, drop_remainder=True)),
    lambda tf, D: L(D.range(5).map(lambda n: n, num_parallel_calls=-3)),
    lambda tf, D: len(D.range(2).repeat()),
    lambda tf, D: len(D.range(2).filter(lambda n: n > 0)),
    lambda tf, D: bool(D.range(0)),
    lambda tf, D: list(D.range(4).batch(2).as_numpy_iterator())[1].tolist(),
    lambda tf, D: next(iter(iter(D.range(3)))),
    lambda tf, D: iter(D.range(3)).next(),
    lambda tf, D: D.zip(D.range(2), datasets=(D.range(2),)),
    lambda tf, D: L(D.zip(datasets=(D.range(2), D.range(3)))),
    lambda tf, D: L(D.zip((D.range(2), (D.range(3), D.range(9))))),
    lambda tf, D: L(D.range(4).unbatch()),
    lambda tf, D: L(D.range(5).batch(2).unbatch()),
    lambda tf, D: L(D.range(6).batch(4).rebatch(3)),
    lambda tf, D: L(D.range(7).batch(4).rebatch(2, drop_remainder=True)),
    lambda tf, D: L(D.range(6).batch(4).rebatch([1, 2])),
    lambda tf, D: D.range(8).batch(4, drop_remainder=True).rebatch(2),
    lambda tf, D: D.range(8).batch(4, drop_remainder=True).rebatch(3),
    lambda tf, D: D.from_tensor_slices((np.zeros((6, 1)), np.zeros(6))).batch(3).unbatch(),
    lambda tf, D: D.range(6).filter(lambda n: n > 1).batch(2).unbatch().cardinality(),
    lambda tf, D: D.range(6).filter(lambda n: n > 1).concatenate(D.range(2)).cardinality(),
    lambda tf, D: D.range(6).repeat().concatenate(D.range(2)).cardinality(),
    lambda tf, D: L(D.from_tensor_slices(([1, 1], [2, 2])).unique()),
    lambda tf, D: L(D.from_tensor_slices([3, 1, 3, 2, 1]).unique()),
    lambda tf, D: L(D.range(3).filter(lambda n: n)),
    lambda tf, D: L(D.range(3).take_while(lambda n: n)),
    lambda tf, D: L(D.range(5).take_while(lambda n: n < 3)),
    lambda tf, D: L(D.range(3).flat_map(lambda n: D.range(n))),
    lambda tf, D: D.range(3).flat_map(lambda n: D.range(n).batch(2)),
    lambda tf, D: L(D.range(3).interleave(lambda n: D.from_tensors(n).repeat(2), 2, 1)),
    lambda tf, D: D.range(3).interleave(lambda n: D.range(n).window(2), cycle_length=2),
    lambda tf, D: L(D.range(4).padded_batch(0)),
    lambda tf, D: L(_rows(tf, D, [1], [2, 3], []).padded_batch(2)),
    lambda tf, D: L(_rows(tf, D, [1], [2, 3], [4]).padded_batch(2, drop_remainder=True)),
    lambda tf, D: L(_rows(tf, D, [1], [2, 3]).padded_batch(2, [4], -1)),
    lambda tf, D: L(_rows(tf, D, [1], [2, 3]).padded_batch(2, tf.constant([3], tf.int64))),
    lambda tf, D: L(_rows(tf, D, [1], [2, 3]).padded_batch(2, [1])),
    lambda tf, D: L(_rows(tf, D, [1], [2, 3]).padded_batch(2, [3, 3])),
    lambda tf, D: _rows(tf, D, [1], [2, 3]).padded_batch(2, [4]),
    lambda tf, D: _rows(tf, D, [1], [2, 3]).padded_batch(2).unbatch(),
    lambda tf, D: D.range(4).window(2).padded_batch(2),
    lambda tf, D: L(D.range(3).skip(-2)),
    lambda tf, D: L(D.range(3).cache().take(1).cache()),
    lambda tf, D: D.sample_from_datasets([D.range(2), D.range(3)], tf.constant([0.5])),
    lambda tf, D: D.sample_from_datasets([D.range(2), D.range(3)], [0.5, 0.2, 0.3]),
    lambda tf, D: D.sample_from_datasets([D.range(2)] * 2, [0.5, 0.5]).cardinality(),
    lambda tf, D: L(D.sample_from_datasets([D.range(2), D.range(3)], [0.0, 1.0])),
    lambda tf, D: L(D.choose_from_datasets([D.range(2), D.range(5, 9)], D.range(2).repeat(2))),
    lambda tf, D: L(D.range(3).scan(tf.constant(0, tf.int64), lambda s, n: (s + n, s * n))),
    lambda tf, D: D.range(5).reduce(tf.constant(0, tf.int64), lambda s, n: s + n),
    lambda tf, D: D.range(0).map(lambda n: n / 0).get_single_element(),
    lambda tf, D: L(D.from_generator(lambda: iter(["a", "b"]), output_types=tf.string)),
    lambda tf, D: tf.data.experimental.get_structure(3),
    lambda tf, D: repr(tf.data.experimental.get_structure(D.range(2).batch(2))),
    lambda tf, D: tf.data.experimental.get_single_element(D.range(1)),
    lambda tf, D: L(D.range(6).group_by_window(lambda n: n % 2, lambda k, d: d.batch(2), 2)),
    lambda tf, D: L(D.range(6).group_by_window(lambda n: n % 2, lambda k, d: k, 2)),
    lambda tf, D: L(
        D.range(6).group_by_window(lambda n: n % 2, lambda k, d: d.batch(3),
                                   window_size_func=lambda k: k + 2)
    ),
    lambda tf, D: D.range(6).group_by_window(lambda n: n % 2, lambda k, d: d.batch(3)),
    lambda tf, D: D.range(6).group_by_window(
        lambda n: n % 2, lambda k, d: d.batch(3), 2, lambda k: k
    ),
    lambda tf, D: L(D.range(9).rejection_resample(lambda n: 0, [1.0], [1.0])),
    lambda tf, D: D.from_tensors({"a": 1, "b": (2, [3, 4])}),
    lambda tf, D: repr(tf.data.experimental.Optional.from_value(1.5).element_spec),
    lambda tf, D: iter(D.range(0)).get_next_as_optional().has_value(),
    lambda tf, D: iter(D.range(0)).get_next_as_optional().get_value(),
    lambda tf, D: iter(D.range(1)).get_next_as_optional().get_value(),
    lambda tf, D: L(D.range(10).shard(3, 1)),
    lambda tf, D: L(D.range(4).enumerate(5)),
    lambda tf, D: L(D.from_tensor_slices([1.0, np.nan, 2.0]).ignore_errors()),
    lambda tf, D: L(
        D.from_tensor_slices([1.0, np.nan, 2.0])
        .map(lambda x: tf.debugging.check_numerics(x, "a"))
        .ignore_errors()
    ),
    lambda tf, D: D.range(3).options().deterministic,
    lambda tf, D: D.range(3, name="a").batch(2, name="b"),
]  # fmt: skip
TABLE.rows("run", [lambda tf, run=run: run(tf, tf.data.Dataset) for run in RUNS])
TABLE.rows(
    "an array is not written to",
    [
        lambda tf, x=x: (
            next(
                tf.data.Dataset.from_tensors(x).map(tf.identity).as_numpy_iterator()
            ).flags.writeable
        )
        for x in ([1, 2, 3], ["a"], [], 2.0)
    ],
)


def _turns(tf: Any, dataset: Any, **how: Any) -> Any:
    return dataset.range(1, 6).interleave(lambda n: dataset.from_tensors(n).repeat(n), **how)


def _stays(dataset: Any, count: int) -> bool:
    """Say whether a second iteration gives the first one's elements, which ended with the last."""

    def taken(found: Any) -> list[Any]:
        return [next(found).numpy().tolist() for _ in range(count)]

    first = taken(iter(dataset))
    return first == taken(iter(dataset))


def _stays_in_files(dataset: Any, count: int) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        return _stays(dataset.cache(f"{folder}/kept"), count)


TABLE.rows(
    "in turn",
    [
        lambda tf, how=how: L(_turns(tf, tf.data.Dataset, **how))
        for how in (
            {"num_parallel_calls": 1},
            {"cycle_length": -1, "num_parallel_calls": 1, "block_length": 2},
            {"cycle_length": 2, "num_parallel_calls": 2},
            {"cycle_length": 3, "num_parallel_calls": -1},
            {"cycle_length": 2, "num_parallel_calls": 3},
            {"cycle_length": 0, "num_parallel_calls": 1},
            {"cycle_length": 2, "num_parallel_calls": 0},
            {"cycle_length": 2, "num_parallel_calls": 1, "block_length": 0},
        )
    ],
)
TABLE.rows(
    "kept with the last element",
    [
        lambda tf: _stays(tf.data.Dataset.range(30).shuffle(30).cache(), 30),
        lambda tf: _stays_in_files(tf.data.Dataset.range(30).shuffle(30), 30),
        lambda tf: _stays_in_files(tf.data.Dataset.range(30).shuffle(30).batch(4), 8),
    ],
)
