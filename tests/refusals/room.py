"""Calls that must be refused, by name, and what was said; and calls beside them that must pass.

What each refusal says is kept in `golden/refusals.json`, a line for each, to be read by people.
`python -m tests.refusals` writes the file anew.
"""

from __future__ import annotations

import re
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from tests.goldens import FOLDER

FILE = FOLDER / "refusals.json"
ROOT = str(Path(__file__).parents[2])

Call = Callable[[], Any]


class Room:
    """The refusals of one part of the library, and the calls at their borders that pass."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.refused: dict[str, Call] = {}
        self.allowed: dict[str, Call] = {}

    def refuses(self, **calls: Call) -> None:
        """Add calls that must raise; a name has underscores for blanks."""
        self._add(self.refused, calls)

    def allows(self, **calls: Call) -> None:
        """Add calls that must pass."""
        self._add(self.allowed, calls)

    def refusal(self, call: Call) -> Call:
        """Add a function that must raise, by its name."""
        self.refuses(**{call.__name__.strip("_"): call})
        return call

    def _add(self, table: dict[str, Call], calls: dict[str, Call]) -> None:
        for name, call in calls.items():
            words = f"{self.name}: {name.replace('_', ' ')}"
            assert words not in table, words
            table[words] = call


def said(call: Call) -> list[str] | None:
    """Give the type and the text of what a call raises; None if it raises nothing."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")  # what is judged is the refusal
        try:
            call()
        except Exception as error:  # noqa: BLE001 - which one it is, is the answer
            return [type(error).__name__, plain(str(error))]
    return None


def plain(text: str) -> str:
    """Leave out of a text what differs between machines and runs: addresses, folders, lines."""
    text = re.sub(r"(?s)\nTraceback .*", "\nTraceback …", text)
    text = re.sub(r"0x[0-9a-f]{6,}", "0x…", text).replace(ROOT, "…")
    text = re.sub(rf"{re.escape(tempfile.gettempdir())}/\w+", "…", text)
    text = re.sub(r"(\.py\"?, line) \d+", r"\1 …", text)
    return re.sub(r"\{('\w+'|None)(, ('\w+'|None))*\}", _in_order, text)


def _in_order(found: re.Match[str]) -> str:
    """Sort the names of a set, whose order is that of hashes."""
    return f"{{{', '.join(sorted(found[0][1:-1].split(', ')))}}}"
