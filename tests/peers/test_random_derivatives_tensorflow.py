"""Random programs: gradients, Jacobians and Hessians by nested tapes, as TensorFlow has them."""

from __future__ import annotations

import random
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import symtape

SEEDS = range(60)

# (least rank, function): one operand of any shape, which may have no more than three axes
UNARY: list[tuple[int, Callable[..., Any]]] = [
    (0, lambda tf, x, r: tf.sin(x)),
    (0, lambda tf, x, r: tf.tanh(x) * 1.5),
    (0, lambda tf, x, r: tf.sigmoid(x)),
    (0, lambda tf, x, r: tf.nn.softplus(x)),
    (0, lambda tf, x, r: tf.nn.elu(x)),
    (0, lambda tf, x, r: tf.nn.leaky_relu(x)),
    (0, lambda tf, x, r: tf.exp(-tf.square(x))),
    (0, lambda tf, x, r: tf.sqrt(1.0 + x * x)),
    (0, lambda tf, x, r: tf.math.log1p(x * x)),
    (0, lambda tf, x, r: tf.pow(tf.abs(x) + 0.5, 1.5)),
    (0, lambda tf, x, r: tf.clip_by_value(x, -0.75, 0.75)),
    (0, lambda tf, x, r: tf.where(x > 0.0, x * x, 0.25 * x)),
    (0, lambda tf, x, r: tf.stop_gradient(x) * x),
    (1, lambda tf, x, r: tf.nn.softmax(x)),
    (1, lambda tf, x, r: tf.nn.log_softmax(x)),
    (1, lambda tf, x, r: x - tf.reduce_mean(x, axis=-1, keepdims=True)),
    (1, lambda tf, x, r: tf.reduce_logsumexp(x, axis=r.choice([0, -1]))),
    (1, lambda tf, x, r: tf.reduce_sum(x, axis=r.choice([0, -1]), keepdims=r.random() < 0.5)),
    (1, lambda tf, x, r: tf.reduce_max(x, axis=-1)),
    (1, lambda tf, x, r: tf.reduce_prod(x, axis=0)),
    (1, lambda tf, x, r: tf.math.reduce_variance(x, axis=-1)),
    (1, lambda tf, x, r: tf.norm(x, axis=-1)),
    (1, lambda tf, x, r: tf.math.l2_normalize(x, axis=-1)),
    (1, lambda tf, x, r: tf.cumsum(x, axis=-1, reverse=r.random() < 0.5)),
    (1, lambda tf, x, r: tf.sort(x)),
    (1, lambda tf, x, r: tf.math.top_k(x, 1).values),
    (1, lambda tf, x, r: x[..., ::-1]),
    (1, lambda tf, x, r: x[..., :1] * x),
    (1, lambda tf, x, r: tf.concat([x, x * x], -1)),
    (1, lambda tf, x, r: tf.stack([x, 2.0 * x])),
    (1, lambda tf, x, r: tf.repeat(x, 2, axis=0)),
    (1, lambda tf, x, r: tf.tile(x, [2] + [1] * (len(x.shape) - 1))),
    (1, lambda tf, x, r: tf.pad(x, [[1, 0]] * len(x.shape))),
    (1, lambda tf, x, r: tf.pad(x, [[0, 1]] * len(x.shape), "SYMMETRIC")),
    (1, lambda tf, x, r: tf.roll(x, 1, 0)),
    (1, lambda tf, x, r: tf.reshape(x, [-1])),
    (1, lambda tf, x, r: tf.boolean_mask(x, [k != 1 for k in range(x.shape[0])])),
    (1, lambda tf, x, r: tf.math.segment_sum(x, [0] + [1] * (x.shape[0] - 1))),
    (2, lambda tf, x, r: tf.transpose(x)),
    (2, lambda tf, x, r: tf.matmul(x, x, transpose_a=True)),
    (2, lambda tf, x, r: tf.einsum("...ij,...kj->...ik", x, tf.tanh(x))),
    (2, lambda tf, x, r: tf.linalg.band_part(x, -1, 0)),
    (2, lambda tf, x, r: tf.linalg.diag_part(x)),
    (2, lambda tf, x, r: tf.linalg.trace(tf.matmul(x, x, transpose_b=True))),
    (2, lambda tf, x, r: _near_identity(tf, x, tf.linalg.inv)),
    (2, lambda tf, x, r: _near_identity(tf, x, tf.linalg.det)),
    (2, lambda tf, x, r: _near_identity(tf, x, tf.linalg.cholesky)),
    (2, lambda tf, x, r: _near_identity(tf, x, lambda m: tf.linalg.slogdet(m)[1])),
    (2, lambda tf, x, r: _near_identity(tf, x, tf.linalg.eigvalsh)),
]
BINARY: list[Callable[..., Any]] = [
    lambda tf, x, y: x + y,
    lambda tf, x, y: x * y,
    lambda tf, x, y: x - tf.sin(y),
    lambda tf, x, y: x / (y * y + 1.0),
    lambda tf, x, y: tf.maximum(x, y),
    lambda tf, x, y: tf.atan2(x, y * y + 0.5),
    lambda tf, x, y: tf.math.squared_difference(x, y),
    lambda tf, x, y: x * tf.reduce_sum(y),
]


