"""Long programs of small arrays are computed element by element, by Python's floats."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import symtape as tf
from symtape.kernels.interpret import QUIET, interpret
from symtape.lowering import unrolling

RNG = np.random.default_rng(3)
SERIES = np.cumsum(RNG.normal(size=60))


def _repeated(step: Callable[[Any], Any], n: int = 40) -> Callable[[Any], Any]:
    def function(x: Any) -> Any:
        for _ in range(n):
            x = step(x)
        return tf.reduce_sum(x * x)

    return function


def _chosen(x: Any) -> Any:
    return 0.9 * tf.where(x > 0.2, tf.sin(x), tf.maximum(x, tf.abs(x) - 1.0))


CASES: dict[str, Callable[[Any], Any]] = {
    "elementwise": _repeated(lambda x: tf.tanh(x) * x + x / 2),
    "elements put together": _repeated(lambda x: tf.stack([x[1] * 0.9, tf.sin(x[0])])),
    "slices and joins": _repeated(lambda x: tf.concat([0.5 * x[1:], tf.cos(x[:1])], 0)),
    "matrices": _repeated(
        lambda x: tf.tanh(tf.linalg.matvec(tf.stack([x, 0.3 * x[::-1]]), x)) + 0.1 * x
    ),
    "sums and broadcasting": _repeated(lambda x: x / (1 + tf.reduce_sum(x * x)) + 0.3),
    "outer products": _repeated(lambda x: tf.linalg.diag_part(x[:, None] * x) / 2 + 0.4),
    "shapes": _repeated(lambda x: tf.reshape(tf.transpose(tf.reshape(x, [1, 2])) * 0.7, [2]) + x),
    "choices": _repeated(_chosen),
    "a numpy function": _repeated(lambda x: np.exp(-x) * np.sum(x) / 3),
}
"""Functions of two numbers, whose programs have many steps of a few elements."""


@pytest.mark.parametrize("name", CASES)
def test_elements_are_what_arrays_hold(name: str) -> None:
    """Value, gradient and Hessian are those of the program of arrays, step by step."""
    x = np.array([0.7, -0.4])
    for derivative in (tf.value_and_grad(CASES[name]), tf.hessian(CASES[name])):
        program = tf.trace(derivative, x)
        found = [p for p in program.results if p is not None]
        made = unrolling.unrolled(program, [*program.arguments], found)
        assert made is not None
        assert not any(made.program.shapes)
        with_numpy = QUIET.run(interpret, program, {program.arguments[0]: x}, found)
        flat = derivative(x) if isinstance(derivative(x), tuple) else [derivative(x)]
        for mine, theirs in zip(flat, with_numpy, strict=True):
            assert np.shape(mine) == np.shape(theirs)
            np.testing.assert_allclose(mine, theirs, rtol=1e-12, atol=1e-14)


def test_a_filter_of_kalman() -> None:
    """The gradient is that of the recurrence, by hand; its code is of floats alone."""

    def likelihood(p: Any) -> Any:
        mean, spread, total = 0.0, 1.0, 0.0
        for t in range(len(SERIES)):
            spread = spread + tf.exp(p[0])
            around = spread + tf.exp(p[1])
            error, gain = SERIES[t] - mean, spread / around
            mean, spread = mean + gain * error, (1 - gain) * spread
            total = total + (tf.math.log(around) + error * error / around) / 2
        return total

    p = np.array([0.1, -0.2])
    both = tf.value_and_grad(likelihood)
    value, slope = both(p)
    assert value == pytest.approx(_likelihood(*p), rel=1e-13)
    for k in range(2):
        h = np.eye(2)[k] * 1e-30j
        assert slope[k] == pytest.approx(_likelihood(*(p + h)).imag / 1e-30, rel=1e-12)
    assert "np." not in both.source(p)


def _likelihood(a: complex, b: complex) -> Any:
    mean, spread, total = 0.0, 1.0, 0.0
    for y in SERIES:
        spread = spread + np.exp(a)
        around = spread + np.exp(b)
        error, gain = y - mean, spread / around
        mean, spread = mean + gain * error, (1 - gain) * spread
        total += (np.log(around) + error * error / around) / 2
    return total


def test_where_python_raises_numpy_computes() -> None:
    """An overflow is an infinity, and a logarithm of a negative number is nan."""
    grow = tf.value_and_grad(_repeated(lambda x: tf.exp(x) * x[::-1]))
    value, slope = grow(np.array([2.0, 3.0]))
    assert value == math.inf
    assert np.isnan(slope).all() or np.isinf(slope).any()
    logs = tf.value_and_grad(_repeated(lambda x: tf.math.log(x) + x))
    assert np.isnan(logs(np.array([-1.0, 2.0]))[0])


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_only_small_arrays_of_float64_are_written_out(dtype: str) -> None:
    """What NumPy computes as fast stays as it is: other dtypes, few steps, wide arrays."""
    step = CASES["elementwise"]
    few = _repeated(lambda x: tf.tanh(x) + x, 3)
    for function, x in ((step, RNG.normal(size=200)), (few, np.ones(2)), (step, np.ones(2))):
        is_written_out = dtype == "float64" and function is step and x.size == 2
        source = tf.grad(function).source(x.astype(dtype))
        assert ("np." not in source) == is_written_out


@pytest.mark.parametrize("backend", ["numpy", "math", "array_api"])
def test_a_sum_of_thousands_of_terms(backend: str) -> None:
    """Python compiles it, as a sum of sums."""
    factors, x = np.linspace(0, 1, 3500), tf.constant(0.3, tf.float64)
    with tf.GradientTape() as tape:
        tape.watch(x)
        found = tf.zeros([], tf.float64)
        for k in factors.tolist():
            found = found + tf.sin(k * x)
    slope = tape.gradient(found, x).lambdify(backend=backend)(0.3)
    assert float(slope) == pytest.approx(float(np.sum(factors * np.cos(0.3 * factors))), rel=1e-13)


def test_long_recurrences_are_compiled() -> None:
    """A thousand steps of four stages are code, in a time of a thousandth of a step of NumPy."""
    slope = tf.grad(_repeated(lambda x: tf.sin(x) * 0.9 + tf.cos(x[::-1]) * 0.2 + 0.1, 1500))
    x = np.array([0.3, 0.4])
    found = slope(x)
    for k in range(2):
        y = x + np.eye(2)[k] * 1e-30j
        for _ in range(1500):
            y = np.sin(y) * 0.9 + np.cos(y[::-1]) * 0.2 + 0.1
        assert found[k] == pytest.approx(np.sum(y * y).imag / 1e-30, rel=1e-9, abs=1e-30)
    assert "math.sin" in slope.source(x)


def test_elements_of_an_array_from_outside_are_compared_at_once() -> None:
    """Any of them may change, and the function is traced again; so may the others."""
    data = np.linspace(0.1, 1, 50)
    slope = tf.grad(lambda x: sum([float(data[k]) * x**2 for k in range(0, 50, 2)]))
    wanted = 2 * data[::2].sum()
    assert slope(1.0) == pytest.approx(wanted)
    assert slope(1.0) == pytest.approx(wanted)
    data[48] = 7.0
    assert slope(1.0) == pytest.approx(2 * data[::2].sum())
    data[2] = -3.0
    assert slope(1.0) == pytest.approx(2 * data[::2].sum())
    data[3] = 11.0
    assert slope(1.0) == pytest.approx(2 * data[::2].sum())
