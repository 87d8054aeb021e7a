"""Tapes where programs seldom have them: re-entered, interleaved, in threads, generators, loops."""

from __future__ import annotations

import collections
import contextlib
import gc
import threading
import weakref
from typing import Any

from tests.answers.answer import Table
from tests.answers.ragged import whole

TABLE = Table("tapes")
program = TABLE.program

# --- of tapes ---


@program
def persistent_reentered(tf: Any) -> Any:
    x = tf.Variable(2.0)
    t = tf.GradientTape(persistent=True)
    with t:
        y = x**2
    x.assign(5.0)
    with t:
        z = y * x
    return (t.gradient(z, x), t.gradient(y, x), [v.name for v in t.watched_variables()])


@program
def order_three_stop_recording(tf: Any) -> Any:
    x = tf.Variable(1.5)
    with tf.GradientTape() as t3:
        with tf.GradientTape() as t2:
            with tf.GradientTape() as t1:
                y = x**4
                with t1.stop_recording():
                    k = x**2
                y = y * k
            d1 = t1.gradient(y, x)
            with t2.stop_recording():
                d1b = d1 * x
            w = d1 + d1b
        d2 = t2.gradient(w, x)
        with t3.stop_recording():
            e = d2 * x
        s = d2 * e
    return (d1, d2, t3.gradient(s, x))


@program
def interleaved_tapes_not_nested(tf: Any) -> Any:
    x = tf.constant(2.0)
    a, b = (tf.GradientTape(), tf.GradientTape())
    a.__enter__()
    a.watch(x)
    y = x**2
    b.__enter__()
    b.watch(y)
    z = y**3
    a.__exit__(None, None, None)
    w = z * y
    b.__exit__(None, None, None)
    return (a.gradient(z, x), b.gradient(w, y))


@program
def exception_in_stop_recording(tf: Any) -> Any:
    x = tf.constant(2.0)
    with tf.GradientTape() as t:
        t.watch(x)
        with contextlib.suppress(KeyError), t.stop_recording():
            a = x * x
            {}["nothing"]
        y = x * x * a
    return t.gradient(y, x)


@program
def tensors_freed_by_tape(tf: Any) -> Any:
    x = tf.constant(2.0)
    with tf.GradientTape() as t:
        t.watch(x)
        y = x * 2.0
        r = weakref.ref(y)
        y = y * x
    g = t.gradient(y, x)
    del t
    gc.collect()
    return (g, r() is None)


@program
def threads(tf: Any) -> Any:
    x = tf.constant(2.0)
    out = {}
    with tf.GradientTape() as t:
        t.watch(x)
        y = x**2

        def work(k):
            with tf.GradientTape() as i:
                i.watch(x)
                z = x**k
            out[k] = (i.gradient(z, x), z)

        ts = [threading.Thread(target=work, args=(k,)) for k in (1, 2, 3)]
        [q.start() for q in ts]
        [q.join() for q in ts]
        y = y + out[3][1]
    return (t.gradient(y, x), [out[k][0] for k in (1, 2, 3)])


@program
def tape_used_in_another_thread(tf: Any) -> Any:
    x = tf.constant(2.0)
    out = []
    with tf.GradientTape(persistent=True) as t:
        t.watch(x)
        y = x**2
        th = threading.Thread(target=lambda: out.append((t.gradient(y, x), x**3)))
        th.start()
        th.join()
    return (out[0][0], t.gradient(out[0][1], x))


@program
def tape_in_abandoned_generator(tf: Any) -> Any:
    x = tf.constant(2.0)

    def gen():
        with tf.GradientTape() as t:
            t.watch(x)
            y = x**3
            yield y
            yield t.gradient(y, x)

    g = gen()
    a = next(g)
    g.close()
    with tf.GradientTape() as t:
        t.watch(x)
        y = x * a
    return t.gradient(y, x)


@program
def generator_of_tapes_with_send(tf: Any) -> Any:
    x = tf.constant(2.0)

    def gen():
        y = x
        while True:
            with tf.GradientTape() as t:
                t.watch(y)
                z = y**2
                f = yield z
                z = z * f
            y = t.gradient(z, y)

    g = gen()
    return [next(g), *[g.send(tf.constant(f)) for f in (1.0, 2.0, 3.0)]]


# --- of sources ---


@program
def watch_of_views(tf: Any) -> Any:
    m = tf.reshape(tf.range(6.0), [2, 3])
    v = m[0]
    r = tf.reshape(m, [-1])
    tr = tf.transpose(m)
    with tf.GradientTape(persistent=True) as t:
        t.watch([v, r, tr])
        y = tf.reduce_sum(v**2) + tf.reduce_sum(r**3) + tf.reduce_sum(tf.sin(tr) * tf.transpose(m))
    return t.gradient(y, [m, v, r, tr])


