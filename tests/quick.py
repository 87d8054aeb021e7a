"""Which tests `pytest -m quick` runs: each rule once, in a tenth of the time of all tests.

The rules are the rows of the case table: the judges of that table take turns, so that each case has
one of them. Of every other table one row is tried, and all tests without a table but those that
are marked `slow`, such as those that start a process. Examples in docstrings are for readers, and
stay out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import cycle
from typing import Any

import pytest

from tests.cases import Case


def chosen(items: list[Any]) -> Iterator[Any]:
    """Choose the quick ones of the tests that were collected."""
    judges: dict[str, dict[str, Any]] = defaultdict(dict)
    tables: dict[str, list[Any]] = defaultdict(list)
    for item in items:
        function = item.nodeid.partition("[")[0]
        if item.get_closest_marker("slow") or isinstance(item, pytest.DoctestItem):
            continue
        case = getattr(item, "callspec", None) and item.callspec.params.get("case")
        if isinstance(case, Case):
            judges[function].setdefault(case.name, item)
        else:
            tables[function].append(item)
    yield from in_turns(judges)
    yield from (rows[0] for rows in tables.values())


def in_turns(judges: dict[str, dict[str, Any]]) -> Iterator[Any]:
    """Give each case to one judge that has it, and each judge about as many."""
    names = dict.fromkeys(name for rows in judges.values() for name in rows)
    turns = cycle(judges.values())
    for name in names:
        found = None
        while found is None:
            found = next(turns).get(name)
        yield found
