"""Small changes of a syntax tree: the slips that people make, backwards."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from symtape.verify.causes import inserted, replaced


class Change(NamedTuple):
    """A node in the place of another: what holds it, where, and what is wrong if that is right."""

    parent: Any
    field: str
    place: int | None
    new: Any
    words: str
    statement: Any

    @contextmanager
    def made(self) -> Iterator[None]:
        """Put the node in, and the old one back."""
        old = getattr(self.parent, self.field)
        if self.place is None:
            setattr(self.parent, self.field, self.new)
        else:
            changed = [
                *old[: self.place],
                *([self.new] if self.new is not None else []),
                *old[self.place + 1 :],
            ]
            setattr(self.parent, self.field, changed or [ast.Pass()])
        try:
            yield
        finally:
            setattr(self.parent, self.field, old)


def changes(tree: Any) -> Iterator[Change]:
    """List all changes of a function, the likeliest first."""
    spots = list(_spots(tree))
    names = _names(tree)
    for rule in (*replaced.RULES, *inserted.RULES):
        for parent, field, index, node, statement in spots:
            for new, words in rule(node, parent, names):
                yield Change(parent, field, index, new, words, statement)


def _spots(tree: Any) -> Iterator[tuple[Any, str, int | None, Any, Any]]:
    """List the nodes of a body, each with what holds it and the statement that it is in."""
    body = tree.body if isinstance(tree.body, list) else [tree]
    stack = [
        (tree, "body", k if isinstance(tree.body, list) else None, n, n) for k, n in enumerate(body)
    ]
    if not isinstance(tree.body, list):
        stack = [(tree, "body", None, tree.body, tree)]
    while stack:
        parent, field, index, node, statement = stack.pop()
        own = node if isinstance(node, ast.stmt) else statement
        yield parent, field, index, node, own
        for name, value in ast.iter_fields(node):
            if isinstance(value, ast.AST) and not isinstance(
                value, (ast.expr_context, ast.operator)
            ):
                stack.append((node, name, None, value, own))
            elif isinstance(value, list):
                stack += [
                    (node, name, k, v, own) for k, v in enumerate(value) if isinstance(v, ast.AST)
                ]


def _names(tree: Any) -> list[str]:
    """List the names that the function takes or sets."""
    found = [a.arg for a in tree.args.args]
    found += [
        n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
    ]
    return list(dict.fromkeys(found))


__all__ = ["Change", "changes"]
