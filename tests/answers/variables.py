"""`tf.Variable`: rows and elements that are put at their places, and what a variable tells."""

from __future__ import annotations

import copy
import operator
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

from tests.answers.answer import Table

TABLE = Table("variables")

Run = Callable[[Any], Any]

ROWS = ("add", "sub", "update", "min", "max", "mul", "div")
ELEMENTS = ("add", "sub", "update", "min", "max")


def table(tf: Any) -> Any:
    """Make a variable of three rows."""
    return tf.Variable([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], name="v")


def rows(tf: Any, places: Any, values: Any, **more: Any) -> Any:
    """Make slices."""
    return tf.IndexedSlices(tf.constant(values), tf.constant(places), **more)


def left(variable: Any, found: Any) -> list[Any]:
    """Give what a method gave, how that is printed, and what the variable is then."""
    return [found, repr(found), variable]


def scattered(method: str, *slices: Any) -> Run:
    """Scatter rows into a table."""

    def run(tf: Any) -> Any:
        v = table(tf)
        return left(v, getattr(v, method)(rows(tf, *slices)))

    return run


for _how in ROWS:
    _name = f"scatter_{_how}"
    TABLE.add(_name, scattered(_name, [0, 2], [[10.0, 20.0], [0.5, 40.0]]))
    TABLE.add(f"{_name} twice", scattered(_name, [1, 1], [[10.0, 2.0], [3.0, 40.0]]))
    TABLE.add(f"{_name} of one row", scattered(_name, [1], [[2.0, 4.0]]))
    TABLE.add(f"{_name} at a scalar", scattered(_name, 1, [2.0, 4.0]))
    TABLE.add(f"{_name} of none", scattered(_name, [1, 2], 7.0))
    TABLE.add(f"{_name} outside", scattered(_name, [3], [[2.0, 4.0]]))
    TABLE.add(f"{_name} before", scattered(_name, [-1], [[2.0, 4.0]]))
    TABLE.add(f"{_name} of another dtype", scattered(_name, [1], [[2, 4]]))
    TABLE.add(f"{_name} of a tensor", lambda tf, n=_name: getattr(table(tf), n)(tf.constant(1.0)))
    TABLE.add(f"{_name} of float places", scattered(_name, [1.0], [[2.0, 4.0]]), says="start")

for _how in ELEMENTS:
    _name = f"scatter_nd_{_how}"

    def _run(*given: Any, method: str = _name) -> Run:
        def run(tf: Any) -> Any:
            v = table(tf)
            return left(v, getattr(v, method)(*given))

        return run

    TABLE.add(_name, _run([[0, 1], [2, 0]], [10.0, 20.0]))
    TABLE.add(f"{_name} twice", _run([[0, 1], [0, 1]], [10.0, -20.0]))
    TABLE.add(f"{_name} of rows", _run([[1], [0]], [[10.0, 1.0], [20.0, -2.0]]))
    TABLE.add(f"{_name} outside", _run([[0, 2]], [10.0]))
    TABLE.add(f"{_name} of another shape", _run([[0, 1]], [10.0, 20.0]))
    TABLE.add(f"{_name} of whole numbers", _run([[0, 1]], [10]))
    TABLE.add(f"{_name} at float places", _run([[0.0, 1.0]], [10.0]), says="type")

