# ruff: noqa: D103 - a candidate is described by its name
"""The judge on masks: a large number that stands for infinity hides no mistake."""

from __future__ import annotations

import numpy as np
import pytest

import symtape as tf
from symtape import verify

RNG = np.random.default_rng(1)
Q, K = RNG.normal(size=(3, 4)), RNG.normal(size=(3, 4))
M = np.array([[1.0, 0.0, 1.0], [1.0, 1.0, 0.0], [1.0, 1.0, 1.0]])


def multiplied(q, k, m):
    return tf.nn.softmax(tf.matmul(q, k, transpose_b=True) / 2.0 + (1 - m) * -1e9)


def chosen(q, k, m):
    return tf.nn.softmax(tf.where(m > 0, tf.matmul(q, k, transpose_b=True) / 2.0, -1e9))


def shares(s):
    e = np.exp(s - s.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def back(p, q, k, u):
    d = p * (u - (u * p).sum(-1, keepdims=True)) / 2
    return d @ k, d.T @ q


def right(q, k, m, u):
    return back(shares(q @ k.T / 2 + (1 - m) * -1e9), q, k, u)


def masked_after(q, k, m, u):
    return back(shares(q @ k.T / 2) * m, q, k, u)


def a_little_more(q, k, m, u):
    dq, dk = right(q, k, m, u)
    return 1.001 * dq, dk


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("f", [multiplied, chosen])
def test_a_mask_has_no_roundings(f, dtype):
    """Beside a mask that were one times its rounding off, 1e9 times as much would be allowed."""
    given = [x.astype(dtype) for x in (Q, K, M)]
    assert verify.vjp(f, right, *given, wrt=["q", "k"]).ok
    for wrong in (masked_after, a_little_more):
        assert not verify.vjp(f, wrong, *given, wrt=["q", "k"]).ok, wrong
