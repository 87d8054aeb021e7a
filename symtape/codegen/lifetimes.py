"""Large arrays are let go after the statement that reads them last."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from symtape.kernels.nodes import Node, variables

Statement = tuple[str, Sequence[Node], bool]
"""A line of code, what it names, and whether it is in a loop."""


def let_go(lines: Sequence[Statement], large: Collection[str], kept: Collection[str]) -> list[str]:
    """Write lines, with `del` for the names of large results that are not `kept`.

    What the last statement reads goes as the function ends.

    >>> from symtape.kernels.nodes import Variable
    >>> v1, v2, v3 = map(Variable, ["v1", "v2", "v3"])
    >>> lines = [("v1 = x + 1", [v1], False), ("v2 = np.exp(v1)", [v2, v1], False)]
    >>> let_go([*lines, ("v3 = v2*x", [v3, v2], False)], {"v1", "v2"}, {"v3"})
    ['v1 = x + 1', 'v2 = np.exp(v1)', 'del v1', 'v3 = v2*x']
    """
    if not large:
        return [text for text, _, _ in lines]
    ends: dict[str, int] = {}
    for at, (_, nodes, _) in enumerate(lines):
        for node in nodes:
            for name in variables(node):
                if name in large and name not in kept:
                    ends[name] = _end_of_block(lines, at)
    gone: dict[int, list[str]] = {}
    for name, at in ends.items():
        gone.setdefault(at, []).append(name)
    made: list[str] = []
    for at, (text, _, _) in enumerate(lines):
        made.append(text)
        if at in gone and at < len(lines) - 1:
            made.append(f"del {', '.join(gone[at])}")
    return made


def _end_of_block(lines: Sequence[Statement], at: int) -> int:
    """Give the last line of the loop that a line is in, or the line itself."""
    while lines[at][2] and at + 1 < len(lines) and lines[at + 1][2]:
        at += 1
    return at
