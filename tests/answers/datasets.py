"""Pipelines: elements, orders, specs and counts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.answers.answer import Table

TABLE = Table("datasets")
Program = Callable[[Any, Any], Any]
"""A function of a module with TensorFlow's names, and its `Dataset`."""


def L(dataset: Any) -> list[Any]:  # noqa: N802 - stands in every second line
    """List the elements."""
    return list(dataset)


RESULTS: list[Program] = [
    lambda tf, D: list(D.from_tensors((None, 1))),
    lambda tf, D: D.from_tensor_slices([]),
    lambda tf, D: D.from_tensor_slices({"a": [1, 2], "b": ([3, 4], [5.0, 6])}),
    lambda tf, D: D.from_tensor_slices(([1, 2], ["a", "b"])),
    lambda tf, D: L(D.from_tensor_slices(([1, 2], ["a", "b"]))),
    lambda tf, D: L(D.range(5).take(-1)),
    lambda tf, D: [int(n) for n in D.range(5).take(-3)],
    lambda tf, D: L(D.range(5).skip(-1)),
    lambda tf, D: D.range(5).repeat(0).cardinality(),
    lambda tf, D: D.range(5).repeat(-5).cardinality(),
    lambda tf, D: D.range(0).repeat().cardinality(),
    lambda tf, D: L(D.range(0).repeat()),
    lambda tf, D: D.range(5).prefetch(0),
    lambda tf, D: D.zip({"a": D.range(2), "b": D.range(3)}),
    lambda tf, D: D.zip(D.range(2), D.range(3)),
    lambda tf, D: D.range(2).concatenate(D.from_tensors(tf.constant([1], tf.int64))),
    lambda tf, D: D.from_tensors([1, 2]).concatenate(D.from_tensors([1, 2, 3])),
    lambda tf, D: D.range(2).map(lambda x: (x, None)),
    lambda tf, D: L(D.range(2).map(lambda x: (x, None))),
    lambda tf, D: D.range(2).map(lambda x: [x, x]),
    lambda tf, D: D.range(2).map(lambda x: ([x, x], x)),
    lambda tf, D: D.range(2).map(lambda x: {"a": x, "b": [1, 2]}),
    lambda tf, D: D.range(5).shard(7, 6).cardinality(),
    lambda tf, D: L(D.range(5, 1, -2)),
    lambda tf, D: D.range(5, 1, -2).cardinality(),
    lambda tf, D: D.range(5, output_type=tf.float32),
    lambda tf, D: L(D.range(3, output_type=tf.float32)),
    lambda tf, D: L(
        D.from_generator(lambda: iter([1.5]), output_signature=tf.TensorSpec([], tf.int32))
    ),
    lambda tf, D: L(
        D.from_generator(lambda: iter([1]), output_signature=tf.TensorSpec([], tf.float32))
    ),
    lambda tf, D: L(D.from_generator(lambda: iter([(1, 2)]), output_types=(tf.int32, tf.float32))),
    lambda tf, D: D.from_generator(
        lambda: iter([(1, 2)]), output_types=(tf.int32, tf.float32), output_shapes=([], [None])
    ),
    lambda tf, D: L(D.from_generator(lambda n: iter(range(n)), output_types=tf.int32, args=(3,))),
    lambda tf, D: D.from_generator(
        lambda: iter([[1], [2, 3]]), output_signature=tf.TensorSpec([None], tf.int32)
    ).batch(2, drop_remainder=True),
    lambda tf, D: L(
        D.from_generator(
            lambda: iter([[1], [2, 3]]), output_signature=tf.TensorSpec([None], tf.int32)
        ).padded_batch(2)
    ),
    lambda tf, D: L(D.from_tensor_slices([1, 2]).batch(2).unbatch()),
    lambda tf, D: (len(D.range(10).batch(3)), len(D.range(10).batch(3, drop_remainder=True))),
    lambda tf, D: D.range(3).reduce(0, lambda s, x: s + 1),
    lambda tf, D: D.range(3).reduce(np.int64(0), lambda s, x: s + x),
    lambda tf, D: D.range(3).as_numpy_iterator().next(),
    lambda tf, D: L(D.range(4).window(2).flat_map(lambda w: w.batch(2))),
    lambda tf, D: [type(w).__name__ for w in D.range(4).window(2)],
    lambda tf, D: D.range(4).window(2).batch(2),
    lambda tf, D: D.range(4).unique().map(lambda x: x),
    lambda tf, D: D.range(1).get_single_element(),
    lambda tf, D: D.range(3) == D.range(3),
    lambda tf, D: tf.data.experimental.cardinality(D.range(3)),
    lambda tf, D: D.range(2).filter(lambda x: True),
    lambda tf, D: L(D.from_generator(lambda: iter([np.float64(3)]), output_types=tf.int32)),
    lambda tf, D: L(
        D.from_generator(
            lambda: iter([np.ones((2,), np.int64)]),
            output_signature=tf.TensorSpec([None], tf.int32),
        )
    ),
    lambda tf, D: L(
        D.from_generator(
            lambda: iter([tf.ones((2,), tf.int64)]),
            output_signature=tf.TensorSpec([None], tf.int32),
        )
    ),
    lambda tf, D: L(
        D.from_generator(
            lambda: iter([tf.constant(2.0)]), output_signature=tf.TensorSpec([], tf.int32)
        )
    ),
    lambda tf, D: (
        D.range(5).take(2).cardinality(),
        D.range(5).repeat().take(3).cardinality(),
        D.range(5).filter(lambda x: True).take(0).cardinality(),
        D.range(5).filter(lambda x: True).repeat().cardinality(),
        D.range(5).filter(lambda x: True).repeat(0).cardinality(),
        D.range(5).filter(lambda x: True).repeat(2).cardinality(),
    ),
    lambda tf, D: D.range(4).batch(2, drop_remainder=True).unbatch().cardinality(),
    lambda tf, D: D.range(0).batch(1).unbatch().cardinality(),
    lambda tf, D: D.range(0).batch(2, drop_remainder=True).unbatch().cardinality(),
    lambda tf, D: D.from_tensor_slices(np.zeros((2, 0))).unbatch().cardinality(),
    lambda tf, D: (
        D.range(4).batch(2, drop_remainder=True).rebatch(2, drop_remainder=True).cardinality()
    ),
    lambda tf, D: D.range(4).batch(2).rebatch([2, 1]),
    lambda tf, D: L(D.range(7).batch(2).rebatch([2, 1])),
    lambda tf, D: L(D.range(7).batch(2).rebatch(3, drop_remainder=True)),
    lambda tf, D: D.range(7).batch(2).rebatch(3, drop_remainder=True),
    lambda tf, D: D.sample_from_datasets([D.range(2).repeat(), D.range(2)]).cardinality(),
    lambda tf, D: D.sample_from_datasets(
        [D.range(2).repeat(), D.range(2)], stop_on_empty_dataset=True
    ).cardinality(),
    lambda tf, D: D.choose_from_datasets(
        [D.range(2), D.range(2)], D.range(2), stop_on_empty_dataset=False
    ).cardinality(),
    lambda tf, D: (
        D.range(4).window(3, 1).cardinality(),
        D.range(4).window(3, 2).cardinality(),
        D.range(4).window(3, 1, drop_remainder=True).cardinality(),
        D.range(4).window(3, 1, 2, drop_remainder=True).cardinality(),
        D.range(4).window(2, 3, drop_remainder=True).cardinality(),
    ),
    lambda tf, D: [L(w) for w in D.range(7).window(3, 2, 2)],
    lambda tf, D: [L(w) for w in D.range(7).window(3, 5, 1)],
    lambda tf, D: [L(w) for w in D.range(7).window(3, 2, 2, True)],
    lambda tf, D: [L(w) for w in D.range(7).window(3, 1, 3)],
    lambda tf, D: [
        {k: L(v) for k, v in w.items()} for w in D.from_tensor_slices({"a": [1, 2, 3]}).window(2)
    ],
    lambda tf, D: D.from_tensor_slices({"a": [1, 2, 3]}).window(2),
    lambda tf, D: L(D.range(7).scan(np.int64(0), lambda s, x: (s + x, (s, x)))),
    lambda tf, D: L(D.range(7).scan(np.int64(0), lambda s, x: [s + x, s * x])),
    lambda tf, D: D.range(3).reduce((0, 0), lambda s, x: s),
    lambda tf, D: D.range(3).reduce([0, 0], lambda s, x: s),
    lambda tf, D: D.range(0).reduce(np.int64(0), lambda s, x: s + x),
    lambda tf, D: list(
        D.range(3).group_by_window(lambda x: x % 2, lambda k, d: d.batch(2), window_size=2)
    ),
    lambda tf, D: list(
        D.range(10).group_by_window(lambda x: x % 3, lambda k, d: d.batch(2), window_size=2)
    ),
    lambda tf, D: list(
        D.range(10).group_by_window(
            lambda x: x % 3, lambda k, d: d.batch(10), window_size_func=lambda k: k + 1
        )
    ),
    lambda tf, D: L(
        D.range(4).interleave(lambda x: D.from_tensors(x).repeat(3), cycle_length=2, block_length=2)
    ),
    lambda tf, D: L(
        D.range(4).interleave(lambda x: D.from_tensors(x).repeat(x), cycle_length=3, block_length=2)
    ),
    lambda tf, D: L(
        D.range(6).interleave(
            lambda x: D.from_tensors(x).repeat(x),
            cycle_length=3,
            block_length=1,
            num_parallel_calls=2,
        )
    ),
    lambda tf, D: L(D.range(5).shuffle(3, seed=1).cache().repeat(2)),
    lambda tf, D: L(D.zip((D.range(5).shuffle(5, seed=1),) * 2)),
    lambda tf, D: L(D.range(3).map(lambda x: (x,))),
    lambda tf, D: L(D.range(3).map(lambda x: {"b": x, "a": x})),
    lambda tf, D: L(D.range(5).enumerate(start=3).take(1)),
    lambda tf, D: D.range(5).enumerate(start=3).cardinality(),
    lambda tf, D: L(D.from_tensor_slices([3, 1, 3, 2]).unique()),
    lambda tf, D: L(D.from_tensor_slices([[3, 1], [3, 1], [2, 2]]).unique()),
    lambda tf, D: L(
        D.choose_from_datasets(
            [D.range(2), D.range(10, 15)],
            D.from_tensor_slices(np.array([0, 1, 0, 0, 1, 1], np.int64)),
        )
    ),
    lambda tf, D: L(
        D.choose_from_datasets(
            [D.range(2), D.range(10, 15)],
            D.from_tensor_slices(np.array([0, 1, 0, 0, 1, 1], np.int64)),
            stop_on_empty_dataset=False,
        )
    ),
    lambda tf, D: L(D.sample_from_datasets([D.range(5), D.range(10, 15)], [0.3, 0.7], seed=3)),
    lambda tf, D: L(
        D.sample_from_datasets(
            [D.range(5), D.range(10, 15)], [0.3, 0.7], seed=3, stop_on_empty_dataset=True
        )
    ),
    lambda tf, D: L(
        D.sample_from_datasets(
            [D.range(5), D.range(10, 15)], [0.0, 0.7], seed=3, stop_on_empty_dataset=True
        )
    ),
    lambda tf, D: L(D.counter(3, 2).take(3)),
    lambda tf, D: D.counter(3, 2),
    lambda tf, D: D.range(10).shuffle(tf.data.UNKNOWN_CARDINALITY, seed=1),
    lambda tf, D: L(D.range(10).shuffle(tf.data.UNKNOWN_CARDINALITY, seed=1)),
    lambda tf, D: (
        D.range(10).skip(-1).cardinality(),
        D.range(10).skip(3).cardinality(),
        D.range(10).repeat().skip(3).cardinality(),
        D.range(10).skip(30).cardinality(),
    ),
    lambda tf, D: D.from_tensor_slices([[1, 2]]).padded_batch(
        2, padded_shapes=[3], padding_values=7, drop_remainder=True
    ),
    lambda tf, D: L(
        D.from_tensor_slices([[1, 2]]).padded_batch(2, padded_shapes=[3], padding_values=7)
    ),
    lambda tf, D: L(D.from_tensor_slices([["a", "b"]]).padded_batch(2, padded_shapes=[3])),
    lambda tf, D: L(
        D.from_tensor_slices(([[1, 2]], [3.0])).padded_batch(
            2, padded_shapes=([3], []), padding_values=(None, 1.0)
        )
    ),
    lambda tf, D: L(
        D.from_tensor_slices({"a": [[1, 2]]}).padded_batch(2, padded_shapes={"a": [None]})
    ),
    lambda tf, D: L(D.from_tensor_slices(([[1, 2]], [3])).padded_batch(2, padding_values=4)),
    lambda tf, D: [iter(D.range(3)).get_next_as_optional().get_value() for _ in range(2)],
    lambda tf, D: iter(D.range(0)).get_next_as_optional().has_value(),
    lambda tf, D: iter(D.range(0)).get_next_as_optional().element_spec,
    lambda tf, D: L(D.range(4).rejection_resample(lambda x: x % 2, [0.5, 0.5], seed=3)),
    lambda tf, D: L(D.from_tensor_slices(tf.Variable([1.0, 2.0]))),
    lambda tf, D: D.from_tensor_slices(np.zeros((2, 3)).tolist()),
    lambda tf, D: L(D.random(seed=3).take(2)),
    lambda tf, D: L(D.range(3).ignore_errors()),
    lambda tf, D: L(
        D.from_tensor_slices([1.0, 0.0, 4.0])
        .map(lambda x: tf.debugging.check_numerics(1 / x, "m"))
        .ignore_errors()
    ),
    lambda tf, D: list(
        D.from_generator(
            lambda: iter([[1], [1, 2], [1, 2, 3], [1]]),
            output_signature=tf.TensorSpec([None], tf.int32),
        ).bucket_by_sequence_length(lambda x: tf.shape(x)[0], [2, 3], [2, 2, 2])
    ),
    lambda tf, D: list(
        D.from_generator(
            lambda: iter([[1], [1, 2], [1, 2, 3], [1]]),
            output_signature=tf.TensorSpec([None], tf.int32),
        ).bucket_by_sequence_length(
            lambda x: tf.shape(x)[0], [3, 5], [2, 2, 2], pad_to_bucket_boundary=True
        )
    ),
    lambda tf, D: D.range(4).window(2).map(lambda w: w),
    lambda tf, D: D.range(4).window(2).map(lambda w: w.map(lambda x: x + 1)).flat_map(lambda w: w),
    lambda tf, D: next(iter(D.range(3).as_numpy_iterator())),
    lambda tf, D: D.range(3).take(2).options().deterministic,
    lambda tf, D: [int(x) for x in D.sample_from_datasets([D.range(5), D.range(10, 15)], seed=3)],
    lambda tf, D: [
        int(x)
        for _, x in D.range(6).rejection_resample(lambda n: n % 2, [0.2, 0.8], [0.5, 0.5], seed=3)
    ],
    lambda tf, D: [
        int(x) for _, x in D.range(60).rejection_resample(lambda n: n % 2, [0.2, 0.8], seed=3)
    ],
    lambda tf, D: [
        int(x)
        for _, x in D.range(60).rejection_resample(lambda n: n % 2, [0.2, 0.8], [0.7, 0.3], seed=3)
    ],
    lambda tf, D: [
        int(x)
        for _, x in D.range(60).rejection_resample(
            lambda n: n % 3, [0.2, 0.5, 0.3], [0.7, 0.2, 0.1], seed=3
        )
    ],
    lambda tf, D: D.range(60).rejection_resample(lambda n: n % 3, [0.2, 0.5, 0.3], seed=3),
    lambda tf, D: [int(x) for x in D.random(seed=4).take(2)],
    lambda tf, D: [
        int(x)
        for x in D.sample_from_datasets(
            [D.range(50), D.range(100, 150), D.range(200, 230)], [0.1, 0.2, 0.7], seed=5
        )
    ],
    lambda tf, D: [
        int(x)
        for x in D.sample_from_datasets(
            [D.range(5), D.range(10, 15)],
            D.from_tensor_slices(
                [[0.5, 0.5], [0.1, 0.9], [0.9, 0.1], [1.0, 0.0], [0.0, 1.0]]
            ).repeat(),
            seed=5,
        )
    ],
    lambda tf, D: [
        [
            int(x)
            for x in D.sample_from_datasets(
                [D.range(5), D.range(10, 15)], seed=3, rerandomize_each_iteration=True
            )
        ]
        for _ in range(2)
    ],
    lambda tf, D: [
        x.shape.as_list()
        for x in D.range(1, 5)
        .map(lambda n: tf.fill([n], n))
        .bucket_by_sequence_length(
            lambda x: tf.shape(x)[0], bucket_boundaries=[3], bucket_batch_sizes=[2, 2]
        )
    ],
]
"""What elements are, and what is told of datasets."""

