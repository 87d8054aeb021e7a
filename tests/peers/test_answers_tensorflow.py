"""The recorded answers are those of the TensorFlow that is installed."""

from __future__ import annotations

from types import ModuleType

import pytest

from tests.answers import ROWS, TABLES, difference
from tests.test_answers import EXPECTED


@pytest.mark.parametrize(("table", "name"), ROWS)
def test_tensorflow_answers_as_recorded(table: str, name: str, tensorflow: ModuleType) -> None:
    """TensorFlow still answers what was recorded."""
    programs = TABLES[table]
    found = programs.answer(name, tensorflow)
    assert difference(found, EXPECTED[table][name], programs[name].ulps) is None
