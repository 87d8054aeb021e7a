"""What programs seldom reach: arguments that do not fit, empty structures, what objects hold."""

from __future__ import annotations

import collections
import operator
import random
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from tests.answers.answer import Table

TABLE = Table("corners")

Run = Callable[[Any], Any]
M = np.arange(6.0).reshape(2, 3) + 1
IMAGE = np.arange(32.0, dtype=np.float32).reshape(1, 4, 4, 2)

DISTRIBUTED: list[Run] = [
    lambda tf: _strategy(tf).extended.reduce_to("SUM", 3.0, None),
    lambda tf: _strategy(tf).extended.variable_created_in_scope(tf.Variable(1.0)),
    lambda tf: _strategy(tf).experimental_distribute_values_from_function(
        lambda c: c.replica_id_in_sync_group + 7
    ),
    lambda tf: [
        x.numpy().tolist()
        for x in _strategy(tf).experimental_distribute_dataset(tf.data.Dataset.range(2))
    ],
    lambda tf: [
        int(x)
        for x in _strategy(tf).distribute_datasets_from_function(
            lambda c: tf.data.Dataset.range(c.get_per_replica_batch_size(3))
        )
    ],
    lambda tf: _within(tf, lambda c: c.merge_call(lambda s, x, y: x - y, (5,), {"y": 3})),
    lambda tf: _within(tf, lambda c: c.merge_call(lambda s: s.num_replicas_in_sync)),
    lambda tf: _within(tf, lambda c: c.all_gather(tf.constant([1.0, 2.0]), axis=0)),
    lambda tf: _within(tf, lambda c: c.all_reduce("MEAN", {"a": tf.constant(2.0)})),
    lambda tf: _within(tf, lambda c: c.all_reduce("MAX", tf.constant(2.0))),
    lambda tf: _strategy(tf).reduce("SUM", tf.constant([[1.0, 2.0], [3.0, 4.0]]), axis=0),
    lambda tf: _strategy(tf).reduce("MEAN", tf.constant([[1.0, 2.0], [3.0, 4.0]]), axis=1),
    lambda tf: _strategy(tf).reduce("MEAN", tf.constant([1.0, 2.0]), axis=None),
    lambda tf: _strategy(tf).gather(tf.constant([1.0, 2.0]), axis=0),
    lambda tf: _strategy(tf).experimental_local_results(3.0),
    lambda tf: tf.distribute.get_strategy().run(lambda: tf.distribute.has_strategy()),
    lambda tf: _strategy(tf).run(lambda: tf.distribute.has_strategy()),
    lambda tf: _strategy(tf).run(lambda: tf.distribute.in_cross_replica_context()),
    lambda tf: _in_scope(tf, lambda: tf.distribute.in_cross_replica_context()),
    lambda tf: _in_scope(tf, lambda: tf.distribute.get_replica_context()),
    lambda tf: _in_scope(tf, lambda: _mixed(tf)),
]


def _strategy(tf: Any) -> Any:
    return tf.distribute.OneDeviceStrategy("/cpu:0")


def _mixed(tf: Any) -> Any:
    try:
        return _strategy(tf).scope().__enter__()
    except RuntimeError as error:
        return str(error).partition(":")[0]


def _within(tf: Any, ask: Run) -> Any:
    return _strategy(tf).run(lambda: ask(tf.distribute.get_replica_context()))


def _in_scope(tf: Any, ask: Callable[[], Any]) -> Any:
    with _strategy(tf).scope():
        return ask()


