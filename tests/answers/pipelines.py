"""What pipelines answer where few programs ask: options, structures without sizes, mistakes."""

from __future__ import annotations

import itertools
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


def _numbers_of(element: Any) -> Any:
    """Give the numbers of an element, or of a tuple of them."""
    return [*map(int, element)] if isinstance(element, tuple) else int(element)


def _stays(dataset: Any, count: int) -> bool:
    """Say whether a second iteration gives the first one's elements, which ended with the last."""

    def taken(found: Any) -> list[Any]:
        return [_numbers_of(element) for element in itertools.islice(found, count)]

    first = taken(iter(dataset))
    return first == taken(iter(dataset))


def _chosen(tf: Any) -> Any:
    return tf.data.Dataset.range(30).shuffle(30).filter(lambda n: n >= 0)


def _beside(tf: Any, dataset: Any) -> Any:
    return tf.data.Dataset.zip((tf.data.Dataset.range(30), dataset))


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
        lambda tf: _stays(
            tf.data.Dataset.zip((tf.data.Dataset.range(30), _chosen(tf).cache())), 31
        ),
    ],
)


def _failing(tf: Any, *places: int) -> Any:
    """Make a function that fails for some numbers, when it runs."""

    def check(n: Any) -> Any:
        x, bad = tf.cast(n, tf.float64), tf.reduce_any([n == k for k in places])
        return tf.debugging.check_numerics(tf.where(bad, tf.constant(np.nan, tf.float64), x), "no")

    return check


def _gone_through(tf: Any, dataset: Any) -> list[Any]:
    """List elements and types of errors, and the end."""
    found, iterator = [], iter(dataset.with_options(_in_order(tf)))
    for _ in range(30):
        try:
            element = next(iterator)
        except StopIteration:
            return [*found, "end"]
        except Exception as error:
            found.append(type(error).__name__)
        else:
            found.append(tf.nest.map_structure(lambda x: x.numpy().tolist(), element))
    return found


def _in_order(tf: Any) -> Any:
    """Have nothing run ahead."""
    options = tf.data.Options()
    options.autotune.enabled = False
    options.experimental_optimization.apply_default_optimizations = False
    return options


def _sums(tf: Any, s: Any) -> Any:
    return s.scan(tf.constant(0.0, tf.float64), lambda a, x: (a + x, a + x))


ERRORS: dict[str, Any] = {
    "map": lambda tf, D, s: s.map(lambda x: x + 1),
    "filter": lambda tf, D, s: s.filter(lambda x: x > 0),
    "a filter that fails": lambda tf, D, s: D.range(9).filter(lambda x: _failing(tf, 2, 5)(x) < 7),
    "batch": lambda tf, D, s: s.batch(3),
    "whole batches": lambda tf, D, s: s.batch(4, drop_remainder=True),
    "batches that fail": lambda tf, D, s: (
        D.range(1, 7).map(lambda n: tf.ones([n // 3], tf.int32)).batch(2)
    ),
    "padded_batch": lambda tf, D, s: s.padded_batch(2),
    "paddings that fail": lambda tf, D, s: (
        D.range(1, 7).map(lambda n: tf.ones([n], tf.int32)).padded_batch(2, [3])
    ),
    "ragged_batch": lambda tf, D, s: s.ragged_batch(2).map(tf.identity),
    "take": lambda tf, D, s: s.take(4),
    "skip": lambda tf, D, s: s.skip(3),
    "skip one": lambda tf, D, s: s.skip(1),
    "shard": lambda tf, D, s: s.shard(2, 0),
    "the other shard": lambda tf, D, s: s.shard(2, 1),
    "enumerate": lambda tf, D, s: s.enumerate(),
    "repeat": lambda tf, D, s: s.repeat(2),
    "repeat without end": lambda tf, D, s: s.repeat().take(25),
    "cache": lambda tf, D, s: s.cache(),
    "prefetch": lambda tf, D, s: s.prefetch(2),
    "shuffle": lambda tf, D, s: s.shuffle(3, seed=1),
    "shuffle all": lambda tf, D, s: s.shuffle(100, seed=1),
    "zip": lambda tf, D, s: D.zip((s, D.range(20, 29))),
    "zip behind": lambda tf, D, s: D.zip((D.range(20, 29), s)),
    "zip twice": lambda tf, D, s: D.zip((s, s)).ignore_errors(),
    "concatenate": lambda tf, D, s: s.concatenate(s),
    "windows": lambda tf, D, s: s.window(2).flat_map(lambda w: w.batch(9)),
    "windows that overlap": lambda tf, D, s: s.window(3, 1).flat_map(lambda w: w.batch(9)),
    "whole windows": lambda tf, D, s: s.window(3, 2, drop_remainder=True).flat_map(
        lambda w: w.batch(9)
    ),
    "windows with strides": lambda tf, D, s: s.window(2, 4, 2).flat_map(lambda w: w.batch(9)),
    "scan": lambda tf, D, s: _sums(tf, s),
    "scan without errors": lambda tf, D, s: _sums(tf, s).ignore_errors(),
    "unique": lambda tf, D, s: s.map(lambda x: tf.cast(x, tf.int64) // 2).unique(),
    "flat_map": lambda tf, D, s: s.flat_map(lambda x: D.from_tensors(x).repeat(2)),
    "flat_map to it": lambda tf, D, s: D.range(3).flat_map(lambda n: s.take(4)),
    "interleave": lambda tf, D, s: s.interleave(lambda x: D.from_tensors(x).repeat(3), 2, 2),
    "interleave of it": lambda tf, D, s: D.range(3).interleave(lambda n: s, 2, 2),
    "unbatch": lambda tf, D, s: s.batch(2).unbatch(),
    "unbatch without errors": lambda tf, D, s: s.batch(2).unbatch().ignore_errors(),
    "rebatch": lambda tf, D, s: s.batch(2).rebatch(3),
    "groups": lambda tf, D, s: s.group_by_window(
        lambda x: tf.cast(x, tf.int64) % 2, lambda k, d: d.batch(2), 2
    ),
    "groups whose keys fail": lambda tf, D, s: D.range(9).group_by_window(
        lambda x: tf.cast(_failing(tf, 2, 5)(x), tf.int64) % 2, lambda k, d: d.batch(2), 2
    ),
    "take_while": lambda tf, D, s: s.take_while(lambda x: x < 7),
    "choices": lambda tf, D, s: D.choose_from_datasets(
        [s, D.range(20, 30).map(lambda x: tf.cast(x, tf.float64))], D.range(2).repeat(8)
    ),
    "counted": lambda tf, D, s: s.apply(tf.data.experimental.assert_cardinality(9)),
    "shuffled without errors": lambda tf, D, s: s.shuffle(4, seed=3).ignore_errors(),
}
for _name, _run in ERRORS.items():
    TABLE.add(
        f"after an error: {_name}",
        lambda tf, run=_run: _gone_through(
            tf, run(tf, tf.data.Dataset, tf.data.Dataset.range(9).map(_failing(tf, 2, 5)))
        ),
    )


def _signed(tf: Any) -> Any:
    def generator():
        yield [1, 2, 3]
        yield [4, 5]
        yield [6, 7, 8]
        raise ValueError("no")

    spec = tf.TensorSpec([3], tf.int32)
    return tf.data.Dataset.from_generator(generator, output_signature=spec)


TABLE.add("after an error: a generator", lambda tf: _gone_through(tf, _signed(tf)))
