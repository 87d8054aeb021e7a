"""What was typed, as a tree: names, numbers, and operations on them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, Protocol, Self, TypeVar

from symtape.errors import NotationError

_ABOUT = 30
"""How many characters before and after a place are shown."""


class Node(NamedTuple):
    """An operation of a notation on nodes; `value` is a name, a number, or what an option says."""

    word: str
    operands: tuple[Node, ...]
    at: int
    value: Any = None


class Tree(Protocol):
    """What has operands of its own kind."""

    @property
    def operands(self) -> tuple[Self, ...]:
        """What it is made of."""


T = TypeVar("T", bound=Tree)


def in_order(root: T) -> Iterator[T]:
    """Give the nodes, each after its operands, from the left; a node that stands twice, twice."""
    waiting: list[tuple[T, bool]] = [(root, False)]
    while waiting:
        node, is_done = waiting.pop()
        if is_done or not node.operands:
            yield node
            continue
        waiting.append((node, True))
        waiting += [(operand, False) for operand in reversed(node.operands)]


def folded(root: T, make: Callable[[T, list[Any]], Any]) -> Any:
    """Make something of each node and of what was made of its operands; give that of the whole."""
    done: list[Any] = []
    for node in in_order(root):
        count = len(node.operands)
        own = done[len(done) - count :]
        del done[len(done) - count :]
        done.append(make(node, own))
    return done[0]


def blocks(text: str, rows: Sequence[Sequence[Node]], at: int) -> Node:
    """Make a matrix of rows that are written out; raises `NotationError` where they differ."""
    if any(len(row) != len(rows[0]) for row in rows):
        raise refused(text, at, "the rows of a matrix have as many entries")
    if any(x.word == "blocks" and text[x.at] == text[at] == "[" for x in rows[0]):
        raise refused(text, at, "rows end with ; in brackets, and lists of lists are Python's")
    return Node("blocks", tuple([x for row in rows for x in row]), at, len(rows[0]))


class AmbiguousError(NotationError):
    """A text has several meanings, and a person has to choose."""


def ambiguous(text: str, at: int, why: str) -> AmbiguousError:
    """Make an error that shows the place, where a person has to choose."""
    return AmbiguousError(str(refused(text, at, why)))


def refused(text: str, at: int, why: str) -> NotationError:
    """Make an error that shows the place.

    >>> print(refused("norm2(A*x - )", 12, "an operand is missing"))
    an operand is missing
      norm2(A*x - )
                  ^
    """
    flat = "".join(c if c.isprintable() else " " for c in text)
    first, last = max(0, at - _ABOUT), at + _ABOUT
    before = ("…" if first else "") + flat[first:at]
    after = flat[at:last] + ("…" if last < len(flat) else "")
    return NotationError(f"{why}\n  {before}{after}\n  {' ' * len(before)}^")
