"""Which state errors the code of a public function raises, beside what its docstring names."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Iterator
from types import FunctionType
from typing import Any

from symtape import errors
from symtape.errors import SymtapeError


def raised(function: FunctionType, owner: type | None = None) -> set[str]:
    """Name the errors of symtape's family, and `RuntimeError`, that the text of a function raises.

    What it calls is looked at, and what that calls in turn in the module of the function. `owner`
    is the class whose method it is. What stands in a `try` with handlers does not count, since it
    may be caught.
    """
    found: set[str] = set()
    pending, seen = [function], {function}
    while pending:
        one = pending.pop()
        for node in _uncaught(_tree(one)):
            if isinstance(node, ast.Raise):
                found |= _state_error(node, one.__globals__)
            called = _called(node, one, owner)
            is_near = one is function or getattr(called, "__module__", "") == function.__module__
            if called is not None and called not in seen and is_near:
                seen.add(called)
                pending.append(called)
    return found


def _tree(function: FunctionType) -> ast.AST:
    try:
        return ast.parse(textwrap.dedent(inspect.getsource(function)))
    except OSError:  # it was made by Python, as a method of a named tuple is
        return ast.Module([], [])


def _uncaught(tree: ast.AST) -> Iterator[ast.AST]:
    """List the nodes of a function, but not what stands in a `try` with handlers."""
    pending = [tree]
    while pending:
        node = pending.pop()
        yield node
        inner = list(ast.iter_child_nodes(node))
        if isinstance(node, ast.Try) and node.handlers:
            inner = [n for n in inner if n not in node.body]
        pending += inner


def _state_error(node: ast.Raise, scope: dict[str, Any]) -> set[str]:
    """Name the class that a statement raises: `raise E(...)`, `raise E.of(...)`."""
    made = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
    made = made.value if isinstance(made, ast.Attribute) else made
    name = made.id if isinstance(made, ast.Name) else ""
    kind = RuntimeError if name == "RuntimeError" else scope.get(name)
    is_public = isinstance(kind, type) and (kind is RuntimeError or name in errors.__all__)
    return {name} if is_public and issubclass(kind, (SymtapeError, RuntimeError)) else set()


def _called(node: ast.AST, caller: FunctionType, owner: type | None) -> FunctionType | None:
    """Find what is called by its name, or is a method or property of `self`."""
    found = None
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        found = caller.__globals__.get(node.func.id)
    elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        is_own = owner is not None and node.value.id == "self"
        found = inspect.getattr_static(owner, node.attr, None) if is_own else None
    return function_of(found)


def function_of(thing: Any) -> FunctionType | None:
    """Give our function behind a function, a method or a property, without its wrappers."""
    inner = getattr(thing, "fget", getattr(thing, "__func__", thing))
    found = inspect.unwrap(inner) if callable(inner) else None
    is_ours = isinstance(found, FunctionType) and found.__module__.startswith(
        ("symtape.", "tests.")
    )
    return found if is_ours else None
