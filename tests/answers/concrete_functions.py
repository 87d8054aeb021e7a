"""Functions for arguments of one type: what they take, and how often functions are traced."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from tests.answers.answer import Table

TABLE = Table("concrete_functions")

Run = Callable[[Any, Any, Any], Any]
"""A function of a module with TensorFlow's names, `tf.TensorSpec`, and a concrete function."""


def scaled(x, times=2, *, shift=None):
    """Be of a parameter with a default, and one that is named."""
    return x * times if shift is None else x * times + shift


def called(run: Run) -> Callable[[Any], Any]:
    """Ask for a concrete function of a vector of two numbers, and call it once."""

    def answer(tf: Any) -> Any:
        f = tf.function(scaled).get_concrete_function(tf.TensorSpec([2]))
        f(tf.constant([1.0, 2.0]))
        return run(tf, tf.TensorSpec, f)

    return answer


V = [1.0, 2.0]
CALLS: list[Run] = [
    lambda tf, S, f: f(tf.constant(V)),
    lambda tf, S, f: f(x=tf.constant(V)),
    lambda tf, S, f: f(tf.constant(V), 2, shift=None),
    lambda tf, S, f: f(V, 2, shift=None),
    lambda tf, S, f: f(V),
    lambda tf, S, f: f(np.ones(2)),
    lambda tf, S, f: f(tf.constant(V), 3, shift=None),
    lambda tf, S, f: f(tf.constant(V), shift=None),
    lambda tf, S, f: f(tf.constant([1, 2]), 2, shift=None),
    lambda tf, S, f: f(tf.constant([1.0]), 2, shift=None),
    lambda tf, S, f: f(),
    lambda tf, S, f: f(1, 2, 3, 4),
    lambda tf, S, f: f(tf.constant(V), q=1),
    lambda tf, S, f: f(tf.constant(V), x=tf.constant(V)),
    lambda tf, S, f: f(["a", "b"], 2, shift=None),
    lambda tf, S, f: f.structured_input_signature,
    lambda tf, S, f: str(f).split("\nCaptures")[0],
    lambda tf, S, f: repr(f).rpartition(" at ")[0],
    lambda tf, S, f: str(f.function_type),
    lambda tf, S, f: f.pretty_printed_signature(verbose=False),
]
TABLE.rows("a call", [called(run) for run in CALLS])


def asked(f: Any, *args: Any, **kwargs: Any) -> Any:
    """Say how a function is called whose concrete function is asked for."""
    found = f.get_concrete_function(*args, **kwargs)
    text = found.pretty_printed_signature(verbose=False)
    return found.structured_input_signature, text.partition(") -> ")[0].rstrip(")")


def _first(x):
    return x[0]


def _method(tf: Any) -> Any:
    class Net(tf.Module):
        @tf.function(input_signature=[tf.TensorSpec([None, 2], name="image")])
        def call(self, x):
            return x, {"again": [x, None]}

    return Net().call


def _by_leaves(tf: Any) -> Any:
    f = tf.function(lambda d, *, k: d["a"] + d["b"][0] + k)
    S = tf.TensorSpec([])
    found = f.get_concrete_function({"b": (S, 3), "a": S}, k=S)
    one = [tf.constant(n) for n in (1.0, 2.0, 3.0)]
    return [
        found(*one),
        found({"a": one[0], "b": (one[1], 3)}, k=one[2]),
        found(one[0], one[1], k=one[2]),
    ]


TABLE.rows(
    "what is asked for",
    [
        lambda tf: asked(tf.function(scaled), 1.5),
        lambda tf: asked(tf.function(scaled), tf.constant(1.5), np.float32(2), shift=np.float32(1)),
        lambda tf: asked(tf.function(scaled), x=tf.TensorSpec(None, tf.float64, name="wide")),
        lambda tf: asked(tf.function(scaled)),
        lambda tf: asked(tf.function(scaled), 1, 2, 3),
        lambda tf: asked(tf.function(_first), [tf.TensorSpec([]), (tf.TensorSpec([2]), "a")]),
        lambda tf: asked(tf.function(_first), (1, [2.0, "a"], {})),
        lambda tf: asked(tf.function(lambda d: d["a"]), {"b": {"c": True}, "a": tf.TensorSpec([])}),
        lambda tf: asked(tf.function(lambda *a, **k: a[0]), tf.constant(1), 2, q=tf.constant(2.0)),
        lambda tf: asked(tf.function(lambda x, *a: x), tf.constant(1), 2),
        lambda tf: asked(tf.function(lambda x: x + 1), tf.Variable([1.0, 2.0], trainable=False)),
        lambda tf: asked(_method(tf)),
        lambda tf: asked(_method(tf), tf.zeros([1, 2])),
        lambda tf: asked(_method(tf), tf.zeros([1, 3])),
        lambda tf: asked(_method(tf), tf.TensorSpec([4, 2])),
        lambda tf: _method(tf).get_concrete_function()(tf.ones([1, 2])),
        lambda tf: _method(tf).get_concrete_function()(image=tf.ones([1, 2])),
        lambda tf: _method(tf).get_concrete_function()(x=np.ones([1, 2])),
        _by_leaves,
    ],
)  # fmt: skip


