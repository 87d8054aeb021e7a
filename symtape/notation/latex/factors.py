"""What a tree of LaTeX is made of to who reads it: factors, letters, what stands in parentheses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from symtape.notation.ranges import letters
from symtape.notation.tree import Node, in_order

_PRODUCTS = ("beside", "times", "multiply", "dot")
POWERS = ("power", "powers")
_MOST_INDICES = 2


def first(node: Node) -> Any:
    """Give the name that a product begins with."""
    while node.word in (*_PRODUCTS, *POWERS):
        node = node.operands[0]
    return node.value if node.word == "name" else None


def last(node: Node) -> Node:
    """Give the last factor."""
    while node.word in (*_PRODUCTS, "negative") and node.operands:
        node = node.operands[-1]
    return node


def reached(node: Node) -> Node:
    """Give the last factor, above or below a line or a slash."""
    while node.word in (*_PRODUCTS, "over", "divide", "negative"):
        node = node.operands[-1]
    return node


def has_index(node: Node, index: str) -> bool:
    """Say whether a letter in a node has an index below it."""
    names = [str(n.value).rpartition("_") for n in in_order(node) if n.word == "name"]
    below = [letters(below) for base, _, below in names if base]
    return any(index in own for own in below if len(own) <= _MOST_INDICES)


def factors(node: Node) -> Iterator[Node]:
    """Give the factors of a product, above and below a line."""
    waiting = [node]
    while waiting:
        node = waiting.pop()
        if node.word in (*_PRODUCTS, "negative", "grouped", "over", "fraction", "divide"):
            waiting += node.operands
        else:
            yield node


def is_letter(node: Node) -> bool:
    """Say whether a node is a variable, with what stands above it."""
    while node.word in ("transpose", *POWERS):
        node = node.operands[0]
    return node.word in ("name", "unit")


def alone(node: Node) -> Node:
    """Give what stands in parentheses, if a factor is in such, or the factor."""
    inside = node.operands[0] if node.word in POWERS else node
    return inside.operands[0] if inside.word == "grouped" else Node("factor", (), node.at)
