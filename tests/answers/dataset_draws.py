"""Pipelines without end: what is drawn for them, and what their counts are."""

from __future__ import annotations

from typing import Any

from tests.answers.answer import Table
from tests.answers.datasets import L, Program

TABLE = Table("dataset_draws")

COUNTED: list[Program] = [
    lambda tf, D: D.range(3).repeat().skip(-1),
    lambda tf, D: D.range(3).repeat().take(-1),
    lambda tf, D: D.range(3).repeat().take(0),
    lambda tf, D: D.range(3).filter(lambda x: True).skip(2),
    lambda tf, D: D.range(3).filter(lambda x: True).skip(-1),
    lambda tf, D: D.range(3).repeat(0).repeat(),
    lambda tf, D: D.range(3).filter(lambda x: True).repeat(0),
    lambda tf, D: D.range(3).filter(lambda x: True).concatenate(D.range(3).repeat()),
    lambda tf, D: D.range(3).filter(lambda x: True).window(2, 1, 1, True),
    lambda tf, D: D.range(3).repeat().window(2, 1, 1, True),
    lambda tf, D: D.range(3).repeat().shard(2, 1),
    lambda tf, D: D.zip(D.range(3).repeat(), D.range(3).filter(lambda x: True)),
    lambda tf, D: D.range(3).repeat().batch(2, drop_remainder=True).unbatch(),
    lambda tf, D: D.range(3).batch(2, drop_remainder=True).repeat().unbatch(),
    lambda tf, D: D.range(3).repeat().batch(2).unbatch(),
    lambda tf, D: D.range(3).repeat().batch(2).rebatch(3),
    lambda tf, D: D.range(3).repeat().unique(),
    lambda tf, D: D.range(3).repeat().filter(lambda x: True),
    lambda tf, D: D.range(3).repeat().interleave(lambda x: D.range(2)),
    lambda tf, D: D.range(3).repeat().scan(0, lambda s, x: (s, x)),
    lambda tf, D: D.range(3).repeat().group_by_window(lambda x: x, lambda k, d: d, window_size=2),
    lambda tf, D: D.range(3).repeat().padded_batch(2),
    lambda tf, D: D.range(3).repeat().ignore_errors(),
    lambda tf, D: D.range(3).repeat().take_while(lambda x: True),
    lambda tf, D: D.choose_from_datasets(
        [D.range(2), D.range(2)], D.range(2).repeat(), stop_on_empty_dataset=False
    ),
    lambda tf, D: D.range(3).flat_map(lambda x: D.range(2).repeat()),
    lambda tf, D: D.from_tensors(1).flat_map(lambda x: D.range(2)),
    lambda tf, D: D.range(5).prefetch(2).cache().shuffle(2),
]
"""Datasets without end, and of unknown length, whose counts are asked for."""


def older(tf: Any) -> Any:
    """Say where functions of datasets are that have methods since."""
    return tf.data.experimental


def permuted(tf: Any, _: Any) -> Any:
    """Draw an order, as Keras does for an epoch."""
    return tf.random.shuffle(tf.range(100, dtype=tf.int64))


RANDOM: list[Program] = [
    lambda tf, D: D.range(3).map(lambda x: permuted(tf, x)),
    lambda tf, D: D.range(3).map(lambda x: tf.random.uniform([])),
    lambda tf, D: D.range(3).map(lambda x: tf.random.normal([3]) + tf.random.normal([3])),
    lambda tf, D: D.range(3).map(
        lambda x: tf.random.normal([2], seed=3) + tf.random.normal([2], seed=3)
    ),
    lambda tf, D: D.range(3).flat_map(lambda x: D.range(4).shuffle(4)),
    lambda tf, D: D.range(3).flat_map(lambda x: D.range(4).shuffle(4, seed=2)),
    lambda tf, D: D.range(3).flat_map(lambda x: D.range(2).map(lambda y: tf.random.uniform([]))),
    lambda tf, D: D.range(9).filter(lambda x: tf.random.uniform([]) < 0.5),
    lambda tf, D: D.range(9).scan(
        0.0, lambda s, x: (s + tf.random.uniform([]), s * tf.random.uniform([]))
    ),
    lambda tf, D: D.range(6).batch(3).map(tf.random.shuffle),
    lambda tf, D: D.range(10).shuffle(5),
    lambda tf, D: D.random().take(3),
    lambda tf, D: D.range(40).shuffle(20, reshuffle_each_iteration=False).batch(7),
    lambda tf, D: D.sample_from_datasets([D.range(5), D.range(10, 15)], [0.3, 0.7]),
    lambda tf, D: D.range(6).apply(tf.data.experimental.shuffle_and_repeat(4, 3)).batch(5),
    lambda tf, D: D.range(6).apply(tf.data.experimental.shuffle_and_repeat(9, 2, seed=3)),
    lambda tf, D: D.range(6).apply(tf.data.experimental.shuffle_and_repeat(2)).take(20),
]
"""What is drawn after a global seed."""