def _used(function: Callable[..., Any], *sizes: Any) -> Callable[[Any], Any]:
    """Name the variables of a function for tensors of some sizes, and whether they can be trained.

    It must leave them as they are.
    """

    def answer(tf: Any) -> Any:
        variables = [
            tf.Variable(1.0, name="a"),
            tf.Variable([2.0], name="b", trainable=False),
            tf.Variable(3, name="c"),
        ]
        run = tf.function(lambda *xs: function(tf, *variables, *xs))
        found = run.get_concrete_function(*[tf.TensorSpec(size) for size in sizes])
        trained = sorted([v.name for v in found.trainable_variables])
        return [sorted([v.name for v in found.variables]), trained, variables]

    return answer


TABLE.rows(
    "variables of",
    [
        _used(lambda tf, a, b, c, x: x * b + a, [None]),
        _used(lambda tf, a, b, c, x: (c.assign_add(1), a * x, b.assign(x))[1], [1]),
        _used(lambda tf, a, b, c, x: x, []),
        _used(lambda tf, a, b, c: a.read_value() + tf.cast(c, tf.float32)),
        _used(lambda tf, a, b, c, x, y: [a * x if i % 2 else y + b for i in range(3)], [2], [1]),
        _used(lambda tf, a, b, c, x: tf.reduce_sum(x) * a if x.shape[0] > 1 else x, [2]),
    ],
)


def traces(*calls: Callable[[Any], Any], **options: Any) -> Callable[[Any], Any]:
    """Count after each call."""

    def answer(tf: Any) -> Any:
        f = tf.function(lambda *args, **kwargs: tf.constant(1), **options)
        found = [f.experimental_get_tracing_count()]
        for call in calls:
            args, kwargs = call(tf)
            f(*args, **kwargs)
            found.append(f.experimental_get_tracing_count())
        return found

    return answer


def _variables(tf: Any) -> Any:
    v, w = tf.Variable(1.0), tf.Variable(2.0)
    f = tf.function(lambda x, y: x + y)
    found = []
    for x, y in [(v, w), (w, v), (v, v), (w, w), (v, tf.constant(1.0)), (tf.constant(2.0), w)]:
        f(x, y)
        found.append(f.experimental_get_tracing_count())
    return found


def _objects(tf: Any) -> Any:
    one, other = object.__new__(_Thing), object.__new__(_Thing)
    f = tf.function(lambda thing: tf.constant(1))
    for thing in (one, one, other, one):
        f(thing)
    return f.experimental_get_tracing_count()


class _Thing:
    """An object of the user's."""


def _methods(tf: Any) -> Any:
    class Net(tf.Module):
        @tf.function
        def call(self, x):
            return x

    a, b = Net(), Net()
    for net, x in [(a, 1.0), (a, 2.0), (b, 1.0)]:
        net.call(tf.constant(x))
        net.call(x)
    return [a.call.experimental_get_tracing_count(), b.call.experimental_get_tracing_count()]


def _asked_for(*sizes: Any, **options: Any) -> Callable[[Any], Any]:
    """Count after a function is asked for by specs, and after calls, whose sizes are known."""

    def answer(tf: Any) -> Any:
        f = tf.function(lambda x, *more: tf.reduce_sum(x), **options)
        found = []
        for shape in sizes:
            is_known = shape is not None and None not in shape
            f(tf.ones(shape)) if is_known else f.get_concrete_function(tf.TensorSpec(shape))
            found.append(f.experimental_get_tracing_count())
        return found

    return answer


def _with_signature(tf: Any) -> Any:
    f = tf.function(lambda x: x, input_signature=[tf.TensorSpec([None])])
    found = [f.experimental_get_tracing_count()]
    for n in (1, 2, 3):
        f(tf.ones(n))
        found.append(f.experimental_get_tracing_count())
    return found


def positional(*values: Any) -> Callable[[Any], Any]:
    """Count for values, one after the other."""
    return traces(*[lambda tf, x=x: ([x], {}) for x in values])


def named(*values: Any) -> Callable[[Any], Any]:
    """Count for values that are named."""
    return traces(*[lambda tf, x=x: ([], {"x": x}) for x in values])


