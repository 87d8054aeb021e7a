"""What the library says without refusing anything: in words that were read and kept.

What each call says is kept in `golden/told.json`, a line for each. `python -m tests.told` writes
the file anew, and what changed in it is to be read.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from tests.refusals.room import FILE as REFUSALS
from tests.refusals.room import plain
from tests.told import asserts, changes, docs, edits, forms, reasons, reports

FILE = REFUSALS.with_name("told.json")
TOLD: dict[str, Callable[[], Any]] = {
    f"{name}: {row}": call
    for name, table in (
        ("assert", asserts.TOLD),
        ("change", changes.TOLD),
        ("doc", docs.TOLD),
        ("edit", edits.TOLD),
        ("form", forms.TOLD),
        ("reason", reasons.TOLD),
        ("report", reports.TOLD),
    )
    for row, call in table.items()
}


def said(name: str) -> Any:
    """Give what is said: a text, or a list of texts."""
    found = TOLD[name]()
    return plain(found) if isinstance(found, str) else list(map(plain, found))


def recorded() -> dict[str, Any]:
    """Read what was said."""
    found: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


def record() -> None:
    """Write what is said, a line for each call."""
    lines = [f"{json.dumps(n)}: {json.dumps(said(n), ensure_ascii=False)}" for n in sorted(TOLD)]
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
