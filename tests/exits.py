"""Programs in which a value leaves, or does not: ways out, and places in a function for them.

A program is f(x, n) of two vectors of three numbers, written twice: as a user would write it, with
a way out at one place, and in NumPy, as what it means.
"""

from __future__ import annotations

import math
import operator
import pickle
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import scipy.linalg
import scipy.special

import symtape as tf

# --- ways in which a number leaves: of a tensor of no axes ----------------------------------------

NUMBERS: dict[str, Callable[[Any], Any]] = {
    "float": float,
    "complex": lambda t: complex(t).real,
    "item": lambda t: t.item(),
    "tolist": lambda t: t.tolist(),
    "numpy": lambda t: t.numpy(),
    "value": lambda t: t.value,
    "asarray": lambda t: np.asarray(t),
    "asarray of float32 and back": lambda t: np.float64(np.asarray(t, np.float64)),
    "np.array of a list": lambda t: np.array([t, 2.0])[0],
    "np.array of an object": lambda t: np.array(t, dtype=float)[()],
    "np.asanyarray of nested lists": lambda t: np.asanyarray([[t], [1.0]])[0, 0],
    "np.float64": np.float64,
    "np.fromiter": lambda t: np.fromiter([t], float)[0],
    "a write into zeros": lambda t: _written(t),
    "a write into a list of an array": lambda t: _sliced(t),
    "math.sqrt squared": lambda t: math.pow(t, 1.0),
    "math.fsum": lambda t: math.fsum([t]),
    "math.prod of floats": lambda t: math.prod([float(t)]),
    "operator": lambda t: operator.add(float(t), 0.0),
    "np.vectorize": lambda t: np.vectorize(lambda v: float(v))(t),
    "np.sum of a list": lambda t: np.sum([t, 0.0]),
    "np.max of a list": lambda t: np.max([t, -1e9]),
    "np.dot of lists": lambda t: np.dot([t], [1.0]),
    "np.linalg.norm of a list": lambda t: np.linalg.norm([t, 0.0]),
    "scipy.linalg": lambda t: scipy.linalg.norm([t]),
    "tf.Variable": lambda t: tf.Variable(t).numpy(),
    "tf.Variable, computed with": lambda t: tf.Variable(t) * 1.0,
    "tf.Variable of a function": lambda t: tf.Variable(lambda: t) * 1.0,
    "assign": lambda t: _assigned(t),
    "assign_add": lambda t: _added(t),
    "a part of a variable": lambda t: _part(t),
    "numpy_function": lambda t: tf.numpy_function(lambda a: a * 1.0, [t], tf.float64),
    "py_function that converts": lambda t: tf.py_function(lambda a: a.numpy(), [t], tf.float64),
    "pickle": lambda t: pickle.loads(pickle.dumps(t)),
    "out=": lambda t: np.multiply(t, 1.0, out=np.zeros(())),
    "add in place": lambda t: operator.iadd(np.zeros(1), t)[0],
    "np.copyto": lambda t: _copied(t),
    "np.put": lambda t: _put(t),
    "np.fill_diagonal": lambda t: _diagonal(t),
    "np.add.at": lambda t: _added_at(t),
    "tf.range": lambda t: tf.range(t, t + 0.5)[0],
    "tf.constant with a shape": lambda t: tf.constant(t, shape=[1])[0],
    "tf.one_hot": lambda t: tf.one_hot(0, 1, t, np.float64(0), dtype=tf.float64)[0],
    "exact": lambda t: float(t.exact()),
    "evalf": lambda t: float(t.evalf(17)),
    "lambdify": lambda t: t.lambdify([])(),
}  # fmt: skip


def _written(t: Any) -> Any:
    a = np.zeros(2)
    a[0] = t
    return a[0]


def _sliced(t: Any) -> Any:
    a = np.zeros((2, 2))
    a[:, 0] = [t, 1.0]
    return a[0, 0]


def _assigned(t: Any) -> Any:
    v = tf.Variable(0.0, dtype=tf.float64)
    v.assign(t)
    return v.read_value()


def _added(t: Any) -> Any:
    v = tf.Variable(0.0, dtype=tf.float64)
    v.assign_add(t)
    return v * 1.0


def _part(t: Any) -> Any:
    v = tf.Variable([0.0, 0.0], dtype=tf.float64)
    v[0].assign(t)
    return v[0]


def _copied(t: Any) -> Any:
    a = np.zeros(())
    np.copyto(a, t)
    return a[()]


def _put(t: Any) -> Any:
    a = np.zeros(2)
    np.put(a, [0], t)
    return a[0]


