"""Formulas of derivatives through eigenvectors and singular vectors, of any sign and of one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mpmath as mp
import numpy as np
import pytest

import symtape as tf
from tests.matrix_numbers import NAMES, assert_holds, by_entry, number

SQUARE = np.array([[2.0, 0.3, 0.5], [0.3, 1.0, 0.2], [0.5, 0.2, 3.0]])
WIDE = np.array([[2.0, 0.3, 0.5], [0.3, 1.0, 0.2]])
C = np.array([0.4, 0.7, -0.2])


def _first(u: Any) -> Any:
    return u[:, 0]


CASES: dict[str, tuple[Any, str, Callable[[Any], Any], Callable[[Any, Any], Any]]] = {
    "an eigenvector of any sign": (
        SQUARE, "eigvecs", lambda s: _first(tf.linalg.eigh(s)[1]), lambda v, c: (v @ c) ** 2
    ),
    "an eigenvector": (
        SQUARE, "eigvecs", lambda s: _first(tf.linalg.eigh(s)[1]), lambda v, c: v @ c
    ),
    "a right vector of any sign": (
        WIDE, "svd_right", lambda s: _first(tf.linalg.svd(s)[2]), lambda v, c: (v @ c) ** 2
    ),
    "a right vector": (
        WIDE, "svd_right", lambda s: _first(tf.linalg.svd(s)[2]), lambda v, c: v @ c
    ),
    "a left vector": (
        SQUARE, "svd_left", lambda s: _first(tf.linalg.svd(s)[1]), lambda v, c: v @ c
    ),
}  # fmt: skip


def differences(function: Callable[[Any], Any], at: Any) -> Any:
    """Take the slopes along each entry from the values at both sides of it."""
    step = mp.mpf(10) ** -30
    found = np.empty(at.shape, object)
    for place in np.ndindex(*at.shape):
        sides = [at.copy(), at.copy()]
        sides[0][place] += step
        sides[1][place] -= step
        up, down = map(function, sides)
        found[place] = (up - down) / (2 * step)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_the_gradient_through_a_vector_holds(name: str) -> None:
    """What is printed has the value of the program, and that is the slope of mpmath's vectors."""
    at, vectors, ours, of = CASES[name]
    s = tf.Variable(at, name="S")
    with tf.GradientTape() as tape:
        v = ours(s)
        y = tf.tensordot(v, tf.constant(C), 1)
        y = y**2 if "any sign" in name else y
    found = tape.gradient(y, s)
    assert_holds(found, np.random.default_rng(2), "S" if at is SQUARE else "")
    with mp.workdps(80):
        exact = by_entry(number)(at)
        c = by_entry(number)(C)
        wanted = differences(lambda a: of(_first(NAMES[vectors](a)), c), exact)
        digits = np.array(found.evalf(40).tolist(), object)
        for a, b in zip(digits.ravel(), wanted.ravel(), strict=True):
            assert abs(number(a) - b) < mp.mpf(10) ** -30