OTHERS: list[Run] = [
    lambda tf: table(tf).gather_nd([[0, 1], [2, 0]]),
    lambda tf: table(tf).gather_nd([[2], [0]]),
    lambda tf: table(tf).gather_nd([1]),
    lambda tf: table(tf).gather_nd([[3]]),
    lambda tf: table(tf).sparse_read([2, 0]),
    lambda tf: table(tf).sparse_read([[2], [0]]),
    lambda tf: table(tf).sparse_read(1),
    lambda tf: table(tf).sparse_read([3]),
    lambda tf: table(tf).is_initialized(),
    lambda tf: str(table(tf).synchronization),
    lambda tf: str(table(tf).aggregation),
    lambda tf: [table(tf).trainable, table(tf).constraint, table(tf).initializer],
    lambda tf: table(tf).op,
    lambda tf: table(tf).graph,
    lambda tf: table(tf).create,
    lambda tf: table(tf).eval(),
    lambda tf: table(tf).initial_value,
    lambda tf: table(tf).initialized_value(),
    lambda tf: table(tf).load([[0.0] * 2] * 3),
    lambda tf: table(tf).to_proto(),
    lambda tf: table(tf).set_shape([3, 2]),
    lambda tf: table(tf).set_shape([2, 2]),
    lambda tf: table(tf).read_value(),
    lambda tf: table(tf).value(),
    lambda tf: table(tf).read_value_no_copy(),
    lambda tf: [
        table(tf).experimental_ref() == table(tf).experimental_ref(),
        table(tf).ref() == table(tf).ref(),
    ],
    lambda tf: [
        [v.ref() == v.ref(), v.ref().deref() is v, hash(v.ref()) == id(v)] for v in [table(tf)]
    ],
    lambda tf: tf.Variable(1).count_up_to(3),
    lambda tf: [[v.count_up_to(3), v.count_up_to(3), v] for v in [tf.Variable(1)]],
    lambda tf: tf.Variable(3).count_up_to(3),
    lambda tf: tf.Variable(3.0).count_up_to(5),
    lambda tf: table(tf).assign([[0.0] * 2] * 3, read_value=False),
    lambda tf: table(tf).assign([[0.0] * 2] * 3, use_locking=True, name="n"),
    lambda tf: table(tf).assign_add([[1.0] * 2] * 3, read_value=False),
    lambda tf: table(tf).assign_sub([[1.0] * 2] * 3, use_locking=True, read_value=True),
    lambda tf: repr(table(tf).assign([[0.0] * 2] * 3)),
    lambda tf: table(tf).assign(1.0),
    lambda tf: table(tf).assign([[True] * 2] * 3),
    lambda tf: table(tf).assign([["a"] * 2] * 3),
    lambda tf: tf.Variable([True, False]).assign([False, False]),
    lambda tf: tf.Variable(1).assign(2.5),
    lambda tf: tf.Variable(1.0, shape=[]).shape,
    lambda tf: tf.Variable([1.0], shape=tf.TensorShape([None])).shape,
    lambda tf: tf.Variable([1.0], shape=tf.TensorShape([None])).assign([1.0, 2.0]),
    lambda tf: tf.Variable([1.0], shape=tf.TensorShape([None])).assign([[1.0]]),
    lambda tf: tf.Variable([1.0], shape=tf.TensorShape(None)).assign([[1.0]]),
    lambda tf: (
        tf.Variable(
            1.0,
            synchronization=tf.VariableSynchronization.ON_READ,
            aggregation=tf.VariableAggregation.SUM,
        ).trainable
    ),
    lambda tf: str(
        tf.Variable(1.0, synchronization=tf.VariableSynchronization.ON_READ).synchronization
    ),
    lambda tf: str(tf.Variable(1.0, aggregation=tf.VariableAggregation.MEAN).aggregation),
    lambda tf: (
        tf.Variable(
            1.0, synchronization=tf.VariableSynchronization.ON_READ, trainable=True
        ).trainable
    ),
    lambda tf: tf.Variable(1.0, synchronization="x"),
    lambda tf: tf.Variable(1.0, aggregation="x"),
    lambda tf: tf.Variable(1.0, constraint=3),
    lambda tf: repr(tf.Variable([1, 2])[0]),
    lambda tf: tf.Variable([1, 2])[0].assign(5),
    lambda tf: tf.Variable([1.0, 2.0])[0].assign([5.0, 6.0]),
    lambda tf: tf.Variable([[1.0, 2.0]])[:, 0].assign([7.0]),
    lambda tf: tf.Variable([[1.0, 2.0]])[0].assign(7.0),
    lambda tf: tf.Variable(2.0)[...].assign(7.0),
    lambda tf: tf.Variable(["a", "b"])[...].assign(["x", "y"]),
    lambda tf: tf.Variable([1.0, 2.0])[1].assign_add(3.0),
    lambda tf: tf.Variable([1.0, 2.0])[1].assign_sub(3.0),
    lambda tf: tf.Variable([1.0, 2.0])[5].assign(3.0),
    lambda tf: tf.Variable(["a", "b"]).scatter_update(rows(tf, [1], ["x"])),
    lambda tf: tf.Variable(["a", "b"]).scatter_nd_update([[1]], ["x"]),
    lambda tf: tf.Variable([True, False]).scatter_update(rows(tf, [1], [True])),
    lambda tf: tf.Variable([1, 2]).scatter_div(rows(tf, [1], [0])),
    lambda tf: tf.Variable([7, -7]).scatter_div(rows(tf, [0, 1], [2, 2])),
    lambda tf: tf.Variable([1 + 2j]).scatter_mul(rows(tf, [0], [1j])),
]
TABLE.rows("other", OTHERS)
WITHOUT: list[Run] = [
    lambda tf: tf.Variable([1 + 2j]).scatter_max(rows(tf, [0], [1j])),
    lambda tf: tf.Variable([True]).assign_add([True]),
]
TABLE.rows("without", WITHOUT, says="type")

