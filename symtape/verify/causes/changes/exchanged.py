"""Changes of order in a function: two steps of a loop, two names of a statement."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable
from itertools import combinations, pairwise
from typing import Any

from symtape.verify.causes.changes.syntax import New, at

_MOST_NAMES = 7


def _steps(node: Any, _: Any, __: Any) -> New:
    """Do two neighbouring steps of a loop in the other order."""
    if not isinstance(node, (ast.For, ast.While)):
        return
    for i, j in pairwise(range(len(node.body))):
        changed = copy.copy(node)
        changed.body = [*node.body[:i], node.body[j], node.body[i], *node.body[j + 1 :]]
        yield changed, "two steps are in the wrong order (a stale value is used)"


class _Exchange(ast.NodeTransformer):
    """Puts each of two names in the place of the other."""

    def __init__(self, a: str, b: str) -> None:
        self._other = {a: b, b: a}

    def visit_Name(self, node: ast.Name) -> ast.Name:
        """Rename what is read."""
        return ast.copy_location(ast.Name(self._other.get(node.id, node.id), node.ctx), node)


def _names(node: Any, _: Any, __: Any) -> New:
    """Exchange two names in what a statement computes, and in the places that it fills."""
    if not isinstance(node, (ast.Assign, ast.AugAssign, ast.Return)) or node.value is None:
        return
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    parts = {"value": node.value}
    if isinstance(targets[0], ast.Subscript):
        parts["slice"] = targets[0].slice
    for field, part in parts.items():
        names = dict.fromkeys(n.id for n in ast.walk(part) if isinstance(n, ast.Name))
        for a, b in combinations(list(names)[:_MOST_NAMES], 2):
            changed = copy.deepcopy(node)
            own = changed if field == "value" else _target(changed)
            setattr(own, field, _Exchange(a, b).visit(getattr(own, field)))
            yield at(changed, node), f"{a} and {b} are exchanged"


def _target(node: Any) -> Any:
    return node.targets[0] if isinstance(node, ast.Assign) else node.target


RULES: tuple[Callable[[Any, Any, Any], New], ...] = (_steps, _names)
"""What is done first, and what is called how."""

__all__ = ["RULES"]