INDICES: list[Run] = [
    lambda tf: [4, 5][tf.constant(1)],
    lambda tf: [4, 5][tf.constant([1])],
    lambda tf: [4, 5][tf.constant([1, 0])],
    lambda tf: [4, 5][tf.constant(1.0)],
    lambda tf: [4, 5][tf.constant(True)],
    lambda tf: list(range(tf.constant(2, tf.uint8))),
    lambda tf: int(tf.constant(2.5)),
    lambda tf: int(tf.constant([2.5, 1.0])),
    lambda tf: float(tf.constant(2)),
    lambda tf: float(tf.constant("a")),
    lambda tf: bool(tf.constant([True, False])),
    lambda tf: complex(tf.constant(1.0)),
]
NESTED: list[Run] = [
    lambda tf: tf.nest.map_structure(lambda x: x + 1, collections.defaultdict(int, {"b": 1})),
    lambda tf: type(tf.nest.map_structure(lambda x: x, collections.OrderedDict(b=1, a=2))).__name__,
    lambda tf: tf.nest.pack_sequence_as(collections.defaultdict(int, b=1, a=2), [3, 4])["a"],
    lambda tf: tf.case([(tf.constant(False), lambda: 1)], default=lambda: [tf.constant(2)]),
    lambda tf: tf.numpy_function(lambda x: x, [1.0], tf.float32),
    lambda tf: tf.numpy_function(func=lambda x: x, inp=[1.0]),
    lambda tf: tf.py_function(func=lambda x: x, inp=[1.0]),
    lambda tf: tf.numpy_function(inp=[1.0], Tout=tf.float32),
    lambda tf: tf.py_function(),
    lambda tf: tf.py_function(Tout=tf.float32)(lambda x: x + 1)(2.0),
    lambda tf: tf.numpy_function(Tout=tf.float32)(lambda x: x + 1)(2.0),
    *(
        lambda tf, more=more, made=made: tf.case([(tf.constant(True), lambda: made)], **more)
        for made in ([1], (1,), [1, 2], {"a": 1})
        for more in ({}, {"default": lambda: [2]}, {"strict": True})
    ),
]
CONDITIONS: list[Run] = [
    lambda tf: tf.case([(tf.constant(1) > 5, lambda: 1)]),
    lambda tf: tf.case([(tf.constant(1) > 5, lambda: 1), (tf.constant(2.0) > 4, lambda: 2)]),
    *(
        lambda tf, f=f, y=y: f(tf.constant(True), y)
        for f in (operator.add, operator.sub, operator.pow, operator.lt, operator.mod)
        for y in (1, 1.5)
    ),
    lambda tf: tf.constant("a") * tf.constant(1.0),
    lambda tf: tf.constant("a") - tf.constant("b"),
    lambda tf: tf.constant(1) - tf.constant("b"),
    lambda tf: tf.constant(1).backing_device,
]
SHAPES: list[Run] = [
    lambda tf: tf.broadcast_dynamic_shape(tf.constant([2, 3]), tf.constant([3, 3])),
    lambda tf: tf.broadcast_static_shape(tf.TensorShape(None), tf.TensorShape([2])),
    lambda tf: tf.range(3, 1, 1),
    lambda tf: tf.range(1.0, 3.0, -1.0),
    lambda tf: tf.range(1.5, 3.25, -1.0),
    lambda tf: tf.range(1e10, 3.25, 1.0),
    lambda tf: tf.linspace(0.0, 1.0, 0),
    lambda tf: tf.linspace([0.0], [1.0], -3),
    lambda tf: tf.linspace(0.0, 1.0, -1),
    lambda tf: tf.linspace([0.0, 1.0], [1.0, 2.0], 1, axis=-1),
    lambda tf: tf.one_hot([0, 1], 2, on_value=1.0, off_value=tf.constant(0)),
    lambda tf: tf.concat([1.0, 2.0], 0),
    lambda tf: tf.concat(3.0, 0),
    lambda tf: tf.eye(2, 3, batch_shape=[2]),
    lambda tf: tf.eye(3, 2),
    lambda tf: tf.TensorShape([1, 2, 3])[::2],
    lambda tf: tf.TensorShape([1, 2, 3])[1:],
    lambda tf: tf.TensorShape(None)[1:],
    lambda tf: tf.TensorShape(None)[1:3],
    lambda tf: tf.linalg.band_part(tf.constant([1.0]), 0, 0),
    lambda tf: tf.linalg.lstsq(np.ones((2, 2)), np.ones((2, 1)), fast=False),
    lambda tf: tf.norm(tf.constant([1.0, 4.0]), ord=0.5),
    lambda tf: tf.norm(tf.constant(M), ord=3, axis=[0, 1]),
    lambda tf: tf.linalg.global_norm([]),
    lambda tf: tf.linalg.global_norm([None]),
    lambda tf: tf.clip_by_global_norm([None, tf.constant([3.0, 4.0])], 1.0),
    lambda tf: tf.tensordot(tf.constant(M), tf.constant(M), [[0], [0]]),
    *[
        lambda tf, pair=pair: tf.tensordot(tf.constant(M), tf.constant(M), pair)
        for pair in ([[-2], [0]], [[-1], [-1]], [[-2, -1], [0, -1]], [[0], [-2]])
    ],
    lambda tf: tf.einsum("ij->k", tf.constant(M)),
    lambda tf: tf.einsum("i j", tf.constant(M)),
    lambda tf: tf.einsum("ij,jk->ik->k", tf.constant(M), tf.constant(M)),
    lambda tf: tf.linalg.matvec(tf.constant(M), tf.constant([1.0, 2.0, 3.0], tf.float64)),
    lambda tf: tf.math.confusion_matrix([[0], [1]], [1, 1]),
    lambda tf: tf.math.confusion_matrix([[0, 1], [1, 0]], [[0, 1]]),
    lambda tf: tf.math.reduce_euclidean_norm(tf.constant([3, 4])),
    lambda tf: tf.math.reduce_euclidean_norm(tf.constant([[3, 4], [5, 12]]), 1),
    lambda tf: tf.math.reduce_euclidean_norm(tf.constant([[3, 4], [5, 12]]), 1, keepdims=True),
    lambda tf: tf.constant([1, 2], name="n"),
]
IMAGES: list[Run] = [
    lambda tf: tf.image.crop_and_resize(IMAGE, np.ones((1, 4), "f"), [0], [2]),
    lambda tf: tf.image.crop_and_resize(IMAGE, np.ones((1, 3), "f"), [0], [2, 2]),
    lambda tf: tf.image.non_max_suppression(np.ones((2, 4), "f"), np.ones(3, "f"), 1),
    lambda tf: tf.image.non_max_suppression(np.ones((2, 4), "f"), np.ones((2, 1), "f"), 1),
    lambda tf: tf.image.ssim(np.ones((1, 12, 12, 1), "f"), np.ones((1, 12, 13, 1), "f"), 1.0),
    lambda tf: tf.nn.pool(IMAGE, [2, 2], "AVG", [2, 2], "VALID"),
    lambda tf: tf.nn.conv2d_transpose(
        IMAGE, np.ones((2, 2, 3, 3), "f"), [1, 4, 4, 3], [1, 1, 1, 1]
    ),
    lambda tf: tf.nn.conv2d_transpose(
        IMAGE, np.ones((2, 2, 4, 2), "f"), [1, 4, 4, 3], [1, 1, 1, 1]
    ),
    lambda tf: tf.signal.linear_to_mel_weight_matrix(0),
    lambda tf: tf.signal.linear_to_mel_weight_matrix(-1),
    lambda tf: tf.signal.fft(tf.constant([1, 2])),
    lambda tf: tf.signal.frame(tf.constant([1.0, 2.0]), 1.5, 1),
]
DRAWN: list[Run] = [
    lambda tf: tf.random.categorical(np.zeros((1, 2)), 3, dtype=tf.float32),
    lambda tf: tf.random.categorical(np.zeros((1, 2)), [3]),
    lambda tf: tf.random.categorical(np.zeros(2), 3),
    lambda tf: tf.random.Generator.from_seed(1, alg="other"),
    lambda tf: tf.random.Generator.from_key_counter(1, [0, 0], alg=1).uniform([2]),
    lambda tf: tf.random.Generator.from_key_counter([1, 2], [0, 0], alg=1),
    lambda tf: tf.random.Generator.from_key_counter(1, [0], alg=1),
    lambda tf: tf.random.Generator.from_key_counter(1, [0, 0, 0], alg=1),
    lambda tf: tf.random.Generator.from_key_counter(1, [0, 0], alg=2),
    lambda tf: tf.random.Generator.from_key_counter(1, 0, alg=2),
    lambda tf: tf.random.Generator.from_key_counter(1, [0], alg=2).state,
    lambda tf: tf.random.Generator.from_seed(1).reset_from_key_counter(1, [0]),
]
WATCHED: list[Run] = [
    lambda tf: tf.Variable([1.0, 2.0]).scatter_nd_update([[0], [1]], [5.0, 7.0]),
    lambda tf: tf.Variable([1.0, 2.0]).scatter_nd_sub([[0]], [5.0]),
    lambda tf: tf.Variable([1.0, 2.0]).scatter_nd_max([[0], [1]], [5.0, 1.0]),
    lambda tf: tf.Variable([1.0, 2.0]).scatter_nd_min([[0], [1]], [5.0, 1.0]),
    lambda tf: tf.Variable([1.0, 2.0]).scatter_nd_add([[2]], [5.0]),
    *(
        lambda tf, how=how: getattr(tf.Variable([1.0, 2.0, 4.0]), f"scatter_{how}")(
            tf.IndexedSlices(tf.constant([5.0, 3.0]), tf.constant([0, 2]))
        )
        for how in ("add", "sub", "update", "max", "min", "mul", "div")
    ),
    lambda tf: tf.Variable([1.0]).scatter_add(3.0),
    lambda tf: hash(tf.VariableAggregation.SUM) == hash(tf.VariableAggregation.SUM),
    lambda tf: tf.VariableAggregation.SUM == tf.VariableAggregation.MEAN,
    lambda tf: tf.VariableAggregation.MEAN == tf.VariableAggregation.MEAN,
    lambda tf: hash(tf.VariableSynchronization.AUTO) == hash(tf.VariableSynchronization.AUTO),
    lambda tf: _jacobian_of_nothing(tf),
    lambda tf: _crossed(tf, ends_first="outer"),
    lambda tf: _crossed(tf, ends_first="inner"),
    lambda tf: _ended_twice(tf),
    lambda tf: _hessian_of_a_line(tf),
]


