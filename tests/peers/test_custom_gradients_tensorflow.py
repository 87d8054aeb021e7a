"""Random programs of functions with gradients of their own, beside TensorFlow's."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import symtape

SEEDS = range(20)
STEPS: list[Callable[[Any, Any, Any], Any]] = [
    lambda tf, x, y: tf.sin(x) * y,
    lambda tf, x, y: x * x + tf.reduce_sum(y),
    lambda tf, x, y: tf.cumsum(x) - y,
    lambda tf, x, y: tf.tanh(x + y),
    lambda tf, x, y: tf.reverse(x, [0]) * 0.5,
    lambda tf, x, y: tf.exp(-x * x),
]
BACKWARDS: list[Callable[..., Any]] = [
    lambda tf, u, x, y, z: (u * 2.0 * x, u * tf.cos(y)),
    lambda tf, u, x, y, z: (u * z, None),
    lambda tf, u, x, y, z: (tf.cumsum(u) * y, tf.reduce_sum(u) * x),
    lambda tf, u, x, y, z: (tf.reverse(u, [0]), u + u * z),
    lambda tf, u, x, y, z: (tf.where(x > 0, u, 0.0), u * 3.0),
    lambda tf, u, x, y, z: (tf.clip_by_value(u, -0.5, 0.5) * x, tf.tanh(u) * y),
    lambda tf, u, x, y, z: (u * u, u + 1.0),
]


def program(tf: Any, seed: int) -> Callable[[Any], Any]:
    """Make a function: steps of what was computed so far, some with gradients of their own."""
    rng = np.random.default_rng(seed)
    plan = [
        (rng.integers(len(STEPS)), rng.integers(len(BACKWARDS)), rng.random() < 0.5, rng.random(2))
        for _ in range(5)
    ]

    def own(step: Any, backward: Any) -> Any:
        @tf.custom_gradient
        def f(x: Any, y: Any) -> Any:
            z = step(tf, x, y)
            return z, lambda u: backward(tf, u, x, y, z)

        return f

    def run(x: Any) -> Any:
        found = [x, tf.cos(x)]
        for step, backward, is_own, picks in plan:
            a, b = (found[int(p * len(found))] for p in picks)
            found.append(
                own(STEPS[step], BACKWARDS[backward])(a, b) if is_own else STEPS[step](tf, a, b)
            )
        return found[-1] + 0.1 * x

    return run


def answers(tf: Any, seed: int) -> list[Any]:
    """Give value, gradients of two orders, the Jacobian, and derivatives along a direction."""
    f = program(tf, seed)
    rng = np.random.default_rng(seed)
    x = tf.constant(rng.normal(size=3))
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = f(x)
        g = tape.gradient(y, x)
    with tf.autodiff.ForwardAccumulator(x, tf.constant(rng.normal(size=3))) as acc:
        with tf.GradientTape() as inner:
            inner.watch(x)
            z = f(x)
        slope = inner.gradient(z, x)
    found = [y, g, outer.gradient(g, x), tape.jacobian(y, x), *acc.jvp([z, slope])]
    return [None if t is None else t.numpy() for t in found]


@pytest.mark.parametrize("seed", SEEDS)
def test_random_programs(seed: int, tensorflow: ModuleType) -> None:
    """Whatever is composed, derivatives are TensorFlow's."""
    for found, expected in zip(answers(symtape, seed), answers(tensorflow, seed), strict=True):
        assert (found is None) == (expected is None)
        if found is not None:
            np.testing.assert_allclose(found, expected, 1e-9, 1e-11)
