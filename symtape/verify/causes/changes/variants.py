"""Functions for the options of a spot: compiled together, as one that is told which it is.

Compiling takes longer than running; so a spot holds `a if choice == 0 else b if choice == 1 …`.
"""

from __future__ import annotations

import ast
import types
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from symtape.verify.causes.changes.listed import Option, Spot
from symtape.verify.causes.changes.syntax import at, is_value
from symtape.verify.causes.code.sources import CHOICE, Source

Made = Iterator[tuple[Callable[..., Any], Option]]


def variants(source: Source, spot: Spot, options: Sequence[Option]) -> Made:
    """Give a function for each option; it is that option until the next one is asked for."""
    together = [o for o in options if _can_be_chosen(spot, o.new)]
    for begin in range(0, len(together), _MOST):
        some = together[begin : begin + _MOST]
        try:
            yield from _chosen(source, spot, some)
        except NO_PROGRAM:
            yield from _each(source, spot, some)
    yield from _each(source, spot, [o for o in options if not _can_be_chosen(spot, o.new)])


_MOST = 48
NO_PROGRAM = (SyntaxError, ValueError, TypeError, StopIteration, RecursionError, KeyError)


def _can_be_chosen(spot: Spot, new: Any) -> bool:
    """Say whether both are values; places of a subscript are none."""
    return (
        is_value(spot.node)
        and is_value(new)
        and spot.field != "slice"
        and not isinstance(spot.node, ast.Starred)
        and not isinstance(spot.parent, ast.Slice)
        and not any(isinstance(n, ast.Slice) for n in getattr(new, "elts", ()))
    )


def _chosen(source: Source, spot: Spot, options: Sequence[Option]) -> Made:
    node = options[-1].new
    for k in reversed(range(len(options) - 1)):
        is_own = ast.Compare(ast.Name(CHOICE, ast.Load()), [ast.Eq()], [ast.Constant(k)])
        node = ast.IfExp(is_own, options[k].new, node)
    cell = types.CellType(0)
    with spot.holding(at(node, spot.node)):
        function = source.compiled(cell)
    for k, option in enumerate(options):
        cell.cell_contents = k
        yield function, option


def _each(source: Source, spot: Spot, options: Sequence[Option]) -> Made:
    for option in options:
        try:
            with spot.holding(option.new):
                function = source.compiled()
        except NO_PROGRAM:
            continue
        yield function, option
