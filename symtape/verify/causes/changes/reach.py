"""Which results of a function a statement has to do with, read from its names."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Any


class Reach:
    r"""The results of a function, each with the names that it is computed from.

    >>> tree = ast.parse("def f(x):\n    a = 2 * x\n    b = 3\n    return a, b").body[0]
    >>> [sorted(Reach(tree, 2).of(s)) for s in tree.body]
    [[0], [1], [0, 1]]
    """

    def __init__(self, tree: Any, count: int) -> None:
        self._every = frozenset(range(count))
        self._sources: dict[str, set[str]] = {}
        for statement in _statements(tree):
            for target in _targets(statement):
                self._sources.setdefault(target, set()).update(_read(statement))
        self._behind = [self._all_behind(parts) for parts in _results(tree, count)]

    def of(self, statement: Any) -> frozenset[int]:
        """Give the results that a statement has to do with."""
        if isinstance(statement, (ast.Return, ast.Lambda)):
            return self._every
        own = _targets(statement)
        return frozenset(k for k, behind in enumerate(self._behind) if not behind.isdisjoint(own))

    def rank(self, statement: Any, wrong: frozenset[int]) -> int:
        """Say how likely a slip in a statement makes these results wrong, and no others; 0 most."""
        found = self.of(statement)
        if found == wrong:
            return 0
        return 1 if found >= wrong else 2 if found & wrong else 3

    def _all_behind(self, parts: Sequence[Any]) -> set[str]:
        """List the names that some expressions are computed from, through others."""
        stack = [name for part in parts for name in _read(part)]
        found: set[str] = set()
        while stack:
            name = stack.pop()
            if name not in found:
                found.add(name)
                stack += self._sources.get(name, ())
        return found


def _statements(tree: Any) -> Iterator[Any]:
    return (n for n in ast.walk(tree) if isinstance(n, ast.stmt) and n is not tree)


def _results(tree: Any, count: int) -> list[list[Any]]:
    """List the expressions that give each result."""
    found: list[list[Any]] = [[] for _ in range(count)]
    for node in ast.walk(tree):
        if isinstance(node, ast.Return) and node.value is not None:
            listed = node.value.elts if isinstance(node.value, (ast.Tuple, ast.List)) else []
            is_each = len(listed) >= count and all(map(_is_none, listed[count:]))
            for k in range(count):
                found[k].append(listed[k] if is_each else node.value)
    return found


def _is_none(node: Any) -> bool:
    """Say whether an expression is None, as those are that a framework asks for besides."""
    return isinstance(node, ast.Constant) and node.value is None


def _read(node: Any) -> set[str]:
    """List the names that a node reads; of what has statements in it, those of its own part."""
    parts = [node]
    if isinstance(node, (ast.For, ast.While, ast.If)):
        parts = [node.iter if isinstance(node, ast.For) else node.test]
    names = [n for part in parts for n in ast.walk(part) if isinstance(n, ast.Name)]
    return {n.id for n in names if type(n.ctx) is ast.Load}


def _targets(node: Any) -> set[str]:
    """List the names that a statement sets or fills, and those within it."""
    found: set[str] = set()
    for n in ast.walk(node):
        if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store):
            found.add(n.id)
        elif isinstance(n, (ast.Assign, ast.AugAssign)):
            targets = n.targets if isinstance(n, ast.Assign) else [n.target]
            found |= {base for t in targets if (base := _filled(t))}
        elif isinstance(n, ast.Expr) and isinstance(n.value, ast.Call):
            found |= _read(n.value)
    return found


def _filled(target: Any) -> str:
    """Give the name of the array whose places are set; empty where none are."""
    while isinstance(target, ast.Subscript):
        target = target.value
    return target.id if isinstance(target, ast.Name) else ""
