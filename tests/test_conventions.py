"""Gradients at kinks, ties, edges and poles are those that were measured with TensorFlow."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest

import symtape
from tests.conventions import CONVENTIONS, Convention
from tests.conventions_twice import CONVENTIONS_TWICE

ROWS = [*CONVENTIONS, *CONVENTIONS_TWICE]


def gradients(tf: ModuleType, row: Convention) -> list[Any]:
    """Differentiate the function of a row."""
    xs = [tf.constant(x, tf.float32) for x in row.at]
    with tf.GradientTape() as tape:
        tape.watch(xs)
        y = row.run(tf, *xs)
    found = tape.gradient(y, xs)
    return [g if g is None else np.asarray(tf.convert_to_tensor(g)) for g in found]


def assert_measured(tf: ModuleType, row: Convention) -> None:
    """Assert that the gradients are those of the row, None where they are None."""
    for found, expected in zip(gradients(tf, row), row.gradient, strict=True):
        assert (found is None) == (expected is None), f"{found} against {expected}"
        if found is not None:
            np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_gradient_is_the_measured_one(row: Convention) -> None:
    """The gradient at the point of a row is the one that TensorFlow was measured to give."""
    assert_measured(symtape, row)


def test_rows_have_names_of_their_own() -> None:
    """No two rows share a name."""
    assert len({row.name for row in ROWS}) == len(ROWS)
