"""Which leaf of a formula a tensor is: never another one of its name or of its value."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

import symtape as tf


def assigned(x: Any) -> Any:
    """Give a variable that has the value of a tensor by assignment."""
    variable = tf.Variable(0.0)
    variable.assign(x)
    return variable


WAYS = {
    "identity": tf.identity,
    "identity_n": lambda x: tf.identity_n([x])[0],
    "stop_gradient": tf.stop_gradient,
    "reshape": lambda x: tf.reshape(x, []),
    "squeeze": tf.squeeze,
    "transpose": tf.transpose,
    "ensure_shape": lambda x: tf.ensure_shape(x, []),
    "reduce_sum": tf.reduce_sum,
    "reduce_max": tf.reduce_max,
    "add_n": lambda x: tf.add_n([x]),
    "broadcast_to": lambda x: tf.broadcast_to(x, []),
    "grad_pass_through": lambda x: tf.grad_pass_through(tf.identity)(x),
    "Variable": tf.Variable,
    "assign": assigned,
    "a copied variable": lambda x: copy.deepcopy(tf.Variable(x)),
    "pickle": lambda x: pickle.loads(pickle.dumps(x)),
    "numpy": lambda x: tf.constant(x.numpy()),
}


@pytest.mark.parametrize("of_variable", [False, True])
@pytest.mark.parametrize("name", WAYS)
def test_each_is_a_symbol(name: str, of_variable: bool) -> None:
    """Also where something in the block is computed that nobody watches."""
    v = tf.Variable(2.0) if of_variable else tf.constant(2.0)
    w = WAYS[name](v)
    d = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch([v, w])
        beside = d * d
        y = v * v * w * beside
    by_v, by_w = tape.gradient(y, [v, w])
    assert [by_v.text(), by_w.text()] == ["2 w v d²", "d² v²"]
    assert by_v.lambdify()(5.0, 7.0) == 2.0 * 5.0 * 7.0 * 9.0
    assert by_v.lambdify([v, w])(5.0, 7.0) == by_v.lambdify([w, v])(7.0, 5.0)
    assert tf.lambdify([by_v, by_w])(5.0, 7.0) == [630.0, 225.0]


def test_truths_are_symbols_too() -> None:
    """There is one `np.True_` for all."""
    p, q = tf.constant(True), tf.constant(True)
    x, d = tf.constant(2.0), tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        beside = d * d
        y = tf.where(p, x * x, x) * tf.where(q, beside, 1.0)
    slope = tape.gradient(y, x).lambdify(["x", "p", "q"])
    expected = [slope(5.0, a, b) for a in (True, False) for b in (True, False)]
    assert expected == [90.0, 10.0, 9.0, 1.0]


def test_a_value_outlives_its_tensor() -> None:
    """Of a scalar that nobody holds any more, the formula has the value."""

    def cube() -> Any:
        x, a = tf.constant(2.0), tf.constant(3.0)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = a * x * x
        del tape
        return y

    found = cube()
    assert found.lambdify()(1.0) == 3.0
    assert {str(k): type(v) for k, v in found.leaves.items()} == {"a": np.float32, "x": np.float32}


def test_a_leaf_is_not_taken_for_another_of_its_name() -> None:
    """What a formula needs is found by what it is, also where it does not need a namesake."""
    xs = [tf.constant(value, name="s") for value in (2.0, 3.0)]

    def slope(x: Any, y: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            tape.watch(y)
            z = x * 2.0 + y * y
        return tape.gradient(z, y)

    for k in (0, 1):
        found = slope(xs[1 - k], xs[k])
        assert found.lambdify([xs[k]])(7.0) == 14.0
        assert tf.lambdify([found, found], [xs[k]])(7.0) == [14.0, 14.0]


def test_a_namesake_of_another_shape_is_no_leaf() -> None:
    """A name alone does not make a tensor the leaf of a formula that does not need it."""

    def constant_slope() -> Any:
        s = tf.constant([1.0, 2.0, 3.0], name="s")
        with tf.GradientTape() as tape:
            tape.watch(s)
            y = tf.reduce_sum(s * 2.0)
        return tape.gradient(y, s), s

    found, own = constant_slope()
    s = tf.constant(1.0, name="s")
    assert found.lambdify([own])().tolist() == [2.0, 2.0, 2.0]
    with pytest.raises(ValueError, match="is no leaf of the formula; its leaves are s"):
        found.lambdify([s])
    with tf.GradientTape() as tape:
        tape.watch(s)
        z = s * s
    both = tf.lambdify([found, tape.gradient(z, s)])
    assert [v.tolist() for v in both(3.0)] == [[2.0, 2.0, 2.0], 6.0]


def test_an_assigned_variable_is_the_version_that_was_read() -> None:
    """A namesake is not taken for a version of a variable whose value is gone."""
    m = tf.Variable([1.0, 2.0], name="m")
    other = tf.constant([5.0, 5.0], name="m")
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(m * m)
    slope = tape.gradient(y, m)
    m.assign([3.0, 3.0])
    del tape
    with pytest.raises(ValueError, match="no leaf"):
        y.lambdify([other])
    assert slope.lambdify(["m"])([1.0, 0.0]).tolist() == [2.0, 0.0]


def test_what_stands_beside_is_followed_though_the_last_derivative_does_not_need_it() -> None:
    """Whoever needs it, a derivative of an inner accumulator here, says how it was computed."""
    c, x, d, v = tf.constant([0.5, 3.0]), tf.constant(2.0), tf.constant(1.0), tf.constant(3.0)
    with tf.GradientTape() as outer:
        outer.watch(v)
        beside = tf.tanh(c)
        with tf.autodiff.ForwardAccumulator(x, d) as forward:
            y = tf.where(x > beside, x * x, beside)
        z = forward.jvp(y) * v + beside
    slope = outer.gradient(z, v)
    assert sorted(map(str, slope.leaves)) == ["c", "d", "x"]
    assert slope.lambdify(["x", "c"])(0.25, [0.0, 1.0]) == 0.5


def test_a_derivative_within_a_block_is_followed_whatever_is_watched() -> None:
    """The outer tape watches nothing that the inner one derives by."""
    x, w = tf.constant([0.5, 0.3]), tf.constant([2.0, 1.0])
    with tf.GradientTape() as outer:
        outer.watch(w)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = x**3
        z = inner.gradient(y, x) * w
    assert outer.gradient(z, w).text() == "3 x^⊙2"


def test_a_source_that_is_there_twice_has_one_gradient() -> None:
    """As in TensorFlow: what watches one of them watches the other."""
    x = tf.constant(2.0)
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = x * x * x
        one, other = inner.gradient(y, [x, x])
        outer.watch(one)
        z = other * 3.0
    assert one is other
    assert outer.gradient(z, one) == 3.0
