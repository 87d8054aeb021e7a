"""NumPy's functions with arguments that are seldom given, against NumPy; what it refuses, too."""

from __future__ import annotations

import numpy as np
import pytest

import symtape as tf
from tests.numpy_arguments import OF_SHAPES, REFUSED

STEP = 1e-5
ROWS = [(shape, k) for shape, calls in OF_SHAPES.items() for k in range(len(calls))]


def parts(made):
    """List the arrays of a result."""
    if isinstance(made, (list, tuple)):
        return [part for value in made for part in parts(value)]
    return [made]


def weighted(made):
    """Add up the real parts of all numbers that have a derivative, each with a weight."""
    total = 0.0
    for part in parts(made):
        if np.asarray(part).dtype.kind in "fc":
            weights = np.cos(np.arange(np.size(part)) + 1.0).reshape(np.shape(part))
            real = tf.cast(tf.math.real(part), tf.float64)
            total = total + tf.reduce_sum(real * weights)
    return total


def differences(call, x):
    """Differentiate by differences of the fourth order."""
    found = np.zeros(x.shape)
    for at in np.ndindex(x.shape):
        values = []
        for k in (-2, -1, 1, 2):
            moved = x.copy()
            moved[at] += k * STEP
            values.append(float(weighted(call(moved))))
        found[at] = np.dot(values, [1, -8, 8, -1]) / (12 * STEP)
    return found


@pytest.mark.parametrize(("shape", "k"), ROWS)
def test_arguments_that_are_seldom_given(shape, k):
    """Results have NumPy's values and dtypes, and the gradient of differences."""
    call = OF_SHAPES[shape][k]
    x = np.random.default_rng(k).uniform(0.2, 0.9, shape)
    expected, at = parts(call(x)), tf.constant(x)
    with tf.GradientTape() as tape:
        tape.watch(at)
        made = call(at)
        loss = weighted(made)
    for found, wanted in zip(parts(made), expected, strict=True):
        kind = np.asarray(wanted).dtype
        assert np.asarray(found).dtype == kind
        np.testing.assert_allclose(found, wanted, rtol=1e-6 if kind == np.float32 else 1e-11)
    is_short = any(np.asarray(wanted).dtype == np.float32 for wanted in expected)
    slope, bound = differences(call, x), 0.1 if is_short else 3e-6
    found = tape.gradient(loss, at).numpy()
    np.testing.assert_allclose(found, slope, rtol=bound, atol=bound * (1 + np.abs(slope).max()))


@pytest.mark.parametrize("k", range(len(REFUSED)))
def test_what_numpy_refuses_is_refused(k):
    """Axes that are not there, sizes that do not fit, and empty extremes raise here, too."""
    x = np.array([[0.3, 0.5, 0.7], [0.2, 0.8, 0.4]])
    with pytest.raises((ValueError, TypeError, IndexError)):
        REFUSED[k](x)
    at = tf.constant(x)
    with tf.GradientTape() as tape:
        tape.watch(at)
        with pytest.raises((ValueError, TypeError, IndexError)):
            REFUSED[k](at)