def _crossed(tf: Any, ends_first: str) -> Any:
    """Let one of two tapes end before the other, whichever was opened first."""
    x = tf.Variable(3.0)
    tapes = {name: tf.GradientTape(persistent=True) for name in ("outer", "inner")}
    for tape in tapes.values():
        tape.__enter__()
    y = x * x
    tapes[ends_first].__exit__(None, None, None)
    z = y * x
    tapes["inner" if ends_first == "outer" else "outer"].__exit__(None, None, None)
    return [[tape.gradient(z, x), tape.gradient(y, x)] for tape in tapes.values()]


def _ended_twice(tf: Any) -> Any:
    x = tf.Variable(3.0)
    with tf.GradientTape() as outer, tf.GradientTape() as tape:
        y = x * x * x
        slope = tape.gradient(y, x)
    return outer.gradient(slope, x)


def _jacobian_of_nothing(tf: Any) -> Any:
    x, y = tf.Variable([1.0, 2.0]), tf.Variable([3.0])
    with tf.GradientTape(persistent=True) as tape:
        z = x * 2.0
    none = tf.UnconnectedGradients.ZERO
    return [
        tape.jacobian(z, [x, y]),
        tape.jacobian(z, y, unconnected_gradients=none),
        tape.gradient(z, {"x": x, "y": y}, unconnected_gradients=none),
    ]


def _hessian_of_a_line(tf: Any) -> Any:
    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as outer, tf.GradientTape() as tape:
        y = tf.reduce_sum(3.0 * x)
    with outer:
        slope = tape.gradient(y, x)
    return outer.jacobian(slope, x, unconnected_gradients="zero")


def _data(tf: Any) -> Any:
    return tf.data.Dataset


def _listed(dataset: Any) -> Any:
    return [x.numpy().tolist() for x in dataset]


