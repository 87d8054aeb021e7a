"""What the library says without refusing anything is said in the words that were read and kept."""

from __future__ import annotations

import pytest

from tests.goldens import kept
from tests.sampling import all_hold, batches
from tests.told import FILE, TOLD, said

EXPECTED = kept(FILE)


@pytest.mark.parametrize("names", batches(TOLD), ids=lambda names: names[0])
def test_what_is_told_is_told_in_these_words(names):
    """Reasons, changes and causes are those that were kept."""

    def judge(name: str) -> None:
        assert said(name) == EXPECTED[name]

    all_hold(judge, names)


def test_nothing_is_kept_that_nobody_says():
    """Every row that was kept has its call."""
    assert EXPECTED.keys() == TOLD.keys()
