"""What `tf.data.experimental` has more: elements of lists and by number, groups, tables."""

from __future__ import annotations

import tempfile
from typing import Any

import numpy as np

from tests.answers.answer import Table

TABLE = Table("further_data")
N = np.int64


def _listed(dataset: Any) -> Any:
    """Give the type, the spec, the number and the elements of a dataset."""
    told = [type(dataset).__name__, str(dataset.element_spec), int(dataset.cardinality())]
    return [*told, [_plain(x) for x in dataset.as_numpy_iterator()]]


def _plain(x: Any) -> Any:
    if isinstance(x, dict):
        return {key: _plain(value) for key, value in x.items()}
    if isinstance(x, tuple):
        return [_plain(value) for value in x]
    return x.tolist() if hasattr(x, "tolist") else str(x)


_LISTS: tuple[Any, ...] = (
    *([1, 2, 3], [(1, "a"), (2, "b")], [[1], [2, 3]], [], 3, (1, 2), [{"a": 1}, {"a": 2}]),
    *([np.array([1, 2]), np.array([3])], [np.ones((2, 1)), np.ones((3, 1))], [1.5], ["a", "bc"]),
)
TABLE.rows(
    "list",
    [
        *[lambda tf, x=x: _listed(tf.data.experimental.from_list(x)) for x in _LISTS],
        lambda tf: repr(tf.data.experimental.from_list([1, 2])),
        lambda tf: _listed(tf.data.experimental.from_list([1, 2, 3]).map(lambda n: n * 2).batch(2)),
    ],
)
TABLE.rows(
    "lists of unlike structures",
    [
        lambda tf, x=x: tf.data.experimental.from_list(x)
        for x in ([{"a": 1}, {"b": 2}], [(1,), (1, 2)])
    ],
    says="type",  # each prints the structures in its own way
)


def _snapshot(make: Any, **how: Any) -> Any:
    """Run through what a snapshot keeps, in part and as a whole, and a second time."""

    def run(tf: Any) -> Any:
        with tempfile.TemporaryDirectory() as folder:
            dataset = make(tf.data.Dataset.range(5)).snapshot(folder, **how)
            part = [_plain(x) for x in dataset.take(2).as_numpy_iterator()]
            first, second = _listed(dataset), _listed(dataset)
            return part, first, second == first

    return run


TABLE.rows(
    "snapshot",
    [
        *[_snapshot(lambda d: d, compression=c) for c in ("AUTO", "GZIP", "SNAPPY", "NONE")],
        _snapshot(lambda d: d.map(lambda n: (n, {"t": n * 2}))),
        _snapshot(lambda d: d.shuffle(5, seed=3)),
        lambda tf: tf.data.Dataset.range(2).snapshot(3),
    ],
)


def _by_turns(lengths: list[int], *how: int) -> Any:
    def run(tf: Any) -> Any:
        whole = tf.data.Dataset
        turns = tf.data.experimental.parallel_interleave(
            lambda n: whole.from_tensors(n).repeat(tf.gather(tf.constant(lengths, tf.int64), n)),
            *how,
        )
        return [int(n) for n in whole.range(len(lengths)).apply(turns)]

    return run


TABLE.rows(
    "by turns",
    [
        _by_turns(lengths, *how)
        for lengths in ([3, 1, 2, 4], [2, 0, 0, 3, 1])
        for how in ((1,), (2, 1), (3, 2))
    ],
)
TABLE.rows(
    "to a device",
    [
        lambda tf: [
            int(n)
            for n in tf.data.Dataset.range(3).apply(tf.data.experimental.copy_to_device("/cpu:0"))
        ],
        lambda tf: [
            int(n)
            for n in tf.data.Dataset.range(3).apply(
                tf.data.experimental.prefetch_to_device("/gpu:0", 2)
            )
        ],
    ],
)


def _at(place: Any, make: Any = lambda d: d) -> Any:
    return lambda tf: tf.data.experimental.at(make(tf.data.Dataset.range(10)), place)


TABLE.rows(
    "at",
    [
        *[_at(place) for place in (3, 9, 10, -1, np.int32(2))],
        *[
            _at(place, make)
            for place in (1, 4)
            for make in (
                *(lambda d: d.map(lambda n: n * 2), lambda d: d.batch(3), lambda d: d.take(2)),
                *(lambda d: d.skip(3), lambda d: d.cache(), lambda d: d.prefetch(2)),
                *(lambda d: d.shard(2, 1), lambda d: d.concatenate(d), lambda d: d.repeat(2)),
                *(lambda d: d.filter(lambda n: n > 1), lambda d: d.flat_map(lambda n: d)),
                *(lambda d: d.repeat(), lambda d: d.batch(2).unbatch(), lambda d: d.enumerate()),
                *(
                    lambda d: d.interleave(lambda n: d),
                    lambda d: d.filter(lambda n: n > 1).batch(2),
                ),
                lambda d: d.map(lambda n: (n, n + 1)),
            )
        ],
        lambda tf: tf.data.experimental.at(tf.data.Dataset.from_tensors((1, 2)), 0),
        lambda tf: tf.data.experimental.at(
            tf.data.Dataset.zip(tf.data.Dataset.range(3), tf.data.Dataset.range(4, 9)), 2
        ),
        lambda tf: tf.data.experimental.at(tf.data.experimental.from_list([1, 2]), 1),
        lambda tf: tf.data.experimental.at(3, 0),
    ],
)


