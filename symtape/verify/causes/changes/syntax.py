"""What changes of a syntax tree are made of: a node in the place of another, and words."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

New = Iterator[tuple[Any, str]]
"""Nodes for the place of one, each with what is wrong if it makes the function right."""

SIGN = "the sign is wrong"
REVERSED = "it has the other order (it is reversed)"


def is_value(node: Any) -> bool:
    """Say whether a node is an expression that is computed."""
    is_target = isinstance(getattr(node, "ctx", None), (ast.Store, ast.Del))
    return isinstance(node, ast.expr) and not is_target and not isinstance(node, ast.Slice)


def is_place(node: Any, parent: Any) -> bool:
    """Say whether a node says where: in an index, a slice, or a range."""
    if isinstance(parent, ast.Subscript):
        return node is parent.slice
    return isinstance(parent, ast.Slice) or (
        isinstance(parent, ast.Call) and called(parent) in _OF_PLACES
    )


_OF_PLACES = frozenset({"range", "slice", "arange", "tril", "triu", "roll", "eye"})
"""Functions whose numbers say where."""


def at(new: Any, node: Any) -> Any:
    """Let a new node have the place of an old one in the source; what is in it may have none."""
    return ast.copy_location(new, node)


def called(node: Any) -> str:
    """Give the name of the function that a call is of, without its module."""
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def negative(term: Any, text: str) -> str:
    """Write what is subtracted as a term: -x, and -(x + y) of a sum."""
    is_sum = isinstance(term, ast.BinOp) and isinstance(term.op, (ast.Add, ast.Sub))
    return f"-({text})" if is_sum else f"-{text}"