def _diagonal(t: Any) -> Any:
    a = np.zeros((2, 2))
    np.fill_diagonal(a, t)
    return a[0, 0]


def _added_at(t: Any) -> Any:
    a = np.zeros(2)
    np.add.at(a, [0], t)
    return a[0]


# --- where it leaves, and what becomes of it ------------------------------------------------------

Exit = Callable[[Any], Any]


class Place(NamedTuple):
    """A function of x, n and an exit; which of them leaves, and whether its derivative would."""

    run: Callable[[Any, Any, Exit], Any]
    leaves: str
    """The arguments on which what leaves depends, by steps that have a derivative."""
    plain: Callable[[Any, Any, Any], Any]
    """The same in NumPy, of x, n, and an x that stands still."""


def _branch(x: Any, n: Any, out: Exit) -> Any:
    return x[0] * out(x[1]) if x[0] > 0 else x[0] * x[1]


def _other_branch(x: Any, n: Any, out: Exit) -> Any:
    return x[0] * x[1] if x[0] > 0 else x[0] * out(x[1])


def _nested(x: Any, n: Any, out: Exit) -> Any:
    return tf.grad(lambda z: z * z * out(x[0] * 2.0))(x[1]) * x[2]


def _nested_argument(x: Any, n: Any, out: Exit) -> Any:
    return tf.grad(lambda z, a: z * z * out(a))(x[1], x[0]) * n[2]


def _nested_other(x: Any, n: Any, out: Exit) -> Any:
    return tf.grad(lambda z, a: z * z * out(a))(x[1], n[0]) * x[2]


def _under_a_tape(x: Any, n: Any, out: Exit) -> Any:
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x[0] ** 2 * out(n[0])
    return tape.gradient(y, x)[0] * x[1]


def _taken_by_a_tape(x: Any, n: Any, out: Exit) -> Any:
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x[0] ** 2 * x[1]
    return out(tape.gradient(y, x)[1]) * x[2]


PLACES: dict[str, Place] = {
    "x": Place(lambda x, n, out: out(x[0]) ** 2 * x[1], "x", lambda x, n, b: x[0] ** 2 * x[1]),
    "n": Place(
        lambda x, n, out: x[0] * out(n[1]) * x[1] ** 2, "n", lambda x, n, b: x[0] * n[1] * x[1] ** 2
    ),
    "a sum": Place(
        lambda x, n, out: out(np.sum(x * x)) * x[1], "x", lambda x, n, b: np.sum(x * x) * x[1]
    ),
    "both": Place(
        lambda x, n, out: out(x[0] * n[1]) * x[1] * n[0],
        "xn",
        lambda x, n, b: x[0] * n[1] * x[1] * n[0],
    ),
    "stopped": Place(
        lambda x, n, out: out(_stop(x[0])) * x[1] * n[0], "", lambda x, n, b: b[0] * x[1] * n[0]
    ),
    "stopped later": Place(
        lambda x, n, out: out(_stop(x[0] * x[1]) + n[0]) * x[1],
        "n",
        lambda x, n, b: (b[0] * b[1] + n[0]) * x[1],
    ),
    "a step": Place(
        lambda x, n, out: out(np.floor(x[0] * 3) + 1.0) * x[1],
        "",
        lambda x, n, b: (np.floor(b[0] * 3) + 1.0) * x[1],
    ),
    "a comparison": Place(
        lambda x, n, out: out((x[0] > n[0]) * 1.0 + 0.5) * x[1], "", lambda x, n, b: 1.5 * x[1]
    ),
    "a branch": Place(_branch, "x", lambda x, n, b: x[0] * x[1]),
    "another branch": Place(_other_branch, "", lambda x, n, b: x[0] * x[1]),
    "a captured tensor": Place(_nested, "x", lambda x, n, b: 2 * x[1] * x[0] * 2 * x[2]),
    "an inner argument": Place(_nested_argument, "x", lambda x, n, b: 2 * x[1] * x[0] * n[2]),
    "an inner argument of n": Place(_nested_other, "n", lambda x, n, b: 2 * x[1] * n[0] * x[2]),
    "n under a tape": Place(_under_a_tape, "n", lambda x, n, b: 2 * x[0] * n[0] * x[1]),
    "a gradient": Place(_taken_by_a_tape, "x", lambda x, n, b: x[0] ** 2 * x[2]),
}


def _stop(t: Any) -> Any:
    return tf.stop_gradient(t) if isinstance(t, tf.Tensor) else t