def _reduced(key: Any, init: Any, step: Any, end: Any = lambda s: s, n: int = 5) -> Any:
    def ask(tf: Any) -> Any:
        functions = [lambda *x, f=f: f(tf, *x) for f in (init, step)]
        reducer = tf.data.experimental.Reducer(*functions, end)
        by = tf.data.experimental.group_by_reducer(key, reducer)
        return _listed(tf.data.Dataset.range(n).apply(by))

    return ask


TABLE.rows(
    "reduced by keys",
    [
        _reduced(lambda n: n % 3, lambda tf, k: N(0), lambda tf, s, n: s + n, lambda s: s * 10, 10),
        _reduced(
            lambda n: n % 2,
            lambda tf, k: (k, N(0)),
            lambda tf, s, n: (s[0], s[1] + n),
            lambda a, b: {"k": a, "s": b},
        ),
        _reduced(
            lambda n: n - 1,
            lambda tf, k: tf.constant([], tf.int64),
            lambda tf, s, n: tf.concat([s, [n]], 0),
        ),
        _reduced(
            lambda n: n % 2,
            lambda tf, k: tf.constant([], tf.int64),
            lambda tf, s, n: tf.concat([s, [n]], 0),
        ),
        _reduced(lambda n: n * 0, lambda tf, k: N(0), lambda tf, s, n: s + 1, n=0),
        lambda tf: tf.data.experimental.Reducer(1, 2, 3).finalize_func,
    ],
)
TABLE.rows(
    "keys and states that do not fit",
    [
        lambda tf: _reduced(
            lambda n: tf.cast(n, tf.int32), lambda tf, k: N(0), lambda tf, s, n: s + n
        )(tf),
        _reduced(lambda n: n, lambda tf, k: N(0), lambda tf, s, n: tf.cast(s, tf.int32)),
    ],
)


def _filled(make: Any, count: int, *key: str) -> Any:
    def ask(tf: Any) -> Any:
        by = tf.data.experimental.pad_to_cardinality(count, *key)
        return _listed(make(tf.data.Dataset).apply(by))

    return ask


TABLE.rows(
    "filled up",
    [
        _filled(lambda d: d.from_tensor_slices({"a": [1, 2]}), 3),
        _filled(lambda d: d.from_tensor_slices({"a": [1, 2]}), 2),
        _filled(lambda d: d.range(2), 3),
        _filled(lambda d: d.from_tensor_slices({"a": [1, 2]}), 1),
        _filled(lambda d: d.from_tensor_slices({"a": [1, 2]}).filter(lambda x: True), 3),
        _filled(lambda d: d.from_tensor_slices({"a": ["x"], "b": [[1.5, 2]]}), 2, "ok"),
        _filled(lambda d: d.from_tensor_slices({"a": [1]}), 2, "a"),
        _filled(lambda d: d.range(2).map(lambda n: {"a": n}).repeat(), 2),
    ],
)


def _optional(tf: Any) -> Any:
    iterator = iter(tf.data.Dataset.range(1))
    found = [tf.data.experimental.get_next_as_optional(iterator) for _ in range(2)]
    return [found[0].has_value(), found[0].get_value(), found[1].has_value()]


def _looked_up(make: Any, keys: Any, indices: bool = False, **how: Any) -> Any:
    def ask(tf: Any) -> Any:
        words = how | ({"key_dtype": tf.as_dtype(how["key_dtype"])} if "key_dtype" in how else {})
        name = f"{'index_' * indices}table_from_dataset"
        table = getattr(tf.data.experimental, name)(make(tf.data.Dataset), **words)
        given = tf.constant(keys)
        return [table.lookup(given), table[given], table.size(), str(table.key_dtype)]

    return ask


def _pairs(d: Any) -> Any:
    return d.from_tensor_slices((["0", "1", "2"], np.array([0, 10, 20])))


def _numbers(d: Any) -> Any:
    return d.range(3).map(lambda n: (n, n))


def _words(d: Any) -> Any:
    return d.from_tensor_slices(["a", "b", "c"])


