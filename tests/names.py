"""The names that symtape has, namespace by namespace, as docs/tensorflow.md lists them.

`python -m tests.names` writes the list anew.
"""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType
from typing import Any

import symtape
from symtape.absent import ABSENT
from symtape.errors import ExtraNotInstalledError

PAGE = Path(__file__).parents[1] / "docs" / "tensorflow.md"
HEADING = "## Names that exist\n"
LAST = "## Names that are absent on purpose, and what to use\n"


def names_of(module: ModuleType) -> list[str]:
    """List the public names of a namespace, small and capital letters alike."""
    further = ["bfloat16"] if module is symtape else []  # which needs an extra
    return sorted([*module.__all__, *further], key=lambda n: (n.lower(), n))


def value_of(module: ModuleType, name: str) -> Any:
    """Look a name up; what needs an extra that is not installed is nothing."""
    try:
        return getattr(module, name)
    except ExtraNotInstalledError:
        return None


def namespaces() -> dict[str, list[str]]:
    """List every namespace, beginning with `tf`, and its names; one with two paths once."""
    found: dict[str, list[str]] = {}
    pending = [("tf", symtape)]
    while pending:
        path, module = pending.pop(0)
        found[path] = names_of(module)
        inner = [(f"{path}.{n}", value_of(module, n)) for n in found[path]]
        modules = [pair for pair in inner if isinstance(pair[1], ModuleType)]
        pending += [(p, m) for p, m in modules if m.__name__ == p.replace("tf", "symtape", 1)]
    return found


def section() -> str:
    """Write the list as it stands on the page."""
    parts = [HEADING]
    for path, names in namespaces().items():
        parts.append(f"**`{path}`**: " + ", ".join(f"`{n}`" for n in names) + "\n")
    return "\n".join([*parts, *absent()])


def absent() -> list[str]:
    """Write why names are absent: a reason with its names to a line."""
    reasons: dict[str, list[str]] = {}
    for path, reason in ABSENT.items():
        if not exists(path):
            reasons.setdefault(reason, []).append(f"`{path}`")
    lines = [f"- {', '.join(paths)}: {reason}." for reason, paths in sorted(reasons.items())]
    return [LAST, *lines, ""]


def exists(path: str) -> bool:
    """Say whether symtape has a name, with dots."""
    holder: Any = symtape
    for name in path.split(".")[1:]:
        holder = getattr(holder, name, None)
    return holder is not None


def split(page: str) -> tuple[str, str, str]:
    """Take a page apart: what is before the list, the list, and what is after it."""
    start = page.index(HEADING)
    last = page.find(LAST, start)
    end = re.compile(r"^## ", re.MULTILINE).search(page, max(start, last) + len(HEADING))
    stop = end.start() if end else len(page)
    return page[:start], page[start:stop], page[stop:]


def listed(heading: str) -> set[str]:
    """Read the names, with dots, under some heading of the page."""
    _, _, rest = PAGE.read_text("utf-8").partition(f"\n{heading}\n")
    return set(re.findall(r"`([\w.]+)`", re.split(r"^## ", rest, flags=re.MULTILINE)[0]))


if __name__ == "__main__":
    before, _, after = split(PAGE.read_text("utf-8"))
    PAGE.write_text(before + section() + ("\n" if after else "") + after, "utf-8")
