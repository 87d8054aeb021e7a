"""Scalars that have one NumPy object between them are leaves of their own in every formula."""

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
    "deepcopy": copy.deepcopy,
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
