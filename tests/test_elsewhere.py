"""Formulas of every operation hold for other arguments than those they were recorded with.

What an operation reads of values is computed anew, or is a condition, which refuses others.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtape as tf
from tests.cases import CASES
from tests.cases.case import Case
from tests.sampling import all_hold, batches, some


def moved_on(x: Any) -> Any:
    """Put each element where the next one stands."""
    return np.roll(x, 1)


TURNS = (np.flip, moved_on)


def recorded(case: Case, arrays: list[Any]) -> tuple[list[Any], list[Any]]:
    """Run a case: its first result, and the gradients of it that there are."""
    inputs = [tf.constant(a, name=f"x{k}") for k, a in enumerate(arrays)]
    smooth = [x for x in inputs if x.dtype.is_floating or x.dtype.is_complex]
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(smooth)
        results = [r for r in tf.nest.flatten(case.run(tf, *inputs)) if isinstance(r, tf.Tensor)]
    found = results[:1]
    if found and (found[0].dtype.is_floating or found[0].dtype.is_complex):
        found += tape.gradient(found[0], smooth)
    return found, inputs


def assert_near(value: Any, expected: Any) -> None:
    """Compare, relative to the largest number; what is no number is equal."""
    if expected.dtype.kind not in "fc":
        np.testing.assert_array_equal(value, expected)
        return
    scale = np.max(np.abs(expected), initial=1.0, where=np.isfinite(expected))
    np.testing.assert_allclose(value, expected, rtol=1e-6, atol=1e-6 * scale)


def judge(case: Case) -> None:
    """Compile what is recorded for some arguments, and compare it with what others give."""
    if not case.order:
        return
    arrays = case.arrays("float64")
    found, inputs = recorded(case, arrays)
    for turn in TURNS:
        others = [turn(x).copy() if x.ndim else x for x in arrays]
        compiled = []
        for tensor in found:
            try:
                compiled.append(None if tensor is None else tensor.lambdify(inputs)(*others))
            except (tf.errors.PathConditionError, ValueError):  # a size is no leaf
                compiled.append(None)
        if all(value is None for value in compiled):
            continue
        expected, _ = recorded(case, others)
        for value, tensor in zip(compiled, expected, strict=True):
            if value is not None and tensor is not None:
                assert_near(value, tensor.numpy())


NAMED = {case.name: case for case in CASES}


def judge_of(name: str) -> None:
    """Judge the case of a name, which a failure tells."""
    judge(NAMED[name])


@pytest.mark.filterwarnings("ignore:.*(divide by zero|invalid value|overflow)")
@pytest.mark.parametrize("rows", batches(some(range(len(CASES)), 4, 2)))
def test_formulas_hold_for_other_arguments_or_are_refused(rows: list[int]) -> None:
    """The arguments have the same numbers in other places, so that all are in the domain."""
    all_hold(judge_of, [CASES[k].name for k in rows])
