"""Changes that put in what a function computes and never uses: a term or a factor was left out."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from symtape.verify.causes.changes.inserted import is_term
from symtape.verify.causes.changes.syntax import New, at, is_value, negative, places_of

_MOST_NAMES = 12


def unused(tree: Any) -> list[str]:
    r"""List the names that a function takes or sets, and does not read.

    >>> unused(ast.parse("def f(x, y, g):\n    s = x + 1\n    return g * x").body[0])
    ['y', 's']
    """
    nodes = [n for n in ast.walk(tree) if isinstance(n, ast.Name)]
    read = {n.id for n in nodes if isinstance(n.ctx, ast.Load)}
    made = [a.arg for a in tree.args.args]
    made += [n.id for n in sorted(nodes, key=_place) if isinstance(n.ctx, ast.Store)]
    return [n for n in dict.fromkeys(made) if n not in read and not n.startswith("_")]


def _place(node: Any) -> tuple[int, int]:
    return node.lineno, node.col_offset


def dropped(tree: Any) -> Callable[[Any, Any, Any], New]:
    """Make a rule that puts in what is never used, alone or with a factor."""
    left = unused(tree)
    taken = _taken(tree) if left else []

    def rule(node: Any, parent: Any, names: Sequence[str]) -> New:
        if not left or not is_value(node) or not _holds(node, parent):
            return
        for name in left:
            for other in _forms(name, taken):
                yield from _put(node, other)
            for known in names[:_MOST_NAMES] if is_term(node, parent) else ():
                for other in _products(name, known):
                    yield from _added(node, other)

    return rule


def _holds(node: Any, parent: Any) -> bool:
    """Say whether a term or a factor can be missing there."""
    near = isinstance(parent, ast.BinOp) or is_term(node, parent)
    return near and not isinstance(node, (ast.Constant, ast.Starred))


def _taken(tree: Any) -> list[Any]:
    """List the places with a name in them that the function takes of something."""
    places = places_of(tree).values()
    named = [s for s in places if any(type(n) is ast.Name for n in ast.walk(s))]
    return named[:_MOST_PLACES]


_MOST_PLACES = 6


def _forms(name: str, taken: Sequence[Any]) -> Iterator[Any]:
    """Give a value, in all forms that have room beside others."""
    for text in (name, f"(1 - {name})", f"(~{name})", f"{name}[:, None]", f"{name}[..., None]"):
        yield _read(text)
    yield _read(f"{name}[None, :]")
    for place in taken:
        yield ast.Subscript(ast.Name(name, ast.Load()), place, ast.Load())


def _products(name: str, known: str) -> Iterator[Any]:
    for text in ("{0} * {1}", "{0} @ {1}", "{1} @ {0}", "np.outer({0}, {1})", "{0}[{1}]"):
        yield _read(text.format(name, known))


def _put(node: Any, other: Any) -> New:
    """Multiply by a value, divide by it, or add it."""
    text = ast.unparse(other)
    yield at(ast.BinOp(node, ast.Mult(), other), node), f"the factor {text} is missing"
    yield at(ast.BinOp(node, ast.Div(), other), node), f"the division by {text} is missing"
    yield at(ast.BinOp(node, ast.MatMult(), other), node), f"the factor {text} is missing"
    yield from _added(node, other)


def _added(node: Any, other: Any) -> New:
    text = ast.unparse(other)
    for op, term in ((ast.Add(), text), (ast.Sub(), negative(other, text))):
        yield at(ast.BinOp(node, op, other), node), f"the term {term} is missing"


def _read(text: str) -> Any:
    return ast.parse(text, mode="eval").body
