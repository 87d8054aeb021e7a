"""Mistakes in pipelines: which exception they raise, and its text."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.answers.answer import Table
from tests.answers.datasets import L, Program
from tests.answers.numpy_names import outcome

TABLE = Table("dataset_mistakes")


def yielded(tf: Any, dataset: Any, *elements: Any) -> Any:
    """Make a dataset of matrices of different sizes, or of pairs of vectors."""
    spec: Any = tf.TensorSpec([None, None], tf.int32)
    if isinstance(elements[0], tuple):
        spec = (tf.TensorSpec([None], tf.int32),) * 2
    return dataset.from_generator(lambda: iter(elements), output_signature=spec)


MISTAKES: list[Program] = [
    lambda tf, D: L(yielded(tf, D, ([1, 2], [3])).unbatch()),
    lambda tf, D: L(yielded(tf, D, ([1, 2], [3])).rebatch(1)),
    lambda tf, D: L(yielded(tf, D, [[1, 2], [3, 4]], [[1, 2, 3]]).unbatch().batch(3)),
    lambda tf, D: D.from_tensor_slices((np.zeros(3), np.zeros(2))),
    lambda tf, D: D.from_tensor_slices(3),
    lambda tf, D: D.from_tensor_slices({}),
    lambda tf, D: D.from_tensor_slices(()),
    lambda tf, D: D.from_tensor_slices([[1, 2], [3]]),
    lambda tf, D: D.range(5).batch(0),
    lambda tf, D: D.range(5).batch(-1),
    lambda tf, D: D.range(5).batch("a"),
    lambda tf, D: D.range(5).batch(2.5),
    lambda tf, D: D.range(5).shuffle(0),
    lambda tf, D: D.range(5).shuffle(-3),
    lambda tf, D: D.range(5).prefetch(-2),
    lambda tf, D: D.zip([D.range(2)]),
    lambda tf, D: D.zip(3),
    lambda tf, D: D.zip(),
    lambda tf, D: D.range(2).concatenate(D.from_tensors("a")),
    lambda tf, D: D.range(2).concatenate(D.from_tensors(1)),
    lambda tf, D: D.range(2).map(3),
    lambda tf, D: D.range(2).flat_map(lambda x: [x]),
    lambda tf, D: D.range(5).window(2, 0),
    lambda tf, D: D.range(5).window(0),
    lambda tf, D: D.range(5).window(2, 1, 0),
    lambda tf, D: D.range(5).shard(0, 0),
    lambda tf, D: D.range(5).shard(2, 2),
    lambda tf, D: D.range(5).shard(2, -1),
    lambda tf, D: D.range(),
    lambda tf, D: D.range(1, 2, 0),
    lambda tf, D: L(D.range(1, 2, 0)),
    lambda tf, D: D.range(2.5),
    lambda tf, D: D.from_generator(3),
    lambda tf, D: D.from_generator(lambda: iter([1])),
    lambda tf, D: D.from_generator(lambda: iter([1]), output_signature=3),
    lambda tf, D: D.from_generator(
        lambda: iter([1]), output_signature=tf.TensorSpec([], tf.int32), output_types=tf.int32
    ),
    lambda tf, D: L(
        D.from_generator(
            lambda: iter([[1], [2, 3]]), output_signature=tf.TensorSpec([None], tf.int32)
        ).batch(2)
    ),
    lambda tf, D: D.from_tensors((np.zeros((2, 3)), np.zeros((3,)))).unbatch(),
    lambda tf, D: next(iter(D.range(0))),
    lambda tf, D: D.range(3)[0],
    lambda tf, D: D.range(3) + 1,
    lambda tf, D: D.range(3).apply(lambda d: 3),
    lambda tf, D: D.range(3).apply(3),
    lambda tf, D: D.range(3).reduce((0, 0), lambda s, x: s[0]),
    lambda tf, D: D.from_tensor_slices([1.0]).unique(),
    lambda tf, D: D.range(4).get_single_element(),
    lambda tf, D: D.range(0).get_single_element(),
    lambda tf, D: D.range(4).with_options(3),
    lambda tf, D: L(D.range(3).apply(tf.data.experimental.assert_cardinality(4))),
    lambda tf, D: L(D.range(5).apply(tf.data.experimental.assert_cardinality(4))),
    lambda tf, D: D.choose_from_datasets([], D.range(2)),
    lambda tf, D: D.choose_from_datasets([D.range(2)], 3),
    lambda tf, D: D.choose_from_datasets([D.range(2)], D.from_tensors(1)),
    lambda tf, D: L(D.choose_from_datasets([D.range(2)], D.from_tensors(np.int64(3)))),
    lambda tf, D: D.sample_from_datasets([]),
    lambda tf, D: D.sample_from_datasets([D.range(2), D.range(3)], [1]),
    lambda tf, D: D.sample_from_datasets([D.range(2), D.range(3)], [1, 2]),
    lambda tf, D: D.sample_from_datasets([D.range(2), D.from_tensors("a")]),
    lambda tf, D: D.range(3).interleave(lambda x: D.range(2), cycle_length=0),
    lambda tf, D: D.range(3).interleave(lambda x: D.range(2), cycle_length=2, block_length=0),
    lambda tf, D: D.range(3).map(lambda x: x, num_parallel_calls=0),
    lambda tf, D: D.range(3).map(lambda x: x, synchronous=True, num_parallel_calls=2),
    lambda tf, D: D.range(3).group_by_window(1, 2),
    lambda tf, D: D.range(3).padded_batch(2, padded_shapes=[3]),
    lambda tf, D: D.range(3).padded_batch(2, padding_values=1.0),
    lambda tf, D: D.range(3).padded_batch(2, padding_values=[1]),
    lambda tf, D: D.from_tensor_slices([[1, 2]]).padded_batch(2, padded_shapes=[1]),
    lambda tf, D: L(
        D.from_generator(
            lambda: iter([[1], [2, 3]]), output_signature=tf.TensorSpec([None], tf.int32)
        ).padded_batch(2, padded_shapes=[1])
    ),
    lambda tf, D: D.from_generator(lambda: iter([[1], [2, 3]]), output_types=tf.int32).padded_batch(
        2
    ),
    lambda tf, D: D.range(3).bucket_by_sequence_length(lambda x: x, [2], [1]),
    lambda tf, D: setattr(tf.data.Options(), "foo", 1),
    lambda tf, D: setattr(tf.data.Options(), "deterministic", 1),
    lambda tf, D: tf.data.Dataset(3),
    lambda tf, D: D.range(5).take("a"),
    lambda tf, D: D.range(4).batch(2).rebatch([]),
    lambda tf, D: D.range(3).rebatch(2),
    lambda tf, D: D.range(7).scan(np.int64(0), lambda s, x: s + x),
    lambda tf, D: D.range(3).reduce(0, lambda s, x: tf.cast(x, tf.float32)),
    lambda tf, D: D.range(10).group_by_window(lambda x: x % 3, lambda k, d: 3, window_size=2),
    lambda tf, D: list(D.range(10).group_by_window(lambda x: x, lambda k, d: d, window_size=0)),
    lambda tf, D: iter(D.range(0)).get_next_as_optional().get_value(),
    lambda tf, D: D.from_tensors({1, 2}),
    lambda tf, D: D.range(3).bucket_by_sequence_length(lambda x: x, [2], [1, 2]),
]
"""Errors with TensorFlow's text."""

