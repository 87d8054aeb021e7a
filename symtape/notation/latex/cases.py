r"""Values by cases: `\begin{cases} 1 & x > 0 \\ 0 & \text{otherwise} \end{cases}`."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType

from symtape.notation.tree import Node, in_order, refused

_OTHERS = MappingProxyType(
    {
        "less": "greater_equal",
        "less_equal": "greater",
        "greater": "less_equal",
        "greater_equal": "less",
        "equal": "not_equal",
        "not_equal": "equal",
    }
)
"""What holds where a comparison does not."""


def by_cases(text: str, rows: Sequence[Node], at: int) -> Node:
    """Choose the first value whose conditions hold; the last one is of all that is left.

    Rows are nodes of a value and its conditions. Raises `NotationError` where a condition does not
    say that it has all that is left.

    >>> zero = Node("number", (), 0, 0)
    >>> by_cases("", [Node("case", (zero,), 0)], 0).word
    'number'
    """
    *before, last = rows
    if any(len(row.operands) == 1 for row in before):
        raise refused(text, at, "what is otherwise stands in the last case")
    if len(last.operands) > 1 and not (len(before) == 1 and _is_rest(before[0], last)):
        raise refused(text, last.at, r"nothing may be left over: the last case is \text{otherwise}")
    found = last.operands[0]
    for row in reversed(before):
        value, *tests = row.operands
        chosen = value
        for test in reversed(tests):
            chosen = Node("where", (test, chosen, found), row.at)
        found = chosen
    return found


def _is_rest(first: Node, last: Node) -> bool:
    """Say whether a comparison holds just where another one does not."""
    if len(first.operands) != 2 or len(last.operands) != 2:
        return False
    a, b = first.operands[1], last.operands[1]
    return b.value == _OTHERS[a.value] and _parts(a) == _parts(b)


def _parts(test: Node) -> list[tuple[object, ...]]:
    """Give what is compared, wherever it stands."""
    return [(n.word, n.value, len(n.operands)) for side in test.operands for n in in_order(side)]
