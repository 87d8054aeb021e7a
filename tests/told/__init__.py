"""What the library says without refusing anything: in words that were read and kept.

What each call says is kept in `golden/told.json`, a line for each. `python -m tests.told` writes
the file anew, and what changed in it is to be read.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.goldens import FOLDER
from tests.refusals.room import plain
from tests.tables import tables

FILE = FOLDER / "told.json"
TOLD: dict[str, Callable[[], Any]] = {
    f"{file.removesuffix('s')}: {row}": call
    for file, table in tables(__name__, "TOLD").items()
    for row, call in table.items()
}


def said(name: str) -> Any:
    """Give what is said: a text, or a list of texts."""
    found = TOLD[name]()
    return plain(found) if isinstance(found, str) else list(map(plain, found))
