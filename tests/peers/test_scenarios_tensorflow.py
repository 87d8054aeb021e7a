"""The recorded outcomes of the scenarios are those of the TensorFlow that is installed."""

from __future__ import annotations

import json

import pytest

from tests.scenarios import GOLDEN, SCENARIOS, outcome, same

EXPECTED = json.loads(GOLDEN.read_text())


@pytest.mark.parametrize("name", SCENARIOS)
def test_scenario_is_as_recorded(name, tensorflow):
    """TensorFlow still does what was recorded."""
    found = outcome(name, tensorflow)
    assert same(found, EXPECTED[name]), f"\nfound    {found}\nexpected {EXPECTED[name]}"
