"""Gradients that their author writes, and what is built on them: what TensorFlow answers.

Each function takes a module with TensorFlow's names and gives what a person would see.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.answers.answer import Table

TABLE = Table("custom")
program = TABLE.program


def type_only(function: Any) -> Any:
    """Add a program of which only the exception's type counts."""
    TABLE.add(function.__name__.replace("_", " "), function, says="type")
    return function


def square(tf: Any, factor: float = 10.0) -> Any:
    """Make x² with a gradient that is wrong by a factor, so that it is told from the true one."""

    @tf.custom_gradient
    def f(x):
        return x * x, lambda u: u * factor * x

    return f


def taped(tf: Any, f: Any, *xs: Any, **options: Any) -> Any:
    """Record a function, and give the tape and the result."""
    with tf.GradientTape(persistent=True, **options) as tape:
        tape.watch(xs)
        y = f(*xs)
    return tape, y


def first(tf: Any, f: Any, *xs: Any) -> Any:
    """Give the gradients of a function."""
    tape, y = taped(tf, f, *xs)
    return tape.gradient(y, xs)


def second(tf: Any, f: Any, x: Any) -> Any:
    """Give the gradient of the gradient of a function."""
    return first(tf, lambda x: first(tf, f, x)[0], x)


# --- values and orders ---------------------------------------------------------------------------


@program
def a_gradient(tf):
    return first(tf, square(tf), tf.constant(3.0))


@program
def a_gradient_within_others(tf):
    f = square(tf)
    return first(tf, lambda x: tf.exp(f(tf.sin(x))) * x, tf.constant([0.5, 1.5]))


@program
def a_second_gradient(tf):
    f = square(tf)
    return second(tf, lambda x: f(tf.sin(x)) * x, tf.constant([0.5, 1.5]))


@program
def what_is_taken_from_the_forward_computation(tf):
    @tf.custom_gradient
    def f(x):
        e = tf.exp(x)
        return e, lambda u: u * e * 10.0

    x = tf.constant(1.5)
    return [first(tf, f, x), second(tf, f, x), first(tf, lambda x: second(tf, f, x), x)]


@program
def nested_for_second_orders(tf):
    @tf.custom_gradient
    def f(x):
        def grad(u):
            @tf.custom_gradient
            def slope(x):
                return tf.cos(x), lambda v: -v * 100.0 * tf.sin(x)

            return u * slope(x)

        return tf.sin(x), grad

    x = tf.constant([0.5, 1.5])
    return [first(tf, f, x), second(tf, f, x), first(tf, lambda x: second(tf, f, x), x)]


@program
def log1pexp(tf):
    @tf.custom_gradient
    def f(x):
        e = tf.exp(x)
        return tf.math.log(1 + e), lambda upstream: upstream * (1 - 1 / (1 + e))

    return [first(tf, f, tf.constant(100.0)), second(tf, f, tf.constant(1.0))]


@program
def upstream_and_calls(tf):
    seen = []

    @tf.custom_gradient
    def f(x):
        def grad(u):
            seen.append(u)
            return u * x

        return x * 2.0, grad

    x = tf.constant([1.0, 2.0])
    tape, y = taped(tf, lambda x: f(x) ** 2, x)
    found = [tape.gradient(y, x), tape.gradient(y, x, output_gradients=tf.constant([5.0, 7.0]))]
    return [found, seen]


@program
def sources_on_the_way(tf):
    f = square(tf)
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        before = tf.sin(x)
        y = f(before)
        z = y * y
    return [tape.gradient(z, [x, before, y]), tape.gradient(y, [y, x]), tape.gradient([y, z], x)]


@program
def it_is_called_where_the_target_depends_on_it(tf):
    calls = []

    @tf.custom_gradient
    def f(x):
        def grad(u):
            calls.append(1)
            return u

        return x * x, grad

    x, y = tf.constant(3.0), tf.constant(4.0)
    tape, z = taped(tf, lambda x, y: f(x) * y, x, y)
    found = [tape.gradient(z, y), tape.gradient(y, x)]
    return [found, len(calls)]