TABLE.rows("result", [lambda tf, run=run: run(tf, tf.data.Dataset) for run in RESULTS])


# --- how many elements ----------------------------------------------------------------------------

SOURCES: dict[str, Callable[[Any], Any]] = {
    "none": lambda D: D.range(0),
    "one": lambda D: D.range(1),
    "four": lambda D: D.range(4),
    "five": lambda D: D.range(5),
    "infinite": lambda D: D.range(3).repeat(),
    "unknown": lambda D: D.range(3).filter(lambda x: True),
    "to the last": lambda D: D.range(2**63 - 3, 2**63 - 1),
}
STAGES: dict[str, Callable[[Any, Any], Any]] = {
    "batch": lambda D, d: d.batch(2),
    "batch of whole ones": lambda D, d: d.batch(2, drop_remainder=True),
    "padded batch": lambda D, d: d.padded_batch(2),
    "padded batch of whole ones": lambda D, d: d.padded_batch(2, drop_remainder=True),
    "rebatch": lambda D, d: d.batch(2).rebatch(3),
    "unbatch": lambda D, d: d.batch(2, drop_remainder=True).unbatch(),
    "window": lambda D, d: d.window(2),
    "window with a shift": lambda D, d: d.window(2, 3),
    "window of whole ones": lambda D, d: d.window(3, 2, drop_remainder=True),
    "window with strides": lambda D, d: d.window(2, 1, 3, drop_remainder=True),
    "shard": lambda D, d: d.shard(2, 0),
    "another shard": lambda D, d: d.shard(2, 1),
    "skip": lambda D, d: d.skip(3),
    "skip all": lambda D, d: d.skip(-1),
    "take": lambda D, d: d.take(3),
    "take all": lambda D, d: d.take(-1),
    "repeat": lambda D, d: d.repeat(2),
    "repeat forever": lambda D, d: d.repeat(),
    "concatenate": lambda D, d: d.concatenate(D.range(2)),
    "concatenate after": lambda D, d: D.range(2).concatenate(d),
    "zip": lambda D, d: D.zip((d, D.range(3))),
    "enumerate": lambda D, d: d.enumerate(),
    "map": lambda D, d: d.map(lambda x: x + 1),
    "flat map": lambda D, d: d.flat_map(lambda x: D.range(2)),
    "interleave": lambda D, d: d.interleave(lambda x: D.range(2)),
    "scan": lambda D, d: d.scan(np.int64(0), lambda s, x: (s + x, x)),
    "shuffle": lambda D, d: d.shuffle(2, seed=1),
    "cache": lambda D, d: d.cache(),
    "prefetch": lambda D, d: d.prefetch(1),
    "filter": lambda D, d: d.filter(lambda x: x > 1),
    "take while": lambda D, d: d.take_while(lambda x: x < 2),
    "unique": lambda D, d: d.unique(),
    "sample": lambda D, d: D.sample_from_datasets([d, D.range(2)], seed=1),
    "choose": lambda D, d: D.choose_from_datasets([d, D.range(2)], D.range(2)),
}


