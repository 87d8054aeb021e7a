"""Pipelines of ragged and sparse tensors: elements, specs, counts, and what is refused."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from pkgutil import resolve_name
from types import SimpleNamespace
from typing import Any

import numpy as np

from tests.answers.answer import Table

TABLE = Table("ragged_datasets")

Run = Callable[[Any], Any]
"""A function of `names`."""


def names(tf: Any) -> Any:
    """Give functions, and tensors that are the same for all: r, n, m are ragged, s, t sparse."""
    if tf.__name__ == "symtape":
        functions = resolve_name("symtape.stand_in.sparse.functions")
        kind = functions.SparseTensor
        spec = resolve_name("symtape.ops.sparse.spec:SparseTensorSpec")
        partition = resolve_name("symtape.stand_in.ragged.row_partition:RowPartition")
        strings = resolve_name("symtape.stand_in.finder:Answer")("tensorflow.strings", tf.strings)
    else:
        partition = tf.experimental.RowPartition
        functions, kind, spec, strings = tf.sparse, tf.SparseTensor, tf.SparseTensorSpec, tf.strings
    return SimpleNamespace(
        tf=tf,
        D=tf.data.Dataset,
        sparse=functions,
        Sparse=kind,
        S=spec,
        R=tf.RaggedTensorSpec,
        split=strings.split,
        P=partition,
        r=tf.ragged.constant([[1, 2], [3], [], [4, 5, 6]]),
        n=tf.ragged.constant([[[1], [2, 3]], [], [[4]]]),
        m=tf.ragged.constant([[[1, 2], [3, 4]], [], [[5, 6]]], ragged_rank=1),
        s=kind([[0, 1], [1, 0], [3, 2]], [1.0, 2.0, 3.0], (4, 3)),
        t=kind([[0, 1, 1], [1, 0, 0]], [1.0, 2.0], (2, 2, 3)),
    )


def shown(part: Any) -> Any:
    """Tell a part of an element by what it is made of."""
    if isinstance(part, tuple):
        return tuple(map(shown, part))
    if isinstance(part, dict):
        return {key: shown(value) for key, value in part.items()}
    if hasattr(part, "row_splits"):
        ends = [splits.numpy().tolist() for splits in part.nested_row_splits]
        return [str(part), str(part.shape), part.dtype.name, part.row_splits.dtype.name, ends]
    if hasattr(part, "dense_shape"):
        return [part.indices, part.values, part.dense_shape]
    return part


def told(dataset: Any) -> Any:
    """Tell a dataset by its spec, its number of elements, and the first ten of them."""
    count = int(dataset.cardinality())
    return [repr(dataset), count, [shown(element) for element in dataset.take(10)]]


def without_spec(dataset: Any) -> Any:
    """Tell elements alone."""
    return [shown(element) for element in dataset.take(10)]


def program(run: Run) -> Callable[[Any], Any]:
    """Make a program of a function of the names."""

    def ran(tf: Any) -> Any:
        found = run(names(tf))
        return told(found) if isinstance(found, tf.data.Dataset) else shown(found)

    return ran


MADE: list[Run] = [
    lambda o: o.D.from_tensor_slices(o.r),
    lambda o: o.D.from_tensor_slices(o.n),
    lambda o: o.D.from_tensor_slices(o.m),
    lambda o: o.D.from_tensor_slices(o.tf.RaggedTensor.from_uniform_row_length(o.r, 2)),
    lambda o: o.D.from_tensor_slices(o.tf.ragged.constant([["a"], ["b", "cd"]])),
    lambda o: o.D.from_tensor_slices(o.r.with_row_splits_dtype(o.tf.int32)),
    lambda o: o.D.from_tensor_slices(o.s),
    lambda o: o.D.from_tensor_slices(o.t),
    lambda o: o.D.from_tensor_slices({"a": o.r, "b": (o.s, [1, 2, 3, 4])}),
    lambda o: o.D.from_tensor_slices(([1, 2], o.t)),
    lambda o: o.D.from_tensors(o.r),
    lambda o: o.D.from_tensors((o.s, o.n)),
    lambda o: o.D.from_tensors(o.Sparse([[1, 0], [0, 1]], [1, 2], (2, 2))),
    lambda o: o.D.from_tensors({"a": o.m}),
]

BATCHED: list[Run] = [
    lambda o: o.D.from_tensor_slices(o.r).batch(2),
    lambda o: o.D.from_tensor_slices(o.r).batch(3, drop_remainder=True),
    lambda o: o.D.from_tensor_slices(o.n).batch(2),
    lambda o: o.D.from_tensor_slices(o.m).batch(2),
    lambda o: o.D.from_tensor_slices(o.r.with_row_splits_dtype(o.tf.int32)).batch(3),
    lambda o: o.D.from_tensor_slices(o.s).batch(3),
    lambda o: o.D.from_tensor_slices(o.s).batch(3, drop_remainder=True),
    lambda o: o.D.from_tensor_slices(o.s).batch(2).batch(2),
    lambda o: o.D.from_tensor_slices(o.r).batch(2).batch(2),
    lambda o: o.D.from_tensor_slices((o.r, {"s": o.s})).batch(4),
    lambda o: o.D.from_tensors(o.r).unbatch(),
    lambda o: o.D.from_tensors(o.s).unbatch(),
    lambda o: o.D.from_tensors((o.r, o.s)).unbatch(),
    lambda o: o.D.from_tensors(o.n).unbatch().unbatch(),
    lambda o: o.D.from_tensor_slices(o.n).batch(2).unbatch(),
    lambda o: o.D.from_tensor_slices(o.r).unbatch(),
    lambda o: o.D.from_tensor_slices(o.r).unbatch().batch(3),
    lambda o: o.D.from_tensor_slices(o.r).batch(2).rebatch(3),
    lambda o: o.D.from_tensor_slices(o.s).batch(2).rebatch(3),
    lambda o: o.D.from_tensor_slices(o.s).batch(2).rebatch([1, 3]),
    lambda o: o.D.from_tensor_slices(["a b", "c", ""]).batch(2).map(o.split).unbatch().batch(2),
]

MAPPED: list[Run] = [
    lambda o: o.D.from_tensor_slices(["a b", "c", ""]).map(o.split),
    lambda o: o.D.from_tensor_slices(["a b", "c", ""]).batch(2).map(o.split),
    lambda o: o.D.from_tensor_slices(["a b", "c", ""]).batch(2).map(o.split).batch(2),
    lambda o: o.D.from_tensor_slices([[0, 1], [2, 0]]).map(o.sparse.from_dense),
    lambda o: o.D.from_tensor_slices([[0, 1], [2, 0]]).map(o.sparse.from_dense).batch(2),
    lambda o: o.D.range(3).map(lambda k: o.tf.ragged.range([k, 2])),
    lambda o: o.D.range(3).map(lambda k: o.tf.ragged.range([k, 2])).batch(3),
    lambda o: o.D.from_tensor_slices(o.s).map(o.sparse.to_dense),
    lambda o: o.D.from_tensor_slices(o.r).map(lambda x: x + 1),
    lambda o: o.D.from_tensor_slices(o.n).map(lambda x: x + 1),
    lambda o: o.D.from_tensor_slices(o.r).map(lambda x: {"x": o.tf.expand_dims(x, 0)}),
    lambda o: o.D.from_tensor_slices(o.r).batch(2).map(lambda x: (x.row_lengths(), x.to_tensor())),
    lambda o: o.D.from_tensor_slices(o.s).map(lambda x: (x.indices, x.values, x.dense_shape)),
    lambda o: o.D.range(3).map(lambda k: o.Sparse([[k]], [1.0], [4])).batch(2),
    lambda o: o.D.range(3).map(lambda k: o.Sparse([[0]], [1.0], [k + 1])).batch(2),
    lambda o: o.D.range(2).map(lambda k: [o.r, k]),
    lambda o: o.D.from_tensor_slices(o.m).map(o.tf.RaggedTensor.from_tensor).batch(3),
]

UNLIKE: list[Run] = [
    lambda o: o.D.range(5).map(o.tf.range).ragged_batch(2),
    lambda o: o.D.range(5).map(o.tf.range).ragged_batch(2, True, o.tf.int32),
    lambda o: o.D.from_tensor_slices([[1, 2], [3, 4], [5, 6]]).ragged_batch(2),
    lambda o: (
        o.D.range(4)
        .map(lambda k: {"a": o.tf.range(k), "b": k, "c": o.tf.zeros([k, 2])})
        .ragged_batch(2)
    ),
    lambda o: o.D.range(4).map(lambda k: o.tf.zeros([2, k])).ragged_batch(2),
    lambda o: o.D.range(5).map(o.tf.range).apply(o.tf.data.experimental.dense_to_ragged_batch(2)),
    lambda o: o.D.from_tensor_slices(o.n).ragged_batch(2),
    lambda o: o.D.from_tensor_slices(o.s).ragged_batch(2),
    lambda o: o.D.from_tensor_slices(o.r).map(lambda x: x).sparse_batch(2, [5]),
    lambda o: (
        o.D.range(4).map(o.tf.range).apply(o.tf.data.experimental.dense_to_sparse_batch(2, [4]))
    ),
    lambda o: o.D.range(4).map(o.tf.range).sparse_batch(2, [None]),
    lambda o: o.D.range(4).sparse_batch(3, []),
    lambda o: o.D.from_tensor_slices(["a", "b"]).sparse_batch(3, []),
    lambda o: without_spec(o.D.range(4).map(o.tf.range).sparse_batch(3, [1])),
    lambda o: o.D.zip((o.D.range(4), o.D.range(4))).sparse_batch(3, [1]),
    lambda o: without_spec(o.D.range(4).sparse_batch(3, [1])),
    lambda o: without_spec(o.D.from_tensor_slices(o.s).sparse_batch(3, [3])),
    lambda o: without_spec(o.D.from_tensor_slices(o.r).sparse_batch(3, [3])),
    lambda o: o.D.range(4).sparse_batch(0, []),
    lambda o: o.D.range(4).ragged_batch(0),
]

CHANGED: list[Run] = [
    lambda o: o.D.from_tensor_slices(o.r).take(2),
    lambda o: o.D.from_tensor_slices(o.s).skip(2),
    lambda o: o.D.from_tensor_slices(o.r).filter(lambda x: o.tf.size(x) > 1).batch(2),
    lambda o: o.D.from_tensor_slices(o.s).filter(lambda x: o.sparse.reduce_sum(x) > 1.5),
    lambda o: o.D.from_tensor_slices((o.r, o.s)).shuffle(4, seed=1),
    lambda o: o.D.from_tensor_slices((o.r, o.s)).take(1).repeat(2).batch(2),
    lambda o: o.D.from_tensor_slices((o.r, o.s)).cache().batch(4),
    lambda o: o.D.from_tensor_slices(o.n).enumerate(5),
    lambda o: o.D.zip({"a": o.D.from_tensor_slices(o.r), "b": o.D.from_tensor_slices(o.s)}),
    lambda o: o.D.zip(o.D.from_tensor_slices(o.r), o.D.range(4).map(lambda k: k)).batch(4),
    lambda o: o.D.from_tensor_slices(o.r).window(2).flat_map(lambda w: w.batch(2)),
    lambda o: repr(o.D.from_tensor_slices((o.r, o.s)).window(2)),
    lambda o: (
        o.D.from_tensor_slices(o.s).window(2, 1, drop_remainder=True).flat_map(lambda w: w.batch(2))
    ),
    lambda o: o.D.from_tensor_slices(o.r).reduce(0, lambda a, x: a + o.tf.reduce_sum(x)),
    lambda o: o.D.from_tensor_slices(o.s).reduce(o.sparse.from_dense([0.0] * 3), o.sparse.add),
    lambda o: o.D.from_tensor_slices(o.r).scan(0, lambda a, x: (a + o.tf.reduce_sum(x), x + a)),
    lambda o: o.D.from_tensor_slices(o.s).scan(
        o.sparse.from_dense([0.0] * 3), lambda a, x: (o.sparse.add(a, x), a)
    ),
    lambda o: o.D.range(3).interleave(lambda k: o.D.from_tensor_slices(o.r), cycle_length=2),
    lambda o: o.D.from_tensors(o.r).flat_map(o.D.from_tensor_slices).batch(3),
    lambda o: o.D.from_tensor_slices(o.n).flat_map(o.D.from_tensor_slices).batch(2),
    lambda o: o.D.range(3).interleave(lambda k: o.D.from_tensor_slices(o.s), 2).batch(5),
    lambda o: o.D.from_tensor_slices(o.r).concatenate(o.D.from_tensor_slices(o.r)).batch(3),
    lambda o: (
        o.D.from_tensor_slices(o.s)
        .concatenate(o.D.from_tensor_slices(o.sparse.from_dense([[1.0, 2.0]])))
        .batch(8)
    ),
    lambda o: o.D.from_tensors((o.r, o.s)).get_single_element(),
    lambda o: o.D.from_tensor_slices(o.r).take(1).get_single_element(),
    lambda o: o.D.from_tensor_slices(o.r).group_by_window(
        lambda x: o.tf.cast(o.tf.size(x) > 1, o.tf.int64), lambda k, d: d.batch(3), 3
    ),
    lambda o: o.D.from_tensor_slices(o.s).bucket_by_sequence_length(
        lambda x: o.tf.size(x.values), [2], [2, 2], no_padding=True
    ),
    lambda o: o.D.from_tensor_slices(o.r).shard(2, 1),
    lambda o: o.D.from_tensor_slices(o.r).take_while(lambda x: o.tf.size(x) > 0),
    lambda o: o.D.from_tensor_slices(o.r).prefetch(1),
    lambda o: o.D.sample_from_datasets([o.D.from_tensor_slices(o.r)] * 2, [0.5, 0.5], seed=1).batch(
        3
    ),
    lambda o: o.D.choose_from_datasets([o.D.from_tensor_slices(o.r)] * 2, o.D.range(2)).batch(3),
    lambda o: iter(o.D.from_tensor_slices(o.n)).get_next_as_optional().get_value(),
    lambda o: list(map(str, o.D.from_tensor_slices(o.r).as_numpy_iterator())),
    lambda o: list(map(repr, o.D.from_tensor_slices(o.n).as_numpy_iterator())),
    lambda o: [repr(x["a"]) for x in o.D.from_tensor_slices({"a": o.s}).as_numpy_iterator()],
]


def yielded(*values: Any) -> Callable[[], Any]:
    """Make a function that yields values."""
    return lambda: iter(values)


GENERATED: list[Run] = [
    lambda o: o.D.from_generator(
        yielded(o.r, o.r[:2]), output_signature=o.R([None, None], o.tf.int32)
    ),
    lambda o: o.D.from_generator(
        yielded((o.r, 1), (o.r[:1], 2)),
        output_signature=(o.R([None, None], o.tf.int32), o.tf.TensorSpec([], o.tf.int32)),
    ),
    lambda o: o.D.from_generator(
        yielded({"a": o.r, "b": o.s}),
        output_signature={"a": o.R([None, None], o.tf.int32), "b": o.S([4, 3], o.tf.float32)},
    ),
    lambda o: o.D.from_generator(yielded(o.s, o.s), output_signature=o.S([4, 3])).batch(2),
    lambda o: o.D.from_generator(
        yielded(o.s, o.sparse.from_dense([[1.0]])), output_signature=o.S([None, None])
    ).batch(2),
    lambda o: o.D.from_generator(
        yielded(o.s, o.sparse.from_dense([1.0])), output_signature=o.S(None)
    ),
    lambda o: o.D.from_generator(
        yielded(o.s, o.sparse.from_dense([1.0])), output_signature=o.S(None)
    ).batch(2),
]


def _generated(signature: Callable[[Any], Any], value: Callable[[Any], Any]) -> Run:
    return lambda o: without_spec(
        o.D.from_generator(yielded(value(o)), output_signature=signature(o))
    )


MISFITS: list[Run] = [
    _generated(lambda o: o.R([None, None], o.tf.int32), lambda o: o.n),
    _generated(lambda o: o.R([None, None], o.tf.float32), lambda o: o.r),
    _generated(lambda o: o.R([3, None], o.tf.int32), lambda o: o.r),
    _generated(lambda o: o.R([None, None], o.tf.int32, row_splits_dtype=o.tf.int32), lambda o: o.r),
    _generated(lambda o: o.R([None, None], o.tf.int32), lambda o: [[1, 2], [3]]),
    _generated(lambda o: o.R([None], o.tf.int32, 0), lambda o: o.tf.constant([1, 2])),
    _generated(
        lambda o: (o.R([None, None], o.tf.int32), o.tf.TensorSpec([], o.tf.int32)),
        lambda o: (1, o.r),
    ),
    _generated(
        lambda o: (o.R([None, None], o.tf.int32), o.tf.TensorSpec([], o.tf.int32)), lambda o: o.r
    ),
    _generated(lambda o: o.S([4, 3], o.tf.float32), lambda o: o.tf.zeros([4, 3])),
    _generated(lambda o: o.S([4, 2], o.tf.float32), lambda o: o.s),
    _generated(lambda o: o.S([4, 3], o.tf.int32), lambda o: o.s),
    _generated(lambda o: o.tf.TensorSpec([4, 3], o.tf.int32), lambda o: o.r),
]

MISTAKES: list[Run] = [
    lambda o: o.D.from_tensor_slices((o.r, o.n)),
    lambda o: o.D.from_tensor_slices((o.s, o.t)),
    lambda o: o.D.from_tensor_slices(([1, 2, 3], o.t)),
    lambda o: o.D.from_tensor_slices((o.r, [1, 2, 3])),
    lambda o: o.D.from_tensor_slices(o.Sparse([[1], [4]], [1.0, 2.0], (5,))),
    lambda o: o.D.from_tensor_slices(o.Sparse(np.zeros((1, 0), int), [1.0], np.zeros(0, int))),
    lambda o: o.D.from_tensor_slices(o.Sparse([[2, 1], [0, 1], [1, 0]], [1.0, 2.0, 3.0], (3, 2))),
    lambda o: o.D.from_tensor_slices(o.r).padded_batch(2),
    lambda o: o.D.from_tensor_slices(o.s).padded_batch(2),
    lambda o: without_spec(o.D.from_tensors((o.n, o.s)).unbatch()),
    lambda o: o.D.from_tensor_slices(o.r).concatenate(o.D.from_tensor_slices(o.n)),
    lambda o: o.D.from_tensor_slices(o.r).concatenate(o.D.from_tensor_slices(o.s)),
    lambda o: o.D.from_tensor_slices(o.r).concatenate(o.D.from_tensor_slices([[1, 2]])),
    lambda o: o.D.from_tensor_slices(o.r).unique(),
    lambda o: without_spec(
        o.D.from_tensor_slices(o.r).bucket_by_sequence_length(o.tf.size, [2], [2, 2])
    ),
]


def _kept(dataset: Callable[[Any], Any], **how: Any) -> Run:
    def run(o: Any) -> Any:
        with tempfile.TemporaryDirectory() as folder:
            dataset(o).save(str(Path(folder, "kept")), **how)
            return told(o.D.load(str(Path(folder, "kept")), **how))

    return run


def _cached(o: Any) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        dataset = o.D.from_tensor_slices((o.r, o.s)).cache(str(Path(folder, "kept")))
        return [without_spec(dataset.batch(4)) for _ in range(2)]


KEPT: list[Run] = [
    _kept(lambda o: o.D.from_tensor_slices((o.r, o.s))),
    _kept(lambda o: o.D.from_tensor_slices((o.n, o.m)), compression="GZIP"),
    _kept(lambda o: o.D.from_tensor_slices(o.tf.ragged.constant([["a"], ["b", "cd"]]))),
    _cached,
]

SPECS: list[Run] = [
    lambda o: [str(o.R([None, None])), repr(o.R([2, None, 3], o.tf.int32, 1, o.tf.int32))],
    lambda o: o.R(),
    lambda o: o.R(ragged_rank=1),
    lambda o: o.R([None, None], ragged_rank=2),
    lambda o: o.R([None, None], ragged_rank=1.0),
    lambda o: o.R([None], None),
    lambda o: [
        (str(x.shape), x.dtype.name, x.ragged_rank, x.row_splits_dtype.name, x.flat_values_spec)
        for x in (o.R([None, 2, None]), o.R([None], "int64", 0, "int32"))
    ],
    lambda o: [str(o.R.from_value(x)) for x in (o.r, o.n, o.m)],
    lambda o: [o.R([None, None], o.tf.int32).is_compatible_with(x) for x in (o.r, o.n, o.s)],
    lambda o: [
        o.R([None, None], o.tf.int32).is_compatible_with(x)
        for x in (o.R([3, None], o.tf.int32), o.R([3, None]), o.S([3, 3], o.tf.int32))
    ],
    lambda o: [
        o.R([None], o.tf.int32, 0).is_compatible_with(x)
        for x in (o.tf.constant([1, 2]), o.tf.TensorSpec([3]), o.tf.TensorSpec([3], o.tf.int32))
    ],
    lambda o: [
        o.tf.TensorSpec([None], o.tf.int32).is_compatible_with(x)
        for x in (o.R([None], o.tf.int32, 0), o.r, o.s, o.S([3], o.tf.int32))
    ],
    lambda o: [o.R([None, 2]) == x for x in (o.R([None, 2]), o.R([None, 3]), o.S([None, 2]))],
    lambda o: [
        hash(o.R([None, 2])) == hash(o.R([None, 2])),
        issubclass(o.tf.Tensor, o.R([None]).value_type),
    ],
    lambda o: [str(o.S([None, 3])), repr(o.S()), str(o.S([2], "string"))],
    lambda o: [(str(x.shape), x.dtype.name, x.value_type.__name__) for x in (o.S([2, None]),)],
    lambda o: [str(o.S.from_value(o.s)), str(o.S.from_value(o.t))],
    lambda o: o.S.from_value(o.r),
    lambda o: [o.S([None, 3]).is_compatible_with(x) for x in (o.s, o.t, o.r, o.S([4, 3]))],
    lambda o: [o.S([2]) == x for x in (o.S([2]), o.S([3]), o.S([2], o.tf.int32))],
]

TABLE.rows("made", list(map(program, MADE)))
TABLE.rows("batched", list(map(program, BATCHED)))
TABLE.rows("mapped", list(map(program, MAPPED)))
TABLE.rows("unlike sizes", list(map(program, UNLIKE)))
TABLE.rows("changed", list(map(program, CHANGED)))
TABLE.rows("generated", list(map(program, GENERATED)))
TABLE.rows("misfits", list(map(program, MISFITS)), says="start")
TABLE.rows("mistakes", list(map(program, MISTAKES)))
TABLE.rows("kept", list(map(program, KEPT)))
TABLE.rows("specs", list(map(program, SPECS)))

OVER: list[Run] = [
    lambda o: o.tf.map_fn(o.tf.range, [1, 2, 3], fn_output_signature=o.R([None], o.tf.int32)),
    lambda o: o.tf.map_fn(
        lambda n: o.tf.ragged.range([n, 2]),
        o.tf.constant([1, 2]),
        fn_output_signature=o.R([None, None], o.tf.int32),
    ),
    lambda o: o.tf.map_fn(o.tf.range, [1, 2, 3], fn_output_signature=o.R([None, None], o.tf.int32)),
    lambda o: o.tf.map_fn(o.tf.range, [1, 2, 3], fn_output_signature=o.R([None], o.tf.float32)),
    lambda o: o.tf.map_fn(o.sparse.to_dense, o.s, fn_output_signature=o.tf.float32),
    lambda o: o.tf.map_fn(lambda x: x, o.s),
    lambda o: o.tf.map_fn(
        lambda x: o.sparse.from_dense([x, 0]),
        o.tf.constant([1, 2]),
        fn_output_signature=o.S([2], o.tf.int32),
    ),
    lambda o: o.tf.map_fn(
        lambda x: o.sparse.from_dense([x, 0]),
        o.tf.constant([1, 2]),
        fn_output_signature=o.S([3], o.tf.int32),
    ),
    lambda o: o.tf.map_fn(
        lambda n: o.tf.zeros([n, 2]),
        o.tf.constant([1, 2]),
        fn_output_signature=o.R([None, 2], o.tf.float32, 0),
    ),
    lambda o: o.tf.map_fn(lambda x: x.values, o.s, fn_output_signature=o.R([None])),
    lambda o: o.tf.map_fn(
        lambda x: x, o.r, fn_output_signature=o.R([None], o.tf.int32, row_splits_dtype=o.tf.int32)
    ),
    lambda o: o.tf.map_fn(lambda x: o.tf.cast(x, o.tf.float32), o.r),
    lambda o: o.tf.map_fn(o.tf.reduce_sum, o.r),
    lambda o: o.tf.map_fn(lambda x: x[None], o.r),
    lambda o: o.tf.map_fn(lambda x: x, o.Sparse([[1]], [1.0], (5,))),
    lambda o: o.tf.map_fn(o.tf.range, [1, 2], fn_output_signature=o.tf.int32),
]
SIGNED: list[Run] = [
    lambda o: o.tf.function(lambda x: x, input_signature=[o.R([None, None], o.tf.int32)])(o.r),
    lambda o: o.tf.function(o.sparse.to_dense, input_signature=[o.S([None, 3])])(o.s),
    lambda o: o.tf.function(lambda x: {"a": x, "b": o.s})(o.r),
]
TABLE.rows("map_fn", list(map(program, OVER)))
TABLE.rows("functions", list(map(program, SIGNED)))


def _signed(signature: Callable[[Any], Any], value: Callable[[Any], Any]) -> Run:
    return lambda o: o.tf.function(lambda x: x, input_signature=[signature(o)])(value(o))


TABLE.rows(
    "functions of others",
    [
        program(_signed(lambda o: o.R([None, None], o.tf.int32), lambda o: o.n)),
        program(_signed(lambda o: o.R([None, None], o.tf.int32), lambda o: o.tf.zeros([1, 2]))),
        program(_signed(lambda o: o.R([None, None]), lambda o: o.r)),
        program(_signed(lambda o: o.S([None, 3]), lambda o: o.t)),
        program(_signed(lambda o: o.S([None, 3]), lambda o: o.tf.zeros([2, 3]))),
    ],
    says="type",
)


def _parts(make: Callable[[Any], Any]) -> Run:
    """Tell all that a partition of rows says."""
    asked = "row_splits row_lengths value_rowids row_starts row_limits nrows nvals offsets_in_rows"

    def run(o: Any) -> Any:
        rows = make(o)
        own = [repr(rows), rows.dtype.name, rows.static_nrows, rows.is_uniform()]
        return [*own, rows.uniform_row_length(), *[getattr(rows, n)() for n in asked.split()]]

    return run


PARTITIONS: list[Callable[[Any], Any]] = [
    lambda o: o.P.from_value_rowids(o.tf.constant([0, 0, 2, 3]), nrows=4),
    lambda o: o.P.from_value_rowids([0, 0, 2, 3]),
    lambda o: o.P.from_row_splits([0, 2, 3]),
    lambda o: o.P.from_row_lengths(o.tf.constant([0, 2, 3])),
    lambda o: o.P.from_row_starts([0, 2, 3], 5),
    lambda o: o.P.from_row_limits(o.tf.constant([0, 2, 3])),
    lambda o: o.P.from_uniform_row_length(2, nvals=6),
    lambda o: o.P.from_uniform_row_length(o.tf.constant(2), nrows=3),
    lambda o: o.P.from_row_splits([0, 2, 3]).with_dtype(o.tf.int32),
    lambda o: o.P.from_row_splits(np.array([0, 2, 3], np.int16)),
    lambda o: o.P.from_uniform_row_length(2),
    lambda o: o.P.from_uniform_row_length(2, nvals=5),
    lambda o: o.P.from_row_splits([0, 3, 2]),
    lambda o: o.P.from_row_splits([1, 3]),
    lambda o: o.P.from_row_lengths([-1, 3]),
    lambda o: o.P.from_value_rowids([1, 0]),
    lambda o: o.P.from_value_rowids([1, 3], nrows=2),
    lambda o: o.P.from_row_splits([0, 2, 3]).with_dtype(o.tf.int16),
]
TABLE.rows("partitions", [program(_parts(make)) for make in PARTITIONS])
