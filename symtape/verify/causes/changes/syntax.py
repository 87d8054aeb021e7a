"""What changes of a syntax tree are made of: a node in the place of another, and words."""

from __future__ import annotations

import ast
import copy
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


def places_of(tree: Any) -> dict[str, Any]:
    """Give what is taken of something in a tree, by its text; none of it is the tree's own.

    A place may hold the node that another place is put for, and a tree never holds itself.

    >>> list(places_of(ast.parse("x[k] + y[k, z[1:]]")))
    ['k', '(k, z[1:])', '1:']
    """
    found = {ast.unparse(n.slice): n.slice for n in ast.walk(tree) if type(n) is ast.Subscript}
    return {text: copy.deepcopy(place) for text, place in found.items()}


def at(new: Any, node: Any) -> Any:
    """Let a new node have the place of an old one in the source; what is in it may have none."""
    return ast.copy_location(new, node)


def called(node: Any) -> str:
    """Give the name of the function that a call is of, without its module."""
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def moved(node: Any, step: int) -> Any:
    """Write the place that is a step after another one.

    >>> for text in ("k", "-1", "n - 1", "n + 1"):
    ...     print(ast.unparse(moved(ast.parse(text, mode="eval").body, 1)))
    k + 1
    0
    n
    n + 2
    """
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub)):
        number = whole(node.right)
        if number is not None:
            more = (number if isinstance(node.op, ast.Add) else -number) + step
            return at(_plus(node.left, more), node)
    number = whole(node)
    return at(_plus(node, step) if number is None else ast.Constant(number + step), node)


def _plus(node: Any, number: int) -> Any:
    if not number:
        return node
    op = ast.Add() if number > 0 else ast.Sub()
    return ast.BinOp(node, op, ast.Constant(abs(number)))


def whole(node: Any) -> int | None:
    """Give a whole number that is written, with its sign; None where there is none."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        number = whole(node.operand)
        return None if number is None else -number
    return node.value if isinstance(node, ast.Constant) and type(node.value) is int else None


def negative(term: Any, text: str) -> str:
    """Write what is subtracted as a term: -x, and -(x + y) of a sum."""
    is_sum = isinstance(term, ast.BinOp) and isinstance(term.op, (ast.Add, ast.Sub))
    return f"-({text})" if is_sum else f"-{text}"
