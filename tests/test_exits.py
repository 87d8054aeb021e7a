"""Values that leave the recording of a function: an error or the right derivative."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

import symtape as tf
from tests.exits import NUMBERS, PLACES
from tests.sampling import some

X, N = np.array([0.7, 1.3, -0.4]), np.array([0.4, 1.6, 0.9])

WANTED = {"x": (0,), "n": (1,), "x and n": (0, 1)}


def differences(plain, by):
    """Differentiate f(x, n, base of x) by x or n, at (X, N, X)."""

    def at(step):
        args = [X.astype(complex), N.astype(complex)]
        args[by] = args[by] + step
        return plain(*args, X)

    return np.array([at(1e-200j * row).imag / 1e-200 for row in np.eye(3)])


@pytest.mark.parametrize(
    ("way", "where", "by"), some([*itertools.product(NUMBERS, PLACES, WANTED)], 8)
)
def test_no_derivative_is_lost(way, where, by):
    """What leaves and depends on what is differentiated by raises; all else has its gradient."""
    place, numbers = PLACES[where], WANTED[by]
    slope = tf.grad(lambda x, n: place.run(x, n, NUMBERS[way]), argnums=numbers)
    is_lost = any("xn"[k] in place.leaves for k in numbers)
    for _ in range(2):
        if is_lost:
            with pytest.raises(tf.EscapedValueError, match=r"exits\.py, line \d+ .*numpy\(\)"):
                slope(X, N)
        else:
            found = slope(X, N)
            for k, own in zip(numbers, found, strict=True):
                np.testing.assert_allclose(own, differences(place.plain, k), rtol=1e-7, atol=1e-9)
    kept = tf.grad(lambda x, n: place.run(x, n, lambda t: t), argnums=numbers)
    for k, own in zip(numbers, kept(X, N), strict=True):
        np.testing.assert_allclose(own, differences(place.plain, k), rtol=1e-7, atol=1e-9)


# --- other ways, and other questions --------------------------------------------------------------


def test_a_tensor_that_outlives_its_run():
    """A tensor of an earlier run that is used in a later one raises, however it is used."""
    kept = []
    tf.grad(lambda x: kept.append(x[0] * 2) or x[0])(X)
    (old,) = kept
    for use in (
        lambda x: x[0] * old,
        lambda x: x[0] * (old * 2),
        lambda x: x[0] * float(old),
        lambda x: x[0] * np.sin(old),
        lambda x: x[0] * np.stack([old, old])[0],
        lambda x: old,
        lambda x: x[0] if old > 0 else x[1],
        lambda x: tf.grad(lambda z: z * old)(x[0]),
    ):
        with pytest.raises(tf.EscapedValueError, match="another run"):
            tf.grad(use)(X)
        assert tf.grad(lambda x: x[0] ** 2)(X)[0] == 2 * X[0]
    assert float(old * 2) == 4 * X[0]
    np.testing.assert_array_equal(tf.grad(lambda x, y: x[0] * y)(X, old), [old.numpy(), 0, 0])


def test_a_memo_raises_when_it_is_met_again():
    """A function that keeps what it computed for the next call does not lose its derivative."""
    memo = {}

    def f(x):
        if "square" not in memo:
            memo["square"] = x[0] ** 2
        return memo["square"] * x[1]

    slope = tf.grad(f)
    np.testing.assert_allclose(slope(X), [2 * X[0] * X[1], X[0] ** 2, 0.0])
    with pytest.raises(tf.EscapedValueError, match="another run"):
        slope(X + 1.0)


def exp(t):
    """Compute with a number of Python's."""
    return math.exp(t)