YIELDED: list[Program] = [
    lambda tf, D: L(
        D.from_generator(lambda: iter(["a"]), output_signature=tf.TensorSpec([], tf.int32))
    ),
    lambda tf, D: L(
        D.from_generator(lambda: iter([[1]]), output_signature=tf.TensorSpec([], tf.int32))
    ),
    lambda tf, D: L(
        D.from_generator(lambda: iter([(1, 2)]), output_signature=tf.TensorSpec([], tf.int32))
    ),
    lambda tf, D: L(D.from_generator(lambda: iter([1, "a"]), output_types=tf.int32)),
    lambda tf, D: L(
        D.from_generator(
            lambda: iter([(1, 2)]), output_types=(tf.int32, tf.float32), output_shapes=([], [None])
        )
    ),
    lambda tf, D: L(D.from_generator(lambda: 1 / 0, output_types=tf.int32)),
    lambda tf, D: L(
        D.from_generator(lambda: iter([{"a": 1}]), output_signature=tf.TensorSpec([], tf.int32))
    ),
    lambda tf, D: L(
        D.from_generator(lambda: iter([(1, 2, 3)]), output_types=(tf.int32, tf.float32))
    ),
    lambda tf, D: L(D.from_generator(lambda: iter([[1, 2]]), output_types=(tf.int32, tf.float32))),
    lambda tf, D: L(D.from_generator(lambda: 3, output_types=tf.int32)),
    lambda tf, D: L(
        D.from_generator(lambda: iter([None]), output_signature=tf.TensorSpec([], tf.int32))
    ),
]
"""Errors whose text goes on with a traceback in TensorFlow."""


