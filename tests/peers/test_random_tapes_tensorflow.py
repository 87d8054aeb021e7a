"""Random tape programs do the same in TensorFlow and in symtape: values, Nones, dtypes, errors."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import symtape as st

OPERATIONS: list[tuple[int, Callable[..., Any]]] = [
    (1, lambda tf, x: tf.sin(x)),
    (1, lambda tf, x: tf.square(x)),
    (1, lambda tf, x: tf.tanh(x) * 2.0),
    (1, lambda tf, x: tf.stop_gradient(x)),
    (1, lambda tf, x: tf.identity(x)),
    (1, lambda tf, x: tf.floor(x)),
    (1, lambda tf, x: tf.abs(x)),
    (1, lambda tf, x: tf.nn.relu(x)),
    (1, lambda tf, x: tf.cast(tf.cast(x, tf.int32), tf.float32)),
    (1, lambda tf, x: tf.cast(x > 0.5, tf.float32)),
    (1, lambda tf, x: tf.reshape(tf.reduce_sum(x), [1]) * tf.ones([2])),
    (1, lambda tf, x: tf.stack([x[1], x[0]])),
    (1, lambda tf, x: x[::-1]),
    (1, lambda tf, x: tf.constant(x.numpy() if hasattr(x, "numpy") else x)),
    (1, lambda tf, x: 3.0 - x),
    (2, lambda tf, x, y: x + y),
    (2, lambda tf, x, y: x * y),
    (2, lambda tf, x, y: x / (y * y + 1.0)),
    (2, lambda tf, x, y: tf.maximum(x, y)),
    (2, lambda tf, x, y: tf.where(x > y, x, y * 2.0)),
    (2, lambda tf, x, y: x - tf.reduce_mean(y)),
]


class Session:
    """One run of a random program over one module."""

    def __init__(self, tf: Any, seed: int) -> None:
        self.tf, self.random = tf, random.Random(seed)
        numbers = np.random.default_rng(seed).uniform(-1.5, 1.5, (5, 2)).astype(np.float32)
        self.pool: list[Any] = [tf.constant(n) for n in numbers[:3]]
        self.variables = [tf.Variable(numbers[3]), tf.Variable(numbers[4], trainable=False)]
        self.log: list[Any] = []

    def any(self) -> Any:
        """Choose a tensor or a variable."""
        return self.random.choice([*self.pool, *self.variables])

    def describe(self, value: Any) -> Any:
        """Describe a result."""
        if value is None or isinstance(value, str):
            return value
        if isinstance(value, list):
            return [self.describe(v) for v in value]
        array = np.asarray(value.numpy())
        return str(array.dtype), array.shape, array.tolist()

    def act(self, tapes: list[Any]) -> None:
        """Do one random thing."""
        roll = self.random.random()
        if roll < 0.62 or not tapes:
            arity, operation = self.random.choice(OPERATIONS)
            self.pool.append(operation(self.tf, *[self.any() for _ in range(arity)]))
        elif roll < 0.72:
            self.random.choice(tapes).watch(self.any())
        elif roll < 0.78:
            self.variables[0].assign_add(np.float32([0.25, -0.5]))
        elif roll < 0.84:
            with self.random.choice(tapes).stop_recording():
                self.pool.append(self.any() * self.any())
        elif len(tapes) < 3:
            self.nest(tapes)

    def nest(self, tapes: list[Any]) -> None:
        """Open a tape, do things, and take gradients inside or after it."""
        tape = self.tf.GradientTape(
            persistent=self.random.random() < 0.5,
            watch_accessed_variables=self.random.random() < 0.8,
        )
        with tape:
            if self.random.random() < 0.7:
                tape.watch(self.any())
            for _ in range(self.random.randrange(2, 7)):
                self.act([*tapes, tape])
            if self.random.random() < 0.3:
                self.differentiate(tape)
        self.differentiate(tape)

    def differentiate(self, tape: Any) -> None:
        """Take a gradient and note what came of it.

        Sources are not targets: for what is both, TensorFlow's answer depends on whether a recorded
        step happens to read it, and scenarios have the cases that a person would write.
        """
        targets = [self.any() for _ in range(self.random.choice([1, 1, 2]))]
        chosen = [self.any() for _ in range(3)]
        sources = [
            s for k, s in enumerate(chosen) if not any(s is t for t in [*targets, *chosen[:k]])
        ]
        weights = (
            [self.tf.constant([0.5, 2.0]) for _ in targets] if self.random.random() < 0.3 else None
        )
        try:
            found = tape.gradient(targets, sources, output_gradients=weights)
        except RuntimeError as error:
            self.log.append(str(error))
            return
        self.log.append(self.describe(found))
        self.pool += [g for g in found if g is not None]

    def run(self) -> list[Any]:
        """Run the program."""
        for _ in range(3):
            self.nest([])
        return self.log


def assert_same(found: Any, expected: Any, place: str) -> None:
    """Compare logs."""
    if isinstance(expected, list):
        assert len(found) == len(expected)
        for k, (a, b) in enumerate(zip(found, expected, strict=True)):
            assert_same(a, b, f"{place}[{k}]")
    elif isinstance(expected, tuple):
        assert found is not None, place
        assert found[:2] == expected[:2], place
        np.testing.assert_allclose(found[2], expected[2], rtol=2e-4, atol=1e-5, err_msg=place)
    else:
        assert found == expected, place


@pytest.mark.parametrize("seed", range(150))
def test_random_tape(seed, tensorflow):
    """Every gradient of a random program of nested tapes is TensorFlow's."""
    assert_same(Session(st, seed).run(), Session(tensorflow, seed).run(), f"seed {seed}")
