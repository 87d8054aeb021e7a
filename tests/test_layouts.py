"""Results have the layouts that TensorFlow gives them, or none: nothing is guessed."""

from __future__ import annotations

from typing import Any

import pytest

import symtape
from tests.answers.apart import named
from tests.goldens import kept
from tests.layouts import CUT, FILE, REFUSED, asked
from tests.sampling import all_hold, batches

EXPECTED = kept(FILE)
KEPT = [case for case in CUT if case.name in EXPECTED]


@pytest.mark.parametrize("cases", batches(KEPT), ids=lambda cases: cases[0].name)
def test_layouts_are_those_of_tensorflow(cases):
    """What TensorFlow lays out has the same layout here, or it is said that it is not known."""

    def judge(case: Any) -> None:
        with named(6):
            found = asked(symtape, case)
        for (way, *own), (expected_way, *expected) in zip(found, EXPECTED[case.name], strict=True):
            assert way == expected_way
            for one, other in zip(own, expected, strict=True):
                assert REFUSED in (one, other) or one in (other, "unknown"), (way, one, other)

    all_hold(judge, cases)


def test_most_layouts_are_known():
    """Four of five layouts that TensorFlow gives are known here."""
    known = []
    for case in KEPT[::10]:
        with named(6):
            found = asked(symtape, case)
        for (_, *own), (_, *expected) in zip(found, EXPECTED[case.name], strict=True):
            known += [o == e for o, e in zip(own, expected, strict=True) if e != REFUSED]
    assert sum(known) > 0.8 * len(known)