DATA: list[Run] = [
    lambda tf: _listed(
        _data(tf).from_generator(lambda: iter([1, "a"]), output_types=tf.int32).take(2)
    ),
    lambda tf: _listed(
        _data(tf).from_generator(
            lambda: iter([[1, 2], [3]]), output_signature=tf.TensorSpec([2], tf.int32)
        )
    ),
    lambda tf: repr(_data(tf).range(2).as_numpy_iterator()).partition("(")[0],
    lambda tf: _listed(
        _data(tf).from_tensor_slices([[1], [2]]).padded_batch(2, padded_shapes=[2, 2])
    ),
    lambda tf: _data(tf).range(4).window(2).padded_batch(2),
    lambda tf: _data(tf).from_tensor_slices(([1, 2], [3, 4, 5])),
    lambda tf: _listed(_data(tf).from_tensors(([1, 2], [3, 4, 5])).unbatch()),
    lambda tf: _listed(_data(tf).range(4).window(2).flat_map(lambda w: w)),
    lambda tf: _data(tf).range(4).window(2).map(lambda w: w.cardinality()).get_single_element(),
    lambda tf: [repr(w.element_spec) for w in _data(tf).range(1, 5).map(tf.range).window(2)],
    lambda tf: [
        repr(w.element_spec)
        for w in _data(tf).range(1, 5).map(lambda n: tf.fill([n, 2], n)).window(2, 1)
    ],
    lambda tf: [
        repr(w.element_spec)
        for w in _data(tf)
        .range(200)
        .map(lambda n: tf.cond(n < 100, lambda: tf.zeros([1]), lambda: tf.zeros([2])))
        .window(150)
    ],
    lambda tf: (
        repr(tf.data.experimental.Optional.from_value(1.0).element_spec)
        if hasattr(tf.data.experimental, "Optional")
        else ""
    ),
    lambda tf: repr(tf.data.Options().merge(tf.data.Options()).deterministic),
    lambda tf: tf.data.Options().deterministic,
    lambda tf: tf.data.Options().threading.private_threadpool_size,
]
OBJECTS: list[Run] = [
    lambda tf: _checkpointed(tf),
    lambda tf: tf.TensorArray(tf.float32, 2).identity().size(),
    lambda tf: tf.constant_initializer(3.0).get_config(),
    lambda tf: tf.bfloat16.name,
    lambda tf: [tf.as_dtype("bfloat16") == tf.bfloat16, tf.bfloat16.size, tf.bfloat16.max],
    lambda tf: tf.cast([1.0, 2.5], tf.bfloat16),
    lambda tf: tf.config.set_visible_devices([], "OTHER"),
    lambda tf: tf.io.parse_tensor(b"\xff\xff", tf.float32),
    lambda tf: tf.io.parse_tensor(tf.io.serialize_tensor([1.0, 2.0]), tf.float32),
    lambda tf: tf.strings.unicode_encode([1.0], "UTF-8"),
    lambda tf: tf.strings.unicode_encode(tf.ragged.constant([[104, 105], [33]]), "UTF-8"),
    lambda tf: tf.io.write_file("/nowhere/at/all", "x"),
    lambda tf: tf.io.gfile.listdir("/nowhere/at/all"),
]


def _checkpointed(tf: Any) -> Any:
    step = tf.Variable(5, dtype=tf.int64)
    point = tf.train.Checkpoint(step=step)
    manager = tf.train.CheckpointManager(
        point, "nowhere/at/all", 2, step_counter=step, checkpoint_interval=2
    )
    return [manager.directory, manager.checkpoint is point, manager.latest_checkpoint]


WRITTEN: list[Run] = [
    lambda tf: _summed_up(tf, lambda: tf.summary.experimental.get_step()),
    lambda tf: _summed_up(tf, tf.summary.should_record_summaries),
    lambda tf: tf.summary.create_noop_writer().as_default().__enter__(),
    lambda tf: tf.summary.create_noop_writer().set_as_default(step=3),
    lambda tf: _in_file(tf, lambda: tf.summary.experimental.get_step(), step=3),
    lambda tf: _in_file(tf, lambda: tf.summary.experimental.get_step()),
    lambda tf: _summed_up(tf, lambda: tf.summary.experimental.get_step(), step=3),
    lambda tf: _closed(tf, "as_default"),
    lambda tf: _closed(tf, "set_as_default"),
    lambda tf: _closed(tf, "flush"),
]


def _summed_up(tf: Any, ask: Callable[[], Any], **how: Any) -> Any:
    with tf.summary.create_noop_writer().as_default(**how):
        return ask()


def _in_file(tf: Any, ask: Callable[[], Any], **how: Any) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        with tf.summary.create_file_writer(folder).as_default(**how):
            return ask()


def _closed(tf: Any, name: str) -> Any:
    """Use a writer that was closed."""
    with tempfile.TemporaryDirectory() as folder:
        writer = tf.summary.create_file_writer(folder)
        writer.close()
        try:
            found = getattr(writer, name)()
            return found.__enter__() if hasattr(found, "__enter__") else found
        except RuntimeError as error:
            return str(error).partition("SummaryWriter")[0]


def _specified(tf: Any, x: Any, **how: Any) -> Any:
    """Call a layer that asks for inputs of some kind."""
    layer = tf.keras.layers.Activation("linear", name="own")
    layer.input_spec = tf.keras.layers.InputSpec(**how)
    return layer(tf.constant(x))


SPECIFIED: list[Run] = [
    lambda tf: _specified(tf, [1.0, 2.0], ndim=2),
    lambda tf: _specified(tf, [[1.0, 2.0]], ndim=2),
    lambda tf: _specified(tf, [[1.0, 2.0]], max_ndim=1),
    lambda tf: _specified(tf, [1.0], max_ndim=1),
    lambda tf: _specified(tf, [1.0, 2.0], min_ndim=2),
    lambda tf: _specified(tf, [[1.0, 2.0]], min_ndim=2),
    lambda tf: _specified(tf, [1.0, 2.0], dtype="int32"),
    lambda tf: _specified(tf, [[1.0, 2.0]], axes={-1: 3}),
    lambda tf: _specified(tf, [[1.0, 2.0]], axes={-1: 2, 0: None}),
    lambda tf: _specified(tf, [[1.0, 2.0]], shape=(None, 3)),
    lambda tf: _specified(tf, [[1.0, 2.0]], shape=(None, 2)),
    lambda tf: tf.keras.layers.Reshape((-1, 2)).compute_output_shape((None, 4)),
    lambda tf: tf.keras.layers.Reshape((-1, 2))(tf.zeros([3, 4])),
    lambda tf: tf.keras.layers.Dropout(0.0)(tf.ones([2]), training=True),
    lambda tf: tf.keras.layers.Dropout(0.5)(tf.ones([2]), training=False),
    lambda tf: tf.keras.losses.MeanSquaredError().dtype,
    lambda tf: tf.keras.metrics.Mean().dtype,
    lambda tf: _rate(tf, 0.5),
]


