"""Which of many alike are tried in a run of a few minutes; with `SYMTAPE_ALL` in it, all are."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

ALL = bool(os.environ.get("SYMTAPE_ALL"))


def some(rows: Sequence[Any], every: int, first: int = 0) -> Sequence[Any]:
    """Choose every so many-th of some rows, from one of them on.

    Judges of one table begin at different rows, so that together they see all.

    >>> some(range(10), 4, 1) if not ALL else [1, 5, 9]
    [1, 5, 9]
    """
    return rows if ALL else [*rows[first::every]]