@program
def a_gradient_inside_of_a_persistent_tape(tf):
    f = square(tf)
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = f(x)
        g = tape.gradient(y, x)
    return [g, tape.gradient(g, x)]


# --- structures ----------------------------------------------------------------------------------


def _two(tf, seen):
    @tf.custom_gradient
    def f(a, b):
        def grad(*us):
            seen.append(list(us))
            return us[0] * 10.0 + us[1] * 100.0, us[0] * 1000.0

        return (a * b, a + b), grad

    return f


@program
def several_inputs_and_results(tf):
    seen: list[Any] = []
    f = _two(tf, seen)
    x, y = tf.constant(3.0), tf.constant(4.0)
    picks = (lambda z: z[0], lambda z: z[1], lambda z: z[0] * z[1], lambda z: [z[1], z[0]])
    found = [first(tf, lambda x, y, pick=pick: pick(f(x, y)), x, y) for pick in picks]
    return [found, seen, type(f(x, y)).__name__]


@program
def dicts_in_and_out(tf):
    seen = []

    @tf.custom_gradient
    def f(d):
        def grad(*us):
            seen.append(list(us))
            return {"p": us[0] * 2.0, "q": us[1] * 5.0}

        return {"b": d["q"] * 1.0, "a": (d["p"] * 1.0,)}, grad

    x, y = tf.constant(3.0), tf.constant(4.0)
    with tf.GradientTape() as tape:
        tape.watch([x, y])
        out = f({"q": y, "p": x})
        z = out["a"][0] + 3.0 * out["b"]
    return [out, tape.gradient(z, {"x": x, "y": y}), seen]


@program
def results_without_derivatives(tf):
    seen = []

    @tf.custom_gradient
    def f(x):
        def grad(*us):
            seen.append(list(us))
            return us[0]

        return (x * 2.0, tf.constant([1, 2]), tf.cast(x, tf.float64)), grad

    x = tf.constant(3.0)
    tape, y = taped(tf, f, x)
    return [y, tape.gradient(y[0], x), seen]


@program
def keyword_arguments(tf):
    @tf.custom_gradient
    def f(a, k=None, *, c=2.0):
        return a * c if k is None else a * k, lambda u: u * 10.0

    x, y = tf.constant(3.0), tf.constant(4.0)
    return [first(tf, lambda x, y: f(x, k=y), x, y), first(tf, lambda x: f(x, c=3.0), x)]


@program
def what_enters_is_given_as_it_is(tf):
    kinds = []

    @tf.custom_gradient
    def f(a):
        kinds.append(isinstance(a, (tf.Tensor, tf.Variable)))
        return a * a, lambda u: u * 2.0 * a

    values = [np.float32(3), 3.0, np.array([1.0, 2.0]), 2, tf.constant(2.0), tf.Variable(2.0)]
    return [[f(v) for v in values], kinds]


@program
def the_value_may_leave_tensors(tf):
    @tf.custom_gradient
    def f(a):
        return np.sin(a.numpy()), lambda u: u * a

    @tf.custom_gradient
    def number(a):
        return 5.0, lambda u: u

    x = tf.constant(3.0)
    return [f(x), first(tf, f, x), second(tf, f, x), number(x), first(tf, number, x)]


@program
def the_gradient_may_leave_tensors(tf):
    @tf.custom_gradient
    def f(a):
        return a * a, lambda u: tf.constant(u.numpy() * 3.0 * a.numpy())

    x = tf.constant([3.0, 4.0])
    return [first(tf, f, x), second(tf, f, x)]


@program
def it_returns_its_input(tf):
    @tf.custom_gradient
    def f(a):
        return a, lambda u: u * 5.0

    x = tf.constant(3.0)
    return [f(x) is x, first(tf, f, x)]


@program
def no_arguments(tf):
    x = tf.constant(3.0)

    @tf.custom_gradient
    def f():
        return x * x, lambda u: u

    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f()
    return [y, tape.gradient(y, x)]