def _rate(tf: Any, value: Any) -> Any:
    """Step twice at a rate that is assigned later."""
    optimizer, x = tf.keras.optimizers.SGD(0.25), tf.Variable(1.0)
    optimizer.learning_rate = value
    for _ in range(2):
        optimizer.apply_gradients([(tf.constant(1.0), x)])
    return x


def _of_table(tf: Any, text: str, **how: Any) -> Any:
    """Read a file of comma-separated values."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "t.csv"
        path.write_text(text, "utf-8")
        rows = tf.data.experimental.make_csv_dataset(
            str(path), 2, num_epochs=1, shuffle=False, **how
        )
        return [{k: v.numpy().tolist() for k, v in row.items()} for row in rows]


TABLES: list[Run] = [
    lambda tf: _of_table(tf, "a,b\n1,2\n3,4\n"),
    lambda tf: _of_table(tf, "a,b\n1,2\n77\n"),
    lambda tf: _of_table(tf, "a,b\n1,2\n", select_columns=["b"]),
    lambda tf: _of_table(tf, "a,b\n1,2\n", select_columns=[1]),
    lambda tf: _of_table(tf, "a,b\n1,2\n", select_columns=["c"]),
    lambda tf: _of_table(tf, "a,b\n1,2\n", select_columns=[5]),
    lambda tf: _of_table(tf, "a,b\n1,2\n", select_columns=["b", "b"]),
    lambda tf: _of_table(tf, "a,b\n1,2\n", select_columns=["b"], column_defaults=[1, 2]),
    lambda tf: _of_table(tf, "a,b\n1,\n", column_defaults=[1.5, 50]),
    lambda tf: _of_table(tf, "a,b\n1,x\n", column_names=["u", "v"], header=False),
    lambda tf: tf.io.decode_csv(["a,,b"], [[""], ["z"], [""]]),
    lambda tf: tf.io.decode_csv(["a,b\n"], [[""], [""]]),
    lambda tf: tf.io.decode_csv(["\r\na,b"], [[""], [""]]),
    lambda tf: tf.io.decode_csv(['a,b"c'], [[""], [""]]),
    lambda tf: tf.train.load_checkpoint("."),
    lambda tf: tf.train.list_variables("."),
]
for _name, _runs in {
    "written": WRITTEN,
    "specified": SPECIFIED,
    "tables": TABLES,
    "distributed": DISTRIBUTED,
    "indices": INDICES,
    "nested": NESTED,
    "conditions": CONDITIONS,
    "shapes": SHAPES,
    "images": IMAGES,
    "drawn": DRAWN,
    "watched": WATCHED,
    "data": DATA,
    "objects": OBJECTS,
}.items():
    TABLE.rows(_name, _runs, says="start")
TABLE.rows(
    "held",
    [
        lambda tf: _data(tf).from_tensors(_data(tf).range(2)).as_numpy_iterator(),
        lambda tf: _listed(_data(tf).range(6).group_by_window(lambda n: "a", lambda k, d: d, 2)),
        lambda tf: tf.data.Options().merge(3),
        lambda tf: _data(tf).from_tensors(()).element_spec,
    ],
    says="type",
)


@TABLE.program
def arrays_to_which_tensors_are_added(tf: Any) -> Any:
    """An operator that assigns makes a tensor of the tensor's dtype, and leaves the array."""
    x = tf.constant([1.0, 2.0])
    array = kept = np.ones(2)
    with tf.GradientTape() as tape:
        tape.watch(x)
        array += x
        array *= x
    whole = np.arange(3)
    whole -= tf.constant([1, 1, 2], tf.int64)
    part = np.zeros(3)
    part[1:] += x
    np.add(kept, x, out=kept)
    return [array, tape.gradient(array, x), kept, whole, part]


TABLE.rows(
    "shape of unknown rank",
    [
        lambda tf: tf.TensorShape(None)[0],
        lambda tf: tf.TensorShape(None)[-1],
        lambda tf: tf.TensorShape(None)[-2:],
        lambda tf: tf.TensorShape(None)[::2],
        lambda tf: list(tf.TensorShape(None)),
        lambda tf: len(tf.TensorShape(None)),
    ],
)


def _tridiagonal(tf: Any, diagonals: Any, rhs: Any, **words: Any) -> Any:
    """Solve for tensors, which TensorFlow asks for."""
    lines = [tf.constant(d) for d in diagonals] if isinstance(diagonals, list) else diagonals
    given = lines if isinstance(lines, list) else tf.constant(lines)
    return tf.linalg.tridiagonal_solve(given, tf.constant(rhs), **words)