BATCHES: list[Run] = [
    lambda tf: [
        left(v, v.batch_scatter_update(rows(tf, [[0], [1]], [[10.0], [20.0]])))
        for v in [tf.Variable([[1.0, 2.0], [3.0, 4.0]])]
    ],
    lambda tf: [
        left(v, v.batch_scatter_update(rows(tf, [[1, 0]], [[10.0, 20.0]])))
        for v in [tf.Variable([[1.0, 2.0]])]
    ],
    lambda tf: table(tf).batch_scatter_update(tf.constant(1.0)),
]
TABLE.rows("batch", BATCHES)


@TABLE.program
def gradients_of_what_is_read(tf: Any) -> Any:
    """What `gather_nd` and `sparse_read` give has a gradient."""
    v = table(tf)
    with tf.GradientTape(persistent=True) as tape:
        y = tf.reduce_sum(v.gather_nd([[0, 1], [0, 1], [2, 0]]) ** 2)
        z = tf.reduce_sum(v.sparse_read([2, 0, 2]) ** 2)
    return [tf.convert_to_tensor(tape.gradient(w, v)) for w in (y, z)]


@TABLE.program
def assignments_are_not_recorded(tf: Any) -> Any:
    """A gradient is that by the value that was read."""
    v = table(tf)
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(v * v)
        v.scatter_add(rows(tf, [0], [[10.0, 10.0]]))
        z = y + tf.reduce_sum(v * v)
    return [tape.gradient(z, v), v]


@TABLE.program
def one_assignment_after_another(tf: Any) -> Any:
    """What a method gives is the variable again."""
    v = tf.Variable([1.0, 2.0])
    found = v.scatter_add(rows(tf, [0], [1.0])).assign_add([1.0, 1.0])
    return [found, operator.add(found, 1.0), v.scatter_nd_add([[1]], [5.0]) * 2.0]


@TABLE.program
def fixed_and_freed_after_it_was_made(tf: Any) -> Any:
    """Libraries set `_trainable`: it holds for the reads that follow, in functions too."""
    v, w = tf.Variable(2.0), tf.Variable(3.0, trainable=False)
    module = tf.Module()
    module.held = [v, w]
    product = tf.function(lambda: v * v * w)
    found = []
    for one, other in ((True, False), (False, False), (False, True), (True, True)):
        v._trainable, w._trainable = one, other
        with tf.GradientTape() as tape:
            y = product()
        slopes = [slope is not None and float(slope) for slope in tape.gradient(y, [v, w])]
        found += [slopes, v.trainable, len(tape.watched_variables())]
        found.append(len(module.trainable_variables))
    return found


class _Named(ABC):
    """An interface, as libraries have them for their parameters."""

    @abstractmethod
    def label(self) -> str:
        """Give a label."""


@TABLE.program
def an_interface_beside_it(tf: Any) -> Any:
    """A class may extend variables and an abstract class."""

    class Parameter(tf.Variable, _Named):  # type: ignore[misc]  # of whatever module
        def label(self) -> str:
            return "parameter"

    return [issubclass(Parameter, _Named), Parameter.label(None), isinstance(1, Parameter)]


