"""The one table of operations: judges read it; nothing here knows an answer.

Each file holds the cases of one kind of operations.
"""

from __future__ import annotations

from tests.cases import diagonals, matrices, special, table, windows
from tests.cases.case import Case

CASES: list[Case] = [
    *table.CASES,
    *matrices.CASES,
    *diagonals.CASES,
    *special.CASES,
    *windows.CASES,
]

__all__ = ["CASES", "Case"]