def tensors(*values: Any) -> Callable[[Any], Any]:
    """Count for tensors."""
    return traces(*[lambda tf, x=x: ([tf.constant(x)], {}) for x in values])


TABLE.rows(
    "traces",
    [
        tensors(1.0, 2.0, [1.0], [2.0], 1, [1]),
        positional(1, 2, 1, 1.0, True, False, 0, "a", "a", None),
        positional(np.float32(1), np.ones(2), np.zeros(2), [1.0], [2.0]),
        named([1], [1], (1,), {"a": 1}, {"a": 2}, {"b": 1}),
        traces(lambda tf: ([[tf.constant(1.0), 2]], {}), lambda tf: ([[tf.constant(3.0), 2]], {})),
        traces(lambda tf: ([1.0], {}), lambda tf: ([2.0], {}), jit_compile=False),
        _variables,
        _objects,
        _methods,
        _with_signature,
        _asked_for([3], [None], [3], [4], [None], [1, 2], None, [2, 2], [2, 2, 2]),
        _asked_for([None, 2], [3, 2], [3, 3], [None, None], [4, 4], [5]),
        _asked_for([2], [3], [None], [4], [2, 2], reduce_retracing=True),
    ],
)


def signed(function: Callable[..., Any], signature: Callable[[Any], Any], *args: Any, **more: Any):
    """Call a function with an `input_signature`."""

    def answer(tf: Any) -> Any:
        given = [tf.constant(2.0), *args]
        return tf.function(function, input_signature=signature(tf.TensorSpec([])))(*given, **more)

    return answer


TABLE.rows(
    "input signatures",
    [
        signed(lambda x: x, lambda spec: [3]),
        signed(lambda x: x, lambda spec: [None]),
        signed(lambda x: x, lambda spec: 3),
        signed(lambda x: x, lambda spec: {"x": 3}),
        signed(lambda x: x, lambda spec: [[spec, 3]]),
        signed(lambda x, y: x, lambda spec: [spec]),
        signed(lambda x: x, lambda spec: [spec] * 2),
        signed(lambda x, *, y: x, lambda spec: [spec], y=3),
        signed(lambda x, *, y=2: x, lambda spec: [spec], y=2),
        signed(lambda *x: x, lambda spec: [spec] * 2, 1.0),
        signed(lambda x, y=2: x * y, lambda spec: [spec]),
    ],
)


def given(function: Callable[..., Any], *args: Any, **more: Any) -> Callable[[Any], Any]:
    """Call a function without an `input_signature`."""
    return lambda tf: tf.function(function)(*args, **more)


def _calling(x):
    return _first(x, *[x] * 5)


TABLE.rows(
    "arguments that a function does not take",
    [
        given(lambda x, y, k=3: x),
        given(lambda x, y, k=3: x, np.ones(2), k=[1]),
        given(lambda x, y, k=3: x, 1, 2, 3, 4),
        given(lambda x, y, k=3: x, 1, y=2, z="a"),
        given(lambda x, y, k=3: x, 1, 2, x=3),
        given(lambda x, *, y: x, 1),
        given(lambda x, *, y: x, 1, 2),
        lambda tf: _method(tf)(tf.ones([1, 2]), 2),
    ],
)
TABLE.add("a call within that does not fit", given(_calling, 1), says="type")


class Doubled:
    """A callable object, which has no name of a function."""

    def __call__(self, x):
        """Give a structure of results."""
        return {"twice": x * 2, "whole": (x, int(x.shape[0]))}


def of_results(function: Any, asked: str) -> Callable[[Any], Any]:
    """Call a function of two numbers once, and ask for the shapes or the dtypes of its results."""

    def answer(tf: Any) -> Any:
        f = tf.function(function).get_concrete_function(tf.TensorSpec([2]))
        f(tf.constant(V))
        return repr(getattr(f, asked))

    return answer


def name_of(function: Any) -> Callable[[Any], Any]:
    """Give the name of a concrete function without its number."""

    def answer(tf: Any) -> Any:
        f = tf.function(function).get_concrete_function(tf.TensorSpec([2]))
        return f.name.decode().rpartition("_")[0]

    return answer


RESULTS = [
    Doubled(),
    partial(scaled, times=3),
    lambda x: x,
    lambda x: None,
    lambda x: [x, None, 3],
    lambda x: (x > 1, {"k": [x[0]]}),
]
for _asked in ("output_shapes", "output_dtypes"):
    TABLE.rows(_asked, [of_results(f, _asked) for f in RESULTS])
TABLE.rows("names", [name_of(f) for f in (Doubled(), partial(scaled, times=3), scaled)])


@TABLE.program
def decorated_within(tf: Any) -> Any:
    """A base of modules decorates the function that a `tf.function` runs."""
    function = tf.function(lambda x: x * 2)
    function._decorate(lambda inner: lambda x: inner(x) + 1)
    return function(tf.constant(3.0))


