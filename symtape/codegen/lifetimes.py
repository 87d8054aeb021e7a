"""Large arrays are let go after the statement that reads them last."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from symtape.kernels.nodes import Node, Variable, variables


class Statement(NamedTuple):
    """A line of code, what it names, and whether it is in a loop."""

    text: str
    nodes: Sequence[Node] = ()
    is_within: bool = False


def let_go(lines: Sequence[Statement], large: Collection[str], kept: Collection[str]) -> list[str]:
    """Write lines, with `del` for the names of large results that are not `kept`.

    What the last statement reads goes as the function ends.

    >>> v1, v2, v3 = map(Variable, ["v1", "v2", "v3"])
    >>> lines = [Statement("v1 = x + 1", [v1]), Statement("v2 = np.exp(v1)", [v2, v1])]
    >>> let_go([*lines, Statement("v3 = v2*x", [v3, v2])], {"v1", "v2"}, {"v3"})
    ['v1 = x + 1', 'v2 = np.exp(v1)', 'del v1', 'v3 = v2*x']
    """
    if not large:
        return [line.text for line in lines]
    ends: dict[str, int] = {}
    for at, line in enumerate(lines):
        for node in line.nodes:
            for name in variables(node):
                if name in large and name not in kept:
                    ends[name] = _end_of_block(lines, at)
    gone: dict[int, list[str]] = {}
    for name, at in ends.items():
        gone.setdefault(at, []).append(name)
    made: list[str] = []
    for at, line in enumerate(lines):
        made.append(line.text)
        if at in gone and at < len(lines) - 1:
            made.append(f"del {', '.join(gone[at])}")
    return made


def _end_of_block(lines: Sequence[Statement], at: int) -> int:
    """Give the last line of the loop that a line is in, or the line itself."""
    while lines[at].is_within and at + 1 < len(lines) and lines[at + 1].is_within:
        at += 1
    return at


__all__ = ["Statement", "Variable", "let_go"]