def drawn(run: Program, tf: Any) -> Any:
    """Iterate again and again, and draw eagerly before and after."""
    tf.random.set_seed(7)
    dataset = run(tf, tf.data.Dataset)
    first = tf.random.uniform([2])
    twice = [L(dataset), L(dataset)]
    iter(dataset)  # nobody goes through it, and it draws all the same
    return [first, *twice, L(dataset), L(dataset.repeat(2)), tf.random.uniform([2])]


TABLE.rows(
    "count", [lambda tf, run=run: int(run(tf, tf.data.Dataset).cardinality()) for run in COUNTED]
)
TABLE.rows(
    "older",
    [
        lambda tf: repr(tf.data.Dataset.range(6).apply(older(tf).shuffle_and_repeat(4, 2))),
        lambda tf: int(
            tf.data.Dataset.range(6).apply(older(tf).shuffle_and_repeat(4, -1)).cardinality()
        ),
        lambda tf: tf.data.Dataset.range(6).apply(older(tf).shuffle_and_repeat(0)),
        lambda tf: tf.data.Dataset.range(6).apply(older(tf).shuffle_and_repeat(3, 0)),
        lambda tf: L(tf.data.Dataset.range(5).apply(older(tf).map_and_batch(lambda n: n * n, 2))),
        lambda tf: L(
            tf.data.Dataset.range(5).apply(
                older(tf).map_and_batch(lambda n: (n, -n), 3, drop_remainder=True)
            )
        ),
        lambda tf: L(
            tf.data.Dataset.range(5).apply(
                older(tf).scan(tf.constant(1, tf.int64), lambda s, n: (s * n, s + n))
            )
        ),
    ],
)
TABLE.rows("drawn", [lambda tf, run=run: drawn(run, tf) for run in RANDOM])


SHUFFLED: list[Program] = [
    lambda tf, D: D.range(10).shuffle(5, seed=3),
    lambda tf, D: D.range(10).shuffle(5, seed=3, reshuffle_each_iteration=False),
    lambda tf, D: D.range(6).shuffle(4, seed=3).repeat(3),
    lambda tf, D: D.range(6).repeat(3).shuffle(4, seed=3),
    lambda tf, D: D.zip((D.range(5).shuffle(5, seed=1),) * 2),
]
STEPS: list[Program] = [
    lambda D, d: d.batch(2),
    lambda D, d: d.map(lambda n: n).batch(2),
    lambda D, d: d.padded_batch(2),
    lambda D, d: d.take(4).skip(1).shard(2, 0),
    lambda D, d: d.window(2).flat_map(lambda w: w.batch(2)),
    lambda D, d: d.prefetch(1),
    lambda D, d: D.zip((d, D.range(9))).map(lambda n, _: n),
    lambda D, d: d.concatenate(D.range(2)),
    lambda D, d: d.scan(0, lambda s, n: (s, n)).filter(lambda n: n >= 0).enumerate(),
    lambda D, d: d.flat_map(D.from_tensors).unique(),
    lambda D, d: d.interleave(D.from_tensors, 2),
    lambda D, d: D.choose_from_datasets([d], D.range(1)),
    lambda D, d: d.batch(2).unbatch().batch(3).rebatch(2),
]


def orders(dataset: Any) -> Any:
    """Iterate twice, let an iterator be that nobody goes through, and iterate again."""
    found = [L(dataset), L(dataset)]
    iter(dataset)
    return [*found, L(dataset)]


def by_the_global_seed(tf: Any) -> Any:
    """Shuffles take their seeds as they are made, with one of their own or without."""
    tf.random.set_seed(7)
    first, second = [tf.data.Dataset.range(10).shuffle(5, seed=own) for own in (None, 1)]
    return [L(first), L(second), L(first)]


TABLE.add("shuffled by the global seed", by_the_global_seed)
TABLE.rows("shuffled", [lambda tf, f=f: orders(f(tf, tf.data.Dataset)) for f in SHUFFLED])
TABLE.rows(
    "shuffled, and then",
    [
        lambda tf, f=f: orders(f(tf.data.Dataset, tf.data.Dataset.range(8).shuffle(8, seed=1)))
        for f in STEPS
    ],
)
