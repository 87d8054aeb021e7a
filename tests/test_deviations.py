"""What symtape does on purpose where TensorFlow does otherwise."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import symtape
from tests.deviations import DEVIATIONS, outcome

PAGE = Path(__file__).parents[1] / "docs" / "tensorflow.md"


def agrees(found, expected):
    """Compare an outcome: numbers to fifteen digits, an error by the start of its text."""
    if isinstance(expected, str):
        return isinstance(found, str) and found.startswith(expected)
    return found == (
        pytest.approx(expected, rel=1e-15) if isinstance(expected, float) else expected
    )


@pytest.mark.parametrize("name", DEVIATIONS)
def test_it_is_so_here(name):
    """A deviation gives what mathematics says, or what the table says."""
    row = DEVIATIONS[name]
    assert agrees(outcome(row.run, symtape), row.here)


@pytest.mark.parametrize("name", DEVIATIONS)
def test_a_deviation_deviates(name):
    """The two outcomes of a row differ."""
    assert DEVIATIONS[name].here != DEVIATIONS[name].there


def test_the_page_has_every_deviation():
    """The table in docs/tensorflow.md has a row for each deviation, and no other."""
    table = PAGE.read_text("utf-8").partition("## Where symtape differs")[2].partition("\n## ")[0]
    rows = re.findall(r"^\|.*\| `(\w+)` \|$", table, re.MULTILINE)
    assert rows == list(DEVIATIONS)