def _counted(stage: str) -> Program:
    def run(tf: Any, D: Any) -> Any:
        found = {name: STAGES[stage](D, made(D)) for name, made in SOURCES.items()}
        counts = {name: dataset.cardinality() for name, dataset in found.items()}
        return counts, [len(found[name]) for name, count in counts.items() if count >= 0]

    return run


for _stage in STAGES:
    TABLE.add(f"count after {_stage}", lambda tf, at=_stage: _counted(at)(tf, tf.data.Dataset))


def optionals(tf: Any) -> dict[str, Any]:
    """Make optionals: of a tensor, of a structure, of nothing, and what an iterator gives."""
    iterator = iter(tf.data.Dataset.range(1))
    optional = tf.data.experimental.Optional
    return {
        "tensor": optional.from_value(tf.constant(3)),
        "list": optional.from_value([1, 2]),
        "structure": optional.from_value(
            {"a": tf.constant([1.0, 2.0]), "b": (tf.constant("x"), 4)}
        ),
        "empty": optional.empty(tf.TensorSpec([2], tf.float32)),
        "none": optional.empty((tf.TensorSpec([]), tf.TensorSpec([], tf.int32))),
        "first": iterator.get_next_as_optional(),
        "last": iterator.get_next_as_optional(),
    }


for _name in ("tensor", "list", "structure", "empty", "none", "first", "last"):
    TABLE.add(f"value of {_name}", lambda tf, name=_name: optionals(tf)[name].get_value())
    TABLE.add(
        f"optional of {_name}",
        lambda tf, name=_name: [
            optionals(tf)[name].has_value(),
            isinstance(optionals(tf)[name], tf.data.experimental.Optional),
            str(optionals(tf)[name].element_spec),
        ],
    )
TABLE.add("optional of None", lambda tf: tf.data.experimental.Optional.from_value(None))
TABLE.add(
    "optional of a thing", lambda tf: tf.data.experimental.Optional.from_value(L), says="type"
)


def _of_no_batch(tf: Any) -> Any:
    """No batch is whole, and its size is known all the same."""
    numbers = tf.data.Dataset.range(2)
    batches = [
        numbers.batch(3, drop_remainder=True),
        numbers.padded_batch(3, drop_remainder=True),
    ]
    made = [batch.map(lambda x: x + 1) for batch in batches]
    made += [batch.flat_map(tf.data.Dataset.from_tensors) for batch in batches]
    return [repr(dataset.element_spec) for dataset in made]


TABLE.add("the size of a batch that is not there", _of_no_batch)
