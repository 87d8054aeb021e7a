"""Jacobians, batch Jacobians and Hessians of the tape against TensorFlow: sources and nesting."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import symtape

X = np.array([[0.5, -1.25, 2.0], [1.5, 0.75, -0.25]])
W = np.array([[1.0, 0.5], [-0.5, 2.0], [0.25, -1.0]])


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


def integers(tf: Any) -> Any:
    """Watch integers, and ask for their Jacobians."""
    n = tf.Variable([1, 2])
    with tf.GradientTape(persistent=True) as tape:
        y = n * n
        z = tf.cast(n, tf.float32) * 2.0
    return [tape.jacobian(y, n), tape.jacobian(z, n),
            tape.jacobian(z, n, unconnected_gradients="zero")]  # fmt: skip


def parts(tf: Any) -> Any:
    """Stop a part of the gradient."""
    x = tf.constant(X[0])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        p = tf.nn.softmax(x)
        y = tf.stop_gradient(p) * x + p
    return [tape.jacobian(y, x), tape.jacobian(p, x), tape.jacobian(y, p)]


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


def variables(tf: Any) -> Any:
    """Differentiate by variables, one of which is assigned in between."""
    v, w = tf.Variable(X[0]), tf.Variable(W)
    with tf.GradientTape(persistent=True) as tape:
        y = tf.linalg.matvec(w, v, transpose_a=True) ** 2
        v.assign(v * 2.0)
        y = y + tf.linalg.matvec(w, v, transpose_a=True)
    return [tape.jacobian(y, [v, w]), tape.jacobian(y, [v, v])]


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


def empty(tf: Any) -> Any:
    """Differentiate arrays without elements, and scalars."""
    x, t = tf.constant(X[:0]), tf.constant(0.5)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch([x, t])
        y, total, s = x * x, tf.reduce_sum(x), tf.sin(t)
    return [tape.jacobian(y, x), tape.jacobian(total, x), tape.jacobian(s, t)]


def dtypes(tf: Any) -> Any:
    """Take Jacobians across changes of dtype."""
    x = tf.constant(X[0].astype(np.float32))
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = tf.cast(tf.cast(x, tf.float64) ** 2, tf.float32)
        wide = tf.cast(x, tf.float64) * 2.0
    return [tape.jacobian(y, x), tape.jacobian(wide, x)]


def inside(tf: Any) -> Any:
    """Ask within the block, where the tape goes on recording."""
    x = tf.constant(X[0])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x**3
        first = tape.jacobian(y, x)
        again = tf.reduce_sum(first)
    return [first, tape.gradient(again, x)]


SCENES: list[Callable[[Any], Any]] = [
    unconnected, integers, parts, complexes, variables, twice, three, rows, batched, empty, dtypes,
    inside,
]  # fmt: skip


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.__name__)
def test_derivatives_are_those_of_tensorflow(
    scene: Callable[[Any], Any], tensorflow: ModuleType
) -> None:
    """Structures, None and zero, shapes, dtypes and numbers are TensorFlow's, again when cached."""
    theirs = scene(tensorflow)
    for _ in range(3):
        ours = scene(symtape)
        tensorflow.nest.assert_same_structure(theirs, ours)
        for a, b in zip(tensorflow.nest.flatten(theirs), symtape.nest.flatten(ours), strict=True):
            assert (a is None) == (b is None)
            if a is not None:
                assert (tuple(a.shape), a.dtype.name) == (tuple(b.shape), b.dtype.name)
                loose = a.dtype.name == "float32"
                np.testing.assert_allclose(
                    b.numpy(), a.numpy(), rtol=1e-5 if loose else 1e-11, atol=1e-12
                )


def test_a_hessian_is_that_of_nested_tapes(tensorflow: ModuleType) -> None:
    """`hessian`, inside of an outer tape too, is TensorFlow's Jacobian of a gradient."""

    def nested(tf: Any, x: Any) -> Any:
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = tf.reduce_logsumexp(x) * tf.reduce_sum(tf.sin(x))
            slope = inner.gradient(y, x)
        return outer.jacobian(slope, x)

    expected = nested(tensorflow, tensorflow.constant(X)).numpy()
    x = symtape.constant(X)
    np.testing.assert_allclose(nested(symtape, x).numpy(), expected, rtol=1e-11, atol=1e-13)
    with symtape.GradientTape() as outer:
        outer.watch(x)
        with symtape.GradientTape() as tape:
            tape.watch(x)
            y = symtape.reduce_logsumexp(x) * symtape.reduce_sum(symtape.sin(x))
        found = tape.hessian(y, x)
        trace = symtape.reduce_sum(found**2)
    np.testing.assert_allclose(found.numpy(), expected, rtol=1e-11, atol=1e-13)
    step = 1e-6 * np.cos(X)
    moved = [np.sum(nested(symtape, symtape.constant(X + s)).numpy() ** 2) for s in (step, -step)]
    slope = np.sum(outer.gradient(trace, x).numpy() * step)
    np.testing.assert_allclose(slope, (moved[0] - moved[1]) / 2, rtol=1e-6)
