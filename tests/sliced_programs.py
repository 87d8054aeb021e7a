"""Random functions that take parts of vectors, the same ones whatever the size is."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

import symtape as tf


class Vector(NamedTuple):
    """A tensor, and how many elements more than x it has; or how many, whatever x has."""

    tensor: Any
    number: int
    is_fixed: bool = False


class Sliced:
    """Makes a scalar, or a vector, of x and of y, which has one element less."""

    def __init__(self, seed: int, *, is_scalar: bool = True) -> None:
        self.seed, self.is_scalar = seed, is_scalar

    def __call__(self, x: Any, y: Any) -> Any:
        """Compute it."""
        self.rng = np.random.default_rng(self.seed)
        self.known = [Vector(x, 0), Vector(y, -1)]
        for _ in range(self.rng.integers(2, 6)):
            self.known.append(self._pick(self._part, self._two, self._moved, self._function)())
        last, other = self.known[-1].tensor, self.known[-2].tensor
        if not self.is_scalar:
            return last * tf.reduce_sum(other)
        of = self._pick(tf.reduce_sum, tf.reduce_mean)
        return of(last * last) + tf.reduce_sum(tf.sin(other))

    def _pick(self, *choices: Any) -> Any:
        return choices[self.rng.integers(len(choices))]

    def _part(self) -> Vector:
        """Take a part whose ends are numbers, or counted from the end, or left out."""
        long = [v for v in self.known if not v.is_fixed and v.number > -4]
        x, more, _ = self._pick(*long)
        a, b = int(self.rng.integers(0, 2)), int(self.rng.integers(1, 3))
        return self._pick(  # type: ignore[no-any-return]  # one of these
            lambda: Vector(x[a:-b], more - a - b),
            lambda: Vector(x[a:], more - a),
            lambda: Vector(x[::-1], more),
            lambda: Vector(x[-b:a:-1], more - a - b),
            lambda: Vector(x[a : a + 2], 2, is_fixed=True),
            lambda: Vector(x[a : a + 5 : 2], 3, is_fixed=True),
            lambda: Vector(x[-2 - a :], 2 + a, is_fixed=True),
            lambda: Vector(tf.slice(x, [a], [-1]), more - a),
            lambda: Vector(x[a] * x, more),
            lambda: Vector(x[-b] * x, more),
        )()

    def _two(self) -> Vector:
        """Add or multiply two vectors of one size."""
        x, *size = self._pick(*self.known)
        y = self._pick(*[v.tensor for v in self.known if [*v[1:]] == size])
        made = self._pick(lambda: x * y, lambda: x - y, lambda: tf.maximum(x, y * 0.7))()
        return Vector(made, *size)

    def _moved(self) -> Vector:
        x, number, is_fixed = self._pick(*self.known)
        by = int(self.rng.integers(1, 3))
        made, more = self._pick(
            lambda: (tf.reverse(x, [0]), 0),
            lambda: (tf.cumsum(x), 0),
            lambda: (tf.cumsum(x, reverse=True, exclusive=True), 0),
            lambda: (tf.pad(x, [[by, 1]]), by + 1),
            lambda: (tf.pad(x, [[1, by]], mode="SYMMETRIC"), by + 1),
            lambda: (tf.concat([x, self.known[0].tensor[:by]], 0), by),
            lambda: (tf.roll(x, by, 0), 0),
        )()
        return Vector(made, number + more, is_fixed)

    def _function(self) -> Vector:
        x, *size = self._pick(*self.known)
        return Vector(self._pick(tf.tanh, tf.exp, tf.square)(x), *size)