def _near_identity(tf: Any, x: Any, f: Callable[[Any], Any]) -> Any:
    """Apply a function to a positive definite matrix made of x."""
    n = x.shape[-2]
    own = tf.range(1.0, n + 1.0, dtype=x.dtype)
    return f(0.1 * tf.matmul(x, x, transpose_b=True) + tf.linalg.diag(own))


def program(seed: int) -> Callable[[Any, Any], Any]:
    """Write a random function of one tensor."""

    def run(tf: Any, x: Any) -> Any:
        r = random.Random(seed)
        pool = [x]
        for _ in range(r.randrange(1, 6)):
            operand = r.choice(pool)
            fitting = [f for rank, f in UNARY if rank <= len(operand.shape)]
            if r.random() < 0.7:
                made = r.choice(fitting)(tf, operand, r)
            else:
                other = r.choice(pool)
                other = other if other.shape == operand.shape else tf.reduce_mean(other)
                made = r.choice(BINARY)(tf, operand, other)
            if len(made.shape) <= 3 and np.prod(made.shape) <= 40:
                pool.append(made)
        return pool[-1]

    return run


def point(seed: int) -> Any:
    """Choose where to differentiate."""
    rng = np.random.default_rng(seed)
    return rng.uniform(-1.25, 1.25, [(4,), (2, 3), (3, 2), (3, 3), (2, 2, 2)][seed % 5])


def questions(tf: Any, seed: int) -> list[Any]:
    """Ask one program for everything."""
    f, x = program(seed), tf.constant(point(seed))
    pfor = {"experimental_use_pfor": False}
    with tf.GradientTape(persistent=True) as outer:
        outer.watch(x)
        with tf.GradientTape(persistent=True) as inner:
            inner.watch(x)
            y = f(tf, x)
            loss = tf.reduce_sum(tf.sin(y))
        slope = inner.gradient(loss, x, unconnected_gradients="zero")
        inside = inner.gradient(y, x)
    found = [y, slope, inside, inner.jacobian(y, x, **pfor), outer.jacobian(slope, x, **pfor)]
    if min(len(x.shape), len(y.shape)) > 1 and y.shape[0] == x.shape[0]:
        found.append(inner.batch_jacobian(y, x, **pfor))
    weighted = outer.gradient(slope, x, output_gradients=tf.ones_like(x) * 0.5)
    return [*found, weighted]


def arrays(found: list[Any]) -> list[Any]:
    """Give the numbers, and None where there are none."""
    return [None if t is None else np.asarray(t) for t in found]


@pytest.mark.parametrize("seed", SEEDS)
def test_random_derivatives(seed: int, tensorflow: ModuleType) -> None:
    """Every derivative of a random program is TensorFlow's, and so is every None."""
    here, there = (arrays(questions(tf, seed)) for tf in (symtape, tensorflow))
    assert len(here) == len(there)
    for k, (found, expected) in enumerate(zip(here, there, strict=True)):
        assert (found is None) == (expected is None), (seed, k)
        if found is not None:
            assert found.shape == expected.shape, (seed, k)
            np.testing.assert_allclose(found, expected, rtol=1e-7, atol=1e-9, err_msg=f"{seed} {k}")