HALVES: list[Program] = [
    *[
        lambda tf, D, flag=flag: [
            outcome(
                lambda tf, k=word: L(D.sample_from_datasets(halves(D), seed=1, **{k: flag})), tf
            )
            for word in ("stop_on_empty_dataset", "rerandomize_each_iteration")
        ]
        for flag in (0, 1, None, "a")
    ],
    *[
        lambda tf, D, flag=flag: L(
            D.choose_from_datasets(halves(D), D.range(2).repeat(), stop_on_empty_dataset=flag)
        )
        for flag in (0, 1, None)
    ],
    lambda tf, D: L(D.range(3).shuffle(2, seed=1, reshuffle_each_iteration=None)),
    lambda tf, D: L(D.range(3).shuffle(2, seed=1, reshuffle_each_iteration=1)),
    lambda tf, D: L(D.random(4, rerandomize_each_iteration=0).take(1)),
    lambda tf, D: L(D.random(4, rerandomize_each_iteration=1).take(1)),
    lambda tf, D: L(D.range(3).ignore_errors(1)),
    lambda tf, D: L(D.range(3).ignore_errors(None)),
    lambda tf, D: L(D.range(3).prefetch(None)),
    lambda tf, D: L(D.range(3).batch(2, num_parallel_calls=2.5)),
    lambda tf, D: L(D.range(3).batch(2, num_parallel_calls="a")),
    lambda tf, D: L(D.range(3).map(tf.range).ragged_batch(2, row_splits_dtype=tf.float32)),
]
"""Flags and numbers of another kind."""


def halves(dataset: Any) -> list[Any]:
    """Give two datasets of different lengths."""
    return [dataset.range(2), dataset.range(3, 6)]


CALLS: list[Program] = [
    lambda tf, D: D.range(2).map(lambda x, y: x),
    lambda tf, D: D.zip(D.range(2), D.range(3)).map(lambda x: x),
    lambda tf, D: D.range(2).map(lambda x: object()),
    lambda tf, D: L(yielded(tf, D, [[1, 2], [3, 4]], [[1, 2, 3]]).rebatch(3)),
]
"""Errors in whose text TensorFlow shows more of the user's code, or of its own."""

for _name, _runs, _says in (
    ("mistake", MISTAKES, "plain"),
    ("yielded", YIELDED, "start"),
    ("half", HALVES, "plain"),
    ("call", CALLS, "type"),
):
    TABLE.rows(_name, [lambda tf, run=run: run(tf, tf.data.Dataset) for run in _runs], says=_says)
