"""Loop nests: blocks of scalar assignments, stores and loops, built by insertion, with undo."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from symtape.codegen.loops.places import Place
from symtape.program.operations import DType


@dataclass(eq=False, slots=True)
class Let:
    """A scalar that is computed once; one that is `changed` later is an accumulator."""

    name: str
    dtype: DType
    text: str
    changed: bool = False


@dataclass(eq=False, slots=True)
class Set:
    """A new value for an accumulator."""

    name: str
    text: str


@dataclass(eq=False, slots=True)
class Store:
    """Writes one element of a buffer; `text` may read it."""

    buffer: str
    place: Place
    text: str


@dataclass(eq=False, slots=True)
class Outside:
    """A step that is computed as a whole, between loops."""

    position: int


@dataclass(eq=False, slots=True)
class Loop:
    """Counts a variable from `first` on, `count` times."""

    var: str
    first: int
    count: int
    body: Block
    touched: set[str] = field(default_factory=set)
    """The buffers that are read or written somewhere inside."""


Node = Let | Set | Store | Outside | Loop


@dataclass(eq=False, slots=True)
class Block:
    """Nodes in order, and the names of the elements that are known in it."""

    depth: int
    nodes: list[Node] = field(default_factory=list)
    known: dict[Any, tuple[str, Node]] = field(default_factory=dict)


class Journal:
    """Changes blocks, and takes changes back."""

    def __init__(self) -> None:
        self._undo: list[Callable[[], Any]] = []

    def mark(self) -> int:
        """Remember how things are."""
        return len(self._undo)

    def back(self, mark: int) -> None:
        """Make things as they were."""
        while len(self._undo) > mark:
            self._undo.pop()()

    def insert(self, block: Block, node: Node, before: Node | None = None) -> None:
        """Put a node into a block, before another or at the end."""
        place = len(block.nodes) if before is None else block.nodes.index(before)
        block.nodes.insert(place, node)
        self._undo.append(lambda: block.nodes.remove(node))

    def insert_after(self, block: Block, node: Node, after: Node) -> None:
        """Put a node right after another."""
        block.nodes.insert(block.nodes.index(after) + 1, node)
        self._undo.append(lambda: block.nodes.remove(node))

    def learn(self, block: Block, key: Any, name: str, node: Node) -> None:
        """Let an element be known by a name from a node on."""
        if key not in block.known:
            block.known[key] = (name, node)
            self._undo.append(lambda: block.known.pop(key))

    def add(self, items: list[Any], item: Any) -> None:
        """Append to a list."""
        items.append(item)
        self._undo.append(items.pop)


NAME = re.compile(r"\b[^\W\d]\w*")
"""A name within a text."""


def walk(block: Block) -> Iterator[tuple[Block, Node]]:
    """List all nodes with their blocks, outer ones first."""
    stack = [block]
    while stack:
        here = stack.pop()
        for node in here.nodes:
            yield here, node
            if isinstance(node, Loop):
                stack.append(node.body)


def names_in(node: Node) -> list[str]:
    """List the names that a node reads, itself left out."""
    if isinstance(node, (Let, Set)):
        return [n for n in NAME.findall(node.text) if n != node.name]
    if isinstance(node, Store):
        own = [*NAME.findall(node.text), *NAME.findall(node.place.text())]
        return [n for n in own if n != node.buffer]
    return []


def without_dead(block: Block, wanted: Callable[[str], bool], outside: set[str]) -> None:
    """Remove stores into buffers that nobody reads, names that nobody uses, and empty loops."""
    while True:
        used: Counter[str] = Counter()
        for _, node in walk(block):
            used.update(names_in(node))
        removed = False
        for here, node in [*walk(block)]:
            if _is_dead(node, used, wanted, outside):
                here.nodes.remove(node)
                removed = True
        if not removed:
            return


def _is_dead(
    node: Node, used: Counter[str], wanted: Callable[[str], bool], outside: set[str]
) -> bool:
    if isinstance(node, Store):
        name = node.buffer
        return not used[name] and not wanted(name) and name not in outside
    if isinstance(node, (Let, Set)):
        return not used[node.name]
    return isinstance(node, Loop) and not node.body.nodes
