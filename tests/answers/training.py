"""What training code uses beside operations: arrays of tensors, functions, averages, strategies."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.answers.answer import Table

TABLE = Table("training")


def _slopes(tf: Any, f: Callable[..., Any], *numbers: Any) -> Any:
    """Differentiate a function at a point."""
    xs = [tf.constant(x) for x in numbers]
    with tf.GradientTape() as tape:
        tape.watch(xs)
        y = f(*xs)
    return y, tape.gradient(y, xs)


# --- tf.TensorArray -------------------------------------------------------------------------------

WRITTEN: list[Callable[[Any], Any]] = [
    lambda f: f(2).read(0),
    lambda f: f(2).stack(),
    lambda f: f(0).stack(),
    lambda f: f(0, element_shape=[2]).stack(),
    lambda f: f(2, element_shape=[2]).stack(),
    lambda f: f(2, element_shape=[None]).stack(),
    lambda f: f(2).write(0, [1, 2]).stack(),
    lambda f: f(2).write(0, [1, 2]).write(1, [1]).stack(),
    lambda f: f(2, infer_shape=False).write(0, [1, 2]).write(1, [1]).concat(),
    lambda f: f(2, infer_shape=False).write(0, [1, 2]).read(1),
    lambda f: f(1).write(0, np.array([1])).stack(),
    lambda f: f(2).write(0, 1.5).concat(),
    lambda f: f(1).write(0, 1.5).concat(),
    lambda f: f(2).unstack([1, 2, 3]),
    lambda f: f(2).unstack([1, 2]).stack(),
    lambda f: f(2).unstack(np.array([1, 2])).stack(),
    lambda f: f(3).unstack([1.0, 2]).size(),
    lambda f: f(5).scatter([3, 1], [1.0, 2]).stack(),
    lambda f: f(5).scatter([3, 1], [1, 2]).stack(),
    lambda f: f(5).scatter([3, 7], [1.0, 2]).stack(),
    lambda f: f(5).scatter([3, 4], [1.0, 2, 3]).stack(),
    lambda f: f(2).split([1.0, 2, 3], [1, 2]).read(1),
    lambda f: f(2).split([1.0, 2, 3], [1, 1]).read(1),
    lambda f: f(1).split([1.0, 2, 3], [1, 2]).read(1),
    lambda f: f(1).split(1.0, [1, 2]).read(1),
    lambda f: f(1).split([1.0], 1).read(1),
    lambda f: f(1).split(np.array([1]), [1]).read(0),
    lambda f: f(1).gather([0]),
    lambda f: f(2).unstack([1.0, 2]).gather([1, 0, 0]),
    lambda f: f(2).unstack([1.0, 2]).gather([1, 0, 5]),
    lambda f: f(2).unstack([1.0, 2]).gather([]),
    lambda f: f(),
    lambda f: f(handle=3),
    lambda f: f(-1).size(),
    lambda f: f(np.array(2)).size(),
    lambda f: f(2).dtype.name,
    lambda f: f(2).read(-1),
    lambda f: f(2).read(2),
    lambda f: f(2).write(2, 1.0),
    lambda f: f(2).write(-2, 1.0),
    lambda f: f(2).write(1.0, 2.0),
    lambda f: f(2).grad("x"),
    lambda f: f(2).close(),
    lambda f: f(1, dynamic_size=True).write(3, 1.0).stack(),
]
TABLE.rows(
    "an array of tensors",
    [
        lambda tf, run=run: run(lambda *given, **how: tf.TensorArray(tf.float32, *given, **how))
        for run in WRITTEN
    ],
)


@TABLE.program
def a_place_that_is_read_twice(tf):
    array = tf.TensorArray(tf.float32, 2).unstack([1.0, 2.0])
    array.read(0)
    return array.read(0)


@TABLE.program
def a_place_that_is_kept_when_it_is_read(tf):
    array = tf.TensorArray(tf.float32, 2, clear_after_read=False).unstack([1.0, 2.0])
    array.read(0)
    shape = str(array.element_shape)
    return array.read(tf.constant(0)), shape, array.flow, array.handle, array.dynamic_size


@TABLE.program
def an_array_of_what_was_read(tf):
    array = tf.TensorArray(tf.float32, 2).unstack([1.0, 2.0])
    array.read(0)
    return array.stack()


@TABLE.program
def an_array_in_a_loop(tf):
    def powers(x):
        start = tf.constant(0), tf.TensorArray(tf.float32, 0, dynamic_size=True), tf.constant(1.0)
        _, array, _ = tf.while_loop(
            lambda i, array, last: i < 4,
            lambda i, array, last: (i + 1, array.write(i, last * x), last * x),
            start,
        )
        return tf.reduce_sum(array.stack())

    return _slopes(tf, powers, 2.0)


@TABLE.program
def derivatives_through_an_array(tf):
    def f(x, y):
        array = tf.TensorArray(tf.float32, 3).unstack(x)
        array = array.write(1, y * array.read(0)).write(0, array.read(2) ** 2)
        pieces = tf.TensorArray(tf.float32, 2, infer_shape=False).split(x * y, [1, 2])
        return tf.reduce_sum(array.gather([0, 1, 1]) ** 2) + tf.reduce_prod(pieces.concat())

    return _slopes(tf, f, [1.0, 2.0, 3.0], 0.5)


# --- functions of Python, and tf.function ---------------------------------------------------------

CALLED: list[Callable[[Any], Any]] = [
    lambda tf: _slopes(tf, lambda x: tf.py_function(lambda v: v * v, [x], tf.float32), 3.0),
    lambda tf: _slopes(tf, lambda x: tf.py_function(lambda v: v.numpy(), [x], tf.float32), 3.0),
    lambda tf: _slopes(
        tf, lambda x, y: tf.py_function(lambda v, w: v * 3, [x, y], tf.float32), 3.0, 4.0
    ),
    lambda tf: _slopes(
        tf, lambda x: tf.py_function(lambda v: [v, v * v], [x], [tf.float32] * 2), 3.0
    ),
    lambda tf: _slopes(tf, lambda x: tf.py_function(tf.floor, [x], tf.float32), 3.5),
    lambda tf: tf.py_function(lambda: None, [], []),
    lambda tf: tf.py_function(lambda v: [v], [3.0], tf.float32),
    lambda tf: tf.py_function(lambda v: (v, v), [3.0], [tf.float32]),
    lambda tf: tf.py_function(func=None, inp=[3.0], Tout=tf.float32),
    lambda tf: tf.py_function(Tout=tf.float32)(lambda v: v * 2)(3.0),
    lambda tf: tf.numpy_function(lambda v: v + 1, [3.0], tf.float32),
    lambda tf: tf.numpy_function(lambda v: type(v).__name__, [3.0], tf.string).numpy().decode(),
    lambda tf: tf.numpy_function(lambda v: [v, v], [3.0], [tf.float32] * 2),
    lambda tf: tf.numpy_function(lambda v: None, [3.0], tf.float32),
    lambda tf: tf.numpy_function(lambda v: 3, [3.0], tf.int64),
    lambda tf: tf.numpy_function(lambda v: 1 / 0, [3.0], tf.float32),
    lambda tf: tf.numpy_function(inp=[3.0], Tout=tf.float32),
    lambda tf: tf.numpy_function(Tout=tf.float32)(lambda v: v * 2)(3.0),
    lambda tf: _slopes(tf, lambda x: tf.numpy_function(np.square, [x], tf.float32), 3.0),
    lambda tf: tf.function(lambda: (3, 4.5, [1], {"a": 2}, None, True, np.float64(2)))(),
    lambda tf: tf.function(lambda x: x)(np.float32(3)),
    lambda tf: tf.function(lambda x: x)([1.0, 2]),
    lambda tf: tf.function(lambda x: hasattr(x, "graph_or") or type(x).__name__ == "int")(2),
    lambda tf: tf.function(lambda x: tf.is_tensor(x[0]))([np.ones(2)]),
    lambda tf: tf.function(lambda: tf.Variable)(),
    lambda tf: _signed(tf)([1, 2]),
    lambda tf: _signed(tf)(np.array([1.0, 2.0])),
    lambda tf: _signed(tf)(x=[1, 2]),
]
TABLE.rows("a function", CALLED[:-4])
TABLE.rows("a function with a signature", CALLED[-3:])
for _name, _run in {
    "what a py_function raises of its values": lambda tf: tf.py_function(
        lambda v: int("x"), [3.0], tf.float32
    ),
    "what a py_function raises of its types": lambda tf: tf.py_function(
        lambda v: [] + 1, [3.0], tf.float32
    ),
    "what a py_function raises of keys": lambda tf: tf.py_function(
        lambda v: {}["a"], [3.0], tf.float32
    ),
    "another dtype than a py_function says": lambda tf: tf.py_function(
        lambda v: v, [3.0], tf.int32
    ),
    "an object that a function gives": lambda tf: tf.function(lambda: object())(),
    "a dtype that a function gives": lambda tf: tf.function(lambda: tf.float32)(),
    "arguments of another rank than signed": lambda tf: _signed(tf)([[1, 2]]),
    "arguments of another dtype than signed": lambda tf: _signed(tf)(tf.constant([1])),
    "no arguments where one is signed": lambda tf: _signed(tf)(),
}.items():
    TABLE.add(_name, _run, says="type")


def _signed(tf: Any) -> Any:
    return tf.function(lambda x: x, input_signature=[tf.TensorSpec([None], tf.float32)])


# --- division towards 0, averages, first values ---------------------------------------------------

PAIRS = [([7, -7, 7, -2147483648], [2, 2, -3, 3]), ([7.5, -7.5, -0.5, 6.0], [2.0, 2.0, 2.0, -3.0])]
TABLE.rows(
    "division towards 0",
    [
        *(lambda tf, p=pair: tf.truncatediv(*p) for pair in PAIRS),
        *(lambda tf, p=pair: tf.truncatemod(*p) for pair in PAIRS),
        lambda tf: tf.truncatediv([np.inf, 1.0, 0.0], [2.0, 0.0, 0.0]),
        lambda tf: tf.truncatediv(7, 0),
        lambda tf: tf.truncatemod(7, 0),
        lambda tf: tf.truncatediv(np.array([200, 7], np.uint8), np.array([3, 2], np.uint8)),
        lambda tf: tf.truncatemod(np.array([7], np.int8), np.array([2], np.int8)),
        lambda tf: tf.truncatediv(tf.constant(7), tf.constant(2.0)),
        lambda tf: _slopes(tf, tf.truncatediv, 7.5, -2.0),
    ],
)
TABLE.add("division of complex numbers", lambda tf: tf.truncatediv(1j, 2j), says="type")

AVERAGED: list[Callable[[Any], Any]] = [
    lambda m: m.compute_average_loss([1.0, 2.0, 3.0]),
    lambda m: m.compute_average_loss([1.0, 2.0, 3.0], global_batch_size=6),
    lambda m: m.compute_average_loss([1.0, 2.0, 3.0], sample_weight=[1.0, 0.0, 2.0]),
    lambda m: m.compute_average_loss([[1.0, 2.0], [3.0, 4.0]], sample_weight=[1.0, 2.0]),
    lambda m: m.compute_average_loss([[1.0, 2.0], [3.0, 4.0]], sample_weight=[[1.0], [2.0]]),
    lambda m: m.compute_average_loss([1.0, 2.0], sample_weight=[[1.0], [2.0]]),
    lambda m: m.compute_average_loss(np.array([1.0, 2.0]), sample_weight=3.0),
    lambda m: m.compute_average_loss(1.0),
    lambda m: m.compute_average_loss([1.0, 2.0], global_batch_size=2.0),
    lambda m: m.compute_average_loss([1.0, 2.0], global_batch_size=-2),
    lambda m: m.compute_average_loss([1.0, 2.0], global_batch_size=0),
    lambda m: m.compute_average_loss([1.0, 2.0], global_batch_size=[2]),
    lambda m: m.compute_average_loss([1, 2]),
    lambda m: m.compute_average_loss(np.zeros((0,), np.float32)),
    lambda m: m.compute_average_loss([1.0, 2.0], sample_weight=[1.0, 2.0, 3.0]),
    lambda m: m.scale_regularization_loss([1.0, 2.0]),
    lambda m: m.scale_regularization_loss(3.0),
    lambda m: m.scale_regularization_loss([1, 2]),
]
TABLE.rows("an average", [lambda tf, run=run: run(tf.nn) for run in AVERAGED])

STARTED: list[Callable[[Any], Any]] = [
    lambda tf: tf.random_normal_initializer(seed=3)([2]),
    lambda tf: tf.random_normal_initializer(1.0, 2.0, seed=3)([2], dtype=tf.float64),
    lambda tf: tf.random_uniform_initializer(seed=3)([2]),
    lambda tf: tf.random_uniform_initializer(0, 10, seed=3)([2], dtype=tf.int32),
    lambda tf: (tf.random.set_seed(2), tf.random_normal_initializer()([2]))[1],
    lambda tf: (tf.random.set_seed(2), tf.random_uniform_initializer()([2]))[1],
    lambda tf: tf.random_normal_initializer()([2], dtype=tf.int32),
    lambda tf: tf.random_uniform_initializer()([2], tf.bool),
    lambda tf: tf.zeros_initializer()([2, 1]),
    lambda tf: tf.zeros_initializer()([2], dtype=tf.string),
    lambda tf: tf.ones_initializer()([3], tf.int32, partition_shape=[1], partition_offset=[0]),
    lambda tf: tf.ones_initializer()([3], foo=1),
    lambda tf: tf.constant_initializer([1, 2])([2, 1]),
    lambda tf: tf.constant_initializer([1, 2])([3]),
    lambda tf: tf.constant_initializer(tf.constant(2.0)).__class__,
    lambda tf: tf.constant_initializer(2)([2], dtype=tf.float32),
    lambda tf: tf.constant_initializer(2.5)([2], dtype=tf.int32),
    lambda tf: tf.constant_initializer(2.0)([2], tf.float32, partition_shape=[1]),
    lambda tf: tf.random_normal_initializer(seed=3).get_config(),
    lambda tf: tf.random_uniform_initializer.from_config({"minval": 1, "seed": 2})([1]),
    lambda tf: type(tf.zeros_initializer()).__name__,
]
TABLE.rows("a first value", STARTED)


# --- gradients that are sums of rows --------------------------------------------------------------

WEIGHTS = [[1.0, 2.0], [3.0, 4.0], [-2.0, 7.0]]


def _rows(tf: Any, w: Any, *, more: bool = False, dense: bool = False) -> Any:
    """Differentiate by what was gathered, one row twice."""
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(tf.gather(w, [0, 2, 0]) * WEIGHTS)
        y += tf.reduce_sum(tf.nn.embedding_lookup(w, [[0], [1]])) if more else 0.0
        y += tf.reduce_sum(w * w) if dense else 0.0
    return tape.gradient(y, w)


def _table(tf: Any) -> Any:
    return tf.Variable([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])


def _parts(tf: Any, g: Any) -> Any:
    """Give what a gradient has of rows, or None for a dense one."""
    if not isinstance(g, tf.IndexedSlices):
        return None
    return g.values, g.indices, g.dense_shape, tf.convert_to_tensor(g), list(g.shape)


SLICED: list[Callable[[Any], Any]] = [
    lambda tf: _parts(tf, _rows(tf, _table(tf))),
    lambda tf: _parts(tf, _rows(tf, _table(tf), dense=True)),
    lambda tf: _rows(tf, _table(tf), dense=True),
    lambda tf: _parts(tf, -_rows(tf, _table(tf))),
    lambda tf: _parts(tf, tf.identity(_rows(tf, _table(tf)))),
    lambda tf: _parts(tf, tf.cast(_rows(tf, _table(tf)), tf.float64)),
    lambda tf: _parts(tf, tf.scalar_mul(0.5, _rows(tf, _table(tf)))),
    lambda tf: tf.scalar_mul(2.0, tf.IndexedSlices(tf.ones([1, 2]), tf.constant([1]))).values,
    lambda tf: tf.convert_to_tensor(_rows(tf, _table(tf), more=True)),
    lambda tf: tf.norm(_rows(tf, _table(tf))),
    lambda tf: tf.square(_rows(tf, _table(tf))),
    lambda tf: tf.add_n([_rows(tf, _table(tf))] * 2),
    lambda tf: tf.linalg.global_norm([_rows(tf, _table(tf))]),
    lambda tf: tf.linalg.global_norm([_rows(tf, _table(tf), more=True), tf.constant([2.0])]),
    lambda tf: tf.linalg.global_norm([_rows(tf, _table(tf), dense=True)]),
    lambda tf: _parts(tf, tf.clip_by_norm(_rows(tf, _table(tf)), 1.0)),
    lambda tf: _parts(tf, tf.clip_by_value(_rows(tf, _table(tf)), -1.0, 1.5)),
    lambda tf: _parts(tf, tf.clip_by_global_norm([_rows(tf, _table(tf))], 1.0)[0][0]),
    lambda tf: _parts(
        tf, tf.IndexedSlices(tf.ones([2, 1]), tf.constant([2, 2]), tf.constant([3, 1]))
    ),
    lambda tf: isinstance(tf.constant(1.0), tf.IndexedSlices),
]
TABLE.rows("a sum of rows", SLICED)

TAKEN: dict[str, Callable[[Any, Any], Any]] = {
    "along another axis": lambda tf, x: tf.gather(x, [0, 1, 0], axis=1),
    "of a batch": lambda tf, x: tf.gather(x, [[0], [1], [0]], batch_dims=1),
    "of a product": lambda tf, x: tf.gather(x * 2, [0, 0]),
    "of one row": lambda tf, x: tf.gather(x, 1),
    "of rows of rows": lambda tf, x: tf.gather(tf.gather(x, [0, 1, 0]), [0, 0, 1]),
    "twice": lambda tf, x: tf.gather(x, [0]) + tf.gather(x, [1]),
    "by many axes": lambda tf, x: tf.gather_nd(x, [[0], [0]]),
    "by many axes, of elements": lambda tf, x: tf.gather_nd(x, [[0, 1], [0, 1]]),
    "by a mask": lambda tf, x: tf.boolean_mask(x, [True, False, True]),
    "by repetition": lambda tf, x: tf.repeat(x, [2, 0, 1], axis=0),
    "by an index": lambda tf, x: x[1],
    "of a transposed one": lambda tf, x: tf.gather(tf.transpose(x), [0, 0]),
    "of an embedding": lambda tf, x: tf.nn.embedding_lookup(x, [[0, 1], [0, 2]]),
    "by the order": lambda tf, x: tf.sort(x[:, 0]),
}
for _name, _take in TAKEN.items():

    def _taken(tf, take=_take):
        x = _table(tf)
        with tf.GradientTape() as tape:
            y = take(tf, x)
        return _parts(tf, tape.gradient(y, x))

    TABLE.add(f"rows {_name}", _taken)


@TABLE.program
def a_derivative_through_rows(tf):
    x = tf.constant([1.0, 2.0, 3.0])
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.reduce_sum(tf.gather(x, [0, 2, 0]) ** 3)
        rows = tape.gradient(y, x)
        norm = tf.reduce_sum(rows.values**2)
    return tf.convert_to_tensor(outer.gradient(norm, x))


OPTIMIZERS = {
    "Adam": {},
    "Adam that never forgets": {"amsgrad": True},
    "Adam of short gradients": {"clipnorm": 1.0},
    "AdamW": {},
    "RMSprop": {},
    "RMSprop with everything": {"momentum": 0.5, "centered": True},
    "Adagrad": {},
    "SGD": {},
    "SGD with momentum": {"momentum": 0.9, "nesterov": True},
    "SGD of short gradients": {"clipnorm": 1.0},
    "SGD of gradients that are short together": {"global_clipnorm": 1.0},
    "SGD of small gradients": {"clipvalue": 1.5},
}
for _name, _options in OPTIMIZERS.items():

    def _moved(tf, name=_name, options=_options):
        w = _table(tf)
        optimizer = getattr(tf.keras.optimizers, name.partition(" ")[0])(0.1, **options)
        for _ in range(3):
            optimizer.apply_gradients([(_rows(tf, w), w)])
        return tf.identity(w)

    TABLE.add(f"rows that {_name} sees", _moved)


# --- strategies with one replica ------------------------------------------------------------------


def _told(tf: Any) -> list[Any]:
    m = tf.distribute
    replica = m.get_replica_context()
    return [m.has_strategy(), m.in_cross_replica_context(), replica is None]


STRATEGIES: list[Callable[[Any, Any], Any]] = [
    lambda tf, m: m.num_replicas_in_sync,
    lambda tf, m: m.run(lambda x, y=2: x + y, args=(tf.constant(3.0),), kwargs={"y": 4.0}),
    lambda tf, m: m.run(lambda: _told(tf)),
    lambda tf, m: m.run(lambda: tf.nn.compute_average_loss([1.0, 2.0])),
    lambda tf, m: m.run(
        lambda x: tf.distribute.get_replica_context().all_reduce("sum", x), (tf.constant(3.0),)
    ),
    lambda tf, m: m.run(lambda: int(tf.distribute.get_replica_context().replica_id_in_sync_group)),
    lambda tf, m: m.reduce("sum", tf.constant([1.0, 2.0]), axis=None),
    lambda tf, m: m.reduce("SUM", tf.constant([1.0, 2.0]), axis=0),
    lambda tf, m: m.reduce(tf.distribute.ReduceOp.MEAN, tf.constant([1.0, 2.0]), axis=0),
    lambda tf, m: m.reduce("max", tf.constant([1.0, 2.0]), None),
    lambda tf, m: m.experimental_local_results(tf.constant(1.0)),
    lambda tf, m: m.gather(tf.constant([1.0, 2.0]), axis=0),
    lambda tf, m: str(tf.distribute.ReduceOp.SUM),
]


def _of_strategies(kind: str, make: Callable[[Any], Any]) -> None:
    runs = [lambda tf, run=run: run(tf, make(tf)) for run in STRATEGIES]
    TABLE.rows(f"the {kind} strategy", runs)

    def in_scope(tf):
        with make(tf).scope():
            return [*_told(tf), tf.distribute.get_strategy().num_replicas_in_sync]

    def average_in_scope(tf):
        with make(tf).scope():
            return tf.nn.compute_average_loss([1.0, 2.0])

    TABLE.add(f"the scope of the {kind} strategy", in_scope)
    TABLE.add(f"an average in the scope of the {kind} strategy", average_in_scope)


_of_strategies("default", lambda tf: tf.distribute.get_strategy())
_of_strategies("mirrored", lambda tf: tf.distribute.MirroredStrategy(["/cpu:0"]))
_of_strategies("one device", lambda tf: tf.distribute.OneDeviceStrategy("/cpu:0"))


@TABLE.program
def a_training_step_of_a_strategy(tf):
    strategy = tf.distribute.MirroredStrategy(["/cpu:0"])
    with strategy.scope():
        w = tf.Variable(2.0)

    def step(x):
        with tf.GradientTape() as tape:
            loss = tf.nn.compute_average_loss((w * x - 1.0) ** 2, global_batch_size=2)
        w.assign_sub(0.1 * tape.gradient(loss, w))
        return loss

    loss = strategy.reduce("sum", strategy.run(step, args=(tf.constant([1.0, 3.0]),)), axis=None)
    return loss, tf.identity(w)


TABLE.add(
    "scopes of two strategies",
    lambda tf: tf.distribute.MirroredStrategy(["/cpu:0"]).run(
        lambda: tf.distribute.OneDeviceStrategy("/cpu:0").scope().__enter__()
    ),
    says="type",
)


# --- running means --------------------------------------------------------------------------------


@TABLE.program
def averages(tf: Any) -> Any:
    """Shadows begin with a variable's value, and follow it by the decay in single precision."""
    kept = [tf.train.ExponentialMovingAverage(0.9), tf.train.ExponentialMovingAverage(0.99, 3)]
    v, w = tf.Variable([1.0, 2.0], name="v"), tf.Variable(3.0, dtype=tf.float64)
    told = [kept[0].name, kept[0].average(v), kept[0].average_name(v)]
    for value in (1.0, 5.0, -2.0):
        v.assign([value, 2 * value])
        w.assign(value)
        told += [k.apply([v, w]) for k in kept]
    shadows = [k.average(x) for k in kept for x in (v, w)]
    return told, shadows, [s.trainable for s in shadows]


@TABLE.program
def averages_and_tapes(tf: Any) -> Any:
    """A tape around the moves sees a shadow that is read, as a variable that is not trained."""
    v, kept = tf.Variable(2.0), tf.train.ExponentialMovingAverage(0.5)
    with tf.GradientTape(persistent=True) as tape:
        y = v * v
        kept.apply([v])
        z = kept.average(v) * v
    return tape.gradient(y, v), tape.gradient(z, v), tape.gradient(z, kept.average(v))


AVERAGED: list[Callable[[Any], Any]] = [
    lambda k, tf: k(0.9).apply(),
    lambda k, tf: k(0.9).apply([tf.Variable(1)]),
    lambda k, tf: k(0.9).apply(tf.Variable([1.0, 2.0])),
    lambda k, tf: k(0.9).apply([tf.constant(1.0)]),
    lambda k, tf: k(0.9).average(tf.constant(1.0)),
    lambda k, tf: k(0.9, name="E").average_name(tf.Variable(1.0, name="w")),
]
TABLE.rows("averaged", [lambda tf, f=f: f(tf.train.ExponentialMovingAverage, tf) for f in AVERAGED])
