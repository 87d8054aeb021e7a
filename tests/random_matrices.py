"""Random functions of numbers, vectors and matrices, and their derivatives.

A kind is a letter: s is a number, v and w are vectors, of three and two elements unless one says
else, M is square, R has a row for each element of w and a column for each of v. A seed makes the
same function again, of any sizes.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from typing import Any

import numpy as np

import symtape as tf

NAMES = {"s": "ab", "v": "xyz", "w": "uq", "M": "ABC", "R": "GH"}

OF_ONE: list[Callable[[Any], Any]] = [
    *(tf.exp, tf.sin, tf.cos, tf.tanh, tf.square, tf.sqrt, tf.abs, tf.negative, tf.sigmoid),
    *(tf.math.softplus, tf.math.log, tf.math.log1p, tf.math.reciprocal, tf.math.erf),
    *(tf.nn.relu, tf.nn.elu, tf.nn.silu),
]

OF_TWO: list[Callable[[Any, Any], Any]] = [
    *(tf.add, tf.subtract, tf.multiply, tf.divide, tf.maximum, tf.minimum),
    lambda a, b: 2.5 * a - b,
    lambda a, b: a**2 * b,
]


def _regular(a: Any) -> Any:
    return a + 3.25 * tf.eye(a.shape[0], dtype=tf.float64)


OF_KINDS: Mapping[str, list[tuple[str, Callable[..., Any]]]] = {
    "s": [
        ("v", tf.reduce_sum),
        ("v", tf.reduce_mean),
        ("v", tf.reduce_logsumexp),
        ("v", tf.reduce_prod),
        ("v", tf.norm),
        ("v", lambda x: x[1]),
        ("w", tf.reduce_sum),
        ("vv", lambda x, y: tf.tensordot(x, y, 1)),
        ("M", tf.linalg.trace),
        ("M", tf.reduce_sum),
        ("M", lambda a: tf.linalg.slogdet(_regular(a))[1]),
        ("R", tf.reduce_mean),
        ("RR", lambda g, h: tf.reduce_sum(g * h)),
    ],
    "v": [
        ("Mv", tf.linalg.matvec),
        ("Mv", lambda a, x: tf.linalg.matvec(a, x, transpose_a=True)),
        ("Rw", lambda g, u: tf.linalg.matvec(g, u, transpose_a=True)),
        ("Mv", lambda a, x: tf.linalg.matvec(tf.linalg.inv(_regular(a)), x)),
        ("M", tf.linalg.diag_part),
        ("M", lambda a: tf.reduce_sum(a, axis=0)),
        ("M", lambda a: tf.reduce_mean(a, axis=1)),
        ("R", lambda g: tf.reduce_sum(g, axis=0)),
        ("v", tf.nn.softmax),
        ("v", tf.cumsum),
        ("v", lambda x: x[::-1]),
        ("vs", tf.multiply),
    ],
    "w": [
        ("Rv", tf.linalg.matvec),
        ("R", lambda g: tf.reduce_sum(g, axis=1)),
        ("R", lambda g: tf.reduce_mean(g, axis=1)),
        ("ws", tf.multiply),
    ],
    "M": [
        ("MM", tf.matmul),
        ("MM", lambda a, b: tf.matmul(a, b, transpose_a=True)),
        ("MM", lambda a, b: tf.matmul(a, b, transpose_b=True)),
        ("M", tf.transpose),
        ("RR", lambda g, h: tf.matmul(g, h, transpose_a=True)),
        ("vv", lambda x, y: x[:, None] * y[None, :]),
        ("v", tf.linalg.diag),
        ("Mv", tf.multiply),
        ("Mv", lambda a, x: a - x[:, None]),
        ("M", lambda a: tf.nn.softmax(a, axis=0)),
        ("M", tf.nn.softmax),
    ],
    "R": [
        ("RM", tf.matmul),
        ("wv", lambda u, x: u[:, None] * x),
        ("R", tf.nn.softmax),
        ("R", lambda g: g - tf.reduce_mean(g, axis=0, keepdims=True)),
        ("R", lambda g: g - tf.reduce_mean(g, axis=1, keepdims=True)),
        ("Rv", tf.multiply),
    ],
}
"""What makes a kind of others."""


class RandomFunction:
    """Makes random functions of leaves of some sizes."""

    def __init__(self, seed: int, n: int, m: int) -> None:
        self.draw = random.Random(seed)
        rng = np.random.default_rng(seed)
        shapes = {"s": (), "v": (n,), "w": (m,), "M": (n, n), "R": (m, n)}
        self.leaves = {
            name: tf.constant(rng.uniform(0.3, 1.4, shapes[kind]), tf.float64, name=name)
            for kind, names in NAMES.items()
            for name in names
        }
        self.used: list[str] = []
        self.value = np.zeros(())
        self.tensor: Any = None

    @property
    def has_numbers(self) -> bool:
        """Say whether the function and its derivative are finite there."""
        parts = [] if self.tensor is None else [self.value, self.tensor.numpy()]
        return bool(parts) and all(np.isfinite(x).all() for x in parts)

    def made(self, kind: str, depth: int) -> Any:
        """Make one of a kind, of others that nest so deep."""
        chance = self.draw.random()
        if depth <= 0 or chance < 0.12:
            self.used.append(self.draw.choice(NAMES[kind]))
            return self.leaves[self.used[-1]]
        if chance < 0.32:
            return self.draw.choice(OF_ONE)(self.made(kind, depth - 1))
        if chance < 0.55:
            first = self.made(kind, depth - 1)
            other = kind if self.draw.random() < 0.7 else "s"
            return self.draw.choice(OF_TWO)(first, self.made(other, depth - 1))
        kinds, function = self.draw.choice(OF_KINDS[kind])
        return function(*[self.made(k, depth - 1) for k in kinds])


class RandomDerivative(RandomFunction):
    """A gradient, Jacobian or Hessian of a random function, by one of what it is of."""

    def __init__(self, seed: int, n: int = 3, m: int = 2) -> None:
        super().__init__(seed, n, m)
        self.kind = self.draw.choice(("gradient", "gradient", "jacobian", "hessian"))
        is_second = self.kind == "hessian"
        with tf.GradientTape() if is_second else nullcontext() as outer:
            if outer is not None:
                outer.watch(list(self.leaves.values()))
            with tf.GradientTape() as tape:
                tape.watch(list(self.leaves.values()))
                y = self.made("v" if self.kind == "jacobian" else "s", self.draw.randint(2, 4))
            x = self.leaves[self.draw.choice(self.used)]
            first = tape.jacobian(y, x) if self.kind == "jacobian" else tape.gradient(y, x)
        self.value = y.numpy()
        self.tensor = first if outer is None or first is None else outer.jacobian(first, x)


OF_INNER: list[Callable[[Any], Any]] = [
    *(tf.reduce_sum, tf.reduce_mean),
    lambda j: tf.reduce_sum(j**2),
    lambda j: tf.reduce_sum(tf.tanh(j)),
    lambda j: tf.reduce_sum(j, axis=-1),
    lambda j: tf.reduce_sum(j**2, axis=0),
    lambda j: j,
]
"""What is computed of a derivative that has axes."""


class RandomNested(RandomFunction):
    """What another tape records of a derivative within its block, or a derivative of that."""

    def __init__(self, seed: int, n: int = 3, m: int = 2) -> None:
        super().__init__(seed, n, m)
        everything = list(self.leaves.values())
        target = self.draw.choice("svvw")
        with tf.GradientTape() as outer:
            outer.watch(everything)
            with tf.GradientTape() as tape:
                tape.watch(everything)
                y = self.made(target, self.draw.randint(1, 3))
            by = self.draw.choice(self.used)
            x = self.leaves[by]
            inner = tape.gradient(y, x) if target == "s" else tape.jacobian(y, x)
            if inner is None:
                return
            z = self._of(inner, target, by)
        self.value = z.numpy()
        source = self.leaves[self.draw.choice(self.used)]
        asked = self.draw.choice((outer.gradient, outer.gradient, outer.jacobian, None))
        self.tensor = z if asked is None else asked(z, source)

    def _of(self, inner: Any, target: str, by: str) -> Any:
        """Compute something of a derivative: of a square one its trace, or what a product is."""
        is_square = target == "v" and by in NAMES["v"]
        if is_square and self.draw.random() < 0.5:
            return self.draw.choice(
                (
                    tf.linalg.trace,
                    lambda j: tf.linalg.matvec(j, self.leaves["x"]),
                    lambda j: tf.linalg.slogdet(_regular(j))[1],
                )
            )(inner)
        if not inner.shape:
            return inner * inner
        return self.draw.choice(OF_INNER)(inner)
