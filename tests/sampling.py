"""Which of many alike are tried in a run of a few minutes; with `SYMTAPE_ALL` in it, all are."""

from __future__ import annotations

import os
import traceback
from collections.abc import Callable, Iterable, Sequence
from typing import Any

ALL = bool(os.environ.get("SYMTAPE_ALL"))


def some(rows: Sequence[Any], every: int, first: int = 0) -> Sequence[Any]:
    """Choose every so many-th of some rows, from one of them on.

    Judges of one table begin at different rows, so that together they see more.

    >>> some(range(10), 4, 1) if not ALL else [1, 5, 9]
    [1, 5, 9]
    """
    return rows if ALL else [*rows[first::every]]


def batches(rows: Iterable[Any], size: int = 16) -> list[list[Any]]:
    """Put the rows of a table together that a test tries, where each takes less than a test costs.

    >>> batches("abcde", 2)
    [['a', 'b'], ['c', 'd'], ['e']]
    """
    kept = list(rows)
    return [kept[k : k + size] for k in range(0, len(kept), size)]


def all_hold(judge: Callable[[Any], None], rows: Iterable[Any]) -> None:
    """Try every row of a batch, and fail with the names of all that do not hold."""
    failures: dict[Any, str] = {}
    for row in rows:
        try:
            judge(row)
        except Exception as error:  # noqa: BLE001 - whatever a row fails with
            failures[row] = "".join(traceback.format_exception(error, limit=-3))
    told = "\n".join(f"{row}:\n{text}" for row, text in failures.items())
    assert not failures, f"{len(failures)} rows do not hold\n{told}"
