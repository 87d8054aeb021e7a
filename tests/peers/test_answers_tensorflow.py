"""The recorded answers are those of the TensorFlow that is installed.

A row is recorded by running TensorFlow, so that only another version of it can answer otherwise: a
third of the rows tells of that, and `.ci/full` tries all.
"""

from __future__ import annotations

from types import ModuleType

import pytest

from tests.answers import ROWS, TABLES, difference
from tests.sampling import all_hold, batches, some
from tests.test_answers import EXPECTED


@pytest.mark.parametrize("rows", batches(some(ROWS, 12)), ids=lambda rows: " ".join(rows[0]))
def test_tensorflow_answers_as_recorded(
    rows: list[tuple[str, str]], tensorflow: ModuleType
) -> None:
    """TensorFlow still answers what was recorded."""

    def judge(row: tuple[str, str]) -> None:
        table, name = row
        programs = TABLES[table]
        found = programs.answer(name, tensorflow)
        assert difference(found, EXPECTED[table][name], programs[name].ulps) is None

    all_hold(judge, rows)
