"""Which nodes of a candidate's tree are numbers, seen as it runs: a shape has no missing factor."""

from __future__ import annotations

import ast
import types
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from numbers import Number
from typing import Any

from symtape.verify.causes.changes.listed import Spot
from symtape.verify.causes.changes.syntax import at, is_value
from symtape.verify.causes.code.sources import CHOICE, Source


def numbers_seen(
    source: Source, spots: Iterable[Spot], run: Callable[[Callable[..., Any]], Any]
) -> frozenset[int]:
    """Run a function whose values tell what they are; give the ids of the nodes of numbers.

    A node that is not reached is no number, nor what is a tuple, a module or a function.
    """
    found: dict[int, bool] = {}

    def note(key: int, value: Any) -> Any:
        is_array = hasattr(value, "dtype") and hasattr(value, "shape")
        found[key] = found.get(key, True) and (is_array or isinstance(value, Number))
        return value

    with ExitStack() as held:
        for spot in spots:
            if _can_tell(spot):
                told = [ast.Constant(id(spot.node)), spot.node]
                call = ast.Call(ast.Name(CHOICE, ast.Load()), told, [])
                held.enter_context(spot.holding(at(call, spot.node)))
        function = source.compiled(types.CellType(note))
    run(function)
    return frozenset(key for key, is_number in found.items() if is_number)


def _can_tell(spot: Spot) -> bool:
    """Say whether a call can stand at a spot."""
    of_text = isinstance(spot.parent, (ast.JoinedStr, ast.FormattedValue))
    return (
        is_value(spot.node)
        and not isinstance(spot.node, ast.Starred)
        and not spot.is_fixed
        and not of_text
    )
