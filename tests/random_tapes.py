"""Random programs with tapes: blocks within blocks, assignments, copies, branches, forward mode.

A seed makes the same program again with other numbers, which is what a formula has to hold for.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from typing import Any

import numpy as np

import symtape as tf

COPIES: list[Callable[[Any], Any]] = [
    tf.identity,
    lambda x: copy.deepcopy(tf.Variable(x)),
    tf.Variable,
    tf.stop_gradient,
]

OF_ONE: list[Callable[[Any], Any]] = [
    tf.sin,
    tf.tanh,
    tf.square,
    tf.identity,
    tf.stop_gradient,
    tf.sigmoid,
    tf.abs,
    tf.nn.relu,
    tf.reduce_sum,
    tf.reduce_max,
    lambda x: -x,
    lambda x: tf.where(x > 0.3, x, x * 0.5),
    lambda x: tf.math.log1p(x * x),
    lambda x: tf.clip_by_value(x, -1.0, 1.0),
    lambda x: tf.cond(tf.reduce_sum(x) > 0.0, lambda: x * 2.0, lambda: tf.sin(x)),
    lambda x: x * x if tf.reduce_sum(x) > 0.5 else x,
    lambda x: tf.while_loop(lambda i, _: i < 3, lambda i, z: (i + 1, tf.tanh(z * x)), [0, x])[1],
    tf.function(lambda x: tf.sin(x) * x),
    tf.custom_gradient(lambda x: (tf.tanh(x), lambda upstream: upstream * (2.0 + tf.sin(x)))),
]

OF_VECTORS: list[Callable[[Any], Any]] = [
    lambda x: x[0],
    lambda x: x[::-1],
    lambda x: tf.gather(x, [0, 0, 1]),
    lambda x: tf.roll(x, 1, 0),
    lambda x: tf.tensordot(x, x, 1),
    tf.cumsum,
    tf.math.cumprod,
    tf.sort,
    tf.nn.softmax,
    tf.linalg.norm,
]

OF_TWO: list[Callable[[Any, Any], Any]] = [
    tf.add,
    tf.multiply,
    tf.subtract,
    tf.maximum,
    tf.minimum,
    lambda x, y: x / (1.0 + y * y),
    lambda x, y: tf.where(x > y, x, y),
    lambda x, y: tf.reduce_sum(tf.stack([tf.reduce_sum(x), tf.reduce_sum(y)])),
]


class RandomTapes:
    """One program: `entered` are the tensors from outside of all tapes, `results` derivatives."""

    def __init__(self, seed: int, shift: float = 0.0) -> None:
        self._random = random.Random(seed)
        self._rng = np.random.default_rng(seed)
        self._shift = shift
        self.entered: list[Any] = []
        pool = [x for _ in range(self._random.randint(2, 4)) for x in self._leaves()]
        self.results = [x for _ in range(self._random.randint(1, 2)) for x in self._block(pool, 0)]

    def _leaves(self) -> list[Any]:
        """Make a tensor or a variable, and sometimes a copy of it."""
        shape = self._random.choice([(), (), (2,), (3,), (3,)])
        value = self._rng.normal(size=shape)
        value = value + self._shift * self._rng.normal(size=shape)
        found = [self._random.choice([tf.constant, tf.Variable])(value)]
        if self._random.random() < 0.35:
            found.append(self._random.choice(COPIES)(found[0]))
        self.entered += [x.read() for x in found]
        return found

    def _step(self, pool: list[Any]) -> Any:
        x = self._random.choice(pool)
        way = self._random.random()
        if way < 0.4:
            return self._random.choice(OF_ONE)(x)
        if way < 0.55 and x.ndim:
            return self._random.choice(OF_VECTORS)(x)
        fitting = [y for y in pool if x.ndim == 0 or tuple(y.shape) in (tuple(x.shape), ())]
        return self._random.choice(OF_TWO)(x, self._random.choice(fitting))

    def _block(self, pool: list[Any], depth: int) -> list[Any]:
        """Run some steps under a tape, or in forward mode, and give derivatives that exist."""
        source = self._random.choice(pool)
        kind = self._random.choice(["gradient", "gradient", "jacobian", "several", "zero", "jvp"])
        if kind == "jvp":
            alike = [x for x in pool if tuple(x.shape) == tuple(source.shape)]
            direction = tf.identity(self._random.choice(alike))
            self.entered.append(direction)
            with tf.autodiff.ForwardAccumulator(source, direction) as forward:
                y = self._inside(pool, depth)[-1]
            return [x for x in [forward.jvp(y)] if x is not None]
        more = self._random.sample(pool, min(2, len(pool)))
        with tf.GradientTape(persistent=self._random.random() < 0.5) as tape:
            tape.watch([source, *more])
            made = self._inside(pool, depth)
        y = made[-1]
        if kind == "jacobian":
            found = [tape.jacobian(y, source)]
        elif kind == "several":
            found = tape.gradient([y, made[-2]], [source, *more])
        else:
            end = "zero" if kind == "zero" else "none"
            found = [tape.gradient(y, source, unconnected_gradients=end)]
        return [x for x in found if x is not None]

    def _inside(self, pool: list[Any], depth: int) -> list[Any]:
        made = list(pool)
        for _ in range(self._random.randint(2, 6)):
            way = self._random.random()
            if way < 0.2 and depth < 2:
                made += self._block(made, depth + 1)
            elif way < 0.25:
                self._assign(made)
            else:
                made.append(self._step(made))
        return made

    def _assign(self, pool: list[Any]) -> None:
        for variable in [x for x in pool if isinstance(x, tf.Variable)][:1]:
            fitting = [x for x in pool if tuple(x.shape) == tuple(variable.shape)]
            variable.assign(self._random.choice(fitting))
            self.entered.append(variable.read())


class Captured:
    """What a function reads besides its arguments; `change` changes one of them."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.variable = tf.Variable(rng.normal(), dtype="float64")
        self.array = rng.normal(size=3)
        self.tensor = tf.constant(rng.normal(), dtype="float64")
        self.number, self.flag = 1.3, False
        self.values = [0.5, 1.5]

    def change(self, way: str, rng: np.random.Generator) -> None:
        """Change something, by name, as users' code does between two calls."""
        if way == "assign":
            self.variable.assign(rng.normal())
        elif way == "in place":
            self.array[1] += 1.0
        elif way == "list":
            self.values[0] = rng.normal()
        elif way != "nothing":
            new = {
                "array": rng.normal(size=3),
                "tensor": tf.constant(rng.normal(), dtype="float64"),
                "number": rng.normal(),
                "flag": not self.flag,
            }
            setattr(self, way, new[way])


CHANGES = ["nothing", "assign", "in place", "list", "array", "tensor", "number", "flag"]


class RandomFunction(RandomTapes):
    """A function of two arguments that reads what it captured; a seed says what it computes."""

    def __init__(self, seed: int, captured: Captured) -> None:
        self._seed, self.captured = seed, captured

    def __call__(self, x: Any, y: Any) -> Any:
        """Give a number."""
        self._random = random.Random(self._seed)
        self.entered = []
        own = self.captured
        pool = [tf.convert_to_tensor(v) for v in (x, y, own.array, own.tensor)]
        pool.append(own.variable)
        if own.flag:
            pool.append(pool[0] * 2.0)
        made = list(pool)
        for _ in range(self._random.randint(3, 8)):
            way = self._random.random()
            if way < 0.15:
                made += self._block(made, 1)
            elif way < 0.2:
                made.append(self._random.choice(made) * own.number)
            elif way < 0.25:
                made.append(self._random.choice(made) * np.sin(own.array.sum() + own.values[0]))
            else:
                made.append(self._step(made))
        return tf.reduce_sum(made[-1]) * tf.reduce_sum(made[len(pool)])