DIAGONALS = np.array([[[1.0, 1, 0], [4, 5, 6], [0, 1, 1]]], np.float32)
SIDE = np.array([[1.0, 2.0, 3.0]], np.float32)
TABLE.rows(
    "three diagonals",
    [
        lambda tf: _tridiagonal(tf, DIAGONALS, SIDE),
        lambda tf: _tridiagonal(tf, DIAGONALS, SIDE, transpose_rhs=True),
        lambda tf: _tridiagonal(tf, DIAGONALS[0], SIDE[0], conjugate_rhs=True),
        lambda tf: _tridiagonal(tf, DIAGONALS[0], SIDE, transpose_rhs=True),
        lambda tf: _tridiagonal(
            tf, np.stack([DIAGONALS, 2 * DIAGONALS], 1), np.stack([SIDE, SIDE], 1)
        ),
        lambda tf: _tridiagonal(
            tf,
            [DIAGONALS[:, 0, :2], DIAGONALS[:, 1], DIAGONALS[:, 2, 1:]],
            SIDE,
            diagonals_format="sequence",
        ),
        lambda tf: _tridiagonal(
            tf, 2 * np.eye(3, dtype=np.float32)[None], SIDE, diagonals_format="matrix"
        ),
        lambda tf: _tridiagonal(tf, DIAGONALS, SIDE[0]),
        lambda tf: _tridiagonal(tf, DIAGONALS[0], SIDE[None]),
        lambda tf: _tridiagonal(tf, DIAGONALS[0], SIDE),
        lambda tf: _tridiagonal(tf, DIAGONALS, np.ones((2, 3), np.float32)),
        lambda tf: _tridiagonal(tf, DIAGONALS, np.ones((2, 3, 1), np.float32)),
        lambda tf: _tridiagonal(tf, DIAGONALS, np.ones((1, 4), np.float32)),
    ],
)
TABLE.rows(
    "nothing",
    [
        lambda tf: bool(tf.constant([])),
        lambda tf: bool(tf.zeros([0, 3])),
        lambda tf: not tf.constant([]),
        lambda tf: bool(tf.Variable(tf.zeros([0]))),
        lambda tf: bool(tf.constant([], tf.string)),
        lambda tf: bool(tf.constant([1.0, 2.0])),
        lambda tf: tf.searchsorted(tf.zeros([0]), [1.0, 2.0]),
        lambda tf: tf.searchsorted(tf.zeros([2, 0]), tf.zeros([2, 3]), side="right"),
        lambda tf: tf.searchsorted(tf.zeros([0, 4]), tf.zeros([0, 3])),
        lambda tf: tf.searchsorted(tf.zeros([2, 3]), tf.zeros([2, 0])),
        lambda tf: tf.searchsorted(tf.zeros([2, 3, 0]), tf.zeros([2, 3, 2])),
        lambda tf: tf.searchsorted([[1.0, 2.0]], [1.0, 3.0]),
        lambda tf: tf.searchsorted([[1, 2], [3, 4]], [[[1], [5]]], side="right"),
        lambda tf: tf.searchsorted([[1, 2], [3, 4]], [[1, 5]], side="right"),
        lambda tf: tf.searchsorted([1.0, 2.0], 1.0),
        lambda tf: tf.searchsorted(1.0, [1.0]),
    ],
    says="start",
)
TABLE.rows(
    "streams",
    [
        lambda tf: tf.print("a", output_stream=17),
        lambda tf: tf.print("a", output_stream="here"),
        lambda tf: tf.print("a", output_stream=None),
        lambda tf: tf.print("a", output_stream=20),
    ],
)


@TABLE.program
def what_only_looks_like_a_variable_is_none(tf: Any) -> Any:
    """A module finds variables, and not what has their methods."""

    class Parameter(tf.Module):  # type: ignore[misc,name-defined]  # of the face given
        trainable = True

        def __init__(self) -> None:
            super().__init__()
            self.inner = tf.Variable(2.0)

        def assign(self, value: Any) -> None:
            self.inner.assign(value)

    class Model(tf.Module):  # type: ignore[misc,name-defined]  # of the face given
        def __init__(self) -> None:
            super().__init__()
            self.parameter = Parameter()
            self.fixed = tf.Variable(1.0, trainable=False)

    model = Model()
    kinds = (model.variables, model.trainable_variables, model.non_trainable_variables)
    return [[float(v) for v in found] for found in kinds]


@TABLE.program
def tests_begin_with_one_seed(tf: Any) -> Any:
    """Each test of a case draws the same numbers from Python, NumPy and TensorFlow."""
    drawn = []

    class Case(tf.test.TestCase):  # type: ignore[misc,name-defined]  # of the face given
        def test_a(self) -> None:
            number = np.random.rand()  # noqa: NPY002 - the generator that the case seeds
            drawn.append([random.random(), number, tf.random.uniform([2])])

        test_b = test_a

    python, numpy = random.getstate(), np.random.get_state()  # noqa: NPY002 - the same generator
    for name in ("test_a", "test_b"):
        Case(name).run()
    random.setstate(python)
    np.random.set_state(numpy)  # noqa: NPY002 - the same generator
    return drawn


