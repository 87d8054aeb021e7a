"""What tapes, tensors and variables do, as small programs that any `tf` can run.

Each function takes a module with TensorFlow's names and gives what a person would see.
"""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np

from tests.answers.answer import Table

TABLE = Table("scenarios")


def scenario(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Add a scenario to the table."""
    TABLE.add(function.__name__, function)
    return function


def type_only(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Add a scenario of which only the exception's type counts."""
    TABLE.add(function.__name__, function, says="type")
    return function


# --- the state machine ---------------------------------------------------------------------------


def _square(tf: Any, **options: Any) -> tuple[Any, Any, Any]:
    x = tf.constant(3.0)
    with tf.GradientTape(**options) as tape:
        tape.watch(x)
        y = x * x
    return tape, x, y


@scenario
def gradient_of_a_square(tf):
    tape, x, y = _square(tf)
    return tape.gradient(y, x)


@scenario
def second_gradient_needs_a_persistent_tape(tf):
    tape, x, y = _square(tf)
    tape.gradient(y, x)
    return tape.gradient(y, x)


@scenario
def second_jacobian_needs_a_persistent_tape(tf):
    tape, x, y = _square(tf)
    tape.gradient(y, x)
    return tape.jacobian(y, x)


@scenario
def batch_jacobian_after_use(tf):
    x = tf.constant([[1.0, 2.0]])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    tape.gradient(y, x)
    return tape.batch_jacobian(y, x)


@scenario
def persistent_tape(tf):
    tape, x, y = _square(tf, persistent=True)
    return [tape.gradient(y, x), tape.gradient(y, x)]


@scenario
def never_entered(tf):
    return tf.GradientTape().gradient(tf.constant(1.0), tf.constant(1.0))


@scenario
def enter_an_active_tape(tf):
    with tf.GradientTape() as tape, tape:
        pass


@scenario
def reset_a_tape_that_is_not_recording(tf):
    tape, _, _ = _square(tf)
    tape.reset()


@scenario
def reset_forgets(tf):
    x = tf.Variable(3.0)
    with tf.GradientTape(persistent=True) as tape:
        y = x * x
        tape.reset()
        z = x * 5.0
    return [tape.gradient(y, x), tape.gradient(z, x), tape.gradient(y + z, x)]


@scenario
def stop_recording_after_exit(tf):
    tape, _, _ = _square(tf)
    with tape.stop_recording():
        pass


@scenario
def stop_recording_never_entered(tf):
    with tf.GradientTape().stop_recording():
        pass


@scenario
def stop_recording_hides_steps(tf):
    x = tf.Variable(3.0)
    with tf.GradientTape(persistent=True) as tape:
        y = x * x
        with tape.stop_recording():
            z = y * 2.0
            g = tape.gradient(y, x)
        w = y * 3.0
    return [g, tape.gradient(z, x), tape.gradient(w, x)]


@type_only
def watch_never_entered(tf):
    tf.GradientTape().watch(tf.constant(1.0))


@scenario
def with_twice_accumulates(tf):
    x = tf.Variable(3.0)
    tape = tf.GradientTape()
    with tape:
        y = x * x
    with tape:
        z = y * x
    return tape.gradient(z, x)


@scenario
def reentry_after_gradient(tf):
    x = tf.Variable(3.0)
    tape = tf.GradientTape()
    with tape:
        y = x * x
    first = tape.gradient(y, x)
    with tape:
        z = x * x * x
    return [first, tape.gradient(z, x)]


@scenario
def gradient_inside_stops_recording(tf):
    x = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = x * x
        g = tape.gradient(y, x)
        z = g * x
    return [g, z]


@scenario
def gradient_inside_a_persistent_tape_is_recorded(tf):
    x = tf.Variable(3.0)
    with tf.GradientTape(persistent=True) as tape:
        y = x * x * x
        g = tape.gradient(y, x)
    return [g, tape.gradient(g, x)]


@scenario
def tape_survives_an_exception(tf):
    x = tf.Variable(3.0)
    tape = tf.GradientTape()
    try:
        with tape:
            y = x * x
            raise KeyError
    except KeyError:
        pass
    return tape.gradient(y, x)


@scenario
def tape_survives_a_bad_target(tf):
    tape, x, y = _square(tf)
    try:
        tape.gradient(None, x)
    except TypeError:
        pass
    return tape.gradient(y, x)


@scenario
def after_an_error_the_next_tape_works(tf):
    x = tf.Variable([1.0, 2.0])
    try:
        with tf.GradientTape() as tape:
            _ = x + tf.constant([1.0, 2.0, 3.0])
    except tf.errors.InvalidArgumentError:
        pass
    with tf.GradientTape() as tape:
        y = x * x
    return tape.gradient(y, x)


@scenario
def jacobian_inside_the_block(tf):
    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        y = x * x
        j = tape.jacobian(y, x)
    return j


# --- watching ------------------------------------------------------------------------------------


@scenario
def unwatched_constant(tf):
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        y = x * x
    return tape.gradient(y, x)


@scenario
def unwatched_constant_in_a_recorded_step(tf):
    x, c = tf.Variable(3.0), tf.constant(2.0)
    with tf.GradientTape(persistent=True) as tape:
        y = x * c
        d = c * 2.0
        e = y * d
    return [tape.gradient(y, c), tape.gradient(e, c), tape.gradient(e, d), tape.gradient(e, x)]


@scenario
def watched_late(tf):
    x = tf.constant(2.0)
    with tf.GradientTape(persistent=True) as tape:
        y = x * x
        tape.watch(x)
        z = y * x
    return [tape.gradient(z, x), tape.gradient(y, x)]


@scenario
def watched_late_but_used_before(tf):
    x, c = tf.Variable(3.0), tf.constant(2.0)
    with tf.GradientTape(persistent=True) as tape:
        z = x * c
        tape.watch(c)
        w = c * z
    return [tape.gradient(w, c), tape.gradient(z, c)]


@scenario
def variables_are_not_watched_on_request(tf):
    a, b = tf.Variable(3.0), tf.Variable(4.0)
    with tf.GradientTape(watch_accessed_variables=False, persistent=True) as tape:
        tape.watch(a)
        y, z = a**2, b**3
    return [tape.gradient(y, a), tape.gradient(z, b), len(tape.watched_variables())]


@scenario
def watched_variables_in_creation_order(tf):
    a, b = tf.Variable(1.0, name="a"), tf.Variable(2.0, name="b")
    c = tf.Variable(3.0, trainable=False)
    with tf.GradientTape() as tape:
        _ = b * a * c
    before = [v.name for v in tape.watched_variables()]
    tape.gradient(a, a)
    return [
        before,
        [v.name for v in tape.watched_variables()],
        len(tf.GradientTape().watched_variables()),
    ]


@scenario
def watch_a_structure(tf):
    a, b = tf.constant(3.0), tf.constant(4.0)
    with tf.GradientTape() as tape:
        tape.watch([a, {"b": b}])
        y = a * b
    return tape.gradient(y, {"x": [a], "y": (b,)})


def _watch(value: Any) -> Callable[[Any], Any]:
    def run(tf: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(value)

    return run


for _name, _value in {
    "float": 3.0, "int": 3, "array": np.zeros(2), "none": None, "text": "a", "list": [3.0],
}.items():  # fmt: skip
    TABLE.add(f"watch_{_name}", _watch(_value))


@scenario
def watch_an_integer_tensor(tf):
    x = tf.constant(3)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * 2
    return tape.gradient(y, x)


@scenario
def non_trainable_variable(tf):
    n = tf.Variable(4.0, trainable=False)
    x = tf.Variable(2.0)
    with tf.GradientTape(persistent=True) as tape:
        y = x * n
    return [tape.gradient(y, n), tape.gradient(y, x)]


# --- identity and connectivity -------------------------------------------------------------------


@scenario
def equal_values_are_different_tensors(tf):
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        a = x * x
        b = x * x
        w = a + b
    return [tape.gradient(w, a), tape.gradient(w, b), tape.gradient(w, x)]


@scenario
def conversions_keep_identity(tf):
    x = tf.constant(3.0)
    return [
        tf.cast(x, tf.float32) is x, tf.convert_to_tensor(x) is x, tf.constant(x) is x,
        tf.identity(x) is x, tf.stop_gradient(x) is x, tf.reshape(x, ()) is x, tf.squeeze(x) is x,
        (x + 0) is x,
    ]  # fmt: skip


@scenario
def a_source_is_matched_by_identity(tf):
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        i = tf.identity(x)
        y = i * x
    return [tape.gradient(y, x), tape.gradient(y, i), tape.gradient(i, x)]


@scenario
def target_is_source(tf):
    x = tf.constant(3.0)
    v = tf.Variable([1.0, 2.0])
    with tf.GradientTape(persistent=True) as tape:
        y = v * v
    return [
        tape.gradient(x, x), tape.gradient(v, v), tape.gradient([y, v], v),
        tape.gradient([x, x], x), tape.gradient([x, v], [x, v]),
    ]  # fmt: skip


@scenario
def target_and_source_of_recorded(tf):
    x = tf.constant(2.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * x
    return [tape.gradient([x, y], x), tape.gradient(y, [y, x]), tape.gradient([y, y], x)]


@scenario
def structures(tf):
    a, b = tf.Variable(3.0), tf.Variable(4.0)
    with tf.GradientTape(persistent=True) as tape:
        y, z = a * b, a + b
    return [
        tape.gradient(y, [a, b]), tape.gradient(y, (a, b)), tape.gradient(y, {"b": b, "a": a}),
        tape.gradient([y, z], [a, [b, a]]), tape.gradient({"y": y, "z": [z]}, a),
        tape.gradient(y, []), tape.gradient(y, ()), tape.gradient([], a), tape.gradient(y, [a, a]),
    ]  # fmt: skip


@scenario
def unconnected(tf):
    a, b, n = tf.Variable(3.0), tf.Variable([1.0, 2.0]), tf.Variable([1, 2])
    with tf.GradientTape(persistent=True) as tape:
        y = a * a
    zero = tf.UnconnectedGradients.ZERO
    return [
        tape.gradient(y, [a, b, n]), tape.gradient(y, [a, b, n], unconnected_gradients=zero),
        tape.gradient(y, b, unconnected_gradients="zero"),
        tape.gradient(y, b, unconnected_gradients="none"), tape.jacobian(y, b),
        tape.jacobian(y, b, unconnected_gradients=zero),
    ]  # fmt: skip


@scenario
def unconnected_gradients_misspelt(tf):
    tape, x, y = _square(tf)
    return tape.gradient(y, x, unconnected_gradients="nonsense")


@scenario
def none_is_about_connections(tf):
    def nth(f: Any, n: int) -> Any:
        x = tf.constant(0.5)
        tapes = []
        y = None

        def run(level: int) -> Any:
            if level == 0:
                return f(x)
            with tf.GradientTape() as tape:
                tape.watch(x)
                inner = run(level - 1)
            return None if inner is None else tape.gradient(inner, x)

        del tapes, y
        return run(n)

    functions = [
        lambda x: x * x - x * x, lambda x: 3 * x, lambda x: x + 1, lambda x: x**1, tf.abs,
        tf.nn.relu, lambda x: tf.maximum(x, 0.0), lambda x: tf.minimum(x, 0.0), tf.square, tf.sqrt,
        lambda x: x / 3, lambda x: 1 / x, lambda x: tf.where(x > 0, x, 0.0),
        lambda x: tf.clip_by_value(x, 0.0, 5.0), tf.sign, tf.floor,
        lambda x: tf.cast(x, tf.float64), lambda x: x % 3.0, tf.exp, tf.tanh,
        lambda x: tf.pow(x, 4), lambda x: tf.stop_gradient(x) * x, lambda x: tf.reshape(x, (1,))[0],
        lambda x: tf.reduce_sum(tf.stack([x, x])), lambda x: tf.reduce_max(tf.stack([x, x])),
        lambda x: tf.reduce_prod(tf.stack([x, x])), lambda x: tf.reduce_mean(tf.stack([x, x])),
    ]  # fmt: skip
    return [[nth(f, n) for n in (1, 2)] for f in functions]


@scenario
def what_cuts_the_tape(tf):
    x = tf.Variable(2.5)
    with tf.GradientTape(persistent=True) as tape:
        found = [
            tf.cast(tf.cast(x, tf.int32), tf.float32) * 1.0,
            tf.cast(x > 1.0, tf.float32) * 1.0,
            tf.constant(x.numpy()) * 1.0,
            tf.constant(float(x)) * 1.0,
            tf.floor(x) * 1.0,
            tf.round(x) * 1.0,
            tf.cast(tf.argmax(tf.stack([x, 2 * x])), tf.float32) * 1.0,
            tf.constant(x + 0.0) * 1.0,
            tf.convert_to_tensor([x, 2 * x]) * 1.0,
            tf.cast(tf.cast(x, tf.float64), tf.float32) * 1.0,
            x // 2.0,
        ]
    return [tape.gradient(y, x) for y in found]


@scenario
def gradients_of_steps_without_gradients(tf):
    x = tf.Variable(3.0)
    with tf.GradientTape(persistent=True) as tape:
        r = tf.floor(x)
        s = r * x
        q = tf.stop_gradient(x)
        t = q * x
        m = tf.cast(x > 2.0, tf.float32)
        u = m * x
    return [
        tape.gradient(s, r), tape.gradient(s, x), tape.gradient(t, q), tape.gradient(t, x),
        tape.gradient(u, m), tape.gradient(u, x), tape.gradient(r, x),
    ]  # fmt: skip


@scenario
def list_of_tensors_is_stacked(tf):
    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        a, b = tf.convert_to_tensor([x, 3 * x])
        y = a * b
    return tape.gradient(y, x)


# --- output_gradients ----------------------------------------------------------------------------


def _two(tf: Any) -> tuple[Any, Any, Any]:
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * x
    return tape, x, y


@scenario
def output_gradients(tf):
    tape, x, y = _two(tf)
    weight = tf.constant([3.0, 5.0])
    return [
        tape.gradient(y, x, output_gradients=weight),
        tape.gradient(y, x, output_gradients=[3.0, 5.0]),
        tape.gradient([y, y], x, output_gradients=[weight, weight]),
        tape.gradient([y, y], x, output_gradients=[weight]),
        tape.gradient(y, x, output_gradients=[weight]),
        tape.gradient(y, x, output_gradients=tf.constant(2.0)),
        tape.gradient(y, x, output_gradients=tf.Variable([1.0, 0.0])),
    ]  # fmt: skip


@scenario
def output_gradients_of_another_dtype(tf):
    tape, x, y = _two(tf)
    return tape.gradient(y, x, output_gradients=np.array([1.0, 2.0]))


@scenario
def output_gradients_of_another_shape(tf):
    tape, x, y = _two(tf)
    return tape.gradient(y, x, output_gradients=tf.constant([1.0, 2.0, 3.0]))


@scenario
def output_gradients_of_a_shape_of_two_axes(tf):
    tape, x, y = _two(tf)
    return tape.gradient(y, x, output_gradients=tf.ones([2, 3]))


@scenario
def output_gradients_with_none(tf):
    tape, x, y = _two(tf)
    return tape.gradient([y], x, output_gradients=[None])


# --- errors of arguments -------------------------------------------------------------------------

for _name, _bad in {
    "none": None, "text": "abc", "list_of_none": [None], "float": 3.0, "array": np.zeros(2),
}.items():  # fmt: skip

    def _bad_target(tf, bad=_bad):
        tape, x, _ = _square(tf)
        return tape.gradient(bad, x)

    def _bad_source(tf, bad=_bad):
        tape, _, y = _square(tf)
        return tape.gradient(y, bad)

    TABLE.add(f"target_{_name}", _bad_target, says="type" if _name == "text" else "plain")
    TABLE.add(f"source_{_name}", _bad_source, says="type" if _name == "text" else "plain")


@type_only
def source_object(tf):
    tape, _, y = _square(tf)
    tape.gradient(y, object())


@scenario
def jacobian_of_a_list(tf):
    tape, x, y = _square(tf)
    tape.jacobian([y], x)


@scenario
def jacobian_of_a_float(tf):
    tape, x, _ = _square(tf)
    tape.jacobian(3.0, x)


@scenario
def jacobian_without_pfor(tf):
    tape, x, y = _square(tf)
    tape.jacobian(y, x, experimental_use_pfor=False)


@scenario
def batch_jacobian_without_pfor(tf):
    x = tf.constant([[1.0, 2.0]])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    tape.batch_jacobian(y, x, experimental_use_pfor=False)


def _parallel(call: str, shape: list[int], parallel: int, **how: Any) -> Any:
    def run(tf: Any) -> Any:
        x = tf.ones(shape)
        with tf.GradientTape(persistent=how.pop("persistent", False)) as tape:
            tape.watch(x)
            y = x * x
        return getattr(tape, call)(y, x, parallel_iterations=parallel, **how).shape

    return run


for _shape, _parallel_iterations in (
    ([1, 1], 2),
    ([2, 1], 1),
    ([2, 1], 2),
    ([2, 2], 8),
    ([1, 3], 2),
):
    for _call in ("jacobian", "batch_jacobian"):
        _run = _parallel(_call, _shape, _parallel_iterations)
        _says = "type" if (_call, _shape) == ("batch_jacobian", [1, 3]) else "plain"
        TABLE.add(f"{_call} of {_shape} by {_parallel_iterations}", _run, says=_says)


def _batch(tf: Any, of: Any) -> Any:
    x = tf.constant(np.arange(8, dtype=np.float32).reshape(4, 2))
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = of(x)
    return tape.batch_jacobian(y, x)


@scenario
def batch_jacobian_of_other_batch(tf):
    return _batch(tf, lambda x: x[:2] * 2.0)


@scenario
def batch_jacobian_of_rank_one(tf):
    return _batch(tf, lambda x: tf.reduce_sum(x, 1))


@type_only
def batch_jacobian_of_a_scalar(tf):
    return _batch(tf, tf.reduce_sum)


@scenario
def batch_jacobian_of_rows(tf):
    return _batch(tf, lambda x: x * x)


@scenario
def batch_jacobian_of_dependent_rows(tf):
    return _batch(tf, lambda x: x + tf.reduce_sum(x, 0))


@scenario
def batch_jacobian_unconnected(tf):
    return _batch(tf, lambda x: tf.zeros([4, 3]))


@scenario
def batch_jacobian_of_list_source(tf):
    x = tf.constant([[1.0]])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    tape.batch_jacobian(y, [x])


@scenario
def graph_mode_gradients(tf):
    return tf.gradients(tf.constant(1.0), tf.constant(1.0))


# --- Jacobians and higher orders -----------------------------------------------------------------


@scenario
def jacobians(tf):
    x = tf.constant([1.0, 2.0, 3.0])
    m = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    s = tf.constant(2.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch([x, m, s])
        y = x * x * s
        z = m @ m
        t = tf.reduce_sum(y)
        w = tf.reduce_sum(z, 0)
    return [
        tape.jacobian(y, x), tape.jacobian(y, s), tape.jacobian(t, [x, s]), tape.jacobian(z, m),
        tape.jacobian(w, m), tape.jacobian(s * 1.0, s), tape.jacobian(y, {"x": x, "m": m}),
    ]  # fmt: skip


@scenario
def jacobian_of_jacobian(tf):
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = x * x * x
        j = inner.jacobian(y, x)
    return outer.jacobian(j, x)


@scenario
def empty_jacobian(tf):
    x = tf.zeros([0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    return tape.jacobian(y, x)


@scenario
def third_order(tf):
    x = tf.Variable(2.0)
    with tf.GradientTape() as a, tf.GradientTape() as b, tf.GradientTape() as c:
        y = x**4 + tf.sin(x)
        first = c.gradient(y, x)
        second = b.gradient(first, x)
    return [first, second, a.gradient(second, x)]


@scenario
def inner_gradient_outside_of_the_outer_block(tf):
    x = tf.Variable(2.0)
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            y = x * x * x
    first = inner.gradient(y, x)
    return [first, outer.gradient(first, x)]


@scenario
def two_tapes_side_by_side(tf):
    x, y = tf.Variable(2.0), tf.Variable(3.0)
    with tf.GradientTape() as a, tf.GradientTape() as b:
        u, v = x * y, x + y * y
    return [a.gradient(u, [x, y]), b.gradient(v, [x, y])]


@scenario
def watching_is_local_to_a_tape(tf):
    x = tf.constant(2.0)
    with tf.GradientTape() as a, tf.GradientTape() as b:
        b.watch(x)
        y = x * x
    return [a.gradient(y, x), b.gradient(y, x)]


@scenario
def mixed_second_derivatives(tf):
    x, y = tf.Variable(2.0), tf.Variable(3.0)
    with tf.GradientTape(persistent=True) as outer:
        with tf.GradientTape() as inner:
            f = x * x * y + y**3
        g = inner.gradient(f, [x, y])
    return [outer.gradient(g[0], [x, y]), outer.gradient(g[1], [x, y]), outer.gradient(g, [x, y])]


# --- variables -----------------------------------------------------------------------------------


@scenario
def versions_of_a_variable(tf):
    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = x**2
        x.assign_add(1.0)
        z = y * x
    return tape.gradient(z, x)


@scenario
def versions_of_a_variable_that_is_watched_on_request(tf):
    x, n = tf.Variable(2.0), tf.Variable(3.0, trainable=False)
    with tf.GradientTape(watch_accessed_variables=False) as tape:
        tape.watch([x, n])
        y = x * n
        x.assign_add(1.0)
        n.assign_add(1.0)
        z = y * x * n
    return tape.gradient(z, [x, n])


@scenario
def variable_watched_after_it_was_read(tf):
    x, n = tf.Variable(2.0), tf.Variable(3.0, trainable=False)
    with tf.GradientTape(persistent=True) as tape:
        y = x * n
        tape.watch(n)
        z = y * n
    return [tape.gradient(y, n), tape.gradient(z, n), tape.gradient(z, x)]


@scenario
def assignment_is_not_recorded(tf):
    x, w = tf.Variable(3.0), tf.Variable(4.0)
    with tf.GradientTape(persistent=True) as tape:
        w.assign_add(x)
        y = w**2
    return [tape.gradient(y, x), tape.gradient(y, w)]


@scenario
def rebound_variable(tf):
    x = tf.Variable(3.0)
    found = []
    for _ in range(2):
        with tf.GradientTape() as tape:
            y = x * x
        found.append(tape.gradient(y, x))
        x = x + 1
    return found


@scenario
def variable_prints(tf):
    v = tf.Variable(3.0)
    w = tf.Variable([[1.0, 2.0], [3.0, 4.0]], name="w")
    return [
        str(v), repr(w), repr(v.assign(4.0)), repr(v.assign_add(1.0)), str([v]), f"{v}", v.name,
        w.name, repr(v.assign_sub(1.0, read_value=False)), isinstance(v.assign(1.0), tf.Variable),
    ]  # fmt: skip


@scenario
def variable_without_value(tf):
    tf.Variable()


@scenario
def variable_from_things(tf):
    return [
        tf.Variable(lambda: 2.0), tf.Variable([1, 2]), tf.Variable(np.array([1.0])),
        tf.Variable(tf.constant(2.0)), tf.Variable(tf.Variable(3.0)),
        tf.Variable(1, dtype=tf.float64), tf.Variable(1.0).trainable,
        tf.Variable(1.0, trainable=False).trainable,
    ]  # fmt: skip


@scenario
def assign_another_shape(tf):
    tf.Variable([1.0, 2.0]).assign([1.0, 2.0, 3.0])


@scenario
def assign_add_another_shape(tf):
    tf.Variable([1.0, 2.0]).assign_add(1.0)


@scenario
def assign_another_dtype(tf):
    tf.Variable([1.0, 2.0]).assign(tf.constant([1.0, 2.0], dtype=tf.float64))


@scenario
def assign_numpy_of_another_dtype(tf):
    v = tf.Variable([1.0, 2.0])
    v.assign(np.array([3.0, 4.0]))
    return v


@scenario
def augmented_assignment(tf):
    v = tf.Variable(1.0)
    v += 1.0
    return v


@scenario
def assign_a_slice(tf):
    v = tf.Variable([1.0, 2.0, 3.0])
    v[0].assign(9.0)
    v[1:].assign([7.0, 8.0])
    return v


@type_only
def trainable_is_fixed(tf):
    tf.Variable(1.0).trainable = False


@scenario
def item_assignment(tf):
    tf.constant([1.0])[0] = 2.0


@scenario
def variable_item_assignment(tf):
    tf.Variable([1.0])[0] = 2.0


@scenario
def hash_of_a_variable(tf):
    hash(tf.Variable(3.0))


@scenario
def hash_of_a_tensor(tf):
    hash(tf.constant(3.0))


@scenario
def references(tf):
    t, v = tf.constant(1.0), tf.Variable(1.0)
    return [
        t.ref() == t.ref(),
        t.ref() == v.ref(),
        t.ref().deref() is t,
        len({t.ref(), t.ref(), v.ref()}),
    ]


@scenario
def copies(tf):
    t, v = tf.constant([1.0, 2.0]), tf.Variable([3.0], name="v")
    return [
        pickle.loads(pickle.dumps(t)), pickle.loads(pickle.dumps(v)), copy.copy(t),
        copy.deepcopy(v), copy.deepcopy(v).name,
    ]  # fmt: skip


# --- tensors -------------------------------------------------------------------------------------


@scenario
def prints(tf):
    values = [
        3.0, [1.0, 2.5], [[1.0, 2.0], [3.0, 4.0]], 1 / 3, True, "hi", 1 + 2j, [1, 2],
        [[True], [False]], [], [[]], 5, list(range(2000)), [1e-10, 1.0, 1e10], float("nan"),
        float("inf"), [b"a", b"b"],
    ]  # fmt: skip
    tensors = [tf.constant(v) for v in values]
    return [[str(t), repr(t)] for t in tensors]


@scenario
def formats(tf):
    t, v = tf.constant(3.5), tf.constant([3.5])
    shape = tf.constant([[1.0, 2.0]]).shape
    return [
        f"{t:.2f}", f"{t}", "{}".format(v), "%s" % t, "%.3f" % t, str([t, None]), str(shape),
        repr(shape), str(t.shape), repr(t.shape), str(t.dtype), repr(t.dtype),
        repr(tf.UnconnectedGradients.ZERO),
    ]  # fmt: skip


@scenario
def format_of_a_variable(tf):
    return f"{tf.Variable(3.0):.2f}"


@scenario
def operators(tf):
    x, y = tf.constant([7.0, -7.0]), tf.constant([2.0, 3.0])
    i, j = tf.constant([7, -7]), tf.constant([2, 3])
    b, c = tf.constant([True, False]), tf.constant([True, True])
    return [
        x + y, x - y, x * y, x / y, x // y, x % y, abs(x) ** y, -x, abs(x), x < y, x <= y, x > y,
        x >= y, x == y, x != y, i + j, i - j, i * j, i / j, i // j, i % j, i**j[0], -i, abs(i),
        b & c, b | c, b ^ c, ~b, 2 + x, 2 - x, 2 * x, 2 / x, 7 // y, 7 % y, 2.0**x, 1 + i,
        x + [1.0, 2.0], x + True,
        x + np.array([1.0, 2.0]), np.float32(2) * x, np.array([1.0, 2.0]) * x, x == None, x != None,  # noqa: E711
        x == tf.constant([1.0, 2.0, 3.0]), x * tf.Variable(2.0), tf.Variable(2.0) * x,
    ]  # fmt: skip


@scenario
def matrix_operator(tf):
    m = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    return [m @ m, m @ np.eye(2, dtype=np.float32), np.eye(2, dtype=np.float32) @ m]


for _name, _run in {
    "float_plus_double": lambda tf: tf.constant(1.0) + tf.constant(1.0, tf.float64),
    "multiply_float_and_int": lambda tf: tf.constant(1.0) * tf.constant(1),
    "divide_double_and_float": lambda tf: tf.constant(1.0, tf.float64) / tf.constant(1.0),
    "power_of_float_and_double": lambda tf: tf.constant(1.0) ** tf.constant(1.0, tf.float64),
    "compare_float_and_double": lambda tf: tf.constant(1.0) == tf.constant(1.0, tf.float64),
    "less_float_and_double": lambda tf: tf.constant(1.0) < tf.constant(1.0, tf.float64),
    "maximum_of_float_and_double": lambda tf: tf.maximum(
        tf.constant(1.0), tf.constant(1.0, tf.float64)
    ),
    "shapes_do_not_broadcast": lambda tf: tf.constant([1.0, 2.0, 3.0]) + tf.constant([1.0, 2.0]),
    "shapes_do_not_broadcast_in_multiply": lambda tf: tf.ones([2, 3]) * tf.ones([2, 2]),
    "int_times_float_number": lambda tf: tf.constant(1) * 2.0,
    "float_number_times_int": lambda tf: 2.0 * tf.constant(1),
    "integer_to_negative_power": lambda tf: tf.constant(2) ** tf.constant(-1),
    "truth_of_many": lambda tf: bool(tf.constant([1.0, 2.0])),
    "float_of_vector": lambda tf: float(tf.constant([1.0, 2.0])),
    "int_of_vector": lambda tf: int(tf.constant([1.0])),
    "length_of_scalar": lambda tf: len(tf.constant(1.0)),
    "iterate_a_scalar": lambda tf: list(tf.constant(1.0)),
    "ragged_list": lambda tf: tf.constant([[1.0], [1.0, 2.0]]),
    "none_as_tensor": lambda tf: tf.constant(None),
    "float_as_int": lambda tf: tf.constant(1.5, dtype=tf.int32),
    "convert_to_another_dtype": lambda tf: tf.convert_to_tensor(tf.constant(1.0), dtype=tf.float64),
    "numpy_method": lambda tf: tf.constant([1.0]).T,
    "numpy_method_sum": lambda tf: tf.constant([1.0]).sum(),
    "no_name": lambda tf: tf.constant([1.0]).name,
    "eval": lambda tf: tf.constant([1.0]).eval(),
    "float_index": lambda tf: tf.constant([1.0, 2.0])[1.0],
    "text_index": lambda tf: tf.constant([1.0, 2.0])["a"],
}.items():
    TABLE.add(_name, _run)
for _name, _run in {
    # texts that name the CPU library of one build, or repeat a traceback
    "matmul_of_float_and_double": lambda tf: (
        tf.constant([[1.0]]) @ tf.constant([[1.0]], tf.float64)
    ),
    "matmul_sizes": lambda tf: tf.ones([1, 2]) @ tf.ones([1, 2]),
    "matmul_of_vectors": lambda tf: tf.constant([1.0]) @ tf.constant([1.0]),
    "tensor_in_a_constant": lambda tf: tf.constant([tf.constant(1.0)]),
    # texts that are accidents
    "unary_plus": lambda tf: +tf.constant(1.0),
    "divmod": lambda tf: divmod(tf.constant(1.0), 2.0),
    "length_of_a_variable": lambda tf: len(tf.Variable([1.0])),
    "index_out_of_range": lambda tf: tf.constant([1.0, 2.0])[5],
    "negative_index_out_of_range": lambda tf: tf.constant([1.0, 2.0])[-3],
    "too_many_indices": lambda tf: tf.constant([1.0, 2.0])[0, 0],
    "list_index": lambda tf: tf.constant([1.0, 2.0])[[0, 1]],
    "zero_step": lambda tf: tf.constant([1.0, 2.0])[::0],
    "constant_of_tensor_with_dtype": lambda tf: tf.constant(tf.constant(1.0), dtype=tf.float64),
}.items():
    TABLE.add(_name, _run, says="type")


@scenario
def conversions(tf):
    t = tf.constant(2.7)
    return [
        bool(tf.constant([[1.0]])), bool(tf.constant(0)), int(t), float(tf.constant(2)),
        complex(tf.constant(1j)), list(range(tf.constant(3))), [10, 20, 30][tf.constant(1)],
        len(tf.constant([1.0, 2.0])), np.asarray(t).dtype.name, type(t.numpy()).__name__, t.ndim,
        tuple(t.shape), t.shape.rank,
    ]  # fmt: skip


@scenario
def dtypes_of_constants(tf):
    values = [
        1.0, 1, 2**40, True, 1j, "a", [1, 2.0], np.array([1.0]), np.float64(1), np.float32(1),
        np.int64(3), [np.float64(1)], [True, False], np.array([1, 2], np.int16), [[1], [2]],
        (1.0, 2.0), [1j, 2.0],
    ]  # fmt: skip
    return [repr(tf.constant(v).dtype) for v in values]


@scenario
def dtype_arguments(tf):
    return [
        tf.constant(1, dtype=d).dtype.name
        for d in (tf.float64, np.float64, "float64", tf.int64, "half", float)
    ] + [
        tf.float32 == np.float32,
        tf.float32 == "float32",
        tf.as_dtype("int32").name,
        tf.float32.is_floating,
    ]


@scenario
def indexing(tf):
    x = tf.constant(np.arange(24, dtype=np.float32).reshape(2, 3, 4))
    mask = tf.constant([[True, False, True], [False, False, True]])
    return [
        x[0], x[-1, 1], x[:, 1:, ::2], x[..., 0], x[::-1, :, ::-2], x[:, None, 0],
        x[tf.newaxis, ..., 1:2], x[0, 0, 0], x[1:1], x[mask], x[tf.constant(1)],
        x[0, tf.constant(2), -1], x[:, :, 3:0:-1], x[...], x[x > 20.0], x[1][None, :, None],
    ]  # fmt: skip


@scenario
def gradient_of_indexing(tf):
    x = tf.constant(np.arange(12, dtype=np.float32).reshape(3, 4))
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        parts = [
            x[0],
            x[:, 1::2] ** 2,
            x[::-1, -1],
            x[x > 5.0] ** 2,
            x[None, ..., 0, None],
            x[1, 2],
        ]
        a, b, c = x
        parts.append(a * b + c)
    return [tape.gradient(p, x) for p in parts]


@scenario
def shapes(tf):
    s = tf.constant([[1.0, 2.0, 3.0]]).shape
    return [
        s == (1, 3), s == [1, 3], tuple(s), len(s), s[1], s.rank, s.ndims, s.as_list(),
        s.num_elements(), str(s[1:]), s.is_fully_defined(), repr(tf.TensorShape([None, 2])),
        repr(tf.TensorShape(None)), tf.TensorShape([None, 2]).is_compatible_with([3, 2]),
        str(s.concatenate([4])),
    ]  # fmt: skip


@scenario
def non_smooth_points(tf):
    def of(f: Any, *values: Any) -> Any:
        xs = [tf.constant(v) for v in values]
        with tf.GradientTape() as tape:
            tape.watch(xs)
            y = f(*xs)
        return tape.gradient(y, xs)

    nan = float("nan")
    return [
        of(tf.abs, 0.0), of(tf.sign, 2.0), of(tf.maximum, 1.0, 1.0), of(tf.minimum, 1.0, 1.0),
        of(lambda x: tf.maximum(x, 0.0), 0.0), of(lambda x: tf.maximum(0.0, x), 0.0),
        of(tf.maximum, nan, 2.0), of(tf.nn.relu, 0.0), of(tf.nn.softplus, 0.0),
        of(tf.sigmoid, 1000.0), of(tf.sigmoid, -1000.0), of(tf.tanh, 1000.0), of(tf.sqrt, 0.0),
        of(tf.sqrt, -1.0), of(tf.math.rsqrt, 0.0), of(lambda x: 1 / x, 0.0), of(tf.math.log, 0.0),
        of(tf.math.log, -1.0), of(tf.math.log1p, -1.0), of(tf.reduce_max, [1.0, 3.0, 3.0]),
        of(tf.reduce_min, [1.0, 1.0, 1.0]),
        of(lambda x: tf.clip_by_value(x, -1.0, 1.0), [-2.0, -1.0, 0.0, 1.0, 2.0]),
        of(tf.norm, [0.0, 0.0]), of(tf.math.reduce_std, [2.0, 2.0]),
        of(tf.reduce_prod, [0.0, 2.0, 3.0]), of(tf.reduce_prod, [0.0, 0.0, 3.0]),
        of(tf.pow, 0.0, 0.0), of(lambda x: x**0, 0.0), of(tf.pow, 0.0, 1.0), of(tf.pow, 0.0, 2.0),
        of(tf.pow, 0.0, 1.5), of(tf.pow, 0.0, 0.5), of(tf.pow, 0.0, -1.0), of(tf.pow, -2.0, 2.0),
        of(tf.pow, -2.0, 3.0), of(tf.pow, -2.0, 0.5), of(tf.pow, 2.0, 0.0),
        of(lambda x, y: x % y, 7.0, 2.0), of(lambda x, y: x % y, -7.0, 2.0), of(tf.atan2, 0.0, 0.0),
        of(tf.asin, 1.0), of(tf.acos, 1.0), of(tf.acosh, 1.0), of(tf.atanh, 1.0),
        of(lambda x: tf.where(x > 0, tf.sqrt(x), 0.0), [0.0, -1.0]),
        of(lambda x: tf.where(x == 0, 0.0, 1 / x), 0.0), of(tf.reduce_logsumexp, [1.0, 1.0]),
        of(lambda x: tf.stop_gradient(x) * x, 3.0), of(lambda x: tf.norm(x, ord=1), [0.0, 0.0]),
        of(lambda x: tf.norm(x, ord=np.inf), [2.0, -2.0]), of(tf.square, 0.0),
        of(tf.math.reduce_variance, [2.0, 2.0]),
    ]  # fmt: skip


@scenario
def complex_convention(tf):
    def of(f: Any) -> Any:
        z = tf.constant(1 + 2j)
        with tf.GradientTape() as tape:
            tape.watch(z)
            y = f(z)
        return tape.gradient(y, z)

    functions = [
        lambda z: z * z, lambda z: z**3, tf.exp, lambda z: 1 / z, tf.sqrt, tf.math.conj,
        tf.math.real, tf.math.imag, tf.abs, lambda z: tf.math.real(z * tf.math.conj(z)),
        tf.math.angle, tf.sin, tf.tanh, lambda z: tf.math.log(z),
        lambda z: tf.reduce_sum(tf.stack([z, z * z])), lambda z: z / (1 + z),
    ]  # fmt: skip
    a, b = tf.constant(1.0), tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch([a, b])
        y = tf.complex(a, b) ** 2
    return [[of(f) for f in functions], tape.gradient(y, [a, b])]


# --- what is easily got wrong without a word ------------------------------------------------------


@scenario
def gradient_of_an_outer_tape_within_an_inner_block(tf):
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as outer:
        outer.watch(x)
        y = x**3
        with tf.GradientTape() as inner:
            inner.watch(x)
            slope = outer.gradient(y, x)
            z = slope * x + y
    return [slope, inner.gradient(z, x), outer.gradient(z, x)]


@scenario
def gradient_of_an_inner_result_by_what_the_outer_made(tf):
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape(persistent=True) as outer:
        outer.watch(x)
        y = x * x
        with tf.GradientTape(persistent=True) as inner:
            inner.watch(y)
            z = tf.reduce_sum(y**3)
        first = inner.gradient(z, y)
        total = tf.reduce_sum(first * x)
    return [first, inner.gradient(z, x), outer.gradient(total, x), outer.gradient(z, [x, y])]


@scenario
def scattering_that_ignores_bad_places(tf):
    found = []
    updates, base = tf.constant([1.0, 2.0, 3.0]), tf.constant([10.0, 20.0, 30.0, 40.0])
    for places in ([[9], [0], [1]], [[-1], [2], [2]], [[0], [9], [0]], [[9], [9], [9]]):
        found += [
            tf.scatter_nd(places, updates, [4], bad_indices_policy="IGNORE"),
            tf.gather_nd(base, places, bad_indices_policy="IGNORE"),
        ]
    return found


@scenario
def slopes_that_nothing_multiplies(tf):
    x = tf.constant([0.0, 1.0])
    functions = [
        lambda x: tf.sqrt(x) * 0.0, lambda x: tf.where(x > 0.5, tf.sqrt(x), 0.0),
        lambda x: tf.math.multiply_no_nan(tf.sqrt(x), tf.zeros_like(x)), lambda x: tf.sqrt(x) * x,
        lambda x: tf.math.xlogy(x, x), lambda x: x**0.0,
        lambda x: tf.math.divide_no_nan(x, x), lambda x: tf.stop_gradient(tf.sqrt(x)) * x,
    ]  # fmt: skip
    found = []
    for function in functions:
        with tf.GradientTape(persistent=True) as outer:
            outer.watch(x)
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = function(x)
            slope = tape.gradient(y, x)
        found.append([y, slope, outer.gradient(slope, x)])
    return found


@scenario
def hessian_of_a_logarithm_of_a_determinant(tf):
    x = tf.constant([[2.0, 0.5, 0.1], [0.3, 1.5, 0.2], [0.4, 0.6, 3.0]], tf.float64)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.linalg.slogdet(x)[1]
        slope = tape.gradient(y, x)
    return [y, slope, outer.jacobian(slope, x)]


@scenario
def vectors_of_a_matrix_of_lower_rank(tf):
    found = []
    for wide in (False, True):
        a = tf.constant([[1.0, 2.0, 3.0], [2.0, 4.0, 6.0], [0.0, 0.0, 0.0], [1.0, 1.0, 1.0]])
        a = tf.transpose(a) if wide else a
        for full in (False, True):
            s, u, v = tf.linalg.svd(a, full_matrices=full)
            k = s.shape[0]
            again = (u[:, :k] * s) @ tf.transpose(v[:, :k])
            found += [
                s[:2], s[2] < 1e-5, u.shape, v.shape, tf.reduce_max(tf.abs(again - a)) < 1e-5,
                tf.reduce_max(tf.abs(tf.transpose(u) @ u - tf.eye(u.shape[1]))) < 1e-5,
                tf.reduce_max(tf.abs(tf.transpose(v) @ v - tf.eye(v.shape[1]))) < 1e-5,
            ]  # fmt: skip
    return found


@scenario
def types_of_tensors_and_variables(tf):
    v = tf.Variable([1.0, 2.0])
    values = (tf.constant(1.0), v, v[0], v + 1, v.value(), v.assign(v * 2), tf.shape(v), v.shape)
    return [type(x).__name__ for x in (*values, v.dtype, tf.convert_to_tensor(v), v.initializer)]


LOOPS = [(k, p, v) for k in (None, 1, 2, 10, 0, -1) for p in (False, True) for v in (False, True)]


def _jacobian_by(tf, kind, iterations, persistent, vectorized):
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    with tf.GradientTape(persistent=persistent) as tape:
        tape.watch(x)
        y = x * x
    how = {"parallel_iterations": iterations, "experimental_use_pfor": vectorized}
    return list(getattr(tape, kind)(y, x, **how).shape)


for _kind in ("jacobian", "batch_jacobian"):
    for _k, _how in enumerate(LOOPS):
        # Within a loop of several turns TensorFlow lists lines of its own, or none.
        TABLE.add(
            f"the loop of a {_kind} {_k}",
            lambda tf, kind=_kind, how=_how: _jacobian_by(tf, kind, *how),
            says="type" if (_kind, _k) == ("batch_jacobian", 9) else "plain",
        )
for _name, _rate in {
    "list": lambda tf: [0.5, 0.5],
    "tensor": lambda tf: tf.constant([0.5, 0.5]),
    "array": lambda tf: np.array([0.5, 0.5]),
    "text": lambda tf: "a",
    "nothing": lambda tf: None,
    "truth": lambda tf: True,
    "number of NumPy's": lambda tf: np.float64(0.0),
    "large": lambda tf: np.float32(1.5),
}.items():
    TABLE.add(f"a rate of dropout: {_name}", lambda tf, r=_rate: tf.nn.dropout(tf.ones([2]), r(tf)))
TABLE.add("a rate of dropout for integers", lambda tf: tf.nn.dropout(tf.ones([2], tf.int32), 0.5))


@TABLE.program
def stitched_dtypes(tf):
    """Stitch what has several dtypes: that of the first tensor, or of the first value."""
    whole, half = np.array([3, 4], np.int32), np.array([1.0, 2.0])
    pairs = [(half, whole), (whole, half), ([1.0, 2.0], whole), (tf.constant([1, 2]), half)]
    pairs += [(whole, tf.constant([1.0, 2.0])), (np.float32(half), [1, 2])]
    return [tf.dynamic_stitch([[0, 1], [2, 3]], pair) for pair in pairs]


TABLE.add(
    "stitched lists of two dtypes",
    lambda tf: tf.dynamic_stitch([[0], [1]], [[1], [1.5]]),
)
TABLE.rows(
    "iterations at a time",
    [
        lambda tf: tf.while_loop(lambda i: i < 3, lambda i: (i + 1,), (tf.constant(0),), None, 0),
        lambda tf: tf.while_loop(lambda i: i < 3, lambda i: (i + 1,), (tf.constant(0),), None, 2),
        lambda tf: tf.map_fn(lambda v: v * 2, tf.constant([1.0, 2.0]), parallel_iterations=0),
        lambda tf: tf.scan(lambda a, v: a + v, tf.constant([1.0, 2.0]), parallel_iterations=0),
        lambda tf: tf.foldl(lambda a, v: a + v, tf.constant([1.0, 2.0]), parallel_iterations=-1),
        lambda tf: tf.foldr(lambda a, v: a + v, tf.constant([1.0, 2.0]), parallel_iterations=0),
    ],
)


@TABLE.program
def own_source_of_a_jacobian(tf: Any) -> Any:
    """A target is its own source if the tape knows it, or reads it as a variable."""
    found = []
    for how in ({}, {"watch_accessed_variables": False}):
        for watched in (True, False):
            x, v = tf.constant([1.0, 2.0]), tf.Variable([1.0, 2.0])
            with tf.GradientTape(persistent=True, **how) as tape:
                if watched:
                    tape.watch(x)
                y = x * 2.0
            for z in (x, v, y):
                found += [tape.jacobian(z, z), tape.gradient(z, z)]
    return found


@TABLE.program
def range_of_what_is_watched(tf: Any) -> Any:
    """No gradient flows through the ends of a range, nor through its step."""
    a, b, c = tf.constant(1.0), tf.constant(9.0), tf.constant(1.5)
    with tf.GradientTape() as tape:
        tape.watch([a, b, c])
        y = tf.range(a, b, c)
    return [y, *tape.gradient(y, [a, b, c])]


@TABLE.program
def bends_at_no_number(tf: Any) -> Any:
    """At nan the slope of what bends is that of one side."""
    x = tf.constant([float("nan"), 0.0, -1.0, 2.0])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        ys = [f(x) for f in (tf.nn.elu, tf.nn.selu, tf.nn.relu, tf.nn.leaky_relu, tf.nn.softplus)]
    return [tape.gradient(y, x) for y in ys]
