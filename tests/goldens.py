"""What is kept in a file of JSON, a line for each row, so that each change is a line."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "golden"


def kept(file: Path) -> dict[str, Any]:
    """Read what is kept."""
    found: dict[str, Any] = json.loads(file.read_text("utf-8"))
    return found


def keep(file: Path, rows: Mapping[str, Any], *, in_ascii: bool = True) -> None:
    """Write what is to be kept, in the order of the rows."""
    texts = [[json.dumps(part, ensure_ascii=in_ascii) for part in row] for row in rows.items()]
    lines = ",\n".join([f"{name}: {row}" for name, row in texts])
    file.write_text(f"{{\n{lines}\n}}\n", "utf-8")