TABLE.rows(
    "permutations",
    [
        lambda tf, v=v: tf.math.invert_permutation(tf.constant(v, tf.int32))
        for v in ([2, 0, 0], [[0, 1]], [3, 0, 1], [-1, 0], 0, [0], [], [2, 0, 1])
    ],
)
_EPS = 2.0**-52
_NEARLY = [
    [[1.0, 0.0], [0.0, 4 * _EPS]] + [[0.0, 0.0]] * 6,  # beyond a bound of 2, below one of 8
    [[1.0, 0.0], [0.0, 1.5 * _EPS]],
    [[1.0, 0.9], [0.0, 2.5 * _EPS]],  # a pivot of 2.5, a singular value of 1.4 times the largest
    [[1.0, 0.9, 0.0], [0.0, 2.5 * _EPS, 0.0]],
    [[1.0, 2.0], [2.0, 4.0], [3.0, 6.0]],
    [[1.0, 2.0, 3.0], [2.0, 4.0, 6.0]],
    [[0.0, 0.0], [0.0, 0.0]],
    [[np.nan, 1.0], [1.0, 2.0]],
    [[1e-200, 0.0], [0.0, 1e-210]],
    [[[1.0, 0.0], [0.0, 3 * _EPS]], [[1.0, 0.0], [0.0, _EPS]]],
    [[1.0 + 1.0j, 2.0], [2.0 + 2.0j, 4.0]],
]
"""Matrices of full rank or a lower one, by what is taken for zero."""
TABLE.rows(
    "rank of lstsq",
    [
        lambda tf, a=a: tf.linalg.lstsq(np.array(a), np.ones_like(np.array(a)[..., :1]), fast=False)
        for a in _NEARLY
    ],
)
TABLE.rows(
    "norms of several dtypes",
    [
        lambda tf: tf.linalg.global_norm([tf.constant([1.0]), tf.constant([2.0], tf.float64)]),
        lambda tf: tf.clip_by_global_norm([tf.constant([4.0]), tf.ones([1], tf.bfloat16)], 1.0),
        lambda tf: [
            tf.cast(x, tf.float32)
            for x in tf.clip_by_global_norm(
                [tf.constant([-3.0, 0.0]), tf.constant([4.0], tf.bfloat16)], 4.0, tf.constant(5.0)
            )[0]
        ],
    ],
)
TABLE.rows(
    "no elements in another shape",
    [
        lambda tf, old=old, new=new: tf.reshape(np.zeros(old), new).shape
        for old, new in (
            *(([0, 6], new) for new in ([0, -1, 3], [-1, 0], [-1, 0, 5], [0, -1, 5], [2, -1, 4])),
            *(([3, 0, 6], new) for new in ([0, 3, -1], [0, 4, -1], [2, -1, 0], [-1])),
            *(([5, 6], new) for new in ([0, -1], [0, 3], [-1, 4], [-1, 0], [-1, -1], [-2, 5])),
            *(([1], new) for new in ([2**40, 2**40], [2**40, -1, 2**40], [0, 2**40, 2**40])),
            ([0], [2**40, 2**40, 0]),
            ([0, 0], [-1, 3]),
        )
    ],
)
TABLE.rows(
    "too many to count",
    [
        lambda tf: tf.convert_to_tensor(tf.TensorShape([2**31, 2]), tf.int32),
        lambda tf: tf.convert_to_tensor(tf.TensorShape([2**31, 2])),
        lambda tf: tf.unravel_index(tf.constant(5), tf.constant([2**28, 2**28])),
        lambda tf: tf.unravel_index(tf.constant(5, tf.int64), tf.constant([2**62, 3], tf.int64)),
        lambda tf: tf.unravel_index(
            tf.constant(5, tf.int64), tf.constant([2**28, 2**28], tf.int64)
        ),
        lambda tf: tf.range(-1e38, 1.0),
        lambda tf: tf.range(0.0, -1.0, -1e-30),
        lambda tf: tf.range(0.0, np.inf),
        lambda tf: tf.range(0.0, np.nan),
        lambda tf: tf.range(np.nan, 1.0),
        lambda tf: tf.range(0.0, 1.0, np.inf),
        lambda tf: tf.range(0.0, 1.0, np.nan),
        lambda tf: tf.range(-(2**63), 2**63 - 1, 1),
    ],
)
TABLE.rows(
    "updates of nothing",
    [
        lambda tf, p=p, u=u, to=to: tf.scatter_nd(np.zeros(p, np.int32), np.ones(u), to)
        for p, u, to in (
            *(([2, 0], [2, 3], [3]), ([0, 1], [0, 2], [3, 2]), ([2, 0], [2, 0], [0])),
            *(([0], [0], [0]), ([0], [3], [3]), ([2, 1], [2, 0], [3, 0])),
            *(([0, 2], [0], [0, 0]), ([0, 1], [0], [0]), ([0, 3], [0], [2, 2, 0])),
        )
    ],
)


def _chosen(*given: Any, index: Any = 0, **more: Any) -> Run:
    """Give a program that calls one of two functions, of which `given` says the numbers."""
    return lambda tf: tf.switch_case(
        tf.constant(index) if isinstance(index, int) else index, *given, **more
    )


TABLE.rows(
    "numbered functions",
    [
        _chosen([(0, lambda: 1.0), (2, lambda: 2.0)]),
        _chosen([(0, lambda: 1.0), (0, lambda: 2.0)]),
        _chosen({0: lambda: 1.0, -1: lambda: 2.0}),
        _chosen({0: lambda: 1.0, "a": lambda: 2.0}),
        _chosen({0: lambda: 1.0, 1: 3}),
        _chosen([(0, lambda: 1.0), (1, lambda: 2.0), 3]),
        _chosen([("0", lambda: 1.0)]),
        _chosen([]),
        _chosen({}),
        _chosen(3),
        _chosen([lambda: 1.0, lambda: 2.0], index=1),
        _chosen(((1, lambda: 1.0), (0, lambda: 2.0)), index=7),
        _chosen({1: lambda: 1.0, 0: lambda: 2.0}, index=7, default=lambda: 3.0),
        _chosen([lambda: 1.0], index="a"),
        _chosen([lambda: 1.0], index=np.float32(1.0)),
        lambda tf: tf.switch_case(tf.constant(0.0), [lambda: 1.0]),
        lambda tf: tf.switch_case(tf.constant(1, tf.int64), [lambda: 1.0, lambda: 2.0]),
    ],
)
TABLE.rows(
    "a norm for each row",
    [
        lambda tf: tf.clip_by_norm(tf.constant(M), [[2.0], [9.0]], axes=[1]),
        lambda tf: tf.clip_by_norm(tf.constant(M), tf.constant([1.0, 2.0, 3.0]), axes=[0]),
        lambda tf: tf.clip_by_norm(tf.ones([2, 3, 1]), tf.constant([1.0, 2.0])),
        lambda tf: tf.clip_by_norm(tf.ones([]), tf.constant([1.0, 2.0])),
        lambda tf: tf.clip_by_norm(tf.ones([2]), tf.constant([1.0, 2.0, 3.0])),
    ],
)


