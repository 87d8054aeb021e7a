"""Tapes, tensors and variables do what TensorFlow was seen to do."""

from __future__ import annotations

import json

import pytest

import symtape as st
from tests.scenarios import GOLDEN, SCENARIOS, outcome, same

EXPECTED = json.loads(GOLDEN.read_text())


@pytest.mark.parametrize("name", SCENARIOS)
def test_scenario(name):
    """A scenario gives the same values, Nones, texts and errors as in TensorFlow."""
    found = outcome(name, st)
    assert same(found, EXPECTED[name]), f"\nfound    {found}\nexpected {EXPECTED[name]}"


def test_no_scenario_is_forgotten():
    """Every recorded outcome belongs to a scenario."""
    assert EXPECTED.keys() == SCENARIOS.keys()