@program
def tensors_from_elsewhere(tf):
    w, x = tf.constant(5.0), tf.constant(3.0)

    @tf.custom_gradient
    def f(x):
        return x * w, lambda u: u * 7.0

    found = []
    for watched in ([w], [w, x]):
        with tf.GradientTape() as tape:
            tape.watch(watched)
            y = f(x)
        found.append(tape.gradient(y, [w, x]))
    return found


@program
def no_gradient_for_an_input(tf):
    @tf.custom_gradient
    def f(a, b):
        return a * b, lambda u: (None, u)

    x, y = tf.constant(3.0), tf.constant(4.0)
    tape, z = taped(tf, f, x, y)
    return [
        tape.gradient(z, [x, y]),
        tape.gradient(z, [x, y], unconnected_gradients="zero"),
        first(tf, lambda x, y: f(x, y) + x * x, x, y),
    ]


@program
def integers_among_arguments(tf):
    @tf.custom_gradient
    def f(a, n):
        return a * 2.0, lambda u: (u * 3.0, None)

    return first(tf, lambda x: f(x, tf.constant([1, 2])), tf.constant(3.0))


@program
def a_nested_gradient(tf):
    found = []
    for given in (lambda u: {"a": u}, lambda u: [[u]], lambda u: [None], lambda u: None):
        f = tf.custom_gradient(lambda a, given=given: (a * a, given))
        found.append(first(tf, f, tf.constant(3.0)))
    return found


@program
def a_variable_as_an_argument(tf):
    w = tf.Variable(2.0)

    @tf.custom_gradient
    def f(a, b):
        return a * b, lambda u: (u * b, u * a * 100.0)

    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x, w)
    return tape.gradient(y, [x, w])


# --- decorating ----------------------------------------------------------------------------------


@program
def methods(tf):
    class Model:
        k = 4.0

        def __init__(self):
            self.g = tf.custom_gradient(self._g)

        @tf.custom_gradient
        def f(self, a):
            return a * a, lambda u: u * self.k

        def _g(self, a):
            return a * a, lambda u: u * 5.0 * self.k

    model = Model()
    x = tf.constant(3.0)
    return [first(tf, model.f, x), first(tf, model.g, x)]


@program
def names_are_kept(tf):
    @tf.custom_gradient()
    def f(a):
        """Multiply by itself."""
        return a * a, lambda u: u

    g = tf.recompute_grad(lambda a: a)
    return [f.__name__, f.__doc__, hasattr(f, "__wrapped__"), g.__name__, hasattr(g, "__wrapped__")]


@program
def inside_of_tf_function(tf):
    f = square(tf)

    @tf.function
    def g(a):
        return f(a) * 2.0

    return [first(tf, g, tf.constant(3.0)), first(tf, tf.function(f), tf.constant([1.0, 2.0]))]


# --- variables -----------------------------------------------------------------------------------


def _with_variable(tf, make):
    w, x = tf.Variable(2.0, name="w"), tf.constant(3.0)
    f = tf.custom_gradient(lambda a: (a * w, make(a, w)))
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    return [y, tape.gradient(y, [x, w])]


@program
def variables_are_named(tf):
    def by_name(a, w):
        def grad(u, variables=None):
            return u * w, [u * a for _ in variables]

        return grad

    def by_keyword_only(a, w):
        def grad(u, *, variables):
            return u * w, [u * a]

        return grad

    def by_keywords(a, w):
        def grad(u, **k):
            return u * w, [u * a * len(k["variables"])]

        return grad

    def none(a, w):
        return lambda u, variables: (u * w, [None])

    return [_with_variable(tf, make) for make in (by_name, by_keyword_only, by_keywords, none)]


@program
def variables_without_the_argument(tf):
    return _with_variable(tf, lambda a, w: lambda u: u * w)


@program
def variables_without_a_tape(tf):
    w = tf.Variable(2.0, name="w")
    return tf.custom_gradient(lambda a: (a * w, lambda u: u))(tf.constant(3.0))


@program
def too_few_gradients_of_variables(tf):
    return _with_variable(tf, lambda a, w: lambda u, variables=None: (u, []))


@type_only
def no_pair_for_variables(tf):
    return _with_variable(tf, lambda a, w: lambda u, variables=None: u * w)


