"""Jacobians, batch Jacobians and Hessians of tapes: sources, structures, None and nesting."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.answers.answer import Table

TABLE = Table("derivatives")

X = np.array([[0.5, -1.25, 2.0], [1.5, 0.75, -0.25]])
W = np.array([[1.0, 0.5], [-0.5, 2.0], [0.25, -1.0]])


@TABLE.program
def unconnected(tf: Any) -> Any:
    """Ask for Jacobians by what the target does not depend on."""
    x, other, number = tf.constant(X), tf.constant(W), tf.constant([1, 2])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch([x, other])
        y = tf.sin(x)
        cut = tf.stop_gradient(x) * 2.0
        whole = tf.cast(tf.cast(x, tf.int32), tf.float64) * 3.0
    return [
        tape.jacobian(y, [x, other]),
        tape.jacobian(y, {"x": x, "other": other}, unconnected_gradients="zero"),
        tape.jacobian(y, number),
        tape.jacobian(y, number, unconnected_gradients="zero"),
        tape.jacobian(cut, x),
        tape.jacobian(cut, x, unconnected_gradients=tf.UnconnectedGradients.ZERO),
        tape.jacobian(whole, x),
        tape.batch_jacobian(cut, x),
        tape.jacobian(tf.constant(X), x),
    ]


@TABLE.program
def batches_that_do_not_fit(tf: Any) -> Any:
    """Ask for batch Jacobians of shapes that have no batch in common, or no rest."""
    shapes = [(2, 3), (), (2, 2), (3,), (2,), (1, 3)]
    said = []
    for source in shapes:
        x = tf.ones(source)
        for target in shapes:
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = tf.reduce_sum(x) * tf.ones(target)
            try:
                said.append(tape.batch_jacobian(y, x).shape.as_list())
            except (ValueError, IndexError) as error:
                said.append(str(error))
    return said


@TABLE.program
def elements_one_by_one(tf: Any) -> Any:
    """Begin to go through a tensor before a tape is entered, and go on within it."""
    x, v = tf.constant(X), tf.Variable(W)
    rows, other = iter(x), iter(v)
    first = next(rows)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = next(rows) * first + tf.reduce_sum(next(other) ** 2)
    return [tape.gradient(y, x), tape.gradient(y, v), tape.jacobian(y, x), next(other), *rows]


@TABLE.program
def stacks_of_products_without_elements(tf: Any) -> Any:
    """Multiply matrices of which some axes have no element."""
    found = []
    for left, right in (([2, 0, 0], [2, 0, 3]), ([0, 3, 0], [0, 0, 2]), ([2, 3, 0], [2, 0, 1])):
        a, b = tf.Variable(tf.zeros(left)), tf.Variable(tf.zeros(right))
        with tf.GradientTape() as tape:
            products = [tf.matmul(a, b), tf.einsum("bij,bjk->bik", a, b)]
        found += [*products, *tape.gradient(products, [a, b])]
    return found


@TABLE.program
def integers(tf: Any) -> Any:
    """Watch integers, and ask for their Jacobians."""
    n = tf.Variable([1, 2])
    with tf.GradientTape(persistent=True) as tape:
        y = n * n
        z = tf.cast(n, tf.float32) * 2.0
    return [tape.jacobian(y, n), tape.jacobian(z, n),
            tape.jacobian(z, n, unconnected_gradients="zero")]  # fmt: skip


@TABLE.program
def parts(tf: Any) -> Any:
    """Stop a part of the gradient."""
    x = tf.constant(X[0])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        p = tf.nn.softmax(x)
        y = tf.stop_gradient(p) * x + p
    return [tape.jacobian(y, x), tape.jacobian(p, x), tape.jacobian(y, p)]


@TABLE.program
def complexes(tf: Any) -> Any:
    """Differentiate real and complex functions by complex and real numbers."""
    z = tf.constant(X[0] + 1j * X[1])
    r = tf.constant(X[0])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch([z, r])
        square = z * z
        size = tf.abs(z)
        mixed = tf.cast(r, tf.complex128) * z
        part = tf.math.real(mixed)
    return [tape.jacobian(size, z), tape.jacobian(part, [z, r]), tape.gradient(square, z)]


@TABLE.program
def variables(tf: Any) -> Any:
    """Differentiate by variables, one of which is assigned in between."""
    v, w = tf.Variable(X[0]), tf.Variable(W)
    with tf.GradientTape(persistent=True) as tape:
        y = tf.linalg.matvec(w, v, transpose_a=True) ** 2
        v.assign(v * 2.0)
        y = y + tf.linalg.matvec(w, v, transpose_a=True)
    return [tape.jacobian(y, [v, w]), tape.jacobian(y, [v, v])]


@TABLE.program
def twice(tf: Any) -> Any:
    """Take the Jacobian of a Jacobian under an outer tape."""
    x = tf.constant(X[0])
    with tf.GradientTape(persistent=True) as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = tf.sin(x) * tf.reduce_sum(x**2)
        first = inner.jacobian(y, x)
        total = tf.reduce_sum(first**2)
    return [first, outer.jacobian(first, x), outer.gradient(total, x), outer.jacobian(total, x)]


@TABLE.program
def three(tf: Any) -> Any:
    """Take third derivatives by three tapes, a Jacobian, a gradient and a Jacobian."""
    x = tf.constant(X[0])
    with tf.GradientTape() as a:
        a.watch(x)
        with tf.GradientTape() as b:
            b.watch(x)
            with tf.GradientTape() as c:
                c.watch(x)
                y = tf.reduce_sum(x**4) * x[0]
            first = c.gradient(y, x)
        second = b.jacobian(first, x)
    return [second, a.jacobian(second, x)]


@TABLE.program
def rows(tf: Any) -> Any:
    """Take batch Jacobians under an outer tape, of rows that are independent and that are not."""
    x, w = tf.constant(X), tf.constant(W)
    found = []
    for f in (
        lambda x: tf.tanh(x @ w),
        lambda x: tf.nn.softmax(x),
        lambda x: x + tf.reduce_sum(x, 0),
        lambda x: tf.reverse(x, [0]) * x,
        lambda x: tf.reshape(x, [2, 3, 1]) ** 2,
        lambda x: x * x - tf.reduce_mean(x * x),
    ):
        with tf.GradientTape(persistent=True) as outer:
            outer.watch([x, w])
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = f(x)
            jacobian = inner.batch_jacobian(y, x)
            total = tf.reduce_sum(jacobian * jacobian) * tf.reduce_sum(tf.sin(x))
        found += [jacobian, outer.gradient(total, x, unconnected_gradients="zero")]
        found += [outer.gradient(total, w, unconnected_gradients="zero")]
    return found


@TABLE.program
def batched(tf: Any) -> Any:
    """Take the batch Jacobian of a gradient: the Hessian of each row."""
    x, w = tf.constant(X), tf.constant(W)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            loss = tf.reduce_sum(tf.tanh(x @ w) ** 2, axis=1)
        slope = inner.gradient(loss, x)
    return outer.batch_jacobian(slope, x)


@TABLE.program
def empty(tf: Any) -> Any:
    """Differentiate arrays without elements, and scalars."""
    x, t = tf.constant(X[:0]), tf.constant(0.5)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch([x, t])
        y, total, s = x * x, tf.reduce_sum(x), tf.sin(t)
    return [tape.jacobian(y, x), tape.jacobian(total, x), tape.jacobian(s, t)]


@TABLE.program
def dtypes(tf: Any) -> Any:
    """Take Jacobians across changes of dtype."""
    x = tf.constant(X[0].astype(np.float32))
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = tf.cast(tf.cast(x, tf.float64) ** 2, tf.float32)
        wide = tf.cast(x, tf.float64) * 2.0
    return [tape.jacobian(y, x), tape.jacobian(wide, x)]


@TABLE.program
def inside(tf: Any) -> Any:
    """Ask within the block, where the tape goes on recording."""
    x = tf.constant(X[0])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x**3
        first = tape.jacobian(y, x)
        again = tf.reduce_sum(first)
    return [first, tape.gradient(again, x)]


def valley(tf: Any, x: Any) -> Any:
    """Compute a number by which every element of an array bends the others."""
    return tf.reduce_logsumexp(x) * tf.reduce_sum(tf.sin(x))


def nested(tf: Any, at: Any) -> Any:
    """Take the Jacobian of a gradient."""
    x = tf.constant(at)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = valley(tf, x)
        slope = inner.gradient(y, x)
    return outer.jacobian(slope, x)


TABLE.add("Jacobian of a gradient", lambda tf: nested(tf, X))


LOOPS: list[Callable[[Any, Any], Any]] = [
    lambda tf, x: tf.while_loop(
        lambda i, y: i < 3, lambda i, y: (i + 1, y * x), (tf.constant(0), x), back_prop=False
    )[1],
    lambda tf, x: tf.map_fn(lambda v: v * v, tf.stack([x, x]), back_prop=False),
    lambda tf, x: tf.scan(lambda a, v: a * v, tf.stack([x, x]), back_prop=False),
    lambda tf, x: tf.foldl(lambda a, v: a * v, tf.stack([x, x]), back_prop=False),
    lambda tf, x: tf.foldr(lambda a, v: a * v, tf.stack([x, x]), back_prop=False),
]


def _looped(loop: Callable[[Any, Any], Any], *, within: bool) -> Callable[[Any], Any]:
    def run(tf: Any) -> Any:
        x = tf.constant(2.0)
        of = tf.function(lambda x: loop(tf, x)) if within else lambda x: loop(tf, x)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = of(x)
        return y, tape.gradient(y, x)

    return run


TABLE.rows(
    "without back propagation",
    [_looped(loop, within=within) for loop in LOOPS for within in (False, True)],
)
