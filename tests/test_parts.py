"""Gradients of what takes an array apart put the parts together again, and add no zeros."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import symtape as tf

RNG = np.random.default_rng(0)
LINE, SQUARE = RNG.normal(size=7), RNG.normal(size=(5, 6))


def _state(x: Any) -> Any:
    """Step a system of three equations, twice."""
    for _ in range(2):
        x = x + 0.1 * np.stack([x[1] - x[0], x[0] * x[2], -x[1] * x[1]])
    return np.sum(x * x)


WHOLE: dict[str, tuple[Callable[[Any], Any], Any]] = {
    "a roll": (lambda x: np.sum(np.roll(x, 2) * x * LINE), LINE),
    "rolls of two axes": (
        lambda x: np.sum(x * (np.roll(x, 1, 0) + np.roll(x, -2, 1) + np.roll(x, 1, 1))),
        SQUARE,
    ),
    "a diffusion": (
        lambda x: np.sum((np.roll(x, 1, 0) + np.roll(x, -1, 0) - 2.0 * x) ** 3),
        SQUARE,
    ),
    "three parts": (lambda x: np.sum(np.sin(x[4:])) * np.sum(x[:1] ** 2) * np.sum(x[1:4]), LINE),
    "parts of columns": (lambda x: np.sum(x[:, :2] ** 2) * np.sum(x[:, 2:] ** 3), SQUARE),
    "a part twice": (lambda x: np.sum(x[:3] ** 2) * np.sum(x[3:]) * np.sum(np.exp(x[:3])), LINE),
    "an element and the rest": (lambda x: x[0] ** 2 * np.sum(x[1:] ** 2), LINE),
}
"""Functions whose gradients are whole again, with an argument."""
OTHERS: dict[str, tuple[Callable[[Any], Any], Any]] = {
    "differences": (lambda x: np.sum((x[1:] - x[:-1]) ** 2), LINE),
    "a gap": (lambda x: np.sum(x[:3] ** 2) * np.sum(x[4:] ** 2), LINE),
    "steps": (lambda x: np.sum(x[::2] ** 2) * np.sum(x[1::2] ** 3), LINE),
    "blocks": (lambda x: np.sum(x[:2, :3] ** 2) * np.sum(x[2:, 3:] ** 2), SQUARE),
    "no elements": (lambda x: np.sum(x[:0]) + np.sum(x[3:] ** 2) * np.sum(x[:3]), LINE),
    "a state": (_state, LINE[:3]),
}
"""Functions of which that is not so, or not of all."""


@pytest.mark.parametrize("name", [*WHOLE, *OTHERS])
def test_parts_stand_where_they_were(name: str) -> None:
    """The gradient is that of the steps, one by one."""
    function, x = {**WHOLE, **OTHERS}[name]
    with tf.GradientTape() as tape:
        leaf = tf.constant(x)
        tape.watch(leaf)
        y = function(leaf)
    expected = tape.gradient(y, leaf).numpy()
    np.testing.assert_allclose(tf.grad(function)(x), expected, rtol=1e-13, atol=1e-14)


@pytest.mark.parametrize("name", WHOLE)
def test_nothing_is_added_to_zeros(name: str) -> None:
    """What makes up an axis is written as such."""
    function, x = WHOLE[name]
    assert "embed(" not in tf.grad(function).source(x)