ASKED = {
    "grad": (lambda f: tf.grad(f)(0.5), "x"),
    "value_and_grad": (lambda f: tf.value_and_grad(f)(0.5), "x"),
    "jacobian": (lambda f: tf.jacobian(f)(0.5), "x"),
    "hessian": (lambda f: tf.hessian(f)(0.5), "x"),
    "derivative": (lambda f: tf.derivative(f, 2)(0.5), "x"),
    "derivative of an array": (lambda f: tf.derivative(f)(np.array([0.5, 1.0])), "x"),
    "jvp": (lambda f: tf.jvp(f, (0.5,), (1.0,)), "x"),
    "vjp": (lambda f: tf.vjp(f, 0.5), "x"),
    "hvp": (lambda f: tf.hvp(f, (0.5,), (1.0,)), "x"),
    "rows": (lambda f: tf.grad(f, vectorize=True)(np.array([0.5, 1.0])), "x"),
    "jvp of rows": (lambda f: tf.jvp(f, (X,), (X,), vectorize=True), "x"),
    "trace": (lambda f: tf.trace(f, 0.5), "x"),
    "objective": (lambda f: tf.objective(lambda x: f(x[0])).jac([0.5]), "x"),
    "objective, hess": (lambda f: tf.objective(lambda x: f(x[0])).hess([0.5]), "x"),
    "objective, hessp": (lambda f: tf.objective(lambda x: f(x[0])).hessp([0.5], [1.0]), "x"),
    "residuals": (lambda f: tf.residuals(lambda x: [f(x[0])]).jac([0.5]), "x"),
    "sparse": (lambda f: tf.residuals(lambda x: [f(x[0])], sparse=True).jac([0.5]), "x"),
    "curve": (lambda f: tf.curve(lambda x, a: f(a) * x).jac(X, 0.5), "a"),
    "ode": (lambda f: tf.ode(lambda t, y: f(y[0]) * y).jac(0.0, [0.5]), "y"),
    "bvp": (
        lambda f: tf.bvp(lambda x, y: [y[0]], lambda a, b: [f(a[0])]).bc_jac([0.5], [0.5]), "a",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ASKED)
def test_every_question_about_a_function(name):
    """Whatever is asked for, a value that it needs does not leave, and the next call works."""
    ask, argument = ASKED[name]
    with pytest.raises(tf.EscapedValueError, match=rf"math\.exp.*depends on {argument}"):
        ask(lambda x: x * exp(x))
    ask(lambda x: x * np.exp(x))
    if name != "trace":
        ask(lambda x: x * math.exp(tf.stop_gradient(x)))


FREE = {
    "objective": lambda f: tf.objective(lambda x: f(x[0])).fun([0.5]),
    "residuals": lambda f: tf.residuals(lambda x: [f(x[0])]).fun([0.5])[0],
    "ode": lambda f: tf.ode(lambda t, y: [f(y[0])]).fun(0.0, [0.5])[0],
    "time": lambda f: tf.ode(lambda t, y: f(t) * y).jac(0.5, [1.0])[0, 0],
    "curve": lambda f: tf.curve(lambda x, a: a * f(x[0])).jac(np.array([0.5]), 2.0)[0, 0],
    "hessian by another": lambda f: tf.hessian(lambda x, n: x * x * f(n))(1.0, 0.5) / 2,
}


@pytest.mark.parametrize("name", FREE)
def test_values_that_nothing_is_differentiated_by(name):
    """Where no derivative by it is asked for, a value may leave, and is read anew on each call."""
    for scale in (1.0, 2.0):
        found = FREE[name](lambda t, scale=scale: scale * exp(t))
        np.testing.assert_allclose(found, scale * math.exp(0.5))


def test_what_leaves_is_read_anew():
    """A value that left is that of the present call, and of a later branch too."""
    slope = tf.grad(lambda x, n: x * exp(n) if n < 1 else exp(x))
    for n in (0.5, -2.0, 0.5):
        assert slope(2.0, n) == math.exp(n)
    with pytest.raises(tf.EscapedValueError):
        slope(2.0, 3.0)
    assert slope(2.0, 0.25) == math.exp(0.25)


def test_text_and_shapes_are_free(capsys):
    """What is printed, and asked of shapes, is no leak."""

    def f(x):
        print(x, f"{x[0]:.2f}", "%s" % x[0], repr(x))  # noqa: UP031 - what old code does
        return np.sum(x * x) / len(x) / x.size / np.ndim(x) * x.shape[0] * np.shape(x)[0]

    np.testing.assert_allclose(tf.grad(f)(X), 2 * X)
    assert "0.70" in capsys.readouterr().out


def test_inner_functions_follow_what_outer_ones_differentiate():
    """What an inner function computes of tensors of an outer one, or branches by, is followed."""
    outer = tf.grad(lambda x: tf.grad(lambda z: z * z * (x * 2.0))(3.0))
    assert outer(2.0) == 12.0
    assert tf.grad(lambda x: tf.grad(lambda z: z * np.sin(np.stack([x, x]))[0])(3.0))(0.5) == (
        np.cos(0.5)
    )
    branched = tf.grad(lambda x: tf.grad(lambda z: z * (x if x > 1 else -x))(3.0))
    assert [branched(2.0), branched(0.5), branched(2.0)] == [1.0, -1.0, 1.0]
    triple = tf.grad(lambda x: tf.grad(lambda y: tf.grad(lambda z: z * y * y * (x * x))(1.0))(3.0))
    assert triple(2.0) == 24.0
    anew = tf.grad(lambda x, n: tf.grad(lambda z: z * z * math.exp(n))(x))
    for n in (0.5, 1.5, 0.5):
        np.testing.assert_allclose(anew(1.0, n), 2 * math.exp(n))
    with tf.GradientTape() as tape:
        w = tf.constant(2.0, tf.float64)
        tape.watch(w)
        y = tf.grad(lambda z: z * z * (w * w))(3.0)
    assert tape.gradient(y, w).numpy() == 24.0


def test_tapes_let_values_go():
    """Under a tape a value that leaves breaks the connection, as in TensorFlow."""
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * float(x)
    assert tape.gradient(y, x).numpy() == 3.0