def _many(tf: Any) -> Any:
    return tf.ones([20, 50], tf.bfloat16)


TABLE.rows(
    "many of few digits",
    [
        lambda tf, run=run: tf.cast(run(tf, _many(tf)), tf.float32)
        for run in (
            lambda tf, x: tf.reduce_sum(x),
            lambda tf, x: tf.reduce_sum(x, 0),
            lambda tf, x: tf.reduce_mean(x),
            lambda tf, x: tf.nn.l2_loss(x),
            lambda tf, x: tf.reduce_logsumexp(x),
            lambda tf, x: tf.math.reduce_variance(x * x[:, :1]),
            lambda tf, x: tf.einsum("ij,kl->ik", x, x)[0],
            lambda tf, x: tf.math.reduce_euclidean_norm(x),
            lambda tf, x: tf.nn.softmax(tf.reshape(x, [-1]))[:2],
            lambda tf, x: tf.cumsum(tf.reshape(x, [-1]))[-1],
        )
    ],
)
TABLE.rows(
    "products of few digits",
    [
        lambda tf: tf.tensordot(_many(tf), _many(tf), 2).dtype.name,
        lambda tf: tf.tensordot(_many(tf)[0], _many(tf)[1], 1).dtype.name,
        lambda tf: tf.tensordot(_many(tf), tf.ones([50, 1]), 1).dtype.name,
    ],
)


TABLE.rows(
    "no list of axes",
    [
        lambda tf, perm=perm: tf.transpose([[1, 2]], perm)
        for perm in ([[0]], [[0], [1]], [[0, 1]], [[1, 0]], 0)
    ],
)
TABLE.rows(
    "places and lengths",
    [
        lambda tf, texts=texts, at=at, n=n: tf.strings.substr(texts, at, n)
        for texts, at, n in (
            *(("abc", [1, 2], 1), ("abc", 1, [1]), (["abc"], [1], 1), ("abc", [1, 2], [1, 1])),
            *((["abc", "de"], 1, [1]), (["ab", "cd"], [[0, 1], [1, 0]], [[1, 1], [1, 1]])),
        )
    ],
)
TABLE.rows(
    "complex numbers as texts",
    [
        lambda tf, how=how: tf.as_string(tf.constant([1 + 2j, -0.5 + 1e10j], tf.complex64), **how)
        for how in (
            *({}, {"width": 8}, {"width": 8, "fill": "0"}, {"width": 9, "precision": 3}),
            *({"width": 8, "fill": "-"}, {"shortest": True, "width": 3, "fill": "0"}),
            *({"scientific": True, "precision": 1}, {"width": 8, "fill": " "}),
        )
    ],
)


def _narrow(tf: Any, *kinds: str, offset: bool = True) -> Any:
    """Normalize numbers by others, each of a dtype of its own."""
    x, mean, variance, scale = (
        tf.constant([[value, 2.0]], kind)
        for value, kind in zip((3.0, 1.0, 4.0, 2.0), kinds[:-1], strict=True)
    )
    moved = tf.constant([0.5], kinds[-1]) if offset else None
    return tf.nn.batch_normalization(x, mean, variance, moved, scale, 1e-3)


_HALF, _SINGLE = "float16", "float32"
TABLE.rows(
    "normalized in another dtype",
    [
        lambda tf: _narrow(tf, _HALF, _SINGLE, _SINGLE, _SINGLE, _SINGLE),
        lambda tf: _narrow(tf, _HALF, _SINGLE, _SINGLE, _SINGLE, _SINGLE, offset=False),
        lambda tf: _narrow(tf, _SINGLE, _HALF, _HALF, _HALF, _HALF),
        lambda tf: _narrow(tf, _HALF, _HALF, _HALF, _HALF, _HALF),
    ],
)


class _OfArray:
    def __init__(self, array):
        self.own = array

    def __array__(self, dtype=None, copy=None):
        return self.own


class _OfInterface:
    def __init__(self, array):
        self.own = array

    @property
    def __array_interface__(self):
        return self.own.__array_interface__


ARRAYS = [np.array([1.0, 2.0]), np.array([[1, 2]]), np.array(["a"]), np.float32(3), np.array(True)]


def _adds(array, way):
    """Leave out sums of texts, whose errors are of other kinds."""
    return array.dtype.kind == "f" or way is not WAYS[2]


WAYS: list[Callable[[Any, Any], Any]] = [
    lambda tf, x: tf.constant(x),
    lambda tf, x: tf.convert_to_tensor(x, tf.float32),
    lambda tf, x: tf.constant(1.0) + x,
]
for _kind in (_OfArray, _OfInterface):
    TABLE.rows(
        f"arrays by protocol, {_kind.__name__[3:]}",
        [lambda tf, w=w, k=_kind, a=a: w(tf, k(a)) for a in ARRAYS for w in WAYS if _adds(a, w)],
    )

TABLE.rows(
    "products without elements",
    [
        lambda tf: tf.matmul(tf.zeros([2, 0, 0]), tf.zeros([2, 0, 3])),
        lambda tf: tf.matmul(tf.zeros([0, 3, 0]), tf.zeros([0, 0, 4])),
        lambda tf: tf.matmul(tf.zeros([2, 3, 0]), tf.zeros([2, 0, 4])),
        lambda tf: tf.einsum("bij,bjk->bik", tf.zeros([0, 3, 0]), tf.zeros([0, 0, 4])),
        lambda tf: tf.einsum("bij,bjk,bk->bi", *map(tf.zeros, ([2, 3, 0], [2, 0, 4], [2, 4]))),
    ],
)