@TABLE.program
def decorated_too_late(tf: Any) -> Any:
    """It is too late for that once the function was called."""
    function = tf.function(lambda x: x * 2)
    function(tf.constant(3.0))
    return function._decorate(lambda inner: inner)


def _with_default(x: Any, y: Any = 2.0) -> Any:
    return x + y


class _Layer:
    def scaled(self, x: Any, by: Any = 2.0) -> Any:
        return x * by


def _signed(function: Any, count: int, *args: Any, **kwargs: Any) -> Any:
    """Give a function a signature of so many numbers, and call it."""

    def run(tf: Any) -> Any:
        made = tf.function(function, input_signature=[tf.TensorSpec([], tf.float32)] * count)
        return made(*args, **kwargs)

    return run


TABLE.rows(
    "arguments that a signature does not name",
    [
        _signed(_with_default, 1, 1.0),
        _signed(_with_default, 1, 1.0, 2.0),
        _signed(_with_default, 1, 1.0, 3.0),
        _signed(_with_default, 1, 1.0, y=3.0),
        _signed(_with_default, 3, 1.0),
        _signed(lambda x, y: x + y, 1, 1.0),
        _signed(lambda *a: sum(a), 3, 1.0, 2.0, 3.0),
        _signed(lambda *a: sum(a), 3, 1.0, 2.0),
        _signed(lambda *a: sum(a), 3, 1.0, 2.0, 3.0, 4.0),
        _signed(lambda x, **k: x, 1, 1.0, z=2.0),
        _signed(_Layer().scaled, 1, 3.0),
        _signed(_Layer().scaled, 1, 3.0, 4.0),
        lambda tf: tf.function(_with_default, input_signature=[tf.TensorSpec([])] * 3),
        lambda tf: tf.function(lambda x, y: x, input_signature=[tf.TensorSpec([])]),
        lambda tf: tf.function(3),
    ],
    says="type",
)


def _shapes(tf: Any) -> Any:
    """Ask what functions give before they are called; what they assign stays unassigned."""
    counter, seen = tf.Variable(0), []

    def f(x, y):
        counter.assign_add(1)
        seen.append(1)
        return {"sum": x + y, "both": (tf.stack([x, x]), None, y > 0)}

    made = tf.function(f).get_concrete_function(tf.TensorSpec([2]), tf.constant([1.0, 2.0]))
    told = made.structured_outputs
    leaves = [(tuple(t.shape), t.dtype.name) for t in tf.nest.flatten(told) if t is not None]
    drawn = tf.function(lambda: tf.random.uniform([2])).get_concrete_function()
    return leaves, counter.numpy().item(), len(seen), str(drawn.output_shapes)


TABLE.add("results that are known beforehand", _shapes)
TABLE.add(
    "a function added to no graph",
    lambda tf: tf.function(lambda x: x).get_concrete_function(tf.TensorSpec([2])).add_to_graph(),
)


def _chosen(tf: Any) -> Any:
    """Of two functions that implement one API, that for processors runs within functions.

    One that a tape follows from outside is not replaced.
    """

    def made(name: str, power: int, **how: str) -> Any:
        def run(x):
            return tf.while_loop(lambda i, y: i < power, lambda i, y: (i + 1, y * x), [0, x])[1]

        return tf.function(run, experimental_attributes={"api_implements": name, **how})

    def either(name: str) -> Any:
        def call(x):
            plain = made(name, 3)
            other = made(name, 1, api_preferred_device="CPU")
            result = plain(x)
            other.get_concrete_function(x).add_to_graph()
            return result

        return call

    x = tf.constant(3.0)
    found = [either("a")(x), tf.function(either("b"))(x), tf.function(either("c"))(x)]
    with tf.GradientTape() as tape:
        found.append(tf.function(either("d"))(x))
        tape.watch(x)
        found.append(tf.function(either("e"))(x))
        found.append(tf.function(either("f"))(tf.constant(2.0)))
    return found


TABLE.add("one of two implementations", _chosen)


def _one_by_one(tf: Any) -> Any:
    """What a function takes and gives, without structure."""
    made = tf.function(lambda x, times: (x["a"] * times, None, {"b": x["c"] > 0}))
    specs = {"a": tf.TensorSpec([2]), "c": tf.TensorSpec([], name="other")}
    concrete = made.get_concrete_function(specs, 3.0)
    concrete({"a": tf.zeros([2]), "c": tf.constant(0.0)}, 3.0)
    return [
        [(tuple(t.shape), t.dtype.name) for t in tensors]
        for tensors in (concrete.inputs, concrete.outputs)
    ]


TABLE.add("tensors one by one", _one_by_one)