@program
def two_variables(tf):
    v, w = tf.Variable(2.0), tf.Variable(5.0)
    x = tf.constant(3.0)

    @tf.custom_gradient
    def f(a):
        def grad(u, variables=None):
            return u, [u * 10.0 if x is v else u * 20.0 for x in variables]

        return a * w * v, grad

    with tf.GradientTape() as tape:
        y = f(x)
    return tape.gradient(y, [v, w])


@program
def the_argument_without_variables(tf):
    seen = []

    @tf.custom_gradient
    def f(a):
        def grad(u, variables="none"):
            seen.append(variables)
            return u

        return a * 2.0, grad

    return [first(tf, f, tf.constant(3.0)), seen]


@program
def variables_that_are_not_trainable(tf):
    w = tf.Variable(7.0, trainable=False)
    f = tf.custom_gradient(lambda a: (a * w, lambda u: u * w))
    return first(tf, f, tf.constant(3.0))


@program
def variables_that_no_tape_watches(tf):
    w, x = tf.Variable(2.0), tf.constant(3.0)
    f = tf.custom_gradient(lambda a: (a * w, lambda u, variables: (u * 3.0, [u * a])))
    with tf.GradientTape(watch_accessed_variables=False) as tape:
        tape.watch(x)
        y = f(x)
    return [tape.gradient(y, [x]), len(tape.watched_variables())]


@program
def variables_that_the_gradient_reads(tf):
    w = tf.Variable(2.0)
    f = tf.custom_gradient(lambda a: (a * 2.0, lambda u: u * w * a))
    x = tf.constant(3.0)
    with tf.GradientTape() as outer:
        outer.watch(x)
        g = first(tf, f, x)[0]
    return [g, outer.gradient(g, [x, w])]


@program
def linear_poly(tf):
    weights = tf.Variable(tf.ones([2]))

    @tf.custom_gradient
    def f(x):
        def grad(u, variables):
            dw = u * tf.stack([x**1, x**0])
            return u * weights[1], [tf.reduce_sum(tf.reshape(dw, [2, -1]), axis=1)]

        return weights[1] * x + weights[0], grad

    x = tf.constant([1.0, 2.0, 3.0])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = f(x)
    return [y, tape.gradient(y, x), tape.gradient(y, weights)]


# --- mistakes ------------------------------------------------------------------------------------


def _count(n):
    def run(tf):
        f = tf.custom_gradient(lambda a, b: (a * b, lambda u: (u,) * n))
        return first(tf, f, tf.constant(3.0), tf.constant(4.0))

    return run


TABLE.rows("gradients for two inputs", [_count(n) for n in range(4)])


@type_only
def no_pair(tf):
    return tf.custom_gradient(lambda a: a * a)(tf.constant(3.0))


@type_only
def no_function_of_cotangents(tf):
    return tf.custom_gradient(lambda a: (a * a, 5.0))(tf.constant(3.0))


@program
def no_value(tf):
    return tf.custom_gradient(lambda a: (None, lambda u: u))(tf.constant(3.0))


@program
def what_the_gradient_raises(tf):
    def grad(_):
        raise KeyError("mine")

    return first(tf, tf.custom_gradient(lambda a: (a * a, grad)), tf.constant(3.0))


# --- Jacobians -----------------------------------------------------------------------------------

BACKWARDS = {
    "linear": lambda tf, a: lambda u: u * a * 10.0,
    "a matrix": lambda tf, a: lambda u: tf.linalg.matvec(tf.reshape(tf.range(9.0), (3, 3)), u) * a,
    "cumulative": lambda tf, a: lambda u: tf.cumsum(u[::-1]) * a,
    "masked": lambda tf, a: lambda u: tf.where(a > 1.5, u, 0.0),
    "clipped": lambda tf, a: lambda u: tf.clip_by_value(u, -1.0, 1.0) * a,
    "affine": lambda tf, a: lambda u: u * a + 1.0,
    "squared": lambda tf, a: lambda u: u * u * a,
    "by its norm": lambda tf, a: lambda u: tf.clip_by_norm(u, 0.5) * a,
}


