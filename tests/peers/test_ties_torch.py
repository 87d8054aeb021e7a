"""Slopes at kinks and ties are torch's: in a call, and of a formula that was recorded elsewhere."""

from __future__ import annotations

import importlib.util

import pytest

from tests.peers.test_from_torch import IGNORED, elsewhere

if importlib.util.find_spec("torch"):
    from tests.peers.torch_ties import ENDS, TIES
else:
    ENDS = TIES = {"torch": ()}

pytestmark = [pytest.mark.usefixtures("torch"), pytest.mark.filterwarnings(IGNORED)]


@pytest.mark.parametrize("name", TIES)
def test_slopes_at_ties_are_torchs(torch, name):
    """What was recorded without a tie holds at ties; what was recorded at one has its slope."""
    function, example, ties = TIES[name]
    for others in ties:
        assert elsewhere(torch, function, example, others)
        assert elsewhere(torch, function, others, others)
        elsewhere(torch, function, others, example)  # or it is refused


@pytest.mark.parametrize("name", ENDS)
def test_slopes_at_ends_are_torchs(torch, name):
    """What was recorded at an end has torch's slopes there: 0, infinite or none."""
    function, example, ends = ENDS[name]
    for others in ends:
        assert elsewhere(torch, function, others, others) > len(others)
        elsewhere(torch, function, example, others)  # or it is refused
        elsewhere(torch, function, others, example)
