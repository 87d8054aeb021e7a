"""What travels, for tests: the ways, documents that are valid or damaged, and comparisons."""

from __future__ import annotations

import copy
import json
import pickle
import random
from collections.abc import Iterator
from functools import cache
from typing import Any

import cloudpickle
import numpy as np

import symtape as tf
from symtape.program.program import Program


def assert_same(a: Program, b: Program) -> None:
    """Assert that two programs are equal; operations and dtypes are the same objects."""
    assert a.steps == b.steps
    assert [step[0] for step in a.steps] == [step[0] for step in b.steps]
    assert all(x[0] is y[0] for x, y in zip(a.steps, b.steps, strict=True))
    assert all(x is y for x, y in zip(a.dtypes, b.dtypes, strict=True))
    assert (a.shapes, a.guards, a.recorded) == (b.shapes, b.guards, b.recorded)


def _network(x, w):
    return tf.reduce_mean(tf.square(tf.tanh(x @ w)[:, 1:] * 0.5))


def _choices(x, w):
    picked = tf.gather(x, [1, 0, 1]) * tf.reduce_max(w)
    return tf.reduce_sum(picked if x[0, 0] > -9.0 else -picked)


def _algebra(x, w):
    a = tf.matmul(x, x, transpose_a=True) + 3.0 * tf.eye(3, dtype=tf.float64)
    return tf.linalg.logdet(a) + tf.reduce_sum(tf.linalg.solve(a, w) * w)


def _gaussians(x, w):
    return tf.reduce_sum(tf.nn.gelu(x) @ tf.cumsum(tf.math.erf(w)))


FUNCTIONS = (_network, _choices, _algebra, _gaussians)


def formula(k: int) -> Any:
    """Compile the gradient of one of some functions by x, with w as it was recorded."""
    rng = np.random.default_rng(k)
    x, w = tf.constant(rng.normal(size=(2, 3))), tf.constant(rng.normal(size=(3, 2)))
    with tf.GradientTape() as tape:
        tape.watch([x, w])
        y = FUNCTIONS[k](x, w)
    return tape.gradient(y, x).lambdify([x])


def by_pickle(thing: Any) -> Any:
    """Send a thing through a pickle."""
    return pickle.loads(pickle.dumps(thing))


def by_cloudpickle(thing: Any) -> Any:
    """Send a thing through cloudpickle, which takes lambdas along."""
    return pickle.loads(cloudpickle.dumps(thing))


WAYS = {"pickle": by_pickle, "cloudpickle": by_cloudpickle, "deepcopy": copy.deepcopy}


def assert_travels(backend: str) -> None:
    """Assert that a formula gives the same number after each way to another process or file."""
    x = tf.constant(np.array(0.5))
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.sin(x) * x
    f = tape.gradient(y, x).lambdify(backend=backend)
    expected = np.asarray(f(0.25))
    for way in WAYS.values():
        np.testing.assert_array_equal(np.asarray(way(f)(0.25)), expected)
    np.testing.assert_array_equal(np.asarray(tf.from_json(f.to_json())(0.25)), expected)


@cache
def texts() -> tuple[str, ...]:
    """Write documents that are valid: formulas and programs."""
    point = np.ones((2, 3)), np.ones((3, 2))
    traced = [tf.to_json(tf.trace(f, *point)) for f in FUNCTIONS]
    return (*[formula(k).to_json() for k in range(len(FUNCTIONS))], *traced)


# --- damage ---------------------------------------------------------------------------------------

VALUES = [
    None, True, False, 0, 1, -1, 2, 3, 64, 1000, 2**31, 2**53, -(2**62), 2**63 - 1, "", "a0", "np",
    "input", "map", "float32", "lambda", "__import__", "nan", "1e400", "1/0", "rational", [], {},
    [0], [[0]], ["Pow", 10, ["Pow", 10, 10]], ["Mul", "a0", True], ["Piecewise"], ["Add"],
    ["Piecewise", ["a0", ["Eq", ["Piecewise", [1, ["Ge", "a0", 0]]], 1]]], ["Rational", "2", "4"],
    ["symtape.sigmoid", "a0", "a1"], ["symtape.dawson", "a0", "a0"], ["Float", 0, "1", 5, 1],
    ["atan2", "I", "oo"], ["log", 0], ["Pow", 0, -1], ["Max"], ["symtape.both", 1, 2],
]  # fmt: skip


def _paths(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield path
    inner = value.items() if isinstance(value, dict) else ()
    for key, part in enumerate(value) if isinstance(value, list) else inner:
        yield from _paths(part, (*path, key))


def _at(value: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        value = value[key]
    return value


def damaged(text: str, chance: random.Random) -> str | bytes:
    """Change a document at a few places: values, keys, order, or single bytes."""
    document = json.loads(text)
    for _ in range(chance.choice([1, 1, 1, 2, 3])):
        paths = list(_paths(document))[1:]
        *above, key = chance.choice(paths)
        parent = _at(document, tuple(above))
        chance.choice(DAMAGES)(document, parent, key, chance)
    text = json.dumps(document)
    if chance.random() < 0.85:
        return text
    raw = bytearray(text.encode())
    for _ in range(chance.choice([1, 3])):
        raw[chance.randrange(len(raw))] = chance.randrange(256)
    return bytes(raw)


def _replace(document: Any, parent: Any, key: Any, chance: random.Random) -> None:
    parent[key] = copy.deepcopy(chance.choice(VALUES))


def _delete(document: Any, parent: Any, key: Any, chance: random.Random) -> None:
    del parent[key]


def _copy(document: Any, parent: Any, key: Any, chance: random.Random) -> None:
    parent[key] = copy.deepcopy(_at(document, chance.choice(list(_paths(document))[1:])))


def _swap(document: Any, parent: Any, key: Any, chance: random.Random) -> None:
    other = chance.choice(list(parent) if isinstance(parent, dict) else range(len(parent)))
    parent[key], parent[other] = parent[other], parent[key]


def _nudge(document: Any, parent: Any, key: Any, chance: random.Random) -> None:
    if isinstance(parent[key], int):
        parent[key] += chance.choice([-2, -1, 1, 7])


def _insert(document: Any, parent: Any, key: Any, chance: random.Random) -> None:
    if isinstance(parent, list):
        parent.insert(key, copy.deepcopy(chance.choice(parent)))
    else:
        parent[chance.choice(["x", "kind", "name", "body", "sizes"])] = 1


DAMAGES = (_replace, _delete, _copy, _swap, _nudge, _insert)


# --- functions that other processes find by their names -------------------------------------------


def loss(w: Any, x: Any, y: Any) -> Any:
    """Give the sum of squares of a small network, over the rows of x."""
    return tf.reduce_sum(tf.square(tf.tanh(x @ w) - y))


def row_loss(w: Any, x: Any, y: Any) -> Any:
    """Give the loss of one row."""
    return tf.square(tf.tanh(tf.reduce_sum(x * w)) - y)


@tf.grad
def cubic_slope(x: Any) -> Any:
    """Be x³, and then its slope."""
    return x**3


def traces_of(function: Any, *arguments: Any) -> tuple[Any, int]:
    """Call a function, and count the structures that it has been traced for in this process."""
    return function(*arguments), len(function._cache._entries)
