"""Long lines are put in order as NumPy's stable order has them, whatever is equal in them."""

from __future__ import annotations

import numpy as np
import pytest

import symtape as tf
from symtape.kernels import kernels
from symtape.kernels.ordering import largest, stable_order

LINES = [((5000,), 0), ((16, 1000), 1), ((70, 100), 0), ((3, 50, 40), 1), ((6000, 1), -1)]


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "int64", "uint32", "float16"])
@pytest.mark.parametrize(("shape", "axis"), LINES)
@pytest.mark.parametrize("scale", [3, 1000, 10**6])
def test_places_of_equal_elements_are_in_their_order(shape, axis, scale, dtype):
    """Few are equal, or many, or all; signs of zero do not count, and nan comes last."""
    rng = np.random.default_rng(scale)
    x = np.floor(rng.uniform(0, min(scale, 60_000), shape)).astype(dtype)
    if x.dtype.kind == "f":
        for value in (np.nan, -0.0, np.inf):
            x[rng.random(shape) < 0.05] = value
    for line in (x, np.sort(x, axis), np.zeros_like(x)):
        wanted = np.argsort(line, axis=axis, kind="stable")
        np.testing.assert_array_equal(stable_order(line, axis), wanted)


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "int64", "uint32", "float16"])
@pytest.mark.parametrize("shape", [(5000,), (16, 1000), (3, 50, 40), (5000, 4), (2, 4096)])
@pytest.mark.parametrize("scale", [1, 3, 1000, 10**6])
def test_the_largest_are_the_first_ones_of_all(shape, scale, dtype):
    """Of equal ones the first are taken, and nan before all numbers, however many there are."""
    rng = np.random.default_rng(scale)
    x = np.floor(rng.uniform(0, min(scale, 60_000), shape)).astype(dtype)
    lines = [x, -x, np.zeros_like(x)]
    if x.dtype.kind == "f":
        rare, many = x.copy(), x.copy()
        for value in (np.nan, -0.0, np.inf, -np.inf):
            rare[rng.random(shape) < 0.002] = value
        many[rng.random(shape) < 0.3] = np.nan
        lines += [rare, many, np.full_like(x, np.nan)]
    for line in lines:
        back = np.argsort(line[..., ::-1], axis=-1, kind="stable")
        wanted = line.shape[-1] - 1 - back[..., ::-1]
        for count in (0, 1, 5, line.shape[-1] // 4, line.shape[-1]):
            np.testing.assert_array_equal(largest(line, count), wanted[..., :count])


@pytest.mark.parametrize("shape", [(5,), (3, 2000)])
def test_tapes_hear_of_an_order_that_nobody_computes(shape, monkeypatch):
    """Under a tape, too, the largest are selected; who reads their order gets all of it."""
    x = tf.Variable(np.floor(np.random.default_rng(1).normal(size=shape) * 30))
    with tf.GradientTape(persistent=True) as tape:
        monkeypatch.setattr(kernels, "stable_order", None)
        values, places = tf.math.top_k(x, 3)
        y = tf.reduce_sum(values * [1.0, 2.0, 4.0])
    slopes = tape.gradient(y, x).numpy()
    monkeypatch.undo()
    wanted = np.argsort(-x.numpy(), axis=-1, kind="stable")[..., :3]
    np.testing.assert_array_equal(places, wanted)
    taken = np.take_along_axis(slopes, wanted, -1)
    np.testing.assert_array_equal(taken, np.broadcast_to([1.0, 2.0, 4.0], taken.shape))
    program = values.formula.program
    np.testing.assert_array_equal(values.lambdify()(x.numpy()), values.numpy())
    assert [type(step[0]).__name__ for step in program.steps].count("Position") == 1
