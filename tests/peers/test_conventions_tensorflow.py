"""TensorFlow still gives what it was measured to give at kinks, ties, edges and poles."""

from __future__ import annotations

from types import ModuleType

import pytest

from tests.conventions import Convention
from tests.test_conventions import ROWS, assert_measured


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_tensorflow_gives_the_measured_gradient(row: Convention, tensorflow: ModuleType) -> None:
    """The gradient at the point of a row is the one in the table."""
    assert_measured(tensorflow, row)
