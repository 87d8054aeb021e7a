"""NumPy's functions on tensors against NumPy, and their gradients against JAX's NumPy."""

from __future__ import annotations

import zlib
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import symtape as tf
from tests.numpy_cases import CASES, OF_ARRAYS_ALONE, NumpyCase
from tests.sampling import some

OF_TENSORS = [name for name in CASES if name not in OF_ARRAYS_ALONE]


def operand(name: str, case: NumpyCase) -> Any:
    """Make the array; it depends on the name alone."""
    rng = np.random.default_rng(zlib.crc32(name.encode()))
    return rng.uniform(case.low, case.high, case.shape)


@pytest.mark.parametrize("name", some(OF_TENSORS, 6))
def test_numpy_function_has_the_gradient_of_jax(name: str, jax: ModuleType) -> None:
    """A NumPy function under a tape gives NumPy's numbers, and JAX's gradient."""
    run = CASES[name].run
    array = operand(name, CASES[name])
    x = tf.constant(array)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = run(np, x)
    expected = run(np, array)
    assert isinstance(y, tf.Tensor)
    np.testing.assert_allclose(y.numpy(), expected, rtol=1e-13)
    assert y.shape == np.shape(expected)
    weights = np.cos(np.arange(np.size(expected))).reshape(np.shape(expected))
    theirs = jax.grad(lambda x: (run(jax.numpy, x) * weights).sum())(array)
    ours = tape.gradient(y, x, output_gradients=weights)
    np.testing.assert_allclose(ours.numpy(), theirs, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("name", OF_TENSORS)
def test_numpy_function_without_a_tape_is_numpys(name: str) -> None:
    """Where no tape watches, results are plain NumPy's, but for operators with an array first."""
    run = CASES[name].run
    array = operand(name, CASES[name])
    x = tf.constant(array)
    np.testing.assert_array_equal(run(np, x), run(np, array))