TABLE.rows(
    "tables",
    [
        _optional,
        _looked_up(_pairs, ["1", "z"]),
        _looked_up(_pairs, ["1", "z", "y"], num_oov_buckets=2),
        _looked_up(_pairs, ["1", "z"], default_value=7),
        _looked_up(_pairs, ["1"], num_oov_buckets=-1),
        _looked_up(_pairs, ["1"], vocab_size=0),
        _looked_up(_pairs, ["1", "2"], vocab_size=2),
        _looked_up(_pairs, ["1"], vocab_size=5),
        _looked_up(_pairs, ["1"], key_dtype="float32"),
        _looked_up(_numbers, np.array([1, 7]), key_dtype="int64"),
        _looked_up(_numbers, np.array([1, 7]), num_oov_buckets=1, key_dtype="int64"),
        _looked_up(lambda d: d.range(3), [1]),
        _looked_up(lambda d: d.zip(d.range(3), d.range(3), d.range(3)), [1]),
        _looked_up(lambda d: d.from_tensors(([1], 2)), [1]),
        _looked_up(lambda d: d.from_tensors((1, [2])), [1]),
        _looked_up(lambda d: d.from_tensors((N(1), "a")), [1], key_dtype="int64"),
        _looked_up(
            lambda d: d.from_tensors((N(1), "a")), N([1, 2]), default_value="q", key_dtype="int64"
        ),
        _looked_up(_words, ["b", "z"], indices=True),
        _looked_up(_words, ["b", "c", "z"], indices=True, num_oov_buckets=1, vocab_size=2),
        _looked_up(lambda d: d.from_tensor_slices(["a", "a"]), ["a"], indices=True),
        lambda tf: tf.lookup.StaticHashTable(
            tf.data.experimental.DatasetInitializer(_pairs(tf.data.Dataset)), -1
        ).lookup(tf.constant("1")),
        lambda tf: tf.data.experimental.DatasetInitializer(tf.data.Dataset.from_tensors((1, [2]))),
        lambda tf: str(tf.data.experimental.DatasetInitializer(_pairs(tf.data.Dataset)).key_dtype),
    ],
)


def _asked(make: Any) -> Any:
    """Ask a dataset as scripts do whether it is batched, and of how many."""

    def run(tf: Any) -> Any:
        dataset = make(tf.data.Dataset.range(7))
        names = [hasattr(dataset, name) for name in ("_batch_size", "_drop_remainder")]
        return [*names, *([dataset._batch_size, dataset._drop_remainder] if all(names) else [])]

    return run


TABLE.rows(
    "whether it is batched",
    [
        _asked(lambda d: d),
        _asked(lambda d: d.batch(2)),
        _asked(lambda d: d.batch(np.int64(3), drop_remainder=True)),
        _asked(lambda d: d.batch(2, num_parallel_calls=2)),
        _asked(lambda d: d.padded_batch(2)),
        _asked(lambda d: d.batch(2).prefetch(1)),
        _asked(lambda d: d.batch(2).map(lambda x: x)),
    ],
)
TABLE.rows(
    "how many rows functions give",
    [
        lambda tf: tf.data.Dataset.range(7).batch(2, True).map(abs).unbatch().cardinality(),
        lambda tf: tf.data.Dataset.range(7).batch(2).map(abs).unbatch().cardinality(),
        lambda tf: (
            tf.data.Dataset.from_tensor_slices([[1, 2], [3, 4]])
            .map(lambda x: tf.boolean_mask(x, x > 1))
            .unbatch()
            .cardinality()
        ),
    ],
)
TABLE.rows(
    "counters",
    [
        lambda tf: [*tf.data.Dataset.counter(2.0, 0.1, tf.float32).take(5)],
        lambda tf: [*tf.data.Dataset.counter(2, 0.5, tf.float64).take(2)],
        lambda tf: [*tf.data.Dataset.counter(2, -1, tf.int32).take(2)],
    ],
)
TABLE.rows(
    "what is filled up",
    [
        lambda tf: [*tf.data.Dataset.from_tensor_slices(["a", "b"]).padded_batch(2)],
        lambda tf: [*tf.data.Dataset.from_tensor_slices([["a"], ["b"]]).padded_batch(2, [2])],
        lambda tf: [
            *tf.data.Dataset.range(4)
            .map(lambda n: tf.zeros([n, n]))
            .padded_batch(2, padded_shapes=[-1, 4])
        ],
        lambda tf: (
            tf.data.Dataset.range(4)
            .map(lambda n: tf.range(n))
            .padded_batch(2, padded_shapes=[None, None])
            .element_spec
        ),
        lambda tf: (
            tf.data.Dataset.range(2)
            .map(lambda n: tf.py_function(abs, [n], tf.int64))
            .padded_batch(2)
            .element_spec
        ),
    ],
)
