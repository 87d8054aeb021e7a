"""What is computed in single precision: gradients, formulas and code, to as many digits."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtape as tf
from tests.cases import SINGLE, Case
from tests.compiled import arguments, recorded
from tests.test_case_readings import numbers


def close(found: Any, expected: Any) -> None:
    """Assert that numbers agree to the digits of single precision."""
    scale = np.max(np.abs(expected), initial=1)
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=3e-5 * scale)


@pytest.mark.parametrize("case", SINGLE, ids=lambda c: c.name)
def test_formulas_give_the_numbers(case: Case) -> None:
    """Results and gradients are what their formulas give, to 25 digits."""
    run = recorded(case, "float32")
    for tensor in (*run.ys, *run.gradients):
        close(numbers(tensor.evalf(25)), tensor.numpy())


@pytest.mark.parametrize("case", SINGLE, ids=lambda c: c.name)
def test_code_gives_the_numbers(case: Case) -> None:
    """Gradients compiled as functions of the inputs give the numbers at the same point."""
    run = recorded(case, "float32")
    for g in run.gradients:
        compiled = g.lambdify()
        close(compiled(*arguments(g, compiled)), g.numpy())


@pytest.mark.parametrize("case", SINGLE, ids=lambda c: c.name)
def test_gradients_are_what_differences_say(case: Case) -> None:
    """The slope along a direction is that of the line through two points near."""
    xs, _, ys, _, _ = recorded(case, "float32")
    rng = np.random.default_rng(1)
    weights = [rng.standard_normal(y.shape).astype(np.float32) for y in ys]
    steps = [rng.standard_normal(x.shape).astype(np.float32) * 0.01 for x in xs]
    with tf.GradientTape() as tape:
        tape.watch(xs)
        ys = tf.nest.flatten(case.run(tf, *xs))
        total = sum(tf.reduce_sum(y * w) for y, w in zip(ys, weights, strict=True))
    gradients = tape.gradient(total, xs)
    slope = sum(np.vdot(g.numpy(), d) for g, d in zip(gradients, steps, strict=True))

    def at(sign: float) -> float:
        moved = [tf.constant(x.numpy() + sign * d) for x, d in zip(xs, steps, strict=True)]
        found = tf.nest.flatten(case.run(tf, *moved))
        return float(sum(np.vdot(y.numpy(), w) for y, w in zip(found, weights, strict=True)))

    assert slope == pytest.approx((at(1) - at(-1)) / 2, rel=2e-2, abs=2e-4)
