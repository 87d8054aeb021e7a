"""The one table of operations: judges read it; nothing here knows an answer.

Each file holds the cases of one kind of operations.
"""

from __future__ import annotations

from tests.cases import (
    diagonals,
    images,
    matrices,
    places,
    segments,
    signals,
    special,
    table,
    windows,
)
from tests.cases.case import Case

_FILES = (table, matrices, diagonals, special, windows, segments, places, signals, images)
CASES: list[Case] = [case for file in _FILES for case in file.CASES]
SINGLE: list[Case] = images.SINGLE
"""Cases that are computed in single precision whatever comes."""

__all__ = ["CASES", "SINGLE", "Case"]