def _jacobian(make):
    def run(tf):
        f = tf.custom_gradient(lambda a: (a * a, make(tf, a)))
        x = tf.constant([1.0, 2.0, 3.0])
        tape, y = taped(tf, lambda x: f(tf.sin(x)) * x, x)
        return tape.jacobian(y, x)

    return run


def _batch_jacobian(make):
    def run(tf):
        f = tf.custom_gradient(lambda a: (a * a, make(tf, a)))
        x = tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
        tape, y = taped(tf, f, x)
        return tape.batch_jacobian(y, x)

    return run


def _nested_hessian(make):
    def run(tf):
        f = tf.custom_gradient(lambda a: (a * a, make(tf, a)))
        x = tf.constant([1.0, 2.0, 3.0])
        tape, g = taped(tf, lambda x: first(tf, lambda x: f(tf.sin(x)) ** 2, x)[0], x)
        return tape.jacobian(g, x)

    return run


for _name, _make in BACKWARDS.items():
    TABLE.add(f"jacobian of {_name}", _jacobian(_make))
    TABLE.add(f"hessian of {_name}", _nested_hessian(_make))
for _name in ("linear", "clipped", "affine"):
    TABLE.add(f"batch_jacobian of {_name}", _batch_jacobian(BACKWARDS[_name]))


@program
def jacobian_by_several_sources(tf):
    @tf.custom_gradient
    def f(a, b):
        return tf.stack([a[0] * b[0], a[1]]), lambda u: (u * 2.0, tf.stack([u[0] + u[1]]) * 3.0)

    x, y = tf.constant([1.0, 2.0]), tf.constant([3.0])
    tape, z = taped(tf, f, x, y)
    return tape.jacobian(z, [x, y])


# --- recomputing, and passing through ------------------------------------------------------------


@program
def recomputed(tf):
    runs = []

    def f(x, k=2.0):
        runs.append(1)
        return x**k

    g = tf.recompute_grad(f)
    x = tf.constant([1.0, 2.0])
    found = [g(x), first(tf, g, x), first(tf, lambda x: g(x, k=4.0), x), second(tf, g, x)]
    return [found, len(runs)]


@program
def recomputed_with_variables(tf):
    v, w = tf.Variable(2.0), tf.Variable(7.0, trainable=False)
    y = tf.constant(3.0)
    g = tf.recompute_grad(lambda a: a * v * w * y)
    x = tf.constant(5.0)
    with tf.GradientTape() as tape:
        tape.watch([x, y])
        z = g(x)
    return [z, tape.gradient(z, [x, y, v, w])]


@program
def recomputed_results(tf):
    g = tf.recompute_grad(lambda a: (a**3, a**2))
    x = tf.constant(3.0)
    tape, y = taped(tf, g, x)
    return [y, tape.gradient(y[0], x), tape.gradient(y, x)]


@program
def passed_through(tf):
    f = tf.grad_pass_through(tf.round)
    v, w = tf.Variable(1.0), tf.Variable(3.0)
    x, y = tf.constant(3.4), tf.constant(2.0)
    with tf.GradientTape() as tape:
        z = tf.grad_pass_through(v.assign)(w**2)
    pair = tf.grad_pass_through(lambda a, b: (a * b, b))
    return [
        first(tf, lambda x: f(x * 1.3) * x, x),
        [z, tape.gradient(z, w)],
        first(tf, pair, x, y),
        first(tf, tf.grad_pass_through(lambda a: w * a), x),
    ]


@program
def passed_through_from_two_to_one(tf):
    f = tf.grad_pass_through(lambda a, b: a * b)
    return first(tf, f, tf.constant(3.0), tf.constant(4.0))


def _decorated(tf: Any) -> Any:
    """What was decorated is there by both of TensorFlow's names, and gives value and gradient."""
    square = tf.custom_gradient(lambda x: (x * x, lambda dy: 2.0 * x * dy))
    value, slope = square.__original_wrapped__(tf.constant(3.0))
    return [value, slope(tf.constant(1.0)), square.__wrapped__ is square.__original_wrapped__]


TABLE.add("what was decorated", _decorated)