@program
def int_bool_targets(tf: Any) -> Any:
    x = tf.constant(2.0)
    n = tf.constant(3)
    b = tf.constant(True)
    with tf.GradientTape(persistent=True) as t:
        t.watch([x, n, b])
        i = tf.cast(x, tf.int32)
        y = x * tf.cast(n, tf.float32)
        q = x > 1.0
    return (
        t.gradient(i, x),
        t.gradient(y, [x, n, b]),
        t.gradient(q, x),
        t.gradient([y, i], x),
        t.gradient(n, n),
        t.gradient(b, b, unconnected_gradients="zero"),
        t.jacobian(y, n),
        t.jacobian(i, x),
    )


@program
def unconnected_in_structures(tf: Any) -> Any:
    Pair = collections.namedtuple("Pair", "u v")  # noqa: PYI024 - a plain one
    a = tf.constant([1.0, 2.0])
    b = tf.constant(2.0, tf.float64)
    c = tf.constant([1, 2])
    d = tf.Variable([[True]])
    with tf.GradientTape() as t:
        t.watch(a)
        y = a * 3.0
    g = t.gradient(y, Pair(u=[a, b], v={"c": c, "d": d}), unconnected_gradients="zero")
    return (type(g).__name__, tuple(g))


@program
def output_gradients_watched_outer(tf: Any) -> Any:
    x = tf.constant([1.0, 2.0])
    w = tf.Variable([3.0, 4.0])
    with tf.GradientTape() as o:
        with tf.GradientTape() as t:
            t.watch(x)
            y = x**2
        g = t.gradient(y, x, output_gradients=w * w)
        s = tf.reduce_sum(g)
    return (g, o.gradient(s, w))


@program
def assign_of_watched_tensor(tf: Any) -> Any:
    v = tf.Variable([1.0, 2.0])
    x = tf.constant([3.0, 4.0])
    with tf.GradientTape(persistent=True) as t:
        t.watch(x)
        u = v.assign(x * 2.0)
        y = tf.reduce_sum(u * v * x)
    return (t.gradient(y, [v, x]), t.gradient(u, v))


@program
def read_value_and_handle(tf: Any) -> Any:
    v = tf.Variable([1.0, 2.0])
    with tf.GradientTape(persistent=True) as t:
        r = v.read_value()
        s = v.value()
        i = tf.identity(v)
        g = v.sparse_read([1, 0])
        q = v.gather_nd([[1]])
        y = tf.reduce_sum(r * s * i * g) + tf.reduce_sum(q)
    return ([t.gradient(y, k) for k in (r, s, i, g, q)], t.gradient(y, v))


# --- of loops and derivatives in them ---


@program
def while_grad(tf: Any) -> Any:
    x = tf.constant(1.1)
    with tf.GradientTape(persistent=True) as t:
        t.watch(x)
        i, y = tf.while_loop(lambda i, y: y < 10.0, lambda i, y: (i + 1, y * x + 1.0), [0, x])
    return (t.gradient(y, x), i, t.gradient(i, x))


@program
def batch_jacobian_in_while(tf: Any) -> Any:
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])

    def body(i, a):
        with tf.GradientTape() as t:
            t.watch(x)
            y = tf.sin(x * tf.cast(i, tf.float32)) * x[:, ::-1]
        return (i + 1, a + t.batch_jacobian(y, x))

    return tf.while_loop(lambda i, a: i < 3, body, [0, tf.zeros([2, 2, 2])])


@program
def maml(tf: Any) -> Any:
    w = tf.Variable([1.0, 2.0])

    def loss(w, s):
        return tf.reduce_sum((w - s) ** 2 * w)

    with tf.GradientTape() as o:
        with tf.GradientTape() as i:
            first = loss(w, 1.0)
        g = i.gradient(first, w)
        u = w - 0.1 * g
        with tf.GradientTape() as i2:
            i2.watch(u)
            l2 = loss(u, 2.0)
        u2 = u - 0.1 * i2.gradient(l2, u)
        m = loss(u2, 3.0)
    return o.gradient(m, w)


@program
def hvp_three_ways(tf: Any) -> Any:
    x = tf.constant([1.0, 2.0, 3.0])
    v = tf.constant([1.0, -1.0, 0.5])

    def f(x):
        return tf.reduce_prod(x) + tf.reduce_sum(tf.sin(x))

    with tf.GradientTape() as o:
        o.watch(x)
        with tf.GradientTape() as i:
            i.watch(x)
            y = f(x)
        g = i.gradient(y, x)
    a = o.gradient(g, x, output_gradients=v)
    with tf.autodiff.ForwardAccumulator(x, v) as acc:
        with tf.GradientTape() as i:
            i.watch(x)
            y = f(x)
        g = i.gradient(y, x)
    b = acc.jvp(g)
    with tf.GradientTape() as o:
        o.watch(x)
        with tf.autodiff.ForwardAccumulator(x, v) as acc:
            y = f(x)
        j = acc.jvp(y)
    return (a, b, o.gradient(j, x))


@program
def accumulator_over_accumulator_over_tape(tf: Any) -> Any:
    x = tf.constant(1.5)
    with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as a:
        with tf.autodiff.ForwardAccumulator(x, tf.constant(2.0)) as b:
            with tf.GradientTape() as t:
                t.watch(x)
                y = tf.sin(x) * x**2
            g = t.gradient(y, x)
        j = b.jvp(g)
    return (g, j, a.jvp(j), a.jvp(g))


