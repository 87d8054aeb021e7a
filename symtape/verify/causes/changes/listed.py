"""Small changes of a syntax tree: the slips that people make, backwards."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from symtape.verify.causes.changes import exchanged, inserted, places, replaced
from symtape.verify.causes.changes.dropped import dropped
from symtape.verify.causes.changes.reach import Reach


class Spot(NamedTuple):
    """A node of a tree: what holds it, where, the statement that it is in, and what it may be.

    `is_fixed` says that no call can stand there: in an index, or in a pattern of a `case`.
    """

    parent: Any
    field: str
    place: int | None
    node: Any
    statement: Any
    is_fixed: bool = False

    @contextmanager
    def holding(self, new: Any) -> Iterator[None]:
        """Put another node in, and the old one back."""
        old = getattr(self.parent, self.field)
        if self.place is None:
            setattr(self.parent, self.field, new)
        else:
            changed = [
                *old[: self.place],
                *([new] if new is not None else []),
                *old[self.place + 1 :],
            ]
            setattr(self.parent, self.field, changed or [ast.Pass()])
        try:
            yield
        finally:
            setattr(self.parent, self.field, old)


class Option(NamedTuple):
    """A node for a spot, and what is wrong if it makes the function right."""

    new: Any
    words: str


def changes(
    tree: Any, numbers: frozenset[int], wrong: frozenset[int] = frozenset({0}), count: int = 1
) -> Iterator[tuple[Spot, Sequence[Option]]]:
    """List what can stand at the spots of a function of so many results, the likeliest first.

    What can be missing is put in at nodes that are `numbers`, by their ids.
    """
    names = _names(tree)
    groups = spots_of(tree, wrong, count)
    loops = [s for spots in groups for s in spots if isinstance(s.node, (ast.For, ast.While))]
    for spots in groups:
        yield from _options(tree, spots, loops, names, numbers)
        loops = []


def spots_of(tree: Any, wrong: frozenset[int], count: int) -> list[list[Spot]]:
    """List the spots of a function in groups.

    The first have to do with all that is `wrong` of so many results, and with nothing else.
    """
    reach = Reach(tree, count)
    groups: dict[int, list[Spot]] = {}
    for spot in _spots(tree):
        groups.setdefault(reach.rank(spot.statement, wrong), []).append(spot)
    return [groups.get(rank, []) for rank in range(3)]


def _options(
    tree: Any,
    spots: Sequence[Spot],
    loops: Sequence[Spot],
    names: Sequence[str],
    numbers: frozenset[int],
) -> Iterator[tuple[Spot, Sequence[Option]]]:
    """List what can stand at some spots, and what loops can do."""
    valued = [s for s in spots if id(s.node) in numbers]
    rules = (
        (spots, (*replaced.OPERATORS, *exchanged.RULES)),
        (loops, exchanged.OF_LOOPS),
        (valued, (dropped(tree),)),
        (spots, (*places.ORDER, *replaced.FUNCTIONS, *exchanged.OTHERS)),
        (valued, inserted.RULES),
        (spots, places.OTHERS),
        (valued, (inserted.pooled(tree),)),
        (spots, (inserted.others(tree), places.elsewhere(tree))),
        (valued, (inserted.products,)),
    )
    for of, rule in ((of, rule) for of, some in rules for rule in some):
        for spot in of:
            options = [Option(*made) for made in rule(spot.node, spot.parent, names)]
            if options:
                yield spot, options


def _spots(tree: Any) -> Iterator[Spot]:
    """List the nodes of a body."""
    body = tree.body if isinstance(tree.body, list) else [tree]
    stack = [
        Spot(tree, "body", k if isinstance(tree.body, list) else None, n, n)
        for k, n in enumerate(body)
    ]
    if not isinstance(tree.body, list):
        stack = [Spot(tree, "body", None, tree.body, tree)]
    while stack:
        spot = stack.pop()
        node = spot.node
        own = node if isinstance(node, ast.stmt) else spot.statement
        inside = spot.is_fixed or isinstance(node, ast.pattern)
        yield spot._replace(statement=own)
        for name, value in ast.iter_fields(node):
            if isinstance(value, ast.AST) and not isinstance(
                value, (ast.expr_context, ast.operator)
            ):
                is_index = isinstance(node, ast.Subscript) and name == "slice"
                stack.append(Spot(node, name, None, value, own, inside or is_index))
            elif isinstance(value, list):
                stack += [
                    Spot(node, name, k, v, own, inside)
                    for k, v in enumerate(value)
                    if isinstance(v, ast.AST)
                ]


def _names(tree: Any) -> list[str]:
    """List the names that the function takes or sets."""
    found = [a.arg for a in tree.args.args]
    found += [
        n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
    ]
    return [n for n in dict.fromkeys(found) if not n.startswith("_")]
