"""TensorFlow still does what the table of deviations says it does."""

from __future__ import annotations

import pytest

from tests.deviations import DEVIATIONS, outcome
from tests.test_deviations import agrees


@pytest.mark.parametrize("name", DEVIATIONS)
def test_it_is_so_in_tensorflow(name, tensorflow):
    """A row gives in TensorFlow what the table says."""
    row = DEVIATIONS[name]
    assert agrees(outcome(row.run, tensorflow), row.there)
