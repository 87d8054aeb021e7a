"""Several functions whose gradients their author writes, one after another and within each other.

What flows back passes each of them once: from what was computed of its results, wherever that is.
"""

from __future__ import annotations

from typing import Any

from tests.answers.answer import Table
from tests.answers.custom import square, taped

TABLE = Table("custom_chains")
program = TABLE.program


def pair(tf: Any) -> Any:
    """Make a product and a sine, whose gradients are wrong and cross."""

    @tf.custom_gradient
    def f(x, y):
        return (x * y, tf.sin(y)), lambda u, w: (2.0 * u * y + w, 0.5 * u * x - w * u)

    return f


@program
def each_feeds_the_next_and_is_read_after_it(tf):
    f = square(tf)

    def chain(x):
        y, read = x, tf.sin(x)
        for k in range(5):
            y, before = f(y * 0.5) + read, y
            read = read * before + float(k) * y
        return y * read

    x = tf.constant([0.5, 0.25])
    tape, y = taped(tf, chain, x)
    return [y, tape.gradient(y, x)]


@program
def residual_blocks(tf):
    f = square(tf, 3.0)

    def chain(x):
        for _ in range(4):
            x = x + f(x) * 0.25
        return x

    x = tf.constant([0.5, -0.25])
    with tf.GradientTape() as outer:
        outer.watch(x)
        tape, y = taped(tf, chain, x)
        g = tape.gradient(y, x)
    return [y, g, outer.gradient(g, x)]


@program
def two_results_that_are_read_in_several_segments(tf):
    f, g = pair(tf), square(tf, 3.0)

    def chain(x, z):
        a, b = f(x, z)
        c = g(a) * b
        d, e = f(c, b)
        return g(d) + e * a + tf.stop_gradient(b) * a

    xs = tf.constant([0.5, 0.25]), tf.constant([1.5, -1.0])
    tape, y = taped(tf, chain, *xs)
    return [y, tape.gradient(y, xs)]


@program
def targets_and_sources_between(tf):
    f = square(tf)
    x = tf.constant([0.5, 0.25])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        a = f(tf.sin(x))
        b = f(a) * a
        c = f(b) + x * a
    found = [tape.gradient(y, [x, a, b, c]) for y in (a, b, c)]
    both = tape.gradient([b, c], [x, a])
    weighted = tape.gradient([b, c], [x, a], [tf.constant([2.0, 3.0]), tf.sin(b)])
    return [found, both, weighted]


@program
def variables_that_are_assigned_between(tf):
    f, v = square(tf), tf.Variable([0.5, 0.25])
    with tf.GradientTape(persistent=True) as tape:
        a = f(v)
        v.assign_add(a)
        b = f(a * v) + v
        v.assign(b * 0.5)
        c = f(v) * f(b)
    return [tape.gradient(y, v) for y in (a, b, c)]


@program
def rows_that_are_gathered_before_and_after_another(tf):
    f, met = square(tf), []

    @tf.custom_gradient
    def kept(x):
        def grad(u):
            met.append([type(u).__name__, tf.convert_to_tensor(u)])
            return tf.convert_to_tensor(u) * 2.0

        return tf.identity(x), grad

    def chain(x):
        y = kept(x)
        first = f(tf.gather(y, [0, 2]))
        return first * tf.gather(y, [1, 1])

    x = tf.constant([[0.5], [0.25], [1.5]])
    tape, y = taped(tf, chain, x)
    return [tape.gradient(y, x), met]


@program
def each_within_another_and_run_again(tf):
    f = square(tf)

    @tf.custom_gradient
    def outer(x):
        return f(x) * x, lambda u: f(u) * x

    again = tf.recompute_grad(lambda x: outer(tf.sin(x)) + f(x))

    def chain(x):
        y = again(x) + x
        return again(outer(y)) * y

    x = tf.constant([0.5, 0.25])
    tape, y = taped(tf, chain, x)
    return [y, tape.gradient(y, x)]


@program
def a_result_of_one_element_that_many_read(tf):
    f = square(tf)

    def chain(x):
        s = f(tf.reduce_sum(x))
        y = x * s
        for _ in range(3):
            y = f(y) + s
        return y

    x = tf.constant([0.5, 0.25])
    tape, y = taped(tf, chain, x)
    return [y, tape.gradient(y, x)]


@program
def authors_that_give_nothing_back(tf):
    @tf.custom_gradient
    def nothing(x):
        return x * x, lambda u: None

    f = square(tf)
    x = tf.constant([0.5, 0.25])
    tape, y = taped(tf, lambda x: f(nothing(f(x))), x)
    beside, z = taped(tf, lambda x: f(nothing(f(x)) + f(x)), x)
    return [tape.gradient(y, x), beside.gradient(z, x)]
