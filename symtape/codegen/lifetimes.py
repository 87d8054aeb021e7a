"""Large arrays are let go after the statement that reads them last."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

NAME = re.compile(r"\b[^\W\d]\w*")
"""A name in a text, or a word that no name of a variable is: an attribute, a part of a string."""


def let_go(lines: Sequence[str], large: Collection[str], kept: Collection[str]) -> list[str]:
    """Add `del` for the names of large results that are not `kept`.

    What the last statement reads goes as the function ends.

    >>> let_go(["v1 = x + 1", "v2 = np.exp(v1)", "v3 = v2*x"], {"v1", "v2"}, {"v3"})
    ['v1 = x + 1', 'v2 = np.exp(v1)', 'del v1', 'v3 = v2*x']
    """
    if not large:
        return list(lines)
    ends: dict[str, int] = {}
    for at, line in enumerate(lines):
        for name in NAME.findall(line):
            if name in large and name not in kept:
                ends[name] = _end_of_block(lines, at)
    gone: dict[int, list[str]] = {}
    for name, at in ends.items():
        gone.setdefault(at, []).append(name)
    made: list[str] = []
    for at, line in enumerate(lines):
        made.append(line)
        if at in gone and at < len(lines) - 1:
            made.append(f"del {', '.join(gone[at])}")
    return made


def _end_of_block(lines: Sequence[str], at: int) -> int:
    """Give the last line of the loop that a line is in, or the line itself."""
    while lines[at].startswith(" ") and at + 1 < len(lines) and lines[at + 1].startswith(" "):
        at += 1
    return at