@program
def accumulator_tangent_depends_on_tape(tf: Any) -> Any:
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as t:
        t.watch(x)
        with tf.autodiff.ForwardAccumulator(x, tf.sin(x)) as acc:
            y = x**3
        j = acc.jvp(y)
    return (j, t.gradient(j, x))


# --- of gradients of one's own ---


@program
def recompute_with_kwargs_nested(tf: Any) -> Any:
    v = tf.Variable(3.0)
    f = tf.recompute_grad(lambda x, s=1.0: tf.sin(x * v) * s)
    g = tf.recompute_grad(lambda x: f(f(x), s=2.0))
    x = tf.constant([0.5, 0.7])
    with tf.GradientTape() as t:
        t.watch(x)
        y = g(x)
    return (y, t.gradient(y, [x, v]))


@program
def custom_nested_inside_custom(tf: Any) -> Any:
    @tf.custom_gradient
    def inner(x):
        return (x**2, lambda dy: dy * 100.0)

    @tf.custom_gradient
    def outer(x):
        with tf.GradientTape() as t:
            t.watch(x)
            y = inner(x) * x
        g = t.gradient(y, x)
        return (y, lambda dy: dy * g)

    x = tf.constant(2.0)
    with tf.GradientTape() as o:
        o.watch(x)
        with tf.GradientTape() as t:
            t.watch(x)
            y = outer(x)
        g = t.gradient(y, x)
    return (y, g, o.gradient(g, x))


@program
def custom_gradient_structures(tf: Any) -> Any:
    @tf.custom_gradient
    def f(d, pair):
        return (
            {"s": d["a"] + pair[0], "p": [d["b"] * pair[1]]},
            lambda *dy: ({"a": dy[1], "b": dy[0]}, [dy[1] * 2.0, dy[0] * 3.0]),
        )

    d = {"a": tf.constant(1.0), "b": tf.constant(2.0)}
    pair = [tf.constant(3.0), tf.constant(4.0)]
    with tf.GradientTape(persistent=True) as t:
        t.watch([d, pair])
        y = f(d, pair)
    return (y, t.gradient(y["s"], [d, pair]), t.gradient(y["p"], [d, pair]))


@program
def custom_gradient_variables_none_returned(tf: Any) -> Any:
    v = tf.Variable(2.0)

    @tf.custom_gradient
    def f(x):
        return (x * v, lambda dy, variables=None: (dy, [None]))

    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        t.watch(x)
        y = f(x)
    return t.gradient(y, [x, v])


@program
def methods_with_gradients_of_their_own(tf: Any) -> Any:
    class Scaled:
        factor = 3.0

        @whole(tf).custom_gradient
        def cube(self, x: Any) -> Any:
            return x**3 * self.factor, lambda upstream: upstream * self.factor

        @whole(tf).grad_pass_through
        def rounded(self, x: Any) -> Any:
            return tf.round(x) * self.factor

        @classmethod
        @whole(tf).custom_gradient
        def doubled(cls, x: Any) -> Any:
            return x * 2.0, lambda upstream: upstream * cls.factor * 5.0

    x, scaled = tf.constant(2.4), Scaled()
    found = []
    for f in (scaled.cube, scaled.doubled):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        found += [y, tape.gradient(y, x)]
    return [*found, scaled.rounded(x), Scaled.cube.__name__]


@program
def an_accumulator_asks_for_the_gradient(tf: Any) -> Any:
    asked = []

    @tf.custom_gradient
    def square(x: Any) -> Any:
        def grad(upstream: Any) -> Any:
            asked.append(upstream)
            return upstream * 2.0 * x

        return x * x, grad

    x = tf.constant(3.0)
    with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as acc:
        y = square(x)
        seen = list(asked)
        square(tf.constant(2.0))
    return [acc.jvp(y), seen, len(asked)]


@program
def an_accumulator_hears_of_a_gradient_that_raises(tf: Any) -> Any:
    @tf.custom_gradient
    def one(x: Any) -> Any:
        def grad(upstream: Any) -> Any:
            raise ZeroDivisionError("the author's")

        return 1.0, grad

    x = tf.constant(3.0)
    with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)):
        one(x)


@program
def references_are_ordered(tf: Any) -> Any:
    a, b = tf.constant(1.0).ref(), tf.Variable(2.0).ref()
    keys = tf.nest.flatten({a: 1.0, b: 2.0})
    return [(a < b) != (b < a), (a < b) == (b > a), len({a, b, a}), sorted(keys)]


@program
def references_beside_what_is_none(tf: Any) -> Any:
    return tf.constant(1.0).ref() == 1.0


@program
def a_function_gives_a_handle(tf: Any) -> Any:
    v = tf.Variable([[1.0]])
    f = tf.function(lambda x: (x * v, v.handle))
    return f(tf.constant(2.0))[0]
