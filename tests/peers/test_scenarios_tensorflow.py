"""The recorded outcomes of the scenarios are those of the TensorFlow that is installed."""

from __future__ import annotations

import json

import pytest

from tests.scenarios import GOLDEN, SCENARIOS, difference, outcome

EXPECTED = json.loads(GOLDEN.read_text())


@pytest.mark.parametrize("name", SCENARIOS)
def test_scenario_is_as_recorded(name, tensorflow):
    """TensorFlow still does what was recorded."""
    assert difference(outcome(name, tensorflow), EXPECTED[name]) is None
