"""`tf.gradients` and `tf.hessians` within a `tf.function`."""

from __future__ import annotations

from typing import Any

from tests.answers.answer import Table

TABLE = Table("graphs")
program = TABLE.program


@program
def derivatives_of_derivatives(tf):
    @tf.function
    def slopes(x):
        y = x**3 + tf.sin(x)
        first = tf.gradients(y, x)[0]
        return y, first, tf.gradients(first, x)[0]

    return [slopes(tf.constant(v)) for v in ([1.0, 2.0], [3.0, 4.0])]


@program
def a_residual_and_its_tape(tf):
    w, b = tf.Variable([[1.0, 2.0], [3.0, 4.0]]), tf.Variable([0.5, 0.1])
    rate = tf.Variable(2.0, trainable=False)

    @tf.function
    def step(x):
        with tf.GradientTape() as tape:
            y = tf.tanh(x @ w + b) * rate
            first = tf.gradients(y[:, 0], x)[0]
            second = tf.gradients(first[:, 0], x)[0]
            loss = tf.reduce_mean((second[:, 0:1] + y[:, 1:2]) ** 2)
        return loss, tape.gradient(loss, [w, b]), tf.gradients(loss, [w, b, rate])

    return [step(tf.constant([[0.1, 0.2], [0.3, -0.4], [0.5, 0.6]])) for _ in range(2)]


@program
def constants_of_the_function(tf):
    @tf.function
    def slopes():
        x = tf.constant(3.0)
        seeds = [tf.constant(2.0), tf.constant(1.0)]
        return tf.gradients([x**2, x * 2], [x], grad_ys=seeds), tf.hessians(x**3, x)

    return slopes()


@program
def weights_that_are_not_given(tf):
    @tf.function
    def slopes(x):
        y, z = x * x, tf.sin(x)
        one = tf.gradients([y, z], x, grad_ys=[tf.constant([1.0, 2.0]), None])
        return one, tf.gradients([y, z], x, grad_ys=[None, None]), tf.gradients(y, x, grad_ys=None)

    return slopes(tf.constant([1.0, 3.0]))


@program
def what_is_not_connected(tf):
    @tf.function
    def slopes(x):
        z = x * 2
        whole = tf.cast(x, tf.int32)
        return [
            *tf.gradients(tf.stop_gradient(z) * z, x),
            *tf.gradients(z, [x, tf.constant(3.0)], unconnected_gradients="zero"),
            *tf.gradients(whole, x, unconnected_gradients="zero"),
            *tf.gradients(z, tf.constant(3.0)),
        ]

    return slopes(tf.constant(5.0))


@program
def beside_a_tape(tf):
    @tf.function
    def slopes(x):
        z = x * 2
        with tf.GradientTape() as tape:
            tape.watch(z)
            q = z**2
        return tf.gradients(tape.gradient(q, z), x)

    return slopes(tf.constant(5.0))


@program
def below_a_tape(tf):
    @tf.function
    def slope(x):
        return tf.gradients(x**3 + tf.sin(x), x)[0]

    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = slope(x) ** 2
    return tape.gradient(y, x)


@program
def a_gradient_of_ones_own(tf):
    @tf.custom_gradient
    def squared(x):
        return x * x, lambda upstream: upstream * 5.0

    @tf.function
    def slope(x):
        return tf.gradients(squared(x * 2.0), x)

    return slope(tf.constant(1.0))


@program
def gradients_that_end_at_some_tensors(tf):
    @tf.function
    def slopes(x):
        y = x**2
        z = y * x
        first = tf.gradients(z, x, stop_gradients=[y])[0]
        return [
            tf.gradients(z, [x, y], stop_gradients=[y]),
            tf.gradients(y + z, [x, y, z], stop_gradients=[x, y, z]),
            tf.gradients(y, x, stop_gradients=y),
            tf.gradients(z, x, stop_gradients=[]),
            tf.gradients(first, x),
        ]

    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        found = slopes(x)
        sum_of_some = found[0][0] + found[3][0]
    return [found, tape.gradient(sum_of_some, x)]


@program
def gradients_that_end_beside_a_gradient_of_ones_own(tf):
    @tf.custom_gradient
    def squared(x):
        return x * x, lambda upstream: upstream * 10.0 * x

    @tf.function
    def slopes(x, v):
        y = squared(x)
        z = squared(y) * y * v
        u = tf.cond(y > 0.0, lambda: z * y, lambda: z)
        ended = tf.gradients(u, [x, y, v], stop_gradients=[y])
        return ended, tf.gradients(u, [x, z], stop_gradients=[z]), tf.gradients(z, [x, y])

    return slopes(tf.constant(2.0), tf.constant(3.0))


@program
def methods(tf):
    class Model(tf.Module):
        def __init__(self, v: float) -> None:
            super().__init__()
            self.v = tf.Variable(v)

        @tf.function
        def __call__(self, x: Any) -> Any:
            return tf.gradients(self.v * x**2, [x, self.v])

    return [Model(v)(tf.constant(3.0)) for v in (2.0, 3.0)]


@program
def hessians_of_vectors(tf):
    @tf.function
    def second(x):
        return tf.hessians(tf.reduce_sum(x**2) * x[0], [x])

    return second(tf.constant([1.0, 2.0]))


@program
def outside_of_a_function(tf):
    x = tf.constant(1.0)
    tf.function(lambda x: tf.gradients(x * x, x))(x)
    return tf.hessians(x, x)


@program
def after_assignments(tf):
    v, count = tf.Variable([1.0, 2.0]), tf.Variable(0)

    @tf.function
    def step(x):
        v.assign(x)
        count.assign_add(1)
        y = tf.reduce_sum(v**3)
        (slope,) = tf.gradients(y, [v])
        v.assign_sub(0.1 * slope)
        return y, slope

    found = [step(tf.constant([1.0, 2.0]) * k) for k in (1.0, 2.0, 3.0)]
    return found, v, count


@program
def gradients_of_its_own_by_those_of_the_graph(tf):
    """The gradient that the author says is taken when the `tf.function` is over."""

    @tf.function
    @tf.custom_gradient
    def clipped(x, w):
        y = tf.sin(x) * w**2
        return y, lambda dy: tf.gradients(y, [x, w], tf.clip_by_value(dy, -1.0, 1.0))

    x, w = tf.constant([1.0, 2.0, 3.0]), tf.Variable([0.5, 1.5, 2.0])
    results: list[Any] = []
    for _ in range(2):
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape(persistent=True) as tape:
                tape.watch(x)
                y = clipped(x * 2, w)
                loss = tf.reduce_sum(y * [0.5, 3.0, -2.0])
            slopes = tape.gradient(loss, [x, w])
            square = tf.reduce_sum(slopes[0] ** 2)
        results += [y, slopes, tape.gradient(loss, w), outer.gradient(square, [x, w])]
    return results


@program
def gradients_of_its_own_within_a_function(tf):
    @tf.function
    def slope(x, w):
        @tf.custom_gradient
        def product(a):
            z = a * w
            return z, lambda dz: tf.gradients(z, a, dz)[0] + tf.gradients(z, w, dz)[0]

        return product(x * 3)

    x, w = tf.constant([1.0, 2.0]), tf.constant([3.0, 5.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = slope(x, w)
    return tape.gradient(y, x)


def _too_few_weights(tf: Any) -> Any:
    """Give one weight for two results."""
    run = tf.function(lambda x: tf.gradients([x * x, tf.sin(x)], x, grad_ys=[tf.constant(1.0)]))
    return run(tf.constant(2.0))


TABLE.add("too few weights", _too_few_weights, says="type")
