"""Tapes, tensors and variables do what TensorFlow was seen to do."""

from __future__ import annotations

import json

import pytest

import symtape as st
from tests.scenarios import GOLDEN, SCENARIOS, difference, outcome

EXPECTED = json.loads(GOLDEN.read_text())


@pytest.mark.parametrize("name", SCENARIOS)
def test_scenario(name):
    """A scenario gives the same values, Nones, texts and errors as in TensorFlow."""
    assert difference(outcome(name, st), EXPECTED[name]) is None


def test_no_scenario_is_forgotten():
    """Every recorded outcome belongs to a scenario."""
    assert EXPECTED.keys() == SCENARIOS.keys()