BARE: list[Run] = [
    lambda tf: rows(tf, [0, 2], [[1.0], [2.0]]).values,
    lambda tf: (-rows(tf, [0, 2], [[1.0], [2.0]])).values,
    lambda tf: [str(rows(tf, [0], [[1.0]])), rows(tf, [0], [1.0]).dense_shape],
    lambda tf: [str(rows(tf, [0], [[1.0]]).shape), str(rows(tf, [0], [[1.0]]).dtype)],
    lambda tf: tf.convert_to_tensor(rows(tf, [0], [[1.0]])),
    lambda tf: tf.reduce_sum(rows(tf, [0], [[1.0]])),
    lambda tf: tf.clip_by_norm(rows(tf, [0, 2], [[1.0], [2.0]]), 1.0).values,
    lambda tf: tf.linalg.global_norm([rows(tf, [0, 2], [[1.0], [2.0]])]),
]
TABLE.rows("rows alone", BARE)


@TABLE.program
def constants_of_variables(tf: Any) -> Any:
    """Make constants of variables, which take their numbers, of any dtype, and no gradient."""
    v = tf.Variable([2.5, -1.5])
    with tf.GradientTape() as tape:
        y = tf.constant(v) * 2.0
    texts, truths = tf.Variable(["a", "b"]), tf.Variable([True, False])
    made = [tf.constant(v, "int8"), tf.constant(v, tf.float64), tf.constant(v, shape=[2, 1])]
    return [*made, y, tape.gradient(y, v), tf.constant(texts), tf.constant(truths, tf.int32)]


@TABLE.program
def products_with_truth_values(tf: Any) -> Any:
    """Multiply truth values by numbers, which count for whether their whole part is not zero."""
    t = tf.constant([True, False])
    return [t * 2, t * 0.5, t * tf.constant([3, 4]), tf.constant([3.5, 0.5]) * t, t * [True, True]]


LOOKS: list[Callable[[Any, Any], Any]] = [
    *(lambda tf, v: v.numpy(), lambda tf, v: repr(v), lambda tf, v: f"{v}"),
    *(lambda tf, v: v.assign([3.0, 4.0]), lambda tf, v: v.assign_add([1.0, 1.0])),
    lambda tf, v: v.assign([3.0, 4.0], read_value=False),
    *(lambda tf, v: v.scatter_update(rows(tf, [0], [9.0])), lambda tf, v: v[0].assign(3.0)),
    *(lambda tf, v: v.shape, lambda tf, v: v.name, lambda tf, v: copy.deepcopy(v)),
    lambda tf, v: tf.Variable([1.0, 2.0], trainable=False).assign(v),
]


def _looked_at(tf: Any, look: Callable[[Any, Any], Any]) -> list[Any]:
    """Do something with a variable beside computing with it, and ask what the tape knows."""
    v = tf.Variable([1.0, 2.0])
    with tf.GradientTape(persistent=True) as tape:
        found = look(tf, v)
    targets = [v, found] if isinstance(found, tf.Variable) else [v]
    slopes = [tape.gradient(t, s) for t in targets for s in targets]
    return [len(tape.watched_variables()), *slopes]


TABLE.rows("what a tape sees", [lambda tf, look=look: _looked_at(tf, look) for look in LOOKS])


@TABLE.program
def cast_to_its_own_dtype(tf: Any) -> Any:
    """The variable itself is given back, which goes on to hold what it is assigned."""
    v = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        y = tf.cast(v, tf.float32)
        z = tf.reduce_sum(y * y)
    v.assign([5.0, 6.0])
    return [y is v, y + 0.0, tf.cast(v, tf.float64), tape.gradient(z, v)]


@TABLE.program
def tensor_of_a_variable(tf: Any) -> Any:
    """It is a tensor of its own, on which what reads the variable later does not depend."""
    v = tf.Variable([1.0, 2.0])
    before = tf.convert_to_tensor(v)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(before)
        x = tf.convert_to_tensor(v)
        y, z = tf.sin(v) * before, tf.cos(v) + x * x
    return [tape.gradient(a, b) for a in (y, z) for b in (before, x, v)]


@TABLE.program
def copied(tf: Any) -> Any:
    """A shallow copy is the variable itself, and a deep one another."""
    v = tf.Variable([1.0, 2.0])
    shallow, deep = copy.copy(v), copy.deepcopy(v)
    shallow.assign_add([1.0, 1.0])
    with tf.GradientTape() as tape:
        y = shallow * v * deep
    return [shallow is v, deep is v, v + 0.0, deep + 0.0, *tape.gradient(y, [v, deep])]
